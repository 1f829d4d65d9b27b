"""One short file a paper: name -> task, grammar, templates, learner, decoder."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

from wordorder_lab.structures.sentence import Sentence
from wordorder_lab.systems.liu_2015 import LinearizationModel

SYSTEMS = {"liu-2015": "Transition-based linearization with a beam (Liu et al. 2015)"}
"""Name -> what it is."""


def train(system: str, sentences: Sequence[Sentence], **settings: Any) -> LinearizationModel:
    """Train a system by its name; the settings are those of its own ``train``.

    Raises ``ValueError`` for a name that is none of ``SYSTEMS``.
    """
    if system not in SYSTEMS:
        raise ValueError(f"no system {system!r}; there are {', '.join(SYSTEMS)}")
    from wordorder_lab.systems import liu_2015_training

    return liu_2015_training.train(sentences, **settings)


def load_model(path: str | os.PathLike[str]) -> LinearizationModel:
    """Load a model file. Raises ``ModelError`` if it is damaged or foreign."""
    return LinearizationModel.load(path)
