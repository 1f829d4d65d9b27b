"""Crafted and damaged files: each gives one clear error, or can be used."""

from __future__ import annotations

import faulthandler
import gzip
import io
import json
import os
import sys
import tracemalloc
import zipfile
from collections import Counter
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from crafted_files import (
    DAMAGES,
    NESTING,
    Original,
    members_of,
    npy_saying,
    parts_of,
    variants,
    zipped,
)
from crafted_use import FINE, REFUSED, USED, Bench, bench, outcomes, trained

import wordorder_lab as wl
from wordorder_lab.experiments.records import RecordError, read_record
from wordorder_lab.models.model_file import ModelError
from wordorder_lab.structures.synchronous_rule import DEEPEST
from wordorder_lab.trace.log import LogError
from wordorder_lab.transduction.grammar import read_grammar

SYSTEMS = ("liu-2015", "zhang-clark-2015-ccg", "cohn-lapata-2009")
"""Of each family one; `make torture` takes all."""
SHARE = 60


@pytest.fixture(scope="module")
def tried(tmp_path_factory) -> Bench:
    pytest.importorskip("resource")
    return bench(tmp_path_factory.mktemp("good"), SYSTEMS)


@pytest.fixture
def liu(tried) -> Original:
    return tried.files["liu-2015 model"]


def refused(tmp_path: Path, data: bytes, says: str) -> None:
    path = tmp_path / "m.wol"
    path.write_bytes(data)
    with pytest.raises(ModelError, match=says) as error:
        wl.load_model(path)
    assert "\n" not in str(error.value) and len(str(error.value)) < 300 + len(str(path))


def test_a_share_of_the_crafted_files(tried, tmp_path) -> None:
    """None of them crashes, hangs, takes a GiB, or gives a traceback or a long message."""
    some = islice(variants(tried.files, seed=7), SHARE)
    verdicts: Counter[str] = Counter()
    for outcome in outcomes(tried, some, tmp_path, seconds=60):
        assert outcome.verdict in FINE, (outcome.crafted.name, outcome.crafted.what, outcome.said)
        verdicts[outcome.verdict] += 1
    assert verdicts[REFUSED] > SHARE / 2 and verdicts[USED] > SHARE / 50, verdicts


def test_what_kills_a_process_is_told(tried, tmp_path) -> None:
    """The bench itself: an abort, a leak and a loop are found out; what comes behind goes on."""
    uses: dict[str, Any] = {
        "fine": lambda path: None,
        "abort": abort_quietly,
        "leak": lambda path: bytearray(3 << 30),
        "loop": lambda path: [None for _ in iter(int, 1)],
        "wrong": lambda path: dict[str, int]()["a"],
    }
    names = ["fine", "abort", "fine", "leak", "wrong", "loop", "fine"]
    good = Bench({name: Original("zip", b"") for name in uses}, uses)
    crafted = [variants_of_nothing(name) for name in names]
    told = [outcome.verdict for outcome in outcomes(good, crafted, tmp_path, seconds=1)]
    memory = "more than a GiB of memory" if sys.platform == "linux" else USED
    assert told == [
        *(USED, "the process ended: SIGABRT", USED, memory, "KeyError"),
        *("the process ended: SIGXCPU", USED),
    ]


def abort_quietly(path: Path) -> None:
    faulthandler.disable()
    os.abort()


def variants_of_nothing(name: str):
    return next(variants({name: Original("json", b"[1]")}, seed=1))


def test_the_same_seed_gives_the_same_files(tried) -> None:
    damages = [DAMAGES[original.format] for original in tried.files.values()]
    turn = len([damage for those in damages for damage in those])
    once, again = (list(islice(variants(tried.files, 3), turn)) for _ in range(2))
    assert once == again
    assert len({crafted.data for crafted in once}) > 0.9 * turn
    names = {damage.__name__.strip("_") for those in damages for damage in those}
    assert {crafted.what.partition(":")[0] for crafted in once} == names


# --- what once crashed ----------------------------------------------------------------------


def test_lengths_whose_sum_wraps(liu, tmp_path) -> None:
    header, arrays = parts_of(liu.data)
    lengths = np.full(4, 2**62, np.int64)
    lengths[3] += len(arrays["actions"])
    keys = np.arange(4)
    whole = {**arrays, "keys": keys, "lengths": lengths}
    assert int(lengths.sum()) == len(arrays["actions"])  # it has wrapped
    refused(tmp_path, zipped(members_of(header, whole)), "'lengths' is int64.*int32")
    whole["lengths"] = np.full(4, 2**31 - 1, np.int32)
    refused(
        tmp_path, zipped(members_of(header, whole)), "'lengths' has a number that is not from 1"
    )


@pytest.mark.parametrize("name", ["words", "tags"])
def test_the_begin_of_a_sentence_is_needed(liu, tmp_path, name: str) -> None:
    header, arrays = parts_of(liu.data)
    header[name].remove("-BEGIN-")
    refused(tmp_path, zipped(members_of(header, arrays)), "-BEGIN- is missing")


def test_a_bomb_is_not_unpacked(liu, tmp_path) -> None:
    header, arrays = parts_of(liu.data)
    members = {**members_of(header, arrays), "values.npy": bytes(1 << 26)}
    bomb = zipped(members, values=zipfile.ZIP_DEFLATED)
    assert len(bomb) < 1 << 20
    tracemalloc.start()
    try:
        refused(tmp_path, bomb, "'values.npy' is packed")
        assert tracemalloc.get_traced_memory()[1] < 1 << 23
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("shape", ["(1000000000000,)", "(4611686018427387904, 4)", "(-8,)"])
def test_an_array_has_the_bytes_of_its_shape(liu, tmp_path, shape: str) -> None:
    header, arrays = parts_of(liu.data)
    text = f"{{'descr': '<i8', 'fortran_order': False, 'shape': {shape}, }}\n"
    members = {**members_of(header, arrays), "values.npy": npy_saying(text, bytes(64))}
    refused(tmp_path, zipped(members), "'values.npy' does not hold int64 of shape")


def test_brackets_that_go_too_deep(tmp_path) -> None:
    path = tmp_path / "deep"
    path.write_bytes(gzip.compress(b'{"events":' + b"[" * NESTING))
    with pytest.raises(LogError, match="recursion"):
        wl.EventLog.load(path)
    path.write_bytes(b"[" * NESTING)
    with pytest.raises(RecordError, match="damaged"):
        read_record(path)
    deep = "[A " * NESTING + "a" + "]" * NESTING
    with pytest.raises(ValueError, match=f"more than {DEEPEST} levels") as error:
        read_grammar([f"<A, A> -> <{deep}, {deep}>"], ["A"])
    assert len(str(error.value)) < 300


def test_a_log_that_unpacks_to_too_much(tmp_path) -> None:
    """Ten million lists in a few kilobytes, which would be 640 MB of them."""
    log = wl.EventLog()
    log.step(1)
    log.save(tmp_path / "log")
    before, _, after = gzip.decompress((tmp_path / "log").read_bytes()).partition(b'["step",1]')
    (tmp_path / "log").write_bytes(gzip.compress(before + b"[]," * 10**7 + b"[]" + after, 1))
    with pytest.raises(LogError, match="unpack to"):
        wl.EventLog.load(tmp_path / "log")


def test_an_event_that_does_not_fit(tmp_path) -> None:
    log = wl.EventLog()
    log.begin(["a", "b"], [1, 1], 2, 4)
    log.edge(1, 7, 8, "HeadLeft", 0.5, -1)
    data = json.loads(gzip.decompress(saved(log, tmp_path)))
    wrong: object
    for wrong in (
        ["edge", 1, 10**25],
        ["step", True],
        ["begin", [[[]]], [], 1, 1],
        [[]],
        {},
        "step",
    ):
        path = tmp_path / "wrong"
        path.write_bytes(gzip.compress(json.dumps({**data, "events": [wrong]}).encode()))
        with pytest.raises(LogError, match="wrong is not an event log"):
            wl.EventLog.load(path)


def saved(log: wl.EventLog, folder: Path) -> bytes:
    log.save(folder / "log")
    return (folder / "log").read_bytes()


@pytest.mark.parametrize("examples", [-1, 0, 2**62, 1.5, None])
def test_a_checkpoint_counts_its_examples(tried, tmp_path, examples: object) -> None:
    header, arrays = parts_of(tried.files["liu-2015 checkpoint"].data)
    path = tmp_path / "c"
    path.write_bytes(zipped(members_of({**header, "examples": examples}, arrays)))
    with pytest.raises(ModelError, match=r"not a whole checkpoint .*number of examples"):
        trained("liu-2015", checkpoint=path)


def test_a_zip_with_one_name_twice(liu, tmp_path) -> None:
    file = io.BytesIO(liu.data)
    with zipfile.ZipFile(file, "a") as archive, pytest.warns(UserWarning, match="Duplicate"):
        archive.writestr(zipfile.ZipInfo("header.json"), "{}")
    refused(tmp_path, file.getvalue(), "two members have one name")
