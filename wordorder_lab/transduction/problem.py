"""A source tree made ready for a decoder: where rules match, the cells of the chart, the scores.

Algorithm 4 of Cohn & Lapata (2009) loops over the rules that match in its line 6: those of the
grammar, and the copy and deletion rules of each node. Kept is what some derivation of the whole
tree uses: whose variables can be filled, and which can be reached from the root.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

from wordorder_lab.models.ngram import END_ID, START_ID, LocalNGrams, NGramModel
from wordorder_lab.structures.messages import cited
from wordorder_lab.structures.phrase_tree import PhraseNodes
from wordorder_lab.structures.plain_tree import Tree
from wordorder_lab.structures.synchronous_rule import (
    INNER,
    ElementaryTree,
    SynchronousRule,
)
from wordorder_lab.transduction.grammar import (
    EXTRACTED,
    Matching,
    RuleParts,
    Shapes,
    SynchronousGrammar,
)
from wordorder_lab.transduction.losses import Loss


@dataclass(frozen=True, slots=True)
class Application:
    """A rule that matches the source tree at ``node``.

    ``children`` are the source nodes of its variables, the first variable first; ``deleted`` those
    that are aligned with epsilon. ``consumed`` is how many words of the source are its own or
    deleted by it: every word of the source belongs to one application of a derivation. ``yields``
    and ``categories`` are those of ``RuleParts``.
    """

    node: int
    rule: SynchronousRule
    origin: int
    children: tuple[int, ...]
    deleted: tuple[int, ...]
    consumed: int
    yields: tuple[str | int, ...]
    categories: tuple[str, ...]

    @property
    def category(self) -> str:
        """The root category of the target side."""
        return self.rule.target.label


@dataclass(frozen=True)
class TransductionProblem:
    """A source tree with every application that some derivation uses.

    ``cells`` are pairs (source node, target category), children before parents;
    ``applications`` are in the order of their cells, ``cell_of`` has the cell of each and
    ``child_cells`` the cells of its variables. ``roots`` are the cells in which a derivation may
    end. ``yields[a]`` is the frontier of the target side: words, and the numbers of variables.
    """

    nodes: PhraseNodes
    applications: tuple[Application, ...]
    cells: tuple[tuple[int, str], ...]
    cell_of: tuple[int, ...]
    child_cells: tuple[tuple[int, ...], ...]
    roots: tuple[int, ...]

    @cached_property
    def yields(self) -> tuple[tuple[str | int, ...], ...]:
        """The frontiers of the target sides."""
        return tuple([one.yields for one in self.applications])

    @cached_property
    def words(self) -> tuple[str, ...]:
        """Every word that an output may have, sorted."""
        return tuple(sorted({sign for one in self.yields for sign in one if isinstance(sign, str)}))

    @cached_property
    def in_cell(self) -> tuple[range, ...]:
        """The applications of each cell."""
        found = []
        begin = 0
        for cell in range(len(self.cells)):
            end = begin
            while end < len(self.cell_of) and self.cell_of[end] == cell:
                end += 1
            found.append(range(begin, end))
            begin = end
        return tuple(found)

    def target_tree(self, derivation: tuple[int, ...]) -> Tree:
        """The target tree of a derivation, given as its applications in pre-order."""
        todo = list(reversed(derivation))

        def build() -> Tree:
            application = self.applications[todo.pop()]
            parts = [build() for _ in application.children]
            return filled(application.rule.target, parts)

        return build()

    def rewrites(self, derivation: tuple[int, ...]) -> Iterator[Tree]:
        """The target tree before the first rewrite, after it, ..., after the last: Figure 4.

        Algorithm 2: the root of the source is to become the root of the target, and each rule
        rewrites the leftmost node that waits. A node that waits is labelled X/Y, source category
        and target category, and has the source subtree below it.
        """
        for steps in range(len(derivation) + 1):
            yield self._after(derivation, steps)

    def _after(self, derivation: tuple[int, ...], steps: int) -> Tree:
        todo = iter(derivation[:steps])

        def build(node: int, category: str) -> Tree:
            number = next(todo, None)
            if number is None:
                source = self.nodes.tree(node)
                return Tree(f"{source.label()}/{category}", list(source))
            one = self.applications[number]
            parts = [build(*cell) for cell in zip(one.children, one.categories)]
            return filled(one.rule.target, parts)

        return build(self.nodes.root, self.applications[derivation[0]].category)


def filled(target: ElementaryTree, parts: list[Tree]) -> Tree:
    """The target side of a rule with its variables filled, the first by the first part."""
    if target.index != INNER:
        return parts[target.index - 1]
    below = [c if isinstance(c, str) else filled(c, parts) for c in target.children]
    return Tree(target.label, below)


# --- Where rules match


def transduction_problem(nodes: PhraseNodes, grammar: SynchronousGrammar) -> TransductionProblem:
    """A source tree with all applications that matter. A derivation may end in a root category of
    the grammar, and in that of the source's root, so that copying gives a result."""
    every = enumerate(grammar.rules_at(nodes))
    found = [one for v, rules in every for one in applications_at(v, nodes, rules)]
    root = nodes.root
    return _kept(nodes, found, {(root, label) for label in {*grammar.roots, nodes.labels[root]}})


def with_application(problem: TransductionProblem, application: int) -> TransductionProblem:
    """The derivations that use this application alone, without others at its node or over it, as a
    problem of its own. Raises ``ValueError`` where the whole tree has none."""
    chosen = problem.applications[application]
    kept = [
        one
        for one in problem.applications
        if one is chosen or not _passes(one, chosen.node, problem.nodes)
    ]
    goals = {problem.cells[root] for root in problem.roots}
    only = _kept(problem.nodes, kept, goals)
    if chosen not in only.applications:
        raise ValueError(f"no derivation of the whole tree uses {chosen.rule}")
    return only


def extracted_from(problem: TransductionProblem, rules: Container[str]) -> TransductionProblem:
    """The same problem, in which only rules whose text is one of ``rules`` count as extracted; what
    else the grammar has may be used, but has no origin, or that of a copy or deletion rule."""
    applications = tuple(
        one if one.rule.text in rules else replace(one, origin=one.origin & ~EXTRACTED)
        for one in problem.applications
    )
    return replace(problem, applications=applications)


def applications_at(v: int, nodes: PhraseNodes, rules: Matching) -> list[Application]:
    """The rules of a node's family that match there, by category and then by text.

    A walk through ``rules.shapes``: the node that is next in pre-order is either on the frontier
    or has the children that it has, so of all shapes only those are met that match so far.
    """
    matching: dict[int, tuple[int, ...]] = {}
    waiting: list[tuple[Shapes, list[int], tuple[int, ...]]] = [(rules.shapes, [v], ())]
    while waiting:
        shape, todo, frontier = waiting.pop()
        if not todo:
            matching.update(dict.fromkeys(shape.places, frontier))
            continue
        node, *rest = todo
        if shape.frontier is not None:
            waiting.append((shape.frontier, rest, (*frontier, node)))
        inner = shape.inner.get(nodes.below_each[node])
        if inner is not None:
            waiting.append((inner, [*nodes.children[node], *rest], frontier))
    return [
        _application(v, rules.rules[place], matching[place], nodes) for place in sorted(matching)
    ]


def match(tree: ElementaryTree, v: int, nodes: PhraseNodes) -> list[tuple[int, int]] | None:
    """The frontier of a source side, laid over the subtree at ``v``: pairs (index, node). ``None``
    if they differ."""
    if tree.label != nodes.labels[v]:
        return None
    if tree.index != INNER:
        return [(tree.index, v)]
    if not nodes.children[v]:
        return [] if tree.children == (nodes.words[v],) else None
    if len(tree.children) != len(nodes.children[v]):
        return None
    frontier: list[tuple[int, int]] = []
    for child, node in zip(tree.children, nodes.children[v]):
        inner = None if isinstance(child, str) else match(child, node, nodes)
        if inner is None:
            return None
        frontier += inner
    return frontier


def _application(
    v: int, parts: RuleParts, frontier: tuple[int, ...], nodes: PhraseNodes
) -> Application:
    rule, origin, kept, deleted, yields, categories = parts
    children = tuple([frontier[place] for place in kept])
    consumed = nodes.ends[v] - nodes.begins[v]
    for child in children:
        consumed -= nodes.ends[child] - nodes.begins[child]
    gone = tuple([frontier[place] for place in deleted])
    return Application(v, rule, origin, children, gone, consumed, yields, categories)


def _kept(
    nodes: PhraseNodes, matching: list[Application], goals: set[tuple[int, str]]
) -> TransductionProblem:
    """The problem with what is of use: cells that can be filled, and that the root needs."""
    needs = [tuple(zip(one.children, one.categories)) for one in matching]
    fillable: set[tuple[int, str]] = set()
    can = []
    for application, need in zip(matching, needs):  # children come before parents
        can.append(all(cell in fillable for cell in need))
        if can[-1]:
            fillable.add((application.node, application.category))
    wanted = goals & fillable
    for i in reversed(range(len(matching))):
        can[i] = can[i] and (matching[i].node, matching[i].category) in wanted
        if can[i]:
            wanted.update(needs[i])
    kept = [i for i in range(len(matching)) if can[i]]
    cells = tuple(dict.fromkeys((matching[i].node, matching[i].category) for i in kept))
    numbers = {cell: number for number, cell in enumerate(cells)}
    return TransductionProblem(
        nodes=nodes,
        applications=tuple(matching[i] for i in kept),
        cells=cells,
        cell_of=tuple(numbers[matching[i].node, matching[i].category] for i in kept),
        child_cells=tuple(tuple(numbers[cell] for cell in needs[i]) for i in kept),
        roots=tuple(sorted(numbers[goal] for goal in goals if goal in numbers)),
    )


def _passes(one: Application, node: int, nodes: PhraseNodes) -> bool:
    """Whether an application covers a node and leaves it to no other."""
    return node in nodes.below(one.node) and not any(
        node in nodes.below(child) for child in one.children
    )


# --- What both decoders take and give


class Beam(NamedTuple):
    """How much of a cell is looked at: unique items, and combinations in all; 0 is no bound."""

    unique: int
    total: int


BEAMS = {"experiments": Beam(100, 200), "training": Beam(200, 500), "exact": Beam(0, 0)}
"""The paper's two settings (sections 6.1 and 3.5), and none."""

SEARCHES = ("cube", "exhaustive")
"""Cube pruning, or Algorithm 4 as it is printed: every combination, then the beam."""


@dataclass(frozen=True)
class TransductionInput:
    """A source tree, the score of each of its applications, and what else is scored.

    ``scores[a]`` is <w, phi> of application ``a``, ``ngram_weight`` the weight of the
    log-probability under ``ngrams``. With a ``loss`` the search is for the output that has a high
    score and a high loss (equation 11).
    """

    problem: TransductionProblem
    scores: Sequence[float]
    ngrams: NGramModel
    ngram_weight: float
    loss: Loss | None = None


def local_ngrams(problem: TransductionProblem, model: NGramModel) -> LocalNGrams:
    """The n-grams of the words of a problem, in their order, with start and end behind them."""
    return model.among([*map(model.word_id, problem.words), START_ID, END_ID])


class Derived(NamedTuple):
    """A derivation that was found: its applications in pre-order, its score without the loss.
    ``loss`` is 0 where none is searched with."""

    applications: tuple[int, ...]
    score: float
    loss: float


class Transduced(NamedTuple):
    """The derivations found, best first, and how much work it was."""

    best: tuple[Derived, ...]
    counters: dict[str, int]


def check_search(search: str, beam: Beam) -> None:
    """Raise ``ValueError`` for a search or a beam that there is not."""
    if search not in SEARCHES:
        raise ValueError(
            f"no search is called {cited(search)}: choose one of {', '.join(SEARCHES)}"
        )
    if beam.unique < 0 or beam.total < 0 or (search == "exhaustive" and beam.total):
        raise ValueError(
            f"a beam has a number of unique items and one of all, 0 for no bound, not {beam}; "
            "an exhaustive search visits all combinations, so it takes no second number"
        )
