"""What feature templates are made of, whatever they look at, and where their files lie.

Every slice has its own notation; a template of any of them is a list of ``Atom``s, and a feature
is a tuple: the index of its template, then its values.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib.resources.abc import Traversable

Value = str | int
Feature = tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class Atom:
    """One value of a feature: ``slot`` is a position or a count, ``attribute`` w, p, l or n."""

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


def template_names(folder: Traversable) -> list[str]:
    """The names of the template files in a folder, without ``.txt``, sorted."""
    names = (entry.name for entry in folder.iterdir())
    return sorted(name.removesuffix(".txt") for name in names if name.endswith(".txt"))


def template_text(folder: Traversable, name: str) -> str:
    """What a template file says, named without ``.txt``.

    Raises ``ValueError`` with the names there are if it is none of them.
    """
    there = template_names(folder)
    if name not in there:
        raise ValueError(f"no template file {name!r}; there are {', '.join(there)}")
    return (folder / f"{name}.txt").read_text(encoding="utf-8")
