"""A player as one HTML file that needs nothing else: no server, no network, no kernel.

And a lecture: logs, chosen moments and text between them as one page for a class. PageDown goes
from scene to scene, and inside a scene the player plays on from the chosen moment.
"""

from __future__ import annotations

import html
import json
import os
import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NotRequired, TypedDict, cast

from wordorder_lab.runtime.atomic import ESCAPED, replacing
from wordorder_lab.structures.arguments import checks_arguments
from wordorder_lab.structures.messages import cited
from wordorder_lab.structures.reasons import Explain
from wordorder_lab.structures.trace import Event
from wordorder_lab.trace.events import WITHOUT_SEARCHES
from wordorder_lab.trace.log import EventLog
from wordorder_lab.trace.reducers import deletion, parsing, transduction
from wordorder_lab.trace.reducers.decoding import first_question
from wordorder_lab.trace.reducers.replay import views_of
from wordorder_lab.widgets import module
from wordorder_lab.widgets.module import DECODER, ENTRY, EVERYTHING, SENTENCES
from wordorder_lab.widgets.moments import ASIDE, Moment, MomentData, SceneData, moment_of, within
from wordorder_lab.widgets.packing import MAX_EVENTS, Packed, alphabet, pack, pack_reasons, squeeze

PAGES = Path(__file__).parent / "pages"
"""Templates of pages; see ``filled``."""

TOGETHER = "together"
"""Several views of one search at once: agenda, chart and derivation; lattice and state."""
GAME = "decoder"
"""You choose what the search does next; only pages that open with it have it."""
CHOICES = {"candidate", "popped"}
"""Kinds of events with something to choose."""
UPDATES = ("update", "edge_update", "solved")
CHANGES = ("weight", "rescored")
"""What an update is, and what follows of it."""
NAMED = 12
"""Units that a title names; of longer bags it counts the rest."""
HEIGHT, MOST_HEIGHT = 710, 4000
"""Pixels of a page inside another one: where it cannot take what it needs, as in an exported
notebook, and what it may ask for."""
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


class PlayerData(TypedDict):
    """What a player is given; ``own`` are views of other packages. Two logs that stand ``apart``
    open where their winners part; ``references`` are what the searches ought to find. A live one
    is told which logs have a model (``live``), whether its training can search again, and if there
    is a way ``back``."""

    logs: list[Packed]
    names: list[str]
    view: str
    position: int
    moments: list[MomentData]
    own: NotRequired[list[str]]
    title: NotRequired[str]
    apart: NotRequired[bool]
    references: NotRequired[list[str]]
    live: NotRequired[list[bool]]
    again: NotRequired[bool]
    back: NotRequired[bool]


def contents(  # noqa: PLR0913  (each is a choice by name)
    log: EventLog,
    other: EventLog | None = None,
    *,
    view: str | None = None,
    names: Sequence[str] = ("A", "B"),
    max_events: int = MAX_EVENTS,
    at: int | None = None,
    moments: Sequence[Moment] = (),
    why: bool | Explain = False,
    reference: str | Sequence[str] | None = None,
) -> PlayerData:
    """What a player of these logs is given; without a ``view``, the first that suits the log.

    A view of another package is there where it is the one that is named.
    Raises ``ValueError`` for a view that suits no log, an empty log, names that are not two,
    moments outside the log, references that are not one a search, and if ``why`` is asked of logs
    that do not know it.
    """
    logs = [log] if other is None else [log, other]
    _check(logs, names, max_events)
    packed = [pack(recording, max_events) for recording in logs]
    if why:
        _add_reasons(packed, logs, None if why is True else why, max_events)
    own = module.own_views_of(logs, view)
    views = [*_our_views(logs), *own]
    if view is not None and view not in views:
        raise ValueError(f"no view {cited(view)} of this log; there are {', '.join(views)}")
    apart = other is not None and at is None
    shown = len(packed[0]["kinds"])
    if at is None:
        at = min(shown, first_question(log)) if view == GAME else telling(log, shown)
    data: PlayerData = {
        "logs": packed,
        "names": [str(name) for name in names],
        "view": view or views[0],
        "position": within(at, shown),
        "moments": [moment_of(one, log, shown) for one in moments],
    }
    if own:
        data["own"] = own
    if apart:
        data["apart"] = True
    if reference is not None:
        data["references"] = _references(reference, log)
    return data


def _check(logs: Sequence[EventLog], names: Sequence[str], max_events: int) -> None:
    if len(names) != 2:
        raise ValueError(f"names are two, one for each log: {cited(list(names))}")
    if max_events < 1:
        raise ValueError(f"max_events is at least 1, not {max_events}")
    for recording in logs:
        if not isinstance(recording, EventLog):
            raise ValueError(f"a player takes an EventLog, not {type(recording).__name__}")
        if not len(recording):
            raise ValueError("the log is empty: hand it to a run first, as trace=log")


def _our_views(logs: Sequence[EventLog]) -> list[str]:
    """Those that suit the logs; of a single one also all at a time, and the game."""
    views = list(dict.fromkeys(name for recording in logs for name in views_of(recording)))
    if len(logs) > 1:
        return views
    views += [TOGETHER] if len(views) > 1 else []
    return views + [GAME] * any(event[0] in CHOICES for event in logs[0])


def _references(reference: str | Sequence[str], log: EventLog) -> list[str]:
    """One for each search, its tokens apart by single spaces."""
    given = [reference] if isinstance(reference, str) else [*reference]
    searches = sum(event[0] == "begin" for event in log)
    if len(given) != searches or not all(one.split() for one in given):
        raise ValueError(
            "each search has a reference, the sentence that it ought to find, and none is empty "
            f"(searches: {searches:,}, references: {len(given):,})"
        )
    return [" ".join(one.split()) for one in given]


def _add_reasons(
    packed: Sequence[Packed], logs: Sequence[EventLog], why: Explain | None, max_events: int
) -> None:
    for one, log in zip(packed, logs, strict=True):
        if found := pack_reasons(log, why, max_events):
            one["why"] = found
    if not any("why" in one or "points" in one["columns"] for one in packed):
        raise ValueError(
            "there are no reasons for these scores: why=True takes the log of a search that has "
            "just run, and its copy or a saved one why=model.reasons(bag); a training tells none"
        )


def telling(log: EventLog, events: int) -> int:
    """Where a player opens: in learning after the update by which gold had lost most, the first of
    equals, else at the end of the search. While all weights are 0, gold loses by 0."""
    updates = (i for i, event in enumerate(log.events[:events]) if event[0] in UPDATES)
    worst = max(updates, key=lambda i: _loss(log.events[i]), default=events)
    after = range(worst + 1, events)
    return next((i for i in after if log.events[i][0] not in CHANGES), events)


def _loss(update: Event) -> float:
    """By how much gold was behind in an update, 0 where that is not told."""
    losses = {"update": lambda: update[5] - update[4], "edge_update": lambda: -update[5]}
    return float(losses[update[0]]()) if update[0] in losses else 0.0


def page_text(data: Mapping[str, object], title: str, entry: str | None = None) -> str:
    """The page that plays ``contents``, or another one of the entry script's."""
    players = [data, *cast("Sequence[Mapping[str, object]]", data.get("players", ()))]
    shown = cast("Sequence[PlayerData]", players)
    entry = entry or entry_of(shown)
    own = tuple(dict.fromkeys(name for one in shown for name in one.get("own", ())))
    kept = data.get("scenes", data.get("moments", []))  # what a saved page has changed
    moments = json.dumps(kept).replace("<", "\\u003c")
    return filled(
        PAGES / "player.html",
        title=title,
        style=_squeezed(module.style_text(entry)),
        moments=moments,
        data=squeeze({**{k: v for k, v in data.items() if k != "scenes"}, "title": title}),
        module=_squeezed(module.page_module_text(entry, own)),
        boot=filled(PAGES / "boot.js", alphabet=alphabet()).strip(),
    )


@cache
def _squeezed(text: str) -> str:
    return squeeze(text)


def filled(template: Path, **fields: str) -> str:
    """A template with its fields: ``@name@`` is a text and escaped, ``@@name@@`` is markup."""

    def fill(field: re.Match[str]) -> str:
        value = fields[field[2]]
        return value if field[1] == "@@" else html.escape(value)

    return re.sub(r"(@@?)([a-z]+)\1", fill, template.read_text(encoding="utf-8"))


def entry_of(shown: Sequence[PlayerData]) -> str:
    """The module that has the views of all these players, and no more than it must."""
    if any("why" in log for one in shown for log in one.get("logs", ())):
        return EVERYTHING
    game = any(one.get("view") == GAME for one in shown)
    kinds = {kind for one in shown for log in one.get("logs", ()) for kind in log["columns"]}
    if kinds & (parsing.KINDS | deletion.KINDS | transduction.KINDS):
        return EVERYTHING if game else SENTENCES
    return DECODER if game else ENTRY


def frame(page: str, title: str, height: int = HEIGHT) -> str:
    """The page inside an element of another page, such as an exported notebook."""
    fields = {"title": html.escape(title), "height": height, "most": MOST_HEIGHT}
    return FRAME.format(page=html.escape(page), **fields)


@checks_arguments
def to_html(  # noqa: PLR0913  (each is a choice by name)
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
    why: bool | Explain = False,
    reference: str | Sequence[str] | None = None,
) -> Path:
    """Write a page that plays the log, or two on one clock, and return its path.

    It is one file that opens offline, and takes what ``wl.play`` takes: ``names`` of two logs, the
    ``view`` to look at first; ``max_events``, after so many events a log is cut with a mark;
    ``at``, after so many events, from 0, it opens; ``moments``, bookmarks, each a number of events
    and a note, ``[(120, "here gold falls")]``; ``why=True``, the reasons of scores, which add 20 to
    60 KB for ten words; ``reference``, the sentence that is right (of several searches one each),
    its tokens apart by spaces: each word of an output is marked where gold is not in the log. Two
    searches of one kind open where their winners part. An address such as
    ``page.html#event=120&view=agenda&pin=17`` opens just that moment. Raises ``ValueError`` as
    ``contents`` does, ``OSError`` where nothing can be written.
    """
    data = contents(
        log, other, view=view, names=names, max_events=max_events, at=at, moments=moments, why=why,
        reference=reference,
    )  # fmt: skip
    return write_page(path, page_text(data, title or default_title(log)))


# --- a lecture ------------------------------------------------------------------------------------


Scene = str | tuple[EventLog, Sequence[Moment]] | tuple[EventLog, Sequence[Moment], str]
"""A text alone; or a log with moments, (number of events, what to say), and perhaps a view."""


@checks_arguments
def lecture(
    scenes: Sequence[Scene],
    path: str | os.PathLike[str],
    *,
    title: str = "Lecture",
    max_events: int = MAX_EVENTS,
    why: bool = False,
) -> Path:
    """Write a page that goes from moment to moment through several logs, and return its path.

    ``scenes`` are texts, and logs with moments, each a number of events and what to say; perhaps
    the number of the state or edge that is spoken of, to which a line then leads; and annotations,
    a line of text for each item::

        moments = [(120, "Here gold falls.", 17), (300, "Too late.", None, {31: "the winner"})]
        wl.lecture(["Where does gold fall?\\n---\\nLet them guess.", (log, moments)], "day.html")

    Below a line ``---`` stands what only the presenter reads, in a window of its own. A third entry
    names the view: ``(log, moments, "agenda")``. ``player.moments`` of a notebook are moments, too.
    A log that is named twice is there once, cut after so many events as ``max_events`` says.
    ``why=True`` brings the reasons of scores, of each log that can tell them. Raises ``ValueError``
    for no scenes, for what is neither text nor log with moments, and as ``play`` does; ``OSError``
    where nothing can be written.
    """
    players: list[PlayerData] = []
    places: dict[tuple[int, str | None], int] = {}
    shown: list[SceneData] = []
    for number, scene in enumerate(scenes, 1):
        if isinstance(scene, str):
            shown.append(_told(scene))
            continue
        log, moments, view = _parts(number, scene)
        known = (id(log), view)
        if known not in places:
            places[known] = len(players)
            data = contents(log, view=view, max_events=max_events)
            data["title"] = default_title(log)
            if why and (reasons := pack_reasons(log, None, max_events)):
                data["logs"][0]["why"] = reasons
            players.append(data)
        here = players[places[known]]
        for one in moments:
            moment = moment_of(one, log, len(here["logs"][0]["kinds"]))
            at: SceneData = {"log": places[known], "view": here["view"], **moment}  # type: ignore[typeddict-item]
            shown.append({**at, **_told(moment["note"])})
    if not shown:
        raise ValueError("a lecture has at least one scene: a text, or a log with its moments")
    if why and not any("why" in log for one in players for log in one["logs"]):
        raise ValueError("there are no reasons for these scores: none of the logs can tell them")
    return write_page(path, page_text({"players": players, "scenes": shown}, title))


def _told(text: str) -> SceneData:
    """What the class reads, and what the presenter alone does."""
    note, _, aside = text.partition(ASIDE)
    return {"note": note, "aside": aside} if aside else {"note": note}


def _parts(number: int, scene: Any) -> tuple[EventLog, Sequence[Moment], str | None]:
    match scene:
        case (EventLog() as log, [*moments]):
            return log, moments, None
        case (EventLog() as log, [*moments], str(view)):
            return log, moments, view
    raise ValueError(
        f"scene {number} is neither a text nor a log with moments: give a string, or "
        "(log, [(event, note), ...]), or (log, [...], view)"
    )


# --- pages ----------------------------------------------------------------------------------------


def write_page(path: str | os.PathLike[str], text: str) -> Path:
    """Write a page, whole or not at all. Raises ``OSError`` where it cannot be written."""
    with replacing(path) as part:
        part.write_text(text, encoding="utf-8", errors=ESCAPED)
    return Path(path)


def default_title(log: EventLog) -> str:
    """What a log is about: the bag that is ordered, or how many searches there are."""
    bags = [event[1] for event in log if event[0] == "begin"]
    kinds = {event[0] for event in log}
    if kinds <= WITHOUT_SEARCHES:
        return f"Training: {sum(event[0] == 'learned' for event in log):,} examples"
    if kinds & {"update", "learned", "edge_update", "violation", "solved"}:
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


class OnPage:
    """What has a page, an iframe in a notebook or a file; its module begins at ``entry``."""

    title: str
    entry: str

    def contents(self) -> dict[str, object]:
        """It as plain data."""
        raise NotImplementedError

    def page(self) -> str:
        """The page, which needs nothing else."""
        return page_text(self.contents(), self.title, self.entry)

    def to_html(self, path: str | os.PathLike[str]) -> Path:
        """Write the page. Raises ``OSError`` where it cannot be written."""
        return write_page(path, self.page())

    def _repr_html_(self) -> str:
        return frame(self.page(), self.title)


Drive = Callable[[dict[str, object]], dict[str, object]]
"""The model behind a log: it answers what a view asks about two edges, or about another rule."""


Again = Callable[[int], tuple[EventLog, EventLog, int, str]]
"""The training behind a log: after so many events it searches again with the weights before and
after the last update. It gives both logs, the number of events of the first to open at, and a
title, or raises ``ValueError``, with a reason to read, where it cannot."""
