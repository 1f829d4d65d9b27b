"""The tables of the conversion: labels and tags, heads, features of clauses, marks."""

from __future__ import annotations

from wordorder_lab.structures.head_rules import read_head_table

ADVERBIAL_TAGS = frozenset("ADV TMP LOC DIR MNR PRP EXT VOC BNF HLN LGS".split())
ARGUMENT_TAGS = frozenset(["SBJ", "PRD", "CLR", "DTV", "PUT", "BNF"])
"""Function tags of arguments; they win over the tags of adjuncts."""

HEADS = read_head_table(
    """
    ADJP   right JJ|JJR|JJS|VBN|VBG ADJP NN|NNS|NNP QP CD $ DT RB|RBR|RBS ADVP IN VB VBD NP FW PP
    ADVP   right RB|RBR|RBS|WRB ADVP IN RP JJ|JJR|JJS DT NN|NNS CD TO NP FW VB
    CONJP  right CC IN RB
    FRAG   left  S SBAR VP NP PP ADJP ADVP NN|NNS|NNP
    INTJ   right UH
    LST    left  LS CD
    N      right NN|NNS|NNP|NNPS|NX|NAC CD|QP|FW JJ|JJR|JJS|VBG|VBN|ADJP|SYM|LS RB|DT|PRP|X NP UCP
    NAC    right NN|NNS|NNP|NNPS NP CD
    NP     left  NP|NX|QP NN|NNS|NNP|NNPS|PRP|DT|CD SBAR S ADJP
    NX     right NX|NP NN|NNS|NNP|NNPS CD
    PP     left  IN TO VBG|VBN|RP|FW|JJ|CC|RB PP
    PRN    left  S SINV NP PP SBAR VP ADJP ADVP
    PRT    left  RP IN RB
    QP     right CD|QP|NN|NNS|NNP JJ|JJR|JJS RB|RBR|DT|PDT $ IN
    RRC    left  VP ADJP PP ADVP NP
    S      right VP S SINV SQ SBAR ADJP NP UCP PP ADVP
    SBAR   left  IN|DT|TO RB SBAR S SINV SQ
    SBARQ  left  SQ S SINV SBARQ FRAG
    SINV   left  VBZ|VBD|VBP|VB|MD VP SINV S
    SQ     left  VBZ|VBD|VBP|VB|MD VP SQ S
    UCP    left
    VP     left  TO|MD|VBD|VBZ|VBP|VB|VBN|VBG VP POS|JJ|NN|NNS|NNP|IN|RB ADJP NP PP
    WHADJP left  WRB WHADJP ADJP
    WHADVP right WRB WHADVP IN
    WHNP   left  WDT|WP|WP$|WRB WHNP WHADJP WHADVP DT|IN
    WHPP   left  IN TO
    X      right
    """
)
"""Which child is the head, for the sake of categories: the verb or preposition, not the noun."""

_FINITE = dict.fromkeys(("VBZ", "VBD", "VBP", "MD"), "dcl")
FORMS = {**_FINITE, "VB": "b", "VBN": "pss", "VBG": "ng", "TO": "to"}
"""The feature of a clause by the tag of its first verb; S[pt] needs a look at the auxiliary."""

HAVE = frozenset(["have", "has", "had", "having", "'ve", "'d", "haven't", "hasn't"])
BE = frozenset(["be", "is", "are", "was", "were", "been", "being", "am", "'s", "'re", "'m", "ai"])

MONTHS = frozenset(
    """
January February March April May June July August September October November December
Jan Feb Mar Apr Jun Jul Aug Sep Sept Oct Nov Dec
""".split()
)

WH_LABELS = frozenset(["WHNP", "WHPP", "WHADVP", "WHADJP"])
CONJUNCTIONS = frozenset(["CC", "CONJP"])
CLAUSES = frozenset(["S", "SINV", "SQ", "SBARQ", "SBAR"])
NOUNS = frozenset(["NN", "NNS", "NNP", "NNPS"])
NOUN_LABELS = frozenset(["N", "NX", "NAC"])
VERBS = frozenset(["VB", "VBD", "VBZ", "VBP", "VBN", "VBG", "MD"])

_SIGNS = {sign: sign for sign in (",", ".", ":")}
MARKS = {**_SIGNS, "``": "LQU", "''": "RQU", "-LRB-": "LRB", "-RRB-": "RRB"}
"""The category of a punctuation mark by its tag; a semicolon is its own."""
