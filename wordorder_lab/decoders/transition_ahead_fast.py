"""Look-ahead slots as numba kernels; what they mean stands in ``features/look_ahead``."""

from __future__ import annotations

import numpy as np

from wordorder_lab.decoders.transition_columns_fast import (
    CHILD,
    GIVEN,
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
    DE_BRUIJN,
    DEPENDENTS,
    PLACES,
    UNKNOWN_HEAD,
)
from wordorder_lab.features.keys import FIRST
from wordorder_lab.structures.kernel_fast import kernel

IS_ROOT, IN_BAG, ON_STACK = FIRST, FIRST + 1, FIRST + 2


@kernel
def left_bin(words):
    """0 to 2 as they are, 3 to 5 as 3, 6 to 10 as 4, more as 5; plus ``FIRST``."""
    return FIRST + (words if words <= 2 else (3 if words <= 5 else (4 if words <= 10 else 5)))


@kernel
def look_ahead(n, first, problem, space, now):
    """Fill the look-ahead columns of the ``n`` states that were built from ``space.plan``.

    Written out for the same reason as ``build``.
    """
    pool, plan, bits = space.pool, space.plan, space.bits
    forest, masks = problem.forest, problem.masks
    words, total = np.uint64(masks.shape[1]), forest[forest.shape[0] - 1, DEPENDENTS]
    other, one = np.uint64(1 - now), np.uint64(1)
    for i in range(np.uint64(n)):
        new, r = np.uint64(first) + i, np.uint64(plan[i, 3])
        kind, head = pool[new, KIND], pool[new, GIVEN]
        for column in range(np.uint64(HEAD_TYPE), np.uint64(LEFT)):
            pool[new, column] = 0
        pool[new, LEFT] = left_bin(total - pool[new, SHIFTED])
        if head >= 0:
            where = np.uint64(head)
            word = bits[other, r, where >> np.uint64(6), BAG]
            inside = (word >> (where & np.uint64(63))) & one != 0
            pool[new, HEAD_TYPE] = forest[where, AHEAD_TYPE]
            pool[new, HEAD_PLACE] = IN_BAG if inside else ON_STACK
        elif head != UNKNOWN_HEAD:
            pool[new, HEAD_PLACE] = IS_ROOT
        for side in range(2):
            top = kind if side == 0 else head
            column = np.uint64(CHILD) if side == 0 else np.uint64(SIBLING)
            if top < 0 or forest[np.uint64(top), DEPENDENTS] == 0:
                continue
            for w in range(words):
                types = masks[np.uint64(top), w, CHILDREN] & bits[other, r, w, BAG]
                if side == 1 and np.uint64(kind) >> np.uint64(6) == w:
                    types &= ~(one << (np.uint64(kind) & np.uint64(63)))
                while types != 0:
                    lowest = types & (~types + one)
                    place = np.uint64(PLACES[(lowest * DE_BRUIJN) >> np.uint64(58)])
                    types ^= lowest
                    ahead = forest[np.uint64(64) * w + place, AHEAD_TYPE]
                    # Of a later one it is known only at the end that it is the last.
                    pool[new, column + np.uint64(pool[new, column] != 0)] = ahead
