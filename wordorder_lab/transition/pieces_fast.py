"""What the decisions of heads add to SHIFTs: ``pieces``' twin, in numba.

The decisions of a SHIFT go up from the word to the first head that has pieces placed. Below that
one nothing is placed, so what those heads decide is the same in every state: it is scored once for
a sentence, and summed from the top down (``sums``); but the topmost of them may have its own head
before it, which is kept as well. What is left is one decision for each piece that may come, which
``decided`` keeps for the other words of that piece.
"""

# mypy: allow-untyped-defs, allow-untyped-calls, no-check-untyped-defs
from __future__ import annotations

from typing import NamedTuple

import numpy as np

from wordorder_lab.runtime.kernel_fast import kernel
from wordorder_lab.structures.problem import OrderingProblem
from wordorder_lab.structures.templates import FIRST, UNKNOWN
from wordorder_lab.transition.state_fast import ACTION, BAG, CHOSEN, NEW_BAG, OLD_BAG, PARENT
from wordorder_lab.transition.templates import (
    BEGIN,
    HEAD_ITSELF,
    MAX_PIECE_ATOMS,
    MOST_COUNTED,
    FeatureKeys,
    each_of,
    size_bin,
)
from wordorder_lab.transition.templates import PIECE_COUNTS as COUNTS
from wordorder_lab.transition.templates import PIECE_SLOTS as SLOTS
from wordorder_lab.transition.weights_fast import LENGTH_BITS, Weights, find

WORD, TAG, LABEL, SIZE, END, HEAD = range(6)
"""Columns of ``tree``, a row a type: its numbers as features see them, the end of its family, its
given head (below 0 if it has none). In a last row stand what is before the first piece, and as END
the label of a head among its own pieces."""

LAST, EARLIER_PIECE, ON_SIDE = range(3)
"""Columns of a state's ``history``, a row a head: the last piece, -1 if none is placed; the one
before it; how many stand on this side of the head."""

H, G, C, X, Y, R, K = range(0, 3 * len(SLOTS), 3)
"""Where the values of a slot begin: word, tag, label; the counts come after all slots."""

SIDE, OTHERS, PLACED, PIECE_SIZE, LAST_SIZE, OTHER_SIZE, ABOVE = range(
    3 * len(SLOTS), 3 * len(SLOTS) + len(COUNTS)
)

ABSENT = 3 * len(SLOTS) + len(COUNTS)
"""Where a template with fewer atoms looks: a value that is never missing."""

VALUES = ABSENT + 1

WIDTH = MAX_PIECE_ATOMS
"""A line of a program is (template, R or K, so many places, so many factors)."""


def piece_lines(keys: FeatureKeys) -> np.ndarray:
    """The templates over pieces as lines of an integer program."""
    lines = []
    for index in keys.templates.pieces:
        template = keys.templates.templates[index]
        factors = [factor for factor, _ in keys.places[index]]
        places = [
            3 * len(SLOTS) + COUNTS.index(atom.slot)
            if atom.attribute == "n"
            else 3 * SLOTS.index(atom.slot) + "wpl".index(atom.attribute)
            for atom in template.atoms
        ]
        rest = WIDTH - len(places)
        line = [*places, *[ABSENT] * rest, *factors, *[0] * rest]
        lines.append([index, each_of(template), *line])
    return np.array(lines, np.int64).reshape(-1, 2 + 2 * WIDTH)


def piece_tree(problem: OrderingProblem, keys: FeatureKeys) -> np.ndarray:
    """``tree`` of a problem."""
    given, ends, lines = problem.given, problem.given.ends, []
    known = zip(problem.ahead, problem.ahead_labels, strict=True)
    for t, ((word, tag), label) in enumerate(known):
        head = given.heads[t]
        lines += [
            keys.word_ids.get(word, UNKNOWN),
            keys.tag_ids.get(tag or "", UNKNOWN),
            keys.label_ids.get(label or "", UNKNOWN),
            size_bin(t, problem) + FIRST,
            ends[t],
            -1 if head is None else head,
        ]
    first, own = (keys.label_ids.get(name, UNKNOWN) for name in (BEGIN, HEAD_ITSELF))
    lines += [keys.word_ids[BEGIN], keys.tag_ids[BEGIN], first, FIRST, own, -1]
    return np.array(lines, np.int64).reshape(-1, 6)


def most_changes(tree: np.ndarray, counts: np.ndarray, lines: np.ndarray) -> int:
    """No derivation has more features of pieces than this."""
    if not len(lines):
        return 0
    kinds = len(counts)
    children = np.zeros(kinds, np.int64)
    pieces = np.ones(kinds, np.int64)
    for t in range(kinds):
        if tree[t, HEAD] >= 0:
            children[tree[t, HEAD]] += 1
            pieces[tree[t, HEAD]] += counts[t]
    sizes = pieces * (1 + children + children.max())
    return int(sizes.sum()) * len(lines)


# --- Kernels


class Pieces(NamedTuple):
    """What kernels need of a run for the decisions of heads.

    ``history`` says what is placed, of ``present`` types some units are left; ``sums``, and for the
    present state ``decided`` where it is ``known``, hold scores; ``values`` and ``keys`` belong to
    one decision.
    """

    tree: np.ndarray
    lines: np.ndarray
    weights: Weights
    history: np.ndarray
    sums: np.ndarray
    decided: np.ndarray
    known: np.ndarray
    present: np.ndarray
    values: np.ndarray
    keys: np.ndarray


@kernel(inline="always")
def pieces_of(run):
    """The part of a run (``bag_fast``) that belongs to pieces."""
    space = run.space
    return Pieces(
        run.problem.tree,
        run.program.pieces,
        run.weights,
        space.history,
        space.sums,
        space.decided,
        space.known,
        space.present,
        space.piece_values,
        space.piece_keys,
    )


@kernel(inline="always")
def see(values, slot, kind, head, tree):
    """Fill a slot with what is known of a type; below 0 it is the begin, and ``head`` itself has
    a label of its own."""
    row = kind if kind >= 0 else tree.shape[0] - 1
    values[slot] = tree[row, WORD]
    values[slot + 1] = tree[row, TAG]
    values[slot + 2] = tree[row, LABEL] if kind != head or kind < 0 else tree[-1, END]


@kernel(borrows=True)
def list_keys(head, piece, half, r, pieces):
    """List the keys of all features of a decision, after what line ``r`` of a half of ``history``
    has placed; returns how many, 0 if there is no choice."""
    tree, present, values = pieces.tree, pieces.present, pieces.values
    lines, keys = pieces.lines, pieces.keys
    others = np.int64((piece != head) & (present[head] != 0))
    child, end = head + 1, tree[head, END]
    while child < end:
        others += np.int64((child != piece) & (present[child] != 0))
        child = tree[child, END]
    if others == 0:
        return 0
    history = pieces.history
    last = history[half, r, head, LAST]
    see(values, H, head, -1, tree)
    see(values, G, tree[head, HEAD], -1, tree)
    see(values, C, piece, head, tree)
    see(values, X, last, head, tree)
    see(values, Y, history[half, r, head, EARLIER_PIECE], head, tree)
    side = 1 if piece == head else (0 if present[head] != 0 else 2)
    values[SIDE] = FIRST + side
    values[OTHERS] = FIRST + min(others, MOST_COUNTED)
    values[PLACED] = FIRST + min(np.int64(history[half, r, head, ON_SIDE]), MOST_COUNTED)
    values[PIECE_SIZE] = FIRST if piece == head else tree[piece, SIZE]
    values[LAST_SIZE] = FIRST if last < 0 or last == head else tree[last, SIZE]
    above = tree[head, HEAD]
    values[ABOVE] = FIRST + (2 if above < 0 else np.int64(present[above] == 0))
    values[ABSENT] = FIRST
    n = fill_keys(0, 0, lines, values, keys)
    if piece != head and present[head] != 0:
        see(values, R, head, head, tree)
        values[OTHER_SIZE] = FIRST
        n = fill_keys(1, n, lines, values, keys)
    child = head + 1
    while child < end:
        if child != piece and present[child] != 0:
            see(values, R, child, head, tree)
            values[OTHER_SIZE] = tree[child, SIZE]
            n = fill_keys(1, n, lines, values, keys)
        child = tree[child, END]
    if piece != head:
        child, end = piece + 1, tree[piece, END]
        while child < end:
            see(values, K, child, -1, tree)
            n = fill_keys(2, n, lines, values, keys)
            child = tree[child, END]
    return n


@kernel(inline="always")
def fill_keys(each, n, lines, values, keys):
    """List the keys of the templates of one kind from ``n`` on; returns where they end."""
    for k in range(lines.shape[0]):
        if lines[k, 1] == each:
            key, least = lines[k, 0], np.int64(FIRST)
            for i in range(2, 2 + WIDTH):
                value = values[lines[k, i]]
                key += value * lines[k, i + WIDTH]
                least = min(least, value)
            keys[n] = key
            n += np.int64(least >= FIRST)
    return n


@kernel(borrows=True)
def decision_score(head, piece, half, r, pieces):
    """The score of a decision: the sum of its features' weights."""
    weights, total = pieces.weights, 0.0
    shift, table = weights.numbers[0], weights.table
    for i in range(list_keys(head, piece, half, r, pieces)):
        key = pieces.keys[i]
        h = find(table, shift, key)
        if table[h, 0] == key:
            total += weights.entries[table[h, 1] >> LENGTH_BITS, 1]
    return total


@kernel(borrows=True)
def begin_pieces(pieces):
    """Begin a sentence: nothing is placed; score the first decision of each head on each piece.

    A line of ``sums`` is that of a type on itself; on the type and all above it; and what both (the
    second without those above) change where the head of the deciding head has come.
    """
    tree, sums, history = pieces.tree, pieces.sums, pieces.history
    kinds = tree.shape[0] - 1
    for r in (0, history.shape[1] - 1):
        place_nothing(r, kinds, history)
    for t in range(kinds):
        pieces.present[t] = 1
    for t in range(kinds):
        head = tree[t, HEAD]
        for column in range(4):
            sums[t, column] = 0.0
        if tree[t, END] > t + 1:
            sums[t, 0], sums[t, 2] = first_scores(t, t, pieces)
        if head >= 0:
            score, sums[t, 3] = first_scores(head, t, pieces)
            sums[t, 1] = sums[head, 1] + score


@kernel(inline="always")
def place_nothing(r, kinds, history):
    """Line ``r`` of the first half of ``history``: no piece is placed."""
    for t in range(kinds):
        history[0, r, t, LAST] = -1
        history[0, r, t, EARLIER_PIECE] = -1
        history[0, r, t, ON_SIDE] = 0


@kernel(borrows=True)
def first_scores(head, piece, pieces):
    """The score of a first decision, and what it changes if the head's own head has come."""
    score = decision_score(head, piece, 0, 0, pieces)
    above = pieces.tree[head, HEAD]
    if above < 0:
        return score, 0.0
    pieces.present[above] = 0
    after = decision_score(head, piece, 0, 0, pieces)
    pieces.present[above] = 1
    return score, after - score


@kernel(borrows=True)
def begin_state(half, r, bits, pieces):
    """Make ready to score SHIFTs from the state whose bag is line ``r``."""
    for t in range(pieces.tree.shape[0] - 1):
        word = bits[half, r, t >> 6, BAG]
        pieces.present[t] = (word >> np.uint64(t & 63)) & np.uint64(1)
        pieces.known[t] = 0


@kernel(borrows=True)
def piece_score(kind, half, r, pieces):
    """What the decisions of a SHIFT add in the state that ``begin_state`` was called for."""
    tree, history, sums, total = pieces.tree, pieces.history, pieces.sums, 0.0
    below, piece, head = kind, kind, tree[kind, HEAD]
    if history[half, r, kind, LAST] >= 0:
        head = kind
    else:
        while head >= 0 and history[half, r, head, LAST] < 0:
            below, piece, head = piece, head, tree[head, HEAD]
        total = sums[kind, 0] + sums[kind, 1] - sums[piece, 1]
        if head >= 0 and pieces.present[head] == 0:
            total += sums[kind, 2] if piece == kind else sums[below, 3]
    if head >= 0:
        if pieces.known[piece] == 0:
            score = decision_score(head, piece, half, r, pieces)
            pieces.decided[piece], pieces.known[piece] = score, 1
        total += pieces.decided[piece]
    return total


@kernel(borrows=True)
def place_pieces(n, now, problem, space):
    """The histories of the ``n`` states that were built from ``space.plan``."""
    history, plan, tree = space.history, space.plan, problem.tree
    for i in range(n):
        s, r, action = plan[i, OLD_BAG], plan[i, NEW_BAG], plan[i, CHOSEN]
        for t in range(tree.shape[0] - 1):
            for column in range(3):
                history[1 - now, r, t, column] = history[now, s, t, column]
        if action >= 2:
            place_piece(problem.item_bags[action - 2], 1 - now, r, tree, history)


@kernel(borrows=True)
def place_piece(kind, half, r, tree, history):
    """Place a shifted type in a history: in its own piece, and up to the first head begun."""
    begun = history[half, r, kind, LAST] >= 0
    if tree[kind, END] > kind + 1:
        push(kind, kind, half, r, history)
    piece, head = kind, tree[kind, HEAD]
    while head >= 0 and not begun:
        begun = history[half, r, head, LAST] >= 0
        push(head, piece, half, r, history)
        piece, head = head, tree[head, HEAD]


@kernel(inline="always")
def push(head, piece, half, r, history):
    """One more piece of a head."""
    history[half, r, head, EARLIER_PIECE] = history[half, r, head, LAST]
    history[half, r, head, LAST] = piece
    history[half, r, head, ON_SIDE] = 0 if piece == head else history[half, r, head, ON_SIDE] + 1


# --- Learning


@kernel(borrows=True)
def replay(row, depth, problem, space):
    """Lay out history and bag of the state ``depth`` steps before ``row``: line 0, and ``left``."""
    pool, chain, kinds = space.pool, space.derivation, problem.tree.shape[0] - 1
    steps = 0
    while row > 0:
        chain[steps] = pool[row, ACTION]
        row = pool[row, PARENT]
        steps += 1
    for t in range(kinds):
        space.left[t] = problem.counts[t]
    place_nothing(0, kinds, space.history)
    for at in range(steps - 1, depth - 1, -1):
        shift_piece(chain[at], problem, space)


@kernel(borrows=True)
def shift_piece(action, problem, space):
    """Go on from the state that ``replay`` has laid out."""
    if action >= 2:
        kind = problem.item_bags[action - 2]
        space.left[kind] -= 1
        place_piece(kind, 0, 0, problem.tree, space.history)


@kernel(borrows=True)
def collect_pieces(action, sign, run, changes, n):
    """Write what an update changes by the decisions of a SHIFT; returns how many lines there are
    now. The weights are those of SHIFT as such."""
    if action < 2:
        return n
    problem, pieces, begin = run.problem, pieces_of(run), n
    tree, history = problem.tree, pieces.history
    for t in range(tree.shape[0] - 1):
        pieces.present[t] = run.space.left[t] > 0
    kind = problem.item_bags[action - 2]
    begun = history[0, 0, kind, LAST] >= 0
    if tree[kind, END] > kind + 1:
        n = collect_decision(kind, kind, pieces, changes, n)
    piece, head = kind, tree[kind, HEAD]
    while head >= 0 and not begun:
        begun = history[0, 0, head, LAST] >= 0
        n = collect_decision(head, piece, pieces, changes, n)
        piece, head = head, tree[head, HEAD]
    for line in range(begin, n):
        changes[line, 1] = problem.columns[problem.folds[2, 2]]
        changes[line, 2] = sign
        changes[line, 4] = action
    return n


@kernel(borrows=True)
def collect_decision(head, piece, pieces, changes, n):
    """The keys of one decision."""
    for i in range(list_keys(head, piece, 0, 0, pieces)):
        changes[n, 0] = pieces.keys[i]
        n += 1
    return n
