"""From a Penn tree to a CCG derivation: Hockenmaier & Steedman (2007), all steps in order.

    from wordorder_lab.corpora.penn_to_ccg.convert import to_derivation

    conversion = to_derivation(tree)
    conversion.derivation.picture()
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from wordorder_lab.structures.derivation import Derivation

if TYPE_CHECKING:
    from nltk.tree import Tree

REASONS = (
    "no words",
    "no tree of ours",
    "too deep",
    "trace",
    "coordination",
    "unary step",
    "no rule",
)
"""Why a tree may have no derivation; a reason may go on behind a colon."""


@dataclass(frozen=True, slots=True)
class Conversion:
    """What came of a tree: a derivation, or the ``reason`` why there is none.

    ``reason`` begins with one of ``REASONS`` and is empty if there is a derivation; ``detail`` is
    one line for a person. ``steps`` is empty unless asked for: the name of each step with the tree
    that it made.
    """

    derivation: Derivation | None
    reason: str = ""
    detail: str = ""
    steps: tuple[tuple[str, Tree], ...] = ()


def to_derivation(tree: Tree, *, steps: bool = False) -> Conversion:
    """The derivation of a Penn tree, traces and function tags included; ``steps`` keeps them."""
    return Conversion(None, "no rule", "no step is written yet")
