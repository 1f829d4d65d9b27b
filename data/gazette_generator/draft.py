"""A draft: what is being written about, and how words are chosen for it.

Everything that is left to chance comes from one seeded generator. Within one sentence no content
word is used twice, and a domain (business, courts, sports, ...) decides which words are at hand.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeVar

from gazette_generator.lexicon import (
    HUMAN,
    ORGANISATIONS,
    Lexicon,
    Name,
    Noun,
    Selection,
    Verb,
    goes_with,
)
from gazette_generator.phrase import Node, Phrase, Word

T = TypeVar("T")

FAVOUR = 4.0
"""How much words that come early in a draw are preferred; 1 would be no preference."""


class Entity(NamedTuple):
    """A noun phrase and what it stands for: a noun of the lexicon, or a kind of name."""

    phrase: Phrase
    noun: Noun | None
    kind: str

    @property
    def is_human(self) -> bool:
        """Whether it is a "who"."""
        return self.kind == "name" or self.kind in HUMAN

    @property
    def acts(self) -> bool:
        """Whether it can plan, say and want."""
        return self.is_human or self.kind == "org" or self.kind in ORGANISATIONS

    def goes_with(self, selection: Selection) -> bool:
        """Whether a selection allows it."""
        if self.noun is None:
            return self.kind in selection
        return goes_with(selection, self.noun)


class Draft:
    """One sentence in the making.

    ``rich`` is how much it is adorned: 1 is usual. ``optional`` collects the pieces that a shorter
    version may leave out, each as its words; ``rewritten`` are other ways to say it, each a kind
    and a Penn tree, ``pending`` those that still lack their full stop. ``modify`` puts a relative
    clause behind an entity; who writes sentences sets it, since noun phrases know nothing of
    clauses. ``time`` is that of the clause being written: past, now or future; after "said" it is
    ``reported``, and "will" becomes "would". ``dated`` and ``subordinated``: it has its date, and
    its subordinate clause.
    """

    def __init__(
        self, chance: random.Random, lexicon: Lexicon, domain: str, rich: float = 1
    ) -> None:
        self.random = chance
        self.lexicon = lexicon
        self.domain = domain
        self.rich = rich
        self.used: set[str] = set()
        self.optional: list[tuple[Word, ...]] = []
        self.rewritten: list[tuple[str, Node]] = []
        self.pending: list[tuple[str, Node]] = []
        self.agents: dict[int, tuple[Entity, Verb]] = {}
        self.time = self.weighted({"past": 8, "now": 2, "future": 1.6})
        self.reported = False
        self.dated = False
        self.subordinated = False
        self.modifying = False
        self.modify: Callable[[Draft, Entity], Entity] = lambda _, entity: entity

    def chance(self, share: float) -> bool:
        """True in this share of all cases."""
        return self.random.random() < share

    def adorned(self, share: float) -> bool:
        """True in this share of all cases, more often in a rich sentence."""
        return self.random.random() < share * self.rich

    def one(self, choices: Sequence[T]) -> T:
        """One of them, all alike."""
        return choices[self.random.randrange(len(choices))]

    def weighted(self, weights: dict[T, float]) -> T:
        """One of the keys, by weight."""
        return self.random.choices(list(weights), list(weights.values()))[0]

    def fresh(self, choices: Sequence[T], name: str) -> T | None:
        """One of them that the sentence does not have yet; ``name`` is the field that tells."""
        left = [choice for choice in choices if getattr(choice, name) not in self.used]
        if not left:
            return None
        favour = 1 if isinstance(left[0], Name) else FAVOUR  # nobody is in the news every day
        chosen = left[int(len(left) * self.random.random() ** favour)]
        self.used.add(getattr(chosen, name))
        return chosen

    def optionally(self, *parts: Phrase | Word) -> None:
        """These words may be left out together."""
        words: list[Word] = []
        for part in parts:
            words += [part] if isinstance(part, Word) else part.words()
        self.optional.append(tuple(words))

    def verb(self, *frames: str, subject: Entity | None = None) -> Verb | None:
        """A verb with one of these frames, for this subject if there is one already."""
        verbs = [v for frame in frames for v in self.lexicon.verbs_for(frame, self.domain)]
        if subject is not None:
            verbs = [v for v in verbs if subject.goes_with(v.subjects)]
        return self.fresh(verbs, "base")

    def name(self, kind: str) -> str:
        """A name of a kind."""
        # An abbreviated month before a full stop would look like a slip.
        known = [
            n
            for n in self.lexicon.names_for(kind, self.domain)
            if kind != "month" or n.form[-1] != "."
        ]
        chosen = self.fresh(known, "form")
        return chosen.form if chosen else self.one(known).form
