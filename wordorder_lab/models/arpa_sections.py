"""The lines of an ARPA file, checked one by one (the format is told in ``arpa``)."""

from __future__ import annotations

import math
import re
from typing import BinaryIO, NamedTuple

import numpy as np

from wordorder_lab.models.ngram import END
from wordorder_lab.models.ngram_rows import distinct

LN_10 = math.log(10)
LEAST = -99.0
"""The decimal logarithm that stands for "never"."""


class Section(NamedTuple):
    """The n-grams of one length: rows of word ids, with natural logarithms."""

    rows: np.ndarray
    log_probs: np.ndarray
    back_offs: np.ndarray


def read_sections(path: str, file: BinaryIO) -> tuple[list[str], list[Section]]:
    """The words, numbered as they come, and the n-grams of each length.

    Raises ``ValueError`` with the line where the file is damaged.
    """
    lines = _Lines(path, file)
    sizes = _sizes(lines)
    ids: dict[bytes, int] = {}
    sections = [_section(lines, n, size, ids) for n, size in enumerate(sizes, 1)]
    if lines.text != b"\\end\\":
        raise lines.wrong(r"\end\ is missing here")
    return [word.decode() for word in ids], sections


class _Lines:
    """The lines of a file that are not empty: ``text`` is the one that is looked at."""

    def __init__(self, path: str, file: BinaryIO) -> None:
        self.path, self.number, self.text = path, 0, b""
        self._file = file

    def next(self) -> bytes:
        """Go on to the next line; behind the last one ``text`` is empty."""
        self.text = b""
        while not self.text and (line := self._file.readline()):
            self.number += 1
            self.text = line.strip()
        return self.text

    def wrong(self, what: str, number: int = 0) -> ValueError:
        """What to raise about this line, or the one with that number."""
        return ValueError(f"{self.path}, line {number or self.number}: {what}")

    def log(self, field: bytes, most: float) -> float:
        """The natural logarithm of a number that is given by its decimal one."""
        try:
            value = float(field)
        except ValueError:
            value = math.nan
        if not value <= most:  # NaN, too
            raise self.wrong(
                f"{field.decode(errors='replace')!r} is not the log10 of a probability"
            )
        return max(value, LEAST) * LN_10


def _sizes(lines: _Lines) -> list[int]:
    """How many n-grams of each length the head of the file announces."""
    while lines.next() != b"\\data\\":
        if not lines.text:
            raise lines.wrong(r"the file ends without \data\: it is no ARPA file")
    sizes: list[int] = []
    while found := re.fullmatch(rb"ngram\s+(\d{1,18})\s*=\s*(\d{1,18})", lines.next()):
        if int(found[1]) != len(sizes) + 1:
            break
        sizes.append(int(found[2]))
    if found or not sizes:
        raise lines.wrong(f"'ngram {len(sizes) + 1}=' is missing here")
    return sizes


def _section(lines: _Lines, n: int, size: int, ids: dict[bytes, int]) -> Section:
    """The n-grams of one length, in the order of the file; the 1-grams fill ``ids``."""
    if lines.text != b"\\%d-grams:" % n:
        raise lines.wrong(f"\\{n}-grams: is missing here")
    words: list[int] = []
    logs: list[tuple[float, float]] = []
    numbers: list[int] = []
    while lines.next() and not lines.text.startswith(b"\\"):
        fields = lines.text.split()
        if len(fields) not in (n + 1, n + 2):
            raise lines.wrong(f"{len(fields)} fields; a {n}-gram has {n + 1} or {n + 2}")
        if n == 1:
            _add_word(lines, fields[1], ids)
        if any(word not in ids for word in fields[1 : n + 1]):
            raise lines.wrong("a word that is not among the 1-grams")
        words += [ids[word] for word in fields[1 : n + 1]]
        back_off = lines.log(fields[-1], 99.0) if len(fields) > n + 1 else 0.0
        logs.append((lines.log(fields[0], 0.0), back_off))
        numbers.append(lines.number)
    if len(numbers) != size:
        raise lines.wrong(f"here end {len(numbers)} {n}-grams; the head announces {size}")
    if END.encode() not in ids:
        raise lines.wrong(f"{END} is not among the 1-grams, so no sentence could end")
    rows = np.array(words, np.int64).reshape(-1, n)
    _refuse_twins(lines, rows, numbers)
    log_probs, back_offs = np.array(logs, np.float64).reshape(-1, 2).T
    return Section(rows, log_probs, back_offs)


def _add_word(lines: _Lines, word: bytes, ids: dict[bytes, int]) -> None:
    try:
        word.decode()
    except UnicodeDecodeError:
        raise lines.wrong("the word is not UTF-8") from None
    ids.setdefault(word, len(ids))


def _refuse_twins(lines: _Lines, rows: np.ndarray, numbers: list[int]) -> None:
    _, at = distinct(rows, rows[:0])
    _, first = np.unique(at, return_index=True)
    if len(first) < len(at):
        again = int(np.setdiff1d(np.arange(len(at)), first)[0])
        raise lines.wrong(f"this {rows.shape[1]}-gram is there already", numbers[again])
