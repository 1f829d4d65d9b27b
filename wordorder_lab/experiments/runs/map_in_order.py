"""The one seam for work over many sentences or settings: here, in processes, or on a cluster.

Wherever the work is done, the results are the same and come in the same order. ``on_cluster``
(``experiments/cluster.py``) around a call sends to a cluster what would go to processes.

On Linux the processes are forks of this one, as long as it has one thread: what was read, imported
and compiled is there from the first moment, and nothing is sent but results. Elsewhere, and where
somebody has chosen a backend of joblib around the call, joblib makes the processes; then a model
travels as its file, which each of them reads once.
"""

from __future__ import annotations

import contextlib
import ctypes
import multiprocessing
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextvars import ContextVar
from functools import partial
from typing import Any, Protocol, TypeVar

from wordorder_lab.experiments.runs.shipped_models import model_of_file, saved
from wordorder_lab.runtime.progress import progress_bar
from wordorder_lab.structures.messages import MOST_JOBS, check_most

Item = TypeVar("Item")

PIECES = 16
"""So many pieces a job: the last worker to finish is not far behind the first."""


class Elsewhere(Protocol):
    """What does work on other machines: ``function`` of each item, in order."""

    def map(self, function: Callable, items: Sequence, model: Any) -> Iterator[Any]:
        """The results; with a model, ``function`` takes it before the item."""


ELSEWHERE: ContextVar[Elsewhere | None] = ContextVar("elsewhere", default=None)
"""The cluster around a call, if there is one."""


def map_in_order(
    function: Callable[..., Any],
    items: Sequence[Item],
    jobs: int = 1,
    what: str = "",
    model: Any = None,
) -> Iterator[Any]:
    """``function`` of every item, in the order of the items, each as soon as it is its turn.

    With a ``model`` it is ``function(model, item)``; of a model that travels, each worker has a
    copy of its own. With one job everything happens here, one item when the next result is asked
    for. Shows a progress bar from the third second on. Raises ``ValueError`` for less than one job,
    ``ChildProcessError`` if a process dies, and whatever ``function`` raises.
    """
    if jobs < 1:
        raise ValueError(f"jobs are at least 1, not {jobs}")
    check_most("jobs", jobs, MOST_JOBS)
    return _with_bar(function, items, jobs, what, model)


def pieces(items: Sequence[Item], jobs: int) -> list[Sequence[Item]]:
    """The items cut for so many jobs, in order, into pieces of equal size."""
    size = max(1, -(-len(items) // (PIECES * jobs)))
    return [items[i : i + size] for i in range(0, len(items), size)]


def _with_bar(
    function: Callable, items: Sequence, jobs: int, what: str, model: Any
) -> Iterator[Any]:
    with progress_bar(total=len(items), desc=what, delay=2, leave=False) as shown:
        for result in _results(function, items, jobs, model):
            yield result
            shown.update()


def _results(function: Callable, items: Sequence, jobs: int, model: Any) -> Iterator[Any]:
    if jobs == 1:
        yield from map(function if model is None else partial(function, model), items)
        return
    cluster = ELSEWHERE.get()
    if cluster is not None:
        results = cluster.map(function, items, model)
    elif may_fork():
        results = _in_forks(function if model is None else partial(function, model), items, jobs)
    else:
        results = _by_joblib(function, items, jobs, model)
    with contextlib.closing(results):  # type: ignore[type-var]
        yield from results


# --- forks of this process ------------------------------------------------------------------------


def may_fork() -> bool:
    """Whether a fork is safe, and no backend was asked for.

    A lock that another thread holds would be held in the fork for ever. The thread that watches
    over progress bars holds one while it looks at them, and ``_in_forks`` waits for that.
    """
    from tqdm.auto import tqdm

    others = set(threading.enumerate()) - {threading.main_thread(), getattr(tqdm, "monitor", None)}
    return sys.platform == "linux" and not others and not _chosen_backend()


def _chosen_backend() -> bool:
    """Whether somebody has told joblib what to work with: not, if nobody has imported it."""
    if "joblib" not in sys.modules:
        return False
    from joblib.parallel import get_active_backend

    backend, _ = get_active_backend()
    return type(backend).__name__ != "LokyBackend"


def _in_forks(function: Callable, items: Sequence, jobs: int) -> Iterator[Any]:
    from tqdm.auto import tqdm

    fork = multiprocessing.get_context("fork")
    before = set(multiprocessing.active_children())
    pool = ProcessPoolExecutor(jobs, fork, initializer=_keep, initargs=(function, items))
    children: set[Any] = set()
    try:
        with tqdm.get_lock():
            futures = [pool.submit(_kept_item, place) for place in range(len(items))]
            children = set(multiprocessing.active_children()) - before
        for future in futures:
            yield future.result()
    except BrokenProcessPool:
        raise ChildProcessError(
            "a process of --jobs was ended from outside, most likely since memory ran out: "
            "take fewer jobs"
        ) from None
    finally:
        for child in children:  # all is done, or nobody waits for the rest
            child.terminate()
        pool.shutdown(cancel_futures=True)


DIE_WITH_PARENT = 1
"""Linux's PR_SET_PDEATHSIG."""

_kept: list[Any] = []
"""In a fork: the function and its items, which came with the fork."""


def _keep(function: Callable, items: Sequence) -> None:
    # A fork whose parent was killed would wait for work for ever: the kernel ends it, too.
    ctypes.CDLL(None).prctl(DIE_WITH_PARENT, signal.SIGKILL)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for who started us
    _kept[:] = function, items


def _kept_item(place: int) -> Any:
    function, items = _kept
    return function(items[place])


# --- processes of joblib --------------------------------------------------------------------------


def _by_joblib(function: Callable, items: Sequence, jobs: int, model: Any) -> Iterator[Any]:
    from joblib import Parallel, delayed

    with contextlib.ExitStack() as stack:
        if model is not None:
            path, checksum = stack.enter_context(saved(model))
            function = partial(_with_model, function, path, checksum)
        # max_nbytes: no memory maps, a compiled kernel takes a read-only array for another type.
        parallel = Parallel(n_jobs=jobs, return_as="generator", max_nbytes=None)
        results = parallel(delayed(function)(item) for item in items)
        yield from stack.enter_context(contextlib.closing(results))


def _with_model(function: Callable, path: str, checksum: str, item: Any) -> Any:
    return function(model_of_file(path, checksum), item)
