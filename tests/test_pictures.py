"""Pictures in notebooks: trees and results as XML that holds, with every word as text."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import combinations
from xml.etree import ElementTree

import pytest
from oracles import projective_trees

import wordorder_lab as wl
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
