"""Ordering words by an n-gram model alone, from left to right with a beam.

The search of Schmaltz, Rush & Shieber (2016), told from what is known of it, since the paper is not
here. A hypothesis is the beginning of a sentence; its bag holds what is left over. At each step one
unit of the bag is put behind it, and the model says how likely the words of the unit are there:

    1   beam(0) <- (<s>, the whole bag)
    2   for m <- 1 .. number of words in the bag do
    3     for each unit u left over by a hypothesis h of beam(m - words of u) do
    4       score <- score(h) + log p(u | the last words of h)          at the end: + log p(</s>)
    5       agenda <- (score + future cost of what is then left over)
    6     sort the agenda; of hypotheses that nothing to come can tell apart, keep the best
    7     beam(m) <- the best of the agenda
    8   return the best of the last beam

There is a beam for each number of words, so a phrase does not compete with a single word, which has
a probability less to answer for.

Line 6 is recombination: with the same bag, and after the same words as far back as the model
looks, all that can follow is worth the same. The worse of two can never win, and gives up its
place.

Differences
- *Our reading*, line 3: theirs hands the successors of a hypothesis on to the beams that they
  belong to; here a beam fetches them from the ones before. The candidates are the same.
- *Paper silent*: ties go to the candidate that was made first: from the shortest hypotheses to the
  longest, in each beam from the best to the worst, then by item.
- *Our reading*, line 6: at the last step nothing is recombined, so that there are as many outputs
  as are asked for. What was given up earlier is not among them: the best output is, but the second
  best in the list need not be the second best that there is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from wordorder_lab.models.ngram import END_ID, START_ID, NGramModel
from wordorder_lab.ngram_beam.bag import NGramBag, why_not
from wordorder_lab.structures.problem import OrderingProblem
from wordorder_lab.structures.trace import Trace


class Hypothesis(NamedTuple):
    """The beginning of a sentence.

    ``left`` has the units left over, by kind; ``history`` the last words, as far as the model
    knows them together; ``score`` the log-probability of all words; ``future`` the cost of what is
    left over. ``item`` was put behind ``parent``.
    """

    serial: int
    score: float
    future: float
    left: tuple[int, ...]
    history: tuple[int, ...]
    item: int = -1
    parent: Hypothesis | None = None

    def items(self) -> list[int]:
        """The items from left to right."""
        items = []
        one: Hypothesis | None = self
        while one is not None and one.parent is not None:
            items.append(one.item)
            one = one.parent
        return items[::-1]


class Candidate(NamedTuple):
    """A successor that is scored and not yet built; ``total`` is its score with future cost."""

    total: float
    serial: int
    score: float
    future: float
    parent: Hypothesis
    item: int


@dataclass(eq=False, repr=False)
class BeamSearch:
    """The search on one bag.

    ``trace`` receives the events ``begin``, ``step``, ``candidate``, ``forbidden`` (where orders
    are given), ``kept``, ``pruned`` (recombined), ``cut`` and ``finished``; scores in them contain
    the future cost.
    """

    bag: NGramBag
    problem: OrderingProblem
    model: NGramModel
    beam: int
    recombine: bool = True
    trace: Trace | None = None

    def __post_init__(self) -> None:
        self.serial = self.expanded = self.recombined = 0

    def run(self) -> list[Hypothesis]:
        """The last beam, best first: whole sentences."""
        if self.trace is not None:
            forms, counts = list(self.bag.forms), list(self.bag.counts)
            self.trace.begin(forms, counts, len(self.bag.tokens), self.beam)
        beams = [[self.start()]]
        for words in range(1, self.bag.words + 1):
            last = words == self.bag.words
            agenda = self.expand(beams, last)
            beams.append(self.best_of(agenda, self.recombine and not last))
            self.expanded += len(beams[-2])
        if self.trace is not None:
            best = beams[-1][0]
            self.trace.finished(best.serial, best.score + best.future)
        return beams[-1]

    def start(self) -> Hypothesis:
        """Nothing yet, and the whole bag."""
        future = 0.0
        for count, cost in zip(self.bag.counts, self.bag.costs, strict=True):
            future += count * cost
        return Hypothesis(0, 0.0, future, self.bag.counts, self.model.known_end((START_ID,)))

    def expand(self, beams: Sequence[Sequence[Hypothesis]], last: bool) -> list[Candidate]:
        """Every successor that belongs in the next beam, scored, in the order of their making."""
        if self.trace is not None:
            self.trace.step(len(beams))
        agenda = []
        for length in sorted(set(self.bag.lengths), reverse=True):
            for parent in beams[-length] if length <= len(beams) else ():
                agenda += [self.candidate(parent, i, last) for i in self.possible(parent, length)]
                self._trace_forbidden(parent, length)
        return agenda

    def possible(self, parent: Hypothesis, length: int) -> list[int]:
        """The items of so many words that may come next."""
        return [
            item
            for item, kind in enumerate(self.bag.kinds)
            if self.bag.lengths[item] == length
            and parent.left[kind]
            and not self.must_wait(kind, parent.left)
        ]

    def candidate(self, parent: Hypothesis, item: int, last: bool) -> Candidate:
        """The successor with an item behind the parent, scored."""
        self.serial += 1
        score = self.score(parent, self.bag.tokens[item], last)
        future = parent.future - self.bag.costs[self.bag.kinds[item]]
        if self.trace is not None:
            name = self.bag.names[item]
            self.trace.candidate(self.serial, parent.serial, name, score + future)
        return Candidate(score + future, self.serial, score, future, parent, item)

    def must_wait(self, kind: int, left: Sequence[int]) -> bool:
        """Whether something is left over that comes before this kind."""
        return any(left[earlier] for earlier in self.bag.earlier[kind])

    def score(self, parent: Hypothesis, tokens: Sequence[int], last: bool) -> float:
        """The log-probability with these words behind the parent's, at the end with ``</s>``."""
        score, context = parent.score, list(parent.history)
        for word in tokens:
            score += self.model.log_prob(context, word)
            context.append(word)
        if last:
            score += self.model.log_prob(context, END_ID)
        return score

    def best_of(self, agenda: Sequence[Candidate], recombine: bool) -> list[Hypothesis]:
        """The next beam, best first."""
        ranked = sorted(agenda, key=lambda candidate: (-candidate.total, candidate.serial))
        beam: list[Hypothesis] = []
        seen: set[tuple[tuple[int, ...], tuple[int, ...]]] = set()
        twins: set[int] = set()
        for candidate in ranked:
            if len(beam) == self.beam:
                break
            hypothesis = self.build(candidate)
            future = (hypothesis.left, hypothesis.history)
            if recombine and future in seen:
                twins.add(candidate.serial)
                continue
            seen.add(future)
            beam.append(hypothesis)
        self.recombined += len(twins)
        self._trace_fates(agenda, beam, twins)
        return beam

    def build(self, candidate: Candidate) -> Hypothesis:
        """The hypothesis that a candidate stands for."""
        parent, kind = candidate.parent, self.bag.kinds[candidate.item]
        left = list(parent.left)
        left[kind] -= 1
        history = self.model.known_end((*parent.history, *self.bag.tokens[candidate.item]))
        score, future = candidate.score, candidate.future
        return Hypothesis(
            candidate.serial, score, future, tuple(left), history, candidate.item, parent
        )

    @property
    def counters(self) -> dict[str, int]:
        """How much work it was."""
        made = {"states": self.expanded, "candidates": self.serial}
        return {"steps": self.bag.words, **made, "recombined": self.recombined}

    def _trace_forbidden(self, parent: Hypothesis, length: int) -> None:
        if self.trace is None or not self.problem.given.anything:
            return
        for item, kind in enumerate(self.bag.kinds):
            if self.bag.lengths[item] != length or not parent.left[kind]:
                continue
            if reason := why_not(self.bag, self.problem, kind, parent.left):
                self.trace.forbidden(parent.serial, self.bag.names[item], reason)

    def _trace_fates(
        self, agenda: Sequence[Candidate], beam: Sequence[Hypothesis], twins: set[int]
    ) -> None:
        if self.trace is None:
            return
        for rank, hypothesis in enumerate(beam):
            self.trace.kept(hypothesis.serial, rank)
        kept = {hypothesis.serial for hypothesis in beam}
        last = beam[-1].score + beam[-1].future if beam else 0.0
        for candidate in agenda:
            if candidate.serial in twins:
                self.trace.pruned(candidate.serial, "recombined")
            elif candidate.serial not in kept:
                self.trace.cut(candidate.serial, last - candidate.total)
