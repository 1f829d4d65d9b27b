"""What is wrong with an output, as one kind out of a few that can be computed.

A sentence has the first kind that applies, from the narrowest to the widest, and a few words that
say where. Units are compared by form, so that equal ones stand for each other; a phrase that is
kept whole is one unit.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

from wordorder_lab.structures.head_rules import PUNCTUATION
from wordorder_lab.structures.trees import DependencyTree

RIGHT = "right"
LEFT_OUT = "words left out"
POINTED = "punctuation"
FUNCTION = "function word"
EXCHANGED = "two phrases exchanged"
WRONG_HEAD = "phrase at the wrong head"
WRONG_HEADS = "several at wrong heads"
REORDERED = "right heads, another order"
ORDERING_KINDS = (RIGHT, POINTED, FUNCTION, EXCHANGED, REORDERED, WRONG_HEAD, WRONG_HEADS, LEFT_OUT)
TOO_LONG, TOO_SHORT, OTHER_WORDS = "kept too much", "cut too much", "other words kept"
COMPRESSION_KINDS = (RIGHT, TOO_LONG, TOO_SHORT, OTHER_WORDS, REORDERED)
"""What an output may be that orders words, and one that makes a sentence shorter."""

SIGNS = {*PUNCTUATION, "PUNCT", "SYM", "HYPH", "NFP"}
CLOSED = set(
    "CC DT EX IN MD PDT POS PRP PRP$ RP TO WDT WP WP$ WRB ADP AUX CCONJ DET PART PRON SCONJ".split()
)
"""Tags of the Penn Treebank and of Universal Dependencies for signs and for function words."""
MOST_NAMED = 4


class Error(NamedTuple):
    """The kind of an output's error, and where it is, in a few words."""

    kind: str
    where: str = ""


def ordering_error(output: DependencyTree, gold: DependencyTree) -> Error:
    """What sets the output's words and tree apart from those of the gold tree."""
    made, wanted = list(output.forms), list(gold.forms)
    if made == wanted:
        return Error(RIGHT)
    missing = Counter(wanted) - Counter(made)
    if missing:
        return Error(LEFT_OUT, _named([*missing.elements()]))
    for kind, tags in ((POINTED, SIGNS), (FUNCTION, SIGNS | CLOSED)):
        if _without(output, tags) == _without(gold, tags):
            return Error(kind, _named(_moved(output, gold, tags)))
    if pair := exchanged(wanted, made):
        return Error(EXCHANGED, " ↔ ".join(_named(phrase, " ") for phrase in pair))
    lost = _relations(gold) - _relations(output)
    if lost:
        dependent, head = next(iter(lost))
        other = dict((_relations(output) - _relations(gold)).keys()).get(dependent)
        instead = f", not on {_quoted(other)}" if other is not None else ""
        kind = WRONG_HEAD if lost.total() == 1 else WRONG_HEADS
        return Error(kind, f"{_quoted(dependent)} belongs on {_quoted(head)}{instead}")
    return Error(REORDERED, _named(_moved(output, gold, set())))


def _quoted(phrase: str) -> str:
    return f"“{phrase}”" if phrase else "the root"


def compression_error(output: Sequence[str], targets: Sequence[Sequence[str]]) -> Error:
    """What sets a shorter version apart from the reference that it is nearest to."""
    made = Counter(output)
    apart = [(made - Counter(words), Counter(words) - made) for words in targets]
    sizes = [more.total() + less.total() for more, less in apart]
    nearest = sizes.index(min(sizes))
    more, less = apart[nearest]
    if list(output) == list(targets[nearest]):
        return Error(RIGHT)
    if more and less:
        return Error(OTHER_WORDS, f"{_named([*more.elements()])} for {_named([*less.elements()])}")
    if more:
        return Error(TOO_LONG, _named([*more.elements()]))
    return Error(TOO_SHORT, _named([*less.elements()])) if less else Error(REORDERED)


def exchanged(wanted: Sequence[str], made: Sequence[str]) -> tuple[list[str], list[str]] | None:
    """The two phrases that changed places, if that is all that did; they may be neighbours."""
    if len(made) != len(wanted):
        return None
    other = [i for i, (one, two) in enumerate(zip(wanted, made)) if one != two]
    between = slice(other[0], other[-1] + 1) if other else slice(0)
    there, here = list(wanted[between]), list(made[between])
    n = len(there)
    for x in range(1, n):
        if there[:x] != here[n - x :]:
            continue
        for y in range(1, n - x + 1):
            if there[n - y :] == here[:y] and there[x : n - y] == here[y : n - x]:
                return there[:x], there[n - y :]
    return None


def _without(tree: DependencyTree, tags: set[str]) -> list[str]:
    return [word for word, tag in zip(tree.forms, tree.pos, strict=True) if tag not in tags]


def _moved(output: DependencyTree, gold: DependencyTree, tags: set[str]) -> list[str]:
    """The gold words that stand elsewhere in the output, of these tags if there are any."""
    same = SequenceMatcher(None, gold.forms, output.forms, autojunk=False).get_matching_blocks()
    stay = {place for block in same for place in range(block.a, block.a + block.size)}
    moved = [i for i in range(len(gold.forms)) if i not in stay]
    # What had to give way may be named instead: then all words of these tags around it are.
    named = [i for i in moved if not tags or gold.pos[i] in tags]
    near = range(max(0, moved[0] - 1), min(len(gold.forms), moved[-1] + 2))
    named = named or [i for i in near if gold.pos[i] in tags] or moved
    return [gold.forms[i] for i in named]


def _relations(tree: DependencyTree) -> Counter[tuple[str, str]]:
    """(dependent, head) of every word; the root's head is empty."""
    heads = ["" if head < 0 else tree.forms[head] for head in tree.heads]
    return Counter(zip(tree.forms, heads, strict=True))


def _named(words: Sequence[str], between: str = ", ") -> str:
    more = f" and {len(words) - MOST_NAMED} more" if len(words) > MOST_NAMED else ""
    return between.join(words[:MOST_NAMED]) + more
