"""What beta does to a search, measured on some sentences, and as a picture with a stop a beta."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from wordorder_lab.check.nb_13_supertagging.many_categories import bag_with_chances, of_dictionary
from wordorder_lab.experiments.records import read_record, record_file
from wordorder_lab.experiments.report import table as record_table
from wordorder_lab.experiments.runs.evaluate import evaluate
from wordorder_lab.plots.lines import Panel, panels
from wordorder_lab.plots.step_by_step import StepByStep, step_by_step
from wordorder_lab.structures.bag import bag_of
from wordorder_lab.structures.sentence import Sentence

DICTIONARY = "dictionary"
MEASURED = {
    "edges": "edges made, a sentence",
    "pops": "expansions, a sentence",
    "bleu": "BLEU",
    "right": "right categories",
}
"""What is drawn, and how it is called."""


def measured(
    model: Any, sentences: Sequence[Sentence], betas: Sequence[float], **search: Any
) -> dict[str, dict[str, float]]:
    """By setting: categories a word, and what ``MEASURED`` has, with this limit of the search.

    The model has a supertagger (``with_tagger``). Raises ``ValueError`` as ``evaluate``.
    """
    rows = {DICTIONARY: _measured(model, sentences, None, search)}
    for beta in betas:
        rows[f"β = {beta:g}"] = _measured(model, sentences, beta, search)
    return rows


def _measured(
    model: Any, sentences: Sequence[Sentence], beta: float | None, search: Mapping[str, Any]
) -> dict[str, float]:
    name = DICTIONARY if beta is None else f"beta={beta:g}"
    run = evaluate(model, sentences, categories=name, **search)
    edges = numbers = words = 0
    for sentence in sentences:
        if beta is None:
            bag = bag_of(sentence)
            numbers += sum(map(len, of_dictionary(model.tagger, sentence)))
        else:
            bag = bag_with_chances(sentence, model.tagger, beta)
            numbers += sum(map(len, bag.chances))
        edges += model.order(bag, **search).counters["edges"]
        words += len(sentence)
    return {
        "categories": numbers / words,
        "edges": edges / len(sentences),
        "pops": run.expansions or 0.0,
        "whole": run.scores.spanning or 0.0,
        "bleu": run.scores.bleu_cased,
        "right": run.scores.category_precision or 0.0,
    }


def by_beta(rows: Mapping[str, Mapping[str, float]]) -> StepByStep:
    """A stop for each setting: the four curves over categories a word, and where it stands."""
    pages: dict[str, tuple[str, Any]] = {}
    for name, row in rows.items():
        says = (
            f"{row['categories']:.1f} categories a word: {row['edges']:,.0f} edges, "
            f"{row['pops']:.0f} expansions, BLEU {row['bleu']:.1f}, {row['right']:.0%} of the "
            f"categories right, {row['whole']:.0%} of the searches find a whole sentence"
        )
        pages[name] = says, panels(*_panels(rows, row["categories"]), size=(9.4, 2.5))
    return step_by_step(pages, "What beta does to the search")


def _panels(rows: Mapping[str, Mapping[str, float]], here: float) -> list[Panel]:
    of_tagger = [row for name, row in rows.items() if name != DICTIONARY]
    plain = rows[DICTIONARY]
    drawn = []
    for key, label in MEASURED.items():
        curves = {
            "supertagger": {row["categories"]: row[key] for row in of_tagger},
            DICTIONARY: {plain["categories"]: plain[key]},
        }
        percent = "y" if key == "right" else ""
        top = 1.1 * max(row[key] for row in rows.values())
        how: dict[str, Any] = {"percent": percent, "low": 0, "high": top or 1}
        how["marks"] = {"this one": here}
        drawn.append(Panel(curves, "categories a word", title=label, **how))
    return drawn


def recorded(name: str) -> str:
    """The record of an experiment as text, or how to make it."""
    if record_file(name).is_file():
        return record_table(read_record(record_file(name)))
    return f"{name} has no record here: wordorder-lab reproduce {name}"
