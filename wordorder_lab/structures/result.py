"""What a word-ordering decoder gives back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from wordorder_lab.structures.trees import DependencyTree


@dataclass(frozen=True, slots=True)
class Result:
    """The best output of a search, and the next best after it.

    ``words`` are the units in the order found, ``order`` the same as indices into the bag (equal
    units in ascending order), ``tree`` the syntax tree over them, ``score`` the model's score.
    ``actions`` is the derivation, ``stopped`` says why the search ended, ``counters`` how much
    work it was. ``k_best`` lists the outputs best first, this one included.
    """

    units: tuple[tuple[str, ...], ...]
    order: tuple[int, ...]
    tree: DependencyTree
    score: float
    actions: tuple[str, ...] = ()
    stopped: str = "complete"
    counters: Mapping[str, int] = field(default_factory=dict)
    k_best: tuple[Result, ...] = ()

    @property
    def words(self) -> list[str]:
        """The units in the order found, a phrase as one string."""
        return [" ".join(unit) for unit in self.units]

    @property
    def surface(self) -> tuple[str, ...]:
        """The plain words, phrases taken apart: what is scored."""
        return tuple(word for unit in self.units for word in unit)

    @property
    def text(self) -> str:
        """The sentence with a space between words."""
        return " ".join(self.surface)
