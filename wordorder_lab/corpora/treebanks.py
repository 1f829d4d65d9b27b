"""Trees of phrases by the name or the path of a corpus.

``load_trees`` has Penn trees, which become CCG derivations, ``load_treebank`` those and others, to
learn a parser from. GUM's constituency trees lie beside its CoNLL-U files, a line a sentence: its
name, a tab, the tree. They are a parser's output from gold tags, so its makers say, and have no
traces.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from wordorder_lab.corpora import gazette_corpus, penn_corpora
from wordorder_lab.corpora.penn_corpora import PENN, TRACES_ONLY, PennTree, read_penn_trees
from wordorder_lab.corpora.readers.corpus import SPLITS, CorpusError, Part, Readers, Splits
from wordorder_lab.corpora.readers.files import DataFolder, find_or_get, read_text
from wordorder_lab.corpora.readers.penn import parse_trees, read_tree_file, without_traces
from wordorder_lab.corpora.registry import CORPORA
from wordorder_lab.structures.arguments import checks_arguments

if TYPE_CHECKING:
    from nltk.tree import Tree

TREEBANKS = (*PENN, "gum", "gazette")
PLUS = "+"


class TreebankTree(NamedTuple):
    """A sentence's tree as its treebank has it, function tags and traces included."""

    name: str
    tree: Tree


@checks_arguments
def load_treebank(
    name_or_path: str | os.PathLike[str], *, data: str | os.PathLike[str] | None = None
) -> Splits[TreebankTree]:
    """The trees of a corpus: one of ``TREEBANKS``, a ``.mrg`` file, or a folder of them.

    ``"ptb-sample+gum"`` has the train trees of both, and dev and test of the first. ``data`` is a
    folder to look in instead of the usual ones. Raises ``CorpusError`` for a corpus that is not
    there or has no trees, and, when a split is read, for a broken file.
    """
    first, *more = str(name_or_path).split(PLUS)
    if more and not Path(name_or_path).exists():
        parts = [load_treebank(name, data=data) for name in (first, *more)]
        readers: Readers[TreebankTree] = {
            split: partial(_of_all, parts if split == "train" else parts[:1], split)
            for split in dict.fromkeys((*parts[0].splits, "train"))
        }
        return Splits(str(name_or_path), readers)
    if first == "gum":
        return Splits(first, {split: partial(_gum, split, data) for split in SPLITS})
    if first == "gazette":
        return Splits(first, {split: partial(_gazette, split) for split in SPLITS})
    if first in CORPORA and first not in TREEBANKS:
        known = ", ".join(TREEBANKS)
        raise CorpusError(f"{first} has no trees of phrases: take {known}, or a .mrg file")
    trees = load_trees(name_or_path, data=data)
    return Splits(trees.name, {split: partial(_of_all, [trees], split) for split in trees.splits})


def load_trees(
    name_or_path: str | os.PathLike[str], *, data: str | os.PathLike[str] | None = None
) -> Splits[PennTree]:
    """The Penn trees of a corpus, traces included; ``CorpusError`` for one without such trees."""
    name, path = str(name_or_path), Path(name_or_path)
    if name in PENN:
        return Splits(name, penn_corpora.named_trees(name, read_penn_trees, data))
    is_path = name and name not in CORPORA and path.exists()
    if is_path and (readers := penn_corpora.trees_at(path, read_penn_trees)):
        return Splits(path.name, readers)
    raise CorpusError(
        f"{name or 'a corpus without a name'} has no Penn trees: take {', '.join(PENN)}, "
        "a .mrg file or a folder of them"
    )


def _of_all(
    parts: Sequence[Splits[TreebankTree]] | Sequence[Splits[PennTree]], split: str
) -> Part[TreebankTree]:
    trees = (TreebankTree(one.name, one.tree) for part in parts for one in part.split(split))
    return Part(tuple(trees))


def _gazette(split: str) -> Part[TreebankTree]:
    (path,) = gazette_corpus.files(split, "mrg")
    trees = enumerate(read_tree_file(path), start=1)
    return Part(tuple(TreebankTree(f"{split}-{i}", tree) for i, tree in trees))


def _gum(split: str, data: DataFolder) -> Part[TreebankTree]:
    """Raises ``CorpusError`` where the file is not found or a line holds no tree."""
    name = f"ud_english_gum/en_gum-const-{split}.tsv.gz"
    command = "git clone --depth 1 https://github.com/amir-zeldes/gum, and put each file of trees "
    command += f"of its const/ as one line 'name TAB tree' into {name}"
    (path,) = find_or_get("GUM's constituency trees", command, [name], data)

    def tree(number: int, line: str) -> TreebankTree | None:
        name, _, text = line.partition("\t")
        trees = parse_trees(text, f"line {number:,} of {path}") if text else []
        if len(trees) != 1:
            raise CorpusError(f"line {number:,} of {path} is not a name, a tab and one tree")
        return TreebankTree(name, trees[0]) if without_traces(trees[0]) else None

    lines = enumerate(read_text(path).splitlines(), start=1)
    return Part.of((tree(number, line), TRACES_ONLY) for number, line in lines)
