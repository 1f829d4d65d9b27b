"""The forms that a bag may have of each lemma, as rows, and how many there are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from nltk.tree import Tree

from wordorder_lab.structures.lemma_tree import LemmaTree, feature_text


def candidate_rows(model: Any, tree: LemmaTree) -> list[dict[str, Any]]:
    """A row a lemma, in the order of the tree's nodes: what is known of it, and its forms."""
    return [
        {
            "lemma": node.lemma,
            "tag": node.xpos or node.upos,
            "features": feature_text(node.features).replace("_", ""),
            "label": node.label,
            "head": tree.nodes[node.head].lemma if node.head >= 0 else "",
            "forms": " | ".join(forms),
        }
        for node, forms in zip(tree.nodes, model.candidates(tree), strict=True)
    ]


def most_open(model: Any, trees: Sequence[LemmaTree], most: int = 12) -> LemmaTree:
    """Of trees with at most so many words the one with the most lemmas that have several forms."""
    short = [tree for tree in trees if len(tree) <= most] or list(trees)
    return max(short, key=lambda tree: sum(len(forms) > 1 for forms in model.candidates(tree)))


def forms_counted(model: Any, trees: Sequence[LemmaTree]) -> dict[str, float]:
    """How many forms a lemma has, the share of lemmas with several, and how often the right form
    is among them, or the first, whatever its capitals."""
    words = forms = several = among = first = 0
    for tree in trees:
        for node, own in zip(tree.nodes, model.candidates(tree), strict=True):
            small = [form.lower() for form in own]
            right = (node.form or "").lower()
            words += 1
            forms += len(own)
            several += len(own) > 1
            among += right in small
            first += right == small[0]
    return {
        "forms a lemma": forms / words,
        "with several": several / words,
        "right one among them": among / words,
        "right one first": first / words,
    }


def as_drawn(tree: LemmaTree) -> Tree:
    """The tree for ``plots.trees``: lemmas with their labels, dependents by the alphabet, since
    nothing is known of their order."""

    def below(node: int) -> Any:
        own = f"{tree.nodes[node].lemma}/{tree.nodes[node].label}"
        dependents = sorted(tree.dependents[node], key=lambda i: (tree.nodes[i].lemma, i))
        return Tree(own, [below(i) for i in dependents]) if dependents else own

    whole = below(tree.root)
    return whole if isinstance(whole, Tree) else Tree(whole, [])
