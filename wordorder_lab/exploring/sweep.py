"""``wl.sweep(model, bag, beam=(1, 4, 16))``: one bag searched again for each value of a setting.

Each run is ``model.order`` (or ``compress``) with that value, bit for bit. Where the reference is
known, the run also tells what became of gold; with sentences for ``dev`` the same values are tried
on all of them, so that one sees whether this bag is typical.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

from wordorder_lab.analysis.gold_score import Asked, judged
from wordorder_lab.analysis.gold_survival import (
    CUT,
    LIMIT,
    OUTSCORED,
    WON,
    GoldFate,
    moment_of_loss,
    ordered,
    with_gold,
)
from wordorder_lab.experiments.runs.compression_evaluate import evaluate_compressions
from wordorder_lab.experiments.runs.evaluate import evaluate
from wordorder_lab.exploring.rows import Explored, Item, Items, explored
from wordorder_lab.structures.arguments import checks_arguments
from wordorder_lab.structures.compression import (
    CompressionPair,
    prepared,
    prepared_pair,
    presented,
)
from wordorder_lab.structures.messages import cited
from wordorder_lab.structures.sentence import Sentence
from wordorder_lab.structures.typed_bag import as_bag
from wordorder_lab.systems.model import TrainedModel
from wordorder_lab.systems.registry import names_of
from wordorder_lab.trace.log import EventLog
from wordorder_lab.widgets.module import SWEEP
from wordorder_lab.widgets.page import OnPage, contents

if TYPE_CHECKING:
    import pandas

Options = Mapping[str, Any]
MOST_VALUES = 16
"""Values of a sweep: each is a row of its page, and a log in it."""
MOST_EVENTS = 400_000
PAGE_EVENTS = 30_000
"""Events of a run that a page holds; a longer search is cut there, with a mark."""
COUNTED = ("expansions", "edges", "candidates", "combinations", "bigrams")
"""Counters that tell what a search costs; the first that a run has stands on the page."""
FATES = {WON: "wins", OUTSCORED: "outscored", CUT: "lost at {lost}", LIMIT: "out of time"}
"""What became of gold, as a row says it."""


@dataclass(frozen=True)
class Run:
    """A search with one ``value`` of the knob: the ``result`` and the ``log`` of its events.

    ``cost`` are the counters of the result. Where the reference is known, ``exact`` says whether it
    came out, ``gold`` what became of it in the search (``analysis/gold_survival``), ``gold_score``
    what the model gives it, and ``fault`` whose fault a wrong output is (``analysis/gold_score``);
    each is ``None`` where that is not known. ``dev`` is the measure of the sweep over the sentences
    that were given for it, 0 to 100. ``seconds``, of a search without a trace, and ``told``, the
    log in which gold is told, do not count when two runs are compared.
    """

    value: object
    result: Any
    log: EventLog = field(repr=False)
    cost: Mapping[str, int]
    exact: bool | None
    gold: GoldFate | None
    gold_score: float | None
    fault: str | None
    dev: float | None
    seconds: float = field(compare=False)
    told: EventLog = field(compare=False, repr=False)

    @property
    def label(self) -> str:
        """The value as it is written."""
        return label(self.value)

    @property
    def fate(self) -> str:
        """What became of gold, in words; empty where it is not known."""
        return "" if self.gold is None else FATES[self.gold.how].format(lost=self.gold.lost)

    @property
    def work(self) -> tuple[str, int] | None:
        """The name of the first of ``COUNTED`` that the search counts, and how many there were."""
        return next(((name, self.cost[name]) for name in COUNTED if name in self.cost), None)


@dataclass(frozen=True, repr=False)
class Sweep(OnPage):
    """What one setting, the ``knob``, does to one bag: a run for each of its values.

    ``bag`` is what was searched, ``reference`` the sentence behind it, if it is known, ``settings``
    are those of the search beside the knob, ``measure`` is what ``Run.dev`` holds. In a notebook
    the sweep shows itself; ``to_html(path)`` writes it as a page.
    """

    system: str
    knob: str
    bag: Any
    runs: tuple[Run, ...]
    reference: str | None
    settings: Mapping[str, object]
    measure: str
    title: str
    entry = SWEEP

    def __repr__(self) -> str:
        values = ", ".join(run.label for run in self.runs)
        return f"<Sweep of {self.system}: {self.knob} {values}>"

    @property
    def frame(self) -> pandas.DataFrame:
        """One row a value: output, score, what became of gold, counters, seconds, dev measure."""
        import pandas

        rows = [
            {
                self.knob: run.value,
                "output": run.result.text,
                "score": float(run.result.score),
                "exact": run.exact,
                "gold": None if run.gold is None else run.gold.how,
                "lost": None if run.gold is None else run.gold.lost or None,
                "gold_score": run.gold_score,
                "fault": run.fault,
                **run.cost,
                "seconds": run.seconds,
                **({} if run.dev is None else {f"dev {self.measure}": run.dev}),
            }
            for run in self.runs
        ]
        return pandas.DataFrame(rows)

    @property
    def says(self) -> str:
        """What the knob does, in a few sentences."""
        outputs, runs = [run.result.text for run in self.runs], self.runs
        said = [f"{_count(len(set(outputs)), 'output')} from {_count(len(runs), 'value')}."]
        if self.reference is not None:
            said.append(f"The reference comes out with {self._with(run.exact for run in runs)}.")
        elif changes := [i for i, (a, b) in enumerate(pairwise(outputs), 1) if a != b]:
            said.append(f"The last change is at {self.knob} {runs[changes[-1]].label}.")
        if any(run.gold for run in runs):
            lost = (run.gold is not None and run.gold.how == CUT for run in runs)
            said.append(f"Gold's tree is lost with {self._with(lost)}.")
        scores = [run.dev for run in runs if run.dev is not None]
        if scores:
            best = self._with(run.dev == max(scores) for run in runs)
            said.append(f"{self.measure} over dev is best with {best} ({max(scores):.1f}).")
        return " ".join(said)

    def _with(self, holds: Iterable[bool | None]) -> str:
        chosen = [run.label for run, yes in zip(self.runs, holds, strict=True) if yes]
        if len(chosen) in (0, len(self.runs)):
            return "all of them" if chosen else "none of them"
        *others, last = chosen
        before = f"{', '.join(others)} and " if others else ""
        return f"{self.knob.replace('_', ' ')} {before}{last}"

    def contents(self) -> dict[str, object]:
        """The same as plain data, with the log of each run to play."""
        last = self.runs[-1].result.text
        reference = last if self.reference is None else self.reference
        return {
            "title": self.title,
            "knob": self.knob,
            "says": self.says,
            "known": self.reference is not None,
            "reference": reference.split(),
            "measure": self.measure,
            "runs": [_on_page(run) for run in self.runs],
        }


def _on_page(run: Run) -> dict[str, object]:
    player = None
    if len(run.told):
        at = min(moment_of_loss(run.told), PAGE_EVENTS)
        player = contents(run.told, max_events=PAGE_EVENTS, at=at)
    return {
        "label": run.label,
        "words": run.result.text.split(),
        "score": float(run.result.score),
        "work": run.work,
        "exact": run.exact,
        "fate": run.fate,
        "kept": run.gold is not None and run.gold.how in (WON, OUTSCORED),
        "fault": run.fault,
        "dev": run.dev,
        "player": player,
    }


def label(value: object) -> str:
    """A value of a setting as it is written: what is not given is "usual"."""
    if value is None or isinstance(value, bool):
        return {None: "usual", True: "on", False: "off"}[value]
    if isinstance(value, tuple | list):
        return " + ".join(map(label, value)) or "none"
    return f"{value:g}" if isinstance(value, float) else str(value)


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


@checks_arguments
def sweep(  # noqa: PLR0913  (each is a choice by name)
    model: TrainedModel,
    bag: Any,
    *,
    dev: Items | None = None,
    pos: float | None = None,
    deps: float | None = None,
    seed: int | None = None,
    engine: str | None = None,
    jobs: int = 1,
    title: str | None = None,
    **search: Any,
) -> Sweep:
    """Search one bag again for each value of one setting: ``beam=(1, 4, 16)``.

    ``search`` has the knob, any setting of the model's search with a list of its values, and
    perhaps other settings with one value each, which all runs share. ``bag`` is what ``order`` or
    ``compress`` takes, or a sentence or pair of a corpus: then the reference is known, and each run
    tells what became of it. Its bag is made as in training, or as ``pos`` and ``deps``, shares from
    0 to 1 of the tags and heads that are given, and ``seed``, a whole number, say. ``dev``,
    sentences or pairs of a corpus, adds BLEU (relation F1 of compressors) over them by value, with
    so many processes as ``jobs`` says, from 1.

    What is swept is a setting of the search alone; models that differ in their training are
    compared by ``wl.explore`` and ``wl.race``. Raises ``ValueError`` for no knob or two, no values
    or more than 16, a model that neither orders nor compresses, and as its ``order``, ``compress``
    and ``search_settings``.
    """
    knob, values = _knob(search)
    shortens = model.system in names_of("compress")
    if not shortens and model.system not in names_of("order"):
        raise ValueError(f"{model.system} neither orders words nor makes sentences shorter")
    condition = {"pos": pos, "deps": deps, "seed": seed, "engine": engine}
    every = [_asked(model, bag, condition, {**search, knob: value}) for value in values]
    scores = [_over(model, dev, jobs, {**condition, **search, knob: value}) for value in values]
    runs = [_run(*run) for run in zip(every, values, scores, strict=True)]
    shared = {name: value for name, value in every[0].explored.search.items() if name != knob}
    measure = "relation F1" if shortens else "BLEU"
    title = title or f"What does the {knob.replace('_', ' ')} change?"
    first = every[0]
    return Sweep(
        model.system, knob, first.given, tuple(runs), first.reference, shared, measure, title
    )


def _knob(search: Mapping[str, Any]) -> tuple[str, list[Any]]:
    """The setting that has several values, and these."""
    several = {
        name: [*value]
        for name, value in search.items()
        if isinstance(value, Iterable) and not isinstance(value, str | Mapping)
    }
    if len(several) != 1:
        there = f"these are {len(several)}: {', '.join(several)}" if several else "there is none"
        raise ValueError(f"a sweep turns one setting, given as beam=(1, 4, 16); {there}")
    ((name, values),) = several.items()
    if not 1 <= len(values) <= MOST_VALUES:
        raise ValueError(f"{cited(name)} has 1 to {MOST_VALUES} values to try, not {len(values)}")
    return name, values


class _Asked(NamedTuple):
    """One search: what is ``given`` to it, and the ``item`` of a corpus that this is made of."""

    explored: Explored
    given: Any
    item: Item | None

    @property
    def reference(self) -> str | None:
        """The text that ought to come out."""
        if isinstance(self.item, CompressionPair):
            return " ".join(presented(list(prepared(self.item.target).leaves())))
        return None if self.item is None else self.item.text


def _asked(model: TrainedModel, bag: Any, condition: Options, search: Options) -> _Asked:
    """The search with these settings; refused before any is run."""
    if isinstance(bag, Sentence | CompressionPair):
        one = explored(model, [bag], **condition, **search)
        return _Asked(one, bag.source if isinstance(bag, CompressionPair) else one.bag(bag), bag)
    options = {"engine": condition["engine"], **model.search_settings(**search)}
    one = Explored(model, (), options)
    return _Asked(one, bag if one.shortens else as_bag(bag), None)


def _run(asked: _Asked, value: object, dev: float | None) -> Run:
    """The search with its events, and once more without, against the clock."""
    (one, given, item), log = asked, EventLog(max_events=MOST_EVENTS)
    model, search = one.model, one.search
    verb = model.compress if one.shortens else model.order
    steps = model.HAS_STEPS and not search.get("exact")  # an exact one has none
    result = verb(given, trace=log if steps else None, **search)
    gold, told, exact, of_gold, fault = None, log, None, None, None
    if isinstance(item, Sentence):
        seed = one.condition["seed"]
        _, seconds, gold = ordered(model, given, item, seed, **search)
        if gold is not None and steps:
            told = with_gold(model, log, given, item, seed)
        exact = result.text == item.text
    else:
        began = time.perf_counter()
        verb(given, **search)
        seconds = time.perf_counter() - began
        if item is not None:
            targets = [target.leaves() for target in prepared_pair(item).targets]
            exact = prepared(result.tree).leaves() in targets
    if item is not None and exact is not None:
        bag, whole = (None, True) if one.shortens else (given, result.is_whole)
        about = Asked(item, bag, one.condition.get("seed", 0), search)
        of_gold, fault = judged(model, about, exact, whole, result.score)
    cost = dict(result.counters)
    return Run(value, result, log, cost, exact, gold, of_gold, fault, dev, seconds, told)


def _over(model: Any, dev: Items | None, jobs: int, options: Options) -> float | None:
    """The measure over the sentences or pairs, 0 to 100; ``None`` where there are none."""
    if dev is None:
        return None
    if model.system in names_of("order"):
        return float(evaluate(model, dev, jobs=jobs, **options).scores.bleu_cased)
    left = {name: one for name, one in options.items() if name not in ("pos", "deps", "seed")}
    return 100 * float(evaluate_compressions(model, dev, jobs=jobs, **left).scores.relation_f1)
