"""The event schema and the log: what runs emit, limits, files, tables."""

from __future__ import annotations

import gzip
import inspect
import json
import zipfile
from functools import cache
from typing import Any, get_origin, get_type_hints

import pandas as pd
import pytest
from both_engines import ENGINES
from oracles import random_sentences

import wordorder_lab as wl
from wordorder_lab.structures.trace import Trace
from wordorder_lab.trace.events import SCHEMA, SUMMARIES
from wordorder_lab.trace.log import LogError
from wordorder_lab.trace.reducers.transduction import KINDS

BEST_FIRST = {
    *("leaf", "edge", "popped", "goal", "charted", "pruned"),
    *("edge_update", "rescored", "stopped"),
}
"""The kinds that best-first search has for itself."""
SUPERTAGS = {"supertags"}
"""That of a bag with a supertagger's probabilities (``test_ccg_trace``)."""
FORMS_AND_LABELS = {"alternatives", "labels"}
"""Those of bags whose units have several forms, or whose arcs have labels (``test_forms_played``).
"""
OF_SENTENCES = {
    *("constituent", "out_of_beam", "parsed"),
    *("bigram", "path", "demand", "programme"),
}
"""Those of parsing a sentence, and of compressing one by deletion."""


@cache
def recorded(engine: str = "reference", update: str = "early", **limits: Any) -> wl.EventLog:
    """Training on a few sentences, then two searches: every kind of event."""
    log = wl.EventLog(**limits)
    sentences = random_sentences(6, 5, longest=4)
    how = {"beam": 2, "epochs": 2, "update": update, "progress": False, "engine": engine}
    model = wl.train("liu-2015", sentences, trace=log, **how)
    units = ["boats", "unseen", "boats", "the pier"]
    model.order(wl.WordBag(units), engine=engine, trace=log)
    model.order(wl.WordBag(units, heads=[None, 3, None, -1]), engine=engine, trace=log)
    return log


def test_what_slices_know_of_a_trace_is_what_is_declared() -> None:
    assert isinstance(wl.EventLog(), Trace)
    methods = {name: value for name, value in vars(Trace).items() if name[0] != "_"}
    assert [*methods] == [*SCHEMA]
    for kind, method in methods.items():
        arguments = [*inspect.signature(method).parameters.values()][1:]
        columns = SCHEMA[kind].columns
        assert [argument.name for argument in arguments] == [*columns]
        hints = get_type_hints(method)
        assert hints.pop("return") is type(None)
        assert [get_origin(hint) or hint for hint in hints.values()] == [*columns.values()]
        defaults = {one.name: one.default for one in arguments if one.default is not one.empty}
        assert defaults == SCHEMA[kind].absent


def fits_the_schema(log: wl.EventLog) -> bool:
    return all(
        [type(value) for value in values] == list(SCHEMA[kind].columns.values())
        for kind, *values in log
    )


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("update", ["early", "max-violation"])
def test_every_event_fits_the_schema(engine: str, update: str) -> None:
    log = recorded(engine, update)
    others = BEST_FIRST | KINDS | SUPERTAGS | FORMS_AND_LABELS | OF_SENTENCES
    assert {kind for kind, *_ in log} == {*SCHEMA} - others
    assert fits_the_schema(log)


@pytest.mark.parametrize("engine", ENGINES)
def test_every_event_of_best_first_search_fits_the_schema(engine: str) -> None:
    log = wl.EventLog()
    sentences = random_sentences(6, 5, longest=4)
    how = {"beam": 3, "epochs": 2, "progress": False, "engine": engine}
    model = wl.train("zhang-clark-2015-dependency", sentences, trace=log, **how)
    model.order(wl.WordBag(["boats", "unseen", "boats", "the pier"]), engine=engine, trace=log)
    frame = log.to_pandas()  # a step is a whole number in one kind of event and a float in another
    assert len(frame) == len(log)
    steps = [event[-1] for event in log if event[0] == "edge_update"]
    assert frame.loc[frame["kind"] == "edge_update", "step"].tolist() == steps
    others = {"begin", "weight", "finished", "doubts"} | SUMMARIES
    assert {kind for kind, *_ in log} == BEST_FIRST | others
    assert fits_the_schema(log)


def test_a_search_tells_a_whole_story() -> None:
    """Serials count up, parents are in the beam before, each candidate is kept or cut, once."""
    sentences = random_sentences(6, 5, longest=4)
    model = wl.train("liu-2015", sentences, beam=2, epochs=2, progress=False, engine="reference")
    bag = wl.WordBag(["boats", "near", "boats", "the pier"], pos=["NNS", None, "NNS", "NP"])
    log = wl.EventLog()
    found = model.order(bag, beam=3, engine="reference", trace=log)
    assert log.events[0] == ("begin", ["boats", "near", "the pier"], [2, 1, 1], 4, 3)
    end = [event[0] for event in log].index("finished")
    steps = [i for i, event in enumerate(log.events) if event[0] == "step"]
    assert [log.events[i][1] for i in steps] == list(range(1, 8))
    beam, serial = {0}, 0
    scores: dict[int, float] = {}
    for begin, next_one in zip(steps, [*steps[1:], end]):
        made: list[int] = []
        kept: list[int] = []
        cut: dict[int, float] = {}
        for kind, *values in log.events[begin + 1 : next_one]:
            if kind == "candidate":
                serial += 1
                assert values[0] == serial and values[1] in beam
                scores[serial] = values[3]
                made.append(serial)
            elif kind == "kept":
                assert values[1] == len(kept)
                kept.append(values[0])
            else:
                cut[values[0]] = values[1]
        assert sorted([*kept, *cut]) == made
        assert kept == sorted(made, key=lambda s: (-scores[s], s))[:3]
        assert cut == pytest.approx({s: scores[kept[-1]] - scores[s] for s in cut})
        assert min([0, *cut.values()]) == 0
        beam = set(kept)
    assert log.events[end] == ("finished", kept[0], found.score)
    assert found.counters["candidates"] == serial and found.score == scores[kept[0]]


def test_weights_in_the_trace_are_those_that_are_learned() -> None:
    weights: dict[tuple[str, str], float] = {}
    examples = 0
    for kind, *values in recorded():
        if kind == "weight":
            feature, action, before, after = values
            assert before == weights.get((feature, action), 0) and abs(after - before) == 1
            weights[feature, action] = after
        elif kind == "update":
            example, step, reason, gold, predicted = values
            assert examples <= example < 10 and step >= 1 and gold <= predicted
            assert reason in {"early", "end"}
            examples = example
    assert weights


@pytest.mark.parametrize("limit", [1_000_000, 50])
def test_save_and_load(tmp_path, limit: int) -> None:
    log = recorded(max_events=limit)
    for name in ("a", "b"):
        log.save(tmp_path / name)
    again = wl.EventLog.load(tmp_path / "a")
    assert again == log and again.events == log.events
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
    assert (again.is_cut, again.dropped) == (limit == 50, log.dropped)
    assert all(type(a) is type(b) for x, y in zip(log, again) for a, b in zip(x, y))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a", "b"]


def test_limits() -> None:
    whole = recorded()
    cut = recorded(max_events=40)
    late = [event for event in whole.events[40:] if event[0] in SUMMARIES]
    assert cut.events == whole.events[:40] + late and len(late) > 5
    assert cut.is_cut and cut.dropped == len(whole) - 40 - len(late) and "cut" in repr(cut)
    assert not whole.is_cut and "cut:" not in repr(whole)
    some = recorded(only=("kept", "update"))
    assert some.events == [event for event in whole if event[0] in {"kept", "update"}]
    assert not some.is_cut
    begins = [i for i, event in enumerate(whole) if event[0] == "begin"]
    searches = [whole.events[i:j] for i, j in zip(begins, [*begins[1:], len(whole)])]
    assert len(searches) == 12
    every = recorded(every=4)
    wanted = [
        event
        for i, search in enumerate(searches)
        for event in search
        if i % 4 == 0 or event[0] in SUMMARIES
    ]
    assert every.events == wanted


@pytest.mark.parametrize(
    "limits", [{"max_events": 0}, {"every": 0}, {"only": ["kept", "jumped"]}], ids=str
)
def test_impossible_limits(limits: dict) -> None:
    with pytest.raises(ValueError, match=r"at least 1|jumped"):
        wl.EventLog(**limits)


def test_to_pandas() -> None:
    log = recorded(max_events=300)
    frame = log.to_pandas()
    assert len(frame) == len(log) and frame["kind"].tolist() == [event[0] for event in log]
    assert frame.attrs["dropped"] == log.dropped > 0
    for i, (kind, *values) in enumerate(log):
        told = dict(zip(SCHEMA[kind].columns, values, strict=True))
        for name in frame.columns.drop("kind"):
            cell = frame.at[i, name]
            if name in told:
                assert cell == told[name]
            else:
                assert cell is None or pd.isna(cell)
    assert str(frame["serial"].dtype) == "Int64"
    empty = wl.EventLog().to_pandas()
    assert len(empty) == 0 and list(empty.columns) == list(frame.columns)


GOOD = {"format": "wordorder_lab event log", "version": 2, "dropped": 0, "events": [["step", 1]]}


@pytest.mark.parametrize(
    "change",
    [
        {"format": "something else"},
        {"version": 99},
        {"dropped": None},
        {"events": None},
        {"events": [["popped", 1]]},
        {"events": [["step"]]},
        {"events": [["step", 1, 2]]},
        {"events": [["step", "one"]]},
        {"events": [["step", 1.5]]},
        {"events": [[]]},
        {"events": [7]},
        {"events": [[["step"], 1]]},
    ],
    ids=str,
)
def test_a_foreign_log_is_refused(tmp_path, change: dict) -> None:
    path = tmp_path / "log"
    path.write_bytes(gzip.compress(json.dumps(GOOD).encode()))
    assert wl.EventLog.load(path).events == [("step", 1)]
    path.write_bytes(gzip.compress(json.dumps({**GOOD, **change}).encode()))
    with pytest.raises(LogError, match="log is not an event log"):
        wl.EventLog.load(path)


def test_a_damaged_log_is_refused(tmp_path) -> None:
    path = tmp_path / "log"
    recorded().save(path)
    whole = path.read_bytes()
    flipped = bytearray(whole)
    flipped[len(whole) // 2] ^= 0xFF
    bad = [whole[: len(whole) // 2], whole[:5], b"", b"no log at all", bytes(flipped), b"\x1f\x8b"]
    bad += [gzip.compress(b"[1, 2]"), gzip.compress(b"\xff\xfe"), gzip.compress(b"null")]
    for data in bad:
        path.write_bytes(data)
        with pytest.raises(LogError):
            wl.EventLog.load(path)
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("header.json", "{}")
    with pytest.raises(LogError):
        wl.EventLog.load(path)
    with pytest.raises(FileNotFoundError):
        wl.EventLog.load(tmp_path / "missing")


def test_a_log_that_cannot_be_written_leaves_nothing_behind(tmp_path) -> None:
    (tmp_path / "folder").mkdir()
    with pytest.raises(ValueError, match="is a folder: name a file in it"):
        recorded().save(tmp_path / "folder")
    assert [path.name for path in tmp_path.iterdir()] == ["folder"]
