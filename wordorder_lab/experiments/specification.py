"""A table or figure of a paper as data: what to run, and what the paper's text says came out.

A specification is a TOML file in ``papers/``. ``[settings]`` holds for every run; a run is made for
each combination of the lists in ``[vary]``, and for each entry of ``[[rows]]``. ``[paper]`` says
where the original stands and, in ``values``, what its text gives; nothing is read off a picture.
"""

from __future__ import annotations

import hashlib
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent / "papers"
MEASURES = ("epochs", "end", "time")
"""A row after every epoch; one when training is done; one for each sentence, with its time."""
FLOOR = "random-order"
"""The system that needs no training."""
SETTINGS: dict[str, tuple[type, ...]] = {
    **dict.fromkeys(
        ("system", "corpus", "split", "units", "templates", "update", "engine"), (str,)
    ),
    **dict.fromkeys(("beam", "epochs", "seed"), (int,)),
    **dict.fromkeys(("pos", "deps"), (int, float)),
    "shuffle": (bool,),
}
"""What a run may set, with its types."""
NEEDED = ("system", "corpus", "split", "units")
TABLES = {"paper": Mapping, "settings": Mapping, "vary": Mapping, "plot": Mapping, "rows": list}


class SpecificationError(ValueError):
    """A specification is missing or says something that cannot be run."""


@dataclass(frozen=True)
class Specification:
    """One experiment: ``runs`` are complete settings, ``measure`` one of ``MEASURES``."""

    name: str
    title: str
    measure: str
    runs: tuple[dict[str, Any], ...]
    paper: Mapping[str, Any]
    plot: Mapping[str, Any]
    checksum: str


def names() -> list[str]:
    """The experiments that there are: ``["liu-2015-figure-7", ...]``."""
    return sorted(path.stem.replace("_", "-") for path in FOLDER.glob("*.toml"))


def load_specification(name: str) -> Specification:
    """The specification of this name. Raises ``SpecificationError`` if there is none such."""
    path = FOLDER / f"{name.replace('-', '_')}.toml"
    if name.replace("_", "-") not in names():
        raise SpecificationError(f"no experiment {name!r}; there are {', '.join(names())}")
    return read_specification(path)


def read_specification(path: Path) -> Specification:
    """Read and check a file. Raises ``SpecificationError`` with what is wrong in it."""
    data = path.read_bytes()
    try:
        content = tomllib.loads(data.decode("utf-8"))
    except ValueError as error:
        raise SpecificationError(f"{path.name} is not TOML: {error}") from None
    try:
        return _checked(content, path.stem.replace("_", "-"), hashlib.sha256(data).hexdigest())
    except SpecificationError as error:
        raise SpecificationError(f"{path.name}: {error}") from None


def _checked(content: dict[str, Any], name: str, checksum: str) -> Specification:
    title, measure = (content.pop(key, "") for key in ("title", "measure"))
    if not title or measure not in MEASURES:
        raise SpecificationError(f"needs a title, and a measure that is one of {_list(MEASURES)}")
    for key, value in content.items():
        if key not in TABLES:
            raise SpecificationError(f"has {key!r}; what there may be is {_list(TABLES)}")
        if not isinstance(value, TABLES[key]):
            raise SpecificationError(f"[{key}] is of the wrong kind")
    runs = tuple(_runs(content))
    for run in runs:
        _check_run(run)
    paper, plot = content.get("paper", {}), content.get("plot", {})
    return Specification(name, title, measure, runs, paper, plot, checksum)


def _runs(content: Mapping[str, Any]) -> list[dict[str, Any]]:
    settings, vary = content.get("settings", {}), content.get("vary", {})
    for name, values in vary.items():
        if not isinstance(values, list) or not values:
            raise SpecificationError(f"vary.{name} must be a list of values, not {values!r}")
    grid = [dict(zip(vary, values)) for values in product(*vary.values())] if vary else []
    rows = [*grid, *content.get("rows", [])] or [{}]
    return [{**settings, **row} for row in rows]


def _check_run(run: Mapping[str, Any]) -> None:
    for name in NEEDED:
        if name not in run:
            raise SpecificationError(f"a run has no {name!r}: put it into [settings]")
    for name, value in run.items():
        if name not in SETTINGS:
            raise SpecificationError(f"no setting is called {name!r}; there are {_list(SETTINGS)}")
        if not isinstance(value, SETTINGS[name]) or isinstance(value, bool) != (name == "shuffle"):
            raise SpecificationError(f"{name} cannot be {value!r}")
    for name in ("beam", "epochs"):
        if run.get(name, 1) < 1:
            raise SpecificationError(f"{name} is at least 1, not {run[name]}")
    for name in ("pos", "deps"):
        if not 0 <= run.get(name, 0) <= 1:
            raise SpecificationError(f"{name} is a share between 0 and 1, not {run[name]}")


def _list(names: Any) -> str:
    return ", ".join(names)
