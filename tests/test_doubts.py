"""What a model does not know of its output: told to a trace, said by players and the explorer."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest
from both_engines import both
from browser import ready
from explored import linearizer, short_sentences
from oracles import random_sentences
from random_logs import BEST_FIRST, LINEARIZER, some_of

import wordorder_lab as wl
from wordorder_lab.exploring.explore import exploration
from wordorder_lab.trace.reducers.replay import fold, views_of
from wordorder_lab.widgets.explorer import ExplorerPage

SYSTEMS = (LINEARIZER, BEST_FIRST, "ngram-beam")
WORDS = ["boats", "drift", "near", "old", "that", "wug"]
STRANGE = ["boats", "wug", "zorp", "x"]


@cache
def model(system: str) -> Any:
    how = {"min_count": 1} if system == "ngram-beam" else {"epochs": 1, "beam": 4}
    return wl.train(system, random_sentences(6, 5, longest=5), progress=False, **how)


def log_of(system: str, words: list[str]) -> tuple[wl.Result, wl.EventLog]:
    log = wl.EventLog()
    return model(system).order(words, engine="reference", trace=log), log


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_log_ends_with_doubts_exactly_where_there_are_any(system: str) -> None:
    seen = [word for word in WORDS if not model(system).unknown_words([word])]
    assert len(seen) > 2
    for words, doubts in ((seen, 0), (STRANGE, 1), ([*seen, "wug"], 1), (seen[:2], 0)):
        result, log = log_of(system, words)
        both(model(system), wl.WordBag(words))
        told = [event for event in log if event[0] == "doubts"]
        assert len(told) == doubts == bool(result.doubts)
        assert told == log.events[len(log) - doubts :]
        for event in told:
            assert event[1:] == (result.doubts, [*result.unknown], [*result.ties])
            assert {*words} - {*seen} >= {*result.unknown} > set()
            before, after = fold(log, len(log) - 1, views_of(log)[0]), fold(log, len(log), "spans")
            assert before["doubts"] is None
            assert [*after["doubts"].values()] == [*event[1:]]


@pytest.mark.browser
@pytest.mark.parametrize("system", SYSTEMS)
def test_a_player_says_at_the_end_what_is_not_known(page, tmp_path, system: str) -> None:
    """In every view of the search; what has happened is that the search has ended, as without."""
    result, log = log_of(system, STRANGE)
    line, narration = page.locator(".wol-doubts"), page.locator(".wol-narration")
    ready(page, wl.to_html(some_of(log, 0, len(log) - 1), tmp_path / "without.html"))
    ended, lit = narration.inner_text(), page.locator(".wol-lit").all_inner_texts()
    assert line.is_hidden()
    ready(page, wl.to_html(log, tmp_path / "with.html"))
    assert narration.inner_text() == ended
    assert page.locator(".wol-lit").all_inner_texts() == lit
    for view in page.evaluate("() => wordorderPlayer.views"):
        page.evaluate("(view) => wordorderPlayer.setView(view)", view)
        assert line.inner_text() == f"{result.doubts}.", view
    page.get_by_label("First").click()
    assert line.is_hidden()


@pytest.mark.browser
def test_the_explorer_says_it_of_the_sentence_that_is_looked_at(page, tmp_path) -> None:
    sentences = [*short_sentences("train")[:2], *short_sentences()[:2]]  # it knows the first ones
    done = exploration(linearizer(), sentences, engine="reference")
    frame = done.frame
    strange = frame["doubts"].ne("")
    assert 0 < strange.sum() < len(frame)
    ready(page, ExplorerPage(done.table).to_html(tmp_path / "explorer.html"))
    for doubts, number in zip(frame["doubts"], frame["number"], strict=True):
        page.evaluate("(number) => wordorderExplorer.lookAtNumber(number)", int(number))
        assert page.locator(".wol-doubts").all_inner_texts() == ([f"{doubts}."] if doubts else [])
