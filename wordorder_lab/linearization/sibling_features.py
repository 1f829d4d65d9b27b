"""What the parts of a domain look like, two and three at a time, as numbers of weights.

A feature is a template with the values that it finds: *an adverbial modifier with the tag RB stands
somewhere before an object with the tag NN, below a verb*. Every part has 17 attributes, the head of
the domain 8 more.

Templates are data, one a line of a file in ``tables/``. ``before | label tag | label tag // upos``
looks at label and tag of a part and of one that stands somewhere after it, and at the universal tag
of their head. First comes what kind of company is looked at (``KINDS``), then what of each part,
from left to right, and behind ``//`` what of the domain's head.

Features are not listed anywhere: a feature's text is hashed, and the hash says which of 2 ** bits
weights is its own, perhaps together with others ("hash kernel"; Bohnet 2010, *Very High Accuracy
and Fast Dependency Parsing is not a Contradiction*). So all pairs of parts are looked up at once,
as arrays: the hash of a pair is the sum of one number for each part and one for the head.

Differences
- *Paper silent*, as the papers are not before us: all attributes and templates are ours.
- *Our reading*: which values are hashed how. A value is eight bytes of BLAKE2b, a feature the sum
  of its values, each times an odd number of its own, of which the upper bits are taken.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from hashlib import blake2b
from importlib.resources import files
from typing import NamedTuple

import numpy as np

from wordorder_lab.linearization.dependents_beam import OrderScores, steps_of
from wordorder_lab.linearization.domains import HEAD, Domain, Order
from wordorder_lab.structures.lemma_tree import LemmaNode, universal
from wordorder_lab.structures.messages import cited
from wordorder_lab.structures.templates import template_text

MOST_FOR_THREE = 14
"""In a larger domain, three parts at a time are not looked at: n ** 3 would be many."""
ASKING = frozenset(("WDT", "WP", "WP$", "WRB"))
OPENING = frozenset((",", "``", "-LRB-", ":"))
TOLD = frozenset(("VerbForm", "PronType", "Case", "NumType", "Mood", "Degree", "Tense"))
SIDES = 2


class Buckets(NamedTuple):
    """The numbers of the weights of a domain, the last axis being the templates of a kind."""

    before: np.ndarray
    beside: np.ndarray
    seam: np.ndarray
    three: np.ndarray | None


@dataclass(frozen=True)
class SiblingFeatures:
    """The features of templates, for 2 ** ``bits`` weights."""

    templates: SiblingTemplates
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
            left, middle, right, above = self._sums("three", parts, head)
            three = left[:, None, None] + middle[None, :, None] + right[None, None, :] + above
            three = self._bucket(three)
        return Buckets(
            self._bucket(before),
            self._bucket(by_side),
            self._bucket(self._pairs("seam", parts, head)),
            three,
        )

    def _pairs(self, kind: str, parts: np.ndarray, head: np.ndarray) -> np.ndarray:
        left, right, above = self._sums(kind, parts, head)
        pairs: np.ndarray = left[:, None] + right[None, :] + above
        return pairs

    @cached_property
    def _hashing(self) -> dict[str, Hashing]:
        return {kind: Hashing.of(kind, lines) for kind, lines in self.templates.by_kind.items()}

    def _sums(self, kind: str, parts: np.ndarray, head: np.ndarray) -> list[np.ndarray]:
        """For each column, what each part (or the head) adds to the hash of each template."""
        columns, names = self._hashing[kind]
        sums = []
        for i, (which, factors) in enumerate(columns):
            values = head if i == len(columns) - 1 else parts
            total = values[:, which[0]] * factors[0]
            for j in range(1, len(which)):
                total += values[:, which[j]] * factors[j]
            sums.append(total)
        sums[-1] += names
        return sums

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


# --- templates ----------------------------------------------------------------------------------

USUAL = "bohnet_2011"
"""The template file that is used unless another is named."""
KINDS = {"before": 2, "beside": 2, "seam": 2, "three": 3}
"""How many parts a template looks at: one somewhere before another; one right before another, and
whether their head is placed by then; the same, whatever the head; three in a row."""
ATTRIBUTES = tuple(
    """
    label relation upos tag lemma features marker below size first first_tag first_two last
    last_tag last_two asks opens
    """.split()
)
"""Of a part: its node's own, what hangs below it, and its words."""
OF_HEAD = ("upos", "tag", "lemma", "label", "below", "count", "above", "sentence")
MOST_TEMPLATES = 512

Columns = tuple[tuple[str, ...], ...]
"""The attributes of each part, and in the last place those of the head."""


@dataclass(frozen=True)
class SiblingTemplates:
    """Templates by kind, in the order of their file."""

    name: str
    text: str
    by_kind: Mapping[str, tuple[Columns, ...]]

    def __len__(self) -> int:
        return len([line for lines in self.by_kind.values() for line in lines])


def load_sibling_templates(name: str = USUAL) -> SiblingTemplates:
    """The templates of a file in ``tables/``; ``ValueError`` for no such file."""
    folder = files("wordorder_lab.linearization") / "tables"
    return parse_sibling_templates(template_text(folder, name), name)


def parse_sibling_templates(text: str, name: str = "") -> SiblingTemplates:
    """The templates that a text lists; ``ValueError`` with the line for what is none. Every kind
    has one at least."""
    found: dict[str, list[Columns]] = {kind: [] for kind in KINDS}
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip() and not line.startswith("#"):
            kind, columns = _template(line, f"line {number} of the templates {name}")
            found[kind].append(columns)
    missing = [kind for kind, lines in found.items() if not lines]
    if missing:
        raise ValueError(f"the templates {name} have no line that begins with {missing[0]}")
    return SiblingTemplates(name, text, {kind: tuple(lines) for kind, lines in found.items()})


def _template(line: str, where: str) -> tuple[str, Columns]:
    of_parts, apart, of_head = line.partition("//")
    kind, *columns = (column.split() for column in of_parts.split("|"))
    if not apart or len(kind) != 1 or len(columns) != KINDS.get(kind[0]):
        kinds = ", ".join(KINDS)
        raise ValueError(
            f"{where}: {cited(line)} is not one of {kinds}, a column for each part behind |, and "
            "what is looked at of the head behind //"
        )
    for known, column in [*((ATTRIBUTES, c) for c in columns), (OF_HEAD, of_head.split())]:
        for attribute in column:
            if attribute not in known:
                raise ValueError(f"{where}: no {cited(attribute)}; there are {', '.join(known)}")
    return kind[0], (*map(tuple, columns), tuple(of_head.split()))


# --- what is seen of a part and of the head -------------------------------------------------------


def _looks(domain: Domain) -> list[tuple[int, ...]]:
    return [_values(_look(domain, part)) for part in range(len(domain))]


def _look(domain: Domain, part: int) -> tuple[str, ...]:
    tree, is_head = domain.tree, part == HEAD
    node = tree.nodes[domain.parts[part]]
    below = [tree.nodes[i] for i in tree.dependents[domain.parts[part]]]
    words = [tree.nodes[i] for i in domain.strings[part]]
    tags = [tag_of(word) for word in words]
    label = "head" if is_head else node.label
    markers = sorted(n.lemma.lower() for n in below if universal(n.label) in ("case", "mark"))
    return (
        label,
        universal(label),
        node.upos,
        tag_of(node),
        node.lemma.lower(),
        " ".join(value for name, value in node.features if name in TOLD),
        " ".join(markers),
        "head" if is_head else _labels(below),
        _size(len(words)),
        words[0].lemma.lower(),
        tags[0],
        " ".join(tags[:2]),
        words[-1].lemma.lower(),
        tags[-1],
        " ".join(tags[-2:]),
        str(not ASKING.isdisjoint(tags)),
        str(len(words) > 1 and tags[0] in OPENING),
    )


def _look_of_head(domain: Domain) -> tuple[str, ...]:
    tree = domain.tree
    node = tree.nodes[domain.head]
    below = [tree.nodes[i] for i in tree.dependents[domain.head]]
    above = tree.nodes[node.head].upos if node.head >= 0 else ""
    return (
        node.upos,
        tag_of(node),
        node.lemma.lower(),
        node.label,
        _labels(below),
        str(min(len(below), 6)),
        above,
        sentence_type(domain),
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


class Hashing(NamedTuple):
    """The templates of a kind as arrays.

    By column, which attributes a template has, and by what odd numbers these are multiplied: both
    of shape (most attributes of a template, templates), with the factor 0 where a template has
    fewer. ``names`` has one number a template.
    """

    columns: tuple[tuple[np.ndarray, np.ndarray], ...]
    names: np.ndarray

    @classmethod
    def of(cls, kind: str, templates: Sequence[Columns]) -> Hashing:
        """The arrays of some templates."""
        columns = []
        for column in range(KINDS[kind] + 1):
            known = OF_HEAD if column == KINDS[kind] else ATTRIBUTES
            most = max(1, *(len(template[column]) for template in templates))
            which = np.zeros((most, len(templates)), np.int64)
            factors = np.zeros((most, len(templates)), np.uint64)
            for k, template in enumerate(templates):
                for j, name in enumerate(template[column]):
                    which[j, k] = known.index(name)
                    factors[j, k] = _number(f"{kind} {template} {column} {name}") | np.uint64(1)
            columns.append((which, factors))
        names = [_number(f"{kind} {template}") for template in templates]
        return cls(tuple(columns), np.array(names, np.uint64))


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
