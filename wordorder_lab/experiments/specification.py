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
from wordorder_lab.experiments.runs.schema import (
    ANY,
    PLOT,
    PLOT_NEEDS,
    SPECIFICATION,
    listing,
    table,
    unknown,
)
from wordorder_lab.experiments.runs.training import (
    FLOORS,
    LEMMAS,
    NEEDED,
    TREE_FLOOR,
    UNTRAINED,
    SpecificationError,
    check_run,
    check_value,
    fitting,
    having,
    listed,
)
from wordorder_lab.experiments.specification_files import checksum_of, file_of, names
from wordorder_lab.runtime.entry_points import MEASURES, brought
from wordorder_lab.structures.messages import cited
from wordorder_lab.systems import SYSTEMS
from wordorder_lab.systems.names import COMPRESSORS, OURS, PARSERS, REALIZERS

OUTSIDE = "one that another package brings must be installed here"
LAST = ("names", "claims")
"""What is not in the checksum."""


def load_specification(name: str) -> Specification:
    """The specification of this name. Raises ``SpecificationError`` if there is none such."""
    if name.replace("_", "-") not in names():
        raise SpecificationError(f"no experiment {cited(name)}; there are {', '.join(names())}")
    return read_specification(file_of(name))


def read_specification(path: Path) -> Specification:
    """Read and check a file. Raises ``SpecificationError`` with what is wrong in it."""
    data = path.read_bytes()
    try:
        content = tomllib.loads(data.decode("utf-8"))
    except ValueError as error:
        raise SpecificationError(f"{path.name} is not TOML: {error}") from None
    try:
        return checked(content, path.stem.replace("_", "-"), checksum_of(data))
    except SpecificationError as error:
        raise SpecificationError(f"{path.name}: {error}") from None


def checked(content: dict[str, Any], name: str, checksum: str) -> Specification:
    """The experiment that a file's content asks for. Raises ``SpecificationError`` with the first
    thing that is wrong, before anything is run."""
    fitting(content, SPECIFICATION, "")
    title, measure_name = content.pop("title"), content.pop("measure")
    measure = measure_called(measure_name)
    if measure is None:
        known = (*all_measures(), *brought(MEASURES, all_measures()))
        raise SpecificationError(f"no measure {unknown(measure_name, known)}; {OUTSIDE}")
    if (own := [key for key in content if key in LAST]) and list(content)[-len(own) :] != own:
        raise SpecificationError(f"{listed(own)} come last, behind all that says what is run")
    _check_systems(content)
    runs = tuple(_runs(content))
    for setting in content.get("settings", {}):
        if not any(setting in run for run in runs):
            raise SpecificationError(f"no run has a system with the setting {setting!r}")
    _check_own_table(content, measure)
    paper, plot, evaluate = (content.get(key, {}) for key in ("paper", "plot", "evaluate"))
    for run in runs:
        for needed in NEEDED:
            if needed not in run and needed not in evaluate:
                raise SpecificationError(f"a run has no {needed!r}: put it into [settings]")
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
    _check_plot(specification)
    return specification


def _check_plot(specification: Specification) -> None:
    """Raise ``SpecificationError`` for a picture that cannot be drawn, before anything is run."""
    plot, measure = specification.plot, specification.measure
    if not plot:
        return
    ours = measure.name in all_measures()
    kind = table(PLOT, each=None if ours else ANY, needed=("kind",))
    fitting(plot, kind, "[plot]")
    if plot["kind"] not in measure.figures():
        raise SpecificationError(f"[plot] has no kind {unknown(plot['kind'], measure.figures())}")
    for name in PLOT_NEEDS.get(plot["kind"], ()):
        if ours and name not in plot:
            raise SpecificationError(f"[plot] of the kind {plot['kind']!r} has no {name!r}")


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
            there = there.get(key, {}) if isinstance(there, Mapping) else {}
        if other.own_table and bool(there) != (other is measure):
            raise SpecificationError(
                f"{other.own_table} and the measure {other.name!r} need each other"
            )
    measure.check_table(content)


def _runs(content: Mapping[str, Any]) -> list[dict[str, Any]]:
    settings, vary = content.get("settings", {}), content.get("vary", {})
    fitting(vary, table(each=listing(ANY, 1)), "vary")
    varied = [{name: value} for name, values in vary.items() for value in values]
    for told in (settings, *varied, *content.get("rows", [])):
        for name, value in told.items():
            check_value(name, value, _named_systems(content))
    grid = [dict(zip(vary, values)) for values in product(*vary.values())] if vary else []
    rows = [*grid, *content.get("rows", [])] or [{}]
    return [{**having(row.get("system", settings.get("system")), settings), **row} for row in rows]
