"""``wordorder-lab parse``: sentences in their true order in, phrase-structure trees out."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Iterator
from pathlib import Path

from wordorder_lab.commands.answers import Typed, answer_all, asked_log, with_hint
from wordorder_lab.commands.common import open_parser, search_options
from wordorder_lab.corpora.readers.files import read_text
from wordorder_lab.corpora.supertags import read_words
from wordorder_lab.experiments.runs.schema import Row
from wordorder_lab.systems.parser import in_brackets

HINT = """a sentence a line, its words and signs apart by spaces: He said , it rains .
rain|NN is a word with its tag where --tagged says so; end: Ctrl-D"""
NO_TREE = "# the grammar has no tree for this: it is put together of pieces"


def run(arguments: Namespace) -> int:
    """Parse the sentences of the command line, of a file, or of stdin."""
    log = asked_log(arguments)
    typed = Typed(arguments, "file", "sentences", HINT)
    lines = typed.lines(": ") if typed.source is None else _lines(typed.source)
    model = open_parser(arguments.model)
    search = model.search_settings(**search_options(model, arguments))

    def answer(line: str) -> tuple[Row, list[str]]:
        words, tags = line.split(), None
        if arguments.tagged:
            units, tags = read_words(line)
            words = [" ".join(unit) for unit in units]
        parse = model.parse(words, tags, engine=arguments.engine, trace=log, **search)
        if parse.fallback:
            print(NO_TREE, file=sys.stderr)
        flat = in_brackets(parse.tree)
        data: Row = {"words": words, "tags": list(parse.tags), "tree": flat}
        data |= {"score": parse.score, "fallback": parse.fallback}
        return data, [parse.tree.pformat(margin=70) if arguments.tree else flat]

    answer_all(with_hint(lines), answer, arguments, log, typed.by_hand)
    return 0


def _lines(path: str) -> Iterator[tuple[str, str]]:
    lines = read_text(Path(path)).split("\n")
    if not any(map(str.strip, lines)):
        raise ValueError(f"{path} holds no sentences: give one a line")
    for number, line in enumerate(lines, start=1):
        if line.strip():
            yield f"line {number:,} of {path}: ", line
