"""The one seam for work over many sentences or settings, built on joblib.

Processes on a laptop, or the workers that ``with joblib.parallel_config("dask"):`` around the call
names: the same results in the same order.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

from wordorder_lab.structures.progress import progress_bar

Item = TypeVar("Item")
Outcome = TypeVar("Outcome")


def map_in_order(
    function: Callable[[Item], Outcome],
    items: Sequence[Item],
    jobs: int = 1,
    what: str = "",
) -> Iterator[Outcome]:
    """``function`` of every item, in the order of the items, each as soon as it is its turn.

    With one job everything happens here, one item when the next result is asked for. Otherwise
    function and items travel to other processes, or to the workers of the joblib backend that is
    chosen around the call; among threads they are shared. Shows a progress bar from the third
    second on. Raises ``ValueError`` for less than one job, and whatever ``function`` raises.
    """
    if jobs < 1:
        raise ValueError(f"jobs are at least 1, not {jobs}")
    return _with_bar(function, items, jobs, what)


def _with_bar(function: Callable, items: Sequence, jobs: int, what: str) -> Iterator[Any]:
    with progress_bar(total=len(items), desc=what, delay=2, leave=False) as shown:
        results = _elsewhere(function, items, jobs) if jobs > 1 else map(function, items)
        for result in results:
            yield result
            shown.update()


def _elsewhere(function: Callable, items: Sequence, jobs: int) -> Iterator[Any]:
    from joblib import Parallel, delayed

    # max_nbytes: no memory maps, since a compiled kernel takes a read-only array for another type.
    parallel = Parallel(n_jobs=jobs, return_as="generator", max_nbytes=None)
    results = parallel(delayed(function)(item) for item in items)
    with contextlib.closing(results):
        yield from results
