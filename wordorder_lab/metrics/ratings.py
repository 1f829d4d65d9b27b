"""What raters' answers say: means, analysis of variance, and which systems differ.

Cohn & Lapata (2009), sections 5.3 and 7, Table 8: people judge grammaticality and importance on
five points, an analysis of variance asks whether systems differ at all, and Tukey's test which of
them do.

There are two analyses of variance, each of repeated measures: by raters (each rater's mean of a
system) and by sentences. Of a table of b rows (raters or sentences) and k systems

    between  = b times the squared distances of the systems' means from the mean of all
    residual = the squares of what is left when row and system means are taken off
    F        = (between / (k - 1)) / (residual / ((k - 1) (b - 1)))

Rows without an answer for some system are left out of that analysis, and counted.

Differences
- *Paper silent*, section 7: whether the analysis is by raters, by sentences or over single answers.
  Both of the first are given.
- *Our reading*, section 7: Tukey's test is scipy's, over the sentences' means, as if each system
  had been judged on sentences of its own. They are the same ones, easy or hard for all systems
  alike, so it finds a true difference less often than it could.
- *Our reading*, section 7: F is computed here, by the lines above, and its p-value is scipy's. A
  library for this, statsmodels (``AnovaRM``), is not among our dependencies.
"""

from __future__ import annotations

import csv
import math
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from wordorder_lab.structures.arguments import checks_arguments
from wordorder_lab.structures.rating_plan import COLUMNS, QUESTIONS, SCALE

Answer = Mapping[str, object]
"""A row: rater, sentence, system, and a point of the scale for each question."""
Rows = list[dict[str, Any]]
LEVEL = 0.95
Of = TypeVar("Of", int, str)


class Judged(NamedTuple):
    """An answer as it is read."""

    rater: str
    sentence: int
    system: str
    points: dict[str, int]


class Variance(NamedTuple):
    """An analysis of variance of repeated measures; ``left_out`` rows lacked a system."""

    F: float
    between: int
    within: int
    p_value: float
    rows: int
    left_out: int

    def __str__(self) -> str:
        return f"F({self.between}, {self.within}) = {self.F:.2f}, p = {self.p_value:.2g}"


@dataclass(frozen=True)
class RatingAnalysis:
    """What ``analyse_ratings`` found, by question.

    ``means`` has a row a system: mean, ends of its 95 % interval, answers. ``tukey`` has a row for
    two systems: difference of the means, ends of its interval, p-value. Both are lists of dicts, as
    ``pandas.DataFrame`` takes them.
    """

    means: dict[str, Rows]
    by_raters: dict[str, Variance]
    by_sentences: dict[str, Variance]
    tukey: dict[str, Rows]

    def to_dict(self) -> dict[str, object]:
        """Everything as JSON-ready values."""
        variances = {"by_raters": self.by_raters, "by_sentences": self.by_sentences}
        return {
            "means": self.means,
            "tukey": self.tukey,
            **{n: {q: v._asdict() for q, v in one.items()} for n, one in variances.items()},
        }

    def __str__(self) -> str:
        """Tables to print."""
        lines: list[str] = []
        for question, rows in self.means.items():
            wide = max(len(row["system"]) for row in rows)
            lines += [question, f"  {'':{wide}}{'mean':>7}{'95 %':>14}{'answers':>9}"]
            for row in rows:
                ends = f"{row['low']:.2f} to {row['high']:.2f}"
                name, mean = row["system"], row["mean"]
                lines.append(f"  {name:{wide}}{mean:>7.2f}{ends:>14}{row['answers']:>9,}")
            lines.append(f"  by raters    {self.by_raters[question]}")
            lines.append(f"  by sentences {self.by_sentences[question]}")
            for pair in self.tukey[question]:
                lines.append(
                    f"  {pair['first']} - {pair['second']}: {pair['difference']:+.2f} "
                    f"({pair['low']:+.2f} to {pair['high']:+.2f}), p = {pair['p_value']:.2g}"
                )
        return "\n".join(lines)


@checks_arguments
def analyse_ratings(
    answers: str | os.PathLike[str] | Sequence[str | os.PathLike[str]] | Sequence[Answer],
) -> RatingAnalysis:
    """Means, analyses of variance and Tukey's test of answers: CSV files of the form, or rows.

    Cohn & Lapata 2009, section 7 and Table 8: points from 1 to 5 for grammaticality and importance.

    Raises ``ValueError`` for a broken file, naming the line, for two answers to one question, and
    where less than two systems have answers from two raters and on two sentences.
    """
    rows = _rows(answers)
    systems = sorted({row.system for row in rows})
    if len(systems) < 2:
        raise ValueError(f"answers on {len(systems)} system: two are the least to compare")
    means, by_raters, by_sentences, tukey = {}, {}, {}, {}
    for question in QUESTIONS:
        points = [(row, row.points[question]) for row in rows]
        means[question] = [_mean(points, system) for system in systems]
        table, left_out = _table([(row.sentence, row.system, n) for row, n in points], systems)
        tukey[question] = _tukey(table, systems)
        by_sentences[question] = variance(table, left_out, "sentences")
        table, left_out = _table([(row.rater, row.system, n) for row, n in points], systems)
        by_raters[question] = variance(table, left_out, "raters")
    return RatingAnalysis(means, by_raters, by_sentences, tukey)


def variance(table: Sequence[Sequence[float]], left_out: int = 0, of: str = "rows") -> Variance:
    """Analysis of variance of a table, a row a rater or sentence, a column a system.

    Where nothing is left over, F is infinite, or 0 without any difference. Raises ``ValueError``
    for less than two rows or columns.
    """
    from scipy.stats import f

    b = len(table)
    if b < 2 or len(table[0]) < 2:
        raise ValueError(f"{b} of the {of} have answers on every system: two are the least")
    k = len(table[0])
    rows = [math.fsum(row) / k for row in table]
    columns = [math.fsum(column) / b for column in zip(*table)]
    mean = math.fsum(rows) / b
    between = b * math.fsum((column - mean) ** 2 for column in columns) / (k - 1)
    squares = (
        (value - rows[i] - columns[j] + mean) ** 2
        for i, row in enumerate(table)
        for j, value in enumerate(row)
    )
    residual = math.fsum(squares) / ((k - 1) * (b - 1))
    tiny = 1e-12  # what rounding leaves of equal numbers
    ratio = between / residual if residual > tiny else (math.inf if between > tiny else 0.0)
    p_value = float(f.sf(ratio, k - 1, (k - 1) * (b - 1)))
    return Variance(ratio, k - 1, (k - 1) * (b - 1), p_value, b, left_out)


def _table(
    points: Sequence[tuple[Of, str, int]], systems: Sequence[str]
) -> tuple[list[list[float]], int]:
    """The mean answer of each rater or sentence to each system; how many lack one."""
    cells: dict[Of, dict[str, list[int]]] = {}
    for of, system, number in points:
        cells.setdefault(of, {}).setdefault(system, []).append(number)
    whole = [cells[of] for of in sorted(cells) if len(cells[of]) == len(systems)]
    table = [[math.fsum(cell[s]) / len(cell[s]) for s in systems] for cell in whole]
    return table, len(cells) - len(whole)


def _mean(points: Sequence[tuple[Judged, int]], system: str) -> dict[str, object]:
    """The mean of all answers, with Student's interval over the sentences' means."""
    from scipy.stats import t

    of: dict[int, list[int]] = {}
    for row, number in points:
        if row.system == system:
            of.setdefault(row.sentence, []).append(number)
    every = [value for values in of.values() for value in values]
    mean = math.fsum(every) / len(every)
    means = [math.fsum(values) / len(values) for values in of.values()]
    middle = math.fsum(means) / len(means)
    half = math.nan
    if len(means) > 1:
        spread = math.fsum((one - middle) ** 2 for one in means) / (len(means) - 1)
        half = float(t.ppf((1 + LEVEL) / 2, len(means) - 1)) * math.sqrt(spread / len(means))
    interval = {"low": mean - half, "high": mean + half}
    return {"system": system, "mean": mean, **interval, "answers": len(every)}


def _tukey(table: Sequence[Sequence[float]], systems: Sequence[str]) -> Rows:
    from scipy.stats import tukey_hsd

    columns = list(zip(*table))
    if all(len(set(column)) == 1 for column in columns):
        return []  # nothing varies, and the test divides by that
    found = tukey_hsd(*columns)
    interval = found.confidence_interval(LEVEL)
    tables = [found.statistic, interval.low, interval.high, found.pvalue]
    names = ("difference", "low", "high", "p_value")
    return [
        {"first": systems[i], "second": systems[j]}
        | {name: float(table[i, j]) for name, table in zip(names, tables)}
        for i, j in combinations(range(len(systems)), 2)
    ]


def _rows(
    answers: str | os.PathLike[str] | Sequence[str | os.PathLike[str]] | Sequence[Answer],
) -> list[Judged]:
    several = [answers] if isinstance(answers, str | os.PathLike) else answers
    rows: list[Judged] = []
    for number, one in enumerate(several, start=1):
        if isinstance(one, Mapping):
            rows.append(_judged(one, f"answer {number}"))
        else:
            rows += _read(Path(one))
    seen = set()
    for row in rows:
        if (row.rater, row.sentence) in seen:
            raise ValueError(f"{row.rater} has judged sentence {row.sentence} twice")
        seen.add((row.rater, row.sentence))
    return rows


def _read(path: Path) -> list[Judged]:
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            reader = csv.DictReader(file)
            if not set(COLUMNS) <= set(reader.fieldnames or ()):
                raise ValueError(f"{path} should begin with the columns {', '.join(COLUMNS)}")
            return [_judged(row, f"line {reader.line_num:,} of {path}") for row in reader]
    except (UnicodeDecodeError, csv.Error) as error:
        raise ValueError(f"{path} is no CSV file of answers: {error}") from None


def _judged(row: Answer, place: str) -> Judged:
    try:
        sentence, *points = (_whole(row[name]) for name in ("sentence", *QUESTIONS))
    except (KeyError, TypeError, ValueError, OverflowError):
        raise ValueError(f"{place}: sentence, {', '.join(QUESTIONS)} are whole numbers") from None
    named = dict(zip(QUESTIONS, points))
    for name, number in named.items():
        if number not in SCALE:
            raise ValueError(f"{place}: {name} is from {SCALE[0]} to {SCALE[-1]}: {number}")
    return Judged(str(row.get("rater")), sentence, str(row.get("system")), named)


def _whole(value: Any) -> int:
    """A whole number, or its digits. Raises ``ValueError`` for one with a fraction."""
    number = int(value)
    if not isinstance(value, str) and number != value:
        raise ValueError(value)
    return number
