"""The truth under best-first search: every tree of a bag, and a simulation that keeps plain lists.

Nothing here calls the package's agenda, chart, grammar or gold edges. A word is (form, tag); a
phrase is its words in order, with the place of each one's head.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple
from zlib import crc32

from oracles import projective_trees
from test_input_constraints import has_heads

import wordorder_lab as wl
from wordorder_lab.best_first.dependency import BestFirstDependency
from wordorder_lab.best_first.edge import Edge
from wordorder_lab.best_first.features import contexts, edge_features
from wordorder_lab.best_first.templates import load_edge_templates
from wordorder_lab.structures.problem import Item

Words = tuple[tuple[str, str], ...]
Heads = tuple[int, ...]
Tree = tuple[Words, Heads]
Local = Callable[[Words, Heads, int, bool], float]
"""What the last action adds: the words and heads of a phrase, how many words come from its left
part (0: it is a leaf), and whether it is the whole sentence."""


def every_tree(bag: wl.WordBag, tags: Sequence[str] = ("T",)) -> Counter[Tree]:
    """Each sentence that keeps all that is given, with the number of ways to choose its units."""
    found: Counter[Tree] = Counter()
    pos = bag.pos or ()
    for order in itertools.permutations(range(len(bag))):
        if all(order.index(first) < order.index(then) for first, then in bag.before):
            trees = [t for t in projective_trees(len(bag)) if has_heads(bag, order, t)]
            choices = [(tag,) if (tag := pos[unit]) else tags for unit in order]
            for chosen in itertools.product(*choices):
                words = tuple((bag.form(unit), tag) for unit, tag in zip(order, chosen))
                found.update((words, tree) for tree in trees)
    return found


def phrases_of(words: Words, heads: Heads) -> list[tuple[Words, Heads, int, bool]]:
    """All phrases on the way to a tree: to each word first its right dependents are attached, then
    its left ones, from the nearest on. With the size of the left part, as ``Local`` takes them."""
    found: list[tuple[Words, Heads, int, bool]] = []

    def phrase(begin: int, root: int, end: int, cut: int) -> None:
        over = tuple(-1 if i == root else heads[i] - begin for i in range(begin, end))
        whole = end - begin == len(words)
        found.append((words[begin:end], over, cut - begin, whole))

    def build(root: int) -> tuple[int, int]:
        begin, end = root, root + 1
        phrase(begin, root, end, begin)
        for right in [i for i in range(root, len(heads)) if heads[i] == root]:
            _, after = build(right)
            phrase(begin, root, after, end)
            end = after
        for left in [i for i in range(root, -1, -1) if heads[i] == root]:
            first, _ = build(left)
            phrase(first, root, end, begin)
            begin = first
        return begin, end

    build(heads.index(-1))
    return found


TABLE_2 = load_edge_templates("zhang_clark_2015_table_2")


class MadeUp:
    """Whole-number weights between -3 and 3 for whatever is asked for, nearly half of them zero."""

    def __init__(self, seed: int) -> None:
        self.seed = seed

    def __call__(self, feature: Any) -> float:
        number = crc32(f"{self.seed}{feature}".encode())
        return (3.0, -2.0, 1.0, -1.0, 2.0, -3.0, *[0.0] * 5)[number % 11]

    def shape(self, words: Words, heads: Heads, left_size: int, whole: bool) -> float:
        return self((words, heads, left_size, whole))

    def table_2(self, words: Words, heads: Heads, left_size: int, whole: bool) -> float:
        items = [Item(i, (form,), form.split()[-1], tag) for i, (form, tag) in enumerate(words)]
        found = contexts(range(len(words)), heads, left_size, items, whole)
        return float(sum(self(f) for group in edge_features(TABLE_2, found) for f in group))


class ShapeSearch(BestFirstDependency):
    """A search in which an edge has one feature: itself, as ``Local`` takes it."""

    def groups(self, edge: Edge) -> list[list[Any]]:
        left_size = edge.left.size if edge.left else 0
        return [[(*tree_of(self, edge), left_size, self.goal_test(edge))]]


def tree_of(search: BestFirstDependency, edge: Any) -> Tree:
    items = [search.problem.items[i] for i in edge.items]
    return tuple((item.form, item.pos) for item in items), tuple(edge.heads)


class Phrase(NamedTuple):
    """A hypothesis: its number in the order of making, what it is, f(e), what it is ranked by."""

    made: int
    words: Words
    heads: Heads
    total: float
    score: float

    @property
    def root(self) -> int:
        return self.heads.index(-1)


class Simulation:
    """Algorithm 4 with plain lists, sorted anew at every step.

    ``leaves`` in their order; ``copies`` of each form; given ``heads`` (form -> form, or ``None``
    for the root of all) and orders ``before`` for bags in which no form comes twice.
    """

    def __init__(
        self,
        leaves: Sequence[tuple[str, str]],
        copies: Mapping[str, int],
        local: Local,
        *,
        beam: int,
        by_size: bool,
        scaled: bool,
        expansions: int,
        heads: Mapping[str, str | None] | None = None,
        before: Sequence[tuple[str, str]] = (),
    ) -> None:
        self.copies, self.local, self.scaled = copies, local, scaled
        self.heads, self.before = heads or {}, before
        self.size = sum(copies.values())
        self.made = 0
        self.pops: list[Phrase] = []
        self.goal: Phrase | None = None
        agenda = [self.phrase((leaf,), (-1,), 0, 0.0) for leaf in leaves]
        chart: list[Phrase] = []
        while agenda and self.goal is None and len(self.pops) < expansions:
            agenda.sort(key=lambda phrase: (-phrase.score, phrase.made))
            best = agenda.pop(0)
            self.pops.append(best)
            if len(best.words) == self.size:
                self.goal = best
                break
            agenda += self.expand(best, chart)
            chart.append(best)
            alike = [p for p in chart if not by_size or len(p.words) == len(best.words)]
            if beam and len(alike) > beam:
                alike.sort(key=lambda phrase: (-phrase.score, phrase.made))
                chart.remove(alike[-1])
        self.chart = chart
        self.exhausted = self.goal is None and not agenda

    def phrase(self, words: Words, heads: Heads, cut: int, below: float) -> Phrase:
        self.made += 1
        total = below + self.local(words, heads, cut, len(words) == self.size)
        score = total / (2 * len(words) - 1) if self.scaled else total
        return Phrase(self.made, words, heads, total, score)

    def expand(self, best: Phrase, chart: list[Phrase]) -> list[Phrase]:
        pairs = [pair for other in chart for pair in ((best, other), (other, best))]
        new = []
        for left, right in [*pairs, (best, best)]:
            if self.fits(left, right):
                for heads in self.links(left, right):
                    words = left.words + right.words
                    cut = len(left.words)
                    new.append(self.phrase(words, heads, cut, left.total + right.total))
        return new

    def fits(self, left: Phrase, right: Phrase) -> bool:
        forms = [form for form, _ in left.words + right.words]
        if any(forms.count(form) > self.copies[form] for form in forms):
            return False
        place = {form: i for i, form in enumerate(forms)}
        both = [(a, b) for a, b in self.before if a in place and b in place]
        return all(place[a] < place[b] for a, b in both)

    def links(self, left: Phrase, right: Phrase) -> Iterator[Heads]:
        """The heads of both phrases together, once with each root on top, if that is possible."""
        n = len(left.words)
        moved = [head + n if head >= 0 else -1 for head in right.heads]
        own = [*left.heads, *moved]
        a, b = left.root, n + right.root
        for head, dependent in ((a, b), (b, a)):
            heads = [head if i == dependent else over for i, over in enumerate(own)]
            if head == a and a in left.heads[:a]:
                continue  # it has a left dependent already
            if self.keeps(left.words + right.words, tuple(heads), dependent):
                yield tuple(heads)

    def keeps(self, words: Words, heads: Heads, new: int) -> bool:
        """Whether the new dependent may have this head, and has what it has to have itself."""
        form, over = words[new][0], words[heads[new]][0]
        if form in self.heads and self.heads[form] != over:
            return False
        below = {words[i][0] for i, head in enumerate(heads) if head == new}
        return all(child in below for child, head in self.heads.items() if head == form)

    def joined(self) -> tuple[Words, Heads]:
        ranked = sorted(self.chart, key=lambda p: (-len(p.words), -p.score, p.made))
        output: Phrase | None = None
        for piece in ranked:
            if output is None:
                output = piece
            elif self.fits(output, piece):
                n = len(output.words)
                moved = tuple(head + n if head >= 0 else -1 for head in piece.heads)
                output = Phrase(0, output.words + piece.words, output.heads + moved, 0.0, 0.0)
        return (output.words, output.heads) if output else ((), ())
