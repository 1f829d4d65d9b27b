"""What Python in a tab imports, as wheels: ours, libraries of plain Python as they are installed
here in the versions that ``requirements.lock`` pins, and those of Pyodide's release.

Each of the release's wheels has been checked when it comes here; then what no notebook imports is
left out, and the rest is packed again. Pyodide loads all of it when a cell imports
``wordorder_lab``.
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
from site_pages.pyodide_files import CHECKSUMS, NOT_LOADED, PACKAGES

PURE = """
anywidget colorama comm conllu defusedxml ipywidgets jinja2 jupyterlab-widgets markupsafe nltk
psygnal sacrebleu tabulate tqdm typing-extensions
""".split()
"""Libraries that work without the compiled part that some of them have."""
COMPILED = {".so", ".pyd", ".dylib", ".pyc"}
STAND_INS = Path(__file__).with_name("tab_stand_ins")
"""Modules in the place of regex, lxml and portalocker, which nltk and sacrebleu import."""
LEFT_OUT = {
    "scipy": "cluster/ datasets/ fftpack/ io/ misc/ odr/ signal/ stats/_sobol_direction",
    "PIL": "_imagingcms _imagingft _webp",
    "matplotlib": "mpl-data/fonts/afm/ mpl-data/fonts/pdfcorefonts/ mpl-data/fonts/ttf/DejaVuSerif "
    "mpl-data/fonts/ttf/DejaVuSans-BoldO mpl-data/fonts/ttf/DejaVuSansMono- mpl-data/sample_data/",
    "pytz": "zoneinfo/",
    "dateutil": "zoneinfo/dateutil-zoneinfo.tar.gz",
    "nltk": "app/ draw/ test/ twitter/",
    "wordorder_lab": "systems/everyday_models/everyday.zip systems/everyday_models/everyday-r",
}
"""Wheel -> beginnings of places in it that no notebook comes to, or that the page try/ has."""
SOURCES = {".a", ".c", ".h", ".pxd", ".pyi", ".pyx", ".png"}
"""What is there to compile or to type against; and pictures, which a record draws anew."""
NO_SSL = "ssl-1.0.0-py3-none-any.whl"
SSL = {
    "ssl.py": b"class SSLError(OSError): pass\nSSLWantReadError = SSLSyscallError = SSLError\n",
    "ssl-1.0.0.dist-info/METADATA": b"Metadata-Version: 2.1\nName: ssl\nVersion: 1.0.0\n",
    "ssl-1.0.0.dist-info/WHEEL": b"Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
}
"""In the place of Python's ssl: JupyterLite loads it, and nltk wants classes that go with it."""
GAZETTE = (".mrg", ".conllu", ".auto", ".jsonl")
DEPENDS = "numpy pandas scipy matplotlib joblib sqlite3 ssl".split()
EPOCH = (2020, 1, 1, 0, 0, 0)
NAME = f"wordorder_lab-{wl.__version__}-py3-none-any.whl"


def wheels() -> dict[str, bytes]:
    """File -> wheel: the same bytes each time from the same files.

    Raises ``metadata.PackageNotFoundError`` where a library is not installed.
    """
    made = {NAME: _packed(dict(_ours())), NO_SSL: _packed(SSL)}
    for library in PURE:
        name = f"{library.replace('-', '_')}-{metadata.version(library)}-py3-none-any.whl"
        made[name] = _packed(dict(_of_library(library)))
    return made


def leaner(found: Mapping[str, bytes]) -> dict[str, bytes]:
    """Files of the release, checked before, as the site has them."""
    kept = dict(found)
    for file in found.keys() - CHECKSUMS.keys():  # those are the page try/'s, too
        with zipfile.ZipFile(io.BytesIO(found[file])) as archive:
            kept[file] = _packed({name: archive.read(name) for name in archive.namelist()})
    return kept


def _is_used(name: str) -> bool:
    """Whether a file of a wheel is put into it."""
    package, _, place = name.partition("/")
    unused = tuple(LEFT_OUT.get(package, "").split())
    return Path(name).suffix not in SOURCES and not (unused and place.startswith(unused))


def _packed(files: Mapping[str, bytes]) -> bytes:
    files = {name: data for name, data in files.items() if _is_used(name)}
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
    """The lock's packages, with these wheels among them."""
    rows = {}
    for name, row in PACKAGES.items():
        if name not in NOT_LOADED:
            depends = [one for one in row["depends"] if one not in NOT_LOADED]
            data = made.get(row["file_name"])
            sha256 = row["sha256"] if data is None else hashlib.sha256(data).hexdigest()
            rows[name] = {**row, "depends": depends, "sha256": sha256}
    known = {row["file_name"] for row in rows.values()}
    for name in sorted(name for name in made.keys() - known if name.endswith(".whl")):
        data, imports = made[name], [name.partition("-")[0]]
        row = entry(name, data, imports, [*DEPENDS, *PURE] if name == NAME else [])
        rows[row["name"]] = row
    return rows
