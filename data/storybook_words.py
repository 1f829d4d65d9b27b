"""The words of the storybook in their forms, read from ``storybook/lexicon.txt``."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path

from wordorder_lab.structures.sentence import ROOT

Phrase = list[tuple[str, str, int]]
"""Words with their tags and the place of the head in the phrase, ``ROOT`` for its own head."""


class StorybookError(ValueError):
    """A grammar or a lexicon that cannot be used; the message begins with file and line."""


def _with_s(word: str) -> str:
    if re.search(r"([sxz]|ch|sh|[^aeiou]o)$", word):
        return word + "es"
    return re.sub(r"([^aeiou])y$", r"\1ie", word) + "s"


def _doubled(word: str) -> str:
    """With its last letter twice after one short vowel: stop, big, quit; not wait, show, visit."""
    short = re.fullmatch(r"([^aeiouy]|qu)*[aeiou][^aeiouwxy]", word)
    return word + word[-1] if short else word


def _with_e(word: str, ending: str) -> str:
    return re.sub(r"([^aeiou])y$", r"\1i", _doubled(word)).removesuffix("e") + ending


def _with_ing(word: str) -> str:
    if word.endswith("ie"):
        return word[:-2] + "ying"
    return (word if word.endswith("ee") else _doubled(word).removesuffix("e")) + "ing"


Regular = Callable[[str, str], str]
"""The regular form of a word (first), from the form before it in the table (second) if need be."""

FORMS: dict[str, tuple[tuple[str, str, Regular], ...]] = {
    "noun": (("sg", "NN", lambda w, _: w), ("pl", "NNS", lambda w, _: _with_s(w))),
    "mass": (("mass", "NN", lambda w, _: w),),
    "adjective": (
        ("plain", "JJ", lambda w, _: w),
        ("er", "JJR", lambda w, _: _with_e(w, "er")),
        ("est", "JJS", lambda w, er: er if er == "-" else _with_e(w, "est")),
    ),
    "verb": (
        ("base", "VB", lambda w, _: w),
        ("past", "VBD", lambda w, _: _with_e(w, "ed")),
        ("part", "VBN", lambda _, past: past),
        ("third", "VBZ", lambda w, _: _with_s(w)),
        ("ing", "VBG", lambda w, _: _with_ing(w)),
        ("pres", "VBP", lambda w, _: w),
    ),
}


def _inflected(kind: str, entry: str) -> Iterator[tuple[str, Phrase]]:
    """The forms of ``put_on/put`` or ``school_bus``, each with the words that it consists of."""
    stem, *given = entry.split("/")
    parts = stem.split("_")
    head = 0 if kind == "verb" else len(parts) - 1
    form = parts[head]
    for place, (name, tag, regular) in enumerate(FORMS[kind], -1):
        form = given[place] if 0 <= place < len(given) else regular(parts[head], form)
        phrase = [(part, "RP" if kind == "verb" else "NN", head) for part in parts]
        phrase[head] = (form, tag, ROOT)
        if form != "-":
            yield name, phrase


def read_lexicon(path: Path) -> dict[str, list[Phrase]]:
    """``class.form`` -> its words; ``StorybookError`` with the line for one of no known kind."""
    classes: dict[str, list[Phrase]] = defaultdict(list)
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        text = line.split("#")[0].strip()
        kind, *names = text.partition(":")[0].split() or [""]
        entries = text.partition(":")[2].split()
        tag = names.pop(0) if kind == "words" and names else ""
        fit = all(
            0 < len(parts) <= len(FORMS.get(kind, " ")) and all(parts)
            for parts in (entry.split("/") for entry in entries)
        )
        if text and not (entries and names and (tag or kind in FORMS) and fit):
            raise StorybookError(f"{path.name}:{number}: not 'kind class ...: word ...': {text}")
        for name, entry in product(names, entries):
            forms = [("", [(entry, tag, ROOT)])] if tag else _inflected(kind, entry)
            for form, phrase in forms:
                symbol = f"{name}.{form}" if form else name
                if phrase in classes[symbol]:
                    raise StorybookError(f"{path.name}:{number}: {entry} is in {name} twice")
                classes[symbol].append(phrase)
    return dict(classes)
