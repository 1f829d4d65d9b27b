"""Notebooks in a tab: JupyterLite with all notebooks, and Python for a browser, under ``lite/``.

JupyterLite is put together here from its two wheels: the application, the kernel's extension, those
of the widgets as they are installed, a list of the notebooks. Nothing is asked of another host.
"""

from __future__ import annotations

import gzip
import io
import json
import mimetypes
import sys
import tarfile
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import nbformat

from site_pages import tab_packages, tab_site
from site_pages.page import ROOT
from site_pages.pyodide_files import (
    CHECKSUMS,
    FOR_NOTEBOOKS,
    NoFiles,
    integrity,
    lock_text,
    pyodide_files,
)

LOCK = Path(__file__).with_name("lite_wheels.txt")
"""What the wheels are, with their checksums."""
WHEELS = ROOT / "build" / "jupyterlite"
"""Where ``make site`` puts the two wheels."""
MODELS = ROOT / "build" / "models"
"""Models that notebooks have trained, as ``make pages`` has kept them."""
LEVEL = 7
"""How hard they are packed: 9 takes seven times as long, for a hundredth."""
KEPT = ("wol", "results", "calls")
"""What ``wordorder_lab.check.beforehand`` asks the site for."""
NOTEBOOKS = ROOT / "notebooks"
SHOWN = {".py", ".md", ".png"}
"""What a notebook may link, beside other notebooks."""
START = Path(__file__).with_name("lite_start.js")
PYTHON = Path(__file__).with_name("lite_python.js")
KEEPING = Path(__file__).with_name("lite_kept.js")
SHARED, LOCKED = "try/pyodide/", "try/pyodide/pyodide-lock.json"
"""Files of Pyodide that the page ``try/`` has, too."""
APPLICATION = "package/"
PAGES = ("consoles/", "doc/", "edit/", "notebooks/", "repl/", "tree/")
DRAWING = ("142.", "1495.", "2324.", "4630.", "6607.", "644.")
DIAGRAM = b"diagram:()=>"
"""Stands in each of Mermaid's parts."""
TERMINALS = ("3462.", "4708.", "7884.")
UNUSED = (*PAGES, *DRAWING, *TERMINALS)
OLD_FONTS = {".eot", ".svg", ".ttf", ".woff"}
"""Parts of JupyterLite that no page of ours leads to; that draw what no notebook has (Vega, Mermaid
and what they lay out with) or show a terminal; and what browsers had before WOFF2."""
KERNEL = "@jupyterlite/pyodide-kernel-extension"
MANAGER, ANYWIDGET = "@jupyter-widgets/jupyterlab-manager", "anywidget"
WHEELS_OF = ("jupyterlite_core", "jupyterlite_pyodide_kernel", "jupyterlab_widgets")
EXTENSIONS = "/share/jupyter/labextensions/"
POLICY = "default-src 'self' 'unsafe-inline' 'unsafe-eval' data: blob:"
"""JupyterLab evaluates the schemas of its settings; no other host may be asked."""
DOCUMENTS, AUTOSAVE_SECONDS = "@jupyterlab/docmanager-extension:plugin", 5
"""Of what is typed a reload loses these seconds at most."""
LOADED = "micropip piplite ssl sqlite3 ipykernel comm pyodide_kernel ipython wordorder-lab".split()
WHEN = "2020-01-01T00:00:00Z"
ADDRESS = "lite/lab/index.html?path={}.ipynb"


@cache
def written() -> dict[str, bytes]:
    """Place on the site -> what stands there; nothing where it cannot be had, which is said."""
    try:
        core, *extended = (_wheel(name) for name in WHEELS_OF)
        found = tab_packages.leaner(pyodide_files(names=[*CHECKSUMS, *FOR_NOTEBOOKS]))
    except NoFiles as error:
        print(f"the site is built without notebooks in a tab: {error}")
        return {}
    wheels = {**found, **tab_packages.wheels()}
    shared = {name: data for name, data in tab_site.written().items() if name.startswith(SHARED)}
    there = {name.removeprefix(SHARED).removesuffix(".packed") for name in shared}
    files = {f"pyodide/{name}": data for name, data in wheels.items() if name not in there}
    extensions = {ANYWIDGET: _installed(ANYWIDGET)}
    for name, wheel in zip((KERNEL, MANAGER), extended, strict=True):
        extensions[name] = _extension(name, wheel)
    lock = {**tab_packages.packages(wheels), **_of_kernel(extensions[KERNEL])}
    files["pyodide/pyodide-lock.json"] = lock_text(lock).encode()
    checked = {name: integrity(data) for name, data in files.items()}
    checked |= {f"../{name}": integrity(data) for name, data in shared.items() if name != LOCKED}
    for name, parts in extensions.items():
        files |= {f"extensions/{name}/{place}": data for place, data in parts.items()}
    files |= dict(_models())
    files |= dict(_application(core)) | dict(_contents())
    files["jupyter-lite.json"] = _settings(files["jupyter-lite.json"], extensions)
    files["lab/index.html"] = _page(files["lab/index.html"].decode()).encode()
    files["build/schemas/all_federated.json"] = _schemas(extensions)
    files["start.js"] = START.read_bytes()
    files["kept.js"] = KEEPING.read_bytes()
    files["pyodide/python.js"] = PYTHON.read_bytes()
    files["files.json"] = json.dumps(checked).encode()
    return {f"lite/{name}": data for name, data in files.items()}


def address(notebook: str) -> str | None:
    """Where a notebook runs, from the site's first page; ``None`` where none does."""
    return ADDRESS.format(notebook) if written() else None


def _wheel(name: str) -> zipfile.ZipFile:
    """A wheel that ``make site`` has downloaded. Raises ``NoFiles`` where it is not there."""
    for path in WHEELS.glob(f"{name}-*.whl"):
        return zipfile.ZipFile(path)
    raise NoFiles(f"no wheel of {name} in {WHEELS.relative_to(ROOT)}: make site")


def _application(core: zipfile.ZipFile) -> Iterator[tuple[str, bytes]]:
    (packed,) = (name for name in core.namelist() if name.endswith(".tgz"))
    with tarfile.open(fileobj=io.BytesIO(core.read(packed))) as archive:
        for member in archive:
            name = member.name.removeprefix(APPLICATION)
            part = archive.extractfile(member) if member.isfile() else None
            data = part.read() if part else b""
            if (
                part
                and DIAGRAM not in data
                and not name.endswith(".map")
                and not (name.startswith("build/") and Path(name).suffix in OLD_FONTS)
                and not name.removeprefix("build/").startswith(UNUSED)
            ):
                yield name, data


def _extension(name: str, wheel: zipfile.ZipFile) -> dict[str, bytes]:
    start = f"{EXTENSIONS}{name}/"
    return {
        place.partition(start)[2]: wheel.read(place)
        for place in wheel.namelist()
        if start in place and not place.endswith(".map")
    }


def _installed(name: str) -> dict[str, bytes]:
    folder = Path(f"{sys.prefix}{EXTENSIONS}{name}")
    files = (path for path in sorted(folder.rglob("*.*")) if path.is_file())
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in files
        if path.suffix != ".map"
    }


def _of_kernel(extension: Mapping[str, bytes]) -> dict[str, dict[str, Any]]:
    """The kernel's own wheels in Pyodide's lock, so that nothing has to be looked for."""
    folder, found = f"../extensions/{KERNEL}", {}
    for place, data in extension.items():
        if place.endswith(".whl"):
            name = Path(place).name.partition("-")[0]
            found[name.replace("_", "-")] = tab_packages.entry(
                f"{folder}/{place}", data, [name], []
            )
    return found


def _schemas(extensions: Mapping[str, Mapping[str, bytes]]) -> bytes:
    """The settings of the extensions, as JupyterLite reads them."""
    found = []
    for name, parts in extensions.items():
        for place, data in parts.items():
            if place.startswith(f"schemas/{name}/") and place.endswith(".json"):
                version = json.loads(parts["package.json"])["version"]
                told = {"id": f"{name}:{Path(place).stem}", "schema": json.loads(data)}
                found.append({**told, "raw": "{}", "settings": {}, "version": version})
    return json.dumps(found).encode()


def _models() -> Iterator[tuple[str, bytes]]:
    """Trained models and results, packed under a name that no server unpacks by itself."""
    for path in sorted(path for kind in KEPT for path in MODELS.glob(f"*.{kind}")):
        yield f"models/{path.name}.packed", gzip.compress(path.read_bytes(), LEVEL, mtime=0)


def _settings(text: bytes, extensions: Mapping[str, Mapping[str, bytes]]) -> bytes:
    """JupyterLite's own settings, with ours."""
    settings = json.loads(text)
    federated = []
    for name, parts in extensions.items():
        told = json.loads(parts["package.json"])
        build, lite = told["jupyterlab"]["_build"], told.get("jupyterlite", {})
        federated.append({"name": name, "liteExtension": lite.get("liteExtension", False), **build})
    kernel = {
        "pyodideUrl": "./pyodide/python.js",
        "pipliteUrls": [f"./extensions/{KERNEL}/static/pypi/all.json"],
        "disablePyPIFallback": True,
        "loadPyodideOptions": {"packages": LOADED},
    }
    settings["jupyter-config-data"] |= {
        "appName": "wordorder_lab",
        "federated_extensions": federated,
        "litePluginSettings": {f"{KERNEL}:kernel": kernel},
        "exposeAppInBrowser": True,
        "settingsOverrides": {DOCUMENTS: {"autosaveInterval": AUTOSAVE_SECONDS}},
    }
    return json.dumps(settings).encode()


def _page(text: str) -> str:
    """The application's page: nothing from elsewhere, and what goes wrong at the start is said."""
    head = f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">\n'
    head += '<script defer src="../start.js"></script>\n'
    return text.replace("<head>", f"<head>\n{head}", 1)


# --- The notebooks, and what they link ------------------------------------------------------------


def _contents() -> Iterator[tuple[str, bytes]]:
    """The files, and a list of each folder as JupyterLite reads it."""
    files = {path: _file(path) for path in sorted(NOTEBOOKS.rglob("*.*")) if _is_shown(path)}
    for path, data in files.items():
        yield f"files/{path.relative_to(NOTEBOOKS).as_posix()}", data
    for folder in {path.parent for path in files}:
        inside = [_entry(path, len(data)) for path, data in files.items() if path.parent == folder]
        inside += [_entry(one, None) for one in {p.parent for p in files} if one.parent == folder]
        place = folder.relative_to(NOTEBOOKS).as_posix()
        yield f"api/contents/{place}/all.json".replace("/./", "/"), _listed(folder, inside)
    yield "api/translations/all.json", json.dumps({"data": {}, "message": ""}).encode()
    yield "api/translations/en.json", json.dumps({"data": {}, "message": ""}).encode()


def _is_shown(path: Path) -> bool:
    if path.parent == NOTEBOOKS and path.suffix == ".py":
        return False  # the text of a notebook that is there
    return path.suffix in SHOWN or (path.suffix == ".ipynb" and path.parent == NOTEBOOKS)


def _file(path: Path) -> bytes:
    if path.suffix != ".ipynb":
        return path.read_bytes()
    notebook: Any = nbformat.read(path, as_version=4)
    kernel = {"name": "python", "display_name": "Python (Pyodide)", "language": "python"}
    notebook.metadata.kernelspec = kernel
    return str(nbformat.writes(notebook)).encode()


def _entry(path: Path, size: int | None) -> dict[str, Any]:
    kinds = {".ipynb": ("notebook", None), "": ("directory", "json")}
    kind, form = kinds.get(path.suffix, ("file", None))
    guessed = mimetypes.guess_type(path.name)[0] if kind == "file" else None
    place = path.relative_to(NOTEBOOKS).as_posix()
    return {
        "name": path.name if place != "." else "",
        "path": place if place != "." else "",
        "type": kind,
        "format": form,
        "mimetype": guessed,
        "size": size,
        "content": None,
        "created": WHEN,
        "last_modified": WHEN,
        "writable": True,
        "hash": None,
        "hash_algorithm": None,
    }


def _listed(folder: Path, inside: Iterable[Mapping[str, Any]]) -> bytes:
    content = sorted(inside, key=lambda one: str(one["name"]))
    return json.dumps({**_entry(folder, None), "content": content}).encode()
