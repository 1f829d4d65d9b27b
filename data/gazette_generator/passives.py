"""The passive, the active sentence that says the same, and relative clauses, whole and reduced."""

from __future__ import annotations

from gazette_generator import clauses as cl
from gazette_generator import noun_phrases as np
from gazette_generator.draft import Draft, Entity
from gazette_generator.lexicon import Verb
from gazette_generator.nominals import entity
from gazette_generator.phrase import Node, Phrase, Word
from gazette_generator.predicates import complements, finite, predicate, tense
from gazette_generator.shorter_trees import active
from gazette_generator.words import preposition, verb


def passive(draft: Draft, subject: Entity | None = None) -> tuple[Entity, Phrase] | None:
    """Somebody or something, and what was done to it: ``was closed``, ``was closed by NP``."""
    chosen = _passive_verb(draft, subject)
    if chosen is None:
        return None
    subject = subject or entity(draft, chosen.objects)
    if subject is None:
        return None
    vp = passive_phrase(draft, chosen)
    how = tense(draft, subject.phrase.number, passive=True)
    return subject, finite(draft, how, vp, subject.phrase.number)


def _passive_verb(draft: Draft, subject: Entity | None) -> Verb | None:
    verbs = [v for frame in ("t", "t", "tp") for v in draft.lexicon.verbs_for(frame, draft.domain)]
    if subject is not None:
        verbs = [v for v in verbs if subject.goes_with(v.objects)]
    return draft.fresh(verbs, "base")


def passive_phrase(draft: Draft, chosen: Verb) -> Phrase:
    """``closed``, ``sold to the bank``, ``damaged by the storm``."""
    second = entity(draft, chosen.extra, 1) if chosen.frame == "tp" else None
    if second is not None:
        taken = np.pp(preposition(chosen.preposition, "PP/NP"), second.phrase, "PP-CLR")
        vp = cl.verb_phrase(verb(chosen, "passive", "ip"), taken)
    else:
        vp = cl.verb_phrase(verb(chosen, "passive", "i"))
    if draft.adorned(0.3):
        agent = entity(draft, chosen.subjects, 1)
        if agent is not None:
            by = np.pp(preposition("by", r"((S\NP)\(S\NP))/NP"), agent.phrase, "PP-LGS")
            vp = cl.with_adjunct(vp, by)
            draft.optionally(by)
            draft.agents[id(vp.words()[0])] = agent, chosen
    return vp


def in_active_voice(draft: Draft, subject: Entity, vp: Phrase) -> Node | None:
    """``The storm damaged the bridge`` for ``The bridge was damaged by the storm``.

    Only where the passive is a plain past with an agent, so that one word changes.
    """
    be, participle, *_ = vp.words()
    if be.tag != "VBD" or id(participle) not in draft.agents:
        return None
    agent, chosen = draft.agents[id(participle)]
    below = vp.tree.children[-1]
    assert isinstance(below, Node)
    between = below.children[1:-1]  # the participle is first, its "by" last
    past = verb(chosen, "past", "t")
    past.source = (participle,)
    return active(agent.phrase.tree, past, subject.phrase.tree, between)


# --- relative clauses behind a noun phrase -----------------------------------------------------

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
