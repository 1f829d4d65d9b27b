"""The settings of training that all best-first systems have.

Differences
- *Paper silent*: the size of the chart, and a limit for training. The defaults are ours.
- *Paper silent*, 2015: whether weights are averaged. They are here, unless that is switched off. In
  2011 (section 5) the last ones are the model, and so they are in that system's preset.
"""

from __future__ import annotations

from dataclasses import dataclass

from wordorder_lab.best_first.chart import CHARTS
from wordorder_lab.best_first.settings import GuidedSettings
from wordorder_lab.best_first.templates import EdgeTemplates
from wordorder_lab.best_first.updates import NEGATIVES, UPDATES
from wordorder_lab.structures.messages import (
    MOST_EPOCHS,
    MOST_HYPOTHESES,
    MOST_ORDER,
    check_most,
    cited,
    too_much,
)
from wordorder_lab.systems.language_models import check_lm_weight

LM_WEIGHT = 0.1
"""How much a language model counts where nothing is said of it: of weights from 0.01 to 1, one of
the better ones on dev in both grammars where scores are scaled. Presets have their own."""


@dataclass(frozen=True)
class BestFirstSettings:
    """What a training run depends on, beside its sentences.

    ``beam`` is how many edges the chart keeps (0: all), in all or of each size, as ``chart`` says.
    ``expansions`` is the limit a sentence (``None``: none), ``max_length`` how many units a
    sentence may have to be learned (``None``: any number). ``lm_order``: n-grams of this order are
    learned from the sentences, 0 none; they are not used before bags are ordered, where their
    log-probability counts ``lm_weight``.
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
    lm_order: int = 0
    lm_weight: float = LM_WEIGHT

    def load_templates(self) -> EdgeTemplates:
        """The templates. Raises ``ValueError`` for no such file."""
        raise NotImplementedError

    def guided(self) -> GuidedSettings:
        """What the learner takes of them."""
        return GuidedSettings(
            *(self.beam, self.chart, self.update, self.negatives, self.expansions)
        )

    def check(self) -> None:
        """Raise ``ValueError`` for a setting that cannot be, and for no such templates."""
        for name in ("beam", "epochs", "seed"):
            if not isinstance(value := getattr(self, name), int):
                raise ValueError(f"{name} is a whole number, not {cited(value)}")
        if self.beam < 0 or self.epochs < 1:
            raise ValueError(
                f"epochs ({self.epochs}) are at least 1, the beam ({self.beam}) too, or 0: no bound"
            )
        if self.beam > MOST_HYPOTHESES:
            raise too_much("a beam of", self.beam, MOST_HYPOTHESES)
        if self.epochs > MOST_EPOCHS:
            raise too_much("epochs", self.epochs, MOST_EPOCHS)
        for name, values in (("update", UPDATES), ("chart", CHARTS), ("negatives", NEGATIVES)):
            if (value := getattr(self, name)) not in values:
                raise ValueError(f"no {name} {cited(value)}; there are {', '.join(values)}")
        for name in ("expansions", "max_length"):
            value = getattr(self, name)
            if value is not None and (not isinstance(value, int) or value < 1):
                raise ValueError(f"{name} ({cited(value)}) is a whole number from 1 up, or None")
        if self.lm_order < 0:
            raise ValueError(f"the order of n-grams ({self.lm_order}) is at least 0, for none")
        check_most("n-grams of the order", self.lm_order, MOST_ORDER)
        check_lm_weight(self.lm_weight)
        self.load_templates()
