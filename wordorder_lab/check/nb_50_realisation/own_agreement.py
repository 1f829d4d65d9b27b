"""Exercise 50.4: *is* or *are* by a rule, as a pipeline has to have it before words are ordered."""

from __future__ import annotations

from typing import Any

from wordorder_lab.check.common.exercise import Exercise, Wrong, function_of
from wordorder_lab.check.nb_50_realisation.small_trees import tree_of
from wordorder_lab.structures.lemma_tree import LemmaTree

CASES = (
    ("Tom/Tom/PROPN/2/nsubj is/be/AUX/0/root here/here/ADV/2/advmod", "is"),
    (
        "Tom/Tom/PROPN/4/nsubj and/and/CCONJ/3/cc Sally/Sally/PROPN/1/conj are/be/AUX/0/root "
        "here/here/ADV/4/advmod",
        "are",
    ),
    (
        "Tom/Tom/PROPN/4/nsubj or/or/CCONJ/3/cc Sally/Sally/PROPN/1/conj is/be/AUX/0/root "
        "here/here/ADV/4/advmod",
        "is",
    ),
    (
        "here/here/ADV/2/advmod is/be/AUX/0/root Tom/Tom/PROPN/2/nsubj ,/,/PUNCT/5/punct "
        "old/old/ADJ/3/amod and/and/CCONJ/7/cc honest/honest/ADJ/5/conj",
        "is",
    ),
    (
        "Sally/Sally/PROPN/5/nsubj ,/,/PUNCT/3/punct Tom/Tom/PROPN/1/conj and/and/CCONJ/3/cc "
        "are/be/AUX/0/root here/here/ADV/5/advmod",
        "are",
    ),
)
"""Trees with *be* at the root, and its form."""


def _judge(answer: Any) -> str:
    own = function_of(answer, "be")
    for number, (text, right) in enumerate(CASES):
        tree: LemmaTree = tree_of(text).shuffled(seed=number)
        yours = own(tree)
        lemmas = ", ".join(f"{node.lemma} ({node.label})" for node in tree.nodes if node.head != -1)
        if yours not in ("is", "are"):
            raise Wrong(f"Below be: {lemmas}. Your rule says {yours!r}; is it 'is' or 'are'?")
        if yours != right:
            raise Wrong(f"Below be, or below that: {lemmas}. Your rule says {yours}.")
    return (
        "And *neither of them*, *a number of people*, *Tom or his parents*? Each rule meets the "
        "next sentence; a model that chooses in the search learns from all of them."
    )


def _solve() -> str:
    return (
        "def be(tree):\n"
        "    for i in tree.dependents[tree.root]:\n"
        "        if tree.nodes[i].label == 'nsubj':\n"
        "            joined = [j for j in tree.dependents[i] if tree.nodes[j].label == 'conj']\n"
        "            ands = [k for j in [i, *joined] for k in tree.dependents[j]\n"
        "                    if tree.nodes[k].lemma == 'and']\n"
        "            return 'are' if joined and ands else 'is'"
    )


EXERCISES = (
    Exercise(
        "50.4",
        "A rule for is and are.",
        (
            "The subject is a dependent of the root with the label nsubj. Which of its own "
            "dependents say that there are several?",
            "Joined subjects have a conj below the first one. But *Tom or Sally* has one, too.",
            "The and hangs below the conj, and other conjs may be in the tree: go down from the "
            "subject alone.",
        ),
        _judge,
        _solve,
    ),
)
