"""A best-first search on flat arrays, whatever the grammar: the twin of ``search``.

A grammar numbers a bag (``number``); its kernels do the rest, and ``built`` makes an edge of a line
of the arrays. Its loop runs until a goal, an empty agenda or a limit, and comes back when an array
is full. With a trace, or in learning, every step comes back: events as in the reference engine.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from wordorder_lab.best_first import arrays_fast as arrays
from wordorder_lab.best_first.chart import SIZES
from wordorder_lab.best_first.edge import Bounds, Edge
from wordorder_lab.best_first.features_fast import EdgeProgram, Model, Names, Run
from wordorder_lab.best_first.gold import GoldStandard
from wordorder_lab.best_first.keys import EdgeKeys
from wordorder_lab.best_first.language_model_fast import Language, LanguageRoom
from wordorder_lab.best_first.output import (
    ALL_WORDS,
    Charted,
    Ordering,
    default_output,
    join,
    with_all_words,
)
from wordorder_lab.best_first.settings import SearchSettings
from wordorder_lab.best_first.weights_fast import EdgeTable
from wordorder_lab.models.ngram import NGramModel
from wordorder_lab.runtime.kernel_fast import in_python
from wordorder_lab.structures.problem import Item, OrderingProblem, begin
from wordorder_lab.structures.trace import Trace

UNKNOWN_GOLD = -1
MANY = 1 << 40
"""A beam that is never full."""
STRIDE = 10_000
"""Edges between two looks at the clock, where there is a limit in seconds."""
NEVER = np.iinfo(np.int64).max

Outcome = tuple[list[Ordering], str, dict[str, int]]
"""The outputs, best first; why the search ended; how much work it was."""


Kernel = Callable[..., int]


class Kernels(NamedTuple):
    """A grammar's kernels: INITAGENDA, what comes of an edge, the loop of Algorithm 1 or 4,
    GOALTEST, and the first edge of the chart with the signature of another (-1: none)."""

    leaves: Kernel
    expand: Kernel
    loop: Kernel
    goal: Kernel
    like: Kernel


class FastSearch:
    """The arrays of a search, and its steps; an edge is its line, its serial less 1.

    The weights are those of ``table``, fixed or, in ``learning``, as they are. One object searches
    bag after bag, each with settings of its own. Where there are ``ngrams`` they count, and edges
    have more columns; what belongs to a language model is else not compiled.
    """

    program: EdgeProgram
    columns: int
    """How many a line of ``Edges.ints`` has for the grammar."""
    width: int
    """How many slots a row of the program has."""
    kernels: Kernels
    item_column: int
    """Where in a line a leaf has its item, counted from 1."""
    grammar: tuple[object, ...] | None = None
    numbers: arrays.Kinds
    names: Names
    bounds: Bounds
    items: Sequence[Item]
    settings: SearchSettings
    stopped: str
    traces_gold = False

    def __init__(
        self, keys: EdgeKeys, table: EdgeTable, learning: bool, ngrams: NGramModel | None = None
    ) -> None:
        self.keys, self.table, columns = keys, table, self.columns
        self.language: Language | None = None
        self.language_room = None
        if ngrams is not None:
            self.language_room = LanguageRoom(ngrams, columns)
            columns += self.language_room.columns
        self.room = arrays.Room(columns, len(self.program.groups), learning)
        self.row = np.zeros(self.width, np.int64)
        self.state[arrays.LEARNING] = learning

    # --- the decoder ------------------------------------------------------------------------

    def run(
        self,
        problem: OrderingProblem,
        settings: SearchSettings,
        trace: Trace | None = None,
        gold: GoldStandard | None = None,
    ) -> Outcome:
        """The best of up to ``k`` goals or one default output; why it ended; how much work it was.
        Raises ``ValueError`` for a bag with more than the keys of groups hold."""
        goals = self.search(problem, settings, trace, gold)
        return self._finish(goals, self.stopped, trace)

    def search(
        self,
        problem: OrderingProblem,
        settings: SearchSettings,
        trace: Trace | None = None,
        gold: GoldStandard | None = None,
    ) -> list[int]:
        """The loop of Algorithm 1 or 4: the goals; ``stopped`` says why it ended. Raises as
        ``run``."""
        began = time.perf_counter()
        self.begin(problem, settings, gold, trace)
        goals: list[int] = []
        stopped = self._stopped(goals, 0.0)
        while stopped is None:
            status = self._go_on() if trace is None else self._one_expansion(trace)
            if status == arrays.GOAL_POPPED:
                goals.append(int(self.state[arrays.CURRENT]))
                if trace is not None:
                    trace.goal(goals[-1] + 1, float(self.edges.score[goals[-1]]))
            stopped = self._stopped(goals, time.perf_counter() - began)
        self.stopped = stopped
        return goals

    def _stopped(self, goals: list[int], seconds: float) -> str | None:
        state = self.state
        if len(goals) >= self.settings.k:
            return "complete"
        if state[arrays.AT] < 0 and state[arrays.HEAP] == 0:
            return "agenda empty"
        return self.settings.limits.reached(
            int(state[arrays.POPPED]), int(state[arrays.EDGES]), seconds
        )

    def _go_on(self) -> int:
        """The loop, up to a goal, the end of the agenda, a limit, or a look at the clock."""
        limits = self.settings.limits
        expansions = NEVER if limits.expansions is None else min(limits.expansions, NEVER)
        most_edges = NEVER if limits.edges is None else min(limits.edges, NEVER)
        if limits.seconds is not None:
            most_edges = min(most_edges, int(self.state[arrays.EDGES]) + STRIDE)
        while True:
            status = self.call(self.kernels.loop, expansions, most_edges)
            if status in (arrays.DONE, arrays.EMPTY, arrays.GOAL_POPPED):
                return status
            self.room.grow(status)

    def _one_expansion(self, trace: Trace) -> int:
        edge = self.pop(trace)
        self.state[arrays.CURRENT] = edge
        if self.is_goal(edge):
            return arrays.GOAL_POPPED
        loser, _ = self.compare(edge)
        if loser >= 0:
            self.drop(loser, "signature", trace)
        if loser == edge:
            return arrays.DONE
        self.expand(edge, trace)
        dropped = int(arrays.add_to_chart(edge, self.edges, self.state))
        trace.charted(edge + 1)
        if dropped >= 0:
            trace.pruned(dropped + 1, "beam")
        return arrays.DONE

    def _finish(self, goals: list[int], stopped: str, trace: Trace | None) -> Outcome:
        state, score, how = self.state, self.edges.score, self.settings
        goals.sort(key=lambda edge: (-score[edge], edge))
        found = [[self.edge(goal)] for goal in goals] or [self.default_pieces(trace)]
        if trace is not None:
            if goals:
                trace.finished(goals[0] + 1, float(score[goals[0]]))
            trace.stopped(stopped)
        outputs = [join(pieces, how.scaled, self.items) for pieces in found]
        counters = {
            "expansions": int(state[arrays.POPPED]),
            "edges": int(state[arrays.EDGES]),
            "goals": len(goals),
            "dropped": int(state[arrays.DROPPED]),
        }
        return outputs, stopped, counters

    def default_pieces(self, _trace: Trace | None) -> list[Edge]:
        """The edges of the default output, side by side; new ones would go to the trace. Of the
        chart only these become objects."""
        lines = self.edges.chart[: self.state[arrays.CHART]]
        sizes, scores = self.edges.ints[lines, arrays.SIZE], self.edges.score[lines]
        counts = arrays.counts_of(lines, self.numbers, self.edges)
        rows = zip(sizes.tolist(), scores.tolist(), lines.tolist(), counts.tolist(), strict=True)
        chart = [Charted(size, (-score, line + 1), used) for size, score, line, used in rows]
        chosen = default_output(chart, self.bounds, self.settings.default)
        pieces = [self.edge(one.key[1] - 1) for one in chosen]
        if self.settings.default == ALL_WORDS:
            made = self.edges.ints[: self.state[arrays.EDGES], arrays.LEFT]
            leaves = [self.edge(line) for line in np.flatnonzero(made < 0).tolist()]
            return with_all_words(pieces, leaves, self.bounds)
        return pieces

    def gold_survival(self) -> tuple[float | None, int, bool]:
        """Of the last ``run``: the score of the gold goal, ``None`` where it was never made; the
        pop at which the first gold edge was out, 0 where none was; whether gold was popped last."""
        ints, last = self.edges.ints, int(self.state[arrays.CURRENT])
        gold = [
            int(edge) for edge in np.flatnonzero(ints[: self.state[arrays.EDGES], arrays.GOLD] >= 0)
        ]
        goals = [edge for edge in gold if self.is_goal(edge)]
        score = max([float(self.edges.score[edge]) for edge in goals], default=None)
        return score, int(self.state[arrays.GOLD_OUT]), last in goals

    # --- what a grammar says ----------------------------------------------------------------

    def number(self, problem: OrderingProblem, gold: GoldStandard | None) -> tuple[int, int, int]:
        """Give a bag its ``numbers``, ``names`` and ``bounds``, and ``state`` its number of units
        and signature; the widths of ``Edges.bits``, of ``Edges.counts`` and of sets of tags."""
        raise NotImplementedError

    def action_of(self, edge: int) -> tuple[str, str]:
        """The action of an edge as its events tell it, and its category, in CCG."""
        raise NotImplementedError

    def built(self, line: int, row: Sequence[int], left: Edge | None, right: Edge | None) -> Edge:
        """An edge as an object, of its line of ``Edges.ints`` and its parts; scores and gold are
        filled in by ``edge``."""
        raise NotImplementedError

    # --- the steps --------------------------------------------------------------------------

    def begin(
        self,
        problem: OrderingProblem,
        settings: SearchSettings,
        gold: GoldStandard | None,
        trace: Trace | None,
    ) -> None:
        """INITAGENDA, INITCHART: forget the last search; the leaves are on the agenda."""
        self.settings, self.items, self.traces_gold = settings, problem.items, gold is not None
        if self.language_room is not None:
            self.language = self.language_room.ready(problem, settings.lm_weight)
        self.state[arrays.BEAM] = min(settings.beam, MANY)
        self.state[arrays.BY_SIZE] = settings.chart == SIZES
        self.state[arrays.IS_SCALED] = settings.scaled
        bits, counts, tags = self.number(problem, gold)
        self.room.begin(bits, counts, tags)
        if trace is not None:
            begin(trace, problem, int(self.state[arrays.BEAM]))
        while (full := self.call(self.kernels.leaves)) != arrays.DONE:
            self.room.grow(full)
        if trace is not None:
            for leaf in range(int(self.state[arrays.EDGES])):
                self.trace_leaf(trace, leaf)

    def is_goal(self, edge: int) -> bool:
        """GOALTEST."""
        return bool(in_python(self.kernels.goal)(edge, self.whole))

    def compare(self, edge: int) -> tuple[int, int]:
        """DPCHARTPRUNE's pair, the loser and the winner; the loser is -1 where there is none."""
        other = int(self.kernels.like(edge, self.numbers, self.edges, self.state))
        if other < 0:
            return -1, edge
        loser = int(in_python(arrays.lower_of)(edge, other, self.edges, self.state))
        return loser, other if loser == edge else edge

    @property
    def state(self) -> np.ndarray:
        """The numbers of ``arrays_fast``."""
        return self.room.state

    @property
    def edges(self) -> arrays.Edges:
        """The edges, which move when they grow."""
        return self.room.edges

    @property
    def tables(self) -> arrays.Tables:
        """The summed weights, likewise."""
        return self.room.tables

    @property
    def model(self) -> Model:
        """All weights."""
        return Model(self.table.places, self.table.values)

    @property
    def whole(self) -> Run:
        """All that the kernels of the search take."""
        edges, tables, model, state = self.edges, self.tables, self.model, self.state
        own, names, program = self.numbers, self.names, self.program
        return Run(self.row, self.grammar, own, names, program, edges, tables, model, state)

    def call(self, step: Kernel, *first: int) -> int:
        """Call a kernel with these numbers and then all that the search consists of."""
        return step(*first, self.whole, self.language)

    def pop(self, trace: Trace | None = None) -> int:
        """POPBEST."""
        edge = int(arrays.pop_best(self.edges, self.state))
        if trace is not None:
            trace.popped(edge + 1, float(self.edges.score[edge]))
        return edge

    def expand(self, edge: int, trace: Trace | None = None) -> None:
        """Make all that comes of an edge; it is on the agenda then."""
        self.state[arrays.CURRENT] = edge
        first = int(self.state[arrays.EDGES])
        while (full := self.call(self.kernels.expand, edge)) != arrays.DONE:
            self.room.grow(full)
        if trace is not None:
            for new in range(first, int(self.state[arrays.EDGES])):
                self.trace_edge(trace, new)

    def trace_edge(self, trace: Trace, new: int) -> None:
        """Tell of an edge that was made of others."""
        left, right = (int(n) for n in self.edges.ints[new, [arrays.LEFT, arrays.RIGHT]])
        action, category = self.action_of(new)
        score, gold = float(self.edges.score[new]), self._traced_gold(new)
        trace.edge(new + 1, left + 1, right + 1, action, score, gold, category)

    def trace_leaf(self, trace: Trace, edge: int) -> None:
        """Tell of a leaf."""
        item = int(self.edges.ints[edge, self.item_column]) - 1
        word, (_, category) = self.items[item], self.action_of(edge)
        score, gold = float(self.edges.score[edge]), self._traced_gold(edge)
        trace.leaf(edge + 1, item, word.form, word.pos, score, gold, category)

    def _traced_gold(self, edge: int) -> int:
        """Whether an edge is gold: 1, 0, or -1 where nothing is known of gold."""
        return int(self.edges.ints[edge, arrays.GOLD] >= 0) if self.traces_gold else UNKNOWN_GOLD

    def in_chart(self, edge: int) -> bool:
        """Whether an edge is in the chart."""
        return bool((self.edges.chart[: self.state[arrays.CHART]] == edge).any())

    def drop(self, edge: int, reason: str, trace: Trace | None = None) -> None:
        """An edge is out: off the chart, or popped and not put there."""
        if self.in_chart(edge):
            arrays.remove(edge, self.edges, self.state)
        if trace is not None:
            trace.pruned(edge + 1, reason)

    def edge(self, line: int) -> Edge:
        """An edge as an object, with all that it was built of."""
        edges, lines = self.edges, [line]
        for here in lines:
            lines += [part for part in edges.ints[here, : arrays.ACTION].tolist() if part >= 0]
        lines = sorted(set(lines))  # parts were made before what is made of them
        numbers = (
            edges.ints[lines].tolist(),
            edges.total[lines].tolist(),
            edges.score[lines].tolist(),
        )
        built: dict[int, Edge] = {}
        for here, row, total, score in zip(lines, *numbers, strict=True):
            left, right = built.get(row[arrays.LEFT]), built.get(row[arrays.RIGHT])
            made = built[here] = self.built(here, row, left, right)
            made.gold, made.total, made.score = row[arrays.GOLD], total, score
        return built[line]
