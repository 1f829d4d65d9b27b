"""Where the Gazette lies: in the checkout's ``data/gazette``, else in the user's cache.

A package that was installed without its checkout has no data; then the grammar writes the same
files into the cache, once. They are the same bytes wherever they are made.

Tags, heads and base NPs are those of the Penn trees. Every base NP of theirs is a phrase of the
CCG derivation, so each of the 2,400 sentences has its derivation with units of either kind. For
Penn a possessor, *the clinic 's*, is a base NP and so a unit; in CCG it is a determiner, NP[nb]/N.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from itertools import pairwise
from pathlib import Path

from wordorder_lab.corpora.readers.ccg_base_np import with_units
from wordorder_lab.corpora.readers.ccgbank import read_auto
from wordorder_lab.corpora.readers.corpus import CorpusError, Part
from wordorder_lab.corpora.readers.sections import FileReader, Readers
from wordorder_lab.structures.derivation import Derivation
from wordorder_lab.structures.sentence import Sentence
from wordorder_lab.structures.user_cache import user_cache
from wordorder_lab.structures.version import VERSION

CHECKOUT = Path(__file__).parents[2] / "data" / "gazette"
SPLITS = ("train", "dev", "test")


def folder() -> Path:
    """The folder of the files: the checkout's if this is one, else one in the user's cache."""
    if (CHECKOUT.parents[1] / "pyproject.toml").exists():
        return CHECKOUT
    return user_cache() / f"gazette-{VERSION}"


def splits(read: FileReader) -> Readers:
    """The trees of each split, with their derivations."""
    return {split: partial(_read, read, split) for split in SPLITS}


def files(split: str, *kinds: str) -> list[Path]:
    """The files of a split by what their names end in; if one is missing, all are written first."""
    paths = [folder() / f"{split}.{kind}" for kind in kinds]
    if not all(path.exists() for path in paths):
        from wordorder_lab.corpora.gazette.writing import write

        write(folder())
    return paths


def _read(read: FileReader, split: str) -> Part:
    trees, derivations = files(split, "mrg", "auto")
    part = read([trees])
    derived = [entry.derivation for entry in read_auto(derivations)]
    if [derivation.words() for derivation in derived] != [
        sentence.surface for sentence in part.sentences
    ]:
        again = "write both again with: wordorder-lab corpora gazette"
        raise CorpusError(f"{trees} and {derivations} hold different sentences: {again}")
    return Part(tuple(map(_with_derivation, part.sentences, derived)), part.left_out)


def _with_derivation(sentence: Sentence, derivation: Derivation) -> Sentence:
    """The sentence with its derivation over the same units, or without where they do not fit."""
    ends = [0]
    for token in sentence:
        ends.append(ends[-1] + len(token.words))
    pairs = zip(sentence.tokens, pairwise(ends), strict=True)
    tags = [leaf.pos for leaf in derivation.leaves()]
    kept = [span for token, span in pairs if len(token.words) > 1 or token.pos != tags[span[0]]]
    return replace(sentence, derivation=with_units(derivation, kept))
