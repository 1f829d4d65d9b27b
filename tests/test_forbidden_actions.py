"""What a reason says is true: every claim is held against all ways on, for every small forest."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise, product
from typing import Any

import pytest
from oracles import random_sentences

import wordorder_lab as wl
from wordorder_lab.structures.problem import OrderingProblem
from wordorder_lab.structures.typed_bag import parse_bag
from wordorder_lab.transition.actions import (
    action_name,
    apply_action,
    check_interleaving,
    initial_state,
    possible_actions,
)
from wordorder_lab.transition.forbidden_actions import forbidding
from wordorder_lab.transition.state import LEFTARC, SHIFT, Node, State

FIGURE_4 = "[Dr. Talcott]/NP>2 led/VBD [a team]/NP of/IN>3 [Harvard University]/NP>4 ./.>2"
"""The paper's partial tree: only the arc from led to a team is not given."""
ROOTED = FIGURE_4.replace("led/VBD", "led/VBD>0")


def told(line: str, *shifted: str) -> dict[str, str]:
    """The reasons, by the action's name without the tag, after these SHIFTs; of equal
    words the last one is shifted."""
    problem = OrderingProblem.of(parse_bag(line), lambda unit: ("X",))

    def bare(action: int) -> str:
        return action_name(action, problem).removeprefix("SHIFT-").rsplit("-", 1)[0]

    state = initial_state(problem)
    for form in shifted:
        names = {bare(a): a for a in possible_actions(state, problem)}
        state = apply_action(state, names[form], problem)
    return {bare(action): reason for action, reason in forbidding(state, problem)}


BY_HAND = """
FIGURE_4 after nothing
FIGURE_4 after Harvard University
    a team: “a team” would cut off “Harvard University” from its head “of”
FIGURE_4 after of
    a team: “a team” would cut off “of” from its dependent “Harvard University”
FIGURE_4 after Harvard University|Dr. Talcott
    LEFTARC: the head of “Harvard University” is “of”, not “Dr. Talcott”
    RIGHTARC: the head of “Dr. Talcott” is “led”, not “Harvard University”
    a team: “a team” would cut off “Dr. Talcott” from its head “led”
    of: “of” would cut off “Dr. Talcott” from its head “led”
FIGURE_4 after a team|of|Harvard University
    LEFTARC: the head of “of” is “a team”, not “Harvard University”
FIGURE_4 after a team|led
    LEFTARC: “a team” still waits for its dependent “of”
    RIGHTARC: “led” still waits for its dependents “.” and “Dr. Talcott”
    of: “of” would cut off “led” from its dependents “.” and “Dr. Talcott”
    Harvard University: “Harvard University” would cut off “led” from its dependents “.” and
        “Dr. Talcott”
ROOTED after Harvard University
    a team: “a team” would cut off “Harvard University” from its head “of”
    led|Dr. Talcott|.: the tree of the root “led” takes in all that is on the stack, but
        “Harvard University” still waits for its head “of”
a b>0 after a|b
    RIGHTARC: “b” is the root of the sentence and has no head
a b>1 c>1 d>1 e>1 f after f|a
    RIGHTARC: “a” still waits for its dependents “b”, “c”, “d” and 1 more
no>2 way no>4 way after nothing
    no|way: another “way” has an equal tree, which is begun first
no>2 way no>4 way after no|way
    LEFTARC: the head of “no” is another “way”, not “way”
    RIGHTARC: “way” still waits for its dependent “no”
    way: another “way” would cut off “way” from its dependent “no”
[Pierre Vinken] joined . | 1<2<3 after nothing
    joined: “Pierre Vinken” must come before “joined”
    .: “joined” must come before “.”
the>2 dog the>4 cat | 1<3 after nothing
    the: “the” under “dog” must come before “the” under “cat”
the the old>2 | 1<2 after nothing
    the: another “the” must come before this “the”
"""
"""A bag, the words that were shifted, and what is forbidden then; the first is section 3.2.2's."""


@pytest.mark.parametrize("case", re.split(r"\n(?=\S)", BY_HAND.strip()))
def test_by_hand(case: str) -> None:
    first, *rest = case.replace("\n        ", " ").split("\n    ")
    line, _, shifted = first.partition(" after ")
    line = {"FIGURE_4": FIGURE_4, "ROOTED": ROOTED}.get(line, line)
    reasons: dict[str, str] = {}
    for one in rest:
        actions, _, reason = one.partition(": ")
        reasons |= dict.fromkeys(actions.split("|"), reason)
    assert told(line, *([] if shifted == "nothing" else shifted.split("|"))) == reasons


WORDS = "abcdef"
Arcs = frozenset[tuple[int, int]]
Orders = frozenset[tuple[int, ...]]


def forests(n: int) -> Iterator[tuple[int | None, ...]]:
    """Heads of n words, each head before its dependents; with and without a given root."""
    for heads in product([None, *range(n)], repeat=n):
        if all(head is None or head < i for i, head in enumerate(heads)):
            yield heads
            tops = [i for i, head in enumerate(heads) if head is None]
            yield from ((*heads[:i], -1, *heads[i + 1 :]) for i in tops)


class Truth:
    """A bag of different words, and what can come of its states: REDUCABLE, and any SHIFT.

    Words are named by their index in the bag.
    """

    def __init__(self, heads: Sequence[int | None], before: Sequence[tuple[int, int]] = ()) -> None:
        self.heads, self.before = heads, before
        bag = wl.WordBag(list(WORDS[: len(heads)]), None, heads, before)
        self.problem = OrderingProblem.of(bag, lambda unit: ("X",))
        self.known: dict[tuple, tuple[Arcs, Orders]] = {}

    def word(self, item: int) -> int:
        return WORDS.index(self.problem.items[item].word)

    def missing(self, node: Node) -> set[int]:
        own = {i for i, head in enumerate(self.heads) if head == self.word(node.item)}
        return own - {self.word(child.item) for child in (*node.left, *node.right)}

    def ways(self, state: State) -> Iterator[State]:
        for action in range(SHIFT + len(self.problem.items)):
            if action >= SHIFT:
                possible = state.bag[self.problem.items[action - SHIFT].type] > 0
            elif possible := len(state.stack) > 1:
                dependent, head = arc(state, action)
                given = self.heads[self.word(dependent.item)]
                fits = given in (None, self.word(head.item))
                possible = fits and not self.missing(dependent)
            if possible:
                yield apply_action(state, action, self.problem)

    def futures(self, state: State) -> tuple[Arcs, Orders]:
        """All arcs (head, dependent) that can ever be, and the orders in which all ends well."""
        key = state.stack, state.order
        if key not in self.known:
            words = [self.word(item) for item in state.order]
            arcs = frozenset((words[head], words[dependent]) for head, dependent in state.arcs)
            orders: Orders = frozenset()
            if len(state.stack) == 1 and not any(state.bag):
                heads = {word: head for head, word in arcs}
                built = [heads.get(word, -1) for word in range(len(self.heads))]
                if all(own in (None, head) for own, head in zip(self.heads, built)):
                    orders = frozenset([tuple(words)])
            for after in self.ways(state):
                more = self.futures(after)
                arcs, orders = arcs | more[0], orders | more[1]
            self.known[key] = arcs, orders
        return self.known[key]

    def keeping(self, state: State) -> list[tuple[int, ...]]:
        """The orders that can come and keep what is given."""
        _, orders = self.futures(state)
        return [o for o in orders if all(o.index(i) < o.index(j) for i, j in self.before)]

    def states(self) -> Iterator[State]:
        todo, seen = [initial_state(self.problem)], set()
        while todo:
            state = todo.pop()
            if (state.stack, state.order) not in seen:
                seen.add((state.stack, state.order))
                yield state
                possible = possible_actions(state, self.problem)
                todo += [apply_action(state, action, self.problem) for action in possible]

    def check(self, state: State, action: int, reason: str) -> str:
        """Hold a reason against all ways on; returns which kind of reason it is."""
        after = apply_action(state, action, self.problem)
        arcs, orders = self.futures(after)
        assert not self.keeping(after), "it is forbidden rightly"
        on_stack = {self.word(node.item): node for node in state.stack}
        in_bag = set(range(len(self.heads))) - {self.word(item) for item in state.order}
        kind = re.sub("(“.”(, | and )?)+", "_", reason).replace("_not", "_ not")
        one, *others = [WORDS.index(word) for word in re.findall("“(.)”", reason)]
        if action < SHIFT:
            dependent, head = arc(state, action)
            if "is the root" in reason:
                assert one == self.word(dependent.item) and self.heads[one] == -1
            elif "the head of" in reason:
                assert one == self.word(dependent.item) and others[1] == self.word(head.item)
                assert self.heads[one] == others[0] != others[1]
            elif "waits" in reason:
                assert one == self.word(dependent.item) and set(others) == self.missing(dependent)
        else:
            shifted = self.word(self.problem.items[action - SHIFT].type)
            if "root" in reason:
                assert self.heads[one] == -1 and one in in_bag
                assert one in (shifted, *self.above(shifted))
                assert not any(one in self.above(word) for word in on_stack)
                self.check_waiting(on_stack[others[0]], set(others[1:]), reason, frozenset())
                assert not orders
            elif "cut off" in reason:
                assert one == shifted
                self.check_waiting(on_stack[others[0]], set(others[1:]), reason, arcs)
            elif "must come before" in reason:
                assert one in in_bag and others == [shifted]
                for order in self.keeping(initial_state(self.problem)):
                    assert order.index(one) < order.index(shifted)
        if "could no longer" in reason:
            assert not any(order.index(one) < order.index(others[0]) for order in orders)
        return kind

    def above(self, word: int) -> list[int]:
        found, head = [], self.heads[word]
        while head is not None and head >= 0:
            found.append(head)
            head = self.heads[head]
        return found

    def check_waiting(self, node: Node, awaited: set[int], reason: str, arcs: Arcs) -> None:
        """A word waits for just these; none of these arcs can come any more."""
        word = self.word(node.item)
        if "its head" in reason:
            assert not self.missing(node) and awaited == {self.heads[word]}
            assert not {(head, word) for head in awaited} & arcs
        else:
            assert awaited == self.missing(node)
            assert not {(word, dependent) for dependent in awaited} & arcs


def arc(state: State, action: int) -> tuple[Node, Node]:
    j, i = state.stack[-2:]
    return (j, i) if action == LEFTARC else (i, j)


REASONS = {
    "the head of _ is _ not _",
    "_ is the root of the sentence and has no head",
    "_ still waits for its dependent _",
    "_ still waits for its dependents _",
    "_ would cut off _ from its head _",
    "_ would cut off _ from its dependent _",
    "_ would cut off _ from its dependents _",
    *(
        f"the tree of the root _ takes in all that is on the stack, but _ still waits for its {one}"
        for one in ("head _", "dependent _", "dependents _")
    ),
}


def kinds_of(truth: Truth) -> set[str]:
    found = set()
    for state in truth.states():
        left = sum(count > 0 for count in state.bag) + 2 * (len(state.stack) > 1)
        possible = possible_actions(state, truth.problem)
        reasons = forbidding(state, truth.problem)
        assert reasons == forbidding(state, truth.problem, possible)
        actions = [action for action, _ in reasons]
        assert actions == sorted(actions) and len(possible) + len(actions) == left
        assert not set(actions) & set(possible)
        found |= {truth.check(state, action, reason) for action, reason in reasons}
    return found


@pytest.mark.slow
def test_every_reason_is_true() -> None:
    """All forests of up to four words, with each choice of root."""
    found = {kind for n in range(1, 5) for heads in forests(n) for kind in kinds_of(Truth(heads))}
    assert found == REASONS


@pytest.mark.slow
def test_every_reason_is_true_with_orders() -> None:
    """Random forests of up to five words with one to three orders."""
    chance = random.Random(6)
    found: set[str] = set()
    for _ in range(80):
        n = chance.randint(2, 5)
        heads = chance.choice(list(forests(n)))
        along = chance.sample(range(n), n)
        pairs = [sorted(chance.sample(range(n), 2)) for _ in range(chance.randint(1, 3))]
        try:
            truth = Truth(heads, [(along[i], along[j]) for i, j in pairs])
            check_interleaving(truth.problem)
        except ValueError:  # heads and orders contradict each other
            continue
        found |= kinds_of(truth)
    assert found >= {"_ must come before _", "_ could no longer come before _"}


def test_orders_that_only_together_are_too_many() -> None:
    """Trees a -> b and c -> d: after a, only b < c could be kept, or only d < b."""
    truth = Truth((None, 0, None, 2), [(1, 2), (3, 1)])
    assert "no way would be left to keep _ before _ before _" in kinds_of(truth)
    assert told("a b>1 c d>3 | 2<3 4<2")["a"] == (
        "no way would be left to keep “d” before “b” and “b” before “c”"
    )


@pytest.mark.parametrize(("pos", "deps"), [(1, 1), (0.5, 0.5)])
def test_engines_tell_the_same(pos: float, deps: float) -> None:
    """In training, and for a bag with interleaving orders."""
    sentences = random_sentences(7, 8, longest=6)
    logs = {engine: wl.EventLog() for engine in ("reference", "fast")}
    interleaving = parse_bag("boats near>1 the pier>3 slept | 2<4 4<5")
    for engine, log in logs.items():
        how: dict[str, Any] = {"beam": 3, "epochs": 2, "progress": False, "engine": engine}
        model = wl.train("liu-2015", sentences, pos=pos, deps=deps, trace=log, **how)
        model.order(interleaving, beam=3, engine=engine, trace=log)
    assert logs["reference"] == logs["fast"]
    reasons = [event[3] for event in logs["fast"] if event[0] == "forbidden"]
    assert "“near” must come before “pier”" in reasons
    assert any("would cut off" in reason for reason in reasons)


def test_it_comes_after_the_candidates_of_each_state() -> None:
    """And only where heads or orders are given."""
    model = wl.train("liu-2015", random_sentences(7, 8), engine="reference", progress=False)
    for line in (FIGURE_4, "a b c | 1<2", "a/NP b/VBD>0", "a b/VBD c"):
        log = wl.EventLog()
        model.order(parse_bag(line), beam=3, engine="reference", trace=log)
        parents: list[tuple[str, int]] = []
        for event in log:
            if event[0] in ("candidate", "forbidden"):
                parents.append((event[0], event[2] if event[0] == "candidate" else event[1]))
        runs = [one for one, _ in groupby(parents)]
        assert len(runs) == len(set(runs)), "each state's candidates, then what is forbidden there"
        for (kind, parent), (_, then) in pairwise(runs[::-1]):
            assert kind == "candidate" or then == parent
        assert any(kind == "forbidden" for kind, _ in runs) == (line != "a b/VBD c")
