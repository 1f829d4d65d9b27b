"""A look at what two systems make of the same sentences: outputs, and the spans they put together.

Liu et al. 2015, section 4.3. What a "span" is has two readings, and a search has many more spans
than its outcome; so each row of an experiment says in ``spans`` which ones it counts:

    made         everything that the search put together: all edges, all candidates
    kept         of these the edges that entered the chart (or were a goal), the states that entered
                 a beam
    derivation   what the derivation of the output put together
    tree         what hangs below each word of the output's tree

Gold beside the first three is the derivation of the gold tree, beside the last the gold tree.
``least_units`` is 1 where single units are counted, too, and 2 where they are not.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from wordorder_lab.experiments.evaluate import LIMITS, as_in_training
from wordorder_lab.experiments.run import map_in_order
from wordorder_lab.experiments.run_settings import for_search
from wordorder_lab.experiments.span_trace import SpanTrace
from wordorder_lab.metrics.spans import Span, built_spans, derivation_spans, subtree_spans
from wordorder_lab.structures.ordering_task import bag_of
from wordorder_lab.structures.result import Result
from wordorder_lab.structures.sentence import Sentence
from wordorder_lab.systems.ordering_model import OrderingModel

MADE, KEPT, DERIVATION, TREE = "made", "kept", "derivation", "tree"


class Looked(NamedTuple):
    """A sentence, what came of its bag, and the spans of the search, if they were asked for."""

    sentence: Sentence
    result: Result
    search: SpanTrace | None = None

    @property
    def timed_out(self) -> bool:
        """Whether a limit stopped the search."""
        return self.result.stopped in LIMITS

    def spans(self, which: str, least: int = 1) -> list[Span]:
        """The spans that were kept, of the derivation, or of the tree; not those only made.

        Raises ``ValueError`` for other spans, and for those of a search that nobody looked at.
        """
        units = self.result.units
        if which == DERIVATION:
            return derivation_spans(units, self.result.actions, least)
        if which == TREE:
            return subtree_spans(units, self.result.tree.heads, least)
        if which != KEPT or self.search is None:
            raise ValueError(f"the words of the spans {which!r} are not known here")
        return [span for span in self.search.spans if span.units >= least]

    def gold(self, which: str, least: int = 1) -> list[Span]:
        """The gold spans beside them."""
        tokens = self.sentence.tokens
        units, heads = [one.words for one in tokens], [one.head for one in tokens]
        return (subtree_spans if which == TREE else built_spans)(units, heads, least)


def looks(
    model: OrderingModel,
    sentences: Sequence[Sentence],
    run: Mapping[str, Any] | None = None,
    trace: bool = True,
) -> Iterator[Looked]:
    """Order the bag of each sentence as in training, with or without the spans of its search.

    ``run`` has settings of the search, as in a specification. Raises as ``model.order``.
    """
    given = as_in_training(model, pos=None, deps=None, seed=None)
    run = run or {}
    how = {"engine": run.get("engine"), **model.search_settings(**for_search(run))}
    return map_in_order(partial(_look, model, given, how, trace), sentences, what="ordering")


def _look(
    model: OrderingModel,
    given: Mapping[str, Any],
    how: Mapping[str, Any],
    trace: bool,
    sentence: Sentence,
) -> Looked:
    spans = SpanTrace() if trace else None
    return Looked(sentence, model.order(bag_of(sentence, **given), trace=spans, **how), spans)
