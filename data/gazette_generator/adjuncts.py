"""When, where, how and why: what may be said besides, and how a clause is adorned with it.

Adjuncts stand behind the verb phrase, adverbials before the subject.
"""

from __future__ import annotations

from gazette_generator import clauses as cl
from gazette_generator import noun_phrases as np
from gazette_generator.draft import Draft, Entity
from gazette_generator.names import place
from gazette_generator.nominals import entity, some_time
from gazette_generator.phrase import Phrase, Word, join, lift, phrase
from gazette_generator.predicates import SIMPLE, clause, complements
from gazette_generator.shorter_trees import put_behind
from gazette_generator.words import ADJUNCT, FRONTED, adverb, numeral, preposition

LABELS = {"time": "PP-TMP", "place": "PP-LOC", "source": "PP-PRP", "topic": "PP-ADV"}
PERIODS = ("week", "month", "year", "weekend", "summer", "spring", "winter", "fall")


DATES: dict[str, dict[str, float]] = {
    "past": {"day": 3, "bare day": 2, "period": 3, "month": 2, "year": 1},
    "now": {"period": 1},
    "future": {"day": 2, "bare day": 1, "period": 3, "month": 2},
}
WHICH = {"past": ("last", "last", "this"), "now": ("this",), "future": ("next", "next", "this")}


def temporal(draft: Draft, to: str) -> Phrase:
    """``last week``, ``on Tuesday``, ``in May``, ``in 1987``; ``to`` is what it attaches to."""
    draft.dated = True
    kind = draft.weighted(DATES[draft.time])
    if kind == "period":
        form = draft.one(WHICH[draft.time])
        words = [Word(form, "JJ", "N/N", form, "Degree=Pos")]
        if words[0].form == "this":
            words[0].tag, words[0].feats = "DT", "Number=Sing|PronType=Dem"
        words.append(Word(draft.one(PERIODS), "NN", "N", "", "Number=Sing"))
        words[1].lemma = words[1].form
        return _noun_phrase(words, to)
    if kind == "bare day":
        return _noun_phrase([_name(draft.name("weekday"))], to)
    if kind == "day":
        return _time_pp("on", np.bare([_name(draft.name("weekday"))]), to)
    if kind == "month":
        words = [_name(draft.name("month"))]
        return _time_pp("in", np.bare(words), to)
    year = str(1962 + draft.random.randrange(58))
    return _time_pp("in", np.bare([numeral(year, "N")]), to)


def _name(form: str) -> Word:
    return Word(form, "NNP", "N", form, "Number=Sing")


def _noun_phrase(words: list[Word], to: str) -> Phrase:
    made = np.bare(words)
    return made.labelled("NP-TMP")._replace(ccg=lift(made, to))


def _time_pp(form: str, object: Phrase, to: str) -> Phrase:
    return np.pp(preposition(form, _over(to)), object, "PP-TMP")


def prepositional(draft: Draft, to: str, *meanings: str) -> Phrase | None:
    """A PP of one of these meanings with words of this domain."""
    if "place" in meanings and draft.chance(0.55):
        return np.pp(preposition("in", _over(to)), place(draft), "PP-LOC")
    choices = draft.lexicon.prepositions_of_clauses(draft.domain, *meanings)
    chosen = draft.one(choices) if choices else None
    if chosen is None or (chosen.meaning == "time" and draft.time == "now"):
        return None
    if chosen.meaning == "time":
        if draft.dated:
            return None
        draft.dated = True
    long = chosen.form in ("for", "within") and chosen.objects == ("time",)
    below = some_time(draft) if long else entity(draft, chosen.objects, 1)
    if below is None:
        return None
    label = LABELS.get(chosen.meaning, "PP-ADV")
    if chosen.form == "because of":
        outer = preposition("because", f"({to})/PP")
        inner = np.pp(preposition("of", "PP/NP"), below.phrase)
        return phrase(label, [outer, inner], join(outer, inner))
    return np.pp(preposition(chosen.form, _over(to)), below.phrase, label)


def _over(to: str) -> str:
    """The category of a preposition whose phrase attaches to that."""
    return f"({to})/NP"


def manner(draft: Draft, base: str) -> Phrase | None:
    """An adverb behind the verb phrase that suits the verb."""
    chosen = draft.fresh(draft.lexicon.adverbs_for("manner", draft.domain, base), "form")
    if chosen is None:
        return None
    word = adverb(chosen.form, ADJUNCT)
    return phrase("ADVP-MNR", [word], join(word))


PARTICIPLES = ("t", "tp", "tn")


def participial(draft: Draft, subject: Entity) -> Phrase | None:
    """``citing weak demand``."""
    chosen = draft.verb(draft.one(PARTICIPLES), subject=subject)
    vp = complements(draft, subject, chosen, "ing") if chosen else None
    return vp and cl.participial(vp)


LINKS = {"after": 3, "because": 3, "although": 2, "while": 2, "before": 1.5, "as": 1.5, "when": 2}


def subordinate(draft: Draft, to: str) -> Phrase | None:
    """``after the court rejected its appeal``."""
    if draft.subordinated:
        return None
    draft.subordinated = True
    kept = draft.time
    draft.time = "now" if kept == "future" else "past"
    inner = clause(draft, frames=SIMPLE)
    draft.time = kept
    if inner is None:
        return None
    category = f"({to})/S[dcl]"
    link = draft.weighted(LINKS)
    word = Word(link, "WRB" if link == "when" else "IN", category, link)
    label = "SBAR-TMP" if link in ("after", "before", "when") else "SBAR-ADV"
    label = "SBAR-PRP" if link == "because" else label
    if link == "when":
        wh = phrase("WHADVP", [word], join(word))
        return phrase(label, [wh, inner], join(word, inner))
    return cl.complementized(word, inner, label)


def sentence_adverb(draft: Draft) -> Phrase | None:
    """``Meanwhile``."""
    chosen = draft.fresh(draft.lexicon.adverbs_for("sentence", draft.domain), "form")
    if chosen is None:
        return None
    draft.dated = draft.dated or chosen.form in ("earlier", "later")
    word = adverb(chosen.form, FRONTED)
    return phrase("ADVP", [word], join(word))


def according_to(draft: Draft, to: str = FRONTED) -> Phrase | None:
    """``According to the report``."""
    teller = entity(draft, ("=report", "=statement", "expert", "leader", "speaker"), 1)
    if teller is None:
        return None
    word = Word("according", "VBG", f"({to})/PP", "accord", "Tense=Pres|VerbForm=Part")
    inner = np.pp(preposition("to", "PP/NP"), teller.phrase)
    return phrase("PP-ADV", [word, inner], join(word, inner))


# --- what is put around a clause ------------------------------------------------------------------


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
