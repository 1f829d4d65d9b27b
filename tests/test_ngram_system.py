"""The system "ngram-beam": trained, saved, loaded, asked by command line, and refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from both_engines import ENGINES

import wordorder_lab as wl
from wordorder_lab.cli import main
from wordorder_lab.models.arpa import read_arpa
from wordorder_lab.models.kneser_ney import signature
from wordorder_lab.ngram_beam.held_karp import best_orders
from wordorder_lab.structures.bag import bag_of

SENTENCES = wl.load_corpus("gazette").train[:150]


def trained(**settings):
    return wl.train("ngram-beam", SENTENCES, engine="reference", **settings)


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    folder: Path = tmp_path_factory.mktemp("ngrams")
    trained(about={"corpus": "gazette", "units": "base-np"}).save(folder / "n.wol")
    return folder


@pytest.mark.parametrize(
    "settings", [{}, {"lower_case": True, "order": 3}, {"tagged": True}, {"signatures": False}]
)
def test_a_model_orders_the_same_on_both_engines_after_it_was_saved(settings, tmp_path) -> None:
    pytest.importorskip("numba")
    model = trained(**settings)
    model.save(tmp_path / "m.wol")
    again = wl.load_model(tmp_path / "m.wol")
    again.save(tmp_path / "again.wol")
    assert (tmp_path / "m.wol").read_bytes() == (tmp_path / "again.wol").read_bytes()
    for sentence in wl.load_corpus("gazette").dev[:6]:
        for pos in (0, 1):
            bag = bag_of(sentence, pos)
            one, other = (
                model.order(bag, k=3, engine="reference"),
                again.order(bag, k=3, engine="fast"),
            )
            assert one == other
            assert sorted(one.surface) == sorted(sentence.surface)
            assert sorted(one.order) == list(range(len(bag)))
            assert [bag.form(i) for i in one.order] == one.words


def test_the_score_is_that_of_the_sentence_with_its_marks() -> None:
    model = trained()
    result = model.order(wl.WordBag(["the", "mayor and council", "."]), engine="reference")
    words = [
        token
        for unit in result.units
        for token in (("<np>", *unit, "</np>") if len(unit) > 1 else unit)
    ]
    known = [word if word in model.ngrams.vocabulary else signature(word) for word in words]
    assert "<small>" in known and result.score == pytest.approx(model.ngrams.score(known))
    plain = trained(mark_phrases=False, signatures=False)
    result = plain.order(wl.WordBag(["the", "mayor and council", "."]), engine="reference")
    assert result.score == pytest.approx(plain.ngrams.score(result.surface))


def test_exact_search_is_at_least_as_good_as_any_beam() -> None:
    model, better = trained(), 0
    for sentence in [one for one in SENTENCES if 5 < len(one) < 10][:8]:
        bag = bag_of(sentence)
        exact = model.order(bag, exact=True, beam=1, engine="reference", k=2)
        greedy = model.order(bag, beam=1, engine="reference")
        wide = model.order(bag, beam=256, engine="reference")
        assert exact.score >= wide.score - 1e-9 and wide.score >= greedy.score - 1e-9
        better += exact.score > greedy.score + 1e-9
        assert exact.score >= exact.k_best[1].score and exact.text != exact.k_best[1].text
    assert better


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("exact", [False, True])
def test_a_list_says_which_words_it_does_not_exchange(engine, exact, folder, capsys) -> None:
    """Words that the model cannot tell apart stand in one order, and the reader is told."""
    model, bag = wl.load_model(folder / "n.wol"), ["the", "blorp", "zyxes", "grumb", "."]
    found = model.order(bag, k=9, exact=exact, engine=engine)
    assert found.alike == (("blorp", "grumb"),)
    texts = {one.text for one in found.k_best}
    for one in found.k_best:  # no two of them are the same but for the two words
        swapped = " ".join({"blorp": "grumb", "grumb": "blorp"}.get(w, w) for w in one.words)
        assert swapped not in texts
    assert "not listed: the same with “blorp” and “grumb” in each other's" in found._repr_html_()
    known = model.order(["the", "."], k=2, exact=exact, engine=engine)
    assert known.alike == () and "not listed" not in known._repr_html_()
    asked = ["order", "--model", str(folder / "n.wol"), "--engine", engine, *bag]
    assert main([*asked, "--k", "9", "--json", str(folder / "k.json")]) == 0
    assert found.unlisted in capsys.readouterr().out.split("\n")
    assert json.loads((folder / "k.json").read_text())[0]["alike"] == [["blorp", "grumb"]]
    assert main(asked) == 0 and "not listed" not in capsys.readouterr().out


def test_exact_search_drops_what_cannot_win() -> None:
    """A narrow beam costs it nothing; what is dropped changes neither scores nor orders."""
    model, words = trained(), "the a of in and to council mayor new ."
    bag = wl.WordBag(words.split())
    seen = model.seen(model.problem(bag))
    for k, most in ((1, 10_000), (8, 40_000)):
        result = model.order(bag, exact=True, beam=1, engine="reference", k=k)
        everything, done = best_orders(seen, model.ngrams, k)
        assert [one.score for one in result.k_best] == [score for score, _ in everything]
        assert result.counters["candidates"] < most and result.counters["states"] < done["states"]


def test_the_switches_make_a_difference() -> None:
    model = trained()
    bags = [bag_of(one) for one in SENTENCES[:10]]
    for switch in ("future_cost", "recombine"):
        orders = [
            [model.order(bag, beam=4, engine="reference", **{switch: on}) for bag in bags]
            for on in (True, False)
        ]
        assert [one.counters for one in orders[0]] != [one.counters for one in orders[1]]
    free = model.order(bags[0], engine="reference", recombine=False)
    assert free.counters["recombined"] == 0


def test_what_the_model_was_not_told_it_learns_from_text(tmp_path) -> None:
    text = tmp_path / "more.txt"
    text.write_text("\n".join(["zebras graze here", ""] * 3) + "\n", encoding="utf-8")
    bag = wl.WordBag(["here", "zebras", "graze"])
    without, with_text = trained(), trained(text=(str(text),))
    assert with_text.order(bag, engine="reference").text == "zebras graze here"
    assert with_text.ngrams.word_id("zebras") and not without.ngrams.word_id("zebras")
    assert "text" not in with_text.settings  # a path of this machine


def test_train_order_evaluate_and_arpa_on_the_command_line(folder, capsys, monkeypatch) -> None:
    monkeypatch.chdir(folder)
    argv = ["train", "ngram-beam", "--corpus", "gazette", "--order", "3", "--arpa", "n.arpa"]
    assert main([*argv, "--engine", "reference", "--out", "m.wol", "--quiet"]) == 0
    assert read_arpa("n.arpa").order == 3
    again = ["train", "ngram-beam", "--corpus", "gazette", "--ngrams", "n.arpa", "--quiet"]
    assert main([*again, "--engine", "reference", "--out", "a.wol"]) == 0
    capsys.readouterr()
    texts = []
    for model in ("m.wol", "a.wol"):
        how = ["--engine", "reference", "--exact", "--json", "-", "--k", "2"]
        assert main(["order", "--model", model, *how, "the mayor opened [a new bridge] ."]) == 0
        texts.append(json.loads(capsys.readouterr().out)[0]["text"])
    assert texts[0] == texts[1]
    how = ["--beam", "2", "--no-future-cost", "--no-recombine", "--engine", "reference"]
    assert main(["evaluate", "--model", "m.wol", *how, "--json", "e.json", "--show", "1"]) == 0
    told = json.loads((folder / "e.json").read_text())
    assert told["future_cost"] is False and told["recombine"] is False and told["beam"] == 2
    assert 0 < told["bleu_13a_lc"] <= 100
    assert "future_cost False" in capsys.readouterr().out


def bad(right: str, wrong: str) -> str:
    """A small ARPA file with something wrong in it."""
    return (
        "\\data\\\nngram 1=3\nngram 2=1\n\n\\1-grams:\n-1\t<unk>\n-99\t<s>\t-0.3\n-0.5\t</s>\n\n"
        "\\2-grams:\n-0.2\t<s> </s>\n\n\\end\\\n"
    ).replace(right, wrong)


FILES = {
    "missing.arpa": bad("\\2-grams:", "").encode(),
    "above.arpa": bad("-0.5", "0.5").encode(),
    "two.arpa": bad("-0.2", "-0.25").encode(),
    "empty.txt": b"\n \n",
    "blank.txt": "a b\nc 1\u00a0000 d\n".encode(),
    "latin.txt": b"a b\ncaf\xe9\n",
    "spaced.arpa": bad("-0.5\t</s>", "-0.5\ta b\t</s>").encode(),
}
REFUSED = {
    "section": (
        ["--ngrams", "missing.arpa"],
        "missing.arpa, line 11: the head announces 3 1-grams",
    ),
    "probability": (["--ngrams", "above.arpa"], "above.arpa, line 8: '0.5' is not the log10"),
    "order": (["--ngrams", "two.arpa", "--order", "5"], "two.arpa has n-grams of up to 2 words"),
    "word": (["--ngrams", "spaced.arpa"], "spaced.arpa, line 8: 4 fields; a 1-gram has 2 or 3"),
    "empty": (["--text", "empty.txt"], "empty.txt has no words: give a text with a sentence"),
    "blank": (["--text", "blank.txt"], "blank.txt, line 2: the word '1\\xa0000' has a blank"),
    "latin": (["--text", "latin.txt"], "line 2 of latin.txt is not UTF-8 text"),
    "no text": (["--text", "none.txt"], "none.txt cannot be read"),
    "both": (["--text", "empty.txt", "--ngrams", "two.arpa"], "leave one of them"),
    "tags": (["--text", "empty.txt", "--tagged"], "plain text has no tags"),
    "epochs": (["--epochs", "3"], "ngram-beam has no --epochs in its training"),
    "far": (["--order", "99"], "99"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_bad_training_input_is_one_line(name, tmp_path, monkeypatch, capsys) -> None:
    monkeypatch.chdir(tmp_path)
    for file, data in FILES.items():
        (tmp_path / file).write_bytes(data)
    argv, says = REFUSED[name]
    try:
        code = main(["train", "ngram-beam", "--corpus", "gazette", *argv, "--out", "m.wol"])
    except SystemExit as refused:  # by the parser
        code = int(refused.code or 0)
    said = capsys.readouterr().err
    assert code == 2 and says in said and said.count("\n") == 1, said
    assert not (tmp_path / "m.wol").exists()


ASKED = {
    "heads": (["a>0 b>1"], "takes no heads: leave them out"),
    "play": (["--exact", "--play", "p.html", "a b"], "leave out exact, or the trace"),
    "chart": (["--chart", "sizes", "a b"], "ngram-beam has no --chart in its search; it has"),
}


@pytest.mark.parametrize("name", ASKED)
def test_bad_bags_are_one_line(name, folder, monkeypatch, capsys) -> None:
    monkeypatch.chdir(folder)
    argv, says = ASKED[name]
    assert main(["order", "--model", "n.wol", "--engine", "reference", *argv]) == 2
    said = capsys.readouterr().err
    assert says in said and said.count("\n") == 1


def test_exact_says_how_large_a_bag_may_be(folder, monkeypatch, capsys) -> None:
    monkeypatch.chdir(folder)
    known = wl.load_model("n.wol").ngrams.vocabulary
    words = [word for word in known if word.isalpha()][:15]
    assert main(["order", "--model", "n.wol", "--exact", *words, "--engine", "reference"]) == 2
    said = capsys.readouterr().err
    assert "16,384 at most, those of 14 different units; this bag would need" in said
