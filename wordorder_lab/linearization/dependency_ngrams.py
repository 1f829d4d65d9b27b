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

    score(order) = sum over its parts, then over the three ways to write them, of
                   log p(the part, written so | the n - 1 parts before, written so)

The n-grams are those of modified Kneser-Ney (``models/kneser_ney``). A lemma that was never seen
with its label is an unknown word of the first model, and the other two decide.

Differences
- *Paper silent*, as the papers of Guo et al. are not before us: n, the smoothing, the three ways to
  write a part, and the beam are ours. Their models are put together log-linearly as well, as far as
  we remember, with weights tuned on BLEU; ours weigh the same.
- *Our reading*: the label alone is written with the head's tag, which otherwise only the head
  itself would tell.
- *Paper silent*: ties. Parts that are written alike are taken in the order of all that is known of
  them and of what is below them (``domains``), never in that in which a tree lists its nodes.
- *Our reading*: ranks that the input has (``lin`` in SR'20) forbid what contradicts them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from wordorder_lab.linearization.domains import HEAD, Domain, Order, Scored
from wordorder_lab.models.kneser_ney import estimate_ngrams
from wordorder_lab.models.ngram import END_ID, START_ID, NGramModel

LEVELS = ("lemma", "tag", "label")
"""How a part is written, from the most to the least particular."""
BEGIN = -1
"""What stands before the first part; what stands behind the last has the next number."""
Written = tuple[tuple[str, ...], ...]
"""By level, what each part of a domain is written as."""


@dataclass(frozen=True)
class DependencyNGrams:
    """An n-gram model a level, all of one length."""

    models: tuple[NGramModel, ...]

    def best_orders(self, domain: Domain, beam: int) -> list[Scored]:
        """The orders left in the beam with their scores, the most probable first, of equal ones
        that made first. Raises ``ValueError`` for ranks that contradict each other."""
        n, needed, longest = len(domain), domain.needed, len(self.models[0].sizes)
        levels = [Level.of(model, some) for model, some in zip(self.models, written(domain))]
        known: dict[Order, float] = {}

        def gain(chain: Order) -> float:
            """What the last part of a chain adds; each chain is looked up once."""
            if chain not in known:
                total = 0.0
                for level in levels:
                    total += level.log_prob(chain)
                known[chain] = total
            return known[chain]

        hypotheses: list[tuple[float, Order, int]] = [(0.0, (BEGIN,), 0)]
        for _ in range(n):
            longer: list[tuple[float, Order, int]] = []
            for score, order, placed in hypotheses:
                for part in range(n):
                    if placed >> part & 1 or needed[part] & ~placed:
                        continue
                    chain = (*order, part)
                    total = score + gain(chain[-longest:])
                    if len(order) == n:
                        total += gain((*chain, n)[-longest:])
                    longer.append((total, chain, placed | 1 << part))
            longer.sort(key=_by_score)
            hypotheses = longer[:beam]
        if not hypotheses:
            raise ValueError("the orders that are given for some dependents contradict each other")
        return [(score, order[1:]) for score, order, _ in hypotheses]


class Level(NamedTuple):
    """A domain as one of the models sees it: its parts, what is behind them all, and ``BEGIN``."""

    words: list[int]
    children: list[list[int]]
    log_probs: list[float]
    back_offs: list[float]

    @classmethod
    def of(cls, model: NGramModel, symbols: Sequence[str]) -> Level:
        """The n-grams of a model that the symbols of a domain make."""
        found = model.among([*map(model.word_id, symbols), END_ID, START_ID])
        return cls._make(array.tolist() for array in found)

    def log_prob(self, chain: Order) -> float:
        """log p of the last of some parts after the others, added as ``NGramModel`` adds it."""
        *context, last = [self.words[part] for part in chain]
        total = 0.0
        while context:
            node = context[0]
            for near in context[1:]:
                node = self.children[node][near] if node >= 0 else -1
            if node >= 0:
                if (found := self.children[node][last]) >= 0:
                    return total + self.log_probs[found]
                total += self.back_offs[node]
            del context[0]
        return total + self.log_probs[last]


def learn(domains: Iterable[tuple[Domain, Order]], n: int) -> DependencyNGrams:
    """The models of domains with their right orders, with n-grams as long as ``n``. Raises
    ``ValueError`` where there is no domain."""
    texts: list[list[list[str]]] = [[] for _ in LEVELS]
    for domain, order in domains:
        for text, symbols in zip(texts, written(domain), strict=True):
            text.append([symbols[part] for part in order])
    return DependencyNGrams(tuple(estimate_ngrams(text, n) for text in texts))


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
