"""What a treebank grammar gains where its symbols remember more: measured on a few trees."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from nltk.tree import Tree

from wordorder_lab.corpora.readers.corpus import CorpusError
from wordorder_lab.corpora.readers.penn import without_traces
from wordorder_lab.corpora.treebanks import load_treebank
from wordorder_lab.metrics.evalb import bracket_scores
from wordorder_lab.systems import train
from wordorder_lab.trace.log import EventLog

LONGEST = 15
"""Words of a tree that is read or parsed here."""
READ, PARSED = 400, 40
"""So many trees are read, and so many are parsed."""
SETTINGS: tuple[dict[str, Any], ...] = (
    {"vertical": 1, "horizontal": 0, "splits": "none"},
    {"vertical": 1, "horizontal": 1, "splits": "none"},
    {"vertical": 2, "horizontal": 1, "splits": "none"},
    {"vertical": 2, "horizontal": 1, "splits": "all"},
    {"vertical": 3, "horizontal": 2, "splits": "all"},
)
"""From symbols that remember nothing to the usual ones, and one step further."""


def by_memory(engine: str | None = None) -> list[dict[str, Any]]:
    """A row for each of ``SETTINGS``: symbols, binary rules, F1 of labelled brackets.

    The trees are short ones of the Penn sample, or of the Gazette where that is not here.
    """
    name = _treebank()
    corpus = load_treebank(name)
    read, held = (_short(part, most) for part, most in ((corpus.train, READ), (corpus.dev, PARSED)))
    rows = []
    for settings in SETTINGS:
        parser = train("parser", read, progress=False, **settings)
        outputs = [parser.parse(tree.leaves(), engine=engine).tree for tree in held]
        rows.append(
            {
                "trees of": name,
                **settings,
                "symbols": len(parser.grammar.symbols),
                "binary rules": len(parser.grammar.lefts),
                "bracket F1": bracket_scores(held, outputs).f1,
            }
        )
    return rows


def constituents(log: EventLog, start: int, end: int) -> list[dict[str, Any]]:
    """What stood in the cell of a span, words ``start`` to ``end`` (not included), best first."""
    events = [event for event in log if event[0] == "constituent" and event[2:4] == (start, end)]
    events.sort(key=lambda event: -event[5])
    return [{"symbol": event[4], "log probability": event[5]} for event in events]


def _treebank() -> str:
    try:
        return "ptb-sample" if len(load_treebank("ptb-sample").dev) else "gazette"
    except CorpusError:
        return "gazette"


def _short(trees: Sequence[Any], most: int) -> list[Tree]:
    return [tree for tree, _ in zip(_kept(trees), range(most))]


def _kept(trees: Sequence[Any]) -> Iterator[Tree]:
    for one in trees:
        tree = without_traces(one.tree)
        if tree is not None and 3 <= len(tree.leaves()) <= LONGEST:
            yield tree
