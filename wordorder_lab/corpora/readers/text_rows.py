"""Compression pairs as words alone, a JSON object a line: a sentence and its shorter versions.

    {"id": "report.0", "text": "Rain fell again .", "summaries": ["Rain fell ."]}

Words stand with a space between them. ``id`` is the document, a dot and the number of the sentence
in it; without one, the line is its own document. ``summaries`` has one version or several.
"""

from __future__ import annotations

from typing import Any

from wordorder_lab.corpora.readers.compression_rows import read_rows
from wordorder_lab.corpora.readers.corpus import CorpusError, Part
from wordorder_lab.corpora.readers.files import AnyPath
from wordorder_lab.corpora.readers.word_alignment import deletion_alignment
from wordorder_lab.structures.compression import Keep, TextPair, Words
from wordorder_lab.structures.messages import unfit_character

EXAMPLE = '{"id": "report.0", "text": "Rain fell again .", "summaries": ["Rain fell ."]}'


def read_texts(path: AnyPath) -> Part[TextPair]:
    """The pairs of a file, plain or ``.gz``, documents and their sentences in order.

    A document stands where its first sentence does, its sentences by their numbers. Raises
    ``CorpusError`` with file and line for whatever is wrong, and for a name that comes twice.
    """
    name = path.name.removesuffix(".gz")
    pairs = [_pair(row, f"line {n:,} of {path}", f"{name}:{n}") for n, row in read_rows(path)]
    if not pairs:
        raise CorpusError(f"{path} holds no pairs: give lines like {EXAMPLE}")
    seen: set[str] = set()
    for pair in pairs:
        if pair.name in seen:
            raise CorpusError(f"{path}: two sentences are called {pair.name}: give each its own id")
        seen.add(pair.name)
    first: dict[str, int] = {}
    for place, pair in enumerate(pairs):
        first.setdefault(pair.document, place)
    pairs.sort(key=lambda pair: (first[pair.document], _number(pair)))
    return Part(tuple(pairs))


def holds_texts(row: dict[str, Any]) -> bool:
    """Whether a row is of this form, and not of that with trees."""
    return "text" in row and "source_tree" not in row


def _number(pair: TextPair) -> int:
    """The number of a sentence in its document; 0 without one, so that lines stay in order."""
    last = pair.name.rpartition(".")[2]
    return int(last) if last.isascii() and last.isdigit() and len(last) < 10 else 0


def _pair(row: dict[str, Any], place: str, name: str) -> TextPair:
    source = _words(row.get("text"), f"{place}: text")
    versions = row.get("summaries")
    if not isinstance(versions, list) or not versions:
        raise CorpusError(f"{place}: summaries should be a list of one text or more: {EXAMPLE}")
    targets = tuple(_words(one, f"{place}: summaries[{i}]") for i, one in enumerate(versions))
    keeps = tuple(keep_of(source, target) for target in targets)
    return TextPair(source, targets, keeps, str(row.get("id", name)))


def _words(text: object, place: str) -> Words:
    if not isinstance(text, str) or not text.split():
        raise CorpusError(f"{place} should be words with a space between them: {EXAMPLE}")
    if found := unfit_character(text):
        raise CorpusError(f"{place}: {found[1]}")
    return tuple(text.split())


def keep_of(source: Words, target: Words) -> Keep | None:
    """Which words stay, by ``deletion_alignment``; ``None`` where deletion alone does not do it.

    A word that only changes its capitals is another word here: it is learned as a substitution.
    """
    pairs = deletion_alignment(source, target)
    if pairs is None or any(source[i] != target[j] for i, j in pairs):
        return None
    stays = {i for i, _ in pairs}
    return tuple(place in stays for place in range(len(source)))
