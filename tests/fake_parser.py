"""A parser that takes no model: flat trees, or right-branching ones, and a refusal of long text."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from wordorder_lab.structures.phrase_tree import PhraseTree


class Parse(NamedTuple):
    tree: PhraseTree
    fallback: bool = False


@dataclass
class FakeParser:
    """``longest`` words are parsed at most; ``asked`` counts the sentences."""

    shape: str = "flat"
    longest: int = 60
    asked: list[tuple[str, ...]] = field(default_factory=list)

    @property
    def checksum(self) -> str:
        return hashlib.sha256(f"{self.shape} {self.longest}".encode()).hexdigest()

    def parse(self, words: Sequence[str]) -> Parse:
        self.asked.append(tuple(words))
        if len(words) > self.longest:
            raise ValueError(f"{len(words)} words, and {self.longest} are the most")
        tags = [PhraseTree("NN" if word[:1].isalnum() else ".", [word]) for word in words]
        if self.shape == "flat":
            return Parse(PhraseTree("S", tags), len(words) == 1)
        tree = PhraseTree("S", tags[-1:])
        for tag in tags[-2::-1]:
            tree = PhraseTree("S", [tag, tree])
        return Parse(tree)
