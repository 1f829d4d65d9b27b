"""Training ``mcdonald-2006``: which words the pairs keep, and k-best MIRA over some epochs.

After McDonald (2006) (``deletion/mira``); k and the number of epochs are ours.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any

import numpy as np

from wordorder_lab.deletion.features import DeletionFeatures, SentenceParts
from wordorder_lab.deletion.lattice import MOST_LENGTH
from wordorder_lab.deletion.mira import Example, Mira, MiraWeights
from wordorder_lab.deletion.templates import USUAL, load_deletion_templates
from wordorder_lab.models.file_parts import BEYOND_REASON, exactly, in_range, row
from wordorder_lab.runtime.progress import progress_bar
from wordorder_lab.structures.compression import CompressionPair
from wordorder_lab.structures.deletion import DeletionSentence, kept_of
from wordorder_lab.structures.messages import MOST_HYPOTHESES
from wordorder_lab.systems import usual_settings as usual
from wordorder_lab.systems.clarke_lapata_2008 import ProgrammeModel
from wordorder_lab.systems.mcdonald_2006 import SYSTEM, DeletionModel, engine_of
from wordorder_lab.systems.setting import setting
from wordorder_lab.systems.system import System
from wordorder_lab.systems.training_run import TrainingOptions, TrainingRun

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

    def identity(self) -> dict[str, Any]:
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
    name: System(says, Settings, partial(learn, kind=kind), kind, takes_options=True)
    for name, says, kind in (
        (
            "mcdonald-2006",
            "Sentence compression by deletion, bigram by bigram (McDonald 2006)",
            DeletionModel,
        ),
        (
            "clarke-lapata-2008-ilp",
            "The same with constraints, as an integer programme (Clarke & Lapata 2008)",
            ProgrammeModel,
        ),
    )
}
"""The second is McDonald's model with another search, as in Cohn & Lapata (2009, section 5):
constraints are not learned with."""
