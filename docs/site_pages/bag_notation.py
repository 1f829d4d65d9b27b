"""The notation of bags: its rules from the parser's docstring, its examples read by the parser."""

from __future__ import annotations

import inspect

from site_pages.page import Page, escaped, front, table
from wordorder_lab.corpora.readers import bag_conllu
from wordorder_lab.structures import typed_bag
from wordorder_lab.structures.bag import ONCE, WordBag

EXAMPLES = (
    "led [a team] [Dr. Talcott] .",
    "led/VBD [a team]/NP .",
    "led/VBD>0 [a team]/NP>1:obj [Dr. Talcott] ./.>1",
    "led [a team] [Dr. Talcott] . | 3<1 2<4",
    "again/RB{0,2} rain falls",
    "[3 1\\/2 cups]/NP a\\>1 \\|",
)
REFUSED = ("led [a team]>3 of>2", "led>0 [a team]>0", "rain falls | 1<2 2<1", "led [a team")


def pages() -> list[Page]:
    """Two pages: bags as they are typed, and bags in CoNLL-U."""
    rules = inspect.getdoc(typed_bag) or ""
    parts = [front("Bag notation"), "# Bag notation\n", escaped(rules), "\n## Read by the parser\n"]
    for line in EXAMPLES:
        parts += [f"    {line}\n", _units(typed_bag.parse_bag(line))]
    parts += ["## Refused, and how that is said\n"]
    parts += [f"    {line}\n    {refusal(line)}\n" for line in REFUSED]
    conllu = [front("CoNLL-U"), "# Bags in CoNLL-U\n", escaped(inspect.getdoc(bag_conllu) or "")]
    example = bag_conllu.bag_to_conllu(typed_bag.parse_bag(EXAMPLES[3])).strip()
    conllu += ["\n## An example\n", f"`{EXAMPLES[3]}` is, with tabs between the columns,\n"]
    conllu += [f"    {line}" for line in example.splitlines()]
    return [
        Page("reference/bag_notation.md", "\n".join(parts) + "\n"),
        Page("reference/conllu.md", "\n".join(conllu) + "\n"),
    ]


def refusal(line: str) -> str:
    """What is said of a line that is no bag. Raises ``ValueError`` for one that is a bag."""
    try:
        typed_bag.parse_bag(line)
    except ValueError as error:
        return str(error)
    raise ValueError(f"{line!r} is a bag: it stands among those that are refused")


def _units(bag: WordBag) -> str:
    """A bag as a table: unit, tag, head, label, counts, what it stands before; from 1, as typed."""
    none = (None,) * len(bag.words)
    rows = []
    for i, (unit, tag, head, label, counts) in enumerate(
        zip(
            bag.words,
            bag.pos or none,
            bag.heads or none,
            bag.labels or none,
            bag.counts or none,
            strict=True,
        )
    ):
        later = ", ".join(str(b + 1) for a, b in bag.before if a == i)
        shown = "" if counts in (None, ONCE) else f"{counts[0]} to {counts[1]}"
        number = "" if head is None else str(head + 1)
        words = unit if isinstance(unit, str) else " ".join(unit)
        rows.append(
            (f"{i + 1} {escaped(words)}", escaped(tag or ""), number, label or "", shown, later)
        )
    return table(("unit", "tag", "head (0: root)", "label", "counts", "before"), rows)
