"""The rows of Liu et al. 2015, Figure 8, Table 4 and Figure 9: brevity, right spans, their lengths.

``spans`` says what ``spans`` and ``least_units`` of a row mean.

Liu et al. 2015, section 4.3. What a "span" is has two readings, and a search has many more spans
than its outcome; so each row of an experiment says in ``spans`` which ones it counts:

    made         everything that the search put together: all edges, all candidates
    kept         of these the edges that entered the chart (or were a goal), the states that entered
                 a beam
    derivation   what the derivation of the output put together
    tree         what hangs below each word of the output's tree

Gold beside the first three is the derivation of the gold tree, beside the last the gold tree.
``least_units`` is 1 where single units are counted, too, and 2 where they are not.

The span-length view counts lengths (``trace.folds.spans``, which says which event makes which
span). Here the words are wanted, too, and no event is kept: a long best-first search makes half a
million.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, NamedTuple

from wordorder_lab.experiments.measures.measure import (
    Draw,
    Measure,
    Record,
    Row,
    Specification,
    without_epochs,
)
from wordorder_lab.experiments.measures.spans_report import FIGURES, span_lines
from wordorder_lab.experiments.measures.style import grouped
from wordorder_lab.experiments.runs.evaluate import LIMITS, as_in_training
from wordorder_lab.experiments.runs.map_in_order import map_in_order
from wordorder_lab.experiments.runs.schema import SpecificationError
from wordorder_lab.experiments.runs.settings import FLOOR, for_search
from wordorder_lab.experiments.runs.training import last_trained
from wordorder_lab.metrics.ordering import LIU_2015_FIGURE_8_BINS, brevity
from wordorder_lab.metrics.significance import SAMPLES, SEED, SENTENCE_SCORES
from wordorder_lab.metrics.spans import (
    CUTS,
    JOINS,
    Span,
    SpanScore,
    SpanTally,
    built_spans,
    count_length,
    derivation_spans,
    jensen_shannon,
    score_intervals,
    shares,
    subtree_spans,
    total_variation,
)
from wordorder_lab.structures.bag import WordBag
from wordorder_lab.structures.result import Result
from wordorder_lab.structures.sentence import Sentence
from wordorder_lab.systems.category_sources import task_of
from wordorder_lab.systems.model import OrderingModel
from wordorder_lab.trace.folds.beam import shifted

SEARCHES = ("best-first", "transition-based")
"""What the systems are called where the two kinds of search are compared."""
LEAST = (1, 2)
LONGEST = 30
"""Figure 9 goes to this length; one more row has all longer spans."""


def search_of(system: str) -> str:
    """Which of ``SEARCHES`` a system has; none for the floor."""
    return "" if system == FLOOR else SEARCHES[system == "liu-2015"]


@dataclass(frozen=True)
class OfSpans(Measure):
    """Rows that ``make`` makes of all sentences as a system ordered them.

    ``trace`` says whether the spans of the search are needed.
    """

    make: Callable[[Iterable[Looked]], list[Row]] = field(kw_only=True)
    trace: bool = True

    def check(self, specification: Specification) -> None:
        """Besides, there is one system of each kind of search."""
        super().check(specification)
        if sorted(search_of(run["system"]) for run in specification.runs) != sorted(SEARCHES):
            raise SpecificationError(
                f"{self.name} compares two systems: one {' and one '.join(SEARCHES)}"
            )

    def rows_of(
        self, run: Mapping[str, Any], sentences: Sequence[Sentence], held_out: Sequence[Sentence]
    ) -> list[Row]:
        """Each row has the search, and how many of its sentences a limit stopped."""
        model, numbers = last_trained(run, sentences)
        first = {**without_epochs(run), "epoch": numbers["epoch"]}
        seen = {"sentences": 0, "timed_out": 0}

        def counted() -> Iterator[Looked]:
            for look in looks(model, held_out, run, self.trace):
                seen["sentences"] += 1
                seen["timed_out"] += look.timed_out
                yield look

        rows = self.make(counted())
        timeouts = round(seen["timed_out"] / max(1, seen["sentences"]), 4)
        whole = {"sentences": seen["sentences"], "timeouts": timeouts}
        return [{**first, "search": search_of(run["system"]), **whole, **row} for row in rows]

    def finish(self, record: Row) -> None:
        """Add how far lengths are from gold's, or how intervals were made, where there are any."""
        if "gold_share" in record["rows"][0]:
            record["distances"] = distances(record["rows"])
        if "f1_interval" in record["rows"][0]:
            record["signatures"] = {"intervals": f"percentiles, bs:{SAMPLES}|seed:{SEED}"}

    def text(self, record: Record) -> str:
        """A column or more for each search."""
        return "\n".join(span_lines(record))

    def figures(self) -> dict[str, Draw]:
        """The paper's Figures 8 and 9, and its Table 4."""
        return {**super().figures(), **FIGURES}


# --- Figure 8 ---------------------------------------------------------------------------------


def brevity_rows(looked: Iterable[Looked]) -> list[Row]:
    """Words out over words in the reference, a row a bin of Figure 8 and one for all.

    The paper does not say whether a base NP counts as one word in the bins: ``length_in`` is
    "words" where it does not, "units" where it does. Brevity itself counts words.
    """
    done = list(looked)
    if not done:
        raise ValueError("no sentences")
    sizes = {
        "words": [len(one.sentence.surface) for one in done],
        "units": [len(one.sentence) for one in done],
    }
    rows = []
    for name, lengths in sizes.items():
        *bins, last = LIU_2015_FIGURE_8_BINS
        for low, high in (*bins, (last[0], max(last[1], *lengths))):
            inside = [one for one, length in zip(done, lengths) if low <= length <= high]
            rows.append({"length_in": name, "length": f"{low}-{high}", **_brevity(inside)})
        rows.append({"length_in": name, "length": "all", **_brevity(done)})
    return rows


def _brevity(looked: Sequence[Looked]) -> Row:
    if not looked:
        return {"sentences": 0, "brevity": None, "timeouts": None, "no_goal": None}
    texts = [one.result.text for one in looked], [one.sentence.text for one in looked]
    words = [[len(text.split()) for text in side] for side in texts]
    whole = sum(one.result.is_whole for one in looked)
    return {
        "sentences": len(looked),
        "brevity": round(brevity(*texts), 4),
        "timeouts": round(sum(one.timed_out for one in looked) / len(looked), 4),
        "no_goal": round(1 - whole / len(looked), 4),
        SENTENCE_SCORES: {"brevity": [{"parts": words}]},
    }


# --- Table 4 ----------------------------------------------------------------------------------


def score_rows(looked: Iterable[Looked]) -> list[Row]:
    """Precision, recall and F in percent, a row for each kind of spans and each cut of Table 4.

    Of the search's own spans, gold ones too, each counts once a sentence: a beam holds the same one
    in many states. The intervals are 95 %, over the choice of sentences.
    """
    keys = [(which, least) for which in (DERIVATION, TREE, KEPT) for least in LEAST]
    tallies: dict[tuple, list[SpanTally]] = {key: [] for key in keys}
    for one in looked:
        for which, least in keys:
            tally = SpanTally()
            ours, gold = one.spans(which, least), one.gold(which, least)
            tally.add(*map(_once, (ours, gold)) if which == KEPT else (ours, gold))
            tallies[which, least].append(tally)
    return [
        {
            "spans": which,
            "least_units": least,
            "below": below,
            **_scores(tallies[which, least], below),
        }
        for which, least in keys
        for below in CUTS
    ]


def _once(spans: Sequence[Span]) -> list[Span]:
    return list(dict.fromkeys(spans))


def _scores(tallies: Sequence[SpanTally], below: int) -> Row:
    counted = [tally.score(below)[3:] for tally in tallies]
    score = SpanScore.of(*map(sum, zip(*counted)))
    ends = score_intervals(counted)
    counts = {"right": score.right, "spans_made": score.made, "spans_gold": score.gold}
    named = {"precision": "precision", "recall": "recall", "f": "f1"}
    return {
        **{ours: round(getattr(score, name), 4) for name, ours in named.items()},
        **{f"{named[name]}_interval": [round(x, 4) for x in pair] for name, pair in ends.items()},
        **counts,
        SENTENCE_SCORES: {name: [{"parts": parts}] for name, parts in _parts(counted).items()},
    }


def _parts(counted: Sequence[tuple[int, int, int]]) -> dict[str, list[list[int]]]:
    """What each sentence adds above and below the line of precision, recall and F."""
    right, made, gold = (list(column) for column in zip(*counted))
    twice = [2 * count for count in right]
    both = [one + other for one, other in zip(made, gold)]
    return {"precision": [right, made], "recall": [right, gold], "f1": [twice, both]}


# --- Figure 9 ---------------------------------------------------------------------------------


def length_rows(looked: Iterable[Looked]) -> list[Row]:
    """What share of the spans has which length, a row for each kind of spans and each length.

    Here every span counts as often as the search made or kept it. ``length`` 31 is 31 and more.
    """
    keys = [(which, least) for which in (MADE, KEPT, DERIVATION, TREE) for least in LEAST]
    counted: dict[tuple, tuple[list[int], list[int]]] = {key: ([], []) for key in keys}
    for one in looked:
        for (which, least), (ours, gold) in counted.items():
            for length, times in enumerate(_lengths(one, which, least)):
                count_length(ours, length, times)
            for span in one.gold(which, least):
                count_length(gold, len(span.words))
    return [
        {"spans": which, "least_units": least, **row}
        for (which, least), (ours, gold) in counted.items()
        for row in _shares(ours, gold)
    ]


def _lengths(one: Looked, which: str, least: int) -> list[int]:
    """How many spans of each length."""
    if which == MADE and one.search is not None:
        return one.search.made if least == 1 else one.search.joined
    counts: list[int] = []
    for span in one.spans(which, least):
        count_length(counts, len(span.words))
    return counts


def _shares(ours: list[int], gold: list[int]) -> list[Row]:
    pairs = zip(shares(ours, LONGEST), shares(gold, LONGEST))
    return [
        {
            "length": length,
            "number": sum(ours[length : None if length > LONGEST else length + 1]),
            "share": round(share, 6),
            "gold_share": round(right, 6),
        }
        for length, (share, right) in enumerate(pairs, 1)
    ]


def distances(rows: Sequence[Mapping[str, Any]]) -> list[Row]:
    """How far each distribution of ``length_rows`` is from gold's, from 0 to 1 in both measures."""
    names = ("system", "search", "spans", "least_units")
    rows_of_distances = []
    for key, mine in grouped(rows, names):
        ours, gold = [row["share"] for row in mine], [row["gold_share"] for row in mine]
        if any(ours) and any(gold):
            far = {"total_variation": total_variation(ours, gold)}
            far["jensen_shannon"] = jensen_shannon(ours, gold)
            numbers = {name: round(value, 4) for name, value in far.items()}
            number = sum(row["number"] for row in mine)
            rows_of_distances.append({**key, **numbers, "number": number})
    return rows_of_distances


MEASURES = (
    OfSpans("brevity", make=brevity_rows, trace=False),
    OfSpans("spans", make=score_rows),
    OfSpans("span-lengths", make=length_rows),
)


# --- A look at what two systems make of the same sentences ------------------------------------


MADE, KEPT, DERIVATION, TREE = "made", "kept", "derivation", "tree"


class Looked(NamedTuple):
    """A sentence, what came of its bag, and the spans of the search, if they were asked for."""

    sentence: Sentence
    result: Result
    search: SpanTrace | None = None

    @property
    def timed_out(self) -> bool:
        """Whether a limit stopped the search."""
        return self.result.stopped in LIMITS

    def spans(self, which: str, least: int = 1) -> list[Span]:
        """The spans that were kept, of the derivation, or of the tree; not those only made.

        Raises ``ValueError`` for other spans, and for those of a search that nobody looked at.
        """
        units = self.result.units
        if which == DERIVATION:
            return derivation_spans(units, self.result.actions, least)
        if which == TREE:
            return subtree_spans(units, self.result.tree.heads, least)
        if which != KEPT or self.search is None:
            raise ValueError(f"the words of the spans {which!r} are not known here")
        return [span for span in self.search.spans if span.units >= least]

    def gold(self, which: str, least: int = 1) -> list[Span]:
        """The gold spans beside them."""
        tokens = self.sentence.tokens
        units, heads = [one.words for one in tokens], [one.head for one in tokens]
        return (subtree_spans if which == TREE else built_spans)(units, heads, least)


def looks(
    model: OrderingModel,
    sentences: Sequence[Sentence],
    run: Mapping[str, Any] | None = None,
    trace: bool = True,
) -> Iterator[Looked]:
    """Order the bag of each sentence as in training, with or without the spans of its search.

    ``run`` has settings of the search, as in a specification. Raises as ``model.order``.
    """
    given = as_in_training(model, pos=None, deps=None, seed=None)
    run = run or {}
    task, left = task_of(model, given, model.search_settings(**for_search(run)))
    how = {"engine": run.get("engine"), **left}
    return map_in_order(partial(_look, model, task, how, trace), sentences, what="ordering")


def _look(
    model: OrderingModel,
    task: Callable[[Sentence], WordBag],
    how: Mapping[str, Any],
    trace: bool,
    sentence: Sentence,
) -> Looked:
    spans = SpanTrace() if trace else None
    return Looked(sentence, model.order(task(sentence), trace=spans, **how), spans)


# --- The spans that a search puts together, with their words, taken from its events as they come


Stack = tuple[Span, ...]


class SpanTrace:
    """A trace for one search of either system.

    ``spans`` are those that it kept: of the edges that entered the chart or were a goal, or of the
    states that entered a beam. ``made`` counts all edges, or all candidates, by length: entry ``i``
    is how many have ``i`` words. ``joined`` counts those of them with two units or more.
    """

    def __init__(self) -> None:
        self.spans: list[Span] = []
        self.made: list[int] = []
        self.joined: list[int] = []
        self._units: list[str] = []
        self._shifts: dict[str, Span] = {}
        self._edges: list[tuple[int, int]] = [(0, 0)]
        self._lengths: list[int] = [0]
        self._joined: list[bool] = [False]
        self._spans: dict[int, Span] = {}
        self._before: dict[int, Stack] = {}
        self._candidates: dict[int, tuple[int, str]] = {}
        self._after: dict[int, Stack] = {0: ()}

    def __getattr__(self, kind: str) -> Callable[..., None]:
        """The other kinds of events say nothing about spans."""
        if kind.startswith("_"):
            raise AttributeError(kind)
        return _nothing

    def begin(self, units: Sequence[str], *_: Any) -> None:
        """Note the units, which SHIFT names."""
        self._units = list(units)

    def alternatives(self, _: Sequence[int], forms: Sequence[str]) -> None:
        """Note the forms, which SHIFT names, too."""
        self._units.extend(forms)

    def _count(self, length: int, joined: bool) -> None:
        count_length(self.made, length)
        if joined:
            count_length(self.joined, length)

    # --- best-first ---------------------------------------------------------------------------

    def leaf(self, serial: int, item: int, form: str, *_: Any) -> None:
        """A leaf edge is a span of one unit."""
        self._spans[serial] = Span(tuple(form.split(" ")))
        self._edges.append((0, 0))
        self._joined.append(False)
        self._lengths.append(len(self._spans[serial].words))
        self._count(self._lengths[-1], joined=False)

    def edge(self, serial: int, left: int, right: int, *_: Any) -> None:
        """An edge is the spans of its parts side by side; a unary one is the same span again."""
        self._edges.append((left, right))
        self._lengths.append(self._lengths[left] + self._lengths[right])
        self._joined.append(right > 0 or self._joined[left])
        self._count(self._lengths[-1], joined=self._joined[-1])

    def charted(self, serial: int, *_: Any) -> None:
        """The edge is kept."""
        self.spans.append(self._span(serial))

    goal = charted

    def _span(self, serial: int) -> Span:
        """Of most edges nobody asks for the words."""
        if serial not in self._spans:
            left, right = self._edges[serial]  # popped edges are made of charted ones: no deep call
            span = self._span(left)
            self._spans[serial] = span.join(self._span(right)) if right else span
        return self._spans[serial]

    # --- transition system ----------------------------------------------------------------------

    def step(self, step: int) -> None:
        """The states that were kept are the beam now."""
        self._before, self._candidates, self._after = self._after, {}, {}

    def candidate(self, serial: int, parent: int, action: str, score: float) -> None:
        """A candidate has one new span on top of its stack."""
        self._candidates[serial] = parent, action
        if action in JOINS:
            left, right = self._before[parent][-2:]
            self._count(len(left.words) + len(right.words), joined=True)
        else:
            self._count(len(self._shift(action).words), joined=False)

    def kept(self, serial: int, rank: int) -> None:
        """The candidate entered the beam."""
        parent, action = self._candidates[serial]
        stack = self._before[parent]
        if action in JOINS:
            stack = (*stack[:-2], stack[-2].join(stack[-1]))
        else:
            stack = (*stack, self._shift(action))
        self._after[serial] = stack
        self.spans.append(stack[-1])

    def _shift(self, action: str) -> Span:
        if action not in self._shifts:
            unit, _ = shifted(action, self._units)
            self._shifts[action] = Span(tuple(unit.split(" ")))
        return self._shifts[action]


def _nothing(*_: Any) -> None:
    pass
