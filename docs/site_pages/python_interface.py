"""The Python interface: one page for each name of ``wordorder_lab.__all__``.

The pages ask mkdocstrings for signature, types and docstring. What a reader needs is asked for
here: a public name without docstring, or a function without types, stops the build.
"""

from __future__ import annotations

import inspect
from typing import Any

import wordorder_lab
from site_pages.page import PACKAGE, Page, escaped, front, table

CONSTANTS = {"SIGNS": f"{PACKAGE}.structures.derivation.SIGNS"}
"""What has no ``__module__`` of its own."""


def pages() -> list[Page]:
    """An overview and a page a name. Raises ``ValueError`` naming all that say too little."""
    names = wordorder_lab.__all__
    if wrong := [f"{name}: {what}" for name in names for what in lacking(name)]:
        raise ValueError("public names that say too little: " + "; ".join(wrong))
    rows = [(f"[`{name}`]({name}.md)", escaped(_first_line(name))) for name in names]
    about = "`import wordorder_lab as wl`, and what stands here is `wl.` something.\n\n"
    overview = f"{front('Python')}# Python\n\n{about}{table(('name', ''), rows)}"
    return [
        Page("reference/python/index.md", overview),
        *(Page(f"reference/python/{name}.md", _text(name)) for name in names),
    ]


def place(name: str) -> str:
    """Where a public name is defined: ``wordorder_lab.structures.bag.WordBag``."""
    if name in CONSTANTS:
        return CONSTANTS[name]
    value = getattr(wordorder_lab, name)
    return f"{value.__module__}.{value.__qualname__}"


def lacking(name: str) -> list[str]:
    """What a public name does not say: docstring, types of parameters, of the result."""
    value: Any = getattr(wordorder_lab, name)
    if name in CONSTANTS:
        return []
    found = [] if inspect.getdoc(value) else ["no docstring"]
    if inspect.isfunction(value):
        parameters = inspect.signature(value).parameters
        untyped = [p for p in parameters if p not in value.__annotations__]
        found += [f"no type of {', '.join(untyped)}"] if untyped else []
        found += [] if "return" in value.__annotations__ else ["no type of what it returns"]
    return found


def _first_line(name: str) -> str:
    if name in CONSTANTS:
        return "A table of the package."
    return (inspect.getdoc(getattr(wordorder_lab, name)) or "").split("\n\n")[0].replace("\n", " ")


def _text(name: str) -> str:
    return f"{front(f'wl.{name}')}# `wl.{name}`\n\n::: {place(name)}\n"
