"""``wl.sweep(model, bag, beam=(1, 4, 16))``: one bag searched again for each value of a setting.

Each run is ``model.order`` (or ``compress``) with that value, bit for bit. Where the reference is
known, the run also tells what became of gold; with sentences for ``dev`` the same values are tried
on all of them, so that one sees whether this bag is typical.
"""

from __future__ import annotations

import operator
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
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
from wordorder_lab.exploring.knobs import (
    GIVEN,
    MOST_VALUES,
    Models,
    Options,
    Turn,
    knob_of,
    system_of,
)
from wordorder_lab.exploring.rows import Items
from wordorder_lab.structures.arguments import checks_arguments
from wordorder_lab.structures.compression import CompressionPair, prepared, presented
from wordorder_lab.structures.sentence import Sentence
from wordorder_lab.systems.setting import Setting
from wordorder_lab.trace.log import EventLog
from wordorder_lab.widgets.module import SWEEP
from wordorder_lab.widgets.page import OnPage, contents

if TYPE_CHECKING:
    import pandas

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
    the sweep over the sentences that were given for it, 0 to 100, ``dev_interval`` its 95 %
    interval over the choice of sentences. ``bag`` is what was searched. ``seconds``, of a search
    without a trace, and ``told``, the log in which gold is told, do not count when runs are
    compared.
    """

    value: object
    bag: Any = field(repr=False)
    result: Any
    log: EventLog = field(repr=False)
    exact: bool | None
    fate: str | None
    lost: int | None
    gold_score: float | None
    fault: str | None
    dev: float | None
    dev_interval: tuple[float, float] | None
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


@dataclass(repr=False)
class Sweep(OnPage):
    """What one setting, the ``knob``, does to one bag: a run for each of its values.

    ``reference`` is the sentence behind the bag, if it is known, ``settings`` are those of the
    search beside the knob, ``measure`` is what ``Run.dev`` holds. In a notebook the sweep shows
    itself, and searches with further values, as ``search`` does; ``to_html(path)`` writes it as a
    page.
    """

    system: str
    knob: str
    runs: tuple[Run, ...]
    reference: str | None
    settings: Mapping[str, object]
    measure: str
    title: str
    _try: Callable[[Any], Run] = field(compare=False)
    _setting: Setting | None = field(compare=False)
    entry = SWEEP

    @property
    def bag(self) -> Any:
        """What was searched; where the knob is what is given, by the first run."""
        return self.runs[0].bag

    def search(self, value: Any) -> Run:
        """The run with this value: the one that is there, or one more, in its place among the
        others where all are numbers. Raises ``ValueError`` as ``wl.sweep``."""
        for run in self.runs:
            if run.value == value and type(run.value) is type(value):
                return run
        if len(self.runs) >= MOST_VALUES:
            raise ValueError(f"a sweep has {MOST_VALUES} values at most, and these are there")
        new = self._try(value)
        values = [run.value for run in (*self.runs, new)]
        if all(isinstance(one, int | float) and not isinstance(one, bool) for one in values):
            falls = len(self.runs) > 1 and values[0] > values[-2]  # type: ignore[operator]
            key = operator.attrgetter("value")
            self.runs = tuple(sorted((*self.runs, new), key=key, reverse=falls))
        else:
            self.runs = (*self.runs, new)
        return new

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
                **({} if run.dev_interval is None else {"dev interval": run.dev_interval}),
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

    def _repr_mimebundle_(self, **options: Any) -> Any:
        try:
            from wordorder_lab.widgets.live import Sweeping
        except ImportError:
            return {"text/html": self._repr_html_(), "text/plain": repr(self)}
        return Sweeping(self, further_values(self._setting))._repr_mimebundle_(**options)

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
        "interval": run.dev_interval,
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
    model: Models,
    bag: Any,
    *,
    train: Items | None = None,
    dev: Items | None = None,
    without: str | Sequence[str | Sequence[str]] | None = None,
    heads: str | Sequence[str | Sequence[str]] | None = None,
    pos: float | Sequence[float] | None = None,
    deps: float | Sequence[float] | None = None,
    seed: int | Sequence[int] | None = None,
    engine: str | None = None,
    jobs: int = 1,
    title: str | None = None,
    **settings: Any,
) -> Sweep:
    """Search one bag again for each value of one setting: ``beam=(1, 4, 16)``.

    The knob is whatever has a list of values; all else has one value, which the runs share. It may
    be, among ``settings``, any setting of the model's search; ``without``, templates of a trained
    model that then score 0, by name (``"S0wS1w"``) or heading (``"Trigram"``), in
    ``without=((), "Trigram")``; or what is given, ``pos`` and ``deps``, shares from 0 to 1 of the
    tags and heads, or ``heads``, the units whose heads are given, by their words, as in
    ``heads=((), "the cup")``. Models by name, ``{"C 0.1": one, "C 1": other}``, are a knob, too.
    A system by name is trained on ``train`` with each value of a setting of its training,
    ``wl.sweep("liu-2015", bag, train=sentences, epochs=(1, 4))``; a setting that its search has,
    too, counts in both.

    ``bag`` is what ``order`` or ``compress`` takes, or a sentence or pair of a corpus: then the
    reference is known, and each run tells what became of it. Its bag is made as in training, or as
    ``pos``, ``deps`` and ``seed``, a whole number, say. ``dev``, sentences or pairs of a corpus,
    adds BLEU (relation F1 of compressors) over them by value, with so many processes as ``jobs``
    says, from 1.

    Raises ``ValueError`` for no knob or two, no values or more than 16, a model that neither orders
    nor compresses, and as its ``order``, ``compress``, ``search_settings`` and ``wl.train``.
    """
    given = {"without": without, "heads": heads, "pos": pos, "deps": deps, "seed": seed}
    knob, values = knob_of(model, bag, train, {**given, "engine": engine, **settings})
    system, shortens = system_of(model)
    if dev is not None and (heads is not None):
        raise ValueError("heads= names units of this bag: leave dev out, or take deps=(0, 1)")
    knob.check(values)
    turns = [knob.turn(value) for value in values]
    _run(turns[0], values[0], None)  # what is compiled now is not timed
    runs = [_run(turn, value, _over(turn, dev, jobs)) for turn, value in zip(turns, values)]

    def further(value: Any) -> Run:
        if (known := knob.setting) is not None:
            known.check(value)
        turn = knob.turn(value)
        return _run(turn, value, _over(turn, dev, jobs))

    searched = turns[0].one.search
    return Sweep(
        system=system,
        knob=knob.name,
        runs=tuple(runs),
        reference=_reference(bag),
        settings={name: value for name, value in searched.items() if name != knob.name},
        measure="relation F1" if shortens else "BLEU",
        title=title or f"What does \u201c{knob.name.replace('_', ' ')}\u201d change?",
        _try=further,
        _setting=knob.setting,
    )


def further_values(setting: Setting | None) -> dict[str, object] | None:
    """Which further values there are, as a field for numbers has it; ``None`` for no numbers."""
    if setting is None:
        return None
    about, whole = setting.about, setting.kind is int
    least = about.minimum if about.minimum is not None else about.above
    return {"whole": whole, "least": least, "most": about.maximum, "says": setting.range}


def _reference(bag: object) -> str | None:
    """What ought to come out, as a result writes it."""
    if isinstance(bag, CompressionPair):
        return " ".join(presented(list(prepared(bag.target).leaves())))
    return bag.text if isinstance(bag, Sentence) else None


def _run(turn: Turn, value: object, over: Over | None) -> Run:
    """The search with its events, and once more without, against the clock."""
    one, given = turn.one, turn.given
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
    known: dict[str, Any] = {name: row.get(name) for name in KNOWN}
    told = log
    if known["fate"] not in FATES:
        known["fate"] = None
    elif steps:
        told = with_gold(model, log, given, item, one.condition["seed"])
    known["dev"], known["dev_interval"] = over or (None, None)
    return Run(value, given, result, log, **known, seconds=seconds, told=told)


Over = tuple[float, tuple[float, float]]
"""A measure over sentences, 0 to 100, and its interval."""


def _over(turn: Turn, dev: Items | None, jobs: int) -> Over | None:
    """The measure over the sentences or pairs; ``None`` where there are none."""
    if dev is None:
        return None
    model: Any = turn.one.model
    if not turn.one.shortens:
        evaluation = evaluate(model, dev, jobs=jobs, **turn.told)
        return float(evaluation.scores.bleu_cased), evaluation.interval()
    left = {name: one for name, one in turn.told.items() if name not in GIVEN}
    scores = evaluate_compressions(model, dev, jobs=jobs, **left).scores
    low, high = scores.relation_f1_interval
    return 100 * float(scores.relation_f1), (100 * low, 100 * high)
