"""The measure "best-epoch": the dev split chooses the epoch, and its model orders the test split.

Zhang & Clark (2015), section 5.1: a training has as many iterations as score best on the
development set, there and in the final test. A run has a row after every epoch, on dev; one for
each length of sentence, and one for all, on its own split.

Differences. The paper chooses within one curve by eye. Here it is the first epoch with the highest
BLEU. It also says why CCG falls behind, that fewer bags get one derivation over all words; the rows
by length say where.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from wordorder_lab.experiments import records
from wordorder_lab.experiments.conditions import comparisons, packed
from wordorder_lab.experiments.evaluate import Evaluation, random_order
from wordorder_lab.experiments.learning_tables import best_epoch
from wordorder_lab.experiments.row_scores import DIGITS, score, scores_of
from wordorder_lab.experiments.run_settings import DEV, FLOOR
from wordorder_lab.experiments.trained import train_run
from wordorder_lab.metrics.ordering import by_length, share_of
from wordorder_lab.metrics.pooled import bootstrap_signature, sentence_counts
from wordorder_lab.structures.sentence import Sentence
from wordorder_lab.systems.ordering_model import OrderingModel
from wordorder_lab.systems.training_run import Moment

LENGTHS = ((1, 10), (11, 20), (21, 30))
"""Words of the reference; the last bin grows to the longest sentence."""
ALL = "all"
COUNTS = "counts"
"""What BLEU counted in each sentence, for the comparisons; a finished record does not have it."""
FROM_TRAINING = ("training_seconds", "epoch_seconds")

Row = dict[str, Any]


class Chosen(NamedTuple):
    """A model, its row on dev, and the rows of every epoch."""

    model: OrderingModel
    row: Mapping[str, Any]
    rows: list[Row]


def run_best_epoch(
    cut: Callable[[Sequence[Sentence]], Sequence[Sentence]], run: Mapping[str, Any]
) -> list[Row]:
    """The rows of one run; the last is that of all sentences of its split.

    Raises ``ValueError`` as training and ``evaluate`` do.
    """
    corpus = records.corpus_of(run["corpus"], run["units"])
    held_out = cut(corpus.split(run["split"]))
    if run["system"] == FLOOR:
        shown = {name: run[name] for name in ("system", "corpus", "split", "units")}
        return [{**shown, **_of_all(random_order(held_out, seed=run.get("seed", 1)))}]
    model, best, rows = choose(run, cut(corpus.train), cut(corpus.split(DEV)))
    done = score(model, held_out, run)
    own = {**run, "epoch": best["epoch"], "dev_bleu_cased": best["bleu_cased"]}
    own["trained_sentences"] = model.settings["sentences"]
    last = {**own, **_of_all(done), **{name: best[name] for name in FROM_TRAINING}}
    return [*rows, *({**own, **row} for row in _by_length(done)), last]


def choose(
    run: Mapping[str, Any], sentences: Sequence[Sentence], dev: Sequence[Sentence]
) -> Chosen:
    """Train on ``sentences`` and keep the model of the epoch that is best on ``dev``."""
    rows: list[Row] = []
    kept: list[OrderingModel] = []

    def after(numbers: dict[str, Any], moment: Moment) -> None:
        model = moment()
        scores = scores_of(score(model, dev, run))
        rows.append({**run, "split": DEV, "length": ALL, **scores, **numbers})
        if best_epoch(rows) is rows[-1]:
            kept[:] = [model]

    train_run(run, sentences, after)
    return Chosen(kept[0], best_epoch(rows), rows)


def _of_all(done: Evaluation) -> Row:
    counts = packed(sentence_counts(done.outputs, done.references))
    spanning = done.scores.spanning
    found = {} if spanning is None else {"spanning": round(spanning, DIGITS)}
    return {"length": ALL, **scores_of(done, interval=True), **found, COUNTS: counts}


def _by_length(done: Evaluation) -> list[Row]:
    """A row for each bin that has sentences."""
    lengths = [len(reference.split()) for reference in done.references]
    rows: list[Row] = []
    for one in by_length(done.outputs, done.references, LENGTHS):
        if one.bleu_cased is None or one.brevity is None:
            continue
        inside = [w for w, n in zip(done.whole, lengths, strict=True) if one.low <= n <= one.high]
        scores = {"bleu_cased": one.bleu_cased, "brevity": one.brevity}
        scores["spanning"] = share_of(inside, one.sentences)
        rounded = {name: round(value, DIGITS) for name, value in scores.items()}
        rows.append({"length": f"{one.low}-{one.high}", "sentences": one.sentences, **rounded})
    return rows


def finish_best_epoch(record: dict[str, Any]) -> None:
    """Compare every two systems on the split where each has its chosen epoch."""
    last = [row for row in record["rows"] if COUNTS in row]
    groups = [({"system": row["system"]}, [row]) for row in last if row["system"] != FLOOR]
    record["comparisons"] = list(comparisons(groups))
    for row in last:
        del row[COUNTS]
    record["signatures"]["comparisons"] = bootstrap_signature()
