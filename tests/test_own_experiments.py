"""Experiments of one's own: run by their file, with the same errors and the same report."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from command_line import write_experiment

from wordorder_lab.cli import main
from wordorder_lab.experiments import records, verdicts
from wordorder_lab.experiments.measures.claims import judge


@pytest.fixture
def own(tmp_path: Path) -> Path:
    return write_experiment(tmp_path)


def test_record_and_picture_lie_beside_the_file(own, capsys) -> None:
    assert main(["reproduce", str(own)]) == 0
    told = capsys.readouterr().out
    assert "what the paper claims:" in told and "the first order is better" in told
    record = json.loads(own.with_suffix(".json").read_text())
    assert own.with_suffix(".png").read_bytes().startswith(b"\x89PNG")
    assert [path.name for path in own.parent.glob("mine.*")] and record["full"]
    assert len(record["sentence_scores"]) == len(record["rows"]) == 2
    assert not any("sentence_scores" in row for row in record["rows"])
    assert not records.record_file("mine").exists()
    assert main(["reproduce", str(own), "--check"]) == 0
    assert "mine: in order" in capsys.readouterr().out
    page = own.with_name("page.html")
    assert main(["reproduce", str(own), "--report", str(page)]) == 0
    assert "the first order is better" in page.read_text()


def test_what_is_wrong_is_one_line_with_file_and_key(own, capsys) -> None:
    own.write_text(own.read_text().replace("seed = [1, 2]", "sead = [1, 2]"))
    assert main(["reproduce", str(own)]) == 2
    told = capsys.readouterr().err.strip()
    assert (
        "mine.toml: random-order has no setting 'sead' (did you mean 'seed'?)" in told
        and "\n" not in told
    )
    assert main(["reproduce", str(own.with_name("none.toml"))]) == 2
    assert "there is no file" in capsys.readouterr().err


def test_stale_runs_what_is_out_of_date_and_nothing_else(
    own: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """One that was never run, one whose specification has changed, one in order."""
    papers, made = tmp_path / "papers", tmp_path / "records"
    papers.mkdir()
    made.mkdir()
    for name in ("a", "b", "c"):
        (papers / f"{name}.toml").write_text(own.read_text())
    monkeypatch.setattr(records, "PAPERS", papers)
    monkeypatch.setattr(records, "FOLDER", made)
    for name in ("b", "c"):
        assert main(["reproduce", name]) == 0
    text = (papers / "b.toml").read_text()
    (papers / "b.toml").write_text(text.replace("[1, 2]", "[2, 1]"))
    kept = (made / "c.json").read_bytes()
    capsys.readouterr()
    assert main(["reproduce", "--stale"]) == 0
    told = capsys.readouterr().out
    assert "1 of 2: a (not run)" in told and "2 of 2: b (WRONG)" in told
    assert (made / "c.json").read_bytes() == kept
    assert [row["seed"] for row in json.loads((made / "b.json").read_text())["rows"]] == [2, 1]
    assert main(["reproduce", "--stale"]) == 0
    assert "every record is in order" in capsys.readouterr().out
    assert main(["reproduce", "--stale", "--check"]) == 2
    capsys.readouterr()
    assert main(["reproduce", "--stale", "--json", str(tmp_path / "one.json")]) == 2
    assert "several" in capsys.readouterr().err


def test_what_is_kept_is_also_what_is_said(own, tmp_path, monkeypatch, capsys) -> None:
    """Judging is a bootstrap: a run does it once."""
    made = tmp_path / "records"
    made.mkdir()
    monkeypatch.setattr(records, "PAPERS", own.parent)
    monkeypatch.setattr(records, "FOLDER", made)
    judged: list[str] = []

    def counted(*given: Any) -> Any:
        judged.append("mine")
        return judge(*given)

    monkeypatch.setattr(verdicts, "judge", counted)
    assert main(["reproduce", "mine"]) == 0
    assert "the first order is better" in capsys.readouterr().out
    assert judged == ["mine"] and records.kept("mine", verdicts.judges_here())


def test_stale_of_one_experiment(own: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record = own.with_suffix(".json")
    assert main(["reproduce", str(own), "--stale"]) == 0
    made = record.read_bytes()
    capsys.readouterr()
    assert main(["reproduce", str(own), "--stale"]) == 0
    assert "every record is in order" in capsys.readouterr().out
    assert record.read_bytes() == made
