r"""Empty elements: which leave, and which stay because something is missing there.

The step percolateTraces of Hockenmaier & Steedman (2007) asks where something was moved from. A
``*T*`` that is an argument stays as a trace, and the categories above it will say so. All other
empty elements leave: ``S[to]\NP`` and ``S[pss]\NP`` tell of the subjects of infinitives and the
objects of passives, and nobody misses an adjunct that was moved.

Differences
- *Our reading*, percolateTraces: a topic (a clause before "he said") is an argument of its verb at
  the left, S[dcl]\S[dcl], also where the verb stands further down; the paper has a rule of
  topicalization for other topics than clauses.
- *Our reading*, argument clusters and gapping: a tree with template indexes (NP=1) is left out,
  for that reason. The paper builds clusters by type-raising and leaves gapping out.
- *Our reading*, ``*ICH*``, ``*EXP*``: what stands elsewhere than it belongs is attached where it
  stands; a relative clause that is not beside its noun (``*ICH*``) is an adjunct there.
"""

from __future__ import annotations

import re

from wordorder_lab.corpora.penn_to_ccg.node import Node
from wordorder_lab.corpora.penn_to_ccg.tables import ADVERBIAL_TAGS, ARGUMENT_TAGS

_SHARED = re.compile(r"\*RNR\*-(\d+)")
_MOVED = re.compile(r"\*T\*-(\d+)")
_ELSEWHERE = re.compile(r"\*ICH\*-(\d+)")


def settle_traces(root: Node) -> Node | None:
    """The tree without empty elements but for the traces of arguments; ``None`` if all is empty.
    Topics that were arguments still are; what conjuncts share waits for their coordination."""
    nodes = list(root.nodes())
    fillers = {node.index for node in nodes if node.label.startswith("WH") and node.index}
    empty = [node.word for node in nodes if node.label == "-NONE-"]
    shared, extraposed = (
        {match[1] for word in empty if (match := pattern.match(word))}
        for pattern in (_SHARED, _ELSEWHERE)
    )
    arguments: set[str] = set()
    kept = _strip(root, fillers, (), arguments)
    for node in kept.nodes() if kept else ():
        if node.index in arguments:
            node.role = "complement"
        elif node.index in shared and is_argument(node):
            node.role = "shared"
        if node.index in extraposed and node.label == "SBAR" and node.children[0].label == "WHNP":
            node.tags |= {"ADV"}
    return kept


def _strip(
    node: Node, fillers: set[str], above: tuple[str, ...], arguments: set[str]
) -> Node | None:
    if node.is_word:
        return None if node.label == "-NONE-" else node
    if moved := _moved(node):
        if not is_argument(node):
            return None
        if moved in fillers or moved in above:
            return Node(node.label, node.tags, trace=moved)
        arguments.add(moved)
        return None
    inside = (*above, node.index) if node.index else above
    children: list[Node] = []
    for child in node.children:
        if kept := _strip(child, fillers, inside, arguments):
            is_elliptic = kept.label == "VP" and _holds(child.children[0], "*?*")
            is_elliptic = is_elliptic or all(inner.is_mark for inner in kept.children)
            children += kept.children if is_elliptic and kept.children else [kept]
    if not children:
        return None
    if node.label == "VP" and len(children) == 1 and children[0].trace:
        return children[0]  # what they do: the ellipsis is the trace
    copy = Node(node.label, node.tags, node.index, children)
    lost_object = len(children) == 1 and len(node.children) == 2 and children[0].is_word
    if node.label == "PP" and lost_object:
        copy.category = "PP/NP"  # a pseudo-passive: paid for
        copy.role = "complement"
        copy.form = "shared" if _holds(node.children[1], "*RNR*") else ""
    if node.label == "NP" and any(_holds(child, "*EXP*") for child in node.children):
        copy.category = "NP[expl]"
    first = node.children[0]
    if first.label.startswith("WH") and all(word.label == "-NONE-" for word in first.words()):
        copy.filler = first.index or "0"
        copy.form = first.label
    return copy


def _moved(node: Node) -> str:
    node = node.only()
    match = _MOVED.match(node.word) if node.label == "-NONE-" else None
    if match is None and len(node.children) == 2 and node.children[0].word == "0":
        return _moved(node.children[1])
    return match[1] if match else ""


def is_argument(node: Node) -> bool:
    """Whether a phrase, or the trace of one, is an argument by its label and function tags."""
    is_adverb = node.label in ("PP", "ADVP", "UCP", "PRT", "QP") or node.tags & ADVERBIAL_TAGS
    return bool(node.tags & ARGUMENT_TAGS) or not is_adverb


def _holds(node: Node, what: str) -> bool:
    """Whether the phrase is nothing but an empty element of this kind."""
    node = node.only()
    return node.label == "-NONE-" and node.word.startswith(what)
