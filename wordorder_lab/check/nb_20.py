"""Notebook 20, transition-based ordering: its exercises, and states as rows of a table.

States and actions are those of Liu et al. 2015, section 3, Table 1. After which step the learner
updates, and how it breaks ties, is the reference learner's own answer on a few sentences.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from itertools import islice, pairwise
from typing import Any, NamedTuple

from wordorder_lab.check import beforehand, small_world
from wordorder_lab.check.exercise import Function, Wrong, spelling
from wordorder_lab.check.judges import WHOLE, Case, Several, exercise
from wordorder_lab.check.moments import Moment, after, first_difference
from wordorder_lab.check.small_world import SENTENCES, problem_of
from wordorder_lab.check.small_world import course as course
from wordorder_lab.check.small_world import derivations as derivations
from wordorder_lab.check.small_world import examples_of as examples_of
from wordorder_lab.check.small_world import learner_of as learner_of
from wordorder_lab.experiments.runs.evaluate import evaluate
from wordorder_lab.structures.problem import OrderingProblem
from wordorder_lab.structures.sentence import Sentence
from wordorder_lab.systems import train
from wordorder_lab.trace.log import EventLog
from wordorder_lab.transition import actions as transition
from wordorder_lab.transition import averaged_perceptron
from wordorder_lab.transition.actions import action_name, apply_action, possible_actions
from wordorder_lab.transition.averaged_perceptron import EARLY, Example, Perceptron
from wordorder_lab.transition.beam import BeamSearch, Candidate
from wordorder_lab.transition.oracle import gold_actions as gold_actions
from wordorder_lab.transition.state import LEFTARC, RIGHTARC, SHIFT, State


def seen(state: State, problem: OrderingProblem) -> tuple[list[str], list[str]]:
    """Stack and bag of a state as words, the top of the stack last, the bag sorted."""
    stack = [problem.items[node.item].form for node in state.stack]
    forms = {item.type: item.form for item in problem.items}
    bag = [forms[kind] for kind, count in enumerate(state.bag) for _ in range(count)]
    return stack, sorted(bag)


def bare_name(action: int, problem: OrderingProblem) -> str:
    """An action without the tag: LEFTARC, RIGHTARC, SHIFT-word."""
    if action < SHIFT:
        return action_name(action, problem)
    return f"SHIFT-{problem.items[action - SHIFT].form}"


def first_actions(problem: OrderingProblem) -> list[str]:
    """The names of what is possible at the beginning."""
    state = transition.initial_state(problem)
    return [action_name(action, problem) for action in possible_actions(state, problem)]


@beforehand.made
def bleu_by_epoch(
    sample: Sequence[Sentence], held_out: Sequence[Sentence], **settings: Any
) -> list[float]:
    """Learn from a sample; after every epoch BLEU on sentences that are not learned."""
    curve: list[float] = []

    def keep_score(_epoch: int, make_model: Callable[[], Any]) -> None:
        curve.append(evaluate(make_model(), held_out).scores.bleu_cased)

    train("liu-2015", sample, on_epoch=keep_score, progress=False, **settings)
    return curve


def action_called(name: object) -> str:
    """The bare name that a student means by "left arc", "shift saw"."""
    if spelling(name) in ("leftarc", "rightarc"):
        return spelling(name).upper()
    shift = re.fullmatch(r"shift[-\s/]+(.+)", str(name).strip(), re.IGNORECASE)
    return f"SHIFT-{shift[1]}" if shift else str(name)


def names_of(state: State, problem: OrderingProblem) -> set[str]:
    """The names of what is possible in a state."""
    return {bare_name(action, problem) for action in possible_actions(state, problem)}


def state_after(names: Sequence[str], problem: OrderingProblem) -> State:
    """The state after the actions of these bare names. Raises ``KeyError`` for what cannot be."""
    state = transition.initial_state(problem)
    for name in names:
        possible = possible_actions(state, problem)
        action = {bare_name(action, problem): action for action in possible}[name]
        state = apply_action(state, action, problem)
    return state


def states_on_the_way(actions: Sequence[int], problem: OrderingProblem) -> list[dict[str, object]]:
    """A row for each action: the stack after it (its top on the right), the bag, the new arc."""
    state, rows, old = transition.initial_state(problem), list[dict[str, object]](), set[str]()
    for number, action in enumerate(actions, 1):
        state = apply_action(state, action, problem)
        spoken = [problem.items[item].form for item in state.order]
        arcs = {f"{spoken[head]} → {spoken[dependent]}" for head, dependent in state.arcs}
        stack, bag = map(" | ".join, seen(state, problem))
        row = {"": number, "action": action_name(action, problem), "stack": stack, "bag": bag}
        rows.append({**row, "new arc": "".join(arcs - old)})
        old = arcs
    return rows


# --- exercises ------------------------------------------------------------------------------------

PREFIX = ("SHIFT-IBM", "SHIFT-bought", "SHIFT-Lotus", "RIGHTARC")


def _judge_state(answer: object) -> str:
    if not (isinstance(answer, tuple | list) and len(answer) == 2):
        raise Wrong("Hand in two things: check('20.1', (stack, bag)).")
    if not all(isinstance(words, str) and " " not in words for words in answer):
        answer = [words.split() if isinstance(words, str) else words for words in answer]
    if not all(isinstance(words, tuple | list | set) for words in answer):
        raise Wrong("Stack and bag are lists of words: check('20.1', (['IBM', ...], [...])).")
    written = {word.lower(): word for word in ("IBM", "bought", "Lotus", ".")}
    stack, bag = ([written.get(str(one).lower(), str(one)) for one in words] for words in answer)
    bag.sort()
    problem = problem_of(("IBM", "bought", "Lotus", "."))
    right_stack, right_bag = seen(state_after(PREFIX, problem), problem)
    if stack != right_stack:
        turned = " It is upside down: the top comes last." * (stack[::-1] == right_stack)
        raise Wrong(f"The stack is not {stack}.{turned}{' The bag is right.' * (bag == right_bag)}")
    if bag != right_bag:
        raise Wrong(f"The stack is right; the bag is not {bag}.")
    return "Lotus has left the stack, but not the sentence: it hangs below bought."


@exercise("20.1", judge=_judge_state)
def stack_and_bag() -> tuple[list[str], list[str]]:
    """Stack and bag after SHIFT IBM, SHIFT bought, SHIFT Lotus, RIGHTARC.

    - Take the actions one by one on paper. SHIFT moves a word from the bag to the top.
    - RIGHTARC makes the top a dependent of the word below it, and takes the top away.

    RIGHTARC makes *Lotus* a dependent of *bought* and takes it off the stack. It is still in the
    sentence: it hangs below *bought*.
    """
    stack = ["IBM", "bought"]
    remaining = ["."]
    return stack, remaining


def _lengths() -> Iterator[Case]:
    for n in range(1, 5):
        (length,) = {len(final.derivation()) for final in derivations(problem_of(["w"] * n))}
        about = f"The number of actions of every derivation for n = {n}"
        paper = "The paper's 2n counts an arc for every word. Has the root one?"
        yield Case(about, length, (n,), mistakes=[(2 * n, paper)])


@exercise("20.2", _lengths, WHOLE)
def actions_for(n: int) -> int:
    """How many actions does a bag of n words take?

    - How many SHIFTs are there? And what does every arc do to the stack?
    - The stack grows by one with a SHIFT, shrinks by one with an arc, and ends at one.

    Every unit is shifted once: n actions. Every unit but the root gets its head by one arc: n - 1
    more. (Or: SHIFT makes the stack one longer, an arc one shorter; it begins at 0 and ends at 1.)
    The paper's 2n would have the root popped, too.

    Right: Every derivation of every bag of up to four words has been counted.
    """
    return 2 * n - 1


def _small_states() -> Iterator[Case]:
    known: set[str] = set()
    for units in small_world.small_bags():
        problem = problem_of(units)
        for state in small_world.every_state(problem):
            stack, bag = seen(state, problem)
            about = f"With stack {stack} and bag {bag}"
            if about not in known:
                known.add(about)
                yield Case(about, names_of(state, problem), (stack, bag))


@exercise("20.3", _small_states, Several("a set of action names", action_called))
def possible(stack: list[str], bag: list[str]) -> set[str]:
    """Write your own legality test: which actions are possible with this stack and this bag?

    - An arc joins the two topmost words. When are there two?
    - What can be shifted does not depend on the stack at all.
    - Return a set: {'LEFTARC', 'RIGHTARC'} or the empty set, and a 'SHIFT-...' a word.

    An arc needs two words on the stack; a SHIFT needs the word in the bag. That is all: no sequence
    of possible actions leads into a dead end. With given heads it gets harder (section 3.2).

    Right: Your function and the grammar agree on all {count:,} states of small bags.
    """
    arcs = {"LEFTARC", "RIGHTARC"} if len(stack) >= 2 else set()
    return arcs | {f"SHIFT-{word}" for word in bag}


class Decoding(NamedTuple):
    """One decoding, and after which step each kind of learner updates (``None``: not at all)."""

    course: small_world.Course
    step: dict[str, int | None]


@cache
def decodings() -> tuple[Decoding, ...]:
    """Decodings of the small world's sentences while they are learned, at three beams."""
    decoded = []
    for learner, example in _lessons():
        steps = {update: _step(learner, update, example) for update in averaged_perceptron.UPDATES}
        decoded.append(Decoding(course(learner, example), steps))
    return tuple(decoded)


def _lessons() -> Iterator[tuple[Perceptron, Example]]:
    """The learner before each lesson, and the lesson, which it has learned when the next comes."""
    examples = examples_of(SENTENCES)
    for beam in (1, 2, 8):
        learner = small_world.learner_of(SENTENCES, beam)
        for example in 6 * examples:
            yield learner, example
            learner.learn(example)


def _step(learner: Perceptron, update: str, example: Example) -> int | None:
    find = learner.early_update if update == EARLY else learner.max_violation
    violation = find(example)
    return None if violation is None else len(violation.gold.derivation())


def _decoding_again(number: int, step: int | None, _yours: object) -> Moment:
    """A decoding once more, for a player that opens after a step of it."""
    learner, example = next(islice(_lessons(), number, None))
    learner.trace = log = EventLog()
    learner.max_violation(example)  # it follows gold to the end, also outside the beam
    at = after(log, lambda event: event[0] == "gold" and event[1] == step)
    return Moment(log, at, "Where to update?", "beam")


def _steps(update: str) -> Iterator[Case]:
    for number, (lists, steps) in enumerate(decodings()):
        named = lists._asdict().items()
        rows = [f"{name} = [{', '.join(map('{:g}'.format, values))}]" for name, values in named]
        about = f"Where {'; '.join(rows)}, the step after which the learner updates"
        where = partial(_decoding_again, number, steps[update])
        yield Case(about, steps[update], (*lists,), moment=where)


@exercise("20.4", partial(_steps, EARLY))
def early(ranks: list[int], best: list[float], gold: list[float]) -> int | None:
    """Write the rule of early update: after which step does the learner stop and update?

    - A rank of -1 says that gold is no longer in the beam. Which is the first?
    - Steps are counted from 1, Python's lists from 0.
    - If gold stays in the beam to the end, look at its last rank: 0 means that it has won, and
      there is nothing to learn: None. Otherwise the update is after the last step.

    Where gold falls out; otherwise at the end, unless gold is the best state there.

    Right: Your rule and the learner agree on {count} decodings.
    """
    if -1 in ranks:
        return ranks.index(-1) + 1
    return len(ranks) if ranks[-1] != 0 else None


@exercise("20.5", partial(_steps, averaged_perceptron.MAX_VIOLATION))
def max_violation(ranks: list[int], best: list[float], gold: list[float]) -> int | None:
    """Write the rule of max-violation: after which step is the best state furthest ahead?

    - best[i] - gold[i] is the lead after step i + 1.
    - Where gold is the best state itself (rank 0), nothing is violated: leave these steps out. A
      lead of 0 counts, if another state stands before gold.
    - Of several equal leads the first counts. No step left: None.

    Of all steps at which another state stands before gold, the one with the largest lead. `max`
    gives the first of several that are equally large.

    Right: Your rule and the learner agree on {count} decodings.
    """
    steps = [i for i in range(len(ranks)) if ranks[i] != 0]
    return 1 + max(steps, key=lambda i: best[i] - gold[i]) if steps else None


BEAM = 4


class OtherTies(BeamSearch):
    """Algorithm 1 with another order of the candidates: a student's, where scores come first."""

    key: Function = staticmethod(lambda candidate: (-candidate.score, candidate.serial))

    def top_k(self, agenda: Sequence[Candidate]) -> list[State]:
        """TOP-K by the key. Raises ``Wrong`` if that is not an order by score, or no order."""
        ranked = sorted(agenda, key=self.key)
        for earlier, later in pairwise(ranked):
            if earlier.score < later.score:
                raise Wrong(
                    f"Your key puts score {earlier.score:g} before score {later.score:g}: that is "
                    "no longer the best k. Only ties are yours to break."
                )
            if self.key(earlier) == self.key(later):
                raise Wrong(
                    "Two candidates have the same key, so chance (the order of a list) decides "
                    "between them. Make the key tell any two candidates apart."
                )
        kept = ranked[: self.beam]
        if self.trace is not None:
            self._trace_top_k(kept, agenda)
        return [apply_action(c.parent, c.action, self.problem, c.score, c.serial) for c in kept]


@cache
def taught() -> tuple[Perceptron, list[Example]]:
    """A learner that has seen half of the small world twice, and bags of all of it."""
    learner = small_world.learner_of(SENTENCES, BEAM)
    for example in 2 * examples_of(SENTENCES)[:4]:
        learner.learn(example)
    return learner, examples_of(SENTENCES)


def _run(example: Example, key: Function | None = None) -> tuple[tuple[int, ...], EventLog]:
    usual = taught()[0].search(example.problem)
    search = OtherTies(usual.problem, usual.scores, BEAM, trace=(log := EventLog()))
    search.key = key or search.key
    return tuple(action for _, action in search.run()[0].derivation()), log


def tie_differences(key: Function) -> tuple[int, int, int, Moment | None]:
    """How many outputs and event streams of how many searches the key changes; the first change."""
    pairs = [(_run(example), _run(example, key)) for example in taught()[1]]
    outputs = sum(usual[0] != other[0] for usual, other in pairs)
    logs = [(usual[1], other[1]) for usual, other in pairs]
    streams = sum(usual != other for usual, other in logs)
    moment = first_difference(logs, "Ties", ("the engine's order", "your order"))
    return outputs, streams, len(pairs), moment


def _judge_ties(key: Function) -> str:
    outputs, streams, searches, moment = tie_differences(key)
    changed = f"Of {searches} searches it changes {streams} event streams and {outputs} outputs."
    if not streams:
        raise Wrong(f"This is the engine's own order, it seems. {changed}")
    if not outputs:
        message = f"Some ties fall differently, but what comes out is the same. {changed}"
        raise Wrong(message, moment)
    return f"{changed} Same scores, same beam, same model!"


@exercise("20.6", judge=_judge_ties)
def my_key(candidate: Candidate) -> tuple[float, int]:
    """Break the tie-breaking: the same scores, another order among equals, another output.

    - sorted() puts small keys first, so begin the key with -candidate.score.
    - The engine's key is (-candidate.score, candidate.serial): of equally good candidates the one
      made first. What would be the opposite?

    The opposite rule will do: of equally good candidates the one made last. Nothing about the
    scores has changed, and yet other sentences come out. That is why a paper should say how it
    breaks ties, and why our tests compare the engines event by event and not only by their outputs.
    """
    return -candidate.score, -candidate.serial


Built = tuple[tuple[str, ...], tuple[tuple[int, int], ...]]
"""The words in order, and the arcs between them."""


def _outcome(final: State, problem: OrderingProblem) -> Built:
    return tuple(problem.items[item].form for item in final.order), tuple(final.arcs)


def _judge_legal(legal: Callable[[State, str], object]) -> str:
    def allowed(state: State, action: int) -> bool:
        return bool(legal(state, {LEFTARC: "LEFTARC", RIGHTARC: "RIGHTARC"}.get(action, "SHIFT")))

    counted = []
    for units in ("ab", "abc", "abcd"):
        problem = problem_of(units)
        wanted = {_outcome(final, problem) for final in derivations(problem)}
        ways: dict[Built, list[str]] = {}
        for final in derivations(problem, allowed):
            actions = "  ".join(bare_name(action, problem) for _, action in final.derivation())
            ways.setdefault(_outcome(final, problem), []).append(actions)
        for built in sorted(wanted - ways.keys())[:1]:
            raise Wrong(f"Nothing builds {_shown(built)} any more: your rule forbids too much.")
        for built, several in ways.items():
            if len(several) > 1:
                both = "\n".join(several[:2])
                raise Wrong(f"{_shown(built)} can still be built twice:\n{both}")
        counted.append(f"{len(wanted):,}")
    return f"Bags of 2, 3 and 4 words: {', '.join(counted)} ordered trees, each built exactly once."


def _shown(built: Built) -> str:
    words, arcs = built
    return f"'{' '.join(words)}' with " + ", ".join(f"{words[h]} → {words[d]}" for h, d in arcs)


@exercise("20.7", judge=_judge_legal)
def legal(state: State, action: str) -> bool:
    """Forbid just so much that every tree is built by exactly one sequence of actions.

    - Hand in lambda state, action: True, and look at the two sequences that you are shown.
    - They differ in the order of a LEFTARC and a RIGHTARC with the same head. Choose one order, as
      Table 1 does, and forbid the other.
    - state.stack[-2] would be the head of a RIGHTARC. Its left dependents so far are in
      state.stack[-2].left

    A word with dependents on both sides can take them in several orders: first all on the right, or
    one on the left in between. Table 1 takes the right ones first. So forbid a RIGHTARC to a word
    that has a left dependent already.
    """
    return action != "RIGHTARC" or not state.stack[-2].left
