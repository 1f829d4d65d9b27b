r"""Sentences whose words have categories: of files with a line each, or of derivations.

    word|POS|category word|POS|category

A word may have several categories, each with its probability or without:
``word|POS|cat:0.9|cat:0.1`` is what ``wordorder-lab supertag`` prints. Within a phrase that is kept
whole a space is written ``\ ``, and a ``|`` that belongs to a word ``\|``. Empty lines,
and those that begin with ``#``, are passed over.

Differences
- *Paper silent*: Rimell & Clark (2008) annotated questions with a part to train on and one to test
  on, and 1,000 sentences of GENIA, which are cut in three in file order.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

from wordorder_lab.corpora.readers.corpus import CorpusError, Part, WithUnits, cut_in_three, unknown
from wordorder_lab.corpora.readers.files import AnyPath, given_splits, read_text
from wordorder_lab.corpora.registry import CORPORA, load_corpus
from wordorder_lab.structures.category import Category, CategoryError
from wordorder_lab.structures.messages import cited
from wordorder_lab.structures.sentence import Supertagged, Unit, supertagged

FOLDER = "ccg_small/supertags"
SOURCE = "Rimell & Clark (2008)"
_TRAIN, _TEST = (f"{FOLDER}/questions_{split}.stagged.gz" for split in ("train", "test"))
SUPERTAGS: dict[str, tuple[str, dict[str, str]]] = {
    "genia": ("1,000 sentences on molecular biology", {"": f"{FOLDER}/genia1000.stagged.gz"}),
    "questions": ("1,828 questions: train and test", {"train": _TRAIN, "test": _TEST}),
}
"""Name -> a line on it, and the file of each split; without a split, it is cut in three."""
ENDINGS = (".stagged", ".stagged.gz")
_SPACE, _BAR = re.compile(r"(?<!\\)\s+"), re.compile(r"(?<!\\)\|")


class TaggedCorpus(WithUnits[Supertagged]):
    """A corpus of sentences with categories; ``units`` says what one word is."""


def load_supertags(
    name_or_path: str | os.PathLike[str], *, units: str | None = None
) -> TaggedCorpus:
    """A corpus by its name in ``SUPERTAGS`` or ``CORPORA``, or by a path: files of ``ENDINGS`` have
    ``word|POS|category``, of others the derivations count, over words unless ``units`` says
    otherwise. Raises ``CorpusError`` for what is not there, is broken, or has no derivations."""
    name, path = str(name_or_path), Path(name_or_path)
    if name in SUPERTAGS or name.endswith(ENDINGS):
        if units not in (None, "words"):
            why = "has words with categories and no phrases: its units are words"
            raise CorpusError(f"{name} {why}")
        readers = cut_in_three(partial(_read, path))
        if name in SUPERTAGS:
            readers = given_splits(name, f"of {SOURCE}", SUPERTAGS[name][1], None, _read)
        return TaggedCorpus(path.name, "words", readers)
    if name not in CORPORA and not path.exists():
        raise unknown(name, (*SUPERTAGS, *CORPORA))
    corpus = load_corpus(name, units=units or "words")

    def of_split(split: str) -> Part[Supertagged]:
        """The sentences that have a derivation; the others count as left out."""
        sentences = corpus.split(split)
        kept = supertagged(sentences)
        without = len(sentences) - len(kept)
        if not kept:
            raise CorpusError(
                f"no sentence of {name} ({split}) has a CCG derivation, and so no word a category: "
                f"take gazette, ptb-sample, {' or '.join(SUPERTAGS)}"
            )
        return Part(tuple(kept), ((len(kept), "without derivation"),) * without)

    splits = {split: partial(of_split, split) for split in corpus.splits}
    return TaggedCorpus(corpus.name, corpus.units, splits)


def _read(path: Path) -> Part[Supertagged]:
    """The sentences of a file; ``CorpusError`` for a word with several categories."""
    sentences = []
    for line in read_supertags(path):
        several = [i for i, own in enumerate(line.categories) if len(own) > 1]
        if several:
            word = " ".join(line.words[several[0]])
            raise CorpusError(
                f"{path}, line {line.number:,}: {cited(word)} has several categories; to learn or "
                "to score each word has one"
            )
        categories = tuple(Category.parse(own[0]) for own in line.categories)
        name = f"{path.name}:{line.number}"
        sentences.append(Supertagged(line.words, line.pos, categories, name))
    return Part(tuple(sentences))


class Line(NamedTuple):
    """A line: its number in the file, and of each unit its words, tag and categories."""

    number: int
    words: tuple[Unit, ...]
    pos: tuple[str, ...]
    categories: tuple[tuple[str, ...], ...]


def read_supertags(path: AnyPath | str) -> list[Line]:
    """All lines of a file, plain or ``.gz``; ``CorpusError`` with a line of another form."""
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
    """Typed words, ``rain|NN falls``, each with its tag or ``None``; else ``ValueError``."""
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
