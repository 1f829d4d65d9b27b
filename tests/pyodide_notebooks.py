"""Runs notebooks and their solutions in Pyodide under Node, with what a tab of the site loads.

``python tests/pyodide_notebooks.py [20_transition_based ...]`` prints a line for each: whether it
came to its end, in how many seconds by the clock and of a processor, which answers were found
right, and which cells were slow. Models and results are those that ``make pages`` has kept; what is
not there is made, slowly.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "docs"), str(ROOT / "tests")]

import pyodide_files  # noqa: E402
from site_pages import tab_packages  # noqa: E402
from site_pages.lite_site import MODELS  # noqa: E402
from site_pages.pyodide_files import CHECKSUMS, FOR_NOTEBOOKS, lock_text  # noqa: E402

PATIENCE = 3600
"""Seconds for a notebook."""
SLOW = 20
"""Seconds of a processor from which on a cell is named."""
PROGRAM = """
import json, os, sys, time
from pathlib import Path
INLINE = "module://matplotlib_inline.backend_inline"  # as JupyterLite has it
sys.path[:] = [place for place in sys.path if not place.startswith("/repo")]
os.environ |= {"WORDORDER_LAB_MODELS": "/models", "MPLBACKEND": INLINE}
from IPython.core.interactiveshell import InteractiveShell
from js import process
from wordorder_lab.check.exercise import Desk
from wordorder_lab.systems.everyday import FOLDER
for path in Path("/repo/wordorder_lab/systems/everyday_models").glob("*.zip"):
    (FOLDER / path.name).write_bytes(path.read_bytes())  # in a tab they come when asked for
(stem,), notebooks, verdicts, slow = ARGUMENTS, Path("/repo/notebooks"), {}, []
os.chdir(notebooks)
plain, shell = Desk.__call__, InteractiveShell.instance()

def noted(self, number, answer, **given):
    verdict = plain(self, number, answer, **given)
    verdicts[number] = verdict.right
    return verdict

def spent():
    used = process.cpuUsage()
    return (used.user + used.system) / 1e6

def run(cells):
    for number, source in enumerate(cells):
        begin = spent()
        ran = shell.run_cell(source, store_history=False)
        done = round(spent() - begin, 1)
        Path("/told/cells").open("a").write(f"{number} {done} {source.splitlines()[0]}\\n")
        if done > SLOW:
            slow.append([number, done, source.splitlines()[0]])
        if not ran.success:
            return f"cell {number}: {ran.error_in_exec or ran.error_before_exec!r}"
    return ""

begin = time.time()
cells = json.loads((notebooks / f"{stem}.ipynb").read_text())["cells"]
wrong = run("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code")
seconds = time.time() - begin
Desk.__call__ = noted
wrong = wrong or run(json.loads(Path("/told/solutions").read_text()))
told = {"wrong": wrong, "seconds": round(seconds), "verdicts": verdicts, "slow": slow}
Path("/told/told.json").write_text(json.dumps(told))
"""


def solutions_of(stem: str) -> list[str]:
    """The code of a notebook's solutions, cell by cell."""
    text = (ROOT / "notebooks" / "solutions" / f"{stem}.py").read_text(encoding="utf-8")
    parts = re.split(r"(?m)^# %%(.*)\n", text)
    return [code for mark, code in zip(parts[1::2], parts[2::2]) if "markdown" not in mark]


def folder() -> Path:
    """Files of Pyodide, with the wheels of the site and their lock."""
    place = pyodide_files.HERE.with_name("pyodide_notebooks")
    place.mkdir(parents=True, exist_ok=True)
    made = tab_packages.wheels()
    every = {**pyodide_files.files([*CHECKSUMS, *FOR_NOTEBOOKS]), **made}
    for name, data in every.items():
        (place / name).write_bytes(data)
    (place / "pyodide-lock.json").write_text(lock_text(tab_packages.packages(made)))
    return place


def ran(stem: str, place: Path) -> dict[str, object]:
    """What came of a notebook; of one that did not end, why."""
    told = place / "told" / stem
    told.mkdir(parents=True, exist_ok=True)
    for name in ("told.json", "cells"):
        (told / name).unlink(missing_ok=True)
    (told / "solutions").write_text(json.dumps(solutions_of(stem)), encoding="utf-8")
    MODELS.mkdir(parents=True, exist_ok=True)
    mounts = {"/repo": str(ROOT), "/told": str(told), "/models": str(MODELS)}
    command = ["node", str(ROOT / "tests/pyodide_run.mjs"), str(place), json.dumps(mounts), stem]
    environment = {**os.environ, "PYODIDE_PACKAGES": "wordorder-lab ipython"}
    before = _of_processor()
    try:
        done = subprocess.run(
            command,
            input=PROGRAM.replace("SLOW", str(SLOW)),
            capture_output=True,
            text=True,
            env=environment,
            timeout=PATIENCE,
        )
    except subprocess.TimeoutExpired:
        return {"wrong": f"not at its end after {PATIENCE} s"}
    if not (told / "told.json").exists():
        return {"wrong": (done.stdout + done.stderr)[-500:]}
    found: dict[str, object] = json.loads((told / "told.json").read_text())
    return {**found, "of a processor": round(_of_processor() - before)}


def _of_processor() -> float:
    """Seconds of a processor of all that has ended below this one: Node, Python's start, cells."""
    after = os.times()
    return after.children_user + after.children_system


def main(stems: Sequence[str]) -> None:
    """Run them one after the other."""
    every = [path.stem for path in sorted((ROOT / "notebooks").glob("[0-9]*.ipynb"))]
    place = folder()
    for stem in stems or every:
        print(stem, json.dumps(ran(stem, place)), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
