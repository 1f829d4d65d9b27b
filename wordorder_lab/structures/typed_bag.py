r"""Bags as people type them: ``joined/VBD>0 [the board]/NP>1 [Pierre Vinken] ./. | 3<1 1<4``

Space separates units, square brackets keep a phrase whole, a slash gives a tag. Then ``>`` gives
the head: the number of a unit of this line, from 1, or 0 for the root. After a ``|`` that stands
alone come orders: ``3<1`` says that unit 3 stands somewhere before unit 1, ``3<1<2`` that besides
unit 1 stands before unit 2. Whatever is left out is not known.

For CCG a unit may end in its least and its most count: ``the/DT{0,2}`` may be left out, or be used
once or twice (Zhang & Clark 2011, section 3: word selection).

A backslash takes the meaning away: ``1\/2`` is one word, ``\[`` a bracket, ``\\`` a backslash,
``\|`` a word, and ``1\ 000`` one word with a space in it. The newer signs mean something only
where they can be meant, so most words that hold one need no backslash: ``>`` before a number that
ends the word, the tag or the head (``->``, ``a>b`` and ``<b>`` are words, ``a>1`` is a word with a
head), ``|`` where it stands alone (``a|b`` is a word), ``<`` after that ``|`` alone (before it,
``3<1`` is a word), ``{`` before two numbers that end the unit (``a{2}`` and ``{1,2}b`` are words).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from wordorder_lab.structures.bag import WordBag
from wordorder_lab.structures.typed_bag_errors import (
    COUNTS,
    HEAD,
    TypedBagError,
    explain_order,
    explain_unit,
    read_counts,
    read_head,
    read_unit,
)
from wordorder_lab.structures.word_choices import ONCE

_PLAIN = rf"(?:\\[\s\S]|[^\s\[\]/\\>{{]|(?!{HEAD})>|(?!{COUNTS}){{)"
_UNIT = re.compile(
    rf"(?:\[(?P<phrase>(?:{_PLAIN}|\s)*)\]|(?P<word>{_PLAIN}+))"
    rf"(?:/(?P<tag>{_PLAIN}+))?(?:>(?P<head>[0-9]+))?(?P<counts>{COUNTS})?(?!\S)"
)
_WORD = re.compile(rf"{_PLAIN}+")
_ORDER = re.compile(r"[0-9]+(?:\s*<\s*[0-9]+)+(?!\S)")
_NUMBER = re.compile(r"[0-9]+")
_BAR = re.compile(r"\|(?!\S)")
_SPACE = re.compile(r"\s*")


def parse_bag(text: str) -> WordBag:
    """The bag of a typed line.

    Raises ``TypedBagError`` where the line breaks the rules above, also for a number that is no
    unit of the line and for counts that cannot be, and ``ValueError`` for a bag that ``WordBag``
    refuses: one without words, or with far too many, or whose heads or orders contradict each
    other.
    """
    if undecoded := re.search("[\ud800-\udfff]", text):
        raise TypedBagError(undecoded.start() + 1, "this is not UTF-8 text")
    found: list[re.Match[str]] = []
    place = _after_space(text, 0)
    while place < len(text) and not _BAR.match(text, place):
        unit = _UNIT.match(text, place)
        if unit is None or not (unit["word"] or _WORD.search(unit["phrase"])):
            raise explain_unit(text, place)
        found.append(unit)
        place = _after_space(text, unit.end())
    if place < len(text) and not found:
        raise TypedBagError(place + 1, "no unit stands before the |: write \\| for the word")
    units = [_words(unit) for unit in found]
    tags = [_unescaped(unit["tag"]) if unit["tag"] else None for unit in found]
    heads = [_head(unit, i, units) for i, unit in enumerate(found, start=1)]
    orders = _orders(text, place, len(units))
    return WordBag(units, tags, heads, orders, counts=list(map(_counts, found)))


def type_bag(bag: WordBag) -> str:
    """The line that ``parse_bag`` reads as this bag, but for lists of categories."""
    given = zip(bag.words, bag.pos or (), bag.heads or (), bag.counts or (), strict=True)
    units = [_typed(*one) for one in given]
    orders = [f"{i + 1}<{j + 1}" for i, j in bag.before]
    return " ".join([*units, *(["|"] if orders else []), *orders])


def _words(unit: re.Match[str]) -> tuple[str, ...]:
    words = [unit["word"]] if unit["word"] else _WORD.findall(unit["phrase"])
    return tuple(map(_unescaped, words))


def _head(unit: re.Match[str], number: int, units: Sequence[tuple[str, ...]]) -> int | None:
    """The index of a unit's head in the bag, or -1."""
    if unit["head"] is None:
        return None
    column, form = unit.start("head") + 1, " ".join(units[number - 1])
    return read_head(unit["head"], column, number, form, len(units)) - 1


def _counts(unit: re.Match[str]) -> tuple[int, int] | None:
    """The least and the most count of a unit, where they are given."""
    if unit["counts"] is None:
        return None
    return read_counts(unit["counts"], unit.start("counts") + 1, _words(unit))


def _orders(text: str, bar: int, units: int) -> list[tuple[int, int]]:
    """The pairs of indices that come after the ``|`` at ``bar``; none at the end of the line."""
    pairs: list[tuple[int, int]] = []
    place = _after_space(text, bar + 1)
    while place < len(text):
        chain = _ORDER.match(text, place)
        if chain is None:
            raise explain_order(text, place)
        numbers = [
            read_unit(found.group(), found.start() + 1, chain.group(), units) - 1
            for found in _NUMBER.finditer(text, place, chain.end())
        ]
        pairs += pairwise(numbers)
        place = _after_space(text, chain.end())
    if bar < len(text) and not pairs:
        raise explain_order(text, bar)
    return pairs


def _typed(
    unit: Sequence[str], tag: str | None, head: int | None, counts: tuple[int, int] | None
) -> str:
    words = " ".join(map(_escaped, unit))
    bare = rf"\{words}" if words == "|" else words
    return (
        (f"[{words}]" if len(unit) > 1 else bare)
        + (f"/{_escaped(tag)}" if tag else "")
        + (f">{head + 1}" if head is not None else "")
        + (f"{{{counts[0]},{counts[1]}}}" if counts not in (None, ONCE) else "")
    )


def _escaped(word: str) -> str:
    return re.sub(r"([\[\]/\\\s]|>(?=[+-]?[0-9])|{(?=[0-9]+,[0-9]+}))", r"\\\1", word)


def _unescaped(word: str) -> str:
    return re.sub(r"\\([\s\S])", r"\1", word)


def _after_space(text: str, place: int) -> int:
    found = _SPACE.match(text, place)
    return found.end() if found else place
