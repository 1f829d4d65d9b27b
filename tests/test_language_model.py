"""A language model beside syntax: systems with n-grams in their search, in both engines."""

from __future__ import annotations

import math
import random
from contextlib import nullcontext
from dataclasses import replace
from functools import cache
from itertools import permutations
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
from wordorder_lab.models.arpa import read_arpa, write_arpa
from wordorder_lab.models.kneser_ney import estimate_ngrams
from wordorder_lab.models.model_file import ModelError, save_arrays
from wordorder_lab.models.ngram import END_ID, START_ID, UNKNOWN_ID, NGramModel
from wordorder_lab.models.ngram_fast import EMPTY, StateTable, after
from wordorder_lab.systems.language_models import learned_models, read_language_model
from wordorder_lab.transition.actions import action_name

LIU, DEPENDENCIES, CCG = "liu-2015", "zhang-clark-2015-dependency", "zhang-blackwood-clark-2012"
TWO = Path(__file__).parent / "small/bigrams.arpa"
FORMS = sorted({form for form, _ in LEXICON})


@cache
def sentences_for(system: str) -> tuple[wl.Sentence, ...]:
    if system != CCG:
        return tuple(random_sentences(3, 30))
    return tuple(one for one in wl.load_corpus("gazette").train if len(one) < 8)[:60]


@cache
def trained(system: str, order: int = 3, **more: Any) -> Any:
    how = {"beam": 4} if system == LIU else {"beam": 16, "expansions": 60, "lm_weight": 0.25}
    how |= {"lm_order": order, "epochs": 2, "engine": "fast", "progress": False, **more}
    return wl.train(system, sentences_for(system), **how)


@pytest.mark.parametrize("order", [1, 2, 3, 5])
def test_a_state_says_what_the_words_before_say(order: int, tmp_path: Path) -> None:
    chance = random.Random(order)
    words = [f"w{i}" for i in range(6)]
    text = [chance.choices(words, k=chance.randint(1, 9)) for _ in range(60)]
    write_arpa(estimate_ngrams(text, order), tmp_path / "whole.arpa")
    kept, pruned = (tmp_path / "whole.arpa").read_text().split("\n"), 0
    for line in [line for line in kept if line.count("\t") == 2 and " " in line][::7]:
        kept.remove(line)  # contexts that a longer n-gram needs: they come back as the trie's
        pruned += 1
        length = line.split("\t")[1].count(" ") + 1
        at = next(i for i, other in enumerate(kept) if other.startswith(f"ngram {length}="))
        kept[at] = f"ngram {length}={int(kept[at].partition('=')[2]) - 1}"
    assert pruned or order < 3
    (tmp_path / "pruned.arpa").write_text("\n".join(kept))
    for model in (estimate_ngrams(text, order), read_arpa(tmp_path / "pruned.arpa")):
        table = StateTable.of(model.header(), model.arrays())
        for _ in range(40):
            before = [START_ID]
            _, state = after(table, EMPTY, START_ID)
            for word in chance.choices([*words, "unseen"], k=8):
                number = model.word_id(word)
                log, state = after(table, state, number)
                assert log == model.log_prob(before, number)
                before.append(number)


def test_gains_by_hand() -> None:
    """Every derivation's score is that of its features and twice what its words gain."""
    sentences = random_sentences(7, 12)
    model = wl.train("liu-2015", sentences, lm=read_arpa(TWO), epochs=1, progress=False)
    gains = {  # log10: of a bigram, or back-off and unigram; less the unigram of each word
        "rain falls": (-0.2 + 0.9, -0.3 + 0.7, -0.4),
        "falls rain": (-0.25, -0.125, -0.5 - 1),
    }
    for engine in ENGINES:
        scores = [
            {
                (output.text, output.actions): output.score
                for output in model.order(
                    ["rain", "falls"], beam=500, k=500, lm_weight=weight, engine=engine
                ).k_best
            }
            for weight in (0, 2)
        ]
        assert scores[0].keys() == scores[1].keys()
        assert {text for text, _ in scores[0]} == set(gains)
        for output, alone in scores[0].items():
            expected = sum(round(256 * log * math.log(10)) / 256 for log in gains[output[0]])
            assert scores[1][output] - alone == pytest.approx(2 * expected, abs=1e-9)


def test_a_phrase_counts_as_the_words_that_it_has() -> None:
    """With features that say nothing, a phrase in its place scores as its words in theirs do."""
    model = trained(LIU, 3)
    blank = replace(model.weights, values=np.zeros_like(model.weights.values))
    silent = replace(model, weights=blank)
    ngrams = model.ngrams
    assert ngrams is not None
    words = ["the", "pier", "near"]
    by_text = {
        output.text: output.score
        for output in silent.order(wl.WordBag(words, ["DT", "NN", "IN"]), beam=500, k=500).k_best
    }
    assert len(by_text) == len(list(permutations(words)))
    the, pier = map(ngrams.word_id, words[:2])
    inside = ngrams.log_prob([the], pier) - ngrams.log_prob([], pier)
    bag = wl.WordBag([("the", "pier"), "near"], ["NP", "IN"])
    whole = silent.order(bag, beam=500, k=500, engine="reference").k_best
    assert {output.text for output in whole} == {"the pier near", "near the pier"}
    for output in whole:
        # Each SHIFT and the end are rounded once, by half a grid point at most.
        assert output.score == pytest.approx(by_text[output.text] - 4 * inside, abs=4 * 6 / 512)


@pytest.mark.parametrize("order", [1, 2, 4])
@pytest.mark.parametrize("system", [LIU, DEPENDENCIES])
def test_engines_are_equal(system: str, order: int) -> None:
    model: Any = trained(system, order)
    least, limits = (1, {}) if system == LIU else (0, {"expansions": 40})

    @settings(max_examples=40)
    @given(bags(st.sampled_from([*FORMS, "unseen"])), st.integers(least, 8), st.floats(0, 9))
    def check(bag: wl.WordBag, beam: int, weight: float) -> None:
        try:
            model.problem(bag)
        except ValueError:  # orders that no tree with these heads allows
            return
        both(model, bag, beam=beam, k=3, lm_weight=weight, **limits)

    check()


def test_rooms_grow_with_the_sentence() -> None:
    model, chance = trained(LIU, 2), random.Random(1)
    for length in (2, 40, 3, 60, 5):
        both(model, wl.WordBag(chance.choices(FORMS, k=length)), beam=3, k=1)


@pytest.mark.parametrize("update", ["early", "max-violation"])
@pytest.mark.parametrize("traced", [False, True])
def test_learners_are_equal_and_go_on(tmp_path: Path, update: str, traced: bool) -> None:
    how: dict[str, Any] = {"lm_order": 3, "lm_in_training": True, "folds": 3, "update": update}
    how |= {"beam": 3, "progress": False, "lm_text": [["old", "boats", "drift"]]}
    sentences, files, logs = random_sentences(9, 12, longest=5), {}, {}
    for engine in ENGINES:
        logs[engine] = wl.EventLog() if traced else None
        with_engine = {"engine": engine, "trace": logs[engine]}
        model = wl.train("liu-2015", sentences, epochs=2, **with_engine, **how)
        model.save(tmp_path / engine)
        files[engine] = (tmp_path / engine).read_bytes()
    kept = tmp_path / "checkpoint"
    wl.train("liu-2015", sentences, epochs=1, checkpoint=kept, **how)
    wl.train("liu-2015", sentences, epochs=2, checkpoint=kept, **how).save(tmp_path / "resumed")
    assert files["fast"] == files["reference"] == (tmp_path / "resumed").read_bytes()
    assert logs["fast"] == logs["reference"]


def test_the_gold_derivation_is_followed_alike() -> None:
    model = trained(LIU, 3, lm_in_training=True)
    for sentence in random_sentences(3, 12):
        problem = model.problem(wl.bag_of(sentence, pos=0))
        for output in model.order(wl.bag_of(sentence, pos=0), beam=8, k=8).k_best[::3]:
            names = {action_name(a, problem): a for a in range(2 + len(problem.items))}
            actions = [names[name] for name in output.actions]
            score, lost = model.follow(problem, actions, beam=2, engine="fast")
            assert (score, lost) == model.follow(problem, actions, beam=2, engine="reference")
            assert score == output.score


@pytest.mark.parametrize("system", [LIU, DEPENDENCIES, CCG])
def test_weight_0_is_no_language_model(system: str) -> None:
    model = trained(system)
    alone = replace(model, ngrams=None)
    assert "lm_weight" not in alone.search_settings()
    for sentence in sentences_for(system)[:5]:
        logs, bag = [wl.EventLog(), wl.EventLog()], wl.bag_of(sentence)
        silent = model.order(bag, lm_weight=0, k=3, trace=logs[0])
        assert silent == alone.order(bag, k=3, trace=logs[1]) and logs[0] == logs[1]


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("system", [LIU, "zhang-2013"])
def test_learning_is_as_without_it(tmp_path: Path, system: str, engine: str) -> None:
    """The n-grams change no weight, and a model or checkpoint without them does not name any."""
    sentences, kept = random_sentences(11, 8), tmp_path / "checkpoint"
    how: dict[str, Any] = {"beam": 4, "progress": False, "engine": engine}
    how |= {} if system == LIU else {"expansions": 30}
    plain, beside = (wl.train(system, sentences, epochs=2, lm_order=n, **how) for n in (0, 3))
    for name, array in plain.weights.arrays().items():
        assert np.array_equal(array, beside.weights.arrays()[name])
    assert not [name for name in plain.settings if name.startswith("lm_") or name == "folds"]
    assert beside.settings["lm_order"] == 3 and "ngrams" not in plain.header()
    how |= {"lm_order": 3, "checkpoint": kept}
    wl.train(system, sentences, epochs=1, **how)
    with pytest.raises(ModelError, match="other settings"):
        wl.train(system, sentences, epochs=2, lm_text=[["old", "boats", "drift"]], **how)
    again = wl.train(system, sentences, epochs=2, **how)
    for number, model in enumerate((beside, again)):
        model.save(tmp_path / str(number))
    assert (tmp_path / "0").read_bytes() == (tmp_path / "1").read_bytes()


def test_nobody_is_scored_by_what_has_read_him() -> None:
    """Each sentence has a word of its own: its fold's model does not know it, the others do."""
    sentences = [
        wl.Sentence((wl.Token((f"own{i}",), "N", 1), wl.Token(("blow",), "V", -1)), str(i))
        for i in range(7)
    ]
    models = learned_models(sentences, 2, 3, [["further", "text"]])
    assert len(models.folds) == 3
    for i in range(7):
        knows = [models.of(j).word_id(f"own{i}") != UNKNOWN_ID for j in range(3)]
        assert knows == [j != i % 3 for j in range(3)]
        assert models.whole.word_id(f"own{i}") != UNKNOWN_ID
        assert models.of(i).word_id("text") != UNKNOWN_ID


@pytest.mark.parametrize("system", [LIU, DEPENDENCIES, CCG])
def test_a_model_file_keeps_it(system: str, tmp_path: Path) -> None:
    model, bag = trained(system), wl.bag_of(sentences_for(system)[1])
    model.save(tmp_path / "m.wol")
    again = wl.load_model(tmp_path / "m.wol")
    again.save(tmp_path / "again.wol")
    assert (tmp_path / "m.wol").read_bytes() == (tmp_path / "again.wol").read_bytes()
    assert again.search_settings()["lm_weight"] == model.search_settings()["lm_weight"] > 0
    assert again.order(bag) == model.order(bag) != model.order(bag, lm_weight=0)
    inside = read_language_model(tmp_path / "m.wol")
    assert inside.vocabulary == model.ngrams.vocabulary
    assert np.array_equal(inside.log_probs, model.ngrams.log_probs)


@pytest.mark.parametrize(
    ("header", "says"),
    [
        ({"settings": {"tagged": True, "lower_case": False}}, "trained with tagged"),
        ({"settings": {"tagged": False}}, ""),
        ({"settings": []}, "no whole n-gram model"),
        ({"settings": {}, "ngrams": {}}, "no whole n-gram model"),
    ],
)
def test_n_grams_of_another_system(tmp_path: Path, header: dict[str, Any], says: str) -> None:
    """Whose words carry tags, say, would find every word of a bag unknown."""
    ngrams, path = estimate_ngrams([["rain", "falls"]], 2), tmp_path / "other.wol"
    common = {"system": "another", "ngrams": ngrams.header()}
    save_arrays(path, {**common, **header}, ngrams.arrays())
    if says:
        with pytest.raises(ModelError, match=says):
            read_language_model(path)
    else:
        assert read_language_model(path).vocabulary == ngrams.vocabulary


@pytest.mark.parametrize("system", [LIU, DEPENDENCIES])
@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"lm_order": 2, "lm": "two"}, "leave one out"),
        ({"lm_text": [["a"]]}, r"give lm_order \(5, say\)$"),
        ({"lm_text": [["a"]], "lm": "two"}, "lm_text is for .* give lm_order .*, and leave lm out"),
        ({"lm_in_training": True}, "give lm, or lm_order|no setting 'lm_in_training'"),
        ({"lm_order": -1}, "from 0 to 20, not -1"),
        ({"lm_order": 21}, "20 is the most"),
        ({"lm_order": 2, "folds": 0}, "from 1 up, not 0|no setting 'folds'"),
        ({"lm_order": 2, "lm_weight": -1}, "from 0"),
        ({"lm_order": 2, "lm_weight": math.nan}, "from 0"),
        ({"lm_order": 2, "lm_text": ["no sentence"]}, "each a list of words: split them"),
    ],
)
def test_what_training_refuses(system: str, wrong: dict[str, Any], says: str) -> None:
    if "lm" in wrong:
        wrong = {**wrong, "lm": estimate_ngrams([["a"]], 2)}
    with pytest.raises(ValueError, match=says):
        wl.train(system, random_sentences(1, 3), progress=False, **wrong)


@pytest.mark.parametrize(
    ("system", "search", "wrong", "says"),
    [
        (LIU, [], ["--lm-order", "2"], "leave one out"),
        ("zhang-2013", ["--expansions", "5"], ["--lm-in-training"], "has no --lm-in-training"),
    ],
)
def test_on_the_command_line(
    system: str, search: list[str], wrong: list[str], says: str, tmp_path: Path, capsys: Any
) -> None:
    text, out = (str(tmp_path / name) for name in ("text", "m.wol"))
    Path(text).write_text("the market rose .\n\nshares fell sharply .\n")
    begin = ["train", system, "--corpus", "gazette", "--engine", "fast", "--quiet"]
    argv = [*begin, "--lm-order", "3", "--lm-text", text, "--beam", "4", "--epochs", "1", *search]
    assert (
        main([*argv, "--max-length", "5", "--out", out] if search else [*argv, "--out", out]) == 0
    )
    model = wl.load_model(out)
    assert model.settings["lm_order"] == 3 and model.ngrams.word_id("sharply") != UNKNOWN_ID
    capsys.readouterr()
    lines = []
    for more in ([], ["--lm-weight", "0"]):
        assert main(["order", "--model", out, *more, "--quiet", "the market rose ."]) == 0
        lines.append(capsys.readouterr().out)
    assert lines[0].split()[0] != lines[1].split()[0]
    assert main([*begin, "--lm", out, *wrong, "--out", f"{out}2"]) == 2
    said = capsys.readouterr().err
    assert says in said and said.count("\n") == 1 and not Path(f"{out}2").exists()


@pytest.mark.parametrize(
    ("system", "more", "says"),
    [
        ("liu-2015", ["--lm", "FOLDER/none.arpa"], "none.arpa"),
        ("liu-2015", ["--lm", "FOLDER/empty"], "no ARPA file"),
        ("liu-2015", ["--lm-order", "3", "--lm-text", "FOLDER/empty"], "empty has no words"),
        ("liu-2015", ["--lm-order", "99"], "20 is the most"),
        ("wan-2009-ab", ["--lm-order", "3"], "has no --lm-order"),
        ("wan-2009-ab", ["--lm", "FOLDER/empty"], "has no --lm in"),
        ("cohn-lapata-2009", ["--lm-text", "FOLDER/empty"], "empty has no words"),
        ("wan-2009-ab", ["--lm-text", "FOLDER/empty"], "has no --lm-text"),
    ],
)
def test_bad_command_lines(
    system: str, more: list[str], says: str, tmp_path: Path, capsys: Any
) -> None:
    (tmp_path / "empty").write_text("\n")
    argv = ["train", system, "--corpus", "gazette", "--engine", "reference"]
    argv += [word.replace("FOLDER", str(tmp_path)) for word in more]
    with pytest.raises(SystemExit) if "99" in more else nullcontext() as refused:
        code = main([*argv, "--out", str(tmp_path / "m.wol"), "--quiet"])
    assert (refused.value.code if refused is not None else code) == 2
    said = capsys.readouterr().err
    assert says in said and said.count("\n") == 1


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
    model = replace(
        model, ngrams=estimate_ngrams([s.surface for s in sentences_for(system)], order)
    )
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


def test_a_phrase_of_edges_counts_as_the_words_that_it_has() -> None:
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


def test_the_search_behind_an_update_is_without_it() -> None:
    """Learning is, so what an update changed is seen without n-grams."""
    sentences, again = random_sentences(5, 8), []
    for order in (0, 3):
        log = wl.EventLog()
        how: dict[str, Any] = {"beam": 8, "expansions": 30, "epochs": 1, "progress": False}
        model = wl.train(DEPENDENCIES, sentences, lm_order=order, trace=log, **how)
        again.append(wl.SearchAgain(model, sentences, log)(len(log)))
    assert again[0] == again[1]


def test_what_a_search_refuses() -> None:
    model = trained(DEPENDENCIES)
    for weight in (-1, math.nan, math.inf):
        with pytest.raises(ValueError, match="from 0"):
            model.order(["old", "boats"], lm_weight=weight)
    with pytest.raises(ValueError, match="no setting 'lm_weight'"):
        replace(model, ngrams=None).order(["old", "boats"], lm_weight=1)
