"""Feature templates over one head's decision which of its pieces comes next (``pieces``).

A piece of a head is the head itself or one dependent with all below it. Such as ``HpClXls``: the
head's tag, the labels of the piece and of the last one placed, and the side. Slots:

    H  the head              G  the head's head
    C  the piece that comes  K  each given dependent of it
    X  the piece before      Y  the one before that
    R  each other piece that is left

each with ``w`` (word), ``p`` (tag) or ``l`` (label), and counts:

    s  before the head, the head itself, after it      n  how many other pieces are left
    m  how many stand on this side so far              z, x, r  how large C, X and R are
    g  whether the head's head is still to come, has come, or is not given

A template with K or R is filled once for each of them. Features have one weight, that of SHIFT.
"""

from __future__ import annotations

import re

from wordorder_lab.structures.messages import cited
from wordorder_lab.structures.problem import OrderingProblem
from wordorder_lab.structures.templates import Atom

SECTION = "Pieces"
"""The heading over these templates."""

SLOTS = ("H", "G", "C", "X", "Y", "R", "K")

COUNTS = ("s", "n", "m", "z", "x", "r", "g")

MAX_ATOMS = 7
"""The most values of a feature; the key must fit into 63 bits besides."""

EACH = {"R": 1, "K": 2}
"""Slots that hold one thing after the other; a template has one of them at most."""

MOST_COUNTED = 4
"""More pieces than these count as this many."""

_ATOM = re.compile(r"(?P<slot>[HGCXYRK])(?P<attribute>[wpl])|(?P<count>[snmzxrg])")


def parse_piece_template(text: str) -> tuple[Atom, ...]:
    """Read one template; raises ``ValueError`` if it is none."""
    atoms, at = [], 0
    while at < len(text):
        match = _ATOM.match(text, at)
        if match is None:
            raise ValueError(f"template {cited(text)}: cannot read {cited(text[at:])}")
        count = match["count"]
        atoms.append(Atom(count, "n") if count else Atom(match["slot"], match["attribute"]))
        at = match.end()
    if not 1 <= len(atoms) <= MAX_ATOMS:
        raise ValueError(
            f"template {cited(text)} has {len(atoms)} parts; 1 to {MAX_ATOMS} are possible"
        )
    if each_of(atoms) == EACH["R"] + EACH["K"]:
        raise ValueError(f"template {cited(text)} has both R and K; one of them is possible")
    return tuple(atoms)


def each_of(atoms: tuple[Atom, ...] | list[Atom]) -> int:
    """1 for a template with R (its size ``r`` too), 2 for one with K, 0 for all others."""
    slots = {"R" if atom.slot == "r" else atom.slot for atom in atoms}
    found = 0
    for slot, number in EACH.items():
        found += number if slot in slots else 0
    return found


def size_bin(kind: int, problem: OrderingProblem) -> int:
    """How many types are below this one: 0 to 3 as they are, up to 6 as 4, up to 10 as 5, 6."""
    below = len(problem.given.family(kind)) - 1
    return below if below <= 3 else 4 if below <= 6 else 5 if below <= 10 else 6
