"""The system "zhang-clark-2015-realization": trees of lemmas realized by best-first search.

Zhang & Clark (2015), section 5.7 (``systems/realization``).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import ClassVar

from wordorder_lab.systems import zhang_clark_2015_dependency as dependency
from wordorder_lab.systems.realization import (
    RealizationModel,
    learn_realizer,
    realization_settings,
)
from wordorder_lab.systems.setting import SettingsClass
from wordorder_lab.systems.system import System

NAME = "zhang-clark-2015-realization"


@dataclass(repr=False)
class BestFirstRealizer(RealizationModel):
    """A trained model."""

    SYSTEMS: ClassVar[tuple[str, ...]] = (NAME,)
    Search: ClassVar[SettingsClass] = dependency.Search
    ORDERER: ClassVar[str] = dependency.NAME


Settings = realization_settings(
    __name__,
    dependency.Settings,
    {"beam": 0, "signature": "words"},
    ORDERER=dependency.NAME,
    LABELLED="zhang_clark_2015_section_5_7_siblings",
    PLAIN=dependency.TEMPLATES,
)

SYSTEMS = {
    NAME: System(
        "The same by best-first search (Zhang & Clark 2015, 5.7)",
        Settings,
        partial(learn_realizer, BestFirstRealizer),
        BestFirstRealizer,
        takes_options=True,
    )
}
