"""What is put around a clause: adjuncts behind the verb phrase, adverbials before the subject."""

from __future__ import annotations

from wordorder_lab.corpora.gazette import clauses as cl
from wordorder_lab.corpora.gazette import noun_phrases as np
from wordorder_lab.corpora.gazette.adjuncts import (
    according_to,
    manner,
    participial,
    prepositional,
    sentence_adverb,
    subordinate,
    temporal,
)
from wordorder_lab.corpora.gazette.draft import Draft, Entity
from wordorder_lab.corpora.gazette.phrase import Phrase, Word
from wordorder_lab.corpora.gazette.shorter_trees import put_behind
from wordorder_lab.corpora.gazette.words import ADJUNCT, FRONTED


def adorn(draft: Draft, subject: Entity, vp: Phrase) -> Phrase:
    """Add what fits behind the verb phrase: manner, place, time, reasons."""
    base = next((w.lemma for w in vp.words() if w.tag.startswith("VB")), "")
    if draft.adorned(0.1) and (how := manner(draft, base)):
        vp = behind(draft, vp, how)
    if draft.adorned(0.24) and (where := prepositional(draft, ADJUNCT, "place", "instrument")):
        vp = behind(draft, vp, where)
    if not draft.dated and draft.adorned(0.36):
        vp = behind(draft, vp, temporal(draft, ADJUNCT))
    elif draft.adorned(0.3) and (when := prepositional(draft, ADJUNCT, "time", "source", "topic")):
        vp = behind(draft, vp, when)
    if draft.adorned(0.12) and (why := subordinate(draft, ADJUNCT)):
        vp = behind(draft, vp, why)
    elif subject.acts and draft.adorned(0.09) and (by := participial(draft, subject)):
        vp = behind(draft, vp, by, np.comma())
    return vp


def behind(draft: Draft, vp: Phrase, adjunct: Phrase, sign: Word | None = None) -> Phrase:
    """An adjunct behind the verb phrase, which a shorter version may leave out."""
    draft.optionally(*([sign] if sign else []), adjunct)
    return cl.with_adjunct(vp, adjunct, sign)


def in_front(draft: Draft, sentence: Phrase) -> Phrase:
    """Now and then something comes before the subject."""
    if not draft.adorned(0.2):
        return sentence
    time = 0 if draft.dated else 3
    kind = draft.weighted({"time": time, "pp": 2, "adverb": 2.5, "clause": 2, "teller": 1.5})
    first: Phrase | None
    if kind == "time":
        first = temporal(draft, FRONTED)
    elif kind == "pp":
        first = prepositional(draft, FRONTED, "time", "topic", "source")
    elif kind == "adverb":
        first = sentence_adverb(draft)
    elif kind == "clause":
        first = subordinate(draft, FRONTED)
    else:
        first = according_to(draft)
    if first is None:
        return sentence
    sign = np.comma()
    draft.optionally(first, sign)
    if kind in ("time", "pp") and sentence.words()[-1].form != ",":
        draft.pending.append(("reordering", put_behind(sentence.tree, first.tree)))
    return cl.fronted(first, sentence, sign)


def finished(draft: Draft, subject: Entity, vp: Phrase) -> Phrase:
    """The clause with all that is put around it."""
    return in_front(draft, cl.clause(subject.phrase, adorn(draft, subject, vp)))
