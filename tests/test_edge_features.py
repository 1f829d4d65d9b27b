"""Templates of best-first edges: Table 2 of Zhang & Clark 2015, and Table 1 of 2011 and 2015.

What they see in an edge, keys and weights. Figure 3 is an image. Its sentence follows from the
example column of Table 2: four words headed by "bought" (bought, VBD, 4), one dependent on its left
and two on its right (VBD, 1, 2), an NNP before it and one after it (NNP, bought, NNP), the last one
an NN (VBD, NN, NNP, right). So all words depend on VBD, and we call it IBM bought Lotus yesterday.
Figure 2 follows from the instances of Table 1: "IBM bought Lotus" with one verb and two NPs.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from ccg_oracles import (
    ENGLISH,
    EVERYTHING,
    TABLE_1,
    TRIGRAMS,
    problem_of,
    rules_of,
    table_1,
)
from edge_oracles import phrases_of
from hypothesis import given
from hypothesis import strategies as st
from test_input_constraints import random_tree

import wordorder_lab as wl
from wordorder_lab.best_first.ccg import BestFirstCCG
from wordorder_lab.best_first.edge import Edge
from wordorder_lab.best_first.features import (
    EdgeContext,
    add_up,
    contexts,
    edge_features,
    norm,
    show,
)
from wordorder_lab.best_first.keys import KEY_BITS, SIZE_BITS, EdgeKeys
from wordorder_lab.best_first.output import derivation_of
from wordorder_lab.best_first.packed_weights import PackedEdgeWeights, RawEdgeWeights
from wordorder_lab.best_first.settings import SearchSettings
from wordorder_lab.best_first.templates import (
    ARC_ATOMS,
    ARC_SECTIONS,
    ARC_SLOTS,
    CCG_SECTIONS,
    COMPLETED,
    DEPENDENCY,
    SENTENCE,
    SURFACE,
    EdgeTemplates,
    ccg_template_files,
    edge_template_files,
    load_ccg_templates,
    load_edge_templates,
    parse_ccg_templates,
    parse_edge_templates,
)
from wordorder_lab.best_first.updates import EdgeWeights
from wordorder_lab.structures.problem import Item, OrderingProblem
from wordorder_lab.structures.templates import Feature

TABLE_2 = load_edge_templates("zhang_clark_2015_table_2")


def items_of(text: str) -> list[Item]:
    """Items from ``word/TAG word/TAG``."""
    words = [tuple(part.split("/")) for part in text.split()]
    return [Item(i, (word,), word, tag) for i, (word, tag) in enumerate(words)]


def look(items: Sequence[Item], heads: Sequence[int], left_size: int, goal: bool = False) -> list:
    return contexts(range(len(items)), heads, left_size, items, goal)


def shown(items: Sequence[Item], heads: Sequence[int], left_size: int, goal: bool = False) -> list:
    groups = edge_features(TABLE_2, look(items, heads, left_size, goal))
    return [show(TABLE_2, feature) for features in groups for feature in features]


def edges_of(items: Sequence[Item], heads: Sequence[int]) -> list[list[tuple[str, EdgeContext]]]:
    phrases: Any = phrases_of
    return [look(*phrase) for phrase in phrases(items, heads)]


def test_the_printed_number_of_templates() -> None:
    """Counted in Table 2, line by line of print."""
    printed = {
        DEPENDENCY: [1, 2, 3, 3, 3, 3, *[1] * 6, 2, *[1] * 7, 1, 2, 2, 2, 2, 1, 1],
        COMPLETED: [2, 2, 2, 2, 2, 1, 2, 1],
        SURFACE: [2, 2, *[1] * 6],
        SENTENCE: [2, 2, 2, 1, 2, 1],
    }
    counted = Counter(template.section for template in TABLE_2.templates)
    assert counted == {section: sum(lines) for section, lines in printed.items()}
    assert list(counted.values()) == [41, 14, 10, 10] and len(TABLE_2) == 75
    lines = TABLE_2.text.partition("\nGroups\n")[0].splitlines()
    by_line = [line.count(";") for line in lines if line and not line.startswith("#")]
    assert [n for n in by_line if n] == [n for section in ARC_SECTIONS for n in printed[section]]


@pytest.mark.parametrize("name", edge_template_files())
def test_the_text_and_the_printed_names(name: str) -> None:
    """Text -> templates -> names -> the text, and each template in one group that has its slots."""
    templates = load_edge_templates(name)
    lines = templates.text.partition("\nGroups\n")[0].splitlines()
    text = " ".join(line for line in lines if line not in ARC_SECTIONS and not line.startswith("#"))
    names = [part.strip() for part in text.split(";") if part.strip()]
    assert [template.name for template in templates.templates] == names
    for template in templates.templates:
        known = {
            atom: printed
            for printed, atom in ARC_ATOMS[template.section].items()
            if " " not in printed
        }
        again = "·".join(known[atom] for atom in template.atoms)
        assert again == template.name.partition(" (")[0]
    assert sorted(i for group in templates.groups for i in group.templates) == list(
        range(len(templates))
    )
    for group in templates.groups:
        assert all(templates.templates[i].slots <= set(group.slots) for i in group.templates)
        assert {templates.templates[i].section for i in group.templates} == {group.section}
    sections = [ARC_SECTIONS.index(group.section) for group in templates.groups]
    assert sections == sorted(sections)


def test_a_template_goes_to_its_first_group() -> None:
    groups = {group.slots: group.templates for group in TABLE_2.groups}
    assert len(groups) == len(TABLE_2.groups) == 20
    names = [TABLE_2.templates[i].name for i in groups["m", "s", "dir"]]
    assert names == [
        f"{m}(m)·{s}(s)·dir"
        for m, s in (("POS", "POS"), ("WORD", "WORD"), ("POS", "WORD"), ("WORD", "POS"))
    ]
    assert TABLE_2.templates[groups["0", "1", "2"][0]].name == "WORD(0)"


SMALL = "Dependency syntax\nPOS(h)·dir( h>m )·POS(h-1);\nGroups\nDependency syntax\nh dir h-1;"


def test_small_files() -> None:
    assert parse_edge_templates(SMALL).templates[0].name == "POS(h)·dir (h > m)·POS(h-1)"
    mixed = "Completed words\nPOS(h)\nDependency syntax\nPOS(m)\n"
    both = parse_edge_templates(mixed + "Groups\nCompleted words\nh h_l\nDependency syntax\nm; h")
    assert [group.section for group in both.groups] == [DEPENDENCY, COMPLETED]
    assert [group.templates for group in both.groups] == [(1,), (0,)]
    assert parse_edge_templates("").groups == ()


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("Dependency syntax\nPOS(h)\nWORD(q)·dir", r"mine, line 3: .*'WORD\(q\)·dir'.*'WORD\(q\)'"),
        ("# one\nPOS(h)", "mine, line 2: .*no section above it"),
        ("Dependency syntax\nPOS(h)··dir", "line 2: .*no ''"),
        ("Completed words\nPOS(m)", r"line 2: .*completed words know no 'POS\(m\)'"),
        ("Surface string patterns\nPOS(B+2)", r"line 2: .*'POS\(B\+2\)'"),
        ("Dependency syntax\nPOS(h)·POS(h+1)·dir (h > m)", r"line 2: .*goes with h-1 or m\+1 only"),
        ("Dependency syntax\n" + "·".join(["POS(h)"] * 7), "line 2: .*7 parts"),
        ("Dependency syntax\nPOS(h);\n\nPOS(h)", r"line 4: POS\(h\) is there twice"),
        ("Dependency trees\nPOS(h)", "line 1: no section 'Dependency trees'"),
        ("Groups\nh m", "line 2: .*no section above it"),
        ("Groups\nDependency syntax\nh B", "line 3: .*no slot 'B'"),
        ("Groups\nDependency syntax\nh m s s2 dir dist", "line 3: .*6 slots"),
        (
            "Dependency syntax\nPOS(h)·dir\nGroups\nDependency syntax\nh m",
            r"mine: no group.*\(h\)·dir",
        ),
        ("all edges\ncategory + colour", r"mine, line 2: .*all edges know no 'colour'"),
        ("# one\ncategory + size", "mine, line 2: .*has no section above it"),
        ("all edges\nunary rule", "line 2: .*all edges know no 'unary rule'"),
        (
            "unary edges\nbigrams resulting from combination",
            "line 2: .*unary edges know no 'bigrams",
        ),
        ("all edges\ncategory + size;\n\nconstituent + size", r"line 4: .*is there twice"),
        ("all edges\ncategory + size\nGroups\nall edges\nsize", r"no group.*category \+ size"),
        ("all edges\ncategory\nGroups\nall edges\nB-1 B", "line 5: .*all edges know no slot 'B-1'"),
        ("binary edges\nrule\nGroups\nbinary edges\nrule head nonhead B-2 B-1 B", "5: .*6 slots"),
    ],
)
def test_bad_files(text: str, says: str) -> None:
    parse = parse_ccg_templates if "edges" in text or "category" in text else parse_edge_templates
    with pytest.raises(ValueError, match=says):
        parse(text, "mine")


def test_an_unknown_file_is_named() -> None:
    with pytest.raises(ValueError, match=r"'table_9'; there are .*zhang_clark_2015_table_2"):
        load_edge_templates("table_9")
    with pytest.raises(ValueError, match="'table_9'; there are zhang_clark_2011_table_1, zhang"):
        load_ccg_templates("table_9")


FIGURE_3 = items_of("IBM/NNP bought/VBD Lotus/NNP yesterday/NN")
WHOLE = [1, -1, 1, 1]


def test_the_printed_examples() -> None:
    """All but two are features of the derivation; the whole sentence is made with IBM last."""
    right = shown(FIGURE_3[1:], [-1, 0, 0], 2)  # bought Lotus + yesterday
    whole = shown(FIGURE_3, WHOLE, 1, goal=True)  # IBM + bought Lotus yesterday
    assert "WORD(h)·POS(h)·NORM(size) = bought, VBD, 4" in whole
    assert "POS(h)·POS(m)·POS(b)·dir = VBD, NN, NNP, right" in right
    assert "POS(h)·POS(m)·POS(s)·dir = VBD, NN, NNP, right" in right
    assert "POS(h)·LVAL(h)·RVAL(h) = VBD, 1, 2" in whole
    assert "POS(B-1)·WORD(B)·POS(B+1) = NNP, bought, NNP" in whole


def test_the_two_examples_that_contradict_their_templates() -> None:
    """Printed: (VBD, NNP, NN, -END-, right), with the tag after m, and (VBD, NNP, NN)."""
    right = shown(FIGURE_3[1:], [-1, 0, 0], 2)
    whole = shown(FIGURE_3, WHOLE, 1, goal=True)
    assert "POS(h)·POS(h+1)·POS(m)·POS(m-1)·dir (h < m) = VBD, NNP, NN, NNP, right" in right
    assert "POS(size-1)·POS(size-2)·POS(size-3) = NN, NNP, VBD" in whole
    assert not [line for line in right + whole if "VBD, NNP, NN, -END-" in line]
    reverse = [line for line in right + whole if line.endswith("= VBD, NNP, NN")]
    assert reverse == ["POS(B-2)·POS(B-1)·POS(B) = VBD, NNP, NN"]  # no complete sentence's


ALL_OF_THE_LAST_EDGE = """
    WORD(h)·POS(h)·NORM(size) = bought, VBD, 4; WORD(h)·NORM(size) = bought, 4
    POS(h)·NORM(size) = VBD, 4
    WORD(h)·POS(h)·dir = bought, VBD, left; WORD(h)·dir = bought, left; POS(h)·dir = VBD, left
    WORD(m)·POS(m)·dir = IBM, NNP, left; WORD(m)·dir = IBM, left; POS(m)·dir = NNP, left
    WORD(h)·POS(h)·WORD(m)·POS(m)·dir = bought, VBD, IBM, NNP, left
    WORD(h)·POS(h)·POS(m)·dir = bought, VBD, NNP, left
    POS(h)·WORD(m)·POS(m)·dir = VBD, IBM, NNP, left; POS(h)·POS(m)·dir = VBD, NNP, left
    WORD(h)·POS(h)·dist = bought, VBD, left 1; WORD(h)·dist = bought, left 1
    POS(h)·dist = VBD, left 1; WORD(m)·POS(m)·dist = IBM, NNP, left 1
    WORD(m)·dist = IBM, left 1; POS(m)·dist = NNP, left 1
    WORD(h)·POS(h)·WORD(m)·POS(m)·dist = bought, VBD, IBM, NNP, left 1
    WORD(h)·POS(h)·POS(m)·dist = bought, VBD, NNP, left 1
    POS(h)·WORD(m)·POS(m)·dist = VBD, IBM, NNP, left 1; POS(h)·POS(m)·dist = VBD, NNP, left 1
    POS(h)·POS(h-1)·POS(m)·POS(m+1)·dir (h > m) = VBD, NNP, NNP, VBD, left
    WORD(h)·POS(h)·LVAL(h) = IBM, NNP, 0; WORD(h)·POS(h)·RVAL(h) = IBM, NNP, 0
    WORD(h)·POS(h)·LVAL(h)·RVAL(h) = IBM, NNP, 0, 0; POS(h)·LVAL(h) = NNP, 0
    POS(h)·RVAL(h) = NNP, 0; POS(h)·LVAL(h)·RVAL(h) = NNP, 0, 0
    WORD(h)·POS(h)·WORD(h_l)·POS(h_l) = bought, VBD, IBM, NNP; POS(h)·POS(h_l) = VBD, NNP
    WORD(h)·POS(h)·POS(h_l) = bought, VBD, NNP; POS(h)·WORD(h_l)·POS(h_l) = VBD, IBM, NNP
    WORD(h)·POS(h)·WORD(h_r)·POS(h_r) = bought, VBD, yesterday, NN; POS(h)·POS(h_r) = VBD, NN
    WORD(h)·POS(h)·POS(h_r) = bought, VBD, NN; POS(h)·WORD(h_r)·POS(h_r) = VBD, yesterday, NN
    WORD(h)·POS(h)·LVAL(h) = bought, VBD, 1; WORD(h)·POS(h)·RVAL(h) = bought, VBD, 2
    WORD(h)·POS(h)·LVAL(h)·RVAL(h) = bought, VBD, 1, 2; POS(h)·LVAL(h) = VBD, 1
    POS(h)·RVAL(h) = VBD, 2; POS(h)·LVAL(h)·RVAL(h) = VBD, 1, 2
    WORD(B-1)·WORD(B) = IBM, bought; POS(B-1)·POS(B) = NNP, VBD
    WORD(B-1)·POS(B) = IBM, VBD; POS(B-1)·WORD(B) = NNP, bought
    WORD(B-1)·WORD(B)·WORD(B+1) = IBM, bought, Lotus
    POS(B-1)·POS(B)·POS(B+1) = NNP, VBD, NNP; POS(B-1)·WORD(B)·POS(B+1) = NNP, bought, NNP
    WORD(0) = IBM; WORD(0)·WORD(1) = IBM, bought; POS(0) = NNP; POS(0)·POS(1) = NNP, VBD
    POS(0)·POS(1)·POS(2) = NNP, VBD, NNP
    WORD(size-1) = yesterday; WORD(size-1)·WORD(size-2) = yesterday, Lotus; POS(size-1) = NN
    POS(size-1)·POS(size-2) = NN, NNP; POS(size-1)·POS(size-2)·POS(size-3) = NN, NNP, VBD
"""


def test_all_features_of_one_edge_in_order() -> None:
    by_hand = [
        part.strip() for line in ALL_OF_THE_LAST_EDGE.splitlines() for part in line.split(";")
    ]
    assert shown(FIGURE_3, WHOLE, 1, goal=True) == [part for part in by_hand if part]


def test_leaves() -> None:
    leaf = [
        *("WORD(h)·POS(h)·NORM(size) = IBM, NNP, 1", "WORD(h)·NORM(size) = IBM, 1"),
        "POS(h)·NORM(size) = NNP, 1",
    ]
    assert shown(FIGURE_3[:1], [-1], 0) == leaf
    alone = shown(FIGURE_3[:1], [-1], 0, goal=True)  # a sentence of one word
    assert alone[:3] == leaf and alone[-4:] == [
        *("WORD(0) = IBM", "POS(0) = NNP", "WORD(size-1) = IBM", "POS(size-1) = NNP"),
    ]
    assert len(alone) == 3 + 6 + 4  # completed words: the valencies
    sections = [section for section, _ in look(FIGURE_3[:1], [-1], 0, goal=True)]
    assert sections == [DEPENDENCY, COMPLETED, SENTENCE]


TREE = items_of("a/A b/B c/C d/D e/E f/F g/G h/H i/I j/J")
#      a <- c -> d      c, e depend on f; f has g, h and j on its right; i depends on j
HEADS = [2, 2, 5, 2, 5, -1, 5, 5, 9, 5]


def picked(context: EdgeContext, *slots: str) -> list:
    content = (context[slot] for slot in slots)
    return [c[0] if isinstance(c, tuple) else c for c in content]


def test_the_slots_of_a_left_arc() -> None:
    """f takes c, the subtree a b c d, on its left."""
    by_section = look(TREE, HEADS, 4, goal=True)
    assert [section for section, _ in by_section] == [
        *(DEPENDENCY, COMPLETED, COMPLETED, SURFACE, SENTENCE),
    ]
    arc, m, root, surface, sentence = (context for _, context in by_section)
    assert picked(arc, "h", "m", "s", "s2", "m_l", "m_r") == ["f", "c", "e", None, "a", "d"]
    assert picked(arc, "h-1", "h+1", "m-1", "m+1") == ["e", None, None, "d"]
    assert picked(arc, "b", "size", "dir", "dist") == [{"D", "E"}, 6, 0, 3]
    assert picked(m, "h", "h_l", "h_r", "LVAL", "RVAL") == ["c", "a", "d", 2, 1]
    assert picked(root, "h", "h_l", "h_r", "LVAL", "RVAL") == ["f", "c", "j", 2, 3]
    assert picked(surface, "B-2", "B-1", "B", "B+1") == ["c", "d", "e", "f"]
    assert picked(sentence, *ARC_SLOTS[SENTENCE]) == ["a", "b", "c", "j", "i", "h"]


def test_the_slots_of_a_right_arc() -> None:
    """f, with g and h on its right, takes j, the subtree i j; nothing is on its left yet."""
    by_section = look(TREE[5:], [-1, 0, 0, 4, 0], 3)
    assert [section for section, _ in by_section] == [DEPENDENCY, COMPLETED, SURFACE]
    arc, m, surface = (context for _, context in by_section)
    assert picked(arc, "h", "m", "s", "s2", "m_l", "m_r") == ["f", "j", "h", "g", "i", None]
    assert picked(arc, "h-1", "h+1", "m-1", "m+1") == [None, "g", "i", None]
    assert picked(arc, "b", "size", "dir", "dist") == [{"G", "H", "I"}, 5, 1, -4]
    assert picked(m, "h", "h_l", "h_r", "LVAL", "RVAL") == ["j", "i", None, 1, 0]
    assert picked(surface, "B-2", "B-1", "B", "B+1") == ["g", "h", "i", "j"]


def test_neighbours_and_shortest_sentences() -> None:
    arc, _, _, surface, sentence = (c for _, c in look(TREE[:2], [-1, 0], 1, goal=True))
    assert picked(arc, "h", "m", "h+1", "m-1", "b", "dist") == ["a", "b", "b", "a", None, -1]
    assert picked(surface, "B-2", "B-1", "B", "B+1") == [None, "a", "b", None]
    assert picked(sentence, *ARC_SLOTS[SENTENCE]) == ["a", "b", None, "b", "a", None]


def test_one_feature_for_each_tag_between() -> None:
    items = items_of("x/V b/N c/A d/N e/A f/B g/N")
    lines = [line for line in shown(items, [-1, 0, 1, 2, 3, 4, 0], 6) if "POS(b)" in line]
    assert lines == [f"POS(h)·POS(m)·POS(b)·dir = V, N, {tag}, right" for tag in "ABN"]


def test_norm() -> None:
    """Table 2: 1, 2, 3, 4, 5, (5, 10], (10, 20], (20, 40], 40+."""
    assert [norm(n) for n in range(6)] == [0, 1, 2, 3, 4, 5]
    at_the_ends = {6: 6, 10: 6, 11: 7, 20: 7, 21: 8, 40: 8, 41: 9, 1000: 9}
    assert {n: norm(n) for n in at_the_ends} == at_the_ends


def test_long_edges() -> None:
    """Sizes, distances and valencies are all normalized; a distance keeps its sign."""
    items = items_of(" ".join(["w/T"] * 45))
    arc, completed = look(items, [44] * 44 + [-1], 1, goal=True)[::2][:2]
    assert picked(arc[1], "size", "dir", "dist") == [9, 0, 9]
    assert picked(completed[1], "LVAL", "RVAL") == [9, 0]
    lines = shown(items, [-1] + [0] * 44, 44)
    assert "POS(h)·NORM(size) = T, 41+" in lines and "POS(h)·dist = T, right 41+" in lines


def ngrams(values: Sequence[str], n: int) -> Counter:
    return Counter(zip(*(values[i:] for i in range(n))))


@pytest.mark.parametrize("seed", range(12))
def test_every_ngram_is_counted_once(seed: int) -> None:
    """Surface patterns: each bigram and trigram of a sentence, in whatever order it is built."""
    rng = random.Random(seed)
    n = rng.randint(1, 12)
    items = items_of(" ".join(f"w{rng.randrange(4)}/T{rng.randrange(3)}" for _ in range(n)))
    seen: dict[str, Counter] = {
        "WW": Counter(),
        "PP": Counter(),
        "WWW": Counter(),
        "PPP": Counter(),
    }
    for edge in edges_of(items, random_tree(rng, n)):
        for feature in (f for features in edge_features(TABLE_2, edge) for f in features):
            template = TABLE_2.templates[int(feature[0])]
            kinds = "".join(part[0] for part in template.name.split("·"))
            if template.section == SURFACE and kinds in seen:
                seen[kinds][feature[1:]] += 1
    words, tags = [item.word for item in items], [item.pos for item in items]
    assert seen == {k: ngrams(words if "W" in k else tags, len(k)) for k in seen}


@pytest.mark.parametrize("seed", range(6))
def test_every_word_is_completed_once(seed: int) -> None:
    rng = random.Random(seed)
    n = rng.randint(1, 12)
    items = items_of(" ".join(f"w{i}/T" for i in range(n)))
    heads = random_tree(rng, n)
    done = [c for edge in edges_of(items, heads) for section, c in edge if section == COMPLETED]
    assert sorted(picked(c, "h")[0] for c in done) == sorted(item.word for item in items)
    for c in done:
        at = int(picked(c, "h")[0][1:])
        below = [i for i, head in enumerate(heads) if head == at]
        left, right = [i for i in below if i < at], [i for i in below if i > at]
        assert picked(c, "LVAL", "RVAL") == [norm(len(left)), norm(len(right))]
        ends = [f"w{min(left)}" if left else None, f"w{max(right)}" if right else None]
        assert picked(c, "h_l", "h_r") == ends


def test_the_order_of_additions() -> None:
    weights: dict[Feature, float] = {(0, "a"): 0.1, (0, "b"): 0.2, (1, "a"): 0.3}
    groups: list[list[Feature]] = [[(0, "a")], [], [(0, "b"), (1, "a"), (1, "b")]]
    value = add_up(groups, lambda feature: weights.get(feature, 0.0))
    assert value == 0.1 + (0.2 + 0.3) != (0.1 + 0.2) + 0.3
    assert add_up([], weights.__getitem__) == 0.0


KEYS = EdgeKeys.of(TABLE_2, ["bought", "IBM", "Lotus", "é", "-END-", "b"], ["NNP", "VBD", "NN"])
CCG_KEYS = EdgeKeys.of(
    TABLE_1,
    ["bought", "IBM", "Lotus", "é"],
    ["NNP", "VBD"],
    ["S", "NP", r"S\NP", r"(S\NP)/NP"],
    [r"NP (S\NP) => S", r"((S\NP)/NP) NP => S\NP", r"NP => S/(S\NP)"],
)


@st.composite
def features(draw: st.DrawFn, keys: EdgeKeys = KEYS) -> Feature:
    """A feature of any template whose values all have numbers."""
    index = draw(st.integers(0, len(keys.templates) - 1))
    numbers = {"n": range(-9, 10), "s": (1, 2, 41, 1000, 2**SIZE_BITS - 1)}
    numbers |= {"w": keys.words, "p": keys.tags, "c": keys.categories, "r": keys.rules}
    atoms = keys.templates.templates[index].atoms
    return (index, *(draw(st.sampled_from(numbers[atom.attribute])) for atom in atoms))


@pytest.mark.parametrize("table", [KEYS, CCG_KEYS], ids=["dependency", "ccg"])
@given(st.data())
def test_keys_there_and_back(table: EdgeKeys, data: st.DataObject) -> None:
    some = data.draw(st.lists(features(table), min_size=1, max_size=20))
    keys = [table.key(feature) for feature in some]
    assert [table.feature(key) for key in keys if key is not None] == some
    assert len(set(keys)) == len(set(some))
    assert all(key is not None and 0 <= key < 2**KEY_BITS for key in keys)


def test_a_key_is_what_its_docstring_says() -> None:
    index = next(i for i, t in enumerate(TABLE_2.templates) if t.name == "WORD(h)·POS(h)·dist")
    assert KEYS.words == ("-END-", "IBM", "Lotus", "b", "bought", "é")
    assert (KEYS.word_ids["-END-"], KEYS.tag_ids["NN"]) == (2, 2)
    others = {"c": 2, "r": 2, "s": 11, "l": 2}  # of CCG; labels are in section 5.7
    assert (KEYS.template_bits, KEYS.bits) == (7, {"w": 4, "p": 3, "n": 5, **others})
    assert KEYS.shifts[index] == (7, 11, 14)
    assert KEYS.key((index, "bought", "VBD", -3)) == index | 6 << 7 | 4 << 11 | 7 << 14
    assert KEYS.key((index, "sold", "VBD", -3)) is KEYS.key((index, "bought", "JJ", 0)) is None
    assert EdgeKeys.of(TABLE_2, [*reversed(KEYS.words), "b"], KEYS.tags) == KEYS


def test_too_many_words() -> None:
    """The lexical arcs take two words, two tags and a number: 7 + 2 * 19 + 2 * 6 + 5 = 62 bits."""
    tags = [f"T{i}" for i in range(48)]
    assert EdgeKeys.of(TABLE_2, map(str, range(200_000)), tags).shifts[15][-1] < 63
    with pytest.raises(
        ValueError, match=r"WORD\(B-1\)·WORD\(B\)·WORD\(B\+1\) .* 64 bits.* 300,000"
    ):
        EdgeKeys.of(TABLE_2, map(str, range(300_000)), tags)


A, B, C = (0, "IBM", "NNP", 1), (1, "bought", 4), (2, "VBD", 4)


def learned() -> EdgeWeights:
    weights = EdgeWeights()
    weights.add(A, 0.5)
    weights.add(C, -0.1)
    weights.examples = 1
    weights.add(B, 0.25)
    weights.add(C, 0.1)
    weights.examples = 4
    return weights


def test_weights_add_up() -> None:
    weights = learned()
    assert [weights.get(f) for f in (A, B, C, (3, "x"))] == [0.5, 0.25, 0.0, 0.0]
    weights.add(A, 0.125)
    assert weights.get(A) == 0.625
    weights.add(A, -0.625)
    assert weights.rows[A] == [0.0, 4 * 0.125 - 4 * 0.625]


def test_averages_are_what_they_are_called() -> None:
    """The mean of the weights after each of the four examples; 0.1 - 0.1 leaves a history."""
    raw = learned().raw(KEYS)
    means = {A: 0.5, B: 0.75 * 0.25, C: -0.1 / 4}
    averaged = raw.averaged()
    assert {KEYS.feature(k): v for k, v in zip(averaged.keys, averaged.values)} == means
    last = raw.last()
    assert {KEYS.feature(k): v for k, v in zip(last.keys, last.values)} == {A: 0.5, B: 0.25}
    assert [last.get(KEYS.key(f)) for f in (A, B, C)] == [0.5, 0.25, 0.0]
    assert last.get(None) == last.get(2**62) == last.get(-1) == 0.0
    for packed in (averaged, last, RawEdgeWeights(raw.keys, raw.w, raw.u, 0).averaged()):
        packed.check()


def same(a: RawEdgeWeights, b: RawEdgeWeights) -> bool:
    arrays = zip(a.arrays().values(), b.arrays().values(), strict=True)
    return a.examples == b.examples and all(x.tobytes() == y.tobytes() for x, y in arrays)


@given(st.lists(st.tuples(features(), st.floats(-2, 2), st.booleans()), max_size=30))
def test_raw_there_and_back(changes: list[tuple[Feature, float, bool]]) -> None:
    weights = EdgeWeights()
    for feature, change, next_example in changes:
        weights.add(feature, change)
        weights.examples += next_example
    raw = weights.raw(KEYS)
    again = EdgeWeights.of_raw(raw, KEYS)
    assert again.examples == weights.examples and same(again.raw(KEYS), raw)
    assert again.rows == {feature: row for feature, row in weights.rows.items() if any(row)}
    assert all(a < b for a, b in pairwise(raw.keys.tolist()))
    raw.averaged().check()
    raw.last().check()


def test_what_has_no_number_is_refused() -> None:
    weights = EdgeWeights()
    weights.add((1, "sold", 4), 1.0)
    with pytest.raises(ValueError, match=r"'sold'.*without a number"):
        weights.raw(KEYS)


@pytest.mark.parametrize(
    ("keys", "values"),
    [
        ([1, 2], [1.0]),
        ([2, 1], [1.0, 1.0]),
        ([1, 1], [1.0, 1.0]),
        ([-1, 1], [1.0, 1.0]),
        ([1, 2], [1.0, 0.0]),
        ([1, 2], [1.0, np.inf]),
        ([1, 2], [1.0, np.nan]),
        ([1, 2], np.array([1, 2])),
        (np.array([1.0, 2.0]), [1.0, 2.0]),
        ([[1], [2]], [[1.0], [2.0]]),
    ],
)
def test_weights_that_do_not_fit(keys, values) -> None:
    with pytest.raises(ValueError, match=r"the array '(keys|values)'"):
        PackedEdgeWeights(np.array(keys), np.array(values)).check()


OF_2011 = load_ccg_templates("zhang_clark_2011_table_1")
BOTH = [OF_2011, TABLE_1]


def search(problem: OrderingProblem, templates: EdgeTemplates = TABLE_1) -> BestFirstCCG:
    """All edges of a bag by the small English grammar; weights are zero."""
    settings = SearchSettings(0, k=EVERYTHING, signature="none")
    rules = rules_of(ENGLISH)
    found = BestFirstCCG(problem, templates, lambda _feature: 0.0, settings, rules=rules)
    found.run()
    return found


@cache
def ibm(templates: EdgeTemplates) -> tuple[BestFirstCCG, dict[str, Edge]]:
    """The search on the bag of Figure 2, and the five edges of its derivation by their words."""
    bag = wl.WordBag(["IBM", "bought", "Lotus"], ["NNP", "VBD", "NNP"])
    lexicon = {"IBM": ["NP"], "bought": [r"(S\NP)/NP"], "Lotus": ["NP"]}
    found = search(problem_of(bag, lexicon), templates)
    (goal,) = [
        goal
        for goal in found.goals
        if [found.problem.items[i].form for i in goal.items] == ["IBM", "bought", "Lotus"]
        and goal.action == "< HeadRight"
    ]
    words = [
        " ".join(found.problem.items[i].form for i in part.items) for part in goal.post_order()
    ]
    return found, dict(zip(words, goal.post_order(), strict=True))


def shown_of(templates: EdgeTemplates, words: str) -> list[str]:
    found, edges = ibm(templates)
    return [found.show(feature) for feature in found.features(edges[words])]


S = "IBM bought Lotus"
PRINTED = [
    ("category + size", "S, 3", S),
    ("category + head word", r"S\NP, bought", "bought Lotus"),
    ("category + size + head word", "NP, 1, Lotus", "Lotus"),
    ("category + head POS", r"S\NP, VBD", "bought Lotus"),
    ("category + leftmost word", "S, IBM", S),
    ("category + rightmost word", r"S\NP, Lotus", "bought Lotus"),
    ("category + leftmost POS bigram", "S, NNP, VBD", S),
    ("category + rightmost POS bigram", "S, VBD, NNP", S),
    ("category + lmost POS + rmost POS", "S, NNP, NNP", S),
    ("the binary rule", r"NP (S\NP) => S", S),
    ("the binary rule + head word", r"NP (S\NP) => S, bought", S),
    ("rule + head word + non-head word", r"NP (S\NP) => S, bought, IBM", S),
    ("bigrams resulting from combination", "IBM, bought", S),
    ("POS bigrams resulting from combination", "NNP, VBD", S),
    ("word trigrams resulting from combination", "IBM, bought, Lotus", S),
    ("POS trigrams resulting from combination", "NNP, VBD, NNP", S),
    (TRIGRAMS, r"NP, (S\NP)/NP, NP", S),
    ("resulting word + POS bigrams", "IBM, VBD", S),
    ("resulting POS + word bigrams", "VBD, Lotus", "bought Lotus"),
    ("resulting POS + word + POS trigrams", "NNP, bought, NNP", S),
]
"""Table 1 of 2015: template, instance, and the edge in which it is."""


@pytest.mark.parametrize(("name", "instance", "words"), PRINTED)
def test_the_printed_instances(name: str, instance: str, words: str) -> None:
    """In both files; that of 2011 has no column of instances, and shortens some names."""
    assert f"{name} = {instance}" in shown_of(TABLE_1, words)
    assert instance in [line.split(" = ")[1] for line in shown_of(OF_2011, words)]


def test_all_printed_templates_but_the_unary_ones_have_an_instance() -> None:
    names = list(dict.fromkeys(template.name for template in TABLE_1.templates))
    assert [name for name, _, _ in PRINTED] == names[:-2]
    assert names[-2:] == ["unary rule", "unary rule + head word"]


def test_nothing_else_is_seen() -> None:
    """S has its 19 printed instances' templates once; its parts only what they have themselves."""
    lines = shown_of(TABLE_1, S)
    assert len(lines) == 20 and len({line.split(" = ")[0] for line in lines}) == 20
    assert (
        len(shown_of(TABLE_1, "bought Lotus")) == 4 + 5 + 3 + 4
    )  # no trigram crosses its boundary
    assert shown_of(TABLE_1, "Lotus") == [
        *("category + size = NP, 1", "category + head word = NP, Lotus"),
        *("category + size + head word = NP, 1, Lotus", "category + head POS = NP, NNP"),
    ]


def test_a_unary_edge() -> None:
    found, edges = ibm(TABLE_1)
    (raised,) = found.expand(edges["IBM"])[:1]
    lines = [found.show(feature) for feature in found.features(raised)]
    assert lines == [
        *(r"category + size = S/(S\NP), 1", r"category + head word = S/(S\NP), IBM"),
        r"category + size + head word = S/(S\NP), 1, IBM",
        *(r"category + head POS = S/(S\NP), NNP", r"unary rule = NP => S/(S\NP)"),
        r"unary rule + head word = NP => S/(S\NP), IBM",
    ]


def test_sizes_are_whole_numbers() -> None:
    """No bins, other than in Table 2; a phrase that is kept whole counts as one word."""
    words = ["the old"] * 12
    problem = problem_of(wl.WordBag(words), {"the old": ["X"]})
    rules = rules_of([("X", ("X", "X"), 0)])
    settings = SearchSettings(20, signature="2015")
    one = BestFirstCCG(problem, TABLE_1, lambda _feature: 0.0, settings, rules=rules)
    one.run()
    lines = [one.show(feature) for feature in one.features(one.goals[0])]
    assert "category + size = X, 12" in lines
    assert "category + leftmost word = X, old" in lines  # the last word stands for it


def test_both_tables_say_the_same() -> None:
    assert ccg_template_files() == ["zhang_clark_2011_table_1", "zhang_clark_2015_table_1"]
    old, new = [
        [(template.section, template.atoms) for template in table.templates] for table in BOTH
    ]
    assert old == new and OF_2011.groups == TABLE_1.groups and OF_2011.first == TABLE_1.first


def test_the_printed_number_of_templates_of_table_1() -> None:
    """22 templates; four of them, the trigrams, are read in two ways each."""
    counted = Counter(template.section for template in TABLE_1.templates)
    assert list(counted) == list(CCG_SECTIONS) and list(counted.values()) == [4, 5, 11 + 4, 2]
    assert len(set(TABLE_1.first)) == 22 and len(TABLE_1) == 26
    grouped = sorted(i for group in TABLE_1.groups for i in group.templates)
    assert grouped == list(range(26))


def test_the_same_features_as_the_oracle_s() -> None:
    """Every edge that the dictionary of some sentences allows in a few steps, phrases and all."""
    texts = ["the dogs saw cats", "dogs and the cats", "the old saw dogs"]
    lexicon = {"the": ["NP/N"], "dogs": ["N", "NP"], "and": ["conj"], "cats": ["N"]}
    lexicon |= {"saw": [r"(S\NP)/NP", "N"], "the old": ["NP", "N"]}
    kinds: Counter[str] = Counter()
    for text in texts:
        units = text.replace("the old", "the_old").split()
        bag = wl.WordBag([unit.replace("_", " ") for unit in units])
        found = search(problem_of(bag, lexicon, ["T", "U"]))
        for edge in (part for goal in found.goals for part in goal.post_order()):
            named = [(TABLE_1.templates[int(i)].name, *rest) for i, *rest in found.features(edge)]
            assert Counter(named) == Counter(table_1(derivation_of(edge, found.problem.items)))
            kinds[f"{len(edge.parts)} parts"] += 1
    assert min(kinds.values()) > 50 and len(kinds) == 3, kinds


def test_short_names_and_long_ones() -> None:
    short = parse_ccg_templates(
        "size > 1\nconsti. + lmost POS;\nbinary edges\nPOS bigrams resulting from combi.\n"
        "Groups\n#words > 1\ncategory 0;\nbinary edges\nB-1 B"
    )
    assert [template.name for template in short.templates] == [
        *("consti. + lmost POS", "POS bigrams resulting from combi."),
    ]
    assert parse_ccg_templates("").groups == ()


def test_what_has_no_number_has_no_key() -> None:
    index = {template.name: i for i, template in reversed([*enumerate(TABLE_1.templates)])}
    known = (index["category + head word"], "NP", "IBM")
    assert CCG_KEYS.key(known) is not None
    assert CCG_KEYS.key((known[0], "PP", "IBM")) is CCG_KEYS.key((known[0], "NP", "Sun")) is None
    rule = index["unary rule"]
    assert CCG_KEYS.key((rule, "N => NP")) is None
    assert CCG_KEYS.feature(CCG_KEYS.key((rule, CCG_KEYS.rules[0])) or 0) == (
        rule,
        CCG_KEYS.rules[0],
    )


def test_too_much_for_a_key() -> None:
    """425 categories and 3,070 rules, as CCGbank has them, with many more words than it has."""
    names = [f"X{i}" for i in range(3070)]
    parts = names[:48], names[:425], names
    EdgeKeys.of(TABLE_1, map(str, range(200_000)), *parts)
    with pytest.raises(ValueError, match=r"word trigrams .* 65 bits; 63 are the most: 600,000"):
        EdgeKeys.of(TABLE_1, map(str, range(600_000)), *parts)
