"""A system of one's own, from a package outside this one: what it says, and what it gets for that.

It says four things: a line on what it is, its settings, how it learns, and its model. From then on
``train``, ``evaluate``, ``order``, ``reproduce``, traces and players know it by its name:

    class Model(OwnModel):                      how it orders: search, and what its file holds
    def learn(sentences, settings, ...):        yields a model after each epoch
    SYSTEM = System("Greedy bigrams", Settings, learn, Model)

and in the ``pyproject.toml`` of its package ``greedy-bigrams = "greedy_bigrams:SYSTEM"``, under
``[project.entry-points."wordorder_lab.systems"]``.
"""

from __future__ import annotations

import math
import operator
import os
import time
from abc import abstractmethod
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from typing import Any, ClassVar, NamedTuple, Protocol

from wordorder_lab.models.tag_dictionary import TagDictionary
from wordorder_lab.runtime.entry_points import SYSTEMS as GROUP
from wordorder_lab.runtime.entry_points import does_not_fit, load
from wordorder_lab.runtime.progress import progress_bar
from wordorder_lab.structures.arguments import checks_arguments
from wordorder_lab.structures.bag import WordBag
from wordorder_lab.structures.messages import brief, cited
from wordorder_lab.structures.problem import OrderingProblem
from wordorder_lab.structures.result import Result
from wordorder_lab.structures.sentence import Sentence
from wordorder_lab.structures.trace import Trace
from wordorder_lab.structures.trees import DependencyTree
from wordorder_lab.structures.typed_bag import as_bag
from wordorder_lab.systems.model import DictionaryModel, TrainedModel, Words, choose_engine
from wordorder_lab.systems.names import OURS
from wordorder_lab.systems.training_run import Moment, OnEpoch


class Found(NamedTuple):
    """One output of a search: its score, and the items of the problem from left to right.

    ``score`` is any number that is finite, the higher the better. ``items`` are indices into
    ``OrderingProblem.items``, from 0. ``counters`` say how much work it was, by any names, such as
    how many candidates were scored; ``stopped`` says why the search ended.
    """

    score: float
    items: Sequence[int]
    counters: Mapping[str, int] = {}
    stopped: str = "complete"


@dataclass(repr=False)
class OwnModel(DictionaryModel):
    """The model of a system of one's own: a dataclass below this one, with fields of its own.

    Its class says ``SYSTEMS``, the names that it may have, and ``WHOLE``, one of its arrays;
    ``SEARCH`` are the settings of its search with their usual values. It has the method ``search``,
    and for its file ``header``, ``arrays`` and ``of_parts`` (``TrainedModel``). ``settings`` are
    filled in by ``System.train``; ``system`` is its name, ``dictionary`` has the tags of words.
    """

    SEARCH: ClassVar[Mapping[str, Any]] = {}
    READS_TAGS: ClassVar[bool] = True
    """Whether the tags of a bag make a difference; without them, equal words are one type."""
    HEEDS_GIVEN: ClassVar[bool] = False
    """Whether it heeds the heads and orders of a bag; if not, a bag with any is refused."""

    dictionary: TagDictionary
    settings: Mapping[str, Any] = field(default_factory=dict, kw_only=True)

    def __init_subclass__(cls, **more: Any) -> None:
        super().__init_subclass__(**more)
        if "SYSTEMS" in vars(cls):
            cls.system = cls.SYSTEMS[0]

    @abstractmethod
    def search(
        self, problem: OrderingProblem, *, k: int, engine: str, trace: Trace | None, **search: Any
    ) -> Sequence[Found]:
        """The decoder: the best orders that it finds, best first, at least one, at most ``k``.

        ``search`` are all of ``SEARCH``, by name. Each order takes of every type of the problem as
        many items as there are units of it (``problem.counts``). Ties are for it to break: by the
        order of items, never by that of a dict or set.
        """

    @checks_arguments
    def order(
        self,
        bag: Words,
        *,
        k: int = 1,
        engine: str | None = None,
        trace: Trace | None = None,
        **search: Any,
    ) -> Result:
        """Order a bag, a list of words, or a typed line.

        The result's ``k_best`` lists at most ``k`` outputs, a whole number from 1. ``search`` are
        settings of the search, ``trace`` is told its events.

        Raises ``ValueError`` for a bag that it does not take, a ``k`` below 1, an unknown engine or
        setting, and a search that left units out, used one twice, or gave a score that is no
        number; ``TypeError`` for no bag.
        """
        bag = bag if isinstance(bag, WordBag) else as_bag(bag)
        if k < 1:
            raise ValueError(f"k ({k}) is at least 1")
        problem, how = self.problem(bag), self.search_settings(**search)
        best = self.search(problem, k=k, engine=choose_engine(engine), trace=trace, **how)
        if not best:
            raise self._wrong("found no order, where it gives at least one")
        results = tuple([self._result(bag, problem, found) for found in best[:k]])
        return replace(results[0], k_best=results)

    @checks_arguments
    def problem(self, bag: Words) -> OrderingProblem:
        """A bag made ready for ``search``.

        Raises ``ValueError`` for alternatives, and for heads or orders that it would not heed.
        """
        bag = bag if isinstance(bag, WordBag) else as_bag(bag)
        problem = (
            super().problem(bag)
            if self.reads_tags
            else OrderingProblem.of(replace(bag, pos=None), lambda unit: ("",))
        )
        problem.refuse_alternatives(self.system)
        if problem.given.anything and not self.HEEDS_GIVEN:
            raise ValueError(f"{self.system} takes no heads and no orders: leave them out")
        return problem

    def _result(self, bag: WordBag, problem: OrderingProblem, found: Found) -> Result:
        try:
            finite, taken = math.isfinite(found.score), [operator.index(i) for i in found.items]
        except (TypeError, ValueError, OverflowError):
            raise self._wrong(
                f"gave the score {cited(found.score)} and the items {cited(found.items)}, not a "
                "number that a float can hold and whole numbers"
            ) from None
        if not finite:
            raise self._wrong(f"gave the score {found.score}, which is no number to compare")
        there = len(problem.items)
        if strange := [i for i in taken if i not in range(there)]:
            raise self._wrong(f"took item {cited(strange[0])}, of items 0 to {there - 1}")
        items = [problem.items[i] for i in taken]
        used = Counter(item.type for item in items)
        if used != Counter(dict(enumerate(problem.counts))):
            raise self._wrong(
                f"put {len(items)} units in order, not each of the {problem.size} of the bag once"
            )
        left = [iter(places) for places in problem.units]
        order = tuple([next(left[item.type]) for item in items])
        given = bag.pos or ()
        tags = tuple([(given[i] if given else "") or item.pos for i, item in zip(order, items)])
        return Result(
            units=tuple([tuple(bag.words[i]) for i in order]),
            order=order,
            tree=DependencyTree(tuple(map(bag.form, order)), tags, (-1,) * len(order)),
            score=float(found.score),
            actions=tuple([item.form for item in items]),
            stopped=found.stopped,
            counters=dict(found.counters),
        )

    def _wrong(self, said: str) -> ValueError:
        return does_not_fit(GROUP, self.system, f"its search {said}")

    @property
    def reads_tags(self) -> bool:
        """Whether the tags of a bag make a difference: ``READS_TAGS``."""
        return self.READS_TAGS

    @checks_arguments
    def unknown_tags(self, bag: Words) -> list[str]:
        """The tags of a bag that training never saw, sorted; none where tags do not count."""
        return super().unknown_tags(bag) if self.reads_tags else []

    def search_settings(self, **given: Any) -> dict[str, Any]:
        """All settings of a search: those given, and the usual ones where ``None`` is given.

        Raises ``ValueError`` for one that there is not, or of another type than its usual value.
        """
        how, usual = super().search_settings(**given), self.usual_search()
        for name, value in how.items():
            check_type(name, value, usual[name])
        return how

    def usual_search(self) -> dict[str, Any]:
        """The settings of a search of which nothing is said: ``SEARCH``."""
        return dict(self.SEARCH)

    def header(self) -> dict[str, Any]:
        """What its file says beside its arrays, as JSON has it: here the tags of words."""
        return {"dictionary": self.dictionary.entries()}


class Learn(Protocol):
    """How a system learns."""

    def __call__(
        self, sentences: Sequence[Sentence], settings: Any, *, engine: str, trace: Trace | None
    ) -> Iterator[TrainedModel]:
        """Yield the model after each epoch, or once where learning is counting.

        Learning never changes a model that was yielded. ``trace`` is told what happens.
        """


@dataclass(frozen=True)
class System:
    """A system of one's own: what its entry point names.

    ``says`` is a line on what it is. ``settings`` is a frozen dataclass of plain values, all with
    defaults; if it has a method ``check``, that raises ``ValueError`` for what cannot be.
    ``learn`` is ``Learn``, ``model`` the class of what it yields: an ``OwnModel``, or a model of
    this package below which there is another learner. ``search`` names the settings of its search
    where the model has no ``SEARCH``.
    """

    says: str
    settings: type[Any]
    learn: Learn
    model: type[TrainedModel]
    search: tuple[str, ...] | None = None

    def search_names(self) -> tuple[str, ...]:
        """What the settings of its search are called."""
        return tuple(getattr(self.model, "SEARCH", ())) if self.search is None else self.search

    @checks_arguments
    def checked(self, system: str, given: Mapping[str, Any]) -> Any:
        """All settings of a training, as given and its defaults; ``ValueError`` as ``check``."""
        usual = {one.name: one.default for one in fields(self.settings)}
        try:
            for name, value in given.items():
                check_type(name, value, usual.get(name))
            settings = self.settings(**given)
            getattr(settings, "check", _nothing)()
        except (ValueError, TypeError) as error:
            raise ValueError(f"{system}: {brief(error)}") from error
        return settings

    @checks_arguments
    def train(
        self,
        system: str,
        sentences: Sequence[Sentence],
        *,
        engine: str | None = None,
        checkpoint: str | os.PathLike[str] | None = None,
        about: Mapping[str, Any] | None = None,
        progress: bool = True,
        on_epoch: OnEpoch[Any] | None = None,
        trace: Trace | None = None,
        **given: Any,
    ) -> Any:
        """Learn from sentences; the model of the last epoch.

        ``given`` are settings of the training, ``about`` is what else the model's file shall say of
        it; ``on_epoch`` is called after each epoch. No ``checkpoint`` is written: a training that
        was stopped begins anew. Raises ``ValueError`` for no sentences, settings that cannot be,
        and a learner that yields no model of its class.
        """
        settings = self.checked(system, given)
        if not sentences:
            raise ValueError("there are no sentences to train on")
        said = {**(about or {}), **asdict(settings), "sentences": len(sentences)}
        epochs = self.learn(sentences, settings, engine=choose_engine(engine), trace=trace)
        model, begin = None, time.perf_counter()
        total = getattr(settings, "epochs", 1)
        for epoch, learned in enumerate(
            progress_bar(epochs, wanted=progress, total=total, unit=" epochs"), 1
        ):
            seconds = time.perf_counter() - begin
            model = self._whole(system, learned, said)
            if on_epoch is not None:
                Moment(model.unshared, seconds).tell(on_epoch, epoch)
            begin = time.perf_counter()
        if model is None:
            raise ValueError(f"{system} has learned no model: its learn yields at least one")
        return model

    def _whole(self, system: str, model: Any, said: Mapping[str, Any]) -> Any:
        if not isinstance(model, self.model) or system not in self.model.SYSTEMS:
            raise ValueError(
                f"{system} learned a {type(model).__name__}: it should be a {self.model.__name__}, "
                f"and {cited(system)} one of its SYSTEMS"
            )
        model.settings = {**model.settings, **said}
        return model


def own_system(name: str) -> System:
    """The system that a package brings under this name; raises as ``entry_points.load``."""
    system: System = load(GROUP, name, System, OURS)
    return system


def check_type(name: str, value: Any, usual: Any) -> None:
    """Raise ``ValueError`` for a setting of another type than its usual value, a plain one.

    A whole number is a number, too; where there is no usual value, or ``None``, anything goes.
    """
    kinds = {bool: "true or false", int: "a whole number", float: "a number", str: "a text"}
    kind = type(usual)
    fits = type(value) is kind or (kind is float and type(value) is int)
    if kind in kinds and not fits:
        raise ValueError(f"{name} is {kinds[kind]}, not {cited(value)}")


def _nothing() -> None:
    """Settings without a ``check`` are always right."""
