"""What a seldom word looks like: a stand-in for it that says more than "unknown".

A model of a small text does not know many words. Whether one is a number, a name or ends in -ing
tells a good deal about where it may stand, so n-grams are counted over such signatures.
"""

from __future__ import annotations

ENDINGS = ("ing", "ed", "ly", "s")
"""The first that fits is told of a word in small letters."""


def signature(word: str) -> str:
    """The stand-in: ``<number>``, ``<capital>`` or ``<small>``, with a hyphen and an ending.

    >>> signature("10-year"), signature("Elsevier"), signature("refunding"), signature("by-product")
    ('<number-hyphen>', '<capital>', '<small-ing>', '<small-hyphen>')
    """
    if any(letter.isdigit() for letter in word):
        look = "number"
    else:
        look = "capital" if word[:1].isupper() else "small"
    if "-" in word:
        return f"<{look}-hyphen>"
    ending = next((one for one in ENDINGS if word.endswith(one)), "") if look == "small" else ""
    return f"<{look}-{ending}>" if ending else f"<{look}>"
