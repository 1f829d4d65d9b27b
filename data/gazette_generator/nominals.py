"""Who and what: noun phrases with words in them, by what a verb or preposition selects."""

from __future__ import annotations

from gazette_generator import noun_phrases as np
from gazette_generator.draft import Draft, Entity
from gazette_generator.lexicon import NAME_CLASSES, Noun, Selection
from gazette_generator.names import name_entity
from gazette_generator.phrase import Phrase, Word, first_word
from gazette_generator.words import adjective, article, determiner, noun, preposition

SMALL = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "10", "12", "15", "20")
LARGE = ("30", "40", "50", "80", "100", "120", "200", "300", "500", "1,200", "2,000", "5,000")


def entity(draft: Draft, selection: Selection, depth: int = 0) -> Entity | None:
    """A noun phrase that the selection allows; ``None`` if there are no words left for it."""
    names = [kind for kind in selection if kind in NAME_CLASSES]
    nouns = draft.lexicon.nouns_for(selection, draft.domain)
    if names and (not nouns or draft.chance(0.5)):
        return name_entity(draft, draft.one(names), depth)
    entry = draft.fresh(nouns, "lemma")
    if entry is None:
        return None
    named = entry.kind in OWNERS and depth < 2 and draft.adorned(0.07)
    if named and (owned := _owned(draft, entry)) is not None:
        return owned
    made = common(draft, entry, depth)
    if depth < 2 and draft.adorned(0.05):
        return _with_another(draft, made)
    return draft.modify(draft, made) if depth == 0 and draft.adorned(0.1) else made


OWNERS: dict[str, Selection] = {
    "amount": ("company", "org"),
    "outlay": ("company", "org"),
    "asset": ("company", "org"),
    "product": ("company", "org"),
    "plan": ("body", "leader", "company"),
    "document": ("body", "institute", "leader"),
    "work": ("name", "person"),
    "vehicle": ("company", "force"),
}
"""Who is named as the owner of what, with 's."""


def _owned(draft: Draft, entry: Noun) -> Entity | None:
    """``the bank 's annual profit``."""
    owner = entity(draft, OWNERS[entry.kind], 2)
    if owner is None or (owner.kind == "org" and "," in {w.form for w in owner.phrase.words()}):
        return None
    last = owner.phrase.words()[-1]
    plural = last.tag.endswith("S") and last.form.endswith("s")
    mark = Word("'" if plural else "'s", "POS", r"(NP[nb]/N)\NP", "'s")
    words = [*_before(draft, entry), noun(entry, _number(draft, entry))]
    return Entity(np.owned(owner.phrase, mark, words), entry, entry.kind)


def _with_another(draft: Draft, first: Entity) -> Entity:
    """``the union and the company``: two of a kind."""
    if first.noun is None or first.kind in ("quantity", "time", "rate", "weather"):
        return first
    entry = draft.fresh(draft.lexicon.nouns_of(first.kind, draft.domain), "lemma")
    if entry is None:
        return first
    second = common(draft, entry, 2)
    conjunction = Word("and", "CC", "conj", "and")
    phrase = np.coordination([first.phrase, second.phrase], conjunction)
    return first._replace(phrase=phrase)


def hardly(draft: Draft, entry: Noun) -> Entity:
    """``no evidence``, ``little doubt``, ``few signs``."""
    form = "no" if draft.chance(0.5) else ("little" if entry.is_mass else "few")
    number = "sg" if entry.is_mass or (form == "no" and draft.chance(0.6)) else "pl"
    words = [noun(entry, number)]
    if form == "no":
        return Entity(np.determined(determiner(form), words), entry, entry.kind)
    word = Word(form, "JJ", "N/N", form, "Degree=Pos")
    return Entity(np.bare([word, *words]), entry, entry.kind)


def some_time(draft: Draft) -> Entity | None:
    """``three weeks``."""
    nouns = [n for n in draft.lexicon.nouns_of("time", draft.domain) if n.plural and n.singular]
    entry = draft.fresh(nouns, "lemma")
    if entry is None:
        return None
    phrase = np.counted(draft.one(SMALL), "", [noun(entry, "pl")])
    return Entity(phrase, entry, entry.kind)


def common(draft: Draft, entry: Noun, depth: int = 0, number: str = "") -> Entity:
    """A phrase around a common noun, with what may stand before and behind it."""
    if entry.kind == "quantity":
        counted = noun(entry, "pl" if entry.plural else "sg")
        return Entity(np.counted(draft.one(SMALL + LARGE), "", [counted]), entry, entry.kind)
    number = number or _number(draft, entry)
    words = [*_before(draft, entry), noun(entry, number)]
    made = Entity(_with_determiner(draft, entry, words, number), entry, entry.kind)
    if made.is_human and number == "sg":
        made = made._replace(phrase=made.phrase._replace(gender=_gender(draft, entry)))
    if depth < 2 and draft.adorned(0.22 - 0.08 * depth):
        made = with_preposition(draft, made, depth)
    return made


def _number(draft: Draft, entry: Noun) -> str:
    if entry.is_mass:
        return "sg"
    if entry.is_plural_only:
        return "pl"
    return "pl" if draft.chance(PLURAL.get(entry.kind, 0.2)) else "sg"


def _perhaps_two(draft: Draft, entry: Noun, first: Word) -> Word | Phrase:
    """An adjective, or now and then ``long and costly``."""
    if not draft.adorned(0.07):
        return first
    chosen = draft.fresh(draft.lexicon.adjectives_for(entry, draft.domain), "form")
    if chosen is None:
        return first
    second, conjunction = adjective(chosen.form), Word("and", "CC", "conj", "and")
    return np.two_adjectives(first, conjunction, second)


def _before(draft: Draft, entry: Noun) -> list[Word | Phrase]:
    """Adjectives and a noun before the noun."""
    modifiers: list[Word | Phrase] = []
    if draft.adorned(0.2):
        chosen = draft.fresh(draft.lexicon.adjectives_for(entry, draft.domain), "form")
        if chosen is not None:
            modifiers.append(_perhaps_two(draft, entry, adjective(chosen.form)))
    if draft.adorned(0.2):
        compound = draft.fresh(draft.lexicon.compounds_of(entry, draft.domain), "modifier")
        if compound is not None:
            modifiers.append(Word(compound.modifier, "NN", "N/N", compound.modifier, "Number=Sing"))
    return modifiers


PLURAL = {
    "leader": 0.08,
    "speaker": 0.04,
    "body": 0.04,
    "team": 0.04,
    "institute": 0.06,
    "time": 0.05,
    "place": 0.08,
    "building": 0.1,
    "rate": 0.05,
}
"""How often a noun of a class is in the plural, where it is not one time in five."""


def _gender(draft: Draft, entry: Noun) -> str:
    """Of a person: what the word says, or either."""
    if entry.singular.endswith("woman"):
        return "f"
    return "m" if entry.singular.endswith("man") else draft.one("mf")


ALWAYS_KNOWN = frozenset({"leader", "body", "rate", "amount", "weather", "team", "time", "speaker"})
"""Classes that take "the" almost always: news speak of the chairman and of the court."""


def _with_determiner(draft: Draft, entry: Noun, words: list[Word | Phrase], number: str) -> Phrase:
    if entry.is_mass:
        return np.bare(words) if draft.chance(0.75) else np.determined(determiner("the"), words)
    if number == "pl":
        return _plural(draft, entry, words)
    if draft.chance(0.88 if entry.kind in ALWAYS_KNOWN else 0.55):
        return np.determined(determiner("the"), words)
    return np.determined(article(first_word(words[0]).form), words)


def _plural(draft: Draft, entry: Noun, words: list[Word | Phrase]) -> Phrase:
    kind = draft.weighted({"bare": 5, "the": 2.5, "some": 0.5, "number": 1.6, "several": 0.6})
    if entry.kind in ("rate", "amount", "outlay", "weather", "security"):
        kind = "bare"
    if kind == "bare":
        return np.bare(words)
    if kind == "number":
        return _counted(draft, entry, words)
    if kind == "several":
        several = Word("several", "JJ", "N/N", "several", "Degree=Pos")
        return np.bare([several, *words])
    return np.determined(determiner(kind), words)


def _counted(draft: Draft, entry: Noun, words: list[Word | Phrase]) -> Phrase:
    """``three workers``, ``at least 200 workers``, ``more than 40 houses``."""
    many = entry.kind in ("group", "person", "force", "thing", "building", "product", "vehicle")
    if entry.kind in ("place", "building", "institute", "event"):
        return np.counted(draft.one(SMALL[:6]), "", words)
    number = draft.one(LARGE if many and draft.chance(0.6) else SMALL)
    hedge = draft.weighted({"": 6, "at least": 1, "more than": 1, "about": 1})
    return np.counted(number, hedge, words)


def with_preposition(draft: Draft, head: Entity, depth: int) -> Entity:
    """``the shortage of oil``: a preposition that may follow the noun, with its object."""
    assert head.noun is not None
    choices = draft.lexicon.prepositions_after(head.noun, draft.domain)
    about = tuple(c for c in choices if c.meaning != "place")
    choices = about if about and draft.chance(0.75) else choices
    chosen = draft.one(choices) if choices else None
    selection = tuple(s for s in chosen.objects if s not in ("month", "weekday")) if chosen else ()
    if chosen is None or not selection or chosen.form in ("between", "because of"):
        return head
    below = entity(draft, selection, depth + 1)
    if below is None:
        return head
    phrase = np.pp(preposition(chosen.form, r"(NP\NP)/NP"), below.phrase)
    if chosen.form != "of":
        draft.optionally(phrase)
    return head._replace(phrase=np.with_pp(head.phrase, phrase))


def possessed(draft: Draft, owner: Entity, selection: Selection) -> Entity | None:
    """``its profit``: something that belongs to whom the sentence is about."""
    entry = draft.fresh(draft.lexicon.nouns_for(selection, draft.domain), "lemma")
    if entry is None:
        return None
    number = _number(draft, entry)
    words = [*_before(draft, entry), noun(entry, number)]
    form = {"m": "his", "f": "her", "n": "its"}[owner.phrase.gender]
    form = "their" if owner.phrase.number == "pl" else form
    return Entity(np.determined(determiner(form), words), entry, entry.kind)
