"""Language models beside a system that orders words: read from a file, or learned from its text.

A model that has read a sentence finds its true order likelier than any it has not read. So where
the search of a training uses one, each sentence is scored by a model that has not read it: the
sentences are dealt into folds, and the model of a fold reads the others (and any further text).
Bags are ordered with a model that has read all.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Sequence
from typing import NamedTuple

from wordorder_lab.models.arpa import read_arpa
from wordorder_lab.models.file_parts import WRONG_PARTS
from wordorder_lab.models.kneser_ney import estimate
from wordorder_lab.models.model_file import ModelError, load_arrays
from wordorder_lab.models.ngram import NGramModel
from wordorder_lab.structures.one_line import brief
from wordorder_lab.structures.sentence import Sentence

Text = Sequence[Sequence[str]]

NOT_PLAIN = ("lower_case", "tagged", "mark_phrases", "signatures")
"""Settings with which the words of an n-gram model are not those of the text."""


MOST_LM_WEIGHT = 1e6


def check_lm_weight(weight: float) -> None:
    """Raise ``ValueError`` for a weight of a language model that cannot be."""
    if not 0 <= weight <= MOST_LM_WEIGHT:  # nor is nan
        raise ValueError(
            f"the weight of a language model ({weight}) is from 0, which is syntax alone, "
            f"to {MOST_LM_WEIGHT:,.0f}"
        )


class FoldedModels(NamedTuple):
    """``whole`` orders bags; sentence i of the training is scored by ``of(i)``."""

    whole: NGramModel
    folds: tuple[NGramModel, ...]

    def of(self, i: int) -> NGramModel:
        """The model that has not read sentence ``i``."""
        return self.folds[i % len(self.folds)]

    def digest(self) -> str:
        """A checksum of all models: two checkpoints that differ in it are strangers."""
        digest = hashlib.sha256()
        for model in (self.whole, *self.folds):
            digest.update("\n".join(model.vocabulary).encode("utf-8", "surrogateescape"))
            for array in model.arrays().values():
                digest.update(array.tobytes())
        return digest.hexdigest()


def learned_models(
    sentences: Sequence[Sentence], order: int, folds: int, text: Text = ()
) -> FoldedModels:
    """N-grams of the sentences' plain words and of ``text``; with ``folds`` 1 there are no parts.

    Raises ``ValueError`` as ``estimate``.
    """
    own = [sentence.surface for sentence in sentences]
    whole = estimate([*own, *text], order)
    parts = min(folds, len(own))
    if parts < 2:
        return FoldedModels(whole, (whole,))
    others = ([words for i, words in enumerate(own) if i % parts != part] for part in range(parts))
    return FoldedModels(whole, tuple(estimate([*some, *text], order) for some in others))


def read_language_model(path: str | os.PathLike[str]) -> NGramModel:
    """The n-gram model of an ARPA file, or of a model file (``.wol``) that has one inside.

    Raises ``ValueError`` for a file that is damaged or has none, or whose words are not plain ones,
    ``OSError`` where it cannot be opened.
    """
    if not os.fspath(path).endswith(".wol"):
        return read_arpa(path)
    header, arrays = load_arrays(path)
    if "ngram_keys" not in arrays:
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
