"""What the gallery shows of compression: a tree transduced, and what cube pruning saves."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Sequence
from typing import Any

from wordorder_lab.commands.gallery.pages import OURS, Found, Page, page
from wordorder_lab.corpora import CorpusError, load_compressions
from wordorder_lab.structures.compression import Compression, CompressionPair, prepared, presented
from wordorder_lab.systems.cohn_lapata_2009 import CompressionModel
from wordorder_lab.trace.log import EventLog

PAIRS, WORDS = 80, 14
"""Pairs, of so many words at most, for the model that is trained where none is given."""
LENGTHS, LOOKED_AT = (6, 10), 12
"""The sentence that is shown: so many words, and the best to watch of so many."""
FEW = 4
"""Items a cell where every combination is looked at: few enough to see them all."""


def pairs_to_learn(corpus: str) -> tuple[Sequence[CompressionPair], str]:
    """Short pairs of a corpus, and its name; of the Gazette if it has none."""
    try:
        every = load_compressions(corpus).train
    except CorpusError:
        return pairs_to_learn(OURS)
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
    **options: Any,
) -> Page:
    """A search on one of these sentences, a short one; ``options`` as ``compress`` takes it."""
    pair = to_watch(model, held_out, options.get("bonus", 0.0))
    result, log = _search(model, pair, **options)
    found = Found(result.text, meant_by(pair))
    more = {"found": (found,), "settings": f"beam {options['beam']}" if "beam" in options else ""}
    return page("tree-transduction", {}, well=found.is_right, log=log, **more)


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
    right = []
    for pair in near:
        tree = model.compress(pair.source, engine="reference", beam=FEW, bonus=bonus).tree
        if prepared(tree).leaves() == prepared(pair.target).leaves():
            right.append(pair)
    return max(right or near[:1], key=lambda pair: len(pair.source.leaves()))


def _search(
    model: CompressionModel, pair: CompressionPair, **options: Any
) -> tuple[Compression, EventLog]:
    log = EventLog()
    return model.compress(pair.source, trace=log, **options), log


def _with_and_without(model: CompressionModel, pair: CompressionPair, engine: str | None) -> Page:
    (pruned, cube), (best, every) = (
        _search(model, pair, engine=engine, beam=FEW, search=search)
        for search in ("cube", "exhaustive")
    )
    fewer, more = (result.counters["combinations"] for result in (pruned, best))
    meant = meant_by(pair)
    return page(
        "cube-pruning",
        {"fewer": fewer, "more": more},
        well=pruned.text == best.text,
        log=cube,
        other=every,
        names=("cube pruning", "every combination"),
        found=(Found(pruned.text, meant, "A"), Found(best.text, meant, "B")),
        settings=f"{FEW} items a cell",
    )
