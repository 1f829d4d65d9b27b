"""CCG treebanks as splits: the licensed CCGbank, small free ones by name, any ``.auto`` file.

A sentence of them carries its derivation, and its tree is that of the derivation's heads.

Differences
- *Paper silent*, CCGbank being the papers' only treebank: small ones repeat themselves (SICK's
  1,000 lines are 924 different sentences), so a file without splits is cut in three by *different*
  sentences. A repeated one stands where it came first, and counts as left out. Sentences that are
  nearly the same, of which SICK is full, are still on both sides of a cut.
- *Paper silent*: Geometry comes with sentences to train on and to tune on, and Tatoeba with some to
  tune and to test on; what is not there is not made up.
- *Paper silent*: both have one placeholder for all tags (``POS``, ``XX``), and Geometry's heads are
  all the first child. They stay as they are.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from wordorder_lab.corpora.readers.ccgbank import AutoEntry, read_auto, with_base_nps
from wordorder_lab.corpora.readers.corpus import (
    CorpusError,
    Part,
    Readers,
    cut_in_three,
    progress,
)
from wordorder_lab.corpora.readers.files import (
    AnyPath,
    DataFolder,
    FileReader,
    Layout,
    find_given,
)
from wordorder_lab.structures.derivation import Derivation
from wordorder_lab.structures.sentence import Sentence, Token

CCGBANK = Layout(
    what="CCGbank",
    licence="LDC2005T13",
    folder="ccgbank",
    variable="WORDORDER_LAB_CCGBANK",
    inside=("", "AUTO", "data/AUTO", "ccgbank_1_1/data/AUTO"),
    suffixes=(".auto", ".auto.gz"),
    instead="gazette",
)
"""CCGbank, as its disc lays it out: ``data/AUTO/00/wsj_0001.auto``."""

SMALL = "ccg_small"
"""The folder of the small treebanks."""
_LANGPRO = "https://github.com/kovvalsky/LangPro (ccg_sen_d, Prolog terms)"
TREEBANKS: dict[str, tuple[str, dict[str, str]]] = {
    "sick-candc": (_LANGPRO, {"": "silver/sick_trial.candc.auto.gz"}),
    "sick-easyccg": (_LANGPRO, {"": "silver/sick_trial.easyccg.auto.gz"}),
    "sick-depccg": (_LANGPRO, {"": "silver/sick_trial.depccg.auto.gz"}),
    "fracas-candc": (_LANGPRO, {"": "silver/fracas.candc.auto.gz"}),
    "fracas-easyccg": (_LANGPRO, {"": "silver/fracas.easyccg.auto.gz"}),
    "geometry": (
        "https://github.com/masashi-y/ud2ccg (geometry/geo-train.auto and geo-dev.auto)",
        {"train": "gold/geometry_train.auto", "dev": "gold/geometry_dev.auto"},
    ),
    "tatoeba": (
        "https://github.com/texttheater/xlci (data/*.gold.parse.tags, Prolog terms)",
        {"dev": "gold/tatoeba_dev.auto", "test": "gold/tatoeba_test.auto"},
    ),
}
"""Name -> where it comes from, and its file for each split; without a split, it is cut in three."""

REPEATED = "repeated"
FEW = 0.05
"""The share of derivations with a step of no rule that passes as a treebank's noise; the small
treebanks have up to 2.1 %."""


def ccg_reader(units: str, min_np_words: int, strict: bool | None = False) -> FileReader[Sentence]:
    """A function that reads ``.auto`` files into one ``Part`` with the given units.

    ``strict`` says what to do where a step follows from no rule: refuse (``True``), take it for a
    rule of this treebank (``False``), or refuse if that is so in more than ``FEW`` derivations
    (``None``).
    """

    def read(files: Sequence[AnyPath]) -> Part[Sentence]:
        """The sentences of all files, in their order."""
        sentences: list[Sentence] = []
        odd = 0
        for path in progress(files, "reading derivations", few=20):
            for number, entry in enumerate(read_auto(path, strict=strict is True), start=1):
                odd += strict is None and entry.derivation.problem() is not None
                name = _name(entry, number, path)
                sentences.append(_sentence(entry.derivation, units, min_np_words, name))
        if odd > FEW * len(sentences):
            _refuse(files, odd, len(sentences))
        return Part(tuple(sentences))

    return read


def _name(entry: AutoEntry, number: int, path: AnyPath) -> str:
    """The entry's own name, or with the file in front where that is only a number."""
    if entry.name and not entry.name.isdecimal():
        return entry.name
    return f"{path.name.removesuffix('.gz')}:{entry.name or number}"


def _sentence(derivation: Derivation, units: str, min_np_words: int, name: str) -> Sentence:
    if units == "base-np":
        derivation = with_base_nps(derivation, min_np_words)
    leaves = zip(derivation.leaves(), derivation.heads(), strict=True)
    tokens = tuple(Token(tuple(leaf.word.split(" ")), leaf.pos, head) for leaf, head in leaves)
    return Sentence(tokens, name, derivation)


def _refuse(files: Sequence[AnyPath], odd: int, of: int) -> None:
    """Raise ``CorpusError`` for the first step that follows from no rule."""
    for path in files:
        try:
            read_auto(path, strict=True)
        except CorpusError as error:
            raise CorpusError(
                f"{error} ({odd:,} of {of:,} derivations have such a step; correct them, or in "
                "Python take them as they are with load_corpus(..., strict=False))"
            ) from None


# --- by name and by path ------------------------------------------------------------------------


def named_treebank(
    name: str, read: FileReader[Sentence], data: DataFolder = None
) -> Readers[Sentence]:
    """The splits of a small treebank; raises ``CorpusError`` where its files are not found."""
    files = treebank_files(name, data)
    if "" in files:
        return any_derivations(read, [files[""]])
    return {split: partial(read, [path]) for split, path in files.items()}


def treebank_files(name: str, data: DataFolder = None) -> dict[str, Path]:
    """The file of each split of a small treebank; raises ``CorpusError`` where one is missing."""
    source, files = TREEBANKS[name]
    names = [f"{SMALL}/{file}" for file in files.values()]
    return dict(zip(files, find_given(name, f"made from {source}", names, data), strict=True))


def any_derivations(read: FileReader[Sentence], files: Sequence[AnyPath]) -> Readers[Sentence]:
    """Files without splits, in three by the order of their different sentences."""
    return cut_in_three(lambda: without_repeated(read(files)))


def without_repeated(part: Part[Sentence]) -> Part[Sentence]:
    """The sentences whose words have not been there before; the others count as left out."""
    first: dict[tuple[str, ...], Sentence] = {}
    left_out: list[tuple[int, str]] = []
    for sentence in part.sentences:
        if first.setdefault(sentence.surface, sentence) is not sentence:
            left_out.append((len(first), REPEATED))
    return Part(tuple(first.values()), tuple(left_out))
