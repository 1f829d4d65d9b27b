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

    better, than            two groups of rows; of the quantities in ``LESS`` less is better; an
                            effect ``within`` so many points is not what the words mean
    order                   several, best first: every two neighbours must come out so
    rises | falls, along    a curve: the line through its points, over the same sentences
    alike, within           two that differ by no more than so many points
    power, along, value     on log-log paper a line through all points is no steeper than ``value``
    same, value, within     rows that all have this value, as far as ``within`` (0 if left out)

``p`` is the level to reach, 0.05 unless the paper names another; ``ours = true`` marks a claim that
no paper makes, ``paper`` one of another paper than the specification's, and ``fact = true`` one
that no test is asked about: a size, arithmetic, or what holds by construction. Rows of another
experiment's record are named with ``experiment``. Nobody writes a verdict by hand.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from statistics import mean
from typing import NamedTuple

from wordorder_lab.experiments.measures.several_trainings import (
    rises_of_each,
    scores_of_each,
    seed_of,
    told_of_each,
    variance_of_mean,
)
from wordorder_lab.experiments.runs.schema import SpecificationError, Table
from wordorder_lab.metrics.randomisation import (
    Change,
    compare,
    compare_bins,
    p_in_words,
    sentences_needed,
)
from wordorder_lab.metrics.significance import SCALES, SENTENCE_SCORES, Scores, has
from wordorder_lab.structures.messages import unknown_name

TIMES = ("epoch_seconds", "training_seconds", "ms_per_sentence", "ms", "log10_ms")
LESS = ("timeouts", "no_goal", "loss_sum", "total_variation", *TIMES)
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
MAY = ("says", "on", "printed", "p", "within", "ours", "paper", "fact")
ELSEWHERE = "experiment"
"""In a name: whose record has these rows."""
ROWS_SAY = ("split", "pos", "deps", "seed", "grid", ELSEWHERE)
"""Settings of which rows may have other values than runs."""
COUNTED = {
    "sentences_finished": ("sentences_finished", "sentences_limit", "sentences_stopped"),
    "timeouts": ("timeouts", "sentences"),
}
"""Quantities of which rows have no more than counts -> where these are: how training sentences
ended in an epoch (the first found their gold goal: they are learned), and the share of sentences
that were not finished in time."""
BUDGET = {
    "pairs": "{} pairs",
    "trees": "{} trees",
    "max_length": "up to {} units",
    "expansions": "{} expansions",
    "epoch": "epochs {}",
    "beam": "beam {}",
}
"""Columns that say what a training could spend."""
IN_FOLDS = ", {} folds"
"""Behind the name of a corpus whose sentences were all scored."""
FEWEST = 5
"""Points of a curve that no sentences were kept of: four can come in order by chance."""
FREE = 4_000
"""Sentences that free corpora have for a claim: the Penn sample 3,914 in folds, EWT some more in
its held-out parts. The Gazette's grammar makes as many as one likes."""

Rows = Sequence[Table]
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
    paper: str = ""
    fact: bool = False


REPRODUCED = "reproduced"
SMALLER = "reproduced, smaller than printed"
LARGER = "reproduced, larger than printed"
ALIKE = "alike"
SAME = "same direction, not significant"
EXCLUDED = "excluded: not of the paper's size"
NOT = "not reproduced"
OPPOSITE = "opposite"
FACT = "fact"
CANNOT = "cannot be tested here"
NOT_JUDGED = "not judged yet"
VERDICTS = {
    REPRODUCED: "the paper's direction, with p < 0.05 and an interval without 0; where it prints a "
    "difference, its size is in our interval",
    SMALLER: "the same, but our interval ends below the difference that the paper prints",
    LARGER: "the same, but our interval begins above it",
    ALIKE: "a claim that two are alike: our whole interval is within the margin",
    SAME: "the paper's direction, but chance may have made it",
    EXCLUDED: "our interval ends below the least that the words can mean; or nothing is "
    "significant, and it ends below the difference that the paper prints",
    NOT: "another direction or none, and chance may have made that, too",
    OPPOSITE: "the other direction, significantly",
    FACT: "a size, arithmetic, or what holds by construction: compared, not tested",
    CANNOT: "our record lacks what a test needs, or at the effect that is seen it would take more "
    "sentences than free corpora have",
    NOT_JUDGED: "there is no record",
}
"""Verdict -> what it means."""
HOLDS = (REPRODUCED, SMALLER, LARGER, ALIKE, FACT)
WORSE = (*HOLDS, SAME, EXCLUDED, CANNOT, NOT, OPPOSITE, NOT_JUDGED)
"""A claim of several parts is as good as the worst of them."""


class Verdict(NamedTuple):
    """What came out: ``verdict`` is one of ``VERDICTS``. ``difference`` is ours in the quantity's
    points, with the 95 % ``interval`` and the two-sided ``p_value`` where a test could be made, of
    so many ``sentences``; so many are ``needed`` to show a difference of this size. Of a curve, it
    is from the first point of the line to the last. ``told`` says it in words; ``corpus`` is that
    of the rows, ``budget`` what they were trained with."""

    claim: Claim
    verdict: str
    told: str
    difference: float | None = None
    interval: tuple[float, float] | None = None
    p_value: float | None = None
    sentences: int | None = None
    needed: int | None = None
    corpus: str = ""
    budget: str = ""


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
    more = ("along", "value", "within", "printed", "p", "ours", "paper", "fact")
    options = {name: given[name] for name in more if name in given}
    return Claim(given["says"], kind, tuple(groups), given["on"], **options)


def check_names(names: Table, runs: Sequence[Table]) -> None:
    """Raise ``SpecificationError`` for a name whose settings no run has."""
    here = {name: wanted for name, wanted in names.items() if ELSEWHERE not in wanted}
    for name, wanted in here.items():
        for setting, value in wanted.items():
            values = [run[setting] for run in runs if setting in run and setting not in ROWS_SAY]
            if values and not any(_is(one, value) for one in values):
                there = ", ".join(sorted(set(map(str, values))))
                raise SpecificationError(
                    f"names.{name}: no run has {setting} {value!r}; there are {there}"
                )


def judge(
    claims: Sequence[Claim],
    names: Mapping[str, Table],
    record: Table | None,
    choose: Choose,
    elsewhere: Mapping[str, tuple[Table, Choose]] | None = None,
) -> list[Verdict]:
    """The verdict on each claim; ``choose`` says which rows a name means, ``elsewhere`` has the
    records of other experiments that are named, each with what says it of its rows. Without a
    record none is judged."""
    if record is None or SENTENCE_SCORES not in record:
        lacking = "its record keeps no scores of sentences" if record else "there is no record"
        return [Verdict(claim, NOT_JUDGED, lacking) for claim in claims]
    both = {"": (record, choose), **(elsewhere or {})}
    every = {of: one for of, (one, _) in both.items()}
    whole = {part: [x for one in every.values() for x in one[part]] for part in PARTS}
    starts = dict(zip(every, accumulate((len(one["rows"]) for one in every.values()), initial=0)))
    groups = {}
    for name, wanted in names.items():
        of = wanted.get(ELSEWHERE, "")
        rows = every[of]["rows"] if of in every else []
        asked = {key: value for key, value in wanted.items() if key != ELSEWHERE}
        has = [all(_is(row.get(key), value) for key, value in asked.items()) for row in rows]
        _, chosen = both.get(of, both[""])
        found = chosen(rows, [i for i, it_has in enumerate(has) if it_has], asked)
        groups[name] = [starts[of] + i for i in found]
    return [_judged(claim, groups, whole) for claim in claims]


PARTS = ("rows", SENTENCE_SCORES)


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
    every = [i for group in places for i in group]
    if claim.kind in OF_ROWS:
        verdicts = [OF_ROWS[claim.kind](claim, every, record)]
    else:
        judge_pair = _alike if claim.kind == "alike" else _better
        verdicts = [judge_pair(claim, *pair, record=record) for pair in pairwise(places)]
    found = max(verdicts, key=lambda verdict: WORSE.index(verdict.verdict))
    rows = [record["rows"][i] for i in every]
    corpus = rows[0].get("corpus", "")
    corpus += IN_FOLDS.format(rows[0]["folds"]) if "folds" in rows[0] else ""
    return found._replace(corpus=corpus, budget=_budget(rows, claim.along))


def _budget(rows: Rows, along: str) -> str:
    """What the rows were trained with, in words: of several values all, along a curve the last."""
    parts = []
    for name, words in BUDGET.items():
        values = sorted({row[name] for row in rows if isinstance(row.get(name), int)})
        some = values[-1:] if name == along else values
        parts += [words.format(" or ".join(f"{value:,}" for value in some))] if values else []
    orders = {seed_of(row) for row in rows if row.get("shuffle")}
    parts += [f"{len(orders)} orders of the sentences"] * (len(orders) > 1)
    return ", ".join(parts)


def _better(claim: Claim, above: Sequence[int], below: Sequence[int], *, record: Table) -> Verdict:
    if claim.fact:
        return _counted_fact(claim, above, below, record["rows"])
    found = _difference(claim, above, below, record)
    if found.p_value is None:
        return found
    return _directed(found, -1 if claim.on in LESS else 1, record["rows"][above[0]])


def _directed(found: Verdict, way: int, row: Table) -> Verdict:
    """The verdict on a difference that a claim wants above 0, or (``way`` -1) below it."""
    claim, difference = found.claim, found.difference or 0.0
    sure = found.p_value is not None and found.p_value < claim.p
    if found.interval is None:
        return found._replace(verdict=verdict_of(way * difference, sure))
    low, high = sorted(way * end for end in found.interval)
    verdict = verdict_of(way * difference, sure and not low <= 0 <= high)
    if claim.printed is not None:
        verdict = sized(verdict, low, high, way * claim.printed)
    if claim.within and verdict != OPPOSITE and high < claim.within:
        told = f"{found.told}; within {claim.within:g} is not what it says"
        found, verdict = found._replace(told=told), EXCLUDED
    found = found._replace(verdict=verdict)
    if verdict != SAME or not found.sentences:
        return found
    needed = sentences_needed(difference, low, high, found.sentences)
    return _enough(found, row, needed) if needed > found.sentences else found


def sized(verdict: str, low: float, high: float, printed: float) -> str:
    """The verdict, once the size is asked, too: the interval beside the difference that a paper
    prints, both above 0 where they go the paper's way."""
    if verdict == REPRODUCED:
        return SMALLER if high < printed else LARGER if low > printed else REPRODUCED
    return EXCLUDED if verdict in (SAME, NOT) and high < printed else verdict


def _enough(found: Verdict, row: Table, needed: int) -> Verdict:
    """What is not significant, with how many sentences would do, and whether anybody has them."""
    verdict = SAME if needed <= FREE or row.get("corpus") == "gazette" else CANNOT
    told = f"{found.told}; with this effect {needed:,} sentences would decide"
    return found._replace(verdict=verdict, needed=needed, told=told)


def _counted_fact(claim: Claim, above: Sequence[int], below: Sequence[int], rows: Rows) -> Verdict:
    least, most = min(rows[i][claim.on] for i in above), max(rows[i][claim.on] for i in below)
    told = f"{least:,.6g} against {most:,.6g}"
    return Verdict(claim, FACT if least > most else NOT, told, least - most)


def _alike(claim: Claim, first: Sequence[int], second: Sequence[int], *, record: Table) -> Verdict:
    """Whether two groups differ by no more than ``within``: the whole interval must lie inside."""
    found = _difference(claim, first, second, record)
    if found.interval is None or found.difference is None:
        return found
    low, high = found.interval
    room = claim.within - abs(found.difference)
    if room >= 0:
        verdict = ALIKE if -claim.within <= low and high <= claim.within else SAME
    else:
        verdict = OPPOSITE if low > claim.within or high < -claim.within else NOT
    told = f"{found.told}; alike is within {claim.within:g}"
    found = found._replace(verdict=verdict, told=told)
    if verdict != SAME or not found.sentences or not room:
        return found
    needed = math.ceil(found.sentences * ((high - low) / 2 / room) ** 2)
    return _enough(found, record["rows"][first[0]], needed)


def _difference(
    claim: Claim, first: Sequence[int], second: Sequence[int], record: Table
) -> Verdict:
    """First minus second, not judged yet: of sentences if they have kept the quantity, of rows that
    are a sentence each, or of counts; else it cannot be tested."""
    rows, kept, on = record["rows"], record[SENTENCE_SCORES], claim.on
    groups: list[Sequence[Scores]] = [[kept[i] for i in group] for group in (second, first)]
    if not all(has(kept[i], on) for i in (*first, *second)):
        groups = [_of_sentences([rows[i] for i in group], on) for group in (second, first)]
    if all(group for group in groups):
        try:
            found = compare(groups, on)
        except ValueError as error:
            return Verdict(claim, CANNOT, str(error))
        printed = [mean(rows[i][on] for i in group) for group in (first, second)]
        more = _other_score(found, printed, on) + told_of_each(rows, first, second, on)
        spread = sum(variance_of_mean(scores_of_each(rows, of, on)) for of in (first, second))
        return _told(claim, found.over_trainings(spread), more)
    counts = [_counts([rows[i] for i in group], on) for group in (first, second)]
    if all(counts):
        return _of_counts(claim, *counts)
    scale = SCALES.get(on, 1.0)
    means = [scale * mean(rows[i][on] for i in group) for group in (first, second)]
    difference = means[0] - means[1]
    told = f"{means[0]:.3g} against {means[1]:.3g}: {difference:+.3g}; {NOTHING_KEPT}"
    return Verdict(claim, CANNOT, told, difference)


NOTHING_KEPT = "no test: nothing of it was kept sentence by sentence"


def _of_sentences(rows: Rows, on: str) -> Sequence[Scores]:
    """What rows have kept that are a sentence each, numbered from 1, as those of a paper's printed
    outputs are."""
    placed = sorted(rows, key=lambda row: row.get("number", 0))
    if len(rows) < 2 or [row.get("number") for row in placed] != [*range(1, len(rows) + 1)]:
        return []
    return [{on: [{"values": [row[on] for row in placed]}]}]


def _told(claim: Claim, found: Change, more: str = "") -> Verdict:
    """Numbers of a test in words, the last group first; the verdict is still to be found."""
    first, *_, last = found.scores
    of = 2 if max(abs(first), abs(last)) >= 0.1 else 4
    told = f"{last:.{of}f} against {first:.{of}f}: {found.change:+.{of}f} ({found.low:+.{of}f} to "
    told += f"{found.high:+.{of}f}), {p_in_words(found.p_value)}, "
    told += f"{found.sentences:,} sentences{more}"
    numbers = (found.change, (found.low, found.high), found.p_value, found.sentences)
    return Verdict(claim, NOT_JUDGED, told, *numbers)


def _other_score(found: Change, printed: Sequence[float], on: str) -> str:
    """What a table prints, where a record has kept only the sentences' own scores, whose mean is
    another number."""
    if not found.means or len(printed) < 2:
        return ""
    scale = SCALES.get(on, 1.0)
    first, second = (scale * number for number in printed)
    if max(abs(first - found.scores[1]), abs(second - found.scores[0])) < 0.05:
        return ""
    return f"; sentences' mean (all together {first:.2f} against {second:.2f}, no counts kept)"


def _counts(rows: Rows, on: str) -> list[int]:
    """So many are, so many are not, on average of rows, which are of the same sentences; nothing
    where rows do not say of how many they speak."""
    wanted = COUNTED.get(on, ())
    if not wanted or any(name not in row for row in rows for name in wanted):
        return []
    if on == "timeouts":
        every = mean(row["sentences"] for row in rows)
        late = round(mean(row[on] * row["sentences"] for row in rows))
        return [late, round(every) - late]
    ends = [round(mean(row[end] for row in rows)) for end in wanted]
    return [ends[0], sum(ends[1:])]


def _of_counts(claim: Claim, first: Sequence[int], second: Sequence[int]) -> Verdict:
    """Two shares of which only counts were kept: no record says which sentences they are of, so
    that the test cannot pair them. The interval is Newcombe's (1998, his method 10), in points."""
    from scipy.stats import binomtest, fisher_exact

    p_value = float(fisher_exact([first, second]).pvalue)
    shares = [100 * counts[0] / sum(counts) for counts in (first, second)]
    of = [binomtest(yes, yes + no).proportion_ci(method="wilson") for yes, no in (first, second)]
    (below, above), (less, more) = ((100 * one.low, 100 * one.high) for one in of)
    difference = shares[0] - shares[1]
    low = difference - math.hypot(shares[0] - below, more - shares[1])
    high = difference + math.hypot(above - shares[0], shares[1] - less)
    told = " against ".join(f"{counts[0]:,} of {sum(counts):,}" for counts in (first, second))
    told += f": {difference:+.2f} points ({low:+.2f} to {high:+.2f}), {p_in_words(p_value)}, "
    told += "Fisher's exact test: no sentences were kept"
    return Verdict(claim, NOT_JUDGED, told, difference, (low, high), p_value, sum(first))


def _curve(claim: Claim, places: Sequence[int], record: Table) -> Verdict:
    rows, kept, on = record["rows"], record[SENTENCE_SCORES], claim.on
    if any(claim.along not in rows[i] for i in places):
        return Verdict(claim, NOT_JUDGED, f"a row of the record has no {claim.along}")
    points: dict[object, list[int]] = {}
    for i in places:
        points.setdefault(rows[i][claim.along], []).append(i)
    if all(isinstance(x, int | float) for x in points):
        points = dict(sorted(points.items(), key=lambda item: float(str(item[0]))))
    if len(points) < 3:
        return Verdict(claim, NOT_JUDGED, f"{len(points)} points are no curve")
    if claim.fact or not all(has(kept[i], on) for i in places):
        return _ranked(claim, [rows[i] for i in places])
    groups = [[kept[i] for i in point] for point in points.values()]
    counts = [rows[point[0]].get("sentences") for point in points.values()]
    if len(set(counts)) > 1:
        of = f"; of {', '.join(f'{count:,}' for count in counts)} by point"
        found = _told(claim, compare_bins(groups, on, nested=claim.along == "up_to"), of)
    else:
        first, *_, final = points.values()
        spread = sum(variance_of_mean(scores_of_each(rows, point, on)) for point in (first, final))
        ends = compare([groups[0], groups[-1]], on).over_trainings(spread)
        last = f"; the last point alone {ends.change:+.2f}, {p_in_words(ends.p_value)}"
        lines = rises_of_each(rows, list(points.values()), on)
        found = _told(claim, compare(groups, on).over_trainings(variance_of_mean(lines)), last)
    found = found._replace(told=f"along {len(points)} points {found.told}")
    return _directed(found, 1 if claim.kind == "rises" else -1, rows[places[0]])


def _ranked(claim: Claim, points: Rows) -> Verdict:
    """A curve of which no sentences were kept, such as one of times, by its points alone."""
    x = [*dict.fromkeys(row[claim.along] for row in points)]
    y = [mean(row[claim.on] for row in points if row[claim.along] == one) for one in x]
    told = f"{y[0]:.4g} to {y[-1]:.4g} over {len(x)} points"
    if claim.fact:
        holds = y == sorted(y, reverse=claim.kind == "falls")
        return Verdict(claim, FACT if holds else NOT, told, y[-1] - y[0])
    if len(set(x)) < FEWEST:
        chance = 2 / math.factorial(len(x))
        told += f", which stand in order by chance with p = {chance:.2g}; {NOTHING_KEPT}"
        return Verdict(claim, CANNOT, told)
    if len(set(y)) == 1:
        return Verdict(claim, NOT, f"the same at all {len(y)} points", 0.0, None, 1.0)
    places = x if all(isinstance(one, int | float) for one in x) else range(len(x))  # bins: "9-11"
    rho, p_value = rank_correlation(places, y)
    verdict = verdict_of(rho if claim.kind == "rises" else -rho, p_value < claim.p)
    runs = "one run" if len(x) == len(points) else "several runs"
    told += f" of {runs} each, rank correlation {rho:+.2f}, p = {p_value:.2g}"
    return Verdict(claim, verdict, told, rho, None, p_value)


def verdict_of(direction: float, sure: bool) -> str:
    """The verdict on a difference: above 0 it goes the paper's way; ``sure``, if significantly."""
    if direction > 0:
        return REPRODUCED if sure else SAME
    return OPPOSITE if sure and direction < 0 else NOT


def rank_correlation(x: Sequence[float], y: Sequence[float]) -> tuple[float, float]:
    """Spearman's correlation, and how often shuffled points would have one as far from 0.

    Up to seven points every order of them is tried; of more, 9,999 orders with a seed. (The usual t
    distribution calls five points in order certain, with p = 0.)
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


def _power(claim: Claim, places: Sequence[int], record: Table) -> Verdict:
    from scipy.stats import linregress, t

    both = [(record["rows"][i].get(claim.along, 0), record["rows"][i][claim.on]) for i in places]
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
    gap = slope - claim.value
    return Verdict(claim, verdict, words, gap, (low, high), sentences=len(points))


def _same(claim: Claim, places: Sequence[int], record: Table) -> Verdict:
    values = [record["rows"][i][claim.on] for i in places]
    farthest = max(values, key=lambda value: abs(value - claim.value))
    gap = farthest - claim.value
    holds = FACT if claim.fact else REPRODUCED
    verdict = holds if abs(gap) <= claim.within + 1e-12 else NOT
    return Verdict(claim, verdict, f"{farthest:g} against {claim.value:g}", gap)


OF_ROWS = {"rises": _curve, "falls": _curve, "power": _power, "same": _same}


def as_data(verdicts: Sequence[Verdict]) -> list[dict[str, str]]:
    """Verdicts as JSON-ready values."""
    return [{"says": one.claim.says, "verdict": one.verdict, "told": one.told} for one in verdicts]


def counted(verdicts: Iterable[Verdict]) -> dict[str, int]:
    """How many claims have each verdict, in the order of ``VERDICTS``; facts are not counted."""
    every = [one.verdict for one in verdicts if not one.claim.fact]
    return {verdict: every.count(verdict) for verdict in VERDICTS if verdict != FACT}


def count_line(verdicts: Iterable[Sequence[Verdict]]) -> str:
    """How many claims came out how: "9 claims of the papers: 5 reproduced, ..."; facts apart."""
    every = [one for mine in verdicts for one in mine]
    facts = [one.verdict == FACT for one in every if one.claim.fact]
    lines = []
    for whose, ours in (("of the papers", False), ("of ours", True)):
        mine = counted(one for one in every if one.claim.ours == ours)
        parts = [f"{number} {verdict}" for verdict, number in mine.items() if number]
        number = sum(mine.values())
        noun = "claim" if number == 1 else "claims"
        lines += [f"{number} {noun} {whose}: {'; '.join(parts)}"] if number else []
    noun = "fact" if len(facts) == 1 else "facts"
    lines += [f"{len(facts)} {noun} (sizes, arithmetic), of which {sum(facts)} hold"] * any(
        one.claim.fact for one in every
    )
    return ". ".join(lines) or "no claims"
