"""The integer programme: equal to enumeration and to the lattice, and each constraint at work.

The sentences are made for the tests. In each, words are scored so that the best compression without
the constraint breaks it; with it, another one comes out.
"""

import re
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wordorder_lab.corpora.readers.penn import parse_tree
from wordorder_lab.deletion import integer_programme
from wordorder_lab.deletion.constraints import (
    NAMES,
    Constraint,
    always,
    constraints,
    kept_rows,
)
from wordorder_lab.deletion.integer_programme import best_through, path_score, real_steps, solve
from wordorder_lab.deletion.lattice import best_paths
from wordorder_lab.structures.deletion import DeletionSentence


def sentence(brackets):
    return DeletionSentence.of_tree(parse_tree(brackets))


def points(words, wanted):
    """Scores of bigrams: 1 for each word that is wanted, -0.4 for each other."""
    gains = np.array([0.0, *(1.0 if word in wanted else -0.4 for word in words), 0.0])
    return np.tile(gains, (len(gains), 1))


def kept(one, wanted, names, **lengths):
    found = solve(points(one.words, wanted.split()), constraints(one, names), **lengths)
    return None if found is None else " ".join(one.words[i] for i in found.kept)


AT_WORK = """
modifiers: old sank -> old ferry sank
  (S (NP (DT the) (JJ old) (NN ferry)) (VP (VBD sank)))
modifiers: rain again -> rain fell again
  (S (NP (NN rain)) (VP (VBD fell) (PP (IN on) (NP (NNS boats))) (ADVP (RB again))))
negation: boats sail -> boats not sail
  (S (NP (NNS boats)) (VP (MD will) (RB not) (VP (VB sail) (NP (NN today)))))
possessives: storm passed -> winter 's storm passed
  (S (NP (NP (NN winter) (POS 's)) (NN storm)) (VP (VBD passed)))
possessives: boat sank there -> her boat sank there
  (S (NP (PRP$ her) (NN boat)) (VP (VBD sank) (ADVP (RB there))))
arguments: frost killed -> frost killed apples
  (S (NP (NN frost)) (VP (VBD killed) (NP (NNS apples)) (PP (IN in) (NP (NNP May)))))
arguments: rain falls sea -> rain falls on sea
  (S (NP (NN rain)) (VP (VBZ falls) (PP (IN on) (NP (DT the) (NN sea)))))
arguments: crews stayed while -> crews stayed while waiting
  (S (NP (NNS crews)) (VP (VBD stayed) (SBAR (IN while) (S (VP (VBG waiting))))))
verb: the harbour -> the harbour froze
  (S (NP (DT the) (NN harbour)) (VP (VBD froze)))
coordination: gulls terns left -> gulls and terns left
  (S (NP (NNS gulls) (CC and) (NNS terns)) (VP (VBD left)))
coordination: gulls and left -> gulls and terns left
  (S (NP (NNS gulls) (CC and) (NNS terns)) (VP (VBD left)))
brackets: ice thin broke -> ice broke
  (S (NP (NP (NN ice)) (PRN (-LRB- -LRB-) (JJ thin) (-RRB- -RRB-))) (VP (VBD broke)))
pronouns: sailed north -> they sailed north
  (S (NP (PRP they)) (VP (VBD sailed) (NP (NN north))))
"""
"""Name of a constraint: words that are wanted and come out without it, what does with it; tree."""
CASES = re.findall(r"(\w+): (.*) -> (.*)\n +(.*)", AT_WORK)


@pytest.mark.parametrize(("name", "without", "with_it", "brackets"), CASES)
def test_each_constraint_is_broken_without_and_kept_with_it(name, without, with_it, brackets):
    one = sentence(brackets)
    assert kept(one, without, []) == without
    assert kept(one, without, [name]) == with_it
    rows = constraints(one, [name])
    assert not all(row.holds(_places(one, without)) for row in rows)
    assert all(row.holds(_places(one, with_it)) for row in rows)


def _places(one, text):
    return [one.words.index(word) for word in text.split()]


def test_every_constraint_has_its_sentence():
    assert {name for name, *_ in CASES} == {*NAMES}


def test_length_and_words_to_keep():
    one = sentence("(S (NP (NN rain)) (VP (VBZ falls) (PP (IN on) (NP (DT the) (NN sea)))))")
    assert kept(one, "rain", [], least=3) is not None
    assert len(kept(one, "rain", [], least=3).split()) == 3
    assert len(kept(one, "rain falls on the sea", [], most=2).split()) == 2
    found = solve(points(one.words, ["rain"]), kept_rows(one, ["Sea"]))
    assert [one.words[i] for i in found.kept] == ["rain", "sea"]


def test_all_words_obey_all_constraints_but_brackets():
    for *_, brackets in CASES:
        one = sentence(brackets)
        for row in constraints(one):
            assert row.name == "brackets" or row.holds(range(len(one)))


def says(brackets, *names):
    return {row.says for row in constraints(sentence(brackets), names)}


def test_a_subject_of_two_conjoined_verbs_needs_one_of_them():
    tree = "(S (NP (NNS crews)) (VP (VP (VBD ate)) (CC and) (VP (VBD slept))))"
    rows = says(tree, "arguments", "coordination")
    assert rows == {
        *("crews only with ate or slept", "ate only with crews", "slept only with crews"),
        *("and only with ate", "and only with slept", "ate and slept only with and"),
    }


def test_the_first_of_two_appositions_is_the_head_and_time_is_no_object():
    tree = (
        "(S (NP (NP (NNP Anna)) (, ,) (NP (DT a) (NN pilot)) (, ,)) "
        "(VP (VBD came) (NP (NN yesterday))))"
    )
    rows = says(tree, "arguments", "modifiers")
    assert rows == {
        *("came and Anna together", "yesterday only with came"),
        *("pilot only with Anna", "a only with pilot"),
    }


def test_negation_and_arguments_are_those_of_the_lexical_verb():
    tree = (
        "(SQ (VBZ has) (RB n't) (NP (DT the) (NN tide)) (VP (VBN turned) (NP (NNS boats))) (. ?))"
    )
    assert says(tree, "negation", "arguments") == {
        *("turned and n't together", "turned and tide together", "turned and boats together"),
    }


def test_brackets_never_closed_are_none():
    words = ("a", "(", "b", "[", "c", "]", "d")
    one = DeletionSentence.of_words(words, ["NN"] * 7)
    with pytest.raises(ValueError, match="tree"):
        constraints(one, ["brackets"])
    flat = sentence("(S " + " ".join(f"(NN {word})" for word in ("a", "[", "c", "]", "d")) + ")")
    assert says(str(flat.tree), "brackets") == {f"{w} in brackets goes" for w in ("[", "c", "]")}


def test_the_verb_that_stays_is_a_lexical_one():
    tree = "(S (NP (PRP he)) (VP (VBD did) (RB n't) (VP (VB go))) (. .))"
    assert says(tree, "verb") == {"at least one verb: go"}
    assert says("(S (NP (PRP he)) (VP (VBD did)) (. .))", "verb") == {"at least one verb: did"}


def test_a_sign_alone_is_no_sentence_and_brackets_stay_in_pairs():
    one = sentence(
        "(S (NP (NN ice)) (PRN (-LRB- -LRB-) (JJ thin) (-RRB- -RRB-)) (VP (VBD broke)) (. .))"
    )
    rows = always(one)
    legal = [
        {one.words[i] for i in choice}
        for choice in every_choice(len(one))
        if all(row.holds(choice) for row in rows)
    ]
    assert {"."} not in legal and {"ice", "-LRB-"} not in legal
    assert {"-LRB-", "-RRB-", "ice"} not in legal and {"-LRB-", "thin", "-RRB-"} in legal
    assert all(("-LRB-" in words) == ("-RRB-" in words) for words in legal)


def every_choice(words):
    return [c for size in range(1, words + 1) for c in combinations(range(words), size)]


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 7), st.integers(2, 3), st.integers(0, 10**6), st.data())
def test_the_best_of_all_choices(words, order, seed, data):
    random = np.random.default_rng(seed)
    scores = random.integers(-40, 40, (words + 2,) * order) / 8.0
    rows = []
    for number in range(data.draw(st.integers(0, 4))):
        values = random.integers(-1, 2, words).astype(float)
        rows.append(
            Constraint("row", str(number), tuple(range(words)), tuple(values), -1.0, np.inf)
        )
    least = data.draw(st.integers(1, words))
    most = data.draw(st.integers(least, words))
    legal = [
        choice
        for choice in every_choice(words)
        if least <= len(choice) <= most and all(row.holds(choice) for row in rows)
    ]
    found = solve(scores, rows, least, most)
    if not legal:
        assert found is None
        return
    assert found.kept in legal
    assert found.objective == path_score(scores, found.kept)
    assert found.objective == max(path_score(scores, choice) for choice in legal)


@settings(max_examples=25, deadline=None)
@given(st.integers(5, 11), st.integers(2, 3), st.integers(0, 10**6), st.integers(3, 12))
def test_what_is_solved_in_parts_is_the_best_of_all(words, order, seed, few):
    random = np.random.default_rng(seed)
    scores = random.integers(-40, 30, (words + 2,) * order) / 8.0
    rows = []
    for number in range(words // 2):
        a, b = (int(place) for place in random.choice(words, 2, replace=False))
        rows.append(Constraint("row", str(number), (a, b), (1.0, -1.0), float(number % 2), np.inf))
    least = int(random.integers(1, words))
    whole = solve(scores, rows, least)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(integer_programme, "FEW", few)
        parts = solve(scores, rows, least)
    assert (whole is None) == (parts is None)
    if whole is not None:
        assert parts.objective == whole.objective
        assert all(row.holds(parts.kept) for row in rows) and len(parts.kept) >= least


def test_the_best_path_through_each_step():
    random = np.random.default_rng(3)
    for order in (2, 3):
        scores, prices = random.normal(size=(6,) * order), random.normal(size=4)
        found = np.full(scores.shape, -np.inf)
        for choice in every_choice(4):
            total = path_score(scores, choice) + prices[[*choice]].sum()
            history = [0] * (order - 1)
            for position in (*(place + 1 for place in choice), 5):
                step = (*history, position)
                found[step] = max(found[step], total)
                history = [*history[1:], position]
        assert np.allclose(best_through(scores, prices), found)
        assert ((found > -np.inf) == real_steps(6, order)).all()


@settings(max_examples=40, deadline=None)
@given(st.integers(1, 25), st.integers(0, 10**6))
def test_without_constraints_it_is_the_path_of_the_lattice(words, seed):
    scores = np.random.default_rng(seed).normal(-0.5, 2.0, (words + 2, words + 2))
    best, second = [*best_paths(scores, 2), None][:2]
    found = solve(scores)
    assert found.kept == best.kept or (second and best.score - second.score < 1e-6)
    assert found.objective == best.score or found.kept != best.kept


def test_no_choice_obeys_what_contradicts_itself():
    gone = Constraint("brackets", "", (0,), (1.0,), 0.0, 0.0)
    assert solve(np.zeros((3, 3)), [gone]) is None


@pytest.mark.parametrize(
    ("scores", "lengths", "said"),
    [
        (np.zeros((3, 4)), {}, "two longer"),
        (np.zeros(4), {}, "two longer"),
        (np.zeros((400, 400)), {}, "250 is the most"),
        (np.full((4, 4), np.nan), {}, "finite"),
        (np.zeros((4, 4)), {"least": 0}, "from 0 to 2"),
        (np.zeros((4, 4)), {"least": 2, "most": 1}, "from 2 to 1"),
        (np.zeros((4, 4)), {"most": 3}, "from 1 to 3"),
    ],
)
def test_what_cannot_be_solved_is_refused(scores, lengths, said):
    with pytest.raises(ValueError, match=said):
        solve(scores, **lengths)


def test_unknown_names_and_words_are_refused():
    one = sentence(CASES[0][-1])
    with pytest.raises(ValueError, match="no constraint 'verbs'; there are modifiers"):
        constraints(one, ["verbs"])
    with pytest.raises(ValueError, match="'gull' is to be kept"):
        kept_rows(one, ["gull"])


def test_scores_beyond_the_solver_are_refused() -> None:
    """HiGHS takes 1e20 for infinite: weights of 1e19 reach it within a sentence."""
    scores = np.random.default_rng(1).normal(size=(6, 6))
    kept = solve(scores)
    assert kept is not None and solve(scores * 1e14) is not None
    with pytest.raises(ValueError, match="beyond what the integer programme"):
        solve(scores * 1e20)
