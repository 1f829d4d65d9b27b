"""``load_corpus``: from a name or a path to train, dev and test sentences."""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from wordorder_lab.corpora import ccg_corpora, free_english, gazette_corpus, gum_trees, ud_corpora
from wordorder_lab.corpora.ccg_corpora import CCGBANK
from wordorder_lab.corpora.penn_corpora import PENN, named_trees, penn_reader, trees_at
from wordorder_lab.corpora.plain_text import text_part
from wordorder_lab.corpora.readers.conllu import read_conllu
from wordorder_lab.corpora.readers.corpus import Corpus, CorpusError, Readers, cut_in_three, unknown
from wordorder_lab.corpora.readers.files import DataFolder
from wordorder_lab.structures.arguments import checks_arguments
from wordorder_lab.structures.messages import cited
from wordorder_lab.structures.sentence import Sentence

UNITS = ("base-np", "words")
CORPORA = {
    "gazette": "2,400 sentences of an invented newspaper, part of the project",
    "ptb-sample": "NLTK's 3,914 sentences of the Penn Treebank",
    "ptb-sample-in-order": "the same sentences in three by their order: 80, 10 and 10 %",
    "ptb": "the Penn Treebank, licensed: train 02-21, dev 22, test 23 (Liu et al. 2015)",
    "ptb-00": "the same with section 00 for dev (Zhang and Clark 2011, 2015)",
    "ewt": "Universal Dependencies English EWT",
    "gum": "Universal Dependencies English GUM",
    gum_trees.NAME: "GUM's 13,263 trees of phrases: base NPs, and derivations of five in six",
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

    ``units`` is ``"base-np"`` (base NPs kept whole; the default for Penn Treebank files, GUM's
    trees, the Gazette and CCGbank) or ``"words"`` (the default for CoNLL-U, which has no phrases,
    and for other CCG derivations). A base NP of less than ``min_np_words``, a whole number from 1,
    stays single words with their own tag: with 2 those of one word. ``data`` is a folder to look in
    instead of the usual ones. ``dev_section`` counts for a folder laid out like the Penn Treebank
    (default 22) or CCGbank (default 0). Splits and base NPs of ``ptb`` are those of Liu et al.
    2015, section 4.

    A path may be a ``.txt`` file, a sentence a line, a ``.conllu`` or ``.conllu.gz`` file, a
    ``.mrg`` file of bracketed trees, an
    ``.auto`` or ``.auto.gz`` file of CCG derivations, or a folder of such files. Files without
    splits are cut in three: 80, 10 and 10 % in file order. A split is read when it is first used.

    ``strict`` is about derivations with a step that follows from no rule: ``True`` refuses them,
    ``False`` takes them as they are. Without it, named corpora and CCGbank's sections are taken as
    they are, and files by path are refused if more than 5 % of their derivations are so.

    Raises ``CorpusError`` for a corpus that is not there, units that it does not have, and, when a
    split is read, for a broken file.
    """
    options = _Options(units, min_np_words, data, dev_section, strict)
    name, path = str(name_or_path), Path(name_or_path)
    if name in CORPORA:
        return options.named(name)
    if not path.exists():
        raise unknown(name, CORPORA)
    return options.at(path)


@dataclass(frozen=True)
class _Options:
    """What a corpus is asked for with, as ``load_corpus`` takes it."""

    units: str | None
    min_np_words: int
    data: DataFolder
    dev_section: int | None
    strict: bool | None

    def __post_init__(self) -> None:
        if self.units not in (None, *UNITS):
            raise CorpusError(f"units are 'base-np' or 'words', not {cited(self.units)}")
        if self.min_np_words < 1:
            raise CorpusError(f"min_np_words is {self.min_np_words}: a base NP has at least 1 word")

    def named(self, name: str) -> Corpus:
        """One of ``CORPORA``."""
        if name in ud_corpora.TREEBANKS:
            return self._conllu(name, ud_corpora.named_treebank(name, read_conllu, self.data))
        if name == free_english.NAME:
            self._words_only(f"{name} is plain words, since half of it has no base NPs")
            return Corpus(name, "words", free_english.splits(self.data))
        units = self.units or ("words" if name in ccg_corpora.TREEBANKS else "base-np")
        read = penn_reader(units, self.min_np_words)
        read_ccg = ccg_corpora.ccg_reader(units, self.min_np_words, bool(self.strict))
        if name == "gazette":
            readers = gazette_corpus.splits(read)
        elif name == gum_trees.NAME:
            readers = gum_trees.splits(read, self.data)
        elif name in PENN:
            readers = named_trees(name, read, self.data, self.dev_section)
        elif name == "ccgbank":
            readers = CCGBANK.licensed(read_ccg, self.dev_section or 0, self.data)
        else:
            readers = ccg_corpora.named_treebank(name, read_ccg, self.data)
        return Corpus(name, units, readers)

    def at(self, path: Path) -> Corpus:
        """A file or folder of CoNLL-U, of bracketed trees or of CCG derivations."""
        if ud_corpora.holds_conllu(path):
            return self._conllu(*ud_corpora.treebank_at(path, read_conllu))
        if path.suffix == ".txt" and path.is_file():
            self._words_only(f"{path.name} is plain text, which has no base NPs")
            return Corpus(path.name, "words", cut_in_three(partial(text_part, path)))
        units = self.units or "base-np"
        read = penn_reader(units, self.min_np_words)
        if readers := trees_at(path, read, self.dev_section):
            return Corpus(path.name, units, readers)
        if path.is_dir() and CCGBANK.sections(path):
            read = ccg_corpora.ccg_reader(units, self.min_np_words, bool(self.strict))
            readers = CCGBANK.by_section(path, read, self.dev_section or 0)
            return Corpus(path.name, units, readers)
        if files := CCGBANK.files(path):
            units = self.units or "words"
            read = ccg_corpora.ccg_reader(units, self.min_np_words, self.strict)
            readers = cut_in_three(lambda: ccg_corpora.without_repeated(read(files)))
            return Corpus(path.name, units, readers)
        raise CorpusError(
            f"{path} is no corpus that we can read: give a .conllu, .mrg or .auto file "
            "or a folder of them, or a .txt file, a sentence a line"
        )

    def _conllu(self, name: str, readers: Readers[Sentence]) -> Corpus:
        self._words_only(f"{name} is CoNLL-U, which carries no phrase structure and so no base NPs")
        return Corpus(name, "words", readers)

    def _words_only(self, why: str) -> None:
        if self.units == "base-np":
            raise CorpusError(f"{why}: its units are words")
