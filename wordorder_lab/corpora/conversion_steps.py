"""What each step from a Penn tree to a CCG derivation does, in words: for those who look on."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from nltk.tree import Tree

    from wordorder_lab.corpora.penn_to_ccg.convert import Conversion

PENN = "Penn"
STEPS = {
    PENN: "the tree as the Treebank has it, traces and function tags included",
    "preprocessed": "empty elements leave or stay as what is missing; small clauses are taken "
    "apart; every verb has its feature",
    "constituent types": "in every phrase one head, its complements, its adjuncts, and marks",
    "binarised": "two children at most: complements and adjuncts join the head one by one",
    "categories": "from the root down: a complement has its own, an adjunct is X/X, a head takes "
    "the rest; what a trace stands for is missing until its filler is met",
}
"""What each step of the conversion does, by its name."""


def titled_steps(tree: Tree, conversion: Conversion) -> list[tuple[str, Tree]]:
    """Each tree on the way, under its name and a line on what was done; the first is ``tree``."""
    steps = [step for step in conversion.steps if step[0] != PENN]
    every = [(PENN, tree), *steps]
    return [(f"{name}: {STEPS[name]}" if name in STEPS else name, made) for name, made in every]


def outcome(conversion: Conversion) -> str:
    """What stands above the derivation, or why there is none."""
    if conversion.derivation is not None:
        return "derivation: as linguists draw it"
    return f"no derivation ({conversion.reason}): {conversion.detail}"
