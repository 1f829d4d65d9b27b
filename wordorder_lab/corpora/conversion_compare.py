r"""Our derivations of wsj_0001 beside those of CCGrebank, a CCGbank with further annotation in it.

Honnibal, Curran & Bos (2010) put into CCGbank what other projects have annotated in the same text,
and so what no conversion of Penn trees alone can know. Their two derivations of wsj_0001 are in the
sample of a public program (``ccg_small/gold``). What is different, and why:

- *the*, *a* are ``NP/N`` there and ``NP[nb]/N`` here: [nb], "non-bare", is CCGbank's mark of an NP
  with a determiner, which CCGrebank does without. The steps are the same.
- *join* takes *as a nonexecutive director* here, ``((S[b]\NP)/PP)/NP``: the Penn tree calls it
  PP-CLR, "closely related", and so it is a complement in CCGbank, too. In PropBank it is a
  secondary predicate and no argument of *join*, so there it is an adjunct, ``(S\NP)\(S\NP)``.
- *chairman* takes its PP there, ``N/PP``, since NomBank says that the noun has this argument; so
  *of* only marks it, ``PP/NP``. The Penn tree has an NP with a PP beside it whether the PP is an
  argument or not, so here, as in CCGbank, *of* is an adjunct, ``(NP\NP)/NP``, and *chairman* is an
  NP before it comes.

Everything else is the same: the apposition *61 years old* between its commas, the month that takes
its number (``N[num]``) and makes an adverb of time, the names.

``differences`` lists what is different now, word by word and step by step.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import NamedTuple

from wordorder_lab.corpora.ccg_corpora import SMALL
from wordorder_lab.corpora.penn_corpora import PennTree
from wordorder_lab.corpora.readers.ccgbank import AutoEntry, read_auto
from wordorder_lab.corpora.readers.corpus import CorpusError, Splits
from wordorder_lab.corpora.readers.files import LOOKED, data_roots
from wordorder_lab.structures.derivation import Derivation

REBANKED = "gold/ccgrebank_wsj_0001.auto"


class Step(NamedTuple):
    """A step of a derivation: first word and the one behind the last, category, sign, words."""

    begin: int
    end: int
    category: str
    sign: str
    words: str

    def __str__(self) -> str:
        return f"{self.sign or '-':<4} {self.category:<28} {self.words}"


class Difference(NamedTuple):
    """A sentence twice: words with both categories, steps that only one derivation has."""

    name: str
    words: list[tuple[str, str, str]]
    only_ours: list[Step]
    only_theirs: list[Step]
    shared: int


def differences(
    trees: Splits[PennTree], data: str | os.PathLike[str] | None = None
) -> list[Difference]:
    """Ours beside theirs, for each sentence of theirs.

    Raises ``CorpusError`` where either is missing, or the words are not the same.
    """
    theirs = {entry.name: entry for entry in rebanked(data)}
    found: list[Difference] = []
    for tree in trees.every():
        if (entry := theirs.get(auto_name(tree.name))) is None:
            continue
        ours = tree.converted.derivation()
        if ours is None:
            raise CorpusError(f"{tree.name} has no derivation of ours: {tree.converted.detail}")
        found.append(difference(tree.name, ours, entry.derivation))
        if len(found) == len(theirs):
            return found
    lacking = ", ".join(sorted(theirs.keys() - {auto_name(one.name) for one in found}))
    raise CorpusError(f"{trees.name} has no tree of {lacking}: take ptb-sample")


def rebanked(data: str | os.PathLike[str] | None = None) -> list[AutoEntry]:
    """The two derivations of CCGrebank. Raises ``CorpusError`` where they are not here."""
    for root in data_roots(data):
        if (path := root / SMALL / REBANKED).is_file():
            return read_auto(path)
    places = ", ".join(map(str, data_roots(data)))
    raise CorpusError(
        f"the derivations to compare with are not here: put {SMALL}/{REBANKED} where corpora are "
        f"looked for{LOOKED} {places})"
    )


def auto_name(name: str) -> str:
    """A sentence's name as CCGbank writes it: ``wsj_0001.1`` for ``wsj_0001.mrg:1``."""
    file, _, number = name.rpartition(":")
    return f"{file.rpartition('.')[0] or file}.{number}"


def difference(name: str, ours: Derivation, theirs: Derivation) -> Difference:
    """What two derivations of the same words do not share; ``CorpusError`` for other words."""
    if ours.words() != theirs.words():
        raise CorpusError(f"{name}: the two derivations have different words")
    pairs = zip(ours.leaves(), theirs.leaves(), strict=True)
    words = [(one.word, str(one.category), str(other.category)) for one, other in pairs]
    mine, others = set(steps(ours)), set(steps(theirs))
    return Difference(name, words, sorted(mine - others), sorted(others - mine), len(mine & others))


def steps(derivation: Derivation) -> Iterator[Step]:
    """Every step that is no word."""
    words = derivation.words()
    open_spans: list[tuple[int, int]] = []
    at = 0
    for node in derivation.nodes():
        if not node.children:
            open_spans.append((at, at + 1))
            at += 1
            continue
        parts = [open_spans.pop() for _ in node.children]
        span = parts[-1][0], parts[0][1]
        open_spans.append(span)
        yield Step(*span, str(node.category), node.sign, " ".join(words[slice(*span)]))
