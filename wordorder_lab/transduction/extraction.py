"""Extracting rules from a pair of aligned trees: Cohn & Lapata (2009), section 3.2, Algorithm 3.

From an alignment of words: a source and a target constituent are aligned if a word in one is
aligned to a word in the other, and no word in either to a word outside the other (equation 2; the
alignment template method of Och and Ney (2004), for constituents).

``extract(x, y, A)`` goes down the source tree. A node that is null-aligned becomes a leaf that is
deleted (lines 4-6), one that is aligned becomes a variable, and the pair of subtrees is a rule of
its own (lines 7-12). What is not matched stays in the rule. These are the *minimal* rules. With a
recursion depth of 1 or more, matches may be ignored (the text after Algorithm 3): the search goes
on below the node, and the rule keeps a piece of the tree or a word, it is *specialised*.

The printed algorithm rewrites its trees as it goes, and one run of it makes one choice at every
node. Here every choice is made. So the walk first lists *cuts*: the source nodes at which alpha
ends, each with its match (or epsilon). Then it makes a rule of each. Lines in the code's order, and
those of Algorithm 3 to the right; v is a node of x, t one of y, d the depth that is left:

    extract(x, y, A, depth)
      E1  todo = [(root(x), root(y))]
      E2  for every (v, t) in todo:
      E3      for every cut in below(v, t, depth):                                   1-3
      E4          emit <v, t> -> <alpha, gamma, ~>, which ends at the cut            15
      E5          for every (v_S, v_T) in the cut, v_T not epsilon:
      E6              append it to todo, unless it has been there                    9
    below(v, t, d): the ways to cut what is below v
      B1  cuts = [the empty one]
      B2  for every child c of v, from left to right:                                3
      B3      cuts = [cut + more for cut in cuts
      B4              for more in at(c, t, d - what cut has ignored)]
      B5  return cuts
    at(v, t, d): the ways to cut at v, or below it
      A1  if v is null-aligned: (v, epsilon)                                         4-6
      A2  else if A aligns v with nodes below t: (v, v_T) for each v_T chosen        7-12
      A3  else: all of below(v, t, d), and no more
      A4  if d > 0: all of below(v, t, d - 1), with one more match ignored
    rule(v, t, cut)
      R1  if the cut has too many variables: none
      R2  number its matches from left to right: ~                                   2, 5, 10
      R3  alpha = x at v, gamma = y at t, without what is below the cut              6, 11, 12
      R4  if one of them has too many nodes: none

Differences
- *Text against figure*, equation 2: the printed equation lacks "there is no (s, t) such that"
  before its second line; the text has it.
- *Our reading*: a source node is null-aligned if no word below it is aligned.
- *Our reading*, section 3.2: recursion depth is the number of ignored matches in a rule: 1, 3 and 7
  rules for the pair (S-bar, VP) of Figure 6 with depths 0, 1 and 2. Of the rules printed for it,
  the second of two levels should have ``[WHNP WP_eps]``, and the fourth has VBD for VBP.
- *Our reading*: section 6.1 says it otherwise: "up to one ancestor for any given node", a limit for
  every way down and not for the rule. The same pair would have 4 rules at depth 1 and 15 at depth
  2, but section 3.2 prints [S-bar [WHNP WP_eps] [S NP_eps VP_1]], with an ignored match in either
  branch, among those of two levels. So we count in all. It matters: at depth 1 the 938 training
  pairs of the Gazette have 7,654 rules, and would have these and 16,779 more (every pair has some).
- *Text against figure*, Algorithm 1: a source node may be aligned to several target nodes, one
  above the other. ``choice="single"`` takes the highest of its own category, or else the highest:
  that gives Figure 7 as printed, and 1, 3 and 7 rules (footnote 2 has "the highest match").
  ``"all"`` takes each in turn, as the comment of line 8 and footnote 3 say; that gives 1, 3 and 8.
- *Text against figure*, section 3.2: "45 in total" for that pair: with any depth there are 66
  rules, or 102 with ``"all"``.
- *Our reading*: a rule whose source is a variable alone would rewrite nothing and is not built.
- *Paper silent*, footnote 13: at most 5 variables, epsilon not counted, and 15 nodes on either
  side, words included. The paper does not say what it counts. What is below a rule that is too
  large is extracted all the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from wordorder_lab.structures.messages import cited
from wordorder_lab.structures.phrase_tree import PhraseNodes
from wordorder_lab.structures.synchronous_rule import EPSILON, SynchronousRule, synchronous_rule

CHOICES = ("single", "all")


class Limits(NamedTuple):
    """How large a rule may be: variables, and nodes on either side (footnote 13)."""

    variables: int = 5
    nodes: int = 15


FOOTNOTE_13 = Limits()


class Cut(NamedTuple):
    """A way to cut a source subtree: ``matches`` has the target node, or ``None`` for epsilon."""

    matches: tuple[tuple[int, int | None], ...]
    ignored: int


@dataclass(eq=False, repr=False)
class Extraction:
    """The rules of one pair of trees. ``depth`` is how many matches a rule may ignore; ``choice``
    is one of ``CHOICES``."""

    source: PhraseNodes
    target: PhraseNodes
    aligned: ConstituentAlignment
    depth: int = 0
    choice: str = "single"
    limits: Limits = FOOTNOTE_13

    def __post_init__(self) -> None:
        if self.depth < 0 or self.choice not in CHOICES:
            wrong = f"{self.depth}, {self.choice}"
            raise ValueError(f"a depth is 0 or more and a choice single or all: {wrong}")

    def rules(self) -> list[SynchronousRule]:
        """All rules, those of the roots first; a rule as often as it is found."""
        todo = [(self.source.root, self.target.root)]  # E1
        seen = set(todo)
        emitted: list[SynchronousRule] = []
        for v, t in todo:  # E2
            for cut in self._below(v, t, self.depth):  # E3
                rule = self._rule(v, t, cut)  # E4
                if rule is not None:
                    emitted.append(rule)
                for below, match in cut.matches:  # E5, E6
                    if match is not None and (below, match) not in seen:
                        todo.append((below, match))
                        seen.add((below, match))
        return emitted

    def rules_at(self, v: int, t: int) -> list[SynchronousRule]:
        """The rules of one pair of aligned nodes, without those of the pairs below it."""
        cuts = self._below(v, t, self.depth)
        return [rule for cut in cuts if (rule := self._rule(v, t, cut)) is not None]

    def minimal_pairs(self, v: int, t: int) -> list[tuple[int, int]]:
        """The nodes that the variables of the first rule of ``rules_at`` link."""
        cut = next(self._below(v, t, self.depth))
        return [(below, match) for below, match in cut.matches if match is not None]

    def _below(self, v: int, t: int, depth: int) -> Iterator[Cut]:
        """The ways to cut what is below ``v``: Algorithm 3's loop over the nodes of alpha. Every
        choice that it makes is made in every way."""
        partial = [Cut((), 0)]  # B1
        for child in self.source.children[v]:  # B2
            partial = [
                Cut(before.matches + here.matches, before.ignored + here.ignored)  # B3
                for before in partial
                for here in self._at(child, t, depth - before.ignored)  # B4
            ]
        yield from partial  # B5

    def _at(self, v: int, t: int, depth: int) -> Iterator[Cut]:
        if self.aligned.null[v]:  # A1
            yield Cut(((v, None),), 0)
        else:
            choices = self._choices(v, t)
            if choices:  # A2
                yield from (Cut(((v, chosen),), 0) for chosen in choices)
            else:  # A3: no match here, on we go at no cost
                yield from self._below(v, t, depth)
                return
        if depth:  # A4
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
        if len([node for _, node in cut.matches if node is not None]) > self.limits.variables:
            return None  # R1
        # R2
        numbers = {below: i for i, (below, node) in enumerate(cut.matches, 1) if node is not None}
        variables = {below: numbers.get(below, EPSILON) for below, _ in cut.matches}
        # R3
        source = self.source.elementary(v, variables)
        matched = {node: numbers[below] for below, node in cut.matches if node is not None}
        target = self.target.elementary(t, matched)
        if max(source.size(), target.size()) > self.limits.nodes:
            return None  # R4
        return synchronous_rule(source, target)


# --- Which constituents belong together


WordAlignment = Iterable[tuple[int, int]]
"""Pairs (place in the source, place in the target), counted from 0."""


@dataclass(frozen=True)
class ConstituentAlignment:
    """The aligned nodes of two trees. ``targets[v]`` are the target nodes aligned to source node
    ``v``, the highest first; ``null[v]`` says that no word below ``v`` is aligned."""

    targets: tuple[tuple[int, ...], ...]
    null: tuple[bool, ...]

    def pairs(self) -> list[tuple[int, int]]:
        """All aligned pairs (source node, target node)."""
        return [(v, t) for v, aligned in enumerate(self.targets) for t in aligned]


def constituent_alignment(
    source: PhraseNodes, target: PhraseNodes, words: WordAlignment
) -> ConstituentAlignment:
    """The constituents that are aligned. Raises ``ValueError`` for a pair of words that points
    outside one of the sentences, and where no word is aligned at all."""
    pairs = list(words)
    for pair in pairs:
        if len(pair) != 2 or not all(isinstance(place, int) for place in pair):
            raise ValueError(f"an alignment has pairs of places like (0, 0), not {cited(pair)}")
    pairs = sorted(set(pairs))
    n, m = source.length(source.root), target.length(target.root)
    for s, t in pairs:
        if not (0 <= s < n and 0 <= t < m):
            raise ValueError(
                f"the alignment has {s}-{t}, which points outside the sentences of {n} and {m} "
                "words: places are counted from 0"
            )
    if not pairs:
        raise ValueError("no word of the two sentences is aligned, so no rule can be read off them")
    there = [_partners(pairs, source, v, 0) for v in range(len(source))]
    back = [_partners(pairs, target, t, 1) for t in range(len(target))]
    targets = tuple(
        tuple(
            t
            for t in reversed(range(len(target)))
            if there[v] and _inside(there[v], target, t) and _inside(back[t], source, v)
        )
        for v in range(len(source))
    )
    return ConstituentAlignment(targets, tuple(not words_of for words_of in there))


def _partners(pairs: list[tuple[int, int]], nodes: PhraseNodes, node: int, side: int) -> list[int]:
    span = range(nodes.begins[node], nodes.ends[node])
    return [pair[1 - side] for pair in pairs if pair[side] in span]


def _inside(words: list[int], nodes: PhraseNodes, node: int) -> bool:
    return all(nodes.begins[node] <= word < nodes.ends[node] for word in words)
