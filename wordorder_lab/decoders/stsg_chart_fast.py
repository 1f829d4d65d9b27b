"""Chart decoding with a synchronous tree substitution grammar: the engine to work with.

The twin of ``stsg_chart``: the same derivations, scores, counters and events, to the last bit. A
search is one kernel (``stsg_cells_fast``) on flat arrays.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from wordorder_lab.best_first.arrays_fast import DONE, EDGES
from wordorder_lab.decoders.k_best_derivations import Derivations, Goal
from wordorder_lab.decoders.stsg_arrays_fast import (
    EXHAUSTIVE,
    FIRST_COMBINATION,
    ITEMS,
    KEPT,
    SCORE,
    TOTAL,
    UNIQUE,
    Room,
)
from wordorder_lab.decoders.stsg_cells_fast import fill_cells
from wordorder_lab.decoders.stsg_events_fast import Filled
from wordorder_lab.decoders.stsg_goals_fast import best_goal, follow, make_goals
from wordorder_lab.decoders.stsg_input import (
    BEAMS,
    Beam,
    Derived,
    Transduced,
    TransductionInput,
    check_search,
)
from wordorder_lab.decoders.stsg_loss_fast import FastLoss
from wordorder_lab.decoders.stsg_rules_fast import FastProblem
from wordorder_lab.models.ngram import NGramModel
from wordorder_lab.models.ngram_fast import FastNGram, NGramTable


class FastTransducer:
    """Decodes one source tree after another; it keeps the table of the n-gram model given last."""

    def __init__(self) -> None:
        self._ngrams: NGramModel | None = None
        self._table: NGramTable | None = None

    def run(
        self,
        given: TransductionInput,
        beam: Beam = BEAMS["experiments"],
        search: str = "cube",
        k: int = 1,
        trace: Any = None,
        *,
        problem: FastProblem | None = None,
        loss: FastLoss | None = None,
    ) -> Transduced:
        """The ``k`` best derivations, by score plus loss; fewer if the chart has fewer.

        ``problem`` and ``loss`` are the numbers of what is given, if they have been made before.
        Raises ``ValueError`` where they are another's, for scores that are not one an application,
        and for a search or beam that there is not.
        """
        check_search(search, beam)
        problem = problem or FastProblem.of(given.problem, given.ngrams)
        loss = loss or FastLoss.of(given.loss, given.problem)
        _check(given, problem, loss)
        one = _Search(self._table_of(given.ngrams), given, problem, loss)
        one.fill(beam, search)
        return one.finish(k, trace)

    def _table_of(self, ngrams: NGramModel) -> NGramTable:
        if self._table is None or ngrams is not self._ngrams:
            self._ngrams, self._table = ngrams, FastNGram(ngrams.header(), ngrams.arrays()).table
        return self._table


def _check(given: TransductionInput, problem: FastProblem, loss: FastLoss) -> None:
    for name, mine, theirs in (
        ("problem", given.problem, problem.problem),
        ("n-gram model", given.ngrams, problem.ngrams),
        ("problem", given.problem, loss.problem),
        ("loss", given.loss, loss.loss),
    ):
        if mine is not theirs:
            raise ValueError(f"these numbers are of another {name}: make them for the one given")
    if len(given.scores) != len(given.problem.applications):
        n, found = len(given.problem.applications), len(given.scores)
        raise ValueError(f"there are {n} applications and {found} scores: give one for each")


class _Search:
    """One search: its arrays, and what comes out of them."""

    def __init__(
        self, ngrams: Any, given: TransductionInput, problem: FastProblem, loss: FastLoss
    ) -> None:
        self.problem, self.rules, self.loss = given.problem, problem.rules, loss.table
        self.scores = np.array(given.scores, np.float64)
        self.weight, self.ngrams = float(given.ngram_weight), ngrams
        order = given.ngrams.order
        width = max(order - 1, loss.reach)
        counts = len(self.loss.caps)
        self.room = Room(len(given.problem.cells), problem.arity, width, order - 1, counts)

    def fill(self, beam: Beam, search: str) -> None:
        """All cells."""
        room, state = self.room, self.room.state
        state[UNIQUE], state[TOTAL] = beam
        state[EXHAUSTIVE] = search == "exhaustive"
        given = (self.scores, self.weight, self.ngrams, self.rules, self.loss)
        while True:
            arrays = (room.items, room.combinations, room.queue, room.scratch)
            full = fill_cells(*given, *arrays, state)
            if full == DONE:
                break
            room.grow(full)
        self.taken = room.items.cells[-1, FIRST_COMBINATION] = state[EDGES]

    def finish(self, k: int, trace: Any) -> Transduced:
        """The best derivations of the root, told to the trace."""
        goals, gains = self._goals()
        filled = None
        if k == 1 and trace is None:
            best = [self._best(goals, gains)] if len(goals) else []
        else:
            filled = Filled(self.problem, self.room.items, self.room.combinations, self.taken)
            ends = [Goal(i, *gain) for i, gain in zip(goals.tolist(), gains.tolist())]
            found = Derivations(filled.edges, self.scores.tolist()).best(ends, k)
            best = [Derived(applications, *rest) for *rest, applications in found]
        if trace is not None and filled is not None:
            filled.tell(trace)
            for rank, one in enumerate(best):
                words = self.problem.target_tree(one.applications).leaves()
                trace.compressed(rank, one.score, list(one.applications), words)
        counters = {"combinations": int(self.taken), "items": int(self.room.state[ITEMS])}
        return Transduced(tuple(best), counters)

    def _goals(self) -> tuple[np.ndarray, np.ndarray]:
        """The items of the root; what the end adds to each, and its loss."""
        items = self.room.items
        counts = items.cells[self.rules.roots, KEPT]
        n = int(counts.sum())
        goals, gains = np.empty(n, np.int64), np.empty((n, 2))
        given = (self.weight, self.ngrams, self.rules, self.loss)
        make_goals(goals, gains, *given, items, self.room.scratch)
        return goals, gains

    def _best(self, goals: np.ndarray, gains: np.ndarray) -> Derived:
        """The best derivation; every application of it is in another cell."""
        room = self.room
        goal = best_goal(goals, gains, room.items)
        found, todo = np.empty((2, len(self.problem.cells)), np.int64)
        item = goals[goal]
        n = follow(item, found, todo, self.rules, room.items, room.combinations)
        end, loss = gains[goal].tolist()
        score = float(room.items.floats[item, SCORE]) + end
        return Derived(tuple(found[:n].tolist()), score, loss)
