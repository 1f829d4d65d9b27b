"""Pictures made anew by a headless Chromium: `make pictures`.

    python tests/readme_pictures.py [FOLDER [FOLDER]]

README's are pages of the gallery at a moment worth looking at, 1280 x 720. They go to
`docs/pictures/`, from where README and the pages of `docs/` show them. Each view has a sheet of
three moments with what each of them shows; the sheets and a page that captions them, `views.md`,
go to `notebooks/views/`. Look at every one before you commit it.
"""

from __future__ import annotations

import argparse
import re
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from PIL import Image

from wordorder_lab.cli import parsed
from wordorder_lab.commands.bench_players import browser_here
from wordorder_lab.commands.gallery.pages import Page, short_ones
from wordorder_lab.commands.gallery.run import index_text, pages_of
from wordorder_lab.corpora import load_corpus
from wordorder_lab.trace.log import EventLog
from wordorder_lab.trace.reducers.replay import fold
from wordorder_lab.trace.reducers.search import on_agenda
from wordorder_lab.widgets.page import to_html

if TYPE_CHECKING:
    from playwright.sync_api import Browser

FOLDER = Path(__file__).resolve().parents[1] / "docs" / "pictures"
WIDTH, HEIGHT = 1280, 720
WAIT = 500
"""Milliseconds until all has been drawn, and the frame of a focused button has gone."""


class Moment(NamedTuple):
    """After how many events of which log, and the state or edge that is pinned there."""

    log: EventLog
    event: int
    pin: int | None = None


def _end(page: Page) -> Moment:
    return Moment(page.log, len(page.log))


def _paper(page: Page) -> Moment:
    """The paper's example comes out right where its arcs are given: that is B."""
    assert page.other is not None
    return Moment(page.other, len(page.other))


def _halfway(page: Page) -> Moment:
    """The agenda after half of the pops; the edge that is pinned was passed over so far."""
    pops = [i for i, event in enumerate(page.log) if event[0] == "popped"]
    event = pops[len(pops) // 2] + 1
    waiting = on_agenda(fold(page.log, event, "agenda"), 4)
    return Moment(page.log, event, waiting[-1])


def _goal(page: Page) -> Moment:
    """The chart when all is done, and the derivation of the goal."""
    return Moment(page.log, len(page.log), next(e[1] for e in page.log if e[0] == "goal"))


def _update(page: Page) -> Moment:
    """After the update in the second half of learning that changes most weights."""
    starts = [i for i, event in enumerate(page.log) if event[0] == "edge_update"]
    ends = {i: _weights(page.log, i) for i in starts[len(starts) // 2 :]}
    chosen = max(ends, key=lambda i: ends[i] - i)
    return Moment(page.log, ends[chosen])


def _weights(log: EventLog, update: int) -> int:
    end = update + 1
    while end < len(log) and log.events[end][0] in ("weight", "rescored"):
        end += 1
    return end


SHOTS: dict[str, tuple[str, Callable[[Page], Moment]]] = {
    "player": ("partial-tree.html", _paper),
    "agenda": ("agenda.html", _halfway),
    "chart": ("ccg-chart.html", _goal),
    "update": ("parameter-updates.html", _update),
    "spans": ("span-lengths.html", _end),
    "compression": ("tree-transduction.html", _end),
}
"""A picture's name, the page of the gallery that it shows, and the moment."""
INDEX = "gallery"
"""The name of the picture of the index."""


def gallery() -> tuple[list[Page], list[str]]:
    arguments = parsed(["gallery", "unused"])
    corpus = load_corpus(arguments.corpus)
    return pages_of(None, corpus, short_ones(corpus.train), arguments)


def shots(pages: list[Page], about: list[str], folder: Path) -> Iterator[tuple[str, str]]:
    """Write what is shown to a folder: the name of each picture, and its address."""
    by_file = {page.file: page for page in pages}
    for name, (file, moment_in) in SHOTS.items():
        page = by_file[file]
        log, event, pin = moment_in(page)
        path = to_html(log, folder / f"{name}.html", view=page.view, title=page.title, at=event)
        pinned = "" if pin is None else f"&pin={pin}"
        yield name, f"{path.as_uri()}#event={event}&view={page.view}{pinned}"
    index = folder / "index.html"
    index.write_text(index_text(pages, about), encoding="utf-8")
    yield INDEX, index.as_uri()


def take(browser: Browser, address: str, path: Path) -> None:
    with browser.new_context(color_scheme="light", offline=True) as context:
        page = context.new_page()
        page.set_viewport_size({"width": WIDTH, "height": HEIGHT})
        page.goto(address)
        page.wait_for_selector("svg:visible")
        page.wait_for_timeout(WAIT)
        page.screenshot(path=path)


VIEWS = Path(__file__).resolve().parents[1] / "notebooks" / "views"
SHARES = (0.3, 0.65, 1.0)
"""The three moments: so far on among the steps, pops, updates or cells of a log."""
SHOWN = (800, 450)
"""Pixels of each picture on its sheet."""
COLOURS = 200
"""So many are enough for what is drawn here; a picture is a quarter as large by that."""


class Sheet(NamedTuple):
    """A view, the page of the gallery whose log it shows, what a step is there, and captions."""

    page: str
    step: str
    title: str
    captions: tuple[str, str, str]


_SHEETS = """
beam: partial-tree.html, step, Beam states
    Few states yet: words are shifted, and what is given forbids most.
    The way that wins is not always on top: the blue line dips, and its card stays.
    The end: one state has all words and all arcs.
agenda: agenda.html, popped, Agenda evolution
    Small edges rise and are popped one after the other.
    New edges enter near the top and push older ones down.
    The last pop is a goal; what still waits was never good enough.
chart: ccg-chart.html, popped, Chart contents
    First the leaves: the column of single units fills.
    Tiles to the right are larger edges; hollow ones are out, and say why.
    The goal at the far right, and below it what it was built of.
updates: parameter-updates.html, edge_update, Parameter updates
    What differs between gold and its rival is lit, and moves weights.
    Features are told in words; some of them cost gold points.
    Late updates are small: few features still differ.
spans: span-lengths.html, finished, Span lengths
    A few searches: most of what they make is short.
    More searches, and the shares of each length settle.
    All of them: what was made, what was kept, and what won.
transduction: tree-transduction.html, cell, Tree transduction
    A cell is filled: its rule and its best combination.
    Higher up, rules leave whole phrases out.
    The root: the shorter sentence under the one it came from.
together: agenda.html, popped, Together
    One moment, three views: chart, agenda, derivation.
    What is popped on the right becomes a tile on the left.
    The outcome in all three.
"""
SHEETS = {
    view: Sheet(page, step, title, (first, second, third))
    for view, page, step, title, first, second, third in re.findall(
        r"(\w+): (.*), (.*), (.*)\n    (.*)\n    (.*)\n    (.*)", _SHEETS
    )
}
"""View -> its sheet."""


def saved(picture: Image.Image, path: Path) -> None:
    """With few colours, of which a small sign has one as well as a large field."""
    few = picture.convert("RGB").quantize(COLOURS, method=Image.Quantize.MAXCOVERAGE)
    few.save(path, optimize=True)


def moments(log: EventLog, step: str) -> list[int]:
    """Three numbers of events: after these shares of the steps, the last with all that follows."""
    ends = [_after(log, i) for i, event in enumerate(log) if event[0] == step]
    chosen = [ends[max(0, round(share * len(ends)) - 1)] for share in SHARES[:-1]]
    return [*chosen, len(log)]


def _after(log: EventLog, place: int) -> int:
    """Before a step begins; else after the event, and after all that an update changes."""
    return place if log.events[place][0] == "step" else _weights(log, place)


def sheets(browser: Browser, pages: dict[str, Page], target: Path, folder: Path) -> None:
    """The three moments of every view, one below the other, and the page that captions them."""
    lines = [
        *("# What the views show", ""),
        "Made by `make pictures`; each row of a sheet is a moment.",
    ]
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
        saved(whole, target / f"{view}.png")
        told = ", ".join(sheet.captions)
        lines += ["", f"## {sheet.title}", "", f"![{told}]({view}.png)", ""]
        lines += [f"{i}. {caption}" for i, caption in enumerate(sheet.captions, 1)]
        print(f"wrote {target / view}.png")
    (target / "views.md").write_text("\n".join(lines) + "\n", encoding="utf-8")


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    options.add_argument("folder", nargs="?", type=Path, default=FOLDER)
    options.add_argument("views", nargs="?", type=Path, default=VIEWS)
    given = options.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    given.views.mkdir(parents=True, exist_ok=True)
    pages, about = gallery()
    with browser_here() as browser, tempfile.TemporaryDirectory() as text:
        folder = Path(text)
        for name, address in shots(pages, about, folder):
            path = given.folder / f"{name}.png"
            take(browser, address, path)
            with Image.open(path) as picture:
                saved(picture, path)
            print(f"wrote {path} ({path.stat().st_size / 1000:,.0f} KB)")
        sheets(browser, {page.file: page for page in pages}, given.views, folder)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
