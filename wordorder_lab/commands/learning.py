"""A run of ``wordorder-lab train``, task by task: what is read, what is printed, what JSON gets."""

from __future__ import annotations

import time
from argparse import Namespace
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

from wordorder_lab.commands import common
from wordorder_lab.commands.common import DEFAULT_PARSER, open_model, refuse_others
from wordorder_lab.commands.options import given_settings
from wordorder_lab.commands.output import printer
from wordorder_lab.corpora import CorpusError
from wordorder_lab.corpora.lemma_corpora import GAZETTE, LEMMA_CORPORA
from wordorder_lab.corpora.plain_text import plain_texts
from wordorder_lab.corpora.texts import is_text
from wordorder_lab.corpora.ud_corpora import TREEBANKS
from wordorder_lab.experiments.runs.evaluate import evaluate
from wordorder_lab.experiments.runs.map_in_order import several_at_once
from wordorder_lab.experiments.runs.schema import Row, Table
from wordorder_lab.models.arpa import read_arpa
from wordorder_lab.systems.language_models import read_language_model
from wordorder_lab.systems.model import TrainedModel
from wordorder_lab.systems.registry import ROWS
from wordorder_lab.systems.system import System
from wordorder_lab.systems.training_run import Moment, epochs_of
from wordorder_lab.trace.log import EventLog

BESIDE = tuple(
    "units parser arpa grid jobs cluster eval trace lm lm_text ngrams supertagger".split()
)
"""Options that not every system has, and that are no settings of its own."""
TAKEN = {"tagger": "supertagger"}
"""The option of what a system takes, where that has another name."""


def learning_of(arguments: Namespace, system: System) -> Learning:
    """The training that a command line asks for. Raises ``ValueError`` as ``Learning``."""
    return _kind(system)(arguments, system)


def taken(system: System) -> tuple[str, ...]:
    """The options that the training of a system takes: its settings, and its own of ``BESIDE``."""
    names = system.training_names()
    arpa = ["arpa"] if system.task == "order" and "min_count" in names else []
    more = [TAKEN.get(name, name) for name in system.takes]
    return (*names, *more, *_kind(system).HAS, *arpa)


def _kind(system: System) -> type[Learning]:
    if system.task == "compress" and "in_order" in system.takes:
        return Transducing
    return LEARNING[system.task]


def wrote(out: Path) -> str:
    """The file, and how large it is."""
    return f"{out} ({out.stat().st_size / 1e6:.1f} MB)"


def remove(checkpoint: Path) -> None:
    """Delete what was kept, and the second training's where gold derivations go by score."""
    for path in (checkpoint, checkpoint.with_name(f"{checkpoint.name}.2")):
        path.unlink(missing_ok=True)


class Learning:
    """One run of the command. A subclass has ``_score``, numbers and a line on what is held out;
    ``_learned``, what a model of ours has learned from; and ``_numbers``, what goes into JSON.
    Raises ``ValueError`` for options that the system does not have, and for what cannot be."""

    HAS: tuple[str, ...] = ("units", "eval", "trace")
    """Of ``BESIDE``, what systems of this task have."""
    STEP = "epoch"

    def __init__(self, arguments: Namespace, system: System) -> None:
        self.arguments, self.system = arguments, system
        self.say = printer(arguments.json)
        self.settings = given_settings(arguments, system.training_names())
        refuse_others(system.name, arguments, BESIDE, taken(system), "in its training")
        self.corpus: Any = None
        self.epochs: list[Row] = []
        self.begin = time.perf_counter()

    def check(self) -> None:
        """Raise ``ValueError`` for settings that cannot be."""
        self.system.checked(self.settings)

    def ready(self) -> None:
        """Read the corpus, and what is held out of it."""
        if self.corpus is not None:
            return
        arguments = self.arguments
        arguments.corpus = arguments.corpus or self.system.does.corpus or common.usual_corpus()
        self.corpus = self._load()
        self.held_out = self.corpus.split(arguments.eval) if arguments.eval else ()

    def _load(self) -> Any:
        units = {"units": self.arguments.units} if "units" in self.HAS else {}
        return self.system.does.load(self.arguments.corpus, **units)

    @property
    def examples(self) -> Any:
        """What is learned from."""
        return self.corpus.train

    @property
    def about(self) -> Row:
        """What the model's file says of the corpus."""
        units = {"units": self.corpus.units} if "units" in self.HAS else {}
        return {"corpus": self.arguments.corpus, **units}

    def more(self) -> Row:
        """What the system takes beside settings, all read: a language model, text, a tagger."""
        arguments, more = self.arguments, {}
        if arguments.supertagger is not None:
            more["tagger"] = open_model(arguments.supertagger, "tag")
        if arguments.lm is not None:
            more["lm"] = read_language_model(arguments.lm)
        if arguments.lm_text is not None:
            more["lm_text"] = plain_texts(arguments.lm_text)
        return more

    def run(self, checkpoint: Path, trace: EventLog | None) -> Any:
        """Train."""
        more = self.more()
        self.ready()
        if checkpoint.exists():
            self.say(f"going on from {checkpoint}")
            self.epochs = self._kept(checkpoint)
        self.begin = time.perf_counter()
        options = {"engine": self.arguments.engine, "about": self.about, **self.settings, **more}
        return self.system.train(
            self.examples, checkpoint=checkpoint, on_epoch=self.after_epoch, trace=trace, **options
        )

    def _kept(self, checkpoint: Path) -> list[Row]:
        return epochs_of(checkpoint)

    def after_epoch(self, epoch: int, moment: Moment[Any]) -> Row | None:
        """Score, if that is asked for; the row with the scores goes into the checkpoint."""
        row = self._row(epoch, moment, time.perf_counter() - self.begin)
        if self.held_out:
            scores, line = self._score(moment())
            row |= scores
            self.say(f"{self.STEP} {epoch:3}  {self.arguments.eval} {line}")
        self.epochs[epoch - 1 :] = [row]
        self.begin = time.perf_counter()
        return row if self.held_out and self.STEP == "epoch" else None

    def _row(self, epoch: int, moment: Moment[Any], seconds: float) -> Row:
        times = {"seconds": seconds, "learning_seconds": moment.seconds}
        return {"epoch": epoch, **times, **moment.numbers}

    def _score(self, model: TrainedModel) -> tuple[Row, str]:
        raise NotImplementedError

    def summary(self, model: TrainedModel) -> str:
        """What was learned; a model of ours says more than others do."""
        if self.system.name in ROWS:
            return f"trained on {self._learned(model)}"
        return f"trained on {model.settings[model.LEARNED]:,} {model.LEARNED}"

    def _learned(self, model: TrainedModel) -> str:
        raise NotImplementedError

    def data(self, model: TrainedModel) -> Row:
        """The same for JSON, with all settings."""
        if self.system.name in ROWS:
            return self._numbers(model)
        return self._asked_for()

    def _asked_for(self) -> Row:
        settings = asdict(self.system.checked(self.settings))
        return {**settings, **self.about, "by_epoch": self.epochs}

    def _numbers(self, model: TrainedModel) -> Row:
        return {**model.settings, "by_epoch": self.epochs}


class Ordering(Learning):
    """Bags of words become sentences."""

    def _score(self, model: Any) -> tuple[Row, str]:
        scores = evaluate(model, self.held_out, engine=self.arguments.engine).scores
        row = {"bleu_cased": scores.bleu_cased, "bleu_13a_lc": scores.bleu_13a_lc}
        return row, f"BLEU {scores.bleu_cased:5.2f} cased, {scores.bleu_13a_lc:5.2f} 13a lower"

    def summary(self, model: TrainedModel) -> str:
        """Sentences, and those that could not be learned from."""
        without = int(model.settings.get("without_derivation", 0))
        more = f" ({without:,} more have no derivation)" if without else ""
        sentences = int(model.settings["sentences"])
        return f"trained on {sentences:,} sentences of {self.corpus.name}{more}"

    def _numbers(self, _model: TrainedModel) -> Row:
        return self._asked_for()


class Shortening(Learning):
    """Sentences become shorter by leaving words out."""

    HAS: tuple[str, ...] = ("parser", "eval", "trace")

    def __init__(self, arguments: Namespace, system: System) -> None:
        super().__init__(arguments, system)
        arguments.corpus = arguments.corpus or system.does.corpus
        self.is_text = is_text(arguments.corpus)
        if arguments.parser is not None and not self.is_text:
            raise ValueError(
                f"--parser is for pairs without trees, and {arguments.corpus} has some"
            )

    def _load(self) -> Any:
        corpus = self.arguments.corpus
        return common.open_compressions(corpus, common.parser_for(self.arguments.parser, corpus))

    @property
    def is_parsed(self) -> bool:
        """Whether the trees are a parser's."""
        from wordorder_lab.systems.parsed_pairs import ParsedCompressions

        return isinstance(self.corpus, ParsedCompressions)

    @property
    def examples(self) -> Any:
        """What is learned from; of real text a pair for each annotator."""
        from wordorder_lab.systems.parsed_pairs import as_separate

        pairs = self.corpus.train
        return tuple(as_separate(pairs) if self.is_parsed else pairs)

    @property
    def about(self) -> Row:
        """Corpus, and whose trees."""
        parser = {"parser": self.arguments.parser or DEFAULT_PARSER} if self.is_parsed else {}
        return {"corpus": self.arguments.corpus, **parser}

    def more(self) -> Row:
        """An n-gram model, too."""
        more = super().more()
        if self.arguments.ngrams is not None:
            ngrams = read_arpa(self.arguments.ngrams)
            more |= {"ngrams": ngrams, "order": ngrams.order}
        return more

    def _score(self, model: Any) -> tuple[Row, str]:
        from wordorder_lab.systems.compression_grid import on_held_out

        scores = on_held_out(model, self.held_out, self.arguments.engine)
        line = f"relation F1 {scores.relation_f1:6.2%}, rate {scores.rate:6.2%}"
        row = {f"held_out_{name}": value for name, value in scores._asdict().items()}
        return row, f"{line}, loss {scores.loss:.3f}"

    def _learned(self, model: Any) -> str:
        settings = model.settings
        if "epochs" not in settings:
            return f"{settings['sentences']:,} sentences: {sum(model.ngrams.sizes):,} n-grams"
        left = settings["no_deletion"]
        more = f" ({left:,} more are no deletions)" if left else ""
        return (
            f"{settings['pairs']:,} pairs{more}: {settings['epochs']} epochs, "
            f"{len(model.features):,} features"
        )


class Transducing(Shortening):
    """Trees are rewritten; the learner's C and scaling may be chosen from several."""

    HAS = (*Shortening.HAS, "grid", "jobs", "cluster")
    STEP = "iteration"

    def __init__(self, arguments: Namespace, system: System) -> None:
        from wordorder_lab.systems.cohn_lapata_2009_training import REAL_TEXT

        super().__init__(arguments, system)
        self.settings = {**(REAL_TEXT if self.is_text else {}), **self.settings}
        ngrams = arguments.ngrams is not None
        if ngrams and not self.settings.keys().isdisjoint(("order", "folds")):
            what = "--order and --folds are for n-grams that are counted in the pairs"
            raise ValueError(f"{what}, not for --ngrams")
        if arguments.cluster is not None and arguments.jobs is not None:
            raise ValueError(
                "--jobs are processes of this machine, --cluster has its own: give one"
            )
        features = self.settings.get("features", "ngram")
        text = arguments.lm_text is not None
        if ngrams and text:
            raise ValueError("--lm-text is for n-grams that are counted here, not for --ngrams")
        if (ngrams or text) and "ngram" not in features.split(","):
            option = "--ngrams" if ngrams else "--lm-text"
            raise ValueError(f"--features {features} has no use for {option}: give one of them")

    def several(self) -> dict[str, list[float]]:
        """Of the settings those that may have several values."""
        return {name: self.settings[name] for name in ("C", "scaling") if name in self.settings}

    @property
    def is_grid(self) -> bool:
        """Whether more than one training is asked for."""
        return self.arguments.grid or any(len(values) > 1 for values in self.several().values())

    def check(self) -> None:
        """One value each of C and scaling."""
        for name, values in self.several().items():
            if len(values) > 1:
                raise ValueError(
                    f"--{name} of {self.system.name} takes one value, not {len(values)}"
                )
            self.settings[name] = values[0]
        super().check()

    def more(self) -> Row:
        """What makes several searches at once, too."""
        at_once = partial(several_at_once, jobs=self.arguments.jobs or 1)
        return {**super().more(), "in_order": at_once}

    def _kept(self, _checkpoint: Path) -> list[Row]:
        return []  # iterations are not in a checkpoint

    def _row(self, epoch: int, moment: Moment[Any], seconds: float) -> Row:
        row = {**moment.numbers, "iteration": epoch}
        row["learning_seconds"] = row.pop("seconds")
        return {**row, "seconds": seconds}

    def _learned(self, model: TrainedModel) -> str:
        settings: Table = model.settings
        unreachable = settings["unreachable"]
        whys = "; ".join(f"{n:,}: {why}" for why, n in sorted(unreachable.items()))
        without = sum(unreachable.values())
        left = f" ({without:,} more have no derivation, for want of a rule: {whys})"
        gap = settings["objective"] - settings["dual"]
        part = f", {gap / settings['objective']:.1%}" if settings["objective"] else ""
        ended = "" if settings["stopped"] == "converged" else ", as many as were allowed"
        return (
            f"{settings['pairs']:,} pairs{left if without else ''}: {settings['rules']:,} rules, "
            f"{len(settings['history'])} iterations{ended}, objective "
            f"{settings['objective']:.4g}, at most {gap:.2g} above the best one{part}"
        )

    def _numbers(self, model: TrainedModel) -> Row:
        return {**described(model), "by_iteration": self.epochs}


def described(model: TrainedModel) -> Row:
    """Corpus, settings and rules of a transducer, and how its training ended, for JSON."""
    settings = {k: v for k, v in model.settings.items() if k != "history"}
    return {**settings, "gap": settings["objective"] - settings["dual"]}


class Realizing(Learning):
    """Trees of lemmas become sentences; text is parsed into such."""

    HAS = ("parser", "eval", "trace")

    def _load(self) -> Any:
        from wordorder_lab.systems.parsed_trees import is_text_file, lemma_trees_of

        name, parser = self.arguments.corpus, self.arguments.parser
        self.is_text = is_text_file(name)
        if self.is_text:
            return lemma_trees_of(name, common.open_parser(parser or DEFAULT_PARSER))
        if parser is not None:
            raise ValueError(f"--parser is for text (FILE.txt), and {name} has trees")
        return lemma_trees_of(name)

    @property
    def about(self) -> Row:
        """Corpus, and whose trees."""
        parser = {"parser": self.arguments.parser or DEFAULT_PARSER} if self.is_text else {}
        return {**super().about, **parser}

    def ready(self) -> None:
        """Trees that know their words; English where the corpus is."""
        super().ready()
        name = self.arguments.corpus
        if "english" in self.system.training_names():
            english = name in (*LEMMA_CORPORA, *TREEBANKS, GAZETTE) or self.is_text
            self.settings.setdefault("english", english)
        self.held_out = [tree for tree in self.held_out if tree.reference]
        if not any(tree.reference for tree in self.corpus.train):
            raise ValueError(
                f"no tree of {name} knows its words, so there is nothing to learn from: give a "
                "treebank, with words in column 2 and lemmas in column 3"
            )

    def run(self, checkpoint: Path, trace: EventLog | None) -> Any:
        """Train. Raises ``ValueError`` where lists of forms are missing."""
        self.ready()  # what is missing of the corpus itself is its own error
        try:
            return super().run(checkpoint, trace)
        except CorpusError as error:  # the lists of forms: all trees are read by now
            raise ValueError(f"--no-english trains without these: {error}") from None

    def _score(self, model: Any) -> tuple[Row, str]:
        from wordorder_lab.metrics.realization import realization_scores

        outputs = model.outputs(self.held_out, engine=self.arguments.engine)
        scores = realization_scores(outputs, self.held_out)
        row = {"bleu_lc": scores.bleu_lc, "bleu_cased": scores.bleu_cased}
        return row, f"BLEU {scores.bleu_lc:5.2f} lower-cased, {scores.bleu_cased:5.2f} cased"

    def _learned(self, model: TrainedModel) -> str:
        of = model.settings
        parts = [f"{of['trees']:,} trees, {of['forms']:.2f} forms a lemma"]
        if not of["english"]:
            parts[0] += (
                " (of its training trees alone; --english for rules and lists of English, too)"
            )
        parts += [f"{of['lifted']:,} of them with lifted arcs"] if of["lifted"] else []
        parts += [f"{of['left_out']:,} more with crossing arcs left out"] if of["left_out"] else []
        parts += [f"{of['unmapped']:,} without their words"] if of["unmapped"] else []
        return ", ".join(parts)


class Parsing(Learning):
    """Sentences get trees."""

    HAS: tuple[str, ...] = ()

    def _sizes(self, model: Any) -> dict[str, int]:
        rules = len(model.grammar.scores) + len(model.grammar.unary_scores)
        symbols, words = len(model.grammar.symbols), len(model.lexicon.words)
        trees = model.settings["trees"]
        return {"trees": trees, "rules": rules, "symbols": symbols, "words": words}

    def _learned(self, model: TrainedModel) -> str:
        trees, rules, symbols, words = self._sizes(model).values()
        return f"{trees:,} trees: {rules:,} rules over {symbols:,} symbols, {words:,} words"

    def _numbers(self, model: TrainedModel) -> Row:
        seconds = self.epochs[-1]["seconds"] if self.epochs else 0.0
        settings = asdict(self.system.checked(self.settings))
        return {**self.about, **settings, **self._sizes(model), "seconds": seconds}


class Tagging(Parsing):
    """The words of sentences get categories."""

    HAS = ("units",)

    def _sizes(self, model: Any) -> dict[str, int]:
        sentences = len(self.corpus.train)
        return {"sentences": sentences, "categories": len(model.numbers.categories)}

    def _learned(self, model: TrainedModel) -> str:
        sentences, categories = self._sizes(model).values()
        return f"{sentences:,} sentences with {categories:,} categories"


LEARNING = {
    "order": Ordering,
    "compress": Shortening,
    "realize": Realizing,
    "parse": Parsing,
    "tag": Tagging,
}
"""Task -> its training."""
