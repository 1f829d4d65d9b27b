"""The systems "zhang-clark-2015-realization" and "domain-beam-realization": trees of lemmas.

Zhang & Clark (2015), section 5.7 (``systems/realization``), by best-first search. The second, ours,
has the same templates and edges, and learns and searches with a beam inside each head's domain
(``best_first/violation_learning``).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import ClassVar

from wordorder_lab.best_first.updates import DOMAIN
from wordorder_lab.systems import zhang_clark_2015_dependency as dependency
from wordorder_lab.systems.best_first_model import LM_WEIGHT
from wordorder_lab.systems.realization import (
    RealizationModel,
    learn_realizer,
    realization_settings,
)
from wordorder_lab.systems.setting import SettingsClass, usual
from wordorder_lab.systems.system import System

NAME = "zhang-clark-2015-realization"
BY_DOMAINS = "domain-beam-realization"


@dataclass(repr=False)
class BestFirstRealizer(RealizationModel):
    """A trained model."""

    SYSTEMS: ClassVar[tuple[str, ...]] = (NAME,)
    Search: ClassVar[SettingsClass] = dependency.Search
    ORDERER: ClassVar[str] = dependency.NAME


@dataclass(frozen=True)
class DomainSearch:
    """What may be set when a tree is realized by domains."""

    beam: int = usual("beam", 8, help="hypotheses kept in each head's domain", as_trained=True)
    lm_weight: float = usual("lm_weight", LM_WEIGHT, as_trained=True)


@dataclass(repr=False)
class DomainBeamRealizer(BestFirstRealizer):
    """A trained model."""

    SYSTEMS: ClassVar[tuple[str, ...]] = (BY_DOMAINS,)
    Search: ClassVar[SettingsClass] = DomainSearch


Settings = realization_settings(
    __name__,
    dependency.Settings,
    {"beam": 0, "signature": "words"},
    ORDERER=dependency.NAME,
    LABELLED="zhang_clark_2015_section_5_7_siblings",
    PLAIN=dependency.TEMPLATES,
)

SYSTEMS = {
    model.system: System(
        says,
        Settings,
        partial(learn_realizer, model),
        model,
        presets=presets,
        takes_options=True,
    )
    for model, says, presets in (
        (BestFirstRealizer, "The same by best-first search (Zhang & Clark 2015, 5.7)", {}),
        (
            DomainBeamRealizer,
            "The same edges, a beam in each head's domain",
            {"update": DOMAIN, "beam": 8},
        ),
    )
}
