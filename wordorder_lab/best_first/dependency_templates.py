"""Text <-> EdgeTemplates: the templates of best-first dependency edges, as Table 2 prints them.

Zhang & Clark 2015, "Discriminative Syntax-Based Word Ordering for Text Generation", Table 2. A
template is a row of atoms with dots between, ``WORD(h)·POS(h)·NORM(size)``. Its files are as
``templates`` says, with the four sections of the table.

Section 5.7 binds a copy of each template with ``dir`` to the label of the new arc; that is the atom
``LABEL(m)``: the label of an arc is that of its dependent. ``LABEL`` of any other word near the arc
is the label of that word's own arc to its head; the paper has no such template.

Differences
- *Our reading*, Table 2: in ``dir(h > m)`` the part in brackets is a condition. Here it is a
  remark, for only then do words stand in the slots h-1 and m+1.
"""

from __future__ import annotations

import re
from functools import cache

from wordorder_lab.best_first.templates import (
    MAX_ATOMS,
    EdgeTemplates,
    Notation,
    load_templates,
    parse_templates,
    template_files,
)
from wordorder_lab.structures.messages import cited
from wordorder_lab.structures.templates import Atom, Template

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

LABELLED = (DEPENDENCY, COMPLETED)
"""Sections whose words have labels, too."""

NUMBERS = {
    DEPENDENCY: {"NORM(size)": "size", "dir": "dir", "dist": "dist"},
    COMPLETED: {"LVAL(h)": "LVAL", "RVAL(h)": "RVAL"},
    SURFACE: {},
    SENTENCE: {},
}
"""Slots with a number, by their printed name."""

SLOTS = {section: (*WORDS[section], *NUMBERS[section].values()) for section in SECTIONS}
"""Everything that a section's templates may look at."""

_WHEN = {"dir (h > m)": {"h-1", "m+1"}, "dir (h < m)": {"h+1", "m-1"}}
"""The two remarks, and the slots that go with each."""


def _atoms(section: str) -> dict[str, Atom]:
    words = [slot for slot in WORDS[section] if slot != "b"]
    labelled = words if section in LABELLED else []
    tags = [f"POS({slot})" for slot in WORDS[section]]
    return {
        **{f"WORD({slot})": Atom(slot, "w") for slot in words},
        **{name: Atom(slot, "p") for name, slot in zip(tags, WORDS[section], strict=True)},
        **{f"LABEL({slot})": Atom(slot, "l") for slot in labelled},
        **{name: Atom(slot, "n") for name, slot in NUMBERS[section].items()},
        **{name: Atom("dir", "n") for name in _WHEN if section == DEPENDENCY},
    }


ATOMS = {section: _atoms(section) for section in SECTIONS}
"""Printed name -> atom, section by section: the whole notation."""


def parse_edge_template(text: str, section: str) -> Template:
    """Read one template such as ``POS(h)·WORD(s)·dir``; raises ``ValueError`` if it is none."""
    names = [" ".join(part.split()) for part in text.split("·")]
    names = [re.sub(r"^dir ?\( ?h ?([<>]) ?m ?\)$", r"dir (h \1 m)", name) for name in names]
    for name in names:
        if name not in ATOMS[section]:
            raise ValueError(f"template {cited(text)}: {section.lower()} know no {cited(name)}")
    if len(names) > MAX_ATOMS:
        raise ValueError(
            f"template {cited(text)} has {len(names)} parts; 1 to {MAX_ATOMS} are possible"
        )
    template = Template("·".join(names), section, tuple(ATOMS[section][name] for name in names))
    for name in _WHEN.keys() & set(names):
        if not template.slots & _WHEN[name]:
            needed = " or ".join(sorted(_WHEN[name]))
            raise ValueError(f"template {cited(text)}: {cited(name)} goes with {needed} only")
    return template


ARCS = Notation(
    SECTIONS,
    {section: section for section in SECTIONS},
    SLOTS,
    lambda text, section: [parse_edge_template(text, section)],
    "dependency",
)
"""The notation of Table 2."""


def parse_edge_templates(text: str, name: str = "") -> EdgeTemplates:
    """Read a template file; raises ``ValueError`` with the line that cannot be read."""
    return parse_templates(ARCS, text, name)


def edge_template_files() -> list[str]:
    """The names of the template files for dependency edges that come with the package."""
    return template_files(ARCS)


@cache
def load_edge_templates(name: str) -> EdgeTemplates:
    """Load one of the package's edge template files by its name without ``.txt``.

    Raises ``ValueError`` with the names there are if it is none of them.
    """
    return load_templates(ARCS, name)
