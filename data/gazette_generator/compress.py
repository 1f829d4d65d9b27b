"""A shorter version of a sentence, with the alignment of its words.

Most are made by leaving out what the draft marked as optional: appositions, relative clauses,
adjuncts, second conjuncts. A few put a quotation or a date behind the clause, say "said" for
"insisted", or turn a passive into an active sentence: things that deletion cannot do.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from nltk.tree import Tree

from gazette_generator.draft import Draft
from gazette_generator.layers import penn_tree
from gazette_generator.phrase import Node, Word
from gazette_generator.shorter_trees import without

SHARE = 0.6
"""Sentences that have a shorter version, of those that can have one."""

KEEPS = 0.25
"""How often something optional stays nevertheless."""

LEAST = 4
"""Words of the shortest version, the full stop included."""


class Shorter(NamedTuple):
    """The words and tags of a shorter version, and what stands for what.

    ``alignment`` holds pairs (place in the sentence, place in the shorter version). ``kind`` is
    deletion, reordering or substitution. ``tree`` is the Penn tree over the same words.
    """

    kind: str
    tree: Tree
    words: tuple[str, ...]
    tags: tuple[str, ...]
    alignment: tuple[tuple[int, int], ...]


def shorten(draft: Draft, sentence: Node, source: Sequence[Word]) -> Shorter | None:
    """A shorter version of a finished sentence; ``None`` for those that have none."""
    there = {id(word) for word in source}
    rewrites = [(kind, tree) for kind, tree in draft.rewritten if _about(tree.words(), there)]
    rare = [rewrite for rewrite in rewrites if rewrite[0] == "substitution"]
    if rewrites and draft.chance(0.9 if rare else 0.45):
        kind, tree = draft.one(rare or rewrites)
        words = list(tree.words())
        whole = kind == "substitution"
        kept = _tidied(words) if whole else _without_optional(draft, words)
        return _aligned(kind, tree, kept if len(kept) >= LEAST else words, source)
    if not draft.chance(SHARE):
        return None
    words = _without_optional(draft, source)
    if not LEAST <= len(words) < len(source):
        return None
    return _aligned("deletion", sentence, words, source)


def _about(words: Iterable[Word], there: set[int]) -> bool:
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


def _aligned(kind: str, tree: Node, words: Sequence[Word], source: Sequence[Word]) -> Shorter:
    """The shorter version that keeps ``words`` of ``tree``, put beside the words of the source."""
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
    tags = tuple(word.tag for word in words)
    return Shorter(kind, _over(tree, words, forms), tuple(forms), tags, tuple(sorted(pairs)))


def _over(tree: Node, words: Sequence[Word], forms: Sequence[str]) -> Tree:
    """What is left of a tree when these words are kept, with their forms in the shorter version."""
    left = without(tree, {id(word) for word in tree.words()} - set(map(id, words)))
    assert left is not None
    made = penn_tree(left)
    for place, form in zip(made.treepositions("leaves"), forms, strict=True):
        made[place] = form
    return made
