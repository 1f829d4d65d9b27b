"""The notebooks' exercises: ``check("20.1", answer)``, ``check.hint("20.1")``, ``check.solution``.

A right answer is told so. A wrong one gets a counterexample and the next hint. The solution is
shown when all hints have been. Nothing is graded and nothing leaves the machine; what is right is
found out by asking the engines, mostly about every state of every small bag.

Beside them is what a notebook need not make anew: models, trained once, and records of experiments.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from wordorder_lab.check import beforehand  # finds what the site has made
from wordorder_lab.check.exercise import Desk, Exercise, Verdict, check
from wordorder_lab.structures.compression import CompressionPair

if TYPE_CHECKING:
    from wordorder_lab.structures.bag import WordBag
    from wordorder_lab.structures.result import Result
    from wordorder_lab.systems.model import OrderingModel

__all__ = ["Desk", "Exercise", "Verdict", "check", "ordered", "recorded", "trained"]


def trained(examples: Sequence[Any], system: str = "liu-2015", **settings: object) -> Any:
    """``wl.train(system, examples, **settings)``, or the same model from the last time.

    Says how long it took, without a bar, of which an exported page shows the beginning. Kept in the
    user's cache under a checksum of examples, settings and code. In a tab it comes from the site,
    which is said, too.
    """
    from wordorder_lab.experiments.runs.compression_training import code_of, keep_model, kept_model
    from wordorder_lab.systems import task_of, train

    key = hashlib.sha256(repr([code_of(system), sorted(settings.items())]).encode())
    for one in examples:
        is_pair = isinstance(one, CompressionPair)  # its own repr is short
        whole = f"{one.source} {one.targets} {one.alignment}" if is_pair else repr(one)
        key.update(whole.encode())
    model, _ = kept_model(beforehand.FOLDER, key.hexdigest()[:16])
    what = {"compress": "pairs", "realize": "trees"}.get(task_of(system), "sentences")
    if model is None and beforehand.brought(key.hexdigest()[:16]):
        model, _ = kept_model(beforehand.FOLDER, key.hexdigest()[:16])
        print(f"learned beforehand from {len(examples):,} {what}: in a browser it takes minutes")
    if model is None:
        print(f"learning from {len(examples):,} {what} ...", end=" ", flush=True)
        begin = time.perf_counter()
        model = train(system, examples, progress=False, **settings)
        print(f"{time.perf_counter() - begin:.0f} seconds")
        keep_model(beforehand.FOLDER, key.hexdigest()[:16], model, {})
    beforehand.remember(model)
    return model


def ordered(model: OrderingModel, bags: Iterable[WordBag], **search: Any) -> list[Result]:
    """``model.order(bag, **search)`` of each bag, with the best output alone in ``k_best``.

    In a tab it is what the site has, where that knows it, as of ``wl.evaluate`` and ``wl.errors``.
    Raises as ``model.order``.
    """
    from wordorder_lab.experiments.runs.map_in_order import map_in_order

    return list(map_in_order(partial(_ordered, search), [*bags], what="ordering", model=model))


def _ordered(search: Mapping[str, Any], model: OrderingModel, bag: WordBag) -> Result:
    result = model.order(bag, **search)
    return replace(result, k_best=result.k_best[:1])


def recorded(name: str) -> str:
    """The record of an experiment as text, or how to make it."""
    from wordorder_lab.experiments.records import read_record, record_file
    from wordorder_lab.experiments.report import table

    if record_file(name).is_file():
        return table(read_record(record_file(name)))
    return f"{name} has no record here: wordorder-lab reproduce {name}"
