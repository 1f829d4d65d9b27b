"""What the supertagger looks at, in numbers: both engines and the model file agree on these.

Words, tags and categories are numbered in sorted order from 2 up; 1 is beyond an end of the
sentence, 0 a word or tag that has no number: a template that meets it says nothing. The key of a
feature has the number of its template, and below it those of its two values (the first 0 where
there is one value):

    key  =  template << 40  |  first value << 20  |  second value

A feature has a weight for each category that training saw it with. All lie in one row, feature
after feature in the order of their keys: ``starts[f]`` to ``starts[f + 1]`` are the places of
feature ``f``; ``labels`` has the category of each place, ``weights`` the weight.

Differences
- *Our reading*: a word is looked at if training saw it five times, as Clark & Curran's are; of
  another word only its tag is. A phrase that is kept whole goes by its last word.
- *Paper silent*: a feature and a category that were never seen together have no weight.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from wordorder_lab.models.file_parts import ascending, in_range, row, sorted_texts
from wordorder_lab.structures.sentence import Supertagged, Unit
from wordorder_lab.structures.templates import numbered
from wordorder_lab.supertagging.templates import Part, TagTemplates

NO_NUMBER, BEYOND, FIRST = 0, 1, 2
BITS = 20
"""Of a value; there are never more words, tags or categories than fit."""
NONE = -1
"""Stands for a feature that there is not."""
LARGEST_WEIGHT = 12.0
"""In a model file. As many as ``MOST_TEMPLATES`` of them stay in the range of exp."""
ARRAYS = ("tag_keys", "tag_starts", "tag_labels", "tag_weights")


@dataclass(frozen=True)
class TagNumbers:
    """The numbering of words that are seen often enough, of tags, and of categories' texts."""

    templates: TagTemplates
    words: tuple[str, ...]
    tags: tuple[str, ...]
    categories: tuple[str, ...]

    word_ids, tag_ids = numbered("words"), numbered("tags")

    def __post_init__(self) -> None:
        most = max(map(len, (self.words, self.tags, self.categories)))
        if most + FIRST > 1 << BITS:
            raise ValueError(f"{most:,} words or categories are more than there is room for")

    @classmethod
    def of(
        cls, templates: TagTemplates, sentences: Sequence[Supertagged], min_count: int
    ) -> TagNumbers:
        """Number what sentences hold: of words, those seen ``min_count`` times or more."""
        counts = Counter(unit[-1] for sentence in sentences for unit in sentence.words)
        tags = {tag for sentence in sentences for tag in sentence.pos}
        texts = {str(category) for sentence in sentences for category in sentence.categories}
        often = sorted(word for word, times in counts.items() if times >= min_count)
        return cls(templates, tuple(often), tuple(sorted(tags)), tuple(sorted(texts)))

    @cached_property
    def label_ids(self) -> dict[str, int]:
        """The place of each category among the sorted ones, from 0."""
        return {text: i for i, text in enumerate(self.categories)}

    def window_keys(self, words: Sequence[Unit], tags: Sequence[str]) -> list[list[int]]:
        """The keys of a sentence's window templates, a list a word; ``NONE``: it says nothing."""
        word_ids, tag_ids = self.word_ids, self.tag_ids
        numbers = {
            "w": [word_ids.get(unit[-1], NO_NUMBER) for unit in words],
            "t": [tag_ids.get(tag, NO_NUMBER) for tag in tags],
        }
        return [
            [_window_key(t, parts, numbers, i) for t, parts in enumerate(self.templates.window)]
            for i in range(len(words))
        ]

    def history_keys(self, before: int, last: int) -> list[int]:
        """The keys of the history templates behind two categories (their numbers, from 1)."""
        first = len(self.templates.window)
        numbers = {-2: before, -1: last}
        return [
            key_of(first + t, [numbers[away] for _, away in parts])
            for t, parts in enumerate(self.templates.history)
        ]


def _window_key(
    template: int, parts: Sequence[Part], numbers: Mapping[str, Sequence[int]], i: int
) -> int:
    values = []
    for kind, away in parts:
        at, of = i + away, numbers[kind]
        value = of[at] if 0 <= at < len(of) else BEYOND
        if value == NO_NUMBER:
            return NONE
        values.append(value)
    return key_of(template, values)


def key_of(template: int, values: Sequence[int]) -> int:
    """The key of a feature with one value or two."""
    key = template << 2 * BITS | values[-1]
    return key | values[0] << BITS if len(values) == 2 else key


@dataclass(frozen=True)
class TagWeights:
    """Features and their weights, as the file's docstring has them."""

    keys: np.ndarray
    starts: np.ndarray
    labels: np.ndarray
    weights: np.ndarray

    @cached_property
    def places(self) -> dict[int, int]:
        """The number of each feature, by its key."""
        return {key: i for i, key in enumerate(self.keys.tolist())}

    def feature_ids(self, keys: Iterable[int]) -> list[int]:
        """The number of each of these features; ``NONE`` for one that training never saw."""
        places = self.places
        return [places.get(key, NONE) for key in keys]

    def arrays(self) -> dict[str, np.ndarray]:
        """Everything, for a model file."""
        return dict(zip(ARRAYS, (self.keys, self.starts, self.labels, self.weights), strict=True))

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, Any], categories: int, templates: int) -> TagWeights:
        """The weights of a file. Raises ``ValueError`` where they do not fit together."""
        keys = row(arrays, "tag_keys", np.int64)
        ascending(keys, "tag_keys")
        in_range(keys, "tag_keys", 0, (templates << 2 * BITS) - 1)
        starts = row(arrays, "tag_starts", np.int64, len(keys) + 1)
        ascending(starts, "tag_starts")
        labels = row(arrays, "tag_labels", np.int32, int(starts[-1]))
        if starts[0] != 0:
            raise ValueError("the array 'tag_starts' does not begin with 0")
        in_range(labels, "tag_labels", 0, categories - 1)
        weights = row(arrays, "tag_weights", np.float64, len(labels))
        in_range(weights, "tag_weights", -LARGEST_WEIGHT, LARGEST_WEIGHT)
        return cls(keys, starts, labels, weights)


def numbers_of(header: Mapping[str, Any], templates: TagTemplates) -> TagNumbers:
    """The numbering of a model file's header; ``ValueError`` for one that is not sorted."""
    names = ("words", "tags", "categories")
    numbers = TagNumbers(templates, *(sorted_texts(header[name], name) for name in names))
    if not numbers.categories:
        raise ValueError("there are no categories")
    return numbers


# --- what is learned from ------------------------------------------------------------------------


@dataclass(frozen=True)
class Examples:
    """The words of training: ``rows[i]`` has the features of word i, ``gold[i]`` its category."""

    rows: np.ndarray
    gold: np.ndarray


def collect(numbers: TagNumbers, sentences: Sequence[Supertagged]) -> tuple[Examples, TagWeights]:
    """The words of the sentences as examples, and weights of 0 for all that was seen together."""
    keys: list[list[int]] = []
    gold: list[int] = []
    for sentence in sentences:
        labels = [numbers.label_ids[str(category)] for category in sentence.categories]
        chosen = [BEYOND, BEYOND, *(label + FIRST for label in labels)]
        window = numbers.window_keys(sentence.words, sentence.pos)
        for i, of_word in enumerate(window):
            keys.append(of_word + numbers.history_keys(chosen[i], chosen[i + 1]))
        gold += labels
    table = np.array(keys, np.int64)
    known, ids = np.unique(table, return_inverse=True)
    ids = ids.reshape(table.shape)
    if len(known) and known[0] == NONE:
        known, ids = known[1:], ids - 1  # the feature that there is not becomes NONE again
    labels_of = np.array(gold, np.int32)
    pairs = ids * len(numbers.categories) + labels_of[:, None]
    seen = np.unique(pairs[ids != NONE])
    features, labels_seen = np.divmod(seen, len(numbers.categories))
    starts = np.searchsorted(features, np.arange(len(known) + 1))
    weights = TagWeights(
        known, starts.astype(np.int64), labels_seen.astype(np.int32), np.zeros(len(seen))
    )
    return Examples(ids.astype(np.int32), labels_of), weights
