"""A bag as an n-gram model sees it: units that look the same to the model are one *kind*.

The model knows words by their ids. Units with the same ids, of which no order is given, may change
places in any sentence without a change of its score. So they are one kind with a count, and no
search makes the same hypothesis twice. That holds for "The" and "the" under a lower-cased model,
and for all words that the model does not know.

The *future cost* of a kind is a guess at what its words will bring when they come: the logarithms
of their probabilities after nothing (Schmaltz, Rush & Shieber 2016). A search that goes by scores
alone takes frequent words first and is left with the rare ones; the guess makes hypotheses with
different words left over comparable.

Differences
- *Our reading*: the words of a phrase that is kept whole are guessed one by one like others, though
  what stands before them is known. Looking at that costs about half a point of BLEU.
- *Our reading*: costs are rounded to multiples of 2 ** -20. Sums of such numbers are exact, so that
  what is left over costs the same in whatever order the rest was taken.
- *Paper silent*: where a unit may have several tags, its cost is that of the best.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from wordorder_lab.models.ngram import NGramModel
from wordorder_lab.structures.problem import OrderingProblem, order_between

Ids = Callable[[tuple[str, ...], str], tuple[int, ...]]
"""The ids of a unit's words, with its tag where the model is of tagged words."""

GRAIN = 2.0**20


class NGramBag(NamedTuple):
    """What a search is told of a bag.

    ``tokens[i]`` are the ids of item ``i``, a kind with one of its tags; ``kinds[i]`` is its kind.
    ``counts[t]``: units of kind ``t``; ``places[t]``: where they are in the bag; ``earlier[t]``:
    the kinds that are used up before ``t`` comes; ``costs[t]``: its future cost. ``names[i]`` is
    what events call an item, ``forms[t]`` a kind. ``first[t]`` is its first type in the problem.
    """

    tokens: tuple[tuple[int, ...], ...]
    kinds: tuple[int, ...]
    counts: tuple[int, ...]
    places: tuple[tuple[int, ...], ...]
    earlier: tuple[tuple[int, ...], ...]
    costs: tuple[float, ...]
    names: tuple[str, ...]
    forms: tuple[str, ...]
    tags: tuple[str, ...]
    first: tuple[int, ...]

    @property
    def lengths(self) -> tuple[int, ...]:
        """How many words each item has."""
        return tuple(map(len, self.tokens))

    @property
    def words(self) -> int:
        """How many words there are in all."""
        lengths = dict(zip(self.kinds, self.lengths, strict=True))
        words = 0
        for kind, count in enumerate(self.counts):
            words += count * lengths[kind]
        return words


def number(
    problem: OrderingProblem, model: NGramModel, ids: Ids, future_cost: bool = True
) -> NGramBag:
    """A problem as the model sees it. Raises ``ValueError`` if heads are given."""
    if any(head is not None for head in problem.given.heads):
        raise ValueError("ngram-beam builds no trees and takes no heads: leave them out")
    of_type: list[list[tuple[tuple[int, ...], str, str]]] = [[] for _ in problem.units]
    for item in problem.items:
        of_type[item.type].append((ids(item.unit, item.pos), item.form, item.pos))
    members = _members(problem, [tuple(row[0] for row in rows) for rows in of_type])
    kind_of = {t: kind for kind, types in enumerate(members) for t in types}
    items = [(kind, *row) for kind, types in enumerate(members) for row in of_type[types[0]]]
    return NGramBag(
        tokens=tuple(tokens for _, tokens, _, _ in items),
        kinds=tuple(kind for kind, *_ in items),
        counts=tuple(len([u for t in types for u in problem.units[t]]) for types in members),
        places=tuple(tuple(u for t in types for u in problem.units[t]) for types in members),
        earlier=tuple(
            tuple(sorted({kind_of[t] for t in problem.given.before[types[0]]})) for types in members
        ),
        costs=tuple(
            max(_cost(model, row[0]) for row in of_type[types[0]]) if future_cost else 0.0
            for types in members
        ),
        names=tuple(f"SHIFT-{form}-{tag}" for _, _, form, tag in items),
        forms=tuple(of_type[types[0]][0][1] for types in members),
        tags=tuple(tag for *_, tag in items),
        first=tuple(types[0] for types in members),
    )


def _members(
    problem: OrderingProblem, looks: list[tuple[tuple[int, ...], ...]]
) -> list[tuple[int, ...]]:
    """The types of each kind; one that has a part in an order stays alone."""
    bound = {t for t, earlier in enumerate(problem.given.before) if earlier}
    bound |= {t for earlier in problem.given.before for t in earlier}
    groups: dict[object, list[int]] = {}
    for t, look in enumerate(looks):
        groups.setdefault((t if t in bound else -1, look), []).append(t)
    return [tuple(group) for group in groups.values()]


def _cost(model: NGramModel, tokens: tuple[int, ...]) -> float:
    total = 0.0
    for word in tokens:
        total += model.log_prob((), word)
    return round(total * GRAIN) / GRAIN


def why_not(bag: NGramBag, problem: OrderingProblem, kind: int, left: tuple[int, ...]) -> str:
    """Why a kind may not come yet, as a sentence; empty where it may."""
    missing = [t for t in bag.earlier[kind] if left[t]]
    last = [t for t in missing if not any(t in bag.earlier[one] for one in missing)]
    if not last:
        return ""
    return order_between(bag.first[last[0]], "must come before", bag.first[kind], problem)
