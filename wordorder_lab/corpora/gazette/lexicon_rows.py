"""One dataclass for each of the lexicon's files; a field is a column, in the file's order."""

from __future__ import annotations

from dataclasses import dataclass

Selection = tuple[str, ...]
"""What a word goes with: classes, ``=noun`` for a single noun, kinds of names, ``*`` for all."""

DOMAINS = "bpcstla"
"""business, politics, courts and crime, science and health, sports, local news, arts"""

CLASSES = frozenset({
    "leader", "expert", "doctor", "speaker", "person", "group", "force", "company", "body",
    "institute", "team", "product", "medicine", "substance", "document", "plan", "deal", "rule",
    "event", "protest", "inquiry", "disaster", "accident", "weather", "crime", "amount", "outlay",
    "rate", "security", "change", "asset", "aid", "post", "place", "building", "problem", "claim",
    "case", "ruling", "feeling", "evidence", "illness", "injury", "animal", "specimen",
    "celestial", "microbe", "work", "vehicle", "thing", "service", "score", "result", "prize",
    "time", "quantity",
})  # fmt: skip
"""The classes of nouns; the head of nouns.txt says what they are."""

NAME_CLASSES = frozenset({"name", "org", "placename", "month", "weekday"})
"""What a selection may name beside nouns: persons, organisations, places, and the calendar."""

FRAMES = ("t", "tn", "tp", "i", "ip", "c", "q", "ti", "r", "oc", "d")
PLACES = ("manner", "aspect", "change", "degree", "approx", "sentence", "time")
USES = ("attr", "both", "raising", "control")
MEANINGS = ("place", "time", "topic", "instrument", "source", "purpose")
KINDS = (
    "first-m", "first-f", "surname", "title", "country", "state", "region", "city", "company",
    "agency", "university", "team", "newspaper", "month", "weekday", "river", "nationality",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Noun:
    """A noun; ``singular`` or ``plural`` is empty where it has none."""

    singular: str
    plural: str
    kind: str
    domains: str

    @property
    def lemma(self) -> str:
        """The singular, or the plural of a noun that has no other form."""
        return self.singular or self.plural

    @property
    def is_mass(self) -> bool:
        """Without plural, and fine without an article: "oil"."""
        return not self.plural

    @property
    def is_plural_only(self) -> bool:
        """Without singular: "police"."""
        return not self.singular

    def forms(self) -> tuple[str, ...]:
        """The forms that there are."""
        return tuple(form for form in (self.singular, self.plural) if form)


@dataclass(frozen=True, slots=True)
class Adjective:
    """An adjective in one meaning, with the nouns that it goes with."""

    form: str
    comparative: str
    superlative: str
    nouns: Selection
    domains: str
    use: str

    def forms(self) -> tuple[str, ...]:
        """The forms that there are."""
        return tuple(form for form in (self.form, self.comparative, self.superlative) if form)


@dataclass(frozen=True, slots=True)
class Adverb:
    """An adverb in one of its places, with the base forms of the verbs that it goes with."""

    form: str
    place: str
    domains: str
    verbs: Selection


@dataclass(frozen=True, slots=True)
class Verb:
    """A verb in one frame and meaning, with its subjects, objects and what else it takes.

    ``preposition`` and ``extra`` are what the column ``extra`` says: "to:company" is the
    preposition "to" with companies; without a preposition it is the second object.
    """

    base: str
    third: str
    past: str
    participle: str
    ing: str
    frame: str
    subjects: Selection
    objects: Selection
    preposition: str
    extra: Selection
    domains: str

    def forms(self) -> tuple[str, ...]:
        """The five forms, some of them perhaps alike."""
        return (self.base, self.third, self.past, self.participle, self.ing)


@dataclass(frozen=True, slots=True)
class Name:
    """A proper name, perhaps of several words; ``extra`` as its kind in names.txt says."""

    form: str
    kind: str
    extra: str
    domains: str

    @property
    def has_article(self) -> bool:
        """Whether "the" comes with the name: "the Netherlands"."""
        return self.extra == "the"


@dataclass(frozen=True, slots=True)
class Preposition:
    """A preposition in one meaning: its objects, and the nouns that it may follow."""

    form: str
    attaches: str
    objects: Selection
    meaning: str
    heads: Selection
    domains: str


@dataclass(frozen=True, slots=True)
class Compound:
    """A noun before a noun: "board" "meeting"; ``noun`` is a lemma of nouns.txt."""

    modifier: str
    noun: str
    domains: str


def goes_with(selection: Selection, noun: Noun) -> bool:
    """Whether a selection allows a noun; ask for the domain beside it."""
    return noun.kind in selection or f"={noun.lemma}" in selection or "*" in selection
