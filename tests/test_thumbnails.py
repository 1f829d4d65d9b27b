"""Thumbnails of the gallery: what is drawn is what the log says."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from wordorder_lab.commands.gallery.thumbnails import (
    PICTURES,
    changes_of,
    grids_of,
    lattice_of,
    thumbnail,
)
from wordorder_lab.trace.log import EventLog


def a_beam(gold: tuple[int, ...] = ()) -> EventLog:
    """Three steps, two states each; the end comes from the second state of step 2."""
    log = EventLog()
    log.begin(["a", "b"], [1, 1], 2, 2)
    for step in range(3):
        log.step(step + 1)
        for rank in (0, 1):
            serial = 2 * step + rank + 1
            parent = 0 if step == 0 else 2 * step - 1 + (rank == 0 and step == 2)
            log.candidate(serial, parent, "SHIFT-a-X", -float(serial))
            log.kept(serial, rank)
        if step < len(gold):
            log.gold(step + 1, 2 * step + 1 + max(gold[step], 0), gold[step])
    log.finished(5, 0.0)
    return log


def an_agenda() -> EventLog:
    """Two leaves and what they make; gold edges are 1 and 3."""
    log = EventLog()
    log.begin(["a", "b"], [1, 1], 2, 4)
    log.leaf(1, 0, "a", "X", 2.0, 1, "")
    log.leaf(2, 1, "b", "X", 1.0, 0, "")
    for serial in (1, 2):
        log.popped(serial, 3.0 - serial)
        log.charted(serial)
    log.edge(3, 1, 2, "HeadLeft", 4.0, 1, "")
    log.popped(3, 4.0)
    log.goal(3, 4.0)
    log.finished(3, 4.0)
    return log


def classes(picture: str, tag: str) -> list[str]:
    """The classes of all shapes of a kind."""
    root = ElementTree.fromstring(picture)
    return [shape.get("class", "") for shape in root.iter(tag)]


def test_the_way_to_the_end_is_drawn() -> None:
    lattice = lattice_of(a_beam())
    assert lattice.columns == [{1: 0, 2: 1}, {3: 0, 4: 1}, {5: 0, 6: 1}]
    assert lattice.path == [0, 1, 0]  # 5 comes of 4, and 4 of 1
    picture = thumbnail("lattice", a_beam(), None, "way?")
    assert classes(picture, "line").count("best") == 3 and "lost" not in classes(picture, "line")
    assert ElementTree.fromstring(picture).get("aria-label") == "way?"


def test_a_gold_state_that_falls_has_a_cross() -> None:
    """Its way is drawn so far, then two lines cross; where it stays nothing is lost."""
    fallen = thumbnail("lattice", a_beam((0, 1, -1)), None, "")
    assert classes(fallen, "line").count("gold") == 2 == classes(fallen, "circle").count("gold")
    assert classes(fallen, "line").count("lost") == 3
    stays = thumbnail("lattice", a_beam((0, 1, 0)), None, "")
    assert classes(stays, "line").count("gold") == 3 and "lost" not in classes(stays, "line")


def test_agenda_chart_and_tree_of_one_search() -> None:
    """Halfway edge 2 waits, which is no gold; all three edges of the chart belong to the goal."""
    log = an_agenda()
    assert classes(thumbnail("agenda", log, None, ""), "rect") == ["best"]
    assert classes(thumbnail("chart", log, None, ""), "circle") == ["best"] * 3
    tree = thumbnail("tree", log, None, "")
    assert classes(tree, "line") == ["best"] * 2 and ">a<" in tree and ">b<" in tree
    both = thumbnail("agenda", log, a_beam(), "")
    assert "rect" in both and classes(both, "line").count("best") == 3


def test_the_largest_update_is_drawn_with_its_features() -> None:
    log = EventLog()
    log.begin(["a"], [1], 1, 4)
    for changes in ([("f", 0.0, 1.0)], [("g", 0.0, 1.0), ("h<", 0.0, -2.0)]):
        log.update(0, 1, "early", 0.0, 1.0)
        for feature, before, after in changes:
            log.weight(feature, "SHIFT", before, after)
    assert changes_of(log) == [("h<", -2.0), ("g", 1.0)]
    picture = thumbnail("updates", log, None, "")
    assert classes(picture, "rect") == ["best", "lost"] and ">h&lt;<" in picture


def test_a_grid_shows_what_was_looked_at_of_all() -> None:
    def a_grid(*ranks: tuple[int, int]) -> EventLog:
        log = EventLog()
        log.application(0, 0, "S", "rule", "copy", [1, 2], [], 0.0)
        for serial, pair in enumerate(ranks):
            log.combined(serial, 0, [*pair], 0.0, 0.0, 0.0, 0.0, serial, "new")
        return log

    every = a_grid((0, 0), (0, 1), (1, 0), (1, 1))
    assert grids_of(every) == {0: {(0, 0), (0, 1), (1, 0), (1, 1)}}
    shapes = classes(thumbnail("grid", a_grid((0, 0), (0, 1)), every, ""), "rect")
    assert shapes == ["best", "best", "faint", "faint"] + ["best"] * 4


@pytest.mark.parametrize("kind", sorted(set(PICTURES) - {"source"}))
def test_a_log_in_which_nothing_happened_has_a_picture(kind) -> None:
    log = EventLog()
    log.begin(["a"], [1], 1, 4)
    ElementTree.fromstring(thumbnail(kind, log, None, "nothing\x00 <here>"))


def test_a_training_has_a_bar_for_each_epoch() -> None:
    """As high as its updates are many, and the last one stands out."""
    log = EventLog()
    for epoch, updates in enumerate((40, 20, 10), 1):
        log.epoch(epoch, updates, 7, 1.0, [])
    picture = ElementTree.fromstring(thumbnail("learning", log, None, ""))
    bars = [shape for shape in picture.iter() if shape.tag.endswith("rect")]
    assert [shape.get("class") for shape in bars] == ["ink", "ink", "best"]
    heights = [float(shape.get("height", "0")) for shape in bars]
    assert heights == pytest.approx([heights[0], heights[0] / 2, heights[0] / 4])
    numbers = [shape.text for shape in picture.iter() if shape.tag.endswith("text")]
    assert numbers == ["40", "1", "20", "2", "10", "3"]


def test_numbers_and_what_was_left_out() -> None:
    """A curve has a dot a value, several have one at their ends; a tenth of the range is a bar, the
    last one lit; words that go are struck, arcs join those that stay or must stay together."""
    one = thumbnail("curves", EventLog(), None, "", [[1, 3, 2]])
    assert classes(one, "circle") == ["best"] * 3 and classes(one, "line").count("best") == 2
    two = thumbnail("curves", EventLog(), None, "", [[1, 3], [2, 2]])
    assert classes(two, "circle") == ["best", "gold"]
    bars = classes(thumbnail("histogram", EventLog(), None, "", [[5.0, 7.0, 95.0, 100.0]]), "rect")
    assert len(bars) == 10 and bars[-1] == "best"
    log = EventLog()
    log.begin(["a", "b", "c"], [1, 1, 1], 3, 1)
    log.path(0, 1.0, [0, 2], ["a", "c"])
    picture = thumbnail("deletion", log, None, "")
    assert classes(picture, "text") == ["ink", "out", "ink"]
    assert classes(picture, "line") == ["best"] * 3
