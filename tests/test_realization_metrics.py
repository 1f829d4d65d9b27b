"""Scores of realised sentences: by hand, by the libraries, and by their definitions."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from nltk.metrics.distance import edit_distance as nltk_edit_distance
from nltk.translate.bleu_score import SmoothingFunction, corpus_bleu
from nltk.translate.nist_score import corpus_nist
from sacrebleu.metrics import BLEU

from wordorder_lab.metrics.edit_distance import edit_distance
from wordorder_lab.metrics.realization import RealizationScores, realization_scores
from wordorder_lab.structures.lemma_tree import LemmaNode, LemmaTree
from wordorder_lab.structures.realization import Realization


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
    assert scores.inflection == 7 / 8 and scores.inflection_cased == 7 / 8
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
    assert [(row.low, row.high, row.inflection) for row in scores.by_length] == [
        (1, 5, 1.0),
        (6, 10, 5 / 6),
    ]


def test_capitals_count_in_cased_scores_alone() -> None:
    titled = output(PERSON, [0, 1, 2, 3, 4, 5], person="Person", she="she")
    scores = realization_scores([titled], [PERSON])
    assert scores.bleu_lc == pytest.approx(100) and scores.bleu_cased < 100
    assert scores.exact == 1 and scores.distance == 100
    assert scores.inflection == 1 and scores.inflection_cased == 5 / 6  # she stands first


def test_without_places_there_is_no_inflection_accuracy() -> None:
    bare = replace(
        DOGS, nodes=tuple(replace(node, form=None, position=None) for node in DOGS.nodes)
    )
    done = output(DOGS, [1, 0])
    scores = realization_scores([done], [bare])
    assert scores.inflection is None and scores.order_exact is None and scores.known == 0
    assert scores.by_length[0].inflection is None and "-" in str(scores)
    assert realization_scores([done], [bare], [DOGS]).inflection == 1
    assert realization_scores([done], [bare], [DOGS]).order_exact == 0


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
    data = scores.to_dict()
    assert "parts" not in data and data["by_length"][0]["sentences"] == 1
    assert set(data) == set(RealizationScores.__dataclass_fields__) - {"parts"}
    for name, (above, below) in scores.parts.ratios().items():
        scale = 100 if name == "distance" else 1
        assert data[name] == pytest.approx(scale * sum(above) / sum(below))


TEXTS = st.text(st.sampled_from("abé ."), max_size=9)


@given(TEXTS, TEXTS)
def test_edit_distance_is_that_of_nltk(first: str, second: str) -> None:
    assert edit_distance(first, second) == nltk_edit_distance(first, second)
