"""A seeded generator of command lines that must be refused, made from the tables of ``cli``.

Every line is wrong in one way that is known: a value of another type or out of range, a file that
is missing, a folder, of another kind or broken, a target that nobody may write over, a name that
there is not, options that exclude each other, a bag or tree with an error in it. ``prepare`` makes
the files that the lines name; they are run in that folder, and leave it as it was.
"""

from __future__ import annotations

import argparse
import io
import os
import random
import shutil
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from functools import cache
from pathlib import Path
from typing import Any
from unittest import mock

from command_line import PLAIN, tree, write_corpus, write_model, write_pairs
from lemma_sentences import lemma_conllu

from wordorder_lab.cli import COMMANDS, main, parser
from wordorder_lab.commands.options import read
from wordorder_lab.structures.messages import LONGEST

PATIENCE = 60
"""Seconds until a line is given up: whatever is wrong is to be noticed before any work."""
MANY = "9" * 25
NUMBERS = {
    "whole": ["0", "-1", "1.5", "x", "", "nan", "1_000", "1e3", "²", MANY, "9" * 5000],
    "count": ["-1", "1.5", "x", "", "inf", "0x10", MANY, "9" * 5000],
    "share": ["-0.1", "1.1", "nan", "inf", "x", "", MANY],
    "rate": ["0", "2", "-1", "silver", ""],
}
"""Values that a type of ``options`` refuses, by its name."""
WORDS = ["all", "rule,rule", ",", "many", "half", "late", "no", "100000000", "1e308", "1e-300"]
OF_SETTINGS = [*dict.fromkeys([*(one for some in NUMBERS.values() for one in some), *WORDS])]
"""Values of which a setting refuses most."""
ODD = ["a" * 5000, "a\x1b[2Jb\rc\nd", "\udcff\udcfe", "\u202etxt.exe", 'it\'s "x"']
ODD += ["%s%(prog)s{0}", "💥" * 300, "-", "no where", "x" * 200 + "/y", "\\"]
"""Names of nothing, as people, shells and accidents make them."""
MODELS = ["below", "empty", "own.mrg", "half.wol", "own.jsonl", "fake.wol", "no.wol"]
TARGETS = ["below", "fifo", "round", os.devnull, "no/where", "own.mrg/x", "to_fifo", "n" * 300]
CORPORA = ["no.mrg", "empty", "broken.mrg", "broken.conllu", "half.wol", "bytes.mrg", "no/where"]
NGRAM_FILES = ["no.arpa", "below", "empty", "own.mrg", "half.wol", "bytes.mrg"]
TEXTS = ["no.txt", "below", "empty", "bytes.mrg"]
READS = {
    **dict.fromkeys(("--model", "--against"), MODELS),
    "--corpus": CORPORA,
    "corpus": CORPORA,
    "--conllu": ["no.conllu", "below", "empty", "broken.conllu", "bytes.mrg", "half.wol"],
    "--trees": ["no.mrg", "below", "empty", "broken.mrg", "bytes.mrg", "half.wol"],
    "--file": ["no.txt", "below", "empty", "bytes.mrg", "half.wol"],
    "--ngrams": NGRAM_FILES,
    "--lm": NGRAM_FILES,
    **dict.fromkeys(("--supertagger", "--parser"), MODELS),
    "--categories": ["beta=2", "beta=", "beta=x", "no.txt", "below", "bytes.mrg", ""],
    "--keep": ["rain", ""],
    "--constraints": ["verbs", "all,none", "modifiers,", "MODIFIERS", ""],
    "--text": TEXTS,
    "--lm-text": TEXTS,
    "experiment": ["liu", "no.toml", "below", "own.mrg"],
    "--report": ["below", "no/where", "fifo", "liu-2015-table-4"],
    "folder": ["own.mrg", "own.mrg/x", "fifo", "round"],
    "--cluster": ["locally", "http://127.0.0.1:1", "tcp://", "127.0.0.1:8786"],
    "system": ["liu", "LIU-2015", ""],
    "--set": ["", "suffix", "=2", "no such=2", "suffix=2", "bm=2", "epochs=x", "a=[", "x="],
    "--templates": ["no", "../own.mrg", "liu_2015_table_2.txt", ""],
    "--update": ["late", ""],
    **dict.fromkeys(("--json", "--trace", "--play", "--out", "--arpa", "--html"), TARGETS),
    "--show": ["wsj_0003:5", "", "own:1"],
}
"""Values that are refused though any text would be read."""
TAKEN = {("demo", "--out"): ["own.mrg", "own.mrg/x", "fifo", "round"]}
"""The same where a verb means something else by the option: a folder that it makes."""
BAGS = ["", "[a", "a]", "a/", "/NN", "a>9", ">1 b", "a>1", "a{2,1}", "{0,1}", "a/b/c"]
BAGS += ["a b | ", "a b | 1<9", "a b | x", "| 1<2", "a b | 1<2 2<1", "a>0 b>0 | 1<2<1", "[]", "a\\"]
BAGS += [
    "a/XYZ",
    "a{0,99999}",
    "a>2 b>1",
    "[a [b]",
    "robin \udcff",
    "a " * 1001,
    f"a>{MANY}",
    "[ ]",
]
TREES = ["", "(S", "S)", "()", "rain", "(S (NN a)) (S (NN b))", "(S (NN))", "(NN a b)"]
TREES += ["(S (NN a) b)", "(S " * 5000, "(S " * 300 + "(NN a)" + ")" * 300, "(( (NN a)))", ")("]
TREES += [f"(S {'(NN a) ' * 3000})", "((NN a) (NN b))"]
BASES = {
    "train": ["liu-2015", "--corpus", "own.mrg", *PLAIN, "--out", "new.wol"],
    "evaluate": ["--model", "own.wol", "--corpus", "own.mrg", *PLAIN],
    "order": ["--model", "own.wol", *PLAIN, "robin"],
    "compress": ["--model", "short.wol", *PLAIN, "(S (NN rain))"],
    "supertag": ["--model", "tags.wol", *PLAIN, "robin"],
    "realize": ["--model", "real.wol", "--conllu", "own.conllu", *PLAIN],
    "parse": ["--model", "trees.wol", *PLAIN, "robin"],
    "bench": ["--sentences", "1"],
    "corpora": ["own.mrg"],
    "reproduce": ["liu-2015-table-4"],
    "explore": ["--model", "own.wol", "--corpus", "own.mrg", *PLAIN, "--out", "new.html"],
    "demo": ["--corpus", "own.mrg", "--out", "new"],
    "gallery": ["new", "--corpus", "own.mrg"],
    "doctor": [],
}
"""A line of each verb that nothing is wrong with, but that it may take long."""
POSITIONAL = {"train": "system", "corpora": "corpus"}
POSITIONAL |= {"reproduce": "experiment", "gallery": "folder"}
SHORT = ["train", "cohn-lapata-2009", "--corpus", "own.jsonl", *PLAIN, "--out", "new.wol"]
LESS = ["compress", "--model", "less.wol", *PLAIN, "(S (NP (NN rain)) (VP (VBD fell)))"]
EXCLUSIVE = [
    ["order", "--model", "own.wol", "--conllu", "own.mrg", "robin"],
    ["compress", "--model", "short.wol", "--trees", "own.mrg", "(S (NN a))"],
    ["order", "--model", "short.wol", "robin"],
    ["compress", "--model", "own.wol", "(S (NN a))"],
    ["compress", "--model", "tags.wol", "(S (NN a))"],
    ["order", "--model", "tags.wol", "robin"],
    ["compress", "--model", "short.wol", "--parser", "short.wol", "rain fell"],
    ["compress", "--model", "short.wol", "--parser", "default", "--trees", "own.mrg"],
    ["compress", "--model", "short.wol", "rain fell"],
    ["evaluate", "--model", "own.wol", "--corpus", "own.mrg", "--parser", "default"],
    ["evaluate", "--model", "short.wol", "--corpus", "own.jsonl", "--parser", "tags.wol"],
    ["train", "liu-2015", "--corpus", "own.mrg", "--parser", "default", "--out", "new.wol"],
    [*SHORT, "--parser", "default"],
    [*LESS, "--constraints", "verbs"],
    [*LESS, "--keep", "sleet"],
    [*LESS, "--keep", "rain", "--keep", "fell", "--most", "1"],
    [*LESS, "--least", "2", "--most", "1"],
    [*LESS, "--length", "1", "--most", "1"],
    [*LESS, "--length", "3"],
    [*LESS, "--significance", "1"],
    [*LESS, "--k", "200"],
    ["compress", "--model", "short.wol", "--constraints", "none", "(S (NN rain))"],
    ["train", "clarke-lapata-2008-lm", "--corpus", "own.jsonl", "--order", "2", "--out", "new.wol"],
    ["train", "clarke-lapata-2008-lm", "--corpus", "own.jsonl", "--C", "2", "--out", "new.wol"],
    ["corpora", "clarke-lapata-sung"],
    ["supertag", "--model", "own.wol", "robin"],
    ["supertag", "--model", "tags.wol", "robin|NN|N"],
    ["supertag", "--model", "tags.wol", "--corpus", "own.stagged", "robin"],
    ["realize", "--model", "own.wol", "--conllu", "own.conllu"],
    ["realize", "--model", "real.wol", "--conllu", "broken.conllu", "--skip-bad"],
    ["realize", *BASES["realize"], "--chart", "single"],
    ["realize", *BASES["realize"], "--lm-weight", "1"],
    ["realize", *BASES["realize"], "--json", "own.conllu"],
    ["order", "--model", "real.wol", "robin"],
    ["explore", "--model", "real.wol", "--corpus", "own.conllu", "--out", "new.html"],
    ["evaluate", "--model", "real.wol", "--corpus", "own.conllu", "--pos", "1"],
    ["evaluate", "--model", "real.wol", "--corpus", "own.mrg"],
    ["train", "liu-2015-realization", "--corpus", "own.mrg", "--out", "new.wol"],
    ["train", "liu-2015-realization", "--corpus", "own.conllu", "--deps", "1", "--out", "new.wol"],
    ["train", "liu-2015", "--corpus", "own.mrg", "--inflection", "first", "--out", "new.wol"],
    ["parse", "--model", "own.wol", "robin"],
    ["parse", "--model", "trees.wol", "robin " * 201],
    ["parse", "--model", "trees.wol", "--tagged", "robin|NN|NN"],
    ["parse", "--model", "trees.wol", "--file", "own.mrg", "robin"],
    ["order", "--model", "trees.wol", "robin"],
    ["compress", "--model", "trees.wol", "(S (NN a))"],
    ["evaluate", "--model", "trees.wol", "--pos", "1"],
    ["evaluate", "--model", "trees.wol", "--corpus", "own.stagged"],
    ["explore", "--model", "trees.wol", "--corpus", "own.mrg", "--out", "new.html"],
    ["train", "parser", "--corpus", "own.mrg", "--epochs", "3", "--out", "new.wol"],
    ["train", "parser", "--corpus", "ewt", "--out", "new.wol"],
    ["train", "parser", "--corpus", "own.mrg", "--vertical", "10", "--out", "new.wol"],
    ["evaluate", "--model", "own.wol", "--supertagger", "tags.wol"],
    ["evaluate", "--model", "tags.wol", "--beam", "3"],
    ["explore", "--model", "tags.wol", "--corpus", "own.mrg", "--out", "new.html"],
    ["reproduce", "--check", "--stale"],
    ["reproduce", "--epochs", "3"],
    ["reproduce", "--report", "--check"],
    ["reproduce", "--stale", "--json", "x.json"],
    ["corpora", "own.mrg", "--report"],
    ["corpora", "broken.conllu", "--report"],
    ["corpora", "sr18", "--units", "base-np"],
    ["corpora", "ccg"],
    ["corpora", "ccg", "--report", "--compare"],
    ["corpora", "ccg", "--report", "--html", "x.html"],
    ["corpora", "ccg", "--report", "--units", "words"],
    ["corpora", "ccg", "--corpus", "own.mrg", "--show", "own:99"],
    ["corpora", "ccg", "--corpus", "own.mrg", "--out", "own.mrg"],
    ["corpora", "ccg", "--corpus", "gazette", "--report"],
    ["bench", "--players", "--model", "own.wol"],
    ["evaluate", "--model", "own.wol", "--corpus", "own.mrg", "--rate", "gold"],
    ["evaluate", *BASES["evaluate"], "--against", "own.wol", "--pos", "0", "1"],
    ["evaluate", *BASES["evaluate"], "--expansions", "9"],
    ["evaluate", "--model", "own.wol", "--against", "own.wol", "--json", "own.wol"],
    ["explore", "--model", "own.wol", "--model", "short.wol", "--out", "new.html"],
    ["explore", *BASES["explore"], "--model", "own.wol", "--model", "own.wol"],
    ["explore", *BASES["explore"], "--expansions", "9"],
    ["explore", "--model", "own.wol", "--model", "own.wol", "--out", "own.wol"],
    ["explore", "--model", "short.wol", "--corpus", "own.jsonl", "--pos", "1", "--out", "x.html"],
    ["order", *BASES["order"], "--bonus", "2"],
    ["order", *BASES["order"], "--json", "x", "--trace", "x"],
    ["order", *BASES["order"], "--play", "x", "--trace", "./x"],
    ["compress", *BASES["compress"], "--json", "short.wol"],
    ["train", *BASES["train"], "--json", "new.wol"],
    ["train", *BASES["train"], "--trace", "own.mrg"],
    ["train", *BASES["train"], "--seen", "3"],
    ["train", *BASES["train"], "--grid"],
    ["train", *BASES["train"], "--units", "words", "--loss", "f1"],
    [*SHORT, "--grid", "--trace", "x"],
    [*SHORT, "--C", "1", "2", "--trace", "x"],
    [*SHORT, "--ngrams", "x.arpa", "--order", "2"],
    [*SHORT, "--ngrams", "x.arpa", "--features", "rule,token"],
    [*SHORT, "--epochs", "3"],
    [*SHORT, "--grid", "--jobs", "2", "--cluster", "local"],
    ["train", *BASES["train"], "--jobs", "2"],
    ["train", *BASES["train"], "--variables", "9"],
    [*SHORT, "--order", "1000000"],
    [*SHORT, "--C", "1e12", "--scaling", "1e12"],
]
"""Lines whose parts are right and do not go together."""


def prepare(folder: Path) -> None:
    """The files that the lines name, good and bad."""
    corpus = write_corpus(folder)
    write_model(folder, corpus)
    pairs, short = write_pairs(folder), folder / "short.wol"
    size = ["--beam", "5", "--iterations", "3", *PLAIN, "--out", str(short)]
    assert main(["train", "cohn-lapata-2009", "--corpus", str(pairs), *size]) == 0
    size = ["--epochs", "1", *PLAIN, "--out", str(folder / "less.wol")]
    assert main(["train", "clarke-lapata-2008-ilp", "--corpus", str(pairs), *size]) == 0
    tags = folder / "own.stagged"
    tags.write_text("the|DT|NP[nb]/N robin|NN|N sings|VBZ|S[dcl]\\NP\n" * 5)
    size = ["--iterations", "2", *PLAIN, "--out", str(folder / "tags.wol")]
    assert main(["train", "supertagger", "--corpus", str(tags), *size]) == 0
    learn = ["train", "parser", "--corpus", str(corpus), *PLAIN]
    assert main([*learn, "--out", str(folder / "trees.wol")]) == 0
    (folder / "own.conllu").write_text(lemma_conllu(10))
    learn = ["train", "liu-2015-realization", "--corpus", str(folder / "own.conllu"), *PLAIN]
    assert main([*learn, "--epochs", "1", "--beam", "2", "--out", str(folder / "real.wol")]) == 0
    (folder / "below").mkdir()
    (folder / "empty").touch()
    (folder / "half.wol").write_bytes((folder / "own.wol").read_bytes()[:2000])
    (folder / "fake.wol").write_bytes(b"PK\x03\x04" + bytes(100))
    (folder / "bytes.mrg").write_bytes(tree(1).encode() + b"\xff\xfe\n")
    (folder / "broken.mrg").write_text(tree(1) + tree(2).replace("(VP", "VP)"))
    (folder / "broken.conllu").write_text("1\ta\tb\n2\n\n")
    os.mkfifo(folder / "fifo")
    (folder / "to_fifo").symlink_to("fifo")
    (folder / "round").symlink_to("round")


def bad_command_lines(number: int, seed: int) -> list[list[str]]:
    """So many different lines; those of a smaller ``number`` come first, each kind early."""
    chance = random.Random(seed)
    kinds: list[Callable[[random.Random], list[str]]]
    kinds = [_wrong_value, _wrong_value, _wrong_value, _wrong_form, _wrong_input, _exclusive]
    lines: dict[tuple[str, ...], None] = {}
    while len(lines) < number:
        kind = kinds[len(lines) % len(kinds)]
        fresh = next((line for _ in range(20) if (line := tuple(kind(chance))) not in lines), None)
        lines[fresh or tuple(_wrong_value(chance))] = None
    return [list(line) for line in lines]


@cache
def _actions(verb: str) -> list[argparse.Action]:
    """The options of a verb; of settings those of which some values are known to be wrong."""
    words = [verb, *BASES[verb][: verb == "train"]]
    (verbs,) = parser(words)._subparsers._group_actions  # type: ignore[union-attr]
    every = verbs.choices[verb]._actions  # type: ignore[index]
    every = [one for one in every if one.dest not in ("help", "text")]
    return [one for one in every if one.nargs == 0 or _values(verb, _name(one), one)]


def _name(action: argparse.Action) -> str:
    return action.option_strings[0] if action.option_strings else action.dest


def _wrong_value(chance: random.Random) -> list[str]:
    """A value that an option of some verb refuses."""
    verb = chance.choice(list(COMMANDS))
    action = chance.choice([one for one in _actions(verb) if one.nargs != 0])
    name = _name(action)
    value = chance.choice(_values(verb, name, action))
    line = [verb, *BASES[verb]]
    if name == POSITIONAL.get(verb):
        return [verb, value, *BASES[verb][1:]] if not value.startswith("-") else [verb, "--no"]
    return [*line, name, value] if chance.random() < 0.5 else [*line, f"{name}={value}"]


def _values(verb: str, name: str, action: argparse.Action) -> list[str]:
    kind: Any = getattr(action.type, "func", action.type)
    if action.choices is not None:
        return ["", "no", *ODD]
    if kind is read:
        return [one for one in OF_SETTINGS if _is_refused(action, one)] or READS.get(name, [])
    if (values := NUMBERS.get(getattr(kind, "__name__", ""))) is not None:
        return [*values, *ODD[:7]]
    if name in TARGETS_OF:
        return TAKEN.get((verb, name), READS[name])
    if name not in READS:  # it is another setting in another system
        return []
    return [*READS[name], *ODD[:7]] if name != "--report" and name != "folder" else READS[name]


def _is_refused(action: argparse.Action, value: str) -> bool:
    try:
        action.type(value)  # type: ignore[misc, operator]
    except argparse.ArgumentTypeError:
        return True
    return False


TARGETS_OF = ("--json", "--trace", "--play", "--out", "--arpa", "--html")


def _wrong_form(chance: random.Random) -> list[str]:
    """What is no command at all: no verb, no such verb or option, a value missing or too many."""
    verb = chance.choice(list(COMMANDS))
    odd = chance.choice(ODD)
    valued = [one.option_strings[0] for one in _actions(verb) if one.option_strings]
    last = chance.choice([one for one in valued if one not in ("--report", "--pos", "--deps")])
    flags = [_name(one) for one in _actions(verb) if one.nargs == 0]
    forms = [
        [],
        [odd if not odd.startswith("-") else "no-verb"],
        [verb, *BASES[verb], f"--{odd.replace(' ', '')}"],  # with a space it would be a bag
        [verb, *BASES[verb], "--no-such-option", odd],
        [verb, *BASES[verb], f"{chance.choice(flags)}={odd}"],
        [verb, *BASES[verb], last, "--no-such-option"],
        [verb.upper(), *BASES[verb]],
        ["--seed", "1", verb],
    ]
    needed = [one for one in _actions(verb) if one.required and one.option_strings]
    forms += [[verb, *BASES[verb][:1]]] if needed and BASES[verb][0] != "--model" else []
    return chance.choice(forms)


def _wrong_input(chance: random.Random) -> list[str]:
    """A bag or a tree with an error, and what cannot be known by the model."""
    if chance.random() < 0.6:
        before = chance.choice(["", "robin ", "[a clock] "]) if chance.random() < 0.5 else ""
        bag = chance.choice(BAGS)
        bag = f"{before}{bag}" if bag and bag[:1] not in "{>|/" and "|" not in bag else bag
        return ["order", "--model", "own.wol", *PLAIN, *_risen(bag, before)]
    return ["compress", "--model", "short.wol", *PLAIN, chance.choice(TREES)]


def _risen(bag: str, before: str) -> list[str]:
    """The bag behind an option's end, for it may begin with a hyphen; heads count from the left."""
    return ["--", bag if ">" not in bag else bag.removeprefix(before)]


def _exclusive(chance: random.Random) -> list[str]:
    return chance.choice(EXCLUSIVE)


# --- what a line does ---------------------------------------------------------------------------


class Slow(Exception):
    """A line was still at work when it should have been refused."""


def wrongs(lines: list[list[str]], folder: Path) -> list[str]:
    """Run every line in this process, in the folder: a sentence for each that is not refused."""
    said = []
    with _inside(folder):
        for line in lines:
            before = _state(folder)
            what = _refusal(line)
            if what is None and _state(folder) != before:
                left = sorted(set(_state(folder)) ^ set(before))
                what = f"left {left}"
                shutil.rmtree(folder / "new", ignore_errors=True)
            if what is not None:
                said.append(f"{_shown(line)}: {what}")
    return said


def _refusal(line: list[str]) -> str | None:
    """What is wrong with how a line is refused, or nothing."""
    out, err = io.StringIO(), io.StringIO()
    signal.alarm(PATIENCE)
    try:
        with redirect_stdout(out), redirect_stderr(err), mock.patch("sys.stdin", io.StringIO("")):
            code = main(line)
    except SystemExit as stop:
        code = int(str(stop.code))
    except Exception as error:  # whatever it is, it would have been a traceback
        return f"{type(error).__name__}: {str(error)[:300]}"
    finally:
        signal.alarm(0)
    return complaint_of(code, err.getvalue())


def complaint_of(code: int, said: str) -> str | None:
    """What is wrong with an exit code and stderr, or nothing."""
    lines = said.splitlines()
    if code != 2:
        return f"exit code {code}: {said[:200]}"
    if len(lines) != 1 or not lines[0].startswith("wordorder-lab"):
        return f"{len(lines)} lines: {said[:500]!r}"
    if len(lines[0]) > LONGEST or not lines[0].isprintable():
        return f"{len(lines[0])} characters: {said[:400]!r}"
    return None


@contextmanager
def _inside(folder: Path) -> Iterator[None]:
    def ring(*_: object) -> None:
        raise Slow(f"still at work after {PATIENCE} s")

    here, before = os.getcwd(), signal.signal(signal.SIGALRM, ring)
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(here)
        signal.signal(signal.SIGALRM, before)


def _state(folder: Path) -> dict[str, tuple[int, int, int]]:
    """All that is in a folder: when it was written, how long, what it is."""
    stats = {str(path.relative_to(folder)): path.lstat() for path in folder.rglob("*")}
    files = {name: (one.st_mtime_ns, one.st_size, one.st_mode) for name, one in stats.items()}
    return {name: (0, 0, mode) if name == "below" else (when, size, mode)
            for name, (when, size, mode) in files.items()}  # fmt: skip


def _shown(line: list[str]) -> str:
    return " ".join(repr(word) if len(word) < 60 else f"{word[:40]!r}..." for word in line)
