"""One best-first search over dependency edges on flat arrays, step by step."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from wordorder_lab.decoders.dependency_edges_fast import COLUMNS, ROOT, add_leaf
from wordorder_lab.decoders.dependency_expand_fast import expand
from wordorder_lab.decoders.dependency_numbers_fast import number_names, number_problem
from wordorder_lab.decoders.edge_arrays_fast import (
    ACTION,
    BEAM,
    DONE,
    EDGES,
    SIZE,
    UNITS,
    room_for,
)
from wordorder_lab.decoders.search_fast import FastSearch
from wordorder_lab.features.edge_keys import EdgeKeys
from wordorder_lab.features.edge_program_fast import WIDTH, compile_edge_program
from wordorder_lab.grammars.dependency_links import DependencyLinks
from wordorder_lab.grammars.gold_edges import GoldEdges
from wordorder_lab.models.edge_table_fast import EdgeTable
from wordorder_lab.structures.edge import HEAD_LEFT, HEAD_RIGHT, Edge, linked_heads
from wordorder_lab.structures.problem import OrderingProblem, begin

NAMES = (HEAD_LEFT, HEAD_RIGHT)


class FastDependencySearch(FastSearch):
    """The search with the grammar of dependency links."""

    expand_kernel = staticmethod(expand)

    def __init__(self, keys: EdgeKeys, table: EdgeTable, **settings: Any) -> None:
        super().__init__(compile_edge_program(keys), COLUMNS, WIDTH, keys, table, **settings)

    def begin(self, problem: OrderingProblem, gold: GoldEdges | None, trace: Any) -> None:
        """INITAGENDA, INITCHART: forget the last search; the leaves are on the agenda."""
        self.links = links = DependencyLinks(problem)
        self.items, self.traces_gold = problem.items, gold is not None
        self.least = links.count
        self.names = number_names(links, self.keys)
        self.numbers = number_problem(links, gold)
        covers, orders, tags = (int(n) for n in self.numbers.widths)
        self.room.begin(2 * (covers + orders + tags), len(self.numbers.several), tags)
        self.state[UNITS] = problem.size
        if trace is not None:
            begin(trace, problem, int(self.state[BEAM]))
        tags = self.names.tags.shape[0]
        for item in links.leaf_items:
            while (full := room_for(1, self.program, tags, *self.arrays)) != DONE:
                self.room.grow(full)
            self.call(add_leaf, item + 1)
            if trace is not None:
                self.trace_leaf(trace, int(self.state[EDGES]) - 1, item)

    @property
    def constants(self) -> tuple:
        """Kinds, orders and gold edges, and the numbers of words and tags."""
        return self.numbers, self.names

    def is_goal(self, edge: int) -> bool:
        """GOALTEST."""
        return bool(self.edges.ints[edge, SIZE] == self.state[UNITS])

    def can_combine(self, left: Sequence[int], right: Sequence[int]) -> bool:
        """CANCOMBINE, of the counts of two edges."""
        return self.links.can_combine(left, right)

    def told(self, edge: int) -> tuple[str, tuple[str, ...]]:
        """The action of an edge."""
        action = int(self.edges.ints[edge, ACTION])
        return NAMES[action] if action >= 0 else "leaf", ()

    def built(self, line: int, left: Edge | None, right: Edge | None) -> Edge:
        """An edge as an object, of its parts."""
        ints, links = self.edges.ints, self.links
        if left is None or right is None:
            item = int(ints[line, ROOT]) - 1
            told = links.problem.items[item]
            counts = [int(k == links.kinds[item]) for k in range(len(links.count))]
            return Edge(line + 1, f"leaf-{told.form}-{told.pos}", (item,), (-1,), tuple(counts))
        action = NAMES[ints[line, ACTION]]
        heads = linked_heads(left, right, action)
        counts = [one + other for one, other in zip(left.counts, right.counts, strict=True)]
        items = (*left.items, *right.items)
        return Edge(line + 1, action, items, heads, tuple(counts), left, right)
