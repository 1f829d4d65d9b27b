"""Small pictures for the gallery's index: of each search its telling moment, drawn from its log.

Every picture is SVG without a script or a colour of its own: the index says what `.best`, `.gold`,
`.lost` and `.faint` look like, by day and by night.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from statistics import mean
from typing import Any, NamedTuple
from xml.etree.ElementTree import Element, tostring

from wordorder_lab.commands.html import draw, line, node, write
from wordorder_lab.trace.log import EventLog
from wordorder_lab.trace.reducers.replay import fold
from wordorder_lab.trace.reducers.search import on_agenda

WIDTH, HEIGHT, MARGIN = 320, 180, 12
BARS = 12
"""Edges of an agenda, or changed weights, that are drawn."""
TELLING = 0.5
"""An agenda is shown after this fraction of the pops: it is full by then."""
LETTERS, FEWER, FEATURE = 9, 6, 23
"""Of a longer word the beginning is written: in a whole picture, in half of one; of a feature."""
DEEP = 16
"""Ranks of a beam that are drawn; a state below stands at the last."""
OPTIONS, FORMS = 8, 4
"""Actions, and units with several forms, that are drawn."""
GRIDS, SIDE = 2, 4
"""Grids of cube pruning that are drawn, and squares along a side."""


class Area(NamedTuple):
    """Where a log is drawn: from `left`, so wide; the whole picture, or a half of it."""

    left: float
    width: float

    def x(self, fraction: float) -> float:
        """From 0, the left end inside the margins, to 1."""
        return self.left + MARGIN + fraction * (self.width - 2 * MARGIN)


Draw = Callable[[Element, EventLog, Area], None]
Curves = Sequence[Sequence[float]]
Place = Callable[[int, int], tuple[float, float]]
"""Where the state of a rank after a step stands."""


def thumbnail(
    kind: str, log: EventLog, other: EventLog | None, description: str, curves: Curves = ()
) -> str:
    """The picture of a log, or of two side by side, or of ``curves``, with a ``description`` to
    hear. ``kind`` is one of ``PICTURES``, of ``OF_NUMBERS``, or for two logs "grid"; a search with
    a beam is a lattice beside any picture of best-first search."""
    picture = node("svg", viewBox=f"0 0 {WIDTH} {HEIGHT}", role="img", aria_label=description)
    if kind in OF_NUMBERS:
        OF_NUMBERS[kind](picture, curves)
    elif other is None:
        PICTURES[kind](picture, log, Area(0, WIDTH))
    elif kind == "grid":
        _grids(picture, log, other)
    else:
        for area, one, name in ((Area(0, 160), log, "A"), (Area(160, 160), other, "B")):
            pops = any(event[0] == "popped" for event in one)
            PICTURES[kind if pops or kind in BY_STEP else "lattice"](picture, one, area)
            write(picture, area.x(0), 13, name, "name")
        line(picture, 160, 8, 160, HEIGHT - 8, "faint")
    return tostring(picture, encoding="unicode")


def _dot(picture: Element, x: float, y: float, radius: float, kind: str = "ink") -> None:
    draw(picture, "circle", kind, cx=x, cy=y, r=radius)


def _bar(picture: Element, x: float, y: float, width: float, height: float, kind: str) -> None:
    draw(picture, "rect", kind, x=x, y=y, width=width, height=height, rx=1.5)


def _shortened(text: str, letters: int) -> str:
    return text if len(text) <= letters else f"{text[: letters - 1]}…"


def _word(picture: Element, x: float, y: float, word: str, kind: str, area: Area) -> None:
    """A word that leans, so that its neighbours have room."""
    short = _shortened(word, LETTERS if area.width == WIDTH else FEWER)
    place = {"x": f"{x:.1f}", "y": f"{y:.1f}", "transform": f"rotate(35 {x:.1f} {y:.1f})"}
    picture.append(node("text", short, **place, class_=kind))


# --- a beam ---------------------------------------------------------------------------------------


class Lattice(NamedTuple):
    """The last beam search of a log: a column a step, with the rank of each state kept; the
    ``gold`` state's rank a step, -1 where it has fallen out; the state that the search ended
    with."""

    columns: list[dict[int, int]]
    parents: dict[int, int]
    gold: list[int]
    end: int

    @property
    def path(self) -> list[int]:
        """Rank by rank the way to the end."""
        serial, ranks = self.end, []
        for column in reversed(self.columns):
            if serial not in column:
                return []
            ranks.append(column[serial])
            serial = self.parents[serial]
        return ranks[::-1]


def lattice_of(log: EventLog) -> Lattice:
    """What the last search of a log kept."""
    columns: list[dict[int, int]] = []
    parents: dict[int, int] = {}
    gold: list[int] = []
    end = 0
    for kind, *values in log:
        if kind == "begin":
            columns, parents, gold, end = [], {}, [], 0
        elif kind == "step":
            columns.append({})
        elif kind == "candidate":
            parents[values[0]] = values[1]
        elif kind == "kept":
            columns[-1][values[0]] = values[1]
        elif kind == "gold":
            gold.append(values[2])
        elif kind == "finished":
            end = values[0]
    return Lattice(columns, parents, gold, end)


def _lattice(picture: Element, log: EventLog, area: Area) -> None:
    """A dot a state, a line to its parent; the way to the end, or gold until it falls."""
    lattice = lattice_of(log)
    rows = min(DEEP, max([len(column) for column in lattice.columns], default=1))
    steps = max(1, len(lattice.columns))

    def at(step: int, rank: int) -> tuple[float, float]:
        depth = min(rank, rows) / max(rows - 1, 4)
        return area.x(step / steps), 24 + depth * (HEIGHT - 44)

    for i, column in enumerate(lattice.columns):
        for serial, rank in column.items():
            before = 0 if i == 0 else lattice.columns[i - 1].get(lattice.parents[serial], rows)
            if rank < rows:
                if before < rows:
                    line(picture, *at(i, before), *at(i + 1, rank), "faint")
                _dot(picture, *at(i + 1, rank), 2, "faint")
    if lattice.gold:
        _gold_path(picture, lattice.gold, at, rows)
    else:
        _path(picture, lattice.path, at, "best")
    _dot(picture, *at(0, 0), 4)


def _path(picture: Element, ranks: Sequence[int], at: Place, kind: str) -> None:
    for i, rank in enumerate(ranks):
        line(picture, *at(i, ranks[i - 1] if i else 0), *at(i + 1, rank), kind)
        _dot(picture, *at(i + 1, rank), 4, kind)


def _gold_path(picture: Element, gold: Sequence[int], at: Place, rows: int) -> None:
    """The gold state's ranks until it falls; there a cross below the beam."""
    until = gold.index(-1) if -1 in gold else len(gold)
    kept = gold[:until]
    _path(picture, kept, at, "gold")
    if until < len(gold):
        x, y = at(until + 1, rows)
        y = min(y, HEIGHT - 10)
        line(picture, *at(until, kept[-1] if kept else 0), x, y, "lost")
        line(picture, x - 6, y - 6, x + 6, y + 6, "lost")
        line(picture, x - 6, y + 6, x + 6, y - 6, "lost")


# --- best-first search ----------------------------------------------------------------------------


def _agenda(picture: Element, log: EventLog, area: Area) -> None:
    """The top of the agenda halfway: a bar an edge, as long as its score is high."""
    pops = [i for i, event in enumerate(log) if event[0] == "popped"]
    state = fold(log, pops[int(TELLING * len(pops))] if pops else len(log), "agenda")
    top = on_agenda(state, BARS)
    scores = [state["scores"][serial - 1] for serial in top]
    low, high = min(scores, default=0), max(scores, default=0)
    for i, (serial, score) in enumerate(zip(top, scores)):
        length = 0.25 + 0.75 * (score - low) / (high - low) if high > low else 0.6
        gold = state["edges"][serial - 1]["gold"] == 1
        kind = "gold" if gold else "best" if i == 0 else "ink"
        _bar(picture, area.x(0), 22 + 12.5 * i, length * (area.x(1) - area.x(0)), 8, kind)


def _post_order(edges: Sequence[dict[str, Any]], serial: int) -> Iterator[int]:
    """An edge after all that it was built of; nothing for 0."""
    if serial:
        for part in ("left", "right"):
            yield from _post_order(edges, edges[serial - 1][part])
        yield serial


def _chart(picture: Element, log: EventLog, area: Area) -> None:
    """A row a number of units, from 1 below to the goal on top; a dot an edge in the chart."""
    state = fold(log, len(log), "chart")
    goals = [i + 1 for i, place in enumerate(state["places"]) if place == "goal"]
    used = {*_post_order(state["edges"], goals[0])} if goals else set()
    rows: dict[int, list[int]] = {}
    for serial in [*state["chart"], *goals]:
        rows.setdefault(state["edges"][serial - 1]["size"], []).append(serial)
    most = max(rows, default=1)
    gap = min(16, (area.x(1) - area.x(0.08)) / max(map(len, rows.values()), default=1))
    for size in range(1, most + 1):
        y = HEIGHT - 18 - (size - 1) * (HEIGHT - 44) / max(1, most - 1)
        write(picture, area.x(0), y + 3.5, str(size), "name")
        line(picture, area.x(0.08), y, area.x(1), y, "faint")
        for i, serial in enumerate(rows.get(size, [])):
            x = area.x(0.08) + (i + 0.5) * gap
            _dot(picture, x, y, min(5, gap / 2), "best" if serial in used else "ink")


def _tree(picture: Element, log: EventLog, area: Area) -> None:
    edges = fold(log, len(log), "chart")["edges"]
    order = list(_post_order(edges, next((event[1] for event in log if event[0] == "goal"), 0)))
    leaves = [serial for serial in order if not edges[serial - 1]["left"]]
    parts = {
        serial: [part for side in ("left", "right") if (part := edges[serial - 1][side])]
        for serial in order
    }
    places: dict[int, tuple[float, int]] = {}
    for serial, below in parts.items():
        level = 1 + max((places[part][1] for part in below), default=-1)
        if below:
            places[serial] = (mean(places[part][0] for part in below), level)
        else:
            places[serial] = (area.x((leaves.index(serial) + 0.5) / len(leaves)), level)
    step = (HEIGHT - 62) / max([1, *(level for _, level in places.values())])
    heights = {serial: HEIGHT - 42 - level * step for serial, (_, level) in places.items()}
    for serial, below in parts.items():
        x, y = places[serial][0], heights[serial]
        for part in below:
            line(picture, x, y, places[part][0], heights[part], "best")
        _dot(picture, x, y, 3, "best")
        if not below:
            _word(picture, x, HEIGHT - 32, edges[serial - 1]["form"], "ink", area)


# --- learning and spans ---------------------------------------------------------------------------


def changes_of(log: EventLog) -> list[tuple[str, float]]:
    """The weights of the update that changes most of them, and by how much, largest first."""
    updates: list[list[tuple[str, float]]] = [[]]
    for kind, *values in log:
        if kind in ("update", "edge_update"):
            updates.append([])
        elif kind == "weight":
            updates[-1].append((values[0], values[3] - values[2]))
    most = max(updates, key=len)
    return sorted(most, key=lambda change: -abs(change[1]))


def _updates(picture: Element, log: EventLog, area: Area) -> None:
    """A bar a weight, to the right if it grows; the feature where there is room."""
    every = changes_of(log)
    half = BARS // 2
    shown = [c for c in every if c[1] > 0][:half] + [c for c in every if c[1] < 0][:half]
    largest = max((abs(change) for _, change in shown), default=1)
    middle = area.x(0.5)
    for i, (feature, change) in enumerate(shown):
        length = abs(change) / largest * (area.x(1) - middle)
        kind = "best" if change > 0 else "lost"
        _bar(picture, middle if change > 0 else middle - length, 17 + 12.5 * i, length, 8, kind)
        side, anchor = (-5, "end") if change > 0 else (5, "start")
        name = _shortened(feature, FEATURE)
        write(picture, middle + side, 25 + 12.5 * i, name, "small", anchor)
    line(picture, middle, 12, middle, HEIGHT - 12)


def _spans(picture: Element, log: EventLog, area: Area) -> None:
    """Fractions of spans by their length: those that were made behind those that are right."""
    counted = fold(log, len(log), "spans")["all"]
    longest = max(len(counted["made"]), len(counted["gold"]), 2)
    width = (area.x(1) - area.x(0)) / (longest - 1)
    shares = {
        name: [times / (sum(counted[name]) or 1) for times in counted[name]]
        for name in ("made", "gold")
    }
    highest = max(max(parts, default=1) for parts in shares.values()) or 1
    for name, kind, place in (("made", "ink", 0.1), ("gold", "gold", 0.5)):
        for length, part in enumerate(shares[name][1:]):
            tall = part / highest * (HEIGHT - 36)
            x = area.x(0) + (length + place) * width
            _bar(picture, x, HEIGHT - 22 - tall, 0.36 * width, tall, kind)
    for length in range(1, longest):
        x = area.x(0) + (length - 0.5) * width
        write(picture, x, HEIGHT - 8, str(length), "name", "middle")
    line(picture, area.x(0), HEIGHT - 22, area.x(1), HEIGHT - 22)


def _learning(picture: Element, log: EventLog, area: Area) -> None:
    counts = [event[2] for event in log if event[0] == "epoch"]
    width = (area.x(1) - area.x(0)) / max(1, len(counts))
    for i, updates in enumerate(counts):
        tall = updates / max([1, *counts]) * (HEIGHT - 52)
        x = area.x(0) + i * width
        kind = "best" if i == len(counts) - 1 else "ink"
        _bar(picture, x + 0.15 * width, HEIGHT - 22 - tall, 0.7 * width, tall, kind)
        middle = x + 0.5 * width
        write(picture, middle, HEIGHT - 27 - tall, str(updates), "name", "middle")
        write(picture, middle, HEIGHT - 8, str(i + 1), "name", "middle")
    line(picture, area.x(0), HEIGHT - 22, area.x(1), HEIGHT - 22)


# --- tree transduction ----------------------------------------------------------------------------


def _deleted(log: EventLog, parents: Sequence[int]) -> set[int]:
    rules = {event[1]: event for event in log if event[0] == "application"}
    used: list[int] = next((event[3] for event in log if event[0] == "compressed"), [])
    out = {place for application in used for place in rules[application][7]}
    for place in reversed(range(len(parents))):  # post-order: a parent comes after its children
        if parents[place] in out:
            out.add(place)
    return out


def _source(picture: Element, log: EventLog, area: Area) -> None:
    _, _, parents, words = next(event for event in log if event[0] == "source")
    out = _deleted(log, parents)
    depth = [0] * len(parents)
    for i in reversed(range(len(parents))):
        depth[i] = depth[parents[i]] + 1 if parents[i] >= 0 else 0
    leaves = [i for i, word in enumerate(words) if word]
    step = (HEIGHT - 68) / max(1, *depth)
    xs = {leaf: area.x((i + 0.3) / len(leaves)) for i, leaf in enumerate(leaves)}
    for i in range(len(parents)):
        if i not in xs:
            xs[i] = mean(xs[child] for child, above in enumerate(parents) if above == i)
    for i, parent in enumerate(parents):
        y = HEIGHT - 52 if words[i] else 16 + depth[i] * step
        if parent >= 0:
            kind = "lost" if i in out else "best"
            line(picture, xs[parent], 16 + depth[parent] * step, xs[i], y, kind)
        if words[i]:
            _word(picture, xs[i], HEIGHT - 42, words[i], "out" if i in out else "ink", area)


Grids = dict[int, set[tuple[int, ...]]]


def grids_of(log: EventLog) -> Grids:
    """The combinations that were looked at, by application: those of rules with two variables."""
    grids: Grids = {}
    children: dict[int, int] = {}
    for kind, *values in log:
        if kind == "application":
            children[values[0]] = len(values[5])
        elif kind == "combined" and children.get(values[1]) == 2:
            grids.setdefault(values[1], set()).add(tuple(values[2]))
    return grids


def _grids(picture: Element, log: EventLog, other: EventLog) -> None:
    """The largest grids of B, and what A looks at of each: a square a combination."""
    some, every = grids_of(log), grids_of(other)
    largest = sorted(sorted(every, key=lambda grid: (-len(every[grid]), grid))[:GRIDS])
    wide, tall = (160 - 2 * MARGIN) / SIDE, 68 / SIDE
    for left, name, looked in ((0, "A", some), (160, "B", every)):
        write(picture, left + MARGIN, 13, name, "name")
        for place, grid in enumerate(largest):
            x, y = left + MARGIN, 24 + place * (SIDE * tall + 8)
            for row, column in sorted(every[grid]):
                if row < SIDE and column < SIDE:
                    kind = "best" if (row, column) in looked.get(grid, ()) else "faint"
                    _bar(picture, x + column * wide, y + row * tall, wide - 3, tall - 3, kind)
    line(picture, 160, 8, 160, HEIGHT - 8, "faint")


# --- steps, forms, sentences, numbers -------------------------------------------------------------


def _by_step(log: EventLog, kind: str) -> list[list[list[Any]]]:
    """The events of a kind in each step of the last search."""
    steps: list[list[list[Any]]] = []
    for event, *values in log:
        if event == "begin":
            steps = []
        elif event == "step":
            steps.append([])
        elif event == kind and steps:
            steps[-1].append(values)
    return steps


def _forbidden(picture: Element, log: EventLog, area: Area) -> None:
    """A bar a step: the candidates, and on top of them what was forbidden."""
    made, refused = (list(map(len, _by_step(log, kind))) for kind in ("candidate", "forbidden"))
    most = max([1, *(a + b for a, b in zip(made, refused))])
    width = (area.x(1) - area.x(0)) / max(1, len(made))
    for i, counts in enumerate(zip(made, refused)):
        y = HEIGHT - 14.0
        for count, kind in zip(counts, ("ink", "lost")):
            tall = count / most * (HEIGHT - 44)
            y -= tall
            _bar(picture, area.x(0) + (i + 0.1) * width, y, 0.8 * width, tall, kind)


def _scores(picture: Element, log: EventLog, area: Area) -> None:
    """A column a step, a dot a candidate as high as its score; the best ones are joined."""
    steps = [[values[3] for values in step] for step in _by_step(log, "candidate")]
    steps = [scores for scores in steps if scores]
    every = [score for scores in steps for score in scores] or [0.0]
    low, wide = min(every), max(every) - min(every) or 1

    def at(step: int, score: float) -> tuple[float, float]:
        return area.x((step + 0.5) / len(steps)), HEIGHT - 16 - (score - low) / wide * (HEIGHT - 40)

    for i, scores in enumerate(steps):
        for score in scores:
            _dot(picture, *at(i, score), 1.6)
        if i:
            line(picture, *at(i - 1, max(steps[i - 1])), *at(i, max(scores)), "best")


def _options(picture: Element, log: EventLog, area: Area) -> None:
    """What the first step offers: an action a box, the best one lit."""
    offered = (_by_step(log, "candidate") or [[]])[0][:OPTIONS]
    best = max((values[3] for values in offered), default=0.0)
    for i, (_, _, action, score, *_) in enumerate(offered):
        x, y = area.x(i % 2 * 0.52), 20 + i // 2 * 38
        _bar(picture, x, y, 0.48 * (area.x(1) - area.x(0)), 28, "faint")
        if score == best:
            _bar(picture, x, y, 6, 28, "best")
        write(picture, x + 12, y + 18, _shortened(action, 19), "ink")


def _forms(picture: Element, log: EventLog, area: Area) -> None:
    """Of each unit that has several forms the one that was taken, and the others struck out."""
    forms: dict[int, list[str]] = {}
    for _, places, texts in (event for event in log if event[0] == "alternatives"):
        for place, text in zip(places, texts, strict=True):
            forms.setdefault(place, []).append(text)
    end = " ".join(word for word, *_ in _ended(log))
    for row, several in enumerate([*forms.values()][:FORMS]):
        x = area.x(0)
        for text in several:
            taken = f" {text} " in f" {end} "
            write(picture, x, 34 + row * 40, text, "large" if taken else "large out")
            x += 9 * len(text) + 18


def _ended(log: EventLog) -> Sequence[Any]:
    """The words of the state that a search ended with; none of one that did not end."""
    state = fold(log, len(log), "beam")
    if state["finished"] is None:
        return []
    serial = state["finished"]["serial"]
    ends = (one for one in state["columns"][-1]["states"] if one["serial"] == serial)
    found: Sequence[Any] = next(ends)["order"]
    return found


def _deletion(picture: Element, log: EventLog, area: Area) -> None:
    """The words, those struck that go, and from each that stays an arc to the next."""
    words: list[str] = next((event[1] for event in log if event[0] == "begin"), [])
    path: list[int] = next((event[3] for event in log if event[0] == "path"), [])
    kept: list[int] = next((event[2] for event in log if event[0] == "programme"), path)
    demands = [event for event in log if event[0] == "demand"]
    xs = [area.x((i + 0.2) / len(words)) for i in range(len(words))]
    pairs = [event[3][:2] for event in demands] or list(pairwise(kept))
    for one, *rest in pairs:
        _arc(picture, xs[one], xs[rest[0] if rest else one], "gold" if demands else "best")
    for i, word in enumerate(words):
        _word(picture, xs[i], HEIGHT - 46, word, "ink" if i in kept else "out", area)


def _arc(picture: Element, start: float, end: float, kind: str) -> None:
    """A roof of three lines over two words, the higher the further they are apart."""
    y, tall = HEIGHT - 62, 8 + 0.42 * abs(end - start)
    left, right = min(start, end) + 4, max(start, end) + 4
    inset = 0.2 * (right - left)
    line(picture, left, y, left + inset, y - tall, kind)
    line(picture, left + inset, y - tall, right - inset, y - tall, kind)
    line(picture, right - inset, y - tall, right, y, kind)


def _parse(picture: Element, log: EventLog, area: Area) -> None:
    """The triangle of cells: the more labels a cell has, the darker; those of the best tree lit."""
    words: list[str] = next((event[1] for event in log if event[0] == "begin"), [])
    made = {event[1]: event[2:] for event in log if event[0] == "constituent"}
    used: set[tuple[int, int]] = set()
    todo = [event[1] for event in log if event[0] == "parsed"]
    while todo:
        if (found := made.get(todo.pop())) is not None:
            used.add((found[0], found[1]))
            todo += found[4:6]
    filled = {(first, end) for first, end, *_ in made.values()}
    wide, tall = (area.x(1) - area.x(0)) / (len(words) or 1), (HEIGHT - 62) / (len(words) or 1)
    for first, end in sorted(filled | used):
        x = area.x(0) + (first + end - 1) / 2 * wide
        kind = "best" if (first, end) in used else "faint"
        _bar(picture, x + 1, HEIGHT - 48 - (end - first) * tall, wide - 3, tall - 2, kind)
    for i, word in enumerate(words):
        _word(picture, area.x(0) + (i + 0.2) * wide, HEIGHT - 36, word, "ink", area)


def _together(picture: Element, log: EventLog, area: Area) -> None:
    """The chart, and beside it the agenda, in frames."""
    for place, draw_one in ((area.left, _chart), (area.left + area.width / 2, _agenda)):
        draw_one(picture, log, Area(place, area.width / 2))
    line(picture, area.left + area.width / 2, 8, area.left + area.width / 2, HEIGHT - 8, "faint")


def _curves(picture: Element, curves: Curves) -> None:
    """A curve each, from left to right, between the least and the greatest value of all."""
    every = [value for values in curves for value in values] or [0.0]
    low, wide = min(every), max(every) - min(every) or 1
    area = Area(0, WIDTH)
    line(picture, area.x(0), HEIGHT - 14, area.x(1), HEIGHT - 14, "faint")
    for values, kind in zip(curves, ("best", "gold", "lost")):
        last = max(1, len(values) - 1)
        points = [
            (area.x(i / last), HEIGHT - 22 - (value - low) / wide * (HEIGHT - 48))
            for i, value in enumerate(values)
        ]
        for one, two in pairwise(points):
            line(picture, *one, *two, kind)
        for x, y in points if len(curves) == 1 else points[-1:]:
            _dot(picture, x, y, 4, kind)


def _histogram(picture: Element, curves: Curves) -> None:
    """How many of the values are in each tenth of their range, from 0 to 100."""
    counts = [0] * 10
    for value in curves[0]:
        counts[min(9, int(value / 10))] += 1
    area, most = Area(0, WIDTH), max([1, *counts])
    width = (area.x(1) - area.x(0)) / 10
    for i, count in enumerate(counts):
        tall = count / most * (HEIGHT - 44)
        kind = "best" if i == 9 else "ink"
        _bar(picture, area.x(0) + (i + 0.06) * width, HEIGHT - 14 - tall, 0.88 * width, tall, kind)
    line(picture, area.x(0), HEIGHT - 14, area.x(1), HEIGHT - 14)


OF_NUMBERS: dict[str, Callable[[Element, Curves], None]] = {
    "curves": _curves,
    "histogram": _histogram,
}
"""Pictures that are of no log."""
BY_STEP = ("forbidden",)
"""Pictures of a search with a beam that are drawn of two, too."""
PICTURES: dict[str, Draw] = {
    "lattice": _lattice,
    "agenda": _agenda,
    "chart": _chart,
    "tree": _tree,
    "updates": _updates,
    "learning": _learning,
    "spans": _spans,
    "source": _source,
    "forbidden": _forbidden,
    "scores": _scores,
    "options": _options,
    "forms": _forms,
    "deletion": _deletion,
    "parse": _parse,
    "together": _together,
}
"""Every kind of picture by its name."""
