"""One bag, both engines: the same result to the last bit, and the same events."""

from __future__ import annotations

from typing import Any

import wordorder_lab as wl

ENGINES = ["reference", "fast"]


def both(model: Any, bag: wl.WordBag, **how: Any) -> wl.Result:
    """What either engine gives, with a trace and without one."""
    logs = {engine: wl.EventLog() for engine in ENGINES}
    results = [model.order(bag, engine=engine, trace=log, **how) for engine, log in logs.items()]
    assert results[0] == results[1] == model.order(bag, engine="fast", **how)
    assert str(results[0].score) == str(results[1].score)
    assert logs["fast"] == logs["reference"]
    return results[0]
