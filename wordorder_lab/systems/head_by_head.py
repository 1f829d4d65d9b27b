"""The systems "bohnet-2011" and "guo-2011": trees put in order from below, head by head.

With both Zhang & Clark (2015, Table 10) compare their system. They are pipelines: every lemma takes
its most probable form, the tree is put in order without looking at forms, and in the end *a*
becomes *an* where the next word sounds like a vowel. "bohnet-2011", in the manner of STUMABA
(Bohnet et al. 2010, 2011), orders siblings by a beam (``linearization/dependents_beam``) and a
linear model (``linearization/sibling_orders``); "guo-2011", in the manner of DCU (Guo et al. 2011),
by n-grams of labels, tags and lemmas (``linearization/dependency_ngrams``).

Differences
- *Paper silent*: epochs, beams, the length of the n-grams, and everything else, as those files say.
- *Our reading*, Zhang & Clark (2015, section 5.7): the shared task's systems are known to us from
  their score alone there; that they inflect apart from ordering is as we remember it.
"""

from __future__ import annotations

import time
from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property, partial
from itertools import pairwise
from typing import ClassVar, NamedTuple, Self

import numpy as np

from wordorder_lab.inflection.candidates import Inflector
from wordorder_lab.inflection.english_rules import sounds_like_a_vowel
from wordorder_lab.inflection.kept_inflector import inflector_of_part, inflector_part
from wordorder_lab.linearization.dependency_ngrams import LEVELS, DependencyNGrams
from wordorder_lab.linearization.dependency_ngrams import learn as count_ngrams
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
from wordorder_lab.linearization.sibling_orders import COST, MeanWeights, SiblingModel
from wordorder_lab.linearization.sibling_orders import learn as learn_weights
from wordorder_lab.models.file_parts import Json, JsonView, exactly, row, rows, whole
from wordorder_lab.models.ngram import NGRAM_ARRAYS, NGramModel
from wordorder_lab.runtime.progress import progress_bar
from wordorder_lab.structures.lemma_tree import LemmaTree
from wordorder_lab.structures.result import Realization
from wordorder_lab.structures.trace import Trace
from wordorder_lab.systems.model import check_flags, choose_engine, templates_of, templates_part
from wordorder_lab.systems.realization_examples import learn_inflector, placed_trees
from wordorder_lab.systems.realizer import CAPITALS, ENGLISH, Realizer
from wordorder_lab.systems.setting import SettingsClass, setting, usual
from wordorder_lab.systems.system import System
from wordorder_lab.systems.training_run import Moment, TrainingOptions

BEAM = 20


@dataclass(frozen=True)
class Search:
    """What may be set when a tree is realized."""

    beam: int = usual("beam", BEAM, help="hypotheses kept among siblings")


@dataclass(repr=False)
class HeadByHeadModel(Realizer):
    """A trained model: an inflector, and below it what orders a head with its dependents."""

    HAS_STEPS: ClassVar[bool] = False
    Search: ClassVar[SettingsClass] = Search

    inflector: Inflector
    settings: JsonView

    @property
    def known_labels(self) -> tuple[str, ...]:
        """Those of the training, which the settings list; of an older file none."""
        return tuple(self.settings.get("known_labels", ()))

    @abstractmethod
    def orders(self, tree: LemmaTree, beam: int) -> list[tuple[Score, tuple[int, ...]]]:
        """The best orders of a tree's nodes, with their scores, the best one first."""

    def _found(
        self, tree: LemmaTree, chosen: Json, k: int, engine: str | None, _trace: Trace | None
    ) -> list[Realization]:
        """The ``k`` best, or as many as the root's beam has; they differ in the root's order."""
        choose_engine(engine)
        first = [several[0] for several in self.inflector.forms(tree)]
        found = self.orders(tree, max(chosen["beam"], k))[:k]
        return [
            self._sentence(order, self._agreeing(tree, first, order), float(score))
            for score, order in found
        ]

    def _agreeing(
        self, tree: LemmaTree, first: Sequence[str], order: Sequence[int]
    ) -> Sequence[str]:
        """The forms, with *a* or *an* as the next word sounds."""
        forms = list(first)
        if self.inflector.english:
            for node, following in pairwise(order):
                if tree.nodes[node].upos == "DET" and forms[node] in ("a", "an"):
                    forms[node] = "an" if sounds_like_a_vowel(forms[following]) else "a"
        return forms

    # --- settings and file ------------------------------------------------------------------

    def header(self) -> Json:
        """The inflector's counts."""
        return {"inflector": inflector_part(self.inflector)}


# --- training -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class HeadByHeadSettings:
    """What a training depends on in both systems; each adds what its own learner takes. ``seed`` is
    that of mappings to plain references, and of the learner's chance."""

    seed: int = usual("seed", 1)
    english: bool = setting(True, ENGLISH)
    capitals: bool = setting(True, CAPITALS)


class Placed(NamedTuple):
    """What a training has before it: ``trees`` whose words have places, the ``inflector`` that has
    counted in them, and what the ``settings`` of the model will say."""

    trees: list[LemmaTree]
    inflector: Inflector
    settings: Json


def placed_of(trees: Sequence[LemmaTree], chosen: HeadByHeadSettings) -> Placed:
    """What both systems learn from. Trees that have references alone get the places of a mapping
    (``gold_mappings``). Crossing arcs stay. Raises ``ValueError`` where no head with a dependent
    has places."""
    placed, unmapped = placed_trees(trees, chosen.english, chosen.seed)
    if not any(len(tree) > 1 for tree in placed):
        raise ValueError(
            f"none of the {len(trees):,} trees has words in a known order: give others"
        )
    inflector = learn_inflector(placed, english=chosen.english)
    forms = [len(several) for tree in placed for several in inflector.forms(tree)]
    numbers = {
        "trees": len(placed),
        "lifted": 0,
        "left_out": 0,
        "unmapped": unmapped,
        "forms": sum(forms) / len(forms),  # candidates for a node, in the mean
        "known_labels": sorted({node.label for tree in placed for node in tree.nodes}),
    }
    return Placed(placed, inflector, {**asdict(chosen), **numbers})


# --- "bohnet-2011" ------------------------------------------------------------------------------

BOHNET = "bohnet-2011"
FEWEST_BITS, MOST_BITS = 8, 28


@dataclass(repr=False)
class DependentsBeamModel(HeadByHeadModel):
    """A trained model; ``weights`` are int32, one a bucket of the features."""

    SYSTEMS: ClassVar[tuple[str, ...]] = (BOHNET,)
    WHOLE: ClassVar[str] = "sibling_weights"

    templates: SiblingTemplates
    weights: np.ndarray

    @cached_property
    def _siblings(self) -> SiblingModel:
        return SiblingModel(SiblingFeatures(self.templates, self.settings["bits"]), self.weights)

    def orders(self, tree: LemmaTree, beam: int) -> list[tuple[Score, tuple[int, ...]]]:
        """The best orders; a score of 1 is what a part in a wrong place costs in learning."""
        best = partial(self._siblings.best_orders, beam=beam)
        return [(score / COST, order) for score, order in ordered_from_below(tree, best)]

    def header(self) -> Json:
        """The inflector's counts, and the templates."""
        return {
            **super().header(),
            "templates": templates_part(self.templates.name, self.templates.text),
        }

    def arrays(self) -> dict[str, np.ndarray]:
        """The weights."""
        return {self.WHOLE: self.weights}

    @classmethod
    def of_parts(cls, header: JsonView, arrays: Mapping[str, np.ndarray]) -> Self:
        """The model of a whole file. Raises ``ValueError`` where its parts do not fit together."""
        settings = dict(header["settings"])
        check_flags(settings, "capitals")
        whole(settings["bits"], "its bits", FEWEST_BITS, MOST_BITS)
        templates = templates_of(header, parse_sibling_templates)
        exactly(arrays, (cls.WHOLE,))
        weights = row(arrays, cls.WHOLE, np.int32, 1 << settings["bits"])
        return cls(inflector_of_part(header["inflector"]), settings, templates, weights)


@dataclass(frozen=True)
class SiblingSettings(HeadByHeadSettings):
    """What a training depends on, beside its trees."""

    templates: str = usual("templates", USUAL)
    epochs: int = usual("epochs", 4)
    beam: int = usual("beam", 10, help="hypotheses kept among siblings in learning")
    bits: int = setting(
        22, "there are 2 to this many weights", minimum=FEWEST_BITS, maximum=MOST_BITS
    )

    def check(self) -> None:
        """Raise ``ValueError`` for no such templates."""
        load_sibling_templates(self.templates)


def learn_siblings(
    trees: Sequence[LemmaTree], settings: SiblingSettings, options: TrainingOptions
) -> DependentsBeamModel:
    """Learn in a few minutes, without a checkpoint; raises as ``placed_of``."""
    placed, inflector, numbers = placed_of(trees, settings)
    told = {**(options.about or {}), **numbers}
    templates = load_sibling_templates(settings.templates)
    begin = time.perf_counter()

    def model(weights: np.ndarray) -> DependentsBeamModel:
        return DependentsBeamModel(inflector, told, templates, weights.astype(np.int32))

    def after(epoch: int, weights: MeanWeights) -> None:
        nonlocal begin
        if options.on_epoch is not None:
            seconds = time.perf_counter() - begin
            Moment(lambda: model(weights.mean()), seconds).tell(options.on_epoch, epoch)
            begin = time.perf_counter()

    domains = [one for tree in placed for one in placed_domains(tree)]
    how = {"epochs": settings.epochs, "beam": settings.beam, "seed": settings.seed}
    sizes: Json = {"total": len(domains) * settings.epochs, "delay": 2, "leave": False}
    with progress_bar(**sizes, desc=BOHNET, wanted=options.progress) as shown:
        features = SiblingFeatures(templates, settings.bits)
        learned = learn_weights(domains, features, **how, after_one=shown.update, on_epoch=after)
    return model(learned)


# --- "guo-2011" ---------------------------------------------------------------------------------

GUO = "guo-2011"


@dataclass(repr=False)
class DependencyNGramModel(HeadByHeadModel):
    """A trained model; ``ngrams`` has an n-gram model a level."""

    SYSTEMS: ClassVar[tuple[str, ...]] = (GUO,)
    WHOLE: ClassVar[str] = f"{LEVELS[0]}_{NGRAM_ARRAYS[0]}"

    ngrams: DependencyNGrams

    def orders(self, tree: LemmaTree, beam: int) -> list[tuple[Score, tuple[int, ...]]]:
        """The best orders, with the sums of their log-probabilities."""
        return ordered_from_below(tree, partial(self.ngrams.best_orders, beam=beam))

    def header(self) -> Json:
        """The inflector's counts, and the words of the n-grams."""
        models = [model.header() for model in self.ngrams.models]
        return {**super().header(), "ngrams": models}

    def arrays(self) -> dict[str, np.ndarray]:
        """Those of the n-gram models, each name with its level before it."""
        pairs = zip(LEVELS, self.ngrams.models, strict=True)
        return {f"{level}_{name}": a for level, m in pairs for name, a in m.arrays().items()}

    @classmethod
    def of_parts(cls, header: JsonView, arrays: Mapping[str, np.ndarray]) -> Self:
        """The model of a whole file. Raises ``ValueError`` where its parts do not fit together."""
        exactly(arrays, (f"{level}_{name}" for level in LEVELS for name in NGRAM_ARRAYS))
        models = tuple(
            NGramModel.from_arrays(part, {name: arrays[f"{level}_{name}"] for name in NGRAM_ARRAYS})
            for level, part in zip(LEVELS, rows(header["ngrams"], "its n-grams"), strict=True)
        )
        if len({model.order for model in models}) != 1 or models[0].order < 2:
            raise ValueError("its n-grams are not of one length, 2 or more")
        check_flags(header["settings"], "capitals")
        inflector = inflector_of_part(header["inflector"])
        return cls(inflector, dict(header["settings"]), DependencyNGrams(models))


@dataclass(frozen=True)
class NGramSettings(HeadByHeadSettings):
    """What a training depends on, beside its trees; so long are the n-grams."""

    order: int = usual("order", 3, minimum=2)


def learn_ngrams(
    trees: Sequence[LemmaTree], settings: NGramSettings, **_: object
) -> Iterator[DependencyNGramModel]:
    """Count; raises as ``placed_of``."""
    placed, inflector, told = placed_of(trees, settings)
    ngrams = count_ngrams((one for tree in placed for one in placed_domains(tree)), settings.order)
    yield DependencyNGramModel(inflector, told, ngrams)


SYSTEMS = {
    BOHNET: System(
        "The same head by head, a beam over siblings (after Bohnet et al. 2010, 2011)",
        SiblingSettings,
        learn_siblings,
        DependentsBeamModel,
        takes_options=True,
        traced=False,
        engines=("reference",),
    ),
    GUO: System(
        "The same with n-grams of labels, tags and lemmas (after Guo et al. 2011)",
        NGramSettings,
        learn_ngrams,
        DependencyNGramModel,
        traced=False,
        engines=("reference",),
    ),
}
