"""The heads and orders of a bag: how they are kept, and how they may not contradict each other."""

from __future__ import annotations

import io
import random
import re
from dataclasses import replace
from itertools import pairwise

import pytest
from bags import PLAIN, bags
from hypothesis import given, settings
from hypothesis import strategies as st

from wordorder_lab.corpora.readers.bag_conllu import bag_to_conllu, parse_conllu_bags
from wordorder_lab.corpora.readers.corpus import CorpusError
from wordorder_lab.structures.bag import WordBag, bag_of, find_cycle
from wordorder_lab.structures.sentence import Sentence, Token
from wordorder_lab.structures.typed_bag import TypedBagError, parse_bag, type_bag
from wordorder_lab.widgets.form_run import chosen, read_bag

UNITS = ["led", "a team", "of", "Harvard", "of"]


def test_orders_are_kept_sorted_and_once() -> None:
    bag = WordBag(UNITS, before=[(2, 1), (0, 3), (2, 1)])
    assert bag.before == ((0, 3), (2, 1))
    assert bag.is_constrained and not bag.has_heads
    assert not WordBag(UNITS, ["X"] * 5).is_constrained
    assert WordBag(UNITS, heads=[None, 0, None, None, None]).is_constrained
    assert WordBag(["a"], [""]) == WordBag(["a"])


CONTRADICTIONS = {
    "head outside": ([None, 9, None, None, None], [], r"\('a team'\) has head 9: .*0 to 4\), -1"),
    "own head": ([None, 1, None, None, None], [], r"'a team'\) has head 1"),
    "two roots": ([-1, None, None, -1, None], [], "root, 'led' and 'Harvard': .* one root, so"),
    "cycle of heads": (
        [None, 2, 1, None, 0],
        [],
        r"'a team' -> 'of' \(no. 1 of 2\) -> 'a team' .*: leave one of them out",
    ),
    "order outside": ([None] * 5, [(0, 5)], r"\(0, 5\) .* units are 0 to 4"),
    "order with itself": ([None] * 5, [(1, 1)], "'a team' cannot stand before itself"),
    "cycle of orders": (
        [None] * 5,
        [(4, 3), (3, 2), (2, 4)],
        r"'of' \(no. 1 of 2\) < 'of' \(no. 2 of 2\) < 'Harvard' < 'of' .*: leave one of them out",
    ),
    "no pairs": ([None] * 5, (0, 1), r"before takes pairs of units, such as \[\(2, 0\)\]"),
}


@pytest.mark.parametrize(
    ("heads", "before", "said"), CONTRADICTIONS.values(), ids=CONTRADICTIONS.keys()
)
def test_contradictions_name_the_words_and_the_way_out(heads, before, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        WordBag(UNITS, heads=heads, before=before)


def test_a_long_cycle_is_a_short_message() -> None:
    units = [f"w{i}" for i in range(1000)]
    with pytest.raises(ValueError, match=re.escape("'w0' -> 'w1'")) as caught:
        WordBag(units, heads=[*range(1, 1000), 0])
    assert "... 992 more ..." in str(caught.value) and len(str(caught.value)) < 250


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), max_size=8))
def test_a_cycle_is_found_where_there_is_one(arrows: list[tuple[int, int]]) -> None:
    cycle = find_cycle(arrows)
    if cycle:
        assert cycle[0] == cycle[-1] == min(cycle) and len(set(cycle)) == len(cycle) - 1
        assert set(pairwise(cycle)) <= set(arrows)
        return
    reached = set(arrows)  # by Warshall: nothing reaches itself
    for k in range(6):
        reached |= {(i, j) for i, x in reached if x == k for y, j in reached if y == k}
    assert not [i for i, j in reached if i == j]


@given(bags(), st.randoms(use_true_random=False))
def test_units_can_be_chosen_with_what_is_given_among_them(
    bag: WordBag, chance: random.Random
) -> None:
    places = chance.sample(range(len(bag)), len(bag))
    back = sorted(range(len(bag)), key=places.__getitem__)
    assert bag.select(places).select(back) == bag
    some = bag.select(places[:2])
    pairs = {(i, j) for i, j in bag.before if {i, j} <= set(places[:2])}
    assert {(places[i], places[j]) for i, j in some.before} == pairs
    assert bag.heads and some.heads
    for place, head in zip(places, some.heads):
        old = bag.heads[place]
        known = old is not None and old in (-1, *places[:2])
        assert known == (head is not None)
        assert head is None or old == (head if head == -1 else places[head])


def test_the_form_passes_on_what_is_given() -> None:
    given = WordBag(["a", "b"], ["X", "Y"], [1, None], [(1, 0)])
    typed = "a/X>2 b/Y | 2<1"
    assert read_bag(typed) == given
    assert read_bag(typed, "none") == WordBag(given.words, None, given.heads, given.before)
    assert read_bag(typed, "listed", "Z _").heads == given.heads
    assert chosen(given, [1, 0]) == WordBag(["b", "a"], ["Y", "X"], [None, 0], [(0, 1)])


N = 12
CHAIN = Sentence(tuple(Token((f"w{i}",), f"T{i}", i - 1) for i in range(N)))
SHARES = (0, 0.25, 0.5, 1)


def known(bag: WordBag) -> tuple[set[str], set[tuple[str, str]]]:
    """The words whose tag is known, and the words whose head is, with that head."""
    tags = {bag.form(i) for i, tag in enumerate(bag.pos or ()) if tag is not None}
    heads = enumerate(bag.heads or ())
    return tags, {
        (bag.form(i), bag.form(head) if head >= 0 else "root")
        for i, head in heads
        if head is not None
    }


@pytest.mark.parametrize("share", SHARES)
def test_a_share_is_a_share(share: float) -> None:
    tags, heads = known(bag_of(CHAIN, share, share))
    assert len(tags) == share * N
    assert len(heads) == (N if share == 1 else round(share * (N - 1)))


@pytest.mark.parametrize("seed", range(10))
def test_a_share_of_the_dependencies_is_one_of_the_arcs_between_words(seed: int) -> None:
    """The root is known with the whole tree alone, where no other unit is without a head."""
    for share in (*SHARES, 0.95):
        heads = {head for _, head in known(bag_of(CHAIN, 1, share, seed))[1]}
        assert ("root" in heads) == (share == 1)
    whole, half = bag_of(CHAIN, 0.5, 1, seed), bag_of(CHAIN, 0.5, 0.5, seed)
    assert (half.words, half.pos) == (whole.words, whole.pos)


def test_what_is_given_is_true() -> None:
    bag = bag_of(CHAIN, 1, 1, seed=3)
    assert [bag.pos[i] for i in range(N)] == [f"T{bag.form(i)[1:]}" for i in range(N)]  # type: ignore[index]
    assert known(bag)[1] == {("w0", "root")} | {(f"w{i}", f"w{i - 1}") for i in range(1, N)}


@pytest.mark.parametrize("seed", range(5))
def test_samples_are_nested(seed: int) -> None:
    """With one seed, more input is the same input and more, so conditions differ by that alone."""
    bags = [known(bag_of(CHAIN, share, share, seed)) for share in SHARES]
    for (less_tags, less_heads), (more_tags, more_heads) in pairwise(bags):
        assert less_tags < more_tags and less_heads < more_heads
    for share in SHARES:
        assert {frozenset(known(bag_of(CHAIN, share, d, seed))[0]) for d in SHARES} == {
            frozenset(known(bag_of(CHAIN, share, 0, seed))[0])
        }
        assert {frozenset(known(bag_of(CHAIN, p, share, seed))[1]) for p in SHARES} == {
            frozenset(known(bag_of(CHAIN, 0, share, seed))[1])
        }


def test_seeds_give_other_samples() -> None:
    samples = {frozenset(known(bag_of(CHAIN, 0.5, 0, seed))[0]) for seed in range(10)}
    assert len(samples) > 5


def conllu(*rows: str) -> str:
    """A bag from rows like ``1 the~board NP _ 2 Before=3``: ID, FORM, XPOS, UPOS, HEAD, MISC."""
    lines = []
    for row in rows:
        number, form, xpos, upos, head, misc = row.split(" ")
        columns = (number, form.replace("~", " "), "_", upos, xpos, "_", head, "_", "_", misc)
        lines.append("\t".join(columns))
    return "\n".join([*lines, "", ""])


def read_conllu(text: str) -> list[WordBag]:
    return [bag for _, bag in parse_conllu_bags(io.StringIO(text), "b.conllu")]


TEAM = conllu("1 led VBD _ 0 Before=2,3", "2 a~team _ _ 1 _", "3 of IN _ _ SpaceAfter=No|Before=2")
BAG = WordBag(["led", "a team", "of"], ["VBD", None, "IN"], [-1, 0, None], [(0, 1), (0, 2), (2, 1)])


def test_heads_tags_orders_and_blanks() -> None:
    assert read_conllu(TEAM) == [BAG]
    assert read_conllu(bag_to_conllu(BAG)) == [BAG]


def test_several_bags_each_with_its_line() -> None:
    text = f"# a comment\n{TEAM}\n\n# another\n{TEAM}".replace("\n", "\r\n").rstrip()
    found = list(parse_conllu_bags(text.split("\n"), "b.conllu"))
    assert [bag for _, bag in found] == [BAG, BAG]
    assert [line for line, _ in found] == [2, 9]


def test_the_first_bag_does_not_wait_for_the_second() -> None:
    def lines():
        yield from TEAM.splitlines(keepends=True)
        raise AssertionError("read_conllu too far")

    assert next(parse_conllu_bags(lines(), "b.conllu")).bag == BAG


@pytest.mark.parametrize(
    ("rows", "tags"),
    [
        (("1 a DT DET _ _", "2 b NN NOUN _ _"), ("DT", "NN")),
        (("1 a DT DET _ _", "2 b _ NOUN _ _"), ("DT", None)),  # never tags of both kinds
        (("1 a _ DET _ _", "2 b _ NOUN _ _"), ("DET", "NOUN")),
        (("1 a _ _ _ _", "2 b _ _ _ _"), (None, None)),
    ],
)
def test_where_tags_come_from(rows: tuple[str, str], tags: tuple) -> None:
    assert read_conllu(conllu(*rows))[0].pos == tags


def test_odd_words_are_words() -> None:
    text = conllu("1-2 vom _ _ _ _", "1 _ _ _ _ _", "2 1\u00a0000 _ _ _ _", "2.1 e _ _ _ _")
    assert read_conllu(text.replace("1\u00a0", " a  b\u00a0"))[0].words == (
        ("_",),
        ("a", "b\u00a0000"),
    )


REFUSED = {
    "columns": (TEAM.replace("\tIN", " IN"), "line 3 of b.conllu: ten columns"),
    "two lines": (
        conllu("1 a _ _ _ _", "2 b _ _ 1 _", "2 b _ _ 0 _"),
        r"line 3 of b.conllu: this is a second line for word 2 \('b'\): a word has one .* be 3",
    ),
    "a gap": (conllu("1 a _ _ _ _", "3 b _ _ _ _"), "line 2 .*ID .* should be 2, not '3'"),
    "no ID": (conllu("_ a _ _ _ _"), "line 1 .*should be a number, not '_'"),
    "no words": (conllu("1-2 ab _ _ _ _"), "line 1 .*begins here has no words"),
    "all empty": ("\t" * 9 + "\n", "line 1 .*should be a number, not ''"),
    "FORM": (conllu("1  _ _ _ _"), "line 1 .*FORM"),
    "HEAD outside": (
        conllu("1 a _ _ 2 _"),
        "line 1 of b.conllu: HEAD is '2', but should be 0 .* 1 to 1, or _ where",
    ),
    "HEAD negative": (conllu("1 a _ _ -1 _"), "line 1 .*HEAD is '-1'"),
    "HEAD far": (conllu(f"1 a _ _ {'9' * 5000} _"), "line 1 .*HEAD is '999"),
    "own head": (conllu("1 a _ _ _ _", "2 b _ _ 2 _"), "line 2 .*'b' is its own head"),
    "Before outside": (conllu("1 a _ _ _ Before=2"), "line 1 .*Before=2 should be .* 1 to 1"),
    "Before itself": (conllu("1 a _ _ _ _", "2 b _ _ _ Before=2"), "line 2 .*of other words"),
    "Before nothing": (conllu("1 a _ _ _ Before="), "line 1 .*as in Before=1,2"),
    "cycle": (
        "\n" + conllu("1 a _ _ 2 _", "2 b~c _ _ 1 _"),
        "line 2 of b.conllu: in the bag that begins here, .*cycle, 'a' -> 'b c' -> 'a'",
    ),
    "two roots": (conllu("1 a _ _ 0 _", "2 b _ _ 0 _"), "begins here, .*root, 'a' and 'b'"),
    "cycle of orders": (
        conllu("1 a _ _ _ Before=2", "2 b _ _ _ Before=1"),
        "begins here, .*cycle, 'a' < 'b' < 'a'",
    ),
    "not UTF-8": (conllu("1 \udcff _ _ _ _"), "line 1 .*not UTF-8"),
    "nothing": ("# a comment\n", "b.conllu holds no bags"),
}


@pytest.mark.parametrize(("text", "said"), REFUSED.values(), ids=REFUSED)
def test_errors_name_file_and_line(text: str, said: str) -> None:
    with pytest.raises(CorpusError, match=said):
        read_conllu(text)


@given(st.lists(bags(PLAIN), min_size=1, max_size=3))
@pytest.mark.slow
def test_what_is_written_as_conllu_is_read_back(found: list[WordBag]) -> None:
    kept = [bag for bag in found if "_" not in (*(bag.pos or ()), *(bag.labels or ()))]
    assert not kept or read_conllu("".join(map(bag_to_conllu, kept))) == kept


@pytest.mark.parametrize("bag", [(["a"], ["_"]), (["a"], ["N P"]), ([("a\tb",)],), ([("a\nb",)],)])
def test_what_conllu_cannot_hold_is_not_written(bag: tuple) -> None:
    with pytest.raises(ValueError, match="CoNLL-U cannot hold"):
        bag_to_conllu(WordBag(*bag))


def test_deprel_is_the_label() -> None:
    bag = WordBag(["a team", "led"], heads=[1, -1], labels=["obj", None])
    text = "1\ta team\t_\t_\t_\t_\t2\tobj\t_\t_\n2\tled\t_\t_\t_\t_\t0\t_\t_\t_\n\n"
    assert read_conllu(text) == [bag] and bag_to_conllu(bag) == text
    with pytest.raises(ValueError, match="has the label 'a b', which CoNLL-U cannot hold"):
        bag_to_conllu(WordBag(["a"], labels=["a b"]))
    with pytest.raises(ValueError, match="no alternatives: leave them out"):
        bag_to_conllu(WordBag(["a"], alternatives=[["an"]]))


@given(
    st.text(alphabet="1203-._ \tab\n#,=|", max_size=60)
    | st.lists(
        st.sampled_from(["1\t", "2\t", "_\t", "a b\t", "0\t", "_", "Before=1", "\n", "\t" * 9])
    ).map("".join)
)
def test_any_conllu_is_bags_or_one_clear_error(text: str) -> None:
    try:
        read_conllu(text)
    except CorpusError as error:
        told = str(error)
        assert "b.conllu" in told


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
GIVEN = [
    (
        "led/VBD>0 [a team]/NP>1 of>2 ./.",
        WordBag(LED, ["VBD", "NP", None, "."], [-1, 0, 1, None]),
    ),
    ("led [a team]>1 of . | 3<4 2<3", WordBag(LED, None, [None, 0, None, None], [(1, 2), (2, 3)])),
    ("led [a team] of . | 1<2<4 3 < 4\t1<2", WordBag(LED, before=[(0, 1), (1, 3), (2, 3)])),
    ("led>02 [a team] of . | 01<2", WordBag(LED, None, [1, None, None, None], [(0, 1)])),
    # A word that looks like a head may have one, and a head a label.
    ("a>>2 b", WordBag(["a>", "b"], heads=[1, None])),
    (r"a\>1>0", WordBag(["a>1"], heads=[-1])),
    (">>2 |>0", WordBag([">", "|"], heads=[1, -1])),
    (
        "dog/NN>2:nsubj:pass barks/VBZ>0:root",
        WordBag(["dog", "barks"], ["NN", "VBZ"], [1, -1], labels=["nsubj:pass", "root"]),
    ),
    (
        "a>0:é{0,1} b>1:x_y",
        WordBag(["a", "b"], heads=[-1, 0], labels=["é", "x_y"], counts=[(0, 1), None]),
    ),
    (r"a>0:\2 b>1:x\>\/\ \[", WordBag(["a", "b"], heads=[-1, 0], labels=["2", "x>/ ["])),
    ("a>1:30 b>1: c>1::x >:) a>b:c", WordBag("a>1:30 b>1: c>1::x >:) a>b:c".split())),
    # A unit may be left out or used again.
    (
        "led/VBD{1,3} [a team]/NP{0,1} of{0,0} .",
        WordBag(LED, ["VBD", "NP", None, None], counts=[(1, 3), (0, 1), (0, 0), (1, 1)]),
    ),
    (
        "led>0{0,2} [a team]{02,3} of/IN>1{1,1} .",
        WordBag(
            LED,
            [None, None, "IN", None],
            [-1, None, 0, None],
            counts=[(0, 2), (2, 3), None, None],
        ),
    ),
    # A bar is a word unless it stands alone, and a word may have a space in it.
    (
        r"a|b |/X [|] [a | b] \|",
        WordBag(["a|b", "|", "|", "a | b", "|"], [None, "X", None, None, None]),
    ),
    (r"1\ 000 [about 1\ 000]", WordBag([("1 000",), ("about", "1 000")])),
]


@pytest.mark.parametrize(("text", "bag"), GIVEN)
def test_what_is_given_is_parsed_and_typed_again(text: str, bag: WordBag) -> None:
    assert parse_bag(text) == bag == parse_bag(type_bag(bag))


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
        ("", "empty"),
        ("  \t ", "empty"),
    ],
)
def test_contradictions_are_those_of_the_bag(text: str, said: str) -> None:
    with pytest.raises(ValueError, match=said.replace(".", r"\.")):
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


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([[]], "empty"),
        (["the old boats"], "list of units"),
        ([["a", ""]], "unit 1"),
        ([["a", "  "]], "unit 1"),
        ([["a", ()]], "unit 1"),
        ([[("a", "")]], "unit 0"),
        ([["a", "b"], ["X"]], "2 words but 1 pos"),
        ([["a", "b"], None, [1]], "2 words but 1 heads"),
        ([["a", "b"], None, [-2, None]], "head -2"),
        ([["a"] * 1001], "1001 units"),
    ],
    ids=str,
)
def test_what_is_no_bag(arguments: list, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        WordBag(*arguments)
