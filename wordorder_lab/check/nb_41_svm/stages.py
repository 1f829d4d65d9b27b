"""A cutting-plane learner on the small problem, with what it knew after each iteration."""

from __future__ import annotations

from typing import Any

import numpy as np

from wordorder_lab.check.nb_41_svm.small_margin import KnownOutputs
from wordorder_lab.plots.cutting_planes import Constraint, Stage
from wordorder_lab.transduction.structured_svm import Learned, StructuredSVM, SvmSettings

TITLES = ("at first", "then", "and then")


def run_by_stages(examples: KnownOutputs, settings: SvmSettings) -> tuple[Learned, list[Stage]]:
    """What was learned, and the constraints and weights of each moment, before all at first.

    The settings must have a slack for every example ("n-slack").
    """
    learner = StructuredSVM(examples, 2, settings)
    stages = [Stage(TITLES[0], [], np.zeros(2))]

    def keep(row: Any, _weights: Any) -> None:
        title = TITLES[min(row.iteration, len(TITLES) - 1)]
        stages.append(Stage(title, _constraints(learner), learner.weights.copy()))

    return learner.run(on_iteration=keep), stages


def _constraints(learner: StructuredSVM) -> list[Constraint]:
    working, constraints = learner.working, []
    begin = 0
    for example, length, loss in zip(working.groups, working.lengths, working.losses):
        difference = np.zeros(2)
        here = slice(begin, begin + length)
        difference[working.features[here]] = working.values[here]
        constraints.append(Constraint(int(example), difference, float(loss)))
        begin += int(length)
    return constraints
