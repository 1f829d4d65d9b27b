"""The averaged perceptron's fast engine: ``averaged_perceptron``'s twin, same weights bit for bit.

Sentences are numbered once, before the first epoch. A chunk of them is learned in one call of
``learn_chunk``; it comes back early when the table of weights must grow.

What sets it apart from the paper is told by the twin.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from wordorder_lab.models.ngram import NGramModel
from wordorder_lab.runtime.kernel_fast import kernel
from wordorder_lab.structures.problem import OrderingProblem
from wordorder_lab.structures.trace import Lesson, Trace
from wordorder_lab.transition.actions import action_name
from wordorder_lab.transition.bag_fast import Numbered, Workspace, number, widened
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
from wordorder_lab.transition.features import show
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
    TrainingTexts,
    language_of,
)
from wordorder_lab.transition.packed_weights import ActionTable, RawWeights
from wordorder_lab.transition.pieces_fast import (
    collect_pieces,
    most_changes,
    replay,
    shift_piece,
)
from wordorder_lab.transition.state_fast import ACTION, BELOW, PARENT, S0
from wordorder_lab.transition.templates import LEVELS, FeatureKeys
from wordorder_lab.transition.weights_fast import EXAMPLES, TURNED, LearningTable, add

BY_LABEL = LEVELS.index("label")

Given = tuple[OrderingProblem, Sequence[int], NGramModel | None]
"""An example: its bag, its gold actions, and the language model that scores it, if any."""


class FastPerceptron:
    """The learner: ``learn`` takes examples of ``Example``'s form, ``table`` holds the weights.

    ``lm_weight`` is that of the examples' language models, of which all have one, or none has.
    """

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
        self.space = Workspace(beam, len(actions))
        self.table = LearningTable(len(actions))
        self.updates = 0
        self.lm_weight = lm_weight
        self._examples: Sequence[Given] = ()
        self._languages: Languages | None = None

    def prepare(self, examples: Sequence[Given]) -> None:
        """Number the training examples, once."""
        self._examples = examples
        how, numbered = (self.keys, self.actions, self.program.uses), []
        texts = TrainingTexts(self.space.beam)
        for problem, gold, ngrams in examples:
            numbered.append(number(problem, *how, gold))
            if ngrams is not None:
                texts.add(problem, ngrams)
        numbered = widened(numbered)
        self._languages = texts.languages(self.lm_weight)
        fields = ("types", "item_types", "counts", "forest", "masks", "tree", "gold")
        sizes = [[len(getattr(one, name)) for name in fields] for one in numbered]
        ends = np.cumsum(np.array([[0] * len(fields), *sizes], np.int64), axis=0)
        self._corpus = Corpus(ends, *(np.concatenate(f) for f in zip(*numbered, strict=True)))
        for one in numbered:
            self.space.fit(one, self.program, 0)
        self._most_types = max(len(one.types) for one in numbered)
        steps = max(len(one.gold) for one in numbered)
        lines = self.program.pieces
        most = max(most_changes(one.tree, one.counts, lines) for one in numbered)
        self._changes = np.zeros((2 * (steps * len(self.program.lines) + most), 5), np.int64)

    def learn(self, order: np.ndarray, trace: Trace | None = None) -> None:
        """Learn the prepared examples with these indices, in this order."""
        self._last = int(order[-1])
        if trace is not None:
            for i in order:
                self._learn_traced(int(i), trace)
            return
        state, table = np.zeros(4, np.int64), self.table
        while state[0] < len(order):
            self.space.fit_long_rows(int(table.used[TURNED]) * self._most_types)
            weights = table.weights, table.sums, table.used
            place = self._languages, self.space.arrays, self._changes, state
            learn_chunk(order, self._corpus, self.program, self.mode, *weights, *place)
            if state[1] < state[2]:
                table.grow()
                table.add(self._changes[state[1] :], int(state[2] - state[1]))
                table.used[EXAMPLES] += 1
            state[1] = state[2] = 0
        self.updates += int(state[3])

    @property
    def lesson(self) -> Lesson:
        """What the example came to that was learned last."""
        report, (begin, end) = self.space.report, self._corpus.ends[self._last : self._last + 2, -1]
        lesson = Lesson(prefix=int(report[KEPT]), length=int(end - begin))
        if report[STEP] > 0:
            gold, predicted = self.space.marks[report[[GOLD, PREDICTED]], 0].tolist()
            lesson.updated(gold - predicted)
        return lesson

    def raw(self) -> RawWeights:
        """Everything learned so far."""
        return self.table.raw()

    def restore(self, raw: RawWeights) -> None:
        """Go on from there."""
        self.table = LearningTable.of_raw(raw, len(self.actions))

    def _learn_traced(self, i: int, trace: Trace) -> None:
        problem, gold, ngrams = self._examples[i]
        numbered = number(problem, self.keys, self.actions, self.program.uses, gold)
        self.space.fit(numbered, self.program, int(self.table.used[TURNED]))
        language: Language | None = None
        if ngrams is not None:
            language = LanguageRoom(ngrams, self.lm_weight).ready(problem, self.space.beam)
        how = self.table.weights, language, self.space.arrays
        arguments = self.program, numbered, self.mode, *how
        search(*arguments, None)
        report = self.space.report
        record = np.zeros((int(report[CANDIDATES]), 3))
        search(*arguments, record)
        stopped = self.mode == EARLY and bool(report[FALLEN])
        emit(trace, problem, self.space, record, gold=self._gold_states(), stopped=stopped)
        if report[STEP] > 0:
            self.updates += 1
            self._update_traced(numbered, problem, trace)
        self.table.used[EXAMPLES] += 1

    def _gold_states(self) -> list[tuple[int, int, int]]:
        """The gold states, the first step's first: row, row of the parent, action."""
        states, row = [], int(self.space.report[FOLLOWED])
        while row > 0:
            parent, action = self.space.arrays.pool[row, [PARENT, ACTION]].tolist()
            states.append((row, parent, action))
            row = parent
        return states[::-1]

    def _update_traced(self, numbered: Numbered, problem: OrderingProblem, trace: Trace) -> None:
        space, report = self.space, self.space.report
        reason = "early" if report[FALLEN] else "end"
        if self.mode == MAX_VIOLATION:
            reason = "max-violation"
        gold, predicted = space.marks[report[[GOLD, PREDICTED]], 0].tolist()
        trace.update(int(self.table.used[EXAMPLES]), int(report[STEP]), reason, gold, predicted)
        rows = report[GOLD], report[PREDICTED], space.arrays
        n = collect(*rows, self.program, numbered, self._changes)
        self.table.add(self._changes, n)
        for key, action, change, after, local in self._changes[:n].tolist():
            if action >= 0:
                feature = self.keys.feature(key)
                level, label = self.keys.templates.level(feature), self.actions.arc_label(action)
                name = action_name(local, problem, level, label)
                shown = show(self.keys.templates, feature)
                trace.weight(shown, name, float(after - change), float(after))


class Corpus(NamedTuple):
    """The numbered training examples laid end to end, field by field as in ``Numbered``.

    ``ends[i]`` says where example ``i`` begins in types, items, counts, forest, masks, tree and
    gold.
    All masks have the words of the largest bag; those of a smaller one have zeros there.
    """

    ends: np.ndarray
    types: np.ndarray
    columns: np.ndarray
    folds: np.ndarray
    item_types: np.ndarray
    item_bags: np.ndarray
    counts: np.ndarray
    forest: np.ndarray
    masks: np.ndarray
    tree: np.ndarray
    gold: np.ndarray


@kernel
def learn_chunk(
    order, corpus, program, mode, weights, sums, used, languages, space, changes, state
):
    """Learn the examples ``order``; ``state`` becomes (next, lines done, lines, updates).

    Comes back early when the long rows need more space, and with lines done < lines when the table
    must grow before the update can go on.
    """
    table, turned, actions, entries, numbers = weights
    report = space.report
    for position in range(state[0], order.shape[0]):
        problem = example(corpus, order[position])
        state[0] = position
        if numbers[1] * problem.types.shape[0] > space.long_rows.shape[0]:
            return
        if languages is None:
            search(program, problem, mode, weights, None, space, None)
        else:
            language = language_of(languages, order[position])
            search(program, problem, mode, weights, language, space, None)
        state[0] = position + 1
        if report[STEP] > 0:
            state[3] += 1
            n = collect(report[GOLD], report[PREDICTED], space, program, problem, changes)
            state[2] = n
            state[1] = add(changes, 0, n, numbers[0], table, turned, actions, entries, sums, used)
            numbers[1] = used[TURNED]
            if state[1] < n:
                return
        used[EXAMPLES] += 1


@kernel
def example(corpus, i):
    """Example ``i`` as a problem."""
    a, b = corpus.ends[i], corpus.ends[i + 1]
    return Numbered(
        corpus.types[a[0] : b[0]],
        corpus.columns[a[0] : b[0]],
        corpus.folds[a[0] : b[0]],
        corpus.item_types[a[1] : b[1]],
        corpus.item_bags[a[1] : b[1]],
        corpus.counts[a[2] : b[2]],
        corpus.forest[a[3] : b[3]],
        corpus.masks[a[4] : b[4]],
        corpus.tree[a[5] : b[5]],
        corpus.gold[a[6] : b[6]],
    )


@kernel
def collect(gold, predicted, space, program, problem, changes):
    """Write what an update changes: (key, action, +1 or -1); returns how many lines that is.

    Goes back from both states to the last one that they share. The fifth column is the action in
    the sentence's own numbers, for the trace.
    """
    depth, pool = 0, space.pool
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
        if program.uses[2] != 0:
            replay(chain[-1], depth, pool, problem, space, space.derivation)
        for after in chain:
            n = collect_state(after, sign, pool, program, problem, changes, n)
            if program.uses[2] != 0:
                action, move = pool[after, ACTION], problem.columns[problem.folds[2, 2]]
                how = program.pieces, problem, space
                n = collect_pieces(action, sign, move, *how, changes, n)
                shift_piece(action, problem, space)
    return n


@kernel
def collect_state(after, sign, pool, program, problem, changes, n):
    """The features of the state from which row ``after`` was made, with its action."""
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
