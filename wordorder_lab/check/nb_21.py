"""Notebook 21, input constraints: its exercises, and what given heads and orders forbid, in tables.

Liu et al. 2015, section 3.2. A student's test is asked in every state that can be reached with any
forest over a few words, and held against what is true: whether all that is given can still be had.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from itertools import product
from math import factorial, prod
from typing import TYPE_CHECKING, NamedTuple

from wordorder_lab.check.exercise import Function, Wrong
from wordorder_lab.check.judges import WHOLE, Case, Truth, exercise
from wordorder_lab.check.moments import first_difference
from wordorder_lab.check.nb_20 import (
    BEAM,
    action_called,
    bare_name,
    names_of,
    seen,
    state_after,
    taught,
)
from wordorder_lab.check.small_world import SENTENCES, Possible, every_state, problem_of
from wordorder_lab.models.tag_dictionary import TagDictionary
from wordorder_lab.plots.tables import table
from wordorder_lab.structures.bag import bag_of
from wordorder_lab.structures.problem import OrderingProblem
from wordorder_lab.structures.sentence import ROOT
from wordorder_lab.structures.typed_bag import parse_bag
from wordorder_lab.trace.log import EventLog
from wordorder_lab.transition import actions as transition
from wordorder_lab.transition.actions import action_name, apply_action, possible_actions
from wordorder_lab.transition.beam import BeamSearch
from wordorder_lab.transition.forbidden_actions import forbidding
from wordorder_lab.transition.full_tree_actions import full_tree_actions
from wordorder_lab.transition.state import LEFTARC, RIGHTARC, SHIFT, Node, State

if TYPE_CHECKING:
    from pandas.io.formats.style import Styler

Heads = tuple[int | None, ...]


def typed_problem(line: str) -> OrderingProblem:
    """A bag as one types it, made ready; a unit without a tag gets the tag X."""
    return OrderingProblem.of(parse_bag(line), lambda _unit: ("X",))


def _after(line: str, names: Sequence[str]) -> tuple[State, OrderingProblem]:
    """A bag after some actions, each a word to shift, LEFTARC or RIGHTARC."""
    problem = typed_problem(line)
    arcs = ("LEFTARC", "RIGHTARC")
    return state_after([n if n in arcs else f"SHIFT-{n}" for n in names], problem), problem


def look(line: str, *names: str) -> Styler:
    """A table of every action after some others (each a word to shift, LEFTARC or RIGHTARC)."""
    state, problem = _after(line, names)
    rows = dict.fromkeys(possible_actions(state, problem), "") | dict(forbidding(state, problem))
    return table(
        {"action": action_name(action, problem), "possible": "✕" if why else "✓", "why not": why}
        for action, why in sorted(rows.items())
    )


def stack_of(line: str, *names: str) -> Styler:
    """A table of the stack after some actions, the top first, and of what each word waits for."""
    state, problem = _after(line, names)
    given, anchor, rows = problem.given.heads, transition.find_anchor(state, problem), []
    forms = {item.type: item.form for item in problem.items} | {-1: "none: the root", None: ""}
    for node in reversed(state.stack):
        head, complete = given[problem.type_of(node)], transition.is_complete(node, problem)
        loose = "loose" if complete and head is None else ""
        so, yes = "the anchor" if node is anchor else loose, "yes" if complete else "no"
        rows.append((problem.items[node.item].form, yes, forms[head], so))
    columns = ("on the stack", "complete", "given head", "so it is")
    return table(dict(zip(columns, row, strict=True)) for row in rows)


def wrong(shift_legal: Function, most: int = 6) -> Styler:
    """A table of the first states in which a SHIFTLEGAL is wrong; prints how many there are."""
    wrong_in = list(differences(shift_legal))
    print(f"wrong in {len(wrong_in)} cases, of these dead ends: {sum(d.yours for d in wrong_in)}")
    rows = []
    for view, action, yours, why in wrong_in[:most]:
        given = ", ".join(f"{head} → {word}" for word, head in view.given.items())
        says, but = ("yes", "dead end") if yours else ("no", "this ends well")
        rows.append((given, " ".join(view.stack), action, says, f"{but}: {why}"))
    names = ("given", "stack", "action", "it says", "but")
    return table(dict(zip(names, row, strict=True)) for row in rows)


def first_actions(line: str, dictionary: TagDictionary) -> list[str]:
    """The names of the actions that are possible at the beginning, for a bag as one types it."""
    problem = OrderingProblem.of(parse_bag(line), dictionary.lookup)
    possible = possible_actions(transition.initial_state(problem), problem)
    return [action_name(action, problem) for action in possible]


def without_shiftlegal(state: State, problem: OrderingProblem) -> list[int]:
    """Algorithm 2 where only arcs are tested, and any word of the bag may be shifted."""
    shifts = [SHIFT + i for i, item in enumerate(problem.items) if state.bag[item.type]]
    if len(state.stack) < 2:
        return shifts
    j, i = state.stack[-2:]
    left_arc = [LEFTARC] * transition.reducable(j, i, problem)
    return left_arc + [RIGHTARC] * transition.reducable(i, j, problem) + shifts


ALGORITHMS: dict[str, Possible] = {
    "Algorithm 2": possible_actions,
    "without SHIFTLEGAL": without_shiftlegal,
    "Algorithm 3": full_tree_actions,
}


def stuck(line: str, possible: Possible, walks: int = 1000) -> float:
    """The share of random walks by ``possible`` actions that end with more than one word."""
    problem, rng, ends = typed_problem(line), random.Random(21), 0
    for _ in range(walks):
        state = transition.initial_state(problem)
        while actions := possible(state, problem):
            state = apply_action(state, rng.choice(actions), problem)
        ends += len(state.stack) > 1
    return ends / walks


def reached(line: str, possible: Possible) -> tuple[int, int]:
    """The number of orders that can be reached, and by how many derivations."""
    orders = [state.order for state in _whole_sentences(typed_problem(line), possible)]
    return len(set(orders)), len(orders)


def _whole_sentences(problem: OrderingProblem, possible: Possible) -> Iterator[State]:
    for state in every_state(problem, possible):
        if len(state.stack) == 1 and not any(state.bag):
            yield state


# --- exercises ------------------------------------------------------------------------------------

PARK = "[an old man] saw [the dog] in>3 [the park]>4 ."


def _judge_here(answer: object) -> str:
    state, problem = _after(PARK, ("the park", "saw"))
    if isinstance(answer, str) or not isinstance(answer, set | list | tuple | frozenset):
        raise Wrong('A set of names is wanted, such as {"LEFTARC", "SHIFT-saw"}.')
    names = {*map(action_called, answer)}
    reasons = {bare_name(action, problem): why for action, why in forbidding(state, problem)}
    right = names_of(state, problem)
    for name in sorted(names - right, key=str):
        if name in reasons:
            raise Wrong(f"{name} is forbidden: {reasons[name]}.")
        raise Wrong(f"{name} is no action here. There are {', '.join(sorted(right | {*reasons}))}.")
    if missing := right - names:
        raise Wrong(f"{min(missing)} is possible, too.")
    return f"Forbidden are {'; '.join(f'{name} ({why})' for name, why in reasons.items())}."


@exercise("21.1", judge=_judge_here)
def possible_here() -> set[str]:
    """Which actions are possible with the park and saw on the stack?

    - Arcs first. Which word would be the dependent? Is its head given, and is it this one?
    - Who is loose? saw is: it has no given head and waits for nothing. So the anchor is the park,
      and it waits for its head.
    - in may come, for the park. the dog would cut off the park from in. What no given arc connects
      with the park may always come.

    *saw* is loose: nothing is given about it. So the anchor is *the park*, which waits for its head
    *in*. That one may come; *the dog*, above *in*, would cut it off. What no given arc connects
    with *the park* may come at any time. And of the arcs, only *saw* may become the dependent.
    """
    return {"RIGHTARC", "SHIFT-in", "SHIFT-an old man", "SHIFT-."}


def forests(n: int) -> list[Heads]:
    """The given heads of n words, a forest of each shape: heads come before their dependents."""
    shapes: dict[Shape, Heads] = {}
    for heads in product(*([None, *range(i)] for i in range(n))):
        shapes.setdefault(_shape(heads), heads)
    return list(shapes.values())


Shape = tuple["Shape", ...]


def _shape(heads: Heads, top: int | None = None) -> Shape:
    return tuple(sorted(_shape(heads, i) for i, head in enumerate(heads) if head == top))


def trees(n: int) -> Iterator[list[int]]:
    """A tree of each shape over n words; -1 is the head of the root, as in ``tree.heads``."""
    for heads in forests(n):
        if heads.count(None) == 1:
            yield [-1 if head is None else head for head in heads]


def orders(heads: Sequence[int]) -> int:
    """How many orders of different words a tree allows, counted one by one by Algorithm 3."""
    problem = problem_of([f"w{i}" for i in range(len(heads))], heads=heads)
    return sum(1 for _ in _whole_sentences(problem, full_tree_actions))


def _trees() -> Iterator[Case]:
    for n in range(1, 6):
        for heads in trees(n):
            about = f"The number of orders that the tree with the heads {heads} allows"
            yield Case(about, orders(heads), (heads,))


@exercise("21.2", _trees, WHOLE)
def orders_of(heads: list[int]) -> int:
    """How many orders does a whole tree allow?

    - Begin with one word and d dependents. They can be put side by side in how many ways?
    - Each dependent brings its own tree along, in one piece. So the numbers of all the words are
      multiplied.
    - heads.count(i) says how many dependents word i has; math has factorial and prod.

    A word and its d dependents, each with all that is below it, are d + 1 things to be put side by
    side: (d + 1)! ways. What is chosen at one word does not touch the others. In the paper's
    example: 4! · 2! · 2! = 96.

    Right: Counted for all {count} shapes of trees of up to five words.
    """
    return prod(factorial(heads.count(i) + 1) for i in range(len(heads)))


UNITS = 6


def _judge_contradiction(answer: object) -> str:
    if not isinstance(answer, str):
        raise Wrong('Hand in a typed bag, a string such as "a b>1 c | 2<3".')
    try:
        bag = parse_bag(answer)
    except ValueError as error:
        message = f"This is no bag: {error}. Heads alone, and orders alone, have to agree."
        raise Wrong(message) from None
    if not (bag.has_heads and bag.before):
        raise Wrong("Give heads (>) and, after a |, orders (<). Only together they contradict.")
    if len(bag) > UNITS:
        raise Wrong(f"You took {len(bag)} units; it can be done with fewer than {UNITS}.")
    try:
        problem = OrderingProblem.of(bag, lambda _unit: ("X",))
        transition.check_interleaving(problem)
    except ValueError as error:
        return f"The search will not even begin: {error}."
    *_, found = every_state(problem, lambda *state: possible_actions(*state)[:1])
    text = " ".join(problem.items[item].form for item in found.order)
    raise Wrong(f"There is no contradiction: '{text}' keeps all that is given.")


@exercise("21.3", judge=_judge_contradiction)
def contradiction() -> str:
    """Heads that are a forest, orders that go round in no circle, and together a contradiction.

    - The trees below two dependents of one head do not mix: the one stands before the other, as a
      whole.
    - So take two dependents of one head, and put something below one of them.
    - Then ask for the one dependent before the other, and for the other before what is below the
      first.

    *b* and *c* hang below *a*, *d* below *b*. The trees of *b* and *c* do not mix, so if *b* is
    before *c*, *d* is, too.
    """
    return "a b>1 c>1 d>2 | 2<3 3<4"


class View(NamedTuple):
    """A state in words, the top of the stack last: given heads, and what hangs below each word."""

    stack: list[str]
    bag: list[str]
    given: dict[str, str]
    attached: dict[str, set[str]]

    @classmethod
    def of(cls, state: State, problem: OrderingProblem) -> View:
        """The words of a problem must all be different, and none of them the given root."""
        forms = {item.type: item.form for item in problem.items}
        heads = enumerate(problem.given.heads)
        given = {forms[t]: forms[head] for t, head in heads if head not in (None, ROOT)}

        def form(node: Node) -> str:
            return forms[problem.type_of(node)]

        attached = {form(n): set(map(form, (*n.left, *n.right))) for n in state.stack}
        return cls(*seen(state, problem), given, attached)

    def __str__(self) -> str:
        arcs = ", ".join(f"{head} → {word}" for word, head in self.given.items())
        hangs = [f"{word} → {d}" for word, below in self.attached.items() for d in sorted(below)]
        text = f"Given {arcs or 'nothing'}; stack {self.stack}, bag {self.bag}"
        return f"{text}, attached {', '.join(hangs)}" if hangs else text


def states_of_forests(longest: int = 4) -> Iterator[tuple[State, OrderingProblem]]:
    """Every state that is no dead end, once, for each shape of given forest; small ones first."""
    for n in range(2, longest + 1):
        for heads in forests(n):
            problem = problem_of("abcdef"[:n], heads=heads)
            todo, known = [transition.initial_state(problem)], set()
            for state in todo:
                for action in possible_actions(state, problem):
                    after = apply_action(state, action, problem)
                    if (looks := str(View.of(after, problem))) not in known:
                        known.add(looks)
                        todo.append(after)
                yield state, problem


def _pairs() -> Iterator[Case]:
    for state, problem in states_of_forests():
        if len(state.stack) < 2:
            continue
        view, (j, i) = View.of(state, problem), state.stack[-2:]
        *_, below, top = view.stack
        reasons = dict(forbidding(state, problem))
        pairs = ((LEFTARC, j, i, below, top), (RIGHTARC, i, j, top, below))
        for action, dependent, head, word, over in pairs:
            right = transition.reducable(dependent, head, problem)
            why = f"For {reasons.get(action, 'nothing given speaks against it')}."
            about = f"{view}. May {word} be put below {over}"
            yield Case(about, right, (word, over, view.given, view.attached), [(not right, why)])


@exercise("21.4", _pairs, Truth("it may not", "it may"))
def my_reducable(
    dependent: str, head: str, given: dict[str, str], attached: dict[str, set[str]]
) -> bool:
    """Write REDUCABLE: may this word be attached to that head for good?

    - Two things may speak against it: another head is given; or something is missing.
    - given.get(dependent) is None where no head is given.
    - Its given dependents are the words w with given[w] == dependent. Which of them are not in
      attached[dependent]?

    No other head is given, and all given dependents have come. Whether *their* dependents have come
    need not be asked: they were attached by the same rule.

    Right: It is right about all {count:,} pairs, in all states of all forests of four words.
    """
    waiting = {word for word in given if given[word] == dependent} - attached[dependent]
    return given.get(dependent, head) == head and not waiting


class Difference(NamedTuple):
    """Where a legality test is wrong: it ends badly (``yours``), or forbids for nothing."""

    view: View
    action: str
    yours: bool
    why: str


def differences(shift_legal: Function, longest: int = 4) -> Iterator[Difference]:
    """Where this SHIFTLEGAL is wrong, over all forests of up to ``longest`` words."""
    for state, problem in states_of_forests(longest):
        if not state.stack:  # Algorithm 2 asks nothing while it is empty
            continue
        reasons, view = dict(forbidding(state, problem)), View.of(state, problem)
        for action, item in enumerate(problem.items, SHIFT):
            if state.bag[item.type]:
                yours = bool(shift_legal(item.form, *View.of(state, problem)))
                if yours == (action in reasons):
                    why = reasons.get(action) or _ending(state, action, problem)
                    yield Difference(view, f"SHIFT-{item.form}", yours, why)


def _ending(state: State, action: int, problem: OrderingProblem) -> str:
    """An action, and others that end well after it."""
    names, actions = [], [action]
    while actions:
        names.append(bare_name(actions[0], problem))
        state = apply_action(state, actions[0], problem)
        actions = possible_actions(state, problem)
    return " ".join(names)


def searches_with(shift_legal: Function) -> list[tuple[EventLog, EventLog]]:
    """The small world's bags with half of their heads: the engine's search, and with this test."""

    class Plugged(BeamSearch):
        def possible(self, state: State) -> list[int]:
            """Algorithm 2 with the student's function in line 10."""
            usual = possible_actions(state, self.problem)
            return [a for a in usual if a < SHIFT] + self.shifts(state) if state.stack else usual

        def shifts(self, state: State) -> list[int]:
            there = enumerate(self.problem.items, SHIFT)
            asked = [(action, item.form) for action, item in there if state.bag[item.type]]
            return [a for a, word in asked if shift_legal(word, *View.of(state, self.problem))]

    pairs = []
    for sentence in SENTENCES:
        bag = bag_of(sentence, deps=0.5)
        words = [bag.form(i) for i in range(len(bag))]
        problem = problem_of(words, [tag or "X" for tag in bag.pos or ()], list(bag.heads or ()))
        pairs.append((EventLog(), EventLog()))
        scores = taught()[0].search(problem).scores
        for decoder, log in zip((BeamSearch, Plugged), pairs[-1], strict=True):
            decoder(problem, scores, BEAM, trace=log).run()
    return pairs


def _judge_shift_legal(function: Function) -> str:
    for case in differences(function):
        if case.yours:
            raise Wrong(f"{case.view}. You allow {case.action}: a dead end, since {case.why}.")
        raise Wrong(f"{case.view}. You forbid {case.action}, yet this ends well: {case.why}")
    logs = searches_with(function)
    same = sum(usual == plugged for usual, plugged in logs)
    share = f"{same} of {len(SENTENCES)} bags, event by event, as with its own"
    if same < len(SENTENCES):
        moment = first_difference(logs, "SHIFTLEGAL", ("the engine's", "yours"), "beam")
        message = f"All is well with four words; but the reference engine orders only {share}."
        raise Wrong(message, moment)
    return f"No dead end, and nothing forbidden for nothing. The reference engine orders {share}."


@exercise("21.5", judge=_judge_shift_legal)
def my_shift_legal(
    word: str,
    stack: list[str],
    bag: list[str],
    given: dict[str, str],
    attached: dict[str, set[str]],
) -> bool:
    """Write your own legality test: may this word be shifted onto this stack?

    - Say True to everything, and look at the dead end that you are shown.
    - Find the anchor: the topmost word of the stack that has a given head or waits for a given
      dependent. Without an anchor all is well.
    - A word whose tree has not been begun may always come. Otherwise: if the anchor waits for
      dependents, only what is below it in the given tree may come.
    - If the anchor waits for its head, and that is in the bag, the head may come, or what is below
      the head. If the head lies on the stack already, nothing of a begun tree.

    By the anchor, as in section 4. `line` climbs from a word to the top of its given tree.
    """

    def line(one: str) -> list[str]:
        return [one, *line(given[one])] if one in given else [one]

    def complete(one: str) -> bool:
        return not {d for d in given if given[d] == one} - attached[one]

    anchors = [one for one in stack if one in given or not complete(one)]
    touched = {line(one)[-1] for one in {*given, *given.values()} - {*bag}}
    if not anchors or line(word)[-1] not in touched:
        return True
    anchor = anchors[-1]
    if complete(anchor):  # it waits for its head
        return given[anchor] in bag and given[anchor] in line(word)
    return anchor in line(word)
