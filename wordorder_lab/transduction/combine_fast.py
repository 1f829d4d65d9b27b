"""Part of ``chart_fast``: a combination, what it seems to be worth, and what item it makes.

Lines 7 to 24 of Algorithm 4 of Cohn & Lapata (2009), as ``chart`` has them, with the twins of
``seams``, of ``losses`` and of ``features.application_scores``. All of this is put into the kernel
of ``chart_fast`` and takes plain arrays: handing named tuples to functions of their own cost a
factor of 4, since every array's users are counted.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from wordorder_lab.models.ngram_fast import log_prob
from wordorder_lab.runtime.hash_fast import place
from wordorder_lab.runtime.kernel_fast import kernel
from wordorder_lab.transduction.arrays_fast import (
    APPLICATION,
    BEST,
    BETTER,
    CHILDREN,
    ESTIMATE,
    FIRST_ITEM,
    FRONTIER,
    INSIDE,
    ITEM,
    KEPT,
    KEY,
    LENGTH,
    LOSS,
    NEW,
    OUTCOME,
    RANKS,
    SCORE,
    WORSE,
)
from wordorder_lab.transduction.features import FeatureRows
from wordorder_lab.transduction.losses import EDIT, END, HAMMING, START, Loss
from wordorder_lab.transduction.problem import TransductionProblem


@kernel(inline="always")
def choose_parts(
    line, ranks, begins, children, own, caps, ints, listed, cells, parts, counts
):  # fmt: skip
    """Find the items of a combination and add up their loss arguments; how many items."""
    application = ranks[line, 0]
    first, k, columns = begins[application, CHILDREN], len(counts), ints.shape[1]
    variables = begins[application + 1, CHILDREN] - first
    for c in range(k):
        counts[c] = own[application, c]
    for i in range(variables):
        part = listed[cells[children[first + i], FIRST_ITEM] + ranks[line, 1 + i]]
        parts[i] = part
        for c in range(k):
            counts[c] += ints[part, columns - k + c]
    cap(counts, caps)
    return variables


@kernel(inline="always")
def added_scores(total, column, variables, floats, parts):
    """A score with those of the parts, from the first to the last."""
    for i in range(variables):
        total += floats[parts[i], column]
    return total


@kernel(inline="always")
def successors(line, last, ranks, begins, children, cells):
    """The combinations one step on, from the last dimension that has been moved in.

    They are put into the lines from ``last`` on; returns where they end, -1 for lack of room.
    """
    application = ranks[line, 0]
    first = begins[application, CHILDREN]
    variables = begins[application + 1, CHILDREN] - first
    moved = 0
    for i in range(variables):
        if ranks[line, 1 + i]:
            moved = i
    for i in range(moved, variables):
        if ranks[line, 1 + i] + 1 < cells[children[first + i], KEPT]:
            if last == len(ranks):
                return -1
            for j in range(ranks.shape[1]):
                ranks[last, j] = ranks[line, j]
            ranks[last, 1 + i] += 1
            last += 1
    return last


@kernel(inline="always")
def move_on(ranks, begins, children, cells):
    """Make the combination in the first line the next one in order, the last variable moving first.

    After an application's last one comes the first of the next application.
    """
    first = begins[ranks[0, 0], CHILDREN]
    moved = begins[ranks[0, 0] + 1, CHILDREN] - first
    while moved > 0 and ranks[0, moved] + 1 == cells[children[first + moved - 1], KEPT]:
        ranks[0, moved] = 0
        moved -= 1
    ranks[0, moved] += 1


@kernel(inline="always")
def write_key(item, length, ints, left, recent, counts):
    """What an item is known by, into its line."""
    width = len(recent)
    ints[item, LENGTH] = length
    for i in range(width):
        ints[item, KEY + i] = left[i] if i < length else -1
        ints[item, KEY + width + i] = recent[i] if i < length else -1
    for c in range(len(counts)):
        ints[item, KEY + 2 * width + c] = counts[c]


@kernel(inline="always")
def find(new, first, ints, places):
    """The item of this cell with the same key as ``new``; ``new`` itself, put there, if none has.

    ``first`` is the cell's first item; an entry of ``places`` below it is as good as empty.
    """
    columns, mask = ints.shape[1], len(places) - 1
    code = 0
    for i in range(LENGTH, columns):
        code = code * 1_000_003 + ints[new, i] + 1
    at = place(code, 32) & mask
    # No ``probe`` here: a key is several numbers, and items of earlier cells count as empty places.
    while places[at] >= first:
        other, same = places[at], True
        for i in range(LENGTH, columns):
            if ints[other, i] != ints[new, i]:
                same = False
                break
        if same:
            break
        at = (at + 1) & mask
    if places[at] < first:
        places[at] = new
    return places[at]


@kernel(inline="always")
def keep(line, application, item, is_new, score, weight, unigrams, told, ints, floats):
    """Lines 21-24: the combination is a way to reach the item, and may be the best one."""
    told[line, ITEM] = item
    told[line, APPLICATION] = application
    told[line, OUTCOME] = WORSE
    if is_new or score > floats[item, SCORE]:
        told[line, OUTCOME] = NEW if is_new else BETTER
        waiting = 0.0
        for i in range(ints[item, LENGTH]):
            waiting += unigrams[ints[item, KEY + i]]
        ints[item, BEST] = line
        floats[item, SCORE] = score
        floats[item, INSIDE] = score + weight * waiting
        floats[item, ESTIMATE] = floats[item, INSIDE] + floats[item, LOSS]


@kernel(inline="always")
def write_ranks(line, waiting, variables, told, ranks):
    """The ranks of a combination that waited, into the line of one that was taken."""
    for i in range(variables):
        told[line, RANKS + i] = ranks[waiting, 1 + i]


# --- Seams


@kernel(inline="always")
def log_prob_of(word, ids, recent, context, ngrams):
    """log p(word | the recent words), in local numbers."""
    reach, width = len(context), len(recent)
    for i in range(reach):
        context[i] = ids[recent[width - reach + i]]
    return log_prob(ngrams, context, reach, ids[word])


@kernel(inline="always")
def matches(word, longest, recent, reference, words):
    """How many of the ``longest`` longest n-grams that end in this word are in the reference."""
    width, matched = len(recent), 0
    for n in range(4 - longest, 4):
        code = 0
        for i in range(width - n + 1, width):
            code = code * (words + 1) + recent[i] + 1
        if has(reference, code * (words + 1) + word + 1):
            matched += 1
    return matched


@kernel
def join(
    application, length, begins, frontier, ids, reference, numbers, ints, parts, left, recent,
    context, ngrams,
):  # fmt: skip
    """Fill the frontier of an application with ``parts``, and score what is complete.

    ``length`` is how many words are in ``recent`` at first: none, or the start in full. Leaves the
    edges in ``left`` and ``recent``; returns how many words each has, the log-probability, and the
    n-grams in the reference and not in it.
    """
    width, counts = len(recent), numbers[REACH] > 0
    gain, matched, missed = 0.0, 0, 0
    for at in range(begins[application, FRONTIER], begins[application + 1, FRONTIER]):
        sign = frontier[at]
        part = parts[-sign - 1] if sign < 0 else 0
        words = ints[part, LENGTH] if sign < 0 else 1
        for i in range(words):
            word = ints[part, KEY + i] if sign < 0 else sign
            if length < width:
                left[length] = word
                recent[length] = word
                length += 1
                continue
            gain += log_prob_of(word, ids, recent, context, ngrams)
            if counts:
                longest = 2 if word == len(ids) - 1 else 3  # the end alone is no n-gram
                more = matches(word, longest, recent, reference, len(ids))
                matched += more
                missed += longest - more
            for j in range(1, width):
                recent[j - 1] = recent[j]
            if width:
                recent[width - 1] = word
        if sign < 0 and words == width:
            for j in range(width):
                recent[j] = ints[part, KEY + width + j]
    return length, gain, matched, missed


# --- Losses


KIND, ITEMS_OF_REFERENCE, REACH = range(3)
"""What ``LossTable.numbers`` holds; kind 0 is no loss."""

PENALTY, FACTOR = range(2)
"""What ``LossTable.factors`` holds."""


class LossTable(NamedTuple):
    """A loss on one problem.

    ``own[a]`` are the arguments of application ``a`` alone, ``caps`` as in ``Loss``. ``reference``:
    the n-grams of the reference as ``code`` gives them, ascending; only for a loss on n-grams.
    """

    own: np.ndarray
    caps: np.ndarray
    reference: np.ndarray
    numbers: np.ndarray
    factors: np.ndarray


@dataclass(frozen=True)
class FastLoss:
    """A loss with its numbers; like those of the problem, a learner makes them once."""

    loss: Loss | None
    problem: TransductionProblem
    table: LossTable

    @property
    def reach(self) -> int:
        """Words that a seam must see on each side."""
        return int(self.table.numbers[REACH])

    @classmethod
    def of(cls, loss: Loss | None, problem: TransductionProblem) -> FastLoss:
        """The numbers of a loss, or of none."""
        n = len(problem.applications)
        if loss is None:
            none = np.zeros(0, np.int64)
            nothing = np.zeros((n, 0), np.int64), none, none, np.zeros(3, np.int64), np.zeros(2)
            return cls(None, problem, LossTable(*nothing))
        own = [loss.of_rule(one.rule.target) for one in problem.applications]
        table = LossTable(
            np.array(own, np.int64).reshape(n, loss.width),
            np.array(loss.caps, np.int64),
            np.array(sorted(_codes(loss, problem)), np.int64),
            np.array([loss.kind, loss.length, loss.reach], np.int64),
            np.array([loss.penalty, loss.factor], np.float64),
        )
        return cls(loss, problem, table)


def _codes(loss: Loss, problem: TransductionProblem) -> set[int]:
    """The n-grams of the reference; those of words that the problem does not have are left out."""
    n = len(problem.words)
    known = {word: i for i, word in enumerate(problem.words)} | {START[0]: n, END[0]: n + 1}
    codes = set()
    for ngram in loss.ngrams:
        code = 0
        for word in ngram:
            if word not in known:
                break
            code = code * (n + 3) + known[word] + 1
        else:
            codes.add(code)
    return codes


@kernel(inline="always")
def has(codes, code):
    """Whether a number is among ascending ones."""
    low, high = 0, len(codes)
    while low < high:
        middle = (low + high) >> 1
        if codes[middle] < code:
            low = middle + 1
        else:
            high = middle
    return low < len(codes) and codes[low] == code


@kernel(inline="always")
def cap(counts, caps):
    """What is above its bound goes into the last argument.

    As counts only grow, it is the same once at the end as after every addition.
    """
    last = len(caps) - 1
    for i in range(len(caps)):
        if 0 <= caps[i] < counts[i]:
            counts[last] += counts[i] - caps[i]
            counts[i] = caps[i]


@kernel(inline="always")
def value(counts, numbers, factors):
    """``Loss.value``; 0 where there is no loss."""
    kind, length = numbers[KIND], numbers[ITEMS_OF_REFERENCE]
    factor = factors[FACTOR]
    if kind == 0:
        return 0.0
    if kind == HAMMING:
        short = float(max(length - (counts[0] + counts[1]), 0))
        return factor * (counts[1] + factors[PENALTY] * short)
    matched = 0
    last = len(counts) - 1
    for i in range(last):
        matched += counts[i]
    found = matched + counts[last]
    if kind == EDIT:
        return factor * float(found + length - 2 * matched)
    if matched == 0:
        return factor
    precision, recall = matched / found, matched / length
    return factor * (1 - 2 * precision * recall / (precision + recall))


# --- Scores of applications


def fast_application_scores(rows: FeatureRows, weights: np.ndarray) -> np.ndarray:
    """What ``application_scores`` gives, bit for bit, as float64."""
    scores = np.zeros(len(rows.starts) - 1)
    add_up(rows.starts, rows.ids, rows.values, np.ascontiguousarray(weights, np.float64), scores)
    return scores


@kernel
def add_up(starts, ids, values, weights, scores):
    """Weight times value, added from left to right."""
    for a in range(len(scores)):
        for i in range(starts[a], starts[a + 1]):
            scores[a] += weights[ids[i]] * values[i]
