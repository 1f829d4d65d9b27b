"""Penn tags as universal ones, so that treebanks with different tags can be one corpus.

The classes are those of NLTK's universal tag set (Petrov, Das and McDonald 2012), under the names
that Universal Dependencies has for them: its CONJ is CCONJ, PRT is PART, and "." is PUNCT. Where
UD tells apart what a Penn tag tells apart as well, so do we: names (PROPN), modals (AUX),
interjections (INTJ) and symbols (SYM). What no tag alone decides stays with the larger class: a
subordinating IN is ADP, a form of "be" is VERB.
"""

from __future__ import annotations

from wordorder_lab.corpora.readers.corpus import CorpusError
from wordorder_lab.structures.sentence import Sentence, Token

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
"""The universal tag of each Penn tag."""


def with_universal_tags(sentence: Sentence) -> Sentence:
    """The same tokens under universal tags; a derivation, which has tags of its own, is left out.

    Raises ``CorpusError`` for a tag that is none of the Penn Treebank's.
    """
    try:
        tokens = tuple(Token(t.words, UNIVERSAL[t.pos], t.head, t.label) for t in sentence)
    except KeyError as error:
        raise CorpusError(
            f"{sentence.name}: {error} is no tag of the Penn Treebank, so nobody knows which "
            "universal tag it is"
        ) from None
    return Sentence(tokens, sentence.name)
