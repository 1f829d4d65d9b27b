"""The readable extractor: what stands where in a state, the features of that, and their scores.

The slots are those of Liu et al. 2015, Table 2; counts; and a look ahead. ``S0,l`` is the outermost
left dependent of S0, the one attached last; ``S0,l2`` the one attached before it. Where a word has
no such dependent the slot is empty. Look-ahead slots tell what a state knows about words that are
still in the bag, after Puduppully, Zhang & Shrivastava 2016, "Transition-Based Syntactic
Linearization with Lookahead Features": whether the children, siblings or parent of a word are still
to come, where input constraints tell it.

A feature is a tuple: the template's index, then its values, ``(36, "led", "Talcott")`` for
``S0wS1w``. ``show`` writes it out. A score sums up weights in one order, which is the fast engine's
too: the templates of a group in order, then the groups in order. A group looks at two or three
slots, so its sum is kept within a sentence.

Differences
- *Our reading*, Figure 4: base phrases are single words. What that word is in a feature, no paper
  says; here it is the phrase's last one, with the phrase's tag, in w-1w0 too: after "led [a team]"
  that is (led, team), and "a" is in no feature.
- *Paper silent*, Table 2: what the last-word templates see before the first word. Here a
  ``-BEGIN-`` stands there; any other empty slot silences the templates that look at it.
- *Paper silent*: the bins of distances and descendants. The authors' program uses such as are
  below; the paper prints none of these templates.
- *Our reading*: the paper of 2016 is not among those at hand; from it we took the idea, not the
  list. There the features belong to the word that is about to be shifted; here to the top of the
  stack, so they speak one step later, when the shifted word is the top. Sets of words are replaced
  by their first and last member, by tag.
- *Paper silent*: how many words are left in the bag is our addition; it is known even where nothing
  is given.
"""

from __future__ import annotations

from collections.abc import Sequence

from wordorder_lab.structures.problem import OrderingProblem
from wordorder_lab.structures.sentence import ROOT
from wordorder_lab.structures.templates import Feature, Group
from wordorder_lab.transition.language_model import ShiftGains
from wordorder_lab.transition.packed_weights import ActionTable
from wordorder_lab.transition.pieces import PieceScores
from wordorder_lab.transition.state import SHIFT, Node, State
from wordorder_lab.transition.templates import (
    BEGIN,
    MAX_VALENCY,
    Content,
    Context,
    Rows,
    TemplateSet,
    feature_of,
)

# --- Scores


class ActionScores:
    """The scores of actions in the states of one sentence.

    ``rows`` has the weights of features; ``language`` is what a language model adds. ``columns[a]``
    are the model's numbers of local action ``a``, one for each level of templates; behind them
    stand those of LEFTARC and RIGHTARC with each label that a dependent may have (``arcs``).
    """

    def __init__(
        self,
        templates: TemplateSet,
        rows: Rows,
        actions: ActionTable,
        problem: OrderingProblem,
        language: ShiftGains | None = None,
    ) -> None:
        self.templates = templates
        self.rows = rows
        self.language = language
        self.actions = SHIFT + len(problem.items)
        self.columns = [actions.numbers(a, problem) for a in range(self.actions)]
        self.arcs: dict[str, int] = {}
        for label, both in actions.arcs(problem).items():
            self.arcs[label] = len(self.columns)
            self.columns += both
        self.pieces: PieceScores | None = None
        if templates.pieces:
            self.pieces = PieceScores(templates, rows, actions.move, problem)
        self._kept: dict[tuple[object, ...], list[float]] = {}

    def of(self, context: Context) -> list[float]:
        """What the features of a state give every local action, legal or not."""
        total = [0.0] * len(self.columns)
        for group in self.templates.groups:
            for action, weight in enumerate(self._group_row(group, context)):
                total[action] += weight
        for action, slot in enumerate(("S1", "S0")):  # LEFTARC and RIGHTARC with their dependents
            content = context[slot]
            if isinstance(content, tuple) and content[2] in self.arcs:
                total[action] += total[self.arcs[content[2]] + action]
        return total[: self.actions]

    def after(self, state: State, action: int, scores: Sequence[float]) -> float:
        """The score of a state's successor, of which ``scores`` are the features: a SHIFT has those
        of heads' decisions, and what a language model adds, too."""
        score = state.score + scores[action]
        if self.pieces is not None:
            score += self.pieces.score(state, action)
        if self.language is not None and action >= SHIFT:
            score += self.language.score(state, action)
        return score

    def _group_row(self, group: Group, context: Context) -> list[float]:
        """What a group's features add to every local action; kept for the sentence."""
        slots = (group.slots, *(context[slot] for slot in group.slots))
        if slots not in self._kept:
            row = [0.0] * len(self.columns)
            for feature in group_features(self.templates, group, context):
                weights, level = self.rows(feature), self.templates.level(feature)
                for action, numbers in enumerate(self.columns):
                    row[action] += weights.get(numbers[level], 0.0)
            self._kept[slots] = row
        return self._kept[slots]


# --- Features


def group_features(templates: TemplateSet, group: Group, context: Context) -> list[Feature]:
    """The features of one group, in the group's order."""
    features = (feature_of(i, templates.templates[i], context) for i in group.templates)
    return [feature for feature in features if feature is not None]


def all_features(templates: TemplateSet, context: Context) -> list[Feature]:
    """Every feature of a state: the groups in order, in each group its templates in order."""
    return [
        feature
        for group in templates.groups
        for feature in group_features(templates, group, context)
    ]


# --- What stands where in a state


Slots = dict[str, Content]
"""Some of the slots of a context."""

_SLOTS = ("", ",l", ",l2", ",r", ",r2", "vl", "vr", "n", "dl", "dr")

_SLOTS_AHEAD = ("S0,h", "S0,c", "S0,c2", "S0,s", "S0,s2", "S0hs", "b")

IS_ROOT, IN_BAG, ON_STACK = range(3)
"""Where the given head of the top is."""


def state_context(state: State, problem: OrderingProblem) -> Context:
    """The content of every slot: (word, tag, label), a count, or ``None``."""
    s0 = state.stack[-1] if state.stack else None
    s1 = state.stack[-2] if len(state.stack) >= 2 else None
    context = {
        **_node_slots("S0", s0, problem),
        **_node_slots("S1", s1, problem),
        "d": distance_bin(s0.place - s1.place) if s0 and s1 else None,
        **ahead_context(state, problem),
    }
    for back in range(3):
        inside = back < len(state.order)
        slot = "w0" if back == 0 else f"w-{back}"
        context[slot] = _known(state.order[-1 - back], problem) if inside else (BEGIN,) * 3
    return context


def _node_slots(name: str, node: Node | None, problem: OrderingProblem) -> Slots:
    if node is None:
        return dict.fromkeys([name + slot for slot in _SLOTS])
    left = [_known(child.item, problem) for child in node.left[-2:]]
    right = [_known(child.item, problem) for child in node.right[-2:]]
    return {
        name: _known(node.item, problem),
        f"{name},l": left[-1] if left else None,
        f"{name},l2": left[0] if len(left) == 2 else None,
        f"{name},r": right[-1] if right else None,
        f"{name},r2": right[0] if len(right) == 2 else None,
        f"{name}vl": min(len(node.left), MAX_VALENCY),
        f"{name}vr": min(len(node.right), MAX_VALENCY),
        f"{name}n": descendants_bin(node.descendants),
        f"{name}dl": distance_bin(node.place - node.left[-1].place) if left else None,
        f"{name}dr": distance_bin(node.right[-1].place - node.place) if right else None,
    }


def _known(item: int, problem: OrderingProblem) -> tuple[str, str, str | None]:
    chosen = problem.items[item]
    return chosen.word, chosen.pos, chosen.label or None


def distance_bin(distance: int) -> int:
    """1 to 5 as they are, 6 to 10 as 6, more as 7."""
    return distance if distance <= 5 else 6 if distance <= 10 else 7


def descendants_bin(descendants: int) -> int:
    """0 to 4 as they are, 5 and 6 as 5, 7 to 10 as 6, more as 7."""
    if descendants <= 4:
        return descendants
    return 5 if descendants <= 6 else 6 if descendants <= 10 else 7


# --- Look-ahead


def ahead_context(state: State, problem: OrderingProblem) -> Context:
    """The content of the look-ahead slots: (word, tag, label), a count, or ``None``. A tag or a
    label that is not given is ``None``."""
    s0 = state.stack[-1] if state.stack else None
    empty: Context = dict.fromkeys(_SLOTS_AHEAD)
    return {
        **empty,
        **(_top_slots(s0, state, problem) if s0 else {}),
        "b": left_bin(problem.size - len(state.order)),
    }


def _top_slots(node: Node, state: State, problem: OrderingProblem) -> Slots:
    given, kind = problem.given, problem.items[node.item].type
    head = given.heads[kind]
    slots = _ends("c", kind, None, state, problem)
    if head == ROOT:
        return {**slots, "S0hs": IS_ROOT}
    if head is None:
        return slots
    place = IN_BAG if state.bag[head] else ON_STACK
    siblings = _ends("s", head, kind, state, problem)
    return {**slots, **siblings, "S0,h": _ahead(head, problem), "S0hs": place}


def _ends(
    name: str, head: int, without: int | None, state: State, problem: OrderingProblem
) -> Slots:
    given = problem.given
    types = [t for t in given.family[head] if given.heads[t] == head and state.bag[t]]
    types = [t for t in types if t != without]
    first = _ahead(types[0], problem) if types else None
    last = _ahead(types[-1], problem) if len(types) > 1 else None
    return {f"S0,{name}": first, f"S0,{name}2": last}


def _ahead(kind: int, problem: OrderingProblem) -> tuple[str, str | None, str | None]:
    return (*problem.ahead[kind], problem.ahead_labels[kind])


def left_bin(words: int) -> int:
    """0 to 2 as they are, 3 to 5 as 3, 6 to 10 as 4, more as 5."""
    return words if words <= 2 else 3 if words <= 5 else 4 if words <= 10 else 5
