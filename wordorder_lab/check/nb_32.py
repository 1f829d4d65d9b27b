"""Notebook 32, span lengths: its exercises, and spans of some searches beside gold's.

Liu et al. 2015, section 4.3. ``seen`` are by system what ``experiments.measures.spans.looks``
gives, kinds of spans are as there.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence
from itertools import product
from typing import TYPE_CHECKING

from wordorder_lab.check.exercise import Wrong
from wordorder_lab.check.judges import Case, Numbers, Several, exercise, listed
from wordorder_lab.check.small_world import SENTENCES
from wordorder_lab.experiments.measures.spans import Looked
from wordorder_lab.experiments.measures.spans import looks as looks
from wordorder_lab.metrics import ordering, spans
from wordorder_lab.metrics.spans import Span, SpanTally, shares
from wordorder_lab.metrics.spans import total_variation as total_variation
from wordorder_lab.plots.lines import BLACK, BLUE, RED, Panel, panels
from wordorder_lab.plots.tables import table
from wordorder_lab.structures.sentence import Sentence
from wordorder_lab.structures.trees import is_projective, tree_problem
from wordorder_lab.trace.log import EventLog
from wordorder_lab.trace.reducers.replay import fold

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from pandas.io.formats.style import Styler


KINDS = {
    "kept": "kept by the search",
    "derivation": "built by the derivation",
    "tree": "of the tree",
}
LOOKS = {"best-first": ("o-", BLUE), "transition-based": ("s-", RED), "gold": ("--", BLACK)}
LONGEST = 20  # longer spans are counted together

Seen = Mapping[str, Sequence[Looked]]


def built_spans(sentence: Sentence, least: int = 1) -> list[Span]:
    """The spans that are built on the way to a sentence's tree, of at least so many units."""
    return spans.built_spans(*_units_and_heads(sentence), least=least)


def subtree_spans(sentence: Sentence, least: int = 1) -> list[Span]:
    """What hangs below each word of the tree with the word itself, of at least so many units."""
    return spans.subtree_spans(*_units_and_heads(sentence), least=least)


def _units_and_heads(sentence: Sentence) -> tuple[list[tuple[str, ...]], list[int]]:
    return [token.words for token in sentence], [token.head for token in sentence]


def brevity_by_length(
    outputs: Sequence[str], references: Sequence[str], bins: Sequence[tuple[int, int]]
) -> dict[str, object]:
    """Words in the outputs over words in the references, by length of the reference in words."""
    rows = ordering.by_length(outputs, references, bins=bins)
    return {f"{row.low}-{row.high}": row.to_dict()["brevity"] for row in rows}


def distribution(seen: Seen, name: str, kind: str, least: int) -> list[float]:
    """The shares of spans with 1, 2, ..., ``LONGEST`` words, and at last of all that is longer.

    ``name`` is a system or "gold"; spans of less than ``least`` units are left out.
    """
    gold = name == "gold"
    lengths = Counter(
        len(span.words)
        for one in seen["best-first" if gold else name]
        for span in (one.gold(kind, least) if gold else one.spans(kind, least))
    )
    return shares([lengths[n] for n in range(max(lengths, default=0) + 1)], LONGEST)


def figure_9(seen: Seen, least: int) -> Figure:
    """Draws the paper's Figure 9: the shares of lengths, a panel for each kind of spans."""
    plots: list[Panel] = []
    for kind, title in KINDS.items():
        curves = {name: distribution(seen, name, kind, least)[:LONGEST] for name in LOOKS}
        y = "" if plots else "share of spans"
        plots.append(Panel(curves, x="words in the span", y=y, title=title, looks=LOOKS))
    return panels(*plots, share_y=True)


def tally(seen: Seen, name: str, kind: str, least: int) -> SpanTally:
    """The spans of a system beside gold's, sentence by sentence; raises as ``distribution``."""
    counted = SpanTally()
    for one in seen[name]:
        counted.add(one.spans(kind, least), one.gold(kind, least))
    return counted


def table_4(seen: Seen, kind: str, least: int) -> Styler:
    """The paper's Table 4 for one kind of spans: precision, recall and F of the shorter ones."""
    rows = []
    for cut in (5, 10, 15, 30):
        row: dict[str, str | float] = {"words": f"< {cut}"}
        for name in seen:
            score = tally(seen, name, kind, least).score(cut)
            row |= {f"{name} P": score.precision, f"{name} R": score.recall, f"{name} F": score.f}
        rows.append(row)
    return table(rows, places=1)


def spans_by_epoch(log: EventLog) -> dict[str, dict[str, list[int]]]:
    """For each epoch how many spans of each length its searches kept, and how many were gold."""
    counted: dict[str, dict[str, list[int]]] = {}
    part = EventLog()
    for event in log:
        part.record(*event)
        if event[0] == "epoch":
            lengths = fold(part, len(part), "spans")["all"]
            counted[f"epoch {event[1]}"] = {name: lengths[name] for name in ("kept", "gold")}
            part = EventLog()
    if not counted:
        raise ValueError("the log tells of no epoch: hand it to a training, as trace=log")
    return counted


# --- exercises ------------------------------------------------------------------------------------

PARK = SENTENCES[2]  # the sentence of exercise 32.1: *an old man saw the dog in the park .*


def _judge_lengths(answer: object) -> str:
    given = listed(answer, 2, "Hand in two lists of lengths: check('32.1', (built, below)).")
    both = built_spans(PARK, least=2), subtree_spans(PARK, least=2)
    for name, yours, there in zip(("built", "below"), given, both, strict=True):
        lengths = Several(f"{name}: a list of lengths, such as [2, 9],", counted=True).read(yours)
        right = Counter[Hashable](len(span.words) for span in there)
        for length in sorted(right - lengths, key=str):
            texts = [" ".join(span.words) for span in there if len(span.words) == length]
            shown = " or ".join(map(repr, texts))
            raise Wrong(f"In {name} a span of {length} words is missing: {shown}.")
        for extra in lengths - right:
            raise Wrong(f"In {name} there is one span too many, of length {extra}.")
    return "Five are built on the way, and two hang below words of the tree that have dependents."


@exercise("32.1", judge=_judge_lengths)
def lengths() -> tuple[list[int], list[int]]:
    """The lengths of the spans of two units or more: those built, and those of the tree.

    - Below first: which words have dependents? Only they have more than one unit below.
    - Built: every arc joins two spans. How many arcs are there? saw takes its right dependents
      first, the nearest before the others, then its subject.
    - Count words, and not units: an old man is one unit, but three words.

    Five arcs, so five joins: *in the park*; *saw the dog*; *saw the dog in the park*; the same with
    the full stop; and everything. In the tree only *in* and *saw* have something below them.
    """
    built_lengths = [3, 3, 6, 7, 10]
    below_lengths = [3, 10]
    return built_lengths, below_lengths


def projective_trees(n: int) -> Iterator[list[int]]:
    """The heads of every projective tree over n words."""
    for heads in product(range(-1, n), repeat=n):
        if tree_problem(heads) is None and is_projective(heads):
            yield list(heads)


def _trees() -> Iterator[Case]:
    for n in range(1, 6):
        for heads in projective_trees(n):
            made = spans.built_spans([(str(place),) for place in range(n)], heads)
            places = [(int(span.words[0]), int(span.words[-1])) for span in made]
            yield Case(f"With the heads {heads}", places, (heads,))


def _place(pair: Sequence[int]) -> tuple[int, int]:
    first, last = pair
    return int(first), int(last)


_PLACES = Several("a list of pairs, the first and the last place of each span,", _place, True)


@exercise("32.2", _trees, _PLACES)
def built_places(heads: list[int]) -> list[tuple[int, int]]:
    """Write the spans that are built: first and last place of each, for a tree given by heads.

    - Begin with a function for one word: its own span, and then one more a dependent.
    - Right dependents first, from near to far: each moves the last place to the end of its own last
      span. Then the left ones, from near to far, which move the first place.
    - What a dependent's last span is, you find by building the dependent: recursion.

    A word begins as a span of its own. Each dependent brings all that is below it; the one to the
    right moves the end, the one to the left the beginning.

    Right: The same 2n - 1 spans for all {count} projective trees of up to five words.
    """
    spans = []

    def build(word: int) -> tuple[int, int]:
        below = [i for i, head in enumerate(heads) if head == word]
        first = last = word
        spans.append((first, last))
        for child in [i for i in below if i > word]:
            last = build(child)[1]
            spans.append((first, last))
        for child in [i for i in below[::-1] if i < word]:
            first = build(child)[0]
            spans.append((first, last))
        return first, last

    build(heads.index(-1))
    return spans


WORDS = ("of", "the park", "the dog", "in the park", "saw the dog")


def _pairs_of_lists() -> Iterator[Case]:
    pairs: list[tuple[list[str], list[str]]] = [
        ([], ["of"]),
        (["of"], []),
        (["the dog", "the dog"], ["the dog"]),
        (["the dog"], ["the dog", "of", "the dog"]),
    ]
    rng = random.Random(32)
    for _ in range(200):
        made, gold = (rng.choices(WORDS, k=rng.randint(0, 6)) for _ in range(2))
        pairs.append((made, gold))
    for made, gold in pairs:
        counted = SpanTally()
        counted.add(*([Span(tuple(text.split())) for text in spans] for spans in (made, gold)))
        right = [part / 100 for part in counted.score()[:3]]
        yield Case(f"For made = {made} and gold = {gold}", right, (made, gold))


THREE = Numbers(
    "a list of three numbers, precision, recall and F,",
    lambda place: ("the precision", "the recall", "the F")[place],
    divides="Where there is nothing, say 0.",
)


@exercise("32.3", _pairs_of_lists, THREE)
def score(made: list[str], gold: list[str]) -> tuple[float, float, float]:
    """Write precision, recall and F for two lists of spans, as often as they are there.

    - How many of made are right? A span that is there twice in made and once in gold is right once.
    - Counter(made) & Counter(gold) takes the smaller of the two counts.
    - F is 2 * right / (len(made) + len(gold)). Where you would divide by 0, say 0.

    `&` of two counters takes the smaller count of each. 2PR / (P + R) is the same number, but it
    has to be kept from dividing by zero.

    Right: Right for {count} pairs of lists, also where the same span is there twice.
    """
    right = (Counter(made) & Counter(gold)).total()
    precision = right / len(made) if made else 0
    recall = right / len(gold) if gold else 0
    both = len(made) + len(gold)
    return precision, recall, 2 * right / both if both else 0
