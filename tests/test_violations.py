"""Learning by violations in best-first search: by hand, against enumeration, on both engines."""

from __future__ import annotations

import random
from typing import Any

import pytest
from test_best_first_engines import KEYS, same_learning
from test_domain_beam import whole_tree
from test_guided_learning import A_TO_B, NOTHING, Names, example
from test_input_constraints import repetitive_sentence

import wordorder_lab as wl
from wordorder_lab.best_first.dependency import BestFirstDependency
from wordorder_lab.best_first.dependency_fast import FastDependencySearch
from wordorder_lab.best_first.edge import Edge
from wordorder_lab.best_first.gold import Example
from wordorder_lab.best_first.keys import EdgeKeys
from wordorder_lab.best_first.settings import GuidedSettings
from wordorder_lab.best_first.updates import DOMAIN_VIOLATION, EARLY, MAX_VIOLATION, VIOLATIONS
from wordorder_lab.best_first.violation_learning import (
    ViolationLearner,
    domain_score,
    gold_edges,
    violations,
)
from wordorder_lab.best_first.violation_learning_fast import FastViolationLearner
from wordorder_lab.structures.bag import bag_of
from wordorder_lab.structures.sentence import Sentence, Token
from wordorder_lab.trace.log import EventLog


def learning(update: str, expansions: int | None = 200, signature: str = "words") -> GuidedSettings:
    return GuidedSettings(0, "single", update, "expand", expansions, signature)


def learner(
    update: str,
    log: EventLog | None = None,
    start: dict[str, float] | None = None,
    expansions: int | None = 200,
) -> ViolationLearner:
    """One whose features are names; it has these weights to begin with."""
    made = ViolationLearner(NOTHING, learning(update, expansions), log, Names)
    for name, weight in (start or {}).items():
        made.weights.add((name,), weight)
    return made


def test_one_update_by_hand() -> None:
    """All is 0, so "b a" with b -> a, made first, is popped as a goal. The gold goal has 0, too,
    and was not popped before it. Of Phi, a and b are in both."""
    log = EventLog()
    one = learner(EARLY, log)
    one.learn(A_TO_B)
    assert [event for event in log if event[0] in ("goal", "edge_update", "weight", "stopped")] == [
        ("goal", 3, 0.0),
        ("edge_update", 0, "agenda", 5, 3, 0.0, 1.0),
        ("weight", "(a>b)", "", 0.0, 1.0),
        ("weight", "(b>a)", "", 0.0, -1.0),
        ("stopped", "stopped"),
    ]
    one.learn(A_TO_B)
    assert one.sentences == {"finished": 1, "limit": 0, "stopped": 1}
    assert one.updates["agenda"] == 1


B_OF_A_C = Sentence(tuple(Token((w,), "T", h) for w, h in zip("abcd", (1, 2, -1, 2), strict=True)))
"""c has d to the right and b to the left, b has a to its left: "a b c d"."""


@pytest.mark.parametrize(
    ("update", "expected"),
    [
        (EARLY, [("(a<b)", "(b>a)")]),
        (MAX_VIOLATION, [("((a<b)<(c>d))", "((c>d)>(b>a))")]),
        (DOMAIN_VIOLATION, [("(a<b)", "(b>a)"), ("((a<b)<(c>d))", "((c>d)>(b>a))")]),
    ],
)
def test_which_violation(update: str, expected: list) -> None:
    """Wrong are "b a" (ahead by 1) and c with that behind it (by 2 more). The first is the early
    one, the goal the greatest, and each is the greatest in its domain: c's links are (c>d) in both,
    and the last one."""
    log = EventLog()
    start = {"(b>a)": 1.0, "(c>d)": 5.0, "((c>d)>(b>a))": 2.0}
    learner(update, log, start).learn(whole_tree(B_OF_A_C))
    names: dict[int, str] = {}
    for kind, serial, *rest in log:
        if kind == "leaf":
            names[serial] = rest[1]
        if kind == "edge":
            side = ">" if rest[2] == "HeadLeft" else "<"
            names[serial] = f"({names[rest[0]]}{side}{names[rest[1]]})"
    updates = [event for event in log if event[0] == "edge_update"]
    assert [(names[event[3]], names[event[4]]) for event in updates] == expected


def random_example(chance: random.Random, most: int = 5) -> Example:
    """A sentence of one-letter words, with a random projective tree that is given."""
    n = chance.randint(2, most)

    def tree(first: int, last: int, above: int, heads: list[int]) -> None:
        if first <= last:
            root = chance.randint(first, last)
            heads[root] = above
            tree(first, root - 1, root, heads)
            tree(root + 1, last, root, heads)

    heads = [0] * n
    tree(0, n - 1, -1, heads)
    tokens = [Token((w,), "T", h) for w, h in zip("abcde", heads, strict=False)]
    return whole_tree(Sentence(tuple(tokens)))


class RandomNames(Names):
    """Their weights are random, but fixed; many are equal."""

    def __init__(self, *arguments: Any, **more: Any) -> None:
        super().__init__(*arguments, **more)
        self.weight = lambda feature: random.Random(feature[0]).randint(-2, 2)


def searched(one: Example) -> BestFirstDependency:
    """A search without limits, which has every edge of the tree, best or not, if it goes on."""
    settings = learning(EARLY, None).search
    search = RandomNames(one.problem, NOTHING, NOTHING, settings, gold=one.gold_edges())
    search.search()
    return search


def rivals(search: BestFirstDependency, score: Any) -> list[tuple[int, float, Edge, Edge]]:
    """All violations, from the definition: place in the order of popping, by how much, gold and
    wrong edge."""
    found = []
    for place, wrong in enumerate(search.popped):
        for gold in gold_edges(search) if not wrong.is_gold else ():
            goals = search.goal_test(gold) and search.goal_test(wrong)
            if goals or search.signature(gold) == search.signature(wrong):
                ahead = score(wrong) - score(gold)
                if ahead > 0 or (ahead == 0 and gold not in search.popped[:place]):
                    found.append((place, ahead, gold, wrong))
    return found


@pytest.mark.parametrize("seed", range(4))
def test_updates_are_those_of_all_violations(seed: int) -> None:
    """Early is the first of all, max-violation the greatest, of equal ones the last; where there is
    none, there is no update. In a domain, its own links are what counts."""
    chance, none = random.Random(seed), 0
    for _ in range(30):
        search = searched(random_example(chance))
        every = rivals(search, lambda edge: edge.total)
        none += not every
        assert violations(search, EARLY) == [one[2:] for one in every[:1]]
        assert violations(search, MAX_VIOLATION) == [one[2:] for one in greatest(every)]
        heads: dict[int, list[Any]] = {}
        for one in rivals(search, domain_score):
            heads.setdefault(one[2].items[one[2].root], []).append(one)
        worst = {greatest(every)[0][2:] for every in heads.values()}
        assert {*violations(search, DOMAIN_VIOLATION)} == worst
    assert 0 < none < 30


def greatest(every: list[Any]) -> list[Any]:
    """That with the greatest difference, of equal ones the last, if there is any."""
    return [max(every, key=lambda one: (one[1], one[0]))] if every else []


def test_no_violation_no_update() -> None:
    """A wrong goal is popped since the gold one was not made in time, but gold scores more: the
    search is to blame."""
    one = example("abc", (1, -1, 1))
    start = {"b": 0.0, "(b>a)": 1.0, "((b>a)>c)": 1.0, "(b>c)": -1.0, "(a<(b>c))": 9.0}
    made = learner(MAX_VIOLATION, start=start)
    before = dict(made.weights.rows)
    made.learn(one)
    assert made.sentences["limit"] == 1 and not any(made.updates.values())
    assert made.weights.rows == before


@pytest.mark.parametrize("update", VIOLATIONS)
@pytest.mark.parametrize("signature", ["words", "ends"])
def test_learners_agree(update: str, signature: str) -> None:
    """Equal words and equal subtrees are among the sentences; weights, counts and events."""
    sentences = [s for s in wl.load_corpus("gazette", units="base-np").train if len(s) <= 9][:4]
    sentences += [repetitive_sentence(random.Random(seed)) for seed in range(3)]
    tokens = [token for sentence in sentences for token in sentence]
    keys = EdgeKeys.of(KEYS.templates, (t.words[-1] for t in tokens), (t.pos for t in tokens))
    examples = [whole_tree(sentence, pos) for sentence in sentences for pos in (1, 0)]
    settings = learning(update, 60, signature)
    reference = ViolationLearner(keys.templates, settings, EventLog(), BestFirstDependency)
    order = [*range(len(examples))] * 3
    for i in order:
        reference.learn(examples[i])
    for log in (EventLog(), None):
        fast = FastViolationLearner(keys, settings, FastDependencySearch)
        same_learning(reference, fast, examples, order, log)


@pytest.mark.parametrize("update", VIOLATIONS)
def test_the_order_of_the_bag_does_not_matter(update: str) -> None:
    sentences = [repetitive_sentence(random.Random(seed)) for seed in range(4)]
    learned = []
    for seed in (1, 2, 3):
        one = learner(update, expansions=None)
        for sentence in sentences * 2:
            one.learn(whole_tree(sentence, seed=seed))
        learned.append((one.weights.rows, one.updates, one.sentences))
    assert learned[0][1]["agenda"]
    assert learned[0] == learned[1] == learned[2]


@pytest.mark.parametrize("engine", ["reference", "fast"])
def test_a_model_learns_and_orders_by_best_first_search(engine: str, tmp_path: Any) -> None:
    """From training to a file and back; it searches as after guided learning."""
    corpus = wl.load_corpus("gazette", units="base-np")
    few = [sentence for sentence in corpus.train if len(sentence) <= 8][:12]
    how = {"deps": 1, "epochs": 3, "engine": engine, "progress": False, "signature": "words"}
    name = "zhang-clark-2015-dependency"
    model = wl.train(name, few, update=MAX_VIOLATION, beam=0, expansions=300, **how)
    model.save(tmp_path / "m.wol")
    model = wl.load_model(tmp_path / "m.wol")
    right = [model.order(bag_of(s, 1, 1), engine=engine).text == s.text for s in few]
    assert sum(right) >= 7
    assert model.chosen_search().scaled
