"""A model that orders words on the sentences of a corpus: outputs, scores, how long it took."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from wordorder_lab.experiments.runs.map_in_order import predictions, timed
from wordorder_lab.experiments.runs.outputs import OUTPUTS, packed_lines
from wordorder_lab.experiments.runs.schema import Row, Table
from wordorder_lab.experiments.runs.settings import for_search, search_of
from wordorder_lab.metrics import ordering
from wordorder_lab.metrics.bleu import OF_ORDERINGS
from wordorder_lab.metrics.significance import SENTENCE_SCORES, of_counts, pooled_interval
from wordorder_lab.structures.arguments import checks_arguments
from wordorder_lab.structures.bag import WordBag, bag_of
from wordorder_lab.structures.sentence import Sentence, as_sentences
from wordorder_lab.systems.category_sources import task_of
from wordorder_lab.systems.model import OrderingModel, choose_engine

USUAL = {"pos": 1, "deps": 0, "seed": 1}
"""The settings of a model that does not say how it was trained."""
LIMITS = ("expansions", "seconds", "memory")
"""Why a search stopped, if it is a time-out: the name of a limit."""


class Ordered(NamedTuple):
    """One output: its text, the seconds it took, why the search ended.

    Of a search: its expansions and edges if known, and whether it found the output as a ``whole``
    (``None``: there was no search). In CCG ``pairs`` are units with their categories. ``score`` is
    the model's, if a model made it.
    """

    text: str
    seconds: float = 0.0
    stopped: str = "complete"
    expansions: int | None = None
    whole: bool | None = None
    pairs: ordering.Pairs = ()
    score: float | None = None
    edges: int | None = None


Counts = dict[str, np.ndarray]
"""Convention of BLEU -> what it counted, a row for each output (``metrics.bleu``)."""


@dataclass(frozen=True)
class Evaluation:
    """Outputs beside references, their scores, and the ``condition`` they were made under.

    ``counts`` is what BLEU, cased, counted in each sentence (``metrics.bleu.sentence_counts``).
    ``stopped`` counts why the searches ended; ``expansions`` and ``edges`` are how many there were
    a sentence, of systems that have them. ``whole`` says of each output whether it was found as a
    whole, ``model_scores`` what the model thought of it; both are empty where nothing was searched.
    In CCG ``categories`` are the matched and all categories of each output, (0, 0) for a sentence
    without a gold derivation.
    """

    condition: Row
    outputs: tuple[str, ...]
    references: tuple[str, ...]
    scores: ordering.OrderingScores
    counts: np.ndarray = field(compare=False, repr=False)
    stopped: Mapping[str, int] = field(default_factory=dict)
    expansions: float | None = None
    whole: tuple[bool, ...] = ()
    model_scores: tuple[float, ...] = ()
    categories: tuple[tuple[int, int], ...] = ()
    edges: float | None = None

    def interval(self) -> tuple[float, float]:
        """The ends of the 95 % interval of ``bleu_cased`` over the choice of sentences."""
        interval = pooled_interval([self.counts])
        return interval.low, interval.high

    def to_dict(self) -> Row:
        """Condition and scores as JSON-ready values."""
        ended: Row = {"stopped": dict(self.stopped)}
        if self.expansions is not None:
            ended["expansions_per_sentence"] = self.expansions
            if self.edges is not None:
                ended["edges_per_sentence"] = self.edges
            whole = self.stopped.get("complete", 0)
            ended["no_goal"] = 1 - whole / len(self.outputs)
        return {**self.condition, **self.scores.to_dict(), **ended}


def evaluate_orderings(
    model: OrderingModel,
    sentences: Sequence[Sentence | str | Sequence[str]],
    *,
    pos: float | None = None,
    deps: float | None = None,
    seed: int | None = None,
    engine: str | None = None,
    jobs: int = 1,
    **search: Any,
) -> Evaluation:
    """Order the bags of these sentences and score the outcome: ``evaluate`` of a model that orders
    words, whose arguments and errors these are."""
    sentences = as_sentences(sentences)
    condition = as_in_training(model, pos=pos, deps=deps, seed=seed)
    options = model.search_settings(**search)
    bag, left = task_of(model, condition, options)
    predict = partial(_order_sentence, bag, {"engine": engine, **left})
    bare = [Sentence(sentence.tokens, sentence.name) for sentence in sentences]  # these may travel
    if bare and choose_engine(engine) == "fast":
        predict(model, max(bare, key=len))  # buffers are as large as they will be
    done = predictions(predict, model, bare, jobs=jobs, what="ordering", size=len)
    condition = {"system": model.system, **condition, **named(options)}
    return _scored(condition, [one for one, _ in done], sentences, [counts for _, counts in done])


def named(search: Table) -> Row:
    """The settings of a search as reports call them, among other things: ``timeout_s``."""
    return {"timeout_s" if name == "seconds" else name: search[name] for name in search}


def as_in_training(model: OrderingModel, **given: float | None) -> Row:
    """These settings (``pos``, ``deps``, ``seed``), training's where it is ``None``."""
    return {
        name: model.settings.get(name, USUAL[name]) if value is None else value
        for name, value in given.items()
    }


@checks_arguments
def random_order(
    sentences: Sequence[Sentence | str | Sequence[str]], *, seed: int = 1
) -> Evaluation:
    """The floor: the units of each sentence in a random order.

    ``seed``, any whole number, decides which: the same one gives the same orders.

    Raises ``ValueError`` for no sentences.
    """
    sentences = as_sentences(sentences)
    bags = [bag_of(sentence, seed=seed) for sentence in sentences]  # a bag comes out shuffled
    done = [Ordered(" ".join(word for unit in bag.words for word in unit)) for bag in bags]
    counts = [ordering.bleu_counts([one.text], [s.text]) for one, s in zip(done, sentences)]
    return _scored({"system": "random-order", "seed": seed}, done, sentences, counts)


def _order_sentence(
    bag: Callable[[Sentence], WordBag], options: Table, model: OrderingModel, sentence: Sentence
) -> tuple[Ordered, Counts]:
    """An output, and what BLEU counted in it: a worker does all that a sentence asks for."""
    result, seconds = timed(partial(model.order, bag(sentence), **options))
    done = Ordered(
        result.text,
        seconds,
        result.stopped,
        result.counters.get("expansions"),
        result.is_whole,
        ordering.category_pairs(result.derivations) if result.derivations else (),
        float(result.score),
        result.counters.get("edges"),
    )
    return done, ordering.bleu_counts([done.text], [sentence.text])


def _scored(
    condition: Row,
    done: Sequence[Ordered],
    sentences: Sequence[Sentence],
    counted: Sequence[Counts],
) -> Evaluation:
    counts = {name: np.concatenate([one[name] for one in counted]) for name in OF_ORDERINGS if done}
    outputs, references = [one.text for one in done], [s.text for s in sentences]
    whole = [bool(one.whole) for one in done if one.whole is not None]
    categories = _categories(done, sentences)
    scores = ordering.score_ordering(
        outputs,
        references,
        timed_out=[one.stopped in LIMITS for one in done],
        seconds=sum(one.seconds for one in done) or None,
        whole=whole or None,
        category_precision=ordering.precision_of(categories) if categories else None,
        counts=counts,
    )
    return Evaluation(
        condition,
        tuple(outputs),
        tuple(references),
        scores,
        counts["cased"],
        stopped=dict(sorted(Counter(one.stopped for one in done).items())),
        expansions=_mean([one.expansions for one in done]),
        whole=tuple(whole),
        model_scores=tuple(one.score for one in done if one.score is not None),
        categories=categories,
        edges=_mean([one.edges for one in done]),
    )


def _mean(numbers: Sequence[int | None]) -> float | None:
    known = [number for number in numbers if number is not None]
    return sum(known) / len(known) if known else None


def _categories(
    done: Sequence[Ordered], sentences: Sequence[Sentence]
) -> tuple[tuple[int, int], ...]:
    if not any(one.pairs for one in done):
        return ()  # no output has a derivation
    golds = [
        () if s.derivation is None else ordering.category_pairs([s.derivation]) for s in sentences
    ]
    outputs = [one.pairs if gold else () for one, gold in zip(done, golds)]
    return tuple(ordering.matched_pairs(outputs, golds))


SCORES = tuple(
    """
    bleu_cased bleu_13a_lc exact_match brevity timeouts no_goal category_precision
    expansions_per_sentence edges_per_sentence ms_per_sentence
    """.split()
)
DIGITS = 4


def bags_of_run(
    model: OrderingModel, run: Table, **given: float | None
) -> tuple[Callable[[Sentence], WordBag], Row]:
    """What makes the bag of a sentence, and the options of its search; ``given`` are ``pos``,
    ``deps`` and ``seed``, where they are others than in training."""
    condition = as_in_training(model, **{**dict.fromkeys(USUAL), **given})
    task, left = task_of(model, condition, model.search_settings(**for_search(run)))
    return task, {"engine": run.get("engine"), **left}


def score(model: OrderingModel, sentences: Sequence[Sentence], run: Table) -> Evaluation:
    """Order the sentences as a run says. Raises as ``evaluate``."""
    return evaluate_orderings(model, sentences, **search_of(run))


def scores_of(evaluation: Evaluation, interval: bool = False) -> Row:
    """``SCORES`` as far as there are any, and what each sentence adds to them. BLEU's interval
    takes a second and is asked for."""
    scores = evaluation.to_dict()
    row = {name: round(scores[name], DIGITS) for name in SCORES if scores.get(name) is not None}
    if interval:
        row["bleu_cased_interval"] = [round(end, DIGITS) for end in evaluation.interval()]
    kept = of_counts(evaluation.counts)
    if evaluation.categories:
        kept["category_precision"] = [{"parts": list(map(list, zip(*evaluation.categories)))}]
    outputs = [packed_lines(evaluation.outputs)]
    return {"sentences": scores["sentences"], **row, SENTENCE_SCORES: kept, OUTPUTS: outputs}
