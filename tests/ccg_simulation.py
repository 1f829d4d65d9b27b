"""Algorithm 1 with plain lists that are sorted anew at every step, and every event it should tell.

Nothing here calls the package's agenda, chart, rules, counts, signatures or features.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, partial
from itertools import permutations
from typing import Any, NamedTuple

from ccg_oracles import Items, Named, Row, Truth, cat, local_score, with_unary

from wordorder_lab.best_first.output import Ordering
from wordorder_lab.best_first.settings import Limits
from wordorder_lab.structures.derivation import Derivation
from wordorder_lab.structures.problem import OrderingProblem


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
        """What edges share that are one."""
        if self.kind == "none":
            return phrase.made
        words = [self.problem.items[i] for i in phrase.items]
        head = words[phrase.derivation.lexical_head]
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
    """The name of a step."""
    if not node.children:
        return f"leaf-{node.word}-{node.pos}-{node.category}"
    if len(node.children) == 1:
        return node.sign
    return f"{node.sign} {'HeadRight' if node.head else 'HeadLeft'}"
