"""What deletion alone cannot do: outputs with moved or other words, and the rules that make them.

Cohn & Lapata (2009), section 3: a synchronous tree substitution grammar also has rules that move
constituents, change their category and put in other words.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from wordorder_lab.structures.compression import prepared, prepared_pair
from wordorder_lab.structures.elementary_tree import ElementaryTree
from wordorder_lab.structures.synchronous_rule import SynchronousRule, parse_rule
from wordorder_lab.systems.compression_model import CompressionModel

if TYPE_CHECKING:
    from wordorder_lab.structures.compression import CompressionPair

DELETION = "deletion"
"""The kind of pairs that deletion alone explains."""


def is_left_of(short: Sequence[Hashable], long: Sequence[Hashable]) -> bool:
    """Whether deletions alone turn ``long`` into ``short``."""
    rest = iter(long)
    return all(item in rest for item in short)


def deletes_only(rule: SynchronousRule) -> bool:
    """Whether words and variables of the target are what is left of the source's, in its order.

    A category may change on the way: ``<S, VP> -> <[S NP_eps VP_1], VP_1>`` deletes only.
    """
    return is_left_of(_frontier(rule.target), _frontier(rule.source))


def _frontier(tree: ElementaryTree) -> list[Hashable]:
    """Words, and variables by their number."""
    return [leaf if isinstance(leaf, str) else leaf.index for leaf in tree.frontier()]


def beyond_deletion(
    model: CompressionModel, pairs: Sequence[CompressionPair], **how: Any
) -> Iterator[Mapping[str, Any]]:
    """The pairs that deletion cannot explain and whose output is, word for word, a reference.

    ``how`` is what ``model.compress`` is told. ``rules`` are those of the derivation that do more
    than delete; ``deeper`` of them have more than one level on a side, so that an SCFG cannot have
    them. Pairs without a kind are passed over. Raises ``ValueError`` as ``model.compress``.
    """
    for pair in pairs:
        if pair.kind in ("", DELETION):
            continue
        found = model.compress(pair.source, **how)
        targets = [target.leaves() for target in prepared_pair(pair).targets]
        if prepared(found.tree).leaves() not in targets:
            continue
        rules = [rule for rule in map(parse_rule, found.rules) if not deletes_only(rule)]
        yield {
            "name": pair.name,
            "kind": pair.kind,
            "source": " ".join(pair.source.leaves()),
            "output": found.text,
            "rules": [rule.text for rule in rules],
            "deeper": len([rule for rule in rules if not rule.is_synchronous_context_free]),
        }
