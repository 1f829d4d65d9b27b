"""A table or figure of a paper as data: what to run, and what the paper's text says came out.

A specification is a TOML file in ``papers/``. ``[settings]`` holds for every run whose system has
the setting; a run is made for each combination of the lists in ``[vary]``, and for each entry of
``[[rows]]``. What is called ``decode_...`` is a setting of the search that scores the model. The
lists in ``[evaluate]`` are the conditions under which each trained model is scored. ``[paper]``
says where the original stands and, in ``values``, what its text gives; nothing is read off a
picture.
"""

from __future__ import annotations

import hashlib
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path
from typing import Any

from wordorder_lab.experiments.printed_sentences import check_printed
from wordorder_lab.experiments.run_settings import (
    DEV,
    FLOOR,
    SHORTENING,
    SpecificationError,
    check_run,
    check_value,
    having,
    listed,
)

FOLDER = Path(__file__).parent / "papers"
CONDITIONS = "conditions"
OUTPUTS = "outputs"
BEST_EPOCH = "best-epoch"
SPANS = ("brevity", "spans", "span-lengths")
COMPRESSION = "compression"
MEASURES = (
    *("epochs", "end", "time", "training", CONDITIONS, OUTPUTS, BEST_EPOCH, *SPANS),
    COMPRESSION,
)
"""A row after every epoch; one when training is done; one for each sentence, with its time; one
after every epoch without a score, where its time is what matters; one for each split and input
condition, over several seeds; one for each output that the paper prints; one after every epoch and
those of the best one; one for each bin of lengths, for each kind of spans and greatest length, for
each kind of spans and length; for what makes sentences shorter one a split, with the rate that it
comes to and with that of the references."""
SEARCHES = ("best-first", "transition-based")
"""What the systems are called where the two kinds of search are compared."""
LISTED = ("split", "pos", "deps", "seed")
"""What ``[evaluate]`` may list; without ``pos`` or ``deps``, a model gets what its training got."""
TABLES = {
    **dict.fromkeys(("paper", "settings", "vary", "evaluate", "plot"), Mapping),
    "rows": list,
}


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


def search_of(system: str) -> str:
    """Which of ``SEARCHES`` a system has; none for the floor."""
    return "" if system == FLOOR else SEARCHES[system == "liu-2015"]


def names() -> list[str]:
    """The experiments that there are: ``["liu-2015-figure-7", ...]``."""
    return sorted(path.stem.replace("_", "-") for path in FOLDER.glob("*.toml"))


def load_specification(name: str) -> Specification:
    """The specification of this name. Raises ``SpecificationError`` if there is none such."""
    if name.replace("_", "-") not in names():
        raise SpecificationError(f"no experiment {name!r}; there are {', '.join(names())}")
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
        return _checked(content, path.stem.replace("_", "-"), hashlib.sha256(data).hexdigest())
    except SpecificationError as error:
        raise SpecificationError(f"{path.name}: {error}") from None


def _checked(content: dict[str, Any], name: str, checksum: str) -> Specification:
    title, measure = (content.pop(key, "") for key in ("title", "measure"))
    if not title or measure not in MEASURES:
        raise SpecificationError(f"needs a title, and a measure that is one of {listed(MEASURES)}")
    for key, value in content.items():
        if key not in TABLES:
            raise SpecificationError(f"has {key!r}; what there may be is {listed(TABLES)}")
        if not isinstance(value, TABLES[key]):
            raise SpecificationError(f"[{key}] is of the wrong kind")
    runs = tuple(_runs(content))
    for setting in content.get("settings", {}):
        if not any(setting in run for run in runs):
            raise SpecificationError(f"no run has a system with the setting {setting!r}")
    evaluate = content.get("evaluate", {})
    _check_lists(evaluate, measure)
    for run in runs:
        check_run(run, evaluate)
    if measure in SPANS and sorted(search_of(run["system"]) for run in runs) != sorted(SEARCHES):
        raise SpecificationError(
            f"{measure} compares two systems: one {' and one '.join(SEARCHES)}"
        )
    if measure == BEST_EPOCH:
        _check_choice(runs)
    _check_shortening(runs, measure)
    paper, plot = content.get("paper", {}), content.get("plot", {})
    check_printed(paper, needed=measure == OUTPUTS)
    return Specification(name, title, measure, runs, paper, plot, checksum, evaluate)


def _runs(content: Mapping[str, Any]) -> list[dict[str, Any]]:
    settings, vary = content.get("settings", {}), content.get("vary", {})
    for name, value in settings.items():
        check_value(name, value)
    for name, values in vary.items():
        if not isinstance(values, list) or not values:
            raise SpecificationError(f"vary.{name} must be a list of values, not {values!r}")
    grid = [dict(zip(vary, values)) for values in product(*vary.values())] if vary else []
    rows = [*grid, *content.get("rows", [])] or [{}]
    return [{**having(row.get("system", settings.get("system")), settings), **row} for row in rows]


def _check_choice(runs: Sequence[Mapping[str, Any]]) -> None:
    """Raise ``SpecificationError`` where the split of a run chooses its epoch, or a system comes
    twice: in tables and comparisons it goes by its name."""
    systems = [run["system"] for run in runs]
    for run in runs:
        if run["split"] == DEV:
            raise SpecificationError(
                f"{BEST_EPOCH} chooses epochs on {DEV}: score on another split, such as test"
            )
        if systems.count(run["system"]) > 1:
            raise SpecificationError(f"{BEST_EPOCH} compares systems: {run['system']} comes twice")


def _check_shortening(runs: Sequence[Mapping[str, Any]], measure: str) -> None:
    """Raise ``SpecificationError`` for a system of the other kind, and where dev would be scored
    twice: it chooses C and the rate."""
    for run in runs:
        if (run["system"] in SHORTENING) != (measure == COMPRESSION):
            raise SpecificationError(f"{run['system']} cannot be measured by {measure!r}")
        if measure == COMPRESSION and run["split"] == DEV:
            raise SpecificationError(
                f"{COMPRESSION} chooses on {DEV}: score on another split, such as test"
            )


def _check_lists(evaluate: Mapping[str, Any], measure: str) -> None:
    if (measure == CONDITIONS) != bool(evaluate):
        raise SpecificationError(f"[evaluate] and the measure {CONDITIONS!r} need each other")
    for name in ("split", "seed") if evaluate else ():
        if name not in evaluate:
            raise SpecificationError(f"[evaluate] has no list {name!r}")
    for name, values in evaluate.items():
        if name not in LISTED:
            raise SpecificationError(f"[evaluate] has {name!r}; it may list {listed(LISTED)}")
        if not isinstance(values, list) or not values:
            raise SpecificationError(f"evaluate.{name} must be a list of values, not {values!r}")
        for value in values:
            check_value(name, value)
        if len(set(values)) < len(values):
            raise SpecificationError(f"evaluate.{name} lists a value twice: {values!r}")
