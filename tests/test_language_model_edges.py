"""A language model beside syntax: best-first systems with n-grams in their search, both engines."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from bags import bags
from both_engines import ENGINES, both
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles import LEXICON, random_sentences

import wordorder_lab as wl
from wordorder_lab.analysis.gold_score import Asked, gold_score
from wordorder_lab.best_first import arrays_fast
from wordorder_lab.cli import main
from wordorder_lab.models.kneser_ney import estimate
from wordorder_lab.models.model_file import ModelError
from wordorder_lab.models.ngram import END_ID, START_ID, UNKNOWN_ID, NGramModel

FORMS = sorted({form for form, _ in LEXICON})
DEPENDENCIES, CCG = "zhang-clark-2015-dependency", "zhang-blackwood-clark-2012"


@cache
def sentences_for(system: str) -> tuple[wl.Sentence, ...]:
    if system == DEPENDENCIES:
        return tuple(random_sentences(3, 30))
    return tuple(one for one in wl.load_corpus("gazette").train if len(one) < 8)[:60]


@cache
def trained(system: str, order: int = 3) -> Any:
    how = {"engine": "fast", "epochs": 2, "beam": 16, "expansions": 60, "progress": False}
    return wl.train(system, sentences_for(system), lm_order=order, lm_weight=0.25, **how)


def gain_of(words: list[str], ngrams: NGramModel) -> int:
    """The definition: of each word and the end, in 1/256, by all that stands before."""
    ids, points = [START_ID, *map(ngrams.word_id, words), END_ID], 0
    for place in range(1, len(ids)):
        after_all = ngrams.log_prob(ids[:place], ids[place])
        points += math.floor(256 * (after_all - ngrams.log_prob([], ids[place])) + 0.5)
    return points


@pytest.mark.parametrize("system", [DEPENDENCIES, CCG])
@pytest.mark.parametrize("order", [1, 2, 3, 5])
def test_a_goal_scores_its_words(system: str, order: int) -> None:
    """However it was put together: features as before, and the gains of the whole sentence."""
    model = trained(system)
    model = replace(model, ngrams=estimate([s.surface for s in sentences_for(system)], order))
    bag = wl.WordBag([("the", "pier"), "near", "boats", "drift"], ["NP", "IN", "NNS", "VBP"])
    if system == CCG:
        bag = wl.bag_of(next(s for s in sentences_for(CCG) if 4 <= len(s) <= 5))
    how: dict[str, Any] = {"beam": 0, "k": 4000, "expansions": 4000}
    alone = {
        (output.text, output.actions): output.score
        for output in model.order(bag, lm_weight=0, **how).k_best
    }
    beside = model.order(bag, lm_weight=2, **how).k_best
    assert {(output.text, output.actions) for output in beside} == set(alone)
    assert len({output.text for output in beside}) > 3
    for output in beside:
        gain = 2 * gain_of(output.text.split(), model.ngrams) / 256
        divisor = len(output.actions) if system == DEPENDENCIES else 1
        expected = alone[output.text, output.actions] + gain / divisor
        assert output.score == pytest.approx(expected, abs=1e-9)


def test_a_phrase_counts_as_the_words_that_it_has() -> None:
    """With features that say nothing, the same words gain the same, kept whole or not."""
    model = trained(DEPENDENCIES)
    blank = replace(model.weights, values=np.zeros_like(model.weights.values))
    silent = replace(model, weights=blank)
    for units in ([("the", "pier"), "near"], ["the", "pier", "near"]):
        for output in silent.order(units, beam=0, k=500).k_best:
            total = output.score * len(output.actions)
            gain = gain_of(output.text.split(), model.ngrams)
            assert total == pytest.approx(0.25 * gain / 256, abs=1e-9)


@pytest.mark.parametrize("order", [1, 2, 4])
def test_engines_are_equal(order: int) -> None:
    model = trained(DEPENDENCIES, order)

    @settings(max_examples=40)
    @given(bags(st.sampled_from([*FORMS, "unseen"])), st.integers(0, 9), st.floats(0, 3))
    def check(bag: wl.WordBag, beam: int, weight: float) -> None:
        try:
            model.problem(bag)
        except ValueError:  # orders that no tree with these heads allows
            return
        both(model, bag, beam=beam, k=3, lm_weight=weight, expansions=40)

    check()


@pytest.mark.parametrize("order", [1, 2, 4])
def test_engines_are_equal_with_rules(order: int) -> None:
    model, goals = trained(CCG, order), 0
    for number, sentence in enumerate(sentences_for(CCG)[:24]):
        bag = wl.bag_of(sentence, pos=1 - number % 2)
        how = {"beam": number % 5 * 4, "chart": ("single", "sizes")[number % 2]}
        how |= {"signature": ("2011", "2015", "none")[number % 3]}
        goals += both(model, bag, k=2, lm_weight=number / 16, expansions=80, **how).is_whole
    optional = wl.parse_bag("the{0,2} " + " ".join(sentences_for(CCG)[0].surface))
    both(model, optional, lm_weight=0.1, expansions=80)
    assert goals > 8


def test_arrays_grow_with_the_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arrays_fast, "FIRST_EDGES", 8)
    model = replace(trained(DEPENDENCIES))  # whose rooms are new
    for length in (3, 30, 2, 12):
        both(model, wl.WordBag([*FORMS, *FORMS, *FORMS][:length]), expansions=90)
    assert all(len(room.edges.total) > 64 for room in model._buffers._free["syntax and n-grams"])


@pytest.mark.parametrize("system", [DEPENDENCIES, CCG])
def test_gold_has_the_score_of_an_output_that_is_gold(system: str) -> None:
    """Whose fault an output is depends on it."""
    model, right = trained(system), 0
    for sentence in sentences_for(system)[:20]:
        bag = wl.bag_of(sentence)
        for output in model.order(bag, k=20, beam=0, expansions=300).k_best:
            heads = tuple(token.head for token in sentence)
            if (output.text, output.tree.heads) == (sentence.text, heads):
                right += gold_score(model, Asked(sentence, bag, 1, {})) == output.score
                break
    assert right > 8


@pytest.mark.parametrize("system", [DEPENDENCIES, CCG])
def test_weight_0_is_no_language_model(system: str) -> None:
    model = trained(system)
    alone = replace(model, ngrams=None)
    assert "lm_weight" not in alone.search_settings()
    for sentence in sentences_for(system)[:5]:
        logs, bag = [wl.EventLog(), wl.EventLog()], wl.bag_of(sentence)
        silent = model.order(bag, lm_weight=0, trace=logs[0])
        assert silent == alone.order(bag, trace=logs[1]) and logs[0] == logs[1]


@pytest.mark.parametrize("engine", ENGINES)
def test_learning_is_as_without_it(tmp_path: Path, engine: str) -> None:
    """The n-grams change no weight, and a model or checkpoint without them does not name any."""
    sentences, kept = random_sentences(11, 8), tmp_path / "checkpoint"
    how: dict[str, Any] = {"beam": 8, "expansions": 30, "progress": False, "engine": engine}
    plain, beside = (wl.train("zhang-2013", sentences, epochs=2, lm_order=n, **how) for n in (0, 3))
    for name, array in plain.weights.arrays().items():
        assert np.array_equal(array, beside.weights.arrays()[name])
    assert not [name for name in plain.settings if name.startswith("lm_")]
    assert beside.settings["lm_order"] == 3 and "ngrams" not in plain.header()
    how |= {"lm_order": 3, "checkpoint": kept}
    wl.train("zhang-2013", sentences, epochs=1, **how)
    with pytest.raises(ModelError, match="other settings"):
        wl.train("zhang-2013", sentences, epochs=2, lm_text=[["old", "boats", "drift"]], **how)
    again = wl.train("zhang-2013", sentences, epochs=2, **how)
    for number, model in enumerate((beside, again)):
        model.save(tmp_path / str(number))
    assert (tmp_path / "0").read_bytes() == (tmp_path / "1").read_bytes()


def test_the_search_behind_an_update_is_without_it() -> None:
    """Learning is, so what an update changed is seen without n-grams."""
    sentences, again = random_sentences(5, 8), []
    for order in (0, 3):
        log = wl.EventLog()
        how: dict[str, Any] = {"beam": 8, "expansions": 30, "epochs": 1, "progress": False}
        model = wl.train(DEPENDENCIES, sentences, lm_order=order, trace=log, **how)
        again.append(wl.SearchAgain(model, sentences, log)(len(log)))
    assert again[0] == again[1]


@pytest.mark.parametrize("system", [DEPENDENCIES, CCG])
def test_a_model_file_keeps_it(system: str, tmp_path: Path) -> None:
    model, bag = trained(system), wl.bag_of(sentences_for(system)[1])
    model.save(tmp_path / "m.wol")
    again = wl.load_model(tmp_path / "m.wol")
    again.save(tmp_path / "again.wol")
    assert (tmp_path / "m.wol").read_bytes() == (tmp_path / "again.wol").read_bytes()
    assert again.search_settings()["lm_weight"] == 0.25
    assert again.order(bag) == model.order(bag) != model.order(bag, lm_weight=0)


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"lm_order": 2, "lm": "two"}, "leave one out"),
        ({"lm_text": [["a"]]}, r"give lm_order \(5, say\)$"),
        ({"lm_text": [["a"]], "lm": "two"}, "lm_text is for .* give lm_order .*, and leave lm out"),
        ({"lm_order": -1}, "from 0 to 20, not -1"),
        ({"lm_order": 21}, "20 is the most"),
        ({"lm_order": 2, "lm_weight": math.nan}, "from 0"),
        ({"lm_in_training": True}, "no setting 'lm_in_training'"),
    ],
)
def test_what_training_refuses(wrong: dict[str, Any], says: str) -> None:
    if "lm" in wrong:
        wrong = {**wrong, "lm": estimate([["a"]], 2)}
    with pytest.raises(ValueError, match=says):
        wl.train(DEPENDENCIES, random_sentences(1, 3), progress=False, **wrong)


def test_what_a_search_refuses() -> None:
    model = trained(DEPENDENCIES)
    for weight in (-1, math.nan, math.inf):
        with pytest.raises(ValueError, match="from 0"):
            model.order(["old", "boats"], lm_weight=weight)
    with pytest.raises(ValueError, match="no setting 'lm_weight'"):
        replace(model, ngrams=None).order(["old", "boats"], lm_weight=1)


def test_on_the_command_line(tmp_path: Path, capsys: Any) -> None:
    text, out = (str(tmp_path / name) for name in ("text", "m.wol"))
    Path(text).write_text("the market rose .\n\nshares fell sharply .\n")
    argv = ["train", DEPENDENCIES, "--corpus", "gazette", "--lm-order", "3", "--lm-text", text]
    argv += ["--beam", "4", "--epochs", "1", "--expansions", "5", "--max-length", "5"]
    assert main([*argv, "--out", out, "--quiet", "--engine", "fast"]) == 0
    model = wl.load_model(out)
    assert model.settings["lm_order"] == 3 and model.ngrams.word_id("sharply") != UNKNOWN_ID
    capsys.readouterr()
    lines = []
    for more in ([], ["--lm-weight", "0"]):
        assert main(["order", "--model", out, *more, "--quiet", "the market rose ."]) == 0
        lines.append(capsys.readouterr().out)
    assert lines[0].split()[0] != lines[1].split()[0]
    again = ["train", "zhang-2013", "--lm", out, "--lm-in-training", "--out", f"{out}2"]
    assert main([*again, "--corpus", "gazette", "--quiet", "--engine", "fast"]) == 2
    said = capsys.readouterr().err
    assert "has no --lm-in-training" in said and said.count("\n") == 1
