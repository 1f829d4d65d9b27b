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
MADE = ("PKG-INFO", "setup.cfg")
"""What setuptools adds, beside its ``.egg-info``."""


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
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
def test_the_source_distribution_is_the_repository(built: Path) -> None:
    (archive,) = built.glob("*.tar.gz")
    with tarfile.open(archive) as tar:
        names = {m.name.partition("/")[2] for m in tar.getmembers() if m.isfile()}
    names = {name for name in names if ".egg-info/" not in name and name not in MADE}
    assert names == set(FILES)


@pytest.mark.slow
def test_the_wheel_is_the_whole_package(built: Path) -> None:
    (archive,) = built.glob("*.whl")
    with zipfile.ZipFile(archive) as wheel:
        names = {name for name in wheel.namelist() if ".dist-info/" not in name}
    assert names == {name for name in FILES if name.startswith(f"{PACKAGE}/")}


@pytest.mark.slow
def test_an_installed_package_keeps_its_records(built: Path, tmp_path: Path) -> None:
    """The record of a full run goes below the current folder, where the package is no checkout."""
    (archive,) = built.glob("*.whl")
    with zipfile.ZipFile(archive) as wheel:
        wheel.extractall(tmp_path / "site")
    asked = (
        "from types import SimpleNamespace as Given\n"
        "from wordorder_lab.commands.reproduce.entries import target\n"
        "from wordorder_lab.experiments.records import record_file\n"
        "from wordorder_lab.experiments.reproduce import Override\n"
        "usual = record_file('liu-2015-table-2')\n"
        "print(usual.exists(), target(usual, Override(), Given(json=None)))\n"
    )
    where = {"PYTHONPATH": str(tmp_path / "site")}
    for cwd, expected in (
        (tmp_path, "True build/experiments/liu_2015_table_2.json"),
        (ROOT, f"True {ROOT / PACKAGE}/experiments/records/liu_2015_table_2.json"),
    ):
        given = where if cwd == tmp_path else {"PYTHONPATH": str(ROOT)}
        command = [sys.executable, "-c", asked]
        ran = subprocess.run(command, cwd=cwd, env=given, capture_output=True, text=True)
        assert ran.stdout.strip() == expected, ran.stderr[-2000:]
