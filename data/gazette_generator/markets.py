"""Figures: what rose by how much, from where and to where; money, percent and quarters."""

from __future__ import annotations

from gazette_generator import clauses as cl
from gazette_generator import noun_phrases as np
from gazette_generator.draft import Draft, Entity
from gazette_generator.nominals import entity
from gazette_generator.phrase import Phrase, Word, join, lift, nest, phrase
from gazette_generator.predicates import finite, tense
from gazette_generator.words import ADJUNCT, adverb, determiner, numeral, preposition, verb

FIGURES = ("amount", "outlay", "rate", "security")
ORDINALS = ("first", "second", "third", "fourth")


def moved(draft: Draft) -> tuple[Entity, Phrase] | None:
    """``Net profit rose 12 % to $ 4.5 million``."""
    verbs = [v for v in draft.lexicon.verbs_for("i", draft.domain) if set(v.subjects) & {*FIGURES}]
    chosen = draft.fresh(verbs, "base")
    kinds = tuple(kind for kind in FIGURES if chosen and kind in chosen.subjects)
    subject = entity(draft, kinds) if chosen else None
    if chosen is None or subject is None:
        return None
    if MOVING & {word.form for word in subject.phrase.words()}:
        return None  # rising prices that fall
    draft.dated = True
    draft.time = "past" if draft.chance(0.85) else "now"
    number = subject.phrase.number
    how = tense(draft, number)
    vp = cl.verb_phrase(verb(chosen, how.form, "i", number))
    vp = _how_far(draft, vp, subject.kind, chosen.base)
    return subject, finite(draft, how, vp, number)


MOVING = frozenset(
    """
    rising falling soaring growing sluggish weak high low steady big nervous surging strong
    slumping shrinking flat stagnant
    """.split()
)
"""Adjectives that already say which way a figure moves, or how."""

DOWN = frozenset(
    """
    decline decrease dip drop dwindle ease fall plummet plunge shrink sink slide slip slump
    soften tumble weaken worsen collapse
    """.split()
)
"""Verbs after which figures are lower than before; all others say that they are higher."""


def _how_far(draft: Draft, vp: Phrase, kind: str, base: str) -> Phrase:
    before = draft.random.uniform(2, 18) if kind == "rate" else draft.random.uniform(1, 400)
    share = draft.random.randrange(10, 340) / 10 * (-1 if base in DOWN else 1)
    after = before * (1 + share / 100)
    if draft.chance(0.3):
        chosen = draft.fresh(draft.lexicon.adverbs_for("change", draft.domain), "form")
        if chosen is not None:
            word = adverb(chosen.form, ADJUNCT)
            vp = cl.with_adjunct(vp, phrase("ADVP-MNR", [word], join(word)))
    elif kind != "rate":
        far = percent(abs(share), draft.weighted({"": 6, "about": 1.2, "more than": 0.8}))
        far = far.labelled("NP-EXT")._replace(ccg=lift(far, ADJUNCT))
        draft.optionally(far)
        vp = cl.with_adjunct(vp, far)
    unit = draft.weighted({"million": 5, "billion": 1.6}) if kind in ("amount", "outlay") else ""
    if draft.chance(0.6):
        vp = _behind(draft, vp, "to", _value(after, kind, unit), "PP-DIR")
        if draft.chance(0.5):
            vp = _behind(draft, vp, "from", _value(before, kind, unit), "PP-DIR")
    if draft.time == "past" and draft.chance(0.5):
        vp = _behind(draft, vp, "in", quarter(draft), "PP-TMP")
    return vp


def _behind(draft: Draft, vp: Phrase, form: str, object: Phrase, label: str) -> Phrase:
    made = np.pp(preposition(form, f"({ADJUNCT})/NP"), object, label)
    draft.optionally(made)
    return cl.with_adjunct(vp, made)


def _value(value: float, kind: str, unit: str) -> Phrase:
    return percent(value) if kind == "rate" else money(value, unit)


def _figure(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")


def percent(value: float, hedge: str = "") -> Phrase:
    """``12 %``, ``about 3.5 %``."""
    sign = Word("%", "NN", "N", "%", "Number=Sing")
    return np.counted(_figure(value), hedge, [sign])


def money(value: float, unit: str) -> Phrase:
    """``$ 4.5 million``."""
    sign = Word("$", "$", "N/N[num]", "$")
    words = [numeral(_figure(value), "N[num]/N[num]" if unit else "N[num]")]
    if unit:
        words.append(numeral(unit, "N[num]"))
    ccg = nest(sign, *words)
    children = [phrase("QP", [sign, *words], ccg)] if unit else [sign, *words]
    return phrase("NP", children, lift(ccg, "NP"))


def quarter(draft: Draft) -> Phrase:
    """``the third quarter``."""
    form = draft.one(ORDINALS)
    words = [
        Word(form, "JJ", "N/N", form, "NumType=Ord"),
        Word("quarter", "NN", "N", "quarter", "Number=Sing"),
    ]
    return np.determined(determiner("the"), words)
