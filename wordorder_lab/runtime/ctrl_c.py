"""Ctrl-C that waits until something is done that half done would only be in the way.

Python raises ``KeyboardInterrupt`` between any two steps, also inside a library that is closing a
file. ``zipfile`` then complains of a file that is half written, and who pressed Ctrl-C would be
told of that.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


@contextmanager
def ctrl_c_waits() -> Iterator[None]:
    """Ctrl-C inside does at the end what it would have done at once; a second one does not wait.

    In a thread other than the main one, which Ctrl-C never reaches, nothing changes; nor where
    Ctrl-C is not Python's to answer.
    """
    usual = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or not callable(usual):
        yield
        return
    pressed: list[tuple[int, Any]] = []

    def wait(*said: Any) -> None:
        pressed.append(said)
        signal.signal(signal.SIGINT, usual)

    signal.signal(signal.SIGINT, wait)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, usual)
        if pressed:
            usual(*pressed[0])
