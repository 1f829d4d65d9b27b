"""Exercise 42.2: relation F1 of two short versions, on paper."""

from __future__ import annotations

from typing import Any

from nltk.tree import Tree

from wordorder_lab.check.common.exercise import Exercise, Wrong, is_number
from wordorder_lab.metrics.compression import ngram_f1
from wordorder_lab.metrics.relations import relation_f1, relations

REFERENCE = Tree.fromstring("(S (NP (DT the) (NN bank)) (VP (VBD raised) (NP (NNS rates))) (. .))")
"""What a person made of a sentence."""
OUTPUTS = {
    "A": Tree.fromstring("(S (NP (DT the) (NN week)) (VP (VBD raised) (NP (NNS rates))) (. .))"),
    "B": Tree.fromstring("(S (NP (DT the) (NN bank)) (VP (VBD raised)) (. .))"),
}
"""Two outputs: one with a wrong noun, one that lacks the object."""
NEAR = 0.006


def f1_of(name: str) -> float:
    """Relation F1 of an output against the reference, 0 to 1."""
    return relation_f1([OUTPUTS[name]], [REFERENCE]).f1


def both_f1s() -> list[dict[str, Any]]:
    """The outputs with their F1 of single words, as rows."""
    return [
        {
            "": name,
            "output": " ".join(tree.leaves()),
            "unigram F1": f"{ngram_f1(tree.leaves(), REFERENCE.leaves(), 1):.0%}",
        }
        for name, tree in OUTPUTS.items()
    ]


def _judge(answer: Any) -> str:
    if not isinstance(answer, list | tuple) or len(answer) != len(OUTPUTS):
        raise Wrong("Two numbers are wanted, for A and for B.")
    for name, yours in zip(OUTPUTS, answer, strict=True):
        if not is_number(yours):
            raise Wrong(f"{name}: a number is wanted, not {yours!r}.")
        if 1 < yours <= 100:
            raise Wrong(f"{name}: give a share from 0 to 1, not percent.")
        if abs(yours - f1_of(name)) > NEAR:
            raise Wrong(f"{name}: {yours:g} it is not.")
    return (
        "One wrong noun costs A two relations of four, one missing noun costs B none that it has. "
        "Relations punish a wrong word more than a missing one."
    )


def _solve() -> str:
    gold = sorted(relations(REFERENCE))
    told = [f"The reference has {_shown(gold)}."]
    for name, tree in OUTPUTS.items():
        own = sorted(relations(tree))
        right = len({*own} & {*gold})
        told.append(
            f"{name} has {_shown(own)}: {right} of {len(own)} are right, {right} of {len(gold)} "
            f"are found, F1 = {f1_of(name):.3f}."
        )
    return " ".join(told)


def _shown(several: list[tuple[str, ...]]) -> str:
    return ", ".join(f"({head or 'root'}, {word})" for head, word in several)


EXERCISES = (
    Exercise(
        "42.2",
        "Relation F1 by hand.",
        (
            "Write down the pairs (head, dependent) of each tree. The head of a noun phrase is its "
            "noun, that of the sentence its verb.",
            "The verb depends on nothing: (root, raised) is a relation, too. A full stop is none.",
            "Right ones over those of the output is precision, over those of the reference recall; "
            "F1 = 2 · right / (both numbers of relations together).",
        ),
        _judge,
        _solve,
    ),
)
