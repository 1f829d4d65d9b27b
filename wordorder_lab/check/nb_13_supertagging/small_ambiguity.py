r"""A search that fits on paper: "I saw her duck", whose words a supertagger is not sure of.

Did she bend, or was it her bird? The probabilities are ours, in the manner of a supertagger's.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from wordorder_lab.best_first.ccg_rules import CCGRules
from wordorder_lab.best_first.edge import Edge
from wordorder_lab.best_first.settings import SearchSettings
from wordorder_lab.check.nb_10_ccg.ccg_by_hand import FEW, OnPaper
from wordorder_lab.structures.bag import WordBag
from wordorder_lab.structures.category import Category
from wordorder_lab.structures.problem import OrderingProblem
from wordorder_lab.supertagging.forward_backward import cut
from wordorder_lab.trace.log import EventLog

WORDS = {"I": "PRP", "saw": "VBD", "her": "PRP$", "duck": "NN"}
"""The words with their tags."""
CHANCES = {
    "I": {"NP": 1.0},
    "saw": {r"(S\NP)/NP": 0.84, r"((S\NP)/(S[b]\NP))/NP": 0.12, "N": 0.04},
    "her": {"NP[nb]/N": 0.65, "NP": 0.35},
    "duck": {"N": 0.8, r"S[b]\NP": 0.2},
}
"""The probability of each category of each word."""
_ROWS = (
    ("NP", ("NP[nb]/N", "N"), 0),
    (r"S\NP", (r"(S\NP)/NP", "NP"), 0),
    (r"(S\NP)/(S[b]\NP)", (r"((S\NP)/(S[b]\NP))/NP", "NP"), 0),
    (r"S\NP", (r"(S\NP)/(S[b]\NP)", r"S[b]\NP"), 0),
    ("S", ("NP", r"S\NP"), 1),
)


def kept(beta: float) -> dict[str, dict[str, float]]:
    """The categories of each word that the cut leaves, with their probabilities."""
    left: dict[str, dict[str, float]] = {}
    for word, chances in CHANCES.items():
        names = list(chances)
        left[word] = {names[i]: chances[names[i]] for i in cut(list(chances.values()), beta)}
    return left


@cache
def searched(beta: float) -> tuple[OnPaper, EventLog]:
    """Everything that can be built of what this beta leaves: no limit, no pruning, all goals."""
    lists: list[Any] = list(kept(beta).values())
    bag = WordBag(tuple(WORDS), tuple(WORDS.values()), categories=lists)

    def categories(unit: tuple[str, ...], _tag: str) -> tuple[Category, ...]:
        return tuple(map(Category.parse, kept(beta)[unit[0]]))

    problem = OrderingProblem.of(bag, lambda _unit: (), categories)
    log = EventLog()
    log.supertags([lists[problem.units[one.type][0]][str(one.category)] for one in problem.items])
    settings = SearchSettings(beam=0, k=99, signature="none")
    rules = CCGRules.from_rows([*row, 1] for row in _ROWS)
    search = OnPaper(problem, FEW, lambda _feature: 0.0, settings, log, rules=rules)
    search.run()
    return search, log


def built_as(search: OnPaper, edge: Edge) -> str:
    """How an edge was built, the same in two searches: its words, categories and brackets."""
    if not edge.parts:
        return search.told(edge)
    inside = ", ".join(built_as(search, part) for part in edge.parts)
    return f"{edge.category} [{inside}]"


def edges_shown(beta: float) -> list[dict[str, Any]]:
    """All edges with their numbers, as rows of a table."""
    search, _ = searched(beta)
    return [
        {
            "edge": edge.serial,
            "words": search.text(edge),
            "category": str(edge.category),
            "of edges": " + ".join(str(part.serial) for part in edge.parts),
        }
        for edge in search.made
    ]
