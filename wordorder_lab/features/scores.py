"""Scores of the actions in a state: features once a state, one row of weights a feature.

The sum keeps one order, which is the fast engine's too: the templates of a group in order, then the
groups in order. A group looks at two or three slots, so within a sentence its sum is kept.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from wordorder_lab.features.extract import Context, Feature, group_features
from wordorder_lab.features.notation import Group, TemplateSet

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
        self._kept: dict[tuple, list[float]] = {}

    def of(self, context: Context) -> list[float]:
        """The score of every local action in a state, legal or not."""
        total = [0.0] * len(self.columns)
        for group in self.templates.groups:
            for action, weight in enumerate(self._group_row(group, context)):
                total[action] += weight
        return total

    def _group_row(self, group: Group, context: Context) -> list[float]:
        seen = (group.slots, *(context[slot] for slot in group.slots))
        if seen not in self._kept:
            self._kept[seen] = self._sum(group_features(self.templates, group, context))
        return self._kept[seen]

    def _sum(self, features: Sequence[Feature]) -> list[float]:
        total = [0.0] * len(self.columns)
        for feature in features:
            row, level = self.rows(feature), self.templates.level(feature)
            for action, numbers in enumerate(self.columns):
                total[action] += row.get(numbers[level], 0.0)
        return total
