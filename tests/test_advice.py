"""What an error recommends is done here, and works."""

from __future__ import annotations

import ast
import re
import shlex
import shutil
from importlib import util
from pathlib import Path
from typing import Any

import pytest
from command_line import PLAIN, main, write_corpus, write_pairs

import wordorder_lab as wl
from wordorder_lab.corpora import CorpusError, gazette_corpus, ud_corpora
from wordorder_lab.corpora.readers import files
from wordorder_lab.structures.typed_bag import as_bag

PAIRS = [one for one in wl.load_compressions("gazette").train if len(one.source.leaves()) < 9][:8]
SENTENCES = [one for one in wl.load_corpus("gazette").train if len(one) <= 7][:12]
SYSTEMS = ["liu-2015", "zhang-clark-2015-dependency", "zhang-clark-2015-ccg"]


def said(problem: pytest.ExceptionInfo[Any], pattern: str) -> str:
    """What the message holds where the pattern has its brackets; it is one line."""
    text = str(problem.value)
    match = re.search(pattern, text)
    assert match is not None and "\n" not in text, text
    return match[1]


@pytest.fixture(scope="module", params=SYSTEMS)
def orderer(request) -> Any:
    how: dict[str, Any] = {"beam": 4, "epochs": 1, "engine": "reference", "progress": False}
    return wl.train(request.param, SENTENCES, **how)


@pytest.fixture(scope="module")
def compressor() -> Any:
    how: dict[str, Any] = {"max_iterations": 1, "engine": "reference", "progress": False}
    return wl.train("cohn-lapata-2009", PAIRS, **how)


# --- what is ordered, and what is made shorter ---------------------------------------------------


def test_words_are_ordered_as_they_are_first_written(orderer) -> None:
    words = [token.form for token in SENTENCES[0]]
    line = " ".join(f"[{word}]" for word in words)
    bag = wl.WordBag(words)
    whole = orderer.order(bag, engine="reference")
    for given in (words, tuple(words), line):
        assert orderer.order(given, engine="reference") == whole
        assert orderer.problem(given) == orderer.problem(bag)
    tagged = " ".join(f"[{token.form}]/{token.pos}" for token in SENTENCES[0])
    assert orderer.order(tagged, engine="reference") == orderer.order(
        wl.WordBag(words, pos=[token.pos for token in SENTENCES[0]]), engine="reference"
    )
    assert orderer.unknown_tags("a/ZZ") == ["ZZ"]


@pytest.mark.parametrize("given", [3, None, {"a", "b"}, iter("ab"), SENTENCES[0], b"a b"])
def test_what_is_no_bag_is_told_what_is_one(orderer, given: Any) -> None:
    with pytest.raises(TypeError) as problem:
        orderer.order(given)
    as_list = ast.literal_eval(said(problem, r"(\[.*\])"))
    as_line = said(problem, r"such as '([^']*)', or")
    assert as_bag(as_list).words == as_bag(as_line).words == (("fell",), ("rain",))
    for words in (as_list, as_line, wl.bag_of(SENTENCES[0])):
        assert orderer.order(words, engine="reference", k=1).words
    assert type(given).__name__ in str(problem.value)


def test_units_that_are_no_words_are_named(orderer) -> None:
    with pytest.raises(TypeError, match="unit 1 of the bag is of the type int: give a string"):
        orderer.order(["a", 1])
    with pytest.raises(TypeError, match="unit 0 of the bag is of the type Token"):
        orderer.order(list(SENTENCES[0]))
    with pytest.raises(ValueError, match="not one string") as problem:
        wl.WordBag("rain fell")
    units = ast.literal_eval(said(problem, r"wl\.WordBag\((.*)\)"))
    assert wl.WordBag(units).words == (("rain",), ("fell",))


def test_brackets_are_made_shorter_as_the_tree_is(compressor) -> None:
    tree = PAIRS[0].source
    short = compressor.compress(tree, engine="reference")
    assert compressor.compress(str(tree), engine="reference") == short
    assert "<svg" in short.tree._repr_html_() and "<svg" in short.source._repr_svg_()
    assert compressor.problem(str(tree)).nodes == compressor.problem(tree).nodes
    for given in (3, ["rain"], None):
        with pytest.raises(TypeError, match="is neither") as problem:
            compressor.compress(given)
        advised = wl.parse_tree(said(problem, r"wl\.parse_tree\('(.*)'\)"))
        assert compressor.compress(advised, engine="reference").words
    with pytest.raises(ValueError, match="there is no tree here") as wrong:
        compressor.compress("")
    assert wl.parse_tree(said(wrong, r"like (.*)$")).leaves() == ["rain", "fell"]


def test_what_is_learned_from(compressor) -> None:
    with pytest.raises(ValueError, match="learns from pairs") as problem:
        wl.train("cohn-lapata-2009", SENTENCES)
    load = getattr(wl, said(problem, r"\(wl\.(\w+)\)"))
    assert load("gazette").train[0] in wl.load_compressions("gazette").train


def test_without_numba_the_other_engine_answers(monkeypatch) -> None:
    model = wl.train("liu-2015", SENTENCES, beam=2, epochs=1, engine="reference", progress=False)
    monkeypatch.setattr(util, "find_spec", lambda name: None)
    with pytest.raises(ValueError, match="needs numba") as problem:
        model.order(["a"], engine="fast")
    assert model.order(["a"], engine=said(problem, "engine='(.*)'")).words == ["a"]


# --- commands that are recommended ----------------------------------------------------------------


def test_a_model_that_is_not_there_is_made(tmp_path, capsys) -> None:
    path = tmp_path / "a model of mine.wol"
    for verb, given, corpus, small in (
        ("order", "a b", write_corpus(tmp_path), ["--beam", "2", "--epochs", "1"]),
        ("compress", "(S (NN rain))", write_pairs(tmp_path), ["--iterations", "1"]),
    ):
        asked = [verb, "--model", str(path), *PLAIN, given]
        assert main(asked) == 2
        command = capsys.readouterr().err.strip().partition("make one with ")[2]
        program, *arguments = shlex.split(command)
        assert program == "wordorder-lab" and arguments[-1] == str(path)
        assert main([*arguments, "--corpus", str(corpus), *small, *PLAIN]) == 0
        capsys.readouterr()
        assert main(asked) == 0 and capsys.readouterr().out.strip()
        other = ["order", "compress"][verb == "order"]
        assert main([other, *asked[1:]]) == 2
        assert capsys.readouterr().err.strip().endswith(f"that is wordorder-lab {verb}")
        path.unlink()


def test_a_treebank_that_is_missing_is_read_from_where_it_is_got(tmp_path, monkeypatch) -> None:
    text = (
        "1\train\train\tNOUN\tNN\t_\t2\tnsubj\t_\t_\n2\tfell\tfall\tVERB\tVBD\t_\t0\troot\t_\t_\n\n"
    )
    data = tmp_path / "my data"
    with pytest.raises(CorpusError) as problem:
        wl.load_corpus("ewt", data=data)
    *_, folder = shlex.split(said(problem, r"Get it with: (.*) \(looked in"))
    Path(folder).mkdir(parents=True)
    (Path(folder) / "en_ewt-ud-train.conllu").write_text(text, encoding="utf-8")
    assert wl.load_corpus("ewt", data=data).train[0].text == "rain fell"
    # Without a home there is no cache to put it into; then the folder is named.
    monkeypatch.setattr(files, "data_roots", lambda data=None: iter(()))
    monkeypatch.setattr(ud_corpora, "data_roots", lambda data=None: iter(()))
    monkeypatch.setattr(ud_corpora, "user_cache", _homeless)
    with pytest.raises(CorpusError, match="name the folder instead of ewt"):
        wl.load_corpus("ewt")
    assert wl.load_corpus(folder).train[0].text == "rain fell"


def _homeless() -> Path:
    raise RuntimeError("Could not determine home directory.")


def test_a_damaged_gazette_is_written_again(tmp_path, monkeypatch, capsys) -> None:
    """By what the generator makes of its seed, which ``test_gazette.py`` holds to the files."""
    committed = {
        path.name: path.read_text("utf-8") for path in gazette_corpus.folder().glob("[dt]*")
    }
    for whole in gazette_corpus.files("dev", "mrg", "auto", "compressions.jsonl"):
        shutil.copy(whole, tmp_path)
    monkeypatch.setattr("gazette_generator.writing.files", lambda seed: committed)
    monkeypatch.setattr(gazette_corpus, "folder", lambda: tmp_path)
    monkeypatch.setattr("wordorder_lab.commands.corpora.gazette_folder", lambda: tmp_path)
    assert len(wl.load_compressions("gazette").dev)
    (tmp_path / "dev.mrg").write_text("(S (NN rain))\n", encoding="utf-8")
    with pytest.raises(CorpusError) as problem:
        wl.load_compressions("gazette").dev  # noqa: B018
    program, *arguments = shlex.split(said(problem, r"write them again with: (.*)$"))
    assert program == "wordorder-lab" and main(arguments) == 0
    assert len(wl.load_compressions("gazette").dev)
