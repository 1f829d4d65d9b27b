"""Templates of edges as data: files of printed tables, and the notations of two tables.

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

Dependency trees (``ARCS``): Zhang & Clark 2015, Table 2. A template is a row of atoms with dots
between, ``WORD(h)·POS(h)·NORM(size)``. Section 5.7 binds a copy of each template with ``dir`` to
the label of the new arc; that is the atom ``LABEL(m)``: the label of an arc is that of its
dependent. ``LABEL`` of any other word near the arc is the label of that word's own arc to its head;
the paper has no such template.

CCG (``CONSTITUENTS``): Zhang & Clark 2011 and 2015, Table 1. A template is a row of atoms with plus
signs between, ``category + size + head word``, or a line that names n-grams: ``POS bigrams
resulting from combination``. The sections are the table's conditions. Slots of a new edge:

    category size head nonhead rule     its label, its number of words, head word of it and of the
                                        part that is not the head, the rule that made it
    0 1 -2 -1                           its first two words and its last two
    B-2 B-1 | B B+1                     the words around the boundary of its two parts
    C-2 C-1 | C C+1                     their lexical categories

Differences
- *Paper silent*: sections are evaluated in the order of the notation, whatever the order of a file.
- *Paper silent*: groups are ours. They fix the order of additions for both engines.
- *Our reading*, Table 2: in ``dir(h > m)`` the part in brackets is a condition. Here it is a
  remark, for only then do words stand in the slots h-1 and m+1.
- *Our reading*, Table 1: the two tables say the same in other words (``constituent``, ``combi.``),
  and either is read.
- *Our reading*, Table 1: n-grams that result from a combination are those that cross the boundary:
  one bigram and up to two trigrams.
- *Our reading*, Table 1: in "rule + head word" and its like a rule is its categories without its
  head.
- *Paper silent*, Table 1: whether the size is put into bins, as in Table 2. It is used as it is.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path

from wordorder_lab.structures.messages import cited
from wordorder_lab.structures.templates import (
    Atom,
    Group,
    Template,
    filled_groups,
    template_names,
    template_text,
)

TABLES = resources.files("wordorder_lab.best_first") / "tables"

MAX_ATOMS, MAX_SLOTS = 6, 5
"""The most atoms of a template and the most slots of a group."""

GROUPS = "Groups"
_HEADING = re.compile(r"[A-Z][a-z]+(?: [a-z]+)*")
_REMARK = re.compile(r"#(\s.*)?$")


@dataclass(frozen=True, slots=True)
class EdgeTemplates:
    """The templates of one file, in printed order, and their groups, in order of addition.
    ``first[i]`` is the first reading of the template that ``i`` is a reading of."""

    name: str
    text: str
    templates: tuple[Template, ...]
    groups: tuple[Group, ...]
    first: tuple[int, ...]

    def __len__(self) -> int:
        return len(self.templates)


@dataclass(frozen=True, eq=False)
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

    def parse(self, text: str, name: str = "") -> EdgeTemplates:
        """Read a template file; raises ``ValueError`` with the line that cannot be read."""
        templates: list[Template] = []
        first: list[int] = []
        groups: list[Group] = []
        section, in_groups = "", False
        for number, line in enumerate(text.splitlines(), 1):
            line = _REMARK.sub("", line).strip()
            try:
                if line in self.headings or _HEADING.fullmatch(line):
                    section, in_groups = self._heading(line), in_groups or line == GROUPS
                    continue
                for part in filter(None, (piece.strip() for piece in line.split(";"))):
                    if not section:
                        raise ValueError(f"{cited(part)} has no section above it")
                    if in_groups:
                        groups.append(Group(section, self._slots(part, section), ()))
                    else:
                        _add(self.read(part, section), templates, first)
            except ValueError as error:
                raise ValueError(f"{name or 'templates'}, line {number}: {error}") from None
        groups.sort(key=lambda group: self.sections.index(group.section))
        filled = filled_groups(name, templates, groups)
        return EdgeTemplates(name, text, tuple(templates), filled, tuple(first))

    def load(self, name: str) -> EdgeTemplates:
        """Load one of the package's files by its name without ``.txt``, or one's own by its path.
        Raises ``ValueError`` with the names there are if it is none of them."""
        found = _parsed(self, template_text(TABLES / self.folder, name), Path(name).stem)
        if not found.templates:
            raise ValueError(f"the templates {name} are none: a line has one at least")
        return found

    def files(self) -> list[str]:
        """The names of the template files that come with the package."""
        return template_names(TABLES / self.folder)

    def _heading(self, line: str) -> str:
        if line == GROUPS:
            return ""
        if line not in self.headings:
            raise ValueError(
                f"no section {cited(line)}; there are {', '.join(self.headings)} and Groups"
            )
        return self.headings[line]

    def _slots(self, text: str, section: str) -> tuple[str, ...]:
        slots = tuple(text.split())
        for slot in slots:
            if slot not in self.slots[section]:
                what = f"{section.lower()} know no slot {cited(slot)}"
                raise ValueError(f"group {cited(text)}: {what}")
        if len(slots) > MAX_SLOTS:
            raise ValueError(
                f"group {cited(text)} has {len(slots)} slots; {MAX_SLOTS} are the most"
            )
        return slots


@cache
def _parsed(notation: Notation, text: str, name: str) -> EdgeTemplates:
    """Templates by their text: a file of one's own may change while a notebook is open."""
    return notation.parse(text, name)


def _add(readings: list[Template], templates: list[Template], first: list[int]) -> None:
    begin = len(templates)
    for new in readings:
        if any(t.section == new.section and t.atoms == new.atoms for t in templates):
            raise ValueError(f"{new.name} is there twice")
        templates.append(new)
        first.append(begin)


# --- Table 2: dependency trees ---------------------------------------------------------------


DEPENDENCY, COMPLETED, SURFACE, SENTENCE = ARC_SECTIONS = (
    "Dependency syntax",
    "Completed words",
    "Surface string patterns",
    "Complete sentences",
)
"""Table 2's sections, in order of evaluation."""

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

ARC_SLOTS = {section: (*WORDS[section], *NUMBERS[section].values()) for section in ARC_SECTIONS}
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


ARC_ATOMS = {section: _atoms(section) for section in ARC_SECTIONS}
"""Printed name -> atom, section by section: the whole notation."""


def parse_edge_template(text: str, section: str) -> Template:
    """Read one template such as ``POS(h)·WORD(s)·dir``; raises ``ValueError`` if it is none."""
    names = [" ".join(part.split()) for part in text.split("·")]
    names = [re.sub(r"^dir ?\( ?h ?([<>]) ?m ?\)$", r"dir (h \1 m)", name) for name in names]
    for name in names:
        if name not in ARC_ATOMS[section]:
            raise ValueError(f"template {cited(text)}: {section.lower()} know no {cited(name)}")
    if len(names) > MAX_ATOMS:
        raise ValueError(
            f"template {cited(text)} has {len(names)} parts; 1 to {MAX_ATOMS} are possible"
        )
    template = Template("·".join(names), section, tuple(ARC_ATOMS[section][name] for name in names))
    for name in _WHEN.keys() & set(names):
        if not template.slots & _WHEN[name]:
            needed = " or ".join(sorted(_WHEN[name]))
            raise ValueError(f"template {cited(text)}: {cited(name)} goes with {needed} only")
    return template


ARCS = Notation(
    ARC_SECTIONS,
    {section: section for section in ARC_SECTIONS},
    ARC_SLOTS,
    lambda text, section: [parse_edge_template(text, section)],
    "dependency",
)
"""The notation of Table 2."""


load_edge_templates, parse_edge_templates, edge_template_files = ARCS.load, ARCS.parse, ARCS.files


# --- Table 1: CCG ----------------------------------------------------------------------------


ALL, LONGER, BINARY, UNARY = CCG_SECTIONS = (
    "all edges",
    "words > 1",
    "binary edges",
    "unary edges",
)
"""Table 1's sections, in order of evaluation."""

CCG_SLOTS = {
    ALL: ("category", "size", "head"),
    LONGER: ("category", "0", "1", "-2", "-1"),
    BINARY: tuple("rule head nonhead B-2 B-1 B B+1 C-2 C-1 C C+1".split()),
    UNARY: ("rule", "head"),
}
"""Everything that a section's templates may look at."""

WORD, TAG, LABEL, RULE, SIZE = "w", "p", "c", "r", "s"
"""What an atom takes of its slot: a word, its tag, a category, a rule, a size."""

_LABEL, _HEAD = {"category": (Atom("category", LABEL),)}, {"head word": (Atom("head", WORD),)}
CCG_ATOMS: dict[str, dict[str, tuple[Atom, ...]]] = {
    ALL: {**_LABEL, **_HEAD, "size": (Atom("size", SIZE),), "head POS": (Atom("head", TAG),)},
    LONGER: {
        **_LABEL,
        "leftmost word": (Atom("0", WORD),),
        "rightmost word": (Atom("-1", WORD),),
        "leftmost POS bigram": (Atom("0", TAG), Atom("1", TAG)),
        "rightmost POS bigram": (Atom("-2", TAG), Atom("-1", TAG)),
        "lmost POS": (Atom("0", TAG),),
        "rmost POS": (Atom("-1", TAG),),
    },
    BINARY: {
        **_HEAD,
        "the binary rule": (Atom("rule", RULE),),
        "rule": (Atom("rule", RULE),),
        "non-head word": (Atom("nonhead", WORD),),
    },
    UNARY: {**_HEAD, "unary rule": (Atom("rule", RULE),)},
}
"""Printed name -> atoms, section by section."""

_BIGRAM = (("B-1", "B"),)
_TRIGRAMS = (("B-2", "B-1", "B"), ("B-1", "B", "B+1"))
_LEXICAL = (("C-2", "C-1", "C"), ("C-1", "C", "C+1"))
NGRAMS = {
    "bigrams resulting from combination": (_BIGRAM, "ww"),
    "POS bigrams resulting from combination": (_BIGRAM, "pp"),
    "word trigrams resulting from combination": (_TRIGRAMS, "www"),
    "POS trigrams resulting from combination": (_TRIGRAMS, "ppp"),
    "resulting lexical category trigrams": (_LEXICAL, "ccc"),
    "resulting word + POS bigrams": (_BIGRAM, "wp"),
    "resulting POS + word bigrams": (_BIGRAM, "pw"),
    "resulting POS + word + POS trigrams": (_TRIGRAMS, "pwp"),
}
"""Lines of the table that name n-grams: the slots of each reading, and what is taken of them."""

_SHORT = (
    (r"\bconstituent\b|\bconsti\.", "category"),
    (r"\bcombi\.", "combination"),
    (r"\bheadw\b", "head word"),
)
"""How the table of 2011 shortens what that of 2015 spells out."""


def read_ccg_template(text: str, section: str) -> list[Template]:
    """The readings of one printed template; raises ``ValueError`` if it is none."""
    name = " ".join(text.split())
    full = name
    for short, long in _SHORT:
        full = re.sub(short, long, full)
    if full in NGRAMS and section == BINARY:
        readings, taken = NGRAMS[full]
        return [Template(name, section, tuple(map(Atom, slots, taken))) for slots in readings]
    atoms: list[Atom] = []
    for part in full.split(" + "):
        if part not in CCG_ATOMS[section]:
            raise ValueError(f"template {cited(name)}: {section} know no {cited(part)}")
        atoms += CCG_ATOMS[section][part]
    return [Template(name, section, tuple(atoms))]


CONSTITUENTS = Notation(
    CCG_SECTIONS,
    {**{section: section for section in CCG_SECTIONS}, "#words > 1": LONGER, "size > 1": LONGER},
    CCG_SLOTS,
    read_ccg_template,
    "ccg",
)
"""The notation of Table 1."""


load_ccg_templates = CONSTITUENTS.load
parse_ccg_templates, ccg_template_files = CONSTITUENTS.parse, CONSTITUENTS.files
