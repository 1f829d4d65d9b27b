"""Relative clauses, whole and reduced, behind a noun phrase."""

from __future__ import annotations

from wordorder_lab.corpora.gazette import clauses as cl
from wordorder_lab.corpora.gazette import noun_phrases as np
from wordorder_lab.corpora.gazette.draft import Draft, Entity
from wordorder_lab.corpora.gazette.nominals import entity
from wordorder_lab.corpora.gazette.passives import passive_phrase
from wordorder_lab.corpora.gazette.phrase import Phrase, Word
from wordorder_lab.corpora.gazette.predicates import (
    complements,
    predicate,
    tense,
)
from wordorder_lab.corpora.gazette.words import preposition, verb

SUBJECT, OBJECT = r"(NP\NP)/(S[dcl]\NP)", r"(NP\NP)/(S[dcl]/NP)"


def modify(draft: Draft, head: Entity) -> Entity:
    """The same entity with a relative clause, where words allow one."""
    if draft.modifying:
        return head
    draft.modifying = True
    kind = draft.weighted({"subject": 3, "object": 2, "passive": 3, "ing": 1.5})
    made = {"subject": _subject, "object": _object, "passive": _passive, "ing": _ing}[kind](
        draft, head
    )
    draft.modifying = False
    return head._replace(phrase=made) if made else head


def _subject(draft: Draft, head: Entity) -> Phrase | None:
    """``who left the party``, or between commas ``, which has closed a plant ,``."""
    vp = predicate(draft, head)
    if vp is None:
        return None
    commas = head.kind in ("name", "org", "placename") or draft.chance(0.3)
    if commas and len(vp.words()) < 3:
        return None
    form = "who" if head.is_human else "which" if commas else "that"
    word = Word(form, "WP" if form == "who" else "WDT", SUBJECT, form, "PronType=Rel")
    return _put(draft, head, cl.subject_relative(word, vp), commas)


def _object(draft: Draft, head: Entity) -> Phrase | None:
    """``that the storm had damaged``."""
    if head.noun is None:
        return None
    candidates = [
        v for v in draft.lexicon.verbs_for("t", draft.domain) if head.goes_with(v.objects)
    ]
    chosen = draft.fresh(candidates, "base")
    subject = entity(draft, chosen.subjects, 2) if chosen else None
    if chosen is None or subject is None:
        return None
    how = tense(draft, subject.phrase.number)
    verbs = [*how.auxiliaries, verb(chosen, how.form, "t", subject.phrase.number)]
    if head.is_human:
        return None  # nobody writes "whom" any more
    word = Word("that", "WDT", OBJECT, "that", "PronType=Rel")
    return _put(draft, head, cl.object_relative(word, subject.phrase, verbs), False)


def _passive(draft: Draft, head: Entity) -> Phrase | None:
    """``built by the company``."""
    candidates = [
        v for v in draft.lexicon.verbs_for("t", draft.domain) if head.goes_with(v.objects)
    ]
    chosen = draft.fresh(candidates, "base")
    if chosen is None or head.noun is None:
        return None
    before = len(draft.optional)
    vp = passive_phrase(draft, chosen)
    for i in range(before, len(draft.optional)):
        draft.optional[i] = ()  # "built" alone, without its "by", is no relative clause
    if len(vp.words()) < 2:
        agent = entity(draft, chosen.subjects, 2)
        if agent is None:
            return None
        by = np.pp(preposition("by", r"((S\NP)\(S\NP))/NP"), agent.phrase, "PP-LGS")
        vp = cl.with_adjunct(vp, by)
    return _put(draft, head, cl.reduced_relative(vp), draft.chance(0.2))


def _ing(draft: Draft, head: Entity) -> Phrase | None:
    """``demanding higher pay``."""
    chosen = draft.verb("t", "tp", "ip", subject=head)
    if chosen is None or head.noun is None or not head.is_human:
        return None
    vp = complements(draft, head, chosen, "ing")
    return _put(draft, head, cl.reduced_relative(vp), False) if vp else None


def _put(draft: Draft, head: Entity, modifier: Phrase, commas: bool) -> Phrase:
    made = cl.modified(head.phrase, modifier, commas)
    draft.optionally(*made.words()[len(head.phrase.words()) :])
    return made
