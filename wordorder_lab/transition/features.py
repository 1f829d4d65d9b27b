"""The readable extractor: templates + what stands where -> features, their scores, their numbers.

A feature is a tuple: the template's index, then its values, ``(36, "led", "Talcott")`` for
``S0wS1w``. ``show`` writes it out.

A score sums up weights in one order, which is the fast engine's too: the templates of a group in
order, then the groups in order. A group looks at two or three slots, so its sum is kept within a
sentence.

For the fast engine and for model files a feature becomes one 64-bit key. Words and tags are
numbered in sorted order; the key is the template and up to three values in a mixed radix. Nothing
is hashed away: a key stands for one feature alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from wordorder_lab.structures.templates import FIRST, Feature, Template, Value
from wordorder_lab.transition.templates import MAX_ATOMS, Group, TemplateSet

BEGIN = "-BEGIN-"
"""What stands before the first word of a sentence, as word and as tag."""

Content = tuple[str, str | None] | int | None

Context = Mapping[str, Content]
"""What stands in each slot: (word, tag), a count, or ``None`` where nothing does. The tag of a word
that is not shifted yet may be unknown, ``None``."""


def feature_of(index: int, template: Template, context: Context) -> Feature | None:
    """The template's feature in this context; ``None`` if a slot is empty or a tag unknown."""
    values: list[Value] = []
    for atom in template.atoms:
        content = context[atom.slot]
        value: Value | None
        if isinstance(content, tuple):
            value = content[0] if atom.attribute == "w" else content[1]
        else:
            value = content
        if value is None:
            return None
        values.append(value)
    return (index, *values)


def group_features(templates: TemplateSet, group: Group, context: Context) -> list[Feature]:
    """The features of one group, in the group's order."""
    features = (feature_of(i, templates.templates[i], context) for i in group.templates)
    return [feature for feature in features if feature is not None]


def all_features(templates: TemplateSet, context: Context) -> list[Feature]:
    """Every feature of a state: the groups in order, in each group its templates in order."""
    return [
        feature
        for group in templates.groups
        for feature in group_features(templates, group, context)
    ]


def show(templates: TemplateSet, feature: Sequence[Value]) -> str:
    """A feature as people read it: ``S0wS1w = led, Talcott``."""
    index = feature[0]
    assert isinstance(index, int)
    return f"{templates.templates[index].name} = {', '.join(str(v) for v in feature[1:])}"


# --- Scores


Rows = Callable[[Feature], Mapping[int, float]]
"""A feature's weights by the model's action number."""


class ActionScores:
    """The weights of one sentence.

    ``columns[a]`` are the model's numbers of local action ``a``, one for each level of templates.
    """

    def __init__(
        self, templates: TemplateSet, rows: Rows, columns: Sequence[Sequence[int]]
    ) -> None:
        self.templates = templates
        self.rows = rows
        self.columns = columns
        self._kept: dict[tuple[object, ...], list[float]] = {}

    def of(self, context: Context) -> list[float]:
        """The score of every local action in a state, legal or not."""
        total = [0.0] * len(self.columns)
        for group in self.templates.groups:
            for action, weight in enumerate(self._group_row(group, context)):
                total[action] += weight
        return total

    def _group_row(self, group: Group, context: Context) -> list[float]:
        """What a group's features add to every local action; kept for the sentence."""
        slots = (group.slots, *(context[slot] for slot in group.slots))
        if slots not in self._kept:
            row = [0.0] * len(self.columns)
            for feature in group_features(self.templates, group, context):
                weights, level = self.rows(feature), self.templates.level(feature)
                for action, numbers in enumerate(self.columns):
                    row[action] += weights.get(numbers[level], 0.0)
            self._kept[slots] = row
        return self._kept[slots]


# --- Keys


@dataclass(frozen=True)
class FeatureKeys:
    """The numbering of words and tags, and the arithmetic of keys.

    ``words`` and ``tags`` are sorted. Raises ``ValueError`` if a key would not fit into 63 bits.
    """

    templates: TemplateSet
    words: tuple[str, ...]
    tags: tuple[str, ...]
    word_ids: dict[str, int] = field(init=False, repr=False, compare=False)
    tag_ids: dict[str, int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "word_ids", {w: i for i, w in enumerate(self.words, FIRST)})
        object.__setattr__(self, "tag_ids", {t: i for i, t in enumerate(self.tags, FIRST)})
        if len(self.templates) * self.radix**MAX_ATOMS >= 2**63:
            raise ValueError(f"{len(self.words)} words are too many for feature keys of 64 bits")

    @classmethod
    def of(cls, templates: TemplateSet, words: Iterable[str], tags: Iterable[str]) -> FeatureKeys:
        """Number the words and tags of a training corpus; ``BEGIN`` is always among them."""
        return cls(templates, tuple(sorted({*words, BEGIN})), tuple(sorted({*tags, BEGIN})))

    @property
    def radix(self) -> int:
        """Every value of a feature is below this."""
        return max(len(self.words) + FIRST, len(self.tags) + FIRST, 64)

    def key(self, feature: Feature) -> int | None:
        """The key of a named feature; ``None`` if it holds a word or tag that has no number."""
        index = feature[0]
        assert isinstance(index, int)
        key = 0
        for atom, value in zip(self.templates.templates[index].atoms, feature[1:], strict=True):
            number = self._number(atom.attribute, value)
            if number is None:
                return None
            key = key * self.radix + number
        return key * len(self.templates) + index

    def _number(self, attribute: str, value: Value) -> int | None:
        if isinstance(value, int):
            return value + FIRST
        return (self.word_ids if attribute == "w" else self.tag_ids).get(value)

    def feature(self, key: int) -> Feature:
        """The named feature of a key."""
        rest, index = divmod(int(key), len(self.templates))
        values: list[Value] = []
        for atom in reversed(self.templates.templates[index].atoms):
            rest, number = divmod(rest, self.radix)
            values.append(self._name(atom.attribute, number))
        return (index, *reversed(values))

    def _name(self, attribute: str, number: int) -> Value:
        if attribute == "n":
            return number - FIRST
        names: Sequence[str] = self.words if attribute == "w" else self.tags
        return names[number - FIRST]
