"""The system "liu-2015-realization": trees of lemmas realised by the transition system.

Zhang & Clark (2015), section 5.7, with the search of Liu et al. (2015) in the place of theirs:
candidate forms, labels and heads go into a bag (``systems/realization``), which ``liu-2015`` orders
with templates for whole trees (``transition/pieces``).

Differences
- *Paper silent*: neither paper realises with a transition system. All of it is our reading of
  section 5.7 for that search.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from wordorder_lab.structures.lemma_tree import LemmaTree
from wordorder_lab.systems import liu_2015
from wordorder_lab.systems import usual_settings as usual
from wordorder_lab.systems.realization import (
    RealizationModel,
    RealizationSettings,
    learn_realizer,
)
from wordorder_lab.systems.registry import find
from wordorder_lab.systems.setting import setting
from wordorder_lab.systems.system import System
from wordorder_lab.systems.training_run import TrainingOptions
from wordorder_lab.transition.averaged_perceptron import UPDATES

NAME = "liu-2015-realization"


@dataclass(repr=False)
class LiuRealizer(RealizationModel):
    """A trained model."""

    SYSTEMS: ClassVar[tuple[str, ...]] = (NAME,)
    Search: ClassVar[type[Any]] = liu_2015.Search
    ORDERER: ClassVar[str] = liu_2015.NAME
    system = NAME


@dataclass(frozen=True)
class Settings(RealizationSettings):
    """The settings of a training: its own, and those of the ordering system."""

    LABELLED: ClassVar[str] = "puduppully_2016_labelled_tree"
    PLAIN: ClassVar[str] = "puduppully_2016_whole_tree"

    beam: int = usual.beam(8)
    epochs: int = usual.epochs(10)
    templates: str = usual.templates("")
    update: str = setting("early", "how to update the weights", choices=UPDATES)
    shuffle: bool = usual.shuffle()
    lm_order: int = usual.lm_order()
    lm_weight: float = usual.lm_weight(4.0)
    lm_in_training: bool = usual.lm_in_training()

    def check(self) -> None:
        """Raise ``ValueError`` for what the ordering system refuses."""
        find(liu_2015.NAME).checked({**self.ordering(), "pos": 1, "deps": 1})


def learn(
    trees: Sequence[LemmaTree], settings: Settings, options: TrainingOptions
) -> RealizationModel:
    """Train a realizer on trees that know their words and places, or their references.

    Raises ``ValueError`` where there is nothing to learn from.
    """
    return learn_realizer(LiuRealizer, find(LiuRealizer.ORDERER), trees, settings, options)


SYSTEMS = {
    NAME: System(
        "Trees of lemmas become sentences by transitions (after Zhang & Clark)",
        Settings,
        learn,
        LiuRealizer,
        takes_options=True,
    )
}
