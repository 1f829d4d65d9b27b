"""Coordination: flat lists of conjuncts, marks and conjunctions become nested pairs.

Hockenmaier & Steedman (2007): ``X X[conj]`` is X, and ``X[conj]`` is made of the conjunction and
its conjunct; longer lists branch to the right, with commas as conjunctions. What stands between
two conjunctions is one conjunct, so what the Treebank leaves flat gets a phrase of its own first.
"""

from __future__ import annotations

from itertools import takewhile

from wordorder_lab.corpora.penn_to_ccg.node import Node, NotConverted, without_marks
from wordorder_lab.corpora.penn_to_ccg.tables import CONJUNCTIONS, NOUNS, VERBS

_LIST_MARKS = frozenset([",", ":"])
_LISTED = frozenset(["S", "VP", "SBAR", "PP", "ADJP", "SINV", "SQ", "SBARQ", "FRAG"])


def is_coordinated(node: Node) -> bool:
    """Whether a conjunction stands between two children, or only marks between two likes."""
    place = place_of_conjunction(node.children)
    if place is None or place + 1 == len(node.children):
        return _bare_list(node)
    before = without_marks(node.children[:place])
    if node.label == "S" and before and "SBJ" in before[-1].tags:
        return False  # they not only sing: beside the subject it is an adverb
    return any(c.label not in CONJUNCTIONS for c in before)


def place_of_conjunction(children: list[Node]) -> int | None:
    """The place of the first conjunction that does not begin the phrase."""
    return next((i for i, c in enumerate(children) if i and c.label in CONJUNCTIONS), None)


def _bare_list(node: Node) -> bool:
    """S , S or VP : VP without a conjunction."""
    if node.label not in _LISTED:
        return False
    is_open = False
    for child in node.children:  # a mark of lists stands between each two
        if not child.is_mark:
            if is_open:
                return False
            is_open = True
        elif child.label in _LIST_MARKS:
            is_open = False
    solid = without_marks(node.children)
    tags = {"ADV", "PRP", "TPC", "TMP", "CLR", "LOC"}
    likes = (c.label == node.label and c.role != "complement" and not c.tags & tags for c in solid)
    return len(solid) > 1 and all(likes)


def coordinate(node: Node) -> None:
    """Nest the conjuncts of a coordinated phrase; the phrase keeps its label."""
    before = list(takewhile(lambda child: child.is_mark, node.children))
    after = list(takewhile(lambda child: child.is_mark, reversed(node.children)))
    inner = node.children[len(before) : len(node.children) - len(after)]
    *segments, (last, _) = _segments(node, inner)
    if not segments:
        raise NotConverted("coordination", f"one conjunct alone in a {node.label}")
    parts = [(_conjunct(node, part), separator) for part, separator in segments]
    right = _conjunct(node, last)
    for phrase, separator in reversed(parts):
        right = _pair(node, phrase, separator, right)
    right.tags, right.index = node.tags, node.index
    for mark in reversed(after):
        right = _with_mark(node, [right, mark])
    for mark in reversed(before):
        right = _with_mark(node, [mark, right])
    node.children, node.form = right.children, "nested"


def _segments(node: Node, children: list[Node]) -> list[tuple[list[Node], list[Node]]]:
    first = next((c.label for c in children if c.label not in CONJUNCTIONS), "")
    segments: list[tuple[list[Node], list[Node]]] = []
    part: list[Node] = []
    separator: list[Node] = []
    for i, child in enumerate(children):
        if (child.label in CONJUNCTIONS and part) or (
            child.is_mark and part and (separator or _separates(node, first, children, i))
        ):
            separator.append(child)
        else:
            if separator:
                segments.append((part, separator))
                part, separator = [], []
            part.append(child)
    return [*segments, (part + separator, [])]


def _separates(node: Node, first: str, children: list[Node], i: int) -> bool:
    """Whether the mark goes before a conjunction or between two conjuncts of a list."""
    following = next((child for child in children[i:] if not child.is_mark), None)
    if following is None or following.label in CONJUNCTIONS:
        return following is not None
    like = following.label == first or following.label == node.label
    like = like or (node.label == "UCP" and not following.is_word)
    like = like or (following.label in NOUNS and first in NOUNS)
    return like and children[i].label in _LIST_MARKS


def _conjunct(node: Node, part: list[Node]) -> Node:
    if len(part) == 1:
        return part[0]
    label = node.label
    if label == "UCP":
        last = without_marks(part)[-1]
        label = "NP" if last.is_word else last.label
    return Node(label, children=part)


def _pair(node: Node, left: Node, separator: list[Node], right: Node) -> Node:
    places = [i for i, c in enumerate(separator) if c.label in CONJUNCTIONS]
    places += [i for i, c in enumerate(separator) if c.label in _LIST_MARKS]
    at = places[0] if places else 0
    for mark in reversed(separator[at + 1 :]):
        if not mark.is_mark:
            raise NotConverted("coordination", f"two conjunctions in a row in a {node.label}")
        mark.role = "mark"
        right = _with_mark(node, [mark, right])
    conjunction = separator[at]
    conjunction.role = "conjunction"
    right.role = right.role if right.role == "mark" else "conjunct"
    right = Node(node.label, children=[conjunction, right], form="conj")
    for mark in reversed(separator[:at]):
        right = _with_mark(node, [mark, right])
    right.role, left.role = "conjuncts", "conjunct"
    return Node(node.label, children=[left, right], form="nested", role="conjunct")


def _with_mark(node: Node, children: list[Node]) -> Node:
    for child in children:
        child.role = "mark" if child.is_mark else child.role or "conjunct"
    return Node(node.label, children=children, form="nested", role="conjunct")


def coordinated_words(children: list[Node]) -> list[Node]:
    """The children with words that a conjunction joins (bought and sold it) grouped as one."""
    i = 1
    children = list(children)
    while i + 1 < len(children):
        left, right = children[i - 1], children[i + 1]
        if children[i].label == "CC" and _are_alike(left, right):
            start = i - 1
            while start > 1 and _are_alike(children[start - 2], left):  # wash, peel and eat
                mark = children[start - 1]
                if not mark.is_mark or mark.label != ",":
                    break
                start -= 2
            group = Node(left.label, children=children[start : i + 2])
            coordinate(group)
            children[start : i + 2] = [group]
            i = start
        i += 1
    return children


def _are_alike(word: Node, other: Node) -> bool:
    are_words = word.is_word and other.is_word and not word.is_mark and not other.is_mark
    return are_words and alike(word.label, other.label)


def alike(tag: str, other: str) -> bool:
    """Whether two tags are those of words that may be coordinated by themselves."""
    groups = [VERBS, NOUNS, {"JJ", "JJR", "JJS", "VBN", "VBG"}, {"IN", "TO"}, {"RB", "RBR"}, {"CD"}]
    return tag == other or any(tag in group and other in group for group in groups)
