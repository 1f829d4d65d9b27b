"""The parser that ``--parser`` names, and lines of plain text that are given to it."""

from __future__ import annotations

import re
import sys
from typing import TYPE_CHECKING

from wordorder_lab.commands.common import DEFAULT_PARSER, open_parser
from wordorder_lab.corpora.texts import is_text
from wordorder_lab.structures.messages import one_line

if TYPE_CHECKING:
    from nltk.tree import Tree

    from wordorder_lab.systems.parsed_pairs import Parsing

_TREE = re.compile(r"\s*\(.*\([^\s()]+ [^\s()]+\).*\)\s*", re.DOTALL)
_STUCK = re.compile(
    r"""(?P<sign>[^\W\d_]{2,}[,;:!?)"”]+|["“(][^\W_]+|[^\W_]{3,}\.)"""
    r"""|(?P<clitic>[^\W\d_]+(?:n[’']t|[’'](?:s|re|ve|ll|d|m)))""",
    re.IGNORECASE,
)
"""A word that a sign or a contracted word hangs on; *etc.* and *Corp.* are told by their place."""


def parser_for(name: str | None, corpus: str) -> Parsing | None:
    """The parser that a corpus needs, if its sentences have no trees, or that somebody names.

    Raises ``ValueError`` as ``open_parser``, and ``CorpusError`` for a file that cannot be read.
    """
    if name is None and not is_text(corpus):
        return None
    return open_parser(name or DEFAULT_PARSER)


def parsed_line(parser: Parsing, line: str, place: str) -> Tree:
    """The tree of a line of plain text, its words apart by spaces.

    Raises ``ValueError``, which begins with ``place``, for a tree in brackets and for what the
    parser refuses.
    """
    if _TREE.fullmatch(line):
        raise ValueError(f"{place}: this is a tree, and --parser is for plain text: leave it out")
    try:
        tree: Tree = parser.parse(line.split()).tree
    except ValueError as error:
        raise ValueError(f"{place}: {error}") from None
    return tree


class HintOnce:
    """Tells on stderr, for the first line of text that seems not to be tokenised, what to do."""

    def __init__(self) -> None:
        self.said = False

    def about(self, line: str, place: str) -> None:
        """Look at a line; ``place`` begins what is said."""
        if not self.said and (hint := tokenisation_hint(line)):
            self.said = True
            print(one_line(f"{place}{hint}"), file=sys.stderr)


def tokenisation_hint(line: str) -> str:
    """What to do about text whose signs hang on words, with an example; empty for other text."""
    words = line.split()
    for place, word in enumerate(words):
        stuck = _STUCK.fullmatch(word)
        if stuck is None:
            continue
        if word.endswith(".") and place < len(words) - 1:  # perhaps an abbreviation
            continue
        return (
            f"is this text tokenised? {word!r} looks like two words: the parser has learned from "
            f"text as {_apart(word)!r}, with a space before every sign and before 's and n't"
        )
    return ""


def _apart(word: str) -> str:
    """The word as a treebank has it."""
    word = re.sub(r"(n[’']t|[’'](?:s|re|ve|ll|d|m))$", r" \1", word, flags=re.IGNORECASE)
    word = re.sub(r"""([,;:!?)"”.]+)$""", r" \1", word)
    return re.sub(r"""^(["“(])""", r"\1 ", word).strip()
