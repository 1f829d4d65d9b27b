"""Best-first dependency-based word ordering: Zhang & Clark 2015, section 4.3, Algorithm 4.

    1   a <- INITAGENDA()
    2   c <- INITCHART()
    3   while not TIMEOUT() do
    4     new <- []
    5     e <- POPBEST(a)
    6     if GOALTEST(e) then
    7       return e
    8     for e~ in c do
    9       if CANCOMBINE(e, e~) then
    10        e' <- COMBINE(e, e~, HeadLeft);  APPEND(new, e')
    11        e' <- COMBINE(e, e~, HeadRight); APPEND(new, e')
    12      if CANCOMBINE(e~, e) then
    13        e' <- COMBINE(e~, e, HeadLeft);  APPEND(new, e')
    14        e' <- COMBINE(e~, e, HeadRight); APPEND(new, e')
    15    for e' in new do
    16      ADD(a, e')
    17    ADD(c, e)

If there is no goal at the end, ``default_output`` joins edges of the chart (section 3.4), or, where
all heads are given and it is wanted, ``whole_tree`` makes a whole sentence.

Differences
- *Our reading*, lines 8 to 17: ADD comes after the loop, so as printed no edge meets itself, and
  the bag {no, no} would have no goal. Here equal words are one leaf, so an edge is also combined
  with itself where the bag has its words twice.
- *Our reading*, lines 10 to 14: COMBINE makes no edge where the link is not allowed
  (``dependency_links``).
- *Our reading*, section 5.7: morphology and labels are settled with the leaf. A word of the bag has
  a leaf for each form, tag and label that it may have, and as the bag has it once, a phrase takes
  one of them.
- *Our reading*, section 3.2: Algorithm 4 leaves out DPCHARTPRUNE, which Algorithm 1 has before it
  expands an edge. Where a whole tree is given, a word with many dependents has very many edges of
  the same words, so it is a setting here (``signature``), by default off. Of two edges of the same
  words with the same root, the higher-scored one stays; ``ends`` asks for the same first two words
  and last two as well. Where dependents of the root may have several forms, these have to be the
  same, or *is* would be decided on before the subject comes. Whatever words and heads the other one
  could still get, it can get, too, if not in the same order; so where orders are given, an edge
  that takes no more right dependents is not like one that does.
- *Our reading*, line 7: the search may go on to the ``k``-th goal; the paper's stops at the first.
- *Paper silent*: equal scores go to the edge that was made first.
"""

from __future__ import annotations

from collections.abc import Hashable

from wordorder_lab.best_first.chart import SAME_ENDS, SAME_WORDS
from wordorder_lab.best_first.dependency_links import DependencyLinks
from wordorder_lab.best_first.edge import HEAD_LEFT, HEAD_RIGHT, Edge, Words, leaf_action
from wordorder_lab.best_first.features import EdgeContext, contexts
from wordorder_lab.best_first.output import WHOLE_TREE, Piece, WholeTree
from wordorder_lab.best_first.search import BestFirst


class BestFirstDependency(BestFirst):
    """Algorithm 4 on one bag, with the feature templates of Table 2 or others."""

    def ready(self) -> None:
        """The links of the bag, and which items are one of several forms."""
        self.links = DependencyLinks(self.problem)
        self.bounds = self.links.bounds
        self.has_orders = any(self.links.before)
        items, forms = self.problem.items, self.problem.forms
        self.choices = {i for i, item in enumerate(items) if len(forms[item.type]) > 1}

    def expand(self, e: Edge) -> list[Edge]:
        """Lines 8 to 14: both orders with every edge of the chart, the head on either side."""
        new: list[Edge | None] = []
        for other in self.chart:
            if self.can_combine(e.counts, other.counts):
                new.append(self.combine(e, other, HEAD_LEFT))
                new.append(self.combine(e, other, HEAD_RIGHT))
            if self.can_combine(other.counts, e.counts):
                new.append(self.combine(other, e, HEAD_LEFT))
                new.append(self.combine(other, e, HEAD_RIGHT))
        if self.can_combine(e.counts, e.counts):
            new.append(self.combine(e, e, HEAD_LEFT))
            new.append(self.combine(e, e, HEAD_RIGHT))
        return [edge for edge in new if edge is not None]

    def signature(self, edge: Edge) -> Hashable:
        """Its words, its root, which forms the root's dependents have of several; where orders are
        given, whether there are left ones; with ``ends`` also the first two words and the last."""
        if self.settings.signature not in (SAME_ENDS, SAME_WORDS):
            return None
        items, left = edge.items, self.has_orders and self.links.has_left_dependents(edge)
        forms = frozenset(
            self.problem.items[item][:2]
            for item, head in zip(items, edge.heads, strict=True)
            if head == edge.root and item in self.choices
        )
        own = edge.counts, items[edge.root], left, forms
        return own if self.settings.signature == SAME_WORDS else (*own, items[:2], items[-2:])

    def combine(self, left: Edge, right: Edge, side: str) -> Edge | None:
        """COMBINE: ``right`` after ``left``, and a link between their roots, if that is allowed."""
        if not self.links.allows(left, right, side):
            return None
        return self.make(side, Words.joined(left, right, side), left, right)

    def leaves(self) -> list[Edge]:
        """INITAGENDA: every word of the bag with each of its possible forms, tags and labels, equal
        words once."""
        items, kinds, number = self.problem.items, self.links.kinds, len(self.links.count)
        return [
            self.make(leaf_action(items[i]), Words.of_leaf(i, kinds[i], number))
            for i in self.links.leaf_items
        ]

    def default_pieces(self) -> list[Edge]:
        """The edges of the default output; one edge, where it is to be a whole tree and can be."""
        if self.settings.default != WHOLE_TREE or None in self.links.head:
            return super().default_pieces()
        made = {edge.serial: edge for edge in (*self.leaf_edges, *self.chart)}
        complete = [edge for edge in self.chart if self.links.is_complete(edge)]
        complete += [edge for edge in self.leaf_edges if self.links.is_complete(edge)]

        def put(left: int, right: int, side: str) -> float:
            edge = self.combine(made[left], made[right], side)
            assert edge is not None
            made[edge.serial] = edge
            self.add_all([edge])
            return edge.score

        leaves = map(self._piece, self.leaf_edges)
        tree = WholeTree(self.links, leaves, map(self._piece, complete), self.serial)
        return [made[tree.build(put)]]

    def _piece(self, edge: Edge) -> Piece:
        return Piece(edge.score, edge.serial, self.links.root_kind(edge))

    def contexts(self, edge: Edge) -> list[tuple[str, EdgeContext]]:
        """The sections of Table 2 that see an edge."""
        left_size = edge.left.size if edge.left is not None else 0
        goal = self.goal_test(edge)
        return contexts(edge.items, edge.heads, left_size, self.problem.items, goal)
