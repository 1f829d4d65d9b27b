"""The command line with realizers, parsers and supertaggers, and ``explore``."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import pytest
from browser import ready
from command_line import PLAIN, Files, derived, exit_code, typed
from nltk.tree import Tree

import wordorder_lab as wl
from wordorder_lab.cli import main
from wordorder_lab.corpora import CorpusError
from wordorder_lab.corpora.lemma_corpora import GET
from wordorder_lab.corpora.readers.lemma_trees import read_lemma_trees
from wordorder_lab.corpora.supertags import parse_supertags
from wordorder_lab.structures.messages import LONGEST
from wordorder_lab.structures.sentence import Supertagged

SYSTEM = "liu-2015-realization"

# --- trees of lemmas ------------------------------------------------------------------------------


def test_realize_prints_a_sentence_a_line(own, capsys) -> None:
    asked = ["realize", "--model", own.realizer, "--conllu", own.input, *PLAIN]
    assert main(asked) == 0
    lines = capsys.readouterr().out.splitlines()
    model = wl.load_model(own.realizer)
    trees = read_lemma_trees([Path(own.input)]).sentences
    assert lines == [model.realize(tree, engine="reference").text for tree in trees]
    assert main([*asked, "--detokenize", "--k", "2", "--json", "-"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert [one["text"] for one in data] == lines
    assert [one["detokenized"] for one in data] == [line.replace(" .", ".") for line in lines]
    assert all(one["k_best"][0]["order"] == one["order"] for one in data)


def test_what_is_no_tree_can_be_left_out(own, capsys, monkeypatch) -> None:
    blocks = Path(own.input).read_text(encoding="utf-8").split("\n\n")[:3]
    rows = blocks[1].split("\n")
    bad = {
        "a cycle": [*rows[:1], *(_with(row, 6, "2" if i == 0 else "1") for i, row in _of(rows))],
        "two roots": [*rows[:1], *(_with(row, 6, "0") for _, row in _of(rows))],
        "no lemma": [*rows[:1], *(_with(row, 1, "_") for _, row in _of(rows))],
        "spaces": [row.replace("\t", "    ") for row in rows],
        "empty": rows[:1],
        "no value": [*rows[:1], *(_with(row, 5, "Number") for _, row in _of(rows))],
    }
    asked = ["realize", "--model", own.realizer, "--conllu", "-", *PLAIN]
    for name, broken in bad.items():
        text = "\n\n".join([blocks[0], "\n".join(broken), blocks[2]]) + "\n\n"
        begin = 2 + text[: len(blocks[0])].count("\n")
        typed(monkeypatch, text)
        assert main(asked) == 2, name
        said = capsys.readouterr()
        assert said.err.count("\n") == 1 and "line " in said.err and "Traceback" not in said.err
        number = int(said.err.partition("line ")[2].split(" ")[0].replace(",", ""))
        assert begin <= number <= begin + len(broken), (name, said.err)
        typed(monkeypatch, text)
        assert main([*asked, "--skip-bad"]) == 0, name
        said = capsys.readouterr()
        assert len(said.out.splitlines()) == 2
        assert said.err.startswith("left out: ") and "1 sentence left out" in said.err


def _of(rows: list[str]) -> list[tuple[int, str]]:
    return list(enumerate(rows[1:]))


def _with(row: str, column: int, value: str) -> str:
    columns = row.split("\t")
    columns[column] = value
    return "\t".join(columns)


def test_unknown_names_are_realized_without_a_word(own, capsys, monkeypatch) -> None:
    text = Path(own.input).read_text(encoding="utf-8")
    text = text.replace("\tnsubj\t", "\tdoer\t").replace("Degree=Pos", "Degree=Pos|Mine=Yes")
    typed(monkeypatch, text)
    assert main(["realize", "--model", own.realizer, "--conllu", "-", *PLAIN]) == 0
    said = capsys.readouterr()
    assert len(said.out.splitlines()) == 3 and said.err == ""


def test_evaluate_scores_as_the_shared_tasks_do(own, capsys) -> None:
    asked = ["evaluate", "--model", own.realizer, "--corpus", own.bank, *PLAIN, "--json", "-"]
    assert main([*asked, "--split", "test"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["sentences"] == 4 and data["brevity"] == 1 and data["stopped"] == {"complete": 4}
    assert 0 < data["bleu_cased"] <= data["bleu_lc"] < 100.001 and data["inflected"] > 0.5
    assert "tok:none" in data["bleu_lc_signature"]
    assert main([*asked, "--split", "test", "--jobs", "2"]) == 0
    again = json.loads(capsys.readouterr().out)
    times = {"ms_per_sentence": 0, "ms_median": 0}
    assert again | times == data | times
    assert main([*asked[:-2], "--split", "test", "--errors"]) == 0
    told = capsys.readouterr().out
    assert "BLEU without it" in told and "punctuation" in told and "wrong way round" in told


def test_training_tells_its_epochs(own, capsys, tmp_path) -> None:
    out = tmp_path / "new.wol"
    learn = ["train", SYSTEM, "--corpus", own.bank, "--beam", "2", "--epochs", "2", *PLAIN]
    told = ["--eval", "dev", "--inflection", "first", "--no-labels", "--json", "-"]
    assert main([*learn, *told, "--out", str(out)]) == 0
    data = json.loads(capsys.readouterr().out)
    assert [row["epoch"] for row in data["by_epoch"]] == [1, 2]
    assert data["trees"] == 32 and data["forms"] == 1 and data["labels"] is False
    assert data["english"] is False and data["corpus"] == own.bank
    assert 0 <= data["by_epoch"][1]["bleu_cased"] <= 100
    assert not out.with_name("new.wol.checkpoint").exists()


def test_options_are_refused_before_any_tree_is_blamed(own, capsys, tmp_path) -> None:
    asked = ["realize", "--model", own.realizer, "--conllu", own.input, "--skip-bad", *PLAIN]
    for more in (["--beam", "0"], ["--lm-weight", "1"]):
        assert exit_code([*asked, *more]) == 2
        said = capsys.readouterr()
        assert said.out == "" and "line " not in said.err
    untraced = str(tmp_path / "head.wol")
    learn = ["train", "guo-2011", "--corpus", own.bank, *PLAIN, "--out", untraced]
    assert main(learn) == 0 and "--english" in capsys.readouterr().out
    asked[2] = untraced
    assert main([*asked, "--play", str(tmp_path / "page.html")]) == 2
    said = capsys.readouterr().err
    assert "no steps to watch" in said and "left out" not in said


def test_a_sentence_is_listed_once_and_one_too_large_not_at_all(own, capsys, monkeypatch) -> None:
    row = "{}\trobin\t_\tNOUN\tNN\t_\t{}\t{}\t_\t_"
    rows = [row.format(1, 0, "root"), *(row.format(i, 1, "nmod") for i in range(2, 1002))]
    small = Path(own.input).read_text(encoding="utf-8").split("\n\n")[0]
    text = "\n\n".join([small, "\n".join(rows), small]) + "\n\n"
    typed(monkeypatch, text)
    asked = ["realize", "--model", own.realizer, "--conllu", "-", "--k", "4", *PLAIN]
    assert main([*asked, "--skip-bad"]) == 0
    said = capsys.readouterr()
    lines = [line.split(maxsplit=1)[1] for line in said.out.splitlines()]
    half = len(lines) // 2
    assert lines[:half] == lines[half:] and len(set(lines)) == half
    assert said.err.count("left out: ") == 1 and "1000 are the most" in said.err


def test_the_command_that_gets_the_corpus_is_told_whole(capsys, monkeypatch, tmp_path) -> None:
    folders = [tmp_path / f"{'deep' * 9}{i}" for i in range(9)]
    monkeypatch.setattr("wordorder_lab.corpora.readers.files.data_roots", lambda _: iter(folders))
    assert main(["train", SYSTEM, "--corpus", "sr18", "--out", str(tmp_path / "x.wol")]) == 2
    said = capsys.readouterr().err
    assert GET in said and said.count("\n") == 1 and len(said) <= LONGEST + 1
    assert "looked in" not in said or f"{folders[0]}, ...)" in said


def test_without_lists_of_english_forms_there_is_a_way(own, capsys, tmp_path, monkeypatch) -> None:
    """A package that was just installed has no such lists."""

    def none_here(*_: object) -> None:
        raise CorpusError("the lists are not here")

    monkeypatch.setattr("wordorder_lab.systems.realization_examples.inflection_lists", none_here)
    out = tmp_path / "own.wol"
    learn = ["train", "bohnet-2011", "--corpus", own.bank, "--epochs", "1", *PLAIN]
    assert main([*learn, "--english", "--out", str(out)]) == 2
    assert "--no-english trains without these: the lists" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())
    assert main([*learn, "--no-english", "--out", str(out)]) == 0


# --- parses ---------------------------------------------------------------------------------------

SENTENCE = "the old robin paints a clock ."


def parse(own: Files, *more: str) -> int:
    return main(["parse", "--model", own.parser, *PLAIN, *more])


def test_a_sentence_is_parsed_from_anywhere(own, tmp_path, monkeypatch, capsys) -> None:
    tree = wl.load_model(own.parser).parse(SENTENCE, engine="reference").tree
    assert parse(own, SENTENCE) == 0
    said = capsys.readouterr()
    assert Tree.fromstring(said.out) == tree and said.err == ""
    typed(monkeypatch, f"{SENTENCE}\n\n{SENTENCE}\n")
    assert parse(own, "--tree") == 0
    assert capsys.readouterr().out.count("(S\n") == 2
    path = tmp_path / "some.txt"
    path.write_text(f"{SENTENCE}\nthe old robin ( a clock )\n", encoding="utf-8")
    assert parse(own, "--file", str(path), "--json", "-") == 0
    first, second = json.loads(capsys.readouterr().out)
    assert first["tree"].split() == " ".join(str(tree).split()).split()
    assert second["words"][3] == "(" and "-LRB-)" in second["tree"]
    assert Tree.fromstring(second["tree"]).leaves()[3] == "-LRB-"


def test_tags_may_be_given_and_text_may_get_a_hint(own, tmp_path, capsys) -> None:
    assert parse(own, "--tagged", "--json", "-", "the|DT old|NN robin paints a clock .") == 0
    (data,) = json.loads(capsys.readouterr().out)
    assert data["tags"][:2] == ["DT", "NN"]
    assert parse(own, "the old robin, a clock.") == 0
    assert "'robin ,'" in capsys.readouterr().err
    path = tmp_path / "some.txt"
    path.write_text("the clock .\nthe old robin, a clock .\nthe robin.\n", encoding="utf-8")
    assert parse(own, "--file", str(path)) == 0
    said = capsys.readouterr().err  # once, however many lines
    assert said.count("looks like two words") == 1 and "line 2 of" in said
    assert parse(own, "the clock|NN") == 0  # without --tagged it is a word
    assert "clock|NN" in capsys.readouterr().out


def test_a_search_is_recorded(own, tmp_path) -> None:
    trace = tmp_path / "run.jsonl"
    assert parse(own, SENTENCE, "--beam", "2", "--trace", str(trace)) == 0
    kinds = {event[0] for event in wl.EventLog.load(trace)}
    assert kinds >= {"begin", "constituent", "out_of_beam", "parsed"}


def test_evaluate_prints_brackets_and_counts(own, tmp_path, capsys) -> None:
    path = tmp_path / "scores.json"
    asked = ["evaluate", "--model", own.parser, *PLAIN]  # on what it was trained on
    assert main([*asked, "--json", str(path)]) == 0
    said, data = capsys.readouterr().out, json.loads(path.read_text())
    assert "labelled brackets F1" in said and "put together of pieces" in said
    assert data["tags_given"]["f1"] == data["tags_guessed"]["f1"] == 1.0
    assert (data["sentences"], data["fallbacks_given"], data["left_out"]) == (2, 0, 0)


@pytest.mark.corpus
def test_trees_of_gum_are_read_beside_the_penn_sample() -> None:
    both, gum = wl.load_treebank("ptb-sample+gum"), wl.load_treebank("gum")
    assert len(both.dev) == 233 and len(gum.dev) == 1_575
    assert len(both.train) == 3_355 + 10_224
    assert gum.dev[0].tree.label() == "ROOT"


# --- supertags ------------------------------------------------------------------------------------


@cache
def tagged() -> list[Supertagged]:
    return [Supertagged.of(sentence) for sentence in derived()]


def test_derivations_and_their_supertags_train_the_same(own, tmp_path, capsys) -> None:
    out = tmp_path / "of_auto.wol"
    learn = ["train", "supertagger", "--corpus", own.auto, "--iterations", "15", *PLAIN]
    assert main([*learn, "--min-count", "2", "--out", str(out), "--json", "-"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["sentences"], told["min_count"], told["units"]) == (16, 2, "words")
    one, other = wl.load_model(out), wl.load_model(own.tagger)
    assert (one.table.weights == other.table.weights).all()
    assert one.numbers == other.numbers


def test_corpora_describes_words_with_categories(own, capsys) -> None:
    assert main(["corpora"]) == 0
    names = {line.split()[0] for line in capsys.readouterr().out.splitlines() if line[:1].strip()}
    assert {"genia", "questions", "gazette"} <= names
    assert main(["corpora", own.stagged, "--json", "-"]) == 0
    splits = json.loads(capsys.readouterr().out)["splits"]
    assert sum(row["sentences"] for row in splits.values()) == len(tagged())
    assert sum(row["words"] for row in splits.values()) == sum(map(len, tagged()))


def test_supertag_prints_what_it_reads(own, capsys, monkeypatch) -> None:
    tagger = wl.load_model(own.tagger)
    sentence = tagged()[0]
    words = [unit[0] for unit in sentence.words]
    asked = ["supertag", "--model", own.tagger, "--beta", "0.01", *PLAIN]
    assert main([*asked, " ".join(f"{w}|{t}" for w, t in zip(words, sentence.pos))]) == 0
    said = capsys.readouterr()
    (line,) = parse_supertags(said.out.splitlines(), "stdout")
    assert said.err == ""
    expected = tagger.tag(sentence, beta=0.01, engine="reference")
    assert line.categories == tuple(tuple(str(c) for c, _ in of_word) for of_word in expected)
    typed(monkeypatch, " ".join(words) + "\n\nrain|NN falls\n")
    assert main([*asked, "--json", "-"]) == 0
    said = capsys.readouterr()
    assert f"{len(words)} tags are guessed" in said.err and "1 tag is guessed" in said.err
    data = json.loads(said.out)
    assert [len(one["words"]) for one in data] == [len(words), 2]
    assert [unit["tag_given"] for unit in data[1]["words"]] == [True, False]
    assert main(["supertag", "--model", own.tagger, "--corpus", own.stagged, *PLAIN]) == 0
    assert len(list(parse_supertags(capsys.readouterr().out.splitlines(), "stdout"))) == 2


def test_evaluate_a_supertagger(own, tmp_path, capsys) -> None:
    path = tmp_path / "scores.json"
    asked = ["evaluate", "--model", own.tagger, "--split", "train", *PLAIN, "--json", str(path)]
    assert main(asked) == 0
    shown = capsys.readouterr().out
    assert "words right, gold tags" in shown and "most frequent category" in shown
    data = json.loads(path.read_text())
    assert data["accuracy"] > data["baseline"] > 0.5
    kept = [(row["categories"], row["coverage"]) for row in data["kept"]]
    assert kept == sorted(kept) and kept[0][0] >= 1
    tagger = wl.load_model(own.tagger)
    right = sum(
        of_word[0][0] is gold
        for one in tagged()[:16]
        for of_word, gold in zip(tagger.tag(one, engine="reference"), one.categories)
    )
    assert data["accuracy"] == right / sum(map(len, tagged()[:16]))
    marks = sum(gold.text in ".,:;" for one in tagged()[:16] for gold in one.categories)
    words = sum(map(len, tagged()[:16]))
    assert marks and data["without_marks"] == pytest.approx((right - marks) / (words - marks))


def test_evaluate_and_order_with_categories(own, tmp_path, capsys) -> None:
    path = tmp_path / "scores.json"
    asked = ["evaluate", "--model", own.ccg, "--split", "train", "--expansions", "60", *PLAIN]
    chosen = ["--supertagger", own.tagger, "--categories", "beta=0.1", "--json", str(path)]
    assert main([*asked, *chosen]) == 0
    assert "not the bag-of-words task" in capsys.readouterr().out
    assert json.loads(path.read_text())["categories"] == "beta=0.1"
    assert main([*asked, "--categories", own.stagged]) == 0
    assert "which may know the true order" in capsys.readouterr().out
    assert main(asked) == 0
    assert "true order" not in capsys.readouterr().out
    first = " ".join(unit[0] for unit in tagged()[0].words)
    order = ["order", "--model", own.ccg, first, *PLAIN]
    for categories in (["beta=0.1", "--supertagger", own.tagger], [own.stagged]):
        assert main([*order, "--categories", *categories]) == 0
        said = capsys.readouterr()
        assert "taken to stand in their true order" in said.err
        model = wl.load_model(own.ccg).with_tagger(wl.load_model(own.tagger))
        bag = model.tagged(first, categories[0])
        assert model.order(bag, engine="reference").text in said.out


def test_a_model_trained_with_beta_can_be_used_alone(own, tmp_path, capsys) -> None:
    out = tmp_path / "beta.wol"
    size = ["--beam", "16", "--epochs", "1", "--expansions", "100", *PLAIN]
    how = ["--categories", "beta=0.01", "--jackknife", "2", "--out", str(out)]
    assert main(["train", "zhang-clark-2015-ccg", "--corpus", own.auto, *size, *how]) == 0
    capsys.readouterr()
    assert main(["evaluate", "--model", str(out), "--expansions", "60", *PLAIN]) == 0
    shown = capsys.readouterr().out
    assert "categories beta=0.01" in shown and "not the bag-of-words task" in shown


def test_the_help_says_what_categories_do_to_the_task(own, capsys) -> None:
    with pytest.raises(SystemExit):
        main(["evaluate", "--model", own.ccg, "--help"])
    assert "no bag-of-words task" in " ".join(capsys.readouterr().out.split()).replace("- ", "-")


# --- exploring ------------------------------------------------------------------------------------


def test_a_page_of_one_model(own, tmp_path, page, capsys) -> None:
    """It holds the split, opens offline, and plays as many sentences as were asked for."""
    out, numbers = tmp_path / "one.html", tmp_path / "one.json"
    line = ["explore", "--model", own.model, "--corpus", own.corpus, *PLAIN]
    line += ["--split", "train", "--sentences", "7", "--recordings", "2"]
    assert main([*line, "--out", str(out), "--json", str(numbers)]) == 0
    data = json.loads(numbers.read_text(encoding="utf-8"))
    assert data["sentences"] == 7 and sum(data["errors"]["own"].values()) == 7
    assert f"open {out}" in capsys.readouterr().out
    ready(page, out)
    assert page.locator("output.wol-place").first.inner_text() == "7 of 7 sentences"
    assert len(page.evaluate("() => Object.keys(wordorderExplorer.data.plays)")) == 2


def test_two_models_and_pairs(own, tmp_path, capsys) -> None:
    line = ["--model", own.model, "--model", own.best, "--corpus", own.corpus, *PLAIN]
    line += ["--recordings", "0", "--out", str(tmp_path / "two.html"), "--json", "-"]
    assert main(["explore", *line]) == 0
    out = capsys.readouterr().out
    assert [*json.loads(out[out.index("{") :])["errors"]] == ["own", "best"]
    page = tmp_path / "short.html"
    line = ["--model", own.short, "--corpus", own.pairs, *PLAIN, "--recordings", "1"]
    assert main(["explore", *line, "--out", str(page)]) == 0
    assert "short: " in capsys.readouterr().out and page.exists()
