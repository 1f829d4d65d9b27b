"""Guided learning: decoding leads the way, and the weights change where it goes wrong.

Zhang & Clark 2015, section 3.5, Algorithm 3 (Algorithm 2 has line 14 in place of all up to 24):

    1   a <- INITAGENDA(); c <- INITCHART()
    3   while not TIMEOUT() do
    5     e <- POPBEST(a)
    6     if GOLDSTANDARD(e) and GOALTEST(e) then
    7       return e
    9     if not GOLDSTANDARD(e) then
    10      e- <- e; e+ <- MINGOLD(a)
    12      UPDATEPARAMETERS(e+, e-); RECOMPUTESCORES(a, c)
    14      Algorithm 2: continue                    or stop the sentence, if there was an update
    15    (e', e~) <- DPCHARTPRUNE(c, e)
    16    if GOLDSTANDARD(e') then
    17      UPDATEPARAMETERS(e', e~); REMOVE(c, e~); ADD(c, e')
    21    else if e' is e then continue
    25    new <- what comes of e, by UNARY, and by BINARY with every edge in c
    38    ADD(a, new)
    41    e' <- ADD(c, e)
    42    if GOLDSTANDARD(e') then
    43      e~ <- MAXNONGOLD(c)
    44      UPDATEPARAMETERS(e', e~); REMOVE(c, e~); ADD(c, e')

Differences
- *Our reading*, line 12: RECOMPUTESCORES takes every edge of the chart, ``e`` if it is about to be
  expanded, and of the agenda the edges from the top down to e+, as in 2011 (section 5, Figure 2);
  whatever is below keeps its score. Section 3.5 has "above and including e-", which would be none,
  since e- was popped.
- *Paper silent*: scores are recomputed from the leaves on, and e+ and e- are compared by such fresh
  scores. In learning weights are raw.
- *Text against figure*, lines 15 to 24: this follows the text. The loser of line 15 is neither
  expanded nor kept; if it is gold, the winner is what goes. Of two gold edges both stay.
- *Text against figure*, lines 41 to 45: an edge is added once, and line 44's REMOVE is in the text
  alone.
- *Text against figure*, lines 17 and 44: after an update for the chart, the chart is rescored, as
  the text says; the algorithm rescores nothing there.
- *Our reading*, section 3.5: "all gold-standard edges that have been expanded must remain in the
  chart" holds for Algorithm 2, too, where the printed ADD may drop one.
- *Paper silent*: if a beam holds gold edges only, they all stay, and that is counted as "overfull".
- *Paper silent*: where there was nothing to update, a wrong edge is still discarded in Algorithm 2
  (and a sentence that is to stop goes on), and in Algorithm 3 it is expanded with the total that it
  has; so is a gold edge.
- *Our reading*: to stop a sentence at its first update is in none of the algorithms. It is how
  "finished immediately after the parameter update" (section 4.4, of Zhang 2013) might be read, too.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from wordorder_lab.best_first.dependency import BestFirstDependency
from wordorder_lab.best_first.edge import Edge
from wordorder_lab.best_first.gold import GuidedExample
from wordorder_lab.best_first.search import BestFirst
from wordorder_lab.best_first.settings import GuidedSettings
from wordorder_lab.best_first.templates import EdgeTemplates
from wordorder_lab.best_first.updates import (
    EXPAND,
    OUTCOMES,
    PERCEPTRON,
    REASONS,
    SCALED,
    STOP,
    Difference,
    EdgeWeights,
    difference,
    step_size,
)
from wordorder_lab.structures.trace import Trace, UpdateStatistics


@dataclass(eq=False, repr=False)
class GuidedLearner:
    """The learner: ``learn`` takes one example; ``weights`` are what it has learned so far.

    ``updates`` counts by reason: updates for a popped edge (``agenda``), for a gold edge that would
    have left the chart (``chart``, ``signature``); no update, since the features are ``equal`` or
    the margin is ``satisfied``; and beams ``overfull`` of gold. ``sentences`` counts how decoding
    ended: the gold goal was popped (``finished``), ``limit``, ``stopped`` at the first update.
    ``statistics`` is what the last sentence came to. ``decoder`` is the search with its grammar.
    """

    templates: EdgeTemplates
    settings: GuidedSettings
    trace: Trace | None = None
    decoder: Callable[..., BestFirst] = BestFirstDependency

    def __post_init__(self) -> None:
        self.weights, self.statistics = EdgeWeights(), UpdateStatistics()
        self.updates = dict.fromkeys(REASONS, 0)
        self.sentences = dict.fromkeys(OUTCOMES, 0)

    def learn(self, example: GuidedExample) -> None:
        """Decode one example with the weights so far, and update them on the way."""
        self.statistics = UpdateStatistics()
        outcome = self.decode(self.search(example))
        self.sentences[outcome] += 1
        if self.trace is not None:
            self.trace.stopped(outcome)
        self.weights.examples += 1

    def search(self, example: GuidedExample) -> BestFirst:
        """A search with the raw weights that knows the gold edges."""
        return self.decoder(
            example.problem,
            self.templates,
            self.weights.get,
            self.settings.search,
            trace=self.trace,
            gold=example.gold_edges(),
        )

    def decode(self, search: BestFirst) -> str:
        """Algorithm 2 or 3 on one sentence, and how it ended."""
        negatives = self.settings.negatives
        search.begin()
        while not search.timeout():
            e = search.pop_best()
            self.statistics.popped(e.is_gold)
            if e.is_gold and search.goal_test(e):
                search.found(e)
                return "finished"
            if not e.is_gold:
                e_plus = search.agenda.min_gold()
                updated = self.update_parameters(search, "agenda", e_plus, e)
                if updated and negatives == STOP:
                    return "stopped"
                if updated:
                    self.recompute_scores(search, e_plus, e)
                if negatives != EXPAND:
                    search.drop(e, "discarded")
                    continue
            if not self.survives(search, e):
                continue
            new = search.expand(e)
            search.add_all(new)
            self.add(search, e)
        return "limit"

    def recompute_scores(self, search: BestFirst, e_plus: Edge, e: Edge) -> None:
        """RECOMPUTESCORES: the agenda down to e+, the chart, and ``e`` if it is to be expanded."""
        popped = search.agenda.pop_down_to(e_plus)
        expanded = [e] if self.settings.negatives == EXPAND else []
        search.recompute_scores([*expanded, *search.chart, *popped])
        for edge in popped:
            search.agenda.add(edge)

    def survives(self, search: BestFirst, e: Edge) -> bool:
        """Lines 15 to 23: whether ``e`` is to be expanded, or loses to an edge of the chart."""
        loser, winner = search.compare_in_chart(e)
        if loser is None or (loser.is_gold and winner.is_gold):
            return True
        if loser.is_gold:
            self.keep_gold(search, "signature", loser, winner, e)
            return winner is not e
        search.drop(loser, "signature")
        return loser is not e

    def add(self, search: BestFirst, e: Edge) -> None:
        """Lines 41 to 45: ADD to the chart; no gold edge leaves it."""
        search.enter(e)
        while search.chart.is_too_full(e):
            lowest = search.chart.lowest(e)
            if not lowest.is_gold:
                search.drop(lowest, "beam")
                continue
            negative = search.chart.max_non_gold(e)
            if negative is None:
                self.updates["overfull"] += 1
                return
            self.keep_gold(search, "chart", lowest, negative, e)

    def keep_gold(
        self, search: BestFirst, reason: str, gold: Edge, negative: Edge, e: Edge
    ) -> None:
        """Update for a gold edge that was about to leave the chart; the negative one goes."""
        if self.update_parameters(search, reason, gold, negative):
            search.recompute_scores({e, *search.chart} - {negative})
        search.drop(negative, "negative")

    def update_parameters(
        self, search: BestFirst, reason: str, positive: Edge, negative: Edge
    ) -> bool:
        """UPDATEPARAMETERS: whether there was anything to update."""
        known: dict[int, float] = {}
        ahead, behind = (
            search.score_of(edge, search.recompute(edge, known)) for edge in (positive, negative)
        )
        change = self.difference(search, positive, negative)
        step = 0.0
        if not any(change.values()):
            reason = "equal"
        else:
            step = step_size(self.settings.update, change, ahead, behind)
            if step <= 0:
                reason, step = "satisfied", 0.0
        self.updates[reason] += 1
        if step:
            self.statistics.updated(ahead - behind)
        self.apply(search, reason, positive, negative, ahead - behind, change, step)
        return step > 0

    def apply(
        self,
        search: BestFirst,
        reason: str,
        positive: Edge,
        negative: Edge,
        margin: float,
        change: Difference,
        step: float,
    ) -> None:
        """Move the weights by ``step`` times the change, and tell of it."""
        if self.trace is not None:
            plus, minus = positive.serial, negative.serial
            self.trace.edge_update(self.weights.examples, reason, plus, minus, margin, step)
        for feature, value in change.items() if step else ():
            if value:
                before = self.weights.get(feature)
                self.weights.add(feature, step * value)
                if self.trace is not None:
                    after = self.weights.get(feature)
                    self.trace.weight(search.show(feature), "", before, after)

    def difference(self, search: BestFirst, positive: Edge, negative: Edge) -> Difference:
        """What the update moves along: phi of both edges, or their Phi, or Phi by |e|."""
        if self.settings.update == PERCEPTRON:
            return difference(search.features(positive), search.features(negative))
        plus, minus = search.all_features(positive), search.all_features(negative)
        if self.settings.update == SCALED:
            return difference(plus, minus, (positive.actions, negative.actions))
        return difference(plus, minus)
