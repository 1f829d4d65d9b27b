"""``wordorder-lab train``: a corpus in, a model file out."""

from __future__ import annotations

import time
from argparse import Namespace
from collections.abc import Callable
from pathlib import Path
from typing import Any

from wordorder_lab.commands.common import check_json, check_target, keeping, printer, report
from wordorder_lab.corpora import load_corpus
from wordorder_lab.features.notation import load_templates
from wordorder_lab.systems import SYSTEMS, train
from wordorder_lab.systems.liu_2015 import LinearizationModel
from wordorder_lab.systems.liu_2015_training import Settings
from wordorder_lab.trace.log import EventLog

SETTINGS = ("pos", "deps", "beam", "epochs", "seed", "templates", "update", "shuffle")


def run(arguments: Namespace) -> int:
    """Train, with a checkpoint beside the model until it is done."""
    out = check_target(arguments.out)
    check_json(arguments.json)
    if arguments.system not in SYSTEMS:
        raise ValueError(f"no system {arguments.system!r}; there are {', '.join(SYSTEMS)}")
    _check(_settings(arguments))
    checkpoint = out.with_name(f"{out.name}.checkpoint")
    log = EventLog() if arguments.trace and check_target(arguments.trace) else None
    with keeping(checkpoint):
        training = Training(arguments, out, checkpoint)
        training.run(log)
    with keeping(out, "the model is in"):
        if log is not None:
            log.save(arguments.trace)
        report([training.summary()], training.data(), arguments.json)
    return 0


def _settings(arguments: Namespace) -> dict[str, Any]:
    given = {name: getattr(arguments, name) for name in SETTINGS}
    return {name: value for name, value in given.items() if value is not None}


def _check(settings: dict[str, Any]) -> None:
    """Raise ``ValueError`` for what cannot be, before anyone waits for a corpus."""
    chosen = Settings(**settings)
    chosen.check()
    load_templates(chosen.templates)


class Training:
    """One training, and what it says on the way."""

    def __init__(self, arguments: Namespace, out: Path, checkpoint: Path) -> None:
        self.arguments, self.out, self.checkpoint = arguments, out, checkpoint
        self.say = printer(arguments.json)
        self.corpus = load_corpus(arguments.corpus, units=arguments.units)
        self.held_out = self.corpus.split(arguments.eval) if arguments.eval else ()
        self.epochs: list[dict[str, Any]] = []
        self.begin = time.perf_counter()

    def run(self, trace: EventLog | None) -> None:
        """Train and write the model."""
        sentences = self.corpus.train
        if self.checkpoint.exists():
            self.say(f"going on from {self.checkpoint}")
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
        )
        model.save(self.out)
        self.checkpoint.unlink(missing_ok=True)

    def after_epoch(self, epoch: int, model: Callable[[], LinearizationModel]) -> None:
        """Score, if that is asked for."""
        row: dict[str, Any] = {"epoch": epoch, "seconds": time.perf_counter() - self.begin}
        if self.held_out:
            from wordorder_lab.experiments.evaluate import evaluate

            scores = evaluate(model(), self.held_out, engine=self.arguments.engine).scores
            row |= {"bleu_cased": scores.bleu_cased, "bleu_13a_lc": scores.bleu_13a_lc}
            self.say(
                f"epoch {epoch:3}  {self.arguments.eval} BLEU {scores.bleu_cased:5.2f} cased, "
                f"{scores.bleu_13a_lc:5.2f} 13a lower"
            )
        self.epochs.append(row)
        self.begin = time.perf_counter()

    def summary(self) -> str:
        """What was written."""
        size = self.out.stat().st_size / 1e6
        sentences = len(self.corpus.train)
        return f"wrote {self.out} ({size:.1f} MB), trained on {sentences:,} sentences"

    def data(self) -> dict[str, Any]:
        """The same for JSON."""
        named = {"system": self.arguments.system, "corpus": self.arguments.corpus}
        named |= _settings(self.arguments) | {"units": self.corpus.units}
        return {**named, "model": str(self.out), "by_epoch": self.epochs}
