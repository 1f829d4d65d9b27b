r"""CCG searches that fit on paper.

"IBM bought Lotus" is the example of Zhang & Clark (2015), with four templates of their Table 1.
"the stone bridge" is ours, the smallest bag in which pruning by signatures loses the best
derivation of a plain model that has no circles of unary rules (section 3.2).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from wordorder_lab.best_first.ccg import BestFirstCCG
from wordorder_lab.best_first.ccg_rules import CCGRules
from wordorder_lab.best_first.edge import Edge
from wordorder_lab.best_first.features import show
from wordorder_lab.best_first.settings import SearchSettings
from wordorder_lab.best_first.templates import parse_ccg_templates
from wordorder_lab.structures.bag import WordBag
from wordorder_lab.structures.category import Category
from wordorder_lab.structures.problem import OrderingProblem
from wordorder_lab.structures.templates import Feature

FEW = parse_ccg_templates(
    """
    all edges
    category + head word;
    binary edges
    the binary rule; bigrams resulting from combination; resulting lexical category trigrams;
    unary edges
    unary rule;
    Groups
    all edges
    category head;
    binary edges
    rule; B-1 B; C-2 C-1 C; C-1 C B C+1;
    unary edges
    rule;
    """,
    "five templates",
)
"""Templates of Table 1 for searching on paper."""


class Paper(NamedTuple):
    """A search for paper: words with tags, their categories, the rules (parent, children, head),
    and the weights by the features' names; all others are 0."""

    words: tuple[str, ...]
    tags: tuple[str, ...]
    lexicon: Mapping[str, Sequence[str]]
    rows: tuple[tuple[str, tuple[str, ...], int], ...]
    weights: Mapping[str, float]


BOUGHT = Paper(
    ("IBM", "bought", "Lotus"),
    ("NNP", "VBD", "NNP"),
    {"IBM": ["NP"], "Lotus": ["NP"], "bought": [r"(S\NP)/NP", r"S\NP"]},
    (
        (r"S/(S\NP)", ("NP",), 0),
        (r"S\NP", (r"(S\NP)/NP", "NP"), 0),
        ("S", ("NP", r"S\NP"), 1),
        ("S", (r"S/(S\NP)", r"S\NP"), 1),
        ("S/NP", (r"S/(S\NP)", r"(S\NP)/NP"), 1),
    ),
    {
        r"category + head word = (S\NP)/NP, bought": 1.0,
        r"category + head word = S\NP, bought": 0.5,
        r"unary rule = NP => S/(S\NP)": 1.0,
        r"the binary rule = ((S\NP)/NP) NP => S\NP": 2.0,
        r"the binary rule = NP (S\NP) => S": 1.0,
        r"the binary rule = (S/(S\NP)) (S\NP) => S": 1.0,
        "bigrams resulting from combination = IBM, bought": 4.0,
        "bigrams resulting from combination = bought, Lotus": 2.0,
    },
)
"""Two categories for the verb, one unary rule; there is no rule for S/NP and NP."""

BRIDGE = Paper(
    ("the", "stone", "bridge"),
    ("DT", "NN", "NN"),
    {"the": ["NP/N"], "stone": ["N", "N/N"], "bridge": ["N"]},
    (("N", ("N/N", "N"), 1), ("N", ("N", "N"), 1), ("NP", ("NP/N", "N"), 0)),
    {
        "category + head word = N, stone": 1.0,
        "bigrams resulting from combination = stone, bridge": 2.0,
        "resulting lexical category trigrams = NP/N, N/N, N": 5.0,
    },
)
"""Is *stone* a noun or an adjective? Only the trigram of lexical categories can tell."""


class OnPaper(BestFirstCCG):
    """A search that keeps every edge in ``made``, in the order of their making."""

    made: list[Edge]

    def add_all(self, new: Sequence[Edge]) -> None:
        """ADD."""
        self.made = [*getattr(self, "made", []), *new]
        super().add_all(new)

    def told(self, edge: Edge) -> str:
        """The words of an edge with its category: ``bought Lotus · S\\NP``."""
        return f"{self.text(edge)} · {edge.category}"

    def text(self, edge: Edge) -> str:
        """The words of an edge."""
        return " ".join(self.problem.items[i].form for i in edge.items)


def search_by_hand(
    paper: Paper = BOUGHT, trace: Any = None, decoder: type[OnPaper] = OnPaper, **how: Any
) -> OnPaper:
    """A reference search; ``how`` is as in ``SearchSettings``, ``counts`` as in ``WordBag``."""
    bag = WordBag(paper.words, paper.tags, counts=how.pop("counts", None))
    settings = SearchSettings(**{"beam": 0, **how})

    def categories(unit: tuple[str, ...], _tag: str) -> tuple[Category, ...]:
        return tuple(map(Category.parse, paper.lexicon[" ".join(unit)]))

    def weight(feature: Feature) -> float:
        return paper.weights.get(show(FEW, feature), 0.0)

    problem = OrderingProblem.of(bag, lambda _unit: (), categories)
    rules = CCGRules.from_rows([*row, 1] for row in paper.rows)
    return decoder(problem, FEW, weight, settings, trace, rules=rules)
