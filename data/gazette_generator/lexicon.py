"""The words of the Gazette: what there is, and what goes with what.

Nouns have a class and domains (business, sports, ...). Verbs, adjectives and prepositions name what
they go with in a *selection*: classes, single nouns written ``=noun``, and kinds of names. A
selection is read inside one domain, so that a released person is a suspect in one sentence and a
goalkeeper in another, and nobody acquires a verdict. The head of each file tells its columns.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from wordorder_lab.corpora.readers.corpus import CorpusError
from wordorder_lab.corpora.readers.files import read_text
from wordorder_lab.structures.messages import cited

FOLDER = Path(__file__).parent / "lexicon"
HUMAN = frozenset({"leader", "expert", "doctor", "speaker", "person", "group", "force"})
"""Classes of nouns that "who" stands for."""
ORGANISATIONS = frozenset({"company", "body", "institute", "team"})
"""Classes of nouns that act like persons and are an "it"."""


# --- the rows: one dataclass for each file; a field is a column, in the file's order -------------

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


@dataclass(frozen=True, slots=True)
class Adjective:
    """An adjective in one meaning, with the nouns that it goes with."""

    form: str
    comparative: str
    superlative: str
    nouns: Selection
    domains: str
    use: str


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


@dataclass(frozen=True, slots=True)
class Name:
    """A proper name, perhaps of several words; ``extra`` as its kind in names.txt says.

    "the" is the article that comes with the name: "the Netherlands".
    """

    form: str
    kind: str
    extra: str
    domains: str


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


@dataclass(frozen=True, slots=True)
class Lexicon:
    """All words, each kind in the order of its file; every lookup keeps that order."""

    nouns: tuple[Noun, ...]
    adjectives: tuple[Adjective, ...]
    adverbs: tuple[Adverb, ...]
    verbs: tuple[Verb, ...]
    names: tuple[Name, ...]
    prepositions: tuple[Preposition, ...]
    compounds: tuple[Compound, ...]

    def nouns_for(self, selection: Selection, domain: str) -> tuple[Noun, ...]:
        """The nouns of a domain that a selection allows: ``nouns_for(verb.subjects, "b")``."""
        return tuple(n for n in self.nouns if domain in n.domains and goes_with(selection, n))

    def nouns_of(self, kind: str, domain: str) -> tuple[Noun, ...]:
        """The nouns of one class in one domain."""
        return self.nouns_for((kind,), domain)

    def adjectives_for(self, noun: Noun, domain: str, *uses: str) -> tuple[Adjective, ...]:
        """The adjectives that go with a noun: before it, or as ``uses`` says."""
        return tuple(
            a
            for a in self.adjectives
            if a.use in (uses or ("attr", "both"))
            and domain in a.domains
            and goes_with(a.nouns, noun)
        )

    def adverbs_for(self, place: str, domain: str, verb: str | None = None) -> tuple[Adverb, ...]:
        """The adverbs of one place; with the base form of a verb only those that suit it."""
        return tuple(
            a
            for a in self.adverbs
            if a.place == place
            and domain in a.domains
            and (verb is None or "*" in a.verbs or verb in a.verbs)
        )

    def verbs_for(self, frame: str, domain: str) -> tuple[Verb, ...]:
        """The verb rows of one frame."""
        return tuple(v for v in self.verbs if v.frame == frame and domain in v.domains)

    def names_for(self, kind: str, domain: str) -> tuple[Name, ...]:
        """The names of one kind."""
        return tuple(n for n in self.names if n.kind == kind and domain in n.domains)

    def prepositions_after(self, noun: Noun, domain: str) -> tuple[Preposition, ...]:
        """The prepositions that may follow a noun inside its noun phrase."""
        return tuple(
            p
            for p in self.prepositions
            if p.attaches != "verb" and domain in p.domains and goes_with(p.heads, noun)
        )

    def prepositions_of_clauses(self, domain: str, *meanings: str) -> tuple[Preposition, ...]:
        """The prepositions of adjuncts of a clause, of all meanings or of these."""
        return tuple(
            p
            for p in self.prepositions
            if p.attaches != "noun" and domain in p.domains and p.meaning in (meanings or p.meaning)
        )

    def compounds_of(self, noun: Noun, domain: str) -> tuple[Compound, ...]:
        """What may stand before a noun as another noun: "board" before "meeting"."""
        return tuple(c for c in self.compounds if domain in c.domains and c.noun == noun.lemma)


@cache
def load_lexicon(folder: Path = FOLDER) -> Lexicon:
    """The lexicon in a folder, the Gazette's own unless told otherwise.

    Raises ``CorpusError`` with file and line for a row that is not as the file's head says.
    """
    nouns = read_table(folder / "nouns.txt", Noun)
    words = frozenset(n.lemma for n in nouns)
    verbs = read_table(folder / "verbs.txt", Verb, words)
    bases = frozenset(v.base for v in verbs)
    return Lexicon(
        nouns=nouns,
        adjectives=read_table(folder / "adjectives.txt", Adjective, words),
        adverbs=read_table(folder / "adverbs.txt", Adverb, bases),
        verbs=verbs,
        names=read_table(folder / "names.txt", Name),
        prepositions=read_table(folder / "preps.txt", Preposition, words),
        compounds=read_table(folder / "compounds.txt", Compound, words),
    )


# --- from the lines of a file to its rows: each column has a reader, which may refuse ------------


GAP = re.compile(r" {2,}")
FORM = re.compile(r"[A-Za-z]+\.?([ -][A-Za-z]+\.?)*")

Words = frozenset[str]
Reader = Callable[[str, Words], Any]
R = TypeVar("R")


def read_table(path: Path, kind: type[R], words: Words = frozenset()) -> tuple[R, ...]:
    """The rows of one file, in its order.

    ``words`` are those that a column may refer to. Raises ``CorpusError`` with file and line for
    a wrong number of columns, a value that a column cannot have, and a row that was there before.
    """
    first_seen: dict[R, int] = {}
    for number, line in enumerate(read_text(path).split("\n"), 1):
        line = line.rstrip()
        if not line or line.startswith("#"):
            continue
        try:
            row = _row(line, kind, words)
            if row in first_seen:
                raise ValueError(f"the row of line {first_seen[row]:,} again: drop one of them")
        except ValueError as error:
            raise CorpusError(f"line {number:,} of {path}: {error}") from None
        first_seen[row] = number
    if not first_seen:
        raise CorpusError(f"{path} holds no rows: see its head for the columns")
    return tuple(first_seen)


def _row(line: str, kind: type[R], words: Words) -> R:
    columns = COLUMNS[kind]
    cells = GAP.split(line)
    if len(cells) != len(columns):
        raise ValueError(
            f"{len(cells)} columns, not {len(columns)}: two or more spaces stand between columns"
        )
    values: list[object] = []
    for cell, read in zip(cells, columns):
        value = read(cell, words)
        # The one column that fills two fields is the extra of a verb.
        values += value if read is _extra else [value]
    row = kind(*values)
    _fits_together(row)
    return row


def _fits_together(row: object) -> None:
    """Refuse what is wrong with a row though each of its columns is right."""
    if isinstance(row, Noun) and not row.singular and not row.plural:
        raise ValueError("a noun needs a singular or a plural")
    if not isinstance(row, Verb):
        return
    has_object = row.frame in ("t", "tn", "tp", "oc", "d")
    has_extra = row.frame in ("tp", "ip", "d")
    if bool(row.objects) != has_object:
        raise ValueError(f"frame {row.frame} takes {'' if has_object else 'no '}objects")
    if bool(row.extra) != has_extra:
        raise ValueError(f"frame {row.frame} takes {'' if has_extra else 'no '}extra")
    if bool(row.preposition) != (row.frame in ("tp", "ip")):
        raise ValueError(f"frame {row.frame}: preposition:nouns is the extra of tp and ip")


def _form(cell: str, _: Words) -> str:
    if not FORM.fullmatch(cell):
        raise ValueError(f"{cited(cell)} is not a word or a few words with one space between them")
    return cell


def _perhaps(cell: str, words: Words) -> str:
    return "" if cell == "-" else _form(cell, words)


def _domains(cell: str, _: Words) -> str:
    if cell == "*":
        return DOMAINS
    if not cell or cell != "".join(d for d in DOMAINS if d in cell):
        raise ValueError(f"{cited(cell)} are no domains: * or letters of {DOMAINS}, in that order")
    return cell


def _one_of(what: str, known: Iterable[str]) -> Reader:
    def read(cell: str, _: Words) -> str:
        if cell not in known:
            raise ValueError(
                f"{cited(cell)} is no {what}: choose one of {', '.join(sorted(known))}"
            )
        return cell

    return read


def _selection(cell: str, words: Words) -> Selection:
    """Classes, ``=nouns``, kinds of names or ``*``, each once; ``-`` for nothing."""
    chosen = () if cell == "-" else tuple(cell.split(","))
    for item in chosen:
        if item.startswith("="):
            if item[1:] not in words:
                raise ValueError(f"{cited(item[1:])} is not in nouns.txt (a noun by its singular)")
        elif item != "*" and item not in CLASSES | NAME_CLASSES:
            raise ValueError(
                f"{cited(item)} is no class: see the head of nouns.txt, or write =noun"
            )
    if len(set(chosen)) < len(chosen):
        raise ValueError(f"{cited(cell)} names something twice")
    return chosen


def _some(cell: str, words: Words) -> Selection:
    if cell == "-":
        raise ValueError("'-' leaves nothing to go with: name classes, or * for all")
    return _selection(cell, words)


def _extra(cell: str, words: Words) -> tuple[str, Selection]:
    preposition, colon, selection = cell.rpartition(":")
    return (_form(preposition, words) if colon else ""), _selection(selection, words)


def _verbs(cell: str, words: Words) -> Selection:
    chosen = () if cell == "-" else tuple(cell.split(","))
    for verb in chosen:
        if verb != "*" and verb not in words:
            raise ValueError(f"{cited(verb)} is not in verbs.txt")
    return chosen


def _lemma(cell: str, words: Words) -> str:
    if cell not in words:
        raise ValueError(f"{cited(cell)} is not in nouns.txt (a noun by its singular)")
    return cell


COLUMNS: dict[type, tuple[Reader, ...]] = {
    Noun: (_perhaps, _perhaps, _one_of("class", CLASSES), _domains),
    Adjective: (_form, _perhaps, _perhaps, _some, _domains, _one_of("use", USES)),
    Adverb: (_form, _one_of("place", PLACES), _domains, _verbs),
    Verb: (*[_form] * 5, _one_of("frame", FRAMES), _some, _selection, _extra, _domains),
    Name: (_form, _one_of("kind", KINDS), _perhaps, _domains),
    Preposition: (
        _form,
        _one_of("place to attach", ("noun", "verb", "both")),
        _some,
        _one_of("meaning", MEANINGS),
        _some,
        _domains,
    ),
    Compound: (_form, _lemma, _domains),
}
