"""Pictures in notebooks: trees, derivations and results as XML, with every word as text."""

from __future__ import annotations

import pickle
import re
from dataclasses import replace
from itertools import combinations, pairwise
from xml.etree import ElementTree

import pytest
from ccg_logs import gold_derivation
from nltk.tree import Tree
from oracles import projective_trees

import wordorder_lab as wl
from wordorder_lab.structures.category import Category
from wordorder_lab.structures.derivation import Derivation
from wordorder_lab.structures.phrase_tree import PhraseTree
from wordorder_lab.structures.trees import DependencyTree

SVG = "{http://www.w3.org/2000/svg}"
NASTY = (
    "<script>alert(1)</script>",
    "a & b",
    "\"quoted\" 'text'",
    "]]>",
    "nul\x00bell\x07",
    "𝒳 日本",
)

TREE = DependencyTree(
    ("Dr. Talcott", "led", "a team", "of", "Harvard University", "."),
    ("NP", "VBD", "NP", "IN", "NP", "."),
    (1, -1, 1, 2, 3, 1),
)
"""Liu et al. (2015), Figure 2."""


def hostile(heads: tuple[int, ...]) -> DependencyTree:
    words = (NASTY * len(heads))[: len(heads)]
    return DependencyTree(words, words[::-1], heads)


def parts(picture: ElementTree.Element, name: str) -> list[ElementTree.Element]:
    return [node for node in picture.iter() if node.get("class") == f"wol-{name}"]


def numbers(node: ElementTree.Element) -> list[float]:
    return [float(found) for found in re.findall(r"-?[\d.]+", node.get("d", ""))]


def test_figure_2_as_a_picture() -> None:
    picture = ElementTree.fromstring(TREE._repr_svg_())
    assert [node.text for node in parts(picture, "word")] == list(TREE.forms)
    assert [node.text for node in parts(picture, "tag")] == list(TREE.pos)
    assert len(parts(picture, "arc")) == 5 and len(parts(picture, "root")) == 1
    centers = [float(node.get("x", "nan")) for node in parts(picture, "word")]
    assert centers == sorted(centers)
    # The five arrows of the arcs stand over their dependents, and the root's over the root.
    tips = [numbers(node)[0] for node in parts(picture, "arrow")]
    assert tips == [*(centers[dependent] for _, dependent in TREE.arcs), centers[1]]
    for arc, (head, _) in zip(parts(picture, "arc"), TREE.arcs):
        assert abs(numbers(arc)[0] - centers[head]) < 8
    label = picture.get("aria-label", "")
    assert label == picture.findtext(f"{SVG}title") and "Root: led" in label


@pytest.mark.parametrize("heads", projective_trees(4), ids=str)
def test_arcs_of_a_projective_tree_do_not_cross(heads: tuple[int, ...]) -> None:
    """Of two arcs over a common stretch the longer one runs above."""
    tree = DependencyTree(("w",) * 4, ("T",) * 4, heads)
    runs = []
    for arc in parts(ElementTree.fromstring(tree._repr_svg_()), "arc"):
        start, _, _, _, top, *_, end, _, _ = numbers(arc)
        runs.append((top, *sorted((start, end))))
    for (top, left, right), (other, begin, end) in combinations(runs, 2):
        if min(right, end) > max(left, begin):
            assert top != other and (top < other) == (right - left > end - begin)


@pytest.mark.parametrize(
    "heads",
    [(), (-1,), (1, -1, 1, 2, 3, 1), (2, 3, -1, 2), (1, 0), (-1, -1), (9, 0, -1), (0, -7)],
    ids=str,
)
def test_whatever_the_words_and_heads_the_picture_is_well_formed(heads: tuple[int, ...]) -> None:
    tree = hostile(heads)
    for text in (tree._repr_svg_(), tree._repr_html_()):
        assert "<script" not in text.lower()
        picture = ElementTree.fromstring(text)
        shown = [node.text for node in parts(picture, "word")]
        assert shown == [form.translate({0: "\ufffd", 7: "\ufffd"}) for form in tree.forms]
        arcs = [(h, i) for h, i in tree.arcs if h < len(tree) and h != i]
        assert len(parts(picture, "arc")) == len(arcs)
        assert len(parts(picture, "root")) == sum(head < 0 for head in heads)
        assert not any(node.get("id") for node in picture.iter())
    assert tree._repr_svg_() == hostile(heads)._repr_svg_()


def test_each_page_gets_the_colours_it_can_show() -> None:
    """In a page the picture is of the page's colour; alone it brings black and white along."""
    inside = ElementTree.fromstring(TREE._repr_html_())
    alone = ElementTree.fromstring(TREE._repr_svg_())
    assert inside.find(f".//{SVG}rect") is None and alone.find(f".//{SVG}rect") is not None
    painted = {node.get(name) for node in inside.iter() for name in ("fill", "stroke")}
    assert painted == {None, "none", "currentColor"}


RAIN = "(S (NP (DT the) (NN rain)) (VP (VBD fell) (ADVP (RB heavily))) (. .))"


def test_a_phrase_tree_as_a_picture() -> None:
    tree = wl.parse_tree(RAIN)
    picture = ElementTree.fromstring(tree._repr_svg_())
    words, labels = parts(picture, "word"), parts(picture, "label")
    assert [node.text for node in words] == tree.leaves()
    assert [node.text for node in labels] == [below.label() for below in tree.subtrees()]
    assert len(parts(picture, "branch")) == len(words) + len(labels) - 1
    centers = [float(node.get("x", "nan")) for node in words]
    assert centers == sorted(centers) and len(set(centers)) == len(words)
    assert picture.get("aria-label", "") == picture.findtext(f"{SVG}title")
    assert ElementTree.fromstring(tree._repr_html_()).find(f".//{SVG}rect") is None


def test_a_phrase_tree_is_equal_to_a_plain_one() -> None:
    drawn, plain = wl.parse_tree(RAIN), Tree.fromstring(RAIN)
    assert drawn == plain and plain == drawn
    assert (drawn != plain, plain != drawn) == (False, False)
    assert drawn == drawn.copy(deep=True) and isinstance(drawn.copy(deep=True), PhraseTree)
    plain[0][1][0] = "snow"
    assert drawn != plain and plain != drawn and drawn != RAIN and drawn[0] != drawn[1]
    assert pickle.loads(pickle.dumps(drawn)) == drawn


def test_whatever_its_words_a_phrase_tree_is_drawn() -> None:
    for words in ("<script>", "a\0b", "&amp;", "\u202e"):
        picture = ElementTree.fromstring(
            PhraseTree("</svg>", [words, PhraseTree("X", [])])._repr_svg_()
        )
        assert len(parts(picture, "word")) == 1 and len(parts(picture, "branch")) == 2
    deep = PhraseTree("X", ["x"])
    for _ in range(3_000):
        deep = PhraseTree("X", [deep])
    assert len(parts(ElementTree.fromstring(deep._repr_svg_()), "branch")) == 3_001


def test_a_derivation_as_a_picture() -> None:
    """A line for every step below those of its parts, its sign at the end, its category below."""
    derivation = gold_derivation(raised=True)
    picture = ElementTree.fromstring(derivation._repr_svg_())
    nodes = list(derivation.nodes())
    assert [node.text for node in parts(picture, "word")] == list(derivation.words())
    assert [n.text for n in parts(picture, "category")] == [str(n.category) for n in nodes]
    assert [node.text for node in parts(picture, "sign")] == [n.sign for n in nodes if n.sign]
    lines = [numbers(node) for node in parts(picture, "step")]
    drawn = dict(zip(map(id, nodes), lines, strict=True))
    for node, (start, y, end) in zip(nodes, lines, strict=True):
        for child in node.children:
            first, above, last = drawn[id(child)]
            assert above < y and start <= first and last <= end + 30
    x = [float(node.get("x", "nan")) for node in parts(picture, "word")]
    assert x == sorted(x)
    said = picture.findtext(f"{SVG}desc") or ""
    assert r"IBM: S/(S\NP) by >T" in said and "; yesterday: " in said
    assert picture.get("aria-label") == picture.findtext(f"{SVG}title")
    assert not any(node.get("id") for node in picture.iter())


def test_no_text_of_a_derivation_runs_into_another() -> None:
    """Side by side, for wide words and wide categories, by a width that no usual font exceeds."""
    wide = Derivation.leaf("W" * 12, "T", Category.parse("N/N"))
    many = Derivation.leaf("日本語の 言葉", "T", Category.parse(r"((S[dcl]\NP)/(S[b]\NP))/NP"))
    whole = Derivation.binary(Category.parse("S"), wide, many)
    for derivation in (whole, gold_derivation()):
        rows: dict[str, list[tuple[float, float]]] = {}
        for node in derivation.drawing().iter("text"):
            text, size = node.text or "", float(node.get("font-size", "nan"))
            half = (
                size * sum(1 if ord(letter) > 255 or letter == "W" else 0.56 for letter in text) / 2
            )
            x = float(node.get("x", "nan"))
            rows.setdefault(node.get("y", ""), []).append((x - half, x + half))
        for row in rows.values():
            row.sort()
            assert all(right <= left for (_, right), (left, _) in pairwise(row))


@pytest.mark.slow
def test_any_derivation_can_be_drawn() -> None:
    """Deep ones too, as a picture and as text, and whatever stands in a word."""
    noun = Category.parse("N")
    deep = Derivation.leaf(NASTY[0], "T", noun)
    for place in range(1500):
        adjective = Derivation.leaf(NASTY[place % len(NASTY)], "T", Category.parse("N/N"))
        deep = Derivation(noun, (adjective, deep), 1) if place % 3 else Derivation.unary(noun, deep)
    page = ElementTree.fromstring(deep._repr_html_())
    assert len(parts(page, "step")) == len(list(deep.nodes()))
    assert "<script" not in deep._repr_html_()
    painted = {node.get(name) for node in page.iter() for name in ("fill", "stroke")}
    assert painted == {None, "none", "currentColor"}
    row = Derivation.leaf("a", "T", noun)
    for _ in range(1500):
        row = Derivation.unary(noun, row)
    assert len(row.picture().splitlines()) == 3 + 2 * 1500


def test_a_result_shows_its_derivations() -> None:
    """Instead of arcs; a default output has several."""
    both = (gold_derivation(), Derivation.leaf("IBM", "T", Category.parse("N")))
    one = replace(result((("IBM",), ("bought",)), 1.0), derivations=both)
    other = replace(one, derivations=both[:1])
    page = ElementTree.fromstring(replace(one, k_best=(one, other, other))._repr_html_())
    assert not parts(page, "arc")
    assert len(list(page.iter(f"{SVG}svg"))) == 2
    rows = [[cell.text or "" for cell in row][-1] for row in page.iter("tr")]
    assert rows[1:] == ["", "another derivation", "the same tree by other actions"]


def result(units: tuple[tuple[str, ...], ...], score: float) -> wl.Result:
    heads = (-1, *range(len(units) - 1))
    forms = tuple(map(" ".join, units))
    tree = DependencyTree(forms, ("X",) * len(units), heads)
    return wl.Result(units, tuple(range(len(units))), tree, score)


def test_a_result_in_a_notebook() -> None:
    one = result((("<b>Dr.", "Talcott"), ("led",)), 1.234)
    page = ElementTree.fromstring(one._repr_html_())
    assert "<b>Dr. Talcott led" in [node.text for node in page.iter("b")]
    assert "score 1.23" in [node.text for node in page.iter("p")]
    assert len(parts(page, "arc")) == 1 and page.find("table") is None
    two = replace(one, tree=replace(one.tree, heads=(1, -1)), score=1.0)
    three = replace(one, actions=("SHIFT",), score=0.5)
    others = tuple(result((("led",), (f"word{i}",)), -i) for i in range(9))
    many = replace(one, k_best=(one, two, three, *others), stopped="<timeout>")
    text = many._repr_html_()
    assert "<timeout>" not in text and "&lt;timeout&gt;" in text
    rows = [[cell.text or "" for cell in row] for row in ElementTree.fromstring(text).iter("tr")]
    assert rows[1] == ["1", "1.23", "<b>Dr. Talcott led", ""]
    assert rows[2][1:] == ["1.00", "<b>Dr. Talcott led", "another tree"]
    assert rows[3][1:] == ["0.50", "<b>Dr. Talcott led", "the same tree by other actions"]
    assert len(rows) == 12 and rows[-1][2] == "and 2 more in k_best"
