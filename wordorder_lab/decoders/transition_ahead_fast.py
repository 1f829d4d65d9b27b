"""Look-ahead slots as numba kernels; what they mean stands in ``features/look_ahead``."""

from __future__ import annotations

import numpy as np

from wordorder_lab.decoders.transition_columns_fast import (
    CHILD,
    HEAD_PLACE,
    HEAD_TYPE,
    KIND,
    LEFT,
    SHIFTED,
    SIBLING,
)
from wordorder_lab.decoders.transition_legal_fast import (
    AHEAD_TYPE,
    BAG,
    CHILDREN,
    DEPENDENTS,
    HEAD,
    UNKNOWN_HEAD,
    in_bag,
    lowest,
)
from wordorder_lab.features.keys import FIRST
from wordorder_lab.structures.kernel_fast import kernel

IS_ROOT, IN_BAG, ON_STACK = FIRST, FIRST + 1, FIRST + 2


@kernel(inline="always")
def left_bin(words):
    """0 to 2 as they are, 3 to 5 as 3, 6 to 10 as 4, more as 5; plus ``FIRST``."""
    return FIRST + (words if words <= 2 else (3 if words <= 5 else (4 if words <= 10 else 5)))


@kernel(inline="always")
def put_ends(pool, new, column, head, without, forest, masks, bits, half, r):
    """Write the first and the last given dependent of ``head`` that is in the bag, 0 for none."""
    first, last = -1, -1
    for w in range(masks.shape[1]):
        types = masks[head, w, CHILDREN] & bits[half, r, w, BAG]
        if without >= 0 and without >> 6 == w:
            types &= ~(np.uint64(1) << np.uint64(without & 63))
        while types != 0:
            last = 64 * w + lowest(types)
            types &= types - np.uint64(1)
            first = last if first < 0 else first
    pool[new, column] = forest[first, AHEAD_TYPE] if first >= 0 else 0
    pool[new, column + 1] = forest[last, AHEAD_TYPE] if last != first else 0


@kernel
def look_ahead(pool, new, forest, masks, bits, half, r):
    """Fill the look-ahead columns of row ``new``; its bag is row ``r`` of this half of ``bits``."""
    kind = pool[new, KIND]
    for column in range(HEAD_TYPE, LEFT):
        pool[new, column] = 0
    pool[new, LEFT] = left_bin(forest[forest.shape[0] - 1, DEPENDENTS] - pool[new, SHIFTED])
    if forest[kind, DEPENDENTS] > 0:
        put_ends(pool, new, CHILD, kind, -1, forest, masks, bits, half, r)
    head = forest[kind, HEAD]
    if head >= 0:
        pool[new, HEAD_TYPE] = forest[head, AHEAD_TYPE]
        pool[new, HEAD_PLACE] = IN_BAG if in_bag(bits, half, r, head) else ON_STACK
        put_ends(pool, new, SIBLING, head, kind, forest, masks, bits, half, r)
    elif head != UNKNOWN_HEAD:
        pool[new, HEAD_PLACE] = IS_ROOT
