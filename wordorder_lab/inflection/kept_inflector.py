"""An inflector as a part of a model file: rows of texts and counts, which are checked when read.

Everything that an inflector says follows from how often words were seen and from the lists, so
these are kept, and nothing that is computed. Of the lists those forms stay away that the rules make
anyway.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from wordorder_lab.inflection.candidates import Inflector, Lists
from wordorder_lab.inflection.counted_forms import Company, CountedForms, Word
from wordorder_lab.inflection.english_rules import (
    PAST,
    PAST_PARTICIPLE,
    PRESENT_PARTICIPLE,
    THIRD,
    inflected,
)
from wordorder_lab.models.file_parts import number, rows, texts, whole
from wordorder_lab.structures.lemma_tree import feature_text, parse_features
from wordorder_lab.structures.messages import cited

VERB_CELLS = (THIRD, PAST, PAST_PARTICIPLE, PRESENT_PARTICIPLE)
"""Where a list says what the rule says, the rule is enough."""


def inflector_part(inflector: Inflector) -> dict[str, Any]:
    """What a header says of an inflector; ``inflector_of_part`` reads it."""
    counted = inflector.counted
    words = [
        [lemma, upos, xpos, feature_text(features), form, count]
        for (lemma, upos, xpos, features, form), count in sorted(counted.words.items())
    ]
    return {
        "english": inflector.english,
        "tags_decide": counted.tags_decide,
        "least": inflector.least,
        "words": words,
        "companies": [[*company, count] for company, count in sorted(counted.companies.items())],
        "lists": [
            [cell, lemma, *forms]
            for cell, listed in sorted(inflector.lists.items())
            for lemma, forms in sorted(listed.items())
            if cell not in VERB_CELLS or forms != (inflected(lemma, cell),)
        ],
    }


def inflector_of_part(part: Mapping[str, Any]) -> Inflector:
    """The inflector of a header. Raises ``ValueError`` for a row that is none."""
    words: dict[Word, int] = {}
    for row in rows(part["words"], "the counted forms"):
        *text, count = rows(row, "a counted form")
        lemma, upos, xpos, features, form = texts(text, "a counted form")
        key = (lemma, upos, xpos, parse_features(features), form)
        words[key] = whole(count, "the count of a form", 1)
    companies: dict[Company, int] = {}
    for row in rows(part["companies"], "small words with their company"):
        *text, count = rows(row, "a small word with its company")
        if len(text) not in (4, 5):
            raise ValueError("a small word with its company has another number of texts")
        companies[texts(text, "a small word")] = whole(count, "the count of a small word", 1)
    lists: dict[str, dict[str, tuple[str, ...]]] = {}
    for row in rows(part["lists"], "the lists of forms"):
        cell, lemma, *forms = texts(row, "a row of the lists of forms")
        if not forms:
            raise ValueError(f"the lists of forms have {cited(lemma)} without a form")
        lists.setdefault(cell, {})[lemma] = tuple(forms)
    english, decide = (_yes_or_no(part, name) for name in ("english", "tags_decide"))
    read: Lists = lists
    least = number(part["least"], "the smallest share of a form", 1)
    return Inflector(CountedForms.of_counts(words, companies, decide), read, english, least)


def _yes_or_no(part: Mapping[str, Any], name: str) -> bool:
    if not isinstance(part[name], bool):
        raise ValueError(f"{name} is neither true nor false")
    return bool(part[name])
