"""The best compression that obeys constraints: an integer programme, solved exactly.

After Clarke & Lapata (2008), over the scores of McDonald (2006) or of a trigram model. What is
kept is a path from a start before the sentence to an end after it, as in ``lattice``; a variable of
0 or 1 says of each word whether it stays, another of each step whether the path takes it:

    maximise    sum over steps of score(step) y(step)
    so that     one step leaves the start
                into each state as many steps go as out of it
                k(word) = sum of the steps that put this word behind others
                every row of ``constraints`` holds, and  least <= sum of k <= most

A state is what a score has to remember: the last kept word with scores of bigrams, the last two
with scores of trigrams. n words have about n^2 / 2 steps, or n^3 / 6. Without constraints the
programme is a longest path, whose relaxation has whole values already. HiGHS solves it, by branch
and bound with cuts, through ``scipy.optimize.milp``.

Differences
- *Our reading*: the paper was not at hand. We remember trigram variables that are tied to words
  alone; here they are tied to the pairs of words between them, as a flow. Whole solutions are the
  same, the relaxation is closer, so that there is less to branch on.
- *Our reading*: only the words' variables have to be whole. Once words are chosen there is one path
  through all of them.
- *Our reading*: ties. Of compressions with the same score, and of any that are nearer to each
  other than the solver's tolerance of 1e-6, whichever is found first comes out; a solver of the
  same version finds the same one every time.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy.optimize import Bounds, LinearConstraint, linprog, milp
from scipy.sparse import csr_array

from wordorder_lab.deletion.constraints import Constraint, length
from wordorder_lab.structures.messages import check_most

MOST_WORDS = {2: 250, 3: 200}
"""How long a sentence may be, with scores of bigrams and of trigrams."""
FEW = 3000
"""So many steps are solved at once; of more, so many of the best are taken to begin with."""
ROUNDS = 30
"""How often more steps are looked for before whole words are; the answer does not depend on it."""
MOST_SCORE = 1e15
"""How far from 0 a score may be: HiGHS takes 1e20 for infinite, and sums of scores must be less."""
CLOSE = 1e-6
"""How near two values have to be to count as equal, as a share of them."""
OPTIMAL, INFEASIBLE = 0, 2
"""What scipy says of a programme that was solved, and of one without any solution."""


class Solution(NamedTuple):
    """The words that are kept, counted from 0, the sum of their scores, and how much work it was.
    ``nodes`` are those of branch and bound, 0 where the relaxation was enough or presolving was."""

    kept: tuple[int, ...]
    objective: float
    nodes: int


def solve(
    scores: np.ndarray,
    constraints: Sequence[Constraint] = (),
    least: int = 1,
    most: int | None = None,
) -> Solution | None:
    """The best choice of words that obeys all constraints; ``None`` where no choice does.

    ``scores``, float64 of two dimensions: ``scores[i, j]`` is for position j straight after i, as
    in ``lattice``; of three: ``scores[h, i, j]`` for j after i after h, with the start twice before
    the first word. At least ``least`` words are kept, at most ``most`` (default: all).

    Raises ``ValueError`` for an array that is none of these, a score not finite or beyond
    ``MOST_SCORE``, a sentence that is too long, and lengths that cannot be.
    """
    words = _check(scores, least, most)
    most = words if most is None else most
    rows = [*constraints, length(words, least, most)] if least > 1 or most < words else constraints
    real = scores[real_steps(words + 2, scores.ndim)]
    if not np.isfinite(real).all():
        raise ValueError("the score of a step is not a finite number")
    if (largest := float(np.abs(real).max())) > MOST_SCORE:
        raise ValueError(
            f"the score of a step, {largest:.3g}, is beyond what the integer programme can be "
            f"solved with ({MOST_SCORE:g}): the model's weights are too large"
        )
    return _in_parts(scores, list(rows), words)


def _in_parts(scores: np.ndarray, rows: list[Constraint], words: int) -> Solution | None:
    """Solve with the steps that matter: ``None`` where no choice of words obeys the rows."""
    through = best_through(scores, np.zeros(words))
    every = np.isfinite(through)
    if np.count_nonzero(every) <= FEW:
        return _solve(scores, every, rows, words)
    legal = _words_alone(np.zeros(words), rows, whole=True)
    if legal is None:
        return None
    chosen = _best_of(through, FEW)
    _add_path(chosen, [int(place) for place in np.flatnonzero(legal > 0.5)])
    for _ in range(ROUNDS):
        value, prices = _relaxed(scores, chosen, rows, words)
        through = best_through(scores, prices)
        through += _rest(prices, rows)
        better = through > value + _near(value)
        if not (better & ~chosen).any():
            break
        chosen |= better & _best_of(through, FEW)
    found = _solve(scores, chosen, rows, words)
    assert found is not None  # ``legal`` is among the choices
    promising = through >= found.objective - _near(found.objective)
    if (promising & ~chosen).any():
        again = _solve(scores, chosen | promising, rows, words)
        assert again is not None
        return again._replace(nodes=found.nodes + again.nodes)
    return found


def _solve(
    scores: np.ndarray, chosen: np.ndarray, rows: Sequence[Constraint], words: int
) -> Solution | None:
    steps = steps_of(chosen)
    gains = scores[tuple(steps.positions)]
    whole = np.zeros(words + len(gains))
    whole[:words] = 1
    found = milp(
        np.concatenate([np.zeros(words), -gains]),
        integrality=whole,
        bounds=Bounds(0, 1),
        constraints=_rows(steps, rows, words),
        options={"mip_rel_gap": 0.0},
    )
    if found.status == INFEASIBLE:
        return None
    if found.status != OPTIMAL:
        raise RuntimeError(f"HiGHS did not solve the programme: {found.message}")
    kept = tuple(np.flatnonzero(found.x[:words] > 0.5).tolist())
    return Solution(kept, path_score(scores, kept), int(found.mip_node_count or 0))


def path_score(scores: np.ndarray, kept: Sequence[int]) -> float:
    """The score of keeping just these words, added from left to right."""
    history, total = [0] * (scores.ndim - 1), 0.0
    for position in (*(place + 1 for place in kept), len(scores) - 1):
        total += float(scores[(*history, position)])
        history = [*history[1:], position]
    return total


# --- which steps matter -------------------------------------------------------------------------


def _relaxed(
    scores: np.ndarray, chosen: np.ndarray, rows: Sequence[Constraint], words: int
) -> tuple[float, np.ndarray]:
    """The relaxation's value with these steps, and what it would pay for each word."""
    steps = steps_of(chosen)
    gains = scores[tuple(steps.positions)]
    below, at_most = _at_most(rows, words + len(gains))
    found = linprog(
        np.concatenate([np.zeros(words), -gains]),
        A_ub=below,
        b_ub=at_most,
        A_eq=steps.rows,
        b_eq=steps.right,
        bounds=(0, 1),
        method="highs",
    )
    if found.status != 0:
        raise RuntimeError(f"HiGHS did not solve the relaxation: {found.message}")
    return -float(found.fun), np.array(found.eqlin.marginals[-words:])


def _rest(prices: np.ndarray, rows: Sequence[Constraint]) -> float:
    """The most that a choice of words which obeys the rows can get back of the prices."""
    kept = _words_alone(prices, rows)
    assert kept is not None
    total = 0.0
    for price, share in zip(prices.tolist(), kept.tolist()):
        total -= price * share
    return total


def _words_alone(
    costs: np.ndarray, rows: Sequence[Constraint], whole: bool = False
) -> np.ndarray | None:
    """The cheapest words that obey the rows, one at least; of no ``whole`` words parts may stay."""
    words = len(costs)
    below, at_most = _at_most([*rows, length(words, 1, words)], words)
    found = milp(
        costs,
        integrality=np.full(words, int(whole)),
        bounds=Bounds(0, 1),
        constraints=LinearConstraint(below, -np.inf, at_most),
        options={"mip_rel_gap": 0.0},
    )
    if found.status == INFEASIBLE:
        return None
    if found.status != OPTIMAL:
        raise RuntimeError(f"HiGHS did not choose words: {found.message}")
    return np.asarray(found.x)


def _at_most(rows: Sequence[Constraint], columns: int) -> tuple[csr_array, np.ndarray]:
    """Constraints as rows that come to so much at most; both are empty without any."""
    at: list[int] = []
    column: list[int] = []
    values: list[float] = []
    most: list[float] = []
    for row in rows:
        for sign, bound in ((1.0, row.upper), (-1.0, -row.lower)):
            if math.isfinite(bound):
                at += [len(most)] * len(row.indices)
                column += row.indices
                values += [sign * value for value in row.coefficients]
                most.append(bound)
    return csr_array((values, (at, column)), shape=(len(most), columns)), np.array(most)


def _best_of(through: np.ndarray, count: int) -> np.ndarray:
    flat = through[np.isfinite(through)]
    least = -np.inf
    if len(flat) > count:
        least = np.partition(flat, len(flat) - count)[len(flat) - count]
    best: np.ndarray = np.isfinite(through) & (through >= least)
    return best


def _add_path(chosen: np.ndarray, kept: Sequence[int]) -> None:
    history = [0] * (chosen.ndim - 1)
    for position in (*(place + 1 for place in kept), len(chosen) - 1):
        chosen[(*history, position)] = True
        history = [*history[1:], position]


def _near(value: float) -> float:
    """What the solver may be wrong by, and a little more."""
    return CLOSE * max(1.0, abs(value))


# --- steps and states ---------------------------------------------------------------------------


@dataclass(frozen=True)
class Steps:
    """Some steps of a sentence, in the order of their positions.

    ``positions``: int64 of shape (order, steps), the positions that index the scores; the last row
    is the position that a step goes to. ``rows`` is the matrix of what ties steps and words, with a
    column a word and then one a step; ``right`` is what each of its rows comes to. The last rows
    are those of the words.
    """

    positions: np.ndarray
    rows: csr_array
    right: np.ndarray


def steps_of(chosen: np.ndarray) -> Steps:
    """The steps that are true in an array of the shape of the scores."""
    end = len(chosen) - 1
    words = end - 1
    positions = np.stack(np.nonzero(chosen)).astype(np.int64)
    count = positions.shape[1]
    left, right = (_states(part, end) for part in (positions[:-1], positions[1:]))
    inside = positions[-1] < end
    states = np.unique(np.concatenate([left, right[inside]]))
    goes, comes = np.searchsorted(states, left), np.searchsorted(states, right[inside])
    columns = words + np.arange(count)
    own = np.arange(words)
    entries = [
        (goes, columns, 1.0),
        (comes, columns[inside], -1.0),
        (len(states) + positions[-1][inside] - 1, columns[inside], 1.0),
        (len(states) + own, own, -1.0),
    ]
    values = np.concatenate([np.full(len(at), value) for at, _, value in entries])
    # 32 bits, as HiGHS has them: not everywhere does scipy make them so by itself.
    at = np.concatenate([row for row, _, _ in entries]).astype(np.int32)
    column = np.concatenate([column for _, column, _ in entries]).astype(np.int32)
    shape = (len(states) + words, words + count)
    balance = np.zeros(shape[0])
    balance[0] = 1.0  # the start's state has the number 0: more leaves it than comes, by one
    return Steps(positions, csr_array((values, (at, column)), shape=shape), balance)


def _states(positions: np.ndarray, end: int) -> np.ndarray:
    """A number for each state: its positions as the digits of one."""
    number = np.zeros(positions.shape[1], np.int64)
    for row in positions:
        number *= end + 1
        number += row
    return number


def _rows(steps: Steps, rows: Sequence[Constraint], words: int) -> list[LinearConstraint]:
    """What ties steps and words, and below it the constraints of the sentence."""
    fixed = LinearConstraint(steps.rows, steps.right, steps.right)
    if not rows:
        return [fixed]
    at = [number for number, row in enumerate(rows) for _ in row.indices]
    columns = [index for row in rows for index in row.indices]
    values = [value for row in rows for value in row.coefficients]
    shape = (len(rows), words + steps.positions.shape[1])
    lower = np.array([row.lower for row in rows])
    upper = np.array([row.upper for row in rows])
    return [fixed, LinearConstraint(csr_array((values, (at, columns)), shape=shape), lower, upper)]


def _check(scores: np.ndarray, least: int, most: int | None) -> int:
    words = len(scores) - 2 if scores.ndim else 0
    if scores.ndim not in MOST_WORDS or {*scores.shape} != {words + 2} or words < 1:
        raise ValueError(
            "scores have two or three dimensions, each two longer than the sentence, not "
            f"{scores.shape}"
        )
    check_most("a sentence of so many words:", words, MOST_WORDS[scores.ndim])
    if not 1 <= least <= words or (most is not None and not least <= most <= words):
        raise ValueError(
            f"from {least} to {words if most is None else most} of {words} words cannot be kept: "
            f"the least is from 1 to {words}, the most from the least to {words}"
        )
    return words


# --- What a step can bring at best


def best_through(scores: np.ndarray, prices: np.ndarray) -> np.ndarray:
    """The best path from start to end through each step; -inf where there is no step.

    The Viterbi sums of all paths into a state and out of it, for scores of bigrams or of trigrams:

        in(start) = 0      in(state)  = max over the steps into it of  in(before) + score(step)
        out(end) = 0       out(state) = max over the steps out of it of  score(step) + out(after)
        best(step) = in(before) + score(step) + out(after)

    No solution with this step is better than best(step), whatever else it has to obey; so a step
    whose best is below that of a known solution can be left out. n words take n^2 or n^3 additions.
    ``scores`` are those of ``solve``; ``prices``, float64, one a word, are added for every kept
    word.
    """
    size = len(scores)
    priced = scores + np.concatenate([[0.0], prices, [0.0]])
    if scores.ndim == 2:
        return _of_bigrams(np.where(real_steps(size, 2), priced, -np.inf))
    return _of_trigrams(np.where(real_steps(size, 3), priced, -np.inf))


def real_steps(size: int, order: int) -> np.ndarray:
    """Which places of an array of scores are steps: positions rise, and one word stays at least."""
    place = np.arange(size)
    end = size - 1
    if order == 2:
        before, to = place[:, None], place[None, :]
        steps: np.ndarray = (before < to) & ((before > 0) | (to < end))
        return steps
    first, middle, last = place[:, None, None], place[None, :, None], place[None, None, :]
    begins = (first == 0) & (middle == 0) & (last > 0) & (last < end)
    behind = (middle > first) & (last > middle)
    steps = begins | behind
    return steps


def _of_bigrams(scores: np.ndarray) -> np.ndarray:
    size = len(scores)
    into, out = np.full(size, -np.inf), np.full(size, -np.inf)
    into[0] = out[-1] = 0.0
    for j in range(1, size):
        into[j] = (into[:j] + scores[:j, j]).max()
    for i in range(size - 2, -1, -1):
        out[i] = (scores[i, i + 1 :] + out[i + 1 :]).max()
    through: np.ndarray = into[:, None] + scores + out[None, :]
    return through


def _of_trigrams(scores: np.ndarray) -> np.ndarray:
    """A state is two positions, the start twice at first."""
    size = len(scores)
    into, out = np.full((size, size), -np.inf), np.full((size, size), -np.inf)
    into[0, 0] = 0.0
    out[:, -1] = 0.0
    for i in range(size - 1):
        into[i, i + 1 :] = (into[: i + 1, i, None] + scores[: i + 1, i, i + 1 :]).max(axis=0)
    for i in range(size - 2, -1, -1):
        out[:, i] = (scores[:, i, i + 1 :] + out[i, i + 1 :]).max(axis=1)
    found = scores
    found += into[:, :, None]
    found += out[None, :, :]
    return found
