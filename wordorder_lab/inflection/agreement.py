"""Who the subject of a verb is, as far as the tree says: does the verb stand in the third person?

Section 5.7: "This can be straightforward when the subject is a noun or pronoun, but can be
ambiguous when the subject is a wh-pronoun." Then, and where subjects are joined (*Tom and Sally*),
nothing is said here, and the search has all forms to choose from.
"""

from __future__ import annotations

from wordorder_lab.structures.lemma_tree import LemmaNode, LemmaTree, universal

Agreement = tuple[str, str]
"""Person and number: ``("3", "Sing")``."""
SUBJECTS, JOINED = ("nsubj", "csubj", "SUB"), ("conj", "COORD")
"""Labels of Universal Dependencies, and of the Penn Treebank's dependencies."""


def agreement_of(tree: LemmaTree, verb: int) -> Agreement | None:
    """Person and number of the subject of a verb or auxiliary; ``None`` where they are open."""
    subject = subject_of(tree, verb)
    if subject is None:
        return None
    node = tree.nodes[subject]
    joined = any(universal(tree.nodes[i].label) in JOINED for i in tree.dependents[subject])
    if joined or node.feature("PronType") in ("Rel", "Int"):
        return None
    return _of(node)


def subject_of(tree: LemmaTree, verb: int) -> int | None:
    """The subject of a verb: its own, or, for an auxiliary or copula, that of its head. A conjunct
    that has none shares that of the first. ``None`` where there is none, or several."""
    helping = universal(tree.nodes[verb].label) in ("aux", "cop")
    clause = tree.nodes[verb].head if helping else verb
    for _ in range(len(tree)):
        if clause < 0:
            return None
        found = [i for i in tree.dependents[clause] if universal(tree.nodes[i].label) in SUBJECTS]
        if found or universal(tree.nodes[clause].label) not in JOINED:
            return found[0] if len(found) == 1 else None
        clause = tree.nodes[clause].head
    return None


def _of(node: LemmaNode) -> Agreement | None:
    if universal(node.label) == "csubj":
        return "3", "Sing"
    person, number = node.feature("Person"), node.feature("Number")
    if person == "2":
        return "2", "Plur"
    if node.upos in ("NOUN", "PROPN", "PRON", "DET") and number in ("Sing", "Plur"):
        return person or "3", number
    return None
