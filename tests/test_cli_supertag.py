"""The command line with a supertagger: train, supertag, evaluate, and ``--categories``."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from command_line import PLAIN, exit_code, typed

import wordorder_lab as wl
from wordorder_lab.cli import main
from wordorder_lab.corpora.readers.ccgbank import AutoEntry, write_auto
from wordorder_lab.corpora.supertags import parse_supertags, write_unit
from wordorder_lab.structures.sentence import Supertagged

CCG = "zhang-clark-2015-ccg"
SMALL = ["--beam", "16", "--epochs", "1", "--expansions", "100", *PLAIN]


@pytest.fixture(scope="module")
def own(tmp_path_factory: Any) -> SimpleNamespace:
    """Derivations, the same as supertags, a supertagger of them, a CCG model with a dictionary."""
    folder: Path = tmp_path_factory.mktemp("own")
    every = wl.load_corpus("gazette", units="words").train
    short = [one for one in every if one.derivation is not None and len(one) <= 7][:30]
    made = SimpleNamespace(auto=str(folder / "own.auto"), tags=str(folder / "own.stagged"))
    made.tagger, made.ccg = str(folder / "tagger.wol"), str(folder / "ccg.wol")
    write_auto(Path(made.auto), [AutoEntry("", one.derivation) for one in short if one.derivation])
    made.sentences = [Supertagged.of(one) for one in short]
    lines = [
        " ".join(
            write_unit(unit, tag, []) + f"|{category}"
            for unit, tag, category in zip(one.words, one.pos, one.categories)
        )
        for one in made.sentences
    ]
    Path(made.tags).write_text("\n".join(lines) + "\n", encoding="utf-8")
    learn = ["train", "supertagger", "--corpus", made.tags, "--iterations", "15", *PLAIN]
    assert main([*learn, "--min-count", "2", "--out", made.tagger]) == 0
    assert main(["train", CCG, "--corpus", made.auto, *SMALL, "--out", made.ccg]) == 0
    return made


def test_derivations_and_supertags_of_the_same_sentences_train_the_same(
    own: SimpleNamespace, tmp_path: Path, capsys: Any
) -> None:
    out = tmp_path / "of_auto.wol"
    learn = ["train", "supertagger", "--corpus", own.auto, "--iterations", "15", *PLAIN]
    assert main([*learn, "--min-count", "2", "--out", str(out), "--json", "-"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["sentences"], told["min_count"], told["units"]) == (24, 2, "words")
    one, other = wl.load_model(out), wl.load_model(own.tagger)
    assert (one.table.weights == other.table.weights).all()
    assert one.numbers == other.numbers


def test_corpora_lists_and_describes_words_with_categories(
    own: SimpleNamespace, capsys: Any
) -> None:
    assert main(["corpora"]) == 0
    names = {line.split()[0] for line in capsys.readouterr().out.splitlines() if line[:1].strip()}
    assert {"genia", "questions", "gazette"} <= names
    assert main(["corpora", own.tags, "--json", "-"]) == 0
    splits = json.loads(capsys.readouterr().out)["splits"]
    assert sum(row["sentences"] for row in splits.values()) == len(own.sentences)
    assert sum(row["words"] for row in splits.values()) == sum(map(len, own.sentences))
    assert main(["corpora", own.tags, "--units", "base-np"]) == 2
    assert 'use units="words"' in capsys.readouterr().err


def test_supertag_prints_what_it_reads(own: SimpleNamespace, capsys: Any, monkeypatch: Any) -> None:
    tagger = wl.load_model(own.tagger)
    sentence = own.sentences[0]
    words = [unit[0] for unit in sentence.words]
    asked = ["supertag", "--model", own.tagger, "--beta", "0.01", *PLAIN]
    assert main([*asked, " ".join(f"{w}|{t}" for w, t in zip(words, sentence.pos))]) == 0
    said = capsys.readouterr()
    (line,) = parse_supertags(said.out.splitlines(), "stdout")
    assert said.err == ""
    expected = tagger.tag(sentence, beta=0.01)
    assert line.categories == tuple(tuple(str(c) for c, _ in of_word) for of_word in expected)
    typed(monkeypatch, " ".join(words) + "\n\nrain|NN falls\n")
    assert main([*asked, "--json", "-"]) == 0
    said = capsys.readouterr()
    assert f"{len(words)} tags are guessed" in said.err and "1 tag is guessed" in said.err
    data = json.loads(said.out)
    assert [len(one["words"]) for one in data] == [len(words), 2]
    assert [unit["tag_given"] for unit in data[1]["words"]] == [True, False]
    assert main(["supertag", "--model", own.tagger, "--corpus", own.tags, *PLAIN]) == 0
    assert len(list(parse_supertags(capsys.readouterr().out.splitlines(), "stdout"))) == 3


def test_evaluate_a_supertagger(own: SimpleNamespace, tmp_path: Path, capsys: Any) -> None:
    path = tmp_path / "scores.json"
    asked = ["evaluate", "--model", own.tagger, "--split", "train", *PLAIN, "--json", str(path)]
    assert main(asked) == 0
    shown = capsys.readouterr().out
    assert "words right, gold tags" in shown and "most frequent category" in shown
    data = json.loads(path.read_text())
    assert data["accuracy"] > data["baseline"] > 0.5
    kept = [(row["categories"], row["coverage"]) for row in data["kept"]]
    assert kept == sorted(kept) and kept[0][0] >= 1
    right = sum(
        of_word[0][0] is gold
        for one in own.sentences[:24]
        for of_word, gold in zip(wl.load_model(own.tagger).tag(one), one.categories)
    )
    assert data["accuracy"] == right / sum(map(len, own.sentences[:24]))
    marks = sum(gold.text in ".,:;" for one in own.sentences[:24] for gold in one.categories)
    words = sum(map(len, own.sentences[:24]))
    assert marks and data["without_marks"] == pytest.approx((right - marks) / (words - marks))


def test_evaluate_and_order_with_categories(
    own: SimpleNamespace, tmp_path: Path, capsys: Any
) -> None:
    path = tmp_path / "scores.json"
    asked = ["evaluate", "--model", own.ccg, "--split", "train", "--expansions", "60", *PLAIN]
    chosen = ["--supertagger", own.tagger, "--categories", "beta=0.1", "--json", str(path)]
    assert main([*asked, *chosen]) == 0
    assert "not the bag-of-words task" in capsys.readouterr().out
    assert json.loads(path.read_text())["categories"] == "beta=0.1"
    assert main([*asked, "--categories", own.tags]) == 0
    assert "which may know the true order" in capsys.readouterr().out
    assert main(asked) == 0
    assert "true order" not in capsys.readouterr().out
    first = " ".join(unit[0] for unit in own.sentences[0].words)
    order = ["order", "--model", own.ccg, first, *PLAIN]
    for categories in (["beta=0.1", "--supertagger", own.tagger], [own.tags]):
        assert main([*order, "--categories", *categories]) == 0
        said = capsys.readouterr()
        assert "taken to stand in their true order" in said.err
        model = wl.load_model(own.ccg).with_tagger(wl.load_model(own.tagger))
        bag = model.tagged(first, categories[0])
        assert model.order(bag, engine="reference").text in said.out


def test_a_model_trained_with_beta_can_be_used_alone(
    own: SimpleNamespace, tmp_path: Path, capsys: Any
) -> None:
    out = tmp_path / "beta.wol"
    how = ["--categories", "beta=0.01", "--jackknife", "2", "--out", str(out)]
    assert main(["train", CCG, "--corpus", own.auto, *SMALL, *how]) == 0
    capsys.readouterr()
    assert main(["evaluate", "--model", str(out), "--expansions", "60", *PLAIN]) == 0
    shown = capsys.readouterr().out
    assert "categories beta=0.01" in shown and "not the bag-of-words task" in shown


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("evaluate --model {ccg} --categories beta=0.1", "need a supertagger"),
        ("evaluate --model {ccg} --categories beta=7", "from 0"),
        ("evaluate --model {ccg} --supertagger {ccg}", "that is wordorder-lab order"),
        ("evaluate --model {ccg} --categories {auto}", "is not word|POS|category"),
        ("evaluate --model {tagger} --beam 4", "supertagger has no --beam"),
        ("order --model {tagger} rain", "that is wordorder-lab supertag"),
        ("supertag --model {ccg} rain", "that is wordorder-lab order"),
        ("supertag --model {tagger} rain|NN|N", "is not a word or word|POS"),
        ("supertag --model {tagger} --corpus {tags} rain", "leave one of them out"),
        ("train supertagger --corpus {tags} --epochs 3 --out x.wol", "has no --epochs"),
        ("evaluate --model {tagger} --beta 0.1", "evaluate has a row for each of several"),
        ("train liu-2015 --supertagger {tagger} --out x.wol", "liu-2015 has no --supertagger"),
        ("train {ccg_name} --jackknife 999 --out x.wol", "jackknife"),
        ("train supertagger --corpus nowhere --out x.wol", "genia"),
        ("train supertagger --corpus ewt --out x.wol", "CCG derivation"),
    ],
)
def test_bad_input_is_one_line(
    own: SimpleNamespace, line: str, said: str, tmp_path: Path, monkeypatch: Any, capsys: Any
) -> None:
    if "ewt" in line:
        pytest.importorskip("conllu")
        try:
            wl.load_corpus("ewt")
        except ValueError as absent:
            pytest.skip(str(absent))
    monkeypatch.chdir(tmp_path)
    names = {**vars(own), "ccg_name": CCG}
    asked = [word.format(**names) for word in line.split()]
    assert exit_code(asked) == 2
    told = capsys.readouterr().err.strip().splitlines()
    assert len(told) == 1 and said in told[0]


def test_the_help_says_what_categories_do_to_the_task(capsys: Any) -> None:
    with pytest.raises(SystemExit):
        main(["evaluate", "--help"])
    assert "no bag-of-words task" in " ".join(capsys.readouterr().out.split()).replace("- ", "-")
