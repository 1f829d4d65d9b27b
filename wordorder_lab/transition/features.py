"""The readable extractor: templates + what stands where -> features and their scores.

A feature is a tuple: the template's index, then its values, ``(36, "led", "Talcott")`` for
``S0wS1w``. ``show`` writes it out.

A score sums up weights in one order, which is the fast engine's too: the templates of a group in
order, then the groups in order. A group looks at two or three slots, so its sum is kept within a
sentence.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from wordorder_lab.structures.templates import Feature, Template, Value
from wordorder_lab.transition.templates import Group, TemplateSet

Content = tuple[str, str | None, str | None] | int | None

Context = Mapping[str, Content]
"""What stands in each slot: (word, tag, label), a count, or ``None`` where nothing does. The tag of
a word that is not shifted yet may be unknown, ``None``; so may any label."""


def feature_of(index: int, template: Template, context: Context) -> Feature | None:
    """The template's feature in this context; ``None`` if a slot is empty or a tag unknown."""
    values: list[Value] = []
    for atom in template.atoms:
        content = context[atom.slot]
        value: Value | None
        if isinstance(content, tuple):
            value = content["wpl".index(atom.attribute)]
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
    ``arcs`` are the same for LEFTARC and RIGHTARC with each label that a dependent may have.
    """

    def __init__(
        self,
        templates: TemplateSet,
        rows: Rows,
        columns: Sequence[Sequence[int]],
        arcs: Mapping[str, tuple[Sequence[int], Sequence[int]]] | None = None,
    ) -> None:
        self.templates = templates
        self.rows = rows
        self.actions = len(columns)
        self.columns = list(columns)
        self.arcs: dict[str, int] = {}
        for label, both in (arcs or {}).items():
            self.arcs[label] = len(self.columns)
            self.columns += both
        self._kept: dict[tuple[object, ...], list[float]] = {}

    def of(self, context: Context) -> list[float]:
        """The score of every local action in a state, legal or not."""
        total = [0.0] * len(self.columns)
        for group in self.templates.groups:
            for action, weight in enumerate(self._group_row(group, context)):
                total[action] += weight
        for action, slot in enumerate(("S1", "S0")):  # LEFTARC and RIGHTARC with their dependents
            content = context[slot]
            if isinstance(content, tuple) and content[2] in self.arcs:
                total[action] += total[self.arcs[content[2]] + action]
        return total[: self.actions]

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
