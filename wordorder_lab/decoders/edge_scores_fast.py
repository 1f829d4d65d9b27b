"""What the top action of an edge adds to its score: kernels for both engines' shared order.

A group's features are added up once for each content of its slots, in the order of its templates;
an edge adds up its groups in their order. In learning it is known which entries hold a feature, so
an update makes those stale that it touches, and they are added up again when they are next needed.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from wordorder_lab.decoders.edge_arrays_fast import (
    ENTRIES,
    FEATURES,
    LEARNING,
    TAKEN,
    Edges,
    Tables,
)
from wordorder_lab.features.edge_program_fast import COUNT, TAG, TAGS, WORD
from wordorder_lab.models.edge_table_fast import SPREAD, find
from wordorder_lab.structures.kernel_fast import kernel


class Names(NamedTuple):
    """What the numbers of a sentence stand for among all features.

    ``items[i]`` is (word, tag, the sentence's own tag) of item i - 1, all 0 for i = 0; a word or
    tag that training never saw is 1. ``tags[t]`` is the tag of the sentence's own tag t.
    """

    items: np.ndarray
    tags: np.ndarray


class Model(NamedTuple):
    """All weights: ``places[p]`` is (key or -1, number), ``values[number, 0]`` a weight."""

    places: np.ndarray
    values: np.ndarray


UNKNOWN = 1


@kernel
def local_score(edge, row, sees, program, names, edges, tables, model, state):
    """The sum over the groups that this edge has; in learning they are noted with the edge.

    ``sees`` has a bit for each of the conditions under which a group is for an edge.
    """
    groups, packing, items = program.groups, program.packing, names.items
    places, values, stale, used = tables.places, tables.value, tables.stale, edges.used
    learning = state[LEARNING] != 0
    mask = np.uint64(places.shape[0] - 1)
    local = 0.0
    for g in range(groups.shape[0]):
        if not (sees >> groups[g, 5]) & 1:
            if learning:
                used[edge, g] = -1
            continue
        key = groups[g, 0]
        for k in range(groups[g, 1], groups[g, 2]):
            value = row[packing[k, 0]]
            if packing[k, 1] == TAG:
                value = items[value, 2]
            key |= value << packing[k, 2]
        at = ((np.uint64(key) * SPREAD) >> np.uint64(32)) & mask
        while places[at, 0] != key and places[at, 0] >= 0:
            at = (at + np.uint64(1)) & mask
        if places[at, 0] < 0:
            entry = add_entry(g, row, program, names, tables, model, state)
            tables.at[entry] = at
            places[at, 0] = key
            places[at, 1] = entry
        else:
            entry = places[at, 1]
            if learning and stale[entry]:
                renew(entry, tables)
        local += values[entry]
        if learning:
            used[edge, g] = entry
    return local


@kernel
def add_entry(g, row, program, names, tables, model, state):
    """A new entry: the features of a group, template by template, with the sum of their weights."""
    templates, atoms, items = program.templates, program.atoms, names.items
    entry = state[ENTRIES]
    state[ENTRIES] = entry + 1
    tables.lines[entry, 0] = state[TAKEN]
    total = 0.0
    for t in range(program.groups[g, 3], program.groups[g, 4]):
        key = templates[t, 0]
        silent, tag_set, tag_shift = False, 0, 0
        for a in range(templates[t, 1], templates[t, 2]):
            value = row[atoms[a, 0]]
            if value == 0:
                silent = True
                break
            if atoms[a, 1] == TAGS:
                tag_set, tag_shift = value, atoms[a, 2]
                continue
            if atoms[a, 1] != COUNT:
                value = items[value, 0 if atoms[a, 1] == WORD else 1]
                if value == UNKNOWN:
                    silent = True
                    break
            key |= value << atoms[a, 2]
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
    tables.lines[entry, 1] = state[TAKEN]
    tables.value[entry] = total
    return entry


@kernel
def weight_of(key, entry, tables, model, state):
    """The weight of a feature; in learning the sentence takes note of it."""
    places = model.places
    if state[LEARNING] == 0:
        at = find(places, key)
        return model.values[places[at, 1], 0] if places[at, 0] >= 0 else 0.0
    own = tables.feature_places
    here = find(own, key)
    if own[here, 0] < 0:
        feature = state[FEATURES]
        state[FEATURES] = feature + 1
        own[here, 0] = key
        own[here, 1] = feature
        at = find(places, key)
        number = places[at, 1] if places[at, 0] >= 0 else -1
        tables.features[feature, 0] = key
        tables.features[feature, 1] = number
        tables.features[feature, 2] = -1
        tables.features[feature, 3] = here
        tables.weights[feature, 0] = model.values[number, 0] if number >= 0 else 0.0
    feature = own[here, 1]
    mention = state[TAKEN]
    state[TAKEN] = mention + 1
    tables.taken[mention, 0] = feature
    tables.taken[mention, 1] = entry
    tables.taken[mention, 2] = tables.features[feature, 2]
    tables.features[feature, 2] = mention
    return tables.weights[feature, 0]


@kernel
def renew(entry, tables):
    """Add up the present weights of an entry's features once more."""
    taken, weights = tables.taken, tables.weights
    total = 0.0
    for mention in range(tables.lines[entry, 0], tables.lines[entry, 1]):
        total += weights[taken[mention, 0], 0]
    tables.value[entry] = total
    tables.stale[entry] = False


@kernel
def local_again(edge: int, edges: Edges, tables: Tables) -> float:
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
