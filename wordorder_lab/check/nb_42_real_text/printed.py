"""The sentences that Cohn & Lapata (2009) print in Table 7, with what three of them became."""

from __future__ import annotations

import re
from typing import NamedTuple

from wordorder_lab.experiments.specification import load_specification

TABLE_7 = "cohn-lapata-2009-table-7"
TOKEN = re.compile(r"\w+(?:['-]\w+)*|[^\w\s]")


class PrintedSentence(NamedTuple):
    """A sentence of Table 7 in words, and the versions printed below it, by whose they are."""

    words: tuple[str, ...]
    versions: dict[str, tuple[str, ...]]


def printed_sentences() -> list[PrintedSentence]:
    """All four, in the paper's order; the last version is a person's."""
    found = []
    for one in load_specification(TABLE_7).paper["printed"]:
        names = ("mcdonald", "transducer", "reference")
        versions = {name: words_of(one[name]) for name in names}
        found.append(PrintedSentence(words_of(one["source"]), versions))
    return found


def words_of(text: str) -> tuple[str, ...]:
    """A printed sentence as words, signs apart."""
    return tuple(TOKEN.findall(text))
