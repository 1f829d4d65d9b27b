"""The Gazette: the committed files, in the checkout's ``data/gazette`` or inside a wheel.

Its grammar is in the checkout alone: ``data/gazette_generator``. Tags, heads and base NPs are those
of the Penn trees. Every base NP of theirs is a phrase of the CCG derivation, so each of the 2,400
sentences has its derivation with units of either kind; it is parsed when it is first asked for. For
Penn a possessor, *the clinic 's*, is a base NP and so a unit; in CCG it is a determiner, NP[nb]/N.
"""

from __future__ import annotations

import re
from functools import partial
from pathlib import Path

from wordorder_lab.corpora.readers.ccgbank import over_tokens, read_derivation
from wordorder_lab.corpora.readers.corpus import SPLITS, CorpusError, Part, Readers
from wordorder_lab.corpora.readers.files import FileReader, read_text
from wordorder_lab.structures.derivation import Derivation
from wordorder_lab.structures.sentence import Sentence, Token

NAME = "gazette"
CHECKOUT = Path(__file__).parents[2] / "data" / "gazette"
GENERATOR = CHECKOUT.parent / "gazette_generator"
INSTALLED = Path(__file__).parent / "gazette_data"
"""Where a wheel has the same files; ``setup.py`` puts them there."""
WORD = re.compile(r"\(<L \S+ \S+ \S+ (\S+) ")
"""A leaf of a derivation in CCGbank's format; the fourth of its five fields is the word."""


def folder() -> Path:
    """The folder of the files: the package's own if it was installed from a wheel."""
    return INSTALLED if INSTALLED.is_dir() else CHECKOUT


def again() -> str:
    """How to come by whole files again, for the end of a message."""
    if GENERATOR.is_dir():
        return "write them again with: wordorder-lab corpora gazette"
    return "get them again with: python -m pip install --force-reinstall --no-deps wordorder-lab"


def splits(read: FileReader[Sentence]) -> Readers[Sentence]:
    """The trees of each split, with their derivations."""
    return {split: partial(_read, read, split) for split in SPLITS}


def files(split: str, *kinds: str) -> list[Path]:
    """The files of a split by what their names end in; ``CorpusError`` where one is missing."""
    paths = [folder() / f"{split}.{kind}" for kind in kinds]
    for path in paths:
        if not path.exists():
            raise CorpusError(f"{path} is not here: {again()}")
    return paths


def _read(read: FileReader[Sentence], split: str) -> Part[Sentence]:
    trees, derivations = files(split, "mrg", "auto")
    part = read([trees])
    lines = enumerate(read_text(derivations).split("\n"), 1)
    rows = [(n, line) for n, line in lines if line and not line.startswith("ID=")]
    words = [tuple(WORD.findall(line)) for _, line in rows]
    if words != [sentence.surface for sentence in part.sentences]:
        raise CorpusError(f"{trees} and {derivations} hold different sentences: {again()}")
    sentences = tuple(
        sentence.with_derivation(partial(_derivation, sentence.tokens, line, n, derivations))
        for sentence, (n, line) in zip(part.sentences, rows, strict=True)
    )
    return Part(sentences, part.left_out)


def _derivation(tokens: tuple[Token, ...], line: str, number: int, path: Path) -> Derivation | None:
    return over_tokens(read_derivation(line, number, str(path)), tokens)
