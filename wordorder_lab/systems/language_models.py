"""Language models beside a system that orders words: read from a file, or learned from its text.

A model that has read a sentence finds its true order likelier than any it has not read. So where
the search of a training uses one, each sentence is scored by a model that has not read it: the
sentences are dealt into folds, and the model of a fold reads the others (and any further text).
Bags are ordered with a model that has read all.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from wordorder_lab.models.arpa import read_arpa
from wordorder_lab.models.file_parts import WRONG_PARTS, Json, JsonView, exactly, number
from wordorder_lab.models.kneser_ney import estimate_ngrams
from wordorder_lab.models.model_file import ModelError, load_arrays
from wordorder_lab.models.ngram import NGRAM_ARRAYS, NGramModel
from wordorder_lab.models.word_classes import WordClasses
from wordorder_lab.structures.messages import brief
from wordorder_lab.structures.sentence import Sentence

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

Text = Sequence[Sequence[str]]

NOT_PLAIN = ("lower_case", "tagged", "mark_phrases", "signatures")
"""Settings with which the words of an n-gram model are not those of the text."""

LM_SETTINGS = ("lm_order", "lm_weight", "lm_in_training", "folds")
"""The settings of a training that say something where there is a language model, and only there."""

BACK_OFF = ("min_count", "lower_case", "tag_share")
"""Settings for words that training has hardly seen; none of the papers has them."""

MOST_LM_WEIGHT = 1e6


def in_use(settings: DataclassInstance, has_ngrams: bool) -> Json:
    """The settings that say something, with a language model or without one; ``labels`` do where
    they are learned, ``BACK_OFF`` above 0."""
    silent = set() if has_ngrams else set(LM_SETTINGS)
    if not getattr(settings, "labels", True):
        silent.add("labels")
    silent |= {name for name in BACK_OFF if not getattr(settings, name, 1)}
    return {name: value for name, value in asdict(settings).items() if name not in silent}


# --- the models of a training ---------------------------------------------------------------------


class FoldedModels(NamedTuple):
    """``whole`` scores outputs; example i of the training is learned with ``of(i)``. ``fold`` has
    the fold of each; without it they are dealt out in turn."""

    whole: NGramModel
    folds: tuple[NGramModel, ...]
    fold: Sequence[int] = ()

    def of(self, i: int) -> NGramModel:
        """The model that has not read example ``i``."""
        return self.folds[self.fold[i] if self.fold else i % len(self.folds)]

    def digest(self) -> str:
        """A checksum of all models: two checkpoints that differ in it are strangers."""
        digest = hashlib.sha256()
        for model in (self.whole, *self.folds):
            digest.update("\n".join(model.vocabulary).encode("utf-8", "surrogateescape"))
            for array in model.arrays().values():
                digest.update(array.tobytes())
        return digest.hexdigest()


def models_of_training(
    sentences: Sequence[Sentence],
    order: int,
    lm: NGramModel | None,
    text: Text,
    folds: int = 1,
    classes: WordClasses | None = None,
) -> FoldedModels | None:
    """The n-grams of a training: those given (``lm``), or learned ones of an ``order``, if any.
    Raises ``ValueError`` for both, for text without n-grams that are learned from it, and as
    ``learned_models``."""
    if any(isinstance(sentence, str) for sentence in text):
        raise ValueError("lm_text is a list of sentences, each a list of words: split them")
    if lm is not None and order:
        raise ValueError("n-grams are given (lm) and to be learned (lm_order): leave one out")
    if len(text) and not order:
        also = "" if lm is None else ", and leave lm out"
        raise ValueError(
            f"lm_text is for n-grams that are learned here: give lm_order (5, say){also}"
        )
    if lm is not None:
        return FoldedModels(lm, (lm,))
    return learned_models(sentences, order, folds, text, classes) if order else None


def learned_models(
    sentences: Sequence[Sentence],
    order: int,
    folds: int,
    text: Text = (),
    classes: WordClasses | None = None,
) -> FoldedModels:
    """N-grams of the sentences' plain words and of ``text``, with ``classes`` of those of rare
    words; raises as ``estimate_ngrams``."""
    name = classes or str
    own = [
        tuple(word for unit in sentence for word in (*unit.words[:-1], name(unit.words[-1])))
        for sentence in sentences
    ]
    text = [tuple(map(name, words)) for words in text]
    whole = estimate_ngrams([*own, *text], order)
    parts = min(folds, len(own))
    if parts < 2:
        return FoldedModels(whole, (whole,))
    others = ([words for i, words in enumerate(own) if i % parts != part] for part in range(parts))
    return FoldedModels(whole, tuple(estimate_ngrams([*some, *text], order) for some in others))


# --- files ----------------------------------------------------------------------------------------


def header_of(ngrams: NGramModel | None) -> Json:
    """What the header of a model's file says of its language model: nothing where it has none."""
    return {} if ngrams is None else {"ngrams": ngrams.header()}


def arrays_of(ngrams: NGramModel | None) -> dict[str, np.ndarray]:
    """The arrays of a model's language model; none where it has none."""
    return {} if ngrams is None else ngrams.arrays()


def ngrams_of_parts(
    header: JsonView, arrays: Mapping[str, np.ndarray], others: Sequence[str]
) -> NGramModel | None:
    """The language model in a model's file, if it has one; ``others`` are all its other arrays.
    Raises ``ValueError`` where these parts do not fit together."""
    weight = number(header["settings"].get("lm_weight", 0), "the weight of its language model")
    if not 0 <= weight <= MOST_LM_WEIGHT:
        raise ValueError(f"the weight of its language model is not from 0 to {MOST_LM_WEIGHT:,.0f}")
    ngrams = NGramModel.from_arrays(header["ngrams"], arrays) if "ngrams" in header else None
    exactly(arrays, (*others, *arrays_of(ngrams)))
    return ngrams


def read_language_model(path: str | os.PathLike[str]) -> NGramModel:
    """The n-gram model of an ARPA file, or of a model file (``.wol``) that has one inside. Raises
    ``ValueError`` for a damaged file, one without n-grams, or without plain words."""
    if not os.fspath(path).endswith(".wol"):
        return read_arpa(path)
    header, arrays = load_arrays(path)
    if NGRAM_ARRAYS[0] not in arrays:
        system = brief(header.get("system", "no model"))
        raise ModelError(f"{path} holds {system} without n-grams: give an ARPA file, or train some")
    try:
        ngrams = NGramModel.from_arrays(header["ngrams"], arrays)
        settings = header["settings"]
        altered = [name for name in NOT_PLAIN if settings.get(name)]
    except WRONG_PARTS as error:
        raise ModelError(
            f"{path} has no whole n-gram model ({brief(error)}): train it again"
        ) from None
    if altered:
        raise ModelError(
            f"{path} was trained with {', '.join(altered)}, so plain words are unknown to it: "
            "train one without that"
        )
    return ngrams
