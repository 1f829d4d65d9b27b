"""What an exercise is, where it is found, and the desk where answers are handed in.

An exercise is its solution: a right answer whose docstring asks the question, gives hints and says
why it is right. Those of notebook 20 stand in ``nb_20.py``, which is loaded when one is asked for.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import pkgutil
import re
import sys
import textwrap
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, wraps
from html import escape
from pathlib import Path
from typing import Any, Generic, ParamSpec, TypeVar, cast

from wordorder_lab.check.moments import Moment
from wordorder_lab.structures.messages import unknown_name

P = ParamSpec("P")
R = TypeVar("R")
Function = Callable[..., Any]  # a student's function may take and give back anything
Judge = Callable[..., str]
"""``judge(answer, **given)`` returns praise, or raises ``Wrong`` or ``NotAnswered``."""


class NotAnswered(Exception):
    """The answer is still the ``...`` of the notebook."""


class Wrong(Exception):
    """The answer is wrong in what the message says; ``moment`` is where, if it is in a search."""

    def __init__(self, message: str, moment: Moment | None = None) -> None:
        super().__init__(message)
        self.moment = moment


class Text:
    """What a solution's docstring says of its exercise, paragraph by paragraph.

    The question; the hints, a list; why the answer is right; and, where the exercise has no judge
    of its own, ``Right:`` with the praise.
    """

    def __init__(self, solution: Callable[..., object]) -> None:
        asks, hints, *rest = (inspect.getdoc(solution) or "").split("\n\n")
        self.asks = _one_line(asks)
        self.hints = tuple(map(_one_line, re.split(r"^- ", hints, flags=re.MULTILINE)[1:]))
        praise = [part for part in rest if part.startswith("Right: ")]
        self.why = "\n\n".join(part for part in rest if part not in praise)
        self.praise = _one_line("".join(praise)).removeprefix("Right: ")


@dataclass(frozen=True, eq=False)
class Exercise(Generic[P, R]):
    """One exercise: a right answer, or a function that works one out, its text, its judge.

    Called, it is its ``solution``. What ``needs`` names is given by the notebook: a model, some
    sentences. ``helpers`` are functions that the solution calls.
    """

    number: str
    solution: Callable[P, R]
    text: Text
    judge: Judge
    wants_function: bool
    needs: tuple[str, ...] = ()
    helpers: tuple[Function, ...] = ()

    def __call__(self, *arguments: P.args, **named: P.kwargs) -> R:
        """The solution's answer."""
        return self.solution(*arguments, **named)

    @property
    def name(self) -> str:
        """What the answer is called in the notebook."""
        return self.solution.__name__

    def judged(self, answer: object, **given: object) -> str:
        """Praise for a right answer. Raises ``Wrong``, ``NotAnswered``, and what it raises."""
        if is_blank(answer):
            raise NotAnswered
        if self.wants_function:
            return self.judge(function_of(answer, self.name), **given)
        try:
            return self.judge(answer, **given)
        except Wrong:
            meant = as_meant(answer)
            if repr(meant) == repr(answer):
                raise
        if is_blank(meant):
            raise NotAnswered
        return self.judge(meant, **given)

    def solved(self, **given: object) -> str:
        """A right answer as code, why it is right, and what is said of it."""
        why = map(_one_line, re.split(r"\n\n|\n(?=\d\. )", self.text.why))
        lines = [*map(code_of, self.helpers), self.code(), *filter(None, why)]
        try:
            solution = cast(Function, self.solution)
            answer = solution if self.wants_function else solution(**given)
            praise = self.judged(answer, **given)
        except (StopIteration, Wrong):  # it is right for the notebook's own model and sentences
            return "\n".join([*lines, "With what was given here this is not right."])
        if self.needs and not self.wants_function:
            lines.append(f"Here that is {answer!r}.")
        return "\n".join([*lines, praise])

    def code(self) -> str:
        """The solution as a cell of the notebook, without the call of ``check``.

        What it would return gets its name, unless a function is wanted or it returns names already.
        """
        if self.wants_function:
            return code_of(self.solution)
        _, *lines = code_of(self.solution).splitlines()
        last = max(i for i, line in enumerate(lines) if line.startswith("    return "))
        if re.fullmatch(r"    return \w+(, \w+)+", lines[last]):
            del lines[last]
        else:
            lines[last] = lines[last].replace("return ", f"{self.name} = ", 1)
        return textwrap.dedent("\n".join(lines))


def code_of(function: Function) -> str:
    """The source of a function without decorators, docstring and types, heads in one line each."""
    source = textwrap.dedent(inspect.getsource(function))
    (whole,) = ast.parse(source).body
    assert isinstance(whole, ast.FunctionDef)
    lines = [re.sub(r"  # type: .*", "", line) for line in source.splitlines()]
    for inner in ast.walk(whole):
        if isinstance(inner, ast.FunctionDef):
            lines[inner.lineno - 1] = _head_of(inner)
        elif isinstance(inner, ast.AnnAssign):
            line, end = lines[inner.lineno - 1], inner.annotation.end_col_offset
            lines[inner.lineno - 1] = line[: inner.target.end_col_offset] + line[end:]
    body = whole.body[ast.get_docstring(whole) is not None :]
    return "\n".join([_head_of(whole), *lines[body[0].lineno - 1 : whole.end_lineno]])


def _head_of(function: ast.FunctionDef) -> str:
    arguments = ", ".join(argument.arg for argument in function.args.args)
    return f"{' ' * function.col_offset}def {function.name}({arguments}):"


def _one_line(text: str) -> str:
    return " ".join(text.split())


def function_of(answer: object, name: str) -> Function:
    """The student's function, which raises ``NotAnswered`` as soon as it returns ``...``."""
    if not callable(answer):
        raise Wrong(f"Hand in the function itself, {name}, not what it returns.")
    function: Function = answer

    @wraps(function)
    def asked(*arguments: object) -> object:
        value = function(*arguments)
        if is_blank(value):
            raise NotAnswered
        return value

    return asked


def as_meant(answer: object) -> object:
    """An answer in which texts are what they say: "4", "1/4", "12 %", "30, 38", "true", "[1, 2]".

    Other texts stay as they are.
    """
    if isinstance(answer, list | tuple | set | frozenset):
        return type(answer)(map(as_meant, answer))
    if isinstance(answer, dict):
        return {key: as_meant(value) for key, value in answer.items()}
    if not isinstance(answer, str):
        return answer
    text = answer.strip().removesuffix(".")
    with suppress(ValueError, ZeroDivisionError, OverflowError):
        said = Fraction(text.removesuffix("%").strip()) / (100 if text[-1:] == "%" else 1)
        return int(said) if said == int(said) == float(said) else float(said)
    names = {"true": True, "yes": True, "false": False, "no": False, "none": None}
    if text.lower() in names:
        return names[text.lower()]
    if len(parts := re.split(r",|\band\b", text.strip("[](){}"))) > 1:
        meant = tuple(map(as_meant, parts))
        return answer if any(isinstance(part, str) for part in meant) else meant
    return answer


def spelling(text: object) -> str:
    """What is left of a text without case, blanks, hyphens, strokes and quotes."""
    bare = re.sub(r"""[\s/_·'"“”‘’-]+""", "", str(text)).casefold()
    return bare.replace("×", "x") or str(text)


def is_blank(answer: object) -> bool:
    """Whether an answer is ``...``, or has one among its parts."""
    if isinstance(answer, tuple | list | set | frozenset):
        return any(map(is_blank, answer))
    if isinstance(answer, dict):
        return any(map(is_blank, answer.values()))
    return answer is ...


@cache
def notebooks() -> tuple[str, ...]:
    """The numbers of the notebooks that have a file of exercises in this folder: 00, 01, ..."""
    names = [module.name for module in pkgutil.iter_modules([str(Path(__file__).parent)])]
    return tuple(sorted(name[3:] for name in names if re.fullmatch(r"nb_\d\d", name)))


@cache
def exercises_of(notebook: str) -> dict[str, Exercise[..., object]]:
    """The exercises of a notebook by number, in the order in which its file defines them."""
    file = importlib.import_module(f"{__package__}.nb_{notebook}")
    found = [one for one in vars(file).values() if isinstance(one, Exercise)]
    return {one.number: one for one in found if one.number.startswith(f"{notebook}.")}


def all_exercises() -> dict[str, Exercise[..., object]]:
    """Every exercise by its number; loads the files of all notebooks."""
    return {number: one for book in notebooks() for number, one in exercises_of(book).items()}


def find(number: str) -> Exercise[..., object]:
    """The exercise with this number. Raises ``ValueError`` with the numbers there are."""
    notebook = str(number).partition(".")[0]
    there = exercises_of(notebook) if notebook in notebooks() else {}
    if number not in there:
        raise ValueError(unknown_name("exercise", number, all_exercises()))
    return there[number]


@dataclass(frozen=True)
class Verdict:
    """What is said about an answer; ``right`` is ``None`` where there was nothing to judge.

    A notebook shows the words, and below them a player at the ``moment`` where the answer fails.
    """

    right: bool | None
    text: str
    moment: Moment | None = None

    @property
    def player(self) -> object:
        """The player at that moment, as ``wl.play`` makes it; ``None`` where there is no search."""
        return None if self.moment is None else self.moment.player()

    def __repr__(self) -> str:
        return f"{_SIGNS[self.right]} {self.text}"

    def _ipython_display_(self) -> None:
        """Words and player, in a notebook. ``NotImplementedError`` is how to say: as usual."""
        if self.moment is None or not in_notebook():
            raise NotImplementedError
        display: Function = importlib.import_module("IPython.display").display
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
    ipython = sys.modules.get("IPython")  # it would be there
    return ipython is not None and getattr(ipython.get_ipython(), "kernel", None) is not None


class Desk:
    """Where answers are handed in. It remembers how many hints each exercise has had."""

    def __init__(self) -> None:
        self.hinted: dict[str, int] = {}
        self.given: dict[str, dict[str, object]] = {}

    def __call__(self, number: str, answer: object, **given: object) -> Verdict:
        """Judge an answer; a wrong one gets the next hint."""
        exercise = find(number)
        if missing := set(exercise.needs) - given.keys():
            name = min(missing)
            return Verdict(None, f'Say it with {name}: check("{number}", answer, {name}={name})')
        given = self.given[number] = {name: given[name] for name in exercise.needs}
        try:
            return Verdict(True, f"{number}: right. {exercise.judged(answer, **given)}")
        except NotAnswered:
            return Verdict(None, f'{number}: not answered yet. A nudge: check.hint("{number}")')
        except Wrong as wrong:
            message, moment = str(wrong), wrong.moment
        except Exception as error:  # whatever a student's function may raise
            kind, moment = type(error).__name__, None
            message = f"Your answer was tried, and raised {kind}: {error}"
        return Verdict(False, f"{number}: not yet. {message}\n{self.hint(number).text}", moment)

    def hint(self, number: str) -> Verdict:
        """The next hint; after the last one the last one again."""
        hints = find(number).text.hints
        shown = min(self.hinted.get(number, 0) + 1, len(hints))
        self.hinted[number] = shown
        return Verdict(None, f"Hint {shown} of {len(hints)}: {hints[shown - 1]}")

    def solution(self, number: str) -> Verdict:
        """A right answer, once all hints have been shown."""
        exercise = find(number)
        left = len(exercise.text.hints) - self.hinted.get(number, 0)
        if left > 0:
            hints = "one more hint comes" if left == 1 else f"{left} more hints come"
            return Verdict(None, f'{number}: {hints} before the solution: check.hint("{number}")')
        if exercise.needs and number not in self.given:
            return Verdict(None, f"{number}: run the cell with its check first.")
        return Verdict(None, exercise.solved(**self.given.get(number, {})))


check = Desk()
