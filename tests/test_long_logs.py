"""A step in a long log does no more than in a short one: what it folds, reads, draws and runs.

A jump may read the whole log once where ranks are wanted, or fold up to 1,600 events.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import pytest
from counting import hold_light, most_work
from random_logs import best_first_log, guided_log, ordering_log
from transduction_logs import LONG, compression_log

import wordorder_lab as wl
from wordorder_lab.commands.bench_players import wide_log
from wordorder_lab.transduction.problem import Beam

MANY = " ".join(f"w{i}" for i in range(45))
PIN = """
const { search, pops } = wordorderPlayer.state(0);
wordorderPlayer.select(0, {serial: pops[pops.length - 2][0] + 2, search});"""
OPEN_A_HISTORY = """wordorderPlayer.size = "update";
wordorderPlayer.step(1);
wordorderPlayer.root.querySelector(".wol-press:not(.wol-order)").dispatchEvent(
  new MouseEvent("click"))"""


def ordering(forbidden: int) -> wl.EventLog:
    log = wl.EventLog(max_events=10_000)
    for event in ordering_log(40, " ".join(f"w{i}" for i in range(14))):
        log.record(*event)
        for _ in range(forbidden if event[0] == "candidate" else 0):
            log.forbidden(event[2], event[3], f"w1 comes before {event[3]}")
    return log


def searching() -> wl.EventLog:
    return best_first_log(MANY, beam=100, k=300, expansions=550)


@cache
def wide() -> wl.EventLog:
    return wide_log(100_000, 50)


@cache
def learning() -> wl.EventLog:
    log = wl.EventLog(max_events=10_000)
    for event in [*guided_log(), *guided_log("large-margin"), *guided_log(), *guided_log()]:
        log.record(*event)
    return log


def compressing() -> wl.EventLog:
    log = wl.EventLog(max_events=10_000)
    for seed in range(7):
        compression_log(Beam(400, 1000), source=LONG, seed=seed, log=log)
    return log


class Case(NamedTuple):
    """A log in a view, what is open in it, how a step is taken, and the most that it may do."""

    view: str
    make: Callable[[], wl.EventLog]
    drawn: int
    blocks: int
    opened: dict[str, Any] = {}  # noqa: RUF012
    held: dict[str, Any] = {}  # noqa: RUF012
    told: str = ""


PINNED, BOOKS = {"before": PIN}, {"books": True}
HISTORY = {"before": OPEN_A_HISTORY}
BY_UPDATE = {**HISTORY, "size": "update"}
CUT = {"max_events": 10_000}
GOLD = {"once": 200}
"""Events of one search, which are read for the sentence that gold is."""
CASES = {
    "beam": Case("beam", lambda: ordering(0), 306, 60_000),
    "forbidden": Case("beam", lambda: ordering(1), 340, 60_000),
    "agenda": Case("agenda", searching, 750, 400_000, PINNED | CUT, BOOKS, "Pinned"),
    "agenda of learning": Case("agenda", learning, 750, 50_000, {}, BOOKS),
    "wide agenda": Case("agenda", wide, 750, 3_500_000, PINNED, BOOKS, "Pinned"),
    "chart": Case("chart", wide, 350, 250_000),
    "updates": Case("updates", learning, 400, 60_000, HISTORY, GOLD, "History of"),
    "by update": Case(
        "updates", learning, 400, 60_000, BY_UPDATE, {"stride": 200, **GOLD}, "History of"
    ),
    "transduction": Case("transduction", compressing, 1_000, 80_000),
}


NIGHT = {"forbidden", "agenda of learning", "by update"}
"""Cases whose view and kind of log another one has."""


@pytest.mark.parametrize(
    "name", [pytest.param(one, marks=[pytest.mark.torture] * (one in NIGHT)) for one in CASES]
)
def test_a_long_log_steps_at_once(page, tmp_path, name: str) -> None:
    case = CASES[name]
    log = case.make()
    assert len(log) >= 9_000
    works = most_work(page, tmp_path, log, case.view, **case.opened)
    assert case.told in page.locator(".wol-stages").text_content()
    events = min(case.opened.get("max_events", 200_000), len(log))
    hold_light(works, events, drawn=case.drawn, blocks=case.blocks, **case.held)
