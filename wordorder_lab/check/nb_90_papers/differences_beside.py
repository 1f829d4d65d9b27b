"""By how much: the differences that papers print, beside ours with their intervals."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from statistics import median
from typing import Any

from wordorder_lab.check.nb_90_papers.claims_by_paper import Papers
from wordorder_lab.experiments.measures.claims import Verdict
from wordorder_lab.experiments.paper_values import TIMES
from wordorder_lab.experiments.specification import load_specification
from wordorder_lab.experiments.verdicts import paper_table
from wordorder_lab.plots import Difference


def difference_panels(papers: Papers) -> dict[str, list[Difference]]:
    """Paper -> its differences beside ours; papers that print none are left out.

    Of claims that a paper makes of a quantity which it prints itself (a rating by people is no
    relation F1), and of no times, which are of another machine.
    """
    found = {paper: [*_differences(of)] for paper, of in papers.items()}
    return {paper: mine for paper, mine in found.items() if mine}


def _differences(of: Mapping[str, Sequence[Verdict]]) -> Iterator[Difference]:
    for name, verdicts in of.items():
        quantities = {*paper_table(name)["quantity"], *_named(name)}
        for one in verdicts:
            claim = one.claim
            if claim.printed is None or one.difference is None or one.interval is None:
                continue
            if claim.on in quantities and claim.on not in TIMES:
                yield Difference(claim.printed, one.difference, *one.interval, one.verdict)


def _named(name: str) -> set[str]:
    """Quantities that the paper's values name, whatever of them was run here."""
    values = load_specification(name).paper.get("values", [])
    return {quantity for value in values for quantity in value}


def size_rows(panels: Mapping[str, Sequence[Difference]]) -> list[dict[str, Any]]:
    """A row a paper: how many go its way, and how many of its differences ours could still be."""
    rows = []
    for paper, mine in panels.items():
        rows.append(
            {
                "paper": paper,
                "differences": len(mine),
                "same direction": sum(one.printed * one.ours > 0 for one in mine),
                "the paper's is in our interval": sum(
                    one.low <= one.printed <= one.high for one in mine
                ),
                "ours is smaller": sum(abs(one.ours) < abs(one.printed) for one in mine),
                "half of our intervals reach at least ±": median(
                    (one.high - one.low) / 2 for one in mine
                ),
            }
        )
    return rows
