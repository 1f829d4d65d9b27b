"""CCG derivations of Penn trees: made when the first is asked for, then kept in the user's cache.

The rules are in ``penn_to_ccg``. What they give for the trees of some files is one file in the
cache, whose name holds a checksum of the trees and one of the code that converts. A split is read
by itself, so each has its own file, and looking at dev does not wait for the conversion of train.

A sentence whose tree was not converted is still a sentence: only its derivation is ``None``.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from wordorder_lab.corpora.readers.ccgbank import format_derivation, over_tokens, read_derivation
from wordorder_lab.corpora.readers.corpus import CorpusError, progress
from wordorder_lab.corpora.readers.files import AnyPath, read_text
from wordorder_lab.corpora.readers.penn import parse_trees, without_traces
from wordorder_lab.runtime.user_cache import code_checksum, keep_value, kept_value
from wordorder_lab.structures.derivation import Derivation
from wordorder_lab.structures.sentence import Token

if TYPE_CHECKING:
    from nltk.tree import Tree

FOLDER = "penn-to-ccg"
CODE = """
corpora/penn_to_ccg corpora/penn_derivations.py corpora/readers/penn.py corpora/readers/ccgbank.py
structures/category.py structures/combinators.py structures/derivation.py
structures/head_rules.py structures/phrase_tree.py structures/plain_tree.py
""".split()
"""Files and folders that decide what comes of a tree."""

OTHER_WORDS, UNREADABLE = "other words", "unreadable"
"""Reasons beside those of the rules: other words or tags, or no form in its own file format."""


class Converted(NamedTuple):
    """What came of a tree: a derivation as a line of an ``.auto`` file, or why there is none."""

    line: str
    reason: str = ""
    detail: str = ""

    def derivation(self) -> Derivation | None:
        """The derivation, parsed. Raises ``CorpusError`` for a line that is none."""
        return read_derivation(self.line, 1, f"the cached {FOLDER}") if self.line else None


class PennDerivations:
    """The derivations of all trees of some files, in the order of the trees."""

    def __init__(self, files: Sequence[AnyPath]) -> None:
        self.files = tuple(files)

    def __reduce__(self) -> tuple[object, ...]:  # another process reads the cache itself
        return type(self), (self.files,)

    def __getitem__(self, place: int) -> Converted:
        return self._made[0][place]

    @property
    def seconds(self) -> float:
        """How long the conversion took when it was made."""
        return self._made[1]

    @cached_property
    def _made(self) -> tuple[tuple[Converted, ...], float]:
        texts = [read_text(path) for path in self.files]
        trees = hashlib.sha256("\0".join(texts).encode("utf-8")).hexdigest()
        name = f"{trees[:20]}-{code_checksum(*CODE)[:20]}.json"
        if (kept := kept_value(FOLDER, name)) is not None:
            rows, seconds = kept
            return tuple(Converted(*row) for row in rows), seconds
        pairs = zip(texts, self.files, strict=True)
        every = [tree for text, path in pairs for tree in parse_trees(text, str(path))]
        begin = time.perf_counter()
        shown = progress(every, "making CCG derivations of Penn trees, once", few=100)
        made = tuple(map(converted_tree, shown)), round(time.perf_counter() - begin, 1)
        keep_value(FOLDER, name, made)
        return made


def derivation_over(
    tokens: tuple[Token, ...], source: PennDerivations, place: int
) -> Derivation | None:
    """That of tree ``place`` over a sentence's own units, or ``None`` where they do not fit."""
    derivation = source[place].derivation()
    return derivation and over_tokens(derivation, tokens)


def converted_tree(tree: Tree) -> Converted:
    """What the rules make of a tree; its words and tags are the tree's, or it does not count."""
    from wordorder_lab.corpora.penn_to_ccg.convert import to_derivation

    conversion = to_derivation(tree)
    if conversion.derivation is None:
        return Converted("", conversion.reason, conversion.detail)
    words = tagged_words(tree)
    leaves = [(leaf.word, leaf.pos) for leaf in conversion.derivation.leaves()]
    for place, (wanted, made) in enumerate(zip(words, leaves, strict=False), start=1):
        if wanted != made:
            what = f"word {place} is {'/'.join(wanted)} and became {'/'.join(made)}"
            return Converted("", OTHER_WORDS, what)
    if len(words) != len(leaves):
        return Converted("", OTHER_WORDS, f"{len(words)} words became {len(leaves)}")
    line = format_derivation(conversion.derivation)
    try:
        read_derivation(line, 1, "the derivation")
    except CorpusError as error:
        return Converted("", UNREADABLE, str(error))
    return Converted(line)


def tagged_words(tree: Tree) -> list[tuple[str, str]]:
    """The words with their tags, without traces; none where the tree has traces only."""
    kept = without_traces(tree)
    return [] if kept is None else [(word, tag) for word, tag in kept.pos()]
