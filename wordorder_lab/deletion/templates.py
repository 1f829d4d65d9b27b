"""The templates of a bigram's features, as data: one a line of a file in ``tables/``.

A line has the name of a part of the bigram, then what is looked at there, all of it together one
feature. Left of the bigram stands word i, right of it word j, between them each dropped word k:

    kept     word j                 t0 t-1 t+1 t-2 t+2 (tags), w0, ht (tag of its head), label
    pair     words i and j          ti tj ti+1 tj-1 tj+1, wi wj, adjacent (in the sentence, too),
                                    gap (how many are dropped), brackets (open or closed in it, or
                                    round all of it), relation (j of i: child, head, sibling)
    dropped  word k                 as kept; wh (the head itself), side (of its head), verb (the
                                    word, if it is one), negation, root, leaf (nothing hangs on it)
    left     words i and k          ti t0 wi w0, relation (k of i)
    right    words k and j          tj t0 wj w0, relation (k of j)
    whole    a largest phrase       c (its label), p (that of the phrase above), cl cr (of the
             among what is dropped  phrases beside it), head (its head's tag), hw, w0 (its first
                                    word), first (or last in the phrase above), size
    begun    a phrase around j      the same; its beginning is dropped
    ended    a phrase around i      the same; its end is dropped

Where something is not there, such as the head of a root, the template makes no feature.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from importlib.resources import files

from wordorder_lab.structures.messages import cited
from wordorder_lab.structures.templates import template_text

USUAL = "mcdonald_2006"
"""The template file that is used unless another is named."""
MOST_TEMPLATES = 256
"""Tables of people have less than a hundred."""

_WORD = ("t0", "t-1", "t+1", "t-2", "t+2", "w0", "ht", "label")
_PHRASE = ("c", "p", "cl", "cr", "head", "hw", "w0", "first", "size")
KNOWN: dict[str, tuple[str, ...]] = {
    "kept": _WORD,
    "pair": tuple("ti tj ti+1 tj-1 tj+1 wi wj adjacent gap brackets relation".split()),
    "dropped": (*_WORD, "wh", "side", "verb", "negation", "root", "leaf"),
    "left": ("ti", "t0", "wi", "w0", "relation"),
    "right": ("tj", "t0", "wj", "w0", "relation"),
    **dict.fromkeys(("whole", "begun", "ended"), _PHRASE),
}
"""The parts of a bigram, and what can be looked at in each."""


@dataclass(frozen=True)
class DeletionTemplate:
    """One template: its number in the file, the part of the bigram, and what is looked at."""

    number: int
    part: str
    atoms: tuple[str, ...]

    @property
    def name(self) -> str:
        """As its line reads."""
        return " ".join((self.part, *self.atoms))


@dataclass(frozen=True)
class DeletionTemplates:
    """Templates in the order of their file."""

    name: str
    text: str
    every: tuple[DeletionTemplate, ...]

    def __len__(self) -> int:
        return len(self.every)

    @cached_property
    def by_part(self) -> dict[str, tuple[DeletionTemplate, ...]]:
        """The templates of each part."""
        return {part: tuple(one for one in self.every if one.part == part) for part in KNOWN}


def load_deletion_templates(name: str = USUAL) -> DeletionTemplates:
    """The templates of a file in ``tables/``; ``ValueError`` for no such file."""
    folder = files("wordorder_lab.deletion") / "tables"
    return parse_deletion_templates(template_text(folder, name), name)


def parse_deletion_templates(text: str, name: str = "") -> DeletionTemplates:
    """The templates that a text lists; ``ValueError`` with the line for what is none."""
    every: list[DeletionTemplate] = []
    for number, line in enumerate(text.splitlines(), 1):
        part, *atoms = line.partition("#")[0].split() or [""]
        if not part:
            continue
        where = f"line {number} of the templates {name}"
        if part not in KNOWN or not atoms:
            raise ValueError(
                f"{where}: {cited(line.strip())} does not begin with one of {', '.join(KNOWN)} and "
                "go on with what is looked at there"
            )
        for atom in atoms:
            if atom not in KNOWN[part]:
                there = ", ".join(KNOWN[part])
                raise ValueError(f"{where}: {part} has no {cited(atom)}; it has {there}")
        every.append(DeletionTemplate(len(every), part, tuple(atoms)))
    if not 1 <= len(every) <= MOST_TEMPLATES:
        raise ValueError(f"the templates {name} are not 1 to {MOST_TEMPLATES}")
    return DeletionTemplates(name, text, tuple(every))
