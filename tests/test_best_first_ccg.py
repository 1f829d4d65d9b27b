"""Best-first CCG search: the paper's example, every derivation once, every pop in its turn."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from math import factorial
from typing import Any

import pytest
from ccg_oracles import (
    ENGLISH,
    EVERYTHING,
    TABLE_1,
    TRIGRAMS,
    Chosen,
    Row,
    Simulation,
    Truth,
    Weights,
    problem_of,
    random_grammar,
    random_problem,
    rules_of,
    score_of,
    searched,
)
from hypothesis import given
from hypothesis import strategies as st

import wordorder_lab as wl
from wordorder_lab.best_first.ccg import BestFirstCCG
from wordorder_lab.best_first.ccg_rules import CCGRules
from wordorder_lab.best_first.chart import SIGNATURES
from wordorder_lab.best_first.output import Ordering
from wordorder_lab.best_first.settings import Limits, SearchSettings
from wordorder_lab.models.category_dictionary import CategoryDictionary
from wordorder_lab.structures.category import Category
from wordorder_lab.structures.derivation import Derivation
from wordorder_lab.structures.problem import OrderingProblem

cat = Category.parse

ENGINES = ["reference", "fast"]


@pytest.fixture(params=ENGINES)
def engine(request: pytest.FixtureRequest) -> str:
    return request.param


IBM = problem_of(
    wl.WordBag(["Lotus", "bought", "IBM"], ["NNP", "VBD", "NNP"]),
    {"IBM": ["NP"], "Lotus": ["NP"], "bought": [r"(S\NP)/NP"]},
)
TOGETHER = "bigrams resulting from combination"
BOUGHT = Chosen(
    {
        ("category + head word", r"(S\NP)/NP", "bought"): 0.5,
        ("the binary rule", r"((S\NP)/NP) NP => S\NP"): 1.0,
        (TOGETHER, "bought", "Lotus"): 1.5,
        (TOGETHER, "IBM", "bought"): 2.0,
        (TRIGRAMS, "NP", r"(S\NP)/NP", "NP"): 0.25,
    }
)


def test_ibm_bought_lotus(engine: str) -> None:
    """Figure 2, followed by hand, event by event: 3 words, and |e| is 5 actions.

    "bought IBM" is popped early, but to its left there is only Lotus: 1.75 for 5 actions. "bought
    Lotus" has 3 for 3, and IBM brings 2.25 more. NP => S/(S\\NP) is tried for both nouns, too.
    """
    found = searched(IBM, ENGLISH, BOUGHT, engine, beam=16, k=1, scaled=True, signature="2015")
    ibm, lotus = (Derivation.leaf(word, "NNP", cat("NP")) for word in ("IBM", "Lotus"))
    bought = Derivation.leaf("bought", "VBD", cat(r"(S\NP)/NP"))
    phrase = Derivation.binary(cat(r"S\NP"), bought, lotus)
    whole = Derivation.binary(cat("S"), ibm, phrase)
    leaves = ["leaf-IBM-NNP-NP", r"leaf-bought-VBD-(S\NP)/NP", "leaf-Lotus-NNP-NP"]
    actions = (*leaves, "> HeadLeft", "< HeadRight")
    assert found.orderings == [Ordering((0, 2, 1), (1, -1, 1), 5.25 / 5, actions, (whole,))]
    raised, verb = r"S/(S\NP)", r"(S\NP)/NP"
    assert found.events == [
        ("begin", ["IBM", "Lotus", "bought"], [1, 1, 1], 3, 16),
        ("leaf", 1, 0, "IBM", "NNP", 0.0, -1, "NP"),
        ("leaf", 2, 1, "Lotus", "NNP", 0.0, -1, "NP"),
        ("leaf", 3, 2, "bought", "VBD", 0.5, -1, verb),
        *[("popped", 3, 0.5), ("charted", 3), ("popped", 1, 0.0)],
        ("edge", 4, 1, 0, ">T", 0.0, -1, raised),
        ("edge", 5, 3, 1, "> HeadLeft", 1.5 / 3, -1, r"S\NP"),  # bought IBM
        *[("charted", 1), ("popped", 5, 0.5), ("charted", 5), ("popped", 2, 0.0)],
        ("edge", 6, 2, 0, ">T", 0.0, -1, raised),
        ("edge", 7, 3, 2, "> HeadLeft", 3.0 / 3, -1, r"S\NP"),  # bought Lotus
        ("edge", 8, 2, 5, "< HeadRight", 1.75 / 5, -1, "S"),  # Lotus bought IBM
        *[("charted", 2), ("popped", 7, 1.0)],
        ("edge", 9, 1, 7, "< HeadRight", 5.25 / 5, -1, "S"),
        *[("charted", 7), ("popped", 9, 1.05), ("goal", 9, 1.05), ("finished", 9, 1.05)],
        ("stopped", "complete"),
    ]


def check_goals(
    problem: OrderingProblem, rows: Sequence[Row], weights: Weights, engine: str, scaled: bool
) -> int:
    """An endless search makes all edges that there are, and no more; its best is the optimum."""
    truth = Truth(problem, rows)
    goals = {goal: score_of(weights, goal[1], scaled) for goal in truth.goals}
    assert len(goals) == len(truth.goals)
    found = searched(problem, rows, weights, engine, scaled=scaled)
    counted = {"edges": len(truth.edges), "expansions": len(truth.edges), "dropped": 0}
    assert found.stopped == "agenda empty"
    assert found.counters == {**counted, "goals": len(goals)}
    if goals:
        assert {(one.items, *one.derivations): one.score for one in found.orderings} == goals
        assert len(found.orderings) == len(goals)
        assert found.orderings[0].score == max(goals.values())
    return len(goals)


def test_every_derivation_of_english(engine: str) -> None:
    """Raised or not, nouns as they are or made NPs, coordination, the same words twice."""
    lexicon = {
        "the": ["NP/N"],
        "dogs": ["N", "NP"],
        "and": ["conj"],
        "cats": ["NP", "N"],
        "saw": [r"(S\NP)/NP", "N"],
    }
    sentences = ["the dogs saw cats", "dogs and cats", "dogs saw dogs", "the the saw"]
    sentences += ["dogs saw the saw", "the dogs saw the cats"] if engine == "fast" else []
    goals = []
    for seed, text in enumerate(sentences):
        problem = problem_of(wl.WordBag(text.split()), lexicon)
        goals.append(check_goals(problem, ENGLISH, Weights(seed), engine, seed % 2 == 0))
    assert goals in ([32, 10, 16, 0], [32, 10, 16, 0, 22, 4])


@pytest.mark.slow
def test_every_derivation_of_random_bags(engine: str) -> None:
    """Random rules, with circles of unary ones and several for two categories; up to 4 words, in
    the fast engine 5; tags and orders given or not, lists of categories, word selection."""
    chance = random.Random(1)
    longest: Counter[int] = Counter()
    for seed in range(60):
        five = engine == "fast" and seed % 3 == 0
        problem = random_problem(chance, 5, 5) if five else random_problem(chance, 1 + seed % 4, 4)
        rows = random_grammar(chance, 0.15 if five else 0.2)
        if Truth(problem, rows, 1000).edges:
            check_goals(problem, rows, Weights(seed), engine, chance.random() < 0.5)
            longest[sum(problem.most)] += 1
    assert longest[4] > 10 and (engine == "reference" or longest[5] > 3), longest


def test_every_derivation_of_different_words(engine: str) -> None:
    """X X => X: n! orders, and as many binary trees as Catalan's number says; two heads: twice
    as many a step."""
    one, two = ("X", ("X", "X"), 0), ("X", ("X", "X"), 1)
    for n, trees in [(1, 1), (2, 1), (3, 2), (4, 5)]:
        problem = problem_of(wl.WordBag(list("abcd"[:n])), {word: ["X"] for word in "abcd"})
        for rows in [[one], [one, two]] if n < 4 else [[one]]:
            count = factorial(n) * trees * len(rows) ** (n - 1)
            assert check_goals(problem, rows, Weights(n), engine, False) == count


@pytest.mark.slow
def test_the_gazette_s_own_grammar(engine: str) -> None:
    """Phrases of 3 and 4 words, with all that the dictionary of some sentences allows."""
    sentences = [s for s in wl.load_corpus("gazette", units="words").dev[:40] if s.derivation]
    every = [s.derivation for s in sentences if s.derivation is not None]
    rules, lexicon = CCGRules.of(every), CategoryDictionary.of(sentences, seen=2)
    rows: list[Row] = [(one, tuple(below), head) for one, below, head, _ in rules.rows()]
    phrases = [node for whole in every for node in whole.nodes() if 3 <= len(node.leaves()) <= 4]
    tried = 0
    for seed, phrase in enumerate(random.Random(4).sample(phrases, 25)):
        leaves = phrase.leaves()
        bag = wl.WordBag([leaf.word for leaf in leaves], [leaf.pos for leaf in leaves])
        problem = OrderingProblem.of(bag, lambda _unit: (), lexicon.lookup)
        if len(Truth(problem, rows, 400).edges):
            assert check_goals(problem, rows, Weights(seed), engine, seed % 2 == 0)
            tried += 1
    assert tried >= 8


@pytest.mark.parametrize("signature", SIGNATURES)
@pytest.mark.parametrize("chart", ["single", "sizes"])
@pytest.mark.slow
def test_the_search_against_plain_lists(signature: str, chart: str, engine: str) -> None:
    """Outputs and every event in its turn; beams from 1 up, scaled or not, both default outputs."""
    chance = random.Random(f"{signature}{chart}")
    seen: Counter[str] = Counter()
    for seed in range(50):
        problem, rows = random_problem(chance, 1, 6), random_grammar(chance)
        how: dict[str, Any] = {
            "signature": signature,
            "chart": chart,
            "beam": chance.choice([1, 2, 3, 5, 20]),
            "scaled": chance.random() < 0.5,
            "default": chance.choice(["2011", "2015"]),
            "k": chance.choice([1, 1, 3, EVERYTHING]),
            "limits": Limits(expansions=chance.choice([0, 5, 5, 40, 120])),
        }
        weights = Weights(seed)
        naive = Simulation(problem, rows, weights, **how)
        found = searched(problem, rows, weights, engine, **how)
        assert found.events == naive.events
        assert (found.orderings, found.stopped) == (naive.output, naive.stopped)
        seen.update([found.stopped, *(event[2] for event in found.events if event[0] == "pruned")])
        seen[f"pieces {min(len(naive.output[0].derivations), 2)}"] += not naive.goals
    ends = ["complete", "agenda empty", "expansions", "beam", "pieces 2"]
    assert min(seen[name] for name in ends) > 1, seen
    assert (seen["signature"] > 20) == (signature != "none")


@given(st.integers(0, 10**6))
def test_the_order_of_the_bag_does_not_matter(seed: int) -> None:
    chance = random.Random(seed)
    n = chance.randint(1, 5)
    words = chance.choices(["a", "b", "the c", "d"], k=n)
    counts = [chance.choice([(0, 1), (1, 2), None, None]) for _ in words]
    orders = [(0, n - 1)] if n > 1 and chance.random() < 0.4 else []
    lists = [chance.sample("ABC", 2) if chance.random() < 0.2 else None for _ in words]
    bag = wl.WordBag(words, [chance.choice("TU") for _ in words], None, orders, counts, lists)
    rows, signature = random_grammar(chance), chance.choice(SIGNATURES)
    lexicon = {word: ["A", "D"] for word in ["a", "b", "the c", "d"]}
    how: dict[str, Any] = {"beam": 5, "k": 3, "limits": Limits(expansions=60), "scaled": True}
    found = [
        searched(problem_of(one, lexicon), rows, Weights(seed), signature=signature, **how)
        for one in (bag, bag.select(chance.sample(range(n), n)))
    ]
    assert found[0] == found[1]


def test_word_selection() -> None:
    """ "the" may be used twice or not at all; the second "dogs" may be left out.

    What has "dogs" and "saw" is a goal and not expanded: there is no S, which needs two nouns.
    """
    lexicon = {"the": ["NP/N"], "dogs": ["N", "NP"], "saw": [r"(S\NP)/NP"]}
    units = ["the", "dogs", "dogs", "saw"]
    bag = wl.WordBag(units, None, None, (), [(0, 2), None, (0, 1), None])
    problem = problem_of(bag, lexicon)
    assert (problem.least, problem.most) == ((1, 1, 0), (2, 1, 2))  # dogs, saw, the
    phrases = {"dogs": 2, "dogs dogs": 1, "the dogs": 1, "the dogs dogs": 1}
    found = searched(problem, ENGLISH, Weights(1)).orderings
    texts = Counter(" ".join(one.derivations[0].words()) for one in found)
    assert texts == {
        text: n for noun, n in phrases.items() for text in (f"saw {noun}", f"{noun} saw")
    }
    twice = wl.WordBag(["the", "dogs", "saw"], None, None, (), [(2, 2), (2, 2), None])
    every = searched(problem_of(twice, lexicon), ENGLISH, Weights(1)).orderings
    sentence = ("the", "dogs", "saw", "the", "dogs")
    assert {one.derivations[0].words() for one in every} >= {sentence}
    assert {tuple(sorted(one.derivations[0].words())) for one in every} == {tuple(sorted(sentence))}


def ccg(bag: wl.WordBag, lexicon: dict[str, list[str]], **how: Any) -> BestFirstCCG:
    settings = SearchSettings(**{"beam": 8, **how})
    rules = rules_of(ENGLISH)
    return BestFirstCCG(problem_of(bag, lexicon), TABLE_1, Weights(0), settings, rules=rules)


def test_grammars_and_words_that_cannot_be() -> None:
    leaf = Derivation.leaf("Lotus", "NNP", cat("NP"))
    for nothing in ([], [leaf]):
        with pytest.raises(ValueError, match=r"without rules .* at least one step"):
            CCGRules.of(nothing)
    bag = wl.WordBag(["Lotus", "soared"], ["NNP", "VBD"])
    with pytest.raises(ValueError, match=r"'soared' with the tag VBD has no lexical category"):
        ccg(bag, {"Lotus": ["NP"]})
    with pytest.raises(ValueError, match="'soared' has no lexical category"):
        ccg(wl.WordBag(["soared"]), {})
    with pytest.raises(ValueError, match="no signature '2012'; there are 2011, 2015, none"):
        ccg(bag, {"Lotus": ["NP"], "soared": [r"S\NP"]}, signature="2012")
    headed = wl.WordBag(["Lotus", "soared"], None, [1, None])
    with pytest.raises(ValueError, match=r"heads are given, which a CCG search cannot keep"):
        ccg(headed, {"Lotus": ["NP"], "soared": [r"S\NP"]})


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (
            {"categories": [[r"(S\NP/NP"], None]},
            r"categories of 'soared': category \(S\\NP/NP, character 6",
        ),
        ({"categories": [[r"(S\NP"], None]}, r"categories of 'soared': .*bracket"),
        ({"categories": ["NP", None]}, r"categories of 'soared' are 'NP': give a list"),
        ({"categories": [[], None]}, r"categories of 'soared' are \[\]: give a list"),
        ({"categories": [["NP"]]}, "2 words but 1 categories"),
        ({"counts": [(2, 1), None]}, r"counts of 'soared' are \(2, 1\): give \(least, most\)"),
        ({"counts": [(-1, 1), None]}, r"counts of 'soared' are \(-1, 1\)"),
        ({"counts": [(0, 0), (0, 0)]}, "allow 0 words in all"),
        ({"counts": [None]}, "2 words but 1 counts"),
        ({"counts": [5, None]}, r"counts of 'soared' are 5: give \(least, most\)"),
        ({"categories": [7, None]}, "categories of 'soared' are 7: give a list"),
        ({"categories": [[None], None]}, r"categories of 'soared' are \[None\]: give a list"),
    ],
)
def test_choices_that_cannot_be(given: dict, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        wl.WordBag(["soared", "Lotus"], **given)


def test_a_bag_allows_no_more_words_than_another_has() -> None:
    with pytest.raises(ValueError, match="allow 1,100 words in all: 1 to 1,000 may be"):
        wl.WordBag(["soared"] * 11, counts=[(0, 100)] * 11)
