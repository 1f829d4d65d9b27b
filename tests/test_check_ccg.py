r"""The exercises on CCG search: what is asked, and what is true of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from exercise_cases import wrong_answers

from wordorder_lab.best_first.drive import Drive
from wordorder_lab.check import nb_10
from wordorder_lab.check.exercise import find
from wordorder_lab.check.small_search import pop_by_pop
from wordorder_lab.trace.log import EventLog
from wordorder_lab.trace.reducers.replay import fold

RIGHT = ["<", ">", ">B", "no rule", ">", "same word", "no rule", "same word"]


def tagged(edge: nb_10.Seen) -> list[tuple[str, str]]:
    return list(zip(edge.words, edge.tags, strict=True))


def signature_2011(edge: nb_10.Seen) -> Any:
    return edge.category, edge.words, edge.words[edge.head]


def ends(edge: nb_10.Seen, many: int = 2) -> tuple:
    return tuple(tagged(edge)[:many]), tuple(tagged(edge)[-many:])


def words(edge: nb_10.Seen) -> tuple:
    return tuple(sorted(edge.words))


def head(edge: nb_10.Seen) -> str:
    return edge.words[edge.head]


def untagged(edge: nb_10.Seen) -> tuple:
    return edge.words[:2], edge.words[-2:]


TOO_FEW: list[tuple[Callable[[nb_10.Seen], Any], str]] = [
    (lambda e: (head(e), words(e), ends(e)), "N, head roof) | old"),
    (lambda e: (e.category, words(e), ends(e)), "head stone"),
    (lambda e: (e.category, head(e), ends(e)), "old/JJ stone/NN toll/NN house/NN roof/NN"),
    (lambda e: (e.category, head(e), frozenset(e.words), ends(e)), "toll/NN toll/NN"),
    (lambda e: (e.category, head(e), words(e)), "| stone/NN old/JJ"),
    (lambda e: (e.category, head(e), words(e), ends(e, 1)), "| old/JJ bridge"),
    (lambda e: (e.category, head(e), words(e), ends(e)[0]), "bridge/NN toll/NN roof/NN house/NN"),
    (lambda e: (e.category, head(e), words(e), untagged(e)), "head walk) | old/JJ walk/VB"),
    (lambda e: (e.category, tagged(e)[e.head], words(e), untagged(e)), "| walk/VB stone/NN"),
]
"""Signatures that lack something, and the pair that shows it."""

WRONG: list[tuple[str, Any, str]] = [
    ("10.1", [*RIGHT[:6], ">", RIGHT[7]], "8: IBM bought · S/NP, then 2: Lotus · NP: it is not '>"),
    ("10.1", ["<", "<", *RIGHT[2:]], r"3: bought · (S\NP)/NP, then 1: IBM · NP"),
    ("10.2", signature_2011, "To you these are two, and to the engine one: old/JJ stone/NN"),
    ("10.2", lambda edge: [edge.category], "it cannot hold a list"),
    ("10.2", lambda edge: edge.size, "raised AttributeError"),
    ("10.2", lambda edge: 0, "To you these are one, and to the engine two"),
    *[("10.2", function, f"{said}") for function, said in TOO_FEW],
    ("10.3", lambda used, least, most: used == least, "'IBM bought Lotus': it is a goal"),
    ("10.3", lambda used, least, most: used == most, "'bought IBM': it is a goal"),
    ("10.3", lambda used, least, most: all(used.values()), "'bought IBM': it is a goal"),
    ("10.3", lambda used, least, most: True, "'IBM': it is no goal"),
    ("10.3", lambda used, least, most: "yes", "True or False is wanted, not"),
    ("10.3", lambda used, least: True, "raised TypeError"),
    ("10.4", ["beam", 39, "beam"], "The chart was not too full"),
    ("10.4", [19, 39, 12], "edge 20: it is not 12. No edge was like it"),
    ("10.4", [19, 38, "beam"], "it is not 38"),
    ("10.4", ["edge 19", 39, "beam"], "the number of an edge is wanted, or 'beam', not 'edge 19'"),
]
test_wrong_answers_are_told_where = wrong_answers(WRONG)


# --- on paper -----------------------------------------------------------------------------------


def test_ibm_bought_lotus_pop_by_pop() -> None:
    """15 edges, 11 pops; the second derivation of "IBM bought" as an S is pruned at the seventh."""
    log = EventLog()
    search = nb_10.search_by_hand(trace=log)
    search.run()
    rows = pop_by_pop(log, top=9)
    assert [row["made"] for row in rows] == [0, 0, 3, 0, 0, 2, 0, 0, 4, 2, 0]
    assert rows[6]["popped"] == rows[3]["popped"] == "IBM bought · S"
    assert rows[6]["chart after"] == rows[5]["chart after"]
    assert rows[10]["agenda before"].startswith(
        "IBM bought Lotus · S: 2.10 | IBM bought Lotus · S: 1.92 | Lotus bought IBM · S: 0.90"
    )
    assert search.goals[0].total == 10.5 and search.goals[0].actions == 5
    plain = nb_10.search_by_hand(scaled=False)
    plain.run()
    assert (plain.goals[0].total, plain.goals[0].actions) == (11.5, 6)


def test_joins_are_what_driving_says() -> None:
    search, edges, _ = nb_10.finished()
    outcomes = {}
    for pair in nb_10.JOINED:
        told = Drive(search)(
            {"left": edge_told(edges[pair[0]]), "right": edge_told(edges[pair[1]])}
        )
        outcomes[pair] = next(one for one in told["outcomes"] if one["order"] == "left right")
    assert len(nb_10.pairs_asked()) == len(nb_10.JOINED)
    for right, outcome in zip(RIGHT, outcomes.values(), strict=True):
        if " " in right:
            assert outcome["score"] is None
            assert ("no rule for" in outcome["why"]) == (right == "no rule")
        else:
            assert outcome["action"].split()[0] == right


def edge_told(edge: Any) -> dict[str, Any]:
    """An edge in the words of ``Drive``."""
    if edge.left is None:
        form = {0: "IBM", 1: "Lotus"}.get(edge.items[0], "bought")
        tag = "VBD" if form == "bought" else "NNP"
        return {"item": edge.items[0], "form": form, "pos": tag, "category": str(edge.category)}
    right = None if edge.right is None else edge_told(edge.right)
    told = {"action": edge.action, "left": edge_told(edge.left), "right": right}
    return {**told, "category": str(edge.category)}


@pytest.mark.parametrize("scaled", [False, True])
def test_pruning_loses_the_stone_bridge(scaled: bool) -> None:
    """7 points without pruning; with either signature the adjective is gone, and 3 are left."""
    best = {}
    for name in ("none", "2011", "2015"):
        search = nb_10.search_by_hand(nb_10.BRIDGE, signature=name, scaled=scaled, k=99)
        search.run()
        assert search.stopped == "agenda empty"
        best[name] = max(goal.total for goal in search.goals)
        assert " ".join(nb_10.BRIDGE.words) in [search.text(goal) for goal in search.goals]
    assert best == {"none": 7.0, "2011": 3.0, "2015": 3.0}


# --- one's own ------------------------------------------------------------------------------------


def by_category(edge: nb_10.Seen) -> Any:
    return edge.category


def test_pairs_ask_for_every_part_of_the_signature() -> None:
    """Some pairs are one, some two; the paper's own signature says of each what the engine says."""
    assert {pair.alike for pair in nb_10.pairs()} == {True, False}
    for pair in nb_10.pairs():
        assert (nb_10.signature(pair.first) == nb_10.signature(pair.second)) == pair.alike
    usual, same, other = (
        nb_10.prunes(nb_10.searches_with(own)) for own in (None, nb_10.signature, by_category)
    )
    assert sum(map(len, usual)) >= 5 and all(usual)
    assert same == usual != other


def test_goals_of_word_selection() -> None:
    """What may be left out is left out; with everything optional the first leaf is a goal."""
    outputs = {counts: texts(nb_10.searched(counts)) for counts in nb_10.BAGS}
    firsts = [outputs[counts][0] for counts in nb_10.BAGS]
    assert firsts[:2] == ["IBM bought Lotus", "IBM bought"]
    assert firsts[4:] == ["IBM bought IBM", "bought"]
    assert "IBM bought Lotus" in outputs[nb_10.BAGS[1]], "an optional word that came in early"
    for counts in nb_10.BAGS:
        assert texts(nb_10.searched(counts, nb_10.is_goal)) == outputs[counts]


def texts(search: nb_10.OnPaper) -> list[str]:
    return [search.text(goal) for goal in search.goals]


# --- what is asked about the views ----------------------------------------------------------------


def test_pruned_edges_against_the_views_own_books() -> None:
    """Each edge leaves once, for the reason that is asked for; the one that stays has its words."""
    stays: Any = find("10.4").solution()
    for (log, _), asked, right, sentence in zip(
        nb_10.searches(), nb_10.ASKED, stays, nb_10.sentences(), strict=True
    ):
        books = fold(log, len(log), "chart")
        edges = dict(enumerate(books["edges"], 1))
        (why,) = [reason for serial, reason, _ in books["outs"] if serial == asked]
        assert why == ("beam" if right == "beam" else "signature"), sentence.text
        if isinstance(right, int):
            loser, winner = edges[asked], edges[right]
            assert loser["category"] == winner["category"]
            assert books["scores"][asked] < books["scores"][right]
    third = fold(nb_10.searches()[2][0], len(nb_10.searches()[2][0]), "chart")
    assert third["edges"][nb_10.ASKED[2] - 1]["gold"] == 1, "nothing was wrong with it"
