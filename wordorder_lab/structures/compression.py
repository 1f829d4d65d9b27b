"""What sentence compression is about: pairs of trees to learn from, and what a decoder gives back.

Trees are ``nltk.Tree``: inner nodes with a label, preterminals over one word each.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # importing nltk would be felt by every command
    from nltk.tree import Tree


@dataclass(frozen=True, slots=True)
class CompressionPair:
    """A sentence and its shorter versions, as trees.

    ``targets`` has one reference or several; the first, ``target``, is the one that is learned
    from. ``alignment`` has pairs (place of a word of the source, place of a word of the target),
    counted from 0. ``name`` says where the pair comes from, ``kind`` how it was made, if known.
    """

    source: Tree
    targets: tuple[Tree, ...]
    alignment: tuple[tuple[int, int], ...]
    name: str = ""
    kind: str = ""

    @property
    def target(self) -> Tree:
        """The reference to learn from."""
        return self.targets[0]

    def __repr__(self) -> str:
        words = len(self.source.leaves()), len(self.target.leaves())
        return f"<CompressionPair {self.name or 'without a name'}: {words[0]} words to {words[1]}>"


@dataclass(frozen=True, slots=True)
class Compression:
    """The best output of a search, and the next best after it.

    ``rules`` is the derivation in pre-order, each rule in the notation of ``SynchronousRule``.
    ``score`` is the model's, a bonus for words included. ``counters`` say how much work it was.
    ``k_best`` lists the outputs best first, this one included; two of them may be the same tree by
    other rules.
    """

    source: Tree
    tree: Tree
    score: float
    rules: tuple[str, ...] = ()
    counters: Mapping[str, int] = field(default_factory=dict)
    k_best: tuple[Compression, ...] = ()

    @property
    def words(self) -> list[str]:
        """The words of the output."""
        return list(self.tree.leaves())

    @property
    def text(self) -> str:
        """The words with a space between them."""
        return " ".join(self.words)

    @property
    def rate(self) -> float:
        """The compression rate: words out by words in."""
        return len(self.tree.leaves()) / len(self.source.leaves())

    def __repr__(self) -> str:
        return f"<Compression {self.text!r}: rate {self.rate:.2f}, score {self.score:.3f}>"
