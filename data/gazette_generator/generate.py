"""From a seed to the sentences of the Gazette: write, tidy, keep what is new and of fit length."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from itertools import pairwise
from typing import NamedTuple
from zlib import crc32

from gazette_generator.compress import Shorter, shorten
from gazette_generator.draft import Draft
from gazette_generator.layers import Layers, layers_of
from gazette_generator.lexicon import Lexicon, load_lexicon
from gazette_generator.passives import modify
from gazette_generator.phrase import Phrase, Step, Word
from gazette_generator.sentence_kinds import write
from gazette_generator.shorter_trees import without

SEED = 2015
SIZES = {"train": 2000, "dev": 200, "test": 200}
SHORTEST, LONGEST = 5, 30
DOMAINS = "bbbbpppccsstlla"
"""A letter is drawn for each sentence: much business and politics, little culture."""

RICH = (0.45, 1.95)
"""How much sentences are adorned: from hardly to heavily, evenly spread."""


class Article(NamedTuple):
    """One sentence with its name, in all its layers, and its shorter version if it has one."""

    name: str
    layers: Layers
    shorter: Shorter | None


def generate(seed: int = SEED) -> dict[str, list[Article]]:
    """All splits. The same seed gives the same sentences, on every machine."""
    stream = _sentences(random.Random(seed))
    return {
        split: [_article(f"{split}-{i}", *next(stream)) for i in range(1, size + 1)]
        for split, size in SIZES.items()
    }


def _article(name: str, draft: Draft, sentence: Phrase) -> Article:
    layers = layers_of(sentence)
    return Article(name, layers, shorten(draft, sentence.tree, layers.words))


def _sentences(chance: random.Random) -> Iterator[tuple[Draft, Phrase]]:
    """Sentences without end, no two alike."""
    lexicon = by_commonness(load_lexicon())
    seen: set[str] = set()
    while True:
        draft = Draft(chance, lexicon, chance.choice(DOMAINS), chance.uniform(*RICH))
        draft.modify = modify
        made = write(draft)
        if made is None:
            continue
        made = tidied(made)
        words = [word.form for word in made.words()]
        key = " ".join(words).lower()
        stutters = any(before == after for before, after in pairwise(words))
        if SHORTEST <= len(words) <= LONGEST and key not in seen and not stutters:
            seen.add(key)
            yield draft, made


def by_commonness(lexicon: Lexicon) -> Lexicon:
    """The same words in another order than the alphabet's: drafts favour what comes first.

    Which word is common is decided by a checksum, so that it is the same on every machine.
    """
    order = {"nouns": "lemma", "verbs": "base", "adjectives": "form"}
    return replace(
        lexicon,
        **{
            kind: tuple(sorted(getattr(lexicon, kind), key=partial(_checksum, name=name)))
            for kind, name in order.items()
        },
    )


def _checksum(row: object, name: str) -> int:
    return crc32(getattr(row, name).encode("utf-8"))


def tidied(sentence: Phrase) -> Phrase:
    """A capital at the beginning, and no comma right before another sign."""
    words = sentence.words()
    signs = {",", ".", "''"}
    needless = {
        id(word)
        for word, after in pairwise(words)
        if word.form == "," and after.form in signs and after.form != "''"
    }
    needless |= {
        id(words[i])
        for i in range(len(words) - 2)
        if words[i].form == words[i + 1].form == "," and words[i + 2].form == "''"
    }
    if needless:
        tree, ccg = without(sentence.tree, needless), _step_without(sentence.ccg, needless)
        assert tree is not None and ccg is not None
        sentence = sentence._replace(tree=tree, ccg=ccg)
    first = next(word for word in sentence.words() if word.form[0].isalnum())
    first.form = first.form[0].upper() + first.form[1:]
    return sentence


def _step_without(step: Step, words: set[int]) -> Step | None:
    """The derivation without these signs: what absorbed one is what it was before."""
    kept: list[Step | Word] = []
    for child in step.children:
        if isinstance(child, Word):
            if id(child) in words:
                return None
            kept.append(child)
        else:
            below = _step_without(child, words)
            if below is not None:
                kept.append(below)
    if len(kept) < len(step.children):
        (only,) = kept
        assert isinstance(only, Step)
        return only
    return Step(step.category, tuple(kept))
