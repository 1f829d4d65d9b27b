"""The files of Pyodide that the pages in a tab need: Python for a browser, of one release.

They are looked for in the folder that ``$PYODIDE`` names, then in the user's cache, then at the
release's official address. Each is used only if it has the checksum below: that of the release's
own ``pyodide-lock.json``, or for its core that of the npm package ``pyodide``. The page ``try/``
needs five files, notebooks all.
"""

from __future__ import annotations

import base64
import hashlib
import json
import os
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.request import urlopen

from wordorder_lab.runtime.atomic import replacing
from wordorder_lab.runtime.user_cache import writable_cache

VERSION, PYTHON = "0.27.7", "3.12.7"
ADDRESS = f"https://cdn.jsdelivr.net/pyodide/v{VERSION}/full"
PATIENCE = 20
"""Seconds in which a host begins to answer, and goes on."""
LOCK = Path(__file__).with_name("pyodide_packages.json")
"""Entries of the release's own ``pyodide-lock.json``: the packages that pages and notebooks use."""
PACKAGES: dict[str, dict[str, Any]] = json.loads(LOCK.read_text(encoding="utf-8"))
NUMPY: str = PACKAGES["numpy"]["file_name"]
CHECKSUMS: dict[str, str] = {
    "pyodide.mjs": "04c052c815abb0bf2981fa38c2dfa58e3120ee5288c956df2b2a15e301782c5f",
    "pyodide.asm.js": "6b4c90de5b7172873f04f21884d0e9d2274e305fe32116558fe3e4fbe3618d51",
    "pyodide.asm.wasm": "a50dd1843f805a0b7c45b61037ee0d7b26dfe85efe0e18ef95a34ad24e401f5f",
    "python_stdlib.zip": "16611534726e5d8ac2bd8f926410b2dcb8d6f49aa24913463533b457a2115c16",
    NUMPY: PACKAGES["numpy"]["sha256"],
}
"""File of the page ``try/`` -> its sha256."""
NOT_LOADED = {"fonttools", "openssl", "ssl"}
"""Packages that others name and no notebook needs: for PDF, and connexions as no browser has."""
FOR_NOTEBOOKS: dict[str, str] = {
    one["file_name"]: one["sha256"] for name, one in PACKAGES.items() if name not in NOT_LOADED
}
"""File that notebooks in a tab need beside those -> its sha256."""


class NoFiles(Exception):
    """The files cannot be had: why, and what to do."""


def cache() -> Path:
    """Where files are kept that were downloaded."""
    return writable_cache() / f"pyodide-{VERSION}"


def checked(name: str, data: bytes, source: str) -> bytes:
    """The bytes of this file. Raises ``NoFiles`` where they are not those of the release."""
    if hashlib.sha256(data).hexdigest() != {**FOR_NOTEBOOKS, **CHECKSUMS}[name]:
        raise NoFiles(
            f"{name} from {source} is not the one of Pyodide {VERSION}: its checksum differs"
        )
    return data


def integrity(data: bytes) -> dict[str, object]:
    """How large a file is, and the checksum with which a browser takes it."""
    digest = base64.b64encode(hashlib.sha256(data).digest()).decode("ascii")
    return {"size": len(data), "integrity": f"sha256-{digest}"}


def pyodide_files(
    environment: Mapping[str, str] = os.environ,
    address: str = ADDRESS,
    names: Iterable[str] = CHECKSUMS,
) -> dict[str, bytes]:
    """Name -> bytes of each of these files, each checked. Raises ``NoFiles`` where one
    cannot be had; an empty ``$PYODIDE`` says that none is wanted."""
    named = environment.get("PYODIDE")
    if named == "":
        raise NoFiles("PYODIDE is empty")
    if named is not None:
        return {name: _of_folder(name, Path(named)) for name in names}
    return {name: _kept(name) or _downloaded(name, address) for name in names}


def _of_folder(name: str, folder: Path) -> bytes:
    try:
        return checked(name, (folder / name).read_bytes(), str(folder))
    except OSError as error:
        raise NoFiles(f"PYODIDE={folder} has no {name} that can be read ({error})") from None


def _kept(name: str) -> bytes | None:
    with suppress(OSError, NoFiles):  # a damaged one is downloaded anew
        return checked(name, (cache() / name).read_bytes(), "the cache")
    return None


def _downloaded(name: str, address: str) -> bytes:
    try:
        with urlopen(f"{address}/{name}", timeout=PATIENCE) as answer:
            data = checked(name, answer.read(), address)
    except OSError as error:
        raise NoFiles(
            f"{name} cannot be downloaded from {address} ({error}): get the files of Pyodide "
            f"{VERSION} and name their folder, PYODIDE=folder"
        ) from None
    keep(name, data)
    return data


def keep(name: str, data: bytes) -> None:
    """Put a file into the cache; one that cannot be written is none."""
    with suppress(OSError):
        cache().mkdir(parents=True, exist_ok=True)
        with replacing(cache() / name) as part:
            part.write_bytes(data)


def lock_text(packages: Mapping[str, Mapping[str, Any]] | None = None) -> str:
    """What Pyodide reads instead of the whole release's lock: the packages that are here, by
    default numpy alone."""
    info = {
        "arch": "wasm32",
        "platform": "emscripten_3_1_58",
        "version": VERSION,
        "python": PYTHON,
        "abi_version": "2024_0",
    }
    return json.dumps({"info": info, "packages": packages or {"numpy": PACKAGES["numpy"]}})
