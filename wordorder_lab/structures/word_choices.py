"""What a bag may leave open for CCG: how often a unit is used, and which categories it may have.

Zhang & Clark 2011, section 3 (word selection) and section 6.1 (a list of categories for each word,
from a supertagger).
"""

from __future__ import annotations

from collections.abc import Sequence

from wordorder_lab.structures.category import Category, CategoryError

ONCE = (1, 1)
"""The count of a unit of which nothing else is said."""

MAX_COUNT = 100


def usable_counts(unit: Sequence[str], pair: Sequence[int] | None) -> tuple[int, int]:
    """(least, most) of a unit; raises ``ValueError`` for what cannot be."""
    if pair is None:
        return ONCE
    match tuple(pair) if isinstance(pair, Sequence) else pair:
        case int(least), int(most) if 0 <= least <= most <= MAX_COUNT:
            return least, most
    raise ValueError(
        f"the counts of {' '.join(unit)!r} are {pair!r}: give (least, most), two whole numbers "
        f"from 0 to {MAX_COUNT}, the first not above the second"
    )


def usable_categories(unit: Sequence[str], texts: Sequence[str] | None) -> tuple[str, ...] | None:
    """The categories of a unit, sorted, each once; raises ``ValueError`` for what is none."""
    if texts is None:
        return None
    listed = isinstance(texts, Sequence) and not isinstance(texts, str)
    if not listed or not texts or not all(isinstance(one, str | Category) for one in texts):
        raise ValueError(
            f"the categories of {' '.join(unit)!r} are {texts!r}: give a list of one or more, "
            "or None"
        )
    try:
        return tuple(sorted({str(Category.parse(str(text))) for text in texts}))
    except CategoryError as error:
        raise ValueError(f"the categories of {' '.join(unit)!r}: {error}") from None
