"""How compressions are scored (Cohn & Lapata 2009, sections 5.3 and 6): by hand, and by laws."""

from __future__ import annotations

import json
import random
import sys
from collections import Counter
from dataclasses import replace
from types import FrameType

import pytest
from house_rules import ROOT
from hypothesis import given
from hypothesis import strategies as st
from nltk.tree import Tree

from wordorder_lab.corpora.readers.penn import read_tree_file, tokens_of
from wordorder_lab.metrics.bag_f1 import Shared, score_bags
from wordorder_lab.metrics.compression import (
    compression_rate,
    corpus_ngram_f1,
    gold_rate,
    mean_rate,
    ngram_f1,
    score_compressions,
)
from wordorder_lab.metrics.compression_floors import first_clause, keep_all, random_deletion
from wordorder_lab.metrics.relations import (
    relation_f1,
    relations,
    score_reparsed,
    wilcoxon_relation_f1,
)
from wordorder_lab.structures.compression import CompressionPair
from wordorder_lab.structures.phrase_tree import pruned

FIGURE_1_SOURCE = Tree.fromstring(
    "(S (SBAR (WHNP (RB exactly) (WP what)) (S (NP (NNS records)) (VP (VBD made) (NP (PRP it)))))"
    " (CC and) (SBAR (WHNP (WP which)) (S (NP (NNS ones)) (VP (VBP are) (VP (VBN involved))))))"
)
FIGURE_1_TARGET = Tree.fromstring(
    "(S (WHNP (WP what)) (S (NP (NNS records)) (VP (VBP are) (VP (VBN involved)))))"
)
TABLE_1_OUTPUT = Tree.fromstring(
    "(S (WHNP (WP what)) (S (NP (NNS ones)) (VP (VBP are) (VBN involved))))"
)
TABLE_1_FLAT = Tree.fromstring(
    "(S (WHNP (WP what)) (S (NP (NNS records)) (VP (VBP are) (VBN involved))))"
)
"""The reference as Table 1 must have meant it: its CFG loss needs both verb phrases flat."""
FIGURE_1 = CompressionPair(
    FIGURE_1_SOURCE, (FIGURE_1_TARGET,), ((1, 0), (2, 1), (8, 2), (9, 3)), "figure 1"
)


def pairs_of(text: str) -> Counter[tuple[str, ...]]:
    """``-are`` is the root relation."""
    return Counter(tuple(pair.split("-")) for pair in text.split())


def test_the_relations_of_figure_1() -> None:
    """In SBAR the head is WHNP: "which" is the head of the source, "are" of the target."""
    assert relations(FIGURE_1_TARGET) == pairs_of("are-what are-records are-involved -are")
    assert relations(FIGURE_1_SOURCE) == pairs_of(
        "what-exactly what-made made-records made-it which-what which-and "
        "which-are are-ones are-involved -which"
    )
    assert relations(FIGURE_1_TARGET, labelled=True) == Counter(
        {
            ("are", "what", "WHNP", "S"): 1,
            ("are", "records", "NP", "S"): 1,
            ("are", "involved", "VP", "VP"): 1,
            ("", "are", "S", ""): 1,
        }
    )
    assert relations(FIGURE_1_TARGET, root=False).total() == 3


def test_the_scores_of_figure_1() -> None:
    """Keeping all words finds all the words, but of the relations only are-involved."""
    kept = relation_f1([keep_all(FIGURE_1)], [FIGURE_1_TARGET])
    assert (kept.precision, kept.recall, kept.f1) == (1 / 10, 1 / 4, 2 / 14)
    assert kept.total == (1, 10, 4)
    # Nested, are-involved; flat, involved-are: the table prefers VBN to VBP. Nothing is left.
    assert relation_f1([TABLE_1_OUTPUT], [FIGURE_1_TARGET]).f1 == 0
    assert relation_f1([TABLE_1_OUTPUT], [TABLE_1_FLAT]).f1 == 3 / 4
    scores = score_compressions([FIGURE_1_SOURCE], [FIGURE_1])
    assert (scores.rate, scores.gold_rate, scores.relation_f1) == (1, 4 / 10, 2 / 14)
    assert scores.unigram_f1 == 8 / 14  # all 4 words of 10
    assert scores.bigram_f1 == 4 / 12  # what records, are involved
    assert (scores.trigram_f1, scores.fourgram_f1, scores.exact_match) == (0, 0, 0)


def test_labels_and_punctuation() -> None:
    tree = Tree.fromstring(
        "(S (NP-SBJ (NNP Rain)) (, ,) (ADVP=2 (RB again)) (VP (VBD fell)) (. .))"
    )
    assert relations(tree) == pairs_of("fell-Rain fell-again -fell")
    assert relations(tree, punctuation=True) == pairs_of("fell-Rain fell-again fell-, fell-. -fell")
    assert ("fell", "Rain", "NP", "S") in relations(tree, labelled=True)
    twice = Tree.fromstring("(NP (DT the) (NN dog) (DT the))")
    assert relations(twice)["dog", "the"] == 2
    other = Tree.fromstring("(VP (VBD fell) (NP (NNP Rain)))")  # no S: not a subject any more
    assert relation_f1([other], [tree]).total == (2, 2, 3)
    assert relation_f1([other], [tree], labelled=True).total == (0, 2, 3)


def test_ngrams_by_hand() -> None:
    out = ["the", "the", "dog", "barked"]
    gold = ["the", "dog", "barked", "at", "the", "cat"]
    assert [ngram_f1(out, gold, n) for n in (1, 2, 3, 4)] == [8 / 10, 4 / 8, 2 / 6, 0]
    assert ngram_f1(["the"] * 3, ["the"], 1) == 2 / 4  # clipped: one of three is right
    assert ngram_f1(["it", "rains"], ["it", "rains"], 4) == 1  # too short for four: it counts whole
    assert ngram_f1(["it", "rains"], ["it", "snows"], 4) == 0
    # Counts are added up: (2 + 0) right of (2 + 4) made and (2 + 2) asked for.
    score = corpus_ngram_f1([["it", "rains"], list("abcd")], [[["rains", "it"]], [["x", "y"]]], 1)
    assert (score.f1, score.mean_f1, score.by_sentence) == (4 / 10, 1 / 2, (1, 0))


def test_several_references() -> None:
    made, near, far = Counter("abcd"), Counter("abc"), Counter("axyz")
    mean = score_bags([made, made], [[near, far], [near]])
    # The first sentence counts (3+1, 4+4, 3+4), the second twice (3, 4, 3): as much as the first.
    assert mean.rows == (Shared(4, 8, 7), Shared(6, 8, 6))
    assert mean.by_sentence == ((6 / 7 + 2 / 8) / 2, 6 / 7)
    best = score_bags([made, made], [[far, near], [near]], references="best")
    assert best.rows == ((3, 4, 3), (3, 4, 3)) and best.f1 == best.mean_f1 == 6 / 7
    pair = replace(FIGURE_1, targets=(TABLE_1_FLAT, FIGURE_1_TARGET))
    scores = score_compressions([FIGURE_1_TARGET], [pair], references="best")
    assert scores.relation_f1 == scores.exact_match == 1
    assert 0 < score_compressions([FIGURE_1_TARGET], [pair]).relation_f1 < 1
    longer = replace(FIGURE_1, targets=(FIGURE_1_TARGET, FIGURE_1_SOURCE))
    assert gold_rate([longer]) == (4 + 10) / 2 / 10


bags = st.lists(st.sampled_from("abcde"), max_size=8).map(Counter)


@given(st.lists(st.tuples(bags, bags), min_size=1, max_size=6), st.randoms(use_true_random=False))
def test_the_laws_of_bags(pairs, chance) -> None:
    outputs, golds = [out for out, _ in pairs], [[gold] for _, gold in pairs]
    score = score_bags(outputs, golds)
    for value in (score.precision, score.recall, score.f1, score.mean_f1, *score.by_sentence):
        assert 0 <= value <= 1
    assert min(score.precision, score.recall) <= score.f1 + 1e-12
    assert score.f1 <= max(score.precision, score.recall) + 1e-12
    chance.shuffle(pairs)  # the order of sentences says nothing
    shuffled = score_bags([out for out, _ in pairs], [[gold] for _, gold in pairs])
    assert (shuffled.f1, shuffled.mean_f1) == (score.f1, score.mean_f1)
    swapped = score_bags([gold for _, gold in pairs], [[out] for out, _ in pairs])
    assert (swapped.precision, swapped.f1) == (score.recall, score.f1)
    assert score_bags(outputs, [[out] for out in outputs]).f1 == 1
    nothing = score_bags([Counter("a")], [[Counter("b")]])
    assert nothing.f1 == nothing.precision == nothing.recall == 0
    low, high = score.interval(samples=20)
    assert 0 <= low <= high <= 1
    assert score_bags(outputs, [[out] for out in outputs]).interval(samples=20) == (1, 1)


@pytest.fixture(scope="module")
def gazette() -> list[CompressionPair]:
    """The Gazette's test sentences; what is to come out is what stands before their last phrase."""
    found = []
    for number, source in enumerate(read_tree_file(ROOT / "data/gazette/test.mrg")):
        size = len(source.leaves())
        target = pruned(source, set(range(2 * size // 3)) | {size - 1})
        found.append(CompressionPair(source, (target,), (), f"test-{number}"))
    return found


def test_relations_are_the_arcs_of_the_dependency_tree(gazette) -> None:
    """The conversion that word ordering uses walks the tree in another way."""
    for pair in gazette:
        tokens = tokens_of(pair.source)
        words = [" ".join(token.words) for token in tokens]
        arcs = Counter((words[t.head] if t.head >= 0 else "", w) for t, w in zip(tokens, words))
        assert relations(pair.source, punctuation=True) == arcs


def test_keeping_all_and_giving_the_reference(gazette) -> None:
    kept = score_compressions([keep_all(pair) for pair in gazette], gazette)
    found = corpus_ngram_f1(
        [pair.source.leaves() for pair in gazette], [[pair.target.leaves()] for pair in gazette], 1
    )
    assert kept.rate == kept.mean_rate == found.recall == 1
    assert found.precision == pytest.approx(kept.gold_rate)
    perfect = score_compressions([pair.target for pair in gazette], gazette)
    ones = [perfect.relation_f1, perfect.relation_f1_labelled_mean, perfect.fourgram_f1]
    assert [*ones, perfect.exact_match, *perfect.relation_f1_interval] == [1] * 6
    assert perfect.rate == perfect.gold_rate < 0.8
    assert kept.relation_f1_interval[0] < kept.relation_f1 < kept.relation_f1_interval[1] < 1
    assert kept.relation_f1_labelled <= kept.relation_f1


def test_random_deletion_keeps_the_rate(gazette) -> None:
    for rate in (0.3, 0.7, gold_rate(gazette)):
        outputs = [random_deletion(pair, rate, seed=1) for pair in gazette]
        sources = [pair.source for pair in gazette]
        assert compression_rate(outputs, sources) == pytest.approx(rate, rel=0.01)
        assert mean_rate(outputs, sources) == pytest.approx(rate, rel=0.02)
    assert outputs == [random_deletion(pair, rate, seed=1) for pair in gazette]
    assert outputs[5:] == [random_deletion(pair, rate, seed=1) for pair in gazette[5:]]
    assert outputs != [random_deletion(pair, rate, seed=2) for pair in gazette]
    names = (replace(gazette[0], name=name) for name in "ab")
    one, other = (random_deletion(pair, 0.5, seed=1) for pair in names)
    assert one != other
    for output, pair in zip(outputs, gazette):
        words = iter(pair.source.leaves())
        assert output.leaves() and all(word in words for word in output.leaves())  # in their order
        assert all(len(node) for node in output.subtrees())
    assert random_deletion(gazette[0], 1e-9, seed=1).leaves()
    assert random_deletion(gazette[0], 1.0, seed=1) == gazette[0].source
    floor, kept = (
        score_compressions(made, gazette) for made in (outputs, [pair.source for pair in gazette])
    )
    assert floor.relation_f1 < 0.5 < kept.relation_f1


def test_deleting_by_hand() -> None:
    assert pruned(FIGURE_1_SOURCE, {1, 8}) == Tree.fromstring(
        "(S (SBAR (WHNP (WP what))) (SBAR (S (VP (VBP are)))))"
    )
    with pytest.raises(ValueError, match="no word stays"):
        pruned(FIGURE_1_SOURCE, set())


def test_the_test_of_wilcoxon(gazette) -> None:
    golds = [pair.target for pair in gazette]
    better = [random_deletion(pair, 0.9, seed=1) for pair in gazette]
    worse = [random_deletion(pair, 0.5, seed=1) for pair in gazette]
    found = wilcoxon_relation_f1(golds, worse, golds)
    assert found.p_value < 0.001 and found.first == 1 > found.second
    assert 0 < found.differ <= found.sentences == len(gazette)
    there, back = (wilcoxon_relation_f1(*two, golds) for two in ((better, worse), (worse, better)))
    assert (there.p_value, there.statistic) == (back.p_value, back.statistic)
    assert wilcoxon_relation_f1(worse, worse, golds).p_value == 1
    # F1s of 1/2 and 1/2 against 1/3 and 2/3: apart by the same, one for each side, ranks 1.5.
    one, gold, third, two_thirds = (
        Tree("NP", [Tree("NN", [word]) for word in words]) for words in ("h", "abh", "xyh", "ayh")
    )
    tie = wilcoxon_relation_f1([one, one], [third, two_thirds], [gold, gold])
    assert (tie.first, tie.second, tie.statistic, tie.p_value) == (1 / 2, 1 / 2, 1.5, 1)
    # Three sentences, each better: 1 of the 2 ** 3 patterns of signs, and its mirror image.
    assert wilcoxon_relation_f1(golds[:3], worse[:3], golds[:3]).p_value == 2 / 8


def test_scores_print_and_save_and_take_no_time(gazette) -> None:
    """What takes time is counted: calls of our own functions."""
    pairs = random.Random(1).choices(gazette, k=100)
    outputs = [random_deletion(pair, 0.7, seed=1) for pair in pairs]
    calls = 0

    def called(frame: FrameType, event: str, _: object) -> None:
        nonlocal calls
        calls += event == "call" and "wordorder_lab" in frame.f_globals["__name__"]

    sys.setprofile(called)
    scores = score_compressions(outputs, pairs)
    sys.setprofile(None)
    assert 0 < calls < 200_000  # now 84,000
    values = json.loads(json.dumps(scores.to_dict()))
    assert values["sentences"] == 100 and values["references"] == "mean"
    assert values["relation_f1_interval"] == list(scores.relation_f1_interval)
    assert (
        score_compressions(outputs, pairs) == scores != score_compressions(outputs, pairs, seed=2)
    )
    assert f"{scores.relation_f1:.2%}" in str(scores) and f"{scores.rate:.2%}" in str(scores)


def test_what_cannot_be_scored() -> None:
    good, gold = FIGURE_1_TARGET, FIGURE_1_TARGET
    with pytest.raises(ValueError, match="1 outputs but references for 2"):
        relation_f1([good], [gold, gold])
    with pytest.raises(ValueError, match="no sentences"):
        score_compressions([], [])
    with pytest.raises(ValueError, match="figure 1 has no reference"):
        score_compressions([good], [replace(FIGURE_1, targets=())])
    with pytest.raises(ValueError, match="output 2: the node S is empty"):
        relation_f1([good, Tree("S", [])], [gold, gold])
    with pytest.raises(ValueError, match="reference 2 of sentence 1: a word below NP has no tag"):
        relation_f1([good], [(gold, Tree("NP", ["the", "dog"]))])
    with pytest.raises(ValueError, match="'worst': say 'mean' or 'best'"):
        relation_f1([good], [gold], references="worst")
    with pytest.raises(ValueError, match="at least 1"):
        ngram_f1(["a"], ["a"], 0)
    with pytest.raises(ValueError, match="samples"):
        relation_f1([good], [gold]).interval(samples=0)
    for rate in (0, 1.2):
        with pytest.raises(ValueError, match="above 0 and at most 1"):
            random_deletion(FIGURE_1, rate, seed=1)


@pytest.mark.parametrize(
    ("source", "clause"),
    [
        ("(S (NP (PRP He)) (VP (VBD left)) (. .))", "He left ."),
        (
            "(S (S (NP (PRP He)) (VP (VBD said) (SBAR (IN that) (S (NP (NN rain)) (VP (VBD fell))"
            "))) ) (, ,) (CC and) (S (NP (PRP she)) (VP (VBD left))) (. .))",
            "He said .",
        ),
        (
            "(S (S (VP (VBG Hoping))) (, ,) (NP (PRP he)) (VP (VP (VBZ waits)) (CC and)"
            " (VP (VBZ reads))))",
            "Hoping , he waits and reads",
        ),
        ("(NP (NP (DT The) (NN end)) (. .))", "The end ."),
        ("(S (NP (PRP He)) (VP (TO to) (VP (VB go))) (. ?))", "He to go ?"),
    ],
)
def test_the_first_clause(source: str, clause: str) -> None:
    """The last two have none, so they stay."""
    tree = Tree.fromstring(source)
    pair = CompressionPair(tree, (tree,), ())
    assert first_clause(pair).leaves() == clause.split()


def test_relations_of_strings_that_are_parsed_anew() -> None:
    """A parser that sees a flat sentence, against references with and without that tree."""
    flat = Tree.fromstring("(S (NP (PRP he)) (VP (VBZ waits)) (. .))")
    other = Tree.fromstring("(S (NP (PRP he)) (VP (VP (VBZ waits)) (ADVP (RB here))) (. .))")
    pair = CompressionPair(other, (flat, other), ())

    def parse(words) -> Tree:
        if words[0] != "He":
            raise ValueError("too long")
        return Tree.fromstring("(S (NP (PRP He)) (VP (VBZ waits)) (. .))")

    found = score_reparsed([["He", "waits", "."], ["What", "?"]], [pair, pair], parse)
    # Right: the root and (waits, he), all there is in the one and 2 of 3 in the other reference.
    assert found.mean_f1 == pytest.approx((1 + 4 / 5) / 2 / 2) and found.refused == 1
    assert (found.precision, found.recall) == (1, 4 / 10)
    json.dumps(found.to_dict())
