"""``--help`` of a command: of the system that is named alone, or with a list of all."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterable, Sequence
from functools import partial
from itertools import groupby
from typing import Any

from wordorder_lab.commands.options import Row

OF_ALL = {
    "training": "systems; train SYSTEM --help has the options of one",
    "search": "settings of the search; --model FILE --help says what those of its system do",
}
"""Which settings of systems a command has -> the title of their list."""
COLUMN = 25
"""Where helps begin: the longest of the usual options fits before it."""


def is_asked(words: Sequence[str]) -> bool:
    """Whether a line asks for it; behind ``--`` there are no options."""
    before = words[: words.index("--")] if "--" in words else words
    return "-h" in before or "--help" in before


class Formatter(argparse.HelpFormatter):
    """argparse's, with a usage of one line: each option stands below it, with help and default."""

    def __init__(self, prog: str, column: int = COLUMN) -> None:
        super().__init__(prog, max_help_position=column)

    def _format_usage(self, usage: Any, actions: Any, _groups: Any, prefix: Any) -> str:
        must = [one for one in actions if one.required or not one.option_strings]
        more = "" if len(must) == len(actions) else " [OPTION ...]"
        return super()._format_usage(usage, must, [], prefix).rstrip() + f"{more}\n\n"

    def _format_action_invocation(self, action: argparse.Action) -> str:
        if isinstance(action, argparse.BooleanOptionalAction):
            return action.option_strings[0].replace("--", "--[no-]", 1)
        return super()._format_action_invocation(action)

    def _format_args(self, action: argparse.Action, default_metavar: str) -> str:
        args = super()._format_args(action, default_metavar)
        return re.sub(r"^(.+) \[\1 \.\.\.\]$", r"\1 ...", args)

    def _split_lines(self, text: str, width: int) -> list[str]:
        return super()._split_lines(re.sub(r" \(default: ([^()]+)\)$", r" [\1]", text), width)

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        """Lists have lines of their own; other texts are filled."""
        return text if "\n" in text else super()._fill_text(text, width, indent)


def trimmed(command: str, name: str, rows: dict[str, Row]) -> dict[str, Row]:
    """The options of a command without those that the system of this ``name`` refuses; of a
    training without a name, those that all systems have."""
    from wordorder_lab.systems.registry import ROWS, find

    if command == "train":
        from wordorder_lab.commands.learning import BESIDE, taken
    elif command == "evaluate" and name:
        from wordorder_lab.commands.evaluate import BESIDE, taken
    else:
        return rows
    out = {*BESIDE}
    if name:
        out -= {*taken(find(name))}
    if name in ROWS:
        out |= {"set"}  # for systems of other packages
    if name and command == "train":
        out |= {"system"}  # it stands in the usage
        usual = find(name).does.corpus or "ptb-sample, or else gazette"
        rows["--corpus"] |= {"help": f"its name or the path of one (default: {usual})"}
    return {key: row for key, row in rows.items() if key.lstrip("-").replace("-", "_") not in out}


def of_all(kind: str, tasks: Iterable[str]) -> str:
    """A list of the systems of these tasks: for "training" what each is, for "search" its options.

    Systems with the same options share a line.
    """
    from wordorder_lab.systems.registry import find, names_of
    from wordorder_lab.systems.setting import settings_of

    names = [name for task in tasks for name in names_of(task)]
    if kind == "training":
        rows = [(name, find(name).says) for name in names]
    else:
        own = {n: [one.option for one in settings_of(find(n).model.Search)] for n in names}
        shared = groupby(sorted(names, key=lambda n: own[n]), key=lambda n: own[n])
        rows = [(", ".join(alike), " ".join(options)) for options, alike in shared]
    return _listed(OF_ALL[kind], rows)


def _listed(title: str, rows: Sequence[tuple[str, str]]) -> str:
    layout = partial(Formatter, column=COLUMN + 7)  # names are longer than options
    shown = argparse.ArgumentParser(usage=argparse.SUPPRESS, add_help=False, formatter_class=layout)
    group = shown.add_argument_group(title)
    for name, text in rows:
        group.add_argument(name, help=text)
    return shown.format_help()
