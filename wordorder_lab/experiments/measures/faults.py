"""The measure "faults": whose fault wrong sentences are, the search's or the model's.

Of each wrong output the model's score is compared with that of the gold structure
(``analysis/gold_score``): gold scores more, a search error; less, a model error; the same, a tie.
An output that was put together when the search was stopped counts as a search error.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from wordorder_lab.analysis.gold_score import FAULTS, Asked, judged
from wordorder_lab.experiments.measures import figures
from wordorder_lab.experiments.measures.figures import COLOURS
from wordorder_lab.experiments.measures.measure import OfTrained, Sentences
from wordorder_lab.experiments.measures.tables import Record, Row, Rows, columns
from wordorder_lab.experiments.runs.map_in_order import predictions
from wordorder_lab.experiments.runs.ordering_evaluate import USUAL, Evaluation, score, scores_of
from wordorder_lab.experiments.runs.settings import search_of
from wordorder_lab.experiments.runs.training import Trained
from wordorder_lab.metrics.ordering import LIU_2015_FIGURE_8_BINS
from wordorder_lab.structures.bag import WordBag
from wordorder_lab.structures.compression import CompressionPair
from wordorder_lab.structures.sentence import Sentence
from wordorder_lab.systems.category_sources import task_of

if TYPE_CHECKING:
    from wordorder_lab.experiments.runs.compression_evaluate import CompressionEvaluation

Item = Sentence | CompressionPair
ALL = "all"
COLUMNS = {fault: fault.replace(" ", "_") for fault in FAULTS}


def _fault_rows(trained: Trained, held_out: Sentences, run: Record) -> list[Row]:
    """A row for each length that a sentence has, and one for all, which has the scores as well."""
    done = score(trained.model, held_out, run)
    faults = faults_of(trained.model, held_out, done, search_of(run))
    *rows, last = faults_by_length(held_out, faults)
    return [*rows, {**last, **scores_of(done)}]


def faults_by_length(sentences: Sentences, faults: Sequence[str]) -> list[Row]:
    """How many sentences of each length are whose fault; last, of all lengths."""
    rows = by_length(lengths_of(sentences), faults)
    return [{COLUMNS.get(name, name): value for name, value in row.items()} for row in rows]


def _beam(row: Record) -> object:
    return row.get("decode_beam", row.get("beam"))


OF_FAULTS = (
    *columns("", "system", ("beam", _beam), ("words", "length")),
    *columns(",", "sentences", *COLUMNS.items()),
    *columns(".2f", ("BLEU", "bleu_cased")),
)


def _fault_bars(figure: figures.Figure, record: Record, _options: Record) -> None:
    """Shares of all sentences, a bar a run, cut into faults; BLEU stands above it."""
    axes = figure.subplots()
    rows = [row for row in record["rows"] if row["length"] == ALL]
    below = [0.0] * len(rows)
    for (fault, column), colour in zip(COLUMNS.items(), COLOURS):
        shares = [100 * row[column] / row["sentences"] for row in rows]
        if any(shares):
            axes.bar(range(len(rows)), shares, bottom=below, color=colour, label=fault)
        below = [low + share for low, share in zip(below, shares)]
    for place, row in enumerate(rows):
        axes.text(place, 101, f"{row['bleu_cased']:.1f}", ha="center", fontsize=8)
    names = [f"{row['system']}\nbeam {_beam(row)}" for row in rows]
    axes.set_xticks(range(len(rows)), names, fontsize=7, rotation=30, ha="right")
    axes.set(ylabel="% of the sentences (BLEU above)", ylim=(0, 108))
    above = {"ncols": len(FAULTS), "loc": "upper center", "bbox_to_anchor": (0.5, 1.12)}
    axes.legend(**figures.BARE_LEGEND, **above)
    figures.plain(axes, grid="")


MEASURES = (
    OfTrained(
        "faults",
        make=_fault_rows,
        report=OF_FAULTS,
        pictures={"faults": _fault_bars},
        usual={"length": (ALL,)},
        bootstrapped=(),
    ),
)


class _Output(NamedTuple):
    item: Item
    is_right: bool
    is_whole: bool
    score: float


def faults_of(
    model: object,
    items: Sequence[Item],
    done: Evaluation | CompressionEvaluation,
    search: Record,
    jobs: int = 1,
) -> list[str]:
    """One of ``FAULTS`` for each sentence or pair, of which ``done`` is the evaluation, and
    ``search`` how they were searched (with ``engine``). Raises ``ValueError`` where they are not as
    many as the outputs, and as ``map_in_order``."""
    bag, left, seed = None, dict(search), 0
    if isinstance(done, Evaluation):
        condition = {name: done.condition[name] for name in USUAL}
        bag, left = task_of(model, condition, search)
        seed = condition["seed"]
        right = [one == other for one, other in zip(done.outputs, done.references, strict=True)]
        wholes: Sequence[bool] = done.whole
    else:
        made = zip(done.outputs, done.pairs, strict=True)
        right = [tree.leaves() in [t.leaves() for t in pair.targets] for tree, pair in made]
        wholes = [True] * len(items)
    outputs = list(map(_Output, items, right, wholes, done.model_scores))
    if not len(outputs) == len(items) == len(done.outputs):
        raise ValueError(f"{len(items)} examples and {len(done.outputs)} outputs: give one each")
    work = partial(_fault, bag, seed, left)
    return predictions(
        work, model, outputs, jobs=jobs, what="scoring gold", size=lambda one: _words(one.item)
    )


def _fault(
    bag: Callable[[Sentence], WordBag] | None,
    seed: int,
    search: Record,
    model: object,
    one: _Output,
) -> str:
    ready = bag(one.item) if bag and isinstance(one.item, Sentence) else None
    asked = Asked(one.item, ready, seed, search)
    _, fault = judged(model, asked, one.is_right, one.is_whole, one.score)
    return fault


def _words(item: Item) -> int:
    return len(item.surface if isinstance(item, Sentence) else item.source.leaves())


def lengths_of(items: Iterable[Item]) -> list[int]:
    """The words of each sentence, phrases taken apart, or of the source of each pair."""
    return [_words(item) for item in items]


def by_length(words: Sequence[int], faults: Sequence[str]) -> list[Row]:
    """How many outputs are whose fault, for sentences of so many words, and in all (the last row).
    Lengths without a sentence are left out."""
    rows = []
    for low, high in (*LIU_2015_FIGURE_8_BINS, (0, max(words, default=0))):
        counts = Counter(fault for n, fault in zip(words, faults, strict=True) if low <= n <= high)
        if counts or not low:
            length = f"{low}-{high}" if low else ALL
            each = {fault: counts[fault] for fault in FAULTS}
            rows.append({"length": length, "sentences": counts.total(), **each})
    return rows


def fault_lines(rows: Rows) -> list[str]:
    """The same as a table to print."""
    heads = ("sentences", *FAULTS)
    lines = [f"{'words':<9}" + "".join(f"{name:>14}" for name in heads)]
    for row in rows:
        lines.append(f"{row['length']:<9}" + "".join(f"{row[name]:>14,}" for name in heads))
    return lines
