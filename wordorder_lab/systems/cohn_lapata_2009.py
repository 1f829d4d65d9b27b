"""A trained tree transducer: it makes a sentence shorter, as a tree and as text.

Cohn & Lapata (2009): a grammar, weights of features, an n-gram model, and Algorithm 4.

Grammar: a synchronous tree substitution grammar read off pairs of trees (section 3.2). Features:
Table 2 and the log-probability of n-grams (section 4). Decoder: Algorithm 4 with cube pruning.
Learner: the structured SVM with a loss of section 3.6.

Differences
- *Our reading*, section 6.1: the paper's trigram model is trained on the BNC; here one may be
  given, and else the sources and targets of the training pairs are its text.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Self, cast

import numpy as np

from wordorder_lab.corpora.readers.penn import EXAMPLE, parse_tree
from wordorder_lab.models import file_parts as parts
from wordorder_lab.models.file_parts import BEYOND_REASON, Json, JsonView
from wordorder_lab.models.ngram import NGramModel
from wordorder_lab.structures.compression import Compression, prepared, presented
from wordorder_lab.structures.messages import MOST_HYPOTHESES, check_most, cited
from wordorder_lab.structures.phrase_tree import PhraseTree, phrase_nodes
from wordorder_lab.structures.plain_tree import Tree
from wordorder_lab.structures.trace import Trace
from wordorder_lab.systems.model import SearchingModel, templates_part
from wordorder_lab.systems.setting import SettingsClass, setting
from wordorder_lab.transduction.chart import StsgChart
from wordorder_lab.transduction.features import NGRAM_ID, RuleFeatures, application_scores
from wordorder_lab.transduction.grammar import SynchronousGrammar, grammar_of, origin_name
from wordorder_lab.transduction.problem import (
    BEAMS,
    SEARCHES,
    Beam,
    Transduced,
    TransductionInput,
    TransductionProblem,
    check_search,
    transduction_problem,
    with_application,
)
from wordorder_lab.transduction.templates import ALL, RuleTemplates, parse_templates

SYSTEM = "cohn-lapata-2009"
TRIED = 20
"""So many derivations are looked at for each of the k best trees, since many give the same tree."""


def read_beam(text: str) -> int | str:
    """A whole number from 0 up, or one of the beams that have a name."""
    return int(text) if text.isdecimal() else text


BEAM = f"items kept in a cell: N different ones and 2 N in all (0: no bound), or {', '.join(BEAMS)}"
BONUS = "points for each word of the output: longer outputs, or below 0 for shorter ones"
"""The help of settings."""


@dataclass(frozen=True)
class Search:
    """What may be set when a sentence is compressed."""

    beam: str | int = setting("experiments", BEAM, parse=read_beam, metavar="N")
    search: str = setting("cube", "cube pruning, or every combination", choices=SEARCHES)
    bonus: float = setting(0.0, BONUS, metavar="POINTS")


@dataclass(repr=False)
class CompressionModel(SearchingModel):
    """A trained model of ``cohn-lapata-2009``. ``weights`` are those of the features that
    ``features`` numbers, float64. ``settings`` are those of its training; ``settings["history"]``
    has a row an iteration of the learner."""

    SYSTEMS: ClassVar[tuple[str, ...]] = (SYSTEM,)
    WHOLE: ClassVar[str] = "weights"
    LEARNED: ClassVar[str] = "pairs"
    Search: ClassVar[SettingsClass] = Search

    grammar: SynchronousGrammar
    features: RuleFeatures
    weights: np.ndarray
    ngrams: NGramModel
    settings: JsonView = field(default_factory=dict)

    # --- compressing ------------------------------------------------------------------------

    def compress(
        self, tree: Tree | str, *, k: int = 1, trace: Trace | None = None, **search: Any
    ) -> Compression:
        """The shorter version of a sentence; ``search`` are ``engine`` and settings of the search.

        ``tree`` is a phrase-structure tree as ``wl.parse_tree`` reads it, or the brackets that it
        reads. ``k_best`` has up to ``k`` different trees. There is always a result: what the
        grammar never saw is copied or cut by the coverage rules. Threads may share the model, as
        those that ``order`` (``OrderingModel``).

        Raises ``ValueError`` for a tree with an empty node or a word without a tag, and for a
        setting that cannot be; ``TypeError`` for what is no tree.
        """
        tree = as_tree(tree)
        if not isinstance(k, int) or k < 1:
            raise ValueError(f"k ({cited(k)}) is a whole number from 1 up")
        check_most("k", k, MOST_HYPOTHESES)
        return self._compressed(tree, self.problem(tree), k, trace, search)

    def problem(self, tree: Tree | str) -> TransductionProblem:
        """A tree made ready for ``search``. Raises as ``compress``."""
        tree = as_tree(tree)
        phrase_nodes(tree)  # before anything walks down a tree that is too deep
        return transduction_problem(phrase_nodes(prepared(tree)), self.grammar)

    def _run(
        self, problem: TransductionProblem, chosen: Json, k: int, engine: str, trace: Trace | None
    ) -> Transduced:
        beam, search = search_of(chosen["beam"], chosen["search"])
        scores = self.scores(problem, chosen["bonus"])
        given = TransductionInput(problem, scores, self.ngrams, self.ngram_weight)
        if trace is not None:
            self._begin(problem, scores, beam, chosen["bonus"], trace)
        if engine == "reference":
            return StsgChart(given, beam, search, trace).run(k)
        from wordorder_lab.transduction.chart_fast import FastChart

        return FastChart(given, beam, search, trace).run(k)

    def words_out(self, problem: TransductionProblem, **search: Any) -> int:
        """How many words the best output has; ``search`` as in ``search``."""
        best = self.search(problem, **search).best[0]
        return len(problem.target_tree(best.applications).leaves())

    def scores(self, problem: TransductionProblem, bonus: float = 0.0) -> list[float]:
        """The score of each application; ``bonus`` is added for each of its target words."""
        scores = application_scores(self.features.rows(problem), self.weights)
        if not bonus:
            return list(scores)
        words = (_words(problem, a) for a in range(len(scores)))
        return [score + bonus * count for score, count in zip(scores, words)]

    @property
    def ngram_weight(self) -> float:
        """What the log-probability of the output's words counts."""
        return float(self.weights[NGRAM_ID])

    def check_search(self, chosen: Json) -> None:
        """Raise ``ValueError`` for a beam that cannot be."""
        search_of(chosen["beam"], chosen["search"])

    def swap(
        self,
        tree: Tree | str,
        node: int,
        application: int,
        trace: Trace | None = None,
        **search: Any,
    ) -> Compression:
        """The best output that uses this application: swap a rule at a node and see what changes.
        ``application`` is its number in ``problem(tree)``, ``node`` its source node; the rest is as
        in ``compress``. Raises ``ValueError`` where no output uses it there."""
        tree = as_tree(tree)
        problem = self.problem(tree)
        if not 0 <= application < len(problem.applications):
            raise ValueError(f"there is no application {application} in this tree")
        if problem.applications[application].node != node:
            raise ValueError(f"application {application} is not one of node {node}")
        only = with_application(problem, application)
        return self._compressed(tree, only, 1, trace, search)

    def drive(self, tree: Tree | str, **search: Any) -> Callable[[JsonView], Json]:
        """What answers the player's "what if this rule is used here": ``wl.play(log, drive=...)``;
        ``search`` are the settings of the search that was logged."""
        problem = self.problem(tree)

        def answer(question: JsonView) -> Json:
            number, there = question["application"], problem.applications
            if not 0 <= number < len(there) or there[number].rule.text != question["rule"]:
                return {"why": "this log is not of this tree and model"}
            try:
                swapped = self.swap(tree, question["node"], number, **search)
            except ValueError as error:
                return {"why": str(error)}
            return {"words": swapped.words, "score": swapped.score, "rules": list(swapped.rules)}

        return answer

    def _begin(
        self,
        problem: TransductionProblem,
        scores: list[float],
        beam: Beam,
        bonus: float,
        trace: Trace,
    ) -> None:
        """The events that say what is searched, with the points of every feature."""
        begin_trace(problem, scores, beam, trace)
        rows, names = self.features.rows(problem), self.features.names()
        for a in range(len(problem.applications)):
            for i in range(rows.starts[a], rows.starts[a + 1]):
                points = float(self.weights[rows.ids[i]]) * float(rows.values[i])
                if points:
                    trace.points(a, names[rows.ids[i]], points)
            if points := bonus * _words(problem, a):
                trace.points(a, "bonus for words", points)

    def _compressed(
        self,
        tree: Tree,
        problem: TransductionProblem,
        k: int,
        trace: Trace | None,
        search: JsonView,
    ) -> Compression:
        """The k best that differ as trees, told to the trace as well."""
        quiet = None if trace is None else cast(Trace, WithoutOutputs(trace))
        tried = k if k == 1 else TRIED * k
        found: Transduced = self.search(problem, k=tried, trace=quiet, **search)
        best: dict[str, Compression] = {}
        for one in found.best:
            target = problem.target_tree(one.applications)
            if len(best) == k or (brackets := str(target)) in best:
                continue
            if trace is not None:
                trace.compressed(len(best), one.score, list(one.applications), target.leaves())
            rules = tuple(problem.applications[a].rule.text for a in one.applications)
            shown = PhraseTree.convert(presented(target))
            best[brackets] = Compression(tree, shown, one.score, rules, found.counters)
        results = tuple(best.values())
        return replace(results[0], k_best=results)

    # --- the model file ---------------------------------------------------------------------

    def header(self) -> Json:
        """Templates, the names of the features that have weights, grammar and n-grams."""
        names = self.features.names()
        return {
            "templates": templates_part(self.features.templates.name, self.features.templates.text),
            "features": [names[i] for i in self._weighted()],
            "grammar": self.grammar.header(),
            "ngrams": self.ngrams.header(),
        }

    def arrays(self) -> dict[str, np.ndarray]:
        """The weights of these features, and the n-grams."""
        return {"weights": self.weights[self._weighted()], **self.ngrams.arrays()}

    def _weighted(self) -> list[int]:
        return [i for i in range(len(self.features)) if self.weights[i] or i == NGRAM_ID]

    @classmethod
    def of_parts(cls, header: JsonView, arrays: Mapping[str, np.ndarray]) -> Self:
        """The model of a whole file. Raises ``ValueError`` where its parts do not fit together.

        A file from before features could be left out was learned with all.
        """
        text, name = (header["templates"][part] for part in ("text", "name"))
        templates = parse_templates(text, name) if text else RuleTemplates(name, "", ())
        features = RuleFeatures(templates, parts.texts(header["features"], "features"))
        features.freeze()
        weights = weights_of(arrays, "weights", len(features))
        grammar = grammar_of(header["grammar"])
        ngrams = NGramModel.from_arrays(header["ngrams"], arrays)
        parts.exactly(arrays, ("weights", *ngrams.arrays()))
        return cls(grammar, features, weights, ngrams, {"features": ALL, **header["settings"]})


def as_tree(given: Tree | str) -> Tree:
    """A tree, or that of its brackets. Raises ``ValueError`` for brackets that hold no tree,
    ``TypeError`` for anything else."""
    if isinstance(given, Tree):
        return given
    if isinstance(given, str):
        return parse_tree(given)
    raise TypeError(
        f"a tree is wanted, as wl.parse_tree('{EXAMPLE}') reads it, or such brackets; "
        f"{type(given).__name__} is neither"
    )


def weights_of(arrays: Mapping[str, np.ndarray], name: str, length: int) -> np.ndarray:
    """An array of weights. Raises ``ValueError`` where it has another length or is no such."""
    weights: np.ndarray = parts.row(arrays, name, np.float64, length)
    parts.in_range(weights, name, -BEYOND_REASON, BEYOND_REASON)
    return weights


def _words(problem: TransductionProblem, application: int) -> int:
    """How many words an application puts out."""
    return len([1 for sign in problem.yields[application] if isinstance(sign, str)])


# --- the settings of a search, and the events before it begins -----------------------------


def beam_of(beam: str | int) -> Beam:
    """A beam by its name, or N unique items and 2 N in all; ``ValueError`` for anything else."""
    if isinstance(beam, str) and beam in BEAMS:
        return BEAMS[beam]
    if isinstance(beam, int) and not isinstance(beam, bool) and beam >= 0:
        check_most("a beam of", beam, MOST_HYPOTHESES)
        return Beam(beam, 2 * beam)
    raise ValueError(f"no beam {cited(beam)}: a whole number from 0 up, or {', '.join(BEAMS)}")


def search_of(beam: str | int, search: str) -> tuple[Beam, str]:
    """What a decoder takes; an exhaustive search has no bound for all items."""
    chosen = beam_of(beam)
    if search == "exhaustive":
        chosen = Beam(chosen.unique, 0)
    check_search(search, chosen)
    return chosen, search


class WithoutOutputs:
    """A trace that leaves out the decoder's outputs: of several for one tree only one is told."""

    def __init__(self, trace: Trace) -> None:
        self._trace = trace

    def __getattr__(self, kind: str) -> Callable[..., None]:
        tell: Callable[..., None] = getattr(self._trace, kind)
        return (lambda *_: None) if kind == "compressed" else tell


def begin_trace(
    problem: TransductionProblem, scores: Sequence[float], beam: Beam, trace: Trace
) -> None:
    """Tell a trace of the source tree and of what matches where."""
    nodes = problem.nodes
    words = nodes.leaves
    trace.begin(words, [1] * len(words), len(problem.applications), beam.unique)
    trace.source(list(nodes.labels), list(nodes.parents), list(nodes.words))
    for a, one in enumerate(problem.applications):
        rule = one.category, one.rule.text, origin_name(one.origin)
        trace.application(a, one.node, *rule, list(one.children), list(one.deleted), scores[a])
