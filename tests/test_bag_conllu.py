"""Bags in CoNLL-U with blanks: what is read, what is written, and what is refused."""

from __future__ import annotations

import io

import pytest
from bags import PLAIN, bags
from hypothesis import given
from hypothesis import strategies as st

from wordorder_lab.corpora.readers.bag_conllu import bag_to_conllu, parse_conllu_bags
from wordorder_lab.corpora.readers.corpus import CorpusError
from wordorder_lab.structures.bag import WordBag


def conllu(*rows: str) -> str:
    """A bag from rows like ``1 the~board NP _ 2 Before=3``: ID, FORM, XPOS, UPOS, HEAD, MISC."""
    lines = []
    for row in rows:
        number, form, xpos, upos, head, misc = row.split(" ")
        columns = (number, form.replace("~", " "), "_", upos, xpos, "_", head, "_", "_", misc)
        lines.append("\t".join(columns))
    return "\n".join([*lines, "", ""])


def read(text: str) -> list[WordBag]:
    return [bag for _, bag in parse_conllu_bags(io.StringIO(text), "b.conllu")]


TEAM = conllu("1 led VBD _ 0 Before=2,3", "2 a~team _ _ 1 _", "3 of IN _ _ SpaceAfter=No|Before=2")
BAG = WordBag(["led", "a team", "of"], ["VBD", None, "IN"], [-1, 0, None], [(0, 1), (0, 2), (2, 1)])


def test_heads_tags_orders_and_blanks() -> None:
    assert read(TEAM) == [BAG]
    assert read(bag_to_conllu(BAG)) == [BAG]


def test_several_bags_each_with_its_line() -> None:
    text = f"# a comment\n{TEAM}\n\n# another\n{TEAM}".replace("\n", "\r\n").rstrip()
    found = list(parse_conllu_bags(text.split("\n"), "b.conllu"))
    assert [bag for _, bag in found] == [BAG, BAG]
    assert [line for line, _ in found] == [2, 9]


def test_the_first_bag_does_not_wait_for_the_second() -> None:
    def lines():
        yield from TEAM.splitlines(keepends=True)
        raise AssertionError("read too far")

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
    assert read(conllu(*rows))[0].pos == tags


def test_odd_words_are_words() -> None:
    text = conllu("1-2 vom _ _ _ _", "1 _ _ _ _ _", "2 1\u00a0000 _ _ _ _", "2.1 e _ _ _ _")
    assert read(text.replace("1\u00a0", " a  b\u00a0"))[0].words == (("_",), ("a", "b\u00a0000"))


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
        read(text)


@given(st.lists(bags(PLAIN), min_size=1, max_size=3))
@pytest.mark.slow
def test_what_is_written_is_read_back(found: list[WordBag]) -> None:
    kept = [bag for bag in found if "_" not in (*(bag.pos or ()), *(bag.labels or ()))]
    assert not kept or read("".join(map(bag_to_conllu, kept))) == kept


@pytest.mark.parametrize("bag", [(["a"], ["_"]), (["a"], ["N P"]), ([("a\tb",)],), ([("a\nb",)],)])
def test_what_conllu_cannot_hold_is_not_written(bag: tuple) -> None:
    with pytest.raises(ValueError, match="CoNLL-U cannot hold"):
        bag_to_conllu(WordBag(*bag))


def test_deprel_is_the_label() -> None:
    bag = WordBag(["a team", "led"], heads=[1, -1], labels=["obj", None])
    text = "1\ta team\t_\t_\t_\t_\t2\tobj\t_\t_\n2\tled\t_\t_\t_\t_\t0\t_\t_\t_\n\n"
    assert read(text) == [bag] and bag_to_conllu(bag) == text
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
def test_any_text_is_bags_or_one_clear_error(text: str) -> None:
    try:
        read(text)
    except CorpusError as error:
        told = str(error)
        assert "b.conllu" in told
