"""What Python in a tab imports beside the release's own packages, as wheels: ours, and libraries of
plain Python as they are installed here, in the versions that ``requirements.lock`` pins.

Pyodide loads it when a cell imports ``wordorder_lab``, and all that it depends on.
"""

from __future__ import annotations

import hashlib
import io
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from importlib import metadata
from pathlib import Path
from typing import Any

import wordorder_lab as wl
from site_pages.page import PACKAGE, ROOT
from site_pages.pyodide_files import PACKAGES

PURE = """
anywidget colorama comm conllu defusedxml ipywidgets jinja2 jupyterlab-widgets markupsafe nltk
psygnal sacrebleu tabulate tqdm typing-extensions
""".split()
"""Libraries that work without the compiled part that some of them have."""
COMPILED = {".so", ".pyd", ".dylib", ".pyc"}
STAND_INS = Path(__file__).with_name("tab_stand_ins")
"""Modules in the place of regex, lxml and portalocker, which nltk and sacrebleu import."""
GAZETTE = (".mrg", ".conllu", ".auto", ".jsonl")
DEPENDS = "numpy pandas scipy matplotlib joblib sqlite3 ssl".split()
EPOCH = (2020, 1, 1, 0, 0, 0)
NAME = f"wordorder_lab-{wl.__version__}-py3-none-any.whl"


def wheels() -> dict[str, bytes]:
    """File -> wheel: the same bytes each time from the same files.

    Raises ``metadata.PackageNotFoundError`` where a library is not installed.
    """
    made = {NAME: _packed(dict(_ours()))}
    for library in PURE:
        name = f"{library.replace('-', '_')}-{metadata.version(library)}-py3-none-any.whl"
        made[name] = _packed(dict(_of_library(library)))
    return made


def _packed(files: Mapping[str, bytes]) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, data in sorted(files.items()):
            archive.writestr(zipfile.ZipInfo(name, EPOCH), data, zipfile.ZIP_DEFLATED, 9)
    return packed.getvalue()


def _ours() -> Iterator[tuple[str, bytes]]:
    for path in STAND_INS.rglob("*.py"):
        yield path.relative_to(STAND_INS).as_posix(), path.read_bytes()
    for path in (ROOT / PACKAGE).rglob("*.*"):
        if path.is_file() and path.suffix not in COMPILED:
            yield path.relative_to(ROOT).as_posix(), path.read_bytes()
    for path in (ROOT / "data" / "gazette").iterdir():
        if path.suffix in GAZETTE:  # as setup.py has it
            yield f"{PACKAGE}/corpora/gazette_data/{path.name}", path.read_bytes()
    about = f"{PACKAGE}-{wl.__version__}.dist-info"
    version = f"Metadata-Version: 2.1\nName: wordorder-lab\nVersion: {wl.__version__}\n"
    yield f"{about}/METADATA", version.encode()
    yield f"{about}/WHEEL", b"Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"


def _of_library(library: str) -> Iterator[tuple[str, bytes]]:
    """Its modules, its data and what it says about itself; no pages, no binaries."""
    for file in metadata.distribution(library).files or ():
        place, path = file.as_posix(), Path(str(file.locate()))
        inside = not place.startswith("..") and "labextension/" not in place
        if inside and path.suffix not in COMPILED and path.is_file():
            yield place, path.read_bytes()


def entry(file: str, data: bytes, imports: Iterable[str], depends: Iterable[str]) -> dict[str, Any]:
    """A row of Pyodide's lock for a wheel at this place."""
    name, version, *_ = Path(file).name.split("-")
    return {
        "name": name.replace("_", "-"),
        "version": version,
        "file_name": file,
        "install_dir": "site",
        "sha256": hashlib.sha256(data).hexdigest(),
        "package_type": "package",
        "imports": list(imports),
        "depends": list(depends),
    }


def packages(made: Mapping[str, bytes]) -> dict[str, dict[str, Any]]:
    """The lock's packages, with the wheels among them."""
    rows = dict(PACKAGES)
    for name, data in made.items():
        imports = [name.partition("-")[0]]
        row = entry(name, data, imports, [*DEPENDS, *PURE] if name == NAME else [])
        rows[row["name"]] = row
    return rows
