"""What a measure is: how runs are run, what is said of all their rows, their table and pictures.

A specification names what it measures: an object of a class below ``Measure``, which a file of this
folder lists in its ``MEASURES``. A new one says at least ``rows_of``, the rows of one run; all else
is here as most measures have it.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, NamedTuple, Protocol, TypeVar

from wordorder_lab.experiments import measures
from wordorder_lab.experiments.measures.figures import OF_COLUMNS, Draw
from wordorder_lab.experiments.measures.tables import Column, Record, Row, Rows, lines, rows_text
from wordorder_lab.experiments.runs import folds
from wordorder_lab.experiments.runs.corpora import corpus_of_run
from wordorder_lab.experiments.runs.map_in_order import map_in_order
from wordorder_lab.experiments.runs.ordering_evaluate import DIGITS, SCORES, random_order, scores_of
from wordorder_lab.experiments.runs.schema import SpecificationError
from wordorder_lab.experiments.runs.settings import (
    FLOOR,
    FOLD,
    FOLDS,
    RUNS,
    search_of,
    task_of_run,
)
from wordorder_lab.experiments.runs.training import Trained, last_trained
from wordorder_lab.metrics.bleu import OF_ORDERINGS, corpus_bleu
from wordorder_lab.metrics.significance import bootstrap_signature
from wordorder_lab.runtime.entry_points import MEASURES as MEASURES_GROUP
from wordorder_lab.runtime.entry_points import load, of_group
from wordorder_lab.structures.sentence import Sentence
from wordorder_lab.systems.registry import names_of

if TYPE_CHECKING:
    from wordorder_lab.experiments.measures.claims import Claim

Item = TypeVar("Item")
Sentences = Sequence[Sentence]
ONLY_FOR_TRAINING = ("engine", "templates", "update", "shuffle", "beam", "pos", "deps")
TIMES = ("ms_per_sentence", "training_seconds", "epoch_seconds")
"""Not kept with more than one job: runs take each other's time."""
TRAINING = "training_"
"""Prefix of what a model was trained with, in rows that also say what it was given afterwards."""


class Cut(Protocol):
    """Leaves sentences (or pairs) away, so that a run is smaller."""

    def __call__(self, items: Sequence[Item], /) -> Sequence[Item]:
        """Those that remain."""


@dataclass(frozen=True)
class Specification:
    """One experiment: ``runs`` are complete settings, ``measure`` is what their rows say.
    ``evaluate`` has the lists of the measure "conditions"; for the others it is empty. ``claims``
    are about rows that ``names`` calls by name. With ``folds``, each run is done once for each of
    so many parts of its corpus; ``of`` names the specification that this one varies."""

    name: str
    title: str
    measure: Measure
    runs: tuple[Row, ...]
    paper: Record
    plot: Record
    checksum: str
    evaluate: Record = field(default_factory=dict)
    names: Mapping[str, Record] = field(default_factory=dict)
    claims: tuple[Claim, ...] = ()
    folds: int = 0
    of: str = ""

    @property
    def parts(self) -> tuple[Row, ...]:
        """What is run and kept one by one: the runs, or all of them for the first fold, the second
        and so on, so that runs that learn alike follow one another."""
        if not self.folds:
            return self.runs
        number, every = self.folds, range(self.folds)
        return tuple({**run, FOLDS: number, FOLD: fold} for fold in every for run in self.runs)

    @property
    def folded(self) -> tuple[Row, ...]:
        """The runs as rows of all folds together name them."""
        return tuple({**run, FOLDS: self.folds} for run in self.runs) if self.folds else self.runs

    @property
    def by_the_clock(self) -> bool:
        """Whether times are what is measured, or decide what comes out."""
        limited = any("decode_seconds" in run for run in self.runs)
        return limited or self.measure.by_the_clock


class Work(NamedTuple):
    """How runs are done: where the record goes, what is left away, how many at a time; ``keep`` is
    called whenever something is finished, ``show`` with a line on it."""

    out: Path
    cut: Cut
    jobs: int
    keep: Callable[[], None]
    show: Callable[[str], None]


class Setup(NamedTuple):
    """A run and what it is done with: its experiment, what is left away, how many processes."""

    specification: Specification
    cut: Cut
    run: Record
    jobs: int = 1

    @property
    def search(self) -> Row:
        """How its model searches."""
        return search_of(self.run)


@dataclass(frozen=True)
class Measure:
    """What an experiment measures, by the ``name`` that its specification says.

    ``by_the_clock``: times are what comes out, so that runs follow one another, and the record says
    how busy the machine was. ``report`` has the columns of its table, or makes its lines; without,
    all rows are shown. ``pictures`` draw its own kinds of ``[plot]``. ``usual`` are the values of
    columns that a claim means unless it says others. ``bootstrapped`` names what is drawn by
    bootstrap from BLEU's counts, ``None`` where there is no BLEU; ``intervals`` says whether BLEU
    of random order, too, has its interval, ``by_folds`` whether rows of several folds can be added
    up. What rows have under the names ``apart`` stands beside them in a finished record.
    """

    name: str
    by_the_clock: bool = False
    _: KW_ONLY
    report: Callable[[Record], Iterable[str]] | tuple[Column, ...] = ()
    pictures: Mapping[str, Draw] = field(default_factory=dict, hash=False)
    usual: Mapping[str, tuple[object, ...]] = field(default_factory=dict, hash=False)
    bootstrapped: tuple[str, ...] | None = None
    intervals: bool = False
    by_folds: bool = False
    apart: tuple[str, ...] = ()

    task: ClassVar[str] = "order"
    """What the measured systems do."""
    own_table: ClassVar[str] = ""
    """The table of a specification that this measure needs and no other may have."""
    has_papers: ClassVar[bool] = False
    """Whether its table has the paper's values beside ours."""
    shares_jobs: ClassVar[bool] = False
    """Whether processes share one run, as of few long trainings; else each has its own."""

    @property
    def passes(self) -> str:
        """What a run calls the number of its passes over what it learns from."""
        return "max_iterations" if self.task == "compress" else "epochs"

    # --- what a specification must say ------------------------------------------------------------

    def check_table(self, content: Record) -> None:
        """Raise ``SpecificationError`` for what is wrong in ``own_table`` of a specification."""

    def check(self, specification: Specification) -> None:
        """Raise ``SpecificationError`` for runs that cannot be measured so."""
        if specification.folds and not self.by_folds:
            able = ", ".join(name for name, one in all_measures().items() if one.by_folds)
            raise SpecificationError(
                f"the rows of {self.name!r} cannot be added up over folds; those of {able} can"
            )
        for run in specification.runs:
            if task_of_run(run) != self.task:
                known = ", ".join((*names_of(self.task), *RUNS[self.task].floors))
                raise SpecificationError(
                    f"{run['system']} cannot be measured by {self.name!r}; take one of {known}"
                )
            self.check_run(run, specification)

    def check_run(self, run: Record, specification: Specification) -> None:
        """Raise ``SpecificationError`` for a run of the right task that cannot be measured so."""

    # --- running ----------------------------------------------------------------------------------

    def begin(self) -> Row:
        """What only an unfinished record has: here, how many rows each run has made."""
        return {"runs": []}

    def done(self, record: Record) -> str:
        """What an unfinished record already has, in words: "3 runs"."""
        return f"{len(record['runs'])} runs"

    def run(self, specification: Specification, record: Row, work: Work) -> None:
        """Add the rows of all runs that are not done yet; raises as training and ``evaluate``."""
        jobs = 1 if specification.by_the_clock or self.shares_jobs else work.jobs
        inside = work.jobs if self.shares_jobs else 1
        runs = specification.parts[len(record["runs"]) :]
        todo = [Setup(specification, work.cut, run, inside) for run in runs]
        for rows in map_in_order(self.rows, todo, jobs, what="runs"):
            record["runs"].append(len(rows))
            record["rows"] += without_times(rows, jobs)
            work.keep()
            for row in rows if self.shares_jobs else record["rows"][-1:]:
                work.show(self.line(row))
        if specification.folds:
            self.join(specification, record, work.cut)

    def join(self, specification: Specification, record: Row, cut: Cut) -> None:
        """Make one row of those of all folds, run by run; ``cut`` is what was left away."""
        rows = iter(record["rows"])
        parts = [[next(rows) for _ in range(number)] for number in record["runs"]]
        each = len(specification.runs)
        record["rows"] = [
            row
            for number, run in enumerate(specification.runs)
            for row in folds.joined(
                parts[number::each], folds.held_out(run, specification.folds, cut)
            )
        ]

    def rows(self, setup: Setup) -> list[Row]:
        """The rows of one run; random order, which is not trained, has one of scores."""
        run, cut = setup.run, setup.cut
        corpus = corpus_of_run(run)
        held_out = cut(corpus.split(run["split"]))
        if run["system"] == FLOOR:
            given = {k: v for k, v in run.items() if k not in ("epochs", *ONLY_FOR_TRAINING)}
            scored = random_order(held_out, seed=run.get("seed", 1))
            return [{**given, **scores_of(scored, interval=self.intervals)}]
        return self.rows_of(run, cut(corpus.train), held_out)

    def rows_of(self, run: Record, sentences: Sentences, held_out: Sentences) -> list[Row]:
        """The rows of a run that learns from ``sentences`` and orders ``held_out``.

        Raises ``NotImplementedError``: this is what a measure says at least.
        """
        raise NotImplementedError(f"the measure {self.name!r} does not say what its rows are")

    def line(self, row: Record) -> str:
        """A row in a line, while an experiment runs."""
        return "  ".join(f"{name} {row[name]}" for name in SHOWN_IN_LINES if name in row)

    def finish(self, record: Row) -> None:
        """Add what is said about all rows together: how BLEU was counted, how intervals drawn."""
        for name in self.apart:
            set_apart(record, name)
        if self.bootstrapped is not None:
            record["signatures"] = {
                **{f"bleu_{n}": corpus_bleu(["a"], ["a"], n).signature for n in OF_ORDERINGS},
                **dict.fromkeys(self.bootstrapped, bootstrap_signature()),
            }

    def meant(self, rows: Rows, places: Sequence[int], wanted: Record) -> list[int]:
        """Which of the ``places``, indices into ``rows``, a claim means that asks for ``wanted``.

        Here those that are as ``usual``, where the claim does not say otherwise.
        """
        asked = {name: values for name, values in self.usual.items() if name not in wanted}
        return [i for i in places if all(rows[i].get(n) in values for n, values in asked.items())]

    # --- what a record must have ------------------------------------------------------------------

    def wanted(self, specification: Specification) -> Iterator[Record]:
        """What rows must show, as far as they show it: here, each run after its last epoch."""
        for run in specification.runs:
            yield {**run, "epoch": run.get("epochs")}

    # --- showing it -------------------------------------------------------------------------------

    def text(self, record: Record) -> str:
        """The table, to print."""
        if callable(self.report):
            return "\n".join(self.report(record))
        rows = record["rows"]
        return "\n".join(lines(self.report, rows)) if self.report else rows_text(rows)

    def figures(self) -> dict[str, Draw]:
        """What draws each ``kind`` of ``[plot]``."""
        return {**OF_COLUMNS, **self.pictures}


@dataclass(frozen=True)
class OfTrained(Measure):
    """Rows that ``make`` makes with a trained model, of a split and a run; each begins with the
    run's settings. Runs that follow one another and learn alike share the model."""

    make: Callable[[Trained, Sentences, Record], list[Row]] = field(kw_only=True)

    def rows_of(self, run: Record, sentences: Sentences, held_out: Sentences) -> list[Row]:
        """The rows of the model of the last epoch."""
        trained = last_trained(run, sentences)
        first = {**without_epochs(run), "epoch": trained.numbers["epoch"]}
        return [{**first, **row} for row in self.make(trained, held_out, run)]


def _files() -> Iterator[tuple[str, Sequence[Measure]]]:
    for module in pkgutil.iter_modules(measures.__path__):
        file = importlib.import_module(f"{measures.__name__}.{module.name}")
        yield module.name, getattr(file, "MEASURES", ())


@cache
def all_measures() -> Mapping[str, Measure]:
    """Every measure that a file of this folder has, by its name, in the order of the names. Raises
    ``ValueError`` where two files have one of the same name."""
    known: dict[str, Measure] = {}
    for measure in (measure for _, some in _files() for measure in some):
        if measure.name in known:
            raise ValueError(f"two measures are called {measure.name!r}")
        known[measure.name] = measure
    return dict(sorted(known.items()))


def file_of(measure: Measure) -> str:
    """The file of this folder that has a measure; this one for what another package brings."""
    return next((name for name, some in _files() if measure in some), "measure")


def measure_called(name: str) -> Measure | None:
    """The measure of this name: ours, or one that another package brings; ``None`` for neither.
    Raises ``ValueError`` where the package that brings it cannot be loaded (``entry_points``)."""
    ours = all_measures()
    if name in ours or all(point.name != name for point in of_group(MEASURES_GROUP)):
        return ours.get(name)
    measure: Measure = load(MEASURES_GROUP, name, Measure, ours)
    if measure.name != name:
        raise ValueError(
            f"the measure {name!r} of another package calls itself {measure.name!r}: give both "
            "one name"
        )
    return measure


SHOWN_IN_LINES = tuple(
    f"""
    system templates units pos beam update negatives decode_beam decode_chart decode_expansions
    decode_seconds number output epoch epoch_seconds length ms {" ".join(SCORES)}
    depth order gold loss parser C at of rate relation_f1 crashes neither number lies_in
    """.split()
)


def without_times(rows: Sequence[Row], jobs: int, *more: str) -> list[Row]:
    """The rows without what says nothing where several jobs take each other's time."""
    out = (*TIMES, *more) if jobs > 1 else ()
    return [{name: value for name, value in row.items() if name not in out} for row in rows]


def set_apart(record: Row, name: str, into: str = "") -> None:
    """Move what rows have under a name out of them; each part says the place of its row."""
    every = [(place, row.pop(name, ())) for place, row in enumerate(record["rows"])]
    record[into or name] = [{"row": place, **one} for place, some in every for one in some]


def rounded(row: Record) -> Row:
    """The row with fractions of ``DIGITS`` digits."""
    return {k: round(v, DIGITS) if isinstance(v, float) else v for k, v in row.items()}


def without_epochs(run: Record) -> Row:
    """What a row says of its run: which of the epochs it is about, it says itself."""
    return {name: value for name, value in run.items() if name != "epochs"}


def as_trained(run: Record) -> Row:
    """A run's settings as rows call them that also say what a model was given afterwards."""
    again = ("pos", "deps")
    return {f"{TRAINING}{name}" if name in again else name: run[name] for name in run}
