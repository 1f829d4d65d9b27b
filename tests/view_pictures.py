"""A sheet of three moments for each view, with what each of them shows: part of `make pictures`.

    python tests/view_pictures.py [FOLDER]

Searches are those of the gallery. The sheets and a page that captions them, `views.md`, go to
`notebooks/views/`, or to another folder. Look at every one before you commit it.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path
from typing import NamedTuple

from PIL import Image
from readme_pictures import HEIGHT, WIDTH, gallery, take

from wordorder_lab.commands.bench_players import browser_here
from wordorder_lab.trace.log import EventLog
from wordorder_lab.widgets.page import to_html

FOLDER = Path(__file__).resolve().parents[1] / "notebooks" / "views"
SHARES = (0.3, 0.65, 1.0)
"""The three moments: so far on among the steps, pops, updates or cells of a log."""
SHOWN = (800, 450)
"""Pixels of each picture on its sheet."""
COLOURS = 96
"""So many are enough for what is drawn here; a sheet is a quarter as large by that."""


class Sheet(NamedTuple):
    """A view, the page of the gallery whose log it shows, what a step is there, and captions."""

    page: str
    step: str
    title: str
    captions: tuple[str, str, str]


SHEETS = {
    "beam": Sheet(
        "partial-tree.html",
        "step",
        "Beam states",
        (
            "Few states yet: words are shifted, and what is given forbids most.",
            "The way that wins is not always on top: the blue line dips, and its card stays.",
            "The end: one state has all words and all arcs.",
        ),
    ),
    "agenda": Sheet(
        "agenda.html",
        "popped",
        "Agenda evolution",
        (
            "Small edges rise and are popped one after the other.",
            "New edges enter near the top and push older ones down.",
            "The last pop is a goal; what still waits was never good enough.",
        ),
    ),
    "chart": Sheet(
        "ccg-chart.html",
        "popped",
        "Chart contents",
        (
            "First the leaves: the column of single units fills.",
            "Tiles to the right are larger edges; hollow ones are out, and say why.",
            "The goal at the far right, and below it what it was built of.",
        ),
    ),
    "updates": Sheet(
        "parameter-updates.html",
        "edge_update",
        "Parameter updates",
        (
            "What differs between gold and its rival is lit, and moves weights.",
            "Features are told in words; some of them cost gold points.",
            "Late updates are small: few features still differ.",
        ),
    ),
    "spans": Sheet(
        "span-lengths.html",
        "finished",
        "Span lengths",
        (
            "A few searches: most of what they make is short.",
            "More searches, and the shares of each length settle.",
            "All of them: what was made, what was kept, and what won.",
        ),
    ),
    "transduction": Sheet(
        "tree-transduction.html",
        "cell",
        "Tree transduction",
        (
            "A cell is filled: its rule and its best combination.",
            "Higher up, rules leave whole phrases out.",
            "The root: the shorter sentence under the one it came from.",
        ),
    ),
    "together": Sheet(
        "agenda.html",
        "popped",
        "Together",
        (
            "One moment, three views: chart, agenda, derivation.",
            "What is popped on the right becomes a tile on the left.",
            "The outcome in all three.",
        ),
    ),
}
"""View -> its sheet."""


def moments(log: EventLog, step: str) -> list[int]:
    """Three numbers of events: after these shares of the steps, the last with all that follows."""
    ends = [_end(log, i) for i, event in enumerate(log) if event[0] == step]
    chosen = [ends[max(0, round(share * len(ends)) - 1)] for share in SHARES[:-1]]
    return [*chosen, len(log)]


def _end(log: EventLog, place: int) -> int:
    """Before a step begins; after an update with all that it changes; else after the event."""
    if log.events[place][0] == "step":
        return place
    end = place + 1
    while end < len(log) and log.events[end][0] in ("weight", "rescored"):
        end += 1
    return end


def main() -> int:
    """Make them all."""
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    options.add_argument("folder", nargs="?", type=Path, default=FOLDER)
    target: Path = options.parse_args().folder
    target.mkdir(parents=True, exist_ok=True)
    pages = {page.file: page for page in gallery()[0]}
    lines = [
        "# What the views show",
        "",
        "Made by `make pictures`; each row of a sheet is a moment.",
    ]
    with browser_here() as browser, tempfile.TemporaryDirectory() as text:
        folder = Path(text)
        for view, sheet in SHEETS.items():
            log = pages[sheet.page].other or pages[sheet.page].log
            path = to_html(log, folder / f"{view}.html", view=view, title=sheet.title)
            whole = Image.new("RGB", (SHOWN[0], SHOWN[1] * len(SHARES)))
            for i, event in enumerate(moments(log, sheet.step)):
                shot = folder / f"{view}-{i}.png"
                take(browser, f"{path.as_uri()}#event={event}&view={view}", shot)
                with Image.open(shot) as picture:
                    assert picture.size == (WIDTH, HEIGHT)
                    whole.paste(picture.convert("RGB").resize(SHOWN), (0, i * SHOWN[1]))
            whole.quantize(COLOURS).save(target / f"{view}.png", optimize=True)
            told = ", ".join(sheet.captions)
            lines += ["", f"## {sheet.title}", "", f"![{told}]({view}.png)", ""]
            lines += [f"{i}. {caption}" for i, caption in enumerate(sheet.captions, 1)]
            print(f"wrote {target / view}.png")
    (target / "views.md").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
