"""The oracle: the sequence of actions that builds a gold tree, for training.

Liu et al. 2015, section 3 and Table 1.

A word with dependents on both sides may take those on its left before, between or after those on
its right, so one tree has many derivations (*spurious ambiguity*), and each has a score of its own.
The oracle is one of them; ``best_gold`` finds which of all a model likes best. They are searched
step by step, as Algorithm 1 does, with the moves alone that lead to the tree.

Differences
- *Our reading*, Table 1: right dependents are attached as soon as they are complete, left
  dependents after them, the nearest first. The paper shows this order by its example alone.
- *Text against figure*: the sequence in section 3's text has a SHIFT-of-NP too many; without it, it
  is Table 1's.
"""

from __future__ import annotations

from collections.abc import Sequence

from wordorder_lab.structures.problem import OrderingProblem
from wordorder_lab.structures.sentence import ROOT, Sentence
from wordorder_lab.transition.actions import apply_action, initial_state, read_actions
from wordorder_lab.transition.features import ActionScores, state_context
from wordorder_lab.transition.state import LEFTARC, RIGHTARC, SHIFT, Node, State


def gold_moves(heads: Sequence[int]) -> list[int]:
    """The oracle's sequence for a projective tree: SHIFT (2), LEFTARC (0) or RIGHTARC (1). Raises
    ``ValueError`` if the tree is not projective."""
    missing_right = [0] * len(heads)
    for i, head in enumerate(heads):
        if 0 <= head < i:
            missing_right[head] += 1
    moves: list[int] = []
    stack: list[int] = []
    for word in range(len(heads)):
        stack.append(word)
        moves.append(SHIFT)
        while len(stack) > 1:
            j, i = stack[-2:]
            if missing_right[i]:
                break
            if heads[j] == i:
                moves.append(LEFTARC)
                del stack[-2]
            elif heads[i] == j:
                moves.append(RIGHTARC)
                missing_right[j] -= 1
                stack.pop()
            else:
                break
    if len(stack) != 1:
        raise ValueError("the tree is not projective: no sequence of actions builds it")
    return moves


def gold_actions(
    sentence: Sentence, problem: OrderingProblem, units: Sequence[int] | None = None
) -> list[int]:
    """The gold sequence in the problem's own action numbers.

    ``units[i]`` is the place of token ``i`` in the bag (``bag.places``); it may be left
    out where no heads are given. Raises ``KeyError`` if the problem does not offer a token's
    gold form, tag or label, ``ValueError`` where ``units`` are needed, and as ``gold_moves``.
    """
    if units is not None:
        types = _types(problem, units)
    elif problem.given.anything:
        raise ValueError("with given heads, say which unit of the bag each token is")
    else:
        types = _types_by_words(sentence, problem)
    items = {
        (item.type, item.unit, item.pos, item.label): SHIFT + i
        for i, item in enumerate(problem.items)
    }
    gold = []
    for t, token in zip(types, sentence, strict=True):
        look = t, token.words, token.pos
        labelled = items.get((*look, token.label))
        gold.append(items[*look, ""] if labelled is None else labelled)  # labels play no part
    shifts = iter(gold)
    moves = gold_moves([token.head for token in sentence])
    return [next(shifts) if move == SHIFT else move for move in moves]


def _types(problem: OrderingProblem, units: Sequence[int]) -> list[int]:
    """The type that each token is shifted as: of equal subtrees the first is begun first."""
    given = problem.given
    own = {unit: t for t, group in enumerate(problem.units) for unit in group}
    chosen: dict[int, int] = {}

    def choose(t: int) -> int:
        """The type that stands for ``t``, its head's before it."""
        if t not in chosen:
            head = given.heads[t]
            # Equal subtrees are numbered alike, so a type keeps its distance from its head.
            here = t if head is None or head == ROOT else choose(head) + t - head
            first = here
            while (twin := given.twins[first]) is not None:
                first = twin
            taken = set(chosen.values())
            while first in taken:
                first = given.ends[first]
            chosen[t] = first
        return chosen[t]

    return [choose(own[unit]) for unit in units]


def _types_by_words(sentence: Sentence, problem: OrderingProblem) -> list[int]:
    """The same where words and tags decide it."""
    offered: dict[tuple[tuple[str, ...], str], list[int]] = {}
    for item in problem.items:
        offered.setdefault((item.unit, item.pos), []).append(item.type)
    left = list(problem.counts)
    types = []
    for token in sentence:
        # Of equal words some may come with their tag and some without. Types with a tag sort last;
        # they can be nothing else, so they are used up first.
        kind = next(t for t in reversed(offered[token.words, token.pos]) if left[t])
        left[kind] -= 1
        types.append(kind)
    return types


# --- The best of a tree's derivations


WIDE = 1_000
"""Stacks that a step keeps at most: 4 of the 3,588 sentences of the Penn sample have more, 12 of
1,970 of EWT's development part."""


def best_gold(scores: ActionScores, problem: OrderingProblem, gold: Sequence[int]) -> float:
    """The score of the best derivation that has the words and the tree of a gold one.

    All that a score sees of a state are its stack and the words so far, and these are gold's. So
    of the states with one stack the best alone is kept, and the score found is exact; but where a
    step has more than ``WIDE`` stacks, the best of them go on, and it may be too low.
    """
    _, heads = read_actions(gold, problem)
    on_right = [0] * len(heads)
    for place, head in enumerate(heads):
        on_right[head] += 0 <= head < place
    shifts = [action for action in gold if action >= SHIFT]
    states = [initial_state(problem)]
    for _ in gold:
        best: dict[tuple[Node, ...], State] = {}
        for state in states:
            own = scores.of(state_context(state, problem))
            for move in _moves(state, heads, on_right):
                action = shifts[len(state.order)] if move == SHIFT else move
                score = scores.after(state, action, own)
                after = apply_action(state, action, problem, score)
                if after.stack not in best or best[after.stack].score < score:
                    best[after.stack] = after
        states = sorted(best.values(), key=lambda state: -state.score)[:WIDE]
    return states[0].score


def _moves(state: State, heads: Sequence[int], on_right: Sequence[int]) -> list[int]:
    """The moves from which the tree can still be built: of several, an arc and SHIFT."""
    if not state.stack:
        return [SHIFT]
    *below, top = state.stack
    waits = len(top.right) < on_right[top.place]
    under = below[-1].place if below else ROOT
    if below and heads[under] == top.place:
        return [LEFTARC, SHIFT] if waits else [LEFTARC]
    if not waits and heads[top.place] == under:
        return [RIGHTARC]
    return [SHIFT]
