"""What the notebooks show has in it what it was given: rows in tables, numbers in curves."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pandas
import pytest
from matplotlib.lines import Line2D
from nltk.tree import Tree

import wordorder_lab as wl
from wordorder_lab import plots
from wordorder_lab.check.nb_32 import spans_by_epoch
from wordorder_lab.check.small_world import SENTENCES
from wordorder_lab.plots.lines import MARKERS
from wordorder_lab.structures.synchronous_rule import parse_rule
from wordorder_lab.trace.log import EventLog
from wordorder_lab.trace.reducers.replay import fold


def through(curve: Line2D) -> list:
    return np.asarray(curve.get_xydata()).tolist()


def test_a_table_has_each_cell_as_it_is_to_be_written() -> None:
    rows = [{"word": "a<b", "BLEU": 1.25, "n": 1200}, {"word": "c", "n": 3}]
    html = plots.table((row for row in rows), formats={"BLEU": "{:.1f}"}).to_html()
    assert "a&lt;b" in html and ">1.2<" in html and ">1,200<" in html and "nan" not in html
    named = pandas.DataFrame({"x": [0.5]}, index=pandas.Index(["I am a name"], name="who"))
    assert "I am a name" in plots.table(named).to_html(), "an index that has a name is shown"


def test_a_table_says_what_does_not_fit() -> None:
    with pytest.raises(ValueError, match="Length mismatch"):
        plots.table([(1, 2)], ["only one"])
    with pytest.raises(ValueError, match="no column 'm'; its columns are: n"):
        plots.table([(1,)], ["n"], bar="m")


SAME: dict[str, Any] = {"pair": ([3, 4], [0.5, 0.25]), "dictionary": {3: 0.5, 4: 0.25}}
SAME["series"] = pandas.Series(SAME["dictionary"])


def test_however_a_curve_is_given_it_goes_through_its_points() -> None:
    (axes,) = plots.lines({**SAME, "list": [0.5, 0.25]}, "step", "share", percent="y").axes
    *first, last = (through(curve) for curve in axes.lines)
    assert first == [[[3, 0.5], [4, 0.25]]] * 3 and last == [[1, 0.5], [2, 0.25]]
    assert len({curve.get_color() for curve in axes.lines}) == 4
    assert [curve.get_marker() for curve in axes.lines] == list(MARKERS[:4])
    assert axes.get_xlabel() == "step" and axes.yaxis.get_major_formatter()(0.25) == "25%"


def test_levels_of_a_curve_have_its_colour_and_others_a_name() -> None:
    levels = {"learned": 0.5, "random order": 0.1}
    looks = {"learned": ("s-", plots.RED)}
    (axes,) = plots.lines(
        {"learned": [1, 2]}, "x", "y", levels=levels, looks=looks, log="x", ticks=[1, 2]
    ).axes
    curve, own, other = axes.lines
    assert curve.get_color() == own.get_color() == plots.RED != other.get_color()
    assert axes.get_legend_handles_labels()[1] == ["learned", "random order"]
    assert axes.get_xscale() == "log" and [*axes.get_xticks()] == [1, 2]


def test_panels_with_the_same_curves_share_their_names() -> None:
    both = [plots.Panel({"a": [1], "b": [2]}, "x", title=title) for title in ("one", "two")]
    shared = plots.panels(*both)
    assert len(shared.legends) == 1 and not any(axes.get_legend() for axes in shared.axes)
    apart = plots.panels(*both, plots.Panel({"c": [1], "d": [1]}, "x"))
    assert not apart.legends and all(axes.get_legend() for axes in apart.axes)


def test_gold_that_falls_out_ends_in_a_cross() -> None:
    (axes,) = plots.gold_ranks([[0, 2, -1, -1], [0, 0, 0, 1]], beam=16).axes
    alive, down, cross, whole = (np.asarray(curve.get_ydata()) for curve in axes.lines)
    assert [*alive] == [1, 3] and [*down] == [3, 19] and [*cross] == [19]
    assert [*whole] == [1, 1, 1, 2]


def test_parts_of_all_stand_upon_each_other() -> None:
    parts = {
        "a goal": {4: 0.25, 8: 0.5},
        "a limit": {4: 0.5, 8: 0.25},
        "the rest": {4: 0.25, 8: 0.25},
    }
    (axes,) = plots.parts_of_all(parts, "places", "searches").axes
    columns = [[(bar.get_y(), bar.get_height()) for bar in group] for group in axes.containers]
    assert columns == [[(0, 25), (0, 50)], [(25, 50), (50, 25)], [(75, 25), (75, 25)]]


def test_a_map_has_a_line_where_a_constraint_holds_without_slack() -> None:
    constraint = plots.Constraint(2, np.array([1.0, -1.0]), 1.0)
    stage = plots.Stage("then", [constraint], [0.5, -0.5])
    (axes,) = plots.cutting_planes([stage], [1.0, -1.0], C=5, examples=3).axes
    (number,) = axes.texts
    assert number.get_text() == "3" and np.dot(number.get_position(), [1, -1]) > 1
    dot, star = axes.lines
    assert through(dot) == [[0.5, -0.5]] and through(star) == [[1, -1]]
    red = np.asarray(axes.collections[-1].get_paths()[0].vertices)
    assert np.allclose(np.dot(red, [1, -1]), 1)


def written(figure: Any) -> list[str]:
    return [text.get_text() for text in figure.axes[0].texts]


def test_a_rule_has_its_nodes_its_numbers_on_both_sides_and_its_deletions_crossed_out() -> None:
    rule = parse_rule("<S, VP> -> <[S NP_eps [VP VBD_2 [NP it]]], [VP [NP it] VBD_2]>")
    figure = plots.rules({"my name": rule})
    said = written(figure)
    assert said[0] == "my name" and said.count("→") == 1 and said.count("it") == 2
    assert sorted(text for text in said if text.isdigit()) == ["1", "1"], "numbered anew"
    crossed = [line for line in figure.axes[0].lines if len(set(through_y(line))) == 1]
    assert len(crossed) == 1 and "my name" not in written(plots.rules([rule]))


def through_y(line: Line2D) -> list:
    return [y for _, y in through(line)]


def test_letters_of_trees_do_not_lie_on_each_other_and_children_hang_below() -> None:
    tree = Tree.fromstring("(S (NP (NN extraordinarily)) (VP (VBD slept) (PP (IN in) (NP beds))))")
    figure = plots.trees({"one": tree, "two": tree})
    assert figure.get_figwidth() < 9
    figure.canvas.draw()
    boxes = [text.get_window_extent() for text in figure.axes[0].texts]
    for i, box in enumerate(boxes):
        assert not any(box.overlaps(other) for other in boxes[i + 1 :])
    assert all(upper < lower for upper, lower in map(through_y, figure.axes[0].lines))
    assert plots.trees({"one": tree, "two": tree}, width=4).get_figwidth() < 5, "two lines"


def test_words_that_are_gone_are_crossed_out_and_new_ones_are_blue() -> None:
    figure = plots.aligned_words([(["a", "very", "b"], ["b", "new"], [(2, 0)])])
    (axes,) = figure.axes
    colours = {text.get_text(): text.get_color() for text in axes.texts}
    assert colours["very"] == colours["a"] == plots.GREY and colours["new"] == plots.BLUE
    crossed = [line for line in axes.lines if len(set(through_y(line))) == 1]
    assert len(crossed) == 2 and len(axes.lines) == 3


def test_small_multiples_show_shares_of_each_epoch_on_one_scale() -> None:
    """What the plots get is counted from a log of training, each epoch for itself."""
    log = EventLog()
    train = {"epochs": 2, "beam": 4, "engine": "reference", "progress": False}
    wl.train("zhang-clark-2015-dependency", SENTENCES[:3], expansions=30, trace=log, **train)
    epochs = spans_by_epoch(log)
    together = fold(log, len(log), "spans")["all"]["kept"]
    assert list(epochs) == ["epoch 1", "epoch 2"]
    assert sum(sum(counts["kept"]) for counts in epochs.values()) == sum(together) > 0
    figure = plots.length_multiples({"a system": epochs}, "words", longest=3)
    assert len(figure.axes) == 2 and len({axes.get_ylim() for axes in figure.axes}) == 1
    for axes, counts in zip(figure.axes, epochs.values()):
        bars: Any = axes.patches
        shares = [bar.get_height() for bar in bars]
        assert shares == [number / sum(counts["kept"]) for number in counts["kept"][1:4]]
    with pytest.raises(ValueError, match="tells of no epoch"):
        spans_by_epoch(EventLog())


def test_pictures_behind_stops_are_all_there_and_one_is_seen() -> None:
    tree = wl.parse_tree("(S (NP (NNP Ada)) (VP (VBD left)))")
    pages = {"first": ("a tree", tree), "curve": ("a line", plots.lines({"one": [1, 2]}, "x", "y"))}
    shown = plots.step_by_step({**pages, "text": ("a < b", "5 < 6")}, "three & more", first=1)
    page = shown._repr_html_()
    assert page.count("<section>") == page.count('type="radio"') == 3
    assert page.count("<svg") == 2 and "<pre>5 &lt; 6</pre>" in page
    (seen,) = re.findall(r'id="([\w-]+)" checked', page)
    name = seen.removesuffix("-2")
    assert name != seen and f"#{name} > input:nth-of-type(2):checked" in page
    assert "<script" not in page and "three &amp; more" in page
    assert repr(shown).splitlines() == [
        "three & more",
        "first: a tree",
        "curve: a line",
        "text: a < b",
    ]
    again = shown._repr_html_()
    assert name not in again, "two of them in one page have names of their own"


def test_stops_need_a_picture_and_a_first_one_among_them() -> None:
    with pytest.raises(ValueError, match="no picture"):
        plots.step_by_step({}, "nothing")
    with pytest.raises(ValueError, match="first is 2, and the stops are 0 to 0"):
        plots.step_by_step({"one": ("", "text")}, "one", first=2)
