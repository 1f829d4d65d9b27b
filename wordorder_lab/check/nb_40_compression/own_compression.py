"""Exercise 40.5: a sentence of the student's own, in brackets, and what a model makes of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from nltk.tree import Tree

from wordorder_lab.check.common.exercise import Exercise, Wrong
from wordorder_lab.check.common.moments import Moment
from wordorder_lab.corpora.readers.penn import parse_tree
from wordorder_lab.structures.compression import prepared
from wordorder_lab.systems.cohn_lapata_2009 import CompressionModel
from wordorder_lab.trace.log import EventLog

SHORTEST, UNREAD, SHOWN = 6, 2, 5
"""Words that the sentence has at least, and words that the model must not have read; outputs that
are shown when the best one is another."""

OURS = (
    "(S (NP (DT The) (NN cat)) (VP (VBD chased) (NP (DT a) (NN mouse)) (PP (IN in) (NP (DT the)"
    " (NN kitchen)))) (. .))",
    "(S (PP (IN On) (NP (NNP Monday))) (, ,) (NP (DT the) (NN teacher)) (VP (VBD forgot) (NP (DT"
    " the) (NNS biscuits))) (. .))",
    "(S (NP (DT The) (NN wizard) (PP (IN from) (NP (NNP Bree)))) (VP (VBD was) (VP (VBN seen) (PP"
    " (IN by) (NP (DT a) (NN hobbit))))) (. .))",
    "(S (NP (DT The) (JJ sleepy) (NN dragon)) (VP (VBD guarded) (NP (DT the) (NN treasure))) (. .)"
    ")",
)
"""Sentences for the solution, which shows the first that becomes shorter."""


def unread(tree: Tree, model: CompressionModel) -> list[str]:
    """The words of a tree that the model's n-grams do not have."""
    known = set(model.ngrams.vocabulary)
    return [word for word in prepared(tree).leaves() if word not in known]


def _judge(answer: Any, model: CompressionModel) -> str:
    if isinstance(answer, str) or not isinstance(answer, Sequence) or len(answer) != 2:
        raise Wrong("Two texts are wanted: a tree in brackets, and the output that you expect.")
    brackets, expected = answer
    if not isinstance(brackets, str) or not isinstance(expected, str):
        raise Wrong("Two texts are wanted: a tree in brackets, and the output that you expect.")
    try:
        tree = parse_tree(brackets, "your tree")
    except ValueError as error:
        raise Wrong(f"It cannot be read: {error}") from None
    _check_size(tree, expected, model)
    log = EventLog()
    best = model.compress(tree, k=SHOWN, trace=log)
    outputs = [output.text for output in best.k_best]
    wanted = " ".join(expected.split())
    if wanted != best.text:
        listing = "\n".join(f"  {output.score:.2f}  {output.text}" for output in best.k_best)
        place = f"number {outputs.index(wanted) + 1}" if wanted in outputs else "not one"
        where = Moment(log, len(log), f"Not “{wanted}”, but “{best.text}”")
        raise Wrong(f"{wanted!r} is {place} of the {len(outputs)} best:\n{listing}", where)
    rules = "\n".join(f"  {rule}" for rule in best.rules)
    words = ", ".join(unread(tree, model))
    return f"At a rate of {best.rate:.0%}, with words that it has never read ({words}).\n{rules}"


def _check_size(tree: Tree, expected: str, model: CompressionModel) -> None:
    words = tree.leaves()
    if len(words) < SHORTEST:
        raise Wrong(f"{SHORTEST} words at least, the full stop is one; yours has {len(words)}.")
    if len(unread(tree, model)) < UNREAD:
        raise Wrong(f"{UNREAD} words at least that the model has never read; it knows all others.")
    if len(expected.split()) >= len(words):
        raise Wrong("What you expect is no shorter than the sentence.")


def _solve(model: CompressionModel) -> str:
    for brackets in OURS:
        best = model.compress(parse_tree(brackets, "ours"))
        if best.rate < 1:
            return f"({brackets!r}, {best.text!r})"
    return "Of our own sentences this model shortens none; try a longer one."


EXERCISES = (
    Exercise(
        "40.5",
        "Write a sentence of your own in brackets, and say what the model will make of it.",
        (
            "Take a tree of section 5, print it, and put other words in. Copy and deletion rules "
            "match any label and any word, so there is always an output.",
            "What went before? Phrases at the beginning with a comma, PPs behind a noun or a verb. "
            "Words without a tag, or several words in one bracket, are no tree.",
            "Ask model.compress(wl.parse_tree(text, 'mine'), k=5).k_best, and see what its rules "
            "have in common. Then change the sentence.",
        ),
        _judge,
        _solve,
        needs=("model",),
    ),
)
