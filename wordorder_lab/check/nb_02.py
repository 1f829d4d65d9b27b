"""Notebook 02: what one can see in a minute, twelve questions to six pictures.

Every answer is read off the event log that the player shows, so it is right whatever the picture
looks like. The logs are small and made by the readable engines: the same on every machine.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache, partial
from itertools import pairwise
from operator import gt, itemgetter
from statistics import multimode
from typing import Any, NamedTuple

from wordorder_lab.check.exercise import Judge, Wrong
from wordorder_lab.check.judges import WHOLE, Number, Several, Spelled, Truth, Wanted, exercise
from wordorder_lab.check.moments import Moment, after, nth_pop
from wordorder_lab.check.small_search import after_update, lessons, points_of_last_update, searches
from wordorder_lab.check.small_transducer import FAST_CAR, by_hand
from wordorder_lab.corpora import load_corpus
from wordorder_lab.structures.trace import Event
from wordorder_lab.systems import train
from wordorder_lab.trace.log import EventLog
from wordorder_lab.trace.reducers.replay import fold
from wordorder_lab.trace.reducers.search import on_agenda


class Search(NamedTuple):
    """A log, and how many of its events lead to the moment that is asked about."""

    log: EventLog
    at: int
    view: str


@cache
def beam() -> Search:
    """A search with a beam of 4 in which gold is cut, not too early, while ``liu-2015`` learns."""
    few = [one for one in load_corpus("gazette", units="base-np").train if len(one) <= 7][:40]
    log = EventLog()
    settings = {"engine": "reference", "beam": 4, "epochs": 1, "pos": 1, "seed": 1}
    train("liu-2015", few, trace=log, progress=False, **settings)
    begins = [k for k, event in enumerate(log) if event[0] == "begin"] + [len(log)]
    for begin, end in pairwise(begins):
        search = EventLog()
        for event in log.events[begin:end]:
            search.record(*event)
        if (lost := after(search, _is_gold_lost)) < end - begin:
            step, margin, _ = _gold_lost(search)
            if step >= 4 and margin > 0:
                return Search(search, lost, "beam")
    raise AssertionError("in no search gold is cut late and by a margin")


def transduction() -> Search:
    """*the fast car skidded to a halt*, made shorter by three weights."""
    by_hand().compress(FAST_CAR, beam=4, trace=(log := EventLog()), engine="reference")
    return Search(log, len(log), "transduction")


def _of(view: str) -> Search:
    """A search for dependency trees at its end, or a lesson after its last update."""
    if view != "updates":
        return Search(searches()[0], len(searches()[0]), view)
    return Search(lessons()[0], after_update(lessons()[0], rescored=True), view)


State = dict[str, Any]
SEARCHES: dict[str, Callable[[], Search]] = {
    "beam": beam,
    **{view: partial(_of, view) for view in ("agenda", "chart", "updates", "spans")},
    "transduction": cache(transduction),
}


def _is_gold_lost(event: Event) -> bool:
    return bool(event[0] == "gold" and event[3] == -1)


def _gold_lost(log: EventLog) -> tuple[int, float, str]:
    """The step at which gold is cut, how far it was behind the last kept state, its action."""
    _, step, serial, _ = next(filter(_is_gold_lost, log))
    margin = next((float(event[2]) for event in log if event[:2] == ("cut", serial)), 0.0)
    action = next(str(event[3]) for event in log if event[:2] == ("candidate", serial))
    return step, margin, action


def _popped(state: State) -> list[Any]:
    return [state["edges"][serial - 1] for serial, *_ in state["pops"]]


def _costliest(log: EventLog, _state: State) -> list[str]:
    points = points_of_last_update(log)
    return [name for name in points if points[name] == min(points.values())]


def _never_gold(_log: EventLog, state: State) -> list[int]:
    """Of the lengths that no gold span has, those of which the search makes most spans."""
    made, gold = state["made"], state["gold"]
    lengths = [n for n in range(1, len(made)) if n >= len(gold) or not gold[n]]
    return [n for n in lengths if made[n] == max(made[m] for m in lengths)]


def _left_out(_log: EventLog, state: State) -> Iterator[str]:
    words = Counter(filter(None, state["source"]["words"]))
    return (words - Counter(state["outputs"][0]["words"])).elements()


ACTION = Spelled('"SHIFT-word-TAG", "LEFTARC" or "RIGHTARC"')
FEATURE = Spelled('a template, = and its words, "POS(h) = VBD", say')
TWO_DECIMALS = Number(near=0.011)  # so many are on the screen
WORDS = Several("a list of words", str, counted=True)
EDGES = Several("a list of the numbers of edges", int)


def _seen(
    view: str, right: Callable[[EventLog, Any], Any], wants: Wanted[Any], any_of: bool = False
) -> Judge:
    """Whether an answer is what the log of this view and its state at the moment say, or with
    ``any_of`` one of the things."""

    def judge(answer: object) -> str:
        log, at, _ = SEARCHES[view]()
        where, rights = Moment(log, at, f"Is it {answer!r}?", view), right(log, fold(log, at, view))
        try:
            yours = wants.read(answer)
        except Wrong as wrong:
            raise Wrong(f"In the view {view}: {wrong}", where) from None
        if not any(wants.same(yours, one) for one in (rights if any_of else [rights])):
            raise Wrong(f"In the view {view}: it is not {wants.text(yours)}.", where)
        return "Seen."

    return judge


@exercise("02.1", judge=_seen("beam", lambda log, _: _gold_lost(log)[0], WHOLE))
def lost_at() -> int:
    """At which step was gold lost?

    - The map above the cards is the whole search: a column a step. Gold's way is orange.
    - Where the orange line ends there is a ✕; the number of the column stands above it.

    The orange line of the map ends at step 4.
    """
    return 4


@exercise("02.2", judge=_seen("beam", lambda log, _: _gold_lost(log)[1], TWO_DECIMALS))
def behind_by() -> float:
    """By how much was the gold state behind the last one that was kept?

    - Press the last orange dot of the map: its card has a star and a dashed frame.
    - At the top right of the card stands how far it is behind.

    The card of that state is dashed, and says *6 behind*.
    """
    return 6.0


@exercise("02.3", judge=_seen("beam", lambda log, _: _gold_lost(log)[2], ACTION))
def led_there() -> str:
    """Which action led to the gold state that was cut? (SHIFT-word-TAG, LEFTARC or RIGHTARC)

    - It is the first line of the card with the star and the dashed frame.
    - The card writes SHIFT word/TAG; hand it in as SHIFT-word-TAG.

    The same card says RIGHTARC.
    """
    return "RIGHTARC"


def _before_pop_6(log: EventLog, _state: State) -> list[int]:
    return on_agenda(fold(log, nth_pop(log, 6, before=True), "agenda"), 2)


@exercise("02.4", judge=_seen("agenda", _before_pop_6, EDGES))
def competed() -> list[int]:
    """Which two edges competed for pop 6? (their numbers)

    - Step to where 5 pops are done; nothing else is popped yet.
    - The two at ranks 1 and 2 of the list are meant; the number stands before the words.

    After five pops edges 38 and 30 stand at ranks 1 and 2.
    """
    return [38, 30]


def _waits(_log: EventLog, state: State) -> int:
    return int(max(pop - edge["made"] for pop, edge in enumerate(_popped(state))))


@exercise("02.5", judge=_seen("agenda", _waits, WHOLE))
def waited() -> int:
    """How many pops did the edge wait that waited longest before it was popped?

    - In the rank flow an edge is a line from ▲ to ◆: which line is the longest?
    - The card of a popped edge says how many others were popped while it waited.

    The longest line from ▲ to ◆ passes four pops of others.
    """
    return 4


def _fullest(_log: EventLog, state: State) -> int:
    return int(min(multimode(edge["size"] for edge in _popped(state))))


@exercise("02.6", judge=_seen("chart", _fullest, WHOLE))
def most_popped() -> int:
    """Of how many units are most of the edges that were popped?

    - The map has a column for each number of units, and a tile for each popped edge.
    - Count the tiles of the two fullest columns; filled or hollow makes no difference.

    Single units: every leaf is popped sooner or later, and here that makes the fullest column.
    """
    return 1


def _parts(_log: EventLog, state: State) -> list[int]:
    return [part for part in itemgetter("left", "right")(_popped(state)[-1]) if part]


@exercise("02.7", judge=_seen("chart", _parts, EDGES))
def parts() -> list[int]:
    """Which two edges was the last popped edge made of? (their numbers)

    - At the end of the search it is the edge that is looked at, with its tree below.
    - Point at its tile in the map: lines go to its parts. The sentence below the cards names them,
      too.

    At the end the card below says: made of edges 70 and 5.
    """
    return [70, 5]


@exercise("02.8", judge=_seen("updates", _costliest, FEATURE, any_of=True))
def cost_most() -> str:
    """Which feature cost gold most points in the last update? (as it is written)

    - The features are rows; sort them by “most points lost first”.
    - It is the first row, marked with “cost the most”.

    Sorted by points, the first row is `POS(h)·LVAL(h) = VBD, 0`: a verb without a left dependent,
    which is what the gold edge is at that moment.
    """
    return "POS(h)·LVAL(h) = VBD, 0"


@exercise("02.9", judge=_seen("updates", lambda _, state: gt(*state["update"]["after"]), Truth()))
def would_help() -> bool:
    """Would it help now: does gold score more than its rival after the last update?

    - Both structures say their score before the update and, behind an arrow, after it.
    - True or False is wanted.

    Both edges are rescored, and gold is ahead now.
    """
    return True


@exercise("02.10", judge=_seen("spans", _never_gold, WHOLE, any_of=True))
def of_length() -> int:
    """Of the lengths that no gold span has: of which does best-first make most spans?

    - Look for lengths without an orange bar.
    - The numbers on the bars are counts: compare the white bars of those lengths.

    Four words: no orange bar, and the highest white one of those, with 16 spans. Five words have
    just as many, so that 5 is right, too.
    """
    return 4


@exercise("02.11", judge=_seen("transduction", _left_out, WORDS))
def words_left_out() -> list[str]:
    """Which words were left out? (a list)

    - Go to the end: the source sentence shows what is crossed out.
    - Or compare the two sentences word by word. If none is missing, the list is empty.

    None: the best output has 7 of 7 words.
    """
    return []


def _root(_log: EventLog, state: State) -> float:
    return float(state["items"][state["cells"][-1]["items"][0] - 1]["score"])


@exercise("02.12", judge=_seen("transduction", _root, TWO_DECIMALS))
def wins_with() -> float:
    """Which score has the combination that wins at the root?

    - Go to the end: the root's cell is the last one, and its best combination the winner.
    - Two decimals are enough. The n-grams at both ends come later: the output's score has them, the
      combination's not.

    The root's cell is the last, and its best item has 6.39. The output's score, 4.15, has the
    n-grams at both ends as well.
    """
    return 6.39
