"""``mcdonald-2006``: compression by deletion, with bigrams of kept words scored discriminatively.

McDonald (2006), Discriminative sentence compression with soft syntactic evidence (EACL): the score
of a compression is that of its bigrams (``deletion/features``), the best one is found by Viterbi
(``deletion/lattice``), weights are learned by k-best MIRA (``deletion/mira``).

Differences
- *Our reading*: the paper was not at hand. ``rate`` is a length for each sentence,
  the share of its words rounded to the nearest number; ``bonus`` moves the rate of all together.
- *Our reading*: a pair whose shorter version is no part of its sentence cannot be
  learned from and is left out; ``settings["no_deletion"]`` counts them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np
from nltk.tree import Tree

from wordorder_lab.deletion.features import DeletionFeatures, Key
from wordorder_lab.deletion.lattice import Path, check, tell
from wordorder_lab.deletion.mira import REFERENCE, Engine
from wordorder_lab.deletion.templates import DeletionTemplates, parse_deletion_templates
from wordorder_lab.models.file_parts import BEYOND_REASON, exactly, in_range, row, rows, whole
from wordorder_lab.structures.compression import presented
from wordorder_lab.structures.deletion import Deletion, DeletionSentence
from wordorder_lab.structures.messages import cited
from wordorder_lab.structures.phrase_tree import PhraseTree, pruned
from wordorder_lab.structures.trace import Trace
from wordorder_lab.systems.cohn_lapata_2009 import as_tree
from wordorder_lab.systems.model import TrainedModel, choose_engine, templates_of
from wordorder_lab.systems.setting import setting

SYSTEM = "mcdonald-2006"
BONUS = "points for each word of the output: longer outputs, or below 0 for shorter ones"
"""The help of that setting."""


class DeletionProblem(NamedTuple):
    """A sentence made ready for the search: the scores of its bigrams are known."""

    sentence: DeletionSentence
    scores: np.ndarray


@dataclass(frozen=True)
class Search:
    """What may be set when a sentence is compressed."""

    bonus: float = setting(0.0, BONUS, metavar="POINTS")
    length: int | None = setting(None, "just so many words stay", minimum=1, metavar="N")
    rate: float | None = setting(
        None,
        "this fraction of the words stays, rounded to whole words",
        above=0,
        maximum=1,
        metavar="SHARE",
    )


@dataclass(repr=False)
class DeletionModel(TrainedModel):
    """A trained model that deletes words.

    ``weights`` are those of the features that ``features`` numbers, float64. ``settings`` are those
    of its training.
    """

    SYSTEMS: ClassVar[tuple[str, ...]] = (SYSTEM,)
    WHOLE: ClassVar[str] = "weights"
    LEARNED: ClassVar[str] = "pairs"
    Search: ClassVar[type[Any]] = Search

    features: DeletionFeatures
    weights: np.ndarray
    settings: Mapping[str, Any] = field(default_factory=dict)
    system: str = SYSTEM

    # --- compressing ------------------------------------------------------------------------

    def compress(
        self,
        tree: Tree | str | DeletionSentence,
        *,
        k: int = 1,
        engine: str | None = None,
        trace: Trace | None = None,
        **search: Any,
    ) -> Deletion:
        """The shorter version of a sentence; ``search`` are settings as ``search_settings`` takes.

        ``tree`` is a tree, its brackets, or a sentence with tags and perhaps without a tree.
        ``bonus`` is added for every kept word; ``length`` is how many words stay, ``rate`` the
        share of them, rounded to whole words, one at least. ``k_best`` has up to ``k`` outputs.

        Raises ``ValueError`` for a tree with an empty node or a word without a tag, and for a
        setting that cannot be; ``TypeError`` for what is no tree and no ``DeletionSentence``.
        """
        return self.outputs(self.problem(tree, engine), k=k, engine=engine, trace=trace, **search)

    def problem(
        self, given: Tree | str | DeletionSentence, engine: str | None = None
    ) -> DeletionProblem:
        """A sentence made ready. Raises as ``compress``."""
        sentence = sentence_of(given)
        return DeletionProblem(sentence, self.bigram_scores(sentence, engine))

    def bigram_scores(self, sentence: DeletionSentence, engine: str | None = None) -> np.ndarray:
        """The score of keeping one word straight after another: float64 of shape (n + 2, n + 2).

        ``scores[i, j]`` is for positions i < j, 0 the start and n + 1 the end.
        """
        parts = self.features.parts(sentence)
        return engine_of(engine).bigram_scores(parts, self.weights)

    def outputs(self, problem: DeletionProblem, **how: Any) -> Deletion:
        """The best outputs of a problem; ``how`` as in ``compress``."""
        return deletion_of(problem.sentence, self.search(problem, **how))

    def search(
        self,
        problem: DeletionProblem,
        *,
        k: int = 1,
        engine: str | None = None,
        trace: Trace | None = None,
        **settings: Any,
    ) -> list[Path]:
        """The decoder alone, with ``settings`` as ``search_settings`` takes them."""
        chosen = self.search_settings(**settings)
        words, length = problem.sentence.words, wanted_length(len(problem.sentence), chosen)
        check(problem.scores, k, length, traced=trace is not None)
        begin_trace(problem.sentence, k, trace)
        how = {"k": k, "bonus": float(chosen["bonus"]), "length": length, "trace": trace}
        found = engine_of(engine).best_paths(problem.scores, **how)
        tell(found, trace, words)
        return found

    def words_out(self, problem: DeletionProblem, **how: Any) -> int:
        """How many words the best output has."""
        return len(self.search(problem, **how)[0].kept)

    def check_search(self, chosen: dict[str, Any]) -> None:
        """Raise ``ValueError`` for a length beside a rate."""
        check_lengths(chosen)

    # --- the model file ---------------------------------------------------------------------

    def header(self) -> dict[str, Any]:
        """Templates, and the features that have weights."""
        templates = self.features.templates
        keys = [*self.features.numbers]
        return {
            "templates": {"name": templates.name, "text": templates.text},
            "features": [list(keys[i]) for i in self._weighted()],
        }

    def arrays(self) -> dict[str, np.ndarray]:
        """The weights of these features."""
        return {"weights": self.weights[self._weighted()]}

    def _weighted(self) -> list[int]:
        return [int(i) for i in np.flatnonzero(self.weights)]

    @classmethod
    def of_parts(cls, header: Mapping[str, Any], arrays: Mapping[str, np.ndarray]) -> Self:
        """The model of a whole file. Raises ``ValueError`` where its parts do not fit together."""
        templates = templates_of(header, parse_deletion_templates)
        keys = [_key(entry, templates) for entry in rows(header["features"], "features")]
        if len({*keys}) != len(keys):
            raise ValueError("a feature has two weights")
        weights = row(arrays, "weights", np.float64, len(keys))
        in_range(weights, "weights", -BEYOND_REASON, BEYOND_REASON)
        exactly(arrays, ("weights",))
        features = DeletionFeatures(templates, keys)
        features.freeze()
        return cls(features, weights, dict(header["settings"]))


def _key(entry: Any, templates: DeletionTemplates) -> Key:
    """A feature of a header. Raises ``ValueError`` for what is none."""
    number, *values = rows(entry, "a feature") or [-1]
    template = templates.every[whole(number, "a template", 0, len(templates) - 1)]
    if len(values) != len(template.atoms) or not all(isinstance(v, str) and v for v in values):
        raise ValueError(f"a feature of the template {cited(template.name)} has other values")
    return (number, *values)


# --- what those that delete words have in common ---------------------------------------------


def sentence_of(given: Tree | str | DeletionSentence) -> DeletionSentence:
    """The sentence that somebody means; raises as ``DeletionModel.compress``."""
    if isinstance(given, DeletionSentence):
        return given
    return DeletionSentence.of_tree(as_tree(given))


def deletion_of(
    sentence: DeletionSentence, paths: Sequence[Path], more: Mapping[str, int] | None = None
) -> Deletion:
    """The outputs as their reader gets them, a capital at the beginning; ``more`` are counters.

    Words stay as they are where they still begin the sentence.
    """
    outputs = []
    source = sentence.words if sentence.source is None else tuple(sentence.source.leaves())
    for path in paths:
        tree, words = None, tuple(presented([sentence.words[i] for i in path.kept]))
        if sentence.tree is not None:
            tree = PhraseTree.convert(presented(pruned(sentence.tree, {*path.kept})))
            words = tuple(tree.leaves())
        outputs.append(Deletion(path.kept, words, source, path.score, tree))
    size = len(sentence)
    counters = {"bigrams": (size + 1) * (size + 2) // 2 - 1, **(more or {})}
    best = tuple(replace(one, counters=counters) for one in outputs)
    return replace(best[0], k_best=best)


def begin_trace(sentence: DeletionSentence, k: int, trace: Trace | None) -> None:
    """Tell a trace which sentence is searched, and its tree."""
    if trace is not None:
        words = list(sentence.words)
        trace.begin(words, [1] * len(words), len(words), k)
        if (nodes := sentence.nodes) is not None:
            trace.source(list(nodes.labels), list(nodes.parents), list(nodes.words))


def check_lengths(chosen: Mapping[str, Any]) -> None:
    """Raise ``ValueError`` for a length beside a rate."""
    if chosen["length"] is not None and chosen["rate"] is not None:
        raise ValueError("a length and a rate say the same in two ways: leave one of them out")


def wanted_length(words: int, chosen: Mapping[str, Any]) -> int | None:
    """How many of so many words stay, if that is set.

    Raises ``ValueError`` for more than there are.
    """
    if chosen["rate"] is not None:
        return max(1, int(chosen["rate"] * words + 0.5))
    length: int | None = chosen["length"]
    if length is not None and length > words:
        raise ValueError(f"{length} words cannot stay of {words}: give --length up to {words}")
    return length


def engine_of(name: str | None) -> Engine:
    """The functions of an engine; ``ValueError`` as ``choose_engine``."""
    return REFERENCE if choose_engine(name) == "reference" else _fast()


def _fast() -> Engine:
    from wordorder_lab.deletion.features_fast import fast_bigram_scores
    from wordorder_lab.deletion.lattice_fast import fast_best_paths
    from wordorder_lab.deletion.mira import CLOSE, MOST_STEPS
    from wordorder_lab.deletion.mira_fast import FastMove

    def best_paths(scores: np.ndarray, k: int = 1, **how: Any) -> list[Path]:
        check(scores, k, how.get("length"), traced=how.get("trace") is not None)
        return [Path(*found) for found in fast_best_paths(scores, k, **how)]

    return Engine(fast_bigram_scores, best_paths, FastMove(CLOSE, MOST_STEPS))
