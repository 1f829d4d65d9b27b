"""``mcdonald-2006``: compression by deletion, with bigrams of kept words scored discriminatively.

McDonald (2006), Discriminative sentence compression with soft syntactic evidence (EACL): the score
of a compression is that of its bigrams (``deletion/features``), the best one is found by Viterbi
(``deletion/lattice``), weights are learned by k-best MIRA (``deletion/mira``); k and the number of
epochs are ours.

Differences
- *Our reading*: the paper was not at hand. ``rate`` is a length for each sentence,
  the share of its words rounded to the nearest number; ``bonus`` moves the rate of all together.
- *Our reading*: a pair whose shorter version is no part of its sentence cannot be
  learned from and is left out; ``settings["no_deletion"]`` counts them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np
from nltk.tree import Tree

from wordorder_lab.deletion.features import DeletionFeatures, Key, SentenceParts
from wordorder_lab.deletion.lattice import MOST_LENGTH, Path, check, tell
from wordorder_lab.deletion.mira import REFERENCE, Engine, Example, Mira, MiraWeights
from wordorder_lab.deletion.templates import (
    USUAL,
    DeletionTemplates,
    load_deletion_templates,
    parse_deletion_templates,
)
from wordorder_lab.models.file_parts import (
    BEYOND_REASON,
    Json,
    JsonView,
    exactly,
    in_range,
    row,
    rows,
    whole,
)
from wordorder_lab.runtime.progress import progress_bar
from wordorder_lab.structures.compression import CompressionPair, presented
from wordorder_lab.structures.deletion import Deletion, DeletionSentence, kept_of
from wordorder_lab.structures.messages import MOST_HYPOTHESES, cited
from wordorder_lab.structures.phrase_tree import PhraseTree, pruned
from wordorder_lab.structures.trace import Trace
from wordorder_lab.systems import usual_settings as usual
from wordorder_lab.systems.cohn_lapata_2009 import as_tree
from wordorder_lab.systems.model import (
    TrainedModel,
    choose_engine,
    templates_of,
    templates_part,
)
from wordorder_lab.systems.setting import Chosen, SettingsClass, setting
from wordorder_lab.systems.system import System
from wordorder_lab.systems.training_run import TrainingOptions, TrainingRun

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
    Search: ClassVar[SettingsClass] = Search

    features: DeletionFeatures
    weights: np.ndarray
    settings: JsonView = field(default_factory=dict)

    # --- compressing ------------------------------------------------------------------------

    def compress(
        self,
        tree: Tree | str | DeletionSentence,
        *,
        k: int = 1,
        engine: str | None = None,
        trace: Trace | None = None,
        **search: object,
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
        **settings: object,
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

    def check_search(self, chosen: Chosen) -> None:
        """Raise ``ValueError`` for a length beside a rate."""
        check_lengths(chosen)

    # --- the model file ---------------------------------------------------------------------

    def header(self) -> Json:
        """Templates, and the features that have weights."""
        keys = [*self.features.numbers]
        return {
            "templates": templates_part(self.features.templates),
            "features": [list(keys[i]) for i in self._weighted()],
        }

    def arrays(self) -> dict[str, np.ndarray]:
        """The weights of these features."""
        return {"weights": self.weights[self._weighted()]}

    def _weighted(self) -> list[int]:
        return [int(i) for i in np.flatnonzero(self.weights)]

    @classmethod
    def of_parts(cls, header: JsonView, arrays: Mapping[str, np.ndarray]) -> Self:
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


def _key(entry: object, templates: DeletionTemplates) -> Key:
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


def check_lengths(chosen: Chosen) -> None:
    """Raise ``ValueError`` for a length beside a rate."""
    if chosen["length"] is not None and chosen["rate"] is not None:
        raise ValueError("a length and a rate say the same in two ways: leave one of them out")


def wanted_length(words: int, chosen: Chosen) -> int | None:
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


CHUNK = 64
"""Pairs a call of the learner, so that Ctrl-C is heard and the bar moves."""


@dataclass(frozen=True)
class Settings:
    """What a training depends on, beside its pairs.

    ``k_best``: with how many compressions the right one is compared; ``C``: the most that one of
    them moves the weights (0: no bound); ``templates`` names those of the features.
    """

    k_best: int = setting(
        5,
        "with how many outputs of its own the right one is compared",
        minimum=1,
        maximum=MOST_HYPOTHESES,
        metavar="N",
    )
    C: float = setting(
        0.0, "the most that one output moves the weights (0: no bound)", minimum=0, metavar="X"
    )
    epochs: int = usual.epochs(10)
    seed: int = usual.seed()
    shuffle: bool = usual.shuffle(True)
    templates: str = usual.templates(USUAL)

    def check(self) -> None:
        """Raise ``ValueError`` for no such templates."""
        load_deletion_templates(self.templates)


def learn(
    pairs: Sequence[CompressionPair],
    settings: Settings,
    options: TrainingOptions,
    kind: type[DeletionModel] = DeletionModel,
) -> DeletionModel:
    """Learn which words to delete from pairs; ``kind`` is what the weights become a model of.

    Learned is the first reference of each pair, if it is a part of the sentence; of a corpus with
    several, give a pair for each. Raises ``ModelError`` for a checkpoint of other settings or
    pairs.
    """
    run = _Run(pairs, settings, options)
    run.kind = kind
    run.go(options)
    return run.model()


class _Run(TrainingRun[DeletionModel]):
    """One training run: the pairs in the form that the learner takes, and the learner."""

    system = SYSTEM
    chunk = CHUNK
    kind: type[DeletionModel] = DeletionModel

    def __init__(
        self,
        pairs: Sequence[CompressionPair],
        settings: Settings,
        options: TrainingOptions,
    ) -> None:
        self.settings, self.about = settings, dict(options.about or {})
        self.features = DeletionFeatures(load_deletion_templates(settings.templates))
        learned, self.counts = examples_of(pairs, self.features, options.progress)
        if not learned:
            raise ValueError(
                f"none of the {len(pairs):,} pairs is a deletion: the words of the first reference "
                "have to be words of the sentence, in its order"
            )
        self.features.freeze()
        self.sentences: Any = learned  # what TrainingRun goes through
        bound = settings.C or float("inf")
        self.digest = _digest(learned, self.features)
        size = len(self.features)
        self.learner = Mira(learned, size, settings.k_best, bound, engine_of(options.engine))

    def model(self) -> DeletionModel:
        """The model of this moment, its weights averaged."""
        told = {**self.about, **asdict(self.settings), **self.counts}
        return self.kind(self.features, self.learner.raw().averaged(), told)

    def identity(self) -> Json:
        """What a checkpoint must have in common with this run."""
        fixed = {name: value for name, value in asdict(self.settings).items() if name != "epochs"}
        templates = self.features.templates.text
        return {"settings": fixed, "pairs": self.digest, "templates": templates}

    def raw(self, arrays: dict[str, np.ndarray], examples: int) -> MiraWeights:
        """The weights of a checkpoint. Raises ``ValueError`` where they are none of this run."""
        exactly(arrays, ("w", "u"))
        w, u = (row(arrays, name, np.float64, len(self.features)) for name in ("w", "u"))
        for name, array in (("w", w), ("u", u)):
            in_range(array, name, -BEYOND_REASON, BEYOND_REASON)
        return MiraWeights(w, u, examples)


def examples_of(
    pairs: Sequence[CompressionPair], features: DeletionFeatures, progress: bool = False
) -> tuple[list[Example], dict[str, int]]:
    """The pairs as examples, and how many there are and were left out.

    Pairs of one sentence, by several annotators, share its parts.
    """
    made: dict[str, tuple[SentenceParts, tuple[str, ...]]] = {}
    examples = []
    counts = {"pairs": 0, "no_deletion": 0, "too_long": 0}
    shown = progress_bar(pairs, desc="features", wanted=progress, delay=2, leave=False)
    for pair in shown:
        kept = kept_of(pair)
        if kept is None:
            counts["no_deletion"] += 1
            continue
        if len(pair.source.leaves()) > MOST_LENGTH:
            counts["too_long"] += 1
            continue
        tree = str(pair.source)
        if tree not in made:
            sentence = DeletionSentence.of_tree(pair.source)
            made[tree] = features.parts(sentence), sentence.words
        parts, words = made[tree]
        examples.append(Example(parts, kept, words))
    return examples, {**counts, "pairs": len(examples)}


def _digest(examples: Sequence[Example], features: DeletionFeatures) -> str:
    """A checksum of what is learned from: two checkpoints that differ in it are strangers."""
    digest = hashlib.sha256(repr([*features.numbers]).encode("utf-8", "surrogateescape"))
    for parts, gold, _ in examples:
        digest.update(repr(gold).encode())
        digest.update(parts.ids.tobytes())
        digest.update(parts.starts.tobytes())
    return digest.hexdigest()


SYSTEMS = {
    SYSTEM: System(
        "Sentence compression by deletion, bigram by bigram (McDonald 2006)",
        Settings,
        learn,
        DeletionModel,
        takes_options=True,
    )
}
