"""Scores that need no pairs: how fluent the kept words are, and how much they say.

Clarke & Lapata (2008), as we remember it: a trigram model says how likely words are behind each
other, and a significance score, after Hori & Furui (2004), keeps it from leaving out what the
sentence is about. A step that puts word k behind words i and j has the points

    log p(k | i, j)  +  weight I(k)         I(k) = (l / N) f log(F_a / F)   for a topic word

where f and F are how often the word stands in its document and in a corpus, F_a how often all topic
words stand in the corpus; l is how many clauses the word is in, N how many are around the deepest
word. So what is rare elsewhere counts, more so in a deep clause. Topic words are nouns and verbs;
all others have I = 0.

Differences
- *Our reading*: built from what is generally known of the paper, which was not at hand.
- *Our reading*: the corpus is plain text, so that F_a is how often all words stand in it, letters
  in them. A word that the corpus has not counts as if it stood there once.
- *Our reading*: words are compared without capitals, here and by the trigram model.
- *Our reading*: a clause is an S, SINV or SQ; an SBAR around it is none of its own. Where there is
  no clause, l / N is 1.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

from wordorder_lab.models.ngram import END_ID, START_ID, NGramModel
from wordorder_lab.structures.deletion import DeletionSentence

CLAUSES = frozenset(["S", "SINV", "SQ"])
TOPICS = ("NN", "VB")
"""Tags of topic words begin so."""


def trigram_scores(ngrams: NGramModel, words: Sequence[str]) -> np.ndarray:
    """log p(k | h, i) for every position k behind i behind h: float64 of shape (n + 2,) * 3.

    Positions are those of ``integer_programme.solve``; what is in no order is 0. Each number is
    ``NGramModel.log_prob`` bit for bit. Raises ``ValueError`` for a model below trigrams.
    """
    if ngrams.order < 3:
        raise ValueError(f"an n-gram model of order {ngrams.order}: give one of 3 or more")
    ids = np.array([START_ID, *map(ngrams.word_id, words), END_ID], np.int64)
    count, size = len(ids), len(ngrams.vocabulary)
    place = np.arange(count)
    pairs = ngrams.numbers(ids[:, None] * size + ids[None, :])  # -1 where it is not there
    h, i, k = (one.ravel() for one in np.meshgrid(place, place, place, indexing="ij"))
    real = ((h < i) | ((h == 0) & (i == 0))) & (i < k)
    h, i, k = h[real], i[real], k[real]
    context, total = pairs[h, i], np.zeros(len(h))
    longest = np.full(len(h), -1)
    there = context >= 0
    longest[there] = ngrams.numbers(context[there] * size + ids[k[there]])
    # As log_prob adds: from 0.0, a back-off for each context that is there and says nothing.
    back = there & (longest < 0)
    total[back] += ngrams.back_offs[context[back]]
    found = np.where(longest >= 0, longest, pairs[i, k])
    back = found < 0
    total[back] += ngrams.back_offs[ids[i[back]]]
    total += ngrams.log_probs[np.where(found < 0, ids[k], found)]
    scores = np.zeros((count,) * 3)
    scores[h, i, k] = total
    return scores


def significance(
    sentence: DeletionSentence,
    corpus: Mapping[str, int],
    total: int,
    document: Mapping[str, int] | None = None,
) -> list[float]:
    """I of each word, 0.0 for one that is no topic. ``corpus`` and ``document`` count words without
    capitals, ``total`` is F_a; without a document the sentence is all of it."""
    words = [word.lower() for word in sentence.words]
    here = document if document is not None else counts_of([words])
    found = []
    for word, tag, share in zip(words, sentence.tags, _clause_shares(sentence)):
        if not tag.startswith(TOPICS):
            found.append(0.0)
            continue
        often = max(corpus.get(word, 0), 1)
        found.append(share * max(here.get(word, 0), 1) * math.log(max(total, often) / often))
    return found


def counts_of(text: Sequence[Sequence[str]]) -> dict[str, int]:
    """How often each word stands in a text, without capitals; words without a letter are none."""
    counts: dict[str, int] = {}
    for words in text:
        for word in words:
            if any(map(str.isalpha, word)):
                small = word.lower()
                counts[small] = counts.get(small, 0) + 1
    return counts


def _clause_shares(sentence: DeletionSentence) -> list[float]:
    """l / N of each word."""
    nodes = sentence.nodes
    depths = [0] * len(sentence)
    if nodes is not None:
        for node, label in enumerate(nodes.bare):
            if nodes.children[node] and label in CLAUSES:
                for place in range(nodes.begins[node], nodes.ends[node]):
                    depths[place] += 1
    deepest = max(depths)
    return [depth / deepest if deepest else 1.0 for depth in depths]
