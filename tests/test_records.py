"""What the committed records say must keep to what the project promises."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from wordorder_lab.features.notation import template_files

RECORDS = Path(__file__).parent.parent / "wordorder_lab" / "experiments" / "records"


def rows(name: str) -> list[dict[str, Any]]:
    return json.loads((RECORDS / f"{name}.json").read_text(encoding="utf-8"))["rows"]


def test_the_best_template_file_beats_the_authors_program() -> None:
    """The authors' program reaches 40.3 on this split, a random order 27.0."""
    scored = {
        row["templates"]: row["bleu_cased"]
        for row in rows("liu_2015_table_2")
        if row["system"] == "liu-2015" and row["units"] == "base-np" and row["pos"] == 1
    }
    assert scored.keys() >= {
        name for name in template_files() if name.startswith("liu_2015_table_2")
    }
    assert max(scored.values()) >= 41.3


def test_wider_beams_are_better_as_in_figure_7() -> None:
    last = {
        (row["pos"], row["beam"]): row["bleu_cased"]
        for row in rows("liu_2015_figure_7")
        if row["epoch"] == 50
    }
    for pos in (0, 1):
        scores = [last[pos, beam] for beam in (1, 4, 16, 64, 128)]
        assert scores == sorted(scores)
        assert last[1, 64] > last[0, 64]
