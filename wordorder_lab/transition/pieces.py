"""A SHIFT in a given tree as decisions of single heads: which of its pieces comes next?

The given tree of a sentence leaves open only the order of each head's *pieces*, which are the head
itself and its dependents, each with all below it. A SHIFT decides that for one head after the
other. In "the dog barks", (SHIFT, DT, the) as the first action says that "the" comes first in the
piece of "dog", and that this piece comes first in that of "barks":

    DECISIONS(([stack], bag, A), k)
    1   if k has pieces placed: return [(k, k)]       k itself comes now
    2   T <- [(k, k)]                                  k comes first in its own piece
    3   c <- k
    4   while the head h of c is given do
    5     T <- T + (h, c)                               c is the next piece of h
    6     if h has pieces placed: stop
    7     c <- h
    8   return T, without those of heads that had no choice

The features of a decision say what its head, the piece, the last two pieces and those that are left
are; they can also say on which side the head's own head is (``templates``). The words of the
order are weighed by the features of states, beside them.

Differences
- *Our reading*, section 3.2.3: Liu et al. find the order of a full tree by the features of states
  alone, which look at the words under the top of the stack and not at the place of the SHIFT in the
  tree. Puduppully, Zhang & Shrivastava 2016 add what is left of the tree; we do not have the paper.
  Decisions of single heads are the view of Bohnet et al. 2010 and of the tree-based linearizers
  of the shared tasks; here their scores are added to those of the transitions. ``reproduce labels``
  measures what labels are worth to them. A template may also look at where the head's own head is
  (``g``); none in ``tables/`` does.
- *Our reading*: where only some heads are given, only their decisions have features.
- *Our reading*: equal dependents are one piece that is there several times. Left-over ones of the
  kind that comes now are not counted among the others. Of a unit with alternatives these features
  see the first form; which form is used is left to the features of states.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from wordorder_lab.structures.problem import OrderingProblem
from wordorder_lab.structures.templates import Feature
from wordorder_lab.transition.state import SHIFT, State
from wordorder_lab.transition.templates import (
    BEGIN,
    HEAD_ITSELF,
    MOST_COUNTED,
    Content,
    Context,
    Rows,
    TemplateSet,
    each_of,
    feature_of,
    size_bin,
)

BEFORE_HEAD, ITSELF, AFTER_HEAD = range(3)
"""On which side of its head a piece comes."""

TO_COME, COME, NOT_GIVEN = range(3)
"""Where the head of a head is."""

Placed = Mapping[int, Sequence[int]]
"""Head -> its pieces in the order so far, the head itself among them."""


class Decision(NamedTuple):
    """One head's decision, in types: ``piece`` comes next, after ``placed``; ``others`` could have
    come. The head stands for itself. ``above``: where the head's own head is."""

    head: int
    piece: int
    placed: tuple[int, ...]
    others: tuple[int, ...]
    side: int
    above: int


class PieceScores:
    """What the decisions of one sentence's SHIFTs score; ``move`` is the number of SHIFT."""

    def __init__(
        self, templates: TemplateSet, rows: Rows, move: int, problem: OrderingProblem
    ) -> None:
        self.templates, self.rows, self.move, self.problem = templates, rows, move, problem
        self._kept: dict[Decision, float] = {}

    def score(self, state: State, action: int) -> float:
        """The sum over all features of all decisions of a SHIFT."""
        total = 0.0
        for decision in decisions(state, action, self.problem):
            total += self.of(decision)
        return total

    def of(self, decision: Decision) -> float:
        """The sum over all features of one decision."""
        if decision not in self._kept:
            total = 0.0
            for feature in piece_features(self.templates, decision, self.problem):
                total += self.rows(feature).get(self.move, 0.0)
            self._kept[decision] = total
        return self._kept[decision]


def decisions(state: State, action: int, problem: OrderingProblem) -> list[Decision]:
    """What a SHIFT decides, from the word itself upwards; nothing for an arc."""
    if action < SHIFT:
        return []
    placed = placed_pieces(state, problem)
    kind = problem.items[action - SHIFT].type
    pairs = pairs_of(kind, placed, problem)
    found = [_decision(head, piece, placed, state, problem) for head, piece in pairs]
    return [decision for decision in found if decision.others]


def pairs_of(kind: int, placed: Placed, problem: OrderingProblem) -> list[tuple[int, int]]:
    """(head, piece) of each decision of a SHIFT of this type: DECISIONS."""
    pairs = [(kind, kind)] if problem.given.dependents[kind] else []
    piece, head = kind, problem.given.heads[kind]
    while piece not in placed and head is not None and head >= 0:
        pairs.append((head, piece))
        piece, head = head, problem.given.heads[head]
    return pairs


def placed_pieces(state: State, problem: OrderingProblem) -> dict[int, list[int]]:
    """The pieces of each head in the order so far."""
    placed: dict[int, list[int]] = {}
    for item in state.order:
        for head, piece in pairs_of(problem.items[item].type, placed, problem):
            placed.setdefault(head, []).append(piece)
    return placed


def _decision(
    head: int, piece: int, placed: Placed, state: State, problem: OrderingProblem
) -> Decision:
    heads = problem.given.heads
    own = [t for t in problem.given.family[head] if t == head or heads[t] == head]
    others = tuple(t for t in own if state.bag[t] and t != piece)
    side = ITSELF if piece == head else BEFORE_HEAD if state.bag[head] else AFTER_HEAD
    over = heads[head]
    above = NOT_GIVEN if over is None or over < 0 else TO_COME if state.bag[over] else COME
    return Decision(head, piece, tuple(placed.get(head, ())), others, side, above)


# --- Features


def piece_features(
    templates: TemplateSet, decision: Decision, problem: OrderingProblem
) -> list[Feature]:
    """The features of a decision: templates without R and K, then with R, then with K."""
    heads, family = problem.given.heads, problem.given.family[decision.piece]
    below = [t for t in family if heads[t] == decision.piece and decision.side != ITSELF]
    slots = _slots(decision, problem)
    found = _filled(templates, 0, slots)
    for other in decision.others:
        size = 0 if other == decision.head else size_bin(other, problem)
        mine: dict[str, Content] = {"R": _thing(other, decision.head, problem), "r": size}
        found += _filled(templates, 1, slots | mine)
    for each in below:
        found += _filled(templates, 2, slots | {"K": _thing(each, None, problem)})
    return found


def _slots(decision: Decision, problem: OrderingProblem) -> dict[str, Content]:
    head, piece, placed, others, side, _ = decision
    above = problem.given.heads[head]
    last = placed[-1] if placed else None
    this_side = len(placed) - (placed.index(head) + 1 if head in placed else 0)
    return {
        "H": _thing(head, None, problem),
        "G": _thing(None if above is None or above < 0 else above, None, problem),
        "C": _thing(piece, head, problem),
        "X": _thing(last, head, problem),
        "Y": _thing(placed[-2] if len(placed) > 1 else None, head, problem),
        "s": side,
        "n": min(len(others), MOST_COUNTED),
        "m": min(this_side, MOST_COUNTED),
        "z": 0 if piece == head else size_bin(piece, problem),
        "g": decision.above,
        "x": 0 if last is None or last == head else size_bin(last, problem),
    }


def _thing(kind: int | None, head: int | None, problem: OrderingProblem) -> Content:
    """What is known of a type, word, tag and label; nothing is ``BEGIN``, and the head's label
    among its pieces tells that it is the head."""
    if kind is None:
        return BEGIN, BEGIN, BEGIN
    word, tag = problem.ahead[kind]
    return word, tag, HEAD_ITSELF if kind == head else problem.ahead_labels[kind]


def _filled(templates: TemplateSet, each: int, slots: Context) -> list[Feature]:
    """The features of the templates that are filled ``each`` way (``each_of``)."""
    indices = [i for i in templates.pieces if each_of(templates.templates[i]) == each]
    features = [feature_of(i, templates.templates[i], slots) for i in indices]
    return [feature for feature in features if feature is not None]
