"""The passive: what was done, perhaps by whom, and the active sentence that says the same."""

from __future__ import annotations

from wordorder_lab.corpora.gazette import clauses as cl
from wordorder_lab.corpora.gazette import noun_phrases as np
from wordorder_lab.corpora.gazette.draft import Draft, Entity
from wordorder_lab.corpora.gazette.lexicon_rows import Verb
from wordorder_lab.corpora.gazette.nominals import entity
from wordorder_lab.corpora.gazette.phrase import Node, Phrase
from wordorder_lab.corpora.gazette.predicates import finite, tense
from wordorder_lab.corpora.gazette.shorter_trees import active
from wordorder_lab.corpora.gazette.words import preposition, verb


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
