"""Logs of parsing a sentence and of compressing one by deletion, and logs that make no sense.

The searches here are small ones of the tests' own: a grammar with random scores, bigrams with
random scores. They tell what a parser and a lattice tell.
"""

from __future__ import annotations

import random
from itertools import combinations
from typing import Any

import wordorder_lab as wl
from wordorder_lab.trace.events import SCHEMA
from wordorder_lab.trace.reducers import State, deletion, parsing

TEXT = "The old man who lives near the pier sold his green boats , of course , on Monday ."
WORDS = TEXT.split()
TAGS = ["DT", "JJ", "NN", "VBD", "IN"]
RULES = [
    *[("S", "NP", "VP"), ("NP", "DT", "NN"), ("NP", "@NP->JJ", "NN"), ("@NP->JJ", "DT", "JJ")],
    *[("NP", "NP", "PP"), ("PP", "IN", "NP"), ("VP", "VBD", "NP"), ("VP", "VP", "PP")],
    *[("NP", "NP", "NN"), ("S", "S", "NN"), ("VP", "IN", "VP"), ("NP", "JJ", "NP")],
]


def parsing_log(
    words: list[str] = WORDS[:9], beam: int = 4, seed: int = 3, fails: bool = False
) -> wl.EventLog:
    """CKY over these words with a grammar of a few rules; each cell keeps ``beam`` labels."""
    chance = random.Random(seed)
    log = wl.EventLog()
    log.begin(words, [1] * len(words), len(words), beam)
    cells: dict[tuple[int, int], dict[str, tuple[float, int]]] = {}
    made = 0
    for size in range(1, len(words) + 1):
        for first in range(len(words) - size + 1):
            found = _cell(chance, cells, first, first + size)
            serials = {label: made + i for i, label in enumerate(sorted(found), 1)}
            unary = "NN" in found and "NP" not in found
            for label, serial in serials.items():
                score, left, right = found[label]
                log.constituent(serial, first, first + size, label, score, left, right)
            made += len(serials)
            if unary:
                made += 1
                found["NP"] = (found["NN"][0] - 1.5, serials["NN"], 0)
                serials["NP"] = made
                log.constituent(made, first, first + size, "NP", *found["NP"])
            ranked = sorted(found, key=lambda label: (-found[label][0], serials[label]))
            for label in ranked[beam:]:
                log.out_of_beam(serials[label])
            kept = {label: (found[label][0], serials[label]) for label in ranked[:beam]}
            cells[first, first + size] = kept
    best = max(cells[0, len(words)].values(), default=(0.0, 0))
    flat = " ".join(f"(X {word})" for word in words)
    log.parsed(0 if fails else best[1], best[0], f"(S {flat})", int(fails))
    return log


def _cell(
    chance: random.Random,
    cells: dict[tuple[int, int], dict[str, tuple[float, int]]],
    first: int,
    end: int,
) -> dict[str, tuple[float, int, int]]:
    found: dict[str, tuple[float, int, int]] = {}
    if end - first == 1:
        return {tag: (chance.uniform(-8, -1), 0, 0) for tag in chance.sample(TAGS, 3)}
    for split in range(first + 1, end):
        for label, left, right in RULES:
            parts = [cells[first, split].get(left), cells[split, end].get(right)]
            if all(parts):
                (one, a), (two, b) = parts  # type: ignore[misc]
                score = one + two + chance.uniform(-3, -0.5)
                if label not in found or score > found[label][0]:
                    found[label] = (score, a, b)
    if not found and chance.random() < 0.5:
        found["S"] = (-20.0 * (end - first), *_any(cells, first, end))
    return found


def _any(cells: Any, first: int, end: int) -> tuple[int, int]:
    for split in range(first + 1, end):
        if cells[first, split] and cells[split, end]:
            return (
                next(iter(cells[first, split].values()))[1],
                next(iter(cells[split, end].values()))[1],
            )
    return (0, 0)


def deletion_log(
    words: list[str] = WORDS, k: int = 3, seed: int = 5, length: int | None = None
) -> wl.EventLog:
    """A lattice with random scores, its k best paths, and a programme with one row that bites."""
    chance = random.Random(seed)
    log = wl.EventLog()
    log.begin(words, [1] * len(words), len(words), k)
    log.source(["S"], [-1], [""])  # what a system for trees tells, too
    end = len(words) + 1
    scores = {pair: chance.uniform(-2, 1) - 0.3 * (pair[1] - pair[0] - 1) for pair in pairs(end)}
    if length is None:
        _scan(log, scores, {0: 0.0}, range(1, end + 1))
    else:
        totals = {0: 0.0}
        for layer in range(1, length + 1):
            before = totals if layer > 1 else {0: 0.0}
            totals = _scan(log, scores, before, range(layer, end), fresh=True)
        _scan(log, scores, totals, [end], fresh=True)
    ranked = best_subsets(scores, end, length)[:k]
    for rank, (score, kept) in enumerate(ranked):
        log.path(rank, score, list(kept), [words[i] for i in kept])
    more = sorted({*ranked[0][1], 1, 2})
    log.demand("modifiers", "If “old” stays, “man” stays.", [1, 2], 0)
    log.demand("verb", "At least one verb stays.", [4, 8], 1)
    log.programme(["modifiers", "verb"], more, ranked[0][0] - 0.7, 3)
    return log


def pairs(end: int) -> list[tuple[int, int]]:
    """Of a start, words and an end: who may stand straight before whom."""
    return [*combinations(range(end + 1), 2)]


def _scan(
    log: wl.EventLog,
    scores: dict[tuple[int, int], float],
    before: dict[int, float],
    rights: Any,
    fresh: bool = False,
) -> dict[int, float]:
    totals = dict(before)
    found: dict[int, float] = {}
    for right in rights:
        for left in range(right):
            if left not in (before if fresh else totals):
                continue
            total = (before if fresh else totals)[left] + scores[left, right]
            back = right not in found or total > found[right]
            log.bigram(left, right, scores[left, right], total, int(back))
            if back:
                found[right] = total
        if right in found:
            totals[right] = found[right]
    return found


def best_subsets(
    scores: dict[tuple[int, int], float], end: int, length: int | None
) -> list[tuple[float, tuple[int, ...]]]:
    """The best choices of words by a beam that is wide enough to be right for short sentences."""
    ways: dict[int, list[tuple[float, tuple[int, ...]]]] = {0: [(0.0, ())]}
    for right in range(1, end + 1):
        found = []
        for left in range(right):
            for total, kept in ways[left]:
                more = kept if right == end else (*kept, right - 1)
                if length is None or len(more) <= length:
                    found.append((total + scores[left, right], more))
        ways[right] = sorted(found, key=lambda one: (-one[0], one[1]))[:200]
    return [one for one in ways[end] if length is None or len(one[1]) == length]


def wild_sentence(seed: int, events: int) -> wl.EventLog:
    """Events of both kinds in any order, with serials and places that nobody made."""
    chance = random.Random(seed)
    log = wl.EventLog()
    kinds = ["begin", *sorted(parsing.KINDS if seed % 2 else deletion.KINDS)]
    for kind in chance.choices(kinds, weights=[1, *[20] * (len(kinds) - 1)], k=events):
        values: dict[str, Any] = {
            "units": chance.sample(WORDS, 6),
            "counts": [1] * 6,
            "serial": chance.randint(0, 60),
            "start": (first := chance.randint(0, 5)),
            "end": first + chance.randint(0, 3),
            "label": chance.choice(["NP", "@VP", "<b>", "S"]),
            "brackets": chance.choice(["(S (X a))", "(S", ")", "(((", "<b>"]),
            "kept": chance.sample(range(9), 3),
            "words": chance.sample(range(9), 2) if kind == "demand" else chance.sample(WORDS, 3),
            "names": ["verb", "<i>"],
            "name": "verb",
            "says": chance.choice(["a verb stays", "<b>no</b>."]),
            **{name: chance.randint(0, 1) for name in ("back", "broken", "fallback")},
        }
        row = [
            values.get(name, chance.randint(0, 9) if type is int else chance.uniform(-5, 5))
            for name, type in SCHEMA[kind].columns.items()
        ]
        log.record(kind, *row)
    return log


def way_to(state: State, layer: int, place: int) -> list[int]:
    """The best path so far that ends at this place in this scan, from the start; empty for none. A
    word's way comes from the scan before, of one word less, if there are several; not the end's."""
    found = [place]
    while found[-1] > 0:
        back = state["backs"].get(f"{layer} {found[-1]}")
        left = -1 if back is None else state["bigrams"][back][0]
        if not 0 <= left < found[-1]:
            return []
        layer -= layer > 1 and found[-1] <= len(state["units"])
        found.append(left)
    return found[::-1] if not found[-1] else []
