"""The exercises on tree transduction: what is asked, and what is true of it."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from exercise_cases import wrong_answers
from transduction_oracles import all_derivations

from wordorder_lab.check import Desk, nb_40, nb_40_shown, small_transducer, trained
from wordorder_lab.check.exercise import exercises_of
from wordorder_lab.check.nb_40 import (
    ALONE,
    COLUMNS,
    ONE_MORE,
    OTHERS,
    PAIRS,
    PASSIVES,
    ROWS,
    SCORES,
    STORM,
)
from wordorder_lab.structures.compression import CompressionPair
from wordorder_lab.structures.synchronous_rule import parse_rule
from wordorder_lab.trace.log import EventLog
from wordorder_lab.transduction.grammar import read_grammar

SIMPLE = (
    "<S, S> -> <[S NP_2 [VP [VBD was] [VP VBN_3 [PP [IN by] NP_1]]] ._4],"
    " [S NP_1 [VP {}_3 NP_2] ._4]>"
)
RULE = SIMPLE.format("VBN")
TAKEN = [(0, 0), (0, 1), (0,), (1, 0), (1,), (1, 1), (2, 0)]
CAT = "(S (NP (DT The) (NN cat)) (VP (VBD chased) (NP (DT a) (NN mouse))) (. .))"
CAR = (CompressionPair(small_transducer.FAST_CAR, (small_transducer.FAST_CAR,), ((0, 0),)),)
GIVEN: dict[str, Any] = {"model": small_transducer.by_hand(), "pairs": CAR}
EXERCISES = exercises_of("40")
Places = Set[int]
Words = Set[tuple[int, int]]


def some_inside(source: Places, target: Places, pairs: Words) -> bool:
    return any(s in source and t in target for s, t in pairs)


def none_astray(source: Places, target: Places, pairs: Words) -> bool:
    return all((s in source) == (t in target) for s, t in pairs)


def one_way(source: Places, target: Places, pairs: Words) -> bool:
    inside = some_inside(source, target, pairs)
    return inside and all(t in target for s, t in pairs if s in source)


def other_way(source: Places, target: Places, pairs: Words) -> bool:
    inside = some_inside(source, target, pairs)
    return inside and all(s in source for s, t in pairs if t in target)


WRONG: list[tuple[str, Any, str]] = [
    ("40.1", [21, "many", 21], "a whole number is wanted, not 'many'"),
    ("40.1", [16, 24, 21], "copy and deletion rules alone: there are more than 16"),
    ("40.1", [21, 24, 24], "different target trees with the rule as well: there are fewer than 24"),
    ("40.2", some_inside, "do not belong together, and you say otherwise"),
    ("40.2", none_astray, "do not belong together, and you say otherwise"),
    ("40.2", one_way, "do not belong together"),
    ("40.2", other_way, "do not belong together"),
    ("40.2", lambda source, target, pairs: False, "belong together, and you say otherwise"),
    ("40.3", 7, "A rule is a text such as"),
    ("40.3", "<S, S> -> <[S NP_1], [S NP_2]>", "each variable stands once on either side"),
    ("40.3", [], "Nothing of yours matches (S (NP (DT The) (NN bridge))"),
    ("40.3", SIMPLE.format("VBD"), "but one of its variables cannot be filled"),
    ("40.3", RULE.replace("[IN by]", "IN_eps"), "'Monday closed the bridge .'"),
    ("40.3", RULE.replace("[VBD was]", "VBD_eps"), "'Monday left the guests .'"),
    (
        "40.3",
        RULE.replace("VBN_3 [PP", "[VBN closed] [PP").replace("VBN_3", "[VBN closed]"),
        "Nothing of yours matches (S (NP (NNP Lotus))",
    ),
    (
        "40.3",
        RULE.replace("[S NP_1 [VP VBN_3 NP_2]", "[S NP_2 [VP VBN_3 NP_1]"),
        "should become 'A storm closed the bridge .', and becomes",
    ),
    ("40.4", [*TAKEN[:2], (1, 0), *TAKEN[3:]], "Number 3: it is not (1, 0), which seems to be wor"),
    ("40.4", [*TAKEN[:2], (0, 1), *TAKEN[3:]], "It has been taken already"),
    ("40.4", [*TAKEN[:2], (0, 3), *TAKEN[3:]], "items have the numbers 0 to 2"),
    ("40.4", [*TAKEN[:2], "first", *TAKEN[3:]], "'first' is neither"),
    ("40.5", CAT, "Two texts are wanted"),
    ("40.5", (CAT, 5), "Two texts are wanted"),
    ("40.5", ("(S (NP The cat))", "The cat"), "It cannot be read: your tree"),
    ("40.5", ("(S (NN rain) (VBD fell))", "rain"), "6 words at least"),
    (
        "40.5",
        (str(small_transducer.FAST_CAR), "the car"),
        "2 words at least that the model has never read",
    ),
    ("40.5", (CAT, "The cat chased a mouse ."), "is no shorter than the sentence"),
    ("40.5", (CAT, "The dog ."), "'The dog .' is not one of the 5 best"),
    ("40.6", 4, "Two numbers are wanted"),
    ("40.6", (1, 4), "Pairs have the numbers 0 to 0"),
    ("40.6", (0, 1), "A beam is a whole number from 2 up"),
    ("40.6", (0, 50), "is found, and nothing better with 1000"),
]
test_wrong_answers_are_told_where = wrong_answers(WRONG, **GIVEN)


# --- what is asked about --------------------------------------------------------------------------


def test_derivations_are_the_oracles() -> None:
    for tree, rules in ((STORM, []), (STORM, [ONE_MORE]), (small_transducer.FAST_CAR, [])):
        problem = small_transducer.problem_of(tree, rules)
        told = [str(problem.target_tree(one)) for one in small_transducer.derivations(problem)]
        naive = all_derivations(tree, read_grammar(rules, ["S"]))
        assert sorted(told) == sorted(str(one.tree) for one in naive)
        assert small_transducer.derivation_count(problem) == len(told)
    assert [case.right for case in nb_40.counts()] == [21, 24, 21]


def test_equation_2_plugged_in_gives_figure_7() -> None:
    assert len(nb_40.minimal_rules(nb_40.belong, small_transducer.FIGURE_1)) == 12
    assert len(PAIRS) == 3 and all(nb_40.minimal_rules(nb_40.belong, pair) for pair in PAIRS)


def test_a_rule_for_passives() -> None:
    """One rule, or one with rules for verbs; both turn what they must, and nothing else."""
    verbs = [f"<VBN, VBD> -> <[VBN {v}], [VBD {v}]>" for v in ("closed", "bought", "visited")]
    for answer in (RULE, [SIMPLE.format("VBD"), *verbs]):
        rules = nb_40.rules_of(answer)
        assert all(active in nb_40.outputs(tree, rules) for tree, active in PASSIVES)
        assert not any(nb_40.outputs(tree, rules) for tree in OTHERS)
        told = Desk()("40.3", answer, model=small_transducer.by_hand())
        assert told.right and told.text.count("made to use it") == len(PASSIVES)
    larger = nb_40.with_rules(small_transducer.by_hand(), nb_40.rules_of(RULE))
    assert len(larger.grammar) == 1 and larger.grammar.roots == {"S"}


def test_the_grid_has_no_ties() -> None:
    """Else the order would depend on which rule stands first."""
    sums = [SCORES[0] + row + column for row in ROWS for column in COLUMNS]
    sums += [SCORES[1] + one for one in ALONE]
    assert len({round(one, 6) for one in sums}) == len(sums)


@pytest.mark.parametrize("engine", ["reference", "fast"])
def test_cube_pruning_loses_the_car(engine: str) -> None:
    """With 4 items a cell; all combinations, and then the best 4, still have it."""
    model = small_transducer.by_hand()
    found = {
        (search, beam): model.compress(
            small_transducer.FAST_CAR, search=search, beam=beam, engine=engine
        )
        for search in ("cube", "exhaustive")
        for beam in (4, 5)
    }
    best = model.compress(small_transducer.FAST_CAR, beam="exact", engine=engine)
    assert best.text == "The car skidded to a halt"
    words = ["the", "car", "skidded", "to", "a", "halt"]
    assert best.score == pytest.approx(6 * 1.5 - 0.25 + model.ngrams.score(words))
    assert found["cube", 4].score < best.score == found["cube", 5].score
    assert found["exhaustive", 4].score == best.score


def test_trained_models_of_pairs_are_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Two pairs that look alike in short are still two."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    other = replace(small_transducer.FIGURE_1, alignment=small_transducer.FIGURE_1.alignment[1:])
    assert repr(other) == repr(small_transducer.FIGURE_1)
    settings: dict[str, Any] = {"engine": "reference", "beam": 2, "max_iterations": 1}
    for _ in range(2):
        for pair in (small_transducer.FIGURE_1, other):
            model = trained([pair], "cohn-lapata-2009", **settings)
            assert model.compress(pair.source, engine="reference").words
    assert len(list(tmp_path.rglob("*.wol"))) == 2
    assert capsys.readouterr().out.count("learning from 1 pairs") == 2


# --- what the notebook looks at -------------------------------------------------------------------


def test_the_paper_s_rules_make_its_first_example() -> None:
    """In the search that the notebook plays; what rules cannot make is said."""
    best = small_transducer.figure_1_by_hand().compress(
        small_transducer.FIGURE_1.source, engine="reference"
    )
    assert best.tree.leaves()[1:] == ["records", "are", "involved"]
    figure_3 = [parse_rule(line.strip()) for line in small_transducer.FIGURE_3.strip().splitlines()]
    assert sorted(best.rules) == sorted(rule.text for rule in figure_3)
    with pytest.raises(ValueError, match="no derivation of this grammar links"):
        list(nb_40_shown.rewriting(small_transducer.FIGURE_1, []))


def test_the_grid_of_the_last_cell_is_what_the_search_took() -> None:
    log = EventLog()
    small_transducer.by_hand().compress(
        small_transducer.FAST_CAR, beam=4, trace=log, engine="reference"
    )
    grid = nb_40_shown.grid_of(log)
    assert grid.rows == ["car", "the fast car", "the car"]
    taken = [event for event in log if event[0] == "combined"][-4:]
    assert {made.number for made in grid.taken.values()} <= {1, 2, 3, 4}
    assert all(made.score == taken[made.number - 1][5] for made in grid.taken.values())
    assert [row[""] for row in grid.table()] == [f"{name} +" for name in grid.rows]
