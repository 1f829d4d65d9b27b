"""Look-ahead slots, and templates that tell actions apart by tag or by move (Puduppully 2016)."""

from __future__ import annotations

import random

import pytest
from test_engines import ENGINES, trained
from test_liu_2015 import FIGURE_2

import wordorder_lab as wl
from wordorder_lab.structures.problem import OrderingProblem
from wordorder_lab.transition.actions import (
    action_name,
    apply_action,
    initial_state,
    possible_actions,
)
from wordorder_lab.transition.features import IN_BAG, IS_ROOT, ON_STACK, left_bin, state_context
from wordorder_lab.transition.packed_weights import ActionTable
from wordorder_lab.transition.state import State
from wordorder_lab.transition.templates import parse_templates

LOOK_AHEAD = "puduppully_2016_look_ahead"
SLOTS = ("S0,h", "S0hs", "S0,c", "S0,c2", "S0,s", "S0,s2", "b")


def problem_of(bag: wl.WordBag) -> OrderingProblem:
    return OrderingProblem.of(bag, lambda unit: ("X", "Y"))


def seen(problem: OrderingProblem, *actions: str) -> dict:
    """What the look-ahead slots hold after these actions."""
    state = initial_state(problem)
    for name in actions:
        by_name = {action_name(a, problem): a for a in possible_actions(state, problem)}
        state = apply_action(state, by_name[name], problem)
    context = state_context(state, problem)
    held = {slot: context[slot] for slot in SLOTS if context[slot] is not None}
    return {slot: it[:2] if isinstance(it, tuple) else it for slot, it in held.items()}


def test_figure_4_and_a_full_tree_by_hand() -> None:
    """The arcs of Figure 4, without a tag for "a team"; then the whole tree of Figure 2."""
    units = ["Dr. Talcott", "led", "a team", "of", "Harvard University", "."]
    tags = ["NP", "VBD", None, "IN", "NP", "."]
    partial = problem_of(wl.WordBag(units, tags, [None, None, None, 2, 3, None]))
    assert seen(partial) == {"b": 4}
    harvard = "SHIFT-Harvard University-NP"
    assert seen(partial, harvard) == {"b": 3, "S0,h": ("of", "IN"), "S0hs": IN_BAG}
    # The tag of "a team" is not known while it is in the bag.
    of = {"b": 3, "S0,h": ("team", None), "S0hs": IN_BAG}
    assert seen(partial, harvard, "SHIFT-of-IN") == of
    a_team = {"b": 3, "S0,c": ("of", "IN")}
    assert seen(partial, "SHIFT-a team-X") == a_team
    whole = problem_of(wl.WordBag(units, ["NP", "VBD", "NP", "IN", "NP", "."], [1, -1, 1, 2, 3, 1]))
    led = {"b": 3, "S0hs": IS_ROOT, "S0,c": (".", "."), "S0,c2": ("team", "NP")}
    assert seen(whole, "SHIFT-Dr. Talcott-NP", "SHIFT-led-VBD") == led
    family = {"S0,h": ("led", "VBD"), "S0,s": (".", "."), "S0,s2": ("team", "NP")}
    assert seen(whole, "SHIFT-Dr. Talcott-NP") == {"b": 3, "S0hs": IN_BAG, **family}
    stop = {"b": 3, "S0hs": ON_STACK, "S0,h": ("led", "VBD"), "S0,s": ("Talcott", "NP")}
    assert seen(whole, "SHIFT-led-VBD", "SHIFT-.-.") == {**stop, "S0,s2": ("team", "NP")}


def test_left_bin() -> None:
    assert [left_bin(n) for n in (0, 1, 2, 3, 5, 6, 10, 11, 99)] == [0, 1, 2, 3, 3, 4, 4, 5, 5]


def test_slots_of_random_walks_against_sets() -> None:
    """In full trees the slots are the ends of plain sets, by tag, whatever has happened so far."""
    chance = random.Random(5)
    checked = 0
    for _ in range(60):
        n = chance.randint(2, 9)
        heads = [chance.randint(-1, n - 1) for _ in range(n)]
        if heads.count(-1) != 1 or not is_tree(heads):
            continue
        tags = [chance.choice("ABC") for _ in range(n)]
        problem = problem_of(wl.WordBag([f"w{i}" for i in range(n)], tags, heads))
        unit = {f"w{i}": i for i in range(n)}
        state = initial_state(problem)
        while actions := possible_actions(state, problem):
            state = apply_action(state, chance.choice(actions), problem)
            top = unit[problem.items[state.stack[-1].item].form]
            used = {unit[problem.items[item].form] for item in state.order}
            for slot, of in (("c", top), ("s", heads[top])):
                left = {i for i, head in enumerate(heads) if head == of >= 0} - used - {top}
                ends = [tags[i] for i in left]
                assert slot_tags(state, problem, slot) == (
                    [min(ends), max(ends)] if len(ends) > 1 else ends
                )
                checked += 1
    assert checked > 100


def is_tree(heads: list[int]) -> bool:
    return all(reaches_root(heads, i) for i in range(len(heads)))


def reaches_root(heads: list[int], i: int) -> bool:
    for _ in heads:
        i = heads[i] if i >= 0 else i
    return i == -1


def slot_tags(state: State, problem: OrderingProblem, slot: str) -> list[str]:
    context = state_context(state, problem)
    held = [context[f"S0,{slot}"], context[f"S0,{slot}2"]]
    return [one[1] for one in held if isinstance(one, tuple) and one[1] is not None]


def test_levels_say_how_finely_actions_are_told_apart() -> None:
    templates = parse_templates("Words\nS0w\nWords by tag\nS0w\nWords by move\nS0w\nGroups\nS0\n")
    assert [template.level for template in templates.templates] == [0, 1, 2]
    with pytest.raises(ValueError, match=r"line 2: by 'word'.* action, tag, move"):
        parse_templates("Words by word\nS0w\nGroups\nS0\n")
    table = ActionTable.of([FIGURE_2])
    problem = OrderingProblem.of(wl.bag_of(FIGURE_2), lambda unit: ())
    numbers = {action_name(a, problem): table.numbers(a, problem) for a in range(8)}
    assert numbers["LEFTARC"] == (0, 0, 0, -1, 0)
    talcott, harvard = numbers["SHIFT-Dr. Talcott-NP"], numbers["SHIFT-Harvard University-NP"]
    assert talcott[0] != harvard[0] and talcott[1:] == harvard[1:]
    every = {number for some in numbers.values() for number in some}
    assert every == {-1, *range(len(table))}


def test_a_word_of_no_training_sentence_has_the_weights_of_its_tag() -> None:
    """By tag, unseen words of different tags get different scores; both engines say so."""
    model = trained(LOOK_AHEAD)
    problem = OrderingProblem.of(wl.WordBag(["zyx", "abc"], ["NP", "NNS"]), lambda unit: ())
    numbers = [model.actions.numbers(action, problem) for action in (2, 3)]
    assert all(by_word == -1 and by_tag >= 0 for by_word, by_tag, *_ in numbers)
    scores = set()
    for words in (["zyx", "abc"], ["abc", "zyx"]):
        bag = wl.WordBag(words, ["NP", "NNS"])
        results = [model.order(bag, k=4, engine=engine) for engine in ENGINES]
        assert results[0] == results[1]
        scores |= {one.score for one in results[0].k_best}
    assert len(scores) > 2
