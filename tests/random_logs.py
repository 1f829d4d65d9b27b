"""Event logs for the tests of folds and players: real ones, and wild ones that no search writes."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import cache, wraps
from typing import Any, ParamSpec

from oracles import random_sentences

import wordorder_lab as wl
from wordorder_lab.trace.events import SCHEMA

EVIL = "<img src=x onerror=window.hacked=1>"
UNITS = ["a", "a-b", "Harvard University", EVIL, "-", "ça", "日本", "x"]
LABELS = ["", "nmod", "poss", "nmod:poss", "<b>"]
ACTIONS = [
    "LEFTARC",
    "RIGHTARC",
    *(f"SHIFT-{unit}-{tag}" for unit in UNITS for tag in ("N", "-L-", "N:poss", "::nmod:poss")),
]


BOATS = "boats near the pier boats"
LINEARIZER, BEST_FIRST = "liu-2015", "zhang-clark-2015-dependency"


def trained(system: str, seed: int, count: int, longest: int = 6, **how: Any) -> Any:
    """A model that has learned a little, in two epochs."""
    how = {"epochs": 2, "progress": False, "engine": "reference"} | how
    return wl.train(system, random_sentences(seed, count, longest=longest), **how)


P = ParamSpec("P")


def made_once(make: Callable[P, wl.EventLog]) -> Callable[P, wl.EventLog]:
    """The log of the same arguments is made once, and for reading only."""
    kept: Callable[..., wl.EventLog] = cache(make)

    @wraps(make)
    def log(*given: P.args, **how: P.kwargs) -> wl.EventLog:
        return kept(*given, **how)

    return log


@made_once
def training_log(update: str = "early", **limits: Any) -> wl.EventLog:
    """Two epochs over six sentences, with a small beam: gold is cut, weights change."""
    log = wl.EventLog(**limits)
    trained(LINEARIZER, 6, 5, 5, beam=3, update=update, trace=log)
    return log


@made_once
def guided_log(update: str = "scaled", negatives: str = "expand", **limits: Any) -> wl.EventLog:
    """Guided learning, two epochs over six sentences with a small chart."""
    log = wl.EventLog(**limits)
    how = {"beam": 3, "expansions": 40, "update": update, "negatives": negatives}
    trained(BEST_FIRST, 6, 5, 5, trace=log, **how)
    return log


_model = cache(trained)


@made_once
def ordering_log(
    beam: int, words: str = "boats near the pier boats", count: int = 5
) -> wl.EventLog:
    """One search with a model that has learned a little."""
    log, model = wl.EventLog(), _model(LINEARIZER, 8, count, beam=4)
    model.order(wl.WordBag(words.split()), beam=beam, engine="reference", trace=log)
    return log


@made_once
def best_first_log(words: str = BOATS, count: int = 5, **how: Any) -> wl.EventLog:
    """The same best first."""
    log, model = wl.EventLog(), _model(BEST_FIRST, 8, count, beam=4)
    how = {"beam": 6, "expansions": 60, "engine": "reference"} | how
    model.order(wl.WordBag(words.split()), trace=log, **how)
    return log


def some_of(log: wl.EventLog, first: int, end: int | None = None, **how: Any) -> wl.EventLog:
    """Some of the events of a log, as if nothing had been recorded before."""
    found = wl.EventLog(**how)
    for event in log.events[first:end]:
        found.record(*event)
    return found


FIGURE_4 = ["Dr. Talcott", "led", "a team", "of", "Harvard University", "."]
TAGS = ["NP", "VBD", "NP", "IN", "NP", "."]
SHIFTS = [f"SHIFT-{unit}-{tag}" for unit, tag in zip(FIGURE_4, TAGS)]
BURIED = "of could no longer reach its head a team: Harvard University stands between"


def figure_4_log(reason: str = BURIED) -> wl.EventLog:
    """Liu et al. 2015, Figure 4, the first three steps at beam 2, by hand.

    The head of "of" is "a team", that of "Harvard University" is "of"; so "a team" may not follow
    "Harvard University" on the stack (section 3.2.2), and ``reason`` is why.
    """
    doctor, led, team, of, harvard, stop = SHIFTS
    # A step: parent -> {action: its score, or why it is forbidden}.
    steps: list[dict[int, dict[str, Any]]] = [
        {0: {**dict.fromkeys(SHIFTS, 0.0), harvard: 1.0}},
        {
            5: {doctor: 1.5, led: 1.25, team: reason, of: 2.0, stop: 1.0},
            1: {led: 0.5, team: 0.0, of: 0.0, harvard: 0.0, stop: 0.0},
        },
        {
            9: {
                "LEFTARC": 4.0,
                "RIGHTARC": "the head of of is a team, not Harvard University",
                **dict.fromkeys((doctor, led, stop), 2.0),
                team: "of still waits for its dependent Harvard University",
            },
            7: {
                "LEFTARC": "the head of Harvard University is of, not Dr. Talcott",
                "RIGHTARC": 1.0,
                led: 1.75,
                team: BURIED,
                of: 2.5,
                stop: 1.5,
            },
        },
    ]
    log = wl.EventLog()
    log.begin(FIGURE_4, [1] * 6, 6, 2)
    made: list[tuple[float, int]] = [(0, 0)]
    for step, expanded in enumerate(steps, 1):
        log.step(step)
        made = [(0, made[-1][1])]
        for parent, actions in expanded.items():
            why = {action: told for action, told in actions.items() if isinstance(told, str)}
            for action in [action for action in actions if action not in why]:
                made.append((-actions[action], made[-1][1] + 1))
                log.candidate(made[-1][1], parent, action, actions[action])
            for action in why:
                log.forbidden(parent, action, why[action])
        ranked = sorted(made[1:])
        for rank, (_, serial) in enumerate(ranked[:2]):
            log.kept(serial, rank)
        for score, serial in sorted(ranked[2:], key=lambda pair: pair[1]):
            log.cut(serial, score - ranked[1][0])
    return log


SEARCH_KINDS = [
    *("begin", "leaf", "edge", "popped", "goal", "charted", "pruned", "edge_update"),
    *("weight", "rescored", "finished", "stopped", "alternatives", "labels", "doubts"),
]


def forms_and_labels(chance: random.Random) -> dict[str, Any]:
    """What units with several forms, items with labels and doubts tell; here places are wrong,
    too."""
    rows = chance.randint(0, 5)
    return {
        "types": [chance.randint(-1, 5) for _ in range(rows)],
        "forms": chance.choices(UNITS, k=rows),
        "labels": chance.choices(LABELS, k=chance.randint(0, 9)),
        "says": "<b>",
        "unknown": chance.choices(UNITS, k=2),
        "ties": chance.choices(UNITS),
    }


def wild_row(chance: random.Random, kind: str, values: dict[str, Any]) -> list[Any]:
    """The columns of an event, with numbers at random where ``values`` has none."""
    return [
        values.get(name, chance.randint(0, 9) if type is int else chance.uniform(-5, 5))
        for name, type in SCHEMA[kind].columns.items()
    ]


def wild_search(seed: int, events: int) -> wl.EventLog:
    """The same for best-first search: most edges can be followed, but little else can."""
    chance = random.Random(seed)
    log = wl.EventLog()
    weights = [1, 10, 40, 20, 2, 15, 10, 4, 10, 15, 1, 1, 2, 2, 1]
    made = 0
    for kind in chance.choices(SEARCH_KINDS, weights=weights, k=events):
        makes = kind in ("leaf", "edge") and chance.random() < 0.95
        made = 0 if kind == "begin" else made + makes
        some = {name: chance.randint(0, made + 1) for name in ("serial", "positive", "negative")}
        if kind in ("leaf", "edge"):
            some["serial"] = made
        values: dict[str, Any] = {
            "units": chance.sample(UNITS, 4),
            "counts": [chance.randint(1, 2) for _ in range(4)],
            **forms_and_labels(chance),
            **some,
            "left": chance.randint(1, max(1, made)),
            "right": chance.randint(0, max(1, made)),
            "action": chance.choice(["HeadLeft", "HeadRight", "<i>"]),
            "reason": chance.choice(["beam", "agenda", "chart", "<b>", "equal", "signature"]),
            "form": chance.choice(UNITS),
            "pos": chance.choice(["N", "-L-"]),
            "feature": chance.choice(["word(h) = a", "word(h) = <b>"]),
            "gold": chance.randint(-1, 1),
        }
        log.record(kind, *wild_row(chance, kind, values))
    return log


def wild_log(seed: int, events: int) -> wl.EventLog:
    """Events in any order, with serials that nobody made and actions that are impossible."""
    chance = random.Random(seed)
    log = wl.EventLog()
    beam_kinds = [*[*SCHEMA][:10], "alternatives", "labels", "doubts"]
    weights = [1, 4, 30, 15, 15, 4, 1, 2, 10, 15, 2, 2, 1]
    kinds = chance.choices(beam_kinds, weights=weights, k=events)
    serial = 0
    for kind in kinds:
        values: dict[str, Any] = {
            "units": chance.sample(UNITS, 4),
            "counts": [chance.randint(1, 2) for _ in range(4)],
            "action": chance.choice(ACTIONS),
            "reason": chance.choice(["early", "end", "<b> comes before ."]),
            "feature": chance.choice(["S0w = a", "S1p = <b>"]),
            **forms_and_labels(chance),
        }
        serial = 0 if kind == "begin" else serial + (kind == "candidate")
        near = max(0, serial - chance.randint(0, 6))
        values |= {"serial": near if kind != "candidate" else serial, "parent": near}
        log.record(kind, *wild_row(chance, kind, values))
    return log
