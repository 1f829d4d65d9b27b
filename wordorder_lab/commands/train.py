"""``wordorder-lab train``: a corpus in, a model file out."""

from __future__ import annotations

import time
from argparse import Namespace
from dataclasses import asdict
from pathlib import Path
from typing import Any

from wordorder_lab.commands.common import (
    check_json,
    check_target,
    keeping,
    open_tagger,
    printer,
    refuse_cluster,
    refuse_named_beam,
    refuse_options,
    usual_corpus,
)
from wordorder_lab.commands.options import given_settings
from wordorder_lab.commands.output import report
from wordorder_lab.corpora import load_corpus
from wordorder_lab.corpora.plain_text import plain_texts
from wordorder_lab.systems import SYSTEMS, train, training_names, training_settings
from wordorder_lab.systems.ahead import TRAIN, compile_ahead
from wordorder_lab.systems.names import COMPRESSORS, DELETERS, MORE, PARSERS, REALIZERS, TAGGERS
from wordorder_lab.systems.training_run import Moment, epochs_of
from wordorder_lab.trace.log import EventLog

USUAL = {"pos": 1, "deps": 0, "epochs": 10, "seed": 1}


def run(arguments: Namespace) -> int:
    """Train, with a checkpoint beside the model until it is done."""
    arguments.max_iterations = arguments.iterations
    _refuse_language(arguments)
    if arguments.system in SYSTEMS and arguments.engine != "reference":
        _settings(arguments)  # what it refuses needs no second process
        compile_ahead((arguments.system, TRAIN))
    if arguments.system in LEARNERS:
        return _by_kind(arguments)
    refuse_cluster(arguments)
    known = training_names(arguments.system)
    for name, value in USUAL.items():
        if name in known and getattr(arguments, name) is None:
            setattr(arguments, name, value)
    out = check_target(arguments.out)
    check_json(arguments.json)
    _settings(arguments)  # before anyone waits for a corpus
    if arguments.arpa is not None:
        check_target(arguments.arpa)
    language = _language(arguments)
    checkpoint = out.with_name(f"{out.name}.checkpoint")
    log = EventLog() if arguments.trace is not None and check_target(arguments.trace) else None
    with keeping(checkpoint):
        training = Training(arguments, out, checkpoint, language)
        training.run(log)
    with keeping(out, "the model is in"):
        if log is not None:
            log.save(arguments.trace)
        report([training.summary()], training.data(), arguments.json)
    return 0


LEARNERS = (*COMPRESSORS, *TAGGERS, *PARSERS, *REALIZERS)
"""Systems that do not learn to order words; each kind has a file of its own."""


def _by_kind(arguments: Namespace) -> int:
    if arguments.system in DELETERS:
        from wordorder_lab.commands import train_deletion

        return train_deletion.run(arguments)
    if arguments.system in COMPRESSORS:
        from wordorder_lab.commands import train_compression, train_grid

        out, settings = train_compression.prepared(arguments)
        several = train_compression.is_grid(arguments, settings)
        return (train_grid if several else train_compression).run(arguments, out, settings)
    if arguments.system in TAGGERS:
        from wordorder_lab.commands import train_supertagger

        return train_supertagger.run(arguments)
    if arguments.system in REALIZERS:
        from wordorder_lab.commands import train_realizer

        return train_realizer.run(arguments)
    from wordorder_lab.commands import train_parser

    return train_parser.run(arguments)


def _settings(arguments: Namespace) -> dict[str, Any]:
    """All settings of the training, those that are not given as the system has them.

    Raises ``ValueError`` for a system that there is not, an option that it does not have, and what
    cannot be.
    """
    given = given_settings(arguments)
    if arguments.system == "ngram-beam" and arguments.ngrams is not None:
        given["ngrams"] = arguments.ngrams
    refuse_options(arguments.system, given, training_names(arguments.system), "in its training")
    refuse_named_beam(arguments.system, given.get("beam"))
    if arguments.arpa is not None and "min_count" not in training_names(arguments.system):
        raise ValueError(f"--arpa is for n-grams, which {arguments.system} does not write")
    return asdict(training_settings(arguments.system, **given))


LANGUAGE = ("lm", "lm_text")
NAMED = {"supertagger": "tagger"}
"""What Python calls the model that an option names."""


def _refuse_language(arguments: Namespace) -> None:
    """Raise ``ValueError`` for a language model, tagger or parser in a system that takes none."""
    if arguments.parser is not None and arguments.system not in COMPRESSORS:
        raise ValueError(f"--parser is for systems that shorten sentences, not {arguments.system}")
    there = (*LANGUAGE, *NAMED)
    given = [name for name in there if getattr(arguments, name) is not None]
    if given and arguments.system in (*SYSTEMS, *COMPRESSORS):
        takes = MORE.get(arguments.system, ())
        more = [name for name in there if NAMED.get(name, name) in takes]
        known = [*training_names(arguments.system), *more]
        refuse_options(arguments.system, given, known, "in its training")


def _language(arguments: Namespace) -> dict[str, Any]:
    """The language model, text and supertagger that are named, all read."""
    language: dict[str, Any] = {}
    if arguments.supertagger is not None:
        language["tagger"] = open_tagger(arguments.supertagger)
    if arguments.lm is not None:
        from wordorder_lab.systems.language_models import read_language_model

        language["lm"] = read_language_model(arguments.lm)
    if arguments.lm_text is not None:
        language["lm_text"] = plain_texts(arguments.lm_text)
    return language


class Training:
    """One training, and what it says on the way."""

    def __init__(
        self, arguments: Namespace, out: Path, checkpoint: Path, language: dict[str, Any]
    ) -> None:
        self.arguments, self.out, self.checkpoint = arguments, out, checkpoint
        self.language = language
        self.say = printer(arguments.json)
        arguments.corpus = arguments.corpus or usual_corpus()
        self.corpus = load_corpus(arguments.corpus, units=arguments.units)
        self.held_out = self.corpus.split(arguments.eval) if arguments.eval else ()
        self.epochs: list[dict[str, Any]] = []
        self.learned = self.passed_over = 0
        self.begin = time.perf_counter()

    def run(self, trace: EventLog | None) -> None:
        """Train and write the model."""
        sentences = self.corpus.train
        if self.checkpoint.exists():
            self.say(f"going on from {self.checkpoint}")
            self.epochs = epochs_of(self.checkpoint)
        self.begin = time.perf_counter()
        model = train(
            self.arguments.system,
            sentences,
            engine=self.arguments.engine,
            checkpoint=self.checkpoint,
            about={"corpus": self.arguments.corpus, "units": self.corpus.units},
            on_epoch=self.after_epoch,
            trace=trace,
            **_settings(self.arguments),
            **self.language,
        )
        self.learned = int(model.settings["sentences"])
        self.passed_over = int(model.settings.get("without_derivation", 0))
        model.save(self.out)
        if self.arguments.arpa is not None:
            from wordorder_lab.models.arpa import write_arpa

            write_arpa(model.ngrams, self.arguments.arpa)
        self.checkpoint.unlink(missing_ok=True)

    def after_epoch(self, epoch: int, moment: Moment) -> dict[str, Any] | None:
        """Score, if that is asked for; the row with the scores goes into the checkpoint."""
        row: dict[str, Any] = {"epoch": epoch, "seconds": time.perf_counter() - self.begin}
        row |= {"learning_seconds": moment.seconds, **moment.numbers}
        if self.held_out:
            from wordorder_lab.experiments.runs.evaluate import evaluate

            scores = evaluate(moment(), self.held_out, engine=self.arguments.engine).scores
            row |= {"bleu_cased": scores.bleu_cased, "bleu_13a_lc": scores.bleu_13a_lc}
            self.say(
                f"epoch {epoch:3}  {self.arguments.eval} BLEU {scores.bleu_cased:5.2f} cased, "
                f"{scores.bleu_13a_lc:5.2f} 13a lower"
            )
        self.epochs[epoch - 1 :] = [row]
        self.begin = time.perf_counter()
        return row if self.held_out else None

    def summary(self) -> str:
        """What was written."""
        size = self.out.stat().st_size / 1e6
        learned = f"{self.learned:,} sentences of {self.corpus.name}"
        passed = f" ({self.passed_over:,} more have no derivation)" if self.passed_over else ""
        return f"wrote {self.out} ({size:.1f} MB), trained on {learned}{passed}"

    def data(self) -> dict[str, Any]:
        """The same for JSON."""
        named = {"system": self.arguments.system, "corpus": self.arguments.corpus}
        named |= _settings(self.arguments) | {"units": self.corpus.units}
        return {**named, "model": str(self.out), "by_epoch": self.epochs}
