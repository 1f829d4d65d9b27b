"""Trees of lemmas that fit a blackboard: a few invented sentences, and the paper's two examples.

In section 5.7 *an honest person* stands for what n-grams decide, and *Tom and Sally are* for what
only the tree decides: the word beside the verb is *Sally*, and *Sally is* is good English.
"""

from __future__ import annotations

from wordorder_lab.structures.lemma_tree import LemmaNode, LemmaTree

HONEST = "an/a/DET/3/det honest/honest/ADJ/3/amod person/person/NOUN/0/root"
TOM_AND_SALLY = (
    "Tom/Tom/PROPN/4/nsubj and/and/CCONJ/3/cc Sally/Sally/PROPN/1/conj are/be/AUX/0/root "
    "here/here/ADV/4/advmod"
)
"""A word each: form, lemma, tag, the place of its head (1 is the first word, 0: the root), label.
"""
LEARNED = (
    "a/a/DET/2/det person/person/NOUN/0/root",
    "an/a/DET/2/det hour/hour/NOUN/0/root",
    "an/a/DET/3/det old/old/ADJ/3/amod person/person/NOUN/0/root",
    "a/a/DET/3/det young/young/ADJ/3/amod person/person/NOUN/0/root",
    "an/a/DET/3/det honest/honest/ADJ/3/amod man/man/NOUN/0/root",
    "a/a/DET/3/det good/good/ADJ/3/amod hour/hour/NOUN/0/root",
    "an/a/DET/3/det honest/honest/ADJ/3/amod answer/answer/NOUN/0/root",
    "a/a/DET/3/det long/long/ADJ/3/amod answer/answer/NOUN/0/root",
    "an/a/DET/3/det old/old/ADJ/3/amod friend/friend/NOUN/0/root",
    "Sally/Sally/PROPN/2/nsubj is/be/AUX/0/root here/here/ADV/2/advmod",
    "Tom/Tom/PROPN/2/nsubj is/be/AUX/0/root old/old/ADJ/2/acomp",
    "Mary/Mary/PROPN/2/nsubj is/be/AUX/0/root there/there/ADV/2/advmod",
    "a/a/DET/2/det man/man/NOUN/3/nsubj is/be/AUX/0/root there/there/ADV/3/advmod",
    "John/John/PROPN/4/nsubj and/and/CCONJ/3/cc Mary/Mary/PROPN/1/conj are/be/AUX/0/root "
    "here/here/ADV/4/advmod",
    "Mary/Mary/PROPN/4/nsubj and/and/CCONJ/3/cc Tom/Tom/PROPN/1/conj are/be/AUX/0/root "
    "old/old/ADJ/4/acomp",
    "Sally/Sally/PROPN/4/nsubj and/and/CCONJ/3/cc John/John/PROPN/1/conj are/be/AUX/0/root "
    "there/there/ADV/4/advmod",
)
"""What a small model learns from: neither example is among them."""


def small_trees() -> tuple[LemmaTree, ...]:
    """The trees that a small model learns from."""
    return tuple(tree_of(text, f"invented-{n}") for n, text in enumerate(LEARNED, 1))


def honest_person() -> LemmaTree:
    """*an honest person*."""
    return tree_of(HONEST, "an honest person").shuffled(seed=4)


def tom_and_sally() -> LemmaTree:
    """*Tom and Sally are here*."""
    return tree_of(TOM_AND_SALLY, "Tom and Sally are here").shuffled(seed=2)


def tree_of(text: str, name: str = "") -> LemmaTree:
    """A tree written a word at a time: ``form/lemma/TAG/head/label``, heads from 1, 0 the root."""
    rows = [word.split("/") for word in text.split()]
    nodes = tuple(
        LemmaNode(lemma, tag, "", (), label, int(head) - 1, None, form, place)
        for place, (form, lemma, tag, head, label) in enumerate(rows)
    )
    return LemmaTree(nodes, name, tuple(row[0] for row in rows), " ".join(row[0] for row in rows))
