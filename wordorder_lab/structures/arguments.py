"""``@checks_arguments``: a public function says in a line which argument is of a wrong type.

What a function takes is what its annotations say. They are read at its first call; a name that
is imported for type checkers alone stands for any class of that name. As in typing, a whole number
is a number, too, numpy's numbers are numbers, and a string is no list of strings. What is
ordered (``Words``) is looked at by ``as_bag``, which says more.
"""

from __future__ import annotations

import builtins
import inspect
import os
import sys
import types
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from functools import wraps
from numbers import Integral, Real
from typing import (
    Any,
    ForwardRef,
    Literal,
    ParamSpec,
    TypeVar,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

from wordorder_lab.structures.messages import cited

P = ParamSpec("P")
R = TypeVar("R")
Fits = Callable[[Any], bool]

NUMBERS: dict[Any, tuple[type, str]] = {
    int: (Integral, "a whole number"),
    float: (Real, "a number"),
    bool: (Integral, "True or False"),
}
"""Of what class a value of each type is (numpy's, too), and what a message calls it."""
NAMES = {str: "a string", Any: "anything", None: "None", os.PathLike: "a path"}
LISTS: dict[Any, str] = {Sequence: "a list", Iterable: "a list", tuple: "a list", list: "a list"}


class WrongArgumentError(TypeError, ValueError):
    """An argument of a wrong type; a ``ValueError``, too, like all that is said of bad input."""


def checks_arguments(function: Callable[P, R]) -> Callable[P, R]:
    """The function; it raises ``WrongArgumentError`` for what its annotations exclude.

    A method is decorated below ``classmethod`` or ``staticmethod``. Lists and tables are looked at
    item by item; an iterator is not, since looking would use it up.
    """
    signature = inspect.signature(function)
    places = [name for name, one in signature.parameters.items() if one.kind in (0, 1)]
    others = next((name for name, one in signature.parameters.items() if one.kind == 2), "")
    takes: dict[str, tuple[Fits, str]] = {}

    def check(name: str, value: object) -> None:
        if name in takes and not takes[name][0](value):
            what, given = takes[name][1], cited(value)
            raise WrongArgumentError(f"{_called(function)}({name}=...) takes {what}, not {given}")

    @wraps(function)
    def call(*args: P.args, **kwargs: P.kwargs) -> R:
        if not takes:
            takes.update(_taken(function, signature) or {"": (callable, "")})
        for name, value in zip(places, args):
            check(name, value)
        for value in args[len(places) :]:
            check(others, value)
        for name, value in kwargs.items():
            check(name, value)
        return function(*args, **kwargs)

    return call


def _called(function: Callable[..., Any]) -> str:
    """Its name; of a constructor that of the class."""
    return function.__qualname__.removesuffix(".__init__").rpartition(".")[2]


def _taken(function: Any, signature: inspect.Signature) -> dict[str, tuple[Fits, str]]:
    """Of each parameter whether a value fits, and what a message calls such values."""
    said = {
        name: one.annotation
        for name, one in signature.parameters.items()
        if one.annotation not in (one.empty, "Words") and one.kind != one.VAR_KEYWORD
    }
    names = _Names(vars(sys.modules[function.__module__]))
    kinds = get_type_hints(types.SimpleNamespace(__annotations__=said), {}, names)
    return {name: (_fits(kind), _told(kind)) for name, kind in kinds.items()}


class _Names(dict[str, Any]):
    """The names of a module, and what it imports for type checkers alone."""

    def __missing__(self, name: str) -> Any:
        known = getattr(builtins, name, None)
        return ForwardRef(name) if known is None else known


def _fits(kind: Any) -> Fits:
    """Whether a value is of this type."""
    origin, inside = get_origin(kind), get_args(kind)
    if kind is None or kind is types.NoneType:
        return lambda value: value is None
    if origin in (Union, types.UnionType):
        several = [_fits(one) for one in inside]
        if any(get_origin(one) is os.PathLike for one in inside):  # no path has a NUL in it
            return lambda value: "\0" not in str(value) and any(fits(value) for fits in several)
        return lambda value: any(fits(value) for fits in several)
    if origin is Literal:
        return lambda value: value in inside
    if kind in NUMBERS:
        number = NUMBERS[kind][0]
        numpy_bool = "bool", "bool_"  # its name before numpy 2
        return lambda value: (
            isinstance(value, number) or (kind is bool and type(value).__name__ in numpy_bool)
        )
    if isinstance(kind, ForwardRef):
        named = kind.__forward_arg__.rpartition(".")[2]
        return lambda value: any(one.__name__ == named for one in type(value).__mro__)
    if origin in LISTS:
        return _fits_list(origin, inside)
    if origin is Mapping:
        keys, values = map(_fits, inside)
        return lambda value: (
            isinstance(value, Mapping) and all(keys(one) and values(value[one]) for one in value)
        )
    if getattr(kind, "_is_protocol", False):
        return _fits_protocol(kind)
    of_class = origin or kind
    if isinstance(of_class, type) and of_class not in (Any, object):
        return lambda value: isinstance(value, of_class)
    return lambda value: True


def _fits_list(origin: Any, inside: tuple[Any, ...]) -> Fits:
    each = [_fits(one) for one in inside if one is not ...]
    lengths = len(each) if origin is tuple and ... not in inside else None
    whole: Any = {tuple: Sequence, list: list}.get(origin, Iterable)  # a list does for a tuple

    def fits(value: Any) -> bool:
        if isinstance(value, str | bytes) or not isinstance(value, whole):
            return False
        if isinstance(value, Mapping) and origin is not Iterable:
            return False
        if origin is Sequence and not (hasattr(value, "__len__") and hasattr(value, "__getitem__")):
            return False
        ours = type(value).__module__.startswith("wordorder_lab.") and hasattr(value, "__len__")
        if not each or not (ours or isinstance(value, Set) or hasattr(value, "__getitem__")):
            return True  # an iterator, even if it knows its length
        if lengths is not None:
            return len(value) == lengths and all(one(item) for one, item in zip(each, value))
        return all(map(each[0], value))

    return fits


def _fits_protocol(kind: Any) -> Fits:
    """Whether a value has what the protocol names; a class has none of its objects' things.

    Of the events of a trace, whoever listens may have those alone that a search sends: ``begin``
    is always among them.
    """
    names = [name for name in dir(kind) if not name.startswith("_")]
    names = names or [name for name in ("__call__", "__len__", "__iter__") if name in vars(kind)]
    names = ["begin"] if kind.__name__ == "Trace" else names
    return lambda value: not isinstance(value, type) and all(hasattr(value, name) for name in names)


def _told(kind: Any) -> str:
    """What a message calls values of this type: ``a list, each item a string or None``."""
    origin, inside = get_origin(kind), get_args(kind)
    if origin in (Union, types.UnionType):
        return " or ".join(dict.fromkeys(map(_told, inside)))
    if origin in LISTS:
        each = [one for one in inside if one is not ...]
        several = origin is tuple and ... not in inside
        if several:
            return f"{LISTS[origin]} ({', '.join(map(_told, each))})"
        return LISTS[origin] + ("" if each == [Any] else f", each item {_told(each[0])}")
    if kind in NUMBERS:
        return NUMBERS[kind][1]
    if (known := NAMES.get(origin or kind)) is not None:
        return known
    if kind is types.NoneType:
        return "None"
    if origin is Literal:
        return " or ".join(map(repr, inside))
    if origin is Mapping:
        return "a table"
    if origin is Callable:
        return "a function"
    name = str(getattr(kind, "__forward_arg__", getattr(origin or kind, "__name__", kind)))
    return f"{'an' if name[0] in 'AEIO' else 'a'} {name}"
