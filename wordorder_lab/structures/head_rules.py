"""Head tables: which child of a phrase is its head.

The rules of Yamada and Matsumoto (2003), as the program Penn2Malt applies them. A line of the
table reads: in a phrase with this label, look from this end for a child of the first group, then
from the same end for one of the second, and so on; the labels of a group, joined by ``|``, are
equal. If no group is there, the first child from that end is the head, punctuation passed over.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from wordorder_lab.structures.messages import cited

PUNCTUATION = frozenset([",", ":", ".", "``", "''", "-LRB-", "-RRB-"])


@dataclass(frozen=True, slots=True)
class HeadTable:
    """Head rules by phrase label: whether to start at the right end, then the groups; without a
    rule the rightmost child is head. ``passed_over`` are no heads for want of something better."""

    rules: Mapping[str, tuple[bool, tuple[frozenset[str], ...]]]
    passed_over: frozenset[str] = PUNCTUATION

    def head(self, label: str, children: Sequence[str]) -> int:
        """Index of the head among the ``children``, given as labels; all labels may have tags."""
        from_right, groups = self.rules.get(bare_label(label), (True, ()))
        labels = [bare_label(child) for child in children]
        order = range(len(labels))[:: -1 if from_right else 1]
        for group in groups:
            for i in order:
                if labels[i] in group:
                    return i
        return next((i for i in order if labels[i] not in self.passed_over), order[0])

    def without_passing_over(self) -> HeadTable:
        """The same rules, but punctuation is as good a last resort as anything."""
        return replace(self, passed_over=frozenset())


def bare_label(label: str) -> str:
    """A label without function tags: ``NP-SBJ=2`` is an ``NP``; ``-LRB-`` stays as it is."""
    return label if label.startswith("-") else re.split(r"[-=|]", label, maxsplit=1)[0]


def read_head_table(text: str) -> HeadTable:
    """A table from lines like ``NP right NN|NNS NP``; ``ValueError`` for any other line."""
    rules = {}
    for line in filter(str.strip, text.splitlines()):
        match line.split():
            case [label, ("left" | "right") as side, *groups]:
                sets = tuple(frozenset(group.split("|")) for group in groups)
                rules[label] = side == "right", sets
            case _:
                raise ValueError(
                    f"a head rule reads 'NP right NN|NNS NP', not {cited(line.strip())}"
                )
    return HeadTable(rules)


# Sides, groups and the passing over of punctuation were settled by NLTK's dependency_treebank:
# every head of its 3,914 sentences comes out the same. What it cannot tell stands as the table is
# usually printed: the side of LST, PRT, RRC, SQ, WHADJP, WHADVP and WHPP, and the groups of all
# labels but NP and NX.
YAMADA_MATSUMOTO = read_head_table(
    """
    ADJP   right NNS QP NN $ ADVP JJ VBN VBG ADJP JJR NP JJS DT FW RBR RBS SBAR RB
    ADVP   left  RB RBR RBS FW ADVP TO CD JJR JJ IN NP JJS NN
    CONJP  left  CC RB IN
    FRAG   left
    INTJ   right
    LST    left  LS :
    NAC    right NN|NNS|NNP|NNPS NP NAC EX $ CD QP PRP VBG JJ|JJS|JJR|ADJP|FW
    NP     right POS|NN|NNP|NNPS|NNS NX JJR CD JJ JJS RB QP NP
    NX     right POS|NN|NNP|NNPS|NNS NX JJR CD JJ JJS RB QP NP
    PP     left  IN TO VBG VBN RP FW
    PRN    right
    PRT    left  RP
    QP     right $ IN NNS NN JJ RB DT CD NCD QP JJR JJS
    RRC    left  VP NP ADVP ADJP PP
    S      right TO|IN VP S SBAR ADJP UCP NP
    SBAR   right WHNP|WHPP|WHADVP|WHADJP IN|DT S SQ SINV SBAR FRAG
    SBARQ  right SQ S SINV SBARQ FRAG
    SINV   right VBZ|VBD|VBP|VB MD VP S SINV ADJP NP
    SQ     right VBZ|VBD|VBP|VB MD VP SQ
    UCP    left
    VP     left  VBD VBN MD VBZ VB VBG VBP VP ADJP NN NNS NP
    WHADJP right CC WRB JJ ADJP
    WHADVP left  CC WRB
    WHNP   right WDT WP WP$ WHADJP WHPP WHNP
    WHPP   left  IN TO FW
    X      right
    """
)
