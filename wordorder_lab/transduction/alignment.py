"""Which constituents of two trees belong together: Cohn & Lapata (2009), section 3.2, equation 2.

From an alignment of words. A source and a target constituent are aligned if a word in one is
aligned to a word in the other, and no word in either to a word outside the other: the alignment
template method of Och and Ney (2004), for constituents.

Differences
- *Text against figure*, equation 2: the printed equation lacks "there is no (s, t) such that"
  before its second line; the text has it.
- *Our reading*: a source node is null-aligned if no word below it is aligned.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from wordorder_lab.structures.messages import cited
from wordorder_lab.structures.phrase_tree import PhraseNodes

WordAlignment = Iterable[tuple[int, int]]
"""Pairs (place in the source, place in the target), counted from 0."""


@dataclass(frozen=True)
class ConstituentAlignment:
    """The aligned nodes of two trees.

    ``targets[v]`` are the target nodes aligned to source node ``v``, the highest first;
    ``null[v]`` says that no word below ``v`` is aligned.
    """

    targets: tuple[tuple[int, ...], ...]
    null: tuple[bool, ...]

    def pairs(self) -> list[tuple[int, int]]:
        """All aligned pairs (source node, target node)."""
        return [(v, t) for v, aligned in enumerate(self.targets) for t in aligned]


def constituent_alignment(
    source: PhraseNodes, target: PhraseNodes, words: WordAlignment
) -> ConstituentAlignment:
    """The constituents that are aligned.

    Raises ``ValueError`` for a pair of words that points outside one of the sentences, and where
    no word is aligned at all.
    """
    pairs = list(words)
    for pair in pairs:
        if len(pair) != 2 or not all(isinstance(place, int) for place in pair):
            raise ValueError(f"an alignment has pairs of places like (0, 0), not {cited(pair)}")
    pairs = sorted(set(pairs))
    n, m = source.length(source.root), target.length(target.root)
    for s, t in pairs:
        if not (0 <= s < n and 0 <= t < m):
            raise ValueError(
                f"the alignment has {s}-{t}, which points outside the sentences of {n} and {m} "
                "words: places are counted from 0"
            )
    if not pairs:
        raise ValueError("no word of the two sentences is aligned, so no rule can be read off them")
    there = [_partners(pairs, source, v, 0) for v in range(len(source))]
    back = [_partners(pairs, target, t, 1) for t in range(len(target))]
    targets = tuple(
        tuple(
            t
            for t in reversed(range(len(target)))
            if there[v] and _inside(there[v], target, t) and _inside(back[t], source, v)
        )
        for v in range(len(source))
    )
    return ConstituentAlignment(targets, tuple(not words_of for words_of in there))


def _partners(pairs: list[tuple[int, int]], nodes: PhraseNodes, node: int, side: int) -> list[int]:
    """The words of the other side that are aligned to words below a node."""
    span = range(nodes.begins[node], nodes.ends[node])
    return [pair[1 - side] for pair in pairs if pair[side] in span]


def _inside(words: list[int], nodes: PhraseNodes, node: int) -> bool:
    return all(nodes.begins[node] <= word < nodes.ends[node] for word in words)
