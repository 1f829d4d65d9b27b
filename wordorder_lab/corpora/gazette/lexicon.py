"""The words of the Gazette: what there is, and what goes with what.

Nouns have a class and domains (business, sports, ...). Verbs, adjectives and prepositions name what
they go with in a *selection*: classes, single nouns written ``=noun``, and kinds of names. A
selection is read inside one domain, so that a released person is a suspect in one sentence and a
goalkeeper in another, and nobody acquires a verdict. The head of each file tells its columns.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

from wordorder_lab.corpora.gazette.lexicon_rows import (
    CLASSES,
    DOMAINS,
    FRAMES,
    Adjective,
    Adverb,
    Compound,
    Name,
    Noun,
    Preposition,
    Selection,
    Verb,
    goes_with,
)
from wordorder_lab.corpora.gazette.lexicon_tables import read_table

__all__ = ["CLASSES", "DOMAINS", "FRAMES", "HUMAN", "ORGANISATIONS", "Lexicon", "load_lexicon"]

FOLDER = Path(__file__).parent / "lexicon"
HUMAN = frozenset({"leader", "expert", "doctor", "speaker", "person", "group", "force"})
"""Classes of nouns that "who" stands for."""
ORGANISATIONS = frozenset({"company", "body", "institute", "team"})
"""Classes of nouns that act like persons and are an "it"."""


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

    def word_types(self) -> frozenset[str]:
        """Every word form of the files; names and prepositions of several words taken apart."""
        forms = [form for noun in self.nouns for form in noun.forms()]
        forms += [form for adjective in self.adjectives for form in adjective.forms()]
        forms += [form for verb in self.verbs for form in verb.forms()]
        forms += [adverb.form for adverb in self.adverbs] + [name.form for name in self.names]
        forms += [p.form for p in self.prepositions] + [c.modifier for c in self.compounds]
        return frozenset(word for form in forms for word in form.split())


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
