"""What several commands do: load models and corpora, refuse options, show what came out."""

from __future__ import annotations

import os
import shlex
import sys
from argparse import Namespace
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wordorder_lab.commands.options import given_settings, not_an_option
from wordorder_lab.corpora import CORPORA, TEXTS, Compressions, CorpusError
from wordorder_lab.corpora.penn_corpora import sample_files
from wordorder_lab.corpora.readers.corpus import Corpus
from wordorder_lab.corpora.readers.files import LOOKED
from wordorder_lab.corpora.texts import is_text
from wordorder_lab.experiments.records import unfinished
from wordorder_lab.experiments.runs.corpora import corpus_of
from wordorder_lab.experiments.runs.ordering_evaluate import Evaluation, named
from wordorder_lab.experiments.runs.schema import Row, Table
from wordorder_lab.systems import find, load_model, names_of, task_of
from wordorder_lab.systems.everyday import FILES, comes_along, model_for
from wordorder_lab.systems.model import OrderingModel
from wordorder_lab.systems.task import TASKS

if TYPE_CHECKING:
    from wordorder_lab.experiments.runs.compression_evaluate import CompressionEvaluation
    from wordorder_lab.systems.parsed_pairs import Parsing
    from wordorder_lab.systems.parser import TreebankParser


# --- models and corpora ---------------------------------------------------------------------------


def open_model(path: str, task: str | None = None) -> Any:
    """A model of any system, or of a task; ``ValueError`` says how to make it, or who uses it."""
    if comes_along(path) and task in FILES:
        return model_for(task)
    if not os.path.exists(path) and not comes_along(path):
        raise ValueError(
            f"there is no model {path}: make one with "
            f"wordorder-lab train {names_of(task or 'order')[0]} --out {shlex.quote(path)}"
        )
    model = load_model(path)
    own = TASKS[task_of(model.system)]
    if task is not None and own.name != task:
        raise ValueError(
            f"{path} {own.does} ({model.system}), and what is asked for {TASKS[task].does}: "
            f"that is wordorder-lab {own.verb}"
        )
    return model


USUAL = "ptb-sample"
"""The corpus of whoever names none."""


def usual_corpus() -> str:
    """The Penn sample, or where it is not here the Gazette, of which a line on stderr tells."""
    try:
        sample_files("train")
    except CorpusError as error:
        note = f"no corpus is named: the gazette, part of the project, is taken. {error}"
        print(note.partition(LOOKED)[0], file=sys.stderr)
        return "gazette"
    return USUAL


def scored_on(model: Any, arguments: Namespace) -> str:
    """The corpus that is named, or of training, or of the task; another would be another table."""
    usual = find(model.system).does.corpus or USUAL
    return str(arguments.corpus or model.settings.get("corpus") or usual)


DEFAULT_PARSER = "default"
"""The name of the parser that the package trains itself, once: on the Penn sample; where that is
missing, on the Gazette."""


def open_parser(path: str) -> TreebankParser:
    """A parser's file, or ``default``: that of ``usual_corpus``. Raises as ``open_model``."""
    parser: TreebankParser
    if path != DEFAULT_PARSER or os.path.exists(path):
        parser = open_model(path, "parse")
        return parser
    from wordorder_lab.systems.parser import usual_parser

    usual_corpus()  # says which it is where the sample is not here
    return usual_parser()


def parser_for(name: str | None, corpus: str) -> Parsing | None:
    """The parser that is named, or that a corpus without trees needs; raises as ``open_parser``."""
    if name is None and not is_text(corpus):
        return None
    return open_parser(name or DEFAULT_PARSER)


def with_supertagger(model: Any, arguments: Namespace) -> Any:
    """The model with the supertagger that is named; ``ValueError`` where it has no use for it."""
    if arguments.supertagger is None:
        return model
    if not hasattr(model, "with_tagger"):
        raise ValueError(f"--supertagger is for the CCG systems, not for {model.system}")
    return model.with_tagger(open_model(arguments.supertagger, "tag"))


def place_of(model: OrderingModel, arguments: Namespace) -> tuple[Row, Corpus]:
    """Corpus, split, units, by default as in training; and the corpus, or ``CorpusError``."""
    name = scored_on(model, arguments)
    corpus = corpus_of(name, arguments.units or model.settings.get("units"))
    return {"corpus": name, "split": arguments.split, "units": corpus.units}, corpus


def open_compressions(name: str, parser: Parsing | None = None) -> Compressions:
    """Pairs; trees of real text are made by ``parser``. ``CorpusError`` where there are none."""
    from wordorder_lab.systems.parsed_pairs import compressions_of

    try:
        return compressions_of(name, parser)
    except CorpusError:
        if name not in CORPORA:
            raise
    raise CorpusError(
        f"{name} has sentences but no compressions: take gazette, one of "
        f"{', '.join(TEXTS)}, or a file or folder of pairs"
    )


# --- options --------------------------------------------------------------------------------------


def search_options(model: Any, arguments: Namespace) -> Row:
    """The options of a model's search; ``ValueError`` for one that its system does not have."""
    names = find(model.system).search_names()
    given = given_settings(arguments, names)
    _refuse(model.system, given, names, "in its search")
    if "lm_weight" in given and "lm_weight" not in model.usual_search():
        raise ValueError(
            f"this model of {model.system} has no n-grams for --lm-weight to weigh: "
            "train one with --lm-order 5, say"
        )
    return given


def refuse_others(
    system: str, arguments: Namespace, others: Iterable[str], known: Sequence[str], where: str
) -> None:
    """Raise ``ValueError`` for those ``others`` that are given, and are not ``known``."""
    given = [name for name in others if getattr(arguments, name, None) not in (None, False)]
    _refuse(system, given, known, where)


def _refuse(system: str, given: Iterable[str], known: Sequence[str], where: str) -> None:
    options = {name: f"--{name.replace('_', '-')}" for name in (*known, *given)}
    for name in given:
        if name not in known:
            there = [options[one] for one in known]
            raise ValueError(not_an_option(system, options[name], there, where))


# --- what is printed ------------------------------------------------------------------------------


def go_on(
    kept: Path, new: Row, same: Sequence[str], rows: str, items: str, say: Callable[[str], None]
) -> Row:
    """What an earlier call left at ``kept``, if it is of the ``same``; else the ``new`` work."""
    old = unfinished(kept, new, same)
    if old is not None:
        say(f"going on from {kept}: {len(old[rows])} {items} are done")
    elif kept.exists():
        say(f"{kept} is of another model, other data, settings or code: beginning anew")
    return old or new


def condition(values: Table) -> str:
    """The setting that a number belongs to, in one line, from a mapping with our usual names."""
    system = values.get("system", "liu-2015")
    names = ("units", "pos", "deps", *named(dict.fromkeys(find(system).search_names())), "seed")
    known = {name: values[name] for name in names if values.get(name) is not None}
    settings = ", ".join(
        f"{name} {_listed(value)}"
        for name, value in known.items()
        if not isinstance(value, Mapping)
    )
    place = " ".join(str(values[name]) for name in ("corpus", "split") if name in values)
    return f"{system} on {place}: {settings}"


def not_a_bag(data: Table) -> list[str]:
    """A note where the words' order was known to who chose their categories."""
    categories = data.get("categories") or "dictionary"
    if categories == "dictionary":
        return []
    if not categories.startswith("beta="):
        return [f"(each word has the categories of {categories}, which may know the true order)"]
    return [
        "(a supertagger has read each sentence in its true order before it was scrambled: this is "
        "not the bag-of-words task)"
    ]


def _listed(value: object) -> str:
    if isinstance(value, list):
        return " ".join(map(str, value))
    return f"{value:g}" if isinstance(value, float) else str(value)


def beside(outputs: Sequence[str], references: Sequence[str], number: int) -> list[str]:
    """Some outputs above their references, spread over the whole list."""
    lines = [""] if number else []
    for i in spread(len(outputs), number):
        mark = "=" if outputs[i] == references[i] else "/"
        lines += [f"{i + 1:>5} output    {outputs[i]}", f"    {mark} reference {references[i]}"]
    return lines


def spread(total: int, number: int) -> range:
    """About ``number`` places, evenly over ``total`` of them."""
    return range(0, total, max(1, total // number))[:number] if number else range(0)


def whose_fault(
    model: Any,
    items: Sequence[Any],
    done: Evaluation | CompressionEvaluation,
    arguments: Namespace,
    search: Table,
) -> tuple[list[str], list[Row]]:
    """Whose fault wrong outputs are, by length; ``done`` is the evaluation of these items."""
    from wordorder_lab.experiments.measures import faults  # they read trees

    options = {"engine": arguments.engine, **search}
    found = faults.faults_of(model, items, done, options, arguments.jobs)
    rows = faults.by_length(faults.lengths_of(items), found)
    return ["", *faults.fault_lines(rows)], rows
