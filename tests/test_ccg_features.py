r"""Table 1 of Zhang & Clark 2011 and 2015: its templates, what they see in an edge, their keys.

Figure 2 is an image. Its derivation follows from the instances of Table 1: IBM and Lotus are NPs,
bought is (S\NP)/NP; "bought Lotus" is S\NP, headed by "bought", and the whole is an S.
"""

from __future__ import annotations

from collections import Counter
from functools import cache

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
from hypothesis import given
from hypothesis import strategies as st

import wordorder_lab as wl
from wordorder_lab.best_first.ccg import BestFirstCCG
from wordorder_lab.best_first.edge import Edge
from wordorder_lab.best_first.keys import KEY_BITS, SIZE_BITS, EdgeKeys
from wordorder_lab.best_first.output import derivation_of
from wordorder_lab.best_first.settings import SearchSettings
from wordorder_lab.best_first.templates import (
    CCG_SECTIONS,
    EdgeTemplates,
    ccg_template_files,
    load_ccg_templates,
    parse_ccg_templates,
)
from wordorder_lab.structures.problem import OrderingProblem
from wordorder_lab.structures.templates import Feature, Value

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


def shown(templates: EdgeTemplates, words: str) -> list[str]:
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
    assert f"{name} = {instance}" in shown(TABLE_1, words)
    assert instance in [line.split(" = ")[1] for line in shown(OF_2011, words)]


def test_all_printed_templates_but_the_unary_ones_have_an_instance() -> None:
    names = list(dict.fromkeys(template.name for template in TABLE_1.templates))
    assert [name for name, _, _ in PRINTED] == names[:-2]
    assert names[-2:] == ["unary rule", "unary rule + head word"]


def test_nothing_else_is_seen() -> None:
    """S has its 19 printed instances' templates once; its parts only what they have themselves."""
    lines = shown(TABLE_1, S)
    assert len(lines) == 20 and len({line.split(" = ")[0] for line in lines}) == 20
    assert len(shown(TABLE_1, "bought Lotus")) == 4 + 5 + 3 + 4  # no trigram crosses its boundary
    assert shown(TABLE_1, "Lotus") == [
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


def test_the_printed_number_of_templates() -> None:
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


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("all edges\ncategory + colour", r"mine, line 2: .*all edges know no 'colour'"),
        ("# one\ncategory + size", "mine, line 2: .*has no section above it"),
        ("all edges\nunary rule", "line 2: .*all edges know no 'unary rule'"),
        (
            "unary edges\nbigrams resulting from combination",
            "line 2: .*unary edges know no 'bigrams resulting from combination'",
        ),
        ("all edges\ncategory + size;\n\nconstituent + size", r"line 4: .*is there twice"),
        (
            "all edges\ncategory + size\nGroups\nall edges\nsize",
            "mine: no group.*category \\+ size",
        ),
        ("all edges\ncategory\nGroups\nall edges\nB-1 B", "line 5: .*all edges know no slot 'B-1'"),
        (
            "binary edges\nrule\nGroups\nbinary edges\nrule head nonhead B-2 B-1 B",
            "line 5: .*6 slots; 5 are the most",
        ),
    ],
)
def test_bad_files(text: str, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        parse_ccg_templates(text, "mine")


def test_an_unknown_file_is_named() -> None:
    with pytest.raises(ValueError, match="'table_9'; there are zhang_clark_2011_table_1, zhang"):
        load_ccg_templates("table_9")


def test_short_names_and_long_ones() -> None:
    short = parse_ccg_templates(
        "size > 1\nconsti. + lmost POS;\nbinary edges\nPOS bigrams resulting from combi.\n"
        "Groups\n#words > 1\ncategory 0;\nbinary edges\nB-1 B"
    )
    assert [template.name for template in short.templates] == [
        *("consti. + lmost POS", "POS bigrams resulting from combi."),
    ]
    assert parse_ccg_templates("").groups == ()


KEYS = EdgeKeys.of(
    TABLE_1,
    ["bought", "IBM", "Lotus", "é"],
    ["NNP", "VBD"],
    ["S", "NP", r"S\NP", r"(S\NP)/NP"],
    [r"NP (S\NP) => S", r"((S\NP)/NP) NP => S\NP", r"NP => S/(S\NP)"],
)
VALUES: dict[str, tuple[Value, ...]] = {
    "w": KEYS.words,
    "p": KEYS.tags,
    "c": KEYS.categories,
    "r": KEYS.rules,
    "s": (1, 2, 41, 1000, 2**SIZE_BITS - 1),
}


@st.composite
def features(draw: st.DrawFn) -> Feature:
    index = draw(st.integers(0, len(TABLE_1) - 1))
    atoms = TABLE_1.templates[index].atoms
    return (index, *(draw(st.sampled_from(VALUES[atom.attribute])) for atom in atoms))


@given(st.lists(features(), min_size=1, max_size=20))
def test_keys_there_and_back(some: list[Feature]) -> None:
    keys = [KEYS.key(feature) for feature in some]
    assert [KEYS.feature(key) for key in keys if key is not None] == some
    assert len(set(keys)) == len(set(some))
    assert all(key is not None and 0 <= key < 2**KEY_BITS for key in keys)


def test_what_has_no_number_has_no_key() -> None:
    index = {template.name: i for i, template in reversed([*enumerate(TABLE_1.templates)])}
    known = (index["category + head word"], "NP", "IBM")
    assert KEYS.key(known) is not None
    assert KEYS.key((known[0], "PP", "IBM")) is KEYS.key((known[0], "NP", "Sun")) is None
    rule = index["unary rule"]
    assert KEYS.key((rule, "N => NP")) is None
    assert KEYS.feature(KEYS.key((rule, KEYS.rules[0])) or 0) == (rule, KEYS.rules[0])


def test_too_much_for_a_key() -> None:
    """425 categories and 3,070 rules, as CCGbank has them, with many more words than it has."""
    names = [f"X{i}" for i in range(3070)]
    parts = names[:48], names[:425], names
    EdgeKeys.of(TABLE_1, map(str, range(200_000)), *parts)
    with pytest.raises(ValueError, match=r"word trigrams .* 65 bits; 63 are the most: 600,000"):
        EdgeKeys.of(TABLE_1, map(str, range(600_000)), *parts)
