"""What a cutting-plane learner of two weights knows, as a map: height lines and constraints."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from wordorder_lab.plots.lines import ORANGE, RED, Style, room

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

FIRST, SECOND = (-1.6, 3.0), (-3.0, 1.0)


class Constraint(NamedTuple):
    """``difference`` · w ≥ ``loss`` - slack of an example, counted from 0."""

    example: int
    difference: np.ndarray
    loss: float


class Stage(NamedTuple):
    """What was known at some moment: the constraints so far, and the weights best for them."""

    title: str
    constraints: Sequence[Constraint]
    weights: Sequence[float] | np.ndarray


def cutting_planes(
    stages: Sequence[Stage], best: Sequence[float] | np.ndarray, C: float, examples: int
) -> Figure:
    """Draws a map for each stage: the darker, the higher the objective over its constraints. A red
    line is where a constraint holds without slack, with the number of its example on the side where
    it holds. The white dot is the stage's best weights, the star the ``best`` of all."""
    figure, all_axes = room(len(stages), (8.5, 3.2), share_y=True)
    for axes, stage in zip(all_axes, stages):
        _map(axes, stage.constraints, C, examples)
        axes.plot(*stage.weights, "o", color="white", markeredgecolor="black")
        axes.plot(*best, "*", color=ORANGE, markeredgecolor="black", markersize=12)
        axes.set(xlabel="w₁ (modifiers)")
        title = f"{stage.title}: {len(stage.constraints)} constraints"
        axes.set_title(title, fontsize="medium")
    all_axes[0].set_ylabel("w₂ (objects)")
    return figure


def _map(axes: Axes, constraints: Sequence[Constraint], C: float, examples: int) -> None:
    one, two = np.meshgrid(np.linspace(*FIRST, 185), np.linspace(*SECOND, 161))
    slacks = np.zeros((examples, *one.shape))
    for example, (a, b), loss in constraints:
        slacks[example] = np.maximum(slacks[example], loss - a * one - b * two)
    heights = (one**2 + two**2) / 2 + C / examples * slacks.sum(axis=0)
    axes.contourf(one, two, heights, levels=np.linspace(0, 20, 21), cmap="Blues", extend="max")
    for example, (a, b), loss in constraints:
        axes.contour(one, two, a * one + b * two, levels=[loss], colors=RED, linewidths=1.5)
        _number(axes, str(example + 1), np.array([a, b]), loss)


def _number(axes: Axes, text: str, difference: np.ndarray, loss: float) -> None:
    """The number of an example, a little beyond the line, if that is on the map."""
    length = float((difference**2).sum()) ** 0.5
    x, y = difference * (loss / length**2 + 0.3 / length)
    if FIRST[0] <= x <= FIRST[1] and SECOND[0] <= y <= SECOND[1]:
        box = {"boxstyle": "circle,pad=0.15", "facecolor": "white", "edgecolor": "none"}
        place: Style = {"ha": "center", "va": "center", "weight": "bold", "bbox": box}
        axes.text(x, y, text, color=RED, **place)
