"""Exercises 32.1 to 32.3: what a span is, and how many are right (Liu et al. 2015, section 4.3)."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import product
from typing import Any

from wordorder_lab.check.common.exercise import Exercise, Wrong, function_of, is_number
from wordorder_lab.check.common.workbench import sentence
from wordorder_lab.metrics.spans import Span, SpanTally, built_spans, subtree_spans
from wordorder_lab.structures.trees import is_projective, tree_problem

# --- 32.1: lengths by hand ----------------------------------------------------------------------

PARK = sentence("an_old_man/NP>1 saw/VBD the_dog/NP>1 in/IN>1 the_park/NP>3 ./.>1")
"""The sentence of exercise 32.1."""


def joined() -> tuple[list[Span], list[Span]]:
    """Its spans of two units or more: those built, and those of the tree."""
    units, heads = [token.words for token in PARK], [token.head for token in PARK]
    return built_spans(units, heads, least=2), subtree_spans(units, heads, least=2)


def _judge_lengths(answer: Any) -> str:
    if not (isinstance(answer, tuple | list) and len(answer) == 2):
        raise Wrong("Hand in two lists of lengths: check('32.1', (built, below)).")
    for name, yours, spans in zip(("built", "below"), answer, joined()):
        yours = yours.tolist() if hasattr(yours, "tolist") else yours  # an array
        if not isinstance(yours, tuple | list):
            raise Wrong(f"{name} is a list of lengths, such as [2, 9].")
        right = Counter(len(span.words) for span in spans)
        if missing := right - Counter(yours):
            length = min(missing)
            raise Wrong(
                f"In {name} a span of {length} words is missing: {_of_length(spans, length)}."
            )
        if extra := Counter(yours) - right:
            raise Wrong(f"In {name} there is one span too many, of length {min(extra, key=str)}.")
    return "Five are built on the way, and two hang below words of the tree that have dependents."


def _of_length(spans: Sequence[Span], length: int) -> str:
    texts = [" ".join(span.words) for span in spans if len(span.words) == length]
    return " or ".join(repr(text) for text in texts)


def _solve_lengths() -> str:
    lines = []
    for name, spans in zip(("built", "below"), joined()):
        shown = [f"{' '.join(span.words)} ({len(span.words)})" for span in spans]
        lines.append(f"{name} = {sorted(len(span.words) for span in spans)}: {'; '.join(shown)}")
    return "\n".join(lines)


# --- 32.2: the spans that are built ---------------------------------------------------------------


def projective_trees(n: int) -> Iterator[list[int]]:
    """The heads of every projective tree over n words."""
    for heads in product(range(-1, n), repeat=n):
        if tree_problem(heads) is None and is_projective(heads):
            yield list(heads)


def built_places(heads: Sequence[int]) -> Counter[tuple[int, int]]:
    """First and last place of every span that is built."""
    units = [(str(place),) for place in range(len(heads))]
    return Counter((int(span.words[0]), int(span.words[-1])) for span in built_spans(units, heads))


def _judge_built(answer: Any) -> str:
    built, looked_at = function_of(answer, "built_places"), 0
    for n in range(1, 6):
        for heads in projective_trees(n):
            _compare(built([*heads]), built_places(heads), heads)
            looked_at += 1
    return f"The same 2n - 1 spans for all {looked_at:,} projective trees of up to five words."


def _compare(yours: Any, right: Counter, heads: Sequence[int]) -> None:
    try:
        places = Counter((int(first), int(last)) for first, last in yours)
    except (TypeError, ValueError):
        raise Wrong(
            "A list of pairs is wanted: the first and the last place of each span."
        ) from None
    if missing := right - places:
        raise Wrong(f"With the heads {list(heads)} the span {min(missing)} is missing.")
    if extra := places - right:
        again = " once more" if min(extra) in right else ""
        raise Wrong(
            f"With the heads {list(heads)} there is{again} {min(extra)}, which is not built."
        )


def _solve_built() -> str:
    return (
        "def built_places(heads):\n"
        "    spans = []\n\n"
        "    def build(word):\n"
        "        below = [i for i, head in enumerate(heads) if head == word]\n"
        "        first = last = word\n"
        "        spans.append((first, last))\n"
        "        for child in [i for i in below if i > word]:\n"
        "            last = build(child)[1]\n"
        "            spans.append((first, last))\n"
        "        for child in [i for i in below[::-1] if i < word]:\n"
        "            first = build(child)[0]\n"
        "            spans.append((first, last))\n"
        "        return first, last\n\n"
        "    build(heads.index(-1))\n"
        "    return spans\n"
        "The last span of a word is all that hangs below it; the others are on the way there."
    )


# --- 32.3: precision, recall and F ----------------------------------------------------------------

WORDS = ("of", "the park", "the dog", "in the park", "saw the dog")


@cache
def _cases() -> tuple[tuple[list[str], list[str]], ...]:
    return tuple(_pairs())


def _pairs() -> Iterator[tuple[list[str], list[str]]]:
    yield [], ["of"]
    yield ["of"], []
    yield ["the dog", "the dog"], ["the dog"]
    yield ["the dog"], ["the dog", "of", "the dog"]
    chance = random.Random(32)
    for _ in range(200):
        made, gold = (chance.choices(WORDS, k=chance.randint(0, 6)) for _ in range(2))
        yield made, gold


def _judge_score(answer: Any) -> str:
    score = function_of(answer, "score")
    for made, gold in _cases():
        tally = SpanTally()
        tally.add(*([Span(tuple(text.split())) for text in spans] for spans in (made, gold)))
        right = [part / 100 for part in tally.score()[:3]]
        where = f"For made = {made} and gold = {gold}"
        try:
            yours = [*score([*made], [*gold])]
        except ZeroDivisionError:
            raise Wrong(f"{where} you divide by zero. Where there is nothing, say 0.") from None
        except TypeError:
            raise Wrong("Three numbers are wanted: precision, recall and F.") from None
        if len(yours) != 3 or not all(map(is_number, yours)):
            raise Wrong(f"Three numbers are wanted: precision, recall and F. {where}: {yours}.")
        for name, value, wanted in zip(("precision", "recall", "F"), yours, right):
            if abs(value - wanted) > 1e-9:
                raise Wrong(f"{where} the {name} is {wanted:.3g}, not {value:.3g}.")
    return f"Right for {len(_cases())} pairs of lists, also where the same span is there twice."


def _solve_score() -> str:
    return (
        "def score(made, gold):\n"
        "    right = (Counter(made) & Counter(gold)).total()\n"
        "    precision = right / len(made) if made else 0\n"
        "    recall = right / len(gold) if gold else 0\n"
        "    both = len(made) + len(gold)\n"
        "    return precision, recall, 2 * right / both if both else 0\n"
        "2PR / (P + R) is the same number, but it has to be kept from dividing by zero."
    )


EXERCISES = (
    Exercise(
        "32.1",
        "The lengths of the spans of two units or more: those built, and those of the tree.",
        (
            "Below first: which words have dependents? Only they have more than one unit below.",
            "Built: every arc joins two spans. How many arcs are there? saw takes its right "
            "dependents first, the nearest before the others, then its subject.",
            "Count words, and not units: an old man is one unit, but three words.",
        ),
        _judge_lengths,
        _solve_lengths,
    ),
    Exercise(
        "32.2",
        "Write the spans that are built: first and last place of each, for a tree given by heads.",
        (
            "Begin with a function for one word: its own span, and then one more a dependent.",
            "Right dependents first, from near to far: each moves the last place to the end of its "
            "own last span. Then the left ones, from near to far, which move the first place.",
            "What a dependent's last span is, you find by building the dependent: recursion.",
        ),
        _judge_built,
        _solve_built,
    ),
    Exercise(
        "32.3",
        "Write precision, recall and F for two lists of spans, as often as they are there.",
        (
            "How many of made are right? A span that is there twice in made and once in gold is "
            "right once.",
            "Counter(made) & Counter(gold) takes the smaller of the two counts.",
            "F is 2 * right / (len(made) + len(gold)). Where you would divide by 0, say 0.",
        ),
        _judge_score,
        _solve_score,
    ),
)
