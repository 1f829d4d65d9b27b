"""How exercises are made, and the judge that many share: your function or your list beside ours.

What differs from exercise to exercise is data: the cases, what is wanted, and what is said about a
mistake that is often made.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from inspect import signature
from math import isfinite
from numbers import Real
from typing import Any, Generic, NamedTuple, ParamSpec, TypeGuard, TypeVar

from wordorder_lab.check.exercise import Exercise, Function, Judge, Text, Wrong, spelling
from wordorder_lab.check.moments import Moment

P = ParamSpec("P")
R = TypeVar("R")
Name = TypeVar("Name")
Yours = TypeVar("Yours")


class Case(NamedTuple):
    """One thing that is asked: in words, what is right, and a function's arguments.

    ``mistakes`` are wrong answers that are known, each with what is said about it: of several that
    fit, the first; ``...`` is any. ``moment`` is where a wrong answer fails, or works that out.
    """

    about: str
    right: Any
    arguments: tuple[object, ...] = ()
    mistakes: Sequence[tuple[object, str]] = ()
    moment: Moment | Callable[[Any], Moment | None] | None = None


Cases = Sequence[Case] | Callable[..., Iterable[Case]]
"""They may depend on what a notebook gives with an answer."""


# --- what is wanted -------------------------------------------------------------------------------


@dataclass(frozen=True)
class Wanted(Generic[Yours]):
    """What is wanted, how it is read, compared and shown: here, just the right thing.

    ``reads`` raises ``Wrong`` for what cannot be an answer at all; ``divides`` is said where a
    student's function divides by zero.
    """

    reads: Callable[[Any], Any] = field(default=lambda value: value, kw_only=True)
    divides: str = field(default="", kw_only=True)

    def read(self, value: object) -> Yours:
        """What the student means."""
        return self.reads(value)  # type: ignore[no-any-return]

    def same(self, yours: Yours, right: Any) -> bool:
        """Whether this is right."""
        return bool(yours == right)

    def text(self, value: Any) -> str:
        """An answer in words."""
        return f"{value!r}"

    def difference(self, yours: Yours, right: Any) -> str:
        """What is right, and what the student has."""
        return f"it is {self.text(right)}, not {self.text(yours)}"

    def miss(self, yours: Yours, _right: Any) -> str:
        """What the student has, where the right answer is not to be shown."""
        return f"it is not {self.text(yours)}"


@dataclass(frozen=True)
class Number(Wanted[float]):
    """A number ``near`` the right one or within a ``share`` of it, shown in this ``form``.

    ``sides`` say that it is above or below the right one; without them nothing of that is said.
    """

    near: float = 1e-9
    form: str = ".4g"
    whole: bool = False
    share: float = 0.0
    sides: tuple[str, str] | None = None

    def read(self, value: object) -> float:
        """Numbers of all sorts, but no NaN."""
        if not is_number(value, self.whole):
            raise Wrong(f"a {'whole ' * self.whole}number is wanted, not {value!r}.")
        return float(value)

    def same(self, yours: float, right: float) -> bool:
        """Near enough."""
        return abs(yours - right) <= max(self.near, self.share * abs(right))

    def text(self, value: float) -> str:
        """With so many digits."""
        return f"{value:,.0f}" if self.whole and value % 1 == 0 else f"{value:{self.form}}"

    def miss(self, yours: float, right: float) -> str:
        """The side."""
        if self.sides is None:
            return super().miss(yours, right)
        return self.sides[yours < right].format(self.text(yours))


EXACTLY = Wanted[object]()
WHOLE = Number(whole=True)
COUNT = Number(whole=True, sides=("there are fewer than {}", "there are more than {}"))


@dataclass(frozen=True)
class Numbers(Wanted[list[float]]):
    """A number for each of the right ones; ``called`` says what the one at a place is."""

    what: str
    called: Callable[[int], str]
    each: Number = Number()

    def read(self, value: object) -> list[float]:
        """A list, a tuple or an array."""
        if not isinstance(value, str | Mapping) and isinstance(value, Iterable):
            value = [*value]
            if all(map(is_number, value)):
                return list(map(float, value))
        raise Wrong(f"{self.what} is wanted, not {value!r}.")

    def same(self, yours: list[float], right: Sequence[float]) -> bool:
        """Each is."""
        return len(yours) == len(right) and all(map(self.each.same, yours, right))

    def difference(self, yours: list[float], right: Sequence[float]) -> str:
        """Of the first that is wrong."""
        if len(yours) != len(right):
            return f"{len(right)} numbers are wanted, and you give {len(yours)}"
        place = list(map(self.each.same, yours, right)).index(False)
        mine, true = self.each.text(yours[place]), self.each.text(right[place])
        return f"{self.called(place)} is {true}, not {mine}"


@dataclass(frozen=True)
class OneOf(Wanted[object]):
    """One of a few words."""

    words: Sequence[str]

    def read(self, value: object) -> object:
        """A word that is among them."""
        for word in self.words:
            if spelling(value) == spelling(word):
                return word
        raise Wrong(f"{value!r} is none of {', '.join(map(repr, self.words))}.")


@dataclass(frozen=True)
class Spelled(Wanted[str]):
    """A text in any spelling; ``form`` is how it looks: ``"LEFTARC", "RIGHTARC"``."""

    form: str

    def read(self, value: object) -> str:
        """One line of text."""
        if not isinstance(value, str):
            raise Wrong(f"a text is wanted, {self.form}, not {value!r}.")
        return " ".join(value.split())

    def same(self, yours: str, right: str) -> bool:
        """Case, blanks, hyphens and strokes make no difference."""
        return spelling(yours) == spelling(right)

    def text(self, value: str) -> str:
        """With the form that is wanted."""
        return f"{value!r} (the form: {self.form})"


@dataclass(frozen=True)
class Truth(Wanted[bool]):
    """True or False; ``no`` and ``yes`` say what is right where the student says otherwise."""

    no: str = "it is False, not True"
    yes: str = "it is True, not False"

    def read(self, value: object) -> bool:
        """Numpy's, too."""
        if value not in (True, False):
            raise Wrong(f"True or False is wanted, not {value!r}.")
        return bool(value)

    def difference(self, _yours: bool, right: bool) -> str:
        """What is right."""
        return self.yes if right else self.no


@dataclass(frozen=True)
class Several(Wanted[Counter[Hashable]]):
    """Things in any order, each read by ``item``; how often one is there counts if ``counted``."""

    what: str
    item: Callable[[Any], Hashable] = lambda thing: thing
    counted: bool = False

    def read(self, value: object) -> Counter[Hashable]:
        """A set, a list, a tuple, an array or a counter."""
        if isinstance(value, str) or not isinstance(value, Iterable):
            raise Wrong(f"{self.what} is wanted, not {value!r}.")
        try:
            things = Counter(map(self.item, value))
        except (TypeError, ValueError):
            raise Wrong(f"{self.what} is wanted, not {value!r}.") from None
        return things if self.counted else Counter({*things})

    def same(self, yours: Counter[Hashable], right: Iterable[Hashable]) -> bool:
        """The same things, each as often."""
        return yours == (Counter(right) if self.counted else Counter({*right}))

    def text(self, value: Counter[Hashable]) -> str:
        """One after the other."""
        return ", ".join(sorted(map(str, value.elements()))) or "nothing"

    def difference(self, yours: Counter[Hashable], right: Iterable[Hashable]) -> str:
        """One that is missing, or else one that is too many."""
        wanted = Counter(right)
        one = min((wanted - yours) or (yours - wanted), key=str)
        if not (yours[one] and wanted[one]):
            return f"{one} is {'too many' if yours[one] else 'missing'}"
        there, have = ("once" if n == 1 else f"{n} times" for n in (wanted[one], yours[one]))
        return f"{one} is there {there}, and you have it {have}"


# --- exercises and their judge --------------------------------------------------------------------


def exercise(
    number: str,
    cases: Cases = (),
    wants: Wanted[Any] | Sequence[Wanted[Any]] = EXACTLY,
    *,
    judge: Judge | None = None,
    needs: tuple[str, ...] = (),
    helpers: tuple[Function, ...] = (),
) -> Callable[[Callable[P, R]], Exercise[P, R]]:
    """An exercise; the decorated function is its solution, or returns a right answer.

    A function is wanted if the solution has arguments beside what it ``needs``. The student's is
    asked in all ``cases``, or given to a ``judge`` of its own. Otherwise the answer has a value for
    each of the cases, or is itself the value for the only one. A solution that tries some answers
    ends with ``next(...)``: where none of them is right, ``StopIteration`` says so.
    """

    def made(solution: Callable[P, R]) -> Exercise[P, R]:
        text, wants_function = Text(solution), bool({*signature(solution).parameters} - {*needs})

        def by_cases(answer: Any, **given: object) -> str:
            asked = cases(**given) if callable(cases) else cases
            if wants_function:
                assert isinstance(wants, Wanted)
                return text.praise.format(count=ask_all(answer, asked, wants))
            return text.praise.format(cases=_compare_all(answer, [*asked], wants))

        return Exercise(number, solution, text, judge or by_cases, wants_function, needs, helpers)

    return made


def compare(value: object, case: Case, wants: Wanted[Any], tells: bool = True) -> None:
    """Raise ``Wrong`` if a value is not what the case asks for; ``tells`` says what would be."""
    about = f"{case.about}: ".removeprefix(": ")
    try:
        yours = wants.read(value)
    except Wrong as wrong:
        raise Wrong(f"{about}{wrong}") from None
    if wants.same(yours, case.right):
        return
    difference = (wants.difference if tells else wants.miss)(yours, case.right)
    why = [message for known, message in case.mistakes if known is ... or wants.same(yours, known)]
    moment = case.moment(yours) if callable(case.moment) else case.moment
    raise Wrong(" ".join([f"{about}{difference}.", *why[:1]]), moment)


def ask_all(function: Function, cases: Iterable[Case], wants: Wanted[Any]) -> int:
    """How many cases a student's function is right about; ``Wrong`` for the first other one."""
    asked = 0
    for case in cases:
        try:
            value = function(*map(_copied, case.arguments))
        except ZeroDivisionError:
            raise Wrong(f"{case.about}: you divide by zero. {wants.divides}".rstrip()) from None
        compare(value, case, wants)
        asked += 1
    return asked


def _compare_all(
    answer: object, cases: Sequence[Case], wants: Wanted[Any] | Sequence[Wanted[Any]]
) -> str:
    asked = "; ".join(case.about for case in cases)
    shape = f"A list of {len(cases)} answers is wanted, for: {asked}."
    each = [wants] * len(cases) if isinstance(wants, Wanted) else wants
    values = [answer] if len(cases) == 1 else listed(answer, len(cases), shape)
    for value, case, wanted in zip(values, cases, each, strict=True):
        compare(value, case, wanted, tells=False)
    return asked


def listed(answer: object, size: int, shape: str) -> list[object]:
    """An answer that is a list of this size, or a tuple or an array. Else ``Wrong``."""
    if isinstance(answer, str | Mapping | set) or not isinstance(answer, Iterable):
        raise Wrong(shape)
    if len(values := [*answer]) != size:
        raise Wrong(shape)
    return values


def is_number(value: object, whole: bool = False) -> TypeGuard[float]:
    """Whether this is a number as people mean it: fractions and numpy's too, but no NaN or True."""
    if not isinstance(value, Real) or isinstance(value, bool) or not isfinite(value):
        return False
    return not whole or value % 1 == 0


def numbers_of(answer: Mapping[Any, object], names: Iterable[Name]) -> dict[Name, float]:
    """What the student's dictionary has for each name. Raises ``Wrong`` for what is no number."""
    numbers: dict[Name, float] = {}
    for name in names:
        if not is_number(value := answer[name]):
            raise Wrong(f"{name}: a number is wanted, not {value!r}.")
        numbers[name] = float(value)
    return numbers


def _copied(value: object) -> object:
    """A student's function may change the lists that it is given."""
    if isinstance(value, list):
        return [_copied(part) for part in value]
    if isinstance(value, dict):
        return {key: _copied(part) for key, part in value.items()}
    return {*value} if isinstance(value, set) else value
