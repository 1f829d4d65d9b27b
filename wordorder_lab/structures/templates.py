"""What feature templates are made of, whatever they look at, and where their files lie.

Every slice has its own notation; a template of any of them is a list of ``Atom``s, and a feature
is a tuple: the index of its template, then its values.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import ClassVar, Protocol

import numpy as np

from wordorder_lab.structures.messages import brief, cited, unknown_name

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


@dataclass(frozen=True, slots=True)
class Group:
    """Templates (indices into the set) of a section whose values depend on the same few slots."""

    section: str
    slots: tuple[str, ...]
    templates: tuple[int, ...]


def filled_groups(
    name: str, templates: Sequence[Template], groups: Sequence[Group], apart: str = ""
) -> tuple[Group, ...]:
    """Each template in the first group of its section, or without one, that names all its slots;
    those of the section ``apart`` in none; no empty groups. Raises ``ValueError`` with the ``name``
    of the file for a template without a group."""
    members: list[list[int]] = [[] for _ in groups]
    for index, template in enumerate(templates):
        fitting = (
            inside
            for inside, group in zip(members, groups, strict=True)
            if group.section in ("", template.section) and template.slots <= set(group.slots)
        )
        if template.section != apart:
            inside = next(fitting, None)
            if inside is None:
                raise ValueError(f"{name or 'templates'}: no group names all of {template.name}")
            inside.append(index)
    pairs = zip(groups, members, strict=True)
    return tuple(replace(group, templates=tuple(inside)) for group, inside in pairs if inside)


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
    Raises ``ValueError`` with the names there are."""
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


# --- features as whole numbers --------------------------------------------------------------------


class numbered(cached_property[dict[str, int]]):
    """A property: the numbers, from ``FIRST`` up, of the texts in another field."""

    def __init__(self, field: str) -> None:
        super().__init__(lambda own: {text: i for i, text in enumerate(getattr(own, field), FIRST)})


class TemplateList(Protocol):
    """A template set of any notation."""

    @property
    def templates(self) -> tuple[Template, ...]:
        """Its templates; a feature's first value is a place among them."""


class FeatureNumbering:
    """Features as keys, whole numbers below 2 ** 63; nothing is hashed away. A key is its
    template's number, below ``base``, and each value's number times a factor of its own. By the
    attribute of an atom, ``fields`` names the field with its sorted texts; of numbers, ``zero`` is
    added and ``ranges`` has the first and what is above the last."""

    templates: TemplateList
    fields: ClassVar[Mapping[str, str]]
    zero: ClassVar[Mapping[str, int]]
    ranges: ClassVar[Mapping[str, tuple[int, int]]]

    @property
    def base(self) -> int:
        """The lowest factor: templates are numbered below it."""
        raise NotImplementedError

    @property
    def places(self) -> tuple[tuple[tuple[int, int], ...], ...]:
        """Template by template (factor, radix) of each atom."""
        raise NotImplementedError

    @cached_property
    def texts(self) -> Mapping[str, Sequence[str]]:
        """What is numbered, by the attribute of an atom."""
        return {kind: getattr(self, field) for kind, field in self.fields.items()}

    def feature(self, key: int) -> Feature:
        """The named feature of a key."""
        index = int(key) % self.base
        values: list[Value] = []
        atoms = self.templates.templates[index].atoms
        for atom, (factor, radix) in zip(atoms, self.places[index], strict=True):
            number, kind = int(key) // factor % radix, atom.attribute
            is_text = kind in self.texts
            values.append(self.texts[kind][number - FIRST] if is_text else number - self.zero[kind])
        return (index, *values)

    def of_templates(self, keys: np.ndarray, names: Iterable[str]) -> np.ndarray:
        """Which keys are of templates with these names or under these headings. Raises
        ``ValueError`` for a name that is neither."""
        every, names = self.templates.templates, [*names]
        known = {one: one for each in every for one in (each.section, each.name)}
        for name in names:
            if name not in known:
                raise ValueError(unknown_name("template or heading", name, known))
        off = [i for i, one in enumerate(every) if {one.name, one.section}.intersection(names)]
        return np.isin(keys % self.base, off)

    def above(self, index: int) -> int:
        """No key of this template is as large."""
        return max(factor * radix for factor, radix in self.places[index])

    def check(self, keys: np.ndarray) -> None:
        """Raise ``ValueError`` for keys, none below 0, of which one stands for no feature."""
        wrong, index = np.ones(len(keys), bool), keys % self.base
        for number, template in enumerate(self.templates.templates):
            mine = index == number
            values = keys[mine]
            outside = values > self.above(number) - 1
            for atom, (factor, radix) in zip(template.atoms, self.places[number], strict=True):
                value = values // factor % radix
                least, above = self.ranges.get(atom.attribute, (FIRST, 0))
                if atom.attribute in self.texts:
                    above = FIRST + len(self.texts[atom.attribute])
                outside |= (value < least) | (value >= above)
            wrong[mine] = outside
        if wrong.any():
            raise ValueError(f"the key {keys[wrong][0]} is that of no feature")
