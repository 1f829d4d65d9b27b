"""Files of a command line, and what a command says: lines to read, or JSON.

Nothing heavy is imported here: whatever is missing, ``doctor`` must be able to say so.
"""

from __future__ import annotations

import json
import os
import shlex
import sys
from argparse import Namespace
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from wordorder_lab.runtime.atomic import plain_target

Described = tuple[list[str], Any]
"""Lines for people, and the same as data."""
STDOUT = "-"
"""What stands on a command line for stdin and stdout."""
WRITTEN = ("out", "json", "trace", "play", "arpa", "html")
READ = tuple(
    "model against conllu trees corpus trees_of ngrams supertagger categories parser".split()
)


# --- files ----------------------------------------------------------------------------------------


def check_apart(arguments: Namespace) -> None:
    """Raise ``ValueError`` where a file is to be written that is read too, or written twice."""
    named: dict[str, str] = {}
    for name in (*READ, *WRITTEN):
        given = getattr(arguments, name, None)
        for path in given if isinstance(given, list) else [given]:
            if not isinstance(path, str) or path == STDOUT:
                continue
            if name in READ and not os.path.exists(path):  # a corpus that goes by its name
                continue
            place = os.path.realpath(path)
            if name in WRITTEN and place in named:
                raise ValueError(
                    f"--{named[place]} and --{name} are the same file, {path}: give each its own"
                )
            named[place] = name


def check_target(path: str | os.PathLike[str]) -> Path:
    """A file that can be written, or ``ValueError`` before the work is done. Links are followed:
    who replaces the file by hand replaces what ``plain_target`` says."""
    target = Path(path)
    written = plain_target(target)
    if not written.parent.is_dir():
        folder = written.parent if target.is_symlink() else target.parent
        raise ValueError(f"there is no folder {folder} to write {written.name} into: make it")
    if not os.access(written.parent, os.W_OK):
        raise ValueError(f"the folder {written.parent} may not be written: choose another one")
    if written.exists() and any(os.path.samestat(written.stat(), out) for out in _outputs()):
        raise ValueError(f"{target} is where the text goes: name another file")
    return target


def _outputs() -> Iterator[os.stat_result]:
    """What is behind stdout and stderr, where they are open."""
    for number in (1, 2):
        with suppress(OSError):
            yield os.fstat(number)


def check_json(path: str | None) -> None:
    """The same for ``--json``, which may be left out or be ``-``."""
    if path not in (None, STDOUT):
        check_target(str(path))


# --- while the work goes on -----------------------------------------------------------------------


def printer(path: str | None) -> Callable[[str], None]:
    """How to say something while the work goes on: past the bars, and not into JSON on stdout."""
    if path == STDOUT:
        return lambda _: None
    from tqdm.auto import tqdm

    write: Callable[[str], None] = tqdm.write
    return write


@contextmanager
def keeping(
    kept: Path | None, use: str = "the same command goes on from", lost: str = ""
) -> Iterator[None]:
    """Ctrl-C inside says that ``kept`` is there, and of what ``use`` it is; or what is ``lost``."""
    try:
        yield
    except KeyboardInterrupt:
        message = f"{use} {kept}" if kept is not None and kept.exists() else lost
        raise KeyboardInterrupt(*([message] if message else [])) from None


@contextmanager
def beginning(checkpoint: Path) -> Iterator[None]:
    """A training that is refused in the middle leaves no checkpoint: it would be refused again."""
    was_there = checkpoint.exists()
    try:
        yield
    except ValueError:
        if not was_there:
            checkpoint.unlink(missing_ok=True)
        raise


# --- in the end -----------------------------------------------------------------------------------


def report(lines: Sequence[str], data: object, path: str | None) -> None:
    """Print the lines, and write the data where ``--json`` says: a file, or ``-`` for stdout."""
    if path != STDOUT:
        for line in lines:
            print(line)
    if write_json(data, path):
        print(f"wrote {path}")


def write_json(data: object, path: str | None) -> bool:
    """Whether JSON went into a file; on stdout, ``-``, it escapes what that cannot show."""
    if path is not None and path != STDOUT:
        from wordorder_lab.experiments import records

        records.write_json(path, data)
        return True
    if path == STDOUT:
        try:
            text = json.dumps(data, ensure_ascii=False, indent=1)
            text.encode(sys.stdout.encoding or "utf-8")
        except UnicodeEncodeError:
            text = json.dumps(data, indent=1)
        print(text)
    return False


def command_line(*words: str, **options: object) -> str:
    """A command of ours as one types it, with those options that are given."""
    given = [str(word) for name, value in options.items() if value for word in (f"--{name}", value)]
    return shlex.join(["wordorder-lab", *words, *given])


def duration(seconds: float) -> str:
    """A time as one says it: "41 s", "30 min", "2.5 h"."""
    if seconds < 120:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 7200 else f"{seconds / 3600:.1f} h"


@contextmanager
def workers(arguments: Namespace) -> Iterator[None]:
    """Work goes where ``--jobs`` and ``--cluster`` say; ``ValueError`` for one job on a cluster."""
    from wordorder_lab.experiments.cluster import on_cluster

    if arguments.cluster is not None and arguments.jobs == 1:
        raise ValueError("--jobs 1 is work for this machine alone: leave it out, or --cluster")
    with on_cluster(arguments.cluster) as fitting:
        arguments.jobs = arguments.jobs or fitting or 1
        yield
