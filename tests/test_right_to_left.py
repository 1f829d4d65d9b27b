"""Arabic and Chinese in a browser: where the words stand, beside each other and beside the rest.

The sentences are our own.
"""

from __future__ import annotations

from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from browser import ready

import wordorder_lab as wl
from wordorder_lab.exploring.explore import exploration
from wordorder_lab.structures.sentence import Sentence, Token
from wordorder_lab.widgets.explorer import ExplorerPage

pytestmark = pytest.mark.browser

PLACES = (Path(__file__).parent / "page_scripts/places.js").read_text(encoding="utf-8")
BEAM, BEST_FIRST = "liu-2015", "zhang-clark-2015-dependency"
TREES = {
    "قرأ الولد الكتاب في البيت .": ("VERB NOUN NOUN ADP NOUN PUNCT", (-1, 0, 0, 4, 0, 0)),
    "كتب المعلم الدرس على اللوح .": ("VERB NOUN NOUN ADP NOUN PUNCT", (-1, 0, 0, 4, 0, 0)),
    "ذهبت البنت إلى المدرسة صباحا .": ("VERB NOUN ADP NOUN ADV PUNCT", (-1, 0, 3, 0, 0, 0)),
    "小 猫 在 桌子 上 睡觉 。": ("ADJ NOUN ADP NOUN PART VERB PUNCT", (1, 5, 3, 5, 3, -1, 5)),
    "老师 在 学校 教 中文 。": ("NOUN ADP NOUN VERB NOUN PUNCT", (3, 2, 3, -1, 3, 3)),
}
ARABIC, _, _, CHINESE, _ = TREES
Span = tuple[float, float, float]


def sentences() -> list[Sentence]:
    return [
        Sentence(
            tuple(Token((w,), p, h) for w, p, h in zip(line.split(), tags.split(), heads)), "own"
        )
        for line, (tags, heads) in TREES.items()
    ]


@cache
def model(system: str) -> Any:
    how = {"epochs": 8, "beam": 8, "progress": False, "engine": "reference"}
    return wl.train(system, sentences(), **how)


def opened(page: Any, folder: Path, system: str, line: str, view: str | None = None) -> list[str]:
    """The player of a search for this sentence, at its end; the words of its output."""
    log = wl.EventLog()
    result = model(system).order(line.split(), engine="reference", trace=log)
    ready(page, wl.to_html(log, folder / "page.html", view=view))
    return list(result.words)


def places(inside: Any, words: list[str]) -> list[Span]:
    return [tuple(one) for one in inside.evaluate(PLACES, words)]


def runs(spans: list[Span], leftward: bool) -> None:
    """Each word is beside the one before it, on the side where its script goes on, with a space."""
    ordered = spans[::-1] if leftward else spans
    gaps = [after[0] - before[1] for before, after in pairwise(ordered)]
    assert all(1 < gap < 60 for gap in gaps), gaps


def between(spans: list[Span], left: Span, right: Span) -> None:
    """All of them stand between these two."""
    assert left[1] <= min(spans)[0] + 1 and max(one[1] for one in spans) <= right[0] + 1


@pytest.mark.parametrize("line", [ARABIC, CHINESE])
def test_a_beam_is_read_as_its_script_is(page, tmp_path, line: str) -> None:
    words = opened(page, tmp_path, BEAM, line)
    leftward = line == ARABIC
    told = page.locator(".wol-narration")
    score, opening, *spans, closing = places(told, ["with score", "“", *words, "”"])
    runs(spans, leftward)
    assert score[1] < opening[0]
    between(spans, opening, closing)
    title = page.locator("h2")  # a list of units, in the order of the list
    bag = title.inner_text().split(": ")[1].replace("\u2067", "").replace("\u2069", "")
    runs(places(title, bag.split(" · ")), False)
    card = page.locator(".wol-chosen text", has_text="[").first
    opening, *spans, closing = places(card, ["[", *words, "]"])
    runs(spans, leftward)
    between(spans, opening, closing)
    for shift in page.locator("svg text", has_text="SHIFT ").all()[:3]:
        action, slash = places(shift, ["SHIFT", "/"])
        assert action[1] < slash[0]


@pytest.mark.parametrize("line", [ARABIC, CHINESE])
@pytest.mark.parametrize("view", ["agenda", "chart"])
def test_an_edge_and_its_tree_are_read_as_their_script_is(page, tmp_path, line, view) -> None:
    words = opened(page, tmp_path, BEST_FIRST, line, view)
    leftward = line == ARABIC
    card = page.locator("[data-serial] text", has_text=words[-1]).filter(has_text=words[0]).first
    lines: dict[int, list[Span]] = {}
    for span in places(card, words):
        lines.setdefault(round(span[2]), []).append(span)
    assert list(lines) == sorted(lines), "from line to line downwards"
    for line_of_words in lines.values():
        runs(line_of_words, leftward)
    trees = page.locator('g[role="img"][aria-label^="Words so far"]')
    tree = trees.filter(has_text=words[-1]).filter(has_text=words[0]).first
    found = [places(tree.locator("text", has_text=word).first, [word])[0] for word in words]
    runs(found, leftward)


def test_the_explorer_shows_a_sentence_as_its_script_is(page, tmp_path) -> None:
    table = exploration(model(BEST_FIRST), sentences(), engine="reference").table
    ready(page, ExplorerPage(table).to_html(tmp_path / "explorer.html"))
    for row in table.frame.itertuples():
        page.evaluate("(number) => wordorderExplorer.lookAtNumber(number)", int(row.number))
        for name, line in (("Reference", row.reference), ("Output", row.output)):
            shown = page.locator(".wol-line", has_text=f"{name}:")
            label, *spans = places(shown, [f"{name}:", *line.split()])
            runs(spans, "\u0600" < max(line) < "\u0700")
            assert label[1] < min(spans)[0]


def test_chinese_words_go_on_in_the_next_line(page, tmp_path) -> None:
    page.set_viewport_size({"width": 360, "height": 720})
    words = opened(page, tmp_path, BEAM, CHINESE)
    spans = places(page.locator(".wol-narration"), ["The search", *words])
    assert len({round(top) for *_, top in spans}) > 1
    assert all(0 <= left < right <= 360 for left, right, _ in spans)
