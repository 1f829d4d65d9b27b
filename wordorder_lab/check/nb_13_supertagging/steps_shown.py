"""The steps from a Penn tree to a derivation as a picture to step through; trees of our own."""

from __future__ import annotations

from typing import Any

from nltk.tree import Tree

from wordorder_lab.corpora.penn_to_ccg.convert import outcome, titled_steps, to_derivation
from wordorder_lab.corpora.readers.corpus import CorpusError
from wordorder_lab.corpora.treebanks import load_trees
from wordorder_lab.plots.step_by_step import StepByStep, step_by_step
from wordorder_lab.structures.derivation import Derivation
from wordorder_lab.structures.phrase_tree import PhraseTree

EDITOR = PhraseTree.fromstring(
    "(S (NP-SBJ (NP (DT The) (NN editor))"
    " (SBAR (WHNP-1 (WDT that)) (S (NP-SBJ (NNP Ada)) (VP (VBZ admires) (NP (-NONE- *T*-1))))))"
    " (VP (VBD resigned) (NP-TMP (NN yesterday))) (. .))"
)
"""One of each: a subject, an adjunct of time, and a trace where the relative pronoun came from."""
GAVE = PhraseTree.fromstring(
    "(S (NP-SBJ (NNP Ada)) (VP (VBD gave) (NP (DT the) (NN editor)) (NP (DT a) (NN letter))"
    " (NP-TMP (NN yesterday))) (. .))"
)
"""Two objects, and an NP that is none."""
VINKEN = "wsj_0001.mrg:1"
"""The first sentence of the Treebank, which both papers print."""


def derivation_of(tree: Tree) -> Derivation:
    """The derivation of a Penn tree. Raises ``ValueError`` with the reason where it has none."""
    conversion = to_derivation(tree)
    if conversion.derivation is None:
        raise ValueError(outcome(conversion))
    return conversion.derivation


def conversion_steps(tree: Tree, *, first: int = 0) -> StepByStep:
    """The way from a Penn tree to its derivation, a stop a step; ``first`` is seen at first."""
    conversion = to_derivation(tree, steps=True)
    pages: dict[str, tuple[str, Any]] = {}
    for title, made in titled_steps(tree, conversion):
        name, _, says = title.partition(": ")
        pages[f"{len(pages) + 1} {name}"] = says, PhraseTree.convert(made)
    name, _, says = outcome(conversion).partition(": ")
    pages[f"{len(pages) + 1} {name}"] = says, conversion.derivation or ""
    words = " ".join(to_words(tree))
    return step_by_step(pages, f"From a Penn tree to a derivation: {words}", first=first)


def to_words(tree: Tree) -> list[str]:
    """The words of a Penn tree, without its empty elements."""
    return [word for word, tag in tree.pos() if tag != "-NONE-"]


def newspaper_tree() -> Tree | None:
    """The tree of ``VINKEN``; ``None`` where the Treebank's sample is not on this machine."""
    try:
        trees = load_trees("ptb-sample")
        return next(one.tree for one in trees.every() if one.name == VINKEN)
    except (CorpusError, StopIteration):
        return None
