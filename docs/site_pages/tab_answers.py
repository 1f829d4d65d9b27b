"""What the page ``try/`` asks of Python in its worker: a search or two, a training, files to keep.

A question and its answer are JSON texts. Models lie in a folder, a file each; those that come with
the package in their own place. What a training tells on its way goes to ``tell``.
"""

from __future__ import annotations

import base64
import csv
import io
import json
import random
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import wordorder_lab as wl
from wordorder_lab.corpora.readers.penn import to_sentence
from wordorder_lab.structures.messages import cited, one_line
from wordorder_lab.structures.plain_tree import Tree
from wordorder_lab.structures.sentence import as_sentences
from wordorder_lab.structures.typed_bag import parse_bag, type_bag
from wordorder_lab.systems.everyday import model_for
from wordorder_lab.trace.events import SCHEMA, SUMMARIES
from wordorder_lab.trace.log import EventLog
from wordorder_lab.widgets.page import contents, default_title, page_text

MODELS = Path("/models")
GAZETTE = Path("/lab/gazette")
"""Where its first sentences lie, as trees, as derivations and as pairs."""
EVERYDAY, LEARNED = "everyday", "learned"
"""Models of the package; the model that was learned in the tab."""
LEARNING = "learning"
"""The view of a training."""
MAX_EVENTS = 50_000
"""Events that are shown; a phone has little memory."""
MOST = 20
"""Sentences that are learned from."""
LONGEST = 40
"""Words of a sentence of one's own: parsing takes time with the cube."""

Json = dict[str, Any]
Tell = Callable[[str], object]
_SHOWN: list[EventLog] = []
"""The logs that the player shows."""
_DATA: list[Any] = []
"""What the player was given of them."""


def answer(question: str, tell: Tell = lambda _: None) -> str:
    """The answer; for what cannot be done ``{"error": why}``, in one line."""
    asked = json.loads(question)
    try:
        return json.dumps(_DOES[asked["do"]](asked, tell))
    except (ValueError, TypeError) as error:
        return json.dumps({"error": one_line(str(error))})
    except MemoryError:
        return json.dumps({"error": "the memory is full: take a smaller beam or fewer words"})


@cache
def _kept(name: str) -> Any:
    return wl.load_model(MODELS / f"{name}.wol")


def _model(asked: Json) -> Any:
    name = asked["model"]
    return model_for(asked["task"]) if name == EVERYDAY else _kept(name)


def _ready(asked: Json, _: Tell) -> Json:
    """Read the model, so that the first answer need not wait for it."""
    _model(asked)
    return {}


# --- searches -------------------------------------------------------------------------------------


def _search(asked: Json, _: Tell) -> Json:
    """One search for each of the ``settings``, and the player of them."""
    logs, results = [], []
    run, reference = _RUNS[asked["task"]](asked)
    for setting in asked["settings"]:
        begin, log = time.perf_counter(), EventLog()
        told = run(trace=log, engine="reference", **setting)
        results.append({**told, "seconds": time.perf_counter() - begin})
        logs.append(log)
    names = [_named(setting) for setting in asked["settings"]]
    return {"results": results, "player": _show(logs, names, reference=reference)}


def _order(asked: Json) -> tuple[Callable[..., Json], str | None]:
    model = _model(asked)
    bag, reference = parse_bag(asked["given"]), asked.get("from") or None

    def run(**how: Any) -> Json:
        return _of_result(model.order(bag, **how))

    return run, reference


def _realize(asked: Json) -> tuple[Callable[..., Json], str | None]:
    model = _model(asked)
    tree = model.tree_of(asked["given"])

    def run(**how: Any) -> Json:
        made = model.realize(tree, **how)
        return {**_of_result(made.result), "text": made.text, "score": made.score}

    return run, None


def _compress(asked: Json) -> tuple[Callable[..., Json], str | None]:
    model, tree = _model(asked), _tree(asked["given"])

    def run(**how: Any) -> Json:
        made = model.compress(tree, **how)
        return {"text": made.text, "score": made.score, "counters": dict(made.counters)}

    return run, None


def _of_result(result: Any) -> Json:
    return {
        "text": result.text,
        "score": result.score,
        "stopped": result.stopped,
        "doubts": result.doubts,
        "counters": dict(result.counters),
    }


def _tree(given: str) -> Tree:
    """The tree of brackets, or of a sentence, which is parsed."""
    if given.lstrip().startswith("("):
        return wl.parse_tree(given)
    return _parsed(given)


def _parsed(text: str) -> Tree:
    (sentence,) = as_sentences([text])
    if len(sentence.surface) > LONGEST:
        raise ValueError(
            f"a sentence of {len(sentence.surface)} words is too long to be parsed here: "
            f"give at most {LONGEST}"
        )
    tree: Tree = model_for("parse").parse(sentence.surface, engine="reference").tree
    return tree


def _named(setting: Mapping[str, Any]) -> str:
    ((name, value),) = setting.items()
    return f"{name} {value}" if value is not None else f"{name} as learned"


def _show(logs: Sequence[EventLog], names: Sequence[str], **more: Any) -> Any:
    """What the player is given of them, which is also what can be kept."""
    how = {"names": names, **more} if len(logs) == 2 else more
    data = contents(*logs, max_events=MAX_EVENTS, **how)
    _SHOWN[:], _DATA[:] = logs, [{**data, "title": default_title(logs[0])}]
    return _DATA[0]


def _shown() -> list[EventLog]:
    if not _SHOWN:
        raise ValueError("there is nothing to keep yet: search or learn first")
    return _SHOWN


def _shaken(asked: Json, _: Tell) -> Json:
    """The same bag with its units in another order, which ``seed`` decides."""
    return {"bag": shaken(parse_bag(asked["given"]), asked["seed"])}


def shaken(bag: wl.WordBag, seed: int) -> str:
    """The line of a bag whose units are listed in a random order; heads and orders go along."""
    order = [*range(len(bag))]
    random.Random(seed).shuffle(order)
    return type_bag(bag.select(order))


# --- learning -------------------------------------------------------------------------------------


class Telling(EventLog):
    """A log of a training as a whole that tells each sentence and each epoch."""

    def __init__(self, tell: Callable[[Json], object]) -> None:
        super().__init__(only={*SUMMARIES, "weight"})
        self.tell = tell

    def record(self, kind: str, *values: object) -> None:
        """Append one event, and tell it."""
        super().record(kind, *values)
        if kind == "learned":
            self.tell({"epoch": values[0], "learned": values[1]})
        if kind == "epoch":
            self.tell({"player": contents(self, view=LEARNING, max_events=MAX_EVENTS)})


def _learn(asked: Json, tell: Tell) -> Json:
    """Learn from the sentences; of each epoch the picture, and the model as it then is."""
    system, begin = asked["system"], time.perf_counter()

    def told(more: Json) -> None:
        tell(json.dumps(more))

    def kept(epoch: int, moment: Callable[[], Any]) -> None:
        path = MODELS / f"{LEARNED}.wol"
        moment().save(path)
        _kept.cache_clear()
        told({"model": base64.b64encode(path.read_bytes()).decode("ascii"), "epochs": epoch})

    examples = examples_of(system, asked.get("sentences", ""), told)
    log = Telling(lambda more: told({**more, "examples": len(examples)}))
    MODELS.mkdir(parents=True, exist_ok=True)
    wl.train(
        system, examples, engine="reference", progress=False, trace=log, on_epoch=kept,
        epochs=asked["epochs"], **asked["settings"],
    )  # fmt: skip
    player, seconds = _show([log], [], view=LEARNING), time.perf_counter() - begin
    return {"player": player, "examples": len(examples), "seconds": seconds}


def examples_of(system: str, text: str, told: Callable[[Json], object]) -> Sequence[Any]:
    """What is learned from: a sentence a line, which are parsed; of no text the Gazette's first.

    Raises ``ValueError`` for too many lines, and where a system takes none of one's own."""
    lines = [line for line in map(str.strip, text.splitlines()) if line]
    if not lines:
        read = _GAZETTE.get(system, lambda: wl.load_corpus(GAZETTE / "sentences.mrg"))
        return [*read().train[:MOST]]
    if system in _GAZETTE:
        raise ValueError(f"{system} learns from the Gazette alone here: your lines have no {_LACK}")
    if len(lines) > MOST:
        raise ValueError(f"{len(lines)} sentences are too many for a tab: give at most {MOST}")
    found = []
    for number, line in enumerate(lines, 1):
        told({"parsed": number, "lines": len(lines)})
        sentence = to_sentence(_parsed(line), "base-np")
        if sentence is None:
            raise ValueError(f"line {number}, {cited(line)}, has no words")
        found.append(sentence)
    return found


_LACK = "derivations and no shorter versions"
_GAZETTE: dict[str, Callable[[], Any]] = {
    "zhang-clark-2015-ccg": lambda: wl.load_corpus(GAZETTE / "sentences.auto", units="base-np"),
    "mcdonald-2006": lambda: wl.load_compressions(GAZETTE / "pairs.jsonl"),
}
"""Systems that learn from more than trees, and what."""


# --- to keep --------------------------------------------------------------------------------------


def _page(_: Json, __: Tell) -> Json:
    """The player as a page of its own."""
    title = default_title(_shown()[0])
    return {"page": page_text(_DATA[0], title)}


def _log(_: Json, __: Tell) -> Json:
    """The logs, as ``EventLog.load`` reads them."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "search.json.gz")
        made = []
        for log in _shown():
            log.save(path)
            made.append(base64.b64encode(path.read_bytes()).decode("ascii"))
        return {"files": made}


def _table(_: Json, __: Tell) -> Json:
    """The logs as CSV."""
    return {"files": [csv_text(log) for log in _shown()]}


def csv_text(log: EventLog) -> str:
    """One row an event, with the columns of ``EventLog.to_pandas``."""
    names = dict.fromkeys(name for kind in SCHEMA.values() for name in kind.columns)
    text = io.StringIO()
    table = csv.DictWriter(text, ["kind", *names], lineterminator="\r\n")
    table.writeheader()
    for event in log:
        columns = ("kind", *SCHEMA[event[0]].columns)
        table.writerow(dict(zip(columns, event, strict=True)))
    return text.getvalue()


_RUNS = {"order": _order, "realize": _realize, "compress": _compress}
_DOES: dict[str, Callable[[Json, Tell], Json]] = {
    "ready": _ready,
    "search": _search,
    "shake": _shaken,
    "learn": _learn,
    "page": _page,
    "log": _log,
    "csv": _table,
}
