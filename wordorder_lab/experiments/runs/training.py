"""A run of an experiment: what it may set, what of that goes where, and its training."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from wordorder_lab.corpora import TEXTS, load_corpus
from wordorder_lab.corpora.compressions import Compressions
from wordorder_lab.corpora.plain_text import BROWN, plain_texts
from wordorder_lab.corpora.readers.corpus import Corpus
from wordorder_lab.corpora.registry import CORPORA
from wordorder_lab.experiments.runs.known_settings import GRID, LEARNING, RATES, SETTINGS
from wordorder_lab.experiments.runs.parsers import parser_called
from wordorder_lab.experiments.runs.schema import SETTING, Kind, MisfitError, check, unknown
from wordorder_lab.structures.sentence import Sentence
from wordorder_lab.systems import (
    SYSTEMS,
    find,
    search_names,
    train,
    training_names,
    training_settings,
)
from wordorder_lab.systems.model import OrderingModel, choose_engine
from wordorder_lab.systems.names import COMPRESSORS, OURS, REALIZERS, WITHOUT_KERNELS
from wordorder_lab.systems.training_run import Moment

FLOOR = "random-order"
"""The system that needs no training."""
TREE_FLOOR = "random-tree-order"
FLOORS = (FLOOR, TREE_FLOOR)
"""Of trees of lemmas there are two of them."""
KEEP_ALL, RANDOM_DELETION, FIRST_CLAUSE = "keep-all", "random-deletion", "first-clause"
UNTRAINED = (KEEP_ALL, RANDOM_DELETION, FIRST_CLAUSE)
SHORTENING = (*COMPRESSORS, *UNTRAINED)
"""The systems that make sentences shorter; ``UNTRAINED`` need no training."""
PAIRS = "pairs"
"""The ``units`` of what learns from pairs of trees."""
LEMMAS = "lemmas"
"""The ``units`` of what makes sentences of trees of lemmas."""
DEV = "dev"
"""The split on which what was trained is chosen."""
LEARNED_ON = "learned_on"
"""The corpus that a compressor learns from, where it is not the one that is scored."""
LEARNED_SPLIT, LEARNED_TREES = "learned_split", "learned_trees"
"""The part of a corpus of lemmas that is learned from, and how many of its trees."""
LM_TEXT = "lm_text"
"""Further text for a system's language model: a file, ``brown``, or "" for none."""
DECODE = "decode_"
"""Begins what is told to the search and not to the training."""
AS_TRAINED = ("beam", "chart", "lm_weight", "signature")
"""What a search has the same bounds for as the training, where both have it."""
NEEDED = ("system", "corpus", "split", "units")
"""What every run says; training is not told: it is given the sentences."""
FOR_ALL = (*NEEDED, "engine", "max_length", "scored_as_trained")
"""What a run may set whatever its system; of one that has no ``max_length``, the runner leaves the
longer sentences out. Among conditions, a model ``scored_as_trained`` has its own alone."""


class SpecificationError(ValueError):
    """A specification is missing or says something that cannot be run."""


def having(system: Any, settings: Mapping[str, Any]) -> dict[str, Any]:
    """Those of the common settings that a system has."""
    if system == TREE_FLOOR:
        floor = (*NEEDED, "seed", "english", LEARNED_ON, LEARNED_SPLIT, LEARNED_TREES)
        return {name: settings[name] for name in floor if name in settings}
    if system in SHORTENING and system not in COMPRESSORS:
        told = (*NEEDED, "seed", *LEARNING, RATES)
        return {name: settings[name] for name in told if name in settings}
    if system not in (*SYSTEMS, *COMPRESSORS, *REALIZERS):
        return dict(settings)
    return {name: value for name, value in settings.items() if name in _names_of(system)}


def _names_of(system: str) -> tuple[str, ...]:
    searching = (f"{DECODE}{name}" for name in search_names(system))
    own = [GRID, RATES, *LEARNING] if system in COMPRESSORS else []
    own += [LEARNED_ON, LEARNED_SPLIT, LEARNED_TREES] if system in REALIZERS else []
    own += [LM_TEXT] if LM_TEXT in find(system).takes else []
    return (*FOR_ALL, *training_names(system), *searching, *own)


def for_training(run: Mapping[str, Any]) -> dict[str, Any]:
    """What a run's training is told."""
    known = (*training_names(run["system"]), "engine")
    told = {name: value for name, value in run.items() if name in known}
    if "text" in told:
        told["text"] = (told["text"],) if told["text"] else ()
    if run.get(LM_TEXT):
        told[LM_TEXT] = plain_texts([run[LM_TEXT]])
    return told


def settings_of(run: Mapping[str, Any]) -> Any:
    """All settings of a run's training, as its system's ``Settings``; raises as they do.

    The Brown Corpus is not asked for: specifications are listed and read where it is not, too.
    """
    read = {name: value for name, value in run.items() if (name, value) != (LM_TEXT, BROWN)}
    own = {
        name: told for name, told in for_training(read).items() if name not in ("engine", LM_TEXT)
    }
    return training_settings(run["system"], **own)


def for_search(run: Mapping[str, Any]) -> dict[str, Any]:
    """What the search that scores a run's model is told."""
    names = [name for name in run if name.startswith(DECODE)]
    return {name.removeprefix(DECODE): run[name] for name in names}


def check_run(run: Mapping[str, Any], lists: Mapping[str, Any]) -> None:
    """Raise ``SpecificationError`` for what a run cannot set; ``lists`` are those of conditions."""
    for corpus in {run["corpus"], run.get(LEARNED_ON, run["corpus"])}:
        if corpus not in (*CORPORA, *TEXTS) and not Path(corpus).exists():
            known = listed((*CORPORA, *TEXTS))
            raise SpecificationError(
                f"no corpus and no file is called {corpus!r}; there are {known}"
            )
    if (run.get("units") == PAIRS) != (run["system"] in SHORTENING):
        raise SpecificationError(f"{listed(SHORTENING)}, and they alone, take {PAIRS!r} as units")
    if run["system"] in UNTRAINED:
        return
    if run["system"] == FLOOR:
        if lists:
            raise SpecificationError(f"{FLOOR} uses nothing it is given: conditions are for models")
        return
    _check_system(run)


def _check_system(run: Mapping[str, Any]) -> None:
    system = run["system"]
    every = (*SYSTEMS, *COMPRESSORS)
    if system not in every:
        raise SpecificationError(f"no system {system!r}; there are {listed(every)}")
    known = _names_of(system)
    for name in run:
        if name not in known:
            raise SpecificationError(f"{system} has no {unknown(name, known)}")
    check_settings(run)


def check_settings(run: Mapping[str, Any]) -> None:
    """Raise ``SpecificationError`` for settings that a run's training or its search refuses."""
    try:
        settings_of(run)
    except ValueError as error:
        raise SpecificationError(str(error)) from None
    if run["system"] not in OURS:
        return  # its search may have other bounds
    for name, value in for_search(run).items():
        if name in AS_TRAINED and name in training_names(run["system"]):
            try:
                settings_of({**run, name: value})
            except ValueError as error:
                raise SpecificationError(f"{DECODE}{name}: {error}") from None
        elif name == "beam" and value < 1:
            raise SpecificationError(f"{DECODE}beam of {run['system']} is at least 1, not {value}")


def check_value(name: str, value: Any, systems: Sequence[str] = ()) -> None:
    """Raise ``SpecificationError`` for a setting that there is not, or a value of another kind.

    ``systems`` are those that are named: of other packages' they may have settings of their own.
    """
    if name not in SETTINGS and name in own_settings(systems):
        return  # its system looks at the value
    if name not in SETTINGS:
        raise SpecificationError(f"no setting is called {unknown(name, SETTINGS)}")
    fitting(value, SETTING[name], name)


def fitting(value: Any, kind: Kind, where: str) -> None:
    """Raise ``SpecificationError`` for a value that is not of this kind."""
    try:
        check(value, kind, where)
    except MisfitError as error:
        raise SpecificationError(str(error)) from None


def own_settings(systems: Sequence[str]) -> set[str]:
    """The settings of training and search that those of them have which are of other packages.

    Raises ``ValueError`` for a package that cannot be loaded.
    """
    found: set[str] = set()
    for system in systems:
        if system not in OURS and system in SYSTEMS:
            found |= {*training_names(system), *(f"{DECODE}{n}" for n in search_names(system))}
    return found


def listed(names: Iterable[str]) -> str:
    """Names in a row."""
    return ", ".join(names)


# --- What a run learns from, its training, and the numbers of every epoch ---


@cache
def corpus_of(name: str, units: str | None) -> Corpus:
    """A corpus that is read once in a process; raises as ``load_corpus``."""
    return load_corpus(name, units=units)


@cache
def pairs_of(name: str, parser: str | None = None) -> Compressions:
    """Pairs of a corpus, read once in a process; raises as ``compressions_of``.

    Real text gets its trees from ``parser``, a name of ``runs.parsers``; without, the default one.
    """
    # Here, and not above: it brings nltk, for which a program that orders words need not wait.
    from wordorder_lab.systems.parsed_pairs import compressions_of

    return compressions_of(name, None if parser is None else parser_called(parser))


class Trained(NamedTuple):
    """A model, and the numbers of its last epoch."""

    model: OrderingModel
    numbers: dict[str, Any]


_warm: set[tuple] = set()
"""Ways of learning that are compiled."""
_last: dict[Hashable, Trained] = {}
"""The model that was trained last, under what it was trained with."""


def last_trained(run: Mapping[str, Any], sentences: Sequence[Sentence]) -> Trained:
    """The model of a run; the one of the run before if both are trained alike.

    So a sweep over settings of the search trains once. ``sentences`` are the first ones of the
    run's corpus: their number tells them from others.
    """
    search = {f"decode_{name}" for name in for_search(run)}
    alike = {name: value for name, value in run.items() if name not in search}
    asked = json.dumps([alike, len(sentences)], sort_keys=True)
    if asked not in _last:
        _last.clear()
        last: dict[str, Any] = {}
        model = train_run(run, sentences, lambda numbers, _: last.update(numbers))
        _last[asked] = Trained(model, last)
    return _last[asked]


def train_run(
    run: Mapping[str, Any],
    sentences: Sequence[Sentence],
    after: Callable[[dict[str, Any], Moment], None],
    **how: Any,
) -> OrderingModel:
    """Train what a run asks for; ``after`` is told the numbers of every epoch."""
    kept = short_enough(run, sentences)
    _warm_up(run, kept)
    begin, training = time.perf_counter(), 0.0

    def on_epoch(epoch: int, moment: Moment) -> None:
        nonlocal begin, training
        training += time.perf_counter() - begin
        after(numbers_of(epoch, moment, training), moment)
        begin = time.perf_counter()

    settings = {"progress": False, **how, **for_training(run)}
    return train(run["system"], kept, on_epoch=on_epoch, **settings)


def _warm_up(run: Mapping[str, Any], sentences: Sequence[Sentence]) -> None:
    """Let numba compile what learns in this way, once in a process, before any clock starts."""
    if run["system"] in WITHOUT_KERNELS:
        return
    settings = for_training(run)
    if "epochs" in training_names(run["system"]):
        settings["epochs"] = 1
    way = run["system"], settings.get("update"), settings.get("negatives"), settings.get("chart")
    if choose_engine(run.get("engine")) == "fast" and way not in _warm:
        few = sorted(sentences, key=lambda one: abs(len(one) - 9))[:6]  # long enough to go wrong
        train(run["system"], few, progress=False, **settings)
        _warm.add(way)


def short_enough(run: Mapping[str, Any], sentences: Sequence[Sentence]) -> Sequence[Sentence]:
    """The sentences to learn from, where the system itself does not leave the longer ones out."""
    longest = run.get("max_length")
    if longest is None or "max_length" in training_names(run["system"]):
        return sentences
    return [one for one in sentences if len(one) <= longest]


def numbers_of(epoch: int, moment: Moment, training: float) -> dict[str, Any]:
    """What a row says about an epoch: seconds, updates by reason, how its sentences ended."""
    found: dict[str, Any] = {
        "epoch": epoch,
        "training_seconds": round(training, 2),
        "epoch_seconds": round(moment.seconds, 3),
    }
    for name in ("updates", "sentences"):
        for reason, number in moment.numbers.get(name, {}).items():
            found[f"{name}_{reason}"] = number
    return found


def usual(run: Mapping[str, Any], name: str) -> Any:
    """A setting of a run's training, the system's own default where the run does not say."""
    return run.get(name, getattr(training_settings(run["system"]), name))
