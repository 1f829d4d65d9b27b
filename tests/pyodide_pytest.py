"""Runs files of ordinary tests where there is no numba, hypothesis or nltk: in a browser's Python.

``conftest.py`` stays out: it prepares the fast engine. What needs that engine, a data frame, or
hypothesis, which is compiled, is skipped. nltk's class of trees is our own there.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Generator, Sequence
from types import ModuleType
from typing import Any

import pytest

from wordorder_lab.structures.plain_tree import PlainTree


class Anything:
    """What stands for hypothesis' strategies."""

    def __call__(self, *_: object, **__: object) -> Anything:
        return self

    def __getattr__(self, name: str) -> Anything:
        if name.startswith("__"):
            raise AttributeError(name)
        return self

    def __or__(self, _: object) -> Anything:
        return self


def given(*_: object, **__: object) -> Callable[[Callable[..., None]], Callable[[], None]]:
    """A test of hypothesis is skipped."""
    return lambda _: lambda: pytest.skip("hypothesis is compiled")


def unchanged(*_: object, **__: object) -> Callable[[Any], Any]:
    """Whatever hypothesis' decorators do."""
    return lambda function: function


def stand_in(name: str, **names: object) -> ModuleType:
    """A module with these names, and any other."""
    module = ModuleType(name)
    vars(module).update({"__getattr__": lambda _: Anything(), **names})
    sys.modules[name] = module
    return module


class WithLess:
    """Skips what asks for packages that a page does not load."""

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self) -> Generator[None]:
        yield from skipping()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_setup(self) -> Generator[None]:
        return (yield from skipping())

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """There is no browser in a browser."""
        items[:] = [item for item in items if "page" not in getattr(item, "fixturenames", ())]


def skipping() -> Generator[None, Any, Any]:
    """What a hook gives, unless it wants the fast engine, or a data frame."""
    try:
        return (yield)
    except ValueError as error:
        if "the fast engine needs numba" in str(error):
            pytest.skip("it is about the fast engine")
        raise
    except ModuleNotFoundError as error:
        if error.name == "pandas":
            pytest.skip("it is about data frames")
        raise


def main(files: Sequence[str]) -> None:
    """Run the quick tests of these files that take no fixture of ``conftest.py``."""
    strategies = stand_in("hypothesis.strategies", composite=lambda _: Anything())
    decorators = dict.fromkeys(("settings", "example", "seed"), unchanged)
    stand_in("hypothesis", given=given, strategies=strategies, **decorators)
    stand_in("nltk")
    stand_in("nltk.tree", Tree=PlainTree)
    options = "--noconftest --capture=sys -p no:cacheprovider -q -rfE --tb=short -c /dev/null"
    chosen = ["-m", "not slow and not corpus", "--rootdir", "/repo", "-W", "ignore"]
    pytest.main([*options.split(), *chosen, *files], plugins=[WithLess()])
