"""Typed bags: what people write on the command line, and what they get wrong."""

from __future__ import annotations

from dataclasses import replace

import pytest
from bags import bags
from hypothesis import given, settings
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
    ("a>b -> <b> x/<b> >:) a> a>1b", "a>b|->|<b>|x|>:)|a>|a>1b", "|||<b>|||"),
    ("3<1 < <3", "3<1|<|<3", "||"),
    (r"a\>1 \>1 [a \>2]", "a>1|>1|a >2", "||"),
    (r"a{2} {1,2}b {,2} a\{1,2} [a \{1,2}]", "a{2}|{1,2}b|{,2}|a{1,2}|a {1,2}", "||||"),
]


@pytest.mark.parametrize(("text", "units", "tags"), FINE)
def test_parse_bag(text: str, units: str, tags: str) -> None:
    wanted = WordBag(units.split("|"), [tag or None for tag in tags.split("|")])
    assert parse_bag(text) == wanted


LED = ["led", "a team", "of", "."]


@pytest.mark.parametrize(
    ("text", "tags", "heads", "before"),
    [
        ("led/VBD>0 [a team]/NP>1 of>2 ./.", ["VBD", "NP", None, "."], [-1, 0, 1, None], []),
        ("led [a team]>1 of . | 3<4 2<3", None, [None, 0, None, None], [(1, 2), (2, 3)]),
        ("led [a team] of . | 1<2<4 3 < 4\t1<2", None, None, [(0, 1), (1, 3), (2, 3)]),
        ("led>02 [a team] of . | 01<2", None, [1, None, None, None], [(0, 1)]),
    ],
)
def test_heads_and_orders(text: str, tags, heads, before) -> None:
    assert parse_bag(text) == WordBag(LED, tags, heads, before)


@pytest.mark.parametrize(
    ("text", "words", "heads"),
    [("a>>2 b", "a> b", (1, None)), (r"a\>1>0", "a>1", (-1,)), (">>2 |>0", "> |", (1, -1))],
)
def test_a_word_that_looks_like_a_head_may_have_one(text: str, words: str, heads: tuple) -> None:
    assert parse_bag(text) == WordBag(words.split(), heads=heads)


@pytest.mark.parametrize(
    ("text", "words", "heads", "labels"),
    [
        ("dog/NN>2:nsubj:pass barks/VBZ>0:root", "dog barks", (1, -1), ("nsubj:pass", "root")),
        ("a>0:é{0,1} b>1:x_y", "a b", (-1, 0), ("é", "x_y")),
        (r"a>0:\2 b>1:x\>\/\ \[", "a b", (-1, 0), ("2", "x>/ [")),
        ("a>1:30 b>1: c>1::x >:) a>b:c", "a>1:30 b>1: c>1::x >:) a>b:c", (None,) * 5, (None,) * 5),
    ],
)
def test_a_head_may_have_a_label(text: str, words: str, heads: tuple, labels: tuple) -> None:
    found = parse_bag(text)
    assert found.words == tuple((word,) for word in words.split())
    assert (found.heads, found.labels) == (heads, labels)
    assert parse_bag(type_bag(found)) == found


@pytest.mark.parametrize(
    ("text", "counts", "heads"),
    [
        ("led/VBD{1,3} [a team]/NP{0,1} of{0,0} .", [(1, 3), (0, 1), (0, 0), (1, 1)], None),
        (
            "led>0{0,2} [a team]{02,3} of/IN>1{1,1} .",
            [(0, 2), (2, 3), None, None],
            [-1, None, 0, None],
        ),
    ],
)
def test_a_unit_may_be_left_out_or_used_again(text: str, counts, heads) -> None:
    found = parse_bag(text)
    assert found == WordBag(LED, found.pos, heads, counts=counts)
    assert parse_bag(type_bag(found)) == found


def test_a_bar_is_a_word_unless_it_stands_alone() -> None:
    bag = WordBag(["a|b", "|", "|", "a | b", "|"], [None, "X", None, None, None])
    assert parse_bag(r"a|b |/X [|] [a | b] \|") == bag


def test_a_word_may_have_a_space_in_it() -> None:
    assert parse_bag(r"1\ 000 [about 1\ 000]").words == (("1 000",), ("about", "1 000"))


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
    ("a [b{0,1} c]", 3, "counts inside '[b{0,1} c]': they stand after ]"),
    ("a {0,1}", 3, "counts without a word"),
    ("the{0,1}/DT", 1, "at its very end: write the/TAG{0,1}"),
    ("a{0,1}{0,2} b", 1, "stand once"),
    ("[a b]{0,1}/NP", 6, "at its very end: write [a b]/TAG{0,1}"),
    ("[a b]{0,1}c", 6, "comes a space, or /TAG, or >HEAD, or {LEAST,MOST}"),
    ("a b{2,1}", 4, "the first not above the second"),
    ("a{0,10000000000}", 2, "from 0 to 100"),
    ("dog/", 1, "is empty"),
    ("/NN", 1, "without a word"),
    ("/", 1, "without a word"),
    ("either and/or/CC", 8, "more than one slash"),
    ("a b\\", 3, "ends in a backslash"),
    ("[a b\\", 1, "no closing bracket"),
    ("ab \udcff", 4, "UTF-8"),
    ("led x>1>2", 5, "'x' has 2 heads, 1 and 2: give one"),
    ("led x/NP>1>2>1", 5, "'x' has 3 heads, 1, 2 and 1: give one"),
    ("led [a team]/NP>1>2", 13, "'[a team]' has 2 heads, 1 and 2"),
    ("led x>1/NP", 5, "the tag of 'x' stands before its head: write x/TAG>1"),
    ("led x>1:a>2:b", 5, "'x' has 2 heads, 1 and 2: give one"),
    ("led x>1:obj/NP", 5, "the tag of 'x' stands before its head: write x/TAG>1"),
    ("led x>9:obj", 7, "the head of 'x' is 9"),
    ("led x>1:ob]", 11, "bracket inside"),
    (">1:obj led", 1, "'>1' is a head without a word"),
    ("led x>1:obj{0,1}{0,1}", 5, "stand once"),
    ("led x>-1", 5, "the head of 'x' is -1: give the number of a unit, or 0 for the root"),
    (
        "led [a team]/NP>9 .",
        17,
        "the head of 'a team' is 9: give the number of another unit, 1 to 3",
    ),
    ("led a>2", 7, "the head of 'a' is 2: give the number of another unit, 1 to 2, or 0"),
    ("led>1", 5, "the head of 'led' is 1: give 0 for the root, for there is no other unit"),
    (f"led>{'9' * 5000}", 5, "the head of 'led' is 99"),
    (">1 led", 1, "'>1' is a head without a word: write \\>"),
    ("/NN>2 led", 1, "'/NN>2' is a tag without a word"),
    ("led/>0", 1, "the tag of 'led/>0' is empty"),
    ("led [a >1 team]", 5, "a head inside '[a >1 team]': it stands after ]"),
    ("[a team]>led", 9, "comes a space, or /TAG, or >HEAD"),
    ("a b |", 5, "after the | comes no order: write 3<1 for unit 3 before unit 1, or \\|"),
    ("a | b", 5, "'b' after the | is no order: write 3<1"),
    ("a b | 2>1", 7, "'2>1' after the | is no order"),
    ("a b | 1<2<", 7, "'1<2<' after the | is no order"),
    ("a b | 1<2 | 2<1", 11, "'|' after the | is no order"),
    ("a b | 1<2<3", 11, "the order '1<2<3' names unit 3: give the numbers of units, 1 to 2"),
    ("a b | 0<1", 7, "the order '0<1' names unit 0"),
    ("| 1<2", 1, "no unit stands before the |: write \\| for the word"),
]


@pytest.mark.parametrize(("text", "column", "reason"), WRONG)
def test_errors_say_where_and_what(text: str, column: int, reason: str) -> None:
    with pytest.raises(TypedBagError) as caught:
        parse_bag(text)
    assert caught.value.column == column
    assert reason in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[a team]>2 of>1", "cycle, 'a team' -> 'of' -> 'a team'"),
        ("led>0 [a team]>0", "root, 'led' and 'a team': a tree has one root"),
        ("led . | 1<2<1", "cycle, 'led' < '.' < 'led'"),
        ("led . | 2<2", "'.' cannot stand before itself"),
    ],
)
def test_contradictions_are_those_of_the_bag(text: str, said: str) -> None:
    with pytest.raises(ValueError, match=said.replace(".", r"\.")):
        parse_bag(text)


@pytest.mark.parametrize("text", ["", "  \t "])
def test_an_empty_line_is_an_empty_bag(text: str) -> None:
    with pytest.raises(ValueError, match="empty"):
        parse_bag(text)


COUNTS = st.sampled_from([None, (0, 1), (0, 3), (1, 12), (2, 2)])


@given(bags(), st.data())
def test_what_is_typed_is_read_back(bag: WordBag, data: st.DataObject) -> None:
    counts = [data.draw(COUNTS) for _ in bag.words]
    for one in (bag, replace(bag, counts=counts)):
        assert parse_bag(type_bag(one)) == one


@settings(max_examples=400)
@given(
    st.text(alphabet="a[]/\\ >012<|-{,}:", max_size=14)
    | st.lists(
        st.sampled_from(
            ["a", "[a b]", "/X", ">0", ">1", ":l", "{0,1}", "{2,1}", " ", " | ", "1<2", "\\"]
        )
    ).map("".join)
    | st.text(max_size=14)
)
def test_any_text_is_a_bag_or_one_clear_error(text: str) -> None:
    try:
        bag = parse_bag(text)
    except ValueError:
        return
    assert parse_bag(type_bag(bag)) == bag
