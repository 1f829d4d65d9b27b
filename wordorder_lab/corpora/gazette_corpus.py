"""Where the Gazette lies: in the checkout's ``data/gazette``, else in the user's cache.

A package that was installed without its checkout has no data; then the grammar writes the same
files into the cache, once, or where there is none, into a temporary folder. They are the same
bytes wherever they are made.

Tags, heads and base NPs are those of the Penn trees. Every base NP of theirs is a phrase of the
CCG derivation, so each of the 2,400 sentences has its derivation with units of either kind. For
Penn a possessor, *the clinic 's*, is a base NP and so a unit; in CCG it is a determiner, NP[nb]/N.
A derivation is parsed when it is first asked for: few systems ask.
"""

from __future__ import annotations

import re
from contextlib import suppress
from functools import partial
from pathlib import Path

from wordorder_lab.corpora.readers.corpus import CorpusError, Part
from wordorder_lab.corpora.readers.files import read_text
from wordorder_lab.corpora.readers.sections import FileReader, Readers
from wordorder_lab.runtime.user_cache import user_cache, writable_cache
from wordorder_lab.structures.derivation import Derivation
from wordorder_lab.structures.sentence import Token
from wordorder_lab.structures.version import VERSION

CHECKOUT = Path(__file__).parents[2] / "data" / "gazette"
SPLITS = ("train", "dev", "test")
WORD = re.compile(r"\(<L \S+ \S+ \S+ (\S+) ")
"""A leaf of a derivation in CCGbank's format; the fourth of its five fields is the word."""


def folder() -> Path:
    """The folder of the files: the checkout's if this is one, else one in the user's cache."""
    if (CHECKOUT.parents[1] / "pyproject.toml").exists():
        return CHECKOUT
    name = f"gazette-{VERSION}"
    with suppress(RuntimeError):  # the user has no home
        if (user_cache() / name).is_dir():  # also where it can only be read
            return user_cache() / name
    return writable_cache() / name


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
    lines = [(n, line) for n, line in enumerate(read_text(derivations).split("\n"), 1) if line]
    lines = [(n, line) for n, line in lines if not line.startswith("ID=")]
    words = [tuple(WORD.findall(line)) for _, line in lines]
    if words != [sentence.surface for sentence in part.sentences]:
        again = "write both again with: wordorder-lab corpora gazette"
        raise CorpusError(f"{trees} and {derivations} hold different sentences: {again}")
    pairs = zip(part.sentences, lines, strict=True)
    return Part(
        tuple(
            sentence.with_derivation(partial(_derivation, sentence.tokens, line, n, derivations))
            for sentence, (n, line) in pairs
        ),
        part.left_out,
    )


def _derivation(tokens: tuple[Token, ...], line: str, number: int, path: Path) -> Derivation | None:
    """A sentence's derivation over its own units, or ``None`` where they do not fit."""
    from wordorder_lab.corpora.readers.ccgbank import over_tokens, read_derivation

    return over_tokens(read_derivation(line, number, str(path)), tokens)
