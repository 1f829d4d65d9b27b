"""One best-first search over CCG edges on flat arrays, step by step."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from wordorder_lab.decoders import ccg_signature_fast as signatures
from wordorder_lab.decoders.ccg_expand_fast import CATEGORY, COLUMNS, FIRST1, add_leaves, expand
from wordorder_lab.decoders.ccg_numbers_fast import (
    Known,
    number_names,
    number_problem,
    number_rules,
)
from wordorder_lab.decoders.edge_arrays_fast import (
    ACTION,
    BEAM,
    DONE,
    EDGES,
    SIGNATURE,
    UNITS,
    room_for,
)
from wordorder_lab.decoders.search_fast import FastSearch
from wordorder_lab.features.ccg_program_fast import WIDTH, compile_ccg_program
from wordorder_lab.features.edge_keys import EdgeKeys
from wordorder_lab.grammars.bag_counts import BagCounts
from wordorder_lab.grammars.ccg_rules import CCGRules
from wordorder_lab.grammars.gold_derivations import GoldDerivation
from wordorder_lab.models.edge_table_fast import EdgeTable
from wordorder_lab.structures.edge import Edge, linked_heads
from wordorder_lab.structures.problem import OrderingProblem, begin
from wordorder_lab.structures.signature import (
    NO_SIGNATURE,
    SIGNATURE_2011,
    SIGNATURE_2015,
    check_signature,
)

NUMBERED = {
    NO_SIGNATURE: signatures.NONE,
    SIGNATURE_2011: signatures.OF_2011,
    SIGNATURE_2015: signatures.OF_2015,
}
"""The signatures as the kernels know them."""


class FastCCGSearch(FastSearch):
    """The search with the rules of a CCG. Raises ``ValueError`` for an unknown signature."""

    expand_kernel = staticmethod(expand)

    def __init__(
        self,
        keys: EdgeKeys,
        table: EdgeTable,
        *,
        rules: CCGRules,
        signature: str = SIGNATURE_2015,
        **settings: Any,
    ) -> None:
        check_signature(signature)
        super().__init__(compile_ccg_program(keys), COLUMNS, WIDTH, keys, table, **settings)
        self.rules, self.grammar = rules, number_rules(rules, keys)
        self.known = Known.of(rules, keys)
        self.state[SIGNATURE] = NUMBERED[signature]

    def begin(self, problem: OrderingProblem, gold: GoldDerivation | None, trace: Any) -> None:
        """INITAGENDA, INITCHART: forget the last search; the leaves are on the agenda."""
        self.items, self.traces_gold = problem.items, gold is not None
        self.bag = BagCounts(problem)
        self.least = self.bag.least
        self.names = number_names(problem.items, self.keys)
        structures = gold.numbers if gold is not None else {}
        self.numbers, own = number_problem(problem, self.bag, self.known, self.keys, structures)
        self.categories = (*self.rules.categories, *own)
        covers, orders = (int(n) for n in self.numbers.widths)
        self.room.begin(2 * (covers + orders), len(self.numbers.several), 0)
        self.state[UNITS] = self.numbers.scratch.shape[1] - 2  # as many as there are bits
        if trace is not None:
            begin(trace, problem, int(self.state[BEAM]))
        items, tags = len(problem.items), self.names.tags.shape[0]
        while (full := room_for(items, self.program, tags, *self.arrays)) != DONE:
            self.room.grow(full)
        self.call(add_leaves)
        if trace is not None:
            for leaf in range(int(self.state[EDGES])):
                self.trace_leaf(trace, leaf, int(self.edges.ints[leaf, FIRST1]) - 1)

    @property
    def constants(self) -> tuple:
        """The rules, the bag, and the numbers of words and tags."""
        return self.grammar, self.numbers, self.names

    def is_goal(self, edge: int) -> bool:
        """GOALTEST."""
        return bool(signatures.is_goal(edge, self.numbers, self.edges))

    def compare(self, edge: int) -> tuple[int, int]:
        """DPCHARTPRUNE's pair, the loser and the winner; the loser is -1 where there is none."""
        other = int(signatures.like_it(edge, self.numbers, self.edges, self.state))
        if other < 0:
            return -1, edge
        loser = int(signatures.lower_of(edge, other, self.edges, self.state))
        return loser, other if loser == edge else edge

    def can_combine(self, left: Sequence[int], right: Sequence[int]) -> bool:
        """The input check, of the counts of two edges."""
        return self.bag.can_combine(left, right)

    def told(self, edge: int) -> tuple[str, tuple[str, ...]]:
        """The action of an edge, and its category."""
        rule, category = (int(n) for n in self.edges.ints[edge, [ACTION, CATEGORY]])
        action = self.rules.rules[rule].action if rule >= 0 else "leaf"
        return action, (str(self.categories[category]),)

    def built(self, line: int, left: Edge | None, right: Edge | None) -> Edge:
        """An edge as an object, of its parts."""
        ints = self.edges.ints
        category = self.categories[int(ints[line, CATEGORY])]
        if left is None:
            i = int(ints[line, FIRST1]) - 1
            item = self.items[i]
            counts = tuple(int(t == item.type) for t in range(len(self.bag.most)))
            action = f"leaf-{item.form}-{item.pos}-{item.category}"
            return Edge(line + 1, action, (i,), (-1,), counts, category=category)
        rule = self.rules.rules[int(ints[line, ACTION])]
        how: dict[str, Any] = {"category": category, "rule": rule}
        if right is None:
            return Edge(line + 1, rule.action, left.items, left.heads, left.counts, left, **how)
        heads = linked_heads(left, right, rule.side)
        counts = tuple(one + two for one, two in zip(left.counts, right.counts, strict=True))
        items = (*left.items, *right.items)
        return Edge(line + 1, rule.action, items, heads, counts, left, right, **how)
