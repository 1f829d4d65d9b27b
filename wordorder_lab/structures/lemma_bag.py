"""A tree of lemmas as a bag for the searches, and as the sentence that it should become.

*An honest person* is a tree of three lemmas. Its bag has the units *a* (or *an*), *honest* and
*person* with their tags, heads and labels: a search orders them and picks one of the forms. The
candidate forms come from whoever inflects; here they are only put in place (Zhang & Clark 2015,
section 5.7).
"""

from __future__ import annotations

from collections.abc import Sequence

from wordorder_lab.structures.bag import WordBag
from wordorder_lab.structures.lemma_tree import LemmaNode, LemmaTree
from wordorder_lab.structures.one_line import cited
from wordorder_lab.structures.sentence import Sentence, Token


def bag_of_lemmas(
    tree: LemmaTree, forms: Sequence[Sequence[str]], *, labels: bool = True
) -> WordBag:
    """The bag of a tree: unit ``i`` is node ``i``, ``forms[i]`` its candidates, the best first.

    Tags, heads and, if wanted, labels are given, and the orders that SR'20's ranks say. Raises
    ``ValueError`` for a node without a candidate, for lists of unequal length, and for what a
    ``WordBag`` refuses.
    """
    if len(forms) != len(tree):
        raise ValueError(f"{len(tree)} nodes but forms for {len(forms)}: give a list to each node")
    for i, (node, some) in enumerate(zip(tree.nodes, forms, strict=True)):
        if not some:
            raise ValueError(f"node {i} ({cited(node.lemma)}) has no form: give at least one")
    return WordBag(
        [some[0] for some in forms],
        [bag_tag(node) for node in tree.nodes],
        tree.heads,
        tree.before,
        labels=[node.label for node in tree.nodes] if labels else None,
        alternatives=[some[1:] for some in forms],
    )


def placed_sentence(tree: LemmaTree, forms_used: Sequence[str] | None = None) -> Sentence:
    """The sentence that a tree with positions says, its tags and labels as in the bag.

    ``forms_used[i]`` is the form of node ``i``; without it, the reference's. Raises ``ValueError``
    where positions or forms are not known.
    """
    forms = [node.form for node in tree.nodes] if forms_used is None else list(forms_used)
    if len(forms) != len(tree):
        raise ValueError(f"{len(tree)} nodes but {len(forms)} forms: give one to each node")
    order = sorted(range(len(tree)), key=lambda i: tree.nodes[i].position or 0)
    tokens = []
    for i, node in zip(order, tree.placed().nodes, strict=True):
        words = tuple((forms[i] or "").split())
        if not words:
            raise ValueError(
                f"node {i} ({cited(node.lemma)}) of {tree.name or 'this tree'} has no form"
            )
        tokens.append(Token(words, bag_tag(node), node.head, node.label))
    return Sentence(tuple(tokens), tree.name)


def bag_tag(node: LemmaNode) -> str:
    """The tag that searches see: the language's own where it is known, else the universal one."""
    return node.xpos or node.upos
