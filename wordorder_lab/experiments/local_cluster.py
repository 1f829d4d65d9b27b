"""``--cluster local``: a Dask cluster of this machine's cores that nobody else can talk to.

Other people may be logged in to the same machine, and Dask runs what it is sent. So its scheduler
and its workers take nobody who does not show a certificate that was made for this one command. Its
key, and what workers put on the disk, is only in folders that nobody but their owner can enter; of
the key Dask makes such a file for a moment whenever one of its processes begins to use TLS.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from distributed import Nanny, Scheduler, Security, SpecCluster, Worker

CERTIFICATE = "openssl req -x509 -newkey rsa:2048 -nodes -days 30 -subj /CN=local"
"""Makes a key and its certificate; Dask's own way to them needs one more package."""
HERE = "127.0.0.1"


class _WithoutPages:
    """Dask's pages for browsers ask nobody who they are: here there are none."""

    def start_http_server(self, *args: object, **kwargs: object) -> None:
        """Nothing listens."""


class LocalScheduler(_WithoutPages, Scheduler):
    """A scheduler without pages."""


class LocalWorker(_WithoutPages, Worker):
    """A worker without pages."""


@contextmanager
def local_cluster() -> Iterator[SpecCluster]:
    """A cluster with a worker of one thread for each core. Raises ``CalledProcessError``, or
    ``OSError`` with its name, where ``openssl`` makes no certificate; ``RuntimeError`` or
    ``OSError`` where a process does not start."""
    with TemporaryDirectory(prefix="wordorder-cluster-") as folder:  # which only its owner enters
        security = own_certificate(Path(folder))
        common = {"protocol": "tls://", "host": HERE, "security": security}
        worker = {**common, "nthreads": 1, "worker_class": LocalWorker, "local_directory": folder}
        worker |= {"silence_logs": "ERROR"}
        scheduler = {**common, "port": 0, "dashboard": False}
        with SpecCluster(
            scheduler={"cls": LocalScheduler, "options": scheduler},
            workers={i: {"cls": Nanny, "options": worker} for i in range(os.cpu_count() or 1)},
            security=security,
            silence_logs="ERROR",
        ) as cluster:
            yield cluster


def own_certificate(folder: Path) -> Security:
    """A new key, and the certificate that alone is trusted; made in ``folder``, and removed."""
    key, certificate = folder / "key.pem", folder / "certificate.pem"
    command = [*CERTIFICATE.split(), "-keyout", str(key), "-out", str(certificate)]
    subprocess.run(command, check=True, capture_output=True)
    known = {"ca_file": certificate.read_text()}
    for role in ("client", "scheduler", "worker"):
        known |= {f"{role}_cert": certificate.read_text(), f"{role}_key": key.read_text()}
    key.unlink()
    return Security(
        require_encryption=True, **{f"tls_{name}": text for name, text in known.items()}
    )
