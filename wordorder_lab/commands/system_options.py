"""The settings of systems as options of a command: of the one that is meant, or of all.

Which system is meant is read off the command line before it is parsed: ``train`` names it, every
other command names a model, whose file says it.
"""

from __future__ import annotations

from collections.abc import Sequence

from wordorder_lab.commands.options import Row, setting_rows
from wordorder_lab.models.model_file import system_of_file
from wordorder_lab.runtime.entry_points import SYSTEMS as GROUP
from wordorder_lab.runtime.entry_points import brought
from wordorder_lab.systems.registry import ROWS, find, names_of
from wordorder_lab.systems.setting import Setting, settings_of
from wordorder_lab.systems.system import System


def system_options(
    kind: str, tasks: Sequence[str], words: Sequence[str]
) -> tuple[str, dict[str, Row]]:
    """The system that ``words`` name, if one, and the rows of its settings.

    ``kind`` is "training" or "search". Raises ``ValueError`` as ``find``.
    """
    name = _named(words) if kind == "training" else _of_model(words)
    names = [name] if name else [one for task in tasks for one in names_of(task)]
    settings = [(one, setting) for one in names for setting in _settings(find(one), kind)]
    return name, setting_rows(settings)


def _settings(system: System, kind: str) -> Sequence[Setting]:
    return settings_of(system.settings if kind == "training" else system.model.Search)


def _named(words: Sequence[str]) -> str:
    """The system of a training: a word that is none of an option's."""
    before = list(words[:-1])
    for last, word in zip(before, words[1:]):
        if word in ROWS or word in brought(GROUP, ROWS):
            return word
        if not word.startswith("-") and not (last.startswith("-") and "=" not in last):
            return word  # what it is not, is said by whoever looks for it
    return ""


def _of_model(words: Sequence[str]) -> str:
    """The system of the first model that is named, if its file can be read."""
    for last, word in zip(words, [*words[1:], ""]):
        path = word if last == "--model" else last.removeprefix("--model=")
        if last.startswith("--model") and path:
            name = system_of_file(path)
            return name if name in ROWS or name in brought(GROUP, ROWS) else ""
    return ""
