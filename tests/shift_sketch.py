"""SHIFTLEGAL as Liu et al. (2015, section 3.2.2) sketch it: five relations of two words.

Taken as literally as the text allows, over states of ``oracles.Constrained``; words are units of
the bag, k is the one to be shifted, l one on the stack. Our reading where the text is open:

- Grandchild and grandparent are any number of arcs away, from two up; siblings are all other words
  of the same subdependency tree (else the text would not need their "least common ancestor").
- "All the words on the stack from l to the top": in (1) and (5) with l, as it says; in (3) and (4)
  without l, which is itself the head that the others get, so that with it nothing were legal.
- "Reducable to k": if k were next to it on the stack, REDUCABLE would allow the arc.
- (4) "the root of different subdependency trees": no given head, and not in the tree of k.
- (5) "a will become in the buffer": a has to be in the buffer.
"""

from __future__ import annotations

from oracles import Constrained, Units


class Sketch:
    """GETPOSSIBLEACTIONS (Algorithm 2) with SHIFTLEGAL from the text."""

    def __init__(self, truth: Constrained) -> None:
        self.truth = truth
        self.heads = truth.heads

    def successors(self, state: Units) -> list[tuple[str, Units]]:
        return [
            (name, after) for name, after in self.truth.successors(state) if self.may(state, after)
        ]

    def may(self, state: Units, after: Units) -> bool:
        """Lines 5 to 11: whether the action between two states is a possible one."""
        top = after.stack[-1]
        if after.left != state.left:
            return self.shift_legal(state, top)
        j, i = state.stack[-2:]
        return self.reducable(state, j if top == i else i, top)

    def shift_legal(self, state: Units, k: int) -> bool:
        """SHIFTLEGAL(s, k, C): whether every word l of the stack allows k."""
        return all(self.allows(state, place, k) for place in range(len(state.stack)))

    def allows(self, state: Units, place: int, k: int) -> bool:
        l = state.stack[place]  # noqa: E741  (the paper's name)
        from_l, above_l = state.stack[place:], state.stack[place + 1 :]
        over_l, over_k = self.line(l), self.line(k)
        if over_l[-1] != over_k[-1]:
            return True  # "no word on the stack is in the same subdependency tree as k"
        if k in over_l:
            child = self.heads[l] == k
            return child and all(self.reducable(state, m, k) for m in from_l)  # (1), (2)
        if self.heads[k] == l:
            return all(self.reducable(state, m, k) for m in above_l)  # (3)
        if l in over_k:
            return all(self.goes_below(m, l, k) for m in above_l)  # (4)
        a = next(m for m in over_l if m in over_k)
        direct = a in state.left and self.heads[l] == a
        return direct and all(self.goes_below(m, a, k) for m in from_l)  # (5)

    def goes_below(self, m: int, a: int, k: int) -> bool:
        """(4): m is a descendant of a in C, or the root of a different subdependency tree."""
        return a in self.line(m)[1:] or (
            self.heads[m] in (None, -1) and self.line(m)[-1] != self.line(k)[-1]
        )

    def reducable(self, state: Units, dependent: int, head: int) -> bool:
        """REDUCABLE: all descendants are processed, and the arc is given or no other is."""
        waiting = state.left | set(state.stack)
        below = [m for m in waiting - {dependent} if dependent in self.line(m)]
        return not below and self.heads[dependent] in (None, head)

    def line(self, m: int) -> list[int]:
        found = [m]
        while (head := self.heads[found[-1]]) not in (None, -1):
            found.append(head)
        return found
