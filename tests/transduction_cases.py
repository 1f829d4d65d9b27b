"""Small random trees, grammars and pairs for the tests of the tree transducer."""

from __future__ import annotations

import random
from functools import cached_property

import numpy as np
from nltk.tree import Tree
from transduction_oracles import Naive, Weigh, all_derivations, random_weights, score_of

from wordorder_lab.check.small_transducer import derivation_count
from wordorder_lab.models import kneser_ney
from wordorder_lab.models.ngram import NGramModel
from wordorder_lab.structures.compression import CompressionPair
from wordorder_lab.structures.phrase_tree import phrase_nodes
from wordorder_lab.transduction.features import NGRAM, RuleFeatures, application_scores
from wordorder_lab.transduction.grammar import SynchronousGrammar, extract_grammar, read_grammar
from wordorder_lab.transduction.losses import Loss
from wordorder_lab.transduction.problem import TransductionInput, transduction_problem
from wordorder_lab.transduction.templates import load_templates

WORDS, NEW_WORDS = "abcde", "xy"
LABELS, TAGS = ("S", "A", "B"), ("T", "U")


def random_tree(chance: random.Random, words: int, root: bool = True) -> Tree:
    """A tree over so many words; nodes of one child are among them."""
    if words == 1 and (not root or chance.random() < 0.3):
        tree = Tree(chance.choice(TAGS), [chance.choice(WORDS)])
        return Tree(chance.choice(LABELS), [tree]) if chance.random() < 0.3 else tree
    parts = [words]
    while len(parts) < min(words, chance.choice((1, 2, 2, 2, 3))):
        place = parts.index(max(parts))
        first = chance.randrange(1, parts[place])
        parts[place : place + 1] = [first, parts[place] - first]
    return Tree(chance.choice(LABELS), [random_tree(chance, part, False) for part in parts])


def random_rule(chance: random.Random, node: Tree) -> str:
    """A rule that matches here, cut anywhere; its target in any order, with other labels, words."""
    labels: list[str] = []

    def cut(tree: Tree | str, top: bool = False) -> str:
        if isinstance(tree, str):
            return tree
        if not top and chance.random() < 0.7:
            if chance.random() < 0.2:
                return f"{tree.label()}_eps"
            labels.append(tree.label() if chance.random() < 0.8 else chance.choice(LABELS))
            return f"{tree.label()}_{len(labels)}"
        return f"[{tree.label()} {' '.join(map(cut, tree))}]"

    source = cut(node, top=True)
    leaves = [f"{label}_{i}" for i, label in enumerate(labels, 1)]
    words = [word for word in node.leaves() if f" {word}]" in source]
    leaves += [f"[{chance.choice(TAGS)} {word}]" for word in words if chance.random() < 0.6]
    if not leaves or chance.random() < 0.2:
        leaves.append(f"[{chance.choice(TAGS)} {chance.choice(WORDS + NEW_WORDS)}]")
    if chance.random() < 0.5:
        chance.shuffle(leaves)
    if len(leaves) == 1 and chance.random() < 0.7:
        root = leaves[0].strip("[").split()[0].split("_")[0]
        return f"<{node.label()}, {root}> -> <{source}, {leaves[0]}>"
    if len(leaves) > 2 and chance.random() < 0.3:
        leaves[:2] = [f"[{chance.choice(LABELS)} {' '.join(leaves[:2])}]"]
    root = node.label() if chance.random() < 0.6 else chance.choice(LABELS)
    return f"<{node.label()}, {root}> -> <{source}, [{root} {' '.join(leaves)}]>"


def random_grammar(
    chance: random.Random, source: Tree, rules: int, spurious: bool = False
) -> SynchronousGrammar:
    """Rules that match somewhere in a tree.

    ``spurious``: with pieces of the tree as they are, so that targets have many derivations.
    """
    nodes = list(source.subtrees())
    lines = {random_rule(chance, chance.choice(nodes)) for _ in range(rules)}
    if spurious:
        words = tuple((i, i) for i in range(len(source.leaves())))
        pieces = extract_grammar([CompressionPair(source, (source,), words)])
        lines |= {rule.text for rule in pieces.rules}
    return read_grammar(sorted(lines), chance.sample(LABELS, 2))


def random_ngrams(chance: random.Random, order: int) -> NGramModel:
    """A model of random text; one word of the trees is not in it."""
    known = WORDS[1:] + NEW_WORDS
    text = [[chance.choice(known) for _ in range(chance.randint(1, 6))] for _ in range(40)]
    return kneser_ney.estimate_ngrams(text, order)


class Case:
    """A source tree with a grammar, weights and n-grams, and all its derivations."""

    def __init__(self, seed: int, order: int = 2, spurious: bool = False) -> None:
        chance = random.Random(f"{seed} {order}")
        count = 0
        while not 8 <= count <= 400:
            self.source = random_tree(chance, chance.randint(3, 6))
            self.grammar = random_grammar(chance, self.source, 18, spurious)
            self.problem = transduction_problem(phrase_nodes(self.source), self.grammar)
            count = derivation_count(self.problem)
        self.ngrams = random_ngrams(chance, order)
        self.ngram_weight = chance.choice((0.5, 1.0, 2.0))
        self.weigh: Weigh = random_weights(seed)

    @cached_property
    def derivations(self) -> list[Naive]:
        return all_derivations(self.source, self.grammar)

    @cached_property
    def scores(self) -> list[float]:
        return [
            score_of(one, self.weigh, self.ngrams, self.ngram_weight) for one in self.derivations
        ]

    def given(self, loss: Loss | None = None) -> TransductionInput:
        features = RuleFeatures(load_templates())
        rows = features.rows(self.problem)
        weights = [self.ngram_weight if n == NGRAM else self.weigh(n) for n in features.names()]
        scores = application_scores(rows, np.array(weights))
        return TransductionInput(self.problem, scores, self.ngrams, self.ngram_weight, loss)

    def numbers(self, one: Naive) -> tuple[int, ...]:
        places = self.source.treepositions("postorder")
        nodes = [at for at in places if isinstance(self.source[at], Tree)]
        known = {(a.node, a.rule): i for i, a in enumerate(self.problem.applications)}
        return tuple(known[nodes.index(step.place), step.rule] for step in one.steps)

    def key(self, derivation: Naive | tuple[int, ...]) -> tuple[str, ...]:
        """A derivation by its rules in pre-order: the oracle's, or the package's numbers."""
        if isinstance(derivation, Naive):
            return tuple(step.rule.text for step in derivation.steps)
        return tuple(self.problem.applications[a].rule.text for a in derivation)
