"""What the gallery shows of sentences that are parsed, shortened by leaving words out, and made of
lemmas."""

from __future__ import annotations

import re
from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from wordorder_lab.commands.gallery.compression import meant_by
from wordorder_lab.commands.gallery.pages import OURS, Found, Page, page, train_as
from wordorder_lab.corpora import load_compressions, load_corpus
from wordorder_lab.corpora.lemma_corpora import load_lemma_trees
from wordorder_lab.corpora.treebanks import load_treebank
from wordorder_lab.experiments.runs.schema import Row
from wordorder_lab.structures.compression import CompressionPair
from wordorder_lab.systems import train
from wordorder_lab.systems.model import TrainedModel
from wordorder_lab.trace.log import EventLog

PAIRS, WORDS, LENGTHS = 80, 14, (9, 12)
"""Pairs to learn deletion from, of so many words at most; the sentence that is shown."""
LOOKED_AT = 40
TREES, PARSED = 300, (7, 9)
"""Trees to read a grammar from, and words of the sentence that is parsed."""
LEMMAS, NODES = 100, (6, 8)
"""Trees of lemmas to learn from, and nodes of the one that is shown."""
DELETION: Row = {"epochs": 2}
REALIZATION: Row = {"beam": 4, "epochs": 2, "english": False}
"""Without the lists of English forms, which belong to others and are not on every machine."""


def sentence_pages(arguments: Namespace) -> list[Page]:
    """Models for these are trained on the Gazette, whatever corpus the others learn from."""
    pairs = load_compressions(OURS)
    return [
        *deletion_pages(pairs.train, pairs.dev, arguments),
        parsing_page(arguments),
        realization_page(arguments),
    ]


def deletion_pages(
    learned: Sequence[CompressionPair], held_out: Sequence[CompressionPair], arguments: Namespace
) -> list[Page]:
    """Words left out by the best path, and by an integer programme with constraints."""
    short = [pair for pair in learned if len(pair.source.leaves()) <= WORDS][:PAIRS]
    paths = train_as("mcdonald-2006", short, arguments, **DELETION)
    programme = _programme(short)
    fewest, most = LENGTHS
    near = [p for p in held_out if p.kind == "deletion"]
    near = [p for p in near if fewest <= len(p.source.leaves()) <= most][:LOOKED_AT]
    shown = max(near, key=lambda pair: _left_out(paths, pair, arguments))
    return [
        _shortened("deletion", paths, shown, arguments),
        _constrained(programme, near, arguments),
    ]


def _programme(pairs: Sequence[CompressionPair]) -> TrainedModel:
    """Its trigrams are counted on the Gazette's sentences."""
    with TemporaryDirectory() as folder:
        text = Path(folder) / f"{OURS}.txt"
        lines = [sentence.text for sentence in load_corpus(OURS, units="words").train]
        text.write_text("\n".join(lines), encoding="utf-8")
        model: TrainedModel = train("clarke-lapata-2008-lm", pairs, text=[str(text)])
        return model


def _kept(pair: CompressionPair) -> list[str]:
    return meant_by(pair).split()


def _left_out(model: Any, pair: CompressionPair, arguments: Namespace) -> int:
    """How many words go, where the output is what was meant."""
    text = model.compress(pair.source, engine=arguments.engine).text
    return len(pair.source.leaves()) - len(text.split()) if text == meant_by(pair) else 0


def _shortened(
    name: str, model: Any, pair: CompressionPair, arguments: Namespace, **search: Any
) -> Page:
    log = EventLog()
    result = model.compress(pair.source, trace=log, engine=arguments.engine, **search)
    said = {"kept": len(result.text.split()), "words": len(pair.source.leaves())}
    found = (Found(result.text, meant_by(pair)),)
    return page(name, said, log=log, found=found, settings=model.system, at=len(log))


def _constrained(model: Any, pairs: Sequence[CompressionPair], arguments: Namespace) -> Page:
    """The sentence of which the best choice without rows breaks most: what it means, if one does,
    before its grammar. As many words stay as of the shorter version."""
    pages = [
        _shortened("constraints", model, pair, arguments, length=len(_kept(pair))) for pair in pairs
    ]
    return max(pages, key=lambda one: ("negation" in _broken(one), len(_broken(one))))


def _broken(page: Page) -> list[str]:
    """The families of the rows that the best choice without rows breaks."""
    return [event[1] for event in page.log if event[0] == "demand" and event[4]]


def parsing_page(arguments: Namespace) -> Page:
    """A sentence that the grammar has not seen, cell by cell."""
    trees = load_treebank(OURS)
    model: Any = train("parser", trees.train[:TREES])
    fewest, most = PARSED
    short = [one for one in trees.dev if fewest <= len(one.tree.leaves()) <= most]
    log = EventLog()
    text = " ".join(short[0].tree.leaves())
    model.parse(text, trace=log, engine=arguments.engine)
    settings = f"a grammar of {TREES} trees"
    return page("parsing", {"text": re.escape(text)}, log=log, settings=settings, at=len(log))


def realization_page(arguments: Namespace) -> Page:
    """Lemmas and their tree: the first that becomes the sentence it came from, if one does."""
    trees = load_lemma_trees(OURS)
    model: Any = train_as("liu-2015-realization", trees.train[:LEMMAS], arguments, **REALIZATION)
    fewest, most = NODES
    near = [tree for tree in trees.dev if fewest <= len(tree) <= most][:LOOKED_AT]
    tried = ((tree, *_realized(model, tree, arguments)) for tree in near)
    found = next((one for one in tried if one[1] == list(one[0].reference)), None)
    tree, words, log = found or (near[0], *_realized(model, near[0], arguments))
    values = {"said": re.escape(" ".join(words)), "lemmas": len(tree)}
    settings = f"{model.system}, {LEMMAS} trees, beam {REALIZATION['beam']}"
    return page("realization", values, log=log, settings=settings, at=len(log))


def _realized(model: Any, tree: Any, arguments: Namespace) -> tuple[list[str], EventLog]:
    log = EventLog()
    found = model.realize(tree, trace=log, engine=arguments.engine)
    return [*found.words], log
