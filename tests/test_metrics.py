"""The metrics: Table 6 of Liu et al. (2015), values counted by hand, and one clear error each."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import pytest
from nltk.tree import Tree
from sacrebleu.significance import PairedTest

from wordorder_lab.metrics.bleu import corpus_bleu, sacrebleu_metric, sentence_bleu
from wordorder_lab.metrics.evalb import BracketScores, bracket_scores, brackets_of
from wordorder_lab.metrics.ordering import (
    brevity,
    by_length,
    category_pairs,
    category_precision,
    exact_match,
    score_ordering,
    share_of,
)
from wordorder_lab.metrics.significance import bootstrap_interval, means_of, paired_bootstrap
from wordorder_lab.structures.category import Category
from wordorder_lab.structures.derivation import Derivation

ASBESTOS = "There is no asbestos in our products now ."
WATCHES = "Previously , watch imports were denied such duty-free treatment ."
YIELDS = "Despite recent declines in yields , investors continue to pour cash into money funds ."

# output, reference, printed BLEU, the BLEU that we compute
TABLE_6 = [
    ("There is no asbestos now in our products .", ASBESTOS, 43.5, 46.0),
    ("There is now our products in no asbestos .", ASBESTOS, 17.8, 18.3),
    ("There is no asbestos now in our products . ''", f"{ASBESTOS} ''", 43.5, 43.5),
    ("There is now our products in no asbestos . ''", f"{ASBESTOS} ''", 17.8, 17.7),
    ("such duty-free treatment Previously , watch imports were denied .", WATCHES, 67.6, 67.6),
    (WATCHES, WATCHES, 100, 100.0),
    (
        "continue yields investors pour to recent declines in cash , into money funds",
        YIELDS,
        20.1,
        20.1,
    ),
    (
        "Despite recent declines in yields into money funds , investors continue to pour cash .",
        YIELDS,
        67.0,
        67.0,
    ),
]

REFERENCES = [ASBESTOS, WATCHES, YIELDS]
WORSE = [TABLE_6[1][0], TABLE_6[4][0], TABLE_6[6][0]]
BETTER = [TABLE_6[0][0], TABLE_6[5][0], TABLE_6[7][0]]


@pytest.mark.parametrize(("output", "reference", "printed", "ours"), TABLE_6)
def test_liu_2015_table_6(output: str, reference: str, printed: float, ours: float) -> None:
    assert round(sentence_bleu(output, reference), 1) == ours
    if reference != ASBESTOS:  # in the corpus it ends in closing quotes, which the table leaves out
        assert abs(sentence_bleu(output, reference) - printed) < 0.06  # 17.747 is printed as 17.8


def test_corpus_bleu_by_hand() -> None:
    """Five words with the last two swapped: 5/5, 2/4, 1/3 and 0/2, where 0 counts as a half."""
    score = corpus_bleu(["a b c e d"], ["a b c d e"])
    assert score.score == pytest.approx(100 * (1 * 2 / 4 * 1 / 3 * 0.5 / 2) ** 0.25)


def test_corpus_bleu_is_brief_by_hand() -> None:
    """Four words of five, all in order: precision 1, brevity penalty exp(1 - 5/4)."""
    assert corpus_bleu(["a b c d"], ["a b c d e"]).score == pytest.approx(100 * math.exp(-0.25))


def test_conventions_differ_in_case_and_tokens() -> None:
    hypothesis, reference = (
        ["the duty-free Shops of New York ."],
        ["The duty-free shops of New York ."],
    )
    cased, lower = corpus_bleu(hypothesis, reference), corpus_bleu(hypothesis, reference, "13a_lc")
    assert lower.score == pytest.approx(100) and cased.score < 50
    assert cased.signature.startswith("nrefs:1|case:mixed|eff:no|tok:none|smooth:exp|version:")
    assert lower.signature.startswith("nrefs:1|case:lc|eff:no|tok:13a|smooth:exp|version:")


def test_exact_match_and_brevity_by_hand() -> None:
    hypotheses, references = ["a b", "d c", "e"], ["a b", "c d", "e f g"]
    assert exact_match(hypotheses, references) == pytest.approx(1 / 3)
    assert brevity(hypotheses, references) == pytest.approx(5 / 7)
    assert share_of([True, False, False, False], 4) == 0.25


def test_category_precision_by_hand() -> None:
    """Of IBM twice only one is gold, and Lotus has another category: 3 of 5 pairs."""
    gold = [("IBM", "NP"), ("bought", "(S\\NP)/NP"), ("Lotus", "NP")]
    output = [("IBM", "NP"), ("IBM", "NP"), ("bought", "(S\\NP)/NP"), ("Lotus", "N")]
    assert category_precision([output, [("a", "NP/N")]], [gold, [("a", "NP/N")]]) == 3 / 5
    assert category_precision([output[:1], []], [gold, gold]) == 1  # of what is there
    assert category_precision([[]], [gold]) is None
    with pytest.raises(ValueError, match="2 outputs but 1"):
        category_precision([output, output], [gold])
    derivation = Derivation.binary(
        Category.parse("S\\NP"),
        Derivation.leaf("bought", "VBD", Category.parse("(S\\NP)/NP")),
        Derivation.leaf("an old hat", "NP", Category.parse("NP")),
    )
    bare = Derivation.leaf("IBM", "NNP", Category.parse("NP"))
    found = category_pairs([bare, derivation])
    assert found == (("IBM", "NP"), ("bought", "(S\\NP)/NP"), ("an old hat", "NP"))


def test_by_length() -> None:
    """Nine, ten and fifteen words: two bins of Figure 8 are filled, the others say so."""
    rows = [row for row in by_length(BETTER, REFERENCES) if row.sentences]
    assert [(row.low, row.high, row.sentences) for row in rows] == [(9, 11, 2), (15, 17, 1)]
    assert rows[0].bleu_cased == corpus_bleu(BETTER[:2], REFERENCES[:2]).score
    assert [row.brevity for row in rows] == [1, 1]
    empty = by_length(BETTER, REFERENCES)[0]
    assert (empty.sentences, empty.bleu_cased, empty.brevity) == (0, None, None)


def test_by_length_keeps_the_longest() -> None:
    long = " ".join(map(str, range(200)))
    last = by_length([long], [long])[-1]
    assert (last.low, last.high, last.sentences) == (33, 200, 1)


def test_score_ordering_has_the_names_of_evaluate() -> None:
    scores = score_ordering(BETTER, REFERENCES, timed_out=[True, False, False], seconds=0.6)
    values = json.loads(json.dumps(scores.to_dict()))
    assert list(values) == [
        *("sentences", "bleu_cased", "bleu_cased_signature", "bleu_13a_lc"),
        *("bleu_13a_lc_signature", "exact_match", "brevity", "timeouts", "ms_per_sentence"),
        *("by_length", "spanning", "category_precision"),
    ]
    assert values["spanning"] is values["category_precision"] is None
    assert values["bleu_cased"] == corpus_bleu(BETTER, REFERENCES).score
    assert (values["sentences"], values["ms_per_sentence"]) == (3, pytest.approx(200))
    assert values["exact_match"] == values["timeouts"] == pytest.approx(1 / 3)
    assert values["by_length"][1]["length"] == "9-11"


def test_spanning_and_categories_are_told_where_they_are_known() -> None:
    scores = score_ordering(BETTER, REFERENCES, whole=[True, False, True], category_precision=0.75)
    assert scores.spanning == pytest.approx(2 / 3) and scores.category_precision == 0.75
    lines = [line.split() for line in str(scores).splitlines()]
    assert ["spanning", "66.7%"] in lines and ["category", "precision", "75.0%"] in lines
    with pytest.raises(ValueError, match="1 flags for 3 sentences"):
        score_ordering(BETTER, REFERENCES, whole=[True])


def test_scores_print_as_a_table() -> None:
    table = str(score_ordering(BETTER, REFERENCES))
    assert "tok:none" in table and "tok:13a" in table and "33.3%" in table
    assert table.splitlines()[-1].split()[:2] == ["15-17", "1"]


def test_interval_is_the_same_for_the_same_seed() -> None:
    first, again = (bootstrap_interval(WORSE, REFERENCES, samples=200, seed=7) for _ in range(2))
    other = bootstrap_interval(WORSE, REFERENCES, samples=200, seed=8)
    assert first == again != other
    assert first.score == other.score == corpus_bleu(WORSE, REFERENCES).score
    assert first.low < first.mean < first.high


def test_paired_bootstrap_is_the_same_for_the_same_seed() -> None:
    first, again = (paired_bootstrap(WORSE, BETTER, REFERENCES, seed=7) for _ in range(2))
    assert first == again
    assert first.difference > 0 and 0 < first.p_value <= 1
    assert "|bs:1000|seed:7|" in first.signature
    assert first.system == bootstrap_interval(BETTER, REFERENCES, seed=7)


def test_paired_bootstrap_tells_far_from_near() -> None:
    """Twenty sentences turned round are worse for certain; one of twenty may be chance."""
    references = [f"w{i} is the word number {i} of this list" for i in range(20)]
    turned = [" ".join(reversed(reference.split())) for reference in references]
    almost = [turned[0], *references[1:]]
    assert paired_bootstrap(turned, references, references, samples=200).p_value < 0.01
    assert paired_bootstrap(almost, references, references, samples=200).p_value > 0.05


def test_a_system_does_not_differ_from_itself() -> None:
    same = paired_bootstrap(BETTER, BETTER, REFERENCES, samples=200)
    assert (same.difference, same.p_value) == (0, 1)


def test_the_numbers_are_sacrebleus_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SACREBLEU_SEED", "7")
    systems: Any = [("b", WORSE), ("s", BETTER)]
    metrics = {"BLEU": sacrebleu_metric("cased")}
    test: Any = PairedTest(systems, metrics, [REFERENCES], test_type="bs", n_samples=200)
    signatures, scores = test()
    ours = paired_bootstrap(WORSE, BETTER, REFERENCES, samples=200, seed=7)
    for one, theirs in zip((ours.baseline, ours.system), scores["BLEU"], strict=True):
        assert (one.score, one.mean, one.half_width) == (theirs.score, theirs.mean, theirs.ci)
    assert ours.p_value == scores["BLEU"][1].p_value
    assert ours.signature == str(signatures["BLEU"])


@pytest.mark.parametrize("score", [corpus_bleu, exact_match, brevity, by_length, score_ordering])
def test_bad_lists_give_one_clear_error(score) -> None:
    with pytest.raises(ValueError, match="no sentences to score"):
        score([], [])
    with pytest.raises(ValueError, match="1 hypotheses but 2 references"):
        score(["a"], ["a", "b"])
    with pytest.raises(ValueError, match="one string: give a list"):
        score("a b", ["a", "b", "c"])


def test_other_bad_input() -> None:
    with pytest.raises(ValueError, match="no sentences to score"):
        paired_bootstrap([], [], [])
    with pytest.raises(ValueError, match="2 hypotheses but 3 references"):
        paired_bootstrap(WORSE, BETTER[:2], REFERENCES)
    with pytest.raises(ValueError, match="at least 1"):
        paired_bootstrap(WORSE, BETTER, REFERENCES, seed=0)
    with pytest.raises(ValueError, match="unknown BLEU convention 'bleu'"):
        corpus_bleu(["a"], ["a"], "bleu")
    with pytest.raises(ValueError, match="2 flags for 3 sentences"):
        score_ordering(BETTER, REFERENCES, timed_out=[True, False])
    with pytest.raises(ValueError, match="no words"):
        brevity([""], [""])
    with pytest.raises(ValueError, match="ascending order"):
        by_length(BETTER, REFERENCES, bins=[(1, 8), (8, 12)])


def test_an_empty_output_scores_zero() -> None:
    scores = score_ordering([""], ["a b c d"])
    assert scores.bleu_cased == scores.brevity == scores.exact_match == 0


GOLD = "(TOP (S (NP-SBJ (DT the) (NN cat)) (, ,) (VP (VBD sat) (PRT (RP down))) (. .)))"


def scored(gold: str, output: str) -> BracketScores:
    return bracket_scores([Tree.fromstring(gold)], [Tree.fromstring(output)])


def counts(scores: BracketScores) -> tuple[int, int, int]:
    return scores.matched, scores.gold, scores.output


def test_top_and_function_tags_and_punctuation_are_no_matter() -> None:
    same = "(S (NP (DT the) (NN cat)) (VP (, ,) (VBD sat) (ADVP (RP down)) (. .)))"
    scores = scored(GOLD, same)  # the VP holds comma and stop here, and PRT is ADVP
    assert counts(scores) == (4, 4, 4)
    assert (scores.f1, scores.exact_match, scores.tag_accuracy) == (1.0, 1.0, 1.0)
    tree = Tree.fromstring(GOLD)
    assert brackets_of(tree, tree) == {
        ("S", 0, 4): 1,
        ("NP", 0, 2): 1,
        ("VP", 2, 4): 1,
        ("ADVP", 3, 4): 1,
    }


def test_a_label_counts_and_so_does_each_of_two_equal_brackets() -> None:
    gold = "(S (NP (NP (NN rain))) (VP (VBD fell)))"
    once = "(S (NP (NN rain)) (VP (VBD fell)))"
    other = "(S (ADJP (NP (NN rain))) (VP (VBD fell)))"
    assert counts(scored(gold, once)) == (3, 4, 3)
    assert counts(scored(gold, other)) == (3, 4, 4)
    assert scored(gold, once).precision == 1.0 and scored(gold, once).recall == 0.75
    assert scored(gold, once).f1 == pytest.approx(6 / 7)


def test_brackets_that_cross_are_wrong_and_tags_are_counted_apart() -> None:
    gold = "(S (NP (DT the) (NN dog)) (VP (VBD saw) (NP (PRP it))))"
    output = "(S (NP (DT the)) (VP (VBD dog) (VBD saw) (NP (PRP it))))"
    scores = scored(gold, output)
    assert counts(scores) == (2, 4, 4)
    assert scores.tag_accuracy == 0.75 and scores.exact == 0


def test_a_corpus_is_summed_over_brackets_not_over_sentences() -> None:
    gold = [Tree.fromstring("(S (NP (NN a)) (VP (VB b)))"), Tree.fromstring("(NP (NN c))")]
    outputs = [gold[0], Tree.fromstring("(VP (NN c))")]
    scores = bracket_scores(gold, outputs)
    assert counts(scores) == (3, 4, 4)
    assert (scores.f1, scores.exact, scores.sentences) == (0.75, 1, 2)


def test_a_phrase_of_punctuation_alone_is_none() -> None:
    gold = "(S (NP (NN rain)) (PRN (: --)) (. .))"
    assert counts(scored(gold, "(S (NP (NN rain) (: --)) (. .))")) == (2, 2, 2)


def test_other_words_are_refused_by_the_name_of_the_sentence() -> None:
    gold, short = Tree.fromstring("(NP (DT a) (NN b))"), Tree.fromstring("(NP (NN b))")
    with pytest.raises(ValueError, match=r"wsj_1: the tree has 1 words, the gold tree 2"):
        bracket_scores([gold], [short], ["wsj_1"])
    with pytest.raises(ValueError, match=r"tree 1: word 1 of the tree is 'c', of the gold .* 'a'"):
        bracket_scores([gold], [Tree.fromstring("(NP (DT c) (NN b))")])
    with pytest.raises(ValueError, match="give one for each"):
        bracket_scores([gold], [])


def test_means_of_a_selection() -> None:
    """The interval is as wide as that of the normal distribution; p tells far from near, and two
    columns that are told apart sentence by sentence are told apart although each moves much."""
    chance = np.random.default_rng(3)
    hard = chance.normal(40, 20, 200)
    columns = [hard, hard + chance.normal(2, 4, 200), chance.normal(0, 4, 200)]
    first, second, none = means_of([each.tolist() for each in columns])
    apart, same = means_of([(columns[1] - columns[0]).tolist(), [0.0] * 200])
    for found, values in ((first, columns[0]), (none, columns[2])):
        wide = 2 * 1.96 * values.std() / len(values) ** 0.5
        assert found.mean == pytest.approx(values.mean())
        assert 0.85 * wide < found.high - found.low < 1.15 * wide
    assert first.low < second.low < first.high < second.high
    assert apart.p_value == 1 / 1001 and apart.low > 0
    assert none.p_value > 0.01 and same == (0, 0, 0, 1)
    assert means_of([[1.0, 3.0], [5.0, 5.0]])[1][:3] == (5, 5, 5)
    assert np.isnan(means_of([[], []])).all()
