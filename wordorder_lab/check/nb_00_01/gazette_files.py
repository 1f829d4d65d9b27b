"""The Gazette beside the corpus that a notebook is about, and one sentence of it in three files."""

from __future__ import annotations

from wordorder_lab.corpora import Corpus
from wordorder_lab.corpora.gazette_corpus import folder
from wordorder_lab.experiments.runs.corpora import corpus_of


def gazette() -> Corpus:
    """The Gazette, read once: what has CCG derivations if the chosen corpus has none.

    Raises ``ValueError`` if its files are damaged.
    """
    return corpus_of("gazette", None)


def gazette_sentence(split: str, number: int) -> tuple[str, str, str]:
    """A sentence as it stands in the files of a split, counted from 1: .mrg, .conllu and .auto.

    Raises ``OSError`` if there is no such split, ``IndexError`` if it has fewer sentences.
    """
    mrg, conllu, auto = (
        (folder() / f"{split}.{kind}").read_text(encoding="utf-8")
        for kind in ("mrg", "conllu", "auto")
    )
    place = number - 1
    derivation = "\n".join(auto.splitlines()[2 * place : 2 * place + 2])
    return mrg.splitlines()[place], conllu.split("\n\n")[place], derivation
