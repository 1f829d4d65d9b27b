"""The settings of training and of searching that all best-first systems have.

Differences. The papers print neither the size of the chart nor a limit for training: the defaults
are ours. Weights are averaged unless that is switched off: Zhang & Clark (2011) take the last ones,
and so does their system here; the other papers do not say. The papers stop a search after 5
seconds. Here it stops after so many expansions unless another limit is given, so that the same bag
has the same output on every machine.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from wordorder_lab.best_first.chart import CHARTS
from wordorder_lab.best_first.default_output import DEFAULTS
from wordorder_lab.best_first.templates import EdgeTemplates
from wordorder_lab.best_first.updates import NEGATIVES, UPDATES
from wordorder_lab.systems.ordering_model import refuse_unknown

EXPANSIONS = 2_000
"""A search without a limit of its own stops after so many expansions."""
LIMITS = ("expansions", "seconds", "memory")
SEARCH = ("beam", "chart", *LIMITS, "default")
"""What may be set when a bag is ordered."""
CHOICES = {"chart": CHARTS, "default": DEFAULTS}
"""What some of these may be."""


@dataclass(frozen=True)
class BestFirstSettings:
    """What a training run depends on, beside its sentences.

    ``beam`` is how many edges the chart keeps (0: all), in all or of each size, as ``chart`` says.
    ``expansions`` is the limit a sentence (``None``: none), ``max_length`` how many units a
    sentence may have to be learned (``None``: any number).
    """

    pos: float = 1
    deps: float = 0
    beam: int = 64
    epochs: int = 10
    seed: int = 1
    templates: str = ""
    update: str = "scaled"
    shuffle: bool = False
    chart: str = "single"
    negatives: str = "expand"
    expansions: int | None = 1000
    max_length: int | None = None
    averaged: bool = True

    def load_templates(self) -> EdgeTemplates:
        """The templates. Raises ``ValueError`` for no such file."""
        raise NotImplementedError

    def check(self) -> None:
        """Raise ``ValueError`` for a setting that cannot be, and for no such templates."""
        for name in ("beam", "epochs", "seed"):
            if not isinstance(value := getattr(self, name), int):
                raise ValueError(f"{name} is a whole number, not {value!r}")
        if self.beam < 0 or self.epochs < 1:
            raise ValueError(
                f"epochs ({self.epochs}) are at least 1, the beam ({self.beam}) too, or 0: no bound"
            )
        for name, values in (("update", UPDATES), ("chart", CHARTS), ("negatives", NEGATIVES)):
            if (value := getattr(self, name)) not in values:
                raise ValueError(f"no {name} {value!r}; there are {', '.join(values)}")
        for name in ("expansions", "max_length"):
            value = getattr(self, name)
            if value is not None and (not isinstance(value, int) or value < 1):
                raise ValueError(f"{name} ({value!r}) is a whole number from 1 up, or None")
        self.load_templates()


def usual_search(training: Mapping[str, Any]) -> dict[str, Any]:
    """The settings of a search of which nothing is said, after a training with these."""
    return {
        "beam": int(training.get("beam", 64)),
        "chart": training.get("chart", CHARTS[0]),
        **dict.fromkeys(LIMITS),
        "default": DEFAULTS[0],
    }


def complete_search(
    system: str,
    given: Mapping[str, Any],
    usual: Mapping[str, Any],
    choices: Mapping[str, Sequence[str]],
) -> dict[str, Any]:
    """All settings of a search: those given, and where ``None`` is given the usual ones.

    Raises ``ValueError`` for one that there is not, or that cannot be.
    """
    refuse_unknown(system, given, usual)
    how = {**usual, **{name: value for name, value in given.items() if value is not None}}
    if all(how[name] is None for name in LIMITS):
        how["expansions"] = EXPANSIONS
    if not isinstance(how["beam"], int) or how["beam"] < 0:
        raise ValueError(f"the beam ({how['beam']!r}) is a whole number from 1 up, or 0: no bound")
    for name, values in choices.items():
        if how[name] not in values:
            there = " and ".join(map(repr, values))
            raise ValueError(f"no {name} {how[name]!r}; there are {there}")
    return how
