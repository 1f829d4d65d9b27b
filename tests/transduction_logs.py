"""Logs of tree transductions for the tests of the fold and the view: real ones, and wild ones."""

from __future__ import annotations

import random
from typing import Any

from nltk.tree import Tree
from random_logs import UNITS

import wordorder_lab as wl
from wordorder_lab.models.kneser_ney import estimate_ngrams
from wordorder_lab.structures.phrase_tree import phrase_nodes
from wordorder_lab.systems.cohn_lapata_2009 import begin_trace
from wordorder_lab.trace.events import SCHEMA
from wordorder_lab.trace.reducers import Row, State
from wordorder_lab.trace.reducers.transduction import _with, rule_of, sides_of
from wordorder_lab.transduction.chart import StsgChart
from wordorder_lab.transduction.grammar import read_grammar
from wordorder_lab.transduction.losses import compression_loss
from wordorder_lab.transduction.problem import Beam, TransductionInput, transduction_problem

FIGURE_1 = Tree.fromstring(
    "(S (SBAR (WHNP (RB exactly) (WP what)) (S (NP (NNS records)) (VP (VBD made) (NP (PRP it)))))"
    " (CC and) (SBAR (WHNP (WDT which)) (S (NP (NNS ones)) (VP (VBP are) (VP (VBN involved))))))"
)
"""The source tree of Cohn & Lapata (2009), Figure 1, with SBAR for S-bar."""

LONG = Tree.fromstring(
    "(S (PP (IN in) (NP (DT the) (JJ old) (NN town))) (NP (NP (DT the) (NN mayor)) (SBAR (WHNP (WP"
    " who)) (S (VP (VBD had) (VP (VBN opened) (NP (DT the) (JJ new) (NN bridge)) (PP (IN over) (NP"
    " (DT the) (NN river)))))))) (VP (VBD said) (NP (NNP Monday)) (SBAR (IN that) (S (NP (DT the)"
    " (NN traffic)) (VP (MD would) (VP (VB fall) (ADVP (RB quickly)) (PP (IN by) (NP (CD ten) (NN"
    " percent)))))))) (. .))"
)

RULES = r"""
<WHNP, WHNP> -> <[WHNP RB_eps WP_1], [WHNP WP_1]>
<S, NP> -> <[S NP_1 VP_eps], NP_1>
<S, VP> -> <[S NP_eps VP_1], VP_1>
<SBAR, VP> -> <[SBAR WHNP_eps S_1], VP_1>
<S, S> -> <[S [SBAR WHNP_1 S_2] [CC and] SBAR_3], [S WHNP_1 [S NP_2 VP_3]]>
<NP, NP> -> <[NP PRP_eps], [NP [PRP them]]>
<S, S> -> <[S SBAR_1 CC_2 SBAR_3], [S SBAR_3 CC_2 SBAR_1]>
"""

TEXT = ["exactly what records are involved", "what made it", "which ones are involved and which"]


def compression_log(beam: Beam = Beam(6, 12), order: int = 3, loss: str = "", **how: Any):  # noqa: B008
    """The source tree of Figure 1 under rules of Figure 3 and random scores, by the decoder."""
    log = how.pop("log", wl.EventLog())
    chance = random.Random(how.get("seed", 1))
    nodes = phrase_nodes(how.get("source", FIGURE_1))
    grammar = read_grammar(how.get("rules", RULES).splitlines(), ["S"])
    problem = transduction_problem(nodes, grammar)
    model = estimate_ngrams([line.split() for line in TEXT], order)
    scores = announce(log, problem, chance, beam)
    reference = Tree.fromstring("(S (NP (NNS records)) (VP (VBP are)))")
    lost = compression_loss(loss, reference) if loss else None
    given = TransductionInput(problem, scores, model, 0.7, lost)
    StsgChart(given, beam, how.get("search", "cube"), trace=log).run(k=how.get("k", 3))
    return log


def announce(log: wl.EventLog, problem: Any, chance: random.Random, beam: Beam) -> list[float]:
    """What comes before the first cell; returns the score of each application: of two features."""
    points = [(chance.uniform(-1, 0.5), -0.3 * one.consumed) for one in problem.applications]
    scores = [one + other for one, other in points]
    begin_trace(problem, scores, beam, log)
    for number, values in enumerate(points):
        for feature, value in zip(("rule", "words out"), values, strict=True):
            log.points(number, feature, value)
    return scores


WILD_RULES = [
    "<S, VP> -> <[S NP_eps VP_1], VP_1>",
    r"<NP, NP> -> <[NP [X \<b\>] x_1], [NP x_1]>",
    r"<NP, NP> -> <[NP [X a\_1] DT_2 NN_1], [NP NN_1 [X \<script\>] DT_2]>",
    "<NP, NP> -> <[NP the NN_1], [NP NN_1]>",
    "<S, S> -> <[S A_1 B_2 C_3], [S C_1 A_2 B_3]>",
    r"<NP, X\_Y> -> <[NP \[ \]], [X\_Y \\ ça]>",
    "<NP, NP> -> <[NP A_1 A_1], [NP A_1]>",
    "<NP> -> [NP",
    "no rule",
    "<A, A> -> <[A], [A]>",
    "<A, B> -> <[A B_1], [C B_1]>",
]
"""Some are none."""


def wild_transduction(seed: int, events: int) -> wl.EventLog:
    """Events in any order, about nodes, applications and items that there may not be."""
    chance = random.Random(seed)
    log = wl.EventLog()
    kinds = ["begin", "source", "application", "points", "cell", "combined", "filled"]
    kinds += ["compressed", "violation", "solved", "cut"]
    weights = [1, 2, 20, 5, 15, 40, 12, 3, 1, 1, 1]
    made = {"application": 0, "item": 0}
    for kind in chance.choices(kinds, weights=weights, k=events):
        size = chance.randint(1, 6)
        if kind == "begin":
            made = dict.fromkeys(made, 0)
        values: dict[str, Any] = {
            "units": chance.sample(UNITS, 4),
            "counts": [1] * 4,
            "labels": chance.choices(["S", "NP", "<b>"], k=size),
            "parents": [chance.randint(-1, size) for _ in range(size)],
            "words": chance.choices(["", *UNITS], k=size),
            "node": chance.randint(-1, 5),
            "category": chance.choice(["NP", "VP", "NN", "A", "S"]),
            "rule": chance.choice(WILD_RULES),
            "origin": chance.choice(["copy", "delete+extracted", "<i>"]),
            "children": [chance.randint(0, 5) for _ in range(chance.randint(0, 3))],
            "deleted": [chance.randint(0, 5) for _ in range(chance.randint(0, 2))],
            "feature": chance.choice(["a b", "<b>"]),
            "cell": chance.randint(0, 9),
            "ranks": [chance.randint(0, 2) for _ in range(chance.randint(0, 3))],
            "item": chance.randint(0, made["item"] + 1),
            "items": [chance.randint(0, made["item"] + 2) for _ in range(chance.randint(0, 4))],
            "outcome": chance.choice(["new", "better", "worse", "<u>"]),
            "applications": [chance.randint(0, 9) for _ in range(5)],
            "application": chance.randint(0, made["application"] + 1),
        }
        if kind == "begin":
            del values["items"]
        if kind == "application" and chance.random() < 0.9:
            values["application"] = made["application"]
        if kind == "combined" and chance.random() < 0.7:
            values |= {"item": made["item"] + 1, "outcome": "new"}
        made["application"] += (
            kind == "application" and values["application"] == made["application"]
        )
        made["item"] = max(made["item"], values["item"]) if kind == "combined" else made["item"]
        row = [
            values.get(name, chance.randint(0, 9) if type is int else chance.uniform(-5, 5))
            for name, type in SCHEMA[kind].columns.items()
        ]
        log.record(kind, *row)
    return log


# --- What the view reads off the books, too


def derived_tree(state: State, applications: list[int]) -> Row:
    """The target tree of a derivation: its applications in pre-order, as an output lists them."""
    ahead = [*reversed(applications)]

    def derived() -> Row:
        number = ahead.pop() if ahead else -1
        known = 0 <= number < len(state["applications"])
        application = state["applications"][number] if known else None
        rule = application and rule_of(application["rule"])
        if not application or not rule:
            return ["?"]
        return _with(rule.target, [derived() for _ in application["children"]])

    return derived()


def frontier_of(state: State, place: int, application: int) -> list[list[int]]:
    """What waits in the queue of cube pruning, places in this application's grid, sorted: at first
    the best of everything, then a step on from what was taken, in its last dimension that is not 0
    or a later one."""
    sizes = [len(side) for side in sides_of(state, application)]
    if not all(sizes):
        return []
    of_cell = state["cells"][place]["taken"]
    mine = [one["ranks"] for one in of_cell if one["application"] == application]
    if not mine:
        return [[0] * len(sizes)]
    found = [step for ranks in mine for step in _steps(ranks, sizes) if step not in mine]
    return [[*step] for step in sorted({tuple(step) for step in found})]


def _steps(ranks: list[int], sizes: list[int]) -> list[list[int]]:
    last = max((k for k, rank in enumerate(ranks) if rank), default=0)
    dimensions = range(last, min(len(sizes), len(ranks)))
    steps = ([*ranks[:k], ranks[k] + 1, *ranks[k + 1 :]] for k in dimensions)
    return [step for k, step in zip(dimensions, steps) if step[k] < sizes[k]]
