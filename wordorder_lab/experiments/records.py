"""Records: what came out of an experiment, and what it came from.

A record is a JSON file in ``records/``: rows, seconds, the command that made it, versions, the
machine, and checksums of specification, data and code, so that ``record_check`` can tell whether
they belong together.
"""

from __future__ import annotations

import hashlib
import json
import os
import platform
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import Any

from wordorder_lab.corpora import TEXTS, load_texts
from wordorder_lab.experiments.code_files import checksum_of, code_of, commit_here
from wordorder_lab.experiments.measures.measure import Specification
from wordorder_lab.experiments.runs.parser_run import TREES, treebank_digest_lines
from wordorder_lab.experiments.runs.reached_code import EVERYTHING, PACKAGE, files_here
from wordorder_lab.experiments.runs.realizer_run import lemma_digest_lines
from wordorder_lab.experiments.runs.training import (
    LEARNED_ON,
    LEMMAS,
    PAIRS,
    corpus_of,
    pairs_of,
)
from wordorder_lab.metrics.significance import SENTENCE_SCORES
from wordorder_lab.structures.atomic import ESCAPED, replacing
from wordorder_lab.structures.one_line import brief

FOLDER = Path(__file__).parent / "records"
LIBRARIES = ("wordorder-lab", "numpy", "numba", "scipy", "nltk", "sacrebleu", "joblib")
NEEDED = ("name", "rows", "specification")
KINDS = {
    **dict.fromkeys(("name", "specification", "title", "measure", "command", "date"), str),
    **dict.fromkeys(("paper", "data", "code", "versions", "machine"), dict),
    "rows": list,
    "seconds": int | float,
}
"""The values of a record are of these kinds; ``NEEDED`` are never missing."""


class RecordError(ValueError):
    """A file is no record of an experiment, or it is damaged."""


def write_json(path: str | os.PathLike[str], data: Any) -> None:
    """Write JSON atomically. Raises ``OSError`` where the folder cannot be written."""
    text = json.dumps(data, ensure_ascii=False, indent=1) + "\n"
    with replacing(path) as part:
        part.write_text(text, encoding="utf-8", errors=ESCAPED)


def read_record(path: Path) -> dict[str, Any]:
    """A record. Raises ``RecordError`` for a damaged or foreign file, ``OSError`` for none."""
    try:
        record = json.loads(path.read_text(encoding="utf-8"))
        json.dumps(record, ensure_ascii=False).encode()  # half a character cannot be printed
    except (ValueError, RecursionError) as error:
        raise RecordError(f"{path} is damaged ({brief(error)}): run the experiment again") from None
    if not isinstance(record, dict) or not set(NEEDED) <= record.keys():
        raise RecordError(f"{path} is not a record of an experiment")
    for name, kind in KINDS.items():
        if name in record and not isinstance(record[name], kind):
            raise RecordError(f"{path} is not a record of an experiment: {name} is of another kind")
    if not all(isinstance(row, dict) for row in record["rows"]):
        raise RecordError(f"{path} is not a record of an experiment: a row is of another kind")
    kept = record.get(SENTENCE_SCORES)
    if kept is not None and (not isinstance(kept, list) or len(kept) != len(record["rows"])):
        raise RecordError(f"{path} is damaged: {SENTENCE_SCORES} and rows are not side by side")
    return record


def digest_of(record: Mapping[str, Any]) -> str:
    """A checksum over all of a record but the digest itself: it tells edits by hand."""
    plain = json.loads(json.dumps({k: v for k, v in record.items() if k != "digest"}, default=str))
    text = json.dumps(plain, ensure_ascii=False, sort_keys=True)
    return hashlib.sha256(text.encode("utf-8", ESCAPED)).hexdigest()


def record_file(name: str) -> Path:
    """Where the record of an experiment is kept."""
    return FOLDER / f"{name.replace('-', '_')}.json"


def provenance(specification: Specification) -> dict[str, Any]:
    """What a record says about where it comes from; raises ``CorpusError`` without the data."""
    made = made_from(corpora_of(specification), code_of(PACKAGE, specification))
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
        "commit": commit_here(PACKAGE),
        "checksum": checksum_of(files_here(PACKAGE, EVERYTHING)),
    }


def corpora_of(specification: Specification) -> list[tuple[str, str]]:
    """Name and units of every corpus that an experiment uses."""
    used = {
        (corpus, run["units"])
        for run in specification.runs
        for corpus in (run["corpus"], run.get(LEARNED_ON, run["corpus"]))
    }
    return sorted(used)


def is_checkout() -> bool:
    """Whether the package lies in its repository, whose records a run may write anew."""
    return (PACKAGE.parent / "pyproject.toml").is_file()


def records() -> Sequence[Path]:
    """The records that there are."""
    return sorted(FOLDER.glob("*.json"))


# --- Work that was interrupted: what is finished lies beside its target until all of it is ----


MADE_FROM = ("data", "versions", "machine")
"""What must be the same for all parts of one work, beside its code and its own settings."""


def partial_of(out: Path) -> Path:
    """Where unfinished work is kept that goes to ``out`` in the end."""
    return out.with_name(f"{out.name}.partial")


def unfinished(path: Path, new: Mapping[str, Any], same: Sequence[str]) -> dict[str, Any] | None:
    """The work kept at ``path``, if it can go on as ``new``: made from the same, by the same code.

    ``same`` names the settings of this work that must be equal. A file that is missing, damaged or
    of another work gives ``None``.
    """
    try:
        old = json.loads(path.read_text(encoding="utf-8"))
    except (FileNotFoundError, ValueError, RecursionError):
        return None
    if not isinstance(old, dict) or not isinstance(old.get("code", {}), dict):
        return None
    if any(old.get(key) != new.get(key) for key in (*same, *MADE_FROM)):
        return None
    return old if _code(old) == _code(new) else None


def _code(work: Mapping[str, Any]) -> str | None:
    """The checksum of the code; the commit may differ where no code that counts has changed."""
    return work.get("code", {}).get("checksum")
