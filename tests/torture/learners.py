"""What the torture tests share: every learner as a command that trains for a second or so.

The command runs in a process of its own that is forked from this one, so that it need not import
anything first: whatever happens to it, happens to its work.
"""

from __future__ import annotations

import os
import resource
import signal
import sys
import traceback
from pathlib import Path
from typing import NamedTuple

from command_line import PLAIN, write_corpus, write_pairs

from wordorder_lab.cli import main
from wordorder_lab.corpora.gazette_corpus import folder as gazette_folder

LEARNERS = {
    "perceptron": ["liu-2015", "--beam", "2", "--epochs", "40"],
    "perceptron, shuffled": ["liu-2015", "--beam", "2", "--epochs", "40", "--shuffle"],
    "guided": ["zhang-clark-2015-dependency", "--beam", "4", "--epochs", "8"],
    "guided, CCG": ["zhang-clark-2015-ccg", "--beam", "4", "--epochs", "4"],
    "1-slack": ["cohn-lapata-2009", "--C", "10", "--beam", "5", "--tolerance", "1e-6"],
    "n-slack": ["cohn-lapata-2009", "--formulation", "n-slack", "--C", "10", "--beam", "5"],
    "two rounds": ["cohn-lapata-2009", "--gold", "max-score", "--C", "10", "--beam", "5"],
}
"""The arguments of ``train``; corpus and target come with ``training``."""
CCG_SENTENCES = 12


class Child(NamedTuple):
    """A process, and where its stderr can be read."""

    process: int
    stderr: int

    def kill(self) -> None:
        os.kill(self.process, signal.SIGKILL)


def corpora(folder: Path) -> dict[str, str]:
    trees, pairs = str(write_corpus(folder, 20)), str(write_pairs(folder, 24))
    derived = folder / "ccg.auto"
    lines = (gazette_folder() / "train.auto").read_text().splitlines(keepends=True)
    derived.write_text("".join(lines[: 2 * CCG_SENTENCES]))
    by_system = {"cohn-lapata-2009": pairs, "zhang-clark-2015-ccg": str(derived)}
    return {name: by_system.get(words[0], trees) for name, words in LEARNERS.items()}


def training(learner: str, corpus: str, out: Path) -> list[str]:
    return ["train", *LEARNERS[learner], "--corpus", corpus, *PLAIN, "--out", str(out)]


def begin(words: list[str], size: int | None = None) -> Child:
    """The command in a process; no file of it may grow beyond ``size``, if that is given."""
    read, write = os.pipe()
    process = os.fork()
    if process:
        os.close(write)
        return Child(process, read)
    code = 1
    try:
        os.dup2(write, 2)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        sys.stdout, sys.stderr = open(1, "w"), open(2, "w", buffering=1)  # noqa: SIM115
        if size is not None:
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)  # an error, not a kill
            resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
        code = main(words)
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stderr.flush()
        os._exit(code)


def finish(child: Child) -> tuple[int, str]:
    """Its exit code, below 0 for the signal that ended it, and stderr."""
    with open(child.stderr, encoding="utf-8", errors="replace") as stderr:
        said = stderr.read()
    _, status = os.waitpid(child.process, 0)
    return os.waitstatus_to_exitcode(status), said
