"""Every verdict on a claim with scores of sentences, found again by other means.

Nothing here is the package's but its files: specifications, records and the verdicts that are kept.
What is asked of a claim is read off the issue that asked for it and the page ``docs/results/
claims.md``: sign, interval and p of one statistic, the corpus's score; paired randomisation; a
curve by its trend over sentences; sizes beside what is printed; power at the effect that is seen;
of several trainings their spread beside that over sentences.
Coins, draws and sums are its own. Numbers of chance differ, so that a verdict may only differ where
a p-value or an end of an interval lies so near its border that chance can move it across.

    python tests/test_verdicts_again.py [EXPERIMENT]
"""

from __future__ import annotations

import base64
import json
import math
import sys
import tomllib
import zlib
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise, product
from pathlib import Path
from statistics import NormalDist
from typing import Any, NamedTuple

import numpy as np

HOME = Path(__file__).resolve().parent.parent / "wordorder_lab" / "experiments"
USUAL: dict[str, dict[str, tuple[Any, ...]]] = {
    "compression": {"at": ("the references' rate",), "split": ("train", "test")},
    "compressors": {"of": ("strings",), "at": ("its own rate",)},
    "best-epoch": {"split": ("train", "test"), "length": ("all", None)},
    "faults": {"length": ("all",)},
}
"""What rows a claim means that does not say: of each measure but "epochs", which means the last."""
POINTS = (
    "relation_f1 brevity rate precision recall f1 category_precision unigram_f1 fourgram_f1 exact "
    "order_exact inflected inflected_cased distance"
).split()
"""Shares, which are told in per cent."""
LESS = ("timeouts", "no_goal", "loss_sum", "total_variation")
"""Of these less is better."""
WORSE = (
    *("reproduced", "reproduced, smaller than printed", "reproduced, larger than printed", "alike"),
    *("same direction, not significant", "excluded: not of the paper's size"),
    *("cannot be tested here", "not reproduced", "opposite"),
)
"""Of several parts of a claim the worst is its verdict."""
TIMES = 3000
FREE = 4000
Array = Any


class Found(NamedTuple):
    """A change of a score, the ends of its interval, how likely chance is, of how many."""

    change: float
    low: float
    high: float
    p_value: float
    sentences: int


# --- what a record has kept -----------------------------------------------------------------------


def table_of(scores: dict[str, Any], on: str) -> Array:
    """A row a sentence: ten counts of BLEU, or above and below the line; the mean of orderings."""
    tables = []
    for kept in scores.get(on) or scores["bleu_cased"]:
        (form,) = kept
        if form == "values":
            tables.append(np.array([[value, 1.0] for value in kept["values"]]))
            continue
        if isinstance(kept[form], str):
            raw = zlib.decompress(base64.b64decode(kept[form]))
            flat = np.frombuffer(raw, dtype="<i4").astype(float)
            wide = flat.reshape(-1, 10 if form == "counts" else 2)
        else:
            wide = np.array(kept[form], dtype=float).T
        tables.append(wide[:, :2] if on == "brevity" else wide)
    return np.mean(tables, axis=0)


def score(sums: Array) -> float:
    """BLEU with exponential smoothing, or a ratio."""
    if len(sums) == 2:
        return float(sums[0] / sums[1]) if sums[1] else 0.0
    out, there = sums[0], sums[1]
    precise, halved = 1.0, 1.0
    for right, every in zip(sums[2:6], sums[6:10]):
        if every < 1e-9 or max(sums[2:6]) < 1e-9:
            return 0.0
        if right < 1e-9:
            halved /= 2
        precise *= (halved if right < 1e-9 else right) / every
    short = min(1.0, math.exp(1 - there / out))
    return float(100 * short * precise**0.25)


# --- the tests ------------------------------------------------------------------------------------


def slope(scores: Sequence[float]) -> float:
    """How far the least-squares line rises from the first to the last."""
    middle = (len(scores) - 1) / 2
    above = sum((x - middle) * one for x, one in enumerate(scores))
    return above / sum((x - middle) ** 2 for x in range(len(scores))) * (len(scores) - 1)


def turned(tables: Array, chance: Any, times: int) -> Iterator[float]:
    """The slope where a coin says of each sentence whether its points stand the other way round.

    Not in any order: a sentence that a longer search changes once has the same score before and
    the same after, so that points resemble their neighbours, which shuffling would undo.
    """
    for _ in range(times):
        heads = chance.random(tables.shape[1]) < 0.5
        mixed = np.where(heads[:, None], tables[::-1], tables)
        yield slope([score(one) for one in mixed.sum(axis=1)])


def drawn(tables: Array, chance: Any, times: int) -> Iterator[float]:
    """The slope of sentences drawn anew."""
    sentences = tables.shape[1]
    for _ in range(times):
        places = chance.integers(sentences, size=sentences)
        yield slope([score(one) for one in tables[:, places].sum(axis=1)])


def of_bins(
    tables: list[Array], nested: bool, chance: Any, times: int
) -> tuple[float, Array, Array]:
    """The slope along bins of sentences, that of bins that chance fills, and of bins drawn anew."""
    if nested:
        rest = [list(map(tuple, table.tolist())) for table in tables]
        own = [rest[0]]
        for smaller, larger in pairwise(rest):
            larger = list(larger)
            for row in smaller:
                larger.remove(row)
            own.append(larger)
        tables = [np.array(rows).reshape(-1, tables[0].shape[1]) for rows in own]
    ends = np.cumsum([len(table) for table in tables])[:-1]

    def along(parts: Sequence[Array]) -> float:
        sums = np.array([part.sum(axis=0) for part in parts])
        return slope([score(one) for one in (sums.cumsum(axis=0) if nested else sums)])

    every = np.vstack(tables)
    by_chance = [along(np.split(chance.permutation(every), ends)) for _ in range(times)]
    anew = [
        along(
            [
                part[chance.integers(len(part), size=len(part))] if len(part) else part
                for part in tables
            ]
        )
        for _ in range(times)
    ]
    return along(tables), np.array(by_chance), np.array(anew)


def moved(tables: list[Array], on: str, nested: bool) -> Found:
    """The test of scores along groups of the same sentences, or of bins."""
    chance = np.random.default_rng(20260101)
    if len({table.shape for table in tables}) > 1:
        change, by_chance, anew = of_bins(tables, nested, chance, TIMES)
    else:
        whole = np.stack(tables)
        change = slope([score(one) for one in whole.sum(axis=1)])
        by_chance = np.array([*turned(whole, chance, TIMES)])
        anew = np.array([*drawn(whole, chance, TIMES)])
    scale = 100 if on in POINTS else 1
    as_far = int(np.sum(np.abs(by_chance) >= abs(change) - 1e-9))
    p_value = (1 + as_far) / (TIMES + 1)
    if not as_far and by_chance.any():  # too rare to be counted: as a bell curve has it
        p_value = max(1e-99, math.erfc(abs(change) / math.sqrt(2 * np.mean(by_chance**2))))
    low, high = np.quantile(anew, [0.025, 0.975])
    count = sum(map(len, tables)) if len({t.shape for t in tables}) > 1 else len(tables[0])
    count = len(tables[-1]) if nested else count
    return Found(scale * change, scale * low, scale * high, float(p_value), count)


def of_trainings(
    rows: list[list[dict[str, Any]]], each: list[list[Array]], on: str, curve: bool
) -> float:
    """The variance that a change has since models were trained so often and no more: along a curve
    that of the rise of each training, else that of the mean of each group, added up."""

    scale = 100 if on in POINTS else 1

    def several(of: list[dict[str, Any]], tables: list[Array]) -> list[float]:
        """The mean score of each order of the sentences, if each is there equally often."""
        orders: dict[str, list[float]] = {}
        for row, table in zip(of, tables):
            seed = str(row.get("training_seed", row.get("seed"))) if row.get("shuffle") else ""
            orders.setdefault(seed, []).append(scale * score(table.sum(axis=0)))
        fits = "" not in orders and len({len(some) for some in orders.values()}) == 1
        return [float(np.mean(some)) for some in orders.values()] if fits else []

    scores = [several(of, tables) for of, tables in zip(rows, each)]
    if curve:
        fits = len({len(some) for some in scores}) == 1
        scores = [[slope(one) for one in zip(*scores)] if fits else []]
    return float(sum(np.var(some, ddof=1) / len(some) for some in scores if len(some) > 1))


def beside_trainings(found: Found, variance: float) -> Found:
    """Errors over sentences and over trainings together: the interval is wider, and so p larger."""
    sentences = (found.high - found.low) / 3.92
    if not variance or not sentences:
        return found
    wider = math.sqrt(1 + variance / sentences**2)
    low, high = (found.change + wider * (end - found.change) for end in (found.low, found.high))
    bell = NormalDist()
    p_value = math.erfc(-bell.inv_cdf(found.p_value / 2) / wider / math.sqrt(2))
    return Found(found.change, low, high, p_value, found.sentences)


# --- verdicts -------------------------------------------------------------------------------------


def verdict(claim: dict[str, Any], found: Found, way: int, corpus: str) -> str:
    """What became of a claim that a score moves one way, or not at all."""
    low, high = sorted((way * found.low, way * found.high))
    change = way * found.change
    if "alike" in claim:
        room = claim["within"] - abs(change)
        if room < 0:
            outside = low > claim["within"] or high < -claim["within"]
            return "opposite" if outside else "not reproduced"
        if -claim["within"] <= low and high <= claim["within"]:
            return "alike"
        needed = found.sentences * ((high - low) / 2 / room) ** 2
        return undecided(needed, corpus)
    sure = found.p_value < claim.get("p", 0.05) and not low <= 0 <= high
    if high < claim.get("within", -math.inf) and not (sure and change < 0):
        return "excluded: not of the paper's size"
    printed = way * claim["printed"] if "printed" in claim else None
    if sure and change > 0:
        if printed is None or low <= printed <= high:
            return "reproduced"
        size = "smaller" if high < printed else "larger"
        return f"reproduced, {size} than printed"
    if sure:
        return "opposite"
    if printed is not None and high < printed:
        return "excluded: not of the paper's size"
    if change <= 0:
        return "not reproduced"
    needed = found.sentences * ((1.96 + 0.8416) * (high - low) / 3.92 / change) ** 2
    return undecided(needed, corpus) if needed > found.sentences else undecided(0, corpus)


def undecided(needed: float, corpus: str) -> str:
    """Whether the free corpora have as many sentences as it would take."""
    enough = needed <= FREE or corpus == "gazette"
    return "same direction, not significant" if enough else "cannot be tested here"


def by_chance(claim: dict[str, Any], found: Found, way: int, corpus: str) -> set[str]:
    """The verdicts that other numbers of chance may give: p moved by four of its errors, the ends
    by a part of the interval."""
    error = min(found.p_value, 4 * math.sqrt(found.p_value * (1 - found.p_value) / TIMES))
    part = 0.04 * (found.high - found.low)
    moves = product((-1, 0, 1), repeat=3)
    ends = (
        (found.p_value + i * error, found.low + j * part, found.high + k * part)
        for i, j, k in moves
    )
    some = (found._replace(p_value=p, low=low, high=high) for p, low, high in ends)
    return {verdict(claim, one, way, corpus) for one in some}


def rows_of(name: str, content: dict[str, Any], record: dict[str, Any]) -> list[tuple[Any, Any]]:
    """The rows that a name means, each with what its sentences have kept."""
    wanted = dict(content["names"][name])
    if other := wanted.pop("experiment", None):
        path = HOME / "records" / f"{other.replace('-', '_')}.json"
        if not path.exists():
            return []
        record = json.loads(path.read_text())
    usual: dict[str, Any] = {} if other else {**USUAL.get(content["measure"], {})}
    both = list(zip(record["rows"], record["sentence_scores"]))
    fits = []
    for place, (row, scores) in enumerate(both):
        after = both[place + 1][0].get("epoch", 0) if place + 1 < len(both) else 0
        if content["measure"] == "epochs" and "epoch" not in wanted and after > row["epoch"]:
            continue
        asked = {key: one if isinstance(one, list) else [one] for key, one in wanted.items()}
        asked = {**usual, **asked}
        if all(row.get(key) in values for key, values in asked.items()):
            fits.append((row, scores))
    return fits


def groups_of(claim: dict[str, Any], content: dict[str, Any], record: Any) -> list[list[Any]]:
    """The rows of a claim, from the one that should score less to the one that should score more;
    of a curve, a group a point."""
    meant: Callable[[str], Any] = lambda name: rows_of(name, content, record)  # noqa: E731
    if "better" in claim:
        return [meant(claim["than"]), meant(claim["better"])]
    if "alike" in claim:
        return [meant(name) for name in claim["alike"][::-1]]
    points: dict[Any, list[Any]] = {}
    for row, scores in meant(claim.get("rises") or claim["falls"]):
        points.setdefault(row[claim["along"]], []).append((row, scores))
    numbers = all(isinstance(x, int | float) for x in points)
    return [points[x] for x in (sorted(points) if numbers else points)]


def content_of(stem: str) -> dict[str, Any]:
    """A specification; of a variant that of its base, where in folds each split is all sentences,
    and what then is asked twice is asked once."""
    content = tomllib.loads((HOME / "papers" / f"{stem}.toml").read_text())
    if "of" not in content:
        return content
    varied, content = content, content_of(content["of"].replace("-", "_"))
    content["measure"] = varied.get("measure", content["measure"])
    for name in content["names"].values():
        if "experiment" in name:
            name["experiment"] += stem.removeprefix(varied["of"].replace("-", "_"))
        name |= {"corpus": varied["corpus"]} if {"corpus"} & name.keys() & varied.keys() else {}
        name |= {"split": "test"} if "folds" in varied and "split" in name else {}
    same: list[Any] = []
    for claim in content["claims"] if "folds" in varied else ():
        text = {key: one for key, one in claim.items() if key not in ("says", "printed", "ours")}
        for key in ("better", "than"):
            text |= {key: content["names"][text[key]]} if key in text else {}
        claim["asked"] = text in same
        same.append(text)
    content["claims"] = [one for one in content["claims"] if not one.pop("asked", False)]
    return content


def again(name: str) -> Iterator[tuple[str, str, str, bool]]:
    """Claim, the verdict that is kept, the one found here, and whether it is at a border."""
    stem = name.replace("-", "_")
    content = content_of(stem)
    record = json.loads((HOME / "records" / f"{stem}.json").read_text())
    verdicts = json.loads((HOME / "verdicts" / f"{stem}.json").read_text())["claims"]
    for claim, kept in zip(content["claims"], verdicts, strict=True):
        if claim.get("fact") or not {"better", "order", "alike", "rises", "falls"} & claim.keys():
            continue
        parts = [claim]
        if order := claim.get("order"):
            parts = [{**claim, "better": one, "than": two} for one, two in pairwise(order)]
        found = [one for part in parts for one in of_part(part, content, record)]
        if found:
            mine, others = max(found, key=lambda one: WORSE.index(one[0]))
            yield claim["says"], kept["verdict"], mine, kept["verdict"] in others - {mine}


def of_part(claim: dict[str, Any], content: Any, record: Any) -> Iterator[tuple[str, set[str]]]:
    """The verdict on a claim and what chance might make of it; nothing where sentences have kept
    nothing."""
    groups, on = groups_of(claim, content, record), claim["on"]
    every = [scores for group in groups for _, scores in group]
    if (
        groups
        and all(groups)
        and all(s and (on in s or (on == "brevity" and "bleu_cased" in s)) for s in every)
    ):
        each = [[table_of(s, on) for _, s in group] for group in groups]
        tables = [np.mean(some, axis=0) for some in each]
        found = moved(tables, on, claim.get("along") == "up_to")
        learned = [[row for row, _ in group] for group in groups]
        found = beside_trainings(found, of_trainings(learned, each, on, "along" in claim))
        down = "falls" in claim or ("better" in claim and on in LESS)
        asked = (claim, found, -1 if down else 1, groups[0][0][0].get("corpus", ""))
        yield verdict(*asked), by_chance(*asked)


QUICK = (
    *("liu-2015-table-3", "liu-2015-figure-7", "wan-2009"),
    *("zhang-clark-2011-table-4-gazette", "zhang-clark-2015-table-4-ptb"),
)


def test_verdicts_are_found_again_by_other_means() -> None:
    """A few experiments of each kind; ``python tests/test_verdicts_again.py`` takes all."""
    found = [one for name in QUICK for one in again(name)]
    assert len(found) > 20
    assert [one for one in found if one[1] != one[2] and not one[3]] == []
    assert sum(one[1] != one[2] for one in found) <= 1


if __name__ == "__main__":
    chosen = sys.argv[1:] or sorted(path.stem for path in (HOME / "records").glob("*.json"))
    number, differ = 0, []
    for experiment in chosen:
        for says, theirs, mine, near in again(experiment):
            number += 1
            if theirs != mine:
                differ.append((experiment, says, theirs, mine, near))
                print(*differ[-1], sep=" | ", flush=True)
    print(f"{number} verdicts, {len(differ)} others, {sum(one[-1] for one in differ)} at a border")
    sys.exit(any(not one[-1] for one in differ))
