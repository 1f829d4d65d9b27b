r"""Exercise 10.2: the signature of 2015, written by the student, beside the engine's.

Zhang & Clark 2015, section 3.2. Pairs of edges are put together from a few nouns, such that each
part of the signature is asked for once; then the student's function is plugged into searches on
sentences of the Gazette.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from functools import cache, partial
from typing import Any, NamedTuple

from wordorder_lab.best_first.ccg import BestFirstCCG
from wordorder_lab.best_first.edge import Edge
from wordorder_lab.check.common.exercise import Exercise, Wrong, function_of
from wordorder_lab.check.common.moments import Moment, difference
from wordorder_lab.check.nb_10_ccg.ccg_by_hand import OnPaper, Paper, search_by_hand
from wordorder_lab.check.nb_10_ccg.pruned_edges import sentences
from wordorder_lab.check.nb_10_ccg.small_ccg import search_on
from wordorder_lab.structures.problem import OrderingProblem
from wordorder_lab.structures.sentence import Sentence
from wordorder_lab.trace.log import EventLog


class Seen(NamedTuple):
    """An edge as the student sees it; ``head`` is the place of the head word, from 0."""

    category: str
    words: tuple[str, ...]
    tags: tuple[str, ...]
    head: int

    def __str__(self) -> str:
        tagged = [f"{word}/{tag}" for word, tag in zip(self.words, self.tags, strict=True)]
        return f"{' '.join(tagged)} ({self.category}, head {self.words[self.head]})"


Signature = Callable[[Seen], Hashable]


def seen(edge: Edge, problem: OrderingProblem) -> Seen:
    """What is shown of an edge."""
    words = [problem.items[i] for i in edge.items]
    forms, tags = tuple(item.form for item in words), tuple(item.pos for item in words)
    return Seen(str(edge.category), forms, tags, edge.root)


# --- pairs, one for each part of the signature ----------------------------------------------------

_HOUSES = ("old", "stone", "bridge", "toll", "house", "roof", "walk")
NOUNS = Paper(
    (*_HOUSES, "toll", "walk"),
    ("JJ", *["NN"] * 7, "VB"),
    {"old": ["N", "N/N"], **{noun: ["N"] for noun in _HOUSES[1:]}},
    (("N", ("N", "N"), 0), ("N", ("N", "N"), 1), ("N", ("N/N", "N"), 1), ("NP", ("N",), 0)),
    {},
)
"""Nouns that may stand in any order, with either as the head; *toll* is there twice, *walk* with
two tags."""

_WORDS = "old stone bridge toll house roof"
PAIRS = (
    (f"{_WORDS} > N", "old stone toll bridge house roof > N"),  # the order inside: one
    (f"{_WORDS} > N", "stone old bridge toll house roof > N"),  # the first two words
    (f"{_WORDS} > N", "old bridge stone toll house roof > N"),  # the second word
    (f"{_WORDS} < N", "old stone bridge toll roof house < N"),  # the last two words
    (f"{_WORDS} > N", "old stone bridge house toll roof > N"),  # the last but one
    (f"{_WORDS} > N", f"{_WORDS} > NP"),  # the category
    (f"{_WORDS} > N", f"{_WORDS} < N"),  # the head
    ("old stone bridge house roof > N", "old stone toll house roof > N"),  # which words there are
    ("old stone toll house roof > N", "old stone toll toll house roof > N"),  # and how often
    ("old walk/NN > N", "old walk/VB > N"),  # a tag at the end, which is the head's, too
    ("walk/NN stone > N", "walk/VB stone > N"),  # a tag at the end alone
    ("old walk > N", "old/N walk > N"),  # a lexical category: one
    ("stone > N", "stone > NP"),  # one word, another category
    ("stone > N", "house > N"),  # one word, another word
)
"""Pairs of phrases: words in order, whose head is the first (<) or the last (>), the category."""


def built(search: OnPaper, text: str) -> Edge:
    """A phrase, put together from the right. ``old/N`` is the noun; else *old* is an adjective."""
    *words, side, category = text.split()
    leaves = {_leaf(search, leaf): leaf for leaf in search.leaves()}
    edges = [leaves[_wanted(word)] for word in words]
    edge = edges.pop()
    while edges:
        left = edges.pop()
        joined = search.binary(left, edge)
        edge = joined[0] if len(joined) == 1 else joined[side == ">"]
    return edge if category == "N" else search.unary(edge, search.rules.unary_of(edge)[0])


def _leaf(search: OnPaper, leaf: Edge) -> tuple[str, str, str]:
    item = search.problem.items[leaf.items[0]]
    return item.form, item.pos, str(leaf.category)


def _wanted(word: str) -> tuple[str, str, str]:
    form, _, said = word.partition("/")
    if form == "old":
        return form, "JJ", said or "N/N"
    return form, said or "NN", "N"


class Compared(NamedTuple):
    """Two edges, and whether they have one signature for the engine."""

    first: Seen
    second: Seen
    alike: bool


@cache
def pairs() -> tuple[Compared, ...]:
    """The pairs, compared by the engine."""
    search = search_by_hand(NOUNS, signature="2015")
    compared = []
    for texts in PAIRS:
        left, right = (built(search, text) for text in texts)
        first, second = seen(left, search.problem), seen(right, search.problem)
        compared.append(Compared(first, second, search.signature(left) == search.signature(right)))
    return tuple(compared)


# --- in the engine --------------------------------------------------------------------------------


class OwnSignature(BestFirstCCG):
    """Algorithm 1 with somebody's signature."""

    own: Signature

    def signature(self, edge: Edge) -> Hashable:
        """What the function says of it; never ``None``, which would be an edge like no other."""
        return (self.own(seen(edge, self.problem)),)


def prunes(own: Signature | None = None) -> list[list[int]]:
    """For each sentence the edges that are pruned by their signatures, the engine's or own ones."""
    logs = map(partial(_searched, own=own), sentences())
    return [
        [event[1] for event in log if event[0] == "pruned" and event[2] != "beam"] for log in logs
    ]


def _searched(sentence: Sentence, own: Signature | None) -> EventLog:
    log = EventLog()
    search = search_on(sentence, log, BestFirstCCG if own is None else OwnSignature)
    if own is not None:
        search.own = own
    search.run()
    return log


def first_other_search(own: Signature) -> Moment | None:
    """The first search that goes another way with this signature, where it does so first."""
    for sentence in sentences():
        usual, other = _searched(sentence, None), _searched(sentence, own)
        if usual != other:
            names = ("the engine's signature", "yours")
            at = difference(usual, other)
            return Moment(usual, at, f"“{sentence.text}”", "chart", other, names)
    return None


def _judge_signature(answer: Any) -> str:
    own = function_of(answer, "signature")
    for first, second, alike in pairs():
        yours = _compared(own, first, second)
        if yours and not alike:
            said = f"To you these are one, and to the engine two: {first} | {second}."
            raise Wrong(said, first_other_search(own))
        if alike and not yours:
            said = f"To you these are two, and to the engine one: {first} | {second}."
            raise Wrong(said, first_other_search(own))
    usual = prunes()
    if prunes(own) != usual:
        said = "In a search other edges are pruned. Does it always say the same of one edge?"
        raise Wrong(said, first_other_search(own))
    count = len([serial for serials in usual for serial in serials])
    return f"In {len(usual)} searches it prunes the same {count} edges as the engine's."


def _compared(own: Signature, first: Seen, second: Seen) -> bool:
    signatures: Sequence[Hashable] = [own(first), own(second)]
    try:
        hash(signatures[0])
    except TypeError:
        raise Wrong(
            "A signature is looked up, so it cannot hold a list or a dictionary: use tuples, "
            "strings, numbers, frozensets."
        ) from None
    return signatures[0] == signatures[1]


def signature_2015(edge: Seen) -> Hashable:
    """Category, head word with its tag, the words in any order, two at either end with tags."""
    tagged = list(zip(edge.words, edge.tags, strict=True))
    outer = tuple(tagged[:2]), tuple(tagged[-2:])
    return edge.category, tagged[edge.head], tuple(sorted(edge.words)), outer


def _solve_signature() -> str:
    return (
        "def signature(edge):\n"
        "    tagged = list(zip(edge.words, edge.tags))\n"
        "    outer = tuple(tagged[:2]), tuple(tagged[-2:])\n"
        "    return edge.category, tagged[edge.head], tuple(sorted(edge.words)), outer\n"
        f"{_judge_signature(signature_2015)}"
    )


EXERCISES = (
    Exercise(
        "10.2",
        "Write the signature of 2015.",
        (
            "Category, head word, the words in whatever order, and two words with their tags at "
            "the beginning and at the end: five things, one tuple.",
            "Words in whatever order, but each as often as it is there: sort them.",
            "zip(edge.words, edge.tags) gives pairs; take the first two and the last two.",
        ),
        _judge_signature,
        _solve_signature,
    ),
)
