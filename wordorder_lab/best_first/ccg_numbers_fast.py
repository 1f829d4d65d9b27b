"""Part of ``ccg_fast``: a grammar's rules, a bag and Table 1 in numbers, as its kernels take them.

What stands in a row: words as pairs of word and tag from 1 up, in the sentence's own numbering;
categories and rules by their number among the features, 0 where training never saw them; the size.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from typing import NamedTuple, TypeVar

import numpy as np

from wordorder_lab.best_first import templates as notation
from wordorder_lab.best_first.arrays_fast import BIT, number_kinds, number_sets, words_for
from wordorder_lab.best_first.ccg_rules import CCGRules
from wordorder_lab.best_first.edge import Bounds, Rule
from wordorder_lab.best_first.features_fast import (
    BITS,
    MAX_ITEMS,
    MAX_TAGS,
    NAMED,
    UNKNOWN,
    EdgeProgram,
    Names,
    compile_parts,
)
from wordorder_lab.best_first.keys import EdgeKeys
from wordorder_lab.structures.category import Category
from wordorder_lab.structures.problem import Item, OrderingProblem

MAX_CATEGORIES = 8_000
"""The table of pairs of categories has the square of this."""

PARENT, RULE_HEAD, RULE_KEY = range(3)
"""Columns of ``Grammar.rules``."""

KIND, PAIR, UNIT, LEXICAL, LEAF_GOLD = range(5)
"""Columns of ``Numbers.items``."""

Value = TypeVar("Value", bound=Hashable)


class Grammar(NamedTuple):
    """Rules in numbers, in their order; categories are numbered in the order of their texts.

    ``rules[r]`` is (parent, which child is the head, number of its text among the features);
    ``unary[c]`` the first and last+1 rule of a category alone; ``pairs[l, r]`` the line of
    ``binary`` for two categories (0: none), which has the first and last+1 rule. ``most`` is how
    many edges one pair may make at most, in both orders, or one category alone.
    """

    rules: np.ndarray
    unary: np.ndarray
    pairs: np.ndarray
    binary: np.ndarray
    most: int


class Numbers(NamedTuple):
    """A problem in numbers.

    ``items[i]`` of item i - 1: its kind, its pair of word and tag, its surface unit, its lexical
    category, the gold id of its leaf or -1. ``kinds``, ``several``, ``before``, ``widths`` and
    ``gold`` are as ``arrays_fast`` has them; ``least`` the bits that a goal must have.
    ``labels[c]`` is a category's number among the features, 0 where there is none. ``scratch`` has
    room for the words of two edges and a walk.
    """

    items: np.ndarray
    kinds: np.ndarray
    several: np.ndarray
    before: np.ndarray
    widths: np.ndarray
    least: np.ndarray
    labels: np.ndarray
    gold: np.ndarray
    scratch: np.ndarray


class Known(NamedTuple):
    """What a grammar's problems have in common: the categories of its rules in their order, each
    with its number; their numbers among the features; the number of each rule."""

    categories: dict[Category, int]
    labels: list[int]
    rules: dict[Rule, int]

    @classmethod
    def of(cls, rules: CCGRules, keys: EdgeKeys) -> Known:
        """Number what the rules hold."""
        labels = [keys.category_ids.get(category.text, 0) for category in rules.categories]
        names = {category: c for c, category in enumerate(rules.categories)}
        return cls(names, labels, {rule: r for r, rule in enumerate(rules)})


def number_rules(rules: CCGRules, keys: EdgeKeys) -> Grammar:
    """The rules of a grammar. Raises ``ValueError`` for more categories than there is room for."""
    names = {category: c for c, category in enumerate(rules.categories)}
    if len(names) > MAX_CATEGORIES:
        raise ValueError(
            f"{len(names):,} categories are too many for the fast engine, which has room for "
            f"{MAX_CATEGORIES:,}: use engine='reference'"
        )
    rows = [(names[r.parent], r.head, keys.rule_ids.get(r.text, 0)) for r in rules]
    unary = np.zeros((len(names), 2), np.int64)
    for child, (begin, end) in _runs(rules, 1).items():
        unary[names[child[0]]] = begin, end
    pairs = np.zeros((len(names), len(names)), np.int32)
    binary = [(0, 0)]
    for children, run in _runs(rules, 2).items():
        pairs[names[children[0]], names[children[1]]] = len(binary)
        binary.append(run)
    most = max(
        2 * max(end - begin for begin, end in binary), int((unary[:, 1] - unary[:, 0]).max())
    )
    return Grammar(np.array(rows, np.int64), unary, pairs, np.array(binary, np.int64), most)


def _runs(rules: CCGRules, size: int) -> dict[tuple[Category, ...], tuple[int, int]]:
    """Where the rules of the same children begin and end: they stand together."""
    found: dict[tuple[Category, ...], tuple[int, int]] = {}
    for r, rule in enumerate(rules):
        if len(rule.children) == size:
            begin, end = found.get(rule.children, (r, r))
            assert end == r, "rules of the same children stand together"
            found[rule.children] = begin, r + 1
    return found


def _local(values: Iterable[Value]) -> dict[Value, int]:
    found: dict[Value, int] = {}
    for value in values:
        found.setdefault(value, len(found) + 1)
    return found


def number_names(items: tuple[Item, ...], keys: EdgeKeys) -> Names:
    """Words and tags of a problem. Raises ``ValueError`` for more than the keys of groups hold."""
    pairs = _local((item.word, item.pos) for item in items)
    tags = sorted({item.pos for item in items})
    if len(pairs) > MAX_ITEMS or len(tags) > MAX_TAGS:
        raise ValueError(
            f"{len(pairs):,} pairs of word and tag with {len(tags):,} tags are too many for the "
            "fast engine: give the tags of more words, or use engine='reference'"
        )
    own = {tag: i for i, tag in enumerate(tags, 1)}
    rows = [(0, 0, 0)]
    for word, tag in pairs:
        ids = keys.word_ids.get(word, UNKNOWN), keys.tag_ids.get(tag, UNKNOWN)
        rows.append((*ids, own[tag]))
    numbers = [0, *(keys.tag_ids.get(tag, UNKNOWN) for tag in tags)]
    return Names(np.array(rows, np.int64), np.array(numbers, np.int64))


def number_problem(
    problem: OrderingProblem,
    bounds: Bounds,
    known: Known,
    keys: EdgeKeys,
    gold: Mapping[Hashable, int],
) -> tuple[Numbers, tuple[Category, ...]]:
    """A problem in numbers, and the categories that only its items have, numbered last. ``gold``
    are the numbers of the gold structures."""
    names, own_names = known.categories, dict[Category, int]()
    pairs, units = dict[tuple[str, str], int](), dict[tuple[str, ...], int]()
    rows = [(0, 0, 0, 0, -1)]
    for i, item in enumerate(problem.items):
        assert item.category is not None
        label = names.get(item.category)
        if label is None:
            label = own_names.setdefault(item.category, len(names) + len(own_names))
        pair = pairs.setdefault((item.word, item.pos), len(pairs) + 1)
        unit = units.setdefault(item.unit, len(units) + 1)
        rows.append((item.type, pair, unit, label, gold.get(i, -1)))
    labels = known.labels + [keys.category_ids.get(one.text, 0) for one in own_names]
    kinds, several, bits = number_kinds(bounds.most, 0)
    orders = words_for(len(kinds)) if any(bounds.before) else 0
    covers = words_for(bits)
    least = [k for t, n in enumerate(bounds.least) for k in range(kinds[t, BIT], kinds[t, BIT] + n)]
    numbers = Numbers(
        items=np.array(rows, np.int64),
        kinds=kinds,
        several=several,
        before=number_sets(bounds.before, orders),
        widths=np.array([covers, orders], np.int64),
        least=number_sets([least], covers)[0],
        labels=np.array(labels, np.int64),
        gold=_gold(gold, known.rules),
        scratch=np.empty((3, bits + 2), np.int64),
    )
    return numbers, tuple(own_names)


def _gold(gold: Mapping[Hashable, int], rules: Mapping[Rule, int]) -> np.ndarray:
    """The gold edges; one by a rule that the grammar does not have can never be made."""
    found = np.full((len(gold), 3), -2, np.int32)
    for structure, number in gold.items():
        if isinstance(structure, tuple):
            *parts, rule = structure
            left, right = (*parts, -1)[:2]
            found[number] = left, right, rules.get(rule, -2)
    return found


# --- Table 1 as an integer program ----------------------------------------------------------


COLUMNS = tuple("category size head 0 1 -2 -1 rule nonhead B-2 B-1 B B+1 C-2 C-1 C C+1".split())
"""The order of the slots in a row."""

(
    CATEGORY, SIZE, HEAD, FIRST1, FIRST2, LAST2, LAST1, RULE, NONHEAD, BOUNDARY,
) = range(10)  # fmt: skip
LEXICAL_AT, WIDTH = 13, 17
"""Where each slot stands; the four words around the boundary from ``BOUNDARY`` on, their categories
from ``LEXICAL`` on."""

ALL, LONGER, BINARY, UNARY = range(4)
"""Which edges a group is for, as ``features_fast`` counts them."""


def compile_ccg_program(keys: EdgeKeys) -> EdgeProgram:
    """Translate the template set of a numbering. Raises ``ValueError`` for what does not fit."""
    most = max(len(keys.categories), len(keys.rules))
    if most >= (1 << BITS[NAMED]) - 2:
        raise ValueError(
            f"{most:,} categories or rules are too many for the fast engine, which has room for "
            f"{(1 << BITS[NAMED]) - 2:,}: use engine='reference'"
        )
    columns = {slot: i for i, slot in enumerate(COLUMNS)}
    parts = [
        (section, {slot: columns[slot] for slot in notation.CCG_SLOTS[section]}, when)
        for when, section in enumerate(notation.CCG_SECTIONS)
    ]
    return compile_parts(keys, parts)
