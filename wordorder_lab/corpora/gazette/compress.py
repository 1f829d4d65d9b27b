"""A shorter version of a sentence, with the alignment of its words.

Most are made by leaving out what the draft marked as optional: appositions, relative clauses,
adjuncts, second conjuncts. A few put a quotation or a date behind the clause, say "said" for
"insisted", or turn a passive into an active sentence: things that deletion cannot do.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from wordorder_lab.corpora.gazette.draft import Draft
from wordorder_lab.corpora.gazette.layers import Layers
from wordorder_lab.corpora.gazette.phrase import Word

SHARE = 0.6
"""Sentences that have a shorter version, of those that can have one."""

KEEPS = 0.25
"""How often something optional stays nevertheless."""

LEAST = 4
"""Words of the shortest version, the full stop included."""


class Shorter(NamedTuple):
    """The words and tags of a shorter version, and what stands for what.

    ``alignment`` holds pairs (place in the sentence, place in the shorter version). ``kind`` is
    deletion, reordering or substitution.
    """

    kind: str
    words: tuple[str, ...]
    tags: tuple[str, ...]
    alignment: tuple[tuple[int, int], ...]


def shorten(draft: Draft, layers: Layers) -> Shorter | None:
    """A shorter version of a finished sentence; ``None`` for those that have none."""
    there = {id(word) for word in layers.words}
    other = [(kind, words) for kind, words in draft.rewritten if _about(words, there)]
    rare = [one for one in other if one[0] == "substitution"]
    if other and draft.chance(0.9 if rare else 0.45):
        kind, words = draft.one(rare or other)
        whole = kind == "substitution"
        kept = _tidied(list(words)) if whole else _without_optional(draft, words)
        return _aligned(kind, kept if len(kept) >= LEAST else words, layers.words)
    if not draft.chance(SHARE):
        return None
    words = _without_optional(draft, layers.words)
    if not LEAST <= len(words) < len(layers.words):
        return None
    return _aligned("deletion", words, layers.words)


def _about(words: Sequence[Word], there: set[int]) -> bool:
    """Whether a rewriting belongs to this sentence: drafts throw pieces away."""
    return all(id(source) in there for word in words for source in (word.source or (word,)))


def _without_optional(draft: Draft, words: Sequence[Word]) -> list[Word]:
    """The words without most of what is optional; what is inside goes with what is around it."""
    dropped: set[int] = set()
    for piece in draft.optional:
        if not draft.chance(KEEPS):
            dropped.update(map(id, piece))
    return _tidied([word for word in words if id(word) not in dropped])


def _tidied(words: list[Word]) -> list[Word]:
    """No comma at the beginning, before another sign or alone."""
    kept: list[Word] = []
    for word in words:
        if word.form in (",", ".") and kept and kept[-1].form == ",":
            kept.pop()
        if word.form == "," and not kept:
            continue
        kept.append(word)
    return kept


def _plain(word: Word) -> str:
    """The form inside a sentence: only names keep their capital."""
    is_name = word.tag in ("NNP", "NNPS") or word.lemma[:1].isupper()
    return word.form if is_name else word.form[0].lower() + word.form[1:]


def _aligned(kind: str, words: Sequence[Word], source: Sequence[Word]) -> Shorter:
    places = {id(word): i for i, word in enumerate(source)}
    pairs = [
        (places[id(origin)], j)
        for j, word in enumerate(words)
        for origin in (word.source or (word,))
        if id(origin) in places
    ]
    forms = [_plain(word) for word in words]
    first = next(j for j, form in enumerate(forms) if form[0].isalnum())
    forms[first] = forms[first][0].upper() + forms[first][1:]
    if any(word.source for word in words):
        kind = "substitution"
    elif kind == "reordering" and pairs == sorted(pairs):
        kind = "deletion"  # what was to be moved has been left out
    return Shorter(kind, tuple(forms), tuple(word.tag for word in words), tuple(sorted(pairs)))
