"""Results as JSON and back: what a notebook's searches came to, read without running anything.

Kept are plain values, numbers and arrays of numpy, trees, categories, and what our own data
classes, named tuples and classes with ``__getstate__`` hold. A file names such a class, and only
classes of this package are made again, by their fields alone: no code of a file is ever called.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import fields, is_dataclass
from importlib import import_module
from typing import Any

import numpy as np

from wordorder_lab.structures.category import Category
from wordorder_lab.structures.plain_tree import Tree

OURS = "wordorder_lab."
SEQUENCES: dict[str, Any] = {"list": list, "tuple": tuple, "set": set, "frozenset": frozenset}
MAPPINGS: dict[str, Any] = {"dict": dict, "Counter": Counter}


def to_plain(value: Any) -> Any:
    """A value as JSON holds it. Raises ``TypeError`` for one of another kind."""
    if isinstance(value, np.generic):  # some of them are Python's numbers, too
        return value.item()
    if value is None or isinstance(value, str | bool | int | float):
        return value
    if isinstance(value, np.ndarray) and value.dtype.kind in "biuf":
        return ["array", str(value.dtype), value.tolist()]
    if isinstance(value, Category):
        return ["category", value.text]
    if isinstance(value, Tree):
        return ["tree", _name(type(value)), value.label(), *map(to_plain, value)]
    kind = type(value)
    if kind.__name__ in SEQUENCES and kind is SEQUENCES[kind.__name__]:
        ordered = sorted(value, key=repr) if isinstance(value, set | frozenset) else value
        return [kind.__name__, *map(to_plain, ordered)]
    if kind.__name__ in MAPPINGS and kind is MAPPINGS[kind.__name__]:
        return [kind.__name__, *([to_plain(k), to_plain(v)] for k, v in value.items())]
    if kind.__module__.startswith(OURS):
        return ["ours", _name(kind), to_plain(_state(value))]
    raise TypeError(f"no plain form of a {kind.__name__}")


def from_plain(value: Any) -> Any:
    """What ``to_plain`` gave. Raises ``ValueError`` for what is none of it."""
    if not isinstance(value, list):
        return value
    kind, *parts = value
    if kind == "tree":
        return _class(parts[0], Tree)(parts[1], [from_plain(one) for one in parts[2:]])
    if kind == "array":
        return np.array(parts[1], parts[0])
    if kind == "category":
        return Category.parse(parts[0])
    if kind in SEQUENCES:
        return SEQUENCES[kind](from_plain(one) for one in parts)
    if kind in MAPPINGS:
        return MAPPINGS[kind]({from_plain(name): from_plain(one) for name, one in parts})
    if kind == "ours":
        return _made(_class(parts[0]), from_plain(parts[1]))
    raise ValueError(f"no plain value is a {kind!r}")


def _name(kind: type) -> str:
    if kind.__module__.startswith("nltk.") or kind is Tree:
        return ""
    return f"{kind.__module__}:{kind.__qualname__}"


def _class(name: str, of: type = object) -> Any:
    module, _, kind = name.partition(":")
    if not name:
        return Tree
    found = getattr(import_module(module), kind, None) if module.startswith(OURS) else None
    if not isinstance(found, type) or not issubclass(found, of):
        raise ValueError(f"{name!r} is no class of this package")
    return found


def _state(value: Any) -> Any:
    if isinstance(value, tuple):
        return tuple(value)
    if is_dataclass(value) and not isinstance(value, type):
        return {one.name: getattr(value, one.name) for one in fields(value)}
    if "__getstate__" in vars(type(value)):
        return value.__getstate__()
    raise TypeError(f"no plain form of a {type(value).__name__}")


def _made(kind: Any, state: Any) -> Any:
    if isinstance(state, tuple):
        return kind._make(state)
    one = kind.__new__(kind)
    for name, value in state.items():
        object.__setattr__(one, name, value)
    return one
