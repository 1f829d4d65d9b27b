"""What all realisers have in common, searches and comparators alike.

A tree of lemmas goes in, a sentence comes out.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from wordorder_lab.runtime.progress import progress_bar
from wordorder_lab.structures.lemma_tree import LemmaTree
from wordorder_lab.structures.messages import MOST_HYPOTHESES, cited
from wordorder_lab.structures.result import Realization
from wordorder_lab.structures.trace import Trace
from wordorder_lab.systems.model import TrainedModel


@dataclass(repr=False)
class Realizer(TrainedModel):
    """A trained realiser; ``realizations`` is its own."""

    LEARNED: ClassVar[str] = "trees"

    @abstractmethod
    def realizations(
        self,
        tree: LemmaTree,
        *,
        k: int = 1,
        engine: str | None = None,
        trace: Trace | None = None,
        **search: Any,
    ) -> tuple[Realization, ...]:
        """The ``k`` best sentences of a tree, or as many as the search has, the best one first.

        Raises ``TypeError`` for what is no ``LemmaTree``, ``ValueError`` for one that is no tree.
        """

    def realize(
        self,
        tree: LemmaTree,
        *,
        k: int = 1,
        engine: str | None = None,
        trace: Trace | None = None,
        **search: Any,
    ) -> Realization:
        """The sentence of a tree, the first of its ``realizations``; raises what they raise."""
        return self.realizations(tree, k=k, engine=engine, trace=trace, **search)[0]

    def outputs(
        self, trees: Sequence[LemmaTree], *, engine: str | None = None, **search: Any
    ) -> list[Realization]:
        """The sentences of many trees, in their order, with a progress bar."""
        shown = progress_bar(trees, desc="realising", delay=2, leave=False)
        return [self.realize(tree, engine=engine, **search) for tree in shown]


def check_wanted(tree: LemmaTree, k: int) -> None:
    """Raise ``TypeError`` for what is no ``LemmaTree``, ``ValueError`` for one that is no tree, and
    for a ``k`` that cannot be."""
    if not isinstance(tree, LemmaTree):
        raise TypeError(
            f"a tree of lemmas is realised, not a {type(tree).__name__}: take one of "
            "load_lemma_trees, or order the words with a system that orders bags"
        )
    if (problem := tree.problem()) is not None:
        raise ValueError(f"{tree.name or 'what is to be realised'} is no tree: {problem}")
    if not isinstance(k, int) or not 1 <= k <= MOST_HYPOTHESES:
        raise ValueError(f"k ({cited(k)}) is a whole number from 1 to {MOST_HYPOTHESES}")
