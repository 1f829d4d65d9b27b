"""What a training of ``cohn-lapata-2009`` learns from, before it learns: rules, n-grams, golds."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

from wordorder_lab.models.kneser_ney import estimate
from wordorder_lab.models.ngram import NGramModel
from wordorder_lab.structures.compression import CompressionPair, prepared_pair
from wordorder_lab.systems.compression_examples import CompressionExamples
from wordorder_lab.systems.compression_search import search_of
from wordorder_lab.systems.compression_settings import Settings
from wordorder_lab.systems.engines import choose_engine
from wordorder_lab.transduction.features import RuleFeatures
from wordorder_lab.transduction.grammar import SynchronousGrammar, extract_grammar
from wordorder_lab.transduction.templates import load_templates


@dataclass
class Prepared:
    """What a training learns from, made once: a grid of trainings can share it."""

    settings: Settings
    grammar: SynchronousGrammar
    ngrams: NGramModel
    features: RuleFeatures
    examples: CompressionExamples
    digest: str


def prepare(
    pairs: Sequence[CompressionPair],
    settings: Settings,
    engine: str | None = None,
    ngrams: NGramModel | None = None,
    progress: bool = False,
) -> Prepared:
    """Extract the grammar, train the n-gram model if none is given, find gold derivations.

    Raises ``ValueError`` where there is no pair, or none that the grammar links.
    """
    settings.check()
    if not pairs:
        raise ValueError("there is nothing to learn from: give at least one pair")
    plain = [prepared_pair(pair) for pair in pairs]
    grammar = extract_grammar(plain, settings.grammar())
    mine, whole = ([ngrams], ngrams) if ngrams else _language_models(plain, settings)
    return prepared_with(plain, settings, grammar, mine, whole, engine, progress)


def prepared_with(
    pairs: Sequence[CompressionPair],
    settings: Settings,
    grammar: SynchronousGrammar,
    mine: Sequence[NGramModel],
    whole: NGramModel,
    engine: str | None = None,
    progress: bool = False,
) -> Prepared:
    """The same with a grammar and n-gram models that are there: one a fold, and that of outputs.

    ``pairs`` have been prepared (``tasks.compression``). Raises ``ValueError`` where the grammar
    links none of them.
    """
    features = RuleFeatures(load_templates(settings.templates))
    examples = CompressionExamples(
        pairs,
        grammar,
        features,
        mine,
        loss=settings.loss,
        penalty=settings.penalty,
        gold=settings.gold,
        seed=settings.seed,
        beam=search_of(settings.beam, "cube")[0],
        engine=choose_engine(engine),
        progress=progress,
    )
    features.freeze()
    if not len(examples):
        raise ValueError(
            f"the grammar links none of the {len(pairs)} pairs: read it off more pairs, or "
            "allow more variables or nodes"
        )
    digest = _digest(pairs, [*mine, whole], features.templates.text)
    return Prepared(settings, grammar, whole, features, examples, digest)


def _digest(pairs: Sequence[CompressionPair], models: Sequence[NGramModel], templates: str) -> str:
    """A checksum of what is learned from: two checkpoints that differ in it are strangers."""
    digest = hashlib.sha256(templates.encode())
    for pair in pairs:
        digest.update(f"{pair.name} {pair.source} {pair.target} {pair.alignment}\n".encode())
    for model in models:
        digest.update("\n".join(model.vocabulary).encode())
        for array in model.arrays().values():
            digest.update(array.tobytes())
    return digest.hexdigest()


def _language_models(
    pairs: Sequence[CompressionPair], settings: Settings
) -> tuple[list[NGramModel], NGramModel]:
    """For each fold the model of the other folds' pairs; and that of all pairs."""

    def model(some: Sequence[CompressionPair]) -> NGramModel:
        text = [tree.leaves() for pair in some for tree in (pair.source, pair.target)]
        return estimate(text, settings.order)

    folds, whole = min(settings.folds, len(pairs)), model(pairs)
    if folds < 2:
        return [whole], whole
    others = [[p for i, p in enumerate(pairs) if i % folds != fold] for fold in range(folds)]
    return [model(some) for some in others], whole
