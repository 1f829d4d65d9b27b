"""JavaScript in pieces, and without the pieces that a browser does not need."""

from __future__ import annotations

import re
from collections.abc import Iterator


def brief(text: str) -> str:
    """The same program without comments and indentation.

    A line end may end a statement, so it stays, except beside a bracket or after a comma, where it
    cannot. A blank beside a sign goes, but for two signs: ``a + +b`` is no ``a ++b``. All that is
    in strings and templates stays.
    """
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
    """Whether a slash after this piece begins a regular expression."""
    kind, piece = last
    if kind == "name":
        return piece in BEFORE_REGEX
    return (kind == "sign" and piece not in ")]}") or (kind == "template" and piece[-1] == "{")
