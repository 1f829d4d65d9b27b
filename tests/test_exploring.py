"""Rows of an explorer: what became of gold, kinds of errors, which rows a filter selects."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pandas
import pytest
from explored import (
    best_first,
    ccg,
    linearizer,
    one_model,
    short_sentences,
    table_of_size,
    two_models,
)

import wordorder_lab as wl
from wordorder_lab.analysis.gold_survival import (
    CUT,
    OUTSCORED,
    WON,
    fate_in_log,
    moment_of_loss,
    ordered,
    with_gold,
)
from wordorder_lab.exploring.errors import compression_error, exchanged, ordering_error
from wordorder_lab.exploring.explore import exploration
from wordorder_lab.metrics.bleu import sentence_bleu
from wordorder_lab.structures.trees import DependencyTree
from wordorder_lab.widgets.explorer import ExplorerPage, selected


@pytest.mark.parametrize("make", [linearizer, best_first, ccg])
def test_both_engines_say_the_same_of_gold(make: Any) -> None:
    """To the last bit; and the log tells it at the moment that a player opens at."""
    pytest.importorskip("numba")
    model, fates = make(), []
    for sentence in short_sentences(units="words" if make is ccg else "base-np")[10:25]:
        bag = wl.bag_of(sentence)
        slow, fast = (ordered(model, bag, sentence, 1, name) for name in ("reference", "fast"))
        assert (slow[0].text, slow[0].score, slow[2]) == (fast[0].text, fast[0].score, fast[2])
        assert fast[0] == model.order(bag, engine="fast")
        fates.append(None if fast[2] is None else fast[2].how)
        if fast[2] is None:  # the dictionary does not know a category
            continue
        log = wl.EventLog()
        model.order(bag, trace=log, engine="fast")
        told = with_gold(model, log, bag, sentence, 1)
        fate, moment = fast[2], moment_of_loss(told)
        assert (moment < len(told)) == (fate.how == CUT)
        kinds = [event[0] for event in told.events[:moment]]
        assert fate.how == WON or kinds.count("step") + kinds.count("popped") == fate.lost
        assert "edge" not in kinds or fate_in_log(told) == fate
    assert {WON, CUT} <= set(fates)  # or the test would not have seen the difference


def test_a_wider_beam_keeps_gold_longer() -> None:
    """With all states kept nothing is cut, and gold loses by its score or not at all."""
    model = linearizer()
    for sentence in short_sentences(most=5)[:4]:
        _, _, narrow = ordered(model, wl.bag_of(sentence), sentence, 1, "reference", beam=1)
        result, _, wide = ordered(model, wl.bag_of(sentence), sentence, 1, "reference", beam=3000)
        assert narrow is not None and wide is not None and wide.score is not None
        assert narrow.score == wide.score
        assert wide.how in (WON, OUTSCORED) and wide.score <= result.score
        assert narrow.how != WON or narrow.lost == 0


def test_gold_that_the_bag_does_not_allow_is_unknown() -> None:
    sentence = short_sentences()[0]
    tokens = [wl.Token(token.words, "NEVER-SEEN", token.head) for token in sentence]
    strange = wl.Sentence(tuple(tokens), "strange")
    bag = wl.bag_of(strange, pos=0)
    for model in (linearizer(), best_first()):
        assert ordered(model, bag, strange, 1, "reference")[2] is None


GOLD = ["The", "old", "robin", "saw", "a", "clock", "in", "the", "river", "."]
TAGS = ("DT", "JJ", "NN", "VBD", "DT", "NN", "IN", "DT", "NN", ".")
HEADS = (2, 2, 3, -1, 5, 3, 3, 8, 6, 3)
CASES = {
    "right": (range(10), HEADS, ""),
    "punctuation": ((0, 1, 2, 9, 3, 4, 5, 6, 7, 8), None, "."),
    "function word": ((0, 1, 2, 6, 3, 4, 5, 7, 8, 9), None, "in"),
    "two phrases exchanged": ((4, 5, 3, 0, 1, 2, 6, 7, 8, 9), None, "The old robin ↔ a clock"),
    "words left out": ((0, 1, 2, 3, 4, 6, 7, 8, 9), None, "clock"),
}
"""A kind -> the gold words by place, as they come out, with heads or none; what is named."""


def tree_of(words: list[str], heads: tuple[int, ...] | None = None) -> DependencyTree:
    tags = tuple(TAGS[GOLD.index(word)] for word in words)
    return DependencyTree(tuple(words), tags, heads or tuple([-1] + [0] * (len(words) - 1)))


@pytest.mark.parametrize("kind", CASES)
def test_kinds_of_errors(kind: str) -> None:
    places, heads, where = CASES[kind]
    words = [GOLD[place] for place in places]
    assert ordering_error(tree_of(words, heads), tree_of(GOLD, HEADS)) == (kind, where)


def test_a_wrong_head_and_another_order() -> None:
    """Too much has moved for an exchange: the heads tell the two apart."""
    places = [7, 8, 0, 2, 1, 3, 6, 4, 5, 9]
    words = [GOLD[i] for i in places]
    same = tuple(places.index(HEADS[i]) if HEADS[i] >= 0 else -1 for i in places)
    wrong = list(same)
    wrong[words.index("in")] = words.index("clock")
    worse = [*wrong]
    worse[words.index("clock")] = words.index("river")
    gold = tree_of(GOLD, HEADS)
    assert ordering_error(tree_of(words, same), gold).kind == "right heads, another order"
    error = ordering_error(tree_of(words, tuple(wrong)), gold)
    assert error == ("phrase at the wrong head", "“in” belongs on “saw”, not on “clock”")
    assert ordering_error(tree_of(words, tuple(worse)), gold).kind == "several at wrong heads"


def test_exchanged_phrases_are_those_that_were_exchanged() -> None:
    """Whatever is exchanged is noticed, and what is named really gives the output."""
    chance = random.Random(3)
    for _ in range(300):
        words = [chance.choice("abcdef") for _ in range(chance.randint(2, 9))]
        a, b, c, d = sorted(chance.choices(range(len(words) + 1), k=4))
        made = words[:a] + words[c:d] + words[b:c] + words[a:b] + words[d:]
        pair = exchanged(words, made)
        assert (pair is None) == (made == words)
        if pair:
            assert sorted(made) == sorted(words) and all(pair)
    assert exchanged(list("abcdef"), list("badcfe")) is None


def test_kinds_of_compressions() -> None:
    target = [["rain", "fell"]]
    told = {
        "rain fell": "right",
        "fell rain": "right heads, another order",
        "rain fell again": "kept too much",
        "rain": "cut too much",
        "rain came": "other words kept",
    }
    assert {text: compression_error(text.split(), target).kind for text in told} == told


def test_rows_of_a_model() -> None:
    """Each value is what one gets by asking for it alone."""
    frame, model = one_model().frame, linearizer()
    assert len(frame) == 40 and frame["number"].tolist() == [*range(1, 41)]
    for row, sentence in zip(frame.itertuples(), short_sentences(), strict=False):
        result = model.order(wl.bag_of(sentence), engine="reference")
        assert (row.reference, row.output) == (sentence.text, result.text)
        assert (row.score, row.words) == (result.score, len(sentence.surface))
        assert row.bleu == sentence_bleu(result.text, sentence.text)
        assert row.exact == (row.error == "right") == (result.text == sentence.text)
        assert (row.fate == "won") == pandas.isna(row.lost)
        assert row.fate != "won" or row.gold_score == row.score
        assert row.fate != "outscored" or row.gold_score <= row.score
    assert 0 < frame["exact"].sum() < len(frame)


def test_two_models_side_by_side() -> None:
    frame = two_models().frame
    assert (frame["difference"] == frame["bleu_b"] - frame["bleu_a"]).all()
    alone = exploration(linearizer(), short_sentences()[:12], engine="reference").frame
    assert frame["output_a"].tolist() == alone["output"].tolist()
    assert {"lost_b", "gold_score_b", "fate_b", "ended_b"} <= {*frame.columns}


def test_models_come_by_name() -> None:
    done = exploration({"small": linearizer()}, short_sentences()[:2], engine="reference")
    assert done.table.names == ["small"]


def test_rows_of_compressions() -> None:
    pairs = wl.load_compressions("gazette")
    how = {"max_iterations": 2, "progress": False, "engine": "reference"}
    model = wl.train("cohn-lapata-2009", pairs.train[:6], **how)
    done = exploration(model, pairs.dev[:4], engine="reference", beam=5)
    assert done.frame["relation_f1"].between(0, 1).all()
    assert "lost" not in done.frame and done.table.data()["typed"] == "tree"
    place = done.table.worst(1)[0]
    assert done.table.record(place, 0)["view"] == "transduction"
    typed = done.frame["tree"].iloc[0]
    assert model.compress(typed, engine="reference", beam=5).text == done.frame["output"].iloc[0]


def test_jobs_change_nothing() -> None:
    """But the milliseconds."""
    items = short_sentences()[:9]
    one, two = (exploration(linearizer(), items, jobs=jobs, engine="reference") for jobs in (1, 2))
    assert one.frame.drop(columns="ms").equals(two.frame.drop(columns="ms"))


@pytest.mark.parametrize(
    ("models", "items", "more", "told"),
    [
        ([], 1, {}, "one model or two, not 0"),
        (3, 1, {}, "one model or two, not 3"),
        (1, 0, {}, "no sentences to explore"),
        (1, 1, {"beams": 3}, "no setting 'beams'"),
        (1, 1, {"names": ["a", "b"]}, "1 models have as many different names"),
    ],
)
def test_what_cannot_be_explored(models: Any, items: int, more: Any, told: str) -> None:
    given = [linearizer()] * models if isinstance(models, int) else models
    with pytest.raises(ValueError, match=told):
        exploration(given, short_sentences()[:items], engine="reference", **more)
    with pytest.raises(ValueError, match="number 1 is of the type int"):
        exploration(linearizer(), [3], engine="reference")


def test_lines_of_text_are_explored_without_gold() -> None:
    frame = exploration(linearizer(), ["the robin sang ."], engine="reference").frame
    (row,) = frame.to_dict("records")
    assert row["reference"] == "the robin sang ." and sorted(row["output"].split())[0] == "."
    assert row["fate"] == "unknown" and row["fault"] in ("right", "unknown")


def test_a_page_has_the_recordings_that_were_asked_for(tmp_path: Path) -> None:
    page = ExplorerPage(table_of_size(5), 2)
    asked, none = (page.to_html(tmp_path / f"{number}.html", number) for number in (None, 0))
    assert page.page() == asked.read_text() == page.page(2) != none.read_text()


def test_a_filter_is_what_pandas_says() -> None:
    table = table_of_size(400)
    f = table.frame
    conditions: dict[str, tuple[dict[str, Any], Any]] = {
        "a range": ({"bleu_a": [0, 25]}, (f.bleu_a >= 0) & (f.bleu_a <= 25)),
        "open": ({"lost_b": [30, None]}, f.lost_b >= 30),
        "missing": ({"lost_b": [None, None]}, f.lost_b.notna()),
        "flag": ({"exact_a": False}, ~f.exact_a),
        "kinds": ({"error_b": ["right", "no such"]}, f.error_b == "right"),
        "words": ({"text": "AGAIN"}, (f.reference + " " + f.output_a + " " + f.output_b
                  + " " + f.where_a + " " + f.where_b).str.contains("again", case=False)),
        "markup": ({"text": "<b>a"}, (f.reference + f.output_a + f.output_b + f.where_a
                   + f.where_b).str.contains("<b>a", regex=False)),
        "both": ({"words": [1, 20], "exact_b": True}, f.words.between(1, 20) & f.exact_b),
    }  # fmt: skip
    for name, (chosen, mask) in conditions.items():
        assert 0 < mask.sum() < len(f), name
        assert selected(f, chosen, table.columns).equals(f[mask]), name
    assert selected(f, {}, table.columns).equals(f)


@pytest.mark.parametrize(
    ("chosen", "told"),
    [
        ({"blue": [0, 1]}, "no filter 'blue'; there are text, number, words"),
        ({"bleu_a": 3}, r"the filter 'bleu_a' is \[least, most\], not 3"),
        ({"bleu_a": [0, float("nan")]}, "is .least, most."),
        ({"error_a": "right"}, "is a list of its values, not 'right'"),
        ({"exact_a": 1}, "is True or False, not 1"),
        ({"text": ["x"]}, "the filter 'text' is a string"),
    ],
)
def test_what_is_no_filter(chosen: Any, told: str) -> None:
    table = table_of_size(3)
    with pytest.raises(ValueError, match=told):
        selected(table.frame, chosen, table.columns)


def test_a_selection_is_saved(tmp_path: Path) -> None:
    """What is written is read again: bags, CoNLL-U, rows."""
    from wordorder_lab.corpora.readers.bag_conllu import parse_conllu_bags
    from wordorder_lab.structures.typed_bag import parse_bag

    explorer = ExplorerPage(one_model().table)
    explorer.filter = {"exact": False}
    there = [wl.bag_of(short_sentences()[i - 1]) for i in explorer.selected["number"]]
    assert 0 < len(there) < 40
    text = explorer.save(tmp_path / "hard.txt").read_text(encoding="utf-8")
    assert [parse_bag(line) for line in text.splitlines()] == there
    lines = explorer.save(tmp_path / "hard.conllu").read_text(encoding="utf-8").split("\n")
    assert [bag for _, bag in parse_conllu_bags(lines, "hard")] == there
    rows = pandas.read_csv(explorer.save(tmp_path / "hard.csv"))
    assert rows["bleu"].tolist() == explorer.selected["bleu"].tolist()
    explorer.filter = {"words": [1000, None]}
    with pytest.raises(ValueError, match="no row is selected"):
        explorer.save(tmp_path / "none.txt")
    assert not (tmp_path / "none.txt").exists()
