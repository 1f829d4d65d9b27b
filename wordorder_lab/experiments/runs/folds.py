"""Rows of several folds as one row: sums of what was counted, sentence by sentence.

Nothing is a mean of scores: BLEU, brevity and every other ratio is that of all sentences together,
from what each sentence adds to it, which rows have kept. Seconds and numbers of updates add up over
the trainings; shares and times of a sentence are weighted by the sentences. All else that a row
says is the same in each fold, and tells one row from another.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from wordorder_lab.experiments.runs import settings
from wordorder_lab.experiments.runs.corpora import folds_of
from wordorder_lab.experiments.runs.ordering_evaluate import DIGITS
from wordorder_lab.experiments.runs.outputs import OUTPUTS, packed_lines, unpacked_lines
from wordorder_lab.experiments.runs.schema import Row, Table
from wordorder_lab.metrics.bleu import corpus_bleu
from wordorder_lab.metrics.significance import (
    BLEU,
    BREVITY,
    SENTENCE_SCORES,
    Kept,
    kept_like,
    pooled_interval,
    score_of_sentences,
    table_of,
)

ADDED = ("sentences", "training_seconds", "epoch_seconds", "trained_sentences")
ADDED_PREFIXES = ("updates_", "sentences_")
BY_SENTENCE = tuple(
    """
    exact_match timeouts no_goal spanning expansions_per_sentence edges_per_sentence
    ms_per_sentence
    """.split()
)
INTERVAL = "bleu_cased_interval"
SCORED = (BLEU, INTERVAL, "bleu_13a_lc", BREVITY, "category_precision")
CARRIED = (SENTENCE_SCORES, OUTPUTS, "stopped", "by_length")


class HeldOut(NamedTuple):
    """The sentences of all folds: ``order`` brings them, fold after fold, into the order of the
    corpus; ``references`` are their texts in that order."""

    order: tuple[int, ...]
    references: tuple[str, ...]


def held_out(run: Table, number: int, cut: Callable[[Sequence[int]], Sequence[int]]) -> HeldOut:
    """What the folds of a run's corpus were scored on; ``cut`` leaves some of each fold away."""
    folds = folds_of(run["corpus"], run["units"], number)
    places = [place for fold in range(number) for place in cut(folds.places(fold))]
    order = sorted(range(len(places)), key=places.__getitem__)
    return HeldOut(tuple(order), tuple(folds.sentences[places[i]].text for i in order))


def joined(parts: Sequence[Sequence[Row]], of: HeldOut) -> list[Row]:
    """The rows of one run, of which each fold has made its own; those of a length, say, that no
    sentence of a fold has are missing there."""
    longest = max(parts, key=len)
    groups: dict[str, list[Row]] = {_key(row): [] for row in longest}
    for row in (row for part in parts for row in part):
        groups.setdefault(_key(row), []).append(row)
    return [_joined(rows, of) for rows in groups.values()]


def _key(row: Row) -> str:
    aside = (*ADDED, *BY_SENTENCE, *SCORED, *CARRIED, settings.FOLD)
    tells = {k: v for k, v in row.items() if k not in aside and not k.startswith(ADDED_PREFIXES)}
    return json.dumps(tells, sort_keys=True, default=str)


def _joined(rows: Sequence[Row], of: HeldOut) -> Row:
    sentences = [row["sentences"] for row in rows]
    whole = sum(sentences) == len(of.order)
    found = {k: v for k, v in rows[0].items() if k not in (settings.FOLD, *CARRIED)}
    for name, value in found.items():
        values: list[Any] = [row.get(name) for row in rows]
        if name in ADDED or name.startswith(ADDED_PREFIXES):
            total = sum(values)
            found[name] = round(total, 2) if isinstance(value, float) else total
        elif name in BY_SENTENCE:
            found[name] = round(float(np.average(values, weights=sentences)), DIGITS)
    kept = [row[SENTENCE_SCORES] for row in rows]
    scores = {
        name: [
            _behind([one[name][i] for one in kept], of.order if whole else ())
            for i in range(len(kept[0][name]))
        ]
        for name in kept[0]
    }
    again = _scores_of(found, scores)
    found = {k: v for k, v in found.items() if k not in SCORED} | again
    if all(OUTPUTS in row for row in rows):
        outputs = [_lines([row[OUTPUTS][i] for row in rows]) for i in range(len(rows[0][OUTPUTS]))]
        outputs = [[lines[i] for i in of.order] for lines in outputs] if whole else outputs
        found[OUTPUTS] = [packed_lines(lines) for lines in outputs]
        if whole and "bleu_13a_lc" in rows[0]:
            lower = [corpus_bleu(lines, of.references, "13a_lc").score for lines in outputs]
            found["bleu_13a_lc"] = round(float(np.mean(lower)), DIGITS)
    return {**found, SENTENCE_SCORES: scores}


def _lines(parts: Sequence[str]) -> list[str]:
    return [line for part in parts for line in unpacked_lines(part)]


def _behind(parts: Sequence[Kept], order: Sequence[int]) -> Kept:
    """What one quantity kept in each fold, one fold behind the other or in this order."""
    every = np.vstack([table_of(part) for part in parts])
    return kept_like(parts[0], every[list(order)] if order else every)


def _scores_of(row: Table, scores: Mapping[str, Sequence[Kept]]) -> Row:
    """Every score of the row that follows from what its sentences kept, means over orderings."""
    tables = {name: [table_of(kept) for kept in several] for name, several in scores.items()}
    if BLEU in tables:
        tables[BREVITY] = [table[:, :2] for table in tables[BLEU]]
    found: Row = {
        name: round(float(np.mean([score_of_sentences(table) for table in several])), DIGITS)
        for name, several in tables.items()
    }
    if INTERVAL in row:
        interval = pooled_interval(tables[BLEU])
        found[INTERVAL] = [round(end, DIGITS) for end in (interval.low, interval.high)]
    return {name: value for name, value in found.items() if name in row}


# --- what is reported apart -----------------------------------------------------------------------


def part_of(record: Table, name: str) -> Row:
    """The record of a part of its sentences that is reported apart (``Folds.described``), as far as
    rows have kept all sentences; the scores of others are none."""
    rows, scores = record["rows"], []
    for row, kept in zip(rows, record[SENTENCE_SCORES]):
        folds = record["folds"][f"{row['corpus']}, {row['units']}"]
        places, every = folds["apart"].get(name), sum(folds["sentences"])
        whole = places is not None and kept is not None and row.get("sentences") == every
        scores.append(_between(kept, *places) if whole else None)
    return {**record, SENTENCE_SCORES: scores}


def _between(scores: Mapping[str, Sequence[Kept]], begin: int, end: int) -> Row:
    return {
        name: [kept_like(one, table_of(one)[begin:end]) for one in several]
        for name, several in scores.items()
    }


def apart_in(record: Table) -> list[str]:
    """What is reported apart in a record: ``["section 00"]``."""
    return list(
        dict.fromkeys(name for one in record.get("folds", {}).values() for name in one["apart"])
    )


def rows_apart(record: Table) -> list[Row]:
    """BLEU of each part that is reported apart, with the place of its row."""
    found = []
    for name in apart_in(record):
        for place, scores in enumerate(part_of(record, name)[SENTENCE_SCORES]):
            if scores is None or BLEU not in scores:
                continue
            tables = [table_of(kept) for kept in scores[BLEU]]
            row = {"row": place, "part": name, "sentences": len(tables[0]), INTERVAL: ()}
            found.append({**row, **_scores_of({**row, BLEU: None}, scores)})
    return found
