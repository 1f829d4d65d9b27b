"""Gold in the log of an ordering: which of its edges the tree of a known sentence is built of.

A search on a bag knows nothing of the sentence behind it. Whoever has that sentence can mark the
log afterwards, as guided learning marks its own: Zhang & Clark 2015, section 3.5, GOLDSTANDARD(e).
A word takes its right dependents before its left ones, the nearest first, so that each tree has one
derivation. In CCG the edges of the sentence's own derivation are gold (section 3.2).

Differences
- *Our reading*, section 3.2: equivalent edges have the same words. A learner tells words apart by
  their place among the types of its bag; here a word is its form and its tag (in CCG also its
  category), which is all that a log says of it. So words that are equal in these are gold for each
  other, even where different heads are given for them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable
from typing import Any

from wordorder_lab.best_first.edge import HEAD_LEFT, HEAD_RIGHT, Rule
from wordorder_lab.structures.sentence import Sentence
from wordorder_lab.trace.log import EventLog


def marked_gold(log: EventLog, sentence: Sentence) -> EventLog:
    """A copy of a log of searches on this sentence's words; ``gold`` is 1 or 0 for every edge.

    Raises ``ValueError`` for a search on other words, for a log that does not tell its words, and
    for a log of CCG and a sentence without a derivation.
    """
    if not any(event[0] == "begin" for event in log):
        raise ValueError(
            "the log has no `begin` event, which tells the words: record that kind too"
        )
    has_categories = any(event[0] == "leaf" and event[7] for event in log)
    numbers = derivation_numbers(sentence) if has_categories else gold_numbers(sentence)
    marked = EventLog(max_events=max(1, len(log)))
    gold: dict[int, int | None] = {}
    for event in log:
        if event[0] == "begin":
            _check_words(event, sentence)
            gold = {}
        if event[0] in ("leaf", "edge"):
            number = gold[event[1]] = numbers.get(_structure(event, gold))
            event = (*event[:6], int(number is not None), *event[7:])
        marked.record(*event)
    marked.dropped = log.dropped
    return marked


def gold_numbers(sentence: Sentence) -> dict[Hashable, int]:
    """What the gold tree is built of, numbered: (form, tag) of a word, and (number of the left
    part, number of the right part, action) of two parts."""
    heads = [token.head for token in sentence]
    numbers: dict[Hashable, int] = {}

    def build(place: int) -> int:
        token = sentence.tokens[place]
        below = [child for child, head in enumerate(heads) if head == place]
        number = numbers.setdefault((token.form, token.pos), len(numbers))
        for child in (child for child in below if child > place):
            number = numbers.setdefault((number, build(child), HEAD_LEFT), len(numbers))
        for child in (child for child in reversed(below) if child < place):
            number = numbers.setdefault((build(child), number, HEAD_RIGHT), len(numbers))
        return number

    build(heads.index(-1))
    return numbers


def derivation_numbers(sentence: Sentence) -> dict[Hashable, int]:
    """What the gold derivation is built of, numbered: (form, tag, category) of a word; of a step
    (the number of each part, action, category). Raises ``ValueError`` if there is none."""
    if sentence.derivation is None:
        raise ValueError(
            "the log is of CCG edges, and the sentence has no CCG derivation: take it from a "
            "corpus that has them"
        )
    numbers: dict[Hashable, int] = {}
    built: list[int] = []
    for node in sentence.derivation.nodes():
        first = len(built) - len(node.children)
        action = (Rule.of(node).action,) if node.children else (node.word, node.pos)
        structure = (*built[first:], *action, str(node.category))
        built[first:] = [numbers.setdefault(structure, len(numbers))]
    return numbers


def _structure(event: tuple[Any, ...], gold: dict[int, int | None]) -> Hashable:
    """A `leaf` or `edge` event in the same words."""
    if event[0] == "leaf":
        _, _, _, form, pos, _, _, category = event
        return (form, pos, category) if category else (form, pos)
    _, _, left, right, action, _, _, category = event
    parts = [gold.get(part) for part in (left, right) if part]
    return (*parts, action, category) if category else (*parts, action)


def _check_words(begin: tuple[Any, ...], sentence: Sentence) -> None:
    _, units, counts, *_ = begin
    here = Counter[str]()
    for unit, count in zip(units, counts, strict=True):
        here[unit] += count  # a unit with a tag and the same without are two
    there = Counter(token.form for token in sentence)
    if here != there:
        apart = sorted((here - there) + (there - here))[0]
        raise ValueError(
            f"the log is of another bag than this sentence's words: {apart!r} is there "
            f"{here[apart]} times in the bag, {there[apart]} times in the sentence"
        )
