"""Penn Treebank bracketings: files to ``nltk.Tree``, and the line of whatever is broken in them.

NLTK reads the trees. What it does not do is done here: it says neither in which line a bracket
is broken nor complains about a word without a tag, and its corpus reader repairs such trees
silently. The line is found by the way the Treebank is laid out: a line that opens a bracket is
indented by two spaces for every bracket that is open.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from wordorder_lab.corpora.readers.corpus import CorpusError
from wordorder_lab.corpora.readers.files import AnyPath, read_text

if TYPE_CHECKING:  # importing NLTK takes most of a second, so it waits until a tree is read
    from nltk.tree import Tree

MAX_DEPTH = 200
"""Brackets that may be open at once; the Treebank has at most a few dozen."""

_OPEN, _CLOSE = r"(?<!\\)\(\s*+", r"\s*+(?<!\\)\)"
_WORD = r"(?:\\[()]|[^\s()])++"
_BRACKET = re.compile(r"(?<!\\)[()]")
_NO_LABEL = re.compile(rf"{_OPEN}\(")
_MALFORMED = re.compile(
    rf"(?P<empty>{_OPEN}(?:{_WORD})?{_CLOSE})"
    rf"|(?P<crowded>{_OPEN}{_WORD}\s++{_WORD}(?!{_CLOSE}))"
    rf"|(?P<untagged>(?:\A|(?<!\\)\))\s*+{_WORD})"
)
_WHAT = {
    "empty": "these brackets hold nothing",
    "crowded": "after a tag and its word a closing bracket should follow",
    "untagged": "this word stands outside the brackets of a tag",
}


class BrokenTree(CorpusError):
    """A bracketing that cannot be read; ``what`` is wrong with it, without the place."""

    def __init__(self, line: int, source: str, what: str) -> None:
        super().__init__(f"a broken bracket on line {line:,} of {source}: {what}")
        self.what = what


def read_tree_file(path: AnyPath) -> list[Tree]:
    """The trees of one file. Raises ``CorpusError`` with file and line if anything is broken."""
    return parse_trees(read_text(path), str(path))


def parse_trees(text: str, source: str) -> list[Tree]:
    """The trees of a text; ``source`` names it in errors.

    The empty bracket that the Treebank puts around every sentence is taken off. Raises
    ``CorpusError`` for a broken bracket, a word without a tag, and a text without trees.
    """
    from nltk.tree import Tree

    _check_words(text, source)
    trees = []
    for start, end in _tree_spans(text, source):
        try:
            tree = Tree.fromstring(text[start:end], remove_empty_top_bracketing=True)
        except ValueError as error:
            raise _broken(text, start, source, str(error).splitlines()[0]) from None
        trees.append(tree)
    if not trees:
        raise CorpusError(f"{source} holds no trees: give a file of bracketed Penn Treebank trees")
    return trees


def _tree_spans(text: str, source: str) -> Iterator[tuple[int, int]]:
    """Where every outermost bracket opens and closes."""
    depth = start = 0
    for bracket in _BRACKET.finditer(text):
        if bracket.group() == "(":
            if not depth:
                start = bracket.start()
            depth += 1
            if depth > MAX_DEPTH:
                raise _unbalanced(text, source, f"more than {MAX_DEPTH} brackets are open")
        else:
            depth -= 1
            if not depth:
                _check_labels(text, start, bracket.end(), source)
                yield start, bracket.end()
            elif depth < 0:
                raise _unbalanced(text, source, "there is a closing bracket too many")
    if depth:
        raise _unbalanced(text, source, "a closing bracket is missing")


def _check_labels(text: str, start: int, end: int, source: str) -> None:
    """Inside a tree every bracket has a label; without one, two sentences ran into each other."""
    if match := _NO_LABEL.search(text, start + 1, end):
        line = _line(text, match.start())
        if line > _line(text, start):
            raise _unbalanced(text, source, f"the tree before line {line:,} is not closed")
        raise _broken(text, match.start(), source, "an opening bracket without a label")


def _check_words(text: str, source: str) -> None:
    if match := _MALFORMED.search(text):
        assert match.lastgroup is not None
        shown = " ".join(match.group().split())
        # The last word of the match is where the pattern of a tree was left.
        at = match.end() - 1 if match.lastgroup != "empty" else match.start()
        raise _broken(text, at, source, f"{_WHAT[match.lastgroup]} ({shown[:40]!r})")


def _unbalanced(text: str, source: str, what: str) -> BrokenTree:
    return BrokenTree(_suspicious_line(text), source, what)


def _broken(text: str, at: int, source: str, what: str) -> BrokenTree:
    return BrokenTree(_line(text, at), source, what)


def _line(text: str, at: int) -> int:
    return text.count("\n", 0, at) + 1


def _suspicious_line(text: str) -> int:
    """The line after which brackets and indentation no longer agree, in a text known as broken.

    Where the text is not indented as the Treebank is: the line before the next tree begins.
    """
    depth, last, suspect = 0, 1, None
    for number, line in enumerate(text.split("\n"), start=1):
        code = line.strip()
        if not code:
            continue
        if line[0] == "(":
            if depth:
                return suspect or last
            suspect = None  # whatever was odd before was only another style
        indent = len(line) - len(line.lstrip())
        if suspect is None and code[0] == "(" and indent != 2 * depth:
            suspect = number if indent % 2 else last  # odd: this line lost its first bracket
        depth += sum(1 if b == "(" else -1 for b in _BRACKET.findall(line))
        if depth < 0:
            return suspect or number
        last = number
    return suspect or last
