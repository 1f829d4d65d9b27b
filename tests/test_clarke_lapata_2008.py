"""The systems of Clarke & Lapata (2008): searches under constraints, files, events, bad settings.

Pairs are those of the Gazette; the search is checked against every choice of words.
"""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import pytest

import wordorder_lab as wl
from wordorder_lab.analysis.gold_score import Asked, gold_score
from wordorder_lab.deletion.constraints import NAMES, constraints
from wordorder_lab.deletion.integer_programme import path_score
from wordorder_lab.experiments.runs.compression_evaluate import evaluate_compressions, match_rate
from wordorder_lab.models.model_file import ModelError
from wordorder_lab.structures.deletion import DeletionSentence, kept_of
from wordorder_lab.systems.clarke_lapata_2008 import ProgrammeModel
from wordorder_lab.systems.mcdonald_2006 import DeletionModel

PAIRS = wl.load_compressions("gazette")
SHORT = [pair for pair in PAIRS.train if len(pair.source.leaves()) <= 12][:40]
HELD_OUT = [pair.source for pair in PAIRS.dev if len(pair.source.leaves()) <= 12][:8]
BRACKETS = (
    "(S (NP (PRP they)) (VP (MD will) (RB not) (VP (VB sail) (PP (IN to) (NP (PRP$ her) "
    "(NN island))) (PRN (-LRB- -LRB-) (NP (CD two) (NNS miles)) (-RRB- -RRB-)))))"
)


@pytest.fixture(scope="module")
def model():
    return wl.train("clarke-lapata-2008-ilp", SHORT, epochs=3, progress=False)


@pytest.fixture(scope="module")
def fluent():
    return wl.train("clarke-lapata-2008-lm", SHORT, text=(), progress=False)


def test_without_constraints_it_is_mcdonald(model):
    plain = wl.train("mcdonald-2006", SHORT, epochs=3, progress=False)
    for source in HELD_OUT:
        wanted = plain.compress(source)
        for one in (model, ProgrammeModel.of(plain)):
            found = one.compress(source, constraints="none")
            assert (found.kept, found.score, found.text) == (wanted.kept, wanted.score, wanted.text)


@pytest.mark.parametrize("which", ["model", "fluent"])
def test_the_k_best_are_those_of_all_choices(which, request):
    one = request.getfixturevalue(which)
    tree = wl.parse_tree(
        "(S (NP (DT the) (NN rain)) (VP (VBD fell) (PP (IN on) (NP (NNS boats)))))"
    )
    problem = one.problem(tree)
    rows = constraints(DeletionSentence.of_tree(tree))
    legal = [
        kept
        for size in range(2, 5)
        for kept in combinations(range(5), size)
        if all(row.holds(kept) for row in rows)
    ]
    found = one.search(problem, k=4, least=2, most=4, **_only_scores(which))
    wanted = sorted(-path_score(problem.scores, kept) for kept in legal)[:4]
    assert [-path.score for path in found] == wanted
    assert {path.kept for path in found} <= {*legal}


def _only_scores(which):
    return {"significance": 0.0} if which == "fluent" else {}


def test_every_choice_of_constraints(model):
    names = ("negation", "possessives", "brackets", "pronouns")
    problem = model.problem(BRACKETS)
    choices = [some for size in range(5) for some in combinations(names, size)]
    found = {on: model.search(problem, constraints=on, most=4)[0].kept for on in choices}
    assert len(found) == 16
    sentence = DeletionSentence.of_tree(wl.parse_tree(BRACKETS))
    for on, kept in found.items():
        assert all(row.holds(kept) for row in constraints(sentence, on))
        assert kept == model.compress(BRACKETS, constraints=on, most=4).kept
    assert len({*found.values()}) > 2


def test_length_rate_bonus_and_words_to_keep(model):
    size = len(wl.parse_tree(BRACKETS).leaves())
    assert len(model.compress(BRACKETS, constraints="none", length=3).kept) == 3
    assert len(model.compress(BRACKETS, constraints="none", rate=0.5).kept) == round(size / 2)
    assert len(model.compress(BRACKETS, least=0.8, constraints="none").kept) >= 0.8 * size
    assert len(model.compress(BRACKETS, most=2, constraints="none").kept) <= 2
    assert len(model.compress(BRACKETS, bonus=1e3, constraints="none").kept) == size
    assert len(model.compress(BRACKETS, bonus=-1e3, constraints="none").kept) == 1
    found = model.compress(BRACKETS, keep=["Island"], bonus=-1e3)
    assert found.text == "They will not sail her island" or "island" in found.words
    assert found.tree.leaves() == list(found.words)


def test_what_cannot_all_be_obeyed_is_given_up_in_turn(model):
    log = wl.EventLog()
    tree = "(S (PRN (-LRB- -LRB-) (NP (PRP it)) (-RRB- -RRB-)) (NP (PRP it)))"
    found = model.compress(tree, keep=["it"], trace=log)
    assert "It" in found.words
    (told,) = (event[1] for event in log if event[0] == "programme")
    assert "brackets" not in told
    assert {*told} < {*NAMES}
    assert found.counters["given_up"] == len(NAMES) - len(told)
    assert model.compress(BRACKETS).counters["given_up"] == 0
    scored = evaluate_compressions(model, PAIRS.dev[:3])
    assert scored.to_dict()["gave_up_constraints"] == scored.gave_up == 0


def test_no_output_is_a_sign_or_half_a_bracket(model, fluent):
    for one in (model, fluent):
        for tree in (
            "(X (`` ``) (INTJ (UH no)) ('' '') (. .))",
            "(S (NP (-LRB- -LRB-) (PRP he) (-RRB- -RRB-)) (VP (VBD did) (RB n't) (VP (VB go))) "
            "(. .))",
        ):
            words = {word.upper() for word in one.compress(tree).words}
            assert words & {"NO", "GO"} and ("-LRB-" in words) == ("-RRB-" in words)
    assert len(model.compress(BRACKETS, least=90).kept) == len(wl.parse_tree(BRACKETS).leaves())


def test_significance_and_document(fluent):
    short = fluent.compress(HELD_OUT[0], significance=0, least=1)
    long = fluent.compress(HELD_OUT[0], significance=50, least=1)
    assert len(short.kept) < len(long.kept)
    problem = fluent.problem(HELD_OUT[0])
    topic = next(i for i, point in enumerate(problem.significance) if point > 0)
    often = fluent.problem(HELD_OUT[0], document=[[long.source[topic]] * 30])
    assert often.significance[topic] == pytest.approx(30 * problem.significance[topic])
    assert {*often.significance} != {*problem.significance}
    assert len(fluent.compress(HELD_OUT[0]).kept) >= 0.4 * len(long.source)


def test_other_bad_input_is_refused(model, fluent, tmp_path):
    for one, other in ((model, fluent), (fluent, model)):
        one.save(tmp_path / "m.wol")
        with pytest.raises(ModelError, match="not a"):
            type(other).load(tmp_path / "m.wol")
    flat = DeletionSentence.of_words(("rain", "fell"), ("NN", "VBD"))
    with pytest.raises(ValueError, match="this sentence has none"):
        model.compress(flat)
    assert model.compress(flat, constraints="none").tree is None
    with pytest.raises(ValueError, match="is a deletion"):
        wl.train("mcdonald-2006", [CHANGED])
    damaged = fluent.arrays() | {"frequencies": np.full(3, -1)}
    with pytest.raises(ValueError, match="frequencies"):
        type(fluent).of_parts({**fluent.header(), "settings": {}}, damaged)


TRAIN = wl.load_compressions("gazette").train
SOME = [pair for pair in TRAIN if kept_of(pair)][:24]
CHANGED = next(pair for pair in TRAIN if not kept_of(pair))
FEW: dict[str, Any] = {"epochs": 4, "k_best": 3, "progress": False}


@pytest.fixture(scope="module")
def mcdonald() -> DeletionModel:
    return wl.train("mcdonald-2006", [*SOME, CHANGED], **FEW)


def test_what_is_learned_is_given_back(mcdonald: DeletionModel) -> None:
    assert mcdonald.settings["pairs"] == len(SOME) and mcdonald.settings["no_deletion"] == 1
    outputs = [mcdonald.compress(pair.source) for pair in SOME]
    assert np.mean([one.kept == kept_of(pair) for one, pair in zip(outputs, SOME)]) > 0.6
    for one, pair in zip(outputs, SOME):
        assert one.tree is not None and one.tree.leaves() == list(one.words)
        assert one.source == tuple(pair.source.leaves())
        assert one.rate == len(one.words) / len(one.source) and one.k_best[0].kept == one.kept


def test_both_engines_compress_alike(mcdonald: DeletionModel) -> None:
    settings: list[dict[str, Any]] = [{}, {"k": 5}, {"rate": 0.4, "k": 2}, {"bonus": 0.7}]
    for pair, how in zip(SOME[:8], settings * 2):
        logs = [wl.EventLog(), wl.EventLog()]
        engines = zip(("reference", "fast"), logs)
        one, other = (mcdonald.compress(pair.source, engine=e, trace=t, **how) for e, t in engines)
        assert one == other and one.k_best == other.k_best
        assert logs[0] == logs[1] and one == mcdonald.compress(pair.source, **how)


def test_the_log_tells_every_bigram_and_the_paths(mcdonald: DeletionModel) -> None:
    log = wl.EventLog()
    done = mcdonald.compress(SOME[0].source, k=3, trace=log)
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


def test_a_length_a_rate_and_a_bonus(mcdonald: DeletionModel) -> None:
    source = SOME[3].source
    size = len(source.leaves())
    for length in (1, 4, size):
        assert len(mcdonald.compress(source, length=length).words) == length
    for rate in (0.01, 0.5, 0.61, 1.0):
        wanted = max(1, int(rate * size + 0.5))
        assert len(mcdonald.compress(source, rate=rate).words) == wanted
    lengths = [len(mcdonald.compress(source, bonus=bonus).words) for bonus in (-99.0, 0.0, 99.0)]
    assert lengths[0] == 1 and lengths[0] < lengths[1] < lengths[2] == size


def test_gold_of_another_length_is_not_what_was_asked_for(mcdonald: DeletionModel) -> None:
    pair = SOME[3]
    gold = kept_of(pair)
    assert gold is not None
    asked = [Asked(pair, None, 1, {"length": n}) for n in (len(gold), len(gold) - 1)]
    assert gold_score(mcdonald, asked[0]) is not None and gold_score(mcdonald, asked[1]) is None
    assert gold_score(mcdonald, Asked(pair, None, 1, {"rate": 1.0})) is None


@pytest.mark.parametrize("engine", ["reference", "fast"])
def test_a_trace_of_too_many_bigrams_is_refused(mcdonald: DeletionModel, engine: str) -> None:
    long = DeletionSentence.of_words(["rain"] * 160, ["NN"] * 160)
    with pytest.raises(ValueError, match="a trace of the bigrams"):
        mcdonald.compress(long, length=155, trace=wl.EventLog(), engine=engine)


def test_sentences_that_cannot_be(mcdonald: DeletionModel) -> None:
    with pytest.raises(ValueError, match="after a tag and its word"):
        mcdonald.compress("(S rain (VP (VBD fell)))")
    with pytest.raises(TypeError, match="a tree is wanted"):
        mcdonald.compress(["rain", "fell"])
    without = DeletionSentence.of_words(["Rain", "fell", "today"], ["NN", "VBD", "NN"])
    assert mcdonald.compress(without, length=2).tree is None
    with pytest.raises(ValueError, match="2 words but 1 tags"):
        DeletionSentence.of_words(["rain", "fell"], ["NN"])


def test_it_is_evaluated_as_any_compressor(mcdonald: DeletionModel) -> None:
    done = evaluate_compressions(mcdonald, SOME[:8])
    assert done.scores.relation_f1 > 0.7 and done.condition["system"] == "mcdonald-2006"
    matched = match_rate(mcdonald, SOME[:8], 0.5)
    assert abs(matched.rate - 0.5) < 0.05
