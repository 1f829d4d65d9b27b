"""Preprocessing: phrases that the Treebank leaves flat get the structure that CCG needs.

The step preprocessTree of Hockenmaier & Steedman (2007). It goes phrase by phrase, from the root
down, just before the parts of the phrase get their types.

Differences
- *Our reading*, preprocessTree: the paper also corrects tags and brackets of the Treebank by hand
  and by patterns. Nothing is corrected here: words and tags are the tree's, and only the clause
  feature of a verb looks past a wrong tag (``clauses``).
- *Our reading*, preprocessTree: CCGbank takes quotation marks out. Here they stay, as LQU and RQU,
  which marks absorb like commas.
- *Our reading*, right node raising: what the conjuncts share becomes the complement of them all, so
  no trace is carried up to it.
"""

from __future__ import annotations

from wordorder_lab.corpora.penn_to_ccg import clauses, coordination, noun_phrases
from wordorder_lab.corpora.penn_to_ccg.coordination import coordinate, is_coordinated
from wordorder_lab.corpora.penn_to_ccg.node import Node, give_role, place_of, without_marks
from wordorder_lab.corpora.penn_to_ccg.tables import NOUN_LABELS, WH_LABELS

_FIRST = {"PP": frozenset(["IN", "JJ", "RB", "TO", "VBG"]), "SBAR": frozenset(["IN"])}
"""The tags of a first word that may have a preposition or complementizer behind it."""


def rearrange(node: Node) -> bool:
    """Rebuild one phrase or raise ``NotConverted``; whether its parts still wait for types."""
    if _shares(node):
        return False
    if _has_lead(node):
        return True
    if node.label in ("NP", "WHNP") and not noun_phrases.has_phrase_as_head(node):
        if node.label == "WHNP" and any(c.label in WH_LABELS for c in node.children):
            noun_phrases.arrange_question(node)
        elif _joins_phrases(node):
            coordinate(node)
        else:
            noun_phrases.arrange_base(node)
    elif node.label in NOUN_LABELS:
        noun_phrases.arrange_noun(node)
    elif node.label == "QP":
        noun_phrases.arrange_quantity(node)
    elif is_coordinated(node) and (node.label == "UCP" or not _words_only(node)):
        coordinate(node)
    elif node.label in WH_LABELS:
        noun_phrases.arrange_question(node)
    else:
        _rearrange_flat(node)
        return True
    return False


def _rearrange_flat(node: Node) -> None:
    if node.label == "PRN" and clauses.subject_of(node) is not None:
        solid = [i for i, child in enumerate(node.children) if not child.is_mark]
        inside = slice(solid[0], solid[-1] + 1)  # without its marks it is a clause
        node.children[inside] = [Node("S", children=node.children[inside])]
    elif "CLF" in node.tags:
        clauses.relative_in_cleft(node)
    elif node.label in ("PP", "SBAR"):
        _group_prepositions(node)
    elif node.label == "SINV":
        clauses.flat_inversion(node)
    elif node.label == "SQ":
        # Who is coming: where the question asks for the subject, nothing is inverted.
        children = sorted(node.children, key=lambda c: not ("SBJ" in c.tags and c.trace))
        node.children = _adverb_inside(children)
    node.children = coordination.coordinated_words(node.children)


def _adverb_inside(children: list[Node]) -> list[Node]:
    """Does he always wait: an adverb before the verb phrase belongs to it, not to the question."""
    at = place_of(children, lambda child: child.label == "VP") or 0
    if at < 2 or children[at - 1].label not in ("ADVP", "RB"):
        return children
    phrase = Node("VP", children=children[at - 1 : at + 1])
    return [*children[: at - 1], phrase, *children[at + 1 :]]


def _shares(node: Node) -> bool:
    """Make and sell cars: what all conjuncts lack becomes the complement of them together."""
    at = place_of(node.children, lambda child: child.role == "shared")
    if not at or node.label not in ("VP", "PP", "ADJP"):
        return False
    group = Node(node.label, children=node.children[:at], role="head")
    rest = node.children[at:]
    if not is_coordinated(group) or not all(child.is_mark for child in rest[1:]):
        return False
    rest[0].role = "complement"
    give_role(rest[1:], "mark")
    node.children = [group, *rest]
    return True


def _has_lead(node: Node) -> bool:
    """For example, it rains and it pours: the clauses become a phrase, which is the head."""
    at = place_of(node.children, lambda child: child.label == "S") or 0
    if node.label != "S" or not without_marks(node.children[:at]):
        return False
    group = Node("S", children=node.children[at:])
    if not node.children[at - 1].is_mark or not is_coordinated(group):
        return False
    node.children = [*node.children[:at], group]
    return True


def _group_prepositions(node: Node) -> None:
    """Because of it, such as these, so that it rains: what follows the first is a phrase too."""
    at = place_of(node.children, lambda child: child.is_word and not child.is_mark)
    if at is None or node.children[at].label not in _FIRST[node.label]:
        return
    rest = node.children[at + 1 :]
    if len(rest) > 1 and rest[0].is_word and rest[0].label in ("IN", "TO"):
        node.children[at].role = "head"
        phrase = Node(node.label, children=rest, role="complement")
        node.children = [*node.children[: at + 1], phrase]


def _words_only(node: Node) -> bool:
    """Whether the conjunction joins words that share what follows: bought and sold it."""
    grouped = coordination.coordinated_words(node.children)
    solid = without_marks(grouped)
    if len(grouped) == len(node.children) or all(
        coordination.alike(c.label, solid[-1].label) for c in solid
    ):
        return False
    return len(grouped) > 1 and coordination.place_of_conjunction(grouped) is None


def _joins_phrases(node: Node) -> bool:
    """Whether what a conjunction joins are NPs, though the Treebank may have left them flat."""
    if not is_coordinated(node):
        return False
    place = coordination.place_of_conjunction(node.children)
    behind = without_marks(node.children[(place or 0) + 1 :])
    if not behind:
        return False
    is_phrase = behind[0].label == "NP" and not noun_phrases.is_possessive(behind[0])
    return is_phrase or behind[0].label in ("DT", "PRP$", "PRP")
