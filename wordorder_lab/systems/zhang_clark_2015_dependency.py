"""The systems "zhang-clark-2015-dependency" and "zhang-2013": best-first dependency word ordering.

Zhang & Clark (2015), Discriminative Syntax-Based Word Ordering for Text Generation, and Zhang
(2013), Partial-Tree Linearization. Task: a bag of words, tags given or not. Grammar:
``best_first/dependency_links``. Features: the 2015 paper's Table 2. Decoder:
``best_first/dependency``. Learner: ``best_first/guided_learning``. The two differ in the settings
of their training alone (``PRESETS`` there): a model of either is ordered with by the same code.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from wordorder_lab.best_first.dependency import BestFirstDependency
from wordorder_lab.best_first.dependency_links import DependencyLinks
from wordorder_lab.best_first.dependency_templates import parse_edge_templates
from wordorder_lab.best_first.drive import Drive
from wordorder_lab.best_first.keys import EdgeKeys
from wordorder_lab.best_first.ordering import Ordering
from wordorder_lab.best_first.packed_weights import PackedEdgeWeights
from wordorder_lab.best_first.settings import SearchSettings
from wordorder_lab.models.tag_dictionary import TagDictionary
from wordorder_lab.structures.bag import WordBag
from wordorder_lab.structures.problem import OrderingProblem
from wordorder_lab.structures.trace import Trace
from wordorder_lab.systems.best_first_model import EXPANSIONS, SEARCH, BestFirstModel
from wordorder_lab.transition.actions import check_knots

__all__ = ["EXPANSIONS", "NAME", "SEARCH", "ZHANG_2013", "DependencyModel"]

NAME = "zhang-clark-2015-dependency"
ZHANG_2013 = "zhang-2013"


@dataclass(repr=False)
class DependencyModel(BestFirstModel):
    """A trained model of one of the two systems above."""

    SYSTEMS: ClassVar[tuple[str, ...]] = (NAME, ZHANG_2013)

    def problem(self, bag: WordBag) -> OrderingProblem:
        """A bag made ready. Raises ``ValueError`` for orders that no tree with its heads allows."""
        problem = super().problem(bag)
        check_knots(problem)
        return problem

    def decoder(
        self, problem: OrderingProblem, settings: SearchSettings, trace: Trace | None = None
    ) -> BestFirstDependency:
        """The reference engine's search on a bag."""
        return BestFirstDependency(problem, self.keys.templates, self.weight(), settings, trace)

    def fast_decoder(self, table: Any) -> Any:
        """The fast engine's search, for all bags."""
        from wordorder_lab.best_first.dependency_fast import FastDependencySearch

        return FastDependencySearch(self.keys, table)

    def assigner(
        self, bag: WordBag, problem: OrderingProblem
    ) -> Callable[[Ordering], Sequence[int]]:
        """Which unit of the bag each word of an output is."""
        links = DependencyLinks(problem)
        return lambda found: links.assign_units(found.items, found.heads)

    def drive(self, bag: WordBag) -> Drive:
        """What two edges of a search on this bag make, for ``wl.play(log, drive=...)``."""
        return Drive(self.decoder(super().problem(bag), self.chosen_search(beam=0)))

    @classmethod
    def of_header(cls, header: Mapping[str, Any], weights: PackedEdgeWeights) -> Self:
        """The model of a whole file."""
        templates = parse_edge_templates(header["templates"]["text"], header["templates"]["name"])
        return cls(
            header["system"],
            EdgeKeys(templates, tuple(header["words"]), tuple(header["tags"])),
            TagDictionary.from_entries(header["dictionary"]),
            weights,
            dict(header["settings"]),
        )
