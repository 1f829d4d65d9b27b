"""The command ``wordorder-lab``: its verbs and options as two tables, and what errors become.

Bad input is one line on stderr and exit code 2, Ctrl-C one line and 130, a closed pipe silent. The
work is in ``commands``; nothing of it is imported before it is known which command is meant.
"""

from __future__ import annotations

import argparse
import os
import sys
import traceback
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any, NamedTuple, NoReturn

import wordorder_lab

PROGRAM = "wordorder-lab"


def whole(text: str) -> int:
    """A whole number from 1 up."""
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 1 up")
    return int(text)


def count(text: str) -> int:
    """A whole number from 0 up."""
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 0 up")
    return int(text)


def amount(text: str) -> float:
    """A number from 0 up."""
    try:
        value = float(text)
    except ValueError:
        value = -1
    if not 0 <= value < float("inf"):
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from 0 up")
    return value


def share(text: str) -> float:
    """A number from 0 to 1; whole where it can be, so that 1 and 1.0 make the same model."""
    try:
        value = float(text)
    except ValueError:
        value = -1
    if not 0 <= value <= 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a share between 0 and 1")
    return int(value) if value in (0, 1) else value


def option(help: str, type: Callable = str, metavar: str = "FILE", **more: Any) -> dict[str, Any]:
    """A row of ``OPTIONS``."""
    return {"help": help, "type": type, "metavar": metavar, **more}


def choice(help: str, *values: str) -> dict[str, Any]:
    """The same with a closed list of values."""
    return {"help": help, "choices": values}


def flag(help: str) -> dict[str, Any]:
    """The same without a value."""
    return {"help": help, "action": "store_true"}


OPTIONS: dict[str, dict[str, Any]] = {
    "system": option("which system: liu-2015, zhang-clark-2015-dependency, zhang-2013, or for CCG "
                     "zhang-clark-2011, zhang-blackwood-clark-2012, zhang-clark-2015-ccg",
                     metavar="SYSTEM"),
    "text": option("a bag as you type it, in quotes: 'led/VBD>0 [a team]/NP>1 . | 2<3', where "
                   "/VBD is a tag, >1 says that unit 1 is the head (0: the root), and 2<3 that "
                   "unit 2 stands before unit 3; CCG takes no heads, and 'the{0,2}' may be left "
                   "out or used twice; without it, bags are read from stdin, one a line",
                   metavar="BAG", nargs="*"),
    "corpus": option("a name or path; 'agreement' compares our conversion with NLTK's",
                     metavar="NAME", nargs="?"),
    "experiment": option("which table or figure; without it, a list", metavar="NAME", nargs="?"),
    "folder": option("the folder to write into; it is made if it is not there", metavar="DIR"),
    "--model": option("a model that train has written"),
    "--against": option("a second model on the same sentences: is the difference real?"),
    "--corpus": option("the name of a corpus or the path of one", metavar="NAME"),
    "--conllu": option("read bags from this CoNLL-U file ('-': from stdin), with _ where a tag or "
                       "head is not known, and Before=3 in MISC for an order"),
    "--split": choice("which part of the corpus", "train", "dev", "test"),
    "--units": choice("keep base noun phrases whole, or not", "base-np", "words"),
    "--pos": option("share of words whose tag is given, 0 to 1", share, "SHARE"),
    "--deps": option("share of words whose head is given, 0 to 1", share, "SHARE"),
    "--beam": option("how many hypotheses are kept: at each step (liu-2015, default 64), or in the "
                     "chart (default 64 too, 0: no bound)", count, "N"),
    "--chart": choice("one beam for the whole chart, or one for each number of words (zhang-2013, "
                      "and CCG in 2011 and 2012)", "single", "sizes"),
    "--signature": choice("CCG: which phrases are one to the chart, those of 2011, of 2015, or "
                          "only the very same", "2011", "2015", "none"),
    "--seen": option("CCG: a word has lexical categories of its own if it was seen more often than "
                     "this, otherwise those of its tag (default: 20)", count, "N"),
    "--expansions": option("stop a search after so many expansions (2,000 if there is no limit; in "
                           "training 1,000 a sentence)", count, "N"),
    "--seconds": option("stop a search after so many seconds", amount, "SECONDS"),
    "--memory": option("stop a search that takes so many MiB, at 2 KiB an edge", amount, "MIB"),
    "--default": choice("whose way to put an output together when a search is stopped (default: "
                        "2015, but 2011 in the CCG systems of 2011 and 2012)", "2015", "2011"),
    "--epochs": option("how often training goes through the sentences", whole, "N"),
    "--sentences": option("take the first N sentences of each split only", whole, "N"),
    "--seed": option("decides what is left to chance", count, "N"),
    "--engine": choice("the one to read, or the one to wait for", "reference", "fast"),
    "--templates": option("which feature templates", metavar="NAME"),
    "--update": option("how to update the weights: early (default) or max-violation (liu-2015); "
                       "scaled (default), large-margin or perceptron (the others)", metavar="RULE"),
    "--negatives": choice("what becomes of a wrong edge: Algorithm 3 (default), Algorithm 2, "
                          "Zhang (2013)", "expand", "discard", "stop"),
    "--max-length": option("learn from sentences of up to so many units", whole, "N"),
    "--averaged": {"help": "take the average of the weights, or the last ones (default: average)",
                   "action": argparse.BooleanOptionalAction},
    "--shuffle": flag("another order of the sentences in every epoch"),
    "--eval": choice("print BLEU on this split after each epoch", "dev", "test"),
    "--out": option("where to write"),
    "--k": option("how many outputs to list", whole, "N", default=1),
    "--tree": flag("print the syntax tree too, or in CCG the derivation"),
    "--trace": option("record every event of the run in this file"),
    "--play": option("write a page that plays the search step by step, to open in a browser"),
    "--show": option("how many outputs to print beside their references", count, "N", default=3),
    "--report": flag("gazette only: measure it beside the Penn sample and write its report"),
    "--jobs": option("how many processes", whole, "N", default=1),
    "--check": flag("check that the records and what they were made from belong together"),
    "--json": option("write the numbers there too; '-' prints them instead of the text"),
}  # fmt: skip


class Verb(NamedTuple):
    """A row of ``COMMANDS``: help, options, defaults other than the usual ones.

    A star marks what must be given, a plus what takes several values. ``own`` has the rows of
    options that are something else here than in ``OPTIONS``.
    """

    help: str
    options: str
    defaults: dict[str, Any] = {}  # noqa: RUF012  (nobody writes into it)
    own: dict[str, dict[str, Any]] = {}  # noqa: RUF012


SAMPLE, OWN = {"corpus": "ptb-sample"}, {"corpus": "gazette"}
COMMANDS = {
    "train": Verb(
        "train a system on a corpus and write a model",
        "system --corpus --units --pos --deps --beam --epochs --seed --templates --update --shuffle"
        " --chart --negatives --signature --seen --expansions --max-length --averaged --engine"
        " --eval --trace --json --out*",
        {**SAMPLE, "pos": 1, "deps": 0, "epochs": 10, "seed": 1},
    ),
    "evaluate": Verb(
        "score a model on sentences it has not seen",
        "--model* --against --corpus --split --units --pos+ --deps+ --seed+ --beam --chart"
        " --signature --expansions --seconds --memory --default --engine --jobs --show --json",
        {"split": "dev"},
    ),
    "order": Verb(
        "put the words of a bag in order",
        "text --model* --conllu --k --tree --beam --chart --signature --expansions --seconds"
        " --memory --default --engine --trace --play --json",
    ),
    "bench": Verb(
        "measure how fast everything is on this machine",
        "--model --corpus --epochs --sentences --json",
        {**SAMPLE, "epochs": 10},
    ),
    "corpora": Verb("list the corpora, or describe one", "corpus --units --report --json"),
    "reproduce": Verb(
        "run a table or figure of a paper and keep the record; without a name, list them all",
        "experiment --epochs --sentences --jobs --check --report --json",
        own={
            "--report": option(
                "write a page on every record, or on that of one experiment, with the paper's "
                "values beside ours (default: build/report/index.html)",
                nargs="?",
                const="",
            ),
        },
    ),
    "demo": Verb(
        "train before your eyes, order unseen sentences, say how well, write a page on it",
        "--corpus --beam --epochs --seed --engine --out",
        {**OWN, "beam": 64, "epochs": 10, "seed": 1, "out": "build/demo"},
    ),
    "gallery": Verb(
        "write a page for each player, to open and to send round",
        "folder --model --corpus --beam --seed --engine",
        {**OWN, "beam": 16, "seed": 1, "engine": "reference"},
    ),
}


class Parser(argparse.ArgumentParser):
    """argparse with one line an error."""

    def error(self, message: str) -> NoReturn:
        """Say what is wrong and where to read more; exit code 2."""
        self.exit(2, f"{self.prog}: {message} (see {self.prog} --help)\n")


def parser() -> Parser:
    """The parser that the tables describe."""
    main = Parser(PROGRAM, description="A laboratory for word ordering.", allow_abbrev=False)
    main.add_argument("--version", action="version", version=wordorder_lab.__version__)
    verbs = main.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for command, verb in COMMANDS.items():
        sub = verbs.add_parser(command, help=verb.help, description=verb.help, allow_abbrev=False)
        for given in verb.options.split():
            name = given.rstrip("*+")
            more: dict[str, Any] = {"required": True} if given.endswith("*") else {}
            more |= {"nargs": "+"} if given.endswith("+") else {}
            if name[2:] in verb.defaults:
                more["help"] = f"{OPTIONS[name]['help']} (default: {verb.defaults[name[2:]]})"
            sub.add_argument(name, **verb.own.get(name, OPTIONS[name]) | more)
        sub.set_defaults(**verb.defaults)
    return main


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command and return its exit code; 2 for bad input, 130 for Ctrl-C."""
    try:
        arguments = parser().parse_args(argv)
        _let_every_character_pass()
        code = import_module(f"wordorder_lab.commands.{arguments.command}").run(arguments)
        sys.stdout.flush()
        return code or 0
    except KeyboardInterrupt as stop:
        print(f"\n{PROGRAM}: interrupted{_told(stop)}", file=sys.stderr)
        return 130
    except BrokenPipeError:
        # Whoever read our output has gone; Python would complain once more at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 141
    except (ValueError, OSError) as error:
        if not is_about_input(error):
            raise
        print(f"{PROGRAM}: {_one_line(error)}", file=sys.stderr)
        return 2


def _let_every_character_pass() -> None:
    """A terminal that cannot show a character gets an escape, and bad bytes come in as they are."""
    for stream, errors in (
        (sys.stdin, "surrogateescape"),
        (sys.stdout, "backslashreplace"),
        (sys.stderr, "backslashreplace"),
    ):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors=errors)


def is_about_input(error: BaseException) -> bool:
    """Whether an error is about what the user gave: a file, or something that we refused ourselves.

    A ``ValueError`` that comes out of a library is a mistake of ours, and keeps its traceback.
    """
    if isinstance(error, OSError) or type(error).__module__.startswith("wordorder_lab."):
        return True
    frames = [frame for frame, _ in traceback.walk_tb(error.__traceback__)]
    home = os.path.dirname(wordorder_lab.__file__)
    return bool(frames) and frames[-1].f_code.co_filename.startswith(home)


def _told(stop: BaseException) -> str:
    """What a command said about the work that is kept, if it did."""
    return f"; {stop}" if str(stop) else ""


def _one_line(error: BaseException) -> str:
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename}: {error.strerror}" if error.filename else error.strerror
    return " ".join(str(error).split())


if __name__ == "__main__":
    sys.exit(main())
