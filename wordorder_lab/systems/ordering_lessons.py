"""What the ordering systems learn from: sentences, or bags with the sentence that each becomes.

A plain sentence is made a bag under the condition of the training (``bag_of``). An
``OrderingExample`` brings its own bag, as in surface realisation, where a unit has several forms
(Zhang & Clark 2015, section 5.7).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from wordorder_lab.structures.bag import OrderingExample
from wordorder_lab.structures.messages import cited
from wordorder_lab.structures.sentence import Sentence

Given = Sentence | OrderingExample
"""One thing to learn."""


def lesson_of(one: Given, settings: Any) -> OrderingExample:
    """A bag with its gold sentence; of a plain sentence the bag is made as ``settings`` say.

    Where labels are learned, the same share of them is given as of heads.
    """
    if isinstance(one, OrderingExample):
        return one
    labels = settings.deps if settings.labels else 0
    return OrderingExample.of(one, settings.pos, settings.deps, settings.seed, labels)


def gold_of(one: Given) -> Sentence:
    """The sentence that is learned."""
    return one.gold if isinstance(one, OrderingExample) else one


def golds_of(given: Iterable[Given]) -> list[Sentence]:
    """The sentences that are learned."""
    return [gold_of(one) for one in given]


def labelled(sentences: Sequence[Sentence]) -> Sequence[Sentence]:
    """The same sentences. Raises ``ValueError`` where a token has no label to learn."""
    for sentence in sentences:
        for token in sentence:
            if not token.label:
                name = sentence.name or sentence.text[:40]
                raise ValueError(
                    f"{cited(token.form)} in the sentence {cited(name)} has no label: leave the "
                    "sentence out, or learn without labels"
                )
    return sentences


def feature_words(given: Iterable[Given]) -> list[str]:
    """The words that may stand for a unit in a feature: the last ones, of all forms of a bag."""
    words = []
    for one in given:
        words += [token.words[-1] for token in gold_of(one)]
        if isinstance(one, OrderingExample):
            words += [
                form[-1] for kind in one.bag.unit_types for form in (kind.words, *kind.others)
            ]
    return words


def told(one: Given) -> str:
    """All that a training depends on, for a checkpoint's identity."""
    if isinstance(one, OrderingExample):
        return repr((one.bag, one.gold.tokens, one.places))
    return repr(one.tokens)
