"""What becomes complete where pieces of an output meet: n-grams, and n-gram losses.

Cohn & Lapata (2009), section 3.4. A piece is known by the n-1 words at its left and right edge (one
list where it is shorter). A word is scored as soon as n-1 words are before it; the first n-1 words
of a piece wait, and for them the unigram model stands in where pieces are compared.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from wordorder_lab.models.ngram import NGramModel
from wordorder_lab.transduction.losses import END, START, Loss
from wordorder_lab.transduction.problem import TransductionProblem, local_ngrams

MATCHED, MISSED = 0, 1
"""The arguments of the n-gram loss: true and false positives."""


class Piece(Protocol):
    """A piece of an output: its first and last words as local numbers, ``width`` at most."""

    @property
    def left(self) -> tuple[int, ...]:
        """The first words."""

    @property
    def right(self) -> tuple[int, ...]:
        """The last words."""


class Joined(NamedTuple):
    """The edges of what was put together, the log-probability of the words scored on the way, and
    where a loss counts them their n-grams in and not in the reference."""

    left: tuple[int, ...]
    right: tuple[int, ...]
    gain: float
    matched: int
    missed: int


class BoundaryNGrams:
    """The n-grams of one source tree; its words have local numbers, in the order of the problem.
    ``width`` is how many words an edge has: n - 1, or more where a loss looks further."""

    def __init__(self, problem: TransductionProblem, ngrams: NGramModel, loss: Loss | None) -> None:
        self.numbers = {word: i for i, word in enumerate(problem.words)}
        self.start, self.end = len(self.numbers), len(self.numbers) + 1
        self.reach = len(ngrams.sizes) - 1
        self.width = max(self.reach, loss.reach if loss else 0)
        self.reference = self._reference(loss) if loss and loss.reach else None
        known = local_ngrams(problem, ngrams)
        self.ids: list[int] = known.words.tolist()
        self.children: list[list[int]] = known.children.tolist()
        self.log_probs: list[float] = known.log_probs.tolist()
        self.back_offs: list[float] = known.back_offs.tolist()

    def _reference(self, loss: Loss) -> frozenset[tuple[int, ...]]:
        """The n-grams of the reference in local numbers; those of other words cannot be made."""
        known = self.numbers | {START[0]: self.start, END[0]: self.end}
        numbered = (tuple(known.get(word, -1) for word in ngram) for ngram in loss.ngrams)
        return frozenset(ngram for ngram in numbered if -1 not in ngram)

    def unigram_score(self, words: Sequence[int]) -> float:
        """Their log-probability without context, added from left to right."""
        total = 0.0
        for word in words:
            total += self.log_probs[self.ids[word]]
        return total

    def joined(self, frontier: Sequence[str | int], parts: Sequence[Piece]) -> Joined:
        """A frontier with its variables filled; ``boundary-ngrams`` and ``merge-ngram-context``."""
        run = _Run(self, ())
        for sign in frontier:
            if isinstance(sign, str):
                run.word(self.numbers[sign])
            else:
                run.piece(parts[sign - 1])
        return run.result()

    def ended(self, piece: Piece) -> Joined:
        """A whole output between its artificial start and end."""
        run = _Run(self, (self.start,) * self.width)
        run.waiting = False
        run.piece(piece)
        run.word(self.end)
        return run.result()

    def log_prob(self, before: Sequence[int], word: int) -> float:
        """log p(word | the words before it), in local numbers, added as ``NGramModel`` adds it."""
        total, last = 0.0, self.ids[word]
        context = [self.ids[near] for near in before[len(before) - self.reach :]]
        while context:
            node = context[0]
            for near in context[1:]:
                node = self.children[node][near] if node >= 0 else -1
            if node >= 0:
                if (found := self.children[node][last]) >= 0:
                    return total + self.log_probs[found]
                total += self.back_offs[node]
            del context[0]
        return total + self.log_probs[last]


class _Run:
    def __init__(self, boundaries: BoundaryNGrams, recent: tuple[int, ...]) -> None:
        self.boundaries, self.recent = boundaries, recent
        self.left: tuple[int, ...] = ()
        self.waiting = boundaries.width > 0
        self.gain, self.counts = 0.0, [0, 0]

    def word(self, word: int) -> None:
        if self.waiting:
            self.left += (word,)
            self.waiting = len(self.left) < self.boundaries.width
        else:
            self.gain += self.boundaries.log_prob(self.recent, word)
            self._count(word)
        self.recent = (
            (*self.recent, word)[-self.boundaries.width :] if self.boundaries.width else ()
        )

    def piece(self, piece: Piece) -> None:
        for word in piece.left:
            self.word(word)
        if len(piece.left) == self.boundaries.width:
            self.recent = piece.right

    def _count(self, word: int) -> None:
        if self.boundaries.reference is not None:
            first = 2 if word == self.boundaries.end else 1
            for n in range(first, 4):
                ngram = (*self.recent[len(self.recent) - n + 1 :], word)
                self.counts[MATCHED if ngram in self.boundaries.reference else MISSED] += 1

    def result(self) -> Joined:
        return Joined(self.left, self.recent, self.gain, *self.counts)
