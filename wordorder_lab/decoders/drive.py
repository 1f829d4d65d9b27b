"""Driving the grammar by hand: what two edges of a search make, and if nothing, why.

A player asks with plain data and is answered with plain data. An edge is told by how it was built:

    leaf    {"item": 3, "form": "bought", "pos": "VBD"}       ``item`` as in the log's leaf event
    edge    {"action": "HeadLeft", "left": an edge, "right": an edge}

    question  {"left": an edge, "right": an edge}
    answer    {"outcomes": [{"order", "action", "words", "score", "why"}, ...]}
    or        {"why": what is wrong with the question}

Either edge may come first, and either may bring the head, so there are four outcomes; an edge with
itself has two. ``order`` says which comes first ("left right" or "right left"). ``words`` are those
of the new edge in order. ``score`` is what a search ranks it by, and ``why`` is ``None``; where the
grammar makes no edge, ``score`` is ``None`` and ``why`` says why not.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from wordorder_lab.decoders.best_first_dependency import BestFirstDependency
from wordorder_lab.grammars.refused_links import why_not
from wordorder_lab.structures.edge import HEAD_LEFT, HEAD_RIGHT, Edge

ORDERS = ("left right", "right left")


class Drive:
    """Answers questions about two edges with the grammar and the scores of one search.

    Scores are those of a search with these weights. In a log of learning they differ, since there
    the weights go on changing, and a model is averaged.
    """

    def __init__(self, search: BestFirstDependency) -> None:
        self.search = search

    def __call__(self, question: Mapping[str, Any]) -> dict[str, Any]:
        """The answer, as above; a question that cannot be answered is no error here."""
        try:
            left, right = self.build(question["left"]), self.build(question["right"])
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            said = str(error) if type(error) is ValueError else f"this is no question: {error!r}"
            return {"why": said}
        pairs = {ORDERS[0]: (left, right), ORDERS[1]: (right, left)}
        if question["left"] == question["right"]:
            del pairs[ORDERS[1]]
        outcomes = [
            {"order": order, "action": side, **self.outcome(*pair, side)}
            for order, pair in pairs.items()
            for side in (HEAD_LEFT, HEAD_RIGHT)
        ]
        return {"outcomes": outcomes}

    def build(self, told: Mapping[str, Any]) -> Edge:
        """The edge that is told, built and scored as in a search.

        Raises ``ValueError`` for one that cannot be built from this bag.
        """
        if "action" in told:
            left, right = self.build(told["left"]), self.build(told["right"])
            if told["action"] not in (HEAD_LEFT, HEAD_RIGHT):
                raise ValueError(f"no action {told['action']!r}; there are HeadLeft and HeadRight")
            if why := why_not(self.search.links, left, right, told["action"]):
                raise ValueError(f"with the bag that was given this edge cannot be built: {why}")
            return self.join(left, right, told["action"])
        number, word = told["item"], (told["form"], told["pos"])
        leaves = {edge.items[0]: edge for edge in self.search.leaves()}
        if number in leaves:
            leaf, item = leaves[number], self.search.problem.items[number]
            if (item.form, item.pos) == word:
                self.search.score(leaf)
                return leaf
        raise ValueError(
            f"the bag that was given offers no leaf {number} {'/'.join(word)!r}: "
            "is it the bag of this log, and the model that ordered it?"
        )

    def outcome(self, left: Edge, right: Edge, side: str) -> dict[str, Any]:
        """What COMBINE makes of ``left`` before ``right``: words and score, or why not."""
        items = self.search.problem.items
        words = [items[i].form for i in (*left.items, *right.items)]
        if why := why_not(self.search.links, left, right, side):
            return {"words": words, "score": None, "why": why}
        return {"words": words, "score": self.join(left, right, side).score, "why": None}

    def join(self, left: Edge, right: Edge, side: str) -> Edge:
        """COMBINE of two edges that may be linked, scored."""
        edge = self.search.combine(left, right, side)
        assert edge is not None
        self.search.score(edge)
        return edge
