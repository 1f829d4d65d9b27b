"""From an English word with its Penn tag back to its lemma: the inflector, read the other way.

LEMMA(form, tag):
  what was counted with this form and tag most often
  a small word that is irregular (n't, 'll, them)
  what the lists have with this form in the tag's cell (past, plural, ...)
  of what the rules may have made it from: what is known as a lemma, or else the likeliest
  the form itself, small unless it is a name
"""

from __future__ import annotations

from collections import Counter, defaultdict

from wordorder_lab.inflection.candidates import ALWAYS, CELL_OF_TAG, FORMS_OF_BE, Inflector
from wordorder_lab.inflection.english_rules import BASE, PLURAL, uninflected, unlikely

NAMES = ("NNP", "NNPS")
PRONOUNS = {"me": "I", "us": "we", "him": "he", "them": "they", "her": "she", "i": "I"}
MODALS = {"'ll": "will", "wo": "will", "ca": "can", "sha": "shall", "'d": "would"}
VERBS = {
    **dict.fromkeys((*FORMS_OF_BE, "were", "been", "being"), "be"),
    **dict.fromkeys(("has", "had", "having", "'ve", "'d"), "have"),
    **dict.fromkeys(("does", "did", "done", "doing"), "do"),
}
SMALL_WORDS = {
    **{("VB", form): lemma for form, lemma in VERBS.items()},
    **{("MD", form): lemma for form, lemma in MODALS.items()},
    **{("PRP", form): lemma for form, lemma in PRONOUNS.items()},
    **{("RB", form): "not" for form in ALWAYS["not", "PART"]},
    **{("DT", form): "a" for form in ALWAYS["a", "DET"]},
    ("DT", "these"): "this",
    ("DT", "those"): "that",
}
"""Kind of tag and form -> lemma."""


class Lemmatizer:
    """The lemmas of what an inflector counted and lists; where it has neither, those of rules."""

    def __init__(self, inflector: Inflector) -> None:
        counted: defaultdict[tuple[str, str], Counter[str]] = defaultdict(Counter)
        for (lemma, _, xpos, _, form), count in inflector.counted.words.items():
            counted[form, xpos][lemma] += count
        self._counted = {
            key: min(counts, key=lambda lemma: (-counts[lemma], lemma))
            for key, counts in counted.items()
        }
        self._known = {lemma for lemma, *_ in inflector.counted.words}
        self._listed: dict[tuple[str, str], list[str]] = {}
        for cell, forms_of in inflector.lists.items():
            self._known.update(forms_of)
            for lemma, forms in forms_of.items():
                for form in forms:
                    self._listed.setdefault((form, cell), []).append(lemma)

    def lemma(self, form: str, tag: str, is_first: bool = False) -> str:
        """The lemma of a word; of one that ``is_first`` in its sentence the capital says little."""
        small = form.lower()
        for one in (small, form) if is_first and tag not in NAMES else (form, small):
            if (one, tag) in self._counted and (one == form or tag not in NAMES):
                return self._counted[one, tag]
        if tag in NAMES:
            return form
        kind = "VB" if tag.startswith("VB") else tag
        if (kind, small) in SMALL_WORDS:
            return SMALL_WORDS[kind, small]
        cell = CELL_OF_TAG.get(tag, BASE)
        if cell == BASE:
            of_name = tag == "JJ" and not is_first  # an Israeli bank
            return form if of_name or any(map(str.isupper, form[1:])) else small
        listed = self._listed.get((small, cell), ())
        if listed and not tag.startswith("VB"):  # these lists have exceptions alone
            return listed[0]
        made = [one for one in uninflected(small, cell) if not listed or one in listed]
        found = [*made, *sorted(listed, key=unlikely)]  # there are odd ones: thinck, talke
        seen = [lemma for lemma in found if self._known_as(lemma, cell)]
        return next(iter([*seen, *found]), small)

    def _known_as(self, lemma: str, cell: str) -> bool:
        """Whether the lemma is there; of a noun the base form was counted, since lists have verbs
        alone."""
        return lemma in self._known and (cell != PLURAL or (lemma, "NN") in self._counted)
