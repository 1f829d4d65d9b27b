"""Where a record comes from: its data, its code, versions and the machine.

The entries of an experiment are the files of its systems, that of its measure, and the templates
that its runs name. What these reach (``runs.code_files``) decides what comes out. No commit of ours
has what other packages bring, or one's own template files: a record says whose they are and what
their files were, and they are held against what is here.
"""

from __future__ import annotations

import hashlib
import os
import platform
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from wordorder_lab.corpora import TEXTS, load_texts
from wordorder_lab.corpora.treebanks import load_treebank
from wordorder_lab.experiments.measures.measure import Specification, all_measures, file_of
from wordorder_lab.experiments.runs import code_files
from wordorder_lab.experiments.runs.code_files import checksum_of, code_in, commit_here, files_here
from wordorder_lab.experiments.runs.corpora import corpus_of, lemma_corpus
from wordorder_lab.experiments.runs.schema import Row, Table
from wordorder_lab.experiments.runs.settings import (
    FLOORS,
    LEMMAS,
    PAIRS,
    TREES,
    UNTRAINED,
    learned_on,
    settings_of,
)
from wordorder_lab.runtime.entry_points import MEASURES, SYSTEMS, brought, entry_point, package_of
from wordorder_lab.structures.derivation import Derivation
from wordorder_lab.structures.templates import is_own_file
from wordorder_lab.systems.registry import ROWS, find

LIBRARIES = ("wordorder-lab", "numpy", "numba", "scipy", "nltk", "sacrebleu", "joblib")
PROSE = "docstrings and comments"
"""What a checksum leaves out; a record says so."""
DERIVATIONS = "derivations"
"""What a record calls those of a corpus that its systems learned from: our rules make those of a
treebank, so they may change where the sentences do not."""


def provenance(specification: Specification) -> Row:
    """What a record says about where it comes from; raises ``CorpusError`` without the data."""
    made = made_from(corpora_of(specification), code_of(code_files.PACKAGE, specification))
    for name, units in derivations_of(specification):
        made["data"][f"{name}, {units}, {DERIVATIONS}"] = derivations_checksum(name, units)
    return {"specification": specification.checksum, **made}


def made_from(corpora: Sequence[tuple[str, str]], code: Table | None = None) -> Row:
    """Corpora (name and units), code, versions and machine that a result comes from. Without
    ``code`` it is the whole package, and not what one experiment reaches. Raises ``CorpusError``
    without the data."""
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


def machine() -> Row:
    """What times were measured on."""
    processor = platform.processor() or "unknown"
    with suppress(OSError):
        text = Path("/proc/cpuinfo").read_text()
        named = re.search(r"^model name[^:]*:(.*)$", text, re.MULTILINE)
        processor = named[1].strip() if named else processor
    return {"platform": platform.platform(), "processor": processor, "cpu_count": os.cpu_count()}


def load() -> float | None:
    """How many processes wanted the machine in the last minute; ``None`` where it does not say."""
    return round(os.getloadavg()[0], 2) if hasattr(os, "getloadavg") else None


ONE_LINE = 10**9
"""Columns: no tree is as wide."""


@cache
def data_checksum(name: str, units: str) -> str:
    """A checksum over all sentences of a corpus with these units, over its pairs or its trees."""
    digest = hashlib.sha256()
    for line in corpus_lines(name, units):
        digest.update(line)
    return digest.hexdigest()


def corpus_lines(name: str, units: str) -> Iterator[bytes]:
    """All examples of a corpus with these units, a line each; raises ``CorpusError`` for none. Of
    real text it is the words: its trees come from a parser, which is code."""
    line: Callable[[Any], str]
    corpus: Any
    if units == TREES:
        corpus, line = load_treebank(name), lambda one: f"{one.name} {one.tree.pformat(ONE_LINE)}"
    elif units == LEMMAS:
        corpus, line = lemma_corpus(name), lambda one: f"{one.name} {one.nodes!r} {one.reference!r}"
    elif units == PAIRS and name in TEXTS:
        corpus, line = load_texts(name), lambda one: f"{one.name} {one.source} {one.targets}"
    elif units == PAIRS:
        # Here, and not above: it brings nltk, for which a program that orders words need not wait.
        from wordorder_lab.experiments.runs.compression_pairs import pairs_of, trees_of

        corpus, line = pairs_of(name), lambda one: f"{one.kind} {trees_of(one)} {one.alignment}"
    else:
        corpus, line = corpus_of(name, units), lambda one: repr(one.tokens)
    for split in corpus.splits:
        for one in corpus.split(split):
            yield f"{split} {line(one)}\n".encode()


@cache
def derivations_checksum(name: str, units: str) -> str:
    """A checksum over the CCG derivations of all sentences of a corpus, those without one, too."""
    corpus, digest = corpus_of(name, units), hashlib.sha256()
    for split in corpus.splits:
        for one in corpus.split(split):
            digest.update(f"{one.derivation and _in_a_line(one.derivation)}\n".encode())
    return digest.hexdigest()


def _in_a_line(node: Derivation) -> str:
    """All that is learned from; a leaf may be a noun phrase of several words."""
    below = " ".join(map(_in_a_line, node.children))
    return f"({node.category} {node.head} {node.word!r} {node.pos} {below})"


@cache
def code_version() -> dict[str, str | None]:
    """The commit, with ``-dirty`` if files have changed since, and a checksum of all code."""
    checksum = checksum_of(files_here(code_files.PACKAGE))
    return {"commit": commit_here(code_files.PACKAGE), "checksum": checksum}


def corpora_of(specification: Specification) -> list[tuple[str, str]]:
    """Name and units of every corpus that an experiment uses."""
    used = {
        (corpus, run["units"])
        for run in specification.runs
        for corpus in (run["corpus"], learned_on(run))
    }
    return sorted(used)


def derivations_of(specification: Specification) -> list[tuple[str, str]]:
    """Those of ``corpora_of`` whose derivations a system learns from."""
    known = (run for run in specification.runs if run["system"] in ROWS)
    learned = (run for run in known if find(run["system"]).needs_derivations)
    return sorted({(run["corpus"], run["units"]) for run in learned})


def code_of(package: Path, specification: Specification) -> Row:
    """Of a record: the commit, the entries, how many files they reach, and a checksum of these."""
    entries = entries_of(package, specification)
    files = code_in(files_here(package), package, entries)
    outside = own_code(specification)
    return {
        "commit": commit_here(package),
        "entries": list(entries),
        "without": PROSE,
        "files": len(files),
        "checksum": checksum_of(files),
        **({"outside": outside} if outside else {}),
    }


def entries_of(package: Path, specification: Specification) -> tuple[str, ...]:
    """The files from which everything that an experiment runs can be reached, and its templates."""
    entries = {f"experiments/measures/{file_of(specification.measure)}.py"}
    for run in specification.runs:
        system = run["system"]
        if system in (*FLOORS, *UNTRAINED):
            continue
        if system not in ROWS:
            entries.add("systems/own_model.py")
            continue
        entries.add(f"systems/{ROWS[system][1]}.py")
        settings = settings_of(run)
        name = getattr(settings, "templates", "")
        if hasattr(settings, "ordering"):  # it orders words for another system
            name = settings.ordering()["templates"]
        if name and not is_own_file(name):  # one's own: see own_code; each slice has its folder
            found = package.glob(f"*/tables/**/{name}.txt")
            entries |= {path.relative_to(package).as_posix() for path in found}
    return tuple(sorted(entries))


TEMPLATES = "templates "
"""Begins what a record calls a template file of one's own."""
COUNTING = (".py", ".txt", ".toml")
"""Files of a package that count: code, and what may be templates or tables."""
Described = dict[str, str]
"""The package, and SHA-256 over the files of the module or package that an entry point names."""


def own_code(specification: Specification) -> dict[str, Described]:
    """What an experiment uses of other packages: "system greedy-bigrams" -> package, checksum."""
    runs, measure = specification.runs, specification.measure.name
    systems = {run["system"] for run in runs} - {*FLOORS, *UNTRAINED} - set(ROWS)
    used = {f"system {name}": entry_point(SYSTEMS, name, ROWS) for name in sorted(systems)}
    if measure not in all_measures():
        used[f"measure {measure}"] = entry_point(MEASURES, measure, all_measures())
    templates = sorted(filter(is_own_file, {str(run.get("templates", "")) for run in runs}))
    found = {name: _described(point) for name, point in used.items()}
    return found | {f"{TEMPLATES}{name}": _file_described(name) for name in templates}


def changed_since(code: Table) -> list[str]:
    """What of a record's ``outside`` is here no longer as it was, each with its package."""
    outside: Mapping[str, Described] = code.get("outside", {})
    here = {f"system {name}": point for name, point in brought(SYSTEMS, ROWS).items()}
    ours = all_measures()
    here |= {f"measure {name}": point for name, point in brought(MEASURES, ours).items()}
    changed = []
    for name, then in outside.items():
        if name.startswith(TEMPLATES):
            same = _file_described(name.removeprefix(TEMPLATES)) == then
        else:
            same = name in here and _described(here[name]) == then
        changed += [] if same else [f"{name} of {then.get('package')}"]
    return changed


def _described(point: metadata.EntryPoint) -> Described:
    digest = hashlib.sha256()
    for name, path in _files(point.module.partition(".")[0]):
        digest.update(f"{name}\n".encode())
        digest.update(path.read_bytes())
    return {"package": package_of(point), "checksum": digest.hexdigest()}


def _file_described(name: str) -> Described:
    """A file of one's own: no package, and SHA-256 over it; of one that has gone, over nothing."""
    path = Path(name)
    data = path.read_bytes() if path.is_file() else b""
    return {"package": "a file", "checksum": hashlib.sha256(data).hexdigest()}


def _files(module: str) -> Iterator[tuple[str, Path]]:
    found = find_spec(module)
    folders = list(found.submodule_search_locations or ()) if found else []
    for folder in map(Path, folders):
        for path in sorted(folder.rglob("*")):
            if path.suffix in COUNTING and path.is_file():
                yield path.relative_to(folder).as_posix(), path
    if found and not folders and found.origin:
        yield Path(found.origin).name, Path(found.origin)
