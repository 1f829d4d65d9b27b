"""Both engines of a system that realises: what they learn and put out, and what they tell.

Its kernels are those of the system that orders words for it, so each is compared in the file that
has these compiled.
"""

from __future__ import annotations

from typing import Any

from lemma_sentences import lemma_trees

import wordorder_lab as wl
from wordorder_lab.trace.log import EventLog

ENGINES = ("reference", "fast")


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
