"""Bracketed trees as sentence compression takes them: bare labels, and no empty elements."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wordorder_lab.corpora.readers.corpus import CorpusError
from wordorder_lab.corpora.readers.penn import (
    BrokenTree,
    is_tagged_word,
    parse_trees,
    without_traces,
)
from wordorder_lab.structures.arguments import checks_arguments
from wordorder_lab.structures.head_rules import bare_label
from wordorder_lab.structures.messages import cited

if TYPE_CHECKING:
    from nltk.tree import Tree

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
    """A copy without function tags and traces: ``NP-SBJ`` becomes ``NP``.

    Raises ``CorpusError``, which begins with ``place``, for an empty label and for a tree that
    holds no words.
    """
    kept = without_traces(tree)
    if kept is None:
        raise CorpusError(f"{place}: this tree holds traces and no words")
    return _bare(kept, place)


def _bare(node: Tree, place: str) -> Tree:
    label = bare_label(node.label())
    if not label:
        words = " ".join(node.leaves())
        raise CorpusError(f"{place}: the bracket around {cited(words[:40])} has no label")
    if is_tagged_word(node):
        return type(node)(label, list(node))
    return type(node)(label, [_bare(child, place) for child in node])
