"""What a page does in one action, counted: the same on every machine, however busy it is.

``blocks`` is the nearest to time: how often any stretch of the player's scripts was run, a pass
through a loop each. The browser counts them itself.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from browser import ready

import wordorder_lab as wl

if TYPE_CHECKING:
    from playwright.sync_api import Page


def page_script(name: str) -> str:
    """A function in JavaScript that a test has the page evaluate."""
    return (Path(__file__).parent / "page_scripts" / name).read_text("utf-8")


COUNTING = page_script("counting.js")
ACT = page_script("act.js")


class Work(NamedTuple):
    """Events looked at, events folded into a state, states copied, elements drawn, blocks run."""

    read: int
    folded: int
    copied: int
    drawn: int
    blocks: int


class Counter:
    """Counts what the player on a page does. Make it before the page is opened."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.browser = page.context.new_cdp_session(page)
        self.browser.send("Profiler.enable")
        self.browser.send("Profiler.startPreciseCoverage", {"callCount": True, "detailed": True})

    def begin(self) -> None:
        """From here on; the page plays already."""
        self.page.evaluate(COUNTING)

    def end(self) -> None:
        self.browser.detach()

    def most(self, act: str, times: int = 12) -> Work:
        """The most that ``forward``, ``back`` or ``anywhere`` takes, of each kind of work."""
        return Work(*map(max, zip(*(self._work(act, i) for i in range(times)), strict=True)))

    def _work(self, act: str, number: int) -> Work:
        self._blocks()
        return Work(**self.page.evaluate(ACT, [act, number]), blocks=self._blocks())

    def _blocks(self) -> int:
        scripts = self.browser.send("Profiler.takePreciseCoverage")["result"]
        functions = (function for script in scripts for function in script["functions"])
        return sum(stretch["count"] for function in functions for stretch in function["ranges"])


def most_work(
    page: Page,
    folder: Path,
    log: wl.EventLog,
    view: str,
    before: str = "",
    size: str = "event",
    max_events: int = 200_000,
) -> dict[str, Work]:
    """The most that a step forward, a step back and a jump take, from nine tenths of a log on.

    ``before`` is run in the page first: what else is open then.
    """
    counter = Counter(page)
    path = wl.to_html(log, folder / "long.html", view=view, max_events=max_events)
    ready(page, path)
    page.evaluate("wordorderPlayer.setRows(6)")
    page.evaluate("wordorderPlayer.go(Math.floor(0.9 * wordorderPlayer.clock.last))")
    page.evaluate(f"() => {{ {before} }}")
    page.evaluate(f"wordorderPlayer.size = '{size}'")
    counter.begin()
    works = {act: counter.most(act) for act in ("forward", "back", "anywhere")}
    counter.end()
    print(*(f"{act}: {work}" for act, work in works.items()), sep="\n")
    return works


def hold_light(
    works: dict[str, Work],
    events: int,
    drawn: int,
    blocks: int,
    stride: int = 1,
    books: bool = False,
    once: int = 0,
) -> None:
    """A step on a log of so many events does no more than this, near its end too.

    Forward it folds ``stride`` events; back it copies one state and folds on from there. A jump may
    pass checkpoints that nobody was at before, in the last tenth of the log. Each draws so many
    elements, and looks at few events but those that it folds; with ``books`` a jump may read all
    of them, once. Where a step comes to another search, it may read ``once`` so many, those of the
    search, for gold's sentence. A step runs at most so many ``blocks``.
    """
    every = max(256, -(-events // 64))
    forward, back, anywhere = (works[act] for act in ("forward", "back", "anywhere"))
    assert forward.folded <= stride and forward.copied <= 1
    assert back.folded < every and back.copied <= 1
    assert anywhere.folded < every + events / 10 and anywhere.copied <= 2 + events / 10 / every
    for work in (forward, back, anywhere):
        assert work.read <= work.folded + 8 + once + (
            events if books and work is anywhere else 0
        ), work
        assert 0 < work.drawn <= drawn, work
    assert 0 < max(forward.blocks, back.blocks) <= blocks, works
