"""What crafted files are tried on: whoever opens one gets one clear error, or can use it.

``originals`` makes one good file of each kind, ``outcomes`` opens and uses variants of them, in
processes that may not need more than a GiB or some seconds for any of them. A process goes through
many variants; if it dies, the one it was at is to blame, and another goes on behind it.
"""

from __future__ import annotations

import json
import os
import resource
import signal
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache, partial
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from crafted_files import Crafted, Original

import wordorder_lab as wl
from wordorder_lab.experiments.records import (
    RecordError,
    digest_of,
    read_record,
    records,
    unfinished,
)
from wordorder_lab.models.arpa import read_arpa, write_arpa
from wordorder_lab.models.kneser_ney import estimate_ngrams
from wordorder_lab.models.model_file import ModelError
from wordorder_lab.systems.registry import names_of
from wordorder_lab.trace.log import LogError
from wordorder_lab.trace.reducers.replay import Replay, views_of
from wordorder_lab.transduction.grammar import read_grammar

MEMORY = 1 << 30
LONGEST = 300
"""Bytes that opening and using a file may take, and characters of a message."""

SETTINGS: dict[str, dict[str, Any]] = {
    "liu-2015": {"beam": 4, "epochs": 2},
    "zhang-clark-2015-dependency": {"beam": 8, "epochs": 2},
    "zhang-2013": {"beam": 8, "epochs": 2},
    "zhang-clark-2011": {"beam": 8, "epochs": 2, "expansions": 50},
    "zhang-blackwood-clark-2012": {"beam": 8, "epochs": 2, "expansions": 50},
    "zhang-clark-2015-ccg": {"beam": 8, "epochs": 2, "expansions": 50},
    "cohn-lapata-2009": {"max_iterations": 3},
    "mcdonald-2006": {"epochs": 2},
    "clarke-lapata-2008-ilp": {"epochs": 2},
    "clarke-lapata-2008-lm": {"text": ()},
}
SLACKS = "cohn-lapata-2009, n slacks"
CHECKPOINTS = {
    **{name: (name, dict[str, Any]()) for name in SETTINGS if name not in names_of("compress")},
    "cohn-lapata-2009": ("cohn-lapata-2009", {}),
    SLACKS: ("cohn-lapata-2009", {"formulation": "n-slack"}),
    "mcdonald-2006": ("mcdonald-2006", {}),
}
"""The learners: system and settings of their own."""


class Bench(NamedTuple):
    """Good files by name, and how each kind is used: a function of the path of a file."""

    files: dict[str, Original]
    uses: dict[str, Callable[[Path], None]]


def bench(folder: Path, systems: Iterable[str] = tuple(SETTINGS)) -> Bench:
    """One small file of each kind, made in a folder, and used once, so that kernels are compiled.

    Models, logs of searches and checkpoints are those of these systems.
    """
    systems = tuple(systems)
    files: dict[str, Original] = {}
    uses: dict[str, Callable[[Path], None]] = {}

    def add(name: str, path: Path, form: str, use: Callable[[Path], None]) -> None:
        files[name], uses[name] = Original(form, path.read_bytes()), use
        use(path)

    path = folder / "made"
    for system in systems:
        log = wl.EventLog()
        model = trained(system)
        model.save(path)
        add(f"{system} model", path, "zip", use_model)
        searched(model, trace=log)
        log.save(path)
        add(f"{system} log", path, "log", use_log)
    for name, (system, own) in CHECKPOINTS.items():
        if system not in systems:
            continue
        path.unlink()
        one = {"max_iterations": 2} if system == "cohn-lapata-2009" else {"epochs": 1}
        trained(system, **own, **one, checkpoint=path)
        add(f"{name} checkpoint", path, "zip", partial(use_checkpoint, system, own))
    log = wl.EventLog()
    trained("liu-2015", trace=log, epochs=1)
    log.save(path)
    add("log of training", path, "log", use_log)
    text = [tree.leaves() for pair in pairs() for tree in (pair.source, pair.target)]
    write_arpa(estimate_ngrams(text, 3), path)
    add("ARPA file", path, "lines", use_arpa)
    path.write_text("\n".join(rule.text for rule in trained("cohn-lapata-2009").grammar.rules))
    add("grammar", path, "lines", use_grammar)
    add("record", min(records(), key=lambda file: file.stat().st_size), "json", use_record)
    return Bench(files, uses)


@cache
def sentences() -> list[Any]:
    """A few short sentences of the Gazette that have derivations."""
    short = (s for s in wl.load_corpus("gazette").train if 3 < len(s) < 8 and s.derivation)
    return [next(short) for _ in range(4)]


@cache
def pairs() -> list[Any]:
    """A few short pairs."""
    short = (p for p in wl.load_compressions("gazette").train if len(p.source.leaves()) < 10)
    return [next(short) for _ in range(4)]


def trained(system: str, **settings: Any) -> Any:
    """A small model by the fast engine."""
    learned = pairs() if system in names_of("compress") else sentences()
    how = {**SETTINGS[system], "engine": "fast", "progress": False, **settings}
    return wl.train(system, learned, **how)


# --- uses -----------------------------------------------------------------------------------


class WrongAnswerError(Exception):
    """A file was taken, and what came out is not right."""


def searched(model: Any, **how: Any) -> list[Any]:
    """Three searches by the fast engine."""
    if model.system in names_of("compress"):
        return [model.compress(pair.source, engine="fast", **how) for pair in pairs()[:3]]
    bags = [wl.bag_of(s, pos=share) for s, share in zip(sentences()[:3], (1, 0, 0.5))]
    return [model.order(bag, engine="fast", **how) for bag in bags]


def use_model(path: Path) -> None:
    """Load it, search with it, print it."""
    model = wl.load_model(path)
    for result in searched(model):
        if not np.isfinite(result.score):
            raise WrongAnswerError(f"the score is {result.score}")
        if len(set(getattr(result, "order", ()))) < len(getattr(result, "order", ())):
            raise WrongAnswerError(f"the order is {result.order}")
        f"{result.text} {result}".encode()
    f"{model} {model.settings}".encode()


def use_checkpoint(system: str, own: Mapping[str, Any], path: Path) -> None:
    """Go on from it."""
    trained(system, **own, checkpoint=path).header()


def use_log(path: Path) -> None:
    """Replay it through every view, in part and in full, and make a table of it."""
    log = wl.EventLog.load(path)
    for view in views_of(log):
        replay = Replay(log, view)
        for k in (len(log) // 2, len(log)):
            json.dumps(replay.at(k)).encode()
    log.to_pandas()


def use_arpa(path: Path) -> None:
    """Read it, and score a sentence."""
    if not np.isfinite(read_arpa(path).score(["the", "robin", "."])):
        raise WrongAnswerError("a score is not finite")


def use_grammar(path: Path) -> None:
    """Read its rules, and write them again."""
    rules = path.read_bytes().decode(errors="replace").split("\n")
    again = read_grammar(rules, ["S"]).header()
    if read_grammar(again["rules"], ["S"]).header()["rules"] != again["rules"]:
        raise WrongAnswerError("its rules are others when they are read again")


def use_record(path: Path) -> None:
    """Read it, and look whether work could go on from it."""
    record = unfinished(path, {}, ())
    record = read_record(path)
    digest_of(record)


ERRORS = {"zip": ModelError, "log": LogError, "json": RecordError, "lines": ValueError}
"""What opening a damaged file of each format raises."""

# --- processes with limits ------------------------------------------------------------------

USED, REFUSED, REFUSED_LATER = "used", "refused", "refused when it was used"
FINE = {USED, REFUSED, REFUSED_LATER}


class Outcome(NamedTuple):
    """What became of a variant: one of ``FINE``, or what went wrong; and what was said."""

    crafted: Crafted
    verdict: str
    said: str


def outcomes(
    tried: Bench, variants: Iterable[Crafted], folder: Path, seconds: int, batch: int = 50
) -> Iterator[Outcome]:
    """Open and use every variant, each within so many seconds of the processor."""
    left = iter(variants)
    while waiting := list(islice(left, batch)):
        while waiting:
            lines, ended = _in_a_process(tried, waiting, folder, seconds)
            for crafted, (verdict, said) in zip(waiting, lines):
                yield Outcome(crafted, verdict, said)
            if len(lines) < len(waiting):
                yield Outcome(waiting[len(lines)], f"the process ended: {ended}", "")
            waiting = waiting[len(lines) + 1 :]


def _in_a_process(
    tried: Bench, variants: list[Crafted], folder: Path, seconds: int
) -> tuple[list[list[str]], str]:
    """What is written of each variant by a process, until it ends; and how it ends."""
    here, there = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.close(here)
            os.chdir(folder)
            _limit_memory()
            for crafted in variants:
                _limit_time(seconds)
                line = json.dumps(verdict_on(tried, crafted, Path("crafted")))
                os.write(there, line.encode() + b"\n")
        finally:
            os._exit(0)
    os.close(there)
    with os.fdopen(here) as pipe:
        lines = [json.loads(line) for line in pipe]
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    return lines, signal.Signals(-code).name if code < 0 else f"exit code {code}"


def _limit_memory() -> None:
    """From here on no more than ``MEMORY`` is to be had, where the system says what there is."""
    status = Path("/proc/self/status")
    if status.exists():
        lines = [line.split() for line in status.read_text().splitlines()]
        held = next(int(line[1]) for line in lines if line[0] == "VmData:")
        resource.setrlimit(resource.RLIMIT_DATA, ((held << 10) + MEMORY, resource.RLIM_INFINITY))


def _limit_time(seconds: int) -> None:
    usage = resource.getrusage(resource.RUSAGE_SELF)
    limit = int(usage.ru_utime + usage.ru_stime) + 1 + seconds
    resource.setrlimit(resource.RLIMIT_CPU, (limit, resource.RLIM_INFINITY))


def verdict_on(tried: Bench, crafted: Crafted, path: Path) -> tuple[str, str]:
    """Open and use one variant: the verdict, and the message."""
    path.write_bytes(crafted.data)
    try:
        tried.uses[crafted.name](path)
    except MemoryError as error:
        return "more than a GiB of memory", str(error)
    except ValueError as error:
        said = str(error)
        if isinstance(error, UnicodeError):
            return type(error).__name__, said
        if "memory" in said or "allocate" in said:
            return "more than a GiB of memory", said
        if "\n" in said or not 0 < len(said) <= LONGEST:
            return f"a message of {len(said)} characters", said[:2000]
        opened = isinstance(error, ERRORS[tried.files[crafted.name].format])
        return (REFUSED if opened else REFUSED_LATER), said
    except BaseException as error:  # a process of our own, which is to go on
        return type(error).__name__, str(error)[:2000]
    return USED, ""
