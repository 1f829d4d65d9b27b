"""Surface realization, from a tree of lemmas, in no order, to a sentence.

What the systems "liu-2015-realization" and "zhang-clark-2015-realization" share.

Zhang & Clark (2015), section 5.7: candidate forms of every lemma go into a bag, the forms of one
lemma excluding each other, with the tree as constraints; a search over bags orders them, and
settles which form is used as it goes: best-first search ("the search procedure of Algorithm 4 is
applied directly, and the feature templates of Table 2 are used with additional labeled dependency
features"), or that of Liu et al. (2015), with templates for whole trees (``transition/pieces``).

    REALIZE(tree):
      forms <- candidates of every lemma, the most probable first        (inflection/candidates)
      forms <- the first one alone, where the tree decides it             (inflection/left_open)
      bag <- a unit a lemma, its other forms as alternatives; heads, labels, orders of the tree
      best <- ORDER(bag)
      a capital for the first word

With ``inflection="first"`` the bag has first candidates alone: a pipeline. The paper argues for one
model that decides both, and compares it with none (``reproduce joint-inflection`` does).

Differences
- *Paper silent*: capitals. Forms are counted and put in order as within a sentence; the first word
  of the output gets its capital (``capitals``).
- *Our reading*: whatever a search gives, every lemma is in the output once. What an interrupted
  search has left out stands right behind its head.
- *Paper silent*: no paper realizes with a transition system. All of "liu-2015-realization" is our
  reading of section 5.7 for that search.
- *Text against figure*, sections 3.3 and 5.7: the paper prunes the chart of CCG derivations by
  signature, and bounds that of trees by a beam. Where the whole tree is given, pruning by
  signature (``signature="words"``) lets searches end that a beam does not, so it is the usual
  setting here, without a beam.
- *Our reading*, section 5.7: a label is bound to the features of its own arc. In which order the
  dependents of a word stand is a matter of two labels, so there are templates of our own beside the
  paper's, which are ``templates="zhang_clark_2015_section_5_7"``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, make_dataclass, replace
from typing import Any, ClassVar, Self, cast, get_type_hints

import numpy as np

from wordorder_lab.inflection.candidates import Inflector
from wordorder_lab.inflection.kept_inflector import inflector_of_part, inflector_part
from wordorder_lab.inflection.left_open import left_open
from wordorder_lab.models.file_parts import Json, JsonView
from wordorder_lab.structures.bag import WordBag
from wordorder_lab.structures.lemma_tree import LemmaTree, bag_of_lemmas
from wordorder_lab.structures.result import Realization, Result
from wordorder_lab.structures.trace import Trace
from wordorder_lab.systems.language_models import BACK_OFF
from wordorder_lab.systems.model import check_flags
from wordorder_lab.systems.realization_examples import (
    FIRST,
    INFLECTIONS,
    JOINT,
    realization_examples,
)
from wordorder_lab.systems.realizer import CAPITALS, ENGLISH, Realizer
from wordorder_lab.systems.registry import find
from wordorder_lab.systems.setting import SettingsClass, setting, usual
from wordorder_lab.systems.system import LearnWithOptions
from wordorder_lab.systems.training_run import Moment, TrainingOptions

MOST_FOLDS = 100
OF_THE_EXAMPLES = ("inflection", "labels", "lift", "folds", "english", "seed")
"""Settings that say what is learned from."""


@dataclass(frozen=True)
class RealizationSettings:
    """What a training depends on beside the ordering system's own settings. ``inflection``: the
    search chooses the forms that the tree leaves open (``"joint"``; without ``english`` as
    ``"all"``), all that have several candidates (``"all"``), or takes each first one (``"first"``).
    ``folds``: an inflector's candidates are those of the others of so many parts."""

    ORDERER: ClassVar[str]
    """The name of the ordering system."""
    LABELLED: ClassVar[str]
    PLAIN: ClassVar[str]
    """The template file that is used unless another is named, with labels and without."""

    inflection: str = setting(
        JOINT,
        "the search chooses the forms that a tree leaves open, all that have several, or takes "
        "the first",
        choices=INFLECTIONS,
    )
    labels: bool = usual("labels", True, help="look at the labels of arcs")
    lift: bool = setting(True, "learn from trees with crossing arcs too, which are lifted")
    folds: int = usual("folds", 5, maximum=MOST_FOLDS)
    english: bool = setting(True, ENGLISH)
    capitals: bool = setting(True, CAPITALS)
    seed: int = usual("seed", 1)

    def check(self) -> None:
        """Raise ``ValueError`` for what the ordering system refuses."""
        self.of_orderer()

    def of_orderer(self) -> object:
        """The settings of the ordering system: a bag has all tags and heads."""
        return find(self.ORDERER).checked({**self.ordering(), "pos": 1, "deps": 1})

    def ordering(self) -> Json:
        """The settings that are those of the ordering system."""
        own = {name: value for name, value in asdict(self).items() if name not in OWN}
        templates = own["templates"] or (self.LABELLED if self.labels else self.PLAIN)
        return {**own, "templates": templates, "labels": self.labels, "seed": self.seed}


LAST = tuple("negatives expansions max_length averaged lm_order lm_weight lm_in_training".split())
"""These options are shown behind the others."""
OWN = frozenset(one.name for one in fields(RealizationSettings))


def realization_settings(
    module: str, of: SettingsClass, usually: Json, **constants: str
) -> SettingsClass:
    """The settings of a training, of this module: ours and those of the ordering system, some with
    other usual values."""
    types = get_type_hints(of)
    added = [
        (
            one.name,
            types[one.name],
            field(default=usually.get(one.name, one.default), metadata=one.metadata),
        )
        for one in sorted(fields(of), key=lambda one: one.name in LAST)
        if one.name not in {*OWN, *BACK_OFF, "pos", "deps"}
    ]
    namespace = {**constants, "__module__": module}
    bases = (RealizationSettings,)
    return make_dataclass("Settings", added, bases=bases, namespace=namespace, frozen=True)


@dataclass(repr=False)
class RealizationModel(Realizer):
    """A trained realizer: an inflector, and a model that orders what it offers."""

    ORDERER: ClassVar[str]
    """The name of the ordering system."""

    orderer: Any
    inflector: Inflector
    settings: JsonView = field(default_factory=dict)

    @property
    def known_labels(self) -> tuple[str, ...]:
        """Those that the ordering model knows."""
        own = self.orderer.label_dictionary
        return () if own is None else own.every

    def engine_alone(self, tree: LemmaTree) -> str | None:
        """That of the ordering model for the tree's bag."""
        engine: str | None = self.orderer.engine_alone(self._bag(tree, self.candidates(tree)))
        return engine

    def _found(
        self, tree: LemmaTree, chosen: Json, k: int, engine: str | None, trace: Trace | None
    ) -> Sequence[Realization]:
        forms = self.candidates(tree)
        result: Result = self.orderer.order(
            self._bag(tree, forms), k=k, engine=engine, trace=trace, **chosen
        )
        return [self._read_off(tree, forms, one) for one in result.k_best]

    def _bag(self, tree: LemmaTree, forms: tuple[tuple[str, ...], ...]) -> WordBag:
        return bag_of_lemmas(tree, forms, labels=bool(self.settings["labels"]))

    def candidates(self, tree: LemmaTree) -> tuple[tuple[str, ...], ...]:
        """The forms that the search may take of every node, the most probable first."""
        forms = self.inflector.forms(tree)
        if self.settings["inflection"] == FIRST:
            return tuple(some[:1] for some in forms)
        if self.settings["inflection"] == JOINT and self.inflector.english:
            return left_open(tree, forms)
        return forms

    def _read_off(
        self, tree: LemmaTree, forms: Sequence[Sequence[str]], result: Result
    ) -> Realization:
        used = [some[0] for some in forms]
        for node, unit in zip(result.order, result.units, strict=True):
            used[node] = " ".join(unit)
        return self._sentence(with_all(tree, result.order), used, result.score, result)

    # --- its settings and its file ------------------------------------------------------------

    def usual_search(self) -> Json:
        """The settings of a search of which nothing is said: the ordering model's."""
        usual: Json = self.orderer.usual_search()
        return usual

    def search_settings(self, **given: object) -> Json:
        """All settings of a search. Raises ``ValueError`` as the ordering model does."""
        chosen: Json = self.orderer.search_settings(**given)
        return chosen

    def unshared(self) -> Self:
        """The same model without the rooms that a decoder works in."""
        return replace(self, orderer=self.orderer.unshared())

    def header(self) -> Json:
        """The ordering model's header and settings, and the inflector's counts."""
        orderer = {"system": self.orderer.system, "settings": dict(self.orderer.settings)}
        return {
            "orderer": {**orderer, **self.orderer.header()},
            "inflector": inflector_part(self.inflector),
        }

    def arrays(self) -> dict[str, np.ndarray]:
        """The ordering model's."""
        arrays: dict[str, np.ndarray] = self.orderer.arrays()
        return arrays

    @classmethod
    def of_parts(cls, header: JsonView, arrays: Mapping[str, np.ndarray]) -> Self:
        """The model of a whole file. Raises ``ValueError`` where its parts do not fit together."""
        orderer = find(cls.ORDERER).model.of_parts(header["orderer"], arrays)
        settings = dict(header["settings"])
        check_flags(settings, "labels", "capitals")
        if settings["inflection"] not in INFLECTIONS:
            raise ValueError("its setting inflection is unknown")
        return cls(orderer, inflector_of_part(header["inflector"]), settings)


def with_all(tree: LemmaTree, order: Sequence[int]) -> tuple[int, ...]:
    """An order with the nodes that it lacks: each behind its head, heads before dependents."""
    full = list(order)
    todo = [tree.root]
    for node in todo:  # it grows while it is read
        todo.extend(tree.dependents[node])
        if node not in full:
            head = tree.nodes[node].head
            full.insert(full.index(head) + 1 if head in full else 0, node)
    return tuple(full)


# --- training -----------------------------------------------------------------------------------


def learn_realizer(
    model: type[RealizationModel],
    trees: Sequence[LemmaTree],
    settings: RealizationSettings,
    options: TrainingOptions,
) -> RealizationModel:
    """Learn to order the bags of trees that know their words and places, or their references.
    Raises ``ValueError`` where no tree can be learned from, and as the ordering system does."""
    made = realization_examples(
        trees, **{name: getattr(settings, name) for name in OF_THE_EXAMPLES}
    )
    chosen = {**asdict(settings), "templates": settings.ordering()["templates"]}
    about = {**(options.about or {}), **chosen, **made.numbers}

    def whole(part: Any) -> RealizationModel:
        return model(part, made.inflector, about)

    def tell(epoch: int, moment: Moment[Any]) -> object:
        assert options.on_epoch is not None
        of_all = Moment(lambda: whole(moment()), moment.seconds, moment.numbers)
        return of_all.tell(options.on_epoch, epoch)

    on_epoch = options.on_epoch and tell
    of_order = replace(options, about=None, on_epoch=on_epoch, system=model.ORDERER)
    learn = cast(LearnWithOptions, find(model.ORDERER).learn)
    return whole(learn(made.examples, settings.of_orderer(), of_order))
