"""Compiled kernels are kept, and never outlive the code they were made of.

A package of the same name and shape, with two small kernels, runs in processes of its own.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from wordorder_lab.runtime import kernel_fast
from wordorder_lab.runtime.kernel_fast import KEPT_DAYS, PACKAGE, checksum

IMPORT = "from wordorder_lab.runtime.kernel_fast import kernel\n"
SMALL = {
    "structures/numbers.py": "FIRST = 2\n",
    "models/inner_fast.py": IMPORT + "from wordorder_lab.structures.numbers import FIRST\n"
    "@kernel(inline='always')\ndef inner(x): return x + FIRST\n",
    "best_first/outer_fast.py": IMPORT + "from wordorder_lab.models.inner_fast import inner\n"
    "@kernel\ndef outer(x): return inner(x) * 10\n",
}
PROGRAM = """
from wordorder_lab.best_first.outer_fast import outer
print(outer(1), "from the cache" if outer.door().stats.cache_hits else "compiled")
"""


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """The small package, with our ``@kernel``."""
    package = tmp_path / "wordorder_lab"
    (package / "runtime").mkdir(parents=True)
    for name in ("atomic.py", "kernel_fast.py", "user_cache.py", "progress.py"):
        shutil.copyfile(PACKAGE / "runtime" / name, package / "runtime" / name)
    for name, text in SMALL.items():
        (package / name).parent.mkdir(parents=True, exist_ok=True)
        (package / name).write_text(text, encoding="utf-8")
    return package


def run(small: Path, **variables: str) -> str:
    environment = {k: v for k, v in os.environ.items() if k != "NUMBA_CACHE_DIR"}
    environment |= {"PYTHONPATH": str(small.parent), "PYTHONDONTWRITEBYTECODE": "1", **variables}
    command = [sys.executable, "-c", PROGRAM]
    done = subprocess.run(
        command, cwd=small, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.mark.slow
def test_an_edit_in_another_file_is_noticed(small: Path, tmp_path: Path) -> None:
    root = tmp_path / "cache" / "wordorder_lab" / "numba"
    for name, days in (("kernels-old", KEPT_DAYS + 1), ("kernels-young", KEPT_DAYS - 1)):
        (root / name).mkdir(parents=True)
        then = (root / name).stat().st_mtime - days * 86400
        os.utime(root / name, (then, then))
    home = {"XDG_CACHE_HOME": str(tmp_path / "cache")}
    assert run(small, **home) == "30 compiled"
    assert run(small, **home) == "30 from the cache"
    (small / "structures/numbers.py").write_text("FIRST = 3\n", encoding="utf-8")
    assert run(small, **home) == "40 compiled"
    kept = {path.name for path in root.iterdir()}
    assert len(kept) == 3 and "kernels-young" in kept and "kernels-old" not in kept


@pytest.mark.slow
def test_the_users_numba_cache_is_used(small: Path, tmp_path: Path) -> None:
    folders = {"NUMBA_CACHE_DIR": str(tmp_path / "n"), "XDG_CACHE_HOME": str(tmp_path / "x")}
    assert run(small, **folders) == "30 compiled"
    assert list((tmp_path / "n").rglob("*.nbi")) and not (tmp_path / "x").exists()


def test_without_a_folder_to_write_to_it_works(small: Path, tmp_path: Path) -> None:
    nowhere = tmp_path / "a file"
    nowhere.touch()
    (tmp_path / "tmp").mkdir()
    folders = {"XDG_CACHE_HOME": str(nowhere), "TMPDIR": str(tmp_path / "tmp")}
    assert run(small, **folders) == "30 compiled"
    assert not list(tmp_path.rglob("*.nbi"))  # nothing beside the sources; the folder is removed


def added(x, y):
    return x + y


def test_machine_code_for_other_types_is_not_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kernel_fast, "cache_folder", lambda: tmp_path)
    first = kernel_fast.kernel(added)
    assert (first(1, 2), first(1.5, 2.5)) == (3, 4.0)
    one, other = sorted(tmp_path.rglob("*.nbc"))
    one.rename(tmp_path / "kept")
    other.rename(one)  # as two processes may leave it that came to one file name at once
    (tmp_path / "kept").rename(other)
    again = kernel_fast.kernel(added)
    assert (again(1, 2), again(1.5, 2.5)) == (3, 4.0)
    assert not again.door().stats.cache_hits
    third = kernel_fast.kernel(added)
    assert third(1, 2) == 3 and third.door().stats.cache_hits


def test_the_checksum_sees_every_kernel(tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(PACKAGE, copy, ignore=shutil.ignore_patterns("__pycache__"))
    assert checksum(copy) == checksum(PACKAGE)
    kernels = sorted(copy.rglob("*_fast.py"))
    found = {checksum(PACKAGE)}
    for path in kernels:
        path.write_text(path.read_text(encoding="utf-8") + "# edited\n", encoding="utf-8")
        found.add(checksum(copy))
    assert len(found) == len(kernels) + 1


OTHERS = """
import numba, numpy as np
from wordorder_lab.runtime.kernel_fast import kernel
@kernel
def least(numbers):
    if numbers.shape[0] == 0:
        raise ValueError("there is none")
    return np.sort(numbers)[0]
@kernel
def doubled(numbers): return 2 * least(numbers)
@numba.njit
def theirs(numbers): return least(numbers) + np.sort(numbers)[1] + np.argsort(numbers)[0]
numbers = np.array([5, 3, 4])
print(doubled(numbers), theirs(numbers), least(numbers), np.cumsum(numbers)[-1])
try:
    doubled(numbers[:0])
except ValueError as error:
    print(error)
"""


def test_what_is_compiled_as_a_part_serves_others(tmp_path: Path) -> None:
    """A kernel inside another one is no machine code: it is called by Python all the same, by
    kernels of others, and what numba made for it is of use to them; its errors come out."""
    (tmp_path / "others.py").write_text(OTHERS)
    own = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path / "kept")}
    for _ in ("compiled", "from the cache"):
        done = subprocess.run(
            [sys.executable, "others.py"], cwd=tmp_path, env=own, capture_output=True, text=True
        )
        assert done.stdout.split("\n") == ["6 8 3 12", "there is none", ""], done.stderr
