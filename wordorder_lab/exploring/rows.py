"""One row a sentence: what a model made of it, how good that is, and how its search went.

The columns of a system that orders words:

    number, name       of the sentence, from 1; where it comes from
    words              how many, phrases taken apart
    reference, output  the sentence, and what came out
    bleu, exact        sentence BLEU, 0 to 100 (cased); whether every word is in its place
    score, gold_score  the model's, of the output and of the gold structure where it can be built
    fault              of a wrong output: "search error" where gold scores more, "model error" where
                       it scores less, "tie", "unknown"; else "right" (``analysis/gold_score``)
    lost, fate         the step (of best-first search the pop) at which gold was lost, missing where
                       it won; how: "won", "cut", "outscored", "limit" (``analysis/gold_survival``)
    ended              how the search ended
    ms                 milliseconds of the search
    error, where       the kind of error, and the words that it is about (``errors``)
    doubts             what the model does not know of the output, as a sentence, or nothing
    bag, conllu        the bag as one types it, and as CoNLL-U

Of one that makes sentences shorter there are ``source``, ``relation_f1`` (0 to 1), ``rate`` and
``tree`` (the source in brackets) instead of what belongs to bags and to gold.

With two models what belongs to one of them has the end ``_a`` or ``_b``, and ``difference`` is the
measure of the second less that of the first.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, cast

from wordorder_lab.analysis.gold_score import Asked, judged
from wordorder_lab.analysis.gold_survival import moment_of_loss, ordered, with_gold
from wordorder_lab.corpora.readers.bag_conllu import bag_to_conllu
from wordorder_lab.experiments.runs.map_in_order import map_in_order, pieces
from wordorder_lab.experiments.runs.ordering_evaluate import as_in_training
from wordorder_lab.exploring.errors import compression_error, ordering_error
from wordorder_lab.metrics.bleu import sacrebleu_metric
from wordorder_lab.metrics.relations import relation_f1
from wordorder_lab.structures.arguments import checks_arguments
from wordorder_lab.structures.bag import WordBag
from wordorder_lab.structures.compression import CompressionPair, prepared, prepared_pair
from wordorder_lab.structures.messages import cited, listed
from wordorder_lab.structures.sentence import Sentence, as_sentences
from wordorder_lab.structures.typed_bag import type_bag
from wordorder_lab.systems.category_sources import task_of
from wordorder_lab.systems.model import TrainedModel, choose_engine
from wordorder_lab.systems.registry import names_of
from wordorder_lab.trace.log import EventLog

if TYPE_CHECKING:
    import pandas

OF_ORDERED = ("number", "name", "words", "reference", "bag", "conllu")
OF_SHORTENED = ("number", "name", "words", "source", "reference", "tree")
"""What belongs to a sentence, and not to what a model made of it."""
SUFFIXES = ("_a", "_b")
Item = Sentence | CompressionPair
Items = Sequence[Any]
"""Of either kind; what is none is refused by its number."""
Options = Mapping[str, Any]
Row = dict[str, object]
MOST_EVENTS = 400_000


@dataclass(frozen=True)
class Explored:
    """A model on its sentences: ``condition`` is how their bags are made, ``search`` how they are
    searched (with ``engine``), ``categories`` where words have them from, in CCG. ``heads`` are the
    units whose heads alone are given, by their words; ``None``: as ``condition`` says."""

    model: Any
    items: Sequence[Item]
    search: Options = field(default_factory=dict)
    condition: Options = field(default_factory=dict)
    categories: str | None = None
    heads: frozenset[str] | None = None

    @property
    def shortens(self) -> bool:
        """Whether the model makes sentences shorter."""
        return self.model.system in names_of("compress")

    def row(self, item: Item) -> Row:
        """The row of a sentence or pair."""
        if isinstance(item, CompressionPair):
            return {"name": item.name, **self._shortened(item)}
        return {"name": item.name, **self._ordered(item)}

    def bag(self, sentence: Sentence) -> WordBag:
        """The bag of a sentence under this condition."""
        bag = self._task(sentence)
        return bag if self.heads is None else with_heads(bag, self.heads)

    @cached_property
    def _task(self) -> Callable[[Sentence], WordBag]:
        return task_of(self.model, self.condition, {"categories": self.categories})[0]

    def _ordered(self, sentence: Sentence) -> Row:
        bag, seed = self.bag(sentence), self.condition["seed"]
        result, seconds, fate = ordered(self.model, bag, sentence, seed, **self.search)
        error = ordering_error(result.tree, sentence.tree)
        metric = sacrebleu_metric("cased", effective_order=True)
        is_right = result.text == sentence.text
        asked = Asked(sentence, bag, seed, self.search)
        gold, fault = judged(self.model, asked, is_right, result.is_whole, result.score)
        return {
            "words": len(sentence.surface),
            "reference": sentence.text,
            "output": result.text,
            "bleu": metric.sentence_score(result.text, [sentence.text]).score,
            "exact": is_right,
            "score": float(result.score),
            "gold_score": gold,
            "fault": fault,
            "lost": None if fate is None else fate.lost or None,
            "fate": "unknown" if fate is None else fate.how,
            "ended": result.stopped,
            "ms": 1000 * seconds,
            "error": error.kind,
            "where": error.where,
            "doubts": result.doubts,
            "bag": type_bag(bag),
            "conllu": bag_to_conllu(bag),
        }

    def _shortened(self, pair: CompressionPair) -> Row:
        began = time.perf_counter()
        result = self.model.compress(pair.source, **self.search)
        seconds = time.perf_counter() - began
        gold, output = prepared_pair(pair), prepared(result.tree)
        targets = [target.leaves() for target in gold.targets]
        error = compression_error(output.leaves(), targets)
        is_right, asked = output.leaves() in targets, Asked(pair, None, 0, self.search)
        gold_score, fault = judged(self.model, asked, is_right, True, result.score)
        return {
            "words": len(pair.source.leaves()),
            "source": " ".join(pair.source.leaves()),
            "reference": " ".join(pair.target.leaves()),
            "output": result.text,
            "relation_f1": relation_f1([output], [gold.targets]).by_sentence[0],
            "exact": is_right,
            "rate": result.rate,
            "score": float(result.score),
            "gold_score": gold_score,
            "fault": fault,
            "ended": "complete",
            "ms": 1000 * seconds,
            "error": error.kind,
            "where": error.where,
            "tree": " ".join(str(pair.source).split()),
        }

    def recorded(self, place: int) -> tuple[EventLog, int]:
        """The search on the sentence at this place once more, with its events and with gold; and
        the number of events after which gold is lost."""
        item, log = self.items[place], EventLog(max_events=MOST_EVENTS)
        if isinstance(item, CompressionPair):
            self.model.compress(item.source, trace=log, **self.search)
            return log, len(log)
        bag = self.bag(item)
        self.model.order(bag, trace=log, **self.search)
        log = with_gold(self.model, log, bag, item, self.condition["seed"])
        return log, moment_of_loss(log)


@checks_arguments
def explored(
    model: Any,
    items: Items,
    *,
    pos: float | None = None,
    deps: float | None = None,
    seed: int | None = None,
    engine: str | None = None,
    **search: Any,
) -> Explored:
    """A model with the sentences or pairs that it is to be looked at with. What is not given is as
    it was in training. Raises ``ValueError`` for no sentences, for pairs where sentences are wanted
    and the other way round, and as ``search_settings``."""
    shortens = model.system in names_of("compress")
    if not items:
        raise ValueError("there are no sentences to explore: give at least one")
    if not shortens and any(isinstance(item, str) for item in items):
        items = as_sentences(items)
    wanted = CompressionPair if shortens else Sentence
    for place, item in enumerate(items, 1):
        if not isinstance(item, wanted):
            what = "pairs of trees (wl.load_compressions)" if shortens else "corpus sentences"
            raise ValueError(
                f"{model.system} is explored on {what}, and number {place} is of the type "
                f"{type(item).__name__}"
            )
    options = {"engine": engine, **model.search_settings(**search)}
    condition = {} if shortens else as_in_training(model, pos=pos, deps=deps, seed=seed)
    categories = options.pop("categories", None)
    return Explored(model, cast("list[Item]", [*items]), options, condition, categories)


def rows_of(one: Explored, jobs: int = 1) -> list[Row]:
    """The rows of a model, in the order of its sentences; raises as ``order`` or ``compress``."""
    if choose_engine() == "fast":
        one.row(min(one.items, key=_words))  # compiles; forks have what it prepares
    work = partial(_rows, replace(one, model=None, items=()))
    some = pieces(one.items, max(jobs, 4))
    parts = map_in_order(work, some, jobs, f"exploring {one.model.system}", one.model)
    return [row for part in parts for row in part]


def _rows(one: Explored, model: TrainedModel, items: Sequence[Item]) -> list[Row]:
    ready = replace(one, model=model, items=items)
    return [ready.row(item) for item in items]


def _words(item: Item) -> int:
    return len(item.source.leaves()) if isinstance(item, CompressionPair) else len(item)


def with_heads(bag: WordBag, names: Iterable[str]) -> WordBag:
    """The bag with the heads of these units alone, named by their words. Raises ``ValueError`` for
    a bag whose heads are not known, and for a name that is no unit of it."""
    units = [" ".join(unit) for unit in bag.words]
    if bag.heads is None or all(head is None for head in bag.heads):
        raise ValueError("heads= is for a bag whose heads are known: [the board]/NP>1")
    for name in names:
        if name not in units:
            raise ValueError(f"no unit {cited(name)} in the bag; there are {listed(units)}")
    kept = [unit in names for unit in units]
    heads = [head if keep else None for head, keep in zip(bag.heads, kept, strict=True)]
    labels = bag.labels and [
        label if keep else None for label, keep in zip(bag.labels, kept, strict=True)
    ]
    return replace(bag, heads=heads, labels=labels)


def endings(models: int) -> Sequence[str]:
    """What ends the names of columns that belong to each of so many models."""
    return [""] if models == 1 else SUFFIXES


def frame_of(made: Sequence[Sequence[Row]], shortens: bool) -> pandas.DataFrame:
    """The rows of one model as a frame, or those of two side by side."""
    import pandas

    shared = OF_SHORTENED if shortens else OF_ORDERED
    columns: dict[str, list[object]] = {"number": [*range(1, len(made[0]) + 1)]}
    columns |= {name: [row[name] for row in made[0]] for name in shared[1:]}
    for end, rows in zip(endings(len(made)), made, strict=True):
        own = [name for name in rows[0] if name not in shared]
        columns |= {f"{name}{end}": [row[name] for row in rows] for name in own}
    frame = pandas.DataFrame(columns)
    for name in frame.columns:
        if name.removesuffix("_a").removesuffix("_b") in ("lost", "gold_score"):
            frame[name] = frame[name].astype("float64")
    if len(made) == 2:
        measure = "relation_f1" if shortens else "bleu"
        frame["difference"] = frame[f"{measure}_b"] - frame[f"{measure}_a"]
    return frame
