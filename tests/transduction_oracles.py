"""The truth under the tree transducer: all derivations of a small tree, by a naive matcher.

Nothing here calls the package's matching, coverage rules, seams, charts or losses. It reads the
rules, its templates name features and its n-gram model scores sentences: those have tests of
their own.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import combinations, product
from typing import NamedTuple
from zlib import crc32

from nltk.tree import Tree

from wordorder_lab.models.ngram import NGramModel
from wordorder_lab.structures.synchronous_rule import (
    EPSILON,
    ElementaryTree,
    SynchronousRule,
    escaped,
    parse_rule,
)
from wordorder_lab.transduction.grammar import COPY, DELETE, EXTRACTED, SynchronousGrammar
from wordorder_lab.transduction.templates import load_templates

Place = tuple[int, ...]
"""Where a node is: which child of the root, which child of that one, ..."""


class Step(NamedTuple):
    """A rule at a node; ``consumed`` source words are its own or deleted by it."""

    place: Place
    rule: SynchronousRule
    origin: int
    consumed: int


class Naive(NamedTuple):
    """A derivation: its steps in pre-order, and its target tree."""

    steps: tuple[Step, ...]
    tree: Tree


def all_derivations(source: Tree, grammar: SynchronousGrammar) -> list[Naive]:
    @cache
    def ways(place: Place, category: str) -> list[Naive]:
        found = []
        for step, bound in steps_at(source, place, grammar):
            if step.rule.target.label == category:
                wanted = sorted(variables_of(step.rule.target).items())
                below = [ways(bound[number], label) for number, label in wanted]
                for parts in product(*below):
                    steps = (step, *(one for part in parts for one in part.steps))
                    found.append(Naive(steps, grown(step.rule.target, [p.tree for p in parts])))
        return found

    goals = sorted({*grammar.roots, source.label()})
    return [one for goal in goals for one in ways((), goal)]


def steps_at(
    source: Tree, place: Place, grammar: SynchronousGrammar
) -> Iterator[tuple[Step, dict[int, Place]]]:
    node = source[place]
    origins: Counter[SynchronousRule] = Counter()
    for text, origin in made_rules(node, grammar):
        origins[parse_rule(text)] |= origin
    for rule in grammar.rules:
        origins[rule] |= EXTRACTED
    for rule, origin in origins.items():
        bound = laid_over(rule.source, source, place)
        if bound is not None:
            kept = [source[at] for number, at in bound if number != EPSILON]
            consumed = len(node.leaves()) - len([word for one in kept for word in one.leaves()])
            yield Step(place, rule, origin, consumed), dict(bound)


def laid_over(
    alpha: ElementaryTree | str, source: Tree, place: Place
) -> list[tuple[int, Place]] | None:
    """(number, place) of the frontier nodes, if the elementary tree fits."""
    node = source[place]
    if isinstance(alpha, str) or isinstance(node, str):
        return [] if alpha == node else None
    if alpha.label != node.label():
        return None
    if alpha.is_frontier:
        return [(alpha.index, place)]
    if len(alpha.children) != len(node):
        return None
    below = [laid_over(child, source, (*place, i)) for i, child in enumerate(alpha.children)]
    return None if None in below else [pair for one in below for pair in one or []]


def made_rules(node: Tree, grammar: SynchronousGrammar) -> Iterator[tuple[str, int]]:
    """Copy and deletion rules in their notation."""
    label = escaped(node.label())
    if isinstance(node[0], str):
        side = f"[{label} {escaped(node[0])}]"
        yield f"<{label}, {label}> -> <{side}, {side}>", COPY
        return
    labels = [child.label() for child in node]
    order = grammar.head_order.order(node.label(), labels)
    names = [f"{escaped(one)}_{i}" for i, one in enumerate(labels, 1)]
    side = f"[{label} {' '.join(names)}]"
    yield f"<{label}, {label}> -> <{side}, {side}>", COPY
    for count in range(1, len(labels) + 1):
        kept = [name for i, name in enumerate(names) if i in order[:count]]
        deleted = [n if n in kept else f"{escaped(one)}_eps" for n, one in zip(names, labels)]
        side = f"[{label} {' '.join(deleted)}]"
        yield f"<{label}, {label}> -> <{side}, [{label} {' '.join(kept)}]>", DELETE
        if count == 1:
            yield f"<{label}, {escaped(labels[order[0]])}> -> <{side}, {kept[0]}>", DELETE


def variables_of(gamma: ElementaryTree | str) -> dict[int, str]:
    if isinstance(gamma, str):
        return {}
    if not gamma.children:
        return {gamma.index: gamma.label}
    return {k: v for child in gamma.children for k, v in variables_of(child).items()}


def grown(gamma: ElementaryTree, parts: Sequence[Tree]) -> Tree:
    if not gamma.children:
        return parts[gamma.index - 1]
    children = [c if isinstance(c, str) else grown(c, parts) for c in gamma.children]
    return Tree(gamma.label, children)


TEMPLATES = load_templates()
Weigh = Callable[[str], float]


def random_weights(seed: object) -> Weigh:
    return cache(lambda name: random.Random(crc32(f"{seed} {name}".encode())).gauss(0, 0.5))


def score_of(
    one: Naive,
    weigh: Weigh,
    ngrams: NGramModel,
    weight: float,
) -> float:
    """Equations 5 and 6: the features of every rule, and the n-grams of the whole output."""
    score = weight * ngrams.score(one.tree.leaves())
    for step in one.steps:
        score += weigh("Word count: source terminals") * step.consumed
        for name, value in TEMPLATES.features(step.rule, step.origin):
            score += weigh(name) * value
    return score


def bag(loss: str, tree: Tree) -> Counter:
    words = tree.leaves()
    if loss == "hamming-cfg":
        return Counter(str(production) for production in tree.productions())
    if loss == "hamming-ngrams":
        signs = [None, None, *words, None]  # None is never a word
        spans = combinations(range(len(signs) + 1), 2)
        found = Counter(tuple(signs[i:j]) for i, j in spans if j - i <= 3)
        edges = {one: count for one, count in found.items() if not any(one)}
        return found - Counter(edges)
    return Counter(words)


def naive_loss(loss: str, output: Tree, reference: Tree, penalty: float = 1) -> float:
    """Equations 12, 13 and 14; the penalty is the factor of the second term of the first."""
    made, gold = bag(loss, output), bag(loss, reference)
    right = (made & gold).total()
    if loss == "edit":
        return made.total() + gold.total() - 2 * right
    if loss == "f1":
        return 1 - 2 * right / (made.total() + gold.total())
    wrong = made.total() - len([item for item in made.elements() if item in gold])
    return wrong + penalty * max(gold.total() - made.total(), 0)


Linked = list[tuple[Place, Place]]


def node_places(tree: Tree) -> list[Place]:
    return [at for at in tree.treepositions() if isinstance(tree[at], Tree)]


def is_below(one: Place, other: Place) -> bool:
    return one[: len(other)] == other


def words_below(tree: Tree, place: Place) -> set[int]:
    return {i for i, leaf in enumerate(tree.treepositions("leaves")) if is_below(leaf, place)}


def cut_subtree(tree: Tree, place: Place, marks: dict[Place, str]) -> str:
    """A subtree in the notation, cut where there are marks."""
    node = tree[place]
    if isinstance(node, str):
        return node
    if place in marks:
        return node.label() + marks[place]
    below = [cut_subtree(tree, (*place, i), marks) for i in range(len(node))]
    return f"[{node.label()} {' '.join(below)}]"


class NaiveExtraction:
    """The rules of a pair of trees, by trying; ``links`` are the constituents that are aligned."""

    def __init__(self, source: Tree, target: Tree, words: Sequence[tuple[int, int]]) -> None:
        self.source, self.target = source, target
        spans = {at: words_below(source, at) for at in node_places(source)}
        self.null = {at for at in spans if not any(i in spans[at] for i, _ in words)}
        self.links: dict[Place, list[Place]] = {}
        for v, t in product(spans, node_places(target)):
            inside = [(i in spans[v], j in words_below(target, t)) for i, j in words]
            if (True, True) in inside and all(one == other for one, other in inside):
                self.links.setdefault(v, []).append(t)  # the highest first

    def rules(self, depth: int, choice: str) -> Counter[SynchronousRule]:
        found: Counter[SynchronousRule] = Counter()
        todo: Linked = [((), ())]
        for pair in todo:  # grows on the way
            for rule, below in self.rules_at(*pair, depth, choice):
                small = max(rule.source.size(), rule.target.size()) <= 15 and len(below) <= 5
                found[rule] += small  # what is below one that is too large counts all the same
                todo += [one for one in below if one not in todo]
        return +found

    def rules_at(
        self, v: Place, t: Place, depth: int, choice: str
    ) -> Iterator[tuple[SynchronousRule, Linked]]:
        """The rules of a pair of nodes, however large, with the pairs below."""
        inner = [at for at in node_places(self.source) if is_below(at, v) and at != v]
        options = {at: self.options(at, t, choice) for at in inner}
        sets = (cut for size in range(len(inner) + 1) for cut in combinations(inner, size))
        for cut in sets:
            seen = [at for at in inner if not any(is_below(at, one) for one in cut)]
            nested = any(one != other and is_below(one, other) for one in cut for other in cut)
            if nested or len([at for at in seen if options[at]]) > depth:
                continue
            for chosen in product(*(options[at] for at in cut)):
                below = [(at, link) for at, link in zip(cut, chosen) if link is not None]
                yield self.rule(v, t, cut, below), below

    def options(self, at: Place, t: Place, choice: str) -> Sequence[Place | None]:
        """What a node may be matched with; ``None`` is epsilon."""
        if at in self.null:
            return [None]
        there = [link for link in self.links.get(at, ()) if is_below(link, t)]
        same = [one for one in there if self.target[one].label() == self.source[at].label()]
        return there if choice == "all" else (same or there)[:1]

    def rule(self, v: Place, t: Place, cut: Sequence[Place], below: Linked) -> SynchronousRule:
        here = dict.fromkeys(cut, "_eps") | {at: f"_{i}" for i, (at, _) in enumerate(below, 1)}
        there = {link: here[at] for at, link in below}
        sides = cut_subtree(self.source, v, here), cut_subtree(self.target, t, there)
        x, y = self.source[v].label(), self.target[t].label()
        return parse_rule(f"<{x}, {y}> -> <{sides[0]}, {sides[1]}>")
