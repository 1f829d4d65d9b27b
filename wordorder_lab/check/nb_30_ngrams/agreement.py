"""Minimal pairs of verb and subject: does a model see the subject from where the verb stands?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from wordorder_lab.models.ngram import START_ID, NGramModel
from wordorder_lab.structures.sentence import Sentence

FILLERS = (
    "",
    "also",
    "in Brazil",
    "at the hotel",
    "who denied the rumor",
    "in the region and Brazil",
)
"""What stands between subject and verb: none, one, two ... five words."""

FEWEST, LETTERS = 5, 4
"""How often each of two forms is in the text; shorter words are mostly no nouns."""


def noun_pairs(words: Mapping[str, int]) -> list[tuple[str, str]]:
    """Words of a text that are there with and without an -s, such as exporter and exporters."""
    return [
        (word, f"{word}s")
        for word, count in sorted(words.items())
        if word.isalpha() and word.islower() and len(word) >= LETTERS
        if min(count, words.get(f"{word}s", 0)) >= FEWEST
    ]


def subject_counts(model: NGramModel, pairs: Sequence[tuple[str, str]]) -> list[float]:
    """By how much the subject changes what the model thinks of *has* against *have*.

    For each of the ``FILLERS``, the mean over the pairs of nouns of

        log p(has | The exporter ...) / p(have | The exporter ...)
          - log p(has | The exporters ...) / p(have | The exporters ...)

    It is 0 where the model cannot see the subject. Raises ``ValueError`` without pairs.
    """
    if not pairs:
        raise ValueError("there are no pairs of nouns: give at least one")
    means = []
    for filler in FILLERS:
        changes = [
            _has_over_have(model, one, filler) - _has_over_have(model, two, filler)
            for one, two in pairs
        ]
        means.append(sum(changes) / len(changes))
    return means


def _has_over_have(model: NGramModel, subject: str, filler: str) -> float:
    words = f"The {subject} {filler}".split()
    context = [START_ID, *(model.word_id(word) for word in words)]
    has, have = (model.log_prob(context, model.word_id(verb)) for verb in ("has", "have"))
    return has - have


# --- sentences with the other form of their verb --------------------------------------------------

SINGULAR = {"has": "have", "is": "are", "was": "were"}
PLURAL = {many: one for one, many in SINGULAR.items()}
OTHER = {**SINGULAR, **PLURAL}
"""Forms of verbs that show the number of their subject, and the form of the other number."""
NOMINAL = ("NP", "NN", "PRP")
"""How the tags of subjects begin."""


def agreement(model: NGramModel, sentences: Sequence[Sentence]) -> list[dict[str, Any]]:
    """How often a sentence is likelier than the same with the verb in the other number.

    A row for verbs right behind their subject, and one for those with words between; the subject is
    the nearest noun phrase on the left that depends on the verb. Of plural verbs it is also said
    which share of them the model has read right behind the word that stands before them here.
    """
    right: dict[tuple[bool, str], list[bool]] = {}
    read: dict[bool, list[bool]] = {}
    for sentence in sentences:
        words = list(sentence.surface)
        for place, far in _verbs(sentence):
            turned = [*words[:place], OTHER[words[place]], *words[place + 1 :]]
            number = "singular" if words[place] in SINGULAR else "plural"
            judged = right.setdefault((far, number), [])
            judged.append(model.score(words) > model.score(turned))
            if number == "plural":
                read.setdefault(far, []).append(_was_read(model, words[place - 1 : place + 1]))
    rows = []
    for far, name in ((False, "none"), (True, "one or more")):
        row: dict[str, Any] = {"words between": name}
        for number in ("singular", "plural"):
            judged = right.get((far, number), [])
            row[f"{number}: verbs"] = len(judged)
            row[f"{number}: right"] = sum(judged) / len(judged) if judged else None
        pairs = read.get(far, [])
        row["plural: pair was read"] = sum(pairs) / len(pairs) if pairs else None
        rows.append(row)
    return rows


def _was_read(model: NGramModel, pair: Sequence[str]) -> bool:
    ids = tuple(model.word_id(word) for word in pair)
    return model.known_end(ids) == ids


def _verbs(sentence: Sentence) -> Iterator[tuple[int, bool]]:
    """The place of each such verb among the words, and whether its subject is further away."""
    ends = [0]
    for unit in sentence:
        ends.append(ends[-1] + len(unit.words))
    for verb, unit in enumerate(sentence):
        left = [i for i in range(verb) if sentence.tokens[i].head == verb]
        subjects = [i for i in left if sentence.tokens[i].pos.startswith(NOMINAL)]
        if len(unit.words) == 1 and unit.words[0] in OTHER and subjects:
            yield ends[verb], subjects[-1] + 1 < verb
