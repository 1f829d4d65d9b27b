"""Event logs for the tests of folds and players: real ones, and wild ones that no search writes."""

from __future__ import annotations

import random
from typing import Any

from oracles import random_sentences

import wordorder_lab as wl
from wordorder_lab.trace.events import SCHEMA

UNITS = ["a", "a-b", "Harvard University", "<script>", "-", "ça", "日本", "x"]
ACTIONS = [
    "LEFTARC",
    "RIGHTARC",
    *(f"SHIFT-{unit}-{tag}" for unit in UNITS for tag in ("N", "-L-")),
]


def training_log(update: str = "early", **limits: Any) -> wl.EventLog:
    """Two epochs over six sentences, with a small beam: gold is cut, weights change."""
    log = wl.EventLog(**limits)
    how = {"beam": 3, "epochs": 2, "update": update, "progress": False, "engine": "reference"}
    wl.train("liu-2015", random_sentences(6, 5, longest=5), trace=log, **how)
    return log


def ordering_log(beam: int, words: str = "boats near the pier boats", seed: int = 5) -> wl.EventLog:
    """One search with a model that has learned a little."""
    log = wl.EventLog()
    model = wl.train(
        "liu-2015", random_sentences(8, seed), beam=4, epochs=2, progress=False, engine="reference"
    )
    model.order(wl.WordBag(words.split()), beam=beam, engine="reference", trace=log)
    return log


def wild_log(seed: int, events: int) -> wl.EventLog:
    """Events in any order, with serials that nobody made and actions that are impossible."""
    chance = random.Random(seed)
    log = wl.EventLog()
    kinds = chance.choices([*SCHEMA], weights=[1, 4, 30, 15, 15, 4, 1, 2, 10], k=events)
    serial = 0
    for kind in kinds:
        values: dict[str, Any] = {
            "units": chance.sample(UNITS, 4),
            "counts": [chance.randint(1, 2) for _ in range(4)],
            "action": chance.choice(ACTIONS),
            "reason": chance.choice(["early", "end"]),
            "feature": chance.choice(["S0w = a", "S1p = <b>"]),
        }
        serial = 0 if kind == "begin" else serial + (kind == "candidate")
        near = max(0, serial - chance.randint(0, 6))
        values |= {"serial": near if kind != "candidate" else serial, "parent": near}
        row = [
            values.get(name, chance.randint(0, 9) if type is int else chance.uniform(-5, 5))
            for name, type in SCHEMA[kind].columns.items()
        ]
        log.record(kind, *row)
    return log
