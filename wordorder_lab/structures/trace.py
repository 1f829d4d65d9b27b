"""Trace: whatever a search or a learner tells its events to; None, where nobody listens.

The schema of events is declared here once: the methods are the kinds, their arguments the columns,
their docstrings what an event says (``trace/events.py`` has it as a table). A slice takes a trace
as an argument and knows nothing else of it; the usual one is an ``EventLog``. One event is one line
in a loop: ``if trace is not None: trace.kept(serial, rank)``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

Event = tuple[Any, ...]
"""What a log keeps of an event: (kind, *columns)."""


class Events(Protocol):
    """Something with events in it, one after the other: a log, or a plain list."""

    def __len__(self) -> int: ...

    def __iter__(self) -> Iterator[Event]: ...


@runtime_checkable
class Trace(Protocol):
    """One method for each kind of event; its arguments are the columns, in their order.

    A column with a default came later, or only some searches have something to say there.
    """

    # A beam search and its learner.

    def begin(self, units: list[str], counts: list[int], items: int, beam: int) -> None:
        """A search begins on these units (with counts), offered as so many items (unit and tag)."""

    def step(self, step: int) -> None:
        """The states of the beam are about to be expanded."""

    def candidate(self, serial: int, parent: int, action: str, score: float) -> None:
        """A successor of state `parent` (0: the initial state) was scored."""

    def kept(self, serial: int, rank: int) -> None:
        """The candidate entered the next beam at this rank."""

    def cut(self, serial: int, margin: float) -> None:
        """The candidate did not enter the beam; it lost to the last state in it by this margin."""

    def gold(self, step: int, serial: int, rank: int) -> None:
        """After this step the gold state is this candidate, at this rank of the beam. Rank -1: it
        was cut. Serial -1, too: it was never a candidate, since its parent had been cut before.
        """

    def finished(self, serial: int, score: float) -> None:
        """The search ended; this state is the best."""

    def update(self, example: int, step: int, reason: str, gold: float, predicted: float) -> None:
        """The learner updates on the first `step` actions; the scores of the two prefixes
        before.
        """

    def weight(self, feature: str, action: str, before: float, after: float) -> None:
        """One weight has changed."""

    def forbidden(self, parent: int, action: str, reason: str) -> None:
        """What is given about the bag forbids this action of state `parent`, and this is why. These
        come after the state's candidates, where heads or orders are given.
        """

    # Best-first search and guided learning.

    def leaf(
        self,
        serial: int,
        item: int,
        form: str,
        pos: str,
        score: float,
        gold: int,
        category: str = "",
    ) -> None:
        """A leaf edge was made of an item. Gold: 1, 0, or -1 where nothing is known of that. In CCG
        it has a lexical category; of one item there may be several leaves.
        """

    def edge(
        self,
        serial: int,
        left: int,
        right: int,
        action: str,
        score: float,
        gold: int,
        category: str = "",
    ) -> None:
        """An edge was made of two others; HeadLeft or HeadRight says which one brings the head. In
        CCG the sign of the rule comes before that (`> HeadLeft`), and it has a category; where
        `right` is 0 a unary rule made it of one edge, and the action is its sign alone.
        """

    def popped(self, serial: int, score: float) -> None:
        """The best edge of the agenda was popped off."""

    def goal(self, serial: int, score: float) -> None:
        """The popped edge is a goal; in learning, gold."""

    def charted(self, serial: int) -> None:
        """The popped edge has been expanded and enters the chart."""

    def pruned(self, serial: int, reason: str) -> None:
        """An edge is out. `beam`: the chart was too full. `negative`: it was the negative example
        when a gold edge would have been dropped. `discarded`: popped, not gold, and not expanded.
        `signature`: another edge with the same signature stays in the chart, or it was popped and
        takes this one's place. In an n-gram beam `recombined`: a better candidate has the same
        words left over after the same last words.
        """

    def edge_update(
        self, example: int, reason: str, positive: int, negative: int, margin: float, step: float
    ) -> None:
        """The learner moves the weights by `step` towards the positive edge, away from the negative
        one. `margin`: by how much the positive one was ahead. Reason `agenda`: the negative one was
        popped. `chart` and `signature`: a gold edge was about to leave the chart. Step 0: no
        update, since both edges have `equal` features, or the margin is `satisfied`.
        """

    def rescored(self, serial: int, score: float) -> None:
        """After an update this edge's score is new."""

    def stopped(self, reason: str) -> None:
        """How the search ended: complete, agenda empty, expansions, memory, seconds; in learning
        finished (the gold goal was popped), limit, stopped (at the first update).
        """

    # Tree transduction and its learner.

    def source(self, labels: list[str], parents: list[int], words: list[str]) -> None:
        """The source tree, nodes in post-order: labels, parents (-1: none), the word of each
        preterminal (empty for other nodes). The root comes last.
        """

    def application(  # noqa: PLR0913  (the columns of the event)
        self,
        application: int,
        node: int,
        category: str,
        rule: str,
        origin: str,
        children: list[int],
        deleted: list[int],
        score: float,
    ) -> None:
        """A rule matches at this source node and gives a target tree with this category. `children`
        are the nodes of its variables, in the order of the target, `deleted` those that are aligned
        with epsilon. Origin: extracted, copy, delete, or several joined by `+`.
        """

    def points(self, application: int, feature: str, points: float) -> None:
        """What a feature adds to the score of this application: weight times value."""

    def cell(self, cell: int, node: int, category: str) -> None:
        """The cell of this source node and target category is about to be filled."""

    def combined(  # noqa: PLR0913  (the columns of the event)
        self,
        serial: int,
        application: int,
        ranks: list[int],
        heuristic: float,
        score: float,
        ngrams: float,
        loss: float,
        item: int,
        outcome: str,
    ) -> None:
        """A combination was taken from the grid of an application: for its k-th variable the item
        at this rank of the child's cell (0: best). Heuristic: what it was chosen by. Score: the
        right one, of which n-grams that were made here are `ngrams`. Outcome: `new` item, this item
        `better` than before, or `worse`.
        """

    def filled(self, cell: int, items: list[int]) -> None:
        """The cell is full: its items, best first. What is not here is out by the beam."""

    def compressed(
        self, rank: int, score: float, applications: list[int], words: list[str]
    ) -> None:
        """The derivation at this rank (0: best): its applications in pre-order, its words."""

    def violation(self, example: int, loss: float, margin: float, violation: float) -> None:
        """The output of an example that violates its margin most: its loss, by how much the gold
        derivation is ahead of it, and the difference of the two.
        """

    def solved(
        self, iteration: int, constraints: int, primal: float, dual: float, bound: float
    ) -> None:
        """The quadratic programme over so many constraints was solved: its primal and dual value.
        Bound: the objective over all outputs, as far as the searches found them.
        """

    # A training over its epochs.

    def learned(
        self,
        epoch: int,
        example: int,
        sentence: int,
        updates: int,
        margin: float,
        prefix: int,
        length: int,
    ) -> None:
        """A sentence of the training was learned, as so many examples had been before: its updates,
        their lowest margin (0 without one), and how many actions (of a best-first search, pops)
        were gold before the first that was not, of how many.
        """

    def epoch(
        self, epoch: int, updates: int, weights: int, norm: float, scores: list[float]
    ) -> None:
        """An epoch is over: its updates, how many raw weights are not 0, their Euclidean norm.
        Scores: the number that `on_epoch` gave back, such as BLEU on held-out sentences.
        """

    # Before a search whose categories a supertagger gave.

    def supertags(self, probabilities: list[float]) -> None:
        """Of the search that begins next: the probability of each item's lexical category, as a
        supertagger has it; -1 where it said nothing of an item.
        """

    # After the begin of a search whose units have several forms, or whose arcs have labels.

    def alternatives(self, types: list[int], forms: list[str]) -> None:
        """Of the search that has begun: which of its units have several forms, of which one is used
        each time. A row a form: the place of the unit among those of `begin`, and the form; the one
        that `begin` names it by comes first.
        """

    def labels(self, labels: list[str]) -> None:
        """Of the search that has begun: for each item the label of the arc into it, empty where it
        has none. Told where any has one.
        """

    # After a search, of its output.

    def doubts(self, says: str, unknown: list[str], ties: list[str]) -> None:
        """What the model does not know of the output, as a sentence: the units that training never
        saw, and other sentences that score the same since the model cannot tell some units apart.
        Told where there are any.
        """

    # A parser's chart.

    def constituent(
        self, serial: int, start: int, end: int, label: str, score: float, left: int, right: int
    ) -> None:
        """In the chart's cell of the words from `start` up to, not including, `end` stands this
        label with its best score, made of the constituents `left` and `right`. Right 0: of one
        alone, by a unary rule. Both 0: a tag of one word. Told when its cell is full, in the order
        of the labels' numbers; labels with `@` came of making rules binary.
        """

    def out_of_beam(self, serial: int) -> None:
        """The constituent is too bad for its cell, and leaves it."""

    def parsed(self, serial: int, score: float, brackets: str, fallback: int) -> None:
        """The parse with its log probability, in brackets. Fallback 1: the grammar has none, so it
        was put together by a rule for that, and its serial is 0.
        """

    # Compression by deletion: a lattice, and an integer programme.

    def bigram(self, left: int, right: int, score: float, total: float, back: int) -> None:
        """In a lattice over the words 1 to n (0: start, n + 1: end) the word `right` is kept
        straight after `left`, all between them left out, for this score; `total` is that of the
        best path that ends so. Back 1: no way to `right` that was scanned before is as good.
        """

    def path(self, rank: int, score: float, kept: list[int], words: list[str]) -> None:
        """A compression by deletion, at this rank (0: best, whatever a programme demands): places
        of the kept words from 0, and the words.
        """

    def demand(self, name: str, says: str, words: list[int], broken: int) -> None:
        """The integer programme that is solved next has this row: a family of constraints, what it
        demands in plain words, and the places of the words it is about. Broken 1: the best
        compression without any constraint would break it.
        """

    def programme(self, names: list[str], kept: list[int], objective: float, nodes: int) -> None:
        """An integer programme was solved under these families of constraints: places of the kept
        words from 0, its value, and how many nodes branch and bound looked at.
        """


def of_next_search(trace: Trace | None) -> Trace | None:
    """The trace, if it wants the search that begins now, or ``None``, as a log of a sample may: a
    learner that need not record it has all its speed."""
    skips = getattr(trace, "skips", None)
    return None if skips is not None and skips() else trace


@dataclass
class UpdateStatistics:
    """What one sentence came to: ``margin`` is the lowest of its updates, 0 without one."""

    updates: int = 0
    margin: float = 0.0
    prefix: int = 0
    length: int = 0

    def popped(self, is_gold: bool) -> None:
        """An edge was popped: it belongs to the prefix as long as all were gold."""
        if is_gold and self.prefix == self.length:
            self.prefix += 1
        self.length += 1

    def updated(self, margin: float) -> None:
        """The weights have moved; the positive side was ahead by ``margin`` before."""
        self.margin = margin if not self.updates else min(self.margin, margin)
        self.updates += 1
