"""Noun phrases: the flat base NPs of the Treebank get a determiner and an N; quantities too.

Hockenmaier & Steedman (2007): a determiner is NP[nb]/N, and an N branches to the right, since the
Treebank says nothing about the structure of compounds. A noun has complements (a decision to go,
the fact that he went) only where they stand inside the base NP.

Differences
- *Paper silent*, dates: in "Nov. 29" the month takes the day, N[num], and is N/N[num], or at a verb
  an adverb that does so; a year behind a comma is N\\N.
- *Paper silent*, quantities: "more than 10" is an adjective and a "than" that makes a modifier of
  it, "at least 10" has S[asup]\\NP; gold supertags have both.
- *Our reading*, lists of words: where a conjunction joins words before the head noun (black and
  white dogs), they are one modifier; where it joins nouns, all between is coordinated.
"""

from __future__ import annotations

from wordorder_lab.corpora.penn_to_ccg.coordination import alike, coordinate
from wordorder_lab.corpora.penn_to_ccg.node import Node
from wordorder_lab.corpora.penn_to_ccg.tables import HEADS, MONTHS, NOUNS

_DETERMINERS = frozenset(["DT", "PRP$", "WP$", "WDT"])
_PRONOUNS = frozenset(["PRP", "EX", "WP"])
_BEFORE = frozenset(["PDT", "RB", "RBR", "RBS", "ADVP", "CC", "CONJP", "PRN"])
_PHRASES = frozenset(["NP", "NX", "NAC"])


def is_possessive(node: Node) -> bool:
    """Whether it is an NP that ends in 's."""
    return (
        node.label in ("NP", "NX") and len(node.children) > 1 and node.children[-1].label == "POS"
    )


def has_phrase_as_head(node: Node) -> bool:
    """Whether an NP stands in the NP, and is not a possessive: then the rest modifies it."""
    solid = [child for child in node.children if not child.is_mark]
    first = next((i for i, c in enumerate(solid) if c.label == "NP" or c.trace), None)
    if first is None or is_possessive(solid[first]):
        return False
    after = solid[first + 1 :]
    if any(child.is_word and child.label in NOUNS for child in after):
        return False
    return all(c.label in _BEFORE or c.label in ("IN", "ADJP", "PP") for c in solid[:first])


def arrange_base(node: Node) -> None:
    """Give a base NP its parts: what is before the determiner, the determiner, the N."""
    children = node.children
    if is_possessive(node):
        whole, last = Node("NP", children=children[:-1], role="complement"), children[-1]
        last.role = "head"
        node.children = [whole, last]
        return
    start = _determiner(children)
    before = children[: max(start, 0)] if start is not None else []
    rest = children[len(before) :]
    determiner = rest.pop(0) if start is not None else None
    solid = [child for child in rest if not child.is_mark]
    for child in before:
        child.role = "mark" if child.is_mark else "adjunct"
    if determiner is None:
        _without_determiner(node, rest)
    elif not solid:
        determiner.role = "head"
        node.children = [*before, determiner, *rest]
    else:
        noun = Node("N", children=rest, role="complement")
        determiner.role = "head"
        core = Node("NP", children=[determiner, noun], role="head", form="det")
        node.children = [*before, core] if before else core.children
        node.form = "" if before else "det"


def _determiner(children: list[Node]) -> int | None:
    """The place of the determiner, or ``None``."""
    for i, child in enumerate(children):
        if child.label in _DETERMINERS or is_possessive(child):
            return i
        followed = any(c.label in _DETERMINERS for c in children[i + 1 : i + 2])
        if not (child.label in _BEFORE or child.is_mark or (child.label == "JJ" and followed)):
            return None
        if child.label in ("RB", "ADVP", "RBR", "RBS", "PRN") and not followed:
            return None
    return None


def _without_determiner(node: Node, children: list[Node]) -> None:
    pronoun = next((c for c in children if c.label in _PRONOUNS), None)
    if pronoun is not None and not any(c.label in NOUNS for c in children):
        for child in children:
            child.role = "mark" if child.is_mark else "adjunct"
        pronoun.role = "head"
        node.children = children
        return
    before: list[Node] = []
    while len(children) > 1 and (children[0].is_mark or children[0].label in ("CC", "PDT")):
        child = children.pop(0)
        child.role = "mark" if child.is_mark else "adjunct"
        before.append(child)
    noun = Node("N", children=children, role="head")
    inner = Node("NP", children=[noun], role="head", form="bare")
    node.children = [*before, inner] if before else [noun]
    node.form = "" if before else "bare"


def arrange_noun(node: Node) -> None:
    """The inside of an N: coordinated nouns, or a head with what is before and behind it."""
    children = node.children
    split = _coordination(children)
    if split == "nouns":
        coordinate(node)
        return
    if split == "modifiers":
        children = _coordinated_modifiers(children)
    children = _dates(children)
    labels = [child.label for child in children]
    at = HEADS.head("N", labels)
    for i, child in enumerate(children):
        if child.is_mark:
            child.role = "mark"
        elif i == at:
            child.role = "head"
        else:
            after = i > at and child.label in ("S", "SBAR") and not child.filler
            child.role = "complement" if after and not _is_relative(child) else "adjunct"
    node.children = children


def _dates(children: list[Node]) -> list[Node]:
    """Nov. 29: the month takes the day, N[num], as its argument."""
    for i in range(len(children) - 1):
        month, day = children[i], children[i + 1]
        if month.word.rstrip(".") in MONTHS and day.label == "CD":
            month.role, day.role, day.category = "head", "complement", "N[num]"
            date = Node("NX", children=[month, day], form="done")
            return [*children[:i], date, *children[i + 2 :]]
    return children


def _is_relative(node: Node) -> bool:
    return any(child.label.startswith("WH") for child in node.children) or node.tags != frozenset()


def _coordination(children: list[Node]) -> str:
    """What a conjunction inside joins: ``"nouns"``, ``"modifiers"``, or nothing."""
    place = next((i for i, c in enumerate(children) if i and c.label in ("CC", "CONJP")), None)
    if place is None or place + 1 >= len(children):
        return ""
    before = next((c for c in reversed(children[:place]) if not c.is_mark), None)
    if before is None:
        return ""
    nominal = NOUNS | {"NX", "NAC", "NP", "CD", "QP"}
    behind = [c for c in children[place + 1 :] if not c.is_mark]
    if before.label in NOUNS | {"NX", "NP", "NAC"}:
        return "nouns"
    if any(c.label in nominal for c in behind):
        return "modifiers" if len(behind) > 1 or before.label not in nominal else "nouns"
    return "nouns"


def _coordinated_modifiers(children: list[Node]) -> list[Node]:
    """Black and white dogs: the words beside the conjunction become one modifier."""
    place = next(i for i, c in enumerate(children) if i and c.label in ("CC", "CONJP"))
    start = place - 1
    while start > 0 and children[start].is_mark:
        start -= 1
    end = place + 1
    while end < len(children) - 1 and children[end].is_mark:
        end += 1
    while (
        start > 1
        and children[start - 1].label == ","
        and alike(children[start].label, children[start - 2].label)
    ):
        start -= 2
    group = Node("UCP", children=children[start : end + 1])
    coordinate(group)
    return [*children[:start], group, *children[end + 1 :]]


def arrange_quantity(node: Node) -> None:
    """The inside of a QP: more than 10, at least 10, 10 to 20, between 10 and 20, $ 15 million."""
    children = node.children
    words = [child.word.lower() for child in children]
    place = next(
        (i for i, c in enumerate(children) if i and c.label in ("CC", "TO", "CONJP")), None
    )
    if "than" in words[1:-1]:
        _comparative(node, words.index("than", 1))
    elif "as" in words[2:-1]:
        _comparative(node, words.index("as", 2))
    elif (
        len(children) > 2 and words[0] in ("at", "up") and children[1].label in ("JJS", "RBS", "TO")
    ):
        _at_least(node)
    elif place and _joins_numbers(children, place):
        _range(node, place)
    else:
        _plain(node)


def _joins_numbers(children: list[Node], place: int) -> bool:
    """Whether the word at this place stands between two numbers, or after one (10 or more)."""
    numbers = [i for i, c in enumerate(children) if c.label in ("CD", "QP")]
    if not numbers or numbers[0] > place or place + 1 == len(children):
        return False
    return numbers[-1] > place or children[place].label == "CC"


def _plain(node: Node) -> None:
    head = HEADS.head("QP", [child.label for child in node.children])
    for i, child in enumerate(node.children):
        child.role = "mark" if child.is_mark else "head" if i == head else "adjunct"


def _comparative(node: Node, place: int) -> None:
    """More than 10: ``than`` makes a modifier of the adjective before it."""
    left, word, rest = node.children[:place], node.children[place], node.children[place + 1 :]
    word.role = "head"
    adjective = Node("ADJP", children=left, role="complement", category="S[adj]\\NP")
    modifier = Node("QPM", children=[adjective, word], role="adjunct", form="done")
    number = Node("QP", children=rest, role="head")
    node.children = [modifier, number]


def _at_least(node: Node) -> None:
    word, degree, rest = node.children[0], node.children[1], node.children[2:]
    if degree.label == "TO":
        word.role, degree.role = "adjunct", "head"
        modifier = Node("QPM", children=[word, degree], role="adjunct", form="done")
        node.children = [modifier, Node("QP", children=rest, role="head")]
        return
    word.role, degree.role = "head", "complement"
    degree.category = "S[asup]\\NP"
    modifier = Node("QPM", children=[word, degree], role="adjunct", form="done")
    node.children = [modifier, Node("QP", children=rest, role="head")]


def _range(node: Node, place: int) -> None:
    children = node.children
    if children[place].label == "TO":
        to, rest = children[place], Node("QP", children=children[place + 1 :], role="complement")
        to.role, rest.category = "head", "ARGUMENT"
        behind = Node("QPM", children=[to, rest], role="adjunct", form="done")
        node.children = [Node("QP", children=children[:place], role="head"), behind]
        return
    first = next(i for i, c in enumerate(children) if c.label in ("CD", "QP", "$", "JJ"))
    before = children[: min(first, place)]
    joined = Node("QP", children=children[len(before) :], role="head")
    coordinate(joined)
    for child in before:
        child.role = "mark" if child.is_mark else "adjunct"
    node.children = [*before, joined]
