"""From the lines of a lexicon file to its rows: each column has a reader, which may refuse."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, TypeVar

from wordorder_lab.corpora.gazette import lexicon_rows as rows
from wordorder_lab.corpora.readers.corpus import CorpusError
from wordorder_lab.corpora.readers.files import read_text

GAP = re.compile(r" {2,}")
FORM = re.compile(r"[A-Za-z]+\.?([ -][A-Za-z]+\.?)*")

Words = frozenset[str]
Reader = Callable[[str, Words], Any]
R = TypeVar("R")


def read_table(path: Path, kind: type[R], words: Words = frozenset()) -> tuple[R, ...]:
    """The rows of one file, in its order.

    ``words`` are those that a column may refer to. Raises ``CorpusError`` with file and line for
    a wrong number of columns, a value that a column cannot have, and a row that was there before.
    """
    first_seen: dict[R, int] = {}
    for number, line in enumerate(read_text(path).split("\n"), 1):
        line = line.rstrip()
        if not line or line.startswith("#"):
            continue
        try:
            row = _row(line, kind, words)
            if row in first_seen:
                raise ValueError(f"the row of line {first_seen[row]:,} again: drop one of them")
        except ValueError as error:
            raise CorpusError(f"line {number:,} of {path}: {error}") from None
        first_seen[row] = number
    if not first_seen:
        raise CorpusError(f"{path} holds no rows: see its head for the columns")
    return tuple(first_seen)


def _row(line: str, kind: type[R], words: Words) -> R:
    columns = COLUMNS[kind]
    cells = GAP.split(line)
    if len(cells) != len(columns):
        raise ValueError(
            f"{len(cells)} columns, not {len(columns)}: two or more spaces stand between columns"
        )
    values: list[Any] = []
    for cell, read in zip(cells, columns):
        value = read(cell, words)
        # The one column that fills two fields is the extra of a verb.
        values += value if read is _extra else [value]
    row = kind(*values)
    _fits_together(row)
    return row


def _fits_together(row: object) -> None:
    """Refuse what is wrong with a row though each of its columns is right."""
    if isinstance(row, rows.Noun) and not row.singular and not row.plural:
        raise ValueError("a noun needs a singular or a plural")
    if not isinstance(row, rows.Verb):
        return
    has_object, has_extra = (
        row.frame in ("t", "tn", "tp", "oc", "d"),
        row.frame in ("tp", "ip", "d"),
    )
    if bool(row.objects) != has_object:
        raise ValueError(f"frame {row.frame} takes {'' if has_object else 'no '}objects")
    if bool(row.extra) != has_extra:
        raise ValueError(f"frame {row.frame} takes {'' if has_extra else 'no '}extra")
    if bool(row.preposition) != (row.frame in ("tp", "ip")):
        raise ValueError(f"frame {row.frame}: preposition:nouns is the extra of tp and ip")


def _form(cell: str, _: Words) -> str:
    if not FORM.fullmatch(cell):
        raise ValueError(f"{cell!r} is not a word or a few words with one space between them")
    return cell


def _perhaps(cell: str, words: Words) -> str:
    return "" if cell == "-" else _form(cell, words)


def _domains(cell: str, _: Words) -> str:
    if cell == "*":
        return rows.DOMAINS
    if not cell or cell != "".join(d for d in rows.DOMAINS if d in cell):
        raise ValueError(f"{cell!r} are no domains: * or letters of {rows.DOMAINS}, in that order")
    return cell


def _one_of(what: str, known: Iterable[str]) -> Reader:
    def read(cell: str, _: Words) -> str:
        if cell not in known:
            raise ValueError(f"{cell!r} is no {what}: choose one of {', '.join(sorted(known))}")
        return cell

    return read


def _selection(cell: str, words: Words) -> rows.Selection:
    """Classes, ``=nouns``, kinds of names or ``*``, each once; ``-`` for nothing."""
    chosen = () if cell == "-" else tuple(cell.split(","))
    for item in chosen:
        if item.startswith("="):
            if item[1:] not in words:
                raise ValueError(f"{item[1:]!r} is not in nouns.txt (a noun by its singular)")
        elif item != "*" and item not in rows.CLASSES | rows.NAME_CLASSES:
            raise ValueError(f"{item!r} is no class: see the head of nouns.txt, or write =noun")
    if len(set(chosen)) < len(chosen):
        raise ValueError(f"{cell!r} names something twice")
    return chosen


def _some(cell: str, words: Words) -> rows.Selection:
    if cell == "-":
        raise ValueError("'-' leaves nothing to go with: name classes, or * for all")
    return _selection(cell, words)


def _extra(cell: str, words: Words) -> tuple[str, rows.Selection]:
    preposition, colon, selection = cell.rpartition(":")
    return (_form(preposition, words) if colon else ""), _selection(selection, words)


def _verbs(cell: str, words: Words) -> rows.Selection:
    chosen = () if cell == "-" else tuple(cell.split(","))
    for verb in chosen:
        if verb != "*" and verb not in words:
            raise ValueError(f"{verb!r} is not in verbs.txt")
    return chosen


def _lemma(cell: str, words: Words) -> str:
    if cell not in words:
        raise ValueError(f"{cell!r} is not in nouns.txt (a noun by its singular)")
    return cell


COLUMNS: dict[type, tuple[Reader, ...]] = {
    rows.Noun: (_perhaps, _perhaps, _one_of("class", rows.CLASSES), _domains),
    rows.Adjective: (_form, _perhaps, _perhaps, _some, _domains, _one_of("use", rows.USES)),
    rows.Adverb: (_form, _one_of("place", rows.PLACES), _domains, _verbs),
    rows.Verb: (*[_form] * 5, _one_of("frame", rows.FRAMES), _some, _selection, _extra, _domains),
    rows.Name: (_form, _one_of("kind", rows.KINDS), _perhaps, _domains),
    rows.Preposition: (
        _form,
        _one_of("place to attach", ("noun", "verb", "both")),
        _some,
        _one_of("meaning", rows.MEANINGS),
        _some,
        _domains,
    ),
    rows.Compound: (_form, _lemma, _domains),
}
