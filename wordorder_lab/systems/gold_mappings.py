"""Gold orders for trees of lemmas with plain references: each tree mapped to its words.

The paper (section 5.7) keeps 36.2 of 39 thousand training instances so. A form counts here however
seldom it was seen: a search has the right form among its candidates in training, wherever it came
from.
"""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from wordorder_lab.inflection.candidates import Inflector
from wordorder_lab.inflection.gold_mapping import GoldMapping, map_to_reference
from wordorder_lab.runtime.progress import progress_bar
from wordorder_lab.structures.lemma_tree import LemmaTree


@dataclass(frozen=True)
class MappingCounts:
    """Of ``trees`` with a reference, how many have ``one``, ``several`` or no (``none``) mapping.

    ``reasons`` says why there is none, ``lifted`` how many needed lifted arcs, ``spared``
    how many words that are no form. ``as_annotated`` of
    the ``known`` ones, whose places are known anyway, were mapped to just these places or to those
    of equal words.
    """

    trees: int
    one: int
    several: int
    none: int
    reasons: dict[str, int]
    lifted: int
    spared: int
    known: int
    as_annotated: int


def gold_mappings(
    trees: Sequence[LemmaTree],
    inflector: Inflector,
    *,
    lifts: int = 0,
    spare: int = 0,
    seed: int = 1,
) -> list[GoldMapping]:
    """The mapping of every tree that has a reference, in their order.

    Several mappings are chosen from by ``seed`` and the tree's name, so that a tree is mapped the
    same way in whatever company. ``lifts`` arcs may be lifted, and ``spare`` words be no form of
    any lemma, where a tree has no mapping otherwise.
    """
    every = replace(inflector, least=0.0)
    with_words = [tree for tree in trees if tree.reference]
    return [
        map_to_reference(
            tree,
            every.forms(tree),
            tree.reference,
            lifts=lifts,
            spare=spare,
            seed=zlib.crc32(f"{seed} {tree.name}".encode()),
        )
        for tree in progress_bar(with_words, desc="mapping lemmas", delay=2, leave=False)
    ]


def count_mappings(mappings: Sequence[GoldMapping]) -> MappingCounts:
    """How many trees have one mapping, several, none, and why."""
    outcomes = Counter(mapping.outcome for mapping in mappings)
    reasons = Counter(mapping.reason for mapping in mappings if mapping.reason)
    known = [m for m in mappings if m.positions and m.tree.nodes[0].position is not None]
    return MappingCounts(
        len(mappings),
        outcomes["one"],
        outcomes["several"],
        outcomes["none"],
        dict(reasons.most_common()),
        sum(bool(mapping.lifted) for mapping in mappings),
        sum(bool(mapping.spared) for mapping in mappings),
        len(known),
        sum(map(_as_annotated, known)),
    )


def _as_annotated(mapping: GoldMapping) -> bool:
    """Whether each place has the node that it has in the treebank, or its equal, with its head."""
    nodes = mapping.tree.nodes
    true_at = {node.position: node for node in nodes}
    for node, place in zip(nodes, mapping.positions, strict=True):
        true = true_at[place]
        head = mapping.positions[node.head] if node.head >= 0 else -1
        true_head = nodes[true.head].position if true.head >= 0 else -1
        if (node.lemma, node.label, head) != (true.lemma, true.label, true_head):
            return False
    return True
