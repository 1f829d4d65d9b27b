"""One best-first search over dependency edges on flat arrays, step by step.

The decoder and the learner take these steps; what differs between them is their loop.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from wordorder_lab.decoders.agenda_fast import pop_best
from wordorder_lab.decoders.dependency_edges_fast import (
    COLUMNS,
    ROOT,
    add_leaf,
    room_for_four,
)
from wordorder_lab.decoders.dependency_expand_fast import expand
from wordorder_lab.decoders.dependency_numbers_fast import number_names, number_problem
from wordorder_lab.decoders.edge_arrays_fast import (
    ACTION,
    BEAM,
    BY_SIZE,
    CURRENT,
    DONE,
    EDGES,
    GOLD,
    LEARNING,
    LEFT,
    RIGHT,
    SCALED,
    SIZE,
    UNITS,
    Edges,
    Room,
    Tables,
)
from wordorder_lab.decoders.edge_scores_fast import Model
from wordorder_lab.decoders.search_events import begin
from wordorder_lab.features.edge_keys import EdgeKeys
from wordorder_lab.features.edge_program_fast import WIDTH, compile_edge_program
from wordorder_lab.grammars.dependency_links import DependencyLinks
from wordorder_lab.grammars.gold_edges import GoldEdges
from wordorder_lab.models.edge_table_fast import EdgeTable
from wordorder_lab.structures.chart import SIZES
from wordorder_lab.structures.edge import HEAD_LEFT, HEAD_RIGHT, Edge, linked_heads
from wordorder_lab.structures.problem import OrderingProblem

NAMES = (HEAD_LEFT, HEAD_RIGHT)
UNKNOWN_GOLD = -1
MANY = 1 << 40
"""A beam that is never full."""


class FastSearch:
    """The arrays of a search, and its steps; an edge is its line, its serial less 1."""

    def __init__(
        self,
        keys: EdgeKeys,
        table: EdgeTable,
        beam: int,
        chart: str,
        scaled: bool,
        learning: bool,
    ) -> None:
        self.keys, self.table, self.scaled = keys, table, scaled
        self.program = compile_edge_program(keys)
        self.room = Room(COLUMNS, len(self.program.groups), learning)
        self.row = np.zeros(WIDTH, np.int64)
        settings = {
            BEAM: min(beam, MANY),
            BY_SIZE: chart == SIZES,
            SCALED: scaled,
            LEARNING: learning,
        }
        for place, value in settings.items():
            self.state[place] = value

    @property
    def state(self) -> np.ndarray:
        """The numbers of ``edge_arrays_fast``."""
        return self.room.state

    @property
    def edges(self) -> Edges:
        """The edges, which move when they grow."""
        return self.room.edges

    @property
    def tables(self) -> Tables:
        """The summed weights, likewise."""
        return self.room.tables

    @property
    def model(self) -> Model:
        """All weights."""
        return Model(self.table.places, self.table.values)

    def call(self, step: Callable, *first: Any) -> int:
        """Call a kernel with these arguments and then all that the search consists of."""
        return step(
            *first,
            self.row,
            self.numbers,
            self.names,
            self.program,
            self.edges,
            self.tables,
            self.model,
            self.state,
        )

    def begin(self, problem: OrderingProblem, gold: GoldEdges | None, trace: Any) -> None:
        """INITAGENDA, INITCHART: forget the last search; the leaves are on the agenda."""
        self.links = links = DependencyLinks(problem)
        self.traces_gold = gold is not None
        self.names = number_names(links, self.keys)
        self.numbers = number_problem(links, gold)
        covers, orders, tags = (int(n) for n in self.numbers.widths)
        self.room.begin(2 * (covers + orders + tags), len(self.numbers.several), tags)
        self.state[UNITS] = problem.size
        if trace is not None:
            begin(trace, problem, int(self.state[BEAM]))
        for item in links.leaf_items:
            arrays = (self.numbers, self.names, self.program)
            while (full := room_for_four(self.program, self.names, *self.arrays)) != DONE:
                self.room.grow(full)
            add_leaf(item + 1, self.row, *arrays, self.edges, self.tables, self.model, self.state)
            if trace is not None:
                self._trace_leaf(trace, int(self.state[EDGES]) - 1, item)

    @property
    def arrays(self) -> tuple[Edges, Tables, np.ndarray]:
        """What a kernel writes into."""
        return self.edges, self.tables, self.state

    def pop(self, trace: Any = None) -> int:
        """POPBEST."""
        edge = int(pop_best(self.edges, self.state))
        if trace is not None:
            trace.popped(edge + 1, float(self.edges.score[edge]))
        return edge

    def is_goal(self, edge: int) -> bool:
        """GOALTEST."""
        return bool(self.edges.ints[edge, SIZE] == self.state[UNITS])

    def expand(self, edge: int, trace: Any = None) -> None:
        """Combine an edge with the chart and itself; what comes of it is on the agenda."""
        self.state[CURRENT] = edge
        first = int(self.state[EDGES])
        while (full := self.call(expand, edge)) != DONE:
            self.room.grow(full)
        if trace is not None:
            for new in range(first, int(self.state[EDGES])):
                left, right, action, gold = self.edges.ints[new, [LEFT, RIGHT, ACTION, GOLD]]
                score = float(self.edges.score[new])
                name = NAMES[action]
                trace.edge(new + 1, int(left) + 1, int(right) + 1, name, score, self._told(gold))

    def _trace_leaf(self, trace: Any, edge: int, item: int) -> None:
        told = self.links.problem.items[item]
        gold = self._told(self.edges.ints[edge, GOLD])
        score = float(self.edges.score[edge])
        trace.leaf(edge + 1, item, told.form, told.pos, score, gold)

    def _told(self, gold: int) -> int:
        return int(gold >= 0) if self.traces_gold else UNKNOWN_GOLD

    def edge(self, line: int) -> Edge:
        """An edge as an object, with all that it was built of."""
        ints = self.edges.ints
        built: dict[int, Edge] = {}
        todo = [line]
        while todo:
            here = todo[-1]
            left, right = int(ints[here, LEFT]), int(ints[here, RIGHT])
            waiting = [part for part in (right, left) if part >= 0 and part not in built]
            if waiting:
                todo += waiting
                continue
            built[todo.pop()] = self._built(here, built.get(left), built.get(right))
        return built[line]

    def _built(self, line: int, left: Edge | None, right: Edge | None) -> Edge:
        ints, links = self.edges.ints, self.links
        if left is None or right is None:
            item = int(ints[line, ROOT]) - 1
            told = links.problem.items[item]
            counts = [int(k == links.kinds[item]) for k in range(len(links.count))]
            made = Edge(line + 1, f"leaf-{told.form}-{told.pos}", (item,), (-1,), tuple(counts))
        else:
            action = NAMES[ints[line, ACTION]]
            heads = linked_heads(left, right, action)
            counts = [one + other for one, other in zip(left.counts, right.counts, strict=True)]
            items = (*left.items, *right.items)
            made = Edge(line + 1, action, items, heads, tuple(counts), left, right)
        made.gold = int(ints[line, GOLD])
        made.total, made.score = float(self.edges.total[line]), float(self.edges.score[line])
        return made
