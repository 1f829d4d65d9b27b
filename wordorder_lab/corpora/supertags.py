"""``load_supertags``: sentences whose words have categories, of derivations or of files.

Differences
- *Paper silent*: Rimell & Clark (2008) annotated questions with a part to train on and one to test
  on, and 1,000 sentences of GENIA, which are cut in three in file order.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path

from wordorder_lab.corpora.readers.corpus import CorpusError, Part, Splits, cut_in_three
from wordorder_lab.corpora.readers.files import LOOKED, data_roots
from wordorder_lab.corpora.readers.supertags import read_supertags
from wordorder_lab.corpora.registry import CORPORA, load_corpus
from wordorder_lab.structures.category import Category
from wordorder_lab.structures.messages import cited
from wordorder_lab.structures.sentence import Supertagged, supertagged

FOLDER = "ccg_small/supertags"
SOURCE = "Rimell & Clark (2008)"
SUPERTAGS: dict[str, tuple[str, dict[str, str]]] = {
    "genia": ("1,000 sentences on molecular biology", {"": "genia1000.stagged.gz"}),
    "questions": (
        "1,828 questions: train and test",
        {"train": "questions_train.stagged.gz", "test": "questions_test.stagged.gz"},
    ),
}
"""Name -> a line on it, and the file of each split; without a split, it is cut in three."""
ENDINGS = (".stagged", ".stagged.gz")
"""What a path ends in that is such a file."""


class TaggedCorpus(Splits[Supertagged]):
    """A corpus of sentences with categories; ``units`` says what one word is."""

    items = "sentences"

    def __init__(self, name: str, units: str, readers: dict[str, Callable[[], Part]]) -> None:
        super().__init__(name, readers)
        self.units = units


def load_supertags(
    name_or_path: str | os.PathLike[str],
    *,
    units: str | None = None,
    data: str | os.PathLike[str] | None = None,
) -> TaggedCorpus:
    """A corpus by its name in ``SUPERTAGS`` or ``CORPORA``, or by a path.

    A file that ends in ``.stagged`` or ``.stagged.gz`` has ``word|POS|category`` (``readers/
    supertags``); of others the derivations are read as ``load_corpus`` does, with its words as
    units unless ``units`` says otherwise.

    Raises ``CorpusError`` for a corpus that is not there, and when a split is read for a broken
    file, and for one without derivations.
    """
    name = str(name_or_path)
    if name in SUPERTAGS or name.endswith(ENDINGS):
        if units not in (None, "words"):
            raise CorpusError(f'{name} has words with categories and no phrases: use units="words"')
        files = _files(name, data) if name in SUPERTAGS else {"": Path(name)}
        if "" in files:
            readers = cut_in_three(cache(partial(_read, files[""])))
        else:
            readers = {split: partial(_read, path) for split, path in files.items()}
        return TaggedCorpus(Path(name).name, "words", readers)
    if name not in CORPORA and not Path(name).exists():
        known = ", ".join((*SUPERTAGS, *CORPORA))
        raise CorpusError(
            f"no corpus and no file is called {cited(name)}: give a path, or one of {known}"
        )
    corpus = load_corpus(name, units=units or "words", data=data)

    def of_split(split: str) -> Part[Supertagged]:
        """The sentences that have a derivation; the others count as left out."""
        sentences = corpus.split(split)
        kept = supertagged(sentences)
        without = len(sentences) - len(kept)
        if not kept:
            raise CorpusError(
                f"no sentence of {name} ({split}) has a CCG derivation, and so no word a category: "
                f"take gazette, ptb-sample, {' or '.join(SUPERTAGS)}"
            )
        return Part(tuple(kept), ((len(kept), "without derivation"),) * without)

    return TaggedCorpus(
        corpus.name, corpus.units, {split: partial(of_split, split) for split in corpus.splits}
    )


def _read(path: Path) -> Part[Supertagged]:
    """The sentences of a file; ``CorpusError`` for a word with several categories."""
    sentences = []
    for line in read_supertags(path):
        several = [i for i, own in enumerate(line.categories) if len(own) > 1]
        if several:
            word = " ".join(line.words[several[0]])
            raise CorpusError(
                f"{path}, line {line.number:,}: {cited(word)} has several categories; to learn or "
                "to score each word has one"
            )
        categories = tuple(Category.parse(own[0]) for own in line.categories)
        name = f"{path.name}:{line.number}"
        sentences.append(Supertagged(line.words, line.pos, categories, name))
    return Part(tuple(sentences))


def _files(name: str, data: str | os.PathLike[str] | None) -> dict[str, Path]:
    """The file of each split; raises ``CorpusError`` where one is missing."""
    files = SUPERTAGS[name][1]
    for root in data_roots(data):
        paths = {split: root / FOLDER / file for split, file in files.items()}
        if all(path.is_file() for path in paths.values()):
            return paths
    wanted = " and ".join(f"{FOLDER}/{file}" for file in files.values())
    places = ", ".join(map(str, data_roots(data)))
    raise CorpusError(
        f"{name} is not here, and no command gets it: it is of {SOURCE}. Put {wanted} where "
        f"corpora are looked for, or use 'gazette'{LOOKED} {places})"
    )
