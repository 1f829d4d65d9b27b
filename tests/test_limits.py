"""What is beyond reason is refused with the reason, in a library call too; odd names are names."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from command_line import PLAIN, ROOT, write_corpus
from nltk.tree import Tree

import wordorder_lab as wl
from wordorder_lab.cli import main
from wordorder_lab.models.kneser_ney import estimate_ngrams
from wordorder_lab.structures.bag import bag_of
from wordorder_lab.structures.messages import as_text
from wordorder_lab.structures.phrase_tree import WIDEST
from wordorder_lab.structures.sentence import Sentence, Token
from wordorder_lab.transduction import working_set
from wordorder_lab.transduction.working_set import solve_dual


def test_more_than_any_machine_holds_is_refused(own) -> None:
    orderer, compressor = wl.load_model(own.model), wl.load_model(own.short)
    bag = wl.WordBag(["robin", "."])
    for search in ({"beam": 10**8}, {"beam": 10**25}):
        with pytest.raises(ValueError, match="50,000 is the most"):
            orderer.order(bag, engine="reference", **search)
    with pytest.raises(ValueError, match="50,000 is the most"):
        compressor.compress(Tree("S", [Tree("NN", ["rain"])]), beam=10**8)
    for setting in ({"epochs": 10**25}, {"beam": 10**8}):
        for system in ("liu-2015", "zhang-clark-2015-dependency"):
            with pytest.raises(ValueError, match=r"[15]0,000 is the most"):
                wl.train(system, [], **setting)
    with pytest.raises(ValueError, match="1,000,000 is too much: 20 is the most"):
        estimate_ngrams([["rain"]], 1_000_000)
    wide = Tree("S", [Tree("NN", ["rain"]) for _ in range(WIDEST + 1)])
    with pytest.raises(ValueError, match=f"{WIDEST + 1} children: {WIDEST} are the most"):
        compressor.compress(wide)


def test_a_long_sentence_is_named() -> None:
    tokens = [Token(("rain",), "NN", i - 1) for i in range(1500)]
    with pytest.raises(ValueError, match=r"weather:7, 'rain rain .* has 1,500 units; 1,000 are"):
        bag_of(Sentence(tuple(tokens), "weather:7"))


def test_no_objective_is_infinite_and_the_solver_is_silent(own, tmp_path, capfd) -> None:
    pairs = wl.load_compressions(own.pairs).train
    for C in (1e308, 1e200):
        with pytest.raises(ValueError, match="Take a smaller C or a smaller scaling"):
            wl.train("cohn-lapata-2009", pairs, C=C, engine="reference", progress=False)
    out = tmp_path / "m.wol"
    argv = ["train", "cohn-lapata-2009", "--corpus", own.pairs, *PLAIN, "--out", str(out)]
    capfd.readouterr()
    assert main([*argv, "--C", "1e12", "--scaling", "1e12"]) == 2
    assert len(capfd.readouterr().err.splitlines()) == 1
    assert not list(tmp_path.iterdir())  # no checkpoint that no training can go on from


def test_a_bound_that_is_none_changes_no_bit(monkeypatch) -> None:
    np = pytest.importorskip("numpy")
    gram, groups = np.array([[2.0, 0.5], [0.5, 1.0]]), np.zeros(2, np.int64)
    given = gram, np.array([1.0, 0.7]), groups, 10.0
    usual = solve_dual(*given)
    monkeypatch.setattr(working_set, "NO_BOUND", np.inf)
    assert solve_dual(*given).tobytes() == usual.tobytes()


@pytest.mark.slow
@pytest.mark.parametrize("encoding", ["utf-8", "ascii"])
def test_names_that_are_no_text_are_names(own, tmp_path, encoding) -> None:
    """Not UTF-8, and not ASCII where the locale knows nothing else: what is asked for comes out."""
    here = os.fsencode(tmp_path)
    corpus, model = here + b"/\xf1\xc3\xa9.mrg", here + b"/\xff\xc3\xa9.wol"
    write_corpus(tmp_path).rename(os.fsdecode(corpus))
    locale = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    more = {**locale, "PYTHONIOENCODING": "ascii"} if encoding == "ascii" else {"PYTHONUTF8": "1"}
    environment = {**os.environ, "PYTHONPATH": str(ROOT), **more}

    def run(*words: bytes, typed: bytes = b"") -> bytes:
        plain = [word.encode() for word in PLAIN]
        command = [os.fsencode(sys.executable), b"-m", b"wordorder_lab.cli", *words, *plain]
        done = subprocess.run(command, env=environment, capture_output=True, input=typed)
        assert done.returncode == 0, done.stderr
        return done.stdout

    size = [b"--beam", b"1", b"--epochs", b"1"]
    assert b"wrote " in run(b"train", b"liu-2015", b"--corpus", corpus, *size, b"--out", model)
    scores = here + b"/\xfe.json"
    run(b"evaluate", b"--model", model, b"--json", scores)
    named = json.loads(Path(os.fsdecode(scores)).read_text())["corpus"]
    assert as_text(named).endswith("/\udcf1é.mrg") and os.fsencode(named) == corpus
    shown = run(b"order", b"--model", model, "é".encode())
    assert shown.split()[1] == ("é".encode() if encoding == "utf-8" else rb"\xe9")
    (answer,) = json.loads(run(b"order", b"--model", model, b"--json", b"-", typed="é\n".encode()))
    assert answer["words"] == ["é"]
