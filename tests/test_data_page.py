"""docs/data.md has a licence for every corpus that goes by a name, and for no other."""

from __future__ import annotations

import re
from pathlib import Path

from wordorder_lab.commands.corpora import every_corpus

PAGE = Path(__file__).resolve().parent.parent / "docs" / "data.md"


def test_every_corpus_has_its_licence() -> None:
    rows = [line.strip("| ").split(" | ") for line in PAGE.read_text("utf-8").splitlines()]
    table = [row for row in rows if len(row) == 3 and row[0].startswith("`")]
    named = [name for row in table for name in re.findall(r"`([^`]+)`", row[0])]
    assert sorted(named) == sorted(row["name"] for row in every_corpus())
    assert all(licence and use for _, licence, use in table)
