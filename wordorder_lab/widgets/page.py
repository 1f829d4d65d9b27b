"""A player as one HTML file that needs nothing else: no server, no network, no kernel."""

from __future__ import annotations

import html
import json
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from wordorder_lab.runtime.atomic import ESCAPED, replacing
from wordorder_lab.structures.arguments import checks_arguments
from wordorder_lab.structures.messages import cited
from wordorder_lab.trace.decoding import first_question
from wordorder_lab.trace.events import SUMMARIES
from wordorder_lab.trace.folds import deletion, parsing, transduction
from wordorder_lab.trace.log import EventLog
from wordorder_lab.trace.replay import views_of
from wordorder_lab.widgets.module import (
    DECODER,
    ENTRY,
    EVERYTHING,
    MOUNTS,
    SENTENCES,
    brief_module_text,
    own_views_of,
    style_text,
)
from wordorder_lab.widgets.packing import MAX_EVENTS, alphabet, pack, squeeze

if TYPE_CHECKING:
    import pandas


PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; \
script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:">
<title>{title}</title>
<link rel="icon" href="data:,">
<style>
html, body {{ margin: 0; }}
</style>
</head>
<body>
<noscript>This page plays a search step by step; it needs JavaScript.</noscript>
<main id="wol-page"></main>
<script id="wol-moments" type="application/json">{moments}</script>
<script id="wol-data" type="application/octet-stream">{data}</script>
<script id="wol-style" type="application/octet-stream">{style}</script>
<script id="wol-module" type="application/octet-stream">{module}</script>
<script type="module">
{boot}
</script>
</body>
</html>
"""

BOOT = """\
const source = `<!DOCTYPE html>\\n${document.documentElement.outerHTML}\\n`;
const place = document.getElementById("wol-page");
const worth = Object.fromEntries(Array.from("{alphabet}", (one, i) => [one.charCodeAt(0), i]));
const unpacked = async (id) => {
  const text = document.getElementById(id).textContent.trim();
  const bytes = new Uint8Array(Math.floor(text.length * 4 / 5));
  for (let i = 0; i < text.length; i += 5) {
    let four = 0;
    for (let j = i; j < i + 5; j += 1) four = four * 85 + (worth[text.charCodeAt(j)] ?? 84);
    for (let j = 0; j < 4; j += 1) bytes[i / 5 * 4 + j] = four / 256 ** (3 - j);
  }
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return JSON.parse(await new Response(stream).text());
};
if (typeof DecompressionStream === "undefined") {
  place.textContent = "This browser is too old to open the log: it needs Chrome 80, Firefox 113 or \
Safari 16.4.";
} else {
  globalThis.wordorderPage = { place, source, data: await unpacked("wol-data") };
  const style = document.createElement("style");
  style.textContent = await unpacked("wol-style");
  document.head.append(style);
  const script = document.createElement("script");
  script.type = "module";
  script.textContent = await unpacked("wol-module");
  document.head.append(script);
}""".replace("{alphabet}", alphabet())
"""The page unpacks itself: module and data are squeezed, so that it stays small."""

Moment = tuple[int, str]
"""A number of events of the first log, and a note."""

TOGETHER = "together"
"""Several views of one search at once: agenda, chart and derivation; lattice and state."""

GAME = "decoder"
"""You choose what the search does next; only pages that open with it have it."""
CHOICES = {"candidate", "popped"}
"""Kinds of events that tell of something to choose."""

UPDATES = ("update", "edge_update", "solved")
CHANGES = ("weight", "rescored")
"""What an update is, and what follows of it."""

NAMED = 12
"""Units that a title names; of longer bags it counts the rest."""

MOST_HEIGHT = 4000
"""Pixels that a page inside another one may ask for."""

FRAME = (
    '<iframe srcdoc="{page}" title="{title}" sandbox="allow-scripts allow-downloads" '
    'style="width: 100%; height: {height}px; border: 0;"></iframe>'
    "<script>((frame) => addEventListener('message', (event) => {{"
    "const height = Number(event.data?.wordorderHeight); "
    "if (frame && event.source === frame.contentWindow && height > 0) "
    "frame.style.height = `${{Math.min({most}, height)}}px`;"
    "}}))(document.currentScript?.previousElementSibling)</script>"
)
"""Where the script of an output is run, the frame takes the height that its page asks for."""


def contents(
    log: EventLog,
    other: EventLog | None = None,
    *,
    view: str | None = None,
    names: Sequence[str] = ("A", "B"),
    max_events: int = MAX_EVENTS,
    at: int | None = None,
    moments: Sequence[Moment] = (),
) -> dict[str, Any]:
    """What a player is given, as plain data; without a ``view``, the first that suits the log.

    A view of another package is there where it is the one that is named.
    Raises ``ValueError`` for a view that suits no log, an empty log, names that are not two, and
    moments outside the log.
    """
    if len(names) != 2:
        raise ValueError(f"names are two, one for each log: {cited(list(names))}")
    if max_events < 1:
        raise ValueError(f"max_events is at least 1, not {max_events}")
    logs = [log] if other is None else [log, other]
    for recording in logs:
        if not isinstance(recording, EventLog):
            raise ValueError(f"a player takes an EventLog, not {type(recording).__name__}")
        if not len(recording):
            raise ValueError("the log is empty: hand it to a run first, as trace=log")
    packed = [pack(recording, max_events) for recording in logs]
    views = list(dict.fromkeys(name for recording in logs for name in views_of(recording)))
    own = own_views_of(logs, view)
    if other is None and len(views) > 1:
        views.append(TOGETHER)
    if other is None and any(event[0] in CHOICES for event in log):
        views.append(GAME)
    views += own
    shown = len(packed[0]["kinds"])
    if view is not None and view not in views:
        raise ValueError(f"no view {cited(view)} of this log; there are {', '.join(views)}")
    if at is None:
        at = min(shown, first_question(log)) if view == GAME else telling(log, shown)
    return {
        "logs": packed,
        "names": [str(name) for name in names],
        "view": view or views[0],
        "position": within(at, shown),
        "moments": [{"event": within(event, shown), "note": note} for event, note in moments],
        **({"own": own} if own else {}),
    }


def telling(log: EventLog, events: int) -> int:
    """Where a player opens: in learning after the first update, else at the end of the search."""
    kinds = [event[0] for event in log.events[:events]]
    for i, kind in enumerate(kinds):
        if kind in UPDATES:
            while i + 1 < events and kinds[i + 1] in CHANGES:
                i += 1
            return i + 1
    return events


def within(event: int, events: int) -> int:
    """A number of events; ``ValueError`` where a log has fewer."""
    if not isinstance(event, int) or not 0 <= event <= events:
        raise ValueError(f"a moment is a number of events, 0 to {events:,}, not {cited(event)}")
    return event


def page_text(data: dict[str, Any], title: str, entry: str | None = None) -> str:
    """The page that plays ``contents``, or another one of the entry script's."""
    players = [data, *data.get("players", ())]
    entry = entry or entry_of(players)
    own = tuple(dict.fromkeys(name for one in players for name in one.get("own", ())))
    mount = f"\n{MOUNTS[entry]}(globalThis.wordorderPage);"
    return PAGE.format(
        title=html.escape(title),
        style=squeeze(style_text(entry)),
        moments=json.dumps(data.get("moments", [])).replace("<", "\\u003c"),
        data=squeeze({**data, "title": title}),
        module=squeeze(brief_module_text(entry, own) + mount),
        boot=BOOT,
    )


def entry_of(shown: Sequence[dict[str, Any]]) -> str:
    """The module that has the views of all these players, and no more than it must."""
    game = any(one.get("view") == GAME for one in shown)
    kinds = {kind for one in shown for log in one.get("logs", ()) for kind in log["columns"]}
    if kinds & (parsing.KINDS | deletion.KINDS):
        return EVERYTHING if game else SENTENCES
    return DECODER if game else ENTRY


def frame(page: str, title: str, height: int) -> str:
    """The page inside an element of another page, such as an exported notebook."""
    fields = {"title": html.escape(title), "height": height, "most": MOST_HEIGHT}
    return FRAME.format(page=html.escape(page), **fields)


@checks_arguments
def to_html(
    log: EventLog,
    path: str | os.PathLike[str],
    other: EventLog | None = None,
    *,
    view: str | None = None,
    names: Sequence[str] = ("A", "B"),
    title: str | None = None,
    max_events: int = MAX_EVENTS,
    at: int | None = None,
    moments: Sequence[Moment] = (),
) -> Path:
    """Write a page that plays the log, or two on one clock, and return its path.

    Two logs are called by their ``names``; ``view`` is what to look at first, as in ``wl.play``.

    It is one file that opens offline. A log of more than so many events as ``max_events`` says is
    cut there, with a mark. The page opens after so many events as ``at`` says, from 0, by default
    at the end of the search or after the first update; ``moments`` are bookmarks, each a number of
    events and a note, ``[(120, "here gold falls")]``. An address such as
    ``page.html#event=120&view=agenda&pin=17`` opens just that moment. Raises ``ValueError`` as
    ``contents`` does, ``OSError`` where nothing can be written.
    """
    how: dict[str, Any] = {"max_events": max_events, "at": at, "moments": moments}
    data = contents(log, other, view=view, names=names, **how)
    text = page_text(data, title or default_title(log))
    return write_page(path, text)


def write_page(path: str | os.PathLike[str], text: str) -> Path:
    """Write a page, whole or not at all. Raises ``OSError`` where it cannot be written."""
    with replacing(path) as part:
        part.write_text(text, encoding="utf-8", errors=ESCAPED)
    return Path(path)


def default_title(log: EventLog) -> str:
    """What a log is about: the bag that is ordered, or how many searches there are."""
    bags = [event[1] for event in log if event[0] == "begin"]
    kinds = {event[0] for event in log}
    if kinds <= SUMMARIES:
        return f"Training: {sum(event[0] == 'learned' for event in log):,} examples"
    if kinds & {"gold", "edge_update", "violation", "solved"}:
        return f"Training: {len(bags)} {'search' if len(bags) == 1 else 'searches'}"
    if len(bags) != 1:
        return f"{len(bags)} searches"
    units, counts = next((event[1], event[2]) for event in log if event[0] == "begin")
    if kinds & (transduction.KINDS | deletion.KINDS | parsing.KINDS):
        more = f" … {len(units) - NAMED} more" if len(units) > NAMED else ""
        doing = "Parsing" if kinds & parsing.KINDS else "Compressing"
        return f"{doing}: {' '.join(units[:NAMED])}{more}"
    forms = _alternatives(log)
    units = ["|".join(forms.get(place, [unit])) for place, unit in enumerate(units)]
    named = [f"{u} ×{n}" if n > 1 else u for u, n in zip(units, counts, strict=True)]
    more = f" · {len(named) - NAMED} more" if len(named) > NAMED else ""
    what = "Ordering some of" if _leaves_words_out(log, sum(counts)) else "Ordering"
    return f"{what}: {' · '.join(named[:NAMED])}{more}"


def _alternatives(log: EventLog) -> dict[int, list[str]]:
    """The forms of the units that have several, by the place of the unit."""
    forms: dict[int, list[str]] = {}
    for kind, *values in log:
        if kind == "alternatives":
            for place, form in zip(*values, strict=True):
                forms.setdefault(place, []).append(form)
    return forms


def _leaves_words_out(log: EventLog, units: int) -> bool:
    """Whether a goal has fewer units: counts are the most then, since some may be left out."""
    size = {0: 0}
    for kind, *values in log:
        if kind == "leaf":
            size[values[0]] = 1
        elif kind == "edge":
            size[values[0]] = size.get(values[1], units) + size.get(values[2], units)
        elif kind == "goal" and size.get(values[0], units) < units:
            return True
    return False


HEIGHT = 710
"""Pixels that a log is given where it cannot take what it needs: in an exported notebook."""

Drive = Callable[[dict[str, Any]], dict[str, Any]]
"""The model behind a log: it answers what a view asks about two edges, or about another rule."""


class Searches(Protocol):
    """Two searches to play on one clock, and after how many events of the first."""

    @property
    def before(self) -> EventLog:
        """The one with the weights before an update."""

    @property
    def after(self) -> EventLog:
        """The one with the weights after it."""

    @property
    def at(self) -> int:
        """A number of events of the first."""

    @property
    def title(self) -> str:
        """What the player is called."""


Again = Callable[[int], Searches]
"""The training behind a log: after so many events it searches again with the weights of the last
update. It raises ``ValueError``, with a reason to read, where it cannot."""

GUESS = ("view", "position", "kind", "difficulty", "question", "guess", "answer", "right")
"""The columns of ``Player.quiz``."""


def tally(guesses: Sequence[dict[str, Any]]) -> pandas.DataFrame:
    """Guesses as a frame, one row a question; ``groupby("kind")["right"].mean()`` sums it up."""
    import pandas

    return pandas.DataFrame(
        [[guess[name] for name in GUESS] for guess in guesses], columns=[*GUESS]
    )
