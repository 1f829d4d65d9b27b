"""Command lines that must be refused: one short line, exit code 2, and nothing left behind.

Those of the table are wrong in a way of their own, and their reason is told. A seeded generator
makes any number of others from the tables of ``cli``: a value of another type or out of range, a
file that is missing, a folder, of another kind or broken, a target that nobody may write over, a
name that there is not, a bag or tree with an error in it. ``make torture`` runs 1,000 of them.
"""

from __future__ import annotations

import argparse
import io
import os
import random
import re
import shlex
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from functools import cache
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from command_line import PLAIN, ROOT, TRAINED, WRITTEN, tree
from lemma_sentences import as_input, lemma_conllu

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
    "--sweep": ["beam", "beam=", "beam=0,1", "beam=1,x", "bm=1,2", "=1,2", ""],
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
BARE = "1\train\t_\tNOUN\tNN\t_\t2\tnsubj\t_\t_\n2\tfalls\t_\tVERB\tVBZ\t_\t0\troot\t_\t_\n\n"
"""A sentence that no derivation can be made of."""
BASES = {
    "train": ["liu-2015", "--corpus", "own.mrg", *PLAIN, "--out", "new.wol"],
    "evaluate": ["--model", "own.wol", "--corpus", "own.mrg", *PLAIN],
    "score": ["own.mrg", "--task", "penn-np"],
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
REFUSED = r"""
oder => no command 'oder' (did you mean 'order'?)
train lui-2015 --out m => no system 'lui-2015' (did you mean 'liu-2015'?)
train zhang-1813 --out m => no system 'zhang-1813' (did you mean 'zhang-2013'?); there are liu-2015
train liu-2015 --baem 2 --out m => no --baem in its training (did you mean '--beam'?)
train liu-2015 --set baem=2 --out m => no setting 'baem' (did you mean
train liu-2015 --ingine fast => '--engine'?
order --modell m => '--model'?
--versio => '--version'?
train liu-2015 --update erly --out m => no update 'erly' (did you mean
train liu-2015 --update scaled --out m => no update 'scaled'; there are early, max-violation
train DEPENDENCY --update late --out m => no update 'late'; there are perceptron, large-margin
train DEPENDENCY --update early --out m => give signature=words or ends
train DEPENDENCY --update domain-violation --signature words --out m => give deps=1
train DEPENDENCY --templates liu_2015_table_2 --out m => zhang_clark_2015_table_2
train liu-2015 --negatives stop --out m => liu-2015 has no --negatives in its training
train liu-2015 --depth 1 --out m => liu-2015 has no --depth in its training (did you mean
train liu-2015 --grid --out m => liu-2015 has no --grid
train liu-2015 --beam training --out m => 'training' is not a whole number
train liu --out m => no system 'liu'; there are liu-2015
train liu-2015 --templates x --out m => no template file 'x'; there are liu_2015_labels
train liu-2015 --out no/where/m.wol => no folder no/where
train liu-2015 => missing: --out
train liu-2015 --beam 1.5 --out m => '1.5' is not a whole number from 1 to
train liu-2015 --pos 1.5 --out m => '1.5' is not a number from 0 to 1
train liu-2015 --deps -1 --out m => '-1' is not a number from 0 to 1
train liu-2015 --units letters --out m => train: --units: no value 'letters'; there are
train liu-2015 --engine fsat --out m => no value 'fsat' (did you mean 'fast'?)
corpora gazzette => 'gazzette' (did you mean 'gazette'?)
train liu-2015 --supertagger tags.wol --out m => liu-2015 has no --supertagger
train liu-2015 --corpus broken.mrg --out m => a broken bracket on line 2 of broken.mrg
train liu-2015 --corpus own.mrg --out m --json m => --out and --json are the same file
train liu-2015 --corpus own.mrg --out m --trace own.mrg => --corpus and --trace are the same file
train liu-2015 --corpus own.mrg --out m --seen 3 => (did you mean '--seed'?); it has --pos
train liu-2015 --corpus own.mrg --out m --jobs 2 => liu-2015 has no --jobs
train CCG --corpus own.auto --deps 1 --out m => deps (1) is 0 for a CCG system
train CCG --corpus bare.conllu --out m => has a CCG derivation that can be built: train on a corpus
train CCG --jackknife 999 --out m => jackknife
train COMPRESSOR --corpus ptb-sample --out m => ptb-sample has sentences but no compressions
train COMPRESSOR --corpus own.jsonl --pos 1 --out m => cohn-lapata-2009 has no --pos in its training
train COMPRESSOR --corpus own.jsonl --units words --out m => cohn-lapata-2009 has no --units
train COMPRESSOR --corpus own.jsonl --parser default --out m => --parser is for pairs without trees
train COMPRESSOR --corpus own.jsonl --C 0 --out m => '0' is not a number above 0
train COMPRESSOR --corpus own.jsonl --penalty wide --out m => 'wide' is not a number from 0 up
train COMPRESSOR --corpus own.jsonl --loss bleu --out m => no loss 'bleu'; there are
train COMPRESSOR --corpus own.jsonl --C 1 2 --trace t --out m => --trace records one training
train COMPRESSOR --corpus own.jsonl --grid --trace t --out m => --trace records one training
train COMPRESSOR --corpus own.jsonl --grid --jobs 2 --cluster local --out m => --cluster has its own
train COMPRESSOR --corpus own.jsonl --cluster local --out m => --cluster is for
train COMPRESSOR --corpus own.jsonl --ngrams x.arpa --order 2 --out m => for n-grams that are
train COMPRESSOR --corpus own.jsonl --ngrams x.arpa --features rule,token --out m => no use for
train COMPRESSOR --corpus own.jsonl --lm-text t --features rule,token --out m => use for --lm-text
train COMPRESSOR --corpus own.jsonl --ngrams x.arpa --lm-text t --out m => not for --ngrams
train COMPRESSOR --corpus own.jsonl --order 1000000 --out m => 20 is the most
train COMPRESSOR --corpus own.jsonl --C 1e12 --scaling 1e12 --out m => is too much for these
train clarke-lapata-2008-lm --corpus own.jsonl --order 2 --out m => not a whole number from 3 to
train liu-2015-realization --corpus own.mrg --out m => no trees of lemmas and no .conllu file
train liu-2015-realization --corpus own.conllu --deps 1 --out m => --deps
train liu-2015-realization --corpus task.conllu --out m => knows its words
train supertagger --corpus own.stagged --epochs 3 --out m => has no --epochs
train supertagger --corpus nowhere --out m => genia
train parser --corpus own.mrg --epochs 3 --out m => has no --epochs
train parser --corpus own.conllu --out m => own.conllu has no Penn trees
train parser --corpus own.mrg --vertical 10 --out m => 9 is the most
order --model no.wol a => no model no.wol: make one with
order --model own.wol '' => the bag is empty
order --model own.wol 'robin [a clock' => column 7
order --model own.wol robin/XYZ => never saw the tag XYZ; it knows . NP VBZ
order --model own.wol 1/2 => written \/
order --model own.wol A_THOUSAND => 1000 are the most
order --model own.wol NOT_UTF8 => column 7
order --model own.wol --json a.json 'a [b' => no closing bracket
order --model own.wol --conllu own.mrg robin => bags come from --conllu or from
order --model own.wol --chart single a => liu-2015 has no --chart in its search
order --model own.wol --json x --trace x robin => --json and --trace are the same file
order --model own.wol --html x robin => --html is the page of a sweep: give --sweep with it
order --model own.wol --sweep beam=1,2 => --sweep is for one typed bag: give it on the command line
order --model own.wol --sweep beam=1,2 --play x robin => one typed bag: leave --play out
order --model own.wol --sweep bean=1,2 robin => no setting 'bean' (did you mean 'beam'?)
order --model own.wol --sweep jobs=1,2 robin => no setting 'jobs' in its search
order --model own.wol --sweep beam=1,0 robin => --sweep beam: '0' is not a whole number from 1
order --model own.wol --why robin => name a --play too
order --model own.wol --play x --trace ./x robin => --trace and --play are the same file
order --model own.wol 'a{0,1} b' => only the CCG systems take
order --model best.wol --expansions -1 robin => from 0 up
order --model best.wol --seconds x robin => from 0 up
order --model best.wol --memory nan robin => from 0 up
order --model ccg.wol 'a>2 b>0' => heads are given, which a CCG search cannot
order --model ccg.wol a/XYZ => the model never saw the tag XYZ
order --model ccg.wol 'a{3,1}' => the first not above the second
order --model short.wol robin => that is wordorder-lab compress
order --model tags.wol robin => that is wordorder-lab supertag
order --model trees.wol robin => that is wordorder-lab parse
order --model real.wol robin => that is wordorder-lab realize
compress --model short.wol --html x '(S (NN a))' => --html is the page of a sweep: give --sweep
compress --model short.wol --sweep bonus=0,1 => --sweep is for one tree or sentence: give it
compress --model short.wol --sweep bonus=0,1 --k 2 --play x '(S (NN a))' => leave --play out
compress --model short.wol --sweep bonus=0,1 --trees own.mrg => leave --trees out
compress --model short.wol --sweep bonus=0,1 '(S (NN a))' '(S' => tree or sentence, not 2
compress --model short.wol --sweep bonus=0,x '(S (NN a))' => --sweep bonus: 'x' is not a number
compress --model own.wol '(S (NN a))' => that is wordorder-lab order
compress --model tags.wol '(S (NN a))' => that is wordorder-lab supertag
compress --model trees.wol '(S (NN a))' => that is wordorder-lab parse
compress --model short.wol '' => tree 1: there is no tree here
compress --model short.wol '(S (NN a))' '(S' => tree 2: a closing bracket is missing
compress --model short.wol '(S)' => these brackets hold nothing
compress --model short.wol 'rain fell' => this is plain text: give --parser
compress --model short.wol '(S (NP (-NONE- *)))' => holds traces and no words
compress --model short.wol '(S (NN a)) (S (NN a))' => 2 trees, where one should be
compress --model short.wol --trees own.mrg '(S (NN a))' => leave one of them out
compress --model short.wol --trees no.mrg => no.mrg
compress --model short.wol --json no/where.json '(S (NN a))' => there is no folder no
compress --model short.wol --json short.wol '(S (NN a))' => --model and --json are the same file
compress --model short.wol --parser short.wol 'rain fell' => that is wordorder-lab compress
compress --model short.wol --parser default --trees own.mrg => --parser is for plain text
compress --model short.wol --constraints none '(S (NN rain))' => has no --constraints in its search
compress --model less.wol RAIN --constraints verbs => no constraint 'verbs'; there are modifiers
compress --model less.wol RAIN --keep sleet => 'sleet' is to be kept, but is no word of: rain fell
compress --model less.wol RAIN --keep rain --keep fell --most 1 => 2 words are to be kept, but 1
compress --model less.wol RAIN --least 2 --most 1 => at least 2 and at most 1 of 2 words cannot stay
compress --model less.wol RAIN --length 1 --most 1 => leave most out
compress --model less.wol RAIN --length 3 => 3 words cannot stay of 2: give --length up to 2
compress --model less.wol RAIN --k 200 => k 200 is too much: 100 is the most
supertag --model own.wol robin => that is wordorder-lab order
supertag --model tags.wol 'robin|NN|N' => is not a word or word|POS
supertag --model tags.wol --corpus own.stagged robin => leave one of them out
realize --model own.wol --conllu own.conllu => that is wordorder-lab order
realize --model real.wol --conllu broken.conllu --skip-bad => no trees of lemmas: line 1 of
realize --model real.wol --conllu own.conllu --chart single => --chart
realize --model real.wol --conllu own.conllu --lm-weight 1 => train one with --lm-order 5
realize --model real.wol --conllu own.conllu --beam 0 => '0' is not a whole number
realize --model real.wol --conllu own.conllu --json own.conllu => are the same file
parse --model own.wol robin => that is wordorder-lab order
parse --model trees.wol LONG => 200 are the most
parse --model trees.wol --tagged 'robin|NN|NN' => is not a word or word|POS
parse --model trees.wol --file empty => holds no sentences
parse --model trees.wol --file own.mrg robin => sentences come from --file or from the command line
evaluate --model own.wol --corpus own.mrg --rate gold => liu-2015 has no --rate in its evaluation
evaluate --model own.wol --corpus own.mrg --bonus 1 => liu-2015 has no --bonus in its search
evaluate --model own.wol --corpus own.mrg --beam exact => 'exact' is not a whole number
evaluate --model own.wol --corpus own.mrg --seconds 5 --pos 0 1 => liu-2015 has no --seconds in its
evaluate --model own.wol --corpus own.mrg --supertagger tags.wol => is for the CCG systems
evaluate --model own.wol --corpus own.mrg --against short.wol => that is wordorder-lab compress
evaluate --model own.wol --corpus own.mrg --against own.wol --pos 0 1 => give one value each
evaluate --model own.wol --against own.wol --json own.wol => --against and --json are the same file
evaluate --model half.wol => damaged
evaluate --model ccg.wol --deps 1 => heads are given
evaluate --model ccg.wol --categories beta=0.1 => need a supertagger
evaluate --model ccg.wol --categories beta=7 => from 0
evaluate --model ccg.wol --supertagger ccg.wol => that is wordorder-lab order
evaluate --model ccg.wol --categories own.auto => is not word|POS|category
evaluate --model short.wol --pos 1 => cohn-lapata-2009 has no --pos in its evaluation
evaluate --model short.wol --seconds 1 => has no --seconds in its search
evaluate --model short.wol --seed 1 2 => takes one value
evaluate --model short.wol --rate gold --bonus 1 => leave --bonus
evaluate --model short.wol --corpus ptb-sample => but no compressions
evaluate --model short.wol --corpus own.jsonl --parser tags.wol => that is wordorder-lab supertag
evaluate --model real.wol --corpus own.conllu --pos 1 => --pos
evaluate --model real.wol --corpus own.mrg => no trees of lemmas and no .conllu file
evaluate --model real.wol --corpus task.conllu => knows its words
evaluate --model trees.wol --pos 1 => has no --pos
evaluate --model trees.wol --corpus own.stagged => own.stagged has no Penn trees
evaluate --model tags.wol --beam 3 => supertagger has no --beam
evaluate --model tags.wol --beta 0.1 => evaluate has a row for each of several
corpora nowhere => no corpus and no file is called 'nowhere'
corpora ewt --units base-np => base NPs
corpora own.stagged --units base-np => its units are words
corpora own.mrg --report => --report is about the Gazette, derivations, or trees
corpora broken.conllu --report => line 1 of broken.conllu: ten columns with tabs
corpora sr18 --units base-np => sr18 is words: leave --units out
corpora ccg => --show NAME, --report, --compare, --out FILE
corpora ccg --report --compare => corpora ccg does one of these at a time
corpora ccg --report --html x.html => --html is the page of one tree: give --show NAME with it
corpora ccg --report --units words => corpora ccg converts words
corpora ccg --corpus own.mrg --show own:99 => own.mrg has no tree 'own:99': it has own:1 to own:20
corpora ccg --corpus own.mrg --show wsj_0003 => it has own:1 to own:20
corpora own.mrg --show own:1 => wordorder-lab corpora ccg --show
corpora ccg --corpus own.mrg --out own.mrg => are the same file, own.mrg
corpora ccg --corpus gazette --report => gazette has no Penn trees
reproduce liu => no experiment 'liu'; there are cohn-lapata-2009
reproduce --check --stale => --check and --stale are two things
reproduce --epochs 3 => --epochs is for one experiment: name it
reproduce --report --check => --report and --check are two things
reproduce --stale --json x.json => --json is for one record
reproduce --cluster local => --cluster is for
reproduce --check --cluster local => --cluster is for
bench --players --model own.wol => --players makes what it measures: leave out --model
bench --growth --against HEAD => --growth and --against are two things
bench --growth --model own.wol => leave out --model
bench --growth --players => one at a time
bench --growth --corpus nowhere => no corpus and no file is called 'nowhere'
explore --model own.wol --corpus own.mrg --out no/x.html => there is no folder
explore --model own.wol --corpus own.mrg --out own.wol => are the same file
explore --model own.wol --corpus own.mrg => missing: --out
explore --model own.wol --corpus own.mrg --recordings 1001 --out x.html => '1001' is too much
explore --model own.wol --corpus own.mrg --bonus 9 --out x.html => liu-2015 has no --bonus
explore --model own.wol --model short.wol --out x.html => one --model orders words and the
explore --model own.wol --model own.wol --model own.wol --out x.html => given twice at most, not 3
explore --model own.wol --model own.wol --out own.wol => --model and --out are the same file
explore --model short.wol --corpus own.jsonl --pos 1 --out x.html => has no --pos as it takes trees
explore --model real.wol --corpus own.conllu --out x.html => evaluate
explore --model trees.wol --corpus own.mrg --out x.html => a parser orders no bags
explore --model tags.wol --corpus own.mrg --out x.html => a supertagger orders no bags
gallery own.mrg => is a file: name a folder
gallery x --corpus nowhere => no corpus and no file is called 'nowhere'
gallery x --model no.wol => there is no model no.wol
"""
"""A line, and what is said of it."""
WORDS_OF = {
    "DEPENDENCY": "zhang-clark-2015-dependency",
    "CCG": "zhang-clark-2015-ccg",
    "COMPRESSOR": "cohn-lapata-2009",
    "RAIN": "(S (NP (NN rain)) (VP (VBD fell)))",
    "LONG": "robin " * 201,
    "A_THOUSAND": "a " * 1001,
    "NOT_UTF8": "robin \udcff",
}
SEED = 19
QUOTED = re.compile(r"'[^']*'|\"[^\"]*\"")
PYTHON_SPEAK = re.compile(
    r"\b(None|True|False|dict|tuple|int|float|str|bool|kwargs|keyword|argument|iterable|sys\.\w+|wl\.\w+"
    r"|\w+Error|Errno)\b|\w\(\)|\w=[\"']"
)
"""Words of a language that who types a command need not know."""


def refused_lines() -> Iterator[tuple[list[str], str]]:
    """The lines of the table as words, and their reasons."""
    for row in REFUSED.strip().splitlines():
        line, reason = row.split(" => ")
        verb, *words = (WORDS_OF.get(word, word) for word in shlex.split(line))
        plain = PLAIN if "--engine" in getattr(COMMANDS.get(verb), "options", "") else []
        yield [verb, *plain, *words], reason


@pytest.fixture(scope="module")
def folder(own, tmp_path_factory) -> Path:
    """The files that the lines name, good and bad."""
    folder = tmp_path_factory.mktemp("bad")
    for name in (*WRITTEN, *TRAINED):
        shutil.copy(getattr(own, name), folder)
    (folder / "bare.conllu").write_text(BARE * 20)
    (folder / "task.conllu").write_text(as_input(lemma_conllu(20)))
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
    return folder


def bad_command_lines(number: int, seed: int) -> list[list[str]]:
    """So many different lines; those of a smaller ``number`` come first, each kind early."""
    chance = random.Random(seed)
    kinds = [_wrong_value, _wrong_value, _wrong_value, _wrong_form, _wrong_input]
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


# --- what a line does ---------------------------------------------------------------------------


class Slow(Exception):
    """A line was still at work when it should have been refused."""


def wrongs(lines: Iterable[tuple[list[str], str]], folder: Path) -> list[str]:
    """Run every line in this process, in the folder: a sentence for each that is not refused."""
    wrong = []
    with _inside(folder):
        for line, reason in lines:
            before = _state(folder)
            what = _refusal(line, reason)
            if what is None and _state(folder) != before:
                what = f"left {sorted(set(_state(folder)) ^ set(before))}"
                shutil.rmtree(folder / "new", ignore_errors=True)
            if what is not None:
                shown = (word if len(word) < 60 else f"{word[:40]}..." for word in line)
                wrong.append(f"{[*shown]}: {what}")
    return wrong


def _refusal(line: list[str], reason: str) -> str | None:
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
    said = err.getvalue()
    if reason not in said and "is not here. Get it with" not in said:
        return f"{reason} is not said: {said[:300]}"
    return complaint_of(code, said)


def complaint_of(code: int, said: str) -> str | None:
    """What is wrong with an exit code and stderr, or nothing."""
    lines = said.splitlines()
    if code != 2:
        return f"exit code {code}: {said[:200]}"
    if len(lines) != 1 or not lines[0].startswith("wordorder-lab"):
        return f"{len(lines)} lines: {said[:500]!r}"
    ours = QUOTED.sub("", said)  # the user may say what he likes
    if speak := PYTHON_SPEAK.search(ours):
        return f"{speak.group()!r} is said to one who may know no Python: {said[:400]!r}"
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


# --- the tests ------------------------------------------------------------------------------------


def drawn(number: int, seed: int = SEED) -> list[tuple[list[str], str]]:
    return [(line, "") for line in bad_command_lines(number, seed)]


def test_every_verb_is_tried() -> None:
    assert set(BASES) == set(COMMANDS)
    lines = bad_command_lines(1000, SEED)
    assert len({tuple(line) for line in lines}) == 1000
    assert {line[0] for line in lines[:120] if line} >= set(COMMANDS)


def test_lines_are_refused_with_their_reasons(folder) -> None:
    assert not wrongs(refused_lines(), folder)


def test_bad_command_lines_are_refused(folder) -> None:
    assert not wrongs(drawn(120), folder)


def test_the_check_notices_what_is_not_refused(folder) -> None:
    good = ["order", "--model", "own.wol", *PLAIN, "robin"]
    assert "exit code 0" in wrongs([(good, "")], folder)[0]
    assert "is not said" in wrongs([(["oder"], "no verb")], folder)[0]
    for code, said in (
        (2, "a\nb\n"),
        (2, "x" * 300),
        (2, "\x1b[2J\n"),
        (1, "a\n"),
        (2, "x is None\n"),
    ):
        assert complaint_of(code, f"wordorder-lab: {said}")
    assert complaint_of(2, "wordorder-lab: a\n") is None


@pytest.mark.torture
def test_all_bad_command_lines_are_refused(folder) -> None:
    assert not wrongs(drawn(1000), folder)


@pytest.mark.torture
@pytest.mark.parametrize("locale", ["UTF-8", "ASCII"])
def test_bad_command_lines_in_processes_of_their_own(folder, locale) -> None:
    """Some dozens as a shell runs them, whatever the locale."""
    ascii_only = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    more = ascii_only | {"PYTHONIOENCODING": "ascii"} if locale == "ASCII" else {"PYTHONUTF8": "1"}
    environment = {**os.environ, "PYTHONPATH": str(ROOT), **more}
    wrong = []
    for line in bad_command_lines(36, SEED + 1):
        words = [os.fsencode(word.encode("utf-8", "surrogateescape")) for word in line]
        command = [os.fsencode(sys.executable), b"-m", b"wordorder_lab.cli", *words]
        run = subprocess.run(
            command, cwd=folder, env=environment, capture_output=True, timeout=PATIENCE, input=b""
        )
        said = run.stderr.decode("utf-8", "replace")
        if (what := complaint_of(run.returncode, said)) is not None:
            wrong.append(f"{line}: {what}")
    assert not wrong
