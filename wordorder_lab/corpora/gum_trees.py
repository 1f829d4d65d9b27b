"""GUM's constituency trees as a corpus: base NPs, heads of phrases and CCG derivations.

The trees lie beside its CoNLL-U files, a line a sentence: its name, a tab, the tree. They are a
parser's output from gold tags, so its makers say, with function tags and without traces. They are
written once into the user's cache as a bracket file for each split, and read as the Penn Treebank's
are. Five in six become derivations; what traces would have told is lost (a relative clause without
a pronoun, say, keeps a verb that lacks nothing).
"""

from __future__ import annotations

import hashlib
from functools import partial
from pathlib import Path

from wordorder_lab.corpora.readers.corpus import SPLITS, CorpusError, Item, Part, Readers
from wordorder_lab.corpora.readers.files import DataFolder, FileReader, find_or_get, read_text
from wordorder_lab.corpora.readers.penn import parse_trees
from wordorder_lab.runtime.atomic import replacing
from wordorder_lab.runtime.user_cache import writable_cache

NAME = "gum-trees"
ROOT = "(ROOT "
"""Around each tree; a bracket file has a bare bracket there."""


def splits(read: FileReader[Item], data: DataFolder = None) -> Readers[Item]:
    """The trees of each split, or what ``read`` makes of a bracket file."""
    return {split: partial(_read, read, split, data) for split in SPLITS}


def _read(read: FileReader[Item], split: str, data: DataFolder) -> Part[Item]:
    return read([bracket_file(split, data)])


def bracket_file(split: str, data: DataFolder = None) -> Path:
    """The trees of a split, a line each, in the user's cache. Raises ``CorpusError`` where GUM's
    file is not found, or a line is not a name, a tab and a tree."""
    name = f"ud_english_gum/en_gum-const-{split}.tsv.gz"
    command = "git clone --depth 1 https://github.com/amir-zeldes/gum, and put each file of trees "
    command += f"of its const/ as one line 'name TAB tree' into {name}"
    (path,) = find_or_get("GUM's constituency trees", command, [name], data)
    trees = [line.partition("\t")[2] for line in read_text(path).splitlines()]
    text = "".join(f"({tree.removeprefix(ROOT)}\n" for tree in trees)
    folder = writable_cache() / NAME / hashlib.sha256(text.encode()).hexdigest()[:20]
    made = folder / f"{split}.mrg"
    if not made.exists():
        for number, tree in enumerate(trees, start=1):
            where = f"line {number:,} of {path}"
            if not tree.startswith(ROOT) or len(parse_trees(tree, where)) != 1:
                raise CorpusError(f"{where} is not a name, a tab and one tree")
        folder.mkdir(parents=True, exist_ok=True)
        with replacing(made) as new:
            new.write_text(text, encoding="utf-8")
    return made
