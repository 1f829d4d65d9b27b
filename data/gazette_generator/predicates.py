"""What is said of a subject: verbs with what they take, tense, voice, control and raising."""

from __future__ import annotations

from typing import NamedTuple

from gazette_generator import clauses as cl
from gazette_generator import noun_phrases as np
from gazette_generator.draft import Draft, Entity
from gazette_generator.lexicon import Verb
from gazette_generator.nominals import entity, possessed
from gazette_generator.phrase import Phrase, Word, join, nest, phrase
from gazette_generator.words import (
    BE,
    BEFORE_VERB,
    DO,
    HAVE,
    PRONOUNS,
    adverb,
    infinitive_to,
    modal,
    negation,
    preposition,
    verb,
)

SIMPLE = ("t", "t", "t", "tn", "tp", "ip", "ip", "i")
"""Frames of a plain verb phrase, the common ones more often."""

OWNED = frozenset({"amount", "plan", "asset", "product", "service", "work", "document", "vehicle"})
"""Classes of what somebody may call their own."""


TENSES: dict[str, dict[str, float]] = {
    "past": {"past": 12, "before": 0.8},
    "now": {"perfect": 4, "progressive": 1.5, "present": 0.5},
    "future": {"modal": 1},
}
"""Time -> tense -> weight."""


NOT_PAST = ("already", "now", "still", "soon")
"""Adverbs that want more than a simple past."""


class Tense(NamedTuple):
    """Auxiliaries, outermost first, and the form of the verb below them."""

    auxiliaries: tuple[Word, ...]
    form: str


def tense(draft: Draft, number: str, passive: bool = False) -> Tense:
    """A finite tense; in the passive the form is that of ``be``'s complement."""
    kind = draft.weighted(TENSES[draft.time])
    present = "third" if number == "sg" else "plain"
    last = "passive" if passive else ""
    if kind == "modal":
        will = "would" if draft.reported else "will"
        word = modal(draft.weighted({will: 5, "could": 1.5, "may": 1.5, "should": 1}))
        return Tense((word, *_be(passive, "base", number)), last or "base")
    if kind in ("perfect", "before"):
        form = present if kind == "perfect" and not draft.reported else "past"
        have = verb(HAVE, form, "perfect", number)
        return Tense((have, *_be(passive, "perfect", number)), last or "perfect")
    if kind == "progressive":
        form = "past" if draft.reported else present
        be = verb(BE, form, "ing", number)
        return Tense((be, *_be(passive, "ing", number)), last or "ing")
    form = present if kind == "present" and not draft.reported else "past"
    return Tense(tuple(_be(passive, form, number)), last or form)


def _be(passive: bool, form: str, number: str) -> list[Word]:
    return [verb(BE, form, "passive", number)] if passive else []


def finite(draft: Draft, how: Tense, vp: Phrase, number: str) -> Phrase:
    """A verb phrase below its auxiliaries, perhaps with an adverb or a ``not``."""
    aspect = draft.lexicon.adverbs_for("aspect", draft.domain) if draft.adorned(0.08) else ()
    if not how.auxiliaries:
        aspect = tuple(adverb for adverb in aspect if adverb.form not in NOT_PAST)
    chosen = draft.fresh(aspect, "form") if aspect else None
    if chosen is not None:
        early = phrase("ADVP", [word := adverb(chosen.form, BEFORE_VERB)], join(word))
        draft.optionally(early)
        return _with_early(how, early, vp)._replace(number=number)
    elif how.auxiliaries and draft.chance(0.05):
        return _negated(how, vp)
    for auxiliary in reversed(how.auxiliaries):
        vp = cl.auxiliary(auxiliary, vp)
    return vp._replace(number=number)


def _with_early(how: Tense, early: Phrase, vp: Phrase) -> Phrase:
    """``already left``, ``has already left``: behind the first auxiliary if there is one."""
    if not how.auxiliaries:
        return cl.before_verb(early, vp)
    for auxiliary in reversed(how.auxiliaries[1:]):
        vp = cl.auxiliary(auxiliary, vp)
    first = how.auxiliaries[0]
    return phrase("VP", [first, early, vp], nest(first, early, vp))


def _negated(how: Tense, vp: Phrase) -> Phrase:
    for auxiliary in reversed(how.auxiliaries[1:]):
        vp = cl.auxiliary(auxiliary, vp)
    first, no = how.auxiliaries[0], negation()
    return phrase("VP", [first, no, vp], join(first, no, vp))


def not_finite(draft: Draft, subject: Entity, chosen: Verb) -> Phrase | None:
    """``did not`` + bare verb phrase."""
    vp = complements(draft, subject, chosen, "base")
    if vp is None:
        return None
    return _negated(Tense((verb(DO, "past", "base"),), "base"), vp)


def predicate(
    draft: Draft, subject: Entity, frames: tuple[str, ...] = SIMPLE, chosen: Verb | None = None
) -> Phrase | None:
    """A finite active verb phrase for a subject; ``None`` where no verb fits."""
    chosen = chosen or draft.verb(draft.one(frames), subject=subject)
    if chosen is None:
        return None
    number = subject.phrase.number
    if draft.time == "past" and draft.chance(0.04):
        return not_finite(draft, subject, chosen)
    how = tense(draft, number)
    word_form = how.form
    vp = complements(draft, subject, chosen, word_form)
    return None if vp is None else finite(draft, how, vp, number)


def complements(draft: Draft, subject: Entity, chosen: Verb, form: str) -> Phrase | None:
    """The verb in a form, with everything that it takes; ``None`` where words are lacking."""
    if chosen.frame in ("c", "q"):
        return _that_clause(draft, subject, chosen, form)
    if chosen.frame in ("ti", "r"):
        below = infinitive(draft, subject)
        return below and cl.verb_phrase(_verb(subject, chosen, form, "ti"), below)
    taken: list[Phrase] = []
    affected = None
    if chosen.objects:
        affected = _object(draft, subject, chosen)
        if affected is None:
            return None
        taken.append(affected.phrase)
    if chosen.frame == "oc":
        assert affected is not None
        below = infinitive(draft, affected)
        if below is None:
            return None
        taken.append(below)
    elif chosen.extra:
        second = entity(draft, chosen.extra, 1)
        if second is None:
            return None
        link = chosen.preposition
        taken.append(
            np.pp(preposition(link, "PP/NP"), second.phrase, "PP-CLR") if link else second.phrase
        )
    frame = {"tn": "t"}.get(chosen.frame, chosen.frame)
    return cl.verb_phrase(_verb(subject, chosen, form, frame), *taken)


def _verb(subject: Entity, chosen: Verb, form: str, frame: str) -> Word:
    return verb(chosen, form, frame, subject.phrase.number)


def _object(draft: Draft, subject: Entity, chosen: Verb) -> Entity | None:
    own = tuple(kind for kind in chosen.objects if kind in OWNED)
    if own and subject.acts and draft.chance(0.3):
        return possessed(draft, subject, own)
    return entity(draft, chosen.objects)


def infinitive(draft: Draft, subject: Entity) -> Phrase | None:
    """``to sell the plant``: somebody else's verb phrase, with this subject in mind."""
    chosen = draft.verb(draft.one(SIMPLE), subject=subject)
    vp = complements(draft, subject, chosen, "base") if chosen else None
    return vp and cl.infinitive(infinitive_to(), vp)


def _that_clause(draft: Draft, subject: Entity, chosen: Verb, form: str) -> Phrase | None:
    """``said that it would close the plant``: now and then about the subject itself."""
    kept = draft.time, draft.reported
    draft.time = draft.weighted({"past": 3, "future": 4, "now": 1.5})
    draft.reported = form not in ("third", "plain")
    inner = clause(draft, _again(subject) if draft.chance(0.5) and subject.acts else None)
    draft.time, draft.reported = kept
    if inner is None:
        return None
    if draft.chance(0.45):
        that = Word("that", "IN", "S[em]/S[dcl]", "that")
        return cl.verb_phrase(_verb(subject, chosen, form, "c"), cl.complementized(that, inner))
    return cl.verb_phrase(_verb(subject, chosen, form, "c0"), cl.without_complementizer(inner))


def _again(subject: Entity) -> Entity:
    """The pronoun for somebody who has been named."""
    number, gender = subject.phrase.number, subject.phrase.gender
    form = PRONOUNS["pl" if number == "pl" or (subject.is_human and gender == "n") else gender]
    word = Word(form, "PRP", "NP", form, "PronType=Prs")
    number = "pl" if form == "they" else number
    return subject._replace(phrase=np.pronoun(word, number, gender))


def clause(
    draft: Draft, subject: Entity | None = None, frames: tuple[str, ...] = SIMPLE
) -> Phrase | None:
    """A whole clause without full stop; ``None`` where words are lacking."""
    chosen = draft.verb(draft.one(frames), subject=subject)
    if chosen is None:
        return None
    subject = subject or entity(draft, chosen.subjects)
    vp = subject and predicate(draft, subject, chosen=chosen)
    return cl.clause(subject.phrase, vp) if subject and vp else None
