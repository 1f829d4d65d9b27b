"""CLspoken and CLwritten: the corpora of Clarke & Lapata (2008), as Cohn & Lapata (2009) use them.

Broadcast news, each sentence compressed by three people, and newspapers, by one. People could only
leave words out, so every target is a subsequence of its source, and the alignment is found again by
``word_alignment``.

Differences
- *Paper silent*, section 5.1: which documents are in which part is not public. Ours are chosen by
  ``by_document``, so that CLspoken has the paper's sizes: 882, 78 and 410 sentences.
- *Our reading*, Table 3: the public file of CLwritten has 1,629 sentences where the paper has
  1,433 (908, 63, 462). In the paper's proportions that makes 1,032, 72 and 525.
- *Our reading*: sentences of one word, 9 in both, stay: the paper's 1,370 spoken ones have them.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial
from pathlib import Path

from wordorder_lab.corpora.by_document import Sizes, cut_by_document
from wordorder_lab.corpora.readers.corpus import CorpusError, Part
from wordorder_lab.corpora.readers.files import LOOKED, data_roots
from wordorder_lab.corpora.readers.text_rows import read_texts
from wordorder_lab.structures.compression import TextPair

FOLDER = "compression_clarke_lapata"
SIZES: dict[str, Sizes] = {"spoken": (882, 78, 410), "written": (908, 63, 462)}
"""The paper's train, dev and test sentences (Table 3)."""


def splits(
    which: str, data: str | os.PathLike[str] | None = None
) -> dict[str, Callable[[], Part[TextPair]]]:
    """Readers of the splits of ``"spoken"`` or ``"written"``; ``CorpusError`` if it is not here."""
    path = find(f"{FOLDER}/{which}.jsonl.gz", "the corpora of Clarke & Lapata (2008)", data)
    return cut_by_document(partial(read_texts, path), SIZES[which])


def find(file: str, what: str, data: str | os.PathLike[str] | None = None) -> Path:
    """A file below one of the folders for corpora; ``CorpusError`` says where was looked."""
    for root in data_roots(data):
        if (path := root / file).is_file():
            return path
    places = ", ".join(map(str, data_roots(data)))
    raise CorpusError(
        f"{file} is not here, and no command gets it: it is of {what}. Put it where corpora are "
        f"looked for, or use 'gazette'{LOOKED} {places})"
    )
