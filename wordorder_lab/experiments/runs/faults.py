"""Whose fault the outputs of an evaluation are: gold is scored, and nothing is searched again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from wordorder_lab.analysis.gold_score import FAULTS, Asked, judged
from wordorder_lab.experiments.runs.evaluate import USUAL, Evaluation
from wordorder_lab.experiments.runs.map_in_order import predictions
from wordorder_lab.experiments.runs.schema import Row, Table
from wordorder_lab.metrics.ordering import LIU_2015_FIGURE_8_BINS
from wordorder_lab.structures.bag import WordBag
from wordorder_lab.structures.sentence import Sentence
from wordorder_lab.systems.category_sources import task_of

if TYPE_CHECKING:  # it reads trees, and who orders words does not wait for them
    from wordorder_lab.experiments.runs.compression_evaluate import CompressionEvaluation

ALL = "all"


class _Output(NamedTuple):
    """One output: of which sentence or pair, and what the search said of it."""

    item: Any
    is_right: bool
    is_whole: bool
    score: float


def faults_of(
    model: Any,
    items: Sequence[Any],
    done: Evaluation | CompressionEvaluation,
    search: Table,
    jobs: int = 1,
) -> list[str]:
    """One of ``FAULTS`` for each sentence or pair; ``done`` and ``search`` (with ``engine``) are
    the evaluation of these items, and how they were searched.

    Raises ``ValueError`` where they are not as many as the outputs, and as ``map_in_order``.
    """
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
    return predictions(work, model, outputs, jobs=jobs, what="scoring gold", size=_size)


def _fault(
    bag: Callable[[Sentence], WordBag] | None, seed: int, search: Table, model: Any, one: _Output
) -> str:
    asked = Asked(one.item, bag(one.item) if bag else None, seed, search)
    _, fault = judged(model, asked, one.is_right, one.is_whole, one.score)
    return fault


def _size(one: _Output) -> int:
    return _words(one.item)


def _words(item: Any) -> int:
    return len(item.surface if isinstance(item, Sentence) else item.source.leaves())


def lengths_of(items: Iterable[Any]) -> list[int]:
    """The words of each sentence, phrases taken apart, or of the source of each pair."""
    return [_words(item) for item in items]


def by_length(words: Sequence[int], faults: Sequence[str]) -> list[Row]:
    """How many outputs are whose fault, for sentences of so many words, and in all (the last row).

    Lengths without a sentence are left out.
    """
    rows = []
    for low, high in (*LIU_2015_FIGURE_8_BINS, (0, max(words, default=0))):
        counts = Counter(fault for n, fault in zip(words, faults, strict=True) if low <= n <= high)
        length = f"{low}-{high}" if low else ALL
        if counts or not low:
            each = {fault: counts[fault] for fault in FAULTS}
            rows.append({"length": length, "sentences": counts.total(), **each})
    return rows


def fault_lines(rows: Sequence[Table]) -> list[str]:
    """The same as a table to print."""
    heads = ("sentences", *FAULTS)
    lines = [f"{'words':<9}" + "".join(f"{name:>14}" for name in heads)]
    for row in rows:
        lines.append(f"{row['length']:<9}" + "".join(f"{row[name]:>14,}" for name in heads))
    return lines
