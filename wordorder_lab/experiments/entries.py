"""The files that an experiment enters the package by, and the code that a record says of itself.

The entries of an experiment are the files of its systems, that of its measure, and the templates
that its runs name. What these reach (``code_files``) decides what comes out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from wordorder_lab.experiments.code_files import checksum_of, code_here, commit_here
from wordorder_lab.experiments.measures.measure import Specification
from wordorder_lab.experiments.own_code import own_code
from wordorder_lab.experiments.runs.reached_code import PACKAGE
from wordorder_lab.experiments.runs.training import FLOORS, UNTRAINED, settings_of
from wordorder_lab.structures.templates import is_own_file
from wordorder_lab.systems.names import FILES, ORDERED_BY, OURS, TRAINING

PROSE = "docstrings and comments"
"""What a checksum leaves out; a record says so."""


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
            entries.add("systems/own_system.py")
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
