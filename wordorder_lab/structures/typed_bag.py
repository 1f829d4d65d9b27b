"""Bags as people type them: ``joined/VBD>0 [the board]/NP>1 [Pierre Vinken] ./. | 3<1 1<4``

``parse_bag`` says what the signs mean. Orders come after a ``|`` that stands alone; ``3<1<2`` says
that besides unit 1 stands before unit 2. Whatever is left out is not known. Counts are for CCG.

A backslash takes the meaning away: ``1\\/2`` is one word, ``\\[`` a bracket, ``\\`` a backslash,
``\\|`` a word, and ``1\\ 000`` one word with a space in it. The newer signs mean something only
where they can be meant, so most words that hold one need no backslash: ``>`` before a number that
ends the word, the tag or the head (``->``, ``a>b`` and ``<b>`` are words, ``a>1`` is a word with a
head), a colon behind such a number and before a letter (``a>1:30`` is a word; a label that begins
with no letter needs a backslash, ``a>1:\\2``), ``|`` where it stands alone (``a|b`` is a word),
``<`` after that ``|`` alone (before it, ``3<1`` is a word), ``{`` before two numbers that end the
unit (``a{2}`` and ``{1,2}b`` are words).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from wordorder_lab.structures.arguments import checks_arguments
from wordorder_lab.structures.bag import ONCE, ItemType, WordBag, usable_counts
from wordorder_lab.structures.messages import LONGEST, cited, one_line

COUNTS = r"\{[0-9]+,[0-9]+\}(?![^\s/>\]{])"

LABEL = rf":(?:\\[\s\S]|[^\W\d_])(?:\\[\s\S]|[^\s\[\]/\\>{{]|(?!{COUNTS}){{)*"

HEAD = rf">[+-]?[0-9]+(?=(?:{LABEL})?(?:{COUNTS}|[\s/>\]]|\Z))"
"""A head, as a pattern; a label that follows is not part of it."""

_PLAIN = rf"(?:\\[\s\S]|[^\s\[\]/\\>{{]|(?!{HEAD})>|(?!{COUNTS}){{)"
_UNIT = re.compile(
    rf"(?:\[(?P<phrase>(?:{_PLAIN}|\s)*)\]|(?P<word>{_PLAIN}+))"
    rf"(?:/(?P<tag>{_PLAIN}+))?(?:>(?P<head>[0-9]+)(?P<label>{LABEL})?)?(?P<counts>{COUNTS})?(?!\S)"
)
_WORD = re.compile(rf"{_PLAIN}+")
_ORDER = re.compile(r"[0-9]+(?:\s*<\s*[0-9]+)+(?!\S)")
_NUMBER = re.compile(r"[0-9]+")
_BAR = re.compile(r"\|(?!\S)")
_SPACE = re.compile(r"\s*")


@checks_arguments
def parse_bag(text: str) -> WordBag:
    """The bag of a typed line: ``"led/VBD>0 [a team]/NP>1:obj [Dr. Talcott] ./. | 3<1"``.

    Space separates units, square brackets keep a phrase whole; a slash gives the tag, ``>`` the
    head (a unit's number, from 1, or 0 for the root) and a colon behind it the label; ``3<1`` says
    that unit 3 stands somewhere before unit 1, and ``{0,2}`` how often a unit may be used (Zhang &
    Clark 2011, section 3).

    Raises ``TypedBagError`` where the line breaks these rules, also for a number that is no unit of
    the line and for counts that cannot be, and ``ValueError`` for a bag that ``WordBag`` refuses:
    one without words, or with far too many, or whose heads or orders contradict each other.
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
    labels = [_unescaped(unit["label"][1:]) if unit["label"] else None for unit in found]
    return WordBag(units, tags, heads, orders, counts=list(map(_counts, found)), labels=labels)


def as_bag(given: WordBag | Sequence[str | tuple[str, ...]] | str) -> WordBag:
    """The bag of a ``WordBag``, a list of units, or a typed line; else ``TypeError``."""
    if isinstance(given, WordBag):
        return given
    if isinstance(given, str):
        return parse_bag(given)
    if isinstance(given, list | tuple):
        return WordBag(given)
    raise TypeError(
        "wanted are words: a list such as ['fell', 'rain'], a line such as 'fell/VBD rain', or a "
        f"WordBag (wl.bag_of makes the bag of a sentence); {type(given).__name__} is none of these"
    )


def type_bag(bag: WordBag) -> str:
    """The line that ``parse_bag`` reads as this bag.

    It does not say lists of categories, alternatives, and the label of a unit without a head.
    """
    heads, counts = bag.heads or (), bag.counts or ()
    each = zip(bag.unit_types, heads, counts, strict=True)
    units = [_typed(kind, head, pair or ONCE) for kind, head, pair in each]
    orders = [f"{i + 1}<{j + 1}" for i, j in bag.before]
    return " ".join([*units, *(["|"] if orders else []), *orders])


def _words(unit: re.Match[str]) -> tuple[str, ...]:
    return tuple(map(_unescaped, [unit["word"]] if unit["word"] else _WORD.findall(unit["phrase"])))


def _head(unit: re.Match[str], number: int, units: Sequence[tuple[str, ...]]) -> int | None:
    text = unit["head"]
    if text is None:
        return None
    head = _number(text)
    if head <= len(units) and head != number:
        return head - 1
    possible = f"the number of another unit, 1 to {len(units)}, or 0 for the root"
    if len(units) == 1:
        possible = "0 for the root, for there is no other unit"
    form = cited(" ".join(units[number - 1]))
    raise TypedBagError(unit.start("head") + 1, f"the head of {form} is {text}: give {possible}")


def _counts(unit: re.Match[str]) -> tuple[int, int] | None:
    text = unit["counts"]
    if text is None:
        return None
    least, most = map(_number, text[1:-1].split(","))
    try:
        return usable_counts(_words(unit), (least, most))
    except ValueError as error:
        raise TypedBagError(unit.start("counts") + 1, str(error)) from None


def _orders(text: str, bar: int, units: int) -> list[tuple[int, int]]:
    """The pairs of indices that come after the ``|`` at ``bar``; none at the end of the line."""
    pairs: list[tuple[int, int]] = []
    place = _after_space(text, bar + 1)
    while place < len(text):
        chain = _ORDER.match(text, place)
        if chain is None:
            raise explain_order(text, place)
        numbers = []
        for found in _NUMBER.finditer(text, place, chain.end()):
            numbers.append(_number(found.group()) - 1)
            if not 0 <= numbers[-1] < units:
                what = f"the order {chain.group()!r} names unit {found.group()}"
                wanted = f"give the numbers of units, 1 to {units}"
                raise TypedBagError(found.start() + 1, f"{what}: {wanted}")
        pairs += pairwise(numbers)
        place = _after_space(text, chain.end())
    if bar < len(text) and not pairs:
        raise explain_order(text, bar)
    return pairs


def _typed(kind: ItemType, head: int | None, counts: tuple[int, int]) -> str:
    words = " ".join(map(_escaped, kind.words))
    bare = rf"\{words}" if words == "|" else words
    label = re.sub(r"\\?>", r"\\>", _escaped(kind.label))
    if not re.match(r"[^\W\d_]|\\", label):  # a letter comes first, or a backslash does
        label = f"\\{label}"
    return (
        (f"[{words}]" if len(kind.words) > 1 else bare)
        + (f"/{_escaped(kind.pos)}" if kind.pos else "")
        + (f">{head + 1}" if head is not None else "")
        + (f":{label}" if kind.label and head is not None else "")
        + (f"{{{counts[0]},{counts[1]}}}" if counts != ONCE else "")
    )


def _escaped(word: str) -> str:
    return re.sub(r"([\[\]/\\\s]|>(?=[+-]?[0-9])|{(?=[0-9]+,[0-9]+}))", r"\\\1", word)


def _unescaped(word: str) -> str:
    return re.sub(r"\\([\s\S])", r"\1", word)


def _after_space(text: str, place: int) -> int:
    found = _SPACE.match(text, place)
    return found.end() if found else place


# --- What is wrong, where, and what would be right

_MARK = re.compile(rf"/|(?={HEAD})>|(?={COUNTS})\{{")
_HEAD = re.compile(rf"(?={HEAD})>([+-]?[0-9]+)(?:{LABEL})?")
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
        shown = reason if len(reason) <= LONGEST else one_line(reason)
        super().__init__(f"column {column}: {shown}")
        self.column = column


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
    wrong = f"the tag of {shown!r} is empty: write a tag after the slash, or \\/ for a slash"
    if bare.count("/") > 1:
        wrong = f"more than one slash in {shown!r}: write \\/ for one that belongs to the word"
    elif bare.startswith("/"):
        wrong = f"{shown!r} is a tag without a word: write \\/ for a slash that is a word"
    return TypedBagError(column, _explain_counts(bare, word) or _explain_head(bare, word) or wrong)


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


def _explain_phrase(text: str, start: int) -> TypedBagError:
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
    usual = f"after {shown!r} comes a space, or /TAG, or >HEAD, or {{LEAST,MOST}}"
    return TypedBagError(end + 2, wrong or usual)


def _piece(text: str, start: int) -> str:
    """From there to the next space that no backslash makes part of a word."""
    found = re.compile(r"(?:\\[\s\S]|\S)*").match(text, start)
    return found.group() if found else ""


def _bare(shown: str) -> str:
    """As long as before, and nothing behind a backslash means anything."""
    return re.sub(r"\\[\s\S]", "xx", shown)
