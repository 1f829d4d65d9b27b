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

from wordorder_lab.structures.lemma_tree import LemmaTree
from wordorder_lab.systems import zhang_clark_2015_dependency as dependency
from wordorder_lab.systems.realization import (
    RealizationModel,
    RealizationSettings,
    train_realizer,
)
from wordorder_lab.systems.zhang_clark_2015_dependency import SEARCH

__all__ = ["NAME", "SEARCH", "BestFirstRealizer", "Settings", "train"]

NAME = "zhang-clark-2015-realization"


@dataclass(repr=False)
class BestFirstRealizer(RealizationModel):
    """A trained model."""

    SYSTEMS: ClassVar[tuple[str, ...]] = (NAME,)
    system = NAME


@dataclass(frozen=True)
class Settings(RealizationSettings):
    """The settings of a training: its own, and those of the ordering system."""

    LABELLED: ClassVar[str] = "zhang_clark_2015_section_5_7_siblings"
    PLAIN: ClassVar[str] = dependency.TEMPLATES

    beam: int = 0
    epochs: int = 10
    templates: str = ""
    update: str = "scaled"
    shuffle: bool = False
    chart: str = "single"
    signature: str = "words"
    negatives: str = "expand"
    expansions: int = 1000
    max_length: int | None = None
    averaged: bool = True
    lm_order: int = 0
    lm_weight: float = 0.1

    def check(self) -> None:
        """Raise ``ValueError`` for a setting that cannot be, and for no such templates."""
        super().check()
        dependency.Settings(**self.ordering()).check()


def train(trees: Sequence[LemmaTree], **given: Any) -> RealizationModel:
    """Train a realiser on trees that know their words and places, or their references.

    ``given`` are settings, the fields of ``Settings``, and how to go about it: ``engine``,
    ``checkpoint``, ``about``, ``progress``, ``on_epoch``, ``trace``. Raises ``ValueError`` for
    impossible settings and where there is nothing to learn from.
    """
    return train_realizer(BestFirstRealizer, dependency.train, Settings, trees, given)
