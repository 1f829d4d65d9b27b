"""``wordorder-lab bench --players``: how long a page takes to open, to step and to scrub.

Each view is shown with a log of 10,000 events, or more, in headless Chromium. The times are of this
machine as much as of the player; the tests count what a step does.
"""

from __future__ import annotations

import os
import random
import shutil
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from heapq import heappop, heappush
from itertools import count, cycle, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wordorder_lab.commands.html import PAGES
from wordorder_lab.corpora import load_compressions, load_corpus
from wordorder_lab.experiments.runs.schema import Row
from wordorder_lab.structures.bag import WordBag, bag_of
from wordorder_lab.structures.trace import Event
from wordorder_lab.systems import train
from wordorder_lab.trace.log import EventLog
from wordorder_lab.widgets.page import to_html

if TYPE_CHECKING:
    from playwright.sync_api import Browser

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
FLAGS = tuple(
    """
    --headless --no-sandbox --disable-gpu --disable-quic --no-first-run
    --disable-background-networking --disable-component-update --disable-sync
    """.split()
)
EVENTS, WIDE = 10_000, 100_000
"""Events of a log; edges on the agenda of a wide one."""
TRAINED = 10
"""Epochs of a training that is seen as a whole."""
UNITS = 14
"""Of a bag that is ordered step by step."""
ROUNDS, STEPS = 3, 31
"""Of so many rounds the quietest counts, and of so many steps the median."""
PATIENCE = 300_000
"""Milliseconds until a page is given up."""
TIMES = PAGES / "times.js"
"""Milliseconds of a step forward, of one back, and of a jump to anywhere, layout included."""


def run(data: Row, say: Callable[[str], None]) -> None:
    """Measure every view, a row each in ``data``. Raises ``ValueError`` as ``browser_here``."""
    with browser_here() as browser, tempfile.TemporaryDirectory() as folder:
        data |= {"browser": browser.version, "rows": []}
        say(f"Chromium {browser.version}, headless: milliseconds, and KiB of a page")
        titles = ("opening", "forward", "back", "anywhere", "page")
        say(f"  {'view and log':<34}{'events':>9}" + "".join(f"{title:>10}" for title in titles))
        for view, about, log in logs():
            row = {"view": view, "log": about, **_row(browser, Path(folder), view, log)}
            data["rows"].append(row)
            times = "".join(f"{row[f'{title}_ms']:>10.1f}" for title in titles[:-1])
            name = f"{view}: {about}"
            say(f"  {name:<34}{row['events']:>9,}{times}{row['page_bytes'] / 1024:>10.1f}")


def find_browser() -> str | None:
    """The browser to use: ``$WORDORDER_LAB_BROWSER``, or the first of ``BROWSERS`` that is here."""
    names = (os.environ.get("WORDORDER_LAB_BROWSER"), *BROWSERS)
    return next((path for name in names if name and (path := shutil.which(name))), None)


@contextmanager
def browser_here() -> Iterator[Browser]:
    """A headless Chromium. Raises ``ValueError`` that says what to install, where it cannot be."""
    program = find_browser()
    if program is None:
        raise ValueError(
            f"no browser: none of {', '.join(BROWSERS)} is on the path; install Chromium, or name "
            "one in $WORDORDER_LAB_BROWSER"
        )
    try:
        from playwright.sync_api import Error, sync_playwright
    except ImportError:
        raise ValueError("no playwright to drive the browser: pip install playwright") from None
    with sync_playwright() as driver:
        try:
            browser = driver.chromium.launch(executable_path=program, args=list(FLAGS))
        except Error as error:
            first = str(error).strip().splitlines()[0]
            raise ValueError(f"{program} does not start: {first}") from None
        yield browser
        browser.close()


def _row(browser: Browser, folder: Path, view: str, log: EventLog) -> Row:
    """What one page takes; a new context each, so that nothing of the one before is kept."""
    path = to_html(log, folder / "player.html", view=view, max_events=len(log))
    opening = []
    with browser.new_context(offline=True) as context:
        page = context.new_page()
        page.set_default_timeout(PATIENCE)
        for _ in range(ROUNDS):
            begin = time.perf_counter()
            page.goto(path.as_uri())
            page.wait_for_selector("html[data-ready]")
            opening.append(1000 * (time.perf_counter() - begin))
        forward, back, anywhere = page.evaluate(TIMES.read_text("utf-8"), [ROUNDS, STEPS])
    times = {"opening": min(opening), "forward": forward, "back": back, "anywhere": anywhere}
    rounded = {f"{name}_ms": round(ms, 2) for name, ms in times.items()}
    return {"events": len(log), "page_bytes": path.stat().st_size, **rounded}


# --- what is played -------------------------------------------------------------------------------


def logs() -> Iterator[tuple[str, str, EventLog]]:
    """View, what is played, and the log: many runs one after the other, or one wide search."""
    plain: Row = {"engine": "reference", "progress": False}
    sentences = load_corpus("gazette").train[:40]
    words = [word for sentence in sentences for word in bag_of(sentence).words]
    bags = [WordBag(words[i : i + UNITS]) for i in range(0, 10 * UNITS, UNITS)]
    beam = train("liu-2015", sentences, beam=4, epochs=1, **plain)
    limit: Row = {"beam": 40, "engine": "reference"}
    searches = _filled(bags, lambda bag, log: beam.order(bag, trace=log, **limit))
    yield "beam", "searches", searches
    yield "beam", "with forbidden actions", _with_forbidden(searches)

    system, small = "zhang-clark-2015-dependency", {"beam": 3, "expansions": 40, **plain}
    few = [sentence for sentence in sentences if len(sentence) <= 8]
    learning = _filled([few], lambda few, log: train(system, few, trace=log, epochs=1, **small))
    edges = train(system, few, epochs=1, **small)
    wider: Row = {"beam": 100, "expansions": 550, "engine": "reference"}
    agendas = _filled(bags, lambda bag, log: edges.order(bag, trace=log, **wider))
    wide = wide_log(WIDE, 50)
    yield "updates", "learning", learning
    whole = EventLog(max_events=EVENTS)
    train(system, few, trace=whole, epochs=TRAINED, **small)
    yield "learning", f"{TRAINED} epochs", whole
    for view in ("agenda", "chart"):
        yield view, "searches", agendas
        yield view, "learning", learning
        yield view, "one wide agenda", wide

    pairs = load_compressions("gazette").train[:12]
    shorter = train("cohn-lapata-2009", pairs, C=1.0, beam=5, max_iterations=2, **plain)
    trees = [pair.source for pair in pairs]
    filled = _filled(trees, lambda tree, log: shorter.compress(tree, engine="reference", trace=log))
    yield "transduction", "searches", filled


def _filled(items: Sequence[Any], play: Callable[[Any, EventLog], Any]) -> EventLog:
    """A log of ``EVENTS`` events: one item is played after the other until it is full."""
    log = EventLog(max_events=EVENTS)
    for item in cycle(items):
        if len(log) >= EVENTS:  # events of a training as a whole stay beyond them
            return log
        play(item, log)
    raise ValueError("nothing to play")


def _with_forbidden(log: Iterable[Event]) -> EventLog:
    """The same searches, if each state could do one thing more that is not allowed."""
    more = EventLog(max_events=EVENTS)
    for event in log:
        more.record(*event)
        if event[0] == "candidate":
            more.forbidden(event[2], event[3], f"another word comes before {event[3]}")
    return more


def wide_log(edges: int, pops: int) -> EventLog:
    """A search whose agenda grows by the same number of edges a pop; scores at random."""
    rng = random.Random(7)
    log = EventLog()
    log.begin([f"w{i}" for i in range(12)], [1] * 12, 12, 0)
    waiting: list[tuple[float, int]] = []

    def make(serial: int) -> float:
        score = rng.uniform(-2, 3)
        heappush(waiting, (-score, serial))
        return score

    serials = count(1)
    for serial in islice(serials, 12):
        log.leaf(serial, serial - 1, f"w{serial - 1}", "N", make(serial), -1)
    for pop in range(pops):
        lost, best = heappop(waiting)
        log.popped(best, -lost)
        for serial in islice(serials, (edges - 12) // pops):
            score = make(serial)
            left, right = rng.sample(range(1, 13), 2)
            log.edge(serial, left, right, "HeadLeft", score, int(pop == 3))
        log.charted(best)
    return log
