"""One bag, both engines: the same result to the last bit, and the same events."""

from __future__ import annotations

from typing import Any

from lemma_sentences import lemma_trees

import wordorder_lab as wl
from wordorder_lab.trace.log import EventLog

ENGINES = ["reference", "fast"]


def both(model: Any, bag: wl.WordBag, **how: Any) -> wl.Result:
    """What either engine gives, with a trace and without one."""
    logs = {engine: wl.EventLog() for engine in ENGINES}
    results = [model.order(bag, engine=engine, trace=log, **how) for engine, log in logs.items()]
    assert results[0] == results[1] == model.order(bag, engine="fast", **how)
    assert str(results[0].score) == str(results[1].score)
    assert logs["fast"] == logs["reference"]
    return results[0]


def check_engines(system: str) -> None:
    """Weights, sentences and events are the same, bit for bit."""
    trees, unseen = lemma_trees(60), lemma_trees(6, first=1000)
    how: dict[str, Any] = {"epochs": 3, "english": False, "progress": False}
    model, fast = (wl.train(system, trees, engine=engine, **how) for engine in ENGINES)
    assert fast.arrays().keys() == model.arrays().keys()
    assert all((fast.arrays()[name] == a).all() for name, a in model.arrays().items())
    for tree in unseen:
        logs = {engine: EventLog() for engine in ENGINES}
        done = {e: model.realize(tree, engine=e, trace=log) for e, log in logs.items()}
        assert done["reference"] == done["fast"]
        assert logs["reference"].to_pandas().equals(logs["fast"].to_pandas())
