"""Labelled brackets on trees whose score can be counted by hand."""

from __future__ import annotations

import pytest
from nltk.tree import Tree

from wordorder_lab.metrics.evalb import BracketScores, bracket_scores, brackets_of

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
