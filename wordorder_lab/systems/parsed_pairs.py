"""Compression pairs of real text with trees: sources and references parsed, and kept in the cache.

Cohn & Lapata (2009), section 6.1: both sides of a pair are parsed, and aligned by the deletions
that make the one of the other.

    for each split, when it is asked for:
        parse every sentence and reference once; what the cache has is not parsed again
        a pair has the source's tree, the references' trees, and the alignment of the first
        a source that the parser refuses leaves its pair out, a reference that it refuses itself

The parser is any object with ``parse(words)``, whose result has a ``tree``, and a ``checksum``:
trees of another parser, or of one whose code was edited, are never served.

Differences
- *Our reading*, section 6.1: of several annotators, all are references in scoring; to learn from,
  ``as_separate`` makes a pair of each. All of a sentence stay on one side of every cut. A pair of
  trees keeps the alignment of its first reference alone; those of the others are found anew from
  the words, and of equal words the leftmost is taken.
- *Our reading*: a reference with other words than its source is aligned by a minimum edit script,
  so that a word put for another is learned as a substitution. Neither corpus of the paper has one.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple, Protocol

from wordorder_lab.corpora.compressions import Compressions, load_compressions
from wordorder_lab.corpora.readers.corpus import Part
from wordorder_lab.corpora.readers.word_alignment import deletion_alignment, edit_alignment
from wordorder_lab.corpora.texts import Texts, is_text, load_texts
from wordorder_lab.runtime.progress import progress_bar
from wordorder_lab.runtime.user_cache import code_checksum, keep_value, kept_value
from wordorder_lab.structures.arguments import checks_arguments
from wordorder_lab.structures.compression import CompressionPair, TextPair, Words
from wordorder_lab.structures.phrase_tree import PhraseTree, phrase_nodes
from wordorder_lab.structures.plain_tree import Tree

FOLDER = "parses"
CODE = ("parsing", "systems/parser.py")
"""What may give another tree when it is edited, though the parser's file stays the same."""
AT_ONCE = 200
"""So many sentences go into a file of the cache: who is interrupted loses no more."""


class Parsing(Protocol):
    """What is asked of a parser."""

    @property
    def checksum(self) -> str:
        """What tells it from every other parser."""

    def parse(self, words: Sequence[str]) -> Any:
        """A result with the ``tree``; raises ``ValueError`` for what it cannot parse."""


class LeftOut(NamedTuple):
    """A sentence, or a reference of one (``name#2``), that has no tree, and why."""

    name: str
    why: str


class ParsedCompressions(Compressions):
    """Pairs of real text whose trees a parser made; a split is parsed when it is first used."""

    def __init__(self, texts: Texts, parser: Parsing | None, progress: bool) -> None:
        self.texts, self._parser, self._progress = texts, parser, progress
        self._left: dict[str, tuple[LeftOut, ...]] = {}
        readers = {split: partial(self._read, split) for split in texts.splits}
        super().__init__(texts.name, readers)

    @property
    def parser(self) -> Parsing:
        """The parser; the default one is found or trained when it is first needed."""
        if self._parser is None:
            from wordorder_lab.systems.parser import default_parser

            self._parser = default_parser()
        return self._parser

    def left_out(self, split: str) -> tuple[LeftOut, ...]:
        """What the parser refused, by name; the split is parsed for it."""
        self._part(split)
        return self._left[split]

    def _read(self, split: str) -> Part[CompressionPair]:
        pairs = self.texts.split(split)
        trees = parsed(every_sentence(pairs), self.parser, f"{self.name} {split}", self._progress)
        part, self._left[split] = with_trees(pairs, trees)
        skipped = self.texts.skipped(split)
        before = tuple((0, why) for why, count in skipped.items() for _ in range(count))
        return Part(part.sentences, before + part.left_out)


@checks_arguments
def compressions_of(
    name: str | os.PathLike[str], parser: Parsing | None = None, *, progress: bool = True
) -> Compressions:
    """Pairs of trees, wherever they come from: what trains and tests a compressor.

    ``name`` is one of ``TEXTS`` or a path of pairs in words (``load_texts``), which ``parser``
    gives trees (the default one without), or what ``load_compressions`` takes: "gazette", or a path
    of pairs of trees. Both sides are parsed, as in Cohn & Lapata 2009, section 6.1. Raises
    ``CorpusError`` as these do, when a split is read at the latest.
    """
    if is_text(name):
        return ParsedCompressions(load_texts(name), parser, progress)
    return load_compressions(name)


@checks_arguments
def as_separate(pairs: Sequence[CompressionPair]) -> list[CompressionPair]:
    """A pair for each reference, to learn from: of ``name`` they are ``name#1``, ``name#2``, ...

    So all annotators of Cohn & Lapata 2009, section 6.1, are learned from, which is our reading. A
    pair with one reference stays as it is. A pair holds the alignment of its first reference; the
    others' are found again in their words, as those of a corpus of texts were found.
    """
    separate: list[CompressionPair] = []
    for pair in pairs:
        if len(pair.targets) == 1:
            separate.append(pair)
            continue
        for number, target in enumerate(pair.targets, start=1):
            found, words = pair.alignment, (pair.source.leaves(), target.leaves())
            if number > 1:
                found = deletion_alignment(*words) or edit_alignment(*words)
            name = f"{pair.name}#{number}"
            separate.append(replace(pair, targets=(target,), alignment=found, name=name))
    return separate


# --- from words to trees --------------------------------------------------------------------------


def every_sentence(pairs: Sequence[TextPair]) -> list[Words]:
    """Sources and references in order, each once."""
    return list(dict.fromkeys(words for pair in pairs for words in (pair.source, *pair.targets)))


def with_trees(
    pairs: Sequence[TextPair], trees: dict[Words, Tree | str]
) -> tuple[Part[CompressionPair], tuple[LeftOut, ...]]:
    """The pairs as trees, and what has none; in place of a tree ``trees`` may have the reason."""
    made: list[CompressionPair] = []
    missing: list[tuple[int, str]] = []
    left_out: list[LeftOut] = []
    for pair in pairs:
        targets = []
        for number, words in enumerate(pair.targets):
            if isinstance(tree := trees[words], str):
                left_out.append(LeftOut(f"{pair.name}#{number + 1}", tree))
            else:
                found = pair.alignment(number) or edit_alignment(pair.source, words)
                targets.append((tree, found))
        if isinstance(source := trees[pair.source], str):
            left_out.append(LeftOut(pair.name, source))
        if isinstance(source, str) or not targets:
            missing.append((len(made), "without a tree"))
            continue
        several = tuple(tree for tree, _ in targets)
        made.append(CompressionPair(source, several, targets[0][1], pair.name))
    return Part(tuple(made), tuple(missing)), tuple(left_out)


def parsed(
    sentences: Sequence[Words], parser: Parsing, what: str = "", progress: bool = True
) -> dict[Words, Tree | str]:
    """The tree of each sentence, or the reason why the parser refuses it; the cache is asked first,
    under a checksum of sentences and parser."""
    trees: dict[Words, Tree | str] = {}
    bar = progress_bar(total=len(sentences), desc=f"parsing {what}", wanted=progress, delay=2)
    with bar:
        for begin in range(0, len(sentences), AT_ONCE):
            some = sentences[begin : begin + AT_ONCE]
            file = f"{_checksum(parser.checksum, some)}.json"
            rows = kept_value(FOLDER, file)
            if rows is None:
                rows = [_row(parser, words, bar.update) for words in some]
                keep_value(FOLDER, file, rows)
            else:
                bar.update(len(some))
            trees |= {words: _tree(row) for words, row in zip(some, rows)}
    return trees


def parse_of(
    parser: Parsing, sentences: Sequence[Sequence[str]]
) -> Callable[[Sequence[str]], Tree]:
    """The trees of these sentences, as a function of their words, which raises ``ValueError`` for
    one that the parser has refused; each is parsed once."""
    every = list(dict.fromkeys(map(tuple, sentences)))
    trees = parsed(every, parser, "outputs")

    def parse(words: Sequence[str]) -> Tree:
        if isinstance(tree := trees[tuple(words)], str):
            raise ValueError(tree)
        return tree

    return parse


def _checksum(parser: str, sentences: Sequence[Words]) -> str:
    whole = hashlib.sha256(f"{parser} {code_checksum(*CODE)}".encode())
    for words in sentences:
        whole.update("\0".join(words).encode("utf-8", "surrogateescape") + b"\n")
    return whole.hexdigest()


def _row(parser: Parsing, words: Words, done: Callable[[int], object]) -> Any:
    """A tree as nested lists, label first; or the reason why there is none."""
    try:
        tree = parser.parse(words).tree
        phrase_nodes(tree)
    except ValueError as error:
        return str(error)
    finally:
        done(1)
    if tuple(tree.leaves()) != words:
        return "the parser has changed its words"
    return _nested(tree)


def _nested(tree: Tree) -> list[object]:
    return [tree.label(), *(_nested(one) if isinstance(one, Tree) else one for one in tree)]


def _tree(row: Any) -> Tree | str:
    if isinstance(row, str):
        return row
    return PhraseTree(row[0], [_tree(one) for one in row[1:]])
