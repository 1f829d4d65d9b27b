"""The systems by name: ``train`` and ``load_model`` know all of them, ours and those brought."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

from wordorder_lab.models.model_file import ModelError, load_arrays
from wordorder_lab.runtime.ahead import ORDER, compile_ahead
from wordorder_lab.structures.arguments import checks_arguments
from wordorder_lab.structures.messages import brief
from wordorder_lab.systems.everyday import comes_along, everyday_model
from wordorder_lab.systems.registry import ROWS, SYSTEMS, find, names_of, task_of

__all__ = [
    "SYSTEMS",
    "find",
    "load_model",
    "names_of",
    "search_names",
    "task_of",
    "train",
    "training_names",
]


@checks_arguments
def train(system: str, sentences: Sequence[Any], **settings: Any) -> Any:
    """Train a system by its name; the settings are those of its training.

    A name that is none of ours is looked for in the packages that are installed (``System``).

    Systems that order words learn from sentences, those that compress from pairs of trees
    (``load_compressions``), those that realize from trees of lemmas (``load_lemma_trees``), a
    parser from trees (``load_treebank``), a tagger from sentences with categories.

    Beside settings there are ``engine``, ``checkpoint``, ``about``, ``progress``, ``on_epoch`` and
    ``trace`` (``TrainingOptions``), and what a system takes, such as ``lm``.

    Raises ``ValueError`` for a name that is none of these, for a setting that the system does not
    have, and for what it cannot learn from.
    """
    return find(system).train(sentences, **settings)


def training_names(system: str) -> tuple[str, ...]:
    """What the settings of a system's training are called; ``ValueError`` for no such system."""
    return find(system).training_names()


def search_names(system: str) -> tuple[str, ...]:
    """What the settings of its search are called; ``ValueError`` for no such system."""
    return find(system).search_names()


@checks_arguments
def load_model(path: str | os.PathLike[str]) -> Any:
    """Load a model file of any system: what it is a model of decides its class. ``everyday`` is
    the model that comes with the package.

    Raises ``ModelError`` if it is damaged or foreign.
    """
    if comes_along(path):
        return everyday_model()
    header, arrays = load_arrays(path)
    name = header.get("system", "no model")
    if name not in ROWS and name not in SYSTEMS:
        raise ModelError(
            f"{path} holds {brief(name)}, not a model of a system that wordorder_lab has, or a "
            "package that is installed here"
        )
    system = find(name)
    compile_ahead((system.orderer, ORDER))
    return system.model.of_file(path, header, arrays)
