"""Part of ``beam_fast``: a bag in numbers, and the arrays that the search writes into.

What is given about a bag's types becomes arrays and bit sets, whose columns ``state_fast`` names.
"""

from __future__ import annotations

from collections import Counter, namedtuple
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
from wordorder_lab.transition.weights_fast import Number, Weights

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
    shifted); ``columns`` the model's action of each column, -1 if none; ``folds`` (types, 7) the
    columns whose scores belong to a column too, 0 if none: that of the first type with its word and
    tag, by tag, by move, by label, by initial, and of both arcs by label where it is the dependent;
    ``item_types`` and ``item_bags`` type and bag type of each item; ``counts`` the units of each
    bag type; ``forest`` and ``masks`` as in ``state_fast``; ``tree`` as in ``pieces_fast``;
    ``gold`` the gold actions in training, else nothing.
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
    """Give a problem its numbers; ``uses`` as in ``Program``. Items alike in word, tag and label,
    and by initial in that, share a type; unknown words are alike."""
    levels, looks_ahead, has_pieces = uses
    types: dict[Look, int] = {}
    firsts: dict[tuple[str, str], int] = {}
    words, tags, labels = keys.word_ids, keys.tag_ids, keys.label_ids
    rows = [(0, 0, 0), (words[BEGIN], tags[BEGIN], labels.get(BEGIN, UNKNOWN))]
    columns = [0, 1]
    item_types = []
    has_labels, has_initials = bool(keys.labels), bool(actions.initials)
    for _, unit, name, tag, _, label in problem.items:
        word = words.get(name, UNKNOWN)
        if not has_labels:
            label = ""
        letter = initial(unit) if has_initials else ""
        kind = types.setdefault((name if word != UNKNOWN else "", tag, label, letter), len(rows))
        if kind == len(rows):
            rows.append((word, tags.get(tag, UNKNOWN), labels.get(label, UNKNOWN)))
            is_first = firsts.setdefault((name, tag), kind) == kind
            columns.append(actions.ids.get((name, tag), -1) if is_first else -1)
        item_types.append(kind)
    ahead = _ahead(problem, types, rows, columns, keys) if looks_ahead else ()
    folds = _fold(types, rows, columns, actions) if levels else ()
    given, item_bags = problem.given, tuple([item.type for item in problem.items])
    if given.anything or ahead:
        bags, counts, forest, masks = number_bag(item_bags, problem.counts, given, ahead)
    else:
        bags, counts, forest, masks = free_bag(item_bags, problem.counts)
    pairs, numbers, items, acts = _arrays(chain.from_iterable(rows), columns, item_types, gold)
    return Numbered(
        types=pairs.reshape(-1, 3),
        columns=numbers,
        folds=np.array(folds, np.int64) if levels else np.zeros((len(rows), 7), np.int64),
        item_types=items,
        item_bags=bags,
        counts=counts,
        forest=forest,
        masks=masks,
        tree=piece_tree(problem, keys) if has_pieces else NO_TREE,
        gold=acts,
    )


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
    item_bags: Sequence[int], counts: Sequence[int], given: InputConstraints, ahead: Sequence[int]
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
            for below in given.family[t][1:]:
                if given.twins[below] is not None:
                    later &= ~sets[SETS * below + FAMILY]
            for below in given.family[twin]:
                sets[SETS * below + GATED] |= later
    return sets


# --- The workspace


class Arrays(
    namedtuple(
        "Arrays",
        "local agenda origin best_scores best_lines chosen states "
        "long_rows kept rows bases memo fresh wanted parts asked values alone out "
        "pool marks remaining bits plan derivation report "
        "history sums decided known present left piece_values piece_keys",
    )
):
    """What a search writes into; sizes in units of the beam K, the steps, and the sentence.

    ``local`` maps the model's actions to columns plus 1; ``agenda``, ``origin`` list the successors
    of a step; ``best_scores``, ``best_lines``, ``chosen`` are for TOP-K; ``states`` the beam (rows
    of ``pool``). The second line belongs to the scores (``features_fast``). ``pool`` are the
    states, ``marks`` their (score, serial), ``remaining`` and ``bits`` the bags of this beam and of
    the next, with one more for the gold state; ``plan`` says what to build; ``derivation`` is the
    best one; ``report`` is what ``events_fast`` names. ``history`` are the pieces placed in these
    states, and what follows belongs to their scores (``pieces_fast``).
    """

    __slots__ = ()


FLOATS = ("agenda", "best_scores", "marks", "sums", "decided")
SUMS = ("long_rows", "rows", "out")
KINDS: dict[str, type[np.generic]] = {
    **dict.fromkeys(FLOATS, np.float64),
    **dict.fromkeys(("local", "states", "alone", "pool", "remaining", "history"), np.int32),
    **dict.fromkeys(("known", "present"), np.uint8),
    "bits": np.uint64,
}
"""What the arrays hold that do not hold whole numbers of 64 bits; ``SUMS`` hold what a table does.
"""


class Run(NamedTuple):
    """One search as its kernels take it; learning fills in one problem after the other."""

    program: Program
    problem: Numbered | None
    weights: Weights
    space: Arrays


class Sizes(NamedTuple):
    """What the arrays have room for: types, bag types, items, units, words of a set, turned rows of
    weights."""

    types: int = 0
    kinds: int = 0
    items: int = 0
    units: int = 0
    words: int = 0
    turned: int = 0


class Workspace:
    """The arrays of a search, kept from one sentence to the next, and grown where one needs it."""

    ROOM = 1 << 21
    """Numbers kept in rows of weights: 8 MiB, enough for a sentence of everyday length."""

    def __init__(
        self, beam: int, n_actions: int, program: Program, number: Number = np.int32
    ) -> None:
        self.beam, self.n_actions, self.program, self.number = beam, n_actions, program, number
        self.sizes = Sizes()
        zeros = {name: self._zeros(name, shape) for name, shape in self._shapes().items()}
        self.arrays = Arrays(**zeros)

    @property
    def marks(self) -> np.ndarray:
        """(score, serial) of each state."""
        marks: np.ndarray = self.arrays.marks
        return marks

    @property
    def report(self) -> np.ndarray:
        """What the search reports."""
        report: np.ndarray = self.arrays.report
        return report

    def fit(self, numbered: Numbered, turned: int) -> None:
        """Grow to what one problem needs when so many rows of weights are turned."""
        needs = Sizes(
            types=len(numbered.types),
            kinds=len(numbered.counts),
            items=len(numbered.item_types),
            units=int(numbered.forest[-1, DEPENDENTS]),
            words=numbered.masks.shape[1],
            turned=turned,
        )
        if all(map(le, needs, self.sizes)):
            return
        self.sizes = Sizes._make(map(max, needs, self.sizes))
        for name, shape in self._shapes().items():
            self._grow(name, shape)
        self.fit_long_rows(self.sizes.turned * self.sizes.types)

    def fit_long_rows(self, numbers: int) -> None:
        """Grow to this many numbers in turned rows."""
        if len(self.arrays.long_rows) < numbers:
            self._grow("long_rows", (2 * numbers,))

    def widen(self) -> None:
        """Hold sums of any size."""
        self.number = np.float64
        wider = {name: getattr(self.arrays, name).astype(np.float64) for name in SUMS}
        self.arrays = self.arrays._replace(**wider)

    def _shapes(self) -> dict[str, tuple[int, ...]]:
        beam, program, sizes = self.beam, self.program, self.sizes
        lines, blocks = len(program.lines), len(program.blocks)
        leaves, stride = len(program.leaves) + blocks, stride_of(sizes.types)
        states = 1 + (beam + 1) * max(2 * sizes.units - 1, 0)
        successors = beam * (2 + sizes.items) + 1
        some = 5 * beam // 4 + 2
        numbers = max(self.ROOM, 2 * beam * leaves * stride)
        # A state makes at most so many rows; a hash table half empty holds them all.
        names = min(numbers // stride, leaves * states)
        decided = sizes.kinds if len(program.pieces) else 0
        return {
            **dict.fromkeys(("decided", "known", "present", "left"), (decided,)),
            "local": (self.n_actions,),
            "agenda": (successors,),
            "origin": (successors, 2),
            "best_scores": (some,),
            "best_lines": (some,),
            "chosen": (beam,),
            "states": (beam,),
            "long_rows": (0,),
            "kept": ((1 << (2 * names).bit_length()) + 2, 4),
            "rows": (numbers,),
            "bases": (beam, blocks),
            "memo": (states, blocks),
            "fresh": (beam * blocks, 3),
            "wanted": (beam * leaves + 1, 5),
            "parts": (beam * leaves + 1, 2),
            "asked": (beam * lines + 1, 3),
            "values": (ABSENT + 1,),
            "alone": (1,),
            "out": (beam + 1, stride),
            "pool": (states, WIDTH),
            "marks": (states, 2),
            "remaining": (2, beam + 1, sizes.kinds),
            "bits": (2, beam + 1, sizes.words, 4),
            "plan": (beam, 4),
            "derivation": (2 * sizes.units,),
            "report": (10,),
            "history": (2, beam + 1, decided, 3),
            "sums": (decided, 4),
            "piece_values": (VALUES,),
            "piece_keys": (len(program.pieces) * (2 * sizes.kinds + 1) + 1,),
        }

    def _grow(self, name: str, shape: tuple[int, ...]) -> None:
        old = getattr(self.arrays, name)
        if any(have < need for have, need in zip(old.shape, shape, strict=True)):
            larger = tuple(map(max, old.shape, shape))
            self.arrays = self.arrays._replace(**{name: self._zeros(name, larger)})

    def _zeros(self, name: str, shape: tuple[int, ...]) -> np.ndarray:
        return np.zeros(shape, self.number if name in SUMS else KINDS.get(name, np.int64))
