"""A message as one line that a terminal shows as it is: nothing hidden, nothing endless."""

from __future__ import annotations

import re
from functools import partial

LONGEST = 300
"""Characters of a message; of what it quotes, the beginning and the end remain."""
QUOTED = (120, 80, 50)
"""So many characters of each long piece are kept: the first of these that is short enough."""
GAP = " ... "
BRIEF = 160
"""Characters of somebody else's message, or of a path, within a message."""
GIVEN = 80
"""Characters of what a user gave, as a message quotes it."""


def one_line(text: str, longest: int = LONGEST, encoding: str = "utf-8") -> str:
    """The text in a line; what cannot be shown is escaped, so that a terminal obeys nothing."""
    text = " ".join(as_text(text).split())
    text = "".join(c if c.isprintable() else _escaped(c) for c in text)
    text = text.encode(encoding, "backslashreplace").decode(encoding)
    whole = text
    for kept in QUOTED:
        if len(text) <= longest:
            break
        # Quoted text of any length with its spaces, or a single long word.
        pieces = re.compile(rf"'[^']{{{kept + 1},}}'|\"[^\"]{{{kept + 1},}}\"|\S{{{kept + 1},}}")
        text = pieces.sub(partial(_shorter, kept), whole)
    return _cut(text, longest)


def brief(text: object) -> str:
    """Somebody else's text as a message quotes it: one line, without its middle if it is long."""
    return one_line(str(text), BRIEF)


def cited(given: object) -> str:
    """What a user gave as a message quotes it: its ``repr``, without the middle if it is long."""
    try:
        text = repr(given)
    except Exception:  # of a class of somebody's own
        text = f"<{type(given).__name__}>"
    return text if len(text) <= GIVEN and text.isprintable() else one_line(text, GIVEN)


def as_text(argument: str) -> str:
    """What came in as bytes that the locale does not know, as the UTF-8 text that it mostly is."""
    try:
        return argument.encode("utf-8", "surrogateescape").decode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return argument


def _escaped(character: str) -> str:
    return character.encode("unicode_escape").decode("ascii")


def _shorter(kept: int, piece: re.Match[str]) -> str:
    return _cut(piece.group(), kept)


def _cut(text: str, longest: int) -> str:
    """The beginning and the end of a text, if it is too long."""
    if len(text) <= longest:
        return text
    end = (longest - len(GAP)) // 3
    return f"{text[: longest - len(GAP) - end]}{GAP}{text[-end:]}"
