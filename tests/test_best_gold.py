"""The best derivation of a gold tree has the same score on both engines, to the last bit."""

from __future__ import annotations

import random
from dataclasses import replace
from functools import cache

import pytest
from oracles import random_sentences

import wordorder_lab as wl
from wordorder_lab.analysis.gold_survival import gold_in
from wordorder_lab.systems import liu_2015
from wordorder_lab.transition.templates import load_templates

TEMPLATES = (
    "liu_2015_table_2",
    "liu_2015_labels",
    "puduppully_2016_look_ahead",
    "puduppully_2016_labelled_tree",
    "puduppully_2016_whole_tree",
)


@cache
def sentences() -> list[wl.Sentence]:
    """Projective trees with a label on each arc, among them one of a single word."""
    chance = random.Random(3)
    return [
        wl.Sentence(tuple(replace(token, label=chance.choice("xyz")) for token in sentence))
        for sentence in random_sentences(2, 40, 8)
    ]


@pytest.mark.parametrize("templates", TEMPLATES)
def test_both_engines_find_the_same(templates: str) -> None:
    labels, most = load_templates(templates).has_labels, 0
    pos, deps = (1, 1) if "tree" in templates else (0.5, 0.5)
    settings = {"templates": templates, "labels": labels, "pos": pos, "deps": deps, "beam": 4}
    how = {"epochs": 2, "engine": "reference", "progress": False}
    model = wl.train("liu-2015", sentences()[:20], lm_order=2, **settings, **how)
    for sentence in sentences():
        problem = model.problem(wl.bag_of(sentence, pos, deps, labels=deps if labels else 0))
        gold = gold_in(model, problem, sentence, 1)
        if gold is None or problem.given.interleaving:
            continue
        most = max(most, len(sentence))
        for weight in (0.0, 2.0):
            engines = ("reference", "fast")
            one, other = (model.best_gold(problem, gold, weight, engine) for engine in engines)
            assert one == other
    assert most == 8


def test_a_long_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    """More words than a number has bits, each under the one before it, or the last ones under the
    first: the twin is not asked."""
    model = wl.train("liu-2015", sentences()[:5], epochs=1, engine="reference", progress=False)
    for words, first in ((64, 64), (65, 65), (70, 60)):
        heads = (i - 1 if i < first else 0 for i in range(words))
        tokens = (wl.Token((f"w{i % 7}",), "NN", head) for i, head in enumerate(heads))
        sentence = wl.Sentence(tuple(tokens))
        problem = model.problem(wl.bag_of(sentence))
        gold = gold_in(model, problem, sentence, 1)
        assert gold is not None
        plain = model.best_gold(problem, gold, engine="reference")
        with monkeypatch.context() as patch:
            patch.setattr(liu_2015, "best_gold", None)
            assert model.best_gold(problem, gold, engine="fast") == plain
