"""Sentences as a paper prints them, found again in a corpus: other spacing, quotes and brackets.

A paper sets its examples as a newspaper would, "61 years old, will"; a treebank has every mark as a
word of its own, quotes as two strokes, brackets as -LRB-. What the two have in common are letters
and digits, in their order.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from wordorder_lab.corpora.readers.corpus import Corpus
from wordorder_lab.experiments.run_settings import SpecificationError, check_value
from wordorder_lab.structures.sentence import Sentence

MARKS = {
    **dict.fromkeys(("``", "''", "“", "”"), '"'),
    **dict.fromkeys(("`", "‘", "’"), "'"),
    **dict(zip(("-LRB-", "-RRB-", "-LCB-", "-RCB-", "-LSB-", "-RSB-"), "(){}[]")),
}
"""A word of a treebank, or a mark of a printer -> the plain mark that stands for both."""


class Place(NamedTuple):
    """Where a printed sentence stands in a corpus."""

    split: str
    sentence: Sentence


def check_printed(paper: Mapping[str, Any], needed: bool) -> None:
    """Raise ``SpecificationError`` unless ``[[paper.sentences]]`` are there, and only if needed.

    Each has a ``reference`` and ``outputs``, each of these ``pos``, ``deps`` and ``text``. What
    ``[[paper.also]]`` lists is only looked up: a ``table`` and its ``references``.
    """
    if needed != bool(paper.get("sentences")):
        raise SpecificationError("[[paper.sentences]] and the measure 'outputs' need each other")
    for sentence in paper.get("sentences", []):
        _check_keys("[[paper.sentences]]", sentence, reference=str, outputs=list)
        for output in sentence["outputs"]:
            _check_keys("an output", output, pos=(int, float), deps=(int, float), text=str)
            for share in ("pos", "deps"):
                check_value(share, output[share])
    for group in paper.get("also", []):
        _check_keys("[[paper.also]]", group, table=str, references=list)


def _check_keys(where: str, found: Any, **kinds: Any) -> None:
    if not isinstance(found, Mapping) or found.keys() != kinds.keys():
        raise SpecificationError(f"{where} has just {', '.join(kinds)}, not {found!r}")
    for name, kind in kinds.items():
        if not isinstance(found[name], kind) or found[name] in ("", []):
            raise SpecificationError(f"{where}: {name} cannot be {found[name]!r}")


def plain(word: str) -> str:
    """A word with the plain form of its mark: ``"``"`` and ``"''"`` are both a double quote."""
    return MARKS.get(word, unicodedata.normalize("NFKC", word))


def letters(words: Sequence[str]) -> str:
    """What is left of a sentence without spaces and marks, in lower case."""
    text = "".join(map(plain, words)).casefold()
    return "".join(sign for sign in text if sign.isalnum())


def places(corpus: Corpus, printed: Sequence[str]) -> list[Place | None]:
    """For each printed sentence the first one of the corpus with the same letters, or ``None``.

    The splits are asked in the order of the corpus: train comes before what is held out.
    """
    keys = [letters(text.split()) for text in printed]
    wanted = set(keys) - {""}
    found: dict[str, Place] = {}
    for split in corpus.splits:
        for sentence in corpus.split(split):
            key = letters(sentence.surface)
            if key in wanted:
                found.setdefault(key, Place(split, sentence))
    return [found.get(key) for key in keys]


def as_words(printed: str, sentence: Sentence) -> str:
    """A printed ordering of a sentence's words, spaced as the corpus has it.

    Whatever stands between two spaces is cut into words of the sentence, as few as possible: "old,"
    into "old" and ",". What cannot be cut (a misprint) stays as it is. Where the sentence has
    several words for one mark, such as an opening and a closing quote, they are used in turn.
    """
    forms: dict[str, list[str]] = {}
    for word in sentence.surface:
        forms.setdefault(plain(word), []).append(word)
    longest = max(map(len, forms))
    words: list[str] = []
    for chunk in printed.split():
        clean = "".join(map(plain, chunk))
        for word in _cut(clean, forms, longest) or [clean]:
            mine = forms.get(word, [word])
            words.append(mine.pop(0) if len(mine) > 1 else mine[0])
    return " ".join(words)


def _cut(chunk: str, forms: dict[str, list[str]], longest: int) -> list[str] | None:
    """The chunk as the fewest words that there are; ``None`` if it is not made of them."""
    best: list[list[str] | None] = [[]]
    for end in range(1, len(chunk) + 1):
        shorter = _ending_at(end, chunk, best, forms, longest)
        best.append(min(shorter, key=len, default=None))
    return best[-1]


def _ending_at(
    end: int,
    chunk: str,
    best: Sequence[list[str] | None],
    forms: dict[str, list[str]],
    longest: int,
) -> Iterator[list[str]]:
    for start in range(max(0, end - longest), end):
        before, word = best[start], chunk[start:end]
        if before is not None and word in forms:
            yield [*before, word]
