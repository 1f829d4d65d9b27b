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
from typing import Any, ClassVar, NamedTuple, Self, TypeAlias

import numpy as np

from wordorder_lab.deletion.constraints import Constraint
from wordorder_lab.deletion.features import DeletionFeatures, Key, SentenceParts
from wordorder_lab.deletion.lattice import MOST_LENGTH, Path, check, tell
from wordorder_lab.deletion.mira import REFERENCE, Engine, Example, Mira, MiraWeights
from wordorder_lab.deletion.reasons import BigramReasons
from wordorder_lab.deletion.templates import (
    USUAL,
    DeletionTemplates,
    load_deletion_templates,
    parse_deletion_templates,
)
from wordorder_lab.models import file_parts as parts
from wordorder_lab.models.file_parts import Json, JsonView
from wordorder_lab.runtime.progress import progress_bar
from wordorder_lab.structures.compression import CompressionPair, presented
from wordorder_lab.structures.deletion import Deletion, DeletionSentence, kept_of
from wordorder_lab.structures.messages import MOST_HYPOTHESES, cited
from wordorder_lab.structures.phrase_tree import PhraseTree, pruned
from wordorder_lab.structures.plain_tree import Tree
from wordorder_lab.structures.reasons import Reasons
from wordorder_lab.structures.trace import Event, Trace
from wordorder_lab.systems import model as common
from wordorder_lab.systems.cohn_lapata_2009 import BONUS, as_tree, weights_of
from wordorder_lab.systems.setting import Chosen, SettingsClass, setting, usual
from wordorder_lab.systems.system import System
from wordorder_lab.systems.training_run import TrainingOptions, TrainingRun

SYSTEM = "mcdonald-2006"

Given: TypeAlias = Tree | str | DeletionSentence
"""What is compressed: a tree, its brackets, or a sentence with tags and perhaps without a tree."""


class DeletionProblem(NamedTuple):
    """A sentence made ready for the search: the scores of its bigrams are known. Of an integer
    programme there are ``rows`` besides, those that are never given up (``always``), and perhaps
    points for each word, its ``significance``."""

    sentence: DeletionSentence
    scores: np.ndarray
    significance: tuple[float, ...] = ()
    rows: tuple[Constraint, ...] = ()
    always: tuple[Constraint, ...] = ()


@dataclass(frozen=True)
class Search:
    """What may be set when a sentence is compressed."""

    bonus: float = setting(0.0, BONUS, metavar="POINTS")
    length: int | None = setting(None, "just so many words stay", minimum=1)
    rate: float | None = setting(
        None,
        "this fraction of the words stays, rounded to whole words",
        above=0,
        maximum=1,
        metavar="SHARE",
    )


class DeletingModel(common.SearchingModel):
    """A model that deletes words; its ``problem`` and its ``_run`` are its own. ``_run`` gives the
    best paths and counters."""

    LEARNED: ClassVar[str] = "pairs"
    Search: ClassVar[SettingsClass] = Search

    def compress(self, tree: Given, *, engine: str | None = None, **search: Any) -> Deletion:
        """The shorter version of a sentence, a tree, its brackets, or a ``DeletionSentence``.
        ``search`` are ``k`` (``k_best`` has up to so many outputs), ``trace``, and settings as
        ``search_settings`` takes. Raises ``ValueError`` for a tree with an empty node or a word
        without a tag, and for a setting that cannot be; ``TypeError`` for anything else."""
        return self.outputs(self.problem(tree, engine), engine=engine, **search)

    def problem(self, given: Given, engine: str | None = None) -> DeletionProblem:
        """A sentence made ready. Raises as ``compress``."""
        raise NotImplementedError

    def outputs(self, problem: DeletionProblem, **search: Any) -> Deletion:
        """The best outputs of a problem; ``search`` as in ``compress``."""
        paths, counters = self._searched(problem, **search)
        return deletion_of(problem.sentence, paths, counters)

    def search(self, problem: DeletionProblem, **search: Any) -> list[Path]:
        """The decoder alone; ``search`` as in ``compress``."""
        paths: list[Path] = self._searched(problem, **search)[0]
        return paths

    def words_out(self, problem: DeletionProblem, **search: Any) -> int:
        """How many words the best output has."""
        return len(self.search(problem, **search)[0].kept)

    def check_search(self, chosen: Chosen) -> None:
        """Raise ``ValueError`` for a length beside a rate."""
        if chosen["length"] is not None and chosen["rate"] is not None:
            raise ValueError("a length and a rate say the same in two ways: leave one of them out")


@dataclass(repr=False)
class DeletionModel(DeletingModel):
    """A trained model; ``weights`` are those of the features that ``features`` numbers, float64."""

    SYSTEMS: ClassVar[tuple[str, ...]] = (SYSTEM,)
    WHOLE: ClassVar[str] = "weights"

    features: DeletionFeatures
    weights: np.ndarray
    settings: JsonView = field(default_factory=dict)

    def problem(self, given: Given, engine: str | None = None) -> DeletionProblem:
        """A sentence made ready. Raises as ``compress``."""
        sentence = sentence_of(given)
        return DeletionProblem(sentence, self.bigram_scores(sentence, engine))

    def bigram_scores(self, sentence: DeletionSentence, engine: str | None = None) -> np.ndarray:
        """The score of keeping one word straight after another: float64 of shape (n + 2, n + 2).
        ``scores[i, j]`` is for positions i < j, 0 the start and n + 1 the end."""
        return engine_of(engine).bigram_scores(self.features.parts(sentence), self.weights)

    def _run(
        self, problem: DeletionProblem, chosen: Json, k: int, engine: str, trace: Trace | None
    ) -> tuple[list[Path], dict[str, int]]:
        words, length = problem.sentence.words, wanted_length(len(problem.sentence), chosen)
        check(problem.scores, k, length, traced=trace is not None)
        begin_trace(problem.sentence, k, trace)
        how = {"k": k, "bonus": float(chosen["bonus"]), "length": length, "trace": trace}
        found = engine_of(engine).best_paths(problem.scores, **how)
        tell(found, trace, words)
        return found, {}

    def _reasons(self, problem: DeletionProblem, chosen: Json, events: Sequence[Event]) -> Reasons:
        bonus = float(chosen["bonus"])
        return BigramReasons(self.features, self.weights, problem.sentence, bonus)(events)

    # --- the model file ---------------------------------------------------------------------

    def header(self) -> Json:
        """Templates, and the features that have weights."""
        keys, templates = [*self.features.numbers], self.features.templates
        return {
            "templates": common.templates_part(templates.name, templates.text),
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
        templates = common.templates_of(header, parse_deletion_templates)
        keys = [_key(entry, templates) for entry in parts.rows(header["features"], "features")]
        if len({*keys}) != len(keys):
            raise ValueError("a feature has two weights")
        weights = weights_of(parts.exactly(arrays, ("weights",)), "weights", len(keys))
        features = DeletionFeatures(templates, keys)
        features.freeze()
        return cls(features, weights, dict(header["settings"]))


def _key(entry: object, templates: DeletionTemplates) -> Key:
    """A feature of a header. Raises ``ValueError`` for what is none."""
    number, *values = parts.rows(entry, "a feature") or [-1]
    template = templates.every[parts.whole(number, "a template", 0, len(templates) - 1)]
    if len(values) != len(template.atoms) or not all(isinstance(v, str) and v for v in values):
        raise ValueError(f"a feature of the template {cited(template.name)} has other values")
    return (number, *values)


# --- what those that delete words have in common ---------------------------------------------


def sentence_of(given: Given) -> DeletionSentence:
    """The sentence that somebody means; raises as ``DeletingModel.compress``."""
    if isinstance(given, DeletionSentence):
        return given
    return DeletionSentence.of_tree(as_tree(given))


def deletion_of(
    sentence: DeletionSentence, paths: Sequence[Path], more: Mapping[str, int]
) -> Deletion:
    """The outputs as their reader gets them, a capital at the beginning; ``more`` are counters."""
    outputs = []
    source = sentence.words if sentence.source is None else tuple(sentence.source.leaves())
    size = len(sentence)
    counters = {"bigrams": (size + 1) * (size + 2) // 2 - 1, **more}
    for path in paths:
        tree, words = None, tuple(presented([sentence.words[i] for i in path.kept]))
        if sentence.tree is not None:
            tree = PhraseTree.convert(presented(pruned(sentence.tree, {*path.kept})))
            words = tuple(tree.leaves())
        one = Deletion(path.kept, words, source, path.score, tree)
        outputs.append(replace(one, counters=counters))
    return replace(outputs[0], k_best=tuple(outputs))


def begin_trace(sentence: DeletionSentence, k: int, trace: Trace | None) -> None:
    """Tell a trace which sentence is searched, and its tree."""
    if trace is not None:
        words = list(sentence.words)
        trace.begin(words, [1] * len(words), len(words), k)
        if (nodes := sentence.nodes) is not None:
            trace.source(list(nodes.labels), list(nodes.parents), list(nodes.words))


def wanted_length(words: int, chosen: Chosen) -> int | None:
    """How many of so many words stay, if that is set; ``ValueError`` for more than there are."""
    if chosen["rate"] is not None:
        return max(1, int(chosen["rate"] * words + 0.5))
    length: int | None = chosen["length"]
    if length is not None and length > words:
        raise ValueError(f"{length} words cannot stay of {words}: give --length up to {words}")
    return length


def engine_of(name: str | None) -> Engine:
    """The functions of an engine; ``ValueError`` as ``choose_engine``."""
    if common.choose_engine(name) == "reference":
        return REFERENCE
    from wordorder_lab.deletion.features_fast import fast_bigram_scores
    from wordorder_lab.deletion.lattice_fast import fast_best_paths
    from wordorder_lab.deletion.mira import CLOSE, MOST_STEPS
    from wordorder_lab.deletion.mira_fast import FastMove

    def best_paths(scores: np.ndarray, k: int = 1, **how: Any) -> list[Path]:
        check(scores, k, how.get("length"), traced=how.get("trace") is not None)
        return [Path(*found) for found in fast_best_paths(scores, k, **how)]

    return Engine(fast_bigram_scores, best_paths, FastMove(CLOSE, MOST_STEPS))


# --- training -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Settings:
    """What a training depends on, beside its pairs."""

    k_best: int = setting(
        5,
        "with how many outputs of its own the right one is compared",
        minimum=1,
        maximum=MOST_HYPOTHESES,
    )
    C: float = setting(0.0, "the most that one output moves the weights (0: no bound)", minimum=0)
    epochs: int = usual("epochs", 10)
    seed: int = usual("seed", 1)
    shuffle: bool = usual("shuffle", True)
    templates: str = usual("templates", USUAL)

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
    Learned is the first reference of each pair, if it is a part of the sentence. Raises
    ``ModelError`` for a checkpoint of other settings or pairs."""
    return _Run(pairs, settings, options, kind).go()


class _Run(TrainingRun[DeletionModel]):
    """One training run: the pairs in the form that the learner takes, and the learner."""

    CHUNK: ClassVar[dict[str, int]] = {"fast": 64, "reference": 64}

    def __init__(
        self,
        pairs: Sequence[CompressionPair],
        settings: Settings,
        options: TrainingOptions,
        kind: type[DeletionModel],
    ) -> None:
        super().__init__(settings, options)
        self.kind = kind
        self.features = DeletionFeatures(load_deletion_templates(settings.templates))
        self.sentences, self.counts = examples_of(pairs, self.features, options.progress)
        if not self.sentences:
            raise ValueError(
                f"none of the {len(pairs):,} pairs is a deletion: the words of the first reference "
                "have to be words of the sentence, in its order"
            )
        self.features.freeze()
        bound, size = settings.C or float("inf"), len(self.features)
        self.digest = _digest(self.sentences, self.features)
        engine = engine_of(options.engine)
        self.learner = Mira(self.sentences, size, settings.k_best, bound, engine)

    def model(self) -> DeletionModel:
        settings = {**self.about, **asdict(self.settings), **self.counts}
        return self.kind(self.features, self.learner.raw().averaged(), settings)

    def identity(self) -> Json:
        fixed = {name: value for name, value in asdict(self.settings).items() if name != "epochs"}
        templates = self.features.templates.text
        return {"settings": fixed, "pairs": self.digest, "templates": templates}

    def raw(self, arrays: dict[str, np.ndarray], examples: int) -> MiraWeights:
        parts.exactly(arrays, ("w", "u"))
        w, u = (weights_of(arrays, name, len(self.features)) for name in ("w", "u"))
        return MiraWeights(w, u, examples)


def examples_of(
    pairs: Sequence[CompressionPair], features: DeletionFeatures, progress: bool = False
) -> tuple[list[Example], dict[str, int]]:
    """The pairs as examples, which share the parts of a sentence, and how many were left out."""
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
        own, words = made[tree]
        examples.append(Example(own, kept, words))
    return examples, {**counts, "pairs": len(examples)}


def _digest(examples: Sequence[Example], features: DeletionFeatures) -> str:
    """A checksum of what is learned from: two checkpoints that differ in it are strangers."""
    digest = hashlib.sha256(repr([*features.numbers]).encode("utf-8", "surrogateescape"))
    for sentence, gold, _ in examples:
        digest.update(repr(gold).encode())
        digest.update(sentence.ids.tobytes())
        digest.update(sentence.starts.tobytes())
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
