"""The system "zhang-clark-2015-realization": trees of lemmas realized by best-first search.

Zhang & Clark (2015), section 5.7: "the search procedure of Algorithm 4 is applied directly, and the
feature templates of Table 2 are used with additional labeled dependency features". What is common
to all realization stands in ``systems/realization``; the search, its features and its learner are
those of ``zhang-clark-2015-dependency``.

Differences
- *Text against figure*, sections 3.3 and 5.7: the paper prunes the chart of CCG derivations by
  signature, and bounds that of trees by a beam. Where the whole tree is given, pruning by
  signature (``signature="words"``) lets searches end that a beam does not, so it is the usual
  setting here, without a beam.
- *Our reading*, section 5.7: a label is bound to the features of its own arc. In which order the
  dependents of a word stand is a matter of two labels, so there are templates of our own beside the
  paper's, which are ``templates="zhang_clark_2015_section_5_7"``.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import ClassVar

from wordorder_lab.systems import zhang_clark_2015_dependency as dependency
from wordorder_lab.systems.realization import (
    RealizationModel,
    RealizationSettings,
    learn_realizer,
)
from wordorder_lab.systems.setting import SettingsClass, like
from wordorder_lab.systems.system import System

NAME = "zhang-clark-2015-realization"


@dataclass(repr=False)
class BestFirstRealizer(RealizationModel):
    """A trained model."""

    SYSTEMS: ClassVar[tuple[str, ...]] = (NAME,)
    Search: ClassVar[SettingsClass] = dependency.Search
    ORDERER: ClassVar[str] = dependency.NAME


@dataclass(frozen=True)
class Settings(RealizationSettings):
    """The settings of a training: its own, and those of the ordering system."""

    ORDERER: ClassVar[str] = dependency.NAME
    LABELLED: ClassVar[str] = "zhang_clark_2015_section_5_7_siblings"
    PLAIN: ClassVar[str] = dependency.TEMPLATES

    beam: int = like(dependency.Settings, "beam", 0)
    epochs: int = like(dependency.Settings, "epochs")
    templates: str = like(dependency.Settings, "templates")
    update: str = like(dependency.Settings, "update")
    shuffle: bool = like(dependency.Settings, "shuffle")
    chart: str = like(dependency.Settings, "chart")
    signature: str = like(dependency.Settings, "signature", "words")
    negatives: str = like(dependency.Settings, "negatives")
    expansions: int = like(dependency.Settings, "expansions")
    max_length: int | None = like(dependency.Settings, "max_length")
    averaged: bool = like(dependency.Settings, "averaged")
    lm_order: int = like(dependency.Settings, "lm_order")
    lm_weight: float = like(dependency.Settings, "lm_weight")


SYSTEMS = {
    NAME: System(
        "The same by best-first search (Zhang & Clark 2015, 5.7)",
        Settings,
        partial(learn_realizer, BestFirstRealizer),
        BestFirstRealizer,
        takes_options=True,
    )
}
