"""Compression pairs as JSON lines: a sentence and its shorter versions, as bracketed trees.

    {"id": "1", "source_tree": "(S (NP (NN rain)) (VP (VBD fell) (ADVP (RB again))))",
     "target_tree": "(S (NP (NN rain)) (VP (VBD fell)))", "alignment": [[0, 0], [1, 1]]}

``target_trees``, a list, is for several references; the first is learned from. ``alignment`` has
pairs of places counted from 0, as above or as the text ``"0-0 1-1"``; without it the target has to
be the source with words left out, and the pairs are found. ``id`` and ``kind`` may be missing.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from wordorder_lab.corpora.readers.bare_trees import parse_tree
from wordorder_lab.corpora.readers.corpus import CorpusError, Part, progress
from wordorder_lab.corpora.readers.files import AnyPath, read_text
from wordorder_lab.corpora.readers.word_alignment import (
    Alignment,
    checked_alignment,
    deletion_alignment,
    parse_alignment,
)

if TYPE_CHECKING:  # it brings NLTK with it, which takes most of a second
    from nltk.tree import Tree

    from wordorder_lab.structures.compression import CompressionPair

Row = dict[str, Any]


def read_pairs(path: AnyPath) -> Part[CompressionPair]:
    """The pairs of a file. Raises ``CorpusError`` with file and line for whatever is wrong."""
    rows = read_rows(path)
    if not rows:
        raise CorpusError(f"{path} holds no pairs: give JSON lines with source_tree, target_tree")
    name = path.name.removesuffix(".gz")
    return Part(
        tuple(
            pair_of(row, f"line {line:,} of {path}", f"{name}:{line}")
            for line, row in progress(rows, f"reading {name}", few=500)
        )
    )


def read_rows(path: AnyPath) -> list[tuple[int, Row]]:
    """The number of each line that is not blank, and its JSON object."""
    rows = []
    for line, text in enumerate(read_text(path).split("\n"), start=1):
        if not text.strip():
            continue
        place = f"line {line:,} of {path}"
        try:
            row = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise CorpusError(f"{place}: this is no JSON: {error}") from None
        if not isinstance(row, dict):
            raise CorpusError(f"{place}: a JSON object should stand here, with braces around it")
        rows.append((line, row))
    return rows


def first_row(path: AnyPath) -> Row | None:
    """The first JSON object of a file; ``None`` if its first line is none, or there is no line.

    Raises ``CorpusError`` for a file that cannot be read.
    """
    first = next((line for line in read_text(path).split("\n") if line.strip()), "")
    try:
        row = json.loads(first)
    except (ValueError, RecursionError):
        return None
    return row if isinstance(row, dict) else None


def pair_of(row: Row, place: str, name: str) -> CompressionPair:
    """The pair of one row; ``place`` begins errors, ``name`` is its name if it has no ``id``."""
    source = _tree(row.get("source_tree"), f"{place}: source_tree")
    return pair_with(source, row, place, name)


def pair_with(source: Tree, row: Row, place: str, name: str) -> CompressionPair:
    """The pair of a source that has been read already and a row with everything else."""
    from wordorder_lab.structures.compression import CompressionPair

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
) -> Alignment:
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
        return checked_alignment(parse_alignment(given, place), source, target, place)
    if not isinstance(given, list) or not all(map(_is_pair, given)):
        raise CorpusError(f"{place} should be pairs of places as in [[0, 0], [3, 2]]")
    return checked_alignment([(i, j) for i, j in given], source, target, place)


def _is_pair(given: object) -> bool:
    return (
        isinstance(given, list) and len(given) == 2 and all(type(place) is int for place in given)
    )
