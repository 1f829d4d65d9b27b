"""Messages about input: quoted in one line, the same words for the same thing, and limits.

A terminal shows a message as it is: nothing hidden, nothing endless.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from difflib import get_close_matches
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
NAMED = 3
"""So many words a message lists; of more it says how many."""


def one_line(text: str, longest: int = LONGEST, encoding: str = "utf-8") -> str:
    """The text in a line; what cannot be shown is escaped, so that a terminal obeys nothing."""
    text = " ".join(as_text(text).split())
    text = "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)
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


def _shorter(kept: int, piece: re.Match[str]) -> str:
    return _cut(piece.group(), kept)


def _cut(text: str, longest: int) -> str:
    """The beginning and the end of a text, if it is too long."""
    if len(text) <= longest:
        return text
    end = (longest - len(GAP)) // 3
    return f"{text[: longest - len(GAP) - end]}{GAP}{text[-end:]}"


# --- Names and lists


def unknown_name(kind: str, name: object, known: Iterable[str]) -> str:
    """A name that there is not, with the nearest one that there is, and with all.

    ``no system 'lui-2015' (did you mean 'liu-2015'?); there are liu-2015, wan-2009``
    """
    names = list(known)
    return f"no {kind} {cited(name)}{nearest(name, names)}; there are {', '.join(names) or 'none'}"


def nearest(name: object, known: Iterable[str]) -> str:
    """`` (did you mean 'liu-2015'?)``; empty where nothing is near."""
    # LIU-2015 means liu-2015, and the dashes of --html and --chart do not make them alike.
    in_capitals = {one.strip("-").upper(): one for one in known}
    plain = name.strip("-").upper() if isinstance(name, str) else ""
    near = get_close_matches(plain, in_capitals, 1)
    return f" (did you mean {in_capitals[near[0]]!r}?)" if near else ""


def listed(names: Sequence[str]) -> str:
    """The first few names with commas between them, and how many more there are."""
    more = [f"{len(names) - NAMED} more"] if len(names) > NAMED else []
    *most, last = [*names[:NAMED], *more]
    return f"{', '.join(most)} and {last}" if most else last


# --- Limits: beyond these nobody gets an answer, only a machine without memory

MOST_HYPOTHESES = 50_000
"""Of a beam: the papers stay below 1,000, and an unlimited one of six words has 40,320."""
MOST_EPOCHS = 10_000
"""The papers need 30; averaged weights hardly move after some hundred."""
MOST_JOBS = 10_000
"""Processes: no machine has as many cores."""
MOST_ORDER = 20
"""Words of an n-gram: longer ones are hardly seen twice; a chart keeps them around each seam."""
MOST_RULE_DEPTH = 20
"""Matches that a synchronous rule may ignore: there are ever more and larger rules, ever rarer."""


def check_most(name: str, value: int, most: int) -> None:
    """Raise ``ValueError`` for a number above ``most``."""
    if value > most:
        raise too_much(name, value, most)


def too_much(name: str, value: int, most: int) -> ValueError:
    """What to raise for a number above ``most``."""
    return ValueError(f"{name} {shown(value)} is too much: {most:,} is the most")


def shown(value: int) -> str:
    """A whole number as a message shows it, however many digits it has."""
    return f"{value:,}" if abs(value) < 10**15 else f"of {value.bit_length()} bits"


# --- Characters that no text of words may hold

# NUL ends a text in many a program. At the others Python breaks a line where an editor shows none,
# or sees a blank where a file has none: words and line numbers would differ the next time.
UNFIT = "\0\v\f\x1c\x1d\x1e\x1f\x85\u2028\u2029"


def unfit_character(text: str) -> tuple[int, str] | None:
    """Line (from 1) of the first such character, and what is wrong; ``None`` if there is none."""
    found = [place for one in UNFIT if (place := text.find(one)) >= 0]
    if not found:
        return None
    at = min(found)
    what = f"the character U+{ord(text[at]):04X} is part of no word: put a space in its place"
    return text.count("\n", 0, at) + 1, what
