r"""Natural categories: what a phrase is as a complement, by its label and its head.

An NP is NP, a PP is PP, a clause ``S[dcl]``, an infinitive without a subject ``S[to]\NP``, an
adjective ``S[adj]\NP``. A verb asks its complements for these; an adjunct with such a category
may change it (reduced relatives, participles), if the type changes list that.
"""

from __future__ import annotations

from wordorder_lab.corpora.penn_to_ccg import clauses
from wordorder_lab.corpora.penn_to_ccg.node import Node
from wordorder_lab.corpora.penn_to_ccg.tables import CLAUSES, NOUN_LABELS, VERBS, WH_LABELS


def natural_category(node: Node) -> str:
    """The category of a complement with this label; empty where it depends on the place."""
    if node.is_word:
        return _category_of_word(node)
    if node.label in NOUN_LABELS:
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
            return _category_of_fragment(node)
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
        case "S" | "SBAR" | "SINV" | "SQ" | "SBARQ" | "FRAG":
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
