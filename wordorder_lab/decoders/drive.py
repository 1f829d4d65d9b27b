"""Driving the grammar by hand: what two edges of a search make, and if nothing, why.

A player asks with plain data and is answered with plain data. An edge is told by how it was built:

    leaf    {"item": 3, "form": "bought", "pos": "VBD"}       ``item`` as in the log's leaf event
    edge    {"action": "HeadLeft", "left": an edge, "right": an edge}

In CCG each has its "category" too, the action is a rule's sign (``> HeadLeft``), and where a unary
rule made the edge, "right" is ``None``.

    question  {"left": an edge, "right": an edge}
    answer    {"outcomes": [{"order", "action", "category", "words", "score", "why"}, ...]}
    or        {"why": what is wrong with the question}

Either edge may come first (``order`` is "left right" or "right left"), but for an edge with itself.
With dependencies there are two outcomes for each order, since either edge may bring the head; in
CCG there is one for each rule, or a single one without action if there is no rule. ``words`` are
those of the new edge in order. ``score`` is what a search ranks it by, and ``why`` is ``None``;
where the grammar makes no edge, ``score`` is ``None`` and ``why`` says why not.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from wordorder_lab.decoders.best_first import BestFirst
from wordorder_lab.decoders.drive_joins import joins_of
from wordorder_lab.structures.edge import Edge

ORDERS = ("left right", "right left")


class Drive:
    """Answers questions about two edges with the grammar and the scores of one search.

    Scores are those of a search with these weights. In a log of learning they differ, since there
    the weights go on changing, and a model is averaged.
    """

    def __init__(self, search: BestFirst) -> None:
        self.search = search
        self.joins = joins_of(search)

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
            {"order": order, **outcome}
            for order, pair in pairs.items()
            for outcome in self.outcomes(*pair)
        ]
        return {"outcomes": outcomes}

    def build(self, told: Mapping[str, Any]) -> Edge:
        """The edge that is told, built and scored as in a search.

        Raises ``ValueError`` for one that cannot be built from this bag.
        """
        if "action" not in told:
            return self.leaf(told)
        right = None if told["right"] is None else self.build(told["right"])
        edge = self.joins.told(told, self.build(told["left"]), right)
        self.search.score(edge)
        return edge

    def leaf(self, told: Mapping[str, Any]) -> Edge:
        """The leaf that is told. Raises ``ValueError`` if the bag does not offer it."""
        number, word = told["item"], [told["form"], told["pos"], told.get("category") or None]
        leaves = {edge.items[0]: edge for edge in self.search.leaves()}
        if number in leaves:
            leaf, item = leaves[number], self.search.problem.items[number]
            if [item.form, item.pos, item.category and str(item.category)] == word:
                self.search.score(leaf)
                return leaf
        raise ValueError(
            f"the bag that was given offers no leaf {number} {'/'.join(filter(None, word))!r}: "
            "is it the bag of this log, and the model that ordered it?"
        )

    def outcomes(self, left: Edge, right: Edge) -> list[dict[str, Any]]:
        """What comes of ``left`` before ``right``: words and score, or why not."""
        items = self.search.problem.items
        words = [items[i].form for i in (*left.items, *right.items)]
        return [self._outcome(words, *found) for found in self.joins.of(left, right)]

    def _outcome(
        self, words: list[str], action: str, edge: Edge | None, why: str | None
    ) -> dict[str, Any]:
        if edge is not None:
            self.search.score(edge)
        category = str(edge.category or "") if edge else ""
        score = edge.score if edge else None
        return {"action": action, "category": category, "words": words, "score": score, "why": why}
