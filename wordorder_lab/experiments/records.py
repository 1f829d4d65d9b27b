"""The files of an experiment: its specification, its record, and what is kept of its verdicts.

A specification is a TOML file in ``papers/``. Its record is a JSON file in ``records/``: rows,
seconds, the command that made it, versions, the machine, and checksums of specification, data and
code (``provenance``), so that ``record_check`` can tell whether they belong together. In
``verdicts/`` lies what the list says of a record, and what became of its claims.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from wordorder_lab.experiments.measures.claims import Claim, Verdict
from wordorder_lab.experiments.runs import schema
from wordorder_lab.experiments.runs.code_files import LISTS, PACKAGE, bare, reached
from wordorder_lab.experiments.variants import Variant
from wordorder_lab.metrics.significance import SENTENCE_SCORES
from wordorder_lab.runtime.atomic import ESCAPED, replacing
from wordorder_lab.structures.messages import brief

PAPERS = Path(__file__).parent / "papers"
FOLDER = Path(__file__).parent / "records"
UNFIT = (LookupError, TypeError, ValueError, AttributeError, ArithmeticError)
"""Raised by a table, a picture or a verdict of rows that are of another measure than they say."""


class RecordError(ValueError):
    """A file is no record of an experiment, or it is damaged."""


def names() -> list[str]:
    """The experiments that there are: ``["liu-2015-figure-7", ...]``."""
    return sorted(path.stem.replace("_", "-") for path in PAPERS.glob("*.toml"))


def specification_file(name: str) -> Path:
    """Where the specification of an experiment is kept."""
    return PAPERS / f"{name.replace('-', '_')}.toml"


def variant_called(name: str) -> Variant | None:
    """What a specification varies of another one; ``None`` where it is none's variant."""
    path = specification_file(name)
    return _variant_in(path.read_bytes()) if path.exists() else None


def _variant_in(data: bytes) -> Variant | None:
    if re.search(rb"^of = ", data, re.MULTILINE) is None:
        return None
    return Variant(**tomllib.loads(data.decode("utf-8", ESCAPED)))


def specification_checksum(data: bytes) -> str:
    """SHA-256 over a specification as far as its claims: judging is not running, so that a claim
    that is added or mended leaves the record in order."""
    run, *_ = re.split(rb"^(?=\[names\]|\[\[claims\]\])", data, maxsplit=1, flags=re.MULTILINE)
    return hashlib.sha256(run.rstrip() + b"\n").hexdigest()


def varied_checksum(base: bytes, variant: Variant) -> str:
    """The same of a variant: that of the specification, and what is varied."""
    asked = str(variant._replace(of=""))
    # As before there were such keys.
    asked = asked.replace(", seeds=0)", ")").replace(", measure=None)", ")")
    made = f"{specification_checksum(base)} {asked}"
    return hashlib.sha256(made.encode()).hexdigest()


def checksum_by(read: Callable[[Path], bytes | None], path: Path) -> str | None:
    """The checksum of a specification as ``read`` gives its files, such as those of a commit;
    ``None`` without them."""
    data = read(path)
    variant = None if data is None else _variant_in(data)
    if data is None or variant is None:
        return None if data is None else specification_checksum(data)
    base = read(specification_file(variant.of))
    return None if base is None else varied_checksum(base, variant)


def write_json(path: str | os.PathLike[str], data: object) -> None:
    """Write JSON atomically. Raises ``OSError`` where the folder cannot be written."""
    text = json.dumps(data, ensure_ascii=False, indent=1) + "\n"
    with replacing(path) as part:
        part.write_text(text, encoding="utf-8", errors=ESCAPED)


def read_record(path: Path) -> schema.Row:
    """A record. Raises ``RecordError`` for a damaged or foreign file, ``OSError`` for none."""
    try:
        record: schema.Row = json.loads(path.read_text(encoding="utf-8"))
        json.dumps(record, ensure_ascii=False).encode()  # half a character cannot be printed
    except (ValueError, RecursionError) as error:
        raise RecordError(f"{path} is damaged ({brief(error)}): run the experiment again") from None
    try:
        schema.check(record, schema.RECORD, "it")
        if f"measure {record.get('measure')}" not in record.get("code", {}).get("outside", {}):
            schema.check(record["rows"], schema.ROWS, "it.rows")
    except schema.SpecificationError as error:
        raise RecordError(f"{path} is not a record of an experiment: {error}") from None
    kept = record.get(SENTENCE_SCORES)
    if kept is not None and len(kept) != len(record["rows"]):
        raise RecordError(f"{path} is damaged: {SENTENCE_SCORES} and rows are not side by side")
    return record


def digest_of(record: schema.Table) -> str:
    """A checksum over all of a record but the digest itself: it tells edits by hand."""
    plain = json.loads(json.dumps({k: v for k, v in record.items() if k != "digest"}, default=str))
    text = json.dumps(plain, ensure_ascii=False, sort_keys=True)
    return hashlib.sha256(text.encode("utf-8", ESCAPED)).hexdigest()


def record_file(name: str) -> Path:
    """Where the record of an experiment is kept."""
    return FOLDER / f"{name.replace('-', '_')}.json"


def is_checkout() -> bool:
    """Whether the package lies in its repository, whose records a run may write anew."""
    return (PACKAGE.parent / "pyproject.toml").is_file()


def records() -> Sequence[Path]:
    """The records that there are."""
    return sorted(FOLDER.glob("*.json"))


# --- work that was interrupted: what is finished lies beside its target until all of it is --------

MADE_FROM = ("data", "versions", "machine")
"""What must be the same for all parts of one work, beside its code and its own settings."""


def partial_of(out: Path) -> Path:
    """Where unfinished work is kept that goes to ``out`` in the end."""
    return out.with_name(f"{out.name}.partial")


def unfinished(path: Path, new: schema.Table, same: Sequence[str]) -> schema.Row | None:
    """The work kept at ``path``, if it can go on as ``new``: made from the same, by the same code.
    ``same`` names the settings that must be equal. A file that is missing, damaged or of another
    work gives ``None``. The commit may differ where no code that counts has changed."""
    try:
        old = json.loads(path.read_text(encoding="utf-8"))
    except (FileNotFoundError, ValueError, RecursionError):
        return None
    if not isinstance(old, dict) or not isinstance(old.get("code", {}), dict):
        return None
    if any(old.get(key) != new.get(key) for key in (*same, *MADE_FROM)):
        return None
    codes = [work.get("code", {}).get("checksum") for work in (old, new)]
    return old if codes[0] == codes[1] else None


# --- what is kept of verdicts ---------------------------------------------------------------------

# All of it follows from the record, its specification and the code that judges; but a bootstrap
# takes its time. Its key is a checksum over these three, so what is kept of anything else is not
# believed, and whoever asks makes it anew (``verdicts``).

JUDGES = ("experiments/verdicts.py", *(name for name in LISTS if name.startswith("experiments/")))
"""The files that judge, and what they ask and ``reached`` passes over; with the measures, which are
found by their folder, they reach all that decides what is kept."""
ASKED, MEASURES = ("experiments/", "metrics/"), "experiments/measures/"


def kept_file(name: str) -> Path:
    """Where what is kept of an experiment lies."""
    return FOLDER.parent / "verdicts" / record_file(name).name


def judging_code(files: Mapping[str, bytes]) -> bytes:
    """What of the package's ``files`` decides on verdicts; what only draws does not."""
    judges = judging_files(files)
    return b"".join(bare(judges[name]) for name in sorted(judges))


def judging_files(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """The files that can be reached from those that judge, by their names in the package."""
    asked = {name: text for name, text in files.items() if name.startswith(ASKED)}
    measures = [name for name in asked if name.startswith(MEASURES)]
    found = reached(asked, [*JUDGES, *measures], PACKAGE.name)
    return found | {name: asked[name] for name in JUDGES if name in asked}


def key_of(name: str, judges: bytes) -> str:
    """The checksum over specification, record, the records of other experiments that its claims
    name, and ``judging_code``. Raises ``FileNotFoundError`` where there is no record."""
    digest, asked = hashlib.sha256(judges), specification_file(name).read_bytes()
    digest.update(hashlib.sha256(asked).digest())
    variant = variant_called(name)
    if variant is not None:
        asked = specification_file(variant.of).read_bytes()
        digest.update(hashlib.sha256(asked).digest())
    others = {*re.findall(r'\bexperiment = "([\w-]+)"', asked.decode("utf-8", ESCAPED))}
    if variant is not None:
        others = {variant._replace(of=other).name for other in others}
    digest.update(hashlib.sha256(record_file(name).read_bytes()).digest())
    for other in map(record_file, sorted(others)):
        digest.update(hashlib.sha256(other.read_bytes() if other.exists() else b"").digest())
    return digest.hexdigest()


def kept(name: str, judges: bytes) -> schema.Row | None:
    """What is kept of an experiment; ``None`` where it is not of what lies here."""
    try:
        found: schema.Row = json.loads(kept_file(name).read_text(encoding="utf-8"))
        return found if found["key"] == key_of(name, judges) else None
    except (OSError, ValueError, LookupError, TypeError):
        return None


def verdicts_in(summary: schema.Table) -> list[Verdict]:
    """The verdicts of a summary, as they were judged."""
    found = []
    for one in summary["claims"]:
        claim = Claim(**{**one["claim"], "groups": tuple(one["claim"]["groups"])})
        ends = one["interval"] and (one["interval"][0], one["interval"][1])
        found.append(Verdict(**{**one, "claim": claim, "interval": ends}))
    return found
