"""Bags as people type them: ``joined [the board]/NP [Pierre Vinken] ./.``

Space separates units, square brackets keep a phrase whole, a slash gives a tag. A backslash takes
the meaning away: ``1\\/2`` is one word, ``\\[`` a bracket, ``\\\\`` a backslash.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from wordorder_lab.structures.bag import WordBag

_PLAIN = r"\\\S|[^\s\[\]/\\]"
_UNIT = re.compile(
    rf"(?:\[(?P<phrase>(?:{_PLAIN}|\s)*)\]|(?P<word>(?:{_PLAIN})+))"
    rf"(?:/(?P<tag>(?:{_PLAIN})+))?(?!\S)"
)
_SPACE = re.compile(r"\s*")


class TypedBagError(ValueError):
    """A typed bag cannot be read; ``column`` says where, counted from 1."""

    def __init__(self, column: int, reason: str) -> None:
        super().__init__(f"column {column}: {reason}")
        self.column = column


def parse_bag(text: str) -> WordBag:
    """The bag of a typed line.

    Raises ``TypedBagError`` where the line breaks the rules above, and ``ValueError`` for a bag
    that ``WordBag`` refuses: one without words, or with far too many.
    """
    if undecoded := re.search("[\ud800-\udfff]", text):
        raise TypedBagError(undecoded.start() + 1, "this is not UTF-8 text")
    units: list[tuple[str, ...]] = []
    tags: list[str | None] = []
    place = _after_space(text, 0)
    while place < len(text):
        unit = _UNIT.match(text, place)
        if unit is None or not (unit["word"] or unit["phrase"].strip()):
            raise _explain(text, place)
        words = [unit["word"]] if unit["word"] else unit["phrase"].split()
        units.append(tuple(map(_unescaped, words)))
        tags.append(_unescaped(unit["tag"]) if unit["tag"] else None)
        place = _after_space(text, unit.end())
    return WordBag(units, tags)


def type_bag(bag: WordBag) -> str:
    """The line that ``parse_bag`` reads as this bag, without its heads."""
    return " ".join(_typed(unit, tag) for unit, tag in zip(bag.words, bag.pos or ()))


def _typed(unit: Sequence[str], tag: str | None) -> str:
    words = " ".join(map(_escaped, unit))
    return (f"[{words}]" if len(unit) > 1 else words) + (f"/{_escaped(tag)}" if tag else "")


def _escaped(word: str) -> str:
    return re.sub(r"([\[\]/\\])", r"\\\1", word)


def _unescaped(word: str) -> str:
    return re.sub(r"\\(.)", r"\1", word)


def _after_space(text: str, place: int) -> int:
    found = _SPACE.match(text, place)
    return found.end() if found else place


def _explain(text: str, start: int) -> TypedBagError:
    """What is wrong with the unit that begins at ``start``."""
    if text[start] == "[":
        return _explain_phrase(text, start)
    piece = re.compile(r"\S+").match(text, start)
    shown = piece.group() if piece else text[start:]
    bare = re.sub(r"\\.", "xx", shown)  # as long as before, and nothing in it means anything
    column = start + 1
    if bare.endswith("\\"):
        return TypedBagError(column, f"{shown!r} ends in a backslash: write \\\\ for the backslash")
    if bracket := re.search(r"[\[\]]", bare):
        return TypedBagError(
            column + bracket.start(),
            f"a bracket inside {shown!r}: put a space before a phrase, \\[ or \\] for a bracket",
        )
    return TypedBagError(column, _explain_slash(bare, shown))


def _explain_slash(bare: str, shown: str) -> str:
    if bare.count("/") > 1:
        return f"more than one slash in {shown!r}: write \\/ for one that belongs to the word"
    if bare.startswith("/"):
        return f"{shown!r} is a tag without a word: write \\/ for a slash that is a word"
    return f"the tag of {shown!r} is empty: write a tag after the slash, or \\/ for a slash"


def _explain_phrase(text: str, start: int) -> TypedBagError:
    """The same for a unit that begins with a bracket."""
    inside = re.compile(rf"\[(?:{_PLAIN}|\s|/)*").match(text, start)
    end = inside.end() if inside else start + 1
    shown = text[start : end + 1]
    if end == len(text) or text[end] == "\\":
        return TypedBagError(
            start + 1, f"{shown!r} has no closing bracket: write ] after the phrase"
        )
    if text[end] == "[":
        return TypedBagError(
            end + 1, f"a bracket inside a phrase, {shown!r}: write \\[ for the sign"
        )
    if not shown.strip("[] \t"):
        return TypedBagError(start + 1, f"the brackets {shown!r} are empty: put words between them")
    if "/" in re.sub(r"\\.", "", shown):
        return TypedBagError(
            start + 1, f"a slash inside {shown!r}: a tag stands after ], and \\/ is a plain slash"
        )
    return TypedBagError(end + 2, f"after {shown!r} comes a space, or /TAG")
