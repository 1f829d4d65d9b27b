"""What a run of an experiment may set, and what of that its training and its search are given.

Every run says its system, corpus, split and units. Beside them it may set what the training of its
system takes and, as ``decode_...``, what its search takes. A task has further settings that say
what is learned from:

    learned_on      the corpus that is learned from (left out: the one that is scored)
    learned_split   of trees of lemmas: which part of it (a treebank without train: "dev")
    learned_trees   of trees of lemmas: the first so many of them (left out: all)
    goals           of trees of lemmas: the first so many goals, or hypotheses, of which the best
                    is the output (left out: 1)
    parser          of real text to compress: whose trees it is given (``runs.compression_pairs``)
    documents       of pairs: the first so many documents (left out: all)
    annotators      of pairs: so many annotators of a sentence (left out: the first)
    choose_on       of pairs: which part chooses C and the rate: "dev" (left out), "train-tenth"
    grid            of pairs: the values of C from which that part chooses
    rates           of pairs: the compression rates at which a compressor is scored
    lm_text         further text for a system's language model: a file, "brown", or "" for none
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from wordorder_lab.corpora import TEXTS
from wordorder_lab.corpora.lemma_corpora import LEMMA_NAMES
from wordorder_lab.corpora.plain_text import BROWN, plain_texts
from wordorder_lab.corpora.registry import CORPORA, UNITS
from wordorder_lab.corpora.treebanks import PLUS, TREEBANKS
from wordorder_lab.experiments.runs import schema
from wordorder_lab.experiments.runs.schema import Row, SpecificationError, Table, check
from wordorder_lab.structures.messages import unknown_name
from wordorder_lab.systems.registry import ROWS, SYSTEMS, find, task_of
from wordorder_lab.systems.setting import settings_of as declared

FLOOR, TREE_FLOOR = "random-order", "random-tree-order"
FLOORS = (FLOOR, TREE_FLOOR)
"""What orders and needs no training; trees of lemmas have both."""
KEEP_ALL, RANDOM_DELETION, FIRST_CLAUSE = "keep-all", "random-deletion", "first-clause"
UNTRAINED = (KEEP_ALL, RANDOM_DELETION, FIRST_CLAUSE)
"""What makes sentences shorter and needs no training."""
PAIRS, TREES, LEMMAS = "pairs", "trees", "lemmas"
"""The ``units`` of what learns from pairs of trees, from trees, and from trees of lemmas."""
DEV, TENTH = "dev", "train-tenth"
CHOOSE_ON = (DEV, TENTH)
"""The parts that may choose C and the rate; ``corpora.hold_out`` makes the second."""
DEFAULT, WITH_TENTH, WITH_GUM = "default", "tenth", "with-gum"
TREES_OF = (DEFAULT, WITH_TENTH, WITH_GUM)
LEARNED_ON, LEARNED_SPLIT, LEARNED_TREES = "learned_on", "learned_split", "learned_trees"
FROM = (LEARNED_ON, LEARNED_SPLIT, LEARNED_TREES)
"""What a run may say of the trees of lemmas it learns from."""
GOALS = "goals"
LM_TEXT = "lm_text"
FOLDS, FOLD = "folds", "fold"
"""Into how many parts a specification cuts its corpus, and which of them a run is scored on."""
DECODE = "decode_"
"""Prefix of settings of the search."""
FOR_ALL = ("engine", "max_length", "scored_as_trained")
"""What a run may set whatever its system. Of one that has no ``max_length``, the runner leaves the
longer sentences out; a model ``scored_as_trained`` is scored under its own condition alone."""


class RunsOf(NamedTuple):
    """What the runs of one task have in common."""

    units: tuple[str, ...]
    corpora: tuple[str, ...]
    more: tuple[str, ...]
    """What they may set beside the training and the search of their system."""
    floors: tuple[str, ...] = ()
    of_floors: tuple[str, ...] = ()
    """What of the common settings a floor has."""


PAIRS_LEARNED = (*schema.LEARNING, schema.RATES)
RUNS = {
    "order": RunsOf(UNITS, (*CORPORA, *TEXTS), FOR_ALL, (FLOOR,)),
    "compress": RunsOf(
        (PAIRS,),
        (*CORPORA, *TEXTS),
        (*FOR_ALL, schema.GRID, *PAIRS_LEARNED),
        UNTRAINED,
        (*schema.NEEDED, "seed", *PAIRS_LEARNED),
    ),
    "realize": RunsOf(
        (LEMMAS,),
        LEMMA_NAMES,
        (*FOR_ALL, *FROM, GOALS),
        FLOORS,
        (*schema.NEEDED, "seed", "english", *FROM),
    ),
    "parse": RunsOf((TREES,), TREEBANKS, ("engine", LEARNED_ON)),
}
"""Task -> its runs; of others there is no measure."""
OF_ANY_FLOOR = ("pos", "deps", *(name for runs in RUNS.values() for name in runs.of_floors))


def task_of_run(run: Table) -> str:
    """The task of a run's system; of random order, which two tasks have, that of its units. Raises
    ``ValueError`` for no such system."""
    system = run["system"]
    if system == FLOOR:
        return "realize" if run.get("units") == LEMMAS else "order"
    for task, runs in RUNS.items():
        if system in runs.floors:
            return task
    return task_of(system)


def having(system: object, settings: Table) -> Row:
    """Those of the common settings that a system has; random order, or none, has all."""
    if not isinstance(system, str) or system == FLOOR:
        return dict(settings)
    runs = RUNS.get(task_of_run({"system": system}), RUNS["order"])
    names = runs.of_floors if system in runs.floors else names_of(system)
    return {name: value for name, value in settings.items() if name in names}


def names_of(system: str) -> tuple[str, ...]:
    """All that a run of a system may set. Raises ``ValueError`` for no such system."""
    own = find(system)
    runs = RUNS.get(own.task, RUNS["order"])
    searching = (f"{DECODE}{name}" for name in own.search_names())
    text = [LM_TEXT] if LM_TEXT in own.takes else []
    return (*schema.NEEDED, *runs.more, *own.training_names(), *searching, *text)


def setting_names(rows: Iterable[Table]) -> set[str]:
    """The columns of rows that are settings of their systems, and not what came out."""
    known = {*schema.SETTING}
    for system in {str(row.get("system")) for row in rows}:
        if system in ROWS or system in SYSTEMS:
            known |= set(names_of(system))
    return known


def for_training(run: Table) -> Row:
    """The options of a run's training."""
    known = (*find(run["system"]).training_names(), "engine")
    options = {name: value for name, value in run.items() if name in known}
    if "text" in options:
        options["text"] = (options["text"],) if options["text"] else ()
    if run.get(LM_TEXT):
        options[LM_TEXT] = plain_texts([run[LM_TEXT]])
    return options


def settings_of(run: Table) -> Any:
    """All settings of a run's training, as its system's ``Settings``; raises as they do. The Brown
    Corpus is not asked for: specifications are listed and read where it is not, too."""
    read = {name: value for name, value in run.items() if (name, value) != (LM_TEXT, BROWN)}
    own = {k: value for k, value in for_training(read).items() if k not in ("engine", LM_TEXT)}
    return find(run["system"]).checked(own)


def for_search(run: Table) -> Row:
    """The options of the search that scores a run's model."""
    return {name.removeprefix(DECODE): run[name] for name in run if name.startswith(DECODE)}


def search_of(run: Table) -> Row:
    """The same, and the engine: what ``evaluate`` is given."""
    return {"engine": run.get("engine"), **for_search(run)}


def usual(run: Table, name: str) -> Any:
    """A setting of a run's training, the system's own default where the run does not say."""
    return run.get(name, getattr(find(run["system"]).checked({}), name))


def learned_on(run: Table) -> str:
    """The corpus that a run learns from."""
    return str(run.get(LEARNED_ON, run["corpus"]))


def learned_split(run: Table) -> str:
    """The part of it that is learned from."""
    return str(run.get(LEARNED_SPLIT, "train"))


def check_run(run: Table, conditions: Table) -> None:
    """Raise ``SpecificationError`` for what a run cannot set; ``conditions`` are those under which
    its model is scored, if it is scored under several."""
    system, task = run["system"], task_of_run(run)
    if task not in RUNS:
        raise SpecificationError(f"{system} {find(system).does.does}: no measure is about that")
    runs = RUNS[task]
    if run["units"] not in runs.units:
        known = " or ".join(map(repr, runs.units))
        raise SpecificationError(f"{system} takes {known} as units, not {run['units']!r}")
    _check_corpora(run, task, runs)
    if system in runs.floors:
        if task == "order" and conditions:
            raise SpecificationError(f"{FLOOR} uses nothing it is given: conditions are for models")
        return
    known_names = names_of(system)
    for name in run:
        if name not in known_names:
            raise SpecificationError(f"{system} has {unknown_name('setting', name, known_names)}")
    _check_settings(run)


def _check_corpora(run: Table, task: str, runs: RunsOf) -> None:
    for corpus in (run["corpus"], learned_on(run)):
        several = task == "parse" and not Path(corpus).exists()
        for name in corpus.split(PLUS) if several else [corpus]:
            if name not in runs.corpora and not Path(name).exists():
                raise SpecificationError(unknown_name("corpus and no file", name, runs.corpora))
    if task == "realize":
        is_learned = (run["corpus"], run["split"]) == (learned_on(run), learned_split(run))
    else:
        is_learned = task == "parse" and run["split"] == "train"
    if is_learned:
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
    try:
        settings_of(run)
    except ValueError as error:
        raise SpecificationError(str(error)) from None
    if run["system"] not in ROWS:
        return  # its search may be known by names alone
    search = {one.name: one for one in declared(find(run["system"]).model.Search)}
    for name, value in for_search(run).items():
        try:
            search[name].check(value)
        except ValueError as error:
            raise SpecificationError(f"{DECODE}{error}") from None


def check_values(settings: Mapping[str, object], systems: Sequence[str] = ()) -> None:
    """Raise ``SpecificationError`` for a setting that there is not, or a value that no setting has.

    ``systems`` are those that are named; without any, all that ``SETTING`` has is known. What a
    system says of its own is asked of each run; of other packages', it may be anything. Raises
    ``ValueError`` for one that cannot be loaded.
    """
    floors = [*FLOORS, *UNTRAINED]
    known = (
        {*OF_ANY_FLOOR} if set(floors) & {*systems} else {*schema.SETTING} if not systems else set()
    )
    for system in {*systems}.difference(floors):
        known |= {*names_of(system)}
    owner = f"{systems[0]} has " if len({*systems}) == 1 else ""
    for name, value in settings.items():
        if name not in known:
            raise SpecificationError(f"{owner}{unknown_name('setting', name, sorted(known))}")
        if name in schema.SETTING or {*systems} <= {*floors, *ROWS}:
            check(value, schema.SETTING.get(name, schema.SCALAR), name)
