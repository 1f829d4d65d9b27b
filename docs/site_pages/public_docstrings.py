"""What is asked of a public name before the site shows it, in one place.

Five things are asked of every name of ``wordorder_lab.__all__`` and of all public methods,
properties and fields of a class, also of those that it has from a class of ours above it:

*docstring*
    There is one, of ``WORDS`` words at least. A field is told about in its class's docstring, or
    below itself. A function names each of its parameters, but for those that ``SAY_IT`` has.
*types*
    Of every parameter, field and result.
*units*
    A parameter or field that is a number, or has numbers in it, is named in a sentence that says
    what they count or measure, or between what they lie; of a result some sentence does. What says
    so stands in ``UNITS``.
*errors*
    Each exception that its own body raises is named.
*source*
    The docstring names the paper and the section, figure or table that it is from; or the name
    stands, with the reason, in ``OF_NO_PAPER`` (``public_sources.py``).

There is no form to fill in: whoever writes a docstring writes sentences, as before.
"""

from __future__ import annotations

import ast
import inspect
import re
import textwrap
import types
import typing
from collections.abc import Callable, Iterator
from functools import cached_property
from importlib import import_module
from itertools import pairwise
from typing import Any, NamedTuple

import wordorder_lab
from site_pages.page import PACKAGE
from site_pages.public_sources import OF_NO_PAPER, papers_named
from wordorder_lab.trace.events import SCHEMA

WORDS = 4
"""A docstring has so many words at least."""
UNITS = (
    # what is counted
    r"how (?:many|much|often)|numbers? of|(?:as|so) many|each n-th|at (?:least|most)|counts?",
    # a range, or where counting begins
    r"(?:from|between) -?\d+|-?\d+ (?:to|or|and|if|where|for) |whole numbers?|any number",
    # what is measured
    r"seconds|expansions|shares?|probabilit(?:y|ies)|logarithms?|per ?cent|bytes|sums? of",
    # where something stands, and what a row of a frame is
    r"ind(?:ex|ices)|places?|positions?|after so|true where|(?:a|one) row",
)
"""What makes a sentence about a number tell its unit, its range or its meaning."""
UNIT = re.compile(rf"\b(?:{'|'.join(UNITS)})", re.IGNORECASE)
NUMBER = re.compile(r"\b(?:int|float|complex|ndarray|DataFrame)\b")
NEAR = 60
"""How far from a name, in characters, its unit may stand: a sentence may be about several."""
SAY_IT = frozenset({"path", "name_or_path", "engine", "title", "progress", "text", "log", "other"})
"""Parameters whose names say what they are, the same everywhere."""


class Asked(NamedTuple):
    """A function or method by its full name, its docstring, and that of its class if it has one."""

    name: str
    function: types.FunctionType
    docstring: str
    above: str = ""


def lacking(name: str) -> list[str]:
    """What a public name and its members do not say, a line each; nothing if all is well."""
    value, docstring = getattr(wordorder_lab, name), told(name)
    found = [f"{name}: no docstring"] if len(docstring.split()) < WORDS else []
    found += _no_source(name, docstring)
    if inspect.isfunction(value):
        found += _of_function(Asked(name, value, docstring), all_parameters=True)
    if inspect.isclass(value):
        for asked in methods(name, value):
            found += _of_function(asked)
        for field, annotation, owner in _fields(value):
            found += _of_field(f"{name}.{field}", field, annotation, owner, value)
    return found


def told(name: str) -> str:
    """The docstring of a public name; of a constant, what stands below it in its file."""
    value = getattr(wordorder_lab, name)
    if callable(value):
        return inspect.getdoc(value) or ""
    module = import_module(f"{PACKAGE}.{wordorder_lab._PLACES[name]}")
    return _texts_below(ast.parse(inspect.getsource(module)).body).get(name, "")


def methods(name: str, value: type) -> Iterator[Asked]:
    """How one is made, if the class says so itself, and its public methods and properties.

    Not those of events: ``SCHEMA`` tells about them, and the pages of events show that.
    """
    above = inspect.getdoc(value) or ""
    made = vars(value).get("__init__")
    if inspect.isfunction(made) and not _made_elsewhere(value):
        yield Asked(name, made, above)
    seen = set(SCHEMA) if hasattr(value, "edge_update") else set()
    for owner in _of_ours(value):
        for member, given in vars(owner).items():
            function = _function(given)
            if function is not None and not member.startswith("_") and member not in seen:
                seen.add(member)
                docstring = inspect.getdoc(getattr(value, member)) or inspect.getdoc(function) or ""
                yield Asked(f"{name}.{member}", function, docstring, above)


def _made_elsewhere(value: type) -> bool:
    """Whether ``__init__`` is not ours: that of a dataclass is made of its fields."""
    return hasattr(value, "__dataclass_fields__") or getattr(value, "_is_protocol", False)


def _of_ours(value: type) -> list[type]:
    return [one for one in value.__mro__ if one.__module__.partition(".")[0] == PACKAGE]


def _function(given: Any) -> types.FunctionType | None:
    if isinstance(given, staticmethod | classmethod):
        given = given.__func__
    elif isinstance(given, property):
        given = given.fget
    elif isinstance(given, cached_property):
        given = given.func
    return given if inspect.isfunction(given) else None


# --- what one function, one field, one name does not say ------------------------------------------


def _of_function(asked: Asked, all_parameters: bool = False) -> Iterator[str]:
    name, function, docstring, above = asked
    if len(docstring.split()) < WORDS:
        yield f"{name}: no docstring"
    for parameter in inspect.signature(function).parameters.values():
        if parameter.name in ("self", "cls"):
            continue
        if parameter.annotation is parameter.empty:
            yield f"{name}: no type of {parameter.name}"
        elif has_number(parameter.annotation, function):
            if not says_unit(parameter.name, docstring, above):
                yield f"{name}: no unit of {parameter.name}"
        elif all_parameters and not _is_named(parameter.name, docstring):
            yield f"{name}: says nothing of {parameter.name}"
    result = inspect.signature(function).return_annotation
    if result is inspect.Signature.empty:
        yield f"{name}: no type of what it returns"
    elif has_number(result, function) and not UNIT.search(docstring):
        yield f"{name}: no unit of what it returns"
    for error in raised(function):
        if not re.search(rf"\b{error}\b", docstring):
            yield f"{name}: does not say that it raises {error}"


def _fields(value: type) -> Iterator[tuple[str, Any, type]]:
    seen: set[str] = set()
    for owner in _of_ours(value):
        for field, annotation in vars(owner).get("__annotations__", {}).items():
            if not field.startswith("_") and field not in seen:
                seen.add(field)
                yield field, annotation, owner


def _of_field(name: str, field: str, annotation: Any, owner: type, value: type) -> Iterator[str]:
    (body,) = ast.parse(textwrap.dedent(inspect.getsource(owner))).body
    below = _texts_below(getattr(body, "body", [])).get(field, "")
    docstrings = [inspect.getdoc(one) or "" for one in _of_ours(value)]
    if not below and not any(sentences(field, one) for one in docstrings):
        yield f"{name}: no docstring"
    elif has_number(annotation, owner):
        yield from (
            [] if UNIT.search(below) or says_unit(field, *docstrings) else [f"{name}: no unit"]
        )


def _no_source(name: str, docstring: str) -> list[str]:
    named = papers_named(docstring)
    if name in OF_NO_PAPER:
        return [f"{name}: names a paper, and is among those of no paper"] if named else []
    return [] if named else [f"{name}: no source"]


# --- reading --------------------------------------------------------------------------------------


def sentences(name: str, docstring: str) -> list[str]:
    """The sentences in which the name stands as code: ``k``, ``heads[i]``, ``beam=2``."""
    found = re.split(r"(?<=[.;])\s+|\n\n", docstring)
    return [one for one in found if re.search(rf"``{re.escape(name)}\b[^`]*``", one)]


def says_unit(name: str, *docstrings: str) -> bool:
    """Whether a sentence about this name says what its numbers are, and near to the name."""
    told = (one for text in docstrings for one in sentences(name, text))
    return any(UNIT.search(near) for one in told for near in _near(name, one))


def _near(name: str, sentence: str) -> Iterator[str]:
    """What stands around the name in a sentence: ``NEAR`` characters on both sides."""
    for found in re.finditer(rf"``{re.escape(name)}\b[^`]*``", sentence):
        yield sentence[max(0, found.start() - NEAR) : found.end() + NEAR]


def _is_named(name: str, docstring: str) -> bool:
    """Whether the docstring has the name, or the word that it is: "these pairs" for ``pairs``."""
    return name in SAY_IT or re.search(rf"\b{name.rstrip('s')}s?\b", docstring) is not None


def has_number(annotation: Any, where: Any) -> bool:
    """Whether a type is a number or has numbers in it; names of types are looked up."""
    if isinstance(annotation, type):
        text = annotation.__name__
    else:
        text = getattr(annotation, "__forward_arg__", None) or str(annotation)
    if NUMBER.search(text):
        return True
    module = inspect.getmodule(where)
    named = [getattr(module, word, None) for word in re.findall(r"\b[A-Z]\w+\b", text)]
    return any(NUMBER.search(repr(one)) for one in named if _is_data(one))


def _is_data(alias: Any) -> bool:
    """Whether the name of a type stands for values, and not for a function or a class."""
    return typing.get_origin(alias) not in (None, Callable)


def raised(function: types.FunctionType) -> list[str]:
    """The exceptions that stand behind ``raise`` in the body of a function, and leave it."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
    caught = {
        inside
        for node in ast.walk(tree)
        if isinstance(node, ast.Try) and node.handlers
        for statement in node.body
        for inside in ast.walk(statement)
    }
    raising = [node for node in ast.walk(tree) if isinstance(node, ast.Raise)]
    made = [
        node.exc.func for node in raising if isinstance(node.exc, ast.Call) and node not in caught
    ]
    return sorted({one.id for one in made if isinstance(one, ast.Name) and one.id[:1].isupper()})


def _texts_below(body: list[ast.stmt]) -> dict[str, str]:
    """Name -> the text that stands below its assignment."""
    found: dict[str, str] = {}
    for one, after in pairwise(body):
        target = one.targets[0] if isinstance(one, ast.Assign) else getattr(one, "target", None)
        match after:
            case ast.Expr(ast.Constant(str(text))) if isinstance(target, ast.Name):
                found[target.id] = inspect.cleandoc(text)
    return found
