"""``wordorder-lab supertag``: sentences in their true order in, the categories of words out."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Iterator
from functools import partial
from typing import Any

from wordorder_lab.commands.answers import answer_all, stdin_lines
from wordorder_lab.commands.common import check_json, open_model, search_options
from wordorder_lab.corpora.supertags import load_supertags, read_words, write_unit
from wordorder_lab.structures.sentence import Unit
from wordorder_lab.trace.log import EventLog

HINT = """a sentence a line, its words apart by spaces in their true order: rain falls on boats .
rain|NN is a word with its tag; without one, a tag is guessed; end: Ctrl-D"""
Asked = tuple[list[Unit], list[str | None]]


def run(arguments: Namespace) -> int:
    """Tag the sentences of a corpus, of the command line, or of stdin."""
    check_json(arguments.json)
    if arguments.text and arguments.corpus is not None:
        raise ValueError("sentences come from --corpus or from the command line: leave one out")
    model = open_model(arguments.model, "tag")
    search = model.search_settings(**search_options(model, arguments))
    typing = not arguments.text and arguments.corpus is None and sys.stdin.isatty()
    if typing:
        print(HINT, file=sys.stderr)
    arguments.trace = arguments.play = None
    answer = partial(_answer, model, {**search, "engine": arguments.engine})
    answer_all(_asked(arguments), answer, arguments, None, typing)
    return 0


def _asked(arguments: Namespace) -> Iterator[tuple[str, Asked]]:
    """Sentences, and where each stands."""
    if arguments.corpus is not None:
        corpus = load_supertags(arguments.corpus, units=arguments.units)
        for one in corpus.split(arguments.split):
            yield f"{one.name}: ", (list(one.words), list(one.pos))
    elif arguments.text:
        yield "", read_words(" ".join(arguments.text))
    else:
        for number, typed in stdin_lines():
            yield f"line {number:,} of the input, ", read_words(typed)


def _answer(
    model: Any, search: dict[str, Any], asked: Asked, log: EventLog | None
) -> tuple[dict[str, Any], list[str]]:
    words, given = asked
    found = model.tag(words, given, **search)
    tags = model.full_tags(words, given)
    units = [
        {
            "word": " ".join(unit),
            "pos": tag,
            "tag_given": own is not None,
            "categories": {str(category): share for category, share in of_word},
        }
        for unit, tag, own, of_word in zip(words, tags, given, found, strict=True)
    ]
    line = " ".join(
        write_unit(unit, tag, [(str(category), share) for category, share in of_word])
        for unit, tag, of_word in zip(words, tags, found, strict=True)
    )
    guessed = sum(own is None for own in given)
    if guessed:
        several = "tag is" if guessed == 1 else "tags are"
        print(f"# {guessed} {several} guessed, not given", file=sys.stderr)
    return {"words": units}, [line]
