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
from typing import TYPE_CHECKING, Any

from wordorder_lab.analysis.gold_survival import (
    CUT,
    LIMIT,
    OUTSCORED,
    WON,
    moment_of_loss,
    with_gold,
)
from wordorder_lab.experiments.runs.compression_evaluate import evaluate_compressions
from wordorder_lab.experiments.runs.evaluate import evaluate
from wordorder_lab.exploring.rows import Explored, Items, explored
from wordorder_lab.structures.arguments import checks_arguments
from wordorder_lab.structures.compression import CompressionPair, prepared, presented
from wordorder_lab.structures.messages import brief, cited
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
PAGE_EVENTS = 100_000
"""Events that a page holds, shared by its runs; a longer search is cut, with a mark."""
COUNTED = ("expansions", "edges", "candidates", "combinations", "bigrams")
"""Counters that tell what a search costs; the first that a run has stands on the page."""
FATES = {WON: "wins", OUTSCORED: "outscored", CUT: "lost at {lost}", LIMIT: "out of time"}
"""What became of gold, as the page says it."""
KNOWN = ("exact", "fate", "lost", "gold_score", "fault")
"""What a run knows of the reference, by the names of ``exploring/rows``."""


@dataclass(frozen=True)
class Run:
    """A search with one ``value`` of the knob: the ``result`` and the ``log`` of its events.

    Where the reference is known, ``exact`` says whether it came out, ``fate`` what became of gold
    in the search and ``lost`` at which step or pop it was lost (``analysis/gold_survival``),
    ``gold_score`` what the model gives it, ``fault`` whose fault a wrong output is
    (``analysis/gold_score``); each is ``None`` where that is not known. ``dev`` is the measure of
    the sweep over the sentences that were given for it, 0 to 100. ``seconds``, of a search without
    a trace, and ``told``, the log in which gold is told, do not count when runs are compared.
    """

    value: object
    result: Any
    log: EventLog = field(repr=False)
    exact: bool | None
    fate: str | None
    lost: int | None
    gold_score: float | None
    fault: str | None
    dev: float | None
    seconds: float = field(compare=False)
    told: EventLog = field(compare=False, repr=False)

    @property
    def cost(self) -> Mapping[str, int]:
        """How often the search did what, the counters of the result."""
        counters: Mapping[str, int] = self.result.counters
        return counters

    @property
    def label(self) -> str:
        """The value as it is written."""
        return label(self.value)

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
                **{name: getattr(run, name) for name in KNOWN},
                **{self.done(name): number for name, number in run.cost.items()},
                "seconds": run.seconds,
                **({} if run.dev is None else {f"dev {self.measure}": run.dev}),
            }
            for run in self.runs
        ]
        return pandas.DataFrame(rows)

    def done(self, counter: str) -> str:
        """What a counter is called beside the knob, which may be a limit of the same name."""
        return f"{counter} done" if counter == self.knob else counter

    @property
    def says(self) -> str:
        """What the knob does, in a few sentences."""
        outputs, runs = [run.result.text for run in self.runs], self.runs
        said = [f"{_count(len(set(outputs)), 'output')} from {_count(len(runs), 'value')}."]
        if self.reference is not None:
            said.append(f"The reference comes out with {self._with(run.exact for run in runs)}.")
        elif changes := [i for i, (a, b) in enumerate(pairwise(outputs), 1) if a != b]:
            said.append(f"The last change is at {self.knob} {runs[changes[-1]].label}.")
        if any(run.fate for run in runs):
            said.append(f"Gold's tree is lost with {self._with(run.fate == CUT for run in runs)}.")
        scores = [run.dev for run in runs if run.dev is not None]
        if scores:
            best = self._with(run.dev == max(scores) for run in runs)
            said.append(f"Over dev, {self.measure} is best with {best} ({max(scores):.1f}).")
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
            "work": next((self.done(run.work[0]) for run in self.runs if run.work), None),
            "runs": [_on_page(run, PAGE_EVENTS // len(self.runs)) for run in self.runs],
        }


def _on_page(run: Run, events: int) -> dict[str, object]:
    player = None
    if len(run.told):
        at = min(moment_of_loss(run.told), events)
        player = contents(run.told, max_events=events, at=at)
    return {
        "label": run.label,
        "words": run.result.text.split(),
        "score": float(run.result.score),
        "work": run.work and run.work[1],
        "exact": run.exact,
        "fate": None if run.fate is None else FATES[run.fate].format(lost=run.lost),
        "kept": run.fate in (WON, OUTSCORED),
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
    runs = []
    _run(*every[0], values[0], None)  # what is compiled now is not timed
    for (one, given), value in zip(every, values, strict=True):
        over = _over(model, dev, jobs, {**condition, **search, knob: value})
        runs.append(_run(one, given, value, over))
    one, given = every[0]
    return Sweep(
        system=model.system,
        knob=knob,
        bag=given,
        runs=tuple(runs),
        reference=_reference(bag),
        settings={name: value for name, value in one.search.items() if name != knob},
        measure="relation F1" if shortens else "BLEU",
        title=title or f"What does \u201c{knob.replace('_', ' ')}\u201d change?",
    )


def _knob(search: Options) -> tuple[str, list[object]]:
    """The setting that has several values, and these."""
    several = {
        name: [*value]
        for name, value in search.items()
        if isinstance(value, Iterable) and not isinstance(value, str | Mapping)
    }
    if len(several) != 1:
        there = (
            f"these are {len(several)}: {brief(', '.join(several))}" if several else "there is none"
        )
        raise ValueError(f"a sweep turns one setting, given as beam=(1, 4, 16); {there}")
    ((name, values),) = several.items()
    if not 1 <= len(values) <= MOST_VALUES:
        raise ValueError(f"{cited(name)} has 1 to {MOST_VALUES} values to try, not {len(values)}")
    return name, values


def _asked(
    model: TrainedModel, bag: Any, condition: Options, search: Options
) -> tuple[Explored, Any]:
    """The search with these settings, and what is given to it; refused before any is run."""
    if isinstance(bag, Sentence | CompressionPair):
        one = explored(model, [bag], **condition, **search)
        return one, bag.source if isinstance(bag, CompressionPair) else one.bag(bag)
    one = Explored(model, (), {"engine": condition["engine"], **model.search_settings(**search)})
    return one, bag if one.shortens else as_bag(bag)


def _reference(bag: object) -> str | None:
    """What ought to come out, as a result writes it."""
    if isinstance(bag, CompressionPair):
        return " ".join(presented(list(prepared(bag.target).leaves())))
    return bag.text if isinstance(bag, Sentence) else None


def _run(one: Explored, given: Any, value: object, dev: float | None) -> Run:
    """The search with its events, and once more without, against the clock."""
    model, search, log = one.model, one.search, EventLog(max_events=MOST_EVENTS)
    verb = model.compress if one.shortens else model.order
    steps = model.HAS_STEPS and not search.get("exact")  # an exact search has none
    result = verb(given, trace=log if steps else None, **search)
    item: Any = one.items[0] if one.items else None
    row: Options = {}
    began = time.perf_counter()
    if item is None:
        verb(given, **search)
    else:
        row = one.row(item)
    seconds = row["ms"] / 1000 if row else time.perf_counter() - began
    known = {name: row.get(name) for name in KNOWN}
    told = log
    if known["fate"] not in FATES:
        known["fate"] = None
    elif steps:
        told = with_gold(model, log, given, item, one.condition["seed"])
    return Run(value, result, log, **known, dev=dev, seconds=seconds, told=told)


def _over(model: Any, dev: Items | None, jobs: int, options: Options) -> float | None:
    """The measure over the sentences or pairs, 0 to 100; ``None`` where there are none."""
    if dev is None:
        return None
    if model.system in names_of("order"):
        return float(evaluate(model, dev, jobs=jobs, **options).scores.bleu_cased)
    left = {name: one for name, one in options.items() if name not in ("pos", "deps", "seed")}
    return 100 * float(evaluate_compressions(model, dev, jobs=jobs, **left).scores.relation_f1)
