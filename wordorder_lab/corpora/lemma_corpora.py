"""``load_lemma_trees``: from a name or a path to train, dev and test trees of lemmas.

``sr18`` and ``sr20`` are the English inputs (EWT, track T1) of the surface realisation shared tasks
of 2018 and 2020. Dev and test are the tasks' own files. Their training files are the treebank's
train part in the same form, and are made here from EWT as it is today, said the older way
(``older_english``), its nodes shuffled; for ``sr20`` with the ranks that those files have.

The words of the references stand in the tasks' files as well, but for SR'18's test part, which is
plain text: its words are those of the same sentence in EWT, by ``sent_id`` or by text, or in
SR'20's file, if there are as many of them as the input has nodes (``reference_sources``).
"""

from __future__ import annotations

import os
import zlib
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from wordorder_lab.corpora import gazette_corpus
from wordorder_lab.corpora.older_english import older
from wordorder_lab.corpora.readers.corpus import SPLITS, CorpusError, Part, Splits
from wordorder_lab.corpora.readers.files import data_roots, missing, read_text
from wordorder_lab.corpora.readers.lemma_trees import parse_lemma_trees, read_lemma_trees
from wordorder_lab.corpora.ud_corpora import (
    OTHER_LANGUAGES,
    TREEBANKS,
    conllu_file,
    is_conllu,
    named_treebank,
    treebank_folder,
)
from wordorder_lab.structures.arguments import checks_arguments
from wordorder_lab.structures.lemma_tree import LemmaTree
from wordorder_lab.structures.messages import cited

LEMMA_CORPORA = {
    "sr18": "surface realisation task of 2018, English EWT: trees of lemmas in no order",
    "sr20": "the task of 2020: the same with the order of some dependents",
}
"""The corpora of this kind alone that have a name, with a line on each."""
GAZETTE = "gazette"
"""The embedded corpus, whose sentences have lemmas, features and labels, too."""
LEMMA_NAMES = (*LEMMA_CORPORA, *TREEBANKS, GAZETTE, *OTHER_LANGUAGES)
"""All names of corpora whose trees of lemmas can be read."""
FOLDER = "sr_ewt"
GET = (
    "git clone --depth 1 https://github.com/Henry-E/surface-realization-shallow-task, and put its "
    f"files of data/srst and data/srst_2020, named as sr18.dev.t1.conll, into a folder {FOLDER}"
)
BY_ID, BY_TEXT = "of EWT, by sent_id", "of EWT, by text"
OF_SR20, NOWHERE = "of sr20, by sent_id", "with no words that fit"


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
        folder = task_folder(name, data)
        readers: Mapping[str, Callable[[], Part[LemmaTree]]] = {
            "train": partial(_train, name, data),
            "dev": partial(_of_task, folder, name, "dev", data, skip_bad),
            "test": partial(_of_task, folder, name, "test", data, skip_bad),
        }
        return LemmaTrees(name, readers)
    if name in (*TREEBANKS, *OTHER_LANGUAGES):
        return LemmaTrees(name, named_treebank(name, data, read))
    if name == GAZETTE:
        return LemmaTrees(name, {split: partial(_gazette, split) for split in SPLITS})
    if path.is_file() and is_conllu(path):
        return LemmaTrees(*conllu_file(path, read))
    if path.is_dir() and any(map(is_conllu, path.iterdir())):
        return LemmaTrees(*treebank_folder(path, read))
    known = ", ".join(LEMMA_NAMES)
    raise CorpusError(
        f"no trees of lemmas and no .conllu file are called {cited(name)}: give a path, or one of "
        f"{known}"
    )


def task_folder(name: str, data: str | os.PathLike[str] | None = None) -> Path:
    """Where the files of the tasks lie; ``CorpusError`` with the command that gets them."""
    for root in data_roots(data):
        if (folder := root / FOLDER).is_dir():
            return folder
    raise missing(name, GET, data)


def ordered_trees(
    name: str, split: str, data: str | os.PathLike[str] | None = None
) -> tuple[LemmaTree, ...]:
    """The ordered trees behind the inputs of ``dev``, or of ``sr20``'s ``test``, line-parallel.

    Their nodes know form and place. Lemmas may differ from the inputs' in ``sr18``. Raises
    ``CorpusError`` where there are none.
    """
    path = _file(task_folder(name, data), f"{name}.{split}.ud.conllu")
    return read_lemma_trees([path]).sentences


def reference_sources(name: str, split: str, data: str | os.PathLike[str] | None = None) -> dict:
    """How many references of a split have their words from where."""
    if (name, split) != ("sr18", "test"):
        return {"of the task's own file": len(ordered_trees(name, split, data))}
    folder = task_folder(name, data)
    trees = read_lemma_trees([_file(folder, "sr18.test.t1.conll")]).sentences
    return dict(Counter(source for _, source, _ in _test_references(folder, trees, data)))


def _train(name: str, data: str | os.PathLike[str] | None) -> Part[LemmaTree]:
    """The train part of EWT as an input of the task; every tree is shuffled by its own name."""
    read: Callable[[], Part] = named_treebank("ewt", data, read_lemma_trees)["train"]
    trees = (older(tree) for tree in read().sentences)
    ranked = (tree.ranked() if name == "sr20" else tree for tree in trees)
    return Part(tuple(tree.shuffled(zlib.crc32(tree.name.encode())) for tree in ranked))


def _gazette(split: str) -> Part[LemmaTree]:
    """The labels are those of the Penn Treebank's dependencies (``SUB``, ``NMOD``)."""
    (path,) = gazette_corpus.files(split, "conllu")
    return parse_lemma_trees(read_text(path), str(path), split, any_names=True)


def _of_task(
    folder: Path, name: str, split: str, data: str | os.PathLike[str] | None, skip_bad: bool
) -> Part[LemmaTree]:
    """A file of the task, each tree with its reference."""
    end = "conllu" if name == "sr20" else "conll"
    part = read_lemma_trees([_file(folder, f"{name}.{split}.t1.{end}")], skip_bad)
    if part.left_out:  # then the files are no longer line by line the same
        return part
    if (name, split) == ("sr18", "test"):
        named = _test_references(folder, part.sentences, data)
        with_words = (
            replace(tree, name=called.name, reference=called.reference, text=called.text)
            for tree, (_, _, called) in zip(part.sentences, named, strict=True)
        )
        return Part(tuple(with_words))
    ordered = ordered_trees(name, split, data)
    if list(map(len, ordered)) != list(map(len, part.sentences)):
        raise CorpusError(f"the inputs and references of {name} {split} are not the same sentences")
    pairs = zip(part.sentences, ordered)
    return Part(
        tuple(replace(t, name=o.name, reference=o.reference, text=o.text) for t, o in pairs)
    )


def _test_references(
    folder: Path, trees: Sequence[LemmaTree], data: str | os.PathLike[str] | None
) -> list[tuple[LemmaTree, str, LemmaTree]]:
    """Each test input of SR'18, where the words of its reference are from, and what has them."""
    read: Callable[[], Part[LemmaTree]] = named_treebank("ewt", data, read_lemma_trees)["test"]
    today = read().sentences
    by_id = {tree.name: tree for tree in today}
    by_text = {tree.text: tree for tree in today}
    older_ones = {tree.name: tree for tree in ordered_trees("sr20", "test", data)}
    texts = _texts(_file(folder, "sr18.test.sents.txt"))
    if len(texts) != len(trees):
        raise CorpusError(f"sr18 has {len(trees):,} test inputs and {len(texts):,} references")
    found = []
    for tree, (called, text) in zip(trees, texts):
        named = replace(tree, name=called, text=text)
        today_one, older_one = by_id.get(called), older_ones.get(called)
        places = ((BY_ID, today_one), (BY_TEXT, by_text.get(text)), (OF_SR20, older_one))
        source, other = next(
            ((source, one) for source, one in places if one and _fits(one, tree, text)),
            (NOWHERE, named),
        )
        found.append((tree, source, replace(named, reference=other.reference)))
    return found


def _fits(tree: LemmaTree, to: LemmaTree, text: str) -> bool:
    return len(tree) == len(to) and _same(tree, text)


def _same(tree: LemmaTree, text: str) -> bool:
    """Whether the words of a tree are those of the text, as far as both are ASCII.

    Some texts of SR'18 were written in one encoding and read in another.
    """
    return _plain("".join(tree.reference)) == _plain(text)


def _plain(text: str) -> str:
    return "".join(sign for sign in text if sign.isascii() and not sign.isspace())


def _texts(path: Path) -> list[tuple[str, str]]:
    """Id and text of every sentence of a file of comments."""
    found, called = [], ""
    for line in read_text(path).split("\n"):
        if line.startswith("# sent_id = "):
            called = line.removeprefix("# sent_id = ").strip()
        elif line.startswith("# text = "):
            found.append((called, line.removeprefix("# text = ").strip()))
    return found


def _file(folder: Path, name: str) -> Path:
    """A file of the folder, packed or not; ``CorpusError`` where it is neither."""
    for path in (folder / name, folder / f"{name}.gz"):
        if path.is_file():
            return path
    raise CorpusError(f"{folder} has no file {name}, nor {name}.gz")
