"""The systems by name: a file says its task, grammar, templates, learner and decoder."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from importlib import import_module
from typing import TYPE_CHECKING, Any, Literal, overload

from wordorder_lab.models.model_file import ModelError, load_arrays
from wordorder_lab.runtime.ahead import ORDER, TRAIN, compile_ahead
from wordorder_lab.structures.arguments import WrongArgumentError, checks_arguments
from wordorder_lab.structures.compression import CompressionPair
from wordorder_lab.structures.lemma_tree import LemmaTree
from wordorder_lab.structures.messages import brief, cited
from wordorder_lab.structures.sentence import Sentence, Supertagged
from wordorder_lab.structures.trace import Trace
from wordorder_lab.systems.model import OrderingModel
from wordorder_lab.systems.names import (
    COMPRESSORS,
    DELETERS,
    FILES,
    ORDERED_BY,
    OURS,
    PARSERS,
    REALIZERS,
    SYSTEMS,
    TAGGERS,
    TRAINING,
)
from wordorder_lab.systems.own_system import own_system

if TYPE_CHECKING:
    from wordorder_lab.systems.cohn_lapata_2009 import CompressionModel
    from wordorder_lab.systems.head_by_head import HeadByHeadModel
    from wordorder_lab.systems.liu_2015 import LinearizationModel
    from wordorder_lab.systems.mcdonald_2006 import DeletionModel
    from wordorder_lab.systems.parser import TreebankParser
    from wordorder_lab.systems.realization import RealizationModel
    from wordorder_lab.systems.supertagger import Supertagger

__all__ = [
    "COMPRESSORS",
    "DELETERS",
    "MORE",
    "PARSERS",
    "REALIZERS",
    "SYSTEMS",
    "TAGGERS",
    "load_model",
    "search_names",
    "train",
    "training_names",
    "training_settings",
]

HOW = ("engine", "checkpoint", "about", "progress", "on_epoch", "trace")
"""What every ``train`` takes beside the settings of its system."""
WITH_CATEGORIES = ("zhang-clark-2011", "zhang-blackwood-clark-2012", "zhang-clark-2015-ccg")
"""Systems that may have the categories of words from a supertagger."""
WITH_LM = ("liu-2015", "zhang-clark-2015-dependency", "zhang-2013", *WITH_CATEGORIES)
"""Systems that may have a language model beside their features."""
MORE = {
    "cohn-lapata-2009": ("ngrams", "in_order"),
    **dict.fromkeys(WITH_LM, ("lm", "lm_text")),
    **dict.fromkeys(WITH_CATEGORIES, ("lm", "lm_text", "tagger")),
}
"""What those of some systems take, too."""


@overload
def train(
    system: Literal["liu-2015"], sentences: Sequence[Sentence], **settings: Any
) -> LinearizationModel:
    """For type checkers: what this system's model is."""


@overload
def train(
    system: Literal["cohn-lapata-2009"], sentences: Sequence[CompressionPair], **settings: Any
) -> CompressionModel:
    """For type checkers: what learns from pairs."""


@overload
def train(
    system: Literal["mcdonald-2006"], sentences: Sequence[CompressionPair], **settings: Any
) -> DeletionModel:
    """For type checkers: what learns which words to delete."""


@overload
def train(
    system: Literal["supertagger"],
    sentences: Sequence[Sentence | Supertagged],
    **settings: Any,
) -> Supertagger:
    """For type checkers: what learns categories."""


@overload
def train(system: Literal["parser"], sentences: Sequence[Any], **settings: Any) -> TreebankParser:
    """For type checkers: what learns trees."""


@overload
def train(
    system: Literal["liu-2015-realization", "zhang-clark-2015-realization"],
    sentences: Sequence[LemmaTree],
    **settings: Any,
) -> RealizationModel:
    """For type checkers: what realises trees of lemmas."""


@overload
def train(
    system: Literal["bohnet-2011", "guo-2011"], sentences: Sequence[LemmaTree], **settings: Any
) -> HeadByHeadModel:
    """For type checkers: what does so head by head."""


@overload
def train(system: str, sentences: Sequence[Sentence], **settings: Any) -> OrderingModel:
    """For type checkers: any other system's."""


@checks_arguments
def train(system: str, sentences: Sequence[Any], **settings: Any) -> Any:
    """Train a system by its name; the settings are those of its own ``train``.

    A name that is none of ours is looked for in the packages that are installed (``System``).

    Systems that order words learn from sentences, ``COMPRESSORS`` from pairs of trees
    (``load_compressions``), ``TAGGERS`` from sentences with categories, ``PARSERS`` from trees
    (``load_treebank``), ``REALIZERS`` from trees of lemmas (``load_lemma_trees``). Raises
    ``ValueError`` for a name that is none of these, for a setting that the system does not have,
    and for what it cannot learn from.
    """
    _check_kind(system, sentences)
    names = (*HOW, *MORE.get(system, ()))
    how = {name: settings.pop(name) for name in names if name in settings}
    _check_how(**{name: how[name] for name in HOW if name in how})
    training_settings(system, **settings)
    if system not in OURS:
        return own_system(system).train(system, sentences, **how, **settings)
    if how.get("engine") != "reference":
        orderer = ORDERED_BY.get(system, system)
        compile_ahead((orderer, TRAIN), (orderer, ORDER))
    module = _training(system)
    named = {"system": system} if hasattr(module, "PRESETS") else {}
    return checks_arguments(module.train)(sentences, **named, **how, **settings)


def training_settings(system: str, **given: Any) -> Any:
    """All settings of a system's training, as its ``Settings``: these, and its defaults.

    Raises ``ValueError`` for a name that is none of ``SYSTEMS``, for a setting that the system does
    not have, and for one that cannot be.
    """
    known = training_names(system)
    for name in given:
        if name not in known:
            raise ValueError(
                f"{system} has no setting {cited(name)} in its training; it has {', '.join(known)}"
            )
    if system not in OURS:
        return own_system(system).checked(system, given)
    module = _training(system)
    chosen = {**getattr(module, "PRESETS", {}).get(system, {}), **given}
    try:
        settings = checks_arguments(module.Settings)(**chosen)
    except WrongArgumentError as error:
        raise WrongArgumentError(f"{system}: {error}") from None
    settings.check()
    return settings


def training_names(system: str) -> tuple[str, ...]:
    """What the settings of a system's training are called; ``ValueError`` for no such system."""
    _check(system)
    own = system not in OURS
    settings = own_system(system).settings if own else _training(system).Settings
    return tuple(setting.name for setting in fields(settings))


def search_names(system: str) -> tuple[str, ...]:
    """What the settings of its search are called; ``ValueError`` for no such system."""
    _check(system)
    if system not in OURS:
        return own_system(system).search_names()
    names: tuple[str, ...] = _module(system).SEARCH
    return names


@checks_arguments
def load_model(path: str | os.PathLike[str]) -> Any:
    """Load a model file of any system: an ``OrderingModel``, a ``CompressionModel``, and so on.

    Raises ``ModelError`` if it is damaged or foreign.
    """
    header, arrays = load_arrays(path)
    system = header.get("system", "no model")
    if system in SYSTEMS and system not in OURS:
        return own_system(system).model.of_file(path, header, arrays)
    if system not in OURS:
        raise ModelError(
            f"{path} holds {brief(system)}, not a model of a system that wordorder_lab has, or a "
            "package that is installed here"
        )
    compile_ahead((ORDERED_BY.get(system, system), ORDER))
    return getattr(_module(system), FILES[system][1]).of_file(path, header, arrays)


@checks_arguments
def _check_how(
    *,
    engine: str | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
    about: Mapping[str, Any] | None = None,
    progress: bool = True,
    on_epoch: Callable[..., None] | None = None,
    trace: Trace | None = None,
) -> None:
    """Raise ``TypeError`` for what ``HOW`` cannot be."""


def _check(system: str) -> None:
    if system not in OURS and system not in SYSTEMS:
        known = dict.fromkeys((*FILES, *SYSTEMS))
        raise ValueError(f"no system {cited(system)}; there are {', '.join(known)}")


def _check_kind(system: str, examples: Sequence[Any]) -> None:
    """Raise ``ValueError`` for sentences where pairs are learned from, and so on."""
    _check(system)
    kinds = {
        CompressionPair: (COMPRESSORS, "pairs of trees (wl.load_compressions)"),
        LemmaTree: (REALIZERS, "trees of lemmas (wl.load_lemma_trees)"),
    }
    for kind, (names, _) in kinds.items():
        if len(examples) and isinstance(examples[0], kind) != (system in names):
            wants = next((told for own, told in kinds.values() if system in own), "sentences")
            given = type(examples[0]).__name__
            raise ValueError(f"{system} learns from {wants}, not from {given}s")


def _module(system: str) -> Any:
    return import_module(f"wordorder_lab.systems.{FILES[system][0]}")


def _training(system: str) -> Any:
    file = TRAINING.get(system, FILES[system][0])
    return import_module(f"wordorder_lab.systems.{file}")
