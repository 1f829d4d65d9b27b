"""``@kernel``: numba's ``@njit(cache=True)``, quicker to compile, with a cache that notices edits.

numba keeps compiled kernels on disk, and compiles one again when the file has changed that it
stands in. But a kernel also contains the kernels it calls and the constants it reads. So ours lie
in a folder that is named after a checksum of everything that kernels are made of, below
``$NUMBA_CACHE_DIR`` if that is set, otherwise in the user's cache. Where neither can be written it
is a temporary one, and the next process compiles again. What else numba compiles, it keeps where it
always did.

A kernel that Python calls needs code that takes its arguments apart, and for a tuple of twenty
arrays that takes longer to compile than the kernel. So a kernel is compiled without it for other
kernels, and with it (its *door*) when Python calls it first.
"""

from __future__ import annotations

import gc
import hashlib
import os
import platform
import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from functools import cache, partial, wraps
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from threading import Lock
from typing import Any

import numba
import numpy as np
from numba.core import event
from numba.core.codegen import CPUCodeLibrary, JITCodeLibrary, JITCPUCodegen
from numba.core.compiler_lock import global_compiler_lock
from numba.core.cpu import CPUTargetOptions
from numba.core.registry import CPUDispatcher
from numba.core.sigutils import normalize_signature
from numba.np import linalg

from wordorder_lab.runtime.progress import compiling_begins, compiling_ends
from wordorder_lab.runtime.user_cache import temporary_folder, user_cache


def _load_without_scipy() -> None:
    """Load what numba loads with its first kernel, for which it imports ``scipy.linalg`` to see
    whether it is there: half of a warm start. Kernels that use it still get it."""
    check = linalg.ensure_blas
    linalg.ensure_blas = lambda: None if find_spec("scipy") else check()
    try:
        import_module("numba.np.arraymath")
    finally:
        linalg.ensure_blas = check


_load_without_scipy()

PACKAGE = Path(__file__).parents[1]
_DECIDING = Lock()  # two threads may import kernels at once
PREFIX = "kernels-"
KEPT_DAYS = 30
"""A folder that has not been used for so long is removed when another is made."""


def kernel(
    function: Callable[..., Any] | None = None, borrows: bool = False, **options: Any
) -> Any:
    """Compile a function when it is first called: ``@kernel`` or ``@kernel(inline="always")``.

    A kernel that ``borrows`` makes no arrays and gives none back: all belong to its caller. So
    nobody counts who uses them, which made a search of liu-2015 seven percent faster. Other
    ``options`` are those of ``numba.njit``.
    """
    if function is None:
        return partial(kernel, borrows=borrows, **options)
    if borrows and hasattr(CPUTargetOptions, "_nrt"):
        options["_nrt"] = False
    inner = _compiled(function, "inner", no_cpython_wrapper=True, no_cfunc_wrapper=True, **options)
    if numba.config.DISABLE_JIT:
        return inner
    inner.__class__ = Kernel
    inner.door = cache(partial(_compiled, function, "doors", no_cfunc_wrapper=True, **options))
    return inner


def in_python(small: Any) -> Callable[..., Any]:
    """A kernel without its door, for Python, where it only looks at a few numbers: taking a tuple
    of twenty arrays apart costs more."""
    function: Callable[..., Any] = getattr(small, "py_func", small)
    return function


class Kernel(CPUDispatcher):  # type: ignore[misc]  # numba has no types
    """A kernel as other kernels call it; Python goes through its door."""

    door: Callable[[], Callable[..., Any]]
    inside = 0
    """How deep in the compiling of such kernels we are."""

    def compile(self, signature: Any) -> Any:
        """Compile as a part of others."""
        with global_compiler_lock:
            Kernel.inside += 1
            try:
                return super().compile(signature)
            finally:
                Kernel.inside -= 1

    def __call__(self, *arguments: object) -> Any:
        return self.door()(*arguments)

    def get_call_template(self, args: tuple[object, ...], kws: object) -> Any:
        """Compile for plain, wide types: else ``f(0)`` and ``f(n)`` would each be compiled anew."""
        return super().get_call_template(tuple(map(plain, args)), kws)


def _nothing(*_given: object) -> None:
    pass


def _finalized(library: Any) -> None:
    library._finalize_dynamic_globals()
    library._finalized = True


def _linkable(library: Any, _name: str) -> int:
    library._ensure_finalized()
    return 0  # there is no address


PARTS: tuple[tuple[Any, str, Callable[..., Any]], ...] = (
    (CPUCodeLibrary, "_optimize_final_module", _nothing),
    (CPUCodeLibrary, "_finalize_final_module", _finalized),
    (CPUCodeLibrary, "serialize_using_object_code", CPUCodeLibrary.serialize_using_bitcode),
    (JITCodeLibrary, "get_pointer_to_function", _linkable),
    (JITCPUCodegen, "set_env", _nothing),
)
"""numba optimizes a kernel with all that it calls and makes machine code of it, and does so again
wherever that kernel is called from. But only doors run. So of what is inside, these steps are left
out until it is a part of a door, which spares a third of the compiling."""


def _only_doors_run() -> None:
    def choose(usual: Callable[..., Any], part: Callable[..., Any]) -> Callable[..., Any]:
        return wraps(usual)(lambda *given: (part if Kernel.inside else usual)(*given))

    for owner, name, part in PARTS:
        setattr(owner, name, choose(getattr(owner, name), part))


if all(hasattr(owner, name) for owner, name, _ in PARTS):  # another numba may have other steps
    _only_doors_run()


def plain(kind: Any) -> Any:
    """The type of an argument without a literal value, and int64 for narrower ones."""
    kind = numba.types.unliteral(kind)
    narrow = isinstance(kind, numba.types.Integer) and kind.signed
    return numba.types.int64 if narrow else kind


def calls_in(work: Callable[[], object]) -> list[tuple[Any, tuple[Any, ...]]]:
    """What is compiled for some work, and with which types; the work is done in plain Python.

    In the order of the first calls, equal ones once: the door of a kernel where Python calls it,
    the kernel itself where another kernel does. Those on the first way down are left out: whoever
    does the work is at them from the beginning until all that they call is compiled.
    """
    calls: dict[tuple[Any, tuple[Any, ...]], int] = {}
    depth = 0

    def note(kernel: Kernel, *arguments: object) -> object:
        nonlocal depth
        types = tuple(map(numba.typeof, arguments))
        inner = kernel, tuple(map(plain, types))
        if kernel.targetoptions.get("inline") != "always":
            calls.setdefault(inner if depth else (kernel.door(), types), depth)
        depth += 1
        result = kernel.py_func(*arguments)
        depth -= 1
        return result

    usual = Kernel.__call__
    type.__setattr__(Kernel, "__call__", note)
    try:
        with np.errstate(over="ignore"):  # hashes are meant to
            work()
    finally:
        type.__setattr__(Kernel, "__call__", usual)
    return [call for number, (call, depth) in enumerate(calls.items()) if depth < number]


def _compiled(function: Callable[..., Any], folder: str, **options: Any) -> Any:
    """numba's dispatcher, whose machine code is kept in this folder of ours."""
    with _DECIDING:
        before = numba.config.CACHE_DIR
        try:
            # numba decides here, not when it compiles, where this function is to be cached.
            numba.config.CACHE_DIR = str(cache_folder() / folder)
            compiled = numba.njit(cache=True, **options)(function)
            if not numba.config.DISABLE_JIT:
                _mend_cache(compiled._cache)
            return compiled
        finally:
            numba.config.CACHE_DIR = before


def _mend_cache(kept: Any) -> None:
    """Use a kernel where it cannot be kept, on a full disk, and take none that is of other types:
    two processes that compile one function at the same time may give both the same file."""
    save, load = kept.save_overload, kept.load_overload

    def save_or_say(*overload: object) -> None:
        try:
            save(*overload)
        except OSError as error:
            _say_not_kept(str(error.strerror))

    def load_if_right(signature: Any, context: object) -> Any:
        found = load(signature, context)
        wanted, _ = normalize_signature(signature)
        return found if found is None or found.signature.args == wanted else None

    kept.save_overload, kept.load_overload = save_or_say, load_if_right


@cache
def _say_not_kept(why: str) -> None:
    print(
        f"compiled kernels cannot be kept in {cache_folder()} ({why}), so the next process "
        "compiles them again: make room there, or name another folder in NUMBA_CACHE_DIR",
        file=sys.stderr,
    )


@cache
def cache_folder() -> Path:
    """Where this process keeps its kernels, made and writable; raises ``OSError`` for nowhere."""
    name = f"{PREFIX}{checksum(PACKAGE)}"
    try:
        root = Path(numba.config.CACHE_DIR or user_cache() / "numba")
        oldest = time.time() - KEPT_DAYS * 24 * 60 * 60
        for folder in [] if (root / name).is_dir() else root.glob(f"{PREFIX}*"):
            with suppress(OSError):  # another process may be at it, too
                if folder.stat().st_mtime < oldest:
                    shutil.rmtree(folder, ignore_errors=True)
        (root / name).mkdir(parents=True, exist_ok=True)
        os.utime(root / name)  # it is in use
        tempfile.TemporaryFile(dir=root / name).close()
        return root / name
    except (OSError, RuntimeError):
        return temporary_folder()


def shared_folder() -> Path | None:
    """The same if other processes find kernels there; none if it is this one's, or none compile."""
    folder = cache_folder()
    is_shared = folder.name.startswith(PREFIX) and not numba.config.DISABLE_JIT
    return folder if is_shared else None


def checksum(package: Path) -> str:
    """A checksum of all that kernels are made of and that compiles them,
    ``NUMBA_BOUNDSCHECK`` too."""
    made_by = platform.python_version(), numba.__version__, numba.config.BOUNDSCHECK or 0
    digest = hashlib.sha256(" ".join(map(str, made_by)).encode())
    # A kernel imports from its own folder, from others that hold kernels, and from ``structures``.
    with_kernels = {file.parent for file in package.glob("*/*_fast.py")}
    for folder in sorted({*with_kernels, package / "structures"}):
        for path in sorted(folder.rglob("*.py")):
            digest.update(f"\n{path.relative_to(package).as_posix()}\n".encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


class _Compiling(event.Listener):  # type: ignore[misc]  # numba has no types
    """Says so in the bar. The garbage collector waits: what numba makes it would look through again
    and again, for a tenth of the time. Threads compile one after the other."""

    depth, collects = 0, False

    def on_start(self, _event: object) -> None:
        compiling_begins()
        if not self.depth:
            self.collects = gc.isenabled()
            gc.disable()
        self.depth += 1

    def on_end(self, _event: object) -> None:
        compiling_ends()
        self.depth -= 1
        if not self.depth and self.collects:
            gc.enable()


event.register("numba:compile", _Compiling())
