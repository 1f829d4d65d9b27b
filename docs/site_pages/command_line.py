"""The command line's reference: a page a verb, read off the parser itself.

Settings of systems stand system by system, as ``--help`` has them; systems with the same ones share
a section.
"""

from __future__ import annotations

import argparse

from site_pages.page import Page, escaped, front, table
from wordorder_lab.cli import COMMANDS, PROGRAM, Verb, parser
from wordorder_lab.commands.help import Formatter
from wordorder_lab.commands.options import rows_of
from wordorder_lab.systems.registry import find, names_of


def pages() -> list[Page]:
    """An overview and a page for each of ``COMMANDS``, with every option and its default."""
    verbs = {name: _verbs(parser([name]))[name] for name in COMMANDS}
    rows = [(f"[`{name}`]({name}.md)", escaped(COMMANDS[name].help)) for name in verbs]
    about = (
        f"`{PROGRAM} COMMAND`; options are called and mean the same in every command. Bad input "
        "gives one line and exit code 2, Ctrl-C 130.\n\n"
    )
    overview = front("Command line") + f"# Command line\n\n{about}" + table(("command", ""), rows)
    return [
        Page("reference/command_line/index.md", overview),
        *(Page(f"reference/command_line/{name}.md", _verb(name, verbs[name])) for name in verbs),
    ]


def _verbs(main: argparse.ArgumentParser) -> dict[str, argparse.ArgumentParser]:
    for action in main._actions:
        if isinstance(action, argparse._SubParsersAction):
            return dict(action.choices)
    raise ValueError("the command line has no verbs")


def _verb(name: str, verb: argparse.ArgumentParser) -> str:
    lines = [front(f"{PROGRAM} {name}"), f"# `{PROGRAM} {name}`\n", escaped(COMMANDS[name].help)]
    own = {given.rstrip("*+") for given in COMMANDS[name].options.split()}
    of_systems = {*verb.get_default("options")} - own  # of two the command's own counts
    for action in verb._actions:
        if not {*action.option_strings} & of_systems:
            lines += _option(verb, action)
    for names, section in _by_settings(COMMANDS[name]).items():
        lines += ["", f"## {', '.join(f'`{one}`' for one in names)}", ""]
        lines += [escaped(f"{find(one).says}.") for one in names[:1]]
        for action in section._actions:
            if not {*action.option_strings} & own:
                lines += _option(section, action)
    return "\n".join(lines) + "\n"


def _by_settings(verb: Verb) -> dict[tuple[str, ...], argparse.ArgumentParser]:
    """Systems with the same settings, and a parser that has these alone."""
    alike: dict[str, list[str]] = {}
    for system in (one for task in verb.tasks for one in names_of(task)) if verb.settings else ():
        alike.setdefault(repr(rows_of(verb.settings, [system])), []).append(system)
    found = {}
    for names in alike.values():
        found[tuple(names)] = shown = argparse.ArgumentParser(
            add_help=False, formatter_class=Formatter
        )
        for option, row in rows_of(verb.settings, names[:1]).items():
            shown.add_argument(option, **row)
    return found


def _option(verb: argparse.ArgumentParser, action: argparse.Action) -> list[str]:
    """An option with its help, as a list of definitions has it."""
    return ["", f"`{_called(action)}`{_must(action)}", f":   {escaped(_help(verb, action))}"]


def _called(action: argparse.Action) -> str:
    names = ", ".join(action.option_strings)
    if action.nargs == 0:
        return names
    value = _value(action)
    more = f"{value} ..." if action.nargs in ("+", "*") else value
    return f"{names} {more}".strip()


def _value(action: argparse.Action) -> str:
    return str(action.metavar or action.dest.upper())


def _must(action: argparse.Action) -> str:
    return " (must be given)" if action.required and action.option_strings else ""


def _help(verb: argparse.ArgumentParser, action: argparse.Action) -> str:
    """The help as ``--help`` prints it, with what stands there for percent signs filled in."""
    return verb._get_formatter()._expand_help(action) if action.help else "no more to say"
