"""Best-first CCG word ordering: Zhang & Clark 2015, section 3.4, Algorithm 1; 2011, Figure 1.

    1   a <- INITAGENDA()
    2   c <- INITCHART()
    3   while not TIMEOUT() do
    4     new <- []
    5     e <- POPBEST(a)
    6     if GOALTEST(e) then
    7       return e
    8     (e', e~) <- DPCHARTPRUNE(c, e)
    9     if e' is e then
    10      continue
    11    for e' in UNARY(e, grammar) do
    12      APPEND(new, e')
    13    for e~ in c do
    14      if CANCOMBINE(e, e~, grammar) then
    15        e' <- BINARY(e, e~, grammar); APPEND(new, e')
    16      if CANCOMBINE(e~, e, grammar) then
    17        e' <- BINARY(e~, e, grammar); APPEND(new, e')
    18    for e' in new do
    19      ADD(a, e')
    20    ADD(c, e)

Which edges line 8 takes for one is a setting, the signature:

    2011   category, words in order, head word; the edge that is in the chart stays (Figure 1)
    2015   category, head word, the words in any order, the two words with their tags on either
           side; the higher-scored edge stays
    none   every edge is like no other

Differences
- *Our reading*, lines 13 to 20: ADD comes after the loop, so as printed no edge meets itself. Here
  equal words are one leaf, so an edge is also combined with itself where the bag has its words
  twice.
- *Our reading*, lines 14 to 17: BINARY makes an edge for every rule of the two categories; the
  algorithm speaks of one.
- *Our reading*, 2015, section 3.2: the head word of a signature is compared with its tag, which
  features look at.
- *Text against figure*, 2011: section 3.1 keeps "the highest scored" of equivalent edges, Figure 1
  skips the later one. This follows the figure.
- *Our reading*, 2011, section 3.1: the signature has surface words alone, so edges of words that
  differ in their tags or lists of categories may be one; in that of 2015 words that differ so are
  different.
- *Paper silent*: unary rules may go in circles (``ccg_rules``); an edge is not expanded by those.
- *Paper silent*, 2011, section 3.2: a goal is not expanded, so no unary rule is applied to a whole
  sentence. In learning a gold derivation that ends in one is finished below it.
- *Our reading*, line 7: 2015 returns the first goal, 2011 (section 3.2) stops after N; here after
  ``k``, 1 unless more are asked for.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field

from wordorder_lab.best_first.ccg_rules import CCGRules, bounds_of
from wordorder_lab.best_first.chart import NO_SIGNATURE, SIGNATURE_2011
from wordorder_lab.best_first.edge import Edge, Rule, Words, leaf_action
from wordorder_lab.best_first.features import EdgeContext, constituent_contexts
from wordorder_lab.best_first.search import BestFirst


@dataclass(eq=False, repr=False)
class BestFirstCCG(BestFirst):
    """Algorithm 1 on one bag, with the rules of a grammar and the feature templates of Table 1.
    Raises ``ValueError`` if heads are given."""

    rules: CCGRules = field(kw_only=True)

    def ready(self) -> None:
        """The bounds of the bag, and what is kept of signatures."""
        self.bounds = bounds_of(self.problem)
        self.first_stays = self.settings.signature == SIGNATURE_2011
        self.signatures: dict[int, Hashable] = {}

    def expand(self, e: Edge) -> list[Edge]:
        """Lines 11 to 17: unary rules, then both orders with every edge of the chart."""
        new = [self.unary(e, rule) for rule in self.rules.unary_of(e)]
        for other in self.chart:
            if self.can_combine(e.counts, other.counts):
                new += self.binary(e, other)
            if self.can_combine(other.counts, e.counts):
                new += self.binary(other, e)
        if self.can_combine(e.counts, e.counts):
            new += self.binary(e, e)
        return new

    def unary(self, child: Edge, rule: Rule) -> Edge:
        """UNARY: another category for the same words."""
        words = Words(child.items, child.heads, child.counts)
        return self.make(rule.action, words, child, category=rule.parent, rule=rule)

    def binary(self, left: Edge, right: Edge) -> list[Edge]:
        """BINARY: ``right`` after ``left``, by every rule that there is for their categories."""
        return [self.join(left, right, rule) for rule in self.rules.binary_of(left, right)]

    def join(self, left: Edge, right: Edge, rule: Rule) -> Edge:
        """The edge that a rule makes of two others."""
        words = Words.joined(left, right, rule.side)
        return self.make(rule.action, words, left, right, rule.parent, rule)

    def leaves(self) -> list[Edge]:
        """INITAGENDA: every word of the bag with each of its lexical categories, equal words once.
        A word whose most count is 0 has none."""
        kinds = len(self.bounds.most)
        return [
            self.make(leaf_action(item), Words.of_leaf(i, item.type, kinds), category=item.category)
            for i, item in enumerate(self.problem.items)
            if self.bounds.most[item.type]
        ]

    def signature(self, edge: Edge) -> Hashable:
        """What two edges share that are one to DPCHARTPRUNE."""
        if self.settings.signature == NO_SIGNATURE:
            return None
        if edge.serial not in self.signatures:
            self.signatures[edge.serial] = self._signature(edge)
        return self.signatures[edge.serial]

    def _signature(self, edge: Edge) -> Hashable:
        words = [self.problem.items[i] for i in edge.items]
        head = words[edge.root].word, words[edge.root].pos
        if self.settings.signature == SIGNATURE_2011:
            return edge.category, tuple([item.unit for item in words]), head
        pairs = [(item.word, item.pos) for item in words]
        return edge.category, head, edge.counts, tuple(pairs[:2]), tuple(pairs[-2:])

    def contexts(self, edge: Edge) -> list[tuple[str, EdgeContext]]:
        """The sections of Table 1 that see an edge."""
        return constituent_contexts(edge, self.problem.items)
