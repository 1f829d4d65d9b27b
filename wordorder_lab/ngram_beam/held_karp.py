"""The best order of a bag under an n-gram model, for certain: Held & Karp's recursion (1962).

To put what is left over behind a beginning, it does not matter in which order the beginning was
made, but for its last words, which the model still looks at. So of all beginnings with the same
units and the same last words only the best one can go on:

    best(bag, h) = max over units u and histories g with g + u = h of
                   best(bag without u, g) + log p(u | g)

Sub-bags are gone through from small to large. With n different units there are 2 ** n of them, not
n! orders. What is exact here tells whether a wrong sentence is the fault of the model or the beam.

A beginning is dropped where even the best that is left for the rest would not lift it to what a
beam has reached: so nothing that could win is dropped. The best that is left is the price of a
relaxed problem, in which each unit has another one before it, but not necessarily in one row (an
assignment; its dual prices hold for every sub-bag): two units cannot both come behind "of".

Differences
- *Our reading*: in their paper a history is the last city alone. Here it is the longest end of the
  words that the model knows, mostly one or two of them.
- *Our reading*: for the ``k`` best, each sub-bag and history keeps as many beginnings.
"""

from __future__ import annotations

import math
from bisect import insort
from collections.abc import Iterator, Sequence
from heapq import nlargest
from typing import NamedTuple

import numpy as np

from wordorder_lab.models.ngram import END_ID, START_ID, NGramModel
from wordorder_lab.ngram_beam.bag import NGramBag

MOST_BAGS = 2**14
"""Sub-bags that are gone through at most: those of fourteen different units."""
UNITS = 14
"""So many units that are all different have so many sub-bags."""

MOST_KEPT = 2**15
"""Sub-bags by beginnings kept of each, ``k``, at most."""

SLACK = 1e-6
"""The bound is added up in another order than a score: by less than this they may differ."""

History = tuple[int, ...]


class Beginning(NamedTuple):
    """A beginning of a sentence: its score, its last item, and the beginning before."""

    score: float
    item: int = -1
    before: Beginning | None = None


Layer = dict[tuple[int, ...], dict[History, list[Beginning]]]
"""Beginnings of equally many units, by the units left over and the history."""


def best_orders(
    bag: NGramBag, model: NGramModel, k: int = 1, reached: float = -math.inf
) -> tuple[list[tuple[float, list[int]]], dict[str, int]]:
    """The ``k`` best orders as (score, items), best first, and how much work it was. ``reached``: a
    score that ``k`` orders are known to have. Raises ``ValueError`` as ``check_size``."""
    check_size(bag, k)
    search = _Search(bag, model, k, reached)
    layer: Layer = {bag.counts: {model.known_end((START_ID,)): [Beginning(0.0)]}}
    units = 0
    while any(any(left) for left in layer):
        layer = search.longer(layer)
        units += 1
    ((_, histories),) = layer.items()
    best = search.first([one for kept in histories.values() for one in kept])
    done = {"steps": units, "states": search.states, "candidates": search.candidates}
    return [(one.score, _items(one)) for one in best], done


def check_size(bag: NGramBag, k: int) -> None:
    """Raise ``ValueError`` for more sub-bags than ``MOST_BAGS``, or too many orders of them."""
    bags = math.prod(count + 1 for count in bag.counts)
    if bags > MOST_BAGS:
        raise ValueError(
            f"exact search goes through all sub-bags, {MOST_BAGS:,} at most, those of {UNITS} "
            f"different units; this bag would need {bags:,.0f}: give fewer units, keep phrases "
            "whole, or leave out exact"
        )
    if k > 1 and bags * k > MOST_KEPT:
        raise ValueError(
            f"exact search keeps k orders of each sub-bag, {MOST_KEPT:,} in all at most; this bag "
            f"has {bags:,} sub-bags, so k is at most {MOST_KEPT // bags:,}, not {k:,}: give a "
            "smaller k, fewer units, or leave out exact"
        )


class _Search:
    def __init__(self, bag: NGramBag, model: NGramModel, k: int, reached: float) -> None:
        self.bag, self.model, self.k, self.reached = bag, model, k, reached
        self.moves: dict[tuple[History, int, bool], tuple[list[float], History]] = {}
        self.before, self.after = self.prices()
        self.states = self.candidates = 0

    def longer(self, layer: Layer) -> Layer:
        """The beginnings that are one unit longer."""
        following: Layer = {}
        for left, histories in layer.items():
            self.states += len(histories)
            for item in self.possible(left):
                kind = self.bag.kinds[item]
                after = (*left[:kind], left[kind] - 1, *left[kind + 1 :])
                least = self.reached - SLACK - self.bound(after, kind)
                kept = following.setdefault(after, {})
                for history, beginnings in histories.items():
                    self.extend(beginnings, history, item, least, not any(after), kept)
        return {left: kept for left, kept in following.items() if kept}

    def extend(
        self,
        beginnings: Sequence[Beginning],
        history: History,
        item: int,
        least: float,
        last: bool,
        kept: dict[History, list[Beginning]],
    ) -> None:
        """Put an item behind beginnings with one history; ``kept`` gets what reaches ``least``. The
        best beginning comes first, so what follows on one that is not kept is not, either."""
        logs, then = self.move(history, item, last)
        for beginning in beginnings:
            score = beginning.score
            for log in logs:
                score += log
            self.candidates += 1
            if score < least:
                break
            same = kept.setdefault(then, [])
            if len(same) == self.k and same[-1].score >= score:
                break
            insort(same, Beginning(score, item, beginning), key=_worst_last)
            del same[self.k :]

    def possible(self, left: Sequence[int]) -> list[int]:
        """The items that may come now."""
        return [
            item
            for item, kind in enumerate(self.bag.kinds)
            if left[kind] and not any(left[one] for one in self.bag.earlier[kind])
        ]

    def move(self, history: History, item: int, last: bool) -> tuple[list[float], History]:
        """The logarithms of an item's words after a history, and the history then."""
        key = history, item, last
        if key not in self.moves:
            context, logs = list(history), []
            for word in (*self.bag.tokens[item], *([END_ID] if last else [])):
                logs.append(self.model.log_prob(context, word))
                context.append(word)
            self.moves[key] = logs, self.model.known_end(context)
        return self.moves[key]

    def first(self, beginnings: Sequence[Beginning]) -> list[Beginning]:
        """The ``k`` best, best first; of equal ones those that come first."""
        return nlargest(self.k, beginnings, key=lambda one: one.score)

    # --- what units left over can bring at most -----------------------------------------------

    def bound(self, left: Sequence[int], last: int) -> float:
        """The best that is left for these units and the end, behind a unit of the kind ``last``."""
        if not any(left):
            return 0.0
        total = self.before[last] + self.after[-1]
        for count, before, after in zip(left, self.before, self.after, strict=False):
            total += count * (before + after)
        return total

    def prices(self) -> tuple[list[float], list[float]]:
        """What a unit of each kind pays for what comes behind it, and brings when it comes.

        The last ones are the start's and the end's. Whatever is paid, a unit brings at most the
        best that it can have behind any other, less what that one pays.
        """
        from scipy.optimize import linprog  # seldom reached, and slow to import

        counts = np.array([*self.bag.counts, 1.0])
        n = len(counts)
        if math.isinf(self.reached):
            return [0.0] * n, [0.0] * n
        pairs = self.pairs()
        behind, comes = np.nonzero(np.isfinite(pairs))
        found = linprog(
            -pairs[behind, comes],
            A_eq=np.vstack([behind == np.arange(n)[:, None], comes == np.arange(n)[:, None]]),
            b_eq=np.concatenate([counts, counts]),
        )
        paid = -found.eqlin.marginals[:n] if found.success else np.zeros(n)
        return paid.tolist(), (pairs - paid[:, None]).max(axis=0).tolist()

    def pairs(self) -> np.ndarray:
        """The best logarithm of a unit's words behind a unit of each kind, or -inf. Rows are the
        kinds of those before, and the start; columns those that come, and the end."""
        n = len(self.bag.counts)
        lasts = [{START_ID} if kind == n else set() for kind in range(n + 1)]
        for tokens, kind in zip(self.bag.tokens, self.bag.kinds, strict=True):
            lasts[kind].add(tokens[-1])
        best = np.full((n + 1, n + 1), -math.inf)
        for history in self.histories():
            behind = [kind for kind in range(n + 1) if not history or history[-1] in lasts[kind]]
            row = np.full(n + 1, -math.inf)
            row[n] = self.model.log_prob(history, END_ID)
            for item, kind in enumerate(self.bag.kinds):
                total = 0.0
                for log in self.move(history, item, last=False)[0]:
                    total += log
                row[kind] = max(row[kind], total)
            best[behind] = np.maximum(best[behind], row)
        alone = [kind for kind in range(n) if self.bag.counts[kind] == 1]
        best[alone, alone] = best[n, n] = -math.inf
        return best

    def histories(self) -> Iterator[History]:
        """All that the last words can be: n-grams of the model that are made of the bag's words."""
        words = sorted({word for tokens in self.bag.tokens for word in tokens})
        todo = {self.model.known_end((word,)) for word in (START_ID, *words)}
        while todo:
            yield from todo
            longer = [(*history, word) for history in todo for word in words if history]
            known = {one for one in longer if self.model.known_end(one) == one}
            todo = known if self.model.order > 1 else set()


def _worst_last(beginning: Beginning) -> float:
    return -beginning.score


def _items(beginning: Beginning) -> list[int]:
    items = []
    one: Beginning | None = beginning
    while one is not None and one.before is not None:
        items.append(one.item)
        one = one.before
    return items[::-1]
