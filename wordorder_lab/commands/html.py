"""What pages without a program of their own are written with: elements, tables, plots.

The body is an XML tree, so whatever stands in a word of a corpus is text there and never markup.
The page asks no host for anything, and its policy forbids it to.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import Element

from wordorder_lab.experiments.runs.schema import Table
from wordorder_lab.runtime.atomic import ESCAPED, replacing
from wordorder_lab.structures.trees import clean, html_of

DOCUMENT = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; \
script-src {scripts}; style-src 'unsafe-inline'; img-src data: blob:">
<title>{title}</title>
<link rel="icon" href="data:,">
<style>{style}</style>
</head>
<body>
{body}
</body>
</html>
"""
"""Scripts are allowed for players alone: a frame inherits the policy of the page around it."""

STYLE = """
:root { --ink: #1c1c1c; --paper: #fff; --soft: #5a5f66; --faint: #eef0f3; --blue: #0072b2;
  --orange: #b35900; color-scheme: light dark; font: 1.05rem/1.55 system-ui, sans-serif; }
@media (prefers-color-scheme: dark) { :root { --ink: #ececec; --paper: #16181c; --soft: #a8adb5;
  --faint: #2a2e35; --blue: #56b4e9; --orange: #e69f00; } }
body { margin: 0; overflow-wrap: break-word; color: var(--ink); background: var(--paper); }
main { max-width: 46rem; margin: 2rem auto 4rem; padding: 0 1rem; }
h1 { line-height: 1.2; } h2 { margin-top: 3rem; } h3 { margin-top: 2rem; }
a { color: var(--blue); }
nav ul { display: flex; flex-wrap: wrap; gap: 0 1.2rem; margin: 0; padding: 0; list-style: none; }
figure { margin: 1.5rem 0; }
figcaption, small, .soft { color: var(--soft); }
svg { max-width: 100%; height: auto; }
.scroll, .tree { overflow-x: auto; }
.tree svg { max-width: none; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
caption { text-align: left; color: var(--soft); padding-bottom: .3rem; }
th, td { padding: .15rem .9rem .15rem 0; text-align: right; border-bottom: 1px solid var(--faint); }
th:first-child { text-align: left; }
code { font: .88em/1.5 ui-monospace, "DejaVu Sans Mono", monospace; overflow-wrap: anywhere; }
pre { padding: .7rem 1rem; background: var(--faint); border-radius: 6px; }
pre code { white-space: pre-wrap; }
.units { margin: .4rem 0; padding: 0; list-style: none; display: flex; flex-wrap: wrap;
  gap: .4rem; }
.units li { margin: 0; padding: .05rem .6rem; border: 1px solid var(--soft); border-radius: 5px; }
.pairs { padding-left: 2.4rem; } .pairs > li { margin: 1.3rem 0; }
.pairs dl { margin: 0; display: grid; grid-template-columns: max-content minmax(0, 1fr);
  gap: 0 .8rem; overflow-wrap: anywhere; }
.pairs dt { color: var(--soft); } .pairs dd { margin: 0; }
mark { color: inherit; background: none; font-weight: 700; text-decoration: underline 2px;
  text-decoration-color: var(--orange); text-underline-offset: 3px; }
del { color: var(--soft); text-decoration: line-through 1.5px var(--orange); }
summary { cursor: pointer; color: var(--blue); }
:focus-visible { outline: 3px solid var(--orange); outline-offset: 2px; }
.player { width: min(96vw, 100rem); margin-left: calc(50% - min(48vw, 50rem)); }
iframe { width: 100%; height: 53rem; border: 1px solid var(--soft); border-radius: 6px;
  box-sizing: border-box; }
.plot text { fill: currentColor; font-size: 13px; }
.plot .small { fill: var(--soft); font-size: 12px; }
.plot .grid { stroke: currentColor; stroke-opacity: .15; }
.plot .line { fill: none; stroke: var(--blue); stroke-width: 2.5; }
.plot .dot { fill: var(--blue); }
.plot .bar { fill: var(--blue); fill-opacity: .35; stroke: var(--blue); stroke-width: 1.5; }
.plot .floor { stroke: var(--orange); stroke-width: 2.5; stroke-dasharray: 7 4; }
"""


def node(tag: str, *inside: Element | str, **attributes: object) -> Element:
    """An element with texts and elements inside, in this order.

    ``class_`` stands for ``class``, ``text_anchor`` for ``text-anchor``.
    """
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


def write_page(path: Path, text: str) -> None:
    """Write a page atomically; a character that no text file can hold is escaped."""
    with replacing(path) as part:
        part.write_text(text, encoding="utf-8", errors=ESCAPED)


def document(title: str, main: Element, *, style: str = "", players: bool = True) -> str:
    """The whole page; ``style`` are rules of its own, and without ``players`` no script may run."""
    scripts = "'unsafe-inline'" if players else "'none'"
    more = {"title": escape(title), "style": STYLE + style, "scripts": scripts}
    return DOCUMENT.format(**more, body=html_of(main))


# --- Two plots as SVG, in the colours of the page: light or dark, never colour alone


WIDTH, HEIGHT = 680, 300
LEFT, RIGHT, TOP, BOTTOM = 48, 16, 36, 58
"""Pixels around the plot itself: room for labels."""


def learning_curve(epochs: Sequence[Table], floor: float) -> Element:
    """BLEU after every epoch, and the floor that random order gives."""
    scores = [row["bleu_cased"] for row in epochs]
    top = _top([*scores, floor])
    said = (
        f"Learning curve: BLEU {_list(scores)} after epochs 1 to {len(scores)}; "
        f"random order has {floor:.1f}."
    )
    picture = _frame(said, top, "epoch")
    places = [_across(i, len(scores)) for i in range(len(scores))]
    points = [(x, _height(score, top)) for x, score in zip(places, scores)]
    _floor(picture, LEFT, WIDTH - RIGHT, _height(floor, top))
    label = f"random order: {floor:.1f}"
    picture.append(_text(LEFT + 8, _height(floor, top) - 7, label, anchor="start"))
    line = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    picture.append(node("polyline", class_="line", points=line))
    every = math.ceil(len(points) / 10)
    for i, (x, y) in enumerate(points):
        title = node("title", f"epoch {i + 1}: BLEU {scores[i]:.2f}")
        picture.append(node("circle", title, class_="dot", cx=f"{x:.1f}", cy=f"{y:.1f}", r=4.5))
        if i % every == 0:
            picture.append(_text(x, HEIGHT - BOTTOM + 18, str(i + 1)))
    picture.append(_text(points[-1][0], points[-1][1] - 10, f"{scores[-1]:.1f}"))
    return picture


def length_bars(rows: Sequence[Any], floor: Sequence[Any]) -> Element:
    """BLEU of the sentences of each length, a bar a bin, with the floor across each bar."""
    shown = [(row, low) for row, low in zip(rows, floor) if row.sentences]
    top = _top([scores.bleu_cased for pair in shown for scores in pair])
    parts = [f"{row.low} to {row.high} words, {row.bleu_cased:.1f}" for row, _ in shown]
    said = f"BLEU by sentence length: {'; '.join(parts)}. The table below has random order too."
    picture = _frame(said, top, "words in the sentence, and how many sentences")
    room = (WIDTH - LEFT - RIGHT) / len(shown)
    wide = min(0.6 * room, 70)
    for i, (row, low) in enumerate(shown):
        _bar(picture, row, low, LEFT + (i + 0.5) * room, wide, top)
    _floor(picture, WIDTH - RIGHT - 126, WIDTH - RIGHT - 96, 13)
    picture.append(_text(WIDTH - RIGHT - 90, 17, "random order", anchor="start"))
    return picture


def _bar(picture: Element, row: Any, low: Any, x: float, wide: float, top: float) -> None:
    high, ground = _height(row.bleu_cased, top), HEIGHT - BOTTOM
    title = f"{row.low} to {row.high} words: BLEU {row.bleu_cased:.2f}, random {low.bleu_cased:.2f}"
    place = {"x": f"{x - wide / 2:.1f}", "y": f"{high:.1f}"}
    size = {"width": f"{wide:.1f}", "height": f"{ground - high:.1f}"}
    picture.append(node("rect", node("title", title), class_="bar", **place, **size))
    _floor(picture, x - wide / 2 - 6, x + wide / 2 + 6, _height(low.bleu_cased, top))
    picture.append(_text(x, high - 6, f"{row.bleu_cased:.0f}"))
    picture.append(_text(x, ground + 18, f"{row.low}\u2013{row.high}"))
    picture.append(_text(x, ground + 34, f"{row.sentences}", name="small"))


def _frame(said: str, top: float, below: str) -> Element:
    """An empty plot with its axes: BLEU from 0 to ``top``."""
    size = {"viewBox": f"0 0 {WIDTH} {HEIGHT}", "width": WIDTH, "height": HEIGHT}
    picture = node("svg", class_="plot", role="img", aria_label=said, **size)
    for tick in range(0, round(top) + 1, 10 if top <= 60 else 20):
        y = f"{_height(tick, top):.1f}"
        picture.append(node("line", class_="grid", x1=LEFT, x2=WIDTH - RIGHT, y1=y, y2=y))
        picture.append(_text(LEFT - 8, float(y) + 4, str(tick), anchor="end"))
    picture.append(_text(LEFT - 8, 14, "BLEU", anchor="end"))
    picture.append(_text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 6, below))
    return picture


def _top(values: Sequence[float]) -> float:
    """The end of the scale: a whole ten above everything, or 100."""
    return min(100, 10 * math.ceil((max(values) + 4) / 10))


def _height(value: float, top: float) -> float:
    return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * value / top


def _across(i: int, number: int) -> float:
    share = i / (number - 1) if number > 1 else 0.5
    return LEFT + 24 + (WIDTH - LEFT - RIGHT - 48) * share


def _floor(picture: Element, start: float, end: float, y: float) -> None:
    ends = {"x1": f"{start:.1f}", "x2": f"{end:.1f}", "y1": f"{y:.1f}", "y2": f"{y:.1f}"}
    picture.append(node("line", class_="floor", **ends))


def _text(x: float, y: float, text: str, anchor: str = "middle", name: str = "label") -> Element:
    return node("text", text, class_=name, x=f"{x:.1f}", y=f"{y:.1f}", text_anchor=anchor)


def _list(scores: Sequence[float]) -> str:
    return ", ".join(f"{score:.1f}" for score in scores)
