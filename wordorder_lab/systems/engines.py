"""The choice of engine: "reference" is there to be read, "fast" to be used."""

from __future__ import annotations

import importlib.util

ENGINES = ("reference", "fast")


def choose_engine(engine: str | None = None) -> str:
    """The engine asked for; by default "fast" where numba is installed, else "reference".

    Raises ``ValueError`` for another name, and for "fast" where numba is missing.
    """
    has_numba = importlib.util.find_spec("numba") is not None
    if engine is None:
        return "fast" if has_numba else "reference"
    if engine not in ENGINES:
        raise ValueError(f"no engine {engine!r}; there are {' and '.join(ENGINES)}")
    if engine == "fast" and not has_numba:
        raise ValueError("the fast engine needs numba: pip install numba, or engine='reference'")
    return engine
