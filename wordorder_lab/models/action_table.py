"""The numbering of actions in a model."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from wordorder_lab.structures.problem import OrderingProblem
from wordorder_lab.structures.sentence import Sentence
from wordorder_lab.structures.state import SHIFT


@dataclass(frozen=True)
class ActionTable:
    """LEFTARC 0, RIGHTARC 1, then SHIFT by (word, tag), by tag, and SHIFT as such.

    SHIFT is identified by tag and feature word; ``pairs`` are those seen in training, sorted. The
    last two kinds are for templates that tell actions apart less finely.
    """

    pairs: tuple[tuple[str, str], ...]
    ids: dict[tuple[str, str], int] = field(init=False, repr=False, compare=False)
    tag_ids: dict[str, int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        ids = {pair: i for i, pair in enumerate(self.pairs, SHIFT)}
        tags = sorted({tag for _, tag in self.pairs})
        object.__setattr__(self, "ids", ids)
        first = SHIFT + len(self.pairs)
        object.__setattr__(self, "tag_ids", {tag: i for i, tag in enumerate(tags, first)})

    @classmethod
    def of(cls, sentences: Iterable[Sentence]) -> ActionTable:
        """All SHIFTs of the gold sequences of a training corpus."""
        return cls(tuple(sorted({(t.words[-1], t.pos) for s in sentences for t in s})))

    def __len__(self) -> int:
        return self.move + 1

    @property
    def move(self) -> int:
        """The number of SHIFT as such."""
        return SHIFT + len(self.pairs) + len(self.tag_ids)

    def numbers(self, action: int, problem: OrderingProblem) -> tuple[int, int, int]:
        """The model's numbers of a problem's action, by level; -1 if training never saw it."""
        if action < SHIFT:
            return action, action, action
        item = problem.items[action - SHIFT]
        tag = self.tag_ids.get(item.pos, -1)
        return self.ids.get((item.word, item.pos), -1), tag, self.move
