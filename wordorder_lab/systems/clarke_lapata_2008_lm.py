"""``clarke-lapata-2008-lm``: compression without pairs, by n-grams and what is significant.

Clarke & Lapata (2008), as we remember it: the best compression by trigrams and significance
(``deletion/significance``), found by an integer programme with the constraints of
``clarke-lapata-2008-ilp``. Only text is learned from: that of the pairs' sentences, and more.

Differences
- *Our reading*: the paper was not at hand; we remember that it counts trigrams and words in 25
  million words of newspapers, which are licensed. Here it is any text: the Brown Corpus and the
  sentences of the pairs, where nothing is said. References are not read.
- *Our reading*: the weight of significance is a setting of the search, to be found on development
  data.
- *Our reading*: at least 40 of 100 words stay where nothing is said, as we remember it: a language
  model alone likes short sentences best.
- *Our reading*: a document is what ``compress(document=...)`` is given. Commands and experiments
  give none: they compress sentence by sentence, so that f is the count within the sentence.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cached_property
from typing import ClassVar, Self

import numpy as np

from wordorder_lab.corpora.plain_text import BROWN, plain_texts
from wordorder_lab.deletion.significance import counts_of, significance, trigram_scores
from wordorder_lab.models.file_parts import Json, JsonView, exactly, row, whole
from wordorder_lab.models.kneser_ney import estimate
from wordorder_lab.models.ngram import MARKS, NGRAM_ARRAYS, NGramModel
from wordorder_lab.structures.compression import CompressionPair, prepared
from wordorder_lab.structures.deletion import Deletion
from wordorder_lab.structures.trace import Trace
from wordorder_lab.systems import usual_settings as usual
from wordorder_lab.systems.clarke_lapata_2008 import (
    ByProgramme,
    Given,
    ProgrammeProblem,
    ProgrammeSearch,
    length_or_fraction,
    programme_problem,
)
from wordorder_lab.systems.mcdonald_2006 import sentence_of
from wordorder_lab.systems.model import choose_engine
from wordorder_lab.systems.setting import SettingsClass, setting
from wordorder_lab.systems.system import System

SYSTEM = "clarke-lapata-2008-lm"
WEIGHT, LEAST = 4.0, 0.4
"""Of significance, and of how many words stay, where nothing is said. The weight was the largest of
0, 0.5, 1, 2 and 4, which had the best relation F1 on the development part of clarke-lapata-spoken.
It is not the best there is: 8 keeps more words there (73.6 of 100 for 69.9), and its F1 is a point
higher."""
MOST_WEIGHT = 1e6


@dataclass(frozen=True)
class Search(ProgrammeSearch):
    """What may be set when a sentence is compressed."""

    least: int | float | None = setting(
        LEAST,
        "at least so many words stay, or this fraction of them",
        metavar="N|SHARE",
        parse=length_or_fraction,
    )
    significance: float = setting(
        WEIGHT,
        "how much it counts what a word says, beside how likely n-grams are",
        minimum=0,
        maximum=MOST_WEIGHT,
        metavar="X",
    )


@dataclass(repr=False)
class FluencyModel(ByProgramme):
    """A model of ``clarke-lapata-2008-lm``: trigrams, and how often words stand in its text.

    ``frequencies`` has a whole number for each word of the n-grams' vocabulary, ``total`` is how
    many words were counted, those outside the vocabulary included.
    """

    SYSTEMS: ClassVar[tuple[str, ...]] = (SYSTEM,)
    WHOLE: ClassVar[str] = "frequencies"
    LEAST: ClassVar[float | None] = LEAST
    Search: ClassVar[SettingsClass] = Search

    ngrams: NGramModel
    frequencies: np.ndarray
    total: int
    settings: JsonView = field(default_factory=dict)

    # --- compressing ------------------------------------------------------------------------

    def compress(
        self,
        tree: Given,
        *,
        k: int = 1,
        engine: str | None = None,
        trace: Trace | None = None,
        document: Sequence[Sequence[str]] | None = None,
        **search: object,
    ) -> Deletion:
        """The shorter version of a sentence; ``search`` are settings as ``search_settings`` takes.

        ``document`` are the sentences around it, as lists of words: what stands there often is
        significant. Raises ``ValueError`` and ``TypeError`` as ``ProgrammeModel.compress``.
        """
        problem = self.problem(tree, engine, document)
        return self.outputs(problem, k=k, engine=engine, trace=trace, **search)

    def problem(
        self,
        given: Given,
        engine: str | None = None,
        document: Sequence[Sequence[str]] | None = None,
    ) -> ProgrammeProblem:
        """A sentence made ready for the search. Raises as ``compress``."""
        choose_engine(engine)
        sentence = sentence_of(given)
        here = None if document is None else counts_of(document)
        scores = trigram_scores(self.ngrams, [word.lower() for word in sentence.words])
        points = significance(sentence, self._often, self.total, here)
        return programme_problem(sentence, scores, points)

    @cached_property
    def _often(self) -> dict[str, int]:
        words = zip(self.ngrams.vocabulary, self.frequencies.tolist(), strict=True)
        return {word: often for word, often in words if often}

    # --- the model file ---------------------------------------------------------------------

    def header(self) -> Json:
        """The n-grams, and how many words were counted."""
        return {"ngrams": self.ngrams.header(), "total": self.total}

    def arrays(self) -> dict[str, np.ndarray]:
        """The n-grams, and how often each word was counted."""
        return {**self.ngrams.arrays(), "frequencies": self.frequencies}

    @classmethod
    def of_parts(cls, header: JsonView, arrays: Mapping[str, np.ndarray]) -> Self:
        """The model of a whole file. Raises ``ValueError`` where its parts do not fit together."""
        exactly(arrays, (*NGRAM_ARRAYS, "frequencies"))
        ngrams = NGramModel.from_arrays(header["ngrams"], arrays)
        frequencies = row(arrays, "frequencies", np.int64, len(ngrams.vocabulary))
        total = whole(header["total"], "the number of its words", 1)
        if ngrams.order < 3 or not bool(((frequencies >= 0) & (frequencies <= total)).all()):
            raise ValueError("its n-grams and frequencies do not fit together")
        return cls(ngrams, frequencies, total, dict(header["settings"]))


# --- training -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Settings:
    """What a training depends on, beside its pairs.

    ``text`` are plain text files, a sentence a line, or ``brown``; the sources of the pairs are
    read too. ``order`` is that of the n-grams. Words seen less than ``min_count`` times are unknown
    to them.
    """

    text: tuple[str | os.PathLike[str], ...] = setting(
        (BROWN,),
        "learn from this text, too: a sentence a line, tokenised as the corpus is; or brown, the "
        "Brown Corpus",
        several=True,
    )
    order: int = usual.order(3, minimum=3)
    min_count: int = setting(2, "words seen less often are unknown ones", minimum=1, metavar="N")


def learn(
    pairs: Sequence[CompressionPair], settings: Settings, **_: object
) -> Iterator[FluencyModel]:
    """Count n-grams in text and the sources of ``pairs``; both engines do the same.

    Raises ``ValueError`` for no text at all.
    """
    text = [*sources_of(pairs), *plain_texts(settings.text)]
    if not text:
        raise ValueError("there is nothing to learn from: give pairs, or text")
    yield _counted(text, settings, len(pairs))


def sources_of(pairs: Sequence[CompressionPair]) -> list[list[str]]:
    """The words of the sources; one that several people shortened, pair after pair, counts once."""
    found: list[list[str]] = []
    for pair in pairs:
        words = prepared(pair.source).leaves()
        if not found or words != found[-1]:
            found.append(words)
    return found


def _counted(text: Sequence[Sequence[str]], settings: Settings, pairs: int) -> FluencyModel:
    small = [[word.lower() for word in words] for words in text]
    ngrams = estimate(small, settings.order, min_count=settings.min_count)
    counts = counts_of(small)
    often = [0] * len(MARKS) + [counts.get(word, 0) for word in ngrams.vocabulary[len(MARKS) :]]
    total = 0
    for count in counts.values():
        total += count
    told: Json = {**asdict(settings), "sentences": len(text), "pairs": pairs}
    told["text"] = [one if one == BROWN else "a file" for one in settings.text]
    digest = hashlib.sha256(
        "\n".join(" ".join(words) for words in small).encode("utf-8", "replace")
    )
    told["text_checksum"] = digest.hexdigest()
    return FluencyModel(ngrams, np.array(often, np.int64), max(total, 1), told)


SYSTEMS = {
    SYSTEM: System(
        "A language model and what is significant, with the same constraints",
        Settings,
        learn,
        FluencyModel,
        traced=False,
        needs_examples=False,
    )
}
