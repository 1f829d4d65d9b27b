"""Several searches of one iteration at once: forks of this process, which have all examples."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import TypeVar

from wordorder_lab.experiments.runs.map_in_order import map_in_order, may_fork, pieces

Item = TypeVar("Item")
Result = TypeVar("Result")


def several_at_once(
    function: Callable[[Item], Result], items: Sequence[Item], jobs: int
) -> Iterator[Result]:
    """``function`` of every item, in their order, on ``jobs`` forks of this process.

    The first is called here, so that whatever it compiles or reads is there for all forks. Where no
    fork is safe (``may_fork``) all are called here: nobody would send the examples of a training to
    another process for every iteration. Raises as ``map_in_order``.
    """
    if jobs == 1 or not items or not may_fork():
        yield from map(function, items)
        return
    yield function(items[0])
    for some in map_in_order(partial(_each, function), pieces(items[1:], jobs), jobs):
        yield from some


def _each(function: Callable[[Item], Result], items: Sequence[Item]) -> list[Result]:
    return [function(item) for item in items]
