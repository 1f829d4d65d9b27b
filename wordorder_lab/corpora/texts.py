"""``load_texts``: compression pairs of real text, as words, from a name or a path.

``clarke-lapata-spoken`` and ``-written`` are the corpora of Clarke & Lapata (2008), as Cohn &
Lapata (2009) use them: broadcast news, each sentence compressed by three people, and newspapers, by
one. People could only leave words out, so every target is a subsequence of its source, and the
alignment is found again by ``word_alignment``.

``google10k`` is the evaluation file of Filippova & Altun (2013): 10,000 news sentences with a short
version that follows the headline, made by machine. The reference here is the words kept. Where
nobody found them, the pair is left out: 7,917 of 8,000 pairs stay in train, 991 of 1,000 in dev,
992 in test.

Differences
- *Paper silent*, section 5.1: which documents are in which part is not public. Ours are chosen by
  ``cut_by_document``, so that CLspoken has the paper's sizes: 882, 78 and 410 sentences.
- *Our reading*, Table 3: the public file of CLwritten has 1,629 sentences where the paper has 1,433
  (908, 63, 462). In the paper's proportions that makes 1,032, 72 and 525.
- *Our reading*: sentences of one word, 9 in both, stay: the paper's 1,370 spoken ones have them.
- *Our reading*: google10k is none of Cohn & Lapata's. It serves to run a compressor on text that
  nobody has looked at.
"""

from __future__ import annotations

import hashlib
import os
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

from wordorder_lab.corpora.compressions import SUFFIXES, split_files
from wordorder_lab.corpora.readers import corpus
from wordorder_lab.corpora.readers.compression_rows import EXAMPLE, holds_texts, read_texts
from wordorder_lab.corpora.readers.corpus import SPLITS, CorpusError, Part, Readers, Splits
from wordorder_lab.corpora.readers.files import DataFolder, find_given, read_text
from wordorder_lab.structures.arguments import checks_arguments
from wordorder_lab.structures.compression import TextPair
from wordorder_lab.structures.messages import cited

TEXTS = {
    "clarke-lapata-spoken": "broadcast news, 1,370 sentences shortened by three people each",
    "clarke-lapata-written": "newspapers, 1,629 sentences shortened by one person",
    "google10k": "10,000 news sentences shortened after their headlines, by machine",
}
Sizes = tuple[int, int, int]
CLARKE_LAPATA: dict[str, tuple[str, Sizes]] = {
    "clarke-lapata-spoken": ("spoken.jsonl.gz", (882, 78, 410)),
    "clarke-lapata-written": ("written.jsonl.gz", (908, 63, 462)),
}
"""The file of each, and the paper's train, dev and test sentences (Table 3)."""
GOOGLE = "compression_google10k/google_eval10k.tsv.gz"
COLUMNS = ["id", "split", "source", "pos", "deprel", "compression", "keep"]
WITHOUT = "without a mask of the words kept"


class Texts(Splits[TextPair]):
    """Sentences and their shorter versions in words, in splits that are read on first use."""

    items = "pairs"


@checks_arguments
def load_texts(
    name_or_path: str | os.PathLike[str], *, data: str | os.PathLike[str] | None = None
) -> Texts:
    """Pairs of a sentence and shorter ones in words: by a name in ``TEXTS``, or by a path.

    The names are the corpora of Cohn & Lapata 2009, section 5.1, and one of news headlines.

    A path may be a ``.jsonl`` or ``.jsonl.gz`` file in the format of ``compression_rows``, cut in
    three by its documents (80, 10 and 10 % in file order), or a folder with ``train.jsonl``,
    ``dev.jsonl`` and ``test.jsonl``, or some of them. ``data`` is a folder to look for names in.

    Raises ``CorpusError`` for what is not there, and, when a split is read, for a broken file.
    """
    name, path = str(name_or_path), Path(name_or_path)
    if name in CLARKE_LAPATA:
        file, sizes = CLARKE_LAPATA[name]
        source = "of the corpora of Clarke & Lapata (2008)"
        (found,) = find_given(name, source, [f"compression_clarke_lapata/{file}"], data)
        return Texts(name, cut_by_document(partial(read_texts, found), sizes))
    if name in TEXTS:
        return Texts(name, corpus.split_once(partial(read_google, _google(data))))
    if path.is_file() and path.name.endswith(SUFFIXES):
        return Texts(path.name, _by_split(partial(read_texts, path), _in_file_order))
    if path.is_dir() and (files := split_files(path)):
        return Texts(path.name, {split: partial(read_texts, f) for split, f in files.items()})
    if path.exists():
        raise CorpusError(f"{path} holds no pairs of text: give a .jsonl file of {EXAMPLE}")
    raise corpus.unknown(name, TEXTS)


def is_text(name_or_path: str | os.PathLike[str]) -> bool:
    """Whether this names pairs in words, and not pairs of trees; a path is looked into."""
    name, path = str(name_or_path), Path(name_or_path)
    if name in TEXTS or name == "gazette":
        return name in TEXTS
    files = list(split_files(path).values()) if path.is_dir() else [path]
    is_file = bool(files) and files[0].is_file() and files[0].name.endswith(SUFFIXES)
    return is_file and holds_texts(files[0])


def _by_split(
    read: Callable[[], Part[TextPair]], split_of: Callable[[Sequence[TextPair]], dict[str, str]]
) -> Readers[TextPair]:
    """Readers of the splits that the documents are given; all stays in the order of the file."""

    def parts() -> dict[str, Part[TextPair]]:
        pairs = read().sentences
        split = split_of(pairs)
        return {
            name: Part(tuple(pair for pair in pairs if split[pair.document] == name))
            for name in SPLITS
        }

    return corpus.split_once(parts)


def _in_file_order(pairs: Sequence[TextPair]) -> dict[str, str]:
    bounds = [int(end * len(pairs)) for _, end in corpus.THIRDS]
    split: dict[str, str] = {}
    for place, pair in enumerate(pairs):
        here = next(name for name, end in zip(SPLITS, bounds) if place < end)
        split.setdefault(pair.document, here)
    return split


def cut_by_document(read: Callable[[], Part[TextPair]], sizes: Sizes) -> Readers[TextPair]:
    """Readers of the three splits, with the sizes in these proportions, as near as may be.
    Documents stay whole, since their sentences share names and phrases. Shuffled by a checksum of
    their names, each goes to dev if dev, test and train can still come out as asked, else to test
    if they can, else to train."""
    return _by_split(read, partial(documents_in_three, sizes=sizes))


def documents_in_three(pairs: Sequence[TextPair], sizes: Sizes) -> dict[str, str]:
    """The split of each document: "train", "dev" or "test"."""
    counts = Counter(pair.document for pair in pairs)
    sums = {name: hashlib.sha256(name.encode("utf-8", "surrogateescape")) for name in counts}
    documents = sorted(counts, key=lambda name: (sums[name].hexdigest(), name))
    wanted = [round(len(pairs) * size / sum(sizes)) for size in sizes[1:]]
    sizes_left = _sums([counts[name] for name in documents], wanted[0])
    dev, test = _nearest(sizes_left[0], wanted[0], wanted[1])
    split = {}
    for name, below in zip(documents, sizes_left[1:]):
        n = counts[name]
        if dev >= n and below[dev - n] >> test & 1:
            split[name], dev = "dev", dev - n
        elif test >= n and below[dev] >> (test - n) & 1:
            split[name], test = "test", test - n
        else:
            split[name] = "train"
    return split


def _sums(counts: Sequence[int], dev: int) -> list[list[int]]:
    """``[i][d]``: the sizes of test, as bits, that documents ``i`` and on can have with dev d."""
    most = dev + max(counts, default=0)
    sums = [[1, *[0] * most]]
    for n in reversed(counts):
        after = sums[-1]
        sums.append(
            [after[d] | after[d] << n | (after[d - n] if d >= n else 0) for d in range(most + 1)]
        )
    return sums[::-1]


def _nearest(sums: Sequence[int], dev: int, test: int) -> tuple[int, int]:
    """Sizes of dev and test that can be had, the nearest; of equally near ones the smallest."""
    there = [
        (d, t) for d, bits in enumerate(sums) for t in range(bits.bit_length()) if bits >> t & 1
    ]
    return min(there, key=lambda one: (abs(one[0] - dev) + abs(one[1] - test), one))


def google10k_sentences(split: str, data: DataFolder = None) -> list[tuple[str, ...]]:
    """The words of each source of a split, also unreferenced; raises as ``load_texts``."""
    if split not in SPLITS:
        raise CorpusError(f"no split is called {cited(split)}: choose one of {', '.join(SPLITS)}")
    rows = (cells for _, cells in _google_rows(_google(data)))
    return [tuple(source.split(" ")) for _, part, source, *_ in rows if part == split]


def read_google(path: Path) -> dict[str, Part[TextPair]]:
    """The pairs of each split. Raises ``CorpusError`` with file and line for a broken row."""
    found: dict[str, list[tuple[TextPair | None, str]]] = {split: [] for split in SPLITS}
    for place, (name, split, source, *_, mask) in _google_rows(path):
        pair = None if mask == "-" else _pair(name, tuple(source.split(" ")), mask, place)
        found[split].append((pair, WITHOUT))
    return {split: Part.of(pairs) for split, pairs in found.items()}


def _google(data: DataFolder) -> Path:
    source = "of Google's sentence compression data (Filippova & Altun 2013)"
    (path,) = find_given("google10k", source, [GOOGLE], data)
    return path


def _google_rows(path: Path) -> Iterator[tuple[str, list[str]]]:
    lines = read_text(path).rstrip("\n").split("\n")
    if lines[0].split("\t") != COLUMNS:
        raise CorpusError(f"line 1 of {path} should be {', '.join(COLUMNS)}, tabs between")
    for number, line in enumerate(lines[1:], start=2):
        cells, place = line.split("\t"), f"line {number:,} of {path}"
        if len(cells) != len(COLUMNS) or cells[1] not in SPLITS:
            raise CorpusError(f"{place}: {len(COLUMNS)} cells, the second train, dev or test")
        yield place, cells


def _pair(name: str, source: tuple[str, ...], mask: str, place: str) -> TextPair:
    if len(mask) != len(source) or set(mask) - {"0", "1"} or "1" not in mask:
        raise CorpusError(f"{place}: a mask has a 0 or a 1 for each of {len(source)} words, one 1")
    keep = tuple(sign == "1" for sign in mask)
    target = tuple(word for word, stays in zip(source, keep) if stays)
    return TextPair(source, (target,), (keep,), name.replace(".", "-"))  # its own document
