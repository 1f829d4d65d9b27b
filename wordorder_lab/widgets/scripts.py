"""The players' scripts are ES modules; here they become one, in the order of their imports.

There is no build tool, so a script keeps to a few forms at the beginning of a line:
``import { a, b } from "../folder/file.js";``, a function, class, ``const`` or ``let``, with or
without ``export``, and in the entry script ``export default { a };``. All names are in one scope:
two scripts must not declare the same. ``brief`` leaves out what a browser does not need.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path


def join(folder: Path, entry: str, more: Mapping[str, str] = {}) -> str:
    """What the ``entry`` of a folder needs as one ES module, which has its default export."""
    return "\n".join(script.body for script in needed(folder, entry, more))


def needed(folder: Path, entry: str, more: Mapping[str, str] = {}) -> list[Script]:
    """The scripts that the ``entry`` of a folder needs, and ``more`` from elsewhere, each after
    those that it imports. A folder may have several entries, with a default export each. Raises
    ``ValueError``, with the names of the scripts, for a circle of imports, an import of what is not
    there, a name that two declare, a script that nothing imports, and an unknown form."""
    names = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*.js"))
    scripts = {name: read(name, (folder / name).read_text(encoding="utf-8")) for name in names}
    scripts |= {name: read(name, text) for name, text in more.items()}
    _refuse_what_is_not_there(scripts, entry)
    order = _in_order([entry, *more], scripts)
    entries = [entry, *(name for name in names if scripts[name].default)]
    orphans = sorted({*names} - {*_in_order(entries, scripts)})
    if orphans:
        raise ValueError(f"no script imports {', '.join(orphans)}")
    found = [scripts[name] for name in order]
    _refuse_doubles(found, entry)
    return found


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
        name, tuple(imports), tuple(declared), frozenset(exported), default, "".join(body)
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


def _in_order(entries: Sequence[str], scripts: Mapping[str, Script]) -> list[str]:
    order: list[str] = []

    def visit(name: str, above: tuple[str, ...]) -> None:
        if name in above:
            circle = " -> ".join([*above[above.index(name) :], name])
            raise ValueError(f"scripts import each other in a circle: {circle}")
        if name not in order:
            for other, _ in scripts[name].imports:
                visit(other, (*above, name))
            order.append(name)

    for entry in entries:
        visit(entry, ())
    return order


def _refuse_doubles(scripts: Sequence[Script], entry: str) -> None:
    """Neither a name that two declare, nor a default export of any but the entry."""
    owners: dict[str, str] = {}
    for script in scripts:
        for name in script.declared:
            if name in owners:
                raise ValueError(f"{owners[name]} and {script.name} both declare {name}")
            owners[name] = script.name
    for script in scripts:
        if script.default != (script.name == entry):
            raise ValueError(
                f"{script.name}: the entry script has a default export, and no other has"
            )


# --- a program without what a browser does not need ----------------------------------------------


def brief(text: str) -> str:
    """The same program without comments and indentation. A line end may end a statement, so it
    stays, except beside a bracket or after a comma. A blank beside a sign goes, but for two signs:
    ``a + +b`` is no ``a ++b``. Strings and templates stay."""
    pieces, last, gap = ["{"], "sign", ""
    for kind, piece in tokens(text):
        if kind in ("space", "comment"):
            gap = "\n" if "\n" in gap + piece else " "
            continue
        beside = gap == " " and (last == "sign") != (kind == "sign") and kind != "regex"
        needless = beside or pieces[-1] in NO_GAP_AFTER or piece in NO_GAP_BEFORE
        pieces += ["" if needless else gap, piece]
        last, gap = kind, ""
    return "".join(pieces[1:])


NO_GAP_AFTER = {"(", "[", "{", ","}
NO_GAP_BEFORE = {")", "]", "}"}

TOKEN = re.compile(
    r"""(?P<space>\s+)
    | (?P<comment>//[^\n]*|/\*.*?\*/)
    | (?P<string>"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')
    | (?P<number>\d[\w.]*)
    | (?P<name>[\w$]+)
    | (?P<sign>=>|\.\.\.|\?\.|.)""",
    re.VERBOSE | re.DOTALL,
)
TEMPLATE = re.compile(r"[`}](?:\\.|\$(?!\{)|[^\\$`])*(?:`|\$\{)", re.DOTALL)
"""A template up to its end, or to the next expression in it."""
REGEX = re.compile(r"/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\[\n])+/\w*")
BEFORE_REGEX = {"return", "typeof", "case", "in", "of"}
"""Words after which a slash does not divide."""


def tokens(text: str) -> Iterator[tuple[str, str]]:
    """Each piece with its kind: space, comment, string, template, regex, number, name, sign."""
    at, last = 0, ("sign", ";")
    braces: list[str] = []  # those that are open; "`" is one of a template
    while at < len(text):
        kind, piece = _token(text, at, last, braces)
        yield kind, piece
        at += len(piece)
        if kind not in ("space", "comment"):
            last = kind, piece


def _token(text: str, at: int, last: tuple[str, str], braces: list[str]) -> tuple[str, str]:
    letter = text[at]
    if letter == "{":
        braces.append(letter)
    if letter == "`" or (letter == "}" and braces and braces.pop() == "`"):
        return "template", _template(text, at, braces)
    match = TOKEN.match(text, at)
    assert match is not None and match.lastgroup is not None  # a sign may be any letter
    kind, piece = match.lastgroup, match.group()
    if piece == "/" and _may_be_regex(last) and (match := REGEX.match(text, at)):
        return "regex", match.group()
    return kind, piece


def _template(text: str, at: int, braces: list[str]) -> str:
    match = TEMPLATE.match(text, at)
    if match is None:
        raise ValueError(f"a template does not end: {text[at : at + 40]}")
    if match.group().endswith("{"):
        braces.append("`")
    return match.group()


def _may_be_regex(last: tuple[str, str]) -> bool:
    kind, piece = last
    if kind == "name":
        return piece in BEFORE_REGEX
    return (kind == "sign" and piece not in ")]}") or (kind == "template" and piece[-1] == "{")
