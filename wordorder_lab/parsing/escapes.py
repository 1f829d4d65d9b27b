"""How the Penn Treebank writes signs that are something else in its files."""

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
