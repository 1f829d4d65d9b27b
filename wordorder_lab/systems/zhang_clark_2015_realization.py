"""The system "zhang-clark-2015-realization": trees of lemmas realised by best-first search.

Zhang & Clark (2015), section 5.7: "the search procedure of Algorithm 4 is applied directly, and the
feature templates of Table 2 are used with additional labeled dependency features". What is common
to all realisation stands in ``systems/realization``; the search, its features and its learner are
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

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from wordorder_lab.best_first.chart import CHARTS, TREE_SIGNATURES
from wordorder_lab.best_first.updates import NEGATIVES, SCALED, UPDATES
from wordorder_lab.structures.lemma_tree import LemmaTree
from wordorder_lab.systems import usual_settings as usual
from wordorder_lab.systems import zhang_clark_2015_dependency as dependency
from wordorder_lab.systems.best_first_settings import (
    AVERAGED,
    CHART,
    EXPANSIONS,
    MAX_LENGTH,
    NEGATIVE,
)
from wordorder_lab.systems.realization import (
    RealizationModel,
    RealizationSettings,
    learn_realizer,
)
from wordorder_lab.systems.registry import find
from wordorder_lab.systems.setting import setting
from wordorder_lab.systems.system import System
from wordorder_lab.systems.training_run import TrainingOptions

NAME = "zhang-clark-2015-realization"


@dataclass(repr=False)
class BestFirstRealizer(RealizationModel):
    """A trained model."""

    SYSTEMS: ClassVar[tuple[str, ...]] = (NAME,)
    Search: ClassVar[type[Any]] = dependency.Search
    ORDERER: ClassVar[str] = dependency.NAME
    system = NAME


@dataclass(frozen=True)
class Settings(RealizationSettings):
    """The settings of a training: its own, and those of the ordering system."""

    LABELLED: ClassVar[str] = "zhang_clark_2015_section_5_7_siblings"
    PLAIN: ClassVar[str] = dependency.TEMPLATES

    beam: int = usual.beam(0, "kept in the chart", minimum=0)
    epochs: int = usual.epochs(10)
    templates: str = usual.templates("")
    update: str = setting(SCALED, "how to update the weights", choices=UPDATES)
    shuffle: bool = usual.shuffle()
    chart: str = setting(CHARTS[0], CHART, choices=CHARTS)
    signature: str = setting("words", dependency.SIGNATURE, choices=TREE_SIGNATURES)
    negatives: str = setting(NEGATIVES[0], NEGATIVE, choices=NEGATIVES)
    expansions: int = setting(1000, EXPANSIONS, minimum=1, metavar="N")
    max_length: int | None = setting(None, MAX_LENGTH, minimum=1, metavar="N")
    averaged: bool = setting(True, AVERAGED)
    lm_order: int = usual.lm_order()
    lm_weight: float = usual.lm_weight(0.1)

    def check(self) -> None:
        """Raise ``ValueError`` for what the ordering system refuses."""
        find(dependency.NAME).checked({**self.ordering(), "pos": 1, "deps": 1})


def learn(
    trees: Sequence[LemmaTree], settings: Settings, options: TrainingOptions
) -> RealizationModel:
    """Train a realizer on trees that know their words and places, or their references.

    Raises ``ValueError`` where there is nothing to learn from.
    """
    return learn_realizer(
        BestFirstRealizer, find(BestFirstRealizer.ORDERER), trees, settings, options
    )


SYSTEMS = {
    NAME: System(
        "The same by best-first search (Zhang & Clark 2015, 5.7)",
        Settings,
        learn,
        BestFirstRealizer,
        takes_options=True,
    )
}
