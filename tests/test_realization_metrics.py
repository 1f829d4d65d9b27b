"""Scores of realized sentences: by hand, by the libraries, and by their definitions."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from nltk.metrics.distance import edit_distance as nltk_edit_distance
from nltk.translate.bleu_score import SmoothingFunction, corpus_bleu
from nltk.translate.nist_score import corpus_nist
from sacrebleu.metrics import BLEU

from wordorder_lab.metrics.realization import RealizationScores, edit_distance, realization_scores
from wordorder_lab.metrics.realization_errors import CAUSES, Comparison, realization_errors
from wordorder_lab.structures.lemma_tree import LemmaNode, LemmaTree
from wordorder_lab.structures.result import Realization


def tree_of(*nodes: tuple[str, str, str, int], name: str = "one") -> LemmaTree:
    """A tree from lemma, form, label and head, in the order of the reference."""
    made = tuple(
        LemmaNode(lemma, "X", "", (), label, head, None, form, place)
        for place, (lemma, form, label, head) in enumerate(nodes)
    )
    return LemmaTree(made, name, tuple(node.form or "" for node in made))


PERSON = tree_of(
    ("she", "She", "nsubj", 4),
    ("be", "is", "cop", 4),
    ("a", "an", "det", 4),
    ("honest", "honest", "amod", 4),
    ("person", "person", "root", -1),
    (".", ".", "punct", 4),
)
DOGS = tree_of(("Dogs", "Dogs", "nsubj", 1), ("bark", "bark", "root", -1), name="two")


def output(tree: LemmaTree, order: list[int], **other: str) -> Realization:
    """An output in this order, forms as in the reference but for ``other``."""
    forms = tuple(other.get(node.lemma, node.form or "") for node in tree.nodes)
    return Realization(tuple(forms[i] for i in order), tuple(order), forms, 0.0)


def test_an_honest_person_by_hand() -> None:
    """*Is she a honest person .* against *She is an honest person .*, and two words all right."""
    wrong = output(PERSON, [1, 0, 2, 3, 4, 5], a="a", be="Is", she="she")
    scores = realization_scores([wrong, output(DOGS, [0, 1])], [PERSON, DOGS])
    assert (scores.sentences, scores.known, scores.known_words) == (2, 2, 8)
    assert scores.inflected == 7 / 8 and scores.inflected_cased == 7 / 8
    assert scores.exact == 0.5 and scores.order_exact == 0.5 and scores.brevity == 1
    # "is she a" to "she is an": take "is " out, put " is" in, and an n
    text, there = "is she a honest person .", "she is an honest person ."
    edits = 7
    assert scores.distance == pytest.approx(100 * (1 - edits / (len(there) + len("dogs bark"))))
    assert scores.distance_mean == pytest.approx(50 * (2 - edits / len(there)))
    outputs, references = [text, "dogs bark"], [there, "dogs bark"]
    by_sacrebleu = BLEU(tokenize="none", lowercase=True, force=True)
    assert scores.bleu_lc == by_sacrebleu.corpus_score(outputs, [references]).score
    assert scores.bleu_lc_signature == str(by_sacrebleu.get_signature())
    lists = [one.split() for one in outputs], [[one.split()] for one in references]
    smooth = SmoothingFunction().method2
    by_nltk = corpus_bleu(lists[1], lists[0], smoothing_function=smooth)
    assert scores.bleu_organisers == pytest.approx(100 * by_nltk)
    assert scores.nist == pytest.approx(corpus_nist(lists[1], lists[0], n=4))
    assert [(row.low, row.high, row.inflected) for row in scores.by_length] == [
        (1, 5, 1.0),
        (6, 10, 5 / 6),
    ]


def test_capitals_count_in_cased_scores_alone() -> None:
    titled = output(PERSON, [0, 1, 2, 3, 4, 5], person="Person", she="she")
    scores = realization_scores([titled], [PERSON])
    assert scores.bleu_lc == pytest.approx(100) and scores.bleu_cased < 100
    assert scores.exact == 1 and scores.distance == 100
    assert scores.inflected == 1 and scores.inflected_cased == 5 / 6  # she stands first


def test_without_places_there_is_no_inflection_accuracy() -> None:
    bare = replace(
        DOGS, nodes=tuple(replace(node, form=None, position=None) for node in DOGS.nodes)
    )
    done = output(DOGS, [1, 0])
    scores = realization_scores([done], [bare])
    assert scores.inflected is None and scores.order_exact is None and scores.known == 0
    assert scores.by_length[0].inflected is None and "-" in str(scores)
    assert realization_scores([done], [bare], [DOGS]).inflected == 1
    assert realization_scores([done], [bare], [DOGS]).order_exact == 0


def test_nltk_counts_what_a_short_sentence_has_not_as_wrong() -> None:
    """Six words have three 4-grams; two have none, and by nltk one that is wrong."""
    scores = realization_scores([output(PERSON, [*range(6)]), output(DOGS, [0, 1])], [PERSON, DOGS])
    assert scores.bleu_lc == pytest.approx(100)
    trigrams, fourgrams = (4 + 1) / (4 + 1 + 1), (3 + 1) / (3 + 1 + 1)
    assert scores.bleu_organisers == pytest.approx(100 * (trigrams * fourgrams) ** 0.25)


def test_equal_lemmas_may_change_places() -> None:
    commas = tree_of(("so", "So", "root", -1), (",", ",", "punct", 0), (",", ",", "punct", 0))
    assert realization_scores([output(commas, [0, 2, 1])], [commas]).order_exact == 1


def test_what_cannot_be_scored_is_named() -> None:
    done = output(DOGS, [0, 1])
    with pytest.raises(ValueError, match="2 trees, 1 outputs, 2 gold trees"):
        realization_scores([done], [DOGS, DOGS])
    with pytest.raises(ValueError, match="at least one tree"):
        realization_scores([], [])
    with pytest.raises(ValueError, match="two has no reference"):
        realization_scores([done], [replace(DOGS, reference=())])
    with pytest.raises(ValueError, match="one has 6 nodes"):
        realization_scores([done], [PERSON])


def test_scores_are_sums_of_their_parts_and_json() -> None:
    outputs = [output(PERSON, [5, 0, 1, 2, 3, 4]), output(DOGS, [1, 0], bark="barks")]
    scores = realization_scores(outputs, [PERSON, DOGS])
    data: dict[str, Any] = scores.to_dict()
    assert "parts" not in data and data["by_length"][0]["sentences"] == 1
    assert set(data) == set(RealizationScores.__dataclass_fields__) - {"parts"}
    for name, (above, below) in scores.parts.ratios().items():
        scale = 100 if name == "distance" else 1
        assert data[name] == pytest.approx(scale * sum(above) / sum(below))


TEXTS = st.text(st.sampled_from("abé ."), max_size=9)


@given(TEXTS, TEXTS)
def test_edit_distance_is_that_of_nltk(first: str, second: str) -> None:
    assert edit_distance(first, second) == nltk_edit_distance(first, second)


def causes_of(done: Realization, tree: LemmaTree) -> dict[str, int]:
    errors = realization_errors([done], [tree])
    assert [cause.name for cause in errors.causes] == list(CAUSES)
    return {cause.name: cause.places for cause in errors.causes if cause.places}


def test_causes_at_an_honest_person() -> None:
    assert causes_of(output(PERSON, [0, 1, 2, 3, 4, 5]), PERSON) == {}
    assert causes_of(output(PERSON, [5, 0, 1, 2, 3, 4]), PERSON) == {"punctuation": 1}
    assert causes_of(output(PERSON, [1, 0, 2, 3, 4, 5]), PERSON) == {"siblings": 1}
    assert causes_of(output(PERSON, [0, 1, 2, 4, 3, 5]), PERSON) == {"sides": 1}
    assert causes_of(output(PERSON, [0, 1, 2, 3, 4, 5], a="a"), PERSON) == {"inflection": 1}
    assert causes_of(output(PERSON, [0, 1, 2, 3, 4, 5], be="'s"), PERSON) == {"contractions": 1}
    errors = realization_errors([output(PERSON, [1, 0, 2, 3, 4, 5])], [PERSON])
    assert errors.pairs == (("nsubj", "cop", 1),) and "nsubj cop 1" in str(errors)
    assert errors.bleu_lc < 100 and errors.causes[0].bleu_lc == pytest.approx(100)
    told: dict[str, Any] = errors.to_dict()
    assert told["causes"][0]["sentences"] == 1


def test_crossing_arcs_are_a_cause_of_their_own() -> None:
    crossing = tree_of(
        ("a", "A", "det", 1),
        ("hearing", "hearing", "nsubj", 2),
        ("start", "starts", "root", -1),
        ("on", "on", "case", 4),
        ("it", "it", "nmod", 1),
    )
    assert not crossing.is_projective()
    errors = realization_errors([output(crossing, [0, 1, 3, 4, 2])], [crossing])
    by_name = {cause.name: cause for cause in errors.causes}
    assert by_name["crossing"].places == 1
    assert by_name["crossing"].bleu_lc == pytest.approx(100)
    assert errors.bleu_lc < 100


@given(st.randoms(use_true_random=False), st.integers(1, 9))
def test_an_output_with_all_its_causes_repaired_is_the_reference(chance, length: int) -> None:
    heads = [-1, *(chance.randrange(i) for i in range(1, length))]
    places = chance.sample(range(length), length)
    labels = ["punct", "nsubj", "obj"]
    nodes = tuple(
        LemmaNode(
            chance.choice("abc"), "X", "", (), chance.choice(labels), head, None, f"w{at}", at
        )
        for head, at in zip(heads, places, strict=True)
    )
    tree = LemmaTree(nodes, reference=tuple(f"w{i}" for i in range(length)))
    order = tuple(chance.sample(range(length), length))
    forms = tuple(chance.choice([node.form or "", "other", "'s"]) for node in nodes)
    done = Realization(tuple(forms[i] for i in order), order, forms, 0.0)
    compared = Comparison(done, tree, tree)
    right = [node.lemma for node in tree.placed().nodes]
    lemmas = [nodes[i].lemma for i in compared.order(CAUSES)]
    assert lemmas == right
    assert compared.repaired(()) == list(done.words)
    assert set(compared.repaired(CAUSES)) <= set(tree.reference)


def test_nothing_is_compared_with_a_tree_that_knows_no_places() -> None:
    with pytest.raises(ValueError, match="nothing to compare"):
        realization_errors([output(DOGS, [0, 1])], [DOGS], [None])
