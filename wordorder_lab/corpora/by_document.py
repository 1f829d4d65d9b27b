"""Cutting a corpus in three without tearing a document apart.

Sentences of one document share names and phrases: who learns from one half of a report has read the
other half's words.

    documents, shuffled by a checksum of their names
    until none is left: the next goes to dev if dev, test and train can still come out as asked,
                        else to test if they can, else to train

Which sums the documents that are left can have is one number a size of dev: bit t is set where test
can have t sentences. No chance is in it, and the order of the file does not matter.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from functools import cache, partial

from wordorder_lab.corpora.readers.corpus import SPLITS, Part
from wordorder_lab.structures.compression import TextPair

Sizes = tuple[int, int, int]
"""How many sentences train, dev and test have."""


def cut_by_document(
    read: Callable[[], Part[TextPair]], sizes: Sizes
) -> dict[str, Callable[[], Part[TextPair]]]:
    """Readers of the three splits, with the sizes in these proportions, as near as may be.

    Documents stay in the order of the file, and so do the sentences of each. ``read`` is called
    once.
    """

    @cache
    def parts() -> dict[str, Part[TextPair]]:
        every = read().sentences
        split = documents_in_three(every, sizes)
        return {
            name: Part(tuple(pair for pair in every if split[pair.document] == name))
            for name in SPLITS
        }

    return {name: partial(lambda split: parts()[split], name) for name in SPLITS}


def documents_in_three(pairs: Sequence[TextPair], sizes: Sizes) -> dict[str, str]:
    """The split of each document: "train", "dev" or "test"."""
    counts: dict[str, int] = {}
    for pair in pairs:
        counts[pair.document] = counts.get(pair.document, 0) + 1
    documents = sorted(counts, key=_shuffled)
    wanted = [round(len(pairs) * size / sum(sizes)) for size in sizes[1:]]
    sums = _sums([counts[name] for name in documents], wanted[0])
    dev, test = _nearest(sums[0], wanted[0], wanted[1])
    split = {}
    for name, below in zip(documents, sums[1:]):
        n = counts[name]
        if dev >= n and below[dev - n] >> test & 1:
            split[name], dev = "dev", dev - n
        elif test >= n and below[dev] >> (test - n) & 1:
            split[name], test = "test", test - n
        else:
            split[name] = "train"
    return split


def _shuffled(name: str) -> tuple[str, str]:
    said = name.encode("utf-8", "surrogateescape")
    return hashlib.sha256(said).hexdigest(), name


def _sums(counts: Sequence[int], dev: int) -> list[list[int]]:
    """``[i][d]``: the sizes of test, as bits, that documents ``i`` and on can have with dev d."""
    most = dev + max(counts, default=0)
    sums = [[1, *[0] * most]]
    for n in reversed(counts):
        after = sums[-1]
        sums.append(
            [after[d] | after[d] << n | (after[d - n] if d >= n else 0) for d in range(most + 1)]
        )
    return sums[::-1]


def _nearest(sums: Sequence[int], dev: int, test: int) -> tuple[int, int]:
    """Sizes of dev and test that can be had, the nearest; of equally near ones the smallest."""
    there = [
        (d, t) for d, bits in enumerate(sums) for t in range(bits.bit_length()) if bits >> t & 1
    ]
    return min(there, key=lambda one: (abs(one[0] - dev) + abs(one[1] - test), one))
