"""What a compression system must beat: every word, words left at random, the first clause.

None of them has learned anything. Print them beside every table.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from wordorder_lab.structures.compression import CompressionPair
from wordorder_lab.structures.phrase_tree import PhraseNodes, phrase_nodes, pruned
from wordorder_lab.structures.plain_tree import Tree

FINITE = frozenset(["VBD", "VBP", "VBZ", "MD"])


def keep_all(pair: CompressionPair) -> Tree:
    """The source as it is."""
    return pair.source


def random_deletion(pair: CompressionPair, rate: float, seed: int) -> Tree:
    """The source tree without some of its words; ``rate`` is the share of them that stays.

    Over many sentences the rate comes out as asked: of 7 words at 0.6, which would be 4.2, 4 stay
    in four cases of five and 5 in the fifth. One word stays in any case. The same seed deletes the
    same words of the same pair. Raises ``ValueError`` for a rate that is not above 0 and at most 1,
    and for a broken tree.
    """
    if not 0 < rate <= 1:
        raise ValueError(f"a rate of {rate}: it is above 0 and at most 1 (all words stay)")
    words = pair.source.leaves()
    key = f"{seed} {pair.name} {' '.join(words)}"
    chance = random.Random(key.encode("utf-8", "surrogateescape"))  # a name may be no text
    whole, rest = divmod(rate * len(words), 1)
    stay = int(whole) + (chance.random() < rest)
    return pruned(pair.source, set(chance.sample(range(len(words)), max(1, stay))))


def first_clause(pair: CompressionPair) -> Tree:
    """The first clause with a subject of its own and a finite verb, and the sentence's last sign.

    The outermost clause counts that begins first, without the subordinate clauses (SBAR) in it: of
    *he said that rain fell, and she left .* that is *he said .* A sentence without such a clause
    stays as it is. Raises ``ValueError`` for a broken tree.
    """
    nodes = phrase_nodes(pair.source)
    labels = nodes.bare
    clauses = [node for node in range(len(nodes)) if _is_clause(nodes, labels, node)]
    if not clauses:
        return pair.source
    clause = min(clauses, key=lambda node: (nodes.begins[node], -node))
    kept = set(range(nodes.begins[clause], nodes.ends[clause]))
    for node in range(clause):
        if labels[node] == "SBAR":
            kept -= set(range(nodes.begins[node], nodes.ends[node]))
    last = nodes.ends[nodes.root] - 1
    if nodes.leaves[last] in (".", "?", "!"):
        kept.add(last)
    return pruned(pair.source, kept)


def _is_clause(nodes: PhraseNodes, labels: Sequence[str], node: int) -> bool:
    """Whether this is an S with a noun phrase and, after it, a verb phrase with a finite verb."""
    below = [labels[child] for child in nodes.children[node]]
    if labels[node] != "S" or "NP" not in below or "VP" not in below[below.index("NP") :]:
        return False
    verbs = nodes.children[node][below.index("NP") + below[below.index("NP") :].index("VP")]
    while True:  # into the first of several verb phrases that are joined
        inner = nodes.children[verbs]
        if any(labels[child] in FINITE for child in inner):
            return True
        deeper = [child for child in inner if labels[child] == "VP"]
        if not deeper or labels[inner[0]] != "VP":
            return False
        verbs = deeper[0]
