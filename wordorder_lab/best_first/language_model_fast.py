"""What a language model adds to edges: ``language_model``'s twin, in numba.

An edge keeps in its last columns what a seam needs to know: the state of the n-gram model behind
its words (``models/ngram_fast``), how many words it has, and its first words with what they
gain there, order - 1 of them at most. Gains are whole numbers, in grid points.
"""

# mypy: allow-untyped-defs, allow-untyped-calls, no-check-untyped-defs
from __future__ import annotations

from typing import NamedTuple

import numpy as np

from wordorder_lab.models.ngram import END_ID, START_ID, NGramModel
from wordorder_lab.models.ngram_fast import EMPTY, StateTable, after
from wordorder_lab.runtime.kernel_fast import kernel
from wordorder_lab.structures.problem import OrderingProblem

GRID = 256.0
"""Gains are multiples of 1 / GRID."""
MOST_GAIN = 1 << 20
"""No gain is more than so many grid points."""

STATE, LENGTH, FIRST = range(3)
"""What the columns hold: the state behind the edge, how many words are kept of its beginning, then
these words, and their gains."""


class Language(NamedTuple):
    """A model and a bag, as kernels take them.

    ``place`` is the first of the columns and how many words are kept of an edge's beginning;
    ``weight`` has one number. ``words`` are the numbers of the items' words, those of item i,
    counted from 1, from ``ends[i - 1]`` to ``ends[i]``.
    """

    table: StateTable
    place: np.ndarray
    weight: np.ndarray
    words: np.ndarray
    ends: np.ndarray


@kernel(inline="always")
def on_grid(log):
    """A difference of logarithms in grid points."""
    return np.int64(max(-MOST_GAIN, min(MOST_GAIN, np.floor(log * GRID + 0.5))))


@kernel(borrows=True)
def gain_after(state, word, table):
    """What a word gains behind a state, and the state behind the word."""
    log, behind = after(table, state, word)
    alone, _ = after(table, np.int64(EMPTY), word)
    return on_grid(log - alone), behind


@kernel(borrows=True)
def leaf_gain(new, item, is_goal, edges, language):
    """What the score of an item's leaf has beside its features; its columns are filled in."""
    ints, table = edges.ints, language.table
    at, most = language.place[0], language.place[1]
    points, state, kept = np.int64(0), np.int64(EMPTY), 0
    for w in range(language.ends[item - 1], language.ends[item]):
        gain, state = gain_after(state, language.words[w], table)
        points += gain
        if kept < most:
            ints[new, at + FIRST + kept] = language.words[w]
            ints[new, at + FIRST + most + kept] = gain
            kept += 1
    ints[new, at + STATE], ints[new, at + LENGTH] = state, kept
    if is_goal:
        points += border_gain(new, edges, language)
    return language.weight[0] * (points / GRID)


@kernel(borrows=True)
def seam_gain(new, left, right, is_goal, edges, language):
    """What the score of ``right`` after ``left`` has beside features; its columns are filled in."""
    ints = edges.ints
    at, most = language.place[0], language.place[1]
    kept = np.int64(ints[left, at + LENGTH])
    for i in range(kept):
        ints[new, at + FIRST + i] = ints[left, at + FIRST + i]
        ints[new, at + FIRST + most + i] = ints[left, at + FIRST + most + i]
    points, state = np.int64(0), np.int64(ints[left, at + STATE])
    reached = np.int64(ints[right, at + LENGTH])
    for i in range(reached):
        word = np.int64(ints[right, at + FIRST + i])
        gain, state = gain_after(state, word, language.table)
        points += gain - ints[right, at + FIRST + most + i]
        if kept < most:
            ints[new, at + FIRST + kept] = word
            ints[new, at + FIRST + most + kept] = gain
            kept += 1
    # Behind as many words as the model looks at, it does not matter what stood before them.
    ints[new, at + STATE] = ints[right, at + STATE] if reached == most else state
    ints[new, at + LENGTH] = kept
    if is_goal:
        points += border_gain(new, edges, language)
    return language.weight[0] * (points / GRID)


@kernel(borrows=True)
def border_gain(goal, edges, language):
    """What the marks of beginning and end add to a goal whose columns are filled in."""
    ints, table = edges.ints, language.table
    at, most = language.place[0], language.place[1]
    points = np.int64(0)
    _, state = after(table, np.int64(EMPTY), np.int64(START_ID))
    reached = np.int64(ints[goal, at + LENGTH])
    for i in range(reached):
        gain, state = gain_after(state, np.int64(ints[goal, at + FIRST + i]), table)
        points += gain - ints[goal, at + FIRST + most + i]
    if reached == most:
        state = np.int64(ints[goal, at + STATE])
    gain, _ = gain_after(state, np.int64(END_ID), table)
    return points + gain


# --- One bag after another


class LanguageRoom:
    """A model that is ready for one bag after another; its columns begin at ``first``."""

    def __init__(self, ngrams: NGramModel, first: int) -> None:
        most = ngrams.order - 1
        self.ngrams, self.columns = ngrams, FIRST + 2 * most
        self.table = StateTable.of(ngrams.header(), ngrams.arrays())
        self.place = np.array([first, most], np.int64)

    def ready(self, problem: OrderingProblem, weight: float) -> Language:
        """What a search for one bag takes."""
        units = [item.unit for item in problem.items]
        words = [self.ngrams.word_id(word) for unit in units for word in unit]
        ends = np.zeros(len(units) + 1, np.int64)
        np.cumsum([len(unit) for unit in units], out=ends[1:])
        factor = np.array([float(weight)])
        return Language(self.table, self.place, factor, np.array(words, np.int64), ends)
