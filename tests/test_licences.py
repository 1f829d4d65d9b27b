"""What the lock pins is written down twice, and both are what it and the installed files say.

``docs/licences.md`` has the licence of every library, ``locked.txt`` of the doctor the versions.
``python tests/test_licences.py`` writes both anew.
"""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path
from typing import Any, NamedTuple

import yaml

import wordorder_lab
from wordorder_lab.commands.doctor.run import LOCKED
from wordorder_lab.runtime.atomic import replacing

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "docs"))

from site_pages.pyodide_files import NOT_LOADED, PACKAGES, PYTHON, VERSION  # noqa: E402

LICENCES = ROOT / "docs" / "licences.md"
PAGES = ROOT / "docs" / "site_pages"
PINNED = re.compile(r"([\w.-]+)==([^\s;]+)(?: ; (.*?))? \\$")
SECTIONS = {
    "run": "What every command needs",
    "lab": "What notebooks need beside that",
    "test": "What the tests and work on a cluster need beside that",
    "site": "What `make site` needs beside that",
}
IN_A_TAB = "What the site passes on for Python in a tab"
SHORT = 60
"""A longer field has the text of the licence, not its name."""
SAID = {
    "BSD 2-Clause": "BSD-2-Clause",
    "BSD 3-Clause": "BSD-3-Clause",
    "The MIT License (MIT)": "MIT",
}
"""How the text of a licence begins that stands in the place of its name."""
ELSEWHERE = "as its own page says: it is not installed where this list is made"
AGAIN = "run  python tests/test_licences.py  where all of the lock is installed"


class Pin(NamedTuple):
    name: str
    version: str
    only: str
    section: str


def pins() -> Iterator[Pin]:
    section = ""
    for line in (ROOT / "requirements.lock").read_text(encoding="utf-8").splitlines():
        if line.startswith("# --- "):
            section = line.split()[2].rstrip(":")
        elif found := PINNED.match(line):
            yield Pin(found[1], found[2], (found[3] or "").strip(), section)


def licence(name: str) -> str | None:
    """What a library's own metadata calls its licence; ``None`` if it is not installed."""
    try:
        said: Any = metadata.metadata(name)
    except metadata.PackageNotFoundError:
        return None
    if expression := said.get("License-Expression"):
        return str(expression)
    field = str(said.get("License") or "").strip()
    if field and field != "UNKNOWN" and len(field) <= SHORT and "\n" not in field:
        return field
    for begin, short in SAID.items():
        if field.startswith(begin):
            return short
    classifiers = [str(c) for c in said.get_all("Classifier") or [] if c.startswith("License")]
    return "; ".join(c.rpartition(" :: ")[2] for c in classifiers) or "not stated"


def row(pin: Pin) -> str:
    where = f" `{pin.only}` |" if pin.only else ""
    return f"| {pin.name} | {pin.version} | {licence(pin.name) or ELSEWHERE} |{where}"


def in_a_tab() -> list[str]:
    """A row for each part of what a browser is given: the release's packages, JupyterLite's wheels.

    Raises ``KeyError`` for one whose licence nobody has written down.
    """
    said = dict(
        line.split(": ", 1)
        for line in (PAGES / "tab_licences.txt").read_text(encoding="utf-8").splitlines()
        if not line.startswith("#")
    )
    wheels = (PAGES / "lite_wheels.txt").read_text(encoding="utf-8")
    versions = {"pyodide": VERSION, "CPython": PYTHON}
    versions |= {
        name: str(one["version"]) for name, one in PACKAGES.items() if name not in NOT_LOADED
    }
    versions |= dict(re.findall(r"^([\w-]+)==(\S+)", wheels, re.MULTILINE))
    every = sorted(versions.items(), key=lambda one: one[0].lower())
    return [f"| {name} | {version} | {said[name]} |" for name, version in every]


def page() -> str:
    """The page on licences; a library that is not installed here is named without one."""
    told = [
        "# Licences of what we use",
        "",
        "wordorder_lab itself is under the MIT licence (`LICENSE`). These libraries are "
        "installed beside it, in the versions of `requirements.lock`; each licence is what the "
        "library's own metadata calls it. Data have licences of their own: [data.md](data.md).",
        "",
        "`python tests/test_licences.py` writes this page.",
    ]
    for section, heading in SECTIONS.items():
        told += ["", f"## {heading}", "", "| library | version | licence |", "| --- | --- | --- |"]
        told += [row(pin) for pin in pins() if pin.section == section and not pin.only]
    told += ["", "## What only some systems need", ""]
    told += ["| library | version | licence | where |", "| --- | --- | --- | --- |"]
    told += [row(pin) for pin in pins() if pin.only]
    told += ["", f"## {IN_A_TAB}", ""]
    told += [
        "JupyterLab, as `jupyterlite-core` has it, names its own parts in "
        "`lite/build/third-party-licenses.json`.",
        "",
    ]
    told += ["| part | version | licence |", "| --- | --- | --- |", *in_a_tab()]
    return "\n".join(told) + "\n"


def versions() -> str:
    """The lock as the doctor reads it: without what builds us, which no command needs."""
    told = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    ours, build = (
        {re.split(r"[<>=~!\[; ]", one)[0] for one in wanted}
        for wanted in (told["project"]["dependencies"], told["build-system"]["requires"])
    )
    rows = [
        f"{pin.name} {pin.version} {pin.section}{' direct' if pin.name in ours else ''}"
        for pin in pins()
        if not pin.only and pin.name not in build
    ]
    return "\n".join(rows) + "\n"


def test_the_doctor_knows_the_lock() -> None:
    assert LOCKED.read_text(encoding="utf-8") == versions(), AGAIN


def test_the_page_on_licences_has_every_library() -> None:
    text, _, passed_on = LICENCES.read_text(encoding="utf-8").partition(f"\n## {IN_A_TAB}\n")
    assert [line for line in passed_on.splitlines() if line.startswith("| ")][2:] == in_a_tab()
    rows = [line.strip("| ").split(" | ") for line in text.splitlines() if line.startswith("| ")]
    listed = [(name, version) for name, version, *_ in rows if name not in ("library", "---")]
    every = [pin for pin in pins() if not pin.only] + [pin for pin in pins() if pin.only]
    assert listed == [(pin.name, pin.version) for pin in every], AGAIN


def test_licences_are_those_of_the_installed_libraries() -> None:
    text = LICENCES.read_text(encoding="utf-8").splitlines()
    here = [pin for pin in pins() if _is_here(pin)]
    assert {"numpy", "numba", "nltk"} <= {pin.name for pin in here}
    assert not [row(pin) for pin in here if row(pin) not in text], AGAIN
    assert "not stated" not in " ".join(text), "a library without a licence: may we use it?"


def _is_here(pin: Pin) -> bool:
    try:
        return metadata.version(pin.name) == pin.version
    except metadata.PackageNotFoundError:
        return False


if __name__ == "__main__":
    for path, text in ((LICENCES, page()), (LOCKED, versions())):
        with replacing(path) as part:
            part.write_text(text, encoding="utf-8")
        print(f"wrote {path.relative_to(ROOT)}")


REFERENCES = {
    ("Liu", 2015): "Transition-Based Syntactic Linearization",
    ("Zhang", 2015): "Discriminative Syntax-Based Word Ordering for Text Generation",
    ("Cohn", 2009): "Sentence Compression as Tree Transduction",
    ("Zhang", 2011): "Syntax-Based Grammaticality Improvement using CCG and Guided Search",
}


def citation() -> dict[str, Any]:
    loaded: dict[str, Any] = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    return loaded


def test_the_citation_has_what_the_format_needs() -> None:
    """Citation File Format 1.2.0: these four keys, and a type that is one of two."""
    told = citation()
    assert told["cff-version"] == "1.2.0" and told["type"] == "software"
    assert all(told[key] for key in ("message", "title", "authors"))


def test_the_citation_says_what_the_package_says() -> None:
    told = citation()
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert str(told["version"]) == wordorder_lab.__version__
    assert told["license"] == project["license"]
    assert told["authors"] == project["authors"] and told["keywords"] == project["keywords"]
    assert told["title"].startswith("wordorder_lab")


def test_the_four_papers_can_be_cited_too() -> None:
    told = {
        (one["authors"][0]["family-names"], one["year"]): one["title"]
        for one in citation()["references"]
    }
    assert told == REFERENCES
