"""Base noun phrases kept whole: each becomes one unit of the sentence.

Zhang, Blackwood and Clark (2012), Zhang and Clark (2015, section 5) and Liu et al. (2015,
section 5) order sentences whose base noun phrases are given. A base NP is an NP that dominates
no other NP. Empty NPs count for that test, and only then are the traces dropped.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from wordorder_lab.structures.head_rules import bare_label

if TYPE_CHECKING:
    from nltk.tree import Tree

BASE_NP = "NP"
"""The tag of a unit that is a base NP."""


def without_traces(tree: Tree) -> Tree | None:
    """A copy without empty elements and the phrases that hold nothing else; ``None`` if all is."""
    if is_tagged_word(tree):
        return None if tree.label() == "-NONE-" else tree
    children = [kept for child in tree if (kept := without_traces(child)) is not None]
    return type(tree)(tree.label(), children) if children else None


def with_base_nps(tree: Tree, min_words: int = 1) -> Tree | None:
    """A copy without traces, with each base NP of ``min_words`` or more words as a single leaf.

    The leaf is the tuple of the words, right below a node that is labelled ``NP``. ``None`` if
    nothing but traces is there.
    """
    return _collapse(tree, min_words)[0]


def _collapse(tree: Tree, min_words: int) -> tuple[Tree | None, bool]:
    """The copy of ``tree``, and whether an NP, empty or not, was in the original."""
    if is_tagged_word(tree):
        return without_traces(tree), False
    pairs = [_collapse(child, min_words) for child in tree]
    children = [child for child, _ in pairs if child is not None]
    holds_np = any(holds for _, holds in pairs)
    is_np = bare_label(tree.label()) == "NP"
    if not children:
        return None, is_np or holds_np
    copy = type(tree)(tree.label(), children)
    if is_np and not holds_np and len(words := copy.leaves()) >= min_words:
        copy = type(tree)(BASE_NP, [tuple(words)])
    return copy, is_np or holds_np


def is_tagged_word(tree: Tree) -> bool:
    """Whether a node is a tag with its word below, rather than a phrase."""
    return isinstance(tree[0], (str, tuple))
