"""Where the words of a bag have their lexical categories from: ``categories`` of the CCG systems.

Zhang & Clark (2011, section 6.1) compare three: "dictionary" looks them up by word and tag. With
"beta=0.075" each word has those that a supertagger leaves, which reads the sentence in its true
order; so the task is no longer that of a bag of words. Anything else is a file that has them
(``corpora/supertags``). They lie inside the bag: a search does not know who put them there.

Differences
- *Paper silent*: what tags the supertagger sees. Here those that the bag is given, gold ones; where
  a bag has none they are guessed.
- *Paper silent*: whether equal words, of which the supertagger says different things, are one to
  the search. Here they share all their categories; apart from each other, every phrase with a comma
  would be built once for each comma, and a beam would be full of copies.
- *Paper silent*, section 6.1: who tagged the sentences of training. Here taggers that have not read
  them (``jackknifed``): one that has read them keeps nearly every gold category, as it never
  will of a new sentence.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import Any, TypeVar, cast

from wordorder_lab.corpora.supertags import Line, read_supertags
from wordorder_lab.models.file_parts import Json, JsonView
from wordorder_lab.runtime.progress import progress_bar
from wordorder_lab.runtime.user_cache import code_checksum, keep_value, kept_value
from wordorder_lab.structures.bag import WordBag, bag_of, places
from wordorder_lab.structures.messages import cited
from wordorder_lab.structures.sentence import Sentence, Unit
from wordorder_lab.supertagging.forward_backward import cut
from wordorder_lab.systems.registry import find
from wordorder_lab.systems.supertagger import Supertagger, check_beta

DICTIONARY = "dictionary"
BETA = "beta="
JACKKNIFE = 10
"""So many parts, unless another number is given."""

Own = TypeVar("Own", bound=Sequence[str] | Mapping[str, float])
Lists = list[list[str]]
"""The categories of each unit of a sentence."""
UNKNOWN = -1.0
"""In place of a probability."""
Given = Sequence[str] | Mapping[str, float]
"""The categories of a unit, with their probabilities if they are known."""
Source = Callable[[Sequence[Unit], Sequence[str | None]], Sequence[Given]]
"""Units in their true order, and their tags as far as they are given -> their categories."""


def check_categories(categories: object) -> None:
    """Raise ``ValueError`` for what is no way to say where categories come from."""
    if not isinstance(categories, str) or not categories:
        said = cited(categories)
        raise ValueError(f"categories ({said}) are dictionary, beta=0.075, or a file's name")
    beta_of(categories)


def beta_of(categories: str) -> float | None:
    """The cut that "beta=0.075" asks for; ``None`` where no supertagger is asked for. Raises
    ``ValueError`` for a beta that cannot be."""
    if not categories.startswith(BETA):
        return None
    try:
        beta = float(categories.removeprefix(BETA))
    except ValueError:
        beta = math.nan
    check_beta(beta)
    return beta


def source_of(categories: str, tagger: Supertagger | None) -> Source | None:
    """What gives the categories; ``None`` for the dictionary. Raises ``ValueError`` for a
    supertagger that is not there, and as ``read_supertags``."""
    check_categories(categories)
    beta = beta_of(categories)
    if categories == DICTIONARY:
        return None
    if beta is None:
        return FileSource(categories, read_supertags(categories))
    if tagger is None:
        raise ValueError(
            f"categories {categories} need a supertagger, and the model has none: name one with "
            "--supertagger FILE (in Python: with_tagger), or train the model with --keep-tagger"
        )
    return TaggerSource(tagger, beta)


def check_units(tagger: Supertagger, settings: JsonView) -> None:
    """Raise ``ValueError`` for a supertagger that has learned from other units than a system."""
    its, ours = tagger.settings.get("units"), settings.get("units")
    if None not in (its, ours) and its != ours:
        raise ValueError(
            f"the supertagger has learned from {its} and the CCG system from {ours}: train it with "
            f"--units {ours}"
        )


@dataclass(frozen=True)
class TaggerSource:
    """The categories that a supertagger leaves."""

    tagger: Supertagger
    beta: float

    def __call__(self, words: Sequence[Unit], pos: Sequence[str | None]) -> list[dict[str, float]]:
        """The categories of the units of a sentence, with their probabilities."""
        return [
            {str(category): min(1.0, chance) for category, chance in of_word}
            for of_word in self.tagger.tag(words, pos, beta=self.beta)
        ]


class FileSource:
    """The categories of a file, found by the words of a sentence; of equal lines the first's."""

    def __init__(self, path: str, lines: Sequence[Line]) -> None:
        self.path, self.lines = path, lines
        self.by_words = {line.words: line for line in reversed(lines)}

    def __call__(self, words: Sequence[Unit], _: Sequence[str | None]) -> Lists:
        """The categories of the units of a sentence. Raises ``ValueError`` with the number of the
        nearest line where none has these words."""
        line = self.by_words.get(tuple(words))
        if line is None:
            raise ValueError(self._nearest(words))
        return [list(own) for own in line.categories]

    def _nearest(self, words: Sequence[Unit]) -> str:
        text = " ".join(word for unit in words for word in unit)
        if not self.lines:
            return f"{self.path} is empty: it has no categories for {cited(text)}"
        line = max(self.lines, key=lambda one: (_alike(one.words, words), -one.number))
        at = _alike(line.words, words)
        here, there = (
            repr(" ".join(units[at])) if at < len(units) else "its end"
            for units in (words, line.words)
        )
        return (
            f"{self.path}, line {line.number:,}: word {at + 1} is {there}, and {here} in the "
            f"sentence {cited(text)}: the file must have each sentence, word for word"
        )


def _alike(some: Sequence[Unit], others: Sequence[Unit]) -> int:
    """How many units two sentences have in common at their beginning."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(some, others)))


# --- bags ---------------------------------------------------------------------------------------


def task_of(
    model: Any, condition: JsonView, search: JsonView
) -> tuple[Callable[[Sentence], WordBag], Json]:
    """How a sentence becomes a bag for a model, and the settings that are left for its search.
    ``condition`` are the shares and the seed of ``bag_of``; a model that has learned labels is
    given the same share of them as of heads. ``categories`` of the search, or of the training, go
    into the bag. Raises ``ValueError`` as ``source_of``."""
    left = {name: value for name, value in search.items() if name != "categories"}
    source = None
    if hasattr(model, "tagger"):
        chosen = model.search_settings(categories=search.get("categories"))["categories"]
        source = source_of(chosen, model.tagger)
    shares = dict(condition)
    if getattr(model, "settings", {}).get("labels"):
        shares.setdefault("labels", shares.get("deps", 0))
    return Task(shares, source), left


@dataclass(frozen=True)
class Task:
    """Makes the bag of a sentence; raises as ``bag_of``, and where a file lacks the sentence."""

    condition: JsonView
    source: Source | None = None

    def __call__(self, sentence: Sentence) -> WordBag:
        """The bag of a sentence."""
        bag = bag_of(sentence, **self.condition)
        if self.source is None:
            return bag
        place = places(sentence, self.condition.get("seed", 1))
        return with_categories(bag, place, self.source)


def with_categories(bag: WordBag, place: Sequence[int], source: Source) -> WordBag:
    """The bag with the categories of its sentence; ``place[i]`` is the unit of word i. Equal units
    with equal tags share their categories: each has those of all of them."""
    words = cast("tuple[Unit, ...]", bag.words)
    tags = bag.pos or (None,) * len(bag)
    lists = source([words[unit] for unit in place], [tags[unit] for unit in place])
    shared: dict[tuple[Unit, str | None], dict[str, float]] = {}
    for unit, own in zip(place, lists, strict=True):
        every = shared.setdefault((words[unit], tags[unit]), {})
        for category in own:
            chance = own[category] if isinstance(own, Mapping) else UNKNOWN
            every[category] = max(chance, every.get(category, UNKNOWN))
    categories = [shared[pair] for pair in zip(words, tags, strict=True)]
    known = [list(every) if UNKNOWN in every.values() else every for every in categories]
    return replace(bag, categories=known)


# --- training -----------------------------------------------------------------------------------


def tagged(
    sentence: Sentence,
    pos: float,
    seed: int,
    source: Callable[[Sequence[Unit], Sequence[str | None]], Sequence[Own]],
) -> Sequence[Own]:
    """What a source gives for a sentence's tokens, of which this share have tags."""
    tags = bag_of(sentence, pos, 0, seed).pos or ()
    given = [tags[unit] for unit in places(sentence, seed)]
    return source([token.words for token in sentence], given)


FOLDER = "jackknifed-categories"
"""In the user's cache."""
CODE = (
    "supertagging",
    "systems/supertagger.py",
    "systems/category_sources.py",
    "models/category_dictionary.py",
    "models/kneser_ney.py",
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

    The taggers see this share of the tags, those that a bag has (``bag_of``). What came of it lies
    in the user's cache, under a name that says which sentences, settings and code it came from.
    Sentence i is of fold i modulo ``folds``. With less than two folds, or one sentence, the tagger
    has learned from the sentences that it tags.
    """
    lowest = min(beta, LOWEST)
    name = _name(sentences, pos, seed, folds, lowest, seen)
    every = kept_value(FOLDER, name)
    if every is None:
        every = _tagged_by_others(sentences, pos, seed, folds, lowest, seen)
        keep_value(FOLDER, name, every)
    return [[_above(chances, beta) for chances in units] for units in every]


def _above(chances: Mapping[str, float], beta: float) -> list[str]:
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
