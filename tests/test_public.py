"""What is public stands in one place, with its signature; run this file to write it anew."""

from __future__ import annotations

import inspect
import re
from pathlib import Path
from typing import Any

import wordorder_lab as wl
from wordorder_lab.systems.model import OrderingModel, TrainedModel

PAGE = Path(__file__).resolve().parent.parent / "docs/reference/public.md"
MODEL = ("order", "save", "search_settings", "unshared", "header", "arrays", "of_parts", "load")
"""Methods that whoever writes a system of one's own has to do with."""
HEAD = """# What is public

These names, as `wordorder_lab.NAME` (usually `import wordorder_lab as wl`), are what programs
outside this package may rely on: a name goes, or its signature changes in a way that breaks a call,
with a new major version only. Beside them the command line, the model file, the event schema and
the form of a specification are public. Everything else, whatever it is called, is internal and may
change with any version.

`tests/test_public.py` holds this page to the code, and writes it: `python tests/test_public.py`.
"""
GROUPS = """
## Entry points

What other packages bring, and of what class it is ([how](../do/own_system.md)):

| group | what it names |
| --- | --- |
| `wordorder_lab.systems` | a `System` |
| `wordorder_lab.measures` | a `Measure` of the same name |
| `wordorder_lab.views` | a `View` |
"""


def signature(name: str, thing: Any) -> str:
    """A line of code: how it is called, or what it is."""
    if not callable(thing):
        return f"{name}: {type(thing).__name__}"
    try:
        told = str(inspect.signature(thing))
    except ValueError:
        told = "(...)"
    told = re.sub(r"(: |-> )'([^']*)'", r"\1\2", told)  # annotations are texts
    told = re.sub(r"ForwardRef\('([^']*)'\)", r"\1", told)
    told = re.sub(r"<factory>|<function \w+[^>]*>", "...", told)
    return f"{'class ' if inspect.isclass(thing) else ''}{name}{told}"


def first_sentence(thing: Any) -> str:
    """What its docstring begins with; of data there is none."""
    told = inspect.getdoc(thing) if callable(thing) else None
    return " ".join((told or "").split("\n\n")[0].split())


def page() -> str:
    """The page as the code has it."""
    lines = [HEAD, "## Names", ""]
    for name in sorted(wl.__all__, key=str.lower):
        thing = getattr(wl, name)
        lines += [f"### {name}", "", "```python", signature(name, thing), "```", ""]
        if told := first_sentence(thing):
            lines += [told, ""]
    lines += ["## A model", "", first_sentence(OrderingModel), ""]
    for name in MODEL:
        method = getattr(wl.OwnModel, name)
        lines += ["```python", signature(f"model.{name}", method), "```", ""]
        lines += [first_sentence(method), ""]
    return "\n".join(lines).rstrip() + "\n" + GROUPS


def test_the_page_is_what_the_code_says() -> None:
    """A name or signature that changed fails here: think of who uses it, then write it anew."""
    assert PAGE.read_text(encoding="utf-8") == page(), "python tests/test_public.py writes it"


def test_public_names_are_there_once() -> None:
    """That each says what it is, the site's pages ask (``test_site.py``)."""
    names = sorted(wl.__all__)
    assert names == sorted(set(names)) and set(names) <= set(dir(wl))
    assert not [name for name in names if name.startswith("_")]


def test_what_a_system_of_ones_own_needs_is_public() -> None:
    from wordorder_lab.systems.own_model import Found, OwnModel
    from wordorder_lab.systems.system import System

    assert issubclass(OwnModel, TrainedModel)
    assert (wl.System, wl.OwnModel, wl.Found) == (System, OwnModel, Found)


if __name__ == "__main__":
    PAGE.parent.mkdir(parents=True, exist_ok=True)
    PAGE.write_text(page(), encoding="utf-8")
