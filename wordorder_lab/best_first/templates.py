"""Templates of edges as data: files of printed tables, whatever the grammar.

A file has the sections of its table as headings on lines of their own, with templates between
semicolons, and last a part ``Groups`` with the same headings: sets of slots whose templates are
added up together. What follows a number sign and a space is a remark.

    for each line:  a heading          -> the section of what follows
                    before "Groups"    -> templates; every atom is one that the section knows
                    under "Groups"     -> groups of slots
    then each template goes to the first group of its section that names all its slots

A grammar has a ``Notation``: its sections, and what their templates and groups may name. A printed
template may have more than one reading: "word trigrams resulting from combination" are the two that
cross the boundary. Readings are kept one by one; what they find are features of the first of them.

Differences
- *Paper silent*: sections are evaluated in the order of the notation, whatever the order of a file.
- *Paper silent*: groups are ours. They fix the order of additions for both engines.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import resources
from pathlib import Path

from wordorder_lab.structures.messages import cited
from wordorder_lab.structures.templates import Template, template_names, template_text

TABLES = resources.files("wordorder_lab.best_first") / "tables"

MAX_ATOMS, MAX_SLOTS = 6, 5
"""The most atoms of a template and the most slots of a group."""

GROUPS = "Groups"
_HEADING = re.compile(r"[A-Z][a-z]+(?: [a-z]+)*")
_REMARK = re.compile(r"#(\s.*)?$")


@dataclass(frozen=True)
class Notation:
    """How a grammar's templates are written.

    ``headings`` gives a printed heading's section, ``slots`` what the groups of a section may name,
    ``read`` the readings of one printed template; it raises ``ValueError`` for what is none.
    ``folder`` is where its files lie.
    """

    sections: tuple[str, ...]
    headings: Mapping[str, str]
    slots: Mapping[str, tuple[str, ...]]
    read: Callable[[str, str], list[Template]]
    folder: str


@dataclass(frozen=True, slots=True)
class EdgeGroup:
    """Templates (indices into the set) of one section whose values depend on the same slots."""

    section: str
    slots: tuple[str, ...]
    templates: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class EdgeTemplates:
    """The templates of one file, in printed order, and their groups, in order of addition.

    ``first[i]`` is the first reading of the template that ``i`` is a reading of: ``i`` itself,
    where there is but one.
    """

    name: str
    text: str
    templates: tuple[Template, ...]
    groups: tuple[EdgeGroup, ...]
    first: tuple[int, ...]

    def __len__(self) -> int:
        return len(self.templates)


def parse_templates(notation: Notation, text: str, name: str = "") -> EdgeTemplates:
    """Read a template file; raises ``ValueError`` with the line that cannot be read."""
    templates: list[Template] = []
    first: list[int] = []
    groups: list[tuple[str, tuple[str, ...]]] = []
    section, in_groups = "", False
    for number, line in enumerate(text.splitlines(), 1):
        line = _REMARK.sub("", line).strip()
        try:
            if line in notation.headings or _HEADING.fullmatch(line):
                section, in_groups = _heading(notation, line), in_groups or line == GROUPS
                continue
            for part in filter(None, (piece.strip() for piece in line.split(";"))):
                if not section:
                    raise ValueError(f"{cited(part)} has no section above it")
                if in_groups:
                    groups.append((section, _slots(notation, part, section)))
                else:
                    _add(notation.read(part, section), templates, first)
        except ValueError as error:
            raise ValueError(f"{name or 'templates'}, line {number}: {error}") from None
    filled = _fill_groups(notation, name, templates, groups)
    return EdgeTemplates(name, text, tuple(templates), filled, tuple(first))


def _heading(notation: Notation, line: str) -> str:
    if line == GROUPS:
        return ""
    if line not in notation.headings:
        raise ValueError(
            f"no section {cited(line)}; there are {', '.join(notation.headings)} and Groups"
        )
    return notation.headings[line]


def _add(readings: list[Template], templates: list[Template], first: list[int]) -> None:
    begin = len(templates)
    for new in readings:
        if any(t.section == new.section and t.atoms == new.atoms for t in templates):
            raise ValueError(f"{new.name} is there twice")
        templates.append(new)
        first.append(begin)


def _slots(notation: Notation, text: str, section: str) -> tuple[str, ...]:
    slots = tuple(text.split())
    for slot in slots:
        if slot not in notation.slots[section]:
            raise ValueError(f"group {cited(text)}: {section.lower()} know no slot {cited(slot)}")
    if len(slots) > MAX_SLOTS:
        raise ValueError(f"group {cited(text)} has {len(slots)} slots; {MAX_SLOTS} are the most")
    return slots


def _fill_groups(
    notation: Notation,
    name: str,
    templates: list[Template],
    groups: list[tuple[str, tuple[str, ...]]],
) -> tuple[EdgeGroup, ...]:
    groups = sorted(groups, key=lambda group: notation.sections.index(group[0]))
    members: list[list[int]] = [[] for _ in groups]
    for index, template in enumerate(templates):
        for inside, (section, slots) in zip(members, groups, strict=True):
            if section == template.section and template.slots <= set(slots):
                inside.append(index)
                break
        else:
            raise ValueError(f"{name or 'templates'}: no group names all of {template.name}")
    return tuple(
        EdgeGroup(*group, tuple(inside)) for group, inside in zip(groups, members) if inside
    )


def template_files(notation: Notation) -> list[str]:
    """The names of a notation's template files that come with the package."""
    return template_names(TABLES / notation.folder)


def load_templates(notation: Notation, name: str) -> EdgeTemplates:
    """Load one of the package's files by its name without ``.txt``, or one's own by its path.

    Raises ``ValueError`` with the names there are if it is none of them.
    """
    found = parse_templates(
        notation, template_text(TABLES / notation.folder, name), Path(name).stem
    )
    if not found.templates:
        raise ValueError(f"the templates {name} are none: a line has one at least")
    return found
