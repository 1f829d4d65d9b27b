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
from wordorder_lab.best_first.updates import NEGATIVES, SCALED, UPDATES
from wordorder_lab.systems import usual_settings as usual
from wordorder_lab.systems.setting import setting

LM_WEIGHT = 0.1
"""How much a language model counts where nothing is said of it: of weights from 0.01 to 1, one of
the better ones on dev in both grammars where scores are scaled. Presets have their own."""


CHART = "one beam for the whole chart, or one for each number of words"
NEGATIVE = (
    "what becomes of a wrong edge: Algorithm 3, Algorithm 2 (also Zhang 2013), or the sentence is "
    "done"
)
EXPANSIONS = "stop a search of the training after so many expansions"
AVERAGED = "take the average of the weights, or the last ones"
MAX_LENGTH = "learn from sentences of up to so many units"


@dataclass(frozen=True)
class BestFirstSettings:
    """What a training run depends on, beside its sentences.

    ``beam`` is how many edges the chart keeps (0: all), in all or of each size, as ``chart`` says.
    ``expansions`` is the limit a sentence (``None``: none), ``max_length`` how many units a
    sentence may have to be learned (``None``: any number). ``lm_order``: n-grams of this order are
    learned from the sentences, 0 none; they are not used before bags are ordered, where their
    log-probability counts ``lm_weight``.
    """

    pos: float = usual.given("tag", 1)
    deps: float = usual.given("head", 0)
    beam: int = usual.beam(64, "kept in the chart", minimum=0)
    epochs: int = usual.epochs(10)
    seed: int = usual.seed()
    templates: str = usual.templates("")
    update: str = setting(SCALED, "how to update the weights", choices=UPDATES)
    shuffle: bool = usual.shuffle()
    chart: str = setting(CHARTS[0], CHART, choices=CHARTS)
    negatives: str = setting(NEGATIVES[0], NEGATIVE, choices=NEGATIVES)
    expansions: int | None = setting(1000, EXPANSIONS, minimum=1, metavar="N")
    max_length: int | None = setting(None, MAX_LENGTH, minimum=1, metavar="N")
    averaged: bool = setting(True, AVERAGED)
    lm_order: int = usual.lm_order()
    lm_weight: float = usual.lm_weight(LM_WEIGHT)

    def load_templates(self) -> EdgeTemplates:
        """The templates. Raises ``ValueError`` for no such file."""
        raise NotImplementedError

    def guided(self) -> GuidedSettings:
        """What the learner takes of them."""
        return GuidedSettings(
            *(self.beam, self.chart, self.update, self.negatives, self.expansions)
        )

    def check(self) -> None:
        """Raise ``ValueError`` for no such templates."""
        self.load_templates()
