"""What feature templates are made of, whatever they look at, and where their files lie.

Every slice has its own notation; a template of any of them is a list of ``Atom``s, and a feature
is a tuple: the index of its template, then its values.
"""

from __future__ import annotations

from dataclasses import dataclass

Value = str | int
Feature = tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class Atom:
    """One value of a feature: ``slot`` is a position or a count, ``attribute`` w, p or n."""

    slot: str
    attribute: str


@dataclass(frozen=True, slots=True)
class Template:
    """One feature template: its name as printed, its heading, its atoms in order, its level."""

    name: str
    section: str
    atoms: tuple[Atom, ...]
    level: int = 0

    @property
    def slots(self) -> frozenset[str]:
        """The positions and counts that it looks at."""
        return frozenset(atom.slot for atom in self.atoms)


UNKNOWN, FIRST = 1, 2
"""Number 0 is for an empty slot, 1 for what training never saw; names and counts start at 2."""
