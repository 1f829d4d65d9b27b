"""What a shorter sentence must not do: Clarke & Lapata's constraints, as rows of a programme.

Clarke & Lapata (2008), Global Inference for Sentence Compression: An Integer Linear Programming
Approach, as we remember it. With k(w) = 1 for a word that is kept and 0 for one that goes:

    modifiers      k(head) - k(modifier) >= 0           a modifier only with its head
    negation       k(verb) - k(not) = 0                 what is denied stays denied
    possessives    k(noun) - k(owner) = 0               his stays with his house
    arguments      k(verb) - k(subject or object) = 0   a verb and its arguments together
                   k(in) - k(word) >= 0                 words of a PP or SBAR with its first
                   k(words of it) - k(in) >= 0          and that with at least one of them
    verb           k(verbs) >= 1                        a lexical verb, where the source has one
    coordination   k(a) - k(and) >= 0, k(b) - k(and) >= 0, k(and) - k(a) - k(b) >= -1
    brackets       k(word) = 0                          what is in brackets goes
    pronouns       k(pronoun) = 1                       personal pronouns stay
    length         least <= k(all words) <= most

and, where any of these are asked for, whatever is given up later (``always``)

    k(words that are no signs) >= 1                     a stop alone is no sentence
    k(opening) - k(closing) = 0                         a bracket stays with its other half
    k(words between) - k(opening) >= 0                  and with something between

Differences
- *Our reading*: built from what is generally known of the paper, which was not at hand.
- *Our reading*: where a phrase has several heads (conjuncts), a modifier needs one of them, an
  argument one of its verbs and a verb one of the heads of its argument; with one head each these
  are the equations above. Of several conjuncts before a coordinator it needs one.
- *Our reading*: a pronoun in brackets goes with them, and so does a verb.
- *Our reading*: the verb that has to stay is a lexical one: *did n't* alone is no sentence.
- *Our reading*: the rows of ``always``. Of ours, too, is that the output has at least one word.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from wordorder_lab.deletion.grammatical_relations import (
    Relations,
    Words,
    grammatical_relations,
    pairs_of,
)
from wordorder_lab.structures.deletion import DeletionSentence
from wordorder_lab.structures.messages import brief, cited

ANY = math.inf
"""No upper bound."""


@dataclass(frozen=True, slots=True)
class Constraint:
    """A row: lower <= sum of coefficients[i] k(indices[i]) <= upper, k over words counted from 0.
    ``name`` switches it, ``says`` is what it asks of this sentence."""

    name: str
    says: str
    indices: Words
    coefficients: tuple[float, ...]
    lower: float
    upper: float

    def holds(self, kept: Sequence[int]) -> bool:
        """Whether a choice of kept words obeys it."""
        there, value = {*kept}, 0.0
        for index, coefficient in zip(self.indices, self.coefficients):
            value += coefficient if index in there else 0.0
        return self.lower <= value <= self.upper


def constraints(sentence: DeletionSentence, names: Sequence[str] | None = None) -> list[Constraint]:
    """The rows for a sentence; ``names`` are some of ``NAMES``, by default all. Raises
    ``ValueError`` for another name, and for a sentence without a tree if any are named."""
    chosen = NAMES if names is None else check_names(names)
    if not chosen:
        return []
    if sentence.nodes is None:
        raise ValueError("constraints are read off a tree: parse the sentence, or ask for none")
    relations = grammatical_relations(sentence.nodes)
    return [row for name in chosen for row in MAKERS[name](relations, sentence.words)]


def always(sentence: DeletionSentence) -> list[Constraint]:
    """The rows that go with any of ``NAMES``; raises ``ValueError`` for a sentence without a tree.
    A word that is no sign, if there is one, and whole pairs of brackets."""
    if sentence.nodes is None:
        raise ValueError("constraints are read off a tree: parse the sentence, or ask for none")
    words, signs = sentence.words, {*grammatical_relations(sentence.nodes).signs}
    rows = []
    if real := tuple(i for i in range(len(words)) if i not in signs):
        says = "at least one word that is no sign"
        rows.append(Constraint("word", says, real, (1.0,) * len(real), 1.0, ANY))
    for opening, closing in pairs_of(words):
        rows += _together("brackets", (opening,), (closing,), words)
        inside = tuple(i for i in range(opening + 1, closing) if i not in signs)
        rows += _only_with("brackets", (opening,), inside, words)
    return rows


def check_names(names: Sequence[str]) -> tuple[str, ...]:
    """The names in the order of ``NAMES``, each once. Raises ``ValueError`` for another name."""
    for name in names:
        if name not in MAKERS:
            raise ValueError(
                f"no constraint {cited(name)}; there are {', '.join(NAMES)}; or say all, or none"
            )
    return tuple(name for name in NAMES if name in names)


def kept_rows(sentence: DeletionSentence, keep: Sequence[str]) -> list[Constraint]:
    """A row for each place of a word in ``keep``, capital or not: it stays. Raises ``ValueError``
    for a word that the sentence has not."""
    wanted = {word.lower(): word for word in keep}
    places = [i for i, own in enumerate(sentence.words) if own.lower() in wanted]
    missing = {*wanted} - {sentence.words[i].lower() for i in places}
    if missing:
        text = brief(" ".join(sentence.words))
        raise ValueError(f"{cited(wanted[min(missing)])} is to be kept, but is no word of: {text}")
    return [
        Constraint("keep", f"{sentence.words[i]} stays", (i,), (1.0,), 1.0, ANY) for i in places
    ]


def length(words: int, least: int, most: int) -> Constraint:
    """So many words are kept, from ``least`` to ``most`` of ``words``."""
    says = f"from {least} to {most} words"
    return Constraint("length", says, tuple(range(words)), (1.0,) * words, least, most)


# --- the rows by name ---------------------------------------------------------------------------


def _modifiers(found: Relations, words: Sequence[str]) -> Iterator[Constraint]:
    for one in found.modifiers:
        if one.kind in ("modifier", "determiner"):
            yield from _only_with("modifiers", one.words, one.heads, words)


def _negation(found: Relations, words: Sequence[str]) -> Iterator[Constraint]:
    for one in found.modifiers:
        if one.kind == "negation":
            yield from _together("negation", one.words, one.heads, words)


def _possessives(found: Relations, words: Sequence[str]) -> Iterator[Constraint]:
    for one in found.modifiers:
        if one.kind == "possessive":
            yield from _together("possessives", one.words, one.heads, words)


def _arguments(found: Relations, words: Sequence[str]) -> Iterator[Constraint]:
    for argument in found.arguments:
        yield from _together("arguments", argument.words, argument.verbs, words)
    for first, others in found.introduced:
        for word in others:
            yield from _only_with("arguments", (word,), (first,), words)
        yield from _only_with("arguments", (first,), others, words)


def _verb(found: Relations, words: Sequence[str]) -> Iterator[Constraint]:
    verbs = tuple(i for i in found.verbs if i not in found.bracketed)
    if verbs:
        says = f"at least one verb: {_some(verbs, words)}"
        yield Constraint("verb", says, verbs, (1.0,) * len(verbs), 1.0, ANY)


def _coordination(found: Relations, words: Sequence[str]) -> Iterator[Constraint]:
    for sign, before, behind in found.coordinations:
        yield from _only_with("coordination", (sign,), before, words)
        yield from _only_with("coordination", (sign,), behind, words)
        for one in before:
            for other in behind:
                says = f"{words[one]} and {words[other]} only with {words[sign]}"
                row = (sign, one, other), (1.0, -1.0, -1.0)
                yield Constraint("coordination", says, *row, -1.0, ANY)


def _brackets(found: Relations, words: Sequence[str]) -> Iterator[Constraint]:
    for i in found.bracketed:
        yield Constraint("brackets", f"{words[i]} in brackets goes", (i,), (1.0,), 0.0, 0.0)


def _pronouns(found: Relations, words: Sequence[str]) -> Iterator[Constraint]:
    for i in found.pronouns:
        if i not in found.bracketed:
            yield Constraint("pronouns", f"{words[i]} stays", (i,), (1.0,), 1.0, ANY)


MAKERS: dict[str, Callable[[Relations, Sequence[str]], Iterator[Constraint]]] = {
    "modifiers": _modifiers,
    "negation": _negation,
    "possessives": _possessives,
    "arguments": _arguments,
    "verb": _verb,
    "coordination": _coordination,
    "brackets": _brackets,
    "pronouns": _pronouns,
}
NAMES = tuple(MAKERS)
"""The names by which constraints are switched on and off."""


def _only_with(name: str, some: Words, heads: Words, words: Sequence[str]) -> Iterator[Constraint]:
    """Each of ``some`` only where one of ``heads`` is kept."""
    for word in some:
        others = tuple(head for head in heads if head != word)
        if others == heads and heads:
            row = (*heads, word), (*(1.0 for _ in heads), -1.0)
            yield Constraint(name, f"{words[word]} only with {_some(heads, words)}", *row, 0.0, ANY)


def _together(name: str, some: Words, heads: Words, words: Sequence[str]) -> Iterator[Constraint]:
    """``some`` and ``heads`` both or not at all; of several at one side, one is enough."""
    if len(some) == len(heads) == 1 and some != heads:
        says = f"{words[heads[0]]} and {words[some[0]]} together"
        yield Constraint(name, says, (heads[0], some[0]), (1.0, -1.0), 0.0, 0.0)
        return
    yield from _only_with(name, some, heads, words)
    yield from _only_with(name, heads, some, words)


def _some(places: Words, words: Sequence[str]) -> str:
    return " or ".join(words[i] for i in places)
