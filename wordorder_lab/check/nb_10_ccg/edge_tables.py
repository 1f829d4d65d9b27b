"""How the scores of CCG edges come about, as rows of a table, and the signs of rules in words."""

from __future__ import annotations

from wordorder_lab.best_first.edge import Edge
from wordorder_lab.check.nb_10_ccg.ccg_by_hand import OnPaper
from wordorder_lab.structures.derivation import SIGNS

SIGN_NAMES = {
    "leaf": "leaf",
    **{sign: f"{sign}  {name}" for name, sign in SIGNS.items() if sign},
    ">T": ">T  tr",
    "<T": "<T  tr",
    "p": "p  lp, rp",
}
"""The sign that an edge's action begins with, and the names of the rules that have it."""


def sums(search: OnPaper) -> list[dict[str, str | int]]:
    """A row for each edge that was made: its parts, what its last step adds, its scaled score."""
    return [_row(search, edge) for edge in search.made]


def _row(search: OnPaper, edge: Edge) -> dict[str, str | int]:
    gained = [search.weight(feature) for feature in search.features(edge)]
    return {
        "edge": edge.serial,
        "words": search.text(edge),
        "category": str(edge.category),
        "made by": _made_by(edge),
        "its parts": " + ".join(f"{part.total:g}" for part in edge.parts) or "-",
        "the last step": " + ".join(f"{gain:g}" for gain in gained if gain) or "0",
        "f(e)": f"{edge.total:g}",
        "|e|": edge.actions,
        "f(e) / |e|": f"{edge.score:.2f}",
    }


def _made_by(edge: Edge) -> str:
    """The sign of the step, between the numbers of the parts if there are two."""
    sign = edge.action.split()[0] if edge.parts else "leaf"
    numbers = [str(part.serial) for part in edge.parts]
    return f"{numbers[0]} {sign} {numbers[1]}" if len(numbers) == 2 else " ".join([sign, *numbers])
