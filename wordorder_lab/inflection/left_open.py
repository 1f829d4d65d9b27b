"""Which lemmas keep several forms for the search: those that their tree alone cannot decide.

Section 5.7: "a (a or an) and not (not or n't), for which the best inflection can be decided only
when n-gram information is available"; and "all possible inflections of be and other verbs ...
whenever the ambiguity is not directly solvable from the subject dependency link".

    LEFT_OPEN(tree, forms):
      for each node:
        all of its forms, if it is a, not or be, or a verb in the present whose subject is open
        its most probable form otherwise

Differences
- *Our reading*, section 5.7: "some lemmas are unambiguous". A form that was seen now and then for
  the same lemma, tag and features (*found* and *founded*, hyphens and dashes, *have* and *'ve*) is
  no question of neighbours or subject; the most probable one is taken.
"""

from __future__ import annotations

from collections.abc import Sequence

from wordorder_lab.inflection.candidates import ALWAYS, cells_of
from wordorder_lab.structures.lemma_tree import LemmaTree


def left_open(tree: LemmaTree, forms: Sequence[Sequence[str]]) -> tuple[tuple[str, ...], ...]:
    """The forms of every node that the search chooses from; of most nodes it is one. ``forms`` are
    the candidates of English lemmas, the most probable first."""
    return tuple(
        tuple(some) if is_open(tree, place) else tuple(some[:1]) for place, some in enumerate(forms)
    )


def is_open(tree: LemmaTree, place: int) -> bool:
    """Whether only neighbours, or a subject that is not known, decide the form of a node."""
    node = tree.nodes[place]
    if (node.lemma, node.upos) in ALWAYS:
        return True
    if node.upos not in ("AUX", "VERB"):
        return False
    return node.lemma == "be" or len(cells_of(tree, place)) > 1
