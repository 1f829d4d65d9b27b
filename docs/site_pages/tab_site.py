"""The page ``try/``: the laboratory in a tab. Its own files, Python for a browser, the package.

All of it lies on the site: nothing is asked of another host when the page is opened. Where no files
of Pyodide can be had, the site is built without it.
"""

from __future__ import annotations

import gzip
import io
import json
import zipfile
from functools import cache
from pathlib import Path
from typing import Any

import wordorder_lab as wl
from site_pages.page import PACKAGE, ROOT, Page, front
from site_pages.pyodide_files import VERSION, NoFiles, integrity, lock_text, pyodide_files
from wordorder_lab.structures.typed_bag import type_bag
from wordorder_lab.widgets.module import module_text, style_text
from wordorder_lab.widgets.page import contents
from wordorder_lab.widgets.scripts import brief

SOURCES = Path(__file__).parent / "tab"
ANSWERS = Path(__file__).with_name("tab_answers.py")
MODELS = ROOT / "build" / "tab_models"
"""Where trained models are kept from one build to the next."""
LEFT_OUT = ("check/", "commands/", "experiments/", "cli.py")
"""Parts of the package that the page never imports; so are all ``_fast`` modules."""
EPOCH = (2020, 1, 1, 0, 0, 0)
SENTENCES = 200
"""Sentences of the Gazette from which models of the page are learned."""
FIRST = "the old a gave man her book to"
"""The bag that the page shows when it is opened, with its search."""
BEAM = {"name": "beam", "values": [1, 2, 4, 8, 16, 32, 64], "usual": 16}
EXPANSIONS = {"name": "expansions", "values": [10, 25, 50, 100, 200, 500], "usual": 50}
SYSTEMS: dict[str, dict[str, Any]] = {
    "everyday": {"title": "transition-based, everyday words (liu-2015)", "setting": BEAM},
    "ngram-beam": {"title": "n-grams alone (ngram-beam)", "setting": BEAM},
    "zhang-clark-2015-dependency": {
        "title": "best-first, dependency trees (zhang-clark-2015-dependency)",
        "setting": EXPANSIONS,
    },
    "zhang-clark-2015-ccg": {
        "title": "best-first, CCG (zhang-clark-2015-ccg)",
        "setting": EXPANSIONS,
    },
}
EPOCHS: dict[str, Any] = {
    "ngram-beam": {},
    "zhang-clark-2015-dependency": {"epochs": 4},
    "zhang-clark-2015-ccg": {"epochs": 4},
}
"""How the models are trained that do not come with the package."""


@cache
def written() -> dict[str, bytes]:
    """Place on the site -> what stands there; nothing where Python for a browser is not to be had,
    which is said."""
    try:
        found = pyodide_files()
    except NoFiles as error:
        print(f"the site is built without the page try/: {error}")
        return {}
    served = {f"pyodide/{name}": data for name, data in found.items()}
    wasm = served.pop("pyodide/pyodide.asm.wasm")
    served["pyodide/pyodide.asm.wasm.packed"] = gzip.compress(wasm, 9, mtime=0)
    served["pyodide/pyodide-lock.json"] = lock_text().encode()
    served["wordorder_lab.zip"] = package()
    served |= {f"models/{name}.wol": trained(name).read_bytes() for name in EPOCHS}
    own = {path.name: path.read_bytes() for path in sorted(SOURCES.iterdir()) if path.is_file()}
    own |= {
        "player.js": brief(module_text()).encode(),
        "player.css": style_text().encode(),
        "start.json": json.dumps(start()).encode(),
        "files.json": json.dumps({name: integrity(data) for name, data in served.items()}).encode(),
    }
    return {f"try/{name}": data for name, data in {**own, **served}.items()}


def package() -> bytes:
    """The package's own files, and the script that answers the page, as a zip archive."""
    package, packed = ROOT / PACKAGE, io.BytesIO()
    files = {ANSWERS.name: ANSWERS}
    for path in sorted(package.rglob("*.*")):
        name = path.relative_to(package).as_posix()
        unused = name.startswith(LEFT_OUT) or path.stem.endswith("_fast")
        if path.is_file() and path.parent.name != "__pycache__" and not unused:
            files[f"{PACKAGE}/{name}"] = path
    with zipfile.ZipFile(packed, "w") as archive:
        for name, path in files.items():
            archive.writestr(
                zipfile.ZipInfo(name, EPOCH), path.read_bytes(), zipfile.ZIP_DEFLATED, 9
            )
    return packed.getvalue()


def trained(name: str) -> Path:
    """The file of a model of the Gazette, trained unless that was done before."""
    path = MODELS / f"{name}-{wl.__version__}-{SENTENCES}.wol"
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        sentences = wl.load_corpus("gazette").train[:SENTENCES]
        wl.train(name, sentences, progress=False, **EPOCHS[name]).save(path)
    return path


def start() -> dict[str, Any]:
    """What the page shows before Python is there: the choices, and a recorded search."""
    log, beam = wl.EventLog(), BEAM["usual"]
    result = wl.load_model("everyday").order(FIRST, beam=beam, trace=log, engine="reference")
    gazette = wl.load_corpus("gazette").dev
    short = [one for one in gazette if 6 <= len(one) <= 9][:12]
    return {
        "systems": SYSTEMS,
        "examples": [type_bag(wl.bag_of(one, pos=0, deps=0)) for one in short],
        "first": {
            "bag": FIRST,
            "search": {"beam": beam},
            "text": result.text,
            "player": contents(log),
        },
    }


def pages() -> list[Page]:
    """The page that leads there, or how to build it."""
    text = f"{front('Try it')}# Try it: the laboratory in a tab\n\n"
    if files := written():
        size = sum(len(data) for data in files.values()) / 1e6
        text += "[Open the laboratory](try/index.html): type words, and watch a search put them "
        text += "in order. Nothing is installed: Python runs in your browser, and nothing that you "
        text += f"type leaves it. The first visit loads at most {size:.0f} MB, the next nothing.\n"
    else:
        text += "This copy of the site was built without it. It needs the files of "
        text += f"[Pyodide](https://pyodide.org) {VERSION}:\n\n    make site PYODIDE=folder\n"
    return [Page("try.md", text)]
