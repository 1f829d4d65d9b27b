"""A run of an experiment that reads a parser off trees: what it may set, and its training.

    system = "parser"
    corpus = "ptb-sample"           # whose trees are gold
    learned_on = "ptb-sample+gum"   # whose train trees are learned from (left out: the same)
    split = "dev"
    units = "trees"

beside the settings of the training and, as ``decode_beam``, that of the search.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wordorder_lab.corpora.treebanks import PLUS, TREEBANKS, TreebankTree, load_treebank
from wordorder_lab.experiments.runs.schema import unknown
from wordorder_lab.experiments.runs.training import (
    LEARNED_ON,
    NEEDED,
    SpecificationError,
    check_settings,
    for_training,
    listed,
)
from wordorder_lab.systems import search_names, train, training_names

if TYPE_CHECKING:
    from wordorder_lab.systems.parser import TreebankParser

TREES = "trees"
"""The ``units`` of what learns from trees."""


def check_parser_run(run: Mapping[str, Any]) -> None:
    """Raise ``SpecificationError`` for what a parser's run cannot set."""
    system = run["system"]
    searching = (f"decode_{name}" for name in search_names(system))
    known = (*NEEDED, LEARNED_ON, "engine", *training_names(system), *searching)
    for name in run:
        if name not in known:
            raise SpecificationError(f"{system} has no {unknown(name, known)}")
    if run["units"] != TREES:
        raise SpecificationError(f"{system} takes {TREES!r} as units, not {run['units']!r}")
    if run["split"] == "train":
        raise SpecificationError("train is what is learned from: score on dev or test")
    for corpus in {run["corpus"], learned_on(run)}:
        for name in [corpus] if Path(corpus).exists() else corpus.split(PLUS):
            if name not in TREEBANKS and not Path(name).exists():
                raise SpecificationError(
                    f"no treebank and no file is called {name!r}; there are {listed(TREEBANKS)}"
                )
    check_settings(run)


def learned_on(run: Mapping[str, Any]) -> str:
    """The corpus whose train trees a run learns from."""
    return str(run.get(LEARNED_ON, run["corpus"]))


def train_parser(
    run: Mapping[str, Any], trees: Sequence[TreebankTree]
) -> tuple[TreebankParser, float]:
    """The parser of a run, and the seconds that it took; raises ``ValueError`` as ``train``."""
    begin = time.perf_counter()
    parser = train(run["system"], trees, progress=False, **for_training(run))
    return parser, time.perf_counter() - begin


def treebank_digest_lines(name: str) -> list[bytes]:
    """What tells a treebank's trees from others, a line a tree; raises ``CorpusError`` for none."""
    trees = load_treebank(name)
    return [
        f"{split} {one.name} {one.tree.pformat(margin=10**9)}\n".encode()
        for split in trees.splits
        for one in trees.split(split)
    ]
