"""A beam inside each head's domain: worked by hand, against enumeration, and on both engines."""

from __future__ import annotations

import random
from typing import Any

import pytest
from test_best_first_engines import KEYS, TAGS, WORDS, RandomWeights, same_learning, same_run
from test_guided_learning import NOTHING, Names
from test_input_constraints import repetitive_sentence

import wordorder_lab as wl
from wordorder_lab.best_first.dependency import BestFirstDependency
from wordorder_lab.best_first.domain_beam import DomainBeam
from wordorder_lab.best_first.domain_beam_fast import FastDomainBeam
from wordorder_lab.best_first.edge import Edge
from wordorder_lab.best_first.gold import Example
from wordorder_lab.best_first.keys import EdgeKeys
from wordorder_lab.best_first.settings import GuidedSettings, SearchSettings
from wordorder_lab.best_first.violation_learning import ViolationLearner
from wordorder_lab.best_first.violation_learning_fast import FastViolationLearner
from wordorder_lab.models.tag_dictionary import TagDictionary
from wordorder_lab.structures.bag import bag_of, places
from wordorder_lab.structures.problem import OrderingProblem
from wordorder_lab.structures.sentence import Sentence, Token
from wordorder_lab.structures.templates import Feature
from wordorder_lab.systems.zhang_clark_2015_dependency import gold_example
from wordorder_lab.trace.log import EventLog

ENGINES: Any = {"reference": DomainBeam, "fast": FastDomainBeam}


class NamedDomains(DomainBeam):
    """An edge's last action has one feature, its name, as in ``test_guided_learning``."""

    name: Any = Names.name
    show: Any = Names.show

    def groups(self, edge: Edge) -> list[list[Feature]]:
        return [[(self.name(edge),)]]


def learning(beam: int) -> GuidedSettings:
    return GuidedSettings(beam, "single", "domain", "expand")


def whole_tree(sentence: Sentence, pos: float = 1, seed: int = 1) -> Example:
    """A sentence with all heads given; the seed says in which order its bag is."""
    lookup = TagDictionary.of([sentence]).lookup
    problem = OrderingProblem.of(bag_of(sentence, pos, 1, seed), lookup)
    return gold_example(sentence, problem, places(sentence, seed))


def test_one_sentence_by_hand() -> None:
    """b with its dependents a and c, "a b c". A beam of one keeps "b a", made first, as nothing has
    a weight; gold, c to the right first, goes on beside it. Every step has a violation of 0, and
    the last of them makes the update: the features of both links, none of a, b or c alone."""
    tokens = [Token((word,), "T", head) for word, head in zip("abc", (1, -1, 1), strict=True)]
    one = whole_tree(Sentence(tuple(tokens), "abc"))
    log = EventLog()
    learner = ViolationLearner(NOTHING, learning(1), log, NamedDomains)
    learner.learn(one)
    assert [event for event in log if event[0] not in ("begin", "leaf")] == [
        *[("popped", 3, 0.0), ("charted", 3)],  # c, a (2), then their head, b (1)
        *[("popped", 2, 0.0), ("charted", 2)],
        *[("popped", 1, 0.0), ("charted", 1)],
        ("edge", 4, 1, 2, "HeadLeft", 0.0, 0, ""),
        ("edge", 5, 2, 1, "HeadRight", 0.0, 0, ""),
        ("edge", 6, 1, 3, "HeadLeft", 0.0, 1, ""),
        ("edge", 7, 3, 1, "HeadRight", 0.0, 0, ""),
        *[("popped", 4, 0.0), ("pruned", 5, "beam"), ("pruned", 7, "beam")],
        *[("charted", 4), ("charted", 6)],
        ("edge", 8, 4, 3, "HeadLeft", 0.0, 0, ""),
        ("edge", 9, 3, 4, "HeadRight", 0.0, 0, ""),
        ("edge", 10, 6, 2, "HeadLeft", 0.0, 0, ""),
        ("edge", 11, 2, 6, "HeadRight", 0.0, 1, ""),
        *[("popped", 8, 0.0), ("pruned", 9, "beam"), ("pruned", 10, "beam")],
        *[("charted", 8), ("charted", 11), ("goal", 11, 0.0)],
        ("edge_update", 0, "agenda", 11, 8, 0.0, 1.0),
        *[("weight", "(a<(b>c))", "", 0.0, 1.0), ("weight", "(b>c)", "", 0.0, 1.0)],
        *[("weight", "((b>a)>c)", "", 0.0, -1.0), ("weight", "(b>a)", "", 0.0, -1.0)],
        ("stopped", "stopped"),
    ]
    learner.learn(one)
    assert learner.sentences == {"finished": 1, "limit": 0, "stopped": 1}
    assert learner.updates["agenda"] == 1


def random_tree(chance: random.Random, most: int = 6) -> OrderingProblem | None:
    """A bag with all heads, words repeated, some orders; ``None`` if it contradicts itself."""
    n = chance.randint(1, most)
    words = [chance.choice([*WORDS, "the a", "x unseen"]) for _ in range(n)]
    pos = [chance.choice([*TAGS, "?", None]) for _ in words]
    heads = [-1] + [chance.randrange(i) for i in range(1, n)]
    before = [(0, 1), (n - 1, 1)][: chance.choice([0, 0, 1, 2])] if n > 2 else []
    try:
        return OrderingProblem.of(wl.WordBag(words, pos, heads, before), lambda _unit: ("X", "Y"))
    except ValueError:
        return None


@pytest.mark.parametrize("seed", range(4))
def test_engines_agree_and_use_every_word(seed: int) -> None:
    chance = random.Random(seed)
    for problem in filter(None, [random_tree(chance, 8) for _ in range(15)]):
        beam, k = chance.choice([1, 2, 5]), chance.choice([1, 3])
        settings = SearchSettings(beam, k=k, scaled=False, default="tree")
        outputs, _, _ = same_run(
            problem, RandomWeights(KEYS), settings, reference=DomainBeam, fast=FastDomainBeam
        )
        assert len(outputs[0].items) == problem.size


@pytest.mark.parametrize("seed", range(3))
def test_a_wide_beam_finds_the_best_of_all_orders(seed: int) -> None:
    """Best-first search with no bounds makes every order of the tree; none scores higher."""
    chance = random.Random(seed)
    for problem in filter(None, [random_tree(chance, 5) for _ in range(8)]):
        weights = RandomWeights(KEYS)
        every = SearchSettings(beam=0, scaled=False, k=10**9)
        arguments = problem, KEYS.templates, weights
        best = BestFirstDependency(*arguments, every).run()[0]
        wide = SearchSettings(beam=10**4, scaled=False, default="tree")
        assert DomainBeam(*arguments, wide).run()[0].score == pytest.approx(best.score)


@pytest.mark.parametrize("beam", [1, 4])
def test_learners_agree(beam: int) -> None:
    """Equal words and equal subtrees are among the sentences; weights, counts and events."""
    sentences = [s for s in wl.load_corpus("gazette", units="base-np").train if len(s) <= 9][:4]
    sentences += [repetitive_sentence(random.Random(seed)) for seed in range(3)]
    tokens = [token for sentence in sentences for token in sentence]
    keys = EdgeKeys.of(KEYS.templates, (t.words[-1] for t in tokens), (t.pos for t in tokens))
    examples = [whole_tree(sentence, pos) for sentence in sentences for pos in (1, 0)]
    reference = ViolationLearner(keys.templates, learning(beam), EventLog(), DomainBeam)
    order = [*range(len(examples))] * 3
    for i in order:
        reference.learn(examples[i])
    for log in (EventLog(), None):
        fast = FastViolationLearner(keys, learning(beam), FastDomainBeam)
        same_learning(reference, fast, examples, order, log)


@pytest.mark.parametrize("engine", ENGINES)
def test_a_model_learns_orders_and_refuses(engine: str, tmp_path: Any) -> None:
    """From training to a file and back; what it cannot do it says."""
    corpus = wl.load_corpus("gazette", units="base-np")
    few = [sentence for sentence in corpus.train if len(sentence) <= 8][:12]
    how = {"deps": 1, "epochs": 3, "engine": engine, "progress": False}
    name = "zhang-clark-2015-dependency"
    model = wl.train(name, few, update="domain", beam=4, **how)
    model.save(tmp_path / "m.wol")
    model = wl.load_model(tmp_path / "m.wol")
    right = [model.order(bag_of(s, 1, 1), engine=engine).text == s.text for s in few]
    assert sum(right) >= 10
    assert model.usual_search() == {"beam": 4}
    with pytest.raises(ValueError, match="give the head of every word"):
        model.order("a b c", engine=engine)
    with pytest.raises(ValueError, match="expansions"):
        model.order(bag_of(few[0], 1, 1), expansions=5)
    with pytest.raises(ValueError, match="deps=1 and a beam of at least 1"):
        wl.train(name, few, update="domain", beam=0, **how)
