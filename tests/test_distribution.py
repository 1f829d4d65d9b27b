"""What is sent to others: the source archive has all of the repository, the wheel runs alone."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest
from house_rules import FILES, PACKAGE, ROOT

BUILD = (
    "import sys; from setuptools.build_meta import build_sdist, build_wheel; folder = sys.argv[1];"
    "build_sdist(folder); build_wheel(folder)"
)
GAZETTE = f"{PACKAGE}/corpora/gazette_data"
MADE = ("PKG-INFO", "setup.cfg")
"""What setuptools adds, beside its ``.egg-info``."""


@pytest.fixture(scope="module")
def built(tmp_path_factory) -> Path:
    """A folder with both, built in a copy of the repository: building leaves files behind."""
    source, folder = tmp_path_factory.mktemp("source"), tmp_path_factory.mktemp("dist")
    for name, path in FILES.items():
        (source / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(path, source / name)
    command = [sys.executable, "-c", BUILD, str(folder)]
    ran = subprocess.run(command, cwd=source, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr[-2000:]
    return folder


@pytest.mark.slow
def test_the_source_distribution_is_the_repository(built) -> None:
    (archive,) = built.glob("*.tar.gz")
    with tarfile.open(archive) as tar:
        names = {m.name.partition("/")[2] for m in tar.getmembers() if m.isfile()}
    names = {name for name in names if ".egg-info/" not in name and name not in MADE}
    assert names == set(FILES)


@pytest.mark.slow
def test_the_wheel_is_the_whole_package(built) -> None:
    (archive,) = built.glob("*.whl")
    with zipfile.ZipFile(archive) as wheel:
        names = {name for name in wheel.namelist() if ".dist-info/" not in name}
    package = {name for name in FILES if name.startswith(f"{PACKAGE}/")}
    corpus = (name for name in FILES if name.startswith("data/gazette/"))
    read = {f"{GAZETTE}/{Path(name).name}" for name in corpus if "report" not in name}
    assert names == package | read and len(read) == 12


@pytest.fixture(scope="module")
def site(built, tmp_path_factory) -> Path:
    """The wheel, installed."""
    folder = tmp_path_factory.mktemp("site")
    (archive,) = built.glob("*.whl")
    with zipfile.ZipFile(archive) as wheel:
        wheel.extractall(folder)
    return folder


@pytest.mark.slow
def test_an_installed_package_reads_the_gazette_and_cannot_write_it(site, tmp_path) -> None:
    """Nothing is made in the user's cache; the command says in a line where the grammar is."""
    asked = (
        "import sys, wordorder_lab as wl\n"
        "from wordorder_lab.cli import main\n"
        "corpus, pairs = wl.load_corpus('gazette'), wl.load_compressions('gazette')\n"
        "print(len(corpus.dev), len(pairs.dev), corpus.dev[0].derivation is not None)\n"
        "print(main(['corpora', 'gazette']))\n"
        "print(main(['corpora', 'gazette', '--report']))\n"
    )
    cache = tmp_path / "cache"
    where = {"PYTHONPATH": str(site), "XDG_CACHE_HOME": str(cache), "HOME": str(tmp_path)}
    command = [sys.executable, "-c", asked]
    ran = subprocess.run(command, cwd=tmp_path, env=where, capture_output=True, text=True)
    first, read, *_, described, refused = ran.stdout.splitlines()
    assert first == "200 91 True" and read.startswith(f"read {site / GAZETTE}; the grammar")
    assert "compressions" in ran.stdout and (described, refused) == ("0", "2"), ran.stderr[-2000:]
    (complaint,) = ran.stderr.splitlines()
    assert "git clone" in complaint and not list(cache.rglob("*.mrg"))


@pytest.mark.slow
def test_an_installed_package_keeps_its_records(site, tmp_path) -> None:
    """The record of a full run goes below the current folder, where the package is no checkout."""
    asked = (
        "from types import SimpleNamespace as Given\n"
        "from wordorder_lab.commands.reproduce.entries import target\n"
        "from wordorder_lab.experiments.records import record_file\n"
        "from wordorder_lab.experiments.reproduce import Override\n"
        "usual = record_file('liu-2015-table-2')\n"
        "print(usual.exists(), target(usual, Override(), Given(json=None)))\n"
    )
    where = {"PYTHONPATH": str(site)}
    for cwd, expected in (
        (tmp_path, "True build/experiments/liu_2015_table_2.json"),
        (ROOT, f"True {ROOT / PACKAGE}/experiments/records/liu_2015_table_2.json"),
    ):
        given = where if cwd == tmp_path else {"PYTHONPATH": str(ROOT)}
        command = [sys.executable, "-c", asked]
        ran = subprocess.run(command, cwd=cwd, env=given, capture_output=True, text=True)
        assert ran.stdout.strip() == expected, ran.stderr[-2000:]
