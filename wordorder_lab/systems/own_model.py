"""``OwnModel``: a model that orders words and has little more than a search of its own.

What goes in, what comes out, and what is said about bad input is the same for all of them; the
output of a search is held against the bag before anybody sees it.
"""

from __future__ import annotations

import math
import operator
from abc import abstractmethod
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, make_dataclass, replace
from typing import Any, ClassVar, NamedTuple

from wordorder_lab.models.file_parts import Json
from wordorder_lab.models.tag_dictionary import TagDictionary
from wordorder_lab.runtime.entry_points import SYSTEMS as GROUP
from wordorder_lab.runtime.entry_points import does_not_fit
from wordorder_lab.structures.arguments import checks_arguments
from wordorder_lab.structures.bag import WordBag
from wordorder_lab.structures.messages import cited
from wordorder_lab.structures.problem import OrderingProblem
from wordorder_lab.structures.result import Result
from wordorder_lab.structures.trace import Trace
from wordorder_lab.systems.model import OrderingModel, Words, flat_result


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
class OwnModel(OrderingModel):
    """The model of a system of one's own: a dataclass below this one, with fields of its own.

    Its class says ``SYSTEMS``, the names that it may have, and ``WHOLE``, one of its arrays;
    ``SEARCH`` are the settings of its search with their usual values, or ``Search`` a dataclass of
    them (``setting``). It has the method ``search``, and for its file ``header``, ``arrays`` and
    ``of_parts`` (``TrainedModel``). ``settings`` are filled in by ``System.train``; ``system`` is
    its name, ``dictionary`` has the tags of words.
    """

    SEARCH: ClassVar[Mapping[str, Any]] = {}
    READS_TAGS: ClassVar[bool] = True
    """Whether the tags of a bag make a difference; without them, equal words are one type."""
    HEEDS_GIVEN: ClassVar[bool] = False
    """Whether it heeds the heads and orders of a bag; if not, a bag with any is refused."""

    dictionary: TagDictionary
    settings: Mapping[str, Any] = field(default_factory=dict, kw_only=True)

    def __init_subclass__(cls, **more: object) -> None:
        super().__init_subclass__(**more)
        if "SYSTEMS" in vars(cls):  # of several names the first, until training says which
            cls.system = cls.SYSTEMS[0]
        if "SEARCH" in vars(cls):
            usual = [(name, type(value), value) for name, value in cls.SEARCH.items()]
            cls.Search = make_dataclass("Search", usual, frozen=True)

    @abstractmethod
    def search(
        self, problem: OrderingProblem, *, k: int, engine: str, trace: Trace | None, **search: Any
    ) -> Sequence[Found]:
        """The decoder: the best orders that it finds, best first, at least one, at most ``k``.
        ``search`` are all of ``SEARCH``, by name. Each order takes of every type of the problem as
        many items as there are units of it (``problem.counts``). Ties are for it to break: by the
        order of items, never by that of a dict or set."""

    @checks_arguments
    def problem(self, bag: Words) -> OrderingProblem:
        """A bag made ready for ``search``. Raises ``ValueError`` for alternatives, and for heads or
        orders that it would not heed."""
        problem = super().problem(bag)
        problem.refuse_alternatives(self.system)
        if problem.given.anything and not self.HEEDS_GIVEN:
            raise ValueError(f"{self.system} takes no heads and no orders: leave them out")
        return problem

    def _run(self, problem: Any, chosen: Json, k: int, engine: str, trace: Trace | None) -> Any:
        found = self.search(problem, k=k, engine=engine, trace=trace, **chosen)
        if not found:
            raise self._wrong("found no order, where it gives at least one")
        return found

    def _results(
        self, bag: WordBag, problem: OrderingProblem, found: Sequence[Found]
    ) -> Iterator[Result]:
        return (self._result(bag, problem, one) for one in found)

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
        order = [next(left[item.type]) for item in items]
        tags, forms = [item.pos for item in items], [item.form for item in items]
        result = flat_result(bag, order, tags, float(found.score), forms)
        return replace(result, stopped=found.stopped, counters=dict(found.counters))

    def _wrong(self, what: str) -> ValueError:
        return does_not_fit(GROUP, self.system, f"its search {what}")

    @property
    def reads_tags(self) -> bool:
        """Whether the tags of a bag make a difference: ``READS_TAGS``."""
        return self.READS_TAGS

    def header(self) -> dict[str, Any]:
        """What its file says beside its arrays, as JSON has it: here the tags of words."""
        return {"dictionary": self.dictionary.entries()}
