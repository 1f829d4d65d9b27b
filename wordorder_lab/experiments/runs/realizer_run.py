"""A run of an experiment that makes sentences of trees of lemmas: what it may set, its training.

    system = "liu-2015-realization"   # one of REALIZERS, or of FLOORS
    corpus = "sr20"                   # whose trees are realised
    learned_on = "sr18"               # whose trees are learned from (left out: the same)
    learned_split = "train"           # and which part of it (a treebank without train: "dev")
    learned_trees = 4000              # the first so many of them (left out: all)
    split = "test"
    units = "lemmas"

beside the settings of the training and, as ``decode_...``, those of the search.

The floors learn nothing but forms: each lemma has its most probable one. ``random-order`` puts the
words in any order, ``random-tree-order`` each head and its dependents, so that every subtree stays
in one piece.
"""

from __future__ import annotations

import random
import time
import zlib
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from wordorder_lab.corpora.lemma_corpora import LEMMA_NAMES, LemmaTrees, load_lemma_trees
from wordorder_lab.experiments.runs.realization_evaluate import Realizer
from wordorder_lab.experiments.runs.schema import unknown
from wordorder_lab.experiments.runs.training import (
    FLOOR,
    FLOORS,
    LEARNED_ON,
    LEARNED_SPLIT,
    LEARNED_TREES,
    LEMMAS,
    NEEDED,
    SpecificationError,
    check_settings,
    for_training,
    listed,
)
from wordorder_lab.inflection.candidates import Inflector
from wordorder_lab.structures.lemma_tree import LemmaTree
from wordorder_lab.structures.result import Realization
from wordorder_lab.systems import search_names, train, training_names
from wordorder_lab.systems.inflector import learn_inflector
from wordorder_lab.systems.names import REALIZERS
from wordorder_lab.systems.realization import with_capital

FROM = (LEARNED_ON, LEARNED_SPLIT, LEARNED_TREES)
"""What a run may say of the trees it learns from."""


def check_realizer_run(run: Mapping[str, Any]) -> None:
    """Raise ``SpecificationError`` for what a run over trees of lemmas cannot set."""
    system = run["system"]
    if run["units"] != LEMMAS:
        raise SpecificationError(f"{system} takes {LEMMAS!r} as units, not {run['units']!r}")
    for corpus in (run["corpus"], learned_on(run)):
        if corpus not in LEMMA_NAMES and not Path(corpus).exists():
            raise SpecificationError(
                f"no trees of lemmas and no file are called {corpus!r}; there are "
                f"{listed(LEMMA_NAMES)}"
            )
    if (run["corpus"], run["split"]) == (learned_on(run), learned_split(run)):
        raise SpecificationError(f"{run['split']} is what is learned from: score on another split")
    if system in FLOORS:
        return
    if system not in REALIZERS:
        raise SpecificationError(f"{system} makes no sentences of trees of lemmas")
    searching = (f"decode_{name}" for name in search_names(system))
    known_names = (*NEEDED, *FROM, "engine", *training_names(system), *searching)
    for name in run:
        if name not in known_names:
            raise SpecificationError(f"{system} has no {unknown(name, known_names)}")
    check_settings(run)


def learned_on(run: Mapping[str, Any]) -> str:
    """The corpus whose trees a run learns from."""
    return str(run.get(LEARNED_ON, run["corpus"]))


def learned_split(run: Mapping[str, Any]) -> str:
    """The part of it that is learned from."""
    return str(run.get(LEARNED_SPLIT, "train"))


def as_learned(run: Mapping[str, Any]) -> dict[str, Any]:
    """What a run's model depends on: runs of which this is equal may share it."""
    told = {"english": run.get("english")} if run["system"] in FLOORS else for_training(run)
    how = {"system": run["system"], LEARNED_TREES: run.get(LEARNED_TREES)}
    return {**told, **how, LEARNED_ON: learned_on(run), LEARNED_SPLIT: learned_split(run)}


class Floor(NamedTuple):
    """What realises without having learned an order; ``seed`` chooses one for every tree."""

    system: str
    inflector: Inflector
    seed: int = 1

    def realize(self, tree: LemmaTree, **_: Any) -> Realization:
        """The most probable form of every lemma, in a random order; a capital for the first."""
        forms = tuple(some[0] for some in self.inflector.forms(tree))
        chance = random.Random(zlib.crc32(f"{self.seed} {tree.name}".encode()))
        order = list(range(len(tree)))
        chance.shuffle(order)
        if self.system != FLOOR:
            order = in_one_piece(tree, order)
        words = [word for i in order for word in forms[i].split()]
        return Realization((with_capital(words[0]), *words[1:]), tuple(order), forms, 0.0)


def in_one_piece(tree: LemmaTree, order: Sequence[int]) -> list[int]:
    """The nodes in one line, heads and their dependents following one another as in ``order``."""
    place = {node: at for at, node in enumerate(order)}
    line: list[int] = []
    todo = [(tree.root, True)]
    while todo:
        node, is_whole = todo.pop()
        if is_whole:
            parts = sorted((node, *tree.dependents[node]), key=place.__getitem__)
            todo += [(part, part != node) for part in reversed(parts)]
        else:
            line.append(node)
    return line


class Learned(NamedTuple):
    """What realises, its inflector, how many trees it learned from, and the seconds that took."""

    model: Realizer
    inflector: Inflector
    trees: int
    seconds: float


def learn(run: Mapping[str, Any], trees: Sequence[LemmaTree]) -> Learned:
    """The model of a run; ``trees`` are those that it learns from. Raises ``ValueError`` as
    ``train`` and ``learn_inflector``."""
    few = trees[: run.get(LEARNED_TREES)]
    begin = time.perf_counter()
    model: Any
    if run["system"] in FLOORS:
        english = run.get("english", True)
        model = Floor(run["system"], learn_inflector(few, english=english), run.get("seed", 1))
    else:
        model = train(run["system"], few, progress=False, **for_training(run))
    return Learned(model, model.inflector, len(few), time.perf_counter() - begin)


@cache
def lemma_corpus(name: str) -> LemmaTrees:
    """Trees of lemmas, read once in a process; raises ``CorpusError`` as ``load_lemma_trees``."""
    return load_lemma_trees(name)


def lemma_digest_lines(name: str) -> list[bytes]:
    """What tells a corpus of trees from others, a line a tree; ``CorpusError`` for none."""
    trees = lemma_corpus(name)
    return [
        f"{split} {one.name} {one.nodes!r} {one.reference!r}\n".encode()
        for split in trees.splits
        for one in trees.split(split)
    ]
