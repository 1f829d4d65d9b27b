"""``load_lemma_trees``: from a name or a path to train, dev and test trees of lemmas.

``sr18`` and ``sr20`` are the English inputs (EWT, track T1) of the surface realization shared tasks
of 2018 and 2020. Dev and test are the tasks' own files. Their training files are made here from
EWT's train part as it is today, said the older way (``older_english``), its nodes shuffled; for
``sr20`` with the ranks that those files have.

The words of the references stand in the tasks' files as well, but for SR'18's test part, which is
plain text: its words are those of the same sentence in EWT, by ``sent_id`` or by text, or in
SR'20's file, if there are as many of them as the input has nodes (``reference_sources``).
"""

from __future__ import annotations

import os
import zlib
from collections import Counter
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import NamedTuple

from wordorder_lab.corpora import gazette_corpus, ud_corpora
from wordorder_lab.corpora.older_english import older
from wordorder_lab.corpora.readers.conllu import blocks_of
from wordorder_lab.corpora.readers.corpus import SPLITS, CorpusError, Part, Splits, unknown
from wordorder_lab.corpora.readers.files import DataFolder, find_or_get, packed_or_not, read_text
from wordorder_lab.corpora.readers.lemma_trees import parse_lemma_trees, read_lemma_trees
from wordorder_lab.corpora.ud_corpora import OTHER_LANGUAGES, TREEBANKS, named_treebank
from wordorder_lab.structures.arguments import checks_arguments
from wordorder_lab.structures.lemma_tree import LemmaTree

LEMMA_CORPORA = {
    "sr18": "surface realization task of 2018, English EWT: trees of lemmas in no order",
    "sr20": "the task of 2020: the same with the order of some dependents",
}
GAZETTE = gazette_corpus.NAME
LEMMA_NAMES = (*LEMMA_CORPORA, *TREEBANKS, GAZETTE, *OTHER_LANGUAGES)
FOLDER = "sr_ewt"
GET = (
    "git clone --depth 1 https://github.com/Henry-E/surface-realization-shallow-task, and put its "
    f"files of data/srst and data/srst_2020, named as sr18.dev.t1.conll, into a folder {FOLDER}"
)
BY_TEXT = "of EWT, by text"


class LemmaTrees(Splits[LemmaTree]):
    """Trees of lemmas in splits that are read on first use."""

    items = "trees"


@checks_arguments
def load_lemma_trees(
    name_or_path: str | os.PathLike[str],
    *,
    data: str | os.PathLike[str] | None = None,
    skip_bad: bool = False,
) -> LemmaTrees:
    """Trees of lemmas by the name of a corpus (``sr18``, ``sr20``, ``ewt``, ``gum``, ``gazette``;
    Hungarian ``szeged``, German ``gsd``), or by a path.

    A path is a ``.conllu`` file, packed or not, or a folder with those of one treebank; a single
    file is cut in three. With ``skip_bad`` a broken sentence is left out and told about in
    ``skipped``. ``data`` is a folder to look in instead of the usual ones.

    Raises ``CorpusError`` for what is not there, and, when a split is read, for a broken file.
    """
    name, path = str(name_or_path), Path(name_or_path)
    read = partial(read_lemma_trees, skip_bad=skip_bad)
    if name in LEMMA_CORPORA:
        task = _task(name, data)
        readers = {split: partial(task.with_words, split, skip_bad) for split in ("dev", "test")}
        return LemmaTrees(name, {"train": task.train, **readers})
    if name in (*TREEBANKS, *OTHER_LANGUAGES):
        return LemmaTrees(name, named_treebank(name, read, data))
    if name == GAZETTE:
        return LemmaTrees(name, {split: partial(_gazette, split) for split in SPLITS})
    if ud_corpora.holds_conllu(path):
        return LemmaTrees(*ud_corpora.treebank_at(path, read))
    if path.suffix == ".txt" and path.is_file():
        raise CorpusError(
            f"{name} is text, and has no trees: a realizer's trees_of(lines) parses it, and so do "
            "wordorder-lab train and evaluate --corpus"
        )
    raise unknown(name, LEMMA_NAMES, "no trees of lemmas and no .conllu file are")


def _gazette(split: str) -> Part[LemmaTree]:
    """The labels are those of the Penn Treebank's dependencies (``SUB``, ``NMOD``)."""
    (path,) = gazette_corpus.files(split, "conllu")
    return parse_lemma_trees(read_text(path), str(path), split, any_names=True)


def task_folder(name: str, data: DataFolder = None) -> Path:
    """Where the files of the tasks lie; ``CorpusError`` with the command that gets them."""
    return find_or_get(name, GET, [FOLDER], data)[0]


def ordered_trees(name: str, split: str) -> tuple[LemmaTree, ...]:
    """The ordered trees behind the inputs of ``dev``, or of ``sr20``'s ``test``, line by line."""
    return _task(name).ordered(split)


def reference_sources(name: str, split: str) -> dict[str, int]:
    """How many references of a split have their words from where."""
    task = _task(name)
    if (name, split) != ("sr18", "test"):
        return {"of the task's own file": len(task.ordered(split))}
    return dict(Counter(source for source, _ in task.test_references(task.inputs("test"))))


def _task(name: str, data: DataFolder = None) -> _Task:
    return _Task(name, task_folder(name, data), data)


class _Task(NamedTuple):
    """One of the tasks, and where its files and EWT are."""

    name: str
    folder: Path
    data: DataFolder

    def _read(self, file: str, skip_bad: bool = False) -> Part[LemmaTree]:
        return read_lemma_trees([packed_or_not(self.folder, f"{self.name}.{file}")], skip_bad)

    def inputs(self, split: str, skip_bad: bool = False) -> Part[LemmaTree]:
        """The trees as the task gives them."""
        end = "conllu" if self.name == "sr20" else "conll"
        return self._read(f"{split}.t1.{end}", skip_bad)

    def ordered(self, split: str) -> tuple[LemmaTree, ...]:
        """The ordered trees behind them."""
        return self._read(f"{split}.ud.conllu").sentences

    def train(self) -> Part[LemmaTree]:
        """The train part of EWT as an input of the task; every tree is shuffled by its own name."""
        trees = map(older, named_treebank("ewt", read_lemma_trees, self.data)["train"]().sentences)
        ranked = (tree.ranked() if self.name == "sr20" else tree for tree in trees)
        return Part(tuple(tree.shuffled(zlib.crc32(tree.name.encode())) for tree in ranked))

    def with_words(self, split: str, skip_bad: bool) -> Part[LemmaTree]:
        """The inputs, each with its reference."""
        part = self.inputs(split, skip_bad)
        if part.left_out:  # then the files are no longer line by line the same
            return part
        if (self.name, split) == ("sr18", "test"):
            with_words = [tree for _, tree in self.test_references(part)]
        else:
            with_words = list(self.ordered(split))
            if list(map(len, with_words)) != list(map(len, part.sentences)):
                what = f"the inputs and references of {self.name} {split}"
                raise CorpusError(f"{what} are not the same sentences")
        pairs = zip(part.sentences, with_words, strict=True)
        return Part(
            tuple(replace(t, name=w.name, reference=w.reference, text=w.text) for t, w in pairs)
        )

    def test_references(self, inputs: Part[LemmaTree]) -> list[tuple[str, LemmaTree]]:
        """Where the words of each test reference of SR'18 are from, and a tree that has them."""
        today = named_treebank("ewt", read_lemma_trees, self.data)["test"]().sentences
        of_sr20 = self._replace(name="sr20").ordered("test")
        texts = _texts(packed_or_not(self.folder, "sr18.test.sents.txt"))
        count = len(inputs.sentences)
        if len(texts) != count:
            raise CorpusError(f"sr18 has {count:,} test inputs and {len(texts):,} references")
        by_text = {tree.text: tree for tree in today}
        by_id, older_by_id = ({tree.name: tree for tree in trees} for trees in (today, of_sr20))
        found = []
        for tree, (name, text) in zip(inputs.sentences, texts):
            places = (
                ("of EWT, by sent_id", by_id.get(name)),
                (BY_TEXT, by_text.get(text)),
                ("of sr20, by sent_id", older_by_id.get(name)),
            )
            fits = ((source, one) for source, one in places if one and _fits(one, tree, text))
            source, other = next(fits, ("with no words that fit", tree))
            found.append((source, replace(tree, name=name, text=text, reference=other.reference)))
        return found


def _fits(one: LemmaTree, tree: LemmaTree, text: str) -> bool:
    """As many nodes, and the text's ASCII: some texts of SR'18 were read in a wrong encoding."""
    words, plain = (
        [letter for letter in whole if letter.isascii() and not letter.isspace()]
        for whole in ("".join(one.reference), text)
    )
    return len(one) == len(tree) and words == plain


def _texts(path: Path) -> list[tuple[str, str]]:
    comments = [block.comments for block in blocks_of(read_text(path).split("\n"))]
    return [(one.get("sent_id", ""), one["text"]) for one in comments if "text" in one]
