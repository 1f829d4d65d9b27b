"""What the log probability of a constituent is made of: its rules, as the log of a search tells.

A constituent scores its rule and what it is made of, so the rule's share is what its parts leave.
"""

from __future__ import annotations

from collections.abc import Sequence

from wordorder_lab.structures.reasons import Reasons
from wordorder_lab.structures.trace import Event


def rule_reasons(events: Sequence[Event]) -> Reasons:
    """The log probability of the rule or tag that each constituent ends with."""
    words: Sequence[str] = ()
    made: dict[int, tuple[str, float]] = {0: ("", 0.0)}
    points = {}
    for kind, *values in events:
        if kind == "begin":
            words = values[0]
        elif kind == "constituent":
            serial, start, _, label, score, left, right = values
            if left not in made or right not in made:
                continue
            made[serial] = label, score
            below = [made[part][0] for part in (left, right) if part] or [f"“{words[start]}”"]
            own = score - made[left][1] - made[right][1]
            points[str(serial)] = [(f"{label} → {' '.join(below)}", own)] if own else []
    return Reasons(points)
