"""What a sweep turns: a setting of the search or of the training, what is given, or the model.

beam=(1, 4, 16)                        a setting of the search
pos=(0, 1), deps=(0, 0.5, 1)           how much of the tags and heads is given
heads=((), "the cup", ("a", "b"))      the units whose heads are given, by their words
without=((), "Trigram", "S0wS1w")      templates that score 0, by heading or by name
{"C 0.1": one, "C 1": other}           models
"liu-2015", train=sentences, epochs=(1, 4)      what is trained with each value
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from wordorder_lab.exploring.rows import Explored, Items, explored, with_heads
from wordorder_lab.structures.compression import CompressionPair
from wordorder_lab.structures.messages import brief, cited
from wordorder_lab.structures.sentence import Sentence
from wordorder_lab.structures.typed_bag import as_bag
from wordorder_lab.systems import search_names, train, training_names
from wordorder_lab.systems.model import TrainedModel
from wordorder_lab.systems.registry import find, names_of
from wordorder_lab.systems.setting import Setting, settings_of

Options = Mapping[str, Any]
Models = TrainedModel | Mapping[str, TrainedModel] | str
"""A model, several by their names, or a system that is trained with each value."""
MODEL = "model"
"""The knob whose values are models."""
GIVEN = ("pos", "deps", "seed")
MOST_VALUES = 16
"""Values of a sweep: each is a row of its page, and a log in it."""


SINGLE = (int, float, str, bool)
"""Kinds of settings of which a value is no list."""


class Turn(NamedTuple):
    """The search with one value of the knob, what is given to it, and what ``evaluate`` is told."""

    one: Explored
    given: Any
    told: Options


@dataclass(frozen=True)
class Knob:
    """The knob's ``name``, and all that its runs share: ``models``, the ``bag``, ``others``."""

    name: str
    models: Models
    bag: Any
    sentences: Items | None
    others: Options
    _trained: list[tuple[Options, Any]] = field(default_factory=list)

    def check(self, values: Iterable[object]) -> None:
        """Raise ``ValueError`` for what can be refused before anything is trained."""
        if isinstance(self.models, str):
            for value in values:
                find(self.models).checked(self._training(value))

    def turn(self, value: Any) -> Turn:
        """The search with this value. Raises ``ValueError`` as ``wl.sweep``."""
        if isinstance(self.models, str):
            self.check([value])
        options = {**self.others, self.name: value}
        model = self._model(options)
        if (off := options.pop("without", None)) is not None:
            if not hasattr(model, "without"):
                raise ValueError(f"{model.system} has no templates that could be switched off")
            model = model.without(*_names(off))
        heads = options.pop("heads", None)
        if isinstance(self.models, str):
            has = {*search_names(self.models), *GIVEN, "engine"}
            options = {name: value for name, value in options.items() if name in has}
        options.pop(MODEL, None)
        return _turned(model, self.bag, options, heads)

    @property
    def setting(self) -> Setting | None:
        """What is known of a number that is turned; ``None`` for any other knob."""
        own = settings_of(find(self.models).settings) if isinstance(self.models, str) else ()
        known = (*own, *_searched(self.models))
        found = next((one for one in known if one.name == self.name), None)
        return found if found is not None and found.kind in (int, float) else None

    def _model(self, options: Options) -> Any:
        if isinstance(self.models, Mapping):
            return self.models[options[MODEL]]
        if not isinstance(self.models, str):
            return self.models
        settings = self._training(options[self.name])
        for known, model in self._trained:
            if known == settings:
                return model
        engine = {name: options[name] for name in ("engine",) if options.get(name) is not None}
        model = train(self.models, self.sentences or (), **settings, **engine)
        self._trained.append((settings, model))
        return model

    def _training(self, value: object) -> dict[str, Any]:
        """What is the training's; what neither it nor the search has is its, too: it refuses."""
        system = str(self.models)
        own, searched = training_names(system), search_names(system)
        every = {**self.others, self.name: value}
        left = ("without", "heads", "engine", "seed", "pos", "deps")
        return {
            name: value
            for name, value in every.items()
            if value is not None and (name in own or name not in (*searched, *left))
        }


def knob_of(
    models: Models, bag: Any, sentences: Items | None, options: Options
) -> tuple[Knob, list[Any]]:
    """The setting that has several values, and these. Raises ``ValueError`` as ``wl.sweep``."""
    several = {
        name: [*value]
        for name, value in options.items()
        if isinstance(value, Iterable) and not isinstance(value, str | Mapping)
    }
    if isinstance(models, Mapping):
        several = {MODEL: [*models], **several}
    if len(several) > 1:  # of some settings one value is a list: keep=["rain", "fell"]
        lists = {one.name for one in _searched(models) if one.kind not in SINGLE}
        several = {name: value for name, value in several.items() if name not in lists}
    if len(several) != 1:
        there = (
            f"these are {len(several)}: {brief(', '.join(several))}" if several else "there is none"
        )
        raise ValueError(f"a sweep turns one setting, given as beam=(1, 4, 16); {there}")
    ((name, values),) = several.items()
    if not 1 <= len(values) <= MOST_VALUES:
        raise ValueError(f"{cited(name)} has 1 to {MOST_VALUES} values to try, not {len(values)}")
    if isinstance(models, str) != (sentences is not None):
        raise ValueError(
            f"train= is what {cited(models)} is trained on: give the sentences or pairs"
            if isinstance(models, str)
            else "train= is for a system by its name: wl.sweep('liu-2015', bag, train=sentences, "
            "epochs=(1, 4)); a model that is trained stays as it is"
        )
    others = {one: value for one, value in options.items() if one != name}
    return Knob(name, models, bag, sentences, others), values


def _searched(models: Models) -> Sequence[Setting]:
    """The settings of the search; none where several models have their own."""
    if isinstance(models, Mapping):
        return ()
    return settings_of(find(models).model.Search if isinstance(models, str) else models.Search)


def system_of(models: Models) -> tuple[str, bool]:
    """The system, or systems, and whether they make sentences shorter. Raises ``ValueError`` for
    one that neither orders nor compresses, and for models of two tasks."""
    every = models.values() if isinstance(models, Mapping) else [models]
    systems = [*dict.fromkeys(one if isinstance(one, str) else one.system for one in every)]
    for system in systems:
        if system not in (*names_of("compress"), *names_of("order")):
            raise ValueError(f"{system} neither orders words nor makes sentences shorter")
    shortens = {system in names_of("compress") for system in systems}
    if len(shortens) > 1:
        raise ValueError("a sweep is over models of one task: some order words, others compress")
    return ", ".join(systems), True in shortens


def _turned(model: TrainedModel, bag: Any, options: dict[str, Any], heads: Any) -> Turn:
    """The search, and what is given to it; refused before any is run."""
    engine = options.pop("engine")
    condition = {name: options.pop(name) for name in GIVEN}
    told = {**condition, "engine": engine, **options}
    if isinstance(bag, Sentence | CompressionPair):
        if heads is not None:
            condition["deps"] = 1
        one = explored(model, [bag], **condition, engine=engine, **options)
        if heads is not None:
            one = replace(one, heads=frozenset(_names(heads)))
        return Turn(one, bag.source if isinstance(bag, CompressionPair) else one.bag(bag), told)
    one = Explored(model, (), {"engine": engine, **model.search_settings(**options)})
    given = bag if one.shortens else as_bag(bag)
    if heads is not None:
        given = with_heads(given, _names(heads))
    return Turn(one, given, told)


def _names(value: Any) -> tuple[str, ...]:
    names = (value,) if isinstance(value, str) else tuple(value)
    if not all(isinstance(one, str) for one in names):
        raise ValueError(f"a value is a text or a list of texts, not {cited(value)}")
    return names
