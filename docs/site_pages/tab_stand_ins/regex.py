"""Stands in for the library regex, which is compiled, where Python runs in a browser.

What nltk and sacrebleu ask of it ``re`` can do, but for a limit of time, which is left out.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from re import *  # noqa: F403
from typing import Any

PASSED_BY = ("timeout", "concurrent")
V0 = V1 = VERSION0 = VERSION1 = re.NOFLAG


class Later:
    """A pattern that ``re`` compiles when it is first used: of those that nltk prepares, what we
    call uses none that ``re`` cannot read. Its methods take a ``timeout``, and pass it by."""

    def __init__(self, pattern: str, flags: int) -> None:
        self.pattern, self.flags = pattern, flags

    def __getattr__(self, name: str) -> Any:
        value = getattr(re.compile(self.pattern, self.flags), name)
        if not callable(value):
            return value

        def called(*given: Any, **more: Any) -> Any:
            return value(*given, **{k: v for k, v in more.items() if k not in PASSED_BY})

        return called


def later(pattern: str | Later, flags: int = 0, **_: object) -> Later:
    """As ``regex.compile``."""
    return pattern if isinstance(pattern, Later) else Later(pattern, int(flags))


LIKE: dict[str, Callable[..., Later] | type[Later]] = {"compile": later, "Pattern": Later}
globals().update(LIKE)
