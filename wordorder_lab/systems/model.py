"""What the models of all systems have in common: their file, their settings, their engine.

A system says what its own part of the file is (``header``, ``arrays``, ``of_parts``), which
settings its search has (``Search``), and how it searches.
"""

from __future__ import annotations

import importlib.util
import os
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Sized
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain, combinations, islice
from numbers import Integral
from pathlib import Path
from typing import Any, ClassVar, Self, TypeVar

import numpy as np

from wordorder_lab.models import file_parts as parts
from wordorder_lab.models.file_parts import Json, JsonView
from wordorder_lab.models.model_file import ModelError, load_arrays, save_arrays, versions
from wordorder_lab.models.tag_dictionary import LabelDictionary, TagDictionary, lookup_by_class
from wordorder_lab.models.word_classes import WordClasses
from wordorder_lab.structures.arguments import checks_arguments
from wordorder_lab.structures.bag import WordBag
from wordorder_lab.structures.messages import MOST_HYPOTHESES, brief, cited
from wordorder_lab.structures.problem import Item, Labels, Lexicon, Lookup, OrderingProblem
from wordorder_lab.structures.reasons import Explain, Reasons
from wordorder_lab.structures.result import Result
from wordorder_lab.structures.trace import Event, Trace
from wordorder_lab.structures.trees import DependencyTree, known_labels
from wordorder_lab.structures.typed_bag import as_bag
from wordorder_lab.systems.setting import SettingsClass, refuse_unknown, settings_of
from wordorder_lab.trace.log import EventLog

Templates = TypeVar("Templates", bound=Sized)

ENGINES = ("reference", "fast")
"""The first is there to be read, the second to be used."""

Words = WordBag | Sequence[str | tuple[str, ...]] | str
"""What is ordered: a bag, or what ``as_bag`` makes one of, a list of words or a typed line."""


@dataclass(frozen=True)
class NoSettings:
    """A search without any."""


class TrainedModel(ABC):
    """A trained model of one of ``SYSTEMS``: a dataclass that may be saved and loaded.

    ``system`` is the name it was trained by, ``settings`` are those of its training. Buffers of a
    decoder are fields with ``init=False``, so that ``unshared`` makes new ones.
    """

    SYSTEMS: ClassVar[tuple[str, ...]]
    """The systems whose files this class reads."""
    WHOLE: ClassVar[str] = "values"
    """The array that a model has and a checkpoint has not."""
    HAS_STEPS: ClassVar[bool] = True
    """Whether there is a search that a trace can follow."""
    LEARNED: ClassVar[str] = "sentences"
    """What it was trained on, as its settings count them."""
    Search: ClassVar[SettingsClass] = NoSettings
    """The settings of its search, a dataclass of ``setting``."""

    system: str
    settings: JsonView

    def __init_subclass__(cls, **more: object) -> None:
        super().__init_subclass__(**more)
        if len(own := vars(cls).get("SYSTEMS", ())) == 1:
            cls.system = own[0]

    def __repr__(self) -> str:
        try:
            return f"<{type(self).__name__} {self.system}: trained{self._training()}>"
        except Exception:  # half made, or settings that a package of somebody's own has filled in
            return f"<{type(self).__name__}, not whole>"

    def _training(self) -> str:
        settings, of = self.settings, self.LEARNED
        units = f" ({settings['units']})" if "units" in settings else ""
        corpus = f" on {settings['corpus']}{units}" if "corpus" in settings else ""
        examples = f", {settings[of]:,} {of}" if of in settings else ""
        epochs = f", {settings['epochs']} epochs" if "epochs" in settings else ""
        return f"{corpus}{examples}{epochs}"

    def unshared(self) -> Self:
        """The same model without the buffers of a decoder, which are one run's."""
        return replace(self)  # type: ignore[type-var]  # the dataclasses are below it

    @property
    def epoch_numbers(self) -> Json:
        """What there is to say about its training when an epoch is told."""
        return {}

    # --- the settings of a search -----------------------------------------------------------

    def usual_search(self) -> Json:
        """The settings of a search of which nothing is said: as in training, or the defaults."""
        return {
            one.name: self.settings.get(one.name, one.default)
            if one.about.as_trained
            else one.default
            for one in settings_of(self.Search)
        }

    def search_settings(self, **given: Any) -> dict[str, Any]:
        """All settings of a search: those given, and the usual ones where ``None`` is given.

        Raises ``ValueError`` for one that there is not, or that cannot be.
        """
        usual = self.usual_search()
        given = {name: value for name, value in given.items() if value is not None}
        if given:
            refuse_unknown(given, list(usual), self.system, "in its search")
            for one in settings_of(self.Search):
                if one.name in given:
                    one.check(given[one.name])
        chosen = usual | given
        self.check_search(chosen)
        return chosen

    def check_search(self, chosen: Json) -> None:  # noqa: B027  (mostly nothing)
        """Raise ``ValueError`` for settings that do not go together."""

    def _refuse_trace(self, trace: Trace | None) -> None:
        if trace is not None and not self.HAS_STEPS:
            raise ValueError(f"{self.system} has no steps to watch: leave the trace out")

    # --- the model file ---------------------------------------------------------------------

    @abstractmethod
    def header(self) -> Json:
        """What its file says beside system, settings and versions."""

    @abstractmethod
    def arrays(self) -> dict[str, np.ndarray]:
        """The arrays of its file, by name; each of numbers or true and false, of any shape.

        What counts for one is told in the model file's reference. ``WHOLE`` names one of them.
        """

    @classmethod
    @abstractmethod
    def of_parts(cls, header: Mapping[str, Any], arrays: Mapping[str, np.ndarray]) -> Self:
        """The model of a whole file: of what ``header`` and ``arrays`` gave when it was saved.

        The file may be anybody's, so nothing in ``arrays`` is trusted: neither shapes nor whether
        indices lie between 0 and the number of what they point to. Raises ``ValueError`` or the
        like where something is wrong.
        """

    @checks_arguments
    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the model file, atomically; the same model gives the same bytes."""
        common = {"system": self.system, "settings": dict(self.settings), "versions": versions()}
        save_arrays(path, {**common, **self.header()}, self.arrays())

    @classmethod
    @checks_arguments
    def load(cls, path: str | os.PathLike[str]) -> Self:
        """Read a model file. Raises ``ModelError`` if it is damaged, foreign or a checkpoint."""
        return cls.of_file(path, *load_arrays(Path(path)))

    @classmethod
    def of_file(
        cls, path: str | os.PathLike[str], header: Json, arrays: dict[str, np.ndarray]
    ) -> Self:
        """The model of a file: its ``header``, and ``arrays`` of scores or counts by their names.

        Raises ``ModelError`` as ``load``.
        """
        system = header.get("system", "no model")
        if system not in cls.SYSTEMS or cls.WHOLE not in arrays:
            there = brief(system)
            raise ModelError(f"{path} holds {there}, not a {' or '.join(cls.SYSTEMS)} model")
        try:
            check_settings(header["settings"])
            model = cls.of_parts(header, arrays)
            model.search_settings(**model.usual_search())
        except parts.WRONG_PARTS as error:
            raise ModelError(
                f"{path} is not a whole {system} model ({brief(error)}): train it again"
            ) from None
        return model


class SearchingModel(TrainedModel):
    """A model with a search of its own; ``_run`` is the decoder."""

    @property
    def search(self) -> Callable[..., Any]:
        """``search(problem, *, k=1, engine=None, trace=None, **search)``, the decoder alone.

        ``problem`` makes ready what it takes. Raises ``ValueError`` for a setting or a ``k`` that
        cannot be, for an unknown engine, and for a trace where there are no steps.
        """
        return self._searched

    def _searched(
        self,
        problem: Any,
        *,
        k: int = 1,
        engine: str | None = None,
        trace: Trace | None = None,
        **search: Any,
    ) -> Any:
        chosen = self._chosen(search)
        if not isinstance(k, Integral) or k < 1:
            raise ValueError(f"k ({cited(k)}) is a whole number from 1 up")
        self._refuse_trace(trace)
        found = self._run(problem, chosen, k, choose_engine(engine), trace)
        if isinstance(trace, EventLog):
            trace.explained(partial(self._reasons, problem, chosen))
        return found

    def reasons(self, given: Any, **search: Any) -> Explain:
        """What tells why the items of a log score what they do: ``wl.to_html(log, path, why=...)``.

        For a log that was saved and loaded; one that has just been recorded knows it itself,
        ``why=True``. ``given`` is the bag or tree of the search, ``search`` its settings. Raises
        ``ValueError`` as the search does.
        """
        return partial(self._reasons, self.problem(given), self._chosen(search))

    def problem(self, given: Any) -> Any:
        """What is given, made ready for the search."""
        raise NotImplementedError

    def _reasons(self, _problem: Any, _chosen: Json, _events: Sequence[Event]) -> Reasons | None:
        """The reasons of a search with these settings; ``None``: the system has none."""
        return None

    def _chosen(self, given: JsonView) -> Json:
        """All settings of one search."""
        return self.search_settings(**given)

    @abstractmethod
    def _run(self, problem: Any, chosen: Json, k: int, engine: str, trace: Trace | None) -> Any:
        """The search with all its settings."""


# --- the parts of a header that several systems have ----------------------------------------

TEXTS = ("corpus", "units", "templates", "update", "chart", "negatives", "signature", "features")
COUNTS = ("epochs", "sentences", "pairs")
SHARES = ("pos", "deps")
"""Settings by what their values are, in every system."""


def check_settings(settings: object) -> None:
    """Raise ``ValueError`` for settings of which another program could not make sense."""
    if not isinstance(settings, dict):
        raise ValueError("its settings are no table")
    for name, value in settings.items():
        setting = f"its setting {name}"
        if name in TEXTS:
            parts.texts([value], setting)
        elif name in COUNTS:
            parts.whole(value, setting)
        elif name in SHARES and not 0 <= parts.number(value, setting) <= 1:
            raise ValueError(f"{setting} is not between 0 and 1")
        elif name == "seed":
            parts.whole(value, setting, -parts.LARGEST)


def check_beam(settings: JsonView) -> None:
    """Raise ``ValueError`` for a beam of the training that no search could have."""
    parts.whole(settings.get("beam", 1), "the beam of its training", 1, MOST_HYPOTHESES)


def check_flags(settings: JsonView, *names: str) -> None:
    """Raise ``ValueError`` for settings of these names that are neither true nor false."""
    for name in names:
        if not isinstance(settings[name], bool):
            raise ValueError(f"its setting {name} is neither true nor false")


MOST_TIES = 10
"""Of the sentences that score the same as an output, so many are told."""

MOST_TEMPLATES = 4_096
"""Printed tables have less than a hundred; a search has room for what each of them finds."""


def templates_part(name: str, text: str) -> dict[str, str]:
    """What a header says of templates of this name and file; ``templates_of`` reads it."""
    return {"name": name, "text": text}


def templates_of(header: JsonView, parse: Callable[[str, str], Templates]) -> Templates:
    """The templates of a header, as ``parse`` reads them; ``ValueError`` for none or too many."""
    text, name = (header["templates"][key] for key in ("text", "name"))
    templates = parse(*parts.texts([text, name], "the templates"))
    parts.whole(len(templates), "the number of templates", 1, MOST_TEMPLATES)
    return templates


def words_of(header: JsonView) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The words and tags that a header numbers. Raises ``ValueError`` unless they are sorted."""
    return parts.sorted_texts(header["words"], "words"), parts.sorted_texts(header["tags"], "tags")


def labels_of(header: JsonView) -> LabelDictionary | None:
    """The labels by tag in a header, where there are any. Raises ``ValueError`` as its reader."""
    if "labels" not in header:
        return None
    return LabelDictionary.from_entries(parts.rows(header["labels"], "the labels by tag"))


def dictionary_of(header: JsonView) -> TagDictionary:
    """The dictionary of tags in a header. Raises ``ValueError`` for one that is none, or empty."""
    rows = parts.rows(header["dictionary"], "the dictionary of tags")
    dictionary = TagDictionary.from_entries(rows)
    if not dictionary.tags:
        raise ValueError("the dictionary of tags is empty")
    return dictionary


# --- models that order words ----------------------------------------------------------------


class OrderingModel(SearchingModel):
    """What whoever orders bags may ask of a model, whichever of ``SYSTEMS`` it is of.

    ``dictionary`` has the tags of words. ``order`` and ``search`` take the settings of a search by
    name, those that ``search_settings`` gives; ``search`` is the decoder alone.

    Threads may share a model: each order works in arrays of its own (``BufferPool``), and gives
    what it gives alone. They take turns, since Python does: for speed use processes, as
    ``evaluate --jobs`` does. An order never sees weights that are being learned.
    """

    FINDS_DERIVATIONS: ClassVar[bool] = False
    """Whether several of the k best that its search finds may be one output."""

    SHORT: ClassVar[int] = 0
    """At most so many items of a bag, a unit with a tag each, the reference engine orders in the
    time in which numba and its kernels are loaded."""

    dictionary: TagDictionary
    classes: WordClasses | None = None
    """What stands in features for words that training saw seldom or never; ``None``: nothing."""

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
        settings of the search, ``trace`` is told its events and at the end the result's ``doubts``,
        if it has any. Whatever the bag gives, the output contains; tags that training never saw
        carry no information (``unknown_tags``).

        Raises ``ValueError`` for a bag that cannot be ordered with what is given, for a setting or
        ``k`` that cannot be, and for an unknown engine; ``TypeError`` for what is no bag.
        """
        bag = as_bag(bag)
        problem = self.problem(bag)
        self._begin(bag, problem, trace)
        asked = MOST_HYPOTHESES if self.FINDS_DERIVATIONS and k > 1 else k
        found = self._searched(problem, k=asked, engine=engine, trace=trace, **search)
        results = tuple(islice(self._results(bag, problem, found), k))
        best = self._with_doubts(bag, problem, self._listed(bag, results, found))
        if trace is not None and best.doubts:
            trace.doubts(best.doubts, [*best.unknown], [*best.ties])
        return best

    def engine_alone(self, bag: Words) -> str | None:
        """The engine for a bag after which the process ends: "reference" for a short one, since it
        has nothing to compile; ``None``: the usual one. Both give the same. Raises as ``order`` for
        a bag that cannot be ordered."""
        short = self.SHORT and len(self.problem(bag).items) <= self.SHORT
        return "reference" if short else None

    def _with_doubts(self, bag: WordBag, problem: OrderingProblem, best: Result) -> Result:
        """The output with what the model does not know of it."""
        unknown = self._unknown(bag)
        ties = tuple(islice(self._ties(problem, best, unknown), MOST_TIES))
        return replace(best, unknown=unknown, ties=ties) if unknown or ties else best

    def _ties(
        self, problem: OrderingProblem, best: Result, unknown: Sequence[str]
    ) -> Iterator[str]:
        """The output with two units in each other's places that the model cannot tell apart: such
        have no features of their own, or those of a class."""
        given, looks, forms = problem.given, dict[int, list[object]](), dict[int, set[object]]()
        bound = {head for head in given.heads if head is not None} | set(chain(*given.before))
        for item in problem.items:
            kind = item.type
            strange = " ".join(item.unit) in unknown or item.word != item.unit[-1]
            if strange and given.heads[kind] is None and not given.before[kind]:
                looks.setdefault(kind, []).append(self._look(item))
                forms.setdefault(kind, set()).add(item.unit)
        alone = [kind for kind in looks if kind not in bound and len(forms[kind]) == 1]
        if len(alone) < 2:
            return
        types = {unit: kind for kind in alone for unit in problem.units[kind]}
        places = [(i, types[unit]) for i, unit in enumerate(best.order) if unit in types]
        for (i, one), (j, other) in combinations(places, 2):
            if one != other and looks[one] == looks[other]:
                units = list(best.units)
                units[i], units[j] = units[j], units[i]
                yield " ".join(word for unit in units for word in unit)

    def _look(self, item: Item) -> object:
        """What the model sees of an item; two alike are told apart by nothing."""
        word = item.word if item.word in self.dictionary.words else ""
        return word, item.pos, item.category, item.label, len(item.unit)

    def _listed(self, _bag: WordBag, results: tuple[Result, ...], _found: Any) -> Result:
        """The best output, with all of them."""
        return replace(results[0], k_best=results)

    def _begin(self, bag: WordBag, problem: OrderingProblem, trace: Trace | None) -> None:
        """Tell a trace what a search on the problem does not know of the bag."""

    @abstractmethod
    def _results(self, bag: WordBag, problem: OrderingProblem, found: Any) -> Iterable[Result]:
        """The outputs, best first, of what the search has found."""

    def problem(self, bag: Words) -> OrderingProblem:
        """A bag made ready for the search. Raises ``ValueError`` for one that cannot be ordered."""
        bag = as_bag(bag)
        if not self.reads_tags:
            return OrderingProblem.of(replace(bag, pos=None), lambda _: ("",))
        lookup: Lookup = self.dictionary.lookup
        if self.classes is not None:
            lookup = lookup_by_class(self.dictionary, self.classes)
        return OrderingProblem.of(bag, lookup, self.lexicon, self.labels, self.classes)

    def usual_search(self) -> Json:
        """Those of which nothing is said; a weight of n-grams where there are any."""
        usual = super().usual_search()
        if getattr(self, "ngrams", self) is None:
            usual.pop("lm_weight", None)
        return usual

    @property
    def labels(self) -> Labels | None:
        """What looks up the labels of arcs that are given none, where the model knows labels."""
        own = getattr(self, "label_dictionary", None)
        return None if own is None else own.labels

    @property
    def lexicon(self) -> Lexicon | None:
        """What looks up the lexical categories of words, where the grammar has any."""
        return None

    @property
    def reads_tags(self) -> bool:
        """Whether the tags of a bag make a difference."""
        return True

    def unknown_words(self, bag: Words) -> tuple[str, ...]:
        """The units of a bag of which training saw no form, by their last word, sorted."""
        return self._unknown(as_bag(bag))

    def _unknown(self, bag: WordBag) -> tuple[str, ...]:
        plain, seen = str if self.classes is None else self.classes.plain, self.dictionary.words
        new = [kind for kind in bag.unit_types if plain(kind.words[-1]) not in seen]
        new = [kind for kind in new if not any(plain(form[-1]) in seen for form in kind.others)]
        return tuple(sorted([" ".join(kind.words) for kind in new]))

    def unknown_tags(self, bag: Words) -> list[str]:
        """The tags of a bag that training never saw, sorted; none where tags do not count."""
        tags = {tag for tag in as_bag(bag).pos or () if tag and self.reads_tags}
        return sorted(tags - set(self.dictionary.word_tags))


def result_of(
    items: Sequence[Item],
    order: Sequence[int],
    heads: Sequence[int],
    score: float,
    actions: Sequence[str] = (),
    counters: Mapping[str, int] | None = None,
) -> Result:
    """An output: its items from left to right, their units in the bag, and the tree over them."""
    units, forms = tuple([item.unit for item in items]), tuple([item.form for item in items])
    tags, labels = tuple([item.pos for item in items]), known_labels([item.label for item in items])
    tree = DependencyTree(forms, tags, tuple(heads), labels)
    return Result(units, tuple(order), tree, score, tuple(actions), counters=counters or {})


def flat_result(
    bag: WordBag, order: Sequence[int], tags: Sequence[str], score: float, actions: Sequence[str]
) -> Result:
    """An output without a tree; ``tags`` are those of words to which the bag gives none."""
    given = bag.pos or (None,) * len(bag)
    shown = tuple([given[i] or tag for i, tag in zip(order, tags, strict=True)])
    tree = DependencyTree(tuple(map(bag.form, order)), shown, (-1,) * len(order))
    return Result(
        tuple([tuple(bag.words[i]) for i in order]), tuple(order), tree, score, tuple(actions)
    )


@checks_arguments
def choose_engine(engine: str | None = None) -> str:
    """The engine asked for; by default "fast" where numba is installed, else "reference". Raises
    ``ValueError`` for another name, and for "fast" where numba is missing."""
    has_numba = importlib.util.find_spec("numba") is not None
    if engine is None:
        return "fast" if has_numba else "reference"
    if engine not in ENGINES:
        raise ValueError(f"no engine {cited(engine)}; there are {' and '.join(ENGINES)}")
    if engine == "fast" and not has_numba:
        raise ValueError("the fast engine needs numba: pip install numba, or engine='reference'")
    return engine
