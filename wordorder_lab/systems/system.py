"""``System``: what a system is, ours or one of another package; all come in by this door.

A system says a line on what it is, its settings, how it learns, and what its model is. From then on
``train``, ``evaluate``, its verb, ``reproduce``, traces and players know it by its name:

    class Model(OwnModel):                      how it orders: search, and what its file holds
    def learn(sentences, settings, ...):        yields a model after each epoch
    SYSTEM = System("Greedy bigrams", Settings, learn, Model)

A package says in its ``pyproject.toml`` ``greedy-bigrams = "greedy_bigrams:SYSTEM"``, under
``[project.entry-points."wordorder_lab.systems"]``; a system of ours has a row in ``registry``.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Protocol, cast

from wordorder_lab.runtime.ahead import ORDER, TRAIN, compile_ahead
from wordorder_lab.runtime.progress import progress_bar
from wordorder_lab.structures.arguments import checks_arguments
from wordorder_lab.structures.bag import OrderingExample
from wordorder_lab.structures.messages import cited
from wordorder_lab.structures.sentence import Sentence, as_sentences
from wordorder_lab.structures.trace import Trace
from wordorder_lab.systems.model import ENGINES, TrainedModel, choose_engine
from wordorder_lab.systems.setting import Chosen, checked, settings_of
from wordorder_lab.systems.task import Task, task_called
from wordorder_lab.systems.training_run import Moment, TrainingOptions, split_options


class Learn(Protocol):
    """How a system learns."""

    def __call__(
        self, examples: Sequence[Any], settings: Any, /, *, engine: str, trace: Trace | None
    ) -> Iterator[TrainedModel]:
        """Yield the model after each epoch, or once where learning is counting; it is never changed
        afterwards."""


LearnWithOptions = Callable[[Sequence[Any], Any, TrainingOptions], TrainedModel]
"""How a system learns that keeps checkpoints or shows a bar of its own: the model of the last epoch
of examples, settings and options."""


@dataclass(frozen=True)
class System:
    """A system: what an entry point names.

    ``says`` is a line on what it is. ``settings`` is a frozen dataclass of plain values, all with
    defaults (``setting`` says more of each); if it has a method ``check``, that raises
    ``ValueError`` for what cannot be. ``learn`` is ``Learn``, ``model`` the class of what it
    yields: for the ``task`` "order" an ``OwnModel``, for another a ``TrainedModel`` with the method
    of the task (``TASKS``), or a model of this package below which there is another learner.
    ``search`` names the settings of its search where the model does not.

    ``presets`` are settings that differ from the defaults of ``settings``, ``takes`` further
    arguments of its training that are no settings, such as a language model, which come in
    ``TrainingOptions.more``. With ``takes_options``, ``learn`` is ``LearnWithOptions``.
    ``traced`` is whether a training has steps to watch, ``needs_examples`` whether it learns from
    them alone, ``needs_trees`` whether sentences of plain words do not do, ``needs_derivations``
    whether it learns from CCG derivations; ``engines`` are those that differ. ``name`` is what the
    entry point or the row in ``registry`` calls it.
    """

    says: str
    settings: type[Any]
    learn: Callable[..., Any]
    model: type[TrainedModel]
    search: tuple[str, ...] | None = None
    task: str = "order"
    presets: Mapping[str, Any] = field(default_factory=dict)
    takes: tuple[str, ...] = ()
    takes_options: bool = False
    traced: bool = True
    needs_examples: bool = True
    needs_trees: bool = True
    needs_derivations: bool = False
    engines: tuple[str, ...] = ENGINES
    name: str = ""

    @property
    def does(self) -> Task:
        """The task: how examples are loaded, and what a model of it is asked."""
        return task_called(self.task)

    @property
    def orderer(self) -> str:
        """The system that orders the words for it, whose kernels it has: mostly itself."""
        return getattr(self.model, "ORDERER", self.name)

    def training_names(self) -> tuple[str, ...]:
        """What the settings of its training are called."""
        return tuple(one.name for one in settings_of(self.settings))

    def search_names(self) -> tuple[str, ...]:
        """What the settings of its search are called."""
        if self.search is not None:
            return self.search
        return tuple(one.name for one in settings_of(self.model.Search))

    @checks_arguments
    def checked(self, given: Mapping[str, Any]) -> Any:
        """All settings of a training, as given and its defaults. Raises ``ValueError`` for one that
        there is not, and for what cannot be."""
        return checked(self.settings, self.name, {**self.presets, **given}, "in its training")

    def train(self, examples: Sequence[Any], **given: Any) -> Any:
        """Learn from examples; the model of the last epoch.

        ``given`` are settings of the training, what the system ``takes`` beside them, and the
        fields of ``TrainingOptions``. Raises ``ValueError`` for examples of another task or none,
        settings that cannot be, a trace where nothing can be watched, and a learner that yields no
        model of its class.
        """
        self.does.check_examples(self.name, examples)
        ready = (isinstance(one, Sentence | OrderingExample) for one in examples)
        if self.task == "order" and not all(ready):
            examples = as_sentences(examples)
        plain = next((e for e in examples if isinstance(e, Sentence) and e.is_plain), None)
        if plain is not None and self.needs_trees:
            raise ValueError(
                f"{self.name} learns from sentences with trees, and {cited(plain.text)} is plain "
                "text: take ngram-beam, or a treebank (wl.load_corpus)"
            )
        options, own = split_options(given, self.name, self.takes)
        settings = self.checked(own)
        if options.engine != "reference":
            compile_ahead((self.orderer, TRAIN), (self.orderer, ORDER))
        engine = choose_engine(options.engine)
        if self.needs_examples and not len(examples):
            raise ValueError(f"there are no {self.model.LEARNED} to train on")
        if options.trace is not None and not self.traced:
            raise ValueError(f"the learning of {self.name} has no steps to watch: no trace")
        if self.takes_options:
            return cast(LearnWithOptions, self.learn)(examples, settings, options)
        return self._yielded(examples, settings, options, engine)

    def _yielded(
        self, examples: Sequence[Any], settings: Any, options: TrainingOptions, engine: str
    ) -> TrainedModel:
        """The last model that ``Learn`` yields; ``on_epoch`` hears of each."""
        said = {**(options.about or {}), **asdict(settings), self.model.LEARNED: len(examples)}
        learn = cast(Learn, self.learn)
        epochs = learn(examples, settings, engine=engine, trace=options.trace)
        model, begin = None, time.perf_counter()
        total = getattr(settings, "epochs", 1)
        for epoch, learned in enumerate(
            progress_bar(epochs, wanted=options.progress, total=total, unit=" epochs"), 1
        ):
            seconds = time.perf_counter() - begin
            model = self._whole(learned, said)
            if options.on_epoch is not None:
                Moment(model.unshared, seconds, model.epoch_numbers).tell(options.on_epoch, epoch)
            begin = time.perf_counter()
        if model is None:
            raise ValueError(f"{self.name} has learned no model: its learn yields at least one")
        return model

    def _whole(self, model: object, said: Chosen) -> TrainedModel:
        if not isinstance(model, self.model) or self.name not in self.model.SYSTEMS:
            raise ValueError(
                f"{self.name} learned a {type(model).__name__}: it should be a "
                f"{self.model.__name__}, and {cited(self.name)} one of its SYSTEMS"
            )
        # What the learner found out of its own settings counts; None is left out.
        settings = {**said, **(getattr(model, "settings", None) or {})}
        model.settings = {name: one for name, one in settings.items() if one is not LEFT_OUT}
        return model


LEFT_OUT = object()
"""The value of a setting that a model's file does not say, such as a file of this machine."""
