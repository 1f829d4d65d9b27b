"""What a traced search of the tree transducer tells, every number made anew from the words."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

import pytest
from nltk.tree import Tree
from transduction_cases import Case
from transduction_oracles import bag, grown, naive_loss

from wordorder_lab.trace.log import EventLog
from wordorder_lab.transduction.chart import StsgChart
from wordorder_lab.transduction.losses import LOSSES, compression_loss
from wordorder_lab.transduction.problem import BEAMS, Beam, Transduced

case = cache(Case)


class Piece:
    """An item as the log tells it: the best tree so far, its score, and all scores of its words."""

    def __init__(self, tree: Tree, score: float) -> None:
        self.tree, self.score = tree, score


class Retold:
    """A log read event by event; every event is checked against what came before it."""

    def __init__(self, one: Case, loss: tuple[str, Tree] | None, beam: Beam, search: str) -> None:
        self.case, self.problem, self.reference = one, one.problem, loss
        given = one.given(compression_loss(*loss) if loss else None)
        self.scores, self.beam, self.search = given.scores, beam, search
        self.log = EventLog()
        self.result = StsgChart(given, beam, search, self.log).run(5)
        self.items: dict[int, Piece] = {}
        self.cells: list[list[int]] = []
        self.combinations = self.derivations = 0

    def check(self) -> Transduced:
        for kind, *event in self.log:
            getattr(self, kind)(*event)
        assert len(self.cells) == len(self.problem.cells)
        assert self.derivations == len(self.result.best)
        counters = {"combinations": self.combinations, "items": len(self.items)}
        assert self.result.counters == counters
        return self.result

    @property
    def waiting(self) -> int:
        """How many words of a piece, the first, wait for what comes before them."""
        reach = 2 if self.reference and self.reference[0] == "hamming-ngrams" else 0
        return max(self.case.ngrams.order - 1, reach)

    def unigrams(self, words: Sequence[str]) -> float:
        """Their weighted log-probability without context."""
        model = self.case.ngrams
        found = [model.log_prob((), model.word_id(word)) for word in words]
        return self.case.ngram_weight * sum(found)

    def ngrams(self, tree: Tree) -> float:
        """The weighted log-probability of its words, without those that wait."""
        model = self.case.ngrams
        ids = [model.word_id(word) for word in tree.leaves()]
        total = 0.0
        for i in range(self.waiting, len(ids)):
            total += model.log_prob(ids[max(0, i - model.order + 1) : i], ids[i])
        return self.case.ngram_weight * total

    def with_unigrams(self, piece: Piece) -> float:
        """Its score, and the unigrams of the words that wait."""
        return piece.score + self.unigrams(piece.tree.leaves()[: self.waiting])

    def partial_loss(self, trees: Sequence[Tree], whole: Tree) -> float:
        """The loss of a piece; of n-grams only those that are complete in one of these trees."""
        if self.reference is None:
            return 0.0
        name, gold = self.reference
        if name != "hamming-ngrams":
            return naive_loss(name, whole, gold)
        made = [
            tuple(tree.leaves()[end - n : end])
            for tree in trees
            for end in range(self.waiting + 1, len(tree.leaves()) + 1)
            for n in (1, 2, 3)
        ]
        known = bag(name, gold)
        wrong = len([one for one in made if one not in known])
        return wrong + max(known.total() - len(made), 0)

    def cell(self, cell: int, node: int, category: str) -> None:
        assert cell == len(self.cells) and self.problem.cells[cell] == (node, category)
        assert cell == 0 or self.problem.cells[cell - 1][0] <= node
        self.here: dict[int, None] = {}
        self.taken: set[tuple] = set()
        self.last = float("inf")

    def combined(self, serial: int, a: int, ranks: list[int], *told: Any) -> None:
        heuristic, score, ngrams, loss, item, outcome = told
        self.combinations += 1
        assert serial == self.combinations
        assert (a, *ranks) not in self.taken and a in self.problem.in_cell[len(self.cells)]
        self.taken.add((a, *ranks))
        cells = self.problem.child_cells[a]
        parts = [self.items[self.cells[cell][rank]] for cell, rank in zip(cells, ranks)]
        tree = grown(self.problem.applications[a].rule.target, [part.tree for part in parts])
        gain = self.ngrams(tree) - sum(self.ngrams(part.tree) for part in parts)
        assert ngrams == pytest.approx(gain, abs=1e-9)
        right = self.scores[a] + sum(part.score for part in parts) + gain
        assert score == pytest.approx(right, abs=1e-9)
        self.check_heuristic(a, parts, heuristic, tree)
        assert loss == pytest.approx(self.partial_loss([tree], tree), abs=1e-9)
        assert outcome == self.outcome(item, score)
        if outcome != "worse":
            self.items[item] = Piece(tree, score)
        self.here[item] = None

    def check_heuristic(self, a: int, parts: list[Piece], heuristic: float, tree: Tree) -> None:
        """The rule, its own words as unigrams, and its parts; the loss as far as parts tell it."""
        own = [word for word in self.problem.yields[a] if isinstance(word, str)]
        right = self.scores[a] + self.unigrams(own)
        right += sum(self.with_unigrams(part) for part in parts)
        right += self.partial_loss([part.tree for part in parts], tree)
        assert heuristic == pytest.approx(right, abs=1e-9)
        if self.reference is None and self.search == "cube":
            assert heuristic <= self.last + 1e-12  # best first
        self.last = heuristic

    def outcome(self, item: int, score: float) -> str:
        if item not in self.items:
            assert item == len(self.items) + 1
            return "new"
        assert item in self.here
        return "better" if score > self.items[item].score else "worse"

    def filled(self, cell: int, items: list[int]) -> None:
        assert cell == len(self.cells) and items and set(items) <= set(self.here)
        cut = [item for item in self.here if item not in items]
        assert not cut or len(items) == self.beam.unique
        value = {item: self.estimate(item) for item in self.here}
        ranked = [value[item] for item in items]
        assert ranked == sorted(ranked, reverse=True)
        assert all(value[item] <= min(ranked) + 1e-9 for item in cut)
        self.cells.append(items)

    def estimate(self, item: int) -> float:
        piece = self.items[item]
        return self.with_unigrams(piece) + self.partial_loss([piece.tree], piece.tree)

    def compressed(self, rank: int, score: float, applications: list[int], words: list) -> None:
        best = self.result.best[rank]
        assert rank == self.derivations
        self.derivations += 1
        assert (tuple(applications), score) == (best.applications, best.score)
        tree = self.problem.target_tree(best.applications)
        assert words == tree.leaves()
        loss = naive_loss(self.reference[0], tree, self.reference[1]) if self.reference else 0.0
        assert best.loss == pytest.approx(loss, abs=1e-9)
        above = self.result.best[rank - 1] if rank else best
        assert above.score + above.loss >= best.score + best.loss


@pytest.mark.parametrize("order", [1, 2, 3])
@pytest.mark.parametrize("search", ["cube", "exhaustive"])
def test_the_log_of_a_search_holds_together(search: str, order: int) -> None:
    for seed in range(4):
        for beam in (BEAMS["exact"], Beam(3, 0), Beam(2, 5)):
            if search == "cube" or not beam.total:
                Retold(case(seed, order), None, beam, search).check()


@pytest.mark.parametrize("name", LOSSES)
def test_the_log_of_a_search_with_a_loss_holds_together(name: str) -> None:
    for seed, order in ((0, 1), (1, 2), (2, 3), (3, 2)):
        one = case(seed, order)
        reference = one.derivations[len(one.derivations) // 3].tree
        for beam in (BEAMS["exact"], Beam(4, 0)):
            Retold(one, (name, reference), beam, "cube").check()


def test_a_search_tells_nothing_that_it_does_not_do() -> None:
    """With a trace and without, the result is the same; so is a second log of the same search."""
    one = case(1, 3)
    quiet = StsgChart(one.given(), Beam(3, 0)).run(5)
    retold = Retold(one, None, Beam(3, 0), "cube")
    assert retold.check() == quiet
    assert Retold(one, None, Beam(3, 0), "cube").log == retold.log
    assert {kind for kind, *_ in retold.log} == {"cell", "combined", "filled", "compressed"}
