"""A compressor on the pairs of a corpus: outputs, scores, floors, and how long it took.

A compressor is any object with ``compress(tree, bonus=...)``, whose result has a ``tree`` and a
``score``. Everything is scored as systems see it, without the capital of a beginning
(``structures.compression``): who lets a sentence begin with another word has not changed the word.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple, Protocol

from wordorder_lab.experiments.runs import settings
from wordorder_lab.experiments.runs.map_in_order import map_in_order, pieces, predictions, timed
from wordorder_lab.experiments.runs.schema import Row, Table
from wordorder_lab.metrics.compression import CompressionScores, gold_rate, score_compressions
from wordorder_lab.metrics.compression_floors import first_clause, keep_all, random_deletion
from wordorder_lab.metrics.relations import ReparsedScores, score_reparsed
from wordorder_lab.structures.compression import CompressionPair, prepared, prepared_pair, presented
from wordorder_lab.structures.plain_tree import Tree
from wordorder_lab.systems.compression_grid import mean_loss
from wordorder_lab.systems.parsed_pairs import Parsing, parse_of

FARTHEST, HALVINGS, CLOSE = 1024.0, 16, 0.001
"""Points for a word beyond which nothing changes; how often a range is halved; how near is met."""


class Compressor(Protocol):
    """What can be evaluated; its ``system`` and its ``search_settings`` are asked if it has any."""

    @property
    def compress(self) -> Callable[..., Any]:
        """From a tree and settings to the shorter version, with its ``tree`` and ``score``."""


class Shortened(NamedTuple):
    """One output: its tree as it is printed, seconds, combinations looked at (0 where none are
    counted), the model's score, and how many families of constraints it gave up (``None``: there
    are none)."""

    tree: Tree
    seconds: float
    combinations: int
    score: float
    given_up: int | None = None


@dataclass(frozen=True)
class CompressionEvaluation:
    """Outputs beside pairs, their scores, and the ``condition`` they were made under.

    ``outputs`` and ``pairs`` are prepared, ``texts`` as they are printed. ``loss`` is the mean of
    the loss that the model was trained with. ``floors`` has the scores of what knows nothing:
    "keep_all", "random_deletion" at the rate of the references, and "first_clause". ``reparsed``
    has the relations of the texts, parsed anew, where a parser was given. ``gave_up`` is how many
    outputs gave up some constraints, of a system that has them.
    """

    condition: Row
    outputs: tuple[Tree, ...]
    pairs: tuple[CompressionPair, ...]
    texts: tuple[str, ...]
    scores: CompressionScores
    loss: float
    ms_per_sentence: float
    combinations_per_sentence: float
    floors: Mapping[str, CompressionScores]
    model_scores: tuple[float, ...]
    reparsed: ReparsedScores | None = None
    gave_up: int | None = None

    def to_dict(self) -> Row:
        """Condition and scores as JSON-ready values."""
        again = {} if self.reparsed is None else {"reparsed": self.reparsed.to_dict()}
        given_up = {} if self.gave_up is None else {"gave_up_constraints": self.gave_up}
        return {
            **self.condition,
            **self.scores.to_dict(),
            **again,
            **given_up,
            "training_loss": self.loss,
            "ms_per_sentence": self.ms_per_sentence,
            "combinations_per_sentence": self.combinations_per_sentence,
            "floors": {name: floor.to_dict() for name, floor in self.floors.items()},
        }


def evaluate_compressions(
    model: Compressor,
    pairs: Sequence[CompressionPair],
    *,
    seed: int = 1,
    engine: str | None = None,
    jobs: int = 1,
    references: str = "mean",
    parser: Parsing | None = None,
    **search: Any,
) -> CompressionEvaluation:
    """Make the sources shorter and score the outcome.

    ``search`` are settings as ``compress`` takes them, ``seed`` decides what random deletion
    leaves, ``references`` what several of them mean (``metrics.bag_f1``). With a ``parser`` the
    outputs are parsed anew as well (``metrics.relations``). Raises ``ValueError`` for no pairs, and
    as ``model.compress`` and ``map_in_order`` do.
    """
    if not pairs:
        raise ValueError("no pairs to score on: give at least one")
    # All settings of a search, if the model can tell; else those given.
    options = dict(getattr(model, "search_settings", dict)(**search))
    done = shorten(model, [pair.source for pair in pairs], engine, jobs, **options)
    golds = tuple(prepared_pair(pair) for pair in pairs)
    outputs = tuple(prepared(one.tree) for one in done)
    printed = [presented(list(one.tree.leaves())) for one in done]
    reparsed = None
    if parser is not None:
        reparsed = score_reparsed(printed, golds, parse_of(parser, printed), references=references)
    return CompressionEvaluation(
        {"system": getattr(model, "system", type(model).__name__), **options, "seed": seed},
        outputs,
        golds,
        tuple(" ".join(words) for words in printed),
        score_compressions(outputs, golds, references=references),
        loss=mean_loss(model, outputs, golds),
        ms_per_sentence=1000 * sum(one.seconds for one in done) / len(done),
        combinations_per_sentence=sum(one.combinations for one in done) / len(done),
        floors=floors(golds, seed, references),
        model_scores=tuple(one.score for one in done),
        reparsed=reparsed,
        gave_up=gave_up(done),
    )


def floor_outputs(system: str, golds: Sequence[CompressionPair], seed: int = 1) -> list[Tree]:
    """What a floor of ``UNTRAINED`` makes of prepared pairs: every word kept, words deleted at
    random at the rate of the references, the first clause alone."""
    if system == settings.RANDOM_DELETION:
        share = min(1.0, gold_rate(golds))
        return [random_deletion(pair, share, seed) for pair in golds]
    return list(
        map({settings.KEEP_ALL: keep_all, settings.FIRST_CLAUSE: first_clause}[system], golds)
    )


def floors(
    golds: Sequence[CompressionPair], seed: int = 1, references: str = "mean"
) -> dict[str, CompressionScores]:
    """The scores of what any system must beat, on prepared pairs."""
    outputs = {
        name.replace("-", "_"): floor_outputs(name, golds, seed) for name in settings.UNTRAINED
    }
    return {
        name: score_compressions(trees, golds, references=references)
        for name, trees in outputs.items()
    }


def shorten(
    model: Compressor,
    sources: Sequence[Tree],
    engine: str | None = None,
    jobs: int = 1,
    **search: Any,
) -> list[Shortened]:
    """Compress every tree, with its time; one is compressed before the clock starts."""
    predict = partial(_shorten_one, {**_engine(engine), **search})
    return predictions(predict, model, sources, jobs=jobs, what="compressing", size=_words)


def _shorten_one(options: Table, model: Compressor, source: Tree) -> Shortened:
    found, seconds = timed(partial(model.compress, source, **options))
    counters = getattr(found, "counters", {})
    work, given_up = counters.get("combinations", 0), counters.get("given_up")
    return Shortened(found.tree, seconds, work, float(found.score), given_up)


def _words(tree: Tree) -> int:
    return len(tree.leaves())


def gave_up(done: Sequence[Shortened]) -> int | None:
    """How many outputs gave up some constraints; ``None`` of a system that has none."""
    counts = [one.given_up for one in done if one.given_up is not None]
    return sum(count > 0 for count in counts) if counts else None


def _engine(engine: str | None) -> dict[str, str]:
    return {} if engine is None else {"engine": engine}  # a model need not have several


class Matched(NamedTuple):
    """A bonus for words, and the rate that it gives: near the one wanted, if anything is."""

    bonus: float
    rate: float
    wanted: float


def match_rate(
    model: Compressor,
    pairs: Sequence[CompressionPair],
    rate: float | None = None,
    *,
    engine: str | None = None,
    jobs: int = 1,
    **search: Any,
) -> Matched:
    """The bonus with which a model keeps this share of the words of the sources, by bisection.

    Without a ``rate``, as many as the references have. The rate grows with the bonus in steps, so
    it may not be met; the nearest one is taken, of equal ones that of the smaller bonus. Raises
    ``ValueError`` as ``evaluate_compressions``, and for a rate that is not above 0 and at most 1.
    """
    if not pairs:
        raise ValueError("no pairs to find the rate on: give at least one")
    sources = [pair.source for pair in pairs]
    words_in = sum(map(_words, sources))
    wanted = gold_rate(pairs) if rate is None else rate
    if not 0 < wanted <= 1:
        raise ValueError(f"a rate of {wanted}: it is above 0 and at most 1 (all words stay)")
    # Of a tree transducer what its grammar matches in a source, which no bonus changes.
    ready = getattr(model, "problem", None) if hasattr(model, "words_out") else None
    given = list(map(ready, sources)) if ready else sources
    seen: dict[float, float] = {}

    def too_short(bonus: float) -> bool:
        options = {**search, **_engine(engine), "bonus": bonus}
        kept = map_in_order(partial(_words_out, options), pieces(given, jobs), jobs, model=model)
        seen[bonus] = sum(kept) / words_in
        return seen[bonus] < wanted

    _bisect(too_short, lambda: min(abs(found - wanted) for found in seen.values()) <= CLOSE)
    best = min(seen, key=lambda bonus: (abs(seen[bonus] - wanted), abs(bonus)))
    return Matched(best, seen[best], wanted)


def _words_out(options: Table, model: Any, given: Sequence[Any]) -> int:
    if hasattr(model, "words_out"):
        return sum(model.words_out(problem, **options) for problem in given)
    return sum(_words(model.compress(source, **options).tree) for source in given)


def _bisect(too_short: Callable[[float], bool], near: Callable[[], bool]) -> None:
    """Ask about one bonus after the other, from 0 outwards and then between."""
    low = high = 0.0
    step = 1.0
    if too_short(0.0):
        while not near() and step <= FARTHEST and too_short(low + step):
            low, step = low + step, 2 * step
        high = low + step
    else:
        while not near() and step <= FARTHEST and not too_short(high - step):
            high, step = high - step, 2 * step
        low = high - step
    for _ in range(HALVINGS):
        if near() or step > FARTHEST:
            return
        middle = (low + high) / 2
        low, high = (middle, high) if too_short(middle) else (low, middle)
