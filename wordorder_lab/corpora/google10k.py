"""google10k: 10,000 news sentences with a short version that follows the headline, made by machine.

The evaluation file of Filippova & Altun (2013), a table: id, split, source, tags, labels, the
compression, and which words of the source it keeps. The text of a compression may have words that
its source has not, a name for a pronoun; the reference here is the words kept. Where nobody found
them, the pair is left out: 7,917 of 8,000 pairs stay in train, 991 of 1,000 in dev, 992 in test.

Differences
- *Our reading*: these pairs are none of Cohn & Lapata's. They serve to run a compressor on text
  that nobody has looked at, and to see how far a model carries.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path

from wordorder_lab.corpora.clarke_lapata import find
from wordorder_lab.corpora.readers.corpus import SPLITS, CorpusError, Part
from wordorder_lab.corpora.readers.files import read_text
from wordorder_lab.structures.compression import TextPair

FILE = "compression_google10k/google_eval10k.tsv.gz"
COLUMNS = ["id", "split", "source", "pos", "deprel", "compression", "keep"]
WITHOUT = "without a mask of the words kept"


def splits(data: str | os.PathLike[str] | None = None) -> dict[str, Callable[[], Part[TextPair]]]:
    """Readers of the splits, which the file names; ``CorpusError`` if it is not here."""
    path = find(FILE, "Google's sentence compression data (Filippova & Altun 2013)", data)
    read = cache(partial(read_google, path))
    return {name: partial(lambda split: read()[split], name) for name in SPLITS}


def read_google(path: Path) -> dict[str, Part[TextPair]]:
    """The pairs of each split. Raises ``CorpusError`` with file and line for a broken row."""
    kept: dict[str, list[TextPair]] = {"train": [], "dev": [], "test": []}
    left_out: dict[str, list[tuple[int, str]]] = {name: [] for name in kept}
    lines = read_text(path).rstrip("\n").split("\n")
    if lines[0].split("\t") != COLUMNS:
        raise CorpusError(f"{path} should begin with a line of {', '.join(COLUMNS)}, tabs between")
    for number, line in enumerate(lines[1:], start=2):
        cells = line.split("\t")
        place = f"line {number:,} of {path}"
        if len(cells) != len(COLUMNS) or cells[1] not in kept:
            raise CorpusError(f"{place}: {len(COLUMNS)} cells, the second train, dev or test")
        name, split, source, *_, mask = cells
        if mask == "-":
            left_out[split].append((len(kept[split]), WITHOUT))
        else:
            kept[split].append(_pair(name, tuple(source.split(" ")), mask, place))
    return {name: Part(tuple(kept[name]), tuple(left_out[name])) for name in kept}


def _pair(name: str, source: tuple[str, ...], mask: str, place: str) -> TextPair:
    if len(mask) != len(source) or set(mask) - {"0", "1"} or "1" not in mask:
        raise CorpusError(f"{place}: a mask has a 0 or a 1 for each of {len(source)} words, one 1")
    keep = tuple(sign == "1" for sign in mask)
    target = tuple(word for word, stays in zip(source, keep) if stays)
    return TextPair(source, (target,), (keep,), name.replace(".", "-"))  # its own document
