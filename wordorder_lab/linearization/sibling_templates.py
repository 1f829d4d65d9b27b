"""The templates of sibling features, as data: one a line of a file in ``tables/``.

``before | label tag | label tag // upos`` looks at label and tag of a part and of one that stands
somewhere after it, and at the universal tag of their head. First comes what kind of company is
looked at (``KINDS``), then what of each part, from left to right, and behind ``//`` what of the
domain's head.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files

from wordorder_lab.structures.messages import cited
from wordorder_lab.structures.templates import template_text

USUAL = "bohnet_2011"
"""The template file that is used unless another is named."""
KINDS = {"before": 2, "beside": 2, "seam": 2, "three": 3}
"""How many parts a template looks at: one somewhere before another; one right before another, and
whether their head is placed by then; the same, whatever the head; three in a row."""
ATTRIBUTES = (
    *("label", "relation", "upos", "tag", "lemma", "features", "marker", "below"),
    *("size", "first", "first_tag", "first_two", "last", "last_tag", "last_two", "asks", "opens"),
)
"""Of a part: its node's own, what hangs below it, and its words."""
OF_HEAD = ("upos", "tag", "lemma", "label", "below", "count", "above", "sentence")
MOST_TEMPLATES = 512

Columns = tuple[tuple[str, ...], ...]
"""The attributes of each part, and in the last place those of the head."""


@dataclass(frozen=True)
class SiblingTemplates:
    """Templates by kind, in the order of their file."""

    name: str
    text: str
    by_kind: Mapping[str, tuple[Columns, ...]]

    def __len__(self) -> int:
        return len([line for lines in self.by_kind.values() for line in lines])


def load_sibling_templates(name: str = USUAL) -> SiblingTemplates:
    """The templates of a file in ``tables/``; ``ValueError`` for no such file."""
    folder = files("wordorder_lab.linearization") / "tables"
    return parse_sibling_templates(template_text(folder, name), name)


def parse_sibling_templates(text: str, name: str = "") -> SiblingTemplates:
    """The templates that a text lists; ``ValueError`` with the line for what is none.

    Every kind has one at least.
    """
    found: dict[str, list[Columns]] = {kind: [] for kind in KINDS}
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip() and not line.startswith("#"):
            kind, columns = _template(line, f"line {number} of the templates {name}")
            found[kind].append(columns)
    missing = [kind for kind, lines in found.items() if not lines]
    if missing:
        raise ValueError(f"the templates {name} have no line that begins with {missing[0]}")
    return SiblingTemplates(name, text, {kind: tuple(lines) for kind, lines in found.items()})


def _template(line: str, where: str) -> tuple[str, Columns]:
    of_parts, apart, of_head = line.partition("//")
    kind, *columns = (column.split() for column in of_parts.split("|"))
    if not apart or len(kind) != 1 or len(columns) != KINDS.get(kind[0]):
        kinds = ", ".join(KINDS)
        raise ValueError(
            f"{where}: {cited(line)} is not one of {kinds}, a column for each part behind |, and "
            "what is looked at of the head behind //"
        )
    for known, column in [*((ATTRIBUTES, c) for c in columns), (OF_HEAD, of_head.split())]:
        for attribute in column:
            if attribute not in known:
                raise ValueError(f"{where}: no {cited(attribute)}; there are {', '.join(known)}")
    return kind[0], (*map(tuple, columns), tuple(of_head.split()))
