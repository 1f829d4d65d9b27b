"""What the right answer scores under a model: the gold structure, whether a search made it or not.

    liu-2015           a tree has many derivations: the best of them all, whatever beam the output
                       was searched with (``transition/oracle``)
    dependency trees   the gold tree's only derivation (``best_first/gold``)
    CCG                the sentence's own derivation; others of the same words are not tried
    wan-2009           the gold tree and the gold words
    ngram-beam         the gold words, with the gold tags where the model is of tagged words
    cohn-lapata-2009   the best derivation that links the two trees, of the best reference
    mcdonald-2006      the words of the best reference that is a deletion, of the wanted length
    clarke-lapata-2008 the same, of references that obey the constraints

A wrong output that scores less than gold is the search's fault: the model would have preferred
gold, had it been found. One that scores more is the model's fault: no search can bring it to gold,
though a better one may still find the right words with another tree or derivation than gold's.
``SCORERS`` has a row for each kind of model; a new system adds its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from wordorder_lab.analysis.gold_survival import gold_in
from wordorder_lab.best_first.ccg import BestFirstCCG
from wordorder_lab.best_first.dependency import BestFirstDependency
from wordorder_lab.best_first.edge import HEAD_LEFT, HEAD_RIGHT, Edge, Rule
from wordorder_lab.deletion.lattice import path_score
from wordorder_lab.structures.bag import WordBag
from wordorder_lab.structures.compression import CompressionPair, prepared_pair
from wordorder_lab.structures.deletion import kept_of
from wordorder_lab.structures.phrase_tree import phrase_nodes
from wordorder_lab.structures.sentence import ROOT
from wordorder_lab.systems.best_first_model import BestFirstModel
from wordorder_lab.systems.clarke_lapata_2008 import ByProgramme, score_of_choice
from wordorder_lab.systems.cohn_lapata_2009 import CompressionModel
from wordorder_lab.systems.liu_2015 import LinearizationModel
from wordorder_lab.systems.mcdonald_2006 import DeletingModel, wanted_length
from wordorder_lab.systems.ngram_beam import NGramOrderer
from wordorder_lab.systems.parsed_pairs import as_separate
from wordorder_lab.systems.wan_2009 import AssignmentModel
from wordorder_lab.transduction.gold import NoDerivation, gold_derivation

RIGHT, SEARCH, MODEL, TIE, UNKNOWN = "right", "search error", "model error", "tie", "unknown"
FAULTS = (RIGHT, SEARCH, MODEL, TIE, UNKNOWN)
"""Whose fault an output is; unknown where the model cannot build gold, which has no score then."""
EQUAL = 1e-9
"""Scores whose difference is a smaller share of them differ by rounding."""


@dataclass(frozen=True)
class Asked:
    """A sentence or pair with all that its search was given; ``seed`` made the bag."""

    item: Any
    bag: WordBag | None
    seed: int
    search: Mapping[str, Any]


def gold_score(model: Any, asked: Asked) -> float | None:
    """The score of the gold structure, as that of an output; ``None`` if the model cannot build it.

    That is where a bag without tags or categories hides one that the dictionary does not know,
    where the grammar has no rule for a step, and for a kind of model without a row in ``SCORERS``.
    """
    score = next((score for kind, score in SCORERS if isinstance(model, kind)), None)
    return None if score is None else score(model, asked)


def fault_of(is_right: bool, is_whole: bool, score: float, gold: float | None) -> str:
    """Which of ``FAULTS`` it is; what a search did not find as a whole is the search's."""
    if is_right:
        return RIGHT
    if gold is None:
        return UNKNOWN
    if not is_whole:
        return SEARCH
    if abs(gold - score) <= EQUAL * max(1.0, abs(gold), abs(score)):
        return TIE
    return SEARCH if gold > score else MODEL


def judged(
    model: Any, asked: Asked, is_right: bool, is_whole: bool, score: float
) -> tuple[float | None, str]:
    """The score of gold, and whose fault an output is of which the search said these."""
    gold = gold_score(model, asked)
    return gold, fault_of(is_right, is_whole, score, gold)


# --- transition-based ---------------------------------------------------------------------------


def _of_actions(model: LinearizationModel, asked: Asked) -> float | None:
    assert asked.bag is not None
    problem = model.problem(asked.bag)
    gold = None if problem.given.interleaving else gold_in(model, problem, asked.item, asked.seed)
    if gold is None:
        return None
    how = {name: asked.search.get(name) for name in ("lm_weight", "engine")}
    return model.best_gold(problem, gold, **how)


# --- best-first ---------------------------------------------------------------------------------


def _of_edges(model: BestFirstModel, asked: Asked) -> float | None:
    assert asked.bag is not None
    problem: Any = model.problem(asked.bag)
    gold = gold_in(model, problem, asked.item, asked.seed)
    if gold is None:
        return None
    search = model.decoder(problem, model.chosen_search(**_without_engine(asked)))
    if isinstance(search, BestFirstDependency):
        edge = _tree_edge(search, gold.items, gold.heads)
    elif isinstance(search, BestFirstCCG):
        edge = _derivation_edge(search, gold.items, gold.derivation)
    return None if edge is None else edge.score


def _tree_edge(
    search: BestFirstDependency, items: Iterable[int], heads: Sequence[int]
) -> Edge | None:
    """The edge of a tree: right dependents first, the nearest first; ``None`` if it may not be."""
    leaves = _scored_leaves(search)
    own = [leaves[item] for item in items]
    below: list[list[int]] = [[] for _ in own]
    for place, head in enumerate(heads):
        if head != ROOT:
            below[head].append(place)
    top_down = [heads.index(ROOT)]
    for place in top_down:
        top_down += below[place]
    for place in reversed(top_down):
        right = [child for child in below[place] if child > place]
        left = [child for child in reversed(below[place]) if child < place]
        for child in (*right, *left):
            first, second, side = own[place], own[child], HEAD_LEFT
            if child < place:
                first, second, side = second, first, HEAD_RIGHT
            edge = search.combine(first, second, side)
            if edge is None:
                return None
            search.score(edge)
            own[place] = edge
    return own[top_down[0]]


def _derivation_edge(search: BestFirstCCG, items: Iterable[int], derivation: Any) -> Edge | None:
    """The edge of a derivation: the first with all words, as a goal is not expanded."""
    leaves, left = _scored_leaves(search), iter(items)
    built: list[Edge] = []
    for node in derivation.nodes():
        if not node.children:
            built.append(leaves[next(left)])
            continue
        rule, parts = Rule.of(node), built[-len(node.children) :]
        if search.goal_test(parts[0]):
            break
        if len(parts) == 1:
            new = [search.unary(parts[0], rule)] if rule in search.rules.unary_of(parts[0]) else []
        else:
            new = [edge for edge in search.binary(*parts) if edge.rule == rule]
        if not new:
            return None
        search.score(new[0])
        built[-len(parts) :] = [new[0]]
    return built[0]


def _scored_leaves(search: Any) -> dict[int, Edge]:
    leaves = {edge.items[0]: edge for edge in search.leaves()}
    for edge in leaves.values():
        search.score(edge)
    return leaves


def _without_engine(asked: Asked) -> dict[str, Any]:
    return {name: value for name, value in asked.search.items() if name != "engine"}


# --- counts, and pairs of trees -----------------------------------------------------------------


def _of_words(model: NGramOrderer, asked: Asked) -> float:
    ngrams = model.ngrams
    seen, total = [ngrams.start], 0.0
    for token in asked.item.tokens:
        for word in model.ids(token.words, token.pos):
            total += ngrams.log_prob(seen, word)
            seen.append(word)
    return total + ngrams.log_prob(seen, ngrams.end)


def _of_pair(model: CompressionModel, asked: Asked) -> float | None:
    pair: CompressionPair = asked.item
    problem = model.problem(pair.source)
    scores = model.scores(problem, model.search_settings(**_without_engine(asked))["bonus"])
    totals = []
    for target in prepared_pair(pair).targets:
        nodes = phrase_nodes(target)
        try:
            applications = gold_derivation(problem, nodes, "max-score", scores)
        except NoDerivation:
            continue
        total = model.ngram_weight * model.ngrams.score(nodes.leaves)
        for application in applications:
            total += scores[application]
        totals.append(total)
    return max(totals, default=None)


def _of_deletion(model: DeletingModel, asked: Asked) -> float | None:
    problem = model.problem(asked.item.source)
    chosen = model.search_settings(**_without_engine(asked))
    golds = [kept_of(one) for one in as_separate([asked.item])]
    totals: list[float | None] = []
    for gold in [one for one in golds if one is not None]:
        if isinstance(model, ByProgramme):
            totals.append(score_of_choice(problem, chosen, gold))
        elif wanted_length(len(problem.sentence), chosen) in (None, len(gold)):
            totals.append(path_score(problem.scores, gold, chosen["bonus"]))
    return max((total for total in totals if total is not None), default=None)


SCORERS: tuple[tuple[type, Callable[[Any, Asked], float | None]], ...] = (
    (LinearizationModel, _of_actions),
    (BestFirstModel, _of_edges),
    (AssignmentModel, lambda model, asked: float(model.score_of(asked.item))),
    (NGramOrderer, _of_words),
    (CompressionModel, _of_pair),
    (DeletingModel, _of_deletion),
)
