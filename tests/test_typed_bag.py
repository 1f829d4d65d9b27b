"""Typed bags: what people write on the command line, and what they get wrong."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wordorder_lab.structures.bag import WordBag
from wordorder_lab.structures.typed_bag import TypedBagError, parse_bag, type_bag

FINE = [
    ("joined [the board] [Pierre Vinken] ./.", "joined|the board|Pierre Vinken|.", "|||."),
    ("[the board]/NP  dog\t.", "the board|dog|.", "NP||"),
    (r"1\/2 \[ \] \\ a\/b/CC", r"1/2|[|]|\|a/b", "||||CC"),
    (r"[ 1\/2  cups ]/NP", "1/2 cups", "NP"),
    ("[board]/NN", "board", "NN"),
    ("كتب [الولد الصغير]/NP שלום 👩‍👩‍👧 .", "كتب|الولد الصغير|שלום|👩‍👩‍👧|.", "|NP|||"),
    (r"\//: a/\/", "/|a", ":|/"),
]


@pytest.mark.parametrize(("text", "units", "tags"), FINE)
def test_parse_bag(text: str, units: str, tags: str) -> None:
    wanted = WordBag(units.split("|"), [tag or None for tag in tags.split("|")])
    assert parse_bag(text) == wanted


WRONG = [
    ("joined [the board", 8, "no closing bracket"),
    ("a [b [c]]", 6, "inside a phrase"),
    ("[] a", 1, "are empty"),
    ("a [  ]/NP", 3, "are empty"),
    ("a]", 2, "bracket inside 'a]'"),
    ("a[b]", 2, "bracket inside 'a[b]'"),
    ("]", 1, "bracket inside"),
    ("[a b]c", 6, "comes a space, or /TAG"),
    ("[a b]/", 6, "comes a space, or /TAG"),
    ("[the/DT board]", 1, "a tag stands after ]"),
    ("dog/", 1, "is empty"),
    ("/NN", 1, "without a word"),
    ("/", 1, "without a word"),
    ("either and/or/CC", 8, "more than one slash"),
    ("a b\\", 3, "ends in a backslash"),
    ("[a b\\", 1, "no closing bracket"),
    ("ab \udcff", 4, "UTF-8"),
]


@pytest.mark.parametrize(("text", "column", "reason"), WRONG)
def test_errors_say_where_and_what(text: str, column: int, reason: str) -> None:
    with pytest.raises(TypedBagError) as caught:
        parse_bag(text)
    assert caught.value.column == column
    assert reason in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("text", ["", "  \t "])
def test_an_empty_line_is_an_empty_bag(text: str) -> None:
    with pytest.raises(ValueError, match="empty"):
        parse_bag(text)


WORDS = st.text(st.characters(exclude_categories=["Cs", "Cc", "Z"]), min_size=1, max_size=5)
UNITS = st.lists(WORDS.filter(lambda word: not word.isspace()), min_size=1, max_size=3)


@given(st.lists(st.tuples(UNITS, st.none() | WORDS), min_size=1, max_size=5))
def test_what_is_typed_is_read_back(rows: list) -> None:
    bag = WordBag([tuple(unit) for unit, _ in rows], [tag for _, tag in rows])
    assert parse_bag(type_bag(bag)) == bag


@given(st.text(alphabet="a[]/\\ ", max_size=12))
def test_any_text_is_a_bag_or_one_clear_error(text: str) -> None:
    try:
        bag = parse_bag(text)
    except ValueError:
        return
    assert parse_bag(type_bag(bag)) == bag
