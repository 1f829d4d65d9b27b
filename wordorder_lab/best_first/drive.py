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
With dependencies each order has two outcomes, since either edge may bring the head; in CCG one for
each rule, or one without action. ``score`` is what a search ranks the new edge by; where there is
none, it is ``None`` and ``why`` is a sentence for people. Nothing is decided here: of several
reasons the first is named, in the order in which ``dependency_links`` asks.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from wordorder_lab.best_first.ccg import BestFirstCCG
from wordorder_lab.best_first.dependency import BestFirstDependency
from wordorder_lab.best_first.dependency_links import DependencyLinks
from wordorder_lab.best_first.edge import HEAD_LEFT, HEAD_RIGHT, Bounds, Edge
from wordorder_lab.structures.messages import cited, listed
from wordorder_lab.structures.problem import OrderingProblem, order_between, quoted
from wordorder_lab.structures.sentence import ROOT

ORDERS = ("left right", "right left")

Json = Mapping[str, Any]
"""A question, an edge in it, or an answer."""


class Drive:
    """Answers questions about two edges with the grammar and the scores of one search. A log of
    learning has other scores, since there the weights go on changing."""

    def __init__(self, search: BestFirstCCG | BestFirstDependency) -> None:
        self.search = search
        self.joins: RuleJoins | LinkJoins = (
            RuleJoins(search) if isinstance(search, BestFirstCCG) else LinkJoins(search)
        )

    def __call__(self, question: Json) -> Json:
        """The answer, as above; a question that cannot be answered is no error here."""
        try:
            left, right = self.build(question["left"]), self.build(question["right"])
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            is_answer = type(error) is ValueError
            return {"why": str(error) if is_answer else f"this is no question: {error!r}"}
        pairs = {ORDERS[0]: (left, right), ORDERS[1]: (right, left)}
        if question["left"] == question["right"]:
            del pairs[ORDERS[1]]
        outcomes = [
            {"order": order, **outcome}
            for order, pair in pairs.items()
            for outcome in self.outcomes(*pair)
        ]
        return {"outcomes": outcomes}

    def build(self, described: Json) -> Edge:
        """The edge that is described, built and scored as in a search. Raises ``ValueError`` for
        one that cannot be built from this bag."""
        if "action" not in described:
            return self.leaf(described)
        right = None if described["right"] is None else self.build(described["right"])
        edge = self.joins.described(described, self.build(described["left"]), right)
        self.search.score(edge)
        return edge

    def leaf(self, described: Json) -> Edge:
        """The leaf that is described. Raises ``ValueError`` if the bag does not offer it."""
        number, category = described["item"], described.get("category") or None
        word = [described["form"], described["pos"], category]
        leaves = {edge.items[0]: edge for edge in self.search.leaves()}
        if number in leaves:
            leaf, item = leaves[number], self.search.problem.items[number]
            if [item.form, item.pos, item.category and str(item.category)] == word:
                self.search.score(leaf)
                return leaf
        raise ValueError(
            f"the bag that was given offers no leaf {number} "
            f"{cited('/'.join(filter(None, word)))}: "
            "is it the bag of this log, and the model that ordered it?"
        )

    def outcomes(self, left: Edge, right: Edge) -> list[Json]:
        """What comes of ``left`` before ``right``: words and score, or why not."""
        items = self.search.problem.items
        words = [items[i].form for i in (*left.items, *right.items)]
        found: list[Json] = []
        for action, edge, why in self.joins.of(left, right):
            category, score = "", None
            if edge is not None:
                self.search.score(edge)
                category, score = str(edge.category or ""), edge.score
            made = {"action": action, "category": category, "words": words}
            found.append({**made, "score": score, "why": why})
        return found


# --- what a grammar makes of two edges ------------------------------------------------------


Join = tuple[str, Edge | None, str | None]
"""An action, and the edge that comes of it or else the reason why none does."""


@dataclass(eq=False, repr=False)
class LinkJoins:
    """Dependencies: either of two edges may bring the head."""

    search: BestFirstDependency

    def of(self, left: Edge, right: Edge) -> list[Join]:
        """HeadLeft and HeadRight."""
        return [self._join(left, right, side) for side in (HEAD_LEFT, HEAD_RIGHT)]

    def described(self, described: Json, left: Edge, right: Edge | None) -> Edge:
        """The edge with the link that is described."""
        action = described["action"]
        if action not in (HEAD_LEFT, HEAD_RIGHT) or right is None:
            raise ValueError(f"no action {cited(action)}; there are HeadLeft and HeadRight")
        _, edge, why = self._join(left, right, action)
        return _built(edge, why)

    def _join(self, left: Edge, right: Edge, side: str) -> Join:
        if why := why_not(self.search.links, left, right, side):
            return side, None, why
        return side, self.search.combine(left, right, side), None


@dataclass(eq=False, repr=False)
class RuleJoins:
    """CCG: every rule for the two categories; from one edge, every unary rule."""

    search: BestFirstCCG

    def of(self, left: Edge, right: Edge) -> list[Join]:
        """A join for each rule, or the reason why there is none."""
        search = self.search
        why = why_not_together(search.problem, search.bounds, left, right)
        if why is None and not search.rules.binary_of(left, right):
            why = _why_no_rule(search, left, right)
        if why is not None:
            return [("", None, why)]
        return [(edge.action, edge, None) for edge in search.binary(left, right)]

    def described(self, described: Json, left: Edge, right: Edge | None) -> Edge:
        """The edge with the rule that is described, by its sign and what comes of it."""
        search = self.search
        if right is None:
            found = [search.unary(left, rule) for rule in search.rules.unary_of(left)]
        else:
            joins = self.of(left, right)
            found = [edge for _, edge, _ in joins if edge is not None]
            if not found:
                return _built(None, joins[0][2])
        action, category = described["action"], described["category"]
        for edge in found:
            if (edge.action, str(edge.category)) == (action, category):
                return edge
        return _built(None, f"the grammar has no rule {action} for {category} here")


def _built(edge: Edge | None, why: str | None) -> Edge:
    if edge is None:
        raise ValueError(f"with the bag that was given this edge cannot be built: {why}")
    return edge


# --- why there is no link ------------------------------------------------------------------


def why_not(links: DependencyLinks, left: Edge, right: Edge, side: str) -> str | None:
    """Why ``right`` may not stand after ``left`` with a link between their roots. ``side`` is
    HeadLeft or HeadRight. ``None`` if both CANCOMBINE and the link are allowed."""
    types = [_type(links, k) for k in range(len(links.count))]
    together = why_not_together(links.problem, links.bounds, left, right, types)
    return together or _why_no_link(links, left, right, side)


def why_not_together(
    problem: OrderingProblem,
    bounds: Bounds,
    left: Edge,
    right: Edge,
    types: Sequence[int] | None = None,
) -> str | None:
    """Why the words of two edges are too many, or in a wrong order, if they are. ``types`` are
    those that the kinds of ``bounds`` stand for, unless these are types themselves."""
    types = range(len(bounds.most)) if types is None else types
    for k, number in enumerate(bounds.most):
        both = left.counts[k] + right.counts[k]
        if both > number:
            return f"the bag has {quoted(types[k], problem)} only {_times(number)}"
        too_late = [e for e in sorted(bounds.before[k]) if left.counts[k] and right.counts[e]]
        if too_late:
            return order_between(types[too_late[0]], "must come before", types[k], problem)
    return None


def _why_no_link(links: DependencyLinks, left: Edge, right: Edge, side: str) -> str | None:
    head, dependent = (left, right) if side == HEAD_LEFT else (right, left)
    h, d = links.root_kind(head), links.root_kind(dependent)
    one, other = _name(links, d), _name(links, h)
    if side == HEAD_LEFT and links.has_left_dependents(left):
        return f"{other} has a left dependent already, and a word takes its right ones first"
    given = links.head[d]
    if given == ROOT:
        return f"{one} is the root of the sentence and has no head"
    if given not in (None, h):
        named = _name(links, given)
        another = "another " if named == other else ""
        return f"the head of {one} is {another}{named}, not {other}"
    if given == h and links.attached(head).count(d) >= links.need[d]:
        return f"{other} takes {one} only {_times(links.need[d])}, and has it already"
    if not links.is_complete(dependent):
        return f"{one} still waits for {_awaited(links, dependent)}"
    return None


def _awaited(links: DependencyLinks, edge: Edge) -> str:
    """The given dependents that the root of an edge does not have yet."""
    kind, there = links.root_kind(edge), links.attached(edge)
    missing = [
        _name(links, k)
        for k, head in enumerate(links.head)
        if head == kind
        for _ in range(links.need[k] - there.count(k))
    ]
    return f"its dependent{'s' if len(missing) > 1 else ''} {listed(missing)}"


def _type(links: DependencyLinks, kind: int) -> int:
    return links.kind_of_type.index(kind)


def _name(links: DependencyLinks, kind: int) -> str:
    return quoted(_type(links, kind), links.problem)


def _times(count: int) -> str:
    return {1: "once", 2: "twice"}.get(count, f"{count} times")


def _why_no_rule(search: BestFirstCCG, left: Edge, right: Edge) -> str:
    pair = f"{left.category} followed by {right.category}"
    turned = search.rules.binary_of(right, left)
    other = "; in the other order there is one" if turned and left is not right else ""
    return f"training had no rule for {pair}{other}"
