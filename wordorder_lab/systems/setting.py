"""Settings: a field of a dataclass says everything about a setting once.

    beam: int = setting(64, "hypotheses kept at each step", minimum=1, maximum=MOST_HYPOTHESES)

From this line follow the option of the command line with its help, the check of a value, the key of
an experiment's specification, and a row of the reference. A dataclass of settings may have a method
``check`` for what depends on several of them; it raises ``ValueError``.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import Field, dataclass, field, fields
from numbers import Integral, Real
from types import NoneType, UnionType
from typing import Any, NamedTuple, TypeVar, Union, get_args, get_origin, get_type_hints

from wordorder_lab.structures.arguments import WrongArgumentError, checks_arguments
from wordorder_lab.structures.messages import check_most, cited, unknown_name

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

    ``minimum`` and ``maximum`` may be reached, ``above`` may not. ``option`` is the name of its
    option where that is another one, ``metavar`` what its help calls the value, ``parse`` what
    reads the value of an option where the type does not say it. With ``several``, an option takes
    more values than one. ``as_trained``: a search takes what the training had.
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


def like(kind: SettingsClass, name: str, *default: object) -> Any:
    """The setting of this name of another dataclass, with its default or another one."""
    one = kind.__dataclass_fields__[name]
    return field(default=(*default, one.default)[0], metadata=one.metadata)


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
    """The settings that are given, and the defaults of the others, as a ``kind``.

    ``owner`` is whose settings they are, ``where`` what they are for: ``"in its training"``.
    Raises ``ValueError`` for one that there is not, with the nearest that there is, and for values
    that cannot be.
    """
    known = settings_of(kind)
    refuse_unknown(given, [one.name for one in known], owner, where)
    try:
        chosen = checks_arguments(kind)(**given)
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
    getattr(chosen, "check", _nothing)()


def refuse_unknown(given: Mapping[str, object], known: list[str], owner: str, where: str) -> None:
    """Raise ``ValueError`` for a setting that ``owner`` does not have."""
    for name in given:
        if name not in known:
            no, _, there = unknown_name("setting", name, known).partition("; there are ")
            raise ValueError(f"{owner} has {no} {where}; it has {there}")


def _nothing() -> None:
    """Settings without a ``check`` are right if each of them is."""
