"""Which kernels some work calls, and with which types: what there is to compile for it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numba import typeof

from wordorder_lab.runtime.kernel_fast import Kernel, plain


class Call(NamedTuple):
    """A kernel that was called with arguments of these types, by Python or by another kernel."""

    kernel: Any
    types: tuple[Any, ...]
    by_python: bool

    @property
    def name(self) -> str:
        """That of the kernel, with ``!`` where Python calls it."""
        return f"{self.kernel.py_func.__name__}{'!' if self.by_python else ''}"

    @property
    def dispatcher(self) -> Any:
        """What compiles it."""
        return self.kernel.door() if self.by_python else self.kernel


def calls_in(work: Callable[[], Any]) -> list[Call]:
    """The calls of kernels in ``work``, equal ones once; it is done in plain Python.

    What other threads call in the meantime is noted too, so this is for a process of its own.
    """
    calls: dict[Call, None] = {}
    depth = 0

    def note(kernel: Any, *arguments: Any) -> Any:
        nonlocal depth
        types = tuple(map(typeof, arguments))
        call = Call(kernel, tuple(map(plain, types)) if depth else types, depth == 0)
        if kernel.targetoptions.get("inline") != "always":
            calls[call] = None
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
    return list(calls)
