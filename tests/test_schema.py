"""Whatever is removed from a specification or a record, changed or misspelt in it: one clear line
before any work, or an experiment that can be run and shown. Never a traceback."""

from __future__ import annotations

import copy
import json
import random
import re
import tomllib
from collections.abc import Iterator
from typing import Any

import pytest
from matplotlib.legend import Legend

from wordorder_lab.cli import main
from wordorder_lab.commands.html import node
from wordorder_lab.commands.reproduce import page as report_page
from wordorder_lab.corpora.readers.corpus import SPLITS
from wordorder_lab.corpora.registry import UNITS
from wordorder_lab.experiments import provenance, record_check, records
from wordorder_lab.experiments.measures.measure import Specification
from wordorder_lab.experiments.records import names, specification_file
from wordorder_lab.experiments.runs.schema import LEGENDS, SpecificationError
from wordorder_lab.experiments.runs.settings import LEMMAS, PAIRS, TREES
from wordorder_lab.experiments.specification import checked
from wordorder_lab.systems.model import ENGINES

NUMBERS = (-1, 0, 2.5, 10**30, float("nan"), float("inf"))
VALUES: tuple[Any, ...] = ("", "x", "gazette", *NUMBERS, True, [], [1], ["x"])
TABLES: tuple[Any, ...] = ({}, {"x": 1}, [{}], [[1]], [{"x": [1]}])
A_SPECIFICATION, A_RECORD = 40, 6
RECORDS = records.FOLDER
OTHER_UNITS = (PAIRS, TREES, LEMMAS)
SMALL = 60_000
"""Bytes of records that are changed here: all measures are among them."""


def places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every container of a value with each of its keys; of long lists the first three."""
    keys = list(value) if isinstance(value, dict) else range(min(3, len(value)))
    for key in keys:
        yield value, key
        if isinstance(value[key], dict | list):
            yield from places(value[key])


def changed(content: Any, chance: random.Random, values: tuple[Any, ...]) -> str:
    """Change one place of the content, and say what was done."""
    inside, key = chance.choice(list(places(content)))
    how = chance.choice(("removed", "set", "set", "misspelt"))
    if how == "removed":
        del inside[key]
        return f"{key} removed"
    if how == "misspelt" and isinstance(inside, dict):
        inside[f"{key}x"] = inside.pop(key)
        return f"{key}x"
    inside[key] = copy.deepcopy(chance.choice(values))
    return f"{key} = {inside[key]!r}"


def tried(content: dict[str, Any], name: str) -> Specification | str:
    """The experiment, or why it is refused."""
    try:
        return checked(content, name, "0")
    except SpecificationError as error:
        return str(error)


@pytest.mark.parametrize("name", names())
def test_a_specification_that_is_changed_is_refused_in_one_line_or_can_be_run(name: str) -> None:
    chance = random.Random(name)
    content = tomllib.loads(specification_file(name).read_text(encoding="utf-8"))
    refused = 0
    for _ in range(A_SPECIFICATION):
        own = copy.deepcopy(content)
        what = changed(own, chance, VALUES + TABLES)
        found = tried(own, name)
        if isinstance(found, str):
            refused += 1
            assert found and "\n" not in found, what
        else:
            assert found.runs, what
            assert not found.plot or found.plot["kind"] in found.measure.figures(), what
    assert refused > A_SPECIFICATION // 4


def small_records() -> list[str]:
    return [path.stem for path in records.records() if path.stat().st_size < SMALL]


@pytest.mark.parametrize("name", small_records())
def test_a_record_that_is_changed_is_refused_in_one_line_or_shown(
    name: str, tmp_path, monkeypatch, capsys
) -> None:
    """As ``--report`` reads and shows it, but for the picture; signed, as if made so."""
    monkeypatch.setattr(records, "FOLDER", tmp_path)
    monkeypatch.setattr(report_page, "_picture", lambda wanted, record: node("p"))
    monkeypatch.setattr(provenance, "data_checksum", lambda name, units: "0")
    monkeypatch.setattr(record_check.Here, "code", lambda self, said, commit=None: None)
    content = json.loads((RECORDS / f"{name}.json").read_text(encoding="utf-8"))
    chance, told = random.Random(name), 0
    for _ in range(A_RECORD):
        own = copy.deepcopy(content)
        what = changed(own, chance, (None, *VALUES, *TABLES))
        records.write_json(tmp_path / f"{name}.json", {**own, "digest": records.digest_of(own)})
        page = tmp_path / "page.html"
        assert main(["reproduce", name.replace("_", "-"), "--report", str(page)]) == 0, what
        (line, *_) = capsys.readouterr().out.splitlines()
        told += line.startswith("WRONG")
    assert told > 0


WITHOUT_PLOT = """
title = "No picture"
measure = "end"
[settings]
system = "liu-2015"
corpus = "gazette"
split = "dev"
units = "words"
engine = "reference"
epochs = 1
beam = 2
"""


def refused(argv: list[str], capsys) -> str:
    """The one line by which a command refuses its input."""
    capsys.readouterr()
    try:
        code: Any = main(argv)
    except SystemExit as stop:
        code = stop.code
    (line,) = capsys.readouterr().err.splitlines()
    assert code == 2
    return str(line)


def test_a_specification_without_a_picture_is_run_and_shown(tmp_path, capsys) -> None:
    path = tmp_path / "own.toml"
    path.write_text(WITHOUT_PLOT)
    assert main(["reproduce", str(path), "--sentences", "20", "--json", str(tmp_path / "a")]) == 0
    assert "bleu_cased" in capsys.readouterr().out
    assert not path.with_suffix(".png").exists()


@pytest.mark.parametrize(
    ("more", "told"),
    [
        ('[plot]\nx = "epoch"', "has no 'kind'"),
        ('[plot]\nkind = "line"', "did you mean 'lines'"),
        ('[plot]\nkind = "lines"\nx = "epoch"\ny = "bleu_cased"', "has no 'lines'"),
        ('[plot]\nkind = "bars"\ny = "bleu_cased"\nlabel = ["a"]', "did you mean 'labels'"),
        ("bean = 3", "did you mean 'beam'"),
        ("pos = nan", "pos is a number between 0 and 1, not nan"),
        ("[plots]\nkind = 1", "did you mean 'plot'"),
        ("decode_beam = 0", "decode_beam is a whole number from 1"),
        ("decode_beam = -1", "decode_beam is a whole number from 1"),
        ("max_length = 0", "max_length is a whole number of at least 1, not 0"),
        ('templates = ""', "templates is a text that is not empty, not ''"),
        ("lm_order = 2\ndecode_lm_weight = -1", "decode_lm_weight is a number from 0"),
        ("[paper]\nvalues = [{ bleu = [1] }]", "paper.values[1].bleu is"),
    ],
)
def test_what_is_wrong_is_said_before_anything_is_trained(
    more: str, told: str, tmp_path, capsys, monkeypatch
) -> None:
    path = tmp_path / "own.toml"
    path.write_text(WITHOUT_PLOT + more)
    monkeypatch.setattr("wordorder_lab.experiments.runs.training.train", None)
    line = refused(["reproduce", str(path)], capsys)
    assert told in line and "own.toml" in line


@pytest.mark.parametrize(
    ("name", "known"), [("engine", ENGINES), ("split", SPLITS), ("units", (*UNITS, *OTHER_UNITS))]
)
def test_what_a_setting_may_be_is_said(name: str, known: tuple[str, ...], tmp_path, capsys) -> None:
    path = tmp_path / "own.toml"
    path.write_text(re.sub(rf"^{name} = .*$", f'{name} = "slow"', WITHOUT_PLOT, flags=re.M))
    line = refused(["reproduce", str(path)], capsys)
    assert f"{name} is one of {', '.join(known)}, not 'slow'" in line


def test_what_stands_twice_is_the_same() -> None:
    """The schema imports neither systems nor matplotlib, since a list needs it."""
    assert set(LEGENDS) == set(Legend.codes)


@pytest.mark.parametrize(
    ("system", "least"),
    [
        ("zhang-clark-2011", 0),
        ("zhang-clark-2015-dependency", 0),
        ("liu-2015", 1),
        ("ngram-beam", 1),
        ("wan-2009-ab", 1),
    ],
)
def test_a_beam_has_the_least_that_its_search_has(system: str, least: int) -> None:
    """0 is no bound of a best-first beam."""
    content = tomllib.loads(WITHOUT_PLOT.replace("liu-2015", system))
    for name in ("epochs", "beam") if system in ("ngram-beam", "wan-2009-ab") else ():
        del content["settings"][name]
    for beam in (0, 1):
        own = copy.deepcopy(content)
        own["settings"]["decode_beam"] = beam
        assert isinstance(tried(own, "own"), str) == (beam < least), beam


def test_rows_of_another_packages_measure_have_columns_of_their_own(tmp_path) -> None:
    path = tmp_path / "own.json"
    rows = [{"words": ["a", "b"], "rate": "3/4", "epoch": "last", "beam": "wide"}]
    record = {"name": "own", "specification": "0", "measure": "first-words", "rows": rows}
    outside = {"measure first-words": {"package": "greedy-bigrams", "checksum": "0"}}
    records.write_json(path, {**record, "code": {"outside": outside}})
    assert records.read_record(path)["rows"] == rows
    others: tuple[dict[str, Any], ...] = ({"outside": {"system greedy-bigrams": {}}}, {})
    for code in others:
        records.write_json(path, {**record, "code": code})
        with pytest.raises(records.RecordError, match=r"rows\[1\]\.words is nothing or a number"):
            records.read_record(path)


def test_a_column_that_no_row_has_leaves_the_record(tmp_path, capsys) -> None:
    path = tmp_path / "own.toml"
    path.write_text(WITHOUT_PLOT + '[plot]\nkind = "bars"\ny = "blue"\nlabels = ["beam"]')
    out = tmp_path / "out.json"
    line = refused(["reproduce", str(path), "--sentences", "20", "--json", str(out)], capsys)
    assert "cannot be drawn as [plot] says" in line and records.read_record(out)["rows"]


@pytest.mark.parametrize("system", ["liu-2015", "zhang-clark-2011", "mcdonald-2006"])
@pytest.mark.parametrize("text", ["", "# none\n\n"])
def test_templates_that_are_none_are_refused(system: str, text: str, tmp_path, capsys) -> None:
    own = tmp_path / "none.txt"
    own.write_text(text)
    argv = ["train", system, "--corpus", "gazette", "--templates", str(own), "--out"]
    line = refused([*argv, str(tmp_path / "m.wol")], capsys)
    assert re.search("templates .*none", line) and "Error" not in line


@pytest.mark.parametrize("option", ["--beam", "--pos", "--corpus", "--out", "--json", "--seed"])
def test_two_hyphens_are_no_value(option: str, capsys) -> None:
    line = refused(["train", "liu-2015", f"{option}=--"], capsys)
    assert f"{option}: expected one value, not '--'" in line
