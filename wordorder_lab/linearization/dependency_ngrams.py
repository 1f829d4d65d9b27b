"""A head and its dependents in order, by n-grams of dependents: the manner of DCU.

Guo, Hogan & van Genabith (2011), *DCU at Generation Challenges 2011 Surface Realisation Track*,
after Guo, van Genabith & Wang (2008), *Dependency-Based N-Gram Models for General Purpose Sentence
Realisation*. As we remember them: the head and its dependents, from left to right, are a sequence
of labels, and its probability is that of an n-gram model; models of labels alone, and of labels
with what stands there, are put together.

    ORDER(tree):
      for each head, dependents before their heads:
        write the head and each dependent as label and lemma, label and tag, label alone
        beam <- { the empty order }
        as often as there are parts:
            longer <- every order of the beam, with every part behind it that may come next
            beam <- the most probable of them, so many as it is wide

    p(part | those before) = sum over the three ways to write it of
                             share * p(it, written so | those before, written so)

The n-grams are those of modified Kneser-Ney (``models/kneser_ney``); the shares make a part of the
training text that the n-grams have not seen as probable as they can (Jelinek & Mercer 1980).

Differences
- *Paper silent*, as the papers of Guo et al. are not before us: n, the smoothing, how the models
  are put together, and the beam are ours. Theirs are log-linear, with weights that are tuned on
  BLEU, as far as we remember.
- *Our reading*: the label alone is written with the head's tag, which otherwise only the head
  itself would tell.
- *Our reading*: ranks that the input has (``lin`` in SR'20) forbid what contradicts them.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from wordorder_lab.linearization.domains import HEAD, Domain, Order, Scored
from wordorder_lab.models.kneser_ney import estimate
from wordorder_lab.models.ngram import NGramModel

LEVELS = ("lemma", "tag", "label")
"""How a part is written, from the most to the least particular."""
HELD_OUT = 10
"""Every tenth domain is kept aside while the shares are estimated."""
ROUNDS = 20
BEGIN = -1
"""What stands before the first part."""
Written = tuple[tuple[str, ...], ...]
"""By level, what each part of a domain is written as."""


@dataclass(frozen=True)
class DependencyNGrams:
    """An n-gram model a level, and their ``shares``, which add up to 1."""

    models: tuple[NGramModel, ...]
    shares: tuple[float, ...]

    def best_orders(self, domain: Domain, beam: int) -> list[Scored]:
        """The orders left in the beam, the most probable first, with their log-probabilities.

        Of equal ones the one comes first that was made first. Raises ``ValueError`` for ranks that
        contradict each other.
        """
        n, needed = len(domain), domain.needed
        ids = [
            [model.word_id(symbol) for symbol in symbols]
            for model, symbols in zip(self.models, written(domain))
        ]
        known: dict[Order, float] = {}

        def gain(chain: Order) -> float:
            if chain not in known:
                known[chain] = self._log_prob(ids, chain, n)
            return known[chain]

        hypotheses: list[tuple[float, Order, int]] = [(0.0, (BEGIN,), 0)]
        for _ in range(n):
            longer: list[tuple[float, Order, int]] = []
            for score, order, placed in hypotheses:
                for part in range(n):
                    if placed >> part & 1 or needed[part] & ~placed:
                        continue
                    chain = (*order, part)
                    total = score + gain(chain[-self.n :])
                    if len(order) == n:
                        total += gain((*chain, n)[-self.n :])
                    longer.append((total, chain, placed | 1 << part))
            longer.sort(key=_by_score)
            hypotheses = longer[:beam]
        if not hypotheses:
            raise ValueError("the orders that are given for some dependents contradict each other")
        return [(score, order[1:]) for score, order, _ in hypotheses]

    @property
    def n(self) -> int:
        """How long the n-grams are."""
        return self.models[0].order

    def _log_prob(self, ids: Sequence[Sequence[int]], chain: Order, end: int) -> float:
        """log p of the last of some parts after the others; ``end`` is what is behind them all."""
        total = 0.0
        for share, prob in zip(self.shares, self.probabilities(ids, chain, end)):
            total += share * prob
        return math.log(total)

    def probabilities(self, ids: Sequence[Sequence[int]], chain: Order, end: int) -> list[float]:
        """The same probability, by level."""
        found = []
        for model, numbers in zip(self.models, ids):
            marked = {BEGIN: model.start, end: model.end}
            *before, last = (marked[k] if k in marked else numbers[k] for k in chain)
            found.append(math.exp(model.log_prob(before, last)))
        return found


def learn(domains: Iterable[tuple[Domain, Order]], n: int) -> DependencyNGrams:
    """The models of domains with their right orders, with n-grams as long as ``n``.

    Raises ``ValueError`` where there are less than two domains.
    """
    rows = [
        [[symbols[part] for part in order] for symbols in written(domain)]
        for domain, order in domains
    ]
    if len(rows) < 2:
        raise ValueError("n-grams of dependents need two heads with dependents at the least")
    kept = [row for i, row in enumerate(rows) if i % HELD_OUT]
    aside = [row for i, row in enumerate(rows) if not i % HELD_OUT]
    shares = _shares(DependencyNGrams(_estimated(kept, n), (1 / len(LEVELS),) * len(LEVELS)), aside)
    return DependencyNGrams(_estimated(rows, n), shares)


def _estimated(rows: Sequence[Sequence[Sequence[str]]], n: int) -> tuple[NGramModel, ...]:
    return tuple(estimate([row[k] for row in rows], n) for k in range(len(LEVELS)))


def _shares(
    ngrams: DependencyNGrams, aside: Sequence[Sequence[Sequence[str]]]
) -> tuple[float, ...]:
    """The shares that make held-out domains most probable, by expectation maximisation."""
    events: list[list[float]] = []
    for row in aside:
        ids = [[m.word_id(symbol) for symbol in line] for m, line in zip(ngrams.models, row)]
        end = len(row[0])
        chain = (BEGIN, *range(end), end)
        for last in range(1, end + 2):
            ngram = chain[max(0, last + 1 - ngrams.n) : last + 1]
            events.append(ngrams.probabilities(ids, ngram, end))
    shares = list(ngrams.shares)
    for _ in range(ROUNDS):
        counts = [0.0] * len(shares)
        for probabilities in events:
            parts = [share * prob for share, prob in zip(shares, probabilities)]
            total = 0.0
            for part in parts:
                total += part
            for k, part in enumerate(parts):
                counts[k] += part / total
        shares = [count / len(events) for count in counts]
    return tuple(shares)


def written(domain: Domain) -> Written:
    """The parts of a domain as they are written at each level."""
    nodes = [domain.tree.nodes[i] for i in domain.parts]
    labels = ["head", *(node.label for node in nodes[1:])]
    own = nodes[HEAD].xpos or nodes[HEAD].upos
    return (
        tuple(f"{label}/{node.lemma.lower()}" for label, node in zip(labels, nodes)),
        tuple(f"{label}/{node.xpos or node.upos}" for label, node in zip(labels, nodes)),
        tuple(f"{label} of {own}" for label in labels),
    )


def _by_score(hypothesis: tuple[float, Order, int]) -> float:
    return -hypothesis[0]
