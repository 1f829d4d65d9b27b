"""What an unknown word looks like, in more detail than ``models/kneser_ney`` tells.

Capitals, digits, hyphens and endings, as parsers of treebanks group words that training has not
seen (Klein & Manning 2003, Petrov et al. 2006; neither was at hand, so the groups are ours).
"""

from __future__ import annotations

ENDINGS = ("ed", "ing", "ion", "er", "est", "ly", "ity", "al", "ous", "ive", "able", "y")
"""The first that fits is told of a word of five letters or more."""


def shape(word: str, first: bool = False) -> str:
    """The stand-in of a word; ``first``: it begins the sentence, where a capital says little.

    >>> shape("refunding"), shape("Elsevier"), shape("Elsevier", first=True), shape("10-year")
    ('lower-ing', 'Capital-er', 'Initial-er', 'number-dash')
    """
    letters = [letter for letter in word if letter.isalpha()]
    if any(letter.isdigit() for letter in word):
        look = "number" if not letters or "-" in word else "number-letters"
    elif not letters:
        look = "sign"
    elif word[0].isupper():
        whole = len(letters) > 1 and all(letter.isupper() for letter in letters)
        look = "CAPITALS" if whole else "Initial" if first else "Capital"
    else:
        look = "lower" if word.islower() else "mixed"
    dash = "-dash" if "-" in word else ""
    return look + dash + _ending(word.lower(), look, bool(dash))


def _ending(word: str, look: str, dash: bool) -> str:
    if look.startswith(("number", "sign", "CAPITALS")):
        return "-s" if look == "number-letters" and word.endswith("s") else ""
    if len(word) >= 3 and word.endswith("s") and word[-2] not in "siu":
        return "-s"
    if len(word) < 5 or (dash and not word.endswith(("ed", "ing"))):
        return ""
    return next((f"-{ending}" for ending in ENDINGS if word.endswith(ending)), "")
