r"""What DPCHARTPRUNE loses: the smallest cases in which the best derivation is pruned away.

Zhang & Clark 2011, section 3.1: "a lower scoring edge with the same signature as a higher scoring
edge cannot be part of the highest scoring derivation". What an edge around another one sees of it
is its category, its head, its words at both ends, and one thing that is in no signature: its
lexical categories there, in the trigrams. With one word every edge is a goal, and nothing is
pruned. With two words there are no trigrams; so nothing is lost in a plain model, unless a row of
unary steps may go in a circle, or the first edge stays whatever its score (2011, Figure 1). In a
scaled model two edges with one signature may have different numbers of actions: that is enough.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import pytest
from ccg_oracles import (
    TRIGRAMS,
    Chosen,
    Row,
    Truth,
    Weights,
    in_order,
    problem_of,
    random_grammar,
    random_lexicon,
    score_of,
    searched,
)

import wordorder_lab as wl
from wordorder_lab.structures.derivation import Derivation
from wordorder_lab.structures.problem import OrderingProblem

SIGNATURES = ("none", "2015", "2011")


def best(problem: OrderingProblem, rows: Sequence[Row], weights: Weights, **how: Any) -> Any:
    """The best score of all goals that are found until the agenda is empty, if there is any."""
    found = searched(problem, rows, weights, **how)
    assert found.stopped == "agenda empty"
    return found.orderings[0].score if found.counters["goals"] else None


def signature_2011(derivation: Derivation) -> tuple:
    head = derivation.leaves()[derivation.heads().index(-1)]
    return derivation.category, derivation.words(), head.word, head.pos


def claim_is_broken(
    problem: OrderingProblem, rows: Sequence[Row], weights: Weights, scaled: bool = False
) -> bool:
    """Whether a part of a best goal scores lower than another edge with its signature."""
    truth = Truth(problem, rows)
    scores = {derivation: score_of(weights, derivation, scaled) for _, derivation in truth.edges}
    highest: dict[tuple, float] = {}
    for items, derivation in truth.edges:
        if not truth.covers(items):
            known = highest.get(signature_2011(derivation), -float("inf"))
            highest[signature_2011(derivation)] = max(known, scores[derivation])
    top = max((scores[goal] for _, goal in truth.goals), default=0.0)
    parts = [node for _, g in truth.goals if scores[g] == top for node in g.nodes() if node != g]
    return any(scores[part] < highest[signature_2011(part)] for part in parts)


BRIDGE = problem_of(
    wl.WordBag(["the", "stone", "bridge"], ["DT", "NN", "NN"]),
    {"the": ["NP/N"], "stone": ["N", "N/N"], "bridge": ["N"]},
)
NOUNS: list[Row] = in_order(
    [("N", ("N/N", "N"), 1), ("N", ("N", "N"), 1), ("NP", ("NP/N", "N"), 0)]
)
STONE = Chosen(
    {
        ("category + head word", "N", "stone"): 1.0,
        ("resulting word + POS bigrams", "stone", "NN"): 1.0,
        (TRIGRAMS, "NP/N", "N/N", "N"): 5.0,
    }
)


@pytest.mark.parametrize("scaled", [False, True])
def test_the_stone_bridge(scaled: bool) -> None:
    """As a noun "stone" has one more; but with "the" its other category is seen, and that has 5.

    "stone bridge" is an N both ways, with the head "bridge": one signature, 2015 and 2011. No unary
    rule is needed, and |e| is 5 both ways.
    """
    actions = 5 if scaled else 1
    assert best(BRIDGE, NOUNS, STONE, scaled=scaled) == 6 / actions
    for signature in ("2015", "2011"):
        assert best(BRIDGE, NOUNS, STONE, scaled=scaled, signature=signature) == 2 / actions
    assert claim_is_broken(BRIDGE, NOUNS, STONE, scaled)


DOGS = problem_of(wl.WordBag(["dogs", "bark"]), {"dogs": ["N", "NP"], "bark": [r"S\NP"]})
BARK: list[Row] = in_order([("NP", ("N",), 0), ("S", ("NP", r"S\NP"), 1)])


def test_the_first_stays_whatever_its_score() -> None:
    """2011's figure: the NP of the lexicon is popped first, with 1; the other one has 0 + 4."""
    weights = Chosen({("category + head word", "NP", "dogs"): 1.0, ("unary rule", "N => NP"): 3.0})
    found = {signature: best(DOGS, BARK, weights, signature=signature) for signature in SIGNATURES}
    assert found == {"none": 4.0, "2015": 4.0, "2011": 1.0}
    assert not claim_is_broken(DOGS, BARK, weights)  # what its text says would have kept the best


def test_edges_of_different_sizes() -> None:
    """Scaled: an NP of one action with 1, or of two with 1.8, which is 0.9 each.

    The goal has -3 more: -2 for 3 actions, or -1.2 for 4, which is better.
    """
    weights = Chosen(
        {
            ("category + size", "NP", 1): 1.0,
            ("unary rule", "N => NP"): 0.75,
            ("the binary rule", r"NP (S\NP) => S"): -3.0,
        }
    )
    assert best(DOGS, BARK, weights, scaled=True) == -1.25 / 4
    assert best(DOGS, BARK, weights, scaled=True, signature="2015") == -2 / 3
    assert claim_is_broken(DOGS, BARK, weights, scaled=True)
    assert not claim_is_broken(DOGS, BARK, weights)


def test_a_circle_of_unary_rules() -> None:
    """N => NP => N is no step of ours. The NP made of N wins over the lexicon's, of which alone an
    N could have been made; that N would have scored highest."""
    rows = in_order([*BARK[:1], ("N", ("NP",), 0), ("S", ("N", r"S\NP"), 1)])
    weights = Chosen({("unary rule", "N => NP"): 1.0, ("unary rule", "NP => N"): 1.0})
    assert best(DOGS, rows, weights) == 1.0
    assert best(DOGS, rows, weights, signature="2015") == 0.0


def lost(words: int, weights: type[Weights] = Weights, **how: Any) -> int:
    """In how many random bags the signature of 2015 loses the best goal, or the claim is wrong.

    The claim is asked about where tags are given: the signature of 2011 looks at the head's alone.
    """
    chance, count, tried = random.Random(words), 0, 0
    while tried < 60:
        rows = random_grammar(chance, 0.3, circles=False)
        bag = wl.WordBag(chance.choices(["a", "b", "the c", "d"], k=words))
        tags = chance.choice(["T", "TU"])
        problem = problem_of(bag, random_lexicon(chance, 3), tags)
        if not Truth(problem, rows, 250).goals:
            continue
        weight = weights(tried)
        tried += 1
        known = best(problem, rows, weight, **how)
        pruned = best(problem, rows, weight, signature="2015", **how)
        plain = not how and tags == "T"
        count += pruned != known or (plain and claim_is_broken(problem, rows, weight))
    return count


class NoTrigrams(Weights):
    """Nothing looks at lexical categories."""

    def __call__(self, feature: tuple) -> float:
        return 0.0 if feature[0] == TRIGRAMS else super().__call__(feature)


@pytest.mark.slow
def test_no_smaller_case() -> None:
    assert lost(1) == lost(2) == 0 < lost(3)
    assert lost(2, scaled=True)


@pytest.mark.slow
def test_it_is_the_trigrams_of_lexical_categories() -> None:
    assert lost(3, NoTrigrams) == 0
