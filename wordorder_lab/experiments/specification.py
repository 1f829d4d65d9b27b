"""A table or figure of a paper as data: what to run, and what the paper's text says came out.

A specification is a TOML file in ``papers/``. ``[settings]`` holds for every run; a run is made for
each combination of the lists in ``[vary]``, and for each entry of ``[[rows]]``. The lists in
``[evaluate]`` are the conditions under which each trained model is scored. ``[paper]`` says where
the original stands and, in ``values``, what its text gives; nothing is read off a picture.
"""

from __future__ import annotations

import hashlib
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent / "papers"
CONDITIONS = "conditions"
MEASURES = ("epochs", "end", "time", CONDITIONS)
"""A row after every epoch; one when training is done; one for each sentence, with its time; one for
each split and input condition, over several seeds."""
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
NEEDED = NOT_FOR_TRAINING = ("system", "corpus", "split", "units")
"""What every run says, and what training is not told: it is given the sentences."""
LISTED = ("split", "pos", "deps", "seed")
"""What ``[evaluate]`` may list; without ``pos`` or ``deps``, a model gets what its training got."""
TABLES = {
    **dict.fromkeys(("paper", "settings", "vary", "evaluate", "plot"), Mapping),
    "rows": list,
}


class SpecificationError(ValueError):
    """A specification is missing or says something that cannot be run."""


@dataclass(frozen=True)
class Specification:
    """One experiment: ``runs`` are complete settings, ``measure`` one of ``MEASURES``.

    ``evaluate`` has the lists of the measure "conditions"; for the others it is empty.
    """

    name: str
    title: str
    measure: str
    runs: tuple[dict[str, Any], ...]
    paper: Mapping[str, Any]
    plot: Mapping[str, Any]
    checksum: str
    evaluate: Mapping[str, Any] = field(default_factory=dict)


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
    evaluate = content.get("evaluate", {})
    _check_lists(evaluate, measure)
    for run in runs:
        _check_run(run, evaluate)
    paper, plot = content.get("paper", {}), content.get("plot", {})
    return Specification(name, title, measure, runs, paper, plot, checksum, evaluate)


def _runs(content: Mapping[str, Any]) -> list[dict[str, Any]]:
    settings, vary = content.get("settings", {}), content.get("vary", {})
    for name, values in vary.items():
        if not isinstance(values, list) or not values:
            raise SpecificationError(f"vary.{name} must be a list of values, not {values!r}")
    grid = [dict(zip(vary, values)) for values in product(*vary.values())] if vary else []
    rows = [*grid, *content.get("rows", [])] or [{}]
    return [{**settings, **row} for row in rows]


def _check_lists(evaluate: Mapping[str, Any], measure: str) -> None:
    if (measure == CONDITIONS) != bool(evaluate):
        raise SpecificationError(f"[evaluate] and the measure {CONDITIONS!r} need each other")
    for name in ("split", "seed") if evaluate else ():
        if name not in evaluate:
            raise SpecificationError(f"[evaluate] has no list {name!r}")
    for name, values in evaluate.items():
        if name not in LISTED:
            raise SpecificationError(f"[evaluate] has {name!r}; it may list {_list(LISTED)}")
        if not isinstance(values, list) or not values:
            raise SpecificationError(f"evaluate.{name} must be a list of values, not {values!r}")
        for value in values:
            _check_value(name, value)
        if len(set(values)) < len(values):
            raise SpecificationError(f"evaluate.{name} lists a value twice: {values!r}")


def _check_run(run: Mapping[str, Any], listed: Mapping[str, Any]) -> None:
    for name in NEEDED:
        if name not in run and name not in listed:
            raise SpecificationError(f"a run has no {name!r}: put it into [settings]")
    for name, value in run.items():
        _check_value(name, value)
    if listed and run["system"] == FLOOR:
        raise SpecificationError(f"{FLOOR} uses nothing it is given: conditions are for models")


def _check_value(name: str, value: Any) -> None:
    if name not in SETTINGS:
        raise SpecificationError(f"no setting is called {name!r}; there are {_list(SETTINGS)}")
    fits = isinstance(value, SETTINGS[name]) and isinstance(value, bool) == (name == "shuffle")
    if not fits:
        raise SpecificationError(f"{name} cannot be {value!r}")
    if name in ("beam", "epochs") and value < 1:
        raise SpecificationError(f"{name} is at least 1, not {value}")
    if name in ("pos", "deps") and not 0 <= value <= 1:
        raise SpecificationError(f"{name} is a share between 0 and 1, not {value}")


def _list(names: Any) -> str:
    return ", ".join(names)
