"""The transition system for linearization: Liu et al. 2015, Figure 3.

    SHIFT-i-POS   (stack, bag, A)          ->  ([stack|i], bag - {i}, A)
    LEFTARC       ([stack|j i], bag, A)    ->  ([stack|i], bag, A + {j <- i})
    RIGHTARC      ([stack|j i], bag, A)    ->  ([stack|j], bag, A + {j -> i})

Differences. The paper counts 2n actions; an arc needs two words on the stack, so there are n
SHIFTs and n - 1 arcs, 2n - 1 in all. Equal words are one item with a count, offered once.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from wordorder_lab.structures.problem import OrderingProblem
from wordorder_lab.structures.sentence import Sentence
from wordorder_lab.structures.state import LEFTARC, RIGHTARC, SHIFT, Node, State


def initial_state(problem: OrderingProblem) -> State:
    """``([], set(1..n), {})``."""
    return State(stack=(), bag=problem.counts)


def possible_actions(state: State, problem: OrderingProblem) -> list[int]:
    """GETPOSSIBLEACTIONS without constraints: arcs between two words, SHIFT of whatever is left."""
    actions = [LEFTARC, RIGHTARC] if len(state.stack) >= 2 else []
    for index, item in enumerate(problem.items):
        if state.bag[item.type] > 0:
            actions.append(SHIFT + index)
    return actions


def apply_action(
    state: State, action: int, problem: OrderingProblem, score: float = 0, serial: int = 0
) -> State:
    """APPLY: the state after ``action``, linked to ``state``."""
    stack, bag, order = state.stack, state.bag, state.order
    if action == LEFTARC:
        *rest, j, i = stack
        stack = (*rest, i.with_left(j))
    elif action == RIGHTARC:
        *rest, j, i = stack
        stack = (*rest, j.with_right(i))
    else:
        item = action - SHIFT
        kind = problem.items[item].type
        stack = (*stack, Node(item, place=len(order)))
        bag = (*bag[:kind], bag[kind] - 1, *bag[kind + 1 :])
        order = (*order, item)
    return State(stack, bag, order, score, serial, action, state)


def action_name(action: int, problem: OrderingProblem) -> str:
    """An action as the paper writes it: ``SHIFT-led-VBD``."""
    if action < SHIFT:
        return ("LEFTARC", "RIGHTARC")[action]
    item = problem.items[action - SHIFT]
    return f"SHIFT-{item.form}-{item.pos}"


def gold_moves(heads: Sequence[int]) -> list[int]:
    """The oracle's sequence for a projective tree: SHIFT (2), LEFTARC (0) or RIGHTARC (1).

    Right dependents are attached as soon as they are complete, left dependents after them, the
    nearest first, as in the paper's Table 1. Raises ``ValueError`` if the tree is not projective.
    """
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


def gold_actions(sentence: Sentence, problem: OrderingProblem) -> list[int]:
    """The gold sequence in the problem's own action numbers.

    Raises ``KeyError`` if the problem does not offer a token's gold tag.
    """
    offered: dict[tuple[tuple[str, ...], str], list[int]] = {}
    for index, item in enumerate(problem.items):
        offered.setdefault((item.unit, item.pos), []).append(index)
    left = list(problem.counts)
    shifts = []
    for token in sentence:
        # Of equal words some may come with their tag and some without. Types with a tag sort last;
        # they can be nothing else, so they are used up first.
        fitting = reversed(offered[token.words, token.pos])
        index = next(i for i in fitting if left[problem.items[i].type])
        left[problem.items[index].type] -= 1
        shifts.append(SHIFT + index)
    words = iter(shifts)
    moves = gold_moves([token.head for token in sentence])
    return [next(words) if move == SHIFT else move for move in moves]


@dataclass(frozen=True)
class ActionTable:
    """The numbering of actions in a model: LEFTARC 0, RIGHTARC 1, then SHIFT by (word, tag).

    SHIFT is identified by tag and feature word; ``pairs`` are those seen in training, sorted.
    """

    pairs: tuple[tuple[str, str], ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "ids", {pair: i for i, pair in enumerate(self.pairs, SHIFT)})

    ids: dict[tuple[str, str], int] = None  # type: ignore[assignment]

    @classmethod
    def of(cls, sentences: Iterable[Sentence]) -> ActionTable:
        """All SHIFTs of the gold sequences of a training corpus."""
        return cls(tuple(sorted({(t.words[-1], t.pos) for s in sentences for t in s})))

    def __len__(self) -> int:
        return SHIFT + len(self.pairs)

    def id(self, action: int, problem: OrderingProblem) -> int:
        """The model's number for a problem's action; -1 if training never saw it."""
        if action < SHIFT:
            return action
        item = problem.items[action - SHIFT]
        return self.ids.get((item.word, item.pos), -1)


def read_actions(actions: Sequence[int], problem: OrderingProblem) -> tuple[list[int], list[int]]:
    """What a complete derivation says: the items in order, and the heads over them (-1 the root).

    Raises ``ValueError`` if the actions do not end with one word on the stack.
    """
    items: list[int] = []
    heads: list[int] = []
    stack: list[int] = []
    for action in actions:
        if action >= SHIFT:
            stack.append(len(items))
            items.append(action - SHIFT)
            heads.append(-1)
        elif action == LEFTARC:
            heads[stack[-2]] = stack[-1]
            del stack[-2]
        else:
            heads[stack[-1]] = stack[-2]
            stack.pop()
    if len(stack) != 1 or len(items) != problem.size:
        raise ValueError("the derivation is not complete")
    return items, heads
