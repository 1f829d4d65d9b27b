"""What notebook 40 looks at: rules and where they are read off, cells of a chart, what is measured.

The exercises of the notebook are in ``nb_40``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import count
from typing import Any, NamedTuple

from nltk.tree import Tree

from wordorder_lab.check.small_transducer import READ, by_hand, problem_of
from wordorder_lab.metrics.compression import CompressionScores, score_compressions
from wordorder_lab.metrics.compression_floors import keep_all, random_deletion
from wordorder_lab.models.kneser_ney import estimate_ngrams
from wordorder_lab.structures.compression import CompressionPair, prepared_pair
from wordorder_lab.structures.phrase_tree import PhraseNodes, phrase_nodes
from wordorder_lab.structures.synchronous_rule import SynchronousRule, parse_rule
from wordorder_lab.systems.cohn_lapata_2009 import CompressionModel
from wordorder_lab.trace.log import EventLog
from wordorder_lab.trace.reducers.replay import fold
from wordorder_lab.trace.reducers.transduction import words_of
from wordorder_lab.transduction.extraction import (
    ConstituentAlignment,
    Extraction,
    Limits,
    constituent_alignment,
)
from wordorder_lab.transduction.gold import gold_derivation
from wordorder_lab.transduction.grammar import (
    Family,
    GrammarSettings,
    SynchronousGrammar,
    copy_rule,
    deletion_rules,
    extract_grammar,
)
from wordorder_lab.transduction.head_order import COHN_LAPATA


def grammar_of(pairs: Sequence[CompressionPair], depth: int) -> SynchronousGrammar:
    """The rules of pairs with a recursion depth; a first word has no capital there."""
    return extract_grammar([prepared_pair(pair) for pair in pairs], GrammarSettings(depth))


def coverage_rules(label: str, *children: str) -> tuple[SynchronousRule, list[SynchronousRule]]:
    """The copy rule of a node with these children, and its deletion rules (section 3.2)."""
    family = Family(label, children, is_word=False)
    heads = COHN_LAPATA.order(label, children)
    return copy_rule(family), [*deletion_rules(family, heads)]


def rewriting(
    pair: CompressionPair, rules: Sequence[SynchronousRule]
) -> Iterator[tuple[str, SynchronousRule | None]]:
    """The words after each rewrite of Algorithm 2, with its rule; the first line has none."""
    problem = problem_of(pair.source, [rule.text for rule in rules])
    derivation = gold_derivation(problem, phrase_nodes(pair.target))
    used = (problem.applications[number].rule for number in derivation)
    for tree, rule in zip(problem.rewrites(derivation), (None, *used)):
        yield " ".join(tree.leaves()), rule


def aligned(pair: CompressionPair) -> tuple[PhraseNodes, PhraseNodes, ConstituentAlignment]:
    """The nodes of both trees of a pair, and which of them belong together."""
    source, target = phrase_nodes(pair.source), phrase_nodes(pair.target)
    return source, target, constituent_alignment(source, target, pair.alignment)


def belonging(pair: CompressionPair) -> list[tuple[str, str]]:
    """The constituents of the source with those of the target that they belong to."""
    source, target, alignment = aligned(pair)
    return [
        (": ".join(labelled(source, v)), ": ".join(labelled(target, t)))
        for v, t in alignment.pairs()
    ]


def labelled(nodes: PhraseNodes, node: int) -> tuple[str, str]:
    """The label of a node, and the words below it."""
    return nodes.labels[node], " ".join(nodes.leaves[nodes.begins[node] : nodes.ends[node]])


def minimal_rules(pair: CompressionPair) -> list[SynchronousRule]:
    """What Algorithm 3 reads off a pair (Figure 7)."""
    return Extraction(*aligned(pair)).rules()


def new_by_depth(pair: CompressionPair, x: str, y: str) -> list[list[SynchronousRule]]:
    """For each recursion depth the rules of the last nodes ``x`` and ``y`` that are new with it."""
    source, target, alignment = aligned(pair)
    v = max(node for node, label in enumerate(source.labels) if label == x)
    t = max(node for node, label in enumerate(target.labels) if label == y)
    known: dict[str, SynchronousRule] = {}
    fresh: list[list[SynchronousRule]] = []
    for depth in count():
        extraction = Extraction(source, target, alignment, depth, limits=Limits(99, 99))
        rules = {rule.text: rule for rule in extraction.rules_at(v, t)}
        if not (new := rules.keys() - known):
            break
        fresh.append([rules[text] for text in sorted(new)])
        known |= rules
    return fresh


def kinds_of_rules(grammar: SynchronousGrammar) -> dict[str, SynchronousRule]:
    """The two rules that are seen most of each kind, by what it does and how often it is seen."""
    kinds: dict[str, Callable[[SynchronousRule], bool]] = {
        "leaves something out": lambda rule: "_eps" in str(rule.source) and not rule.source.words(),
        "changes the order": lambda r: r.source.variables() != sorted(r.source.variables()),
        "other words": lambda rule: bool({*rule.target.words()} - {*rule.source.words()}),
        "other category": lambda rule: rule.roots[0] != rule.roots[1],
    }
    ranked = sorted(zip(grammar.counts, grammar.rules), key=lambda seen: -seen[0])
    shown: dict[str, SynchronousRule] = {}
    for name, is_kind in kinds.items():
        of_kind = [(seen, rule) for seen, rule in ranked if is_kind(rule)]
        shown |= {f"{name}, {seen} times": rule for seen, rule in of_kind[:2]}
    return shown


def chart_rows(log: EventLog, model: CompressionModel, tree: Tree) -> list[dict[str, Any]]:
    """The items of each cell with two words or more; *seems* is what items are compared by."""
    books, nodes, rows = fold(log, len(log), "transduction"), phrase_nodes(tree), []
    for cell in books["cells"]:
        if nodes.ends[cell["node"]] - nodes.begins[cell["node"]] < 2:
            continue
        for number in cell["items"]:
            words, score = words_of(books, number), books["items"][number - 1]["score"]
            seems = score
            for word in words[:2]:
                seems += model.ngrams.log_prob((), model.ngrams.word_id(word))
            row = {"cell": ": ".join(labelled(nodes, cell["node"])), "as": cell["category"]}
            row["context"] = f"{' '.join(words[:2])} … {' '.join(words[-2:])}"
            rows.append({**row, "score": score, "seems": seems, "words": " ".join(words)})
    return rows


def with_memory(order: int, tree: Tree) -> dict[str, int]:
    """What the exhaustive search makes with an n-gram model of this order, as a row."""
    ngrams = estimate_ngrams([line.split() for line in READ], order)
    shorter = replace(by_hand(), ngrams=ngrams)
    end = shorter.compress(tree, beam="exact", search="exhaustive", engine="reference")
    return {"n-grams of": order, **{n: end.counters[n] for n in ("combinations", "items")}}


class Taken(NamedTuple):
    """A combination: when it was taken, what it seems to be worth, and what it is worth."""

    number: int
    seems: float
    score: float

    def __str__(self) -> str:
        return f"{self.seems:.2f} → {self.score:.2f}  [{self.number}]"


class GridSeen(NamedTuple):
    """The grid of a rule with two variables: the words along its sides, and what was taken."""

    rows: list[str]
    columns: list[str]
    taken: dict[tuple[int, ...], Taken]

    def table(self) -> list[dict[str, str]]:
        """A row for each item of the first variable; fields that were not taken are empty."""
        return [
            {"": f"{name} +"}
            | {to: str(self.taken.get((i, j), "")) for j, to in enumerate(self.columns)}
            for i, name in enumerate(self.rows)
        ]


def grid_of(log: EventLog) -> GridSeen:
    """The grid of the last cell's rule with two variables, or of the one that was taken most."""
    books = fold(log, len(log), "transduction")
    grids: dict[int, dict[tuple[int, ...], Taken]] = {}
    for number, made in enumerate(books["cells"][-1]["taken"], 1):
        if len(made["ranks"]) == 2:
            taken = Taken(number, made["heuristic"], made["score"])
            grids.setdefault(made["application"], {})[tuple(made["ranks"])] = taken
    application, grid = max(grids.items(), key=lambda named: len(named[1]))
    told = books["applications"][application]
    variables = parse_rule(told["rule"]).target.frontier()
    labels = [node.label for node in variables if not isinstance(node, str)]
    rows, columns = (
        [
            " ".join(words_of(books, item))  # best first
            for item in books["cells"][books["places"][f"{child} {label}"]]["items"]
        ]
        for child, label in zip(told["children"], labels, strict=True)
    )
    return GridSeen(rows, columns, grid)


# --- scores beside the floors, and what cube pruning saves and loses ------------------------------

BONUSES = (-1, -0.5, -0.2, 0.0, 0.2, 0.4, 0.6, 0.8, 1.2, 2)
RATES = (0.35, 0.45, 0.55, 0.65, 0.75, 0.85, 0.95, 1.0)
WIDE = 1000  # items a cell of the search with which others are compared
LOUDER = {"n-gram log-probability": 0.5, "Word count: target terminals": 2.5}
"""Weights with which n-grams have more to say; words need a bonus then, or hardly one stays."""

Measured = dict[float, CompressionScores]


def held_against_floors(
    model: CompressionModel, pairs: Sequence[CompressionPair]
) -> tuple[Measured, Measured, CompressionScores]:
    """The model's scores by the bonus for a word, random deletion's by rate, and keep all's."""

    def scores(output: Callable[[CompressionPair], Tree]) -> CompressionScores:
        return score_compressions(list(map(output, pairs)), pairs, samples=200)

    def with_bonus(bonus: float) -> CompressionScores:
        return scores(lambda pair: model.compress(pair.source, bonus=bonus).tree)

    by_bonus = {bonus: with_bonus(bonus) for bonus in BONUSES}
    rates = sorted({*RATES, by_bonus[0.0].gold_rate})
    at_random = {rate: scores(partial(random_deletion, rate=rate, seed=1)) for rate in rates}
    return by_bonus, at_random, scores(keep_all)


def louder_ngrams(model: CompressionModel) -> CompressionModel:
    """The same model with other weights for n-grams and words, those of ``LOUDER``."""
    values = model.weights.copy()
    for name, weight in LOUDER.items():
        values[model.features.numbers[name]] = weight
    return replace(model.unshared(), weights=values)


def by_beam(
    model: CompressionModel, pairs: Sequence[CompressionPair], beams: Sequence[int], search: str
) -> tuple[dict[int, float], dict[int, float]]:
    """Combinations a sentence by beam, and the share of sentences whose best derivation is lost."""
    best = [model.compress(pair.source, beam=WIDE).score for pair in pairs]
    work, lost = {}, {}
    for beam in beams:
        ends = [model.compress(pair.source, beam=beam, search=search) for pair in pairs]
        work[beam] = sum(end.counters["combinations"] for end in ends) / len(pairs)
        lost[beam] = sum(end.score < score for end, score in zip(ends, best)) / len(pairs)
    return work, lost
