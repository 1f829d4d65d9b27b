"""What a state knows about words that are still in the bag: look-ahead slots.

Puduppully, Zhang & Shrivastava 2016, "Transition-Based Syntactic Linearization with Lookahead
Features": whether the children, siblings or parent of a word are still to come, where input
constraints tell it.

Differences. That paper is not among those at hand; from it we took the idea, not the list. There
the features belong to the word that is about to be shifted; here to the top of the stack, so they
speak one step later, when the shifted word is the top. Sets of words are replaced by their first
and last member, by tag. How many words are left in the bag is our addition: it is known even where
nothing is given.
"""

from __future__ import annotations

from wordorder_lab.features.extract import Context
from wordorder_lab.structures.problem import OrderingProblem
from wordorder_lab.structures.sentence import ROOT
from wordorder_lab.structures.state import Node, State

IS_ROOT, IN_BAG, ON_STACK = range(3)
"""Where the given head of the top is."""


def left_bin(words: int) -> int:
    """0 to 2 as they are, 3 to 5 as 3, 6 to 10 as 4, more as 5."""
    return words if words <= 2 else 3 if words <= 5 else 4 if words <= 10 else 5


def ahead_context(state: State, problem: OrderingProblem) -> Context:
    """The content of the look-ahead slots: (word, tag), a count, or ``None``.

    The tag of a word whose tag is not given is ``None``.
    """
    s0 = state.stack[-1] if state.stack else None
    empty: Context = dict.fromkeys(_SLOTS)
    return {
        **empty,
        **(_top_slots(s0, state, problem) if s0 else {}),
        "b": left_bin(problem.size - len(state.order)),
    }


def _top_slots(node: Node, state: State, problem: OrderingProblem) -> dict:
    given, kind = problem.given, problem.type_of(node)
    head = given.heads[kind]
    slots = _ends("c", kind, None, state, problem)
    if head == ROOT:
        return {**slots, "S0hs": IS_ROOT}
    if head is None:
        return slots
    place = IN_BAG if state.bag[head] else ON_STACK
    siblings = _ends("s", head, kind, state, problem)
    return {**slots, **siblings, "S0,h": problem.ahead[head], "S0hs": place}


def _ends(
    name: str, head: int, without: int | None, state: State, problem: OrderingProblem
) -> dict:
    """The first and the last of a type's given dependents that are still in the bag."""
    given = problem.given
    types = [t for t in given.family(head) if given.heads[t] == head and state.bag[t]]
    types = [t for t in types if t != without]
    first = problem.ahead[types[0]] if types else None
    last = problem.ahead[types[-1]] if len(types) > 1 else None
    return {f"S0,{name}": first, f"S0,{name}2": last}


_SLOTS = ("S0,h", "S0,c", "S0,c2", "S0,s", "S0,s2", "S0hs", "b")
