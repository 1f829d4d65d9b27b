"""``bench --against COMMIT``: this checkout and an older one, timed in turn on the same work.

A machine that is busy with other things is busy for both, since they take turns: A B, B A, A B.
Each is a fresh process, and of its rounds the least counts (``bench_work``). A ratio is the median
of the pairs, with the lowest and the highest of them beside it.
"""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
import tarfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from wordorder_lab.experiments import bench_work
from wordorder_lab.experiments.runs.code_files import PACKAGE
from wordorder_lab.experiments.runs.schema import Row
from wordorder_lab.runtime.user_cache import writable_cache

PAIRS = 3
TIMES = ("training", "outputs")
STARTS = ("cold", "warm")
"""What is timed of a family, and of a command line that is started twice."""


def checkout(commit: str) -> tuple[str, Path]:
    """The full name of a commit, and a folder with its files, which stays in the user's cache, as
    its compiled kernels do. Raises ``ValueError`` where this is no clone, or has no such commit."""
    try:
        name = _git("rev-parse", "--verify", "--quiet", f"{commit}^{{commit}}").decode().strip()
        packed = _git("archive", name, PACKAGE.name, "data")
    except (FileNotFoundError, subprocess.CalledProcessError):
        raise ValueError(
            f"--against wants a commit of the clone that {PACKAGE.parent} is, and {commit!r} is "
            "none: git log --oneline lists them"
        ) from None
    folder = writable_cache() / "against" / name
    if not folder.exists():
        folder.parent.mkdir(exist_ok=True)
        with TemporaryDirectory(dir=folder.parent) as part:
            with tarfile.open(fileobj=io.BytesIO(packed)) as files:
                files.extractall(f"{part}/files", filter="data")
            Path(part, "files").rename(folder)
    return name, folder


def _git(*words: str) -> bytes:
    command = ["git", "-C", os.fspath(PACKAGE.parent), *words]
    return subprocess.run(command, capture_output=True, check=True).stdout


def rows(folder: Path, show: Callable[[str], None]) -> Iterator[Row]:
    """A row a family: seconds of both, their ratios, and whether the outputs are the same."""
    both = (PACKAGE.parent, folder)
    for name in bench_work.FAMILIES:
        pairs = []
        for turn in range(PAIRS):
            done = {here: _work(here, name) for here in (both if turn % 2 == 0 else both[::-1])}
            pairs.append([done[here] for here in both])
        row = _row(name, pairs)
        show(_line(row))
        yield row


def loop_seconds() -> float:
    """The machine's own speed: least seconds of a plain loop over a million numbers."""
    seconds, _ = bench_work.least(lambda: [i & 3 for i in range(1_000_000)])
    return round(seconds, 4)


def _work(folder: Path, name: str) -> Row:
    """What a checkout says of a family. Raises ``RuntimeError`` where it fails."""
    program = Path(bench_work.__file__).read_text(encoding="utf-8")
    command = [sys.executable, "-c", program, name]
    here = {**os.environ, "PYTHONPATH": os.fspath(folder)}
    run = subprocess.run(command, env=here, cwd=folder, capture_output=True, text=True, check=False)
    if run.returncode:
        raise RuntimeError(f"{name} in {folder} failed:\n{run.stderr[-2000:]}")
    row: Row = json.loads(run.stdout.splitlines()[-1])
    return row


def _row(name: str, pairs: Sequence[Sequence[Row]]) -> Row:
    row: Row = {"family": name}
    missing = [one["missing"] for pair in pairs for one in pair if "missing" in one]
    if missing:
        return {**row, "missing": missing[0]}
    for what in measured_of(pairs[0][0]):
        ratios = sorted(new[what] / old[what] for new, old in pairs)
        row[what] = {
            "seconds": [round(min(pair[i][what] for pair in pairs), 4) for i in range(2)],
            "ratio": round(median(ratios), 3),
            "ratios": [round(ratio, 3) for ratio in ratios],
        }
    same = len({one["checksum"] for pair in pairs for one in pair}) == 1
    return {**row, "items": pairs[0][0]["items"], "same_outputs": same}


def measured_of(row: Row) -> tuple[str, str]:
    """The two times of a row."""
    return STARTS if "cold" in row else TIMES


HEAD = (
    f"{'':<26}{'training, or cold start':>30}{'outputs, or warm start':>30}\n{'':<26}"
    + f"{'then':>9}{'now':>9}{'ratio':>12}" * 2
)


def _line(row: Row) -> str:
    if "missing" in row:
        return f"{row['family']:<26}not in both: {row['missing']}"
    times = ""
    for what in measured_of(row):
        (now, then), ratio = row[what]["seconds"], row[what]["ratio"]
        times += f"{then:>7.2f} s{now:>7.2f} s{ratio:>12.2f}"
    return f"{row['family']:<26}{times}{'' if row['same_outputs'] else '  other outputs'}"
