"""A bag in numbers, as the kernels for dependency edges take it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from wordorder_lab.decoders.dependency_edges_fast import (
    BIT,
    COUNT,
    DEPENDENTS,
    HEAD,
    NEED,
    NO_HEAD,
    SEVERAL,
    Numbers,
)
from wordorder_lab.decoders.edge_scores_fast import UNKNOWN, Names
from wordorder_lab.features.edge_keys import EdgeKeys
from wordorder_lab.features.edge_program_fast import MAX_ITEMS, MAX_TAGS
from wordorder_lab.grammars.dependency_links import DependencyLinks
from wordorder_lab.grammars.gold_edges import GoldEdges
from wordorder_lab.structures.edge import HEAD_LEFT

WORD_BITS = 64


def number_names(links: DependencyLinks, keys: EdgeKeys) -> Names:
    """Words and tags of a problem. Raises ``ValueError`` for more than the keys of groups hold."""
    items = links.problem.items
    tags = sorted({item.pos for item in items})
    if len(items) > MAX_ITEMS or len(tags) > MAX_TAGS:
        raise ValueError(
            f"{len(items):,} pairs of word and tag with {len(tags):,} tags are too many for the "
            "fast engine: give the tags of more words, or use engine='reference'"
        )
    own = {tag: i for i, tag in enumerate(tags, 1)}
    rows = [(0, 0, 0)]
    for item in items:
        word, tag = keys.word_ids.get(item.word, UNKNOWN), keys.tag_ids.get(item.pos, UNKNOWN)
        rows.append((word, tag, own[item.pos]))
    numbers = [0, *(keys.tag_ids.get(tag, UNKNOWN) for tag in tags)]
    return Names(np.array(rows, np.int64), np.array(numbers, np.int64))


def number_problem(links: DependencyLinks, gold: GoldEdges | None = None) -> Numbers:
    """Kinds, orders and gold edges of a problem."""
    several = [k for k, count in enumerate(links.count) if count > 1]
    kinds = np.zeros((len(links.count), 6), np.int64)
    bit = 0
    for k, count in enumerate(links.count):
        head = links.head[k]
        kinds[k, COUNT], kinds[k, HEAD] = count, NO_HEAD if head is None else head
        kinds[k, NEED], kinds[k, DEPENDENTS] = links.need[k], links.dependents[k]
        kinds[k, BIT], kinds[k, SEVERAL] = bit, several.index(k) if count > 1 else -1
        bit += count
    tags = len({item.pos for item in links.problem.items})
    orders = _words(len(kinds)) if any(links.before) else 0
    widths = np.array([_words(bit), orders, _words(tags)], np.int64)
    return Numbers(
        np.array([0, *links.kinds], np.int64),
        kinds,
        np.array(several, np.int64),
        _sets(links.before, orders),
        widths,
        *_gold(links, gold),
    )


def _words(bits: int) -> int:
    return -(-bits // WORD_BITS)


def _sets(sets: Sequence[set[int]], words: int) -> np.ndarray:
    found = np.zeros((len(sets), words), np.uint64)
    for row, members in enumerate(sets):
        for k in members if words else ():
            found[row, k // WORD_BITS] |= np.uint64(1 << k % WORD_BITS)
    return found


def _gold(links: DependencyLinks, gold: GoldEdges | None) -> tuple[np.ndarray, np.ndarray]:
    structures: Mapping = gold.numbers if gold is not None else {}
    pairs = np.full((len(structures), 3), -1, np.int32)
    leaves = np.full(1 + len(links.problem.items), -1, np.int32)
    for structure, number in structures.items():
        if isinstance(structure, tuple):
            left, right, action = structure
            pairs[number] = left, right, 0 if action == HEAD_LEFT else 1
        else:
            leaves[1 + structure] = number
    return pairs, leaves
