"""The extractor on whole numbers: a template set as an integer program, run by numba.

A word's place in a sentence's own numbering is its *type*: 0 nothing, 1 the begin of the sentence,
2 and up the (word, tag) pairs that can be shifted. Types and counts stand in the columns of a state
(``COLUMNS``); the program says which columns make up a group and which of them each template takes.
"""

from __future__ import annotations

from typing import NamedTuple

import numba
import numpy as np

from wordorder_lab.features.keys import NOTHING, UNKNOWN
from wordorder_lab.features.notation import Template, TemplateSet

CELL = ("", ",l", ",l2", ",r", ",r2", "vl", "vr", "n", "dl", "dr")
"""Columns 0 to 9 of a state: what is known about the top of its stack."""

UNDER = 32
"""Added to a column of ``CELL``: the same about the word under the top."""

COLUMNS = {
    **{f"S0{name}": i for i, name in enumerate(CELL)},
    **{f"S1{name}": UNDER + i for i, name in enumerate(CELL)},
    **{"w0": 10, "w-1": 11, "w-2": 12, "d": 13},
}
"""Slot -> column of a state."""

ATTRIBUTES = {"w": 0, "p": 1, "n": 2}


class Program(NamedTuple):
    """A template set for the kernels.

    ``groups[g]`` is (first line, line after the last, three columns or -1). ``lines[k]`` is
    (template, number of atoms, slot and attribute three times, parent): slots count within the
    group; the parent is the line of a shorter template that is absent only if this one is.
    """

    groups: np.ndarray
    lines: np.ndarray


def compile_program(templates: TemplateSet) -> Program:
    """Translate a template set."""
    lines, groups = [], []
    for group in templates.groups:
        first = len(lines)
        members = [templates.templates[i] for i in group.templates]
        for position, index in enumerate(group.templates):
            parent = _parent(members, position)
            line = [index, len(members[position].atoms)]
            for atom in members[position].atoms:
                line += [group.slots.index(atom.slot), ATTRIBUTES[atom.attribute]]
            line += [0] * (8 - len(line))
            lines.append([*line, first + parent if parent >= 0 else -1])
        columns = [COLUMNS[slot] for slot in group.slots]
        groups.append([first, len(lines), *columns, *[-1] * (3 - len(columns))])
    return Program(np.array(groups, np.int32), np.array(lines, np.int32))


def _parent(members: list[Template], position: int) -> int:
    """The longest earlier template whose atoms are among this one's; words before tags."""
    atoms = set(members[position].atoms)
    best, rank = -1, (0, 0)
    for i, member in enumerate(members[:position]):
        if set(member.atoms) < atoms:
            words = [atom for atom in member.atoms if atom.attribute == "w"]
            if (len(member.atoms), len(words)) > rank:
                best, rank = i, (len(member.atoms), len(words))
    return best


@numba.njit(cache=True, inline="always")
def template_key(lines, k, v0, v1, v2, types, radix, n_templates):
    """The key of line ``k`` when the group's slots hold ``v0``, ``v1``, ``v2``; -1 for none.

    ``types`` is int64 (types, 2): word and tag numbers. There is no key where a slot is empty, nor
    for a word or tag that has no number.
    """
    key = np.int64(0)
    for atom in range(lines[k, 1]):
        slot = lines[k, 2 + 2 * atom]
        attribute = lines[k, 3 + 2 * atom]
        value = np.int64(v0 if slot == 0 else (v1 if slot == 1 else v2))
        if value == NOTHING:
            return np.int64(-1)
        if attribute < 2:
            value = types[value, attribute]
            if value == UNKNOWN:
                return np.int64(-1)
        key = key * radix + value
    return key * n_templates + lines[k, 0]
