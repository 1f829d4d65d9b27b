"""Exercise 50.2: how many sentences are in a tree? And each of them with its score, where few are.

A projective tree leaves each head free to put itself and its dependents into any order, and each
lemma free to take any of its forms.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from itertools import permutations, product
from math import factorial
from typing import Any

from wordorder_lab.check.common.exercise import Exercise, Wrong, function_of, is_number
from wordorder_lab.check.nb_50_realisation.small_trees import tree_of
from wordorder_lab.structures.lemma_tree import LemmaTree

Forms = Sequence[Sequence[str]]


def every_sentence(tree: LemmaTree, forms: Forms) -> Iterator[tuple[str, ...]]:
    """All sentences of a small tree, one after the other; equal ones come as often as they are."""
    for order in orders(tree, tree.root):
        yield from product(*(forms[node] for node in order))


def orders(tree: LemmaTree, head: int) -> Iterator[tuple[int, ...]]:
    """The orders of a node and all below it, each dependent's words in one piece."""
    for order in permutations((head, *tree.dependents[head])):
        pieces = [[(head,)] if part == head else [*orders(tree, part)] for part in order]
        for chosen in product(*pieces):
            yield tuple(node for piece in chosen for node in piece)


def how_many(tree: LemmaTree, forms: Forms) -> int:
    """The number of these sentences, without making them."""
    number = 1
    for dependents, own in zip(tree.dependents, forms, strict=True):
        number *= factorial(len(dependents) + 1) * len(own)
    return number


def scored_rows(model: Any, tree: LemmaTree, k: int = 8, **search: Any) -> list[dict[str, Any]]:
    """The model's ``k`` best sentences of a tree, each once, with their scores."""
    rows: dict[str, dict[str, Any]] = {}
    for number, one in enumerate(model.realizations(tree, k=k, **search), 1):
        rows.setdefault(one.text, {"": number, "sentence": one.text, "score": one.score})
    return list(rows.values())


def cases() -> Iterator[tuple[LemmaTree, Forms]]:
    """Trees to count in: one lemma, a chain, a bush, then some at random, always the same."""
    yield tree_of("rain/rain/NOUN/0/root"), [["rain"]]
    yield tree_of("old/old/ADJ/2/amod rain/rain/NOUN/0/root"), [["old"], ["rain", "rains"]]
    chance = random.Random(50)
    for size in (3, 4, 4, 5, 5):
        heads = [0, *(chance.randint(1, place) for place in range(1, size))]
        words = (f"{'abcde'[i]}/{'abcde'[i]}/X/{head}/dep" for i, head in enumerate(heads))
        forms = [[f"{'abcde'[i]}{n}" for n in range(chance.randint(1, 2))] for i in range(size)]
        yield tree_of(" ".join(words)), forms


def _judge(answer: Any) -> str:
    own = function_of(answer, "how_many")
    for tree, forms in cases():
        right = sum(1 for _ in every_sentence(tree, forms))
        yours = own(tree, [list(some) for some in forms])
        heads = ", ".join(
            f"{node.lemma} below {tree.nodes[node.head].lemma if node.head >= 0 else 'nothing'}"
            for node in tree.nodes
        )
        about = f"A tree with {heads}; forms {' '.join('|'.join(some) for some in forms)}"
        if not is_number(yours):
            raise Wrong(f"{about}: your function gave {yours!r}, and a number is wanted.")
        if yours != right:
            raise Wrong(f"{about}: {right} sentences, and your function says {yours}.")
    return "A head with nine dependents alone has 3,628,800 orders: hence a search."


def _solve() -> str:
    return (
        "def how_many(tree, forms):\n"
        "    number = 1\n"
        "    for dependents, own in zip(tree.dependents, forms):\n"
        "        number *= math.factorial(len(dependents) + 1) * len(own)\n"
        "    return number"
    )


EXERCISES = (
    Exercise(
        "50.2",
        "How many sentences does a tree of lemmas have?",
        (
            "Look at one head: it and its dependents stand in any order. How many things are that?",
            "Heads choose one independently of the other, and so do lemmas their forms: multiply.",
            "For each node: the factorial of (dependents + 1), times the number of its forms.",
        ),
        _judge,
        _solve,
    ),
)
