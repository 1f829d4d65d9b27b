"""Extracting rules from a pair of aligned trees: Cohn & Lapata (2009), section 3.2, Algorithm 3.

``extract(x, y, A)`` goes down the source tree. A node that is null-aligned becomes a leaf that is
deleted (lines 4-6), one that is aligned becomes a variable, and the pair of subtrees is a rule of
its own (lines 7-12). What is not matched stays in the rule. These are the *minimal* rules. With a
recursion depth of 1 or more, matches may be ignored (the text after Algorithm 3): the search goes
on below the node, and the rule keeps a piece of the tree or a word, it is *specialised*.

Differences
- Recursion depth is the number of ignored matches in a rule: 1, 3 and 7 rules for the pair
  (S-bar, VP) of Figure 6 with depths 0, 1 and 2. Of the rules printed for it, the second of two
  levels should have ``[WHNP WP_eps]``, and the fourth has VBD for VBP.
- A source node may be aligned to several target nodes, one above the other. ``choice="single"``
  takes the highest of its own category, or else the highest: that gives Figure 7 as printed, and
  1, 3 and 7 rules (footnote 2 has "the highest match"). ``"all"`` takes each in turn, as the
  comment of line 8 and footnote 3 say; that gives 1, 3 and 8.
- "45 in total" for that pair: with any depth there are 66 rules, or 102 with ``"all"``.
- A rule whose source is a variable alone would rewrite nothing and is not built.
- Limits (footnote 13): at most 5 variables, epsilon not counted, and 15 nodes on either side, words
  included. The paper does not say what it counts. What is below a rule that is too large is
  extracted all the same.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from wordorder_lab.structures.elementary_tree import EPSILON
from wordorder_lab.structures.phrase_nodes import PhraseNodes
from wordorder_lab.structures.synchronous_rule import SynchronousRule, synchronous_rule
from wordorder_lab.transduction.alignment import ConstituentAlignment

CHOICES = ("single", "all")


class Limits(NamedTuple):
    """How large a rule may be: variables, and nodes on either side (footnote 13)."""

    variables: int = 5
    nodes: int = 15


class Cut(NamedTuple):
    """A way to cut a source subtree: ``matches`` has the target node, or ``None`` for epsilon."""

    matches: tuple[tuple[int, int | None], ...]
    ignored: int


class Extraction:
    """The rules of one pair of trees.

    ``depth`` is how many matches a rule may ignore; ``choice`` is one of ``CHOICES``.
    """

    def __init__(
        self,
        source: PhraseNodes,
        target: PhraseNodes,
        aligned: ConstituentAlignment,
        depth: int = 0,
        choice: str = "single",
        limits: Limits = Limits(),  # noqa: B008  (nobody can change it)
    ) -> None:
        if depth < 0 or choice not in CHOICES:
            raise ValueError(f"a depth is 0 or more and a choice single or all: {depth}, {choice}")
        self.source, self.target, self.aligned = source, target, aligned
        self.depth, self.choice, self.limits = depth, choice, limits

    def rules(self) -> list[SynchronousRule]:
        """All rules, those of the roots first; a rule as often as it is found."""
        todo = [(self.source.root, self.target.root)]
        seen = set(todo)
        emitted: list[SynchronousRule] = []
        for v, t in todo:
            for cut in self._below(v, t, self.depth):
                rule = self._rule(v, t, cut)
                if rule is not None:
                    emitted.append(rule)
                for below, match in cut.matches:
                    if match is not None and (below, match) not in seen:
                        todo.append((below, match))
                        seen.add((below, match))
        return emitted

    def rules_at(self, v: int, t: int) -> list[SynchronousRule]:
        """The rules of one pair of aligned nodes, without those of the pairs below it."""
        cuts = self._below(v, t, self.depth)
        return [rule for cut in cuts if (rule := self._rule(v, t, cut)) is not None]

    def _below(self, v: int, t: int, depth: int) -> Iterator[Cut]:
        """The ways to cut what is below ``v``: Algorithm 3's loop over the nodes of alpha.

        Every choice that it makes is made in every way.
        """
        partial = [Cut((), 0)]
        for child in self.source.children[v]:
            partial = [
                Cut(before.matches + here.matches, before.ignored + here.ignored)
                for before in partial
                for here in self._at(child, t, depth - before.ignored)
            ]
        yield from partial

    def _at(self, v: int, t: int, depth: int) -> Iterator[Cut]:
        """The ways to cut at ``v`` or below it."""
        if self.aligned.null[v]:
            yield Cut(((v, None),), 0)
        else:
            choices = self._choices(v, t)
            if choices:
                yield from (Cut(((v, chosen),), 0) for chosen in choices)
            else:  # no match here: on we go, at no cost
                yield from self._below(v, t, depth)
                return
        if depth:
            for cut in self._below(v, t, depth - 1):
                yield Cut(cut.matches, cut.ignored + 1)

    def _choices(self, v: int, t: int) -> tuple[int, ...]:
        """The target nodes for ``v`` that are in the subtree at ``t``, line 8."""
        under = self.target.below(t)
        there = tuple(node for node in self.aligned.targets[v] if node in under)
        if self.choice == "all" or not there:
            return there
        same = [node for node in there if self.target.labels[node] == self.source.labels[v]]
        return ((same or there)[0],)

    def _rule(self, v: int, t: int, cut: Cut) -> SynchronousRule | None:
        """The rule of a cut; ``None`` if it is too large."""
        if len([node for _, node in cut.matches if node is not None]) > self.limits.variables:
            return None
        numbers = {below: i for i, (below, node) in enumerate(cut.matches, 1) if node is not None}
        variables = {below: numbers.get(below, EPSILON) for below, _ in cut.matches}
        source = self.source.elementary(v, variables)
        matched = {node: numbers[below] for below, node in cut.matches if node is not None}
        target = self.target.elementary(t, matched)
        if max(source.size(), target.size()) > self.limits.nodes:
            return None
        return synchronous_rule(source, target)
