"""``make pages``: runs the notebooks and writes them as pages that play offline: ``build/pages``.

A page is kept as long as its notebook and the package are the same. What was
trained and searched for on the way lies in ``build/models``; what none of the pages needs any more
is removed from there. ``python -m site_pages.notebook_pages`` says what each took.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import jupytext
import nbformat
from nbconvert import HTMLExporter
from traitlets.config import Config

from site_pages.page import ROOT
from wordorder_lab.runtime.user_cache import code_checksum

PAGES, MODELS = ROOT / "build" / "pages", ROOT / "build" / "models"
NOTEBOOKS = ROOT / "notebooks"
KEPT = ".kept.json"
"""In the folder of the pages: notebook -> what its page comes from, and the files that it used."""
CONFIG, GLOSSARY = "pages.json", "glossary.md"
LINK = re.compile(r'(href="[a-z0-9_]+)\.(?:ipynb|md)')


def source_of(notebook: Path, package: str) -> str:
    """A checksum of all that a page comes from."""
    return hashlib.sha256(notebook.read_bytes() + package.encode()).hexdigest()


def of_package() -> str:
    """A checksum of what every page comes from: the package, its corpora, what is installed."""
    whole = hashlib.sha256(code_checksum("").encode())
    others = [*sorted((ROOT / "data" / "gazette").iterdir()), ROOT / "requirements.lock"]
    for path in [*others, NOTEBOOKS / CONFIG]:
        whole.update(path.read_bytes())
    return whole.hexdigest()


def exporter(*, runs: bool) -> Any:
    """Makes a page of a notebook that asks no host, and runs it before; its players play."""
    config = Config(json.loads((NOTEBOOKS / CONFIG).read_text(encoding="utf-8")))
    config.ExecutePreprocessor.enabled = runs
    config.ExecutePreprocessor.timeout = None
    return HTMLExporter(config=config)


def page_of(notebook: Any, stem: str, exported: Any) -> str:
    """The page of a notebook, run where its pictures are; links lead to pages."""
    resources = {"metadata": {"name": stem, "path": str(PAGES)}}
    html, _ = exported.from_notebook_node(notebook, resources)
    return LINK.sub(r"\1.html", html)


def made(every: Sequence[Path], package: str) -> dict[str, Any]:
    """Make the pages of these notebooks that have to be made; raises what a cell raises."""
    kept: dict[str, Any] = {}
    if (PAGES / KEPT).exists():
        kept = json.loads((PAGES / KEPT).read_text(encoding="utf-8"))
    exported = exporter(runs=True)
    for path in every:
        page, source = PAGES / f"{path.stem}.html", source_of(path, package)
        if page.exists() and kept.get(path.stem, {}).get("source") == source:
            continue
        begin, before = time.time(), _spent()
        page.write_text(page_of(nbformat.read(path, 4), path.stem, exported), encoding="utf-8")
        used = [file.name for file in MODELS.iterdir() if file.stat().st_mtime >= begin]
        kept[path.stem] = {"source": source, "used": sorted(used)}
        (PAGES / KEPT).write_text(json.dumps(kept), encoding="utf-8")
        print(f"{path.stem}: {_spent() - before:.0f} s of a processor", flush=True)
    return {path.stem: kept[path.stem] for path in every}


def main() -> int:
    """Make what has to be made, and remove what no page needs."""
    for folder in (PAGES, MODELS):
        folder.mkdir(parents=True, exist_ok=True)
    os.environ["WORDORDER_LAB_MODELS"] = str(MODELS)
    for path in NOTEBOOKS.iterdir():
        if path.is_dir():
            shutil.copytree(path, PAGES / path.name, dirs_exist_ok=True)
    glossary = page_of(jupytext.read(NOTEBOOKS / GLOSSARY), "glossary", exporter(runs=False))
    (PAGES / "glossary.html").write_text(glossary, encoding="utf-8")
    pages = made(sorted(NOTEBOOKS.glob("[0-9]*.ipynb")), of_package())
    wanted = {name for page in pages.values() for name in page["used"]}
    for file in MODELS.iterdir():
        if file.name not in wanted:
            file.unlink()
    return 0


def _spent() -> float:
    """Seconds of a processor of this process and of kernels that have ended."""
    return sum(os.times()[:4])


if __name__ == "__main__":
    sys.exit(main())
