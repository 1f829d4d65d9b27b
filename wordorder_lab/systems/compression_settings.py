"""The settings of a training of ``cohn-lapata-2009``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from wordorder_lab.systems.compression_search import search_of
from wordorder_lab.transduction.extraction import CHOICES
from wordorder_lab.transduction.gold import GOLD
from wordorder_lab.transduction.grammar import TARGETS, GrammarSettings
from wordorder_lab.transduction.losses import check_loss
from wordorder_lab.transduction.svm_settings import SvmSettings
from wordorder_lab.transduction.templates import DEFAULT, load_templates


@dataclass(frozen=True)
class Settings:
    """What a training depends on, beside its pairs.

    ``depth``, ``choice``, ``variables``, ``nodes`` and ``targets`` are those of the grammar,
    ``order`` is that of the n-gram model, ``folds`` says into how many parts the pairs are dealt
    for it (1: none). ``loss`` and ``penalty``: section 3.6; ``gold``: which
    gold derivation; ``beam`` that of the searches. The rest is the learner's (``SvmSettings``);
    ``max_iterations`` counts passes over the pairs.
    """

    depth: int = 1
    choice: str = "single"
    variables: int = 5
    nodes: int = 15
    targets: int = TARGETS
    order: int = 3
    folds: int = 5
    loss: str = "hamming-tokens"
    penalty: float = 1.0
    gold: str = "max-rules"
    C: float = 10.0
    scaling: float = 1.0
    formulation: str = "1-slack"
    tolerance: float = 0.01
    max_iterations: int = 200
    beam: str | int = "training"
    seed: int = 1
    templates: str = DEFAULT

    def check(self) -> None:
        """Raise ``ValueError`` for a setting that cannot be, and for no such templates."""
        for name in ("depth", "seed"):
            _check_whole(name, getattr(self, name), 0)
        for name in ("variables", "nodes", "targets", "order", "folds"):
            _check_whole(name, getattr(self, name), 1)
        for name, values in (("choice", CHOICES), ("gold", GOLD)):
            if (value := getattr(self, name)) not in values:
                raise ValueError(f"no {name} {value!r}; there are {', '.join(values)}")
        check_loss(self.loss, self.penalty)
        search_of(self.beam, "cube")
        self.svm()
        load_templates(self.templates)

    def grammar(self) -> GrammarSettings:
        """How the grammar is extracted."""
        return GrammarSettings(self.depth, self.choice, self.variables, self.nodes, self.targets)

    def svm(self) -> SvmSettings:
        """How the learner learns."""
        names = ("C", "scaling", "formulation", "tolerance", "max_iterations")
        return SvmSettings(**{name: getattr(self, name) for name in names})


def _check_whole(name: str, value: Any, least: int) -> None:
    if not isinstance(value, int) or value < least:
        raise ValueError(f"{name} is a whole number from {least} up, not {value!r}")
