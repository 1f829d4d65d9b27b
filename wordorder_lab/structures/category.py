r"""CCG categories: atoms such as ``NP`` and ``S[dcl]``, functors such as ``(S[dcl]\NP)/NP``.

Written as in CCGbank (Hockenmaier & Steedman 2007): the result always stands left of the slash
and the argument right of it, wherever the argument is looked for, and every functor inside another
has brackets. A ``[conj]`` behind it all marks a conjunct that waits for the one on its left:
``S[dcl]\NP[conj]`` is a whole verb phrase after "and".

Equal categories are one object, so comparing and looking up cost nothing. Their hash changes from
run to run: sort by ``str`` where the order of a set could be seen.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NoReturn, TypeVar, cast

from wordorder_lab.structures.arguments import WrongArgumentError
from wordorder_lab.structures.messages import brief, cited

VARIABLES = frozenset({"S", "N"})
"""Atoms whose missing feature is a variable, to be filled in when categories combine."""
FREE = frozenset({"", "X"})
"""How a variable is written: ``S`` in CCGbank, ``S[X]`` by some parsers."""
CONJ = "[conj]"
MAX_BRACKETS = 100

_ATOM = re.compile(r"([^\s()\[\]/\\]+)(?:\[([^\s()\[\]/\\]+)\])?")
_KNOWN: dict[str, Category] = {}

Kind = TypeVar("Kind", bound="Category")
Features = Mapping[str, str]
"""What variables have become: ``{"S": "dcl"}``."""


class CategoryError(ValueError):
    """A category is not well formed; the message says at which character."""


class Category:
    """What a phrase is and what it still needs: an ``Atom``, a ``Functor`` or a ``Conjunct``.

    ``text`` is how CCGbank writes it: ``(S[dcl]\\NP)/NP`` is a verb that needs an object on its
    right and a subject on its left (Steedman 2000, chapter 3). Equal categories are one object, and
    none ever changes: to set an attribute raises ``AttributeError``.
    """

    __slots__ = ("text",)
    text: str

    @staticmethod
    def parse(text: str) -> Category:
        """The category that ``text`` spells.

        Raises ``CategoryError`` with the character, ``WrongArgumentError`` for no string.
        """
        if not isinstance(text, str):
            raise WrongArgumentError(f"a category is parsed from a string, not {cited(text)}")
        known = _KNOWN.get(text)
        return _parse(text) if known is None else known

    def __setattr__(self, name: str, value: object = None) -> NoReturn:
        raise AttributeError(f"a category never changes: {name} of {self} stays as it is")

    __delattr__ = __setattr__

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"Category.parse({self.text!r})"

    def __reduce__(self) -> tuple[object, tuple[str]]:  # copies and pickles are the same object
        return Category.parse, (self.text,)


class Atom(Category):
    """A category that needs nothing: ``NP[nb]`` has the name NP and the feature nb."""

    __slots__ = __match_args__ = ("name", "feature")
    name: str
    feature: str

    def __new__(cls, name: str, feature: str = "") -> Atom:
        """The one atom of this name and feature. Raises ``CategoryError`` if neither can be."""
        text = f"{name}[{feature}]" if feature else name
        found = _ATOM.fullmatch(text)
        if found is None or found.groups("") != (name, feature) or feature == "conj":
            raise CategoryError(f"no atom can be written {cited(text)}")
        return _one(cls, text, name=name, feature=feature)


class Functor(Category):
    r"""A category that becomes ``result`` with an ``argument`` on its right (/) or left (\)."""

    __slots__ = __match_args__ = ("result", "slash", "argument")
    result: Category
    slash: str
    argument: Category

    def __new__(cls, result: Category, slash: str, argument: Category) -> Functor:
        r"""The one functor of these parts. Raises ``CategoryError`` for an unknown slash."""
        if slash not in ("/", "\\"):
            raise CategoryError(f"a slash is / or \\, not {cited(slash)}")
        text = f"{_inside(result)}{slash}{_inside(argument)}"
        return _one(cls, text, result=result, slash=slash, argument=argument)


class Conjunct(Category):
    """A category behind a conjunction, ``NP[conj]``: with an ``of`` on its left it is an ``of``."""

    __slots__ = __match_args__ = ("of",)
    of: Category

    def __new__(cls, of: Category) -> Conjunct:
        """The one conjunct of this category. Raises ``CategoryError`` for a conjunct of one."""
        if isinstance(of, Conjunct):
            raise CategoryError(f"{of} has its {CONJ} already")
        return _one(cls, f"{of}{CONJ}", of=of)


def _one(kind: type[Kind], text: str, **fields: object) -> Kind:
    """The category of this spelling, made if there is none yet (setdefault: threads may race)."""
    known = _KNOWN.get(text)
    if known is None:
        new = object.__new__(kind)
        for name, value in {"text": text, **fields}.items():
            object.__setattr__(new, name, value)
        known = _KNOWN.setdefault(text, new)
    return cast("Kind", known)


def _inside(part: Category) -> str:
    if isinstance(part, Conjunct):
        raise CategoryError(f"{CONJ} marks a whole category: {part} cannot be a part of one")
    return f"({part})" if isinstance(part, Functor) else part.text


# --- reading --------------------------------------------------------------------------------


def _parse(text: str) -> Category:
    if text.endswith(CONJ):
        return Conjunct(_parse(text.removesuffix(CONJ)))
    if text.count("(") > MAX_BRACKETS:
        raise CategoryError(f"category {text[:40]}...: more than {MAX_BRACKETS} brackets")
    category, end = _functor(text, 0)
    if end < len(text):
        closing = text[end] == ")"
        raise _wrong(text, end, "a closing bracket too many" if closing else "this is not expected")
    return category


def _functor(text: str, start: int) -> tuple[Category, int]:
    """A part, or two with a slash between them; where the text goes on."""
    result, at = _part(text, start)
    if text[at : at + 1] not in ("/", "\\"):
        return result, at
    argument, end = _part(text, at + 1)
    if text[end : end + 1] in ("/", "\\"):
        raise _wrong(text, end, "a second slash needs brackets, as in (S\\NP)/NP")
    return Functor(result, text[at], argument), end


def _part(text: str, start: int) -> tuple[Category, int]:
    if text.startswith("(", start):
        category, at = _functor(text, start + 1)
        if not text.startswith(")", at):
            raise _wrong(text, at, f"the bracket from character {start + 1} is not closed")
        return category, at + 1
    found = _ATOM.match(text, start)
    if found is None:
        raise _wrong(text, start, "an atom such as NP or S[dcl] is missing")
    if found[2] == "conj":
        raise _wrong(text, found.start(2), f"{CONJ} may only stand behind a whole category")
    return Atom(found[1], found[2] or ""), found.end()


def _wrong(text: str, at: int, what: str) -> CategoryError:
    place = f"character {at + 1}" if at < len(text) else "its end"
    return CategoryError(
        f"category {brief(text)}, {place}: {what}" if text else "a category is empty"
    )


# --- unification ----------------------------------------------------------------------------


def unify(left: Category, right: Category) -> tuple[Features, Features] | None:
    r"""What the variables of ``left`` and of ``right`` become if the two are to be one category.

    Two dictionaries, from the atom that is a variable to its feature; ``None`` if they cannot be
    one. Features as Zhang & Clark (2011, section 2) have them, from CCGbank. All featureless S of
    one category are one variable, and so are all its featureless N: ``(S\NP)/(S\NP)`` with
    ``S[dcl]\NP`` behind it is ``S[dcl]\NP``. NP has no variable: NP, NP[nb] and NP[expl] go
    together, NP[expl] and NP[thr] do not, and the result is what the functor says. Other atoms go
    together if one of them has no feature.
    """
    if left is right:
        return {}, {}
    pairs: list[tuple[str, str, str]] = []
    if not _aligned(left, right, pairs):
        return None
    ours: dict[str, str] = {}
    theirs: dict[str, str] = {}
    linked = set()  # variables of both sides that have met: they are one from then on
    for name, one, other in pairs:
        if name not in VARIABLES:
            same = one == other or "" in (one, other)
            if not (same or (name == "NP" and "nb" in (one, other))):
                return None
        elif one in FREE and other in FREE:
            linked.add(name)
        elif one in FREE:
            if ours.setdefault(name, other) != other:
                return None
        elif other in FREE:
            if theirs.setdefault(name, one) != one:
                return None
        elif one != other:
            return None
    for name in linked:
        found = {side[name] for side in (ours, theirs) if name in side}
        if len(found) > 1:
            return None
        for feature in found:
            ours[name] = theirs[name] = feature
    return ours, theirs


def _aligned(left: Category, right: Category, pairs: list[tuple[str, str, str]]) -> bool:
    """Whether both have one shape; the features of each pair of atoms go into ``pairs``."""
    match left, right:
        case Atom(name, one), Atom(other_name, other):
            pairs.append((name, one, other))
            return name == other_name
        case Functor(result, slash, argument), Functor(other_result, other_slash, other_argument):
            return (
                slash == other_slash
                and _aligned(result, other_result, pairs)
                and _aligned(argument, other_argument, pairs)
            )
        case Conjunct(of), Conjunct(other_of):
            return _aligned(of, other_of, pairs)
    return False


def bind(category: Category, features: Features) -> Category:
    """The category with its variables filled in."""
    if not features:
        return category
    match category:
        case Atom(name, feature) if feature in FREE and name in features:
            return Atom(name, features[name])
        case Functor(result, slash, argument):
            return Functor(bind(result, features), slash, bind(argument, features))
        case Conjunct(of):
            return Conjunct(bind(of, features))
    return category
