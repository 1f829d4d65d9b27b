"""What every realizer has, whatever puts its words in order: from a tree of lemmas to sentences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from wordorder_lab.models.file_parts import Json
from wordorder_lab.runtime.progress import progress_bar
from wordorder_lab.structures.lemma_tree import LemmaTree
from wordorder_lab.structures.messages import MOST_HYPOTHESES, cited
from wordorder_lab.structures.result import Realization, Result
from wordorder_lab.structures.trace import Trace
from wordorder_lab.systems.model import TrainedModel


@dataclass(repr=False)
class Realizer(TrainedModel):
    """A trained realizer; ``realizations`` is its own, or ``_found``."""

    LEARNED: ClassVar[str] = "trees"

    def realizations(
        self,
        tree: LemmaTree,
        *,
        k: int = 1,
        engine: str | None = None,
        trace: Trace | None = None,
        **search: object,
    ) -> tuple[Realization, ...]:
        """The ``k`` best sentences of a tree, or as many as the search has, the best one first. A
        tag, a label or a feature that training never saw carries no information. Raises
        ``TypeError`` for what is no ``LemmaTree``, ``ValueError`` for one that is no tree or too
        large, for a setting or a ``k`` that cannot be, and for a trace where there are no steps."""
        if not isinstance(tree, LemmaTree):
            raise TypeError(
                f"a tree of lemmas is realized, not a {type(tree).__name__}: take one of "
                "load_lemma_trees, or order the words with a system that orders bags"
            )
        if (problem := tree.problem()) is not None:
            raise ValueError(f"{tree.name or 'what is to be realized'} is no tree: {problem}")
        if not isinstance(k, int) or not 1 <= k <= MOST_HYPOTHESES:
            raise ValueError(f"k ({cited(k)}) is a whole number from 1 to {MOST_HYPOTHESES}")
        self._refuse_trace(trace)
        return tuple(self._found(tree, self.search_settings(**search), k, engine, trace))

    def engine_alone(self, _tree: LemmaTree) -> str | None:
        """The engine for a tree after which the process ends; ``None``: the usual one."""
        return None

    def _found(
        self, tree: LemmaTree, chosen: Json, k: int, engine: str | None, trace: Trace | None
    ) -> Sequence[Realization]:
        raise NotImplementedError

    def realize(self, tree: LemmaTree, **search: Any) -> Realization:
        """The sentence of a tree, the first of its ``realizations``; raises what they raise."""
        return self.realizations(tree, **search)[0]

    def outputs(self, trees: Sequence[LemmaTree], **search: Any) -> list[Realization]:
        """The sentences of many trees, in their order, with a progress bar."""
        shown = progress_bar(trees, desc="realizing", delay=2, leave=False)
        return [self.realize(tree, **search) for tree in shown]

    def _sentence(
        self, order: Sequence[int], forms: Sequence[str], score: float, result: Result | None = None
    ) -> Realization:
        words = [word for node in order for word in forms[node].split()]
        if self.settings["capitals"]:
            words[0] = with_capital(words[0])
        return Realization(tuple(words), tuple(order), tuple(forms), score, result)


ENGLISH = (
    "rules and lists of English stand behind the forms that were counted (the command line: yes "
    "for sr18, sr20, ewt, gum and gazette)"
)
CAPITALS = "sentences begin with a capital"
"""The help of settings that all realizers have."""


def with_capital(word: str) -> str:
    """The word as it begins a sentence."""
    return word[:1].upper() + word[1:] if word[:1].isalpha() else word
