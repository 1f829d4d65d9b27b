"""How many categories words have: by the dictionary, by a supertagger, and where beta cuts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from wordorder_lab.plots.step_by_step import StepByStep, step_by_step
from wordorder_lab.plots.tables import table
from wordorder_lab.structures.bag import WordBag, bag_of, places
from wordorder_lab.structures.category import Category
from wordorder_lab.structures.sentence import Sentence
from wordorder_lab.systems.supertagger import Supertagger, Tagged

STEPS = {"1": 1, "2": 2, "3 or 4": 4, "5 to 8": 8, "9 to 16": 16, "17 or more": 10**6}
"""How numbers of categories are put together in a histogram: each name with its highest number."""
BETWEEN = " · "
MOST = 6
"""Of the categories that a cut takes away, so many are shown."""


def of_dictionary(tagger: Supertagger, sentence: Sentence) -> list[Sequence[Category]]:
    """For each token the categories that its word, or else its tag, was seen with."""
    return [tagger.dictionary.lookup(token.words, token.pos) for token in sentence]


def histogram(numbers: Iterable[int]) -> dict[str, int]:
    """How many words have so many categories, by the names of ``STEPS``."""
    counts = Counter(next(name for name, top in STEPS.items() if n <= top) for n in numbers)
    return {name: counts[name] for name in STEPS}


def cut_by_beta(tagger: Supertagger, sentence: Sentence, betas: Sequence[float]) -> StepByStep:
    """A stop for each beta: the words of a sentence, what they keep, and what is cut."""
    every = tagger.tag(sentence, beta=0)
    pages: dict[str, tuple[str, Any]] = {}
    for beta in betas:
        kept = tagger.tag(sentence, beta=beta)
        rows = [_row(token.form, *pair) for token, pair in zip(sentence, zip(kept, every))]
        mean = sum(map(len, kept)) / len(kept)
        says = f"{mean:.1f} categories a word are left; of those cut, the {MOST} best are shown"
        pages[f"β = {beta:g}"] = says, table(rows)
    return step_by_step(pages, "Categories of each word, by beta", first=len(betas) - 1)


def _row(form: str, kept: Tagged, every: Tagged) -> dict[str, str]:
    gone = [f"{category} {chance:.2g}" for category, chance in every[len(kept) :]]
    more = f" and {len(gone) - MOST} more" if len(gone) > MOST else ""
    return {
        "word": form,
        "kept": BETWEEN.join(f"{category} {chance:.2g}" for category, chance in kept),
        "cut": BETWEEN.join(gone[:MOST]) + more,
    }


def bag_with_chances(sentence: Sentence, tagger: Supertagger, beta: float) -> WordBag:
    """The bag of a sentence whose words have the supertagger's categories with probabilities.

    The sentence is read in its true order and scrambled afterwards. Raises ``ValueError`` for a
    beta that is not from 0 to 1.
    """
    bag, place = bag_of(sentence), places(sentence, 1)
    lists: list[Mapping[str, float]] = [{}] * len(bag)
    for unit, of_word in zip(place, tagger.tag(sentence, beta=beta), strict=True):
        lists[unit] = {str(category): chance for category, chance in of_word}
    return WordBag(bag.words, bag.pos, categories=lists)
