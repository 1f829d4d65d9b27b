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

from wordorder_lab.corpora.penn_to_ccg.node import Node
from wordorder_lab.corpora.penn_to_ccg.tables import BE, FORMS, HAVE, VERBS

_VERBAL = VERBS | {"TO", "AUX"}


def verb_of(node: Node) -> Node | None:
    """The first verb of a verb phrase, clause or coordination of them; ``None`` if it has none."""
    while not node.is_word:
        child = next((c for c in node.children if c.label in _VERBAL and c.is_word), None)
        if child is None:
            child = next(
                (c for c in node.children if c.label in ("VP", "SQ", "SINV") or c.label in _VERBAL),
                None,
            )
        if child is None and node.label in ("S", "UCP", "SQ", "SINV"):
            child = next((c for c in node.children if c.label == "S"), None)
        if child is None or child.trace:
            return None
        node = child
    return node if node.label in _VERBAL else None


def form_of(node: Node) -> str:
    """The clause feature of a phrase by its first verb; empty if there is none.

    A verb phrase whose verb has another tag is a participle if its first word ends in -ing.
    """
    if verb := verb_of(node):
        return verb.form or FORMS.get(verb.label, "")
    first = next(node.words(), node)
    return "ng" if node.label == "VP" and first.word.endswith("ing") else ""


def set_forms(root: Node) -> None:
    """Give every verb its feature: the auxiliary above decides between S[pt] and S[pss]."""
    waiting = [root]
    while waiting:
        node = waiting.pop()
        waiting += node.children
        if node is root or node.label in ("SBAR", "SINV"):
            _set_finite(node)
        if node.label == "NP" or ("ADV" in node.tags and subject_of(node) is None):
            for child in node.children:
                if child.label == "VP" and (verb := verb_of(child)) and verb.label == "VBD":
                    verb.form = "pss"  # the week ended Tuesday; asked about it, they left
        if node.label == "VP":
            _agree(node)
        if node.label in ("VP", "SQ", "SINV"):
            auxiliary = next((c for c in node.children if c.is_word and c.label in _VERBAL), None)
            if auxiliary is not None:
                for child in node.children:
                    if child.label == "VP" or (child.label == "UCP"):
                        _set_form(auxiliary, child)


def _set_finite(node: Node) -> None:
    """A participle alone is finite in a main or subordinate clause with a subject: a wrong tag.

    So is a base form, but for a subordinate clause: that he go.
    """
    wrong = ("VBN",) if node.label == "SBAR" else ("VB", "VBN")
    for clause in (node, *node.children):
        phrase = next((child for child in clause.children if child.label == "VP"), None)
        if clause.label == "S" and phrase is not None and subject_of(clause) is not None:
            verb = verb_of(phrase)
            if verb is not None and verb.label in wrong:
                verb.form = "dcl"


def _agree(node: Node) -> None:
    """Beside a finite verb phrase its conjuncts are finite: a wrong tag, if not below "to"."""
    phrases = [c for c in node.children if c.label == "VP" and c.role != "shared"]
    verbs = [verb for phrase in phrases if (verb := verb_of(phrase))]
    if any((verb.form or FORMS.get(verb.label)) == "dcl" for verb in verbs):
        for verb in verbs:
            if verb.label in ("VB", "VBN"):
                verb.form = verb.form or "dcl"


def _expected_form(auxiliary: Node) -> str:
    lower = auxiliary.word.lower()
    return "pt" if lower in HAVE else "pss" if lower in BE else "b"


def _set_form(auxiliary: Node, phrase: Node) -> None:
    """The feature of the verbs below an auxiliary, in every conjunct."""
    verb = next((c for c in phrase.children if c.is_word and c.label in _VERBAL), None)
    if verb is None:
        for child in phrase.children:
            if child.label == "VP":
                _set_form(auxiliary, child)
        if phrase.label == "VP" and not any(c.label == "VP" for c in phrase.children):
            phrase.category = rf"S[{_expected_form(auxiliary)}]\NP"  # a verb with another tag
        return
    lower = auxiliary.word.lower()
    if verb.label in ("VBN", "VBD"):
        perfect = lower in HAVE or (lower == "'s" and verb.word.lower() in ("been", "had", "got"))
        verb.form = "pt" if perfect else "pss" if lower in BE else verb.form
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
    for child in (*before, *between):
        child.role = "mark" if child.is_mark else "adjunct"
    subject.role = "complement"
    predicate = Node("S", frozenset(["PRD"]), children=rest, role="complement")
    return [*children[:at], *before, subject, *between, predicate, *children[at + 1 :]]


def relative_in_cleft(clause: Node) -> None:
    """It is Kim that sings: the clause modifies what stands behind the verb, as any relative."""
    phrase = clause
    while inner := next((child for child in phrase.children if child.label == "VP"), None):
        outer, phrase = phrase, inner
    if phrase is clause:
        return
    late = next(
        (c for c in outer.children[outer.children.index(phrase) :] if _is_relative(c)), None
    )
    if late is not None:
        outer.children.remove(late)
        phrase.children.append(late)
    focus = next((i for i, child in enumerate(phrase.children) if child.label == "NP"), None)
    place = next((i for i, child in enumerate(phrase.children) if _is_relative(child)), None)
    if focus is not None and place is not None and focus < place:
        parts = phrase.children[focus : place + 1]
        whole = replace(parts[0], children=parts)
        parts[0] = replace(parts[0], tags=frozenset())
        parts[-1] = replace(parts[-1], tags=frozenset())
        whole.children = parts
        phrase.children[focus : place + 1] = [whole]


def _is_relative(node: Node) -> bool:
    first = node.children[0].label if node.children else ""
    return node.label == "SBAR" and (first == "WHNP" or bool(node.filler))


def flat_inversion(node: Node) -> None:
    """Said Mr. X: the verb and its trace become children of the inverted clause."""
    phrase = next((child for child in node.children if child.label == "VP"), None)
    subject = subject_of(node)
    if phrase is None or subject is None:
        return
    place = node.children.index(phrase)
    if node.children.index(subject) < place or phrase.children[0].label not in VERBS:
        return
    rest = phrase.children[1:]
    after = node.children.index(subject) + 1
    gaps = [child for child in rest if _is_gap(child)]
    if len(gaps) == len(rest):
        node.children = [
            *node.children[:place],
            phrase.children[0],
            *node.children[place + 1 : after],
            *gaps,
            *node.children[after:],
        ]


def _is_gap(node: Node) -> bool:
    while len(node.children) == 1:
        node = node.children[0]
    return bool(node.trace)
