"""Runs notebooks and their solutions in JupyterLite, in headless Chromium, from the site's files.

``python tests/lite_notebooks.py [20_transition_based ...]`` prints a line for each: whether it came
to its end, in how many seconds by the clock and of a processor, and which answers were found right.
It fails where that is not what the notebook's page says. Models and results are those that
``make pages`` has kept.
"""

from __future__ import annotations

import gzip
import json
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import psutil

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "docs"), str(ROOT / "tests")]

import nbformat  # noqa: E402
import pyodide_files  # noqa: E402
import pyodide_notebooks  # noqa: E402
import pytest  # noqa: E402
from site_pages import lite_site  # noqa: E402
from site_pages.notebooks import IN_A_TAB  # noqa: E402
from site_pages.pyodide_files import CHECKSUMS, FOR_NOTEBOOKS  # noqa: E402

from wordorder_lab.systems.everyday import FOLDER  # noqa: E402

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

PATIENCE = 3600
"""Seconds for a notebook."""
WASM = "pyodide.asm.wasm"
NOTED = """
from wordorder_lab.check.exercise import Desk
verdicts, plain = {}, Desk.__call__

def noted(self, number, answer, **given):
    verdict = plain(self, number, answer, **given)
    verdicts[number] = verdict.right
    return verdict

Desk.__call__ = noted
"""
TOLD = "VERDICTS "
"""Begins the line in which the last cell says them."""
NOTEBOOK = "window.jupyterapp.shell.currentWidget.content"
RUN = f"""async () => {{
  await {NOTEBOOK}.parent.sessionContext.ready;
  await window.jupyterapp.commands.execute("notebook:run-all-cells");
  return [...{NOTEBOOK}.model.sharedModel.cells]
    .filter((cell) => cell.cell_type === "code").map((cell) => cell.toJSON());
}}"""


def written(place: Path, models: Path = lite_site.MODELS) -> Path:
    """The site below ``lite/``, and what it shares with ``try/``; skips where that is not to be
    had."""
    found = pyodide_files.files([*CHECKSUMS, *FOR_NOTEBOOKS])
    shared = {f"try/pyodide/{name}": found[name] for name in CHECKSUMS if name != WASM}
    shared[f"try/pyodide/{WASM}.packed"] = gzip.compress(found[WASM], 1)
    for model in FOLDER.glob("*.zip"):
        shared[f"try/lab/{model.relative_to(ROOT).as_posix()}"] = model.read_bytes()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lite_site, "pyodide_files", lambda names: {n: found[n] for n in names})
        patch.setattr(lite_site, "MODELS", models)
        patch.setattr(lite_site.tab_site, "written", lambda: shared)
        lite_site.written.cache_clear()
        made = lite_site.written()
        lite_site.written.cache_clear()
    for name, data in {**made, **shared}.items():
        path = place / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    return place


def with_solutions(site: Path, stem: str) -> None:
    """Let the site's notebook go on with the solutions, and say at the end what they came to."""
    path = site / "lite" / "files" / f"{stem}.ipynb"
    notebook: Any = nbformat.read(path, as_version=4)
    solutions = pyodide_notebooks.solutions_of(stem)
    for source in [NOTED, *solutions, f"import json\nprint({TOLD!r} + json.dumps(verdicts))"]:
        notebook.cells.append(nbformat.v4.new_code_cell(source))
    path.write_text(nbformat.writes(notebook), encoding="utf-8")


def opened(page: Page, own: str, stem: str, patience: int) -> None:
    """Wait until Python is there."""
    page.goto(f"{own}/lite/lab/index.html?path={stem}.ipynb")
    page.get_by_text("Python (Pyodide) | Idle").wait_for(timeout=patience * 1000)


def run(page: Page, patience: int) -> list[Any]:
    """The code cells, after all have been run."""
    page.set_default_timeout(patience * 1000)
    cells: list[Any] = page.evaluate(RUN)
    return cells


def ran(browser: Browser, own: str, stem: str) -> dict[str, Any]:
    """What came of a notebook that goes on with its solutions."""
    with browser.new_context(offline=False) as context:
        page = context.new_page()
        context.route(lambda url: not url.startswith(own), lambda route: route.abort())
        begin, before = time.time(), _of_processor()
        opened(page, own, stem, PATIENCE)
        there = round(time.time() - begin)
        cells = run(page, PATIENCE)
        told = {"there": there, "seconds": round(time.time() - begin)}
        return {**told, "of a processor": round(_of_processor() - before), **of_cells(cells)}


def of_cells(cells: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Which cell was wrong, and which answers are right."""
    wrong, verdicts = "", {}
    for number, cell in enumerate(cells):
        for output in cell["outputs"]:
            if output["output_type"] == "error" and not wrong:
                wrong = f"cell {number}: {output['ename']}: {output['evalue']}"
            text = "".join(output.get("text", ""))
            if TOLD in text:
                verdicts = json.loads(text.partition(TOLD)[2])
    done = sum(cell.get("execution_count") is not None for cell in cells)
    return {"wrong": wrong, "cells": f"{done} of {len(cells)}", "verdicts": verdicts}


def _of_processor() -> float:
    """Seconds of a processor of all that runs below this process."""
    spent = 0.0
    for process in psutil.Process().children(recursive=True):
        try:
            times = process.cpu_times()
        except psutil.NoSuchProcess:
            continue
        spent += times.user + times.system
    return spent


def main(stems: Sequence[str]) -> int:
    """Run them one after the other; how many came to another end than their pages say."""
    from playwright.sync_api import sync_playwright
    from test_try_page import served

    from wordorder_lab.commands.bench_players import FLAGS, find_browser

    every = [path.stem for path in sorted((ROOT / "notebooks").glob("[0-9]*.ipynb"))]
    site = written(pyodide_files.HERE.with_name("lite_notebooks"))
    failed = 0
    with sync_playwright() as driver, served(site) as own:
        for stem in stems or every:
            browser = driver.chromium.launch(executable_path=find_browser(), args=list(FLAGS))
            with_solutions(site, stem)
            try:
                told = ran(browser, own, stem)
            except Exception as error:  # a crash of the page, or no end: the next has its turn
                told = {"wrong": str(error)[:500], "verdicts": {}}
            runs = not told["wrong"] and all(told["verdicts"].values())
            failed += runs != IN_A_TAB[stem]["runs"]
            print(stem, json.dumps(told), flush=True)
            browser.close()
    return failed


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
