"""Features of edges in numbers, the twin of ``features``: templates as an integer program.

An edge's slots are a row of numbers: 0 for nothing, items from 1 up (in the sentence's own
numbering), small numbers plus 10, sets of tags from 1 up. A completed word stands twice, once for
the dependent of the new arc, once for the root of a goal. A group packs its slots into one key,
under which the sum of its weights, in the order of its templates, is kept for the sentence. In
learning, an update makes stale the sums that it touches; they are made anew when next needed.
"""

# mypy: allow-untyped-defs, allow-untyped-calls, no-check-untyped-defs
from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from wordorder_lab.best_first.arrays_fast import (
    BEGIN,
    END,
    ENTRIES,
    ENTRY,
    FEATURE,
    FEATURES,
    LEARNING,
    MENTION,
    NEXT,
    PLACE_OF,
    TAKEN,
    WEIGHT,
    Edges,
    Tables,
)
from wordorder_lab.best_first.keys import SIZE_BITS, EdgeKeys
from wordorder_lab.best_first.templates import COMPLETED, DEPENDENCY, SENTENCE, SURFACE
from wordorder_lab.best_first.weights_fast import KEY, NUMBERED, find
from wordorder_lab.runtime.kernel_fast import kernel
from wordorder_lab.structures.templates import Group

ROOT = "root"
"""The second place of the slots of a completed word."""

SLOTS = {
    DEPENDENCY: tuple("h m s s2 m_l m_r h-1 h+1 m-1 m+1 b dir dist size".split()),
    COMPLETED: ("h", "h_l", "h_r", "LVAL", "RVAL"),
    ROOT: ("h", "h_l", "h_r", "LVAL", "RVAL"),
    SURFACE: ("B-2", "B-1", "B", "B+1"),
    SENTENCE: ("0", "1", "2", "size-1", "size-2", "size-3"),
}
"""The order of the slots in a row."""

COMPLETED_AT, ROOT_AT, SURFACE_AT, SENTENCE_AT, WIDTH = 14, 19, 24, 28, 34
"""Where the parts of a row begin; the first begins at 0."""
(
    AT_H, AT_M, AT_S, AT_S2, AT_M_L, AT_M_R, BEFORE_H, AFTER_H, BEFORE_M, AFTER_M, AT_B,
    AT_DIR, AT_DIST, AT_SIZE,
) = range(COMPLETED_AT)  # fmt: skip
"""The slots of the first part."""
OF_H, OF_H_L, OF_H_R, OF_LVAL, OF_RVAL = range(ROOT_AT - COMPLETED_AT)
"""Those of a completed word, from ``COMPLETED_AT`` or ``ROOT_AT`` on."""

ALWAYS, ARC, GOAL = 0, 1, 2
"""Which edges a group is for: all, those with a new arc, goals; an edge says it by bits."""

ITEM, TAG, NUMBER, SET, NAMED, SIZE, TAG_LABEL = range(7)
"""What a group keeps of a slot; named are a category and a rule."""

WORD, POS, COUNT, TAGS, LABEL = range(5)
"""What a template takes from a slot; ``TAGS`` gives a feature for each tag of a set."""

BITS = (16, 10, 5, 24, 16, SIZE_BITS, 10)
"""The room of each of these in a group's key; the group's own number takes 5."""

GROUP_NUMBER, PACKED, PACKED_END, TEMPLATES, TEMPLATES_END, SEEN_BY = range(6)
"""The columns of ``EdgeProgram.groups``."""
FULL_INDEX, ATOMS, ATOMS_END = range(3)
"""Those of ``templates``."""
SLOT, TAKES, SHIFT = range(3)
"""Those of ``packing`` and of ``atoms``."""
OWN_TAG, ITEM_LABEL, OWN_TAG_LABEL = 2, 3, 4
"""Those of ``Names.items`` behind word and tag."""

GROUP_BITS = 5
MAX_GROUPS, MAX_ITEMS, MAX_TAGS = 1 << GROUP_BITS, (1 << 16) - 2, (1 << 10) - 2
"""How many groups there may be, and how many items and tags (or tags with labels) of a sentence."""
TAKEN_OF = {"w": WORD, "p": POS, "l": LABEL}
KEPT_OF = {"n": NUMBER, "s": SIZE, "c": NAMED, "r": NAMED, "w": ITEM, "l": TAG_LABEL}
"""What is taken and kept for an atom, by its attribute; of several, the first one here is kept."""
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
    groups: list[tuple[int, ...]] = []
    lines = Lines([], [], [])
    for section, columns, when in parts:
        for number, group in enumerate(keys.templates.groups):
            if group.section == section:
                groups.append((number, *_compile(keys, group, columns, lines), when))
    packing, templates, atoms = (np.array(some, np.int64).reshape(-1, 3) for some in lines)
    sets = int(np.count_nonzero(atoms[:, 1] == TAGS))
    return EdgeProgram(np.array(groups, np.int64), packing, templates, atoms, sets)


class Lines(NamedTuple):
    """Parts of a program that is being made."""

    packing: list[tuple[int, int, int]]
    templates: list[tuple[int, int, int]]
    atoms: list[tuple[int, int, int]]


def _compile(
    keys: EdgeKeys, group: Group, columns: dict[str, int], lines: Lines
) -> tuple[int, int, int, int]:
    packing, templates, atoms = lines
    first, first_template = len(packing), len(templates)
    used: dict[str, set[str]] = {slot: set() for slot in group.slots}
    for index in group.templates:
        begin = len(atoms)
        template = keys.templates.templates[index]
        for atom, shift in zip(template.atoms, keys.shifts[index], strict=True):
            taken = TAGS if atom.slot == "b" else TAKEN_OF.get(atom.attribute, COUNT)
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
    for attribute, kept in KEPT_OF.items():
        if attribute in attributes:
            return kept
    return TAG


# --- what the top action of an edge adds to its score ---------------------------------------


class Names(NamedTuple):
    """What the numbers of a sentence stand for among all features.

    ``items[i]`` is (word, tag, own tag) of item i - 1, all 0 for i = 0; 1 is what training never
    saw. With dependencies there follow the label and the sentence's own number of tag and label
    together. ``tags[t]`` is the tag of the sentence's own tag t.
    """

    items: np.ndarray
    tags: np.ndarray


class Model(NamedTuple):
    """All weights: ``places[p]`` is (key or -1, number), ``values[number, 0]`` a weight."""

    places: np.ndarray
    values: np.ndarray


UNKNOWN = 1


class Run(NamedTuple):
    """One search as its kernels take it. ``row`` has what stands in the slots of an edge;
    ``grammar`` are the rules of CCG; ``numbers`` is the bag, as the grammar has it."""

    row: np.ndarray
    grammar: tuple[object, ...] | None
    numbers: object
    names: Names
    program: EdgeProgram
    edges: Edges
    tables: Tables
    model: Model
    state: np.ndarray


@kernel(borrows=True)
def local_score(edge, sees, run):
    """The sum over the groups that this edge has; in learning they are noted with the edge.
    ``sees`` has a bit for each of the conditions under which a group is for an edge."""
    row, tables, state = run.row, run.tables, run.state
    groups, packing, items = run.program.groups, run.program.packing, run.names.items
    places, values, stale, used = tables.places, tables.value, tables.stale, run.edges.used
    learning = state[LEARNING] != 0
    local = 0.0
    for g in range(groups.shape[0]):
        if not (sees >> groups[g, SEEN_BY]) & 1:
            if learning:
                used[edge, g] = -1
            continue
        key = groups[g, GROUP_NUMBER]
        for k in range(groups[g, PACKED], groups[g, PACKED_END]):
            value = row[packing[k, SLOT]]
            if packing[k, TAKES] == TAG:
                value = items[value, OWN_TAG]
            elif packing[k, TAKES] == TAG_LABEL:
                value = items[value, OWN_TAG_LABEL]
            key |= value << packing[k, SHIFT]
        at = find(places, key)
        if places[at, KEY] < 0:
            entry = add_entry(g, row, run.names, run.program, tables, run.model, state)
            tables.at[entry] = at
            places[at, KEY] = key
            places[at, NUMBERED] = entry
        else:
            entry = places[at, NUMBERED]
            if learning and stale[entry]:
                renew(entry, tables)
        local += values[entry]
        if learning:
            used[edge, g] = entry
    return local


@kernel(borrows=True)
def add_entry(g, row, names, program, tables, model, state):
    """A new entry: the features of a group, template by template, with the sum of their weights."""
    templates, atoms, items = program.templates, program.atoms, names.items
    entry = state[ENTRIES]
    state[ENTRIES] = entry + 1
    tables.lines[entry, BEGIN] = state[TAKEN]
    total = 0.0
    for t in range(program.groups[g, TEMPLATES], program.groups[g, TEMPLATES_END]):
        key = templates[t, FULL_INDEX]
        silent, tag_set, tag_shift = False, 0, 0
        for a in range(templates[t, ATOMS], templates[t, ATOMS_END]):
            value = row[atoms[a, SLOT]]
            if value == 0:
                silent = True
                break
            if atoms[a, TAKES] == TAGS:
                tag_set, tag_shift = value, atoms[a, SHIFT]
                continue
            if atoms[a, TAKES] != COUNT:
                value = items[value, ITEM_LABEL if atoms[a, TAKES] == LABEL else atoms[a, TAKES]]
                if value == UNKNOWN:
                    silent = True
                    break
            key |= value << atoms[a, SHIFT]
        if silent:
            continue
        if tag_set == 0:
            total += weight_of(key, entry, tables, model, state)
            continue
        for tag in range(1, names.tags.shape[0]):
            bits = tables.sets[tag_set - 1, (tag - 1) >> 6]
            inside = (bits >> np.uint64((tag - 1) & 63)) & np.uint64(1)
            if inside and names.tags[tag] != UNKNOWN:
                full = key | (names.tags[tag] << tag_shift)
                total += weight_of(full, entry, tables, model, state)
    tables.lines[entry, END] = state[TAKEN]
    tables.value[entry] = total
    return entry


@kernel(borrows=True)
def weight_of(key, entry, tables, model, state):
    """The weight of a feature; in learning the sentence takes note of it."""
    places = model.places
    if state[LEARNING] == 0:
        at = find(places, key)
        return model.values[places[at, NUMBERED], WEIGHT] if places[at, KEY] >= 0 else 0.0
    own = tables.feature_places
    here = find(own, key)
    if own[here, KEY] < 0:
        feature = state[FEATURES]
        state[FEATURES] = feature + 1
        own[here, KEY] = key
        own[here, NUMBERED] = feature
        at = find(places, key)
        number = places[at, NUMBERED] if places[at, KEY] >= 0 else -1
        tables.features[feature, KEY] = key
        tables.features[feature, NUMBERED] = number
        tables.features[feature, MENTION] = -1
        tables.features[feature, PLACE_OF] = here
        tables.weights[feature, WEIGHT] = model.values[number, WEIGHT] if number >= 0 else 0.0
    feature = own[here, NUMBERED]
    mention = state[TAKEN]
    state[TAKEN] = mention + 1
    tables.taken[mention, FEATURE] = feature
    tables.taken[mention, ENTRY] = entry
    tables.taken[mention, NEXT] = tables.features[feature, MENTION]
    tables.features[feature, MENTION] = mention
    return tables.weights[feature, WEIGHT]


@kernel(borrows=True)
def renew(entry, tables):
    """Add up the present weights of an entry's features once more."""
    taken, weights = tables.taken, tables.weights
    total = 0.0
    for mention in range(tables.lines[entry, BEGIN], tables.lines[entry, END]):
        total += weights[taken[mention, FEATURE], WEIGHT]
    tables.value[entry] = total
    tables.stale[entry] = False


@kernel(borrows=True)
def local_again(edge, edges, tables):
    """The same sum for an edge that was scored before, under the present weights."""
    used, values, stale = edges.used, tables.value, tables.stale
    local = 0.0
    for g in range(used.shape[1]):
        entry = used[edge, g]
        if entry >= 0:
            if stale[entry]:
                renew(entry, tables)
            local += values[entry]
    return local
