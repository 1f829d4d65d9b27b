"""The readable extractor: templates + what stands where -> named features.

A feature is a tuple: the template's index, then its values, ``(36, "led", "Talcott")`` for
``S0wS1w``. ``show`` writes it out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from wordorder_lab.features.notation import Group, Template, TemplateSet

Value = str | int
Feature = tuple[Value, ...]
Context = Mapping[str, "tuple[str, str | None] | int | None"]
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
