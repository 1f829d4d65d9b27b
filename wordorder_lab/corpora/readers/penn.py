"""Penn Treebank trees: read from their files, base NPs kept whole, turned into dependencies.

NLTK reads the trees. It says neither in which line a bracket is broken nor complains about a word
without a tag; that is done here. The line is found by the way the Treebank is laid out: a line that
opens a bracket is indented by two spaces for every bracket that is open.

Zhang, Blackwood and Clark (2012), Zhang and Clark (2015, section 5) and Liu et al. (2015, section
5) order sentences whose base noun phrases are given (``with_base_nps``). A base NP is an NP that
dominates no other NP. Empty NPs count for that test, and only then are the traces dropped.

Dependencies (``to_sentence``) follow the recipe of Penn2Malt, which the papers used: drop the
traces, find the head child of every phrase by a head table, and let the heads of the other children
depend on the head's head. Every tree that comes out is projective and has one root.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from wordorder_lab.corpora.readers.corpus import CorpusError
from wordorder_lab.corpora.readers.files import AnyPath, read_text
from wordorder_lab.structures.arguments import checks_arguments
from wordorder_lab.structures.head_rules import YAMADA_MATSUMOTO, HeadTable, bare_label
from wordorder_lab.structures.messages import cited, unfit_character
from wordorder_lab.structures.sentence import ROOT, Sentence, Token

if TYPE_CHECKING:
    from nltk.tree import Tree


MAX_DEPTH = 200
"""Brackets that may be open at once; the Treebank has at most a few dozen."""

WSJ = re.compile(r"wsj_\d{4}")
"""Begins the name of a file of the Treebank, which is a document."""
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
    """The trees of a text, without the empty bracket around each; ``source`` names it in errors."""
    from wordorder_lab.structures.phrase_tree import PhraseTree

    _check_words(text, source)
    trees = []
    for start, end in _tree_spans(text, source):
        try:
            tree = PhraseTree.fromstring(text[start:end], remove_empty_top_bracketing=True)
        except ValueError as error:
            raise _broken(text, start, source, str(error).splitlines()[0]) from None
        trees.append(tree)
    if not trees:
        raise CorpusError(f"{source} holds no trees: give a file of bracketed Penn Treebank trees")
    return trees


def _tree_spans(text: str, source: str) -> Iterator[tuple[int, int]]:
    depth = start = 0
    for bracket in _BRACKET.finditer(text):
        if bracket.group() == "(":
            if not depth:
                start = bracket.start()
            depth += 1
            if depth > MAX_DEPTH:
                what = f"more than {MAX_DEPTH} brackets are open"
                raise BrokenTree(_suspicious_line(text), source, what)
        else:
            depth -= 1
            if not depth:
                _check_labels(text, start, bracket.end(), source)
                yield start, bracket.end()
            elif depth < 0:
                what = "there is a closing bracket too many"
                raise BrokenTree(_suspicious_line(text), source, what)
    if depth:
        raise BrokenTree(_suspicious_line(text), source, "a closing bracket is missing")


def _check_labels(text: str, start: int, end: int, source: str) -> None:
    """Inside a tree every bracket has a label; without one, two sentences ran into each other."""
    if match := _NO_LABEL.search(text, start + 1, end):
        line = _line(text, match.start())
        if line > _line(text, start):
            what = f"the tree before line {line:,} is not closed"
            raise BrokenTree(_suspicious_line(text), source, what)
        raise _broken(text, match.start(), source, "an opening bracket without a label")


def _check_words(text: str, source: str) -> None:
    if found := unfit_character(text):
        raise BrokenTree(found[0], source, found[1])
    if match := _MALFORMED.search(text):
        assert match.lastgroup is not None
        shown = " ".join(match.group().split())
        # The last word of the match is where the pattern of a tree was left.
        at = match.end() - 1 if match.lastgroup != "empty" else match.start()
        raise _broken(text, at, source, f"{_WHAT[match.lastgroup]} ({cited(shown[:40])})")


def _broken(text: str, at: int, source: str, what: str) -> BrokenTree:
    return BrokenTree(_line(text, at), source, what)


def _line(text: str, at: int) -> int:
    return text.count("\n", 0, at) + 1


def _suspicious_line(text: str) -> int:
    """Where brackets and indentation part; if it is not indented, before the next tree begins."""
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
        brackets = _BRACKET.findall(line)
        depth += brackets.count("(") - brackets.count(")")
        if depth < 0:
            return suspect or number
        last = number
    return suspect or last


BASE_NP = "NP"


def without_traces(tree: Tree) -> Tree | None:
    """A copy without empty elements and the phrases that hold nothing else; ``None`` if all is."""
    if is_tagged_word(tree):
        return None if tree.label() == "-NONE-" else tree
    children = [kept for child in tree if (kept := without_traces(child)) is not None]
    return type(tree)(tree.label(), children) if children else None


def with_base_nps(tree: Tree, min_words: int = 1) -> Tree | None:
    """A copy without traces, each base NP of ``min_words`` or more words a leaf, the tuple of its
    words below a node ``NP``; ``None`` for traces alone."""

    def collapse(node: Tree) -> tuple[Tree | None, bool]:
        """The copy of a node, and whether an NP, empty or not, was in the original."""
        if is_tagged_word(node):
            return without_traces(node), False
        pairs = [collapse(child) for child in node]
        children = [child for child, _ in pairs if child is not None]
        holds_np = any(holds for _, holds in pairs)
        is_np = bare_label(node.label()) == "NP"
        copy = type(node)(node.label(), children) if children else None
        if copy and is_np and not holds_np and len(words := copy.leaves()) >= min_words:
            copy = type(node)(BASE_NP, [tuple(words)])
        return copy, is_np or holds_np

    return collapse(tree)[0]


def is_tagged_word(tree: Tree) -> bool:
    """Whether a node is a tag with its word below, rather than a phrase."""
    return isinstance(tree[0], (str, tuple))


def to_sentence(
    tree: Tree, units: str = "words", min_np_words: int = 1, name: str = ""
) -> Sentence | None:
    """The sentence of a Penn tree; ``None`` for traces only."""
    kept = with_base_nps(tree, min_np_words) if units == "base-np" else without_traces(tree)
    if kept is None:
        return None
    document = WSJ.match(name)
    return Sentence(tokens_of(kept), name, document=document.group() if document else "")


def tokens_of(tree: Tree, table: HeadTable = YAMADA_MATSUMOTO) -> tuple[Token, ...]:
    """The leaves of a tree without traces, each with its tag and its head by ``table``."""
    leaves: list[tuple[tuple[str, ...], str]] = []
    heads: list[int] = []

    def visit(node: Tree) -> int:
        """Give every word below ``node`` its head, except the head word, which is returned."""
        if is_tagged_word(node):
            word = node[0]
            leaves.append((word if isinstance(word, tuple) else (word,), node.label()))
            heads.append(ROOT)
            return len(leaves) - 1
        positions = [visit(child) for child in node]
        head = positions[table.head(node.label(), [child.label() for child in node])]
        for position in positions:
            if position != head:
                heads[position] = head
        return head

    visit(tree)
    return tuple(Token(words, tag, head) for (words, tag), head in zip(leaves, heads, strict=True))


EXAMPLE = "(S (NP (NN rain)) (VP (VBD fell)))"


@checks_arguments
def parse_tree(text: str, place: str = "the tree") -> Tree:
    """One bracketed tree as somebody types it: ``(S (NP (NN rain)) (VP (VBD fell)))``.

    The empty bracket that the Treebank puts around a sentence is taken off, function tags and
    traces too. ``place`` says where the text stands, for whoever reads an error. Raises
    ``CorpusError``, a ``ValueError``, that begins with it: for brackets that do not match, a word
    without a tag, an empty label, no tree or several.
    """
    if not text.strip():
        raise CorpusError(f"{place}: there is no tree here: give one like {EXAMPLE}")
    try:
        trees = parse_trees(text, place)
    except BrokenTree as error:
        raise CorpusError(f"{place}: {error.what}: give a tree like {EXAMPLE}") from None
    if len(trees) > 1:
        raise CorpusError(f"{place}: {len(trees)} trees, where one should be")
    return bare_tree(trees[0], place)


def bare_tree(tree: Tree, place: str) -> Tree:
    """A copy without function tags and traces; ``CorpusError`` for no label, and for no words."""

    def bare(node: Tree) -> Tree:
        label = bare_label(node.label())
        if not label:
            words = " ".join(node.leaves())
            raise CorpusError(f"{place}: the bracket around {cited(words[:40])} has no label")
        below = list(node) if is_tagged_word(node) else list(map(bare, node))
        return type(node)(label, below)

    kept = without_traces(tree)
    if kept is None:
        raise CorpusError(f"{place}: this tree holds traces and no words")
    return bare(kept)
