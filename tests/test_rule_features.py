"""Features of rules: Table 2 of Cohn & Lapata (2009), what section 4 says, and how they add up."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from nltk.tree import Tree
from transduction_cases import Case
from transduction_examples import TABLE_2, TABLE_2_RULE
from transduction_oracles import score_of

from wordorder_lab.structures.phrase_tree import phrase_nodes
from wordorder_lab.structures.synchronous_rule import parse_rule
from wordorder_lab.transduction.features import (
    NGRAM,
    NGRAM_ID,
    RuleFeatures,
    application_scores,
    derivation_features,
)
from wordorder_lab.transduction.grammar import COPY, DELETE, EXTRACTED, read_grammar
from wordorder_lab.transduction.problem import TransductionProblem, transduction_problem
from wordorder_lab.transduction.templates import (
    SOURCE_TERMINALS,
    load_templates,
    parse_templates,
)

TEMPLATES = load_templates()


def features_of(text: str, origin: int = EXTRACTED) -> dict[str, float]:
    found = list(TEMPLATES.features(parse_rule(text), origin))
    assert len(dict(found)) == len(found)  # no name twice
    return dict(found)


def test_the_features_of_table_2() -> None:
    assert features_of(TABLE_2_RULE) == TABLE_2


def activists() -> TransductionProblem:
    source = Tree.fromstring("(NP (CD ten) (ADJP (RB very) (JJ loud)) (NNS activists))")
    return transduction_problem(phrase_nodes(source), read_grammar([TABLE_2_RULE], ["NNS"]))


def test_source_terminals_are_those_that_an_application_consumes() -> None:
    """Table 2 counts them in the tree: here the rule's own and three that it deletes."""
    problem = activists()
    features = RuleFeatures(TEMPLATES)
    rows = features.rows(problem)
    names = features.names()
    (one,) = (a for a, this in enumerate(problem.applications) if str(this.rule) == TABLE_2_RULE)
    here = slice(rows.starts[one], rows.starts[one + 1])
    found = {names[i]: value for i, value in zip(rows.ids[here], rows.values[here])}
    assert found == {**TABLE_2, SOURCE_TERMINALS: 4}
    assert all(rows.values)  # a feature of value 0 is left out
    consumed = {str(this.rule): this.consumed for this in problem.applications}
    assert consumed["<NNS, NNS> -> <[NNS activists], [NNS activists]>"] == 1
    assert consumed["<NP, NNS> -> <[NP CD_eps ADJP_eps NNS_1], NNS_1>"] == 3
    assert consumed["<NP, NP> -> <[NP CD_1 ADJP_2 NNS_3], [NP CD_1 ADJP_2 NNS_3]>"] == 0


def test_a_copied_word() -> None:
    """Both sides are equal, with and without words; no length changes. It is copied and learned."""
    assert features_of("<NN, NN> -> <[NN rain], [NN rain]>", EXTRACTED | COPY) == dict.fromkeys(
        [
            "Type: extracted",
            "Type: copy",
            "Root: X = NN",
            "Root: Y = NN",
            "Root: X = NN ∧ Y = NN",
            "Identity: α = [NN rain]",
            "Identity: γ = [NN rain]",
            "Identity: α = [NN rain] ∧ γ = [NN rain]",
            "Identity: α = γ",
            "UnlexId: unlex. α = NN",
            "UnlexId: unlex. γ = NN",
            "UnlexId: unlex. α = NN ∧ γ = NN",
            "UnlexId: unlex. α = γ",
            "Rule count: 1",
            "Word count: target terminals",
            "Yield: terminals source = [rain] ∧ target = [rain]",
            "Yield: terminal rain in both source and target",
            "Yield: non-terminals source = [NN] ∧ target = [NN]",
            "Yield: non-terminal NN in both source and target",
        ],
        1.0,
    )


def test_what_differs_between_rules_that_are_nearly_alike() -> None:
    """Indices count in the whole rule alone; words not in what is unlexicalised."""
    straight = features_of("<PP, PP> -> <[PP IN_1 NP_2], [PP IN_1 NP_2]>")
    swapped = features_of("<PP, PP> -> <[PP IN_1 NP_2], [PP NP_2 IN_1]>")
    assert set(straight) - set(swapped) == {
        "Identity: γ = [PP IN NP]",
        "Identity: α = [PP IN_1 NP_2] ∧ γ = [PP IN_1 NP_2]",
        "Identity: α = γ",
        "UnlexId: unlex. γ = [PP IN NP]",
        "UnlexId: unlex. α = [PP IN_1 NP_2] ∧ γ = [PP IN_1 NP_2]",
        "UnlexId: unlex. α = γ",
        "Yield: non-terminals source = [IN, NP] ∧ target = [IN, NP]",
    }
    same = features_of("<NP, NP> -> <[NP NN_1 NN_2], [NP NN_2 NN_1]>")
    assert {"Identity: α = γ", "UnlexId: unlex. α = γ"} <= same.keys()
    other_word = features_of("<NN, NN> -> <[NN rain], [NN snow]>", DELETE)
    assert "UnlexId: unlex. α = γ" in other_word and "Identity: α = γ" not in other_word
    assert other_word["Yield: terminal rain in source and not target"] == 1
    assert "Type: delete" in other_word and "Type: extracted" not in other_word
    longer = features_of("<NN, NP> -> <[NN rain], [NP [JJ heavy] [NN rain]]>")
    assert longer["Length: difference in length"] == -1
    assert longer["Word count: target terminals"] == 2 and "Length: target shorter" not in longer


def test_templates_are_read_from_text_and_files(tmp_path: Path) -> None:
    told = parse_templates("# mine\nMy row  X   # the label\n\nLong  target shorter\n")
    assert told.rows == (("My row", "X"), ("Long", "target shorter"))
    assert not told.counts_source and TEMPLATES.counts_source
    rule = parse_rule("<S, NP> -> <[S NP_1 VP_eps], NP_1>")
    assert dict(told.features(rule, EXTRACTED)) == {"My row: X = S": 1, "Long: target shorter": 1}
    path = tmp_path / "mine.txt"
    path.write_text(told.text, encoding="utf-8")
    assert load_templates(str(path)).rows == told.rows
    with pytest.raises(ValueError, match=r"line 2 of templates: .* is no template"):
        parse_templates("Root  X\nRoot  Z")
    with pytest.raises(ValueError, match="has no templates"):
        parse_templates("# nothing")
    with pytest.raises(ValueError, match="there are cohn_lapata_2009_table_2"):
        load_templates("nowhere")


def test_templates_of_one_class() -> None:
    """Section 6.1: every template is over rules or over tokens, and the text says what is left."""
    rules, tokens = (TEMPLATES.only(name) for name in ("rule,ngram", "token"))
    assert sorted((*rules.rows, *tokens.rows)) == sorted(TEMPLATES.rows)
    assert {row for row, _ in tokens.rows} == {"Word count", "Yield"} and len(tokens.rows) == 5
    assert not any("non-terminal" in what for _, what in tokens.rows)
    assert tokens.counts_source and not rules.counts_source
    assert parse_templates(rules.text, rules.name) == rules
    assert TEMPLATES.only("rule,token") is TEMPLATES is TEMPLATES.only("ngram,token,rule")
    assert TEMPLATES.only("ngram").rows == () and TEMPLATES.only("ngram").text == ""
    for wrong in ("", "rules", "rule,rule", "rule;token", "all"):
        with pytest.raises(ValueError, match="one or more of rule, token, ngram"):
            TEMPLATES.only(wrong)
    with pytest.raises(ValueError, match="mine has no templates for 'token,ngram'"):
        parse_templates("# words\nRoot  X", "mine").only("token,ngram")


def test_names_get_numbers_as_they_come_and_then_no_more() -> None:
    features = RuleFeatures(TEMPLATES)
    assert features.names() == [NGRAM] and features.numbers[NGRAM] == NGRAM_ID == 0
    first = features.rows(activists())
    known = features.names()
    assert sorted(set(first.ids.tolist())) == list(range(1, len(known)))
    again = features.rows(activists())
    assert all(np.array_equal(one, other) for one, other in zip(first, again))
    features.freeze()
    other = transduction_problem(
        phrase_nodes(Tree.fromstring("(NP (NNS dogs))")), read_grammar([], ["NP"])
    )
    rows = features.rows(other)
    assert features.names() == known and len(features) == len(known)
    assert rows.starts[-1] == len(rows.ids) == len(rows.values) and max(rows.ids) < len(known)
    restored = RuleFeatures(TEMPLATES, known)
    restored.freeze()
    assert all(np.array_equal(one, two) for one, two in zip(rows, restored.rows(other)))
    with pytest.raises(ValueError, match="the first feature is"):
        RuleFeatures(TEMPLATES, known[1:])


@pytest.mark.parametrize("seed", range(6))
def test_features_of_a_derivation_times_weights_are_its_score(seed: int) -> None:
    """Equations 5 and 6, against the oracle; and the words of the source are consumed once each."""
    case = Case(seed)
    features = RuleFeatures(TEMPLATES)
    rows = features.rows(case.problem)
    weights = np.array(
        [case.ngram_weight if name == NGRAM else case.weigh(name) for name in features.names()]
    )
    for one, score in zip(case.derivations[:40], case.scores):
        derivation = case.numbers(one)
        psi = derivation_features(rows, derivation, case.ngrams.score(one.tree.leaves()))
        total = sum(weights[number] * value for number, value in psi.items())
        assert total == pytest.approx(score, abs=1e-9)
        assert score == pytest.approx(
            score_of(one, case.weigh, case.ngrams, case.ngram_weight), abs=1e-12
        )
        counts = {features.names()[number]: value for number, value in psi.items()}
        assert counts[SOURCE_TERMINALS] == len(case.source.leaves())
        assert counts["Word count: target terminals"] == len(one.tree.leaves())
        assert counts["Rule count: 1"] == len(one.steps)
        scores = application_scores(rows, weights)
        assert case.ngram_weight * psi[NGRAM_ID] + sum(
            scores[a] for a in derivation
        ) == pytest.approx(score, abs=1e-9)
