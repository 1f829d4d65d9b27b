"""What the parts of a domain look like, two and three at a time, as numbers of weights.

A feature is a line of ``tables/bohnet_2011.txt`` with the values that it finds: *an adverbial
modifier with the tag RB stands somewhere before an object with the tag NN, below a verb*. Every
part has 17 attributes (``ATTRIBUTES``), the head of the domain 8 more (``OF_HEAD``).

Features are not listed anywhere: a feature's text is hashed, and the hash says which of 2 ** bits
weights is its own, perhaps together with others ("hash kernel"; Bohnet 2010, *Very High Accuracy
and Fast Dependency Parsing is not a Contradiction*). So all pairs of parts are looked up at once,
as arrays: the hash of a pair is the sum of one number for each part and one for the head.

Differences
- *Paper silent*, as the papers are not before us: every line of the table is ours.
- *Our reading*: which values are hashed how. A value is eight bytes of BLAKE2b, a feature the sum
  of its values, each times an odd number of its own, of which the upper bits are taken.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from hashlib import blake2b
from importlib.resources import files
from typing import NamedTuple

import numpy as np

from wordorder_lab.linearization.dependents_beam import OrderScores, steps_of
from wordorder_lab.linearization.domains import HEAD, Domain, Order
from wordorder_lab.structures.lemma_tree import LemmaNode, universal

TABLE = "bohnet_2011.txt"
KINDS = {"before": 2, "beside": 2, "seam": 2, "three": 3}
"""How many parts a feature looks at."""
MOST_FOR_THREE = 14
"""In a larger domain, three parts at a time are not looked at: n ** 3 would be many."""
ASKING = frozenset(("WDT", "WP", "WP$", "WRB"))
OPENING = frozenset((",", "``", "-LRB-", ":"))
TOLD = frozenset(("VerbForm", "PronType", "Case", "NumType", "Mood", "Degree", "Tense"))
ATTRIBUTES = (
    *("label", "relation", "upos", "tag", "lemma", "features", "marker", "below"),
    *("size", "first", "first_tag", "first_two", "last", "last_tag", "last_two", "asks", "opens"),
)
"""Of a part: its node's own, what hangs below it, and its words."""
OF_HEAD = ("upos", "tag", "lemma", "label", "below", "count", "above", "sentence")
SIDES = 2


class Buckets(NamedTuple):
    """The numbers of the weights of a domain, the last axis being the lines of the table."""

    before: np.ndarray
    beside: np.ndarray
    seam: np.ndarray
    three: np.ndarray | None


@dataclass(frozen=True)
class SiblingFeatures:
    """The features of the table, for 2 ** ``bits`` weights."""

    bits: int

    def buckets(self, domain: Domain) -> Buckets:
        """Which weights the features of a domain have."""
        n = len(domain)
        parts = np.array([*_looks(domain), *_edges()], np.uint64)
        head = np.array([_values(_look_of_head(domain))], np.uint64)
        before = self._pairs("before", parts[:n], head)
        beside = self._pairs("beside", parts, head)
        by_side = np.stack([beside + _number(f"side {side}") for side in range(SIDES)])
        three = None
        if n <= MOST_FOR_THREE:
            left, middle, right, above = _sums("three", parts, head)
            three = left[:, None, None] + middle[None, :, None] + right[None, None, :] + above
            three = self._bucket(three)
        return Buckets(
            self._bucket(before),
            self._bucket(by_side),
            self._bucket(self._pairs("seam", parts, head)),
            three,
        )

    def _pairs(self, kind: str, parts: np.ndarray, head: np.ndarray) -> np.ndarray:
        left, right, above = _sums(kind, parts, head)
        return left[:, None] + right[None, :] + above

    def _bucket(self, sums: np.ndarray) -> np.ndarray:
        """The upper bits of a sum, when all its bits have had a say in them."""
        stirred: np.ndarray = (sums ^ (sums >> np.uint64(31))) * np.uint64(0x9E3779B97F4A7C15)
        return (stirred >> np.uint64(64 - self.bits)).astype(np.int64)


def scores_of(buckets: Buckets, weights: np.ndarray) -> OrderScores:
    """What the weights, whole numbers, say of a domain: any order of adding gives the same."""
    seam = _total(weights, buckets.seam)
    three = None if buckets.three is None else _total(weights, buckets.three).tolist()
    beside = _total(weights, buckets.beside) + seam
    return OrderScores(_total(weights, buckets.before).tolist(), beside.tolist(), three)


def buckets_of(buckets: Buckets, order: Order) -> np.ndarray:
    """The weights whose sum is the score of an order, as often as they count."""
    precedences, steps = steps_of(order)
    found = [buckets.before[a, b] for a, b in precedences]
    earlier = len(order)
    for side, a, b in steps:
        found += [buckets.beside[side, a, b], buckets.seam[a, b]]
        if buckets.three is not None:
            found.append(buckets.three[earlier, a, b])
        earlier = a
    return np.concatenate(found)


def _total(weights: np.ndarray, buckets: np.ndarray) -> np.ndarray:
    total: np.ndarray = np.add.reduce(weights[buckets], axis=-1, dtype=np.int64)
    return total


# --- what is seen of a part and of the head -------------------------------------------------------


def _looks(domain: Domain) -> list[tuple[int, ...]]:
    return [_values(_look(domain, part)) for part in range(len(domain))]


def _look(domain: Domain, part: int) -> tuple[str, ...]:
    """The attributes of a part, in the order of ``ATTRIBUTES``."""
    tree, is_head = domain.tree, part == HEAD
    node = tree.nodes[domain.parts[part]]
    below = [tree.nodes[i] for i in tree.dependents[domain.parts[part]]]
    words = [tree.nodes[i] for i in domain.strings[part]]
    tags = [tag_of(word) for word in words]
    label = "head" if is_head else node.label
    markers = sorted(n.lemma.lower() for n in below if universal(n.label) in ("case", "mark"))
    return (
        *(label, universal(label), node.upos, tag_of(node), node.lemma.lower()),
        " ".join(value for name, value in node.features if name in TOLD),
        " ".join(markers),
        "head" if is_head else _labels(below),
        _size(len(words)),
        *(words[0].lemma.lower(), tags[0], " ".join(tags[:2])),
        *(words[-1].lemma.lower(), tags[-1], " ".join(tags[-2:])),
        str(not ASKING.isdisjoint(tags)),
        str(len(words) > 1 and tags[0] in OPENING),
    )


def _look_of_head(domain: Domain) -> tuple[str, ...]:
    """The attributes of the domain's head, in the order of ``OF_HEAD``."""
    tree = domain.tree
    node = tree.nodes[domain.head]
    below = [tree.nodes[i] for i in tree.dependents[domain.head]]
    above = tree.nodes[node.head].upos if node.head >= 0 else ""
    return (
        *(node.upos, tag_of(node), node.lemma.lower(), node.label, _labels(below)),
        *(str(min(len(below), 6)), above, sentence_type(domain)),
    )


def tag_of(node: LemmaNode) -> str:
    """The language's own tag, or the universal one where it is not known."""
    return node.xpos or node.upos


def sentence_type(domain: Domain) -> str:
    """The mark that hangs on the root: a question, an exclamation, a statement, or nothing."""
    tree = domain.tree
    marks = {tree.nodes[i].lemma for i in tree.dependents[tree.root]}
    return next((mark for mark in "?!." if mark in marks), "")


def _labels(nodes: Iterable[LemmaNode]) -> str:
    return " ".join(sorted({universal(node.label) for node in nodes}))


def _size(words: int) -> str:
    return str(next(k for k, most in enumerate((1, 2, 3, 5, 9, 17, words)) if words <= most))


# --- hashing --------------------------------------------------------------------------------------


@cache
def table_text() -> str:
    """The table as its file has it."""
    return (files("wordorder_lab.linearization") / "tables" / TABLE).read_text(encoding="utf-8")


@cache
def _table() -> dict[str, list[list[list[str]]]]:
    """By kind the lines of the table: the columns of parts, then that of the head."""
    table: dict[str, list[list[list[str]]]] = {kind: [] for kind in KINDS}
    for line in table_text().splitlines():
        if line and not line.startswith("#"):
            parts, _, head = line.partition("//")
            kind, *columns = parts.split("|")
            table[kind.strip()].append([column.split() for column in (*columns, head)])
    return table


@cache
def _factors(kind: str) -> list[tuple[np.ndarray, np.ndarray]]:
    """For each column, which attributes it has, and by what odd numbers they are multiplied.

    Both have shape (most attributes of a line, lines); where a line has fewer, the factor is 0.
    """
    made = []
    lines = _table()[kind]
    for column in range(KINDS[kind] + 1):
        names = OF_HEAD if column == KINDS[kind] else ATTRIBUTES
        most = max(1, *(len(line[column]) for line in lines))
        which = np.zeros((most, len(lines)), np.int64)
        factors = np.zeros((most, len(lines)), np.uint64)
        for k, line in enumerate(lines):
            for j, name in enumerate(line[column]):
                which[j, k] = names.index(name)
                factors[j, k] = _number(f"{kind} {line} {column} {name}") | np.uint64(1)
        made.append((which, factors))
    return made


def _sums(kind: str, parts: np.ndarray, head: np.ndarray) -> list[np.ndarray]:
    """For each column, what each part (or the head) adds to the hash of each line."""
    sums = []
    columns = _factors(kind)
    for i, (which, factors) in enumerate(columns):
        values = head if i == len(columns) - 1 else parts
        total = values[:, which[0]] * factors[0]
        for j in range(1, len(which)):
            total += values[:, which[j]] * factors[j]
        sums.append(total)
    sums[-1] = sums[-1] + _names_of_lines(kind)
    return sums


@cache
def _names_of_lines(kind: str) -> np.ndarray:
    return np.array([_number(f"{kind} {line}") for line in _table()[kind]], np.uint64)


@cache
def _edges() -> tuple[tuple[int, ...], ...]:
    """What is seen before the first part and behind the last."""
    return tuple(_values((edge,) * len(ATTRIBUTES)) for edge in ("<s>", "</s>"))


def _values(look: Sequence[str]) -> tuple[int, ...]:
    return tuple(int(_number(value)) for value in look)


@lru_cache(maxsize=1 << 17)
def _number(text: str) -> np.uint64:
    """Eight bytes of BLAKE2b: the same in every process."""
    return np.uint64(int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), "little"))
