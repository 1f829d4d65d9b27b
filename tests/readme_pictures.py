"""README's pictures, made anew by a headless Chromium: `make pictures`.

    python tests/readme_pictures.py [FOLDER]

Each is a page of the gallery at a moment worth looking at, 1280 x 720. They go to
`docs/pictures/`, from where README and the pages of `docs/` show them, or to another folder. Look
at every one before you commit it.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from wordorder_lab.cli import parser
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
    """The pages of the usual gallery."""
    arguments = parser().parse_args(["gallery", "unused"])
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
    """A screenshot of a page as it looks in a window of this size."""
    with browser.new_context(color_scheme="light", offline=True) as context:
        page = context.new_page()
        page.set_viewport_size({"width": WIDTH, "height": HEIGHT})
        page.goto(address)
        page.wait_for_selector("svg")
        page.wait_for_timeout(WAIT)
        page.screenshot(path=path)


def main() -> int:
    """Make them all."""
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    options.add_argument("folder", nargs="?", type=Path, default=FOLDER)
    target: Path = options.parse_args().folder
    target.mkdir(parents=True, exist_ok=True)
    with browser_here() as browser, tempfile.TemporaryDirectory() as folder:
        for name, address in shots(*gallery(), Path(folder)):
            path = target / f"{name}.png"
            take(browser, address, path)
            print(f"wrote {path} ({path.stat().st_size / 1000:,.0f} KB)")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
