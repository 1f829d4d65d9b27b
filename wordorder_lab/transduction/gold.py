"""The gold derivation of a pair of trees: Cohn & Lapata (2009), section 3.5, Algorithm 5.

Many derivations link a source tree with its target. The paper takes one with the most rules, since
small rules are general; footnote 10 tried one at random, the one with the highest score under the
model and the one with the lowest.

    for all source nodes, bottom-up; all rules that match; all target nodes that match gamma  5-7
        count 1, and what the chart has for the aligned children                             8-12
        keep it if it is more than before                                                   13-16
    follow the back-pointers from the pair of roots                                         20-22

Differences
- *Text against figure*: lines 8 to 14 call the same number i, j and n.
- *Paper silent*: equal counts go to the application that comes first.
- *Our reading*: the n-grams score the same in all derivations of a pair, so they take no part.
- *Paper silent*, footnote 10: "random" draws from all derivations, each as likely as any other.
- *Paper silent*: pairs without a derivation. Training passes over them, and counts them by what
  ``why_unlinked`` says.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from wordorder_lab.structures.messages import cited
from wordorder_lab.structures.phrase_tree import PhraseNodes
from wordorder_lab.transduction.extraction import (
    Extraction,
    Limits,
    WordAlignment,
    constituent_alignment,
)
from wordorder_lab.transduction.grammar import GrammarSettings, SynchronousGrammar
from wordorder_lab.transduction.problem import TransductionProblem, match

GOLD = ("max-rules", "max-score", "min-score", "random")

Pair = tuple[int, int]
BackPointer = tuple[int, tuple[Pair, ...]]
"""An application, and the pairs that fill its variables."""


class NoDerivation(ValueError):
    """The grammar does not link the two trees."""


def gold_derivation(
    problem: TransductionProblem,
    target: PhraseNodes,
    gold: str = "max-rules",
    scores: Sequence[float] | None = None,
    seed: str = "",
) -> tuple[int, ...]:
    """A derivation of the target tree, its applications in pre-order. Raises ``NoDerivation`` for
    none, ``ValueError`` for a ``gold`` not of ``GOLD``, or by score without ``scores``."""
    if gold not in GOLD or (gold.endswith("score") and scores is None):
        raise ValueError(
            f"a gold derivation is by {', '.join(GOLD)}, not {cited(gold)} (or no scores)"
        )
    ways = all_ways(problem, target)
    root = problem.nodes.root, target.root
    if root not in ways:
        raise NoDerivation("no derivation of this grammar links the two trees")
    if gold == "random":
        chosen = _drawn(ways, random.Random(seed))
    else:
        worth = [1.0] * len(problem.applications)
        if gold != "max-rules" and scores is not None:
            worth = [score if gold == "max-score" else -score for score in scores]
        chosen = _best(ways, worth)
    return tuple(_pre_order(chosen, root))


def all_ways(problem: TransductionProblem, target: PhraseNodes) -> dict[Pair, list[BackPointer]]:
    """For every pair of nodes that some derivation links, the ways to do so; children first."""
    ways: dict[Pair, list[BackPointer]] = {}
    labelled: dict[str, list[int]] = {}
    for t, label in enumerate(target.labels):
        labelled.setdefault(label, []).append(t)
    for number, one in enumerate(problem.applications):
        for t in labelled.get(one.category, ()):
            leaves = match(one.rule.target, t, target)
            if leaves is None:
                continue
            below = tuple((one.children[index - 1], node) for index, node in leaves)
            if all(pair in ways for pair in below):
                ways.setdefault((one.node, t), []).append((number, below))
    return ways


def _best(ways: dict[Pair, list[BackPointer]], worth: Sequence[float]) -> dict[Pair, BackPointer]:
    """The best way for every pair, lines 8-16; ``worth``: what each application counts."""
    chart: dict[Pair, float] = {}
    chosen: dict[Pair, BackPointer] = {}
    for pair, possible in ways.items():
        chart[pair] = -float("inf")
        for way in possible:
            count = worth[way[0]]
            for below in way[1]:
                count += chart[below]
            if count > chart[pair]:
                chart[pair], chosen[pair] = count, way
    return chosen


def _drawn(ways: dict[Pair, list[BackPointer]], chance: random.Random) -> dict[Pair, BackPointer]:
    """A way for every pair, so that all derivations are equally likely."""
    counts: dict[Pair, int] = {}
    chosen: dict[Pair, BackPointer] = {}
    for pair, possible in ways.items():
        each = []
        for way in possible:
            count = 1
            for below in way[1]:
                count *= counts[below]
            each.append(count)
            counts[pair] = counts.get(pair, 0) + count
        place = chance.randrange(counts[pair])
        for way, count in zip(possible, each):
            if place < count:
                chosen[pair] = way
                break
            place -= count
    return chosen


def _pre_order(chosen: dict[Pair, BackPointer], pair: Pair) -> list[int]:
    application, below = chosen[pair]
    applications = [application]
    for variable in below:  # numbered in the order of the target
        applications += _pre_order(chosen, variable)
    return applications


# --- Why there is none

BOUNDLESS = 10**9


def why_unlinked(
    source: PhraseNodes,
    target: PhraseNodes,
    words: WordAlignment,
    grammar: SynchronousGrammar,
    settings: GrammarSettings,
) -> str:
    """Why a grammar does not link a pair of trees: the first rule of their own that it lacks.

    The minimal rules that are read off a pair always link its two trees (section 3.2). But rules
    that are too large are left out (footnote 13), and so are the rarer ones of the many targets
    that a source tree may have (section 6.1).

        todo = [the pair of roots]
        for every pair in todo:
            take its minimal rule, of whatever size
            if the grammar does not have it: it is too large, or too rare, and that is why
            append the pairs of nodes that its variables link to todo

    ``settings`` are those with which the grammar was extracted. Raises ``ValueError`` as
    ``constituent_alignment``.
    """
    aligned = constituent_alignment(source, target, words)
    everything = Limits(BOUNDLESS, BOUNDLESS)
    extraction = Extraction(source, target, aligned, 0, settings.choice, everything)
    known = [{rule.text for rule, *_ in here.rules} for here in grammar.rules_at(source)]
    todo = [(source.root, target.root)]
    for v, t in todo:
        rule = extraction.rules_at(v, t)[0]
        if rule.text not in known[v]:
            if len(rule.source.variables()) > settings.variables:
                return f"of more than {settings.variables} variables"
            if max(rule.source.size(), rule.target.size()) > settings.nodes:
                return f"of more than {settings.nodes} nodes"
            return "not seen, or among the rarer targets of its source tree"
        todo += extraction.minimal_pairs(v, t)
    return "no such rule alone: all those of the pair are there"
