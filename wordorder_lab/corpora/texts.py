"""``load_texts``: compression pairs of real text, as words, from a name or a path."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from functools import cache, partial
from pathlib import Path

from wordorder_lab.corpora import clarke_lapata, google10k
from wordorder_lab.corpora.compressions import SUFFIXES, split_files
from wordorder_lab.corpora.readers.compression_rows import first_row
from wordorder_lab.corpora.readers.corpus import SPLITS, CorpusError, Part, Splits
from wordorder_lab.corpora.readers.text_rows import EXAMPLE, holds_texts, read_texts
from wordorder_lab.structures.arguments import checks_arguments
from wordorder_lab.structures.compression import TextPair
from wordorder_lab.structures.messages import cited

TEXTS = {
    "clarke-lapata-spoken": "broadcast news, 1,370 sentences shortened by three people each",
    "clarke-lapata-written": "newspapers, 1,629 sentences shortened by one person",
    "google10k": "10,000 news sentences shortened after their headlines, by machine",
}
"""The corpora of compressions without trees that have a name, with a line on each."""


class Texts(Splits[TextPair]):
    """Sentences and their shorter versions in words, in splits that are read on first use."""

    items = "pairs"


@checks_arguments
def load_texts(
    name_or_path: str | os.PathLike[str], *, data: str | os.PathLike[str] | None = None
) -> Texts:
    """Pairs of a sentence and shorter ones in words: by a name in ``TEXTS``, or by a path.

    The names are the corpora of Cohn & Lapata 2009, section 5.1, and one of news headlines.

    A path may be a ``.jsonl`` or ``.jsonl.gz`` file in the format of ``text_rows``, cut in three by
    its documents (80, 10 and 10 % in file order), or a folder with ``train.jsonl``, ``dev.jsonl``
    and ``test.jsonl``, or some of them. ``data`` is a folder to look for names in.

    Raises ``CorpusError`` for what is not there, and, when a split is read, for a broken file.
    """
    name, path = str(name_or_path), Path(name_or_path)
    if name in TEXTS:
        return Texts(name, _named(name, data))
    if path.is_file() and path.name.endswith(SUFFIXES):
        return Texts(path.name, _cut(cache(partial(read_texts, path))))
    if path.is_dir() and (files := split_files(path)):
        return Texts(path.name, {split: partial(read_texts, f) for split, f in files.items()})
    if path.exists():
        raise CorpusError(f"{path} holds no pairs of text: give a .jsonl file of {EXAMPLE}")
    known = ", ".join(TEXTS)
    raise CorpusError(
        f"no corpus and no file is called {cited(name)}: give a path, or one of {known}"
    )


def is_text(name_or_path: str | os.PathLike[str]) -> bool:
    """Whether this names pairs in words, and not pairs of trees; a path is looked into.

    Raises ``CorpusError`` for a file that cannot be read.
    """
    name, path = str(name_or_path), Path(name_or_path)
    if name in TEXTS or name == "gazette":
        return name in TEXTS
    files = list(split_files(path).values()) if path.is_dir() else [path]
    if not files or not files[0].is_file() or not files[0].name.endswith(SUFFIXES):
        return False
    row = first_row(files[0])
    return row is not None and holds_texts(row)


def _named(
    name: str, data: str | os.PathLike[str] | None
) -> Mapping[str, Callable[[], Part[TextPair]]]:
    if name == "google10k":
        return google10k.splits(data)
    return clarke_lapata.splits(name.rpartition("-")[2], data)


def _cut(read: Callable[[], Part[TextPair]]) -> dict[str, Callable[[], Part[TextPair]]]:
    """The splits of a file: a document goes where its first sentence would."""

    def piece(low: float, high: float) -> Part[TextPair]:
        every = read().sentences
        first: dict[str, int] = {}
        for place, pair in enumerate(every):
            first.setdefault(pair.document, place)
        bounds = range(int(low * len(every)), int(high * len(every)))
        return Part(tuple(pair for pair in every if first[pair.document] in bounds))

    shares = ((0.0, 0.8), (0.8, 0.9), (0.9, 1.0))
    return {split: partial(piece, *share) for split, share in zip(SPLITS, shares)}
