"""The command ``wordorder-lab``: its verbs as a table, and what errors become.

Bad input is one line on stderr and exit code 2, Ctrl-C one line and 130, a closed pipe silent. The
work is in ``commands``; nothing of it is imported before it is known which command is meant.
"""

from __future__ import annotations

import _thread
import argparse
import codecs
import io
import os
import re
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from importlib import import_module
from typing import Any, NamedTuple, NoReturn

import wordorder_lab
from wordorder_lab.commands import options
from wordorder_lab.commands.help import Formatter, is_asked, of_all, trimmed
from wordorder_lab.commands.options import OPTIONS, flag, not_an_option, option
from wordorder_lab.structures.messages import LONGEST, as_text, cited, one_line, unknown_name

PROGRAM = "wordorder-lab"


class Verb(NamedTuple):
    """A row of ``COMMANDS``. In ``options`` a star marks what must be given, a plus what takes
    several values; ``own`` has rows that differ from ``OPTIONS``, ``usually`` defaults that the
    command fills in itself. ``settings`` ("training" or "search") of the systems of ``tasks`` are
    options, too; ``file`` is where its ``run`` stands, if not under its own name."""

    help: str
    options: str
    defaults: dict[str, Any] = {}  # noqa: RUF012  (nobody writes into it)
    own: dict[str, dict[str, Any]] = {}  # noqa: RUF012
    usually: dict[str, Any] = {}  # noqa: RUF012
    settings: str = ""
    tasks: tuple[str, ...] = ("order", "compress", "realize", "parse", "tag")
    file: str = ""


EVERYDAY = "everyday"
"""The models that come with the package."""
SAMPLE = {"corpus": "ptb-sample, or else gazette; gazette where sentences are made shorter"}
LEARNED = {"corpus": f"{SAMPLE['corpus']}; sr18 for trees of lemmas"}
OWN = {"corpus": "gazette"}
MOST_RECORDINGS = 1_000
"""On one page: each is some hundred kilobytes."""
SENTENCE = option(
    "a sentence, in quotes, its words and signs apart by spaces: 'He said , it rains .'; without "
    "it, sentences are read from stdin, one a line",
    metavar="SENTENCE",
    nargs="*",
)
SWEPT = option("with --sweep: write it as a page that plays each of the searches")
COMMANDS = {
    "train": Verb(
        "train a system on a corpus and write a model",
        "system --corpus --units --supertagger --parser --lm --lm-text --ngrams --arpa --grid"
        " --engine --set --jobs --cluster --eval --trace --json --out* --quiet",
        usually=LEARNED,
        settings="training",
    ),
    "evaluate": Verb(
        "score a model on sentences it has not seen",
        "--model* --against --corpus --split --units --pos+ --deps+ --seed+ --rate --supertagger"
        " --parser --set --engine --jobs --cluster --show --errors --json --quiet",
        {"split": "dev"},
        settings="search",
    ),
    "order": Verb(
        "put the words of a bag in order",
        "text --model --file --conllu --k --tree --supertagger --sweep --html --set --engine"
        " --trace --play --why --reference --json --quiet",
        {"model": EVERYDAY},
        {
            "--file": option(
                "a text ('-': from stdin), a sentence a line: each is shuffled, put in order, and "
                "held against the line"
            ),
            "--html": SWEPT,
        },
        settings="search",
        tasks=("order",),
    ),
    "realize": Verb(
        "make sentences of trees of lemmas, their order and the forms of their words, or of text, "
        "which is parsed into such trees",
        "text --model --file --conllu --parser --skip-bad --detokenize --k --set --engine --trace"
        " --play --why --json --quiet",
        {"model": EVERYDAY},
        {
            "text": SENTENCE
            | {
                "help": "a sentence, in quotes: 'The dogs chased a cat.', which is parsed, "
                "shuffled, realized, and held against itself; or a file of such, a line each "
                "('-': stdin)"
            },
            "--conllu": option(
                "read trees from this CoNLL-U file ('-': from stdin): lemmas in column 2 and none "
                "in column 3, as in the shared tasks, or a treebank, whose words are not looked at"
            ),
            "--parser": OPTIONS["--parser"]
            | {
                "help": "the parser that text goes through: a model of parser, or default, one of "
                "the Penn sample, or else of the Gazette; everyday has one of its own"
            },
            "--k": OPTIONS["--k"]
            | {"help": "how many outputs to list; of those that read the same, the best"},
        },
        settings="search",
        tasks=("realize",),
    ),
    "supertag": Verb(
        "give the words of a sentence, in their true order, their probable categories",
        "text --model* --corpus --split --units --set --engine --json --quiet",
        {"split": "dev"},
        {
            "text": SENTENCE
            | {
                "help": "a sentence, in quotes: 'rain falls on boats .', or with tags 'rain|NN "
                "falls|VBZ'; without it, sentences are read from stdin, one a line"
            },
            "--corpus": option(
                "tag this corpus, or file of word|POS|category, with its tags", metavar="NAME"
            ),
        },
        settings="search",
        tasks=("tag",),
    ),
    "parse": Verb(
        "give sentences phrase-structure trees",
        "text --model* --file --tagged --tree --set --engine --trace --play --json --quiet",
        own={
            "text": SENTENCE,
            "--model": option(
                "a model that train parser has written, or default: that of the Penn sample, or "
                "where it is missing, one of the Gazette"
            ),
            "--tagged": flag("words come with their tags, all or some: 'rain|NN falls'"),
            "--tree": flag("print the tree over several lines"),
        },
        settings="search",
        tasks=("parse",),
    ),
    "compress": Verb(
        "make sentences shorter, given as plain text or as trees",
        "text --model --trees --parser --k --tree --rules --sweep --html --set --engine --trace"
        " --play --why --reference --json --quiet",
        {"model": EVERYDAY},
        {
            "text": SENTENCE
            | {
                "help": "a sentence, in quotes: 'After lunch, rain fell.' (with a --model of your "
                "own: and --parser), or a tree: '(S (NP (NN rain)) (VP (VBD fell)))'; without it, "
                "one a line is read from stdin",
            },
            "--tree": flag("print the output's tree too"),
            "--html": SWEPT,
        },
        settings="search",
        tasks=("compress",),
    ),
    "bench": Verb(
        "measure how fast everything is on this machine",
        "--model --corpus --epochs --sentences --players --growth --against --json --quiet",
        own={
            "--against": option(
                "measure instead training and outputs of every family on the Gazette, in turn with "
                "an older commit of this clone: a ratio of 0.5 is half the time of the processor",
                metavar="COMMIT",
            ),
            "--growth": flag(
                "measure instead how training time, decoding time, memory and BLEU grow with the "
                "sentences learned from, 1/8 to all of free-english; with --json FILE there is a "
                "picture beside it"
            ),
            "--players": flag(
                "measure the players' pages instead, in headless Chromium: opening, stepping, "
                "scrubbing, bytes"
            ),
        },
        usually={**SAMPLE, "epochs": "10; with --growth 5 of best-first search"},
    ),
    "corpora": Verb(
        "list the corpora, or describe one",
        "corpus --units --report --corpus --show --compare --out --html --json --quiet",
        own={
            "--report": flag(
                "gazette: measure it beside the Penn sample and write its report; ccg: how many "
                "trees have a derivation, why others have none, which lexicon comes of it; sr18, "
                "sr20, CoNLL-U: forms of a lemma, lemmas mapped to their words"
            ),
            "--corpus": option(
                "ccg: whose trees (default: ptb-sample)", metavar="NAME", dest="trees_of"
            ),
            "--show": option(
                "ccg: this tree, as wsj_0003:5, every step, and the derivation", metavar="TREE"
            ),
            "--compare": flag("ccg: our derivations of wsj_0001 beside those of CCGrebank"),
            "--out": option("ccg: write all derivations there, in CCGbank's .auto format"),
        },
    ),
    "reproduce": Verb(
        "run a table or figure of a paper and keep the record; without a name, list them all",
        "experiment --corpus --units --folds --seeds --epochs --sentences --outputs --jobs"
        " --cluster --check --stale --report --json --quiet",
        own={
            "--corpus": option("run it on this corpus instead of its own", metavar="NAME"),
            "--stale": flag("run again what has no record or one of other code, most costly last"),
            "--report": option(
                "write a page on every record, or on that of one experiment, with the paper's "
                "values beside ours (default: build/report/index.html)",
                nargs="?",
                const="",
            ),
        },
    ),
    "score": Verb(
        "score anybody's outputs on a fixed split, beside our systems; without a file, list them",
        "file --task --against --jobs --cluster --json --quiet",
        own={
            "file": option(
                "the outputs, a sentence a line in the order of the task, packed by gzip or not",
                nargs="?",
            ),
            "--against": option(
                "compare with this system by paired randomisation, from its record, or run now and "
                "kept below build/scoreboard; or with another file",
                metavar="SYSTEM|FILE",
            ),
        },
    ),
    "explore": Verb(
        "write a page on which one or two models are explored, sentence by sentence",
        "--model* --corpus --split --units --pos --deps --seed --supertagger --set --engine --jobs"
        " --cluster --sentences --recordings --out* --json --quiet",
        {"split": "dev", "recordings": 20},
        {
            "--model": option("a model that train has written; twice: two models", action="append"),
            "--recordings": option(
                "how many sentences can be played on the page, the worst ones",
                partial(options.count, most=MOST_RECORDINGS),
                "N",
            ),
        },
        settings="search",
        tasks=("order", "compress"),
    ),
    "demo": Verb(
        "train before your eyes, order and shorten unseen sentences, say how well, write a page",
        "--corpus --beam --epochs --seed --engine --out --quiet",
        {**OWN, "beam": 64, "epochs": 10, "seed": 1, "out": "build/demo"},
        file="demo.run",
    ),
    "gallery": Verb(
        "write a page for each player, to open and to send round",
        "folder --model --corpus --beam --seed --engine --quiet",
        {**OWN, "beam": 16, "seed": 1, "engine": "reference"},
        file="gallery.run",
    ),
    "doctor": Verb(
        "say what of this installation is here, what is not, and what to do about it",
        "--json --quiet",
        file="doctor.run",
    ),
}


PLAINLY = {
    r"^argument (--?[\w-]+)(/\S+)?": r"\1",
    r"^argument (\w+)": r"\1",
    r"ignored explicit argument": "takes no value, but has",
    r"expected (one|at least one) argument": r"it takes \1 value",
    r"the following arguments are required": "missing",
}
"""What argparse says -> what a reader who knows no Python understands."""


class Parser(argparse.ArgumentParser):
    """argparse with one line an error."""

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Refuse what argparse takes or speaks of too late: ``--beam=--``, of which it makes an
        empty list, and an option that there is not while another one is missing."""
        given = list(sys.argv[1:] if args is None else args)
        verb = None if is_asked(given) else self.get_default("verb")
        for one in given[: given.index("--")] if "--" in given else given:
            name = one.partition("=")[0]
            if not one.startswith("--") or " " in one:
                continue
            if one.endswith("=--"):
                self.error(f"{one[:-3]}: expected one value, not '--'")
            if verb and name not in self._option_string_actions:
                raise ValueError(self._unknown(verb, name))
        return super().parse_known_args(given, namespace)

    def _unknown(self, verb: str, name: str) -> str:
        """That a command has no such option: the nearest, and those of the system or its own."""
        owner, known = self.get_default("owner"), self.get_default("options")
        own = [one.rstrip("*+") for one in COMMANDS[verb].options.split() if "--" in one]
        if owner:
            where = f"in its {COMMANDS[verb].settings}"
            return not_an_option(owner, name, known, where, beside=own)
        return not_an_option(f"{PROGRAM} {verb}", name, [*own, *known], "among its own")

    def _check_value(self, action: argparse.Action, value: object) -> None:
        choices = action.choices if action.option_strings else None
        if choices is None:
            super()._check_value(action, value)
        elif value not in choices:
            raise argparse.ArgumentError(action, unknown_name("value", value, choices))

    def error(self, message: str) -> NoReturn:
        """Say what is wrong, in words of the command line, and where to read more; exit code 2."""
        for said, plain in PLAINLY.items():
            message = re.sub(said, plain, message)
        more = f" (see {self.prog} --help)"
        self.exit(2, f"{one_line(f'{self.prog}: {message}', LONGEST - len(more))}{more}\n")


def parser(words: Sequence[str] = ()) -> Parser:
    """The parser of a command, with the settings of the system that is named, or else of all."""
    main = Parser(PROGRAM, description="A laboratory for word ordering.", allow_abbrev=False)
    main.add_argument("--version", action="version", version=wordorder_lab.__version__)
    verbs = main.add_subparsers(dest="command", metavar="COMMAND")
    named = _command(words)
    for command, verb in COMMANDS.items():
        sub = verbs.add_parser(
            command,
            help=verb.help,
            description=verb.help,
            allow_abbrev=False,
            formatter_class=Formatter,
        )
        if command == named:
            _add_options(sub, verb, words)
            sub.set_defaults(verb=command)
        sub.set_defaults(**verb.defaults)
    return main


def _command(words: Sequence[str]) -> str | None:
    return next((word for word in words if not word.startswith("-")), None)


def _add_options(sub: argparse.ArgumentParser, verb: Verb, words: Sequence[str]) -> None:
    rows: dict[str, options.Row] = {}
    for given in verb.options.split():
        name = given.rstrip("*+")
        row = rows[name] = dict(verb.own.get(name) or OPTIONS[name])
        row |= {"required": True} if given.endswith("*") else {}
        row |= {"nargs": "+"} if given.endswith("+") else {}
        if (usual := (verb.defaults | verb.usually).get(name[2:])) is not None:
            row["help"] += f" (default: {usual})"
    owner = ""
    settings: dict[str, options.Row] = {}
    asked = is_asked(words)
    if verb.settings:
        if "model" in verb.defaults and not asked:
            words = [*words, "--model", verb.defaults["model"]]  # the first that is named counts
        owner, settings = options.system_options(verb.settings, verb.tasks, words)
    sub.set_defaults(owner=owner, options=[*settings])
    if asked and verb.settings:
        rows = trimmed(str(_command(words)), owner, rows)
        sub.prog += "" if "system" in rows or verb.settings == "search" else f" {owner}"
    if asked and verb.settings and not owner:
        sub.epilog, settings = of_all(verb.settings, verb.tasks), {}
    for name, row in rows.items():
        sub.add_argument(name, **row)
    group = sub.add_argument_group(f"settings of {owner or 'systems'}, each with its [default]")
    for name, row in settings.items():
        if name not in rows:  # the command's own counts
            group.add_argument(name, **row)


def parsed(words: Sequence[str]) -> argparse.Namespace:
    """What a command line says; ``ValueError``, with the nearest, for what it does not know."""
    named = _command(words)
    if named is not None and named not in COMMANDS:
        raise ValueError(unknown_name("command", named, COMMANDS))
    main = parser(words)
    arguments: argparse.Namespace
    arguments, left = main.parse_known_args(words)
    if arguments.command is None and not left:
        main.print_help()
        raise SystemExit(0)
    if left:
        word = left[0].partition("=")[0]
        if arguments.command is None and word.startswith("--"):
            known = ["--version", "--help"]
            raise ValueError(not_an_option(PROGRAM, word, known, "before a command"))
        command = " ".join(filter(None, (PROGRAM, arguments.command)))
        raise ValueError(f"{cited(word)} is no option of {command}: see --help")
    return arguments


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command and return its exit code; 2 for bad input, 130 for Ctrl-C."""
    arguments = None
    try:
        _let_every_character_pass()
        arguments = parsed(sys.argv[1:] if argv is None else argv)
        with _no_interrupt_lost():
            return _run(arguments)
    except KeyboardInterrupt as stop:
        kept = f"; {stop}" if str(stop) else ""
        print(f"\n{PROGRAM}: interrupted{kept}", file=sys.stderr)
        return 130
    except BrokenPipeError:
        # Whoever read our output has gone; Python would complain once more at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 141
    except MemoryError as error:
        why = error or "no more to be had"
        message: str | None = f"there is not enough memory for this ({why}): ask for less"
    except (Exception, SystemExit) as error:
        if isinstance(error, SystemExit) and arguments is None:  # argparse has said all
            raise
        from wordorder_lab.commands.mistakes import message_of

        message = message_of(error)
        if message is None:
            raise
    encoding = getattr(sys.stderr, "encoding", None) or "utf-8"
    print(one_line(f"{PROGRAM}: {message}", encoding=encoding), file=sys.stderr)
    _let_stdout_go()
    return 2


def _run(arguments: argparse.Namespace) -> int:
    from wordorder_lab.commands.output import check_apart
    from wordorder_lab.runtime.progress import quiet

    if getattr(arguments, "text", None):
        arguments.text = list(map(as_text, arguments.text))
    check_apart(arguments)
    file = COMMANDS[arguments.command].file or arguments.command
    with quiet(arguments.quiet):
        code = import_module(f"wordorder_lab.commands.{file}").run(arguments)
    if sys.stdout is not None:
        sys.stdout.flush()
    return code or 0


@contextmanager
def _no_interrupt_lost() -> Iterator[None]:
    """Ctrl-C that falls into a ``__del__`` cannot be raised there: it comes again soon after."""
    usual = sys.unraisablehook

    def again(lost: Any) -> None:
        if not issubclass(lost.exc_type, KeyboardInterrupt):
            usual(lost)
            return
        later = threading.Timer(0.05, _thread.interrupt_main)
        later.daemon = True
        later.start()

    sys.unraisablehook = again
    try:
        yield
    finally:
        sys.unraisablehook = usual


def _let_stdout_go() -> None:
    """What cannot be written, on a full disk, is not tried again and complained about at exit."""
    try:
        if sys.stdout is not None:
            sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _let_every_character_pass() -> None:
    """A character that cannot be shown is escaped; typed bytes pass; ASCII is taken for UTF-8."""
    for stream, errors in (
        (sys.stdin, "surrogateescape"),
        (sys.stdout, "backslashreplace"),
        (sys.stderr, "backslashreplace"),
    ):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors=errors)
    if sys.stdin is None:  # a shell's <&-
        sys.stdin = io.StringIO()
    if hasattr(sys.stdin, "reconfigure") and codecs.lookup(sys.stdin.encoding).name == "ascii":
        sys.stdin.reconfigure(encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
