"""The one seam for work over many sentences or settings, built on joblib.

Two processes on a laptop, or a cluster by the name of its joblib backend ("dask"): the same results
in the same order.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

Item = TypeVar("Item")
Outcome = TypeVar("Outcome")


def map_in_order(
    function: Callable[[Item], Outcome],
    items: Sequence[Item],
    jobs: int = 1,
    backend: str | None = None,
    what: str = "",
) -> Iterator[Outcome]:
    """``function`` of every item, in the order of the items, each as soon as it is its turn.

    With one job and no backend everything happens here, one item when the next result is asked
    for. Otherwise function and items travel to other processes, each with one thread. Shows a
    progress bar from the third second on. Raises ``ValueError`` for less than one job, and whatever
    ``function`` raises.
    """
    if jobs < 1:
        raise ValueError(f"jobs are at least 1, not {jobs}")
    return _with_bar(function, items, jobs, backend, what)


def _with_bar(
    function: Callable, items: Sequence, jobs: int, backend: str | None, what: str
) -> Any:
    from tqdm.auto import tqdm

    with tqdm(total=len(items), desc=what, delay=2, leave=False) as bar:
        results = _in_processes(function, items, jobs, backend)
        if jobs == 1 and backend is None:
            results = map(function, items)
        for result in results:
            yield result
            bar.update()


def _in_processes(
    function: Callable, items: Sequence, jobs: int, backend: str | None
) -> Iterator[Any]:
    from joblib import Parallel, delayed, parallel_config

    # A cluster's workers have their own threads in hand; ours would otherwise take all cores each.
    threads = {"inner_max_num_threads": 1} if backend in (None, "loky") else {}
    # max_nbytes: no memory maps, since a compiled kernel takes a read-only array for another type.
    with parallel_config(backend or "loky", **threads):
        parallel = Parallel(n_jobs=jobs, return_as="generator", max_nbytes=None)
        results = parallel(delayed(function)(item) for item in items)
        with contextlib.closing(results):
            yield from results
