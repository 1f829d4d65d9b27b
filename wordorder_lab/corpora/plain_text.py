"""Plain text for language models: a file with a sentence a line, or the Brown Corpus by name."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from wordorder_lab.corpora.readers.corpus import Part
from wordorder_lab.corpora.readers.files import AnyPath, find_nltk, read_text
from wordorder_lab.structures.messages import cited
from wordorder_lab.structures.sentence import Sentence
from wordorder_lab.structures.tokens import tokenized

BROWN = "brown"
CLITIC = re.compile(r"(.*\w)(n't|'(?:s|re|ve|ll|d|m)?)", re.IGNORECASE)
"""What a treebank has as a word of its own: "isn't" is "is" and "n't"."""


def plain_texts(names: Iterable[str | os.PathLike[str]]) -> list[list[str]]:
    """The sentences of all of them. Raises as ``plain_text``."""
    return [words for name in names for words in plain_text(name)]


def plain_text(name: str | os.PathLike[str]) -> Iterator[list[str]]:
    """The sentences of a text file, one a line, its words between spaces; or those of ``BROWN`` (a
    file with that name is ``./brown``). Raises ``ValueError`` for a text without words, or a word
    with another kind of blank; ``CorpusError`` where there is no Brown Corpus."""
    if name == BROWN:
        yield from brown()
        return
    empty = True
    for place, line in enumerate(read_text(Path(name)).split("\n"), 1):
        words = re.split(r"[ \t\r]+", line.strip(" \t\r"))
        if words == [""]:
            continue
        for word in words:
            if re.search(r"\s", word):
                raise ValueError(
                    f"{name}, line {place}: the word {cited(word)} has a blank in it: put an "
                    "ordinary space between words, and none inside one"
                )
        empty = False
        yield words
    if empty:
        raise ValueError(f"{name} has no words: give a text with a sentence a line")


def text_part(path: Path) -> Part[Sentence]:
    """The sentences of a text, one a line, cut into words where that was not done (``tokenized``),
    as sentences without tags and trees; empty lines are passed over."""
    lines = enumerate(read_text(path).split("\n"), 1)
    cut = ((number, tokenized(line)) for number, line in lines)
    return Part(tuple(Sentence.of_words(w, f"{path.name}:{n}") for n, w in cut if w))


def brown() -> Iterator[list[str]]:
    """The sentences of the Brown Corpus without their tags, cut into words as a treebank does."""
    files: Iterable[AnyPath] = find_nltk(BROWN, "").iterdir()
    for path in sorted(files, key=lambda path: path.name):
        lines = read_text(path).split("\n") if re.fullmatch(r"c[a-r]\d\d", path.name) else ()
        for line in lines:
            words = [token.rpartition("/")[0] for token in line.split()]
            if words:
                yield [part for word in words for part in cut(word)]


def cut(word: str) -> tuple[str, ...]:
    """A word without what is written together with it.

    >>> cut("Atlanta's"), cut("didn't"), cut("jurors'"), cut("''"), cut("o'clock")
    (('Atlanta', "'s"), ('did', "n't"), ('jurors', "'"), ("''",), ("o'clock",))
    """
    parts = CLITIC.fullmatch(word)
    return (word,) if parts is None else (parts[1], parts[2])
