"""The heads and orders of a bag: how they are kept, and how they may not contradict each other."""

from __future__ import annotations

import random
import re
from itertools import pairwise

import pytest
from bags import bags
from hypothesis import given
from hypothesis import strategies as st

from wordorder_lab.structures.bag import WordBag, find_cycle
from wordorder_lab.widgets.form import chosen, read_bag

UNITS = ["led", "a team", "of", "Harvard", "of"]


def test_orders_are_kept_sorted_and_once() -> None:
    bag = WordBag(UNITS, before=[(2, 1), (0, 3), (2, 1)])
    assert bag.before == ((0, 3), (2, 1))
    assert bag.is_constrained and not bag.has_heads
    assert not WordBag(UNITS, ["X"] * 5).is_constrained
    assert WordBag(UNITS, heads=[None, 0, None, None, None]).is_constrained
    assert WordBag(["a"], [""]) == WordBag(["a"])


CONTRADICTIONS = {
    "head outside": ([None, 9, None, None, None], [], r"\('a team'\) has head 9: .*0 to 4\), -1"),
    "own head": ([None, 1, None, None, None], [], r"'a team'\) has head 1"),
    "two roots": ([-1, None, None, -1, None], [], "root, 'led' and 'Harvard': .* one root, so"),
    "cycle of heads": (
        [None, 2, 1, None, 0],
        [],
        r"'a team' -> 'of' \(no. 1 of 2\) -> 'a team' .*: leave one of them out",
    ),
    "order outside": ([None] * 5, [(0, 5)], r"\(0, 5\) .* units are 0 to 4"),
    "order with itself": ([None] * 5, [(1, 1)], "'a team' cannot stand before itself"),
    "cycle of orders": (
        [None] * 5,
        [(4, 3), (3, 2), (2, 4)],
        r"'of' \(no. 1 of 2\) < 'of' \(no. 2 of 2\) < 'Harvard' < 'of' .*: leave one of them out",
    ),
    "no pairs": ([None] * 5, (0, 1), r"before takes pairs of units, such as \[\(2, 0\)\]"),
}


@pytest.mark.parametrize(
    ("heads", "before", "said"), CONTRADICTIONS.values(), ids=CONTRADICTIONS.keys()
)
def test_contradictions_name_the_words_and_the_way_out(heads, before, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        WordBag(UNITS, heads=heads, before=before)


def test_a_long_cycle_is_a_short_message() -> None:
    units = [f"w{i}" for i in range(1000)]
    with pytest.raises(ValueError, match=re.escape("'w0' -> 'w1'")) as caught:
        WordBag(units, heads=[*range(1, 1000), 0])
    assert "... 992 more ..." in str(caught.value) and len(str(caught.value)) < 250


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), max_size=8))
def test_a_cycle_is_found_where_there_is_one(arrows: list[tuple[int, int]]) -> None:
    cycle = find_cycle(arrows)
    if cycle:
        assert cycle[0] == cycle[-1] == min(cycle) and len(set(cycle)) == len(cycle) - 1
        assert set(pairwise(cycle)) <= set(arrows)
        return
    reached = set(arrows)  # by Warshall: nothing reaches itself
    for k in range(6):
        reached |= {(i, j) for i, x in reached if x == k for y, j in reached if y == k}
    assert not [i for i, j in reached if i == j]


@given(bags(), st.randoms(use_true_random=False))
def test_units_can_be_chosen_with_what_is_given_among_them(
    bag: WordBag, chance: random.Random
) -> None:
    places = chance.sample(range(len(bag)), len(bag))
    back = sorted(range(len(bag)), key=places.__getitem__)
    assert bag.select(places).select(back) == bag
    some = bag.select(places[:2])
    pairs = {(i, j) for i, j in bag.before if {i, j} <= set(places[:2])}
    assert {(places[i], places[j]) for i, j in some.before} == pairs
    assert bag.heads and some.heads
    for place, head in zip(places, some.heads):
        old = bag.heads[place]
        known = old is not None and old in (-1, *places[:2])
        assert known == (head is not None)
        assert head is None or old == (head if head == -1 else places[head])


def test_the_form_passes_on_what_is_given() -> None:
    given = WordBag(["a", "b"], ["X", "Y"], [1, None], [(1, 0)])
    typed = "a/X>2 b/Y | 2<1"
    assert read_bag(typed) == given
    assert read_bag(typed, "none") == WordBag(given.words, None, given.heads, given.before)
    assert read_bag(typed, "listed", "Z _").heads == given.heads
    assert chosen(given, [1, 0]) == WordBag(["b", "a"], ["Y", "X"], [None, 0], [(0, 1)])
