"""The columns of a state of the fast engine: what each number in a row of ``pool`` is.

Types and counts that features look at come first in each part; ``features/extract_fast`` knows
their places. Type 0 is nothing, and a count of 0 is none.
"""

from __future__ import annotations

S0, L, L2, R, R2, VL, VR, N, DL, DR = range(10)
"""The top of the stack: its type, two dependents a side, valencies, descendants, distances."""

W0, W1, W2, D, PLACE, DESCENDANTS, BELOW, PARENT, ACTION, SHIFTED = range(10, 20)
"""The last three words; distance from S1; place of the top in the sentence and how many words are
below it; rows of the state whose top lies under it and of the state it came from, and by what
action; how many words have been shifted."""

KIND, GIVEN, WAITS, ANCHOR = range(20, 24)
"""Type of the top in the bag, its given head, how many of its given dependents are not attached,
and the anchor (``transition_legal_fast``)."""

HEAD_TYPE, CHILD, CHILD2, SIBLING, SIBLING2, HEAD_PLACE, LEFT = range(24, 31)
"""What features see when they look ahead (``transition_ahead_fast``)."""

WIDTH = 31
