"""What a run of an experiment may set, and what of it goes to training and to the search."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from wordorder_lab.systems import (
    COMPRESSORS,
    SYSTEMS,
    search_names,
    training_names,
    training_settings,
)

FLOOR = "random-order"
"""The system that needs no training."""
KEEP_ALL, RANDOM_DELETION = "keep-all", "random-deletion"
SHORTENING = (*COMPRESSORS, KEEP_ALL, RANDOM_DELETION)
"""The systems that make sentences shorter; the last two need no training."""
PAIRS = "pairs"
"""The ``units`` of what learns from pairs of trees."""
GRID = "grid"
"""The values of C from which the dev split chooses; one that learns from pairs may have it."""
DEV = "dev"
"""The split on which what was trained is chosen."""
DECODE = "decode_"
"""Begins what is told to the search and not to the training."""
SETTINGS: dict[str, tuple[type, ...]] = {
    **dict.fromkeys(
        ("system", "corpus", "split", "units", "templates", "update", "engine"), (str,)
    ),
    **dict.fromkeys(("chart", "negatives", "decode_chart", "decode_default"), (str,)),
    **dict.fromkeys(("signature", "decode_signature"), (str,)),
    **dict.fromkeys(("beam", "epochs", "seed", "seen", "expansions", "max_length"), (int,)),
    **dict.fromkeys(("decode_beam", "decode_expansions"), (int,)),
    **dict.fromkeys(("pos", "deps", "decode_seconds", "decode_memory"), (int, float)),
    **dict.fromkeys(("shuffle", "averaged", "scored_as_trained"), (bool,)),
    **dict.fromkeys(("choice", "loss", "gold", "formulation", "decode_search"), (str,)),
    **dict.fromkeys(("depth", "variables", "nodes", "targets", "order"), (int,)),
    **dict.fromkeys(("max_iterations",), (int,)),
    **dict.fromkeys(("C", "scaling", "penalty", "tolerance"), (int, float)),
    GRID: (list,),
}
"""What a run may set, with its types."""
NEEDED = ("system", "corpus", "split", "units")
"""What every run says; training is not told: it is given the sentences."""
FOR_ALL = (*NEEDED, "engine", "max_length", "scored_as_trained")
"""What a run may set whatever its system; of one that has no ``max_length``, the runner leaves the
longer sentences out. Among conditions, a model ``scored_as_trained`` has its own alone."""


class SpecificationError(ValueError):
    """A specification is missing or says something that cannot be run."""


def having(system: Any, settings: Mapping[str, Any]) -> dict[str, Any]:
    """Those of the common settings that a system has."""
    if system in SHORTENING and system not in COMPRESSORS:
        return {name: settings[name] for name in (*NEEDED, "seed") if name in settings}
    if system not in (*SYSTEMS, *COMPRESSORS):
        return dict(settings)
    return {name: value for name, value in settings.items() if name in _names_of(system)}


def _names_of(system: str) -> tuple[str, ...]:
    searching = (f"{DECODE}{name}" for name in search_names(system))
    own = (GRID,) if system in COMPRESSORS else ()
    return (*FOR_ALL, *training_names(system), *searching, *own)


def for_training(run: Mapping[str, Any]) -> dict[str, Any]:
    """What a run's training is told."""
    known = (*training_names(run["system"]), "engine")
    return {name: value for name, value in run.items() if name in known}


def for_search(run: Mapping[str, Any]) -> dict[str, Any]:
    """What the search that scores a run's model is told."""
    names = [name for name in run if name.startswith(DECODE)]
    return {name.removeprefix(DECODE): run[name] for name in names}


def check_run(run: Mapping[str, Any], lists: Mapping[str, Any]) -> None:
    """Raise ``SpecificationError`` for what a run cannot set; ``lists`` are those of conditions."""
    for name in NEEDED:
        if name not in run and name not in lists:
            raise SpecificationError(f"a run has no {name!r}: put it into [settings]")
    for name, value in run.items():
        check_value(name, value)
    if (run.get("units") == PAIRS) != (run["system"] in SHORTENING):
        raise SpecificationError(f"{listed(SHORTENING)}, and they alone, take {PAIRS!r} as units")
    if run["system"] in (KEEP_ALL, RANDOM_DELETION):
        return
    if run["system"] == FLOOR:
        if lists:
            raise SpecificationError(f"{FLOOR} uses nothing it is given: conditions are for models")
        return
    _check_system(run)


def _check_system(run: Mapping[str, Any]) -> None:
    system = run["system"]
    every = (*SYSTEMS, *COMPRESSORS)
    if system not in every:
        raise SpecificationError(f"no system {system!r}; there are {listed(every)}")
    known = _names_of(system)
    for name in run:
        if name not in known:
            raise SpecificationError(f"{system} has no {name!r}; it has {listed(known)}")
    try:
        training_settings(system, **{k: v for k, v in for_training(run).items() if k != "engine"})
    except ValueError as error:
        raise SpecificationError(str(error)) from None


def check_value(name: str, value: Any) -> None:
    """Raise ``SpecificationError`` for a setting that there is not, or a value of another kind."""
    if name not in SETTINGS:
        raise SpecificationError(f"no setting is called {name!r}; there are {listed(SETTINGS)}")
    fits = isinstance(value, SETTINGS[name]) and isinstance(value, bool) == (bool in SETTINGS[name])
    if not fits:
        raise SpecificationError(f"{name} cannot be {value!r}")
    if name in ("beam", "epochs") and value < 1:
        raise SpecificationError(f"{name} is at least 1, not {value}")
    if name in ("pos", "deps") and not 0 <= value <= 1:
        raise SpecificationError(f"{name} is a share between 0 and 1, not {value}")
    if name == GRID and not (value and all(_is_positive(one) for one in value)):
        raise SpecificationError(f"{name} is a list of numbers above 0, not {value!r}")


def _is_positive(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and value > 0


def listed(names: Iterable[str]) -> str:
    """Names in a row."""
    return ", ".join(names)
