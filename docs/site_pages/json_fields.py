"""The fields of JSON: what commands write, as they wrote it when the page was made; and records.

A command is run on a small model, and every field it wrote is listed with its type and its value.
"""

from __future__ import annotations

import io
import json
import tempfile
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

from site_pages.model_file import trained
from site_pages.page import ROOT, Page, front, table
from wordorder_lab.cli import main
from wordorder_lab.experiments.records import record_file
from wordorder_lab.widgets.moments import MomentData

BAG = "won [the cup] [the robin] ."
SENTENCES = 10
"""Of the Gazette's development part, on which the small model is evaluated."""
ENGINE = ["--engine", "reference", "--beam", "4", "--quiet"]
RUN = {
    "order": ["order", BAG, "--k", "2", "--model", "{model}", *ENGINE],
    "evaluate": [
        "evaluate",
        "--split",
        "dev",
        "--corpus",
        "{corpus}",
        "--model",
        "{model}",
        *ENGINE,
    ],
    "train": [
        "train",
        "liu-2015",
        "--corpus",
        "{corpus}",
        "--epochs",
        "1",
        "--out",
        "{out}",
        *ENGINE,
    ],
    "corpora": ["corpora", "{corpus}"],
}
"""Commands as they are run for this page; names in braces are files."""
NOT_RUN = {
    "reproduce": "writes the record, which is told below",
    "doctor": "tells of your machine",
    "score": "needs outputs and references of your own",
    "bench": "measures your machine",
    **dict.fromkeys(("compress", "realize", "parse", "supertag"), "needs a model of its own"),
    "explore": "writes a page, and a summary of it",
}
"""Commands with ``--json`` that are not, and why."""
RECORD = "liu-2015-table-2"
"""The record whose fields stand here; every record has the same ones around its rows."""
LONGEST = 60
MOMENT: MomentData = {
    "event": 120,
    "note": "Here gold falls.",
    "view": "beam",
    "pin": 17,
    "item": "17",
    "marks": [{"item": "31", "text": "the winner"}],
}
"""A moment with every field it may have."""


def pages() -> list[Page]:
    """One page: commands and a record, field by field.

    Raises ``ValueError`` for a command that fails.
    """
    written = {name: _written(arguments) for name, arguments in RUN.items()}
    record = json.loads(record_file(RECORD).read_text(encoding="utf-8"))
    about = (
        "With `--json FILE` a command writes what it prints, with `--json -` to standard output. "
        "In a field's name a dot leads inside, and `[]` is each of a list, of which the first is "
        "shown. Other commands are not run for this page; `--json -` shows their fields:\n\n"
        + "".join(f"- `wordorder-lab {name}`: {why}\n" for name, why in NOT_RUN.items())
    )
    parts = [front("JSON fields"), "# JSON fields\n", about]
    for name, data in written.items():
        parts += [f"## `wordorder-lab {name}`\n", _table(data)]
    parts += [f"## A record\n\nOf `reproduce`, here `{RECORD}`.\n", _table(record)]
    about = (
        "In the element `wol-moments` of a player's page, and in `player.moments`: where a player "
        "or a lecture's scene stands, what is said there, of which item, and annotations. All but "
        "`event` may be missing. A scene also has the number of its `log`, and as `aside` what "
        "only the presenter reads; one that is a text has nothing but its `note`."
    )
    parts += [f"## A moment\n\n{about}\n", _table(MOMENT)]
    return [Page("reference/json.md", "\n".join(parts))]


def fields(data: Any, name: str = "") -> Iterator[tuple[str, str, str]]:
    """Name, type and value of every field, in the order in which they were written."""
    if isinstance(data, dict) and data:
        for key, value in data.items():
            yield from fields(value, f"{name}.{key}" if name else str(key))
    elif isinstance(data, list) and data and isinstance(data[0], dict | list):
        yield from fields(data[0], f"{name}[]")
    else:
        text = json.dumps(data, ensure_ascii=False).replace("`", "'").replace("|", "/")
        kind = "null" if data is None else type(data).__name__
        yield name, kind, text if len(text) <= LONGEST else f"{text[: LONGEST - 3]}..."


def _table(data: Any) -> str:
    rows = [(f"`{name or '[]'}`", f"`{kind}`", f"`{value}`") for name, kind, value in fields(data)]
    return table(("field", "type", "here"), rows)


def _written(arguments: list[str]) -> Any:
    with tempfile.TemporaryDirectory() as folder:
        names = {"model": "small.wol", "out": "new.wol", "json": "o.json", "corpus": "few.conllu"}
        files = {name: str(Path(folder) / file) for name, file in names.items()}
        trained().save(files["model"])
        text = (ROOT / "data" / "gazette" / "dev.conllu").read_text(encoding="utf-8")
        few = "\n\n".join(text.split("\n\n")[:SENTENCES]) + "\n\n"
        Path(files["corpus"]).write_text(few, encoding="utf-8")
        given = [one.format(**files) for one in arguments]
        with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()) as said:
            code = main([*given, "--json", files["json"]])
        if code:
            raise ValueError(
                f"wordorder-lab {' '.join(given)} ended with {code}: {said.getvalue()}"
            )
        told = Path(files["json"]).read_text(encoding="utf-8").replace(folder, "")
        return json.loads(told)
