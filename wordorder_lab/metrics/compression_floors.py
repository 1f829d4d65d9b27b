"""What a compression system must beat: keep every word, or delete words at random.

Neither knows anything. Keeping everything finds every word that only deletion left, at the worst
rate; random deletion shows what a score is worth at the reference's rate. Print both beside every
table.
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from wordorder_lab.structures.pruned_tree import pruned

if TYPE_CHECKING:
    from nltk.tree import Tree

    from wordorder_lab.structures.compression import CompressionPair


def keep_all(pair: CompressionPair) -> Tree:
    """The source as it is."""
    return pair.source


def random_deletion(pair: CompressionPair, rate: float, seed: int) -> Tree:
    """The source tree without some of its words; ``rate`` is the share of them that stays.

    Over many sentences the rate comes out as asked: of 7 words at 0.6, which would be 4.2, 4 stay
    in four cases of five and 5 in the fifth. One word stays in any case. The same seed deletes the
    same words of the same pair, whatever stands before it in the corpus. Raises ``ValueError`` for
    a rate that is not above 0 and at most 1, and for a broken tree.
    """
    if not 0 < rate <= 1:
        raise ValueError(f"a rate of {rate}: it is above 0 and at most 1 (all words stay)")
    words = pair.source.leaves()
    said = f"{seed} {pair.name} {' '.join(words)}"
    chance = random.Random(said.encode("utf-8", "surrogateescape"))  # a name may be no text
    whole, rest = divmod(rate * len(words), 1)
    stay = int(whole) + (chance.random() < rest)
    return pruned(pair.source, set(chance.sample(range(len(words)), max(1, stay))))
