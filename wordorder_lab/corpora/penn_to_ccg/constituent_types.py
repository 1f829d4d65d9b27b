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

from wordorder_lab.corpora.penn_to_ccg import clauses, tables
from wordorder_lab.corpora.penn_to_ccg.node import Node, NotConverted
from wordorder_lab.corpora.penn_to_ccg.preprocess import rearrange

_PUSHED = frozenset(["ADVP", "PP", "NP", "PRT", "QP", "INTJ", "LST", "WHADVP", "WHPP", "UCP"])
"""Adjuncts that never change their type: their head gets the category of the adjunct."""
_SETTLED = frozenset(["nested", "conj", "det", "bare", "done"])
_BEHIND_PRONOUN = tables.CLAUSES | {"VP", "FRAG", "NP", "ADJP", "PP"}


def find_types(node: Node) -> None:
    """Give every child its role, top-down, and then every phrase its category, bottom-up."""
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
        is_argument = child.role == "complement" and node.label in ("VP", "PP", "SBAR", "SQ")
        is_bare = node.label == "SBAR" and clauses.form_of(child) == "b"  # that he go
        if i > head and is_argument and not is_bare and clauses.is_small_clause(child):
            children = clauses.taken_apart(children, i)
            continue
        i += 1
    node.children = children


def _head(node: Node) -> int:
    children, labels = node.children, [child.label for child in node.children]
    if node.label in ("SBAR", "SBARQ", "RRC") and tables.WH_LABELS & {*labels}:
        return next(i for i, label in enumerate(labels) if label in tables.WH_LABELS)
    is_plus = node.label == "PP" and "NP" in labels  # plus interest
    unmarked = [i for i, child in enumerate(children) if not child.is_mark]
    places = [
        i
        for i in unmarked
        if not ({"SBJ", "TPC"} & children[i].tags)
        and children[i].role != "complement"
        and labels[i] != "PRN"
        and (labels[i] != "CC" or is_plus)
    ]
    predicates = [i for i in places if "PRD" in children[i].tags]
    if predicates and node.label in ("S", "SINV", "SQ") and not {"VP", *tables.VERBS} & {*labels}:
        return predicates[-1]
    if node.label == "ADVP":
        places = predicates or places
    places = places or unmarked
    if not places:
        return len(labels) - 1
    return places[tables.HEADS.head(node.label, [labels[i] for i in places])]


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
            is_listed = is_after and child.label == "NP" and children[i - 1].label in (",", ":")
            return "apposition" if is_listed else "adjunct"
    return "adjunct"


def _role_in_clause(node: Node, children: list[Node], i: int, head: int) -> str:
    child = children[i]
    if "SBJ" in child.tags:
        return "complement"
    if i < head or (node.label in ("S", "FRAG")):
        return "adjunct"
    if child.label == "VP" or child.tags & tables.ARGUMENT_TAGS - {"CLR"}:
        return "complement"
    if child.label in ("PP", "UCP") and "CLR" in child.tags:
        return "complement"
    parts = [part.label for part in child.children]
    is_late = child.label == "SBAR" and parts[:1] == ["WHNP"] and children[i - 1].label == ","
    if child.tags & tables.ADVERBIAL_TAGS or is_late or _is_late_apposition(children, i):
        return "adjunct"  # late: it rained, which is good
    while child.label == "UCP":  # the first of unlikes decides what they are to the verb
        child = next(part for part in child.children if not part.is_mark)
        if clauses.is_small_clause(child):
            raise NotConverted("coordination", "a small clause beside another complement")
    is_argument = child.label in ("NP", "ADJP", "QP", "NX", *tables.CLAUSES, *tables.NOUNS)
    return "complement" if is_argument else "adjunct"


def _is_late_apposition(children: list[Node], i: int) -> bool:
    """It fell, a bad sign: an NP behind a mark, beside a verb phrase that has its own objects."""
    head = next((child for child in children[:i] if child.role == "head"), None)
    is_bare = children[i].label == "NP" and not children[i].tags
    return is_bare and head is not None and head.label == "VP" and children[i - 1].is_mark


# --- natural categories -------------------------------------------------------------------------


_ADJECTIVE = r"S[adj]\NP"
_OF_WORDS = {
    **{tag: rf"S[{form}]\NP" for tag, form in tables.FORMS.items()},
    **dict.fromkeys(("JJ", "JJR", "JJS", "RB", "RBR", "RBS", "WRB"), _ADJECTIVE),
    "EX": "NP[thr]",
    "RP": r"(S\NP)\(S\NP)",
    "IN": "PP",
    "POS": r"(NP/N)\NP",
}
_OF_TRACES = {
    **dict.fromkeys(tables.CLAUSES | {"FRAG"}, "S[dcl]"),
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
        own = rf"S[{node.form}]\NP" if node.form and node.label in tables.FORMS else ""
        return own or _OF_WORDS.get(node.label, "NP")
    if node.label in tables.NOUN_LABELS:
        return "N"
    if node.form in ("nested", "conj"):
        return next((c.category for c in node.children if c.role == "conjunct"), "")
    if node.trace:
        return _OF_TRACES.get(node.label, "NP")
    if node.label == "VP":
        return rf"S[{clauses.form_of(node) or 'dcl'}]\NP"
    if node.label in tables.CLAUSES | {"PRN", "RRC"}:
        return _category_of_clause(node)
    if node.label == "FRAG":  # with a finite clause it is that clause: the reason: prices fell
        finite = any(c.role == "head" and clauses.form_of(c) == "dcl" for c in node.children)
        own = _category_of_clause(node) if finite else ""
        return own if own in ("S[dcl]", "S[q]", "S[wq]") else "S[frg]"
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
    if node.label == "SBAR" and head.label in tables.WH_LABELS:
        return "NP" if "NOM" in node.tags and head.label == "WHNP" else "S[qem]"
    if node.label == "SBAR" and head.is_word:
        words = {"whether": "S[qem]", "if": "S[qem]", "for": "S[for]"}
        return words.get(head.word.lower(), "S[em]")
    if node.label in ("PRN", "RRC", "SBAR"):
        return head.category
    if head.label != "VP" and not (head.is_word and head.label in tables.VERBS):
        if head.label in tables.CLAUSES or clauses.subject_of(node) is None:
            return head.category
        return "S[adj]"
    form = clauses.form_of(head) or "dcl"
    if clauses.subject_of(node) is None and node.label != "SINV":
        return rf"S[{form}]\NP"
    return f"S[{form}]"
