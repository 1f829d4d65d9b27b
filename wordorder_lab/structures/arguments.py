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
import typing
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from functools import wraps
from itertools import chain, repeat
from numbers import Integral, Real
from typing import Any, ForwardRef, Literal, NamedTuple, ParamSpec, TypeVar

from wordorder_lab.structures.messages import cited

P = ParamSpec("P")
R = TypeVar("R")

NUMBERS: dict[object, tuple[str, type]] = {
    int: ("a whole number", Integral),
    float: ("a number", Real),
    bool: ("True or False", Integral),
}
NAMES: dict[object, str] = {str: "a string", os.PathLike: "a path", Callable: "a function"}
LISTS: dict[object, type] = {Sequence: Iterable, Iterable: Iterable, tuple: Sequence, list: list}
"""Annotation -> what a value must be at least: a list does for a tuple."""


class Kind(NamedTuple):
    """What an annotation takes: what a message calls such values, whether a value is one, and
    whether its class alone decides that, so that one look at each class is enough."""

    name: str
    fits: Callable[[object], bool]
    by_class: bool = True


ANYTHING = Kind("anything", lambda _: True)


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
    kinds: dict[str, Kind] = {}
    known: set[tuple[str, type]] = set()

    @wraps(function)
    def call(*args: P.args, **kwargs: P.kwargs) -> R:
        if not kinds:
            kinds.update(_kinds(function, signature) or {"": ANYTHING})
        for name, value in (*zip(chain(places, repeat(others)), args), *kwargs.items()):
            if (name, type(value)) in known:
                continue
            kind = kinds.get(name, ANYTHING)
            if not kind.fits(value):
                called = function.__qualname__.removesuffix(".__init__").rpartition(".")[2]
                given = cited(value)
                raise WrongArgumentError(f"{called}({name}=...) takes {kind.name}, not {given}")
            if kind.by_class:
                known.add((name, type(value)))
        return function(*args, **kwargs)

    return call


def _kinds(function: Callable[..., object], signature: inspect.Signature) -> dict[str, Kind]:
    annotations = {
        name: one.annotation
        for name, one in signature.parameters.items()
        if one.annotation not in (one.empty, "Words") and one.kind != one.VAR_KEYWORD
    }
    names = _Names(vars(sys.modules[function.__module__]))
    hints = typing.get_type_hints(types.SimpleNamespace(__annotations__=annotations), {}, names)
    return {name: _kind(hint) for name, hint in hints.items()}


class _Names(dict[str, object]):
    """The names of a module, and what it imports for type checkers alone."""

    def __missing__(self, name: str) -> object:
        known = getattr(builtins, name, None)
        return ForwardRef(name) if known is None else known


def _kind(hint: Any) -> Kind:
    origin, parts = typing.get_origin(hint), typing.get_args(hint)
    if hint is None or hint is types.NoneType:
        return Kind("None", lambda value: value is None)
    if origin in (typing.Union, types.UnionType):
        return _kind_of_union(parts)
    if origin is Literal:
        return Kind(" or ".join(map(repr, parts)), lambda value: value in parts, False)
    if hint in NUMBERS:
        name, number = NUMBERS[hint]
        # numpy's bool is none of Python's numbers; its name changed with numpy 2.
        also = ("bool", "bool_") if hint is bool else ()
        return Kind(name, lambda value: isinstance(value, number) or type(value).__name__ in also)
    if origin in LISTS:
        return _kind_of_list(origin, parts)
    if origin is Mapping:
        keys, values = map(_kind, parts)
        return Kind(
            "a table",
            lambda table: (
                isinstance(table, Mapping)
                and all(keys.fits(one) and values.fits(table[one]) for one in table)
            ),
            by_class=False,
        )
    if getattr(hint, "_is_protocol", False):
        return _kind_of_protocol(hint)
    name = getattr(hint, "__forward_arg__", getattr(origin or hint, "__name__", str(hint)))
    called = NAMES.get(origin or hint) or f"{'an' if name[0] in 'AEIO' else 'a'} {name}"
    if isinstance(hint, ForwardRef):
        last = name.rpartition(".")[2]
        return Kind(called, lambda value: any(one.__name__ == last for one in type(value).__mro__))
    of_class = origin or hint
    if not isinstance(of_class, type) or of_class is object or hint is Any:
        return ANYTHING
    return Kind(called, lambda value: isinstance(value, of_class))


def _kind_of_union(parts: Sequence[object]) -> Kind:
    several = [_kind(one) for one in parts]
    is_path = any(typing.get_origin(one) is os.PathLike for one in parts)
    return Kind(
        " or ".join(dict.fromkeys(one.name for one in several)),
        lambda value: (
            not (is_path and "\0" in str(value))  # no path has a NUL in it
            and any(one.fits(value) for one in several)
        ),
        by_class=not is_path and all(one.by_class for one in several),
    )


def _kind_of_list(origin: object, parts: Sequence[object]) -> Kind:
    each = [_kind(one) for one in parts if one is not ...]
    is_row = origin is tuple and ... not in parts  # each place has a kind of its own
    names = [one.name for one in each]
    items = f" ({', '.join(names)})" if is_row else f", each item {names[0]}"

    def fits(value: Any) -> bool:
        is_list: bool = isinstance(value, LISTS[origin])
        if isinstance(value, str | bytes) or not is_list:
            return False
        if isinstance(value, Mapping) and origin is not Iterable:
            return False
        has_items, has_length = hasattr(value, "__getitem__"), hasattr(value, "__len__")
        if origin is Sequence and not (has_items and has_length):
            return False
        ours = type(value).__module__.startswith("wordorder_lab.") and has_length
        if not each or not (ours or isinstance(value, Set) or has_items):
            return True  # an iterator, even if it knows its length
        if is_row:
            return len(value) == len(each) and all(k.fits(item) for k, item in zip(each, value))
        return all(map(each[0].fits, value))

    return Kind(f"a list{'' if each == [ANYTHING] else items}", fits, by_class=False)


def _kind_of_protocol(hint: Any) -> Kind:
    """What has all that the protocol names; of a ``Trace`` some events will do, ``begin`` among
    them."""
    names = [name for name in dir(hint) if not name.startswith("_")]
    names = names or [name for name in ("__call__", "__len__", "__iter__") if name in vars(hint)]
    names = ["begin"] if hint.__name__ == "Trace" else names
    return Kind(
        f"{'an' if hint.__name__[0] in 'AEIO' else 'a'} {hint.__name__}",
        lambda value: not isinstance(value, type) and all(hasattr(value, one) for one in names),
        by_class=False,
    )
