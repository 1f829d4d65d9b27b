"""Progress bars: where somebody looks, and nowhere else; and what they say while kernels compile.

The bars are tqdm's and obey its variables: ``TQDM_DISABLE=1`` hides them all.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, Self

COMPILING = "compiling the kernels, once"
_QUIET: ContextVar[bool] = ContextVar("quiet", default=False)


@contextmanager
def quiet(wanted: bool = True) -> Iterator[None]:
    """Inside there are no bars, if that is ``wanted``."""
    before = _QUIET.set(_QUIET.get() or wanted)
    try:
        yield
    finally:
        _QUIET.reset(before)


def progress_bar(items: Iterable[Any] | None = None, *, wanted: bool = True, **options: Any) -> Any:
    """A bar of tqdm with these ``options``; none in files, pipes and ``quiet``, or if not
    ``wanted``."""
    if not (wanted and _is_watched()):
        return _Unseen(items)
    from tqdm.auto import tqdm

    if sys.platform == "emscripten":  # no thread can start there, and the monitor is one
        tqdm.monitor_interval = 0
    if os.environ.get("TQDM_DISABLE", "0") not in ("", "0"):  # its widgets do not ask for it
        options["disable"] = True
    latest = tqdm(items, **options)
    _Compiling.bars = [*(one for one in _Compiling.bars if not one.disable), latest]
    return latest


class _Unseen:
    """What a bar of tqdm is to its caller, where nobody looks, without tqdm."""

    def __init__(self, items: Iterable[Any] | None) -> None:
        self._items = items

    def __iter__(self) -> Iterator[Any]:
        return iter(self._items or ())

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        pass

    def update(self, n: int = 1) -> None:
        """So many more are done."""

    def set_description(self, text: str) -> None:
        """What is done."""


def _is_watched() -> bool:
    is_terminal = sys.stderr is not None and sys.stderr.isatty()
    if _QUIET.get() or not (is_terminal or "IPython" in sys.modules):
        return False
    from tqdm.asyncio import tqdm_asyncio
    from tqdm.auto import tqdm

    # In a notebook stderr is no terminal, and tqdm's bars there are widgets.
    return is_terminal or tqdm is not tqdm_asyncio


class _Compiling:
    """What is shown while a kernel compiles, the kernels that it calls included."""

    bars: list[Any] = []  # noqa: RUF012  (of the whole process)
    depth = 0
    shown: Any = None
    before = ""


def compiling_begins() -> None:
    """The bar that is shown says so; where there is none, a line does until all is compiled."""
    _Compiling.depth += 1
    if _Compiling.depth > 1 or not _is_watched():
        return
    open_bars = [one for one in _Compiling.bars if not one.disable]
    if open_bars:
        _Compiling.shown = open_bars[-1]
        _Compiling.before = _Compiling.shown.desc.removesuffix(": ")
        _Compiling.shown.set_description(COMPILING)
    else:
        _Compiling.shown = progress_bar(desc=COMPILING, bar_format="{desc} ...", leave=False)
        _Compiling.before = COMPILING


def compiling_ends() -> None:
    """The bar says again what it said before, and a line of our own goes."""
    _Compiling.depth -= 1
    if _Compiling.depth or _Compiling.shown is None:
        return
    if _Compiling.before == COMPILING:
        _Compiling.shown.close()
    else:
        _Compiling.shown.set_description(_Compiling.before)
    _Compiling.shown = None
