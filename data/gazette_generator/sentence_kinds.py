"""The kinds of sentences that news are made of. Each gives a sentence with its full stop."""

from __future__ import annotations

from collections.abc import Callable

from gazette_generator import clauses as cl
from gazette_generator.adjuncts import adorn, finished, in_front
from gazette_generator.draft import Draft, Entity
from gazette_generator.markets import FIGURES, moved
from gazette_generator.nominals import entity, hardly, with_preposition
from gazette_generator.passives import in_active_voice, passive
from gazette_generator.phrase import Phrase, Word, join, phrase
from gazette_generator.predicates import SIMPLE, clause, infinitive, predicate, tense
from gazette_generator.shorter_trees import speaker_first, stopped
from gazette_generator.words import BE, SAY, verb

Parts = tuple[Entity, Phrase]
"""A subject and its finite verb phrase, to which adjuncts may still be added."""


def write(draft: Draft) -> Phrase | None:
    """One sentence of any kind; ``None`` where words are lacking."""
    kind = draft.weighted(KINDS)
    made = kind(draft)
    if made is None:
        return None
    made = cl.stopped(made)
    for name, tree in draft.pending:
        draft.rewritten.append((name, stopped(tree, made.words()[-1])))
    return made


def plain(draft: Draft, frames: tuple[str, ...] = SIMPLE) -> Phrase | None:
    """``The bank sold the plant to Corvane Industries in May .``"""
    made = _parts(draft, frames)
    return finished(draft, *made) if made else None


def _parts(draft: Draft, frames: tuple[str, ...]) -> Parts | None:
    chosen = draft.verb(draft.one(frames))
    subject = entity(draft, chosen.subjects) if chosen else None
    vp = predicate(draft, subject, chosen=chosen) if subject else None
    return (subject, vp) if subject and vp else None


def reporting(draft: Draft) -> Phrase | None:
    """``The company said it would close the plant .``"""
    made = _parts(draft, ("c",))
    return in_front(draft, cl.clause(made[0].phrase, made[1])) if made else None


def controlled(draft: Draft) -> Phrase | None:
    """``The union urged workers to reject the offer .``, ``The mayor plans to resign .``"""
    return plain(draft, ("ti", "ti", "oc", "r"))


def passive_sentence(draft: Draft) -> Phrase | None:
    """``The road was closed by police on Tuesday .``"""
    made = passive(draft)
    if made is None:
        return None
    subject, vp = made
    if active := in_active_voice(draft, subject, vp):
        draft.pending.append(("substitution", active))
    return finished(draft, subject, vp)


def quoted(draft: Draft) -> Phrase | None:
    r"""```` We expect a decision soon , '' said Anna Ruiz .``, and the same without quotes."""
    draft.time = draft.weighted({"past": 2, "future": 3, "now": 3})
    said = clause(draft)
    chosen = draft.verb("q") if draft.chance(0.35) else SAY
    teller = entity(draft, ("leader", "expert", "speaker", "name"), 0)
    if said is None or chosen is None or teller is None:
        return None
    inverted = draft.chance(0.45)
    category = r"(S[dcl]\S[dcl])/NP" if inverted else r"(S[dcl]\S[dcl])\NP"
    word = verb(chosen, "past", "i")
    word.category = category
    marks = None
    if draft.chance(0.6):
        marks = (Word("``", "``", "LQU", "``"), Word("''", "''", "RQU", "''"))
    plain = word if chosen.base == "say" else verb(SAY, "past", "i")
    plain.source = () if plain is word else (word,)  # a shorter version says "said" for "insisted"
    draft.pending.append(("reordering", speaker_first(teller.phrase.tree, plain, said.tree)))
    return cl.reported(said, teller.phrase, word, marks)


def two_verbs(draft: Draft) -> Phrase | None:
    """``The bank closed the plant and sold the land .``"""
    made = _parts(draft, SIMPLE)
    if made is None:
        return None
    subject, first = made
    if subject.kind in FIGURES:
        return None
    second = predicate(draft, subject)
    if second is None:
        return None
    conjunction = Word(draft.weighted({"and": 4, "but": 1}), "CC", "conj")
    conjunction.lemma = conjunction.form
    vp = cl.coordinated_verbs(first, conjunction, second)
    draft.optionally(conjunction, second)
    return in_front(draft, cl.clause(subject.phrase, vp))


def two_clauses(draft: Draft) -> Phrase | None:
    """``The court rejected the appeal , but the defendant has not given up .``"""
    first, second = clause(draft), clause(draft)
    if first is None or second is None:
        return None
    conjunction = Word(draft.weighted({"and": 2, "but": 3}), "CC", "conj")
    conjunction.lemma = conjunction.form
    made = cl.coordinated_clauses(first, conjunction, second)
    sign = made.tree.children[1]
    draft.optionally(sign, conjunction, second)  # type: ignore[arg-type]
    return made


def likely(draft: Draft) -> Phrase | None:
    """``The bill is likely to pass the Senate .``, ``The union is ready to sign the deal .``"""
    chosen = draft.verb(draft.one(SIMPLE))
    subject = entity(draft, chosen.subjects) if chosen else None
    below = infinitive(draft, subject) if subject else None
    uses = ("raising", "control") if subject and subject.acts else ("raising",)
    adjectives = [
        a for a in draft.lexicon.adjectives if a.use in uses and draft.domain in a.domains
    ]
    if subject is None or below is None or not adjectives:
        return None
    word = Word(draft.one(adjectives).form, "JJ", r"(S[adj]\NP)/(S[to]\NP)", "", "Degree=Pos")
    word.lemma = word.form
    adjective = phrase("ADJP-PRD", [word, below], join(word, below))
    return finished(draft, subject, _be(draft, subject, adjective))


def described(draft: Draft) -> Phrase | None:
    """``The road was closed .``: a noun and an adjective that goes with it."""
    noun = draft.fresh([n for n in draft.lexicon.nouns if draft.domain in n.domains], "lemma")
    subject = entity(draft, (f"={noun.lemma}",)) if noun else None
    if noun is None or subject is None:
        return None
    adjectives = draft.lexicon.adjectives_for(noun, draft.domain, "both")
    chosen = draft.fresh(adjectives, "form")
    if chosen is None:
        return None
    word = Word(chosen.form, "JJ", r"S[adj]\NP", chosen.form, "Degree=Pos")
    adjective = phrase("ADJP-PRD", [word], join(word))
    return finished(draft, subject, _be(draft, subject, adjective))


def _be(draft: Draft, subject: Entity, below: Phrase) -> Phrase:
    """A form of ``be`` above an adjective phrase."""
    number = subject.phrase.number
    how = tense(draft, number)
    form = "past" if how.form == "ing" else how.form
    vp = cl.verb_phrase(verb(BE, form, "adj", number), below)
    if how.form == "ing":
        return vp
    for auxiliary in reversed(how.auxiliaries):
        vp = cl.auxiliary(auxiliary, vp)
    return vp


def figures(draft: Draft) -> Phrase | None:
    """``Net profit rose 12 % to $ 4.5 million in the third quarter .``"""
    made = moved(draft)
    return in_front(draft, cl.clause(made[0].phrase, made[1])) if made else None


NOTHING = ("evidence", "problem", "claim", "feeling", "injury", "inquiry", "plan", "deal")


def existential(draft: Draft) -> Phrase | None:
    """``There was no evidence of fraud .``"""
    entry = draft.fresh(draft.lexicon.nouns_for(NOTHING, draft.domain), "lemma")
    if entry is None or entry.is_plural_only:
        return None
    what = with_preposition(draft, hardly(draft, entry), 0)
    there = Word("There", "EX", "NP[thr]", "there", "PronType=Dem")
    be = verb(BE, "past", "i", what.phrase.number)
    be.category = r"(S[dcl]\NP[thr])/NP"
    vp = cl.verb_phrase(be, what.phrase.labelled("NP-PRD"))
    draft.time = "past"
    vp = adorn(draft, what._replace(kind="thing"), vp)
    return cl.clause(phrase("NP", [there], join(there)), vp)


KINDS: dict[Callable[[Draft], Phrase | None], float] = {
    plain: 34,
    passive_sentence: 14,
    reporting: 13,
    quoted: 11,
    controlled: 11,
    two_verbs: 6,
    two_clauses: 3,
    likely: 4,
    described: 3,
    figures: 9,
    existential: 2,
}
"""How common each kind is."""
