"""The steps of a combination: what it seems to be worth, and what item it makes.

Lines 7 to 24 of Algorithm 4 of Cohn & Lapata (2009), as ``stsg_chart`` has them. All of this is put
into the kernel of ``stsg_cells_fast`` and takes plain arrays: handing named tuples to functions of
their own cost a factor of 4, since every array's users are counted.
"""

from __future__ import annotations

from wordorder_lab.decoders.stsg_arrays_fast import (
    APPLICATION,
    BEST,
    BETTER,
    ESTIMATE,
    FIRST_ITEM,
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
from wordorder_lab.decoders.stsg_loss_fast import cap
from wordorder_lab.decoders.stsg_rules_fast import CHILDREN
from wordorder_lab.structures.hash_fast import place
from wordorder_lab.structures.kernel_fast import kernel


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
