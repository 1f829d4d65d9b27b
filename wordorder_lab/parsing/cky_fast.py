"""CKY parsing with a beam in each cell, the fast engine: ``cky``'s twin.

The same charts, scores and events, to the last bit. A search is one kernel on flat arrays. What
ends at the current word is looked up in a table by start and symbol; the constituents of earlier
cells stand in a row, those of a cell side by side.

Differences
- *Our reading*: those of the twin, point by point.
"""

# mypy: allow-untyped-defs, allow-untyped-calls, no-check-untyped-defs
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from wordorder_lab.parsing.chart import (
    END,
    LEFT,
    LOWER,
    MOST_ITEMS,
    NONE,
    RIGHT,
    SERIAL,
    START,
    SYMBOL,
    Chart,
    too_many,
)
from wordorder_lab.parsing.grammar import TreebankGrammar
from wordorder_lab.runtime.kernel_fast import kernel
from wordorder_lab.structures.trace import Trace

Leaf = Sequence[tuple[int, float]]
FIRST_ITEMS, FIRST_EVENTS = 1 << 14, 1 << 14


class FastParser:
    """A grammar made ready for the search."""

    def __init__(self, grammar: TreebankGrammar) -> None:
        self.grammar = grammar
        chains = grammar.chains
        places = np.searchsorted(chains.lowers, np.arange(len(grammar.symbols) + 1))
        self.rules = (grammar.starts, grammar.rights, grammar.parents, grammar.scores)
        self.chains = (places.astype(np.int64), chains.uppers, chains.scores)

    def parse(
        self,
        leaves: Sequence[Leaf],
        beam: float,
        trace: Trace | None = None,
        most: int = MOST_ITEMS,
    ) -> Chart:
        """Fill the chart; ``leaves`` has the tags of each word, ``beam`` is a log ratio. Raises
        ``ValueError`` for a chart of more than ``most`` constituents."""
        grammar, size = self.grammar, len(leaves)
        rows = [one for leaf in leaves for one in leaf]
        begins = np.zeros(size + 1, dtype=np.int64)
        for i, leaf in enumerate(leaves):
            begins[i + 1] = begins[i] + len(leaf)
        tags = np.array([symbol for symbol, _ in rows], dtype=np.int64)
        fits = np.array([score for _, score in rows], dtype=np.float64)
        items, scores, events, told, goal, score = fill_chart(
            (begins, tags, fits),
            self.rules,
            self.chains,
            (grammar.tops, grammar.top_scores),
            grammar.priors,
            float(beam),
            trace is not None,
            most,
        )
        if len(items) > most:
            raise too_many(most)
        if trace is not None:
            self._tell(trace, events.tolist(), told.tolist())
        return Chart(size, items, scores, int(goal), float(score))

    def _tell(self, trace: Trace, events: Sequence[Any], scores: Sequence[float]) -> None:
        names = self.grammar.symbols
        for (symbol, _, left, right, serial, start, end), score in zip(events, scores):
            if symbol == NONE:
                trace.out_of_beam(serial)
            else:
                trace.constituent(serial, start, end, names[symbol], score, left, right)


@kernel
def longer(array):
    """The same numbers or rows with room for as many again."""
    return np.concatenate((array, np.empty_like(array)))


@kernel
def combine(start, end, items, scores, firsts, counts, table, rules, best, made):
    """The constituents that two smaller ones make, into the row ``best`` and the table ``made``."""
    rule_starts, rule_rights, rule_parents, rule_scores = rules
    for middle in range(start + 1, end):
        if counts[middle, end] == 0:
            continue
        rights = table[middle]
        first = firsts[start, middle]
        for left in range(first, first + counts[start, middle]):
            symbol = items[left, SYMBOL]
            score = scores[left]
            for r in range(rule_starts[symbol], rule_starts[symbol + 1]):
                right = rights[rule_rights[r]]
                if right < 0:
                    continue
                total = score
                total += scores[right]
                total += rule_scores[r]
                parent = rule_parents[r]
                if total > best[parent]:
                    best[parent] = total
                    made[parent, LEFT] = left
                    made[parent, RIGHT] = right


@kernel
def chain(best, final, lower_of, chains):
    """The best chains of unary rules over a cell: scores to ``final``, lower ends to the other."""
    chain_starts, chain_uppers, chain_scores = chains
    for symbol in range(len(best)):
        final[symbol] = best[symbol]
        lower_of[symbol] = NONE
    for lower in range(len(best)):
        below = best[lower]
        if below == -np.inf:
            continue
        for c in range(chain_starts[lower], chain_starts[lower + 1]):
            total = below
            total += chain_scores[c]
            upper = chain_uppers[c]
            if total > final[upper]:
                final[upper] = total
                lower_of[upper] = lower


@kernel
def record(span, cell, items, cut, priors, given, log):
    """The events of a full cell; gives the log back, whose tables may have grown.

    ``cell`` has scores, lower ends and parts by symbol; ``log`` has events, with the symbol -1
    where the beam leaves one out, their scores, how many they are, and the last serial.
    """
    start, end = span
    final, lower_of, made = cell
    events, told, size, serial = log
    for chained in range(2):
        for symbol in range(len(final)):
            if final[symbol] == -np.inf or (lower_of[symbol] != NONE) != (chained == 1):
                continue
            serial += 1
            given[symbol] = serial
    for what in range(4):  # made and chained, then left out in the same order
        for symbol in range(len(final)):
            if final[symbol] == -np.inf or (lower_of[symbol] != NONE) != (what % 2 == 1):
                continue
            if what >= 2 and final[symbol] + priors[symbol] >= cut:
                continue
            if size == len(events):
                events, told = longer(events), longer(told)
            row = events[size]
            told[size] = final[symbol]
            size += 1
            row[LOWER] = NONE
            row[SERIAL], row[START], row[END] = given[symbol], start, end
            row[LEFT] = row[RIGHT] = 0
            row[SYMBOL] = symbol if what < 2 else NONE
            if lower_of[symbol] != NONE:
                row[LEFT] = given[lower_of[symbol]]
            elif made[symbol, LEFT] != NONE:
                row[LEFT] = items[made[symbol, LEFT], SERIAL]
                row[RIGHT] = items[made[symbol, RIGHT], SERIAL]
    return events, told, size, serial


@kernel
def fill_chart(leaves, rules, chains, tops, priors, beam, tracing, most):
    """Fill all cells; gives constituents, scores, events, their scores, the goal and its score."""
    begins, tags, fits = leaves
    size, symbols = len(begins) - 1, len(priors)
    items = np.empty((FIRST_ITEMS, 7), dtype=np.int32)
    scores = np.empty(FIRST_ITEMS)
    events = np.empty((FIRST_EVENTS if tracing else 1, 7), dtype=np.int32)
    told = np.empty(FIRST_EVENTS if tracing else 1)
    firsts = np.zeros((size + 1, size + 1), dtype=np.int64)
    counts = np.zeros((size + 1, size + 1), dtype=np.int64)
    table = np.full((size, symbols), NONE, dtype=np.int32)
    best, final = np.full(symbols, -np.inf), np.empty(symbols)
    made = np.full((symbols, 4), NONE, dtype=np.int32)
    lower_of = np.empty(symbols, dtype=np.int32)
    given = np.zeros(symbols, dtype=np.int32)
    number = serial = recorded = 0
    for end in range(1, size + 1):
        for start in range(end - 1, -1, -1):
            best[:] = -np.inf
            if end == start + 1:
                for t in range(begins[start], begins[end]):
                    best[tags[t]] = fits[t]
                    made[tags[t], LEFT] = made[tags[t], RIGHT] = NONE
            else:
                combine(start, end, items, scores, firsts, counts, table, rules, best, made)
            chain(best, final, lower_of, chains)
            top = -np.inf
            for symbol in range(symbols):
                if final[symbol] != -np.inf and final[symbol] + priors[symbol] > top:
                    top = final[symbol] + priors[symbol]
            cut = -np.inf if start == 0 and end == size else top - beam
            if tracing:
                cell, log = (final, lower_of, made), (events, told, recorded, serial)
                log = record((start, end), cell, items, cut, priors, given, log)
                events, told, recorded, serial = log
            firsts[start, end] = number
            for symbol in range(symbols):
                if final[symbol] == -np.inf or final[symbol] + priors[symbol] < cut:
                    continue
                if number == len(items):
                    items, scores = longer(items), longer(scores)
                base = lower_of[symbol] if lower_of[symbol] != NONE else symbol
                scores[number] = final[symbol]
                row = items[number]
                row[SYMBOL], row[LOWER] = symbol, lower_of[symbol]
                row[LEFT], row[RIGHT] = made[base, LEFT], made[base, RIGHT]
                row[SERIAL] = given[symbol] if tracing else 0
                row[START], row[END] = start, end
                table[start, symbol] = number
                number += 1
            counts[start, end] = number - firsts[start, end]
            if number > most:
                return items[:number], scores[:number], events[:0], told[:0], NONE, 0.0
        for start in range(end if end < size else 0):
            first = firsts[start, end]
            for i in range(first, first + counts[start, end]):
                table[start, items[i, SYMBOL]] = NONE
    goal, score = NONE, 0.0
    for t in range(len(tops[0])):
        found = table[0, tops[0][t]]
        if found != NONE:
            total = scores[found]
            total += tops[1][t]
            if goal == NONE or total > score:
                goal, score = found, total
    return items[:number], scores[:number], events[:recorded], told[:recorded], goal, score
