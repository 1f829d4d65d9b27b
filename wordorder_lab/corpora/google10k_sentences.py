"""Every sentence of google10k, those without a usable reference too: 8,000, 1,000 and 1,000.

Who scores or learns needs ``google10k``'s pairs. Who only wants to see what a system makes of text
that nobody has looked at needs no reference, and so no mask of the words kept.
"""

from __future__ import annotations

import os

from wordorder_lab.corpora.clarke_lapata import find
from wordorder_lab.corpora.google10k import COLUMNS, FILE
from wordorder_lab.corpora.readers.corpus import SPLITS, CorpusError
from wordorder_lab.corpora.readers.files import read_text
from wordorder_lab.structures.messages import cited


def google10k_sentences(
    split: str, data: str | os.PathLike[str] | None = None
) -> list[tuple[str, ...]]:
    """The words of each source of a split (train, dev or test), in file order.

    ``data`` is a folder to look in. Raises ``CorpusError`` for no such split, where the file is
    missing, and with its line for a broken row.
    """
    if split not in SPLITS:
        raise CorpusError(f"no split is called {cited(split)}: choose one of {', '.join(SPLITS)}")
    path = find(FILE, "Google's sentence compression data (Filippova & Altun 2013)", data)
    rows = [line.split("\t") for line in read_text(path).rstrip("\n").split("\n")]
    for number, cells in enumerate(rows, start=1):
        if len(cells) != len(COLUMNS) or (cells == COLUMNS) != (number == 1):
            raise CorpusError(
                f"line {number:,} of {path}: one line of {', '.join(COLUMNS)}, tabs between, and "
                f"then rows of {len(COLUMNS)} cells"
            )
    return [tuple(source.split(" ")) for _, part, source, *_ in rows[1:] if part == split]
