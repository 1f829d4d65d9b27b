"""The Python interface: one page for each name of ``wordorder_lab.__all__``.

The pages ask mkdocstrings for signature, types and docstring. What a reader needs is asked for in
``public_docstrings``: a public name without docstring, types, units or source stops the build. Two
classes have a method for each kind of event; what those say stands on the page of events.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

import wordorder_lab
from site_pages.page import PACKAGE, Page, escaped, front, table
from site_pages.public_docstrings import lacking, told
from site_pages.public_sources import OF_NO_PAPER, PAPERS, papers_named
from site_pages.source_pages import page_of
from wordorder_lab.trace.events import SCHEMA

WITH_EVENTS = {
    "EventLog": "Beside these it has a method for each kind of event, which appends one",
    "Trace": "A method for each kind of event",
}
"""Classes whose methods are the kinds of events, and how their pages say so."""

MADE_BY = "      merge_init_into_class: true"
"""A class begins with what it is made of, with types: also a dataclass, whose fields these are."""


def pages() -> list[Page]:
    """An overview and a page a name. Raises ``ValueError`` naming all that say too little."""
    names = wordorder_lab.__all__
    if wrong := [line for name in names for line in lacking(name)]:
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
    value = getattr(wordorder_lab, name)
    if not callable(value):
        return f"{PACKAGE}.{wordorder_lab._PLACES[name]}.{name}"
    return f"{value.__module__}.{value.__qualname__}"


def _first_line(name: str) -> str:
    return told(name).split("\n\n")[0].replace("\n", " ")


def _text(name: str) -> str:
    """A page: what mkdocstrings makes of the name, its events if it has any, its source."""
    parts = [front(f"wl.{name}"), f"# `wl.{name}`\n", f"::: {place(name)}", "    options:"]
    parts += ["      members: false"] if name == "Trace" else [MADE_BY]
    if name in WITH_EVENTS:
        parts += [f"\n## Events\n\n{WITH_EVENTS[name]}: {_methods_of_events()}.\n"]
    return "\n".join([*parts, f"\n## Source\n\n{source(name)}\n"])


def _methods_of_events() -> str:
    """All kinds of events as calls, each a link to what it says."""
    return ", ".join(
        f"[`{kind}({', '.join(told.columns)})`](../events.md#{kind})"
        for kind, told in SCHEMA.items()
    )


def source(name: str) -> str:
    """The papers that a name is from, or why it is from none; and the file that has it."""
    file = file_of(name)
    papers = "\n".join(f"- {PAPERS[paper]}" for paper in papers_named(told(name)))
    from_where = papers or f"Of no paper: {OF_NO_PAPER[name]}."
    return f"{from_where}\n\nIn the file [`{file}`](../../{page_of(file)})."


def files_named() -> list[str]:
    """The files that have public names, each once; each has a page."""
    return list(dict.fromkeys(file_of(name) for name in wordorder_lab.__all__))


def file_of(name: str) -> str:
    """The file in which a public name is defined: ``wordorder_lab/structures/bag.py``."""
    module: Any = import_module(place(name).rpartition(".")[0])
    file = module.__name__.replace(".", "/")
    return f"{file}/__init__.py" if hasattr(module, "__path__") else f"{file}.py"
