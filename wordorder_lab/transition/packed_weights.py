"""Weights of a linear model at rest: the arrays of checkpoints and model files, for both engines.

The averaged perceptron (Collins 2002) adds whole numbers. So do we: the average over T examples is
kept as its undivided sum, T * w - u, where every change d at example c adds c * d to u. Whole
numbers below 2^53 add up exactly in any order; they are divided for display only.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise

import numpy as np

from wordorder_lab.models.file_parts import LARGEST, ascending, in_range, row, rows, texts, whole
from wordorder_lab.structures.problem import OrderingProblem
from wordorder_lab.structures.sentence import Sentence
from wordorder_lab.structures.templates import Feature
from wordorder_lab.transition.state import SHIFT
from wordorder_lab.transition.templates import FeatureKeys

# --- At rest

LEARNED = ("keys", "lengths", "actions", "values")
"""The arrays of a model file."""
LEARNING = ("keys", "lengths", "actions", "w", "u")
"""The arrays of a checkpoint."""
MAX_ROWS = 200_000
"""Rows that the reference engine keeps as dictionaries between sentences."""


@dataclass(frozen=True)
class RawWeights:
    """Weights in learning at rest, for checkpoints: ``lengths[i]`` entries, by ascending action,
    belong to ``keys[i]``, which ascend."""

    keys: np.ndarray
    lengths: np.ndarray
    actions: np.ndarray
    w: np.ndarray
    u: np.ndarray
    examples: int

    def averaged(self) -> PackedWeights:
        """The undivided averages: T * w - u, without zeros."""
        examples = max(self.examples, 1)
        rows = self.keys, self.lengths, self.actions
        return PackedWeights(*rows, examples * self.w - self.u, examples).without_zeros()

    def arrays(self) -> dict[str, np.ndarray]:
        """The arrays of a checkpoint file."""
        return {name: getattr(self, name) for name in LEARNING}

    def check(self, n_actions: int) -> None:
        """Raise ``ValueError`` if these are not weights in learning of so many actions."""
        arrays = self.arrays()
        _check_rows(arrays, n_actions)
        for name in ("w", "u"):
            in_range(row(arrays, name, np.int64, len(self.actions)), name, -LARGEST, LARGEST)


@dataclass(frozen=True)
class PackedWeights:
    """Weights at rest: ascending feature ``keys``, and for each a row of (action, value).

    ``lengths[i]`` entries belong to ``keys[i]``; ``actions`` ascend within a row; ``values`` are
    whole numbers, and a score divided by ``divisor`` is in the units of a single weight. Zeros and
    rows without entries are left out.
    """

    keys: np.ndarray
    lengths: np.ndarray
    actions: np.ndarray
    values: np.ndarray
    divisor: int

    def trimmed(self, least: float, divisor: int) -> PackedWeights:
        """Smaller ones: entries below ``least`` (in units of a single weight) are left out, the
        others rounded to multiples of ``1 / divisor``."""
        values = np.rint(self.values * (divisor / self.divisor)).astype(np.int64)
        values[np.abs(self.values) < least * self.divisor] = 0
        rows = self.keys, self.lengths, self.actions
        return PackedWeights(*rows, values, divisor).without_zeros()

    def without_zeros(self) -> PackedWeights:
        """Those that count, where some are zero."""
        kept = self.values != 0  # of what there may be tens of millions of
        rows, starts = self.lengths, self.starts.astype(np.intp, copy=False)
        if len(kept):
            rows = np.add.reduceat(kept, starts, dtype=np.int32)
        full = rows > 0
        entries = self.actions[kept], self.values[kept]
        return PackedWeights(self.keys[full], rows[full], *entries, self.divisor)

    def rows_of(self, kept: np.ndarray) -> PackedWeights:
        """Those of the keys that are ``kept``, a truth value a key."""
        inside = np.repeat(kept, self.lengths)
        return replace(
            self,
            keys=self.keys[kept],
            lengths=self.lengths[kept],
            actions=self.actions[inside],
            values=self.values[inside],
        )

    @cached_property
    def starts(self) -> np.ndarray:
        """Where each row begins."""
        starts: np.ndarray = np.cumsum(self.lengths, dtype=np.int64) - self.lengths
        return starts

    def check(self, n_actions: int) -> None:
        """Raise ``ValueError`` if these are not packed weights of so many actions."""
        arrays = self.arrays()
        _check_rows(arrays, n_actions)
        values = row(arrays, "values", np.int64, len(self.actions))
        in_range(values, "values", -LARGEST, LARGEST)
        whole(self.divisor, "the divisor", least=1)

    def row(self, key: int | None) -> Mapping[int, float]:
        """The row of a key by action number; empty where there is none."""
        if key is None:
            return {}
        at = int(np.searchsorted(self.keys, key))
        if at == len(self.keys) or self.keys[at] != key:
            return {}
        start = int(self.starts[at])
        inside = slice(start, start + int(self.lengths[at]))
        return dict(zip(self.actions[inside].tolist(), self.values[inside].tolist(), strict=True))

    def most(self, templates: int) -> int:
        """No sum of a feature of each template is more, nor less below zero; a key that is divided
        by how many ``templates`` there are leaves its template."""
        most = np.zeros(templates, np.int64)
        if len(self.keys):
            largest = np.maximum.reduceat(np.abs(self.values), self.starts)
            np.maximum.at(most, self.keys % templates, largest)
        total = 0
        for one in most.tolist():
            total += one
        return total

    def arrays(self) -> dict[str, np.ndarray]:
        """The arrays of the model file."""
        return {name: getattr(self, name) for name in LEARNED}


def _check_rows(arrays: Mapping[str, np.ndarray], n_actions: int) -> None:
    """Raise ``ValueError`` unless keys ascend, and in the row of each key its actions. Each length
    is looked at before they are added up, so that no sum can overflow."""
    keys = row(arrays, "keys", np.int64)
    lengths = row(arrays, "lengths", np.int32, len(keys))
    in_range(lengths, "lengths", 1, n_actions)
    ascending(keys, "keys")
    in_range(keys[:1], "keys", 0, np.inf)
    actions = row(arrays, "actions", np.int32, int(lengths.sum(dtype=np.int64)))
    in_range(actions, "actions", 0, n_actions - 1)
    begins = np.zeros(len(actions), bool)
    begins[np.cumsum(lengths[:-1], dtype=np.int64)] = True
    if not bool((begins[1:] | (actions[1:] > actions[:-1])).all()):
        raise ValueError("the actions of a row do not ascend")


class FeatureRows:
    """The weights of features by their names: what ``ActionScores`` calls. A row is looked up under
    the feature's key when it is first asked for."""

    def __init__(self, keys: FeatureKeys, weights: PackedWeights) -> None:
        self.keys, self.weights = keys, weights
        self._kept: dict[Feature, Mapping[int, float]] = {}

    def __call__(self, feature: Feature) -> Mapping[int, float]:
        row = self._kept.get(feature)
        if row is None:
            if len(self._kept) >= MAX_ROWS:
                self._kept.clear()
            row = self._kept[feature] = self.weights.row(self.keys.key(feature))
        return row


# --- Actions


Numbers = tuple[int, ...]
"""The model's numbers of an action, one for each level of templates; -1 where there is none."""


@dataclass(frozen=True)
class ActionTable:
    """LEFTARC 0, RIGHTARC 1, then SHIFT by (word, tag), by tag, and SHIFT as such.

    SHIFT is identified by tag and feature word; ``pairs`` are those seen in training, sorted. What
    comes then is for templates that tell actions apart less finely. Where labels were learned,
    ``labelled`` are the (tag, label) pairs seen, sorted: SHIFT by these, then LEFTARC and RIGHTARC
    by label. At last comes SHIFT by each of ``initials``, the first letters seen, sorted.
    """

    pairs: tuple[tuple[str, str], ...]
    labelled: tuple[tuple[str, str], ...] = ()
    initials: tuple[str, ...] = ()
    ids: dict[tuple[str, str], int] = field(init=False, repr=False, compare=False)
    tag_ids: dict[str, int] = field(init=False, repr=False, compare=False)
    label_ids: dict[tuple[str, str], int] = field(init=False, repr=False, compare=False)
    arc_ids: dict[str, int] = field(init=False, repr=False, compare=False)
    initial_ids: dict[str, int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        tags = sorted({tag for _, tag in self.pairs})
        labels = sorted({label for _, label in self.labelled})
        first = SHIFT
        for name, keys, width in (
            ("ids", self.pairs, 1),
            ("tag_ids", tags, 1),
            ("", ("move",), 1),
            ("label_ids", self.labelled, 1),
            ("arc_ids", labels, 2),
            ("initial_ids", self.initials, 1),
        ):
            if name:
                found = {key: first + width * i for i, key in enumerate(keys)}
                object.__setattr__(self, name, found)
            first += width * len(keys)

    @classmethod
    def of(
        cls,
        sentences: Iterable[Sentence],
        labels: bool = False,
        initials: bool = False,
        classes: Callable[[str], str] | None = None,
    ) -> ActionTable:
        """All SHIFTs of the gold sequences of a training corpus, as finely as is asked for; by the
        ``classes`` of words, where there are any."""
        name = classes or str
        tokens = [token for sentence in sentences for token in sentence]
        labelled = {(t.pos, t.label) for t in tokens} if labels else ()
        letters = {initial(t.words) for t in tokens} if initials else ()
        pairs = {(name(t.words[-1]), t.pos) for t in tokens}
        return cls(tuple(sorted(pairs)), tuple(sorted(labelled)), tuple(sorted(letters)))

    def __len__(self) -> int:
        more = len(self.labelled) + 2 * len(self.arc_ids) + len(self.initials)
        return self.move + 1 + more

    @property
    def move(self) -> int:
        """The number of SHIFT as such."""
        return SHIFT + len(self.pairs) + len(self.tag_ids)

    def numbers(self, action: int, problem: OrderingProblem) -> Numbers:
        """The model's numbers of a problem's action; those of an arc by label: ``arcs``."""
        if action < SHIFT:
            return action, action, action, -1, action
        item = problem.items[action - SHIFT]
        return (
            self.ids.get((item.word, item.pos), -1),
            self.tag_ids.get(item.pos, -1),
            self.move,
            self.label_ids.get((item.pos, item.label), -1),
            self.initial_ids.get(initial(item.unit), -1),
        )

    def arcs(self, problem: OrderingProblem) -> dict[str, tuple[Numbers, Numbers]]:
        """The numbers of LEFTARC and RIGHTARC by label, for each label that the problem has."""
        found: dict[str, tuple[Numbers, Numbers]] = {}
        for label in sorted({item.label for item in problem.items} & self.arc_ids.keys()):
            left = self.arc_ids[label]
            found[label] = ((-1, -1, -1, left, -1), (-1, -1, -1, left + 1, -1))
        return found

    def arc_label(self, number: int) -> str:
        """The label of an arc by label, by its number; empty for any other action."""
        return next((label for label, left in self.arc_ids.items() if 0 <= number - left < 2), "")

    def entries(self) -> list[list[str]]:
        """The rows that ``actions_of`` reads: pairs; then (tag, label, "label"), (letter,)."""
        more = [[*pair, LABELLED] for pair in self.labelled] + [[one] for one in self.initials]
        return [list(pair) for pair in self.pairs] + more


LABELLED = "label"


def initial(unit: Sequence[str]) -> str:
    """The first letter of a unit, in lower case: *an* stands before some, *a* before others."""
    return unit[0][:1].lower()


def actions_of(entries: object) -> ActionTable:
    """The actions of a model file. Raises ``ValueError`` unless each kind is sorted."""
    every = [texts(entry, "an action") for entry in rows(entries, "the actions")]
    labelled = [entry for entry in every if len(entry) == 3]
    initials = [entry for entry in every if len(entry) == 1]
    pairs = [entry for entry in every if len(entry) not in (1, 3)]
    for kind in (pairs, labelled, initials):
        for before, after in pairwise(kind):
            if before >= after:
                raise ValueError(f"the action {after} stands behind {before}")
    return ActionTable(
        tuple((word, tag) for word, tag in pairs),
        tuple((tag, label) for tag, label, _ in labelled),
        tuple(letter for (letter,) in initials),
    )
