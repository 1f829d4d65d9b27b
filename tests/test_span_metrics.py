"""Spans as they are scored (Liu et al. 2015, section 4.3): by hand, and held to slow counts."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from oracles import projective_trees, random_sentences
from random_logs import best_first_log, guided_log, ordering_log

import wordorder_lab as wl
from wordorder_lab.experiments.measures.spans import SpanTrace
from wordorder_lab.metrics.spans import (
    Span,
    SpanScore,
    SpanTally,
    built_spans,
    derivation_spans,
    jensen_shannon,
    score_intervals,
    shares,
    subtree_spans,
    total_variation,
)
from wordorder_lab.structures.problem import OrderingProblem
from wordorder_lab.trace.reducers.replay import fold
from wordorder_lab.transition.actions import action_name
from wordorder_lab.transition.oracle import gold_actions

TALCOTT = [("Dr.", "Talcott"), ("led",), ("a", "team"), ("of",), ("Harvard", "University"), (".",)]
HEADS = [1, -1, 1, 2, 3, 1]
GOLD = {
    *("of Harvard University", "a team of Harvard University", "led a team of Harvard University"),
    *("led a team of Harvard University .", "Dr. Talcott led a team of Harvard University ."),
}
"""What is joined on the way to the gold tree; with the six units, 2 * 6 - 1 spans."""


def texts(spans: list[Span]) -> list[str]:
    return [" ".join(span.words) for span in spans]


def test_the_papers_example_by_hand() -> None:
    units = [" ".join(unit) for unit in TALCOTT]
    assert sorted(texts(built_spans(TALCOTT, HEADS))) == sorted([*units, *GOLD])
    assert set(texts(built_spans(TALCOTT, HEADS, least=2))) == GOLD
    below = ["Dr. Talcott", "Dr. Talcott led a team of Harvard University .", *units[4:]]
    below += ["a team of Harvard University", "of Harvard University"]
    assert sorted(texts(subtree_spans(TALCOTT, HEADS))) == sorted(below)
    # Table 1 of the paper joins the same stretches.
    actions = [*["SHIFT"] * 5, *["RIGHTARC"] * 3, "SHIFT", "RIGHTARC", "LEFTARC"]
    assert set(texts(derivation_spans(TALCOTT, actions, least=2))) == GOLD


def test_an_output_by_hand() -> None:
    """The subject stands behind the object, and hangs below *led* from there."""
    order = [TALCOTT[i] for i in (1, 2, 3, 4, 0, 5)]
    ours, gold = built_spans(order, [-1, 0, 1, 2, 0, 0]), built_spans(TALCOTT, HEADS)
    joined, every = SpanTally(), SpanTally()
    joined.add(*([span for span in spans if span.units > 1] for spans in (ours, gold)))
    every.add(ours, gold)
    # Made: of H. U.; a team of H. U.; led a team of H. U.; that with Dr. Talcott; and all. 3 right.
    assert joined.score(5) == SpanScore(100, 100, 100, 1, 1, 1)
    assert joined.score(10) == SpanScore(60, 60, 60, 3, 5, 5)
    assert joined.score(8) == SpanScore(100, 75, 600 / 7, 3, 3, 4)  # gold has one of 7 words
    assert joined.score(least=8) == SpanScore(0, 0, 0, 0, 2, 1)
    assert every.score(5)[3:] == (7, 7, 7) and every.score()[3:] == (9, 11, 11)
    lost = SpanTally()  # nothing came out
    lost.add([], gold)
    assert lost.score() == SpanScore(0, 0, 0, 0, 0, 11)


def test_equal_spans_are_as_often_right_as_they_are_there() -> None:
    the, dog = ("the",), ("dog",)
    tally = SpanTally()
    tally.add(map(Span, [(*the, *dog), (*the, *dog), the]), map(Span, [(*the, *dog), the, the]))
    assert tally.score()[3:] == (2, 3, 3)
    tally.add([Span((*dog, *the))], [Span((*the, *dog))])  # another order; and another sentence
    assert tally.score()[3:] == (2, 4, 4) and tally.made == [0, 1, 3] and tally.right == [0, 1, 1]


def slow_subtrees(units: list[tuple[str, ...]], heads: tuple[int, ...]) -> Counter:
    def above(place: int) -> list[int]:
        return [place] if heads[place] < 0 else [place, *above(heads[place])]

    inside = [[i for i in range(len(heads)) if top in above(i)] for top in range(len(heads))]
    return Counter(tuple(word for i in one for word in units[i]) for one in inside)


def test_all_small_trees() -> None:
    for n in range(1, 7):
        units = [(f"w{i}", "x")[: 1 + i % 2] for i in range(n)]
        for heads in projective_trees(n):
            trees, built = subtree_spans(units, heads), built_spans(units, heads)
            assert Counter(span.words for span in trees) == slow_subtrees(units, heads)
            assert len(built) == 2 * n - 1 and not Counter(trees) - Counter(built)


def test_gold_actions_build_the_built_spans() -> None:
    for sentence in random_sentences(3, 40, longest=8):
        problem = OrderingProblem.of(wl.bag_of(sentence), lambda unit: ())
        actions = [action_name(action, problem) for action in gold_actions(sentence, problem)]
        units = [token.words for token in sentence]
        expected = built_spans(units, [token.head for token in sentence])
        assert Counter(derivation_spans(units, actions)) == Counter(expected)


LOGS = {
    "beam": lambda: ordering_log(4),
    "best-first": lambda: best_first_log("a b c d a b"),
    "guided": guided_log,
}


@pytest.mark.parametrize("kind", LOGS)
def test_the_trace_counts_as_the_view_does(kind: str) -> None:
    """Two ways from events to lengths; and the words are found by walking down from each edge."""
    log = LOGS[kind]()
    begins = [i for i, event in enumerate(log) if event[0] == "begin"]
    events = log.events[: [*begins, len(log)][1]]
    trace = SpanTrace()
    for name, *values in events:
        getattr(trace, name)(*values)
    state = fold(events, len(events), "spans")
    assert trace.made == state["made"] and sum(trace.made) > 20
    kept = Counter(len(span.words) for span in trace.spans)
    assert kept == Counter({n: c for n, c in enumerate(state["kept"]) if c})
    assert (
        sum(trace.made) - sum(trace.joined) == sum(e[0] == "leaf" for e in events)
        or not state["edges"]
    )
    parts = {e[1]: e[2:4] if e[0] == "edge" else e[3] for e in events if e[0] in ("leaf", "edge")}

    def words(serial: int) -> str:
        one = parts[serial]
        return one if isinstance(one, str) else f"{words(one[0])} {words(one[1])}"

    told = [words(event[1]) for event in events if event[0] in ("charted", "goal")]
    assert not parts or told == texts(trace.spans)


@pytest.mark.parametrize(
    ("wrong", "match"),
    [
        (lambda: built_spans([("a",)], [-1, 0]), "1 units but 2 heads"),
        (lambda: subtree_spans([("a",), ("b",), ("c",)], [-1, 2, 0][::-1]), "projective"),
        (lambda: subtree_spans([("a",), ("b",)], [1, 0]), "projective"),
        (lambda: derivation_spans([("a",)], ["SHIFT-a-T", "LEFTARC"]), "no two to join"),
        (lambda: derivation_spans([("a",)], ["leaf-a-T", "leaf-b-T"]), "only 1 units"),
        (lambda: derivation_spans([("a",), ("b",)], ["leaf-a-T"]), "fewer units"),
        (lambda: score_intervals([]), "no sentences"),
        (lambda: jensen_shannon([0, 0], [1, 0]), "no spans"),
    ],
)
def test_what_is_no_tree_or_no_derivation(wrong, match: str) -> None:
    with pytest.raises(ValueError, match=match):
        wrong()


def test_shares_and_distances() -> None:
    assert shares([0, 2, 1, 0, 5], 2) == [0.25, 0.125, 0.625]
    assert shares([0, 1], 3) == [1, 0, 0, 0] and shares([], 2) == [0, 0, 0]
    assert total_variation([1, 0], [0, 1]) == jensen_shannon([1, 0], [0, 1]) == 1
    assert total_variation([0.5, 0.5], [0.75, 0.25]) == 0.25
    third = [1 / 3, 1 / 3, 1 / 3]
    assert total_variation(third, third) == jensen_shannon(third, third) == 0


def test_intervals_hold_the_score_and_shrink() -> None:
    chance = random.Random(4)
    rows = [(r := chance.randint(0, 4), r + chance.randint(0, 3), r + 2) for _ in range(60)]
    whole = SpanScore.of(*map(sum, zip(*rows)))
    few, many = score_intervals(rows), score_intervals(rows * 16)
    for name, (low, high) in few.items():
        assert low < getattr(whole, name) < high
        assert many[name][1] - many[name][0] < 0.4 * (high - low)
    assert few == score_intervals(rows)
