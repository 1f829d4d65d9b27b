"""The extractor on whole numbers: a template set as an integer program, run by numba.

A word's place in a sentence's own numbering is its *type*: 0 nothing, 1 the begin of the sentence,
2 and up the (word, tag) pairs that can be shifted. Types and counts stand in the columns of a state
(``COLUMNS``); the program says which columns make up a group and which of them each template takes.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from wordorder_lab.structures.kernel_fast import kernel
from wordorder_lab.structures.templates import FIRST
from wordorder_lab.transition.features import FeatureKeys

CELL = ("", ",l", ",l2", ",r", ",r2", "vl", "vr", "n", "dl", "dr")
"""Columns 0 to 9 of a state: what is known about the top of its stack."""

UNDER = 32
"""Added to a column of ``CELL``: the same about the word under the top."""

COLUMNS = {
    **{f"S0{name}": i for i, name in enumerate(CELL)},
    **{f"S1{name}": UNDER + i for i, name in enumerate(CELL)},
    **{"w0": 10, "w-1": 11, "w-2": 12, "d": 13},
    **{"S0,h": 24, "S0,c": 25, "S0,c2": 26, "S0,s": 27, "S0,s2": 28, "S0hs": 29, "b": 30},
}
"""Slot -> column of a state."""

AHEAD = 24
"""The columns from here on look ahead (``states_fast``)."""

ATTRIBUTES = {"w": 0, "p": 1, "n": 2}

ABSENT = 9
"""Where a template with fewer than three atoms looks: a value that is never missing."""


class Program(NamedTuple):
    """A template set for the kernels.

    ``groups[g]`` is (first line, line after the last, three columns or -1). ``lines[k]`` is
    (template, three places, three factors, level): place 3 * slot + attribute in the list of ten
    values that ``read_values`` makes. The key is the template plus the values times the factors.
    ``uses`` says whether there are templates by tag or by move, and whether any look ahead.
    """

    groups: np.ndarray
    lines: np.ndarray
    uses: np.ndarray


def compile_program(keys: FeatureKeys) -> Program:
    """Translate the template set of a numbering."""
    lines: list[list[int]] = []
    groups: list[list[int]] = []
    for group in keys.templates.groups:
        first = len(lines)
        for index in group.templates:
            atoms = keys.templates.templates[index].atoms
            places = [3 * group.slots.index(a.slot) + ATTRIBUTES[a.attribute] for a in atoms]
            powers = [keys.radix**i * len(keys.templates) for i in reversed(range(len(atoms)))]
            missing = 3 - len(atoms)
            level = keys.templates.templates[index].level
            lines.append([index, *places, *[ABSENT] * missing, *powers, *[0] * missing, level])
        columns = [COLUMNS[slot] for slot in group.slots]
        groups.append([first, len(lines), *columns, *[-1] * (3 - len(columns))])
    uses = keys.templates.levels != (0,), any(c % UNDER >= AHEAD for g in groups for c in g[2:])
    return Program(np.array(groups, np.int64), np.array(lines, np.int64), np.array(uses, np.int64))


@kernel(inline="always")
def read_values(values, v0, v1, v2, types):
    """Fill the ten values that templates of a group look at when its slots hold v0, v1, v2.

    ``types`` is int64 (types, 2): word and tag numbers. A slot with a count has its number alone;
    its word and tag are not looked at by any template.
    """
    most = types.shape[0] - 1
    for i in range(3):
        v = v0 if i == 0 else (v1 if i == 1 else v2)
        t = min(v, most)
        values[3 * i] = types[t, 0]
        values[3 * i + 1] = types[t, 1]
        values[3 * i + 2] = v
    values[ABSENT] = FIRST


@kernel(inline="always")
def template_key(lines, k, values):
    """The key of line ``k``, -1 where a slot is empty or a word or tag has no number."""
    a, b, c = values[lines[k, 1]], values[lines[k, 2]], values[lines[k, 3]]
    key = a * lines[k, 4] + b * lines[k, 5] + c * lines[k, 6] + lines[k, 0]
    return key if min(a, b, c) >= FIRST else np.int64(-1)
