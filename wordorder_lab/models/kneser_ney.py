"""Learning an n-gram model: interpolated modified Kneser-Ney smoothing, Chen & Goodman 1998.

From their section 3, for a word w after a context h (h' is h without its first word):

    p(w | h) = (c(h w) - D(c(h w))) / sum_v c(h v)  +  g(h) p(w | h')
    g(h)     = (D1 N1(h) + D2 N2(h) + D3+ N3+(h)) / sum_v c(h v)

where N1(h) words follow h exactly once, and so on. In the highest order c is how often the n-gram
stands in the text. Below it c is in how many different words' company it stands: how many
different words come right before it ("Francisco" is frequent, but follows "San" only). Below the
1-grams stands the uniform distribution over all words, the end of a sentence and ``<unk>``.

The discounts of an order, from how many of its n-grams have c = 1, 2, 3, 4 (n1 to n4):

    Y = n1 / (n1 + 2 n2)    D1 = 1 - 2Y n2/n1    D2 = 2 - 3Y n3/n2    D3+ = 3 - 4Y n4/n3

Differences
- *Paper silent*: a small text may have no n-gram with one of these counts, or give a discount that
  is not above 0; then that order has the discounts 0.5, 1 and 1.5.
- *Our reading*: a sentence begins with one ``<s>``, as in SRILM. N-grams have no more than one, and
  one that begins with it keeps the count of the text in every order. ``<s>`` is never predicted, so
  n-grams that end in it have no count.
- *Our reading*: ``<unk>`` stands for the words with fewer than ``min_count`` occurrences; with the
  default of 1 there are none, and it has its share of the uniform distribution alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from wordorder_lab.models.ngram import (
    END_ID,
    MARKS,
    NEVER,
    START_ID,
    UNKNOWN_ID,
    Discounts,
    NGramModel,
    distinct,
    trie,
)
from wordorder_lab.structures.messages import MOST_ORDER, check_most

SMALL_TEXT = Discounts(0.5, 1.0, 1.5, closed_form=False)
"""The discounts where the closed form has none."""


def estimate_ngrams(
    sentences: Iterable[Sequence[str]], order: int = 3, *, min_count: int = 1
) -> NGramModel:
    """An n-gram model of ``sentences``, each a sequence of words, smoothed as by Kneser and Ney.

    ``model.log_prob(context, word)`` is the natural logarithm of p(word | context), both as ids
    (``model.word_id``); ``model.score(words)`` that of a whole sentence. ``order`` is the length of
    the longest n-grams in words, 3 for trigrams. ``min_count`` is how often a word must be there
    at least; others become ``<unk>``. Modified and interpolated, after Chen and Goodman (1998).
    What Cohn & Lapata (2009, section 4) take as a feature is a model of order 3. Raises
    ``ValueError`` for an order or ``min_count`` below 1, for a sentence that is a string, and if
    there is no sentence.

    >>> bigrams = estimate_ngrams([["the", "car", "stopped"], ["the", "car", "left"]], 2)
    >>> bigrams.score(["the", "car", "left"]) > bigrams.score(["car", "the", "left"])
    True
    """
    if order < 1:
        raise ValueError(f"the order ({order}) is at least 1: 3 for trigrams")
    check_most("n-grams of the order", order, MOST_ORDER)
    if min_count < 1:
        raise ValueError(f"min_count ({min_count}) is at least 1: 1 keeps every word")
    vocabulary, text = _numbered(sentences, order, min_count)
    windows = np.lib.stride_tricks.sliding_window_view(text, order)
    levels = _levels(windows[text[order - 1 :] != START_ID], len(vocabulary))
    return _smoothed(vocabulary, levels)


def _numbered(
    sentences: Iterable[Sequence[str]], order: int, min_count: int
) -> tuple[tuple[str, ...], np.ndarray]:
    """The vocabulary, and the text as one array of ids with the marks between sentences."""
    pads = [START_ID] * (order - 1)
    # Words that look like marks are unknown; the others are numbered as they come.
    seen = dict.fromkeys(MARKS, UNKNOWN_ID)
    text: list[int] = []
    for place, sentence in enumerate(sentences, 1):
        if isinstance(sentence, str):
            raise ValueError(f"sentence {place} is a string: split it into words")
        text += pads
        text += [seen.setdefault(word, len(seen)) for word in sentence]
        text.append(END_ID)
    if not text:
        raise ValueError("an n-gram model is learned from text: give at least one sentence")
    counts = np.bincount(text, minlength=len(seen))
    known = sorted(
        w for w, number in seen.items() if w not in MARKS and counts[number] >= min_count
    )
    vocabulary = (*MARKS, *known)
    final = np.full(len(seen), UNKNOWN_ID)
    final[[START_ID, END_ID]] = START_ID, END_ID
    final[[seen[word] for word in known]] = np.arange(len(MARKS), len(vocabulary))
    return vocabulary, final[np.array(text)]


# --- counting -----------------------------------------------------------------------------------


class Level(NamedTuple):
    """The n-grams of one length: ascending ``rows`` of word ids, and their ``counts`` c.
    ``shorter[i]``: row i without its first word is that row of the level below (0 for a 1-gram)."""

    rows: np.ndarray
    counts: np.ndarray
    shorter: np.ndarray


def _levels(occurrences: np.ndarray, size: int) -> list[Level]:
    """The n-grams of every length, the shortest first, from each occurrence of the longest."""
    order = occurrences.shape[1]
    every = np.arange(size)[:, None]
    rows, at = distinct(occurrences, every if order == 1 else occurrences[:0])
    counts = np.bincount(at, minlength=len(rows))
    levels = []
    for length in range(order - 1, 0, -1):
        lower, shorter = distinct(rows[:, 1:], every if length == 1 else rows[:0, 1:])
        once = rows[:, 1] != START_ID  # of the marks before a sentence, n-grams have one
        kept = lower[:, 1] != START_ID if length > 1 else np.full(size, True)
        places = np.cumsum(kept) - 1  # where the rows go that are kept of the level below
        levels.append(Level(rows[once], counts[once], places[shorter[once]]))
        company = np.bincount(shorter, minlength=len(lower))
        company[shorter[~once]] = counts[~once]  # only <s> comes before <s>: the text's own count
        rows, counts = lower, company
    levels.append(Level(rows, counts, np.zeros(size, np.int64)))
    return levels[::-1]


def _discounts(counts: np.ndarray) -> Discounts:
    n1, n2, n3, n4 = np.bincount(np.minimum(counts, 5), minlength=5)[1:5].tolist()
    if not (n1 and n2 and n3 and n4):
        return SMALL_TEXT
    y = n1 / (n1 + 2 * n2)
    one, two, more = 1 - 2 * y * n2 / n1, 2 - 3 * y * n3 / n2, 3 - 4 * y * n4 / n3
    return Discounts(one, two, more, True) if min(one, two, more) > 0 else SMALL_TEXT


# --- probabilities ------------------------------------------------------------------------------


def _smoothed(vocabulary: tuple[str, ...], levels: Sequence[Level]) -> NGramModel:
    """Probabilities from the 1-grams up."""
    keys, contexts = trie([level.rows for level in levels], len(vocabulary))
    probs = np.full(1, 1 / (len(vocabulary) - 1))  # uniform over all but <s>
    log_probs, back_offs, discounts = [], [], []
    for level, above in zip(levels, contexts):
        discounts.append(_discounts(level.counts))
        probs, back_off = _interpolated(level, above, discounts[-1], probs)
        log_probs.append(np.where(level.rows[:, -1] == START_ID, NEVER, np.log(probs)))
        back_offs.append(np.log(back_off))
    return NGramModel(
        vocabulary,
        tuple(len(level.rows) for level in levels),
        keys,
        np.concatenate(log_probs),
        np.concatenate([np.empty(0), *back_offs[1:]]),  # the first is that of the empty context
        tuple(discounts),
    )


def _interpolated(
    level: Level, contexts: np.ndarray, discounts: Discounts, below: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """p(w | h) of each n-gram of a level; g(h) of each of the level below, 1 where nothing follows.
    ``contexts``: which of the level below h is. ``below``: the probabilities of that level."""
    contexts = contexts.astype(np.intp)  # what bincount takes: 32 bits in a browser
    kinds = np.minimum(level.counts, 3)
    mass = np.zeros(len(below))
    for kind, discount in enumerate(discounts[:3], 1):
        mass += discount * np.bincount(contexts[kinds == kind], minlength=len(below))
    total = np.bincount(contexts, weights=level.counts, minlength=len(below))
    followed = total > 0
    back_off = np.ones(len(below))
    back_off[followed] = mass[followed] / total[followed]
    taken = np.array([0.0, *discounts[:3]])[kinds]
    # The maximum is for <s> alone, which no context counts; its probability is not used.
    own = (level.counts - taken) / np.maximum(total, 1)[contexts]
    return own + back_off[contexts] * below[level.shorter], back_off


# --- seldom words -------------------------------------------------------------------------------
#
# A model of a small text does not know many words. Whether one is a number, a name or ends in -ing
# tells a good deal about where it may stand, so n-grams may be counted over such signatures.

ENDINGS = ("ing", "ed", "ly", "s")
"""The first that fits is told of a word in small letters."""


def signature(word: str) -> str:
    """A stand-in for a word that says more than "unknown": its look, a hyphen, an ending.

    >>> signature("10-year"), signature("Elsevier"), signature("refunding"), signature("by-product")
    ('<number-hyphen>', '<capital>', '<small-ing>', '<small-hyphen>')
    """
    if any(letter.isdigit() for letter in word):
        look = "number"
    else:
        look = "capital" if word[:1].isupper() else "small"
    if "-" in word:
        return f"<{look}-hyphen>"
    ending = next((one for one in ENDINGS if word.endswith(one)), "") if look == "small" else ""
    return f"<{look}-{ending}>" if ending else f"<{look}>"
