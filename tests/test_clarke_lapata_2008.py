"""The systems of Clarke & Lapata (2008): searches under constraints, files, events, bad settings.

Pairs are those of the Gazette; the search is checked against every choice of words.
"""

from itertools import combinations

import numpy as np
import pytest

import wordorder_lab as wl
from wordorder_lab.deletion.constraints import NAMES, constraints
from wordorder_lab.deletion.integer_programme import path_score
from wordorder_lab.experiments.runs.compression_evaluate import evaluate_compressions
from wordorder_lab.models.model_file import ModelError
from wordorder_lab.structures.deletion import DeletionSentence
from wordorder_lab.systems.clarke_lapata_2008 import ProgrammeModel

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


def test_engines_make_the_same(model):
    for source in HELD_OUT[:3]:
        logs = wl.EventLog(), wl.EventLog()
        first, second = (
            model.compress(source, engine=engine, trace=log)
            for engine, log in zip(("reference", "fast"), logs)
        )
        assert (first.kept, first.score) == (second.kept, second.score)
        assert [*logs[0]] == [*logs[1]]


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


@pytest.mark.parametrize("which", ["model", "fluent"])
def test_a_file_gives_the_same_model(which, request, tmp_path):
    one = request.getfixturevalue(which)
    one.save(tmp_path / "m.wol")
    again = wl.load_model(tmp_path / "m.wol")
    assert type(again) is type(one)
    for source in HELD_OUT[:3]:
        assert again.compress(source).kept == one.compress(source).kept
    again.save(tmp_path / "n.wol")
    assert (tmp_path / "m.wol").read_bytes() == (tmp_path / "n.wol").read_bytes()
    with pytest.raises(ModelError, match="not a"):
        (type(request.getfixturevalue("fluent" if which == "model" else "model"))).load(
            tmp_path / "m.wol"
        )


@pytest.mark.parametrize(
    ("search", "said"),
    [
        ({"constraints": "verbs"}, "no constraint 'verbs'"),
        ({"constraints": ["modifiers", ""]}, "no constraint ''"),
        ({"keep": "island"}, "a list of words"),
        ({"keep": ["harbour"]}, "is no word of"),
        ({"keep": ["her", "island"], "most": 1}, "2 words are to be kept"),
        ({"least": 0}, "from 1 up"),
        ({"least": 1.5}, "from 1 up"),
        ({"most": "half"}, "from 1 up"),
        ({"least": 6, "most": 2}, "at least 6 and at most 2"),
        ({"least": 5, "length": 6}, "leave least out"),
        ({"least": 0.5, "rate": 0.6}, "leave least out"),
        ({"length": 3, "most": 4}, "leave most out"),
        ({"length": 90}, "90 words cannot stay"),
        ({"rate": 0}, "above 0"),
        ({"bonus": float("nan")}, "bonus"),
        ({"beam": 4}, "no setting 'beam'"),
        ({"k": 101}, "100 is the most"),
    ],
)
def test_bad_settings_are_refused(model, search, said):
    with pytest.raises(ValueError, match=said):
        model.compress(BRACKETS, **search)


def test_other_bad_input_is_refused(model, fluent):
    flat = DeletionSentence.of_words(("rain", "fell"), ("NN", "VBD"))
    with pytest.raises(ValueError, match="this sentence has none"):
        model.compress(flat)
    assert model.compress(flat, constraints="none").tree is None
    with pytest.raises(ValueError, match="significance is a number from 0"):
        fluent.compress(BRACKETS, significance=-1)
    with pytest.raises(ValueError, match="order"):
        wl.train("clarke-lapata-2008-lm", SHORT, order=2)
    with pytest.raises(ValueError, match="no steps"):
        wl.train("clarke-lapata-2008-lm", SHORT, trace=wl.EventLog())
    damaged = fluent.arrays() | {"frequencies": np.full(3, -1)}
    with pytest.raises(ValueError, match="frequencies"):
        type(fluent).of_parts({**fluent.header(), "settings": {}}, damaged)
