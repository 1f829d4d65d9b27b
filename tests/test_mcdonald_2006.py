"""The system of McDonald (2006): training, compressing, the model file, both engines."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import wordorder_lab as wl
from wordorder_lab.analysis.gold_score import Asked, gold_score
from wordorder_lab.experiments.runs.compression_evaluate import evaluate_compressions, match_rate
from wordorder_lab.models.model_file import ModelError
from wordorder_lab.structures.deletion import DeletionSentence, kept_of
from wordorder_lab.systems.mcdonald_2006 import DeletionModel

PAIRS = wl.load_compressions("gazette").train
SOME = [pair for pair in PAIRS if kept_of(pair)][:24]
CHANGED = next(pair for pair in PAIRS if not kept_of(pair))
FEW: dict[str, Any] = {"epochs": 4, "k_best": 3, "progress": False}


@pytest.fixture(scope="module")
def model() -> DeletionModel:
    return wl.train("mcdonald-2006", [*SOME, CHANGED], **FEW)


def test_what_is_learned_is_given_back(model: DeletionModel) -> None:
    assert model.settings["pairs"] == len(SOME) and model.settings["no_deletion"] == 1
    outputs = [model.compress(pair.source) for pair in SOME]
    assert np.mean([one.kept == kept_of(pair) for one, pair in zip(outputs, SOME)]) > 0.6
    for one, pair in zip(outputs, SOME):
        assert one.tree is not None and one.tree.leaves() == list(one.words)
        assert one.source == tuple(pair.source.leaves())
        assert one.rate == len(one.words) / len(one.source) and one.k_best[0].kept == one.kept


def test_both_engines_compress_alike(model: DeletionModel) -> None:
    settings: list[dict[str, Any]] = [{}, {"k": 5}, {"rate": 0.4, "k": 2}, {"bonus": 0.7}]
    for pair, how in zip(SOME[:8], settings * 2):
        logs = [wl.EventLog(), wl.EventLog()]
        engines = zip(("reference", "fast"), logs)
        one, other = (model.compress(pair.source, engine=e, trace=t, **how) for e, t in engines)
        assert one == other and one.k_best == other.k_best
        assert logs[0] == logs[1] and one == model.compress(pair.source, **how)


def test_the_log_tells_every_bigram_and_the_paths(model: DeletionModel) -> None:
    log = wl.EventLog()
    done = model.compress(SOME[0].source, k=3, trace=log)
    events = list(log)
    words = len(done.source)
    kinds = [event[0] for event in events]
    assert kinds[:2] == ["begin", "source"] and kinds[-3:] == ["path"] * 3
    assert kinds.count("bigram") == (words + 1) * (words + 2) // 2 - 1  # one word stays
    back = {event[2]: event[1] for event in events if event[0] == "bigram" and event[5]}
    positions = [back[words + 1]]
    while positions[-1]:
        positions.append(back[positions[-1]])
    assert tuple(i - 1 for i in reversed(positions[:-1])) == done.kept


def test_a_length_a_rate_and_a_bonus(model: DeletionModel) -> None:
    source = SOME[3].source
    size = len(source.leaves())
    for length in (1, 4, size):
        assert len(model.compress(source, length=length).words) == length
    for rate in (0.01, 0.5, 0.61, 1.0):
        wanted = max(1, int(rate * size + 0.5))
        assert len(model.compress(source, rate=rate).words) == wanted
    lengths = [len(model.compress(source, bonus=bonus).words) for bonus in (-99.0, 0.0, 99.0)]
    assert lengths[0] == 1 and lengths[0] < lengths[1] < lengths[2] == size


@pytest.mark.parametrize(
    ("search", "said"),
    [
        ({"length": 99}, "99 words cannot stay of"),
        ({"length": 0}, "a whole number from 1 up"),
        ({"rate": 0}, "rate .0. is a number above 0"),
        ({"rate": 0.5, "length": 2}, "leave one of them out"),
        ({"bonus": float("nan")}, "bonus"),
        ({"beam": 3}, "no setting 'beam'"),
        ({"engine": "steam"}, "no engine"),
    ],
)
def test_searches_that_cannot_be(model: DeletionModel, search: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        model.compress(SOME[0].source, **search)


def test_gold_of_another_length_is_not_what_was_asked_for(model: DeletionModel) -> None:
    pair = SOME[3]
    gold = kept_of(pair)
    assert gold is not None
    asked = [Asked(pair, None, 1, {"length": n}) for n in (len(gold), len(gold) - 1)]
    assert gold_score(model, asked[0]) is not None and gold_score(model, asked[1]) is None
    assert gold_score(model, Asked(pair, None, 1, {"rate": 1.0})) is None


@pytest.mark.parametrize("engine", ["reference", "fast"])
def test_a_trace_of_too_many_bigrams_is_refused(model: DeletionModel, engine: str) -> None:
    long = DeletionSentence.of_words(["rain"] * 160, ["NN"] * 160)
    with pytest.raises(ValueError, match="a trace of the bigrams"):
        model.compress(long, length=155, trace=wl.EventLog(), engine=engine)


def test_sentences_that_cannot_be(model: DeletionModel) -> None:
    with pytest.raises(ValueError, match="after a tag and its word"):
        model.compress("(S rain (VP (VBD fell)))")
    with pytest.raises(TypeError, match="a tree is wanted"):
        model.compress(["rain", "fell"])
    without = DeletionSentence.of_words(["Rain", "fell", "today"], ["NN", "VBD", "NN"])
    assert model.compress(without, length=2).tree is None
    with pytest.raises(ValueError, match="2 words but 1 tags"):
        DeletionSentence.of_words(["rain", "fell"], ["NN"])


def test_a_model_file_is_whole_or_refused(model: DeletionModel, tmp_path: Path) -> None:
    path, again = tmp_path / "m.wol", tmp_path / "again.wol"
    model.save(path)
    loaded = wl.load_model(path)
    loaded.save(again)
    assert path.read_bytes() == again.read_bytes() and repr(loaded) == repr(model)
    for pair in SOME[:5]:
        assert loaded.compress(pair.source, k=3) == model.compress(pair.source, k=3)
    again.write_bytes(path.read_bytes()[:-40])
    with pytest.raises(ModelError):
        wl.load_model(again)


def test_a_training_goes_on_from_its_checkpoint(model: DeletionModel, tmp_path: Path) -> None:
    checkpoint, pairs = tmp_path / "checkpoint", [*SOME, CHANGED]
    wl.train("mcdonald-2006", pairs, checkpoint=checkpoint, **{**FEW, "epochs": 2})
    resumed = wl.train("mcdonald-2006", pairs, checkpoint=checkpoint, engine="reference", **FEW)
    assert resumed.weights.tobytes() == model.weights.tobytes()
    with pytest.raises(ModelError, match="other settings or sentences"):
        wl.train("mcdonald-2006", SOME[1:], checkpoint=checkpoint, **FEW)


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"k_best": 0}, "k_best .0."),
        ({"C": -1.0}, "from 0 up"),
        ({"templates": "no"}, "no template file"),
    ],
)
def test_trainings_that_cannot_be(settings: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        wl.train("mcdonald-2006", SOME, **settings)
    with pytest.raises(ValueError, match="is a deletion"):
        wl.train("mcdonald-2006", [CHANGED])


def test_it_is_evaluated_as_any_compressor(model: DeletionModel) -> None:
    done = evaluate_compressions(model, SOME[:8])
    assert done.scores.relation_f1 > 0.7 and done.condition["system"] == "mcdonald-2006"
    matched = match_rate(model, SOME[:8], 0.5)
    assert abs(matched.rate - 0.5) < 0.05
