"""The system "liu-2015-realization": trees of lemmas realized by the transition system.

Zhang & Clark (2015), section 5.7, with the search of Liu et al. (2015) in the place of theirs
(``systems/realization``), and templates for whole trees (``transition/pieces``).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import ClassVar

from wordorder_lab.systems import liu_2015
from wordorder_lab.systems.realization import (
    RealizationModel,
    learn_realizer,
    realization_settings,
)
from wordorder_lab.systems.setting import SettingsClass
from wordorder_lab.systems.system import System

NAME = "liu-2015-realization"


@dataclass(repr=False)
class LiuRealizer(RealizationModel):
    """A trained model."""

    SYSTEMS: ClassVar[tuple[str, ...]] = (NAME,)
    Search: ClassVar[SettingsClass] = liu_2015.Search
    ORDERER: ClassVar[str] = liu_2015.NAME


Settings = realization_settings(
    __name__,
    liu_2015.Settings,
    {"beam": 8},
    ORDERER=liu_2015.NAME,
    LABELLED="puduppully_2016_labelled_tree",
    PLAIN="puduppully_2016_whole_tree",
)

SYSTEMS = {
    NAME: System(
        "Trees of lemmas become sentences by transitions (after Zhang & Clark)",
        Settings,
        partial(learn_realizer, LiuRealizer),
        LiuRealizer,
        takes_options=True,
    )
}
