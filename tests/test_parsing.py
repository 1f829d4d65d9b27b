"""The parser: grammars read off trees, CKY against enumeration, both engines event by event."""

from __future__ import annotations

import random
from collections.abc import Iterator
from math import inf, isclose
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from nltk.tree import Tree

import wordorder_lab as wl
from wordorder_lab.models.word_classes import shape
from wordorder_lab.parsing.annotation import annotate, label_of, leaves_of
from wordorder_lab.parsing.binarise import every_step
from wordorder_lab.parsing.chart import SERIAL, tree_of
from wordorder_lab.parsing.cky import ReferenceParser
from wordorder_lab.parsing.cky_fast import FastParser
from wordorder_lab.parsing.escapes import escaped
from wordorder_lab.parsing.grammar import TreebankGrammar, chains_of, grammar_of
from wordorder_lab.systems.parser import LONGEST, TreebankParser, default_parser, in_brackets

OWN = [
    "(S (NP-SBJ (DT the) (JJ old) (NN robin)) (VP (VBZ sings)) (. .))",
    "(S (NP-SBJ (NP (DT a) (NN clock)) (PP (IN in) (NP (NN rain)))) (VP (VBZ stops)) (. .))",
    "(S (NP-SBJ (PRP it)) (VP (VBZ is) (VP (VBG raining) (NP-TMP (NN today)))) (. .))",
    "(S (NP-SBJ-1 (NNS robins)) (VP (VBP want) (S (NP (-NONE- *-1)) (VP (TO to) (VP (VB sing))))))",
    "(NP (NP (DT the) (NN clock) (POS 's)) (NN hand))",
    "(S (VP (VB sing) (PRT (RP on)) (, ,) (NP (NN robin))) (. !))",
]


@pytest.fixture(scope="module")
def own() -> TreebankParser:
    return wl.train("parser", [Tree.fromstring(one) for one in OWN])


def test_symbols_have_parents_and_splits() -> None:
    tree = Tree.fromstring("(ROOT (S (NP-TMP (NN today)) (VP (VBZ is) (VP (VBG raining)))))")
    node = annotate(tree)
    symbols = [node.symbol, *(child.symbol for child in node.children)]
    assert symbols == ["S^TOP", "NP~tmp~base^S", "VP~fin^S"]
    assert [leaf.symbol for leaf in leaves_of(node)] == ["NN^NP", "VBZ~be^VP", "VBG^VP"]
    plain = annotate(tree, vertical=1, splits=False)
    assert [leaf.symbol for leaf in leaves_of(plain)] == ["NN", "VBZ", "VBG"]
    assert annotate(tree, vertical=3).children[0].children[0].symbol == "NN^NP^S"


def test_rules_are_made_from_the_head_outwards() -> None:
    tree = Tree.fromstring("(VP (RB now) (VBD gave) (NP (NN rain)) (PP (IN to) (NP (NN us))))")
    node = annotate(tree, vertical=1, splits=False)
    assert list(every_step(node, 1))[:3] == [
        ("@VP>NP", ("VBD", "NP")),
        ("@VP>PP", ("@VP>NP", "PP")),
        ("VP", ("RB", "@VP>PP")),
    ]
    assert next(every_step(node, 2)) == ("@VP>VBD_NP", ("VBD", "NP"))
    assert next(every_step(node, 0)) == ("@VP>", ("VBD", "NP"))


def test_a_chain_is_the_best_way_and_goes_round_no_circle() -> None:
    # 0 -> 1 directly, or 0 -> 2 -> 1, which is better; and 1 -> 0 closes a circle.
    chains = chains_of([0, 2, 0, 1], [1, 1, 2, 0], [-3.0, -1.0, -1.0, -0.5])
    scores = dict(zip(zip(chains.uppers.tolist(), chains.lowers.tolist()), chains.scores.tolist()))
    assert scores == {(0, 1): -2.0, (2, 1): -1.0, (0, 2): -1.0, (1, 2): -1.5, (1, 0): -0.5} | {
        (2, 0): -1.5
    }
    assert chains.path(0, 1) == [0, 2, 1]
    assert chains.path(2, 0) == [2, 1, 0]


@pytest.mark.parametrize(("horizontal", "vertical"), [(0, 1), (1, 2), (2, 3), (9, 9)])
def test_a_sentence_of_one_tree_gets_this_tree(horizontal: int, vertical: int) -> None:
    for text in OWN[:3]:
        tree = Tree.fromstring(text)
        model = wl.train("parser", [tree], horizontal=horizontal, vertical=vertical)
        parse = model.parse(tree.leaves())
        bare = [label_of(node.label()).partition("-")[0] for node in tree.subtrees()]
        assert [node.label() for node in parse.tree.subtrees()] == bare
        assert parse.tree.leaves() == tree.leaves() and not parse.fallback


WORDS = "abc"


def random_tree(chance: random.Random, words: int, depth: int = 0) -> Tree:
    """A tree over some words; labels and tags are few, so that much is ambiguous."""
    if words == 1 and (depth > 3 or chance.random() < 0.5):
        return Tree(chance.choice("TU"), [chance.choice(WORDS)])
    parts = [1] * words
    while len(parts) > 1 and (len(parts) > 3 or chance.random() < 0.5):
        place = chance.randrange(len(parts) - 1)
        if len(parts) == 2 and depth > 3:
            break
        parts[place : place + 2] = [parts[place] + parts[place + 1]]
    return Tree(chance.choice("XYZ"), [random_tree(chance, one, depth + 1) for one in parts])


def random_grammar(seed: int) -> tuple[TreebankGrammar, random.Random]:
    chance = random.Random(seed)
    trees = [random_tree(chance, chance.randint(1, 5)) for _ in range(6)]
    nodes = [annotate(tree, chance.randint(1, 2), False) for tree in trees]
    return grammar_of(nodes, chance.randint(0, 2)), chance


def random_leaves(
    grammar: TreebankGrammar, chance: random.Random, words: int
) -> list[list[tuple[int, float]]]:
    tags = [i for i, one in enumerate(grammar.symbols) if label_of(one) in "TU"]
    # Scores from few values, so that there are ties.
    return [[(tag, -chance.randint(0, 3) / 2) for tag in tags] for _ in range(words)]


def enumerated(grammar: TreebankGrammar, leaves: list[list[tuple[int, float]]]) -> Iterator[float]:
    """The score of every derivation whose unary rules go round no circle, one by one."""
    columns = (grammar.lefts, grammar.rights, grammar.parents, grammar.scores)
    binary = list(zip(*(column.tolist() for column in columns)))
    others = (grammar.uppers, grammar.lowers, grammar.unary_scores)
    unary = list(zip(*(column.tolist() for column in others)))

    def derivations(symbol: int, start: int, end: int, over: frozenset[int]) -> Iterator[float]:
        if end == start + 1:
            yield from (score for tag, score in leaves[start] if tag == symbol)
        for left, right, parent, score in binary:
            if parent == symbol:
                for middle in range(start + 1, end):
                    for one in derivations(left, start, middle, frozenset()):
                        for other in derivations(right, middle, end, frozenset()):
                            yield one + other + score
        for upper, lower, score in unary:
            if upper == symbol and lower not in over | {symbol}:
                for one in derivations(lower, start, end, over | {symbol}):
                    yield one + score

    for top, score in zip(grammar.tops.tolist(), grammar.top_scores.tolist()):
        for one in derivations(top, 0, len(leaves), frozenset()):
            yield one + score


@pytest.mark.parametrize("seed", range(30))
def test_the_best_tree_is_the_best_of_all(seed: int) -> None:
    grammar, chance = random_grammar(seed)
    leaves = random_leaves(grammar, chance, chance.randint(1, 3))
    best = max(enumerated(grammar, leaves), default=None)
    for parser in (ReferenceParser(grammar), FastParser(grammar)):
        chart = parser.parse(leaves, inf)
        assert (chart.goal >= 0) == (best is not None)
        if best is not None:
            assert isclose(chart.score, best, abs_tol=1e-9)
            words = [WORDS[0]] * len(leaves)
            assert tree_of(chart, grammar, chart.goal, words).leaves() == words


@given(st.integers(0, 10**6), st.integers(1, 9), st.sampled_from([0.5, 2.0, 5.0, inf]))
@settings(max_examples=80, deadline=None)
def test_both_engines_fill_the_same_chart_event_by_event(
    seed: int, words: int, beam: float
) -> None:
    grammar, chance = random_grammar(seed)
    leaves = random_leaves(grammar, chance, words)
    log, other_log = wl.EventLog(), wl.EventLog()
    reference = ReferenceParser(grammar).parse(leaves, beam, log)
    fast = FastParser(grammar).parse(leaves, beam, other_log)
    assert list(log) == list(other_log)
    for name, column in vars(reference).items():
        assert np.array_equal(column, vars(fast)[name]), name
    serials = [event[1] for event in log if event[0] == "constituent"]
    assert serials == list(range(1, len(serials) + 1))
    cut = {event[1] for event in log if event[0] == "out_of_beam"}
    assert set(serials) - cut == set(reference.items[:, SERIAL].tolist())


def test_a_chart_that_would_not_fit_is_refused() -> None:
    grammar, chance = random_grammar(1)
    leaves = random_leaves(grammar, chance, 6)
    size = len(FastParser(grammar).parse(leaves, inf).scores)
    for parser in (ReferenceParser(grammar), FastParser(grammar)):
        assert len(parser.parse(leaves, inf, most=size).scores) == size
        with pytest.raises(ValueError, match="take a smaller beam"):
            parser.parse(leaves, inf, most=size - 1)


SOME = st.sampled_from(
    [
        *("the", "old", "robin", "sings", "clock", "rain", "is", "Today"),
        *("(", ")", '"', "'s", "x-ray", "1990", ","),
    ]
)


@given(st.lists(SOME, min_size=1, max_size=8), st.randoms(use_true_random=False))
@settings(max_examples=60, deadline=None)
def test_every_sentence_gets_a_tree_over_its_words_and_tags(
    own: TreebankParser, words: list[str], chance: random.Random
) -> None:
    tags = [chance.choice([None, None, "NN", "VBZ", "HYPH"]) for _ in words]
    log, other_log = wl.EventLog(), wl.EventLog()
    parse = own.parse(words, tags, trace=log)
    assert parse.tree.leaves() == words
    assert tuple(tag for _, tag in parse.tree.pos()) == parse.tags
    assert all(tag in (None, got) for tag, got in zip(tags, parse.tags))
    assert own.parse(words, tags, engine="reference", trace=other_log) == parse
    assert list(log) == list(other_log)
    kind, serial, score, brackets, fallback = list(log)[-1]
    assert (kind, score, fallback) == ("parsed", parse.score, int(parse.fallback))
    assert (serial == 0) == parse.fallback and brackets == in_brackets(parse.tree)


def test_what_the_grammar_has_no_tree_for_is_put_together_of_few_pieces(
    own: TreebankParser,
) -> None:
    parse = own.parse("the old robin the clock", ["DT", "JJ", "NN", "DT", "NN"])
    assert parse.fallback
    assert [child.label() for child in parse.tree] == ["NP", "NP"]
    assert not own.parse("the old robin sings .").fallback


def test_what_cannot_be_parsed_is_refused_by_name(own: TreebankParser) -> None:
    with pytest.raises(ValueError, match="no word to parse"):
        own.parse("  ")
    with pytest.raises(ValueError, match=r"201 words, from 'rain rain rain' on: 200 are the most"):
        own.parse(["rain"] * (LONGEST + 1))
    with pytest.raises(ValueError, match="2 words but 1 tags"):
        own.parse("rain stops", ["NN"])
    with pytest.raises(ValueError, match="word 2 of 2 is 'New York': a word is text"):
        own.parse(["in", "New York"])
    for word in ("a\nb", "a\u00a0b", 3, None, ""):
        with pytest.raises(ValueError, match="word 1 of 2"):
            own.parse([word, "stops"])  # type: ignore[list-item]
    for tag in ("N N", 3, "", ["NN"]):
        with pytest.raises(ValueError, match="tag 2 of 2"):
            own.parse("rain stops", [None, tag])  # type: ignore[list-item]
    assert own.parse(["rain"] * LONGEST).tree.leaves() == ["rain"] * LONGEST


def test_unknown_words_are_told_by_what_they_look_like(own: TreebankParser) -> None:
    assert own.parse("the old zigzag sings .").tags == ("DT", "JJ", "NN", "VBZ", ".")
    assert own.parse("The old robin sings .").tags[0] == "DT"  # known without its capital
    assert shape("Xyzly", first=True) == "Initial-ly" and shape("1990s") == "number-letters-s"


def test_signs_are_written_as_the_treebank_writes_them() -> None:
    assert escaped(["(", "]", '"', "x", '"', "\u201d", "-"]) == [
        *("-LRB-", "-RRB-", "``", "x", "''", "''", "--")
    ]


def test_a_parser_has_a_checksum(own: TreebankParser, tmp_path: Path) -> None:
    own.save(tmp_path / "own.wol")
    assert wl.load_model(tmp_path / "own.wol").checksum == own.checksum
    other = wl.train("parser", [Tree.fromstring(one) for one in OWN[:3]])
    assert other.checksum != own.checksum


def test_the_default_parser_is_that_of_the_trees_that_are_here(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "nltk_data" / "corpora" / "treebank" / "combined"
    folder.mkdir(parents=True)
    for number in range(1, 200):
        (folder / f"wsj_{number:04}.mrg").write_text(OWN[0] + "\n")
    monkeypatch.setenv("WORDORDER_LAB_DATA", str(tmp_path))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    made = default_parser.__wrapped__  # without what this process remembers
    first = made()
    assert made().checksum == first.checksum
    assert len(list((tmp_path / "cache").rglob("*.wol"))) == 1
    (folder / "wsj_0199.mrg").write_text(OWN[1] + "\n")
    assert made().checksum != first.checksum


@pytest.mark.corpus
def test_brackets_on_the_penn_sample() -> None:
    from wordorder_lab.experiments.runs.parse_evaluate import evaluate_parser

    trees = wl.load_treebank("ptb-sample")
    model = wl.train("parser", trees.train)
    scores = evaluate_parser(model, trees.dev)
    assert scores.sentences == 233
    assert scores.tags_given.f1 >= 0.75 and scores.tags_guessed.f1 >= 0.72
    assert scores.tags_given.tag_accuracy == 1.0 and scores.tags_guessed.tag_accuracy > 0.95
    assert scores.fallbacks_given + scores.fallbacks_guessed <= 3
    short = [one.tree.pos() for one in trees.dev if 7 < len(one.tree.leaves()) < 12][:3]
    for pairs in short:
        words = [word for word, tag in pairs if tag != "-NONE-"]
        assert model.parse(words) == model.parse(words, engine="reference")
