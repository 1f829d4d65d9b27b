"""Records: what came out of an experiment, and what it came from.

A record is a JSON file in ``records/``: rows, seconds, the command that made it, versions, the
machine, and checksums of specification, data and code, so that ``check`` can tell whether they
belong together.
"""

from __future__ import annotations

import hashlib
import json
import os
import platform
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import Any

from wordorder_lab.corpora import CorpusError, load_corpus
from wordorder_lab.corpora.corpus import Corpus
from wordorder_lab.experiments.specification import Specification
from wordorder_lab.structures.atomic import replacing

FOLDER = Path(__file__).parent / "records"
PACKAGE = Path(__file__).parents[1]
RESULTS_COME_FROM = (
    *("structures", "corpora", "tasks", "grammars", "features", "models"),
    *("decoders", "learners", "metrics", "systems"),
)
"""The folders whose code and templates decide what an experiment gives."""
LIBRARIES = ("wordorder-lab", "numpy", "numba", "scipy", "nltk", "sacrebleu", "joblib")


class RecordError(ValueError):
    """A file is no record of an experiment, or it is damaged."""


def write_json(path: str | os.PathLike[str], data: Any) -> None:
    """Write JSON atomically. Raises ``OSError`` where the folder cannot be written."""
    text = json.dumps(data, ensure_ascii=False, indent=1) + "\n"
    with replacing(path) as part:
        part.write_text(text, encoding="utf-8")


def read_record(path: Path) -> dict[str, Any]:
    """A record. Raises ``RecordError`` for a damaged or foreign file, ``OSError`` for none."""
    try:
        record = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise RecordError(f"{path} is damaged ({error}): run the experiment again") from None
    if not isinstance(record, dict) or not {"name", "rows", "specification"} <= record.keys():
        raise RecordError(f"{path} is not a record of an experiment")
    return record


def record_file(name: str) -> Path:
    """Where the record of an experiment is kept."""
    return FOLDER / f"{name.replace('-', '_')}.json"


def provenance(specification: Specification) -> dict[str, Any]:
    """What a record says about where it comes from; raises ``CorpusError`` without the data."""
    return {"specification": specification.checksum, **made_from(_corpora(specification))}


def made_from(corpora: Sequence[tuple[str, str]]) -> dict[str, Any]:
    """Corpora (name and units), code, versions and machine that a result comes from.

    Raises ``CorpusError`` without the data.
    """
    return {
        "data": {f"{name}, {units}": data_checksum(name, units) for name, units in corpora},
        "code": code_version(),
        "versions": versions(),
        "machine": machine(),
    }


def versions() -> dict[str, str]:
    """Versions of Python, of ourselves and of the libraries that results may depend on."""
    found = {"python": platform.python_version()}
    for library in LIBRARIES:
        try:
            found[library] = metadata.version(library)
        except metadata.PackageNotFoundError:
            found[library] = "not installed"
    return found


def machine() -> dict[str, Any]:
    """What times were measured on."""
    return {
        "platform": platform.platform(),
        "processor": _processor(),
        "cpu_count": os.cpu_count(),
    }


def _processor() -> str:
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        for line in cpuinfo.read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or "unknown"


@cache
def data_checksum(name: str, units: str) -> str:
    """A checksum over all sentences of a corpus with these units."""
    corpus = corpus_of(name, units)
    digest = hashlib.sha256()
    for split in corpus.splits:
        for sentence in corpus.split(split):
            digest.update(f"{split} {sentence.tokens!r}\n".encode())
    return digest.hexdigest()


@cache
def corpus_of(name: str, units: str | None) -> Corpus:
    """A corpus that is read once in a process; raises as ``load_corpus``."""
    return load_corpus(name, units=units)


@cache
def code_version() -> dict[str, str | None]:
    """The commit, with ``-dirty`` if files have changed since, and a checksum of the code."""
    digest = hashlib.sha256()
    for folder in RESULTS_COME_FROM:
        for path in sorted((PACKAGE / folder).rglob("*")):
            if path.suffix in (".py", ".txt"):
                digest.update(f"{path.relative_to(PACKAGE).as_posix()}\n".encode())
                digest.update(path.read_bytes())
    return {"commit": _commit(), "checksum": digest.hexdigest()}


def _commit() -> str | None:
    root = PACKAGE.parent
    if not (root / ".git").exists() or not shutil.which("git"):
        return None
    command = ["git", "describe", "--always", "--dirty", "--abbrev=12"]
    run = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
    return run.stdout.strip() or None


def _corpora(specification: Specification) -> list[tuple[str, str]]:
    return sorted({(run["corpus"], run["units"]) for run in specification.runs})


def check(record: Mapping[str, Any], specification: Specification) -> tuple[list[str], list[str]]:
    """What is wrong with a record, and what else is worth knowing about it.

    Wrong is a record of another specification or of other data, and one that is not the full
    experiment. Other code is a note: it need not change what comes out.
    """
    wrong, notes = [], []
    if record["specification"] != specification.checksum:
        wrong.append("the specification has changed since: run the experiment again")
    if not record.get("full"):
        wrong.append("this was not the full experiment")
    for name, units in _corpora(specification):
        try:
            now = data_checksum(name, units)
        except CorpusError as error:
            notes.append(f"the data cannot be checked: {error}")
            continue
        if record.get("data", {}).get(f"{name}, {units}") != now:
            wrong.append(f"{name} ({units}) holds other sentences than it did")
    made, here = record.get("code", {}), code_version()
    if made.get("checksum") != here["checksum"]:
        notes.append(f"made by other code: {made.get('commit')}, here {here['commit']}")
    return wrong, notes


def records() -> Sequence[Path]:
    """The records that there are."""
    return sorted(FOLDER.glob("*.json"))
