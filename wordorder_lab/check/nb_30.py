"""Notebook 30, language models: its exercises, and what it measures."""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from itertools import combinations, permutations, product
from statistics import mean
from typing import Any

from wordorder_lab.analysis.gold_score import MODEL, RIGHT, SEARCH, TIE
from wordorder_lab.check.exercise import Function, Wrong
from wordorder_lab.check.judges import WHOLE, Case, Number, Truth, Wanted, exercise
from wordorder_lab.experiments.runs.ordering_evaluate import Evaluation
from wordorder_lab.exploring.explore import errors
from wordorder_lab.metrics.significance import paired_bootstrap
from wordorder_lab.models.ngram import START_ID, NGramModel
from wordorder_lab.structures.bag import bag_of
from wordorder_lab.structures.sentence import Sentence
from wordorder_lab.systems.ngram_beam import NGramOrderer

SHORTEST = 10  # words of a sentence that is cut into fifths, at least
PARTS = 5


def mean_cost(model: NGramModel, lines: Sequence[str]) -> list[float]:
    """The mean log p(word | nothing) in each fifth of lines that are long enough, without ends."""
    costs: list[list[float]] = [[] for _ in range(PARTS)]
    for words in [line.split() for line in lines]:
        for place, word in enumerate(words[:-1] if len(words) >= SHORTEST else ()):
            part = PARTS * place // (len(words) - 1)
            costs[part].append(model.log_prob((), model.word_id(word)))
    return [mean(some or [0.0]) for some in costs]


def saved_by_future_cost(
    model: NGramOrderer, sentences: Sequence[Sentence], beam: int
) -> list[Sentence]:
    """Sentences that come out right with a guess at the rest, and not without."""

    def is_right(one: Sentence, **search: Any) -> bool:
        return model.order(bag_of(one, pos=0), beam=beam, **search).text == one.text

    return [one for one in sentences if is_right(one) and not is_right(one, future_cost=False)]


def fault_counts(
    model: NGramOrderer, sentences: Sequence[Sentence], **search: Any
) -> dict[str, float]:
    """How many outputs are right, search errors, model errors or ties, and their mean log p."""
    frame = errors(model, sentences, pos=0, **search)
    faults = Counter(frame["fault"])
    return {
        "right": faults[RIGHT],
        "search error": faults[SEARCH],
        "model error or tie": faults[MODEL] + faults[TIE],
        "mean log p": float(frame["score"].mean()),
    }


def beside(baseline: Evaluation, system: Evaluation) -> tuple[float, float]:
    """By how many points of BLEU the second is better, and p of the paired bootstrap."""
    compared = paired_bootstrap(baseline.outputs, system.outputs, system.references)
    return compared.difference, compared.p_value


# --- minimal pairs: does a model see the subject from where the verb stands? ----------------------

FILLERS = (
    "",
    "also",
    "in Brazil",
    "at the hotel",
    "who denied the rumor",
    "in the region and Brazil",
)
"""What stands between subject and verb: none, one, two ... five words."""

FEWEST, LETTERS = 5, 4
"""How often each of two forms is in the text; shorter words are mostly no nouns."""


def noun_pairs(words: Mapping[str, int]) -> list[tuple[str, str]]:
    """Words of a text that are there with and without an -s, such as exporter and exporters."""
    return [
        (word, f"{word}s")
        for word, count in sorted(words.items())
        if word.isalpha() and word.islower() and len(word) >= LETTERS
        if min(count, words.get(f"{word}s", 0)) >= FEWEST
    ]


def subject_counts(model: NGramModel, pairs: Sequence[tuple[str, str]]) -> list[float]:
    """By how much the subject changes what the model thinks of *has* against *have*.

    For each of the ``FILLERS``, the mean over the pairs of nouns of

        log p(has | The exporter ...) / p(have | The exporter ...)
          - log p(has | The exporters ...) / p(have | The exporters ...)

    It is 0 where the model cannot see the subject. Raises ``ValueError`` without pairs.
    """
    if not pairs:
        raise ValueError("there are no pairs of nouns: give at least one")

    def has_over_have(subject: str, filler: str) -> float:
        words = f"The {subject} {filler}".split()
        context = [START_ID, *(model.word_id(word) for word in words)]
        has, have = (model.log_prob(context, model.word_id(verb)) for verb in ("has", "have"))
        return has - have

    return [
        sum(has_over_have(one, filler) - has_over_have(two, filler) for one, two in pairs)
        / len(pairs)
        for filler in FILLERS
    ]


SINGULAR = {"has": "have", "is": "are", "was": "were"}
OTHER = SINGULAR | {many: one for one, many in SINGULAR.items()}
"""Forms of verbs that show the number of their subject, and the form of the other number."""
NOMINAL = ("NP", "NN", "PRP")  # how the tags of subjects begin


def agreement(model: NGramModel, sentences: Sequence[Sentence]) -> list[dict[str, object]]:
    """How often a sentence is likelier than the same with the verb in the other number.

    A row for verbs right behind their subject, the nearest noun phrase on the left that depends on
    them, and one for others. Of plural verbs also how often the model has read the word before too.
    """
    found: defaultdict[tuple[bool, str], list[bool]] = defaultdict(list)
    for sentence in sentences:
        words = list(sentence.surface)
        for place, far in _verbs(sentence):
            turned = [*words[:place], OTHER[words[place]], *words[place + 1 :]]
            number = "singular" if words[place] in SINGULAR else "plural"
            found[far, number].append(model.score(words) > model.score(turned))
            pair = tuple(map(model.word_id, words[place - 1 : place + 1]))
            found[far, f"{number} read"].append(model.known_end(pair) == pair)
    rows = []
    for far, name in ((False, "none"), (True, "one or more")):
        row: dict[str, object] = {"words between": name}
        for number in ("singular", "plural"):
            judged = found[far, number]
            row |= {f"{number}: verbs": len(judged), f"{number}: right": _share(judged)}
        rows.append({**row, "plural: pair was read": _share(found[far, "plural read"])})
    return rows


def _share(judged: Sequence[bool]) -> float | None:
    return sum(judged) / len(judged) if judged else None


def _verbs(sentence: Sentence) -> Iterator[tuple[int, bool]]:
    """The place of each such verb among the words, and whether its subject is further away."""
    ends = [0]
    for unit in sentence:
        ends.append(ends[-1] + len(unit.words))
    for verb, unit in enumerate(sentence):
        left = [i for i in range(verb) if sentence.tokens[i].head == verb]
        subjects = [i for i in left if sentence.tokens[i].pos.startswith(NOMINAL)]
        if len(unit.words) == 1 and unit.words[0] in OTHER and subjects:
            yield ends[verb], subjects[-1] + 1 < verb


# --- exercises ------------------------------------------------------------------------------------

Text = list[list[str]]
DISCOUNT = 0.5


@cache
def _texts() -> tuple[Text, ...]:
    by_hand = (
        "the dog saw the dog / the cat saw the dog",
        "San Francisco fell / we left San Francisco / we saw San Francisco / the dog saw the cat",
        "a b a b / b a / a c",
    )
    texts = [[line.split() for line in text.split(" / ")] for text in by_hand]
    rng = random.Random(30)
    for _ in range(12):
        lines = range(rng.randint(1, 4))
        texts.append([[rng.choice("abcd") for _ in range(rng.randint(1, 5))] for _ in lines])
    return tuple(texts)


def bigrams(text: Text) -> Counter[tuple[str, str]]:
    """How often each pair of neighbours is in a text, the marks of sentences among them."""
    pairs: Counter[tuple[str, str]] = Counter()
    for words in text:
        pairs.update(zip(["<s>", *words], [*words, "</s>"]))
    return pairs


def _asked() -> Iterator[tuple[str, str, Text, str]]:
    """What may come, what may come before it, a text; one word of each is not in the text."""
    for text in _texts():
        words = sorted({word for line in text for word in line})
        shown = " / ".join(" ".join(line) for line in text)
        for word in (*words, "</s>", "zebra"):
            for before in ("<s>", *words, "zebra"):
                yield word, before, text, f"For p({word} | {before}) in the text  {shown}"


def _shares() -> Iterator[Case]:
    for word, before, text, about in _asked():
        yield Case(about, share(word, before, text), (word, before, text))


UNREAD = "What if the word before is not in the text?"


@exercise("30.1", _shares, Number(form=".3g", divides=UNREAD), helpers=(bigrams,))
def share(word: str, before: str, text: Text) -> float:
    """Write the probability of a word after another one, by counting.

    - Put <s> before each sentence and </s> behind it, and count all pairs of neighbours.
    - Above the line: how often the two stand together. Below: how often anything follows.
    - A word that is not in the text has nothing behind it: say 0.

    The end of a sentence is something that follows, too: without it the shares would not add up to
    1.

    Right: The same share for {count:,} pairs, and 0 for most of them: that is the trouble.
    """
    pairs = bigrams(text)
    followed = sum(n for (first, _), n in pairs.items() if first == before)
    return pairs[before, word] / followed if followed else 0


def _companies() -> Iterator[Case]:
    for word, before, text, about in _asked():
        if before != "<s>":  # once a word
            continue
        pairs = bigrams(text)
        often = sum(count for (_, second), count in pairs.items() if second == word)
        behind = sum(first == word for first, _ in pairs)
        unmarked = sum(second == word and first != "<s>" for first, second in pairs)
        mistakes = (
            (often, "You count how often the word comes: the same neighbour counts once."),
            (behind, "These are the words that follow it."),
            (unmarked, "The beginning of a sentence is company, too."),
        )
        about = f"The company of {word} in the text{about.partition('in the text')[2]}"
        yield Case(about, company_size(word, text), (word, text), mistakes)


@exercise("30.2", _companies, WHOLE, helpers=(bigrams,))
def company_size(word: str, text: Text) -> int:
    """Write in how many different words' company a word comes.

    - Collect what stands right before the word, each neighbour once.
    - A set does that. At the beginning of a sentence the neighbour is <s>.

    Different pairs are counted, not occurrences.

    Right: Francisco has one companion, however often it comes.
    """
    return sum(second == word for _, second in bigrams(text))


def _smoothed() -> Iterator[Case]:
    for word, before, text, about in _asked():
        pairs, right = bigrams(text), probability(word, before, text, DISCOUNT)
        low = company_size(word, text) / len(pairs)
        by_count = sum(n for (_, second), n in pairs.items() if second == word) / pairs.total()
        followers = [n for (first, _), n in pairs.items() if first == before]
        weight = DISCOUNT * len(followers) / sum(followers) if followers else 1.0
        counts = "Below the bigram you have counts; Kneser and Ney have companies."
        lost = "What was taken from the bigrams seen has to go somewhere."
        mistakes: list[tuple[object, str]] = [(right + weight * (by_count - low), counts)]
        if followers:
            mistakes.append((right - weight * low, lost))
        else:
            nothing = "Nothing is known of the word before: then the companies alone decide."
            mistakes.append((..., nothing))
        about = f"{about}  with d = {DISCOUNT}"
        yield Case(about, right, (word, before, text, DISCOUNT), mistakes)


@exercise("30.3", _smoothed, Number(divides=UNREAD), helpers=(bigrams,))
def probability(word: str, before: str, text: Text, d: float) -> float:
    """Write the bigram of Kneser and Ney, with one discount.

    - Two terms: what the pair has left after the discount, and what was taken, shared out.
    - Taken after this word: d for each different follower. As a share: divide by how often anything
      follows.
    - It is shared out by company: that of the word, divided by that of all words together, which is
      the number of different pairs.

    What the followers gave away is shared out by company. So after every word all probabilities add
    up to 1, and each word of the text has one.

    Right: All are right; after each word they add up to 1, and no word of the text has 0.
    """
    pairs = bigrams(text)
    low = sum(second == word for _, second in pairs) / len(pairs)
    followers = [n for (first, _), n in pairs.items() if first == before]
    if not followers:
        return low
    own = max(pairs[before, word] - d, 0) / sum(followers)
    return own + d * len(followers) / sum(followers) * low


COSTS = {"the": -1.5, "of": -2.0, "closed": -6.0, "harbour": -7.0}
"""log p(word | nothing) of the four words of the bag."""
BEAM = 2
_BEGINNINGS = {
    "A": ("the of", -6.0),
    "B": ("the harbour", -7.5),
    "C": ("harbour of", -10.5),
    "D": ("of the", -4.8),
    "E": ("harbour closed", -11.0),
}


def _left_over(begins: str) -> list[str]:
    return [word for word in COSTS if word not in begins.split()]


def _hypothesis(name: str, begins: str, score: float) -> dict[str, object]:
    left = " and ".join(f"{word} ({COSTS[word]})" for word in _left_over(begins))
    return {"name": name, "begins": begins, "score": score, "left over": left}


HYPOTHESES = tuple(_hypothesis(name, *of) for name, of in _BEGINNINGS.items())


def totals(future_cost: bool) -> dict[str, float]:
    """What each hypothesis is ranked by, the best one first."""
    ranked = {
        name: score + future_cost * sum(COSTS[word] for word in _left_over(begins))
        for name, (begins, score) in _BEGINNINGS.items()
    }
    return dict(sorted(ranked.items(), key=lambda one: -one[1]))


_BEAMS = [Case(f"{how} future cost", totals(how == "With")) for how in ("Without", "With")]


class _Best(Wanted[set[str]]):
    def read(self, value: object) -> set[str]:
        if not isinstance(value, str | set | frozenset | tuple | list):
            raise Wrong(f"a set of two names is wanted, not {value!r}.")
        if len(yours := {*value}) != BEAM or not yours <= _BEGINNINGS.keys():
            raise Wrong(f"two of {', '.join(_BEGINNINGS)} are wanted.")
        return yours

    def same(self, yours: set[str], right: dict[str, float]) -> bool:
        return yours == {*[*right][:BEAM]}

    def miss(self, yours: set[str], right: dict[str, float]) -> str:
        best = {*[*right][:BEAM]}
        name = min(yours - best)
        return f"{name} stands at {right[name]:.1f}, and {min(best - yours)} is better"


@exercise("30.4", _BEAMS, _Best())
def beams() -> tuple[set[str], set[str]]:
    """Which two hypotheses does a beam keep, without and with future cost?

    - Without: the two highest scores. All are below 0, so the highest are nearest to 0.
    - With: add to each score the costs of the words that are left over.

    By scores D (-4.8) and A (-6.0), which have used up *the* and *of*. With future cost E (-14.5)
    and B (-15.5): what they have paid, the others still have to pay.

    Right: By scores alone the cheap words come first, and what is dear stays for the end.
    """
    return ({"A", "D"}, {"B", "E"})


def _beginnings() -> Iterator[Case]:
    for order, length in product((1, 2, 3, 4), repeat=2):
        for one, two in product(map(list, permutations("abcd", length)), repeat=2):
            right = same_future(one, two, order)
            why = f"The next word is asked after {order - 1} words, and these differ."
            if right:
                why = "The same is left over, and the model sees no difference."
            elif Counter(one) != Counter(two):
                why = "Different words are left over."
            about = f"'{' '.join(one)}' and '{' '.join(two)}' and order {order}"
            yield Case(about, right, (one, two, order), [(not right, why)])


MAY = Truth("they may not be recombined", "they may be recombined")


@exercise("30.5", _beginnings, MAY)
def same_future(one: list[str], two: list[str], order: int) -> bool:
    """Write when two hypotheses may be recombined.

    - What decides what may follow, and what it is worth? Two things.
    - The words left over: two beginnings of one bag leave the same if they have the same.
    - And the last order - 1 words. Mind order 1: one[-0:] is the whole list.

    The same words are left over, and the model sees the same last words. With order 1 it sees none:
    `one[-0:]` would be all of them.

    Right: The same for {count:,} pairs.
    """
    first = max(0, len(one) - (order - 1))
    return sorted(one) == sorted(two) and one[first:] == two[first:]


class TooManyAsked(Exception):
    """The search has asked for more probabilities than there should be need for."""


class Table:
    """Log probabilities of pairs by chance: whole numbers, whose sums are exact in any order.

    Raises ``TooManyAsked`` beyond ``most`` questions.
    """

    def __init__(self, words: Sequence[str], seed: int, most: int) -> None:
        rng = random.Random(seed)
        ends = sorted({*words, "<s>", "</s>"})
        self.pairs = {(one, other): -rng.randint(1, 40) for one in ends for other in ends}
        self.most, self.asked = most, 0

    def __call__(self, before: str, word: str) -> int:
        self.asked += 1
        if self.asked > self.most:
            raise TooManyAsked
        return self.pairs[before, word]

    def score(self, order: Sequence[str]) -> int:
        """The score of a sentence, with its beginning and its end."""
        return sum(self.pairs[pair] for pair in zip(("<s>", *order), (*order, "</s>")))

    def without_end(self, order: Sequence[str]) -> int:
        """The same if nothing comes after the last word."""
        return self.score(order) - self.pairs[order[-1], "</s>"]


WORDS = ("IBM", "bought", "Lotus", "in", "the", "spring", "for", "much", "money")
MOST_ASKED = 100_000
"""Held and Karp ask about ten thousand times for nine words; all orders ask 3.6 million times."""


def _judge_best(function: Function) -> str:
    small = [(WORDS[seed % 4 : seed % 4 + 1 + seed % 5], seed) for seed in range(12)]
    for words, seed in (*small, (WORDS, 30)):
        table = Table(words, seed, MOST_ASKED)
        try:
            yours = function([*words], table)
        except TooManyAsked:
            raise Wrong(
                f"For {len(words)} words it asks log_prob more than {MOST_ASKED:,} times: it goes "
                "through one order after the other. What can two beginnings share?"
            ) from None
        if not isinstance(yours, tuple | list) or sorted(yours) != sorted(words):
            raise Wrong(f"An order of {list(words)} is wanted, not {yours!r}.")
        asked, score = table.asked, table.score(yours)
        best = table.score(best_order([*words], Table(words, seed, MOST_ASKED)))
        if score != best:
            beginning = table.without_end
            forgets = len(words) < 7 and beginning(yours) == max(
                map(beginning, permutations(words))
            )
            more = " It forgets the end." if forgets else ""
            raise Wrong(f"For {list(words)} your order scores {score}; the best one {best}.{more}")
    return f"The best of 362,880 orders, for {asked:,} looks at the model."


@exercise("30.6", judge=_judge_best)
def best_order(words: list[str], log_prob: Callable[[str, str], float]) -> list[str]:
    """Write a search that finds the best order for certain, for a bigram model.

    - First write it for three words: try all orders. That is right, and too slow for nine.
    - A bigram sees one word back. Which beginnings can nothing that follows tell apart?
    - Keep, for each set of words and each last word, the best beginning. Go from sets of one word
      to larger ones; at the end add log_prob(last, '</s>').

    Held and Karp: for each set of words and each last word one beginning goes on, the best. It is
    the recombination of 30.5, with a beam so wide that nothing is cut.
    """
    best = {(frozenset([word]), word): (log_prob("<s>", word), [word]) for word in words}
    for size in range(2, len(words) + 1):
        for some in map(frozenset, combinations(words, size)):
            for last in some:
                rest = some - {last}
                ways = [(*best[rest, end], log_prob(end, last)) for end in rest]
                score, order, more = max(ways, key=lambda way: way[0] + way[2])
                best[some, last] = (score + more, [*order, last])
    whole = frozenset(words)
    ends = [(best[whole, last][0] + log_prob(last, "</s>"), last) for last in words]
    return best[whole, max(ends)[1]][1]


FAR = tuple(
    dict(zip(("sentence", "subject", "verb"), row, strict=True))
    for row in (
        ("The exporters have apologized .", "exporters", "have"),
        ("The exporters also have a plan .", "exporters", "have"),
        ("The exporters near the harbour have apologized .", "exporters", "have"),
        ("The exporter who met the ministers has apologized .", "exporter", "has"),
        ("Clues that the young detective had found have led to an arrest .", "Clues", "have"),
    )
)
"""Sentences whose verb agrees with a subject further and further away."""


def _orders() -> Iterator[Case]:
    for row in FAR:
        words = row["sentence"].split()
        right = words.index(row["verb"]) - words.index(row["subject"]) + 1
        ends = (right - 1, "An n-gram has the verb, too: count both ends.")
        between = (right - 2, "That many stand between them: count both ends, too.")
        yield Case(f"The order for '{row['sentence']}'", right, mistakes=(ends, between))


@exercise("30.7", _orders, WHOLE)
def orders() -> list[int]:
    """Which order must a model have to see the subject from where the verb stands?

    - A bigram sees the word right before. With nothing in between, 2 is enough.
    - Count from the noun to the verb, both ends included.

    Both ends count. The last sentence needs eight words in view, the one before it six.

    Right: A 5-gram sees three of the five subjects; a tree has each of them one arc away.
    """
    return [2, 3, 5, 6, 8]
