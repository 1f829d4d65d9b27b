"""Exercise 50.3: gold mappings pruned bottom-up, by hand (Zhang & Clark 2015, section 5.7).

Each lemma may be any word of the reference that is one of its forms. A tree without crossing arcs
puts each node with all below it into one piece, and that leaves few such mappings, mostly one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import permutations
from math import prod
from typing import Any

from wordorder_lab.check.common.exercise import Exercise, Wrong, is_number
from wordorder_lab.check.nb_50_realisation.small_trees import tree_of
from wordorder_lab.structures.lemma_tree import LemmaTree

TREE = tree_of(
    "the/the/DET/2/det man/man/NOUN/3/nsubj saw/see/VERB/0/root the/the/DET/6/det "
    "old/old/ADJ/6/amod man/man/NOUN/3/obj",
    "the man saw the old man",
)
FORMS = tuple((node.form or "",) for node in TREE.nodes)
RIGHT = (16, 1, [0, 1], [3, 5])
ASKED = (
    "mappings before anything is pruned",
    "mappings that are left",
    "the places of the subject and all below it",
    "the places of the object and all below it",
)


def places_of(tree: LemmaTree, forms: Sequence[Sequence[str]]) -> list[tuple[int, ...]]:
    """Of each node the places of the reference that hold one of its forms, capitals aside."""
    words = [word.lower() for word in tree.reference]
    small = [{form.lower() for form in some} for some in forms]
    return [tuple(at for at, word in enumerate(words) if word in some) for some in small]


def spans_upwards(tree: LemmaTree, forms: Sequence[Sequence[str]]) -> list[dict[str, Any]]:
    """Bottom-up, a row a node: where its word may stand, where its span may, and in how many ways.

    For small trees: the parts of each head are tried in every order.
    """
    places, sizes = places_of(tree, forms), [1] * len(tree)
    ways: dict[int, dict[int, int]] = {}
    rows = []
    for node in tree.upwards():
        for dependent in tree.dependents[node]:
            sizes[node] += sizes[dependent]
        ways[node] = _starts(tree, node, places[node], sizes, ways)
        rows.append(
            {
                "lemma": tree.nodes[node].lemma,
                "label": tree.nodes[node].label,
                "its word": ", ".join(map(str, places[node])),
                "words below and itself": sizes[node],
                "its span": ", ".join(
                    f"{at}-{at + sizes[node] - 1}" if sizes[node] > 1 else str(at)
                    for at in ways[node]
                ),
                "ways": sum(ways[node].values()),
            }
        )
    return rows


def before_pruning(tree: LemmaTree, forms: Sequence[Sequence[str]]) -> int:
    """Mappings of each node to any of its places, whatever the others do."""
    return prod(map(len, places_of(tree, forms)))


def _starts(
    tree: LemmaTree,
    node: int,
    places: Sequence[int],
    sizes: Sequence[int],
    ways: Mapping[int, Mapping[int, int]],
) -> dict[int, int]:
    """Where the span of a node may begin, and in how many ways."""
    own = dict.fromkeys(places, 1)
    found: dict[int, int] = {}
    for start in range(len(tree) - sizes[node] + 1):
        number = 0
        for order in permutations((node, *tree.dependents[node])):
            at, here = start, 1
            for part in order:
                here *= (own if part == node else ways[part]).get(at, 0)
                at += 1 if part == node else sizes[part]
            number += here
        if number:
            found[start] = number
    return found


def _judge(answer: Any) -> str:
    if isinstance(answer, str) or not isinstance(answer, Sequence) or len(answer) != len(ASKED):
        raise Wrong(f"Four things are wanted: {'; '.join(ASKED)} (first and last place).")
    for yours, right, about in zip(answer, RIGHT, ASKED, strict=True):
        if isinstance(right, list):
            if isinstance(yours, str) or not isinstance(yours, Sequence) or list(yours) != right:
                raise Wrong(f"{about}: [first, last], and it is not {yours!r}.")
        elif not is_number(yours, whole=True):
            raise Wrong(f"{about}: a number is wanted, not {yours!r}.")
        elif yours != right:
            raise Wrong(f"{about}: not {yours}.")
    return "Of sixteen one is left, though two pairs of words look the same."


def _solve() -> str:
    return repr(list(RIGHT))


EXERCISES = (
    Exercise(
        "50.3",
        "Sixteen mappings, or fewer?",
        (
            "Each lemma may be any word that is one of its forms, whatever the others take: "
            "multiply.",
            "Begin at the bottom. Where can *the* stand, so that *man* stands beside it, and "
            "nothing else between them?",
            "The subject has two words in one piece, the object three, with *old* among them.",
        ),
        _judge,
        _solve,
    ),
)
