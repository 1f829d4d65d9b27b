"""Labels of the dependencies that a Penn tree gives, in the inventory of Penn2Malt.

    penn_labels(tree):  a child that is not the head of its phrase
      VC      a VP in a VP                  SUB, PRD  what has -SBJ, -PRD
      COORD   a conjunct, a conjunction     OBJ       an NP in a VP, unless it has -TMP or the like
      else    by its phrase: PMOD, SBAR, NMOD, AMOD, VMOD; of signs P

A treebank says by function tags what is subject and predicate; a parser gives bare labels, and what
its tree lacks is told from places (``with_functions``).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from wordorder_lab.corpora.readers.penn import is_tagged_word
from wordorder_lab.structures.head_rules import PUNCTUATION, YAMADA_MATSUMOTO, bare_label

if TYPE_CHECKING:
    from nltk.tree import Tree

ADVERBIAL = frozenset(["TMP", "ADV", "EXT", "LOC", "DIR", "MNR", "PRP"])
BY_PARENT = {
    "PP": "PMOD", "WHPP": "PMOD", "SBAR": "SBAR", "NP": "NMOD", "NX": "NMOD", "QP": "NMOD",
    "WHNP": "NMOD", "ADJP": "AMOD", "ADVP": "AMOD", "VP": "VMOD", "S": "VMOD", "SINV": "VMOD",
}  # fmt: skip
PENN_LABELS = tuple(sorted({*BY_PARENT.values(), *"ROOT P VC COORD SUB PRD OBJ DEP".split()}))
"""All that there are."""
UPOS = {
    "NN": "NOUN", "NNS": "NOUN", "NNP": "PROPN", "NNPS": "PROPN", "PRP": "PRON", "PRP$": "PRON",
    "WP": "PRON", "WDT": "PRON", "EX": "PRON", "DT": "DET", "JJ": "ADJ", "JJR": "ADJ", "JJS": "ADJ",
    "RB": "ADV", "WRB": "ADV", "CD": "NUM", "IN": "ADP", "TO": "ADP", "CC": "CCONJ", "MD": "AUX",
    "$": "SYM", "POS": "PART",
}  # fmt: skip
"""Penn tag -> universal tag, where the tag decides; verbs are VERB, all else PUNCT."""
COPULAS = frozenset("be is are am was were been being 's 're 'm become became becomes".split())
CLAUSES = ("S", "SINV", "SQ")
TIMES = frozenset(
    "today tomorrow yesterday tonight morning afternoon evening night day week weekend month "
    "quarter season year decade spring summer autumn fall winter time monday tuesday wednesday "
    "thursday friday saturday sunday january february march april june july august september "
    "october november december days weeks months years".split()
)


def penn_labels(tree: Tree) -> tuple[str, ...]:
    """The label of each word's dependency; ``with_functions`` first where the tree is bare."""
    in_order: list[str] = []

    def visit(node: Tree, label: str) -> None:
        if is_tagged_word(node):
            in_order.append("P" if node.label() in PUNCTUATION else label)
            return
        head = _head(node)
        for i, child in enumerate(node):
            visit(child, label if i == head else _label(node, child))

    visit(tree, "ROOT")
    return tuple(in_order)


def _head(node: Tree) -> int:
    return YAMADA_MATSUMOTO.head(node.label(), [child.label() for child in node])


def _label(parent: Tree, child: Tree) -> str:
    """The label of a child that is not the head of its phrase."""
    tags = set(child.label().split("-")[1:])
    kind = bare_label(child.label())
    if kind == "VP" == bare_label(parent.label()) and not _coordinated(parent):
        return "VC"
    if child.label() == "JJ" and _coordinated(parent):
        return "COORD"
    if child.label() == "CC" or bare_label(parent.label()) == kind:
        return "COORD" if _coordinated(parent) else BY_PARENT.get(kind, "DEP")
    if "SBJ" in tags:
        return "SUB"
    if "PRD" in tags:
        return "PRD"
    if bare_label(parent.label()) == "VP" and kind == "NP" and not tags & ADVERBIAL:
        return "OBJ"
    return BY_PARENT.get(bare_label(parent.label()), "DEP")


def _coordinated(node: Tree) -> bool:
    return any(child.label() == "CC" for child in node)


# --- what a bare tree does not say ----------------------------------------------------------------


def with_functions(tree: Tree) -> Tree:
    """A copy of a tree with bare labels that says -SBJ, -PRD and -TMP, as places tell them.

    A subject is the NP nearest to the verb on its left, or, in a clause that begins with its verb
    (*said the broker*), the first on its right; what stands beside *be* in its VP is predicative;
    an NP whose last word is a time (*this month*) is adverbial.
    """
    if is_tagged_word(tree):
        return tree
    labels = [child.label() for child in tree]
    for i, child in enumerate(tree):
        if child.label() == "NP" and child.leaves()[-1].lower() in TIMES:
            labels[i] = "NP-TMP"
    subject = _subject(tree.label(), labels)
    if subject is not None:
        labels[subject] += "-SBJ"
    if tree.label() == "VP" and "VP" not in labels:
        verb = tree[_head(tree)]
        if is_tagged_word(verb) and verb[0].lower() in COPULAS:
            labels = [f"{one}-PRD" if one in ("NP", "ADJP") else one for one in labels]
    children = map(with_functions, tree)
    return type(tree)(
        tree.label(),
        [
            child if is_tagged_word(child) else type(child)(label, list(child))
            for label, child in zip(labels, children, strict=True)
        ],
    )


def _subject(clause: str, labels: list[str]) -> int | None:
    """Which child of a clause is its subject, if any."""
    verbs = [i for i, label in enumerate(labels) if label[:2] in ("VP", "VB", "MD")]
    if clause not in CLAUSES or not verbs:
        return None
    before = [i for i in range(verbs[0]) if labels[i] == "NP"]
    after = [i for i in range(verbs[0], len(labels)) if labels[i] == "NP"]
    return before[-1] if before else after[0] if after and clause != "S" else None
