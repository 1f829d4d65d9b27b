"""Exercise 13.5: complement or adjunct? A student's rule, held against the conversion's."""

from __future__ import annotations

from functools import cache
from typing import Any

from nltk.tree import Tree

from wordorder_lab.check.common.exercise import Exercise, Wrong, function_of
from wordorder_lab.corpora.penn_to_ccg.convert import to_derivation

INSIDE = {
    "NP": "(NN tea)",
    "PP": "(IN in) (NP (NN tea))",
    "ADVP": "(RB late)",
    "ADJP": "(JJ late)",
    "S": "(NP-SBJ (-NONE- *)) (VP (TO to) (VP (VB leave)))",
    "SBAR": "(IN because) (S (NP-SBJ (NNP Bob)) (VP (VBD left)))",
}
"""What stands behind the verb, by its label."""
TAGS = ("", "TMP", "LOC", "PRP", "MNR", "PRD", "DTV", "CLR")
ROLES = ("complement", "adjunct")
STEP = "constituent types"


@cache
def roles() -> dict[tuple[str, str], str]:
    """The role of a child behind the verb, by its label and its function tag (or none)."""
    return {(label, tag): _role_behind(label, tag) for tag in TAGS for label in INSIDE}


def _role_behind(label: str, tag: str) -> str:
    """What the conversion says of it, behind an intransitive past tense."""
    full = f"{label}-{tag}" if tag else label
    text = f"(S (NP-SBJ (NNP Ada)) (VP (VBD went) ({full} {INSIDE[label]})) (. .))"
    steps = dict(to_derivation(Tree.fromstring(text), steps=True).steps)
    return str(steps[STEP][1][-1].label()).rpartition(":")[2]


def _judge_role(answer: Any) -> str:
    own = function_of(answer, "role")
    for (label, tag), right in roles().items():
        yours = own(label, tag)
        if yours not in ROLES:
            raise Wrong(f"role({label!r}, {tag!r}) gave {yours!r}, which is none of {ROLES}.")
        if yours != right:
            full = f"{label}-{tag}" if tag else label
            raise Wrong(f"{full} behind a verb: the conversion says {right}, and you {yours}.")
    return f"{len(roles())} phrases, and you and the conversion agree on each of them."


def role_of_the_conversion(label: str, tag: str) -> str:
    """A right rule in a few lines."""
    if tag in ("PRD", "DTV") or (label, tag) == ("PP", "CLR"):
        return "complement"
    if tag in ("TMP", "LOC", "PRP", "MNR") or label in ("PP", "ADVP"):
        return "adjunct"
    return "complement"


def _solve_role() -> str:
    return (
        "def role(label, tag):\n"
        '    if tag in ("PRD", "DTV") or (label, tag) == ("PP", "CLR"):\n'
        '        return "complement"\n'
        '    if tag in ("TMP", "LOC", "PRP", "MNR") or label in ("PP", "ADVP"):\n'
        '        return "adjunct"\n'
        '    return "complement"'
    )


EXERCISES = (
    Exercise(
        "13.5",
        "Write the rule for complements and adjuncts behind a verb.",
        (
            "First what the tag says: time, place, purpose and manner (TMP, LOC, PRP, MNR) are "
            "adjuncts, whatever the label; a predicate and a dative (PRD, DTV) are complements.",
            "Without a tag: noun phrases, adjective phrases and clauses are complements; "
            "prepositional phrases and adverbs are adjuncts.",
            "CLR, closely related, makes a complement of a PP, and changes nothing else.",
        ),
        _judge_role,
        _solve_role,
    ),
)
