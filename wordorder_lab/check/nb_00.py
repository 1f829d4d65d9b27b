"""Notebook 00: what a bag is, what the model can do, what chance can do."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from math import factorial
from typing import Protocol

from wordorder_lab.check.exercise import Function, Wrong
from wordorder_lab.check.judges import COUNT, Case, exercise
from wordorder_lab.check.moments import Moment, order_lost
from wordorder_lab.check.small_world import problem_of
from wordorder_lab.experiments.runs.ordering_evaluate import random_order
from wordorder_lab.metrics.bleu import corpus_bleu
from wordorder_lab.structures.bag import WordBag, bag_of
from wordorder_lab.structures.result import Result
from wordorder_lab.structures.sentence import Sentence
from wordorder_lab.structures.typed_bag import parse_bag
from wordorder_lab.trace.log import EventLog
from wordorder_lab.transition.actions import apply_action, possible_actions
from wordorder_lab.transition.state import State

ROSE = ("a", "rose", "is", "a", "rose", "is", "a", "rose")  # the bag of exercise 00.1


class Orders(Protocol):
    """A model that orders bags."""

    def order(self, bag: WordBag | Sequence[str], *, trace: EventLog | None = None) -> Result:
        """The best order of a bag."""


def orders(units: Sequence[str]) -> int:
    """How many different sentences the SHIFTs of the transition system can make of a bag."""
    problem = problem_of(units)

    @cache
    def ways(bag: tuple[int, ...]) -> int:
        state = State(stack=(), bag=bag)
        shifted = [apply_action(state, a, problem).bag for a in possible_actions(state, problem)]
        return sum(map(ways, shifted)) if shifted else 1

    return ways(problem.counts)


def _orders() -> Iterator[Case]:
    same = "Here exchanging one rose for another gives the same sentence."
    every = (factorial(8), f"That is 8!, the number for eight different words. {same}")
    yield Case("", orders(ROSE), mistakes=[every])


@exercise("00.1", _orders, COUNT)
def answer() -> int:
    """How many different sentences can be made of the bag 'a rose is a rose is a rose'?

    - Eight different words would have 8! = 8 · 7 · ... · 1 orders. How many of these look the same
      here?
    - Exchange the three roses among themselves: 3! ways, one sentence. The same for a, is.

    Eight words have 8! orders. Exchanging one *rose* for another changes nothing, and there are 3!
    ways to do so; 3! for *a*, 2! for *is*. For the package equal units are one item with a count,
    so that a beam does not fill up with copies.

    Right: 560, and 40,320 if the eight words were all different.
    """
    return factorial(8) // (factorial(3) * factorial(3) * factorial(2))


def _judge_sentence(answer: object, model: Orders) -> str:
    bag = parse_bag(answer) if isinstance(answer, str) else WordBag(answer)  # type: ignore[arg-type]
    units = [" ".join(unit) for unit in bag.words]
    if len(units) < 5:
        raise Wrong(f"You gave {len(units)} units; five are the least.")
    log = EventLog()
    result = model.order(WordBag(units), trace=log)
    message = f"{result.text}   (score {result.score:.1f})"
    if result.words != units:
        where = Moment(log, order_lost(log, units), f"Where is “{' '.join(units)}” lost?")
        raise Wrong(f"The model says: {message}", where)
    return message


@exercise("00.2", judge=_judge_sentence, needs=("model",))
def my_sentence(model: Orders) -> list[str]:
    """Find a sentence of your own, five units or more, that the model orders as you meant it.

    - Write like the newspaper that the model has read, with words that it knows.
      print(train[0].text) shows one of its sentences.
    - Keep phrases whole, one string each, as in 'the board': fewer units, fewer orders.
    - Avoid two nouns that could change places. Who bought whom, the model cannot know.

    There are many. It helps to write like the newspaper that the model has read, and to leave no
    two phrases that could change places. This tries some, for the Gazette and for the Penn sample,
    and keeps the first that comes out right.
    """
    tries = [
        ["The company", "has", "increased", "spending", "this year", "."],
        ["The minister", "will", "resign", "on", "Wednesday", "."],
        ["The bank", "may", "increase", "spending", "this year", "."],
        ["The suspect", "was", "arrested", "in", "Atlanta", "on", "Wednesday", "."],
        ["The company", "said", "it", "will", "sell", "the unit", "."],
        ["He", "said", "the sale", "is", "complete", "."],
    ]
    return next(units for units in tries if model.order(units).words == units)


def _tried(rule: Function, sentence: Sentence) -> str:
    """The student's order of one bag, which must have the same units."""
    units = [" ".join(unit) for unit in bag_of(sentence).words]
    ordered = rule([*units])
    if ordered is None:
        raise Wrong("Your function returned None: the ordered list is wanted.")
    ordered = list(ordered)
    lost, new = Counter(units) - Counter(ordered), Counter(ordered) - Counter(units)
    if lost or new:
        what = [f"lost {unit!r}" for unit in list(lost)[:1]]
        what += [f"made {unit!r}" for unit in list(new)[:1]]
        raise Wrong(f"Every unit is used once: of a bag of {len(units)} you {' and '.join(what)}.")
    return " ".join(ordered)


def _judge_rule(rule: Function, sentences: Sequence[Sentence]) -> str:
    texts = [_tried(rule, sentence) for sentence in sentences]
    yours = corpus_bleu(texts, [sentence.text for sentence in sentences]).score
    chance = random_order(sentences).scores.bleu_cased
    scores = f"Your rule: {yours:.1f} BLEU. Random order: {chance:.1f}."
    if yours < chance + 1:
        raise Wrong(f"{scores} One point above chance is wanted.")
    return scores


@exercise("00.3", judge=_judge_rule, needs=("sentences",))
def my_order(units: list[str]) -> list[str]:
    """Write a rule that orders a bag better than chance, without learning anything.

    - What ends nearly all sentences, and how does the first word look? A beginning; but two places
      are not much, and BLEU counts neighbours everywhere.
    - Which units like to stand side by side? What comes behind of, in, for, to?
    - Make lists: prepositions, phrases (units with a space in them), the full stop, the rest.
      zip(prepositions, phrases) makes pairs as long as there are both.

    The full stop goes last and a capital letter first, but these are two places only, and BLEU
    counts neighbours everywhere. Which units like each other? A preposition stands before a noun
    phrase. Nobody knows which, and yet any phrase is better than none. (Compare the score with the
    table in section 6: how much of what the model has learned is just this?)
    """
    prepositions = {"of", "in", "for", "to", "by", "on", "at", "from", "with"}
    small = [unit for unit in units if unit in prepositions]
    phrases = [unit for unit in units if " " in unit and unit[0].islower()]
    stops = [unit for unit in units if unit == "."]
    rest = [unit for unit in units if unit not in {*small, *phrases, *stops}]
    pairs = list(zip(small, phrases))
    begin = sorted(rest, key=lambda unit: not unit[0].isupper())
    alone = phrases[len(pairs) :] + small[len(pairs) :]
    return begin + alone + [unit for pair in pairs for unit in pair] + stops
