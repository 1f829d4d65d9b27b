"""The supertagger: for each word of a sentence its probable lexical categories.

Clark & Curran (2007), Wide-Coverage Efficient Statistical Parsing with CCG and Log-Linear Models:
a log-linear model of one category (``supertagging/log_linear``), sums over all sequences
(``supertagging/forward_backward``), and a cut by beta. Zhang & Clark (2011, section 6.1) give its
categories to their search. It reads a sentence in its true order: whoever orders words with its
help no longer orders a bag of words.

Differences
- *Paper silent*: where a sentence has no tags they are guessed, each word's most frequent one.
- *Our reading*: a word that was seen more often than ``seen`` has the categories it was seen with,
  another one those of its tag, as in ``models/category_dictionary``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from typing import ClassVar, Self

import numpy as np

from wordorder_lab.models.category_dictionary import SEEN, CategoryDictionary
from wordorder_lab.models.file_parts import Json, JsonView, exactly
from wordorder_lab.runtime.progress import progress_bar
from wordorder_lab.structures.category import Category
from wordorder_lab.structures.messages import MOST_EPOCHS, cited
from wordorder_lab.structures.sentence import Sentence, Supertagged, Unit, supertagged
from wordorder_lab.supertagging.features import (
    ARRAYS,
    Examples,
    TagNumbers,
    TagWeights,
    collect,
    numbers_of,
)
from wordorder_lab.supertagging.forward_backward import WIDTH, cut, forward_backward
from wordorder_lab.supertagging.log_linear import (
    LogLinear,
    Objective,
    ReferenceObjective,
    learn_weights,
)
from wordorder_lab.supertagging.most_frequent import (
    MostFrequent,
    look_of,
    usual_categories,
    usual_tags,
)
from wordorder_lab.supertagging.templates import USUAL, load_tag_templates, parse_tag_templates
from wordorder_lab.systems.model import TrainedModel, choose_engine, templates_of, templates_part
from wordorder_lab.systems.setting import SettingsClass, setting, usual
from wordorder_lab.systems.system import System
from wordorder_lab.systems.training_run import TrainingOptions, learned_once

SYSTEM = "supertagger"
BETA = 0.075
"""The cut of Clark & Curran's parser for newspaper text."""

Tagged = list[tuple[Category, float]]
"""The categories of a word with their probabilities, the most probable first."""


@dataclass(frozen=True)
class Search:
    """What may be set when a sentence is tagged."""

    beta: float = setting(
        BETA,
        "keep the categories that have at least this fraction of the probability of a word's best",
        minimum=0,
        maximum=1,
        metavar="SHARE",
    )


@dataclass(repr=False)
class Supertagger(TrainedModel):
    """A trained supertagger. ``settings`` are those of its training."""

    SYSTEMS: ClassVar[tuple[str, ...]] = (SYSTEM,)
    WHOLE: ClassVar[str] = "tag_weights"
    HAS_STEPS: ClassVar[bool] = False
    Search: ClassVar[SettingsClass] = Search

    numbers: TagNumbers
    table: TagWeights
    dictionary: CategoryDictionary
    tags: MostFrequent
    baseline: MostFrequent
    settings: JsonView = field(default_factory=dict)

    def tag(
        self,
        sentence: Sentence | Supertagged | str | Sequence[str | Unit],
        pos: Sequence[str | None] | None = None,
        *,
        beta: float | None = None,
        engine: str | None = None,
    ) -> list[Tagged]:
        """The categories of each unit of a sentence, in its true order. A line of text is taken
        apart at its spaces. Tags are those of the sentence, or ``pos``; where there are none
        (``None``) they are guessed. Raises ``ValueError`` for an empty sentence, for tags that are
        not one a unit, and for a beta that is not from 0 to 1."""
        words, given = units_and_tags(sentence, pos)
        beta = self.search_settings(beta=beta)["beta"]
        tags = self.full_tags(words, given)
        candidates = [self._candidates(unit, tag) for unit, tag in zip(words, tags)]
        every = self.marginals(words, tags, candidates, engine=engine)
        categories = self._categories
        return [
            [(categories[labels[j]], found[j]) for j in cut(found, beta)]
            for labels, found in zip(candidates, every)
        ]

    def full_tags(self, words: Sequence[Unit], pos: Sequence[str | None]) -> list[str]:
        """The tags of units, guessed where there is none: the word's most frequent one."""
        pairs = zip(words, pos, strict=True)
        return [tag or self.tags.lookup(unit, look_of(unit)) for unit, tag in pairs]

    def usual_category(self, unit: Unit, tag: str) -> str:
        """The baseline: the most frequent category of a word, or of its tag."""
        return self.baseline.lookup(unit, tag)

    def marginals(
        self,
        words: Sequence[Unit],
        tags: Sequence[str],
        candidates: Sequence[Sequence[int]],
        *,
        width: float = WIDTH,
        engine: str | None = None,
    ) -> list[list[float]]:
        """The probability of each candidate of each unit, by forward and backward sums."""
        rows = [self.table.feature_ids(keys) for keys in self.numbers.window_keys(words, tags)]
        if choose_engine(engine) == "fast":
            found: list[list[float]] = self._fast(rows, candidates, width)
            return found
        model = self._reference
        windows = [model.window_scores(features) for features in rows]

        def local(i: int, before: int, last: int) -> list[float]:
            return model.probabilities(windows[i], before, last, candidates[i])

        return forward_backward(candidates, local, width)

    @cached_property
    def _categories(self) -> list[Category]:
        return [Category.parse(text) for text in self.numbers.categories]

    @cached_property
    def _reference(self) -> LogLinear:
        return LogLinear(self.numbers, self.table)

    @cached_property
    def _fast(self) -> Callable[..., list[list[float]]]:
        from wordorder_lab.supertagging.forward_backward_fast import FastMarginals

        return FastMarginals(self.numbers, self.table)

    @cached_property
    def _labels(self) -> tuple[dict[Unit, list[int]], dict[str, list[int]], list[int]]:
        """The categories of words, of tags, and all, by their places among the sorted ones."""

        def places(categories: Sequence[Category]) -> list[int]:
            return sorted(self.numbers.label_ids[str(category)] for category in categories)

        words = {unit: places(own) for unit, own in self.dictionary.words.items()}
        tags = {tag: places(own) for tag, own in self.dictionary.tags.items()}
        return words, tags, list(range(len(self.numbers.categories)))

    def _candidates(self, unit: Unit, tag: str) -> list[int]:
        words, tags, every = self._labels
        return words.get(unit) or tags.get(tag) or every

    # --- settings and file ------------------------------------------------------------------

    def header(self) -> Json:
        """Templates, numbering, both dictionaries, and the most frequent tags and categories."""
        numbers = self.numbers
        return {
            "templates": templates_part(numbers.templates.name, numbers.templates.text),
            "words": list(numbers.words),
            "tags": list(numbers.tags),
            "categories": list(numbers.categories),
            "dictionary": self.dictionary.entries(),
            "usual_tags": self.tags.entries(),
            "usual_categories": self.baseline.entries(),
        }

    def arrays(self) -> dict[str, np.ndarray]:
        """Features and weights."""
        return self.table.arrays()

    @classmethod
    def of_parts(cls, header: JsonView, arrays: Mapping[str, np.ndarray]) -> Self:
        """The model of a whole file. Raises ``ValueError`` where its parts do not fit together."""
        templates = templates_of(header, parse_tag_templates)
        numbers = numbers_of(header, templates)
        exactly(arrays, ARRAYS)
        table = TagWeights.from_arrays(arrays, len(numbers.categories), len(templates))
        dictionary = CategoryDictionary.from_entries(header["dictionary"])
        unknown = {*map(str, dictionary.categories)} - {*numbers.categories}
        if unknown or not dictionary.tags:
            raise ValueError(
                f"the dictionary of categories has {cited(min(unknown, default='none'))}"
            )
        tags, usual = (
            MostFrequent.from_entries(header[name], name)
            for name in ("usual_tags", "usual_categories")
        )
        model = cls(numbers, table, dictionary, tags, usual, dict(header["settings"]))
        model._categories  # noqa: B018  (each must be one)
        return model


def as_part(tagger: Supertagger) -> Json:
    """What the header of another model's file says of its tagger; ``of_parts`` reads it."""
    return {"settings": dict(tagger.settings), **tagger.header()}


def check_beta(beta: float) -> None:
    """Raise ``ValueError`` for a beta that is not a number from 0 to 1."""
    if not 0 <= beta <= 1:
        raise ValueError(
            f"beta ({beta}) is a number from 0, which keeps every category, to 1, the best alone"
        )


def units_and_tags(
    sentence: Sentence | Supertagged | str | Sequence[str | Unit],
    pos: Sequence[str | None] | None = None,
) -> tuple[list[Unit], list[str | None]]:
    """The units of a sentence and their tags, ``None`` where there is none. Raises ``ValueError``
    for an empty sentence or unit, and for tags that are not one a unit."""
    words: list[Unit]
    if isinstance(sentence, Sentence):
        words = [token.words for token in sentence]
        pos = [token.pos for token in sentence] if pos is None else pos
    elif isinstance(sentence, Supertagged):
        words, pos = list(sentence.words), sentence.pos if pos is None else pos
    else:
        given = sentence.split() if isinstance(sentence, str) else sentence
        words = [tuple(unit.split()) if isinstance(unit, str) else tuple(unit) for unit in given]
    if not words or not all(words):
        raise ValueError("there is no word to tag: give a sentence, its words apart by spaces")
    tags: list[str | None] = [None] * len(words) if pos is None else list(pos)
    if len(tags) != len(words):
        raise ValueError(f"{len(words)} words but {len(tags)} tags: give one a word, or None")
    return words, tags


# --- training -----------------------------------------------------------------------------------


SEEN_OFTEN = "a word has categories of its own if it was seen more often than this"


@dataclass(frozen=True)
class Settings:
    """What a training depends on, beside its sentences."""

    templates: str = usual("templates", USUAL)
    min_count: int = setting(5, "words seen less often go by their tags alone", minimum=1)
    seen: int = setting(SEEN, SEEN_OFTEN, minimum=0)
    variance: float = setting(
        1.0,
        "of the Gaussian prior (the smaller, the nearer the weights stay to 0)",
        minimum=1e-6,
        maximum=1e6,
    )
    max_iterations: int = setting(
        60,
        "how many steps the learner takes, at most",
        minimum=1,
        maximum=MOST_EPOCHS,
        option="--iterations",
    )

    def check(self) -> None:
        """Raise ``ValueError`` for no such templates."""
        load_tag_templates(self.templates)


def learn(
    sentences: Sequence[Sentence | Supertagged], settings: Settings, options: TrainingOptions
) -> Supertagger:
    """Train a supertagger. It takes less than two minutes, so there is no checkpoint. Raises
    ``ValueError`` where no sentence has categories."""
    usable = supertagged(sentences)
    if not usable:
        raise ValueError(
            f"none of the {len(sentences):,} sentences has categories: train on a corpus with CCG "
            "derivations, such as gazette, or on a file of word|POS|category"
        )
    engine, templates = choose_engine(options.engine), load_tag_templates(settings.templates)
    numbers = TagNumbers.of(templates, usable, settings.min_count)
    examples, table = collect(numbers, usable)
    objective = _objective(engine, examples, numbers, table, settings.variance)
    sizes: Json = {"total": settings.max_iterations, "desc": SYSTEM, "delay": 2, "leave": False}
    with progress_bar(**sizes, wanted=options.progress) as shown:
        weights = learn_weights(
            objective, len(table.labels), settings.max_iterations, lambda: shown.update()
        )
    model = Supertagger(
        numbers,
        replace(table, weights=weights),
        CategoryDictionary.of(usable, settings.seen),
        usual_tags(usable),
        usual_categories(usable),
        {**(options.about or {}), **asdict(settings), "sentences": len(usable)},
    )
    return learned_once(model, options)


def _objective(
    engine: str, examples: Examples, numbers: TagNumbers, table: TagWeights, variance: float
) -> Objective:
    if engine == "reference":
        return ReferenceObjective(examples, numbers, table, variance)
    from wordorder_lab.supertagging.log_linear_fast import FastObjective

    return FastObjective(examples, len(numbers.categories), table, variance)


SYSTEMS = {
    SYSTEM: System(
        "Lexical categories for words in their true order (Clark & Curran 2007)",
        Settings,
        learn,
        Supertagger,
        takes_options=True,
        traced=False,
    )
}
