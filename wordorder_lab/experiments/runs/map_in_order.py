"""The one seam for work over many sentences or settings: here, in processes, or on a cluster.

Wherever the work is done, the results are the same and come in the same order. ``on_cluster``
(``experiments/cluster.py``) around a call sends to a cluster what would go to processes.

On Linux the processes are forks of this one, as long as it has one thread: what was read, imported
and compiled is there from the first moment, and nothing is sent but results. Elsewhere, and where
somebody has chosen a backend of joblib around the call, joblib makes the processes; then a model
travels as its file, which each of them reads once.
"""

from __future__ import annotations

import ctypes
import hashlib
import signal
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from contextvars import ContextVar
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any, Generic, NamedTuple, TypeVar, cast

from wordorder_lab.runtime.progress import progress_bar
from wordorder_lab.structures.messages import MOST_JOBS, check_most
from wordorder_lab.systems import load_model
from wordorder_lab.systems.model import TrainedModel, choose_engine

Item = TypeVar("Item")
Result = TypeVar("Result")
Model = TypeVar("Model")
PIECES = 16
"""So many pieces a job: the last worker to finish is not far behind the first."""
ELSEWHERE: ContextVar[Callable[..., Generator[Any]] | None] = ContextVar("elsewhere", default=None)
"""What does work on other machines, if there is a cluster around a call: it takes function, items
and model, and gives the results in order."""
Store = Callable[[Callable[..., Any], Sequence[Any], object, str], Sequence[Any] | None]
STORES: list[Store] = []
"""Who may have the results of a call already: in a tab, the site. It is given function, items,
model and what the work is called, and gives ``None`` where it has nothing."""


def map_in_order(
    function: Callable[..., Result],
    items: Sequence[Item],
    jobs: int = 1,
    what: str = "",
    model: object = None,
) -> Iterator[Result]:
    """``function`` of every item, in the order of the items, each as soon as it is its turn.

    With a ``model`` it is ``function(model, item)``; of a model that travels, each worker has a
    copy of its own. With one job everything happens here, one item when the next result is asked
    for. Shows a progress bar from the third second on. Raises ``ValueError`` for less than one job,
    ``ChildProcessError`` if a process dies, and whatever ``function`` raises.
    """
    if jobs < 1:
        raise ValueError(f"jobs are at least 1, not {jobs}")
    check_most("jobs", jobs, MOST_JOBS)
    return _with_bar(_results(function, items, jobs, model, what), len(items), what)


def pieces(items: Sequence[Item], jobs: int) -> list[Sequence[Item]]:
    """The items cut for so many jobs, in order, into pieces of equal size."""
    size = max(1, -(-len(items) // (PIECES * jobs)))
    return [items[i : i + size] for i in range(0, len(items), size)]


def predictions(
    predict: Callable[[Model, Item], Result],
    model: Model,
    items: Sequence[Item],
    *,
    jobs: int = 1,
    what: str = "",
    size: Callable[[Item], int],
) -> list[Result]:
    """``predict(model, item)`` of every item of an evaluation, in their order. What is compiled is
    compiled before: here by the item of the smallest ``size``, and in processes by the smallest of
    the pieces that they are given. Raises as ``map_in_order``."""
    if not items:
        return []
    if choose_engine() == "fast":
        predict(model, min(items, key=size))
    if jobs == 1:
        return list(map_in_order(predict, items, what=what, model=model))
    work = partial(_predict_all, predict, size)
    return list(chain.from_iterable(map_in_order(work, pieces(items, jobs), jobs, what, model)))


def _predict_all(
    predict: Callable[[Model, Item], Result],
    size: Callable[[Item], int],
    model: Model,
    items: Sequence[Item],
) -> list[Result]:
    predict(model, min(items, key=size))
    return [predict(model, item) for item in items]


class Timed(NamedTuple, Generic[Result]):
    """What a call gave, and the seconds that it took."""

    output: Result
    seconds: float


def timed(
    call: Callable[[], Result], clock: Callable[[], float] = time.perf_counter
) -> Timed[Result]:
    """Call, with a clock that runs meanwhile; ``time.process_time`` counts this process alone."""
    begin = clock()
    output = call()
    return Timed(output, clock() - begin)


def several_at_once(
    function: Callable[[Item], Result], items: Sequence[Item], jobs: int
) -> Iterator[Result]:
    """``function`` of every item, in order, on forks: the searches of one iteration of a training.

    The first is called here, so that whatever it compiles or reads is there for all forks. Where no
    fork is safe (``may_fork``) all are called here: nobody would send the examples of a training to
    another process for every iteration. Raises as ``map_in_order``.
    """
    if jobs == 1 or not items or not may_fork():
        yield from map(function, items)
        return
    yield function(items[0])
    each = partial(_each, function)
    yield from chain.from_iterable(map_in_order(each, pieces(items[1:], jobs), jobs))


def _each(function: Callable[[Item], Result], items: Sequence[Item]) -> list[Result]:
    return list(map(function, items))


def _with_bar(results: Iterator[Result], total: int, what: str) -> Iterator[Result]:
    with progress_bar(total=total, desc=what, delay=2, leave=False) as shown:
        for result in results:
            yield result
            shown.update()


def _results(
    function: Callable[..., Result], items: Sequence[Item], jobs: int, model: object, what: str
) -> Iterator[Result]:
    here = function if model is None else partial(function, model)
    if jobs == 1:
        asked = (store(function, items, model, what) for store in STORES)
        yield from next((known for known in asked if known is not None), map(here, items))
        return
    cluster = ELSEWHERE.get()
    if cluster is not None:
        results: Generator[Result] = cluster(function, items, model)
    elif may_fork():
        results = _in_forks(here, items, jobs)
    else:
        results = _by_joblib(function, items, jobs, model)
    with closing(results):
        yield from results


# --- forks of this process ------------------------------------------------------------------------


def may_fork() -> bool:
    """Whether a fork is safe, and no backend of joblib was asked for. A lock that another thread
    holds would be held in the fork for ever. The thread that watches over progress bars holds one
    while it looks at them, and ``_in_forks`` waits for that."""
    from tqdm.auto import tqdm

    others = set(threading.enumerate()) - {threading.main_thread(), getattr(tqdm, "monitor", None)}
    if sys.platform != "linux" or others:
        return False
    if "joblib" not in sys.modules:  # nobody has told it what to work with
        return True
    from joblib.parallel import get_active_backend

    backend, _ = get_active_backend()
    return type(backend).__name__ == "LokyBackend"


def _in_forks(
    function: Callable[..., Result], items: Sequence[Item], jobs: int
) -> Generator[Result]:
    import multiprocessing  # not everywhere are there processes, and few need them
    from concurrent.futures import ProcessPoolExecutor
    from concurrent.futures.process import BrokenProcessPool

    from tqdm.auto import tqdm

    fork = multiprocessing.get_context("fork")
    before = set(multiprocessing.active_children())
    pool = ProcessPoolExecutor(jobs, fork, initializer=_keep, initargs=(function, items))
    children: set[multiprocessing.process.BaseProcess] = set()
    try:
        with tqdm.get_lock():
            futures = [pool.submit(_of_kept, place) for place in range(len(items))]
            children = set(multiprocessing.active_children()) - before
        for future in futures:
            yield cast(Result, future.result())
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
_kept = threading.local()
"""In a fork: the function and its items, which came with the fork. In a thread: the last model."""


def _keep(function: Callable[..., object], items: Sequence[object]) -> None:
    # A fork whose parent was killed would wait for work for ever: the kernel ends it, too.
    ctypes.CDLL(None).prctl(DIE_WITH_PARENT, signal.SIGKILL)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for who started us
    _kept.function, _kept.items = function, items


def _of_kept(place: int) -> object:
    result: object = _kept.function(_kept.items[place])
    return result


# --- processes of joblib --------------------------------------------------------------------------


def _by_joblib(
    function: Callable[..., Result], items: Sequence[Item], jobs: int, model: object
) -> Generator[Result]:
    from joblib import Parallel, delayed

    with ExitStack() as stack:
        if model is not None:
            path, checksum = stack.enter_context(saved(model))
            function = partial(_with_model, function, path, checksum)
        # max_nbytes: no memory maps, a compiled kernel takes a read-only array for another type.
        parallel = Parallel(n_jobs=jobs, return_as="generator", max_nbytes=None)
        results = parallel(delayed(function)(item) for item in items)
        yield from stack.enter_context(closing(results))


def _with_model(function: Callable[..., Result], path: str, checksum: str, item: object) -> Result:
    return function(model_of_file(path, checksum), item)


# --- models on their way --------------------------------------------------------------------------

# As the bytes of their file, which is checked when it is read: nothing of a model is pickled. A
# worker keeps the last one; a thread has its own, since a decoder works in its model's buffers.


@contextmanager
def saved(model: object) -> Iterator[tuple[str, str]]:
    """The path of a model's file and its checksum; inside the ``with`` the file is there."""
    with tempfile.TemporaryDirectory(prefix="wordorder_lab-model-") as folder:
        path = Path(folder) / "model.wol"
        cast(TrainedModel, model).save(path)
        yield str(path), hashlib.sha256(path.read_bytes()).hexdigest()


def model_of_file(path: str, checksum: str) -> object:
    """The model of this thread; raises ``ModelError`` as ``load_model``."""
    if getattr(_kept, "checksum", None) != checksum:
        _kept.model, _kept.checksum = load_model(path), checksum
    model: object = _kept.model
    return model


def model_of_bytes(data: bytes, checksum: str) -> object:
    """The same for a file that came as its bytes."""
    if getattr(_kept, "checksum", None) == checksum:
        return model_of_file("", checksum)
    with tempfile.TemporaryDirectory(prefix="wordorder_lab-model-") as folder:
        path = Path(folder) / "model.wol"
        path.write_bytes(data)
        return model_of_file(str(path), checksum)
