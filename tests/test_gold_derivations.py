"""Every gold derivation is built again, if nothing but gold is built: by the learner's own loop.

A rule that was not read off, a head that got lost, a word that can be used once too little, a row
of unary steps that is cut short: each would leave a derivation without its goal.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import pytest
from test_ccg import FILES

import wordorder_lab as wl
from wordorder_lab.best_first.ccg import BestFirstCCG
from wordorder_lab.best_first.ccg_rules import CCGRules
from wordorder_lab.best_first.edge import Edge
from wordorder_lab.best_first.guided_learning import GuidedLearner
from wordorder_lab.best_first.output import Ordering
from wordorder_lab.best_first.settings import GuidedSettings
from wordorder_lab.corpora.ccg_corpora import ccg_reader
from wordorder_lab.corpora.readers.files import data_roots
from wordorder_lab.models.tag_dictionary import TagDictionary
from wordorder_lab.structures.category import Category
from wordorder_lab.structures.derivation import Derivation
from wordorder_lab.structures.sentence import Sentence
from wordorder_lab.systems.zhang_clark_ccg import gold_example


class OnlyGold(BestFirstCCG):
    """A search that makes gold edges alone; they have no features."""

    def leaves(self) -> list[Edge]:
        return [edge for edge in super().leaves() if edge.is_gold]

    def expand(self, e: Edge) -> list[Edge]:
        return [edge for edge in super().expand(e) if edge.is_gold]

    def groups(self, edge: Edge) -> list[list]:
        return []


def rebuilt(sentence: Sentence, rules: CCGRules, signature: str) -> Ordering:
    """What Algorithm 2 comes to, with a bag whose words may have their gold categories alone."""
    settings = GuidedSettings(0, "sizes", "perceptron", "discard", signature=signature)
    templates: Any = None
    learner = GuidedLearner(templates, settings, decoder=partial(OnlyGold, rules=rules))
    example = gold_example(sentence, lambda _unit: (), lambda _unit, _tag: ())
    search = learner.search(example)
    assert learner.decode(search) == "finished", sentence.text
    (found,) = search.finish()
    return found


def bare(derivation: Derivation) -> Derivation:
    done: list[Derivation] = []
    for node in derivation.nodes():
        below = tuple(done[len(done) - len(node.children) :])
        del done[len(done) - len(node.children) :]
        leaf = Derivation.leaf(node.word, node.pos, node.category)
        done.append(Derivation(node.category, below, node.head) if below else leaf)
    return done[0]


def check_all(sentences: Sequence[Sentence], rules: CCGRules) -> None:
    for i, sentence in enumerate(sentences):
        assert sentence.derivation is not None
        found = rebuilt(sentence, rules, ("2011", "2015", "none")[i % 3])
        assert found.derivations == (bare(sentence.derivation),), sentence.text
        assert found.heads == sentence.derivation.heads()


@pytest.mark.parametrize("units", ["words", "base-np"])
@pytest.mark.slow
def test_the_gazette(units: str) -> None:
    corpus = wl.load_corpus("gazette", units=units)
    sentences = [*corpus.train, *corpus.dev, *corpus.test]
    found = [s.derivation for s in sentences if s.derivation is not None]
    assert len(found) == 2_400
    check_all(sentences[::3], CCGRules.of(found))


@pytest.mark.corpus
@pytest.mark.parametrize("name", FILES)
@pytest.mark.slow
def test_the_small_treebanks(name: str) -> None:
    paths = [root / "ccg_small" / name for root in data_roots()]
    here = [path for path in paths if path.is_file()]
    if not here:
        pytest.skip(f"ccg_small/{name} is not here")
    sentences = ccg_reader("words", 1)(here[:1]).sentences
    assert len(sentences) == FILES[name][0]
    different = {bare(s.derivation): s for s in sentences if s.derivation is not None}
    check_all([*different.values()][::2], CCGRules.of(different))


def test_two_gold_edges_with_one_signature() -> None:
    r"""dogs chase dogs: one of them N => NP, the other an NP in the lexicon. Both are needed."""
    cat = Category.parse
    noun = Derivation.unary(cat("NP"), Derivation.leaf("dogs", "NNS", cat("N")))
    verb = Derivation.leaf("chase", "VBP", cat(r"(S\NP)/NP"))
    phrase = Derivation.binary(cat(r"S\NP"), verb, Derivation.leaf("dogs", "NNS", cat("NP")))
    whole = Derivation.binary(cat("S"), noun, phrase)
    tokens = [
        wl.Token((leaf.word,), leaf.pos, head)
        for leaf, head in zip(whole.leaves(), whole.heads(), strict=True)
    ]
    sentence = Sentence(tuple(tokens), "", whole)
    for signature in ("2011", "2015", "none"):
        assert rebuilt(sentence, CCGRules.of([whole]), signature).derivations == (whole,)


def test_equal_words_are_gold_for_each_other_where_one_tag_is_hidden() -> None:
    """The bag has two types of "the", but a derivation does not tell them apart."""
    wanted = [s for s in wl.load_corpus("gazette", units="words").train[:80] if len(s) < 14]
    twice = 0
    for sentence in wanted:
        lookup = TagDictionary.of(wanted).lookup
        example = gold_example(sentence, lookup, lambda _unit, _tag: (), pos=0.5)
        gold = example.gold_edges()
        for i, item in enumerate(example.problem.items):
            same = [j for j in example.items if example.problem.items[j][1:] == item[1:]]
            assert gold.numbers.get(i) == (gold.numbers[same[0]] if same else None)
            twice += bool(same) and i not in example.items
        assert sorted(set(gold.numbers.values())) == list(range(gold.count))
    assert twice > 0
