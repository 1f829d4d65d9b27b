"""Text <-> EdgeTemplates: the templates of CCG edges, as Table 1 of both papers prints them.

Zhang & Clark 2011 and 2015, Table 1. A template is a row of atoms with plus signs between,
``category + size + head word``, or a line that names n-grams: ``POS bigrams resulting from
combination``. Its files are as ``templates`` says; the sections are the table's conditions.
Slots of a new edge:

    category size head nonhead rule     its label, its number of words, head word of it and of the
                                        part that is not the head, the rule that made it
    0 1 -2 -1                           its first two words and its last two
    B-2 B-1 | B B+1                     the words around the boundary of its two parts
    C-2 C-1 | C C+1                     their lexical categories

Differences
- *Our reading*: the two tables say the same in other words (``constituent``, ``combi.``), and
  either is read.
- *Our reading*: n-grams that result from a combination are those that cross the boundary: one
  bigram and up to two trigrams.
- *Our reading*: in "rule + head word" and its like a rule is its categories without its head.
- *Paper silent*: whether the size is put into bins, as in Table 2. It is used as it is.
"""

from __future__ import annotations

import re
from functools import cache

from wordorder_lab.best_first.templates import (
    EdgeTemplates,
    Notation,
    load_templates,
    parse_templates,
    template_files,
)
from wordorder_lab.structures.messages import cited
from wordorder_lab.structures.templates import Atom, Template

ALL, LONGER, BINARY, UNARY = SECTIONS = (
    *("all edges", "words > 1", "binary edges", "unary edges"),
)
"""The sections, in order of evaluation."""

SLOTS = {
    ALL: ("category", "size", "head"),
    LONGER: ("category", "0", "1", "-2", "-1"),
    BINARY: (
        *("rule", "head", "nonhead", "B-2", "B-1", "B", "B+1"),
        *("C-2", "C-1", "C", "C+1"),
    ),
    UNARY: ("rule", "head"),
}
"""Everything that a section's templates may look at."""

WORD, TAG, LABEL, RULE, SIZE = "w", "p", "c", "r", "s"
"""What an atom takes of its slot: a word, its tag, a category, a rule, a size."""

_LABEL, _HEAD = {"category": (Atom("category", LABEL),)}, {"head word": (Atom("head", WORD),)}
ATOMS: dict[str, dict[str, tuple[Atom, ...]]] = {
    ALL: {
        **_LABEL,
        **_HEAD,
        "size": (Atom("size", SIZE),),
        "head POS": (Atom("head", TAG),),
    },
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


def read_template(text: str, section: str) -> list[Template]:
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
        if part not in ATOMS[section]:
            raise ValueError(f"template {cited(name)}: {section} know no {cited(part)}")
        atoms += ATOMS[section][part]
    return [Template(name, section, tuple(atoms))]


CONSTITUENTS = Notation(
    SECTIONS,
    {**{section: section for section in SECTIONS}, "#words > 1": LONGER, "size > 1": LONGER},
    SLOTS,
    read_template,
    "ccg",
)
"""The notation of Table 1."""


def parse_ccg_templates(text: str, name: str = "") -> EdgeTemplates:
    """Read a template file; raises ``ValueError`` with the line that cannot be read."""
    return parse_templates(CONSTITUENTS, text, name)


def ccg_template_files() -> list[str]:
    """The names of the template files for CCG edges that come with the package."""
    return template_files(CONSTITUENTS)


@cache
def load_ccg_templates(name: str) -> EdgeTemplates:
    """Load one of the package's files by its name without ``.txt``.

    Raises ``ValueError`` with the names there are if it is none of them.
    """
    return load_templates(CONSTITUENTS, name)
