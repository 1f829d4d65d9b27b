"""The demo's two figures as SVG, in the colours of the page: light or dark, never colour alone."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any
from xml.etree.ElementTree import Element

from wordorder_lab.commands.demo.html import node

WIDTH, HEIGHT = 680, 300
LEFT, RIGHT, TOP, BOTTOM = 48, 16, 36, 58
"""Pixels around the plot itself: room for labels."""


def learning_curve(epochs: Sequence[Mapping[str, Any]], floor: float) -> Element:
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
