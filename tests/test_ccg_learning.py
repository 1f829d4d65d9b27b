r"""Guided learning on CCG edges, worked by hand: Algorithms 2 and 3, and what DP pruning does.

An edge's last action has one feature, its name: "bought", "(IBM (bought Lotus))", and where a word
has several categories "dogs:N"; a unary step is "NP<dogs:N>".
"""

from __future__ import annotations

import random
from collections import Counter
from functools import partial
from typing import Any

import pytest
from ccg_oracles import (
    TABLE_1,
    Row,
    Truth,
    Weights,
    in_order,
    problem_of,
    random_grammar,
    random_problem,
    rules_of,
    score_of,
    table_1,
)
from test_guided_learning import Checked, Taught

import wordorder_lab as wl
from wordorder_lab.best_first.ccg import BestFirstCCG
from wordorder_lab.best_first.edge import Edge
from wordorder_lab.best_first.gold import CCGExample
from wordorder_lab.best_first.guided_learning import GuidedLearner
from wordorder_lab.best_first.settings import GuidedSettings
from wordorder_lab.structures.category import Category
from wordorder_lab.structures.derivation import Derivation
from wordorder_lab.structures.problem import OrderingProblem
from wordorder_lab.structures.templates import Feature

cat = Category.parse


class Names(BestFirstCCG):
    def name(self, edge: Edge) -> str:
        parts = " ".join(map(self.name, edge.parts))
        if edge.rule is None:
            item = self.problem.items[edge.items[0]]
            several = [other.type for other in self.problem.items].count(item.type) > 1
            return f"{item.form}:{item.category}" if several else item.form
        return f"({parts})" if edge.right else f"{edge.category}<{parts}>"

    def groups(self, edge: Edge) -> list[list[Feature]]:
        return [[(self.name(edge),)]]

    def show(self, feature: Feature) -> str:
        return str(feature[0])


def teach(
    example: CCGExample,
    rows: list[Row],
    start: dict[str, float] | None = None,
    signature: str = "2015",
    **how: Any,
) -> Taught:
    decoder = partial(Names, rules=rules_of(rows))
    examples: list[Any] = [example]
    return Taught(examples, start, decoder=decoder, signature=signature, **how)


VERB = r"(S\NP)/NP"
ROWS: list[Row] = in_order([(r"S\NP", (VERB, "NP"), 0), ("S", ("NP", r"S\NP"), 1)])


def ibm() -> CCGExample:
    """Items are IBM, Lotus, bought, in this order."""
    lexicon = {"IBM": ["NP"], "bought": [VERB], "Lotus": ["NP"]}
    bag = wl.WordBag(["IBM", "bought", "Lotus"], ["NNP", "VBD", "NNP"])
    verb = Derivation.leaf("bought", "VBD", cat(VERB))
    one, two = (Derivation.leaf(word, "NNP", cat("NP")) for word in ("IBM", "Lotus"))
    phrase = Derivation.binary(cat(r"S\NP"), verb, two)
    return CCGExample(problem_of(bag, lexicon), (0, 2, 1), Derivation.binary(cat("S"), one, phrase))


def test_perceptron_by_hand() -> None:
    """Every event. All is 0, so "bought IBM", which is made first, is popped before "bought Lotus".

    phi(e+) - phi(e-) is their last actions alone. e- is expanded: "Lotus bought IBM", with -1.
    """
    taught = teach(ibm(), ROWS)
    assert taught.log.events == [
        ("begin", ["IBM", "Lotus", "bought"], [1, 1, 1], 3, 9),
        ("leaf", 1, 0, "IBM", "NNP", 0.0, 1, "NP"),
        ("leaf", 2, 1, "Lotus", "NNP", 0.0, 1, "NP"),
        ("leaf", 3, 2, "bought", "VBD", 0.0, 1, VERB),
        *[("popped", 1, 0.0), ("charted", 1), ("popped", 2, 0.0), ("charted", 2)],
        ("popped", 3, 0.0),
        ("edge", 4, 3, 1, "> HeadLeft", 0.0, 0, r"S\NP"),
        ("edge", 5, 3, 2, "> HeadLeft", 0.0, 1, r"S\NP"),
        *[("charted", 3), ("popped", 4, 0.0)],
        ("edge_update", 0, "agenda", 5, 4, 0.0, 1.0),
        ("weight", "(bought Lotus)", "", 0.0, 1.0),
        ("weight", "(bought IBM)", "", 0.0, -1.0),
        *[("rescored", 4, -1.0), ("rescored", 5, 1.0)],
        ("edge", 6, 2, 4, "< HeadRight", -1.0, 0, "S"),
        *[("charted", 4), ("popped", 5, 1.0)],
        ("edge", 7, 1, 5, "< HeadRight", 1.0, 1, "S"),
        *[("charted", 5), ("popped", 7, 1.0), ("goal", 7, 1.0), ("stopped", "finished")],
    ]
    assert taught.weights == {"(bought Lotus)": 1.0, "(bought IBM)": -1.0}


def test_large_margin_by_hand() -> None:
    """Phi of both has "bought"; four features are left, so the norm is 4 and the step 1 / 4.

    Afterwards "bought Lotus" leads by 1, and every edge with IBM or Lotus has a new score.
    """
    taught = teach(ibm(), ROWS, update="large-margin")
    assert taught.events("edge_update") == [("edge_update", 0, "agenda", 5, 4, 0.0, 0.25)]
    up, down = {"Lotus": 0.25, "(bought Lotus)": 0.25}, {"IBM": -0.25, "(bought IBM)": -0.25}
    assert taught.weights == up | down
    rescored = [("rescored", 1, -0.25), ("rescored", 2, 0.25)]
    assert taught.events("rescored") == [*rescored, ("rescored", 4, -0.5), ("rescored", 5, 0.5)]
    assert taught.events("edge")[2:] == [
        ("edge", 6, 2, 4, "< HeadRight", -0.25, 0, "S"),
        ("edge", 7, 1, 5, "< HeadRight", 0.25, 1, "S"),
    ]


def test_scaled_by_hand() -> None:
    """Both have |e| = 3: each of the four features counts a third, the norm is 4/9, the step 9/4.

    So each weight moves by 3/4, and the scores are 1/2 and -1/2: (3/4 + 3/4) / 3.
    """
    taught = teach(ibm(), ROWS, update="scaled")
    ((*_, positive, negative, margin, step),) = taught.events("edge_update")
    assert (positive, negative, margin, step) == (5, 4, 0.0, pytest.approx(9 / 4))
    up, down = {"Lotus": 0.75, "(bought Lotus)": 0.75}, {"IBM": -0.75, "(bought IBM)": -0.75}
    assert taught.weights == pytest.approx(up | down)
    rescored = {serial: score for _, serial, score in taught.events("rescored")}
    assert rescored == pytest.approx({1: -0.75, 2: 0.75, 4: -0.5, 5: 0.5})
    sums = [-0.75, 0.75]  # of the two sentences, over five actions
    assert [e[5] * 5 for e in taught.events("edge")[2:]] == pytest.approx(sums)
    assert taught.sentences == {"finished": 1}


def test_algorithm_2_discards_and_zhang_2013_stops() -> None:
    taught = teach(ibm(), ROWS, negatives="discard")
    assert taught.events("pruned") == [("pruned", 4, "discarded")]
    assert taught.events("rescored") == [("rescored", 5, 1.0)]  # e- is out: it keeps its score
    assert len(taught.events("edge")) == 3 and taught.sentences == {"finished": 1}
    stopped = teach(ibm(), ROWS, negatives="stop")
    assert stopped.events("pruned", "rescored") == [] and stopped.sentences == {"stopped": 1}


BARK: list[Row] = in_order([("NP", ("N",), 0), ("S", ("NP", r"S\NP"), 1)])


def dogs(noun: bool) -> CCGExample:
    """dogs bark: "dogs" is an N that becomes an NP, or it is an NP. Items: bark, dogs:N, dogs:NP.

    The signatures of both NPs are equal. Serials are 1 to 3 for the leaves.
    """
    bag = wl.WordBag(["dogs", "bark"], ["NNS", "VBP"])
    problem = problem_of(bag, {"dogs": ["N", "NP"], "bark": [r"S\NP"]})
    leaf = Derivation.leaf("dogs", "NNS", cat("N" if noun else "NP"))
    subject = Derivation.unary(cat("NP"), leaf) if noun else leaf
    verb = Derivation.leaf("bark", "VBP", cat(r"S\NP"))
    return CCGExample(problem, (1 if noun else 2, 0), Derivation.binary(cat("S"), subject, verb))


POPPED_LATE = {"dogs:NP": 5.0, "dogs:N": 1.0, "NP<dogs:N>": 2.0, "(dogs:NP bark)": -99.0}


def test_the_loser_is_gold_and_was_popped() -> None:
    """The lexicon's NP (5, then 4) is in the chart when the gold NP (3) comes: an update for it.

    Weights of the last actions: the NP made of N has 1 more, so 4; the other one would have 3, but
    it leaves the chart. The gold edge is expanded and takes its place.
    """
    taught = teach(dogs(noun=True), BARK, POPPED_LATE)
    assert [event[1:] for event in taught.events("popped")] == [
        *[(3, 5.0), (1, 1.0), (2, 1.0), (5, 3.0), (6, 5.0)],
    ]
    assert taught.since(("popped", 5, 3.0)) == [
        ("edge_update", 0, "signature", 5, 3, 3.0 - 4.0, 1.0),
        *[("rescored", 5, 4.0), ("pruned", 3, "negative")],
        ("edge", 6, 5, 1, "< HeadRight", 5.0, 1, "S"),
        *[("charted", 5), ("popped", 6, 5.0), ("goal", 6, 5.0), ("stopped", "finished")],
    ]
    assert taught.weights["NP<dogs:N>"] == taught.weights["dogs:NP"] == 3.0
    assert taught.updates == {"agenda": 1, "signature": 1}


RAISED_HIGH = {"dogs:NP": 2.0, "dogs:N": 1.0, "NP<dogs:N>": 9.0}


def test_the_loser_is_gold_and_in_the_chart() -> None:
    """Now the gold NP is the lexicon's, 2, and the one made of N comes with 9, 8 after an update.

    It wins, and yet it is what goes: not expanded, not put into the chart.
    """
    taught = teach(dogs(noun=False), BARK, RAISED_HIGH)
    assert taught.since(("popped", 4, 9.0)) == [
        ("edge_update", 0, "agenda", 1, 4, 1.0 - 9.0, 1.0),
        *[("rescored", 1, 2.0), ("rescored", 4, 8.0)],
        ("edge_update", 0, "signature", 3, 4, 2.0 - 8.0, 1.0),
        *[("rescored", 3, 3.0), ("pruned", 4, "negative"), ("popped", 1, 2.0)],
        ("edge", 5, 3, 1, "< HeadRight", 5.0, 1, "S"),
        *[("charted", 1), ("popped", 5, 5.0), ("goal", 5, 5.0), ("stopped", "finished")],
    ]
    assert taught.updates == {"agenda": 2, "signature": 1}


def test_edges_of_different_sizes_are_told_apart_by_their_scaled_features() -> None:
    """Scaled, the same two edges: Phi(e+) has one action, Phi(e-) two halves.

    The norm is 1 + 1/4 + 1/4; the step (f(e-) - f(e+) + 1) / 1.5 leaves e+ ahead by 1.
    """
    taught = teach(dogs(noun=False), BARK, RAISED_HIGH, update="scaled")
    updates = [event[2:] for event in taught.events("edge_update")]
    (reason, positive, negative, margin, step) = updates[-1]
    assert (reason, positive, negative) == ("signature", 3, 4)
    assert margin < 0 and step == (-margin + 1) / 1.5
    w = taught.weights
    assert w["dogs:NP"] - (w["dogs:N"] + w["NP<dogs:N>"]) / 2 == pytest.approx(1)
    assert taught.events("pruned") == [("pruned", 4, "negative")]
    assert taught.sentences == {"finished": 1}


def test_2011_asks_who_was_first() -> None:
    """In the chart, a gold edge is safe there. Popped, it loses even if it leads: with the large
    margin there is nothing to update then, and the other one goes all the same."""
    safe = teach(dogs(noun=False), BARK, RAISED_HIGH, signature="2011")
    assert safe.updates == {"agenda": 2} and safe.events("pruned") == [("pruned", 4, "signature")]
    start = POPPED_LATE | {"NP<dogs:N>": 9.0}
    led = teach(dogs(noun=True), BARK, start, signature="2011", update="large-margin")
    (*_, last) = led.events("edge_update")
    assert last[2:5] == ("satisfied", 5, 3) and last[5] > 1 and last[6] == 0.0
    assert led.updates["satisfied"] == 1 and ("pruned", 3, "negative") in led.log.events
    assert ("charted", 5) in led.log.events and led.sentences == {"finished": 1}


@pytest.mark.parametrize("update", ["perceptron", "large-margin", "scaled"])
def test_ibm_bought_lotus_is_learned(update: str) -> None:
    rules = rules_of(ROWS)
    settings = GuidedSettings(8, "single", update, "expand")
    learner = GuidedLearner(TABLE_1, settings, decoder=partial(BestFirstCCG, rules=rules))
    for _ in range(3):
        learner.learn(ibm())
    weight = learner.weights.get
    search = BestFirstCCG(ibm().problem, TABLE_1, weight, settings.search, rules=rules)
    (found,) = search.run()
    assert found.derivations == (ibm().derivation,)


def random_example(chance: random.Random) -> tuple[CCGExample, list[Row]]:
    """A random bag with a random grammar and one of its derivations as the gold one."""
    while True:
        problem, rows = random_problem(chance, 3, 4), random_grammar(chance, 0.3)
        goals = Truth(problem, rows, 500).goals
        if len(goals) > 20:
            return CCGExample(problem, *chance.choice(goals)), rows


def start_with(
    learner: GuidedLearner, problem: OrderingProblem, rows: list[Row], weights: Weights
) -> None:
    """Give every feature of every edge its weight."""
    for _, derivation in Truth(problem, rows).edges:
        for feature in table_1(derivation):
            weights(feature)
    numbers = {template.name: i for i, template in reversed([*enumerate(TABLE_1.templates)])}
    for (name, *values), weight in weights.seen.items():
        learner.weights.add((numbers[str(name)], *values), weight)


@pytest.mark.parametrize(
    ("update", "negatives", "chart", "signature", "beam"),
    [
        ("scaled", "expand", "single", "2015", 4),
        ("scaled", "expand", "single", "2015", 0),
        ("scaled", "expand", "single", "2011", 60),
        ("perceptron", "expand", "sizes", "2015", 2),
        ("large-margin", "expand", "sizes", "2015", 60),
        ("perceptron", "discard", "sizes", "2011", 2),
        ("large-margin", "discard", "single", "2015", 3),
    ],
)
@pytest.mark.slow
def test_no_gold_edge_leaves_the_chart(
    update: str, negatives: str, chart: str, signature: str, beam: int
) -> None:
    """Whatever is pruned, it is not gold; of the rest the chart has every signature once.

    Random weights to begin with, and the worst derivation is gold, so that much goes wrong.
    ``Checked`` looks at every new score.
    """
    chance = random.Random(f"{update}{negatives}{signature}")
    log, updates = wl.EventLog(only=["begin", "leaf", "edge", "pruned"]), Counter[str]()
    for seed in range(15):
        example, rows = random_example(chance)
        weights, goals = Weights(seed), Truth(example.problem, rows).goals
        worst = min(goals, key=lambda goal: score_of(weights, goal[1]))
        example = CCGExample(example.problem, *worst)
        settings = GuidedSettings(beam, chart, update, negatives, signature=signature)
        decoder = partial(BestFirstCCG, rules=rules_of(rows))
        learner = Checked(TABLE_1, settings, log, decoder)
        start_with(learner, example.problem, rows, weights)
        search = learner.search(example)
        assert learner.decode(search) == "finished"
        (found,) = search.finish()
        assert found.derivations == (example.derivation,)
        items = example.problem.items  # of equal words it may be another
        assert [items[i][1:] for i in found.items] == [items[i][1:] for i in example.items]
        kept = [search.signature(edge) for edge in search.chart if not edge.is_gold]
        assert len(kept) == len(set(kept))
        updates.update(learner.updates)
    gold: set[int] = set()
    for kind, serial, *values in log:
        if kind == "begin":
            gold = set()
        elif kind == "pruned":
            assert serial not in gold
        elif values[4] == 1:
            gold.add(serial)
    often = {2: "chart", 4: "chart", 60: "signature"}.get(beam, "agenda")
    assert updates["agenda"] > 10 and (updates[often] > 1 or negatives == "discard"), updates
