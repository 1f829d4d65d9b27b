r"""Constituent types: in every phrase the head, its complements, its adjuncts.

The step determineConstituentType of Hockenmaier & Steedman (2007). Function tags decide, and where
there are none the label and the place: an NP behind its verb is a complement, a PP is one only with
the tags CLR, PRD, DTV, PUT or BNF.

Each phrase also learns its natural category: what it is as a complement, by its label and its head.
An NP is NP, a PP is PP, a clause ``S[dcl]``, an infinitive without a subject ``S[to]\NP``, an
adjective ``S[adj]\NP``. A verb asks its complements for these; an adjunct with such a category may
change it (reduced relatives, participles), if the type changes list that.

Differences
- *Our reading*, determineConstituentType: a PP with CLR is a complement, as the paper has it;
  CCGrebank, a revision, makes many of them adjuncts ("join the board as a director").
- *Paper silent*, determineConstituentType: an ADVP with CLR is an adjunct; with PRD it is a
  predicate like an adjective.
- *Our reading*, noun phrases: "N.V., the publishing group" is an apposition, which CCGbank writes
  as a coordination by its comma; so do we.
"""

from __future__ import annotations

from wordorder_lab.corpora.penn_to_ccg import clauses
from wordorder_lab.corpora.penn_to_ccg.node import (
    ADVERBIAL_TAGS,
    ARGUMENT_TAGS,
    CLAUSES,
    FORMS,
    HEADS,
    NOUN_LABELS,
    NOUNS,
    VERBS,
    WH_LABELS,
    Node,
    NotConverted,
)
from wordorder_lab.corpora.penn_to_ccg.preprocess import rearrange

_PUSHED = frozenset(["ADVP", "PP", "NP", "PRT", "QP", "INTJ", "LST", "WHADVP", "WHPP", "UCP"])
"""Adjuncts that never change their type: their head gets the category of the adjunct."""
_SETTLED = frozenset(["nested", "conj", "det", "bare", "done"])
_BEHIND_PRONOUN = CLAUSES | {"VP", "FRAG", "NP", "ADJP", "PP"}


def find_types(node: Node) -> None:
    """Give every child its role, top-down, and then every phrase its category, bottom-up.

    Raises ``NotConverted`` where preprocessing does.
    """
    is_phrase = not node.is_word and not node.trace
    if is_phrase and node.form not in _SETTLED and rearrange(node):
        _give_roles(node)
    for i, child in enumerate(node.children):
        find_types(child)
        is_pushed = child.is_word or child.label in _PUSHED
        if child.role == "adjunct" and is_pushed and not _is_late_apposition(node.children, i):
            _push(child)
    node.category = node.category or natural_category(node)


def _push(node: Node) -> None:
    """Leave the category to the place; here and there: in every conjunct, if they are adverbs."""
    node.category = ""
    if node.label == "ADVP" and node.form in ("nested", "conj"):
        for child in node.children:
            if child.is_word or child.label in _PUSHED:
                _push(child)


def _give_roles(node: Node) -> None:
    children = node.children
    head = _head(node)
    i = 0
    while i < len(children):
        child = children[i]
        if child.is_mark or (child.label == "LST" and child.children[0].is_mark):
            child.role = "mark"
        elif i == head:
            child.role = "head"
        elif child.role != "complement":
            child.role = _role(node, children, i, head)
        if i > head and _comes_apart(node, child):
            children = clauses.taken_apart(children, i)
            continue
        i += 1
    node.children = children


def _comes_apart(node: Node, child: Node) -> bool:
    is_argument = child.role == "complement" and node.label in ("VP", "PP", "SBAR", "SQ")
    if node.label == "SBAR" and clauses.form_of(child) == "b":
        return False  # that he go
    return is_argument and clauses.is_small_clause(child)


def _head(node: Node) -> int:
    labels = [child.label for child in node.children]
    for i, child in enumerate(node.children):
        if node.label in ("SBAR", "SBARQ", "RRC") and child.label in WH_LABELS:
            return i
    is_plus = node.label == "PP" and "NP" in labels  # plus interest
    open_places = [
        i
        for i, child in enumerate(node.children)
        if not child.is_mark
        and not ({"SBJ", "TPC"} & child.tags)
        and child.role != "complement"
        and child.label != "PRN"
        and (child.label != "CC" or is_plus)
    ]
    if node.label in ("S", "SINV", "SQ"):
        predicate = [i for i in open_places if "PRD" in node.children[i].tags]
        if "VP" not in labels and not any(x in VERBS for x in labels) and predicate:
            return predicate[-1]
    if node.label == "ADVP" and any("PRD" in child.tags for child in node.children):
        open_places = [i for i in open_places if "PRD" in node.children[i].tags] or open_places
    open_places = open_places or [i for i, c in enumerate(node.children) if not c.is_mark]
    if not open_places:
        return len(labels) - 1
    return open_places[HEADS.head(node.label, [labels[i] for i in open_places])]


def _role(node: Node, children: list[Node], i: int, head: int) -> str:
    child = children[i]
    is_after = i > head
    match node.label:
        case "SBAR" | "SBARQ" | "RRC":
            return "complement" if is_after and child.label in _BEHIND_PRONOUN else "adjunct"
        case "PP":
            is_first = not any(c.role == "complement" for c in children[:i])
            is_part = child.label not in ("PRN", "RB", "ADVP") or not children[i + 1 :]
            return "complement" if is_after and is_first and is_part else "adjunct"
        case "ADJP":
            if child.label in ("PP", "S", "SBAR") and is_after and "TMP" not in child.tags:
                return "complement"
            return "complement" if child.label == "NP" and not is_after else "adjunct"
        case "ADVP":
            if is_after and child.label in ("JJS", "RBS") and children[head].label == "IN":
                child.category = r"S[asup]\NP"  # at least
                return "complement"
            if child.label in ("PP", "SBAR") and is_after:
                return "complement"
            return "complement" if child.label == "NP" else "adjunct"  # a year ago, up a cent
        case "S" | "SINV" | "SQ" | "VP" | "FRAG":
            return _role_in_clause(node, children, i, head)
        case "NP":
            return _role_in_noun_phrase(children, i, head)
    return "adjunct"


def _role_in_clause(node: Node, children: list[Node], i: int, head: int) -> str:
    child = children[i]
    if "SBJ" in child.tags:
        return "complement"
    if i < head or (node.label in ("S", "FRAG")):
        return "adjunct"
    if child.label == "VP":
        return "complement"
    if child.tags & ARGUMENT_TAGS - {"CLR"}:
        return "complement"
    if child.label in ("PP", "UCP") and "CLR" in child.tags:
        return "complement"
    if child.tags & ADVERBIAL_TAGS or _is_late_relative(child, children[i - 1]):
        return "adjunct"
    if _is_late_apposition(children, i):
        return "adjunct"
    label = _first_of_unlikes(child).label
    if label in ("NP", "ADJP", "QP", "NX", *CLAUSES) or label in NOUNS:
        return "complement"
    return "adjunct"


def _first_of_unlikes(node: Node) -> Node:
    """The first conjunct of unlikes, which decides what they are to the verb; else the phrase."""
    while node.label == "UCP":
        node = next(child for child in node.children if not child.is_mark)
        if clauses.is_small_clause(node):
            raise NotConverted("coordination", "a small clause beside another complement")
    return node


def _is_late_relative(child: Node, before: Node) -> bool:
    """A relative clause behind a comma in the verb phrase: it rained, which is good."""
    parts = [part.label for part in child.children]
    return child.label == "SBAR" and parts[:1] == ["WHNP"] and before.label == ","


def _is_late_apposition(children: list[Node], i: int) -> bool:
    """It fell, a bad sign: an NP behind a mark, beside a verb phrase that has its own objects."""
    head = next((child for child in children[:i] if child.role == "head"), None)
    is_bare = children[i].label == "NP" and not children[i].tags
    return is_bare and head is not None and head.label == "VP" and children[i - 1].is_mark


def _role_in_noun_phrase(children: list[Node], i: int, head: int) -> str:
    child = children[i]
    if i > head and child.label == "NP" and i and children[i - 1].label in (",", ":"):
        return "apposition"
    return "adjunct"


# --- natural categories -------------------------------------------------------------------------


_ADJECTIVE = r"S[adj]\NP"
_OF_WORDS = {
    **{tag: rf"S[{form}]\NP" for tag, form in FORMS.items()},
    **dict.fromkeys(("JJ", "JJR", "JJS", "RB", "RBR", "RBS", "WRB"), _ADJECTIVE),
    "EX": "NP[thr]",
    "RP": r"(S\NP)\(S\NP)",
    "IN": "PP",
    "POS": r"(NP/N)\NP",
}
_OF_TRACES = {
    **dict.fromkeys(CLAUSES | {"FRAG"}, "S[dcl]"),
    **dict.fromkeys(("ADJP", "ADVP", "VP"), _ADJECTIVE),
    "PP": "PP",
}
_OF_PHRASES = {
    **dict.fromkeys(("PP", "WHPP", "CONJP"), "PP"),
    **dict.fromkeys(("ADJP", "ADVP", "WHADJP", "WHADVP"), _ADJECTIVE),
    "INTJ": "S[intj]",
}
"""What a label alone says; all others are NPs."""


def natural_category(node: Node) -> str:
    """The category of a complement with this label; empty where it depends on the place."""
    if node.is_word:
        own = rf"S[{node.form}]\NP" if node.form and node.label in FORMS else ""
        return own or _OF_WORDS.get(node.label, "NP")
    if node.label in NOUN_LABELS:
        return "N"
    if node.form in ("nested", "conj"):
        return next((c.category for c in node.children if c.role == "conjunct"), "")
    if node.trace:
        return _OF_TRACES.get(node.label, "NP")
    if node.label == "VP":
        return rf"S[{clauses.form_of(node) or 'dcl'}]\NP"
    if node.label in CLAUSES | {"PRN", "RRC"}:
        return _category_of_clause(node)
    if node.label == "FRAG":
        return _category_of_fragment(node)
    labels = [child.label for child in node.children]
    if node.label == "NP" and labels in (["EX"], ["NP"]):
        return node.children[0].category
    return _OF_PHRASES.get(node.label, "NP")


def _category_of_clause(node: Node) -> str:
    head = next((child for child in node.children if child.role == "head"), None)
    if head is None:
        return next((c.category for c in node.children if c.role != "mark"), "")
    if node.label == "SBARQ":
        return "S[wq]"
    if node.label == "SQ":
        subject = clauses.subject_of(node)
        return "S[dcl]" if subject is not None and subject.trace else "S[q]"
    if node.label == "SBAR":
        return _category_of_subordinate(node, head)
    if node.label in ("PRN", "RRC"):
        return head.category
    if head.label != "VP" and not (head.is_word and head.label in VERBS):
        if head.label in CLAUSES or clauses.subject_of(node) is None:
            return head.category
        return "S[adj]"
    form = clauses.form_of(head) or "dcl"
    if clauses.subject_of(node) is None and node.label != "SINV":
        return rf"S[{form}]\NP"
    return f"S[{form}]"


def _category_of_fragment(node: Node) -> str:
    """A fragment with a finite clause in it is that clause: the reason: prices fell."""
    heads = (child for child in node.children if child.role == "head")
    own = "".join(_category_of_clause(node) for head in heads if clauses.form_of(head) == "dcl")
    return own if own in ("S[dcl]", "S[q]", "S[wq]") else "S[frg]"


def _category_of_subordinate(node: Node, head: Node) -> str:
    if head.label in WH_LABELS:
        return "NP" if "NOM" in node.tags and head.label == "WHNP" else "S[qem]"
    if head.is_word:
        word = head.word.lower()
        return {"whether": "S[qem]", "if": "S[qem]", "for": "S[for]"}.get(word, "S[em]")
    return head.category
