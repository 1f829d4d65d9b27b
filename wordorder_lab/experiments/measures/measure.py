"""What a measure is: how runs are run, what is said of all their rows, their table and pictures.

A specification names what it measures. That is an object of a class below ``Measure``, in a file of
this folder whose ``MEASURES`` lists it; nobody else need know the name. A new one says at least
``rows_of``, the rows of one run. All else is here as most measures have it: which runs there may
be, how they are run one after the other or side by side, which rows a record must have, and a frame
of rows as text, as lines and as bars.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

from wordorder_lab.experiments import measures
from wordorder_lab.experiments.measures.claims import Claim
from wordorder_lab.experiments.measures.rows import bars, lines, panels, rows_text
from wordorder_lab.experiments.runs.corpora import corpus_of
from wordorder_lab.experiments.runs.evaluate import SCORES, random_order, scores_of
from wordorder_lab.experiments.runs.map_in_order import map_in_order
from wordorder_lab.experiments.runs.schema import SpecificationError
from wordorder_lab.experiments.runs.settings import FLOOR, task_of_run
from wordorder_lab.runtime.entry_points import MEASURES as MEASURES_GROUP
from wordorder_lab.runtime.entry_points import load, of_group
from wordorder_lab.structures.sentence import Sentence

Row = dict[str, Any]
Record = Mapping[str, Any]
Cut = Callable[[Sequence[Any]], Sequence[Any]]
"""Leaves sentences (or pairs) away, so that a run is smaller."""
Draw = Callable[[Any, Record, Mapping[str, Any]], None]
"""Draws a whole figure: it is given the figure, a record, and the specification's ``[plot]``."""
ONLY_FOR_TRAINING = ("engine", "templates", "update", "shuffle", "beam", "pos", "deps")
TIMES = ("ms_per_sentence", "training_seconds", "epoch_seconds")
"""Not kept where runs take each other's time: with more than one job."""
TRAINING = "training_"
"""Begins what a model was trained with, in rows that also say what it was given afterwards."""


@dataclass(frozen=True)
class Specification:
    """One experiment: ``runs`` are complete settings, ``measure`` is what their rows say.

    ``evaluate`` has the lists of the measure "conditions"; for the others it is empty. ``claims``
    are about rows that ``names`` calls by name.
    """

    name: str
    title: str
    measure: Measure
    runs: tuple[dict[str, Any], ...]
    paper: Mapping[str, Any]
    plot: Mapping[str, Any]
    checksum: str
    evaluate: Mapping[str, Any] = field(default_factory=dict)
    names: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    claims: tuple[Claim, ...] = ()

    @property
    def by_the_clock(self) -> bool:
        """Whether times are what is measured, or decide what comes out."""
        limited = any("decode_seconds" in run for run in self.runs)
        return limited or self.measure.by_the_clock


class Work(NamedTuple):
    """How runs are to be done: where the record goes in the end, what is left away, how many at a
    time; ``keep`` is called whenever something is finished, ``show`` with a line on it."""

    out: Path
    cut: Cut
    jobs: int
    keep: Callable[[], None]
    show: Callable[[str], None]


@dataclass(frozen=True)
class Measure:
    """What an experiment measures, by the ``name`` that its specification says.

    Where it goes ``by_the_clock``, times are what comes out: runs follow one another, and the
    record says how busy the machine was.
    """

    name: str
    by_the_clock: bool = False

    own_table: ClassVar[str] = ""
    """The table of a specification that this measure needs and no other may have."""
    shortens: ClassVar[bool] = False
    """Whether it is about sentences made shorter, and not about words put in order."""
    passes: ClassVar[str] = "epochs"
    """What a run calls the number of its passes over what it learns from."""
    intervals: ClassVar[bool] = False
    """Whether BLEU of random order, too, has its interval."""
    has_papers: ClassVar[bool] = False
    """Whether its table has the paper's values beside ours."""

    # --- what a specification must say ------------------------------------------------------------

    def check_table(self, content: Mapping[str, Any]) -> None:
        """Raise ``SpecificationError`` for what is wrong in ``own_table`` of a specification."""

    def check(self, specification: Specification) -> None:
        """Raise ``SpecificationError`` for runs that cannot be measured so."""
        for run in specification.runs:
            if (task_of_run(run) == "compress") != self.shortens:
                raise SpecificationError(f"{run['system']} cannot be measured by {self.name!r}")

    # --- running ----------------------------------------------------------------------------------

    def begin(self) -> Row:
        """What an unfinished record has beside its rows: here, how many rows each run has made."""
        return {"runs": []}

    def done(self, record: Record) -> str:
        """What an unfinished record already has, in words: "3 runs"."""
        return f"{len(record['runs'])} runs"

    def run(self, specification: Specification, record: Row, work: Work) -> None:
        """Add the rows of all runs that are not done yet.

        Raises ``ValueError`` as training and ``evaluate`` do.
        """
        todo = specification.runs[len(record["runs"]) :]
        jobs = 1 if specification.by_the_clock else work.jobs
        rows_of_run = partial(self.rows, specification, work.cut)
        for rows in map_in_order(rows_of_run, todo, jobs, what="runs"):
            if jobs > 1:
                rows = [{k: v for k, v in row.items() if k not in TIMES} for row in rows]
            record["runs"].append(len(rows))
            record["rows"] += rows
            work.keep()
            work.show(row_said(rows[-1]))

    def rows(self, specification: Specification, cut: Cut, run: Mapping[str, Any]) -> list[Row]:
        """The rows of one run; random order, which is not trained, has one of scores."""
        corpus = corpus_of(run["corpus"], run["units"])
        held_out = cut(corpus.split(run["split"]))
        if run["system"] == FLOOR:
            given = {k: v for k, v in run.items() if k not in ("epochs", *ONLY_FOR_TRAINING)}
            scored = random_order(held_out, seed=run.get("seed", 1))
            return [{**given, **scores_of(scored, interval=self.intervals)}]
        return self.rows_of(run, cut(corpus.train), held_out)

    def rows_of(
        self, run: Mapping[str, Any], sentences: Sequence[Sentence], held_out: Sequence[Sentence]
    ) -> list[Row]:
        """The rows of a run that learns from ``sentences`` and orders ``held_out``.

        Raises ``NotImplementedError`` here: this is what a measure says at least.
        """
        raise NotImplementedError(f"the measure {self.name!r} does not say what its rows are")

    def finish(self, record: Row) -> None:
        """Add what is said about all rows together."""

    def meant(self, rows: Sequence[Record], places: Sequence[int], wanted: Record) -> list[int]:
        """Which of the rows a claim means by ``wanted``, settings that they have.

        ``places`` are indices into ``rows``, from 0, and so is what is given back.

        Here all of them. A measure with several rows a run says which one it is, unless the claim
        does.
        """
        return list(places)

    # --- what a record must have ------------------------------------------------------------------

    def wanted(self, specification: Specification) -> Iterator[Record]:
        """What rows must show, as far as they show it: here, each run after its last epoch."""
        for run in specification.runs:
            yield {**run, "epoch": run.get("epochs")}

    # --- showing it -------------------------------------------------------------------------------

    def text(self, record: Record) -> str:
        """The table, to print."""
        return rows_text(record["rows"])

    def figures(self) -> dict[str, Draw]:
        """What draws each ``kind`` of ``[plot]``."""
        return {"lines": partial(panels, lines), "bars": partial(panels, bars)}


@cache
def all_measures() -> Mapping[str, Measure]:
    """Every measure that a file of this folder has, by its name, in the order of the names.

    Raises ``ValueError`` where two files have one of the same name.
    """
    known: dict[str, Measure] = {}
    for module in pkgutil.iter_modules(measures.__path__):
        file = importlib.import_module(f"{measures.__name__}.{module.name}")
        for measure in getattr(file, "MEASURES", ()):
            if measure.name in known:
                raise ValueError(f"two measures are called {measure.name!r}")
            known[measure.name] = measure
    return dict(sorted(known.items()))


def measure_called(name: str) -> Measure | None:
    """The measure of this name: ours, or one that another package brings; ``None`` for neither.

    Raises ``ValueError`` where the package that brings it cannot be loaded (``entry_points``).
    """
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


def without_epochs(run: Mapping[str, Any]) -> Row:
    """What a row says of its run: which of the epochs it is about, it says itself."""
    return {name: value for name, value in run.items() if name != "epochs"}


def as_trained(run: Mapping[str, Any]) -> Row:
    """A run's settings as rows call them that also say what a model was given afterwards."""
    again = ("pos", "deps")
    return {f"{TRAINING}{name}" if name in again else name: run[name] for name in run}


def bleu_signatures() -> dict[str, str]:
    """How each of the two BLEUs is counted."""
    from wordorder_lab.metrics.bleu import OF_ORDERINGS, corpus_bleu

    return {f"bleu_{name}": corpus_bleu(["a"], ["a"], name).signature for name in OF_ORDERINGS}


def row_said(row: Record) -> str:
    """A row in a line, while an experiment runs."""
    shown = (
        *("system", "templates", "units", "pos", "beam", "update", "negatives", "decode_beam"),
        *("decode_chart", "decode_expansions", "decode_seconds", "number", "output"),
        *("epoch", "epoch_seconds", "length", "ms", *SCORES),
        *("depth", "order", "gold", "loss", "parser", "C", "at", "of", "rate", "relation_f1"),
        *("crashes", "neither", "number", "lies_in"),
    )
    return "  ".join(f"{name} {row[name]}" for name in shown if name in row)
