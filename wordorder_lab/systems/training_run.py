"""What training has in common, whatever the system: epochs, checkpoints, a bar, moments."""

from __future__ import annotations

import hashlib
import math
import os
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import astuple, dataclass, field, fields, replace
from pathlib import Path
from threading import Event, Lock
from typing import Any, ClassVar, Generic, TypeVar

import numpy as np

from wordorder_lab.models.file_parts import WRONG_PARTS, Json, JsonView, whole
from wordorder_lab.models.model_file import ModelError, load_arrays, save_arrays
from wordorder_lab.models.ngram import NGramModel
from wordorder_lab.models.tag_dictionary import LabelDictionary, lookup_by_class, usual_tags
from wordorder_lab.models.word_classes import WordClasses
from wordorder_lab.runtime.progress import progress_bar
from wordorder_lab.structures.arguments import WrongArgumentError, checks_arguments
from wordorder_lab.structures.bag import OrderingExample, WordBag
from wordorder_lab.structures.messages import brief, cited
from wordorder_lab.structures.problem import Lookup, OrderingProblem
from wordorder_lab.structures.sentence import Sentence
from wordorder_lab.structures.trace import Trace, of_next_search
from wordorder_lab.systems.language_models import FoldedModels, in_use, models_of_training
from wordorder_lab.systems.model import choose_engine

Given = Sentence | OrderingExample
"""One thing to learn: a plain sentence is made a bag under the condition of the training
(``bag_of``); an ``OrderingExample`` brings its own bag, as in surface realization, where a unit has
several forms (Zhang & Clark 2015, section 5.7)."""


def ordering_example(one: Given, settings: Any) -> OrderingExample:
    """A bag with its gold sentence; of a plain sentence the bag is made as ``settings`` say, with
    the same share of labels, where they are learned, as of heads."""
    if isinstance(one, OrderingExample):
        return one
    labels = settings.deps if settings.labels else 0
    return OrderingExample.of(one, settings.pos, settings.deps, settings.seed, labels)


def with_unusual_tags(one: OrderingExample, lookup: Lookup) -> WordBag:
    """The bag; a unit with a gold tag that is not among those that are looked up is given it."""
    tags = list(one.bag.pos or [None] * len(one.bag))
    for token, unit in zip(one.gold, one.places, strict=True):
        if tags[unit] is None and token.pos not in lookup(token.words):
            tags[unit] = token.pos
    return replace(one.bag, pos=tags)


def gold_of(one: Given) -> Sentence:
    """The sentence that is learned."""
    return one.gold if isinstance(one, OrderingExample) else one


def golds_of(given: Iterable[Given]) -> list[Sentence]:
    """The sentences that are learned."""
    return [gold_of(one) for one in given]


def labelled(sentences: Sequence[Sentence]) -> Sequence[Sentence]:
    """The same sentences. Raises ``ValueError`` where a token has no label to learn."""
    for sentence in sentences:
        for token in sentence:
            if not token.label:
                name = sentence.name or sentence.text[:40]
                raise ValueError(
                    f"{cited(token.form)} in the sentence {cited(name)} has no label: leave the "
                    "sentence out, or learn without labels"
                )
    return sentences


def feature_words(given: Iterable[Given]) -> list[str]:
    """The words that may stand for a unit in a feature: the last ones, of all forms of a bag."""
    words = []
    for one in given:
        words += [token.words[-1] for token in gold_of(one)]
        if isinstance(one, OrderingExample):
            for kind in one.bag.unit_types:
                words += [form[-1] for form in (kind.words, *kind.others)]
    return words


def classes_of(sentences: Sequence[Given], settings: object) -> WordClasses | None:
    """What stands for words of which ``settings`` say so: rare ones, or all in lower case."""
    least, lower = getattr(settings, "min_count", 0), getattr(settings, "lower_case", False)
    return WordClasses.of(feature_words(sentences), least, lower) if least or lower else None


def _as_text(one: Given) -> str:
    """All that a training depends on, for a checkpoint's identity."""
    if isinstance(one, OrderingExample):
        return repr((one.bag, one.gold.tokens, one.places))
    return repr(one.tokens)


Model = TypeVar("Model")


@dataclass(frozen=True)
class Moment(Generic[Model]):
    """A training at the end of an epoch: ``moment()`` makes the model of that moment, a copy.
    ``seconds`` is how long the sentences of this epoch took to learn, ``numbers`` what else there
    is to say about it. The moment is over when ``on_epoch`` returns; until then training waits."""

    make: Callable[[], Model]
    seconds: float
    numbers: JsonView = field(default_factory=dict)
    _making: Lock = field(default_factory=Lock, init=False, repr=False, compare=False)
    _ended: Event = field(default_factory=Event, init=False, repr=False, compare=False)

    def __call__(self) -> Model:
        """The model. Raises ``RuntimeError`` where training has gone on."""
        with self._making:
            if self._ended.is_set():
                raise RuntimeError(
                    "this moment of the training is over: call moment() in on_epoch, and keep the "
                    "model that it gives"
                )
            return self.make()

    def tell(self, on_epoch: OnEpoch[Model], epoch: int) -> object:
        """What ``on_epoch`` gives back; then the moment is over, once models begun are made."""
        try:
            return on_epoch(epoch, self)
        finally:
            with self._making:
                self._ended.set()


OnEpoch = Callable[[int, Moment[Model]], object]
"""What a training calls after every epoch, with its number. A number that it gives back, such as
BLEU on held-out sentences, goes into the trace; a dictionary of JSON is kept in the checkpoint."""


@dataclass(frozen=True)
class TrainingOptions:
    """How to go about a training, beside its settings: none of it changes what is learned.

    A ``checkpoint`` file is written after every epoch, and gone on from if it is there; the result
    is that of an uninterrupted run. ``about`` goes into the model's settings (corpus, units).
    ``on_epoch`` is called with the epoch's number and a ``Moment``. ``more`` has what the system
    takes beside settings, such as a language model; ``system`` is its name.
    """

    engine: str | None = None
    checkpoint: str | os.PathLike[str] | None = None
    about: JsonView | None = None
    progress: bool = True
    on_epoch: Callable[..., object] | None = None
    trace: Trace | None = None
    more: JsonView = field(default_factory=dict)
    system: str = ""


def split_options(
    given: JsonView, system: str, takes: Sequence[str] = ()
) -> tuple[TrainingOptions, Json]:
    """What a training is given, as its options and its settings; ``takes`` names what a system
    takes beside both. Raises ``TypeError`` for an option of another kind."""
    names = {one.name for one in fields(TrainingOptions)} - {"more", "system"}
    own = {name: value for name, value in given.items() if name in names}
    more = {name: value for name, value in given.items() if name in takes}
    settings = {n: value for n, value in given.items() if n not in names and n not in takes}
    try:
        options = checks_arguments(TrainingOptions)(**own, more=more, system=system)
    except WrongArgumentError as error:
        raise WrongArgumentError(str(error).replace("TrainingOptions", "train", 1)) from None
    return options, settings


def learned_once(model: Model, options: TrainingOptions) -> Model:
    """The model of a training without epochs, once ``on_epoch`` has heard of it."""
    if options.on_epoch is not None:
        Moment(lambda: model, 0.0).tell(options.on_epoch, 1)
    return model


class TrainingRun(Generic[Model]):
    """One training run; each system says how its learner is made and what its model is.
    ``sentences`` are those that are learned; ``CHUNK`` of them, by engine, are a call of the
    learner, so that Ctrl-C is heard and the bar moves."""

    CHUNK: ClassVar[Mapping[str, int]]

    sentences: Sequence[Any]
    learner: Any

    def __init__(self, settings: Any, options: TrainingOptions) -> None:
        self.system, self.settings, self.options = options.system, settings, options
        self.about = dict(options.about or {})
        self.engine = choose_engine(options.engine)
        self._rows: list[Json] = []

    def model(self) -> Model:
        """The model of this moment."""
        raise NotImplementedError

    def identity(self) -> Json:
        """What two runs have in common if one may go on from the checkpoint of the other."""
        raise NotImplementedError

    def raw(self, arrays: dict[str, np.ndarray], examples: int) -> object:
        """The weights of a checkpoint. Raises ``ValueError`` where they are none of this run."""
        raise NotImplementedError

    def end_epoch(self, _epoch: int) -> Json:
        """Called after an epoch; what there is to say about it."""
        return {}

    def more(self) -> Json:
        """What else a checkpoint holds, and ``restore_more`` takes back."""
        return {}

    def restore_more(self, header: JsonView) -> None:
        """Go on from there."""

    def go(self) -> Model:
        """All epochs that are not done yet; the model of the last one."""
        options, trace = self.options, self.options.trace
        first, size = self._resume(options.checkpoint), len(self.sentences)
        sizes = {"initial": (first - 1) * size, "total": self.settings.epochs * size}
        with progress_bar(**sizes, unit=" sentences", wanted=options.progress) as shown:
            for epoch in range(first, self.settings.epochs + 1):
                shown.set_description(f"epoch {epoch}")
                begin = time.perf_counter()
                self._epoch(epoch, trace, shown.update)
                seconds = time.perf_counter() - begin
                numbers = self.end_epoch(epoch)
                row = {"epoch": epoch, "seconds": seconds, "learning_seconds": seconds, **numbers}
                self._rows.append(row)
                self._save(epoch)
                score: object = None
                if options.on_epoch is not None:
                    score = Moment(self.model, seconds, numbers).tell(options.on_epoch, epoch)
                if isinstance(score, Mapping):
                    row |= score
                    self._save(epoch)
                if trace is not None:
                    self._tell_epoch(epoch, score, trace)
        return self.model()

    def _tell_epoch(self, epoch: int, score: object, trace: Trace) -> None:
        """The epoch as a whole; the norm is added up exactly, so that no order matters."""
        w = self.learner.raw().w
        norm = math.sqrt(math.fsum(np.square(w, dtype=np.float64).tolist()))
        scores = [float(score)] if isinstance(score, int | float) and math.isfinite(score) else []
        trace.epoch(epoch, self._updates, int(np.count_nonzero(w)), norm, scores)

    def _epoch(self, epoch: int, trace: Trace | None, advance: Callable[[int], object]) -> None:
        """Learn every sentence once; ``advance`` is told how many have been learned."""
        self._updates = 0
        order = np.arange(len(self.sentences))
        if self.settings.shuffle:
            np.random.default_rng([self.settings.seed, epoch]).shuffle(order)
        chunk = self.CHUNK[self.engine]
        for begin in range(0, len(order), chunk):
            part = order[begin : begin + chunk]
            if trace is None:
                self.learner.learn(part)
            else:
                self._learn_traced(epoch, begin, part, trace)
            advance(len(part))

    def _learn_traced(self, epoch: int, begin: int, part: np.ndarray, trace: Trace) -> None:
        """One sentence after the other: its search, if the trace wants it, and its updates."""
        done = (epoch - 1) * len(self.sentences) + begin
        for example, i in enumerate(part.tolist(), done):
            self.learner.learn(np.array([i]), of_next_search(trace))
            self._updates += self.learner.statistics.updates
            trace.learned(epoch, example, i, *astuple(self.learner.statistics))

    def _save(self, epoch: int) -> None:
        """Write a checkpoint, where one is wished for."""
        if self.options.checkpoint is None:
            return
        raw = self.learner.raw()
        header = {"system": f"{self.system} checkpoint", "epoch": epoch, "examples": raw.examples}
        header |= {"epochs": self._rows, **self.more(), "identity": self.identity()}
        save_arrays(self.options.checkpoint, header, raw.arrays())

    def _resume(self, path: str | os.PathLike[str] | None) -> int:
        """Restore a checkpoint if there is one; returns the next epoch."""
        if path is None or not Path(path).exists():
            return 1
        header, arrays = load_arrays(path)
        with whole_checkpoint(path):
            is_ours = header.get("identity") == self.identity()
            epoch = whole(header["epoch"], "its epoch", 1) if is_ours else 0
            if not 0 < epoch <= self.settings.epochs:
                raise ModelError(
                    f"{path} is a checkpoint of other settings or sentences: "
                    "delete it to start anew, or train with the settings that it was made with"
                )
            learned = epoch * len(self.sentences)
            examples = whole(header["examples"], "its number of examples", learned, learned)
            self.learner.restore(self.raw(arrays, examples))
            self.restore_more(header)
            self._rows = _rows_of(header)
        return epoch + 1


class OrderingRun(TrainingRun[Model]):
    """A training on sentences, or on examples with a bag of their own, and perhaps with n-grams."""

    labels: LabelDictionary | None = None
    classes: WordClasses | None = None

    def __init__(
        self,
        sentences: Sequence[Given],
        settings: Any,
        options: TrainingOptions,
        models: FoldedModels | None,
    ) -> None:
        super().__init__(settings, options)
        self.sentences, self.models = sentences, models
        golds = golds_of(sentences)
        self.classes = classes_of(sentences, settings)
        self.share = getattr(settings, "tag_share", 0.0)
        self.dictionary = usual_tags(golds, self.classes, self.share)
        if getattr(settings, "labels", False):
            self.labels = LabelDictionary.of(labelled(golds))

    @property
    def ngrams(self) -> NGramModel | None:
        """The n-grams that bags are ordered with, if there are any."""
        return None if self.models is None else self.models.whole

    def words(self, sentences: Sequence[Given]) -> Iterable[str]:
        """What stands for a unit in a feature: words, and the classes of rare ones."""
        return map(self.classes or str, feature_words(sentences))

    def problem(self, one: OrderingExample) -> OrderingProblem:
        """The bag of an example, with tags and labels of this training."""
        labels = None if self.labels is None else self.labels.labels
        classes = self.classes
        lookup = lookup_by_class(self.dictionary, classes)
        bag = with_unusual_tags(one, lookup) if self.share else one.bag
        return OrderingProblem.of(bag, lookup, labels=labels, classes=classes)

    def settings_of_model(self) -> Json:
        """What the model says of its training."""
        chosen = in_use(self.settings, self.models is not None)
        return {**self.about, **chosen, "sentences": len(self.sentences)}

    def identity_with(self, templates: str, models: FoldedModels | None) -> Json:
        """What decides how a training goes on: settings but the epochs, sentences, templates and
        n-grams. Settings that say nothing, for lack of a language model, say, are left out."""
        text = "\n".join(map(_as_text, self.sentences))
        fixed = in_use(self.settings, models is not None)
        fixed.pop("epochs")
        return {
            "settings": fixed,
            "sentences": hashlib.sha256(text.encode()).hexdigest(),
            "templates": templates,
            **({} if models is None else {"ngrams": models.digest()}),
        }


def run_training(
    run: Callable[..., OrderingRun[Model]],
    sentences: Sequence[Given],
    settings: Any,
    options: TrainingOptions,
) -> Model:
    """Train a model that orders bags. ``options.more`` may have ``lm``, a language model to use
    beside syntax instead of n-grams learned from the sentences (``lm_order``), and ``lm_text``,
    further text for these, a sequence of words a sentence. Raises ``ModelError`` for a checkpoint
    of other settings or sentences."""
    in_training = getattr(settings, "lm_in_training", False)
    lm, text = options.more.get("lm"), options.more.get("lm_text", ())
    folds = settings.folds if in_training else 1
    classes, order = classes_of(sentences, settings), settings.lm_order
    models = models_of_training(golds_of(sentences), order, lm, text, folds, classes)
    if models is None and in_training:
        raise ValueError("lm_in_training is for a language model: give lm, or lm_order (5, say)")
    return run(sentences, settings, options, models).go()


def epochs_of(checkpoint: str | os.PathLike[str]) -> list[Json]:
    """A row for each epoch that a checkpoint has behind it: seconds, numbers, what was scored. None
    for a file that is no checkpoint. Of one of version 1.0.0 only the numbers are known."""
    with suppress(ModelError):
        header, _ = load_arrays(checkpoint)
        with whole_checkpoint(checkpoint):
            return _rows_of(header)
    return []


def _rows_of(header: JsonView) -> list[Json]:
    known = {whole(row["epoch"], "an epoch", 1): row for row in header.get("epochs", [])}
    done = whole(header["epoch"], "its epoch", 1)
    return [known.get(epoch, {"epoch": epoch}) for epoch in range(1, done + 1)]


@contextmanager
def whole_checkpoint(path: str | os.PathLike[str]) -> Iterator[None]:
    """What looks into a checkpoint goes inside: ``ModelError`` where something in it is wrong."""
    try:
        yield
    except ModelError:
        raise
    except WRONG_PARTS as error:
        raise ModelError(
            f"{path} is not a whole checkpoint ({brief(error)}): delete it to start anew"
        ) from None


class ReferenceLearner:
    """A learner of the reference engine behind the same few methods as a fast one. ``weights`` is
    the class of its weights, which ``keys`` number for a checkpoint."""

    def __init__(self, learner: Any, weights: Any, keys: object) -> None:
        self.learner, self.weights, self.keys = learner, weights, keys

    def __getattr__(self, name: str) -> Any:
        """What a learner counts beside that: ``statistics``, ``updates``, ``sentences``."""
        return getattr(self.learner, name)

    def prepare(self, examples: Sequence[Any]) -> None:
        """Keep the examples."""
        self.examples = examples

    def learn(self, order: Iterable[int], trace: Trace | None = None) -> None:
        """Learn the prepared examples with these indices, in this order."""
        self.learner.trace = trace
        for i in order:
            self.learner.learn(self.examples[i])

    def raw(self) -> Any:
        """Everything learned so far."""
        return self.learner.weights.raw(self.keys)

    def averaged(self) -> Any:
        """What a model keeps of it."""
        return self.raw().averaged()

    def restore(self, raw: object) -> None:
        """Go on from there."""
        self.learner.weights = self.weights.of_raw(raw, self.keys)
