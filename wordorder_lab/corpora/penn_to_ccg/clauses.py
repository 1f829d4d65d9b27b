"""Clauses: the feature of every verb, small clauses taken apart, inversion made flat.

The features are those of Hockenmaier & Steedman (2007): dcl, b, to, ng, pss and pt; the tag of a
verb gives them, and its auxiliary tells a passive participle from that of a perfect.

A small clause (consider him a fool, want him to go, for him to go, with him going) has no category
of its own: subject and predicate become two arguments of the verb or preposition.

Differences
- *Paper silent*, features of verbs: a participle or base form that is the only verb of a main
  clause is finite (a wrong tag), and below an auxiliary a phrase without any verb has the feature
  it asks for.
- *Our reading*, clefts: "it is Kim that sings"; CCGbank's manual was not before us. The clause
  modifies "Kim" as a relative clause does, wherever the Treebank attaches it.
"""

from __future__ import annotations

from dataclasses import replace

from wordorder_lab.corpora.penn_to_ccg import tables
from wordorder_lab.corpora.penn_to_ccg.node import Node, first_of, give_role

_VERBAL = tables.VERBS | {"TO", "AUX"}


def verb_of(node: Node) -> Node | None:
    """The first verb of a verb phrase, clause or coordination of them; ``None`` if it has none."""
    while not node.is_word:
        child = _verb_among(node) or first_of(node.children, "VP", "SQ", "SINV", *_VERBAL)
        if child is None and node.label in ("S", "UCP", "SQ", "SINV"):
            child = first_of(node.children, "S")
        if child is None or child.trace:
            return None
        node = child
    return node if node.label in _VERBAL else None


def _verb_among(node: Node) -> Node | None:
    return first_of((child for child in node.children if child.is_word), *_VERBAL)


def form_of(node: Node) -> str:
    """The clause feature of a phrase by its first verb, empty without; a verb phrase whose verb has
    another tag is a participle if its first word ends in -ing."""
    if verb := verb_of(node):
        return verb.form or tables.FORMS.get(verb.label, "")
    first = next(node.words(), node)
    return "ng" if node.label == "VP" and first.word.endswith("ing") else ""


def set_forms(root: Node) -> None:
    """Give every verb its feature: the auxiliary above decides between S[pt] and S[pss]."""
    for node in root.nodes():
        if node is root or node.label in ("SBAR", "SINV"):
            _set_finite(node)
        if node.label == "NP" or ("ADV" in node.tags and subject_of(node) is None):
            for child in node.children:
                if child.label == "VP" and (verb := verb_of(child)) and verb.label == "VBD":
                    verb.form = "pss"  # the week ended Tuesday; asked about it, they left
        if node.label == "VP":
            _agree(node)
        if node.label in ("VP", "SQ", "SINV") and (auxiliary := _verb_among(node)):
            for child in node.children:
                if child.label in ("VP", "UCP"):
                    _set_form(auxiliary, child)


def _set_finite(node: Node) -> None:
    """A participle alone, or a base form but for "that he go", is finite in a main or subordinate
    clause with a subject: a wrong tag."""
    wrong = ("VBN",) if node.label == "SBAR" else ("VB", "VBN")
    for clause in (node, *node.children):
        phrase = first_of(clause.children, "VP")
        if clause.label == "S" and phrase is not None and subject_of(clause) is not None:
            verb = verb_of(phrase)
            if verb is not None and verb.label in wrong:
                verb.form = "dcl"


def _agree(node: Node) -> None:
    """Beside a finite verb phrase its conjuncts are finite: a wrong tag, if not below "to"."""
    phrases = [c for c in node.children if c.label == "VP" and c.role != "shared"]
    verbs = [verb for phrase in phrases if (verb := verb_of(phrase))]
    if any((verb.form or tables.FORMS.get(verb.label)) == "dcl" for verb in verbs):
        for verb in verbs:
            if verb.label in ("VB", "VBN"):
                verb.form = verb.form or "dcl"


def _set_form(auxiliary: Node, phrase: Node) -> None:
    """The feature of the verbs below an auxiliary, in every conjunct."""
    lower, verb = auxiliary.word.lower(), _verb_among(phrase)
    if verb is None:
        conjuncts = [child for child in phrase.children if child.label == "VP"]
        for child in conjuncts:
            _set_form(auxiliary, child)
        if phrase.label == "VP" and not conjuncts:  # a verb with another tag
            form = "pt" if lower in tables.HAVE else "pss" if lower in tables.BE else "b"
            phrase.category = rf"S[{form}]\NP"
    elif verb.label in ("VBN", "VBD"):
        is_has = lower == "'s" and verb.word.lower() in ("been", "had", "got")
        perfect = lower in tables.HAVE or is_has
        verb.form = "pt" if perfect else "pss" if lower in tables.BE else verb.form
    elif verb.label in ("VB", "VBP") and auxiliary.label in ("TO", "MD"):
        verb.form = "b"


def subject_of(clause: Node) -> Node | None:
    """The child that is the subject, overt or a trace."""
    return next((child for child in clause.children if "SBJ" in child.tags), None)


def is_small_clause(node: Node) -> bool:
    """Whether it is a clause of a subject and something behind it that is no finite verb."""
    subject = subject_of(node)
    if node.label != "S" or subject is None or form_of(node) == "dcl":
        return False
    behind = node.children[node.children.index(subject) + 1 :]
    return any(not child.is_mark for child in behind)


def taken_apart(children: list[Node], at: int) -> list[Node]:
    """The children with the small clause at ``at`` as its subject and its predicate."""
    clause = children[at]
    subject = subject_of(clause)
    assert subject is not None
    place = clause.children.index(subject)
    before, rest = clause.children[:place], clause.children[place + 1 :]
    between: list[Node] = []
    while rest[0].is_mark:
        between.append(rest.pop(0))
    give_role((*before, *between), "adjunct")
    subject.role = "complement"
    predicate = Node("S", frozenset(["PRD"]), children=rest, role="complement")
    return [*children[:at], *before, subject, *between, predicate, *children[at + 1 :]]


def relative_in_cleft(clause: Node) -> None:
    """It is Kim that sings: the clause modifies what stands behind the verb, as any relative."""
    phrase = clause
    while inner := first_of(phrase.children, "VP"):
        outer, phrase = phrase, inner
    if phrase is clause:
        return
    behind = outer.children[outer.children.index(phrase) :]
    if late := next(filter(_is_relative, behind), None):
        outer.children.remove(late)
        phrase.children.append(late)
    focus, relative = (
        first_of(phrase.children, "NP"),
        next(filter(_is_relative, phrase.children), None),
    )
    if focus is None or relative is None:
        return
    start, end = phrase.children.index(focus), phrase.children.index(relative)
    if start < end:
        parts = phrase.children[start : end + 1]
        whole = replace(focus, children=parts)
        parts[0], parts[-1] = (replace(one, tags=frozenset()) for one in (focus, relative))
        phrase.children[start : end + 1] = [whole]


def _is_relative(node: Node) -> bool:
    first = node.children[0].label if node.children else ""
    return node.label == "SBAR" and (first == "WHNP" or bool(node.filler))


def flat_inversion(node: Node) -> None:
    """Said Mr. X: the verb and its trace become children of the inverted clause."""
    phrase, subject = first_of(node.children, "VP"), subject_of(node)
    if phrase is None or subject is None:
        return
    place, at = node.children.index(phrase), node.children.index(subject)
    if at < place or phrase.children[0].label not in tables.VERBS:
        return
    verb, *gaps = phrase.children
    if all(gap.only().trace for gap in gaps):
        between, behind = node.children[place + 1 : at + 1], node.children[at + 1 :]
        node.children = [*node.children[:place], verb, *between, *gaps, *behind]
