"""What notebook 50 learns from and tries: real trees of EWT, or the Gazette's where EWT is not.

The Gazette's sentences come from our own grammar. They have lemmas, features and labels, so that
every cell runs; but they are simpler than what people write, and scores on them are higher.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from wordorder_lab.corpora.inflection_lists import inflection_lists
from wordorder_lab.corpora.lemma_corpora import load_lemma_trees
from wordorder_lab.corpora.readers.corpus import CorpusError
from wordorder_lab.structures.lemma_tree import LemmaTree

SHORTEST, LONGEST = 4, 16
"""Words of a sentence that is learned from or tried."""
LEARNED, TRIED = 400, 60
"""So many trees are learned from, and so many are held out."""


@dataclass(frozen=True)
class Material:
    """Trees to learn from and trees held out, all with their words; ``name`` is the corpus.

    ``english`` says whether the lists of irregular forms are here; without them forms are those
    that were counted. ``missing`` says what was looked for and not found.
    """

    name: str
    train: tuple[LemmaTree, ...]
    held_out: tuple[LemmaTree, ...]
    english: bool
    missing: tuple[str, ...] = field(default=(), repr=False)

    def __str__(self) -> str:
        counts = f"{len(self.train)} trees to learn from, {len(self.held_out)} held out"
        lines = [f"The trees are those of {self.name}: {counts}."]
        for what in self.missing:
            lines.append(f"Not on this machine: {what}")
        if self.missing:
            lines.append("All cells run without; sentences or forms are simpler then.")
        return "\n".join(lines)


def material(corpus: str, *, learned: int = LEARNED, tried: int = TRIED) -> Material:
    """Short trees of a corpus, or of the Gazette where it is not to be had.

    ``corpus`` is a name or a path that ``load_lemma_trees`` takes. Nothing is raised for what is
    missing: ``print`` says what, and how to get it.
    """
    missing: list[str] = []
    try:
        trees = load_lemma_trees(corpus)
        train, dev = trees.train, trees.dev
    except CorpusError as error:
        missing.append(str(error))
        trees = load_lemma_trees("gazette")
        train, dev = trees.train, trees.dev
    try:
        inflection_lists()
    except CorpusError as error:
        missing.append(str(error))
    english = trees.name != "gazette" and not any("inflection" in what for what in missing)
    return Material(trees.name, short(train)[:learned], short(dev)[:tried], english, tuple(missing))


def short(trees: Sequence[LemmaTree]) -> tuple[LemmaTree, ...]:
    """Projective trees of a length that is decoded in a moment, their words known."""
    return tuple(
        tree
        for tree in trees
        if SHORTEST <= len(tree) <= LONGEST
        and all(node.position is not None for node in tree.nodes)
        and tree.is_projective()
    )
