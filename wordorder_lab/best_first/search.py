"""Best-first search over edges: the loop that Algorithms 1 and 4 share, whatever the grammar.

Zhang & Clark 2015, sections 3.3 and 3.4: an agenda of edges to be expanded, a chart of accepted
edges, scores (plain or divided by |e|), a limit, and a default output.

    INITAGENDA INITCHART   ``begin``
    TIMEOUT                ``timeout``
    POPBEST                ``pop_best``
    GOALTEST               ``goal_test``
    DPCHARTPRUNE           ``compare_in_chart``: it finds the loser and the winner
    ADD to the agenda      ``add_all``
    ADD to the chart       ``add``

    phi(e)   the features of the last action
    Phi(e)   phi(e) and the phi of every sub-edge
    f(e)     Phi(e) . theta, and what a language model adds, if there is one (``language_model``)
    f^(e)    f(e) / |e|, where |e| counts the actions: 5 for three words

The main loop is ``run``. A decoder says what its leaves are, what comes of an edge (``expand``:
UNARY, then both orders with every chart edge), and which features an edge has (``groups``).

Differences
- *Paper silent*: edges are scored when all that come of one expansion have been made.
- *Our reading*, 2011, section 3.2: ``k`` goals may be asked for. They are given by score, so the
  first goal that was popped need not be the first here.
- *Paper silent*: ties. An edge whose signature is in the chart is compared by (score, serial).
- *Paper silent*: the order of additions is fixed: f(e) = (f(left) + f(right)) + phi(e) . theta,
  to whose last term a language model's part is added first.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Self

from wordorder_lab.best_first.chart import Agenda, Chart
from wordorder_lab.best_first.edge import Bounds, Edge, Rule, Words
from wordorder_lab.best_first.features import (
    EdgeContext,
    GroupSums,
    add_up,
    edge_features,
    show,
)
from wordorder_lab.best_first.gold import GoldStandard
from wordorder_lab.best_first.language_model import EdgeGains
from wordorder_lab.best_first.output import (
    ALL_WORDS,
    Ordering,
    default_output,
    join,
    with_all_words,
)
from wordorder_lab.best_first.packed_weights import FeatureWeights
from wordorder_lab.best_first.settings import SearchSettings
from wordorder_lab.best_first.templates import EdgeTemplates
from wordorder_lab.models.ngram import NGramModel
from wordorder_lab.structures.category import Category
from wordorder_lab.structures.problem import OrderingProblem, begin
from wordorder_lab.structures.templates import Feature
from wordorder_lab.structures.trace import Trace

Weight = Callable[[Feature], float]


@dataclass(eq=False, repr=False)
class BestFirst:
    """A best-first search on one bag; the learner takes the same steps one by one.

    ``weight`` gives the weight of a feature; ``gold`` says which edges are gold, for the learner.
    ``trace`` receives every step. Afterwards ``stopped`` says how the search ended: "complete",
    "agenda empty", "expansions", "memory" or "seconds".
    """

    problem: OrderingProblem
    templates: EdgeTemplates
    weight: Weight
    settings: SearchSettings
    trace: Trace | None = None
    gold: GoldStandard | None = None

    def __post_init__(self) -> None:
        self.language: EdgeGains | None = None
        self.agenda, self.chart = Agenda(), Chart(self.settings.beam, self.settings.chart)
        self.goals: list[Edge] = []
        self.popped: list[Edge] = []
        self.serial = self.expansions = self.dropped = 0
        self.stopped = ""
        self.sums: GroupSums | None = None
        self.ready()

    def with_ngrams(self, ngrams: NGramModel | None) -> Self:
        """This search with a language model, if any, of the weight that its settings say."""
        if ngrams is not None and self.settings.lm_weight:
            self.language = EdgeGains(ngrams, self.settings.lm_weight, self.problem)
        return self

    def with_fixed_weights(self, weights: FeatureWeights) -> Self:
        """This search under weights that stay as they are; those of its own words are looked up:
        sums of features are kept."""
        self.sums = GroupSums(self.templates, weights.of_items(self.problem.items))
        return self

    def run(self) -> list[Ordering]:
        """Algorithm 1 or 4: the goals, best first, or one default output."""
        self.search()
        return self.finish()

    def search(self) -> None:
        """The loop: afterwards ``goals`` has what was found, and ``stopped`` says why it ended."""
        self.begin()
        while not self.timeout():
            e = self.pop_best()
            if self.goal_test(e):
                self.found(e)
                continue
            loser, _ = self.compare_in_chart(e)
            if loser is not None:
                self.drop(loser, "signature")
            if loser is e:
                continue
            new = self.expand(e)
            self.add_all(new)
            self.add(e)

    # --- what a grammar says ----------------------------------------------------------------

    bounds: Bounds = field(init=False)
    """How often edges may use each kind of word."""

    def ready(self) -> None:
        """Find out what the grammar has to know of the problem, its ``bounds`` for one."""

    def leaves(self) -> list[Edge]:
        """The leaf edges."""
        raise NotImplementedError

    def expand(self, e: Edge) -> list[Edge]:
        """Everything that comes of an edge, with the edges of the chart and with itself."""
        raise NotImplementedError

    def can_combine(self, left: Sequence[int], right: Sequence[int]) -> bool:
        """CANCOMBINE as far as it concerns the words: by their counts in two phrases."""
        return self.bounds.can_combine(left, right)

    def contexts(self, edge: Edge) -> list[tuple[str, EdgeContext]]:
        """The sections of the templates that see an edge, each with the content of its slots."""
        raise NotImplementedError

    def groups(self, edge: Edge) -> list[list[Feature]]:
        """phi(e), group by group, in order of addition."""
        return edge_features(self.templates, self.contexts(edge))

    def show(self, feature: Feature) -> str:
        """A feature as people read it."""
        return show(self.templates, feature)

    def signature(self, edge: Edge) -> Hashable:
        """What two edges share that are one to DPCHARTPRUNE; ``None``: an edge is like no other."""
        raise NotImplementedError

    first_stays = False
    """Of two edges with one signature the one that came first stays; else the higher-scored one."""

    # --- the steps --------------------------------------------------------------------------

    def begin(self) -> None:
        """INITAGENDA: all leaf edges."""
        self.started = time.monotonic()
        if self.trace is not None:
            begin(self.trace, self.problem, self.chart.beam)
        self.leaf_edges = self.leaves()
        self.add_all(self.leaf_edges)

    def timeout(self) -> bool:
        """TIMEOUT, ``k`` goals, or an empty agenda: the search ends, and ``stopped`` says why."""
        seconds = time.monotonic() - self.started
        if len(self.goals) >= self.settings.k:
            self.stopped = "complete"
        elif not self.agenda:
            self.stopped = "agenda empty"
        else:
            self.stopped = self.settings.limits.reached(self.expansions, self.serial, seconds) or ""
        return self.stopped != ""

    def pop_best(self) -> Edge:
        """POPBEST."""
        self.expansions += 1
        edge = self.agenda.pop_best()
        self.popped.append(edge)
        if self.trace is not None:
            self.trace.popped(edge.serial, edge.score)
        return edge

    def goal_test(self, edge: Edge) -> bool:
        """GOALTEST: whether all words of the bag are in an edge."""
        pairs = zip(edge.counts, self.bounds.least, strict=True)
        return all(have >= least for have, least in pairs)

    def found(self, goal: Edge) -> None:
        """Keep a goal; it is not expanded."""
        self.goals.append(goal)
        if self.trace is not None:
            self.trace.goal(goal.serial, goal.score)

    def compare_in_chart(self, edge: Edge) -> tuple[Edge | None, Edge]:
        """DPCHARTPRUNE's pair: of this edge and the chart's one with the same signature the loser
        and the winner. There is no loser where there is no such edge."""
        signature = self.signature(edge)
        if signature is not None:
            for other in self.chart:
                if self.signature(other) == signature:
                    if self.first_stays:
                        return edge, other
                    winner, loser = sorted((edge, other), key=lambda one: one.key)
                    return loser, winner
        return None, edge

    def add_all(self, new: Sequence[Edge]) -> None:
        """Score new edges and ADD them to the agenda."""
        for edge in new:
            self.score(edge)
            self.agenda.add(edge)
            if self.trace is not None:
                self._tell_of(edge, self.trace)

    def add(self, edge: Edge) -> None:
        """ADD to the chart; if its beam is too full, the lowest-scored edge is dropped."""
        self.enter(edge)
        if self.chart.is_too_full(edge):
            self.drop(self.chart.lowest(edge), "beam")

    def enter(self, edge: Edge) -> None:
        """Put an edge into the chart, full or not."""
        self.chart.add(edge)
        if self.trace is not None:
            self.trace.charted(edge.serial)

    def drop(self, edge: Edge, reason: str) -> None:
        """An edge is out: off the chart, or popped and not put there."""
        if edge in self.chart.edges:
            self.chart.remove(edge)
            self.dropped += 1
        if self.trace is not None:
            self.trace.pruned(edge.serial, reason)

    def make(
        self,
        action: str,
        words: Words,
        left: Edge | None = None,
        right: Edge | None = None,
        category: Category | None = None,
        rule: Rule | None = None,
    ) -> Edge:
        """A new edge with the next serial; it is scored by ``add_all``."""
        self.serial += 1
        items, heads, counts = words
        edge = Edge(self.serial, action, items, heads, counts, left, right, category, rule)
        if self.gold is not None:
            edge.gold = self.gold.of(edge)
        return edge

    # --- scores -----------------------------------------------------------------------------

    def score(self, edge: Edge) -> None:
        """Score a new edge by the totals of its parts."""
        if self.sums is None:
            features = add_up(self.groups(edge), self.weight)
        else:
            features = self.sums(self.contexts(edge))
        local = self._with_language(edge, features)
        self.set_total(edge, together([part.total for part in edge.parts], local))

    def _with_language(self, edge: Edge, features: float) -> float:
        """What the last action adds to f(e): its features, then the language model."""
        if self.language is None:
            return features
        return features + self.language.score(edge, self.goal_test(edge))

    def set_total(self, edge: Edge, total: float) -> None:
        """Give an edge its f(e), and the score that it is ranked by."""
        edge.total = total
        edge.score = self.score_of(edge, total)

    def score_of(self, edge: Edge, total: float) -> float:
        """f^(e) in the scaled model, else f(e)."""
        return total / edge.actions if self.settings.scaled else total

    def features(self, edge: Edge) -> list[Feature]:
        """phi(e)."""
        return list(chain.from_iterable(self._kept_groups(edge)))

    def all_features(self, edge: Edge) -> list[Feature]:
        """Phi(e), in post-order."""
        return [feature for part in edge.post_order() for feature in self.features(part)]

    def recompute(self, edge: Edge, known: dict[int, float]) -> float:
        """f(e) under the weights as they are now, from the leaves on; ``known`` keeps totals by
        serial."""
        for part in edge.post_order():
            if part.serial not in known:
                features = add_up(self._kept_groups(part), self.weight)
                local = self._with_language(part, features)
                known[part.serial] = together([known[p.serial] for p in part.parts], local)
        return known[edge.serial]

    def _kept_groups(self, edge: Edge) -> list[list[Feature]]:
        """The features of an edge that is asked for them again."""
        if edge.groups is None:
            edge.groups = self.groups(edge)
        return edge.groups

    def recompute_scores(self, edges: Iterable[Edge]) -> None:
        """RECOMPUTESCORES of these edges, after an update."""
        known: dict[int, float] = {}
        for edge in sorted(edges, key=lambda edge: edge.serial):
            before = edge.score
            self.set_total(edge, self.recompute(edge, known))
            if self.trace is not None and edge.score != before:
                self.trace.rescored(edge.serial, edge.score)

    # --- the outcome ------------------------------------------------------------------------

    def finish(self) -> list[Ordering]:
        """The goals, best first; or the default output."""
        how, goals = self.settings, sorted(self.goals, key=lambda edge: edge.key)
        outputs = [[goal] for goal in goals] or [self.default_pieces()]
        if self.trace is not None:
            if goals:
                self.trace.finished(goals[0].serial, goals[0].score)
            self.trace.stopped(self.stopped)
        return [join(pieces, how.scaled, self.problem.items) for pieces in outputs]

    def default_pieces(self) -> list[Edge]:
        """The edges of the default output, side by side."""
        pieces = default_output(self.chart.edges, self.bounds, self.settings.default)
        if self.settings.default == ALL_WORDS:
            return with_all_words(pieces, self.leaf_edges, self.bounds)
        return pieces

    @property
    def counters(self) -> dict[str, int]:
        """How much work it was."""
        return {
            "expansions": self.expansions,
            "edges": self.serial,
            "goals": len(self.goals),
            "dropped": self.dropped,
        }

    def _tell_of(self, edge: Edge, trace: Trace) -> None:
        gold = -1 if self.gold is None else int(edge.is_gold)
        category = "" if edge.category is None else edge.category.text
        if edge.left is None:
            number = edge.items[0]
            form, pos = self.problem.items[number].form, self.problem.items[number].pos
            trace.leaf(edge.serial, number, form, pos, edge.score, gold, category)
        else:
            left, right = edge.left.serial, 0 if edge.right is None else edge.right.serial
            trace.edge(edge.serial, left, right, edge.action, edge.score, gold, category)


def together(below: Sequence[float], local: float) -> float:
    """f(e) of the totals of the sub-edges, from left to right, and what the last action adds."""
    if not below:
        return local
    total = below[0]
    for more in below[1:]:
        total += more
    return total + local
