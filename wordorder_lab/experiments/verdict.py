"""A claim, and what became of it: what is kept of both, and counted.

Judging is in ``claims``; this is light enough for a list.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from wordorder_lab.experiments.measures.claim import Claim

REPRODUCED = "reproduced"
SAME = "same direction, not significant"
NOT = "not reproduced"
OPPOSITE = "opposite"
NOT_JUDGED = "not judged yet"
VERDICTS = (REPRODUCED, SAME, NOT, OPPOSITE, NOT_JUDGED)
"""Same direction and significant; the same without; another direction or none, not significant;
significant the other way; and of a record that keeps no scores of sentences."""


class Verdict(NamedTuple):
    """What came out: ``verdict`` is one of ``VERDICTS``.

    ``difference`` is ours in the quantity's points (of a curve: the rank correlation), with the
    95 % ``interval`` and the two-sided ``p_value`` where a test could be made; ``told`` says it in
    words.
    """

    claim: Claim
    verdict: str
    told: str
    difference: float | None = None
    interval: tuple[float, float] | None = None
    p_value: float | None = None


def as_data(verdicts: Sequence[Verdict]) -> list[dict[str, str]]:
    """Verdicts as JSON-ready values."""
    return [{"says": one.claim.says, "verdict": one.verdict, "told": one.told} for one in verdicts]


def counted(verdicts: Sequence[Verdict]) -> dict[str, int]:
    """How many claims have each verdict, in the order of ``VERDICTS``."""
    every = [one.verdict for one in verdicts]
    return {verdict: every.count(verdict) for verdict in VERDICTS}


def count_line(verdicts: Iterable[Sequence[Verdict]]) -> str:
    """How many claims came out how: "9 claims of the papers: 5 reproduced, ..."."""
    every = [one for mine in verdicts for one in mine]
    whose = {
        "of the papers": [one for one in every if not one.claim.ours],
        "of ours": [one for one in every if one.claim.ours],
    }
    lines = []
    for name, mine in whose.items():
        parts = [f"{number} {verdict}" for verdict, number in counted(mine).items() if number]
        noun = "claim" if len(mine) == 1 else "claims"
        lines += [f"{len(mine)} {noun} {name}: {'; '.join(parts)}"] if mine else []
    return ". ".join(lines) or "no claims"
