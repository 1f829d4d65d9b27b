"""What the best-first exercises are built from: two templates, one example, three searches.

The example is the paper's own, "IBM bought Lotus", with so few templates that it can be worked on
paper. The three sentences are from the Gazette. A readable learner has read a hundred others, so
the same three searches come out on every machine, with numba or without.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from wordorder_lab.best_first.dependency import BestFirstDependency
from wordorder_lab.best_first.edge import HEAD_LEFT, Edge
from wordorder_lab.best_first.features import show
from wordorder_lab.best_first.gold import Example
from wordorder_lab.best_first.guided_learning import GuidedLearner
from wordorder_lab.best_first.search import BestFirst
from wordorder_lab.best_first.settings import GuidedSettings, SearchSettings
from wordorder_lab.best_first.templates import (
    EdgeTemplates,
    load_edge_templates,
    parse_edge_templates,
)
from wordorder_lab.best_first.updates import EdgeWeights
from wordorder_lab.corpora import load_corpus
from wordorder_lab.models.tag_dictionary import TagDictionary
from wordorder_lab.structures.bag import WordBag, bag_of, places
from wordorder_lab.structures.problem import OrderingProblem
from wordorder_lab.structures.sentence import Sentence
from wordorder_lab.structures.templates import Feature
from wordorder_lab.structures.trace import Trace
from wordorder_lab.systems.zhang_clark_2015_dependency import gold_example
from wordorder_lab.trace.log import EventLog

# --- on paper: "IBM bought Lotus" ----------------------------------------------------------------

FEW = parse_edge_templates(
    """
    Dependency syntax
    WORD(h)·NORM(size); POS(h)·POS(m)·dir;
    Surface string patterns
    WORD(B-1)·WORD(B);
    Groups
    Dependency syntax
    h size; h m dir;
    Surface string patterns
    B-1 B;
    """,
    "three templates",
)
"""Three templates of Table 2, for searching on paper."""

FEWER = parse_edge_templates(
    """
    Dependency syntax
    POS(h)·POS(m)·dir;
    Surface string patterns
    WORD(B-1)·WORD(B);
    Groups
    Dependency syntax
    h m dir;
    Surface string patterns
    B-1 B;
    """,
    "two templates",
)
"""Two of them, for learning on paper: leaves have no features then."""

BY_HAND = {
    "WORD(h)·NORM(size) = bought, 1": 1.0,
    "POS(h)·POS(m)·dir = VBD, NNP, right": 3.0,
    "POS(h)·POS(m)·dir = VBD, NNP, left": 2.0,
    "POS(h)·POS(m)·dir = NNP, VBD, right": -3.0,
    "POS(h)·POS(m)·dir = NNP, VBD, left": -3.0,
    "WORD(B-1)·WORD(B) = IBM, bought": 6.0,
    "WORD(B-1)·WORD(B) = bought, Lotus": 3.0,
}
"""Seven weights, chosen so that every number fits on paper; all others are 0."""


def ibm_bought_lotus(heads: Sequence[int | None] | None = None) -> Example:
    """The paper's example: IBM <- bought -> Lotus, all tags given, and perhaps some heads."""
    bag = WordBag(["IBM", "bought", "Lotus"], ["NNP", "VBD", "NNP"], heads)
    problem = OrderingProblem.of(bag, lambda _unit: ())
    place = {item.form: i for i, item in enumerate(problem.items)}
    return Example(problem, (place["IBM"], place["bought"], place["Lotus"]), (1, -1, 1))


def search_by_hand(
    weights: Mapping[str, float] = BY_HAND,
    trace: Any = None,
    heads: Sequence[int | None] | None = None,
    **how: Any,
) -> BestFirstDependency:
    """A reference search on IBM, bought, Lotus: ``weights`` by the features' names.

    ``heads`` are given ones, by place in this order (-1: the root); ``how`` is as in
    ``SearchSettings``.
    """
    settings = SearchSettings(**{"beam": 0, **how})

    def weight(feature: Feature) -> float:
        return weights.get(show(FEW, feature), 0.0)

    example = ibm_bought_lotus(heads)
    gold = example.gold_edges()
    return BestFirstDependency(example.problem, FEW, weight, settings, trace, gold)


def learner_by_hand(
    weights: Mapping[str, float] | None = None,
    templates: EdgeTemplates = FEWER,
    trace: Trace | None = None,
    **how: Any,
) -> GuidedLearner:
    """A reference learner with the two templates; ``weights`` by the features' names to begin with.

    Raises ``ValueError`` for a weight whose template is not among the templates.
    """
    settings = {"beam": 16, "chart": "single", "update": "scaled", "negatives": "expand", **how}
    learner = GuidedLearner(templates, GuidedSettings(**settings), trace)
    names = [template.name for template in templates.templates]
    for text, weight in (weights or {}).items():
        name, _, values = text.partition(" = ")
        if name not in names:
            raise ValueError(f"{text!r} is of no template here; there are {', '.join(names)}")
        *words, last = values.split(", ")
        side = {"left": 0, "right": 1}.get(last, last)
        learner.weights.add((names.index(name), *words, side), weight)
    return learner


def drawn(edge: Edge, forms: list[str]) -> str:
    """An edge as text, arrows from head to dependent: ``IBM ← (bought → Lotus)``."""
    if edge.left is None or edge.right is None:
        return forms[edge.items[0]]
    parts = [drawn(part, forms) for part in edge.parts]
    left, right = (f"({part})" if " " in part else part for part in parts)
    return f"{left} {'→' if edge.action == HEAD_LEFT else '←'} {right}"


# --- in the views: three sentences of the Gazette -------------------------------------------------

CHOSEN = (
    "The nationwide strike ended and began .",
    "The luxury television was already introduced Wednesday .",
    "The asylum helped the provincial opposition to compromise .",
)
"""What the exercises on the views ask about."""

READ, LONGEST = 100, 7
BEAM, EXPANSIONS = 8, 200


@cache
def sentences() -> tuple[Sentence, ...]:
    """The three sentences, in the order of ``CHOSEN``."""
    by_text = {sentence.text: sentence for sentence in load_corpus("gazette").dev}
    return tuple(by_text[text] for text in CHOSEN)


@cache
def _read() -> tuple[Sentence, ...]:
    short = [s for s in load_corpus("gazette").train if 5 <= len(s) <= LONGEST]
    return tuple(short[:READ])


def example_of(sentence: Sentence) -> Example:
    """A sentence as a training example, its tags given."""
    lookup = TagDictionary.of([sentence]).lookup
    return gold_example(sentence, OrderingProblem.of(bag_of(sentence), lookup), places(sentence))


@cache
def _weights() -> dict[Any, list[float]]:
    learner = _learner(EdgeWeights())
    for sentence in _read():
        learner.learn(example_of(sentence))
    return learner.weights.rows


def _learner(weights: EdgeWeights, **how: Any) -> GuidedLearner:
    settings = {"beam": 16, "chart": "single", "update": "scaled", "negatives": "expand", **how}
    templates = load_edge_templates("zhang_clark_2015_table_2")
    learner = GuidedLearner(templates, GuidedSettings(expansions=EXPANSIONS, **settings))
    learner.weights = weights
    return learner


def learner_of_the_gazette(**how: Any) -> GuidedLearner:
    """A reference learner that has read ``READ`` short sentences once, all 75 templates."""
    rows = {feature: [*row] for feature, row in _weights().items()}
    return _learner(EdgeWeights(rows, READ), **how)


def search_logs() -> list[EventLog]:
    """The searches on the three sentences with what was learned; gold edges are marked."""
    learner = learner_of_the_gazette(beam=BEAM)
    logs = []
    for sentence in sentences():
        learner.trace = EventLog()
        search = learner.search(example_of(sentence))
        assert isinstance(search, BestFirstDependency)
        search.run()
        logs.append(learner.trace)
    return logs


def gold_goal(search: BestFirst) -> Edge:
    """The edge of the gold tree, built in a fresh search that expands gold edges only."""
    search.begin()
    while not search.goal_test(edge := search.agenda.pop_best()):
        search.add_all([new for new in search.expand(edge) if new.is_gold])
        search.chart.add(edge)
    return edge


def training_logs() -> list[EventLog]:
    """The same learner learns the three sentences, one after the other: a log each."""
    learner = learner_of_the_gazette()
    logs = []
    for sentence in sentences():
        learner.trace = EventLog()
        learner.learn(example_of(sentence))
        logs.append(learner.trace)
    return logs
