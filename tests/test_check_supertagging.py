r"""The exercises on supertagging: what is asked, what is true of it, what is shown."""

from __future__ import annotations

import re
from typing import Any

import pytest
from exercise_cases import wrong_answers
from nltk.tree import Tree

import wordorder_lab as wl
from wordorder_lab.check import Desk, nb_13, recorded
from wordorder_lab.check.nb_13 import CUT, DUCK, HER, role, searched
from wordorder_lab.trace.reducers.replay import fold

GAVE = [r"((S[dcl]\NP)/NP)/NP", "NP[nb]/N", "N", r"(S\NP)\(S\NP)"]
LOST = [6, 8, 10, 11, 14, 15, 17, 18, 23, 24]

WRONG: list[tuple[str, Any, str]] = [
    ("13.1", [r"(S[dcl]\NP)/NP", *GAVE[1:]], r"gave: (S[dcl]\NP)/NP is not what"),
    ("13.1", [GAVE[0], "NP/N", *GAVE[2:]], "the: the slashes are right; a feature"),
    ("13.1", [*GAVE[:3], r"S\NP\NP"], "yesterday: 'S\\\\NP\\\\NP' is no category"),
    ("13.2", lambda p, beta: [i for i, one in enumerate(p) if one >= beta], "0.1) the place: 2 is"),
    (
        "13.2",
        lambda p, beta: [i for i, one in enumerate(p) if one > beta * max(p)],
        "the place: 2 is missing",
    ),
    ("13.2", lambda p, beta: [one for one in p if one >= beta * max(p)], "a whole number is wante"),
    ("13.2", lambda p, beta: [i for i, one in enumerate(p) if one >= beta * p[0]], "is too many"),
    ("13.3", [0.7, 0.3, 0.83, 0.17], "her: NP[nb]/N: it is not 0.7. That was so before"),
    ("13.3", [0.644, 0.15, 0.66, 0.134], "it is not 0.644.\n"),
    ("13.3", [0.81, 0.19, "N", 0.17], "duck: N: a number is wanted"),
    ("13.4", LOST[:-1], "edge 24, I saw her duck · S, is gone, too"),
    ("13.4", [3, *LOST], r"edge 3, duck · S[b]\NP, is still made"),
    ("13.4", [99], "99 is no edge: they are numbered 1 to 24"),
    ("13.4", 6, "A list of the numbers"),
    ("13.5", lambda label, tag: "adjunct", "it is 'complement', not 'adjunct'"),
    (
        "13.5",
        lambda label, tag: "complement" if tag == "CLR" else role(label, tag),
        "ADVP-CLR behind a verb, by the conversion: it is 'adjunct'",
    ),
    ("13.6", [2, 2, 0.143], "no cut: the derivations of all words: it is not 2"),
    ("13.6", [4, 4, 0.143], "β = 0.15: the derivations of all words: it is not 4"),
    ("13.6", [4, 2, 0.12], "So it is not just kept"),
    ("13.6", [4, "two", 0.143], "a whole number is wanted, not 'two'"),
]
test_wrong_answers_are_told_where = wrong_answers(WRONG)


def test_marginals_by_listing_every_sequence() -> None:
    products = {(i, j): HER[i] * DUCK[i][j] for i in (0, 1) for j in (0, 1)}
    whole = sum(products.values())
    her = [sum(p for (i, _), p in products.items() if i == one) / whole for one in (0, 1)]
    duck = [sum(p for (_, j), p in products.items() if j == one) / whole for one in (0, 1)]
    assert nb_13.marginals() == pytest.approx([*her, *duck])
    assert her[0] > HER[0], "duck has changed what is thought of her"


def test_a_cut_keeps_what_has_no_cut_leaf_and_the_player_shows_the_chances() -> None:
    (everything, log), (less, _) = searched(0.0), searched(CUT)
    assert len(everything.made) - len(less.made) == len(LOST)
    before, after, beta = nb_13.three_numbers()
    assert (before, after) == (4, 2)
    assert len(searched(beta - 1e-9)[0].goals) == 4 > len(searched(beta + 1e-6)[0].goals)
    chances = fold(log, len(log), "chart")
    assert "0.84" in repr(chances), "the leaves of the view have their probabilities"
    wrong = Desk()("13.4", LOST[:-1])
    assert wrong.moment is not None and wrong.moment.other is not None


def test_each_role_is_asked_once_and_both_kinds_occur() -> None:
    assert len(nb_13.roles()) == 48
    assert {case.right for case in nb_13.roles()} == {"complement", "adjunct"}


# --- what is shown --------------------------------------------------------------------------------


def test_steps_end_in_the_derivation_with_a_slash_where_the_trace_was() -> None:
    shown = nb_13.conversion_steps(nb_13.EDITOR, first=4)
    names = [name.partition(" ")[2] for name in shown.pages]
    assert names[:4] == ["Penn", "preprocessed", "constituent types", "binarised"]
    assert names[4:] == ["categories", "derivation"]
    page = shown._repr_html_()
    assert page.count(">*T*-1<") == 4 and r"(NP\NP)/(S[dcl]/NP)" in page
    lonely = nb_13.conversion_steps(Tree.fromstring("(S (NP (-NONE- *)))"))
    assert "no derivation (no words)" in list(lonely.pages)[-1]
    with pytest.raises(ValueError, match="no words"):
        nb_13.derivation_of(Tree.fromstring("(S (NP (-NONE- *)))"))


@pytest.fixture(scope="module")
def few() -> list[wl.Sentence]:
    return [one for one in wl.load_corpus("gazette").train if len(one) <= 8][:60]


@pytest.fixture(scope="module")
def tagger(few: list[wl.Sentence]) -> Any:
    return wl.train("supertagger", few, seen=3, max_iterations=10, engine="reference")


def test_a_bag_has_the_chances_of_its_own_words(few: list[wl.Sentence], tagger: Any) -> None:
    sentence = few[0]
    bag = nb_13.bag_with_chances(sentence, tagger, 0.01)
    by_word = dict(zip(bag.words, bag.chances, strict=True))
    for token, own in zip(sentence, tagger.tag(sentence, beta=0.01), strict=True):
        assert by_word[token.words] == {str(category): chance for category, chance in own}


def test_a_cut_moves_categories_from_kept_to_cut(few: list[wl.Sentence], tagger: Any) -> None:
    shown = nb_13.cut_by_beta(tagger, few[0], (0.0001, 1))
    pages: Any = shown.pages
    loose, strict = (rows.data for _, rows in pages.values())
    assert all(len(row.split(" · ")) == 1 for row in strict["kept"])
    assert sum(map(len, loose["kept"])) > sum(map(len, strict["kept"]))
    counts = nb_13.histogram([1, 1, 3, 4, 99])
    assert list(counts) == list(nb_13.STEPS)
    assert [counts[name] for name in ("1", "2", "3 or 4", "17 or more")] == [2, 0, 2, 1]


def test_what_is_measured_agrees_with_the_bags(few: list[wl.Sentence], tagger: Any) -> None:
    model: Any = wl.train("zhang-clark-2011", few, epochs=1, engine="reference")
    rows = nb_13.measured(model.with_tagger(tagger), few[:3], (1,), expansions=50)
    assert list(rows) == ["dictionary", "β = 1"] and rows["β = 1"]["categories"] == 1
    assert rows["β = 1"]["edges"] < rows["dictionary"]["edges"]
    shown = nb_13.by_beta(rows)
    assert re.search(r"1\.0 categories a word: \d+ edges", shown.pages["β = 1"][0])
    assert "reproduce no-such-record" in recorded("no-such-record")
