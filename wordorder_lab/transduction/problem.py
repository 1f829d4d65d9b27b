"""A source tree made ready for a decoder: which rules match where, and the cells of the chart."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from nltk.tree import Tree

from wordorder_lab.structures.phrase_tree import PhraseNodes
from wordorder_lab.structures.synchronous_rule import ElementaryTree, SynchronousRule

EXTRACTED, COPY, DELETE = 1, 2, 4
ORIGINS = {EXTRACTED: "extracted", COPY: "copy", DELETE: "delete"}
"""Where a rule comes from; a rule may come from several places, which are then added up."""


def origin_name(origin: int) -> str:
    """``extracted+copy`` for a rule that was extracted and is a copy rule."""
    return "+".join(name for bit, name in ORIGINS.items() if origin & bit)


@dataclass(frozen=True, slots=True)
class Application:
    """A rule that matches the source tree at ``node``.

    ``children`` are the source nodes of its variables, the first variable first; ``deleted`` those
    that are aligned with epsilon. ``consumed`` is how many words of the source are its own or
    deleted by it: every word of the source belongs to one application of a derivation.
    """

    node: int
    rule: SynchronousRule
    origin: int
    children: tuple[int, ...]
    deleted: tuple[int, ...]
    consumed: int

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
        return tuple(
            tuple(
                leaf if isinstance(leaf, str) else leaf.index for leaf in one.rule.target.frontier()
            )
            for one in self.applications
        )

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


def filled(target: ElementaryTree, parts: list[Tree]) -> Tree:
    """The target side of a rule with its variables filled, the first by the first part."""
    if target.is_frontier:
        return parts[target.index - 1]
    below = [c if isinstance(c, str) else filled(c, parts) for c in target.children]
    return Tree(target.label, below)
