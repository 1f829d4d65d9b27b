"""The system "guo-2011": siblings put in order by n-grams of labels, tags and lemmas, from below.

In the manner of DCU (Guo et al. 2011), with which Zhang & Clark (2015, Table 10) compare their
system; the algorithm is ``linearization/dependency_ngrams``.

Differences
- *Paper silent*: the length of the n-grams and the beam, and everything else, as that file says.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar, Self

import numpy as np

from wordorder_lab.inflection.kept_inflector import inflector_of_part
from wordorder_lab.linearization.dependency_ngrams import LEVELS, DependencyNGrams, learn
from wordorder_lab.linearization.domains import Score, ordered_from_below, placed_domains
from wordorder_lab.models.file_parts import exactly, rows
from wordorder_lab.models.ngram import NGRAM_ARRAYS, NGramModel
from wordorder_lab.structures.lemma_tree import LemmaTree
from wordorder_lab.structures.trace import Trace
from wordorder_lab.systems import usual_settings as usual
from wordorder_lab.systems.head_by_head import (
    HeadByHeadModel,
    HeadByHeadSettings,
    checked,
    lesson_of,
)
from wordorder_lab.systems.system import System

NAME = "guo-2011"


@dataclass(repr=False)
class DependencyNGramModel(HeadByHeadModel):
    """A trained model; ``ngrams`` has an n-gram model a level."""

    SYSTEMS: ClassVar[tuple[str, ...]] = (NAME,)
    WHOLE: ClassVar[str] = f"{LEVELS[0]}_{NGRAM_ARRAYS[0]}"
    system = NAME

    ngrams: DependencyNGrams

    def orders(self, tree: LemmaTree, beam: int) -> list[tuple[Score, tuple[int, ...]]]:
        """The best orders, with the sums of their log-probabilities."""
        return ordered_from_below(tree, partial(self.ngrams.best_orders, beam=beam))

    def header(self) -> dict[str, Any]:
        """The inflector's counts, and the words of the n-grams."""
        models = [model.header() for model in self.ngrams.models]
        return {**super().header(), "ngrams": models}

    def arrays(self) -> dict[str, np.ndarray]:
        """Those of the n-gram models, each name with its level before it."""
        pairs = zip(LEVELS, self.ngrams.models, strict=True)
        return {f"{level}_{name}": a for level, m in pairs for name, a in m.arrays().items()}

    @classmethod
    def of_parts(cls, header: Mapping[str, Any], arrays: Mapping[str, np.ndarray]) -> Self:
        """The model of a whole file. Raises ``ValueError`` where its parts do not fit together."""
        exactly(arrays, (f"{level}_{name}" for level in LEVELS for name in NGRAM_ARRAYS))
        models = tuple(
            NGramModel.from_arrays(part, {name: arrays[f"{level}_{name}"] for name in NGRAM_ARRAYS})
            for level, part in zip(LEVELS, rows(header["ngrams"], "its n-grams"), strict=True)
        )
        if len({model.order for model in models}) != 1 or models[0].order < 2:
            raise ValueError("its n-grams are not of one length, 2 or more")
        inflector = inflector_of_part(header["inflector"])
        return cls(inflector, checked(header["settings"]), DependencyNGrams(models))


@dataclass(frozen=True)
class Settings(HeadByHeadSettings):
    """What a training depends on, beside its trees.

    ``order``: so long are the n-grams.
    """

    order: int = usual.order(3, minimum=2)


def learn_ngrams(
    trees: Sequence[LemmaTree], settings: Settings, *, engine: str, trace: Trace | None
) -> Iterator[DependencyNGramModel]:
    """Count in trees that know their words and places, or their references.

    Raises ``ValueError`` where there is nothing to learn from.
    """
    placed, inflector, told = lesson_of(trees, settings)
    ngrams = learn((one for tree in placed for one in placed_domains(tree)), settings.order)
    yield DependencyNGramModel(inflector, told, ngrams)


SYSTEMS = {
    NAME: System(
        "The same with n-grams of labels, tags and lemmas (after Guo et al. 2011)",
        Settings,
        learn_ngrams,
        DependencyNGramModel,
        traced=False,
        engines=("reference",),
    )
}
