"""Two hundred sentences in the manner of picture books, written for these tests, and the same ones
with invented nouns and verbs.

A line of ``everyday/*.txt`` has the ending of a noun or verb behind a slash: N, V or one of them
with -s, -ed, -ing, -en. ``tuning.txt`` was looked at while the model was made; ``held_out.txt`` was
not, and its figures are those that are told.
"""

from __future__ import annotations

import random
from pathlib import Path

STEMS = (
    "blick zorp florn grelp snarg tulp mimp brell drint skarn vorb quimp trelb nalp hilf jorm kesp "
    "larg mulb nerp ponk rolt slint yarb vank welb yont zimp chorb dralk fring glump snelt thork "
    "pralt crimb"
).split()
ENDINGS = {"N": "", "Ns": "s", "V": "", "Vs": "s", "Ved": "ed", "Ving": "ing", "Ven": "ed"}


def sentences(name: str) -> list[tuple[str, str]]:
    """Each sentence with its twin of invented words, which are drawn by a seed of their own."""
    chance, found = random.Random(1), []
    for line in (Path(__file__).parent / "everyday" / f"{name}.txt").read_text().splitlines():
        stems = chance.sample(STEMS, len(STEMS))
        pairs = [word.partition("/") for word in line.split()]
        invented = [stems.pop() + ENDINGS[kind] if kind else word for word, _, kind in pairs]
        found.append((" ".join(word for word, _, _ in pairs), " ".join(invented)))
    return found
