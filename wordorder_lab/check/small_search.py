"""What the exercises on best-first search are built from: one example for paper, small learners.

The example is the paper's own, "IBM bought Lotus", with so few templates that it can be worked on
paper. A readable learner has read a hundred short sentences of the Gazette, so the same searches
come out on every machine, with numba or without.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from typing import Any

from wordorder_lab.best_first.ccg import BestFirstCCG
from wordorder_lab.best_first.ccg_rules import CCGRules
from wordorder_lab.best_first.dependency import BestFirstDependency
from wordorder_lab.best_first.drive import Drive
from wordorder_lab.best_first.edge import HEAD_LEFT, Edge
from wordorder_lab.best_first.features import show
from wordorder_lab.best_first.gold import CCGExample, Example, GuidedExample
from wordorder_lab.best_first.guided_learning import GuidedLearner
from wordorder_lab.best_first.search import BestFirst
from wordorder_lab.best_first.settings import GuidedSettings, Limits, SearchSettings
from wordorder_lab.best_first.templates import (
    load_ccg_templates,
    load_edge_templates,
    parse_edge_templates,
)
from wordorder_lab.best_first.updates import SCALED, EdgeWeights
from wordorder_lab.corpora import load_corpus
from wordorder_lab.models.category_dictionary import CategoryDictionary
from wordorder_lab.models.tag_dictionary import TagDictionary
from wordorder_lab.structures.bag import WordBag, bag_of, places
from wordorder_lab.structures.problem import OrderingProblem
from wordorder_lab.structures.sentence import Sentence
from wordorder_lab.structures.templates import Feature
from wordorder_lab.structures.trace import Events, Trace
from wordorder_lab.systems import zhang_clark_ccg
from wordorder_lab.systems.zhang_clark_2015_dependency import gold_example
from wordorder_lab.trace.log import EventLog
from wordorder_lab.trace.reducers import State
from wordorder_lab.trace.reducers import search as books

_TEMPLATES = """
    Dependency syntax
    WORD(h)·NORM(size); POS(h)·POS(m)·dir;
    Surface string patterns
    WORD(B-1)·WORD(B);
    Groups
    Dependency syntax
    h size; h m dir;
    Surface string patterns
    B-1 B;
"""
FEW = parse_edge_templates(_TEMPLATES, "three templates")
"""Three templates of Table 2, for searching on paper."""
FEWER = parse_edge_templates(re.sub(r"(WORD\(h\)·NORM\(size\)|h size); ", "", _TEMPLATES), "two")
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
    trace: Trace | None = None,
    heads: Sequence[int | None] | None = None,
    expansions: int | None = None,
    **search: Any,
) -> BestFirstDependency:
    """A reference search on IBM, bought, Lotus; ``heads`` are given, by place (-1: the root), and
    perhaps a limit, so many pops."""

    def weight(feature: Feature) -> float:
        return weights.get(show(FEW, feature), 0.0)

    chosen = {"beam": 0, "limits": Limits(expansions), **search}
    example, settings = ibm_bought_lotus(heads), SearchSettings(**chosen)
    gold = example.gold_edges()
    return BestFirstDependency(example.problem, FEW, weight, settings, trace, gold)


def drive(search: BestFirstDependency) -> Drive:
    """What answers in a player what any two edges of a search make, for ``wl.play(drive=...)``."""
    return Drive(search)


def learner_by_hand(
    weights: Mapping[str, float] | None = None,
    trace: Trace | None = None,
    beam: int = 16,
    update: str = SCALED,
) -> GuidedLearner:
    """A reference learner with the two templates, and these weights by the features' names."""
    learner = GuidedLearner(FEWER, GuidedSettings(beam, "single", update, "expand"), trace)
    names = [template.name for template in FEWER.templates]
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
    if not edge.parts:
        return forms[edge.items[0]]
    return _with_arrow(edge.action == HEAD_LEFT, [drawn(part, forms) for part in edge.parts])


def _with_arrow(to_the_right: bool, parts: Sequence[str]) -> str:
    left, right = (f"({part})" if " → " in part or " ← " in part else part for part in parts)
    return f"{left} {'→' if to_the_right else '←'} {right}"


def edges_made(search: BestFirst) -> list[Edge]:
    """Every edge of a search whose chart drops none, in the order in which they were made."""
    on_agenda = [edge for _, edge in search.agenda.heap]
    return sorted([*search.chart, *on_agenda, *search.goals], key=lambda edge: edge.serial)


def sums(search: BestFirst) -> list[dict[str, str | int]]:
    """A row for each edge: its parts, what its last action adds, its scaled score."""
    forms = [item.form for item in search.problem.items]
    return [
        {"edge": edge.serial, "": drawn(edge, forms), **sum_of(search, edge)}
        for edge in edges_made(search)
    ]


def sum_of(search: BestFirst, edge: Edge) -> dict[str, str | int]:
    """How the score of an edge comes about."""
    gained = [gain for gain in map(search.weight, search.features(edge)) if gain]
    return {
        "its parts": " + ".join(f"{part.total:g}" for part in edge.parts) or "-",
        "the last action": " + ".join(f"({g:g})" if g < 0 else f"{g:g}" for g in gained) or "0",
        "f(e)": f"{edge.total:g}",
        "|e|": edge.actions,
        "f(e) / |e|": f"{edge.score:.2f}",
    }


COLUMNS = ["pop", "agenda before", "popped", "score", "update", "new scores", "made", "chart after"]
"""In the order of Algorithm 3."""


def pop_by_pop(log: Events, top: int = 4) -> list[dict[str, Any]]:
    """A row a pop: what one would write on paper beside Algorithm 4. Columns are ``COLUMNS``."""
    state = books.start()
    rows: list[dict[str, Any]] = []
    for event in log:
        kind, *values = event
        if kind == "popped":
            rows.append({"pop": len(rows) + 1, **_popped(state, values[0], top), "made": 0})
        books.apply(state, event)
        if rows:
            row = rows[-1]
            row["made"] += kind in ("leaf", "edge")
            row["chart after"] = " | ".join(_edge(state, serial) for serial in state["chart"])
            if kind == "edge_update":
                _, reason, plus, minus, margin, step = values
                both = f"{_edge(state, plus)}  over  {_edge(state, minus)}"
                text = f"{reason}: {both}, margin {margin:.2f}, step {step:.2f}"
                row["update"] = "; ".join([*filter(None, [row.get("update")]), text])
            elif kind == "rescored":
                score = f"{_edge(state, values[0])}: {values[1]:.2f}"
                row["new scores"] = " | ".join([*filter(None, [row.get("new scores")]), score])
    names = [name for name in COLUMNS if any(name in row for row in rows)]
    return [{name: row.get(name, "") for name in names} for row in rows]


def _popped(state: State, serial: int, top: int) -> dict[str, str]:
    scores: list[float] = state["scores"]
    best = [f"{_edge(state, e)}: {scores[e - 1]:.2f}" for e in books.on_agenda(state, top)]
    more = [f"{state['agenda'] - top} more"] * (state["agenda"] > top)
    before = " | ".join(best + more)
    popped, score = _edge(state, serial), f"{scores[serial - 1]:.2f}"
    return {"agenda before": before, "popped": popped, "score": score}


def _edge(state: State, serial: int) -> str:
    edge = state["edges"][serial - 1]
    if edge["category"]:
        words = " ".join(form for form, *_ in books.words_of(state, serial)[0])
        return f"{words} · {edge['category']}"
    if not edge["left"]:
        return str(edge["form"])
    parts = [_edge(state, edge[side]) for side in ("left", "right")]
    return _with_arrow(edge["action"] == HEAD_LEFT, parts)


CHOSEN = (
    "The nationwide strike ended and began .",
    "The luxury television was already introduced Wednesday .",
    "The asylum helped the provincial opposition to compromise .",
)
"""What the exercises on the views of dependency search ask about."""

READ, SHORTEST, LONGEST = 100, 5, 7
BEAM, CCG_BEAM, EXPANSIONS = 8, 16, 200


def sentences_of(texts: Sequence[str]) -> tuple[Sentence, ...]:
    """Held-out sentences of the Gazette, by their texts."""
    by_text = {sentence.text: sentence for sentence in load_corpus("gazette").dev}
    return tuple(by_text[text] for text in texts)


@cache
def sentences() -> tuple[Sentence, ...]:
    """The three sentences, in the order of ``CHOSEN``."""
    return sentences_of(CHOSEN)


def example_of(sentence: Sentence) -> Example:
    """A sentence as a training example, its tags given."""
    lookup = TagDictionary.of([sentence]).lookup
    return gold_example(sentence, OrderingProblem.of(bag_of(sentence), lookup), places(sentence))


def taught(learner: GuidedLearner, example: Callable[[Sentence], GuidedExample]) -> EdgeWeights:
    """What a learner knows that has read ``READ`` short sentences of the Gazette once."""
    short = [s for s in load_corpus("gazette").train if SHORTEST <= len(s) <= LONGEST]
    for sentence in short[:READ]:
        learner.learn(example(sentence))
    return learner.weights


@cache
def _weights() -> EdgeWeights:
    return taught(_learner(16), example_of)


def _learner(beam: int) -> GuidedLearner:
    templates = load_edge_templates("zhang_clark_2015_table_2")
    return GuidedLearner(templates, GuidedSettings(beam, "single", SCALED, "expand", EXPANSIONS))


def learner_of_the_gazette(beam: int = 16) -> GuidedLearner:
    """A reference learner that has read these sentences, all 75 templates."""
    learner = _learner(beam)
    rows = {feature: [*row] for feature, row in _weights().rows.items()}
    learner.weights = EdgeWeights(rows, READ)
    return learner


def search_of(learner: GuidedLearner, sentence: Sentence) -> BestFirstDependency:
    """A search that has not begun, on the bag of a sentence, with what was learned."""
    search = learner.search(example_of(sentence))
    assert isinstance(search, BestFirstDependency)
    return search


@cache
def grammar() -> tuple[CCGRules, CategoryDictionary]:
    """The rules and the lexical categories of the Gazette's training sentences."""
    read = load_corpus("gazette").train
    return CCGRules.of(map(zhang_clark_ccg.derivation_of, read)), CategoryDictionary.of(read)


def _ccg_example(sentence: Sentence) -> CCGExample:
    return zhang_clark_ccg.gold_example(
        sentence, TagDictionary.of([sentence]).lookup, grammar()[1].lookup
    )


def _ccg_learner(decoder: type[BestFirstCCG], trace: Trace | None = None) -> GuidedLearner:
    templates = load_ccg_templates("zhang_clark_2015_table_1")
    settings = GuidedSettings(CCG_BEAM, "single", SCALED, "expand", EXPANSIONS)
    return GuidedLearner(templates, settings, trace, partial(decoder, rules=grammar()[0]))


@cache
def _ccg_weights() -> EdgeWeights:
    return taught(_ccg_learner(BestFirstCCG), _ccg_example)


def ccg_search(
    sentence: Sentence, trace: Trace | None, decoder: type[BestFirstCCG] = BestFirstCCG
) -> BestFirstCCG:
    """A search of this decoder on the bag of a sentence, with what was learned; gold is marked."""
    learner = _ccg_learner(decoder, trace)
    learner.weights = _ccg_weights()
    search = learner.search(_ccg_example(sentence))
    assert isinstance(search, decoder)
    return search


def _logs(learner: GuidedLearner, run: Callable[[Sentence], object]) -> tuple[EventLog, ...]:
    logs = []
    for sentence in sentences():
        learner.trace = EventLog()
        run(sentence)
        logs.append(learner.trace)
    return tuple(logs)


@cache
def searches() -> tuple[EventLog, ...]:
    """The searches on the three sentences with what was learned; gold edges are marked."""
    learner = learner_of_the_gazette(BEAM)
    return _logs(learner, lambda sentence: search_of(learner, sentence).run())


@cache
def lessons() -> tuple[EventLog, ...]:
    """The same learner learns the three sentences, one after the other: a log each."""
    learner = learner_of_the_gazette()
    return _logs(learner, lambda sentence: learner.learn(example_of(sentence)))


def after_update(log: EventLog, number: int = -1, rescored: bool = False) -> int:
    """The number of events until an update, from 0, has changed all its weights, or all scores."""
    end = [i for i, event in enumerate(log, 1) if event[0] == "edge_update"][number]
    kinds = ("weight", "rescored") if rescored else ("weight",)
    while end < len(log) and log.events[end][0] in kinds:
        end += 1
    return end


def points_of_last_update(log: EventLog) -> dict[str, float]:
    """What each feature adds to the margin of the last update: weight before x difference."""
    points: dict[str, float] = {}
    step = 0.0
    for kind, *values in log:
        if kind == "edge_update":
            points, step = {}, values[-1]
        elif kind == "weight":
            feature, _, before, after = values
            points[feature] = before * (after - before) / step
    return points
