"""What a language model adds to SHIFTs: ``language_model``'s twin, in numba.

The states of a search come to few states of the n-gram model (``models/ngram_fast``). So when it
first comes to one of these, all items are scored there, as a *line*; a candidate reads a number.
"""

# mypy: allow-untyped-defs, allow-untyped-calls, no-check-untyped-defs
from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from wordorder_lab.models.ngram import END_ID, START_ID, NGramModel
from wordorder_lab.models.ngram_fast import EMPTY, StateTable, after
from wordorder_lab.runtime.kernel_fast import kernel
from wordorder_lab.structures.problem import OrderingProblem
from wordorder_lab.transition.weights_fast import place

GRID = 256.0
"""Gains are multiples of 1 / GRID."""

STAMP, LINES, UNITS = range(3)
"""What ``counts`` holds: a stamp of the sentence, how many lines it has, its number of units."""


class Lines(NamedTuple):
    """What kernels write for a sentence.

    ``alone`` is what each item scores after nothing. ``kept`` finds the line of a state: (state,
    stamp, line). A row of ``gains``, ``closing`` and ``nexts`` is a line, a column an item: what
    its SHIFT gains, what the sentence's end behind it does, and the state behind it. ``at`` is the
    line of each row of the search's pool.
    """

    counts: np.ndarray
    alone: np.ndarray
    kept: np.ndarray
    gains: np.ndarray
    closing: np.ndarray
    nexts: np.ndarray
    at: np.ndarray


class Language(NamedTuple):
    """A model and a sentence, as kernels take them. ``words`` are the numbers of the items' words,
    those of item i from ``ends[i]`` to ``ends[i + 1]``; ``weight`` has one number."""

    table: StateTable
    weight: np.ndarray
    words: np.ndarray
    ends: np.ndarray
    lines: Lines


@kernel(inline="always")
def on_grid(log):
    """A logarithm, rounded."""
    return np.floor(log * GRID + 0.5) / GRID


@kernel(borrows=True)
def begin_lines(units, language):
    """Begin a sentence of so many units: there is the line of the initial state alone."""
    counts, ends = language.lines.counts, language.ends
    counts[STAMP] += 1
    counts[LINES] = 0
    counts[UNITS] = units
    for i in range(ends.shape[0] - 1):
        total, state = 0.0, np.int64(EMPTY)
        for w in range(ends[i], ends[i + 1]):
            log, state = after(language.table, state, language.words[w])
            total += log
        language.lines.alone[i] = total
    _, state = after(language.table, np.int64(EMPTY), np.int64(START_ID))
    language.lines.at[0] = line_of(state, language)


@kernel(borrows=True)
def line_of(state, language):
    """The line of a state, made when it is first asked for."""
    kept, counts = language.lines.kept, language.lines.counts
    one, mask, stamp = np.uint64(1), np.uint64(kept.shape[0] - 1), counts[STAMP]
    h = np.uint64(place(state, 32)) & mask
    while kept[h, one] == stamp and kept[h, 0] != state:
        h = (h + one) & mask
    if kept[h, one] != stamp:
        kept[h, 0], kept[h, 1], kept[h, 2] = state, stamp, counts[LINES]
        fill_line(state, counts[LINES], language)
        counts[LINES] += 1
    return kept[h, 2]


@kernel(borrows=True)
def fill_line(state, line, language):
    """Score every item behind a state."""
    table, words, ends = language.table, language.words, language.ends
    lines = language.lines
    for i in range(ends.shape[0] - 1):
        total, behind = 0.0, state
        for w in range(ends[i], ends[i + 1]):
            log, behind = after(table, behind, words[w])
            total += log
        end, _ = after(table, behind, np.int64(END_ID))
        lines.gains[line, i] = on_grid(total - lines.alone[i])
        lines.closing[line, i] = on_grid(end)
        lines.nexts[line, i] = behind


@kernel(inline="always")
def shift_score(line, item, closes, language):
    """What the SHIFT of an item adds on a line; ``closes`` says whether nothing is left then."""
    gain = language.lines.gains[line, item]
    if closes:
        gain += language.lines.closing[line, item]
    return language.weight[0] * gain


@kernel(inline="always")
def is_last(shifted, language):
    """Whether one word is left where so many have been shifted."""
    return shifted + 1 == language.lines.counts[UNITS]


@kernel(borrows=True)
def go_on(old, action, new, language):
    """Row ``new`` of the pool is row ``old`` after ``action``."""
    lines = language.lines
    line = lines.at[old]
    if action >= 2:
        line = line_of(lines.nexts[line, action - 2], language)
    lines.at[new] = line


# --- One sentence after another


class LanguageRoom:
    """A model that is ready for one bag after another; its arrays grow where one needs it."""

    def __init__(self, ngrams: NGramModel, weight: float) -> None:
        self.ngrams = ngrams
        self.table = StateTable.of(ngrams.header(), ngrams.arrays())
        self.weight = np.array([weight])
        self.lines = empty_lines(0, 0)

    def ready(self, problem: OrderingProblem, beam: int) -> Language:
        """What a search for one bag takes."""
        units = [item.read for item in problem.items]
        words = [self.ngrams.word_id(word) for unit in units for word in unit]
        ends = np.zeros(len(units) + 1, np.int64)
        np.cumsum([len(unit) for unit in units], out=ends[1:])
        rows, have = 1 + (beam + 1) * problem.steps, self.lines  # of the pool, gold states too
        if len(have.at) < rows or len(have.alone) < len(units):
            self.lines = empty_lines(max(rows, len(have.at)), max(len(units), len(have.alone)))
        return Language(self.table, self.weight, np.array(words, np.int64), ends, self.lines)


def empty_lines(rows: int, items: int) -> Lines:
    """Arrays for so many rows of the pool, each of which may need a line, and so many items."""
    return Lines(
        counts=np.zeros(3, np.int64),
        alone=np.zeros(items),
        kept=np.zeros((1 << (2 * rows + 1).bit_length(), 3), np.int64),
        gains=np.zeros((rows, items)),
        closing=np.zeros((rows, items)),
        nexts=np.zeros((rows, items), np.int64),
        at=np.zeros(rows, np.int64),
    )


# --- All sentences of a training


class Languages(NamedTuple):
    """The models of a training, and the words of its examples laid end to end. ``models[i]`` is the
    place of example i's among ``tables``; its words begin at ``limits[i]``."""

    tables: tuple[StateTable, ...]
    models: np.ndarray
    weight: np.ndarray
    words: np.ndarray
    ends: np.ndarray
    limits: np.ndarray
    lines: Lines

    @classmethod
    def of(cls, languages: Sequence[Language]) -> Languages:
        """Lay what searches for these examples would take end to end."""
        tables = {id(one.table): one.table for one in languages}
        places = {name: place for place, name in enumerate(tables)}
        sizes = [(0, 0), *((len(one.words), len(one.ends)) for one in languages)]
        rows = max(len(one.lines.at) for one in languages)
        return cls(
            tables=tuple(tables.values()),
            models=np.array([places[id(one.table)] for one in languages], np.int64),
            weight=languages[0].weight,
            words=np.concatenate([one.words for one in languages]),
            ends=np.concatenate([one.ends for one in languages]),
            limits=np.cumsum(np.array(sizes, np.int64), axis=0),
            lines=empty_lines(rows, max(len(one.lines.alone) for one in languages)),
        )


@kernel
def language_of(languages, i):
    """The model and the words of example ``i``."""
    a, b = languages.limits[i], languages.limits[i + 1]
    table = languages.tables[languages.models[i]]
    words, ends = languages.words[a[0] : b[0]], languages.ends[a[1] : b[1]]
    return Language(table, languages.weight, words, ends, languages.lines)
