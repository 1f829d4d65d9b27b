"""What notebook 40 looks at in a chart: the items of its cells, and the grid of the last one."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple

from nltk.tree import Tree

from wordorder_lab.check.common.small_transducer import READ, by_hand
from wordorder_lab.models.kneser_ney import estimate
from wordorder_lab.structures.phrase_tree import phrase_nodes
from wordorder_lab.structures.synchronous_rule import parse_rule
from wordorder_lab.systems.cohn_lapata_2009 import CompressionModel
from wordorder_lab.trace.folds.transduction import words_of
from wordorder_lab.trace.log import EventLog
from wordorder_lab.trace.replay import fold


def chart_rows(log: EventLog, model: CompressionModel, tree: Tree) -> list[dict[str, Any]]:
    """The items of each cell with two words or more, as rows.

    *seems* is the score with the words that wait taken alone, by which items are compared.
    """
    books = fold(log, len(log), "transduction")
    nodes = phrase_nodes(tree)
    rows = []
    for cell in books["cells"]:
        begin, end = nodes.begins[cell["node"]], nodes.ends[cell["node"]]
        if end - begin < 2:
            continue
        of_cell = f"{nodes.labels[cell['node']]}: {' '.join(nodes.leaves[begin:end])}"
        for number in cell["items"]:
            words, score = words_of(books, number), books["items"][number - 1]["score"]
            waiting = 0.0
            for word in words[:2]:
                waiting += model.ngrams.log_prob((), model.ngrams.word_id(word))
            context = f"{' '.join(words[:2])} … {' '.join(words[-2:])}"
            row = {"cell": of_cell, "as": cell["category"], "words": " ".join(words)}
            rows.append({**row, "context": context, "score": score, "seems": score + waiting})
    return rows


def with_memory(order: int, tree: Tree) -> dict[str, int]:
    """What the exhaustive search makes with an n-gram model of this order, as a row."""
    ngrams = estimate([line.split() for line in READ], order)
    shorter = replace(by_hand(), ngrams=ngrams)
    end = shorter.compress(tree, beam="exact", search="exhaustive", engine="reference")
    names = ("combinations", "items")
    return {"n-grams of": order, **{name: end.counters[name] for name in names}}


class Taken(NamedTuple):
    """A combination: when it was taken, what it seems to be worth, and what it is worth."""

    number: int
    seems: float
    score: float

    def __str__(self) -> str:
        return f"{self.seems:.2f} → {self.score:.2f}  [{self.number}]"


class GridSeen(NamedTuple):
    """The grid of a rule with two variables: the words along its sides, and what was taken."""

    rows: list[str]
    columns: list[str]
    taken: dict[tuple[int, ...], Taken]

    def table(self) -> list[dict[str, str]]:
        """A row for each item of the first variable; fields that were not taken are empty."""
        return [
            {"": f"{name} +"}
            | {to: str(self.taken.get((i, j), "")) for j, to in enumerate(self.columns)}
            for i, name in enumerate(self.rows)
        ]


def grid_of(log: EventLog) -> GridSeen:
    """The grid of the last cell's rule with two variables, or of the one that was taken most."""
    books = fold(log, len(log), "transduction")
    grids: dict[int, dict[tuple[int, ...], Taken]] = {}
    for number, made in enumerate(books["cells"][-1]["taken"], 1):
        if len(made["ranks"]) == 2:
            taken = Taken(number, made["heuristic"], made["score"])
            grids.setdefault(made["application"], {})[tuple(made["ranks"])] = taken
    application, grid = max(grids.items(), key=lambda named: len(named[1]))
    rows, columns = _sides(books, application)
    return GridSeen(rows, columns, grid)


def _sides(books: dict[str, Any], application: int) -> tuple[list[str], list[str]]:
    """The words of the items of the two variables, best first."""
    told = books["applications"][application]
    variables = parse_rule(told["rule"]).target.frontier()
    labels = [node.label for node in variables if not isinstance(node, str)]
    sides = []
    for child, label in zip(told["children"], labels, strict=True):
        cell = books["cells"][books["places"][f"{child} {label}"]]
        sides.append([" ".join(words_of(books, item)) for item in cell["items"]])
    first, second = sides
    return first, second
