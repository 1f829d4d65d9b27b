"""CCG treebanks as splits: the licensed CCGbank, small free ones by name, any ``.auto`` file.

A sentence of them carries its derivation, and its tree is that of the derivation's heads.

Differences
- *Paper silent*, CCGbank being the papers' only treebank: small ones repeat themselves (SICK's
  1,000 lines are 924 different sentences), so a file without splits is cut in three by *different*
  sentences. A repeated one counts as left out. Sentences that are nearly the same are still on both
  sides of a cut.
- *Paper silent*: Geometry has no test part and Tatoeba none to train on; what is not there is not
  made up. Both have one placeholder for all tags (``POS``, ``XX``), and Geometry's heads are all
  the first child. They stay as they are.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from wordorder_lab.corpora.readers.ccgbank import AutoEntry, read_auto, with_base_nps
from wordorder_lab.corpora.readers.corpus import CorpusError, Part, Readers, progress
from wordorder_lab.corpora.readers.files import (
    AnyPath,
    DataFolder,
    FileReader,
    Layout,
    find_given,
    given_splits,
)
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

SMALL = "ccg_small"
_LANGPRO = "https://github.com/kovvalsky/LangPro (ccg_sen_d, Prolog terms)"
_BY_PARSERS = "sick_trial.candc sick_trial.easyccg sick_trial.depccg fracas.candc fracas.easyccg"
TREEBANKS: dict[str, tuple[str, dict[str, str]]] = {
    **{
        name.replace("_trial", "").replace(".", "-"): (
            _LANGPRO,
            {"": f"{SMALL}/silver/{name}.auto.gz"},
        )
        for name in _BY_PARSERS.split()
    },
    "geometry": (
        "https://github.com/masashi-y/ud2ccg (geometry/geo-train.auto and geo-dev.auto)",
        {split: f"{SMALL}/gold/geometry_{split}.auto" for split in ("train", "dev")},
    ),
    "tatoeba": (
        "https://github.com/texttheater/xlci (data/*.gold.parse.tags, Prolog terms)",
        {split: f"{SMALL}/gold/tatoeba_{split}.auto" for split in ("dev", "test")},
    ),
}
"""Name -> where it comes from, and its file for each split; without a split, it is cut in three."""

FEW = 0.05
"""A share of derivations with a step of no rule that is noise; the treebanks have up to 2.1 %."""


def ccg_reader(units: str, min_np_words: int, strict: bool | None = False) -> FileReader[Sentence]:
    """A reader of ``.auto`` files with these units; a step of no rule is refused (``strict``),
    taken for a rule of this treebank (``False``), or refused if more than ``FEW`` have one
    (``None``)."""

    def sentence(entry: AutoEntry, number: int, path: AnyPath) -> Sentence:
        derivation, name = entry.derivation, entry.name
        if not name or name.isdecimal():
            name = f"{path.name.removesuffix('.gz')}:{name or number}"
        if units == "base-np":
            derivation = with_base_nps(derivation, min_np_words)
        leaves = zip(derivation.leaves(), derivation.heads(), strict=True)
        tokens = tuple(Token(tuple(leaf.word.split(" ")), leaf.pos, head) for leaf, head in leaves)
        return Sentence(tokens, name, derivation)

    def read(files: Sequence[AnyPath]) -> Part[Sentence]:
        """The sentences of all files, in their order."""
        sentences: list[Sentence] = []
        odd = 0
        for path in progress(files, "reading derivations", few=20):
            for number, entry in enumerate(read_auto(path, strict=strict is True), start=1):
                odd += strict is None and entry.derivation.problem() is not None
                sentences.append(sentence(entry, number, path))
        if odd > FEW * len(sentences):
            _refuse(files, odd, len(sentences))
        return Part(tuple(sentences))

    return read


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


def treebank_folder(name: str) -> Path:
    """Where a small treebank lies; raises ``CorpusError`` where a file of it is missing."""
    source, files = TREEBANKS[name]
    return find_given(name, f"made from {source}", [*files.values()], None)[0].parent


def named_treebank(
    name: str, read: FileReader[Sentence], data: DataFolder = None
) -> Readers[Sentence]:
    """The splits of a small treebank; raises ``CorpusError`` where its files are not found."""
    source, files = TREEBANKS[name]

    def read_one(path: AnyPath) -> Part[Sentence]:
        return without_repeated(read([path])) if "" in files else read([path])

    return given_splits(name, f"made from {source}", files, data, read_one)


def without_repeated(part: Part[Sentence]) -> Part[Sentence]:
    """The sentences whose words have not been there before; the others count as left out."""
    first: dict[tuple[str, ...], Sentence] = {}
    return Part.of(
        (sentence if first.setdefault(sentence.surface, sentence) is sentence else None, "repeated")
        for sentence in part.sentences
    )
