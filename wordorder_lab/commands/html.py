"""What pages without a program of their own are made of: elements, tables, plots, and templates.

One rule says what is escaped: templates in ``pages`` are filled as ``filled`` says, what is put
together here is an XML tree. So a word of a corpus is text on a page, and never markup. A page asks
no host for anything, and its policy forbids it to.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import Element

from wordorder_lab.experiments.runs.schema import Table
from wordorder_lab.structures.trees import clean, html_of
from wordorder_lab.widgets.page import filled

PAGES = Path(__file__).parent / "pages"


def node(tag: str, *inside: Element | str, **attributes: object) -> Element:
    """An element with what is inside; ``class_`` is ``class``, ``text_anchor`` ``text-anchor``."""
    named = {name.strip("_").replace("_", "-"): clean(str(attributes[name])) for name in attributes}
    element = Element(tag, named)
    for part in inside:
        if isinstance(part, Element):
            element.append(part)
        elif len(element):
            element[-1].tail = (element[-1].tail or "") + clean(part)
        else:
            element.text = (element.text or "") + clean(part)
    return element


def table(caption: str, head: Sequence[str], rows: Sequence[Sequence[Element | str]]) -> Element:
    """A table with a caption; the first cell of a row is its name."""
    lines = [node("tr", *[node("th", cell, scope="col") for cell in head])]
    for name, *cells in rows:
        line = [node("th", name, scope="row"), *[node("td", cell) for cell in cells]]
        lines.append(node("tr", *line))
    whole = node("table", node("caption", caption), node("tbody", *lines))
    return node("div", whole, class_="scroll")


def folded(summary: str, *inside: Element | str) -> Element:
    """Something that is shown when one asks for it."""
    return node("details", node("summary", summary), *inside)


def command(text: str) -> Element:
    """A line to type."""
    return node("pre", node("code", text))


def document(title: str, body: str, *, style: str = "", players: bool = True) -> str:
    """The whole page with ``style`` of its own; scripts may run for ``players`` alone, whose frames
    inherit its policy."""
    rules = (PAGES / "page.css").read_text(encoding="utf-8") + style
    scripts = "'unsafe-inline'" if players else "'none'"
    return filled(PAGES / "page.html", title=title, style=rules, scripts=scripts, body=body)


def markup(*elements: Element) -> str:
    """Elements one after the other, for a field of a template."""
    return "".join(map(html_of, elements))


# --- SVG: plots in the colours of their page, light or dark, never told by colour alone


WIDTH, HEIGHT = 680, 300
LEFT, RIGHT, TOP, BOTTOM = 48, 16, 36, 58
"""Pixels around the plot itself: room for labels."""


def draw(picture: Element, tag: str, kind: str, *inside: Element, **place: float) -> None:
    """Add a shape of a class, its numbers in tenths of a pixel."""
    numbers = {name: f"{value:.1f}" for name, value in place.items()}
    picture.append(node(tag, *inside, **numbers, class_=kind))


def line(picture: Element, x1: float, y1: float, x2: float, y2: float, kind: str = "ink") -> None:
    """A straight line."""
    draw(picture, "line", kind, x1=x1, y1=y1, x2=x2, y2=y2)


def write(
    picture: Element, x: float, y: float, text: str, kind: str = "ink", anchor: str = "start"
) -> None:
    """A few letters that begin at x, or have their middle or end there."""
    place = {"x": f"{x:.1f}", "y": f"{y:.1f}"}
    picture.append(node("text", text, **place, class_=kind, text_anchor=anchor))


def learning_curve(epochs: Sequence[Table], floor: float) -> Element:
    """BLEU after every epoch, and the floor that random order gives."""
    scores = [row["bleu_cased"] for row in epochs]
    top = _top([*scores, floor])
    every = ", ".join(f"{score:.1f}" for score in scores)
    description = (
        f"Learning curve: BLEU {every} after epochs 1 to {len(scores)}; "
        f"random order has {floor:.1f}."
    )
    picture = _frame(description, top, "epoch")
    line(picture, LEFT, _height(floor, top), WIDTH - RIGHT, _height(floor, top), "floor")
    _label(picture, LEFT + 8, _height(floor, top) - 7, f"random order: {floor:.1f}", "start")
    first, room, gaps = LEFT + 24, WIDTH - LEFT - RIGHT - 48, len(scores) - 1
    across = [first + room * (i / gaps if gaps else 0.5) for i in range(len(scores))]
    points = [(x, _height(score, top)) for x, score in zip(across, scores)]
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    picture.append(node("polyline", class_="line", points=path))
    for i, (x, y) in enumerate(points):
        title = node("title", f"epoch {i + 1}: BLEU {scores[i]:.2f}")
        draw(picture, "circle", "dot", title, cx=x, cy=y, r=4.5)
        if i % math.ceil(len(points) / 10) == 0:
            _label(picture, x, HEIGHT - BOTTOM + 18, str(i + 1))
    _label(picture, points[-1][0], points[-1][1] - 10, f"{scores[-1]:.1f}")
    return picture


def length_bars(rows: Sequence[Any], floor: Sequence[Any]) -> Element:
    """BLEU of the sentences of each length, a bar a bin, with the floor across each bar."""
    shown = [(row, low) for row, low in zip(rows, floor) if row.sentences]
    top = _top([scores.bleu_cased for pair in shown for scores in pair])
    every = "; ".join(f"{row.low} to {row.high} words, {row.bleu_cased:.1f}" for row, _ in shown)
    description = f"BLEU by sentence length: {every}. The table below has random order too."
    picture = _frame(description, top, "words in the sentence, and how many sentences")
    room = (WIDTH - LEFT - RIGHT) / len(shown)
    for i, (row, low) in enumerate(shown):
        _bar(picture, row, low, LEFT + (i + 0.5) * room, min(0.6 * room, 70), top)
    line(picture, WIDTH - RIGHT - 126, 13, WIDTH - RIGHT - 96, 13, "floor")
    _label(picture, WIDTH - RIGHT - 90, 17, "random order", "start")
    return picture


def _bar(picture: Element, row: Any, low: Any, x: float, wide: float, top: float) -> None:
    y, ground = _height(row.bleu_cased, top), HEIGHT - BOTTOM
    beside = f"BLEU {row.bleu_cased:.2f}, random {low.bleu_cased:.2f}"
    title = node("title", f"{row.low} to {row.high} words: {beside}")
    draw(picture, "rect", "bar", title, x=x - wide / 2, y=y, width=wide, height=ground - y)
    across = _height(low.bleu_cased, top)
    line(picture, x - wide / 2 - 6, across, x + wide / 2 + 6, across, "floor")
    _label(picture, x, y - 6, f"{row.bleu_cased:.0f}")
    _label(picture, x, ground + 18, f"{row.low}\u2013{row.high}")
    write(picture, x, ground + 34, f"{row.sentences}", "small", "middle")


def _frame(description: str, top: float, below: str) -> Element:
    size = {"viewBox": f"0 0 {WIDTH} {HEIGHT}", "width": WIDTH, "height": HEIGHT}
    picture = node("svg", class_="plot", role="img", aria_label=description, **size)
    for tick in range(0, round(top) + 1, 10 if top <= 60 else 20):
        y = _height(tick, top)
        line(picture, LEFT, y, WIDTH - RIGHT, y, "grid")
        _label(picture, LEFT - 8, y + 4, str(tick), "end")
    _label(picture, LEFT - 8, 14, "BLEU", "end")
    _label(picture, (LEFT + WIDTH - RIGHT) / 2, HEIGHT - 6, below)
    return picture


def _label(picture: Element, x: float, y: float, text: str, anchor: str = "middle") -> None:
    write(picture, x, y, text, "label", anchor)


def _top(values: Sequence[float]) -> float:
    return min(100, 10 * math.ceil((max(values) + 4) / 10))


def _height(value: float, top: float) -> float:
    return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * value / top
