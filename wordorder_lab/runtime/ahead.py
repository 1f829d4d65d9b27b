"""A second process compiles kernels from the last one back, so the first answer comes sooner.

The first process compiles what it comes to, from the first kernel on. The second one does a tiny
example of the same work in plain Python, and notes which kernels are called and with which types.
It compiles them in the opposite order and leaves them in the cache, where the first finds them. It
is the same machine code, and nothing depends on the second process.

On two idle cores an answer that has to wait for kernels comes 2 to 5 seconds sooner (of 11 to 15),
and a training 3 to 9 (of 17 to 29). Systems that are not listed here would gain less than two.

It is started where kernels are to be kept and there is a second core, until it has been through
once. ``LOKY_MAX_CPU_COUNT=1`` (joblib's) means that there is one core.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from wordorder_lab.structures.category import Category
from wordorder_lab.structures.derivation import Derivation
from wordorder_lab.structures.sentence import ROOT, Sentence, Token

if TYPE_CHECKING:  # where there is no numba, there may be no processes either
    import subprocess

TRAIN, ORDER = "train", "order"
_SYSTEMS = """
liu-2015 zhang-clark-2015-dependency zhang-2013
zhang-clark-2011 zhang-blackwood-clark-2012 zhang-clark-2015-ccg
"""
SYSTEMS = frozenset(_SYSTEMS.split())
_STARTED: list[subprocess.Popen[bytes]] = []


def compile_ahead(*tasks: tuple[str, str]) -> None:
    """Start the second process for these (system, ``TRAIN`` or ``ORDER``), if there is need and a
    way."""
    if not {system for system, _ in tasks} & SYSTEMS or find_spec("numba") is None:
        return
    import multiprocessing

    from wordorder_lab.runtime.kernel_fast import shared_folder

    kernels = shared_folder()
    if kernels is None or multiprocessing.parent_process() is not None:
        return
    todo = [one for one in tasks if one[0] in SYSTEMS and not _mark(kernels, *one).exists()]
    if todo and all(process.poll() is not None for process in _STARTED):
        import joblib  # a fifth of a second

        if joblib.cpu_count() > 1:
            _STARTED[:] = _start(kernels, [word for task in todo for word in task])


def _start(kernels: Path, words: list[str]) -> list[subprocess.Popen[bytes]]:
    """The process; none if there cannot be one."""
    import subprocess

    package = str(Path(__file__).parents[2])
    paths = os.pathsep.join(filter(None, [package, os.environ.get("PYTHONPATH")]))
    own = {"PYTHONPATH": paths, "NUMBA_CACHE_DIR": str(kernels.parent), "LOKY_MAX_CPU_COUNT": "1"}
    null = subprocess.DEVNULL
    try:
        process = subprocess.Popen(
            [sys.executable, "-m", __name__, *words],
            stdin=subprocess.PIPE,
            stdout=null,
            stderr=null,
            env={**os.environ, **own},
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        )
    except OSError:
        return []
    threading.Thread(target=process.wait, daemon=True).start()  # so that nothing stays behind
    return [process]


def _mark(kernels: Path, system: str, task: str) -> Path:
    """The file that says that the second process has been through."""
    return kernels / f"ahead-{task}-{system}"


# --- The second process


def main(*words: str) -> None:
    """Compile what the examples of these tasks call, of each the last kernel first."""
    from wordorder_lab.runtime.kernel_fast import cache_folder, calls_in

    threading.Thread(target=_end_with_the_first, daemon=True).start()
    for system, task in zip(words[::2], words[1::2], strict=True):
        for kernel, types in reversed(calls_in(example(system, task))):
            kernel.compile(types)
        _mark(cache_folder(), system, task).touch()


def _end_with_the_first() -> None:
    """Its end of the pipe closes when it ends, however that comes about."""
    os.read(0, 1)  # by way of sys.stdin, its lock would be missed when this process ends first
    os._exit(0)


def example(system: str, task: str) -> Callable[[], object]:
    """A tiny training or search of a system, by the public interface as any program uses it."""
    wl = import_module("wordorder_lab")
    sentences = [_sentence("cats", "mice"), _sentence("mice", "cats")]  # who learns them errs
    options = {"epochs": 1, "progress": False}
    if task == TRAIN:
        return lambda: wl.train(system, sentences, engine="fast", **options)
    model = wl.train(system, sentences, engine="reference", **options)
    return lambda: model.order(["cats", "chase", "mice"], engine="fast")


def _sentence(one: str, other: str) -> Sentence:
    word, noun = Category.parse("N"), Category.parse("NP")
    subject, thing = (
        Derivation.unary(noun, Derivation.leaf(form, "NNS", word)) for form in (one, other)
    )
    verb = Derivation.leaf("chase", "VBP", Category.parse(r"(S[dcl]\NP)/NP"))
    phrase = Derivation.binary(Category.parse(r"S[dcl]\NP"), verb, thing)
    whole = Derivation.binary(Category.parse("S[dcl]"), subject, phrase)
    tokens = Token((one,), "NNS", 1), Token(("chase",), "VBP", ROOT), Token((other,), "NNS", 1)
    return Sentence(tokens, derivation=whole)


if __name__ == "__main__":
    main(*sys.argv[1:])
