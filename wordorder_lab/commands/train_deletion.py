"""``wordorder-lab train`` with a system that deletes words: pairs in, a model file out."""

from __future__ import annotations

import time
from argparse import Namespace
from dataclasses import asdict
from pathlib import Path
from typing import Any

from wordorder_lab.commands.common import (
    beginning,
    check_json,
    check_target,
    keeping,
    refuse_cluster,
    refuse_options,
)
from wordorder_lab.commands.options import SETTINGS, given_settings
from wordorder_lab.commands.output import report
from wordorder_lab.commands.train_compression import (
    CORPUS,
    CompressionTraining,
    quick,
    refuse_parser,
)
from wordorder_lab.systems import train, training_names, training_settings
from wordorder_lab.systems.compression_grid import on_held_out
from wordorder_lab.systems.training_run import Moment, epochs_of
from wordorder_lab.trace.log import EventLog


def run(arguments: Namespace) -> int:
    """Train, with a checkpoint beside the model until it is done."""
    refuse_cluster(arguments)
    arguments.corpus = arguments.corpus or CORPUS
    out = check_target(arguments.out)
    check_json(arguments.json)
    refuse_parser(arguments)
    settings = settings_of(arguments)
    checkpoint = out.with_name(f"{out.name}.checkpoint")
    log = EventLog() if arguments.trace is not None and check_target(arguments.trace) else None
    with keeping(checkpoint), beginning(checkpoint):
        training = DeletionTraining(arguments)
        model = training.run(settings, checkpoint, log)
        model.save(out)
        checkpoint.unlink(missing_ok=True)
    with keeping(out, "the model is in"):
        if log is not None:
            log.save(arguments.trace)
        data = {"system": model.system, **model.settings, "model": str(out)}
        report([summary(model, out)], {**data, "by_epoch": training.iterations}, arguments.json)
    return 0


def settings_of(arguments: Namespace) -> dict[str, Any]:
    """All settings of the training, those that are not given as the system has them.

    Raises ``ValueError`` for options that the system does not have, and for what cannot be.
    """
    given = given_settings(arguments)
    known = [name for name in training_names(arguments.system) if name in SETTINGS]
    given |= {} if arguments.units is None else {"units": arguments.units}
    refuse_options(arguments.system, given, known, "in its training")
    if len(bounds := given.pop("C", [])) > 1:
        raise ValueError(f"--C of {arguments.system} takes one value, not {len(bounds)}")
    given |= {"C": bounds[0]} if bounds else {}
    return asdict(training_settings(arguments.system, **given))


class DeletionTraining(CompressionTraining):
    """The pairs of a run of the command, and what it has to say after each epoch."""

    def run(self, settings: dict[str, Any], checkpoint: Path, trace: EventLog | None) -> Any:
        """Train; of a sentence with several references each is learned."""
        if checkpoint.exists():
            self.say(f"going on from {checkpoint}")
            self.iterations = epochs_of(checkpoint)
        how = {"checkpoint": checkpoint, "trace": trace, **self.how(settings)}
        self.begin = time.perf_counter()
        return train(self.arguments.system, self.pairs, **how)

    def after_iteration(self, iteration: int, moment: Moment[Any]) -> dict[str, Any] | None:
        """Score, if that is asked for, for the checkpoint, too; an iteration is an epoch."""
        row: dict[str, Any] = {"epoch": iteration, "seconds": time.perf_counter() - self.begin}
        row |= {"learning_seconds": moment.seconds}
        if self.held_out:
            scores = on_held_out(moment(), self.held_out, self.arguments.engine)
            row |= {f"held_out_{name}": value for name, value in scores._asdict().items()}
            self.say(f"epoch {iteration:3}  {self.arguments.eval} {quick(scores)}")
        self.iterations[iteration - 1 :] = [row]
        self.begin = time.perf_counter()
        return row if self.held_out else None


def summary(model: Any, out: Path) -> str:
    """What was written, and what was left out."""
    settings = model.settings
    wrote = f"wrote {out} ({out.stat().st_size / 1e6:.1f} MB), trained on"
    if "epochs" not in settings:
        return f"{wrote} {settings['sentences']:,} sentences: {sum(model.ngrams.sizes):,} n-grams"
    left = ""
    if settings["no_deletion"]:
        left = f" ({settings['no_deletion']:,} more are no deletions)"
    return (
        f"{wrote} {settings['pairs']:,} pairs"
        f"{left}: {settings['epochs']} epochs, {len(model.features):,} features"
    )
