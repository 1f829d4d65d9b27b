"""What a run of an experiment may set, and what of that its training and its search are given.

Every run says its system, corpus, split and units. Beside them it may set what the training of its
system takes and, as ``decode_...``, what its search takes. A task has further settings that say
what is learned from:

    learned_on      the corpus that is learned from (left out: the one that is scored)
    learned_split   of trees of lemmas: which part of it (a treebank without train: "dev")
    learned_trees   of trees of lemmas: the first so many of them (left out: all)
    parser          of real text to compress: whose trees it is given (``runs.corpora``)
    documents       of pairs: the first so many documents (left out: all)
    annotators      of pairs: so many annotators of a sentence (left out: the first)
    choose_on       of pairs: which part chooses C and the rate: "dev" (left out), "train-tenth"
    grid            of pairs: the values of C from which that part chooses
    rates           of pairs: the compression rates at which a compressor is scored
    lm_text         further text for a system's language model: a file, "brown", or "" for none
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from wordorder_lab.corpora import TEXTS
from wordorder_lab.corpora.lemma_corpora import LEMMA_NAMES
from wordorder_lab.corpora.plain_text import BROWN, plain_texts
from wordorder_lab.corpora.registry import CORPORA, UNITS
from wordorder_lab.corpora.treebanks import PLUS, TREEBANKS
from wordorder_lab.experiments.runs.schema import (
    GRID,
    LEARNING,
    NEEDED,
    RATES,
    SETTING,
    Row,
    SpecificationError,
    Table,
    check,
)
from wordorder_lab.structures.messages import unknown_name
from wordorder_lab.systems import (
    COMPRESSORS,
    MORE,
    PARSERS,
    REALIZERS,
    SYSTEMS,
    search_names,
    training_names,
    training_settings,
)
from wordorder_lab.systems.names import OURS

FLOOR, TREE_FLOOR = "random-order", "random-tree-order"
FLOORS = (FLOOR, TREE_FLOOR)
"""What orders and needs no training; trees of lemmas have both."""
KEEP_ALL, RANDOM_DELETION, FIRST_CLAUSE = "keep-all", "random-deletion", "first-clause"
UNTRAINED = (KEEP_ALL, RANDOM_DELETION, FIRST_CLAUSE)
"""What makes sentences shorter and needs no training."""
SHORTENING = (*COMPRESSORS, *UNTRAINED)
PAIRS, TREES, LEMMAS = "pairs", "trees", "lemmas"
"""The ``units`` of what learns from pairs of trees, from trees, and from trees of lemmas."""
DEV, TENTH = "dev", "train-tenth"
CHOOSE_ON = (DEV, TENTH)
"""The parts that may choose C and the rate; ``corpora.hold_out`` makes the second."""
DEFAULT, WITH_TENTH, WITH_GUM = "default", "tenth", "with-gum"
TREES_OF = (DEFAULT, WITH_TENTH, WITH_GUM)
"""The parsers that ``parser`` names (``corpora.parser_called``)."""
LEARNED_ON, LEARNED_SPLIT, LEARNED_TREES = "learned_on", "learned_split", "learned_trees"
FROM = (LEARNED_ON, LEARNED_SPLIT, LEARNED_TREES)
"""What a run may say of the trees of lemmas it learns from."""
LM_TEXT = "lm_text"
DECODE = "decode_"
"""Begins what is told to the search and not to the training."""
AS_TRAINED = ("beam", "chart", "lm_weight", "signature")
"""What a search has the same bounds for as the training, where both have it."""
FOR_ALL = ("engine", "max_length", "scored_as_trained")
"""What a run may set whatever its system; of one that has no ``max_length``, the runner leaves the
longer sentences out. Among conditions, a model ``scored_as_trained`` has its own alone."""


class RunsOf(NamedTuple):
    """What the runs of one task have in common."""

    systems: Collection[str]
    floors: tuple[str, ...]
    units: tuple[str, ...]
    corpora: tuple[str, ...]
    more: tuple[str, ...]
    """What they may set beside the training and the search of their system."""
    of_floors: tuple[str, ...] = ()
    """What of this a floor has."""


ORDER = RunsOf(SYSTEMS, (FLOOR,), UNITS, (*CORPORA, *TEXTS), FOR_ALL)
COMPRESS = RunsOf(
    COMPRESSORS,
    UNTRAINED,
    (PAIRS,),
    (*CORPORA, *TEXTS),
    (*FOR_ALL, GRID, RATES, *LEARNING),
    (*NEEDED, "seed", *LEARNING, RATES),
)
REALIZE = RunsOf(
    REALIZERS,
    FLOORS,
    (LEMMAS,),
    LEMMA_NAMES,
    (*FOR_ALL, *FROM),
    (*NEEDED, "seed", "english", *FROM),
)
PARSE = RunsOf(PARSERS, (), (TREES,), TREEBANKS, ("engine", LEARNED_ON))


def task_of_run(system: object, units: object = None) -> RunsOf:
    """The task of a system; of random order, which two tasks have, that of the units."""
    for task in (COMPRESS, REALIZE, PARSE):
        if system in task.systems or (system in task.floors and system != FLOOR):
            return task
    return REALIZE if units == LEMMAS else ORDER


def having(system: Any, settings: Table) -> Row:
    """Those of the common settings that a system has; of one that is not known, all."""
    task = task_of_run(system)
    if system in task.systems:
        names = _names_of(task, system)
    elif task.of_floors and system in task.floors:
        names = task.of_floors
    else:
        return dict(settings)
    return {name: value for name, value in settings.items() if name in names}


def _names_of(task: RunsOf, system: str) -> tuple[str, ...]:
    searching = (f"{DECODE}{name}" for name in search_names(system))
    text = [LM_TEXT] if LM_TEXT in MORE.get(system, ()) else []
    return (*NEEDED, *task.more, *training_names(system), *searching, *text)


def for_training(run: Table) -> Row:
    """What a run's training is told."""
    known = (*training_names(run["system"]), "engine")
    options = {name: value for name, value in run.items() if name in known}
    if "text" in options:
        options["text"] = (options["text"],) if options["text"] else ()
    if run.get(LM_TEXT):
        options[LM_TEXT] = plain_texts([run[LM_TEXT]])
    return options


def for_search(run: Table) -> Row:
    """What the search that scores a run's model is told."""
    names = [name for name in run if name.startswith(DECODE)]
    return {name.removeprefix(DECODE): run[name] for name in names}


def settings_of(run: Table) -> Any:
    """All settings of a run's training, as its system's ``Settings``; raises as they do.

    The Brown Corpus is not asked for: specifications are listed and read where it is not, too.
    """
    read = {name: value for name, value in run.items() if (name, value) != (LM_TEXT, BROWN)}
    own = for_training(read)
    own = {name: value for name, value in own.items() if name not in ("engine", LM_TEXT)}
    return training_settings(run["system"], **own)


def usual(run: Table, name: str) -> Any:
    """A setting of a run's training, the system's own default where the run does not say."""
    return run.get(name, getattr(training_settings(run["system"]), name))


def learned_on(run: Table) -> str:
    """The corpus that a run learns from."""
    return str(run.get(LEARNED_ON, run["corpus"]))


def learned_split(run: Table) -> str:
    """The part of it that is learned from."""
    return str(run.get(LEARNED_SPLIT, "train"))


# --- what cannot be run ---------------------------------------------------------------------------


def check_run(run: Table, conditions: Table) -> None:
    """Raise ``SpecificationError`` for what a run cannot set; ``conditions`` are those under which
    its model is scored, if it is scored under several."""
    system = run["system"]
    task = task_of_run(system, run.get("units"))
    if system not in (*task.floors, *task.systems):
        raise SpecificationError(unknown_name("system", system, (*task.systems, *COMPRESSORS)))
    if run["units"] not in task.units:
        known = " or ".join(map(repr, task.units))
        raise SpecificationError(f"{system} takes {known} as units, not {run['units']!r}")
    _check_corpora(run, task)
    if system in task.floors:
        if task is ORDER and conditions:
            raise SpecificationError(f"{FLOOR} uses nothing it is given: conditions are for models")
        return
    known_names = _names_of(task, system)
    for name in run:
        if name not in known_names:
            raise SpecificationError(f"{system} has {unknown_name('setting', name, known_names)}")
    _check_settings(run)


def _check_corpora(run: Table, task: RunsOf) -> None:
    """What is not there, and what is learned from and scored."""
    for corpus in (run["corpus"], learned_on(run)):
        parts = corpus.split(PLUS) if task is PARSE and not Path(corpus).exists() else [corpus]
        for name in parts:
            if name not in task.corpora and not Path(name).exists():
                raise SpecificationError(unknown_name("corpus and no file", name, task.corpora))
    if task is REALIZE:
        learned = (learned_on(run), learned_split(run))
    else:
        learned = (run["corpus"] if task is PARSE else None, "train")
    if (run["corpus"], run.get("split")) == learned:
        raise SpecificationError(f"{run['split']} is what is learned from: score on another split")


def check_learning(run: Table) -> None:
    """Raise ``SpecificationError`` for a part that cannot choose, or would score itself, and for no
    such parser."""
    if run.get("parser", DEFAULT) not in TREES_OF:
        raise SpecificationError(unknown_name("parser", run["parser"], TREES_OF))
    chosen = run.get("choose_on", DEV)
    if chosen not in CHOOSE_ON:
        raise SpecificationError(f"choose_on is one of {', '.join(CHOOSE_ON)}, not {chosen!r}")
    same = learned_on(run) == run["corpus"]
    if same and chosen == run["split"]:
        raise SpecificationError(
            f"{DEV} chooses C and the rate: score on another split, or choose_on = {TENTH!r}"
        )
    if same and run["split"] == "train":
        raise SpecificationError("train is what is learned from: score on dev or test")


def _check_settings(run: Table) -> None:
    """What a run's training or its search refuses."""
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


def check_values(settings: Mapping[str, object], systems: Sequence[str]) -> None:
    """Raise ``SpecificationError`` for a setting that there is not, or a value of another kind.

    ``systems`` are those that are named: of other packages' they may have settings of their own.
    """
    for name, value in settings.items():
        if name in SETTING:
            check(value, SETTING[name], name)
        elif name not in _own_settings(systems):  # its system looks at the value
            raise SpecificationError(unknown_name("setting", name, SETTING))


def _own_settings(systems: Sequence[str]) -> set[str]:
    """The settings of training and search that those of them have which are of other packages.

    Raises ``ValueError`` for a package that cannot be loaded.
    """
    found: set[str] = set()
    for system in systems:
        if system not in OURS and system in SYSTEMS:
            found |= {*training_names(system), *(f"{DECODE}{n}" for n in search_names(system))}
    return found
