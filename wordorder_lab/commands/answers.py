"""What ``order`` and ``compress`` share: inputs one after the other, and nothing that was answered
is lost for a bad one after it."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeVar

from wordorder_lab.commands.common import STDOUT, check_json, check_target
from wordorder_lab.commands.output import print_json
from wordorder_lab.structures.messages import one_line, unfit_character
from wordorder_lab.trace.log import EventLog

Asked = TypeVar("Asked")
Answer = Callable[[Asked, EventLog | None], tuple[dict[str, Any], list[str]]]
"""Takes an input and a log; gives what goes into ``--json`` and the lines to print."""


def asked_log(arguments: Namespace) -> EventLog | None:
    """A log, if ``--trace`` or ``--play`` want one.

    Raises ``ValueError`` for a file that cannot be written, these two or ``--json``.
    """
    check_json(arguments.json)
    wanted = [path for path in (arguments.trace, arguments.play) if path is not None]
    for path in wanted:
        check_target(path)
    return EventLog() if wanted else None


def answer_all(
    asked: Iterable[tuple[str, Asked]],
    answer: Answer[Asked],
    arguments: Namespace,
    log: EventLog | None,
    typing: bool,
) -> None:
    """Answer one input after the other, print the lines, and write all files in the end.

    ``asked`` has the place of each input too, which begins the ``ValueError`` for a bad one. If
    somebody is ``typing``, it is shown instead, and they can go on.
    """
    answers: list[dict[str, Any]] = []
    try:
        for place, question in asked:
            try:
                data, lines = answer(question, log)
            except ValueError as error:
                if not typing:
                    raise ValueError(f"{place}{error}") from None
                print(one_line(str(error)), file=sys.stderr)  # whoever types can type again
                continue
            answers.append(data)
            if lines and arguments.json != STDOUT:
                print(*lines, sep="\n", flush=True)
    except BaseException:
        if answers:  # a bad line, or Ctrl-C, does not take back what was answered before it
            _write(answers, log, arguments)
        raise
    _write(answers, log, arguments)


def stdin_lines() -> Iterator[tuple[int, str]]:
    """The lines of stdin with their numbers; empty ones are passed over."""
    for number, typed in enumerate(sys.stdin, start=1):
        if found := unfit_character(typed):
            raise ValueError(f"line {number:,} of the input: {found[1]}")
        if typed.strip():
            yield number, typed.rstrip("\n")


def _write(answers: list[dict[str, Any]], log: EventLog | None, arguments: Namespace) -> None:
    if log is not None and arguments.trace:
        log.save(arguments.trace)
    if log is not None and arguments.play and len(log):
        from wordorder_lab.widgets.page import to_html

        to_html(log, arguments.play)
    if arguments.json == STDOUT:
        print_json(answers)
    elif arguments.json:
        from wordorder_lab.experiments.records import write_json

        write_json(arguments.json, answers)
