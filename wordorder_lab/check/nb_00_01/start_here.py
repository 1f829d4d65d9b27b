"""The exercises of notebook 00: what a bag is, what the model can do, what chance can do."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cache
from math import factorial
from typing import Any

from wordorder_lab.check.common.exercise import Exercise, Wrong, function_of
from wordorder_lab.check.common.moments import Moment, order_lost
from wordorder_lab.check.common.workbench import problem_of
from wordorder_lab.experiments.runs.evaluate import random_order
from wordorder_lab.metrics.bleu import corpus_bleu
from wordorder_lab.structures.bag import WordBag, bag_of
from wordorder_lab.structures.sentence import Sentence
from wordorder_lab.structures.typed_bag import parse_bag
from wordorder_lab.trace.log import EventLog
from wordorder_lab.transition.actions import apply_action, possible_actions
from wordorder_lab.transition.state import State

ROSE = ("a", "rose", "is", "a", "rose", "is", "a", "rose")
"""The bag of exercise 00.1."""


def orders(units: Sequence[str]) -> int:
    """How many different sentences the SHIFTs of the transition system can make of a bag."""
    problem = problem_of(units)

    @cache
    def ways(bag: tuple[int, ...]) -> int:
        state = State(stack=(), bag=bag)
        shifted = [apply_action(state, a, problem).bag for a in possible_actions(state, problem)]
        return sum(map(ways, shifted)) if shifted else 1

    return ways(problem.counts)


def _judge_orders(answer: Any) -> str:
    if not isinstance(answer, int):
        raise Wrong(f"A whole number is wanted, not {answer!r}.")
    right = orders(ROSE)
    if answer == right:
        return f"{right}, and {factorial(len(ROSE)):,} if the eight words were all different."
    if answer == factorial(len(ROSE)):
        raise Wrong(
            "That is 8!, the number for eight different words. Here exchanging one rose for "
            "another gives the same sentence."
        )
    raise Wrong(f"There are {'more' if answer < right else 'fewer'} than {answer}.")


def _solve_orders() -> str:
    return (
        f"8! / (3! 3! 2!) = {orders(ROSE)}: three a, three rose and two is can each be "
        "exchanged among themselves. The package calls equal units one item, with a count."
    )


def _judge_sentence(units: Any, *, model: Any) -> str:
    units = parse_bag(units).words if isinstance(units, str) else WordBag(units).words
    units = [" ".join(unit) for unit in units]
    if len(units) < 5:
        raise Wrong(f"You gave {len(units)} units; five are the least.")
    log = EventLog()
    result = model.order(WordBag(units), trace=log)
    if result.words != units:
        where = Moment(log, order_lost(log, units), f"Where is “{' '.join(units)}” lost?")
        raise Wrong(f"The model says: {result.text}   (score {result.score:.1f})", where)
    return f"{result.text}   (score {result.score:.1f})"


TRIED = (
    "[The company] has increased spending [this year] .",
    "[The minister] will resign on Wednesday .",
    "[The bank] may increase spending [this year] .",
    "[The suspect] was arrested in Atlanta on Wednesday .",
    "[The company] said it will sell [the unit] .",
    "He said [the sale] is complete .",
)
"""Our own tries at exercise 00.2: four for the Gazette, then two for the Penn sample."""


def _solve_sentence(*, model: Any) -> str:
    right = []
    for line in TRIED:
        units = [" ".join(unit) for unit in parse_bag(line).words]
        if model.order(WordBag(units)).words == units:
            right.append(line)
    if not right:
        return "None of our own tries comes out right with this model either. Tell us yours."
    return "Many. Of our own tries these come out right:\n" + "\n".join(right)


def _judge_rule(answer: Any, *, sentences: Sequence[Sentence]) -> str:
    yours, chance = _bleu(function_of(answer, "my_order"), sentences)
    scores = f"Your rule: {yours:.1f} BLEU. Random order: {chance:.1f}."
    if yours < chance + 1:
        raise Wrong(f"{scores} One point above chance is wanted.")
    return scores


def _bleu(rule: Any, sentences: Sequence[Sentence]) -> tuple[float, float]:
    """BLEU of a rule, and of random order."""
    texts = [" ".join(_tried(rule, sentence)) for sentence in sentences]
    yours = corpus_bleu(texts, [sentence.text for sentence in sentences]).score
    return yours, random_order(sentences).scores.bleu_cased


def _tried(rule: Any, sentence: Sentence) -> list[str]:
    """The student's order of one bag, which must have the same units."""
    units = [" ".join(unit) for unit in bag_of(sentence).words]
    given = list(units)
    ordered = rule(units)
    if ordered is None:
        raise Wrong("Your function returned None: the ordered list is wanted.")
    ordered = list(ordered)
    if Counter(ordered) != Counter(given):
        lost, new = Counter(given) - Counter(ordered), Counter(ordered) - Counter(given)
        what = [f"lost {unit!r}" for unit in list(lost)[:1]]
        what += [f"made {unit!r}" for unit in list(new)[:1]]
        raise Wrong(f"Every unit is used once: of a bag of {len(given)} you {' and '.join(what)}.")
    return ordered


PREPOSITIONS = ("of", "in", "for", "to", "by", "on", "at", "from", "with")


def in_pairs(units: Sequence[str]) -> list[str]:
    """A rule without learning: a capital first, prepositions before phrases, the stop last."""
    small = [unit for unit in units if unit in PREPOSITIONS]
    phrases = [unit for unit in units if " " in unit and unit[0].islower()]
    stops = [unit for unit in units if unit == "."]
    rest = [unit for unit in units if unit not in {*small, *phrases, *stops}]
    pairs = list(zip(small, phrases))
    begin = sorted(rest, key=lambda unit: not unit[0].isupper())
    alone = phrases[len(pairs) :] + small[len(pairs) :]
    return begin + alone + [unit for pair in pairs for unit in pair] + stops


def _solve_rule(*, sentences: Sequence[Sentence]) -> str:
    yours, chance = _bleu(in_pairs, sentences)
    return (
        "What begins with a capital goes first, the full stop last; and as long as there are "
        "both, a preposition (of, in, for ...) is put right before a phrase (a unit with a space "
        f"in it). That gives {yours:.1f} BLEU; random order has {chance:.1f}. The code is in the "
        "notebook's file of solutions."
    )


EXERCISES = (
    Exercise(
        "00.1",
        "How many different sentences can be made of the bag 'a rose is a rose is a rose'?",
        (
            "Eight different words would have 8! = 8 · 7 · ... · 1 orders. How many of these look "
            "the same here?",
            "Exchange the three roses among themselves: 3! ways, one sentence. The same for a, is.",
        ),
        _judge_orders,
        _solve_orders,
    ),
    Exercise(
        "00.2",
        "Find a sentence of your own, five units or more, that the model orders as you meant it.",
        (
            "Write like the newspaper that the model has read, with words that it knows. "
            "print(train[0].text) shows one of its sentences.",
            "Keep phrases whole, one string each, as in 'the board': fewer units, fewer orders.",
            "Avoid two nouns that could change places. Who bought whom, the model cannot know.",
        ),
        _judge_sentence,
        _solve_sentence,
        needs=("model",),
    ),
    Exercise(
        "00.3",
        "Write a rule that orders a bag better than chance, without learning anything.",
        (
            "What ends nearly all sentences, and how does the first word look? A beginning; but "
            "two places are not much, and BLEU counts neighbours everywhere.",
            "Which units like to stand side by side? What comes behind of, in, for, to?",
            "Make lists: prepositions, phrases (units with a space in them), the full stop, the "
            "rest. zip(prepositions, phrases) makes pairs as long as there are both.",
        ),
        _judge_rule,
        _solve_rule,
        needs=("sentences",),
    ),
)
