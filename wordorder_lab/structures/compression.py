"""What sentence compression is about: pairs of trees to learn from, and what a decoder gives back.

Trees are ``nltk.Tree``: inner nodes with a label, preterminals over one word each. A word has a
capital because it is a name or because a sentence begins with it. In a shorter version another word
may come first, so systems see *the* wherever *the* stands, and whatever comes out gets its first
capital back.

Differences
- *Paper silent*: Cohn and Lapata (2009) say nothing about case. Only the tag tells a name here, so
  an adjective like *Norwegian* loses its capital at the beginning of a sentence and keeps it
  elsewhere. In the Gazette both sides of all 1,123 pairs write every word alike once they are
  prepared.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from operator import index
from typing import TYPE_CHECKING, TypeVar, cast

from wordorder_lab.structures.arguments import checks_arguments
from wordorder_lab.structures.messages import brief, cited

if TYPE_CHECKING:  # nltk takes most of a second to import, and a bag needs no phrase tree
    from nltk.tree import Tree


@dataclass(frozen=True, slots=True)
class CompressionPair:
    """A sentence and its shorter versions, as trees (Cohn & Lapata 2009, section 3.1).

    ``source`` is the sentence. ``targets`` has one reference or several; the first, ``target``, is
    the one that is learned from. ``alignment`` has pairs (place of a word of the source, place of a
    word of the target), counted from 0. ``name`` says where the pair comes from, ``kind`` how it
    was made, if known.

    Raises ``ValueError`` with the name of the pair for a tree without words, with words that are
    none or that holds itself, for no target, and for an alignment that points outside;
    ``TypeError`` for what is no tree.
    """

    source: Tree
    targets: tuple[Tree, ...]
    alignment: tuple[tuple[int, int], ...]
    name: str = ""
    kind: str = ""

    def __post_init__(self) -> None:
        of = brief(self.name) or "a pair without a name"
        if type(self.targets) not in (tuple, list) or not self.targets:
            raise ValueError(f"{of} has no reference: targets is a tuple of one tree or more")
        n, (m, *_) = _words_in(self.source, of), [_words_in(target, of) for target in self.targets]
        try:
            pairs = [(index(i), index(j)) for i, j in self.alignment]
        except (TypeError, ValueError):
            given = cited(self.alignment)
            raise ValueError(f"{of}: an alignment has pairs like (0, 0), not {given}") from None
        object.__setattr__(self, "alignment", tuple(pairs))
        for i, j in pairs:
            if not (0 <= i < n and 0 <= j < m):
                raise ValueError(
                    f"{of}: the alignment has {i}-{j}, which points outside the sentences of {n} "
                    f"and {m} words: places are counted from 0"
                )

    @property
    def target(self) -> Tree:
        """The reference to learn from."""
        return self.targets[0]

    def __repr__(self) -> str:
        words = len(self.source.leaves()), len(self.target.leaves())
        return f"<CompressionPair {self.name or 'without a name'}: {words[0]} words to {words[1]}>"


@dataclass(frozen=True, slots=True)
class Compression:
    """The best output of a search, and the next best after it.

    ``rules`` is the derivation in pre-order, each rule in the notation of ``SynchronousRule``.
    ``score`` is the model's, a bonus for words included. ``counters`` say how much work it was.
    ``k_best`` lists the outputs best first, this one included; two of them may be the same tree by
    other rules.
    """

    source: Tree
    tree: Tree
    score: float
    rules: tuple[str, ...] = ()
    counters: Mapping[str, int] = field(default_factory=dict)
    k_best: tuple[Compression, ...] = ()

    @property
    def words(self) -> list[str]:
        """The words of the output."""
        return list(self.tree.leaves())

    @property
    def text(self) -> str:
        """The words with a space between them."""
        return " ".join(self.words)

    @property
    def rate(self) -> float:
        """The compression rate: words out by words in."""
        return len(self.tree.leaves()) / len(self.source.leaves())

    def __repr__(self) -> str:
        return f"<Compression {self.text!r}: rate {self.rate:.2f}, score {self.score:.3f}>"


def _words_in(tree: Tree, of: str) -> int:
    if not hasattr(tree, "leaves"):
        raise TypeError(f"{of}: trees are nltk.Tree (wl.parse_tree), not {cited(tree)}")
    try:
        leaves = tree.leaves()
    except RecursionError:
        raise ValueError(f"{of}: a tree holds itself, or is too deep") from None
    if not leaves or not all(isinstance(leaf, str) and leaf for leaf in leaves):
        raise ValueError(f"{of}: a tree has no words, or something else in their place")
    return len(leaves)


# --- Capitals


Output = TypeVar("Output", list[str], "Tree")
NAMES = frozenset(["NNP", "NNPS"])


def prepared(tree: Tree) -> Tree:
    """A copy in which the sentence does not begin with a capital for its beginning's sake.

    It concerns the first word, signs passed over. Names keep their capital, by their tag NNP or
    NNPS, and so do *I*, other single letters but *A*, and words with a capital inside: *GDP*.
    """
    copy = type(tree).convert(tree)  # by far quicker than a deep copy
    place = _first(copy.leaves())
    if place is not None:
        at = copy.leaf_treeposition(place)
        word, tag = copy[at], copy[at[:-1]].label()
        if tag not in NAMES and word[1:] == word[1:].lower() and (len(word) > 1 or word == "A"):
            copy[at] = word.lower()
    return copy


def presented(sentence: Output) -> Output:
    """A copy, words or a tree, whose first word has its capital again; *eBay* stays as it is."""
    from wordorder_lab.structures.plain_tree import Tree

    if isinstance(sentence, Tree):
        copy, words = sentence.copy(deep=True), sentence.leaves()
        for place, (word, shown) in enumerate(zip(words, presented(words), strict=True)):
            if word != shown:
                copy[copy.leaf_treeposition(place)] = shown
        return cast("Output", copy)  # nltk has no types
    words = list(sentence)
    first = _first(words)  # signs are passed over
    if first is not None and words[first] == words[first].lower():
        words[first] = words[first][0].upper() + words[first][1:]
    return words


def prepared_pair(pair: CompressionPair) -> CompressionPair:
    """The pair with its source and every target prepared."""
    return replace(pair, source=prepared(pair.source), targets=tuple(map(prepared, pair.targets)))


def _first(words: Sequence[str]) -> int | None:
    return next((i for i, word in enumerate(words) if word[:1].isalnum()), None)


# --- Words alone: what people wrote, before it has trees

Words = tuple[str, ...]
Keep = tuple[bool, ...]


@dataclass(frozen=True, slots=True)
class TextPair:
    """A sentence and its references, each by another annotator, in words as the corpus cuts them.

    Such are the corpora of Cohn & Lapata 2009, section 5.1. ``source`` is the sentence, ``targets``
    are the references. ``keeps`` has for each target a row as long as the source, true where the
    word stays; ``None`` for a target that is more than the source with words left out. ``name`` is
    the document, a dot and the sentence's number in it.
    """

    source: Words
    targets: tuple[Words, ...]
    keeps: tuple[Keep | None, ...]
    name: str = ""

    @property
    def document(self) -> str:
        """The document of the sentence, by its name; without a dot in it, the name itself."""
        document, dot, _ = self.name.rpartition(".")
        return document if dot else self.name

    @checks_arguments
    def alignment(self, number: int) -> tuple[tuple[int, int], ...] | None:
        """Pairs (place in the source, place in the target), from 0, if the target is a deletion.

        ``number`` is the index of the target, from 0. ``None`` if it is more than that.
        Raises ``ValueError`` for a target that there is not.
        """
        if not 0 <= number < len(self.keeps):
            raise ValueError(f"there is no target {number}: they are 0 to {len(self.keeps) - 1}")
        keep = self.keeps[number]
        if keep is None:
            return None
        places = [place for place, stays in enumerate(keep) if stays]
        return tuple((place, j) for j, place in enumerate(places))

    def __repr__(self) -> str:
        sizes = ", ".join(str(len(target)) for target in self.targets)
        return f"<TextPair {self.name or 'without a name'}: {len(self.source)} words to {sizes}>"
