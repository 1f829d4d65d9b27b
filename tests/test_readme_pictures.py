"""README and the pages of `docs/` show what `make pictures` makes, and nothing else."""

from __future__ import annotations

import re
import struct
from pathlib import Path
from typing import Any

import readme_pictures as pictures

from wordorder_lab.commands.gallery.pages import PARTIAL, TEN
from wordorder_lab.structures.typed_bag import parse_bag
from wordorder_lab.systems import train
from wordorder_lab.trace.log import EventLog
from wordorder_lab.widgets.page import to_html

DOCS = pictures.FOLDER.parent
MOST = 400_000
"""Bytes of a picture: whoever reads a page waits for all of them."""


def size_of(picture: Path) -> tuple[int, int]:
    head = picture.read_bytes()[:24]
    assert head.startswith(b"\x89PNG")
    return struct.unpack(">II", head[16:24])


def test_every_picture_that_is_shown_is_made_by_the_script() -> None:
    pages = [DOCS.parent / "README.md", *DOCS.rglob("*.md")]
    shown = [
        (page.parent / place, alternative)
        for page in pages
        for alternative, place in re.findall(
            r"!\[([^]]+)\]\(([^)]+\.png)\)", page.read_text(encoding="utf-8")
        )
    ]
    assert {path.resolve() for path, _ in shown} == {
        pictures.FOLDER / f"{n}.png" for n in [*pictures.SHOTS, pictures.INDEX]
    }
    assert all(len(alternative) > 40 for _, alternative in shown), "for who cannot see it"
    for path, _ in shown:
        assert size_of(path) == (pictures.WIDTH, pictures.HEIGHT) and path.stat().st_size < MOST


def test_moments_are_where_something_is_to_be_seen() -> None:
    """Halfway an edge is pinned that waits; an update is shown with all its weights."""
    log = EventLog()
    log.begin(["a", "b"], [1, 1], 2, 4)
    for serial in range(1, 7):
        log.leaf(serial, 0, "a", "X", -float(serial), 0, "")
    for serial in (1, 2):
        log.popped(serial, 0.0)
    log.edge_update(0, "agenda", 1, 2, -1.0, 1.0)
    log.weight("f", "", 0.0, 1.0)
    log.popped(3, 0.0)
    log.edge_update(0, "agenda", 1, 2, -1.0, 1.0)
    log.weight("f", "", 0.0, 1.0)
    log.rescored(4, 1.0)
    log.popped(4, 0.0)
    page: Any = type("Shown", (), {"log": log})
    halfway: pictures.Moment = pictures.SHOTS["agenda"][1](page)
    assert log.events[halfway.event - 1] == ("popped", 3, 0.0) and halfway.pin == 6
    update: pictures.Moment = pictures.SHOTS["update"][1](page)
    assert log.events[update.event - 1][0] == "rescored" and log.events[update.event][1] == 4


def test_a_picture_is_a_window_full(chromium, tmp_path) -> None:
    from wordorder_lab.check.small_world import SENTENCES

    model = train("liu-2015", SENTENCES, beam=2, epochs=1, engine="reference", progress=False)
    taken = []
    for name, text in (("a", PARTIAL), ("b", TEN)):
        log = EventLog()
        bag = parse_bag(text)
        model.order(bag, engine="reference", trace=log)
        pictures.take(
            chromium, to_html(log, tmp_path / f"{name}.html").as_uri(), tmp_path / f"{name}.png"
        )
        assert size_of(tmp_path / f"{name}.png") == (pictures.WIDTH, pictures.HEIGHT)
        taken.append((tmp_path / f"{name}.png").read_bytes())
    assert taken[0] != taken[1]


def test_every_view_has_a_sheet_and_a_caption_for_each_moment() -> None:
    told = (pictures.VIEWS / "views.md").read_text(encoding="utf-8")
    for view, sheet in pictures.SHEETS.items():
        picture = pictures.VIEWS / f"{view}.png"
        assert size_of(picture) == (pictures.SHOWN[0], pictures.SHOWN[1] * len(pictures.SHARES))
        assert picture.stat().st_size < MOST
        assert all(f"{i}. {said}" in told for i, said in enumerate(sheet.captions, 1))
