"""The measure "learning-curve": what more sentences to learn from are worth.

Each run is trained on every eighth sentence of its corpus, on every fourth, on every second and on
all: a smaller part lies within a larger one and comes from the same documents. Each model is scored
on the split with nothing given, with half of the tags and of the dependencies, and with all.
"""

from __future__ import annotations

from wordorder_lab.experiments.measures.conditions import Condition, measure, summary
from wordorder_lab.experiments.measures.measure import Measure, Sentences, without_epochs
from wordorder_lab.experiments.measures.tables import Record, Row, columns
from wordorder_lab.experiments.runs.outputs import OUTPUTS
from wordorder_lab.experiments.runs.settings import search_of
from wordorder_lab.experiments.runs.training import train_run
from wordorder_lab.metrics.significance import BLEU, SENTENCE_SCORES

STEPS = (8, 4, 2, 1)
"""Every eighth sentence, and so on."""
GIVEN = {"nothing": 0.0, "half": 0.5, "all": 1.0}
"""The share of tags and of dependencies that an input has."""


class _LearningCurve(Measure):
    """A row for each part that was learned from and each kind of input."""

    def rows_of(self, run: Record, sentences: Sentences, held_out: Sentences) -> list[Row]:
        return [row for step in STEPS for row in _scored(run, step, sentences[::step], held_out)]


def _scored(run: Record, step: int, some: Sentences, held_out: Sentences) -> list[Row]:
    last: Row = {}
    model = train_run(run, some, lambda numbers, _: last.update(numbers))
    first = {**without_epochs(run), "epoch": last["epoch"], "part": f"1/{step}"}
    first |= {"learned_from": len(some), "training_seconds": last["training_seconds"]}
    rows = []
    for given, share in GIVEN.items():
        asked = Condition(run["split"], share, share, run.get("seed", 1))
        done = measure(model, held_out, asked, **search_of(run))
        kept = {SENTENCE_SCORES: {BLEU: [{"counts": done["counts"]}]}, OUTPUTS: done[OUTPUTS]}
        rows.append({**first, **summary([done]), "given": given, **kept})
    return rows


MEASURES = (
    _LearningCurve(
        "learning-curve",
        report=(
            *columns("", "system"),
            *columns(",", ("learned from", "learned_from")),
            *columns("", "given"),
            *columns(".2f±", ("BLEU", "bleu_cased")),
            *columns(".3f", "brevity"),
            *columns(".1f", ("training s", "training_seconds")),
            *columns(".2f", ("ms", "ms_per_sentence")),
        ),
        bootstrapped=("bleu_cased_interval",),
    ),
)
