"""What an exercise is, and what is said about an answer."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import wraps
from html import escape
from math import isfinite
from numbers import Real
from typing import Any, TypeVar

from wordorder_lab.check.common.moments import Moment

Name = TypeVar("Name")


class NotAnswered(Exception):
    """The answer is still the ``...`` of the notebook."""


class Wrong(Exception):
    """The answer is wrong; the message says in what, with an example where there is one.

    ``moment`` is where the example fails, if it is a search.
    """

    def __init__(self, says: str, moment: Moment | None = None) -> None:
        super().__init__(says)
        self.moment = moment


@dataclass(frozen=True)
class Exercise:
    """One exercise: its number, what it asks, its hints, its judge and its solution.

    ``judge(answer, **given)`` returns praise, or raises ``Wrong`` or ``NotAnswered``.
    ``solve(**given)`` works out a right answer and writes it down. What ``needs`` names is given
    by the notebook: a model, some sentences.
    """

    number: str
    asks: str
    hints: tuple[str, ...]
    judge: Callable[..., str]
    solve: Callable[..., str]
    needs: tuple[str, ...] = ()


@dataclass(frozen=True)
class Verdict:
    """What is said about an answer; ``right`` is ``None`` where there was nothing to judge.

    Where a wrong answer belongs to a search, a notebook shows the words and below them a player at
    the ``moment`` where it fails.
    """

    right: bool | None
    text: str
    moment: Moment | None = None

    @property
    def player(self) -> Any:
        """The player at that moment, as ``wl.play`` makes it; ``None`` where there is no search."""
        return None if self.moment is None else self.moment.player()

    def __repr__(self) -> str:
        return f"{_SIGNS[self.right]} {self.text}"

    def _ipython_display_(self) -> None:
        """Words and player, in a notebook. ``NotImplementedError`` is how to say: as usual."""
        if self.moment is None or not in_notebook():
            raise NotImplementedError
        from IPython.display import display

        display({"text/plain": repr(self), "text/html": self._repr_html_()}, raw=True)
        display(self.player)

    def _repr_html_(self) -> str:
        text = escape(repr(self)).replace("\n", "<br>").replace("  ", "&nbsp; ")
        border = f"border-left: 4px solid {_COLOURS[self.right]}"
        return f'<div style="{border}; padding: 0.3em 0.9em; margin: 0.3em 0">{text}</div>'


_SIGNS = {True: "✓", False: "✗", None: "…"}
_COLOURS = {True: "#009E73", False: "#D55E00", None: "#999999"}  # after Okabe and Ito


def in_notebook() -> bool:
    """Whether this runs in a kernel, whose outputs can hold a player."""
    from importlib import import_module
    from sys import modules

    if "IPython" not in modules:  # it would be there
        return False
    return getattr(import_module("IPython").get_ipython(), "kernel", None) is not None


def is_blank(answer: Any) -> bool:
    """Whether an answer is ``...``, or has one among its parts."""
    if isinstance(answer, tuple | list):
        return any(part is ... for part in answer)
    return answer is ...


def is_number(value: Any, whole: bool = False) -> bool:
    """Whether this is a number as people mean it: fractions and numpy's too, but no NaN or True.

    ``whole`` asks for a whole one; 5.0 is whole.
    """
    if not isinstance(value, Real) or isinstance(value, bool) or not isfinite(value):
        return False
    return not whole or value % 1 == 0


def numbers_of(answer: Mapping[Any, Any], names: Iterable[Name]) -> dict[Name, float]:
    """What the student's dictionary has for each name. Raises ``Wrong`` for what is no number."""
    numbers: dict[Name, float] = {}
    for name in names:
        if not is_number(answer[name]):
            raise Wrong(f"{name}: a number is wanted, not {answer[name]!r}.")
        numbers[name] = float(answer[name])
    return numbers


def function_of(answer: Any, name: str) -> Callable[..., Any]:
    """The student's function, which raises ``NotAnswered`` as soon as it returns ``...``.

    Raises ``Wrong`` if it is no function.
    """
    if not callable(answer):
        raise Wrong(f"Hand in the function itself, {name}, not what it returns.")

    @wraps(answer)
    def asked(*arguments: Any) -> Any:
        value = answer(*arguments)
        if value is ...:
            raise NotAnswered
        return value

    return asked
