"""The Penn trees of shorter versions: a tree without some of its words, and a tree put otherwise.

What comes out is bracketed as the grammar itself would have written the shorter sentence. Only the
phrase structure is made here; a shorter version has no derivation.
"""

from __future__ import annotations

from collections.abc import Container, Iterable

from gazette_generator.phrase import Node, Word
from wordorder_lab.structures.head_rules import bare_label


def without(node: Node, dropped: Container[int]) -> Node | None:
    """The tree without these words, given by ``id``; ``None`` if nothing is left.

    Emptied phrases go. A phrase that is now alone in one of its own kind takes its place, under
    the label of the outer one, which has the function tag: ``(NP-SBJ (NP the bridge) (SBAR ...))``
    becomes ``(NP-SBJ the bridge)``. So does a first conjunct when conjunction and second are gone,
    whatever else stands beside it: ``(S (S ...) , but (S ...) .)`` becomes ``(S ... .)``.
    """
    children: list[Node | Word] = []
    for child in node.children:
        if isinstance(child, Node):
            if (kept := without(child, dropped)) is not None:
                children.append(kept)
        elif id(child) not in dropped:
            children.append(child)
    if not children:
        return None
    alike = [i for i, child in enumerate(children) if _same_kind(child, node)]
    if len(alike) == 1 and _needless(node, children):
        inner = children[alike[0]]
        assert isinstance(inner, Node)
        children[alike[0] : alike[0] + 1] = inner.children
    return Node(node.label, tuple(children))


def _same_kind(child: Node | Word, node: Node) -> bool:
    return isinstance(child, Node) and bare_label(child.label) == bare_label(node.label)


def _needless(node: Node, left: list[Node | Word]) -> bool:
    """Whether a node has no work any more: one child is left, or its conjunction is gone."""
    joined, joins = _has_conjunction(node.children), _has_conjunction(left)
    return len(left) == 1 < len(node.children) or (joined and not joins)


def _has_conjunction(children: Iterable[Node | Word]) -> bool:
    return any(isinstance(child, Word) and child.tag == "CC" for child in children)


# --- what deletion cannot do ------------------------------------------------------------------


def put_behind(sentence: Node, adjunct: Node) -> Node:
    """What stood before the subject as the last of the verb phrase: ``The bank left in May``."""
    *before, vp = sentence.children
    assert isinstance(vp, Node)
    return Node(sentence.label, (*before, Node(vp.label, (*vp.children, adjunct))))


def speaker_first(speaker: Node, verb: Word, said: Node) -> Node:
    """``The mayor said the bridge is safe``: the quotation as an SBAR without "that"."""
    vp = Node("VP", (verb, Node("SBAR", (said.labelled("S"),))))
    return Node("S", (speaker.labelled("NP-SBJ"), vp))


def active(doer: Node, verb: Word, taken: Node, more: tuple[Node | Word, ...]) -> Node:
    """``The storm damaged the bridge``: what was the subject is what the verb takes."""
    vp = Node("VP", (verb, taken.labelled("NP"), *more))
    return Node("S", (doer.labelled("NP-SBJ"), vp))


def stopped(sentence: Node, stop: Word) -> Node:
    """A sentence with its full stop."""
    return Node(sentence.label, (*sentence.children, stop))
