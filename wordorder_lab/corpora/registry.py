"""``load_corpus``: from a name or a path to train, dev and test sentences."""

from __future__ import annotations

import os
from pathlib import Path

from wordorder_lab.corpora import gazette_corpus, penn_corpora, ud_corpora
from wordorder_lab.corpora.corpus import Corpus, CorpusError

UNITS = ("base-np", "words")
CORPORA = {
    "gazette": "2,400 sentences of an invented newspaper, part of the project",
    "ptb-sample": "NLTK's 3,914 sentences of the Penn Treebank",
    "ptb": "the Penn Treebank, licensed: train 02-21, dev 22, test 23 (Liu et al. 2015)",
    "ptb-00": "the same with section 00 for dev (Zhang and Clark 2011, 2015)",
    "ewt": "Universal Dependencies English EWT",
    "gum": "Universal Dependencies English GUM",
}
"""The corpora that have a name, with a line on each."""


def load_corpus(
    name_or_path: str | os.PathLike[str],
    *,
    units: str | None = None,
    min_np_words: int = 1,
    data: str | os.PathLike[str] | None = None,
    dev_section: int = 22,
) -> Corpus:
    """A corpus by its name in ``CORPORA``, or by the path of a file or folder.

    ``units`` is ``"base-np"`` (base NPs kept whole; the default for Penn Treebank files) or
    ``"words"`` (the default for CoNLL-U, which has no phrases). With ``min_np_words=2`` base NPs
    of one word stay single words with their own tag. ``data`` is a folder to look in instead of
    the usual ones. ``dev_section`` counts for a folder laid out like the Penn Treebank.

    A path may be a ``.conllu`` or ``.conllu.gz`` file, a ``.mrg`` file of bracketed trees, or a
    folder of such files. Files without splits are cut in three: 80, 10 and 10 % in file order.
    A split is read when it is first used.

    Raises ``CorpusError`` for a corpus that is not there, units that it does not have, and, when
    a split is read, for a broken file.
    """
    _check(units, min_np_words)
    name, path = str(name_or_path), Path(name_or_path)
    if name in ud_corpora.TREEBANKS:
        return _conllu(name, ud_corpora.named_treebank(name, data), units)
    read = penn_corpora.penn_reader(units or "base-np", min_np_words)
    if name == "gazette":
        return Corpus(name, units or "base-np", gazette_corpus.splits(read))
    if name == "ptb-sample":
        return Corpus(name, units or "base-np", penn_corpora.sample(read, data))
    if name in ("ptb", "ptb-00"):
        section = 0 if name == "ptb-00" else dev_section
        readers = penn_corpora.whole_treebank(read, section, data)
        return Corpus(name, units or "base-np", readers)
    if not path.exists():
        known = ", ".join(CORPORA)
        raise CorpusError(
            f"no corpus and no file is called {name!r}: give a path, or one of {known}"
        )
    return _from_path(path, units, read, dev_section)


def _check(units: str | None, min_np_words: int) -> None:
    if units not in (None, *UNITS):
        raise CorpusError(f"units are 'base-np' or 'words', not {units!r}")
    if min_np_words < 1:
        raise CorpusError(f"min_np_words is {min_np_words}: a base NP has at least 1 word")


def _conllu(name: str, readers: ud_corpora.Readers, units: str | None) -> Corpus:
    if units == "base-np":
        raise CorpusError(
            f"{name} is CoNLL-U, which carries no phrase structure and so no base NPs: "
            'use units="words"'
        )
    return Corpus(name, "words", readers)


def _from_path(
    path: Path, units: str | None, read: penn_corpora.TreeReader, dev_section: int
) -> Corpus:
    if path.is_file() and ud_corpora.is_conllu(path):
        return _conllu(*ud_corpora.conllu_file(path), units)
    if path.is_dir() and any(map(ud_corpora.is_conllu, path.iterdir())):
        return _conllu(*ud_corpora.treebank_folder(path), units)
    units = units or "base-np"
    if path.is_dir() and (sections := penn_corpora.section_folders(path)):
        readers = penn_corpora.by_section(read, sections, dev_section, path)
        return Corpus(path.name, units, readers)
    files = penn_corpora.tree_files(path) if path.is_dir() else [path]
    if not files or files[0].suffix.lower() != ".mrg":
        raise CorpusError(
            f"{path} is no corpus that we can read: give a .conllu or .mrg file or a folder of them"
        )
    return Corpus(path.name, units, penn_corpora.any_trees(read, files))
