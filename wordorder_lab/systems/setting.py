"""Settings: a field of a dataclass says everything about a setting once.

    beam: int = setting(64, "hypotheses kept at each step", minimum=1, maximum=MOST_HYPOTHESES)

From this line follow the option of the command line with its help, the check of a value, the key of
an experiment's specification, and a row of the reference. A dataclass of settings may have a method
``check`` for what depends on several of them; it raises ``ValueError``.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import Field, dataclass, field, fields, replace
from numbers import Integral, Real
from types import NoneType, UnionType
from typing import Any, NamedTuple, TypeVar, Union, get_args, get_origin, get_type_hints

import numpy as np

from wordorder_lab.structures.arguments import WrongArgumentError, checks_arguments
from wordorder_lab.structures.messages import (
    MOST_EPOCHS,
    MOST_HYPOTHESES,
    MOST_ORDER,
    check_most,
    cited,
    unknown_name,
)
from wordorder_lab.systems.language_models import MOST_LM_WEIGHT

Kind = TypeVar("Kind")
Value = TypeVar("Value")

Chosen = Mapping[str, Any]
"""Settings by name, each with a value of its own kind."""
SettingsClass = type[Any]
"""A dataclass whose fields are settings."""
ABOUT = "wordorder_lab"
"""The key of a field's metadata."""


@dataclass(frozen=True)
class About:
    """What is known of a setting beside its name, type and default.

    ``minimum`` and ``maximum`` may be reached, ``above`` may not. ``option`` and ``metavar``, what
    its help calls the value, are given where they are not the usual ones; ``parse`` reads a value,
    ``several`` of which an option may take. ``as_trained``: a search takes the training's.
    """

    help: str = ""
    minimum: float | None = None
    maximum: float | None = None
    above: float | None = None
    choices: tuple[str, ...] = ()
    option: str = ""
    metavar: str = ""
    parse: Callable[[str], object] | None = None
    several: bool = False
    as_trained: bool = False


def setting(default: Value, help: str, **about: Any) -> Value:
    """A field of a dataclass of settings; ``about`` are the fields of ``About``."""
    return field(default=default, metadata={ABOUT: About(help, **about)})


class Setting(NamedTuple):
    """A setting as its dataclass has it: ``kind`` is its type without ``None``."""

    name: str
    kind: Any
    optional: bool
    default: object
    about: About

    @property
    def option(self) -> str:
        """Its option: ``--max-length``."""
        return self.about.option or f"--{self.name.replace('_', '-')}"

    @property
    def metavar(self) -> str:
        """What the help of its option calls the value."""
        return self.about.metavar or {int: "N", float: "X"}.get(self.kind, "VALUE")

    def check(self, value: object) -> None:
        """Raise ``ValueError`` for a value that the setting cannot have."""
        about = self.about
        if value is None and self.optional:
            return
        if about.choices and value not in about.choices:
            raise ValueError(unknown_name(self.name, value, about.choices))
        if self.kind is bool and type(value).__name__ not in ("bool", "bool_"):  # or numpy's
            raise ValueError(f"{self.name} is true or false, not {cited(value)}")
        if self.kind is str and not isinstance(value, str):
            raise ValueError(f"{self.name} is a text, not {cited(value)}")
        number = {int: Integral, float: Real}.get(self.kind)
        if number is None:
            return
        fits = isinstance(value, number) and not isinstance(value, bool)
        if fits and about.maximum is not None and self.kind is int:
            check_most(self.name, int(value), int(about.maximum))  # type: ignore[call-overload]
        if not fits or not self._within(value):
            raise ValueError(f"{self.name} is {self.range}, not {cited(value)}")

    def _within(self, value: Any) -> bool:
        about = self.about
        if about.maximum is None and not math.isfinite(value):
            return False
        lowest = -math.inf if about.minimum is None else about.minimum
        highest = math.inf if about.maximum is None else about.maximum
        return bool(lowest <= value <= highest and (about.above is None or value > about.above))

    @property
    def range(self) -> str:
        """What its values are, in words: ``a whole number from 1 to 9``."""
        about = self.about
        words = "a whole number" if self.kind is int else "a number"
        if about.above is not None:
            words += f" above {about.above:g}"
        elif about.minimum is not None:
            words += f" from {about.minimum:g}"
        if about.maximum is not None and math.isfinite(about.maximum):
            words += f"{' and up' if about.above is not None else ''} to {about.maximum:,.12g}"
        elif about.minimum is not None:
            words += " up"
        return words


def settings_of(kind: SettingsClass) -> tuple[Setting, ...]:
    """The settings of a dataclass, in order; those that are no ``setting`` have no help."""
    if kind not in _known:
        hints = get_type_hints(kind)
        _known[kind] = tuple(_setting(one, hints[one.name]) for one in fields(kind))
    return _known[kind]


_known: dict[SettingsClass, tuple[Setting, ...]] = {}
"""What was read already: a search asks every time."""


def _setting(one: Field[object], hint: object) -> Setting:
    kinds = get_args(hint) if get_origin(hint) in (Union, UnionType) else (hint,)
    inside = [kind for kind in kinds if kind is not NoneType]
    kind = inside[0] if len(inside) == 1 else object
    return Setting(one.name, kind, NoneType in kinds, one.default, one.metadata.get(ABOUT, About()))


def checked(kind: type[Kind], owner: str, given: Chosen, where: str) -> Kind:
    """The settings that are given, and the defaults of the others, as a ``kind``. ``owner`` is
    whose settings they are, ``where`` what they are for: ``"in its training"``. Raises
    ``ValueError`` for one that there is not, with the nearest that there is, and for values that
    cannot be."""
    known = settings_of(kind)
    refuse_unknown(given, [one.name for one in known], owner, where)
    try:
        plain = {n: one.item() if isinstance(one, np.generic) else one for n, one in given.items()}
        chosen = checks_arguments(kind)(**plain)
        check(chosen)
    except WrongArgumentError as error:
        raise WrongArgumentError(f"{owner}: {error}") from None
    except (ValueError, TypeError) as error:
        raise ValueError(f"{owner}: {error}") from error
    return chosen


def check(chosen: object) -> None:
    """Raise ``ValueError`` for settings that cannot be: each for itself, then all together."""
    for one in settings_of(type(chosen)):
        one.check(getattr(chosen, one.name))
    if hasattr(chosen, "check"):
        chosen.check()


def refuse_unknown(given: Mapping[str, object], known: list[str], owner: str, where: str) -> None:
    """Raise ``ValueError`` for a setting that ``owner`` does not have."""
    for name in given:
        if name not in known:
            no, _, there = unknown_name("setting", name, known).partition("; there are ")
            raise ValueError(f"{owner} has {no} {where}; it has {there}")


# --- settings that many systems have --------------------------------------------------------------


def fraction(text: str) -> float:
    """A number; whole where it can be, so that 1 and 1.0 make the same model."""
    value = float(text)
    return int(value) if value in (0, 1) else value


def usual(name: str, default: object, **changes: Any) -> Any:
    """A field for one of ``USUAL``; ``changes`` are other fields of ``About``."""
    return field(default=default, metadata={ABOUT: replace(USUAL[name], **changes)})


USUAL: Mapping[str, About] = {
    "pos": About(
        "fraction of words whose tag is given, 0 to 1", 0, 1, metavar="SHARE", parse=fraction
    ),
    "deps": About(
        "fraction of words whose head is given, 0 to 1", 0, 1, metavar="SHARE", parse=fraction
    ),
    "beam": About("hypotheses kept at each step", 1, MOST_HYPOTHESES),
    "epochs": About("how often training goes through the examples", 1, MOST_EPOCHS),
    "seed": About("decides what is left to chance", 0),
    "templates": About("feature templates by their name, or FILE.txt of one's own", metavar="NAME"),
    "shuffle": About("another order of the examples in every epoch"),
    "labels": About("learn the labels of arcs, too"),
    "order": About("words of the longest n-gram", 1, MOST_ORDER),
    "lm_order": About(
        "n-grams of this order, of the sentences of the training, stand beside the features "
        "(0: none)",
        0,
        MOST_ORDER,
    ),
    "lm_weight": About(
        "weight of the log-probability of n-grams, also after training (0: syntax alone)",
        0,
        MOST_LM_WEIGHT,
    ),
    "lm_in_training": About(
        "n-grams count in learning, too, each sentence with those of other folds"
    ),
    "folds": About(
        "parts: an example is learned with n-grams or forms of the other parts (1: of all)",
        1,
    ),
}
