"""Wrong answers that belong to a search: the player opens where they fail."""

from __future__ import annotations

from typing import Any

import pytest

import wordorder_lab as wl
from wordorder_lab.check import Desk, Verdict, exercise, nb_10, nb_12
from wordorder_lab.check.moments import Moment, first_difference, gold_pruned, nth_pop, order_lost
from wordorder_lab.check.nb_11 import OwnRule, small_world
from wordorder_lab.check.nb_20 import decodings, tie_differences
from wordorder_lab.check.nb_21 import my_shift_legal, searches_with
from wordorder_lab.check.nb_40 import LEAVES as GRID_LEAVES
from wordorder_lab.check.nb_40 import taken
from wordorder_lab.check.small_transducer import by_hand
from wordorder_lab.check.small_world import SENTENCES
from wordorder_lab.trace.log import EventLog
from wordorder_lab.trace.reducers.replay import fold


def moment_of(number: str, answer: Any, **given: Any) -> Moment:
    """Where a wrong answer is shown to fail, which is somewhere in its log."""
    verdict = Desk()(number, answer, **given)
    assert verdict.right is False and verdict.moment is not None, verdict
    assert 0 < verdict.moment.at <= len(verdict.moment.log)
    return verdict.moment


def pops_before(moment: Moment) -> int:
    return [event[0] for event in moment.log.events[: moment.at]].count("popped")


def last_event(moment: Moment) -> tuple:
    return moment.log.events[moment.at - 1]


def test_why_popped_opens_before_the_pop() -> None:
    """And the next event is this pop."""
    moment = moment_of("12.4", ["made first"] * 3)
    assert pops_before(moment) == nb_12.ASKED[0][0] - 1 and moment.view == "agenda"
    assert moment.log.events[moment.at][0] == "popped"


def test_when_gold_left_opens_at_the_pop_that_was_named() -> None:
    assert pops_before(moment_of("12.5", [3, 9, 9])) == 3


CAR = "(S (NP (DT the) (JJ zany) (NN gnu)) (VP (VBD ogled) (PP (TO to) (NP (NN halt)))) (. .))"
OPENS: list[tuple[str, Any, tuple]] = [
    ("10.3", lambda used, least, most: True, ("leaf",)),  # the first edge that is no goal
    ("10.4", [1, 1, 1], ("pruned", nb_10.ASKED[0])),
    ("11.4", ["x", "y", "z"], ("weight",)),
    ("12.1", 6, ("stopped", "complete")),
    ("12.5", [None, None, None], ("pruned",)),
    ("40.5", (CAR, "the gnu"), ("compressed",)),
]


@pytest.mark.parametrize(("number", "answer", "event"), OPENS)
def test_a_wrong_answer_opens_after_what_is_asked_about(
    number: str, answer: Any, event: tuple
) -> None:
    moment = moment_of(number, answer, model=by_hand())
    assert last_event(moment)[: len(event)] == event
    if event[0] in ("stopped", "compressed"):
        assert moment.at == len(moment.log)
    later = [kind for kind, *_ in moment.log.events[moment.at :]]
    assert number != "11.4" or ("edge_update" not in later and later[:1] != ["weight"])


def test_a_chart_too_small_opens_where_gold_is_dropped() -> None:
    moment = moment_of("12.1", 3)
    gold = {e[1] for e in moment.log if e[0] in ("leaf", "edge") and e[6] == 1}
    assert last_event(moment)[0] == "pruned" and last_event(moment)[1] in gold
    assert moment.at == gold_pruned(moment.log) < len(moment.log)


def test_a_key_among_equals_opens_where_pops_are_too_many() -> None:
    moment = moment_of("12.3", lambda edge: edge.serial)
    units = sum(moment.log.events[0][2])
    assert pops_before(moment) == 3 * units + 1 and last_event(moment)[0] == "popped"


def test_one_weight_opens_at_the_end_of_the_plain_search() -> None:
    moment = moment_of("12.2", {"WORD(B-1)·WORD(B) = bought, Lotus": 0})
    assert moment.at == len(moment.log) and fold(moment.log, moment.at, "agenda")["stopped"]


@pytest.mark.parametrize(("number", "update"), [("20.4", "early"), ("20.5", "max-violation")])
def test_an_update_opens_after_its_step(number: str, update: str) -> None:
    """A rule that never updates fails first where there is one to do; gold is followed there."""
    first = next(case for case in decodings() if case.step[update] is not None)
    moment = moment_of(number, lambda ranks, best, gold: None)
    kind, step, _, rank = last_event(moment)
    assert (kind, step) == ("gold", first.step[update]) and rank == first.course.ranks[step - 1]
    assert [e[3] for e in moment.log if e[0] == "gold"] == first.course.ranks


def test_other_ties_open_at_the_first_difference() -> None:
    *_, moment = tie_differences(lambda candidate: (-candidate.score, -candidate.serial))
    assert_first_difference(moment)


def assert_first_difference(moment: Moment | None) -> None:
    assert moment is not None and moment.other is not None
    before = moment.at - 1
    assert moment.log.events[:before] == moment.other.events[:before]
    assert moment.log.events[before] != moment.other.events[before]


def test_a_sentence_opens_where_the_beam_loses_it() -> None:
    """One step before, a state still begins with its units; a sentence that comes out is kept."""
    model = wl.train("liu-2015", SENTENCES, beam=2, epochs=1, engine="reference", progress=False)
    units = ["in", "the garden", "the dog", ".", "slept"]
    moment = moment_of("00.2", units, model=model)
    assert moment.log.events[moment.at][0] in ("step", "finished")

    def alive(k: int) -> list[dict[str, Any]]:
        states = fold(moment.log, k, "beam")["columns"][-1]["states"]
        return [s for s in states if [u for u, _ in s["order"]] == units[: len(s["order"])]]

    steps = [i for i, event in enumerate(moment.log) if event[0] == "step"]
    before = max(i for i in steps if i < moment.at)
    assert not alive(moment.at) and (before == 1 or alive(before))
    log = EventLog()
    came_out = model.order(wl.WordBag(units), trace=log, engine="reference").words
    assert order_lost(log, came_out) == len(log)


def test_pops_are_counted_from_one() -> None:
    log = EventLog()
    log.begin(["a"], [1], 1, 4)
    for serial in (1, 2):
        log.popped(serial, 0.0)
    assert [nth_pop(log, number) for number in (1, 2, 3, 0)] == [2, 3, 3, 3]
    assert nth_pop(log, 2, before=True) == 2


# --- what is shown ---------------------------------------------------------------------------


def test_a_notebook_shows_the_words_and_a_player(monkeypatch: pytest.MonkeyPatch) -> None:
    verdict = Desk()("12.4", ["made first"] * 3)
    assert verdict.moment is not None
    shown: list[Any] = []
    monkeypatch.setattr("IPython.display.display", lambda what, **how: shown.append(what))
    monkeypatch.setattr(exercise, "in_notebook", lambda: True)
    verdict._ipython_display_()
    words, player = shown
    assert words == {"text/plain": repr(verdict), "text/html": verdict._repr_html_()}
    assert player.position == verdict.moment.at and player.data["view"] == "agenda"


def test_elsewhere_it_prints_as_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    """Outside notebooks no player is made; in them neither where there is nothing to play."""
    verdict = Desk()("12.4", ["made first"] * 3)
    monkeypatch.setattr(Moment, "player", lambda self: pytest.fail("nobody looks"))
    assert not exercise.in_notebook() and repr(verdict).startswith("✗ 12.4: not yet.")
    with pytest.raises(NotImplementedError):
        verdict._ipython_display_()
    monkeypatch.setattr(exercise, "in_notebook", lambda: True)
    right = Verdict(True, "right")
    with pytest.raises(NotImplementedError):
        right._ipython_display_()
    assert right.player is None


def test_a_join_opens_where_both_edges_are_there() -> None:
    moment = moment_of("10.1", ["no rule"] * 8)
    there = {event[1] for event in moment.log.events[: moment.at] if event[0] == "charted"}
    assert last_event(moment)[0] == "charted" and set(nb_10.JOINED[0]) <= there


def test_another_signature_opens_where_the_search_goes_another_way() -> None:
    """One of these calls every edge like every other, and the first two collide in the chart."""
    moment = moment_of("10.2", lambda edge: edge.category)
    assert_first_difference(moment)
    assert moment.names == ("the engine's signature", "yours")


def test_a_scaled_update_opens_after_the_learner_s() -> None:
    """The update that is asked about is the one of this number in the log, with its weights."""
    moment = moment_of("11.2", lambda positive, negative: {})
    asked = [event for event in moment.log if event[0] == "edge_update"]
    made = OwnRule(None, beam=4)
    for example in (*small_world(), *small_world()):
        made.learn(example)
    first, changes = next((i, c) for i, (*_, c) in enumerate(made.asked) if any(c.values()))
    assert len(asked) == len(made.asked) and last_event(moment)[0] == "weight"
    update = fold(moment.log, moment.at, "updates")["update"]
    assert update["number"] == first + 1
    assert len(update["weights"]) == sum(map(bool, changes.values()))


def test_another_shiftlegal_opens_where_the_beam_goes_another_way() -> None:
    def other(shift_legal: Any) -> Moment | None:
        return first_difference(searches_with(shift_legal), "", ("", ""), "beam")

    assert_first_difference(other(lambda word, *_: word != "barked"))
    assert other(my_shift_legal) is None


def test_a_rule_that_is_wrong_opens_at_what_it_makes() -> None:
    """The search has to use it, though the model would not."""
    rule = "<S, S> -> <[S NP_1 VP_eps ._2], [S NP_1 ._2]>"
    moment = moment_of("40.3", rule, model=by_hand())
    assert last_event(moment)[0] == "compressed" and moment.at == len(moment.log)
    told = {event[1]: event[4] for event in moment.log if event[0] == "application"}
    assert rule in {told[number] for number in last_event(moment)[3]}


def test_a_combination_opens_before_it_is_taken() -> None:
    """With everything that waits; what the log plays is the queue's own order."""
    right = [made.ranks for made in taken()]
    moment = moment_of("40.4", [*right[:3], (2, 2), *right[4:]])
    books = fold(moment.log, moment.at, "transduction")
    assert [tuple(made["ranks"]) for made in books["cells"][-1]["taken"]] == right[:3]
    assert tuple(moment.log.events[moment.at][3]) == right[3] and moment.view == "transduction"
    for cell, (_, values) in zip(books["cells"], (*GRID_LEAVES,)):
        assert [books["items"][item - 1]["score"] for item in cell["items"]] == [*values]
    assert moment.player() is not None
