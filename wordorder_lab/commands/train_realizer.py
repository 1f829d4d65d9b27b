"""``wordorder-lab train`` for systems that realise trees of lemmas: a model file comes out."""

from __future__ import annotations

import time
from argparse import Namespace
from collections.abc import Sequence
from typing import Any

from wordorder_lab.commands.common import (
    check_json,
    check_target,
    keeping,
    own_settings,
    printer,
    refuse_named_beam,
)
from wordorder_lab.commands.output import report
from wordorder_lab.corpora import CorpusError
from wordorder_lab.corpora.lemma_corpora import GAZETTE, LEMMA_CORPORA, load_lemma_trees
from wordorder_lab.corpora.ud_corpora import TREEBANKS
from wordorder_lab.metrics.realization import realization_scores
from wordorder_lab.structures.lemma_tree import LemmaTree
from wordorder_lab.systems import train
from wordorder_lab.systems.training_run import Moment, epochs_of
from wordorder_lab.trace.log import EventLog

CORPUS = "sr18"
OTHER = ("units", "lm", "lm_text", "ngrams", "arpa", "supertagger", "pos", "deps")
"""Options of ``train`` that are other systems'."""


def run(arguments: Namespace) -> int:
    """Train, with a checkpoint beside the model until it is done."""
    refuse_named_beam(arguments.system, arguments.beam)
    settings = own_settings(arguments, OTHER)
    out = check_target(arguments.out)
    check_json(arguments.json)
    log = EventLog() if arguments.trace is not None and check_target(arguments.trace) else None
    name = arguments.corpus or CORPUS
    if arguments.english is None:
        settings["english"] = name in (*LEMMA_CORPORA, *TREEBANKS, GAZETTE)
    checkpoint = out.with_name(f"{out.name}.checkpoint")
    told = _Epochs(arguments, name)
    with keeping(checkpoint):
        if checkpoint.exists():
            told.say(f"going on from {checkpoint}")
            told.epochs = epochs_of(checkpoint)
        how: dict[str, Any] = {"engine": arguments.engine, "checkpoint": checkpoint, "trace": log}
        about = {"corpus": name}
        trees = _with_words(told.corpus.train, name)
        how |= {"about": about, "on_epoch": told.after_epoch, **settings}
        try:
            model: Any = train(arguments.system, trees, **how)
        except CorpusError as error:  # the lists of forms: all trees are read by now
            raise ValueError(f"--no-english trains without these: {error}") from None
        model.save(out)
        checkpoint.unlink(missing_ok=True)
    if log is not None:
        log.save(arguments.trace)
    data = {"system": arguments.system, **about, **model.settings, "model": str(out)}
    data |= {"by_epoch": told.epochs}
    report(_lines(data, out.stat().st_size), data, arguments.json)
    return 0


def _with_words(trees: Sequence[LemmaTree], name: str) -> Sequence[LemmaTree]:
    """The trees. Raises ``ValueError`` where none has words: inputs of a task, say."""
    if any(tree.reference for tree in trees):
        return trees
    raise ValueError(
        f"no tree of {name} knows its words, so there is nothing to learn from: give a treebank, "
        "with words in column 2 and lemmas in column 3"
    )


class _Epochs:
    """What is said after each epoch."""

    def __init__(self, arguments: Namespace, name: str) -> None:
        self.arguments, self.say = arguments, printer(arguments.json)
        self.corpus = load_lemma_trees(name)
        split = arguments.eval
        self.held_out = [one for one in self.corpus.split(split) if one.reference] if split else []
        self.epochs: list[dict[str, Any]] = []
        self.begin = time.perf_counter()

    def after_epoch(self, epoch: int, moment: Moment[Any]) -> dict[str, Any] | None:
        """Score, if that is asked for; the row with the scores goes into the checkpoint."""
        row: dict[str, Any] = {"epoch": epoch, "seconds": time.perf_counter() - self.begin}
        row |= {"learning_seconds": moment.seconds, **moment.numbers}
        if self.held_out:
            outputs = moment().outputs(self.held_out, engine=self.arguments.engine)
            scores = realization_scores(outputs, self.held_out)
            row |= {"bleu_lc": scores.bleu_lc, "bleu_cased": scores.bleu_cased}
            self.say(
                f"epoch {epoch:3}  {self.arguments.eval} BLEU {scores.bleu_lc:5.2f} lower-cased, "
                f"{scores.bleu_cased:5.2f} cased"
            )
        self.epochs[epoch - 1 :] = [row]
        self.begin = time.perf_counter()
        return row if self.held_out else None


def _lines(data: dict[str, Any], size: int) -> list[str]:
    apart = [f"{data['lifted']:,} of them with lifted arcs"] if data["lifted"] else []
    apart += [f"{data['left_out']:,} more with crossing arcs left out"] if data["left_out"] else []
    apart += [f"{data['unmapped']:,} without their words"] if data["unmapped"] else []
    alone = " (of its training trees alone; --english for rules and lists of English, too)"
    own = "" if data["english"] else alone
    return [
        f"wrote {data['model']} ({size / 1e6:.1f} MB), trained on {data['trees']:,} trees, "
        f"{data['forms']:.2f} forms a lemma{own}{''.join(f', {what}' for what in apart)}"
    ]
