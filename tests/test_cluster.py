"""``--cluster``: a scheduler and two workers on this machine give what one process gives."""

from __future__ import annotations

import ast
import json
import os
import signal
import stat
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from command_line import PLAIN, ROOT, complaint, train_short, write_experiment
from small_experiments import without_times
from test_experiments import small

from wordorder_lab.cli import main
from wordorder_lab.corpora import load_corpus
from wordorder_lab.experiments import cluster, provenance, records
from wordorder_lab.experiments.cluster import ClusterError, on_cluster
from wordorder_lab.experiments.reproduce import reproduce
from wordorder_lab.experiments.runs.evaluate import evaluate
from wordorder_lab.experiments.runs.map_in_order import map_in_order
from wordorder_lab.systems import load_model


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """Of a scheduler with two workers, each a process with one thread; all have pages."""
    distributed = pytest.importorskip("distributed", reason="Dask is not installed")
    how = {"threads_per_worker": 1, "dashboard_address": None, "memory_limit": "1GiB"}
    with distributed.LocalCluster(n_workers=2, silence_logs="CRITICAL", **how) as local:
        yield local.scheduler_address


@pytest.fixture
def work_there(monkeypatch) -> list[int]:
    """How many items each call of ``map_in_order`` has sent to a cluster."""
    sent: list[int] = []
    real = cluster.Cluster.map

    def counted(self: Any, function: Any, items: Any, model: Any = None) -> Iterator[Any]:
        sent.append(len(items))
        return real(self, function, items, model)

    monkeypatch.setattr(cluster.Cluster, "map", counted)
    return sent


# --- a cluster that cannot be used ----------------------------------------------------------------


def test_without_dask_the_extra_is_named(own, monkeypatch, capsys) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    assert main(["evaluate", "--model", own.model, "--cluster", "local"]) == 2
    assert "pip install 'wordorder-lab[cluster]'" in complaint(capsys)


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (["--cluster", "tcp://127.0.0.1:9"], "no scheduler answers at tcp://127.0.0.1:9"),
        (["--cluster", "here"], "give tcp://HOST:PORT of a scheduler, or local"),
        (["--cluster", "local", "--jobs", "1"], "--jobs 1 is work for this machine alone"),
    ],
)
def test_no_scheduler(own, more, said, monkeypatch, capsys) -> None:
    pytest.importorskip("distributed", reason="Dask is not installed")
    monkeypatch.setattr(cluster, "PATIENCE", 1)
    assert main(["evaluate", "--model", own.model, *more]) == 2
    assert said in complaint(capsys)


@pytest.mark.slow
def test_other_versions_are_refused(address, monkeypatch) -> None:
    other = {**provenance.versions(), "numpy": "1.0"}
    monkeypatch.setattr(provenance, "versions", lambda: other)
    said = r"has numpy 2\S* and this machine has 1\.0"
    with pytest.raises(ClusterError, match=said), on_cluster(address):
        pass
    monkeypatch.undo()
    monkeypatch.setattr(provenance, "code_version", lambda: {"checksum": "other"})
    with pytest.raises(ClusterError, match="other code of wordorder_lab"), on_cluster(address):
        pass


@pytest.mark.slow
def test_a_cluster_with_certificates_and_one_without(address, capsys) -> None:
    """Of the one that asks nobody who they are, a line says so."""
    import dask

    with on_cluster(address):
        pass
    assert f"{address}: whoever can reach this cluster can run code" in complaint(capsys)
    from wordorder_lab.experiments.local_cluster import local_cluster

    with local_cluster() as secret:
        where, theirs = secret.scheduler_address, secret.security
        known = {"ca-file": theirs.tls_ca_file}
        known |= {"client.cert": theirs.tls_client_cert, "client.key": theirs.tls_client_key}
        named = {f"distributed.comm.tls.{name}": text for name, text in known.items()}
        with dask.config.set(named), on_cluster(where) as jobs:
            assert list(map_in_order(abs, [-1, 2], jobs or 0)) == [1, 2]
        assert where.startswith("tls://") and capsys.readouterr().err == ""
        with pytest.raises(ClusterError, match="needs certificates, which Dask's settings name"):
            on_cluster(where).__enter__()


# --- other people on this machine -----------------------------------------------------------------

STRANGER = """
import asyncio, json, os, sys
from http.client import HTTPConnection
from pathlib import Path
from tempfile import TemporaryDirectory
from distributed import Client, core
from wordorder_lab.experiments.local_cluster import own_certificate

async def listened(port, kind, security):
    args = security.get_connection_args("client") if security else {}
    comm = await core.connect(f"{kind}://127.0.0.1:{port}", timeout=3, **args)
    await comm.write({"op": "identity", "reply": True})
    return await comm.read()

async def all_doors(ports):
    with TemporaryDirectory() as folder:
        own = own_certificate(Path(folder))
    ways = [("tcp", None), ("tls", own)]
    tried = [(port, *way) for port in ports for way in ways]
    found = await asyncio.gather(*(listened(*one) for one in tried), return_exceptions=True)
    return [str(port) for (port, *_), one in zip(tried, found) if not isinstance(one, Exception)]

def pages(port):
    try:
        asked = HTTPConnection("127.0.0.1", port, timeout=3)
        asked.request("GET", "/")
        return [str(asked.getresponse().status)]
    except Exception:
        return []

if __name__ == "__main__":
    ports, web, folders, other_user = json.loads(sys.argv[1])
    if other_user:
        os.setgroups([]), os.setgid(65534), os.setuid(65534)
        assert not any(os.access(folder, os.R_OK | os.X_OK) for folder in folders)
    print(asyncio.run(all_doors(ports)) + [page for port in web for page in pages(port)])
"""
SAID_BY_IT: dict[str, Any] = {"capture_output": True, "text": True, "check": False, "cwd": ROOT}
SAID_BY_IT["timeout"] = 60  # it waits for ever for an answer of pages


def listening() -> set[int]:
    """The ports at which this process and its children wait for somebody."""
    import psutil

    me = psutil.Process()
    found = [one for each in (me, *me.children(recursive=True)) for one in each.net_connections()]
    return {one.laddr.port for one in found if one.status == psutil.CONN_LISTEN}


@pytest.mark.slow
def test_nobody_else_gets_into_a_cluster_of_this_machine(tmp_path, monkeypatch) -> None:
    """Neither without a certificate nor with one of their own; not the same user, nor another.

    Only root may become another user.
    """
    pytest.importorskip("distributed", reason="Dask is not installed")
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    before = listening()
    with on_cluster("local") as jobs:
        assert list(map_in_order(abs, [-1, 2], jobs or 0)) == [1, 2]
        ports, folders = sorted(listening() - before), list(tmp_path.glob("wordorder-cluster-*"))
        assert ports and [stat.S_IMODE(one.stat().st_mode) for one in folders] == [0o700]
        kept = [one.read_text() for one in tmp_path.rglob("*.pem")]
        assert kept and not any("PRIVATE KEY" in text for text in kept)
        for another in [False] if os.getuid() else [False, True]:
            asked = json.dumps([ports, ports, list(map(str, folders)), another])
            told = subprocess.run([sys.executable, "-c", STRANGER, asked], **SAID_BY_IT)
            assert (told.stdout, told.returncode) == ("[]\n", 0), (another, told.stderr)
    assert not folders[0].exists() and listening() <= before


@pytest.mark.slow
def test_the_strangers_way_in_is_open_without_certificates(address) -> None:
    """Else the test above would show nothing."""
    from distributed import Client

    with Client(address, set_as_default=False) as client:
        pages = client.scheduler_info()["services"]["dashboard"]
    port = int(address.rpartition(":")[2])
    asked = json.dumps([[port], [pages], [], os.getuid() == 0])
    told = subprocess.run([sys.executable, "-c", STRANGER, asked], **SAID_BY_IT)
    assert told.returncode == 0, told.stderr
    door, page = ast.literal_eval(told.stdout)
    assert door == str(port) and page.isdigit()  # 404 is an answer, too: that of Dask without bokeh


@pytest.mark.parametrize("there", [False, True], ids=["none", "one that may not be run"])
def test_without_openssl_it_is_said(own, there, tmp_path, monkeypatch, capsys) -> None:
    pytest.importorskip("distributed", reason="Dask is not installed")
    if there:
        (tmp_path / "openssl").touch(0o600)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert main(["evaluate", "--model", own.model, "--cluster", "local"]) == 2
    assert "makes a certificate with the command openssl" in complaint(capsys)


@pytest.mark.parametrize("error", [RuntimeError, TimeoutError, OSError])
def test_a_cluster_that_does_not_start_is_one_line(own, error, monkeypatch, capsys) -> None:
    pytest.importorskip("distributed", reason="Dask is not installed")

    def fails(*args: Any, **how: Any) -> None:
        raise error("Nanny failed to start.")

    monkeypatch.setattr("wordorder_lab.experiments.local_cluster.SpecCluster", fails)
    assert main(["evaluate", "--model", own.model, "--cluster", "local"]) == 2
    said = f"does not start its workers ({error.__name__}: Nanny failed to start.): give --jobs"
    assert said in complaint(capsys)


@pytest.mark.slow
def test_processes_of_this_machine_open_no_door() -> None:
    """Neither forks nor those of joblib, through which the same work goes with ``--jobs``."""
    from joblib import parallel_config

    before = listening()
    assert list(map_in_order(doors, range(4), 2)) == [0] * 4
    with parallel_config("loky"):
        assert not (listening() - before)
        assert list(map_in_order(doors, range(4), 2)) == [0] * 4


def doors(item: int) -> int:
    """How many ports this process has opened."""
    import psutil

    own = psutil.Process().net_connections()
    return len([one for one in own if one.status == psutil.CONN_LISTEN])


# --- the same as here -----------------------------------------------------------------------------


def numbers(model: str, corpus: str, folder: Path, *more: str) -> Any:
    """What ``evaluate`` writes, without times."""
    argv = ["evaluate", "--model", model, "--corpus", corpus, "--split", "train", *PLAIN, *more]
    assert main([*argv, "--json", str(folder / "e.json")]) == 0
    return without_times(json.loads((folder / "e.json").read_text()))


@pytest.mark.slow
def test_evaluate_and_its_grid(own, address, tmp_path) -> None:
    ordered = partial(numbers, own.model, own.corpus, tmp_path)
    assert ordered("--cluster", address) == ordered()
    several = "--pos", "0", "1", "--seed", "1", "2"
    assert ordered(*several, "--cluster", address) == ordered(*several)


@pytest.mark.slow
def test_reproduce(own, address, tmp_path) -> None:
    corpus = load_corpus(own.corpus)
    wanted = small(SimpleNamespace(path=own.corpus, corpus=corpus), tmp_path, "end")
    paths = [tmp_path / name for name in ("here.json", "there.json")]
    how: dict[str, Any] = {"command": "c", "show": lambda line: None}
    reproduce(wanted, paths[0], jobs=2, **how)
    with on_cluster(address) as jobs:
        assert jobs == 2
        reproduce(wanted, paths[1], jobs=jobs, **how)
    here, there = (json.loads(path.read_text()) for path in paths)
    for name in ("rows", records.SENTENCE_SCORES):
        assert here[name] == there[name]


@pytest.mark.slow
def test_a_grid_of_trainings(own, address, tmp_path) -> None:
    models, rows = [], []
    for name, more in (("here", ()), ("there", ("--cluster", address))):
        out, numbers = tmp_path / f"{name}.wol", tmp_path / f"{name}.json"
        assert train_short(own, out, "--C", "1", "10", "--json", str(numbers), *more) == 0
        models.append(load_model(out))
        rows.append(json.loads(numbers.read_text())["rows"])
    assert rows[0] == rows[1] and len(rows[0]) == 2
    assert (models[0].weights == models[1].weights).all()


@pytest.mark.slow
def test_evaluate_sentences_that_become_shorter(own, address, tmp_path, work_there) -> None:
    """The bonus is found there too."""
    shortened = partial(numbers, own.short, own.pairs, tmp_path, "--rate", "0.7")
    here = shortened()
    assert not work_there
    assert shortened("--cluster", address) == here
    assert len(work_there) > 2  # a search for each bonus, and the one that is scored


# --- a cluster made for one command ---------------------------------------------------------------


@pytest.mark.torture  # a cluster of its own; the next test has one, too
@pytest.mark.filterwarnings("error:Port")
def test_evaluate_on_this_machine(own, address, tmp_path, work_there) -> None:
    """Beside another cluster, which has Dask's usual port."""
    ordered = partial(numbers, own.model, own.corpus, tmp_path)
    assert ordered("--jobs", "1") == ordered("--cluster", "local") and len(work_there) == 1


@pytest.mark.slow
@pytest.mark.filterwarnings("error:Port")
def test_what_is_stale_on_this_machine(address, tmp_path, work_there, capsys) -> None:
    """Beside another cluster, which has Dask's usual port."""
    experiment = write_experiment(tmp_path)
    record = experiment.with_suffix(".json")
    made = []
    for where in ([], ["--cluster", "local"]):
        record.unlink(missing_ok=True)
        assert main(["reproduce", str(experiment), "--stale", *where]) == 0
        made.append(without_times(json.loads(record.read_text())))
        assert len(work_there) == bool(where)
    for name in ("rows", records.SENTENCE_SCORES, "data", "code"):
        assert json.dumps(made[0][name]) == json.dumps(made[1][name])
    assert made[1]["command"].endswith("mine.toml --cluster local")
    capsys.readouterr()
    assert main(["reproduce", str(experiment), "--stale", "--cluster", "local"]) == 0
    assert "every record is in order" in capsys.readouterr().out and len(work_there) == 1


# --- models and workers ---------------------------------------------------------------------------


@pytest.mark.slow
def test_a_model_travels_once_a_worker(own, address, monkeypatch) -> None:
    model = load_model(own.model)
    sentences = load_corpus(own.corpus).train
    how: dict[str, Any] = {"engine": "reference", "jobs": 2}
    with on_cluster(address):
        client = cluster.ELSEWHERE.get().__self__.client  # type: ignore[union-attr]
        sent: list[Any] = []
        real = client.scatter

        def counted(data: bytes, **how: Any) -> Any:
            sent.append(data)
            return real(data, **how)

        monkeypatch.setattr(client, "scatter", counted)
        outputs = [evaluate(model, sentences, pos=pos, **how).outputs for pos in (0, 1)]
        seen = Counter(map_in_order(copy_of, range(20), 2, model=model))
    assert len(sent) == 1 and isinstance(sent[0], bytes)
    assert len({process for process, _ in seen}) == len(seen) <= 2
    alone = [evaluate(model, sentences, pos=pos, engine="reference").outputs for pos in (0, 1)]
    assert outputs == alone


def copy_of(model: Any, item: int) -> tuple[int, int]:
    """The process, and which object the model is there."""
    return os.getpid(), id(model)


@pytest.mark.slow
def test_a_killed_worker_costs_its_task_only(own, address, tmp_path) -> None:
    model, deadly, items = load_model(own.model), 5, range(12)
    with on_cluster(address) as jobs:
        assert jobs is not None
        work = partial(die_once, tmp_path, deadly)
        for item, square in zip(items, map_in_order(work, items, jobs, model=model), strict=True):
            assert square == item * item
            (tmp_path / f"here-{item}").touch()
    begun = Counter(path.name.partition(".")[0] for path in tmp_path.glob("*.*"))
    assert set(begun) == {str(i) for i in items} and begun[str(deadly)] == 2
    assert all(begun[str(item)] == 1 for item in range(deadly))  # what has come is kept


def die_once(folder: Path, deadly: int, model: Any, item: int) -> int:
    """The square of the item; the worker that first has the deadly one is killed."""
    first = not list(folder.glob(f"{item}.*"))
    (folder / f"{item}.{os.getpid()}").touch()
    if item == deadly and first:
        while len(list(folder.glob("here-*"))) < deadly:  # until all before it have come home
            time.sleep(0.05)
        os.kill(os.getpid(), signal.SIGKILL)
    assert model.system == "liu-2015"
    return item * item
