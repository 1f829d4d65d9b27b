"""The parsers whose trees an experiment may give its systems: the usual one and two others.

    default    the Penn sample's training part, as ``default_parser`` has it
    tenth      every tenth sentence of that part: a worse parser
    with-gum   that part and the trees of GUM: one that also knows English of other kinds, and that
               brackets the Penn sample's development part no better

They are trained alike, in some seconds and once in a process, so that only what they have learned
from tells them apart.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from wordorder_lab.systems.parser import TreebankParser

DEFAULT, TENTH, WITH_GUM = "default", "tenth", "with-gum"
PARSERS = (DEFAULT, TENTH, WITH_GUM)


@cache
def parser_called(name: str) -> TreebankParser:
    """A parser of ``PARSERS``.

    Raises ``ValueError`` for another name, and ``CorpusError`` where a treebank is missing.
    """
    if name not in PARSERS:
        raise ValueError(f"no parser is called {name!r}; there are {', '.join(PARSERS)}")
    # Here, and not above: they bring nltk, for which a program that orders words need not wait.
    from wordorder_lab.corpora.treebanks import load_treebank
    from wordorder_lab.systems import train
    from wordorder_lab.systems.default_parser import CORPUS, default_parser

    if name == DEFAULT:
        return default_parser()
    trees = load_treebank(CORPUS if name == TENTH else f"{CORPUS}+gum").train
    return train(
        "parser", trees[::10] if name == TENTH else trees, about={"corpus": name}, progress=False
    )
