"""``bench --against``: two checkouts in turn, and what their times say."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command_line import ROOT

from wordorder_lab.cli import main
from wordorder_lab.experiments import bench_against, bench_work


@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="this is no clone")
def test_a_commit_is_unpacked_once(tmp_path, monkeypatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    name, folder = bench_against.checkout("HEAD")
    assert len(name) == 40 and folder.is_relative_to(tmp_path)
    assert (folder / "wordorder_lab" / "cli.py").exists() and (folder / "data" / "gazette").is_dir()
    (folder / "kept").touch()
    assert bench_against.checkout(name[:12]) == (name, folder) and (folder / "kept").exists()
    for wrong in ("no-such-commit", "--help", f"{name}0"):
        with pytest.raises(ValueError, match="git log"):
            bench_against.checkout(wrong)


def test_they_take_turns_and_the_median_of_pairs_counts(tmp_path, monkeypatch, capsys) -> None:
    """Then 1 s, now 0.5, 0.25, 0.75 s; a family of which the outputs differ, one that is new."""
    folders, now = [], iter([0.5, 0.25, 0.75] * 3)

    def work(folder: Path, name: str) -> dict[str, object]:
        folders.append("then" if folder == tmp_path else "now")
        seconds = 1.0 if folder == tmp_path else next(now)
        if name == "parser":
            return {"missing": "no system parser"} if folder == tmp_path else {}
        text = str(folder) if name == "deletion" else "same"
        return {"training": 2 * seconds, "outputs": seconds, "items": 3, "checksum": text}

    monkeypatch.setattr(bench_against, "_work", work)
    monkeypatch.setattr(bench_against, "checkout", lambda commit: ("a" * 40, tmp_path))
    families = {name: bench_work.FAMILIES[name] for name in ("n-gram beam", "deletion", "parser")}
    monkeypatch.setattr(bench_work, "FAMILIES", families)
    path = tmp_path / "out.json"
    assert main(["bench", "--against", "v1", "--json", str(path)]) == 0
    assert folders[:6] == ["now", "then", "then", "now", "now", "then"]
    same, other, missing = json.loads(path.read_text())["rows"]
    assert same["outputs"]["ratio"] == 0.5 and same["outputs"]["ratios"] == [0.25, 0.5, 0.75]
    assert same["training"]["seconds"] == [0.5, 2.0] and same["items"] == 3
    assert same["same_outputs"] and not other["same_outputs"] and "no system" in missing["missing"]
    shown = capsys.readouterr().out
    assert "other outputs" in shown and "not in both" in shown and "aaaaaaaaaa (then)" in shown


def test_a_family_is_measured(monkeypatch, capsys) -> None:
    """One that compiles nothing; of a system that an old checkout lacks it says so."""
    here = bench_work.Family("wan-2009-cle", "order", "phrases", 40, 5, {})
    families = {"trees": here, "new": here._replace(system="none-such")}
    monkeypatch.setattr(bench_work, "FAMILIES", families)
    bench_work.main()
    row, missing = map(json.loads, capsys.readouterr().out.splitlines())
    assert (row["family"], row["items"]) == ("trees", 5)
    assert row["training"] > 0 < row["outputs"] and len(row["checksum"]) == 16
    assert missing["family"] == "new" and "none-such" in missing["missing"]
