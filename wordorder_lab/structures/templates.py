"""What feature templates are made of, whatever they look at, and where their files lie.

Every slice has its own notation; a template of any of them is a list of ``Atom``s, and a feature
is a tuple: the index of its template, then its values.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib.resources.abc import Traversable
from pathlib import Path

from wordorder_lab.structures.messages import brief, cited

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


def is_own_file(name: str) -> bool:
    """Whether templates are named by the path of a file of one's own: it ends in ``.txt``."""
    return name.endswith(".txt")


def template_text(folder: Traversable, name: str) -> str:
    """What a template file says: one of ours named without ``.txt``, or one's own by its path.

    Raises ``ValueError`` with the names there are for a name or file that is none.
    """
    there = template_names(folder)
    if is_own_file(name):
        try:
            return Path(name).read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError, ValueError) as error:
            raise ValueError(
                f"the template file {cited(name)} cannot be read ({brief(error)}); ours are named "
                f"without .txt: {', '.join(there)}"
            ) from None
    if name not in there:
        raise ValueError(f"no template file {cited(name)}; there are {', '.join(there)}")
    return (folder / f"{name}.txt").read_text(encoding="utf-8")
