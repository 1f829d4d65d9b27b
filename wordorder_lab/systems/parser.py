"""The treebank parser: words in their order in, a phrase-structure tree out.

An unlexicalised grammar as Klein & Manning (2003, Accurate Unlexicalized Parsing) describe it,
read off the trees of a treebank: parents and a few splits on labels (``parsing/annotation``),
head-driven binarisation that remembers few sisters (``parsing/binarise``), tags of unknown words by
what they look like (``parsing/lexicon``), and CKY with a beam (``parsing/cky``). Every sentence
gets a tree: where the grammar has none, the fewest constituents that cover it stand below an S
(``parsing/pieces``), and the parse says so.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from functools import cache, cached_property
from typing import TYPE_CHECKING, ClassVar, Self

import numpy as np

from wordorder_lab.corpora import gazette_corpus
from wordorder_lab.corpora.penn_corpora import sample_files
from wordorder_lab.corpora.readers.corpus import CorpusError
from wordorder_lab.corpora.readers.files import AnyPath
from wordorder_lab.corpora.readers.penn import without_traces
from wordorder_lab.corpora.treebanks import load_treebank
from wordorder_lab.models.file_parts import Json, JsonView, exactly
from wordorder_lab.models.model_file import ModelError
from wordorder_lab.parsing.annotation import annotate
from wordorder_lab.parsing.chart import NONE, SERIAL, Chart, tree_of
from wordorder_lab.parsing.cky import ReferenceParser
from wordorder_lab.parsing.escapes import escaped
from wordorder_lab.parsing.grammar import ARRAYS as GRAMMAR_ARRAYS
from wordorder_lab.parsing.grammar import TreebankGrammar, grammar_of
from wordorder_lab.parsing.lexicon import ARRAYS as LEXICON_ARRAYS
from wordorder_lab.parsing.lexicon import Lexicon, lexicon_of
from wordorder_lab.parsing.pieces import LABEL, pieces
from wordorder_lab.parsing.reasons import rule_reasons
from wordorder_lab.runtime.progress import progress_bar
from wordorder_lab.runtime.user_cache import code_checksum, writable_cache
from wordorder_lab.structures.messages import cited
from wordorder_lab.structures.phrase_tree import PhraseTree
from wordorder_lab.structures.plain_tree import Tree
from wordorder_lab.structures.trace import Trace, of_next_search
from wordorder_lab.systems.model import TrainedModel, choose_engine
from wordorder_lab.systems.registry import find
from wordorder_lab.systems.setting import SettingsClass, setting
from wordorder_lab.systems.system import System
from wordorder_lab.systems.training_run import TrainingOptions, learned_once
from wordorder_lab.trace.log import EventLog

if TYPE_CHECKING:
    from wordorder_lab.parsing.cky_fast import FastParser

SYSTEM = "parser"
BEAM = 12.0
"""Constituents worse than the best of their cell by more than this, in natural logarithms, go."""
LONGEST = 200
"""Words of a sentence: time grows with the cube."""
RIGHT = (
    "a word is text without a blank in it, so give 'New' and 'York' as two",
    "give one like 'NN', or None",
)
"""What a word and a tag are."""


@dataclass(frozen=True)
class Parse:
    """A tree with bare labels over the words as they were given, its tags, and its log probability.
    ``fallback``: the grammar has no tree for these words, so this one was put together of pieces;
    its score is the sum of theirs."""

    tree: PhraseTree
    score: float
    fallback: bool
    tags: tuple[str, ...]


@dataclass(frozen=True)
class Search:
    """What may be set when a sentence is parsed."""

    beam: float = setting(
        BEAM,
        "leave constituents out that are worse than the best of their cell by more than this, in "
        "natural logarithms",
        above=0,
        maximum=math.inf,
    )


@dataclass(repr=False)
class TreebankParser(TrainedModel):
    """A trained parser. ``settings`` are those of its training."""

    SYSTEMS: ClassVar[tuple[str, ...]] = (SYSTEM,)
    WHOLE: ClassVar[str] = "scores"
    LEARNED: ClassVar[str] = "trees"
    Search: ClassVar[SettingsClass] = Search

    grammar: TreebankGrammar
    lexicon: Lexicon
    settings: JsonView = field(default_factory=dict)

    def parse(
        self,
        words: Sequence[str] | str,
        pos: Sequence[str | None] | None = None,
        *,
        beam: float | None = None,
        engine: str | None = None,
        trace: Trace | None = None,
    ) -> Parse:
        """The tree of a sentence; a line of text is taken apart at its spaces.

        Where ``pos`` has a word's tag, the word has that one in the tree; one that the treebank
        does not have says nothing to the search. Brackets and quotation marks may be plain or as
        the Treebank writes them. Raises ``ValueError`` for no words, one with a blank in it, more
        than ``LONGEST``, tags that are not one a word, and a beam that cannot be.
        """
        given = words.split() if isinstance(words, str) else list(words)
        tags = [None] * len(given) if pos is None else list(pos)
        check_sentence(given, tags)
        chosen = self.search_settings(beam=beam)["beam"]
        trace = of_next_search(trace)
        if trace is not None:
            trace.begin(given, [1] * len(given), len(given), 0)
        places = enumerate(zip(escaped(given), tags))
        leaves = [self.lexicon.fits(word, tag, i == 0) for i, (word, tag) in places]
        parser = self._fast if choose_engine(engine) == "fast" else self._reference
        chart = parser.parse(leaves, chosen, trace)
        parse = self._read_off(chart, given, tags)
        if trace is not None:
            serial = 0 if parse.fallback else int(chart.items[chart.goal, SERIAL])
            brackets = " ".join(in_brackets(parse.tree).split())
            trace.parsed(serial, parse.score, brackets, int(parse.fallback))
        if isinstance(trace, EventLog):
            trace.explained(rule_reasons)
        return parse

    def _read_off(self, chart: Chart, words: Sequence[str], tags: Sequence[str | None]) -> Parse:
        if chart.goal != NONE:
            tree, score = tree_of(chart, self.grammar, chart.goal, words), chart.score
        else:
            below = pieces(chart, self.grammar)
            tree = PhraseTree(LABEL, [tree_of(chart, self.grammar, one, words) for one in below])
            score = 0.0
            for one in below:
                score += float(chart.scores[one])
        leaves = list(tree.subtrees(lambda node: not isinstance(node[0], Tree)))
        for leaf, tag in zip(leaves, tags, strict=True):
            if tag is not None:
                leaf.set_label(tag)
        return Parse(tree, score, chart.goal == NONE, tuple(leaf.label() for leaf in leaves))

    @cached_property
    def _reference(self) -> ReferenceParser:
        return ReferenceParser(self.grammar)

    @cached_property
    def _fast(self) -> FastParser:
        from wordorder_lab.parsing.cky_fast import FastParser

        return FastParser(self.grammar)

    @cached_property
    def checksum(self) -> str:
        """SHA-256 of everything that a parse depends on, but for the code, in hexadecimal."""
        parts = {**self.header(), "settings": dict(self.settings)}
        digest = hashlib.sha256(json.dumps(parts, sort_keys=True).encode())
        for name, array in sorted(self.arrays().items()):
            digest.update(f"{name} {array.dtype.str} {array.shape}\n".encode())
            digest.update(np.ascontiguousarray(array).tobytes())
        return digest.hexdigest()

    # --- settings and file ------------------------------------------------------------------

    def header(self) -> Json:
        """The symbols, words and shapes that the arrays number."""
        lexicon = self.lexicon
        return {
            "symbols": list(self.grammar.symbols),
            "words": list(lexicon.words),
            "shapes": list(lexicon.shapes),
        }

    def arrays(self) -> dict[str, np.ndarray]:
        """Rules and counts."""
        return {**self.grammar.arrays(), **self.lexicon.arrays()}

    @classmethod
    def of_parts(cls, header: JsonView, arrays: Mapping[str, np.ndarray]) -> Self:
        """The model of a whole file. Raises ``ValueError`` where its parts do not fit together."""
        exactly(arrays, (*GRAMMAR_ARRAYS, *LEXICON_ARRAYS))
        grammar = TreebankGrammar.from_parts(header["symbols"], arrays)
        words, shapes = header["words"], header["shapes"]
        lexicon = Lexicon.from_parts(grammar.symbols, words, shapes, arrays)
        return cls(grammar, lexicon, dict(header["settings"]))


def check_sentence(words: Sequence[str], tags: Sequence[str | None]) -> None:
    """Raise ``ValueError`` for what cannot be parsed."""
    if not words:
        raise ValueError("there is no word to parse: give a sentence, its words apart by spaces")
    if len(words) > LONGEST:
        raise ValueError(
            f"this sentence has {len(words):,} words, from {cited(' '.join(map(str, words[:3])))} "
            f"on: {LONGEST} are the most that are parsed, so cut it in two"
        )
    if len(tags) != len(words):
        raise ValueError(f"{len(words)} words but {len(tags)} tags: give one a word, or None")
    for place, pair in enumerate(zip(words, tags), start=1):
        for kind, text, right in zip(("word", "tag"), pair, RIGHT):
            is_left_out = kind == "tag" and text is None
            if not is_left_out and not (isinstance(text, str) and text.split() == [text]):
                raise ValueError(f"{kind} {place} of {len(words)} is {cited(text)}: {right}")


def in_brackets(tree: Tree) -> str:
    """A tree as the Treebank writes it on one line; brackets in words are written ``-LRB-``."""
    if isinstance(tree[0], Tree):
        return f"({tree.label()} {' '.join(in_brackets(child) for child in tree)})"
    word = str(tree[0]).replace("(", "-LRB-").replace(")", "-RRB-")
    return f"({tree.label()} {word})"


# --- training -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Settings:
    """What a training depends on, beside its trees; ``splits`` are those of
    ``parsing/annotation``."""

    horizontal: int = setting(
        1, "how many sisters a rule remembers when it is made binary", minimum=0, maximum=9
    )
    vertical: int = setting(
        2,
        "labels of how many nodes make a symbol, a node's own and those above it",
        minimum=1,
        maximum=9,
    )
    splits: str = setting(
        "all",
        "split labels by more than that, after Klein and Manning",
        choices=("all", "none"),
    )


def learn(
    sentences: Sequence[object], settings: Settings, options: TrainingOptions
) -> TreebankParser:
    """Read a parser off trees (``nltk.Tree``, or the items of ``load_treebank``). It is counting,
    done in seconds and the same for both engines: there is no checkpoint. Raises ``ValueError`` for
    examples that are no trees."""
    nodes = []
    shown = progress_bar(
        sentences, desc="reading rules", wanted=options.progress, delay=2, leave=False
    )
    for one in shown:
        tree = getattr(one, "tree", one)
        if not isinstance(tree, Tree):
            raise ValueError(
                f"a parser learns from trees (wl.load_treebank), not from {type(one).__name__}s"
            )
        kept = without_traces(tree)
        if kept is not None:
            nodes.append(annotate(kept, settings.vertical, settings.splits == "all"))
    grammar = grammar_of(nodes, settings.horizontal)
    lexicon = lexicon_of(nodes, grammar.symbols)
    of_model = {**(options.about or {}), **asdict(settings), "trees": len(nodes)}
    return learned_once(TreebankParser(grammar, lexicon, of_model), options)


SYSTEMS = {
    SYSTEM: System(
        "A treebank grammar and CKY with a beam (after Klein & Manning 2003)",
        Settings,
        learn,
        TreebankParser,
        takes_options=True,
        traced=False,
    )
}


CORPUS = "ptb-sample"
MADE_BY = (
    "parsing",
    "structures/head_rules.py",
    "models/model_file.py",
    "systems/parser.py",
    "corpora/readers/penn.py",
    "corpora/penn_corpora.py",
    "corpora/treebanks.py",
)
"""The code whose edits make another parser."""


@cache
def default_parser() -> TreebankParser:
    """The parser of the Penn sample's train part with the usual settings. Read from the user's
    cache, or trained in some seconds and kept there, under a checksum of the trees and of the code.
    Raises ``CorpusError`` where the sample is not here."""
    return _kept(CORPUS, sample_files("train"))


def usual_parser() -> TreebankParser:
    """``default_parser``, or where the Penn sample is not here, the same of the Gazette."""
    try:
        sample_files("train")  # the sample may have gone since a parser of it was made
    except CorpusError:
        return _gazette_parser()
    return default_parser()


@cache
def _gazette_parser() -> TreebankParser:
    return _kept(gazette_corpus.NAME, gazette_corpus.files("train", "mrg"))


def _kept(corpus: str, files: Sequence[AnyPath]) -> TreebankParser:
    trees = hashlib.sha256()
    for file in files:
        trees.update(file.read_bytes() + b"\0")
    made_of = f"{trees.hexdigest()[:16]}-{code_checksum(*MADE_BY)[:16]}"
    path = writable_cache() / "parsers" / f"{corpus}-{made_of}.wol"
    with suppress(OSError, ModelError):
        return TreebankParser.load(path)
    model: TreebankParser = find("parser").train(
        load_treebank(corpus).train, about={"corpus": corpus}
    )
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        model.save(path)
    return model
