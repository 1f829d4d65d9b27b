"""``wordorder-lab bench --players``: what it measures, and what it says where it cannot."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from command_line import complaint

from wordorder_lab.cli import main
from wordorder_lab.commands import bench_players

if TYPE_CHECKING:
    from playwright.sync_api import Browser

BENCH = ["bench", "--players"]


def test_every_view_is_measured(chromium: Browser, tmp_path: Path, capsys, monkeypatch) -> None:
    @contextmanager
    def here() -> Iterator[Browser]:
        yield chromium  # a second one cannot be driven from the same thread

    monkeypatch.setattr(bench_players, "browser_here", here)
    less = {"EVENTS": 200, "WIDE": 300, "TRAINED": 2, "UNITS": 5, "ROUNDS": 1, "STEPS": 3}
    for name, few in less.items():
        monkeypatch.setattr(bench_players, name, few)
    path = tmp_path / "players.json"
    assert main([*BENCH, "--json", str(path)]) == 0
    assert "one wide agenda" in capsys.readouterr().out
    data = json.loads(path.read_text())
    assert data["name"] == "bench" and data["browser"] == chromium.version
    rows = data["rows"]
    views = {"beam", "updates", "learning", "agenda", "chart", "transduction"}
    assert {row["view"] for row in rows} == views
    for row in rows:
        assert row["events"] >= 200 and row["page_bytes"] > 10_000
        assert all(row[f"{act}_ms"] > 0 for act in ("opening", "forward", "back", "anywhere"))


def test_without_a_browser_it_says_what_to_install(capsys, monkeypatch) -> None:
    monkeypatch.setenv("PATH", "")
    monkeypatch.delenv("WORDORDER_LAB_BROWSER", raising=False)
    assert main(BENCH) == 2
    assert "install Chromium" in complaint(capsys)


def test_without_playwright_it_says_what_to_install(capsys, monkeypatch) -> None:
    monkeypatch.setattr(bench_players, "find_browser", lambda: "chromium")
    monkeypatch.setitem(sys.modules, "playwright", None)
    monkeypatch.setitem(sys.modules, "playwright.sync_api", None)
    assert main(BENCH) == 2
    assert "pip install playwright" in complaint(capsys)


def test_a_wide_log_has_as_many_edges_as_were_wanted() -> None:
    log = bench_players.wide_log(300, 5)
    made = [event[1] for event in log if event[0] in ("leaf", "edge")]
    assert made == [*range(1, len(made) + 1)] and 290 < len(made) <= 300


@pytest.mark.parametrize("name", ["chromium", "google-chrome"])
def test_the_browser_is_found_by_its_names(tmp_path: Path, monkeypatch, name: str) -> None:
    program = tmp_path / name
    program.touch(mode=0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("WORDORDER_LAB_BROWSER", raising=False)
    assert bench_players.find_browser() == str(program)
