"""What notebook 40 looks at in rules: how they rewrite, and where they were read off."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import count

from wordorder_lab.check.common.small_transducer import problem_of
from wordorder_lab.structures.compression import CompressionPair
from wordorder_lab.structures.phrase_tree import PhraseNodes, phrase_nodes
from wordorder_lab.structures.synchronous_rule import SynchronousRule
from wordorder_lab.transduction.extraction import Extraction, Limits, constituent_alignment
from wordorder_lab.transduction.gold import gold_derivation
from wordorder_lab.transduction.grammar import SynchronousGrammar

NO_LIMITS = Limits(99, 99)


def rewriting(
    pair: CompressionPair, rules: Sequence[SynchronousRule]
) -> Iterator[tuple[str, SynchronousRule | None]]:
    """The words after each rewrite of Algorithm 2, with its rule; the first line has none.

    Raises ``ValueError`` if these rules do not make the target of the pair.
    """
    problem = problem_of(pair.source, [rule.text for rule in rules])
    derivation = gold_derivation(problem, phrase_nodes(pair.target))
    used = (problem.applications[number].rule for number in derivation)
    for tree, rule in zip(problem.rewrites(derivation), (None, *used)):
        yield " ".join(tree.leaves()), rule


def belonging(pair: CompressionPair) -> list[tuple[str, str]]:
    """The constituents of the source with those of the target that they belong to."""
    source, target = phrase_nodes(pair.source), phrase_nodes(pair.target)
    pairs = constituent_alignment(source, target, pair.alignment).pairs()
    return [(_named(source, v), _named(target, t)) for v, t in pairs]


def _named(nodes: PhraseNodes, node: int) -> str:
    words = nodes.leaves[nodes.begins[node] : nodes.ends[node]]
    return f"{nodes.labels[node]}: {' '.join(words)}"


def minimal_rules(pair: CompressionPair) -> list[SynchronousRule]:
    """What Algorithm 3 reads off a pair (Figure 7)."""
    source, target = phrase_nodes(pair.source), phrase_nodes(pair.target)
    aligned = constituent_alignment(source, target, pair.alignment)
    return Extraction(source, target, aligned).rules()


def new_by_depth(pair: CompressionPair, x: str, y: str) -> list[list[SynchronousRule]]:
    """For each recursion depth the rules that are new with it, until a depth brings none.

    They are those of the last source node ``x`` with the last target node ``y``; the rules of the
    pairs below are left out.
    """
    source, target = phrase_nodes(pair.source), phrase_nodes(pair.target)
    aligned = constituent_alignment(source, target, pair.alignment)
    v = max(node for node, label in enumerate(source.labels) if label == x)
    t = max(node for node, label in enumerate(target.labels) if label == y)
    known: set[str] = set()
    fresh: list[list[SynchronousRule]] = []
    for depth in count():
        extraction = Extraction(source, target, aligned, depth, limits=NO_LIMITS)
        rules = {rule.text: rule for rule in extraction.rules_at(v, t)}
        if not rules.keys() - known:
            return fresh
        fresh.append([rules[text] for text in sorted(rules.keys() - known)])
        known |= rules.keys()
    raise AssertionError("a tree has an end")


def kinds_of_rules(grammar: SynchronousGrammar) -> dict[str, SynchronousRule]:
    """The rule that is seen most of each kind, by what it does and how often it is seen."""
    kinds = {
        "leaves something out": lambda rule: "_eps" in str(rule.source) and not rule.source.words(),
        "changes the order": _reorders,
        "other words": lambda rule: bool({*rule.target.words()} - {*rule.source.words()}),
        "other category": lambda rule: rule.roots[0] != rule.roots[1],
    }
    ranked = sorted(zip(grammar.counts, grammar.rules), key=lambda seen: -seen[0])
    shown: dict[str, SynchronousRule] = {}
    for name, is_kind in kinds.items():
        of_kind = [(seen, rule) for seen, rule in ranked if is_kind(rule)]
        shown |= {f"{name}, {seen} times": rule for seen, rule in of_kind[:2]}
    return shown


def _reorders(rule: SynchronousRule) -> bool:
    return rule.source.variables() != sorted(rule.source.variables())
