"""The templates of edges as an integer program, run by numba.

What stands in an edge's slots is a row of numbers: 0 where nothing does, items from 1 up (a word
with its tag in the sentence's own numbering), small numbers plus 10, sets of tags from 1 up. A
group packs those of its slots that it needs into one key; its summed weights are kept under it for
the whole sentence. Words of a completed word stand twice: once for the dependent of the new arc,
once for the root of a goal.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from wordorder_lab.features.edge_keys import SIZE_BITS, EdgeKeys
from wordorder_lab.features.edge_notation import (
    COMPLETED,
    DEPENDENCY,
    SENTENCE,
    SURFACE,
)
from wordorder_lab.features.edge_templates import EdgeGroup

ROOT = "root"
"""The second place of the slots of a completed word."""

SLOTS = {
    DEPENDENCY: (
        *("h", "m", "s", "s2", "m_l", "m_r", "h-1", "h+1", "m-1", "m+1", "b"),
        *("dir", "dist", "size"),
    ),
    COMPLETED: ("h", "h_l", "h_r", "LVAL", "RVAL"),
    ROOT: ("h", "h_l", "h_r", "LVAL", "RVAL"),
    SURFACE: ("B-2", "B-1", "B", "B+1"),
    SENTENCE: ("0", "1", "2", "size-1", "size-2", "size-3"),
}
"""The order of the slots in a row."""

COMPLETED_AT, ROOT_AT, SURFACE_AT, SENTENCE_AT, WIDTH = 14, 19, 24, 28, 34
"""Where the parts of a row begin; the first begins at 0."""

ALWAYS, ARC, GOAL = 0, 1, 2
"""Which edges a group is for: all, those with a new arc, goals; an edge says it by bits."""

ITEM, TAG, NUMBER, SET, LABEL, SIZE = range(6)
"""What a group keeps of a slot; a label is a category or a rule."""

WORD, POS, COUNT, TAGS = 0, 1, 2, 3
"""What a template takes from a slot; ``TAGS`` gives a feature for each tag of a set."""

BITS = (16, 10, 5, 24, 16, SIZE_BITS)
"""The room of each of these in a group's key; the group's own number takes 5."""

GROUP_BITS = 5
MAX_GROUPS, MAX_ITEMS, MAX_TAGS = 1 << GROUP_BITS, (1 << 16) - 2, (1 << 10) - 2
NUMBERS_FROM = 10
"""Added to a small number, which may be negative."""


class EdgeProgram(NamedTuple):
    """A template set for the kernels.

    ``groups[g]`` is (number in keys, first and last+1 line of ``packing``, first and last+1 line of
    ``templates``, which edges it is for), in order of evaluation. ``packing[k]`` is (slot, what is
    kept, shift), ``templates[k]`` (index, first and last+1 line of ``atoms``), ``atoms[k]`` (slot,
    what is taken, shift). ``sets`` counts the templates that give a feature for each tag of a set.
    """

    groups: np.ndarray
    packing: np.ndarray
    templates: np.ndarray
    atoms: np.ndarray
    sets: int


def compile_edge_program(keys: EdgeKeys) -> EdgeProgram:
    """Translate the template set of a numbering. Raises ``ValueError`` for what does not fit."""
    parts = []
    for section, place, begin, when in (
        (DEPENDENCY, DEPENDENCY, 0, ALWAYS),
        (COMPLETED, COMPLETED, COMPLETED_AT, ARC),
        (COMPLETED, ROOT, ROOT_AT, GOAL),
        (SURFACE, SURFACE, SURFACE_AT, ARC),
        (SENTENCE, SENTENCE, SENTENCE_AT, GOAL),
    ):
        parts.append((section, {slot: begin + i for i, slot in enumerate(SLOTS[place])}, when))
    return compile_parts(keys, parts)


def compile_parts(keys: EdgeKeys, parts: Sequence[tuple[str, dict[str, int], int]]) -> EdgeProgram:
    """The program of a grammar: section by section the columns of its slots, and which edges it is
    for. Raises ``ValueError`` for what does not fit."""
    if len(keys.templates.groups) > MAX_GROUPS:
        raise ValueError(
            f"{len(keys.templates.groups)} groups of templates; the fast engine has room for "
            f"{MAX_GROUPS}: join some, or use engine='reference'"
        )
    groups: list[tuple] = []
    lines: tuple[list, list, list] = ([], [], [])
    for section, columns, when in parts:
        for number, group in enumerate(keys.templates.groups):
            if group.section == section:
                groups.append((number, *_compile(keys, group, columns, lines), when))
    packing, templates, atoms = (np.array(some, np.int64).reshape(-1, 3) for some in lines)
    sets = int(np.count_nonzero(atoms[:, 1] == TAGS))
    return EdgeProgram(np.array(groups, np.int64), packing, templates, atoms, sets)


def _compile(keys: EdgeKeys, group: EdgeGroup, columns: dict[str, int], lines: tuple) -> tuple:
    packing, templates, atoms = lines
    first, first_template = len(packing), len(templates)
    used: dict[str, set[str]] = {slot: set() for slot in group.slots}
    for index in group.templates:
        begin = len(atoms)
        template = keys.templates.templates[index]
        for atom, shift in zip(template.atoms, keys.shifts[index], strict=True):
            taken = TAGS if atom.slot == "b" else {"w": WORD, "p": POS}.get(atom.attribute, COUNT)
            atoms.append((columns[atom.slot], taken, shift))
            used[atom.slot].add(atom.attribute)
        templates.append((keys.templates.first[index], begin, len(atoms)))
    shift = GROUP_BITS
    for slot, attributes in used.items():
        if attributes:
            kept = SET if slot == "b" else _kept(attributes)
            packing.append((columns[slot], kept, shift))
            shift += BITS[kept]
    if shift > 63:
        raise ValueError(f"the group {' '.join(used)} holds too much for a key of 63 bits")
    return first, len(packing), first_template, len(templates)


def _kept(attributes: set[str]) -> int:
    """What a group keeps of a slot of which its templates take these."""
    for attribute, kept in (("n", NUMBER), ("s", SIZE), ("c", LABEL), ("r", LABEL), ("w", ITEM)):
        if attribute in attributes:
            return kept
    return TAG
