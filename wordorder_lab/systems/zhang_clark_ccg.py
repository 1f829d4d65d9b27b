"""Best-first CCG word ordering: "zhang-clark-2011", "zhang-blackwood-clark-2012" and
"zhang-clark-2015-ccg".

Zhang & Clark (2011), Syntax-Based Grammaticality Improvement using CCG and Guided Search; Zhang,
Blackwood & Clark (2012), Syntax-Based Word Ordering Incorporating a Large-Scale Language Model;
Zhang & Clark (2015), Discriminative Syntax-Based Word Ordering for Text Generation. Task: a bag of
words, tags given or not, some of which may be left out or used again. Grammar:
``best_first/ccg_rules``, read off the training derivations, and ``models/category_dictionary``.
Features: Table 1. Decoder: ``best_first/ccg``. Learner: ``best_first/guided_learning``. What sets
the three apart is the settings of their training (presets of ``SYSTEMS``), and the default output,
which is that of 2011 in the first two. Training (2011, sections 2, 4 and 6; 2012; 2015, sections
3.4 and 3.5) reads a grammar off the sentences and learns weights; the run itself is in
``best_first_model``.

With ``categories`` "beta=0.0001" the words of a bag have the categories of a supertagger that reads
the sentence before it is scrambled (``category_sources``): that is not the bag-of-words task.

Differences
- *Our reading*: the language model of 2012 (``best_first/language_model``) is there where one asks
  for it (``lm`` or ``lm_order``), in all three; no paper at hand prints its features.
- *Paper silent*: rules and lexical categories are those of all sentences, also of those that are
  too long to be learned.
- *Paper silent*: sentences without a derivation are passed over, and so are those whose unary rules
  go in a circle, which no search applies.
- *Paper silent*: the size of the chart, and a limit for training.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, ClassVar, Self

import numpy as np

from wordorder_lab.best_first.ccg import BestFirstCCG
from wordorder_lab.best_first.ccg_rules import CCGRules, bounds_of
from wordorder_lab.best_first.chart import SIGNATURES, check_signature
from wordorder_lab.best_first.gold import CCGExample
from wordorder_lab.best_first.keys import EdgeKeys
from wordorder_lab.best_first.output import JOIN_2015, PAIRS_2011, Ordering
from wordorder_lab.best_first.packed_weights import PackedEdgeWeights
from wordorder_lab.best_first.settings import GuidedSettings
from wordorder_lab.best_first.templates import (
    EdgeTemplates,
    load_ccg_templates,
    parse_ccg_templates,
)
from wordorder_lab.models.category_dictionary import SEEN, Categories, CategoryDictionary
from wordorder_lab.models.file_parts import Json, JsonView
from wordorder_lab.structures.bag import WordBag, bag_of, places
from wordorder_lab.structures.category import Category
from wordorder_lab.structures.derivation import Derivation
from wordorder_lab.structures.messages import cited
from wordorder_lab.structures.problem import Lexicon, OrderingProblem
from wordorder_lab.structures.sentence import Sentence
from wordorder_lab.structures.typed_bag import as_bag
from wordorder_lab.supertagging.features import ARRAYS as TAGGER_ARRAYS
from wordorder_lab.systems import best_first_model as best_first
from wordorder_lab.systems import category_sources as sources
from wordorder_lab.systems import language_models as language
from wordorder_lab.systems import model as common
from wordorder_lab.systems.model import Words
from wordorder_lab.systems.registry import find
from wordorder_lab.systems.setting import SettingsClass, setting, usual
from wordorder_lab.systems.supertagger import Supertagger, as_part
from wordorder_lab.systems.system import System
from wordorder_lab.systems.training_run import TrainingOptions, run_training

ZHANG_CLARK_2011 = "zhang-clark-2011"
ZHANG_2012 = "zhang-blackwood-clark-2012"
NAME = "zhang-clark-2015-ccg"

SIGNATURE = "phrases that are one to the chart: as in that paper, or none but the very same"
CATEGORIES = (
    "of words: by word and tag; beta=0.075: by a supertagger that reads the true order, which is "
    "no bag-of-words task any more; or a file of supertag"
)
ONE_OF = "dictionary|beta=B|FILE"


@dataclass(frozen=True)
class Search(best_first.BestFirstSearch):
    """What may be set when a bag is ordered."""

    signature: str = setting(SIGNATURES[0], SIGNATURE, choices=SIGNATURES, as_trained=True)
    categories: str = setting(sources.DICTIONARY, CATEGORIES, metavar=ONE_OF, as_trained=True)


@dataclass(repr=False)
class CCGModel(best_first.BestFirstModel):
    """A trained model of one of the three systems above: rules, lexical categories, weights."""

    SYSTEMS: ClassVar[tuple[str, ...]] = (ZHANG_CLARK_2011, ZHANG_2012, NAME)
    Search: ClassVar[SettingsClass] = Search

    rules: CCGRules = field(kw_only=True)
    categories: CategoryDictionary = field(kw_only=True)
    tagger: Supertagger | None = field(default=None, kw_only=True)

    def problem(self, bag: Words) -> OrderingProblem:
        """A bag made ready: every unit has its tags, and with each its lexical categories. Raises
        ``ValueError`` for a unit without any category, and if heads are given."""
        problem = super().problem(bag)
        bounds_of(problem)
        return problem

    @property
    def lexicon(self) -> Lexicon:
        """What looks up the lexical categories of words."""
        return self.categories.lookup

    def search_class(self, engine: str) -> Any:
        """The search of an engine, with these rules."""
        return search_class(engine, self.rules)

    def assigner(
        self, bag: WordBag, problem: OrderingProblem
    ) -> Callable[[Ordering], Sequence[int]]:
        """Which unit of the bag each word of an output is."""
        return lambda found: assign_units(bag, problem, found.items)

    def usual_search(self) -> Json:
        """The usual default output is that of the system's paper."""
        default = JOIN_2015 if self.system == NAME else PAIRS_2011
        return super().usual_search() | {"default": default}

    def check_search(self, chosen: Json) -> None:
        """Raise ``ValueError`` for no place where the categories of words could come from."""
        sources.check_categories(chosen["categories"])

    def _chosen(self, given: JsonView) -> Json:
        """A search takes categories from the bag, or from the dictionary: a bag has no true order
        that a supertagger could read."""
        own = dict(given)
        categories = own.pop("categories", None) or sources.DICTIONARY
        if categories != sources.DICTIONARY:
            raise ValueError(
                f"categories {categories} have to be in the bag, which has no true order to read: "
                "model.tagged(words, categories) is a bag that has them"
            )
        chosen = super()._chosen(own)
        del chosen["categories"]
        return chosen

    def tagged(self, bag: Words, categories: str) -> WordBag:
        """The bag with the categories of its units, which stand in their true order, as of
        ``source_of``; raises what that raises."""
        bag = as_bag(bag)
        source = sources.source_of(categories, self.tagger)
        return bag if source is None else sources.with_categories(bag, range(len(bag)), source)

    def with_tagger(self, tagger: Supertagger | None) -> Self:
        """The same model with this supertagger; ``ValueError`` if it learned from other units."""
        if tagger is not None:
            sources.check_units(tagger, self.settings)
        return replace(self, tagger=tagger)

    def header(self) -> Json:
        """What every grammar has, rules, lexical categories, and a supertagger if there is one."""
        own = {} if self.tagger is None else {"supertagger": as_part(self.tagger)}
        rules, categories = self.rules.rows(), self.categories.entries()
        return {**super().header(), "rules": rules, "categories": categories, **own}

    def arrays(self) -> dict[str, np.ndarray]:
        """The weights, and those of n-grams and supertagger, if there are any."""
        return {**super().arrays(), **({} if self.tagger is None else self.tagger.arrays())}

    @classmethod
    def of_parts(cls, header: JsonView, arrays: Mapping[str, np.ndarray]) -> Self:
        """The model of a whole file. Raises ``ValueError`` where its parts do not fit together."""
        if "supertagger" not in header:
            return super().of_parts(header, arrays)
        own = {name: array for name, array in arrays.items() if name not in TAGGER_ARRAYS}
        weights = {name: array for name, array in arrays.items() if name in TAGGER_ARRAYS}
        tagger = Supertagger.of_parts(header["supertagger"], weights)
        return replace(super().of_parts(header, own), tagger=tagger)

    @classmethod
    def of_header(cls, header: JsonView, weights: PackedEdgeWeights) -> Self:
        """The model of a whole file."""
        templates = common.templates_of(header, parse_ccg_templates)
        words, tags = common.words_of(header)
        rules = CCGRules.from_rows(header["rules"])
        check_signature(header["settings"].get("signature", SIGNATURES[0]))
        categories = CategoryDictionary.from_entries(header["categories"])
        return cls(
            header["system"],
            keys_of(templates, words, tags, rules, categories),
            common.dictionary_of(header),
            weights,
            dict(header["settings"]),
            rules=rules,
            categories=categories,
        )


def search_class(engine: str, rules: CCGRules) -> Any:
    """The search of an engine, with these rules."""
    if engine == "reference":
        return partial(BestFirstCCG, rules=rules)
    from wordorder_lab.best_first.ccg_fast import FastCCGSearch

    return partial(FastCCGSearch, rules=rules)


def keys_of(
    templates: EdgeTemplates,
    words: Iterable[str],
    tags: Iterable[str],
    rules: CCGRules,
    categories: CategoryDictionary,
) -> EdgeKeys:
    """The numbers of everything that features hold: categories are those of rules and words."""
    labels = map(str, (*rules.categories, *categories.categories))
    return EdgeKeys.of(templates, words, tags, labels, (rule.text for rule in rules))


def assign_units(bag: WordBag, problem: OrderingProblem, items: Sequence[int]) -> list[int]:
    """Which unit of the bag each word of an output is; one that is used again is there again. Equal
    units are used in ascending order: each as often as it has to be, and what is left over goes to
    the first that may be used more often."""

    def used(units: Sequence[int], times: int) -> list[int]:
        pairs = {unit: (bag.counts or ())[unit] or (1, 1) for unit in units}
        needed = [unit for unit, (least, _) in pairs.items() for _ in range(least)]
        spare = [unit for unit, (least, most) in pairs.items() for _ in range(most - least)]
        return sorted([*needed, *spare][:times])

    types = [problem.items[i].type for i in items]
    if not bag.has_choices:
        left = {t: iter(problem.units[t]) for t in set(types)}
    else:
        left = {t: iter(used(problem.units[t], types.count(t))) for t in set(types)}
    return [next(left[t]) for t in types]


# --- Training the CCG systems: a grammar is read off the sentences, and weights are learned ---


TEMPLATES = "zhang_clark_2015_table_1"
"""The template file that is used unless another is named."""

MOST_FOLDS = 100
SEEN_OFTEN = "words seen more often have categories of their own, others those of their tag"
OTHER_PARTS = (
    "with beta=: parts of the training; each is tagged by a tagger of the others (0: of all)"
)


@dataclass(frozen=True)
class Settings(best_first.BestFirstSettings):
    """The settings of a training; see ``BestFirstSettings``. ``signature``: see ``best_first/ccg``.
    ``categories`` says where they come from in training, and in a search unless it says otherwise;
    the gold one is always among them. With beta, the model keeps a tagger that has learned from all
    sentences."""

    templates: str = usual("templates", TEMPLATES)
    signature: str = setting("2015", SIGNATURE, choices=SIGNATURES)
    seen: int = setting(SEEN, SEEN_OFTEN, minimum=0)
    categories: str = setting(sources.DICTIONARY, CATEGORIES, metavar=ONE_OF)
    jackknife: int = setting(sources.JACKKNIFE, OTHER_PARTS, minimum=0, maximum=MOST_FOLDS)
    keep_tagger: bool = setting(
        False,
        "keep a supertagger in the model: categories may be chosen later",
    )

    def load_templates(self) -> EdgeTemplates:
        """The templates. Raises ``ValueError`` for no such file."""
        return load_ccg_templates(self.templates)

    def guided(self) -> GuidedSettings:
        """What the learner takes of them."""
        return replace(super().guided(), signature=self.signature)

    def check(self) -> None:
        """Raise ``ValueError`` for no such templates, given heads, and unknown categories."""
        super().check()
        if self.deps:
            raise ValueError(
                f"deps ({cited(self.deps)}) is 0 for a CCG system, which takes no heads: leave it "
                "out, or train a system for dependency trees"
            )
        sources.check_categories(self.categories)


class _Run(best_first.BestFirstRun[CCGModel]):
    """A training on derivations. A ``tagger`` in ``options.more`` tags the sentences of training,
    and is kept in the model. ``settings["without_derivation"]`` of the model counts the sentences
    that were passed over."""

    settings: Settings

    def __init__(
        self,
        sentences: Sequence[Sentence],
        settings: Settings,
        options: TrainingOptions,
        models: language.FoldedModels | None,
    ) -> None:
        tagger: Supertagger | None = options.more.get("tagger")
        usable = [one for one in sentences if one.derivation and CCGRules.can_build(one.derivation)]
        if not usable:
            raise ValueError(
                f"none of the {len(sentences):,} sentences has a CCG derivation that can be built: "
                "train on a corpus that has them, such as gazette"
            )
        about = {**(options.about or {}), "without_derivation": len(sentences) - len(usable)}
        if tagger is not None:
            sources.check_units(tagger, about)
        self.tagger = tagger
        beta = sources.beta_of(settings.categories)
        if tagger is None and (beta is not None or settings.keep_tagger):
            self.tagger = find("supertagger").train(usable, seen=settings.seen, about=dict(about))
        self.lists = candidate_lists(usable, settings, self.tagger, tagger is not None)
        super().__init__(usable, settings, replace(options, about=about), models)

    def number(self, sentences: Sequence[Sentence]) -> EdgeKeys:
        self.rules = CCGRules.of(derivation_of(sentence) for sentence in sentences)
        self.categories = CategoryDictionary.of(sentences, self.settings.seen)
        words, tags = best_first.words_and_tags(sentences)
        templates = self.settings.load_templates()
        return keys_of(templates, words, tags, self.rules, self.categories)

    def example(self, sentence: Sentence) -> CCGExample:
        return gold_example(
            sentence,
            self.dictionary.lookup,
            self.categories.lookup,
            pos=self.settings.pos,
            seed=self.settings.seed,
            candidates=self.lists.get(id(sentence)),
        )

    def decoder(self) -> Any:
        return search_class(self.engine, self.rules)

    def model_of(self, weights: PackedEdgeWeights, settings: Json) -> CCGModel:
        return CCGModel(
            self.system,
            self.keys,
            self.dictionary,
            weights,
            settings,
            self.ngrams,
            rules=self.rules,
            categories=self.categories,
            tagger=self.tagger,
        )

    def numbered(self) -> list[object]:
        own = [self.rules.rows(), self.categories.entries(), list(self.lists.values())]
        return [*super().numbered(), *own]


def candidate_lists(
    sentences: Sequence[Sentence], settings: Settings, tagger: Supertagger | None, is_given: bool
) -> dict[int, sources.Lists]:
    """The categories of each sentence's tokens in training, by its ``id``; none of a dictionary. A
    tagger that is given tags them all; otherwise they are jackknifed, if ``settings`` say so."""
    pos, seed, beta = settings.pos, settings.seed, sources.beta_of(settings.categories)
    if beta is not None and settings.jackknife and not is_given:
        lists = sources.jackknifed(sentences, pos, seed, settings.jackknife, beta, settings.seen)
    else:
        source = sources.source_of(settings.categories, tagger)
        if source is None:
            return {}
        every = (sources.tagged(sentence, pos, seed, source) for sentence in sentences)
        lists = [[list(own) for own in units] for units in every]
    return {id(sentence): own for sentence, own in zip(sentences, lists, strict=True)}


def derivation_of(sentence: Sentence) -> Derivation:
    """The derivation of a sentence that has one, a leaf a token. Raises ``ValueError`` if its
    leaves are not the sentence's tokens."""
    derivation = sentence.derivation
    assert derivation is not None
    leaves = [(leaf.word, leaf.pos) for leaf in derivation.leaves()]
    if leaves != [(token.form, token.pos) for token in sentence]:
        where = sentence.name or sentence.text
        raise ValueError(f"{where}: the words of the derivation are not those of the sentence")
    return derivation


def gold_example(
    sentence: Sentence,
    tags: Callable[[tuple[str, ...]], tuple[str, ...]],
    lexicon: Lexicon,
    *,
    pos: float = 1,
    seed: int = 1,
    candidates: Sequence[Sequence[str]] | None = None,
) -> CCGExample:
    """What is learned from a sentence: its bag with this share of tags, and its derivation.
    ``tags`` and ``lexicon`` look up units as ``OrderingProblem.of`` does; ``candidates`` are the
    categories of each token, if they come from elsewhere. The gold category of a unit is always
    among its candidates, also where it was not given."""
    leaves = derivation_of(sentence).leaves()
    gold: dict[tuple[tuple[str, ...], str], set[Category]] = {}
    for token, leaf in zip(sentence, leaves, strict=True):
        gold.setdefault((token.words, token.pos), set()).add(leaf.category)

    def with_gold(unit: tuple[str, ...], tag: str) -> Categories:
        candidates = {*lexicon(unit, tag), *gold.get((unit, tag), ())}
        return tuple(sorted(candidates, key=str))

    bag, place = bag_of(sentence, pos, 0, seed), places(sentence, seed)
    if candidates is not None:
        pairs = zip(candidates, leaves, strict=True)
        lists = [[*own, str(leaf.category)] for own, leaf in pairs]
        bag = sources.with_categories(bag, place, lambda *_: lists)
    problem = OrderingProblem.of(bag, tags, with_gold)
    return gold_in_problem(sentence, problem, place)


def gold_in_problem(
    sentence: Sentence, problem: OrderingProblem, units: Sequence[int]
) -> CCGExample:
    """The derivation of a sentence in the items of a bag; ``units[i]`` is token ``i`` there. Raises
    ``KeyError`` if the problem does not offer a token's gold tag or category."""
    derivation = derivation_of(sentence)
    leaves = derivation.leaves()
    types = {unit: t for t, group in enumerate(problem.units) for unit in group}
    numbers = {(item.type, item.pos, item.category): i for i, item in enumerate(problem.items)}
    items = [
        numbers[types[unit], token.pos, leaf.category]
        for unit, token, leaf in zip(units, sentence, leaves, strict=True)
    ]
    return CCGExample(problem, tuple(items), derivation)


_ALGORITHM_2 = {
    "templates": "zhang_clark_2011_table_1",
    "chart": "sizes",
    "negatives": "discard",
    "signature": "2011",
}
SYSTEMS = {
    name: System(
        says,
        Settings,
        partial(run_training, _Run),
        CCGModel,
        presets=presets,
        takes=("lm", "lm_text", "tagger"),
        takes_options=True,
        needs_derivations=True,
    )
    for name, says, presets in (
        (
            ZHANG_CLARK_2011,
            "Best-first search for CCG derivations (Zhang & Clark 2011)",
            {
                **_ALGORITHM_2,
                "update": "perceptron",
                "averaged": False,  # section 5: the final parameter vector is the model
                "lm_weight": 1.0,  # as large as an update; chosen on dev
            },
        ),
        (
            ZHANG_2012,
            "The same with large-margin updates (Zhang et al. 2012)",
            {**_ALGORITHM_2, "update": "large-margin", "lm_weight": 0.01},  # chosen on dev
        ),
        (NAME, "The same with scaled scores and one beam (Zhang & Clark 2015)", {}),
    )
}
"""What sets a system apart from the usual settings stands in its presets."""
