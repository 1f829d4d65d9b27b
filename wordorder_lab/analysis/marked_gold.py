"""Gold in the log of an ordering: which of its edges the tree of a known sentence is built of.

A search on a bag knows nothing of the sentence behind it. Whoever has that sentence can mark the
log afterwards, as guided learning marks its own: Zhang & Clark 2015, section 3.5, GOLDSTANDARD(e).
A word takes its right dependents before its left ones, the nearest first, so that each tree has one
derivation. In CCG the edges of the sentence's own derivation are gold (section 3.2). Where every
item has a label, a word is gold with its own label alone (section 5.7).

Differences
- *Our reading*, section 3.2: equivalent edges have the same words. A learner tells words apart by
  their place among the types of its bag; here a word is its form and its tag (in CCG also its
  category), which is all that a log says of it. So words that are equal in these are gold for each
  other, even where different heads are given for them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from typing import Any

from wordorder_lab.best_first.edge import HEAD_LEFT, HEAD_RIGHT, Rule
from wordorder_lab.structures.arguments import checks_arguments
from wordorder_lab.structures.messages import cited
from wordorder_lab.structures.sentence import Sentence
from wordorder_lab.trace.log import EventLog

Event = tuple[Any, ...]
"""A kind and its columns, as a log has them."""


@checks_arguments
def marked_gold(log: EventLog, sentence: Sentence) -> EventLog:
    """A copy of a log of searches on this sentence's words; ``gold`` is 1 or 0 for every edge.

    Gold edges are those of GOLDSTANDARD in Zhang & Clark 2015, section 3.5.

    Raises ``ValueError`` for a search on other words, for a log that does not tell its words, and
    for a log of CCG and a sentence without a derivation.
    """
    if not any(event[0] == "begin" for event in log):
        raise ValueError(
            "the log has no `begin` event, which tells the words: record that kind too"
        )
    has_categories = any(event[0] == "leaf" and event[7] for event in log)
    make = derivation_numbers if has_categories else gold_numbers
    numbers = make(sentence)
    marked = EventLog(max_events=max(1, len(log)))
    gold: dict[int, int | None] = {}
    labels: list[str] = []
    events = list(log)
    for i, event in enumerate(events):
        if event[0] == "begin":
            told = {kind: columns for kind, *columns in events[i + 1 : i + 3]}
            _check_words(event, told.get("alternatives", ((), ())), sentence)
            (labels,) = told.get("labels", ([],))
            labels = labels if all(labels) and not has_categories else []
            gold = {}
            numbers = gold_numbers(sentence, labelled=True) if labels else make(sentence)
        if event[0] in ("leaf", "edge"):
            number = gold[event[1]] = numbers.get(_structure(event, gold, labels))
            event = (*event[:6], int(number is not None), *event[7:])
        marked.record(*event)
    marked.dropped = log.dropped
    return marked


def gold_numbers(sentence: Sentence, labelled: bool = False) -> dict[Hashable, int]:
    """What the gold tree is built of, numbered: (form, tag) of a word, with its label behind them
    if ``labelled``, and (number of the left part, number of the right part, action) of two parts.
    """
    heads = [token.head for token in sentence]
    numbers: dict[Hashable, int] = {}

    def build(place: int) -> int:
        token = sentence.tokens[place]
        below = [child for child, head in enumerate(heads) if head == place]
        word = (token.form, token.pos, *((token.label,) if labelled else ()))
        number = numbers.setdefault(word, len(numbers))
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


def _structure(event: Event, gold: dict[int, int | None], labels: Sequence[str]) -> Hashable:
    """A `leaf` or `edge` event in the same words; ``labels`` are those of the items, if told."""
    if event[0] == "leaf":
        _, _, item, form, pos, _, _, category = event
        if labels:
            return form, pos, labels[item]
        return (form, pos, category) if category else (form, pos)
    _, _, left, right, action, _, _, category = event
    parts = [gold.get(part) for part in (left, right) if part]
    return (*parts, action, category) if category else (*parts, action)


def _check_words(begin: Event, alternatives: Sequence[Sequence[str]], sentence: Sentence) -> None:
    """``alternatives`` are the columns of that event: numbers of units, and a form of each."""
    _, units, counts, *_ = begin
    here = Counter[str]()
    for unit, count in zip(units, counts, strict=True):
        here[unit] += count  # a unit with a tag and the same without are two
    there = Counter(token.form for token in sentence)
    if alternatives[0]:  # which of the forms are used, the sentence says
        could = {*units, *alternatives[1]}
        if here.total() == there.total() and could.issuperset(there):
            return
    if here != there:
        apart = sorted((here - there) + (there - here))[0]
        raise ValueError(
            f"the log is of another bag than this sentence's words: {cited(apart)} is there "
            f"{here[apart]} times in the bag, {there[apart]} times in the sentence"
        )
