"""The templates of features, as data: one a line of a file in ``tables/``.

``w-1`` is the word before, ``t0 t+1`` the word's own tag with the next one, ``c-2 c-1`` the two
categories chosen before. A template that looks at categories looks at nothing else.

Differences
- *Our reading*: Clark & Curran (2007) name words and tags in a window of five and the two
  categories before; which of them are looked at together is taken from what taggers of their
  family do: pairs of neighbouring tags, the tags on both sides, a word with its tag.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from importlib.resources import files

from wordorder_lab.structures.messages import cited
from wordorder_lab.structures.templates import template_text

USUAL = "clark_curran_2007"
"""The template file that is used unless another is named."""
MOST_TEMPLATES = 24
"""So many features of one word, each with a weight within reason, never leave the numbers."""
WINDOW = 4
"""How far a template may look, to either side."""

Part = tuple[str, int]
"""What is looked at, ``w`` or ``t`` or ``c``, and how far away."""
_PART = re.compile(r"([wt])(0|[+-][1-9])|(c)(-[12])")


@dataclass(frozen=True)
class TagTemplates:
    """Templates in the order of their file, those of the window first, then those of history."""

    name: str
    text: str
    window: tuple[tuple[Part, ...], ...]
    history: tuple[tuple[Part, ...], ...]

    def __len__(self) -> int:
        return len(self.window) + len(self.history)


def load_tag_templates(name: str = USUAL) -> TagTemplates:
    """The templates of a file in ``tables/``; ``ValueError`` for no such file."""
    folder = files("wordorder_lab.supertagging") / "tables"
    return parse_tag_templates(template_text(folder, name), name)


def parse_tag_templates(text: str, name: str = "") -> TagTemplates:
    """The templates that a text lists; ``ValueError`` with the line for what is none."""
    window: list[tuple[Part, ...]] = []
    history: list[tuple[Part, ...]] = []
    for number, line in enumerate(text.splitlines(), 1):
        words = line.partition("#")[0].split()
        if words:
            parts = tuple(_part(word, f"line {number} of the templates {name}") for word in words)
            kinds = {kind for kind, _ in parts}
            if len(parts) > 2 or ("c" in kinds and len(kinds) > 1):
                raise ValueError(
                    f"line {number} of the templates {name}: {cited(line)} is not one value or "
                    "two, of words and tags, or of categories"
                )
            (history if kinds == {"c"} else window).append(parts)
    if not 1 <= len(window) + len(history) <= MOST_TEMPLATES or not window:
        raise ValueError(f"the templates {name} are not 1 to {MOST_TEMPLATES}, some of the window")
    return TagTemplates(name, text, tuple(window), tuple(history))


def _part(word: str, where: str) -> Part:
    match = _PART.fullmatch(word)
    if match is None or abs(int(match[2] or match[4])) > WINDOW:
        raise ValueError(
            f"{where}: {cited(word)} is none of w0, t-1, c-2 and the like (as far as {WINDOW} away)"
        )
    return match[1] or match[3], int(match[2] or match[4])
