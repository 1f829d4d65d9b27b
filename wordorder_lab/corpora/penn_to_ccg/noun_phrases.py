"""Noun phrases: the flat base NPs of the Treebank get a determiner and an N; quantities too.

Hockenmaier & Steedman (2007): a determiner is NP[nb]/N, and an N branches to the right, since the
Treebank says nothing about the structure of compounds. A noun has complements (a decision to go,
the fact that he went) only where they stand inside the base NP.

Of fronted phrases (which dog, how big, in which) the asking word is the head, however deep it sits,
since it is the one that takes the clause; the rest is its complement or modifies it.

Differences
- *Paper silent*, dates: in "Nov. 29" the month takes the day, N[num], and is N/N[num], or at a verb
  an adverb that does so; a year behind a comma is N\\N.
- *Paper silent*, quantities: "more than 10" is an adjective and a "than" that makes a modifier of
  it, "at least 10" has S[asup]\\NP; gold supertags have both.
- *Our reading*, lists of words: where a conjunction joins words before the head noun (black and
  white dogs), they are one modifier; where it joins nouns, all between is coordinated.
"""

from __future__ import annotations

from wordorder_lab.corpora.penn_to_ccg import coordination, tables
from wordorder_lab.corpora.penn_to_ccg.coordination import coordinate, place_of_conjunction
from wordorder_lab.corpora.penn_to_ccg.node import (
    Node,
    first_of,
    give_role,
    place_of,
    without_marks,
)

_DETERMINERS = frozenset(["DT", "PRP$", "WP$", "WDT"])
_BEFORE = tables.CONJUNCTIONS | {"PDT", "RB", "RBR", "RBS", "ADVP", "PRN"}


def is_possessive(node: Node) -> bool:
    """Whether it is an NP that ends in 's."""
    labels = [child.label for child in node.children]
    return node.label in ("NP", "NX") and len(labels) > 1 and labels[-1] == "POS"


def has_phrase_as_head(node: Node) -> bool:
    """Whether an NP stands in the NP, and is not a possessive: then the rest modifies it."""
    solid = without_marks(node.children)
    first = place_of(solid, lambda child: child.label == "NP" or child.trace)
    if first is None or is_possessive(solid[first]):
        return False
    if any(child.is_word and child.label in tables.NOUNS for child in solid[first + 1 :]):
        return False
    return all(c.label in _BEFORE | {"IN", "ADJP", "PP"} for c in solid[:first])


def arrange_base(node: Node) -> None:
    """Give a base NP its parts: what is before the determiner, the determiner, the N."""
    children = node.children
    if is_possessive(node):
        whole, last = Node("NP", children=children[:-1], role="complement"), children[-1]
        last.role = "head"
        node.children = [whole, last]
        return
    start = _determiner(children)
    if start is None:
        _without_determiner(node, list(children))
        return
    before, determiner, rest = children[:start], children[start], children[start + 1 :]
    give_role(before, "adjunct")
    determiner.role = "head"
    if without_marks(rest):
        noun = Node("N", children=rest, role="complement")
        core = Node("NP", children=[determiner, noun], role="head", form="det")
        node.children = [*before, core] if before else core.children
        node.form = "" if before else "det"


def _determiner(children: list[Node]) -> int | None:
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
    pronoun = first_of(children, "PRP", "EX", "WP")
    if pronoun is not None and first_of(children, *tables.NOUNS) is None:
        give_role(children, "adjunct")
        pronoun.role = "head"
        node.children = children
        return
    before: list[Node] = []
    while len(children) > 1 and (children[0].is_mark or children[0].label in ("CC", "PDT")):
        before.append(children.pop(0))
    give_role(before, "adjunct")
    noun = Node("N", children=children, role="head")
    inner = Node("NP", children=[noun], role="head", form="bare")
    node.children, node.form = ([*before, inner], "") if before else ([noun], "bare")


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
    at = _give_roles("N", children)
    for child in children[at + 1 :]:
        is_clause = child.label in ("S", "SBAR") and not child.filler and not child.tags
        if is_clause and not any(part.label.startswith("WH") for part in child.children):
            child.role = "complement"
    node.children = children


def _give_roles(label: str, children: list[Node]) -> int:
    """A head by the table, whose place is returned, and adjuncts; marks are marks."""
    at = tables.HEADS.head(label, [child.label for child in children])
    give_role(children, "adjunct")
    if not children[at].is_mark:
        children[at].role = "head"
    return at


def _dates(children: list[Node]) -> list[Node]:
    """Nov. 29: the month takes the day, N[num], as its argument."""
    for i in range(len(children) - 1):
        month, day = children[i], children[i + 1]
        if month.word.rstrip(".") in tables.MONTHS and day.label == "CD":
            month.role, day.role, day.category = "head", "complement", "N[num]"
            date = Node("NX", children=[month, day], form="done")
            return [*children[:i], date, *children[i + 2 :]]
    return children


def _coordination(children: list[Node]) -> str:
    """What a conjunction inside joins: ``"nouns"``, ``"modifiers"``, or nothing."""
    place = place_of_conjunction(children)
    if place is None or place + 1 >= len(children):
        return ""
    before, behind = without_marks(children[:place]), without_marks(children[place + 1 :])
    if not before:
        return ""
    nominal = tables.NOUNS | {"NX", "NAC", "NP", "CD", "QP"}
    last = before[-1].label
    if last in nominal - {"CD", "QP"} or not any(c.label in nominal for c in behind):
        return "nouns"
    return "modifiers" if len(behind) > 1 or last not in nominal else "nouns"


def _coordinated_modifiers(children: list[Node]) -> list[Node]:
    """Black and white dogs: the words beside the conjunction become one modifier."""
    place = place_of_conjunction(children)
    assert place is not None
    start, end = place - 1, place + 1
    while start > 0 and children[start].is_mark:
        start -= 1
    while end < len(children) - 1 and children[end].is_mark:
        end += 1
    labels = [child.label for child in children]
    while (
        start > 1
        and labels[start - 1] == ","
        and coordination.alike(labels[start], labels[start - 2])
    ):
        start -= 2
    group = Node("UCP", children=children[start : end + 1])
    coordinate(group)
    return [*children[:start], group, *children[end + 1 :]]


def arrange_quantity(node: Node) -> None:
    """The inside of a QP: more than 10, at least 10, 10 to 20, between 10 and 20, $ 15 million."""
    children = node.children
    words = [child.word.lower() for child in children]
    joining = tables.CONJUNCTIONS | {"TO"}
    place = next((i for i, c in enumerate(children) if i and c.label in joining), 0)
    numbers = [i for i, c in enumerate(children) if c.label in ("CD", "QP")]
    is_joined = bool(numbers) and numbers[0] < place < len(children) - 1
    is_range = is_joined and (numbers[-1] > place or children[place].label == "CC")  # 10 or more
    is_least = words[0] in ("at", "up") and len(children) > 2
    if "than" in words[1:-1]:
        _comparative(node, words.index("than", 1))
    elif "as" in words[2:-1]:
        _comparative(node, words.index("as", 2))
    elif is_least and children[1].label in ("JJS", "RBS", "TO"):
        _at_least(node)
    elif is_range:
        _range(node, place)
    else:
        _give_roles("QP", children)


def _comparative(node: Node, place: int) -> None:
    """More than 10: ``than`` makes a modifier of the adjective before it."""
    left, word, rest = node.children[:place], node.children[place], node.children[place + 1 :]
    word.role = "head"
    adjective = Node("ADJP", children=left, role="complement", category="S[adj]\\NP")
    node.children = [_modifier(adjective, word), Node("QP", children=rest, role="head")]


def _modifier(left: Node, right: Node) -> Node:
    return Node("QPM", children=[left, right], role="adjunct", form="done")


def _at_least(node: Node) -> None:
    word, degree, *rest = node.children
    if degree.label == "TO":
        word.role, degree.role = "adjunct", "head"
    else:
        word.role, degree.role, degree.category = "head", "complement", "S[asup]\\NP"
    node.children = [_modifier(word, degree), Node("QP", children=rest, role="head")]


def _range(node: Node, place: int) -> None:
    children, to = node.children, node.children[place]
    if to.label == "TO":
        rest = Node("QP", children=children[place + 1 :], role="complement", category="ARGUMENT")
        to.role = "head"
        number = Node("QP", children=children[:place], role="head")
        node.children = [number, _modifier(to, rest)]
        return
    first = next(i for i, c in enumerate(children) if c.label in ("CD", "QP", "$", "JJ"))
    before = children[: min(first, place)]
    joined = Node("QP", children=children[len(before) :], role="head")
    coordinate(joined)
    give_role(before, "adjunct")
    node.children = [*before, joined]


def arrange_question(node: Node) -> None:
    """Roles in a WHNP, WHPP, WHADVP or WHADJP."""
    if coordination.is_coordinated(node) and node.children[-1].label in tables.WH_LABELS:
        coordinate(node)
        return
    head = _asking(node)
    asking, rest = node.children[head], node.children[head + 1 :]
    if node.label == "WHNP" and asking.label in ("WHADJP", "WHADVP", "WHNP") and rest:
        for child in asking.children:  # how many dogs: "many" is NP/N, the noun its complement
            if child.label in ("JJ", "RB"):
                child.category = "NP/N"
        noun = Node("N", children=rest, role="complement", category="N")
        node.children = [*node.children[: head + 1], noun]
    of_which = node.label == "WHNP" and node.children[head].label == "WHPP"
    for i, child in enumerate(node.children):
        if child.is_mark:
            child.role = "mark"
        elif i == head:
            child.role = "head"
        elif of_which:
            child.role, child.category = "complement", "NP"
        else:
            asked = i > head and node.label in ("WHADVP", "WHADJP")
            is_part = asked or child.label in ("N", "NP", "IN", "TO")
            child.role = "complement" if is_part else "adjunct"


def _asking(node: Node) -> int:
    """The place of the child with the asking word: of which, before the friend of which."""
    labels = [child.label for child in node.children]
    inside = [i for i, label in enumerate(labels) if label in tables.WH_LABELS]
    if node.label == "WHNP":
        inside = [i for i in inside if labels[i] == "WHPP"] or inside
    if node.label in ("WHNP", "WHPP") and inside:
        return inside[0]
    return tables.HEADS.head(node.label, labels)
