"""Text <-> TemplateSet: feature templates as the papers print them.

A template file has headings on lines of their own and templates between semicolons, in the order
of the printed table. The last heading, ``Groups``, lists sets of positions: the templates of one
group look at the same few positions, so their summed weights can be kept for a whole sentence.

A feature has a weight for each action. The end of a heading says that the templates under it tell
the actions apart less finely: ``by tag``, ``by label`` or ``by initial`` all SHIFTs of words with
one tag, with one tag and label, or with one first letter share a weight, ``by move`` all SHIFTs do.
By label, arcs are told apart by the label of the dependent.

Templates under ``Pieces`` look at one head's decision which of its pieces comes next (``pieces``).
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

What both engines and the model file know a feature by is its key (``FeatureKeys``): words and tags
are numbered in sorted order, and a feature becomes one 64-bit key, its template and up
to three values in a mixed radix. Nothing is hashed away: a key stands for one feature alone.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from importlib import resources
from pathlib import Path
from typing import ClassVar

from wordorder_lab.structures.messages import cited
from wordorder_lab.structures.problem import OrderingProblem
from wordorder_lab.structures.templates import (
    FIRST,
    Atom,
    Feature,
    FeatureNumbering,
    Group,
    Template,
    Value,
    filled_groups,
    template_names,
    template_text,
)

TABLES = resources.files("wordorder_lab.transition") / "tables"
"""Where the template files lie."""

POSITIONS = tuple(
    """
    S0 S0,l S0,l2 S0,r S0,r2 S1 S1,l S1,l2 S1,r S1,r2 w0 w-1 w-2 S0,h S0,c S0,c2 S0,s S0,s2
    """.split()
)
"""Where a word with its tag stands: on the stack, at the end of the sentence so far, or ahead
(``context``): the given head; the first and last of the given dependents, and of the head's
other given dependents, that are still in the bag."""

COUNTS = tuple("S0vl S0vr S0n S0dl S0dr S1vl S1vr S1n S1dl S1dr d S0hs b".split())
"""Small numbers: left and right valency, descendants, distance to the outermost left and right
dependent; ``d`` is the distance from S1 to S0. Ahead: where the given head is, and how many words
are left in the bag."""

LEVELS = ("action", "tag", "move", "label", "initial")
"""How finely the actions are told apart by a template."""

MAX_VALENCY = 6
"""More dependents than this on one side count as this many."""

MAX_ATOMS = 3
"""The most values a feature may hold: three word numbers fit into one 64-bit key."""

_ATOM = re.compile(
    r"(?P<count>S[01](?:vl|vr|n|dl|dr)|S0hs|d|b)"
    r"|(?P<slot>S[01](?:,[lr]2?)?|S0,(?:h|[cs]2?))(?P<attribute>[wpl])"
    r"|(?P<last>[wpl])(?P<back>0|-1|-2)"
)

PIECES = "Pieces"
"""The heading over the templates of pieces."""

PIECE_SLOTS = ("H", "G", "C", "X", "Y", "R", "K")

PIECE_COUNTS = ("s", "n", "m", "z", "x", "r", "g")

MAX_PIECE_ATOMS = 7
"""The most values of a feature of pieces; the key must fit into 63 bits besides."""

EACH = {"R": 1, "r": 1, "K": 2}
"""Slots that hold one thing after the other, and R's size; a template has R or K at most."""

MOST_COUNTED = 4
"""More pieces than these count as this many."""

_PIECE_ATOM = re.compile(r"(?P<slot>[HGCXYRK])(?P<attribute>[wpl])|(?P<count>[snmzxrg])")


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
    def pieces(self) -> tuple[int, ...]:
        """The templates over decisions of heads."""
        every = enumerate(self.templates)
        return tuple(i for i, template in every if template.section == PIECES)

    @property
    def has_labels(self) -> bool:
        """Whether any template looks at a label, or tells actions apart by labels."""
        looks = any(atom.attribute == "l" for one in self.templates for atom in one.atoms)
        return looks or LEVELS.index("label") in self.levels

    @property
    def levels(self) -> tuple[int, ...]:
        """The levels that there are."""
        return tuple(sorted({template.level for template in self.templates}))


def parse_template(text: str, section: str = "") -> Template:
    """Read one template such as ``S0wS0,lp`` or ``w-1w0``; raises ``ValueError`` if it is none."""
    of_pieces = section == PIECES
    pattern, most = (_PIECE_ATOM, MAX_PIECE_ATOMS) if of_pieces else (_ATOM, MAX_ATOMS)
    atoms: list[Atom] = []
    at = 0
    while at < len(text):
        match = pattern.match(text, at)
        if match is None:
            raise ValueError(f"template {cited(text)}: cannot read {cited(text[at:])}")
        atoms.append(_atom(match))
        at = match.end()
    if not 1 <= len(atoms) <= most:
        raise ValueError(f"template {cited(text)} has {len(atoms)} parts; 1 to {most} are possible")
    by = section.rpartition(" by ")[2] if " by " in section else LEVELS[0]
    if of_pieces:
        by = "move"
        if len({EACH[atom.slot] for atom in atoms if atom.slot in EACH}) > 1:
            raise ValueError(f"template {cited(text)} has both R and K; one of them is possible")
    if by not in LEVELS:
        raise ValueError(f"by {cited(by)} in {cited(section)}: it is by {', '.join(LEVELS)}")
    return Template(text, section, tuple(atoms), LEVELS.index(by))


def _atom(match: re.Match[str]) -> Atom:
    if match["count"]:
        return Atom(match["count"], "n")
    if match["slot"]:
        return Atom(match["slot"], match["attribute"])
    return Atom("w" + match["back"], match["last"])


def each_of(template: Template) -> int:
    """1 for a template with R (its size ``r`` too), 2 for one with K, 0 for all others."""
    return max(EACH.get(atom.slot, 0) for atom in template.atoms)


def size_bin(kind: int, problem: OrderingProblem) -> int:
    """How many types are below this one: 0 to 3 as they are, up to 6 as 4, up to 10 as 5, 6."""
    below = len(problem.given.family[kind]) - 1
    return below if below <= 3 else 4 if below <= 6 else 5 if below <= 10 else 6


def parse_templates(text: str, name: str = "") -> TemplateSet:
    """Read a template file; raises ``ValueError`` with the line that cannot be read."""
    templates: list[Template] = []
    groups: list[Group] = []
    section = ""
    for number, line in enumerate(text.splitlines(), 1):
        line = line.partition("#")[0].strip()
        if re.fullmatch(r"[A-Z][a-z]+(?: [a-z]+)*", line):
            section = line
            continue
        for part in filter(None, (piece.strip() for piece in line.split(";"))):
            try:
                if section == "Groups":
                    groups.append(Group("", _parse_slots(part), ()))
                else:
                    templates.append(parse_template(part, section))
            except ValueError as error:
                raise ValueError(f"{name or 'templates'}, line {number}: {error}") from None
    if not templates:
        raise ValueError(f"the templates {name} are none: a line has one at least")
    filled = filled_groups(name, templates, groups, apart=PIECES)
    return TemplateSet(name, text, tuple(templates), filled)


def _parse_slots(text: str) -> tuple[str, ...]:
    slots = tuple(text.split())
    for slot in slots:
        if slot not in POSITIONS and slot not in COUNTS:
            raise ValueError(f"{cited(slot)} is no position of the state")
    if len(slots) > MAX_ATOMS:
        raise ValueError(f"a group has at most {MAX_ATOMS} positions")
    return slots


# --- Features: templates filled with what stands in their slots -------------------------------


Content = tuple[str | None, str | None, str | None] | int | None

Context = Mapping[str, Content]
"""What stands in each slot: (word, tag, label), a count, or ``None`` where nothing does. The tag of
a word that is not shifted yet may be unknown, ``None``; so may any label."""

Rows = Callable[[Feature], Mapping[int, float]]
"""A feature's weights by the model's action number."""


def feature_of(index: int, template: Template, context: Context) -> Feature | None:
    """The template's feature in this context; ``None`` if a slot is empty or a tag unknown."""
    values: list[Value] = []
    for atom in template.atoms:
        content = context[atom.slot]
        value = content["wpl".index(atom.attribute)] if isinstance(content, tuple) else content
        if value is None:
            return None
        values.append(value)
    return (index, *values)


def show(templates: TemplateSet, feature: Feature) -> str:
    """A feature as people read it: ``S0wS1w = led, Talcott``."""
    values = ", ".join(str(value) for value in feature[1:])
    return f"{templates.templates[int(feature[0])].name} = {values}"


def template_files() -> list[str]:
    """The names of the template files that come with the package."""
    return template_names(TABLES)


def load_templates(name: str) -> TemplateSet:
    """Load one of the package's template files by its name without ``.txt``, or one's own by path.
    Raises ``ValueError`` with the names there are if it is none of them."""
    return _parsed(template_text(TABLES, name), Path(name).stem)


@cache
def _parsed(text: str, name: str) -> TemplateSet:
    """Templates by their text: a file of one's own may change while a notebook is open."""
    return parse_templates(text, name)


# --- Features as whole numbers: what both engines and the model file agree on -----------------


BEGIN = "-BEGIN-"
"""What stands before the first word of a sentence, as word and as tag; and before a first piece."""

HEAD_ITSELF = "-HEAD-"
"""The label of a head among its own pieces."""

MOST_BITS = 63


def _ids(texts: tuple[str, ...]) -> dict[str, int]:
    return {text: i for i, text in enumerate(texts, FIRST)}


@dataclass(frozen=True)
class FeatureKeys(FeatureNumbering):
    """The numbering of words, tags and labels, and the arithmetic of keys. All three are sorted.
    Raises ``ValueError`` if a key would not fit into 63 bits."""

    templates: TemplateSet
    words: tuple[str, ...]
    tags: tuple[str, ...]
    labels: tuple[str, ...] = ()

    fields: ClassVar = {"w": "words", "p": "tags", "l": "labels"}
    zero: ClassVar = {"n": FIRST}
    ranges: ClassVar = {"n": (FIRST, 1 << 62)}
    word_ids = cached_property(lambda self: _ids(self.words))
    tag_ids = cached_property(lambda self: _ids(self.tags))
    label_ids = cached_property(lambda self: _ids(self.labels))

    def __post_init__(self) -> None:
        for index, template in enumerate(self.templates.templates):
            if self.above(index) >= 2**MOST_BITS:
                raise ValueError(
                    f"{len(self.words)} words are too many for feature keys of 64 bits, that of "
                    f"{template.name} for one"
                )

    @classmethod
    def of(
        cls,
        templates: TemplateSet,
        words: Iterable[str],
        tags: Iterable[str],
        labels: Iterable[str] = (),
    ) -> FeatureKeys:
        """Number the words and tags of a training corpus, and its labels where templates look at
        them; ``BEGIN`` is always among them."""
        names = {*labels, BEGIN, HEAD_ITSELF} if templates.has_labels else set()
        words, tags = sorted({*words, BEGIN}), sorted({*tags, BEGIN})
        return cls(templates, tuple(words), tuple(tags), tuple(sorted(names)))

    @cached_property
    def ids(self) -> dict[str, dict[str, int]]:
        """The numbers of texts, by the attribute of an atom."""
        return {"w": self.word_ids, "p": self.tag_ids, "l": self.label_ids}

    def key(self, feature: Feature) -> int | None:
        """The key of a named feature; ``None`` if it holds a text that has no number."""
        key = index = int(feature[0])
        atoms, places = self.templates.templates[index].atoms, self.places[index]
        for atom, (factor, _), value in zip(atoms, places, feature[1:], strict=True):
            if isinstance(value, int):
                key += (value + self.zero[atom.attribute]) * factor
                continue
            number = self.ids[atom.attribute].get(value)
            if number is None:
                return None
            key += number * factor
        return key

    @cached_property
    def base(self) -> int:
        """The template is the lowest digit of a key."""
        return len(self.templates)

    @cached_property
    def places(self) -> tuple[tuple[tuple[int, int], ...], ...]:
        """Template by template the digits of its values, the first one the highest. Templates of
        pieces, with many values, take for a tag, a label or a count no more room than it needs."""
        narrow = max(len(self.tags) + FIRST, len(self.labels) + FIRST, 64)
        widest = max(len(self.words) + FIRST, narrow)
        found = []
        for template in self.templates.templates:
            places, factor = [], self.base
            for atom in reversed(template.atoms):
                is_narrow = template.section == PIECES and atom.attribute != "w"
                radix = narrow if is_narrow else widest
                places.append((factor, radix))
                factor *= radix
            found.append(tuple(reversed(places)))
        return tuple(found)
