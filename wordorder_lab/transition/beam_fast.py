"""Algorithm 1 of Liu et al. 2015, the fast engine: ``beam``'s twin.

Same outputs, counters and events, bit for bit. A step is four kernels: score (``features_fast``),
list and select, build (``state_fast``). Branches that go either way are what takes the time in
listing and selecting, so there are few of them.

Where orders interleave given trees (``actions``), each action needs a look ahead. Such bags are
rare, so that loop is not compiled: between two kernels the candidates that lead nowhere are taken
out. What sets it apart from the paper is told by the twin.
"""

# mypy: allow-untyped-defs, allow-untyped-calls, no-check-untyped-defs
from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from wordorder_lab.runtime.kernel_fast import kernel
from wordorder_lab.structures.problem import OrderingProblem
from wordorder_lab.structures.trace import Trace
from wordorder_lab.transition import state_fast as col
from wordorder_lab.transition.actions import apply_action, can_be_completed, initial_state
from wordorder_lab.transition.bag_fast import Arrays, Run, Workspace, number
from wordorder_lab.transition.events_fast import (
    CANDIDATES,
    EXPANDED,
    FALLEN,
    FIRST_LAST,
    FOLLOWED,
    GOLD,
    KEPT,
    LAST,
    PREDICTED,
    STEP,
    emit,
)
from wordorder_lab.transition.features_fast import (
    Program,
    compile_program,
    forget_rows,
    read_long_rows,
    score_states,
)
from wordorder_lab.transition.language_model_fast import (
    Language,
    LanguageRoom,
    begin_lines,
    go_on,
    is_last,
    shift_score,
)
from wordorder_lab.transition.packed_weights import ActionTable, PackedWeights
from wordorder_lab.transition.pieces_fast import (
    begin_pieces,
    begin_state,
    piece_score,
    pieces_of,
    place_pieces,
)
from wordorder_lab.transition.state import State
from wordorder_lab.transition.state_fast import begin_bag, build, left_bin, look_ahead
from wordorder_lab.transition.templates import FeatureKeys
from wordorder_lab.transition.weights_fast import TURNED, WeightTable

EARLY, MAX_VIOLATION = 1, 2

PASSES = 12
"""Bisections before the scores that are left are gone through one by one."""


class FastModel(NamedTuple):
    """What searches share: templates, weights and actions, as kernels take them."""

    program: Program
    table: WeightTable
    keys: FeatureKeys
    actions: ActionTable
    divisor: int

    @classmethod
    def of(cls, keys: FeatureKeys, actions: ActionTable, weights: PackedWeights) -> FastModel:
        """Translate the parts of a trained model."""
        table = WeightTable.of(weights, len(actions), keys.base)
        return cls(compile_program(keys), table, keys, actions, weights.divisor)


class FastBeam:
    """The fast engine: a model, ready for one bag after another. Not to be shared between threads:
    the workspace is its own."""

    def __init__(self, model: FastModel, beam: int, language: LanguageRoom | None = None) -> None:
        self.model = model
        self.turned = int(model.table.used[TURNED])
        self.weights = model.table.weights
        self.language = language
        number = model.table.number
        self.space = Workspace(beam, len(model.actions), model.program, number)

    def run(
        self, problem: OrderingProblem, k: int = 1, trace: Trace | None = None
    ) -> tuple[list[tuple[float, list[int]]], dict[str, int]]:
        """The ``k`` best derivations as (score, actions), best first, and the counters."""
        space, run, language = self.space, self.ready(problem), self.language_of(problem)
        pieces = run.program.decisions
        if problem.given.interleaving:
            record = search_interleaving(problem, run, language)
        else:
            record = np.zeros((0, 3))
            search(run, language, pieces, None, None)
            if trace is not None:
                # How many there are is known after a first run; the second one is the same.
                record = np.zeros((int(space.report[CANDIDATES]), 3))
                search(run, language, pieces, None, record)
        if trace is not None:
            emit(trace, problem, space, record, self.model.divisor)
        report: list[int] = space.report.tolist()
        first, steps = report[FIRST_LAST], problem.steps
        best = [(float(space.marks[first, col.SCORE]), run.space.derivation[:steps].tolist())]
        for row in range(first + 1, first + min(k, report[LAST])):
            best.append((float(space.marks[row, col.SCORE]), derivation(run.space.pool, row)))
        done = {"states": report[EXPANDED], "candidates": report[CANDIDATES]}
        return best, {"steps": steps, **done}

    def follow(self, problem: OrderingProblem, gold: Sequence[int]) -> tuple[float, int]:
        """What became of a gold derivation: its score, and the step that cut it (0: none did).
        Raises ``ValueError`` for interleaving orders, and for a beginning of a derivation."""
        if problem.given.interleaving:
            raise ValueError("gold cannot be followed where orders interleave given trees")
        if len(gold) != problem.steps:
            raise ValueError(
                f"the fast engine follows whole derivations, {problem.steps} actions here, not "
                f"{len(gold)}: take the reference engine for a beginning"
            )
        run = self.ready(problem, gold)
        language, pieces = self.language_of(problem), run.program.decisions
        search(run, language, pieces, MAX_VIOLATION, None)
        row, step, fallen = int(self.space.report[FOLLOWED]), len(gold), 0
        score = float(self.space.marks[row, col.SCORE])
        while row > 0:
            if self.space.marks[row, col.SERIAL] < 0:  # it was scored outside the beam
                fallen = step
            row, step = int(self.space.arrays.pool[row, col.PARENT]), step - 1
        return score, fallen

    def ready(self, problem: OrderingProblem, gold: Sequence[int] = ()) -> Run:
        """What the kernels take for a problem, with a gold derivation if there is one."""
        program, _, keys, actions, _ = self.model
        numbered = number(problem, keys, actions, program.uses, gold)
        self.space.fit(numbered, self.turned)
        return Run(program, numbered, self.weights, self.space.arrays)

    def language_of(self, problem: OrderingProblem) -> Language | None:
        """The language model, ready for a problem; ``None`` where there is none."""
        return None if self.language is None else self.language.ready(problem, self.space.beam)


def derivation(pool: np.ndarray, state: int) -> list[int]:
    """The actions that lead to a state of the pool."""
    actions = []
    while state > 0:
        actions.append(int(pool[state, col.ACTION]))
        state = int(pool[state, col.PARENT])
    return actions[::-1]


# --- The search


@kernel(borrows=True)
def search(run, language, pieces, mode, record):
    """One whole search, which in learning looks for the place of an update, as ``mode`` says. Each
    candidate goes into ``record``. What is for a ``None`` is not even compiled."""
    problem, space = run.problem, run.space
    steps = start(run, pieces)
    if language is not None:
        begin_lines((steps + 1) // 2, language)
    n, free, serial, now, gold, worst = 1, 1, 0, 0, 0, 0.0
    for step in range(steps):
        score_states(space.states, n, run, space.out)
        space.report[EXPANDED] += n
        m = list_successors(n, now, run, language, pieces)
        if record is not None:
            write_down(record, serial, m, space)
        beam = space.states.shape[0]
        n = select(space.agenda, m, space.chosen, space.best_scores, space.best_lines, beam)
        plan_states(n, free, serial, language, space)
        advance(n, free, now, run, pieces)
        now = 1 - now
        serial += m
        best = free
        free += n
        if mode is not None:
            pool, marks, report = space.pool, space.marks, space.report
            action = problem.gold[step]
            advance_gold(gold, action, free, 1 - now, run, pieces)
            survivor = -1
            for row in range(best, free):
                if pool[row, col.PARENT] == gold and pool[row, col.ACTION] == action:
                    survivor = row
            fallen = survivor < 0
            if fallen:
                score_gold(gold, action, free, 1 - now, run, language, pieces)
                survivor = free
                free += 1
            else:
                report[KEPT] = step + 1
            gold = survivor
            lead = marks[best, col.SCORE] - marks[gold, col.SCORE]
            if mode == EARLY:
                update = fallen or (step == steps - 1 and gold != best)
            else:
                update = gold != best and (report[STEP] == 0 or lead > worst)
            if update:
                worst = lead
                report[STEP] = step + 1
                report[PREDICTED] = best
                report[GOLD] = gold
                report[FALLEN] = fallen
                if mode == EARLY:
                    break
    space.report[FOLLOWED] = gold
    finish(n, serial, problem, space)


@kernel(inline="always")
def start(run, pieces):
    """Lay out the initial state and what belongs to the sentence; returns the number of steps."""
    program, problem, space = run.program, run.problem, run.space
    steps, beam = -1, space.states.shape[0]
    for t in range(problem.counts.shape[0]):
        steps += 2 * problem.counts[t]
    for r in (0, beam):
        begin_bag(r, problem, space)
    for c in range(problem.columns.shape[0]):
        if problem.columns[c] >= 0:
            space.local[problem.columns[c]] = c + 1
    read_long_rows(problem.columns, run.weights, space.long_rows)
    most = program.leaves.shape[0] + program.blocks.shape[0]
    forget_rows(steps, beam, most, space.kept)
    pool = space.pool
    pool[0, :] = 0
    pool[0, col.W0] = pool[0, col.W1] = pool[0, col.W2] = 1
    pool[0, col.PARENT] = pool[0, col.ANCHOR] = -1
    pool[0, col.LEFT] = left_bin((steps + 1) // 2)
    space.marks[0, :] = 0.0
    space.states[0] = 0
    space.report[:] = 0
    if pieces is not None:
        begin_pieces(pieces_of(run))
    return steps


@kernel(borrows=True, forceinline=True)
def advance(n, first, now, run, pieces):
    """Build the states of ``space.plan``, with what features see ahead if any look there."""
    program, problem, space = run.program, run.problem, run.space
    build(n, first, problem, space, now)
    if program.uses[1] != 0:
        look_ahead(n, first, problem, space, now)
    if pieces is not None:
        place_pieces(n, now, problem, space)


@kernel(inline="always")
def advance_gold(gold, action, row, now, run, pieces):
    """Build the gold state after ``action`` as row ``row``; its bag has a line of its own."""
    plan, beam = run.space.plan, run.space.states.shape[0]
    plan[0, col.BEFORE], plan[0, col.CHOSEN] = gold, action
    plan[0, col.OLD_BAG] = plan[0, col.NEW_BAG] = beam
    advance(1, row, now, run, pieces)


@kernel(inline="always")
def score_gold(gold, action, row, now, run, language, pieces):
    """Give the gold state in ``row``, outside the beam, its score; its serial is -1. Its bag before
    ``action`` is the last line of this half (``now``)."""
    problem, space = run.problem, run.space
    alone, beam = space.alone, space.states.shape[0]
    alone[0] = gold
    out = space.out[beam:]
    score_states(alone, 1, run, out)
    column = problem.item_types[action - 2] if action >= 2 else action
    space.marks[row, col.SCORE] = space.marks[gold, col.SCORE] + out[0, column]
    if pieces is not None:
        if action >= 2:
            begin_state(now, beam, space.bits, pieces_of(run))
            kind = problem.item_bags[action - 2]
            space.marks[row, col.SCORE] += piece_score(kind, now, beam, pieces_of(run))
    if language is not None:
        if action >= 2:
            closes = is_last(space.pool[gold, col.SHIFTED], language)
            line = language.lines.at[gold]
            space.marks[row, col.SCORE] += shift_score(line, action - 2, closes, language)
        go_on(gold, action, row, language)
    space.marks[row, col.SERIAL] = -1.0


@kernel(inline="always")
def write_down(record, serial, m, space):
    """Write a step's candidates (score, row of the parent, action) into the record."""
    for i in range(m):
        record[serial + i, 0] = space.agenda[i]
        record[serial + i, 1] = space.states[space.origin[i, col.RANK]]
        record[serial + i, 2] = space.origin[i, col.CHOICE]


@kernel(inline="always")
def finish(n, serial, problem, space):
    """Report the last beam and its best derivation; leave all as the next search expects it."""
    for c in range(problem.columns.shape[0]):
        if problem.columns[c] >= 0:
            space.local[problem.columns[c]] = 0
    state, length = space.states[0], 0
    while state > 0:
        length += 1
        state = space.pool[state, col.PARENT]
    state = space.states[0]
    for at in range(length - 1, -1, -1):
        space.derivation[at] = space.pool[state, col.ACTION]
        state = space.pool[state, col.PARENT]
    space.report[LAST] = n
    space.report[FIRST_LAST] = space.states[0]
    space.report[CANDIDATES] = serial


# --- TOP-K


@kernel(borrows=True, forceinline=True)
def list_successors(n, now, run, language, pieces):
    """Score all successors of the ``n`` states of the beam; returns how many there are.

    ``agenda`` gets the scores in the order of making, ``origin`` (rank of the parent, action);
    ``now`` is the half of ``bits`` with their bags. GETPOSSIBLEACTIONS is written out in it. An
    arc's line is written and then kept or not: a branch there is guessed wrong too often.
    """
    problem, space = run.problem, run.space
    states, pool, out = space.states, space.pool, space.out
    agenda, origin, bits, marks = space.agenda, space.origin, space.bits, space.marks
    item_types, forest, masks = problem.item_types, problem.forest, problem.masks
    words, last = np.uint64(masks.shape[1]), np.uint64(masks.shape[0] - 1)
    half, one, m = np.uint64(now), np.uint64(1), np.uint64(0)
    by_pieces = 0.0
    for s in range(np.uint64(n)):
        state = np.uint64(states[s])
        under = np.uint64(pool[state, col.BELOW])
        base = marks[state, col.SCORE]
        two = pool[under, col.S0] != 0
        head, loose = pool[under, col.GIVEN], pool[under, col.WAITS] == 0
        fits = (head == col.UNKNOWN_HEAD) | (head == pool[state, col.KIND])
        agenda[m] = base + out[s, 0]
        origin[m, col.RANK] = s
        origin[m, col.CHOICE] = 0
        m += np.uint64(two & loose & fits)
        head, loose = pool[state, col.GIVEN], pool[state, col.WAITS] == 0
        fits = (head == col.UNKNOWN_HEAD) | (head == pool[under, col.KIND])
        agenda[m] = base + out[s, 1]
        origin[m, col.RANK] = s
        origin[m, col.CHOICE] = 1
        m += np.uint64(two & loose & fits)
        anchor = pool[state, col.ANCHOR]
        if language is not None:
            line, closes = language.lines.at[state], is_last(pool[state, col.SHIFTED], language)
        if pieces is not None:
            begin_state(now, s, bits, pieces_of(run))
        for w in range(words):
            types = (
                bits[half, s, w, col.BAG]
                & ~bits[half, s, w, col.GATED]
                & ~bits[half, s, w, col.LATER]
            )
            if anchor != col.NONE:
                free = bits[half, s, w, col.FRESH] & ~masks[last, w, col.FRESH]
                types &= free | masks[np.uint64(anchor), w, col.FAMILY]
            while types != 0:
                lowest = types & (~types + one)
                place = np.uint64(col.PLACES[(lowest * col.DE_BRUIJN) >> np.uint64(58)])
                kind = np.uint64(64) * w + place
                types ^= lowest
                begin, end = forest[kind, col.FIRST_ITEM], forest[kind + one, col.FIRST_ITEM]
                if pieces is not None:
                    by_pieces = piece_score(np.int64(kind), now, np.int64(s), pieces_of(run))
                for i in range(np.uint64(begin), np.uint64(end)):
                    agenda[m] = base + out[s, np.uint64(item_types[i])] + by_pieces
                    if language is not None:
                        agenda[m] += shift_score(line, i, closes, language)
                    origin[m, col.RANK] = s
                    origin[m, col.CHOICE] = i + np.uint64(2)
                    m += one
    return np.int64(m)


@kernel(borrows=True, forceinline=True)
def select(agenda, m, chosen, best, lines, beam):
    """TOP-K: ``chosen[r]`` becomes the line of the agenda with rank ``r``; returns how many.

    By (-score, line): the few that reach a threshold are taken into ``best`` and ``lines`` in
    their order, then sorted stably. Of more equal ones than there is place for, the first come in.
    """
    least, n = -np.inf, np.uint64(0)
    spare = m
    if m > beam:
        least, reach = threshold(agenda, m, beam)
        if 4 * reach > 5 * beam:
            spare = beam
            for i in range(np.uint64(m)):
                spare -= agenda[i] > least
    if spare == m:
        for i in range(np.uint64(m)):
            best[n] = agenda[i]
            lines[n] = i
            n += np.uint64(agenda[i] >= least)
    else:
        for i in range(np.uint64(m)):
            equal = agenda[i] == least
            best[n] = agenda[i]
            lines[n] = i
            n += np.uint64((agenda[i] > least) | (equal & (spare > 0)))
            spare -= np.int64(equal)
    one = np.uint64(1)
    for i in range(one, n):
        score, line, j = best[i], lines[i], i
        while j > 0 and best[j - one] < score:
            best[j] = best[j - one]
            lines[j] = lines[j - one]
            j -= one
        best[j] = score
        lines[j] = line
    size = min(np.int64(n), beam)
    for i in range(np.uint64(size)):
        chosen[i] = lines[i]
    return size


@kernel(borrows=True)
def threshold(agenda, m, beam):
    """A score that at least ``beam`` of the first ``m`` reach, and few more; and how many do.

    Bisection, since counting is fast; ``low`` is always reached by enough and ``high`` by too few.
    Where many are equal no score has few more: then it is exactly that of the last one kept.
    """
    low = high = agenda[0]
    for i in range(np.uint64(beam)):
        low = min(low, agenda[i])
        high = max(high, agenda[i])
    count, step = reaching(agenda, m, low), max(high - low, 1.0)
    high = low + step
    reach = reaching(agenda, m, high)
    while reach >= beam:
        low, count, step = high, reach, 2 * step
        high = low + step
        reach = reaching(agenda, m, high)
    for _ in range(PASSES):
        if 4 * count <= 5 * beam:
            return low, count
        middle = low + (high - low) / 2
        reach = reaching(agenda, m, middle)
        if reach >= beam:
            low, count = middle, reach
        else:
            high = middle
    while True:
        above, next_score = 0, np.inf
        least = np.inf
        for i in range(np.uint64(m)):
            if agenda[i] >= low:
                least = min(least, agenda[i])
        for i in range(np.uint64(m)):
            if agenda[i] > least:
                above += 1
                next_score = min(next_score, agenda[i])
        if above < beam:
            return least, count
        low, count = next_score, above


@kernel(borrows=True)
def reaching(agenda, m, least):
    """How many of the first ``m`` scores reach ``least``."""
    count = 0
    for i in range(np.uint64(m)):
        count += agenda[i] >= least
    return count


@kernel(borrows=True, forceinline=True)
def plan_states(n, first, serial, language, space):
    """Plan the chosen candidates as states, and mark them with their scores and serials. Line 0 of
    the agenda has the serial ``serial`` + 1."""
    plan, chosen, origin, states = space.plan, space.chosen, space.origin, space.states
    agenda, marks = space.agenda, space.marks
    for r in range(n):
        line = chosen[r]
        plan[r, col.BEFORE] = states[origin[line, col.RANK]]
        plan[r, col.CHOSEN] = origin[line, col.CHOICE]
        plan[r, col.OLD_BAG] = origin[line, col.RANK]
        plan[r, col.NEW_BAG] = r
        marks[first + r, col.SCORE] = agenda[line]
        marks[first + r, col.SERIAL] = serial + line + 1
        if language is not None:
            go_on(plan[r, col.BEFORE], plan[r, col.CHOSEN], first + r, language)
    for r in range(n):
        states[r] = first + r


# --- Interleaving orders


def search_interleaving(
    problem: OrderingProblem, run: Run, language: Language | None
) -> np.ndarray:
    """One whole search; returns the record of its candidates."""
    space, pieces = run.space, run.program.decisions
    states: dict[int, State] = {0: initial_state(problem)}
    lines = []
    steps = start(run, pieces)
    if language is not None:
        begin_lines(problem.size, language)
    n, free, serial, now = 1, 1, 0, 0
    for _ in range(steps):
        score_states(space.states, n, run, space.out)
        space.report[EXPANDED] += n
        m = list_successors(n, now, run, language, pieces)
        m = _without_dead_ends(m, problem, space, states)
        record = np.zeros((m, 3))
        write_down(record, 0, m, space)
        lines.append(record)
        beam = space.states.shape[0]
        n = select(space.agenda, m, space.chosen, space.best_scores, space.best_lines, beam)
        plan_states(n, free, serial, language, space)
        advance(n, free, now, run, pieces)
        for row in range(free, free + n):
            parent, action = space.pool[row, [col.PARENT, col.ACTION]].tolist()
            states[row] = apply_action(states[parent], action, problem)
        now = 1 - now
        serial += m
        free += n
    finish(n, serial, run.problem, space)
    return np.concatenate(lines)


def _without_dead_ends(
    m: int, problem: OrderingProblem, space: Arrays, states: dict[int, State]
) -> int:
    """Move the candidates that can be completed to the front; returns how many they are."""
    kept = []
    for line in range(m):
        rank, action = space.origin[line].tolist()
        after = apply_action(states[int(space.states[rank])], action, problem)
        if can_be_completed(after, problem):
            kept.append(line)
    space.agenda[: len(kept)] = space.agenda[kept]
    space.origin[: len(kept)] = space.origin[kept]
    return len(kept)
