"""Constituent types: in every phrase the head, its complements, its adjuncts; natural categories.

Section 3.2 of Hockenmaier & Steedman (2007): function tags and position decide what is a complement.
Each phrase also learns its natural category, that of a complement with its label: PP, S[to]\\NP.
"""

from __future__ import annotations

from wordorder_lab.corpora.penn_to_ccg import clauses, noun_phrases
from wordorder_lab.corpora.penn_to_ccg.coordination import (
    alike,
    coordinate,
    coordinated_words,
    is_coordinated,
)
from wordorder_lab.corpora.penn_to_ccg.node import Node
from wordorder_lab.corpora.penn_to_ccg.tables import (
    ADVERBIAL_TAGS,
    ARGUMENT_TAGS,
    CLAUSES,
    HEADS,
    NOUNS,
    VERBS,
    WH_LABELS,
)

_PUSHED = frozenset(["ADVP", "PP", "NP", "PRT", "QP", "INTJ", "LST", "WHADVP", "WHPP", "UCP"])
_NOUN_LABELS = frozenset(["N", "NX", "NAC"])


def find_types(node: Node) -> None:
    """Give every child its role, top-down, and then every phrase its category, bottom-up."""
    if node.is_word or node.trace:
        node.category = node.category or natural_category(node)
        return
    if node.form not in ("nested", "conj", "det", "bare", "done"):
        _arrange(node)
    for child in node.children:
        find_types(child)
        if child.role == "adjunct" and (child.is_word or child.label in _PUSHED):
            child.category = ""  # it takes what its place asks for: no type changes
    node.category = node.category or natural_category(node)


def _arrange(node: Node) -> None:
    node.children = [c for c in node.children]
    if node.label == "UCP" and len(node.children) > 2 and is_coordinated(node):
        coordinate(node)
    elif node.label in ("NP", "WHNP") and not noun_phrases.has_phrase_as_head(node):
        _arrange_noun_phrase(node)
    elif node.label in _NOUN_LABELS:
        noun_phrases.arrange_noun(node)
    elif node.label == "QP":
        noun_phrases.arrange_quantity(node)
    elif is_coordinated(node) and not _words_only(node):
        coordinate(node)
    else:
        if node.label == "PRN" and clauses.subject_of(node) is not None:
            solid = [child for child in node.children if not child.is_mark]
            start = node.children.index(solid[0])
            end = node.children.index(solid[-1]) + 1
            clause = Node("S", children=node.children[start:end])
            node.children = [*node.children[:start], clause, *node.children[end:]]
        if node.label == "PP":
            _group_prepositions(node)
        if node.label == "SINV":
            clauses.flat_inversion(node)
        node.children = coordinated_words(node.children)
        if node.label in WH_LABELS:
            _arrange_question_word(node)
        else:
            _give_roles(node)


def _group_prepositions(node: Node) -> None:
    """Because of it, such as these, from under it: what follows the first is a PP of its own."""
    at = next((i for i, c in enumerate(node.children) if c.is_word and not c.is_mark), None)
    if at is None or node.children[at].label not in ("IN", "JJ", "RB", "TO", "VBG"):
        return
    rest = node.children[at + 1 :]
    if len(rest) > 1 and rest[0].is_word and rest[0].label in ("IN", "TO"):
        first = node.children[at]
        first.role = "head"
        node.children = [*node.children[: at + 1], Node("PP", children=rest, role="complement")]


def _words_only(node: Node) -> bool:
    """Whether the conjunction joins words that share what follows: bought and sold it."""
    grouped = coordinated_words(node.children)
    solid = [child for child in grouped if not child.is_mark]
    if len(grouped) == len(node.children) or all(alike(c.label, solid[-1].label) for c in solid):
        return False
    return len(grouped) > 1 and not any(c.label in ("CC", "CONJP") for c in grouped[1:])


def _arrange_noun_phrase(node: Node) -> None:
    if node.label == "WHNP" and any(c.label in WH_LABELS for c in node.children):
        _arrange_question_word(node)
    elif _joins_phrases(node):
        coordinate(node)
    else:
        noun_phrases.arrange_base(node)


def _joins_phrases(node: Node) -> bool:
    """Whether what a conjunction joins are NPs, though the Treebank may have left them flat."""
    if not is_coordinated(node):
        return False
    place = next(i for i, c in enumerate(node.children) if i and c.label in ("CC", "CONJP"))
    behind = [c for c in node.children[place + 1 :] if not c.is_mark]
    determiners = ("DT", "PRP$", "PRP")
    return any(
        c.label in determiners or (c.label == "NP" and not noun_phrases.is_possessive(c))
        for c in behind[:1]
    )


def _arrange_question_word(node: Node) -> None:
    """Roles in WHNP, WHPP, WHADVP, WHADJP: which is the word that asks, and what belongs to it."""
    children = node.children
    if is_coordinated(node):
        coordinate(node)
        return
    head = HEADS.head(node.label, [child.label for child in children])
    if node.label == "WHPP":
        head = next((i for i, c in enumerate(children) if c.label in WH_LABELS), head)
    if node.label == "WHNP":
        head = next((i for i, c in enumerate(children) if c.label in WH_LABELS), head)
        head = next((i for i, c in enumerate(children) if c.label == "WHPP"), head)
        if children[head].label in ("WHADJP", "WHADVP", "WHNP") and head + 1 < len(children):
            noun = Node("N", children=children[head + 1 :], role="complement")
            noun.category = "N"
            for inner in children[head].children:
                if inner.label in ("JJ", "RB"):
                    inner.category = "NP/N"
            node.children = children = [*children[: head + 1], noun]
    for i, child in enumerate(children):
        child.role = "mark" if child.is_mark else "head" if i == head else "adjunct"
        if i != head and not child.is_mark:
            after = i > head and node.label in ("WHADVP", "WHADJP")
            of_which = children[head].label == "WHPP"
            if after or of_which or child.label in ("N", "NP", "IN", "TO"):
                child.role = "complement"
            if of_which:
                child.category = "NP"


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
        if child.role == "complement" and node.label in ("VP", "PP", "SBAR", "SQ"):
            if i > head and clauses.is_small_clause(child):
                children = clauses.taken_apart(children, i)
                i = children.index(child) if child in children else i - 1
        i += 1
    node.children = children


def _head(node: Node) -> int:
    labels = [child.label for child in node.children]
    for i, child in enumerate(node.children):
        if node.label in ("SBAR", "SBARQ", "RRC") and child.label in WH_LABELS:
            return i
    open_places = [
        i
        for i, child in enumerate(node.children)
        if not child.is_mark
        and not ({"SBJ", "TPC"} & child.tags)
        and child.role != "complement"
        and child.label not in ("CC", "PRN")
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
            return (
                "complement"
                if is_after and child.label in CLAUSES | {"VP", "FRAG", "NP", "ADJP", "PP"}
                else "adjunct"
            )
        case "PP":
            used = any(c.role == "complement" for c in children[:i])
            is_part = child.label not in ("PRN", "RB", "ADVP") or not children[i + 1 :]
            return "complement" if is_after and not used and is_part else "adjunct"
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
            return "complement" if child.label == "NP" and not is_after else "adjunct"
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
    if child.tags & ADVERBIAL_TAGS:
        return "adjunct"
    if child.label in ("NP", "ADJP", "QP", "NX", *CLAUSES) or child.label in NOUNS:
        return "complement"
    return "adjunct"


def _role_in_noun_phrase(children: list[Node], i: int, head: int) -> str:
    child = children[i]
    if i > head and child.label == "NP" and i and children[i - 1].label in (",", ":"):
        return "apposition"
    return "adjunct"


# --- natural categories ----------------------------------------------------------------------


def natural_category(node: Node) -> str:
    """The category of a complement with this label; empty where it depends on the place."""
    if node.is_word:
        return _category_of_word(node)
    if node.label in _NOUN_LABELS:
        return "N"
    if node.form in ("nested", "conj"):
        return next((c.category for c in node.children if c.role in ("conjunct",)), "")
    if node.trace:
        return _category_of_trace(node)
    match node.label:
        case "NP":
            only = node.children[0] if len(node.children) == 1 else None
            return only.category if only and only.label in ("EX", "NP") else "NP"
        case "N" | "NX" | "NAC":
            return "N"
        case "WHNP":
            return "NP"
        case "PP" | "WHPP" | "CONJP":
            return "PP"
        case "ADJP" | "ADVP" | "WHADJP" | "WHADVP":
            return r"S[adj]\NP"
        case "VP":
            return rf"S[{clauses.form_of(node) or 'dcl'}]\NP"
        case "S" | "SINV" | "SQ" | "SBAR" | "SBARQ" | "PRN" | "RRC":
            return _category_of_clause(node)
        case "FRAG":
            return "S[frg]"
        case "INTJ":
            return "S[intj]"
    return "NP"


_WORDS = {"EX": "NP[thr]", "RP": r"(S\NP)\(S\NP)", "IN": "PP", "TO": "PP", "POS": r"(NP/N)\NP"}


def _category_of_word(node: Node) -> str:
    if node.label in clauses.FORMS:
        return rf"S[{node.form or clauses.FORMS[node.label]}]\NP"
    if node.label in ("JJ", "JJR", "JJS", "RB", "RBR", "RBS", "WRB"):
        return r"S[adj]\NP"
    return _WORDS.get(node.label, "NP")


def _category_of_trace(node: Node) -> str:
    match node.label:
        case "S" | "SBAR" | "SINV" | "SQ" | "SBARQ":
            return "S[dcl]"
        case "ADJP" | "ADVP" | "VP":
            return r"S[adj]\NP"
        case "PP":
            return "PP"
    return "NP"


def _category_of_clause(node: Node) -> str:
    head = next((child for child in node.children if child.role == "head"), None)
    if head is None:
        return next((c.category for c in node.children if c.role != "mark"), "")
    if node.label == "SBARQ":
        return "S[wq]"
    if node.label == "SQ":
        return "S[q]"
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


def _category_of_subordinate(node: Node, head: Node) -> str:
    if head.label in WH_LABELS:
        return "NP" if "NOM" in node.tags and head.label == "WHNP" else "S[qem]"
    if head.is_word:
        word = head.word.lower()
        return {"whether": "S[qem]", "if": "S[qem]", "for": "S[for]"}.get(word, "S[em]")
    return head.category
