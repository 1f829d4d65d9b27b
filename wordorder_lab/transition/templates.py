"""Text <-> TemplateSet: feature templates as the papers print them.

A template file has headings on lines of their own and templates between semicolons, in the order
of the printed table. The last heading, ``Groups``, lists sets of positions: the templates of one
group look at the same few positions, so their summed weights can be kept for a whole sentence.

A feature has a weight for each action. A heading that ends in ``by tag`` or ``by move`` says that
the actions are told apart less finely by the templates under it: all SHIFTs of words with one tag
share a weight, or all SHIFTs do.

What both engines and the model file know a feature by is its key (``FeatureKeys``): words and tags
are numbered in sorted order, and a feature becomes one 64-bit key, its template and up
to three values in a mixed radix. Nothing is hashed away: a key stands for one feature alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import resources

import numpy as np

from wordorder_lab.structures.templates import (
    FIRST,
    Atom,
    Feature,
    Template,
    Value,
    template_names,
    template_text,
)

TABLES = resources.files("wordorder_lab.transition") / "tables"
"""Where the template files lie."""

POSITIONS = (
    *("S0", "S0,l", "S0,l2", "S0,r", "S0,r2"),
    *("S1", "S1,l", "S1,l2", "S1,r", "S1,r2"),
    *("w0", "w-1", "w-2"),
    *("S0,h", "S0,c", "S0,c2", "S0,s", "S0,s2"),
)
"""Where a word with its tag stands: on the stack, at the end of the sentence so far, or ahead
(``context``): the given head; the first and last of the given dependents, and of the head's
other given dependents, that are still in the bag."""

COUNTS = (
    *("S0vl", "S0vr", "S0n", "S0dl", "S0dr", "S1vl", "S1vr", "S1n", "S1dl", "S1dr", "d"),
    *("S0hs", "b"),
)
"""Small numbers: left and right valency, descendants, distance to the outermost left and right
dependent; ``d`` is the distance from S1 to S0. Ahead: where the given head is, and how many words
are left in the bag."""

LEVELS = ("action", "tag", "move")
"""How finely the actions are told apart by a template."""

MAX_ATOMS = 3
"""The most values a feature may hold: three word numbers fit into one 64-bit key."""

_ATOM = re.compile(
    r"(?P<count>S[01](?:vl|vr|n|dl|dr)|S0hs|d|b)"
    r"|(?P<stack>S[01](?:,[lr]2?)?|S0,(?:h|[cs]2?))(?P<attribute>[wp])"
    r"|(?P<last>[wp])(?P<back>0|-1|-2)"
)


@dataclass(frozen=True, slots=True)
class Group:
    """Templates (indices into the set) whose values depend on the same few slots."""

    slots: tuple[str, ...]
    templates: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class TemplateSet:
    """The templates of one file, in printed order, and their groups, in order of addition."""

    name: str
    text: str
    templates: tuple[Template, ...]
    groups: tuple[Group, ...]

    def __len__(self) -> int:
        return len(self.templates)

    def level(self, feature: Feature) -> int:
        """The level of a named feature's template."""
        return self.templates[int(feature[0])].level

    @property
    def levels(self) -> tuple[int, ...]:
        """The levels that there are."""
        return tuple(sorted({template.level for template in self.templates}))


def parse_template(text: str, section: str = "") -> Template:
    """Read one template such as ``S0wS0,lp`` or ``w-1w0``; raises ``ValueError`` if it is none."""
    atoms, at = [], 0
    while at < len(text):
        match = _ATOM.match(text, at)
        if match is None:
            raise ValueError(f"template {text!r}: cannot read {text[at:]!r}")
        atoms.append(_atom(match))
        at = match.end()
    if not 1 <= len(atoms) <= MAX_ATOMS:
        raise ValueError(f"template {text!r} has {len(atoms)} parts; 1 to {MAX_ATOMS} are possible")
    by = section.rpartition(" by ")[2] if " by " in section else LEVELS[0]
    if by not in LEVELS:
        raise ValueError(f"by {by!r} in {section!r}: it is by {', '.join(LEVELS)}")
    return Template(text, section, tuple(atoms), LEVELS.index(by))


def _atom(match: re.Match[str]) -> Atom:
    if match["count"]:
        return Atom(match["count"], "n")
    if match["stack"]:
        return Atom(match["stack"], match["attribute"])
    return Atom("w" + match["back"], match["last"])


def parse_templates(text: str, name: str = "") -> TemplateSet:
    """Read a template file; raises ``ValueError`` with the line that cannot be read."""
    templates: list[Template] = []
    groups: list[tuple[str, ...]] = []
    section = ""
    for number, line in enumerate(text.splitlines(), 1):
        line = line.partition("#")[0].strip()
        if re.fullmatch(r"[A-Z][a-z]+(?: [a-z]+)*", line):
            section = line
            continue
        for part in filter(None, (piece.strip() for piece in line.split(";"))):
            try:
                if section == "Groups":
                    groups.append(_parse_slots(part))
                else:
                    templates.append(parse_template(part, section))
            except ValueError as error:
                raise ValueError(f"{name or 'templates'}, line {number}: {error}") from None
    return TemplateSet(name, text, tuple(templates), _fill_groups(name, templates, groups))


def _parse_slots(text: str) -> tuple[str, ...]:
    slots = tuple(text.split())
    for slot in slots:
        if slot not in POSITIONS and slot not in COUNTS:
            raise ValueError(f"{slot!r} is no position of the state")
    if len(slots) > MAX_ATOMS:
        raise ValueError(f"a group has at most {MAX_ATOMS} positions")
    return slots


def _fill_groups(
    name: str, templates: list[Template], groups: list[tuple[str, ...]]
) -> tuple[Group, ...]:
    members: list[list[int]] = [[] for _ in groups]
    for index, template in enumerate(templates):
        fitting = [g for g, slots in enumerate(groups) if template.slots <= set(slots)]
        if not fitting:
            raise ValueError(f"{name or 'templates'}: no group names all of {template.name}")
        members[fitting[0]].append(index)
    return tuple(
        Group(slots, tuple(inside)) for slots, inside in zip(groups, members, strict=True) if inside
    )


def template_files() -> list[str]:
    """The names of the template files that come with the package."""
    return template_names(TABLES)


@cache
def load_templates(name: str) -> TemplateSet:
    """Load one of the package's template files by its name without ``.txt``.

    Raises ``ValueError`` with the names there are if it is none of them.
    """
    return parse_templates(template_text(TABLES, name), name)


# --- Features as whole numbers: what both engines and the model file agree on -----------------


BEGIN = "-BEGIN-"
"""What stands before the first word of a sentence, as word and as tag."""


@dataclass(frozen=True)
class FeatureKeys:
    """The numbering of words and tags, and the arithmetic of keys.

    ``words`` and ``tags`` are sorted. Raises ``ValueError`` if a key would not fit into 63 bits.
    """

    templates: TemplateSet
    words: tuple[str, ...]
    tags: tuple[str, ...]
    word_ids: dict[str, int] = field(init=False, repr=False, compare=False)
    tag_ids: dict[str, int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "word_ids", {w: i for i, w in enumerate(self.words, FIRST)})
        object.__setattr__(self, "tag_ids", {t: i for i, t in enumerate(self.tags, FIRST)})
        if len(self.templates) * self.radix**MAX_ATOMS >= 2**63:
            raise ValueError(f"{len(self.words)} words are too many for feature keys of 64 bits")

    @classmethod
    def of(cls, templates: TemplateSet, words: Iterable[str], tags: Iterable[str]) -> FeatureKeys:
        """Number the words and tags of a training corpus; ``BEGIN`` is always among them."""
        return cls(templates, tuple(sorted({*words, BEGIN})), tuple(sorted({*tags, BEGIN})))

    @property
    def radix(self) -> int:
        """Every value of a feature is below this."""
        return max(len(self.words) + FIRST, len(self.tags) + FIRST, 64)

    def key(self, feature: Feature) -> int | None:
        """The key of a named feature; ``None`` if it holds a word or tag that has no number."""
        index = feature[0]
        assert isinstance(index, int)
        key = 0
        for atom, value in zip(self.templates.templates[index].atoms, feature[1:], strict=True):
            number = self._number(atom.attribute, value)
            if number is None:
                return None
            key = key * self.radix + number
        return key * len(self.templates) + index

    def check(self, keys: np.ndarray) -> None:
        """Raise ``ValueError`` for keys, none below 0, of which one stands for no feature."""
        wrong = np.zeros(len(keys), bool)
        rest, index = np.divmod(keys, len(self.templates))
        for number, template in enumerate(self.templates.templates):
            mine = index == number
            values = rest[mine]
            outside = np.zeros(len(values), bool)
            for atom in reversed(template.atoms):
                values, value = np.divmod(values, self.radix)
                named = {"w": len(self.words), "p": len(self.tags)}
                above = FIRST + named.get(atom.attribute, self.radix)
                outside |= (value < FIRST) | (value >= above)
            wrong[mine] = outside | (values > 0)
        if wrong.any():
            raise ValueError(f"the key {keys[wrong][0]} is that of no feature")

    def _number(self, attribute: str, value: Value) -> int | None:
        if isinstance(value, int):
            return value + FIRST
        return (self.word_ids if attribute == "w" else self.tag_ids).get(value)

    def feature(self, key: int) -> Feature:
        """The named feature of a key."""
        rest, index = divmod(int(key), len(self.templates))
        values: list[Value] = []
        for atom in reversed(self.templates.templates[index].atoms):
            rest, number = divmod(rest, self.radix)
            values.append(self._name(atom.attribute, number))
        return (index, *reversed(values))

    def _name(self, attribute: str, number: int) -> Value:
        if attribute == "n":
            return number - FIRST
        names: Sequence[str] = self.words if attribute == "w" else self.tags
        return names[number - FIRST]
