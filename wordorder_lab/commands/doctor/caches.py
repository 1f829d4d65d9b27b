"""What is kept between two commands: compiled kernels, the Gazette, derivations, parsers."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from wordorder_lab.commands.doctor.finding import FINE, OTHER, Finding
from wordorder_lab.runtime.user_cache import user_cache, writable_cache

ABOUT = "Cache"


def caches() -> Iterator[Finding]:
    """The user's cache with what is in it, and the folder of the compiled kernels."""
    yield own_cache()
    yield kernels()


def own_cache() -> Finding:
    """Where corpora and models are kept that were made once, and how large all of it is."""
    advice = "name a folder that can be written in $XDG_CACHE_HOME, or all is made anew each time"
    try:
        usual = user_cache()
    except RuntimeError:
        return Finding(ABOUT, "cache", OTHER, "none: you have no home folder", advice)
    if writable_cache() != usual:
        return Finding(ABOUT, "cache", OTHER, f"{usual} cannot be written", advice)
    parts = {entry.name: size(entry) for entry in usual.iterdir()}
    largest = sorted(parts, key=lambda name: (-parts[name], name))[:3]
    inside = ", ".join(f"{name} {mib(parts[name])}" for name in largest)
    total = mib(sum(parts.values()))
    told = f"{usual}, {total}" + (f": {inside}" if inside else "")
    return Finding(ABOUT, "cache", FINE, told)


def kernels() -> Finding:
    """Kernels that are kept are compiled once, others by every process."""
    from wordorder_lab.runtime.kernel_fast import cache_folder, shared_folder

    if os.environ.get("NUMBA_DISABLE_JIT", "0") != "0":
        said = "$NUMBA_DISABLE_JIT is set: the fast engine runs as plain Python"
        return Finding(ABOUT, "compiled kernels", OTHER, said, "unset it")
    folder = shared_folder()
    if folder is None:
        said = f"nowhere to keep them but {cache_folder()}, which goes with this process"
        advice = "name a folder that can be written in $NUMBA_CACHE_DIR, or each process compiles"
        return Finding(ABOUT, "compiled kernels", OTHER, said, advice)
    number = len(list(folder.rglob("*.nbc")))
    return Finding(ABOUT, "compiled kernels", FINE, f"{folder}, {number} kept, {mib(size(folder))}")


def size(path: Path) -> int:
    """Bytes of a file, or of all files below a folder; what vanishes meanwhile counts nothing."""
    total = 0
    for file in [path, *path.rglob("*")] if path.is_dir() else [path]:
        try:
            total += file.stat().st_size if file.is_file() else 0
        except OSError:
            continue
    return total


def mib(number: int) -> str:
    """Bytes as people read them."""
    return f"{number / 2**20:,.1f} MiB"
