"""k-best MIRA: the learner of which words stay.

McDonald (2006), as we remember it, after Crammer & Singer (2003) and McDonald, Crammer & Pereira
(2005). For each training sentence x with its compression y:

    find the k best compressions y1 .. yk under the weights w
    take the weights nearest to w under which y is ahead of each of them
        by its loss: s(x, y) - s(x, yi) >= L(y, yi)
    L(y, yi) is the number of words that yi keeps and y does not, or the other way round

and at the end the average of the weights after every sentence. The nearest weights are found by
Hildreth's method, one multiplier alpha for each of the k:

    each yi: a step of alpha in the direction f(y) - f(yi); b(i) = L(y, yi) - (s(y) - s(yi))
    while a constraint is broken by more than a little: take the worst one,
        change its alpha by what is missing over the square of the direction, not below 0
        take what that gains from what every other constraint lacks

Differences
- *Our reading*: the paper was not at hand. k is a setting, and so is ``C``, which bounds every
  alpha, for corpora in which several people shorten one sentence each in their way; infinite is
  McDonald's.
- *Our reading*: how near is near enough (``CLOSE``), and when to give up (``MOST_STEPS``).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from wordorder_lab.deletion.features import SentenceParts, bigram_scores
from wordorder_lab.deletion.lattice import Path, best_paths, path_score, tell
from wordorder_lab.structures.trace import Trace, UpdateStatistics

CLOSE = 1e-8
MOST_STEPS = 10_000
"""Of Hildreth's method: what a constraint may lack, and how many steps it takes at most."""


class Example(NamedTuple):
    """A training sentence: its parts, the places of the words that stay, and all its words."""

    parts: SentenceParts
    gold: tuple[int, ...]
    words: tuple[str, ...] = ()


class Engine(NamedTuple):
    """What a learner works with: the functions of one engine."""

    bigram_scores: Callable[[SentenceParts, np.ndarray], np.ndarray]
    best_paths: Callable[..., list[Path]]
    move: Callable[..., None]


@dataclass(frozen=True)
class MiraWeights:
    """Weights in learning, for checkpoints: ``w``, and ``u``, each step times its example."""

    w: np.ndarray
    u: np.ndarray
    examples: int

    def averaged(self) -> np.ndarray:
        """The mean of the weights after every example."""
        averages: np.ndarray = self.w - self.u / max(self.examples, 1)
        return averages

    def arrays(self) -> dict[str, np.ndarray]:
        """The arrays of a checkpoint file."""
        return {"w": self.w, "u": self.u}


class Mira:
    """The learner: each example is compared with its ``k`` best compressions, none of which moves
    more than ``C``. ``statistics`` is what the last one came to."""

    def __init__(
        self, examples: Sequence[Example], features: int, k: int, C: float, engine: Engine
    ) -> None:
        self.examples, self.k, self.C, self.engine = examples, k, C, engine
        self.weights = MiraWeights(np.zeros(features), np.zeros(features), 0)
        self.statistics = UpdateStatistics()

    def learn(self, order: Sequence[int], trace: Trace | None = None) -> None:
        """Learn the examples with these numbers, in this order."""
        for i in order:
            self._learn_one(self.examples[i], trace)

    def _learn_one(self, example: Example, trace: Trace | None) -> None:
        parts, gold, words = example
        if trace is not None:
            trace.begin(list(words), [1] * len(words), len(words), self.k)
        scores = self.engine.bigram_scores(parts, self.weights.w)
        found = self.engine.best_paths(scores, self.k, trace=trace)
        tell(found, trace, words)
        reached = path_score(scores, gold)
        margins = [reached - path.score for path in found]
        losses = [wrong_words(gold, path.kept) for path in found]
        self.statistics = UpdateStatistics(length=parts.words, prefix=parts.words - losses[0])
        missing = [loss - margin for loss, margin in zip(losses, margins, strict=True)]
        if max(missing) >= CLOSE:
            self.statistics.updated(margins[0])
            self.engine.move(parts, gold, [p.kept for p in found], missing, self.weights, self.C)
        self.weights = replace(self.weights, examples=self.weights.examples + 1)

    def raw(self) -> MiraWeights:
        """Everything learned so far."""
        return MiraWeights(self.weights.w.copy(), self.weights.u.copy(), self.weights.examples)

    def restore(self, raw: Any) -> None:
        """Go on from there."""
        self.weights = MiraWeights(raw.w.copy(), raw.u.copy(), raw.examples)


def wrong_words(gold: Sequence[int], kept: Sequence[int]) -> int:
    """The loss: how many words are kept and should not be, or the other way round."""
    return len(set(gold) ^ set(kept))


def move(
    parts: SentenceParts,
    gold: Sequence[int],
    outputs: Sequence[Sequence[int]],
    missing: Sequence[float],
    weights: MiraWeights,
    C: float,
) -> None:
    """Move ``weights.w`` so far that nothing is ``missing``; ``u`` gets ``examples`` times it. The
    gram matrix is of whole numbers, so that no order of additions matters in it."""
    right = Counter(parts.path(gold))
    ways = []
    for kept in outputs:
        difference = Counter(right)
        difference.subtract(parts.path(kept))
        ways.append({feature: count for feature, count in difference.items() if count})
    gram = [[float(_product(way, other)) for other in ways] for way in ways]
    for alpha, way in zip(hildreth(gram, missing, C), ways, strict=True):
        if alpha:
            for feature, count in way.items():
                step = alpha * float(count)
                weights.w[feature] += step
                weights.u[feature] += weights.examples * step


def _product(way: Mapping[int, int], other: Mapping[int, int]) -> int:
    total = 0
    for feature, count in way.items():
        total += count * other.get(feature, 0)
    return total


def hildreth(
    gram: Sequence[Sequence[float]], missing: Sequence[float], C: float = float("inf")
) -> list[float]:
    """The multiplier of each constraint, from 0 to C: the smallest step that gives what is missing.
    ``gram`` has the products of the constraints' directions."""
    size = len(missing)
    alphas, lacks = [0.0] * size, [float(one) for one in missing]
    for _ in range(MOST_STEPS):
        worst, most = -1, CLOSE
        for i in range(size):
            broken = _broken(alphas[i], lacks[i], C)
            if gram[i][i] > 0 and broken > most:
                worst, most = i, broken
        if worst < 0:
            break
        step = lacks[worst] / gram[worst][worst]
        reached = min(max(alphas[worst] + step, 0.0), C)
        step = reached - alphas[worst]
        alphas[worst] = reached
        for i in range(size):
            lacks[i] -= step * gram[i][worst]
    return alphas


def _broken(alpha: float, lack: float, C: float) -> float:
    """By how much a constraint is not as it has to be for the smallest step."""
    if alpha <= 0:
        return lack
    return -lack if alpha >= C else abs(lack)


REFERENCE = Engine(bigram_scores, best_paths, move)
"""The engine that is there to be read."""
