"""The options of ``wordorder-lab``: those of commands are rows here, those of systems are settings.

A command takes the same option to mean the same as any other. Nothing heavy is imported here, since
``--help`` should not wait for it; the settings of a system are read when it is known which.
"""

from __future__ import annotations

import argparse
from argparse import Namespace
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from wordorder_lab.structures.messages import MOST_EPOCHS, MOST_HYPOTHESES, unknown_name

if TYPE_CHECKING:
    from wordorder_lab.systems.setting import Setting

Row = dict[str, Any]
"""The arguments of ``add_argument``."""
MOST = 1_000_000_000
"""Of a whole number that has no limit of its own."""
LARGEST = 1e12
"""Of other numbers: their products are numbers, too."""
MOST_JOBS = 256
"""Processes, each with a Python of its own."""


def whole(text: str, least: int = 1, most: int = MOST) -> int:
    """A whole number from ``least`` up to ``most``."""
    if not text.isdecimal() or (len(text) < 20 and int(text) < least):
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from {least} up")
    if len(text) >= 20 or int(text) > most:
        raise argparse.ArgumentTypeError(f"{text!r} is too much: {most:,} is the most")
    return int(text)


count = partial(whole, least=0)


def share(text: str) -> float:
    """A number from 0 to 1; whole where it can be, so that 1 and 1.0 make the same model."""
    try:
        value = float(text)
    except ValueError:
        value = -1
    if not 0 <= value <= 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a share between 0 and 1")
    return int(value) if value in (0, 1) else value


def rate(text: str) -> float | str:
    """A share above 0, or the word "gold"."""
    value = text if text == "gold" else share(text)
    if not value:
        raise argparse.ArgumentTypeError("a rate of 0 leaves no words: give a share above 0")
    return value


def assignment(text: str) -> tuple[str, Any]:
    """A setting and its value, as TOML writes it; what is no TOML is taken as text."""
    name, equals, value = text.partition("=")
    if not equals or not name.isidentifier():
        raise argparse.ArgumentTypeError(f"{text!r} is not NAME=VALUE")
    import tomllib

    try:
        return name, tomllib.loads(f"value = {value}")["value"]
    except tomllib.TOMLDecodeError:
        return name, value


def several(text: str) -> tuple[str, list[str]]:
    """A setting and its values, apart by commas."""
    name, _, values = text.partition("=")
    if not name.isidentifier() or not all(values.split(",")):
        raise argparse.ArgumentTypeError(f"{text!r} is not NAME=VALUE,VALUE")
    return name, values.split(",")


def option(help: str, type: Callable[[str], Any] = str, metavar: str = "FILE", **more: Any) -> Row:
    """A row of ``OPTIONS``."""
    return {"help": help, "type": type, "metavar": metavar, **more}


def choice(help: str, *values: str) -> Row:
    """The same with a closed list of values."""
    return {"help": help, "choices": values, "metavar": "|".join(values)}


def flag(help: str) -> Row:
    """The same without a value."""
    return {"help": help, "action": "store_true"}


OPTIONS: dict[str, Row] = {
    "system": option("its name", metavar="SYSTEM"),
    "text": option("a bag as you type it, in quotes: 'led/VBD>0 [a team]/NP>1 . | 2<3', where "
                   "/VBD is a tag, >1 says that unit 1 is the head (0: the root), >1:obj the "
                   "label, too, and 2<3 that unit 2 stands before unit 3; CCG takes no heads, and "
                   "'the{0,2}' may be left out or used twice; without it, bags are read from "
                   "stdin, one a line",
                   metavar="BAG", nargs="*"),
    "corpus": option("a name or path; 'agreement' compares our conversion with NLTK's, 'ccg' makes "
                     "CCG derivations of Penn trees",
                     metavar="NAME", nargs="?"),
    "experiment": option("which table or figure, or the .toml file of one's own; without it, a "
                         "list", metavar="NAME", nargs="?"),
    "folder": option("the folder to write into; it is made if it is not there", metavar="DIR"),
    "--model": option("a model that train has written"),
    "--against": option("a second model on the same sentences: is the difference real?"),
    "--corpus": option("the name of a corpus or the path of one", metavar="NAME"),
    "--conllu": option("read bags from this CoNLL-U file ('-': from stdin), with _ where a tag or "
                       "head is not known, and Before=3 in MISC for an order"),
    "--split": choice("which part of the corpus", "train", "dev", "test", "all"),
    "--units": choice("keep base noun phrases whole, or not", "base-np", "words"),
    "--pos": option("share of words whose tag is given, 0 to 1", share, "SHARE"),
    "--deps": option("share of words whose head is given, 0 to 1", share, "SHARE"),
    "--beam": option("how many hypotheses are kept: at each step (liu-2015 and ngram-beam, default "
                     "64), or in the chart (default 64 too, 0: no bound)",
                     partial(count, most=MOST_HYPOTHESES), "N"),
    "--supertagger": option("CCG: this supertagger for --categories beta=, not one of its own"),
    "--parser": option("what parses sentences without trees, and shorter ones anew: a model of "
                       "parser, or default, one of the Penn sample, or else of the Gazette",
                       metavar="default|FILE"),
    "--set": option("a setting by its name, such as one that only a system of another package has "
                    "(may be given several times)", assignment, "NAME=VALUE", action="append"),
    "--skip-bad": flag("leave out what is no tree, say so, and go on"),
    "--detokenize": flag("print sentences as people write them, not token by token"),
    "--file": option("read sentences from this file, one a line"),
    "--rate": option("shorter sentences: choose the bonus on dev so that this share of the words "
                     "stays, or as many as in the references (gold)", rate, "gold|SHARE"),
    "--epochs": option("how often training goes through the sentences",
                       partial(whole, most=MOST_EPOCHS), "N"),
    "--folds": option("in N parts: every sentence of the corpus is scored by a model that has not "
                      "seen its document", partial(whole, least=2, most=1000), "N"),
    "--seeds": option("train each model N times, with the sentences in another order in each epoch",
                      partial(whole, least=2, most=1000), "N"),
    "--outputs": option("the folder for the sentences that systems put out and the table as CSV "
                        "(default: one below build/outputs)", metavar="DIR"),
    "--sentences": option("take the first N sentences of each split only", whole, "N"),
    "--seed": option("decides what is left to chance", count, "N"),
    "--engine": choice("the one to read, or the one to wait for", "reference", "fast"),
    "--arpa": option("write the n-grams there, too, as an ARPA file"),
    "--lm": option("n-grams beside the features: an ARPA file, or a model that has some"),
    "--lm-text": option("more text for n-grams: a sentence a line, its words apart by spaces; or "
                        "brown, the Brown Corpus", nargs="+"),
    "--ngrams": option("an ARPA file, in place of n-grams counted here"),
    "--grid": flag("try several C and scalings, or those given; the smallest loss on dev wins"),
    "--eval": choice("score this split after each epoch", "dev", "test"),
    "--out": option("where to write"),
    "--k": option("how many outputs to list", partial(whole, most=MOST_HYPOTHESES), "N", default=1),
    "--task": option("which split of which corpus; without a file: its table", metavar="TASK"),
    "--trees": option("read the trees from this file, in Penn brackets ('-': from stdin)"),
    "--rules": flag("print the rules of the derivation too, the root's first"),
    "--tree": flag("print the syntax tree too, or in CCG the derivation"),
    "--trace": option("record every event of the run in this file"),
    "--why": flag("with --play: a click shows what a score is made of"),
    "--reference": option("with --play: the sentence that is right, token by token, so that each "
                          "word of the output is marked right or wrong", metavar="SENTENCE"),
    "--play": option("write a page that plays the search step by step, to open in a browser"),
    "--sweep": option("search again for each of these values of one setting of the search, and "
                      "compare what comes out: beam=1,4,16", several, "NAME=VALUE,VALUE"),
    "--html": option("write it as a page, too, to open in a browser"),
    "--show": option("how many outputs to print beside their references", count, "N", default=3),
    "--report": flag("gazette only: measure it beside the Penn sample and write its report"),
    "--jobs": option("processes (default: 1; with --cluster, all that it has)",
                     partial(whole, most=MOST_JOBS), "N"),
    "--cluster": option("a Dask cluster: tcp:// or tls://HOST:PORT of its scheduler, or local for "
                        "this machine's cores",
                        metavar="ADDRESS"),
    "--check": flag("check that the records and what they were made from belong together"),
    "--errors": flag("say whose fault wrong outputs are, by length: the search's, where the gold "
                     "structure scores more under the model, or the model's; of sentences made of "
                     "trees of lemmas, why they are wrong, and what BLEU would be without it"),
    "--quiet": flag("show no progress bars"),
    "--json": option("write the numbers there; '-': print them, and no text"),
}  # fmt: skip


# --- the settings of systems ----------------------------------------------------------------------


def system_options(
    kind: str, tasks: Sequence[str], words: Sequence[str]
) -> tuple[str, dict[str, Row]]:
    """The system that ``words`` name ("training") or whose model they name ("search"), and the rows
    of its settings; or those of all, with a help that goes system by system. Read before the line
    is parsed; raises ``ValueError`` as ``find``."""
    from wordorder_lab.systems.registry import names_of

    name = _named(words) if kind == "training" else _of_model(words, tasks)
    systems = [name] if name else [one for task in tasks for one in names_of(task)]
    return name, rows_of(kind, systems)


def rows_of(kind: str, systems: Sequence[str]) -> dict[str, Row]:
    """The rows of the settings that these systems have, in "training" or "search". Raises
    ``ValueError`` as ``find``."""
    from wordorder_lab.systems.registry import find
    from wordorder_lab.systems.setting import settings_of

    found: dict[str, list[tuple[str, Setting]]] = {}
    for system in systems:
        own = find(system)
        for one in settings_of(own.settings if kind == "training" else own.model.Search):
            found.setdefault(one.option, []).append((system, one))
    return {option: _row(several) for option, several in found.items()}


def _is_system(name: str) -> bool:
    from wordorder_lab.runtime.entry_points import SYSTEMS, brought
    from wordorder_lab.systems.registry import ROWS

    return name in ROWS or name in brought(SYSTEMS, ROWS)


def _named(words: Sequence[str]) -> str:
    """The system of a training: a word that is none of an option's."""
    for last, word in pairwise(words):
        of_option = last.startswith("-") and "=" not in last
        if _is_system(word) or not (word.startswith("-") or of_option):
            return word  # what is no system, whoever looks for it refuses
    return ""


def _of_model(words: Sequence[str], tasks: Sequence[str]) -> str:
    """The system of the first model that is named, if its file can be read; of what comes along the
    one of the only task, or that orders."""
    from wordorder_lab.models.model_file import system_of_file
    from wordorder_lab.systems.everyday import SYSTEMS, comes_along

    for last, word in zip(words, [*words[1:], ""]):
        path = word if last == "--model" else last.removeprefix("--model=")
        if last.startswith("--model") and path:
            along = SYSTEMS.get(tasks[0], "") if len(tasks) == 1 else SYSTEMS["order"]
            name = along if comes_along(path) else system_of_file(path)
            return name if _is_system(name) else ""
    return ""


def _row(several: Sequence[tuple[str, Setting]]) -> Row:
    helps: dict[str, list[str]] = {}
    for system, one in several:
        helps.setdefault(_help(one), []).append(system)
    by_system = [f"{', '.join(systems)}: {help}" for help, systems in helps.items()]
    first = several[0][1]
    row: Row = {"dest": first.name, "help": "; ".join(by_system if len(helps) > 1 else helps)}
    row["help"] = row["help"].replace("%", "%%")
    if first.kind is bool:
        return row | {"action": argparse.BooleanOptionalAction}
    about = first.about
    choices = dict.fromkeys(choice for _, one in several for choice in one.about.choices)
    metavar = "|".join(choices) or first.metavar
    alike = len({(one.kind, one.about) for _, one in several}) == 1
    row |= {"metavar": metavar, "type": partial(read, first) if alike else str}
    if not about.several:
        return row
    # Words add up when an option comes again; of numbers, as of other options, the last one counts.
    return row | {"nargs": "+"} | ({} if first.kind in (int, float) else {"action": "extend"})


def _help(one: Setting) -> str:
    if one.about.as_trained:
        return f"{one.about.help} (default: as in training)"
    default = one.default if not isinstance(one.default, tuple) else " ".join(one.default)
    return one.about.help + ("" if default in (None, "") else f" (default: {default})")


def read(one: Setting, text: str) -> object:
    """The value of a setting that is typed. Raises ``ArgumentTypeError`` for one that cannot be."""
    try:
        value = _value(one, text)
        if isinstance(value, float) and abs(value) > LARGEST:
            raise ValueError(f"{text!r} is too much: {LARGEST:g} is the most")
        if one.kind in (int, float, str) or one.about.choices:
            one.check(value)
    except ValueError as error:
        number = one.kind in (int, float) and "too much" not in str(error)
        message = f"{text!r} is not {one.range}" if number else str(error)
        raise argparse.ArgumentTypeError(message) from None
    return value


def _value(one: Setting, text: str) -> object:
    if one.kind not in (float, str) and text.isdecimal() and len(text) > 20:
        raise ValueError(f"{text!r} is too much: {MOST:,} is the most")
    if one.about.parse is not None:
        return one.about.parse(text)
    return one.kind(text) if one.kind in (int, float) else text


def given_settings(arguments: Namespace, names: Iterable[str]) -> Row:
    """What is said of these settings; ``--set`` may name others, which their system refuses."""
    given = {name: getattr(arguments, name, None) for name in names}
    given |= dict(getattr(arguments, "set", None) or ())
    return {name: value for name, value in given.items() if value is not None}


def not_an_option(
    owner: str, option: str, known: Sequence[str], where: str, beside: Sequence[str] = ()
) -> str:
    """That there is no such option: the nearest, also of those ``beside``, and the ``known``."""
    no, _, _ = unknown_name("option", option, [*known, *beside]).partition("; there are ")
    no, _, near = no.replace(f"option {option!r}", option).partition(" (")
    meant = f" ({near}" if near else ""
    return f"{owner} has {no} {where}{meant}; it has {' '.join(known)}"
