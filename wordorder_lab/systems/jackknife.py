"""Categories for training sentences, by supertaggers that have not read them, and kept.

A tagger knows the sentences that it learned from too well: what it leaves of them is not what it
leaves of new ones. So the sentences are cut into folds, and each fold is tagged by a tagger that
learned from the others. That takes as long as all these trainings, and every CCG system that learns
from the same sentences asks for the same; so what came of it lies in the user's cache, under a name
that says which sentences, which settings and which code it came from.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence

from wordorder_lab.runtime.progress import progress_bar
from wordorder_lab.runtime.user_cache import code_checksum, keep_value, kept_value
from wordorder_lab.structures.sentence import Sentence
from wordorder_lab.supertagging.forward_backward import cut
from wordorder_lab.systems.category_sources import Lists, TaggerSource, tagged
from wordorder_lab.systems.registry import find

FOLDER = "jackknifed-categories"
"""In the user's cache."""
CODE = (
    *("supertagging", "systems/jackknife.py", "systems/supertagger.py"),
    *("systems/category_sources.py", "models/category_dictionary.py", "models/word_signature.py"),
    "structures/sentence.py",
)
"""Files and folders that decide what comes of it."""
LOWEST = 0.0001
"""Categories are kept from this beta on, so that higher ones need no tagger again."""

Chances = list[list[dict[str, float]]]
"""For each sentence and each of its units: categories with their probabilities."""


def jackknifed(
    sentences: Sequence[Sentence], pos: float, seed: int, folds: int, beta: float, seen: int
) -> list[Lists]:
    """The categories of all sentences, each by a tagger that has learned from the other folds.

    The taggers see this share of the tags, those that a bag has (``bag_of``).

    Sentence i is of fold i modulo ``folds``. With less than two folds, or one sentence, the tagger
    has learned from the sentences that it tags.
    """
    lowest = min(beta, LOWEST)
    name = _name(sentences, pos, seed, folds, lowest, seen)
    every = kept_value(FOLDER, name)
    if every is None:
        every = _tagged_by_others(sentences, pos, seed, folds, lowest, seen)
        keep_value(FOLDER, name, every)
    return [[above(chances, beta) for chances in units] for units in every]


def above(chances: Mapping[str, float], beta: float) -> list[str]:
    """The categories that ``beta`` leaves, the most probable first."""
    names = list(chances)
    return [names[i] for i in cut(list(chances.values()), beta)]


def _tagged_by_others(
    sentences: Sequence[Sentence], pos: float, seed: int, folds: int, beta: float, seen: int
) -> Chances:
    """Probabilities have six digits, whether they come from here or from the cache."""
    folds = max(1, min(folds, len(sentences)))
    every: Chances = [[] for _ in sentences]
    for fold in progress_bar(range(folds), desc="supertaggers of the other folds", delay=2):
        others = [one for i, one in enumerate(sentences) if folds < 2 or i % folds != fold]
        source = TaggerSource(find("supertagger").train(others, seen=seen, progress=False), beta)
        for i in range(fold, len(sentences), folds):
            units = tagged(sentences[i], pos, seed, source)
            every[i] = [{name: float(f"{p:.6g}") for name, p in own.items()} for own in units]
    return every


def _name(
    sentences: Sequence[Sentence], pos: float, seed: int, folds: int, beta: float, seen: int
) -> str:
    """The file's name: a checksum of what is tagged and how, and one of the code."""
    whole = hashlib.sha256(json.dumps([pos, seed, folds, beta, seen]).encode())
    for sentence in sentences:
        leaves = sentence.derivation.leaves() if sentence.derivation else ()
        units = [[list(token.words), token.pos] for token in sentence]
        own = [sentence.name, units, [str(leaf.category) for leaf in leaves]]
        whole.update(json.dumps(own).encode())
    return f"{whole.hexdigest()[:20]}-{code_checksum(*CODE)[:20]}.json"
