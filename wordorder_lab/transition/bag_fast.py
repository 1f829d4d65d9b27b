"""Part of ``beam_fast``: a bag in numbers, and the arrays that the search writes into.

What is given about a bag's types becomes arrays and bit sets, whose columns ``state_fast`` names.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import chain, pairwise
from operator import le
from typing import NamedTuple

import numpy as np

from wordorder_lab.structures.problem import OrderingProblem
from wordorder_lab.structures.sentence import ROOT
from wordorder_lab.structures.templates import UNKNOWN
from wordorder_lab.structures.type_numbering import InputConstraints, nothing_given
from wordorder_lab.transition.features_fast import ABSENT, Program, stride_of
from wordorder_lab.transition.packed_weights import ActionTable, initial
from wordorder_lab.transition.pieces_fast import VALUES, piece_tree
from wordorder_lab.transition.state_fast import (
    BAG,
    CHILDREN,
    DEPENDENTS,
    EARLIER,
    FAMILY,
    FRESH,
    GATED,
    LATER,
    UNKNOWN_HEAD,
    WIDTH,
)
from wordorder_lab.transition.templates import BEGIN, FeatureKeys

ALL = 2**64 - 1
"""A word with all bits."""

Bag = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]

NO_TREE = np.zeros((0, 6), np.int64)
"""``tree`` where no template is over pieces."""

Look = tuple[str, str, str, str]
"""What tells types apart: word, tag, label, first letter; the last is ``AHEAD`` of words that are
still in the bag."""

AHEAD = "ahead"

SETS = 7
"""Sets in a line of ``masks``."""


class Numbered(NamedTuple):
    """A problem in numbers, as the kernels take it.

    ``types`` (types, 3) word, tag and label of each type (0 nothing, 1 the begin, 2 and up to be
    shifted); ``columns`` the model's action of each column, -1 if it has none; ``folds`` (types, 7)
    the columns whose scores belong to a column too, 0 if there are none: that of the first type
    with its word and tag, by tag, by move, by label, by initial, and of LEFTARC and RIGHTARC by
    label where a word of this type is the dependent; ``item_types`` and ``item_bags`` type and bag
    type of each item; ``counts`` the units of each bag type; ``forest`` and ``masks`` what is given
    about the bag types (``state_fast``); ``tree`` what decisions of heads look at
    (``pieces_fast``); ``gold`` the gold actions in training, else nothing.
    """

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


def number(
    problem: OrderingProblem,
    keys: FeatureKeys,
    actions: ActionTable,
    uses: np.ndarray,
    gold: Sequence[int] = (),
) -> Numbered:
    """Give a problem its numbers; ``uses`` as in ``Program``.

    Items with the same word, tag and label share a type; so do all unknown words with the same tag
    and label. By initial, words that begin alike do not share one with others.
    """
    levels, looks_ahead, has_pieces = uses
    types: dict[Look, int] = {}
    firsts: dict[tuple[str, str], int] = {}
    begin = keys.label_ids.get(BEGIN, UNKNOWN)
    rows = [(0, 0, 0), (keys.word_ids[BEGIN], keys.tag_ids[BEGIN], begin)]
    columns = [0, 1]
    item_types = []
    for item in problem.items:
        word = keys.word_ids.get(item.word, UNKNOWN)
        label = item.label if keys.labels else ""
        letter = initial(item.unit) if actions.initials else ""
        look = (item.word if word != UNKNOWN else "", item.pos, label, letter)
        if look not in types:
            types[look] = len(rows)
            tag = keys.tag_ids.get(item.pos, UNKNOWN)
            rows.append((word, tag, keys.label_ids.get(label, UNKNOWN)))
            own = (item.word, item.pos) not in firsts
            columns.append(actions.ids.get((item.word, item.pos), -1) if own else -1)
            firsts.setdefault((item.word, item.pos), types[look])
        item_types.append(types[look])
    ahead = _ahead(problem, types, rows, columns, keys) if looks_ahead else ()
    folds = _fold(types, rows, columns, actions) if levels else ()
    given, item_bags = problem.given, tuple([item.type for item in problem.items])
    if given.anything or ahead:
        bag = number_bag(item_bags, problem.counts, given, ahead)
    else:
        bag = free_bag(item_bags, problem.counts)
    pairs, numbers, items, acts = _arrays(chain.from_iterable(rows), columns, item_types, gold)
    by_column = np.array(folds, np.int64) if levels else np.zeros((len(rows), 7), np.int64)
    tree = piece_tree(problem, keys) if has_pieces else NO_TREE
    return Numbered(pairs.reshape(-1, 3), numbers, by_column, items, *bag, tree, acts)


def _arrays(*lists: Iterable[int]) -> list[np.ndarray]:
    """Each as an array of int64: all parts of one, since to make an array takes its time."""
    whole: list[int] = []
    ends = [0]
    for numbers in lists:
        whole += numbers
        ends.append(len(whole))
    together = np.array(whole, np.int64)
    return [together[begin:end] for begin, end in pairwise(ends)]


def _ahead(
    problem: OrderingProblem,
    types: dict[Look, int],
    rows: list[tuple[int, int, int]],
    columns: list[int],
    keys: FeatureKeys,
) -> list[int]:
    """The type that tells what is known of each bag type: one more where that is less."""
    numbers, known = [], {look[:3]: place for look, place in types.items()}
    for (word, tag), label in zip(problem.ahead, problem.ahead_labels, strict=True):
        word_id = keys.word_ids.get(word, UNKNOWN)
        label = (label or "") if keys.labels else ""
        look = (word if word_id != UNKNOWN else "", tag or "", label)
        if look not in known:
            known[look] = types[*look, AHEAD] = len(rows)
            tag_id = keys.tag_ids.get(tag or "", UNKNOWN)
            rows.append((word_id, tag_id, keys.label_ids.get(label, UNKNOWN)))
            columns.append(-1)
        numbers.append(known[look])
    return numbers


def _fold(
    types: dict[Look, int],
    rows: list[tuple[int, int, int]],
    columns: list[int],
    actions: ActionTable,
) -> list[tuple[int, ...]]:
    """One column for each way to tell actions apart; and which of them belong to each type."""
    made: dict[tuple[str, ...], int] = {}

    def column(kind: str, key: tuple[str, ...], action: int) -> int:
        name = (kind, *key)
        if name not in made:
            made[name] = len(rows)
            columns.append(action)
            rows.append((0, 0, 0))
        return made[name]

    nothing, firsts = (0,) * 7, dict[tuple[str, str], int]()
    folds: list[tuple[int, ...]] = [nothing, nothing]
    for word, tag, label, letter in types:
        if letter == AHEAD:
            folds.append(nothing)
            continue
        left = actions.arc_ids.get(label, -1)
        by_label = 0
        if (tag, label) in actions.label_ids:
            by_label = column("label", (tag, label), actions.label_ids[tag, label])
        folds.append(
            (
                firsts.setdefault((word, tag), len(folds)),
                column("tag", (tag,), actions.tag_ids.get(tag, -1)),
                column("move", (), actions.move),
                by_label,
                column("initial", (letter,), actions.initial_ids[letter])
                if letter in actions.initial_ids
                else 0,
                column("left", (label,), left) if left >= 0 else 0,
                column("right", (label,), left + 1) if left >= 0 else 0,
            )
        )
    return folds + [nothing] * (len(rows) - len(folds))


def widened(numbered: Sequence[Numbered]) -> list[Numbered]:
    """The same problems with masks of as many words as the widest, so that they can be joined."""
    most = max(one.masks.shape[1] for one in numbered)
    return [
        one._replace(masks=np.pad(one.masks, ((0, 0), (0, most - one.masks.shape[1]), (0, 0))))
        for one in numbered
    ]


# --- Given heads and orders


@lru_cache(maxsize=1024)
def free_bag(item_bags: tuple[int, ...], counts: tuple[int, ...]) -> Bag:
    """``number_bag`` where nothing is given: many bags share these arrays, and nobody writes."""
    return number_bag(item_bags, counts, nothing_given(len(counts)), ())


def number_bag(
    item_bags: Sequence[int],
    counts: Sequence[int],
    given: InputConstraints,
    ahead: Sequence[int],
) -> Bag:
    """Item bags, counts, ``forest`` (types + 1, 5) and ``masks`` (types + 2, words, 7)."""
    items = Counter(item_bags)
    forest: list[int] = []
    first, several, units = 0, 0, 0
    for t, count in enumerate(counts):
        head = given.heads[t]
        of = UNKNOWN_HEAD if head is None else head
        slot, known = several if count > 1 else -1, ahead[t] if ahead else 0
        forest += [of, given.dependents[t], first, slot, known]
        several += count > 1
        first += items[t]
        units += count
    forest += [0, units, first, several, 0]
    bags, sizes, lines = _arrays(item_bags, counts, forest)
    return bags, sizes, lines.reshape(-1, 5), _masks(counts, given)


def _masks(counts: Sequence[int], given: InputConstraints) -> np.ndarray:
    sets = _sets(counts, given)
    if len(counts) <= 64:
        return np.array(sets, np.uint64).reshape(-1, 1, SETS)
    words = range((len(counts) + 63) // 64)
    lines = [sets[i : i + SETS] for i in range(0, len(sets), SETS)]
    cut = [[[bits >> 64 * w & ALL for bits in line] for w in words] for line in lines]
    return np.array(cut, np.uint64)


def _sets(counts: Sequence[int], given: InputConstraints) -> list[int]:
    """The lines of ``masks`` one after the other, each set as one whole number."""
    kinds = len(counts)
    sets = [0] * (SETS * (kinds + 2))
    for t, count in enumerate(counts):
        sets[SETS * t + BAG] = (count == 1) << t
    if not given.anything:
        return sets
    first = SETS * (kinds + 1)
    for t, (head, end, top) in enumerate(zip(given.heads, given.ends, given.tops, strict=True)):
        line = SETS * t
        sets[line + FAMILY] = (1 << end) - (1 << t)
        free = given.heads[top] != ROOT
        if not free:
            sets[first + FRESH] |= 1 << t
        if not free or given.ends[top] > top + 1:
            sets[line + FRESH] = sets[SETS * top + FAMILY]
        if head is not None and head != ROOT:
            sets[SETS * head + CHILDREN] |= 1 << t
    for t, earlier in enumerate(given.before):
        for each in earlier:
            sets[SETS * t + EARLIER] |= 1 << each
            sets[first + LATER] |= 1 << t
    for t, twin in enumerate(given.twins):
        if twin is not None:
            later = sets[SETS * t + FAMILY]
            sets[first + GATED] |= later
            for below in given.family(t)[1:]:
                if given.twins[below] is not None:
                    later &= ~sets[SETS * below + FAMILY]
            for below in given.family(twin):
                sets[SETS * below + GATED] |= later
    return sets


# --- The workspace


class Arrays(NamedTuple):
    """What a search writes into; sizes in units of the beam K, the steps, and the sentence.

    ``local`` maps the model's actions to columns plus 1; ``agenda``, ``origin`` list the successors
    of a step; ``best_scores``, ``best_lines``, ``chosen`` are for TOP-K; ``states`` the beam (rows
    of ``pool``); ``long_rows``, ``kept``, ``rows``, ``bases``, ``memo``, ``fresh``,
    ``wanted``, ``parts``, ``asked``, ``values``, ``alone`` and ``out`` belong to the scores
    (``features_fast``); ``pool`` are the states, ``marks`` their (score, serial), ``remaining``
    and ``bits`` the bags of this beam and of the next, with one more for the gold state;
    ``plan`` says what to build; ``derivation`` is the best one;
    ``report`` is what ``events_fast`` names. ``history`` are the pieces placed in these states, and
    what follows belongs to their scores (``pieces_fast``).
    """

    local: np.ndarray
    agenda: np.ndarray
    origin: np.ndarray
    best_scores: np.ndarray
    best_lines: np.ndarray
    chosen: np.ndarray
    states: np.ndarray
    long_rows: np.ndarray
    kept: np.ndarray
    rows: np.ndarray
    bases: np.ndarray
    memo: np.ndarray
    fresh: np.ndarray
    wanted: np.ndarray
    parts: np.ndarray
    asked: np.ndarray
    values: np.ndarray
    alone: np.ndarray
    out: np.ndarray
    pool: np.ndarray
    marks: np.ndarray
    remaining: np.ndarray
    bits: np.ndarray
    plan: np.ndarray
    derivation: np.ndarray
    report: np.ndarray
    history: np.ndarray
    sums: np.ndarray
    decided: np.ndarray
    known: np.ndarray
    present: np.ndarray
    left: np.ndarray
    piece_values: np.ndarray
    piece_keys: np.ndarray


class Workspace:
    """The arrays of a search, kept from one sentence to the next, and grown where one needs it."""

    ROOM = 1 << 21
    """Numbers kept in rows of weights: 16 MiB, enough for a sentence of everyday length."""

    def __init__(self, beam: int, n_actions: int) -> None:
        self.beam = beam
        self._fitted: tuple[int, ...] = (0,) * 6
        some = 5 * beam // 4 + 2
        self.arrays = Arrays(
            local=np.zeros(n_actions, np.int32),
            agenda=np.zeros(0),
            origin=np.zeros((0, 2), np.int64),
            best_scores=np.zeros(some),
            best_lines=np.zeros(some, np.int64),
            chosen=np.zeros(beam, np.int64),
            states=np.zeros(beam, np.int32),
            long_rows=np.zeros(0),
            kept=np.zeros((2, 4), np.int64),
            rows=np.zeros(0),
            bases=np.zeros((beam, 0), np.int64),
            memo=np.zeros((0, 0), np.int64),
            fresh=np.zeros((0, 3), np.int64),
            wanted=np.zeros((0, 5), np.int64),
            parts=np.zeros((0, 2), np.int64),
            asked=np.zeros((0, 3), np.int64),
            values=np.zeros(ABSENT + 1, np.int64),
            alone=np.zeros(1, np.int32),
            out=np.zeros((0, 0)),
            pool=np.zeros((0, WIDTH), np.int32),
            marks=np.zeros((0, 2)),
            remaining=np.zeros((2, beam + 1, 0), np.int32),
            bits=np.zeros((2, beam + 1, 0, 4), np.uint64),
            plan=np.zeros((beam, 4), np.int64),
            derivation=np.zeros(0, np.int64),
            report=np.zeros(10, np.int64),
            history=np.zeros((2, beam + 1, 0, 3), np.int32),
            sums=np.zeros((0, 4)),
            decided=np.zeros(0),
            known=np.zeros(0, np.uint8),
            present=np.zeros(0, np.uint8),
            left=np.zeros(0, np.int64),
            piece_values=np.zeros(VALUES, np.int64),
            piece_keys=np.zeros(0, np.int64),
        )

    @property
    def marks(self) -> np.ndarray:
        """(score, serial) of each state."""
        return self.arrays.marks

    @property
    def report(self) -> np.ndarray:
        """What the search reports."""
        return self.arrays.report

    def fit(self, numbered: Numbered, program: Program, turned: int) -> None:
        """Grow to what one problem needs when so many rows of weights are turned."""
        beam, types, kinds = self.beam, len(numbered.types), len(numbered.counts)
        size, words = int(numbered.forest[-1, DEPENDENTS]), numbered.masks.shape[1]
        needs = types, kinds, len(numbered.item_types), size, words, turned
        if all(map(le, needs, self._fitted)):
            return
        self._fitted = tuple(map(max, needs, self._fitted))
        types, kinds, items, size, words, turned = self._fitted
        lines, blocks = len(program.lines), len(program.blocks)
        leaves = len(program.leaves) + blocks
        stride = stride_of(types)
        states = 1 + (beam + 1) * (2 * size - 1)
        successors = beam * (2 + items) + 1
        numbers = max(self.ROOM, 2 * beam * leaves * stride)
        # A state makes at most so many rows; a hash table half empty holds them all.
        names = min(numbers // stride, leaves * states)
        self._grow("pool", (states, WIDTH))
        self._grow("marks", (states, 2))
        self._grow("out", (beam + 1, stride))
        self._grow("remaining", (2, beam + 1, kinds))
        self._grow("bits", (2, beam + 1, words, 4))
        self._grow("agenda", (successors,))
        self._grow("origin", (successors, 2))
        self._grow("bases", (beam, blocks))
        self._grow("derivation", (2 * size,))
        self._grow("memo", (states, blocks))
        self._grow("fresh", (beam * blocks, 3))
        self._grow("wanted", (beam * leaves + 1, 5))
        self._grow("parts", (beam * leaves + 1, 2))
        self._grow("asked", (beam * lines + 1, 3))
        self._grow("rows", (numbers,))
        self._grow("kept", ((1 << (2 * names).bit_length()) + 2, 4))
        if len(program.pieces):
            self._grow("history", (2, beam + 1, kinds, 3))
            self._grow("sums", (kinds, 4))
            for name in ("decided", "known", "present", "left"):
                self._grow(name, (kinds,))
            self._grow("piece_keys", (len(program.pieces) * (2 * kinds + 1) + 1,))
        self.fit_long_rows(turned * types)

    def fit_long_rows(self, numbers: int) -> None:
        """Grow to this many numbers in turned rows."""
        if len(self.arrays.long_rows) < numbers:
            self._grow("long_rows", (2 * numbers,))

    def _grow(self, name: str, shape: tuple[int, ...]) -> None:
        old = getattr(self.arrays, name)
        if any(have < need for have, need in zip(old.shape, shape, strict=True)):
            larger = tuple(map(max, old.shape, shape))
            self.arrays = self.arrays._replace(**{name: np.zeros(larger, old.dtype)})
