"""Compression pairs as JSON lines: a sentence and its shorter versions, as trees or as words.

    {"id": "1", "source_tree": "(S (NP (NN rain)) (VP (VBD fell) (ADVP (RB again))))",
     "target_tree": "(S (NP (NN rain)) (VP (VBD fell)))", "alignment": [[0, 0], [1, 1]]}

``target_trees``, a list, is for several references; the first is learned from. ``alignment`` has
pairs of places counted from 0, as above or as the text ``"0-0 1-1"``; without it the target has to
be the source with words left out, and the pairs are found. ``id`` and ``kind`` may be missing.

    {"id": "report.0", "text": "Rain fell again .", "summaries": ["Rain fell ."]}

Words stand with a space between them. ``id`` is the document, a dot and the number of the sentence
in it; without one, the line is its own document. ``summaries`` has one version or several.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from wordorder_lab.corpora.readers import word_alignment
from wordorder_lab.corpora.readers.corpus import CorpusError, Part, progress
from wordorder_lab.corpora.readers.files import AnyPath, read_text
from wordorder_lab.corpora.readers.penn import parse_tree
from wordorder_lab.corpora.readers.word_alignment import checked_alignment, deletion_alignment
from wordorder_lab.structures.compression import CompressionPair, Keep, TextPair, Words
from wordorder_lab.structures.messages import unfit_character

if TYPE_CHECKING:  # it brings NLTK with it, which takes most of a second
    from nltk.tree import Tree

Row = dict[str, object]
EXAMPLE = '{"id": "report.0", "text": "Rain fell again .", "summaries": ["Rain fell ."]}'


def read_rows(path: AnyPath) -> list[tuple[int, Row]]:
    """The number of each line that is not blank, and its JSON object."""
    rows: list[tuple[int, Row]] = []
    for line, text in enumerate(read_text(path).split("\n"), start=1):
        place = f"line {line:,} of {path}"
        try:
            row = json.loads(text) if text.strip() else None
        except (ValueError, RecursionError) as error:
            raise CorpusError(f"{place}: this is no JSON: {error}") from None
        if isinstance(row, dict):
            rows.append((line, row))
        elif text.strip():
            raise CorpusError(f"{place}: a JSON object should stand here, with braces around it")
    return rows


def holds_texts(path: AnyPath) -> bool:
    """Whether the first row of a file has words, and not trees."""
    first = next((line for line in read_text(path).split("\n") if line.strip()), "")
    try:
        row = json.loads(first)
    except (ValueError, RecursionError):
        return False
    return isinstance(row, dict) and "text" in row and "source_tree" not in row


def read_pairs(path: AnyPath) -> Part[CompressionPair]:
    """The pairs of a file. Raises ``CorpusError`` with file and line for whatever is wrong."""
    rows = read_rows(path)
    if not rows:
        raise CorpusError(f"{path} holds no pairs: give JSON lines with source_tree, target_tree")
    name = path.name.removesuffix(".gz")
    pairs = []
    for line, row in progress(rows, f"reading {name}", few=500):
        place = f"line {line:,} of {path}"
        source = _tree(row.get("source_tree"), f"{place}: source_tree")
        pairs.append(pair_with(source, row, place, f"{name}:{line}"))
    return Part(tuple(pairs))


def pair_with(source: Tree, row: Row, place: str, name: str) -> CompressionPair:
    """The pair of a source and a row with all else; ``place`` begins errors."""
    targets = tuple(_targets(row, place))
    return CompressionPair(
        source,
        targets,
        _alignment(row.get("alignment"), source.leaves(), targets[0].leaves(), place),
        str(row.get("id", name)),
        str(row.get("kind", "")),
    )


def _targets(row: Row, place: str) -> list[Tree]:
    several = row.get("target_trees")
    if several is None:
        return [_tree(row.get("target_tree"), f"{place}: target_tree")]
    if "target_tree" in row:
        raise CorpusError(f"{place}: give target_tree or target_trees, not both")
    if not isinstance(several, list) or not several:
        raise CorpusError(f"{place}: target_trees should be a list of one or more trees")
    return [_tree(text, f"{place}: target_trees[{i}]") for i, text in enumerate(several)]


def _tree(text: object, place: str) -> Tree:
    if text is None:
        raise CorpusError(f"{place} is missing")
    if not isinstance(text, str):
        raise CorpusError(f"{place} should be text with brackets, not {str(text)[:40]}")
    return parse_tree(text, place)


def _alignment(
    given: object, source: Sequence[str], target: Sequence[str], place: str
) -> word_alignment.Alignment:
    if given is None:
        deletions = deletion_alignment(source, target)
        if deletions is None:
            raise CorpusError(
                f"{place}: the target is more than the source with words left out, "
                "so give an alignment"
            )
        return deletions
    place = f"{place}: alignment"
    if isinstance(given, str):
        return checked_alignment(
            word_alignment.parse_alignment(given, place), source, target, place
        )
    pairs: list[Any] = given if isinstance(given, list) else [None]
    for pair in pairs:
        if not isinstance(pair, list) or [type(one) for one in pair] != [int, int]:
            raise CorpusError(f"{place} should be pairs of places as in [[0, 0], [3, 2]]")
    return checked_alignment([(i, j) for i, j in pairs], source, target, place)


def read_texts(path: AnyPath) -> Part[TextPair]:
    """The pairs of a file, plain or ``.gz``: documents by their first sentence, sentences by
    number. Raises ``CorpusError`` with file and line for what is wrong, and for a name that comes
    twice."""
    name = path.name.removesuffix(".gz")
    pairs = [_texts(row, f"line {n:,} of {path}", f"{name}:{n}") for n, row in read_rows(path)]
    if not pairs:
        raise CorpusError(f"{path} holds no pairs: give lines like {EXAMPLE}")
    seen: set[str] = set()
    first: dict[str, int] = {}
    for place, pair in enumerate(pairs):
        if pair.name in seen:
            raise CorpusError(f"{path}: two sentences are called {pair.name}: give each its own id")
        seen.add(pair.name)
        first.setdefault(pair.document, place)

    def place_in_text(pair: TextPair) -> tuple[int, int]:
        last = pair.name.rpartition(".")[2]  # without a number lines stay in order
        is_number = last.isascii() and last.isdigit() and len(last) < 10
        return first[pair.document], int(last) if is_number else 0

    return Part(tuple(sorted(pairs, key=place_in_text)))


def _texts(row: Row, place: str, name: str) -> TextPair:
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
    """Which words stay; ``None`` where deletion alone does not do it, or capitals change."""
    pairs = deletion_alignment(source, target)
    if pairs is None or any(source[i] != target[j] for i, j in pairs):
        return None
    stays = {i for i, _ in pairs}
    return tuple(place in stays for place in range(len(source)))
