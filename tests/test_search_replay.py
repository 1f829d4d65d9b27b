"""fold(log, k) of best-first searches: held to the agenda and the chart of the searches."""

from __future__ import annotations

from inspect import unwrap
from typing import Any

import pytest
from random_logs import BEST_FIRST, best_first_log, guided_log, trained

import wordorder_lab as wl
from wordorder_lab.best_first.dependency import BestFirstDependency
from wordorder_lab.best_first.edge import Edge
from wordorder_lab.best_first.guided_learning import GuidedLearner
from wordorder_lab.best_first.search import BestFirst
from wordorder_lab.systems import best_first_model as training
from wordorder_lab.trace.reducers.replay import fold
from wordorder_lab.trace.reducers.search import edge_of, on_agenda, words_of

Moments = list[tuple[int, list[int], list[int], list[tuple[Edge, float]]]]


def watched(moments: Moments, base: type[BestFirst] = BestFirstDependency) -> type[BestFirst]:
    """A search that writes down agenda (best first) and chart at every pop, and all its edges."""

    class Watched(base):  # type: ignore[misc, valid-type]
        def timeout(self) -> bool:
            heap = sorted(self.agenda.heap, key=lambda entry: entry[0])
            here = [edge.serial for _, edge in heap], [edge.serial for edge in self.chart]
            every = [(edge, edge.score) for edge in [*self.chart, *(e for _, e in heap)]]
            moments.append((len(self.trace), *here, every))
            return super().timeout()

    return Watched


def compare(log: wl.EventLog, moments: Moments) -> None:
    assert len(moments) > 30
    for k, agenda, chart, edges in moments:
        state = fold(log, k, "agenda")
        assert state["agenda"] == len(agenda)
        assert (on_agenda(state, 10**6), state["chart"]) == (agenda, chart), k
        assert on_agenda(state, 3) == agenda[:3]
        for edge, score in edges:
            words, heads = words_of(state, edge.serial)
            assert tuple(log_item(state, word) for word in words) == edge.items
            assert tuple(heads) == edge.heads
            assert state["scores"][edge.serial - 1] == score
            told = edge_of(state, edge.serial)
            assert told is not None and told["size"] == edge.size


def log_item(state: dict[str, Any], word: list[str]) -> int:
    """The item that the log's leaves have for a word and tag."""
    leaves = (edge for edge in state["edges"] if not edge["left"])
    return next(leaf["item"] for leaf in leaves if [leaf["form"], leaf["pos"]] == word)


@pytest.mark.parametrize(("beam", "chart"), [(4, "single"), (2, "sizes"), (0, "single")])
def test_agenda_and_chart_are_the_searchs_own(monkeypatch, beam: int, chart: str) -> None:
    moments: Moments = []
    name = "wordorder_lab.systems.zhang_clark_2015_dependency.BestFirstDependency"
    model = trained(BEST_FIRST, 8, 5, beam=4)
    monkeypatch.setattr(name, watched(moments))
    log = wl.EventLog()
    bag = wl.WordBag(["boats", "near", "the", "pier", "boats", "of", "<b>"])
    how = {"beam": beam, "chart": chart, "expansions": 60, "engine": "reference"}
    model.order(bag, trace=log, **how)
    compare(log, moments)
    end = fold(log, len(log), "chart")
    assert end["stopped"] in ("complete", "expansions") and len(end["pops"]) <= 60


@pytest.mark.parametrize("negatives", ["expand", "discard"])
@pytest.mark.parametrize("update", ["scaled", "large-margin", "perceptron"])
@pytest.mark.slow
def test_the_books_of_a_learner(monkeypatch, update: str, negatives: str) -> None:
    """Scores that are recomputed, edges that are discarded, gold edges that have to stay."""
    moments: Moments = []

    def learner(templates: Any, settings: Any, decoder: Any) -> GuidedLearner:
        return GuidedLearner(templates, settings, decoder=watched(moments, decoder))

    monkeypatch.setattr(training, "GuidedLearner", learner)
    log = unwrap(guided_log)(update, negatives)  # another learner makes it
    compare(log, moments)
    updates = [event for event in log if event[0] == "edge_update"]
    assert fold(log, len(log), "agenda")["updates"] == len(updates)
    first = next(k for k, event in enumerate(log, 1) if event[0] == "edge_update")
    update_now = fold(log, first, "agenda")["update"]
    assert [update_now[name] for name in ("positive", "negative", "margin")] == [*updates[0][3:6]]


def test_what_a_log_lacks_changes_nothing() -> None:
    """Without leaves there are no edges; without pops everything stays on the agenda."""
    log = best_first_log()
    bare, unpopped = wl.EventLog(only={"begin", "edge", "popped"}), wl.EventLog(only={"leaf"})
    for event in log:
        bare.record(*event)
        unpopped.record(*event)
    assert fold(bare, len(bare), "agenda")["edges"] == []
    state = fold(unpopped, len(unpopped), "agenda")
    assert state["agenda"] == len(unpopped) == len(on_agenda(state, 99))
