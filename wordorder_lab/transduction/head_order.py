"""Which children of a phrase matter most: Collins's head rules, run on after the first match.

Collins (1999, appendix A) finds the head child of a phrase. Cohn & Lapata (2009, section 3.2) go on
to find all children and take the order for their importance. A line of the table reads: in a phrase
with this label, look from this end for each of these labels in turn; labels joined by ``|`` are
equal, and ``left`` or ``right`` in the middle of a line changes the end. What the line does not
name comes afterwards, from its first end, and punctuation last.

Differences
- *Paper silent*: punctuation. Collins takes it out of trees, so his rules never rank it. We put it
  last; what that forbids, ``grammar`` says.
- *Our reading*: Collins's extra rule for coordinated phrases, which moves the head to the first
  conjunct, is left out.
"""

from __future__ import annotations

from collections.abc import Sequence

from wordorder_lab.structures.head_rules import PUNCTUATION
from wordorder_lab.structures.messages import cited

Steps = tuple[tuple[bool, frozenset[str]], ...]
"""What is looked for: from the right or not, and the labels."""

COLLINS_LINES = """
    ADJP   left  NNS QP NN $ ADVP JJ VBN VBG ADJP JJR NP JJS DT FW RBR RBS SBAR RB
    ADVP   right RB RBR RBS FW ADVP TO CD JJR JJ IN NP JJS NN
    CONJP  right CC RB IN
    FRAG   right
    INTJ   left
    LST    right LS :
    NAC    left  NN|NNS|NNP|NNPS NP NAC EX $ CD QP PRP VBG JJ JJS JJR ADJP FW
    PP     right IN TO VBG VBN RP FW
    PRN    left
    PRT    right RP
    QP     left  $ IN NNS NN JJ RB DT CD NCD QP JJR JJS
    RRC    right VP NP ADVP ADJP PP
    S      left  TO IN VP S SBAR ADJP UCP NP
    SBAR   left  WHNP WHPP WHADVP WHADJP IN DT S SQ SINV SBAR FRAG
    SBARQ  left  SQ S SINV SBARQ FRAG
    SINV   left  VBZ VBD VBP VB MD VP S SINV ADJP NP
    SQ     left  VBZ VBD VBP VB MD VP SQ
    UCP    right
    VP     left  TO VBD VBN MD VBZ VB VBG VBP VP ADJP NN NNS NP
    WHADJP left  CC WRB JJ ADJP
    WHADVP right CC WRB
    WHNP   left  WDT WP WP$ WHADJP WHPP WHNP
    WHPP   right IN TO FW
"""

PUBLISHED_NP = """
    NP     right NN|NNP|NNPS|NNS|NX|POS|JJR left NP right $|ADJP|PRN CD JJ|JJS|RB|QP
    NX     right NN|NNP|NNPS|NNS|NX|POS|JJR left NP right $|ADJP|PRN CD JJ|JJS|RB|QP
"""
PRINTED_NP = """
    NP     right NN|NNP|NNPS|NNS|NX|POS|JJR left NP right DT|PRP$ $|ADJP|PRN CD JJ|JJS|RB|QP
    NX     right NN|NNP|NNPS|NNS|NX|POS|JJR left NP right DT|PRP$ $|ADJP|PRN CD JJ|JJS|RB|QP
"""


class HeadOrder:
    """Children of a phrase in the order of their importance. Another label searches from the left.
    Raises ``ValueError`` for a line that does not name an end after its label."""

    def __init__(self, lines: str) -> None:
        self._rules: dict[str, Steps] = {}
        for line in filter(str.strip, lines.splitlines()):
            label, *rest = line.split()
            if not rest or rest[0] not in ("left", "right"):
                raise ValueError(
                    f"a line reads 'NP right NN|NNS left NP', not {cited(line.strip())}"
                )
            self._rules[label] = _steps(rest)

    def order(self, label: str, children: Sequence[str]) -> list[int]:
        """The places of the children, given by their bare labels, the most important first."""
        steps = self._rules.get(label, ((False, frozenset()),))
        found: list[int] = []
        for from_right, wanted in steps:
            places = range(len(children))[:: -1 if from_right else 1]
            found += [i for i in places if children[i] in wanted and i not in found]
        rest = range(len(children))[:: -1 if steps[0][0] else 1]
        found += [i for i in rest if i not in found and children[i] not in PUNCTUATION]
        return found + [i for i in range(len(children)) if i not in found]


def _steps(words: list[str]) -> Steps:
    steps, from_right = [], words[0] == "right"
    for word in words:
        if word in ("left", "right"):
            from_right = word == "right"
        else:
            steps.append((from_right, frozenset(word.split("|"))))
    return tuple(steps) or ((from_right, frozenset()),)


COLLINS = HeadOrder(COLLINS_LINES + PUBLISHED_NP)
"""The table as it was published: [NP DT JJ NN] gives NN, JJ, DT."""

COHN_LAPATA = HeadOrder(COLLINS_LINES + PRINTED_NP)
"""With determiners before adjectives: [NP DT JJ NN] gives NN, DT, JJ, as the paper prints."""
