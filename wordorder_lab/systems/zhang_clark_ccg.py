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
``best_first_training``.

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
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np

from wordorder_lab.best_first.ccg import BestFirstCCG
from wordorder_lab.best_first.ccg_rules import CCGRules, bounds_of
from wordorder_lab.best_first.chart import SIGNATURES, check_signature
from wordorder_lab.best_first.drive import Drive
from wordorder_lab.best_first.gold import CCGExample
from wordorder_lab.best_first.keys import EdgeKeys
from wordorder_lab.best_first.output import JOIN_2015, PAIRS_2011, Ordering
from wordorder_lab.best_first.packed_weights import PackedEdgeWeights
from wordorder_lab.best_first.settings import GuidedSettings, SearchSettings
from wordorder_lab.best_first.templates import (
    EdgeTemplates,
    load_ccg_templates,
    parse_ccg_templates,
)
from wordorder_lab.models.category_dictionary import SEEN, Categories, CategoryDictionary
from wordorder_lab.models.file_parts import Json, JsonView
from wordorder_lab.models.ngram import NGramModel
from wordorder_lab.structures.bag import WordBag, bag_of, places
from wordorder_lab.structures.category import Category
from wordorder_lab.structures.derivation import Derivation
from wordorder_lab.structures.messages import cited
from wordorder_lab.structures.problem import Lexicon, OrderingProblem
from wordorder_lab.structures.sentence import Sentence
from wordorder_lab.structures.trace import Trace
from wordorder_lab.structures.typed_bag import as_bag
from wordorder_lab.supertagging.features import ARRAYS as TAGGER_ARRAYS
from wordorder_lab.systems import usual_settings as usual
from wordorder_lab.systems.best_first_model import (
    BestFirstModel,
    BestFirstSearch,
    BestFirstSettings,
)
from wordorder_lab.systems.best_first_training import (
    BestFirstRun,
    run_training,
    words_and_tags,
)
from wordorder_lab.systems.category_sources import (
    DICTIONARY,
    JACKKNIFE,
    Lists,
    beta_of,
    check_categories,
    check_units,
    jackknifed,
    lists_of,
    source_of,
    with_categories,
)
from wordorder_lab.systems.model import Words, dictionary_of, templates_of, words_of
from wordorder_lab.systems.registry import find
from wordorder_lab.systems.setting import SettingsClass, setting
from wordorder_lab.systems.supertagger import Supertagger, as_part
from wordorder_lab.systems.system import System
from wordorder_lab.systems.training_run import TrainingOptions

if TYPE_CHECKING:
    from wordorder_lab.best_first.search_fast import FastSearch
    from wordorder_lab.best_first.weights_fast import EdgeTable


ZHANG_CLARK_2011 = "zhang-clark-2011"
ZHANG_2012 = "zhang-blackwood-clark-2012"
NAME = "zhang-clark-2015-ccg"

SIGNATURE = "which phrases are one to the chart: those of 2011 or of 2015, or only the very same"
CATEGORIES = (
    "where the categories of words come from: dictionary, by word and tag; beta=0.075, a "
    "supertagger that reads each sentence in its true order, which is no bag-of-words task any "
    "more; or a file, as supertag prints it"
)
ONE_OF = "dictionary|beta=B|FILE"


@dataclass(frozen=True)
class Search(BestFirstSearch):
    """What may be set when a bag is ordered."""

    signature: str = setting(SIGNATURES[0], SIGNATURE, choices=SIGNATURES, as_trained=True)
    categories: str = setting(DICTIONARY, CATEGORIES, metavar=ONE_OF, as_trained=True)


@dataclass(repr=False)
class CCGModel(BestFirstModel):
    """A trained model of one of the three systems above: rules, lexical categories, weights."""

    SYSTEMS: ClassVar[tuple[str, ...]] = (ZHANG_CLARK_2011, ZHANG_2012, NAME)
    Search: ClassVar[SettingsClass] = Search

    rules: CCGRules = field(kw_only=True)
    categories: CategoryDictionary = field(kw_only=True)
    tagger: Supertagger | None = field(default=None, kw_only=True)

    def problem(self, bag: Words) -> OrderingProblem:
        """A bag made ready: every unit has its tags, and with each its lexical categories.

        Raises ``ValueError`` for a unit without any category, and if heads are given.
        """
        problem = super().problem(bag)
        bounds_of(problem)
        return problem

    @property
    def lexicon(self) -> Lexicon:
        """What looks up the lexical categories of words."""
        return self.categories.lookup

    def decoder(
        self, problem: OrderingProblem, settings: SearchSettings, trace: Trace | None = None
    ) -> BestFirstCCG:
        """The reference engine's search on a bag. Raises ``ValueError`` if heads are given."""
        templates = self.keys.templates
        search = BestFirstCCG(problem, templates, self.weight, settings, trace, rules=self.rules)
        return search.with_ngrams(self.ngrams)

    def fast_decoder(self, table: EdgeTable, ngrams: NGramModel | None) -> FastSearch:
        """The fast engine's search, for all bags."""
        from wordorder_lab.best_first.ccg_fast import FastCCGSearch

        return FastCCGSearch(self.keys, table, ngrams=ngrams, rules=self.rules)

    def assigner(
        self, bag: WordBag, problem: OrderingProblem
    ) -> Callable[[Ordering], Sequence[int]]:
        """Which unit of the bag each word of an output is."""
        return lambda found: assign_units(bag, problem, found.items)

    def usual_search(self) -> Json:
        """The settings of a search of which nothing is said."""
        return super().usual_search() | {
            "default": JOIN_2015 if self.system == NAME else PAIRS_2011
        }

    def check_search(self, chosen: Json) -> None:
        """Raise ``ValueError`` for no place where the categories of words could come from."""
        if chosen["categories"] != DICTIONARY:
            check_categories(chosen["categories"])

    def chosen_search(self, k: int = 1, **given: object) -> SearchSettings:
        """The settings of a search, as a decoder takes them. Raises ``ValueError``.

        A search takes categories from the bag, or from the dictionary: a bag has no true order that
        a supertagger could read.
        """
        categories = given.pop("categories", None) or DICTIONARY
        if categories != DICTIONARY:
            raise ValueError(
                f"categories {categories} have to be in the bag, which has no true order to read: "
                "model.tagged(words, categories) is a bag that has them"
            )
        return super().chosen_search(k, **given)

    def tagged(self, bag: Words, categories: str) -> WordBag:
        """The bag with the categories of its units, which stand in their true order.

        ``categories`` is "beta=0.075", or a file's name. Raises ``ValueError`` as ``source_of``.
        """
        bag = as_bag(bag)
        source = source_of(categories, self.tagger)
        return bag if source is None else with_categories(bag, range(len(bag)), source)

    def with_tagger(self, tagger: Supertagger | None) -> Self:
        """The same model with this supertagger, for ``categories`` such as "beta=0.075".

        Raises ``ValueError`` for one that has learned from other units.
        """
        if tagger is not None:
            check_units(tagger, self.settings)
        return replace(self, tagger=tagger)

    def drive(self, bag: Words) -> Drive:
        """What the rules make of two edges of a search, for ``wl.play(log, drive=...)``."""
        return Drive(self.decoder(self.problem(bag), self.chosen_search(beam=0)))

    def grammar(self) -> Json:
        """Rules and lexical categories, for the model file, and a supertagger if there is one."""
        own = {} if self.tagger is None else {"supertagger": as_part(self.tagger)}
        return {"rules": self.rules.rows(), "categories": self.categories.entries(), **own}

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
        templates = templates_of(header, parse_ccg_templates)
        rules = CCGRules.from_rows(header["rules"])
        check_signature(header["settings"].get("signature", SIGNATURES[0]))
        categories = CategoryDictionary.from_entries(header["categories"])
        return cls(
            header["system"],
            keys_of(templates, *words_of(header), rules, categories),
            dictionary_of(header),
            weights,
            dict(header["settings"]),
            rules=rules,
            categories=categories,
        )


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
    """Which unit of the bag each word of an output is; one that is used again is there again.

    Equal units are used in ascending order: each as often as it has to be, and what is left over
    goes to the first that may be used more often.
    """
    types = [problem.items[i].type for i in items]
    left = {t: iter(_used(bag, problem.units[t], types.count(t))) for t in set(types)}
    return [next(left[t]) for t in types]


def _used(bag: WordBag, units: Sequence[int], times: int) -> list[int]:
    """Equal units, ``times`` in all, in ascending order."""
    pairs = {unit: (bag.counts or ())[unit] or (1, 1) for unit in units}
    needed = [unit for unit, (least, _) in pairs.items() for _ in range(least)]
    spare = [unit for unit, (least, most) in pairs.items() for _ in range(most - least)]
    return sorted([*needed, *spare][:times])


# --- Training the CCG systems: a grammar is read off the sentences, and weights are learned ---


TEMPLATES = "zhang_clark_2015_table_1"
"""The template file that is used unless another is named."""

MOST_FOLDS = 100
SEEN_OFTEN = (
    "a word has lexical categories of its own if it was seen more often than this, otherwise those "
    "of its tag"
)
OTHER_PARTS = (
    "with categories beta=: the sentences of training are tagged by taggers that have read the "
    "other parts, of so many (0: by one that has read all)"
)


@dataclass(frozen=True)
class Settings(BestFirstSettings):
    """The settings of a training; see ``BestFirstSettings``.

    ``signature`` says which edges are one to the chart (``best_first/ccg``). A word has categories
    of its own if it was seen more often than ``seen``. ``categories`` says where they come from in
    training, and in a search unless it says otherwise: "dictionary", "beta=0.0001" or a file; the
    gold one is always among them. With beta, sentence by sentence they are those of taggers that
    have learned from all but one of ``jackknife`` parts (0: of the model's own tagger). The model
    keeps a tagger that has learned from all; with ``keep_tagger``, also where the dictionary is
    used, so that it can be evaluated with both.
    """

    templates: str = usual.templates(TEMPLATES)
    signature: str = setting("2015", SIGNATURE, choices=SIGNATURES)
    seen: int = setting(SEEN, SEEN_OFTEN, minimum=0, metavar="N")
    categories: str = setting(DICTIONARY, CATEGORIES, metavar=ONE_OF)
    jackknife: int = setting(JACKKNIFE, OTHER_PARTS, minimum=0, maximum=MOST_FOLDS, metavar="N")
    keep_tagger: bool = setting(
        False,
        "learn a supertagger and keep it in the model, also where training takes the dictionary, "
        "so that the categories may be chosen later",
    )

    def load_templates(self) -> EdgeTemplates:
        """The templates. Raises ``ValueError`` for no such file."""
        return load_ccg_templates(self.templates)

    def guided(self) -> GuidedSettings:
        """What the learner takes of them."""
        return replace(super().guided(), signature=self.signature)

    def check(self) -> None:
        """Raise ``ValueError`` for a setting that cannot be."""
        super().check()
        if self.deps:
            raise ValueError(
                f"deps ({cited(self.deps)}) is 0 for a CCG system, which takes no heads: leave it "
                "out, or train a system for dependency trees"
            )
        check_categories(self.categories)


class _Run(BestFirstRun[CCGModel]):
    """A training on derivations.

    A ``tagger`` in ``options.more`` tags the sentences of training, and is kept in the model.
    ``settings["without_derivation"]`` of the model counts the sentences that were passed over.
    """

    settings: Settings

    def __init__(
        self,
        sentences: Sequence[Sentence],
        settings: Settings,
        options: TrainingOptions,
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
            check_units(tagger, about)
        self.tagger = tagger
        beta = beta_of(settings.categories)
        if tagger is None and (beta is not None or settings.keep_tagger):
            self.tagger = find("supertagger").train(usable, seen=settings.seen, about=dict(about))
        self.lists = candidate_lists(usable, settings, self.tagger, tagger is not None)
        super().__init__(usable, settings, replace(options, about=about))

    def number(self, sentences: Sequence[Sentence]) -> EdgeKeys:
        """Rules, lexical categories, words and tags of all sentences."""
        self.rules = CCGRules.of(derivation_of(sentence) for sentence in sentences)
        self.categories = CategoryDictionary.of(sentences, self.settings.seen)
        templates = self.settings.load_templates()
        return keys_of(templates, *words_and_tags(sentences), self.rules, self.categories)

    def example(self, sentence: Sentence) -> CCGExample:
        """The bag of a sentence, and its derivation."""
        return gold_example(
            sentence,
            self.dictionary.lookup,
            self.categories.lookup,
            pos=self.settings.pos,
            seed=self.settings.seed,
            candidates=self.lists.get(id(sentence)),
        )

    def decoder_of(self, engine: str) -> Any:
        """The search of an engine, with these rules."""
        if engine == "reference":
            return partial(BestFirstCCG, rules=self.rules)
        from wordorder_lab.best_first.ccg_fast import FastCCGSearch

        return partial(FastCCGSearch, rules=self.rules)

    def model_of(self, weights: PackedEdgeWeights, settings: Json) -> CCGModel:
        """The model with these weights."""
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
        """Rules and categories too decide how a training goes on."""
        own = [self.rules.rows(), self.categories.entries(), list(self.lists.values())]
        return [*super().numbered(), *own]


def candidate_lists(
    sentences: Sequence[Sentence], settings: Settings, tagger: Supertagger | None, is_given: bool
) -> dict[int, Lists]:
    """The categories of each sentence's tokens in training, by its ``id``; none of a dictionary.

    A tagger that is given tags them all; otherwise they are jackknifed, if ``settings`` say so.
    """
    how = settings.pos, settings.seed
    beta = beta_of(settings.categories)
    if beta is not None and settings.jackknife and not is_given:
        lists = jackknifed(sentences, *how, settings.jackknife, beta, settings.seen)
    else:
        source = source_of(settings.categories, tagger)
        if source is None:
            return {}
        lists = [lists_of(sentence, *how, source) for sentence in sentences]
    return {id(sentence): own for sentence, own in zip(sentences, lists, strict=True)}


def derivation_of(sentence: Sentence) -> Derivation:
    """The derivation of a sentence that has one, a leaf a token.

    Raises ``ValueError`` if its leaves are not the sentence's tokens.
    """
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
    among its candidates, also where it was not given.
    """
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
        bag = with_categories(bag, place, lambda *_: lists)
    problem = OrderingProblem.of(bag, tags, with_gold)
    return gold_in_problem(sentence, problem, place)


def gold_in_problem(
    sentence: Sentence, problem: OrderingProblem, units: Sequence[int]
) -> CCGExample:
    """The derivation of a sentence in the items of a bag; ``units[i]`` is token ``i`` there.

    Raises ``KeyError`` if the problem does not offer a token's gold tag or category.
    """
    derivation = derivation_of(sentence)
    leaves = derivation.leaves()
    types = {unit: t for t, group in enumerate(problem.units) for unit in group}
    numbers = {(item.type, item.pos, item.category): i for i, item in enumerate(problem.items)}
    items = [
        numbers[types[unit], token.pos, leaf.category]
        for unit, token, leaf in zip(units, sentence, leaves, strict=True)
    ]
    return CCGExample(problem, tuple(items), derivation)


_ALGORITHM_2 = {"templates": "zhang_clark_2011_table_1", "chart": "sizes", "negatives": "discard"}
SYSTEMS = {
    name: System(
        says,
        Settings,
        partial(run_training, _Run),
        CCGModel,
        presets=presets,
        takes=("lm", "lm_text", "tagger"),
        takes_options=True,
    )
    for name, says, presets in (
        (
            ZHANG_CLARK_2011,
            "Best-first search for CCG derivations (Zhang & Clark 2011)",
            {
                **_ALGORITHM_2,
                "update": "perceptron",
                "signature": "2011",
                "averaged": False,  # section 5: the final parameter vector is the model
                "lm_weight": 1.0,  # as large as an update; chosen on dev
            },
        ),
        (
            ZHANG_2012,
            "The same with large-margin updates (Zhang et al. 2012)",
            {
                **_ALGORITHM_2,
                "update": "large-margin",
                "signature": "2011",
                "lm_weight": 0.01,  # chosen on dev
            },
        ),
        (NAME, "The same with scaled scores and one beam (Zhang & Clark 2015)", {}),
    )
}
"""What sets a system apart from the usual settings stands in its presets."""
