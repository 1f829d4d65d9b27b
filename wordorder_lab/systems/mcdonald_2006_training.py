"""Training ``mcdonald-2006``: which words the pairs keep, and k-best MIRA over some epochs.

After McDonald (2006) (``deletion/mira``); k and the number of epochs are ours.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
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
from wordorder_lab.structures.messages import MOST_EPOCHS, MOST_HYPOTHESES, check_most, cited
from wordorder_lab.structures.trace import Trace
from wordorder_lab.systems.mcdonald_2006 import SYSTEM, DeletionModel, engine_of
from wordorder_lab.systems.training_run import OnEpoch, TrainingRun

CHUNK = 64
"""Pairs a call of the learner, so that Ctrl-C is heard and the bar moves."""


@dataclass(frozen=True)
class Settings:
    """What a training depends on, beside its pairs.

    ``k_best``: with how many compressions the right one is compared; ``C``: the most that one of
    them moves the weights (0: no bound); ``templates`` names those of the features.
    """

    k_best: int = 5
    C: float = 0.0
    epochs: int = 10
    seed: int = 1
    shuffle: bool = True
    templates: str = USUAL

    def check(self) -> None:
        """Raise ``ValueError`` for a setting that cannot be, and for no such templates."""
        for name, least in (("k_best", 1), ("epochs", 1), ("seed", 0)):
            value = getattr(self, name)
            if not isinstance(value, int) or isinstance(value, bool) or value < least:
                raise ValueError(f"{name} ({cited(value)}) is a whole number from {least} up")
        check_most("k_best", self.k_best, MOST_HYPOTHESES)
        check_most("epochs", self.epochs, MOST_EPOCHS)
        if not isinstance(self.C, int | float) or not 0 <= self.C < float("inf"):
            raise ValueError(f"C ({cited(self.C)}) is a number from 0 up; 0 is no bound")
        load_deletion_templates(self.templates)


def train(
    pairs: Sequence[CompressionPair],
    *,
    engine: str | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
    about: Mapping[str, Any] | None = None,
    progress: bool = True,
    on_epoch: OnEpoch[DeletionModel] | None = None,
    trace: Trace | None = None,
    kind: type[DeletionModel] = DeletionModel,
    **settings: Any,
) -> DeletionModel:
    """Learn which words to delete from pairs; ``settings`` are those of ``Settings``.

    Learned is the first reference of each pair, if it is a part of the sentence; of a corpus with
    several, give a pair for each. A ``checkpoint`` is written after every epoch and gone on from
    where there is one. ``about`` goes into the model's settings, ``on_epoch`` is called after every
    epoch. ``kind`` is what the weights become a model of.

    Raises ``ValueError`` for settings or pairs that cannot be, and ``ModelError`` for a checkpoint
    of other ones.
    """
    chosen = Settings(**settings)
    chosen.check()
    if not pairs:
        raise ValueError("there is nothing to learn from: give at least one pair")
    run = _Run(pairs, chosen, engine, dict(about or {}), progress)
    run.kind = kind
    run.go(checkpoint, progress, on_epoch, trace)
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
        engine: str | None,
        about: dict[str, Any],
        progress: bool,
    ) -> None:
        self.settings, self.about = settings, about
        self.features = DeletionFeatures(load_deletion_templates(settings.templates))
        learned, self.counts = examples_of(pairs, self.features, progress)
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
        self.learner = Mira(learned, size, settings.k_best, bound, engine_of(engine))

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
