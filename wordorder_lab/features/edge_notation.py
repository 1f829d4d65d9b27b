"""Text <-> EdgeTemplates: the templates of best-first dependency edges, as Table 2 prints them.

Zhang & Clark 2015, "Discriminative Syntax-Based Word Ordering for Text Generation", Table 2. A
template is a row of atoms with dots between, ``WORD(h)·POS(h)·NORM(size)``. A file has the four
sections of the table as headings on lines of their own, with templates between semicolons, and last
a part ``Groups`` with the same headings: sets of slots whose templates are added up together.

    for each line:  a heading          -> the section of what follows
                    before "Groups"    -> templates; every atom is one that the section knows
                    under "Groups"     -> groups of slots
    then each template goes to the first group of its section that names all its slots

Differences. In the paper's ``dir(h > m)`` the part in brackets is a condition; here it is a remark,
for only then do words stand in the slots h-1 and m+1. Sections are evaluated in the order of the
table, whatever the order of a file. Groups are ours: they fix the order of additions for both
engines.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable

from wordorder_lab.features.notation import Atom, Template

DEPENDENCY, COMPLETED, SURFACE, SENTENCE = SECTIONS = (
    *("Dependency syntax", "Completed words", "Surface string patterns", "Complete sentences"),
)
"""The sections, in order of evaluation."""

WORDS = {
    DEPENDENCY: ("h", "m", "s", "s2", "m_l", "m_r", "h-1", "h+1", "m-1", "m+1", "b"),
    COMPLETED: ("h", "h_l", "h_r"),
    SURFACE: ("B-2", "B-1", "B", "B+1"),
    SENTENCE: ("0", "1", "2", "size-1", "size-2", "size-3"),
}
"""Slots with a word and its tag. Only ``b`` differs: the tags of all words between h and m."""

NUMBERS = {
    DEPENDENCY: {"NORM(size)": "size", "dir": "dir", "dist": "dist"},
    COMPLETED: {"LVAL(h)": "LVAL", "RVAL(h)": "RVAL"},
    SURFACE: {},
    SENTENCE: {},
}
"""Slots with a number, by their printed name."""

SLOTS = {section: (*WORDS[section], *NUMBERS[section].values()) for section in SECTIONS}
"""Everything that a section's templates may look at."""

MAX_ATOMS = MAX_SLOTS = 5
"""The most atoms of a template and the most slots of a group."""

_WHEN = {"dir (h > m)": {"h-1", "m+1"}, "dir (h < m)": {"h+1", "m-1"}}
"""The two remarks, and the slots that go with each."""

_HEADING = re.compile(r"[A-Z][a-z]+(?: [a-z]+)*")


def _atoms(section: str) -> dict[str, Atom]:
    words = [slot for slot in WORDS[section] if slot != "b"]
    tags = [f"POS({slot})" for slot in WORDS[section]]
    return {
        **{f"WORD({slot})": Atom(slot, "w") for slot in words},
        **{name: Atom(slot, "p") for name, slot in zip(tags, WORDS[section], strict=True)},
        **{name: Atom(slot, "n") for name, slot in NUMBERS[section].items()},
        **{name: Atom("dir", "n") for name in _WHEN if section == DEPENDENCY},
    }


ATOMS = {section: _atoms(section) for section in SECTIONS}
"""Printed name -> atom, section by section: the whole notation."""


@dataclass(frozen=True, slots=True)
class EdgeGroup:
    """Templates (indices into the set) of one section whose values depend on the same slots."""

    section: str
    slots: tuple[str, ...]
    templates: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class EdgeTemplates:
    """The templates of one file, in printed order, and their groups, in order of addition."""

    name: str
    text: str
    templates: tuple[Template, ...]
    groups: tuple[EdgeGroup, ...]

    def __len__(self) -> int:
        return len(self.templates)


def parse_edge_template(text: str, section: str) -> Template:
    """Read one template such as ``POS(h)·WORD(s)·dir``; raises ``ValueError`` if it is none."""
    names = [" ".join(part.split()) for part in text.split("·")]
    names = [re.sub(r"^dir ?\( ?h ?([<>]) ?m ?\)$", r"dir (h \1 m)", name) for name in names]
    for name in names:
        if name not in ATOMS[section]:
            raise ValueError(f"template {text!r}: {section.lower()} know no {name!r}")
    if len(names) > MAX_ATOMS:
        raise ValueError(f"template {text!r} has {len(names)} parts; 1 to {MAX_ATOMS} are possible")
    template = Template("·".join(names), section, tuple(ATOMS[section][name] for name in names))
    for name in _WHEN.keys() & set(names):
        if not template.slots & _WHEN[name]:
            needed = " or ".join(sorted(_WHEN[name]))
            raise ValueError(f"template {text!r}: {name!r} goes with {needed} only")
    return template


def parse_edge_templates(text: str, name: str = "") -> EdgeTemplates:
    """Read a template file; raises ``ValueError`` with the line that cannot be read."""
    templates: list[Template] = []
    groups: list[tuple[str, tuple[str, ...]]] = []
    section, in_groups = "", False
    for number, line in enumerate(text.splitlines(), 1):
        line = line.partition("#")[0].strip()
        try:
            if _HEADING.fullmatch(line):
                section, in_groups = _heading(line), in_groups or line == "Groups"
                continue
            for part in filter(None, (piece.strip() for piece in line.split(";"))):
                if not section:
                    raise ValueError(f"{part!r} has no section above it")
                if in_groups:
                    groups.append((section, _parse_slots(part, section)))
                else:
                    templates.append(_new(parse_edge_template(part, section), templates))
        except ValueError as error:
            raise ValueError(f"{name or 'templates'}, line {number}: {error}") from None
    return EdgeTemplates(name, text, tuple(templates), _fill_groups(name, templates, groups))


def _heading(line: str) -> str:
    if line not in (*SECTIONS, "Groups"):
        raise ValueError(f"no section {line!r}; there are {', '.join(SECTIONS)} and Groups")
    return "" if line == "Groups" else line


def _new(template: Template, templates: list[Template]) -> Template:
    if any(t.section == template.section and t.atoms == template.atoms for t in templates):
        raise ValueError(f"{template.name} is there twice")
    return template


def _parse_slots(text: str, section: str) -> tuple[str, ...]:
    slots = tuple(text.split())
    for slot in slots:
        if slot not in SLOTS[section]:
            raise ValueError(f"group {text!r}: {section.lower()} know no slot {slot!r}")
    if len(slots) > MAX_SLOTS:
        raise ValueError(f"group {text!r} has {len(slots)} slots; {MAX_SLOTS} are the most")
    return slots


def _fill_groups(
    name: str, templates: list[Template], groups: list[tuple[str, tuple[str, ...]]]
) -> tuple[EdgeGroup, ...]:
    groups = sorted(groups, key=lambda group: SECTIONS.index(group[0]))
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


def _folder() -> Traversable:
    return resources.files("wordorder_lab.features") / "templates" / "edges"


def edge_template_files() -> list[str]:
    """The names of the edge template files that come with the package."""
    names = (entry.name for entry in _folder().iterdir())
    return sorted(name[:-4] for name in names if name.endswith(".txt"))


@cache
def load_edge_templates(name: str) -> EdgeTemplates:
    """Load one of the package's edge template files by its name without ``.txt``.

    Raises ``ValueError`` with the names there are if it is none of them.
    """
    there = edge_template_files()
    if name not in there:
        raise ValueError(f"no edge template file {name!r}; there are {', '.join(there)}")
    return parse_edge_templates((_folder() / f"{name}.txt").read_text(encoding="utf-8"), name)
