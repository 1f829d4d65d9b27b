"""Part of ``dependency_fast``: the words, kinds, orders and gold edges of a bag in numbers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from wordorder_lab.best_first.coverage_fast import OF_GRAMMAR, number_kinds, number_sets, words_for
from wordorder_lab.best_first.dependency_links import DependencyLinks
from wordorder_lab.best_first.edge import HEAD_LEFT
from wordorder_lab.best_first.features_fast import MAX_ITEMS, MAX_TAGS, UNKNOWN, Names
from wordorder_lab.best_first.gold import GoldStandard
from wordorder_lab.best_first.keys import EdgeKeys
from wordorder_lab.structures.problem import OrderingProblem

HEAD, NEED, DEPENDENTS = range(OF_GRAMMAR, OF_GRAMMAR + 3)
NO_HEAD = -2


class Numbers(NamedTuple):
    """A problem in numbers.

    ``kind_of[i]`` the kind of item i - 1, ``choices[i]`` the number of its form among those of all
    types that have several, 0 for a form that is the only one; ``kinds[k]`` what ``coverage_fast``
    needs, then the kind of the given head (-1 the root, -2 none given), how many of it a unit of
    that head takes, and how many given dependents a unit has; ``several`` and ``before`` as there;
    ``widths`` the words of 64 bits for coverage, kinds (0 without orders), tags and choices;
    ``gold[g]`` the gold edges as (left, right, action), ``gold_leaves`` the gold id of an item's
    leaf or -1.
    """

    kind_of: np.ndarray
    choices: np.ndarray
    kinds: np.ndarray
    several: np.ndarray
    before: np.ndarray
    widths: np.ndarray
    gold: np.ndarray
    gold_leaves: np.ndarray


def number_names(links: DependencyLinks, keys: EdgeKeys) -> Names:
    """Words, tags and labels of a problem.

    Raises ``ValueError`` for more than the keys of groups hold.
    """
    items = links.problem.items
    tags = sorted({item.pos for item in items})
    labelled = sorted({(item.pos, item.label) for item in items})
    if len(items) > MAX_ITEMS or len(labelled) > MAX_TAGS:
        raise ValueError(
            f"{len(items):,} words with a tag and a label, and {len(labelled):,} tags with a label,"
            " are too many for the fast engine: give the tags and labels of more words, or use "
            "engine='reference'"
        )
    own = {tag: i for i, tag in enumerate(tags, 1)}
    pairs = {pair: i for i, pair in enumerate(labelled, 1)}
    rows = [(0, 0, 0, 0, 0)]
    for item in items:
        word, tag = keys.word_ids.get(item.word, UNKNOWN), keys.tag_ids.get(item.pos, UNKNOWN)
        label = keys.label_ids.get(item.label, UNKNOWN)
        rows.append((word, tag, own[item.pos], label, pairs[item.pos, item.label]))
    numbers = [0, *(keys.tag_ids.get(tag, UNKNOWN) for tag in tags)]
    return Names(np.array(rows, np.int64), np.array(numbers, np.int64))


def number_problem(links: DependencyLinks, gold: GoldStandard | None = None) -> Numbers:
    """Kinds, orders and gold edges of a problem."""
    kinds, several, bits = number_kinds(links.count, 3)
    for k, head in enumerate(links.head):
        kinds[k, HEAD] = NO_HEAD if head is None else head
        kinds[k, NEED], kinds[k, DEPENDENTS] = links.need[k], links.dependents[k]
    tags = len({item.pos for item in links.problem.items})
    orders = words_for(len(kinds)) if any(links.before) else 0
    choices = number_choices(links.problem)
    sizes = words_for(bits), orders, words_for(tags), words_for(int(choices.max()))
    widths = np.array(sizes, np.int64)
    return Numbers(
        np.array([0, *links.kinds], np.int64),
        choices,
        kinds,
        several,
        number_sets(links.before, orders),
        widths,
        *_gold(links, gold),
    )


def number_choices(problem: OrderingProblem) -> np.ndarray:
    """The forms of types that have several, numbered from 1: a number an item, 0 for the others."""
    numbers: dict[tuple[int, tuple[str, ...]], int] = {}
    found = [0]
    for item in problem.items:
        several = len(problem.forms[item.type]) > 1
        found.append(numbers.setdefault(item[:2], len(numbers) + 1) if several else 0)
    return np.array(found, np.int64)


def _gold(links: DependencyLinks, gold: GoldStandard | None) -> tuple[np.ndarray, np.ndarray]:
    structures: Mapping[Any, int] = gold.numbers if gold is not None else {}
    pairs = np.full((len(structures), 3), -1, np.int32)
    leaves = np.full(1 + len(links.problem.items), -1, np.int32)
    for structure, number in structures.items():
        if isinstance(structure, tuple):
            left, right, action = structure
            pairs[number] = left, right, 0 if action == HEAD_LEFT else 1
        else:
            leaves[1 + structure] = number
    return pairs, leaves
