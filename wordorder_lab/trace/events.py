"""The event schema, declared once: what each kind of event says, column by column.

Both engines emit these kinds with these columns in the same order; the players replay them.
Types are ``int``, ``float``, ``str`` and ``list`` (of any of them).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

VERSION = 2
"""Goes up whenever a kind or a column changes its meaning."""


class Kind(NamedTuple):
    """One kind of event: its columns in order with their types, and what it says.

    ``absent``: columns that came later, the last ones, and what an event without them means. Those
    of older logs and of searches that have nothing to say there are filled in with it.
    """

    columns: Mapping[str, type]
    says: str
    absent: Mapping[str, object] = {}

    def filled(self, values: tuple[object, ...]) -> tuple[object, ...]:
        """The values of an event, with those that its last columns lack."""
        missing = len(self.columns) - len(values)
        return (*values, *[*self.absent.values()][-missing:]) if missing > 0 else values

    def named(self, values: tuple[object, ...]) -> dict[str, Any]:
        """The values of an event by their columns; ``ValueError`` for too many or too few."""
        return dict(zip(self.columns, self.filled(values), strict=True))


SCHEMA: dict[str, Kind] = {
    "begin": Kind(
        {"units": list, "counts": list, "items": int, "beam": int},
        "A search begins on these units (with counts), offered as so many items (unit and tag).",
    ),
    "step": Kind({"step": int}, "The states of the beam are about to be expanded."),
    "candidate": Kind(
        {"serial": int, "parent": int, "action": str, "score": float},
        "A successor of state `parent` (0: the initial state) was scored.",
    ),
    "kept": Kind({"serial": int, "rank": int}, "The candidate entered the next beam at this rank."),
    "cut": Kind(
        {"serial": int, "margin": float},
        "The candidate did not enter the beam; it lost to the last state in it by this margin.",
    ),
    "gold": Kind(
        {"step": int, "serial": int, "rank": int},
        "After this step the gold state is this candidate, at this rank of the beam. Rank -1: it "
        "was cut. Serial -1, too: it was never a candidate, since its parent had been cut before.",
    ),
    "finished": Kind({"serial": int, "score": float}, "The search ended; this state is the best."),
    "update": Kind(
        {"example": int, "step": int, "reason": str, "gold": float, "predicted": float},
        "The learner updates on the first `step` actions; the scores of the two prefixes before.",
    ),
    "weight": Kind(
        {"feature": str, "action": str, "before": float, "after": float},
        "One weight has changed.",
    ),
    # Last, so that frames and pages of logs without it stay as they were.
    "forbidden": Kind(
        {"parent": int, "action": str, "reason": str},
        "What is given about the bag forbids this action of state `parent`, and this is why. These "
        "come after the state's candidates, where heads or orders are given.",
    ),
    # Best-first search and guided learning.
    "leaf": Kind(
        {
            "serial": int,
            "item": int,
            "form": str,
            "pos": str,
            "score": float,
            "gold": int,
            "category": str,
        },
        "A leaf edge was made of an item. Gold: 1, 0, or -1 where nothing is known of that. In CCG "
        "it has a lexical category; of one item there may be several leaves.",
        {"category": ""},
    ),
    "edge": Kind(
        {
            "serial": int,
            "left": int,
            "right": int,
            "action": str,
            "score": float,
            "gold": int,
            "category": str,
        },
        "An edge was made of two others; HeadLeft or HeadRight says which one brings the head. In "
        "CCG the sign of the rule comes before that (`> HeadLeft`), and it has a category; where "
        "`right` is 0 a unary rule made it of one edge, and the action is its sign alone.",
        {"category": ""},
    ),
    "popped": Kind({"serial": int, "score": float}, "The best edge of the agenda was popped off."),
    "goal": Kind({"serial": int, "score": float}, "The popped edge is a goal; in learning, gold."),
    "charted": Kind({"serial": int}, "The popped edge has been expanded and enters the chart."),
    "pruned": Kind(
        {"serial": int, "reason": str},
        "An edge is out. `beam`: the chart was too full. `negative`: it was the negative example "
        "when a gold edge would have been dropped. `discarded`: popped, not gold, and not "
        "expanded. `signature`: another edge with the same signature stays in the chart, or it was "
        "popped and takes this one's place. "
        "In an n-gram beam `recombined`: a better candidate has the same words left over after the "
        "same last words.",
    ),
    "edge_update": Kind(
        {
            "example": int,
            "reason": str,
            "positive": int,
            "negative": int,
            "margin": float,
            "step": float,
        },
        "The learner moves the weights by `step` towards the positive edge, away from the negative "
        "one. `margin`: by how much the positive one was ahead. Reason `agenda`: the negative one "
        "was popped. `chart` and `signature`: a gold edge was about to leave the chart. Step 0: no "
        "update, since both edges have `equal` features, or the margin is `satisfied`.",
    ),
    "rescored": Kind({"serial": int, "score": float}, "After an update this edge's score is new."),
    "stopped": Kind(
        {"reason": str},
        "How the search ended: complete, agenda empty, expansions, memory, seconds; in learning "
        "finished (the gold goal was popped), limit, stopped (at the first update).",
    ),
    # Tree transduction: sentence compression by a chart with cube pruning, and its learner.
    "source": Kind(
        {"labels": list, "parents": list, "words": list},
        "The source tree, nodes in post-order: labels, parents (-1: none), the word of each "
        "preterminal (empty for other nodes). The root comes last.",
    ),
    "application": Kind(
        {
            "application": int,
            "node": int,
            "category": str,
            "rule": str,
            "origin": str,
            "children": list,
            "deleted": list,
            "score": float,
        },
        "A rule matches at this source node and gives a target tree with this category. `children` "
        "are the nodes of its variables, in the order of the target, `deleted` those that are "
        "aligned with epsilon. Origin: extracted, copy, delete, or several joined by `+`.",
    ),
    "points": Kind(
        {"application": int, "feature": str, "points": float},
        "What a feature adds to the score of this application: weight times value.",
    ),
    "cell": Kind(
        {"cell": int, "node": int, "category": str},
        "The cell of this source node and target category is about to be filled.",
    ),
    "combined": Kind(
        {
            "serial": int,
            "application": int,
            "ranks": list,
            "heuristic": float,
            "score": float,
            "ngrams": float,
            "loss": float,
            "item": int,
            "outcome": str,
        },
        "A combination was taken from the grid of an application: for its k-th variable the item "
        "at this rank of the child's cell (0: best). Heuristic: what it was chosen by. Score: the "
        "right one, of which n-grams that were made here are `ngrams`. Outcome: `new` item, this "
        "item `better` than before, or `worse`.",
    ),
    "filled": Kind(
        {"cell": int, "items": list},
        "The cell is full: its items, best first. What is not here is out by the beam.",
    ),
    "compressed": Kind(
        {"rank": int, "score": float, "applications": list, "words": list},
        "The derivation at this rank (0: best): its applications in pre-order, its words.",
    ),
    "violation": Kind(
        {"example": int, "loss": float, "margin": float, "violation": float},
        "The output of an example that violates its margin most: its loss, by how much the gold "
        "derivation is ahead of it, and the difference of the two.",
    ),
    "solved": Kind(
        {"iteration": int, "constraints": int, "primal": float, "dual": float, "bound": float},
        "The quadratic programme over so many constraints was solved: its primal and dual value. "
        "Bound: the objective over all outputs, as far as the searches found them.",
    ),
    # A training over its epochs.
    "learned": Kind(
        {
            "epoch": int,
            "example": int,
            "sentence": int,
            "updates": int,
            "margin": float,
            "prefix": int,
            "length": int,
        },
        "A sentence of the training was learned, as so many examples had been before: its updates, "
        "their lowest margin (0 without one), and how many actions (of a best-first search, pops) "
        "were gold before the first that was not, of how many.",
    ),
    "epoch": Kind(
        {"epoch": int, "updates": int, "weights": int, "norm": float, "scores": list},
        "An epoch is over: its updates, how many raw weights are not 0, their Euclidean norm. "
        "Scores: the number that `on_epoch` gave back, such as BLEU on held-out sentences.",
    ),
    # Before a best-first search with CCG whose categories a supertagger gave.
    "supertags": Kind(
        {"probabilities": list},
        "Of the search that begins next: the probability of each item's lexical category, as a "
        "supertagger has it; -1 where it said nothing of an item.",
    ),
    # After the begin of a search whose units have several forms, or whose arcs have labels.
    "alternatives": Kind(
        {"types": list, "forms": list},
        "Of the search that has begun: which of its units have several forms, of which one is used "
        "each time. A row a form: the place of the unit among those of `begin`, and the form; the "
        "one that `begin` names it by comes first.",
    ),
    "labels": Kind(
        {"labels": list},
        "Of the search that has begun: for each item the label of the arc into it, empty where it "
        "has none. Told where any has one.",
    ),
    # A parser's chart: CKY, cell by cell.
    "constituent": Kind(
        {
            "serial": int,
            "start": int,
            "end": int,
            "label": str,
            "score": float,
            "left": int,
            "right": int,
        },
        "In the chart's cell of the words from `start` up to, not including, `end` stands this "
        "label with its best score, made of the constituents `left` and `right`. Right 0: of one "
        "alone, by a unary rule. Both 0: a tag of one word. Told when its cell is full, in the "
        "order of the labels' numbers; labels with `@` came of making rules binary.",
    ),
    "out_of_beam": Kind({"serial": int}, "The constituent is too bad for its cell, and leaves it."),
    "parsed": Kind(
        {"serial": int, "score": float, "brackets": str, "fallback": int},
        "The parse with its log probability, in brackets. Fallback 1: the grammar has none, so it "
        "was put together by a rule for that, and its serial is 0.",
    ),
    # Compression by deletion: a lattice of adjacent kept words, and an integer programme.
    "bigram": Kind(
        {"left": int, "right": int, "score": float, "total": float, "back": int},
        "In a lattice over the words 1 to n (0: start, n + 1: end) the word `right` is kept "
        "straight after `left`, all between them left out, for this score; `total` is that of the "
        "best path that ends so. Back 1: no way to `right` that was scanned before is as good.",
    ),
    "path": Kind(
        {"rank": int, "score": float, "kept": list, "words": list},
        "A compression by deletion, at this rank (0: best): places of the kept words from 0, and "
        "the words.",
    ),
    "demand": Kind(
        {"name": str, "says": str, "words": list, "broken": int},
        "The integer programme that is solved next has this row: a family of constraints, what it "
        "demands in plain words, and the places of the words it is about. Broken 1: the best "
        "compression without any constraint would break it.",
    ),
    "programme": Kind(
        {"names": list, "kept": list, "objective": float, "nodes": int},
        "An integer programme was solved under these families of constraints: places of the kept "
        "words from 0, its value, and how many nodes branch and bound looked at.",
    ),
}

SUMMARIES = frozenset({"learned", "epoch"})
"""Kinds that tell of a training as a whole: one event a sentence, one an epoch. A log that takes a
sample has them all, and so has a full one."""
