"""A measure of one's own: how often the first word of a sentence comes out first."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import wordorder_lab as wl


@dataclass(frozen=True)
class FirstWords(wl.Measure):
    def rows_of(
        self,
        run: Mapping[str, Any],
        sentences: Sequence[wl.Sentence],
        held_out: Sequence[wl.Sentence],
    ) -> list[dict[str, Any]]:
        settings = {name: run[name] for name in ("suffix",) if name in run}
        model = wl.train(run["system"], sentences, progress=False, **settings)
        done = wl.evaluate(model, held_out)
        pairs = zip(done.outputs, done.references, strict=True)
        right = [output.split()[0] == reference.split()[0] for output, reference in pairs]
        return [{**run, "first_words": right.count(True) / len(right)}]


MEASURE = FirstWords("first-words")
