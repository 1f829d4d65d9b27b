"""What the page ``try/`` asks of Python in its worker: a bag in order, a page, a log.

A question and its answer are JSON texts. The models lie in a folder, one file each; ``everyday``
comes with the package.
"""

from __future__ import annotations

import base64
import json
import tempfile
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import wordorder_lab as wl
from wordorder_lab.structures.messages import one_line
from wordorder_lab.widgets.page import contents, default_title, page_text

MODELS = Path("/models")
MAX_EVENTS = 50_000
"""Events that are shown; a phone has little memory."""
NAMES = ("before", "now")
_SHOWN: list[wl.EventLog] = []
"""The logs that the player shows: the one before, if it was asked for, and the last."""

Json = dict[str, Any]


def answer(question: str) -> str:
    """The answer; for what cannot be done ``{"error": why}``, in one line."""
    asked = json.loads(question)
    try:
        return json.dumps(_DOES[asked["do"]](asked))
    except (ValueError, TypeError) as error:
        return json.dumps({"error": one_line(str(error))})
    except MemoryError:
        return json.dumps({"error": "the memory is full: take a smaller beam or fewer words"})


@cache
def _model(name: str) -> Any:
    return wl.load_model(name if name == "everyday" else MODELS / f"{name}.wol")


def _ready(asked: Json) -> Json:
    """Read the model, so that the first answer need not wait for it."""
    _model(asked["model"])
    return {}


def _order(asked: Json) -> Json:
    begin, log = time.perf_counter(), wl.EventLog()
    result = _model(asked["model"]).order(
        asked["bag"], engine="reference", trace=log, **asked["search"]
    )
    seconds = time.perf_counter() - begin
    _SHOWN[:] = [*_SHOWN[-1:], log] if asked.get("compare") else [log]
    return {
        "text": result.text,
        "score": result.score,
        "stopped": result.stopped,
        "doubts": result.doubts,
        "counters": dict(result.counters),
        "seconds": seconds,
        "player": _contents(),
    }


def _contents() -> Any:
    if len(_SHOWN) == 1:
        return contents(_SHOWN[0], max_events=MAX_EVENTS)
    return contents(*_SHOWN, names=NAMES, max_events=MAX_EVENTS)


def _page(_: Json) -> Json:
    """The player as a page of its own."""
    return {"page": page_text(_contents(), default_title(_SHOWN[-1]))}


def _log(_: Json) -> Json:
    """The last log, as ``EventLog.load`` reads it."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "search.json.gz")
        _SHOWN[-1].save(path)
        return {"log": base64.b64encode(path.read_bytes()).decode("ascii")}


_DOES: dict[str, Callable[[Json], Json]] = {
    "ready": _ready,
    "order": _order,
    "page": _page,
    "log": _log,
}
