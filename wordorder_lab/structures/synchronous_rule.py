"""Rules of a synchronous tree substitution grammar: a pair of elementary trees and their alignment.

A rule <X, Y> -> <alpha, gamma, ~> rewrites a source node X as alpha and a target node Y as gamma
(Cohn & Lapata 2009, section 3.1, equation 1). In text: ``<S, VP> -> <[S NP_eps VP_1], VP_1>``. The
indices are the alignment ~; a node of the source with ``_eps`` is deleted with all below it. Words
and brackets are those of ``elementary_tree``.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from wordorder_lab.structures.arguments import checks_arguments
from wordorder_lab.structures.elementary_tree import (
    EPSILON,
    ElementaryTree,
    Tokens,
    escaped,
    read_tree,
    unescaped,
)
from wordorder_lab.structures.one_line import cited


@dataclass(frozen=True)
class SynchronousRule:
    """A rule of the grammar, a pair of trees (Cohn & Lapata 2009, section 3.1, equation 1).

    Its variables are numbered from left to right in ``target``. ``source`` is alpha, a tree with at
    least one level; ``target`` is gamma, which may be a variable alone. Build one with
    ``synchronous_rule`` or ``parse_rule``, which check and number.
    """

    source: ElementaryTree
    target: ElementaryTree

    @property
    def roots(self) -> tuple[str, str]:
        """The labels of both roots: X of the source, Y of the target."""
        return self.source.label, self.target.label

    @cached_property
    def text(self) -> str:
        """The rule in the notation."""
        x, y = map(escaped, self.roots)
        return f"<{x}, {y}> -> <{self.source}, {self.target}>"

    def __str__(self) -> str:
        return self.text

    @property
    def is_synchronous_context_free(self) -> bool:
        """Whether an SCFG could have it: both trees of one level, and so of one category.

        A target that is a variable alone has no level and is left to "X different from Y".
        """
        return self.source.levels() <= 1 and self.target.levels() <= 1


def synchronous_rule(source: ElementaryTree, target: ElementaryTree) -> SynchronousRule:
    """A rule from its two sides, variables numbered anew in the order of the target.

    Raises ``ValueError`` where the two sides do not have the same variables, each once; where the
    target has an epsilon, which would be an insertion; for a word without a tag of its own; and
    for a source that is a variable alone.
    """
    said = f"<{source}, {target}>"
    if source.is_frontier:
        raise ValueError(
            f"{said} is no rule: its source is a variable, so it would rewrite nothing"
        )
    if any(not isinstance(leaf, str) and leaf.index == EPSILON for leaf in target.frontier()):
        raise ValueError(f"{said} is no rule: only nodes of the source may be deleted (_eps)")
    for side in (source, target):
        _check_words(side, said)
    there, here = source.variables(), target.variables()
    if len(set(here)) < len(here) or sorted(there) != sorted(here):
        raise ValueError(f"{said} is no rule: each variable stands once on either side")
    numbers = {old: new for new, old in enumerate(here, 1)}
    return SynchronousRule(source.renumbered(numbers), target.renumbered(numbers))


def _check_words(tree: ElementaryTree, said: str) -> None:
    """Raise ``ValueError`` for a word that does not have a node of its own."""
    for child in tree.children:
        if not isinstance(child, str):
            _check_words(child, said)
        elif len(tree.children) > 1:
            raise ValueError(
                f"{said} is no rule: the word {cited(child)} has no tag, as in [NN rain]"
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
    tokens.take(">")
    for piece in ("-", ">", "<"):
        tokens.take(piece)
    source = read_tree(tokens)
    tokens.take(",")
    target = read_tree(tokens)
    tokens.take(">")
    if tokens.peek():
        raise tokens.error("the end is expected")
    if isinstance(source, str) or isinstance(target, str):
        raise ValueError(f"{cited(text)} is no rule: both sides are trees, not words")
    rule = synchronous_rule(source, target)
    if rule.roots != (x, y):
        raise ValueError(
            f"{cited(text)} says <{x}, {y}> and has trees of {' and '.join(rule.roots)}"
        )
    return rule
