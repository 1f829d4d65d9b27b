"""Exercise 40.2: which constituents belong together, equation 2 written by the student.

The student's test is asked about all pairs of nodes of a few small pairs of trees, then plugged
into Algorithm 3.
"""

from __future__ import annotations

from collections.abc import Callable, Set
from typing import Any

from nltk.tree import Tree

from wordorder_lab.check.common.exercise import Exercise, Wrong, function_of
from wordorder_lab.check.common.small_transducer import FIGURE_1
from wordorder_lab.structures.compression import CompressionPair
from wordorder_lab.structures.phrase_tree import PhraseNodes, phrase_nodes
from wordorder_lab.transduction.extraction import (
    ConstituentAlignment,
    Extraction,
    constituent_alignment,
)

Test = Callable[[Set[int], Set[int], Set[tuple[int, int]]], Any]
"""(places below the source node, places below the target node, alignment) -> do they belong?"""


def _pair(source: str, target: str, alignment: str) -> CompressionPair:
    pairs = (link.split("-") for link in alignment.split())
    words = tuple((int(s), int(t)) for s, t in pairs)
    return CompressionPair(Tree.fromstring(source), (Tree.fromstring(target),), words)


PAIRS = (
    FIGURE_1,
    _pair(
        "(S (NP (DT the) (NN harbor)) (VP (VBD was) (VP (VBN closed) (PP (IN by) (NP (NNS storms"
        "))))) (. .))",
        "(S (NP (NNS storms)) (VP (VBD closed) (NP (DT the) (NN harbor))) (. .))",
        "0-2 1-3 3-1 5-0 6-4",
    ),
    _pair(
        "(S (NP (NN rain) (NNS storms)) (VP (MD cannot) (ADVP (RB now)) (VP (VB help))))",
        "(S (NP (DT the) (NNS rainstorms)) (VP (MD can) (RB not) (VP (VB help))))",
        "0-1 1-1 2-2 2-3 4-4",
    ),
)
"""A deletion; a passive that becomes active; words that are two on one side and one on the other,
and words that are aligned to nothing, on both sides."""


def _below(nodes: PhraseNodes, node: int) -> frozenset[int]:
    return frozenset(range(nodes.begins[node], nodes.ends[node]))


def _told(nodes: PhraseNodes, node: int) -> str:
    words = " ".join(nodes.leaves[nodes.begins[node] : nodes.ends[node]])
    return f"{nodes.labels[node]} {words!r}"


def aligned_by(test: Test, pair: CompressionPair) -> list[tuple[int, ...]]:
    """The target nodes that this test gives each source node, the highest first."""
    source, target = phrase_nodes(pair.source), phrase_nodes(pair.target)
    words = frozenset(pair.alignment)
    there = range(len(target))[::-1]
    return [
        tuple(t for t in there if test(_below(source, v), _below(target, t), words))
        for v in range(len(source))
    ]


def minimal_rules(test: Test, pair: CompressionPair) -> list[str]:
    """Algorithm 3 with the constituents that this test aligns."""
    source, target = phrase_nodes(pair.source), phrase_nodes(pair.target)
    null = constituent_alignment(source, target, pair.alignment).null
    aligned = ConstituentAlignment(tuple(aligned_by(test, pair)), null)
    return [rule.text for rule in Extraction(source, target, aligned).rules()]


def belong(source: Set[int], target: Set[int], pairs: Set[tuple[int, int]]) -> bool:
    """Equation 2: a word in one is aligned to a word in the other, and none to one outside."""
    inside = [(s in source, t in target) for s, t in pairs]
    return (True, True) in inside and all(in_source == in_target for in_source, in_target in inside)


def _judge(answer: Any) -> str:
    own = function_of(answer, "belong")

    def asked(*given: Any) -> bool:
        value = own(*given)
        if value not in (True, False):
            raise Wrong(f"True or False is wanted, not {value!r}.")
        return bool(value)

    for pair in PAIRS:
        source, target = phrase_nodes(pair.source), phrase_nodes(pair.target)
        right = constituent_alignment(source, target, pair.alignment).targets
        for v, yours in enumerate(aligned_by(asked, pair)):
            for t in range(len(target)):
                if (t in yours) != (t in right[v]):
                    raise Wrong(_different(pair, v, t, t in right[v]))
    count = len(minimal_rules(asked, FIGURE_1))
    return f"Right for every pair of nodes. Plugged into Algorithm 3, it finds {count} rules."


def _different(pair: CompressionPair, v: int, t: int, right: bool) -> str:
    source, target = phrase_nodes(pair.source), phrase_nodes(pair.target)
    both = f"{_told(source, v)} and {_told(target, t)}"
    words = [f"{source.leaves[s]}-{target.leaves[w]}" for s, w in pair.alignment]
    return (
        f"{both} {'belong' if right else 'do not belong'} together, and you say otherwise. "
        f"Aligned words of this pair: {' '.join(words)}."
    )


def _solve() -> str:
    assert all(minimal_rules(belong, pair) for pair in PAIRS)
    return (
        "def belong(source, target, pairs):\n"
        "    inside = [(s in source, t in target) for s, t in pairs]\n"
        "    return (True, True) in inside and all(one == other for one, other in inside)\n"
        "An aligned pair of words may lie inside both, or outside both."
    )


EXERCISES = (
    Exercise(
        "40.2",
        "Write equation 2: do these two constituents belong together?",
        (
            "Go through the aligned pairs of words. Each may lie inside both constituents, inside "
            "one of them, or inside neither. Which of these is forbidden?",
            "The printed equation lost a *there is no* before its second line: there is no pair "
            "with its source word inside and its target word outside, or the other way round.",
            "And one pair at least must lie inside both, or any two deleted phrases would belong "
            "together.",
        ),
        _judge,
        _solve,
    ),
)
