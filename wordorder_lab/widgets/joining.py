"""The players' scripts are ES modules; here they become one, in the order of their imports.

There is no build tool, so a script keeps to the few forms that are read here, all of them at the
beginning of a line: ``import { a, b } from "../folder/file.js";``, a function, class, ``const`` or
``let``, with or without ``export`` before it, and in the entry script ``export default { a };``.
In one module all names are in one scope: two scripts must not declare the same.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path


def join(folder: Path, entry: str, more: Mapping[str, str] = {}) -> str:
    """What the ``entry`` of a folder needs as one ES module, which has its default export.

    A folder may have several entries, the scripts with a default export. ``more`` are further
    scripts by their names, from elsewhere, which the entry is taken to need as well.

    What a script imports stands before it, depth first, in the order of its imports. Raises
    ``ValueError``, with the names of the scripts, for a circle of imports, an import of a script
    or name that is not there, a name that two scripts declare, a script that nothing imports, and
    for any form that is not known here.
    """
    names = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*.js"))
    scripts = {name: read(name, (folder / name).read_text(encoding="utf-8")) for name in names}
    scripts |= {name: read(name, text) for name, text in more.items()}
    _refuse_what_is_not_there(scripts, entry)
    order = _in_order(entry, scripts)
    order += [name for one in more for name in _in_order(one, scripts) if name not in order]
    entries = [entry, *(name for name in names if scripts[name].default)]
    reached = {name for one in entries for name in _in_order(one, scripts)}
    orphans = [name for name in names if name not in reached]
    if orphans:
        raise ValueError(f"no script imports {', '.join(orphans)}")
    _refuse_doubles([scripts[name] for name in order])
    _refuse_other_defaults([scripts[name] for name in order], entry)
    return "\n".join(scripts[name].body for name in order)


@dataclass(frozen=True)
class Script:
    """One script: what it imports and declares, and its text as it goes into the one module."""

    name: str
    imports: tuple[tuple[str, tuple[str, ...]], ...]
    """For each import the other script, and the names that are taken from it."""
    declared: tuple[str, ...]
    exported: frozenset[str]
    default: bool
    body: str


IMPORT = re.compile(r'import \{\s*([\w$]+(?:,\s+[\w$]+)*),?\s+\} from "(\.\.?/[^"\n]+)";\n')
DECLARATION = re.compile(r"(export )?(?:(?:async )?function|class|const|let) ([\w$]+)\b(?! *,)")
DEFAULT = re.compile(r"export default \{ \w+(?:, \w+)* \};\n")
INSIDE = re.compile(r" |\n|//|[)\]}]")
"""How other lines begin: inside something, empty, a comment, the end of something."""
MISPLACED = re.compile(r" +(?:import|export)\b|(?! *//).*\bimport *[(.]")


def read(name: str, text: str) -> Script:
    """A script by its text. Raises ``ValueError``, with the line, for a form that is not known."""
    imports, declared, exported, body = [], [], set(), []
    default, at = False, 0
    while at < len(text):
        line = text[at : text.find("\n", at) + 1 or len(text)]
        if match := IMPORT.match(text, at):
            line = match.group()
            target = posixpath.join(posixpath.dirname(name), match[2])
            imports.append((posixpath.normpath(target), tuple(re.split(r",\s+", match[1]))))
        elif (match := DECLARATION.match(line)) and not MISPLACED.match(line):
            declared.append(match[2])
            exported.update([match[2]] if match[1] else [])
            body.append(line.removeprefix("export "))
        elif DEFAULT.fullmatch(line) or (INSIDE.match(line) and not MISPLACED.match(line)):
            default = default or DEFAULT.fullmatch(line) is not None
            body.append(line)
        else:
            number = text.count("\n", 0, at) + 1
            raise ValueError(f"{name}:{number}: this form is not known: {line.rstrip()}")
        at += len(line)
    return Script(
        name=name,
        imports=tuple(imports),
        declared=tuple(declared),
        exported=frozenset(exported),
        default=default,
        body="".join(body),
    )


def _refuse_what_is_not_there(scripts: Mapping[str, Script], entry: str) -> None:
    if entry not in scripts:
        raise ValueError(f"the entry script {entry} is not there")
    for script in scripts.values():
        for other, names in script.imports:
            if other not in scripts:
                raise ValueError(f"{script.name} imports {other}, which is not there")
            for name in names:
                if name not in scripts[other].exported:
                    raise ValueError(f"{script.name} imports {name}, which {other} does not export")


def _in_order(entry: str, scripts: Mapping[str, Script]) -> list[str]:
    """The names of the entry and of all that it needs, each after those that it imports."""
    order: list[str] = []

    def visit(name: str, above: tuple[str, ...]) -> None:
        if name in above:
            circle = " -> ".join([*above[above.index(name) :], name])
            raise ValueError(f"scripts import each other in a circle: {circle}")
        if name not in order:
            for other, _ in scripts[name].imports:
                visit(other, (*above, name))
            order.append(name)

    visit(entry, ())
    return order


def _refuse_doubles(scripts: list[Script]) -> None:
    owners: dict[str, str] = {}
    for script in scripts:
        for name in script.declared:
            if name in owners:
                raise ValueError(f"{owners[name]} and {script.name} both declare {name}")
            owners[name] = script.name


def _refuse_other_defaults(scripts: list[Script], entry: str) -> None:
    for script in scripts:
        if script.default != (script.name == entry):
            raise ValueError(
                f"{script.name}: the entry script has a default export, and no other has"
            )
