"""Proper names: persons with titles and offices, organisations, places."""

from __future__ import annotations

from gazette_generator import noun_phrases as np
from gazette_generator.draft import Draft, Entity
from gazette_generator.lexicon import Name, Noun
from gazette_generator.phrase import Phrase, Word
from gazette_generator.words import article, determiner, noun, preposition

ORGANISATION_KINDS = {
    "b": ("company", "company", "company", "agency"),
    "p": ("agency", "newspaper"),
    "c": ("agency", "company"),
    "s": ("university", "university", "agency"),
    "t": ("team",),
    "l": ("agency", "agency", "company"),
    "a": ("university", "newspaper", "company"),
}
PLACE_KINDS = ("city", "city", "city", "country", "state", "region")
OFFICES = ("leader", "expert", "speaker")
"""Classes of nouns that say what somebody is."""


def name_entity(draft: Draft, kind: str, depth: int = 0) -> Entity:
    """A name of one of the kinds that a selection may ask for."""
    if kind == "name":
        return person(draft, depth)
    if kind == "org":
        return organisation(draft, depth)
    if kind == "placename":
        return Entity(place(draft), None, "placename")
    return Entity(_of_words(draft, [draft.name(kind)]), None, kind)


def proper(words: list[str]) -> list[Word]:
    """Proper nouns, the last one the head."""
    categories = ["N/N"] * (len(words) - 1) + ["N"]
    return [Word(w, "NNP", c, w, "Number=Sing") for w, c in zip(words, categories)]


def _of_words(_draft: Draft, names: list[str]) -> Phrase:
    return np.bare(proper([word for name in names for word in name.split()]))


def _named(entry: Name) -> Phrase:
    words = proper(entry.form.split())
    if entry.kind == "team" and entry.form.endswith("s"):
        words[-1].tag, words[-1].feats = "NNPS", "Number=Plur"
    return np.determined(determiner("the"), words) if entry.extra == "the" else np.bare(words)


def place(draft: Draft) -> Phrase:
    """A city, country, state or region; now and then ``Hamburg , Germany ,`` is too much."""
    kind = draft.one(PLACE_KINDS)
    entry = draft.fresh(draft.lexicon.names_for(kind, draft.domain), "form")
    return _named(entry or draft.one(draft.lexicon.names_for(kind, draft.domain)))


def organisation(draft: Draft, depth: int = 0) -> Entity:
    """A company, agency, university or team, perhaps with what it is."""
    kinds = [
        k for k in ORGANISATION_KINDS[draft.domain] if draft.lexicon.names_for(k, draft.domain)
    ]
    entry = draft.fresh(draft.lexicon.names_for(draft.one(kinds), draft.domain), "form")
    if entry is None:
        entry = draft.one(draft.lexicon.names_for(kinds[0], draft.domain))
    made = _named(entry)
    if entry.kind == "team":
        made = made._replace(number="pl")
    if entry.kind == "company" and depth == 0 and draft.adorned(0.18):
        made = _with_what_it_is(draft, made)
    return Entity(made, None, "org")


def _with_what_it_is(draft: Draft, made: Phrase) -> Phrase:
    """``Corvane Industries , a maker of tires ,``."""
    entry = draft.fresh(draft.lexicon.nouns_of("company", draft.domain), "lemma")
    if entry is None or entry.is_plural_only:
        return made
    second = np.determined(article(entry.singular), [noun(entry, "sg")])
    if draft.chance(0.6):
        at = np.pp(preposition("in", r"(NP\NP)/NP"), place(draft))
        second = np.with_pp(second, at)
    return appose(draft, made, second)


def appose(draft: Draft, head: Phrase, second: Phrase) -> Phrase:
    """Put one beside the other between commas; a shorter version may leave it out."""
    made = np.apposition(head, second)
    draft.optionally(*made.words()[len(head.words()) :])
    return made


def person(draft: Draft, depth: int = 0) -> Entity:
    """Somebody by name: in full, with a title, or with an office beside it."""
    gender = draft.one("mf")
    form = draft.weighted({"full": 3, "office": 2.4, "title": 1.6, "before": 1.4})
    surname = draft.name("surname")
    if form == "title":
        titles = [
            t for t in draft.lexicon.names_for("title", draft.domain) if t.extra in (gender, "")
        ]
        if titles:
            named = np.bare(proper([draft.one(titles).form, surname]), gender=gender)
            return Entity(named, None, "name")
    words = proper([draft.name(f"first-{gender}"), surname])
    named = np.bare(words, gender=gender)
    office = draft.fresh(_offices(draft, gender), "lemma") if form != "full" else None
    if office is None:
        return Entity(named, None, "name")
    if form == "before":
        before = Word(office.singular, "NN", "N/N", office.lemma, "Number=Sing")
        return Entity(np.bare([before, *words], gender=gender), None, "name")
    if depth < 2:
        named = appose(draft, named, _office(draft, office))
    return Entity(named, None, "name")


def _offices(draft: Draft, gender: str) -> list[Noun]:
    """What somebody may be: no chairwomen among the men."""
    wrong = ("woman", "queen") if gender == "m" else ("men", "man", "king")
    nouns = [n for kind in OFFICES for n in draft.lexicon.nouns_of(kind, draft.domain)]
    return [n for n in nouns if n.singular and not n.singular.endswith(wrong)]


def _office(draft: Draft, entry: Noun) -> Phrase:
    """``the chairman of Corvane Industries``, ``an economist at the bank``."""
    word = noun(entry, "sg")
    if entry.kind != "leader":
        made = np.determined(article(word.form), [word])
        link = "at" if draft.domain in "bs" else "for"
    else:
        made = np.determined(determiner("the"), [word]) if draft.chance(0.6) else np.bare([word])
        link = "of"
    if draft.chance(0.75):
        owner = organisation(draft, depth=2).phrase
        made = np.with_pp(made, np.pp(preposition(link, r"(NP\NP)/NP"), owner))
    return made
