"""What is wrong with a typed bag, where, and what would be right; ``typed_bag`` has the rules."""

from __future__ import annotations

import re
from collections.abc import Sequence

from wordorder_lab.structures.word_choices import usable_counts

COUNTS = r"\{[0-9]+,[0-9]+\}(?![^\s/>\]{])"
"""The least and the most count of a unit, as a pattern."""
HEAD = rf">[+-]?[0-9]+(?!(?!{COUNTS})[^\s/>\]])"
"""A head, as a pattern."""

_MARK = re.compile(rf"/|(?={HEAD})>|(?={COUNTS})\{{")
_HEAD = re.compile(rf"(?={HEAD})>([+-]?[0-9]+)")
_COUNTS = re.compile(COUNTS)
_FAR = 10**9
_SIGNS = {
    "/": ("a slash", "a tag stands"),
    ">": ("a head", "it stands"),
    "{": ("counts", "they stand"),
}
"""What a sign begins, and where it belongs."""


class TypedBagError(ValueError):
    """A typed bag cannot be read; ``column`` says where, counted from 1."""

    def __init__(self, column: int, reason: str) -> None:
        super().__init__(f"column {column}: {reason}")
        self.column = column


def read_head(text: str, column: int, unit: int, form: str, units: int) -> int:
    """The head of a unit as it was typed: the number of another unit, or 0.

    Raises ``TypedBagError`` for any other number.
    """
    number = _number(text)
    if number <= units and number != unit:
        return number
    possible = f"the number of another unit, 1 to {units}, or 0 for the root"
    if units == 1:
        possible = "0 for the root, for there is no other unit"
    raise TypedBagError(column, f"the head of {form!r} is {text}: give {possible}")


def read_counts(text: str, column: int, unit: Sequence[str]) -> tuple[int, int]:
    """The counts of a unit, typed as ``{0,2}``. Raises ``TypedBagError`` if they cannot be."""
    least, most = map(_number, text[1:-1].split(","))
    try:
        return usable_counts(unit, (least, most))
    except ValueError as error:
        raise TypedBagError(column, str(error)) from None


def read_unit(text: str, column: int, order: str, units: int) -> int:
    """The number of a unit in an order. Raises ``TypedBagError`` for one outside the bag."""
    number = _number(text)
    if 1 <= number <= units:
        return number
    what = f"the order {order!r} names unit {text}: give the numbers of units, 1 to {units}"
    raise TypedBagError(column, what)


def _number(text: str) -> int:
    return int(text) if len(text) < 10 else _FAR  # so long that Python might refuse to read it


def explain_order(text: str, start: int) -> TypedBagError:
    """What is wrong with the order that should begin at ``start``, or with the ``|`` there."""
    shown = _piece(text, start)
    found = f"{shown!r} after the | is no order"
    if shown == "|" and not text[start + 1 :].strip():
        found = "after the | comes no order"
    return TypedBagError(
        start + 1, f"{found}: write 3<1 for unit 3 before unit 1, or \\| for a | that is a word"
    )


def explain_unit(text: str, start: int) -> TypedBagError:
    """What is wrong with the unit that begins at ``start``."""
    if text[start] == "[":
        return _explain_phrase(text, start)
    shown = _piece(text, start)
    bare = _bare(shown)
    column = start + 1
    if bare.endswith("\\"):
        return TypedBagError(column, f"{shown!r} ends in a backslash: write \\\\ for the backslash")
    if bracket := re.search(r"[\[\]]", bare):
        return TypedBagError(
            column + bracket.start(),
            f"a bracket inside {shown!r}: put a space before a phrase, \\[ or \\] for a bracket",
        )
    mark = _MARK.search(bare)
    word = shown[: mark.start()] if mark else shown
    wrong = _explain_counts(bare, word) or _explain_head(bare, word)
    return TypedBagError(column, wrong or _explain_slash(bare, shown))


def _explain_counts(bare: str, word: str) -> str | None:
    """What is wrong with the counts of a unit, if it is these that are wrong."""
    counts = _COUNTS.findall(bare)
    if not counts:
        return None
    if bare.startswith(counts[0]):
        return f"{counts[0]!r} are counts without a word: write \\{{ for a {{ that is a word"
    if len(counts) > 1 or not bare.endswith(counts[0]):
        return (
            f"the counts of {word!r} stand once, at its very end: write {word}/TAG{counts[-1]} "
            "(\\{ is a plain {)"
        )
    return None


def _explain_head(bare: str, word: str) -> str | None:
    """What is wrong with the heads of a unit, if it is these that are wrong."""
    heads = _HEAD.findall(bare)
    if not heads:
        return None
    if not word and bare.startswith(">"):
        return f"'>{heads[0]}' is a head without a word: write \\> for a > that is a word"
    if len(heads) > 1:
        given = f"{', '.join(heads[:-1])} and {heads[-1]}"
        return f"{word!r} has {len(heads)} heads, {given}: give one (\\> is a plain >)"
    if _HEAD.sub("", bare).count("/") == 1 and bare.rindex("/") > bare.rindex(">"):
        return f"the tag of {word!r} stands before its head: write {word}/TAG>{heads[0]}"
    if not heads[0].isdecimal():
        return f"the head of {word!r} is {heads[0]}: give the number of a unit, or 0 for the root"
    return None


def _explain_slash(bare: str, shown: str) -> str:
    if bare.count("/") > 1:
        return f"more than one slash in {shown!r}: write \\/ for one that belongs to the word"
    if bare.startswith("/"):
        return f"{shown!r} is a tag without a word: write \\/ for a slash that is a word"
    return f"the tag of {shown!r} is empty: write a tag after the slash, or \\/ for a slash"


def _explain_phrase(text: str, start: int) -> TypedBagError:
    """The same for a unit that begins with a bracket."""
    inside = re.compile(r"\[(?:\\[\s\S]|[^\[\]\\])*").match(text, start)
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
    if mark := _MARK.search(_bare(shown)):
        sign = mark.group()
        found, meant = _SIGNS[sign]
        way_out = f"{meant} after ], and \\{sign} is a plain {sign}"
        return TypedBagError(start + 1, f"{found} inside {shown!r}: {way_out}")
    tail = _bare(_piece(text, end + 1))
    wrong = None
    if tail[:1] in {"/", ">", "{"}:
        wrong = _explain_counts(f"x{tail}", shown) or _explain_head(tail, shown)
    told = f"after {shown!r} comes a space, or /TAG, or >HEAD, or {{LEAST,MOST}}"
    return TypedBagError(end + 2, wrong or told)


def _piece(text: str, start: int) -> str:
    """From there to the next space that no backslash makes part of a word."""
    found = re.compile(r"(?:\\[\s\S]|\S)*").match(text, start)
    return found.group() if found else ""


def _bare(shown: str) -> str:
    """As long as before, and nothing behind a backslash means anything."""
    return re.sub(r"\\[\s\S]", "xx", shown)
