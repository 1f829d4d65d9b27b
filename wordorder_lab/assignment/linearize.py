"""A tree with sides becomes a sentence: each head orders its dependents by a language model.

From below: the phrase of a word is its left dependents' phrases, the word, its right dependents'
phrases. Which of the orders on a side is taken, the n-gram model decides, by the phrase as it
stands; the root's phrase stands between the marks of a sentence. Phrases are put together from left
to right with a beam, which for up to four dependents on a side is no bound.

Differences
- *Paper silent*, as Wan et al. (2009) is not before us: known are children ordered by side and an
  n-gram model of four words. The beam is ours, and so is that a phrase's first words have as much
  context as there is in the phrase.
- *Our reading*: parts with the same words may change places, and such orders take places of the
  beam; where a side has more than ``MANY`` parts, only the first one left of equal parts is tried.
- *Paper silent*: of equal scores the order wins that takes the dependents as they are numbered.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from heapq import nsmallest
from typing import NamedTuple

from wordorder_lab.models.ngram import NGramModel

MANY = 40
"""Parts of one side, more than sentences have: from here on equal parts do not change places."""
Words = tuple[int, ...]
"""Words by their numbers in the model."""
Context = tuple[int, ...]
"""The last words, so far as the model knows them (``NGramModel.known_end``)."""


class Phrase(NamedTuple):
    """Nodes in order, their words, and log p of the words that have a whole context inside."""

    nodes: tuple[int, ...]
    words: Words
    inner: float


class Partial(NamedTuple):
    """A phrase that is being put together: its score, its parts in order, its last words."""

    score: float
    parts: tuple[int, ...]
    context: Context


class Move(NamedTuple):
    """log p of a phrase's first words after a context, and the context then."""

    logs: list[float]
    context: Context


@dataclass
class Linearizer:
    """Orders the words of trees; ``beam`` partial phrases are kept."""

    model: NGramModel
    beam: int

    def order(
        self, words: Sequence[Sequence[str]], below: Sequence[Sequence[list[int]]]
    ) -> list[int]:
        """The nodes of a tree in order, by the words of each node. ``below[node]`` are its
        dependents on the left and on the right; the last entry is the root's."""
        self.known: dict[tuple[Context, int], float] = {}
        ids = [tuple(self.model.word_id(word) for word in unit) for unit in words]
        phrases: dict[int, Phrase] = {}
        (root,) = below[-1][0]
        for node in reversed(_top_down(root, below)):
            left, right = below[node]
            own = Phrase((node,), ids[node], self._inner(ids[node]))
            parts = {**{child: phrases.pop(child) for child in (*left, *right)}, node: own}
            begin = (self.model.start,) if node == root else ()
            best = self._put_together(sorted(left), node, sorted(right), parts, begin)
            nodes = tuple(node for part in best for node in parts[part].nodes)
            text = tuple(word for part in best for word in parts[part].words)
            phrases[node] = Phrase(nodes, text, self._inner(text))
        return list(phrases[root].nodes)

    def _put_together(
        self, left: list[int], head: int, right: list[int], parts: dict[int, Phrase], begin: Context
    ) -> tuple[int, ...]:
        self.moves: dict[tuple[Context, Words], Move] = {}
        kept = [Partial(0.0, (), self.model.known_end(begin))]
        for side in (left, [head], right):
            for _ in side:
                kept = self._longer(kept, side, parts)
        if not begin:
            return kept[0].parts
        ends = [
            (-partial.score - self._log_prob(partial.context, self.model.end), partial.parts)
            for partial in kept
        ]
        return min(ends)[1]

    def _longer(
        self, kept: Sequence[Partial], side: Sequence[int], parts: dict[int, Phrase]
    ) -> list[Partial]:
        longer, many = [], len(side) > MANY
        for partial in kept:
            used, begun = set(partial.parts), set()
            for part in side:
                words = parts[part].words
                if part in used or (many and words in begun):
                    continue
                begun.add(words)
                move = self._move(partial.context, words)
                score = partial.score
                for log in move.logs:
                    score += log
                score += parts[part].inner
                longer.append((-score, partial.parts, part, move.context))
        best = nsmallest(self.beam, longer)
        return [Partial(-lost, (*parts, part), context) for lost, parts, part, context in best]

    def _move(self, context: Context, words: Words) -> Move:
        """What a phrase's words bring after a context, but for what is inner to the phrase."""
        move = self.moves.get((context, words))
        if move is None:
            logs, text = [], [*context, *words]
            for place in range(len(context), min(len(text), len(context) + self.model.order - 1)):
                logs.append(self._log_prob(tuple(text[:place]), text[place]))
            move = self.moves[context, words] = Move(logs, self.model.known_end(text))
        return move

    def _inner(self, words: Words) -> float:
        """log p of the words from the n-th on, which no word before the phrase can change."""
        total, reach = 0.0, self.model.order - 1
        for place in range(reach, len(words)):
            total += self._log_prob(words[place - reach : place], words[place])
        return total

    def _log_prob(self, context: Context, word: int) -> float:
        value = self.known.get((context, word))
        if value is None:
            value = self.known[context, word] = self.model.log_prob(context, word)
        return value


def _top_down(root: int, below: Sequence[Sequence[list[int]]]) -> list[int]:
    nodes = [root]
    for node in nodes:
        nodes += [*below[node][0], *below[node][1]]
    return nodes
