r"""Our derivations of wsj_0001 beside those of CCGrebank, which is CCGbank corrected by hand.

Honnibal, Curran & Bos (2010) mended in CCGbank what the Penn Treebank does not say, and so what no
conversion of its trees can know. Both derivations are in the sample of a public program
(``ccg_small/gold``). Where they differ from ours:

- *the*, *a*: a determiner is ``NP/N`` there and ``NP[nb]/N`` here, as in CCGbank. The feature [nb]
  says that the NP is not yet bound to a noun's number; CCGrebank drops it.
- *29*, *Nov.*: there the number is ``N[num]`` and the month takes it as an argument. Here, as in
  CCGbank, the two are a noun phrase like others, which the function tag TMP makes an adverb.
- *chairman of*: there the noun takes its PP, ``N/PP``, and *of* makes the PP, by NomBank, which
  says which nouns have arguments. The Penn tree has an NP with a PP beside it, the same for
  arguments and adjuncts; so *of* is ``(NP\NP)/NP`` here.
- *as*: an adjunct of the verb in both; the Penn tree has PP-CLR, "closely related", which is a
  complement for CCGbank: ``PP/NP``, and *join* takes it.
- Commas around *61 years old*, and the order in which adjuncts are added: equal words, other
  brackets.

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
