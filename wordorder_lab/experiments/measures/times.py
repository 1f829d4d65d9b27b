"""How long ordering takes, and how the time grows with the length of the sentence."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from wordorder_lab.structures.bag import WordBag
from wordorder_lab.systems.model import OrderingModel

LEAST_LENGTH = 10
"""A second line is fitted from here on: below it, what a sentence costs at all weighs in."""


class Power(NamedTuple):
    """``milliseconds = factor * n ** power``, over ``points`` sentences of ``least`` units up.

    ``error`` is the standard error of the power, ``r_squared`` the share of variance explained in
    log-log.
    """

    least: int
    points: int
    power: float
    error: float
    factor: float
    r_squared: float


def fit_power(
    lengths: Sequence[int], milliseconds: Sequence[float], least: int = 1
) -> Power | None:
    """Least squares in log-log; ``None`` unless there are two lengths to draw a line through."""
    import numpy as np
    from scipy.stats import linregress

    kept = [(n, ms) for n, ms in zip(lengths, milliseconds, strict=True) if n >= least and ms > 0]
    if len({n for n, _ in kept}) < 2:
        return None
    x, y = np.log(np.array(kept, float)).T
    line = linregress(x, y)
    values = (line.slope, line.stderr, np.exp(line.intercept), line.rvalue**2)
    return Power(least, len(kept), *map(float, values))


def fits(rows: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Lines through the rows of timed sentences, for each share of tags: all, and the longer."""
    found = []
    for pos in dict.fromkeys(row["pos"] for row in rows):
        mine = [row for row in rows if row["pos"] == pos]
        for least in (1, LEAST_LENGTH):
            fit = fit_power([row["length"] for row in mine], [row["ms"] for row in mine], least)
            if fit is not None:
                found.append({"pos": pos, **fit._asdict()})
    return found


def time_each(
    model: OrderingModel,
    bags: Sequence[WordBag],
    beam: int | None = None,
    engine: str | None = None,
    repeats: int = 5,
    **search: Any,
) -> list[float]:
    """Seconds for each bag: the least of so many rounds over all bags, after a first one for free.

    Other work on the machine only ever adds time, so the least is the best guess at the truth.
    """
    rounds: list[list[float]] = []
    for turn in range(repeats + 1):
        seconds = []
        for bag in bags if turn else bags[:1]:
            begin = time.perf_counter()
            model.order(bag, beam=beam, engine=engine, **search)
            seconds.append(time.perf_counter() - begin)
        rounds.append(seconds)
    return [min(times) for times in zip(*rounds[1:], strict=True)]


def time_search(
    model: OrderingModel,
    bags: Sequence[WordBag],
    beam: int,
    engine: str | None = None,
    **search: Any,
) -> list[float]:
    """Seconds for each bag in the decoder alone, its tags looked up and its result not read off."""
    seconds = []
    for bag in bags:
        problem = model.problem(bag)
        begin = time.perf_counter()
        model.search(problem, beam=beam, engine=engine, **search)
        seconds.append(time.perf_counter() - begin)
    return seconds
