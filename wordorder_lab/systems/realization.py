"""Surface realisation: from a tree of lemmas, in no order, to a sentence.

Zhang & Clark (2015), section 5.7: candidate forms of every lemma go into a bag, the forms of one
lemma excluding each other, with the tree as constraints; a search over bags orders them, and
settles which form is used as it goes. Which search that is, a system says
(``liu_2015_realization``, ``zhang_clark_2015_realization``); here is what they share.

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
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from importlib import import_module
from typing import Any, ClassVar, Self

import numpy as np

from wordorder_lab.inflection.candidates import Inflector
from wordorder_lab.inflection.kept_inflector import inflector_of_part, inflector_part
from wordorder_lab.inflection.left_open import left_open
from wordorder_lab.structures.lemma_tree import LemmaTree, bag_of_lemmas
from wordorder_lab.structures.messages import cited
from wordorder_lab.structures.result import Realization, Result
from wordorder_lab.structures.trace import Trace
from wordorder_lab.systems.names import FILES, ORDERED_BY
from wordorder_lab.systems.realization_examples import (
    FIRST,
    INFLECTIONS,
    JOINT,
    realization_examples,
)
from wordorder_lab.systems.realizer import Realizer, check_wanted
from wordorder_lab.systems.training_run import Moment, OnEpoch

OF_THE_EXAMPLES = ("inflection", "labels", "lift", "folds", "english", "seed")
"""Settings that say what is learned from."""


@dataclass(frozen=True)
class RealizationSettings:
    """What a training depends on beside the ordering system's own settings.

    ``inflection``: the search chooses the forms that the tree leaves open (``"joint"``; without
    ``english`` as ``"all"``), all that have several candidates (``"all"``), or takes each first one
    (``"first"``).
    ``labels``: whether the labels of arcs are looked at. ``lift``: learn from trees with crossing
    arcs too, lifted. ``folds``: an inflector's candidates are those of the others of so many parts.
    ``english``: rules and lists stand behind what was counted. ``capitals``: the first word of an
    output gets one.
    """

    LABELLED: ClassVar[str]
    PLAIN: ClassVar[str]
    """The template file that is used unless another is named, with labels and without."""

    inflection: str = JOINT
    labels: bool = True
    lift: bool = True
    folds: int = 5
    english: bool = True
    capitals: bool = True
    seed: int = 1

    def check(self) -> None:
        """Raise ``ValueError`` for a setting that cannot be."""
        if self.inflection not in INFLECTIONS:
            there = " and ".join(map(repr, INFLECTIONS))
            raise ValueError(f"no inflection {cited(self.inflection)}; there are {there}")
        if not isinstance(self.folds, int) or not 1 <= self.folds <= MOST_FOLDS:
            raise ValueError(
                f"folds ({cited(self.folds)}) are a whole number from 1 to {MOST_FOLDS}"
            )

    def ordering(self) -> dict[str, Any]:
        """The settings that are those of the ordering system."""
        common = RealizationSettings.__dataclass_fields__
        own = {name: value for name, value in asdict(self).items() if name not in common}
        templates = own["templates"] or (self.LABELLED if self.labels else self.PLAIN)
        return {**own, "templates": templates, "labels": self.labels, "seed": self.seed}


MOST_FOLDS = 100


@dataclass(repr=False)
class RealizationModel(Realizer):
    """A trained realiser: an inflector, and a model that orders what it offers."""

    orderer: Any
    inflector: Inflector
    settings: Mapping[str, Any] = field(default_factory=dict)

    def realizations(
        self,
        tree: LemmaTree,
        *,
        k: int = 1,
        engine: str | None = None,
        trace: Trace | None = None,
        **search: Any,
    ) -> tuple[Realization, ...]:
        """The ``k`` best, or as many as the search has; ``search`` are settings of the ordering
        model's search. A tag, a label or a feature that training never saw carries no information.

        Raises ``ValueError`` for a tree that is none, or too large, and for a setting that cannot
        be; ``TypeError`` for what is no ``LemmaTree``.
        """
        check_wanted(tree, k)
        self.search_settings(**search)
        forms = self.candidates(tree)
        bag = bag_of_lemmas(tree, forms, labels=bool(self.settings["labels"]))
        result: Result = self.orderer.order(bag, k=k, engine=engine, trace=trace, **search)
        return tuple(self._sentence(tree, forms, one) for one in result.k_best)

    def candidates(self, tree: LemmaTree) -> tuple[tuple[str, ...], ...]:
        """The forms that the search may take of every node, the most probable first."""
        forms = self.inflector.forms(tree)
        if self.settings["inflection"] == FIRST:
            return tuple(some[:1] for some in forms)
        if self.settings["inflection"] == JOINT and self.inflector.english:
            return left_open(tree, forms)
        return forms

    def _sentence(
        self, tree: LemmaTree, forms: Sequence[Sequence[str]], result: Result
    ) -> Realization:
        used = [some[0] for some in forms]
        for node, unit in zip(result.order, result.units, strict=True):
            used[node] = " ".join(unit)
        order = with_all(tree, result.order)
        words = [word for node in order for word in used[node].split()]
        if self.settings["capitals"]:
            words[0] = with_capital(words[0])
        return Realization(tuple(words), order, tuple(used), result.score, result)

    # --- its settings and its file ------------------------------------------------------------

    def usual_search(self) -> dict[str, Any]:
        """The settings of a search of which nothing is said: the ordering model's."""
        usual: dict[str, Any] = self.orderer.usual_search()
        return usual

    def search_settings(self, **given: Any) -> dict[str, Any]:
        """All settings of a search. Raises ``ValueError`` as the ordering model does."""
        chosen: dict[str, Any] = self.orderer.search_settings(**given)
        return chosen

    def unshared(self) -> Self:
        """The same model without the rooms that a decoder works in."""
        return replace(self, orderer=self.orderer.unshared())

    def header(self) -> dict[str, Any]:
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
    def of_parts(cls, header: Mapping[str, Any], arrays: Mapping[str, np.ndarray]) -> Self:
        """The model of a whole file. Raises ``ValueError`` where its parts do not fit together."""
        orderer = _orderer_class(header["system"]).of_parts(header["orderer"], arrays)
        settings = dict(header["settings"])
        for name in ("labels", "capitals"):
            if not isinstance(settings[name], bool):
                raise ValueError(f"its setting {name} is neither true nor false")
        if settings["inflection"] not in INFLECTIONS:
            raise ValueError("its setting inflection is unknown")
        return cls(orderer, inflector_of_part(header["inflector"]), settings)


def _orderer_class(system: str) -> Any:
    file, name = FILES[ORDERED_BY[system]]
    return getattr(import_module(f"wordorder_lab.systems.{file}"), name)


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


def with_capital(word: str) -> str:
    """The word as it begins a sentence."""
    return word[:1].upper() + word[1:] if word[:1].isalpha() else word


# --- training -----------------------------------------------------------------------------------


def train_realizer(
    model: type[RealizationModel],
    learn: Callable[..., Any],
    kind: type[RealizationSettings],
    trees: Sequence[LemmaTree],
    given: Mapping[str, Any],
) -> RealizationModel:
    """Learn to order the bags of trees; ``learn`` is the ordering system's training.

    ``given`` are settings, fields of ``kind``, and what ``learn`` takes beside its own. Raises
    ``ValueError`` where no tree can be learned from, for impossible settings, and as ``learn``.
    """
    names = {setting.name for setting in fields(kind)}
    settings = kind(**{name: value for name, value in given.items() if name in names})
    settings.check()
    how = {name: value for name, value in given.items() if name not in names}
    made = realization_examples(
        trees, **{name: getattr(settings, name) for name in OF_THE_EXAMPLES}
    )
    chosen = {**asdict(settings), "templates": settings.ordering()["templates"]}
    about = {**(how.pop("about", None) or {}), **chosen, **made.numbers()}

    def whole(orderer: Any) -> RealizationModel:
        """The realiser around an ordering model, trained or half trained."""
        return model(orderer, made.inflector, about)

    on_epoch = how.pop("on_epoch", None)
    if on_epoch is not None:
        how["on_epoch"] = _telling(on_epoch, whole)
    return whole(learn(made.examples, pos=1, deps=1, **settings.ordering(), **how))


def _telling(
    on_epoch: OnEpoch[RealizationModel], whole: Callable[[Any], RealizationModel]
) -> OnEpoch[Any]:
    """What the ordering system calls after an epoch, with a moment of the whole model."""

    def tell(epoch: int, moment: Moment[Any]) -> Any:
        """Pass an epoch on, its model made whole only if somebody asks for it."""
        of_all = Moment(lambda: whole(moment()), moment.seconds, moment.numbers)
        return of_all.tell(on_epoch, epoch)

    return tell
