"""The transition system for linearization, and what input constraints leave of its actions.

Liu et al. 2015, Figure 3; section 3.2, Algorithm 2:

    SHIFT-i-POS   (stack, bag, A)          ->  ([stack|i], bag - {i}, A)
    LEFTARC       ([stack|j i], bag, A)    ->  ([stack|i], bag, A + {j <- i})
    RIGHTARC      ([stack|j i], bag, A)    ->  ([stack|j], bag, A + {j -> i})

    GETPOSSIBLEACTIONS(([stack|j i], bag, A), C)
    1   if the stack is empty then
    2     for k in bag do
    3       T <- T + (SHIFT, POS, k)
    4   else
    5     if REDUCABLE(s, i, j, C) then
    6       T <- T + LEFTARC
    7     if REDUCABLE(s, j, i, C) then
    8       T <- T + RIGHTARC
    9     for k in bag do
    10      if SHIFTLEGAL(s, k, C) then
    11        T <- T + (SHIFT, POS, k)
    12  return T

What is given (C) leaves an action possible if, and only if, a complete tree with all of it can
still be reached afterwards. So there are no dead ends, and nothing is lost. For that it is enough
to know three things, and none of them takes longer in a longer sentence:

- A word is *complete* if all its given dependents are attached. Only a complete word may become a
  dependent, and only of its given head, or of any word if none is given.
- A word is *loose* if it is complete and no head is given. Loose words are never in the way: any
  word may take them. The *anchor* is the topmost word of the stack that is not loose. Whatever
  comes next must leave a way to it. If the anchor waits for dependents, its given descendants may
  be shifted. If it waits for its head, the head may, or a given descendant of the head.
- Words that given arcs do not connect with anything shifted so far may be shifted at any time,
  since their tree can be built and attached to whatever is there. The exception is the tree of the
  given root: it has to take in the whole stack, so there must be no anchor.

Orders are the exception. One given tree can be put into a gap of another, so one word of each does
not settle which tree comes first. Then only looking ahead tells whether a state leads anywhere. It
makes the moves first that can do no harm, so it seldom has to turn back; but in the worst case its
time grows exponentially with the number of trees that orders interleave. It ends as soon as what
remains cannot fail: orders inside one tree and orders of lone words never do (``type_numbering``).

Differences
- *Text against figure*: section 3 counts 2n actions. An arc needs two words on the stack, so there
  are n SHIFTs and n - 1 arcs, 2n - 1 in all, as in Table 1.
- *Our reading*: labels and forms. Zhang & Clark 2015, section 5.7, label a link when it is made.
  Here a word is shifted with the label of the arc that will take it, and in one of its forms; the
  arc has that label, and is told apart by it (``ActionTable``). Which words may be linked does not
  depend on labels, so the rules are the same.
- *Our reading*, Figure 3: the bag is a set of words by number. Here equal words are one item with a
  count, offered once; of equal given subtrees the first is begun first (``type_numbering``).
- *Paper silent*: orders, and SHIFTLEGAL but for a sketch of five relations between a word l of the
  stack and the word k to be shifted (its pseudo-code is in a supplement that is not at hand). As
  ``tests/shift_sketch.py`` reads them, ``tests/test_input_constraints.py`` finds what follows by
  exhaustion.
- *Our reading*: the sketch is not sound. (5), l and k in different branches below a, does not ask
  whether l has all its dependents, nor (4) whether other roots have theirs. The smallest dead end
  has four words: d <- b <- a -> c, b on the stack, SHIFT-c; then d cannot reach b any more.
- *Our reading*: the sketch knows no given root. With one, three words are enough: a -> c, the root
  is b, c on the stack, SHIFT-b.
- *Our reading*: the sketch forbids what is possible. (5) wants a in the bag; so with b <- a -> c
  and the stack [b a] it forbids SHIFT-c. The sequence of Table 1 needs just that. No output is lost
  (up to five words): b can be attached first.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence

from wordorder_lab.structures.problem import OrderingProblem
from wordorder_lab.structures.sentence import ROOT
from wordorder_lab.transition.state import LEFTARC, RIGHTARC, SHIFT, Node, State


def initial_state(problem: OrderingProblem) -> State:
    """``([], set(1..n), {})``."""
    return State(stack=(), bag=problem.counts)


def possible_actions(state: State, problem: OrderingProblem) -> list[int]:
    """GETPOSSIBLEACTIONS: arcs between two words, SHIFT of what is left, if C allows it. Raises
    ``ValueError`` where orders between given trees are too interleaved to be looked through."""
    actions = allowed_actions(state, problem)
    if not problem.given.interleaving:
        return actions
    return [a for a in actions if can_be_completed(apply_action(state, a, problem), problem)]


def allowed_actions(state: State, problem: OrderingProblem) -> list[int]:
    """Algorithm 2, line by line: all that counts but orders between two given trees."""
    actions = []
    if len(state.stack) >= 2:
        j, i = state.stack[-2:]
        if reducable(j, i, problem):
            actions.append(LEFTARC)
        if reducable(i, j, problem):
            actions.append(RIGHTARC)
    anchor = find_anchor(state, problem)
    for index, item in enumerate(problem.items):
        if state.bag[item.type] > 0 and shift_legal(state, anchor, item.type, problem):
            actions.append(SHIFT + index)
    return actions


def is_complete(node: Node, problem: OrderingProblem) -> bool:
    """Whether all given dependents of a word are attached to it."""
    items, heads = problem.items, problem.given.heads
    kind = items[node.item].type
    attached = [c for c in (*node.left, *node.right) if heads[items[c.item].type] == kind]
    return len(attached) == problem.given.dependents[kind]


def reducable(dependent: Node, head: Node, problem: OrderingProblem) -> bool:
    """REDUCABLE: whether ``dependent`` may be attached to ``head`` for good."""
    given = problem.given.heads[problem.items[dependent.item].type]
    return given in (None, problem.items[head.item].type) and is_complete(dependent, problem)


def find_anchor(state: State, problem: OrderingProblem) -> Node | None:
    """The topmost word of the stack that is not loose."""
    for node in reversed(state.stack):
        given = problem.given.heads[problem.items[node.item].type]
        if given is not None or not is_complete(node, problem):
            return node
    return None


def shift_legal(state: State, anchor: Node | None, kind: int, problem: OrderingProblem) -> bool:
    """SHIFTLEGAL for a type of the bag."""
    given = problem.given
    if not its_turn(state, kind, problem):
        return False
    if anchor is None:
        return True
    if is_untouched(state, given.component[kind], problem):
        return given.heads[given.tops[kind]] is None
    waiting = problem.items[anchor.item].type
    if not is_complete(anchor, problem):
        return kind in given.family[waiting]
    head = given.heads[waiting]
    if head is None or head == ROOT or state.bag[head] == 0:
        return False
    return kind in given.family[head]


def its_turn(state: State, kind: int, problem: OrderingProblem) -> bool:
    """Whether what must come before a type has come: given orders, and its subtrees' twins."""
    given = problem.given
    if any(state.bag[earlier] for earlier in given.before[kind]):
        return False
    twins = [twin for t in given.line[kind] if (twin := given.twins[t]) is not None]
    return not any(is_untouched(state, given.family[twin], problem) for twin in twins)


def is_untouched(state: State, types: range, problem: OrderingProblem) -> bool:
    """Whether no unit of these types has been shifted; a lone word never counts as touched."""
    return len(types) == 1 or all(state.bag[t] == len(problem.units[t]) for t in types)


def apply_action(
    state: State, action: int, problem: OrderingProblem, score: float = 0, serial: int = 0
) -> State:
    """APPLY: the state after ``action``, linked to ``state``."""
    stack, bag, order = state.stack, state.bag, state.order
    if action == LEFTARC:
        *rest, j, i = stack
        stack = (*rest, i.with_left(j))
    elif action == RIGHTARC:
        *rest, j, i = stack
        stack = (*rest, j.with_right(i))
    else:
        item = action - SHIFT
        kind = problem.items[item].type
        stack = (*stack, Node(item, place=len(order)))
        bag = (*bag[:kind], bag[kind] - 1, *bag[kind + 1 :])
        order = (*order, item)
    return State(stack, bag, order, score, serial, action, state)


ARCS = ("LEFTARC", "RIGHTARC")


def action_name(
    action: int, problem: OrderingProblem, level: int | None = None, label: str = ""
) -> str:
    """An action as the paper writes it: ``SHIFT-led-VBD``; less finely ``SHIFT-VBD``, ``SHIFT``.

    Where the arc into the word has a label, that stands behind it: ``SHIFT-led-VBD:root``. Weights
    are named by a ``level`` (``templates.LEVELS``), by label ``SHIFT-VBD:root`` and, for an arc
    whose dependent has this ``label``, ``LEFTARC:nsubj``; by initial ``SHIFT-l...``.
    """
    if action < SHIFT:
        return ARCS[action] + (f":{label}" if label else "")
    item = problem.items[action - SHIFT]
    form, label = item.form, f":{item.label}" if item.label else ""
    if level is None:
        return f"SHIFT-{form}-{item.pos}{label}"
    short = f"SHIFT-{item.pos}{label}", f"SHIFT-{item.unit[0][:1].lower()}..."
    return (f"SHIFT-{form}-{item.pos}", f"SHIFT-{item.pos}", "SHIFT", *short)[level]


def action_names(actions: Iterable[int], problem: OrderingProblem) -> tuple[str, ...]:
    """All of a derivation, each as ``action_name``."""
    return tuple([action_name(a, problem) if a >= SHIFT else ARCS[a] for a in actions])


def read_actions(actions: Sequence[int], problem: OrderingProblem) -> tuple[list[int], list[int]]:
    """What a complete derivation says: the items in order, and the heads over them (-1 the root).
    Raises ``ValueError`` if the actions do not end with one word on the stack."""
    items: list[int] = []
    heads: list[int] = []
    stack: list[int] = []
    for action in actions:
        if action >= SHIFT:
            stack.append(len(items))
            items.append(action - SHIFT)
            heads.append(-1)
        elif action == LEFTARC:
            heads[stack[-2]] = stack[-1]
            del stack[-2]
        else:
            heads[stack[-1]] = stack[-2]
            stack.pop()
    if len(stack) != 1 or len(items) != problem.size:
        raise ValueError("the derivation is not complete")
    return items, heads


# --- Orders between two given trees


MOST = 20_000
"""States that one look-ahead goes through before it gives up."""


def can_be_completed(state: State, problem: OrderingProblem) -> bool:
    """Whether some sequence of actions from here ends with all that is given; the problem keeps the
    answer. Raises ``ValueError`` where ``MOST`` states did not say it."""
    known = problem.completable
    todo: list[State] = [state]
    seen: set[Hashable] = set()
    while todo:
        here = todo.pop()
        key = _key(here, problem)
        if known.get(key) or not any(here.bag[first] for first, _ in problem.given.interleaving):
            known[_key(state, problem)] = True
            return True
        if key in known or key in seen:
            continue
        seen.add(key)
        if len(seen) > MOST:
            raise ValueError(
                "the orders tie together too many words of different given trees to see whether "
                "they can all be kept: give more of the heads between them, or fewer orders"
            )
        moves = promising_actions(here, problem)
        todo += [apply_action(here, action, problem) for action in reversed(moves)]
    known.update(dict.fromkeys(seen, False))
    return False


def _key(state: State, problem: OrderingProblem) -> Hashable:
    """All that the future of a state depends on."""
    words = [(problem.items[node.item].type, is_complete(node, problem)) for node in state.stack]
    return tuple(words), state.bag


def promising_actions(state: State, problem: OrderingProblem) -> list[int]:
    """The actions to try: one alone if it does no harm, whatever comes later."""
    given = problem.given
    actions = allowed_actions(state, problem)
    if actions and actions[0] < SHIFT:
        return actions[:1]
    types = dict.fromkeys(problem.items[action - SHIFT].type for action in actions)
    first = {t: next(a for a in actions if problem.items[a - SHIFT].type == t) for t in types}
    if state.stack and is_complete(top := state.stack[-1], problem):
        head = given.heads[problem.items[top.item].type]
        if head is not None and head != ROOT and head in first:
            return [first[head]]
    waited_for = {t for earlier in given.before for t in earlier}
    for t in types:
        if given.is_free(t) and t in waited_for:
            return [first[t]]
    pending = {given.tops[t] for pair in given.interleaving if state.bag[pair[0]] for t in pair}
    trees: dict[int, list[int]] = {}
    for t in types:
        if given.tops[t] in pending or not is_untouched(state, given.component[t], problem):
            trees.setdefault(given.tops[t], []).append(first[t])
    for root, moves in trees.items():
        if not waits_for_others(state, given.component[root], problem):
            return moves
    return [action for moves in trees.values() for action in moves]


def waits_for_others(state: State, tree: range, problem: OrderingProblem) -> bool:
    """Whether anything outside a given tree must come before what is left of it. If not, all of it
    may come now: whatever would have come in between may come after it."""
    return any(
        state.bag[t] and state.bag[earlier]
        for t in tree
        for earlier in problem.given.before[t]
        if earlier not in tree
    )


def check_interleaving(problem: OrderingProblem) -> None:
    """Raise ``ValueError`` for orders that no projective tree with the given heads allows."""
    if problem.given.interleaving and not can_be_completed(initial_state(problem), problem):
        forms = {item.type: item.form for item in problem.items}
        orders = dict.fromkeys(
            f"{forms[i]!r} < {forms[j]!r}" for i, j in problem.given.interleaving
        )
        raise ValueError(
            "no order of the words keeps all that is given, since subtrees do not mix: with the "
            f"given heads these orders exclude each other, {', '.join(orders)} "
            "(< says: stands before): leave one of them out"
        )
