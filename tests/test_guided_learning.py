"""Guided learning worked by hand: the updates, Algorithms 2 and 3, and how a sentence ends."""

from __future__ import annotations

import random
from typing import Any

import pytest
from edge_oracles import TABLE_2
from oracles import random_sentences
from test_best_first import IBM, IBM_BOUGHT_LOTUS
from test_input_constraints import repetitive_sentence

import wordorder_lab as wl
from wordorder_lab.best_first.dependency import BestFirstDependency
from wordorder_lab.best_first.dependency_links import canonical_types
from wordorder_lab.best_first.edge import HEAD_LEFT, Edge
from wordorder_lab.best_first.gold import Example
from wordorder_lab.best_first.guided_learning import GuidedLearner
from wordorder_lab.best_first.settings import GuidedSettings, SearchSettings
from wordorder_lab.models.tag_dictionary import TagDictionary
from wordorder_lab.structures.bag import places
from wordorder_lab.structures.problem import OrderingProblem
from wordorder_lab.structures.sentence import Sentence, Token
from wordorder_lab.structures.templates import Feature

NOTHING: Any = None
"""The templates of a grammar whose features are no template's."""


class Names(BestFirstDependency):
    """An edge's last action has one feature, its name: "a", "(a>b)" for HeadLeft, "((a<b)<c)"."""

    def name(self, edge: Edge) -> str:
        if edge.left is None or edge.right is None:
            return self.problem.items[edge.items[0]].form
        side = ">" if edge.action == HEAD_LEFT else "<"
        return f"({self.name(edge.left)}{side}{self.name(edge.right)})"

    def groups(self, edge: Edge) -> list[list[Feature]]:
        return [[(self.name(edge),)]]

    def show(self, feature: Feature) -> str:
        return str(feature[0])


class Unmarked(Names):
    """All edges have the same one feature."""

    def groups(self, edge: Edge) -> list[list[Feature]]:
        return [[("same",)]]


def example(words: str, heads: tuple[int, ...]) -> Example:
    """A sentence of one-letter words, in alphabetical order, so that items are places."""
    problem = OrderingProblem.of(wl.WordBag(list(words)), lambda _unit: ("T",))
    return Example(problem, tuple(range(len(words))), heads)


class Taught:
    """A learner with these weights to begin with, after some examples."""

    def __init__(self, examples: list[Example], start: dict[str, float] | None = None, **how: Any):
        settings: dict[str, Any] = {
            "beam": 9,
            "chart": "single",
            "update": "perceptron",
            "negatives": "expand",
            **how,
        }
        decoder = settings.pop("decoder", Names)
        self.log = wl.EventLog()
        self.learner = GuidedLearner(NOTHING, GuidedSettings(**settings), self.log, decoder)
        for name, weight in (start or {}).items():
            self.learner.weights.add((name,), weight)
        for one in examples:
            self.learner.learn(one)
        self.weights = {name: w for (name, *_), (w, _) in self.rows if w}
        self.sums = {name: u for (name, *_), (_, u) in self.rows if u}
        self.updates = {reason: n for reason, n in self.learner.updates.items() if n}
        self.sentences = {end: n for end, n in self.learner.sentences.items() if n}

    @property
    def rows(self) -> list[tuple[Any, list[float]]]:
        return list(self.learner.weights.rows.items())

    def events(self, *kinds: str) -> list[tuple]:
        return [event for event in self.log if event[0] in kinds]

    def since(self, first: tuple) -> list[tuple]:
        events = self.log.events
        return [event for event in events[events.index(first) + 1 :] if event[0] != "weight"]


A_TO_B = example("ab", (-1, 0))  # a -> b, "a b"


def test_perceptron_by_hand() -> None:
    """Every event of one sentence: all is 0, so "b a" with b -> a, which is made first, is popped.

    The lowest gold edge of the agenda is the goal; it and what stands above it get new scores.
    """
    taught = Taught([A_TO_B])
    assert taught.log.events == [
        ("begin", ["a", "b"], [1, 1], 2, 9),
        ("leaf", 1, 0, "a", "T", 0.0, 1, ""),
        ("leaf", 2, 1, "b", "T", 0.0, 1, ""),
        *[("popped", 1, 0.0), ("charted", 1), ("popped", 2, 0.0)],
        ("edge", 3, 2, 1, "HeadLeft", 0.0, 0, ""),
        ("edge", 4, 2, 1, "HeadRight", 0.0, 0, ""),
        ("edge", 5, 1, 2, "HeadLeft", 0.0, 1, ""),
        ("edge", 6, 1, 2, "HeadRight", 0.0, 0, ""),
        *[("charted", 2), ("popped", 3, 0.0)],
        ("edge_update", 0, "agenda", 5, 3, 0.0, 1.0),
        ("weight", "(a>b)", "", 0.0, 1.0),
        ("weight", "(b>a)", "", 0.0, -1.0),
        *[("rescored", 3, -1.0), ("rescored", 5, 1.0), ("charted", 3)],
        *[("popped", 5, 1.0), ("goal", 5, 1.0), ("stopped", "finished")],
    ]
    assert taught.weights == {"(a>b)": 1.0, "(b>a)": -1.0}
    assert taught.updates == {"agenda": 1} and taught.sentences == {"finished": 1}


def test_large_margin_by_hand() -> None:
    """Phi shares a and b, so the difference has the norm 2 and the step is 1 / 2.

    The second sentence, b -> a in "a b", has 1 example behind it: its change counts once in u.
    There (a>b) leads with 1/2; the gold goal has 0, so the step is (1/2 - 0 + 1) / 2.
    """
    taught = Taught([A_TO_B, example("ab", (1, -1))], update="large-margin")
    assert taught.events("edge_update") == [
        ("edge_update", 0, "agenda", 5, 3, 0.0, 0.5),
        ("edge_update", 1, "agenda", 6, 5, -0.5, 0.75),
    ]
    assert taught.weights == {"(a>b)": 0.5 - 0.75, "(b>a)": -0.5, "(a<b)": 0.75}
    assert taught.sums == {"(a>b)": -0.75, "(a<b)": 0.75}
    assert taught.events("rescored")[2:] == [("rescored", 5, -0.25), ("rescored", 6, 0.75)]
    assert taught.sentences == {"finished": 2}


def test_scaled_by_hand() -> None:
    """e+ is the leaf c, one action; e- is "b a", three: a third of each of its features.

    c has -1 before, e- has 0; afterwards c leads by 1 (up to rounding), as the formula promises.
    """
    taught = Taught([example("abc", (1, 2, -1))], {"c": -1.0}, update="scaled", expansions=3)
    third = 1 / 3
    norm = 1.0
    for _ in range(3):
        norm += (0 - third) * (0 - third)
    step = (0.0 - -1.0 + 1) / norm
    down = step * (0 - third)
    assert taught.events("edge_update") == [("edge_update", 0, "agenda", 3, 4, -1.0, step)]
    assert taught.weights == {"c": -1.0 + step * 1.0, "b": down, "a": down, "(b>a)": down}
    w = taught.weights
    negative = ((w["b"] + w["a"]) + w["(b>a)"]) / 3
    assert w["c"] - negative == pytest.approx(1)
    # The chart is rescored, a and b; e-, which is expanded; and the agenda down to c.
    pair = (w["a"] + w["b"]) / 3
    scores = {1: down, 2: down, 3: w["c"], 4: negative, 5: (w["b"] + w["a"]) / 3, 6: pair, 7: pair}
    assert taught.events("rescored") == [("rescored", *pair) for pair in scores.items()]
    assert taught.sentences == {"limit": 1}


@pytest.mark.parametrize("update", ["perceptron", "large-margin", "scaled"])
def test_equal_features_are_no_update(update: str) -> None:
    taught = Taught([A_TO_B], update=update, decoder=Unmarked)
    assert taught.updates == {"equal": 2} and not taught.weights
    assert {event[2] for event in taught.events("edge_update")} == {"equal"}
    assert not taught.events("weight", "rescored") and taught.sentences == {"finished": 1}


@pytest.mark.parametrize(
    ("update", "reason"),
    [("perceptron", "agenda"), ("large-margin", "satisfied"), ("scaled", "satisfied")],
)
def test_fresh_scores_decide_whether_the_margin_is_there(update: str, reason: str) -> None:
    """Stored scores may be old: here the weight of a has come since, and it leads by 2."""
    learner = Taught([], update=update).learner
    search = learner.search(A_TO_B)
    search.begin()
    a, b = search.pop_best(), search.pop_best()
    learner.weights.add(("a",), 2.0)
    assert a.score == 0.0
    assert learner.update_parameters(search, "agenda", a, b) == (reason == "agenda")
    assert learner.updates[reason] == 1 and learner.weights.get(("a",)) == 2.0 + (
        reason == "agenda"
    )


def test_algorithm_2_discards_them() -> None:
    taught = Taught([A_TO_B], negatives="discard")
    assert taught.events("pruned", "charted") == [
        *[("charted", 1), ("charted", 2), ("pruned", 3, "discarded")],
    ]
    assert taught.events("rescored") == [("rescored", 5, 1.0)]  # e- is not expanded: not rescored
    assert taught.weights == {"(a>b)": 1.0, "(b>a)": -1.0}
    assert taught.sentences == {"finished": 1}


def test_a_sentence_may_stop_at_its_first_update() -> None:
    taught = Taught([A_TO_B, A_TO_B], negatives="stop")
    assert taught.events("rescored", "pruned", "goal", "stopped") == [
        *[("stopped", "stopped"), ("goal", 5, 1.0), ("stopped", "finished")],
    ]
    assert taught.weights == {"(a>b)": 1.0, "(b>a)": -1.0}
    assert taught.sentences == {"finished": 1, "stopped": 1} and taught.updates == {"agenda": 1}


def test_it_goes_on_where_there_is_nothing_to_update() -> None:
    taught = Taught([A_TO_B], negatives="stop", decoder=Unmarked)
    assert taught.events("pruned") == [("pruned", 3, "discarded"), ("pruned", 4, "discarded")]
    assert taught.updates == {"equal": 2} and taught.sentences == {"finished": 1}


@pytest.mark.parametrize("expansions", [0, 1, 2])
def test_a_limit_ends_a_sentence(expansions: int) -> None:
    taught = Taught([A_TO_B], expansions=expansions)
    assert len(taught.events("popped")) == expansions and not taught.updates
    assert taught.log.events[-1] == ("stopped", "limit") and taught.sentences == {"limit": 1}
    assert taught.learner.weights.examples == 1


LINE = example("abc", (-1, 0, 1))  # a -> b -> c: b takes c, then a takes both
HEAVY = {"b": 10.0, "c": 9.0, "(c>b)": -99.0, "(c<b)": -99.0}
"""b and c are popped first; then come "b c", with b -> c (gold) or c -> b, and at last a."""


def test_a_gold_edge_falls_off_the_chart() -> None:
    """Two places, for b and c; "b c" with c -> b leads with 22 and enters. c, 9, is the lowest.

    First it is a negative example against a (0): it has 21 then. c is gold, so it is one again:
    c has 10, and with it everything in the chart gets a new score. Then it leaves the chart.
    """
    taught = Taught([LINE], HEAVY | {"(b<c)": 3.0}, beam=2, expansions=3)
    assert taught.events("popped") == [
        *[("popped", 2, 10.0), ("popped", 3, 9.0), ("popped", 7, 22.0)],
    ]
    log = taught.log.events[taught.log.events.index(("popped", 7, 22.0)) + 1 :]
    assert log == [
        ("edge_update", 0, "agenda", 1, 7, -22.0, 1.0),
        ("weight", "a", "", 0.0, 1.0),
        ("weight", "(b<c)", "", 3.0, 2.0),
        ("rescored", 1, 1.0),
        ("rescored", 7, 21.0),
        ("charted", 7),
        ("edge_update", 0, "chart", 3, 7, 9.0 - 21.0, 1.0),
        ("weight", "c", "", 9.0, 10.0),
        ("weight", "(b<c)", "", 2.0, 1.0),
        ("rescored", 3, 10.0),
        ("pruned", 7, "negative"),
        ("stopped", "limit"),
    ]
    # The agenda keeps its old scores: "b c" with b -> c would have 20 now.
    assert taught.updates == {"agenda": 1, "chart": 1}


def test_the_best_negative_edge_goes() -> None:
    """The same with three places and two orders of c -> b, 21 and 20 by then: the 21 goes."""
    taught = Taught([LINE], HEAVY | {"(b<c)": 3.0, "(c>b)": 2.0}, beam=3, expansions=4)
    assert taught.events("popped")[2:] == [("popped", 7, 22.0), ("popped", 4, 21.0)]
    updates = [event[2:] for event in taught.events("edge_update")]
    assert updates[1:] == [("agenda", 1, 4, -20.0, 1.0), ("chart", 3, 7, 9.0 - 21.0, 1.0)]
    assert taught.events("pruned") == [("pruned", 7, "negative")]
    assert taught.events("rescored")[-2:] == [("rescored", 3, 10.0), ("rescored", 4, 21.0)]


def test_a_negative_edge_falls_off_the_chart() -> None:
    """The same, but the non-gold edge is the lowest itself: dropped, and no update for it."""
    start = {"b": 10.0, "c": 9.0, "(b>c)": -9.0, "(b<c)": -18.0, "(c>b)": -99.0, "(c<b)": -99.0}
    taught = Taught([LINE], start, beam=3, expansions=4)
    assert taught.events("popped")[2:] == [("popped", 6, 10.0), ("popped", 7, 1.0)]
    assert taught.events("pruned") == [("pruned", 7, "beam")]
    assert taught.updates == {"agenda": 1}


@pytest.mark.parametrize(("chart", "overfull"), [("single", 3), ("sizes", 2)])
def test_gold_edges_may_be_more_than_a_beam_holds(chart: str, overfull: int) -> None:
    """One place in all, or one a size. All that enters is gold: b, c, "b c" and a."""
    start = HEAVY | {"(b<c)": -99.0, "(b>c)": 1.0, "(a>(b>c))": 9.0}
    taught = Taught([LINE], start, beam=1, chart=chart)
    assert taught.updates == {"overfull": overfull} and taught.sentences == {"finished": 1}
    assert not taught.events("pruned")


def example_of(sentence: Sentence, pos: float = 1, deps: float = 0) -> Example:
    """A sentence as a training example, under a condition."""
    bag = wl.bag_of(sentence, pos, deps)
    problem = OrderingProblem.of(bag, TagDictionary.of([sentence]).lookup)
    types = canonical_types(problem)
    type_of = {unit: types[t] for t, units in enumerate(problem.units) for unit in units}
    items = {(item.type, item.pos): i for i, item in enumerate(problem.items)}
    chosen = [items[type_of[unit], token.pos] for unit, token in zip(places(sentence), sentence)]
    return Example(problem, tuple(chosen), sentence.tree.heads)


def learner_of(**how: Any) -> GuidedLearner:
    settings = {"beam": 8, "chart": "single", "update": "scaled", "negatives": "expand", **how}
    return GuidedLearner(TABLE_2, GuidedSettings(**settings))


@pytest.mark.parametrize("update", ["perceptron", "large-margin", "scaled"])
def test_ibm_bought_lotus_is_learned(update: str) -> None:
    sentence = Sentence(
        (Token(("IBM",), "NNP", 1), Token(("bought",), "VBD", -1), Token(("Lotus",), "NNP", 1))
    )
    learner = learner_of(update=update)
    for _ in range(3):
        learner.learn(example_of(sentence))
    problem = OrderingProblem.of(IBM, lambda _unit: ())
    settings = SearchSettings(8, scaled=update == "scaled")
    search = BestFirstDependency(problem, TABLE_2, learner.weights.get, settings)
    (found,) = search.run()
    assert found.actions == IBM_BOUGHT_LOTUS and found.heads == (1, -1, 1)


class Checked(GuidedLearner):
    """Looks after every update for the agenda whether the right scores are new: of the chart, and
    of the agenda down to e+. And e+ leads e- by 1."""

    asked = 0

    def recompute_scores(self, search: Any, e_plus: Edge, e: Edge) -> None:
        before = {edge.serial: edge.total for _, edge in search.agenda.heap}
        above = {edge.serial for key, edge in search.agenda.heap if key <= e_plus.key}
        super().recompute_scores(search, e_plus, e)
        known: dict[int, float] = {}
        for edge in search.chart:
            assert edge.total == search.recompute(edge, known)
        for key, edge in search.agenda.heap:
            fresh = search.recompute(edge, known)
            assert edge.total == (fresh if edge.serial in above else before[edge.serial])
            assert key == edge.key
        if self.settings.update != "perceptron":
            margin = e_plus.score - search.score_of(e, search.recompute(e, known))
            assert margin == pytest.approx(1)
        self.asked += 1


@pytest.mark.parametrize("update", ["perceptron", "large-margin", "scaled"])
@pytest.mark.parametrize("negatives", ["expand", "discard", "stop"])
@pytest.mark.slow
def test_random_sentences_are_learned(update: str, negatives: str) -> None:
    """With tags and heads given in part, equal words and equal subtrees; both charts.

    There is always a gold edge to go for; without a limit every sentence ends with its gold goal,
    or at its first update. After some epochs most sentences need no update any more.
    """
    chance = random.Random(6)
    sentences = random_sentences(6, 6, longest=5)
    while len(sentences) < 10:
        if len(sentence := repetitive_sentence(chance)) < 7:
            sentences.append(sentence)
    chart = "sizes" if update == "large-margin" else "single"
    learner = Checked(TABLE_2, GuidedSettings(5, chart, update, negatives))
    examples = [example_of(s, chance.choice([0, 1]), chance.choice([0, 0.5, 1])) for s in sentences]
    counts = []
    for _ in range(4):
        for one in examples:
            learner.learn(one)
        counts.append(sum(n for reason, n in learner.updates.items() if reason != "overfull"))
    assert learner.asked or negatives == "stop"
    assert learner.sentences["limit"] == 0 and sum(learner.sentences.values()) == 40
    assert learner.sentences["stopped"] == (learner.updates["agenda"] if negatives == "stop" else 0)
    assert counts[0] > counts[-1] - counts[-2]


def test_a_gold_tree_that_the_bag_forbids() -> None:
    problem = OrderingProblem.of(wl.WordBag(["a", "b"], None, [None, 0]), lambda _unit: ("T",))
    with pytest.raises(ValueError, match="no gold edge"):
        Taught([Example(problem, (0, 1), (1, -1))])


@pytest.mark.parametrize("how", [{"update": "mira"}, {"negatives": "keep"}])
def test_settings_that_cannot_be(how: dict) -> None:
    with pytest.raises(ValueError, match="is none of"):
        learner_of(**how)
