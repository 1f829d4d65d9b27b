"""Notebook 31, search errors and model errors: its exercises, gold beside the best, planted errors.

A weight is changed where the gold derivation looks at it: of the features of a step the one whose
row of weights is the shortest, as that one speaks up for the fewest other actions. So one knows
whose fault it is.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cache
from itertools import combinations, permutations, product
from math import comb
from typing import NamedTuple

import numpy as np

from wordorder_lab.analysis.gold_survival import moment_of_loss, with_gold
from wordorder_lab.check import beforehand, judges
from wordorder_lab.check.exercise import Function, Wrong
from wordorder_lab.check.judges import WHOLE, Case, Number, exercise
from wordorder_lab.check.nb_30 import Table, TooManyAsked
from wordorder_lab.check.small_world import derivations
from wordorder_lab.exploring.explore import errors
from wordorder_lab.structures.bag import WordBag, bag_of, places
from wordorder_lab.structures.problem import OrderingProblem
from wordorder_lab.structures.sentence import Sentence
from wordorder_lab.structures.templates import Feature
from wordorder_lab.systems.liu_2015 import LinearizationModel
from wordorder_lab.trace.log import EventLog
from wordorder_lab.transition.actions import action_name, apply_action, initial_state
from wordorder_lab.transition.features import all_features, state_context
from wordorder_lab.transition.oracle import gold_actions
from wordorder_lab.transition.templates import show

SEED = 1  # the bags are those that ``wl.bag_of`` makes


class Course(NamedTuple):
    """Scores step by step: of the best state in the beam, and of gold, also outside the beam."""

    best: list[float]
    gold: list[float]
    lost: int
    """The step that cut gold; 0 where none did."""


def course(model: LinearizationModel, sentence: Sentence, beam: int) -> Course:
    """How gold and the best state fare in a search."""
    log = EventLog()
    bag = bag_of(sentence, seed=SEED)
    model.order(bag, beam=beam, trace=log)
    scores = {event[1]: event[4] for event in log if event[0] == "candidate"}
    best = [scores[event[1]] for event in log if event[0] == "kept" and event[2] == 0]
    problem = model.problem(bag)
    actions = gold_actions(sentence, problem, places(sentence, SEED))
    gold, lost = [], 0
    for end in range(1, len(actions) + 1):  # the fast engine follows whole derivations only
        score, lost = model.follow(problem, actions[:end], beam=beam, engine="reference")
        gold.append(score)
    return Course(best, gold, lost)


def logged(model: LinearizationModel, sentence: Sentence, beam: int) -> tuple[EventLog, int]:
    """The log of a search with gold in it, and after how many events gold is lost."""
    bag, log = bag_of(sentence, seed=SEED), EventLog()
    model.order(bag, beam=beam, trace=log)
    marked = with_gold(model, log, bag, sentence, SEED)
    return marked, moment_of_loss(marked)


def in_order(sentence: Sentence) -> WordBag:
    """The bag of a sentence that allows one order only, the right one; the tree is left open."""
    chain = [(place, place + 1) for place in range(len(sentence) - 1)]
    return WordBag([t.words for t in sentence], [t.pos for t in sentence], before=chain)


BEAM = 4
WIDE = 4000  # nothing is cut for up to four units, as little as can be for a few more
HEADS = ("step", "action", "feature", "weight")
"""What the first parts of a ``GoldWeight`` are called in a table."""


class GoldWeight(NamedTuple):
    """The weight at a step of gold that is changed: its feature, its value, its place."""

    step: int
    action: str
    feature: str
    weight: float
    place: int


def gold_weights(model: LinearizationModel, sentence: Sentence) -> list[GoldWeight]:
    """One weight a step of gold's derivation; steps at which training knew none are left out."""
    templates = model.keys.templates
    problem = model.problem(bag_of(sentence))
    state, weights = initial_state(problem), []
    for step, action in enumerate(gold_actions(sentence, problem, places(sentence)), 1):
        numbers = model.actions.numbers(action, problem)
        features = all_features(templates, state_context(state, problem))
        known = [row for row in (_entry(model, feature, numbers) for feature in features) if row]
        if known:
            _, place, feature = min(known, key=lambda row: row[0])
            value = float(model.weights.values[place] / model.weights.divisor)
            name = action_name(action, problem)
            weights.append(GoldWeight(step, name, show(templates, feature), value, place))
        state = apply_action(state, action, problem)
    return weights


def _entry(
    model: LinearizationModel, feature: Feature, action: tuple[int, ...]
) -> tuple[int, int, Feature] | None:
    """How long the row of this feature is, and where the action's weight stands, if it has one."""
    key, number = model.keys.key(feature), action[model.keys.templates.level(feature)]
    row = [*model.weights.row(key)]
    if key is None or number not in row:
        return None
    start = model.weights.starts[np.searchsorted(model.weights.keys, key)]
    return len(row), int(start) + row.index(number), feature


def planted(
    model: LinearizationModel, sentence: Sentence, changes: Mapping[int, float]
) -> LinearizationModel:
    """The same model with so much added to the weight of each of these steps of gold."""
    places_of = {row.step: row.place for row in gold_weights(model, sentence)}
    values = model.weights.values.copy()
    for step, change in changes.items():
        if step not in places_of:
            steps = ", ".join(map(str, places_of))
            raise ValueError(f"no weight can be changed at step {step}: take one of {steps}")
        values[places_of[step]] += round(change * model.weights.divisor)
    return replace(model, weights=replace(model.weights, values=values), _table=None)


@beforehand.made
def plantable(
    model: LinearizationModel, sentences: Sequence[Sentence]
) -> tuple[Sentence, dict[int, float]]:
    """The first sentence that comes out right and two weights that make it a search error."""
    for sentence in sentences:
        right = model.order(bag_of(sentence), beam=BEAM).text == sentence.text
        if right and (changes := next(planted_errors(model, sentence), None)):
            return sentence, changes
    raise ValueError("in none of these sentences two weights make a search error: give more")


def planted_errors(model: LinearizationModel, sentence: Sentence) -> Iterator[dict[int, float]]:
    """Changes of two steps that make it a search error."""
    steps = [row.step for row in gold_weights(model, sentence)]
    for (early, late), amount in product(combinations(steps, 2), (50, 200)):
        changes: dict[int, float] = {early: -amount, late: amount}
        with suppress(Wrong):
            _judge_planted(changes, model, sentence)
            yield changes


# --- exercises ------------------------------------------------------------------------------------


def _verdicts() -> Iterator[Case]:
    scores = [
        (-9.0, -7.0, -7.0),
        (-7.0, -9.0, -7.0),
        (-9.0, -8.0, -7.0),
        (-8.0, -9.0, -7.0),
        (-7.0, -7.0, -7.0),
        (0.3, 0.3, 0.1 + 0.2),
        (-8.0, -8.0, -7.0),
    ]
    rng = random.Random(31)
    for _ in range(60):
        score, gold = rng.randint(-20, 20) / 2, rng.randint(-20, 20) / 2
        scores.append((score, gold, max(score, gold) + rng.choice([0, 0, 0.5, 3])))
    for score, gold, best in scores:
        at = f"an output of {score:g}, gold of {gold:g} and a best score of {best:g}"
        near = [(..., "These differ by rounding alone.")] * (0 < abs(score - best) < 1e-9)
        right = faults(score, gold, best)
        yield Case(f"At fault for {at}", right, (score, gold, best), near)


@exercise("31.1", _verdicts, judges.Several('a set, with "search" and "model" in it or not,'))
def faults(score: float, gold: float, best: float) -> set[str]:
    """Say of a wrong output whether the search is at fault, the model, or both.

    - Ask twice. Of the search: was there anything with a higher score?
    - Of the model: would a search that misses nothing have found gold?
    - The two questions do not exclude each other. And 0.1 + 0.2 is not 0.3 to a computer.

    Two questions, each asked by itself. Scores that were added up in another order differ in their
    last digits, so "greater" needs some room.

    Right: And where both are at fault, a better search alone would not bring gold.
    """
    found = set()
    if best > score + 1e-9:
        found.add("search")
    if best > gold + 1e-9:
        found.add("model")
    return found


LARGE = tuple("abcdefghij")  # 3,628,800 orders, 1,024 sub-bags
MOST_CALLS = 200_000  # several times what Held and Karp need for the largest bag
LogProb = Callable[[str, str], float]


def brute_force(words: Sequence[str], table: Table) -> float:
    """The best score of all orders."""
    return max(map(table.score, permutations(words)))


def _bags() -> Iterator[Case]:
    rng = random.Random(312)
    bags = ["a", "ab", "aa", "abab", *("abcdef"[: rng.randint(3, 6)] for _ in range(40))]
    for seed, words in enumerate(bags):
        table = Table(words, seed, MOST_CALLS)
        pairs = [pair for pair in sorted(table.pairs) if pair[0] != "</s>" and pair[1] != "<s>"]
        shown = ", ".join(f"{one} {other}: {table.pairs[one, other]}" for one, other in pairs[:6])
        about = f"For {' '.join(words)} and {{{shown}{', ...' * (len(pairs) > 6)}}}"
        yield Case(about, brute_force(words, table), ([*words], table))


def _judge_exact(function: Function) -> str:
    judges.ask_all(function, _bags(), Number())
    table = Table(LARGE, 313, MOST_CALLS)
    right = best_score([*LARGE], Table(LARGE, 313, MOST_CALLS))
    try:
        judges.ask_all(
            function, [Case("For a bag of 10 words", right, ([*LARGE], table))], Number()
        )
    except TooManyAsked:
        raise Wrong(
            f"All scores are right, but for 10 words you have asked {MOST_CALLS:,} times. Do you "
            "go through all orders? Keep the best beginning of each sub-bag and last word."
        ) from None
    return f"And {table.asked:,} questions for 10 words, which have 3,628,800 orders."


@exercise("31.2", judge=_judge_exact)
def best_score(words: list[str], log_prob: LogProb) -> float:
    """Write an exact search for a bag under a bigram model.

    - What has to be known of a beginning, so that one can go on from it?
    - Which words it has used, and the last one. Of all beginnings that agree in these only the best
      one matters.
    - Go through beginnings of 1, 2, 3 ... words in a dictionary with the key (used, last); use
      places instead of words, as a word may come twice. The end </s> has a score, too.

    What goes on from a beginning depends on the words that are left and on the last one. So the
    dictionary has one entry for each of these, and not one for each order. Places instead of words,
    since a word may come twice.
    """
    best: dict[tuple[frozenset[int], str], float] = {(frozenset(), "<s>"): 0.0}
    for _ in words:
        longer: dict[tuple[frozenset[int], str], float] = {}
        for (used, last), score in best.items():
            for place in set(range(len(words))) - used:
                key = used | {place}, words[place]
                reached = score + log_prob(last, words[place])
                longer[key] = max(reached, longer.get(key, reached))
        best = longer
    return max(score + log_prob(last, "</s>") for (_, last), score in best.items())


WORDS = ("a", "b", "c")
NEEDED = tuple((one, other) for one in ("<s>", *WORDS) for other in WORDS if one != other)
"""The pairs that a trap gives a score; the end costs nothing."""
Scores = Mapping[tuple[str, str], float]


def score_of(order: Sequence[str], scores: Scores) -> float:
    """The sum over all words."""
    return sum(scores[pair] for pair in zip(("<s>", *order), order))


def beam_search(scores: Scores, beam: int) -> tuple[str, ...]:
    """The order that a beam finds; of equal beginnings those that come first in the alphabet."""
    kept: list[tuple[str, ...]] = [()]
    for _ in WORDS:
        longer = [(*order, word) for order in kept for word in WORDS if word not in order]
        kept = sorted(longer, key=lambda order: (-score_of(order, scores), order))[:beam]
    return kept[0]


def _judge_trap(answer: object) -> str:
    if not isinstance(answer, Mapping):
        raise Wrong('Hand in a dictionary from pairs to scores: {("<s>", "a"): -1, ...}.')
    if missing := [pair for pair in NEEDED if pair not in answer]:
        raise Wrong(f"The pair {missing[0]} has no score; {len(NEEDED)} pairs need one.")
    scores = judges.numbers_of(answer, NEEDED)
    for pair, score in scores.items():
        if score > 0:
            raise Wrong(f"{pair}: a logarithm of a probability is at most 0, not {score:g}.")
    totals = {order: score_of(order, scores) for order in permutations(WORDS)}
    best = max(totals, key=lambda order: totals[order])
    one, two = beam_search(scores, 1), beam_search(scores, 2)
    if totals[one] == totals[best]:
        raise Wrong(f"Beam 1 finds {' '.join(one)}, {totals[one]:g}: nothing scores more.")
    if totals[two] != totals[best]:
        raise Wrong(
            f"Beam 1 is trapped, and so is beam 2: it finds {' '.join(two)}, {totals[two]:g}, "
            f"where {' '.join(best)} has {totals[best]:g}."
        )
    return f"Beam 1 ends with {' '.join(one)} ({totals[one]:g}), beam 2 with {' '.join(two)}."


@exercise("31.3", judge=_judge_trap)
def trap() -> dict[tuple[str, str], float]:
    """Build a trap: bigram scores of three words with which beam 1 fails and beam 2 does not.

    - Beam 1 takes what looks best now. What should it find out too late?
    - Let one word begin a little better than the others, and let all that follows it cost a lot.
    - The best order has to begin with the word that is second after <s>.

    *a* is a little cheaper to begin with, and all that follows it is dear. Beam 1 has paid before
    it sees the price. A future cost would have told it.
    """
    return {
        ("<s>", "a"): 0,
        ("<s>", "b"): -1,
        ("<s>", "c"): -1,
        ("a", "b"): -9,
        ("a", "c"): -9,
        ("b", "a"): -1,
        ("b", "c"): -1,
        ("c", "a"): -1,
        ("c", "b"): -1,
    }


PARTS: dict[str, tuple[str, ...]] = {
    "a": (),
    "b": (),
    "c": (),
    "ab": ("a", "b"),
    "bc": ("b", "c"),
    "(ab)c": ("ab", "c"),
    "a(bc)": ("a", "bc"),
}
"""The edges over three words in a fixed order, and their parts; the last two are goals. As in Zhang
and Clark (2015) the agenda is ranked by the score divided by the actions."""
GOALS = ("(ab)c", "a(bc)")


class Pop(NamedTuple):
    """An edge that was popped, its score and its score an action."""

    edge: str
    score: float
    scaled: float


def pop_of(edge: str, own: Mapping[str, float]) -> Pop:
    """What an edge adds, and all that its parts have; a leaf is one action, and so is each join."""
    parts = [edge]
    for part in parts:
        parts += PARTS[part]
    total = sum(own[part] for part in parts)
    return Pop(edge, total, total / len(parts))


def pops_of(own: Mapping[str, float]) -> list[Pop]:
    """The search, pop by pop, up to the first goal; of equal edges the one made first."""
    agenda, pops = ["a", "b", "c"], list[Pop]()
    while not pops or pops[-1].edge not in GOALS:
        pops.append(max((pop_of(edge, own) for edge in agenda), key=lambda pop: pop.scaled))
        best, chart = pops[-1].edge, {pop.edge for pop in pops}
        agenda.remove(best)
        agenda += [e for e, parts in PARTS.items() if best in parts and chart >= {*parts}]
    return pops


def _judge_popped(answer: object) -> str:
    if not isinstance(answer, Mapping) or set(answer) != set(PARTS):
        raise Wrong(f"Hand in a dictionary with a number for each of {', '.join(PARTS)}.")
    own = judges.numbers_of(answer, PARTS)
    pops = pops_of(own)
    first = pops[-1]
    (other,) = (pop_of(goal, own) for goal in GOALS if goal != first.edge)
    told = ", ".join(f"{pop.edge} {pop.scaled:.3g}" for pop in pops)
    if other.score <= first.score:
        raise Wrong(
            f"The pops are {told}. The goal {first.edge} has {first.score:g}, and {other.edge} "
            f"would have {other.score:g}: the first one is no worse."
        )
    return f"The pops are {told}; {other.edge} would have had {other.score:g}."


@exercise("31.4", judge=_judge_popped)
def adds() -> dict[str, float]:
    """Give seven edges scores such that the first goal that is popped is not the best.

    - The agenda ranks what is there. Which goal is not there yet when the first is popped?
    - Its pair waits in the agenda: what does that say about the pair's score?
    - Make bc poor and a(bc) rich, so rich that the goal as a whole is ahead.

    *bc* is poor and waits in the agenda; *(ab)c* is popped before anybody knows what could be made
    of *bc*.
    """
    return {"a": 1, "b": 1, "c": 1, "ab": 0, "bc": -5, "(ab)c": 0, "a(bc)": 20}


@cache
def walked(n: int) -> int:
    """How many derivations n words have that may come in one order only, all of them walked."""
    words = [f"word {place}" for place in range(n)]
    bag = WordBag(words, before=[(place, place + 1) for place in range(n - 1)])
    return sum(1 for _ in derivations(OrderingProblem.of(bag, lambda _unit: ("X",))))


def _numbers_of_words() -> Iterator[Case]:
    for n in range(1, 7):
        yield Case(f"The number of derivations of {n} words in one order", walked(n), (n,))


@exercise("31.5", _numbers_of_words, WHOLE)
def count(n: int) -> int:
    """How many derivations has a sentence of n words whose order is fixed?

    - Take three words. When may the first two be joined, and with which arcs?
    - Which neighbours are joined first is a way to put brackets: 1, 1, 2, 5, 14 ways.
    - There are n - 1 joins, and each is a LEFTARC or a RIGHTARC.

    SHIFT has no choice. There are as many ways to join neighbours as to put brackets (the Catalan
    numbers), and each of the n - 1 joins is a LEFTARC or a RIGHTARC.

    Right: A sentence of 15 words has 43,818,024,960; its gold score is that of one or two.
    """
    return comb(2 * n - 2, n - 1) // n * 2 ** (n - 1)  # type: ignore[no-any-return]


def _judge_planted(answer: object, model: LinearizationModel, sentence: Sentence) -> str:
    if not isinstance(answer, Mapping) or not answer:
        raise Wrong("Hand in a dictionary from steps to changes, such as {2: -1.5}.")
    for step, change in answer.items():
        if not judges.is_number(step, whole=True) or not judges.is_number(change):
            raise Wrong(f"{step!r}: {change!r} is not a step and a number.")
    changes = {int(step): float(change) for step, change in answer.items()}
    spoiled = planted(model, sentence, changes)
    row = errors(spoiled, [sentence], beam=BEAM).iloc[0]
    if row.fault == "right":
        raise Wrong(f"Beam {BEAM} still puts out the sentence: the change was too small.")
    if row.fault != "search error":
        scores = f"Gold scores {row.gold_score:.1f}, the output {row.score:.1f}"
        raise Wrong(f"{scores}: that is a {row.fault}.")
    wide = spoiled.order(bag_of(sentence), beam=WIDE)
    if wide.text != sentence.text:
        raise Wrong(
            f"Beam {BEAM} loses gold, which scores more than its output. But a beam of {WIDE:,} "
            f"ends with {wide.text!r}, which scores {wide.score:.1f} to gold's "
            f"{row.gold_score:.1f}: the model is wrong, too."
        )
    return (
        f"Beam {BEAM} is {row.gold_score - row.score:.1f} short of gold; a beam of {WIDE:,} ends "
        "with gold: the model wants it, and a narrow search cannot wait."
    )


@exercise("31.6", judge=_judge_planted, needs=("model", "sentence"))
def changes(model: LinearizationModel, sentence: Sentence) -> dict[int, float]:
    """Plant a search error: gold scores more than all others, and a narrow beam loses it.

    - What must happen at an early step for gold to be cut?
    - That alone makes gold worse than others: a model error. Who pays the points back?
    - Take as much from an early step as you give to a late one. A hundred points are many.

    Take from an early step what you give to a later one: gold scores what it scored before, and is
    cut before it gets its points back. Not every pair of steps will do, since other derivations
    look at the same weights; this tries all pairs.
    """
    return next(planted_errors(model, sentence))
