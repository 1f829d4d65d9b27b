"""A table or figure of a paper as data: what to run, and what the paper's text says came out.

A specification is a TOML file in ``papers/``. ``[settings]`` holds for every run whose system has
the setting; a run is made for each combination of the lists in ``[vary]``, and for each entry of
``[[rows]]``. What is called ``decode_...`` is a setting of the search that scores the model. The
lists in ``[evaluate]`` are the conditions under which each trained model is scored. ``[paper]``
says where the original stands and, in ``values``, what its text gives; nothing is read off a
picture. ``[names]`` calls rows by name, and ``[[claims]]`` says what the paper claims of them
(``claims``).
"""

from __future__ import annotations

import hashlib
import re
import tomllib
from collections.abc import Mapping
from itertools import product
from pathlib import Path
from typing import Any

from wordorder_lab.experiments.claims import check_names, read_claims
from wordorder_lab.experiments.measures.measure import (
    Measure,
    Specification,
    all_measures,
    measure_called,
)
from wordorder_lab.experiments.runs.parser_run import check_parser_run
from wordorder_lab.experiments.runs.realizer_run import check_realizer_run
from wordorder_lab.experiments.runs.training import (
    FLOORS,
    LEMMAS,
    TREE_FLOOR,
    UNTRAINED,
    SpecificationError,
    check_run,
    check_value,
    having,
    listed,
)
from wordorder_lab.structures.entry_points import MEASURES, brought
from wordorder_lab.structures.one_line import cited
from wordorder_lab.systems import COMPRESSORS, PARSERS, REALIZERS, SYSTEMS
from wordorder_lab.systems.names import OURS

FOLDER = Path(__file__).parent / "papers"
TABLES = {
    **dict.fromkeys(("paper", "settings", "vary", "evaluate", "plot"), Mapping),
    "rows": list,
    "names": Mapping,
    "claims": list,
}
OUTSIDE = "one that another package brings must be installed here"
LAST = ("names", "claims")
"""What is not in the checksum."""


def names() -> list[str]:
    """The experiments that there are: ``["liu-2015-figure-7", ...]``."""
    return sorted(path.stem.replace("_", "-") for path in FOLDER.glob("*.toml"))


def load_specification(name: str) -> Specification:
    """The specification of this name. Raises ``SpecificationError`` if there is none such."""
    if name.replace("_", "-") not in names():
        raise SpecificationError(f"no experiment {cited(name)}; there are {', '.join(names())}")
    return read_specification(file_of(name))


def file_of(name: str) -> Path:
    """Where the specification of an experiment is kept."""
    return FOLDER / f"{name.replace('-', '_')}.toml"


def read_specification(path: Path) -> Specification:
    """Read and check a file. Raises ``SpecificationError`` with what is wrong in it."""
    data = path.read_bytes()
    try:
        content = tomllib.loads(data.decode("utf-8"))
    except ValueError as error:
        raise SpecificationError(f"{path.name} is not TOML: {error}") from None
    try:
        return _checked(content, path.stem.replace("_", "-"), checksum_of(data))
    except SpecificationError as error:
        raise SpecificationError(f"{path.name}: {error}") from None


def checksum_of(data: bytes) -> str:
    """SHA-256 over a specification as far as its claims: judging is not running, so that a claim
    that is added or mended leaves the record in order."""
    run, *_ = re.split(rb"^(?=\[names\]|\[\[claims\]\])", data, maxsplit=1, flags=re.MULTILINE)
    return hashlib.sha256(run.rstrip() + b"\n").hexdigest()


def _checked(content: dict[str, Any], name: str, checksum: str) -> Specification:
    title, measure_name = (content.pop(key, "") for key in ("title", "measure"))
    measure = measure_called(measure_name) if isinstance(measure_name, str) else None
    if measure is None and isinstance(measure_name, str) and measure_name:
        known = listed((*all_measures(), *brought(MEASURES, all_measures())))
        raise SpecificationError(f"no measure {measure_name!r}; there are {known}; {OUTSIDE}")
    if not title or measure is None:
        known = listed((*all_measures(), *brought(MEASURES, all_measures())))
        raise SpecificationError(f"needs a title, and a measure that is one of {known}")
    if (own := [key for key in content if key in LAST]) and list(content)[-len(own) :] != own:
        raise SpecificationError(f"{listed(own)} come last, behind all that says what is run")
    for key, value in content.items():
        if key not in TABLES:
            raise SpecificationError(f"has {key!r}; what there may be is {listed(TABLES)}")
        if not isinstance(value, TABLES[key]):
            raise SpecificationError(f"[{key}] is of the wrong kind")
    _check_systems(content)
    runs = tuple(_runs(content))
    for setting in content.get("settings", {}):
        if not any(setting in run for run in runs):
            raise SpecificationError(f"no run has a system with the setting {setting!r}")
    _check_own_table(content, measure)
    paper, plot, evaluate = (content.get(key, {}) for key in ("paper", "plot", "evaluate"))
    for run in runs:
        if run.get("system") in PARSERS:
            check_parser_run(run)
        elif run.get("system") in (*REALIZERS, TREE_FLOOR) or run.get("units") == LEMMAS:
            check_realizer_run(run)
        else:
            check_run(run, evaluate)
    named = content.get("names", {})
    check_names(named, runs)
    claims = read_claims(content.get("claims", []), named)
    told = paper, plot, checksum, evaluate, named, claims
    specification = Specification(name, title, measure, runs, *told)
    measure.check(specification)
    return specification


def _check_systems(content: Mapping[str, Any]) -> None:
    """Raise ``SpecificationError`` for a system that is not here: its settings are not, either."""
    for name in _named_systems(content):
        untrained = (*FLOORS, *UNTRAINED)
        if name not in (*OURS, *untrained) and name not in SYSTEMS:
            known = listed((*SYSTEMS, *COMPRESSORS, *untrained))
            raise SpecificationError(f"no system {name!r}; there are {known}; {OUTSIDE}")


def _named_systems(content: Mapping[str, Any]) -> list[str]:
    tables = [content.get("settings", {}), *content.get("rows", [])]
    named = [table.get("system") for table in tables if isinstance(table, Mapping)]
    varied = content.get("vary", {}).get("system")
    every = [*named, *(varied if isinstance(varied, list) else [])]
    return [name for name in every if isinstance(name, str)]


def _check_own_table(content: Mapping[str, Any], measure: Measure) -> None:
    """Raise ``SpecificationError`` unless the table of each measure is there just for itself."""
    for other in dict.fromkeys((*all_measures().values(), measure)):
        there: Any = content
        for key in filter(None, other.own_table.strip("[]").split(".")):
            there = there.get(key, {})
        if other.own_table and bool(there) != (other is measure):
            raise SpecificationError(
                f"{other.own_table} and the measure {other.name!r} need each other"
            )
    measure.check_table(content)


def _runs(content: Mapping[str, Any]) -> list[dict[str, Any]]:
    settings, vary = content.get("settings", {}), content.get("vary", {})
    for name, value in settings.items():
        check_value(name, value, _named_systems(content))
    for name, values in vary.items():
        if not isinstance(values, list) or not values:
            raise SpecificationError(f"vary.{name} must be a list of values, not {values!r}")
    grid = [dict(zip(vary, values)) for values in product(*vary.values())] if vary else []
    rows = [*grid, *content.get("rows", [])] or [{}]
    return [{**having(row.get("system", settings.get("system")), settings), **row} for row in rows]
