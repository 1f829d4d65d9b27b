"""fold(log, k) of tree transductions: held to the chart and the queue of the decoder."""

from __future__ import annotations

import heapq
from types import SimpleNamespace
from typing import Any

import pytest
from nltk.tree import Tree
from read_off import best_of
from transduction_logs import compression_log, derived_tree, frontier_of

import wordorder_lab as wl
from wordorder_lab.trace.reducers.replay import fold, views_of
from wordorder_lab.trace.reducers.transduction import (
    item_of,
    tree_of,
    words_of,
)
from wordorder_lab.transduction import chart as stsg_chart
from wordorder_lab.transduction import cube_pruning
from wordorder_lab.transduction.problem import Beam

BEAMS = [Beam(6, 12), Beam(0, 0)]


@pytest.fixture
def charts(monkeypatch) -> list[Any]:
    """The decoders that run, as they run."""
    made: list[Any] = []
    start = stsg_chart.StsgChart.__init__

    def watched(chart: Any, *given: Any, **how: Any) -> None:
        made.append(chart)
        start(chart, *given, **how)

    monkeypatch.setattr(stsg_chart.StsgChart, "__init__", watched)
    return made


@pytest.mark.parametrize("loss", ["", "hamming-tokens"])
@pytest.mark.parametrize("beam", BEAMS)
def test_cells_and_items_are_the_decoders_own(charts, beam: Beam, loss: str) -> None:
    """The items of each cell in their order, their scores, and the words at their left edges."""
    log = compression_log(beam, loss=loss)
    state, chart = fold(log, len(log), "transduction"), charts[0]
    assert [cell["items"] for cell in state["cells"]] == [
        [item.serial for item in cell] for cell in chart.cells
    ]
    assert len(state["items"]) == len(chart.items) > 40
    names = {number: word for word, number in chart.boundaries.numbers.items()}
    for item in chart.items:
        told = item_of(state, item.serial)
        assert told is not None and told["score"] == item.score
        words = words_of(state, item.serial)
        assert words[: len(item.left)] == [names[number] for number in item.left]
    pairs = [(cell["node"], cell["category"]) for cell in state["cells"]]
    assert pairs == [*chart.problem.cells]
    for place, cell in enumerate(state["cells"]):
        assert best_of(state, place) == cell["items"][0]


def bracketed(tree: list[Any]) -> Tree:
    below = (one if isinstance(one, str) else bracketed(one) for one in tree[1:])
    return Tree(tree[0], [*below])


def test_outputs_are_rebuilt_from_their_rules(charts) -> None:
    for seed in range(4):
        log = compression_log(Beam(20, 40), seed=seed, k=5)
        state = fold(log, len(log), "transduction")
        assert len(state["outputs"]) == 5
        for output in state["outputs"]:
            tree = bracketed(derived_tree(state, output["applications"]))
            problem = charts[-1].problem
            assert tree == problem.target_tree(tuple(output["applications"]))
            assert tree.leaves() == output["words"]


@pytest.mark.parametrize("beam", BEAMS)
def test_the_frontier_is_the_queue(monkeypatch, beam: Beam) -> None:
    """Before each combination, all that waits in the decoder's queue, and nothing else."""
    log, moments = wl.EventLog(), []

    def pop(queue: list[tuple]) -> tuple:
        moments.append((len(log), sorted((place, ranks) for _, _, place, ranks in queue)))
        return heapq.heappop(queue)

    shim = SimpleNamespace(heapify=heapq.heapify, heappush=heapq.heappush, heappop=pop)
    monkeypatch.setattr(cube_pruning, "heapq", shim)
    compression_log(beam, log=log)
    wide = 0
    for k, queue in moments:
        if log.events[k][0] != "combined":
            continue  # the beam was full
        state = fold(log, k, "transduction")
        place = len(state["cells"]) - 1
        here = [state["cells"][place][name] for name in ("node", "category")]
        rules = [one for one in state["applications"] if [one["node"], one["category"]] == here]
        found = [
            (i, tuple(ranks))
            for i, one in enumerate(rules)
            for ranks in frontier_of(state, place, one["application"])
        ]
        assert sorted(found) == queue, k
        wide = max(wide, len(queue))
    assert wide > 4


def test_an_item_that_is_better_reached() -> None:
    """The later way replaces the earlier one; what is worse changes nothing."""
    seen = set()
    for seed in range(12):
        log = compression_log(Beam(0, 0), order=1, seed=seed, search="exhaustive")
        for k, event in enumerate(log):
            if event[0] != "combined" or event[-1] == "new":
                continue
            *_, score, _, _, item, outcome = event
            before, after = (fold(log, i, "transduction")["items"][item - 1] for i in (k, k + 1))
            assert (before != after) == (outcome == "better")
            assert after["score"] == max(before["score"], score)
            assert after["serial"] == (event[1] if outcome == "better" else before["serial"])
            seen.add(outcome)
        if len(seen) == 2:
            return
    raise AssertionError(f"of these seeds none has both: {seen}")


def test_what_a_log_lacks_changes_nothing() -> None:
    """Without applications there are no items; without cells no combinations."""
    log = compression_log()
    kinds = {event[0] for event in log}
    for gone in kinds:
        bare = wl.EventLog(only=kinds - {gone})
        for event in log:
            bare.record(*event)
        state = fold(bare, len(bare), "transduction")
        assert bool(state["items"]) == (gone not in ("application", "cell", "combined"))
        assert all(tree_of(state, one["item"]) for one in state["items"])
        if gone == "filled":
            parts = [part for one in state["items"] for part in one["parts"]]
            assert parts and not any(parts)
    assert tree_of(fold(log, 0, "transduction"), 1) == ["?"]


def test_only_this_view_suits() -> None:
    log = compression_log()
    assert views_of(log) == ["transduction"]
    learning = wl.EventLog()
    learning.solved(1, 2, 0.5, 0.4, 0.6)
    assert views_of(learning) == ["transduction"]
    state = fold(learning, 1, "transduction")
    assert state["solved"] == [[1, 2, 0.5, 0.4, 0.6]] and state["source"] is None
