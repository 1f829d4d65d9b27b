"""``--cluster``: the work of ``map_in_order`` on the machines of a Dask cluster.

    dask scheduler                                    on one machine
    dask worker tcp://HOST:8786 --nthreads 1          on each, once for each of its cores
    wordorder-lab evaluate ... --cluster tcp://HOST:8786

Workers need this package, the same version of everything that results depend on, and the corpora;
what is missing or different is said before any work is done. A worker that dies costs the task that
it had: another one does it again.

A cluster has to be trusted, and only trusted people may reach it: Dask pickles functions, items and
results between its own processes, so whoever talks to one of them can run code on it. That is said
for ``tcp://``; ``tls://`` is for a cluster with certificates (Dask's settings ``distributed.comm``
name their files), and ``local`` makes its own. A model is not pickled: the bytes of its file go to
each worker once and are checked like any model.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from concurrent.futures import CancelledError
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar, cast

from wordorder_lab.experiments import provenance
from wordorder_lab.experiments.runs.map_in_order import ELSEWHERE, model_of_bytes, saved
from wordorder_lab.structures.messages import brief

if TYPE_CHECKING:
    from distributed import Client, Future, SpecCluster

Item = TypeVar("Item")
Result = TypeVar("Result")

LOCAL = "local"
"""The name of a cluster of this machine's cores, made for one command: to try it out."""
TRUST = "{}: whoever can reach this cluster can run code on it and here; tls:// keeps others out"
PATIENCE = 10
"""Seconds within which a scheduler answers and has a worker."""
LIVES = 3
"""How often a task is begun again, or all models sent again, after workers have died."""


class ClusterError(ValueError):
    """A cluster is not there, has no workers, or cannot give the results of this machine."""


@contextmanager
def on_cluster(address: str | None) -> Iterator[int | None]:
    """Inside, ``map_in_order`` with several jobs works on this cluster; how many jobs fit it.

    ``address`` is ``"tcp://..."``, ``"tls://..."``, or "local"; with ``None`` everything is
    as it was. Raises ``ClusterError`` where Dask is not installed, no scheduler answers, there are
    no workers, their versions are others than here, or a certificate is missing.
    """
    if address is None:
        yield None
        return
    try:
        import distributed  # noqa: F401
    except ImportError:
        raise ClusterError(
            "--cluster needs Dask, which is not installed: pip install 'wordorder-lab[cluster]'"
        ) from None
    with ExitStack() as stack:
        client = stack.enter_context(_client(address, stack))
        threads = _checked(client, address)
        if address != LOCAL and not address.startswith("tls://"):
            print(TRUST.format(address), file=sys.stderr)
        token = ELSEWHERE.set(Cluster(client).map)
        stack.callback(ELSEWHERE.reset, token)
        yield max(2, threads)  # one job would be work for this process


def _client(address: str, stack: ExitStack) -> Client:
    from distributed import Client

    if address != LOCAL and "://" not in address:
        raise ClusterError(f"--cluster {address}: give tcp://HOST:PORT of a scheduler, or local")
    where = _local(stack) if address == LOCAL else address
    try:
        return Client(where, timeout=PATIENCE, set_as_default=False)
    except (TimeoutError, OSError, ValueError) as error:
        reason = f" ({error})" if isinstance(error, ValueError) else ""
        raise ClusterError(
            f"no scheduler answers at {address}{reason}: start one with  dask scheduler  and name "
            "the address that it prints"
        ) from None
    except TypeError as error:
        raise ClusterError(
            f"--cluster {address} needs certificates, which Dask's settings name: "
            f"distributed.comm.tls.ca-file, client.cert and client.key ({error})"
        ) from None


def _local(stack: ExitStack) -> SpecCluster:
    from wordorder_lab.experiments.local_cluster import CERTIFICATE, local_cluster

    try:
        return stack.enter_context(local_cluster())
    except (OSError, RuntimeError, subprocess.CalledProcessError) as error:
        of_openssl = isinstance(error, OSError) and error.filename == CERTIFICATE.split()[0]
        if of_openssl or isinstance(error, subprocess.CalledProcessError):
            raise ClusterError(
                f"--cluster local makes a certificate with the command openssl ({error}): install "
                "it, or give --jobs, which needs none"
            ) from None
        raise ClusterError(
            f"--cluster local does not start its workers ({type(error).__name__}: {brief(error)}): "
            "give --jobs, which needs none"
        ) from None


def _checked(client: Client, address: str) -> int:
    try:
        client.wait_for_workers(1, timeout=PATIENCE)
    except TimeoutError:
        raise ClusterError(
            f"the scheduler at {address} has no workers: start some with  dask worker {address}"
        ) from None
    here = _versions()
    try:
        for worker, there in client.run(_versions).items():
            for name, wanted in here.items():
                if there.get(name) != wanted:
                    raise ClusterError(_difference(worker, name, there.get(name), wanted))
    except ModuleNotFoundError as error:
        raise ClusterError(
            f"the workers of {address} have no {error.name}: install wordorder-lab there as it is "
            "here"
        ) from None
    threads: Mapping[str, int] = client.nthreads()
    return sum(threads.values())


def _versions() -> dict[str, str | None]:
    from importlib.metadata import version

    code = provenance.code_version()["checksum"]
    return {**provenance.versions(), "distributed": version("distributed"), "code": code}


def _difference(worker: str, name: str, there: str | None, here: str | None) -> str:
    if name == "code":
        return (
            f"the worker {worker} has other code of wordorder_lab than this machine: "
            "bring both to one commit"
        )
    return (
        f"the worker {worker} has {name} {there} and this machine has {here}: "
        "install the same (requirements.lock)"
    )


class Cluster:
    """A client of Dask as ``map_in_order`` uses it."""

    def __init__(self, client: Client) -> None:
        self.client = client
        self._sent: tuple[object, Future[object], str] | None = None

    def map(
        self, function: Callable[..., Result], items: Sequence[Item], model: object = None
    ) -> Generator[Result]:
        """The results in order; raises what ``function`` does, ``ClusterError`` for lost workers.
        Where all workers that had the model have died, it is sent again for what is left."""
        from distributed import KilledWorker

        ready: dict[int, Result] = {}
        done = 0
        for life in range(LIVES + 1):
            places = [place for place in range(done, len(items)) if place not in ready]
            futures = self._submit(function, [items[place] for place in places], model)
            try:
                for place, result in self._as_they_come(futures, places):
                    ready[place] = cast(Result, result)
                    while done in ready:
                        yield ready.pop(done)
                        done += 1
                return
            except CancelledError:
                self._sent = None
                if life == LIVES:
                    raise ClusterError("the cluster loses its workers again and again") from None
            except KilledWorker as error:
                raise ClusterError(f"the same task has ended several workers: {error}") from None
            finally:
                self.client.cancel(futures)  # nobody waits for these any more

    def _as_they_come(
        self, futures: Sequence[Future[object]], places: Sequence[int]
    ) -> Iterator[tuple[int, object]]:
        """Results are fetched at once: those of a worker that dies later are safe here."""
        from distributed import as_completed

        place_of = dict(zip((future.key for future in futures), places))
        for future in as_completed(futures, loop=self.client.loop):
            place, result = place_of[future.key], future.result()
            future.release()  # else Dask would make it again if the worker that has it dies
            yield place, result

    def _submit(
        self, function: Callable[..., Result], items: Sequence[Item], model: object
    ) -> list[Future[object]]:
        if model is None:
            return list(self.client.map(function, items, pure=False))
        if self._sent is None or self._sent[0] is not model:  # sent once while it is the same
            with saved(model) as (path, checksum):
                data = Path(path).read_bytes()
            self._sent = model, self.client.scatter(data, broadcast=True, hash=False), checksum
        _, data_there, checksum = self._sent
        return list(
            self.client.map(
                _on_worker, items, function=function, data=data_there, checksum=checksum, pure=False
            )
        )


def _on_worker(item: object, function: Callable[..., Result], data: bytes, checksum: str) -> Result:
    return function(model_of_bytes(data, checksum), item)
