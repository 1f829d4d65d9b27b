"""Features of an edge, and their weights added up: the readable extractor of best-first systems.

Zhang & Clark 2015, section 4.2: Phi(e) holds the features of the top action of e, phi(e), and those
of its sub-edges. This file gives phi(e), group by group, and phi(e) . theta.

    for each section that sees the edge, in order:
        for each group of the section, in order:
            the features of its templates, in order
    phi(e) . theta  =  the groups added from left to right, each of them added up first

A feature is a tuple: the template's index, then its values, ``(3, "bought", "VBD", 1)``.

Differences. The paper says nothing of the order of additions; here it is fixed, so that two engines
agree to the last bit.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product

from wordorder_lab.features.arc_context import RIGHT, EdgeContext, Pair
from wordorder_lab.features.edge_templates import EdgeGroup, EdgeTemplates
from wordorder_lab.structures.templates import Atom, Feature, Value

BINS = {6: "6-10", 7: "11-20", 8: "21-40", 9: "41+"}
"""What the larger values of NORM stand for."""


def edge_features(
    templates: EdgeTemplates, contexts: Sequence[tuple[str, EdgeContext]]
) -> list[list[Feature]]:
    """phi(e): the features of each group that is evaluated, in order of addition."""
    return [
        group_features(templates, group, context)
        for section, context in contexts
        for group in templates.groups
        if group.section == section
    ]


def group_features(
    templates: EdgeTemplates, group: EdgeGroup, context: EdgeContext
) -> list[Feature]:
    """The features of one group, template by template; with ``b``, one for each tag, ascending."""
    found: list[Feature] = []
    for index in group.templates:
        atoms = templates.templates[index].atoms
        choices = [_values(atom, context[atom.slot]) for atom in atoms]
        found += [(templates.first[index], *values) for values in product(*choices)]
    return found


def _values(atom: Atom, content: Pair | int | str | frozenset[str] | None) -> Sequence[Value]:
    if content is None:
        return ()
    if isinstance(content, frozenset):
        return sorted(content)
    if isinstance(content, tuple):
        return (content[0] if atom.attribute == "w" else content[1],)
    return (content,)


def add_up(groups: Sequence[Sequence[Feature]], weight: Callable[[Feature], float]) -> float:
    """phi(e) . theta: each group from left to right, then their sums from left to right."""
    total = 0.0
    for features in groups:
        inside = 0.0
        for feature in features:
            inside += weight(feature)
        total += inside
    return total


def show(templates: EdgeTemplates, feature: Sequence[Value]) -> str:
    """A feature as people read it: ``WORD(h)·POS(h)·dir = bought, VBD, right``."""
    index = feature[0]
    assert isinstance(index, int)
    template = templates.templates[index]
    values = (
        _shown(a.slot, a.attribute, v) for a, v in zip(template.atoms, feature[1:], strict=True)
    )
    return f"{template.name} = {', '.join(values)}"


def _shown(slot: str, attribute: str, value: Value) -> str:
    if isinstance(value, str) or (slot == "size" and attribute == "s"):
        return str(value)
    if slot == "dir":
        return "right" if value == RIGHT else "left"
    size = BINS.get(abs(value), str(abs(value)))
    return f"{'left' if value > 0 else 'right'} {size}" if slot == "dist" else size
