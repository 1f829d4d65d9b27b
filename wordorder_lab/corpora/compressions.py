"""``load_compressions``: from a name or a path to train, dev and test pairs of trees."""

from __future__ import annotations

import os
from functools import partial
from pathlib import Path

from wordorder_lab.corpora import gazette_corpus
from wordorder_lab.corpora.readers.compression_rows import pair_with, read_pairs, read_rows
from wordorder_lab.corpora.readers.corpus import SPLITS, CorpusError, Part, Splits, cut_in_three
from wordorder_lab.corpora.readers.penn import bare_tree, read_tree_file
from wordorder_lab.structures.arguments import checks_arguments
from wordorder_lab.structures.compression import CompressionPair
from wordorder_lab.structures.messages import cited

SUFFIXES = (".jsonl", ".jsonl.gz")


class Compressions(Splits[CompressionPair]):
    """Pairs of a sentence and its shorter versions, in splits that are read on first use."""

    items = "pairs"


@checks_arguments
def load_compressions(name_or_path: str | os.PathLike[str]) -> Compressions:
    """Compression pairs: ``"gazette"``, or the path of a file or folder.

    A path may be a ``.jsonl`` or ``.jsonl.gz`` file in the format of ``compression_rows``, which
    is cut in three (80, 10 and 10 % in file order), or a folder with ``train.jsonl``,
    ``dev.jsonl`` and ``test.jsonl``, or some of them. Trees lose function tags and traces.

    Raises ``CorpusError`` for what is not there, and, when a split is read, for a broken file.
    """
    name, path = str(name_or_path), Path(name_or_path)
    if name == "gazette":
        return Compressions(name, {split: partial(_gazette, split) for split in SPLITS})
    if path.is_file() and path.name.endswith(SUFFIXES):
        return Compressions(path.name, cut_in_three(partial(read_pairs, path)))
    if path.is_dir() and (files := split_files(path)):
        return Compressions(path.name, {s: partial(read_pairs, f) for s, f in files.items()})
    if path.exists():
        raise CorpusError(
            f"{path} holds no compression pairs: give a .jsonl file, or a folder with train.jsonl, "
            "dev.jsonl and test.jsonl"
        )
    raise CorpusError(
        f"no pairs of trees and no file are called {cited(name)}: give a path, or 'gazette' (pairs "
        "of text, without trees, are those of wl.compressions_of)"
    )


def split_files(folder: Path) -> dict[str, Path]:
    """The file of each split that the folder has."""
    files = [(split, folder / f"{split}{end}") for split in SPLITS for end in SUFFIXES[::-1]]
    return {split: file for split, file in files if file.is_file()}


def _gazette(split: str) -> Part[CompressionPair]:
    trees_file, rows_file = gazette_corpus.files(split, "mrg", "compressions.jsonl")
    trees = {f"{split}-{i}": tree for i, tree in enumerate(read_tree_file(trees_file), start=1)}
    pairs = []
    for line, row in read_rows(rows_file):
        place, again = f"line {line:,} of {rows_file}", gazette_corpus.again()
        if "target_tree" not in row:
            raise CorpusError(f"{place}: target_tree is missing, this file is old: {again}")
        tree = trees.get(str(row.get("id")))
        if tree is None or tree.leaves() != row.get("source"):
            raise CorpusError(f"{place}: {trees_file} has other words: {again}")
        pairs.append(pair_with(bare_tree(tree, place), row, place, ""))
    return Part(tuple(pairs))
