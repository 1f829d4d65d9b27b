"""What the gallery shows of compression: a tree transduced, and what cube pruning saves."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Sequence
from typing import Any

from wordorder_lab.commands.gallery.pages import OURS, Found, Page
from wordorder_lab.corpora import CorpusError, load_compressions
from wordorder_lab.structures.compression import (
    Compression,
    CompressionPair,
    prepared,
    presented,
)
from wordorder_lab.systems.cohn_lapata_2009 import CompressionModel
from wordorder_lab.trace.log import EventLog

PAIRS, WORDS = 80, 14
"""Pairs, of so many words at most, for the model that is trained where none is given."""
SHORTER = "Making sentences shorter"
LENGTHS, LOOKED_AT = (6, 10), 12
"""The sentence that is shown: so many words, and the best to watch of so many."""
FEW = 4
"""Items a cell where every combination is looked at: few enough to see them all."""


def pairs_to_learn(corpus: str) -> tuple[Sequence[CompressionPair], str]:
    """Short pairs of a corpus, and its name; of the Gazette if it has none."""
    try:
        every = load_compressions(corpus).train
    except CorpusError:
        corpus = OURS
        every = load_compressions(OURS).train
    short = [pair for pair in every if len(pair.source.leaves()) <= WORDS]
    return (short or every)[:PAIRS], corpus


def compression_pages(model: CompressionModel, arguments: Namespace) -> list[Page]:
    """One search with its outputs, and the same sentence with cube pruning and without."""
    held_out = load_compressions(OURS).dev
    return [
        compression_page(model, held_out, beam=arguments.beam, engine=arguments.engine),
        _with_and_without(model, to_watch(model, held_out), arguments.engine),
    ]


def compression_page(
    model: CompressionModel,
    held_out: Sequence[CompressionPair],
    **how: Any,
) -> Page:
    """A search on one of these sentences, a short one; ``how`` as ``compress`` takes it."""
    pair = to_watch(model, held_out, how.get("bonus", 0.0))
    result, log = _search(model, pair, **how)
    found = Found(result.text, meant_by(pair))
    return Page(
        "tree-transduction.html",
        SHORTER,
        "Which rule leaves which words out?" if found.is_right else "Where does a rule go wrong?",
        "The source tree, cell by cell from below: which rules match, and what the best items of "
        "each cell say. Click a node in the end to see its rule.",
        7,
        "source",
        log,
        view="transduction",
        found=(found,),
        how=f"beam {how['beam']}" if "beam" in how else "",
    )


def meant_by(pair: CompressionPair) -> str:
    """The shorter sentence of a pair, as a result writes it."""
    return " ".join(presented(prepared(pair.target).leaves()))


def to_watch(
    model: CompressionModel, pairs: Sequence[CompressionPair], bonus: float = 0.0
) -> CompressionPair:
    """A short sentence that comes out right and shorter, if there is one: the longest of them."""
    fewest, most = LENGTHS
    near = [pair for pair in pairs if fewest <= len(pair.source.leaves()) <= most][:LOOKED_AT]
    near = near or [min(pairs, key=lambda pair: len(pair.source.leaves()))]
    right = [pair for pair in near if _is_right(model, pair, bonus)]
    return max(right or near[:1], key=lambda pair: len(pair.source.leaves()))


def _is_right(model: CompressionModel, pair: CompressionPair, bonus: float) -> bool:
    words = model.compress(pair.source, engine="reference", beam=FEW, bonus=bonus).tree
    return bool(prepared(words).leaves() == prepared(pair.target).leaves())


def _search(
    model: CompressionModel, pair: CompressionPair, **how: Any
) -> tuple[Compression, EventLog]:
    log = EventLog()
    return model.compress(pair.source, trace=log, **how), log


def _with_and_without(model: CompressionModel, pair: CompressionPair, engine: str | None) -> Page:
    (pruned, cube), (best, every) = (
        _search(model, pair, engine=engine, beam=FEW, search=search)
        for search in ("cube", "exhaustive")
    )
    fewer, more = (result.counters["combinations"] for result in (pruned, best))
    meant = meant_by(pair)
    return Page(
        "cube-pruning.html",
        SHORTER,
        "What can cube pruning leave out?"
        if pruned.text == best.text
        else "What does cube pruning miss?",
        f"A goes through the grid of each rule from its best corner and looks at {fewer:,} "
        f"combinations; B looks at all {more:,}.",
        5,
        "grid",
        cube,
        every,
        ("cube pruning", "every combination"),
        "transduction",
        (Found(pruned.text, meant, "A"), Found(best.text, meant, "B")),
        f"{FEW} items a cell",
    )
