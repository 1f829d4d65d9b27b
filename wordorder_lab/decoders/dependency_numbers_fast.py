"""A bag in numbers, as the kernels for dependency edges take it."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from wordorder_lab.decoders.coverage_fast import number_kinds, number_sets, words_for
from wordorder_lab.decoders.dependency_edges_fast import (
    DEPENDENTS,
    HEAD,
    NEED,
    NO_HEAD,
    Numbers,
)
from wordorder_lab.decoders.edge_scores_fast import UNKNOWN, Names
from wordorder_lab.features.edge_keys import EdgeKeys
from wordorder_lab.features.edge_program_fast import MAX_ITEMS, MAX_TAGS
from wordorder_lab.grammars.dependency_links import DependencyLinks
from wordorder_lab.grammars.gold_edges import GoldEdges
from wordorder_lab.structures.edge import HEAD_LEFT


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
    kinds, several, bits = number_kinds(links.count, 3)
    for k, head in enumerate(links.head):
        kinds[k, HEAD] = NO_HEAD if head is None else head
        kinds[k, NEED], kinds[k, DEPENDENTS] = links.need[k], links.dependents[k]
    tags = len({item.pos for item in links.problem.items})
    orders = words_for(len(kinds)) if any(links.before) else 0
    widths = np.array([words_for(bits), orders, words_for(tags)], np.int64)
    return Numbers(
        np.array([0, *links.kinds], np.int64),
        kinds,
        several,
        number_sets(links.before, orders),
        widths,
        *_gold(links, gold),
    )


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
