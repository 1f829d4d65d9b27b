"""What ``ahead`` starts: it finds out which kernels will be wanted, and compiles some.

A tiny example goes through the same program in plain Python, and it is noted with which types each
kernel is called. ``AHEAD`` says which of them are compiled here: those that the first process comes
to late.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from shutil import rmtree
from typing import Any

from wordorder_lab.best_first import arrays_fast
from wordorder_lab.runtime import turns
from wordorder_lab.runtime.kernel_calls_fast import Call, calls_in
from wordorder_lab.runtime.kernel_fast import cache_folder
from wordorder_lab.structures.category import Category
from wordorder_lab.structures.compression import CompressionPair
from wordorder_lab.structures.derivation import Derivation
from wordorder_lab.structures.sentence import ROOT, Sentence, Token
from wordorder_lab.systems.ahead import ORDER, TRAIN, mark
from wordorder_lab.systems.names import COMPRESSORS, FILES

# The first process begins with the leaves of a search, so this one begins with what joins edges.
_LINKS = "weight_of add_entry can_link tags_between cover combine can_order "
_RULES = "weight_of add_entry own_columns cover can_order "
_CHART = "pop_best lowest_if_full add_to_chart"
_LEARNING = "rescore_agenda! rescore_chart! rescore! apply! difference! fresh_total! min_gold!"
_STEPS = "build request_leaves look_up list_successors select plan_states make_rows add_rows"
AHEAD: dict[tuple[str, str], str] = {
    ("zhang_clark_2015_dependency", ORDER): _LINKS + _CHART + " place_entries!",
    ("zhang_clark_2015_dependency", TRAIN): _LINKS + _LEARNING,
    ("zhang_clark_ccg", ORDER): _RULES
    + "like_it unary_edges binary_edge loser_of "
    + _CHART
    + " place_entries!",
    ("zhang_clark_ccg", TRAIN): _RULES + "score_edge unary_edges binary_edge like_it! " + _LEARNING,
    ("liu_2015", ORDER): _STEPS,
    ("liu_2015", TRAIN): _STEPS + " collect add gather! lengths_of!",
    ("ngram_beam", ORDER): "expand select start",
    ("ngram_beam", TRAIN): "",
    ("cohn_lapata_2009", TRAIN): "fill_cells! make_goals! follow! best_goal! fill!",
    ("cohn_lapata_2009", ORDER): "make_goals! follow! best_goal! fill!",
}
"""File of the system and task -> the kernels that the second process compiles, the first first.

A name alone is the kernel as other kernels call it, with ``!`` as Python does.
"""


def main(folder: str, *tasks: str) -> None:
    """Compile for these tasks, system and task in turn; turns are taken in ``folder``."""
    threading.Thread(target=_end_with_the_first, args=(folder,), daemon=True).start()
    turns.share(Path(folder), lambda: True)
    for system, task in zip(tasks[::2], tasks[1::2], strict=True):
        compile_some(system, task)
        mark(cache_folder(), system, task).touch()


def _end_with_the_first(folder: str) -> None:
    """Its end of the pipe closes when it ends, however that comes about."""
    os.read(0, 1)  # by way of sys.stdin, its lock would be missed when this process ends first
    rmtree(folder, ignore_errors=True)
    os._exit(0)


def compile_some(system: str, task: str) -> None:
    """Compile the kernels of ``AHEAD``, but those that are in the cache or being compiled."""
    calls = calls_of(system, task)
    for name in AHEAD[FILES[system][0], task].split():
        for call in (call for call in calls if call.name == name):
            if not turns.is_taken(call.dispatcher.told(call.types)):
                call.dispatcher.compile(call.types)


# --- which kernels are wanted ---------------------------------------------------------------------


def calls_of(system: str, task: str) -> list[Call]:
    """The calls of kernels in a tiny training or search of a system, equal ones once."""
    if system in COMPRESSORS:
        return _compression_calls(task)
    training = import_module(f"wordorder_lab.systems.{FILES[system][0]}")
    how: dict[str, Any] = {"system": system} if hasattr(training, "PRESETS") else {}
    how |= {"progress": False} | ({} if system == "ngram-beam" else {"epochs": 1})
    with _small_rooms():
        if task == TRAIN:
            return calls_in(lambda: training.train(SENTENCES, engine="fast", **how))
        model = training.train(SENTENCES, engine="reference", **how)
        words = [token.form for token in SENTENCES[0]]
        return calls_in(lambda: model.order(words, engine="fast"))


@contextmanager
def _small_rooms() -> Iterator[None]:
    """Rooms of a best-first search that grow in the example, as they do in every longer search."""
    usual, arrays_fast.FIRST_ENTRIES = arrays_fast.FIRST_ENTRIES, 8
    try:
        yield
    finally:
        arrays_fast.FIRST_ENTRIES = usual


def _sentence(one: str, other: str) -> Sentence:
    word, noun = Category.parse("N"), Category.parse("NP")
    first, last = (Derivation.leaf(form, "NNS", word) for form in (one, other))
    subject, thing = (Derivation.unary(noun, leaf) for leaf in (first, last))
    verb = Derivation.leaf("chase", "VBP", Category.parse(r"(S[dcl]\NP)/NP"))
    phrase = Derivation.binary(Category.parse(r"S[dcl]\NP"), verb, thing)
    whole = Derivation.binary(Category.parse("S[dcl]"), subject, phrase)
    tokens = Token((one,), "NNS", 1), Token(("chase",), "VBP", ROOT), Token((other,), "NNS", 1)
    return Sentence(tokens, derivation=whole)


SENTENCES = [_sentence("cats", "mice"), _sentence("mice", "cats")]
"""Whoever learns these is wrong somewhere."""


def _compression_calls(task: str) -> list[Call]:
    from nltk.tree import Tree

    from wordorder_lab.systems.cohn_lapata_2009_training import train

    long = Tree.fromstring("(S (NP (NNS cats)) (VP (VBP chase) (NP (JJ quick) (NNS mice))))")
    short = Tree.fromstring("(S (NP (NNS cats)) (VP (VBP chase) (NP (NNS mice))))")
    pairs = [CompressionPair(long, (short,), ((0, 0), (1, 1), (3, 2)))] * 4
    how: dict[str, Any] = {"max_iterations": 2, "progress": False}
    if task == TRAIN:
        return calls_in(lambda: train(pairs, engine="fast", **how))
    model = train(pairs, engine="reference", **how)
    return calls_in(lambda: model.compress(long, engine="fast"))


if __name__ == "__main__":
    main(*sys.argv[1:])
