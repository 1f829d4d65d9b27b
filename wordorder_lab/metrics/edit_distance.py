"""How many signs must be put in, taken out or changed to make one text of another (Levenshtein).

nltk's ``edit_distance`` gives the same numbers, sign by sign in plain Python. Here a row of its
table is a handful of array operations:

    row 0: 0, 1, 2, ...
    for each sign of the first text:
        new <- the least of: the row above + 1 (taken out), above and left + (0 if alike, else 1)
        each place of new: no more than any place left of it, plus the way from there (put in)
"""

from __future__ import annotations

import numpy as np


def edit_distance(first: str, second: str) -> int:
    """The least number of signs put in, taken out or changed; each costs 1."""
    if first == second:
        return 0
    signs = np.array([ord(sign) for sign in second], dtype=np.int64)
    places = np.arange(len(second) + 1)
    row = places
    for number, sign in enumerate(first, 1):
        new = row + 1
        new[1:] = np.minimum(new[1:], row[:-1] + (signs != ord(sign)))
        new[0] = number
        row = np.minimum.accumulate(new - places) + places
    return int(row[-1])
