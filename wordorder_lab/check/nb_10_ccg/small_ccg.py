"""What the exercises on CCG search ask about: three sentences of the Gazette and a small learner.

The readable learner has read a hundred short sentences, so the same searches come out on every
machine, with numba or without. Rules and lexical categories are those of all training sentences.
"""

from __future__ import annotations

from functools import cache, partial
from typing import Any

from wordorder_lab.best_first.ccg import BestFirstCCG
from wordorder_lab.best_first.ccg_rules import CCGRules
from wordorder_lab.best_first.gold import CCGExample
from wordorder_lab.best_first.guided_learning import GuidedLearner
from wordorder_lab.best_first.settings import GuidedSettings
from wordorder_lab.best_first.templates import load_ccg_templates
from wordorder_lab.best_first.updates import EdgeWeights
from wordorder_lab.corpora import load_corpus
from wordorder_lab.models.category_dictionary import CategoryDictionary
from wordorder_lab.models.tag_dictionary import TagDictionary
from wordorder_lab.structures.sentence import Sentence
from wordorder_lab.systems.zhang_clark_ccg import derivation_of, gold_example

READ, SHORTEST, LONGEST = 100, 5, 7
BEAM, EXPANSIONS = 16, 200


@cache
def grammar() -> tuple[CCGRules, CategoryDictionary]:
    """The rules and the lexical categories of the Gazette's training sentences."""
    sentences = load_corpus("gazette").train
    return CCGRules.of(map(derivation_of, sentences)), CategoryDictionary.of(sentences)


def example_of(sentence: Sentence) -> CCGExample:
    """A sentence as a training example, its tags given."""
    return gold_example(sentence, TagDictionary.of([sentence]).lookup, grammar()[1].lookup)


@cache
def _learned() -> GuidedLearner:
    short = [s for s in load_corpus("gazette").train if SHORTEST <= len(s) <= LONGEST]
    learner = _learner(EdgeWeights(), BestFirstCCG)
    for sentence in short[:READ]:
        learner.learn(example_of(sentence))
    return learner


def _learner(weights: EdgeWeights, decoder: type[BestFirstCCG]) -> GuidedLearner:
    learner = GuidedLearner(
        load_ccg_templates("zhang_clark_2015_table_1"),
        GuidedSettings(BEAM, "single", "scaled", "expand", EXPANSIONS),
        decoder=partial(decoder, rules=grammar()[0]),
    )
    learner.weights = weights
    return learner


def search_on(
    sentence: Sentence, trace: Any = None, decoder: type[BestFirstCCG] = BestFirstCCG
) -> Any:
    """A search of this decoder on the bag of a sentence, with what was learned; gold is marked."""
    learner = _learner(_learned().weights, decoder)
    learner.trace = trace
    return learner.search(example_of(sentence))
