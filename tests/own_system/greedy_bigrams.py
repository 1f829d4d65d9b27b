"""Greedy bigrams: of the words left over, the next is the one that most often came after the last.

It learns by counting which word followed which, and orders without ever taking a step back.
"""

# part settings
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import log1p
from typing import Any

import numpy as np

import wordorder_lab as wl

BORDER = ""  # stands before the first word


@dataclass(frozen=True)
class Settings:
    suffix: int = 0  # letters at the end of a word that are counted, too; 0: none

    def check(self) -> None:
        if self.suffix < 0:
            raise ValueError(f"suffix is a number of letters, not {self.suffix}")


# part features
def features(one: str, two: str, suffix: int) -> list[str]:
    """What is counted of two words when the second follows the first."""
    found = [f"{one} {two}"]
    if suffix:  # a feature of one's own
        found.append(f"-{one[-suffix:]} -{two[-suffix:]}")
    return found


# part model
@dataclass(repr=False)
class GreedyModel(wl.OwnModel):
    SYSTEMS = ("greedy-bigrams",)
    READS_TAGS = False  # so that equal words are one type, and each type has one item
    counts: Mapping[str, int]

    def score(self, one: str, two: str) -> float:
        score = 0.0
        for feature in features(one, two, self.settings["suffix"]):
            score += log1p(self.counts.get(feature, 0))
        return score

    def search(
        self, problem: wl.OrderingProblem, *, k: int, engine: str, trace: Any, **search: Any
    ) -> list[wl.Found]:
        left, items = list(problem.counts), problem.items
        order: list[int] = []
        total, serial, state, last = 0.0, 0, 0, BORDER
        if trace is not None:
            trace.begin([item.form for item in items], left.copy(), len(items), 1)
        for step in range(1, problem.size + 1):
            if trace is not None:
                trace.step(step)
            made = []
            for i in (i for i, item in enumerate(items) if left[item.type]):
                serial += 1
                made.append((total + self.score(last, items[i].unit[0]), -serial, i))
                if trace is not None:
                    trace.candidate(serial, state, f"SHIFT-{items[i].form}-", made[-1][0])
            total, minus, best = max(made)  # of equal ones, the one that was made first
            state, last = -minus, items[best].unit[-1]
            left[items[best].type] -= 1
            order.append(best)
            if trace is not None:
                trace.kept(state, 0)
                for score, minus, _ in made:
                    if -minus != state:
                        trace.cut(-minus, total - score)
        if trace is not None:
            trace.finished(state, total)
        return [wl.Found(total, order, {"steps": problem.size, "candidates": serial})]

    # part file
    WHOLE = "values"

    def header(self) -> dict[str, Any]:
        return {**super().header(), "features": list(self.counts)}

    def arrays(self) -> dict[str, np.ndarray]:
        return {"values": np.array(list(self.counts.values()), dtype=np.int64)}

    @classmethod
    def of_parts(cls, header: Mapping[str, Any], arrays: Mapping[str, np.ndarray]) -> "GreedyModel":
        dictionary = wl.TagDictionary.from_entries(header["dictionary"])
        counts = dict(zip(header["features"], arrays["values"].tolist(), strict=True))
        return cls(dictionary, counts, settings=header["settings"])


# part learn
def learn(
    sentences: Sequence[wl.Sentence], settings: Settings, *, engine: str, trace: Any
) -> Iterator[GreedyModel]:
    """Count once: there is one epoch."""
    counts: Counter[str] = Counter()
    for sentence in sentences:
        for one, two in pairwise((BORDER, *sentence.surface)):
            counts.update(features(one, two, settings.suffix))
    yield GreedyModel(wl.TagDictionary.of(sentences), dict(sorted(counts.items())))


SYSTEM = wl.System("Greedy bigrams", Settings, learn, GreedyModel)
