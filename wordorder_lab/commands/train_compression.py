"""``wordorder-lab train cohn-lapata-2009``: pairs of trees in, a model file out."""

from __future__ import annotations

import time
from argparse import Namespace
from functools import partial
from pathlib import Path
from typing import Any

from wordorder_lab.commands.common import (
    DEFAULT_PARSER,
    beginning,
    check_json,
    check_target,
    keeping,
    open_compressions,
    printer,
    refuse_cluster,
    refuse_options,
)
from wordorder_lab.commands.options import SETTINGS, given_settings
from wordorder_lab.commands.output import report
from wordorder_lab.commands.parsers import parser_for
from wordorder_lab.corpora.texts import is_text
from wordorder_lab.experiments.runs.map_in_order import several_at_once
from wordorder_lab.structures.compression import CompressionPair
from wordorder_lab.systems import train, training_names, training_settings
from wordorder_lab.systems.cohn_lapata_2009 import CompressionModel
from wordorder_lab.systems.cohn_lapata_2009_training import REAL_TEXT
from wordorder_lab.systems.compression_grid import HeldOut, on_held_out
from wordorder_lab.systems.parsed_pairs import ParsedCompressions, as_separate
from wordorder_lab.systems.training_run import Moment
from wordorder_lab.trace.log import EventLog

CORPUS = "gazette"
"""What is learned from if nothing is said: of the corpora with a name, the one that has pairs."""
MORE = ("ngrams", "grid", "jobs")
"""Options that are no settings of the system."""


def prepared(arguments: Namespace) -> tuple[Path, dict[str, Any]]:
    """Where the model goes, and the settings that are given, before anyone waits for a corpus.

    Raises ``ValueError`` as ``settings_of``, and for files that cannot be written.
    """
    arguments.corpus = arguments.corpus or CORPUS
    out = check_target(arguments.out)
    check_json(arguments.json)
    refuse_parser(arguments)
    return out, {**(REAL_TEXT if is_text(arguments.corpus) else {}), **settings_of(arguments)}


def refuse_parser(arguments: Namespace) -> None:
    """Raise ``ValueError`` for a parser where the pairs have trees."""
    if arguments.parser is not None and not is_text(arguments.corpus):
        raise ValueError(f"--parser is for pairs without trees, and {arguments.corpus} has some")


def is_grid(arguments: Namespace, settings: dict[str, Any]) -> bool:
    """Whether more than one training is asked for."""
    return arguments.grid or any(len(values) > 1 for values in several(settings).values())


def run(arguments: Namespace, out: Path, settings: dict[str, Any]) -> int:
    """Train, with a checkpoint beside the model until it is done."""
    refuse_cluster(arguments)
    settings |= {name: values[0] for name, values in several(settings).items()}
    training_settings(arguments.system, **settings)
    checkpoint = out.with_name(f"{out.name}.checkpoint")
    log = EventLog() if arguments.trace is not None and check_target(arguments.trace) else None
    with keeping(checkpoint), beginning(checkpoint):
        training = CompressionTraining(arguments)
        model = training.run(settings, checkpoint, log)
        model.save(out)
        remove(checkpoint)
    with keeping(out, "the model is in"):
        if log is not None:
            log.save(arguments.trace)
        data = {"model": str(out), "by_iteration": training.iterations}
        report([summary(model, out)], {**described(model), **data}, arguments.json)
    return 0


def settings_of(arguments: Namespace) -> dict[str, Any]:
    """The settings that are given; ``C`` and ``scaling`` are lists.

    Raises ``ValueError`` for options that the system does not have, or that contradict each other.
    """
    given = given_settings(arguments)
    known = [name for name in training_names(arguments.system) if name in SETTINGS]
    given |= {} if arguments.units is None else {"units": arguments.units}
    refuse_options(arguments.system, given, [*known, *MORE], "in its training")
    if arguments.ngrams is not None and (arguments.order or arguments.folds) is not None:
        raise ValueError(
            "--order and --folds are for n-grams that are counted in the pairs, not for --ngrams"
        )
    if arguments.cluster is not None and arguments.jobs is not None:
        raise ValueError("--jobs are processes of this machine, --cluster has its own: give one")
    left_out = arguments.features is not None and "ngram" not in arguments.features.split(",")
    if arguments.ngrams is not None and left_out:
        raise ValueError(
            f"--features {arguments.features} has no use for --ngrams: give one of them"
        )
    return {name: value for name, value in given.items() if name not in MORE}


def several(settings: dict[str, Any]) -> dict[str, list[float]]:
    """Of the settings those that may have several values."""
    return {name: settings[name] for name in ("C", "scaling") if name in settings}


class CompressionTraining:
    """The pairs of a run of the command, and what it has to say after each iteration."""

    def __init__(self, arguments: Namespace) -> None:
        self.arguments = arguments
        self.say = printer(arguments.json)
        parser = parser_for(arguments.parser, arguments.corpus)
        self.corpus = open_compressions(arguments.corpus, parser)
        self.held_out = self.corpus.split(arguments.eval) if arguments.eval else ()
        self.iterations: list[dict[str, Any]] = []
        self.begin = time.perf_counter()

    @property
    def pairs(self) -> tuple[CompressionPair, ...]:
        """What is learned from; of real text a pair for each annotator."""
        pairs = self.corpus.train
        is_parsed = isinstance(self.corpus, ParsedCompressions)
        return tuple(as_separate(pairs) if is_parsed else pairs)

    def how(self, settings: dict[str, Any]) -> dict[str, Any]:
        """What ``train`` is told beside the pairs."""
        about = {"corpus": self.arguments.corpus}
        if isinstance(self.corpus, ParsedCompressions):
            about["parser"] = self.arguments.parser or DEFAULT_PARSER
        extra = {"about": about, "engine": self.arguments.engine}
        extra["on_epoch"] = self.after_iteration
        if self.arguments.system == "cohn-lapata-2009":  # deleters learn pair by pair
            extra["in_order"] = partial(several_at_once, jobs=self.arguments.jobs or 1)
        if self.arguments.ngrams is not None:
            from wordorder_lab.models.arpa import read_arpa

            ngrams = read_arpa(self.arguments.ngrams)
            extra |= {"ngrams": ngrams, "order": ngrams.order}
        return {**settings, **extra}

    def run(
        self, settings: dict[str, Any], checkpoint: Path, trace: EventLog | None
    ) -> CompressionModel:
        """Train."""
        if checkpoint.exists():
            self.say(f"going on from {checkpoint}")
        pairs = self.pairs
        how = {"checkpoint": checkpoint, "trace": trace, **self.how(settings)}
        self.begin = time.perf_counter()
        return train("cohn-lapata-2009", pairs, **how)

    def after_iteration(
        self, iteration: int, moment: Moment[CompressionModel]
    ) -> dict[str, Any] | None:
        """Score, if that is asked for."""
        row = {**moment.numbers, "iteration": iteration}
        row["learning_seconds"] = row.pop("seconds")
        row["seconds"] = time.perf_counter() - self.begin
        if self.held_out:
            scores = on_held_out(moment(), self.held_out, self.arguments.engine)
            row |= {f"held_out_{name}": value for name, value in scores._asdict().items()}
            self.say(f"iteration {iteration:3}  {self.arguments.eval} {quick(scores)}")
        self.iterations.append(row)
        self.begin = time.perf_counter()
        return None


def quick(scores: HeldOut) -> str:
    """How good a model is, in a line."""
    return f"relation F1 {scores.relation_f1:6.2%}, rate {scores.rate:6.2%}, loss {scores.loss:.3f}"


def remove(checkpoint: Path) -> None:
    """Delete what was kept, and the second training's where gold derivations go by score."""
    for path in (checkpoint, checkpoint.with_name(f"{checkpoint.name}.2")):
        path.unlink(missing_ok=True)


def summary(model: CompressionModel, out: Path) -> str:
    """What was written, and how the training ended."""
    settings = model.settings
    passed = sum(settings["unreachable"].values())
    whys = "; ".join(f"{n:,}: {why}" for why, n in sorted(settings["unreachable"].items()))
    left = f" ({passed:,} more have no derivation, for want of a rule: {whys})" if passed else ""
    gap = settings["objective"] - settings["dual"]
    share = f", {gap / settings['objective']:.1%}" if settings["objective"] else ""
    ended = "" if settings["stopped"] == "converged" else ", as many as were allowed"
    return (
        f"wrote {out} ({out.stat().st_size / 1e6:.1f} MB), trained on {settings['pairs']:,} pairs"
        f"{left}: {settings['rules']:,} rules, {len(settings['history'])} iterations{ended}, "
        f"objective {settings['objective']:.4g}, at most {gap:.2g} above the best one{share}"
    )


def described(model: CompressionModel) -> dict[str, Any]:
    """System, corpus, settings, rules, and how the training ended, for JSON."""
    settings = {k: v for k, v in model.settings.items() if k != "history"}
    objective = settings["objective"]
    return {"system": model.system, **settings, "gap": objective - settings["dual"]}
