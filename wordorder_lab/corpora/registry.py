"""``load_corpus``: from a name or a path to train, dev and test sentences."""

from __future__ import annotations

import os
from pathlib import Path

from wordorder_lab.corpora import (
    ccg_corpora,
    free_english,
    gazette_corpus,
    penn_corpora,
    ud_corpora,
)
from wordorder_lab.corpora.ccg_corpora import CCGBANK
from wordorder_lab.corpora.penn_corpora import PENN_TREEBANK, PennTree
from wordorder_lab.corpora.readers.corpus import Corpus, CorpusError, Splits
from wordorder_lab.corpora.readers.sections import (
    FileReader,
    Layout,
    Readers,
    by_section,
    licensed,
)
from wordorder_lab.structures.arguments import checks_arguments
from wordorder_lab.structures.messages import cited

UNITS = ("base-np", "words")
CORPORA = {
    "gazette": "2,400 sentences of an invented newspaper, part of the project",
    "ptb-sample": "NLTK's 3,914 sentences of the Penn Treebank",
    "ptb-sample-in-order": "the same sentences in three by their order: 80, 10 and 10 %",
    "ptb": "the Penn Treebank, licensed: train 02-21, dev 22, test 23 (Liu et al. 2015)",
    "ptb-00": "the same with section 00 for dev (Zhang and Clark 2011, 2015)",
    "ewt": "Universal Dependencies English EWT",
    "gum": "Universal Dependencies English GUM",
    free_english.NAME: "ptb-sample, ewt, gum and gazette as one: words with universal tags",
    "ccgbank": "CCGbank, licensed: train 02-21, dev 00, test 23 (Zhang and Clark 2011, 2015)",
    "sick-candc": "1,000 SICK sentences with derivations by the parser C&C, rebanked",
    "sick-easyccg": "the same by the parser EasyCCG",
    "sick-depccg": "the same by the parser depccg",
    "fracas-candc": "864 sentences of inference problems with derivations by C&C, rebanked",
    "fracas-easyccg": "877 of them by EasyCCG",
    "geometry": "125 geometry problems, derivations by hand: train and dev",
    "tatoeba": "100 short sentences, derivations by hand: dev and test",
}
"""The corpora that have a name, with a line on each."""
PENN = ("ptb-sample", "ptb-sample-in-order", "ptb", "ptb-00")
"""Those of them that are Penn trees, from which CCG derivations are made."""


@checks_arguments
def load_corpus(
    name_or_path: str | os.PathLike[str],
    *,
    units: str | None = None,
    min_np_words: int = 1,
    data: str | os.PathLike[str] | None = None,
    dev_section: int | None = None,
    strict: bool | None = None,
) -> Corpus:
    """A corpus by its name in ``CORPORA``, or by the path of a file or folder.

    ``units`` is ``"base-np"`` (base NPs kept whole; the default for Penn Treebank files, the
    Gazette and CCGbank) or ``"words"`` (the default for CoNLL-U, which has no phrases, and for
    other CCG derivations). A base NP of less than ``min_np_words``, a whole number from 1, stays
    single words with their own tag: with 2 those of one word. ``data`` is a folder to look in
    instead of the usual ones. ``dev_section`` counts for a folder laid out like the Penn Treebank
    (default 22) or CCGbank (default 0). Splits and base NPs of ``ptb`` are those of Liu et al.
    2015, section 4.

    A path may be a ``.conllu`` or ``.conllu.gz`` file, a ``.mrg`` file of bracketed trees, an
    ``.auto`` or ``.auto.gz`` file of CCG derivations, or a folder of such files. Files without
    splits are cut in three: 80, 10 and 10 % in file order. A split is read when it is first used.

    ``strict`` is about derivations with a step that follows from no rule: ``True`` refuses them,
    ``False`` takes them as they are. Without it, named corpora and CCGbank's sections are taken as
    they are, and files by path are refused if more than 5 % of their derivations are so.

    Raises ``CorpusError`` for a corpus that is not there, units that it does not have, and, when a
    split is read, for a broken file.
    """
    _check(units, min_np_words)
    name, path = str(name_or_path), Path(name_or_path)
    if name in ud_corpora.TREEBANKS:
        return _conllu(name, ud_corpora.named_treebank(name, data), units)
    if name == free_english.NAME:
        return _free_english(data, units)
    if name in CORPORA:
        return _named(name, units, min_np_words, data, dev_section, bool(strict))
    if not path.exists():
        known = ", ".join(CORPORA)
        raise CorpusError(
            f"no corpus and no file is called {cited(name)}: give a path, or one of {known}"
        )
    if path.is_file() and ud_corpora.is_conllu(path):
        return _conllu(*ud_corpora.conllu_file(path), units)
    if path.is_dir() and any(map(ud_corpora.is_conllu, path.iterdir())):
        return _conllu(*ud_corpora.treebank_folder(path), units)
    return _from_path(path, units, min_np_words, dev_section, strict)


def _check(units: str | None, min_np_words: int) -> None:
    if units not in (None, *UNITS):
        raise CorpusError(f"units are 'base-np' or 'words', not {cited(units)}")
    if min_np_words < 1:
        raise CorpusError(f"min_np_words is {min_np_words}: a base NP has at least 1 word")


def _conllu(name: str, readers: ud_corpora.Readers, units: str | None) -> Corpus:
    if units == "base-np":
        raise CorpusError(
            f"{name} is CoNLL-U, which carries no phrase structure and so no base NPs: "
            'use units="words"'
        )
    return Corpus(name, "words", readers)


def _free_english(data: str | os.PathLike[str] | None, units: str | None) -> Corpus:
    if units == "base-np":
        raise CorpusError(
            f"{free_english.NAME} is plain words, since half of it has no base NPs: "
            'use units="words"'
        )
    return Corpus(free_english.NAME, "words", free_english.splits(data))


def _named(
    name: str,
    units: str | None,
    min_np_words: int,
    data: str | os.PathLike[str] | None,
    dev_section: int | None,
    strict: bool,
) -> Corpus:
    """A corpus of ``CORPORA`` that is not CoNLL-U."""
    units = units or ("words" if name in ccg_corpora.TREEBANKS else "base-np")
    read = penn_corpora.penn_reader(units, min_np_words)
    if name == "gazette":
        return Corpus(name, units, gazette_corpus.splits(read))
    if name in PENN:
        return Corpus(name, units, _named_penn(name, read, data, dev_section))
    if name == "ccgbank" or name in ccg_corpora.TREEBANKS:
        read_ccg = ccg_corpora.ccg_reader(units, min_np_words, strict)
    if name == "ccgbank":
        return Corpus(name, units, licensed(CCGBANK, read_ccg, dev_section or 0, data))
    return Corpus(name, units, ccg_corpora.named_treebank(name, read_ccg, data))


def load_trees(
    name_or_path: str | os.PathLike[str],
    *,
    data: str | os.PathLike[str] | None = None,
    dev_section: int | None = None,
) -> Splits[PennTree]:
    """The Penn trees of a corpus, traces included, in the same splits as its sentences.

    Raises ``CorpusError`` as ``load_corpus``, and for a corpus that has no such trees.
    """
    name, path, read = str(name_or_path), Path(name_or_path), penn_corpora.read_penn_trees
    if name in PENN:
        return Splits(name, _named_penn(name, read, data, dev_section))
    is_path = name and name not in CORPORA and path.exists()
    if is_path and (readers := _penn_files(path, read, dev_section)):
        return Splits(path.name, readers)
    raise CorpusError(
        f"{name or 'a corpus without a name'} has no Penn trees: take {', '.join(PENN)}, "
        "a .mrg file or a folder of them"
    )


def _named_penn(
    name: str,
    read: FileReader,
    data: str | os.PathLike[str] | None,
    dev_section: int | None,
) -> Readers:
    """The splits of a corpus of Penn trees that has a name."""
    if name == "ptb-sample":
        return penn_corpora.sample(read, data)
    if name == "ptb-sample-in-order":
        return penn_corpora.sample_in_order(read, data)
    section = 0 if name == "ptb-00" else _section(dev_section, 22)
    return licensed(PENN_TREEBANK, read, section, data)


def _penn_files(path: Path, read: FileReader, dev_section: int | None) -> Readers | None:
    """The splits of a file or folder of bracketed trees; ``None`` if it is no such thing."""
    if path.is_dir() and (sections := PENN_TREEBANK.sections(path)):
        return by_section(PENN_TREEBANK, read, sections, _section(dev_section, 22), path)
    is_ccgbank = path.is_dir() and CCGBANK.sections(path)
    files = [] if is_ccgbank else _files(path, PENN_TREEBANK)
    return penn_corpora.any_trees(read, files) if files else None


def _section(given: int | None, usual: int) -> int:
    return usual if given is None else given


def _from_path(
    path: Path, units: str | None, min_np_words: int, dev_section: int | None, strict: bool | None
) -> Corpus:
    """A file or folder of bracketed trees or of CCG derivations."""
    base = units or "base-np"
    read = penn_corpora.penn_reader(base, min_np_words)
    if penn := _penn_files(path, read, dev_section):
        return Corpus(path.name, base, penn)
    if path.is_dir() and (sections := CCGBANK.sections(path)):
        read = ccg_corpora.ccg_reader(base, min_np_words, bool(strict))
        readers = by_section(CCGBANK, read, sections, _section(dev_section, 0), path)
        return Corpus(path.name, base, readers)
    if files := _files(path, CCGBANK):
        units = units or "words"
        read = ccg_corpora.ccg_reader(units, min_np_words, strict)
        return Corpus(path.name, units, ccg_corpora.any_derivations(read, files))
    raise CorpusError(
        f"{path} is no corpus that we can read: give a .conllu, .mrg or .auto file "
        "or a folder of them"
    )


def _files(path: Path, layout: Layout) -> list[Path]:
    return layout.files(path) if path.is_dir() else [path] * layout.is_file(path)
