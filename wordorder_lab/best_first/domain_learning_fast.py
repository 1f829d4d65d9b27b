"""Learning with a beam inside each head's domain on arrays: the twin of ``domain_learning``."""

# mypy: allow-untyped-defs, allow-untyped-calls, no-check-untyped-defs
from __future__ import annotations

from collections.abc import Callable

from wordorder_lab.best_first import arrays_fast as arrays
from wordorder_lab.best_first.dependency_fast import HEAD_RIGHT_NUMBER
from wordorder_lab.best_first.dependency_links import NO_GOLD
from wordorder_lab.best_first.domain_beam_fast import FastDomainBeam
from wordorder_lab.best_first.gold import GuidedExample
from wordorder_lab.best_first.guided_learning_fast import FastGuided, count, settle
from wordorder_lab.best_first.keys import EdgeKeys
from wordorder_lab.best_first.settings import GuidedSettings
from wordorder_lab.runtime.kernel_fast import kernel
from wordorder_lab.structures.trace import UpdateStatistics


class FastDomainLearner(FastGuided):
    """The learner, which is used as that of guided learning; it counts as its twin."""

    search: FastDomainBeam

    def __init__(
        self,
        keys: EdgeKeys,
        settings: GuidedSettings,
        search: Callable[..., FastDomainBeam] = FastDomainBeam,
    ) -> None:
        super().__init__(keys, settings, search)

    def _learn_one(self, example: GuidedExample) -> str:
        """One sentence: its search, and then an update for each domain that went wrong."""
        search = self.search
        self.statistics = UpdateStatistics()
        gold = example.gold_edges()
        if not search.search(example.problem, self.settings.search, self.trace, gold):
            raise ValueError(NO_GOLD)
        wrong = [pair for pair in search.domains.violations.tolist() if pair[0] >= 0]
        for plus, minus in wrong:
            self._update_domain(plus, minus)
        return "stopped" if wrong else "finished"

    def _update_domain(self, plus: int, minus: int) -> None:
        search = self.search
        edges, tables, state = search.edges, search.tables, search.state
        margin = float(edges.score[plus] - edges.score[minus])
        moves = bool(domain_difference(plus, minus, edges, tables, state) > 0)
        reason = "agenda" if moves else "equal"
        self.updates[reason] += 1
        if moves:
            self.statistics.updated(margin)
        if self.trace is not None:
            example = int(self.table.used[1])
            self.trace.edge_update(example, reason, plus + 1, minus + 1, margin, float(moves))
        if moves:
            self._apply(1.0)


@kernel(borrows=True)
def domain_difference(plus, minus, edges, tables, state):
    """Fill in the difference of two edges in their domain; returns its squared length."""
    state[arrays.TOUCHED] = 0
    count_domain(plus, arrays.PLUS, edges, tables, state)
    count_domain(minus, arrays.MINUS, edges, tables, state)
    return settle(1, 1, tables, state)


@kernel(borrows=True)
def count_domain(edge, column, edges, tables, state):
    """Count the features of an edge's last link, of those before it, and of the head's leaf."""
    while edge >= 0:
        count(edge, column, edges, tables, state)
        is_right = edges.ints[edge, arrays.ACTION] == HEAD_RIGHT_NUMBER
        edge = edges.ints[edge, arrays.RIGHT if is_right else arrays.LEFT]
