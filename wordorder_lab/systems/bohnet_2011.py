"""The system "bohnet-2011": siblings put in order by a beam and a linear model, from below.

In the manner of STUMABA (Bohnet et al. 2010, 2011), with which Zhang & Clark (2015, Table 10)
compare their system; all that orders stands in ``linearization/dependents_beam``, all that learns
in ``linearization/sibling_orders``.

Differences
- *Paper silent*: epochs and beams, and everything else, as those files say.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, ClassVar, Self

import numpy as np

from wordorder_lab.inflection.kept_inflector import inflector_of_part
from wordorder_lab.linearization.domains import (
    Score,
    ordered_from_below,
    placed_domains,
)
from wordorder_lab.linearization.sibling_features import (
    USUAL,
    SiblingFeatures,
    SiblingTemplates,
    load_sibling_templates,
    parse_sibling_templates,
)
from wordorder_lab.linearization.sibling_orders import COST, MeanWeights, SiblingModel, learn
from wordorder_lab.models.file_parts import exactly, row, whole
from wordorder_lab.runtime.progress import progress_bar
from wordorder_lab.structures.lemma_tree import LemmaTree
from wordorder_lab.systems import usual_settings as usual
from wordorder_lab.systems.head_by_head import (
    HeadByHeadModel,
    HeadByHeadSettings,
    checked,
    lesson_of,
)
from wordorder_lab.systems.model import templates_of
from wordorder_lab.systems.setting import setting
from wordorder_lab.systems.system import System
from wordorder_lab.systems.training_run import Moment, TrainingOptions

NAME = "bohnet-2011"
FEWEST_BITS, MOST_BITS = 8, 28


@dataclass(repr=False)
class DependentsBeamModel(HeadByHeadModel):
    """A trained model; ``weights`` are int32, one a bucket of the features."""

    SYSTEMS: ClassVar[tuple[str, ...]] = (NAME,)
    WHOLE: ClassVar[str] = "sibling_weights"
    system = NAME

    templates: SiblingTemplates
    weights: np.ndarray

    @cached_property
    def _siblings(self) -> SiblingModel:
        return SiblingModel(SiblingFeatures(self.templates, self.settings["bits"]), self.weights)

    def orders(self, tree: LemmaTree, beam: int) -> list[tuple[Score, tuple[int, ...]]]:
        """The best orders; a score of 1 is what a part in a wrong place costs in learning."""
        best = partial(self._siblings.best_orders, beam=beam)
        return [(score / COST, order) for score, order in ordered_from_below(tree, best)]

    def header(self) -> dict[str, Any]:
        """The inflector's counts, and the templates."""
        templates = {"name": self.templates.name, "text": self.templates.text}
        return {**super().header(), "templates": templates}

    def arrays(self) -> dict[str, np.ndarray]:
        """The weights."""
        return {self.WHOLE: self.weights}

    @classmethod
    def of_parts(cls, header: Mapping[str, Any], arrays: Mapping[str, np.ndarray]) -> Self:
        """The model of a whole file. Raises ``ValueError`` where its parts do not fit together."""
        settings = checked(header["settings"])
        whole(settings["bits"], "its bits", FEWEST_BITS, MOST_BITS)
        templates = templates_of(header, parse_sibling_templates)
        exactly(arrays, (cls.WHOLE,))
        weights = row(arrays, cls.WHOLE, np.int32, 1 << settings["bits"])
        return cls(inflector_of_part(header["inflector"]), settings, templates, weights)


@dataclass(frozen=True)
class Settings(HeadByHeadSettings):
    """What a training depends on, beside its trees.

    There are 2 ** ``bits`` weights. ``beam`` is that of the learning.
    """

    templates: str = usual.templates(USUAL)
    epochs: int = usual.epochs(4)
    beam: int = usual.beam(10, "kept among siblings in learning")
    bits: int = setting(
        22, "there are 2 to this many weights", minimum=FEWEST_BITS, maximum=MOST_BITS, metavar="N"
    )

    def check(self) -> None:
        """Raise ``ValueError`` for no such templates."""
        load_sibling_templates(self.templates)


def learn_siblings(
    trees: Sequence[LemmaTree], settings: Settings, options: TrainingOptions
) -> DependentsBeamModel:
    """Learn from trees that know their words and places, or their references.

    It takes a few minutes, so there is no checkpoint. Raises ``ValueError`` where there is nothing
    to learn from.
    """
    placed, inflector, numbers = lesson_of(trees, settings)
    told = {**(options.about or {}), **numbers}
    templates = load_sibling_templates(settings.templates)
    begin = time.perf_counter()

    def model(weights: np.ndarray) -> DependentsBeamModel:
        """The model that has these weights."""
        return DependentsBeamModel(inflector, told, templates, weights.astype(np.int32))

    def after(epoch: int, weights: MeanWeights) -> None:
        """Tell the caller of an epoch; its clock begins anew when they are done."""
        nonlocal begin
        if options.on_epoch is not None:
            seconds = time.perf_counter() - begin
            Moment(lambda: model(weights.mean()), seconds).tell(options.on_epoch, epoch)
            begin = time.perf_counter()

    domains = [one for tree in placed for one in placed_domains(tree)]
    how = {"epochs": settings.epochs, "beam": settings.beam, "seed": settings.seed}
    with progress_bar(
        total=len(domains) * settings.epochs,
        desc=NAME,
        wanted=options.progress,
        delay=2,
        leave=False,
    ) as shown:
        features = SiblingFeatures(templates, settings.bits)
        learned = learn(domains, features, **how, after_one=shown.update, on_epoch=after)
    return model(learned)


SYSTEMS = {
    NAME: System(
        "The same head by head, a beam over siblings (after Bohnet et al. 2010, 2011)",
        Settings,
        learn_siblings,
        DependentsBeamModel,
        takes_options=True,
        traced=False,
        engines=("reference",),
    )
}
