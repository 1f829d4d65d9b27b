"""All English sentences that cost nothing, as one corpus: Penn sample, EWT, GUM, Gazette.

Units are plain words. It is there to see how a system grows with what it learns from
(``wordorder-lab bench --growth``); scores of it belong to no paper.

Tags are universal: UD's own UPOS, and for the Penn sample and the Gazette what their Penn tags come
to: NLTK's universal tag set (Petrov, Das and McDonald 2012) under the names of Universal
Dependencies (CONJ is CCONJ, PRT is PART, "." is PUNCT). Where UD tells apart what a Penn tag tells
apart as well, so do we: names (PROPN), modals (AUX), interjections (INTJ) and symbols (SYM). What
no tag alone decides stays with the larger class: a subordinating IN is ADP, a form of "be" is VERB.
"""

from __future__ import annotations

from functools import partial

from wordorder_lab.corpora import gazette_corpus
from wordorder_lab.corpora.penn_corpora import named_trees, penn_reader
from wordorder_lab.corpora.readers.conllu import read_conllu
from wordorder_lab.corpora.readers.corpus import SPLITS, CorpusError, Part, Readers, joined
from wordorder_lab.corpora.readers.files import DataFolder
from wordorder_lab.corpora.ud_corpora import TREEBANKS, named_treebank
from wordorder_lab.structures.sentence import Sentence, Token

NAME = "free-english"
_PENN = {
    "ADJ": "JJ JJR JJS",
    "ADP": "IN",
    "ADV": "RB RBR RBS WRB",
    "AUX": "MD",
    "CCONJ": "CC",
    "DET": "DT EX PDT WDT",
    "INTJ": "UH",
    "NOUN": "NN NNS",
    "NUM": "CD",
    "PART": "POS RP TO",
    "PRON": "PRP PRP$ WP WP$",
    "PROPN": "NNP NNPS",
    "PUNCT": ", . : `` '' -LRB- -RRB-",
    "SYM": "$ # SYM",
    "VERB": "VB VBD VBG VBN VBP VBZ",
    "X": "FW LS",
}
UNIVERSAL = {tag: universal for universal, tags in _PENN.items() for tag in tags.split()}


def splits(data: DataFolder = None) -> Readers[Sentence]:
    """Each split: that of the Penn sample, then those of EWT, GUM and the Gazette."""
    read = penn_reader("words", 1)
    read_upos = partial(read_conllu, universal=True)
    penn = named_trees("ptb-sample", read, data)
    treebanks = [named_treebank(name, read_upos, data) for name in TREEBANKS]
    gazette = gazette_corpus.splits(read)

    def of_split(split: str) -> Part[Sentence]:
        read = (treebank[split]() for treebank in treebanks)
        return joined([_universal(penn[split]()), *read, _universal(gazette[split]())])

    return {split: partial(of_split, split) for split in SPLITS}


def _universal(part: Part[Sentence]) -> Part[Sentence]:
    return Part(tuple(map(with_universal_tags, part.sentences)), part.left_out)


def with_universal_tags(sentence: Sentence) -> Sentence:
    """The tokens under universal tags, no derivation; ``CorpusError`` for a tag not Penn's."""
    try:
        tokens = tuple(Token(t.words, UNIVERSAL[t.pos], t.head, t.label) for t in sentence)
    except KeyError as error:
        raise CorpusError(
            f"{sentence.name}: {error} is no tag of the Penn Treebank, so nobody knows which "
            "universal tag it is"
        ) from None
    return Sentence(tokens, sentence.name)
