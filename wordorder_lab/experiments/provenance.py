"""Where a record comes from: its data, its code, versions and the machine.

The entries of an experiment are the files of its systems, that of its measure, and the templates
that its runs name. What these reach (``code_files``) decides what comes out.
"""

from __future__ import annotations

import hashlib
import os
import platform
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import Any

from wordorder_lab.corpora import TEXTS, load_texts
from wordorder_lab.experiments import records
from wordorder_lab.experiments.code_files import checksum_of, code_here, commit_here
from wordorder_lab.experiments.measures.measure import Specification
from wordorder_lab.experiments.own_code import own_code
from wordorder_lab.experiments.runs.parser_run import TREES, treebank_digest_lines
from wordorder_lab.experiments.runs.reached_code import EVERYTHING, PACKAGE, files_here
from wordorder_lab.experiments.runs.realizer_run import lemma_digest_lines
from wordorder_lab.experiments.runs.training import (
    FLOORS,
    LEARNED_ON,
    LEMMAS,
    PAIRS,
    UNTRAINED,
    corpus_of,
    pairs_of,
    settings_of,
)
from wordorder_lab.structures.templates import is_own_file
from wordorder_lab.systems.names import FILES, ORDERED_BY, OURS, TRAINING

LIBRARIES = ("wordorder-lab", "numpy", "numba", "scipy", "nltk", "sacrebleu", "joblib")
PROSE = "docstrings and comments"
"""What a checksum leaves out; a record says so."""


def provenance(specification: Specification) -> dict[str, Any]:
    """What a record says about where it comes from; raises ``CorpusError`` without the data."""
    made = made_from(corpora_of(specification), code_of(records.PACKAGE, specification))
    return {"specification": specification.checksum, **made}


def made_from(
    corpora: Sequence[tuple[str, str]], code: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """Corpora (name and units), code, versions and machine that a result comes from.

    Without ``code`` it is the whole package, and not what one experiment reaches. Raises
    ``CorpusError`` without the data.
    """
    return {
        "data": {f"{name}, {units}": data_checksum(name, units) for name, units in corpora},
        "code": code_version() if code is None else dict(code),
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


def load() -> float | None:
    """How many processes wanted the machine in the last minute; ``None`` where it does not say."""
    return round(os.getloadavg()[0], 2) if hasattr(os, "getloadavg") else None


def _processor() -> str:
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        for line in cpuinfo.read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or "unknown"


@cache
def data_checksum(name: str, units: str) -> str:
    """A checksum over all sentences of a corpus with these units, over its pairs or its trees.

    Of real text it is over the words: its trees come from a parser, which is code.
    """
    digest = hashlib.sha256()
    if units in (TREES, LEMMAS):
        lines = treebank_digest_lines if units == TREES else lemma_digest_lines
        for line in lines(name):
            digest.update(line)
        return digest.hexdigest()
    if units == PAIRS and name in TEXTS:
        texts = load_texts(name)
        for split in texts.splits:
            for one in texts.split(split):
                digest.update(f"{split} {one.name} {one.source} {one.targets}\n".encode())
        return digest.hexdigest()
    if units == PAIRS:
        pairs = pairs_of(name)
        for split in pairs.splits:
            for pair in pairs.split(split):
                trees = [tree.pformat(margin=10**9) for tree in (pair.source, *pair.targets)]
                digest.update(f"{split} {pair.kind} {trees} {pair.alignment}\n".encode())
        return digest.hexdigest()
    corpus = corpus_of(name, units)
    for split in corpus.splits:
        for sentence in corpus.split(split):
            digest.update(f"{split} {sentence.tokens!r}\n".encode())
    return digest.hexdigest()


@cache
def code_version() -> dict[str, str | None]:
    """The commit, with ``-dirty`` if files have changed since, and a checksum of all code."""
    return {
        "commit": commit_here(records.PACKAGE),
        "checksum": checksum_of(files_here(records.PACKAGE, EVERYTHING)),
    }


def corpora_of(specification: Specification) -> list[tuple[str, str]]:
    """Name and units of every corpus that an experiment uses."""
    used = {
        (corpus, run["units"])
        for run in specification.runs
        for corpus in (run["corpus"], run.get(LEARNED_ON, run["corpus"]))
    }
    return sorted(used)


# --- the code of an experiment --------------------------------------------------------------------


def code_of(package: Path, specification: Specification) -> dict[str, Any]:
    """Of a record: the commit, the entries, how many files they reach, and a checksum of these."""
    entries = entries_of(package, specification)
    files = code_here(package, {"entries": entries})
    return {
        "commit": commit_here(package),
        "entries": list(entries),
        "without": PROSE,
        "files": len(files),
        "checksum": checksum_of(files),
        **({"outside": outside} if (outside := own_code(specification)) else {}),
    }


def entries_of(package: Path, specification: Specification) -> tuple[str, ...]:
    """The files from which everything that an experiment runs can be reached, and its templates."""
    measure = type(specification.measure).__module__
    is_ours = measure.startswith(f"{PACKAGE.name}.")
    entries = {_file_of(measure) if is_ours else "experiments/measures/measure.py"}
    for run in specification.runs:
        system = run["system"]
        if system in (*FLOORS, *UNTRAINED):
            continue
        if system not in OURS:
            entries.add("systems/own_model.py")
            continue
        names = {FILES[system][0], TRAINING.get(system, FILES[system][0])}
        entries |= {f"systems/{name}.py" for name in names}
        entries |= set(_templates(package, _template_name(run)))
    return tuple(sorted(entries))


def _template_name(run: Mapping[str, Any]) -> str:
    """The templates of a run; of what orders words for another system, those that it chooses."""
    settings = settings_of(run)
    if run["system"] in ORDERED_BY:
        return str(settings.ordering()["templates"])
    return str(getattr(settings, "templates", ""))


def _templates(package: Path, name: str) -> Iterator[str]:
    """Where templates of this name lie; each slice has a folder of its own."""
    if name and not is_own_file(name):  # one's own: see own_code
        for path in sorted(package.glob(f"*/tables/**/{name}.txt")):
            yield path.relative_to(package).as_posix()


def _file_of(module: str) -> str:
    return "/".join(module.split(".")[1:]) + ".py"
