r"""Sentences whose words have categories, a line each: ``word|POS|category word|POS|category``.

A word may have several categories, each with its probability or without:
``word|POS|cat:0.9|cat:0.1`` is what ``wordorder-lab supertag`` prints. Within a phrase that is kept
whole a space is written ``\ ``, and a ``|`` that belongs to a word ``\|``. Empty lines,
and those that begin with ``#``, are passed over.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from wordorder_lab.corpora.readers.corpus import CorpusError
from wordorder_lab.corpora.readers.files import AnyPath, read_text
from wordorder_lab.structures.category import Category, CategoryError
from wordorder_lab.structures.messages import cited
from wordorder_lab.structures.sentence import Unit

_SPACE, _BAR = re.compile(r"(?<!\\)\s+"), re.compile(r"(?<!\\)\|")


class Line(NamedTuple):
    """A line: its number in the file, and of each unit its words, tag and categories."""

    number: int
    words: tuple[Unit, ...]
    pos: tuple[str, ...]
    categories: tuple[tuple[str, ...], ...]


def read_supertags(path: AnyPath | str) -> list[Line]:
    """All lines of a file, plain or ``.gz``.

    Raises ``CorpusError`` with the number of a line that is not of this form, and where the file
    cannot be read.
    """
    text = read_text(Path(path) if isinstance(path, str) else path)
    return list(parse_supertags(text.split("\n"), str(path)))


def parse_supertags(lines: Iterable[str], source: str) -> Iterator[Line]:
    """The same for lines; ``source`` is what messages call them."""
    for number, line in enumerate(lines, 1):
        if not line.strip() or line.startswith("#"):
            continue
        units = [_unit(word, f"{source}, line {number:,}") for word in _SPACE.split(line.strip())]
        words, pos, categories = zip(*units)
        yield Line(number, words, pos, categories)


def _unit(text: str, where: str) -> tuple[Unit, str, tuple[str, ...]]:
    word, *rest = _BAR.split(text, maxsplit=1)
    more = rest[0].split("|") if rest else []  # a tag may end in a backslash, as one of questions
    if len(more) < 2:  # then the backslash belongs to the word, as in one of questions
        word, *more = text.split("|")
    if not word or len(more) < 2 or not all(more):
        raise CorpusError(
            f"{where}: {cited(text)} is not word|POS|category (a | that belongs to the word is \\|)"
        )
    unit = _words(word)
    try:
        return unit, more[0], tuple(_category(one) for one in more[1:])
    except CategoryError as error:
        raise CorpusError(f"{where}: {cited(text)}: {error}") from None


def _category(text: str) -> str:
    category, colon, share = text.rpartition(":")
    if colon and category and re.fullmatch(r"[0-9.]+(e-?[0-9]+)?", share):
        text = category
    return str(Category.parse(text))


def write_unit(unit: Unit, pos: str, categories: Sequence[tuple[str, float]]) -> str:
    """A unit with its categories and their probabilities, as the reader takes them."""
    word = "\\ ".join(word.replace("|", "\\|") for word in unit)
    return "|".join([word, pos, *(f"{text}:{share:.6g}" for text, share in categories)])


def read_words(line: str) -> tuple[list[Unit], list[str | None]]:
    """Words as they are typed, ``rain|NN falls``: each with its tag, or ``None`` without one.

    Raises ``ValueError`` for a tag without a word, and for more than a tag.
    """
    units: list[Unit] = []
    tags: list[str | None] = []
    for text in _SPACE.split(line.strip()):
        word, *tag = _BAR.split(text)
        if not word or len(tag) > 1 or not all(tag):
            raise ValueError(
                f"{cited(text)} is not a word or word|POS (a | that belongs to the word is \\|)"
            )
        units.append(_words(word))
        tags.append(tag[0] if tag else None)
    return units, tags


def _words(text: str) -> Unit:
    return tuple(text.replace("\\|", "|").replace("\\ ", " ").split(" "))
