"""A table or figure of a paper as data: what to run, and what the paper's text says came out.

A specification is a TOML file in ``papers/``. ``[settings]`` holds for every run whose system has
the setting; a run is made for each combination of the lists in ``[vary]``, and for each entry of
``[[rows]]``. What is called ``decode_...`` is a setting of the search that scores the model. The
lists in ``[evaluate]`` are the conditions under which each trained model is scored. With ``folds``
every sentence of the corpus is scored by a model that has not seen its document; with ``seeds``
each model that learns sentence by sentence learns so often, from another order of them each time,
and a claim is about all of these together. ``[paper]`` says where the original stands and, in
``values``, what its text gives; nothing is read off a picture. ``[names]`` calls rows by name, and
``[[claims]]`` says what the paper claims of them (``measures.claims``). A file may also be a
variant of another: on another corpus, in folds, or with seeds (``variants``).
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import product
from pathlib import Path

from wordorder_lab.experiments.measures.claims import check_names, read_claims
from wordorder_lab.experiments.measures.measure import (
    Measure,
    Specification,
    all_measures,
    measure_called,
)
from wordorder_lab.experiments.records import (
    names,
    specification_checksum,
    specification_file,
    varied_checksum,
)
from wordorder_lab.experiments.runs import schema
from wordorder_lab.experiments.runs.schema import Row, SpecificationError, Table, check, table
from wordorder_lab.experiments.runs.settings import (
    FLOORS,
    UNTRAINED,
    check_run,
    check_values,
    having,
)
from wordorder_lab.experiments.variants import Variant, in_folds, variant_of, varied
from wordorder_lab.runtime.entry_points import MEASURES, brought
from wordorder_lab.structures.messages import unknown_name
from wordorder_lab.systems.registry import ROWS, SYSTEMS

OUTSIDE = "one that another package brings must be installed here"
LAST = ("names", "claims")
"""What is not in the checksum."""


def load_specification(name: str) -> Specification:
    """The specification of this name. Raises ``SpecificationError`` if there is none such."""
    return read_specification(_file_of(name))


def load_questions(name: str) -> Specification:
    """The specification of this name without its runs: all that a verdict needs."""
    content, checksum, of = _sources(_file_of(name))
    return replace(_without_runs(content, name, checksum), of=of)


def read_specification(path: Path, variant: Variant | None = None) -> Specification:
    """Read and check a file, or a ``variant`` of it. Raises ``SpecificationError`` with what is
    wrong in it."""
    try:
        content, checksum, of = _sources(path, variant)
        name = variant.name if variant else path.stem.replace("_", "-")
        return replace(checked(content, name, checksum), of=of)
    except SpecificationError as error:
        raise SpecificationError(f"{path.name}: {error}") from None


def _sources(path: Path, variant: Variant | None = None) -> tuple[Row, str, str]:
    """The content of a file, or of its variant, a checksum of all that it is made of, and the name
    of the specification that it varies."""
    data = path.read_bytes()
    content = _content(data, path.name)
    own = variant_of(content, _file_of)
    if own is None and variant is None:
        content = in_folds(content) if content.get("folds") else content
        return content, specification_checksum(data), ""
    if own is not None and variant is not None:
        raise SpecificationError(f"it is itself a variant of {own.of}: vary that")
    if own is not None and own.name != path.stem.replace("_", "-"):
        raise SpecificationError(f"a variant that is so has the name {own.name}")
    if own is not None:
        data = (base := _file_of(own.of)).read_bytes()
        content, variant = _content(data, base.name), own
    assert variant is not None
    return varied(content, variant), varied_checksum(data, variant), variant.of


def checked(content: Row, name: str, checksum: str) -> Specification:
    """The experiment that a file's content asks for. Raises ``SpecificationError`` with the first
    thing that is wrong, before anything is run."""
    asked = _without_runs(content, name, checksum)
    if (own := [key for key in content if key in LAST]) and list(content)[-len(own) :] != own:
        raise SpecificationError(f"{', '.join(own)} come last, behind all that says what is run")
    runs = tuple(_runs(content, _named_systems(content)))
    for setting in content.get("settings", {}):
        if not any(setting in run for run in runs):
            raise SpecificationError(f"no run has a system with the setting {setting!r}")
    _check_own_table(content, asked.measure)
    for run in runs:
        for needed in schema.NEEDED:
            if needed not in run and needed not in asked.evaluate:
                raise SpecificationError(f"a run has no {needed!r}: put it into [settings]")
        check_run(run, asked.evaluate)
    if asked.names:
        check_names(asked.names, runs)
    specification = replace(asked, runs=runs)
    asked.measure.check(specification)
    _check_plot(specification)
    return specification


def _file_of(name: str) -> Path:
    if name.replace("_", "-") not in (known := names()):
        raise SpecificationError(unknown_name("experiment", name, known))
    return specification_file(name)


def _content(data: bytes, name: str) -> Row:
    try:
        return tomllib.loads(data.decode("utf-8"))
    except ValueError as error:
        raise SpecificationError(f"{name} is not TOML: {error}") from None


def _without_runs(content: Row, name: str, checksum: str) -> Specification:
    check(content, schema.SPECIFICATION, "")
    measure = measure_called(content["measure"])
    if measure is None:
        known = (*all_measures(), *brought(MEASURES, all_measures()))
        raise SpecificationError(f"{unknown_name('measure', content['measure'], known)}; {OUTSIDE}")
    named = content.get("names", {})
    claims = read_claims(content["claims"], named) if "claims" in content else ()
    paper, plot, evaluate = (content.get(table, {}) for table in ("paper", "plot", "evaluate"))
    title = content["title"]
    more = {"names": named, "claims": claims, "folds": content.get("folds", 0)}
    return Specification(name, title, measure, (), paper, plot, checksum, evaluate, **more)


def _check_plot(specification: Specification) -> None:
    plot, measure = specification.plot, specification.measure
    if not plot:
        return
    ours = measure.name in all_measures()
    check(plot, table(schema.PLOT, each=None if ours else schema.ANY, needed=("kind",)), "[plot]")
    kind = plot["kind"]
    if kind not in measure.figures():
        raise SpecificationError(f"[plot] has {unknown_name('kind', kind, measure.figures())}")
    for name in schema.PLOT_NEEDS.get(kind, ()):
        if ours and name not in plot:
            raise SpecificationError(f"[plot] of the kind {kind!r} has no {name!r}")


def _named_systems(content: Table) -> list[str]:
    """The systems of all runs. Raises ``SpecificationError`` for one that is not here: its settings
    are not, either."""
    tables = [content.get("settings", {}), *content.get("rows", [])]
    varied = content.get("vary", {}).get("system")
    every = [*(one.get("system") for one in tables), *(varied if isinstance(varied, list) else [])]
    named = [name for name in every if isinstance(name, str)]
    for name in named:
        if name not in (*ROWS, *FLOORS, *UNTRAINED) and name not in SYSTEMS:
            known = dict.fromkeys((*SYSTEMS, *ROWS, *FLOORS, *UNTRAINED))
            raise SpecificationError(f"{unknown_name('system', name, known)}; {OUTSIDE}")
    return named


def _check_own_table(content: Table, measure: Measure) -> None:
    """Raise ``SpecificationError`` unless the table of each measure is there just for itself."""
    for other in dict.fromkeys((*all_measures().values(), measure)):
        there: object = content
        for key in filter(None, other.own_table.strip("[]").split(".")):
            there = there.get(key, {}) if isinstance(there, Mapping) else {}
        if other.own_table and bool(there) != (other is measure):
            raise SpecificationError(
                f"{other.own_table} and the measure {other.name!r} need each other"
            )
    measure.check_table(content)


def _runs(content: Table, systems: Sequence[str]) -> list[Row]:
    settings, vary = content.get("settings", {}), content.get("vary", {})
    check(vary, table(each=schema.listing(schema.ANY, 1)), "vary")
    varied = [{name: value} for name, values in vary.items() for value in values]
    for some in (settings, *varied, *content.get("rows", [])):
        check_values(some, systems)
    grid = [dict(zip(vary, values)) for values in product(*vary.values())] if vary else []
    rows = [*grid, *content.get("rows", [])] or [{}]
    runs = [{**having(row.get("system", settings.get("system")), settings), **row} for row in rows]
    return _in_orders(runs, content.get("seeds", 0))


def _in_orders(runs: list[Row], seeds: int) -> list[Row]:
    """Every run so often, with its sentences in another order in each epoch. N-grams, counts and
    what does not learn at all are the same each time: they are made once."""
    if not seeds:
        return runs
    learn = [run for run in runs if run.get("system") not in FLOORS]
    learn = [run for run in learn if "shuffle" in having(run.get("system"), {"shuffle": True})]
    if not learn:
        raise SpecificationError("no run has a system whose training knows orders: it has no seeds")
    if any("shuffle" in run for run in learn) or len({str(run.get("seed")) for run in learn}) > 1:
        raise SpecificationError("its runs have orders of their own: it takes no 'seeds'")
    again = [
        {**run, "seed": seed, "shuffle": True} for seed in range(1, seeds + 1) for run in learn
    ]
    return [*again, *(run for run in runs if run not in learn)]
