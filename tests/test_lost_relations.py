"""Why relations of a reference are not in an output: by hand, and as they add up."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wordorder_lab.experiments.measures.lost_relations import (
    BOTH,
    DEPENDENT,
    ELSEWHERE,
    HEAD,
    compared,
    summed,
)
from wordorder_lab.metrics.relations import relation_f1, relations
from wordorder_lab.structures.plain_tree import Tree

REFERENCE = Tree.fromstring("(S (NP (DT the) (NN dog)) (VP (VBD stole) (NP (DT a) (NN ball))))")
"""Relations: root stole; stole dog, dog the, stole ball, ball a."""


def test_each_reason_by_hand() -> None:
    no_articles = Tree.fromstring("(S (NP (NN dog)) (VP (VBD stole) (NP (NN ball))))")
    one = compared(no_articles, REFERENCE, frozenset(["the", "dog", "stole"]))
    assert (one.shared, dict(one.lost), dict(one.extra)) == (3, {DEPENDENT: 2}, {})
    assert one.kept == {True: (3, 2), False: (2, 1)}

    nothing_stolen = Tree.fromstring("(NP (NP (DT the) (NN dog)) (NP (DT a) (NN ball)))")
    lost = compared(nothing_stolen, REFERENCE).lost
    assert lost == {HEAD: 2, DEPENDENT: 1}  # dog and ball hung on stole, which was the root

    only_articles = Tree.fromstring("(NP (DT the) (DT a))")
    assert compared(only_articles, REFERENCE).lost[BOTH] == 2

    other_parse = Tree.fromstring("(S (NP (DT the) (NN dog) (VBD stole)) (NP (DT a) (NN ball)))")
    again = compared(other_parse, REFERENCE)
    assert set(again.lost) == set(again.extra) == {ELSEWHERE}

    refused = compared(None, REFERENCE)
    assert refused.made == 0 and refused.lost.total() == refused.gold == 5


WORDS = st.lists(st.sampled_from("abcd"), min_size=1, max_size=5)


def _tree(words: list[str]) -> Tree:
    return Tree.fromstring(f"(S {' '.join(f'(NN {word})' for word in words)})")


@settings(deadline=None)
@given(st.lists(st.tuples(WORDS, WORDS), min_size=1, max_size=4))
def test_the_parts_add_up_to_relation_f1(pairs: list[tuple[list[str], list[str]]]) -> None:
    trees = [(_tree(made), _tree(wanted)) for made, wanted in pairs]
    every = [compared(made, wanted) for made, wanted in trees]
    for one, (made, wanted) in zip(every, trees):
        assert (one.made, one.gold) == (relations(made).total(), relations(wanted).total())
    row = summed(every)
    f1 = relation_f1([made for made, _ in trees], [(wanted,) for _, wanted in trees]).f1
    assert row["relation_f1"] == pytest.approx(f1, abs=1e-3)
    lost = sum(row[f"lost_{why}"] for why in (DEPENDENT, HEAD, BOTH, ELSEWHERE))
    found = sum(one.shared for one in every) / sum(one.gold for one in every)
    assert lost + 100 * found == pytest.approx(100, abs=1e-2)
