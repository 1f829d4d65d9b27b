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
from wordorder_lab.systems.liu_2015 import SEARCH
from wordorder_lab.systems.realization import (
    RealizationModel,
    RealizationSettings,
    train_realizer,
)

__all__ = ["NAME", "SEARCH", "LiuRealizer", "Settings", "train"]

NAME = "liu-2015-realization"


@dataclass(repr=False)
class LiuRealizer(RealizationModel):
    """A trained model."""

    SYSTEMS: ClassVar[tuple[str, ...]] = (NAME,)
    system = NAME


@dataclass(frozen=True)
class Settings(RealizationSettings):
    """The settings of a training: its own, and those of the ordering system."""

    LABELLED: ClassVar[str] = "puduppully_2016_labelled_tree"
    PLAIN: ClassVar[str] = "puduppully_2016_whole_tree"

    beam: int = 8
    epochs: int = 10
    templates: str = ""
    update: str = "early"
    shuffle: bool = False
    lm_order: int = 0
    lm_weight: float = 4.0
    lm_in_training: bool = False

    def check(self) -> None:
        """Raise ``ValueError`` for a setting that cannot be, and for no such templates."""
        super().check()
        liu_2015.Settings(**self.ordering()).check()


def train(trees: Sequence[LemmaTree], **given: Any) -> RealizationModel:
    """Train a realiser on trees that know their words and places, or their references.

    ``given`` are settings, the fields of ``Settings``, and how to go about it: ``engine``,
    ``checkpoint``, ``about``, ``progress``, ``on_epoch``, ``trace``. Raises ``ValueError`` for
    impossible settings and where there is nothing to learn from.
    """
    return train_realizer(LiuRealizer, liu_2015.train, Settings, trees, given)
