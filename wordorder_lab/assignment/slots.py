"""Dependents are assigned to the empty argument positions of heads, round by round.

Every head has slots: the first, second, third dependent to its left, and to its right; the root has
one slot. What a slot is worth says how satisfied its head is: a verb without a subject has more use
for one than a verb that has it.

    gain of h's k-th dependent on side s = log p(k | s, h) - log p(k - 1 | s, h)
    worth of this slot for d             = log p(d | s, h) + its gain

So the worth of all slots taken, with p(0 | s, h) of every word, is the log-probability of the tree.

``assigned_tree`` offers the slots of all words at once:

    1  every word is assigned to one slot, at the largest sum of worths; here the gain of a
       slot is at most that of the slots before it
    2  while some words go round in a cycle
    3    of the first cycle, one word gives up its slot and takes the next one of a word that
         neither is in the cycle nor hangs from it: the move that costs the tree's log-probability
         least

``grown_tree`` begins at the root, and what is attached stays:

    4  while words are left over
    5    offered are the next slot to the left and the next one to the right of all attached words
         (before there are any, the root's): as many as can be are filled, at the largest sum

Lines 1 and 5 are assignments in the sense of graph theory, solved by scipy's.

Differences
- *Paper silent*, as Wan et al. (2009) is not before us: their name for the system is AB, and known
  of it is what lines 4 and 5 say, so no cycle can arise. Not known is what a slot is worth to them,
  and whether one may stay empty while words are left over.
- *Our reading*: the usual tree is not theirs, but that of lines 1 to 3. With our worths a grown
  tree is much less probable and further from gold: each word has two dependents as soon as it is
  attached, an article, too.
- *Our reading*: gains of line 1 must not grow. Otherwise the best assignment fills a second slot
  and leaves the first one empty, as a head with one dependent often has a second one. So line 1
  finds the best of all choices of heads and sides by a sum that is at most the log-probability, and
  equal to it where gains do not grow by themselves. By the log-probability itself it would be an
  integer programme, which may take seconds for forty words.
- *Our reading*: the rounds are greedy (Zhang & Clark 2011, section 6, say so of that system). A
  slot that was filled keeps its word but for line 3, so many trees are less probable than the gold
  ones: `evaluate --errors` counts these as search errors. The spanning tree has none of its own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from wordorder_lab.assignment.spanning_tree import first_cycle
from wordorder_lab.assignment.statistics import LEFT, SIDES
from wordorder_lab.structures.sentence import ROOT

MOST_SLOTS = 6
"""That a head has on one side in line 1, but for dependents that are given."""
FORBIDDEN = -1e9
"""The worth of what may not be: far below every sum of logarithms, and still a number."""
NEEDED = 1e6
"""What the root's slot gains: above every sum of logarithms, and no match for what is forbidden."""

Worth = Callable[[int, int, int], float]
"""(head, side, dependent) -> log p(d | s, h); the root's side is the left."""
Valency = Callable[[int, int, int], float]
"""(head, side, number) -> log p(n | s, h)."""


class Arc(NamedTuple):
    """A word's head, or the root, and the side of it that the word stands on."""

    head: int
    side: int


def assigned_tree(n: int, worth: Worth, valency: Valency, given: Sequence[int | None]) -> list[Arc]:
    """The arc of each of ``n`` words; a ``given`` head (``ROOT``: the root) is kept."""
    table = _Table(n, worth, valency, given)
    arcs = table.assigned()
    while cycle := first_cycle([arcs[word].head for word in range(n)], range(n), ROOT):
        table.open(cycle, arcs)
    return [arcs[word] for word in range(n)]


def grown_tree(n: int, worth: Worth, valency: Valency, given: Sequence[int | None]) -> list[Arc]:
    """The same, with the tree growing from its root; ``ValueError`` for heads that are no tree."""
    table = _Table(n, worth, valency, given)
    arcs: dict[int, Arc] = {}
    while len(arcs) < n:
        found = table.next_ones(arcs)
        if not found:
            raise ValueError("the given heads are no tree: some words hang from no root")
        arcs |= found
    return [arcs[word] for word in range(n)]


class _Table:
    """What the slots are worth to the words, and who may have which head."""

    def __init__(self, n: int, worth: Worth, valency: Valency, given: Sequence[int | None]) -> None:
        self.n, self.valency, self.given = n, valency, given
        self.gains: dict[tuple[Arc, int], float] = {}
        self.worth = {
            Arc(head, side): np.array(
                [worth(head, side, d) if head != d else FORBIDDEN for d in range(n)]
            )
            for head in range(n)
            for side in SIDES
        }
        self.worth[Arc(ROOT, LEFT)] = np.array([worth(ROOT, LEFT, d) for d in range(n)])
        has_root = ROOT in given
        for (head, _), values in self.worth.items():
            for word, kept in enumerate(given):
                if kept not in (None, head) or (kept is None and head == ROOT and has_root):
                    values[word] = FORBIDDEN

    def assigned(self) -> dict[int, Arc]:
        """Line 1: the arc of each word."""
        slots, gains = [Arc(ROOT, LEFT)], [NEEDED]  # there is a root, whatever it costs
        for side in self.worth:
            if side.head != ROOT:
                number = max(MOST_SLOTS, self.given.count(side.head))
                slots += [side] * number
                gains += np.minimum.accumulate([self.gain(side, k) for k in range(number)]).tolist()
        return self.best(range(self.n), slots, gains)

    def next_ones(self, arcs: Mapping[int, Arc]) -> dict[int, Arc]:
        """Line 5: the arcs of the words that are attached next."""
        filled = Counter(arcs.values())
        slots = [Arc(head, side) for head in sorted(arcs) for side in SIDES] or [Arc(ROOT, LEFT)]
        gains = [self.gain(slot, filled[slot]) if arcs else NEEDED for slot in slots]
        return self.best([word for word in range(self.n) if word not in arcs], slots, gains)

    def best(
        self, words: Sequence[int], slots: Sequence[Arc], gains: Sequence[float]
    ) -> dict[int, Arc]:
        """The best assignment of words to slots, each to one at most."""
        from scipy.optimize import linear_sum_assignment

        values = np.array([self.worth[slot][words] for slot in slots]).T + np.array(gains)
        pairs = zip(*linear_sum_assignment(values, maximize=True), strict=True)
        return {words[w]: slots[s] for w, s in pairs if values[w, s] > FORBIDDEN / 2}

    def open(self, cycle: Sequence[int], arcs: dict[int, Arc]) -> None:
        """Line 3: one word of the cycle gets an arc from outside of it."""
        inside, filled = _below(cycle[0], arcs), Counter(arcs.values())
        moves = []
        for word in cycle:
            own = arcs[word]
            given_up = self.worth[own][word] + self.gain(own, filled[own] - 1)
            for slot, values in self.worth.items():
                if slot.head != ROOT and slot.head not in inside:
                    gained = values[word] + self.gain(slot, filled[slot])
                    moves.append((gained - given_up, word, slot))
        _, word, slot = max(moves, key=lambda move: move[0])
        arcs[word] = slot

    def gain(self, slot: Arc, filled: int) -> float:
        """What one more dependent does for the satisfaction of a head that has so many there."""
        known = self.gains.get((slot, filled))
        if known is None:
            more = self.valency(*slot, filled + 1)
            known = self.gains[slot, filled] = more - self.valency(*slot, filled)
        return known


def _below(word: int, arcs: Mapping[int, Arc]) -> set[int]:
    below: dict[int, list[int]] = {}
    for dependent, arc in arcs.items():
        below.setdefault(arc.head, []).append(dependent)
    inside, todo = {word}, [word]
    while todo:
        for dependent in below.get(todo.pop(), ()):
            if dependent not in inside:
                inside.add(dependent)
                todo.append(dependent)
    return inside
