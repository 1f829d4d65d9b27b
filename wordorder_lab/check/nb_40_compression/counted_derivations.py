"""Exercise 40.1: how many derivations does a tree have? Counted by hand, judged by counting."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from nltk.tree import Tree

from wordorder_lab.check.common.exercise import Exercise, Wrong, is_number
from wordorder_lab.check.common.small_transducer import derivations, problem_of

STORM = Tree.fromstring(
    "(S (NP (DT the) (JJ old) (NN storm)) (VP (VBD closed) (NP (DT the) (NN harbor))) (. .))"
)
"""The tree that is asked about."""

ONE_MORE = "<S, S> -> <[S NP_1 [VP VBD_2 NP_eps] ._3], [S NP_1 [VP VBD_2] ._3]>"
"""A rule that is added to the copy and deletion rules."""

ASKED = (
    "derivations with copy and deletion rules alone",
    "derivations with the rule as well",
    "different target trees with the rule as well",
)
"""What each of the three numbers is."""


def counts() -> list[int]:
    """The three numbers, by writing every derivation down."""
    numbers = []
    for rules in ([], [ONE_MORE]):
        problem = problem_of(STORM, rules)
        all_of_them = list(derivations(problem))
        numbers.append(len(all_of_them))
    trees = {str(problem.target_tree(derivation)) for derivation in all_of_them}
    return [*numbers, len(trees)]


def _judge(answer: Any) -> str:
    if isinstance(answer, str) or not isinstance(answer, Sequence) or len(answer) != len(ASKED):
        raise Wrong("A list of three numbers is wanted.")
    for yours, right, what in zip(answer, counts(), ASKED, strict=True):
        if not is_number(yours, whole=True):
            raise Wrong(f"{what}: a whole number is wanted, not {yours!r}.")
        if yours != right:
            raise Wrong(f"{what}: there are {'more' if yours < right else 'fewer'} than {yours}.")
    return (
        "Ways multiply over the variables of a rule, and add up over rules. The last two numbers "
        "differ: several derivations give one tree. The paper calls it spurious ambiguity."
    )


def _solve() -> str:
    return (
        f"{counts()}. The old storm, as an NP: 3 (the noun; the determiner, too; all). The harbor: "
        "2. The verb phrase: 1 for the verb alone, 2 with its object, so 3. The sentence: 3 for "
        "the verb phrase alone, 3 x 3 with the subject, 3 x 3 with the full stop: 21. The rule "
        "more makes 3 (the subjects), and no tree that was not there before."
    )


EXERCISES = (
    Exercise(
        "40.1",
        "How many derivations does this tree have?",
        (
            "Begin at the bottom: in how many ways does *the old storm* become an NP? (Only NP "
            "counts: a copy or deletion rule above wants an NP there.)",
            "Children are kept in the order of their importance: in S first VP, then NP, then the "
            "full stop. A rule with two variables has ways of the one times ways of the other.",
            "The rule more: what does it do that two rules of section 4 could not do together?",
        ),
        _judge,
        _solve,
    ),
)
