"""How the Penn Treebank writes signs that are something else in its files, and a hint on words."""

from __future__ import annotations

from collections.abc import Sequence

SIGNS = {
    **dict.fromkeys("([{", "-LRB-"),
    **dict.fromkeys(")]}", "-RRB-"),
    **dict.fromkeys(("-LSB-", "-LCB-"), "-LRB-"),
    **dict.fromkeys(("-RSB-", "-RCB-"), "-RRB-"),
    **dict.fromkeys("\u201c\u00ab", "``"),
    **dict.fromkeys("\u201d\u00bb", "''"),
    **dict.fromkeys("-\u2013\u2014", "--"),
    "\u2018": "`",
    "\u2026": "...",
}
"""A word that is looked up under another name."""
STOPS = ".,;:!?"
SHORTENED = ("n't", "'s", "'re", "'ve", "'ll", "'d", "'m")


def escaped(words: Sequence[str]) -> list[str]:
    """Words as the Treebank would have them; plain quotation marks open and close in turn."""
    found, is_open = [], False
    for word in words:
        if word == '"':
            found.append("''" if is_open else "``")
            is_open = not is_open
        else:
            found.append(SIGNS.get(word, word).replace("\u2019", "'"))
    return found


def hint(words: Sequence[str]) -> str | None:
    """What to do about text whose words still hold on to signs; ``None`` where all seems well.

    >>> hint(["He", "said,", "it", "rains", "."])
    "'said,' looks like two words: put spaces around signs, as in 'said ,'"
    """
    for place, word in enumerate(words):
        bare = word.strip(STOPS)
        if bare and word[-1] in STOPS and not _may_end_so(word, place == len(words) - 1):
            cut = len(word.rstrip(STOPS))
            return _told(word, f"{word[:cut]} {word[cut:]}")
        for end in SHORTENED:
            if len(word) > len(end) and word.lower().endswith(end):
                return _told(word, f"{word[: -len(end)]} {word[-len(end) :]}")
    return None


def _may_end_so(word: str, last: bool) -> bool:
    """Abbreviations, initials and numbers of a list end in a stop; at the end few do."""
    if word[-1] != ".":
        return False
    inside = word[:-1]
    short = len(inside) <= 1 or "." in inside or (inside.istitle() and len(inside) <= 5)
    return short or not last


def _told(word: str, apart: str) -> str:
    return f"{word!r} looks like two words: put spaces around signs, as in {apart!r}"
