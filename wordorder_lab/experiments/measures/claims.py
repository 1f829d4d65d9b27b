"""What a paper says of its table or figure, as data, and whether our record bears it out.

A specification calls some of its rows by name, and lists what the paper claims of them:

    [names]
    expanded = { update = "scaled", negatives = "expand" }
    discarded = { update = "scaled", negatives = "discard" }

    [[claims]]
    says = "expanding negative examples improves BLEU"
    better = "expanded"
    than = "discarded"
    on = "bleu_cased"
    printed = 1.3                   # the paper's own difference, where its text gives one

The kinds of comparison:

    better, than            two groups of rows; of the quantities in ``LESS`` less is better
    order                   several, best first: every two neighbours must come out so
    rises | falls, along    a curve: Spearman's rank correlation with what stands on the x axis
    alike, within           two that differ by no more than so many points
    power, along, value     on log-log paper a line through all points is no steeper than ``value``
    same, value, within     rows that all have this value, as far as ``within`` (0 if left out)

``p`` is the level to reach, 0.05 unless the paper names another; ``ours = true`` marks a claim that
no paper makes. Nobody writes a verdict by hand.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import mean
from typing import NamedTuple

from wordorder_lab.experiments.runs.schema import SpecificationError, Table
from wordorder_lab.metrics.significance import SCALES, SENTENCE_SCORES, compare, has
from wordorder_lab.structures.messages import unknown_name

LESS = ("timeouts", "no_goal", "epoch_seconds", "training_seconds", "ms_per_sentence", "loss_sum")
KINDS: dict[str, tuple[str, ...]] = {
    "better": ("than",),
    "order": (),
    "rises": ("along",),
    "falls": ("along",),
    "alike": ("within",),
    "power": ("along", "value"),
    "same": ("value",),
}
"""What each kind of comparison must say besides ``says`` and ``on``."""
MAY = ("says", "on", "printed", "p", "within", "ours")
ROWS_SAY = ("split", "pos", "deps", "seed", "grid")
"""Settings of which rows may have other values than runs."""
FEWEST = 6
"""Pairs of rows that Wilcoxon's test is asked about, where sentences have kept nothing."""

Choose = Callable[[Sequence[Table], Sequence[int], Table], list[int]]


@dataclass(frozen=True)
class Claim:
    """One claim: ``groups`` are names of rows, ``kind`` is a key of ``KINDS``."""

    says: str
    kind: str
    groups: tuple[str, ...]
    on: str
    along: str = ""
    value: float = 0.0
    within: float = 0.0
    printed: float | None = None
    p: float = 0.05
    ours: bool = False


REPRODUCED = "reproduced"
SAME = "same direction, not significant"
NOT = "not reproduced"
OPPOSITE = "opposite"
NOT_JUDGED = "not judged yet"
VERDICTS = (REPRODUCED, SAME, NOT, OPPOSITE, NOT_JUDGED)
"""Same direction and significant; the same without; another direction or none, not significant;
significant the other way; and of a record that keeps no scores of sentences."""


class Verdict(NamedTuple):
    """What came out: ``verdict`` is one of ``VERDICTS``. ``difference`` is ours in the quantity's
    points (of a curve: the rank correlation), with the 95 % ``interval`` and the two-sided
    ``p_value`` where a test could be made; ``told`` says it in words."""

    claim: Claim
    verdict: str
    told: str
    difference: float | None = None
    interval: tuple[float, float] | None = None
    p_value: float | None = None


def read_claims(content: Sequence[Table], names: Mapping[str, Table]) -> tuple[Claim, ...]:
    """The claims of a specification. Raises ``SpecificationError`` with the number of the claim."""
    claims = []
    for number, given in enumerate(content, 1):
        try:
            claims.append(_read(given, names))
        except SpecificationError as error:
            raise SpecificationError(f"claim {number}: {error}") from None
    return tuple(claims)


def _read(given: Table, names: Table) -> Claim:
    kinds = [kind for kind in KINDS if kind in given]
    if len(kinds) != 1:
        raise SpecificationError(f"compares by one of {', '.join(KINDS)}, and by one alone")
    (kind,) = kinds
    needed = ("says", "on", kind, *KINDS[kind])
    for name in needed:
        if name not in given:
            raise SpecificationError(f"has no {name!r}, which {kind!r} needs")
    for name in given:
        if name not in (*needed, *MAY):
            raise SpecificationError(f"has {unknown_name('key', name, (*needed, *MAY))}")
    first = given[kind]
    groups = [first] if isinstance(first, str) else list(first)
    groups += [given["than"]] if "than" in given else []
    fewest, most = {"order": (2, 99), "alike": (2, 2), "better": (2, 2)}.get(kind, (1, 99))
    if not fewest <= len(groups) <= most:
        raise SpecificationError(f"{kind!r} names {fewest} groups of rows, not {len(groups)}")
    for group in groups:
        if group not in names:
            known = ", ".join(names) or "none: add a table [names]"
            raise SpecificationError(f"no rows are called {group!r}; there are {known}")
    more = ("along", "value", "within", "printed", "p", "ours")
    options = {name: given[name] for name in more if name in given}
    return Claim(given["says"], kind, tuple(groups), given["on"], **options)


def check_names(names: Table, runs: Sequence[Table]) -> None:
    """Raise ``SpecificationError`` for a name whose settings no run has."""
    for name, wanted in names.items():
        for setting, value in wanted.items():
            values = [run[setting] for run in runs if setting in run and setting not in ROWS_SAY]
            if values and not any(_is(one, value) for one in values):
                there = ", ".join(sorted(set(map(str, values))))
                raise SpecificationError(
                    f"names.{name}: no run has {setting} {value!r}; there are {there}"
                )


def judge(
    claims: Sequence[Claim], names: Mapping[str, Table], record: Table | None, choose: Choose
) -> list[Verdict]:
    """The verdict on each claim; ``choose`` says which rows a name means. Without a record, or with
    one that keeps no scores of sentences, none is judged."""
    if record is None or SENTENCE_SCORES not in record:
        lacking = "its record keeps no scores of sentences" if record else "there is no record"
        return [Verdict(claim, NOT_JUDGED, lacking) for claim in claims]
    rows = record["rows"]
    groups = {}
    for name, wanted in names.items():
        has = [all(_is(row.get(key), value) for key, value in wanted.items()) for row in rows]
        groups[name] = choose(rows, [i for i, it_has in enumerate(has) if it_has], wanted)
    return [_judged(claim, groups, record) for claim in claims]


def _is(value: object, wanted: object) -> bool:
    return value in wanted if isinstance(wanted, list) else value == wanted


def _judged(claim: Claim, groups: Mapping[str, Sequence[int]], record: Table) -> Verdict:
    empty = [name for name in claim.groups if not groups[name]]
    if empty:
        return Verdict(claim, NOT_JUDGED, f"the record has no row called {', '.join(empty)}")
    places = [groups[name] for name in claim.groups]
    lacking = [i for group in places for i in group if claim.on not in record["rows"][i]]
    if lacking:
        return Verdict(claim, NOT_JUDGED, f"a row of the record has no {claim.on}")
    if claim.kind in OF_ROWS:
        return OF_ROWS[claim.kind](claim, [record["rows"][i] for group in places for i in group])
    if claim.kind == "alike":
        return _alike(claim, *places, record=record)
    verdicts = [_better(claim, *pair, record=record) for pair in pairwise(places)]
    return max(verdicts, key=lambda verdict: VERDICTS.index(verdict.verdict))


def _better(claim: Claim, above: Sequence[int], below: Sequence[int], *, record: Table) -> Verdict:
    difference, interval, p_value, words = _difference(claim.on, above, below, record)
    direction = -difference if claim.on in LESS else difference
    if direction == 0:
        words = f"no difference, not significant: {words}"
    verdict = verdict_of(direction, p_value is not None and p_value < claim.p)
    return Verdict(claim, verdict, words, difference, interval, p_value)


def _alike(claim: Claim, first: Sequence[int], second: Sequence[int], *, record: Table) -> Verdict:
    """Whether two groups differ by no more than ``within``: the whole interval must lie inside."""
    difference, interval, p_value, words = _difference(claim.on, first, second, record)
    low, high = interval or (-math.inf, math.inf)
    if abs(difference) <= claim.within:
        verdict = REPRODUCED if -claim.within <= low and high <= claim.within else SAME
    else:
        verdict = OPPOSITE if low > claim.within or high < -claim.within else NOT
    words = f"{words}; alike is within {claim.within:g}"
    return Verdict(claim, verdict, words, difference, interval, p_value)


def _difference(
    quantity: str, first: Sequence[int], second: Sequence[int], record: Table
) -> tuple[float, tuple[float, float] | None, float | None, str]:
    """First minus second: of sentences if they have kept the quantity, else of pairs of rows."""
    rows, kept = record["rows"], record[SENTENCE_SCORES]
    if all(has(kept[i], quantity) for i in (*first, *second)):
        result = compare([kept[i] for i in first], [kept[i] for i in second], quantity)
        words = f"{result.first:.2f} against {result.second:.2f}: {result.difference:+.2f}"
        words += f" ({result.low:+.2f} to {result.high:+.2f}), p = {result.p_value:.3g}"
        interval = (result.low, result.high)
        return result.difference, interval, result.p_value, f"{words}, {result.test}"
    scale = SCALES.get(quantity, 1.0)
    means = [scale * mean(rows[i][quantity] for i in group) for group in (first, second)]
    difference = means[0] - means[1]
    words = f"{means[0]:.3g} against {means[1]:.3g}: {difference:+.3g}"
    pairs = [rows[i][quantity] - rows[j][quantity] for i, j in zip(first, second)]
    if len(first) != len(second) or len(first) < FEWEST or not any(pairs):
        why = "no test: nothing of it was kept sentence by sentence"
        return difference, None, None, f"{words}; {why}"
    from scipy.stats import wilcoxon

    p_value = float(wilcoxon(pairs).pvalue)
    words = f"{words}, p = {p_value:.3g}, Wilcoxon over {len(pairs)} rows"
    return difference, None, p_value, words


def _curve(claim: Claim, points: Sequence[Table]) -> Verdict:
    if any(claim.along not in row for row in points):
        return Verdict(claim, NOT_JUDGED, f"a row of the record has no {claim.along}")
    x, y = ([row[name] for row in points] for name in (claim.along, claim.on))
    if len(set(x)) < 3:
        return Verdict(claim, NOT_JUDGED, f"{len(set(x))} points are no curve")
    if len(set(y)) == 1:
        words = f"the same at all {len(y)} points, not significant"
        return Verdict(claim, NOT, words, 0.0, None, 1.0)
    rho, p_value = rank_correlation(x, y)
    verdict = verdict_of(rho if claim.kind == "rises" else -rho, p_value < claim.p)
    words = f"{y[0]:.4g} to {y[-1]:.4g}, rank correlation {rho:+.2f} over {len(x)} points, "
    return Verdict(claim, verdict, f"{words}p = {p_value:.3g}", rho, None, p_value)


def verdict_of(direction: float, sure: bool) -> str:
    """The verdict on a difference: above 0 it goes the paper's way; ``sure``, if significantly."""
    if direction > 0:
        return REPRODUCED if sure else SAME
    return OPPOSITE if sure and direction < 0 else NOT


def rank_correlation(x: Sequence[float], y: Sequence[float]) -> tuple[float, float]:
    """Spearman's correlation, and how often shuffled points would have one as far from 0.

    Up to seven points every order of them is tried, so that three or four can never be
    significant; of more, 9,999 orders with a seed. (The usual t distribution calls five points in
    order certain, with p = 0.)
    """
    import numpy as np
    from scipy.stats import permutation_test, rankdata

    first, second = (rankdata(values) - (len(values) + 1) / 2 for values in (x, y))
    scale = math.sqrt(float(first @ first) * float(second @ second))
    found = permutation_test(
        (first,),
        lambda ranks, axis: np.round((ranks * second).sum(axis=axis) / scale, 12),
        permutation_type="pairings",
        vectorized=True,
        rng=np.random.default_rng(1),
    )
    return float(found.statistic), float(found.pvalue)


def _power(claim: Claim, rows: Sequence[Table]) -> Verdict:
    from scipy.stats import linregress, t

    both = [(row.get(claim.along, 0), row[claim.on]) for row in rows]
    points = [(math.log(x), math.log(y)) for x, y in both if x > 0 and y > 0]
    if len({x for x, _ in points}) < 3:
        return Verdict(claim, NOT_JUDGED, "three lengths are needed for a line")
    line = linregress(*zip(*points))
    half = float(t.ppf(0.975, len(points) - 2)) * float(line.stderr)
    slope = float(line.slope)
    low, high = slope - half, slope + half
    if slope <= claim.value:
        verdict = REPRODUCED if high <= claim.value else SAME
    else:
        verdict = OPPOSITE if low > claim.value else NOT
    words = f"power {slope:.2f} ({low:.2f} to {high:.2f}) over {len(points)} points"
    return Verdict(claim, verdict, words, slope - claim.value, (low, high))


def _same(claim: Claim, rows: Sequence[Table]) -> Verdict:
    farthest = max((row[claim.on] for row in rows), key=lambda value: abs(value - claim.value))
    gap = farthest - claim.value
    verdict = REPRODUCED if abs(gap) <= claim.within + 1e-12 else NOT
    return Verdict(claim, verdict, f"{farthest:g} against {claim.value:g}", gap)


OF_ROWS = {"rises": _curve, "falls": _curve, "power": _power, "same": _same}


def as_data(verdicts: Sequence[Verdict]) -> list[dict[str, str]]:
    """Verdicts as JSON-ready values."""
    return [{"says": one.claim.says, "verdict": one.verdict, "told": one.told} for one in verdicts]


def counted(verdicts: Sequence[Verdict]) -> dict[str, int]:
    """How many claims have each verdict, in the order of ``VERDICTS``."""
    every = [one.verdict for one in verdicts]
    return {verdict: every.count(verdict) for verdict in VERDICTS}


def count_line(verdicts: Iterable[Sequence[Verdict]]) -> str:
    """How many claims came out how: "9 claims of the papers: 5 reproduced, ..."."""
    every = [one for mine in verdicts for one in mine]
    lines = []
    for whose, ours in (("of the papers", False), ("of ours", True)):
        mine = [one for one in every if one.claim.ours == ours]
        parts = [f"{number} {verdict}" for verdict, number in counted(mine).items() if number]
        noun = "claim" if len(mine) == 1 else "claims"
        lines += [f"{len(mine)} {noun} {whose}: {'; '.join(parts)}"] if mine else []
    return ". ".join(lines) or "no claims"
