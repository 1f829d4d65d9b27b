"""Who modifies whom, read off a phrase-structure tree: what the constraints of a programme ask for.

Clarke & Lapata (2008), as we remember it, read modifiers, arguments and conjuncts off the output of
RASP, a parser for grammatical relations. Here a tree with bare labels is given, so that they are
found by place, in one walk from the words up:

    for each phrase, those inside it first
        take it apart at its coordinators, and at its commas where it has coordinators
        for each part
            head <- the child that the head table names; a verb's auxiliaries are passed by
            its other children modify the head, own it, deny it, or are its arguments
        the phrase's heads <- the heads of its parts

So a phrase of several conjuncts has several heads: "cats and dogs" has both nouns.

Differences
- *Our reading*: no relations of RASP, but places in the tree. In a noun, adjective or adverb phrase
  all but the head and clauses modify the head; in a verb phrase or clause adverbs, particles and
  prepositional phrases modify the lexical verb. A noun phrase before the verb phrase of a clause is
  its subject, one behind a verb its object; but for nouns of time (``TIMES``), which modify.
- *Our reading*: heads are those of the Yamada-Matsumoto table, with three exceptions: the lexical
  verb and not its auxiliary, the first of two noun phrases (an apposition), never a possessive 's.
- *Our reading*: auxiliaries and *to* are tied to nothing. The paper was not at hand.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from wordorder_lab.deletion.context import PAIRS
from wordorder_lab.structures.head_rules import PUNCTUATION, YAMADA_MATSUMOTO
from wordorder_lab.structures.phrase_tree import PhraseNodes

Words = tuple[int, ...]
"""Places of words, counted from 0."""

VERBS = frozenset(["VB", "VBD", "VBG", "VBN", "VBP", "VBZ"])
AUXILIARIES = VERBS | {"MD", "TO"}
NOMINAL = frozenset(["NP", "NX", "NAC", "QP", "ADJP", "ADVP", "WHNP", "WHADJP", "WHADVP"])
CLAUSES = frozenset(["S", "SBAR", "SBARQ", "SINV", "SQ"])
VERBAL = CLAUSES | {"VP"}
ADVERBIAL = frozenset(["ADVP", "RB", "RBR", "RBS", "PP", "PRT", "RP"])
INTRODUCING = frozenset(["IN", "TO", "VBG", "VBN", "RP", "FW", "DT"])
COORDINATORS = frozenset(["CC", "CONJP"])
NOT_MODIFIERS = VERBAL | COORDINATORS | PUNCTUATION | {"RRC", "PRN", "INTJ", "FRAG", "POS"}
NEGATIONS = frozenset(["not", "n't"])
TIMES = frozenset(
    """
    monday tuesday wednesday thursday friday saturday sunday today yesterday tomorrow tonight
    day days night week weeks month months year years hour hours minute minutes morning
    afternoon evening moment time times spring summer autumn fall winter january february
    march april may june july august september october november december weekend decade
    century
    """.split()
)
"""Heads of noun phrases that are rather adverbs: *he came yesterday*."""


class Modifier(NamedTuple):
    """``words`` belong to ``heads``; ``kind``: modifier, determiner, negation or possessive."""

    kind: str
    words: Words
    heads: Words


class Argument(NamedTuple):
    """A subject or an object: the heads of a noun phrase, and its verbs."""

    kind: str
    words: Words
    verbs: Words


class Introduced(NamedTuple):
    """A prepositional phrase or subordinate clause: the word that introduces it, and the others."""

    first: int
    others: Words


class Coordination(NamedTuple):
    """A coordinator, the heads of the conjuncts before it, and those of the one behind it."""

    coordinator: int
    before: Words
    behind: Words


@dataclass
class Relations:
    """All there is to say about a sentence; lists are in the order of the walk. ``verbs`` are the
    lexical ones; auxiliaries are among them only where there is no other."""

    modifiers: list[Modifier] = field(default_factory=list)
    arguments: list[Argument] = field(default_factory=list)
    introduced: list[Introduced] = field(default_factory=list)
    coordinations: list[Coordination] = field(default_factory=list)
    verbs: Words = ()
    signs: Words = ()
    pronouns: Words = ()
    bracketed: Words = ()


def grammatical_relations(nodes: PhraseNodes) -> Relations:
    """The relations of the sentence of a tree."""
    walk = Walk(nodes)
    for node in range(len(walk.nodes)):
        walk.visit(node)
    lexical = tuple(i for i in walk.found.verbs if i not in walk.passed_by)
    walk.found.verbs = lexical or walk.found.verbs
    return walk.found


def bracketed(words: Sequence[str]) -> Words:
    """The words in brackets with the brackets, however deep; one that is never closed is none."""
    return tuple(sorted({i for begin, end in pairs_of(words) for i in range(begin, end + 1)}))


def is_sign(word: str, tag: str) -> bool:
    """Whether a word is a sign: it says nothing where it stands alone."""
    return tag in PUNCTUATION or not any(map(str.isalnum, word))


def pairs_of(words: Sequence[str]) -> tuple[tuple[int, int], ...]:
    """The places of brackets that open and of those that close them, inner ones first."""
    found: list[tuple[int, int]] = []
    opened: list[tuple[str, int]] = []
    for i, word in enumerate(words):
        if word in PAIRS:
            opened.append((PAIRS[word], i))
        elif opened and word == opened[-1][0]:
            found.append((opened.pop()[1], i))
    return tuple(found)


class Walk:
    """The walk from the words up: the heads of every node so far, and what was found."""

    def __init__(self, nodes: PhraseNodes) -> None:
        self.nodes, self.found = nodes, Relations()
        self.labels = nodes.bare
        self.words = nodes.leaves
        self.heads: list[Words] = []
        tags = [label for label, below in zip(self.labels, nodes.children) if not below]
        self.found.verbs = tuple(i for i, tag in enumerate(tags) if tag in VERBS)
        self.found.pronouns = tuple(i for i, tag in enumerate(tags) if tag == "PRP")
        self.found.bracketed = bracketed(self.words)
        self.passed_by: set[int] = set()  # auxiliaries whose lexical verb is further down
        self.found.signs = tuple(i for i, tag in enumerate(tags) if is_sign(self.words[i], tag))
        self.signs = {i for i, tag in enumerate(tags) if tag in PUNCTUATION}

    def visit(self, node: int) -> None:
        """Find the heads of a node, and what its children are to them."""
        children = self.nodes.children[node]
        if not children:
            self.heads.append((self.nodes.begins[node],))
            return
        parts, coordinators = self.conjuncts(children)
        heads = [self.part(self.labels[node], part) for part in parts]
        self.heads.append(tuple(word for some in heads for word in some))
        for coordinator, place in coordinators:
            before = tuple(word for some in heads[:place] for word in some)
            last = self.nodes.begins[coordinator]
            self.found.coordinations.append(Coordination(last, before, heads[place]))
        if self.labels[node] in ("PP", "SBAR", "WHPP") and not coordinators:
            self.introduction(node)

    def conjuncts(self, children: Sequence[int]) -> tuple[list[list[int]], list[tuple[int, int]]]:
        """The parts of a phrase, and its coordinators with the number of the part behind each."""
        labels = [self.labels[child] for child in children]
        inside = [
            i
            for i, label in enumerate(labels)
            if label in COORDINATORS
            and any(self._counts(one) for one in labels[:i])
            and any(self._counts(one) for one in labels[i + 1 :])
        ]
        if not inside:
            return [list(children)], []
        parts: list[list[int]] = [[]]
        coordinators = []
        for i, child in enumerate(children):
            if i in inside or labels[i] in (",", ":"):
                if any(self._counts(self.labels[one]) for one in parts[-1]):
                    parts.append([])
                if i in inside:
                    coordinators.append((child, len(parts) - 1))
            else:
                parts[-1].append(child)
        if not any(self._counts(self.labels[one]) for one in parts[-1]):
            parts.pop()
        return parts, [pair for pair in coordinators if 0 < pair[1] < len(parts)]

    @staticmethod
    def _counts(label: str) -> bool:
        return label not in PUNCTUATION and label not in COORDINATORS

    def part(self, label: str, children: Sequence[int]) -> Words:
        """The heads of a phrase or conjunct; its other children are told in ``found``."""
        labels = [self.labels[child] for child in children]
        head = self.head_child(label, children, labels)
        heads = self.heads[children[head]]
        for i, child in enumerate(children):
            if i == head:
                continue
            if label in VERBAL:
                self.beside_a_verb(label, child, i - head, heads)
            elif label in NOMINAL:
                self.beside_a_noun(child, heads)
        if label in CLAUSES:
            self.subject(label, children, labels, head)
        return heads

    def head_child(self, label: str, children: Sequence[int], labels: Sequence[str]) -> int:
        """The place of the head among the children."""
        never = ["," if one == "POS" else one for one in labels]
        head = YAMADA_MATSUMOTO.head(label, never)
        if label in ("NP", "NX") and labels[head] == "NP":
            return labels.index("NP")
        is_word = not self.nodes.children[children[head]]
        if label in VERBAL and is_word and labels[head] in AUXILIARIES:
            for i in range(head + 1, len(labels)):
                if labels[i] == "VP":
                    self.passed_by.add(self.nodes.begins[children[head]])
                    return i
        return head

    def beside_a_noun(self, child: int, heads: Words) -> None:
        """A child of a noun, adjective or adverb phrase that is not the head."""
        label, below = self.labels[child], self.nodes.children[child]
        if (
            label == "POS"
            or label in ("PRP$", "WP$")
            or (below and self.labels[below[-1]] == "POS")
        ):
            self.modifies("possessive", child, heads)
        elif label not in NOT_MODIFIERS:
            kind = "determiner" if label in ("DT", "PDT", "WDT") else "modifier"
            self.modifies(kind, child, heads)

    def beside_a_verb(self, label: str, child: int, side: int, heads: Words) -> None:
        """A child of a verb phrase or clause that is not the head; ``side`` > 0 is behind it."""
        own, words = self.labels[child], self.heads[child]
        if [self.words[word].lower() in NEGATIONS for word in words] == [True]:
            self.modifies("negation", child, heads)
        elif own in ADVERBIAL or (own == "NP" and self.is_time(words)):
            self.modifies("modifier", child, heads)
        elif own == "NP" and label == "VP" and side > 0:
            self.found.arguments.append(Argument("object", words, heads))

    def subject(
        self, label: str, children: Sequence[int], labels: Sequence[str], head: int
    ) -> None:
        """The nearest noun phrase before the verb; in an inversion the one behind it."""
        if labels[head] not in AUXILIARIES and labels[head] != "VP":
            return
        before = [i for i in range(head) if self.is_subject(children[i])]
        behind = [i for i in range(head + 1, len(children)) if self.is_subject(children[i])]
        place = before[-1:] or (behind[:1] if label in ("SINV", "SQ") else [])
        for i in place:
            words, verbs = self.heads[children[i]], self.heads[children[head]]
            self.found.arguments.append(Argument("subject", words, verbs))

    def is_subject(self, child: int) -> bool:
        """Whether a child may be a subject: a noun phrase that is not one of time."""
        return self.labels[child] == "NP" and not self.is_time(self.heads[child])

    def is_time(self, words: Words) -> bool:
        """Whether all these heads are nouns of time."""
        return all(self.words[word].lower() in TIMES for word in words)

    def modifies(self, kind: str, child: int, heads: Words) -> None:
        """The heads of a child belong to ``heads``."""
        self.found.modifiers.append(Modifier(kind, self.heads[child], heads))

    def introduction(self, node: int) -> None:
        """The word that introduces a phrase or clause; there may be none: *the man I saw*."""
        for child in self.nodes.children[node]:
            is_word, label = not self.nodes.children[child], self.labels[child]
            if (is_word and label in INTRODUCING) or label.startswith("W"):
                first = self.nodes.begins[child]
                span = range(self.nodes.begins[node], self.nodes.ends[node])
                others = tuple(i for i in span if i != first and i not in self.signs)
                if others:
                    self.found.introduced.append(Introduced(first, others))
                return
