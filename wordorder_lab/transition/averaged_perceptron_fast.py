"""The averaged perceptron's fast engine: ``averaged_perceptron``'s twin, same weights bit for bit.

Sentences are numbered once. A chunk of them is learned in one call of ``learn_chunk``; it comes
back early when the table of weights must grow.
"""

# mypy: allow-untyped-defs, allow-untyped-calls, no-check-untyped-defs
from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from wordorder_lab.models.ngram import NGramModel
from wordorder_lab.runtime.kernel_fast import kernel
from wordorder_lab.structures.problem import OrderingProblem
from wordorder_lab.structures.trace import Trace, UpdateStatistics
from wordorder_lab.transition.actions import action_name
from wordorder_lab.transition.bag_fast import Numbered, Run, Workspace, number, widened
from wordorder_lab.transition.beam_fast import EARLY, MAX_VIOLATION, search
from wordorder_lab.transition.events_fast import (
    CANDIDATES,
    FALLEN,
    FOLLOWED,
    GOLD,
    KEPT,
    PREDICTED,
    STEP,
    emit,
)
from wordorder_lab.transition.features_fast import (
    ABSENT,
    UNDER,
    compile_program,
    read_values,
    template_key,
)
from wordorder_lab.transition.language_model_fast import (
    Language,
    LanguageRoom,
    Languages,
    language_of,
)
from wordorder_lab.transition.packed_weights import ActionTable, PackedWeights, RawWeights
from wordorder_lab.transition.pieces_fast import collect_pieces, most_changes, replay, shift_piece
from wordorder_lab.transition.state_fast import ACTION, BELOW, PARENT, S0, SCORE
from wordorder_lab.transition.templates import LEVELS, FeatureKeys, show
from wordorder_lab.transition.weights_fast import (
    EXAMPLES,
    LARGEST,
    TURNED,
    LearningTable,
    add,
    number_for,
)

BY_LABEL = LEVELS.index("label")

Given = tuple[OrderingProblem, Sequence[int], NGramModel | None]
"""An example: its bag, its gold actions, and the language model that scores it, if any."""


class FastPerceptron:
    """The learner: ``learn`` takes examples of ``Example``'s form, ``table`` holds the weights.
    ``lm_weight`` is that of the examples' language models, of which all have one, or none has."""

    def __init__(
        self,
        keys: FeatureKeys,
        actions: ActionTable,
        beam: int,
        update: str = "early",
        lm_weight: float = 0.0,
    ) -> None:
        self.program = compile_program(keys)
        self.keys = keys
        self.actions = actions
        self.mode = EARLY if update == "early" else MAX_VIOLATION
        self.space = Workspace(beam, len(actions), self.program)
        self.table = LearningTable(len(actions))
        self.updates = 0
        self.lm_weight = lm_weight
        self._examples: Sequence[Given] = ()
        self._languages: Languages | None = None

    def prepare(self, examples: Sequence[Given]) -> None:
        """Number the training examples, once."""
        self._examples = examples
        numbered: list[Numbered] = []
        languages: list[Language] = []
        rooms: dict[int, LanguageRoom] = {}
        for problem, gold, ngrams in examples:
            numbered.append(number(problem, self.keys, self.actions, self.program.uses, gold))
            self.space.fit(numbered[-1], 0)
            if ngrams is not None:
                if id(ngrams) not in rooms:
                    rooms[id(ngrams)] = LanguageRoom(ngrams, self.lm_weight)
                languages.append(rooms[id(ngrams)].ready(problem, self.space.beam))
        self._languages = Languages.of(languages) if languages else None
        self._corpus = Corpus.of(numbered)
        self._most_types = max(len(one.types) for one in numbered)
        steps, lines = max(len(one.gold) for one in numbered), self.program.pieces
        self._most_steps = steps
        most = max(most_changes(one.tree, one.counts, lines) for one in numbered)
        self._changes = np.zeros((2 * (steps * len(self.program.lines) + most), 5), np.int64)

    def learn(self, order: np.ndarray, trace: Trace | None = None) -> None:
        """Learn the prepared examples with these indices, in this order."""
        self._widen(len(order))
        self._last = int(order[-1])
        if trace is not None:
            for i in order:
                self._learn_traced(int(i), trace)
            return
        state, table = np.zeros(4, np.int64), self.table
        while state[0] < len(order):
            self.space.fit_long_rows(int(table.used[TURNED]) * self._most_types)
            run = Run(self.program, None, table.weights, self.space.arrays)
            learned = Learned(table.sums, table.used, self._changes, state)
            pieces = self.program.decisions
            learn_chunk(order, self._corpus, run, self._languages, pieces, self.mode, learned)
            if state[1] < state[2]:
                table.grow()
                table.add(self._changes[state[1] :], int(state[2] - state[1]))
                table.used[EXAMPLES] += 1
            state[1] = state[2] = 0
        self.updates += int(state[3])

    @property
    def statistics(self) -> UpdateStatistics:
        """What the example came to that was learned last."""
        report, (begin, end) = self.space.report, self._corpus.ends[self._last : self._last + 2, -1]
        found = UpdateStatistics(prefix=int(report[KEPT]), length=int(end - begin))
        if report[STEP] > 0:
            gold, predicted = self.space.marks[report[[GOLD, PREDICTED]], SCORE].tolist()
            found.updated(gold - predicted)
        return found

    def raw(self) -> RawWeights:
        """Everything learned so far."""
        return self.table.raw()

    def averaged(self) -> PackedWeights:
        """What a model keeps of it."""
        return self.table.averaged()

    def restore(self, raw: RawWeights) -> None:
        """Go on from there."""
        self.table = LearningTable.of_raw(raw, len(self.actions))

    def _widen(self, examples: int) -> None:
        """Go on with larger numbers where, after so many examples, a sum of weights might be too
        large for those that the table has. An example changes a weight by twice its steps."""
        largest = int(self.table.used[LARGEST]) + examples * 2 * self._most_steps
        enough = number_for(largest * len(self.program.lines))
        if enough is np.float64 and self.space.number is np.int32:
            self.table = LearningTable.of_raw(self.raw(), len(self.actions), np.float64)
            self.space.widen()

    def _learn_traced(self, i: int, trace: Trace) -> None:
        problem, gold, ngrams = self._examples[i]
        numbered = number(problem, self.keys, self.actions, self.program.uses, gold)
        self.space.fit(numbered, int(self.table.used[TURNED]))
        language: Language | None = None
        if ngrams is not None:
            language = LanguageRoom(ngrams, self.lm_weight).ready(problem, self.space.beam)
        run = Run(self.program, numbered, self.table.weights, self.space.arrays)
        pieces = self.program.decisions
        search(run, language, pieces, self.mode, None)
        report = self.space.report
        record = np.zeros((int(report[CANDIDATES]), 3))
        search(run, language, pieces, self.mode, record)
        stopped = self.mode == EARLY and bool(report[FALLEN])
        emit(trace, problem, self.space, record, gold=self._gold_states(), stopped=stopped)
        if report[STEP] > 0:
            self.updates += 1
            self._update_traced(run, problem, trace)
        self.table.used[EXAMPLES] += 1

    def _gold_states(self) -> list[tuple[int, int, int]]:
        """The gold states, the first step's first: row, row of the parent, action."""
        states, row = [], int(self.space.report[FOLLOWED])
        while row > 0:
            parent, action = self.space.arrays.pool[row, [PARENT, ACTION]].tolist()
            states.append((row, parent, action))
            row = parent
        return states[::-1]

    def _update_traced(self, run: Run, problem: OrderingProblem, trace: Trace) -> None:
        space, report = self.space, self.space.report
        reason = "early" if report[FALLEN] else "end"
        if self.mode == MAX_VIOLATION:
            reason = "max-violation"
        gold, predicted = space.marks[report[[GOLD, PREDICTED]], SCORE].tolist()
        trace.update(int(self.table.used[EXAMPLES]), int(report[STEP]), reason, gold, predicted)
        pieces = self.program.decisions
        n = collect(report[GOLD], report[PREDICTED], run, pieces, self._changes)
        self.table.add(self._changes, n)
        for key, action, change, after, local in self._changes[:n].tolist():
            if action >= 0:
                feature = self.keys.feature(key)
                level, label = self.keys.templates.level(feature), self.actions.arc_label(action)
                name = action_name(local, problem, level, label)
                shown = show(self.keys.templates, feature)
                trace.weight(shown, name, float(after - change), float(after))


class Corpus(NamedTuple):
    """The numbered training examples laid end to end, field by field; ``ends[i]`` says where
    example ``i`` begins in each. All masks have the words of the largest bag, zeros at the end."""

    ends: np.ndarray
    whole: Numbered

    @classmethod
    def of(cls, numbered: Sequence[Numbered]) -> Corpus:
        """Lay examples end to end."""
        fields = ("types", "item_types", "counts", "forest", "masks", "tree", "gold")
        sizes = [[len(getattr(one, name)) for name in fields] for one in numbered]
        ends = np.cumsum(np.array([[0] * len(fields), *sizes], np.int64), axis=0)
        columns = zip(*widened(numbered), strict=True)
        return cls(ends, Numbered._make(np.concatenate(column) for column in columns))


class Learned(NamedTuple):
    """What learning writes beside the weights: their ``u``, what their table counts, the lines of
    an update, and how far a chunk is: (next, lines done, lines, updates)."""

    sums: np.ndarray
    used: np.ndarray
    changes: np.ndarray
    state: np.ndarray


@kernel
def learn_chunk(order, corpus, given, languages, pieces, mode, learned):
    """Learn the examples ``order``; ``given`` is a run without its problem.

    Comes back early when the long rows need more space, and with lines done < lines when the table
    must grow before the update can go on.
    """
    weights, space, state = given.weights, given.space, learned.state
    report = space.report
    for position in range(state[0], order.shape[0]):
        problem = example(corpus, order[position])
        state[0] = position
        if weights.numbers[1] * problem.types.shape[0] > space.long_rows.shape[0]:
            return
        run = Run(given.program, problem, weights, space)
        if languages is None:
            search(run, None, pieces, mode, None)
        else:
            search(run, language_of(languages, order[position]), pieces, mode, None)
        state[0] = position + 1
        if report[STEP] > 0:
            state[3] += 1
            n = collect(report[GOLD], report[PREDICTED], run, pieces, learned.changes)
            state[2] = n
            state[1] = add(learned.changes, 0, n, weights, learned.sums, learned.used)
            weights.numbers[1] = learned.used[TURNED]
            if state[1] < n:
                return
        learned.used[EXAMPLES] += 1


@kernel
def example(corpus, i):
    """Example ``i`` as a problem."""
    a, b, whole = corpus.ends[i], corpus.ends[i + 1], corpus.whole
    return Numbered(
        whole.types[a[0] : b[0]],
        whole.columns[a[0] : b[0]],
        whole.folds[a[0] : b[0]],
        whole.item_types[a[1] : b[1]],
        whole.item_bags[a[1] : b[1]],
        whole.counts[a[2] : b[2]],
        whole.forest[a[3] : b[3]],
        whole.masks[a[4] : b[4]],
        whole.tree[a[5] : b[5]],
        whole.gold[a[6] : b[6]],
    )


@kernel
def collect(gold, predicted, run, pieces, changes):
    """Write what an update changes, back to the last state that both share: (key, action, +1 or
    -1), and in the fifth column the sentence's own action; returns how many lines that is."""
    depth, pool = 0, run.space.pool
    g, p = gold, predicted
    while g != p:
        g, p = pool[g, PARENT], pool[p, PARENT]
        depth += 1
    chain = np.zeros(depth, np.int64)
    n = 0
    for sign in (1, -1):
        state = gold if sign == 1 else predicted
        for i in range(depth):
            chain[depth - 1 - i] = state
            state = pool[state, PARENT]
        if pieces is not None:
            replay(chain[-1], depth, run.problem, run.space)
        for after in chain:
            n = collect_state(after, sign, run, changes, n)
            if pieces is not None:
                n = collect_pieces(pool[after, ACTION], sign, run, changes, n)
                shift_piece(pool[after, ACTION], run.problem, run.space)
    return n


@kernel
def collect_state(after, sign, run, changes, n):
    """The features of the state from which row ``after`` was made, with its action."""
    pool, program, problem = run.space.pool, run.program, run.problem
    groups, lines = program.groups, program.lines
    state = pool[after, PARENT]
    under = pool[state, BELOW]
    local = pool[after, ACTION]
    fine = local if local < 2 else problem.item_types[local - 2]
    slots = np.zeros(3, np.int64)
    values = np.zeros(ABSENT + 1, np.int64)
    folded = program.uses[0] != 0
    for g in range(groups.shape[0]):
        for i in range(3):
            column = groups[g, 2 + i]
            slots[i] = 0
            if column >= UNDER:
                slots[i] = pool[under, column - UNDER]
            elif column >= 0:
                slots[i] = pool[state, column]
        read_values(values, slots[0], slots[1], slots[2], problem.types)
        for k in range(groups[g, 0], groups[g, 1]):
            key = template_key(lines, k, values)
            if key >= 0:
                changes[n, 0] = key
                level = lines[k, 7]
                at = fine
                if level == BY_LABEL and local < 2:
                    dependent = pool[under, S0] if local == 0 else pool[state, S0]
                    at = problem.folds[dependent, BY_LABEL + 2 + local]
                elif folded and local >= 2:
                    at = problem.folds[fine, level]
                # Column 0 is LEFTARC, and so it is where there is none.
                none = at == 0 and (local != 0 or level == BY_LABEL)
                changes[n, 1] = -1 if none else problem.columns[at]
                changes[n, 2] = sign
                changes[n, 4] = local
                n += 1
    return n
