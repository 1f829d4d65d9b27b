"""The system "liu-2015-realization": trees of lemmas realized by the transition system.

Zhang & Clark (2015), section 5.7, with the search of Liu et al. (2015) in the place of theirs:
candidate forms, labels and heads go into a bag (``systems/realization``), which ``liu-2015`` orders
with templates for whole trees (``transition/pieces``).

Differences
- *Paper silent*: neither paper realizes with a transition system. All of it is our reading of
  section 5.7 for that search.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import ClassVar

from wordorder_lab.systems import liu_2015
from wordorder_lab.systems.realization import (
    RealizationModel,
    RealizationSettings,
    learn_realizer,
)
from wordorder_lab.systems.setting import SettingsClass, like
from wordorder_lab.systems.system import System

NAME = "liu-2015-realization"


@dataclass(repr=False)
class LiuRealizer(RealizationModel):
    """A trained model."""

    SYSTEMS: ClassVar[tuple[str, ...]] = (NAME,)
    Search: ClassVar[SettingsClass] = liu_2015.Search
    ORDERER: ClassVar[str] = liu_2015.NAME


@dataclass(frozen=True)
class Settings(RealizationSettings):
    """The settings of a training: its own, and those of the ordering system."""

    ORDERER: ClassVar[str] = liu_2015.NAME
    LABELLED: ClassVar[str] = "puduppully_2016_labelled_tree"
    PLAIN: ClassVar[str] = "puduppully_2016_whole_tree"

    beam: int = like(liu_2015.Settings, "beam", 8)
    epochs: int = like(liu_2015.Settings, "epochs")
    templates: str = like(liu_2015.Settings, "templates")
    update: str = like(liu_2015.Settings, "update")
    shuffle: bool = like(liu_2015.Settings, "shuffle")
    lm_order: int = like(liu_2015.Settings, "lm_order")
    lm_weight: float = like(liu_2015.Settings, "lm_weight")
    lm_in_training: bool = like(liu_2015.Settings, "lm_in_training")


SYSTEMS = {
    NAME: System(
        "Trees of lemmas become sentences by transitions (after Zhang & Clark)",
        Settings,
        partial(learn_realizer, LiuRealizer),
        LiuRealizer,
        takes_options=True,
    )
}
