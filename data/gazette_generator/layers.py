"""From a phrase to the layers of the corpus: Penn tree, dependencies, base NPs, CCG derivation.

Dependencies are what the head rules make of the Penn tree, as for any treebank. The derivation's
heads follow them: where two steps join, the head is the one whose head word dominates the other's
in the dependency tree.
"""

from __future__ import annotations

from typing import NamedTuple

from nltk.tree import Tree

from gazette_generator.phrase import Node, Phrase, Step, Word
from wordorder_lab.corpora.readers.penn import is_tagged_word, tokens_of
from wordorder_lab.corpora.readers.penn_labels import penn_labels
from wordorder_lab.structures.combinators import head_of_step
from wordorder_lab.structures.derivation import Derivation
from wordorder_lab.structures.head_rules import bare_label


class Layers(NamedTuple):
    """One sentence in all its layers, over the same words."""

    words: tuple[Word, ...]
    tree: Tree
    heads: tuple[int, ...]
    labels: tuple[str, ...]
    base_nps: tuple[str, ...]
    derivation: Derivation


def layers_of(sentence: Phrase) -> Layers:
    """All layers. Raises ``ValueError`` where the two halves of the phrase have other words."""
    words = tuple(sentence.tree.words())
    if list(map(id, words)) != list(map(id, sentence.ccg.words())):
        raise ValueError("tree and derivation differ: " + " ".join(word.form for word in words))
    tree = penn_tree(sentence.tree)
    heads = tuple(token.head for token in tokens_of(tree))
    places = {id(word): i for i, word in enumerate(words)}
    derivation, _ = _derived(sentence.ccg, heads, places)
    return Layers(words, tree, heads, penn_labels(tree), base_nps(tree), derivation)


def penn_tree(node: Node) -> Tree:
    """The tree as nltk has it."""
    children = [
        Tree(child.tag, [child.form]) if isinstance(child, Word) else penn_tree(child)
        for child in node.children
    ]
    return Tree(node.label, children)


def _derived(step: Step, heads: tuple[int, ...], places: dict[int, int]) -> tuple[Derivation, int]:
    """The derivation of a step, and the place of its head word."""
    if len(step.children) == 1:
        (child,) = step.children
        if isinstance(child, Word):
            return Derivation.leaf(child.form, child.tag, step.category), places[id(child)]
        below, top = _derived(child, heads, places)
        return Derivation.unary(step.category, below), top
    (left, left_head), (right, right_head) = (
        _derived(child, heads, places) for child in step.children if isinstance(child, Step)
    )
    if _dominates(left_head, right_head, heads):
        head = 0
    elif _dominates(right_head, left_head, heads):
        head = 1
    else:
        head = head_of_step(left.category, right.category, step.category)
    return Derivation(step.category, (left, right), head), (left_head, right_head)[head]


def _dominates(above: int, below: int, heads: tuple[int, ...]) -> bool:
    for _ in heads:
        below = heads[below] if below >= 0 else below
        if below == above:
            return True
    return False


# --- base noun phrases --------------------------------------------------------------------------


def base_nps(tree: Tree) -> tuple[str, ...]:
    """B, I or O for each word: a base NP is an NP that dominates no other."""
    letters: list[str] = []

    def visit(node: Tree) -> None:
        if is_tagged_word(node):
            letters.append("O")
        elif bare_label(node.label()) == "NP" and not any(
            bare_label(below.label()) == "NP" for below in node.subtrees() if below is not node
        ):
            letters.extend(["B"] + ["I"] * (len(node.leaves()) - 1))
        else:
            for child in node:
                visit(child)

    visit(tree)
    return tuple(letters)
