"""``wordorder-lab parse``: sentences in their true order in, phrase-structure trees out."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

from wordorder_lab.commands.answers import answer_all, asked_log, stdin_lines
from wordorder_lab.commands.common import open_parser, search_options
from wordorder_lab.commands.parsers import HintOnce
from wordorder_lab.corpora.readers.files import read_text
from wordorder_lab.corpora.supertags import read_words
from wordorder_lab.systems.parser import in_brackets
from wordorder_lab.trace.log import EventLog

HINT = """a sentence a line, its words and signs apart by spaces: He said , it rains .
rain|NN is a word with its tag where --tagged says so; end: Ctrl-D"""


def run(arguments: Namespace) -> int:
    """Parse the sentences of the command line, of a file, or of stdin."""
    log = asked_log(arguments)
    if arguments.text and arguments.file is not None:
        raise ValueError("sentences come from --file or from the command line: leave one out")
    model = open_parser(arguments.model)
    search = model.search_settings(**search_options(model, arguments))
    typing = not arguments.text and arguments.file is None and sys.stdin.isatty()
    if typing:
        print(HINT, file=sys.stderr)
    asked = _with_hint(_asked(arguments))
    answer_all(asked, partial(_answer, model, search, arguments), arguments, log, typing)
    return 0


def _with_hint(asked: Iterator[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """The same; the first sentence that seems not to be tokenised gets a hint on stderr."""
    hint = HintOnce()
    for place, line in asked:
        hint.about(line, place)
        yield place, line


def _asked(arguments: Namespace) -> Iterator[tuple[str, str]]:
    """Sentences, and where each stands."""
    if arguments.text:
        yield "", " ".join(arguments.text)
    elif arguments.file is not None:
        lines = read_text(Path(arguments.file)).split("\n")
        if not any(map(str.strip, lines)):
            raise ValueError(f"{arguments.file} holds no sentences: give one a line")
        for number, line in enumerate(lines, start=1):
            if line.strip():
                yield f"line {number:,} of {arguments.file}: ", line
    else:
        for number, typed in stdin_lines():
            yield f"line {number:,} of the input: ", typed


def _answer(
    model: Any, search: dict[str, Any], arguments: Namespace, line: str, log: EventLog | None
) -> tuple[dict[str, Any], list[str]]:
    words, tags = line.split(), None
    if arguments.tagged:
        units, tags = read_words(line)
        words = [" ".join(unit) for unit in units]
    parse = model.parse(words, tags, engine=arguments.engine, trace=log, **search)
    if parse.fallback:
        print("# the grammar has no tree for this: it is put together of pieces", file=sys.stderr)
    flat = in_brackets(parse.tree)
    data: dict[str, Any] = {"words": words, "tags": list(parse.tags), "tree": flat}
    data |= {"score": parse.score, "fallback": parse.fallback}
    return data, [parse.tree.pformat(margin=70) if arguments.tree else flat]
