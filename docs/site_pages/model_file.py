"""What is in a model's file: read off a small model that is trained, saved and opened here."""

from __future__ import annotations

import inspect
import json
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

import wordorder_lab
from site_pages.page import Page, escaped, front, table
from wordorder_lab.models import model_file

SENTENCES = 20
"""Of the Gazette: enough for a header that has everything."""


def pages() -> list[Page]:
    """The file's layout, and header and arrays of a real one."""
    header, arrays = small_model()
    fields = [
        (f"`{name}`", f"`{type(value).__name__}`", f"`{_brief(value)}`")
        for name, value in header.items()
    ]
    rows = [(f"`{name}`", f"`{kind}`", f"`{shape}`") for name, kind, shape in arrays]
    return [
        Page(
            "reference/model_file.md",
            "\n".join(
                [
                    front("Model file"),
                    "# Model file\n",
                    escaped(inspect.getdoc(model_file) or ""),
                    "\n## The header\n",
                    f"Of a `liu-2015` that was trained on {SENTENCES} sentences of the Gazette "
                    "when this page was made:\n",
                    table(("field", "type", "here"), fields),
                    "## The arrays\n",
                    table(("array", "type", "shape"), rows),
                ]
            ),
        )
    ]


@cache
def trained() -> Any:
    """A small model, the same one for every page that needs one."""
    train = wordorder_lab.load_corpus("gazette").train[:SENTENCES]
    return wordorder_lab.train("liu-2015", train, beam=4, epochs=1, seed=1, engine="reference")


@cache
def small_model() -> tuple[dict[str, Any], list[tuple[str, str, str]]]:
    """Header, and name, type and shape of each array, of a model that is trained for this."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "small.wol"
        trained().save(path)
        header, arrays = model_file.load_arrays(path)
    found = [(name, str(arrays[name].dtype), str(arrays[name].shape)) for name in sorted(arrays)]
    return dict(header), found


def _brief(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False).replace("`", "'").replace("|", "/")
    return text if len(text) <= 80 else f"{text[:77]}..."
