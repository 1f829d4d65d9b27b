"""``wordorder-lab order``: typed bags in, sentences out, a line each."""

from __future__ import annotations

import json
import sys
from argparse import Namespace
from collections.abc import Iterator
from typing import Any

from wordorder_lab.commands.common import STDOUT, check_json, check_target, open_model
from wordorder_lab.structures.bag import WordBag
from wordorder_lab.structures.result import Result
from wordorder_lab.structures.typed_bag import parse_bag
from wordorder_lab.systems.liu_2015 import LinearizationModel
from wordorder_lab.trace.log import EventLog

HINT = """a bag a line, in any order: joined [the board] [Pierre Vinken]/NP ./.
brackets keep a phrase whole, a slash gives a tag, a backslash is for plain [ ] / \\; end: Ctrl-D"""


def run(arguments: Namespace) -> int:
    """Order the bag of the command line, or those of stdin."""
    check_json(arguments.json)
    wanted = [path for path in (arguments.trace, arguments.play) if path and check_target(path)]
    log = EventLog() if wanted else None
    model = open_model(arguments.model)
    answers: list[dict[str, Any]] = []
    try:
        _answer(model, arguments, log, answers)
    except BaseException:
        if answers:  # a bad line, or Ctrl-C, does not take back what was answered before it
            _write(answers, log, arguments)
        raise
    _write(answers, log, arguments)
    return 0


def _answer(
    model: LinearizationModel,
    arguments: Namespace,
    log: EventLog | None,
    answers: list[dict[str, Any]],
) -> None:
    """Order and show one bag after the other, and add each to ``answers``."""
    for number, line in _lines(arguments):
        try:
            result = _order(model, line, arguments, log)
        except ValueError as error:
            if number is None:
                raise
            if not sys.stdin.isatty():
                raise ValueError(f"line {number:,} of the input, {error}") from None
            print(error, file=sys.stderr)  # whoever types can type again
            continue
        answers.append({"bag": line, **_data(result)})
        if arguments.json != STDOUT:
            _show(result, arguments)


def _lines(arguments: Namespace) -> Iterator[tuple[int | None, str]]:
    """Typed bags with their line numbers; empty lines of stdin are passed over."""
    if arguments.text:
        yield None, " ".join(arguments.text)
        return
    if sys.stdin.isatty():
        print(HINT, file=sys.stderr)
    for number, line in enumerate(sys.stdin, start=1):
        if line.strip():
            yield number, line.rstrip("\n")


def _order(
    model: LinearizationModel, line: str, arguments: Namespace, log: EventLog | None
) -> Result:
    bag = parse_bag(line)
    check_tags(model, bag)
    return model.order(bag, beam=arguments.beam, k=arguments.k, engine=arguments.engine, trace=log)


def check_tags(model: LinearizationModel, bag: WordBag) -> None:
    """Raise ``ValueError`` for a tag that the model never saw, with those it knows."""
    if unknown := model.unknown_tags(bag):
        known = " ".join(model.dictionary.word_tags)
        tags = "tag" if len(unknown) == 1 else "tags"
        raise ValueError(
            f"the model never saw the {tags} {' '.join(unknown)}; it knows {known} "
            "(a slash that belongs to a word is written \\/)"
        )


def _show(result: Result, arguments: Namespace) -> None:
    for found in result.k_best:
        print(f"{found.score:10.3f}  {found.text}")
        if arguments.tree:
            print(str(found.tree))
    if arguments.k > 1 or arguments.tree:
        print()
    sys.stdout.flush()


def _data(result: Result) -> dict[str, Any]:
    def row(found: Result) -> dict[str, Any]:
        tree = {"pos": list(found.tree.pos), "heads": list(found.tree.heads)}
        return {"text": found.text, "words": found.words, "score": found.score, **tree}

    return {**row(result), "k_best": [row(found) for found in result.k_best]}


def _write(answers: list[dict[str, Any]], log: EventLog | None, arguments: Namespace) -> None:
    if log is not None and arguments.trace:
        log.save(arguments.trace)
    if log is not None and arguments.play and len(log):
        from wordorder_lab.widgets.page import to_html

        to_html(log, arguments.play)
    if arguments.json == STDOUT:
        print(json.dumps(answers, ensure_ascii=False, indent=1))
    elif arguments.json:
        from wordorder_lab.experiments.records import write_json

        write_json(arguments.json, answers)
