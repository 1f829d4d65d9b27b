"""A treebank grammar: binary rules, chains of unary rules, and what stands on top, as numbers.

    grammar_of(nodes):
      count the rules that binarisation makes of every tree
      a rule's score is log(count of the rule / count of its parent's rules)
      chains: for symbols A and B the best score of unary rules A => ... => B

A chain takes the place of the unary rules in the search, so that one step does what a loop of them
would, and rules that go round in a circle (NP -> S -> NP) do no harm: no probability is above 1, so
the best chain passes no symbol twice.

Differences
- *Our reading*: rules have no smoothing but what binarisation gives. Klein & Manning (2003), as far
  as we remember it, have none either; the paper was not at hand.
- *Our reading*: any label that stood above a tree may stand above one again, X among them. In the
  Penn sample's train part one tree is an X over a single IN, and no other root is over a single
  tag; so a sentence of one word without a stop comes out as (X (IN Rain)), or as a word below S.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any, Self

import numpy as np

from wordorder_lab.models.file_parts import in_range, row, sorted_texts
from wordorder_lab.parsing.annotation import Node, leaves_of
from wordorder_lab.parsing.binarise import every_step

MOST_SYMBOLS = 200_000
WORST = -1e6
"""No log probability of ours is below it, nor is anything that was counted less often than so."""
BINARY = ("parents", "lefts", "rights", "scores")
UNARY = ("uppers", "lowers", "unary_scores")
ROOTS = ("tops", "top_scores")
ARRAYS = (*BINARY, *UNARY, *ROOTS, "priors")
"""The last array of each group has scores, the others numbers of symbols."""


@dataclass(frozen=True)
class TreebankGrammar:
    """Rules over symbols, which are numbered in the order of their names.

    Binary rule ``r``: ``parents[r] -> lefts[r] rights[r]`` with ``scores[r]``, in the order of
    (left, right, parent). Unary rule ``u``: ``uppers[u] -> lowers[u]``. A tree may have ``tops[t]``
    as its root. ``priors[s]`` is the log share of a symbol among all nodes. Scores are natural
    logarithms, at most 0.
    """

    symbols: tuple[str, ...]
    parents: np.ndarray
    lefts: np.ndarray
    rights: np.ndarray
    scores: np.ndarray
    uppers: np.ndarray
    lowers: np.ndarray
    unary_scores: np.ndarray
    tops: np.ndarray
    top_scores: np.ndarray
    priors: np.ndarray

    @cached_property
    def ids(self) -> dict[str, int]:
        """The number of each symbol."""
        return {symbol: number for number, symbol in enumerate(self.symbols)}

    @cached_property
    def starts(self) -> np.ndarray:
        """Where the rules of each left child begin; one more than there are symbols."""
        places = np.searchsorted(self.lefts, np.arange(len(self.symbols) + 1))
        return places.astype(np.int64)

    @cached_property
    def chains(self) -> Chains:
        """The best chains of unary rules."""
        return chains_of(self.uppers.tolist(), self.lowers.tolist(), self.unary_scores.tolist())

    def arrays(self) -> dict[str, np.ndarray]:
        """What a file keeps."""
        return {name: getattr(self, name) for name in ARRAYS}

    @classmethod
    def from_parts(cls, symbols: Any, arrays: Mapping[str, np.ndarray]) -> Self:
        """The grammar of a file's parts. Raises ``ValueError`` where they do not fit together."""
        names = sorted_texts(symbols, "the symbols")
        if not 1 <= len(names) <= MOST_SYMBOLS:
            raise ValueError(f"{len(names):,} symbols")
        for group in (BINARY, UNARY, ROOTS, ("priors",)):
            size = len(row(arrays, group[-1], np.float64))
            in_range(arrays[group[-1]], group[-1], WORST, 0.0)
            for name in group[:-1]:
                in_range(row(arrays, name, np.int64, size), name, 0, len(names) - 1)
        row(arrays, "priors", np.float64, len(names))
        rules = list(zip(*(arrays[name].tolist() for name in ("lefts", "rights", "parents"))))
        chains = list(zip(*(arrays[name].tolist() for name in ("lowers", "uppers"))))
        for what in (rules, chains, arrays["tops"].tolist()):
            if any(one >= other for one, other in pairwise(what)):
                raise ValueError("the rules are not in order, each once")
        return cls(names, *(arrays[name] for name in ARRAYS))


def grammar_of(nodes: Iterable[Node], horizontal: int) -> TreebankGrammar:
    """Count and divide. Raises ``ValueError`` for no trees."""
    rules: Counter[tuple[str, tuple[str, ...]]] = Counter()
    tops: Counter[str] = Counter()
    tags: Counter[str] = Counter()
    for node in nodes:
        rules.update(every_step(node, horizontal))
        tops[node.symbol] += 1
        tags.update(leaf.symbol for leaf in leaves_of(node))
    if not tops:
        raise ValueError("there are no trees to read a grammar off")
    uses = Counter(tags)
    for (parent, _), count in rules.items():
        uses[parent] += count
    symbols = tuple(sorted(uses))
    ids = {symbol: number for number, symbol in enumerate(symbols)}
    shares = {rule: math.log(count / uses[rule[0]]) for rule, count in rules.items()}
    binary = sorted(
        (ids[below[0]], ids[below[1]], ids[parent], share)
        for (parent, below), share in shares.items()
        if len(below) == 2
    )
    unary = sorted(
        (ids[below[0]], ids[parent], share)
        for (parent, below), share in shares.items()
        if len(below) == 1
    )
    roots = sorted((ids[one], math.log(count / tops.total())) for one, count in tops.items())
    lefts, rights, parents, scores = _columns(binary, 4)
    lowers, uppers, unary_scores = _columns(unary, 3)
    top, top_scores = _columns(roots, 2)
    total = uses.total()
    priors = np.array([math.log(uses[symbol] / total) for symbol in symbols])
    return TreebankGrammar(
        symbols,
        parents,
        lefts,
        rights,
        scores,
        uppers,
        lowers,
        unary_scores,
        top,
        top_scores,
        priors,
    )


def _columns(rows: Sequence[tuple[Any, ...]], width: int) -> list[np.ndarray]:
    whole = [np.array([one[i] for one in rows], dtype=np.int64) for i in range(width - 1)]
    return [*whole, np.array([one[-1] for one in rows], dtype=np.float64)]


@dataclass(frozen=True)
class Chains:
    """Chain ``c`` leads from ``uppers[c]`` down to ``lowers[c]``, in the order of (lower, upper).
    ``via[upper, lower]`` is the symbol right below ``upper`` on its way."""

    uppers: np.ndarray
    lowers: np.ndarray
    scores: np.ndarray
    via: Mapping[tuple[int, int], int]

    def path(self, upper: int, lower: int) -> list[int]:
        """The symbols from ``upper`` to ``lower``, both included."""
        found = [upper]
        while found[-1] != lower:
            found.append(self.via[found[-1], lower])
        return found


def chains_of(uppers: Sequence[int], lowers: Sequence[int], scores: Sequence[float]) -> Chains:
    """The best chain between every two symbols, by Dijkstra's search from each lower end up. Of
    chains with one score the first that is found stays; rules are looked at in order."""
    above: dict[int, list[tuple[int, float]]] = {}
    for upper, lower, score in zip(uppers, lowers, scores):
        above.setdefault(lower, []).append((upper, score))
    rows: list[tuple[int, int, float]] = []
    via: dict[tuple[int, int], int] = {}
    for lower in sorted(above):
        best = {lower: 0.0}
        done: set[int] = set()
        while waiting := [(-best[one], one) for one in best if one not in done]:
            _, current = min(waiting)
            done.add(current)
            for upper, score in above.get(current, ()):
                total = best[current] + score
                if upper not in done and (upper not in best or total > best[upper]):
                    best[upper] = total
                    via[upper, lower] = current
        rows += [(lower, upper, best[upper]) for upper in sorted(best) if upper != lower]
    ends, begins, sums = _columns(rows, 3)
    return Chains(begins, ends, sums, via)
