"""Best-first CCG word ordering: "zhang-clark-2011", "zhang-blackwood-clark-2012" and
"zhang-clark-2015-ccg".

Zhang & Clark (2011), Syntax-Based Grammaticality Improvement using CCG and Guided Search; Zhang,
Blackwood & Clark (2012), Syntax-Based Word Ordering Incorporating a Large-Scale Language Model;
Zhang & Clark (2015), Discriminative Syntax-Based Word Ordering for Text Generation. Task: a bag of
words, tags given or not, some of which may be left out or used again. Grammar:
``best_first/ccg_rules``, read off the training derivations, and ``best_first/category_dictionary``.
Features: Table 1. Decoder: ``best_first/ccg``. Learner: ``best_first/guided_learning``. What sets
the three apart is in their training (``PRESETS`` there), and the default output, which is that of
2011 in the first two.

Differences. The language model of 2012 is left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Self

from wordorder_lab.best_first.category_dictionary import CategoryDictionary
from wordorder_lab.best_first.ccg import BestFirstCCG
from wordorder_lab.best_first.ccg_rules import BagCounts, CCGRules
from wordorder_lab.best_first.ccg_templates import parse_ccg_templates
from wordorder_lab.best_first.chart import SIGNATURES, check_signature
from wordorder_lab.best_first.default_output import JOIN_2015, PAIRS_2011
from wordorder_lab.best_first.drive import Drive
from wordorder_lab.best_first.keys import EdgeKeys
from wordorder_lab.best_first.ordering import Ordering
from wordorder_lab.best_first.packed_weights import PackedEdgeWeights
from wordorder_lab.best_first.settings import SearchSettings
from wordorder_lab.best_first.templates import EdgeTemplates
from wordorder_lab.models.tag_dictionary import TagDictionary
from wordorder_lab.structures.bag import WordBag
from wordorder_lab.structures.problem import Lexicon, OrderingProblem
from wordorder_lab.structures.trace import Trace
from wordorder_lab.systems.best_first_model import CHOICES, BestFirstModel
from wordorder_lab.systems.best_first_model import SEARCH as SEARCH_ALL

ZHANG_CLARK_2011 = "zhang-clark-2011"
ZHANG_2012 = "zhang-blackwood-clark-2012"
NAME = "zhang-clark-2015-ccg"

SEARCH = (*SEARCH_ALL, "signature")
"""What may be set when a bag is ordered."""


@dataclass(repr=False)
class CCGModel(BestFirstModel):
    """A trained model of one of the three systems above: rules, lexical categories, weights."""

    SYSTEMS: ClassVar[tuple[str, ...]] = (ZHANG_CLARK_2011, ZHANG_2012, NAME)
    CHOICES: ClassVar[Mapping[str, Sequence[str]]] = {**CHOICES, "signature": SIGNATURES}

    rules: CCGRules = field(kw_only=True)
    categories: CategoryDictionary = field(kw_only=True)

    def problem(self, bag: WordBag) -> OrderingProblem:
        """A bag made ready: every unit has its tags, and with each its lexical categories.

        Raises ``ValueError`` for a unit without any category, and if heads are given.
        """
        problem = super().problem(bag)
        BagCounts(problem)
        return problem

    @property
    def lexicon(self) -> Lexicon:
        """What looks up the lexical categories of words."""
        return self.categories.lookup

    def decoder(
        self, problem: OrderingProblem, settings: SearchSettings, trace: Trace | None = None
    ) -> BestFirstCCG:
        """The reference engine's search on a bag. Raises ``ValueError`` if heads are given."""
        features = self.keys.templates, self.weight()
        return BestFirstCCG(problem, *features, settings, trace, rules=self.rules)

    def fast_decoder(self, table: Any) -> Any:
        """The fast engine's search, for all bags."""
        from wordorder_lab.best_first.ccg_fast import FastCCGSearch

        return FastCCGSearch(self.keys, table, rules=self.rules)

    def assigner(
        self, bag: WordBag, problem: OrderingProblem
    ) -> Callable[[Ordering], Sequence[int]]:
        """Which unit of the bag each word of an output is."""
        return lambda found: assign_units(bag, problem, found.items)

    def usual_search(self) -> dict[str, Any]:
        """The settings of a search of which nothing is said."""
        signature = self.settings.get("signature", SIGNATURES[0])
        default = JOIN_2015 if self.system == NAME else PAIRS_2011
        return super().usual_search() | {"default": default, "signature": signature}

    def drive(self, bag: WordBag) -> Drive:
        """What the rules make of two edges of a search, for ``wl.play(log, drive=...)``."""
        return Drive(self.decoder(self.problem(bag), self.chosen_search(beam=0)))

    def grammar(self) -> dict[str, Any]:
        """Rules and lexical categories, for the model file."""
        return {"rules": self.rules.rows(), "categories": self.categories.entries()}

    @classmethod
    def of_header(cls, header: Mapping[str, Any], weights: PackedEdgeWeights) -> Self:
        """The model of a whole file."""
        templates = parse_ccg_templates(header["templates"]["text"], header["templates"]["name"])
        rules = CCGRules.from_rows(header["rules"])
        for rule in rules:
            if len(rule.children) > 2 or rule.head not in range(len(rule.children)):
                raise ValueError(f"the rule {rule} has not one or two children and a head")
        check_signature(header["settings"].get("signature", SIGNATURES[0]))
        categories = CategoryDictionary.from_entries(header["categories"])
        return cls(
            header["system"],
            keys_of(templates, header["words"], header["tags"], rules, categories),
            TagDictionary.from_entries(header["dictionary"]),
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
