"""Bags in CoNLL-U, with blanks: ten columns a word, ``_`` for what is not known.

    1   joined          _   _   VBD   _   0   _   _   _
    2   the board       _   _   NP    _   1   _   _   _
    3   Pierre Vinken   _   _   _     _   _   _   _   Before=1,2

ID counts the units of the bag from 1; its order says nothing. Spaces in FORM keep a phrase whole,
and ``_`` there is the word ``_``. The tag is the language's own (XPOS) if any word of the bag has
one, else the universal one (UPOS): tags of both kinds in one bag would fit no model. HEAD is the ID
of the head, 0 for the root, DEPREL the label of the arc from there. ``Before=`` in MISC lists units
that this one stands before. Ranges, empty nodes and all else are passed over. A blank line ends a
bag, and a file may hold several.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from wordorder_lab.corpora.readers.conllu import Row, read_head, read_rows
from wordorder_lab.corpora.readers.corpus import CorpusError, error_at
from wordorder_lab.structures.bag import WordBag
from wordorder_lab.structures.messages import UNFIT, cited


class PlacedBag(NamedTuple):
    """A bag, and the number of the line where it begins."""

    line: int
    bag: WordBag


def parse_conllu_bags(text: Iterable[str], source: str) -> Iterator[PlacedBag]:
    """The bags in these lines, each as soon as its last line is there. Raises ``CorpusError`` that
    names ``source`` and the line: for what CoNLL-U forbids (also a second line for a word, which
    would be a second head), for a HEAD or an order outside the bag, for what ``WordBag`` refuses,
    and for no bag at all."""
    line = 0
    for rows in read_rows(text, source):
        line = rows[0].line
        yield PlacedBag(line, _bag(rows, source))
    if not line:
        raise CorpusError(f"{source} holds no bags: give a CoNLL-U file")


def bag_to_conllu(bag: WordBag) -> str:
    """The bag as CoNLL-U, with the blank line that ends it; a word with a space in it comes back as
    a phrase. Raises ``ValueError`` for a tag or label that is ``_`` or has a space in it, a tab or
    a line break anywhere, counts, lists of categories, alternatives."""
    if bag.has_choices:
        raise ValueError("CoNLL-U holds no counts and no lists of categories: leave them out")
    if bag.has_alternatives:
        raise ValueError("CoNLL-U holds one form a word and no alternatives: leave them out")
    before: list[list[str]] = [[] for _ in bag.words]
    for i, j in bag.before:
        before[i].append(str(j + 1))
    lines = []
    each = zip(bag.pos or (), bag.heads or (), bag.labels or (), strict=True)
    for i, (tag, head, label) in enumerate(each):
        for name, value in (("tag", tag), ("label", label)):
            if value and re.search(rf"^_$|[ \t\r\n{UNFIT}]", value):
                what = f"{cited(bag.form(i))} has the {name} {cited(value)}"
                raise ValueError(f"{what}, which CoNLL-U cannot hold")
        if re.search(rf"[\t\r\n{UNFIT}]", bag.form(i)):
            raise ValueError(
                f"{cited(bag.form(i))} has a tab or line break, which CoNLL-U cannot hold"
            )
        known = "_" if head is None else str(head + 1)
        misc = f"Before={','.join(before[i])}" if before[i] else "_"
        columns = (str(i + 1), bag.form(i), "_", "_", tag or "_", "_", known, label or "_")
        lines.append("\t".join((*columns, "_", misc)) + "\n")
    return "".join([*lines, "\n"])


def _bag(rows: Sequence[Row], source: str) -> WordBag:
    has_xpos = any(row.xpos != "_" for row in rows)
    tags = [row.xpos if has_xpos else row.upos for row in rows]
    heads = [_head(row, i, len(rows), source) for i, row in enumerate(rows)]
    before = [(i, j) for i, row in enumerate(rows) for j in _before(row, i, len(rows), source)]
    words = [tuple(word for word in row.form.split(" ") if word) for row in rows]
    labels = [row.label for row in rows]
    try:
        known = [None if tag == "_" else tag for tag in tags]
        return WordBag(words, known, heads, before, labels=labels)
    except ValueError as error:
        what = f"in the bag that begins here, {error}"
        raise error_at(rows[0].line, source, what) from None


def _head(row: Row, i: int, length: int, source: str) -> int | None:
    if row.head == "_":
        return None
    head = read_head(row, length, source, ", or _ where it is not known")
    if head == i:
        raise error_at(
            row.line, source, f"{cited(row.form)} is its own head: give another ID, 0 or _"
        )
    return head


def _before(row: Row, i: int, length: int, source: str) -> list[int]:
    given = [part[7:] for part in row.misc.split("|") if part.startswith("Before=")]
    others = [other for ids in given for other in ids.split(",")]
    for other in others:
        known = re.fullmatch("[0-9]{1,9}", other) and 1 <= int(other) <= length
        if not known or int(other) == i + 1:
            what = f"Before={','.join(others)} should be the IDs of other words, 1 to {length}"
            raise error_at(row.line, source, f"{what}, as in Before=1,2")
    return [int(other) - 1 for other in others]
