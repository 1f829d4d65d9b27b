"""How the scores of dependency edges come about, as rows of a table."""

from __future__ import annotations

from wordorder_lab.best_first.dependency import BestFirstDependency
from wordorder_lab.best_first.edge import Edge
from wordorder_lab.check.nb_11_12_best_first.small_search import drawn


def edges_made(search: BestFirstDependency) -> list[Edge]:
    """Every edge of a search whose chart drops none, in the order in which they were made."""
    on_agenda = [edge for _, edge in search.agenda.heap]
    return sorted([*search.chart, *on_agenda, *search.goals], key=lambda edge: edge.serial)


def sums(search: BestFirstDependency) -> list[dict[str, str | int]]:
    """A row for each edge: its parts, what its last action adds, its scaled score."""
    return [_row(search, edge) for edge in edges_made(search)]


def _row(search: BestFirstDependency, edge: Edge) -> dict[str, str | int]:
    gained = [gain for gain in map(search.weight, search.features(edge)) if gain]
    return {
        "edge": edge.serial,
        "": drawn(edge, [item.form for item in search.problem.items]),
        "its parts": " + ".join(f"{part.total:g}" for part in edge.parts) or "-",
        "the last action": " + ".join(f"({g:g})" if g < 0 else f"{g:g}" for g in gained) or "0",
        "f(e)": f"{edge.total:g}",
        "|e|": edge.actions,
        "f(e) / |e|": f"{edge.score:.2f}",
    }
