"""Trees of lemmas out of plain text: parsed, turned into dependencies, lemmatized.

    TREE(sentence):
      a phrase-structure tree by the parser, with the functions that places tell
      heads by the head rules, labels as Penn2Malt has them        (corpora/readers/penn_labels)
      lemmas: the inflector's forms read the other way                    (inflection/lemmatizer)
      the nodes in a random order, the same for the same sentence

The words are kept as the reference. Labels are the Penn Treebank's (``SUB``, ``NMOD``): a model
that learned from trees of Universal Dependencies does not know them, and is refused.

Differences
- *Our reading*, Zhang & Clark (2015), section 5.7: the shared task's trees came with lemmas,
  features and labels. Here features are what the Penn tag says, and of a pronoun its form.
"""

from __future__ import annotations

import os
import zlib
from collections.abc import Sequence
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING

from wordorder_lab.corpora.inflection_lists import inflection_lists
from wordorder_lab.corpora.lemma_corpora import LemmaTrees, load_lemma_trees
from wordorder_lab.corpora.readers.corpus import SPLITS, Part
from wordorder_lab.corpora.readers.penn import bare_tree, tokens_of
from wordorder_lab.corpora.readers.penn_labels import UPOS, penn_labels, with_functions
from wordorder_lab.corpora.registry import load_corpus
from wordorder_lab.inflection.candidates import Inflector
from wordorder_lab.inflection.counted_forms import CountedForms
from wordorder_lab.inflection.lemmatizer import Lemmatizer
from wordorder_lab.structures.lemma_tree import Features, LemmaNode, LemmaTree, parse_features
from wordorder_lab.structures.sentence import Sentence
from wordorder_lab.systems.parsed_pairs import Parsing, parsed
from wordorder_lab.systems.parser import usual_parser

if TYPE_CHECKING:
    from nltk.tree import Tree

FEATURES = {
    **dict.fromkeys(("NN", "NNP"), "Number=Sing"),
    **dict.fromkeys(("NNS", "NNPS"), "Number=Plur"),
    **dict.fromkeys(("JJ", "RB"), "Degree=Pos"),
    **dict.fromkeys(("JJR", "RBR"), "Degree=Cmp"),
    **dict.fromkeys(("JJS", "RBS"), "Degree=Sup"),
    "VB": "VerbForm=Inf",
    "VBP": "Mood=Ind|Tense=Pres|VerbForm=Fin",
    "VBZ": "Mood=Ind|Number=Sing|Person=3|Tense=Pres|VerbForm=Fin",
    "VBD": "Mood=Ind|Tense=Past|VerbForm=Fin",
    "VBN": "Tense=Past|VerbForm=Part",
    "VBG": "Tense=Pres|VerbForm=Part",
}
"""What a Penn tag says."""
SINGULAR, PLURAL = "Number=Sing", "Number=Plur"
OF_PRONOUNS = {
    **dict.fromkeys(("he", "she", "it"), f"Case=Nom|{SINGULAR}|Person=3"),
    **dict.fromkeys(("him", "her"), f"Case=Acc|{SINGULAR}|Person=3"),
    "i": f"Case=Nom|{SINGULAR}|Person=1",
    "me": f"Case=Acc|{SINGULAR}|Person=1",
    "we": f"Case=Nom|{PLURAL}|Person=1",
    "us": f"Case=Acc|{PLURAL}|Person=1",
    "you": "Person=2",
    "they": f"Case=Nom|{PLURAL}|Person=3",
    "them": f"Case=Acc|{PLURAL}|Person=3",
    **dict.fromkeys(("this", "that"), SINGULAR),
    **dict.fromkeys(("these", "those"), PLURAL),
}
"""What pronouns and demonstratives say, by their form."""
HELPERS = ("be", "have", "do")
"""Verbs that are auxiliaries if another verb depends on them; *be* is one anyway."""


def lemma_tree(tree: Tree, lemmatizer: Lemmatizer, name: str = "") -> LemmaTree:
    """The tree of lemmas that a phrase-structure tree gives, its nodes shuffled.

    Function tags do not count; traces are dropped. Raises ``CorpusError`` for a tree of traces
    alone or with an empty label."""
    bare = bare_tree(tree, name or "this tree")
    tokens, labels = tokens_of(bare), penn_labels(with_functions(bare))
    heads = [token.head for token in tokens]
    nodes = []
    for i, (token, label) in enumerate(zip(tokens, labels, strict=True)):
        below = [labels[k] for k, head in enumerate(heads) if head == i]
        lemma = lemmatizer.lemma(token.form, token.pos, i == 0)
        upos = _universal_tag(lemma, token.pos, below)
        own = features(token.form, token.pos)
        nodes.append(LemmaNode(lemma, upos, token.pos, own, label, token.head, None, token.form, i))
    words = tuple(token.form for token in tokens)
    placed = LemmaTree(tuple(nodes), name, words)
    return placed.shuffled(zlib.crc32(" ".join(words).encode("utf-8", "surrogateescape")))


def features(form: str, tag: str) -> Features:
    """What the tag of a word says, or of a pronoun its form."""
    by_form = OF_PRONOUNS.get(form.lower()) if tag in ("PRP", "DT") else None
    return parse_features(by_form or FEATURES.get(tag, "_"))


def _universal_tag(lemma: str, tag: str, below: Sequence[str]) -> str:
    """The universal tag, where ``below`` are the labels of a word's dependents."""
    if lemma == "not" or (tag == "TO" and "PMOD" not in below):
        return "PART"
    if tag == "IN" and "SBAR" in below:
        return "SCONJ"
    if tag.startswith("VB") and (lemma == "be" or (lemma in HELPERS and "VC" in below)):
        return "AUX"
    return UPOS.get(tag, "VERB" if tag.startswith("VB") else "PUNCT")


def parse_to_trees(
    sentences: Sequence[Sentence],
    lemmatizer: Lemmatizer,
    parser: Parsing | None = None,
    progress: bool = True,
) -> list[LemmaTree]:
    """The trees of sentences, of which the words count alone; ``parser`` is ``usual_parser`` unless
    given. Raises ``ValueError`` with the name of a sentence that it refuses."""
    parser = parser or usual_parser()
    if len(sentences) == 1:  # as somebody types it: it has no need of a file in the cache
        (one,) = sentences
        return [lemma_tree(parser.parse(one.surface).tree, lemmatizer, one.name)]
    trees = parsed([one.surface for one in sentences], parser, "text", progress)
    made = []
    for sentence in sentences:
        if isinstance(tree := trees[sentence.surface], str):
            raise ValueError(f"{sentence.name}: {tree}")
        made.append(lemma_tree(tree, lemmatizer, sentence.name))
    return made


def lemma_trees_of(name: str | os.PathLike[str], parser: Parsing | None = None) -> LemmaTrees:
    """Trees of lemmas, wherever they come from: what trains and tests a realizer.

    ``name`` is what ``load_lemma_trees`` takes, or the path of a ``.txt`` file, a sentence a line,
    which ``parser`` gives trees (``usual_parser`` without); its lemmas are those of the free lists
    and of rules. Raises ``CorpusError`` as ``load_lemma_trees``, and where the lists are missing.
    """
    if not is_text_file(name):
        return load_lemma_trees(name)
    corpus = load_corpus(name)

    def read(split: str) -> Part[LemmaTree]:
        return Part(tuple(parse_to_trees(corpus.split(split), lemmatizer_of(None), parser)))

    return LemmaTrees(corpus.name, {split: partial(read, split) for split in SPLITS})


def is_text_file(name: str | os.PathLike[str]) -> bool:
    """Whether it is the path of plain text, a sentence a line."""
    return Path(name).suffix == ".txt" and Path(name).is_file()


@cache
def _of_lists() -> Lemmatizer:
    return Lemmatizer(Inflector(CountedForms(()), inflection_lists()))


def lemmatizer_of(inflector: Inflector | None) -> Lemmatizer:
    """That of a model's inflector; of ``None`` one that has counted nothing, which raises
    ``CorpusError`` where the lists of English forms are missing."""
    return _of_lists() if inflector is None else Lemmatizer(inflector)
