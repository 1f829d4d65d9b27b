"""Exercises 30.1 to 30.3: a bigram by counting, the company of a word, Kneser-Ney by hand."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

from wordorder_lab.check.common.exercise import Exercise, Wrong, function_of, is_number

Text = list[list[str]]

START, END = "<s>", "</s>"
NEAR = 1e-9
DISCOUNT = 0.5

_BY_HAND = (
    ["the dog saw the dog", "the cat saw the dog"],
    ["San Francisco fell", "we left San Francisco", "we saw San Francisco", "the dog saw the cat"],
    ["a b a b", "b a", "a c"],
)


@cache
def _texts() -> tuple[Text, ...]:
    by_hand = [[line.split() for line in lines] for lines in _BY_HAND]
    return (*by_hand, *_drawn())


def _drawn() -> Iterator[Text]:
    chance = random.Random(30)
    for _ in range(12):
        lines = range(chance.randint(1, 4))
        yield [[chance.choice("abcd") for _ in range(chance.randint(1, 5))] for _ in lines]


def bigrams(text: Text) -> Counter[tuple[str, str]]:
    """How often each pair of neighbours is in a text, the marks of sentences among them."""
    return Counter(
        pair for words in text for pair in zip([START, *words], [*words, END], strict=True)
    )


def _copy(text: Text) -> Text:
    return [[*words] for words in text]


def _shown(text: Text) -> str:
    return " / ".join(" ".join(words) for words in text)


def _words_of(text: Text) -> tuple[list[str], list[str]]:
    """What may come, and what may come before it; one word of each is not in the text."""
    words = sorted({word for line in text for word in line})
    return [*words, END, "zebra"], [START, *words, "zebra"]


def _number_of(asked: str, function: Callable[..., Any], *arguments: Any) -> float:
    """What the student's function says. Raises ``Wrong`` where it is no number."""
    try:
        number = function(*arguments)
    except ZeroDivisionError:
        raise Wrong(
            f"{asked} you divide by zero. What if the word before is not in the text?"
        ) from None
    if not is_number(number):
        raise Wrong(f"{asked} a number is wanted, not {number!r}.")
    return float(number)


# --- 30.1: a bigram by counting -------------------------------------------------------------------


def share_of(word: str, before: str, text: Text) -> float:
    """Of what follows ``before``, the share that is ``word``; 0 where nothing does."""
    pairs = bigrams(text)
    followed = sum(count for (first, _), count in pairs.items() if first == before)
    return pairs[before, word] / followed if followed else 0.0


def _judge_share(answer: Any) -> str:
    share = function_of(answer, "share")
    asked = 0
    for text in _texts():
        for word in _words_of(text)[0]:
            for before in _words_of(text)[1]:
                where = f"For p({word} | {before}) in the text  {_shown(text)}"
                yours = _number_of(where, share, word, before, _copy(text))
                right = share_of(word, before, text)
                if abs(yours - right) > NEAR:
                    raise Wrong(f"{where}  it is {right:.3g}, not {yours:.3g}.")
                asked += 1
    return f"The same share for {asked:,} pairs, and 0 for most of them: that is the trouble."


def _solve_share() -> str:
    return (
        "def share(word, before, text):\n"
        "    pairs = Counter()\n"
        "    for words in text:\n"
        "        pairs.update(zip(['<s>', *words], [*words, '</s>']))\n"
        "    followed = sum(n for (first, _), n in pairs.items() if first == before)\n"
        "    return pairs[before, word] / followed if followed else 0\n"
        "Below the line stands how often something follows, the end of the sentence included."
    )


# --- 30.2: the company of a word ------------------------------------------------------------------


def company_of(word: str, text: Text) -> int:
    """How many different words, or the mark of the beginning, stand right before a word."""
    return sum(second == word for _, second in bigrams(text))


def _judge_company(answer: Any) -> str:
    company = function_of(answer, "company")
    for text in _texts():
        for word in _words_of(text)[0]:
            where = f"For {word} in the text  {_shown(text)}"
            yours = _number_of(where, company, word, _copy(text))
            right = company_of(word, text)
            if yours != right:
                raise Wrong(f"{where}  it is {right}, not {yours:g}.{_mixed_up(yours, word, text)}")
    return "Francisco has one companion, however often it comes."


def _mixed_up(yours: float, word: str, text: Text) -> str:
    pairs = bigrams(text)
    if yours == sum(count for (_, second), count in pairs.items() if second == word):
        return " You count how often the word comes: the same neighbour counts once."
    if yours == sum(first == word for first, _ in pairs):
        return " These are the words that follow it."
    if yours == sum(second == word and first != START for first, second in pairs):
        return " The beginning of a sentence is company, too."
    return ""


def _solve_company() -> str:
    return (
        "def company(word, text):\n"
        "    before = set()\n"
        "    for words in text:\n"
        "        pairs = zip(['<s>', *words], [*words, '</s>'])\n"
        "        before |= {first for first, second in pairs if second == word}\n"
        "    return len(before)\n"
        "A set, because the same neighbour counts once."
    )


# --- 30.3: interpolated Kneser-Ney ----------------------------------------------------------------


def kneser_ney(word: str, before: str, text: Text, discount: float) -> float:
    """The bigram by Kneser and Ney, interpolated, with one discount."""
    pairs = bigrams(text)
    low = company_of(word, text) / len(pairs)
    followers = {second: count for (first, second), count in pairs.items() if first == before}
    followed = sum(followers.values())
    if not followed:
        return low
    own = max(followers.get(word, 0) - discount, 0) / followed
    return own + discount * len(followers) / followed * low


def _judge_kneser_ney(answer: Any) -> str:
    probability = function_of(answer, "probability")
    for text in _texts():
        for before in _words_of(text)[1]:
            for word in _words_of(text)[0]:
                where = f"For p({word} | {before}) in the text  {_shown(text)}  with d = {DISCOUNT}"
                yours = _number_of(where, probability, word, before, _copy(text), DISCOUNT)
                right = kneser_ney(word, before, text, DISCOUNT)
                if abs(yours - right) > NEAR:
                    more = _other_smoothing(yours, word, before, text)
                    raise Wrong(f"{where}  it is {right:.4g}, not {yours:.4g}.{more}")
    return "All are right; after each word they add up to 1, and no word of the text has 0."


def _other_smoothing(yours: float, word: str, before: str, text: Text) -> str:
    pairs = bigrams(text)
    by_count = sum(count for (_, second), count in pairs.items() if second == word)
    low = company_of(word, text) / len(pairs)
    other = by_count / sum(pairs.values())
    right = kneser_ney(word, before, text, DISCOUNT)
    followers = [count for (first, _), count in pairs.items() if first == before]
    weight = DISCOUNT * len(followers) / sum(followers) if followers else 1.0
    if abs(yours - (right + weight * (other - low))) < NEAR:
        return " Below the bigram you have counts; Kneser and Ney have companies."
    if followers and abs(yours - (right - weight * low)) < NEAR:
        return " What was taken from the bigrams seen has to go somewhere."
    if not followers:
        return " Nothing is known of the word before: then the companies alone decide."
    return ""


def _solve_kneser_ney() -> str:
    return (
        "def probability(word, before, text, d):\n"
        "    pairs = Counter()\n"
        "    for words in text:\n"
        "        pairs.update(zip(['<s>', *words], [*words, '</s>']))\n"
        "    low = sum(second == word for _, second in pairs) / len(pairs)\n"
        "    follow = [n for (first, _), n in pairs.items() if first == before]\n"
        "    if not follow:\n"
        "        return low\n"
        "    own = max(pairs[before, word] - d, 0) / sum(follow)\n"
        "    return own + d * len(follow) / sum(follow) * low\n"
        "Every follower gave d away, so d times their number is what low shares out."
    )


EXERCISES = (
    Exercise(
        "30.1",
        "Write the probability of a word after another one, by counting.",
        (
            "Put <s> before each sentence and </s> behind it, and count all pairs of neighbours.",
            "Above the line: how often the two stand together. Below: how often anything follows.",
            "A word that is not in the text has nothing behind it: say 0.",
        ),
        _judge_share,
        _solve_share,
    ),
    Exercise(
        "30.2",
        "Write in how many different words' company a word comes.",
        (
            "Collect what stands right before the word, each neighbour once.",
            "A set does that. At the beginning of a sentence the neighbour is <s>.",
        ),
        _judge_company,
        _solve_company,
    ),
    Exercise(
        "30.3",
        "Write the bigram of Kneser and Ney, with one discount.",
        (
            "Two terms: what the pair has left after the discount, and what was taken, shared out.",
            "Taken after this word: d for each different follower. As a share: divide by how often "
            "anything follows.",
            "It is shared out by company: that of the word, divided by that of all words together, "
            "which is the number of different pairs.",
        ),
        _judge_kneser_ney,
        _solve_kneser_ney,
    ),
)
