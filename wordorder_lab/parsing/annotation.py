"""What a treebank grammar wants to know of a node beside its label: parents and a few splits.

    annotate(tree): for each node, from the root down
      1. take the bare label (no function tags; traces are gone)
      2. add its splits, a mark each: ``VP~fin``, ``NP~base``
      3. add the labels of ``vertical - 1`` nodes above: ``NP~base^S``

The independence that a plain treebank grammar assumes is too strong: an NP below S is mostly a
pronoun, one below VP is not (Klein & Manning 2003, Accurate Unlexicalized Parsing). Their splits
here, as the literature tells them: VP by the form of its head verb (``SPLIT-VP``), possessive and
base noun phrases (``POSS-NP``, ``BASE-NP``), what dominates a verb (``DOMINATES-V``), noun phrases
with another one at their right edge (``RIGHT-REC-NP``), temporal ones (``TMP-NP``), tags of be and
have (``SPLIT-AUX``), conjunctions other than *and* and *or* (``SPLIT-CC``), and determiners and
adverbs that are alone (``UNARY-DT``, ``UNARY-RB``).

Differences
- *Our reading*: the paper was not at hand; names and rules of its splits are given from memory.
- *Our reading*: a setting turns all splits on or off; they are not tried one at a time.
- *Our reading*: ``DOMINATES-V`` splits NP, PP and ADJP alone.
- *Our reading*: ``GAPPED-S``, ``SPLIT-IN`` and marks of unary rules other than of tags are left
  out: tags have their parent's and grandparent's label already where ``vertical`` is 2 or more.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from wordorder_lab.structures.head_rules import YAMADA_MATSUMOTO, bare_label
from wordorder_lab.structures.plain_tree import Tree

TOP = "TOP"
"""The symbol above every tree. It is a parent, and no node of what comes out."""
OUTER = frozenset(["TOP", "ROOT", "S1", ""])
"""How treebanks call a node around the sentence that is no phrase; it is taken off."""
BE = frozenset(["be", "am", "is", "are", "was", "were", "been", "being", "'s", "'re", "'m"])
HAVE = frozenset(["have", "has", "had", "having", "'ve", "'d"])
FINITE = frozenset(["VBZ", "VBD", "VBP", "MD"])
VERBS = frozenset(["VB", "VBZ", "VBD", "VBP", "VBN", "VBG", "MD"])


@dataclass(slots=True)
class Node:
    """A node of an annotated tree: ``symbol`` for the grammar, ``label`` bare; a tag has a word."""

    label: str
    symbol: str
    children: list[Node]
    head: int = 0
    word: str = ""


def annotate(tree: Tree, vertical: int = 2, splits: bool = True) -> Node:
    """The nodes of a tree without traces, with symbols; labels may have function tags. A node
    around the sentence (``ROOT``) is taken off, and so is an X that is an X's only child."""
    while tree.label() in OUTER and len(tree) == 1 and isinstance(tree[0], Tree):
        tree = tree[0]
    return _annotated(tree, (TOP,), vertical, splits)


def label_of(symbol: str) -> str:
    """The bare label of a symbol: ``NP`` for ``NP~base^S``."""
    return symbol.partition("^")[0].partition("~")[0]


def leaves_of(node: Node) -> Iterator[Node]:
    """The tags with their words, left to right."""
    if not node.children:
        yield node
    for child in node.children:
        yield from leaves_of(child)


def _annotated(
    tree: Tree, above: Sequence[str], vertical: int, splits: bool, alone: bool = False
) -> Node:
    while len(tree) == 1 and isinstance(tree[0], Tree) and _is_same(tree, tree[0]):
        tree = tree[0]
    label = _bare(tree.label())
    marks = _marks(tree, label, alone) if splits else ""
    symbol = "^".join([label + marks, *above[: vertical - 1]])
    if not isinstance(tree[0], Tree):
        return Node(label, symbol, [], word=tree[0])
    below, only = (label, *above), len(tree) == 1
    children = [_annotated(child, below, vertical, splits, only) for child in tree]
    head = YAMADA_MATSUMOTO.head(label, [child.label for child in children])
    return Node(label, symbol, children, head)


def _bare(label: str) -> str:
    return bare_label(label) or "X"


def _is_same(tree: Tree, only: Tree) -> bool:
    return isinstance(only[0], Tree) and _bare(tree.label()) == _bare(only.label())


def _marks(tree: Tree, label: str, alone: bool) -> str:
    if not isinstance(tree[0], Tree):
        lonely = "~alone" if alone and label in ("DT", "RB") else ""
        return _tag_marks(label, tree[0].lower()) + lonely
    if label == "VP":
        return f"~{_form(tree)}"
    if label == "S":
        return f"~{_form(tree)}" if _form(tree) in ("inf", "ing") else ""
    marks = ""
    if label == "NP":
        if "TMP" in tree.label().split("-")[1:]:
            marks += "~tmp"
        if _bare(tree[-1].label()) == "POS":
            return marks + "~poss"
        if not any(isinstance(child[0], Tree) for child in tree):
            return marks + "~base"
        if _has_right_np(tree):
            marks += "~right"
    if label in ("NP", "PP", "ADJP") and any(tag in VERBS for _, tag in tree.pos()):
        marks += "~v"
    return marks


def _tag_marks(tag: str, word: str) -> str:
    if tag in VERBS:
        return "~be" if word in BE else "~have" if word in HAVE else ""
    if tag == "CC":
        return "" if word in ("and", "or") else "~amp" if word == "&" else "~but"
    if tag == "IN":
        return "~that" if word in ("that", "whether", "if") else ""
    return ""


def _form(tree: Tree) -> str:
    """The form of the verb that heads a phrase: finite, infinitive, -ing, participle or none."""
    while isinstance(tree[0], Tree):
        labels = [child.label() for child in tree]
        tree = tree[YAMADA_MATSUMOTO.head(tree.label(), labels)]
    tag = _bare(tree.label())
    if tag in FINITE:
        return "fin"
    return {"TO": "inf", "VB": "base", "VBG": "ing", "VBN": "part"}.get(tag, "none")


def _has_right_np(tree: Tree) -> bool:
    """Whether an NP stands at the right edge, somewhere below."""
    node = tree[-1]
    while isinstance(node[0], Tree):
        if _bare(node.label()) == "NP":
            return True
        node = node[-1]
    return False
