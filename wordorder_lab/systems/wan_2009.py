"""The systems "wan-2009-cle" and "wan-2009-ab": Wan, Dras, Dale & Paris (2009).

Improving Grammaticality in Statistical Sentence Generation: a tree is built over a bag of words,
then its words are put in order. "wan-2009-cle" takes the best spanning tree (Chu-Liu-Edmonds,
``assignment/spanning_tree``), "wan-2009-ab" assigns dependents to argument positions, of all words
or, with ``growing``, of attached ones (``assignment/slots``). Both learn by counting
(``assignment/statistics``) and order each head's dependents by an n-gram model
(``assignment/linearize``). Zhang & Clark (2011, Table 5) compare their system with these two.

The score of an output is the logarithm of its tree's weight and of its words' probability by the
n-gram model. Nothing searches for the best sum: the tree is chosen first.

Differences
- *Paper silent*: this is the closest reading of a paper that is not before us, not its system. What
  is known, and what is ours, stand in the notes of the four files.
- *Our reading*, Zhang & Clark 2011, section 6: the tag of every word is given. A word without one
  has the tag that it is seen with most often.
- *Our reading*: base NPs are one unit, known by its last word; the n-gram model reads all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import partial
from typing import ClassVar, NamedTuple, Self

import numpy as np

from wordorder_lab.assignment.linearize import Linearizer
from wordorder_lab.assignment.slots import Arc, assigned_tree, grown_tree
from wordorder_lab.assignment.spanning_tree import NEVER, spanning_tree
from wordorder_lab.assignment.statistics import (
    ARRAYS,
    AT_ROOT,
    LEFT,
    RIGHT,
    SIDES,
    Known,
    Statistics,
)
from wordorder_lab.models.file_parts import Json, JsonView, exactly
from wordorder_lab.models.kneser_ney import estimate_ngrams
from wordorder_lab.models.ngram import NGRAM_ARRAYS, NGramModel
from wordorder_lab.models.tag_dictionary import TagDictionary
from wordorder_lab.structures.bag import WordBag
from wordorder_lab.structures.problem import Item, OrderingProblem
from wordorder_lab.structures.result import Result
from wordorder_lab.structures.sentence import ROOT, Sentence
from wordorder_lab.structures.trace import Trace
from wordorder_lab.systems import model as common
from wordorder_lab.systems.model import OrderingModel, Words
from wordorder_lab.systems.setting import SettingsClass, setting, usual
from wordorder_lab.systems.system import System

CLE, AB = "wan-2009-cle", "wan-2009-ab"


@dataclass(frozen=True)
class Search:
    """What may be set when a bag is ordered; the second where dependents are assigned."""

    beam: int = usual("beam", 64, help="hypotheses kept by the linearizer", as_trained=True)
    growing: bool = setting(False, "the tree grows from its root, as in the paper")


class Ordered(NamedTuple):
    """What a search gives: nodes in order, their heads as places, the score."""

    nodes: Sequence[int]
    heads: tuple[int, ...]
    score: float


@dataclass(repr=False)
class AssignmentModel(OrderingModel):
    """A trained model of one of the two systems. There is one output, whatever ``k``, and one
    program for both engines. Given heads are kept."""

    SYSTEMS: ClassVar[tuple[str, ...]] = (CLE, AB)
    WHOLE: ClassVar[str] = "arc_count"
    HAS_STEPS: ClassVar[bool] = False
    Search: ClassVar[SettingsClass] = Search

    system: str
    statistics: Statistics
    ngrams: NGramModel
    dictionary: TagDictionary
    settings: JsonView = field(default_factory=dict)

    def problem(self, bag: Words) -> OrderingProblem:
        """A bag made ready. Raises ``ValueError`` for one with orders, or with alternatives."""
        problem = super().problem(bag)
        problem.refuse_alternatives(self.system)
        if any(problem.given.before):
            raise ValueError(
                f"{self.system} takes no orders between units: leave them out (in a typed bag what "
                "stands behind |), or take liu-2015"
            )
        return problem

    def _run(
        self, problem: OrderingProblem, chosen: Json, _k: int, _engine: str, _trace: Trace | None
    ) -> Ordered:
        beam, growing = chosen["beam"], chosen.get("growing", False)
        nodes = _Nodes(problem, self.statistics)
        arcs = self._spanning(nodes) if self.system == CLE else self._assigned(nodes, growing)
        below: list[list[list[int]]] = [[[], []] for _ in range(len(arcs) + 1)]
        for node, arc in enumerate(arcs):
            below[arc.head][arc.side].append(node)
        units = [item.unit for item in nodes.items]
        order = Linearizer(self.ngrams, beam).order(units, below)
        place = {node: i for i, node in enumerate(order)} | {ROOT: ROOT}
        heads = tuple(place[arcs[node].head] for node in order)
        looks = [(nodes.items[node].unit, nodes.known[node]) for node in order]
        return Ordered(order, heads, self._score(looks, heads))

    # --- the tree ---------------------------------------------------------------------------

    def _spanning(self, nodes: _Nodes) -> list[Arc]:
        """The best spanning tree, each arc on its better side (of equal ones on the left)."""
        n, known = len(nodes.known), nodes.known
        weights = np.full((n + 1, n), NEVER)
        sides = np.zeros((n, n), dtype=int)
        for dependent, given in enumerate(nodes.given):
            for head in range(n):
                if head == dependent or given not in (None, head):
                    continue
                pair = known[head], known[dependent]
                values = [nodes.remembered(self.statistics.arc, pair, side) for side in SIDES]
                sides[head, dependent] = side = RIGHT if values[RIGHT] > values[LEFT] else LEFT
                weights[head, dependent] = values[side]
            if given == ROOT or (given is None and ROOT not in nodes.given):
                weights[n, dependent] = self.statistics.arc(AT_ROOT, LEFT, known[dependent])
        heads = spanning_tree(weights)
        return [
            Arc(head, LEFT if head == ROOT else int(sides[head, dependent]))
            for dependent, head in enumerate(heads)
        ]

    def _assigned(self, nodes: _Nodes, growing: bool) -> list[Arc]:
        known = [*nodes.known, AT_ROOT]

        def worth(head: int, side: int, dependent: int) -> float:
            pair = known[head], known[dependent]
            return nodes.remembered(self.statistics.dependent, pair, side)

        def valency(head: int, side: int, number: int) -> float:
            return self.statistics.valency(known[head], side, number)

        build = grown_tree if growing else assigned_tree
        return build(len(nodes.known), worth, valency, nodes.given)

    def _score(self, looks: Sequence[tuple[tuple[str, ...], Known]], heads: Sequence[int]) -> float:
        """The score of units in order, with their heads: tree and words."""
        counts = self.statistics
        known = [look for _, look in looks]
        numbers = [[0, 0] for _ in looks]
        total = 0.0
        for place, head in enumerate(heads):
            side = RIGHT if ROOT < head < place else LEFT
            if head != ROOT:
                numbers[head][side] += 1
            over = AT_ROOT if head == ROOT else known[head]
            arc = counts.arc if self.system == CLE else counts.dependent
            total += arc(over, side, known[place])
        if self.system == AB:
            for look, pair in zip(known, numbers, strict=True):
                for side, number in zip(SIDES, pair, strict=True):
                    total += counts.valency(look, side, number)
        return total + self.ngrams.score([word for unit, _ in looks for word in unit])

    def score_of(self, sentence: Sentence) -> float:
        """The score of a sentence with its tree, as its output would have it."""
        known = self.statistics.known
        looks = [(token.words, known(token.words[-1], token.pos)) for token in sentence]
        return self._score(looks, [token.head for token in sentence])

    def _results(self, _bag: WordBag, problem: OrderingProblem, found: Ordered) -> list[Result]:
        nodes = _Nodes(problem, self.statistics)
        chosen = [nodes.items[node] for node in found.nodes]
        order = [nodes.units[node] for node in found.nodes]
        return [common.result_of(chosen, order, found.heads, found.score)]

    # --- settings and file ------------------------------------------------------------------

    def usual_search(self) -> Json:
        """The settings of a search of which nothing is said; a spanning tree does not grow."""
        chosen = super().usual_search()
        if self.system == CLE:
            del chosen["growing"]
        return chosen

    def header(self) -> Json:
        """Words and tags, the tags of words, and the n-gram model's."""
        return {
            "words": list(self.statistics.words),
            "tags": list(self.statistics.tags),
            "dictionary": self.dictionary.entries(),
            "ngrams": self.ngrams.header(),
        }

    def arrays(self) -> dict[str, np.ndarray]:
        """Counts, and the n-gram model's."""
        return {**self.statistics.columns, **self.ngrams.arrays()}

    @classmethod
    def of_parts(cls, header: JsonView, arrays: Mapping[str, np.ndarray]) -> Self:
        """The model of a whole file. Raises ``ValueError`` where its parts do not fit together."""
        exactly(arrays, (*ARRAYS, *NGRAM_ARRAYS))
        common.check_beam(header["settings"])
        words, tags = common.words_of(header)
        return cls(
            header["system"],
            Statistics.from_arrays(words, tags, arrays),
            NGramModel.from_arrays(header["ngrams"], arrays),
            common.dictionary_of(header),
            dict(header["settings"]),
        )


class _Nodes:
    """The units of a problem one by one, type by type, so that the bag's order does not matter."""

    def __init__(self, problem: OrderingProblem, statistics: Statistics) -> None:
        by_type: dict[int, list[Item]] = {}
        for item in problem.items:
            by_type.setdefault(item.type, []).append(item)
        first: list[int] = []
        self.items: list[Item] = []
        self.units: list[int] = []
        heads: list[int | None] = []
        for kind, units in enumerate(problem.units):
            tags = {item.pos: item for item in by_type[kind]}
            item = tags[statistics.usual_tag(by_type[kind][0].word, tags)]
            first.append(len(self.items))
            self.items += [item] * len(units)
            self.units += units
            heads += [problem.given.heads[kind]] * len(units)
        # A type that is a given head is one unit.
        self.given = [first[head] if head is not None and head >= 0 else head for head in heads]
        self.known = [statistics.known(item.word, item.pos) for item in self.items]
        self._values: dict[tuple[tuple[Known, Known], int], float] = {}

    def remembered(
        self, ask: Callable[[Known, int, Known], float], pair: tuple[Known, Known], side: int
    ) -> float:
        """What the statistics say of head, side and dependent; asked once."""
        if (pair, side) not in self._values:
            self._values[pair, side] = ask(pair[0], side, pair[1])
        return self._values[pair, side]


# --- training -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Settings:
    """What a training depends on, beside its sentences; ``order`` is that of the n-grams."""

    pos: float = usual("pos", 1)
    deps: float = usual("deps", 0)
    seed: int = usual("seed", 1)
    order: int = usual("order", 4)
    beam: int = usual("beam", 64, help="hypotheses kept by the linearizer")


def _learn(
    system: str, sentences: Sequence[Sentence], settings: Settings, **_: object
) -> Iterator[AssignmentModel]:
    """Count; both engines do the same."""
    ngrams = estimate_ngrams([sentence.surface for sentence in sentences], settings.order)
    statistics, tags = Statistics.of(sentences), TagDictionary.of(sentences)
    yield AssignmentModel(system, statistics, ngrams, tags, asdict(settings))


SYSTEMS = {
    name: System(
        says,
        Settings,
        partial(_learn, name),
        AssignmentModel,
        traced=False,
        engines=("reference",),
    )
    for name, says in (
        (CLE, "A spanning tree, put in order by n-grams (after Wan et al. 2009)"),
        (AB, "The same with dependents assigned to argument positions (after Wan et al.)"),
    )
}
