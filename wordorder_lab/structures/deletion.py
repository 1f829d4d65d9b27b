"""Compression by deletion: a sentence to take words out of, and what is left of it.

Places of words are counted from 0. Where a search walks through a sentence it puts a start before
the first word and an end after the last; such *positions* are counted from 0, the start, so the
word at place ``i`` has the position ``i + 1``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING

from wordorder_lab.structures.compression import CompressionPair, prepared, prepared_pair

if TYPE_CHECKING:
    from nltk.tree import Tree

    from wordorder_lab.structures.phrase_tree import PhraseNodes

NO_HEAD = -1


@dataclass(frozen=True, eq=False)
class DeletionSentence:
    """A sentence to take words out of.

    ``words`` are as systems see them: no capital for a beginning's sake. ``tags`` has one a word.
    ``heads`` has the place of each word's head (``NO_HEAD``: the root), read off the tree by the
    head table of Yamada & Matsumoto; ``labels`` the label of the largest phrase that the word heads
    and that of the phrase above, ``NP/S`` for a subject, ``VP/VP`` below an auxiliary, ``S/`` for
    the root. A sentence without a tree has no heads, and labels that are empty. ``source`` is the
    tree as it was given.
    """

    words: tuple[str, ...]
    tags: tuple[str, ...]
    tree: Tree | None
    heads: tuple[int, ...]
    labels: tuple[str, ...]
    source: Tree | None = None

    def __len__(self) -> int:
        return len(self.words)

    @classmethod
    def of_tree(cls, tree: Tree) -> DeletionSentence:
        """The sentence of a tree. Raises ``ValueError`` for a broken one (``phrase_nodes``)."""
        from wordorder_lab.structures.phrase_tree import phrase_nodes

        phrase_nodes(tree)  # before anything walks down a tree that is too deep
        ready = prepared(tree)
        nodes = phrase_nodes(ready)
        leaves = [v for v, below in enumerate(nodes.children) if not below]
        heads, labels = _heads_and_labels(nodes)
        words, tags = zip(*((nodes.words[v], nodes.bare[v]) for v in leaves))
        return cls(words, tags, ready, heads, labels, tree)

    @classmethod
    def of_words(cls, words: Sequence[str], tags: Sequence[str]) -> DeletionSentence:
        """A sentence without a tree; ``ValueError`` for no words, or tags that are not theirs."""
        if not words or not all(words):
            raise ValueError("there is no word to delete: give a sentence, its words one by one")
        if len(words) != len(tags) or not all(tags):
            raise ValueError(f"{len(words)} words but {len(tags)} tags: give one a word")
        heads, labels = (NO_HEAD,) * len(words), ("",) * len(words)
        return cls(tuple(words), tuple(tags), None, heads, labels)

    @cached_property
    def nodes(self) -> PhraseNodes | None:
        """The tree as a table of nodes."""
        from wordorder_lab.structures.phrase_tree import phrase_nodes

        return None if self.tree is None else phrase_nodes(self.tree)

    def __repr__(self) -> str:
        return f"<DeletionSentence of {len(self)} words: {' '.join(self.words)!r}>"


def _heads_and_labels(nodes: PhraseNodes) -> tuple[tuple[int, ...], tuple[str, ...]]:
    bare, words = nodes.bare, [nodes.begins[node] for node in nodes.heads()]
    size = nodes.ends[nodes.root]
    heads, labels = [NO_HEAD] * size, [f"{bare[nodes.root]}/"] * size
    for node, children in enumerate(nodes.children):
        for child in children:
            if words[child] != words[node]:
                heads[words[child]] = words[node]
                labels[words[child]] = f"{bare[child]}/{bare[node]}"
    return tuple(heads), tuple(labels)


@dataclass(frozen=True)
class Deletion:
    """The best output of a search that deletes words, and the next best after it.

    ``kept`` are the places of the words that stay, in order; ``words`` those words with a capital
    at the beginning. ``tree`` is the source tree without the others (``None`` where there was no
    tree), ``source`` all the words. ``score`` is the model's, a bonus for words included.
    ``k_best`` lists the outputs best first, this one included. ``counters`` say how much work it
    was; ``rules`` is empty, since nothing is rewritten.
    """

    kept: tuple[int, ...]
    words: tuple[str, ...]
    source: tuple[str, ...]
    score: float
    tree: Tree | None = None
    counters: Mapping[str, int] = field(default_factory=dict)
    k_best: tuple[Deletion, ...] = ()
    rules: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The words with a space between them."""
        return " ".join(self.words)

    @property
    def rate(self) -> float:
        """The compression rate: words out by words in."""
        return len(self.kept) / len(self.source)

    def __repr__(self) -> str:
        return f"<Deletion {self.text!r}: rate {self.rate:.2f}, score {self.score:.3f}>"


def kept_of(pair: CompressionPair) -> tuple[int, ...] | None:
    """The places of the source's words that the first reference keeps, or ``None``: by the
    alignment where that is of equal words in order, else the leftmost words; capitals of beginnings
    undone."""
    ready = prepared_pair(pair)
    source, target = ready.source.leaves(), ready.target.leaves()
    by_target = {end: start for start, end in pair.alignment}
    aligned = [by_target.get(i, -1) for i in range(len(target))]
    same = all(0 <= a < len(source) and source[a] == word for a, word in zip(aligned, target))
    if same and all(a < b for a, b in pairwise(aligned)):
        return tuple(aligned)
    places = iter(enumerate(source))
    found = [next((at for at, word in places if word == wanted), -1) for wanted in target]
    return None if -1 in found else tuple(found) or None
