"""Rules of a synchronous tree substitution grammar: a pair of elementary trees and their alignment.

A rule <X, Y> -> <alpha, gamma, ~> rewrites a source node X as alpha and a target node Y as gamma
(Cohn & Lapata 2009, section 3.1, equation 1). In text: ``<S, VP> -> <[S NP_eps VP_1], VP_1>``. The
indices are the alignment ~; a node of the source with ``_eps`` is deleted with all below it.

Elementary trees are the fragments that the rules consist of. In text (Figure 3) brackets are around
a node and its children, as in ``[S [SBAR WHNP_1 S_2] [CC and] SBAR_eps]``. A leaf with an index is
a frontier node, or variable: a label where another tree goes. A leaf with ``_eps`` is one, too, but
nothing becomes of it. A leaf without either is a word. A backslash takes the meaning from
``[ ] _ < > ,``, a space and itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache

from wordorder_lab.structures.arguments import checks_arguments
from wordorder_lab.structures.messages import brief, cited


@dataclass(frozen=True)
class SynchronousRule:
    """A rule of the grammar, a pair of trees (Cohn & Lapata 2009, section 3.1, equation 1).

    ``source`` is alpha, a tree with at least one level; ``target`` is gamma, which may be a
    variable alone; its variables are numbered from left to right. Build one with
    ``synchronous_rule`` or ``parse_rule``, which check and number.
    """

    source: ElementaryTree
    target: ElementaryTree

    @property
    def roots(self) -> tuple[str, str]:
        """The labels of both roots: X of the source, Y of the target."""
        return self.source.label, self.target.label

    @cached_property
    def sides(self) -> tuple[str, str]:
        """Both trees in the notation."""
        return str(self.source), str(self.target)

    @cached_property
    def text(self) -> str:
        """The rule in the notation."""
        x, y = map(escaped, self.roots)
        return f"<{x}, {y}> -> <{', '.join(self.sides)}>"

    def __str__(self) -> str:
        return self.text

    @property
    def is_synchronous_context_free(self) -> bool:
        """Whether an SCFG could have it: each tree of one level at most, and so of one category."""
        return self.source.levels() <= 1 and self.target.levels() <= 1


def synchronous_rule(source: ElementaryTree, target: ElementaryTree) -> SynchronousRule:
    """A rule from its two sides, variables numbered anew in the order of the target.

    Raises ``ValueError`` where the sides do not have the same variables, each once; for an epsilon
    in the target, a word without a tag of its own, and a source that is a variable alone.
    """
    shown = f"<{source}, {target}>"
    if source.is_frontier:
        raise ValueError(
            f"{shown} is no rule: its source is a variable, so it would rewrite nothing"
        )
    if any(not isinstance(leaf, str) and leaf.index == EPSILON for leaf in target.frontier()):
        raise ValueError(f"{shown} is no rule: only nodes of the source may be deleted (_eps)")
    for side in (source, target):
        _check_words(side, shown)
    there, here = source.variables(), target.variables()
    if len(set(here)) < len(here) or sorted(there) != sorted(here):
        raise ValueError(f"{shown} is no rule: each variable stands once on either side")
    numbers = {old: new for new, old in enumerate(here, 1)}
    return SynchronousRule(source.renumbered(numbers), target.renumbered(numbers))


def _check_words(tree: ElementaryTree, shown: str) -> None:
    for child in tree.children:
        if not isinstance(child, str):
            _check_words(child, shown)
        elif len(tree.children) > 1:
            raise ValueError(
                f"{shown} is no rule: the word {cited(child)} has no tag, as in [NN rain]"
            )


@checks_arguments
def parse_rule(text: str) -> SynchronousRule:
    """The rule of a text such as ``<S, VP> -> <[S NP_eps VP_1], VP_1>``.

    In Cohn & Lapata 2009, section 3.1, it is ``<S, VP> -> <alpha, gamma, ~>``: the numbers say
    which nodes belong together, ``_eps`` marks a node that is deleted with all below it.

    Raises ``ValueError`` with the place for anything else, and as ``synchronous_rule``.
    """
    tokens = Tokens(text)
    tokens.take("<")
    x = unescaped(tokens.take())
    tokens.take(",")
    y = unescaped(tokens.take())
    for piece in (">", "-", ">", "<"):
        tokens.take(piece)
    source = read_tree(tokens)
    tokens.take(",")
    target = read_tree(tokens)
    tokens.take(">")
    tokens.end()
    if isinstance(source, str) or isinstance(target, str):
        raise ValueError(f"{cited(text)} is no rule: both sides are trees, not words")
    rule = synchronous_rule(source, target)
    if rule.roots != (x, y):
        raise ValueError(
            f"{cited(text)} says <{x}, {y}> and has trees of {' and '.join(rule.roots)}"
        )
    return rule


# --- Elementary trees

EPSILON = 0
"""The index of a node that is aligned with nothing."""

INNER = -1
"""The index of a node that has children."""

DEEPEST = 150
"""Levels of a tree; parsers give less than 50, and Python calls no function much deeper."""

_SPECIAL = re.compile(r"([\\\[\]_<>,\s])")
_TOKEN = re.compile(r"\s*(?:([\[\]<>,])|((?:\\.|[^\\\[\]<>,\s])+)|(\\?$|.))", re.DOTALL)
_SIGNS = ("", "[", "]", "<", ">", ",")
_NAME = re.compile(r"((?:\\.|[^\\_])+)(?:_(eps|[1-9]\d*))?", re.DOTALL)


@dataclass(frozen=True, slots=True)
class ElementaryTree:
    """A node of an elementary tree. ``children`` are nodes or words; ``index`` is ``INNER`` where
    there are some, of a frontier node its variable's number from 1 up, or ``EPSILON``."""

    label: str
    children: tuple[ElementaryTree | str, ...] = ()
    index: int = INNER

    @property
    def is_frontier(self) -> bool:
        """Whether it is a variable, or aligned with nothing."""
        return self.index != INNER

    def frontier(self) -> Iterator[ElementaryTree | str]:
        """The leaves from left to right: words, and frontier nodes."""
        if self.is_frontier:
            yield self
        for child in self.children:
            if isinstance(child, str):
                yield child
            else:
                yield from child.frontier()

    def variables(self) -> list[int]:
        """The numbers of the variables from left to right; those aligned with nothing left out."""
        leaves = (leaf for leaf in self.frontier() if not isinstance(leaf, str))
        return [leaf.index for leaf in leaves if leaf.index != EPSILON]

    def words(self) -> list[str]:
        """The words from left to right."""
        return [leaf for leaf in self.frontier() if isinstance(leaf, str)]

    def size(self) -> int:
        """The number of nodes, words included."""
        return 1 + sum(1 if isinstance(c, str) else c.size() for c in self.children)

    def levels(self) -> int:
        """The levels of nodes with children: 0 for a variable, 1 for ``[S NP_1 VP_2]``."""
        below = (child.levels() for child in self.children if not isinstance(child, str))
        return 0 if self.is_frontier else 1 + max(below, default=0)

    def renumbered(self, numbers: dict[int, int]) -> ElementaryTree:
        """The same tree with other numbers for its variables."""
        if self.is_frontier:
            return ElementaryTree(self.label, (), numbers.get(self.index, self.index))
        children = (c if isinstance(c, str) else c.renumbered(numbers) for c in self.children)
        return ElementaryTree(self.label, tuple(children))

    def __str__(self) -> str:
        if self.index == EPSILON:
            return f"{escaped(self.label)}_eps"
        if self.is_frontier:
            return f"{escaped(self.label)}_{self.index}"
        below = (
            escaped(child) if isinstance(child, str) else str(child) for child in self.children
        )
        return f"[{escaped(self.label)} {' '.join(below)}]"


@lru_cache(maxsize=100_000)
def escaped(text: str) -> str:
    """A label or word in the notation."""
    return _SPECIAL.sub(r"\\\1", text)


def unescaped(text: str) -> str:
    """A label or word out of it."""
    return re.sub(r"\\(.)", r"\1", text, flags=re.DOTALL)


class Tokens:
    """A text in the notation, taken apart. ``ValueError`` names the text and the place."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._tokens: list[tuple[str, int]] = []
        end = len(text.rstrip()) if not text.rstrip().endswith("\\") else len(text)
        place = 0
        while place < end:
            match = _TOKEN.match(text, place)
            if match is None or match[3] is not None:
                raise ValueError(f"{brief(repr(text))} has a backslash before nothing")
            self._tokens.append((match[1] or match[2], match.start(1 if match[1] else 2)))
            place = match.end()
        self._next = 0

    def peek(self) -> str:
        """The next token; empty at the end."""
        return self._tokens[self._next][0] if self._next < len(self._tokens) else ""

    def take(self, expected: str | None = None) -> str:
        """The next token, which must be this one if one is expected."""
        token = self.peek()
        if not token or (expected is not None and token != expected):
            raise self.error(f"{expected!r} is expected" if expected else "something is expected")
        self._next += 1
        return token

    def end(self) -> None:
        """Nothing may follow."""
        if self.peek():
            raise self.error("the end is expected")

    def error(self, what: str) -> ValueError:
        """An error about the next token."""
        there = self._tokens[self._next][1] + 1 if self._next < len(self._tokens) else "the end"
        return ValueError(f"{brief(repr(self.text))} is no rule or tree: {what} at {there}")


def read_tree(tokens: Tokens, level: int = 1) -> ElementaryTree | str:
    """The next tree, or word, of a text; ``level`` is how deep it stands in a larger one."""
    if level > DEEPEST:
        raise tokens.error(f"more than {DEEPEST} levels")
    if tokens.peek() != "[":
        if tokens.peek() in _SIGNS:
            raise tokens.error("a node or word is expected")
        match = _NAME.fullmatch(tokens.peek())
        if match is None:
            raise tokens.error(r"a name with one index (or \_ for a plain _) is expected")
        tokens.take()
        if match[2] is None:
            return unescaped(match[1])
        index = EPSILON if match[2] == "eps" else int(match[2])
        return ElementaryTree(unescaped(match[1]), (), index)
    tokens.take("[")
    name = _NAME.fullmatch(tokens.peek())
    if name is None or name[2] is not None or tokens.peek() in _SIGNS:
        raise tokens.error(r"a label without an index (or \_ for a plain _) is expected")
    label, children = unescaped(tokens.take()), []
    while tokens.peek() != "]":
        children.append(read_tree(tokens, level + 1))
    if not children:
        raise tokens.error(f"{label} has no children, and an index or _eps if it should have none,")
    tokens.take("]")
    return ElementaryTree(label, tuple(children))
