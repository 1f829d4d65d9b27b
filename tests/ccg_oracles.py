"""The truth under best-first CCG search: every derivation of a bag, and the features of Table 1.

Nothing here calls the package's agenda, chart, rules, counts, signatures or features. Problems,
categories and derivations are taken from it: they hold what is given and what was found.
A grammar is a list of rows (parent, children, head), as ``CCGRules.rows`` has them without counts.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, cached_property, partial
from itertools import permutations, product
from typing import Any, NamedTuple

import numpy as np
from edge_oracles import MadeUp

import wordorder_lab as wl
from wordorder_lab.best_first.ccg import BestFirstCCG
from wordorder_lab.best_first.ccg_fast import FastCCGSearch
from wordorder_lab.best_first.ccg_rules import CCGRules
from wordorder_lab.best_first.keys import EdgeKeys
from wordorder_lab.best_first.output import Ordering
from wordorder_lab.best_first.packed_weights import PackedEdgeWeights
from wordorder_lab.best_first.settings import Limits, SearchSettings
from wordorder_lab.best_first.templates import load_ccg_templates
from wordorder_lab.best_first.weights_fast import EdgeTable
from wordorder_lab.structures.category import Category
from wordorder_lab.structures.derivation import Derivation
from wordorder_lab.structures.problem import OrderingProblem

Row = tuple[str, tuple[str, ...], int]
Items = tuple[int, ...]
Named = tuple[str | int, ...]
"""A feature: the printed name of its template, then its values."""

TABLE_1 = load_ccg_templates("zhang_clark_2015_table_1")
TRIGRAMS = "resulting lexical category trigrams"
EVERYTHING = 10**9
"""More goals than there are."""

cat = Category.parse


def in_order(rows: Iterable[Row]) -> list[Row]:
    return sorted(rows, key=lambda row: (row[1], row[0], row[2]))


def rules_of(rows: Sequence[Row]) -> CCGRules:
    return CCGRules.from_rows([*row, 1] for row in rows)


def problem_of(
    bag: wl.WordBag, lexicon: Mapping[str, Sequence[str]], tags: Sequence[str] = ("T",)
) -> OrderingProblem:
    """A bag whose words have the categories of a lexicon, whatever their tag."""

    def categories(unit: tuple[str, ...], _tag: str) -> tuple[Category, ...]:
        return tuple(map(cat, lexicon.get(" ".join(unit), ())))

    return OrderingProblem.of(bag, lambda _unit: tuple(tags), categories)


class Weights(MadeUp):
    """Whole-number weights by printed name; the features that were asked for are kept."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.seen: dict[Named, float] = {}

    def __call__(self, feature: Named) -> float:
        if feature not in self.seen:
            self.seen[feature] = super().__call__(feature)
        return self.seen[feature]


class Chosen(Weights):
    def __init__(self, given: Mapping[Named, float]) -> None:
        super().__init__(0)
        self.seen = dict(given)

    def __call__(self, feature: Named) -> float:
        return self.seen.get(feature, 0.0)


def by_name(weight: Callable[[Named], float]) -> Callable[[Sequence[Any]], float]:
    """A weight function for features as the package has them: the number of a template first."""
    return lambda feature: weight((TABLE_1.templates[feature[0]].name, *feature[1:]))


class Found(NamedTuple):
    """What a search gave, how it ended, how much work it was, and what it said on the way."""

    orderings: list[Ordering]
    stopped: str
    counters: dict[str, int]
    events: list[tuple]


def searched(
    problem: OrderingProblem,
    rows: Sequence[Row],
    weights: Weights,
    engine: str = "reference",
    **how: Any,
) -> Found:
    """Algorithm 1 with Table 1; by default until the agenda is empty, with room for every edge.

    The fast engine takes the weights of all features that were asked for before.
    """
    everything: dict[str, Any] = {"beam": 0, "signature": "none", "scaled": False, "k": EVERYTHING}
    settings = SearchSettings(**everything | how)
    rules, log = rules_of(rows), wl.EventLog()
    if engine == "fast":
        keys, table = _numbered(problem, rules, weights)
        decoder = FastCCGSearch(keys, table, rules=rules)
        orderings, stopped, counters = decoder.run(problem, settings, log)
        return Found(orderings, stopped, counters, log.events)
    search = BestFirstCCG(problem, TABLE_1, by_name(weights), settings, log, rules=rules)
    return Found(search.run(), search.stopped, search.counters, log.events)


def _numbered(problem: OrderingProblem, rules: CCGRules, weights: Weights) -> tuple[Any, Any]:
    items = problem.items
    categories = {str(item.category) for item in items} | set(map(str, rules.categories))
    names = {template.name: i for i, template in reversed([*enumerate(TABLE_1.templates)])}
    keys = EdgeKeys.of(
        TABLE_1,
        (item.word for item in items),
        (item.pos for item in items),
        categories,
        (rule.text for rule in rules),
    )
    found = {
        keys.key((names[str(name)], *values)): w for (name, *values), w in weights.seen.items() if w
    }
    order = sorted(key for key in found if key is not None)
    packed = PackedEdgeWeights(np.array(order, np.int64), np.array([found[key] for key in order]))
    return keys, EdgeTable.of(packed)


def table_1(derivation: Derivation) -> Iterator[Named]:
    """The features of the last step, template by template as the table prints them."""
    leaves = derivation.leaves()
    words, tags = [leaf.word.split()[-1] for leaf in leaves], [leaf.pos for leaf in leaves]
    root, category = derivation.heads().index(-1), str(derivation.category)
    head = words[root]
    yield "category + size", category, len(words)
    yield "category + head word", category, head
    yield "category + size + head word", category, len(words), head
    yield "category + head POS", category, tags[root]
    if len(words) > 1:
        yield "category + leftmost word", category, words[0]
        yield "category + rightmost word", category, words[-1]
        yield "category + leftmost POS bigram", category, *tags[:2]
        yield "category + rightmost POS bigram", category, *tags[-2:]
        yield "category + lmost POS + rmost POS", category, tags[0], tags[-1]
    if not derivation.children:
        return
    below = [str(child.category) for child in derivation.children]
    rule = f"{' '.join(map(_bracketed, below))} => {category}"
    if len(below) == 1:
        yield from [("unary rule", rule), ("unary rule + head word", rule, head)]
        return
    left = derivation.children[0]
    other = derivation.children[1 - derivation.head]
    shift = len(left.leaves()) if derivation.head == 0 else 0
    yield "the binary rule", rule
    yield "the binary rule + head word", rule, head
    yield "rule + head word + non-head word", rule, head, words[shift + other.heads().index(-1)]
    yield from _across(len(left.leaves()), words, tags, [str(leaf.category) for leaf in leaves])


def _bracketed(category: str) -> str:
    """A functor has brackets around it in a rule; a conjunct, which ends in [conj], has none."""
    plain = category.endswith("[conj]") or not set(category) & set("/\\")
    return category if plain else f"({category})"


def _across(
    b: int, words: Sequence[str], tags: Sequence[str], categories: Sequence[str]
) -> Iterator[Named]:
    end = " resulting from combination"
    yield "bigrams" + end, *words[b - 1 : b + 1]
    yield "POS bigrams" + end, *tags[b - 1 : b + 1]
    yield "resulting word + POS bigrams", words[b - 1], tags[b]
    yield "resulting POS + word bigrams", tags[b - 1], words[b]
    for i in (b - 2, b - 1):
        if i >= 0 and i + 3 <= len(words):
            yield "word trigrams" + end, *words[i : i + 3]
            yield "POS trigrams" + end, *tags[i : i + 3]
            yield TRIGRAMS, *categories[i : i + 3]
            yield "resulting POS + word + POS trigrams", tags[i], words[i + 1], tags[i + 2]


def local_score(weight: Callable[[Named], float], derivation: Derivation) -> float:
    return float(sum(map(weight, table_1(derivation))))


def score_of(
    weight: Callable[[Named], float], derivation: Derivation, scaled: bool = False
) -> float:
    """All steps together, divided by their number if ``scaled``."""
    nodes = list(derivation.nodes())
    total = sum(local_score(weight, node) for node in nodes)
    return total / len(nodes) if scaled else total


class Truth:
    """Every edge that can be built of a problem by some rules, over items in order.

    A goal has every word as often as it has to be, and no part of it has: goals are not expanded.
    A row of unary steps has no category twice.
    """

    def __init__(self, problem: OrderingProblem, rows: Sequence[Row], most: int = 2000) -> None:
        self.problem = problem
        self.rows = rows
        self.most = most
        self.derivations = cache(self._derivations)

    @cached_property
    def edges(self) -> list[tuple[Items, Derivation]]:
        """All edges; none at all where there are more than ``most``."""
        found: list[tuple[Items, Derivation]] = []
        todo: list[Items] = [()]
        while todo:
            if len(found) > self.most:
                return []
            items = todo.pop()
            found += [(items, derivation) for derivation in self.derivations(items)]
            todo += [(*items, i) for i in range(len(self.problem.items)) if self.fits(items, i)]
        return found

    @cached_property
    def goals(self) -> list[tuple[Items, Derivation]]:
        return [edge for edge in self.edges if self.covers(edge[0])]

    def fits(self, items: Items, new: int) -> bool:
        types = [self.problem.items[i].type for i in (*items, new)]
        if types.count(types[-1]) > self.problem.most[types[-1]]:
            return False
        before = self.problem.given.before
        return not any(types[-1] in before[t] for t in types[:-1])

    def covers(self, items: Items) -> bool:
        count = Counter(self.problem.items[i].type for i in items)
        return all(count[t] >= least for t, least in enumerate(self.problem.least))

    def parts(self, items: Items) -> Sequence[Derivation]:
        return () if self.covers(items) else self.derivations(items)

    def _derivations(self, items: Items) -> list[Derivation]:
        if not items:
            return []
        if len(items) == 1:
            item = self.problem.items[items[0]]
            assert item.category is not None
            found = [Derivation.leaf(item.form, item.pos, item.category)]
        else:
            found = [
                Derivation(cat(parent), (left, right), head)
                for cut in range(1, len(items))
                for left in self.parts(items[:cut])
                for right in self.parts(items[cut:])
                for parent, children, head in self.rows
                if children == (str(left.category), str(right.category))
            ]
        if not self.covers(items):
            for derivation in found:  # what is appended is met later
                found += with_unary(self.rows, derivation)
        return found


def with_unary(rows: Sequence[Row], derivation: Derivation) -> list[Derivation]:
    """One unary step more, to a category that the row of unary steps below does not have yet."""
    row = [str(derivation.category)]
    below = derivation
    while len(below.children) == 1:
        below = below.children[0]
        row.append(str(below.category))
    return [
        Derivation(cat(parent), (derivation,), head)
        for parent, children, head in rows
        if children == (row[0],) and parent not in row
    ]


ENGLISH: list[Row] = in_order(
    [
        ("NP", ("NP/N", "N"), 1),
        ("NP", ("N",), 0),
        ("N", ("N", "N"), 1),
        (r"S\NP", (r"(S\NP)/NP", "NP"), 0),
        ("S", ("NP", r"S\NP"), 1),
        (r"S/(S\NP)", ("NP",), 0),
        ("S/NP", (r"S/(S\NP)", r"(S\NP)/NP"), 1),
        ("S", ("S/NP", "NP"), 0),
        ("NP[conj]", ("conj", "NP"), 1),
        ("NP", ("NP", "NP[conj]"), 0),
    ]
)
"""A small grammar with type-raising, composition, coordination, and a unary rule for nouns."""


def random_grammar(chance: random.Random, dense: float = 0.4, circles: bool = True) -> list[Row]:
    """Rules over A to D for this share of all pairs, and for a few more of them a second rule.

    Two rules may differ in the head alone. Without ``circles`` unary rules go up the alphabet only.
    """
    rows: set[Row] = set()
    for pair in product("ABCD", repeat=2):
        if chance.random() < dense:
            rows.add((chance.choice("ABCD"), pair, chance.randint(0, 1)))
    for _ in range(round(10 * dense)):
        pair = chance.choice("ABCD"), chance.choice("ABCD")
        rows.add((chance.choice("ABCD"), pair, chance.randint(0, 1)))
        child, parent = chance.sample("ABCD", 2)
        if not circles:
            child, parent = sorted((child, parent))
        rows.add((parent, (child,), 0))
    return in_order(rows)


def random_lexicon(chance: random.Random, most: int = 2) -> dict[str, list[str]]:
    """One or more categories for each word that ``random_problem`` may use."""
    words = ["a", "b", "the c", "d", "e", "f"]
    return {word: chance.sample("ABCD", chance.randint(1, most)) for word in words}


def random_problem(chance: random.Random, least: int, most: int) -> OrderingProblem:
    """A bag of so many words, with whatever may be given, and categories for each."""
    while True:
        n = chance.randint(1, most)
        words = chance.choices(["a", "b", "the c", "d", "e"], k=n)
        tags = [chance.choice(["T", None]) for _ in words]
        orders = [chance.sample(range(n), 2)] if n > 1 and chance.random() < 0.3 else []
        free = chance.random() < 0.3
        counts = [chance.choice([(0, 1), (1, 2), None]) if free else None for _ in words]
        lists = [chance.sample("ABCD", 2) if chance.random() < 0.2 else None for _ in words]
        bag = wl.WordBag(words, tags, None, [(i, j) for i, j in orders], counts, lists)
        problem = problem_of(bag, random_lexicon(chance), chance.choice(["T", "TU"]))
        if least <= sum(problem.most) <= most:
            return problem


class Phrase(NamedTuple):
    """A hypothesis: its number in the order of making, f(e), and what it is ranked by."""

    made: int
    items: Items
    derivation: Derivation
    total: float
    score: float

    @property
    def rank(self) -> tuple[float, int]:
        return -self.score, self.made


class Simulation:
    """Algorithm 1 with plain lists, sorted anew at every step; ``events`` and ``output`` result."""

    def __init__(
        self,
        problem: OrderingProblem,
        rows: Sequence[Row],
        weight: Callable[[Named], float],
        *,
        beam: int,
        chart: str,
        scaled: bool,
        signature: str,
        default: str,
        k: int,
        limits: Limits,
    ) -> None:
        self.problem, self.rows, self.scaled, self.kind = problem, rows, scaled, signature
        self.local = cache(partial(local_score, weight))
        self.truth = Truth(problem, rows)
        self.made = self.pops = 0
        forms = {item.type: item.form for item in problem.items}
        units = [forms[t] for t in range(len(problem.units))]
        self.events: list[tuple] = [("begin", units, [*problem.most], len(problem.items), beam)]
        self.agenda: list[Phrase] = []
        self.chart: list[Phrase] = []
        self.goals: list[Phrase] = []
        for i, item in enumerate(problem.items):
            if problem.most[item.type]:
                self.new((i,), self.truth.derivations((i,))[0])
        self.stopped = self.loop(k, limits, beam, chart == "sizes")
        self.output = self.finish(default)

    def loop(self, k: int, limits: Limits, beam: int, by_size: bool) -> str:
        while len(self.goals) < k:
            if not self.agenda:
                return "agenda empty"
            if limits.expansions is not None and self.pops >= limits.expansions:
                return "expansions"
            self.pops += 1
            self.agenda.sort(key=lambda phrase: phrase.rank)
            best = self.agenda.pop(0)
            self.events.append(("popped", best.made, best.score))
            if self.truth.covers(best.items):
                self.goals.append(best)
                self.events.append(("goal", best.made, best.score))
            elif self.survives(best):
                self.expand(best)
                self.chart.append(best)
                self.events.append(("charted", best.made))
                alike = [p for p in self.chart if not by_size or len(p.items) == len(best.items)]
                if beam and len(alike) > beam:
                    self.out(sorted(alike, key=lambda phrase: phrase.rank)[-1], "beam")
        return "complete"

    def out(self, phrase: Phrase, reason: str) -> None:
        if phrase in self.chart:
            self.chart.remove(phrase)
        self.events.append(("pruned", phrase.made, reason))

    def survives(self, best: Phrase) -> bool:
        rivals = [p for p in self.chart if self.signature(p) == self.signature(best)]
        if not rivals:
            return True
        (rival,) = rivals
        loses = self.kind == "2011" or best.rank > rival.rank
        self.out(best if loses else rival, "signature")
        return not loses

    def signature(self, phrase: Phrase) -> Any:
        if self.kind == "none":
            return phrase.made
        words = [self.problem.items[i] for i in phrase.items]
        head = words[phrase.derivation.heads().index(-1)]
        label = str(phrase.derivation.category), head.word, head.pos
        if self.kind == "2011":
            return label, [item.form for item in words]
        pairs = [(item.word, item.pos) for item in words]
        return label, sorted(item.type for item in words), pairs[:2], pairs[-2:]

    def expand(self, best: Phrase) -> None:
        for derivation in with_unary(self.rows, best.derivation):
            self.new(best.items, derivation, best)
        pairs = [pair for other in self.chart for pair in ((best, other), (other, best))]
        for left, right in [*pairs, (best, best)]:
            if self.fit(left.items, right.items):
                below = left.derivation, right.derivation
                for parent, children, head in self.rows:
                    if children == tuple(str(part.category) for part in below):
                        joined = Derivation(cat(parent), below, head)
                        self.new(left.items + right.items, joined, left, right)

    def fit(self, left: Items, right: Items) -> bool:
        for item in right:
            if not self.truth.fits(left, item):
                return False
            left = (*left, item)
        return True

    def new(self, items: Items, derivation: Derivation, *parts: Phrase) -> None:
        self.made += 1
        total = sum(part.total for part in parts) + self.local(derivation)
        score = total / len(list(derivation.nodes())) if self.scaled else total
        self.agenda.append(Phrase(self.made, items, derivation, total, score))
        last = score, -1, str(derivation.category)
        if parts:
            left, right = [*(part.made for part in parts), 0][:2]
            self.events.append(("edge", self.made, left, right, action(derivation), *last))
        else:
            item = self.problem.items[items[0]]
            self.events.append(("leaf", self.made, items[0], item.form, item.pos, *last))

    def finish(self, default: str) -> list[Ordering]:
        goals = sorted(self.goals, key=lambda phrase: phrase.rank)
        if goals:
            self.events.append(("finished", goals[0].made, goals[0].score))
        self.events.append(("stopped", self.stopped))
        if goals:
            return [self.joined([goal]) for goal in goals]
        ranked = sorted(self.chart, key=lambda p: (-len(p.items), p.rank))
        if default == "2011":
            for pair in permutations(ranked, 2):
                both = pair[0].items + pair[1].items
                if self.fit(pair[0].items, pair[1].items) and self.truth.covers(both):
                    return [self.joined(pair)]
        pieces: list[Phrase] = []
        items: Items = ()
        for phrase in ranked:
            if self.fit(items, phrase.items):
                pieces.append(phrase)
                items += phrase.items
        return [self.joined(pieces)]

    def joined(self, pieces: Sequence[Phrase]) -> Ordering:
        items: Items = ()
        heads: tuple[int, ...] = ()
        for piece in pieces:
            heads += tuple(h + len(items) if h >= 0 else h for h in piece.derivation.heads())
            items += piece.items
        actions = [action(node) for piece in pieces for node in piece.derivation.nodes()]
        score = sum(piece.total for piece in pieces)
        if self.scaled and actions:
            score /= len(actions)
        return Ordering(
            items, heads, score, tuple(actions), tuple(piece.derivation for piece in pieces)
        )


def action(node: Derivation) -> str:
    if not node.children:
        return f"leaf-{node.word}-{node.pos}-{node.category}"
    if len(node.children) == 1:
        return node.sign
    return f"{node.sign} {'HeadRight' if node.head else 'HeadLeft'}"
