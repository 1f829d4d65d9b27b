r"""Base noun phrases of a CCG derivation kept whole: each becomes one leaf.

Zhang and Clark (2011, section 6) take "as base NPs the NPs that do not recursively contain other
NPs". CCGbank has 216,670 of them where the Penn Treebank has 242,813.

Differences, where the paper says nothing:

- An NP is a phrase of the category NP with any feature or none, a lexical NP such as *it* or the
  NP[thr] of *there* too. NP[conj] is *and* with its NP; it is no NP, and is never kept whole.
- A unary step from NP to NP adds no words, so the two are one phrase; the upper category counts.
- What is done to the whole phrase stays a step above the leaf: the raising to ``S/(S\NP)``, or the
  change of *this month* into an adverb.
- CCGrebank and parsers trained on it put relative clauses inside: *the man [N\N who sings]* is one
  NP, and so one unit.
"""

from __future__ import annotations

from collections.abc import Collection

from wordorder_lab.corpora.readers.base_np import BASE_NP
from wordorder_lab.structures.category import Atom, Category
from wordorder_lab.structures.derivation import Derivation

Span = tuple[int, int]
"""Place of the first word, and of the one behind the last."""


def with_base_nps(derivation: Derivation, min_words: int = 1) -> Derivation:
    """A copy with each base NP of ``min_words`` or more words as a single leaf, tagged ``NP``."""
    spans = [span for span in base_np_spans(derivation) if span[1] - span[0] >= min_words]
    whole = with_units(derivation, spans)
    assert whole is not None  # the spans are its own
    return whole


def base_np_spans(derivation: Derivation) -> list[Span]:
    """Where the NPs are that contain no other NP, left to right."""
    open_phrases: list[tuple[Span, list[Span]]] = []  # finished phrases: place, base NPs inside
    at = 0
    for node in derivation.nodes():
        if not node.children:
            place, inside = (at, at + 1), []
            at += 1
        else:
            parts = [open_phrases.pop() for _ in node.children][::-1]
            place = parts[0][0][0], parts[-1][0][1]
            inside = [span for _, spans in parts for span in spans]
        if is_np(node.category) and not inside:
            inside = [place]
        open_phrases.append((place, inside))
    return open_phrases[0][1]


def with_units(derivation: Derivation, spans: Collection[Span]) -> Derivation | None:
    """A copy with the words of each span as a single leaf, tagged ``NP``; spans do not overlap.

    The leaf has the topmost NP of these words; where a span is no NP, as *the clinic 's* in front
    of a noun, the lowest category that covers it. ``None`` if a span is no phrase.
    """
    words, wanted = derivation.words(), set(spans)
    done: list[tuple[Derivation, Span]] = []
    at = 0
    for node in derivation.nodes():
        if not node.children:
            copy, place = node, (at, at + 1)
            at += 1
        else:
            parts = [done.pop() for _ in node.children][::-1]
            place = parts[0][1][0], parts[-1][1][1]
            copy = Derivation(node.category, tuple(part for part, _ in parts), node.head)
        if place in wanted and (len(node.children) != 1 or is_np(node.category)):
            copy = Derivation.leaf(" ".join(words[slice(*place)]), BASE_NP, node.category)
        done.append((copy, place))
    units = len(words) - sum(end - start - 1 for start, end in wanted)
    return done[0][0] if len(done[0][0].leaves()) == units else None


def is_np(category: Category) -> bool:
    """Whether a phrase of this category is an NP."""
    return isinstance(category, Atom) and category.name == "NP"
