"""A toy of each task but ordering, from a package of their own, each with what its task asks."""

# part imports
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
from nltk.tree import Tree

import wordorder_lab as wl
from wordorder_lab.structures.category import Category
from wordorder_lab.structures.compression import Compression
from wordorder_lab.structures.lemma_tree import LemmaTree
from wordorder_lab.structures.phrase_tree import PhraseTree
from wordorder_lab.structures.result import Realization
from wordorder_lab.systems.parser import Parse
from wordorder_lab.systems.realizer import Realizer


# part base
@dataclass(frozen=True)
class Settings:
    seldom: int = 1  # words that were seen more often count as frequent


@dataclass(repr=False)
class Counts(wl.TrainedModel):
    """A table of words, with a number and a text for each, which is the file of all four toys."""

    SYSTEMS: ClassVar[tuple[str, ...]] = ("toy-compressor",)
    table: Mapping[str, str]
    settings: Mapping[str, Any] = field(default_factory=dict)

    def __init_subclass__(cls, **more: Any) -> None:
        super().__init_subclass__(**more)
        cls.system = cls.SYSTEMS[0]

    def header(self) -> dict[str, Any]:
        return {"table": dict(self.table)}

    def arrays(self) -> dict[str, np.ndarray]:
        return {"values": np.zeros(1)}

    @classmethod
    def of_parts(cls, header: Mapping[str, Any], arrays: Mapping[str, np.ndarray]) -> "Counts":
        return cls(dict(header["table"]), header["settings"])


# part compressor
# --- a compressor that drops words which were never kept ------------------------------------------


@dataclass(frozen=True)
class Bonus:
    bonus: float = 0.0  # as all compressors have it, so that --rate can find one


@dataclass(repr=False)
class Compressor(Counts):
    SYSTEMS = ("toy-compressor",)
    LEARNED = "pairs"
    Search = Bonus

    def compress(
        self, tree: Any, *, k: int = 1, engine: Any = None, trace: Any = None, **search: Any
    ) -> Compression:
        tree = wl.parse_tree(tree) if isinstance(tree, str) else tree
        self.search_settings(**search)
        words = list(tree.leaves())
        kept = [i for i, word in enumerate(words) if word.lower() in self.table] or [0]
        if trace is not None:
            trace.begin(words, [1] * len(words), len(words), k)
            trace.path(0, float(len(kept)), kept, [words[i] for i in kept])
        short = PhraseTree("S", [PhraseTree("NN", [words[i]]) for i in kept])
        one = Compression(tree, short, float(len(kept)))
        return Compression(tree, short, one.score, k_best=(one,))


def learn_kept(pairs: Sequence[wl.CompressionPair], settings: Settings, **_: Any) -> Iterator[Any]:
    yield Compressor({word.lower(): "" for pair in pairs for word in pair.target.leaves()})


# part parser
# --- a parser that hangs every word on one phrase -------------------------------------------------


@dataclass(repr=False)
class Parser(Counts):
    SYSTEMS = ("toy-parser",)
    LEARNED = "trees"

    def parse(
        self, words: Any, pos: Any = None, *, engine: Any = None, trace: Any = None, **search: Any
    ) -> Parse:
        words = words.split() if isinstance(words, str) else list(words)
        tags = [tag or self.table.get(w, "NN") for w, tag in zip(words, pos or [None] * len(words))]
        if trace is not None:
            trace.begin(words, [1] * len(words), len(words), 1)
        tree = PhraseTree("S", [PhraseTree(tag, [w]) for w, tag in zip(words, tags)])
        return Parse(tree, -float(len(words)), False, tuple(tags))


def learn_tags(trees: Sequence[Any], settings: Settings, **_: Any) -> Iterator[Any]:
    pairs = (pair for one in trees for pair in Tree.convert(one.tree).pos())
    yield Parser(dict(sorted(pairs)))


# --- a tagger that knows one category a word ------------------------------------------------------


@dataclass(frozen=True)
class Cut:
    beta: float = 0.075


@dataclass(repr=False)
class Tagger(Counts):
    SYSTEMS = ("toy-tagger",)
    Search = Cut

    def tag(self, sentence: Any, pos: Any = None, *, engine: Any = None, **search: Any) -> Any:
        words = sentence.words if hasattr(sentence, "words") else sentence
        return [[(Category.parse(self.usual_category(unit, "")), 1.0)] for unit in words]

    def full_tags(self, words: Sequence[Any], pos: Sequence[Any]) -> list[str]:
        return [tag or "NN" for tag in pos]

    def usual_category(self, unit: Sequence[str], tag: str) -> str:
        return self.table.get(" ".join(unit), "NP")


def learn_categories(sentences: Sequence[Any], settings: Settings, **_: Any) -> Iterator[Any]:
    table: dict[str, str] = {}
    for sentence in sentences:
        for unit, category in zip(sentence.words, sentence.categories):
            table[" ".join(unit)] = str(category)
    yield Tagger(table)


# --- a realizer that says lemmas as they stand ----------------------------------------------------


@dataclass(repr=False)
class Speaker(Counts, Realizer):
    SYSTEMS = ("toy-realizer",)
    LEARNED = "trees"

    def realizations(
        self, tree: LemmaTree, *, k: int = 1, engine: Any = None, trace: Any = None, **search: Any
    ) -> tuple[Realization, ...]:
        lemmas = [node.lemma for node in tree.nodes]
        if trace is not None:
            trace.begin(lemmas, [1] * len(lemmas), len(lemmas), k)
        order = tuple(sorted(range(len(lemmas)), key=lambda i: (tree.nodes[i].head, i)))
        forms = tuple(self.table.get(lemma, lemma) for lemma in lemmas)
        words = tuple(word for i in order for word in forms[i].split())
        return (Realization(words, order, forms, 0.0),)


def learn_forms(trees: Sequence[LemmaTree], settings: Settings, **_: Any) -> Iterator[Any]:
    counts = Counter(node.lemma for tree in trees for node in tree.nodes)
    yield Speaker({lemma: lemma for lemma, n in sorted(counts.items()) if n > settings.seldom})


COMPRESSOR = wl.System("Never kept", Settings, learn_kept, Compressor, task="compress")
PARSER = wl.System("Flat", Settings, learn_tags, Parser, task="parse")
TAGGER = wl.System("One each", Settings, learn_categories, Tagger, task="tag")
REALIZER = wl.System("As it stands", Settings, learn_forms, Speaker, task="realize")
