"""Language models as text, in the ARPA format that SRILM, KenLM and IRSTLM read and write.

    \\data\
    ngram 1=4                       how many n-grams of each order there are
    ngram 2=2

    \1-grams:
    -99    <s>      -0.30103        log10 p, the n-gram, log10 of its back-off (left out: 0)
    ...
    \\end\

Differences
- *Our reading*: the format has no minus infinity; -99 and all below is "never".
- *Paper silent*: our models hold every context of an n-gram as an n-gram. Where a pruned file has
  ``a b c`` and lacks ``a b``, that is added with the probability that backing off gives it, which
  changes no other probability.
"""

from __future__ import annotations

import math
import os
import re
from collections.abc import Iterator, Sequence
from itertools import pairwise, zip_longest
from typing import BinaryIO, NamedTuple

import numpy as np

from wordorder_lab.models.ngram import END, MARKS, NEVER, UNKNOWN, NGramModel, distinct, trie
from wordorder_lab.runtime.atomic import replacing
from wordorder_lab.structures.messages import MOST_ORDER, cited

# --- Writing


def write_arpa(model: NGramModel, path: str | os.PathLike[str]) -> None:
    """Write a model, atomically; logarithms keep ten digits. Raises ``ValueError`` for a word that
    is empty or holds white space, ``OSError`` if the folder cannot be written."""
    for word in model.vocabulary:
        if word.encode().split() != [word.encode()]:
            raise ValueError(
                f"ARPA files have spaces between words: {cited(word)} cannot stand in one"
            )
    with replacing(path) as part, part.open("w", encoding="utf-8", newline="\n") as file:
        file.write("\\data\\\n")
        file.writelines(f"ngram {n}={size}\n" for n, size in enumerate(model.sizes, 1))
        begin = 0
        for length, texts in enumerate(_texts(model), 1):
            inside = slice(begin, begin + len(texts))
            columns = [
                (logs[inside] / LN_10).tolist() for logs in (model.log_probs, model.back_offs)
            ]
            file.write(f"\n\\{length}-grams:\n")
            for log_prob, text, back_off in zip_longest(columns[0], texts, columns[1]):
                file.write(f"{log_prob:.10g}\t{text}")
                file.write(f"\t{back_off:.10g}\n" if back_off else "\n")
            begin += len(texts)
        file.write("\n\\end\\\n")


def _texts(model: NGramModel) -> Iterator[list[str]]:
    """The n-grams of each length, in the order of their numbers."""
    size = len(model.vocabulary)
    texts = list(model.vocabulary)
    yield texts
    first = at = 0
    for shorter, longer in pairwise(model.sizes):
        keys = model.keys[at : at + longer].tolist()
        texts = [f"{texts[key // size - first]} {model.vocabulary[key % size]}" for key in keys]
        yield texts
        first, at = first + shorter, at + longer


# --- Reading


def read_arpa(path: str | os.PathLike[str]) -> NGramModel:
    """Read a model that any tool has written. Where the file lacks ``<unk>`` or ``<s>``, that has
    the probability "never"; ``<UNK>`` is read as ``<unk>``. Raises ``ValueError`` with the line
    where the file is damaged, and ``OSError`` if it cannot be opened."""
    with open(path, "rb") as file:
        words, sections = read_sections(os.fspath(path), file)
    if UNKNOWN not in words:
        words = [UNKNOWN if word == UNKNOWN.upper() else word for word in words]
    vocabulary = (*MARKS, *sorted(set(words).difference(MARKS)))
    place = {word: number for number, word in enumerate(vocabulary)}
    final = np.array([place[word] for word in words])
    sections = [section._replace(rows=final[section.rows]) for section in sections]
    whole = [_with(sections[0], np.arange(len(vocabulary))[:, None])]
    for n in range(2, len(sections) + 1):
        contexts = [longer.rows[:, :n] for longer in sections[n - 1 :]]
        whole.append(_with(sections[n - 1], np.concatenate(contexts)))
    np.nan_to_num(whole[0].log_probs, copy=False, nan=NEVER)
    return _model(vocabulary, whole)


def _with(section: Section, more: np.ndarray) -> Section:
    """A section in ascending order, and with these rows; their probabilities are NaN for now."""
    rows, at = distinct(section.rows, more)
    log_probs, back_offs = np.full(len(rows), np.nan), np.zeros(len(rows))
    log_probs[at], back_offs[at] = section.log_probs, section.back_offs
    return Section(rows, log_probs, back_offs)


def _model(vocabulary: tuple[str, ...], sections: Sequence[Section]) -> NGramModel:
    """The model of complete sections; what is NaN becomes what backing off gives."""
    keys, contexts = trie([section.rows for section in sections], len(vocabulary))
    sizes = tuple(len(section.rows) for section in sections)
    log_probs = np.concatenate([section.log_probs for section in sections])
    back_offs = np.concatenate([np.empty(0), *(section.back_offs for section in sections[:-1])])
    model = NGramModel(vocabulary, sizes, keys, log_probs, back_offs)
    begin = sizes[0]
    for shorter, section, above in zip(sections, sections[1:], contexts[1:]):
        for i in np.flatnonzero(np.isnan(section.log_probs)).tolist():
            *context, word = section.rows[i].tolist()
            back_off = float(shorter.back_offs[above[i]])
            log_probs[begin + i] = back_off + model.log_prob(context[1:], word)
        begin += len(section.rows)
    return model


# --- Lines, checked one by one


LN_10 = math.log(10)
LEAST = -99.0
"""The decimal logarithm that stands for "never"."""


class Section(NamedTuple):
    """The n-grams of one length: rows of word ids, with natural logarithms."""

    rows: np.ndarray
    log_probs: np.ndarray
    back_offs: np.ndarray


def read_sections(path: str, file: BinaryIO) -> tuple[list[str], list[Section]]:
    """The words, numbered as they come, and the n-grams of each length. Raises ``ValueError`` with
    the line where the file is damaged."""
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
                f"{cited(field.decode(errors='replace'))} is not the log10 of a probability"
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
        if len(sizes) > MOST_ORDER:
            raise lines.wrong(f"n-grams of more than {MOST_ORDER} words are too long")
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
        if len(numbers) == size:
            raise lines.wrong(
                f"the head announces {size} {n}-grams, and here is another line: "
                f"\\{n + 1}-grams: or \\end\\ is missing before it, or the head is wrong"
            )
        if len(fields) not in (n + 1, n + 2):
            raise lines.wrong(f"{len(fields)} fields; a {n}-gram has {n + 1} or {n + 2}")
        if n == 1:
            try:
                fields[1].decode()
            except UnicodeDecodeError:
                raise lines.wrong("the word is not UTF-8") from None
            ids.setdefault(fields[1], len(ids))
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
    _, at = distinct(rows, rows[:0])
    _, first = np.unique(at, return_index=True)
    if len(first) < len(at):
        again = int(np.setdiff1d(np.arange(len(at)), first)[0])
        raise lines.wrong(f"this {n}-gram is there already", numbers[again])
    log_probs, back_offs = np.array(logs, np.float64).reshape(-1, 2).T
    return Section(rows, log_probs, back_offs)
