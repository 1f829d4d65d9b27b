"""``reproduce`` without running anything: the list, and the page with the papers' values."""

from __future__ import annotations

import base64
import json
import re
from pathlib import Path
from typing import Any

import pytest
from command_line import complaint

from wordorder_lab.cli import COMMANDS, main
from wordorder_lab.commands.reproduce import page as reproduce_page
from wordorder_lab.commands.reproduce.page import USUAL
from wordorder_lab.corpora import CorpusError
from wordorder_lab.experiments import provenance, records
from wordorder_lab.experiments.paper_values import pairs, reversals
from wordorder_lab.experiments.provenance import code_of
from wordorder_lab.experiments.specification import load_specification

EVIL = '<script>alert("1")</script>&<img src="http://a.example/x">'


def compared(value: dict[str, Any], rows: list[dict[str, Any]]) -> list[tuple[Any, ...]]:
    """Quantity, paper's, ours and which row, for each pair."""
    found = pairs({"rows": rows, "paper": {"values": [value]}})
    return [(one.quantity, one.paper, one.ours, one.which) for one in found]


BEST = {"system": "zhang-clark-2015-dependency", "update": "scaled", "expansions": 500}
LEARNED = [{**BEST, "epoch": n, "bleu_cased": b} for n, b in ((1, 30.0), (2, 41.5), (3, 41.0))]
LIMITS = [{**BEST, "decode_seconds": s, "bleu_cased": 40.0 + s} for s in (0.5, 5)]
LIMITS += [{**BEST, "decode_expansions": 500, "bleu_cased": 39.0}]
SPLITS = [
    {"split": split, "pos": 1, "bleu_cased": b} for split, b in (("test", 50.0), ("dev", 4.0))
]
MANY = [{"seed": n, "pos": 1, "bleu_cased": 40.0 + n, "ms_per_sentence": 9.0 - n} for n in range(8)]
TIMED = [{"pos": 0, "length": n, "ms": n / 2} for n in (2, 4)] + [
    {"pos": 1, "length": 9, "ms": 9.0}
]
MATCHES = {
    "the best epoch": (
        {"update": "scaled", "bleu": 46.44}, LEARNED,
        [("bleu_cased", 46.44, 41.5, "epoch 2, the best of 3")],
    ),
    "another grammar": (
        {"grammar": "CCG", "update": "scaled", "bleu": 43.47}, LEARNED,
        [("bleu_cased", 43.47, None, "")],
    ),
    "our grammar": (
        {"grammar": "dependency", "update": "scaled", "bleu": 1.0}, LEARNED[:1],
        [("bleu_cased", 1.0, 30.0, "")],
    ),
    "a setting that we do not have": (
        {"weather": "fine", "bleu": 43.47}, LEARNED, [("bleu_cased", 43.47, None, "")],
    ),
    "no number": (
        {"update": "scaled", "bleu": "no convergence"}, LEARNED[:1],
        [("bleu_cased", "no convergence", 30.0, "")],
    ),
    "the name of a system": (
        {"system": "Zhang & Clark (2015), dependency", "bleu": 2.0}, LEARNED[:1],
        [("bleu_cased", 2.0, 30.0, "")],
    ),
    "a limit of the search": (
        {"seconds": 5, "bleu": 42.89}, LIMITS, [("bleu_cased", 42.89, 45, "")],
    ),
    "the search before the training": (
        {"expansions": 500, "bleu": 42.0}, LIMITS, [("bleu_cased", 42.0, 39.0, "")],
    ),
    "the development part": ({"pos": 1, "bleu": 5.0}, SPLITS, [("bleu_cased", 5.0, 4.0, "dev")]),
    "the split that is named": (
        {"pos": 1, "split": "test", "bleu": 5.0}, SPLITS, [("bleu_cased", 5.0, 50.0, "")],
    ),
    "each of a few": (
        {"pos": 1, "bleu": 5.0}, MANY[:2],
        [("bleu_cased", 5.0, 40.0, "seed 0"), ("bleu_cased", 5.0, 41.0, "seed 1")],
    ),
    "the first of many": (
        {"pos": 1, "bleu": 5.0, "ms": 7}, MANY,
        [("bleu_cased", 5.0, 40.0, "the first of 8: seed 0"),
         ("ms_per_sentence", 7, 9.0, "the first of 8: seed 0")],
    ),
    "not the spans that were kept": (
        {"below": 5, "f": 18.3},
        [{"below": 5, "spans": spans, "f1": f} for spans, f in (("kept", 9.0), ("tree", 8.0))],
        [("f1", 18.3, 8.0, "")],
    ),
    "all lengths once": (
        {"length": "all", "brevity": 1},
        [{"length": "all", "length_in": unit, "brevity": 0.9} for unit in ("words", "units")],
        [("brevity", 1, 0.9, "")],
    ),
    "the mean of times": (
        {"pos": 0, "ms_per_sentence": 155}, TIMED,
        [("ms_per_sentence", 155, 1.5, "mean of 2 sentences")],
    ),
    "a column of its own": (
        {"below": 5, "share": 0.25}, [{"below": 5, "share": 0.5}, {"below": 10, "share": 0.75}],
        [("share", 0.25, 0.5, "")],
    ),
}  # fmt: skip


@pytest.mark.parametrize(("value", "rows", "expected"), MATCHES.values(), ids=MATCHES)
def test_a_printed_value_finds_its_rows(value: dict, rows: list[dict], expected: list) -> None:
    assert compared(value, rows) == expected


def test_a_difference_is_ours_less_the_papers_and_an_interval_is_never_invented() -> None:
    row = {"pos": 1, "bleu_cased": 41.0, "bleu_cased_interval": [39.0, 43.5], "precision": 0.5}
    value = {"pos": 1, "bleu": 40.0, "precision": 0.75}
    bleu, precision = pairs({"rows": [row], "paper": {"values": [value]}})
    assert (bleu.difference, bleu.interval) == (1.0, (39.0, 43.5))
    assert (precision.difference, precision.interval) == (-0.25, None)


def test_times_of_another_machine_have_no_difference() -> None:
    value = {"pos": 1, "bleu": 5.0, "ms": 7}
    bleu, ms = pairs({"rows": MANY[:1], "paper": {"values": [value]}})
    assert (bleu.difference, ms.difference, ms.ours) == (35.0, None, 9.0)


def test_an_order_that_is_not_the_papers_is_found() -> None:
    """As of footnote 3 of Zhang & Clark's Table 7; what is above in both is no news."""
    rows = [
        {"pos": pos, "bleu_cased": bleu, "bleu_cased_interval": [bleu - half, bleu + half]}
        for pos, bleu, half in ((0, 40.0, 1.0), (0.5, 79.5, 2.0), (1, 81.0, 2.0))
    ]
    values = [{"pos": pos, "bleu": bleu} for pos, bleu in ((0, 42.9), (0.5, 76.28), (1, 74.79))]
    (found,) = reversals(pairs({"rows": rows, "paper": {"values": values}}))
    assert (found.high.paper, found.low.paper, found.close) == (76.28, 74.79, True)
    assert (found.high.ours, found.low.ours) == (79.5, 81.0)
    rows[2]["bleu_cased_interval"] = [81.9, 82.5]
    (found,) = reversals(pairs({"rows": rows, "paper": {"values": values}}))
    assert not found.close
    assert reversals(pairs({"rows": rows[:2], "paper": {"values": values}})) == []


def test_outputs_of_the_paper_that_were_scored_here_are_its_numbers() -> None:
    row = {"pos": 1, "sentences": 9, "bleu_cased": 40.0, "paper_bleu_cased": 50.5}
    (pair,) = pairs({"rows": [], "paper": {}, "together": [row]})
    assert pair.of == {"pos": 1, "sentences": 9}
    assert (pair.quantity, pair.paper, pair.ours) == ("bleu_cased", 50.5, 40.0)


OWN = """
title = {title}
measure = "end"
[paper]
reference = "A & B (2015)"
place = "Table 1"
data = "Penn Treebank"
claim = {title}
values = [{{ pos = 1, bleu = 48.8 }}, {{ grammar = "CCG", bleu = 39.04 }}]
[settings]
system = "liu-2015"
corpus = "gazette"
split = "dev"
units = "base-np"
[vary]
pos = [1]
[plot]
kind = "bars"
y = "bleu_cased"
labels = ["pos"]
"""
ROW = {
    "system": "liu-2015",
    "corpus": "gazette",
    "split": "dev",
    "units": "base-np",
    "pos": 1,
    "sentences": 240,
    "bleu_cased": 50.25,
    "bleu_cased_interval": [48.0, 52.5],
    "text": EVIL,
}


@pytest.fixture
def three(tmp_path, monkeypatch) -> Path:
    """One experiment with a record, one that was not run, one whose record is damaged."""
    papers, kept = tmp_path / "papers", tmp_path / "records"
    papers.mkdir(), kept.mkdir()
    monkeypatch.setattr(records, "PAPERS", papers)
    monkeypatch.setattr(records, "FOLDER", kept)
    monkeypatch.setattr(provenance, "data_checksum", lambda name, units: "0")
    monkeypatch.chdir(tmp_path)
    for name in ("own_broken", "own_made", "own_new"):
        (papers / f"{name}.toml").write_text(OWN.format(title=json.dumps(EVIL)))
    wanted = load_specification("own-made")
    machine = {
        "platform": EVIL,
        "processor": "Processor of a very long name, 3 GHz",
        "cpu_count": 2,
    }
    record = {
        "name": "own-made",
        "title": wanted.title,
        "paper": dict(wanted.paper),
        "full": True,
        "command": "wordorder-lab reproduce own-made",
        "date": "2026-01-02",
        "seconds": 1799.3,
        "specification": wanted.checksum,
        "data": {"gazette, base-np": "0"},
        "code": code_of(records.PACKAGE, wanted),
        "versions": {"python": "3.11"},
        "machine": machine,
        "rows": [ROW, {**ROW, "pos": 0, "bleu_cased": 40.0}],
    }
    record["digest"] = records.digest_of(record)
    records.write_json(kept / "own_made.json", record)
    (kept / "own_made.png").write_bytes(b"not what the page shows")
    (kept / "own_broken.json").write_text("{")
    return tmp_path


def test_rows_that_do_not_fit_their_measure_are_shown_as_they_are(three) -> None:
    path = three / "records" / "own_made.json"
    record = json.loads(path.read_text())
    records.write_json(path, {**record, "measure": "conditions"})
    assert main(["reproduce", "own-made", "--report", str(three / "page.html")]) == 0
    page = (three / "page.html").read_text()
    assert "As the command prints it" in page and "50.25" in page and "edited by hand" in page


def test_the_list_says_what_when_how_long_and_on_what(three, capsys, monkeypatch) -> None:
    def unread(name: str, units: str) -> str:
        raise AssertionError("a list reads no corpus")

    monkeypatch.setattr(provenance, "data_checksum", unread)
    assert main(["reproduce"]) == 0
    shown = capsys.readouterr().out
    broken, made, new = shown.index("own-broken"), shown.index("own-made"), shown.index("own-new")
    assert "WRONG" in shown[broken:made]
    assert "run the experiment again" in " ".join(shown[broken:made].split())
    line = shown[made:].splitlines()[0]
    assert re.search(r"own-made +1 +2026-01-02 +30 min +2 +Processor of a \[...\] +in order", line)
    assert "wordorder-lab reproduce own-made" in shown[made:new] and "Table 1" in shown[made:new]
    assert "not run" in shown[new:].splitlines()[0]
    told = [text for text in shown.splitlines() if "is damaged" not in text]
    assert max(map(len, told)) <= 100

    assert main(["reproduce", "--json", "-"]) == 0
    rows = {row["name"]: row for row in json.loads(capsys.readouterr().out)}
    assert [row["state"] for row in rows.values()] == ["WRONG", "in order", "not run"]
    assert rows["own-made"]["seconds"] == 1799.3 and rows["own-made"]["cores"] == 2
    assert rows["own-new"]["command"] is None and rows["own-new"]["runs"] == 1


def test_the_check_names_records_without_an_experiment(three, capsys) -> None:
    (three / "records" / "own_gone.json").write_text("{}")
    assert main(["reproduce", "--check", "--json", "-"]) == 1
    rows = {row["name"]: row for row in json.loads(capsys.readouterr().out)}
    assert "no experiment is called own-gone" in rows["own_gone"]["wrong"][0]
    assert rows["own-made"]["wrong"] == [] and "run it" in rows["own-new"]["wrong"][0]
    states = {name: row["state"] for name, row in rows.items()}
    assert (states["own-made"], states["own-new"]) == ("in order", "not run")
    assert "is damaged" in rows["own-broken"]["wrong"][0]
    assert main(["reproduce", "own-made", "--check"]) == 0


def test_list_page_and_check_say_the_same(three, capsys) -> None:
    path = records.record_file("own-made")
    record = records.read_record(path)
    record["code"] = {"commit": None, "checksum": "0"}
    record["rows"] = [{**row, "bleu_cased": row["bleu_cased"] - 1} for row in record["rows"]]
    records.write_json(path, {**record, "digest": records.digest_of(record)})
    for argv in (["--check"], [], ["--report", "one.html"]):
        one = ["own-made"] if argv else []
        assert main(["reproduce", *one, *argv, "--json", "-"]) == 0
        rows = {row["name"]: row for row in json.loads(capsys.readouterr().out)}
        assert rows["own-made"]["state"] == "cannot be checked", argv
    assert Path("one.html").read_text().count(">cannot be checked<") == 1


def test_rows_that_cannot_be_drawn_leave_the_page_without_a_picture(three) -> None:
    path = records.record_file("own-made")
    record = records.read_record(path)
    record["rows"] = [{"system": "liu-2015"}]
    records.write_json(path, record)
    assert main(["reproduce", "own-made", "--report", "one.html"]) == 0
    text = Path("one.html").read_text()
    assert "<img" not in text and "edited by hand" in text


def test_the_page_is_one_file_with_everything_escaped(three, capsys) -> None:
    assert main(["reproduce", "--report"]) == 0
    assert str(USUAL) in COMMANDS["reproduce"].own["--report"]["help"]
    shown = capsys.readouterr().out
    assert f"open {USUAL}" in shown and "WRONG: own-broken" in shown
    text = (three / USUAL).read_text(encoding="utf-8")
    assert "<script" not in text and "script-src 'none'" in text
    (picture,) = re.findall(r'<img[^>]* src="data:image/png;base64,([^"]*)"', text)
    assert base64.b64decode(picture).startswith(b"\x89PNG")  # drawn from the record
    assert not re.search(r"""<[^<>]*(src|href)=["']?(https?:)?//""", text)
    assert set(re.findall(r'href="#([^"]+)"', text)) == set(
        re.findall(r'<section id="([^"]+)', text)
    )
    plain = re.sub(r"\s*<[^>]+>\s*", "|", text)
    assert re.search(r"all POS\|+48.8\|+50.25\|+\+1.45\|+48.00 to 52.50\|", plain)
    assert re.search(r"CCG\|+39.04\|+not run here\|", plain)
    nav = plain[: plain.index("not run here")]
    assert re.search(r"BLEU, cased: all POS\|+48.8\|+50.25\|", nav)
    for told in ("30 min", "2026-01-02", "python 3.11", "240 sentences", "All 2 rows", "in order"):
        assert told in plain, told


def test_the_page_on_one_experiment(three, capsys) -> None:
    assert main(["reproduce", "own-made", "--report", "one.html", "--json", "one.json"]) == 0
    (about,) = json.loads(Path("one.json").read_text())
    assert about["values"][0]["difference"] == pytest.approx(1.45)
    assert about["values"][1]["ours"] is None
    assert "own-new" not in Path("one.html").read_text()


def test_data_that_is_not_there_is_a_note(three, capsys, monkeypatch) -> None:
    def missing(name: str, units: str) -> str:
        raise CorpusError("get it with that command")

    monkeypatch.setattr(provenance, "data_checksum", missing)
    assert main(["reproduce", "own-made", "--report", "one.html"]) == 0
    text = Path("one.html").read_text()
    assert "the data cannot be checked: get it with that command" in text


REFUSED = {
    "a name": (["--report", "own-new"], "wordorder-lab reproduce own-new --report"),
    "no folder": (["--report", "no/where.html"], "there is no folder no"),
    "a folder": (["--report", "papers"], "papers is a folder"),
    "two things": (["--report", "--check"], "one at a time"),
    "a smaller check": (["own-made", "--check", "--epochs", "1"], "one at a time"),
    "a smaller list": (["--sentences", "3"], "--sentences is for one experiment: name it"),
    "no experiment": (["own", "--report", "a.html"], "no experiment 'own'"),
}


@pytest.mark.parametrize(("argv", "reason"), REFUSED.values(), ids=REFUSED)
def test_what_cannot_be_is_refused(three, capsys, argv: list[str], reason: str) -> None:
    assert main(["reproduce", *argv]) == 2
    assert reason in complaint(capsys)
    assert not list(three.glob("*.html"))


def one_of_each_measure() -> list[str]:
    """Experiments, one a measure: the one with the smallest record."""
    by_size = sorted(records.names(), key=lambda name: records.record_file(name).stat().st_size)
    return list({load_specification(name).measure.name: name for name in by_size[::-1]}.values())


@pytest.mark.parametrize(
    "names",
    [
        pytest.param(one_of_each_measure, marks=pytest.mark.slow),
        pytest.param(records.names, marks=pytest.mark.torture),
    ],
    ids=["one of each measure", "all"],
)
def test_the_page_on_our_own_records(tmp_path, capsys, monkeypatch, request, names) -> None:
    """Records in a browser if there is one: nothing sticks out of a narrow page."""
    monkeypatch.setattr(provenance, "data_checksum", lambda name, units: "0")
    monkeypatch.setattr(reproduce_page, "names", names)
    path = tmp_path / "page.html"
    assert main(["reproduce", "--report", str(path)]) == 0
    text = path.read_text(encoding="utf-8")
    assert all(f'<section id="{name}"' in text for name in names())
    assert path.stat().st_size < 8_000_000 and text.count("<img") >= 8
    page = request.getfixturevalue("page")
    page.set_viewport_size({"width": 400, "height": 800})
    page.goto(path.as_uri())
    page.evaluate("document.querySelectorAll('details').forEach(one => { one.open = true; })")
    assert page.evaluate("document.documentElement.scrollWidth") <= 400
    assert page.locator("img").evaluate_all("all => all.every(one => one.naturalWidth > 300)")
