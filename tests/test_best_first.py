"""Best-first search on its own: sizes, every tree once, the order of pops, how a search ends."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from math import factorial
from typing import Any

import pytest
from edge_oracles import (
    TABLE_2,
    MadeUp,
    ShapeSearch,
    Simulation,
    every_tree,
    phrases_of,
    tree_of,
)
from oracles import forests, projective_trees, renamings
from test_input_constraints import bag_of, random_orders, random_tree

import wordorder_lab as wl
from wordorder_lab.best_first.dependency import BestFirstDependency
from wordorder_lab.best_first.dependency_links import DependencyLinks
from wordorder_lab.best_first.edge import Edge
from wordorder_lab.best_first.gold import GoldEdges
from wordorder_lab.best_first.output import Ordering, default_output
from wordorder_lab.best_first.settings import Limits, SearchSettings
from wordorder_lab.structures.problem import OrderingProblem
from wordorder_lab.transition.actions import check_interleaving

EVERYTHING = 10**9
"""More goals than there are."""


def one_tag(_unit: tuple[str, ...]) -> tuple[str, ...]:
    return ("T",)


def two_tags(_unit: tuple[str, ...]) -> tuple[str, ...]:
    return ("N", "V")


def nothing(_feature: Any) -> float:
    return 0.0


NOTHING: Any = None
"""The templates of a grammar whose features are no template's."""


def search_on(
    bag: wl.WordBag,
    weight: Callable = nothing,
    lookup: Callable = one_tag,
    trace: Any = None,
    **how: Any,
) -> ShapeSearch:
    """A search with one feature an edge; by default until the agenda is empty."""
    settings = SearchSettings(**{"beam": 0, "k": EVERYTHING, **how})
    search = ShapeSearch(OrderingProblem.of(bag, lookup), NOTHING, weight, settings, trace)
    search.run()
    return search


IBM = wl.WordBag(["Lotus", "bought", "IBM"], ["NNP", "VBD", "NNP"])
IBM_BOUGHT_LOTUS = ("leaf-IBM-NNP", "leaf-bought-VBD", "leaf-Lotus-NNP", "HeadLeft", "HeadRight")


def by_hand(feature: tuple) -> float:
    """A few weights on Table 2: verbs take nouns on both sides, and IBM buys."""
    name, values = TABLE_2.templates[feature[0]].name, feature[1:]
    weights = {
        ("POS(h)·POS(m)·dir", "VBD", "NNP", 1): 1.0,  # the dependent on the right
        ("POS(h)·POS(m)·dir", "VBD", "NNP", 0): 0.5,
        ("WORD(B-1)·WORD(B)", "IBM", "bought"): 2.0,
        ("WORD(B-1)·WORD(B)", "bought", "Lotus"): 1.5,
        ("WORD(h)·NORM(size)", "bought", 1): 0.25,
    }
    return weights.get((name, *values), 0.0)


def test_ibm_bought_lotus() -> None:
    """Section 3.3's sizes: 3 words, and |e| is 5 actions. Followed by hand, pop by pop.

    With right dependents first, "IBM bought" leads nowhere good: it is popped early, for it scores
    best, but it cannot take Lotus any more; "bought Lotus" takes IBM and wins.
    """
    log = wl.EventLog()
    problem = OrderingProblem.of(IBM, one_tag)
    search = BestFirstDependency(problem, TABLE_2, by_hand, SearchSettings(16), log)
    (found,) = search.run()
    assert [problem.items[i].form for i in found.items] == ["IBM", "bought", "Lotus"]
    assert found == Ordering(found.items, (1, -1, 1), 5.25 / 5, IBM_BOUGHT_LOTUS)
    assert len(found.items) == 3 and len(found.actions) == 5
    assert search.stopped == "complete" and search.goals[0].actions == 5
    assert log.events[:4] == [
        ("begin", ["IBM", "Lotus", "bought"], [1, 1, 1], 3, 16),
        ("leaf", 1, 0, "IBM", "NNP", 0.0, -1, ""),
        ("leaf", 2, 1, "Lotus", "NNP", 0.0, -1, ""),
        ("leaf", 3, 2, "bought", "VBD", 0.25, -1, ""),
    ]
    assert log.events[4:12] == [
        *[("popped", 3, 0.25), ("charted", 3), ("popped", 1, 0.0)],
        ("edge", 4, 1, 3, "HeadLeft", (0.25 + 2.0) / 3, -1, ""),  # IBM -> bought
        ("edge", 5, 1, 3, "HeadRight", (0.25 + 2.0 + 0.5) / 3, -1, ""),  # IBM <- bought
        ("edge", 6, 3, 1, "HeadLeft", (0.25 + 1.0) / 3, -1, ""),  # bought -> IBM
        ("edge", 7, 3, 1, "HeadRight", 0.25 / 3, -1, ""),
        ("charted", 1),
    ]
    pops = [event[2] for event in log if event[0] == "popped"][2:]
    assert pops == [2.75 / 3, 2.25 / 3, 1.25 / 3, 0.25 / 3, 0.0, (0.25 + 1.0 + 1.5) / 3, 5.25 / 5]
    serial = search.goals[0].serial
    end = [("goal", serial, 5.25 / 5), ("finished", serial, 5.25 / 5), ("stopped", "complete")]
    assert log.events[-3:] == end


def check_goals(bag: wl.WordBag, tags: tuple[str, ...] = ("T",)) -> int:
    """The goals of an endless search are all trees that keep what is given, none of them twice."""
    search = search_on(bag, lookup=lambda _unit: tags)
    assert search.stopped == "agenda empty" and search.counters["dropped"] == 0
    truth = every_tree(bag, tags)
    assert {tree_of(search, goal) for goal in search.goals} == truth.keys(), bag
    assert len({(goal.items, goal.heads) for goal in search.goals}) == len(search.goals)
    if not bag.before and not any(bag.pos or ()):
        assert len(search.goals) * renamings(bag) == truth.total(), bag
    return len(search.goals)


@pytest.mark.parametrize(("n", "edges"), [*enumerate([1, 6, 57, 916], 1)])
def test_every_tree_over_different_words(n: int, edges: int) -> None:
    """n! orders, and projective trees for each; 916 edges for four words."""
    bag = bag_of("abcd"[:n], (None,) * n)
    assert search_on(bag).counters["edges"] == edges
    assert check_goals(bag) == factorial(n) * len(projective_trees(n))


@pytest.mark.parametrize("words", ["aa", "aab", "aaaa", "aabb", "abcd"])
@pytest.mark.slow
def test_every_forest(words: str) -> None:
    """Heads, partly or all, roots, equal subtrees, equal words."""
    for heads in forests(words, rooted=True):
        assert check_goals(bag_of(words, heads))


def test_what_else_a_bag_can_hold() -> None:
    no_no = wl.WordBag(["no", "no"])
    assert check_goals(no_no) == 2 and check_goals(no_no, ("N", "V")) == 8
    phrase = wl.WordBag(["the pier", "near", "the pier"], ["NP", None, None], [1, None, None])
    tagged = wl.WordBag(["no", "no", "way"], ["UH", None, "NN"])
    deep = bag_of("aabbc", (4, 4, 0, 1, None))  # a <- b, twice below c
    far = bag_of("abbcc", (None, 0, 0, 1, 2))
    four = bag_of("abcd", (None,) * 4)
    assert check_goals(phrase, ("N", "V")) and check_goals(tagged, ("NN", "UH"))
    assert check_goals(four, ("N", "V")) == 720 * 2**4
    assert check_goals(deep) and check_goals(far)


def test_no_word_takes_what_belongs_to_another() -> None:
    """a <- b twice; no edge of a b with both a is made, since it would lead nowhere.

    Two leaves; a b with its a on either side; such a pair below another b or below an a, on either
    side; and 12 + 8 trees.
    """
    search = search_on(bag_of("abab", (1, None, 3, None)))
    assert search.links.count == [2, 2] and search.links.need == [0, 1]
    assert search.counters["edges"] == 2 + 2 + 8 + 20 and len(search.goals) == 20


def test_orders_and_heads() -> None:
    """Also orders that cannot be kept: there is no goal, and ``check_interleaving`` says so."""
    chance = random.Random(4)
    count: Counter[bool] = Counter()
    for _ in range(200):
        n = chance.randint(3, 4)
        words = chance.choice(["abcd", "abcd", "aabb"])[:n]
        heads = chance.choice(forests("w" * n, rooted=chance.random() < 0.3))
        bag = bag_of(words, heads, random_orders(chance, n, 5))
        possible = bool(every_tree(bag))
        count[possible] += 1
        if possible:
            check_interleaving(OrderingProblem.of(bag, one_tag))
            check_goals(bag)
        else:
            with pytest.raises(ValueError, match="leave"):
                check_interleaving(OrderingProblem.of(bag, one_tag))
    assert min(count.values()) > 5, count


@pytest.mark.parametrize("scaled", [True, False])
def test_the_best_goal_is_the_optimum(scaled: bool) -> None:
    """With the features of Table 2, by enumeration of trees and of the phrases on the way."""
    for seed, (words, tags) in enumerate([("abcd", "T"), ("aab", "NV"), ("abb", "NV")]):
        weight = MadeUp(seed)
        bag = bag_of(words, (None,) * len(words))
        problem = OrderingProblem.of(bag, two_tags if tags == "NV" else one_tag)
        settings = SearchSettings(0, scaled=scaled, k=EVERYTHING)
        search = BestFirstDependency(problem, TABLE_2, weight, settings)
        best = search.run()[0]
        totals = {
            tree: sum(weight.table_2(*phrase) for phrase in phrases_of(*tree))
            for tree in every_tree(bag, tuple(tags))
        }
        actions = 2 * len(words) - 1 if scaled else 1
        assert best.score == max(totals.values()) / actions
        assert {tree_of(search, goal): goal.total for goal in search.goals} == totals


@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_gold_edges_are_those_of_one_tree(n: int) -> None:
    """For every tree exactly the phrases on the way to it are gold; one goal is."""
    problem = OrderingProblem.of(bag_of("abcd"[:n], (None,) * n), one_tag)
    for heads in projective_trees(n):
        gold = GoldEdges(range(n), heads)
        settings = SearchSettings(0, k=EVERYTHING)
        search = ShapeSearch(problem, NOTHING, nothing, settings, gold=gold)
        search.run()
        made = {part for goal in search.goals for part in goal.post_order()}
        found = {tree_of(search, edge) for edge in made if edge.is_gold}
        words = tuple((item.form, item.pos) for item in problem.items)
        assert found == {phrase[:2] for phrase in phrases_of(words, heads)}
        assert [goal.heads for goal in search.goals if goal.is_gold] == [heads]


def simulated(search: BestFirstDependency, bag: wl.WordBag, local: Callable, **how: Any) -> Any:
    """The naive search that corresponds to one of ours; orders with all that follows from them."""
    given, names = search.problem.given, {i.type: i.form for i in search.problem.items}
    forms = [bag.form(i) for i in range(len(bag))]
    heads = {
        forms[i]: None if head == -1 else forms[head]
        for i, head in enumerate(bag.heads or ())
        if head is not None
    }
    return Simulation(
        [(item.form, item.pos) for item in search.problem.items],
        Counter(forms),
        local,
        heads=heads,
        before=[(names[i], names[j]) for j in names for i in given.before[j]],
        **how,
    )


def random_bag(chance: random.Random) -> wl.WordBag:
    """3 to 6 words: some of them equal, or with heads and orders that a sentence has."""
    n = chance.randint(3, 6)
    if chance.random() < 0.5:
        return wl.WordBag(chance.choices(["a", "b", "the c", "d"], k=n))
    words = ["a", "b", "the c", "d", "e", "f"][:n]
    heads = [head if chance.random() < 0.4 else None for head in random_tree(chance, n)]
    orders = [tuple(sorted(chance.sample(range(n), 2))) for _ in range(chance.randint(0, 2))]
    return wl.WordBag(words, None, heads, [(i, j) for i, j in orders])


@pytest.mark.parametrize("kind", ["shape", "table_2"])
def test_the_search_against_plain_lists(kind: str) -> None:
    """Outputs, scores, and every pop in its turn; beams from 1 up, both charts, scaled or not."""
    chance = random.Random(kind)
    ends: Counter[str] = Counter()
    for seed in range(60 if kind == "shape" else 20):
        bag, weight = random_bag(chance), MadeUp(seed)
        chart, scaled = chance.choice(["single", "sizes"]), chance.random() < 0.5
        beam, most = chance.choice([1, 2, 3, 5, 20]), chance.choice([5, 40, 300])
        log = wl.EventLog(only=["popped"])
        decoder = ShapeSearch if kind == "shape" else BestFirstDependency
        problem = OrderingProblem.of(bag, chance.choice([one_tag, two_tags]))
        settings = SearchSettings(beam, chart, scaled, Limits(expansions=most))
        search = decoder(problem, TABLE_2, weight, settings, log)
        (found,) = search.run()
        naive = simulated(
            search,
            bag,
            weight.shape if kind == "shape" else weight.table_2,
            beam=beam,
            by_size=chart == "sizes",
            scaled=scaled,
            expansions=most,
        )
        assert [event[1:] for event in log] == [(p.made, p.score) for p in naive.pops]
        assert search.counters["edges"] == naive.made
        if naive.goal:
            assert search.stopped == "complete" and found.score == naive.goal.score
            assert tree_of(search, found) == naive.goal[1:3]
        else:
            assert search.stopped == ("agenda empty" if naive.exhausted else "expansions")
            assert tree_of(search, found) == naive.joined()
        ends[search.stopped] += 1
    assert min(ends.values()) > 2 and len(ends) == 3, ends


def test_the_order_of_the_bag_does_not_matter() -> None:
    chance = random.Random(12)
    for seed in range(20):
        bag = random_bag(chance)
        again = bag.select(chance.sample(range(len(bag)), len(bag)))
        logs = [wl.EventLog(), wl.EventLog()]
        limits = Limits(expansions=200)
        for one, log in zip((bag, again), logs):
            search_on(one, MadeUp(seed), two_tags, beam=4, k=3, limits=limits, trace=log)
        assert logs[0].events == logs[1].events


def test_words_get_their_units() -> None:
    """Every goal is a permutation of the bag that has the given heads, twins and all."""
    chance = random.Random(3)
    for words in ["abcd", "aabb", "abbb"]:
        for heads in forests(words):
            bag = bag_of(words, heads).select(chance.sample(range(len(words)), len(words)))
            search = search_on(bag)
            for goal in search.goals:
                order = search.links.assign_units(goal.items, goal.heads)
                assert sorted(order) == list(range(len(bag)))
                over = [order[head] if head >= 0 else -1 for head in goal.heads]
                given = [(bag.heads or ())[unit] for unit in order]
                assert all(g in (None, head) for g, head in zip(given, over))
                assert [bag.form(i) for i in order] == [w for w, _ in tree_of(search, goal)[0]]


def test_pieces_get_units_that_are_left() -> None:
    """b b a: one b has its head, the other must take the unit that the first one leaves."""
    bag = bag_of("abab", (None, 0, None, 2))
    links = DependencyLinks(OrderingProblem.of(bag, one_tag))
    a, b = links.leaf_items
    assert links.assign_units([b, b, a], [-1, 2, -1]) == [3, 1, 0]
    assert links.assign_units([], []) == []


SIXTY = wl.WordBag(["no"] * 60)
ABC = bag_of("abc", (None,) * 3)


@pytest.mark.parametrize(
    ("bag", "how", "stopped"),
    [
        (wl.WordBag(["no"]), {"k": 1}, "complete"),
        (wl.WordBag(["no", "no"]), {"k": 2}, "complete"),
        (wl.WordBag(["no", "no"]), {"k": 3}, "agenda empty"),
        (SIXTY, {"limits": Limits(expansions=150), "beam": 8}, "expansions"),
        (ABC, {"k": 1}, "complete"),  # all weights are zero
        (ABC, {"limits": Limits(expansions=0)}, "expansions"),
        (ABC, {"limits": Limits(seconds=0)}, "seconds"),
        (ABC, {"limits": Limits(memory=0)}, "memory"),
        (ABC, {"limits": Limits(memory=15 / 512)}, "memory"),
        (ABC, {"limits": Limits(0, 0, 0)}, "expansions"),
        (ABC, {"limits": Limits(None, 0, 0)}, "memory"),
        (bag_of("abc", (1, None, None)), {"beam": 1}, "agenda empty"),
    ],
)
def test_how_a_search_ends(bag: wl.WordBag, how: dict, stopped: str) -> None:
    log = wl.EventLog()
    problem = OrderingProblem.of(bag, one_tag)
    settings = SearchSettings(**{"beam": 0, "k": EVERYTHING, **how})
    search = ShapeSearch(problem, NOTHING, nothing, settings, log)
    found = search.run()
    assert search.stopped == stopped and log.events[-1] == ("stopped", stopped)
    assert ("finished" in {event[0] for event in log}) == bool(search.goals)
    assert len(found) == max(1, len(search.goals))
    assert all(len(set(one.items)) <= len(one.items) <= problem.size for one in found)
    assert search.counters["expansions"] == sum(event[0] == "popped" for event in log)
    if stopped == "memory":
        assert search.counters["edges"] >= (settings.limits.memory or 0) * 512
    if not search.expansions:
        assert found == [Ordering((), (), 0.0, ())]


def test_several_goals_come_by_score() -> None:
    bag, weight = bag_of("abc", (None,) * 3), MadeUp(7)
    every = search_on(bag, weight, scaled=False)
    some = search_on(bag, weight, scaled=False, k=4)
    assert some.stopped == "complete"
    scores = [one.score for one in every.finish()]
    assert scores == sorted(scores, reverse=True) and len(scores) == 42
    assert [g.serial for g in some.goals] == [g.serial for g in every.goals][:4]


def test_what_contradicts_itself() -> None:
    bag = bag_of("abcd", (None, 0, None, 2), [(0, 2), (2, 1), (1, 3)])
    with pytest.raises(ValueError, match="exclude each other"):
        check_interleaving(OrderingProblem.of(bag, one_tag))
    search = search_on(bag)  # whoever does not ask first gets a default output
    assert search.stopped == "agenda empty" and not search.goals


@pytest.mark.parametrize("how", [{"beam": -1}, {"k": 0}, {"chart": "two"}, {"default": "2012"}])
def test_settings_that_cannot_be(how: dict) -> None:
    with pytest.raises(ValueError, match=r"at least 1|0 or more"):
        search_on(ABC, **how)


@pytest.mark.parametrize(
    "how", [{"expansions": -1}, {"expansions": 2.5}, {"seconds": "5"}, {"memory": float("nan")}]
)
def test_limits_that_cannot_be(how: dict) -> None:
    with pytest.raises(ValueError, match=r"0 or more|from 0 up"):
        Limits(**how)
    assert Limits(memory=2).edges == 1024
    assert Limits().edges is Limits(memory=float("inf")).edges is None


def chart_of(links: DependencyLinks, *pieces: tuple[str, float]) -> list[Edge]:
    """Edges by hand: words as letters, scores; serials in this order."""
    letters = [item.form for item in links.problem.items]
    found = []
    for serial, (words, score) in enumerate(pieces, 1):
        items = [letters.index(word) for word in words]
        counts = [0] * len(links.count)
        for item in items:
            counts[links.kinds[item]] += 1
        heads = (-1, *[0] * (len(words) - 1))
        edge = Edge(serial, "", tuple(items), heads, tuple(counts), total=score, score=score)
        found.append(edge)
    return found


@pytest.mark.parametrize(
    ("pieces", "of_2015", "of_2011"),
    [
        # The largest, then whatever fits, by size and score.
        ([("a", 9.0), ("bc", 1.0), ("ab", 2.0), ("d", 0.0), ("c", 3.0)], "ab c d", "ab c d"),
        ([("a", 0.0), ("bcd", 0.0), ("ab", 5.0), ("cd", -5.0)], "bcd a", "bcd a"),
        # Two that cover the bag together go first in 2011: of equal size by score.
        ([("ab", 1.0), ("cd", 0.0), ("ad", 2.0)], "ad", "ab cd"),
        ([("cd", 0.0), ("ab", 0.0)], "cd ab", "cd ab"),  # ties: made first
        ([("ac", 0.0), ("b", 0.0), ("abc", -1.0)], "abc", "abc"),
        ([], "", ""),
    ],
)
def test_default_outputs(pieces: list, of_2015: str, of_2011: str) -> None:
    links = DependencyLinks(OrderingProblem.of(bag_of("abcd", (None,) * 4), one_tag))
    chart = chart_of(links, *pieces)
    for kind, words in (("2015", of_2015), ("2011", of_2011)):
        found = default_output(chart, links.bounds, kind)
        forms = ["".join(links.problem.items[i].form for i in edge.items) for edge in found]
        assert " ".join(forms) == words


def test_default_outputs_keep_orders_and_counts() -> None:
    links = DependencyLinks(OrderingProblem.of(bag_of("abca", (None,) * 4, [(1, 2)]), one_tag))
    chart = chart_of(links, ("ca", 1.0), ("ab", 0.0), ("a", 0.0), ("b", 5.0))
    for kind, words in (("2015", [(2, 0), (0,)]), ("2011", [(0, 1), (2, 0)])):
        assert [edge.items for edge in default_output(chart, links.bounds, kind)] == words


def test_the_forest_of_a_default_output() -> None:
    """Its score is that of its pieces together, divided by all actions."""
    weight = MadeUp(2)
    for scaled in (True, False):
        search = search_on(ABC, weight, beam=2, limits=Limits(expansions=5), scaled=scaled)
        (found,) = search.finish()
        pieces = default_output(search.chart.edges, search.bounds)
        total = pieces[0].total
        for piece in pieces[1:]:
            total += piece.total
        assert found.score == (total / len(found.actions) if scaled else total)
        assert found.heads.count(-1) == len(pieces)
        assert sum(action.startswith("leaf-") for action in found.actions) == len(found.items)
