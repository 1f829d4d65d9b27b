"""The event schema, declared once: what each kind of event says, column by column.

Both engines emit these kinds with these columns in the same order; the players replay them.
Types are ``int``, ``float``, ``str`` and ``list`` (of any of them).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

VERSION = 2
"""Goes up whenever a kind or a column changes its meaning."""


class Kind(NamedTuple):
    """One kind of event: its columns in order with their types, and what it says."""

    columns: Mapping[str, type]
    says: str


SCHEMA: dict[str, Kind] = {
    "begin": Kind(
        {"units": list, "counts": list, "items": int, "beam": int},
        "A search begins on these units (with counts), offered as so many items (unit and tag).",
    ),
    "step": Kind({"step": int}, "The states of the beam are about to be expanded."),
    "candidate": Kind(
        {"serial": int, "parent": int, "action": str, "score": float},
        "A successor of state `parent` (0: the initial state) was scored.",
    ),
    "kept": Kind({"serial": int, "rank": int}, "The candidate entered the next beam at this rank."),
    "cut": Kind(
        {"serial": int, "margin": float},
        "The candidate did not enter the beam; it lost to the last state in it by this margin.",
    ),
    "gold": Kind(
        {"step": int, "serial": int, "rank": int},
        "After this step the gold state is this candidate, at this rank of the beam. Rank -1: it "
        "was cut. Serial -1, too: it was never a candidate, since its parent had been cut before.",
    ),
    "finished": Kind({"serial": int, "score": float}, "The search ended; this state is the best."),
    "update": Kind(
        {"example": int, "step": int, "reason": str, "gold": float, "predicted": float},
        "The learner updates on the first `step` actions; the scores of the two prefixes before.",
    ),
    "weight": Kind(
        {"feature": str, "action": str, "before": float, "after": float},
        "One weight has changed.",
    ),
    # Last, so that frames and pages of logs without it stay as they were.
    "forbidden": Kind(
        {"parent": int, "action": str, "reason": str},
        "What is given about the bag forbids this action of state `parent`, and this is why. These "
        "come after the state's candidates, where heads or orders are given.",
    ),
}
