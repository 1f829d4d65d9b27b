"""A model on the sentences or trees of a corpus: outputs, scores, and how long it took."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, overload

from wordorder_lab.experiments.runs.ordering_evaluate import Evaluation, evaluate_orderings
from wordorder_lab.experiments.runs.schema import Row
from wordorder_lab.structures.arguments import checks_arguments
from wordorder_lab.structures.sentence import Sentence
from wordorder_lab.systems.model import OrderingModel

if TYPE_CHECKING:
    from wordorder_lab.experiments.runs.realization_evaluate import RealizationEvaluation
    from wordorder_lab.structures.lemma_tree import LemmaTree
    from wordorder_lab.systems.parsed_pairs import Parsing
    from wordorder_lab.systems.realizer import Realizer


@overload
def evaluate(
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
    """Of a model that orders words."""


@overload
def evaluate(
    model: Realizer,
    sentences: Sequence[LemmaTree | Sentence | str | Sequence[str]],
    *,
    engine: str | None = None,
    jobs: int = 1,
    parser: Parsing | None = None,
    **search: Any,
) -> RealizationEvaluation:
    """Of a model that realizes trees or text."""


@checks_arguments
def evaluate(
    model: OrderingModel | Realizer,
    sentences: Sequence[Sentence | str | Sequence[str] | LemmaTree],
    *,
    pos: float | None = None,
    deps: float | None = None,
    seed: int | None = None,
    engine: str | None = None,
    jobs: int = 1,
    **search: Any,
) -> Evaluation | RealizationEvaluation:
    """Order the bags of these sentences and score the outcome; a line of text, or a list of words,
    is a sentence without tags and heads.

    ``pos`` and ``deps`` are shares from 0 to 1 of the tags and of the heads that bags are given,
    ``seed``, a whole number, draws and shuffles them (``bag_of``); ``jobs`` is the number of
    processes, from 1. What is not given is as it was in training; ``search`` are the settings of
    the model's search, ``beam`` and others. Scores are exact matches and BLEU (Liu et al. 2015,
    section 4; by sacrebleu, cased and as others count). With ``categories`` such as "beta=0.075" a
    supertagger reads each sentence in its true order, and the bag of a CCG system has the
    categories that it leaves. The clock runs while bags are ordered, and not while a kernel is
    compiled.

    A realizer takes trees of lemmas; of text ``parser`` makes them first (``model.trees_of``), and
    what comes out is scored against the line, as the shared tasks score (Zhang & Clark 2015,
    section 5.7).

    Raises ``ValueError`` for no sentences, for what a model of that kind does not take, and as
    ``bag_of``, ``model.order``, ``model.trees_of`` and ``map_in_order`` do.
    """
    given: Row = {"pos": pos, "deps": deps, "seed": seed}
    if not isinstance(model, OrderingModel):
        _refuse(model, given, "a realizer is given whole trees of lemmas")
        trees = _trees_of(model, sentences, search.pop("parser", None))
        return _evaluate_realizer(model, trees, {"engine": engine, "jobs": jobs, **search})
    some: Sequence[Any] = sentences
    return evaluate_orderings(model, some, engine=engine, jobs=jobs, **given, **search)


def _refuse(model: OrderingModel | Realizer, given: Row, why: str) -> None:
    names = [name for name, value in given.items() if value is not None]
    if names:
        raise ValueError(f"{model.system} takes no {', '.join(names)}: {why}")


def _trees_of(model: Realizer, sentences: Sequence[Any], parser: Parsing | None) -> list[LemmaTree]:
    """Trees that know their words; ``ValueError`` for one that does not."""
    trees = model.trees_of(sentences, parser)
    for number, tree in enumerate(trees, 1):
        if not tree.reference:
            raise ValueError(
                f"tree {number}{f' ({tree.name})' if tree.name else ''} does not know its words, "
                "so there is nothing to score: leave it out, or give its sentence"
            )
    return trees


def _evaluate_realizer(
    model: Any, trees: Sequence[LemmaTree], options: Row
) -> RealizationEvaluation:
    # Here, and not above: it reads trees, and who orders words does not wait for it.
    from wordorder_lab.experiments.runs.realization_evaluate import evaluate_realizer, gold_of

    how = {name: options.pop(name) for name in ("engine", "jobs")}
    inflector = getattr(model, "inflector", None)  # of other packages' systems: perhaps none
    gold = None if inflector is None else gold_of(trees, inflector)
    return evaluate_realizer(model, trees, gold, **how, **model.search_settings(**options))
