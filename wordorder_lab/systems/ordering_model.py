"""What the models of all word-ordering systems have in common: they order a bag."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import Any, Protocol

from wordorder_lab.models.tag_dictionary import TagDictionary
from wordorder_lab.structures.bag import WordBag
from wordorder_lab.structures.problem import OrderingProblem
from wordorder_lab.structures.result import Result


class OrderingModel(Protocol):
    """A model of any of ``SYSTEMS``.

    ``settings`` are those of its training, ``dictionary`` has the tags of words. ``order`` and
    ``search`` take the settings of a search by name, those that ``search_settings`` gives;
    ``search`` is the decoder alone, on an ``OrderingProblem``.
    """

    @property
    def system(self) -> str:
        """The name of the system."""

    @property
    def settings(self) -> Mapping[str, Any]:
        """What it was trained with."""

    @property
    def dictionary(self) -> TagDictionary:
        """The tags of words."""

    def problem(self, bag: WordBag) -> OrderingProblem:
        """A bag made ready for ``search``. Raises ``ValueError`` for one that cannot be ordered."""

    @property
    def order(self) -> Callable[..., Result]:
        """``order(bag, *, k=1, engine=None, trace=None, **search)``."""

    @property
    def search(self) -> Callable[..., Any]:
        """``search(problem, *, k=1, engine=None, trace=None, **search)``."""

    def search_settings(self, **given: Any) -> dict[str, Any]:
        """All settings of a search: those given, and the usual ones where ``None`` is given."""

    def unknown_tags(self, bag: WordBag) -> list[str]:
        """The tags of a bag that training never saw, sorted."""

    def unshared(self) -> OrderingModel:
        """The same model without the rooms that a decoder works in, which are one run's."""

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the model file, atomically."""


def refuse_unknown(system: str, given: Mapping[str, Any], known: Mapping[str, Any]) -> None:
    """Raise ``ValueError`` for a search setting that a system does not have and yet was given."""
    for name, value in given.items():
        if value is not None and name not in known:
            raise ValueError(
                f"{system} has no setting {name!r} in its search; it has {', '.join(known)}"
            )


def unseen_tags(dictionary: TagDictionary, bag: WordBag) -> list[str]:
    """The tags of a bag that a dictionary never saw, sorted."""
    return sorted({tag for tag in bag.pos or () if tag} - set(dictionary.word_tags))


def in_short(model: Any, of: str = "sentences") -> str:
    """A model in one line: its system, and what it was trained on, so many ``of`` them."""
    settings = model.settings
    units = f" ({settings['units']})" if "units" in settings else ""
    corpus = f" on {settings['corpus']}{units}" if "corpus" in settings else ""
    sentences = f", {settings[of]:,} {of}" if of in settings else ""
    epochs = f", {settings['epochs']} epochs" if "epochs" in settings else ""
    return f"<{type(model).__name__} {model.system}: trained{corpus}{sentences}{epochs}>"
