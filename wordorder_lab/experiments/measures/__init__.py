"""What an experiment measures: a file for each measure (or for a few of a kind), found by name.

A file holds how its measure is run, its tables and its pictures together, and lists it in
``MEASURES``; what is long to print and to draw may stand beside it, in a ``_report`` of its name.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from wordorder_lab.experiments.measures.measure import Measure


@cache
def all_measures() -> Mapping[str, Measure]:
    """Every measure that a file of this folder has, by its name, in the order of the names.

    Raises ``ValueError`` where two files have one of the same name.
    """
    known: dict[str, Measure] = {}
    for module in pkgutil.iter_modules(__path__):
        listed = getattr(importlib.import_module(f"{__name__}.{module.name}"), "MEASURES", ())
        for measure in listed:
            if measure.name in known:
                raise ValueError(f"two measures are called {measure.name!r}")
            known[measure.name] = measure
    return dict(sorted(known.items()))
