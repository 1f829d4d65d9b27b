"""Table 1's templates as an integer program; ``edge_program_fast`` says how one is run.

What stands in a row: words as pairs of word and tag from 1 up, in the sentence's own numbering;
categories and rules by their number among the features, 0 where training never saw them; the size.
"""

from __future__ import annotations

from wordorder_lab.features import ccg_notation as notation
from wordorder_lab.features.edge_keys import EdgeKeys
from wordorder_lab.features.edge_program_fast import BITS, LABEL, EdgeProgram, compile_parts

COLUMNS = (
    *("category", "size", "head", "0", "1", "-2", "-1", "rule", "nonhead"),
    *("B-2", "B-1", "B", "B+1", "C-2", "C-1", "C", "C+1"),
)
"""The order of the slots in a row."""

(
    CATEGORY, SIZE, HEAD, FIRST1, FIRST2, LAST2, LAST1, RULE, NONHEAD, BOUNDARY,
) = range(10)  # fmt: skip
LEXICAL, WIDTH = 13, 17
"""Where each slot stands; the four words around the boundary from ``BOUNDARY`` on, their categories
from ``LEXICAL`` on."""

ALL, LONGER, BINARY, UNARY = range(4)
"""Which edges a group is for, as ``edge_program_fast`` counts them."""


def compile_ccg_program(keys: EdgeKeys) -> EdgeProgram:
    """Translate the template set of a numbering. Raises ``ValueError`` for what does not fit."""
    most = max(len(keys.categories), len(keys.rules))
    if most >= (1 << BITS[LABEL]) - 2:
        raise ValueError(
            f"{most:,} categories or rules are too many for the fast engine, which has room for "
            f"{(1 << BITS[LABEL]) - 2:,}: use engine='reference'"
        )
    columns = {slot: i for i, slot in enumerate(COLUMNS)}
    when = {
        notation.ALL: ALL,
        notation.LONGER: LONGER,
        notation.BINARY: BINARY,
        notation.UNARY: UNARY,
    }
    parts = [
        (section, {slot: columns[slot] for slot in notation.SLOTS[section]}, when[section])
        for section in notation.SECTIONS
    ]
    return compile_parts(keys, parts)
